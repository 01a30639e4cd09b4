//! RELIEF-PSD: RELIEF whose weights, or whose matrix, make a metric.
//!
//! *Each step*, as printed: after every row negative weights are clipped. The weights start at
//! 0, so a row with no positive update is no failure; only weights that end all 0 are. *Closed*:
//! the weights of length 1 with the largest sum of margins, (z)₊/‖(z)₊‖, z the sum of all
//! updates. With a matrix that is not diagonal, the same over matrices:
//!
//! ```text
//! Z = Σ_i mean_M (x_i − M)(x_i − M)ᵀ − mean_H (x_i − H)(x_i − H)ᵀ
//! A = PSD(Z) / ‖PSD(Z)‖_F,   d(x, y) = (x − y)ᵀ A (x − y)
//! ```
//!
//! on columns divided by their range; the division becomes a part of the matrix.
//!
//! Cost: n² p for the neighbours; n k p² and p³ for a matrix.
//!
//! Lower bound for a matrix: n k p² multiply-adds; this code takes about four times as many.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012, section V; Y. Sun and D. Wu, *A RELIEF based feature extraction algorithm*, 2008.

use rayon::prelude::*;

use super::rbs_psd::nearest_psd;
use super::relief::{Differences, UsedAs, Weighing};
use super::{Learn, LearnProblem, LearnedMatrix, handed_over};
use crate::measure::{Clip, Compare, Form, Norm, Row, SquareMatrix};
use crate::{Result, Run, parameters};

/// Visits summed by one task, tasks added in order.
const BLOCK: usize = 256;

parameters! {
    /// RELIEF-PSD and its settings.
    pub struct ReliefPsdSimilarity {
        /// When negative weights are clipped; a matrix that is not diagonal is closed.
        clip: Clip = Clip::EachStep;
    } with weighing: Weighing
}

impl ReliefPsdSimilarity {
    /// PSD(Z)/‖PSD(Z)‖_F and what it does to margins.
    fn full(&self, problem: &LearnProblem, run: &Run) -> Result<LearnedMatrix> {
        problem.refuse_resumed("relief-psd")?;
        let differences = Differences::new(problem, self.weighing.common.k, run)?;
        let (size, scale) = (differences.scale.len(), &differences.scale);
        run.check(0, 1)?;
        // The scaled difference of two rows.
        let gap = |x: usize, y: u32| -> Vec<f64> {
            let mut gap = problem.rows().row(x).to_vec(size);
            problem.rows().row(y as usize).each(|l, y| gap[l] = (gap[l] - y) * scale[l]);
            gap
        };
        let gaps = |(anchor, hits, misses): &(usize, Vec<u32>, Vec<u32>)| {
            let side = |sign: f64, near: &[u32]| {
                let share = sign / near.len() as f64;
                near.iter().map(|&row| (share, gap(*anchor, row))).collect::<Vec<_>>()
            };
            let mut all = side(1.0, misses);
            all.extend(side(-1.0, hits));
            all
        };
        let block = |visits: &[(usize, Vec<u32>, Vec<u32>)]| {
            let mut sum = SquareMatrix::identity(Form::Symmetric, size, 0.0);
            for (share, gap) in visits.iter().flat_map(gaps) {
                sum.add_outer(0.5 * share, Row::Dense(&gap), &gap);
            }
            sum
        };
        let blocks: Vec<SquareMatrix> =
            run.install(|| differences.near.par_chunks(BLOCK).map(block).collect::<Vec<_>>())?;
        let mut sum = SquareMatrix::identity(Form::Symmetric, size, 0.0);
        blocks.iter().for_each(|block| sum.add(1.0, block));
        let near = nearest_psd(&sum, run)?;
        let learned = near.unit().unwrap_or(near);
        let margins = |matrix: &SquareMatrix| -> Result<Vec<f64>> {
            let of = |visit: &(usize, Vec<u32>, Vec<u32>)| {
                gaps(visit).iter().map(|(share, gap)| share * matrix.product(gap, gap)).sum()
            };
            run.install(|| differences.near.par_iter().map(of).collect())
        };
        let plain = SquareMatrix::identity(Form::Symmetric, size, 1.0 / (size as f64).sqrt());
        let (before, after) = (margins(&plain)?, margins(&learned)?);
        let similarity = match self.weighing.used_as {
            UsedAs::Similarity => problem.similarity(learned)?,
            UsedAs::Distance => {
                // Scales first: their product commutes, so the cells stay exactly symmetric.
                let cell = |at: usize| learned.cells()[at] * (scale[at / size] * scale[at % size]);
                let cells = (0..size * size).map(cell).collect();
                let matrix = SquareMatrix::new(Form::Symmetric, size, cells)?;
                problem.similarity(matrix)?.comparing(Compare::SquaredDistance, run)?
            }
        };
        Ok(LearnedMatrix::of_margins(similarity, before, after))
    }
}

impl Learn for ReliefPsdSimilarity {
    handed_over! {
        weighing.common: "relief-psd" is "RELIEF-PSD",
        "RELIEF with weights, or a matrix, that make a metric",
        "Qamar & Gaussier 2012; Sun & Wu 2008"
    }

    fn norm(&self) -> Norm {
        self.weighing.norm()
    }

    fn solve(&self, problem: &LearnProblem, run: &Run) -> Result<LearnedMatrix> {
        self.weighing.refuse_unused()?;
        if problem.form() != Form::Diagonal {
            return self.full(problem, run);
        }
        let clip = |weights: &mut Vec<f64>| weights.iter_mut().for_each(|w| *w = w.max(0.0));
        let step = |weights: &mut Vec<f64>| {
            if self.clip == Clip::EachStep {
                clip(weights);
            }
        };
        let finish = |mut weights: Vec<f64>| {
            clip(&mut weights);
            let length = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
            if self.clip == Clip::Closed {
                weights.iter_mut().for_each(|w| *w /= length);
            }
            (length > 0.0).then_some(weights)
        };
        self.weighing.weigh(problem, "relief-psd", step, finish, run)
    }
}
