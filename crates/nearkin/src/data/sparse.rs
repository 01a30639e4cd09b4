//! [`Sparse`]: named columns of numbers, mostly zeros, each row as the cells that are not.

use std::collections::HashMap;

use super::Dense;
use crate::{DataError, Result};

/// Rows of finite numbers as compressed sparse rows: what is not stored is 0.
///
/// Numbers in single precision may be kept so, in a `Sparse<f32>`; what is computed from them is
/// in double.
///
/// ```
/// use nearkin::data::Sparse;
/// let names = ["a", "b", "c"].map(String::from).to_vec();
/// let rows = Sparse::from_rows(names, [vec![(0, 1.0), (2, 4.0)], vec![]])?;
/// assert_eq!(rows.row(0), (&[0, 2][..], &[1.0, 4.0][..]));
/// assert_eq!(rows.to_dense()?.row(1), [0.0; 3]);
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sparse<T = f64> {
    names: Vec<String>,
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy + Into<f64>> Sparse<T> {
    /// From the three arrays of compressed sparse rows: row r has the cells
    /// `starts[r]..starts[r + 1]`, its columns strictly rising.
    ///
    /// # Errors
    /// No columns, arrays that do not go together, columns out of order, or the first cell that
    /// is not finite.
    pub fn new(
        names: Vec<String>,
        starts: Vec<usize>,
        columns: Vec<u32>,
        values: Vec<T>,
    ) -> Result<Self> {
        if names.is_empty() {
            return Err(DataError::NoColumns.into());
        }
        let whole = starts.first() == Some(&0)
            && starts.last() == Some(&values.len())
            && starts.is_sorted()
            && columns.len() == values.len();
        if !whole {
            let (columns, values) = (columns.len(), values.len());
            return Err(DataError::SparseArrays { columns, values }.into());
        }
        let made = Self { names, starts, columns, values };
        for row in 0..made.rows() {
            let (columns, values) = made.row(row);
            if let Some(pair) = columns.windows(2).find(|pair| pair[0] >= pair[1]) {
                let (column, next) = (pair[0], pair[1]);
                return Err(DataError::SparseOrder { row, column, next }.into());
            }
            if let Some(&column) = columns.last().filter(|c| **c as usize >= made.names.len()) {
                let columns = made.names.len();
                return Err(DataError::SparseColumn { row, column, columns }.into());
            }
            if let Some(at) = values.iter().position(|&x| !x.into().is_finite()) {
                let column = made.names[columns[at] as usize].clone();
                let missing = values[at].into().is_nan();
                return Err(DataError::NotFinite { row, column, missing }.into());
            }
        }
        Ok(made)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// The columns' names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of cells that are stored.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// Row `row`: the columns of its stored cells, rising, and their values.
    pub fn row(&self, row: usize) -> (&[u32], &[T]) {
        let cells = self.starts[row]..self.starts[row + 1];
        (&self.columns[cells.clone()], &self.values[cells])
    }

    /// The three arrays of compressed sparse rows, as [`Sparse::new`] takes them.
    pub fn parts(&self) -> (&[usize], &[u32], &[T]) {
        (&self.starts, &self.columns, &self.values)
    }

    /// The same numbers in double precision.
    pub fn to_double(self) -> Sparse {
        let values = self.values.into_iter().map(Into::into).collect();
        Sparse { names: self.names, starts: self.starts, columns: self.columns, values }
    }

    /// The given rows, in that order.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let mut chosen = Self {
            names: self.names.clone(),
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
        };
        for &row in rows {
            let (columns, values) = self.row(row);
            chosen.columns.extend(columns);
            chosen.values.extend(values);
            chosen.starts.push(chosen.values.len());
        }
        chosen
    }
}

impl Sparse {
    /// From the cells of each row, their columns strictly rising.
    ///
    /// # Errors
    /// The errors of [`Sparse::new`].
    pub fn from_rows(
        names: Vec<String>,
        rows: impl IntoIterator<Item = Vec<(u32, f64)>>,
    ) -> Result<Self> {
        let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in rows {
            columns.extend(row.iter().map(|(column, _)| column));
            values.extend(row.iter().map(|(_, value)| value));
            starts.push(values.len());
        }
        Self::new(names, starts, columns, values)
    }

    /// The cells of dense rows that are not 0.
    ///
    /// # Errors
    /// None: dense rows have columns in order and finite cells.
    pub fn from_dense(dense: &Dense) -> Result<Self> {
        let cells = |row: usize| {
            let cells = dense.row(row).iter().enumerate().filter(|(_, x)| **x != 0.0);
            cells.map(|(column, &x)| (column as u32, x)).collect()
        };
        Self::from_rows(dense.names().to_vec(), (0..dense.rows()).map(cells))
    }

    /// All cells, zeros included.
    ///
    /// # Errors
    /// None: the cells were checked before.
    pub fn to_dense(&self) -> Result<Dense> {
        let mut cells = vec![0.0; self.rows() * self.columns()];
        for (row, out) in cells.chunks_exact_mut(self.columns()).enumerate() {
            let (columns, values) = self.row(row);
            columns.iter().zip(values).for_each(|(&column, &x)| out[column as usize] = x);
        }
        Dense::new(self.names.clone(), cells)
    }

    /// The same rows over `names`: a column that is not here is all zeros, one that is here and
    /// not among them is refused.
    ///
    /// # Errors
    /// The first cell in a column that is not among `names`.
    pub fn over(&self, names: &[String]) -> Result<Self> {
        let place: HashMap<&str, u32> =
            names.iter().enumerate().map(|(at, name)| (name.as_str(), at as u32)).collect();
        let places: Vec<Option<u32>> =
            self.names.iter().map(|name| place.get(name.as_str()).copied()).collect();
        let row = |row: usize| {
            let (columns, values) = self.row(row);
            let cell = |(&column, &x): (&u32, &f64)| match places[column as usize] {
                Some(place) => Ok((place, x)),
                None => {
                    let column = self.names[column as usize].clone();
                    Err(DataError::UnknownColumn { row, column, known: names.len() })
                }
            };
            let mut cells: Vec<(u32, f64)> =
                columns.iter().zip(values).map(cell).collect::<Result<_, _>>()?;
            cells.sort_unstable_by_key(|(column, _)| *column);
            Ok(cells)
        };
        let rows = (0..self.rows()).map(row).collect::<Result<Vec<_>>>()?;
        Self::from_rows(names.to_vec(), rows)
    }
}
