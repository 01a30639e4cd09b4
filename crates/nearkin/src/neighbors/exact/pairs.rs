//! The sum of all distances, without visiting pairs.
//!
//! A Manhattan distance is a sum over columns, and the differences of a sorted column
//! x₁ ≤ … ≤ xₙ add up to
//!
//! ```text
//! Σ_{i<j} (x_j − x_i) = Σ_k (2k − n − 1) x_k
//! ```
//!
//! so that sorting, O(n p log n), is all it takes; equal codes are counted. Each known cell meets
//! all the missing cells of its column, counted by class.
//!
//! Lower bound: n · p · log₂ n comparisons.

use rayon::prelude::*;

use crate::data::MISSING;
use crate::measure::{Measure, Metric};
use crate::neighbors::exact::long_sum::LongSum;
use crate::neighbors::search::Labelled;
use crate::{Result, Run};

/// Σ_{i<j} d(i, j), and a bound on its difference from the exact sum and from `distances_in_all`,
/// which adds up rounded distances. None when distances are not sums over columns.
///
/// # Errors
///
/// When the run is stopped or its threads cannot be started.
pub fn sum_of_distances(of: Labelled, measure: &Measure, run: &Run) -> Result<Option<(f64, f64)>> {
    let rows = of.rows;
    let separable = measure.metric() == Metric::Manhattan && measure.ramp().is_none();
    if !separable || (rows.has_missing() && measure.unknown().policy().skips_in_distance()) {
        return Ok(None);
    }
    let (n, numeric) = (rows.len(), rows.numeric());
    let of_number = |column: usize| {
        let product = measure.products()[column];
        let (mut cells, mut gone) = (Vec::with_capacity(n), vec![0.0; of.classes]);
        // The rows in which the column is known: they form pairs with rows in which it is missing.
        let mut known = Vec::new();
        for (row, &class) in of.labels.iter().enumerate() {
            let cell = rows.number(row, column);
            if cell.is_nan() {
                gone[class as usize] += 1.0;
            } else {
                cells.push(cell);
                if rows.has_missing() {
                    known.push(row);
                }
            }
        }
        if product != 0.0 {
            cells.sort_unstable_by(f64::total_cmp);
        }
        let (mut sum, mut size) = (LongSum::default(), 0.0);
        for (k, cell) in cells.iter().enumerate().filter(|_| product != 0.0) {
            let term = (cell - cells[0]) * (2.0 * k as f64 - (cells.len() as f64 - 1.0));
            sum.add(term);
            size += term.abs();
        }
        let to_hole = known.iter().map(|&row| (row, 1.0));
        let holes = holes(of, measure, column, to_hole, &gone);
        (sum.total() * product + holes.0, size * product.abs() + holes.1)
    };
    let of_code = |column: usize| {
        // Values, how many rows have them, and one that has.
        let (mut counts, mut gone) = (Vec::<(f64, usize)>::new(), vec![0.0; of.classes]);
        for (row, &class) in of.labels.iter().enumerate() {
            let code = rows.code(row, column);
            if code == MISSING {
                gone[class as usize] += 1.0;
                continue;
            }
            counts.resize(counts.len().max(usize::from(code) + 1), (0.0, 0));
            let (count, example) = &mut counts[usize::from(code)];
            (*count, *example) = (*count + 1.0, row);
        }
        let known: f64 = counts.iter().map(|of| of.0).sum();
        let equal: f64 = counts.iter().map(|(count, _)| count * (count - 1.0) / 2.0).sum();
        let differ = known * (known - 1.0) / 2.0 - equal;
        let to_hole = counts.iter().filter(|of| of.0 > 0.0).map(|&(count, row)| (row, count));
        let holes = holes(of, measure, numeric + column, to_hole, &gone);
        let sum = differ * measure.nominal_factors()[column];
        (sum + holes.0, sum.abs() + holes.1)
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

/// The terms of the missing cells of a column: their sum, and the sum of their sizes.
///
/// `gone` is the number of rows of each class that miss it; `known` are rows that have it, each
/// with the number of rows that have the same cell.
fn holes(
    of: Labelled,
    measure: &Measure,
    column: usize,
    known: impl Iterator<Item = (usize, f64)>,
    gone: &[f64],
) -> (f64, f64) {
    let classes: Vec<(u32, f64)> =
        (0u32..).zip(gone.iter().copied()).filter(|(_, gone)| *gone > 0.0).collect();
    if classes.is_empty() {
        return (0.0, 0.0);
    }
    let (mut sum, mut size) = (LongSum::default(), 0.0);
    let mut add = |term: f64| {
        sum.add(term);
        size += term.abs();
    };
    for (row, count) in known {
        let own = (of.rows, row, of.labels[row]);
        for &(class, gone) in &classes {
            add(count * gone * measure.term_to_hole(column, own, class).unwrap_or(0.0));
        }
    }
    for (at, &(class, gone)) in classes.iter().enumerate() {
        let pair = |other: u32| measure.term_of_holes(column, (class, other)).unwrap_or(0.0);
        add(gone * (gone - 1.0) / 2.0 * pair(class));
        for &(other, theirs) in &classes[at + 1..] {
            add(gone * theirs * pair(other));
        }
    }
    (sum.total(), size)
}
