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
//! root leaves out. As every row counts alike, far ones as much as those near the border, the
//! answer is often a matrix under which one class is nearest to everything.
//!
//! Cost: n² p for the neighbours, n p (diagonal) or n p² for G.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012, section III.B.

use super::{About, Fixed, Learn, LearnProblem, LearnSettings, LearnedMatrix};
use crate::measure::SquareMatrix;
use crate::{LearnError, Note, Result, Run, parameters};

parameters! {
    /// RBS and its settings.
    pub struct Rbs {} with common: LearnSettings
}

/// G/‖G‖_F.
pub(crate) fn closed_form(fixed: &Fixed, run: &Run) -> Result<SquareMatrix> {
    fixed.weighted(|_| 1.0, run)?.unit().ok_or_else(|| LearnError::Balanced.into())
}

/// What a method with fixed neighbours reports of `matrix`.
pub(crate) fn model(
    problem: &LearnProblem,
    fixed: &Fixed,
    matrix: SquareMatrix,
    objective: Vec<f64>,
    note: Option<Note>,
    run: &Run,
) -> Result<LearnedMatrix> {
    let unit = |matrix: &SquareMatrix| matrix.unit().unwrap_or_else(|| matrix.clone());
    let before = fixed.margins(&unit(&problem.plain()), run)?;
    let after = fixed.margins(&unit(&matrix), run)?;
    let mistakes = after.iter().filter(|m| **m <= 0.0).count() as u64;
    Ok(LearnedMatrix {
        class: None,
        similarity: problem.similarity(matrix)?,
        objective,
        before,
        after,
        mistakes: vec![mistakes],
        bound: None,
        note,
    })
}

/// A model of a matrix of length 1, whose objective is its sum of margins.
pub(crate) fn sum_of_margins(
    problem: &LearnProblem,
    fixed: &Fixed,
    matrix: SquareMatrix,
    run: &Run,
) -> Result<LearnedMatrix> {
    let mut model = model(problem, fixed, matrix, Vec::new(), None, run)?;
    model.objective = vec![model.before.iter().sum(), model.after.iter().sum()];
    Ok(model)
}

impl Learn for Rbs {
    fn about(&self) -> About {
        About {
            id: "rbs",
            title: "RBS",
            summary: "the matrix of length 1 with the largest sum of margins, in closed form",
            reference: "Qamar & Gaussier 2012",
        }
    }

    fn common(&self) -> &LearnSettings {
        &self.common
    }

    fn blockwise(&self) -> Result<()> {
        self.common.blockwise()
    }

    fn solve(&self, problem: &LearnProblem, run: &Run) -> Result<LearnedMatrix> {
        problem.refuse_resumed("rbs")?;
        let fixed = problem.fixed(run)?;
        let matrix = closed_form(&fixed, run)?;
        sum_of_margins(problem, &fixed, matrix, run)
    }
}
