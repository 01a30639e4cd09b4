//! Wilcoxon's signed rank test for paired values.

use super::ranks::midranks;
use super::{Tail, check_pairs};
use crate::{Result, StatsError};

/// The most differences whose exact distribution is worked out; its cost grows as n³.
const EXACT_LIMIT: usize = 500;

/// Treatment of pairs without a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Zeros {
    /// Left out before ranking (Wilcoxon).
    #[default]
    Drop,
    /// Ranked with the others, then left out (Pratt).
    Pratt,
}

/// How the p-value is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum WilcoxonP {
    /// Exact up to 50 differences, then normal with continuity correction.
    #[default]
    Auto,
    /// From the distribution over all sign patterns, ties included; up to 500 differences.
    Exact,
    /// From the normal distribution, with the variance corrected for ties.
    Normal {
        /// Move the statistic half a rank towards its mean.
        continuity: bool,
    },
}

/// The outcome of the signed rank test.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct Wilcoxon {
    /// Sum of the ranks of positive differences.
    pub w_plus: f64,
    /// Sum of the ranks of negative differences.
    pub w_minus: f64,
    /// Differences that are not zero.
    pub count: usize,
    /// The p-value of the tail asked for.
    pub p: f64,
}

/// The signed rank test of `a` against `b`; `Tail::Right` asks whether `a` is larger.
///
/// Under the null every sign pattern of the ranks is equally likely, so the exact
/// distribution of W⁺ is the convolution of two-point laws {0, rank}, also for midranks.
/// `None` when no difference is left.
///
/// # Errors
///
/// When there are not as many values on both sides, and when one is not finite; under
/// [`WilcoxonP::Exact`], when there are more than 500 differences.
///
/// ```
/// use nearkin::stats::{Tail, WilcoxonP, Zeros, wilcoxon};
/// let (a, b) = ([5.0, 7.0, 9.0, 6.0], [4.0, 4.0, 4.0, 4.0]);
/// let test = wilcoxon(&a, &b, Zeros::Drop, WilcoxonP::Auto, Tail::Right)?.unwrap();
/// assert_eq!((test.w_plus, test.p), (10.0, 1.0 / 16.0));
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn wilcoxon(
    a: &[f64],
    b: &[f64],
    zeros: Zeros,
    method: WilcoxonP,
    tail: Tail,
) -> Result<Option<Wilcoxon>> {
    check_pairs(a, b)?;
    let mut differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    if zeros == Zeros::Drop {
        differences.retain(|&d| d != 0.0);
    }
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let ranked: Vec<(f64, f64)> =
        differences.into_iter().zip(midranks(&sizes)).filter(|(d, _)| *d != 0.0).collect();
    if ranked.is_empty() {
        return Ok(None);
    }
    if method == WilcoxonP::Exact && ranked.len() > EXACT_LIMIT {
        return Err(StatsError::TooManySigns { limit: EXACT_LIMIT, got: ranked.len() }.into());
    }
    let ranks: Vec<f64> = ranked.iter().map(|(_, rank)| *rank).collect();
    let sum_where = |keep: fn(f64) -> bool| -> f64 {
        ranked.iter().filter(|(d, _)| keep(*d)).map(|(_, rank)| rank).sum()
    };
    let (w_plus, w_minus) = (sum_where(|d| d > 0.0), sum_where(|d| d < 0.0));
    let p = match method {
        WilcoxonP::Auto if ranks.len() <= 50 => exact(&ranks, w_plus, tail),
        WilcoxonP::Exact => exact(&ranks, w_plus, tail),
        WilcoxonP::Auto => normal(&ranks, w_plus, true, tail),
        WilcoxonP::Normal { continuity } => normal(&ranks, w_plus, continuity, tail),
    };
    Ok(Some(Wilcoxon { w_plus, w_minus, count: ranks.len(), p }))
}

/// P over all sign patterns; twice a midrank is whole, so sums of them index an array.
fn exact(ranks: &[f64], w_plus: f64, tail: Tail) -> f64 {
    let doubled: Vec<usize> = ranks.iter().map(|r| (2.0 * r) as usize).collect();
    let mut law = vec![0.0; doubled.iter().sum::<usize>() + 1];
    law[0] = 1.0;
    let mut top = 0;
    for step in doubled {
        top += step;
        for sum in (0..=top).rev() {
            let with = if sum >= step { law[sum - step] } else { 0.0 };
            law[sum] = 0.5 * (law[sum] + with);
        }
    }
    let seen = (2.0 * w_plus) as usize;
    // Tails are summed from their far ends, small terms first.
    tail.p(law[..=seen].iter().sum(), law[seen..].iter().rev().sum())
}

/// P from the normal law with mean Σr/2 and variance Σr²/4, which holds the tie correction.
fn normal(ranks: &[f64], w_plus: f64, continuity: bool, tail: Tail) -> f64 {
    let mean = ranks.iter().sum::<f64>() / 2.0;
    let variance = ranks.iter().map(|r| r * r).sum::<f64>() / 4.0;
    let half = if continuity { 0.5 } else { 0.0 };
    let z = |shift: f64| (w_plus - mean + shift) / variance.sqrt();
    tail.p(Tail::Left.normal(z(half)), Tail::Right.normal(z(-half)))
}
