//! Saved models: turn what Python's estimators hold into the bytes of a model file, and back.

use nearkin::data::{Classes, ColumnValues, Table, Target};
use nearkin::learn::Learn;
use nearkin::measure::OwnedVectors;
use nearkin::measure::pairwise::FittedMeasure as _;
use nearkin::model::{
    ClassifierModel, LabelledRows, Model, NaiveBayesModel, Origin, SavedMeasure, SimilarityModel,
    TrainingSamples,
};
use nearkin::neighbors::Rule;
use nearkin::parameter::{Parameters, Value};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrays::{self, Array1, Cells, Rows};
use crate::classify::matrix;
use crate::compared::parts_as_arrays;
use crate::learn::{self, Learned};
use crate::measure;
use crate::rows::{NumberRows, Numbers, numbers};
use crate::similarity::{Similarity, word};
use crate::{classify, exception, watch};

/// The name of the data, the name of the target, what the class names stand for, and settings of
/// the Python estimator that the core does not use.
pub type Words = (String, String, String, String);

/// Numeric columns as one array, and where each feature is.
pub type TableArrays<'py> = (Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>);

/// How a model of these settings came about.
pub fn origin(
    id: &str,
    method: &(impl Parameters + ?Sized),
    (data, target, labels, settings): Words,
) -> Origin {
    Origin { labels, settings, ..Origin::new(id, method, data, target) }
}

/// The bytes of a learned similarity, with labelled rows if they are given.
#[pyfunction]
#[pyo3(signature = (method, parameters, learned, words, *, k, rule="knn", rows=None))]
pub fn similarity_bytes<'py>(
    py: Python<'py>,
    method: &str,
    parameters: &Bound<'py, PyDict>,
    learned: &Learned,
    words: Words,
    k: usize,
    rule: &str,
    rows: Option<(NumberRows<'py>, Array1<'py, u32>, Vec<String>)>,
) -> PyResult<Bound<'py, PyBytes>> {
    let learner = learn::configured(method, parameters)?;
    let rule: Rule = word("rule", rule)?;
    let names = learned.inner.models.first().map(|model| model.similarity.columns().to_vec());
    let rows = match &rows {
        Some((cells, codes, classes)) => {
            let classes = Classes::new(codes.vec(), classes.clone());
            let width = names.as_ref().map(Vec::len);
            Some((numbers(cells, None, names, width)?, classes.map_err(exception)?))
        }
        None => None,
    };
    let bytes = watch::run(py, 1, |_| {
        let prototypes = rows.map(|(rows, classes)| {
            let all: Vec<usize> = (0..rows.len()).collect();
            let rows = match rows {
                Numbers::Table(rows) => rows.to_dense()?.into(),
                Numbers::Sparse(rows) => rows.into(),
                rows @ Numbers::SparseSingle(_) => rows.view().select_rows(&all),
            };
            Ok::<_, nearkin::Error>(LabelledRows { rows, classes })
        });
        let model = SimilarityModel {
            origin: origin(method, learner.as_ref(), words),
            learned: learned.inner.clone(),
            rule,
            k,
            prototypes: prototypes.transpose()?,
        };
        Model::Similarity(model).to_bytes()
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// Comparison of rows: a measure by name, or a similarity that a method learned.
#[derive(FromPyObject)]
pub enum Compared<'py> {
    #[pyo3(annotation = "method, its parameters and what it learned")]
    Learned(String, Bound<'py, PyDict>, PyRef<'py, Similarity>),
    #[pyo3(annotation = "measure and its parameters")]
    Measure(String, Bound<'py, PyDict>),
}

/// Rows and what compares them, or the similarities of all with all.
#[derive(FromPyObject)]
pub enum Given<'py> {
    #[pyo3(annotation = "rows, their names and what compares them")]
    Table(Rows<'py>, Option<Vec<String>>, Compared<'py>),
    #[pyo3(annotation = "matrix, and whether it holds distances")]
    Matrix(Cells<'py>, bool),
}

/// A similarity that `method` learned, as a model keeps it.
fn learned_measure(method: &dyn Learn, similarity: &nearkin::measure::Similarity) -> SavedMeasure {
    let parameters = method.parameters().into_iter().map(|p| (p.name.to_owned(), p.default));
    let (id, parts) = (method.about().id.into(), similarity.parts());
    SavedMeasure { id, parameters: parameters.collect(), parts }
}

/// A similarity that was learned before, or made by hand, as a model keeps it.
fn learned_before(similarity: &nearkin::measure::Similarity) -> SavedMeasure {
    SavedMeasure { id: "learned".into(), parameters: Vec::new(), parts: similarity.parts() }
}

/// The bytes of a classifier, with what it learned if that is given.
#[pyfunction]
#[pyo3(signature = (method, parameters, samples, y, class_names, words, learned=None))]
pub fn classifier_bytes<'py>(
    py: Python<'py>,
    method: &str,
    parameters: &Bound<'py, PyDict>,
    samples: Given<'py>,
    y: Array1<'py, u32>,
    class_names: Vec<String>,
    words: Words,
    learned: Option<&classify::Classifier>,
) -> PyResult<Bound<'py, PyBytes>> {
    let classifier = classify::configured(method, parameters)?;
    let kept = |mut model: ClassifierModel| {
        learned.into_iter().for_each(|learned| model.keep(learned.fitted.as_ref()));
        model
    };
    let origin = origin(method, classifier.as_ref(), words);
    let classes = Classes::new(y.vec(), class_names).map_err(exception)?;
    let bytes = match samples {
        Given::Matrix(given, dissimilar) => {
            let s = matrix(&given, dissimilar)?;
            watch::run(py, 1, |_| {
                let views = vec![s.to_owned()];
                let samples = TrainingSamples::Similarities { views, names: None, dissimilar };
                Model::Classifier(kept(ClassifierModel { origin, samples, classes, fitted: None }))
                    .to_bytes()
            })?
        }
        Given::Table((cells, columns), names, compared) => {
            let table = arrays::table(&cells, columns.as_deref(), names)?;
            match compared {
                Compared::Measure(id, parameters) => {
                    let measure = measure::configured(&id, &parameters)?;
                    let target = Target::Classes(classes);
                    watch::run(py, 1, |_| {
                        let model = ClassifierModel::of_table(origin, &[measure], &table, &target)?;
                        Model::Classifier(kept(model)).to_bytes()
                    })?
                }
                Compared::Learned(id, parameters, similarity) => {
                    let measure = match id.as_str() {
                        "learned" => learned_before(&similarity.inner),
                        _ => {
                            let learner = learn::configured(&id, &parameters)?;
                            learned_measure(learner.as_ref(), &similarity.inner)
                        }
                    };
                    watch::run(py, 1, |_| {
                        let rows = table.into_owned();
                        let samples = TrainingSamples::Table { measures: vec![measure], rows };
                        Model::Classifier(kept(ClassifierModel {
                            origin,
                            samples,
                            classes,
                            fitted: None,
                        }))
                        .to_bytes()
                    })?
                }
            }
        }
    };
    Ok(PyBytes::new(py, &bytes))
}

/// The contents of a saved model; see `_core.pyi` for the keys.
#[pyfunction]
pub fn read_model<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyDict>> {
    let model = watch::run(py, 1, |_| Model::from_bytes(bytes))?;
    let origin = model.origin().clone();
    let dict = match model {
        Model::Similarity(model) => similarity_as_dict(py, model)?,
        Model::Classifier(model) => classifier_as_dict(py, model)?,
        Model::NaiveBayes(model) => bayes_as_dict(py, model)?,
        _ => return Err(PyTypeError::new_err("Python has no estimator for this model")),
    };
    dict.set_item("method", origin.method)?;
    dict.set_item("parameters", origin.parameters)?;
    dict.set_item("words", (origin.data, origin.target, origin.labels, origin.settings))?;
    Ok(dict)
}

fn bayes_as_dict(py: Python<'_>, model: NaiveBayesModel) -> PyResult<Bound<'_, PyDict>> {
    let (names, nominal): (Vec<&str>, Vec<bool>) =
        model.columns.iter().map(|(name, nominal)| (name.as_str(), *nominal)).unzip();
    Ok(dict! { py;
        "kind": "naive-bayes",
        "class_names": model.fitted.names(),
        "feature_names": names,
        "nominal": nominal,
        "bayes": classify::NaiveBayes { model },
    })
}

fn similarity_as_dict(py: Python<'_>, model: SimilarityModel) -> PyResult<Bound<'_, PyDict>> {
    let dict = learn::learned_as_dict(py, model.learned)?;
    dict.set_item("kind", "similarity")?;
    dict.set_item("rule", model.rule.show())?;
    dict.set_item("k", model.k)?;
    if let Some(LabelledRows { rows, classes }) = model.prototypes {
        let codes = PyArray1::from_slice(py, classes.codes());
        let cells = match rows {
            OwnedVectors::Dense(rows) => {
                arrays::square(py, rows.cells().to_vec(), rows.columns())?.into_bound_py_any(py)?
            }
            OwnedVectors::Table(rows) => {
                let (rows, width) = (rows.to_dense().map_err(exception)?, rows.columns());
                arrays::square(py, rows.cells().to_vec(), width)?.into_bound_py_any(py)?
            }
            OwnedVectors::Sparse(rows) => {
                let (starts, columns, values) = rows.parts();
                let starts = PyArray1::from_iter(py, starts.iter().map(|&start| start as u64));
                let columns = PyArray1::from_slice(py, columns);
                (starts, columns, PyArray1::from_slice(py, values)).into_bound_py_any(py)?
            }
        };
        dict.set_item("rows", (cells, codes, classes.names()))?;
    }
    Ok(dict)
}

fn classifier_as_dict(py: Python<'_>, model: ClassifierModel) -> PyResult<Bound<'_, PyDict>> {
    let dict = dict! { py;
        "kind": "classifier",
        "class_names": model.classes.names(),
        "codes": PyArray1::from_slice(py, model.classes.codes()),
        "fitted": model.fitted.as_ref().map(|parts| parts_as_arrays(py, parts)),
    };
    match model.samples {
        TrainingSamples::Similarities { views, dissimilar, .. } => {
            let s = only(views)?;
            dict.set_item("similarities", arrays::square(py, s.values().to_vec(), s.columns())?)?;
            dict.set_item("dissimilar", dissimilar)?;
        }
        TrainingSamples::Table { measures, rows } => {
            let measure = only(measures)?;
            dict.set_item("measure", &measure.id)?;
            dict.set_item("measure_parameters", &measure.parameters)?;
            let learned = measure.id == "learned" || nearkin::learn::method(&measure.id).is_ok();
            let similarity = match learned {
                true => {
                    Some(nearkin::measure::Similarity::restore(&measure.parts).map_err(exception)?)
                }
                false => None,
            };
            dict.set_item("similarity", similarity.map(|inner| Similarity { inner }))?;
            dict.set_item("feature_names", rows.names().collect::<Vec<_>>())?;
            let (numbers, places) = table_as_arrays(py, &rows)?;
            dict.set_item("numbers", numbers)?;
            dict.set_item("places", places)?;
        }
    }
    Ok(dict)
}

/// The one measure, or the one matrix, that samples are compared by.
fn only<T>(mut all: Vec<T>) -> PyResult<T> {
    match (all.pop(), all.is_empty()) {
        (Some(one), true) => Ok(one),
        _ => Err(PyValueError::new_err(
            "the model compares samples in several ways, and the estimators of Python in one; ask \
             it by `nearkin predict`",
        )),
    }
}

/// Numeric columns as one array, and where each feature is, as `arrays::table` takes them.
pub fn table_as_arrays<'py>(py: Python<'py>, table: &Table<'_>) -> PyResult<TableArrays<'py>> {
    let numeric: Vec<&ColumnValues> = table
        .columns()
        .iter()
        .map(|column| &column.values)
        .filter(|values| matches!(values, ColumnValues::F64(_) | ColumnValues::F32(_)))
        .collect();
    let single = !numeric.is_empty() && numeric.iter().all(|v| matches!(v, ColumnValues::F32(_)));
    let shape = [table.rows(), numeric.len()];
    let cell = |row: usize, values: &ColumnValues| match values {
        ColumnValues::F64(lane) => lane.at(row),
        ColumnValues::F32(lane) => f64::from(lane.at(row)),
        _ => f64::NAN,
    };
    let cells = (0..shape[0]).flat_map(|row| numeric.iter().map(move |values| cell(row, values)));
    let numbers = match single {
        true => {
            let cells: Vec<f32> = cells.map(|x| x as f32).collect();
            cells.into_pyarray(py).reshape(shape)?.into_any()
        }
        false => cells.collect::<Vec<f64>>().into_pyarray(py).reshape(shape)?.into_any(),
    };
    let mut next = 0;
    let mut places = Vec::with_capacity(table.columns().len());
    for column in table.columns() {
        places.push(match &column.values {
            ColumnValues::Nominal { codes, categories } => {
                (PyArray1::from_slice(py, codes), categories).into_bound_py_any(py)?
            }
            ColumnValues::F64(_) | ColumnValues::F32(_) => {
                next += 1;
                (next - 1).into_bound_py_any(py)?
            }
            _ => {
                return Err(PyValueError::new_err(format!(
                    "column `{}` of the model holds genotypes, which the estimators of Python do \
                     not take; ask the model by `nearkin predict`",
                    column.name
                )));
            }
        });
    }
    Ok((numbers, places))
}
