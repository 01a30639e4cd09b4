//! Learning a similarity: arrays in, similarities and margins out.

use nearkin::Note;
use nearkin::data::Target;
use nearkin::learn::{
    Bound as MistakeBound, Learn, Learned as Found, LearnedMatrix, Lesson, Task, Triplet,
};
use numpy::PyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{self, Array2, ColumnSpec, Labels};
use crate::declarations::configure;
use crate::rows::{NumberRows, numbers};
use crate::similarity::Similarity;
use crate::{exception, watch};

/// A learned similarity with its history; Python's learners hold one to save it.
#[pyclass(frozen, module = "nearkin._core")]
pub struct Learned {
    pub inner: Found,
}

/// Learn a similarity; see `_core.pyi` for the arguments.
#[pyfunction]
#[pyo3(signature = (
    method, x, parameters, *, y=None, triplets=None, columns=None, class_names=None,
    feature_names=None, width=None, threads=1, progress=None
))]
pub fn learn<'py>(
    py: Python<'py>,
    method: &str,
    x: NumberRows<'py>,
    parameters: &Bound<'py, PyDict>,
    y: Option<Labels<'py>>,
    triplets: Option<Array2<'py, u32>>,
    columns: Option<Vec<ColumnSpec<'py>>>,
    class_names: Option<Vec<String>>,
    feature_names: Option<Vec<String>>,
    width: Option<usize>,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let method = configured(method, parameters)?;
    let rows = numbers(&x, columns.as_deref(), feature_names, width)?;
    let lesson = match (y, triplets) {
        (Some(y), None) => Taught::Classes(arrays::target(&y, class_names)?),
        (None, Some(triplets)) => Taught::Triplets(triplets_of(&triplets)),
        _ => return Err(PyTypeError::new_err("learn takes either y or triplets")),
    };
    let learned = watch::watched(py, threads, progress, |run| {
        let lesson = match &lesson {
            Taught::Classes(target) => Lesson::Classes(target),
            Taught::Triplets(triplets) => Lesson::Triplets(triplets),
        };
        method.learn_in_pool(&Task::new(rows.view(), lesson), run)
    })?;
    learned_as_dict(py, learned)
}

/// A learned similarity without its history, for all classes or one each.
#[pyfunction]
#[pyo3(signature = (similarity, classes, *, local=false, notes=vec![]))]
pub fn unlearned<'py>(
    py: Python<'py>,
    similarity: &Similarity,
    classes: Vec<String>,
    local: bool,
    notes: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let model = |class: Option<String>| LearnedMatrix {
        class,
        similarity: similarity.inner.clone(),
        objective: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        mistakes: Vec::new(),
        bound: None,
        note: None,
    };
    let models = match local {
        true => classes.iter().map(|class| model(Some(class.clone()))).collect(),
        false => vec![model(None)],
    };
    learned_as_dict(
        py,
        Found {
            classes,
            models,
            notes: notes.into_iter().map(|told| Note::Saved { told }).collect(),
        },
    )
}

/// The lesson about the rows, owned.
enum Taught {
    Classes(Target),
    Triplets(Vec<Triplet>),
}

fn triplets_of(rows: &Array2<'_, u32>) -> Vec<Triplet> {
    let rows = rows.as_array();
    let triplet = |row: ArrayView1<u32>| Triplet {
        anchor: row.get(0).copied().unwrap_or_default(),
        positive: row.get(1).copied().unwrap_or_default(),
        negative: row.get(2).copied().unwrap_or_default(),
    };
    rows.rows().into_iter().map(triplet).collect()
}

/// The method called `id` with these settings.
pub fn configured(id: &str, parameters: &Bound<'_, PyDict>) -> PyResult<Box<dyn Learn>> {
    let mut method = nearkin::learn::method(id).map_err(exception)?;
    configure(parameters, |name, text| nearkin::learn::set(method.as_mut(), name, text))?;
    Ok(method)
}

/// A learned similarity as arrays, and as the object itself.
pub fn learned_as_dict(py: Python<'_>, learned: Found) -> PyResult<Bound<'_, PyDict>> {
    let models = learned.models.iter().map(|model| model_as_dict(py, model));
    Ok(dict! { py;
        "models": models.collect::<PyResult<Vec<_>>>()?,
        "classes": &learned.classes,
        "notes": crate::notes(&learned.notes),
        "learned": Learned { inner: learned },
    })
}

fn model_as_dict<'py>(py: Python<'py>, model: &LearnedMatrix) -> PyResult<Bound<'py, PyDict>> {
    Ok(dict! { py;
        "class": &model.class,
        "similarity": Similarity { inner: model.similarity.clone() },
        "objective": PyArray1::from_slice(py, &model.objective),
        "before": PyArray1::from_slice(py, &model.before),
        "after": PyArray1::from_slice(py, &model.after),
        "mistakes": PyArray1::from_slice(py, &model.mistakes),
        "bound": model.bound.map(|bound| bound_as_dict(py, bound)).transpose()?,
    })
}

fn bound_as_dict(py: Python<'_>, bound: MistakeBound) -> PyResult<Bound<'_, PyDict>> {
    Ok(dict! { py;
        "mistakes": bound.mistakes,
        "radius": bound.radius,
        "gamma": bound.gamma,
        "shortfall": bound.shortfall,
        "bound": bound.bound,
        "separable": bound.separable,
        "expected_error": bound.expected_error,
    })
}
