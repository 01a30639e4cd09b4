//! Classifying: similarities in, a fitted classifier that answers for queries out.

use nearkin::classify::{
    Asks, ClassLaw, Classify, Evidence, Fitted, LawTable, NaiveBayes as Method, Neighbourhood,
    Predictions, Queries,
};
use nearkin::compare::Compared;
use nearkin::data::{Classes, SimilarityMatrix, Target};
use nearkin::measure::pairwise::FittedMeasure;
use nearkin::model::{Model, NaiveBayesModel};
use nearkin::parameter::Parameters as _;
use numpy::{Element, PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrays::{self, Array1, Array2, Cells, ColumnSpec, Labels, Rows};
use crate::compared::{self, PartArrays};
use crate::declarations::configure;
use crate::measure::Measure;
use crate::models::{self, Words};
use crate::{exception, watch};

/// A classifier that has learned; Python's estimators hold one.
#[pyclass(frozen, module = "nearkin._core")]
pub struct Classifier {
    pub fitted: Box<dyn Fitted>,
}

/// Learn from similarities of the training samples; see `_core.pyi` for the arguments.
#[pyfunction]
#[pyo3(signature = (
    method, s, y, parameters, *, class_names, distances=false, threads=1, progress=None
))]
pub fn classify<'py>(
    py: Python<'py>,
    method: &str,
    s: Cells<'py>,
    y: Array1<'py, u32>,
    parameters: &Bound<'py, PyDict>,
    class_names: Vec<String>,
    distances: bool,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Classifier> {
    let method = configured(method, parameters)?;
    let s = matrix(&s, distances)?;
    let classes = Classes::new(y.vec(), class_names).map_err(exception)?;
    let fitted = watch::watched(py, threads, progress, |run| method.fit_with(&s, &classes, run))?;
    Ok(Classifier { fitted })
}

/// Learn from the classes alone, if the method needs nothing else; otherwise none.
#[pyfunction]
#[pyo3(signature = (method, y, parameters, *, class_names))]
pub fn classify_labels<'py>(
    py: Python<'py>,
    method: &str,
    y: Array1<'py, u32>,
    parameters: &Bound<'py, PyDict>,
    class_names: Vec<String>,
) -> PyResult<Option<Classifier>> {
    let method = configured(method, parameters)?;
    let classes = Classes::new(y.vec(), class_names).map_err(exception)?;
    let fitted = watch::run(py, 1, |_| method.fit_labels(&classes))?;
    Ok(fitted.map(|fitted| Classifier { fitted }))
}

/// Learn from rows of a table, from no more of them than the method needs. See `_core.pyi` for the
/// arguments.
#[pyfunction]
#[pyo3(signature = (
    method, measure, rows, y, parameters, *, class_names, feature_names=None, threads=1,
    progress=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub fn classify_rows<'py>(
    py: Python<'py>,
    method: &str,
    measure: &Measure,
    rows: Rows<'py>,
    y: Array1<'py, u32>,
    parameters: &Bound<'py, PyDict>,
    class_names: Vec<String>,
    feature_names: Option<Vec<String>>,
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Classifier> {
    let method = configured(method, parameters)?;
    let classes = Classes::new(y.vec(), class_names).map_err(exception)?;
    let rows = arrays::of_rows(&rows, feature_names)?;
    let fitted = watch::watched(py, threads, progress, |run| {
        let measures: Vec<Box<dyn FittedMeasure + '_>> = vec![Box::new(measure.fitted.as_ref())];
        let compared = Compared::new(method.as_ref(), measures, rows.view(), &classes)?;
        compared.classify(method.as_ref(), &classes, run)
    })?;
    Ok(Classifier { fitted })
}

#[pymethods]
impl Classifier {
    /// Predictions for queries, from their similarities to the training samples.
    #[pyo3(signature = (s, *, distances=false, threads=1, progress=None))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        s: Cells<'py>,
        distances: bool,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let s = matrix(&s, distances)?;
        let said = watch::watched(py, threads, progress, |run| self.fitted.predict_with(&s, run))?;
        predictions_as_dict(py, said)
    }

    /// Predictions for the rows of a table; see `_core.pyi`.
    #[pyo3(signature = (
        measure, queries, references, beside=None, *, feature_names=None, threads=1, progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
    fn predict_rows<'py>(
        &self,
        py: Python<'py>,
        measure: &Measure,
        queries: Rows<'py>,
        references: Rows<'py>,
        beside: Option<Rows<'py>>,
        feature_names: Option<Vec<String>>,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let table = |rows| arrays::of_rows(rows, feature_names.clone());
        let (queries, references) = (table(&queries)?, table(&references)?);
        let beside = beside.as_ref().map(table).transpose()?;
        let said = watch::watched(py, threads, progress, |run| {
            let measures: Vec<Box<dyn FittedMeasure + '_>> =
                vec![Box::new(measure.fitted.as_ref())];
            let beside = beside.as_ref().map(|rows| rows.view());
            let compared = Compared::among(measures, references.view(), beside);
            compared.predict(self.fitted.as_ref(), &queries, run)
        })?;
        predictions_as_dict(py, said)
    }

    /// Arrays of everything learned; those whose names begin with `without` are left out.
    fn parts<'py>(&self, py: Python<'py>, without: &str) -> PartArrays<'py> {
        let mut parts = compared::parts_as_arrays(py, &self.fitted.parts());
        let kept = |name: &String| without.is_empty() || !name.starts_with(without);
        parts.0.retain(|name, _| kept(name));
        parts.1.retain(|name, _| kept(name));
        parts.2.retain(|name, _| kept(name));
        parts
    }

    /// How many neighbours a query's neighbourhood has, and whether of each class; none where the
    /// classifier needs more than a neighbourhood, or it has no number.
    fn reach(&self) -> Option<(usize, bool)> {
        match self.fitted.asks() {
            Asks::Neighbourhood { k, of_each } => Some((k, of_each)),
            _ => None,
        }
    }

    /// Predictions for queries from their neighbourhoods: for each the similarities of
    /// the neighbours with each other, their class codes, and the query's similarities to them, in
    /// the order of rows.
    #[pyo3(signature = (hoods, *, threads=1))]
    fn predict_among<'py>(
        &self,
        py: Python<'py>,
        hoods: Vec<(Cells<'py>, Array1<'py, u32>, Array1<'py, f64>)>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let hood = |(s, codes, query): &(Cells<'_>, Array1<'_, u32>, Array1<'_, f64>)| {
            Ok(Neighbourhood {
                s: matrix(s, false)?.to_owned(),
                codes: codes.vec(),
                query: query.vec(),
            })
        };
        let hoods = hoods.iter().map(hood).collect::<PyResult<Vec<_>>>()?;
        let said = watch::run(py, threads, |run| {
            self.fitted.predict_from(Queries::Neighbourhoods(&hoods), run)
        })?;
        predictions_as_dict(py, said)
    }

    /// Laws, prototypes, chosen numbers and notes of the fit.
    fn inside<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (insight, tables) = py.detach(|| (self.fitted.insight(), self.fitted.law_tables()));
        let laws = insight.laws.into_iter().map(|law| law_as_dict(py, law));
        let tables = tables.into_iter().map(|table| table_as_dict(py, table));
        Ok(dict! { py;
            "laws": laws.collect::<PyResult<Vec<_>>>()?,
            "law_tables": tables.collect::<PyResult<Vec<_>>>()?,
            "prototypes": insight.prototypes,
            "k": insight.k,
            "alpha": insight.alpha,
            "rounds": insight.rounds,
            "notes": crate::notes(&self.fitted.notes()),
        })
    }

    /// The evidence of each law about queries, from their similarities to the training samples.
    fn evidence<'py>(
        &self,
        py: Python<'py>,
        s: Cells<'py>,
    ) -> PyResult<Vec<Vec<Bound<'py, PyDict>>>> {
        let s = matrix(&s, false)?;
        let said = watch::run(py, 1, |run| {
            let of = |query: usize| {
                run.check(query as u64, s.rows() as u64)?;
                Ok(self.fitted.evidence(&[&s.row(query)]))
            };
            (0..s.rows()).map(of).collect::<nearkin::Result<Vec<_>>>()
        })?;
        let of = |of: Vec<Evidence>| of.into_iter().map(|one| evidence_as_dict(py, one)).collect();
        said.into_iter().map(of).collect()
    }

    /// The bound, the threshold and the weights of potential support vector machines, a row each;
    /// none of other classifiers.
    fn machines<'py>(&self, py: Python<'py>) -> PyResult<Option<Machines<'py>>> {
        let all = self.fitted.parts();
        // The parts of the rule, for a rule with fitted probabilities, are under the name `rule`.
        let within = all.within("rule");
        let parts = if within.number("c").is_ok() { within } else { all };
        let (Ok(c), Ok(epsilon), Ok(alpha), Ok(starts)) = (
            parts.number("c"),
            parts.number("epsilon"),
            parts.numbers("alpha"),
            parts.numbers("starts"),
        ) else {
            return Ok(None);
        };
        let width = alpha.len() / starts.len().max(1);
        Ok(Some((c, epsilon, arrays::square(py, alpha.to_vec(), width)?)))
    }
}

/// C, ε and the weights of machines.
type Machines<'py> = (f64, f64, Bound<'py, PyArray2<f64>>);

/// Naive Bayes that has learned.
#[pyclass(frozen, module = "nearkin._core")]
pub struct NaiveBayes {
    pub model: NaiveBayesModel,
}

/// Learn naive Bayes from a table of few values; see `_core.pyi` for the arguments.
#[pyfunction]
#[pyo3(signature = (x, y, parameters, words, *, class_names, columns=None, feature_names=None))]
pub fn naive_bayes<'py>(
    py: Python<'py>,
    x: Cells<'py>,
    y: Labels<'py>,
    parameters: &Bound<'py, PyDict>,
    words: Words,
    class_names: Vec<String>,
    columns: Option<Vec<ColumnSpec<'py>>>,
    feature_names: Option<Vec<String>>,
) -> PyResult<NaiveBayes> {
    let mut method = Method::default();
    configure(parameters, |name, text| method.try_set(name, text).map(drop))?;
    let table = arrays::table(&x, columns.as_deref(), feature_names)?;
    let Target::Classes(classes) = arrays::target(&y, Some(class_names))? else {
        return Err(PyValueError::new_err("naive Bayes answers with classes"));
    };
    let origin = models::origin("naive-bayes", &method, words);
    let model =
        watch::run(py, 1, |_| NaiveBayesModel::of_table(origin, &method, &table, &classes))?;
    Ok(NaiveBayes { model })
}

#[pymethods]
impl NaiveBayes {
    /// Predictions for the rows of a table.
    #[pyo3(signature = (x, *, columns=None, feature_names=None, threads=1, progress=None))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        x: Cells<'py>,
        columns: Option<Vec<ColumnSpec<'py>>>,
        feature_names: Option<Vec<String>>,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let table = arrays::table(&x, columns.as_deref(), feature_names)?;
        let said = watch::watched(py, threads, progress, |run| {
            self.model.fitted.predict_with(&table, run)
        })?;
        predictions_as_dict(py, said)
    }

    /// The bytes of its model.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = watch::run(py, 1, |_| Model::NaiveBayes(self.model.clone()).to_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// Further rows that samples are to be compared with, beyond the training rows; none for most.
#[pyfunction]
#[pyo3(signature = (method, rows, y, parameters, *, class_names, feature_names=None))]
pub fn classify_references<'py>(
    py: Python<'py>,
    method: &str,
    rows: Rows<'py>,
    y: Array1<'py, u32>,
    parameters: &Bound<'py, PyDict>,
    class_names: Vec<String>,
    feature_names: Option<Vec<String>>,
) -> PyResult<Option<models::TableArrays<'py>>> {
    let method = configured(method, parameters)?;
    let table = arrays::of_rows(&rows, feature_names)?;
    let classes = Classes::new(y.vec(), class_names).map_err(exception)?;
    let beside = watch::run(py, 1, |_| method.references(&table, &classes))?;
    beside.map(|beside| models::table_as_arrays(py, &beside)).transpose()
}

/// The classifier called `id` with these settings.
pub fn configured(id: &str, parameters: &Bound<'_, PyDict>) -> PyResult<Box<dyn Classify>> {
    let mut method = nearkin::classify::classifier(id).map_err(exception)?;
    configure(parameters, |name, text| nearkin::classify::set(method.as_mut(), name, text))?;
    Ok(method)
}

/// Similarities in their own precision, or distances with their sign changed.
pub fn matrix<'a>(s: &'a Cells<'_>, distances: bool) -> PyResult<SimilarityMatrix<'a>> {
    let made = match s {
        Cells::F64(s) => {
            let ([rows, columns], cells) = in_order(s)?;
            match distances {
                true => SimilarityMatrix::from_dissimilarities(rows, columns, cells.to_vec()),
                false => SimilarityMatrix::new(rows, columns, cells),
            }
        }
        Cells::F32(s) => {
            let ([rows, columns], cells) = in_order(s)?;
            match distances {
                true => {
                    let turned: Vec<f32> = cells.iter().map(|d| 0.0 - d).collect();
                    SimilarityMatrix::single(rows, columns, turned)
                }
                false => SimilarityMatrix::single(rows, columns, cells),
            }
        }
    };
    made.map_err(exception)
}

/// Shape and cells of an array in C order.
fn in_order<'a, T: Element>(s: &'a Array2<'_, T>) -> PyResult<([usize; 2], &'a [T])> {
    let &[rows, columns] = s.shape() else {
        return Err(PyValueError::new_err("similarities: expected a matrix"));
    };
    match s.as_slice() {
        Ok(cells) if s.is_c_contiguous() => Ok(([rows, columns], cells)),
        _ => Err(PyValueError::new_err("similarities: expected an array in C order")),
    }
}

pub fn predictions_as_dict(py: Python<'_>, said: Predictions) -> PyResult<Bound<'_, PyDict>> {
    let (width, dict) = (said.names.len(), PyDict::new(py));
    dict.set_item("class", PyArray1::from_vec(py, said.class))?;
    dict.set_item("scores", arrays::square(py, said.scores, width)?)?;
    if let Some(logs) = said.log_posteriors {
        dict.set_item("log_posteriors", arrays::square(py, logs, width)?)?;
    }
    if let Some(logs) = said.log_likelihood {
        dict.set_item("log_likelihood", PyArray1::from_vec(py, logs))?;
    }
    dict.set_item("outside", PyArray1::from_vec(py, said.outside))?;
    dict.set_item("fallback", PyArray1::from_vec(py, said.fallback))?;
    Ok(dict)
}

fn law_as_dict(py: Python<'_>, of: ClassLaw) -> PyResult<Bound<'_, PyDict>> {
    Ok(dict! { py;
        "class": of.class,
        "statistic": of.statistic,
        "component": of.component,
        "weight": of.weight,
        "mean": of.mean,
        "lambda": of.law.lambda(),
        "log_z": of.law.log_z(),
    })
}

fn evidence_as_dict(py: Python<'_>, said: Evidence) -> PyResult<Bound<'_, PyDict>> {
    let dict = law_as_dict(py, said.law)?;
    dict.set_item("what", said.statistic)?;
    dict.set_item("prototype", said.prototype)?;
    dict.set_item("value", said.value)?;
    dict.set_item("log_p", said.log_p)?;
    dict.set_item("responsibility", said.responsibility)?;
    Ok(dict)
}

fn table_as_dict(py: Python<'_>, table: LawTable) -> PyResult<Bound<'_, PyDict>> {
    let bins = table.edges.len().saturating_sub(1);
    Ok(dict! { py;
        "statistic": table.statistic,
        "support": table.support.describe(),
        "edges": PyArray1::from_vec(py, table.edges),
        "observed": arrays::square(py, table.observed.concat(), bins)?,
        "fitted": arrays::square(py, table.fitted.concat(), bins)?,
    })
}
