//! The Python module `nearkin._core`: arrays into nearkin calls, nothing clever.
//!
//! Estimators, docs and scikit-learn's manners live in Python; here arrays become tables
//! ([`arrays`], [`categories`]) and tables arrays ([`datasets`]), files of genotypes are read
//! ([`plink`]) and kept packed ([`genotypes`]), methods and their parameters are listed
//! ([`declarations`]), work ([`weigh`], [`learn`], [`classify`]) runs where Ctrl-C can reach it
//! ([`watch`]), what was fitted becomes the program's models ([`models`]), and errors become
//! exceptions.

#![allow(clippy::too_many_arguments, reason = "arguments of Python functions have names")]

/// A dict of Python's with these entries.
macro_rules! dict {
    ($py:expr; $($key:literal: $value:expr),* $(,)?) => {{
        let dict = pyo3::types::PyDict::new($py);
        $(dict.set_item($key, $value)?;)*
        dict
    }};
}

mod arrays;
mod blocks;
mod categories;
mod classify;
mod compared;
mod datasets;
mod declarations;
mod elsewhere;
mod genotypes;
mod learn;
mod measure;
mod models;
mod plink;
mod rows;
mod similarity;
mod stats;
mod watch;
mod weigh;

use nearkin::{ClassifyError, Error, ErrorKind, Note, Severity};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    nearkin._core,
    NoAnswer,
    PyValueError,
    "The data are in order, and the method finds no answer in them."
);

/// The exception an error becomes: its class by the error's kind, its text the error's sentence.
///
/// Its attributes `kind`, `variant` and `row` tell Python's code what happened and where, so that
/// it need not read the sentence.
fn exception(error: Error) -> PyErr {
    let sentence = match &error {
        Error::Parameter { name, reason } => format!("{}: {reason}", declarations::in_python(name)),
        Error::Measure(reason) if reason.is_negative() => negative(reason),
        Error::Classify(reason @ ClassifyError::NegativeSimilarity { .. }) => negative(reason),
        _ => error.to_string(),
    };
    let (kind, raised) = match error.kind() {
        ErrorKind::Parameter => ("parameter", PyValueError::new_err(sentence)),
        ErrorKind::NoAnswer => ("no-answer", NoAnswer::new_err(sentence)),
        ErrorKind::Stopped => ("stopped", PyKeyboardInterrupt::new_err(sentence)),
        ErrorKind::Resource => ("resource", PyRuntimeError::new_err(sentence)),
        _ => ("data", PyValueError::new_err(sentence)),
    };
    Python::attach(|py| {
        let value = raised.value(py);
        let told = value
            .setattr("kind", kind)
            .and_then(|()| value.setattr("variant", error.name()))
            .and_then(|()| value.setattr("row", error.row()));
        told.err().unwrap_or_else(|| raised.clone_ref(py))
    })
}

/// An error about a number below 0, after the words that scikit-learn has for it.
fn negative(reason: &impl std::fmt::Display) -> String {
    format!("Negative values in data: {reason}")
}

/// Notes as pairs of a severity and a sentence.
type Notes = Vec<(&'static str, String)>;

fn notes(notes: &[Note]) -> Notes {
    let pair = |note: &Note| {
        let severity = match note.severity() {
            Severity::Information => "information",
            Severity::Warning => "warning",
            Severity::NotConverged => "not-converged",
        };
        (severity, note.to_string())
    };
    notes.iter().map(pair).collect()
}

/// nearkin's native part.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        blocks::{Frame, merge_summaries, summarise},
        categories::small_categories,
        classify::{
            Classifier, NaiveBayes, classify, classify_labels, classify_references, classify_rows,
            naive_bayes,
        },
        compared::{
            Choosing, CountedRule, Learning, classifier_of, measure_of, merge_near, near_by,
            near_in,
        },
        datasets::{bundled, load, simulate},
        declarations::{classifiers, learners, measures, methods, simulators, wrappers},
        elsewhere::{
            blockwise, learn_elsewhere, learn_near, learn_pairs, learn_pairs_of, learn_sides,
            pair_margins, pair_sums,
        },
        genotypes::Genotypes,
        learn::{Learned, learn, unlearned},
        measure::{Measure, measure},
        models::{classifier_bytes, read_model, similarity_bytes},
        plink::read_plink,
        similarity::Similarity,
        stats::{corrected_t, friedman, mcnemar, nemenyi_difference, sign_test, wilcoxon},
        weigh::weigh,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("NoAnswer", module.py().get_type::<crate::NoAnswer>())
    }
}
