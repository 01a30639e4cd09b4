//! [`TableRows`]: rows of known numbers, read where the columns of a table hold them.

use std::collections::HashMap;
use std::ops::Range;

use super::table::{Array, whole_array};
use super::{Column, ColumnValues, Dense, Table};
use crate::{DataError, Result};

/// The number of rows and columns that are transposed at a time, so that both sides of a copy stay
/// in cache.
const BLOCK: usize = 64;

/// The columns of a table as rows of finite numbers, for inner products. Nothing is copied: a user
/// of the rows reads them once, in their own precision.
///
/// ```
/// use nearkin::data::{Column, Table, TableRows};
/// let table = Table::new(vec![
///     Column::numeric("x", vec![1.0, 2.0]),
///     Column::numeric("y", vec![3.0, 4.0]),
/// ])?;
/// let rows = TableRows::of(&table)?;
/// assert_eq!(rows.to_dense()?.row(1), [2.0, 4.0]);
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TableRows<'a> {
    names: Vec<String>,
    table: Table<'a>,
}

impl<'a> TableRows<'a> {
    /// All columns of a table, which must be numeric and without missing cells.
    ///
    /// # Errors
    /// A nominal column, or the first missing cell.
    pub fn new(table: Table<'a>) -> Result<Self> {
        if let Some(column) = table.columns().iter().find(|column| column.is_nominal()) {
            let kind = column.kind();
            return Err(DataError::NotNumeric { column: column.name.clone(), kind }.into());
        }
        if table.has_missing() {
            let first = |(at, column): (usize, &Column)| {
                (0..table.rows()).find(|&row| column.is_missing(row)).map(|row| (row, at))
            };
            let found = table.columns().iter().enumerate().filter_map(first).min();
            let (row, at) = found.unwrap_or_default();
            let column = table.columns()[at].name.clone();
            return Err(DataError::NotFinite { row, column, missing: true }.into());
        }
        Ok(Self { names: table.names().map(str::to_owned).collect(), table })
    }

    /// All columns of a table, borrowed.
    ///
    /// # Errors
    /// The errors of [`TableRows::new`].
    pub fn of(table: &'a Table) -> Result<Self> {
        Self::new(table.view())
    }

    /// The columns called `names`, in that order and borrowed; others are left out.
    ///
    /// # Errors
    /// A name that is absent, and the errors of [`TableRows::new`].
    pub fn select(table: &'a Table, names: &[String]) -> Result<Self> {
        let places: HashMap<&str, usize> =
            table.names().enumerate().map(|(at, name)| (name, at)).collect();
        let place = |name: &String| {
            let absent = || DataError::MissingLearnedColumn { column: name.clone() };
            places.get(name.as_str()).copied().ok_or_else(absent)
        };
        Self::new(table.select_columns(&names.iter().map(place).collect::<Result<Vec<_>, _>>()?))
    }

    /// The given rows, in that order and as precise as they are here.
    pub fn select_rows(&self, rows: &[usize]) -> TableRows<'static> {
        TableRows { names: self.names.clone(), table: self.table.select_rows(rows) }
    }

    /// The same rows in double precision, row after row.
    ///
    /// # Errors
    /// None: the cells were checked before.
    pub fn to_dense(&self) -> Result<Dense> {
        Dense::new(self.names.clone(), self.cells(self.names.len()))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.table.rows()
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// The columns' names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// True when every number is of single precision.
    pub fn is_single(&self) -> bool {
        self.table.columns().iter().all(|column| matches!(column.values, ColumnValues::F32(_)))
    }

    /// Call `tell` with every cell: row, column, value; those of a column in order of row.
    pub(crate) fn each(&self, mut tell: impl FnMut(usize, usize, f64)) {
        let width = self.columns();
        let at = |cell: usize| (cell / width, cell % width);
        match whole_array(&self.in_order()) {
            Some(Array::F64(cells)) => {
                cells.iter().enumerate().for_each(|(cell, &x)| tell(at(cell).0, at(cell).1, x));
            }
            Some(Array::F32(cells)) => {
                let cells = cells.iter().enumerate();
                cells.for_each(|(cell, &x)| tell(at(cell).0, at(cell).1, f64::from(x)));
            }
            None => {
                for (column, of) in self.table.columns().iter().enumerate() {
                    let mut row = 0;
                    f64::read(&of.values, 0..self.rows(), |x| {
                        tell(row, column, x);
                        row += 1;
                    });
                }
            }
        }
    }

    /// The cells of row after row. Each row is `width` numbers, and its own cells come first. In
    /// single precision only if [`TableRows::is_single`].
    pub(crate) fn cells<T: Cell>(&self, width: usize) -> Vec<T> {
        let (rows, columns) = (self.rows(), self.columns());
        let whole = whole_array(&self.in_order());
        if let Some(cells) = whole.and_then(|array| T::widened(array, columns, width)) {
            return cells;
        }
        let mut out = vec![T::default(); rows * width];
        for first in (0..rows).step_by(BLOCK) {
            let block = first..(first + BLOCK).min(rows);
            let out = &mut out[first * width..block.end * width];
            for (at, column) in self.table.columns().iter().enumerate() {
                let mut place = at;
                T::read(&column.values, block.clone(), |x| {
                    out[place] = x;
                    place += width;
                });
            }
        }
        out
    }

    fn in_order(&self) -> Vec<&Column<'a>> {
        self.table.columns().iter().collect()
    }
}

/// Type of a cell of a row.
pub(crate) trait Cell: Copy + Default {
    /// The cells of an array, rows of `columns` as rows of `width`, where this holds them.
    fn widened(array: Array<'_>, columns: usize, width: usize) -> Option<Vec<Self>>;

    /// Call `put` with the cells of a column at some rows.
    fn read(values: &ColumnValues, rows: Range<usize>, put: impl FnMut(Self));
}

impl Cell for f64 {
    fn widened(array: Array<'_>, columns: usize, width: usize) -> Option<Vec<Self>> {
        Some(match array {
            Array::F64(cells) => widened(cells, columns, width),
            Array::F32(cells) => widened(cells, columns, width),
        })
    }

    fn read(values: &ColumnValues, rows: Range<usize>, put: impl FnMut(Self)) {
        match values {
            ColumnValues::F64(lane) => lane.part(rows).for_each(put),
            ColumnValues::F32(lane) => lane.part(rows).map(f64::from).for_each(put),
            ColumnValues::Genotype(cells) => {
                rows.map(|row| cells.at(row).map_or(f64::NAN, f64::from)).for_each(put);
            }
            ColumnValues::Nominal { .. } => {}
        }
    }
}

impl Cell for f32 {
    fn widened(array: Array<'_>, columns: usize, width: usize) -> Option<Vec<Self>> {
        match array {
            Array::F32(cells) => Some(widened(cells, columns, width)),
            Array::F64(_) => None,
        }
    }

    fn read(values: &ColumnValues, rows: Range<usize>, put: impl FnMut(Self)) {
        if let ColumnValues::F32(lane) = values {
            lane.part(rows).for_each(put);
        }
    }
}

fn widened<S: Copy, T: Cell + From<S>>(cells: &[S], columns: usize, width: usize) -> Vec<T> {
    if width == columns {
        return cells.iter().map(|&x| x.into()).collect();
    }
    let mut out = vec![T::default(); cells.len() / columns * width];
    for (row, out) in cells.chunks_exact(columns).zip(out.chunks_exact_mut(width)) {
        out.iter_mut().zip(row).for_each(|(o, &x)| *o = x.into());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Lane;

    /// The numbers 0 to 5 as a table of two rows: a row-major array, or columns of their own.
    fn table(cells: &[f32], row_major: bool) -> Table<'_> {
        let lane = |at: usize| match row_major {
            true => Lane::borrowed(cells, at, 3, 2).unwrap(),
            false => Lane::owned(vec![cells[at], cells[at + 3]]),
        };
        let column =
            |at: usize| Column { name: format!("x{at}"), values: ColumnValues::F32(lane(at)) };
        Table::new((0..3).map(column).collect()).unwrap()
    }

    #[test]
    fn rows_are_the_same_however_columns_lie() {
        let cells = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let arrays = [table(&cells, true), table(&cells, false)];
        for rows in arrays.iter().map(|table| TableRows::of(table).unwrap()) {
            assert!(rows.is_single());
            assert_eq!(rows.cells::<f32>(3), cells);
            assert_eq!(rows.cells::<f64>(4), [0.0, 1.0, 2.0, 0.0, 3.0, 4.0, 5.0, 0.0]);
            assert_eq!(rows.select_rows(&[1]).cells::<f64>(3), [3.0, 4.0, 5.0]);
            let mut told = [0.0; 6];
            rows.each(|row, column, x| told[row * 3 + column] = x);
            assert_eq!(told, cells.map(f64::from));
        }
    }

    #[test]
    fn a_long_table_is_turned_block_by_block() {
        let column = |at: usize| {
            let cells = (0..150).map(|row| (row * 2 + at) as f64).collect();
            Column::numeric(at.to_string(), cells)
        };
        let table = Table::new(vec![column(0), column(1)]).unwrap();
        let cells: Vec<f64> = TableRows::of(&table).unwrap().cells(2);
        assert_eq!(cells, (0..300).map(f64::from).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_no_number_is_refused_by_row_and_column() {
        let refuse = |column: Column<'static>| {
            let table = Table::new(vec![Column::numeric("x", vec![1.0, f64::NAN]), column]);
            TableRows::new(table.unwrap()).unwrap_err().to_string()
        };
        let holes = refuse(Column::numeric("y", vec![f64::NAN, 2.0]));
        assert!(holes.starts_with("row 0, column `y`: the value is missing"), "{holes}");
        let words = refuse(Column::nominal("w", &[Some("a"), Some("b")]).unwrap());
        assert!(words.contains("`w` is nominal"), "{words}");
    }

    #[test]
    fn columns_are_found_by_name() {
        let cells = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let table = table(&cells, true);
        let names = |names: &[&str]| names.iter().map(|&name| name.into()).collect::<Vec<_>>();
        let picked = TableRows::select(&table, &names(&["x2", "x0"])).unwrap();
        assert_eq!(picked.cells::<f64>(2), [2.0, 0.0, 5.0, 3.0]);
        assert!(TableRows::select(&table, &names(&["z"])).unwrap_err().to_string().contains("`z`"));
    }
}
