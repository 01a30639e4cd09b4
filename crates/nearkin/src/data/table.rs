//! [`Table`]: named columns of numbers, categories or genotypes, owned or borrowed from the caller.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::Genotypes;
use crate::{DataError, Result};

/// The code of a missing nominal cell.
pub const MISSING: u16 = u16::MAX;

/// A column's numbers: contiguous, or every `stride`-th of a caller's row-major array.
#[derive(Debug, Clone, PartialEq)]
pub struct Lane<'a, T: Clone> {
    data: Cow<'a, [T]>,
    start: usize,
    stride: usize,
    len: usize,
}

impl<'a, T: Copy> Lane<'a, T> {
    /// A column that owns its numbers.
    pub fn owned(data: Vec<T>) -> Self {
        let len = data.len();
        Self { data: Cow::Owned(data), start: 0, stride: 1, len }
    }

    /// Column `start` of a borrowed array: cells `start`, `start + stride`, … `len` of them.
    ///
    /// Returns `None` when the array is too short for that, or the stride is 0.
    pub fn borrowed(data: &'a [T], start: usize, stride: usize, len: usize) -> Option<Self> {
        let last = match len {
            0 => return Some(Self { data: Cow::Borrowed(data), start: 0, stride: 1, len }),
            _ => (len - 1).checked_mul(stride)?.checked_add(start)?,
        };
        (last < data.len() && stride > 0).then_some(Self {
            data: Cow::Borrowed(data),
            start,
            stride,
            len,
        })
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Cell `row`.
    #[inline]
    pub fn at(&self, row: usize) -> T {
        self.data[self.start + row * self.stride]
    }

    /// The same cells, owned.
    pub fn into_owned(self) -> Lane<'static, T> {
        match self.data {
            Cow::Owned(data) => Lane { data: Cow::Owned(data), ..self },
            // Of a caller's array no more than the column is kept.
            Cow::Borrowed(_) => Lane::owned(self.iter().collect()),
        }
    }

    /// The same cells, borrowed.
    pub fn view(&self) -> Lane<'_, T> {
        Lane { data: Cow::Borrowed(&self.data), ..*self }
    }

    /// The cells as a slice, if they are adjacent in memory.
    pub fn as_slice(&self) -> Option<&[T]> {
        (self.stride == 1).then(|| &self.data[self.start..self.start + self.len])
    }

    /// All cells in row order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        let cells = self.data.get(self.start..).unwrap_or_default();
        cells.iter().step_by(self.stride).take(self.len).copied()
    }

    /// The cells of some rows, in order.
    pub(super) fn part(&self, rows: Range<usize>) -> impl Iterator<Item = T> + '_ {
        self.iter().skip(rows.start).take(rows.len())
    }

    /// The row-major array this is a column of, if it is: its cells, its width and which column.
    fn array(&self) -> Option<(&[T], usize, usize)> {
        let cells = self.data.get(..self.len * self.stride)?;
        (self.start < self.stride && self.stride > 1).then_some((cells, self.stride, self.start))
    }
}

/// A row-major array of numbers that columns of a table are columns of.
#[derive(Clone, Copy)]
pub(crate) enum Array<'c> {
    F64(&'c [f64]),
    F32(&'c [f32]),
}

impl Array<'_> {
    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::F64(a), Self::F64(b)) => std::ptr::eq(a, b),
            (Self::F32(a), Self::F32(b)) => std::ptr::eq(a, b),
            _ => false,
        }
    }

    fn is_finite(self) -> bool {
        // No early end, so that many cells are tested at once.
        match self {
            Self::F64(cells) => !cells.iter().fold(false, |some, x| some | x.is_infinite()),
            Self::F32(cells) => !cells.iter().fold(false, |some, x| some | x.is_infinite()),
        }
    }

    fn has_missing(self) -> bool {
        match self {
            Self::F64(cells) => cells.iter().fold(false, |some, x| some | x.is_nan()),
            Self::F32(cells) => cells.iter().fold(false, |some, x| some | x.is_nan()),
        }
    }
}

/// The cells of a column by kind. NaN is a missing number, [`MISSING`] a missing code.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnValues<'a> {
    /// Double precision numbers.
    F64(Lane<'a, f64>),
    /// Single precision numbers, kept as they are.
    F32(Lane<'a, f32>),
    /// Categories: a code a row and the name behind each code.
    Nominal {
        /// Index into `categories`, or [`MISSING`].
        codes: Vec<u16>,
        /// Category names in code order.
        categories: Vec<String>,
    },
    /// Copies of an allele, 0, 1 or 2: two bits a cell.
    Genotype(Genotypes<'a>),
}

/// A named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column<'a> {
    /// The column's name, unique in its table.
    pub name: String,
    /// Its cells.
    pub values: ColumnValues<'a>,
}

impl<'a> Column<'a> {
    /// A numeric column; NaN marks a missing cell.
    pub fn numeric(name: impl Into<String>, values: Vec<f64>) -> Self {
        Self { name: name.into(), values: ColumnValues::F64(Lane::owned(values)) }
    }

    /// A nominal column from cell texts; `None` marks a missing cell.
    ///
    /// Categories are sorted by name, so the codes do not depend on the order of rows.
    ///
    /// # Errors
    /// More categories than there are codes.
    pub fn nominal<S: AsRef<str>>(name: impl Into<String>, cells: &[Option<S>]) -> Result<Self> {
        let name = name.into();
        let mut categories: Vec<&str> = cells.iter().flatten().map(AsRef::as_ref).collect();
        categories.sort_unstable();
        categories.dedup();
        let code = |cell: &S| categories.binary_search(&cell.as_ref()).unwrap_or_default() as u16;
        let codes = cells.iter().map(|cell| cell.as_ref().map_or(MISSING, code)).collect();
        let categories: Vec<String> = categories.into_iter().map(str::to_owned).collect();
        Self::from_codes(name, codes, categories)
    }

    /// A nominal column from codes and the categories they stand for.
    ///
    /// # Errors
    /// More categories than there are codes, or the first code without one.
    pub fn from_codes(
        name: impl Into<String>,
        codes: Vec<u16>,
        categories: Vec<String>,
    ) -> Result<Self> {
        let name = name.into();
        if categories.len() >= usize::from(MISSING) {
            let (found, max) = (categories.len(), usize::from(MISSING - 1));
            return Err(DataError::TooManyCategories { column: name, found, max }.into());
        }
        if let Some(&code) =
            codes.iter().find(|&&c| c != MISSING && usize::from(c) >= categories.len())
        {
            let categories = categories.len();
            return Err(DataError::NoCategory { column: name, code, categories }.into());
        }
        Ok(Self { name, values: ColumnValues::Nominal { codes, categories } })
    }

    /// A column of genotypes.
    pub fn genotypes(name: impl Into<String>, cells: Genotypes<'a>) -> Self {
        Self { name: name.into(), values: ColumnValues::Genotype(cells) }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        match &self.values {
            ColumnValues::F64(lane) => lane.len(),
            ColumnValues::F32(lane) => lane.len(),
            ColumnValues::Nominal { codes, .. } => codes.len(),
            ColumnValues::Genotype(cells) => cells.len(),
        }
    }

    /// True when the column has no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True for categories, genotypes among them unless they are additive; false for numbers.
    pub fn is_nominal(&self) -> bool {
        match &self.values {
            ColumnValues::F64(_) | ColumnValues::F32(_) => false,
            ColumnValues::Nominal { .. } => true,
            ColumnValues::Genotype(cells) => !cells.is_additive(),
        }
    }

    /// Kind of its cells: `numeric`, `nominal` or `genotype`.
    pub fn kind(&self) -> &'static str {
        match self.values {
            ColumnValues::F64(_) | ColumnValues::F32(_) => "numeric",
            ColumnValues::Nominal { .. } => "nominal",
            ColumnValues::Genotype(_) => "genotype",
        }
    }

    /// True when the cell at `row` is missing.
    pub fn is_missing(&self, row: usize) -> bool {
        match &self.values {
            ColumnValues::F64(lane) => lane.at(row).is_nan(),
            ColumnValues::F32(lane) => lane.at(row).is_nan(),
            ColumnValues::Nominal { codes, .. } => codes[row] == MISSING,
            ColumnValues::Genotype(cells) => cells.at(row).is_none(),
        }
    }

    /// The number of missing cells.
    pub fn missing(&self) -> usize {
        match &self.values {
            ColumnValues::Genotype(cells) => cells.missing(),
            _ => (0..self.len()).filter(|&row| self.is_missing(row)).count(),
        }
    }

    /// The array this is a column of, its width and which column.
    pub(super) fn array(&self) -> Option<(Array<'_>, usize, usize)> {
        match &self.values {
            ColumnValues::F64(lane) => {
                lane.array().map(|(cells, w, at)| (Array::F64(cells), w, at))
            }
            ColumnValues::F32(lane) => {
                lane.array().map(|(cells, w, at)| (Array::F32(cells), w, at))
            }
            ColumnValues::Nominal { .. } | ColumnValues::Genotype(_) => None,
        }
    }

    fn shares_array(&self, other: &Self) -> bool {
        matches!((self.array(), other.array()), (Some((a, ..)), Some((b, ..))) if a.is(b))
    }

    fn infinite_row(&self) -> Option<usize> {
        match &self.values {
            ColumnValues::F64(lane) => lane.iter().position(f64::is_infinite),
            ColumnValues::F32(lane) => lane.iter().position(f32::is_infinite),
            ColumnValues::Nominal { .. } | ColumnValues::Genotype(_) => None,
        }
    }

    /// The same column, owned.
    pub fn into_owned(self) -> Column<'static> {
        let values = match self.values {
            ColumnValues::F64(lane) => ColumnValues::F64(lane.into_owned()),
            ColumnValues::F32(lane) => ColumnValues::F32(lane.into_owned()),
            ColumnValues::Nominal { codes, categories } => {
                ColumnValues::Nominal { codes, categories }
            }
            ColumnValues::Genotype(cells) => ColumnValues::Genotype(cells.into_owned()),
        };
        Column { name: self.name, values }
    }

    /// The same column, numbers borrowed.
    pub fn view(&self) -> Column<'_> {
        let values = match &self.values {
            ColumnValues::F64(lane) => ColumnValues::F64(lane.view()),
            ColumnValues::F32(lane) => ColumnValues::F32(lane.view()),
            ColumnValues::Genotype(cells) => ColumnValues::Genotype(cells.view()),
            nominal => nominal.clone(),
        };
        Column { name: self.name.clone(), values }
    }

    /// The column at the given rows, owned.
    pub fn select(&self, rows: &[usize]) -> Column<'static> {
        let values = match &self.values {
            ColumnValues::F64(lane) => {
                ColumnValues::F64(Lane::owned(rows.iter().map(|&r| lane.at(r)).collect()))
            }
            ColumnValues::F32(lane) => {
                ColumnValues::F32(Lane::owned(rows.iter().map(|&r| lane.at(r)).collect()))
            }
            ColumnValues::Nominal { codes, categories } => ColumnValues::Nominal {
                codes: rows.iter().map(|&r| codes[r]).collect(),
                categories: categories.clone(),
            },
            ColumnValues::Genotype(cells) => ColumnValues::Genotype(cells.select(rows)),
        };
        Column { name: self.name.clone(), values }
    }
}

/// Named columns of equal length.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Table<'a> {
    columns: Vec<Column<'a>>,
    rows: usize,
}

/// Columns side by side that are most of one row-major array, with it and its width, so that its
/// memory can be read in order; other columns without one.
pub(super) fn runs<'c, 't>(
    columns: &'c [Column<'t>],
) -> impl Iterator<Item = (&'c [Column<'t>], Option<(Array<'c>, usize)>)> {
    columns.chunk_by(Column::shares_array).map(|run| {
        let array = run.first().and_then(Column::array);
        let most = array.filter(|(_, width, _)| 2 * run.len() >= *width);
        (run, most.map(|(array, width, _)| (array, width)))
    })
}

/// The numbers of columns that are a row-major array, all of it and in order.
pub(super) fn whole_array<'c>(columns: &[&'c Column]) -> Option<Array<'c>> {
    let (whole, width, _) = columns.first()?.array()?;
    let next = |(at, column): (usize, &&'c Column)| {
        column.array().is_some_and(|(array, _, column)| array.is(whole) && column == at)
    };
    (columns.len() == width && columns.iter().enumerate().all(next)).then_some(whole)
}

impl<'a> Table<'a> {
    /// A table of these columns: equal lengths, different names, no infinite number.
    ///
    /// # Errors
    /// No column, columns of unequal lengths or of one name, or the first infinite cell.
    pub fn new(columns: Vec<Column<'a>>) -> Result<Self> {
        let Some(first) = columns.first() else {
            return Err(DataError::NoColumns.into());
        };
        let rows = first.len();
        let mut names = HashSet::new();
        for column in &columns {
            if column.len() != rows {
                let (expected, rows) = (rows, column.len());
                let (column, first) = (column.name.clone(), first.name.clone());
                return Err(DataError::ColumnsDisagree { column, rows, first, expected }.into());
            }
            if !names.insert(column.name.as_str()) {
                return Err(DataError::SameName { column: column.name.clone() }.into());
            }
        }
        for (columns, array) in runs(&columns) {
            if array.is_some_and(|(array, _)| array.is_finite()) {
                continue;
            }
            for column in columns {
                if let Some(row) = column.infinite_row() {
                    return Err(DataError::Infinite { row, column: column.name.clone() }.into());
                }
            }
        }
        Ok(Self { columns, rows })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns in order.
    pub fn columns(&self) -> &[Column<'a>] {
        &self.columns
    }

    /// The columns' names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|c| c.name.as_str())
    }

    /// The position of the column called `name`.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name == name)
    }

    /// True when any cell is missing.
    pub fn has_missing(&self) -> bool {
        let of_column = |column: &Column| match &column.values {
            ColumnValues::Genotype(cells) => cells.missing() > 0,
            _ => (0..self.rows).any(|row| column.is_missing(row)),
        };
        runs(&self.columns).any(|(columns, array)| {
            // An array may hold more columns than the table.
            array.is_none_or(|(array, _)| array.has_missing()) && columns.iter().any(of_column)
        })
    }

    /// The table at the given rows, owned; rows may repeat.
    pub fn select_rows(&self, rows: &[usize]) -> Table<'static> {
        let columns = self.columns.iter().map(|c| c.select(rows)).collect();
        Table { columns, rows: rows.len() }
    }

    /// The table with only the given columns, in the given order, numbers borrowed.
    pub fn select_columns(&self, columns: &[usize]) -> Table<'_> {
        let columns = columns.iter().map(|&c| self.columns[c].view()).collect();
        Table { columns, rows: self.rows }
    }

    /// The same table, numbers borrowed.
    pub fn view(&self) -> Table<'_> {
        Table { columns: self.columns.iter().map(Column::view).collect(), rows: self.rows }
    }

    /// The same table with the categories of each column in order of name, numbers borrowed. Codes
    /// often follow the order in which categories were met, and so the order of rows.
    pub fn sort_categories(&self) -> Table<'_> {
        let mut sorted = self.view();
        for column in &mut sorted.columns {
            if let ColumnValues::Nominal { codes, categories } = &mut column.values {
                let mut order: Vec<usize> = (0..categories.len()).collect();
                order.sort_by(|&a, &b| categories[a].cmp(&categories[b]));
                let mut place = vec![0u16; order.len()];
                (0..).zip(&order).for_each(|(code, &at)| place[at] = code);
                *categories = order.iter().map(|&at| categories[at].clone()).collect();
                for code in codes.iter_mut().filter(|code| **code != MISSING) {
                    *code = place[usize::from(*code)];
                }
            }
        }
        sorted
    }

    /// The same table, owned.
    pub fn into_owned(self) -> Table<'static> {
        let columns = self.columns.into_iter().map(Column::into_owned).collect();
        Table { columns, rows: self.rows }
    }

    /// The table's columns, given up.
    pub fn into_columns(self) -> Vec<Column<'a>> {
        self.columns
    }
}
