//! sRBS: a smooth count of rows on the wrong side, minimised from the plain similarity.
//!
//! In RBS one far row can outweigh many; sRBS bounds the part of each row by a sigmoid, which
//! comes near the 0–1 loss as β grows. With the fixed margins m_i(A) = x_iᵀ A v_i:
//!
//! ```text
//! ε(A) = Σ_i 1/(1 + exp(β m_i)) + λ ‖A‖²_F                                      (equation 4)
//! ∂ε/∂A = −β Σ_i s_i (1 − s_i) x_i v_iᵀ + 2λA,   s_i = 1/(1 + exp(−β m_i))
//! A ← A − 1/(t n) ∂ε/∂A,  t = 1, 2, …   until Σ |ΔA| ≤ γ
//! ```
//!
//! Targets and impostors stay those of the plain similarity, so ε is one function. With
//! `refresh` they are found again as the matrix moves, and ε changes with them. The published
//! steps shrink fast and, for a small β, hardly leave the plain similarity; λ has little effect.
//! `solver = modern` minimises the same ε by L-BFGS to convergence. There only β²/λ matters, and
//! a λ that is harmless otherwise can leave little but the sum over all rows, the answer of RBS.
//! Choose both by validation.
//!
//! With `refresh` and `solver = modern`, each descent fits its own neighbours and overshoots for
//! the next ones. So the matrices of `rounds` descents scatter around a common direction, and the
//! answer is the mean of their directions, as SiLA's is a mean of matrices. With short descents
//! (20 epochs), a form that is not diagonal and β chosen between 10 and 3000 it is much better
//! than the plain similarity, where there are hundreds of rows.
//!
//! Cost: n² p for the neighbours, once or in each round, then twice n p (diagonal) or n p² an
//! epoch: margins under A, and the sum of x_i v_iᵀ that weighs them, each one product of matrices.
//!
//! Lower bound for a step: that of `fixed` for every step tried, and an exponential and a
//! division a row; this code takes two of each.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012, section IV.

use rayon::prelude::*;

use super::lbfgs::minimise;
use super::rbs::model;
use super::rbs_psd::nearest_psd;
use super::{Fixed, Judge, LearnGrid, LearnProblem, LearnSettings, LearnedMatrix, Trial};
use crate::measure::SquareMatrix;
use crate::{Error, ErrorKind, LearnError, Note, ParameterError, Result, Run, choice, parameters};

choice! {
    /// How ε is minimised.
    pub enum Solver {
        /// Gradient steps of length 1/(t n), as published.
        Published = "published",
        /// L-BFGS; gradient steps with a line search and projection for -psd.
        Modern = "modern",
    }
}

parameters! {
    /// The objective of the sRBS methods, and how it is minimised.
    pub struct Smooth {
        /// β, the steepness of the sigmoid. The larger it is, the closer the objective is to a
        /// count of errors, and the further the answer may be from the plain similarity.
        beta: f64 = 0.1, in 1e-6..=1e6;
        /// λ, the weight of the penalty on large matrices.
        lambda ("regularization"): f64 = 0.001, in 0.0..=1e12;
        /// The largest number of steps (of each descent, when there are several).
        epochs: usize = 100, min 1;
        /// γ: stop when the sum of the absolute changes of the matrix is no more than this.
        gamma: f64 = 1e-3, in 0.0..=1e6;
        /// How the objective is minimised.
        solver: Solver = Solver::Published;
        /// Find targets and impostors again under the current matrix: after every step, or after
        /// each descent of the modern solver.
        refresh: bool = false;
        /// Descents of the modern solver with `refresh`; the answer is the mean direction of the
        /// matrices they end at.
        rounds: usize = 20, min 1;
    } with common: LearnSettings
}

parameters! {
    /// sRBS and its settings.
    pub struct Srbs {} with smooth: Smooth
}

/// Number of losses from which another thread pays.
const SHARED: usize = 1 << 9;

/// 1/(1 + e^−x) without overflow.
fn logistic(x: f64) -> f64 {
    if x >= 0.0 { 1.0 / (1.0 + (-x).exp()) } else { x.exp() / (1.0 + x.exp()) }
}

/// Where minimising ended.
pub(crate) struct Path {
    pub matrix: SquareMatrix,
    pub objective: Vec<f64>,
    pub settled: bool,
}

/// A minimisation of ε over the matrices of a problem.
struct Descent<'a> {
    settings: &'a Smooth,
    problem: &'a LearnProblem<'a>,
    /// Over positive semi-definite matrices only.
    psd: bool,
    run: &'a Run<'a>,
}

impl Smooth {
    /// Refuse settings that rows in blocks cannot have.
    pub(crate) fn blockwise(&self) -> Result<()> {
        if self.refresh {
            return Err(Error::parameter("refresh", ParameterError::NotInBlocks));
        }
        self.common.blockwise()
    }

    /// ε(A).
    ///
    /// # Errors
    /// A matrix that does not go with the rows, or the run was stopped.
    pub fn value(&self, fixed: &Fixed, matrix: &SquareMatrix, run: &Run) -> Result<f64> {
        self.value_of(&fixed.margins(matrix, run)?, matrix, run)
    }

    /// ∂ε/∂A, in the form of A.
    ///
    /// # Errors
    /// A matrix that does not go with the rows, or the run was stopped.
    pub fn gradient(
        &self,
        fixed: &Fixed,
        matrix: &SquareMatrix,
        run: &Run,
    ) -> Result<SquareMatrix> {
        self.gradient_of(fixed, &fixed.margins(matrix, run)?, matrix, run)
    }

    /// ε(A) where the margins under A are known.
    ///
    /// Threads share the losses; they are added in order, so the sum has the same bits.
    fn value_of(&self, margins: &[f64], matrix: &SquareMatrix, run: &Run) -> Result<f64> {
        let loss = |margin: &f64| logistic(-self.beta * margin);
        let each = margins.par_iter().with_min_len(SHARED).map(loss);
        let losses: Vec<f64> = run.install(|| each.collect())?;
        let penalty = self.lambda * matrix.cells().iter().map(|a| a * a).sum::<f64>();
        Ok(losses.iter().sum::<f64>() + penalty)
    }

    /// ∂ε/∂A where the margins under A are known.
    fn gradient_of(
        &self,
        fixed: &Fixed,
        margins: &[f64],
        matrix: &SquareMatrix,
        run: &Run,
    ) -> Result<SquareMatrix> {
        let weight = |i: usize| {
            let s = logistic(self.beta * margins[i]);
            s * (1.0 - s)
        };
        let sum = fixed.weighted(weight, run)?.map(|g| -self.beta * g);
        Ok(sum.plus(2.0 * self.lambda, matrix))
    }

    /// Try every β and λ of `grid` on the same neighbours.
    pub(crate) fn trials(
        &self,
        problem: &LearnProblem,
        psd: bool,
        (grid, judge): (&LearnGrid, &Judge),
        run: &Run,
    ) -> Result<Vec<Trial>> {
        let fixed = problem.fixed(run)?;
        let mut trials = Vec::new();
        for &beta in &grid.beta {
            for &lambda in &grid.lambda {
                let tried = Self { beta, lambda, ..self.clone() };
                crate::parameter::Parameters::check(&tried)?;
                let descent = Descent { settings: &tried, problem, psd, run };
                let path = match descent.from(&fixed, problem.plain(), 0) {
                    // Steps too long for this setting, or nothing positive left: not tried.
                    Err(reason)
                        if matches!(reason.kind(), ErrorKind::Data | ErrorKind::NoAnswer) =>
                    {
                        continue;
                    }
                    other => other?,
                };
                trials.push(Trial {
                    settings: vec![("beta", beta.to_string()), ("lambda", lambda.to_string())],
                    change: [beta, -lambda, 0.0, 0.0, 0.0],
                    score: judge(&problem.similarity(path.matrix)?)?,
                });
            }
        }
        Ok(trials)
    }

    /// Learn from one labelling, over positive semi-definite matrices only when `psd`.
    pub(crate) fn learn(
        &self,
        problem: &LearnProblem,
        psd: bool,
        run: &Run,
    ) -> Result<LearnedMatrix> {
        let fixed = problem.fixed(run)?;
        let (start, done) = match problem.resumed() {
            Some(resumed) => (resumed.matrix.clone(), resumed.epochs),
            None => (problem.plain(), 0),
        };
        let descent = Descent { settings: self, problem, psd, run };
        let path = descent.from(&fixed, start, done)?;
        let steps = path.objective.len() - 1;
        let note = (!path.settled).then_some(Note::MatrixMoved { steps });
        let matrix = match psd {
            true => nearest_psd(&path.matrix, run)?,
            false => path.matrix,
        };
        let objective = path.objective;
        Ok(LearnedMatrix { objective, note, ..model(problem, &fixed, matrix, run)? })
    }
}

impl Descent<'_> {
    /// Minimise ε from `start`, which `done` steps led to.
    fn from(&self, fixed: &Fixed, start: SquareMatrix, done: usize) -> Result<Path> {
        match (self.settings.solver, self.anew()) {
            (Solver::Published, _) => self.published(fixed, start, done),
            (Solver::Modern, false) => self.modern(fixed, start, (0, 1)),
            (Solver::Modern, true) => self.in_rounds(fixed, start),
        }
    }

    /// True when neighbours are found again; triplets name theirs.
    fn anew(&self) -> bool {
        self.settings.refresh && self.problem.triplets().is_none()
    }

    /// Descents, with neighbours found again between them. The answer is the mean of the matrices
    /// they end at, each scaled to length 1 so that all count the same.
    fn in_rounds(&self, fixed: &Fixed, start: SquareMatrix) -> Result<Path> {
        let Self { problem, run, .. } = *self;
        let (rounds, gamma) = (self.settings.rounds, self.settings.gamma);
        let within = run.quiet();
        let (mut directions, mut lengths) = (start.map(|_| 0.0), 0.0);
        let mut path = Path { matrix: start, objective: Vec::new(), settled: false };
        for round in 0..rounds {
            let moved_before = round > 0 || problem.resumed().is_some();
            let anew = match moved_before {
                true => Some(problem.refreshed(&path.matrix, &within)?.fixed(&within)?),
                false => None,
            };
            let from = path.matrix.clone();
            let fixed = anew.as_ref().unwrap_or(fixed);
            let next = self.modern(fixed, from, (round, rounds))?;
            let stays = moved(&next.matrix, &path.matrix) <= gamma;
            path.objective.extend(next.objective.iter().skip(usize::from(round > 0)));
            // Descents are short on purpose: an unfinished one says nothing about their mean.
            path.settled = next.settled || rounds > 1;
            path.matrix = next.matrix;
            // A matrix that stays would stay in all following rounds.
            let counts = if stays { rounds - round } else { 1 } as f64;
            lengths += counts * path.matrix.length();
            if let Some(unit) = path.matrix.unit() {
                directions.add(counts, &unit);
            }
            if stays {
                break;
            }
        }
        // As long as they were, so that learning can go on from it.
        let length = lengths / rounds as f64;
        if let Some(mean) = directions.unit() {
            path.matrix = mean.map(|a| a * length);
        }
        Ok(path)
    }

    fn published(&self, fixed: &Fixed, start: SquareMatrix, done: usize) -> Result<Path> {
        let Self { settings, problem, psd, run } = *self;
        let (n, anew) = (fixed.rows() as f64, self.anew());
        let within = run.quiet();
        let mut fixed = std::borrow::Cow::Borrowed(fixed);
        let mut margins = fixed.margins(&start, run)?;
        let objective = vec![settings.value_of(&margins, &start, run)?];
        let mut path = Path { objective, matrix: start, settled: false };
        for t in done + 1..=done.saturating_add(settings.epochs) {
            run.check((t - done) as u64 - 1, settings.epochs as u64)?;
            if anew && (t > done + 1 || problem.resumed().is_some()) {
                let near = problem.refreshed(&path.matrix, &within)?;
                fixed = std::borrow::Cow::Owned(near.fixed(&within)?);
                margins = fixed.margins(&path.matrix, run)?;
            }
            let gradient = settings.gradient_of(&fixed, &margins, &path.matrix, run)?;
            let mut next = path.matrix.plus(-1.0 / (t as f64 * n), &gradient);
            check_finite(&next)?;
            if psd {
                // Kept in the form of the gradient; the projected cells are symmetric.
                next = SquareMatrix::new(
                    next.form(),
                    next.size(),
                    nearest_psd(&next, run)?.cells().to_vec(),
                )?;
            }
            let moved = moved(&next, &path.matrix);
            path.matrix = next;
            margins = fixed.margins(&path.matrix, run)?;
            path.objective.push(settings.value_of(&margins, &path.matrix, run)?);
            if moved <= settings.gamma {
                path.settled = true;
                break;
            }
        }
        Ok(path)
    }

    /// Minimise ε from `start`; `round` is the number of the round, and how many there are.
    fn modern(&self, fixed: &Fixed, start: SquareMatrix, round: (usize, usize)) -> Result<Path> {
        let check = |step: usize| {
            let epochs = self.settings.epochs;
            let steps = |rounds: usize| rounds.saturating_mul(epochs) as u64;
            let done = steps(round.0).saturating_add(step.min(epochs) as u64);
            self.run.check(done, steps(round.1))
        };
        match self.psd {
            true => self.projected(fixed, start, check),
            false => self.quasi_newton(fixed, start, check),
        }
    }

    fn quasi_newton(
        &self,
        fixed: &Fixed,
        start: SquareMatrix,
        check: impl Fn(usize) -> Result<()>,
    ) -> Result<Path> {
        let Self { settings, run, .. } = *self;
        let (epochs, gamma) = (settings.epochs, settings.gamma);
        let at = |cells: &[f64]| SquareMatrix::new(start.form(), start.size(), cells.to_vec());
        let found = minimise(start.cells().to_vec(), epochs, gamma, |step, cells| {
            check(step)?;
            let matrix = at(cells)?;
            let margins = fixed.margins(&matrix, run)?;
            let gradient = settings.gradient_of(fixed, &margins, &matrix, run)?;
            Ok((settings.value_of(&margins, &matrix, run)?, gradient.cells().to_vec()))
        })?;
        Ok(Path { matrix: at(&found.place)?, objective: found.values, settled: found.settled })
    }

    /// Gradient steps, projected, each as long as the value falls as the slope promises.
    fn projected(
        &self,
        fixed: &Fixed,
        start: SquareMatrix,
        check: impl Fn(usize) -> Result<()>,
    ) -> Result<Path> {
        let Self { settings, run, .. } = *self;
        let mut margins = fixed.margins(&start, run)?;
        let mut value = settings.value_of(&margins, &start, run)?;
        let mut path = Path { matrix: start, objective: vec![value], settled: false };
        let mut step = 1.0;
        for t in 0..settings.epochs {
            check(t)?;
            let gradient = settings.gradient_of(fixed, &margins, &path.matrix, run)?;
            let mut taken = None;
            for _ in 0..60 {
                let tried = path.matrix.plus(-step, &gradient);
                check_finite(&tried)?;
                if let Some(near) = tried.nearest_psd(run)? {
                    let next =
                        SquareMatrix::new(tried.form(), tried.size(), near.cells().to_vec())?;
                    let change = next.plus(-1.0, &path.matrix);
                    let pairs = gradient.cells().iter().zip(change.cells());
                    let slope: f64 = pairs.map(|(g, c)| g * c).sum();
                    let there = fixed.margins(&next, run)?;
                    let reached = settings.value_of(&there, &next, run)?;
                    let allowed = value + slope + change.length().powi(2) / (2.0 * step);
                    if reached <= allowed && reached <= value {
                        taken = Some((next, reached, there));
                        break;
                    }
                }
                step /= 2.0;
            }
            let Some((next, reached, there)) = taken else {
                path.settled = true;
                break;
            };
            let moved = moved(&next, &path.matrix);
            (path.matrix, value, margins) = (next, reached, there);
            path.objective.push(value);
            if moved <= settings.gamma {
                path.settled = true;
                break;
            }
            step *= 2.0;
        }
        Ok(path)
    }
}

/// Σ |a − b| over cells.
fn moved(a: &SquareMatrix, b: &SquareMatrix) -> f64 {
    a.cells().iter().zip(b.cells()).map(|(a, b)| (a - b).abs()).sum()
}

fn check_finite(matrix: &SquareMatrix) -> Result<()> {
    match matrix.is_finite() {
        true => Ok(()),
        false => Err(LearnError::StepsGrow.into()),
    }
}

/// [`Learn`] for a method that is [`Smooth`].
macro_rules! smooth {
    ($method:ident, psd $psd:literal: $id:literal is $title:literal, $summary:literal) => {
        impl $crate::learn::Learn for $method {
            $crate::learn::handed_over! {
                smooth.common: $id is $title, $summary, "Qamar & Gaussier 2012"
            }

            fn trials(
                &self,
                problem: &$crate::learn::LearnProblem,
                grid: &$crate::learn::LearnGrid,
                judge: &$crate::learn::Judge,
                run: &$crate::Run,
            ) -> $crate::Result<Vec<$crate::learn::Trial>> {
                self.smooth.trials(problem, $psd, (grid, judge), run)
            }

            $crate::learn::in_blocks!(smooth);

            fn solve(
                &self,
                problem: &$crate::learn::LearnProblem,
                run: &$crate::Run,
            ) -> $crate::Result<$crate::learn::LearnedMatrix> {
                self.smooth.learn(problem, $psd, run)
            }
        }
    };
}
pub(super) use smooth;

smooth! {
    Srbs, psd false: "srbs" is "sRBS",
    "a smooth count of rows on the wrong side, minimised from the plain similarity"
}
