//! Permutation p-values: how often would shuffled labels weigh a feature as much?
//!
//! ```text
//! p_A = (1 + #{r : W_A(r) ≥ W_A}) / (1 + R)
//! ```
//!
//! over R shuffles of the target. Exact for any method and slow: R more fits.

use super::stir::{Test, with_q};
use super::{FeatureWeights, Wanted, Weigh};
use crate::data::{Table, Target};
use crate::random::Random;
use crate::{Error, Result, Run};

/// Tests of all features of `observed` by shuffling the target `replicates` times.
pub fn permutation_tests(
    method: &dyn Weigh,
    (table, target): (&Table, &Target),
    observed: &FeatureWeights,
    replicates: usize,
    seed: u64,
    run: &Run,
) -> Result<Vec<Test>> {
    let mut as_large = vec![0usize; observed.weights.len()];
    let quiet = Run { watch: None, ..*run };
    for replicate in 0..replicates {
        run.check(replicate as u64, replicates as u64)?;
        let mut order: Vec<usize> = (0..table.rows()).collect();
        Random::new(seed, replicate as u64).shuffle(&mut order);
        let shuffled =
            match method.fit_with(table, &target.select(&order), &Wanted::default(), &quiet) {
                Ok(shuffled) => shuffled.weights,
                // The table is the one observed, so what is wrong is that nothing weighs
                // anything: methods that keep positive weights only refuse that.
                Err(Error::Data(_)) => vec![0.0; observed.weights.len()],
                Err(other) => return Err(other),
            };
        for ((count, null), weight) in as_large.iter_mut().zip(&shuffled).zip(&observed.weights) {
            *count += usize::from(null >= weight);
        }
    }
    Ok(with_q(as_large.iter().map(|&count| {
        let p = (1 + count) as f64 / (1 + replicates) as f64;
        Test { p: Some(p), ..Test::default() }
    })))
}
