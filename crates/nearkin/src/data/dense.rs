//! [`Dense`]: named columns of known numbers, row after row in one array.

use std::collections::HashMap;

use super::{Column, Table, Values};
use crate::{Error, Result};

/// Rows of finite numbers, row-major. What inner products are taken of.
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
    pub fn new(names: Vec<String>, cells: Vec<f64>) -> Result<Self> {
        let columns = names.len();
        if columns == 0 {
            return Err(Error::data("the table has no feature columns"));
        }
        if !cells.len().is_multiple_of(columns) {
            return Err(Error::data(format!(
                "{} numbers do not fill rows of {columns} columns",
                cells.len()
            )));
        }
        if let Some(at) = cells.iter().position(|x| !x.is_finite()) {
            let what = if cells[at].is_nan() { "missing" } else { "infinite" };
            return Err(Error::data(format!(
                "row {}, column `{}`: the value is {what}; similarities need finite numbers, so \
                 fill it in or drop the row",
                at / columns,
                names[at % columns]
            )));
        }
        Ok(Self { rows: cells.len() / columns, names, cells })
    }

    /// All columns of a table, which must be numeric and without missing cells.
    pub fn from_table(table: &Table) -> Result<Self> {
        let columns: Vec<&Column> = table.columns().iter().collect();
        Self::of_columns(&columns, table.rows())
    }

    /// The columns called `names`, in that order; others are left out.
    pub fn select(table: &Table, names: &[String]) -> Result<Self> {
        let by_name: HashMap<&str, &Column> =
            table.columns().iter().map(|column| (column.name.as_str(), column)).collect();
        let columns = names.iter().map(|name| {
            by_name.get(name.as_str()).copied().ok_or_else(|| {
                Error::data(format!(
                    "the table has no column `{name}`, which the similarity was learned on"
                ))
            })
        });
        Self::of_columns(&columns.collect::<Result<Vec<_>>>()?, table.rows())
    }

    fn of_columns(columns: &[&Column], rows: usize) -> Result<Self> {
        let width = columns.len();
        let mut cells = vec![0.0; rows * width];
        for (at, column) in columns.iter().enumerate() {
            let mut put = |row: usize, value: f64| cells[row * width + at] = value;
            match &column.values {
                Values::F64(lane) => lane.iter().enumerate().for_each(|(row, x)| put(row, x)),
                Values::F32(lane) => {
                    lane.iter().enumerate().for_each(|(row, x)| put(row, f64::from(x)));
                }
                Values::Nominal { .. } | Values::Genotype(_) => {
                    return Err(Error::data(format!(
                        "column `{}` is {}, and inner products need numbers; turn its \
                         categories into 0/1 columns, or drop it",
                        column.name,
                        column.kind()
                    )));
                }
            }
        }
        Self::new(columns.iter().map(|c| c.name.clone()).collect(), cells)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_finite_number_is_refused_by_row_and_column() {
        let names = || vec!["a".to_owned(), "b".to_owned()];
        let refuse = |cells| Dense::new(names(), cells).unwrap_err().to_string();
        assert!(refuse(vec![1.0, 2.0, f64::NAN, 3.0]).contains("row 1, column `a`"));
        assert!(refuse(vec![1.0, f64::INFINITY]).contains("column `b`: the value is infinite"));
        assert!(refuse(vec![1.0]).contains("do not fill rows"));
        let words = Column::nominal("w", &[Some("x")]).unwrap();
        let table = Table::new(vec![words]).unwrap();
        assert!(Dense::from_table(&table).unwrap_err().to_string().contains("`w` is nominal"));
    }

    #[test]
    fn columns_are_found_by_name() {
        let table = Table::new(vec![
            Column::numeric("x", vec![1.0, 2.0]),
            Column::numeric("y", vec![3.0, 4.0]),
        ])
        .unwrap();
        assert_eq!(Dense::select(&table, &["y".into()]).unwrap().cells(), [3.0, 4.0]);
        assert!(Dense::select(&table, &["z".into()]).unwrap_err().to_string().contains("`z`"));
    }
}
