//! Friedman's test of several methods on several data sets, and Nemenyi's critical difference.

use super::ranks::{midranks, tie_sum};
use super::{check_finite, tails};
use crate::{Error, ParameterError, Result, StatsError};

/// The outcome of Friedman's test.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Friedman {
    /// Mean rank of each method, 1 for the best.
    pub mean_ranks: Vec<f64>,
    /// Friedman's χ² with k − 1 degrees of freedom, corrected for ties.
    pub chi_square: f64,
    /// Its p-value.
    pub p: f64,
    /// Iman & Davenport's F, less careful than χ²; ∞ when every data set ranks alike.
    pub f: f64,
    /// The p-value of F with k − 1 and (k − 1)(N − 1) degrees of freedom.
    pub f_p: f64,
}

/// Friedman's test on `scores`, one row a data set and one value a method, higher is better.
///
/// With r_ij the ranks in row i, χ² = (12/(Nk(k+1)) Σ_j R_j² − 3N(k+1)) / c, R_j = Σ_i r_ij,
/// c = 1 − Σ(t³−t)/(N(k³−k)) over groups of t ties; F = (N−1)χ² / (N(k−1) − χ²)
/// (Demšar, *JMLR* 7, 2006). `None` when every row is all ties.
///
/// # Errors
///
/// When there are fewer than two data sets or methods, when rows are of different lengths, and
/// when a score is not finite.
///
/// ```
/// let scores = [vec![0.9, 0.8, 0.7], vec![0.8, 0.7, 0.6], vec![0.7, 0.9, 0.5]];
/// let test = nearkin::stats::friedman(&scores)?.unwrap();
/// assert!((test.mean_ranks[2] - 3.0).abs() < 1e-12);
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn friedman(scores: &[Vec<f64>]) -> Result<Option<Friedman>> {
    let k = scores.first().map_or(0, Vec::len);
    if scores.len() < 2 || k < 2 {
        return Err(StatsError::TooFewForFriedman { sets: scores.len(), methods: k }.into());
    }
    let mut sums = vec![0.0; k];
    let mut ties = 0.0;
    for (set, values) in scores.iter().enumerate() {
        if values.len() != k {
            let got = values.len();
            return Err(StatsError::ScoresDisagree { set, got, first: k }.into());
        }
        check_finite(values)?;
        let losses: Vec<f64> = values.iter().map(|v| -v).collect();
        sums.iter_mut().zip(midranks(&losses)).for_each(|(sum, rank)| *sum += rank);
        ties += tie_sum(values);
    }
    let (n, k) = (scores.len() as f64, k as f64);
    let untied = 1.0 - ties / (n * (k * k * k - k));
    // 1 − 1 is exact: all ties give exactly zero.
    if untied <= 0.0 {
        return Ok(None);
    }
    let middle = n * (k + 1.0) / 2.0;
    let spread: f64 = sums.iter().map(|sum| (sum - middle) * (sum - middle)).sum();
    let chi_square = 12.0 * spread / (n * k * (k + 1.0)) / untied;
    let left = n * (k - 1.0) - chi_square;
    // Perfect agreement: rounding must not leave a huge F of either sign.
    let f = if left <= 1e-12 * n * k { f64::INFINITY } else { (n - 1.0) * chi_square / left };
    Ok(Some(Friedman {
        mean_ranks: sums.iter().map(|sum| sum / n).collect(),
        chi_square,
        p: tails::chi_square_sf(chi_square, k - 1.0),
        f,
        f_p: tails::f_sf(f, k - 1.0, (k - 1.0) * (n - 1.0)),
    }))
}

/// P(Q > q) for the range of `k` standard normals:
/// 1 − k ∫ φ(z) (Φ(z) − Φ(z − q))^(k−1) dz.
///
/// The integrand is smooth and dies out at both ends, so the trapezoid rule converges
/// faster than any power of its step.
pub fn studentized_range_sf(q: f64, k: usize) -> f64 {
    if q.is_nan() || k < 2 {
        return f64::NAN;
    }
    if q <= 0.0 {
        return 1.0;
    }
    // k z-values within (z − q, z]: the largest is z. 1 is put in as k ∫ φ Φ^(k−1), and the
    // difference of powers is taken through its logarithm, to keep the digits of small tails.
    let (low, high, steps) = (-9.0, 39.0, 3_000);
    let width = (high - low) / f64::from(steps);
    let power = (k - 1) as f64;
    let mut sum = 0.0;
    for i in 0..=steps {
        let z = low + width * f64::from(i);
        let (whole, below) = (tails::normal_cdf(z), tails::normal_cdf(z - q));
        if whole > 0.0 {
            let lost = -(power * (-(below / whole).min(1.0)).ln_1p()).exp_m1();
            sum += tails::normal_density(z) * whole.powf(power) * lost;
        }
    }
    (k as f64 * sum * width).clamp(0.0, 1.0)
}

/// Nemenyi's p-value for two mean ranks `difference` apart, among `k` methods on `n` data sets.
pub fn nemenyi_p(difference: f64, k: usize, n: usize) -> f64 {
    studentized_range_sf(difference.abs() / rank_error(k, n) * 2f64.sqrt(), k)
}

/// Nemenyi's critical difference of mean ranks, CD = q_α √(k(k+1)/(6N)) with q_α the quantile
/// of the studentised range over √2 (Demšar 2006, table 5).
///
/// # Errors
///
/// When `alpha` is not between 0 and 1, and when there are fewer than two methods or no data set.
///
/// ```
/// // Demšar's example: 4 methods, 14 data sets, α = 0.05, CD = 2.569 √(20/84) = 1.25.
/// let difference = nearkin::stats::nemenyi_difference(0.05, 4, 14)?;
/// assert!((difference - 1.2536).abs() < 1e-3);
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn nemenyi_difference(alpha: f64, k: usize, n: usize) -> Result<f64> {
    if !(alpha > 0.0 && alpha < 1.0) {
        let reason = ParameterError::NotBetween { low: 0.0, high: 1.0, got: alpha };
        return Err(Error::parameter("alpha", reason));
    }
    if k < 2 || n < 1 {
        return Err(StatsError::TooFewForNemenyi { methods: k, sets: n }.into());
    }
    let (mut low, mut high) = (0.0, 50.0);
    while high - low > 1e-13 * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        match studentized_range_sf(middle, k) > alpha {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(high / 2f64.sqrt() * rank_error(k, n))
}

/// √(k(k+1)/(6N)): the standard error of a difference of two mean ranks.
fn rank_error(k: usize, n: usize) -> f64 {
    (k as f64 * (k as f64 + 1.0) / (6.0 * n as f64)).sqrt()
}
