//! How well feature weights set relevant features apart, when the truth is known.

use super::check_finite;
use super::ranks::midranks;
use crate::{Result, StatsError};

/// How far relevant features stand above irrelevant ones.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct Separation {
    /// Least weight of a relevant feature minus the greatest of an irrelevant one; positive
    /// when every relevant feature stands above every irrelevant one.
    pub separability: f64,
    /// Greatest weight of a relevant feature minus the greatest of an irrelevant one;
    /// positive when at least the best feature is a relevant one.
    pub usability: f64,
    /// Chance that a relevant feature outranks an irrelevant one, ties counting half. Unlike
    /// the other two it does not depend on the scale of the weights.
    pub auc: f64,
}

/// Separability and usability (Robnik-Šikonja & Kononenko, *Machine Learning* 53, 2003,
/// eqs 41–42) and the area under the ROC curve, by the rank-sum form of Mann and Whitney:
/// AUC = (Σ ranks of relevant − r(r+1)/2) / (r · s), r relevant and s irrelevant features.
///
/// `relevant` lists positions in `weights`. `None` unless there is at least one feature of
/// each sort.
///
/// # Errors
///
/// When a weight is not finite, and when a position lies outside `weights`.
///
/// ```
/// let found = nearkin::stats::separation(&[0.5, 0.1, 0.3, 0.2], &[0, 2])?.unwrap();
/// assert!((found.separability - 0.1).abs() < 1e-12 && (found.usability - 0.3).abs() < 1e-12);
/// assert_eq!(found.auc, 1.0);
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn separation(weights: &[f64], relevant: &[usize]) -> Result<Option<Separation>> {
    check_finite(weights)?;
    let mut is_relevant = vec![false; weights.len()];
    for &index in relevant {
        match is_relevant.get_mut(index) {
            Some(mark) => *mark = true,
            None => {
                return Err(StatsError::NoSuchFeature { index, weights: weights.len() }.into());
            }
        }
    }
    let r = is_relevant.iter().filter(|&&mark| mark).count();
    let s = weights.len() - r;
    if r == 0 || s == 0 {
        return Ok(None);
    }
    let of = |mark: bool| {
        weights.iter().zip(&is_relevant).filter(move |(_, m)| **m == mark).map(|(w, _)| *w)
    };
    let greatest_irrelevant = of(false).fold(f64::NEG_INFINITY, f64::max);
    let ranks = midranks(weights);
    let rank_sum: f64 = ranks.iter().zip(&is_relevant).filter(|(_, m)| **m).map(|(r, _)| r).sum();
    let (r, s) = (r as f64, s as f64);
    Ok(Some(Separation {
        separability: of(true).fold(f64::INFINITY, f64::min) - greatest_irrelevant,
        usability: of(true).fold(f64::NEG_INFINITY, f64::max) - greatest_irrelevant,
        auc: (rank_sum - r * (r + 1.0) / 2.0) / (r * s),
    }))
}
