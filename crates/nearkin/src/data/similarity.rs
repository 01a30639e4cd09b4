//! [`SimilarityMatrix`]: how alike things are, where nothing else is known about them.
//!
//! Lower bound: a new matrix is read once; a selection copies each number once. A row in single
//! precision is converted to doubles on every access.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::Parts;
use super::parts::wrong;
use crate::{DataError, Result};

/// Similarities of queries (rows) to references (columns); larger means more alike.
///
/// Entry (i, j) is s(query i, reference j). The numbers have to be finite and nothing more: they
/// may be negative, indefinite and asymmetric, and rows need not be as many as columns. Training
/// matrices are square, of the training samples with themselves.
///
/// ```
/// use nearkin::data::SimilarityMatrix;
///
/// let s = SimilarityMatrix::new(2, 2, vec![1.0, 0.3, 0.5, 1.0])?;
/// assert_eq!(s.at(1, 0), 0.5);
/// assert_eq!(*s.select(&[1], &[0, 1]).row(0), [0.5, 1.0]);
/// # Ok::<(), nearkin::Error>(())
/// ```
///
/// A clone of an owned matrix shares its numbers: fitting, keeping and saving it need no copy. A
/// matrix in single precision stays so; its rows are read in double, one at a time.
#[derive(Debug, Clone)]
#[must_use]
pub struct SimilarityMatrix<'a> {
    values: Cells<'a>,
    rows: usize,
    columns: usize,
}

/// The numbers of a matrix, in the precision they came in.
#[derive(Debug, Clone)]
enum Cells<'a> {
    Double(Held<'a, f64>),
    Single(Held<'a, f32>),
}

/// Numbers, and whose they are.
#[derive(Debug, Clone)]
enum Held<'a, T> {
    Borrowed(&'a [T]),
    Shared(Arc<Vec<T>>),
}

impl<'a, T: Clone> Held<'a, T> {
    fn new(values: Cow<'a, [T]>) -> Self {
        match values {
            Cow::Borrowed(values) => Self::Borrowed(values),
            Cow::Owned(values) => Self::Shared(Arc::new(values)),
        }
    }

    #[inline]
    fn as_slice(&self) -> &[T] {
        match self {
            Self::Borrowed(values) => values,
            Self::Shared(values) => values,
        }
    }

    fn pick(&self, places: impl Iterator<Item = usize>) -> Held<'static, T> {
        let all = self.as_slice();
        Held::Shared(Arc::new(places.map(|at| all[at].clone()).collect()))
    }

    fn to_owned(&self) -> Held<'static, T> {
        Held::Shared(match self {
            Self::Borrowed(values) => Arc::new(values.to_vec()),
            Self::Shared(values) => Arc::clone(values),
        })
    }
}

impl Cells<'_> {
    /// These numbers in double precision; copied if they are in single precision.
    #[inline]
    fn part(&self, at: Range<usize>) -> Cow<'_, [f64]> {
        match self {
            Self::Double(values) => Cow::Borrowed(&values.as_slice()[at]),
            Self::Single(values) => values.as_slice()[at].iter().copied().map(f64::from).collect(),
        }
    }
}

impl PartialEq for SimilarityMatrix<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.rows, self.columns) == (other.rows, other.columns) && self.iter().eq(other.iter())
    }
}

impl<'a> SimilarityMatrix<'a> {
    /// A matrix from its rows, one after the other, owned or borrowed; all must be finite.
    ///
    /// # Errors
    /// No rows or columns, another number of values, or the first one that is not finite.
    pub fn new(
        rows: usize,
        columns: usize,
        values: impl Into<Cow<'a, [f64]>>,
    ) -> Result<SimilarityMatrix<'a>> {
        Self::checked(rows, columns, Cells::Double(Held::new(values.into())))
    }

    /// The same of numbers in single precision, which stay so.
    ///
    /// # Errors
    /// The errors of [`SimilarityMatrix::new`].
    pub fn single(
        rows: usize,
        columns: usize,
        values: impl Into<Cow<'a, [f32]>>,
    ) -> Result<SimilarityMatrix<'a>> {
        Self::checked(rows, columns, Cells::Single(Held::new(values.into())))
    }

    fn checked(rows: usize, columns: usize, values: Cells<'a>) -> Result<Self> {
        let (held, bad) = match &values {
            Cells::Double(all) => {
                let all = all.as_slice();
                (all.len(), all.iter().position(|value| !value.is_finite()))
            }
            Cells::Single(all) => {
                let all = all.as_slice();
                (all.len(), all.iter().position(|value| !value.is_finite()))
            }
        };
        if rows == 0 || columns == 0 {
            return Err(DataError::EmptySimilarities { rows, columns }.into());
        }
        if rows.checked_mul(columns) != Some(held) {
            return Err(DataError::SimilarityShape { rows, columns, values: held }.into());
        }
        let made = Self { values, rows, columns };
        match bad {
            None => Ok(made),
            Some(at) => {
                let (row, column) = (at / columns, at % columns);
                let value = made.at(row, column);
                Err(DataError::SimilarityNotFinite { row, column, value }.into())
            }
        }
    }

    /// A matrix from dissimilarities: s = −d.
    ///
    /// # Errors
    /// The errors of [`SimilarityMatrix::new`].
    pub fn from_dissimilarities(
        rows: usize,
        columns: usize,
        mut values: Vec<f64>,
    ) -> Result<SimilarityMatrix<'static>> {
        // 0 − d rather than −d, so that a zero never becomes −0.
        values.iter_mut().for_each(|d| *d = 0.0 - *d);
        SimilarityMatrix::new(rows, columns, values)
    }

    /// Number of queries.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of references.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The similarity of query `row` to reference `column`.
    #[inline]
    pub fn at(&self, row: usize, column: usize) -> f64 {
        let at = row * self.columns..(row + 1) * self.columns;
        match &self.values {
            Cells::Double(values) => values.as_slice()[at][column],
            Cells::Single(values) => f64::from(values.as_slice()[at][column]),
        }
    }

    /// The similarities of query `row` to every reference; borrowed if they are doubles.
    #[inline]
    pub fn row(&self, row: usize) -> Cow<'_, [f64]> {
        self.values.part(row * self.columns..(row + 1) * self.columns)
    }

    /// All similarities, if they are in single precision.
    pub(crate) fn in_single(&self) -> Option<&[f32]> {
        match &self.values {
            Cells::Double(_) => None,
            Cells::Single(values) => Some(values.as_slice()),
        }
    }

    /// All similarities, row by row, one at a time.
    pub fn iter(&self) -> impl Iterator<Item = f64> + Clone + '_ {
        let (double, single) = match &self.values {
            Cells::Double(values) => (values.as_slice(), &[][..]),
            Cells::Single(values) => (&[][..], values.as_slice()),
        };
        double.iter().copied().chain(single.iter().copied().map(f64::from))
    }

    /// All similarities, row by row, in double precision; copied if they are in single precision.
    pub fn values(&self) -> Cow<'_, [f64]> {
        self.values.part(0..self.rows * self.columns)
    }

    /// The matrix of these queries and these references, owned; either may repeat.
    pub fn select(&self, rows: &[usize], columns: &[usize]) -> SimilarityMatrix<'static> {
        let places = rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column)));
        let places = places.map(|(row, column)| row * self.columns + column);
        let values = match &self.values {
            Cells::Double(all) => Cells::Double(all.pick(places)),
            Cells::Single(all) => Cells::Single(all.pick(places)),
        };
        SimilarityMatrix { values, rows: rows.len(), columns: columns.len() }
    }

    /// These queries with further references: the columns of `other` after the own ones.
    ///
    /// # Errors
    /// Another number of rows.
    pub fn beside(&self, other: &SimilarityMatrix) -> Result<SimilarityMatrix<'static>> {
        if self.rows != other.rows {
            return Err(DataError::RowsBeside { rows: self.rows, other: other.rows }.into());
        }
        let rows = (0..self.rows).flat_map(|row| [self.row(row), other.row(row)]);
        let cells = rows.flat_map(Cow::into_owned).collect();
        Ok(Self::of(self.rows, self.columns + other.columns, cells))
    }

    fn of(rows: usize, columns: usize, cells: Vec<f64>) -> SimilarityMatrix<'static> {
        let values = Cells::Double(Held::Shared(Arc::new(cells)));
        SimilarityMatrix { values, rows, columns }
    }

    /// Shape and numbers, taken apart.
    pub fn parts(&self) -> Parts {
        Parts::new()
            .with_codes("shape", vec![self.rows as u32, self.columns as u32])
            .with_numbers("values", self.values().into_owned())
    }

    /// The matrix these parts were taken from.
    ///
    /// # Errors
    /// Parts that are absent or broken.
    pub fn restore(parts: &Parts) -> Result<SimilarityMatrix<'static>> {
        match parts.codes("shape")? {
            &[rows, columns] => {
                let values = parts.numbers("values")?.to_vec();
                SimilarityMatrix::new(rows as usize, columns as usize, values)
            }
            _ => Err(wrong("shape", "is not two numbers")),
        }
    }

    /// The same matrix, owned; borrowed numbers are copied.
    pub fn to_owned(&self) -> SimilarityMatrix<'static> {
        let values = match &self.values {
            Cells::Double(values) => Cells::Double(values.to_owned()),
            Cells::Single(values) => Cells::Single(values.to_owned()),
        };
        SimilarityMatrix { values, rows: self.rows, columns: self.columns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_stays_in_single_precision() {
        let s = SimilarityMatrix::single(2, 2, &[0.1f32, -2.5, 3.0, 0.3][..]).unwrap();
        for kept in [s.to_owned(), s.select(&[0, 1], &[0, 1])] {
            assert!(matches!(&kept.values, Cells::Single(Held::Shared(_))));
        }
    }
}
