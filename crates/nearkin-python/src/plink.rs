//! PLINK's files as genotypes that stay packed, and errors in Python's words.

use std::io::ErrorKind;
use std::path::PathBuf;

use nearkin_read::{Format, Options, PlinkError, ReadError, TargetChoice, TargetKind};
use pyo3::exceptions::{
    PyFileNotFoundError, PyIsADirectoryError, PyOSError, PyPermissionError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::datasets::add_target;
use crate::genotypes::Genotypes;

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

/// The exception a reader's error becomes.
fn exception(error: ReadError) -> PyErr {
    let sentence = in_python(&error);
    match error {
        ReadError::NotFound { .. } | ReadError::NotBeside { .. } => {
            PyFileNotFoundError::new_err(sentence)
        }
        ReadError::Directory { .. } => PyIsADirectoryError::new_err(sentence),
        ReadError::Io { kind: ErrorKind::PermissionDenied, .. } => {
            PyPermissionError::new_err(sentence)
        }
        ReadError::Io { .. } => PyOSError::new_err(sentence),
        _ => PyValueError::new_err(sentence),
    }
}

/// A reader's sentence with the arguments that help.
fn in_python(error: &ReadError) -> String {
    let ReadError::Plink { file, reason } = error else { return error.to_string() };
    let arguments = match reason {
        PlinkError::NoPhenotypes => {
            return format!(
                "{file}: no sample has a phenotype; put it into the sixth column, or read it with \
                 phenotype=None and bring y from elsewhere"
            );
        }
        PlinkError::MissingPhenotype { .. } => "skip_missing=True",
        PlinkError::UnclearPhenotype { .. } => "phenotype='classes', skip_missing=True",
        PlinkError::PhenotypeNotFinite { .. } => "phenotype='classes'",
        _ => return error.to_string(),
    };
    format!("{error} ({arguments})")
}
