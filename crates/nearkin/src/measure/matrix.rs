//! [`SquareMatrix`]: the A of a bilinear form xᵀAy, diagonal, symmetric or full.
//!
//! Lower bound for p features: p² multiply-adds for xᵀA and for an outer product, p where A is
//! diagonal, p²/2 for a symmetric outer product; this code adds to all p² cells there.

use super::{Eigen, Row};
use crate::{MeasureError, Result, Run, choice};

choice! {
    /// Which matrices a bilinear form may have.
    pub enum Form {
        /// A number for each feature.
        Diagonal = "diagonal",
        /// A number for each pair of features, the same both ways.
        Symmetric = "symmetric",
        /// Any square matrix.
        Full = "full",
    }
}

/// A square matrix of finite numbers; a diagonal one holds its diagonal only.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct SquareMatrix {
    form: Form,
    size: usize,
    cells: Vec<f64>,
}

impl SquareMatrix {
    /// `value` times the identity.
    pub fn identity(form: Form, size: usize, value: f64) -> Self {
        let cells = match form {
            Form::Diagonal => vec![value; size],
            _ => {
                let mut cells = vec![0.0; size * size];
                cells.iter_mut().step_by(size + 1).for_each(|cell| *cell = value);
                cells
            }
        };
        Self { form, size, cells }
    }

    /// From cells: the diagonal, or all rows one after another.
    ///
    /// # Errors
    /// Another number of cells than the form has, cells that are not finite, or a symmetric
    /// matrix that is not.
    pub fn new(form: Form, size: usize, cells: Vec<f64>) -> Result<Self> {
        let meant = if form == Form::Diagonal { size } else { size * size };
        if cells.len() != meant {
            let (expected, got) = (meant, cells.len());
            return Err(MeasureError::MatrixCells { size, expected, got }.into());
        }
        if cells.iter().any(|x| !x.is_finite()) {
            return Err(MeasureError::MatrixNotFinite.into());
        }
        let made = Self { form, size, cells };
        let skew = (0..size).any(|i| (0..i).any(|j| made.at(i, j) != made.at(j, i)));
        if form == Form::Symmetric && skew {
            return Err(MeasureError::NotSymmetric.into());
        }
        Ok(made)
    }

    /// Which cells may differ from 0 and from each other.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Number of features.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The numbers held: a diagonal, or all rows one after another.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// Cell (i, j).
    pub fn at(&self, i: usize, j: usize) -> f64 {
        match self.form {
            Form::Diagonal if i == j => self.cells[i],
            Form::Diagonal => 0.0,
            _ => self.cells[i * self.size + j],
        }
    }

    /// The diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        (0..self.size).map(|i| self.at(i, i)).collect()
    }

    /// ‖A‖_F, the root of the sum of squared cells.
    pub fn length(&self) -> f64 {
        let largest = self.cells.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if largest == 0.0 {
            return 0.0;
        }
        largest * self.cells.iter().map(|x| (x / largest).powi(2)).sum::<f64>().sqrt()
    }

    /// A/‖A‖_F, or nothing for a null matrix.
    pub fn unit(&self) -> Option<Self> {
        let length = self.length();
        (length > 0.0).then(|| self.map(|x| x / length))
    }

    /// Write the row xᵀA to `out`, so that xᵀAy is its inner product with y.
    pub fn project(&self, x: Row, out: &mut [f64]) {
        match (self.form, x) {
            (Form::Diagonal, Row::Dense(x)) => {
                out.iter_mut().zip(x).zip(&self.cells).for_each(|((o, x), a)| *o = x * a);
            }
            (Form::Diagonal, sparse) => {
                out.fill(0.0);
                sparse.each(|l, x| out[l] = x * self.cells[l]);
            }
            _ => {
                out.fill(0.0);
                x.each(|l, x| {
                    if x != 0.0 {
                        let row = &self.cells[l * self.size..][..self.size];
                        out.iter_mut().zip(row).for_each(|(o, a)| *o += x * a);
                    }
                });
            }
        }
    }

    /// xᵀAy.
    pub fn product(&self, x: &[f64], y: &[f64]) -> f64 {
        let mut projected = vec![0.0; self.size];
        self.project(Row::Dense(x), &mut projected);
        dot(&projected, y)
    }

    /// Add `scale` · f(x, y): the diagonal of xyᵀ, xyᵀ + yxᵀ, or xyᵀ, by form.
    pub fn add_outer(&mut self, scale: f64, x: Row, y: &[f64]) {
        match (self.form, x) {
            (Form::Diagonal, Row::Dense(x)) => {
                let pairs = x.iter().zip(y);
                self.cells.iter_mut().zip(pairs).for_each(|(a, (x, y))| *a += scale * (x * y));
            }
            (Form::Diagonal, sparse) => {
                sparse.each(|l, x| self.cells[l] += scale * (x * y[l]));
            }
            (Form::Full, x) => x.each(|i, x| {
                let row = &mut self.cells[i * self.size..][..self.size];
                row.iter_mut().zip(y).for_each(|(a, y)| *a += scale * (x * y));
            }),
            (Form::Symmetric, x) => {
                let x = x.to_vec(self.size);
                for (i, row) in self.cells.chunks_exact_mut(self.size.max(1)).enumerate() {
                    let (xi, yi) = (x[i], y[i]);
                    // The sum of products commutes, so the cells stay exactly symmetric.
                    let pairs = row.iter_mut().zip(x.iter().zip(y));
                    pairs.for_each(|(a, (xj, yj))| *a += scale * (xi * yj + xj * yi));
                }
            }
        }
    }

    /// A + `scale` · B, for B of the same form and size.
    pub fn plus(&self, scale: f64, other: &Self) -> Self {
        let pairs = self.cells.iter().zip(&other.cells);
        Self { cells: pairs.map(|(a, b)| a + scale * b).collect(), ..*self }
    }

    /// Add `scale` · B in place, for B of the same form and size.
    pub fn add(&mut self, scale: f64, other: &Self) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(a, b)| *a += scale * b);
    }

    /// The same matrix in a form that holds at least as much; nothing when `form` holds less.
    pub fn in_form(&self, form: Form) -> Option<Self> {
        match (self.form, form) {
            (own, form) if own == form => Some(self.clone()),
            (Form::Symmetric, Form::Full) => Some(Self { form, ..self.clone() }),
            (Form::Diagonal, _) => {
                let mut wide = Self::identity(form, self.size, 0.0);
                (0..self.size).for_each(|i| wide.cells[i * self.size + i] = self.cells[i]);
                Some(wide)
            }
            _ => None,
        }
    }

    /// The matrix with g applied to every cell it holds.
    pub fn map(&self, g: impl Fn(f64) -> f64) -> Self {
        Self { cells: self.cells.iter().map(|&x| g(x)).collect(), ..*self }
    }

    /// True when every cell is finite.
    pub fn is_finite(&self) -> bool {
        self.cells.iter().all(|x| x.is_finite())
    }

    /// True for xᵀAy = yᵀAx.
    pub fn is_symmetric(&self) -> bool {
        (0..self.size).all(|i| (0..i).all(|j| self.at(i, j) == self.at(j, i)))
    }

    /// The symmetric part (A + Aᵀ)/2 in eigenvalues and eigenvectors.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn eigen(&self, run: &Run) -> Result<Eigen> {
        match self.form {
            Form::Diagonal => {
                let mut order: Vec<usize> = (0..self.size).collect();
                order.sort_by(|&i, &j| self.cells[j].total_cmp(&self.cells[i]).then(i.cmp(&j)));
                let mut vectors = vec![0.0; self.size * self.size];
                for (r, &i) in order.iter().enumerate() {
                    vectors[r * self.size + i] = 1.0;
                }
                Ok(Eigen { values: order.iter().map(|&i| self.cells[i]).collect(), vectors })
            }
            _ => Eigen::of(&self.cells, self.size, run),
        }
    }

    /// True when A is symmetric and xᵀAx ≥ 0 for every x, rounding aside.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn is_psd(&self, run: &Run) -> Result<bool> {
        match self.form {
            Form::Diagonal => Ok(self.cells.iter().all(|&x| x >= 0.0)),
            _ if !self.is_symmetric() => Ok(false),
            _ => self.eigen(run).map(|eigen| eigen.is_psd()),
        }
    }

    /// The nearest positive semi-definite matrix in ‖·‖_F: Σ λ_r u_r u_rᵀ over the positive
    /// eigenvalues of the symmetric part; nothing when no eigenvalue is positive.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn nearest_psd(&self, run: &Run) -> Result<Option<Self>> {
        Ok(match self.form {
            Form::Diagonal => self.cells.iter().any(|&x| x > 0.0).then(|| self.map(|x| x.max(0.0))),
            _ => {
                let eigen = self.eigen(run)?;
                let least = eigen.rounding();
                (eigen.values.first().is_some_and(|&x| x > least)).then(|| Self {
                    form: Form::Symmetric,
                    size: self.size,
                    cells: eigen.compose(|x| x.max(0.0)),
                })
            }
        })
    }

    /// L with A = LᵀL, one row for each eigenvalue beyond rounding; nothing when A is not
    /// positive semi-definite.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn factor(&self, run: &Run) -> Result<Option<Vec<Vec<f64>>>> {
        if !self.is_symmetric() {
            return Ok(None);
        }
        let eigen = self.eigen(run)?;
        let negative = self.form == Form::Diagonal && self.cells.iter().any(|&x| x < 0.0);
        if negative || !eigen.is_psd() {
            return Ok(None);
        }
        let least = eigen.rounding();
        let kept = (0..self.size).filter(|&r| eigen.values[r] > least);
        let row = |r: usize| {
            let root = eigen.values[r].sqrt();
            eigen.vector(r).iter().map(|u| root * u).collect()
        };
        Ok(Some(kept.map(row).collect()))
    }
}

/// The inner product, in four running sums whose order does not depend on the caller.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    dot_of(x, y)
}

/// [`dot`] of numbers in any precision: every product is one of doubles.
#[inline]
pub(crate) fn dot_of<X: Copy + Into<f64>, Y: Copy + Into<f64>>(x: &[X], y: &[Y]) -> f64 {
    let mut sums = [0.0; 4];
    let (left, right) = (x.chunks_exact(4), y.chunks_exact(4));
    let product = |(&x, &y): (&X, &Y)| x.into() * y.into();
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(product).sum();
    for (x, y) in left.zip(right) {
        for lane in 0..4 {
            sums[lane] += x[lane].into() * y[lane].into();
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
