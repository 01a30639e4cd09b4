//! [`Reweighted`]: the nearest rows of a few targets while factors change from call to call.
//!
//! A squared Euclidean distance with factors f falls apart into
//!
//! ```text
//! Σ f (x − z)² = Σ f x² − 2 Σ (f x) z + Σ f z²
//! ```
//!
//! so rows that were laid out once serve any factors: those of the targets go into the middle
//! sum, the last sum is shared by all targets of a call, and the first does not change the order.
//! Codes are bytes, and a factor is added where they differ. In `f32` this is a filter with a
//! proven bound; the doubles of [`Measure`] decide.
//!
//! Lower bound: a multiply-add for each target, row and number, and a comparison and an addition
//! for each target, row and code; sixteen rows an instruction.

use std::ops::Range;

use rayon::prelude::*;

use crate::measure::{Measure, Metric};
use crate::neighbors::filter::panel::{PADDING, ROUNDING, lanes};
use crate::neighbors::filter::share::in_shares;
use crate::neighbors::kernel::{Isa, Kernels, LANES, SQUARED_QUERIES, Squares};
use crate::neighbors::search::Labelled;

/// Numbers whose squares are too large for the filter, whatever the factors.
const TOO_LARGE: f64 = 1e18;

/// Groups that a thread takes at a time.
const TASK: usize = 8;

/// Features that are summed by themselves: so many roundings, and one for every such part.
const PART: usize = 512;

/// Lanes' packed genotypes that are laid out a byte each, at most.
const UNPACKED: usize = 1 << 26;

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
    /// The largest size of the numbers of each column.
    largest: Vec<f64>,
    /// `codes[(group · nominal + feature) · 16 + lane]`.
    codes: Vec<u8>,
}

impl<'a> Reweighted<'a> {
    /// Lay out the rows; for Euclidean distances over numbers, none of them missing or huge, and
    /// for codes that fit a byte. Packed rows are bytes here, too, as long as all fit `UNPACKED`;
    /// of more, strips take the bits as they are.
    pub fn new(of: Labelled<'a>, measure: &Measure) -> Option<Self> {
        let rows = of.rows;
        let squared = measure.metric() == Metric::Euclidean && measure.ramp().is_none();
        if !(squared || rows.numeric() == 0) || rows.has_missing() {
            return None;
        }
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let (row_of, class_of_group) = lanes(&all, of.labels, of.classes);
        // Classes end with lanes without a row, which take the same room.
        let unpacked = row_of.len().saturating_mul(rows.nominal());
        if rows.packed().is_some() && unpacked > UNPACKED {
            return None;
        }
        let (numeric, nominal) = (rows.numeric(), rows.nominal());
        let mut numbers = vec![0.0; row_of.len() * numeric];
        let mut codes = vec![0; row_of.len() * nominal];
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
            for (column, &code) in rows.codes(row as usize).iter().enumerate() {
                let cell = (lane / LANES * nominal + column) * LANES + lane % LANES;
                codes[cell] = u8::try_from(code).ok()?;
            }
        }
        if largest.iter().any(|&largest| largest > TOO_LARGE) {
            return None;
        }
        let kernels = Isa::best().kernels();
        Some(Self { of, kernels, row_of, lane_of, class_of_group, numbers, largest, codes })
    }

    /// The answers of `then` for the k nearest of each class to each target, nearest first, the
    /// target itself left out.
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
        let factors = [measure.numeric_factors(), measure.nominal_factors()];
        let squares = factors[0].iter().zip(&self.largest).map(|(f, v)| f.abs() * v * v);
        let size: f64 = squares.chain(factors[1].iter().map(|f| f.abs())).sum();
        // A sum rounds once a term within a part and once a part, and every factor and number once
        // or twice; the terms of both sums together are at most twice as large as the squares of
        // the largest numbers. Products too small for `f32` vanish.
        let features = factors[0].len() + factors[1].len();
        let steps = 1.1 * (features.min(PART) + features.div_ceil(PART) + 17) as f64;
        let vanished: f64 = self.largest.iter().map(|v| (1.0 + v) * (1.0 + v)).sum();
        let margin = 2.0 * 4.0 * size * steps * ROUNDING + 1e-43 * (vanished + features as f64);
        if margin.is_nan() || margin > 1e30 {
            return None;
        }
        let chunks = targets.par_chunks(SQUARED_QUERIES).map(|targets| {
            let held = self.held(factors, targets, margin as f32, k);
            let each = targets.par_iter().zip(held).map(|(&target, held)| {
                let near = held.into_iter().map(|held| self.decide(measure, target, held, k));
                then(target, near.collect())
            });
            each.collect::<Vec<T>>()
        });
        Some(chunks.collect::<Vec<_>>().into_iter().flatten().collect())
    }

    /// Rows that may be among the k nearest of each class to each of a few targets.
    ///
    /// Each thread holds what it finds itself, so nothing of the rows' number is written.
    fn held(&self, factors: [&[f64]; 2], targets: &[u32], margin: f32, k: usize) -> Vec<Vec<Held>> {
        let (queries, query_codes) = (self.queries(factors[0], targets), self.query_codes(targets));
        let [numeric, nominal] =
            factors.map(|each| each.iter().map(|&factor| factor as f32).collect::<Vec<f32>>());
        let none = || vec![vec![Held::new(k, margin); self.of.classes]; targets.len()];
        let sizes = (numeric.len() * LANES, nominal.len() * LANES);
        let look_through = |task: Range<usize>, held: &mut Vec<Vec<Held>>| {
            for group in task {
                let mut values = [[0.0; LANES]; SQUARED_QUERIES];
                let base = self.numbers[group * sizes.0..][..sizes.0].chunks(PART * LANES);
                let queries = queries.chunks(PART * SQUARED_QUERIES);
                for ((q, factors), base) in queries.zip(numeric.chunks(PART)).zip(base) {
                    let mut part = [[0.0; LANES]; SQUARED_QUERIES];
                    (self.kernels.squares)(q, factors, base, &mut part);
                    add(&mut values, &part);
                }
                let base = self.codes[group * sizes.1..][..sizes.1].chunks(PART * LANES);
                let queries = query_codes.chunks(PART * SQUARED_QUERIES);
                for ((q, factors), base) in queries.zip(nominal.chunks(PART)).zip(base) {
                    let mut part = [[0.0; LANES]; SQUARED_QUERIES];
                    (self.kernels.mismatch_few)(q, factors, base, &mut part);
                    add(&mut values, &part);
                }
                let class = self.class_of_group[group] as usize;
                let rows = &self.row_of[group * LANES..][..LANES];
                for ((held, values), &target) in held.iter_mut().zip(&values).zip(targets) {
                    held[class].look_at(values, rows, target);
                }
            }
        };
        let groups = (self.class_of_group.len(), TASK);
        let held = in_shares(groups, rayon::current_num_threads(), none, look_through);
        let together = |mut a: Vec<Vec<Held>>, b: Vec<Vec<Held>>| {
            let pairs = a.iter_mut().flatten().zip(b.into_iter().flatten());
            pairs.for_each(|(a, b)| a.rows.extend(b.rows));
            a
        };
        held.into_iter().reduce(together).unwrap_or_default()
    }

    /// −2 f x of each target, `[feature][target]`.
    fn queries(&self, factors: &[f64], targets: &[u32]) -> Vec<f32> {
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
        queries
    }

    /// The codes of each target, `[feature][target]`.
    fn query_codes(&self, targets: &[u32]) -> Vec<u8> {
        let rows = self.of.rows;
        let mut codes = vec![0; rows.nominal() * SQUARED_QUERIES];
        for (i, &target) in targets.iter().enumerate() {
            for (column, &code) in rows.codes(target as usize).iter().enumerate() {
                codes[column * SQUARED_QUERIES + i] = code as u8;
            }
        }
        codes
    }

    /// The k nearest of those held, which are of one class, by the definition.
    fn decide(&self, measure: &Measure, target: u32, mut held: Held, k: usize) -> Vec<(f64, u32)> {
        held.cut();
        let Labelled { rows: table, labels, .. } = self.of;
        let distance = |&(_, row): &(f32, u32)| {
            let classes = (labels[target as usize], labels[row as usize]);
            (measure.distance(table, target as usize, table, row as usize, classes), row)
        };
        let mut near: Vec<(f64, u32)> = held.rows.iter().map(distance).collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(k);
        near
    }
}

/// Rows of one class that may be among the k nearest to a target: none whose filter value exceeds
/// the k-th smallest by more than the margin is.
#[derive(Clone)]
struct Held {
    rows: Vec<(f32, u32)>,
    /// How many there may be before those too far are let go.
    room: usize,
    limit: f32,
    k: usize,
    margin: f32,
}

impl Held {
    fn new(k: usize, margin: f32) -> Self {
        let room = k.saturating_mul(2).saturating_add(32);
        Self { rows: Vec::new(), room, limit: f32::INFINITY, k, margin }
    }

    /// Take in the rows of a group that are near enough, all but the target itself.
    #[inline]
    fn look_at(&mut self, values: &[f32; LANES], rows: &[u32], target: u32) {
        let mut near = at_most(values, self.limit);
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            if rows[lane] != PADDING && rows[lane] != target {
                self.rows.push((values[lane], rows[lane]));
            }
        }
        if self.rows.len() >= self.room {
            self.cut();
            // Many may be as near as the k-th: they are not gone through again and again.
            self.room = self.room.max(2 * self.rows.len());
        }
    }

    /// Let go of rows that k others show to be too far.
    fn cut(&mut self) {
        if self.rows.len() > self.k {
            let last = self.rows.select_nth_unstable_by(self.k - 1, |a, b| a.0.total_cmp(&b.0)).1.0;
            self.limit = (last + self.margin).next_up();
            self.rows.retain(|near| near.0 <= self.limit);
        }
    }
}

#[inline]
fn add(values: &mut Squares, part: &Squares) {
    let cells = values.as_flattened_mut().iter_mut().zip(part.as_flattened());
    cells.for_each(|(value, part)| *value += part);
}

/// The lanes that hold at most `limit`, a bit each.
#[inline(always)]
fn at_most(values: &[f32; LANES], limit: f32) -> u16 {
    let mut lanes = 0;
    for (lane, &value) in values.iter().enumerate() {
        lanes |= u16::from(value <= limit) << lane;
    }
    lanes
}
