//! A table of genotypes that stays packed, two bits a cell; Python's `Genotypes` holds one.

use nearkin::data::{self, Column, ColumnValues, Table};
use numpy::{PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::arrays::Array1;
use crate::exception;

/// Cells in a byte.
const CELLS: usize = 4;

/// Copies of an allele: a column a variant, a row a sample.
#[pyclass(frozen, module = "nearkin._core")]
pub struct Genotypes {
    pub table: Table<'static>,
}

#[pymethods]
impl Genotypes {
    /// From columns whose bytes follow one after another, as [`Genotypes::packed`] gives them.
    #[new]
    fn new(
        packed: &[u8],
        rows: usize,
        feature_names: Vec<String>,
        additive: bool,
    ) -> PyResult<Self> {
        let each = rows.div_ceil(CELLS);
        if each.checked_mul(feature_names.len()) != Some(packed.len()) {
            return Err(PyValueError::new_err(format!(
                "packed: {} bytes do not hold {rows} genotypes of {} variants",
                packed.len(),
                feature_names.len()
            )));
        }
        let column = |(at, name): (usize, String)| {
            let bytes = packed[at * each..(at + 1) * each].to_vec();
            let cells = data::Genotypes::new(bytes, rows)?;
            Ok(Column::genotypes(name, if additive { cells.additive() } else { cells }))
        };
        let columns = feature_names.into_iter().enumerate().map(column).collect::<Result<_, _>>();
        Ok(Self { table: columns.and_then(Table::new).map_err(exception)? })
    }

    /// The arguments that pickle makes it again from.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, own) = (slf.py(), slf.get());
        let made_from = (own.packed(py)?, own.table.rows(), own.feature_names(), own.additive());
        (slf.get_type(), made_from).into_pyobject(py)
    }

    /// The bytes of all columns; each column starts at a new byte.
    fn packed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.nbytes(), |mut rest| {
            for cells in self.cells() {
                let (here, after) = rest.split_at_mut(cells.bytes().len());
                here.copy_from_slice(cells.bytes());
                rest = after;
            }
            Ok(())
        })
    }

    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.table.rows(), self.table.columns().len())
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.cells().map(|cells| cells.bytes().len()).sum()
    }

    #[getter]
    fn feature_names(&self) -> Vec<String> {
        self.table.names().map(str::to_owned).collect()
    }

    /// True if the difference of two cells is half the difference of their copies; false if it is
    /// 0 or 1.
    #[getter]
    fn additive(&self) -> bool {
        self.cells().any(data::Genotypes::is_additive)
    }

    /// Some rows, which may repeat.
    fn rows(&self, py: Python<'_>, at: Array1<'_, usize>) -> PyResult<Self> {
        let at = within(&at, self.table.rows())?;
        Ok(Self { table: py.detach(|| self.table.select_rows(&at)) })
    }

    /// Some columns, none of them twice.
    fn columns(&self, py: Python<'_>, at: Array1<'_, usize>) -> PyResult<Self> {
        let at = within(&at, self.table.columns().len())?;
        let selected = py.detach(|| self.table.select_columns(&at).into_owned());
        Ok(Self { table: Table::new(selected.into_columns()).map_err(exception)? })
    }

    /// Write the copies, NaN where missing, into an array in Fortran order.
    fn unpack(&self, py: Python<'_>, mut out: PyReadwriteArray2<'_, f32>) -> PyResult<()> {
        let (rows, width) = self.shape();
        if out.shape() != [rows, width] || !out.is_fortran_contiguous() {
            return Err(PyValueError::new_err("out: expected an array of this shape in F order"));
        }
        let mut rest = out.as_slice_mut()?;
        py.detach(|| {
            for cells in self.cells() {
                let (here, after) = rest.split_at_mut(rows);
                for (row, cell) in here.iter_mut().enumerate() {
                    *cell = cells.at(row).map_or(f32::NAN, f32::from);
                }
                rest = after;
            }
        });
        Ok(())
    }
}

impl Genotypes {
    fn cells(&self) -> impl Iterator<Item = &data::Genotypes<'static>> {
        self.table.columns().iter().filter_map(|column| match &column.values {
            ColumnValues::Genotype(cells) => Some(cells),
            _ => None,
        })
    }
}

/// These positions, after checking that all are below `len`.
fn within(at: &Array1<'_, usize>, len: usize) -> PyResult<Vec<usize>> {
    let at = at.vec();
    match at.iter().find(|&&place| place >= len) {
        Some(place) => Err(PyIndexError::new_err(format!("{place} is beyond the last of {len}"))),
        None => Ok(at),
    }
}
