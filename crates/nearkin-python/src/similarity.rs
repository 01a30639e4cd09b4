//! A similarity of rows, asked about pairs and blocks of them.

use nearkin::Run;
use nearkin::data::Dense;
use nearkin::measure::{Form, Matrix, Norm, Similarity};
use nearkin::parameter::Value;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arrays::{self, Cells};
use crate::{exception, watch};

/// A matrix's form, norm and cells: the diagonal, or all rows one after another.
type Parts<'py> = (String, String, PyReadonlyArray1<'py, f64>);

/// The similarity that its parts describe, over columns of these names.
fn similarity(parts: &Parts<'_>, names: Vec<String>) -> PyResult<Similarity> {
    let (form, norm, cells) = parts;
    let form = Form::parse(form).map_err(|e| exception(nearkin::Error::parameter("form", e)))?;
    let norm = Norm::parse(norm).map_err(|e| exception(nearkin::Error::parameter("norm", e)))?;
    let matrix = Matrix::new(form, names.len(), cells.as_array().to_vec()).map_err(exception)?;
    Similarity::new(matrix, norm, names).map_err(exception)
}

fn dense(x: &Cells<'_>, names: &[String]) -> PyResult<Dense> {
    let table = arrays::table(x, None, Some(names.to_vec()))?;
    Dense::from_table(&table).map_err(exception)
}

/// s(x, y) for every row of `x` and every row of `y`; see `_core.pyi`.
#[pyfunction]
#[pyo3(signature = (parts, feature_names, x, y=None, *, threads=1, progress=None))]
pub fn similarities<'py>(
    py: Python<'py>,
    parts: Parts<'py>,
    feature_names: Vec<String>,
    x: Cells<'py>,
    y: Option<Cells<'py>>,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (queries, base) =
        (dense(&x, &feature_names)?, y.map(|y| dense(&y, &feature_names)).transpose()?);
    let similarity = similarity(&parts, feature_names)?;
    let width = base.as_ref().unwrap_or(&queries).rows();
    let scores = watch::watched(py, progress.as_ref(), |watch| {
        let run = Run { threads, watch: Some(watch) };
        let queries = similarity.prepare(&queries)?;
        match &base {
            Some(base) => similarity.between(&queries, &similarity.prepare(base)?, &run),
            None => similarity.between(&queries, &queries, &run),
        }
    })?;
    arrays::square(py, scores, width)
}

/// s(x, y) for each row of `x` and the same row of `y`.
#[pyfunction]
pub fn pair_similarities<'py>(
    py: Python<'py>,
    parts: Parts<'py>,
    feature_names: Vec<String>,
    x: Cells<'py>,
    y: Cells<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (x, y) = (dense(&x, &feature_names)?, dense(&y, &feature_names)?);
    let similarity = similarity(&parts, feature_names)?;
    let rows = x.rows().min(y.rows());
    let scores = py.detach(|| {
        (0..rows).map(|row| similarity.score(x.row(row), y.row(row))).collect::<Result<_, _>>()
    });
    Ok(PyArray1::from_vec(py, scores.map_err(exception)?))
}

/// True when the matrix is positive semi-definite.
#[pyfunction]
pub fn is_psd(parts: Parts<'_>, feature_names: Vec<String>) -> PyResult<bool> {
    Ok(similarity(&parts, feature_names)?.is_psd())
}

/// L with A = LᵀL.
#[pyfunction]
pub fn factor<'py>(
    py: Python<'py>,
    parts: Parts<'py>,
    feature_names: Vec<String>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let factor = similarity(&parts, feature_names)?.factor().map_err(exception)?;
    Ok(PyArray2::from_vec2(py, &factor)?)
}
