//! [`Vectors`]: rows of numbers, dense or sparse, and one of them, [`Row`].

use super::dot;
use crate::data::{Dense, Sparse};

/// Borrowed rows of numbers of either kind.
#[derive(Debug, Clone, Copy)]
pub enum Vectors<'a> {
    /// Every cell is there.
    Dense(&'a Dense),
    /// Cells that are not there are 0.
    Sparse(&'a Sparse),
}

impl<'a> From<&'a Dense> for Vectors<'a> {
    fn from(rows: &'a Dense) -> Self {
        Self::Dense(rows)
    }
}

impl<'a> From<&'a Sparse> for Vectors<'a> {
    fn from(rows: &'a Sparse) -> Self {
        Self::Sparse(rows)
    }
}

impl<'a> Vectors<'a> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(rows) => rows.rows(),
            Self::Sparse(rows) => rows.rows(),
        }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.names().len()
    }

    /// The columns' names in order.
    pub fn names(&self) -> &'a [String] {
        match self {
            Self::Dense(rows) => rows.names(),
            Self::Sparse(rows) => rows.names(),
        }
    }

    /// True for sparse rows.
    pub fn is_sparse(&self) -> bool {
        matches!(self, Self::Sparse(_))
    }

    /// Row `row`.
    pub fn row(&self, row: usize) -> Row<'a> {
        match self {
            Self::Dense(rows) => Row::Dense(rows.row(row)),
            Self::Sparse(rows) => {
                let (columns, values) = rows.row(row);
                Row::Sparse(columns, values)
            }
        }
    }

    /// The given rows, in that order.
    pub fn select_rows(&self, chosen: &[usize]) -> OwnedVectors {
        match self {
            Self::Dense(rows) => rows.select_rows(chosen).into(),
            Self::Sparse(rows) => rows.select_rows(chosen).into(),
        }
    }

    /// Tell every stored cell: row, column, value.
    pub(crate) fn each(&self, mut tell: impl FnMut(usize, usize, f64)) {
        for row in 0..self.rows() {
            self.row(row).each(|column, x| tell(row, column, x));
        }
    }
}

/// Rows of numbers of either kind.
#[derive(Debug, Clone, PartialEq)]
pub enum OwnedVectors {
    /// Every cell is there.
    Dense(Dense),
    /// Cells that are not there are 0.
    Sparse(Sparse),
}

impl From<Dense> for OwnedVectors {
    fn from(rows: Dense) -> Self {
        Self::Dense(rows)
    }
}

impl From<Sparse> for OwnedVectors {
    fn from(rows: Sparse) -> Self {
        Self::Sparse(rows)
    }
}

impl OwnedVectors {
    /// The rows, borrowed.
    pub fn vectors(&self) -> Vectors<'_> {
        match self {
            Self::Dense(rows) => rows.into(),
            Self::Sparse(rows) => rows.into(),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.vectors().rows()
    }
}

/// One row: all its cells, or the columns and values of those that are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Row<'a> {
    /// All cells.
    Dense(&'a [f64]),
    /// Columns, rising, and their values.
    Sparse(&'a [u32], &'a [f64]),
}

impl Row<'_> {
    /// Tell every stored cell: column, value.
    pub fn each(self, mut tell: impl FnMut(usize, f64)) {
        match self {
            Self::Dense(cells) => cells.iter().enumerate().for_each(|(c, &x)| tell(c, x)),
            Self::Sparse(columns, values) => {
                columns.iter().zip(values).for_each(|(&c, &x)| tell(c as usize, x));
            }
        }
    }

    /// The inner product with a dense vector.
    #[inline]
    pub fn dot(self, dense: &[f64]) -> f64 {
        match self {
            Self::Dense(cells) => dot(dense, cells),
            Self::Sparse(columns, values) => {
                columns.iter().zip(values).map(|(&c, x)| dense[c as usize] * x).sum()
            }
        }
    }

    /// The inner product with another row of the same kind.
    pub fn inner(self, other: Row) -> f64 {
        match (self, other) {
            (Self::Dense(cells), other) => other.dot(cells),
            (row, Row::Dense(cells)) => row.dot(cells),
            (Self::Sparse(left, xs), Row::Sparse(right, ys)) => {
                let (mut i, mut j, mut sum) = (0, 0, 0.0);
                while i < left.len() && j < right.len() {
                    match left[i].cmp(&right[j]) {
                        std::cmp::Ordering::Less => i += 1,
                        std::cmp::Ordering::Greater => j += 1,
                        std::cmp::Ordering::Equal => {
                            sum += xs[i] * ys[j];
                            (i, j) = (i + 1, j + 1);
                        }
                    }
                }
                sum
            }
        }
    }

    /// Add `scale` times the row to a dense vector.
    pub fn add_to(self, scale: f64, out: &mut [f64]) {
        match self {
            Self::Dense(cells) => out.iter_mut().zip(cells).for_each(|(o, x)| *o += scale * x),
            Self::Sparse(..) => self.each(|column, x| out[column] += scale * x),
        }
    }

    /// Σ x².
    pub fn squared(self) -> f64 {
        match self {
            Self::Dense(cells) => dot(cells, cells),
            Self::Sparse(_, values) => dot(values, values),
        }
    }

    /// The row as a dense vector of `size` numbers.
    pub fn to_vec(self, size: usize) -> Vec<f64> {
        let mut cells = vec![0.0; size];
        self.each(|column, x| cells[column] = x);
        cells
    }
}
