//! [`Problem`]: labelled rows with their target neighbours, what every method starts from.

use rayon::prelude::*;

use super::Common;
use super::fixed::Fixed;
use crate::measure::{Form, Matrix, Prepared, Similarity};
use crate::neighbors::{Query, Ranked};
use crate::{Error, Result, Run};

/// Rows on two or more sides, each with its k target neighbours.
///
/// The targets T(i) of row i are the k most similar rows of its side under the plain
/// similarity, found once. A side of fewer than k + 1 rows gives those it has, and its rows look
/// at as many impostors: were there more of these, the best matrix would be one that calls rows
/// dissimilar. A row alone on its side has no target and takes no part.
#[derive(Debug, Clone)]
pub struct Problem<'a> {
    rows: &'a Prepared,
    columns: &'a [String],
    sides: Vec<u32>,
    targets: Vec<Vec<u32>>,
    form: Form,
}

impl<'a> Problem<'a> {
    /// Find the target neighbours of rows with these sides.
    pub fn new(
        rows: &'a Prepared,
        columns: &'a [String],
        sides: Vec<u32>,
        common: &Common,
        run: &Run,
    ) -> Result<Self> {
        if sides.len() != rows.rows() {
            return Err(Error::data(format!(
                "the table has {} rows and the target {}; they must agree",
                rows.rows(),
                sides.len()
            )));
        }
        let (k, form) = (common.k, common.matrix);
        let mut problem = Self { rows, columns, sides, targets: Vec::new(), form };
        let plain = Matrix::identity(Form::Diagonal, rows.columns(), rows.norm().plain());
        let sides = &problem.sides;
        let targets = run.install(|| {
            let of = |at: usize| -> Result<Vec<u32>> {
                let query = problem.query(&plain, at);
                let own = |row: usize| (row != at && sides[row] == sides[at]).then_some(0);
                let best = query.best(&query.finite_scores()?, k, 1, own).swap_remove(0);
                Ok(best.iter().map(|n| n.row).collect())
            };
            (0..rows.rows()).into_par_iter().map(of).collect::<Result<_>>()
        })??;
        problem.targets = targets;
        if problem.active().next().is_none() {
            return Err(Error::data(
                "every class has a single row, so no row has a neighbour of its own class to be \
                 drawn to; join classes or add rows",
            ));
        }
        Ok(problem)
    }

    fn query<'q>(&'q self, matrix: &'q Matrix, at: usize) -> Query<'q> {
        Query { matrix, queries: self.rows, at, base: self.rows }
    }

    /// The rows, ready for their norm.
    pub fn rows(&self) -> &Prepared {
        self.rows
    }

    /// The side of each row.
    pub fn sides(&self) -> &[u32] {
        &self.sides
    }

    /// The target neighbours of row `at`, nearest first.
    pub fn targets(&self, at: usize) -> &[u32] {
        &self.targets[at]
    }

    /// The form of the matrix to learn.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The rows that have a target and so take part, in order.
    pub fn active(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.targets.len()).filter(|&at| !self.targets[at].is_empty())
    }

    /// The plain similarity's matrix, in the form to learn.
    pub fn plain(&self) -> Matrix {
        Matrix::identity(self.form, self.rows.columns(), self.rows.norm().plain())
    }

    /// Row `at` under `matrix`: Σ s_A over its targets less Σ s_A over as many impostors, the
    /// rows of other sides that are most similar under that matrix; and those impostors.
    pub fn margin(&self, matrix: &Matrix, at: usize) -> (f64, Vec<Ranked>) {
        let query = self.query(matrix, at);
        let scores = query.scores();
        let other = |row: usize| (self.sides[row] != self.sides[at]).then_some(0);
        let targets = &self.targets[at];
        let impostors = query.best(&scores, targets.len(), 1, other).swap_remove(0);
        // As many targets as impostors, where the other sides have fewer rows.
        let drawn: f64 = targets.iter().take(impostors.len()).map(|&y| scores[y as usize]).sum();
        (drawn - impostors.iter().map(|n| n.similarity).sum::<f64>(), impostors)
    }

    /// The margins of all active rows under `matrix` scaled to length 1, so that margins of
    /// different matrices compare; all 0 under a null matrix.
    pub fn margins(&self, matrix: &Matrix, run: &Run) -> Result<Vec<f64>> {
        let unit = matrix.unit().unwrap_or_else(|| matrix.clone());
        let active: Vec<usize> = self.active().collect();
        run.check(0, 1)?;
        run.install(|| active.par_iter().map(|&at| self.margin(&unit, at).0).collect())
    }

    /// Σ y/N over the targets of row `at` less Σ z/N over `impostors`: the v of which xᵀAv is
    /// the margin.
    pub fn pull(&self, at: usize, targets: usize, impostors: &[Ranked]) -> Vec<f64> {
        let mut pull = vec![0.0; self.rows.columns()];
        let mut add = |sign: f64, row: u32| {
            let scale = sign / self.rows.divisor(at, self.rows, row as usize);
            let row = self.rows.row(row as usize);
            pull.iter_mut().zip(row).for_each(|(p, x)| *p += scale * x);
        };
        self.targets[at].iter().take(targets).for_each(|&y| add(1.0, y));
        impostors.iter().for_each(|z| add(-1.0, z.row));
        pull
    }

    /// The problem with targets and impostors fixed under the plain similarity.
    pub fn fixed(&self, run: &Run) -> Result<Fixed> {
        let plain = Matrix::identity(Form::Diagonal, self.rows.columns(), self.rows.norm().plain());
        let active: Vec<usize> = self.active().collect();
        run.check(0, 1)?;
        let pairs = run.install(|| {
            let of = |&at: &usize| {
                let query = self.query(&plain, at);
                let other = |row: usize| (self.sides[row] != self.sides[at]).then_some(0);
                let k = self.targets[at].len();
                let near = query.best(&query.scores(), k, 1, other).swap_remove(0);
                let pull = self.pull(at, near.len(), &near);
                (self.rows.row(at).to_vec(), pull)
            };
            active.par_iter().map(of).collect::<Vec<_>>()
        })?;
        Ok(Fixed::new(self.form, self.rows.columns(), pairs))
    }

    /// `matrix` as a similarity of the rows' columns.
    pub fn similarity(&self, matrix: Matrix) -> Result<Similarity> {
        Similarity::new(matrix, self.rows.norm(), self.columns.to_vec())
    }
}
