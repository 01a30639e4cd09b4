//! Learning from rows in blocks: what tasks of a cluster call, and the steps that ask them.

use std::sync::{Arc, Mutex, PoisonError};

use nearkin::Note;
use nearkin::data::{TableRows, Target};
use nearkin::learn::Fixed;
use nearkin::learn::elsewhere::{self, Elsewhere};
use nearkin::measure::{Form, SquareMatrix};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{self, Array1, Array2, Cells, Labels};
use crate::blocks::{Near, NearArrays, near_arrays};
use crate::compared::together_near;
use crate::learn::{configured, learned_as_dict};
use crate::similarity::word;
use crate::{exception, watch};

/// Rows with a margin: x · v of the features, or x and v; and notes on all rows.
type Pairs<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, crate::Notes);

/// The number of neighbours a method looks for; one that does not learn from rows in blocks is
/// refused.
#[pyfunction]
pub fn blockwise(method: &str, parameters: &Bound<'_, PyDict>) -> PyResult<usize> {
    let method = configured(method, parameters)?;
    method.blockwise().map_err(exception)?;
    Ok(method.common().k)
}

/// The neighbours of the rows `asked` (their cells and their row numbers in the whole table) among
/// the rows of `block` (their cells, their class codes and the number of the first of them).
#[pyfunction]
#[pyo3(signature = (method, parameters, asked, block, classes, feature_names, threads=1))]
pub fn learn_near<'py>(
    py: Python<'py>,
    method: &str,
    parameters: &Bound<'py, PyDict>,
    asked: (Cells<'py>, Array1<'py, u32>),
    block: (Cells<'py>, Array1<'py, u32>, u32),
    classes: usize,
    feature_names: Vec<String>,
    threads: usize,
) -> PyResult<NearArrays<'py>> {
    let method = configured(method, parameters)?;
    let rows = arrays::table(&asked.0, None, Some(feature_names.clone()))?;
    let base = arrays::table(&block.0, None, Some(feature_names))?;
    let (ids, codes) = (asked.1.vec(), block.1.vec());
    let near = watch::run(py, threads, |run| {
        let how = (method.common(), method.norm());
        let (rows, base) = (TableRows::of(&rows)?, TableRows::of(&base)?);
        let asked = ((&rows).into(), &ids[..]);
        elsewhere::nearest(how, asked, ((&base).into(), &codes, block.2), classes, run)
    })?;
    Ok(near_arrays(py, near))
}

/// Targets and impostors of rows with these class codes, from neighbours in every class.
#[pyfunction]
pub fn learn_sides<'py>(
    py: Python<'py>,
    method: &str,
    parameters: &Bound<'py, PyDict>,
    near: Near<'py>,
    codes: Array1<'py, u32>,
    classes: usize,
) -> PyResult<NearArrays<'py>> {
    let method = configured(method, parameters)?;
    let near = together_near((classes, method.common().k), &near)?;
    let sides = elsewhere::sides(method.common(), &near, &codes.vec());
    Ok(near_arrays(py, sides.map_err(exception)?))
}

/// x and v of rows whose targets and impostors are known. In `x` these rows come first, then their
/// targets and impostors; `ids` are the row numbers of all of them.
#[pyfunction]
#[pyo3(signature = (method, parameters, x, ids, sides, feature_names, threads=1))]
pub fn learn_pairs_of<'py>(
    py: Python<'py>,
    method: &str,
    parameters: &Bound<'py, PyDict>,
    x: Cells<'py>,
    ids: Array1<'py, u32>,
    sides: Near<'py>,
    feature_names: Vec<String>,
    threads: usize,
) -> PyResult<Pairs<'py>> {
    let method = configured(method, parameters)?;
    let width = feature_names.len() + usize::from(method.common().constant != 0.0);
    let (table, ids) = (arrays::table(&x, None, Some(feature_names))?, ids.vec());
    let sides = together_near((2, method.common().k), &sides)?;
    let found = watch::run(py, threads, |run| {
        let (how, rows) = ((method.common(), method.norm()), TableRows::of(&table)?);
        elsewhere::pairs_of(how, ((&rows).into(), &ids), &sides, run)
    })?;
    pairs_as_arrays(py, found, width)
}

/// Rows with a margin, as arrays.
fn pairs_as_arrays<'py>(
    py: Python<'py>,
    (fixed, note): (Fixed<'static>, Option<Note>),
    width: usize,
) -> PyResult<Pairs<'py>> {
    let (left, right) = fixed
        .into_parts()
        .ok_or_else(|| PyValueError::new_err("only dense rows are learned from in blocks"))?;
    let notes = crate::notes(&note.into_iter().collect::<Vec<_>>());
    Ok((arrays::square(py, left, width)?, arrays::square(py, right, width)?, notes))
}

/// x and v of the rows from `start` to `stop`, among all rows.
#[pyfunction]
#[pyo3(signature = (method, parameters, x, y, class_names, feature_names, start, stop, threads=1))]
pub fn learn_pairs<'py>(
    py: Python<'py>,
    method: &str,
    parameters: &Bound<'py, PyDict>,
    x: Cells<'py>,
    y: Labels<'py>,
    class_names: Vec<String>,
    feature_names: Vec<String>,
    start: usize,
    stop: usize,
    threads: usize,
) -> PyResult<Pairs<'py>> {
    let method = configured(method, parameters)?;
    let table = arrays::table(&x, None, Some(feature_names))?;
    let Target::Classes(classes) = arrays::target(&y, Some(class_names))? else {
        return Err(PyTypeError::new_err("y: expected class codes"));
    };
    let found = watch::run(py, threads, |run| {
        method.blockwise()?;
        let rows = TableRows::of(&table)?;
        let how = (method.common(), method.norm());
        elsewhere::pairs(how, &rows, &classes, start..stop, run)
    })?;
    let width = table.columns().len() + usize::from(method.common().constant != 0.0);
    pairs_as_arrays(py, found, width)
}

fn fixed(
    form: &str,
    left: &Array2<'_, f64>,
    right: &Array2<'_, f64>,
) -> PyResult<(Form, Fixed<'static>)> {
    let (form, size) = (word("matrix", form)?, left.as_array().ncols());
    let fixed = Fixed::from_parts(form, size, (left.vec(), right.vec())).map_err(exception)?;
    Ok((form, fixed))
}

/// The margins of some rows under a matrix, given by its cells.
#[pyfunction]
pub fn pair_margins<'py>(
    py: Python<'py>,
    form: &str,
    left: Array2<'py, f64>,
    right: Array2<'py, f64>,
    cells: Array1<'py, f64>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (form, fixed) = fixed(form, &left, &right)?;
    let size = left.as_array().ncols();
    let matrix = SquareMatrix::new(form, size, cells.vec()).map_err(exception)?;
    let margins = watch::run(py, threads, |run| fixed.margins(&matrix, run))?;
    Ok(margins.into_pyarray(py))
}

/// Weighted sums of some rows: one row of numbers for each block of them.
#[pyfunction]
pub fn pair_sums<'py>(
    py: Python<'py>,
    form: &str,
    left: Array2<'py, f64>,
    right: Array2<'py, f64>,
    weights: Array1<'py, f64>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (_, fixed) = fixed(form, &left, &right)?;
    let weights = weights.vec();
    if weights.len() != fixed.rows() {
        return Err(PyValueError::new_err("there must be as many weights as rows"));
    }
    let blocks = watch::run(py, threads, |run| fixed.weighted_blocks(|i| weights[i], run))?;
    Ok(PyArray2::from_vec2(py, &blocks)?)
}

/// Rows that functions of Python's answer for.
struct Remote {
    rows: usize,
    margins: Py<PyAny>,
    sums: Py<PyAny>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Remote {
    fn ask(&self, function: &Py<PyAny>, numbers: &[f64]) -> nearkin::Result<Vec<f64>> {
        let answer = Python::attach(|py| {
            let numbers = numbers.to_vec().into_pyarray(py);
            let answer = function.bind(py).call1((numbers,))?;
            let answer: Array1<'_, f64> = answer.extract()?;
            Ok(answer.vec())
        });
        answer.map_err(|error: PyErr| {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            nearkin::Error::Stopped
        })
    }
}

impl Elsewhere for Remote {
    fn rows(&self) -> usize {
        self.rows
    }

    fn margins(&self, matrix: &SquareMatrix) -> nearkin::Result<Vec<f64>> {
        self.ask(&self.margins, matrix.cells())
    }

    fn weighted(&self, weights: &[f64]) -> nearkin::Result<Vec<f64>> {
        self.ask(&self.sums, weights)
    }
}

/// Learn from rows that `margins(cells)` and `sums(weights)` answer for.
#[pyfunction]
pub fn learn_elsewhere<'py>(
    py: Python<'py>,
    method: &str,
    parameters: &Bound<'py, PyDict>,
    feature_names: Vec<String>,
    class_names: Vec<String>,
    class_counts: Vec<usize>,
    rows: usize,
    margins: Py<PyAny>,
    sums: Py<PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let method = configured(method, parameters)?;
    let raised = Arc::new(Mutex::new(None));
    let asked = Arc::new(Remote { rows, margins, sums, raised: raised.clone() });
    let learned = watch::run(py, 1, |run| {
        let classes = (&class_names[..], &class_counts[..]);
        elsewhere::learn(method.as_ref(), &feature_names, classes, asked, run)
    });
    match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => learned_as_dict(py, learned?),
    }
}
