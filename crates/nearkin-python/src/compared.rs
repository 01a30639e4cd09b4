//! Classifying with training rows in blocks: what tasks of a cluster call, values in and out that
//! can be pickled.

use std::collections::BTreeMap;

use nearkin::classify::{CountedRule as Rule, SizeChoice};
use nearkin::data::Parts;
use nearkin::measure::pairwise::{PairMeasure, blocks};
use nearkin::neighbors::{Neighbors, SampleSearch, most_similar_in, nearest_in_block};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{self, Array1, Cells, Rows};
use crate::blocks::{Near, NearArrays, Summary, near_arrays, together};
use crate::measure::{Measure, configured};
use crate::{classify, exception, watch};

/// A measure by its name, and its settings.
pub type Named<'py> = (String, Bound<'py, PyDict>);

/// The measure of this name with these settings.
pub fn named((id, parameters): &Named<'_>) -> PyResult<Box<dyn PairMeasure>> {
    configured(id, parameters)
}

/// A measure about to learn from training rows in blocks.
#[pyclass(frozen)]
pub struct Learning {
    inner: blocks::Learning,
    names: Vec<String>,
}

#[pymethods]
impl Learning {
    #[new]
    fn new(
        measure: Named<'_>,
        summary: Summary,
        class_names: Vec<String>,
        numeric: Vec<bool>,
    ) -> PyResult<Self> {
        let (measure, summary) = (named(&measure)?, together(summary)?);
        let names = summary.names.clone();
        let inner = blocks::Learning::new(measure, summary, class_names, &numeric);
        Ok(Self { inner: inner.map_err(exception)?, names })
    }

    /// Whether counts and whether deviations have to be known, and why all rows have to be in one
    /// place, if they do.
    fn needs(&self) -> (bool, bool, Option<&'static str>) {
        let needs = self.inner.needs();
        (needs.counts, needs.deviations, needs.whole)
    }

    /// Counts of one block; the counts of all blocks are added up.
    fn count<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        codes: Array1<'py, u32>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let table = arrays::of_rows(&rows, Some(self.names.clone()))?;
        let codes = codes.vec();
        Ok(self.inner.count(&table, codes).map_err(exception)?.into_pyarray(py))
    }

    /// Sums over the columns of the blocks so far and of this block.
    #[pyo3(signature = (so_far, rows, sums=None))]
    fn add_deviations<'py>(
        &self,
        so_far: Array1<'py, f64>,
        rows: Rows<'py>,
        sums: Option<Array1<'py, f64>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (py, mut into) = (so_far.py(), so_far.vec());
        let sums = sums.map(|sums| sums.vec());
        let table = arrays::of_rows(&rows, Some(self.names.clone()))?;
        self.inner.add_deviations(&table, sums.as_deref(), &mut into).map_err(exception)?;
        Ok(into.into_pyarray(py))
    }

    /// The measure, from the counts of all blocks and what led to deviations.
    #[pyo3(signature = (counts=None, squares=None))]
    fn fitted(
        &self,
        counts: Option<Array1<'_, u64>>,
        squares: Option<Array1<'_, f64>>,
    ) -> PyResult<Measure> {
        let counts = counts.map_or_else(Vec::new, |counts| counts.vec());
        let squares = squares.map_or_else(Vec::new, |squares| squares.vec());
        Ok(Measure { fitted: self.inner.fitted(&counts, &squares).map_err(exception)? })
    }
}

/// Neighbours of queries among a block from row `first` of all; `own` says which row each query is.
fn from_block(near: Neighbors, k: usize, first: u32, own: Option<Vec<u32>>) -> Neighbors {
    let near = near.from_row(first);
    match own {
        Some(own) => near.without(&own, k),
        None => near,
    }
}

/// How many neighbours to look for, so that k are left when a query has found itself.
fn with_itself(k: usize, own: Option<&Vec<u32>>) -> usize {
    k + usize::from(own.is_some())
}

/// The k most similar rows of each group of a base block, from row `first` of all, to queries.
#[pyfunction]
#[pyo3(signature = (
    measure, queries, base, groups, k, first, *, own=None, feature_names=None, threads=1
))]
pub fn near_by<'py>(
    py: Python<'py>,
    measure: &Measure,
    queries: Rows<'py>,
    base: Rows<'py>,
    groups: (Array1<'py, u32>, usize),
    k: usize,
    first: u32,
    own: Option<Array1<'py, u32>>,
    feature_names: Option<Vec<String>>,
    threads: usize,
) -> PyResult<NearArrays<'py>> {
    let queries = arrays::of_rows(&queries, feature_names.clone())?;
    let references = arrays::of_rows(&base, feature_names)?;
    let (group_of, groups) = (groups.0.vec(), groups.1);
    let own = own.map(|own| own.vec());
    let near = watch::run(py, threads, |run| {
        let wanted = SampleSearch {
            queries: Some(&queries),
            references: &references,
            group_of: &group_of,
            groups,
            k: with_itself(k, own.as_ref()),
        };
        nearest_in_block(measure.fitted.as_ref(), wanted, run)
    })?;
    Ok(near_arrays(py, from_block(near, k, first, own)))
}

/// The same from all similarities of queries and a base block.
#[pyfunction]
#[pyo3(signature = (s, groups, k, first, *, own=None, threads=1))]
pub fn near_in<'py>(
    py: Python<'py>,
    s: Cells<'py>,
    groups: (Array1<'py, u32>, usize),
    k: usize,
    first: u32,
    own: Option<Array1<'py, u32>>,
    threads: usize,
) -> PyResult<NearArrays<'py>> {
    let s = classify::matrix(&s, false)?;
    let (group_of, groups) = (groups.0.vec(), groups.1);
    let own = own.map(|own| own.vec());
    let near = watch::run(py, threads, |run| {
        let wanted = with_itself(k, own.as_ref());
        most_similar_in(&s, (&group_of, groups), wanted, run)
    })?;
    Ok(near_arrays(py, from_block(near, k, first, own)))
}

/// Merge neighbours into `groups` groups of k each.
pub fn together_near((groups, k): (usize, usize), near: &Near<'_>) -> PyResult<Neighbors> {
    let (counts, index, far) = near;
    let parts = (counts.vec(), index.vec(), far.vec());
    Neighbors::from_parts((groups, k), parts).map_err(exception)
}

/// The neighbours among two blocks, merged from the neighbours in each block.
#[pyfunction]
pub fn merge_near<'py>(
    py: Python<'py>,
    size: (usize, usize),
    a: Near<'py>,
    b: Near<'py>,
) -> PyResult<NearArrays<'py>> {
    let merged = together_near(size, &a)?.merge(&together_near(size, &b)?);
    Ok(near_arrays(py, merged.map_err(exception)?))
}

/// A rule over neighbours that needs only the number of training samples of each class.
#[pyclass(frozen)]
pub struct CountedRule {
    rule: Option<Rule>,
    groups: usize,
}

impl CountedRule {
    fn rule(&self) -> PyResult<&Rule> {
        self.rule.as_ref().ok_or_else(|| PyValueError::new_err("this rule needs all rows"))
    }
}

#[pymethods]
impl CountedRule {
    #[new]
    fn new(
        method: &str,
        parameters: &Bound<'_, PyDict>,
        class_names: Vec<String>,
        class_counts: Vec<usize>,
    ) -> PyResult<Self> {
        let method = classify::configured(method, parameters)?;
        let rule = Rule::new(method.as_ref(), &class_names, &class_counts).map_err(exception)?;
        let groups = match rule.as_ref().is_some_and(|rule| rule.asks().1) {
            true => class_names.len(),
            false => 1,
        };
        Ok(Self { rule, groups })
    }

    /// The number of neighbours it needs, and the number of groups (one for each class, or one for
    /// all). None if it needs more than neighbours.
    fn asks(&self) -> Option<(usize, usize)> {
        self.rule.as_ref().map(|rule| (rule.asks().0, self.groups))
    }

    /// Notes on the rule.
    fn notes(&self) -> PyResult<crate::Notes> {
        Ok(crate::notes(&self.rule()?.notes()))
    }

    /// Predictions for queries with these neighbours; `codes` are their classes.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        near: Near<'py>,
        codes: Array1<'py, u32>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let rule = self.rule()?;
        let found = with_classes((self.groups, rule.asks().0), &near, &codes)?;
        classify::predictions_as_dict(py, rule.predict(&found).map_err(exception)?)
    }
}

/// Classes and similarities of a query's neighbours, by group.
type Groups = Vec<Vec<(u32, f64)>>;

/// The class and the similarity of each neighbour, by query and group; `codes` are the classes of
/// the neighbours in order.
fn with_classes(
    (groups, k): (usize, usize),
    near: &Near<'_>,
    codes: &Array1<'_, u32>,
) -> PyResult<Vec<Groups>> {
    let (near, codes) = (together_near((groups, k), near)?, codes.vec());
    let mut codes = codes.into_iter();
    let mut found = vec![vec![Vec::new(); groups]; near.rows()];
    for (query, found) in found.iter_mut().enumerate() {
        for (group, found) in found.iter_mut().enumerate() {
            let similar = near.of(query, group).1.iter().map(|far| -far);
            found.extend(similar.zip(codes.by_ref()).map(|(similarity, code)| (code, similarity)));
        }
    }
    Ok(found)
}

/// A rule about to choose its number of neighbours by leaving each training sample out.
#[pyclass(frozen)]
pub struct Choosing {
    inner: Option<SizeChoice>,
    groups: usize,
}

#[pymethods]
impl Choosing {
    #[new]
    fn new(
        method: &str,
        parameters: &Bound<'_, PyDict>,
        class_names: Vec<String>,
        class_counts: Vec<usize>,
    ) -> PyResult<Self> {
        let method = classify::configured(method, parameters)?;
        let inner = SizeChoice::counted(method.as_ref(), &class_names, &class_counts);
        let inner = inner.map_err(exception)?;
        let of_each = inner.as_ref().is_some_and(|inner| inner.of_each);
        Ok(Self { inner, groups: if of_each { class_names.len() } else { 1 } })
    }

    /// The numbers of neighbours to choose from, and the number of groups they are counted in.
    /// None if there is nothing to choose, or if the method learns anything else.
    fn sizes(&self) -> Option<(Vec<usize>, usize)> {
        self.inner.as_ref().map(|inner| (inner.sizes.clone(), self.groups))
    }

    /// Costs of the answers for samples of these classes, one column for each number of
    /// neighbours; `codes` are the classes of their neighbours.
    fn costs<'py>(
        &self,
        py: Python<'py>,
        truth: Array1<'py, u32>,
        near: Near<'py>,
        codes: Array1<'py, u32>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Some(inner) = &self.inner else {
            return Err(PyValueError::new_err("this rule has nothing to choose"));
        };
        let sizes = &inner.sizes;
        let most = sizes.iter().max().copied().unwrap_or(0);
        let found = with_classes((self.groups, most), &near, &codes)?;
        let truth = truth.vec();
        let costs = truth.iter().zip(&found).flat_map(|(&truth, near)| inner.costs(truth, near));
        arrays::square(py, costs.collect(), sizes.len())
    }
}

/// Everything fitted, as arrays of numbers, of whole numbers and of texts, by name.
pub type PartArrays<'py> = (
    BTreeMap<String, Bound<'py, PyArray1<f64>>>,
    BTreeMap<String, Bound<'py, PyArray1<u32>>>,
    BTreeMap<String, Vec<String>>,
);

/// The same as it comes back.
pub type PartsGiven<'py> = (
    BTreeMap<String, Array1<'py, f64>>,
    BTreeMap<String, Array1<'py, u32>>,
    BTreeMap<String, Vec<String>>,
);

/// Parts as arrays of Python's.
pub fn parts_as_arrays<'py>(py: Python<'py>, parts: &Parts) -> PartArrays<'py> {
    let numbers = parts.all_numbers().iter();
    let codes = parts.all_codes().iter();
    (
        numbers.map(|(name, of)| (name.clone(), PyArray1::from_slice(py, of))).collect(),
        codes.map(|(name, of)| (name.clone(), PyArray1::from_slice(py, of))).collect(),
        parts.all_texts().clone(),
    )
}

fn parts_of((numbers, codes, texts): PartsGiven<'_>) -> Parts {
    let mut parts = Parts::new();
    for (name, of) in numbers {
        parts = parts.with_numbers(name, of.vec());
    }
    for (name, of) in codes {
        parts = parts.with_codes(name, of.vec());
    }
    texts.into_iter().fold(parts, |parts, (name, of)| parts.with_texts(name, of))
}

/// The fitted measure that these parts were taken from.
#[pyfunction]
pub fn measure_of(measure: Named<'_>, parts: PartsGiven<'_>) -> PyResult<Measure> {
    let fitted = named(&measure)?.restore(&parts_of(parts));
    Ok(Measure { fitted: fitted.map_err(exception)? })
}

/// The fitted classifier that these parts were taken from.
#[pyfunction]
pub fn classifier_of(
    method: &str,
    parameters: &Bound<'_, PyDict>,
    parts: PartsGiven<'_>,
) -> PyResult<classify::Classifier> {
    let fitted = classify::configured(method, parameters)?.restore(&parts_of(parts));
    Ok(classify::Classifier { fitted: fitted.map_err(exception)? })
}
