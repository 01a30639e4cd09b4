//! [`Mapped`]: a `.npy` array that stays in its file while it is read.
//!
//! The system brings in what is looked at and may let go of it again, so a matrix larger than
//! memory can be opened, and several programs share one copy.

#![allow(unsafe_code)]

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;
use nearkin::data::{Column, ColumnValues, Lane, SimilarityMatrix, Table};

use crate::csv::numbered;
use crate::error::{NpyError, ReadError, Result};
use crate::npy::{Floats, Shape};

/// A `.npy` array of floats, two dimensions, mapped into memory.
///
/// ```no_run
/// use nearkin_read::Mapped;
///
/// let file = Mapped::open("similarities.npy".as_ref())?;
/// let similarities = file.similarities()?;
/// println!("{} queries, {} references", similarities.rows(), similarities.columns());
/// # Ok::<(), nearkin_read::ReadError>(())
/// ```
#[derive(Debug)]
pub struct Mapped {
    file: String,
    map: Mmap,
    shape: Shape,
}

impl Mapped {
    /// Maps the file at `path`.
    ///
    /// Nobody may change the file as long as this value lives: numbers would change under the
    /// feet of whoever reads them, and a file cut short ends the program.
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|e| ReadError::io(&name, e))?;
        let about = file.metadata().map_err(|e| ReadError::io(&name, e))?;
        if about.is_dir() {
            return Err(ReadError::Directory { file: name });
        }
        if about.len() == 0 {
            return Err(ReadError::Empty { file: name });
        }
        // SAFETY: the map is only read; that nobody changes the file meanwhile is asked above.
        let map = unsafe { Mmap::map(&file) }.map_err(|e| ReadError::io(&name, e))?;
        let shape = Shape::of(&name, &map)?;
        let found = Self { file: name, map, shape };
        match found.shape.kind {
            Floats::Single => found.cells::<f32>().map(drop),
            Floats::Double => found.cells::<f64>().map(drop),
        }?;
        Ok(found)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.shape.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.shape.columns
    }

    /// The file as messages name it.
    pub(crate) fn name(&self) -> &str {
        &self.file
    }

    /// The array's columns, borrowed from the map.
    pub(crate) fn lanes(&self) -> Result<Vec<ColumnValues<'_>>> {
        let values = |at: usize| match self.shape.kind {
            Floats::Single => self.lane::<f32>(at).map(ColumnValues::F32),
            Floats::Double => self.lane::<f64>(at).map(ColumnValues::F64),
        };
        (0..self.shape.columns).map(values).collect()
    }

    /// The array as a table of numeric columns `x0`, `x1`, …, borrowed from the map.
    pub fn table(&self) -> Result<Table<'_>> {
        let columns = numbered(self.shape.columns).into_iter().zip(self.lanes()?);
        let columns = columns.map(|(name, values)| Column { name, values });
        Table::new(columns.collect()).map_err(|e| ReadError::table(&self.file, e))
    }

    /// The array as similarities of queries (rows) to references (columns), borrowed from the
    /// map; it must hold double precision numbers, row by row.
    pub fn similarities(&self) -> Result<SimilarityMatrix<'_>> {
        if self.shape.fortran || self.shape.kind != Floats::Double {
            return Err(ReadError::npy(&self.file, NpyError::MappedSimilarities));
        }
        let matrix = SimilarityMatrix::new(self.rows(), self.columns(), self.cells::<f64>()?);
        matrix.map_err(|e| ReadError::table(&self.file, e))
    }

    fn lane<T: Cell>(&self, at: usize) -> Result<Lane<'_, T>> {
        let Shape { rows, columns, fortran, .. } = self.shape;
        let (start, stride) = if fortran { (at * rows, 1) } else { (at, columns) };
        Lane::borrowed(self.cells()?, start, stride, rows)
            .ok_or_else(|| ReadError::npy(&self.file, NpyError::ShorterThanShape))
    }

    /// All cells as they lie in the file.
    fn cells<T: Cell>(&self) -> Result<&[T]> {
        let bytes = &self.map[self.shape.offset..];
        // SAFETY: every pattern of bits is a float, and `Cell` is implemented for floats only.
        let (before, cells, after) = unsafe { bytes.align_to::<T>() };
        match (before, after) {
            ([], []) => Ok(cells),
            _ => Err(ReadError::npy(&self.file, NpyError::NotAligned)),
        }
    }
}

/// A float as it lies in a file of this machine's byte order.
trait Cell: Copy {}
impl Cell for f32 {}
impl Cell for f64 {}
