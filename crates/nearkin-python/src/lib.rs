//! The Python module `nearkin._core`: arrays into nearkin calls, nothing clever.
//!
//! Estimators, docs and scikit-learn's manners live in Python; here arrays become tables
//! ([`arrays`]), work runs where Ctrl-C can reach it ([`watch`]) and errors become
//! exceptions.

mod arrays;
mod watch;

use nearkin::weigh::{FeatureWeights, Wanted};
use nearkin::{Error, Run, parameter};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use arrays::{Cells, ColumnSpec, Labels};

/// The exception a core error becomes, with the core's own sentence.
fn exception(error: Error) -> PyErr {
    let sentence = error.to_string();
    match error {
        Error::Data(_) | Error::Parameter { .. } => PyValueError::new_err(sentence),
        Error::Stopped => PyKeyboardInterrupt::new_err(sentence),
        _ => PyRuntimeError::new_err(sentence),
    }
}

/// Weigh features; see `_core.pyi` for the arguments.
#[pyfunction]
#[pyo3(signature = (
    method, x, y, parameters, *, columns=None, class_names=None, feature_names=None, threads=1,
    per_class=false, pairs=false, rows=None, progress=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
fn weigh<'py>(
    py: Python<'py>,
    method: &str,
    x: Cells<'py>,
    y: Labels<'py>,
    parameters: &Bound<'py, PyDict>,
    columns: Option<Vec<ColumnSpec<'py>>>,
    class_names: Option<Vec<String>>,
    feature_names: Option<Vec<String>>,
    threads: usize,
    per_class: bool,
    pairs: bool,
    rows: Option<Vec<usize>>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut method = nearkin::weigh::method(method).map_err(exception)?;
    for (name, text) in parameters {
        let (name, text): (String, String) = (name.extract()?, text.extract()?);
        nearkin::weigh::set(method.as_mut(), &name, &text).map_err(exception)?;
    }
    let table = arrays::table(&x, columns.as_deref(), feature_names)?;
    let target = arrays::target(&y, class_names)?;
    let wanted = Wanted { per_class, pairs, rows: rows.unwrap_or_default(), ..Wanted::default() };
    let found = watch::watched(py, progress.as_ref(), |watch| {
        let run = Run { threads, watch: Some(watch) };
        method.fit_with(&table, &target, &wanted, &run)
    })?;
    found_as_dict(py, found)
}

fn found_as_dict(py: Python<'_>, found: FeatureWeights) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("weights", PyArray1::from_vec(py, found.weights))?;
    dict.set_item("classes", found.classes)?;
    if !found.class_weights.is_empty() {
        dict.set_item("class_weights", PyArray2::from_vec2(py, &found.class_weights)?)?;
    }
    if !found.pair_weights.is_empty() {
        dict.set_item("pair_weights", PyArray3::from_vec3(py, &found.pair_weights)?)?;
    }
    if !found.row_weights.is_empty() {
        let (rows, weights): (Vec<usize>, Vec<Vec<f64>>) = found.row_weights.into_iter().unzip();
        dict.set_item("rows", PyArray1::from_vec(py, rows))?;
        dict.set_item("row_weights", PyArray2::from_vec2(py, &weights)?)?;
    }
    dict.set_item("notes", found.notes)?;
    Ok(dict)
}

/// Every weighting method with its parameters; see `_core.pyi` for the keys.
#[pyfunction]
fn methods(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for method in nearkin::weigh::methods() {
        let about = method.about();
        let dict = PyDict::new(py);
        dict.set_item("id", about.id)?;
        dict.set_item("title", about.title)?;
        dict.set_item("summary", about.summary)?;
        dict.set_item("reference", about.reference)?;
        let parameters = method.parameters();
        let parameters = parameters.iter().map(|p| parameter_as_dict(py, p));
        dict.set_item("parameters", parameters.collect::<PyResult<Vec<_>>>()?)?;
        list.append(dict)?;
    }
    Ok(list)
}

fn parameter_as_dict<'py>(
    py: Python<'py>,
    parameter: &parameter::Parameter,
) -> PyResult<Bound<'py, PyDict>> {
    use parameter::Kind;
    let dict = PyDict::new(py);
    dict.set_item("name", parameter.name)?;
    dict.set_item("python", parameter.python)?;
    let kind = match parameter.kind {
        Kind::Whole { min } => {
            dict.set_item("min", min)?;
            "whole"
        }
        Kind::Real { min, max } => {
            dict.set_item("min", (min > f64::MIN).then_some(min))?;
            dict.set_item("max", (max < f64::MAX).then_some(max))?;
            "real"
        }
        Kind::Flag => "flag",
        Kind::Choice(words) => {
            dict.set_item("choices", words)?;
            "choice"
        }
        Kind::Reals => "reals",
    };
    dict.set_item("kind", kind)?;
    dict.set_item("optional", parameter.optional)?;
    let unset = parameter.optional && parameter.default.is_empty();
    dict.set_item("default", (!unset).then_some(&parameter.default))?;
    dict.set_item("help", &parameter.help)?;
    Ok(dict)
}

/// nearkin's native part.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(weigh, module)?)?;
    module.add_function(wrap_pyfunction!(methods, module)?)
}
