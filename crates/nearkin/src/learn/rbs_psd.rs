//! RBS-PSD: RBS kept to positive semi-definite matrices, in closed form.
//!
//! ```text
//! Â = Σ_{λ_r > 0} λ_r u_r u_rᵀ  of  (A + Aᵀ)/2,   A the answer of RBS
//! A ← Â / ‖Â‖_F
//! ```
//!
//! the nearest positive semi-definite matrix, scaled to length 1 again. For a diagonal A this
//! clips negative weights, so where RBS has none both agree. An answer with no positive
//! eigenvalue is an error, as in the paper.
//!
//! Cost: that of RBS, and p³ for the eigenvalues of a matrix that is not diagonal.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012, section V.

use super::rbs::solve;
use super::{Learn, LearnProblem, LearnSettings, LearnedMatrix, handed_over, in_blocks};
use crate::measure::SquareMatrix;
use crate::{LearnError, Result, Run, parameters};

parameters! {
    /// RBS-PSD and its settings.
    pub struct RbsPsd {} with common: LearnSettings
}

/// The nearest positive semi-definite matrix, or an error if no eigenvalue is positive.
pub(crate) fn nearest_psd(matrix: &SquareMatrix, run: &Run) -> Result<SquareMatrix> {
    matrix.nearest_psd(run)?.ok_or_else(|| LearnError::NoPositiveEigenvalue.into())
}

impl Learn for RbsPsd {
    handed_over! {
        common: "rbs-psd" is "RBS-PSD",
        "RBS kept to positive semi-definite matrices, which factor into a map of rows",
        "Qamar & Gaussier 2012"
    }

    in_blocks!(common);

    fn solve(&self, problem: &LearnProblem, run: &Run) -> Result<LearnedMatrix> {
        let projected = |matrix: SquareMatrix| {
            let near = nearest_psd(&matrix, run)?;
            Ok(near.unit().unwrap_or(near))
        };
        solve(problem, "rbs-psd", projected, run)
    }
}
