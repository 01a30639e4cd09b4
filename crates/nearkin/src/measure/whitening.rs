//! [`Whitening`]: a linear map of rows after which columns no longer repeat each other.

use crate::{MeasureError, Result};

/// x → Wx, a square matrix W for all rows.
///
/// [`learn`](crate::learn) finds one from rows that belong together. The result has as many columns
/// as the rows, each the nearest to its own: W is a symmetric matrix after columns are stretched.
#[derive(Debug, Clone, PartialEq)]
pub struct Whitening {
    size: usize,
    cells: Vec<f64>,
}

impl Whitening {
    /// From the rows of W one after another, all finite.
    ///
    /// # Errors
    /// Another number of cells, or cells that are not finite.
    pub fn new(size: usize, cells: Vec<f64>) -> Result<Self> {
        if cells.len() != size * size || cells.iter().any(|x| !x.is_finite()) {
            return Err(MeasureError::WhiteningCells { size }.into());
        }
        Ok(Self { size, cells })
    }

    /// One that leaves rows as they are.
    pub(crate) fn none(size: usize) -> Self {
        let cell = |at: usize| if at.is_multiple_of(size + 1) { 1.0 } else { 0.0 };
        Self { size, cells: (0..size * size).map(cell).collect() }
    }

    /// The same after each column was multiplied by its factor.
    pub(crate) fn after(mut self, factors: &[f64]) -> Self {
        for line in self.cells.chunks_exact_mut(self.size.max(1)) {
            line.iter_mut().zip(factors).for_each(|(cell, factor)| *cell *= factor);
        }
        self
    }

    /// Number of columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The rows of W one after another.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// Turn one row in place; what it has beyond its columns stays.
    pub(crate) fn apply(&self, row: &mut [f64], spare: &mut Vec<f64>) {
        spare.clear();
        spare.extend_from_slice(&row[..self.size]);
        for (x, weights) in row.iter_mut().zip(self.cells.chunks_exact(self.size.max(1))) {
            *x = super::dot(weights, spare);
        }
    }
}
