//! What weights look like where nothing matters: the null of this very method on this very table.
//!
//! ```text
//! W_A(r) = the weight of feature A after exchange r of the target's labels, r = 1 … N
//! limit  = the ⌊level · (N + 1)⌋-th largest of W_A(r), or of max_A W_A(r)
//! ```
//!
//! The weights of noise need not lie around 0: unequal classes, tied distances and many columns
//! all move them. Only the method itself tells where they lie. A weight above its limit is one
//! that at most the share `level` of exchanges would give. As in
//! [`Permutation`](super::Permutation), the null is that *nothing* in the table has to do with
//! the target.
//!
//! Cost: N fits, one after the other, each on all threads, and N · p numbers.

use super::exchange::Exchange;
use super::permutation::no_weight;
use super::{Extras, FeatureWeights, Weigh};
use crate::data::{Table, Target};
use crate::{Error, ErrorKind, Result, Run};

/// Weights after exchanges of the target.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
pub struct NullWeights {
    /// `weights[exchange][feature]`.
    pub weights: Vec<Vec<f64>>,
    /// `class_weights[exchange][class][feature]`; empty where the method has none.
    pub class_weights: Vec<Vec<Vec<f64>>>,
}

/// Fit `method` anew after each of `exchanges` exchanges of the target, within `strata` where there
/// are some.
///
/// # Errors
///
/// When the method cannot weigh the table, for a reason that exchanging labels does not explain, and
/// when the caller stops the run.
pub fn null_weights(
    method: &dyn Weigh,
    (table, target): (&Table, &Target),
    strata: Option<&[u32]>,
    exchanges: usize,
    seed: u64,
    run: &Run,
) -> Result<NullWeights> {
    let per_class = Extras { per_class: true, ..Extras::default() };
    let mut extras = match target {
        Target::Classes(_) => per_class,
        Target::Real(_) => Extras::default(),
    };
    let (quiet, features) = (run.quiet(), table.columns().len());
    let exchange = Exchange::new(table.rows(), strata)?;
    let mut found = NullWeights::default();
    for number in 0..exchanges {
        run.check(number as u64, exchanges as u64)?;
        let exchanged = target.select(&exchange.order(seed, number as u64));
        let mut fit = method.fit_with(table, &exchanged, &extras, &quiet);
        // A method without weights for each class refuses them.
        let refused =
            |error: &Error| matches!(error.kind(), ErrorKind::Data | ErrorKind::Parameter);
        if extras.per_class && fit.as_ref().is_err_and(refused) {
            extras = Extras::default();
            fit = method.fit_with(table, &exchanged, &extras, &quiet);
        }
        match fit {
            Ok(fit) => {
                found.weights.push(fit.weights);
                if !fit.class_weights.is_empty() {
                    found.class_weights.push(fit.class_weights);
                }
            }
            // Methods that keep positive weights only refuse a table where there is none.
            Err(error) if no_weight(&error) => {
                found.weights.push(vec![0.0; features]);
            }
            Err(other) => return Err(other),
        }
    }
    if found.class_weights.len() < found.weights.len() {
        found.class_weights.clear();
    }
    Ok(found)
}

impl NullWeights {
    /// The weight that the largest of all features exceeds in at most the share `level` of
    /// exchanges; none where there are too few exchanges to say.
    pub fn limit_of_largest(&self, level: f64) -> Option<f64> {
        let largest = |weights: &Vec<f64>| {
            weights.iter().copied().filter(|w| w.is_finite()).fold(f64::NEG_INFINITY, f64::max)
        };
        exceeded(self.weights.iter().map(largest).collect(), level)
    }

    /// The weight that each feature exceeds in at most the share `level` of exchanges.
    pub fn limits(&self, level: f64) -> Option<Vec<f64>> {
        limits(self.weights.iter().map(Vec::as_slice).collect(), level)
    }

    /// The same of the weights of each class; none where there are none.
    pub fn class_limits(&self, level: f64) -> Option<Vec<Vec<f64>>> {
        let classes = self.class_weights.first()?.len();
        let of = |class: usize| {
            limits(self.class_weights.iter().map(|all| all[class].as_slice()).collect(), level)
        };
        (0..classes).map(of).collect()
    }

    /// The weight of each feature after the typical exchange: the mean over exchanges.
    #[must_use]
    pub fn means(&self) -> Vec<f64> {
        let features = self.weights.first().map_or(0, Vec::len);
        let count = self.weights.len().max(1) as f64;
        let mean = |feature| self.weights.iter().map(|w| w[feature]).sum::<f64>() / count;
        (0..features).map(mean).collect()
    }

    /// `found[class][feature]`: 1 where the class weight of `weights` lies above its null, −1 where
    /// it lies below, 0 where it does not leave it; such that a single 1 or −1 anywhere is as rare
    /// as `level` where nothing matters. Empty where there are no class weights or too few exchanges.
    ///
    /// Weights are compared as deviations from their mean over exchanges and the weights
    /// themselves, which are alike under the null; the limit is that of the largest deviation of
    /// any class and feature.
    #[must_use]
    pub fn class_sides(&self, weights: &FeatureWeights, level: f64) -> Vec<Vec<i8>> {
        let observed = &weights.class_weights;
        if self.class_weights.is_empty() || observed.is_empty() {
            return Vec::new();
        }
        let all: Vec<&Vec<Vec<f64>>> =
            std::iter::once(observed).chain(&self.class_weights).collect();
        let mut largest = vec![0.0f64; all.len()];
        let mut own: Vec<Vec<f64>> = Vec::new();
        for class in 0..observed.len() {
            let of_class = |feature: usize| {
                let values: Vec<f64> = all.iter().map(|one| one[class][feature]).collect();
                let deviations = standardised(&values);
                for (most, z) in largest.iter_mut().zip(&deviations) {
                    *most = most.max(z.abs());
                }
                deviations[0]
            };
            own.push((0..observed[class].len()).map(of_class).collect());
        }
        let Some(limit) = exceeded(largest.split_off(1), level) else { return Vec::new() };
        let side = |z: &f64| match z.abs() > limit {
            true if *z > 0.0 => 1,
            true => -1,
            false => 0,
        };
        own.iter().map(|of_class| of_class.iter().map(side).collect()).collect()
    }
}

/// What each feature exceeds in at most the share `level` of these draws.
fn limits(draws: Vec<&[f64]>, level: f64) -> Option<Vec<f64>> {
    let features = draws.first()?.len();
    let of = |feature: usize| exceeded(draws.iter().map(|one| one[feature]).collect(), level);
    (0..features).map(of).collect()
}

/// Deviations from the mean, in standard deviations; zeros where all are alike.
fn standardised(values: &[f64]) -> Vec<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    // Weights that differ by rounding alone are alike.
    let size = values.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    let deviation = variance.sqrt();
    match deviation > 1e-12 * size {
        true => values.iter().map(|v| (v - mean) / deviation).collect(),
        false => vec![0.0; values.len()],
    }
}

/// What at most the share `level` of draws like these exceeds: (1 + the number of `values` that are
/// as large) / (1 + their number) is at most `level` for whatever is larger.
fn exceeded(mut values: Vec<f64>, level: f64) -> Option<f64> {
    let place = (level * (values.len() + 1) as f64 + 1e-9).floor() as usize;
    values.sort_unstable_by(|a, b| b.total_cmp(a));
    values.get(place.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Classes, Column};
    use crate::random::Random;
    use crate::weigh::ReliefF;

    /// Numbers that have nothing to do with classes, of which one holds a fifth of the rows.
    fn noise(seed: u64, relevant: bool) -> (Table<'static>, Target) {
        let mut random = Random::new(seed, 0);
        let labels: Vec<String> = (0..100)
            .map(|row: usize| if row.is_multiple_of(5) { "case" } else { "control" }.to_owned())
            .collect();
        let columns = (0..8).map(|feature| {
            let cell = |row: usize| {
                let shift =
                    if relevant && feature == 3 && row.is_multiple_of(5) { 4.0 } else { 0.0 };
                random.normal() + shift
            };
            Column::numeric(format!("f{feature}"), (0..100).map(cell).collect::<Vec<f64>>())
        });
        let table = Table::new(columns.collect()).unwrap();
        (table, Target::Classes(Classes::from_labels(&labels)))
    }

    #[test]
    fn a_limit_is_the_order_statistic_that_makes_an_exact_test() {
        let values: Vec<f64> = (1..=39).map(f64::from).collect();
        // Of 39 exchanges two may be as large: 2 / 40 = .05.
        assert_eq!(exceeded(values.clone(), 0.05), Some(38.0));
        assert_eq!(exceeded(values[..19].to_vec(), 0.05), Some(19.0));
        assert_eq!(exceeded(values[..18].to_vec(), 0.05), None);
    }

    #[test]
    fn weights_of_noise_lie_below_their_limit_and_a_relevant_feature_above() {
        let (method, run) = (ReliefF::default(), Run::on(2));
        let mut above = 0;
        for seed in 0..10 {
            let (table, target) = noise(seed, false);
            let null = null_weights(&method, (&table, &target), None, 19, seed, &run).unwrap();
            let limit = null.limit_of_largest(0.05).unwrap();
            let found = method.fit(&table, &target).unwrap();
            above += usize::from(found.weights.iter().any(|w| *w > limit));
            assert_eq!(null.limits(0.05).unwrap().len(), 8);
            assert_eq!(null.class_limits(0.05).unwrap()[1].len(), 8);
        }
        // Ten draws of one in twenty.
        assert!(above <= 3, "{above}");
        let (table, target) = noise(1, true);
        let null = null_weights(&method, (&table, &target), None, 19, 1, &run).unwrap();
        let found = method.fit(&table, &target).unwrap();
        assert!(found.weights[3] > null.limit_of_largest(0.05).unwrap());
    }

    #[test]
    fn classes_of_unequal_size_do_not_disagree_about_noise() {
        let (method, run) = (ReliefF::default(), Run::on(2));
        let extras = Extras { per_class: true, ..Extras::default() };
        let mut called = 0;
        for seed in 0..10 {
            let (table, target) = noise(seed, false);
            let null = null_weights(&method, (&table, &target), None, 19, seed, &run).unwrap();
            let found = method.fit_with(&table, &target, &extras, &run).unwrap();
            // Read by their signs alone, the classes would disagree.
            assert!(!super::super::disagreements(&found).unwrap().is_empty());
            let sides = null.class_sides(&found, 0.05);
            called += usize::from(sides.iter().flatten().any(|side| *side != 0));
        }
        assert!(called <= 3, "{called}");
        let (table, target) = noise(1, true);
        let null = null_weights(&method, (&table, &target), None, 19, 1, &run).unwrap();
        let found = method.fit_with(&table, &target, &extras, &run).unwrap();
        let sides = null.class_sides(&found, 0.05);
        assert_eq!(sides.iter().map(|side| side[3]).max(), Some(1));
    }
}
