//! Calibration: whether probabilities are what they say.
//!
//! Queries are gathered by the probability of the class they were given; in a bin of mean
//! probability p̄ a share of about p̄ should be right. The expected calibration error is the mean
//! of |share − p̄| over all queries.
//!
//! Reference: A. Niculescu-Mizil and R. Caruana, *Predicting good probabilities with supervised
//! learning*, ICML 2005.

use super::Predictions;
use crate::{ClassifyError, Result};

/// One bin of a reliability table.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reliability {
    /// Probabilities from this on.
    pub from: f64,
    /// Up to this; the last bin holds its end too.
    pub to: f64,
    /// Queries in the bin.
    pub count: usize,
    /// Their mean probability of the class they were given; NaN where there is none.
    pub probability: f64,
    /// The share of them that is right; NaN where there is none.
    pub right: f64,
}

/// How good the probabilities of predictions are, the truth being known.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// Bins of equal width over [0, 1].
    pub bins: Vec<Reliability>,
    /// The mean of |share right − mean probability|, bins weighted by their queries.
    pub expected_error: f64,
    /// The mean of −log P(true class); infinite where a true class had none.
    pub log_loss: f64,
    /// The mean of Σ_g (P(g) − [g is true])².
    pub brier: f64,
}

impl Predictions {
    /// Compare probabilities with the true classes, given by name, in `bins` bins.
    ///
    /// # Errors
    /// When there is not one true class for each prediction, no bin, or no probability.
    pub fn calibration<S: AsRef<str>>(&self, truth: &[S], bins: usize) -> Result<Calibration> {
        if truth.len() != self.len() || truth.is_empty() || bins == 0 {
            let (predictions, truth) = (self.len(), truth.len());
            return Err(ClassifyError::TruthDisagrees { predictions, truth, bins }.into());
        }
        let mut sums = vec![(0usize, 0.0, 0.0); bins];
        let (mut log_loss, mut brier) = (0.0, 0.0);
        for (row, true_one) in truth.iter().enumerate() {
            let Some(p) = self.probabilities(row) else {
                return Err(ClassifyError::NoProbabilities.into());
            };
            let said = self.class[row] as usize;
            let of_truth = self.names.iter().position(|name| name == true_one.as_ref());
            let bin = &mut sums[((p[said] * bins as f64) as usize).min(bins - 1)];
            bin.0 += 1;
            bin.1 += p[said];
            bin.2 += f64::from(u8::from(of_truth == Some(said)));
            log_loss -= of_truth.map_or(0.0, |g| p[g]).ln();
            let off =
                |(g, p): (usize, &f64)| (p - f64::from(u8::from(of_truth == Some(g)))).powi(2);
            brier += p.iter().enumerate().map(off).sum::<f64>();
        }
        let n = truth.len() as f64;
        let width = 1.0 / bins as f64;
        let table = sums.iter().enumerate().map(|(at, &(count, p, right))| Reliability {
            from: at as f64 * width,
            to: (at + 1) as f64 * width,
            count,
            probability: p / count as f64,
            right: right / count as f64,
        });
        Ok(Calibration {
            bins: table.collect(),
            expected_error: sums.iter().map(|(_, p, right)| (right - p).abs()).sum::<f64>() / n,
            log_loss: log_loss / n,
            brier: brier / n,
        })
    }
}
