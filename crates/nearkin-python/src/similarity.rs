//! A similarity of rows, for single pairs and for blocks of pairs.

use nearkin::measure::{self, Compare, Form, Norm, RowScale, SquareMatrix, Whitening};
use nearkin::parameter::Value;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{Array1, Array2};
use crate::measure::Measure;
use crate::rows::{NumberRows, Numbers, numbers};
use crate::{arrays, exception, watch};

/// How alike two rows are; Python's `Similarity` holds one.
#[pyclass(frozen, module = "nearkin._core")]
pub struct Similarity {
    pub inner: measure::Similarity,
}

/// So many pairs take no time.
const FEW: usize = 1000;

/// Shift and factor of each column.
type Scale<'py> = (Array1<'py, f64>, Array1<'py, f64>);

#[pymethods]
impl Similarity {
    /// The similarity of this matrix: its diagonal, or all its rows one after another.
    #[new]
    #[pyo3(signature = (
        form, norm, cells, feature_names, *, compare="similarity", scale=None, whitening=None,
        constant=0.0
    ))]
    fn new(
        py: Python<'_>,
        form: &str,
        norm: &str,
        cells: Array1<'_, f64>,
        feature_names: Vec<String>,
        compare: &str,
        scale: Option<Scale<'_>>,
        whitening: Option<Array2<'_, f64>>,
        constant: f64,
    ) -> PyResult<Self> {
        let form = word::<Form>("form", form)?;
        let compare = word::<Compare>("compare", compare)?;
        let mut how: measure::Preparation = word::<Norm>("norm", norm)?.into();
        if let Some((shift, factor)) = scale {
            let both = (shift.vec(), factor.vec());
            how.scale = Some(RowScale::new(both.0, both.1).map_err(exception)?);
        }
        if let Some(cells) = whitening {
            let cells = cells.vec();
            how.whitening = Some(Whitening::new(feature_names.len(), cells).map_err(exception)?);
        }
        how.constant = constant;
        let cells = cells.vec();
        let made = SquareMatrix::new(form, feature_names.len() + how.added(), cells)
            .and_then(|matrix| measure::Similarity::new(matrix, how, feature_names))
            .map_err(exception)?;
        if compare == Compare::Similarity {
            return Ok(Self { inner: made });
        }
        let inner = watch::run(py, 1, |run| made.comparing(compare, run))?;
        Ok(Self { inner })
    }

    #[getter]
    fn form(&self) -> String {
        self.inner.matrix().form().show()
    }

    #[getter]
    fn norm(&self) -> String {
        self.inner.norm().show()
    }

    #[getter]
    fn compare(&self) -> String {
        self.inner.compare().show()
    }

    #[getter]
    fn feature_names(&self) -> Vec<String> {
        self.inner.columns().to_vec()
    }

    /// The diagonal of A, or all of it.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let matrix = self.inner.matrix();
        let cells = matrix.cells().to_vec().into_pyarray(py);
        Ok(match matrix.form() {
            Form::Diagonal => cells.into_any(),
            _ => cells.reshape([matrix.size(), matrix.size()])?.into_any(),
        })
    }

    /// The value of the column added to all rows; 0 without one.
    #[getter]
    fn constant(&self) -> f64 {
        self.inner.preparation().constant
    }

    /// Shift and factor of each column, where columns are scaled.
    #[getter]
    fn scale<'py>(&self, py: Python<'py>) -> Option<[Bound<'py, PyArray1<f64>>; 2]> {
        let scale = self.inner.scale()?;
        Some([scale.shift(), scale.factor()].map(|of| PyArray1::from_slice(py, of)))
    }

    /// W where rows are whitened.
    #[getter]
    fn whitening<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let of = |w: &Whitening| arrays::square(py, w.cells().to_vec(), w.size());
        self.inner.preparation().whitening.as_ref().map(of).transpose()
    }

    /// s(x, y) for every row of `x` and every row of `y`, or of `x`.
    #[pyo3(signature = (x, y=None, *, threads=1, progress=None))]
    fn between<'py>(
        &self,
        py: Python<'py>,
        x: NumberRows<'py>,
        y: Option<NumberRows<'py>>,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (queries, base) = (self.rows(&x)?, y.as_ref().map(|y| self.rows(y)).transpose()?);
        let width = base.as_ref().unwrap_or(&queries).len();
        let scores = watch::watched(py, threads, progress, |run| {
            let queries = self.inner.prepare(queries.view())?;
            match &base {
                Some(base) => self.inner.between(&queries, &self.inner.prepare(base.view())?, run),
                None => self.inner.between(&queries, &queries, run),
            }
        })?;
        arrays::square(py, scores, width)
    }

    /// s(x, y) for each row of `x` and the same row of `y`.
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        x: NumberRows<'py>,
        y: NumberRows<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (x, y) = (self.rows(&x)?, self.rows(&y)?);
        let score = || {
            let (x, y) = (self.inner.prepare(x.view())?, self.inner.prepare(y.view())?);
            self.inner.pairs(&x, &y)
        };
        // A pair at a time, as neighbours by a metric of Python ask, is not worth a thread.
        let scores = match x.len() > FEW {
            true => watch::run(py, 1, |_| score())?,
            false => py.detach(score).map_err(exception)?,
        };
        Ok(PyArray1::from_vec(py, scores))
    }

    /// The same as a measure of the rows of a table.
    fn measure(&self) -> Measure {
        Measure { fitted: Box::new(self.inner.clone()) }
    }

    /// True when A is positive semi-definite.
    fn is_psd(&self, py: Python<'_>) -> PyResult<bool> {
        watch::run(py, 1, |run| self.inner.is_psd(run))
    }

    /// L with A = LᵀL.
    fn factor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let factor = watch::run(py, 1, |run| self.inner.factor(run))?;
        let width = self.inner.matrix().size();
        arrays::square(py, factor.concat(), width)
    }
}

impl Similarity {
    fn rows<'a>(&self, x: &'a NumberRows<'_>) -> PyResult<Numbers<'a>> {
        numbers(x, None, Some(self.inner.columns().to_vec()), None)
    }
}

/// A choice by its word; `name` is what Python calls it.
pub fn word<T: Value>(name: &str, text: &str) -> PyResult<T> {
    T::parse(text).map_err(|reason| exception(nearkin::Error::parameter(name, reason)))
}
