//! Permutation p-values: how often would shuffled labels weigh a feature as much?
//!
//! ```text
//! p_A = (1 + #{r : W_A(r) ≥ W_A}) / (1 + R)
//! ```
//!
//! over R shuffles of the target: slow, R more fits. The null hypothesis is that *nothing* in the table
//! has to do with the target. Once something has, the weights of the others need not lie around
//! those of shuffled targets, and a small p of a weak feature is a hint, no proof. A feature that a
//! wrapper removed has no weight of its own, only a place below the others, and so no p.
//!
//! Lower bound: R fits, one after the other, each on all threads, and R · p comparisons.

use super::stir::{Test, with_q};
use super::{Extras, FeatureWeights, Weigh};
use crate::data::{Table, Target};
use crate::random::Random;
use crate::{ErrorKind, Result, Run};

/// Tests of all features of `observed` by shuffling the target `replicates` times.
///
/// # Errors
///
/// When the method cannot weigh the table, for a reason that shuffling the target does not
/// explain, and when the caller stops the run.
pub fn permutation_tests(
    method: &dyn Weigh,
    (table, target): (&Table, &Target),
    observed: &FeatureWeights,
    replicates: usize,
    seed: u64,
    run: &Run,
) -> Result<Vec<Test>> {
    let mut as_large = vec![0usize; observed.weights.len()];
    let quiet = run.unwatched();
    for replicate in 0..replicates {
        run.check(replicate as u64, replicates as u64)?;
        let mut order: Vec<usize> = (0..table.rows()).collect();
        Random::new(seed, replicate as u64).shuffle(&mut order);
        let shuffled =
            match method.fit_with(table, &target.select(&order), &Extras::default(), &quiet) {
                Ok(shuffled) => shuffled.weights,
                // The table itself was accepted before, so the fault is that no weight is positive:
                // methods that keep positive weights only refuse that.
                Err(error) if error.kind() == ErrorKind::Data => vec![0.0; observed.weights.len()],
                Err(other) => return Err(other),
            };
        for ((count, null), weight) in as_large.iter_mut().zip(&shuffled).zip(&observed.weights) {
            *count += usize::from(null >= weight);
        }
    }
    let removed = |feature: usize| observed.removed_in.get(feature).is_some_and(|&round| round > 0);
    let tests = as_large.iter().enumerate().map(|(feature, &count)| {
        let p = (1 + count) as f64 / (1 + replicates) as f64;
        Test { p: Some(if removed(feature) { 1.0 } else { p }), ..Test::default() }
    });
    // A removed feature has no p of its own, but counts among the tests that q corrects for.
    let mut tests = with_q(tests);
    let gone = tests.iter_mut().enumerate().filter(|(feature, _)| removed(*feature));
    gone.for_each(|(_, test)| *test = Test::default());
    Ok(tests)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{Parity, Simulate};
    use crate::weigh::{ReliefF, wrap};

    #[test]
    fn a_removed_feature_has_no_p() {
        // Its weight is a place below the others, which may lie far above all shuffled ones.
        let made = Parity { relevant: 2, irrelevant: 8, rows: 80, ..Parity::default() };
        let made = made.generate().unwrap();
        let turf = wrap("turf", Box::new(ReliefF::default())).unwrap();
        let (data, run) = ((&made.table, &made.target), Run::default());
        let found = turf.fit(data.0, data.1).unwrap();
        let tests = permutation_tests(turf.as_ref(), data, &found, 9, 1, &run).unwrap();
        for (removed_in, test) in found.removed_in.iter().zip(&tests) {
            assert_eq!(test.p.is_none(), *removed_in > 0);
        }
    }
}
