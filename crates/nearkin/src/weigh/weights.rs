//! [`FeatureWeights`]: what a weighting method found.

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
