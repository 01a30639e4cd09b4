//! Tests of whether one method is better than another.

use nearkin::stats::{self, Tail, WilcoxonP, Zeros};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Array1, Array2};
use crate::exception;

fn tail(word: &str) -> PyResult<Tail> {
    match word {
        "two-sided" => Ok(Tail::Both),
        "greater" => Ok(Tail::Right),
        "less" => Ok(Tail::Left),
        _ => Err(exception(nearkin::Error::parameter(
            "alternative",
            nearkin::ParameterError::NotOneOf {
                words: vec!["two-sided", "greater", "less"],
                got: word.to_owned(),
            },
        ))),
    }
}

fn dict<'py>(py: Python<'py>, entries: &[(&str, f64)]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    entries.iter().try_for_each(|(key, value)| dict.set_item(key, value))?;
    Ok(dict)
}

/// The sign test on pairs of numbers.
#[pyfunction]
pub fn sign_test<'py>(
    py: Python<'py>,
    a: Array1<'py, f64>,
    b: Array1<'py, f64>,
    alternative: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let (a, b) = (a.vec(), b.vec());
    let test = stats::sign_test(&a, &b, tail(alternative)?).map_err(exception)?;
    dict(py, &[("wins", test.wins as f64), ("losses", test.losses as f64), ("p", test.p)])
}

/// Wilcoxon's signed rank test; None when no pair differs.
#[pyfunction]
pub fn wilcoxon<'py>(
    py: Python<'py>,
    a: Array1<'py, f64>,
    b: Array1<'py, f64>,
    alternative: &str,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let (a, b) = (a.vec(), b.vec());
    let test = stats::wilcoxon(&a, &b, Zeros::Drop, WilcoxonP::Auto, tail(alternative)?);
    let found = test
        .map_err(exception)?
        .map(|w| dict(py, &[("w_plus", w.w_plus), ("w_minus", w.w_minus), ("p", w.p)]));
    found.transpose()
}

/// McNemar's exact test of how many were right under one of two methods alone.
#[pyfunction]
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    stats::mcnemar_exact(only_first, only_second)
}

/// The corrected resampled t-test of differences over splits; None without any spread.
#[pyfunction]
pub fn corrected_t<'py>(
    py: Python<'py>,
    differences: Array1<'py, f64>,
    train_rows: usize,
    test_rows: usize,
    alternative: &str,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let differences = differences.vec();
    let tail = tail(alternative)?;
    let test = stats::corrected_resampled_t(&differences, train_rows, test_rows, tail);
    let found = test.map_err(exception)?.map(|t| dict(py, &[("t", t.t), ("df", t.df), ("p", t.p)]));
    found.transpose()
}

/// Friedman's test over data sets (rows) and methods (columns); None when all rank alike.
#[pyfunction]
pub fn friedman<'py>(
    py: Python<'py>,
    scores: Array2<'py, f64>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let rows: Vec<Vec<f64>> = scores.as_array().rows().into_iter().map(|r| r.to_vec()).collect();
    let found = stats::friedman(&rows).map_err(exception)?.map(|f| {
        let entries = [("chi_square", f.chi_square), ("p", f.p), ("f", f.f), ("f_p", f.f_p)];
        let dict = dict(py, &entries)?;
        dict.set_item("mean_ranks", f.mean_ranks)?;
        Ok(dict)
    });
    found.transpose()
}

/// Nemenyi's critical difference of mean ranks, of `methods` on `sets`.
#[pyfunction]
pub fn nemenyi_difference(alpha: f64, methods: usize, sets: usize) -> PyResult<f64> {
    stats::nemenyi_difference(alpha, methods, sets).map_err(exception)
}
