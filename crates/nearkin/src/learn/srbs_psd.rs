//! sRBS-PSD: sRBS kept to positive semi-definite matrices.
//!
//! After every step the matrix is replaced by the nearest positive semi-definite one,
//!
//! ```text
//! A ← Σ_{λ_r > 0} λ_r u_r u_rᵀ  of  (Â + Âᵀ)/2,   Â = A − 1/(t n) ∂ε/∂A
//! ```
//!
//! which for a diagonal A clips negative weights. Started at the plain similarity, which is
//! positive definite, it is sRBS for as long as no weight of a diagonal A falls below 0.
//!
//! Cost: that of sRBS, and p³ an epoch for a matrix that is not diagonal.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012, section V.

use super::{
    About, Judge, Learn, LearnGrid, LearnProblem, LearnSettings, LearnedMatrix, Smooth, Trial,
};
use crate::{Result, Run, parameters};

parameters! {
    /// sRBS-PSD and its settings.
    pub struct SrbsPsd {} with smooth: Smooth
}

impl Learn for SrbsPsd {
    fn about(&self) -> About {
        About {
            id: "srbs-psd",
            title: "sRBS-PSD",
            summary: "sRBS kept to positive semi-definite matrices, which factor into a map of rows",
            reference: "Qamar & Gaussier 2012",
        }
    }

    fn common(&self) -> &LearnSettings {
        &self.smooth.common
    }

    fn trials(
        &self,
        problem: &LearnProblem,
        grid: &LearnGrid,
        judge: &Judge,
        run: &Run,
    ) -> Result<Vec<Trial>> {
        self.smooth.trials(problem, true, (grid, judge), run)
    }

    fn blockwise(&self) -> Result<()> {
        self.smooth.blockwise()
    }

    fn solve(&self, problem: &LearnProblem, run: &Run) -> Result<LearnedMatrix> {
        self.smooth.learn(problem, true, run)
    }
}
