//! What there is to choose from: methods of each room, wrappers and simulators, with their
//! parameters.

use nearkin::parameter::{Parameter, ParameterKind, Parameters as _};
use nearkin::weigh::{WRAPPERS, own_name};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::exception;

/// Every weighting method with its parameters; see `_core.pyi` for the keys.
#[pyfunction]
pub fn methods(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let declared = nearkin::weigh::methods().into_iter().map(|method| {
        let about = method.about();
        let words = [about.id, about.title, about.summary, about.reference];
        declaration(py, words, &method.parameters(), |parameter| parameter.python)
    });
    declared.collect()
}

/// Every method that learns a similarity, with its parameters.
#[pyfunction]
pub fn learners(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let declared = nearkin::learn::methods().into_iter().map(|method| {
        let about = method.about();
        let words = [about.id, about.title, about.summary, about.reference];
        declaration(py, words, &method.parameters(), |parameter| parameter.python)
    });
    declared.collect()
}

/// Every classifier with its parameters; naive Bayes, which reads tables alone, is the last.
#[pyfunction]
pub fn classifiers(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let declared = nearkin::classify::classifiers().into_iter().map(|method| {
        let about = method.about();
        let words = [about.id, about.title, about.summary, about.reference];
        declaration(py, words, &method.parameters(), |parameter| parameter.python)
    });
    let words = [
        "naive-bayes",
        "Naive Bayes",
        "the class under which the values of the features are likeliest, each by itself",
        "Cazzanti 2009",
    ];
    let parameters = nearkin::classify::NaiveBayes::default().parameters();
    let naive = declaration(py, words, &parameters, |parameter| parameter.python);
    declared.chain([naive]).collect()
}

/// Every measure of pairs of rows with its parameters.
#[pyfunction]
pub fn measures(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let declared = nearkin::measure::pairwise::measures().into_iter().map(|measure| {
        let about = measure.about();
        let words = [about.id, about.title, about.summary, about.reference];
        declaration(py, words, &measure.parameters(), |parameter| parameter.python)
    });
    declared.collect()
}

/// Every wrapper of weighting methods with its own parameters.
#[pyfunction]
pub fn wrappers(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let declared = WRAPPERS.into_iter().map(|id| {
        let inner = Box::new(nearkin::weigh::ReliefF::default());
        let wrapped = nearkin::weigh::wrap(id, inner).map_err(exception)?;
        let about = wrapped.about();
        let words = [about.id, about.title, about.summary, about.reference];
        let own: Vec<Parameter> =
            wrapped.parameters().into_iter().filter(|p| own_name(id, p.name).is_some()).collect();
        declaration(py, words, &own, |p| own_name(id, p.name).unwrap_or(p.python))
    });
    declared.collect()
}

/// Every simulator of tables with its parameters.
#[pyfunction]
pub fn simulators(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let declared = nearkin::simulate::generators().into_iter().map(|generator| {
        let about = generator.about();
        let words = [about.id, about.title, about.summary, about.reference];
        declaration(py, words, &generator.parameters(), |parameter| parameter.python)
    });
    declared.collect()
}

fn declaration<'py>(
    py: Python<'py>,
    [id, title, summary, reference]: [&str; 4],
    parameters: &[Parameter],
    python: impl Fn(&Parameter) -> &'static str,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("id", id)?;
    dict.set_item("title", title)?;
    dict.set_item("summary", summary)?;
    dict.set_item("reference", reference)?;
    let parameters = parameters.iter().map(|p| parameter_as_dict(py, p, python(p)));
    dict.set_item("parameters", parameters.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

fn parameter_as_dict<'py>(
    py: Python<'py>,
    parameter: &Parameter,
    python: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", parameter.name)?;
    dict.set_item("python", python)?;
    let kind = match parameter.kind {
        ParameterKind::Whole { min } => {
            dict.set_item("min", min)?;
            "whole"
        }
        ParameterKind::Real { min, max } => {
            dict.set_item("min", (min > f64::MIN).then_some(min))?;
            dict.set_item("max", (max < f64::MAX).then_some(max))?;
            "real"
        }
        ParameterKind::Flag => "flag",
        ParameterKind::Choice(words) => {
            dict.set_item("choices", words)?;
            "choice"
        }
        ParameterKind::Reals => "reals",
        ParameterKind::Words(words) => {
            dict.set_item("choices", words)?;
            "words"
        }
    };
    dict.set_item("kind", kind)?;
    dict.set_item("optional", parameter.optional)?;
    let unset = parameter.optional && parameter.default.is_empty();
    dict.set_item("default", (!unset).then_some(&parameter.default))?;
    dict.set_item("help", &parameter.help)?;
    Ok(dict)
}
