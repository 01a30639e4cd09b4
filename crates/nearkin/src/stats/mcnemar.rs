//! McNemar's test: do two classifiers err equally often on the same examples?

use super::{SignTest, Tail, tails};

/// McNemar's exact p-value, two-sided, from the examples only the first and only the second
/// classifier got right; 1 when there are none.
///
/// ```
/// assert!((nearkin::stats::mcnemar_exact(1, 5) - 14.0 / 64.0).abs() < 1e-14);
/// ```
pub fn mcnemar_exact(only_first: u64, only_second: u64) -> f64 {
    SignTest::new(only_first, only_second, Tail::Both).p
}

/// McNemar's χ² = (|b − c| − 1)² / (b + c) and its p-value with one degree of freedom;
/// without `continuity` the 1 is left out. `None` when b + c = 0.
///
/// The correction never turns the difference around: |b − c| − 1 is at least 0.
pub fn mcnemar(only_first: u64, only_second: u64, continuity: bool) -> Option<(f64, f64)> {
    let n = only_first + only_second;
    if n == 0 {
        return None;
    }
    let difference = only_first.abs_diff(only_second) as f64;
    let kept = if continuity { (difference - 1.0).max(0.0) } else { difference };
    let statistic = kept * kept / n as f64;
    Some((statistic, tails::chi_square_sf(statistic, 1.0)))
}
