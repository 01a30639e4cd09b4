//! Learning a similarity: arrays in, matrices and margins out.

use nearkin::Run;
use nearkin::data::{Dense, Target};
use nearkin::learn::{Bound as MistakeBound, Learn, Learned, Model, Triplet};
use nearkin::measure::{Form, Matrix};
use numpy::ndarray::ArrayView1;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{self, Cells, ColumnSpec, Labels};
use crate::{exception, watch};

/// Learn a similarity; see `_core.pyi` for the arguments.
#[pyfunction]
#[pyo3(signature = (
    method, x, parameters, *, y=None, triplets=None, columns=None, class_names=None,
    feature_names=None, threads=1, progress=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub fn learn<'py>(
    py: Python<'py>,
    method: &str,
    x: Cells<'py>,
    parameters: &Bound<'py, PyDict>,
    y: Option<Labels<'py>>,
    triplets: Option<PyReadonlyArray2<'py, u32>>,
    columns: Option<Vec<ColumnSpec<'py>>>,
    class_names: Option<Vec<String>>,
    feature_names: Option<Vec<String>>,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let method = configured(method, parameters)?;
    let table = arrays::table(&x, columns.as_deref(), feature_names)?;
    let lesson = match (y, triplets) {
        (Some(y), None) => Taught::Classes(arrays::target(&y, class_names)?),
        (None, Some(triplets)) => Taught::Triplets(triplets_of(&triplets)),
        _ => return Err(PyTypeError::new_err("learn takes either y or triplets")),
    };
    let learned = watch::watched(py, progress.as_ref(), |watch| {
        let run = Run { threads, watch: Some(watch) };
        match &lesson {
            Taught::Classes(target) => method.fit_with(&table, target, &run),
            Taught::Triplets(triplets) => {
                method.fit_triplets(&Dense::from_table(&table)?, triplets, &run)
            }
        }
    })?;
    learned_as_dict(py, learned)
}

/// What is known about the rows, owned.
enum Taught {
    Classes(Target),
    Triplets(Vec<Triplet>),
}

fn triplets_of(rows: &PyReadonlyArray2<'_, u32>) -> Vec<Triplet> {
    let rows = rows.as_array();
    let triplet = |row: ArrayView1<u32>| Triplet {
        anchor: row.get(0).copied().unwrap_or_default(),
        positive: row.get(1).copied().unwrap_or_default(),
        negative: row.get(2).copied().unwrap_or_default(),
    };
    rows.rows().into_iter().map(triplet).collect()
}

fn configured(id: &str, parameters: &Bound<'_, PyDict>) -> PyResult<Box<dyn Learn>> {
    let mut method = nearkin::learn::method(id).map_err(exception)?;
    for (name, text) in parameters {
        let (name, text): (String, String) = (name.extract()?, text.extract()?);
        nearkin::learn::set(method.as_mut(), &name, &text).map_err(exception)?;
    }
    Ok(method)
}

fn learned_as_dict(py: Python<'_>, learned: Learned) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let models = learned.models.into_iter().map(|model| model_as_dict(py, model));
    dict.set_item("models", models.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("notes", learned.notes)?;
    Ok(dict)
}

fn model_as_dict(py: Python<'_>, model: Model) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let (matrix, form) = (model.similarity.matrix(), model.similarity.matrix().form());
    dict.set_item("class", model.class)?;
    dict.set_item("form", nearkin::parameter::Value::show(&form))?;
    dict.set_item("matrix", matrix_as_array(py, matrix)?)?;
    dict.set_item("objective", PyArray1::from_vec(py, model.objective))?;
    dict.set_item("before", PyArray1::from_vec(py, model.before))?;
    dict.set_item("after", PyArray1::from_vec(py, model.after))?;
    dict.set_item("mistakes", PyArray1::from_vec(py, model.mistakes))?;
    dict.set_item("bound", model.bound.map(|bound| bound_as_dict(py, bound)).transpose()?)?;
    Ok(dict)
}

/// The diagonal, or the square.
pub fn matrix_as_array<'py>(py: Python<'py>, matrix: &Matrix) -> PyResult<Bound<'py, PyAny>> {
    let cells = matrix.cells().to_vec().into_pyarray(py);
    Ok(match matrix.form() {
        Form::Diagonal => cells.into_any(),
        _ => cells.reshape([matrix.size(), matrix.size()])?.into_any(),
    })
}

fn bound_as_dict(py: Python<'_>, bound: MistakeBound) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("mistakes", bound.mistakes)?;
    dict.set_item("radius", bound.radius)?;
    dict.set_item("gamma", bound.gamma)?;
    dict.set_item("shortfall", bound.shortfall)?;
    dict.set_item("bound", bound.bound)?;
    dict.set_item("separable", bound.separable)?;
    dict.set_item("expected_error", bound.expected_error)?;
    Ok(dict)
}
