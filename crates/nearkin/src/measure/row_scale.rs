//! [`RowScale`]: columns shifted and stretched as training rows were, before rows are compared.

use super::Scaling;
use super::vectors::Vectors;
use crate::{Error, MeasureError, ParameterError, Result};

/// x → (x − shift) · factor for each column, learned from training rows.
///
/// `minmax` maps the training range to 0..1, `zscore` gives mean 0 and standard deviation 1. A
/// column that is constant in training becomes 0: it carries no information.
#[derive(Debug, Clone, PartialEq)]
pub struct RowScale {
    shift: Vec<f64>,
    factor: Vec<f64>,
}

impl RowScale {
    /// From a shift and a factor for each column, all finite.
    ///
    /// # Errors
    /// Unequal lengths, or numbers that are not finite.
    pub fn new(shift: Vec<f64>, factor: Vec<f64>) -> Result<Self> {
        if shift.len() != factor.len() || shift.iter().chain(&factor).any(|x| !x.is_finite()) {
            return Err(MeasureError::ScaleNotFinite.into());
        }
        Ok(Self { shift, factor })
    }

    /// The scale that `scaling` gives for these rows; none when they stay as they are.
    ///
    /// Sparse rows keep their zeros, so a column whose zeros would move is refused.
    ///
    /// # Errors
    /// The first sparse column whose zeros would move.
    pub fn fit(scaling: Scaling, rows: Vectors) -> Result<Option<Self>> {
        let count = rows.rows() as f64;
        let columns = rows.columns();
        if scaling == Scaling::None || rows.rows() == 0 {
            return Ok(None);
        }
        let (mut low, mut high) = (vec![f64::INFINITY; columns], vec![f64::NEG_INFINITY; columns]);
        let mut stored = vec![0usize; columns];
        rows.each(|_, column, x| {
            low[column] = low[column].min(x);
            high[column] = high[column].max(x);
            stored[column] += 1;
        });
        for column in 0..columns {
            if stored[column] < rows.rows() {
                low[column] = low[column].min(0.0);
                high[column] = high[column].max(0.0);
            }
        }
        let (shift, spread) = match scaling {
            Scaling::MinMax => {
                let spread: Vec<f64> =
                    low.iter().zip(&high).map(|(low, high)| high - low).collect();
                (low, spread)
            }
            _ => {
                let mut means = vec![0.0; columns];
                rows.each(|_, column, x| means[column] += x / count);
                let mut squares: Vec<f64> = (0..columns)
                    .map(|c| (rows.rows() - stored[c]) as f64 * means[c] * means[c])
                    .collect();
                rows.each(|_, column, x| squares[column] += (x - means[column]).powi(2));
                let constant = |c: usize| low[c] == high[c];
                let deviation =
                    |c: usize| if constant(c) { 0.0 } else { (squares[c] / count).sqrt() };
                let spread = (0..columns).map(deviation).collect();
                (means, spread)
            }
        };
        if let Some(column) = (0..columns).find(|&c| rows.is_sparse() && shift[c] != 0.0) {
            let column = rows.names()[column].clone();
            return Err(Error::parameter("scale", ParameterError::ZerosWouldMove { column }));
        }
        let factor = spread.into_iter().map(|s: f64| if s > 0.0 { 1.0 / s } else { 0.0 }).collect();
        Self::new(shift, factor).map(Some)
    }

    /// The number subtracted from each column, first.
    pub fn shift(&self) -> &[f64] {
        &self.shift
    }

    /// The factor of each column, second.
    pub fn factor(&self) -> &[f64] {
        &self.factor
    }

    /// Scale one row in place.
    pub fn apply(&self, row: &mut [f64]) {
        for ((x, shift), factor) in row.iter_mut().zip(&self.shift).zip(&self.factor) {
            *x = (*x - shift) * factor;
        }
    }
}
