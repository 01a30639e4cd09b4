//! Weighing in blocks: what tasks of a cluster call, values in and out that can be pickled.

use nearkin::data::{Table, Target};
use nearkin::measure::pairwise;
use nearkin::neighbors::Neighbors;
use nearkin::weigh::Extras;
use nearkin::weigh::blocks::{self, ColumnSummary, Facing, Part, Seen};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{self, Array1, Cells, ColumnSpec, Labels};
use crate::compared::{Named, named};
use crate::weigh::{configured, found_as_dict};
use crate::{exception, watch};

/// The fields of a column's summary: low, high and number missing; or categories and number
/// missing.
#[derive(FromPyObject, IntoPyObject)]
pub enum Apart {
    Numeric(f64, f64, usize),
    Nominal(Vec<String>, usize),
}

/// A summary, apart: rows, names, columns.
pub type Summary = (usize, Vec<String>, Vec<Apart>);

fn apart(summary: blocks::TableSummary) -> Summary {
    let column = |column| match column {
        ColumnSummary::Numeric { low, high, missing } => Apart::Numeric(low, high, missing),
        ColumnSummary::Nominal { categories, missing } => Apart::Nominal(categories, missing),
    };
    (summary.rows, summary.names, summary.columns.into_iter().map(column).collect())
}

pub fn together((rows, names, columns): Summary) -> PyResult<blocks::TableSummary> {
    if names.len() != columns.len() {
        return Err(PyValueError::new_err("a summary has as many names as columns"));
    }
    let column = |column| match column {
        Apart::Numeric(low, high, missing) => ColumnSummary::Numeric { low, high, missing },
        Apart::Nominal(categories, missing) => ColumnSummary::Nominal { categories, missing },
    };
    let columns = columns.into_iter().map(column).collect();
    Ok(blocks::TableSummary { rows, names, columns })
}

/// The summary of a block's columns, as a measure reads them.
#[pyfunction]
#[pyo3(signature = (x, columns=None, feature_names=None, measure=None))]
pub fn summarise(
    x: Cells<'_>,
    columns: Option<Vec<ColumnSpec<'_>>>,
    feature_names: Option<Vec<String>>,
    measure: Option<Named<'_>>,
) -> PyResult<Py<PyAny>> {
    let py = match &x {
        Cells::F64(array) => array.py(),
        Cells::F32(array) => array.py(),
    };
    let table = arrays::table(&x, columns.as_deref(), feature_names)?;
    let summary = match measure {
        None => blocks::TableSummary::of(&table),
        Some(measure) => {
            let read = pairwise::blocks::read(named(&measure)?.as_ref(), &table);
            read.and_then(|table| blocks::TableSummary::of(table.as_ref()))
        }
    };
    let summary = summary.map_err(exception)?;
    Ok(apart(summary).into_pyobject(py)?.into_any().unbind())
}

/// Summaries of blocks in order, as that of all.
#[pyfunction]
pub fn merge_summaries(py: Python<'_>, summaries: Vec<Summary>) -> PyResult<Py<PyAny>> {
    let mut all = summaries.into_iter().map(together);
    let first = all.next().unwrap_or_else(|| Err(PyValueError::new_err("there is no block")))?;
    let merged = all.try_fold(first, |merged, next| merged.merge(&next?).map_err(exception))?;
    Ok(apart(merged).into_pyobject(py)?.into_any().unbind())
}

/// Rows of a block: numbers, where the features are in them, and class codes or real values.
type Block<'py> = (Cells<'py>, Option<Vec<ColumnSpec<'py>>>, Labels<'py>);

/// Neighbours, apart: counts, rows, distances.
pub type Near<'py> = (Array1<'py, u32>, Array1<'py, u32>, Array1<'py, f64>);

/// The same as arrays of Python's.
pub type NearArrays<'py> =
    (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>);

/// Sums of blocks of targets, and of single targets: their numbers and contributions.
type PartArrays<'py> = (Bound<'py, PyArray2<f64>>, Vec<u32>, Vec<Bound<'py, PyArray1<f64>>>);

/// A method and what it needs to know of all rows.
#[pyclass(frozen)]
pub struct Frame {
    frame: blocks::Frame,
    names: Vec<String>,
    threads: usize,
}

impl Frame {
    fn table<'a>(&self, (x, columns, _): &'a Block<'_>) -> PyResult<Table<'a>> {
        arrays::table(x, columns.as_deref(), Some(self.names.clone()))
    }

    fn target(&self, (_, _, y): &Block<'_>) -> PyResult<Target> {
        match y {
            Labels::Classes(codes) => self.frame.target_of_codes(codes.vec()).map_err(exception),
            Labels::Real(values) => Target::real(values.vec()).map_err(exception),
        }
    }

    fn near(&self, (counts, index, distance): &Near<'_>) -> PyResult<Neighbors> {
        let parts = (counts.vec(), index.vec(), distance.vec());
        Neighbors::from_parts((self.frame.classes(), self.frame.k()), parts).map_err(exception)
    }
}

pub fn near_arrays(py: Python<'_>, near: Neighbors) -> NearArrays<'_> {
    let (counts, index, distance) = near.into_parts();
    (counts.into_pyarray(py), index.into_pyarray(py), distance.into_pyarray(py))
}

fn part_arrays(py: Python<'_>, part: Part) -> PyResult<PartArrays<'_>> {
    let blocks = part.cells.len() / part.width.max(1);
    let cells = part.cells.into_pyarray(py).reshape([blocks, part.width])?;
    let (rows, weights): (Vec<u32>, Vec<Vec<f64>>) = part.rows.into_iter().unzip();
    Ok((cells, rows, weights.into_iter().map(|weights| weights.into_pyarray(py)).collect()))
}

#[pymethods]
impl Frame {
    #[new]
    #[pyo3(signature = (
        method, parameters, summary, *, classes=None, span=None, per_class=false, pairs=false,
        rows=vec![], stir=false, counts=None, squares=None, threads=1
    ))]
    fn new(
        method: &str,
        parameters: &Bound<'_, PyDict>,
        summary: Summary,
        classes: Option<(Vec<String>, Vec<usize>)>,
        span: Option<(f64, f64)>,
        per_class: bool,
        pairs: bool,
        rows: Vec<usize>,
        stir: bool,
        counts: Option<Array1<'_, u64>>,
        squares: Option<Array1<'_, f64>>,
        threads: usize,
    ) -> PyResult<Self> {
        let method = configured(method, parameters)?;
        let wanted = Extras { per_class, pairs, rows, stir, bootstrap: None };
        let summary = together(summary)?;
        let names = summary.names.clone();
        let seen = match (classes, span) {
            (Some((names, counts)), _) => Seen::Classes { names, counts },
            (None, Some((low, high))) => Seen::Real { low, high },
            (None, None) => return Err(PyValueError::new_err("what is the target?")),
        };
        let mut frame =
            blocks::Frame::new(method.as_ref(), &wanted, summary, seen).map_err(exception)?;
        if let Some(counts) = counts {
            frame = frame.with_counts(&counts.vec()).map_err(exception)?;
        }
        if let Some(squares) = squares {
            frame = frame.with_deviations(&squares.vec()).map_err(exception)?;
        }
        Ok(Self { frame, names, threads })
    }

    /// Refuse a method that cannot do with blocks, or settings that no method has, before any is
    /// read.
    #[staticmethod]
    #[pyo3(signature = (method, parameters, *, per_class=false, pairs=false, stir=false))]
    fn check(
        method: &str,
        parameters: &Bound<'_, PyDict>,
        per_class: bool,
        pairs: bool,
        stir: bool,
    ) -> PyResult<()> {
        let wanted = Extras { per_class, pairs, stir, rows: Vec::new(), bootstrap: None };
        configured(method, parameters)?.blockwise(&wanted).map_err(exception)?;
        Ok(())
    }

    /// Whether counts and whether deviations have to be known.
    fn needs(&self) -> (bool, bool) {
        let needs = self.frame.needs();
        (needs.counts, needs.deviations)
    }

    /// The reason why the method needs all rows in one place; None if it does not.
    fn needs_whole(&self) -> Option<String> {
        self.frame.needs_whole().map(|why| why.to_string())
    }

    /// The rows that are targets.
    fn targets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        Ok(self.frame.targets().map_err(exception)?.into_pyarray(py))
    }

    /// Known cells of a block by column, class and value.
    fn count<'py>(
        &self,
        py: Python<'py>,
        block: Block<'py>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let (table, target) = (self.table(&block)?, self.target(&block)?);
        Ok(self.frame.count(&table, &target).map_err(exception)?.into_pyarray(py))
    }

    /// Sums over the columns of the blocks so far and of this block.
    #[pyo3(signature = (so_far, block, sums=None))]
    fn add_deviations<'py>(
        &self,
        so_far: Array1<'py, f64>,
        block: Block<'py>,
        sums: Option<Array1<'py, f64>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let py = so_far.py();
        let mut into = so_far.vec();
        let sums = sums.map(|sums| sums.vec());
        let table = self.table(&block)?;
        self.frame.add_deviations(&table, sums.as_deref(), &mut into).map_err(exception)?;
        Ok(into.into_pyarray(py))
    }

    /// The nearest rows of a base block, from row `first` of all, to queries with these numbers.
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        queries: Block<'py>,
        ids: Array1<'py, u32>,
        base: Block<'py>,
        first: u32,
    ) -> PyResult<NearArrays<'py>> {
        let ids = ids.vec();
        let (asked, asked_target) = (self.table(&queries)?, self.target(&queries)?);
        let (among, among_target) = (self.table(&base)?, self.target(&base)?);
        let near = watch::run(py, self.threads, |run| {
            let asked = (&asked, &asked_target, &ids[..]);
            self.frame.nearest(asked, (&among, &among_target, first), run)
        })?;
        Ok(near_arrays(py, near))
    }

    /// Neighbours among two sets of base rows.
    fn merge<'py>(&self, py: Python<'py>, a: Near<'py>, b: Near<'py>) -> PyResult<NearArrays<'py>> {
        let merged = self.near(&a)?.merge(&self.near(&b)?).map_err(exception)?;
        Ok(near_arrays(py, merged))
    }

    /// Contributions of target rows: they come first in `block`, then their neighbours; `ids` are
    /// the numbers of all.
    fn parts<'py>(
        &self,
        py: Python<'py>,
        block: Block<'py>,
        ids: Array1<'py, u32>,
        near: Near<'py>,
    ) -> PyResult<PartArrays<'py>> {
        let ids = ids.vec();
        let near = self.near(&near)?;
        let (table, target) = (self.table(&block)?, self.target(&block)?);
        let part = watch::run(py, self.threads, |run| {
            self.frame.parts((&table, &target, &ids), &near, run)
        })?;
        part_arrays(py, part)
    }

    /// Contributions of target rows, from all rows.
    fn parts_of_whole<'py>(
        &self,
        py: Python<'py>,
        block: Block<'py>,
        targets: Array1<'py, u32>,
    ) -> PyResult<PartArrays<'py>> {
        let targets = targets.vec();
        let (table, target) = (self.table(&block)?, self.target(&block)?);
        let part = watch::run(py, self.threads, |run| {
            self.frame.parts_of_whole(&table, &target, &targets, run)
        })?;
        part_arrays(py, part)
    }

    /// Whether each target has its own radius; None for a method without a radius.
    fn radius(&self) -> Option<bool> {
        self.frame.radius()
    }

    /// The number of whole numbers that are summed for the rows within a target's limits; 0 for a
    /// method without a radius.
    fn within_width(&self) -> usize {
        self.frame.within_width()
    }

    /// Add distances of targets to a block's rows, or squares of how far they are from means, two
    /// numbers a target (`LongSum`); the targets come first in `block`, and `ids` names them.
    #[pyo3(signature = (so_far, block, ids, first, means=None))]
    fn add_distances<'py>(
        &self,
        so_far: Array1<'py, f64>,
        block: Block<'py>,
        ids: Array1<'py, u32>,
        first: u32,
        means: Option<Array1<'py, f64>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let py = so_far.py();
        let (mut into, ids) = (so_far.vec(), ids.vec());
        let means = means.map(|means| means.vec());
        let (table, target) = (self.table(&block)?, self.target(&block)?);
        watch::run(py, self.threads, |run| {
            let facing = Facing { table: &table, target: &target, ids: &ids, first };
            self.frame.add_distances(facing, means.as_deref(), &mut into, run)
        })?;
        Ok(into.into_pyarray(py))
    }

    /// The one radius of all targets, from the sums of the distances of all rows.
    fn one_radius(&self, sums: Array1<'_, f64>) -> PyResult<f64> {
        self.frame.one_radius(&sums.vec()).map_err(exception)
    }

    /// The means of targets' distances, from sums.
    fn radius_means<'py>(&self, sums: Array1<'py, f64>) -> Bound<'py, PyArray1<f64>> {
        self.frame.radius_means(&sums.vec()).into_pyarray(sums.py())
    }

    /// The limits of near rows and of far ones, from means and squares.
    fn own_radii<'py>(
        &self,
        means: Array1<'py, f64>,
        squares: Array1<'py, f64>,
    ) -> (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>) {
        let py = means.py();
        let (means, squares) = (means.vec(), squares.vec());
        let (near, far) = self.frame.own_radii(&means, &squares);
        (near.into_pyarray(py), far.into_pyarray(py))
    }

    /// Counts over the rows of a block within the targets' limits; the targets come
    /// first in `block`, and `ids` names them.
    fn within<'py>(
        &self,
        block: Block<'py>,
        ids: Array1<'py, u32>,
        first: u32,
        near: Array1<'py, f64>,
        far: Array1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let py = ids.py();
        let ids = ids.vec();
        let limits = (near.vec(), far.vec());
        let (table, target) = (self.table(&block)?, self.target(&block)?);
        let found = watch::run(py, self.threads, |run| {
            let facing = Facing { table: &table, target: &target, ids: &ids, first };
            self.frame.within(facing, (&limits.0, &limits.1), run)
        })?;
        Ok(found.into_pyarray(py))
    }

    /// Contributions of target rows of these classes, from the rows within their limits.
    fn parts_within<'py>(
        &self,
        codes: Array1<'py, u32>,
        ids: Array1<'py, u32>,
        within: Array1<'py, u64>,
    ) -> PyResult<PartArrays<'py>> {
        let py = ids.py();
        let target = self.frame.target_of_codes(codes.vec()).map_err(exception)?;
        let (ids, within) = (ids.vec(), within.vec());
        part_arrays(py, self.frame.parts_within(&target, &ids, &within).map_err(exception)?)
    }

    /// The weights, from sums over all blocks of targets.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        sums: Array1<'py, f64>,
        rows: Vec<u32>,
        weights: Vec<Array1<'py, f64>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let rows = rows.into_iter().zip(weights.iter().map(|w| w.vec())).collect();
        let found = self.frame.finish(&sums.vec(), rows).map_err(exception)?;
        found_as_dict(py, found)
    }
}
