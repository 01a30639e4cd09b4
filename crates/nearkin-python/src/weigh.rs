//! Weighting: a method, perhaps in wrappers, and what else is wanted; arrays out.

use nearkin::Error;
use nearkin::weigh::{Bootstrap, Extras, FeatureWeights, Permutation, Test, Weigh, own_name};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{self, Cells, ColumnSpec, Labels};
use crate::declarations::configure;
use crate::genotypes::Genotypes;
use crate::{exception, watch};

/// Features: numbers and where the features are among them, or genotypes with their names.
#[derive(FromPyObject)]
pub enum Features<'py> {
    #[pyo3(transparent, annotation = "genotypes")]
    Genotypes(Bound<'py, Genotypes>),
    #[pyo3(transparent, annotation = "float64 or float32 array")]
    Cells(Cells<'py>),
}

/// Weigh features; see `_core.pyi` for the arguments.
#[pyfunction]
#[pyo3(signature = (
    method, x, y, parameters, *, wrap=vec![], columns=None, class_names=None,
    feature_names=None, threads=1, per_class=false, pairs=false, rows=vec![], stir=false,
    permutations=None, bootstrap=None, progress=None
))]
pub fn weigh<'py>(
    py: Python<'py>,
    method: &str,
    x: Features<'py>,
    y: Labels<'py>,
    parameters: &Bound<'py, PyDict>,
    wrap: Vec<(String, Bound<'py, PyDict>)>,
    columns: Option<Vec<ColumnSpec<'py>>>,
    class_names: Option<Vec<String>>,
    feature_names: Option<Vec<String>>,
    threads: usize,
    per_class: bool,
    pairs: bool,
    rows: Vec<usize>,
    stir: bool,
    permutations: Option<(usize, u64)>,
    bootstrap: Option<(usize, f64, u64)>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut method = configured(method, parameters)?;
    for (wrapper, settings) in wrap {
        method = wrapped(&wrapper, method, &settings)?;
    }
    let table = match &x {
        Features::Cells(cells) => arrays::table(cells, columns.as_deref(), feature_names)?,
        Features::Genotypes(genotypes) => genotypes.get().table.view(),
    };
    let target = arrays::target(&y, class_names)?;
    let bootstrap =
        bootstrap.map(|(replicates, level, seed)| Bootstrap { replicates, level, seed });
    let wanted = Extras { per_class, pairs, rows, stir, bootstrap };
    let found = watch::watched(py, threads, progress, |run| {
        let mut found = method.fit_with(&table, &target, &wanted, run)?;
        if let Some((exchanges, seed)) = permutations {
            let data = (&table, &target);
            let by = Permutation { exchanges, seed, strata: None, call: None };
            let permuted = by.test(method.as_ref(), data, &found, run)?;
            found.tests = permuted.tests;
            found.notes.extend(permuted.notes);
        }
        Ok(found)
    })?;
    found_as_dict(py, found)
}

pub fn configured(id: &str, parameters: &Bound<'_, PyDict>) -> PyResult<Box<dyn Weigh>> {
    let mut method = nearkin::weigh::method(id).map_err(exception)?;
    configure(parameters, |name, text| nearkin::weigh::set(method.as_mut(), name, text))?;
    Ok(method)
}

/// `inner` in a wrapper whose parameters go by their names in Python.
fn wrapped(
    id: &str,
    inner: Box<dyn Weigh>,
    parameters: &Bound<'_, PyDict>,
) -> PyResult<Box<dyn Weigh>> {
    let mut method = nearkin::weigh::wrap(id, inner).map_err(exception)?;
    let names: Vec<&'static str> = method.parameters().iter().map(|p| p.name).collect();
    configure(parameters, |python, text| {
        let declared = names.iter().find(|name| own_name(id, name) == Some(python));
        let name = declared.copied().unwrap_or(python);
        nearkin::weigh::set(method.as_mut(), name, text).map_err(|error| match error {
            Error::Parameter { reason, .. } => Error::parameter(python, reason),
            error => error,
        })
    })?;
    Ok(method)
}

pub fn found_as_dict(py: Python<'_>, found: FeatureWeights) -> PyResult<Bound<'_, PyDict>> {
    let dict = dict! { py;
        "weights": PyArray1::from_vec(py, found.weights),
        "classes": found.classes,
    };
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
    add_tests(&dict, &found.tests, &found.class_tests)?;
    if !found.intervals.is_empty() {
        let ends: Vec<Vec<f64>> = found.intervals.iter().map(|&(a, b)| vec![a, b]).collect();
        dict.set_item("intervals", PyArray2::from_vec2(py, &ends)?)?;
    }
    if let Some(steps) = found.steps {
        dict.set_item("n_iter", steps)?;
    }
    if let Some(threshold) = found.threshold {
        dict.set_item("threshold", threshold)?;
    }
    if !found.order_deviation.is_empty() {
        dict.set_item("order_deviation", PyArray1::from_vec(py, found.order_deviation))?;
    }
    for (key, counts) in [("best_k", found.best_k), ("removed_in", found.removed_in)] {
        if !counts.is_empty() {
            let counts = counts.into_iter().map(|count| count as i64).collect();
            dict.set_item(key, PyArray1::<i64>::from_vec(py, counts))?;
        }
    }
    dict.set_item("notes", crate::notes(&found.notes))?;
    Ok(dict)
}

/// A number of a test; none where the test has no such number.
type Number = fn(&Test) -> Option<f64>;

/// The numbers of the tests, one array for each kind of number; NaN when a test has no such
/// number.
fn add_tests(dict: &Bound<'_, PyDict>, tests: &[Test], by_class: &[Vec<Test>]) -> PyResult<()> {
    let numbers: [(&str, Number); 4] = [
        ("p_values", |test| test.p),
        ("q_values", |test| test.q),
        ("t_values", |test| test.t),
        ("effects", |test| test.effect),
    ];
    let py = dict.py();
    for (key, number) in numbers {
        let all = |tests: &[Test]| -> Vec<f64> {
            tests.iter().map(|test| number(test).unwrap_or(f64::NAN)).collect()
        };
        if tests.iter().any(|test| number(test).is_some())
            || (key == "p_values" && !tests.is_empty())
        {
            dict.set_item(key, PyArray1::from_vec(py, all(tests)))?;
        }
        if !by_class.is_empty() {
            let by_class: Vec<Vec<f64>> = by_class.iter().map(|tests| all(tests)).collect();
            dict.set_item(format!("class_{key}"), PyArray2::from_vec2(py, &by_class)?)?;
        }
    }
    Ok(())
}
