//! RBS: the matrix of length 1 with the largest sum of margins, in closed form.
//!
//! RELIEF weighs features by how far rows are from misses and near to hits; RBS does the same
//! for a similarity, with k targets y and k impostors z fixed under the plain similarity:
//!
//! ```text
//! maximise Σ_i m_i(A)  subject to ‖A‖_F = 1
//! A = G / ‖G‖_F,   G = Σ_i x_i v_iᵀ,   v_i = Σ_{q≤k} (y_i^q − z_i^q)
//! ```
//!
//! on rows of length 1 (cosine). The multiplier is 2λ = ‖G‖_F, with the square that the printed
//! root omits. Every row counts the same, far ones as much as those near the border. So the
//! answer is often a matrix under which one class is nearest to everything.
//!
//! Cost: n² p for the neighbours, n p (diagonal) or n p² for G.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012, section III.B.

use super::{Fixed, Learn, LearnProblem, LearnSettings, LearnedMatrix, handed_over, in_blocks};
use crate::measure::SquareMatrix;
use crate::{LearnError, Result, Run, parameters};

parameters! {
    /// RBS and its settings.
    pub struct Rbs {} with common: LearnSettings
}

/// `matrix` with the margins of rows whose neighbours are fixed.
pub(crate) fn model(
    problem: &LearnProblem,
    fixed: &Fixed,
    matrix: SquareMatrix,
    run: &Run,
) -> Result<LearnedMatrix> {
    let unit = |matrix: &SquareMatrix| matrix.unit().unwrap_or_else(|| matrix.clone());
    let before = fixed.margins(&unit(&problem.plain()), run)?;
    let after = fixed.margins(&unit(&matrix), run)?;
    Ok(LearnedMatrix::of_margins(problem.similarity(matrix)?, before, after))
}

/// The matrix that `projected` makes of G/‖G‖_F.
pub(crate) fn solve(
    problem: &LearnProblem,
    method: &'static str,
    projected: impl Fn(SquareMatrix) -> Result<SquareMatrix>,
    run: &Run,
) -> Result<LearnedMatrix> {
    problem.refuse_resumed(method)?;
    let fixed = problem.fixed(run)?;
    let sum = fixed.weighted(|_| 1.0, run)?.unit().ok_or(LearnError::Balanced)?;
    model(problem, &fixed, projected(sum)?, run)
}

impl Learn for Rbs {
    handed_over! {
        common: "rbs" is "RBS",
        "the matrix of length 1 with the largest sum of margins, in closed form",
        "Qamar & Gaussier 2012"
    }

    in_blocks!(common);

    fn solve(&self, problem: &LearnProblem, run: &Run) -> Result<LearnedMatrix> {
        solve(problem, "rbs", Ok, run)
    }
}
