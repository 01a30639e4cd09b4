//! [`Dense`]: named columns of known numbers, row after row in one array.

use super::{Table, TableRows};
use crate::{DataError, Result};

/// Rows of finite numbers, row-major, for inner products.
///
/// ```
/// use nearkin::data::{Column, Dense, Table};
/// let table = Table::new(vec![
///     Column::numeric("x", vec![1.0, 2.0]),
///     Column::numeric("y", vec![3.0, 4.0]),
/// ])?;
/// assert_eq!(Dense::from_table(&table)?.row(1), [2.0, 4.0]);
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    names: Vec<String>,
    rows: usize,
    cells: Vec<f64>,
}

impl Dense {
    /// Rows from their cells, row after row; every number must be finite.
    ///
    /// # Errors
    /// No columns, cells that do not fill rows, or the first one that is not finite.
    pub fn new(names: Vec<String>, cells: Vec<f64>) -> Result<Self> {
        let columns = names.len();
        if columns == 0 {
            return Err(DataError::NoColumns.into());
        }
        if !cells.len().is_multiple_of(columns) {
            return Err(DataError::CellsDoNotFill { cells: cells.len(), columns }.into());
        }
        if let Some(at) = cells.iter().position(|x| !x.is_finite()) {
            let (row, column) = (at / columns, names[at % columns].clone());
            return Err(DataError::NotFinite { row, column, missing: cells[at].is_nan() }.into());
        }
        Ok(Self { rows: cells.len() / columns, names, cells })
    }

    /// A copy of all columns of a table, which must be numeric and without missing cells;
    /// [`TableRows`] needs none.
    ///
    /// # Errors
    /// The errors of [`TableRows::new`].
    pub fn from_table(table: &Table) -> Result<Self> {
        TableRows::of(table)?.to_dense()
    }

    /// The given rows, in that order.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let cells = rows.iter().flat_map(|&row| self.row(row)).copied().collect();
        Self { names: self.names.clone(), rows: rows.len(), cells }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// The columns' names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Row `row`.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.names.len()..][..self.names.len()]
    }

    /// All cells, row after row.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }
}
