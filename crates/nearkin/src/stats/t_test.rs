//! Two-sample t tests from moments, as STIR compares misses with hits.

use super::Tail;

/// Mean, variance and size of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Mean of the values.
    pub mean: f64,
    /// Their variance, as the caller defines it (STIR divides by the number of values).
    pub variance: f64,
    /// How many values there are.
    pub count: f64,
}

/// The outcome of a t test.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct TTest {
    /// The statistic; ±∞ when the samples differ without any spread.
    pub t: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// The p-value of the tail asked for.
    pub p: f64,
    /// Cohen's d: the difference of means in units of the common deviation.
    pub effect: f64,
}

/// Student's test with one pooled variance, as STIR uses it (Le et al., *Bioinformatics*
/// 35(8), 2019): with M and H the first and second sample,
///
/// S² = ((|M|−1)S²_M + (|H|−1)S²_H) / (|M|+|H|−2), t = (M̄ − H̄) / (S √(1/|M| + 1/|H|)),
/// df = |M|+|H|−2, d = (M̄ − H̄) / S.
///
/// `None` when a sample is empty, df is not positive, or there is neither difference nor
/// spread (a constant feature): such a feature has no evidence either way.
///
/// ```
/// use nearkin::stats::{Moments, Tail, pooled_t};
/// let misses = Moments { mean: 0.6, variance: 0.04, count: 50.0 };
/// let hits = Moments { mean: 0.5, variance: 0.04, count: 50.0 };
/// let test = pooled_t(misses, hits, Tail::Right).unwrap();
/// assert!((test.effect - 0.5).abs() < 1e-12 && (test.t - 2.5).abs() < 1e-12);
/// ```
pub fn pooled_t(first: Moments, second: Moments, tail: Tail) -> Option<TTest> {
    let df = first.count + second.count - 2.0;
    let pooled =
        ((first.count - 1.0) * first.variance + (second.count - 1.0) * second.variance) / df;
    let scale = 1.0 / first.count + 1.0 / second.count;
    let (error, deviation) = ((pooled * scale).sqrt(), pooled.sqrt());
    let difference = first.mean - second.mean;
    let usable = first.count >= 1.0
        && second.count >= 1.0
        && df > 0.0
        && df.is_finite()
        && difference.is_finite()
        && error.is_finite()
        && (difference != 0.0 || error > 0.0);
    if !usable {
        return None;
    }
    let t = difference / error;
    Some(TTest { t, df, p: tail.student(t, df), effect: difference / deviation })
}
