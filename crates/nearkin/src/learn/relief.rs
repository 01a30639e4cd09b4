//! RELIEF: weights of features by how far they separate a row from its nearest misses, and not
//! from its nearest hits.
//!
//! With H the k nearest rows of the same class and M the k nearest others, by the sum of
//! differences divided by each column's range, over all rows once:
//!
//! ```text
//! A_l ← A_l + 1/n ( mean_M diff(l, x_i, M) − mean_H diff(l, x_i, H) )
//! diff(l, x, y) = |x_l − y_l| / range_l       signed: (x_l − y_l) / range_l
//! ```
//!
//! The weights make a distance, d(x, y) = Σ max(A_l, 0) diff(l, x, y), as RELIEF's mathematics
//! says. Or they are the diagonal of a similarity s_A, as the paper that compares RELIEF with RBS
//! seems to have measured it, with signed differences. No reading tried gives that paper's RELIEF
//! figures. For a distance the norm does not matter; for a similarity, weights are learned from
//! the rows that the norm compares.
//!
//! Cost: n² p for the neighbours.
//!
//! Lower bound: that of `neighbors::search`, and 2 n k p differences. Updates take 8 n p bytes;
//! margins need them.
//!
//! Reference: K. Kira and L. A. Rendell, *A practical approach to feature selection*, 1992; A. M.
//! Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*, 2012, section III.

use rayon::prelude::*;

use super::{Learn, LearnProblem, LearnSettings, LearnedMatrix, handed_over};
use crate::data::Encoder;
use crate::measure::{
    Compare, Form, Measure, Metric, Missing, Norm, Scaling, SquareMatrix, Unknown,
};
use crate::neighbors::{Labelled, nearest};
use crate::{Error, LearnError, ParameterError, Result, Run, choice, parameters};

choice! {
    /// Use of the weights of differences.
    pub enum UsedAs {
        /// A distance of rows.
        Distance = "distance",
        /// The matrix of a similarity of rows.
        Similarity = "similarity",
    }
}

choice! {
    /// Definition of the difference of two numbers.
    pub enum Difference {
        /// How far apart they are.
        Absolute = "absolute",
        /// The first less the second.
        Signed = "signed",
    }
}

parameters! {
    /// Settings that the RELIEF methods share.
    pub struct Weighing {
        /// How the weights are used: in a distance, or as the matrix of a similarity.
        used_as: UsedAs = UsedAs::Distance;
        /// Difference of two numbers: absolute or signed.
        relief_diff: Difference = Difference::Absolute;
    } with common: LearnSettings
}

parameters! {
    /// RELIEF and its settings.
    pub struct ReliefSimilarity {} with weighing: Weighing
}

/// Hits and misses of visits, and the scale of columns.
pub(crate) struct Differences {
    /// 1/range of each column, 0 where it is constant.
    pub scale: Vec<f64>,
    /// For each active visit its anchor, hits and misses.
    pub near: Vec<(usize, Vec<u32>, Vec<u32>)>,
}

impl Differences {
    /// Find nearest hits and misses, or take them from triplets.
    pub fn new(problem: &LearnProblem, k: usize, run: &Run) -> Result<Self> {
        let rows = problem.rows();
        let Some(table) = rows.table()? else {
            return Err(LearnError::ReliefOfSparse.into());
        };
        let encoder = Encoder::fit(&table)?;
        let encoded = encoder.encode(&table)?;
        let labels = problem.sides().map_or_else(|| vec![0; rows.rows()], <[u32]>::to_vec);
        let classes = labels.iter().max().map_or(0, |&most| most as usize + 1);
        let unknown = Unknown::fit(Missing::One, &encoder, &encoded, &labels, classes);
        let measure = Measure::new(&encoder, Metric::Manhattan, Scaling::MinMax, unknown);
        let spans = measure.range().iter().map(|(low, high)| high - low);
        let scale = spans.map(|span| if span > 0.0 { 1.0 / span } else { 0.0 }).collect();
        let active = problem.active();
        let near = match problem.triplets() {
            Some(_) => active
                .map(|at| {
                    let both = (problem.targets(at).to_vec(), problem.impostors(at).to_vec());
                    (problem.anchor(at), both.0, both.1)
                })
                .collect(),
            None => {
                let labelled = Labelled { rows: &encoded, labels: &labels, classes };
                let found = nearest(labelled, &measure, k, run)?;
                let sides = |at: usize| {
                    let own = labels[at] as usize;
                    let mut misses: Vec<(f64, u32)> = Vec::new();
                    for class in (0..classes).filter(|class| *class != own) {
                        let (rows, distances) = found.of(at, class);
                        misses.extend(distances.iter().copied().zip(rows.iter().copied()));
                    }
                    misses.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    misses.truncate(k);
                    (at, found.of(at, own).0.to_vec(), misses.into_iter().map(|m| m.1).collect())
                };
                active.map(sides).collect()
            }
        };
        Ok(Self { scale, near })
    }

    /// The mean of g(l, x_i, M) less that of g(l, x_i, H), for each visit a row of numbers.
    fn updates(
        &self,
        problem: &LearnProblem,
        kind: Difference,
        run: &Run,
    ) -> Result<Vec<Vec<f64>>> {
        let size = self.scale.len();
        let of = |(anchor, hits, misses): &(usize, Vec<u32>, Vec<u32>)| {
            let mut update = vec![0.0; size];
            let x = problem.rows().row(*anchor).to_vec(size);
            for (sign, near) in [(-1.0, hits), (1.0, misses)] {
                let share = sign / near.len() as f64;
                for &other in near {
                    problem.rows().row(other as usize).each(|l, y| {
                        let signed = (x[l] - y) * self.scale[l];
                        let diff = if kind == Difference::Signed { signed } else { signed.abs() };
                        update[l] += share * diff;
                    });
                }
            }
            update
        };
        run.install(|| self.near.par_iter().map(of).collect())
    }
}

/// Margins Σ_l w_l u_il of visits, for weights scaled to length 1.
fn margins(updates: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let length = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
    let unit = if length > 0.0 { length } else { 1.0 };
    updates.iter().map(|u| crate::measure::dot(u, weights) / unit).collect()
}

impl Weighing {
    /// The norm rows are compared under.
    pub(crate) fn norm(&self) -> Norm {
        match self.used_as {
            UsedAs::Distance => Norm::Dot,
            UsedAs::Similarity => self.common.norm,
        }
    }

    /// Refuse settings that a distance has no use for.
    pub(crate) fn refuse_unused(&self) -> Result<()> {
        let LearnSettings { norm, constant, .. } = &self.common;
        let refuse =
            |name, why| Err(Error::parameter(name, ParameterError::UnusedByDistance { why }));
        match (self.used_as, norm) {
            (UsedAs::Similarity, _) => Ok(()),
            (_, Norm::Dice | Norm::Jaccard) => refuse("norm", "a distance is divided by no norm"),
            _ if *constant != 0.0 => refuse("constant", "rows do not differ in a constant"),
            _ => Ok(()),
        }
    }

    /// Weights from updates in order, `step` after each.
    pub(crate) fn weigh(
        &self,
        problem: &LearnProblem,
        method: &'static str,
        step: impl Fn(&mut Vec<f64>),
        finish: impl Fn(Vec<f64>) -> Option<Vec<f64>>,
        run: &Run,
    ) -> Result<LearnedMatrix> {
        problem.refuse_resumed(method)?;
        let differences = Differences::new(problem, self.common.k, run)?;
        run.check(0, 1)?;
        let updates = differences.updates(problem, self.relief_diff, run)?;
        let mut weights = vec![0.0; differences.scale.len()];
        for update in &updates {
            let pairs = weights.iter_mut().zip(update);
            pairs.for_each(|(w, u)| *w += u / updates.len() as f64);
            step(&mut weights);
        }
        let weights = finish(weights).ok_or(LearnError::NoPositiveWeight)?;
        let even = vec![1.0; weights.len()];
        let (before, after) = (margins(&updates, &even), margins(&updates, &weights));
        let similarity = match self.used_as {
            UsedAs::Similarity => {
                problem.similarity(SquareMatrix::new(Form::Diagonal, weights.len(), weights)?)?
            }
            UsedAs::Distance => {
                let cells = weights.iter().zip(&differences.scale);
                let cells: Vec<f64> = cells.map(|(w, scale)| w.max(0.0) * scale).collect();
                let matrix = SquareMatrix::new(Form::Diagonal, cells.len(), cells)?;
                problem.similarity(matrix)?.comparing(Compare::AbsoluteDistance, run)?
            }
        };
        Ok(LearnedMatrix::of_margins(similarity, before, after))
    }
}

impl Learn for ReliefSimilarity {
    handed_over! {
        weighing.common: "relief" is "RELIEF",
        "weights of features from nearest hits and misses, as a distance or similarity",
        "Kira & Rendell 1992; Qamar & Gaussier 2012"
    }

    fn norm(&self) -> Norm {
        self.weighing.norm()
    }

    fn solve(&self, problem: &LearnProblem, run: &Run) -> Result<LearnedMatrix> {
        self.weighing.refuse_unused()?;
        if problem.form() != Form::Diagonal {
            return Err(Error::parameter("matrix", ParameterError::ReliefNotDiagonal));
        }
        self.weighing.weigh(problem, "relief", |_| {}, Some, run)
    }
}
