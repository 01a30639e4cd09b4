//! [`Fixed`]: margins that are linear in the matrix, because the neighbours stay the same.
//!
//! ```text
//! m_i(A) = x_iᵀ A v_i,   v_i = Σ_{q≤k} ( y_i^q / N(x_i, y_i^q) − z_i^q / N(x_i, z_i^q) )
//! ```
//!
//! with x, y, z of length 1 under the cosine: the printed formulas leave N out and hold for
//! such rows. RBS maximises Σ m_i, sRBS a smooth count of positive m_i. Under a diagonal A only
//! the products x_il v_il matter, which are where x is: sparse rows stay sparse.
//!
//! Lower bound: n p multiply-adds for margins and as many for a weighted sum, n p² each where A
//! is not diagonal (`product.rs`). Memory: 8 n p bytes where A is diagonal, else 16 n p.

use rayon::prelude::*;

use super::LearnProblem;
use super::elsewhere::Asked;
use super::product::{add_product, padded, strips};
use crate::measure::{Form, Prepared, Row, SquareMatrix, dot};
use crate::{LearnError, Result, Run};

/// Rows summed by one task; sums of tasks are added in order, with any number of threads.
const BLOCK: usize = 256;

/// Rows x_i with their differences v_i.
#[derive(Debug, Clone, PartialEq)]
pub struct Fixed<'a> {
    form: Form,
    size: usize,
    rows: usize,
    pairs: Pairs<'a>,
}

#[derive(Debug, Clone, PartialEq)]
enum Pairs<'a> {
    /// x_il v_il, row after row.
    Products(Vec<f64>),
    /// The same where x_il is not 0: row starts, columns, values.
    Sparse(Vec<usize>, Vec<u32>, Vec<f64>),
    /// x_i, and v_i row after row.
    Both(Anchors<'a>, Vec<f64>),
    /// On other machines, whose holder answers for them.
    Elsewhere(Asked),
}

/// The rows x_i.
#[derive(Debug, Clone, PartialEq)]
enum Anchors<'a> {
    /// Where they are among all rows.
    Among(&'a Prepared, Vec<usize>),
    /// Row after row.
    Own(Vec<f64>),
}

impl Anchors<'_> {
    fn row(&self, i: usize, size: usize) -> Row<'_> {
        match self {
            Self::Among(rows, at) => rows.row(at[i]),
            Self::Own(cells) => Row::Dense(&cells[i * size..][..size]),
        }
    }

    fn into_cells(self, size: usize) -> Vec<f64> {
        match self {
            Self::Among(rows, at) => at.iter().flat_map(|&at| rows.row(at).to_vec(size)).collect(),
            Self::Own(cells) => cells,
        }
    }
}

impl<'a> Fixed<'a> {
    /// Rows summed by one task; results depend on it, so it never changes.
    pub const BLOCK: usize = BLOCK;

    /// Rows on other machines.
    pub(crate) fn elsewhere(form: Form, size: usize, asked: Asked) -> Self {
        Self { form, size, rows: asked.0.rows(), pairs: Pairs::Elsewhere(asked) }
    }

    /// The same with rows of its own.
    pub(crate) fn into_owned(self) -> Fixed<'static> {
        let pairs = match self.pairs {
            Pairs::Both(x, v) => Pairs::Both(Anchors::Own(x.into_cells(self.size)), v),
            Pairs::Products(cells) => Pairs::Products(cells),
            Pairs::Sparse(starts, columns, values) => Pairs::Sparse(starts, columns, values),
            Pairs::Elsewhere(asked) => Pairs::Elsewhere(asked),
        };
        Fixed { pairs, ..self }
    }

    /// The arrays it consists of, for dense rows only: x_il v_il row after row (diagonal), or x
    /// and v.
    pub fn into_parts(self) -> Option<(Vec<f64>, Vec<f64>)> {
        match self.pairs {
            Pairs::Products(cells) => Some((cells, Vec::new())),
            Pairs::Both(x, v) => Some((x.into_cells(self.size), v)),
            Pairs::Sparse(..) | Pairs::Elsewhere(_) => None,
        }
    }

    /// The rows from the arrays of [`Self::into_parts`], for a matrix of this form and size.
    ///
    /// # Errors
    /// Arrays whose lengths do not go with each other and with `size`.
    pub fn from_parts(form: Form, size: usize, (x, v): (Vec<f64>, Vec<f64>)) -> Result<Self> {
        let rows = x.len() / size.max(1);
        let other = if form == Form::Diagonal { 0 } else { x.len() };
        if x.len() != rows * size || v.len() != other {
            return Err(LearnError::NoMargins.into());
        }
        let pairs = match form {
            Form::Diagonal => Pairs::Products(x),
            _ => Pairs::Both(Anchors::Own(x), v),
        };
        Ok(Self { form, size, rows, pairs })
    }

    /// The active visits of `problem`, with these impostors.
    pub(crate) fn new(
        problem: &LearnProblem<'a>,
        impostors: impl Fn(usize) -> Vec<u32> + Sync,
        run: &Run,
    ) -> Result<Self> {
        let rows = problem.rows();
        let (form, size) = (problem.form(), rows.columns());
        let active: Vec<usize> = problem.active().collect();
        run.check(0, 1)?;
        let pull = |at: usize| {
            let near = impostors(at);
            problem.pull(at, near.len(), near)
        };
        let row = |at: usize| rows.row(problem.anchor(at));
        let pairs = run.install(|| match (form, rows.is_sparse()) {
            (Form::Diagonal, false) => {
                let mut cells = vec![0.0; active.len() * size];
                let out = cells.par_chunks_mut(size.max(1)).zip(&active);
                out.for_each(|(out, &at)| {
                    let pull = pull(at);
                    row(at).each(|l, x| out[l] = x * pull[l]);
                });
                Pairs::Products(cells)
            }
            (Form::Diagonal, true) => {
                let products = |&at: &usize| {
                    let (pull, mut cells) = (pull(at), Vec::new());
                    row(at).each(|l, x| cells.push((l as u32, x * pull[l])));
                    cells
                };
                let found: Vec<Vec<(u32, f64)>> = active.par_iter().map(products).collect();
                let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
                for cells in found {
                    columns.extend(cells.iter().map(|cell| cell.0));
                    values.extend(cells.iter().map(|cell| cell.1));
                    starts.push(values.len());
                }
                Pairs::Sparse(starts, columns, values)
            }
            _ => {
                let mut pulls = vec![0.0; active.len() * size];
                let out = pulls.par_chunks_mut(size.max(1)).zip(&active);
                out.for_each(|(v, &at)| v.copy_from_slice(&pull(at)));
                let anchors = active.iter().map(|&at| problem.anchor(at)).collect();
                Pairs::Both(Anchors::Among(rows, anchors), pulls)
            }
        })?;
        Ok(Self { form, size, rows: active.len(), pairs })
    }

    /// Number of rows with a margin.
    pub fn rows(&self) -> usize {
        self.rows
    }

    fn products(&self, i: usize) -> Row<'_> {
        match &self.pairs {
            Pairs::Products(cells) => Row::Dense(&cells[i * self.size..][..self.size]),
            Pairs::Sparse(starts, columns, values) => {
                let cells = starts[i]..starts[i + 1];
                Row::Sparse(&columns[cells.clone()], &values[cells])
            }
            Pairs::Both(..) | Pairs::Elsewhere(_) => Row::Dense(&[]),
        }
    }

    /// m_i(A) of every row.
    ///
    /// # Errors
    /// A matrix of another size or a wider form, or the run was stopped.
    pub fn margins(&self, matrix: &SquareMatrix, run: &Run) -> Result<Vec<f64>> {
        if let Pairs::Elsewhere(asked) = &self.pairs {
            return asked.0.margins(matrix);
        }
        let wide = if self.form == Form::Diagonal { Form::Diagonal } else { Form::Full };
        let Some(matrix) = matrix.in_form(wide).filter(|matrix| matrix.size() == self.size) else {
            let (matrix, columns) = (matrix.size(), self.size);
            return Err(LearnError::MatrixOfOtherSize { matrix, columns }.into());
        };
        let Pairs::Both(x, v) = &self.pairs else {
            let of = |i: usize| self.products(i).dot(matrix.cells());
            return run.install(|| (0..self.rows).into_par_iter().map(of).collect());
        };
        let (size, width) = (self.size, padded(self.size));
        let cells = strips(matrix.cells(), size);
        let block = |(block, margins): (usize, &mut [f64])| {
            let anchors = self.anchors(x, block, |_| 1.0);
            let mut projected = vec![0.0; margins.len() * width];
            add_product(&anchors, (size, 1), &cells, size, &mut projected, width);
            let pulls = v[block * BLOCK * size..].chunks_exact(size.max(1));
            for ((margin, x), v) in margins.iter_mut().zip(projected.chunks_exact(width)).zip(pulls)
            {
                *margin = dot(&x[..size], v);
            }
        };
        let mut margins = vec![0.0; self.rows];
        run.install(|| margins.par_chunks_mut(BLOCK).enumerate().for_each(block))?;
        Ok(margins)
    }

    /// The rows of one block, each times its weight.
    fn anchors(&self, x: &Anchors, block: usize, weight: impl Fn(usize) -> f64) -> Vec<f64> {
        let rows = block * BLOCK..((block + 1) * BLOCK).min(self.rows);
        let mut cells = vec![0.0; rows.len() * self.size];
        for (out, i) in cells.chunks_exact_mut(self.size.max(1)).zip(rows) {
            let weight = weight(i);
            x.row(i, self.size).each(|l, x| out[l] = weight * x);
        }
        cells
    }

    /// Σ_i w_i x_i v_iᵀ in the form of the problem: its diagonal, its symmetric part, or all.
    ///
    /// Threads sum blocks of rows, which are added in order: any number gives the same bits.
    ///
    /// # Errors
    /// A sum that is no finite number, or the run was stopped.
    pub fn weighted(
        &self,
        weight: impl Fn(usize) -> f64 + Sync,
        run: &Run,
    ) -> Result<SquareMatrix> {
        let mut cells = match &self.pairs {
            Pairs::Elsewhere(asked) => {
                let weights: Vec<f64> = (0..self.rows).map(weight).collect();
                asked.0.weighted(&weights)?
            }
            _ => {
                let mut cells = vec![0.0; self.held()];
                for block in self.weighted_blocks(weight, run)? {
                    cells.iter_mut().zip(&block).for_each(|(sum, part)| *sum += part);
                }
                cells
            }
        };
        let size = self.size;
        if self.form == Form::Symmetric {
            for l in 0..size {
                for m in 0..l {
                    let mean = 0.5 * (cells[l * size + m] + cells[m * size + l]);
                    (cells[l * size + m], cells[m * size + l]) = (mean, mean);
                }
            }
        }
        SquareMatrix::new(self.form, size, cells)
    }

    /// Cells of a sum of rows, before it is made symmetric.
    fn held(&self) -> usize {
        if self.form == Form::Diagonal { self.size } else { self.size * self.size }
    }

    /// The sums of [`Fixed::BLOCK`] rows each that [`Fixed::weighted`] adds up, in order.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn weighted_blocks(
        &self,
        weight: impl Fn(usize) -> f64 + Sync,
        run: &Run,
    ) -> Result<Vec<Vec<f64>>> {
        let (size, width) = (self.size, padded(self.size));
        let block = |block: usize| {
            let rows = block * BLOCK..((block + 1) * BLOCK).min(self.rows);
            let Pairs::Both(x, v) = &self.pairs else {
                let mut cells = vec![0.0; self.held()];
                rows.for_each(|i| self.products(i).add_to(weight(i), &mut cells));
                return cells;
            };
            let pulls = strips(&v[rows.start * size..rows.end * size], size);
            let anchors = self.anchors(x, block, &weight);
            let mut cells = vec![0.0; size * width];
            add_product(&anchors, (1, size), &pulls, rows.len(), &mut cells, width);
            cells.chunks_exact(width).flat_map(|row| &row[..size]).copied().collect()
        };
        run.install(|| (0..self.rows.div_ceil(BLOCK)).into_par_iter().map(block).collect())
    }
}
