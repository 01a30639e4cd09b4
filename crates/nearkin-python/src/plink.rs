//! PLINK's files as genotypes that stay packed, and errors in Python's words.

use std::io::ErrorKind;
use std::path::PathBuf;

use nearkin_read::{Error, Format, Options, TargetChoice, TargetKind};
use pyo3::exceptions::{
    PyFileNotFoundError, PyIsADirectoryError, PyOSError, PyPermissionError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::datasets::add_target;
use crate::genotypes::Genotypes;

/// Settings as errors name them for the command line, and as Python names them.
const IN_PYTHON: [(&str, &str); 3] = [
    ("--skip-missing-target", "skip_missing=True"),
    ("say --target-kind classes", "say phenotype='classes'"),
    (
        "give the target as a .npy file with one value a sample",
        "read it with phenotype=None and bring y from elsewhere",
    ),
];

/// Read a `.bed` and the files beside it; see `_core.pyi` for the keys.
#[pyfunction]
#[pyo3(signature = (path, *, phenotype, skip_missing, additive))]
pub fn read_plink<'py>(
    py: Python<'py>,
    path: PathBuf,
    phenotype: Option<&str>,
    skip_missing: bool,
    additive: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let (target, target_kind) = match phenotype {
        None => (TargetChoice::None, TargetKind::Auto),
        Some("auto") => (TargetChoice::Auto, TargetKind::Auto),
        Some("classes") => (TargetChoice::Auto, TargetKind::Classes),
        Some("real") => (TargetChoice::Auto, TargetKind::Real),
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "phenotype: expected 'auto', 'classes', 'real' or None, got '{other}'"
            )));
        }
    };
    let options = Options {
        format: Some(Format::Bed),
        target,
        target_kind,
        skip_missing_target: skip_missing,
        additive,
        ..Options::default()
    };
    let loaded = py.detach(|| nearkin_read::read(&path, &options)).map_err(exception)?;
    let dict = dict! { py;
        "x": Bound::new(py, Genotypes { table: loaded.table })?,
        "sample_names": loaded.row_names,
    };
    if let Some(target) = loaded.target {
        add_target(&dict, target)?;
    }
    Ok(dict)
}

/// The exception a reader's error becomes, with its own sentence.
fn exception(error: Error) -> PyErr {
    let sentence = IN_PYTHON
        .iter()
        .fold(error.to_string(), |said, (program, python)| said.replace(program, python));
    match error {
        Error::NotFound { .. } | Error::NotBeside { .. } => PyFileNotFoundError::new_err(sentence),
        Error::Directory { .. } => PyIsADirectoryError::new_err(sentence),
        Error::Io { source, .. } if source.kind() == ErrorKind::PermissionDenied => {
            PyPermissionError::new_err(sentence)
        }
        Error::Io { .. } => PyOSError::new_err(sentence),
        _ => PyValueError::new_err(sentence),
    }
}
