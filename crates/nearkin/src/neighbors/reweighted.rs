//! [`Reweighted`]: the nearest rows of a few targets while factors change from call to call.
//!
//! A squared Euclidean distance with factors f falls apart into
//!
//! ```text
//! Σ f (x − z)² = Σ f x² − 2 Σ (f x) z + Σ f z²
//! ```
//!
//! so rows that were laid out once serve any factors: those of the targets go into the middle sum,
//! the last sum is shared by all targets of a call, and the first does not change who is nearest.
//! In `f32` this is a filter with a proven bound; the doubles of [`Measure`] decide.
//!
//! Floor: for each row and feature a multiply-add for every target and two operations for the
//! last sum, sixteen rows an instruction; the panel, 4 n p bytes, is read once for eight targets.

use rayon::prelude::*;

use super::kernel::{Isa, Kernels, LANES, SQUARED_QUERIES};
use super::panel::{PADDING, ROUNDING, lanes};
use super::search::Labelled;
use crate::measure::{Measure, Metric};

/// Groups in a task, when the rows are cut among threads.
const TASK: usize = 32;

/// The nearest rows of each class, nearest first.
pub type NearestOfClasses = Vec<Vec<(f64, u32)>>;

/// All rows of a table, ready to be searched under changing factors.
#[derive(Debug)]
pub struct Reweighted<'a> {
    of: Labelled<'a>,
    kernels: &'static Kernels,
    row_of: Vec<u32>,
    lane_of: Vec<u32>,
    class_of_group: Vec<u32>,
    /// `numbers[(group · numeric + feature) · 16 + lane]`, scaled and centred.
    numbers: Vec<f32>,
    /// What the numbers of each column are at most.
    largest: Vec<f64>,
}

impl<'a> Reweighted<'a> {
    /// Lay out the rows; for Euclidean distances over numbers, none of them missing.
    pub fn new(of: Labelled<'a>, measure: &Measure) -> Option<Self> {
        let rows = of.rows;
        let served = measure.metric() == Metric::Euclidean && measure.ramp().is_none();
        if !served || rows.has_missing() || rows.nominal() > 0 {
            return None;
        }
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let (row_of, class_of_group) = lanes(&all, of.labels, of.classes);
        let numeric = rows.numeric();
        let mut numbers = vec![0.0; row_of.len() * numeric];
        let mut largest = vec![0.0f64; numeric];
        let mut lane_of = vec![0; rows.len()];
        for (lane, &row) in row_of.iter().enumerate().filter(|(_, row)| **row != PADDING) {
            lane_of[row as usize] = lane as u32;
            for column in 0..numeric {
                let (low, high) = measure.range()[column];
                let centre = low + (high - low) / 2.0;
                let value = (rows.number(row as usize, column) - centre) * measure.scale()[column];
                numbers[(lane / LANES * numeric + column) * LANES + lane % LANES] = value as f32;
                largest[column] = largest[column].max(value.abs());
            }
        }
        let kernels = Isa::best().kernels();
        Some(Self { of, kernels, row_of, lane_of, class_of_group, numbers, largest })
    }

    /// What `then` makes of the k nearest of each class to each target, nearest first, itself left
    /// out.
    ///
    /// Work is cut among the threads of the current pool. None where the factors are too large
    /// for the filter.
    pub fn nearest<T: Send>(
        &self,
        measure: &Measure,
        targets: &[u32],
        k: usize,
        then: impl Fn(u32, NearestOfClasses) -> T + Sync,
    ) -> Option<Vec<T>> {
        let factors = measure.numeric_factors();
        let size: f64 = factors.iter().zip(&self.largest).map(|(f, v)| f.abs() * v * v).sum();
        // A sum of p terms rounds p times, and every factor and number once or twice; the terms
        // of both sums together are at most twice as large as the squares of the largest numbers.
        let steps = 1.1 * (factors.len() + 16) as f64;
        let margin = 2.0 * 4.0 * size * steps * ROUNDING;
        if margin.is_nan() || margin > 1e30 {
            return None;
        }
        let chunks = targets.par_chunks(SQUARED_QUERIES).map(|targets| {
            let values = self.filter(factors, targets);
            let each = targets.par_iter().enumerate();
            let each = each.map(|(i, &target)| {
                let near = self.candidates(target, i, &values, margin as f32, k);
                let near = near.iter().map(|rows| self.decide(measure, target, rows, k));
                then(target, near.collect())
            });
            each.collect::<Vec<T>>()
        });
        Some(chunks.collect::<Vec<_>>().into_iter().flatten().collect())
    }

    /// Filter values of a few targets, `[group][target][lane]`.
    fn filter(&self, factors: &[f64], targets: &[u32]) -> Vec<[f32; LANES]> {
        let numeric = factors.len();
        let mut queries = vec![0.0; numeric * SQUARED_QUERIES];
        for (i, &target) in targets.iter().enumerate() {
            let lane = self.lane_of[target as usize] as usize;
            let own = &self.numbers[lane / LANES * numeric * LANES..];
            for (column, factor) in factors.iter().enumerate() {
                let x = f64::from(own[column * LANES + lane % LANES]);
                queries[column * SQUARED_QUERIES + i] = (-2.0 * factor * x) as f32;
            }
        }
        let factors: Vec<f32> = factors.iter().map(|&factor| factor as f32).collect();
        let mut values = vec![[0.0; LANES]; self.class_of_group.len() * SQUARED_QUERIES];
        let tasks = values.par_chunks_mut(TASK * SQUARED_QUERIES).enumerate();
        tasks.for_each(|(task, values)| {
            let groups = values.as_chunks_mut::<SQUARED_QUERIES>().0;
            for (group, values) in (task * TASK..).zip(groups) {
                let base = &self.numbers[group * numeric * LANES..][..numeric * LANES];
                (self.kernels.squares)(&queries, &factors, base, values);
            }
        });
        values
    }

    /// Rows of each class that may be among the k nearest: none whose filter value exceeds the
    /// k-th smallest by more than the margin is.
    fn candidates(
        &self,
        target: u32,
        query: usize,
        values: &[[f32; LANES]],
        margin: f32,
        k: usize,
    ) -> Vec<Vec<u32>> {
        let mut held: Vec<Vec<(f32, u32)>> = vec![Vec::new(); self.of.classes];
        let mut limits = vec![f32::INFINITY; self.of.classes];
        let cut = |held: &mut Vec<(f32, u32)>| {
            let last = held.select_nth_unstable_by(k - 1, |a, b| a.0.total_cmp(&b.0)).1.0;
            let limit = (last + margin).next_up();
            held.retain(|near| near.0 <= limit);
            limit
        };
        let rows = self.row_of.chunks_exact(LANES).zip(&self.class_of_group);
        let values = values.iter().skip(query).step_by(SQUARED_QUERIES);
        for (values, (rows, &class)) in values.zip(rows) {
            let (held, limit) = (&mut held[class as usize], &mut limits[class as usize]);
            if values.iter().all(|value| value > limit) {
                continue;
            }
            for (&value, &row) in values.iter().zip(rows) {
                if value <= *limit && row != PADDING && row != target {
                    held.push((value, row));
                }
            }
            if held.len() >= k.saturating_mul(2).saturating_add(32) {
                *limit = cut(held);
            }
        }
        let rows = |mut held: Vec<(f32, u32)>| {
            if held.len() > k {
                cut(&mut held);
            }
            held.into_iter().map(|near| near.1).collect()
        };
        held.into_iter().map(rows).collect()
    }

    /// The k nearest of `rows`, which are of one class, by the definition.
    fn decide(&self, measure: &Measure, target: u32, rows: &[u32], k: usize) -> Vec<(f64, u32)> {
        let Labelled { rows: table, labels, .. } = self.of;
        let distance = |&row: &u32| {
            let classes = (labels[target as usize], labels[row as usize]);
            (measure.distance(table, target as usize, table, row as usize, classes), row)
        };
        let mut near: Vec<(f64, u32)> = rows.iter().map(distance).collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(k);
        near
    }
}
