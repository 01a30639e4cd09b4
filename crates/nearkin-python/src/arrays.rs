//! NumPy arrays as tables and targets, borrowed where the core allows it.

use std::ops::Deref;

use nearkin::data::{Classes, Column, ColumnValues, Lane, Table, Target};
use numpy::ndarray::Dimension;
use numpy::{
    Element, IntoPyArray, Ix1, Ix2, PyArray, PyArray2, PyArrayMethods, PyReadonlyArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::exception;

/// An array to read, aligned as its numbers need it: one that is not, such as a part of a message
/// from another process, is copied.
pub struct Array<'py, T: Element, D: Dimension>(PyReadonlyArray<'py, T, D>);

/// A list.
pub type Array1<'py, T> = Array<'py, T, Ix1>;

/// A matrix.
pub type Array2<'py, T> = Array<'py, T, Ix2>;

impl<'py, T: Element, D: Dimension> Deref for Array<'py, T, D> {
    type Target = PyReadonlyArray<'py, T, D>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: Element + Clone, D: Dimension> Array<'_, T, D> {
    /// A copy of its numbers, row by row.
    pub fn vec(&self) -> Vec<T> {
        let cells = self.0.as_array();
        cells.as_slice().map_or_else(|| cells.iter().cloned().collect(), <[T]>::to_vec)
    }
}

impl<'py, T: Element, D: Dimension + 'static> FromPyObject<'_, 'py> for Array<'py, T, D> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let array = object.cast::<PyArray<T, D>>()?;
        if array.is_aligned() {
            return Ok(Self(array.try_readonly()?));
        }
        let copy = array.call_method0("copy")?;
        Ok(Self(copy.cast_into::<PyArray<T, D>>()?.try_readonly()?))
    }
}

/// A matrix of numbers, in the precision the caller has.
#[derive(FromPyObject)]
pub enum Cells<'py> {
    #[pyo3(transparent, annotation = "float64 array")]
    F64(Array2<'py, f64>),
    #[pyo3(transparent, annotation = "float32 array")]
    F32(Array2<'py, f32>),
}

/// Where a feature's cells are: a column of the matrix, or codes and their categories.
#[derive(FromPyObject)]
pub enum ColumnSpec<'py> {
    #[pyo3(transparent, annotation = "column of x")]
    Number(usize),
    #[pyo3(annotation = "codes and categories")]
    Codes(Array1<'py, u16>, Vec<String>),
}

/// Rows: numbers, and where the features are in them.
pub type Rows<'py> = (Cells<'py>, Option<Vec<ColumnSpec<'py>>>);

/// The target: class codes or real values.
#[derive(FromPyObject)]
pub enum Labels<'py> {
    #[pyo3(transparent, annotation = "uint32 array")]
    Classes(Array1<'py, u32>),
    #[pyo3(transparent, annotation = "float64 array")]
    Real(Array1<'py, f64>),
}

impl Cells<'_> {
    fn columns(&self) -> usize {
        match self {
            Self::F64(array) => array.shape()[1],
            Self::F32(array) => array.shape()[1],
        }
    }

    fn column(&self, column: usize) -> PyResult<ColumnValues<'_>> {
        match self {
            Self::F64(array) => lane(array, column).map(ColumnValues::F64),
            Self::F32(array) => lane(array, column).map(ColumnValues::F32),
        }
    }
}

/// One column of a contiguous array, in C or Fortran order, without a copy.
fn lane<'a, T: Element + Copy>(array: &'a Array2<'_, T>, column: usize) -> PyResult<Lane<'a, T>> {
    let &[rows, columns] = array.shape() else {
        return Err(PyValueError::new_err("x: expected a matrix"));
    };
    if column >= columns {
        return Err(PyValueError::new_err(format!("x has {columns} columns and no {column}")));
    }
    let cells = array
        .as_slice()
        .map_err(|_| PyValueError::new_err("x: expected a contiguous array, in C or F order"))?;
    let (start, stride) =
        if array.is_c_contiguous() { (column, columns) } else { (column * rows, 1) };
    Lane::borrowed(cells, start, stride, rows)
        .ok_or_else(|| PyValueError::new_err("x: the array is shorter than its shape says"))
}

/// Names of columns that have none.
pub fn made_up(width: usize) -> Vec<String> {
    (0..width).map(|at| format!("x{at}")).collect()
}

/// The table that `columns` describes; without them, all columns of `x`.
pub fn table<'a>(
    x: &'a Cells<'_>,
    columns: Option<&'a [ColumnSpec<'_>]>,
    names: Option<Vec<String>>,
) -> PyResult<Table<'a>> {
    let width = columns.map_or(x.columns(), <[_]>::len);
    let names = names.unwrap_or_else(|| made_up(width));
    if names.len() != width {
        let sentence = format!("feature_names: {} given for {width} features", names.len());
        return Err(PyValueError::new_err(sentence));
    }
    let column = |(at, name): (usize, String)| match columns.map(|all| &all[at]) {
        None => Ok(Column { name, values: x.column(at)? }),
        Some(ColumnSpec::Number(column)) => Ok(Column { name, values: x.column(*column)? }),
        Some(ColumnSpec::Codes(codes, categories)) => {
            let codes = codes.vec();
            Column::from_codes(name, codes, categories.clone()).map_err(exception)
        }
    };
    let columns = names.into_iter().enumerate().map(column).collect::<PyResult<_>>()?;
    Table::new(columns).map_err(exception)
}

/// The same from numbers and where the features are in them.
pub fn of_rows<'a>(
    (cells, columns): &'a Rows<'_>,
    names: Option<Vec<String>>,
) -> PyResult<Table<'a>> {
    table(cells, columns.as_deref(), names)
}

/// The target that `y` and its class names describe.
pub fn target(y: &Labels<'_>, class_names: Option<Vec<String>>) -> PyResult<Target> {
    match (y, class_names) {
        (Labels::Classes(codes), Some(names)) => {
            Classes::new(codes.vec(), names).map(Target::Classes).map_err(exception)
        }
        (Labels::Real(values), None) => Target::real(values.vec()).map_err(exception),
        (Labels::Classes(_), None) => Err(PyTypeError::new_err("class codes need class_names")),
        (Labels::Real(_), Some(_)) => {
            Err(PyTypeError::new_err("class_names go with class codes, not with real values"))
        }
    }
}

/// Rows of `width` numbers, one after another, as a matrix.
pub fn square<'py>(
    py: Python<'py>,
    cells: Vec<f64>,
    width: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = cells.len() / width.max(1);
    cells.into_pyarray(py).reshape([rows, width])
}
