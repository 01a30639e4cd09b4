//! The sum of all distances, without visiting pairs.
//!
//! A Manhattan distance is a sum over columns, and the differences of a sorted column
//! x₁ ≤ … ≤ xₙ add up to
//!
//! ```text
//! Σ_{i<j} (x_j − x_i) = Σ_k (2k − n − 1) x_k
//! ```
//!
//! so that sorting, O(n p log n), is all it takes; equal codes are counted.
//!
//! Floor: n · p · log₂ n comparisons, a column of 8 · n bytes at a time.

use rayon::prelude::*;

use super::LongSum;
use super::search::Labelled;
use crate::measure::{Measure, Metric};
use crate::{Result, Run};

/// Σ_{i<j} d(i, j), and how far it may be from the exact sum and from
/// [`distances_in_all`](super::distances_in_all), which adds up rounded ones; none where distances
/// are not sums over columns of known cells.
pub fn sum_of_distances(of: Labelled, measure: &Measure, run: &Run) -> Result<Option<(f64, f64)>> {
    let rows = of.rows;
    let separable = measure.metric() == Metric::Manhattan && measure.ramp().is_none();
    if !separable || rows.has_missing() {
        return Ok(None);
    }
    let (n, numeric) = (rows.len(), rows.numeric());
    let of_number = |column: usize| {
        let product = measure.products()[column];
        if product == 0.0 {
            return (0.0, 0.0);
        }
        let mut cells: Vec<f64> = (0..n).map(|row| rows.number(row, column)).collect();
        cells.sort_unstable_by(f64::total_cmp);
        let (mut sum, mut size) = (LongSum::default(), 0.0);
        for (k, cell) in cells.iter().enumerate() {
            let term = (cell - cells[0]) * (2.0 * k as f64 - (n as f64 - 1.0));
            sum.add(term);
            size += term.abs();
        }
        (sum.total() * product, size * product.abs())
    };
    let of_code = |column: usize| {
        let mut counts = Vec::new();
        for row in 0..n {
            let code = usize::from(rows.code(row, column));
            counts.resize(counts.len().max(code + 1), 0.0);
            counts[code] += 1.0;
        }
        let equal: f64 = counts.iter().map(|count: &f64| count * (count - 1.0) / 2.0).sum();
        let differ = n as f64 * (n as f64 - 1.0) / 2.0 - equal;
        let sum = differ * measure.nominal_factors()[column];
        (sum, sum.abs())
    };
    let column = |c: usize| {
        run.check(0, 0)?;
        Ok(if c < numeric { of_number(c) } else { of_code(c - numeric) })
    };
    let columns = numeric + rows.nominal();
    let columns =
        run.install(|| (0..columns).into_par_iter().map(column).collect::<Result<Vec<_>>>())??;
    let sum = columns.iter().map(|(sum, _)| sum).sum::<f64>();
    let total = columns.iter().map(|(sum, _)| sum.abs()).sum::<f64>();
    let size = columns.iter().map(|(_, size)| size).sum::<f64>();
    // The definition adds up the columns of a distance, which is off by less than a rounding of it
    // for each and a few more, and loses nothing from there on. Here every term is rounded a few
    // times, their sum as if it were one of them, and the sum of the columns once for each.
    let steps = (2 * columns.len() + 16) as f64;
    Ok(Some((sum, (total * steps + size * 8.0) * (f64::EPSILON / 2.0))))
}
