//! [`Fixed`]: margins that are linear in the matrix, because the neighbours do not move.
//!
//! ```text
//! m_i(A) = x_iᵀ A v_i,   v_i = Σ_{q≤k} ( y_i^q / N(x_i, y_i^q) − z_i^q / N(x_i, z_i^q) )
//! ```
//!
//! with x, y, z of length 1 under the cosine: the printed formulas leave N out and hold for
//! such rows. RBS maximises Σ m_i, sRBS a smooth count of positive m_i.

use rayon::prelude::*;

use crate::measure::{Form, Matrix, dot};
use crate::{Result, Run};

/// Rows x_i with their differences v_i.
#[derive(Debug, Clone, PartialEq)]
pub struct Fixed {
    form: Form,
    size: usize,
    pairs: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Fixed {
    pub(crate) fn new(form: Form, size: usize, pairs: Vec<(Vec<f64>, Vec<f64>)>) -> Self {
        Self { form, size, pairs }
    }

    /// Number of rows with a margin.
    pub fn rows(&self) -> usize {
        self.pairs.len()
    }

    /// m_i(A) of every row.
    pub fn margins(&self, matrix: &Matrix, run: &Run) -> Result<Vec<f64>> {
        run.install(|| {
            let of = |scratch: &mut Vec<f64>, (x, v): &(Vec<f64>, Vec<f64>)| {
                matrix.project(x, scratch);
                dot(scratch, v)
            };
            self.pairs.par_iter().map_init(|| vec![0.0; self.size], of).collect()
        })
    }

    /// Σ_i w_i x_i v_iᵀ in the form of the problem: its diagonal, its symmetric part, or all.
    ///
    /// Each cell is summed over rows in order, whatever the number of threads.
    pub fn weighted(&self, weight: impl Fn(usize) -> f64 + Sync, run: &Run) -> Result<Matrix> {
        let pairs = || self.pairs.iter().enumerate();
        let size = self.size;
        let cells = match self.form {
            Form::Diagonal => {
                let mut cells = vec![0.0; size];
                for (i, (x, v)) in pairs() {
                    let w = weight(i);
                    cells.iter_mut().zip(x.iter().zip(v)).for_each(|(c, (x, v))| *c += w * x * v);
                }
                cells
            }
            form => {
                let mut cells = vec![0.0; size * size];
                run.install(|| {
                    cells.par_chunks_mut(size.max(1)).enumerate().for_each(|(l, row)| {
                        for (i, (x, v)) in pairs() {
                            let w = weight(i) * x[l];
                            row.iter_mut().zip(v).for_each(|(c, v)| *c += w * v);
                        }
                    });
                })?;
                if form == Form::Symmetric {
                    for l in 0..size {
                        for m in 0..l {
                            let mean = 0.5 * (cells[l * size + m] + cells[m * size + l]);
                            (cells[l * size + m], cells[m * size + l]) = (mean, mean);
                        }
                    }
                }
                cells
            }
        };
        Matrix::new(self.form, size, cells)
    }
}
