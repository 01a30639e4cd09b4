//! [`FeatureWeights`]: the result of a weighting method.

use super::Extras;
use super::aggregate::Sums;
use super::association::FeatureAssociation;
use super::common::Problem;
use super::contribution::to_table_order;
use super::stir::{self, Test};
use crate::{Note, Result, WeighError};

/// The weights of all features, and the extras asked for.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
pub struct FeatureWeights {
    /// Feature names, in table order.
    pub features: Vec<String>,
    /// One weight a feature, the larger the better it tells near rows of different classes apart.
    /// What noise weighs need not be 0; see [`null_weights`](super::null_weights).
    pub weights: Vec<f64>,
    /// Class names, when weights per class were wanted.
    pub classes: Vec<String>,
    /// Weights per class, as `classes` orders them; empty unless wanted.
    pub class_weights: Vec<Vec<f64>>,
    /// `pair_weights[y][c]`: what neighbours of class c contribute to the mean over target rows of
    /// class y: their mean difference, times the weight of class c in the update. The class weight
    /// of y is the sum of `pair_weights[y][c]` over the other classes c, minus
    /// `pair_weights[y][y]`. Empty unless wanted.
    pub pair_weights: Vec<Vec<Vec<f64>>>,
    /// Contributions of single rows, as (row, weights); empty unless wanted.
    pub row_weights: Vec<(usize, Vec<f64>)>,
    /// A test of each feature; empty unless wanted.
    pub tests: Vec<Test>,
    /// The association of each feature with the target, by the method of that name.
    pub associations: Vec<FeatureAssociation>,
    /// Tests per class, as `classes` orders them; empty unless wanted.
    pub class_tests: Vec<Vec<Test>>,
    /// Bootstrap interval of each weight, as (low, high); empty unless wanted.
    pub intervals: Vec<(f64, f64)>,
    /// Weights of at least this are relevant, where the method says so.
    pub threshold: Option<f64>,
    /// Standard deviation of each weight over orders of rows, where the method depends on it.
    pub order_deviation: Vec<f64>,
    /// The best number of neighbours for each feature, where the method looks for it.
    pub best_k: Vec<usize>,
    /// The round in which a feature was removed, 0 for those that stayed; wrappers only.
    pub removed_in: Vec<usize>,
    /// Steps to where the weights rest, or passes over the rows, where the method takes some.
    pub steps: Option<usize>,
    /// Facts and warnings beside the weights.
    pub notes: Vec<Note>,
}

/// A feature at its place in the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedFeature<'a> {
    /// 1 for the heaviest; features of equal weight share a rank.
    pub rank: usize,
    /// Position in the table.
    pub index: usize,
    /// Its name.
    pub feature: &'a str,
    /// Its weight.
    pub weight: f64,
}

impl FeatureWeights {
    /// Weights as means over targets: all of them, those of a class, single ones.
    pub(crate) fn mean_of(problem: &Problem, sums: &Sums, extras: &Extras) -> Self {
        let targets = sums.targets.iter().sum::<usize>() as f64;
        let counts = sums.targets.iter().map(|&count| count as f64).collect::<Vec<_>>();
        Self::scaled(problem, sums, extras, targets, &counts)
    }

    /// Weights as sums over targets.
    pub(crate) fn sum_of(problem: &Problem, sums: &Sums, extras: &Extras) -> Self {
        let mut weights = Self::scaled(problem, sums, extras, 1.0, &vec![1.0; sums.targets.len()]);
        let targets = sums.targets.iter().sum::<usize>() as f64;
        for (low, high) in &mut weights.intervals {
            (*low, *high) = (*low * targets, *high * targets);
        }
        weights
    }

    fn scaled(problem: &Problem, sums: &Sums, extras: &Extras, all: f64, by_class: &[f64]) -> Self {
        let scaled = |sums: &[f64], divisor: f64| {
            let divisor = divisor.max(1.0);
            problem.table_order(&sums.iter().map(|sum| sum / divisor).collect::<Vec<_>>())
        };
        let mut weights = Self {
            features: problem.encoder.names().to_vec(),
            weights: scaled(&sums.total(), all),
            ..Self::default()
        };
        if extras.per_class || extras.pairs {
            weights.classes = problem.classes.names().to_vec();
        }
        if extras.per_class {
            let classes = sums.by_class.iter().zip(by_class);
            weights.class_weights = classes.map(|(sums, &count)| scaled(sums, count)).collect();
        }
        let of_class = |(row, &count): (&Vec<Vec<f64>>, &f64)| {
            row.iter().map(|sums| scaled(sums, count)).collect()
        };
        weights.pair_weights = sums.by_pair.iter().zip(by_class).map(of_class).collect();
        let rows = sums.rows.iter().map(|(row, sums)| (*row as usize, scaled(sums, 1.0)));
        weights.row_weights = rows.collect();
        weights.add_tests(problem, sums, extras);
        if let Some(replicates) = &sums.replicates {
            let ends = replicates.intervals().map(|end| problem.table_order(&end));
            let [low, high] = ends;
            weights.intervals = low.into_iter().zip(high).collect();
        }
        weights
    }

    fn add_tests(&mut self, problem: &Problem, sums: &Sums, extras: &Extras) {
        let Some((first, rest)) = sums.hit_miss.split_first() else { return };
        let mut all = first.clone();
        rest.iter().for_each(|other| all.add(other));
        let in_order = |sums| to_table_order(&problem.encoder, &stir::tests(sums));
        if extras.per_class {
            self.class_tests = sums.hit_miss.iter().map(in_order).collect();
        }
        self.tests = in_order(&all);
    }

    /// The same, unless a weight is no number.
    pub(crate) fn checked(self) -> Result<Self> {
        match self.weights.iter().position(|weight| !weight.is_finite()) {
            None => Ok(self),
            Some(feature) => {
                let column = self.features[feature].clone();
                Err(WeighError::NotFinite { column, weight: self.weights[feature] }.into())
            }
        }
    }

    /// The same with notes for the reader.
    pub(crate) fn noting(mut self, notes: Vec<Note>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Features from heaviest to lightest; equal weights share a rank, in table order.
    pub fn ranking(&self) -> Vec<RankedFeature<'_>> {
        rank(&self.features, &self.weights)
    }

    /// The ranking by the weights of class number `class`.
    pub fn class_ranking(&self, class: usize) -> Vec<RankedFeature<'_>> {
        rank(&self.features, &self.class_weights[class])
    }
}

fn rank<'a>(features: &'a [String], weights: &[f64]) -> Vec<RankedFeature<'a>> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    let mut ranked: Vec<RankedFeature> = Vec::with_capacity(order.len());
    for (place, index) in order.into_iter().enumerate() {
        let weight = weights[index];
        let rank = match ranked.last() {
            Some(last) if last.weight == weight => last.rank,
            _ => place + 1,
        };
        ranked.push(RankedFeature { rank, index, feature: &features[index], weight });
    }
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_share_a_rank_in_table_order() {
        let weights = FeatureWeights {
            features: ["a", "b", "c", "d"].map(String::from).to_vec(),
            weights: vec![0.1, 0.5, 0.5, -0.2],
            ..Default::default()
        };
        let ranks: Vec<_> = weights.ranking().iter().map(|r| (r.rank, r.feature)).collect();
        assert_eq!(ranks, [(1, "b"), (1, "c"), (3, "a"), (4, "d")]);
    }
}
