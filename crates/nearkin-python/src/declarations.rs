//! What there is to choose from: methods of each room, wrappers and simulators, with their
//! parameters.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use nearkin::parameter::{About, Parameter, ParameterKind, Parameters as _};
use nearkin::weigh::{WRAPPERS, own_name};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::exception;

/// A method as it is declared.
type Declared = (About, Vec<Parameter>);

/// Lists the methods of a module with all that they declare.
macro_rules! declared {
    ($all:path) => {
        $all().iter().map(|one| (one.about(), one.parameters())).collect::<Vec<Declared>>()
    };
}

/// Every weighting method with its parameters; see `_core.pyi` for the keys.
#[pyfunction]
pub fn methods(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    as_dicts(py, declared!(nearkin::weigh::methods))
}

/// Every method that learns a similarity, with its parameters.
#[pyfunction]
pub fn learners(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    as_dicts(py, declared!(nearkin::learn::methods))
}

/// Every classifier with its parameters; naive Bayes, which reads tables alone, is the last.
#[pyfunction]
pub fn classifiers(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let about = About {
        id: "naive-bayes",
        title: "Naive Bayes",
        summary: "the class under which the values of the features are likeliest, each by itself",
        reference: "Cazzanti 2009",
    };
    let mut all = declared!(nearkin::classify::classifiers);
    all.push((about, nearkin::classify::NaiveBayes::default().parameters()));
    as_dicts(py, all)
}

/// Every measure of pairs of rows with its parameters.
#[pyfunction]
pub fn measures(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    as_dicts(py, declared!(nearkin::measure::pairwise::measures))
}

/// Every simulator of tables with its parameters.
#[pyfunction]
pub fn simulators(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    as_dicts(py, declared!(nearkin::simulate::generators))
}

/// Every wrapper of weighting methods with the wrapper's own parameters.
#[pyfunction]
pub fn wrappers(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let wrapper = |id| {
        let wrapped = nearkin::weigh::wrap(id, Box::new(nearkin::weigh::ReliefF::default()))?;
        let own = |mut p: Parameter| {
            p.python = own_name(id, p.name)?;
            Some(p)
        };
        Ok((wrapped.about(), wrapped.parameters().into_iter().filter_map(own).collect()))
    };
    as_dicts(py, WRAPPERS.into_iter().map(wrapper).collect::<Result<_, _>>().map_err(exception)?)
}

/// The name that Python has for a parameter of the library.
///
/// Methods agree on it but for a few names, which are not translated: their errors are raised when
/// they are set, by the name that Python used.
pub fn in_python(name: &str) -> String {
    static NAMES: OnceLock<BTreeMap<&str, &str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let rooms = [
            declared!(nearkin::weigh::methods),
            declared!(nearkin::learn::methods),
            declared!(nearkin::classify::classifiers),
            declared!(nearkin::measure::pairwise::measures),
            declared!(nearkin::simulate::generators),
        ];
        let mut names = BTreeMap::from([("explain", "explain_rows")]);
        let mut several = Vec::new();
        for parameter in rooms.iter().flatten().flat_map(|(_, parameters)| parameters) {
            let known = *names.entry(parameter.name).or_insert(parameter.python);
            if known != parameter.python {
                several.push(parameter.name);
            }
        }
        names.retain(|name, _| !several.contains(name));
        names
    });
    names.get(name).map_or_else(|| name.replace('-', "_"), |name| (*name).to_owned())
}

/// Hand each of the settings, texts by their names, to `set`.
pub fn configure(
    parameters: &Bound<'_, PyDict>,
    mut set: impl FnMut(&str, &str) -> nearkin::Result<()>,
) -> PyResult<()> {
    for (name, text) in parameters {
        let (name, text): (String, String) = (name.extract()?, text.extract()?);
        set(&name, &text).map_err(exception)?;
    }
    Ok(())
}

fn as_dicts(py: Python<'_>, declared: Vec<Declared>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let declared = declared.into_iter().map(|(about, parameters)| {
        let parameters = parameters.iter().map(|parameter| parameter_as_dict(py, parameter));
        Ok(dict! { py;
            "id": about.id,
            "title": about.title,
            "summary": about.summary,
            "reference": about.reference,
            "parameters": parameters.collect::<PyResult<Vec<_>>>()?,
        })
    });
    declared.collect()
}

fn parameter_as_dict<'py>(py: Python<'py>, parameter: &Parameter) -> PyResult<Bound<'py, PyDict>> {
    let unset = parameter.optional && parameter.default.is_empty();
    let kind = match parameter.kind {
        ParameterKind::Whole { .. } => "whole",
        ParameterKind::Real { .. } => "real",
        ParameterKind::Flag => "flag",
        ParameterKind::Choice(_) => "choice",
        ParameterKind::Reals => "reals",
        ParameterKind::Words(_) => "words",
    };
    let dict = dict! { py;
        "name": parameter.name,
        "python": parameter.python,
        "kind": kind,
        "optional": parameter.optional,
        "default": (!unset).then_some(&parameter.default),
        "help": &parameter.help,
    };
    match parameter.kind {
        ParameterKind::Whole { min } => dict.set_item("min", min)?,
        ParameterKind::Real { min, max } => {
            dict.set_item("min", (min > f64::MIN).then_some(min))?;
            dict.set_item("max", (max < f64::MAX).then_some(max))?;
        }
        ParameterKind::Choice(words) | ParameterKind::Words(words) => {
            dict.set_item("choices", words)?;
        }
        ParameterKind::Flag | ParameterKind::Reals => {}
    }
    Ok(dict)
}
