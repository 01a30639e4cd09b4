//! Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations.
//!
//! Each rotation in the plane of axes (i, j) makes the cell a_ij zero; sweeping over all pairs
//! makes the matrix diagonal, quadratically once it is nearly so. The answer is accurate for
//! small eigenvalues as well as large ones and never fails on singular or repeated ones, which
//! is what similarity matrices tend to have.
//!
//! Cost: about 8 sweeps of 9p³ operations; meant for p up to a few hundred.
//!
//! Lower bound for a sweep: 6p³ operations; the columns of A are turned as well, 9p³. To make A
//! tridiagonal first would take some 9p³ in all, but small eigenvalues would be less accurate.
//!
//! Reference: G. H. Golub and C. F. Van Loan, *Matrix Computations*, section 8.5.

use crate::{Result, Run};

/// Largest number of sweeps; no matrix needs as many.
const SWEEPS: usize = 64;

/// A symmetric matrix taken apart: A = Σ λ_r u_r u_rᵀ.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Eigen {
    /// Eigenvalues, largest first.
    pub values: Vec<f64>,
    /// Unit eigenvectors, one after another, in the order of the values.
    pub vectors: Vec<f64>,
}

impl Eigen {
    /// Take apart the symmetric part (A + Aᵀ)/2 of a row-major matrix of finite numbers.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn of(cells: &[f64], size: usize, run: &Run) -> Result<Self> {
        let largest = cells.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        // Cells near 1 neither overflow nor vanish when they are squared.
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let mut a = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..size {
                a[i * size + j] = 0.5 * (cells[i * size + j] / unit + cells[j * size + i] / unit);
            }
        }
        let mut vectors = vec![0.0; size * size];
        (0..size).for_each(|i| vectors[i * size + i] = 1.0);
        let total: f64 = a.iter().map(|x| x * x).sum();
        for _ in 0..SWEEPS {
            let mut off = 0.0;
            for i in 0..size {
                off += a[i * size + i + 1..(i + 1) * size].iter().map(|x| x * x).sum::<f64>();
            }
            if off <= f64::EPSILON * f64::EPSILON * 1e-4 * total {
                break;
            }
            for i in 0..size {
                run.check(0, 0)?;
                for j in i + 1..size {
                    rotate(&mut a, &mut vectors, size, i, j);
                }
            }
        }
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|&i, &j| a[j * size + j].total_cmp(&a[i * size + i]).then(i.cmp(&j)));
        Ok(Self {
            values: order.iter().map(|&i| a[i * size + i] * unit).collect(),
            vectors: order.iter().flat_map(|&i| &vectors[i * size..][..size]).copied().collect(),
        })
    }

    /// Number of eigenvalues.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// Eigenvector `r`.
    pub fn vector(&self, r: usize) -> &[f64] {
        &self.vectors[r * self.size()..][..self.size()]
    }

    /// Σ g(λ_r) u_r u_rᵀ, row-major and exactly symmetric.
    pub fn compose(&self, g: impl Fn(f64) -> f64) -> Vec<f64> {
        let size = self.size();
        let mut cells = vec![0.0; size * size];
        for (r, &value) in self.values.iter().enumerate() {
            let factor = g(value);
            if factor == 0.0 {
                continue;
            }
            let u = self.vector(r);
            for i in 0..size {
                let scaled = factor * u[i];
                for j in i..size {
                    cells[i * size + j] += scaled * u[j];
                }
            }
        }
        for i in 0..size {
            for j in 0..i {
                cells[i * size + j] = cells[j * size + i];
            }
        }
        cells
    }

    /// True when no eigenvalue is below 0, rounding aside.
    pub fn is_psd(&self) -> bool {
        self.values.iter().all(|&x| x >= -4.0 * self.rounding())
    }

    /// The size below which an eigenvalue is rounding: p·ε·max |λ|.
    pub fn rounding(&self) -> f64 {
        let largest = self.values.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        self.size() as f64 * f64::EPSILON * largest
    }
}

/// Rotate axes i and j so that a_ij becomes 0; `vectors` holds the axes as rows.
fn rotate(a: &mut [f64], vectors: &mut [f64], size: usize, i: usize, j: usize) {
    let (off, ii, jj) = (a[i * size + j], a[i * size + i], a[j * size + j]);
    if off == 0.0 {
        return;
    }
    let theta = (jj - ii) / (2.0 * off);
    // The smaller of the two angles; hypot does not overflow when the cell is tiny.
    let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    let turn = |x: &mut [f64], y: &mut [f64]| {
        for (x, y) in x.iter_mut().zip(y) {
            (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
        }
    };
    let both = |cells: &mut [f64]| {
        let (before, after) = cells.split_at_mut(j * size);
        turn(&mut before[i * size..][..size], &mut after[..size]);
    };
    both(a);
    both(vectors);
    for row in a.chunks_exact_mut(size) {
        let (x, y) = (row[i], row[j]);
        (row[i], row[j]) = (cosine * x - sine * y, sine * x + cosine * y);
    }
    a[i * size + i] = ii - tangent * off;
    a[j * size + j] = jj + tangent * off;
    a[i * size + j] = 0.0;
    a[j * size + i] = 0.0;
}
