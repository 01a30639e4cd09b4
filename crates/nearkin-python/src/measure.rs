//! Measures of pairs of rows: tables in, similarities out.

use nearkin::measure::pairwise::{self, FittedMeasure, PairMeasure};
use nearkin::neighbors::{SampleSearch, nearest_samples};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{self, Labels, Rows};
use crate::compared::{PartArrays, parts_as_arrays};
use crate::declarations::configure;
use crate::{exception, watch};

/// A measure that has learned what it needs from training rows.
#[pyclass(frozen, module = "nearkin._core")]
pub struct Measure {
    pub(crate) fitted: Box<dyn FittedMeasure>,
}

/// How far the neighbours of queries are, and which rows they are.
type Found<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<isize>>);

/// Fit a measure; see `_core.pyi` for the arguments.
#[pyfunction]
#[pyo3(signature = (id, rows, parameters, *, y=None, class_names=None, feature_names=None))]
pub fn measure<'py>(
    py: Python<'py>,
    id: &str,
    rows: Rows<'py>,
    parameters: &Bound<'py, PyDict>,
    y: Option<Labels<'py>>,
    class_names: Option<Vec<String>>,
    feature_names: Option<Vec<String>>,
) -> PyResult<Measure> {
    let measure = configured(id, parameters)?;
    let table = arrays::of_rows(&rows, feature_names)?;
    let target = y.map(|y| arrays::target(&y, class_names)).transpose()?;
    let fitted = watch::run(py, 1, |_| measure.fit(&table, target.as_ref()))?;
    Ok(Measure { fitted })
}

#[pymethods]
impl Measure {
    /// Arrays of everything learned.
    fn parts<'py>(&self, py: Python<'py>) -> PartArrays<'py> {
        parts_as_arrays(py, &self.fitted.parts())
    }

    /// The similarity of every query to every reference, which have the training columns.
    #[pyo3(signature = (queries, references, *, feature_names=None, threads=1, progress=None))]
    fn between<'py>(
        &self,
        py: Python<'py>,
        queries: Rows<'py>,
        references: Rows<'py>,
        feature_names: Option<Vec<String>>,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let queries = arrays::of_rows(&queries, feature_names.clone())?;
        let references = arrays::of_rows(&references, feature_names)?;
        let block = watch::watched(py, threads, progress, |run| {
            self.fitted.block_with(&queries, &references, run)
        })?;
        let width = block.columns();
        arrays::square(py, block.values().to_vec(), width)
    }

    /// The k most similar references of each query. None when the measure has no search that is
    /// faster than comparing every pair; see `_core.pyi`.
    #[pyo3(signature = (queries, references, k, *, feature_names=None, threads=1, progress=None))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        queries: Option<Rows<'py>>,
        references: Rows<'py>,
        k: usize,
        feature_names: Option<Vec<String>>,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Found<'py>>> {
        let names = || feature_names.clone();
        let queries = match &queries {
            Some(queries) => Some(arrays::of_rows(queries, names())?),
            None => None,
        };
        let references = arrays::of_rows(&references, names())?;
        let everyone = vec![0; references.rows()];
        let (queries, references) = (queries.as_ref(), &references);
        let wanted = SampleSearch { queries, references, group_of: &everyone, groups: 1, k };
        let found = watch::watched(py, threads, progress, |run| {
            nearest_samples(self.fitted.as_ref(), wanted, run)
        })?;
        let Some(found) = found else { return Ok(None) };
        let near = || found.iter().flatten().flatten();
        let distances = arrays::square(py, near().map(|one| 0.0 - one.similarity).collect(), k)?;
        let rows = PyArray1::from_iter(py, near().map(|one| one.row as isize));
        Ok(Some((distances, rows.reshape([found.len(), k])?)))
    }
}

/// The measure called `id` with these settings.
pub fn configured(id: &str, parameters: &Bound<'_, PyDict>) -> PyResult<Box<dyn PairMeasure>> {
    let mut measure = pairwise::measure(id).map_err(exception)?;
    configure(parameters, |name, text| pairwise::set(measure.as_mut(), name, text))?;
    Ok(measure)
}
