//! [`FeatureWeights`]: what a weighting method found.

use super::Wanted;
use super::aggregate::Sums;
use super::common::Problem;

/// The weights of all features, and what else was asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FeatureWeights {
    /// Feature names, in table order.
    pub features: Vec<String>,
    /// One weight a feature: positive where the feature tells classes apart.
    pub weights: Vec<f64>,
    /// Class names, when weights per class were wanted.
    pub classes: Vec<String>,
    /// Weights per class, as `classes` orders them; empty unless wanted.
    pub class_weights: Vec<Vec<f64>>,
    /// `pair_weights[y][c]`: mean difference of targets of class y to their neighbours of
    /// class c; empty unless wanted.
    pub pair_weights: Vec<Vec<Vec<f64>>>,
    /// Contributions of single rows, as (row, weights); empty unless wanted.
    pub row_weights: Vec<(usize, Vec<f64>)>,
    /// What a reader of the weights should know.
    pub notes: Vec<String>,
}

/// A feature at its place in the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked<'a> {
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
    pub(crate) fn mean_of(problem: &Problem, sums: &Sums, wanted: &Wanted) -> Self {
        let mean = |sums: &[f64], count: usize| {
            let count = count.max(1) as f64;
            problem.table_order(&sums.iter().map(|sum| sum / count).collect::<Vec<_>>())
        };
        let targets = sums.targets.iter().sum();
        let mut weights = Self {
            features: problem.encoder.names().to_vec(),
            weights: mean(&sums.total(), targets),
            ..Self::default()
        };
        if wanted.per_class || wanted.pairs {
            weights.classes = problem.classes.names().to_vec();
        }
        if wanted.per_class {
            let classes = sums.by_class.iter().zip(&sums.targets);
            weights.class_weights = classes.map(|(sums, &count)| mean(sums, count)).collect();
        }
        let pairs = sums.by_pair.iter().zip(&sums.targets);
        let of_class = |(row, &count): (&Vec<Vec<f64>>, &usize)| {
            row.iter().map(|sums| mean(sums, count)).collect()
        };
        weights.pair_weights = pairs.map(of_class).collect();
        let rows = sums.rows.iter().map(|(row, sums)| (*row as usize, mean(sums, 1)));
        weights.row_weights = rows.collect();
        weights
    }

    /// Features from heaviest to lightest; equal weights share a rank, in table order.
    pub fn ranking(&self) -> Vec<Ranked<'_>> {
        rank(&self.features, &self.weights)
    }

    /// The ranking by the weights of class number `class`.
    pub fn class_ranking(&self, class: usize) -> Vec<Ranked<'_>> {
        rank(&self.features, &self.class_weights[class])
    }
}

fn rank<'a>(features: &'a [String], weights: &[f64]) -> Vec<Ranked<'a>> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    let mut ranked: Vec<Ranked> = Vec::with_capacity(order.len());
    for (place, index) in order.into_iter().enumerate() {
        let weight = weights[index];
        let rank = match ranked.last() {
            Some(last) if last.weight == weight => last.rank,
            _ => place + 1,
        };
        ranked.push(Ranked { rank, index, feature: &features[index], weight });
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
