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
//! on the target (N_dC = 0), or none does at all (N_dC = m), the term that cannot be told is 0.
//! A pair that the missing policy leaves out of a feature's update counts nowhere for that
//! feature: not in N_dC, not in m.
//!
//! Cost: n²p/2 differences to find neighbours, n·k·p to average them.
//!
//! Reference: M. Robnik-Šikonja and I. Kononenko, *Theoretical and empirical analysis of
//! ReliefF and RReliefF*, Machine Learning 53 (2003), figure 3. Ranks start at 1 and σ is 20
//! there; Weka starts at 0 with σ = 2.

use rayon::prelude::*;

use super::aggregate::BLOCK;
use super::blocks::{Blockwise, Kind};
use super::common::{Common, check_rows, silent_columns, targets};
use super::contribution::{Moments, Reduction, Weighted, add_scaled, to_table_order};
use super::neighbourhood::Weighting;
use super::{About, FeatureWeights, Wanted, Weigh};
use crate::data::{Encoder, Table, Target};
use crate::measure::{Metric, Unknown};
use crate::neighbors::{Labelled, Neighbors, nearest, nearest_between};
use crate::{Error, Result, Run, parameters};

parameters! {
    /// RReliefF and its settings.
    pub struct RReliefF {
        /// Nearest rows that are looked at.
        k ("n_neighbors"): usize = 10, min 1;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Manhattan;
        /// How much each neighbour counts.
        weighting: Weighting = Weighting::Rank;
        /// Width of the rank and kernel weightings.
        sigma: f64 = 20.0, in 1e-9..=1e9;
        /// The rank of the nearest row: 1 as published, 0 as in Weka.
        rank_from: usize = 1;
    } with common: Common
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
        let weights: Vec<f64> = (0..self.pairs.len()).map(|feature| self.weight(feature)).collect();
        FeatureWeights {
            features: encoder.names().to_vec(),
            weights: to_table_order(encoder, &weights),
            ..FeatureWeights::default()
        }
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
    fn about(&self) -> About {
        About {
            id: "rrelieff",
            title: "RReliefF",
            summary: "Relief for a real target: do near rows that differ in it differ in the feature?",
            reference: "Robnik-Šikonja & Kononenko 2003",
        }
    }

    fn fit_checked(
        &self,
        table: &Table,
        target: &Target,
        wanted: &Wanted,
        run: &Run,
    ) -> Result<FeatureWeights> {
        check_rows(table, target)?;
        let Target::Real(values) = target else {
            return Err(Error::data(
                "rrelieff needs a real target and this one holds classes; use relieff, or tell \
                 the reader that the target is real",
            ));
        };
        self.refuse(wanted)?;
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
        for wave in blocks.chunks(4 * run.width()) {
            run.check(wave[0] as u64, targets.len() as u64)?;
            let block = |&first: &usize| self.block(&of, &targets, &near, first);
            let parts = run.install(|| wave.par_iter().map(block).collect::<Vec<_>>())?;
            parts.iter().for_each(|part| counts.add(part));
        }
        Ok(counts.weights(&encoder).noting(silent_columns(table)))
    }

    fn blockwise(&self, wanted: &Wanted) -> Result<Blockwise> {
        self.refuse(wanted)?;
        let kind = Kind::Real(Box::new(self.clone()));
        Ok(Blockwise::new(self.metric, &self.common, kind, wanted))
    }
}

/// The width of the target's range, from its ends.
pub(super) fn range_of((low, high): (f64, f64)) -> Result<f64> {
    let range = high - low;
    if range == 0.0 {
        return Err(Error::data(format!(
            "the target is {low} in every row; there is nothing to explain"
        )));
    }
    if !range.is_finite() {
        return Err(Error::data(
            "the target's values are too far apart; divide them by a constant",
        ));
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
    pub(super) fn refuse(&self, wanted: &Wanted) -> Result<()> {
        if self.common.priors.is_some() {
            return Err(Error::parameter("priors", "a real target has no classes to have priors"));
        }
        if wanted.per_class
            || wanted.pairs
            || wanted.stir
            || wanted.bootstrap.is_some()
            || !wanted.rows.is_empty()
        {
            return Err(Error::data(
                "a real target has no classes, hits or misses: weights per class or row, stir and \
                 intervals are not defined; permutation p-values are",
            ));
        }
        Ok(())
    }

    /// What the block of targets from number `first` on says; query i of `near` is target i.
    pub(super) fn block(
        &self,
        of: &Explained,
        targets: &[u32],
        near: &Neighbors,
        first: usize,
    ) -> Counts {
        let Explained { reduction, values, range } = of;
        let (rows, measure) = (reduction.rows, reduction.measure);
        let features = rows.numeric() + rows.nominal();
        let leaves_out = rows.has_missing() && measure.unknown().policy().skips_in_update();
        let mut counts = Counts::new(features);
        let mut moments = Moments::new(features, false);
        for (at, &row) in targets.iter().enumerate().skip(first).take(BLOCK) {
            let row = row as usize;
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
