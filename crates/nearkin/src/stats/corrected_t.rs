//! The corrected resampled t test of repeated splits.

use super::{TTest, Tail, check_finite, mean_and_squares, rescaled};
use crate::{Result, StatsError};

/// Nadeau & Bengio's test (*Machine Learning* 52, 2003) on the differences of J splits whose
/// test sets overlap or share training rows:
///
/// t = d̄ / √((1/J + n_test/n_train) s²), df = J − 1.
///
/// `None` for fewer than two splits, or when all differences are zero. Equal differences
/// other than zero give t = ±∞. `effect` is d̄ / s.
///
/// # Errors
///
/// When a difference is not finite, and when a split has no training or no test rows.
///
/// ```
/// use nearkin::stats::{Tail, corrected_resampled_t};
/// let test = corrected_resampled_t(&[0.02, 0.01, 0.03], 90, 10, Tail::Both)?.unwrap();
/// assert!((test.t - 3.0).abs() < 1e-12 && test.df == 2.0);
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn corrected_resampled_t(
    differences: &[f64],
    train_rows: usize,
    test_rows: usize,
    tail: Tail,
) -> Result<Option<TTest>> {
    check_finite(differences)?;
    if train_rows == 0 || test_rows == 0 {
        return Err(StatsError::EmptySplit { train: train_rows, test: test_rows }.into());
    }
    let n = differences.len();
    if n < 2 || differences.iter().all(|&d| d == 0.0) {
        return Ok(None);
    }
    // Neither t nor d̄ / s depends on the scale.
    let (mean, squares) = mean_and_squares(&rescaled(differences));
    let same = differences.iter().all(|&d| d == differences[0]);
    let variance = if same { 0.0 } else { squares / (n - 1) as f64 };
    let share = 1.0 / n as f64 + test_rows as f64 / train_rows as f64;
    // A mean of exactly zero with no spread was sent away above, so this is never 0/0.
    let t = mean / (share * variance).sqrt();
    let df = (n - 1) as f64;
    Ok(Some(TTest { t, df, p: tail.student(t, df), effect: mean / variance.sqrt() }))
}
