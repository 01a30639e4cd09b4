//! Pearson's and Spearman's correlation with their p-values.

use super::{Tail, check_pairs, mean_and_squares, midranks, rescaled};
use crate::{Result, StatsError};

/// The most pairs whose n! permutations are all tried.
const EXACT_LIMIT: usize = 9;

/// How a correlation's p-value is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CorrelationP {
    /// t = r √((n−2)/(1−r²)) with n − 2 degrees of freedom.
    #[default]
    Student,
    /// The share of all n! permutations at least as extreme; for n ≤ 9.
    Exact,
}

/// A correlation and how likely it is by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct Correlation {
    /// The coefficient, in [−1, 1].
    pub r: f64,
    /// Its p-value; `None` for two pairs under [`CorrelationP::Student`], which have no
    /// degrees of freedom left.
    pub p: Option<f64>,
}

/// Pearson's correlation of paired values.
///
/// `None` for fewer than two pairs or when either side is constant. For exact p-values of
/// both tails, permutations with |r| at least as large are counted.
///
/// # Errors
///
/// When there are not as many values on both sides, and when one is not finite; for exact
/// p-values, when there are more than nine pairs.
///
/// ```
/// use nearkin::stats::{CorrelationP, Tail, pearson};
/// let line = pearson(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0], CorrelationP::Exact, Tail::Right)?;
/// let line = line.unwrap();
/// assert!((line.r - 1.0).abs() < 1e-15 && (line.p.unwrap() - 1.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn pearson(
    x: &[f64],
    y: &[f64],
    method: CorrelationP,
    tail: Tail,
) -> Result<Option<Correlation>> {
    check_pairs(x, y)?;
    let n = x.len();
    if method == CorrelationP::Exact && n > EXACT_LIMIT {
        return Err(StatsError::TooManyForExact { limit: EXACT_LIMIT, got: n }.into());
    }
    let constant = |v: &[f64]| v.iter().all(|&a| a == v[0]);
    if n < 2 || constant(x) || constant(y) {
        return Ok(None);
    }
    let (x, y) = (standardised(x), standardised(y));
    let r = dot(&x, &y).clamp(-1.0, 1.0);
    let p = match method {
        CorrelationP::Student if n == 2 => None,
        CorrelationP::Student => {
            // 1 − r² as a product keeps its digits near ±1; at ±1 t is infinite.
            let t = r * ((n - 2) as f64 / ((1.0 - r) * (1.0 + r))).sqrt();
            Some(tail.student(t, (n - 2) as f64))
        }
        CorrelationP::Exact => Some(permuted(&x, &y, r, tail)),
    };
    Ok(Some(Correlation { r, p }))
}

/// Spearman's rank correlation: Pearson's on midranks, so ties are welcome.
///
/// `None` as for [`pearson`].
///
/// # Errors
///
/// Those of [`pearson`].
pub fn spearman(
    x: &[f64],
    y: &[f64],
    method: CorrelationP,
    tail: Tail,
) -> Result<Option<Correlation>> {
    check_pairs(x, y)?;
    pearson(&midranks(x), &midranks(y), method, tail)
}

/// Centred and scaled to length 1, so that a dot product is a correlation.
fn standardised(values: &[f64]) -> Vec<f64> {
    let values = rescaled(values);
    let (mean, squares) = mean_and_squares(&values);
    values.iter().map(|v| (v - mean) / squares.sqrt()).collect()
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

/// The share of permutations of `y` at least as extreme as `r`, by Heap's algorithm.
fn permuted(x: &[f64], y: &[f64], r: f64, tail: Tail) -> f64 {
    // Orders that tie with r in exact arithmetic may differ in their last bits.
    const SAME: f64 = 1e-12;
    let extreme = |other: f64| match tail {
        Tail::Left => other <= r + SAME,
        Tail::Right => other >= r - SAME,
        Tail::Both => other.abs() >= r.abs() - SAME,
    };
    let mut y = y.to_vec();
    let mut counters = vec![0; y.len()];
    let (mut hits, mut all) = (u64::from(extreme(dot(x, &y))), 1u64);
    let mut i = 1;
    while i < y.len() {
        if counters[i] < i {
            y.swap(if i % 2 == 0 { 0 } else { counters[i] }, i);
            hits += u64::from(extreme(dot(x, &y)));
            all += 1;
            counters[i] += 1;
            i = 1;
        } else {
            counters[i] = 0;
            i += 1;
        }
    }
    hits as f64 / all as f64
}
