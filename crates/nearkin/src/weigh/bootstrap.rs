//! Bootstrap intervals: how much a weight depends on the rows that were targets.
//!
//! Targets are resampled with replacement; their neighbours stay. A replicate's weight is the
//! mean of the resampled contributions (RReliefF's a function of their sums), so all replicates
//! come out of the one stream.
//!
//! Lower bound for R replicates, m targets and p features: (1 − 1/e) · R · m · p multiply-adds,
//! one for every target that a replicate drew. The ends of the intervals take R · log₂ R
//! comparisons a feature.

use rayon::prelude::*;

use super::contribution::add_scaled;
use crate::random::Random;

/// Settings of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// Number of replicates.
    pub replicates: usize,
    /// Share of replicates inside the interval, such as 0.95.
    pub level: f64,
    /// Seed of the draws.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { replicates: 1000, level: 0.95, seed: 0 }
    }
}

/// Sums over resampled targets.
#[derive(Debug, Clone)]
pub(crate) struct Replicates {
    bootstrap: Bootstrap,
    targets: usize,
    /// How often each replicate drew each target: `draws[replicate][target]`.
    draws: Vec<Vec<u16>>,
    sums: Vec<Vec<f64>>,
}

impl Replicates {
    pub fn new(bootstrap: Bootstrap, targets: usize, features: usize) -> Self {
        let draw = |replicate: usize| {
            // Streams from 1 on: stream 0 of a seed draws targets.
            let mut random = Random::new(bootstrap.seed, 1 + replicate as u64);
            let mut counts = vec![0u16; targets];
            for _ in 0..targets {
                let drawn = &mut counts[random.below(targets)];
                *drawn = drawn.saturating_add(1);
            }
            counts
        };
        Self {
            bootstrap,
            targets,
            draws: (0..bootstrap.replicates).map(draw).collect(),
            sums: vec![vec![0.0; features]; bootstrap.replicates],
        }
    }

    /// Add the contributions of consecutive targets from number `first` on.
    pub fn add(&mut self, first: usize, contributions: &[(u32, Vec<f64>)]) {
        let draws = self.sums.par_iter_mut().zip(&self.draws);
        draws.for_each(|(sums, counts)| {
            for (&count, (_, vector)) in counts[first..].iter().zip(contributions) {
                if count > 0 {
                    add_scaled(sums, f64::from(count), vector);
                }
            }
        });
    }

    /// The interval of each feature's weight, in encoded order: low and high ends.
    ///
    /// Quantiles are those of the replicates, linear between neighbours.
    pub fn intervals(&self) -> [Vec<f64>; 2] {
        let count = self.targets.max(1) as f64;
        self.intervals_of(|sums| sums.iter().map(|sum| sum / count).collect())
    }

    /// The same where weights are another function of the sums than their means.
    pub fn intervals_of(&self, weights: impl Fn(&[f64]) -> Vec<f64>) -> [Vec<f64>; 2] {
        let replicates: Vec<Vec<f64>> = self.sums.iter().map(|sums| weights(sums)).collect();
        let features = replicates.first().map_or(0, Vec::len);
        let tail = (1.0 - self.bootstrap.level) / 2.0;
        let mut ends = [vec![0.0; features], vec![0.0; features]];
        for feature in 0..features {
            let mut weights: Vec<f64> = replicates.iter().map(|one| one[feature]).collect();
            weights.sort_unstable_by(f64::total_cmp);
            ends[0][feature] = quantile(&weights, tail);
            ends[1][feature] = quantile(&weights, 1.0 - tail);
        }
        ends
    }
}

fn quantile(sorted: &[f64], at: f64) -> f64 {
    let place = at * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + part * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_covers_the_mean_of_its_contributions() {
        let mut random = Random::new(1, 9);
        let rows: Vec<(u32, Vec<f64>)> = (0..200).map(|i| (i, vec![random.normal()])).collect();
        let mean = rows.iter().map(|r| r.1[0]).sum::<f64>() / 200.0;
        let mut replicates = Replicates::new(Bootstrap::default(), 200, 1);
        replicates.add(0, &rows);
        let [low, high] = replicates.intervals();
        let variance = rows.iter().map(|r| (r.1[0] - mean).powi(2)).sum::<f64>() / 200.0;
        // 1.96 standard errors to each side.
        let half = 1.96 * (variance / 200.0).sqrt();
        let (low, high) = (low[0] - mean, high[0] - mean);
        assert!((low + half).abs() < 0.03 && (high - half).abs() < 0.03, "{low} {high} {half}");
    }
}
