//! Rows of numbers, dense or sparse, for what needs inner products.

use nearkin::data::{Sparse, TableRows};
use nearkin::measure::Vectors;
use pyo3::prelude::*;

use crate::arrays::{self, Array1, Cells, ColumnSpec};
use crate::exception;

/// A matrix of numbers: compressed sparse rows, or every cell.
#[derive(FromPyObject)]
pub enum NumberRows<'py> {
    #[pyo3(annotation = "row starts, columns and values")]
    Sparse(Array1<'py, u64>, Array1<'py, u32>, Array1<'py, f64>),
    #[pyo3(transparent, annotation = "float64 or float32 array")]
    Dense(Cells<'py>),
}

/// Rows as the core takes them: an array is borrowed.
pub enum Numbers<'a> {
    Table(TableRows<'a>),
    Sparse(Sparse),
}

impl Numbers<'_> {
    pub fn view(&self) -> Vectors<'_> {
        match self {
            Self::Table(rows) => rows.into(),
            Self::Sparse(rows) => rows.into(),
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
            let width = names.as_ref().map(Vec::len).or(width).unwrap_or_default();
            let names = names.unwrap_or_else(|| arrays::made_up(width));
            let starts = starts.as_array().iter().map(|&start| start as usize).collect();
            let (at, values) = (at.as_array().to_vec(), values.as_array().to_vec());
            Sparse::new(names, starts, at, values).map(Numbers::Sparse).map_err(exception)
        }
    }
}
