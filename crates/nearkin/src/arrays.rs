//! Arrays of the crate `ndarray` as tables and matrices, and answers as arrays (feature `ndarray`).
//!
//! ```
//! use ndarray::array;
//! use nearkin::data::{SimilarityMatrix, Table, Target};
//! use nearkin::weigh::{ReliefF, Weigh};
//!
//! let x = array![[0.0, 5.0], [1.0, 4.0], [8.0, 5.0], [9.0, 4.0]];
//! let table = Table::from_array(["signal", "noise"], x.view())?;
//! let target = Target::classes(["a", "a", "b", "b"]);
//! let weights = ReliefF { k: 1, ..ReliefF::default() }.fit(&table, &target)?.to_array();
//! assert!(weights[0] > weights[1]);
//!
//! let s = SimilarityMatrix::from_array(array![[1.0, 0.3], [0.5, 1.0]].view())?.to_owned();
//! assert_eq!(s.to_array()[[1, 0]], 0.5);
//! # Ok::<(), nearkin::Error>(())
//! ```
//!
//! An array whose cells lie without gaps is borrowed, row after row or column after column; any
//! other is copied. Rows of numbers for learners are
//! [`TableRows::new`](crate::data::TableRows::new) of such a table.

use std::borrow::Cow;

use ndarray::{Array1, Array2, ArrayView2};

use crate::data::{Column, ColumnValues, Dense, Lane, SimilarityMatrix, Table};
use crate::measure::SquareMatrix;
use crate::parameter::sealed;
use crate::weigh::FeatureWeights;
use crate::{DataError, Result};

/// A number that arrays of data hold: `f64` or `f32`.
pub trait ArrayNumber: Copy + sealed::Sealed {
    /// The cells of a column of such numbers.
    #[doc(hidden)]
    fn column(lane: Lane<'_, Self>) -> ColumnValues<'_>;

    /// A matrix of such numbers.
    #[doc(hidden)]
    fn matrix(rows: usize, columns: usize, cells: Cow<'_, [Self]>) -> Result<SimilarityMatrix<'_>>;
}

impl ArrayNumber for f64 {
    fn column(lane: Lane<'_, Self>) -> ColumnValues<'_> {
        ColumnValues::F64(lane)
    }

    fn matrix(rows: usize, columns: usize, cells: Cow<'_, [Self]>) -> Result<SimilarityMatrix<'_>> {
        SimilarityMatrix::new(rows, columns, cells)
    }
}

impl ArrayNumber for f32 {
    fn column(lane: Lane<'_, Self>) -> ColumnValues<'_> {
        ColumnValues::F32(lane)
    }

    fn matrix(rows: usize, columns: usize, cells: Cow<'_, [Self]>) -> Result<SimilarityMatrix<'_>> {
        SimilarityMatrix::single(rows, columns, cells)
    }
}

impl<'a> Table<'a> {
    /// The columns of an array as numeric columns of these names; NaN marks a missing cell.
    ///
    /// # Errors
    /// Another number of names than of columns, and the errors of [`Table::new`].
    pub fn from_array<T: ArrayNumber>(
        names: impl IntoIterator<Item = impl Into<String>>,
        array: ArrayView2<'a, T>,
    ) -> Result<Self> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let (rows, columns) = array.dim();
        if names.len() != columns {
            return Err(DataError::NamesDisagree { names: names.len(), columns }.into());
        }
        let (by_row, by_column) = (array.to_slice(), array.reversed_axes().to_slice());
        let lane = |at: usize| {
            let borrowed = match (by_row, by_column) {
                (Some(cells), _) => Lane::borrowed(cells, at, columns, rows),
                (None, Some(cells)) => Lane::borrowed(cells, at * rows, 1, rows),
                (None, None) => None,
            };
            borrowed.unwrap_or_else(|| Lane::owned(array.column(at).to_vec()))
        };
        let column = |(at, name)| Column { name, values: T::column(lane(at)) };
        Self::new(names.into_iter().enumerate().map(column).collect())
    }
}

impl<'a> SimilarityMatrix<'a> {
    /// Similarities of queries (rows) to references (columns).
    ///
    /// # Errors
    /// Those of [`SimilarityMatrix::new`].
    pub fn from_array<T: ArrayNumber>(array: ArrayView2<'a, T>) -> Result<Self> {
        let (rows, columns) = array.dim();
        let cells = match array.to_slice() {
            Some(cells) => Cow::Borrowed(cells),
            None => Cow::Owned(array.iter().copied().collect()),
        };
        T::matrix(rows, columns, cells)
    }

    /// All similarities, in double precision.
    pub fn to_array(&self) -> Array2<f64> {
        Array2::from_shape_fn((self.rows(), self.columns()), |(i, j)| self.at(i, j))
    }
}

impl Dense {
    /// All cells, a row each row.
    pub fn to_array(&self) -> Array2<f64> {
        Array2::from_shape_fn((self.rows(), self.columns()), |(i, j)| self.row(i)[j])
    }
}

impl SquareMatrix {
    /// All cells, zeros included.
    pub fn to_array(&self) -> Array2<f64> {
        Array2::from_shape_fn((self.size(), self.size()), |(i, j)| self.at(i, j))
    }
}

impl FeatureWeights {
    /// One weight a feature, in table order.
    pub fn to_array(&self) -> Array1<f64> {
        self.weights.iter().copied().collect()
    }
}
