//! Rows of numbers, dense or sparse, for what needs inner products.

use nearkin::data::{Sparse, TableRows};
use nearkin::measure::Vectors;
use numpy::Element;
use pyo3::prelude::*;

use crate::arrays::{self, Array1, Cells, ColumnSpec};
use crate::exception;

/// A matrix of numbers: compressed sparse rows, or every cell.
#[derive(FromPyObject)]
pub enum NumberRows<'py> {
    #[pyo3(annotation = "row starts, columns and values")]
    Sparse(Array1<'py, u64>, Array1<'py, u32>, Array1<'py, f64>),
    #[pyo3(annotation = "row starts, columns and values in single precision")]
    SparseSingle(Array1<'py, u64>, Array1<'py, u32>, Array1<'py, f32>),
    #[pyo3(transparent, annotation = "float64 or float32 array")]
    Dense(Cells<'py>),
}

/// Rows as the core takes them: an array is borrowed.
pub enum Numbers<'a> {
    Table(TableRows<'a>),
    Sparse(Sparse),
    SparseSingle(Sparse<f32>),
}

impl Numbers<'_> {
    pub fn view(&self) -> Vectors<'_> {
        match self {
            Self::Table(rows) => rows.into(),
            Self::Sparse(rows) => rows.into(),
            Self::SparseSingle(rows) => rows.into(),
        }
    }

    pub fn len(&self) -> usize {
        self.view().rows()
    }
}

/// The rows of `x` under these names; `columns` says where the features of dense ones are.
pub fn numbers<'a>(
    x: &'a NumberRows<'_>,
    columns: Option<&'a [ColumnSpec<'_>]>,
    names: Option<Vec<String>>,
    width: Option<usize>,
) -> PyResult<Numbers<'a>> {
    match x {
        NumberRows::Dense(cells) => {
            let table = arrays::table(cells, columns, names)?;
            TableRows::new(table).map(Numbers::Table).map_err(exception)
        }
        NumberRows::Sparse(starts, at, values) => {
            sparse(starts, at, values, names, width).map(Numbers::Sparse)
        }
        NumberRows::SparseSingle(starts, at, values) => {
            sparse(starts, at, values, names, width).map(Numbers::SparseSingle)
        }
    }
}

/// Compressed sparse rows, in the precision they have.
fn sparse<T: Element + Copy + Into<f64>>(
    starts: &Array1<'_, u64>,
    at: &Array1<'_, u32>,
    values: &Array1<'_, T>,
    names: Option<Vec<String>>,
    width: Option<usize>,
) -> PyResult<Sparse<T>> {
    let width = names.as_ref().map(Vec::len).or(width).unwrap_or_default();
    let names = names.unwrap_or_else(|| arrays::made_up(width));
    let starts = starts.as_array().iter().map(|&start| start as usize).collect();
    let (at, values) = (at.vec(), values.vec());
    Sparse::new(names, starts, at, values).map_err(exception)
}
