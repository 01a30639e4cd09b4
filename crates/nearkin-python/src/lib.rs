//! The Python module `nearkin._core`: arrays into nearkin calls, nothing clever.
//!
//! Estimators, docs and scikit-learn's manners live in Python; here arrays become tables
//! ([`arrays`], [`categories`]) and tables arrays ([`datasets`]), files of genotypes are read
//! ([`plink`]) and kept packed ([`genotypes`]), methods and their parameters are listed
//! ([`declarations`]), work ([`weigh`], [`learn`], [`classify`]) runs where Ctrl-C can reach it
//! ([`watch`]), what was fitted becomes the program's models ([`models`]), and errors become
//! exceptions.

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

use nearkin::{Error, ErrorKind};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    nearkin._core,
    NoAnswer,
    PyValueError,
    "The data are in order, and the method finds no answer in them."
);

/// The exception a core error becomes, with the core's own sentence.
fn exception(error: Error) -> PyErr {
    let sentence = match &error {
        Error::Parameter { name, reason } => format!("{}: {reason}", in_python(name)),
        _ => error.to_string(),
    };
    match error.kind() {
        ErrorKind::Data | ErrorKind::Parameter => PyValueError::new_err(sentence),
        ErrorKind::NoAnswer => NoAnswer::new_err(sentence),
        ErrorKind::Stopped => PyKeyboardInterrupt::new_err(sentence),
        _ => PyRuntimeError::new_err(sentence),
    }
}

/// The library's notes as sentences.
fn sentences(notes: &[nearkin::Note]) -> Vec<String> {
    notes.iter().map(nearkin::Note::to_string).collect()
}

/// What Python calls the parameter that the core's sentence names as on the command line.
fn in_python(name: &str) -> String {
    match name {
        "explain" => "explain_rows".to_owned(),
        _ => name.replace('-', "_"),
    }
}

/// nearkin's native part.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NoAnswer", module.py().get_type::<NoAnswer>())?;
    module.add_function(wrap_pyfunction!(weigh::weigh, module)?)?;
    module.add_function(wrap_pyfunction!(categories::small_categories, module)?)?;
    module.add_function(wrap_pyfunction!(elsewhere::blockwise, module)?)?;
    module.add_function(wrap_pyfunction!(elsewhere::learn_near, module)?)?;
    module.add_function(wrap_pyfunction!(elsewhere::learn_sides, module)?)?;
    module.add_function(wrap_pyfunction!(elsewhere::learn_pairs_of, module)?)?;
    module.add_function(wrap_pyfunction!(elsewhere::learn_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(elsewhere::pair_margins, module)?)?;
    module.add_function(wrap_pyfunction!(elsewhere::pair_sums, module)?)?;
    module.add_function(wrap_pyfunction!(elsewhere::learn_elsewhere, module)?)?;
    module.add_class::<genotypes::Genotypes>()?;
    module.add_function(wrap_pyfunction!(plink::read_plink, module)?)?;
    module.add_class::<blocks::Frame>()?;
    module.add_class::<compared::Learning>()?;
    module.add_class::<compared::CountedRule>()?;
    module.add_class::<compared::Choosing>()?;
    module.add_function(wrap_pyfunction!(compared::measure_of, module)?)?;
    module.add_function(wrap_pyfunction!(compared::classifier_of, module)?)?;
    module.add_function(wrap_pyfunction!(compared::near_by, module)?)?;
    module.add_function(wrap_pyfunction!(compared::near_in, module)?)?;
    module.add_function(wrap_pyfunction!(compared::merge_near, module)?)?;
    module.add_function(wrap_pyfunction!(blocks::summarise, module)?)?;
    module.add_function(wrap_pyfunction!(blocks::merge_summaries, module)?)?;
    module.add_function(wrap_pyfunction!(declarations::methods, module)?)?;
    module.add_function(wrap_pyfunction!(learn::learn, module)?)?;
    module.add_function(wrap_pyfunction!(learn::unlearned, module)?)?;
    module.add_class::<learn::Learned>()?;
    module.add_class::<similarity::Similarity>()?;
    module.add_function(wrap_pyfunction!(models::similarity_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(models::classifier_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(models::read_model, module)?)?;
    module.add_class::<classify::Classifier>()?;
    module.add_function(wrap_pyfunction!(classify::classify, module)?)?;
    module.add_function(wrap_pyfunction!(classify::classify_labels, module)?)?;
    module.add_function(wrap_pyfunction!(classify::classify_references, module)?)?;
    module.add_class::<classify::NaiveBayes>()?;
    module.add_function(wrap_pyfunction!(classify::naive_bayes, module)?)?;
    module.add_class::<measure::Measure>()?;
    module.add_function(wrap_pyfunction!(measure::measure, module)?)?;
    module.add_function(wrap_pyfunction!(declarations::measures, module)?)?;
    module.add_function(wrap_pyfunction!(stats::sign_test, module)?)?;
    module.add_function(wrap_pyfunction!(stats::wilcoxon, module)?)?;
    module.add_function(wrap_pyfunction!(stats::mcnemar, module)?)?;
    module.add_function(wrap_pyfunction!(stats::corrected_t, module)?)?;
    module.add_function(wrap_pyfunction!(stats::friedman, module)?)?;
    module.add_function(wrap_pyfunction!(stats::nemenyi_difference, module)?)?;
    module.add_function(wrap_pyfunction!(declarations::learners, module)?)?;
    module.add_function(wrap_pyfunction!(declarations::classifiers, module)?)?;
    module.add_function(wrap_pyfunction!(declarations::wrappers, module)?)?;
    module.add_function(wrap_pyfunction!(declarations::simulators, module)?)?;
    module.add_function(wrap_pyfunction!(datasets::bundled, module)?)?;
    module.add_function(wrap_pyfunction!(datasets::load, module)?)?;
    module.add_function(wrap_pyfunction!(datasets::simulate, module)?)
}
