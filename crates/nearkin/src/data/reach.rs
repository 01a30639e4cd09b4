//! Range, mean and standard deviation of the numbers of a column.
//!
//! Mean and deviation are computed in units of the range, so that nothing overflows, and in two
//! passes, so that nothing cancels. The columns of a row-major array are read together, so that
//! memory is read in order and neighbouring columns share an instruction. The sums of a column are
//! added in the order of rows either way, and have the same bits.
//!
//! Lower bound: three reads and ten operations a number.

use std::ops::Range;

use rayon::prelude::*;

use super::fitted::FittedColumn;
use crate::pool::in_pool;
use crate::{DataError, Result};

/// Columns of an array that a thread reads together.
const RUN: usize = 32;

/// Sums over the known numbers of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    min: f64,
    max: f64,
    count: f64,
    /// Of numbers in units of the range, from the smallest on.
    sum: f64,
    /// Of their squared differences from the mean.
    squares: f64,
}

/// A number in units of the range; NaN for a missing one, and where there is no range.
fn unit(x: f64, min: f64, range: f64) -> f64 {
    (x - min) / range
}

fn known_or_nothing(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x }
}

impl Reach {
    fn range(&self) -> f64 {
        self.max - self.min
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// That of one column.
    pub fn of_cells<I: Iterator<Item = f64>>(cells: impl Fn() -> I) -> Self {
        let (min, max) = cells()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let mut reach = Self { min, max, count: 0.0, sum: 0.0, squares: 0.0 };
        let range = reach.range();
        if !(range > 0.0 && range.is_finite()) {
            return reach;
        }
        for x in cells().filter(|x| !x.is_nan()) {
            reach.count += 1.0;
            reach.sum += unit(x, min, range);
        }
        let off = |x: f64| unit(x, min, range) - reach.mean();
        reach.squares = cells().map(|x| known_or_nothing(off(x) * off(x))).sum();
        reach
    }

    /// Those of all columns of a row-major array.
    pub fn of_array<T: Copy + Into<f64> + Sync>(cells: &[T], width: usize) -> Vec<Self> {
        if !in_pool() {
            return Self::of_columns(cells, width, 0..width);
        }
        let runs: Vec<usize> = (0..width).step_by(RUN).collect();
        let of_run = |&from: &usize| Self::of_columns(cells, width, from..(from + RUN).min(width));
        runs.par_iter().flat_map_iter(of_run).collect()
    }

    /// Those of some columns of a row-major array.
    fn of_columns<T: Copy + Into<f64>>(
        cells: &[T],
        width: usize,
        columns: Range<usize>,
    ) -> Vec<Self> {
        let rows = || cells.chunks_exact(width.max(1)).map(|row| &row[columns.clone()]);
        let width = columns.len();
        let (mut min, mut max) = (vec![f64::INFINITY; width], vec![f64::NEG_INFINITY; width]);
        for row in rows() {
            min.iter_mut().zip(row).for_each(|(min, &x)| *min = min.min(x.into()));
            max.iter_mut().zip(row).for_each(|(max, &x)| *max = max.max(x.into()));
        }
        let range: Vec<f64> = max.iter().zip(&min).map(|(max, min)| max - min).collect();
        let (mut count, mut sum) = (vec![0.0; width], vec![0.0; width]);
        for row in rows() {
            let units = row.iter().zip(&min).zip(&range);
            let units = units.map(|((&x, &min), &range)| unit(x.into(), min, range));
            for ((count, sum), unit) in count.iter_mut().zip(&mut sum).zip(units) {
                *count += if unit.is_nan() { 0.0 } else { 1.0 };
                *sum += known_or_nothing(unit);
            }
        }
        let mean: Vec<f64> = sum.iter().zip(&count).map(|(sum, count)| sum / count).collect();
        let mut squares = vec![0.0; width];
        for row in rows() {
            let units = row.iter().zip(&min).zip(&range);
            let units = units.map(|((&x, &min), &range)| unit(x.into(), min, range));
            for ((squares, unit), mean) in squares.iter_mut().zip(units).zip(&mean) {
                *squares += known_or_nothing((unit - mean) * (unit - mean));
            }
        }
        let of = |at: usize| Self {
            min: min[at],
            max: max[at],
            count: count[at],
            sum: sum[at],
            squares: squares[at],
        };
        (0..width).map(of).collect()
    }

    /// The fitted column, or an error where its range is too large.
    pub fn fitted(&self, name: &str) -> Result<FittedColumn> {
        let Self { min, max, .. } = *self;
        let range = self.range();
        if min > max {
            return Ok(FittedColumn::Numeric { min: 0.0, max: 0.0, mean: 0.0, deviation: 0.0 });
        }
        if !range.is_finite() {
            let column = name.to_owned();
            return Err(DataError::TooWide { column, low: min, high: max }.into());
        }
        if range == 0.0 {
            return Ok(FittedColumn::Numeric { min, max, mean: min, deviation: 0.0 });
        }
        let deviation = (self.squares / self.count).sqrt() * range;
        Ok(FittedColumn::Numeric { min, max, mean: min + self.mean() * range, deviation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn threads_do_not_change_what_columns_reach_over() {
        let (rows, width, mut random) = (301, 3 * RUN + 5, Random::new(6, 0));
        let cells: Vec<f64> = (0..rows * width).map(|_| random.normal()).collect();
        let alone = Reach::of_array(&cells, width);
        let together = crate::Run::on(3).install(|| Reach::of_array(&cells, width)).unwrap();
        assert_eq!((alone.len(), &alone), (width, &together));
    }

    #[test]
    fn columns_of_an_array_reach_as_far_as_each_by_itself() {
        let (rows, width, mut random) = (203, 7, Random::new(5, 0));
        let mut cells: Vec<f64> = (0..rows * width).map(|_| random.normal() * 1e3).collect();
        for row in 0..rows {
            cells[row * width + 2] = 4.5;
            cells[row * width + 3] = f64::NAN;
            if row % 3 == 0 {
                cells[row * width + 4] = f64::NAN;
            }
        }
        (cells[5], cells[width + 5]) = (-1.7e308, 1.7e308);
        let singles: Vec<f32> = cells.iter().map(|&x| x as f32).collect();
        for (at, together) in Reach::of_array(&cells, width).iter().enumerate() {
            let alone = Reach::of_cells(|| cells.iter().copied().skip(at).step_by(width));
            assert_eq!(together.fitted("x"), alone.fitted("x"), "column {at}");
            assert_eq!(alone.fitted("x").is_err(), at == 5);
        }
        for (at, together) in Reach::of_array(&singles, width).iter().enumerate() {
            let column = || singles.iter().map(|&x| f64::from(x)).skip(at).step_by(width);
            assert_eq!(together.fitted("x"), Reach::of_cells(column).fitted("x"), "column {at}");
        }
    }
}
