//! RReliefF: Relief for a real target.
//!
//! ```text
//! d1(i, j) = exp(−(rank(i, j)/σ)²)      d(i, j) = d1(i, j) / Σ_l d1(i, l)
//! N_dC    = Σ_ij diff(τ, i, j) d(i, j)
//! N_dA    = Σ_ij diff(A, i, j) d(i, j)
//! N_dCdA  = Σ_ij diff(τ, i, j) diff(A, i, j) d(i, j)
//! W_A     = N_dCdA/N_dC − (N_dA − N_dCdA)/(m − N_dC)
//! ```
//!
//! over m targets i and their k nearest rows j, whatever their value. When all neighbours agree
//! on the target (N_dC = 0), or none does at all (N_dC = m), the undefined term is 0.
//! A pair that the missing policy leaves out of a feature's update counts nowhere for that
//! feature: not in N_dC, not in m.
//!
//! Given covariates, τ is what least squares on them leaves of the target.
//!
//! A bootstrap interval resamples the targets: each adds its own share to m, N_dC, N_dA and N_dCdA.
//!
//! Cost: n²p/2 differences to find neighbours, n·k·p to average them.
//!
//! Reference: M. Robnik-Šikonja and I. Kononenko, *Theoretical and empirical analysis of
//! ReliefF and RReliefF*, Machine Learning 53 (2003), figure 3. Ranks start at 1 and σ is 20
//! there; Weka starts at 0 with σ = 2.

use std::ops::Range;

use rayon::prelude::*;

use super::aggregate::BLOCK;
use super::association::adjusted;
use super::blocks::{Blockwise, Kind};
use super::bootstrap::Replicates;
use super::common::{ReliefSettings, check_rows, silent_columns, targets};
use super::contribution::{Moments, Reduction, Weighted, add_scaled, to_table_order};
use super::neighbourhood::Weighting;
use super::{Extras, FeatureWeights, Weigh, WeighTask, about};
use crate::data::{Encoder, Target};
use crate::measure::{Metric, Unknown};
use crate::neighbors::{Labelled, Neighbors, nearest, nearest_between};
use crate::{ParameterError, Result, WeighError, parameters};

parameters! {
    /// RReliefF and its settings.
    pub struct RReliefF {
        /// Number of nearest rows.
        k ("n_neighbors"): usize = 10, min 1;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Manhattan;
        /// How much each neighbour counts.
        weighting: Weighting = Weighting::Rank;
        /// Width of the rank and kernel weightings.
        sigma: f64 = 20.0, in 1e-9..=1e9;
        /// The rank of the nearest row: 1 as published, 0 as in Weka.
        rank_from: usize = 1;
    } with common: ReliefSettings
}

/// m, N_dC, N_dA and N_dCdA of every feature, in encoded order.
///
/// The first two are the same for all features unless the missing policy leaves pairs out.
pub(super) struct Counts {
    pairs: Vec<f64>,
    target: Vec<f64>,
    feature: Vec<f64>,
    both: Vec<f64>,
}

impl Counts {
    pub fn new(features: usize) -> Self {
        let zeros = || vec![0.0; features];
        Self { pairs: zeros(), target: zeros(), feature: zeros(), both: zeros() }
    }

    fn add(&mut self, other: &Self) {
        add_scaled(&mut self.pairs, 1.0, &other.pairs);
        add_scaled(&mut self.target, 1.0, &other.target);
        add_scaled(&mut self.feature, 1.0, &other.feature);
        add_scaled(&mut self.both, 1.0, &other.both);
    }

    /// All numbers in a row.
    pub fn flat(&self) -> Vec<f64> {
        [&self.pairs[..], &self.target, &self.feature, &self.both].concat()
    }

    /// The counts that [`Counts::flat`] gave; none if these are not four numbers a feature.
    pub fn from_flat(features: usize, flat: &[f64]) -> Option<Self> {
        let mut each = flat.chunks_exact(features).map(<[f64]>::to_vec);
        let found = Self {
            pairs: each.next()?,
            target: each.next()?,
            feature: each.next()?,
            both: each.next()?,
        };
        (flat.len() == 4 * features).then_some(found)
    }

    /// W of every feature.
    pub fn weights(&self, encoder: &Encoder) -> FeatureWeights {
        FeatureWeights {
            features: encoder.names().to_vec(),
            weights: to_table_order(encoder, &self.each()),
            ..FeatureWeights::default()
        }
    }

    /// W of every feature, in encoded order.
    fn each(&self) -> Vec<f64> {
        (0..self.pairs.len()).map(|feature| self.weight(feature)).collect()
    }

    fn weight(&self, feature: usize) -> f64 {
        let (target, both) = (self.target[feature], self.both[feature]);
        let rest = self.pairs[feature] - target;
        let different = if target > 0.0 { both / target } else { 0.0 };
        let same = if rest > 0.0 { (self.feature[feature] - both) / rest } else { 0.0 };
        different - same
    }
}

impl Weigh for RReliefF {
    about! {
        "rrelieff" is "RReliefF",
        "Relief for a real target: do near rows that differ in it differ in the feature?",
        "Robnik-Šikonja & Kononenko 2003"
    }

    fn takes_covariates(&self) -> bool {
        true
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, target, given, extras, run } = task;
        check_rows(table, target)?;
        let Target::Real(values) = target else {
            return Err(WeighError::NeedsReal { method: "rrelieff" }.into());
        };
        let adjusted = given.covariates.map(|given| adjusted(values, given)).transpose()?;
        let values = adjusted.as_ref().unwrap_or(values);
        self.refuse(extras)?;
        let range = range_of(
            values
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| (a.min(v), b.max(v))),
        )?;
        let encoder = Encoder::fit(table)?;
        let rows = encoder.encode(table)?;
        let labels = vec![0; table.rows()];
        let unknown = Unknown::fit(self.common.missing, &encoder, &rows, &labels, 1);
        let measure = self.common.measure(&encoder, self.metric, unknown)?;
        let all = Labelled { rows: &rows, labels: &labels, classes: 1 };
        let targets = targets(table.rows(), &self.common)?;
        let near = match self.common.sample {
            None => nearest(all, &measure, self.k, run)?,
            Some(_) => nearest_between((all, &targets), all, true, &measure, self.k, run)?,
        };
        let features = rows.numeric() + rows.nominal();
        let reduction = Reduction { rows: &rows, labels: &labels, measure: &measure };
        let of = Explained { reduction, values, range };
        let mut counts = Counts::new(features);
        let blocks: Vec<usize> = (0..targets.len()).step_by(BLOCK).collect();
        let mut replicates =
            extras.bootstrap.map(|b| Replicates::new(b, targets.len(), 4 * features));
        for wave in blocks.chunks(4 * run.width()) {
            run.check(wave[0] as u64, targets.len() as u64)?;
            let block = |&first: &usize| self.block(&of, &targets, &near, first);
            let parts = run.install(|| wave.par_iter().map(block).collect::<Vec<_>>())?;
            parts.iter().for_each(|part| counts.add(part));
            if let Some(replicates) = &mut replicates {
                let last = (wave[wave.len() - 1] + BLOCK).min(targets.len());
                let single = |at: usize| {
                    (targets[at], self.stretch(&of, &targets, &near, at..at + 1).flat())
                };
                run.install(|| {
                    let singles: Vec<_> = (wave[0]..last).into_par_iter().map(single).collect();
                    replicates.add(wave[0], &singles);
                })?;
            }
        }
        let mut found = counts.weights(&encoder).noting(silent_columns(table));
        if let Some(replicates) = replicates {
            let weights = |sums: &[f64]| {
                Counts::from_flat(features, sums).map_or_else(Vec::new, |counts| counts.each())
            };
            let ends = replicates.intervals_of(weights);
            let [low, high] = ends.map(|ends| to_table_order(&encoder, &ends));
            found.intervals = low.into_iter().zip(high).collect();
        }
        Ok(found)
    }

    fn blockwise(&self, extras: &Extras) -> Result<Blockwise> {
        self.refuse(extras)?;
        let kind = Kind::Real(Box::new(self.clone()));
        Ok(Blockwise::new(self.metric, &self.common, kind, extras))
    }
}

/// The width of the target's range, from its ends.
pub(super) fn range_of((low, high): (f64, f64)) -> Result<f64> {
    let range = high - low;
    if range == 0.0 {
        return Err(WeighError::ConstantTarget { value: low }.into());
    }
    if !range.is_finite() {
        return Err(WeighError::TargetTooWide.into());
    }
    Ok(range)
}

/// Rows and the real values that are to be explained.
pub(super) struct Explained<'a> {
    pub reduction: Reduction<'a>,
    pub values: &'a [f64],
    pub range: f64,
}

impl RReliefF {
    /// Refuse what a real target does not have.
    pub(super) fn refuse(&self, extras: &Extras) -> Result<()> {
        self.common.refuse_priors(ParameterError::PriorsOfReal)?;
        if extras.per_class || extras.pairs || extras.stir || !extras.rows.is_empty() {
            return Err(WeighError::ExtrasOfReal.into());
        }
        Ok(())
    }

    /// Counts of the block of targets from number `first` on; query i of `near` is target i.
    pub(super) fn block(
        &self,
        of: &Explained,
        targets: &[u32],
        near: &Neighbors,
        first: usize,
    ) -> Counts {
        self.stretch(of, targets, near, first..(first + BLOCK).min(targets.len()))
    }

    /// Counts of the targets with these numbers.
    ///
    /// Lower bound: `contribution` twice for each target, as differences count by distance and by
    /// the difference of the targets. Where cells are left out one difference serves both.
    fn stretch(
        &self,
        of: &Explained,
        targets: &[u32],
        near: &Neighbors,
        which: Range<usize>,
    ) -> Counts {
        let Explained { reduction, values, range } = of;
        let (rows, measure) = (reduction.rows, reduction.measure);
        let features = rows.numeric() + rows.nominal();
        let leaves_out = rows.has_missing() && measure.unknown().policy().skips_in_update();
        let mut counts = Counts::new(features);
        let mut moments = Moments::new(features, false);
        for at in which {
            let row = targets[at] as usize;
            let (found, distances) = near.of(at, 0);
            let weighted = self.weights(found, distances);
            let diff = |other: u32| (values[row] - values[other as usize]).abs() / range;
            let by_target: Vec<Weighted> =
                weighted.iter().map(|&(j, d)| (j, d * diff(j))).collect();
            if leaves_out {
                for feature in 0..features {
                    for (&(other, d), &(_, by_target)) in weighted.iter().zip(&by_target) {
                        let Some(diff) = reduction.diff(feature, row, other as usize) else {
                            continue;
                        };
                        counts.pairs[feature] += d;
                        counts.target[feature] += by_target;
                        counts.feature[feature] += d * diff;
                        counts.both[feature] += by_target * diff;
                    }
                }
                continue;
            }
            let apart = by_target.iter().map(|w| w.1).sum::<f64>();
            counts.pairs.iter_mut().for_each(|pairs| *pairs += 1.0);
            counts.target.iter_mut().for_each(|target| *target += apart);
            reduction.reduce(row, &weighted, &weighted, &mut moments);
            add_scaled(&mut counts.feature, 1.0, &moments.first);
            reduction.reduce(row, &by_target, &by_target, &mut moments);
            add_scaled(&mut counts.both, 1.0, &moments.first);
        }
        counts
    }

    fn weights(&self, rows: &[u32], distances: &[f64]) -> Vec<Weighted> {
        let near: Vec<_> =
            rows.iter().zip(distances).map(super::neighbourhood::Near::new).collect();
        self.weighting.spread_from(self.rank_from as f64, self.sigma, 1.0, &near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use crate::data::{Column, Table};
    use crate::random::Random;
    use crate::weigh::Bootstrap;

    /// One replicate by a plain loop: the resampled targets, each with its two nearest rows.
    #[test]
    fn a_replicate_is_the_weight_of_the_targets_it_drew() {
        let cells: [[f64; 7]; 2] =
            [[0.0, 4.0, 1.0, 9.0, 6.0, 10.0, 3.0], [5.0, 1.0, 0.0, 2.0, 8.0, 7.0, 3.5]];
        let values = vec![0.1, 0.5, 0.0, 1.0, 0.7, 0.9, 0.35];
        let columns =
            ["a", "b"].iter().zip(cells).map(|(name, of)| Column::numeric(*name, of.to_vec()));
        let table = Table::new(columns.collect()).unwrap();
        let method = RReliefF { k: 2, weighting: Weighting::Equal, ..RReliefF::default() };
        let bootstrap = Bootstrap { replicates: 1, level: 0.9, seed: 5 };
        let extras = Extras { bootstrap: Some(bootstrap), ..Extras::default() };
        let target = Target::real(values.clone()).unwrap();
        let found = method.fit_with(&table, &target, &extras, &Run::default()).unwrap();
        let plain = method.fit(&table, &target).unwrap();
        assert_eq!(found.weights, plain.weights);

        let (n, ranges) = (values.len(), [10.0, 8.0]);
        let diff = |a: usize, i: usize, j: usize| (cells[a][i] - cells[a][j]).abs() / ranges[a];
        let mut random = Random::new(5, 1);
        let (mut apart, mut both, mut alone) = (0.0, [0.0; 2], [0.0; 2]);
        for _ in 0..n {
            let i = random.below(n);
            let mut near: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            near.sort_by(|&j, &l| {
                (diff(0, i, j) + diff(1, i, j)).total_cmp(&(diff(0, i, l) + diff(1, i, l)))
            });
            for &j in &near[..2] {
                let target = (values[i] - values[j]).abs() / 2.0;
                apart += target;
                for a in 0..2 {
                    both[a] += target * diff(a, i, j);
                    alone[a] += diff(a, i, j) / 2.0;
                }
            }
        }
        for a in 0..2 {
            let weight = both[a] / apart - (alone[a] - both[a]) / (n as f64 - apart);
            let (low, high) = found.intervals[a];
            assert!((low - weight).abs() < 1e-12 && low == high, "{low} {high} {weight}");
        }
    }
}
