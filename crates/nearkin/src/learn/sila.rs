//! SiLA: a voted perceptron over margins of nearest neighbours.
//!
//! Rows are visited in order. Row i compares its k targets T(i), the rows of its class most
//! similar under the plain similarity, with the k impostors B(i) of other classes most similar
//! under the current matrix. Where the impostors win, the matrix moves:
//!
//! ```text
//! Σ_{y∈T(i)} s_A(x_i, y) − Σ_{z∈B(i)} s_A(x_i, z) ≤ τ,   τ = 0 as published
//!     ⟹  A ← A + Σ_{y∈T(i)} f(x_i, y) − Σ_{z∈B(i)} f(x_i, z)
//!
//! f_mm = x_m y_m / N     f_ml = (x_m y_l + x_l y_m) / N     f_ml = x_m y_l / N
//!   diagonal                   symmetric                        full
//! ```
//!
//! (section 3, training algorithm; s_A is equation 1). The weight w_t of a matrix A_t is the
//! number of rows it survived. The answer is Σ w_l A_l over all of them, or over the last r; here
//! divided by Σ w_l, which gives the same ranking. The paper starts at the null matrix; a start at
//! the plain similarity's matrix saves hundreds of epochs. Where the matrix ties impostors, the
//! plain similarity orders them.
//!
//! With `margin` τ > 0 targets must win by more than τ, as in perceptrons with margin (W. Krauth
//! and M. Mézard, 1987), which helps on unseen rows. An update adds ‖v‖² + (x_i·v)² to the margin
//! of its row (symmetric, rows of length 1, v the sum of targets less that of impostors), so that
//! a τ of 1 to 5 needs an update or two more than winning does. Theorems about mistakes hold for
//! τ = 0 only, and the bound is given for it only.
//!
//! Cost: n² p an epoch, and n p² more for a matrix that is not diagonal. Every mistake changes all
//! similarities, so an epoch cannot be one product of matrices; but between mistakes nothing
//! changes. Sixteen visits share one pass over the rows, and bounds on the change by a mistake
//! show which results still hold later (`impostors.rs`). An epoch without a mistake is the last:
//! nothing would change again. For the last r matrices, r copies of the sum are held.
//!
//! Reference: A. M. Qamar, E. Gaussier, J.-P. Chevallet and J. H. Lim, *Similarity learning for
//! nearest neighbor classification*, ICDM 2008.

use std::collections::VecDeque;

use super::impostors::Impostors;
use super::{
    Bound, Judge, Learn, LearnGrid, LearnProblem, LearnSettings, LearnedMatrix, Trial, handed_over,
};
use crate::measure::{Form, Row, SquareMatrix, dot};
use crate::{Error, LearnError, Note, ParameterError, Result, Run, choice, parameters};

choice! {
    /// The first matrix.
    pub enum FirstMatrix {
        /// All zeros, as published.
        Null = "null",
        /// The plain similarity's.
        Identity = "identity",
    }
}

parameters! {
    /// SiLA and its settings.
    pub struct Sila {
        /// Passes over the rows.
        epochs: usize = 10, min 1;
        /// The first matrix.
        start: FirstMatrix = FirstMatrix::Identity;
        /// τ: the matrix is changed unless the targets are more similar than the impostors by more
        /// than this. 0 is as published.
        margin: f64 = 0.0, in 0.0..=1e12;
        /// The answer is the sum of this many last matrices; of all matrices when not given.
        last: Option<usize> = None, min 1;
    } with common: LearnSettings
}

/// The sequence of matrices of a SiLA run, each weighted by the rows it survived.
#[derive(Debug, Clone, PartialEq)]
pub struct Voted {
    /// w_1 … w_q.
    pub weights: Vec<u64>,
    /// A_q, the last matrix.
    pub current: SquareMatrix,
    /// Rows that made the matrix move, in each epoch.
    pub mistakes: Vec<u64>,
    /// Σ of how far margins were below τ when visited, in each epoch.
    pub losses: Vec<f64>,
    /// Length of the longest update.
    pub radius: f64,
    keep: usize,
    total: SquareMatrix,
    before: VecDeque<SquareMatrix>,
}

impl Voted {
    fn new(start: SquareMatrix, keep: usize) -> Self {
        Self {
            weights: vec![0],
            total: start.map(|_| 0.0),
            current: start,
            mistakes: Vec::new(),
            losses: Vec::new(),
            radius: 0.0,
            keep,
            before: VecDeque::new(),
        }
    }

    /// The current matrix survived this many more rows.
    fn survive(&mut self, rows: u64) {
        if let Some(weight) = self.weights.last_mut() {
            *weight += rows;
        }
    }

    /// Add the current matrix to the prefix sums, weighted by the rows it survived.
    fn close(&mut self) {
        if self.keep > 0 {
            self.before.push_back(self.total.clone());
            if self.before.len() > self.keep {
                self.before.pop_front();
            }
        }
        let weight = self.weights.last().copied().unwrap_or_default();
        if weight > 0 {
            self.total.add(weight as f64, &self.current);
        }
    }

    fn advance(&mut self, x: Row, pull: &[f64]) {
        self.close();
        let (xx, vv, xv) = (x.squared(), dot(pull, pull), x.dot(pull));
        let length = match self.current.form() {
            Form::Diagonal => {
                let mut sum = 0.0;
                x.each(|l, x| sum += (x * pull[l]).powi(2));
                sum
            }
            Form::Symmetric => 2.0 * (xx * vv + xv * xv),
            Form::Full => xx * vv,
        };
        self.radius = self.radius.max(length.sqrt());
        self.current.add_outer(1.0, x, pull);
        self.weights.push(1);
    }

    /// The matrix to classify with: Σ w_l A_l / Σ w_l over all, or over the last `r`.
    ///
    /// It ranks rows as the published sum does, and is as large as the matrices it is the mean of,
    /// so that learning can go on from it.
    ///
    /// # Errors
    /// An `r` beyond the sums that were kept.
    pub fn mean(&self, r: Option<usize>) -> Result<SquareMatrix> {
        let sum = self.matrix(r)?;
        let taken = r.unwrap_or(self.weights.len()).min(self.weights.len());
        let weight: u64 = self.weights[self.weights.len() - taken..].iter().sum();
        Ok(if weight > 0 { sum.map(|x| x / weight as f64) } else { sum })
    }

    /// [`Voted::mean`] before the last matrix is closed; none when the sum for `r` is not kept.
    fn mean_so_far(&self, r: Option<usize>) -> Option<SquareMatrix> {
        let count = self.weights.len();
        let r = r.unwrap_or(count).min(count);
        let weight = *self.weights.last()? as f64;
        let mut sum = self.total.plus(weight, &self.current);
        if r < count {
            // The sum before the r-th matrix from the end, the current one counted.
            match self.before.len().checked_sub(r - 1) {
                Some(at) if r > 1 => sum.add(-1.0, self.before.get(at)?),
                _ if r == 1 => sum.add(-1.0, &self.total),
                _ => return None,
            }
        }
        let weight: u64 = self.weights[count - r..].iter().sum();
        (weight > 0).then(|| sum.map(|x| x / weight as f64))
    }

    /// Σ w_l A_l over all matrices, or over the last `r` if that many are kept.
    ///
    /// # Errors
    /// An `r` beyond the sums that were kept.
    pub fn matrix(&self, r: Option<usize>) -> Result<SquareMatrix> {
        let Some(r) = r.filter(|&r| r < self.weights.len()) else {
            return Ok(self.total.clone());
        };
        match self.before.len().checked_sub(r).and_then(|at| self.before.get(at)) {
            Some(earlier) => Ok(self.total.plus(-1.0, earlier)),
            None => {
                let reason = ParameterError::NotKept { kept: self.before.len(), got: r };
                Err(Error::parameter("last", reason))
            }
        }
    }
}

impl Sila {
    /// Go through the rows and give the whole sequence; it keeps sums for the last `keep`.
    ///
    /// # Errors
    /// Numbers beyond double precision, or the run was stopped.
    pub fn sequence(&self, problem: &LearnProblem, keep: usize, run: &Run) -> Result<Voted> {
        self.stages(problem, keep, &[self.epochs], run, |_, _| Ok(true))
    }

    /// Go through the rows; after each number of epochs in `stages`, rising, `told` takes the
    /// sequence so far and returns whether to go on.
    pub(crate) fn stages(
        &self,
        problem: &LearnProblem,
        keep: usize,
        stages: &[usize],
        run: &Run,
        mut told: impl FnMut(usize, &Voted) -> Result<bool> + Send,
    ) -> Result<Voted> {
        let start = match (problem.resumed(), self.start) {
            (Some(resumed), _) => resumed.matrix.clone(),
            (None, FirstMatrix::Null) => problem.plain().map(|_| 0.0),
            (None, FirstMatrix::Identity) => problem.plain(),
        };
        let epochs = stages.last().copied().unwrap_or(self.epochs);
        let active: Vec<usize> = problem.active().collect();
        let mut impostors = Impostors::new(problem, self.margin);
        let mut voted = Voted::new(start, keep);
        let total = (epochs * active.len()) as u64;
        // One pool entry for all rows: visits follow one another, only scans run in parallel.
        run.install(|| -> Result<()> {
            for epoch in 0..epochs {
                let (mut mistakes, mut loss) = (0, 0.0);
                for (met, &at) in active.iter().enumerate() {
                    if met % 256 == 0 {
                        run.check((epoch * active.len() + met) as u64, total)?;
                    }
                    match impostors.mistake(&voted.current, &active, met)? {
                        None => voted.survive(1),
                        Some((margin, near)) => {
                            let pull = problem.pull(at, near.len(), near.iter().map(|z| z.row));
                            voted.advance(problem.rows().row(problem.anchor(at)), &pull);
                            mistakes += 1;
                            loss += self.margin - margin;
                        }
                    }
                }
                voted.mistakes.push(mistakes);
                voted.losses.push(loss);
                if !voted.current.is_finite() {
                    return Err(LearnError::NumbersGrow.into());
                }
                let more = match stages.contains(&(epoch + 1)) {
                    true => told(epoch + 1, &voted)?,
                    false => true,
                };
                if mistakes == 0 {
                    // Every later epoch would be the same: it only counts rows survived.
                    voted.survive(((epochs - epoch - 1) * active.len()) as u64);
                    break;
                }
                if !more {
                    break;
                }
            }
            voted.close();
            run.check(total, total)
        })??;
        Ok(voted)
    }
}

impl Learn for Sila {
    handed_over! {
        common: "sila" is "SiLA",
        "a voted perceptron that moves rows towards their class and away from impostors",
        "Qamar, Gaussier, Chevallet & Lim 2008"
    }

    /// Epochs first, with all matrices added up; then r, for the epochs that did best.
    fn trials(
        &self,
        problem: &LearnProblem,
        grid: &LearnGrid,
        judge: &Judge,
        run: &Run,
    ) -> Result<Vec<Trial>> {
        /// Numbers kept in prefix sums at most.
        const ROOM: usize = 1 << 24;
        let cells = problem.plain().cells().len().max(1);
        let most = grid.last.iter().copied().filter(|r| r * cells <= ROOM).max().unwrap_or(0);
        let mut stages = grid.epochs.clone();
        stages.sort_unstable();
        let mut trials: Vec<Trial> = Vec::new();
        let (mut best, mut since) = (f64::NEG_INFINITY, 0);
        let told = |epochs: usize, voted: &Voted| {
            let score = |r: Option<usize>| -> Result<Option<Trial>> {
                let Some(matrix) = voted.mean_so_far(r).filter(|m| m.length() > 0.0) else {
                    return Ok(None);
                };
                let mut settings = vec![("epochs", epochs.to_string())];
                settings.extend(r.map(|r| ("last", r.to_string())));
                let kept = r.map_or(f64::INFINITY, |r| r as f64);
                Ok(Some(Trial {
                    settings,
                    change: [0.0, 0.0, 0.0, epochs as f64, -kept],
                    score: judge(&problem.similarity(matrix)?)?,
                }))
            };
            let Some(all) = score(None)? else { return Ok(true) };
            since += 1;
            if all.score > best {
                (best, since) = (all.score, 0);
                // r is chosen for the best number of epochs only.
                trials.retain(|trial| trial.settings.len() == 1);
                for &r in grid.last.iter().filter(|r| **r <= most && **r < voted.weights.len()) {
                    trials.extend(score(Some(r))?);
                }
            }
            trials.push(all);
            Ok(since < grid.patience.max(1))
        };
        self.stages(problem, most, &stages, run, told)?;
        Ok(trials)
    }

    fn blockwise(&self) -> Result<()> {
        Err(Error::parameter("method", ParameterError::SequentialRows))
    }

    fn solve(&self, problem: &LearnProblem, run: &Run) -> Result<LearnedMatrix> {
        let voted = self.sequence(problem, self.last.unwrap_or(0), run)?;
        let matrix = voted.mean(self.last)?;
        if matrix.length() == 0.0 {
            return Err(LearnError::NothingTellsApart.into());
        }
        let before = problem.plain_margins(run)?;
        let after = problem.margins(&matrix, run)?;
        let first = voted.mistakes.first().copied().unwrap_or_default();
        let bound = match (problem.resumed(), self.start) {
            (None, FirstMatrix::Null) if self.margin == 0.0 => {
                Bound::new(&after, voted.radius, first)
            }
            _ => None,
        };
        let open = voted.mistakes.last().is_some_and(|&m| m > 0);
        let note = open.then_some(Note::RowsStillMistaken { epoch: voted.mistakes.len() });
        Ok(LearnedMatrix {
            objective: voted.losses,
            mistakes: voted.mistakes,
            bound,
            note,
            ..LearnedMatrix::of_margins(problem.similarity(matrix)?, before, after)
        })
    }
}
