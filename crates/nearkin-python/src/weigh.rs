//! Weighting: a method, perhaps in wrappers, and what else is wanted; arrays out.

use nearkin::Error;
use nearkin::data::{Table, Target};
use nearkin::weigh::{
    Bootstrap, Extras, FeatureAssociation, FeatureWeights, Given, Permutation, Test, Weigh,
    own_name,
};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{self, Array1, Cells, ColumnSpec, Labels};
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

/// Covariates: numbers, where the columns are among them, and their names.
type Covariates<'py> = (Cells<'py>, Option<Vec<ColumnSpec<'py>>>, Vec<String>);

/// A target, and the names of its classes where it has some.
type OneTarget<'py> = (Labels<'py>, Option<Vec<String>>);

/// Weigh features; see `_core.pyi` for the arguments.
#[pyfunction]
#[pyo3(signature = (
    method, x, y, parameters, *, wrap=vec![], columns=None, class_names=None,
    feature_names=None, threads=1, per_class=false, pairs=false, rows=vec![], stir=false,
    permutations=None, bootstrap=None, association=None, covariates=None, strata=None,
    targets=vec![], progress=None
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
    association: Option<Bound<'py, PyDict>>,
    covariates: Option<Covariates<'py>>,
    strata: Option<Array1<'py, u32>>,
    targets: Vec<OneTarget<'py>>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut method = configured(method, parameters)?;
    for (wrapper, settings) in wrap {
        method = wrapped(&wrapper, method, &settings)?;
    }
    let association =
        association.map(|settings| configured("association", &settings)).transpose()?;
    let table = match &x {
        Features::Cells(cells) => arrays::table(cells, columns.as_deref(), feature_names)?,
        Features::Genotypes(genotypes) => genotypes.get().table.view(),
    };
    let target = arrays::target(&y, class_names)?;
    let bootstrap =
        bootstrap.map(|(replicates, level, seed)| Bootstrap { replicates, level, seed });
    let covariates = covariates.as_ref().map(|(cells, columns, names)| {
        arrays::table(cells, columns.as_deref(), Some(names.clone()))
    });
    let covariates: Option<Table> = covariates.transpose()?;
    let strata = strata.map(|strata| strata.vec());
    let targets = targets.into_iter().map(|(labels, names)| arrays::target(&labels, names));
    let targets: Vec<Target> = targets.collect::<PyResult<_>>()?;
    let given =
        Given { covariates: covariates.as_ref(), strata: strata.as_deref(), targets: &targets };
    // What only a test is given, the weights do not know.
    let of_weights = Given {
        covariates: given.covariates.filter(|_| method.takes_covariates()),
        strata: given.strata.filter(|_| method.takes_strata()),
        targets: given.targets,
    };
    let wanted = Extras { per_class, pairs, rows, stir, bootstrap };
    let found = watch::watched(py, threads, progress, |run| {
        let mut found = method.fit_given(&table, &target, &of_weights, &wanted, run)?;
        if let Some(test) = &association {
            let nothing = Extras::default();
            let tested = test.fit_given(&table, &target, &given, &nothing, &run.quiet())?;
            found.associations = tested.associations;
            let new = tested.notes.into_iter().filter(|note| !found.notes.contains(note));
            found.notes.extend(new.collect::<Vec<_>>());
        }
        if let Some((exchanges, seed)) = permutations {
            let data = (&table, &target);
            let by = Permutation { exchanges, seed, strata: given.strata, call: None };
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
    add_associations(&dict, &found.associations)?;
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

/// A number of an association.
type NumberOf = fn(&FeatureAssociation) -> f64;

/// The numbers of the associations, one array each, and which way features go with the target.
fn add_associations(dict: &Bound<'_, PyDict>, found: &[FeatureAssociation]) -> PyResult<()> {
    if found.is_empty() {
        return Ok(());
    }
    let py = dict.py();
    let numbers: [(&str, NumberOf); 8] = [
        ("statistics", |one| one.t),
        ("deviations", |one| one.deviation),
        ("z", |one| one.z),
        ("p_values", |one| one.p),
        ("p_target", |one| one.p_target),
        ("p_column", |one| one.p_column),
        ("q_values", |one| one.q),
        ("p_family", |one| one.p_family),
    ];
    for (key, number) in numbers {
        dict.set_item(key, PyArray1::from_vec(py, found.iter().map(number).collect()))?;
    }
    let extrapolated = found.iter().map(|one| one.extrapolated).collect();
    dict.set_item("extrapolated", PyArray1::<bool>::from_vec(py, extrapolated))?;
    let directions = found.iter().map(|one| {
        let direction = one.direction.as_ref().map(|direction| {
            Ok::<_, PyErr>(dict! { py;
                "level": direction.level.as_deref(),
                "class": direction.class.as_deref(),
                "more": direction.more,
                "z": direction.z,
            })
        });
        direction.transpose()
    });
    dict.set_item("directions", directions.collect::<PyResult<Vec<_>>>()?)
}
