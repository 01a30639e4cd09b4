//! Distributions' tails, tests, corrections for many tests, and how well weights separate.
//!
//! Everything here is plain arithmetic on slices and counts. A test on input that decides
//! nothing (no spread, too few values) gives `None`; input that must be a mistake (lengths
//! that disagree, NaN) gives an [`Error`](crate::Error). NaN never comes out of a test; a
//! function of [`tails`] gives NaN only for arguments outside its stated domain.

mod corrected_t;
mod correction;
mod correlation;
mod friedman;
mod hardy_weinberg;
mod mcnemar;
mod ranks;
mod separation;
mod sign;
mod t_test;
pub mod tails;
mod wilcoxon;

pub use corrected_t::corrected_resampled_t;
pub use correction::{benjamini_hochberg, holm};
pub use correlation::{Correlation, CorrelationP, pearson, spearman};
pub use friedman::{Friedman, friedman, nemenyi_difference, nemenyi_p, studentized_range_sf};
pub use hardy_weinberg::hardy_weinberg;
pub use mcnemar::{mcnemar, mcnemar_exact};
pub use ranks::midranks;
pub use separation::{Separation, separation};
pub use sign::{SignTest, sign_test};
pub use t_test::{Moments, TTest, pooled_t};
pub use wilcoxon::{Wilcoxon, WilcoxonP, Zeros, wilcoxon};

use crate::{Result, StatsError};

/// Which outcomes count as being at least as extreme as the one seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tail {
    /// Values as small or smaller.
    Left,
    /// Values as large or larger.
    Right,
    /// Either: twice the smaller tail, at most 1.
    #[default]
    Both,
}

impl Tail {
    /// The p-value from both one-sided ones, each of which includes the value seen.
    pub fn p(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Left => left.min(1.0),
            Self::Right => right.min(1.0),
            Self::Both => (2.0 * left.min(right)).min(1.0),
        }
    }

    /// The p-value of `t` under Student's t with `df` degrees of freedom.
    fn student(self, t: f64, df: f64) -> f64 {
        self.p(tails::student_sf(-t, df), tails::student_sf(t, df))
    }

    /// The p-value of `z` under the standard normal.
    fn normal(self, z: f64) -> f64 {
        self.p(tails::normal_sf(-z), tails::normal_sf(z))
    }
}

/// Refuse pairs of unequal number and values that are not finite.
fn check_pairs(a: &[f64], b: &[f64]) -> Result<()> {
    if a.len() != b.len() {
        return Err(StatsError::PairsDisagree { first: a.len(), second: b.len() }.into());
    }
    check_finite(a)?;
    check_finite(b)
}

/// Refuse values that are not finite, saying which.
fn check_finite(values: &[f64]) -> Result<()> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(StatsError::NotFinite { index, value: values[index] }.into()),
        None => Ok(()),
    }
}

/// The values over the largest of them in size, so that no square over- or underflows.
fn rescaled(values: &[f64]) -> Vec<f64> {
    let largest = values.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    let scale = if largest > 0.0 { largest } else { 1.0 };
    values.iter().map(|v| v / scale).collect()
}

/// Mean and sum of squared deviations from it, in two passes.
fn mean_and_squares(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (mean, values.iter().map(|v| (v - mean) * (v - mean)).sum())
}
