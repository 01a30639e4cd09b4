//! [`Vectors`]: rows of numbers, dense or sparse, and one of them, [`Row`].

use super::dot;
use super::matrix::dot_of;
use crate::data::{Dense, Sparse, TableRows};

/// Borrowed rows of numbers of either kind.
#[derive(Debug, Clone, Copy)]
pub enum Vectors<'a> {
    /// Every cell is there.
    Dense(&'a Dense),
    /// Every cell is there, in the columns of a table.
    Table(&'a TableRows<'a>),
    /// Cells that are not there are 0.
    Sparse(&'a Sparse),
    /// The same in single precision.
    SparseSingle(&'a Sparse<f32>),
}

/// Conversions of each kind of rows.
macro_rules! rows_of {
    ($owner:ty: $([$($a:lifetime)?] $rows:ty => $variant:ident),* $(,)?) => {$(
        impl<$($a)?> From<$rows> for $owner {
            fn from(rows: $rows) -> Self {
                Self::$variant(rows)
            }
        }
    )*};
}
rows_of! {
    Vectors<'a>:
    ['a] &'a Dense => Dense,
    ['a] &'a TableRows<'a> => Table,
    ['a] &'a Sparse => Sparse,
    ['a] &'a Sparse<f32> => SparseSingle,
}
rows_of! { OwnedVectors: [] Dense => Dense, [] TableRows<'static> => Table, [] Sparse => Sparse }

impl<'a> Vectors<'a> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(rows) => rows.rows(),
            Self::Table(rows) => rows.rows(),
            Self::Sparse(rows) => rows.rows(),
            Self::SparseSingle(rows) => rows.rows(),
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
            Self::Table(rows) => rows.names(),
            Self::Sparse(rows) => rows.names(),
            Self::SparseSingle(rows) => rows.names(),
        }
    }

    /// True for sparse rows.
    pub fn is_sparse(&self) -> bool {
        matches!(self, Self::Sparse(_) | Self::SparseSingle(_))
    }

    /// The given rows, in that order.
    pub fn select_rows(&self, chosen: &[usize]) -> OwnedVectors {
        match self {
            Self::Dense(rows) => rows.select_rows(chosen).into(),
            Self::Table(rows) => rows.select_rows(chosen).into(),
            Self::Sparse(rows) => rows.select_rows(chosen).into(),
            Self::SparseSingle(rows) => rows.select_rows(chosen).to_double().into(),
        }
    }

    /// Call `tell` with every stored cell: row, column, value; those of a column in order of row.
    pub(crate) fn each(&self, mut tell: impl FnMut(usize, usize, f64)) {
        match self {
            Self::Table(rows) => rows.each(tell),
            Self::Dense(rows) => {
                for row in 0..rows.rows() {
                    Row::Dense(rows.row(row)).each(|column, x| tell(row, column, x));
                }
            }
            Self::Sparse(rows) => {
                for row in 0..rows.rows() {
                    let (columns, values) = rows.row(row);
                    Row::Sparse(columns, values).each(|column, x| tell(row, column, x));
                }
            }
            Self::SparseSingle(rows) => {
                for row in 0..rows.rows() {
                    let (columns, values) = rows.row(row);
                    let cells = columns.iter().zip(values);
                    cells.for_each(|(&column, &x)| tell(row, column as usize, f64::from(x)));
                }
            }
        }
    }
}

/// Rows of numbers of either kind.
#[derive(Debug, Clone, PartialEq)]
pub enum OwnedVectors {
    /// Every cell is there.
    Dense(Dense),
    /// Every cell is there, in the columns of a table.
    Table(TableRows<'static>),
    /// Cells that are not there are 0.
    Sparse(Sparse),
}

impl OwnedVectors {
    /// The rows, borrowed.
    pub fn vectors(&self) -> Vectors<'_> {
        match self {
            Self::Dense(rows) => rows.into(),
            Self::Table(rows) => rows.into(),
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
    /// All cells, in single precision; what is made of them is in double.
    Single(&'a [f32]),
    /// Columns, rising, and their values.
    Sparse(&'a [u32], &'a [f64]),
}

impl Row<'_> {
    /// Call `tell` with every stored cell: column, value.
    pub fn each(self, mut tell: impl FnMut(usize, f64)) {
        match self {
            Self::Dense(cells) => cells.iter().enumerate().for_each(|(c, &x)| tell(c, x)),
            Self::Single(cells) => {
                cells.iter().enumerate().for_each(|(c, &x)| tell(c, f64::from(x)));
            }
            Self::Sparse(columns, values) => {
                columns.iter().zip(values).for_each(|(&c, &x)| tell(c as usize, x));
            }
        }
    }

    /// The inner product with a dense vector.
    ///
    /// Lower bound: a multiply-add for each stored cell.
    #[inline]
    pub fn dot(self, dense: &[f64]) -> f64 {
        match self {
            Self::Dense(cells) => dot(dense, cells),
            Self::Single(cells) => dot_of(dense, cells),
            Self::Sparse(columns, values) => {
                columns.iter().zip(values).map(|(&c, x)| dense[c as usize] * x).sum()
            }
        }
    }

    /// The inner product with another row.
    pub fn inner(self, other: Row) -> f64 {
        match (self, other) {
            (Self::Dense(cells), other) => other.dot(cells),
            (row, Row::Dense(cells)) => row.dot(cells),
            (Self::Single(left), Row::Single(right)) => dot_of(left, right),
            (Self::Single(cells), Row::Sparse(columns, values)) => {
                let pairs = columns.iter().zip(values);
                pairs.map(|(&c, x)| f64::from(cells[c as usize]) * x).sum()
            }
            (row @ Self::Sparse(..), other @ Row::Single(_)) => other.inner(row),
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
            _ => self.each(|column, x| out[column] += scale * x),
        }
    }

    /// Σ x².
    pub fn squared(self) -> f64 {
        match self {
            Self::Dense(cells) => dot(cells, cells),
            Self::Single(cells) => dot_of(cells, cells),
            Self::Sparse(_, values) => dot(values, values),
        }
    }

    /// True when every cell is 0.
    pub(crate) fn is_zero(self) -> bool {
        match self {
            Self::Dense(values) | Self::Sparse(_, values) => values.iter().all(|&x| x == 0.0),
            Self::Single(values) => values.iter().all(|&x| x == 0.0),
        }
    }

    /// Write the row over a dense vector.
    pub(crate) fn write(self, out: &mut [f64]) {
        match self {
            Self::Dense(cells) => out.copy_from_slice(cells),
            Self::Single(cells) => {
                out.iter_mut().zip(cells).for_each(|(o, &x)| *o = f64::from(x));
            }
            Self::Sparse(..) => {
                out.fill(0.0);
                self.each(|column, x| out[column] = x);
            }
        }
    }

    /// The row as a dense vector of `size` numbers.
    pub fn to_vec(self, size: usize) -> Vec<f64> {
        let mut cells = vec![0.0; size];
        self.each(|column, x| cells[column] = x);
        cells
    }
}
