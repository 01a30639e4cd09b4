//! Wrappers: methods that run another method on fewer features at a time.
//!
//! **TuRF** fits, drops the worst features, and fits again on the rest, so that noise
//! leaves the distance:
//! ```text
//! F₁ all features,   F_{t+1} = F_t without the ⌈f·|F_t|⌉ of least W_A(F_t),   until |F_t| = keep
//! ```
//! with W(F) the weights of the other method on the features F. Dropped features rank below all that stay, the last dropped first; the
//! round of removal is published. Cost: a fit of the other method a round, on the features still
//! there. Reference: J. H. Moore and B. C. White, *Tuning ReliefF for genome-wide genetic
//! analysis*, EvoBIO 2007.
//!
//! **VLS** fits on random subsets of features and takes each feature's best weight:
//! ```text
//! W_A = max_{S ∋ A} W_A(S),   S random, a share s of the features
//! ```
//! with W(S) the weights of the other method on the features S. All q
//! interacting features meet in a subset of share s with probability near s^q, so some
//! ln(1 − P)/ln(1 − s^q) subsets are needed for success with probability P. Cost: a fit of the
//! other method a subset, on the share s of the features. Reference: M. J. Eppstein and P. Haake,
//! *Very large scale ReliefF for genome-wide association analysis*, CIBCB 2008.

use super::common::silent_columns;
use super::{FeatureWeights, Weigh, WeighTask, about};
use crate::parameter::{Parameter, Parameters};
use crate::random::Random;
use crate::{Error, Note, ParameterError, Result, WeighError, parameters};

parameters! {
    /// TuRF's settings.
    pub struct Turf {
        /// Share of the remaining features dropped in a round.
        turf_fraction: f64 = 0.1, in 0.0..=0.99;
        /// Features to keep; a quarter of them, at least one, when not given.
        turf_keep: Option<usize> = None, min 1;
    }
}

parameters! {
    /// VLS's settings.
    pub struct Vls {
        /// Number of random subsets of features.
        vls_subsets: usize = 100, min 1;
        /// Share of the features in a subset.
        vls_share: f64 = 0.2, in 0.0..=1.0;
        /// Seed of the subsets.
        vls_seed: u64 = 0;
    }
}

/// A method inside a wrapper.
pub struct Wrapped<W> {
    /// The wrapper's settings.
    pub wrapper: W,
    /// The method it runs.
    pub inner: Box<dyn Weigh>,
}

impl<W> crate::parameter::sealed::Sealed for Wrapped<W> {}

impl<W: Parameters> Parameters for Wrapped<W> {
    fn parameters(&self) -> Vec<Parameter> {
        let mut all = self.wrapper.parameters();
        all.extend(self.inner.parameters());
        all
    }

    fn try_set(&mut self, name: &str, text: &str) -> Result<bool> {
        Ok(self.wrapper.try_set(name, text)? || self.inner.try_set(name, text)?)
    }

    fn check(&self) -> Result<()> {
        self.wrapper.check()?;
        self.inner.check()
    }
}

/// The wrappers' names.
pub const WRAPPERS: [&str; 2] = ["turf", "vls"];

/// The Python name of a wrapper's parameter: without the prefix that keeps it apart from the
/// wrapped method's. None when the parameter is not the wrapper's, or when it is none.
pub fn own_name(wrapper: &str, name: &'static str) -> Option<&'static str> {
    let wrapper = WRAPPERS.iter().find(|id| **id == wrapper)?;
    match name.strip_prefix(wrapper)?.strip_prefix('_')? {
        "seed" => Some("random_state"),
        own => Some(own),
    }
}

/// `inner` inside the wrapper called `id`.
///
/// # Errors
///
/// When there is no such wrapper.
pub fn wrap(id: &str, inner: Box<dyn Weigh>) -> Result<Box<dyn Weigh>> {
    match id {
        "turf" => Ok(Box::new(Wrapped { wrapper: Turf::default(), inner })),
        "vls" => Ok(Box::new(Wrapped { wrapper: Vls::default(), inner })),
        _ => {
            let (id, known) = (id.to_owned(), WRAPPERS.to_vec());
            let reason = ParameterError::NoSuchMethod { id, what: "a wrapper", known };
            Err(Error::parameter("wrap", reason))
        }
    }
}

impl Weigh for Wrapped<Turf> {
    about! {
        "turf" is "TuRF", "fit, drop the worst features, fit again", "Moore & White 2007"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, target, extras, run, .. } = task;
        extras.only_weights(WeighError::ExtrasOfWrapper { wrapper: "turf" })?;
        let total = table.columns().len();
        let keep = self.wrapper.turf_keep.unwrap_or(total.div_ceil(4)).min(total);
        let mut remaining: Vec<usize> = (0..total).collect();
        // Features dropped in each round, best first.
        let mut dropped: Vec<Vec<usize>> = Vec::new();
        let mut last = self.inner.fit_with(table, target, extras, run)?;
        while remaining.len() > keep && self.wrapper.turf_fraction > 0.0 {
            let share = (remaining.len() as f64 * self.wrapper.turf_fraction).ceil() as usize;
            let drop = share.min(remaining.len() - keep);
            let order: Vec<usize> =
                last.ranking().iter().map(|ranked| remaining[ranked.index]).collect();
            let (stay, go) = order.split_at(order.len() - drop);
            dropped.push(go.to_vec());
            remaining = stay.to_vec();
            remaining.sort_unstable();
            last = self.inner.fit_with(&table.select_columns(&remaining), target, extras, run)?;
        }
        let mut weights = vec![0.0; total];
        let mut removed_in = vec![0; total];
        remaining
            .iter()
            .zip(&last.weights)
            .for_each(|(&feature, &weight)| weights[feature] = weight);
        let low = last.weights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = last.weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Dropped features keep their order below the rest, a hundredth of the span apart.
        let step = if high > low { 0.01 * (high - low) } else { 0.01 };
        let mut below = low;
        for (round, features) in dropped.iter().enumerate().rev() {
            for &feature in features {
                below -= step;
                weights[feature] = below;
                removed_in[feature] = round + 1;
            }
        }
        let features = table.names().map(str::to_owned).collect();
        Ok(FeatureWeights {
            features,
            weights,
            removed_in,
            notes: last.notes,
            ..FeatureWeights::default()
        })
    }
}

impl Weigh for Wrapped<Vls> {
    about! {
        "vls" is "VLS", "the best weight of each feature over random subsets of features",
        "Eppstein & Haake 2008"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, target, extras, run, .. } = task;
        extras.only_weights(WeighError::ExtrasOfWrapper { wrapper: "vls" })?;
        let total = table.columns().len();
        let size = ((total as f64 * self.wrapper.vls_share).ceil() as usize).clamp(1, total);
        let quiet = run.quiet();
        let mut weights = vec![f64::NEG_INFINITY; total];
        let mut notes: Option<Vec<Note>> = None;
        let cover = total.div_ceil(size);
        // The first subsets share all features out among them, so that none is left out.
        let shuffled = Random::new(self.wrapper.vls_seed, 0).sample(total, total);
        let rounds = self.wrapper.vls_subsets.max(cover);
        for round in 0..rounds {
            run.check(round as u64, rounds as u64)?;
            let mut subset = match round < cover {
                true => shuffled[round * size..((round + 1) * size).min(total)].to_vec(),
                false => Random::new(self.wrapper.vls_seed, round as u64).sample(total, size),
            };
            subset.sort_unstable();
            let found =
                self.inner.fit_with(&table.select_columns(&subset), target, extras, &quiet)?;
            for (&feature, &weight) in subset.iter().zip(&found.weights) {
                weights[feature] = weights[feature].max(weight);
            }
            // A note of every subset is about the rows; a note of one is about its columns.
            match &mut notes {
                None => notes = Some(found.notes),
                Some(notes) => notes.retain(|note| found.notes.contains(note)),
            }
        }
        let mut notes = notes.unwrap_or_default();
        for note in silent_columns(table) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let features = table.names().map(str::to_owned).collect();
        Ok(FeatureWeights { features, weights, notes, ..FeatureWeights::default() })
    }
}
