//! [`Panels`]: rows laid out as the kernels read them.
//!
//! Rows are ordered by class and each class is padded to whole groups of sixteen lanes, so a
//! group has one class and one threshold. NumericCells are shifted and multiplied so that all
//! rows lie in [0, 1] and become fixed-point (Manhattan), or lie around 0 and become `f32`
//! (Euclidean); codes become bytes. What a tile computes is a *filter*: it differs from
//! [`Measure::sum`], divided by the layout's unit, by at most the [`slack`](Panels::slack) of the
//! one lane plus that of the other.
//!
//! Lower bound: every cell is read once and written once, four bytes of a number, one of a code.

use std::ops::Range;

use crate::data::{MISSING, NumericCells, Rows};
use crate::measure::{Measure, Metric};
use crate::neighbors::holes::{Holes, Making};
use crate::neighbors::kernel::packed::{self, Word};
use crate::neighbors::kernel::{CODE_LANES, Kernels, LANES, Sums};
use crate::neighbors::search::Labelled;
use crate::pool::chunk_by_chunk;

/// No row: a lane that only fills its group.
pub(crate) const PADDING: u32 = u32::MAX;

/// Features whose sums stay in registers before they are added to the tile.
pub(crate) const CHUNK: usize = 256;

/// Rounding error of one `f32` operation.
pub(crate) const ROUNDING: f64 = 1.0 / (1u64 << 24) as f64;

/// How the columns of a measure are spread over the kernels; shared by queries and base rows.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub metric: Metric,
    /// A tile value times `unit` is a sum of the measure.
    pub unit: f64,
    /// The number of features whose fixed-point differences are summed in one `u32`, so that it
    /// cannot overflow. With fewer features each difference has more bits: 24 for 256 features.
    pub fixed_chunk: usize,
    /// Multiplier and centre of each numeric column.
    numeric: Vec<(f64, f64)>,
    /// Nominal columns compared as packed genotypes: all of them, or none.
    pub packed: usize,
    /// Nominal columns compared as bytes, all with the factor `code_factor`.
    pub codes: Vec<usize>,
    pub code_factor: f32,
    /// Nominal columns with factors of their own; their codes fit a byte, or are compared as
    /// floats.
    pub weighted: Vec<usize>,
    weighted_fit_bytes: bool,
    pub weighted_factors: Vec<f32>,
    /// The most missing cells a row has, and the largest sum of their factors.
    most_holes: (f64, f64),
    /// Classes of the rows.
    pub classes: usize,
}

impl Layout {
    /// The layout for a measure of these rows: all that will ever meet in a tile.
    pub fn new(measure: &Measure, all: &[Labelled]) -> Self {
        let classes = all.iter().map(|of| of.classes).max().unwrap_or(0);
        let all: &[&Rows] = &all.iter().map(|of| of.rows).collect::<Vec<_>>();
        let metric = measure.metric();
        let most_holes = most_holes(measure, all);
        let term = |diff: f64, factor: f64| match metric {
            Metric::Manhattan => diff * factor,
            Metric::Euclidean => diff * diff * factor,
        };
        let extents = extents(measure, all);
        let columns = || {
            let scales = measure.scale().iter().zip(measure.numeric_factors());
            scales.zip(&extents).map(|((&s, &f), &(low, high))| (s, f, low, high))
        };
        let largest = columns().map(|(s, f, low, high)| term((high - low) * s, f));
        let largest = largest.chain(measure.nominal_factors().iter().copied());
        // A missing cell's difference is up to 1, whatever the range.
        let holes = measure.numeric_factors().iter().copied().filter(|_| most_holes.0 > 0.0);
        let largest = largest.chain(holes).fold(0.0, f64::max);
        // A power of two, so that dividing by it is exact.
        let unit = if largest > 0.0 { largest.log2().ceil().exp2() } else { 1.0 };
        let numeric = columns().map(|(s, f, low, high)| match metric {
            Metric::Manhattan => (s * f / unit, low),
            Metric::Euclidean => (s * f.sqrt() / unit.sqrt(), low + (high - low) / 2.0),
        });
        let factors = measure.nominal_factors();
        let even = factors.windows(2).all(|pair| pair[0] == pair[1]);
        let is_packed =
            measure.counts_mismatches() && all.iter().all(|rows| rows.packed().is_some());
        let (packed, rest) = if is_packed { (factors.len(), 0) } else { (0, factors.len()) };
        let widest = if is_packed { Vec::new() } else { widest_codes(all) };
        let narrow = |&c: &usize| widest[c] < 255;
        let (codes, weighted): (Vec<usize>, Vec<usize>) =
            (0..rest).partition(|c| even && narrow(c));
        Self {
            metric,
            unit,
            fixed_chunk: CHUNK,
            numeric: numeric.collect(),
            packed,
            code_factor: if is_packed {
                1.0
            } else {
                codes.first().map_or(0.0, |&c| (factors[c] / unit) as f32)
            },
            weighted_factors: weighted.iter().map(|&c| (factors[c] / unit) as f32).collect(),
            codes,
            weighted_fit_bytes: weighted.iter().all(narrow),
            weighted,
            most_holes,
            classes,
        }
    }

    pub fn numeric(&self) -> usize {
        self.numeric.len()
    }

    /// The most missing cells a row has.
    pub fn most_holes(&self) -> f64 {
        self.most_holes.0
    }

    /// The fixed-point number of 1, which is just too large.
    fn fixed_one(&self) -> f64 {
        (1u64 << 32) as f64 / self.fixed_chunk as f64
    }

    /// The size of the lowest bit of a fixed-point number.
    pub fn fixed_unit(&self) -> f64 {
        1.0 / self.fixed_one()
    }

    /// The cell of a numeric column as kernels see it; missing cells are 0.
    pub fn number(&self, column: usize, x: f64) -> f64 {
        let (multiplier, centre) = self.numeric[column];
        if x.is_nan() { 0.0 } else { (x - centre) * multiplier }
    }

    /// The cells of a row as kernels see them; nothing may be missing.
    pub fn numbers<T: Copy + Into<f64>>(&self, row: &[T], out: &mut [f64]) {
        for ((out, &x), (multiplier, centre)) in out.iter_mut().zip(row).zip(&self.numeric) {
            *out = (x.into() - centre) * multiplier;
        }
    }

    /// True when tile values are the measure's sums, without rounding.
    fn is_exact(&self) -> bool {
        self.numeric.is_empty()
            && self.weighted.is_empty()
            && self.code_factor == 1.0
            && self.unit == 1.0
    }
}

/// Where the numbers of each column begin and end, over the training rows and these.
fn extents(measure: &Measure, all: &[&Rows]) -> Vec<(f64, f64)> {
    let mut extents = measure.range().to_vec();
    for rows in all {
        match rows.numbers() {
            NumericCells::F32(cells) => widen(&mut extents, cells),
            NumericCells::F64(cells) => widen(&mut extents, cells),
        }
    }
    extents
}

fn widen<T: Copy + Into<f64>>(extents: &mut [(f64, f64)], cells: &[T]) {
    for row in cells.chunks_exact(extents.len().max(1)) {
        for ((low, high), &cell) in extents.iter_mut().zip(row) {
            // A comparison with a missing cell is false.
            let cell: f64 = cell.into();
            *low = if cell < *low { cell } else { *low };
            *high = if cell > *high { cell } else { *high };
        }
    }
}

/// The largest code of each nominal column.
fn widest_codes(all: &[&Rows]) -> Vec<u16> {
    let mut widest = vec![0; all.first().map_or(0, |rows| rows.nominal())];
    for rows in all {
        for row in 0..rows.len() {
            for (widest, &code) in widest.iter_mut().zip(rows.codes(row).iter()) {
                if code != MISSING {
                    *widest = code.max(*widest);
                }
            }
        }
    }
    widest
}

fn most_holes(measure: &Measure, all: &[&Rows]) -> (f64, f64) {
    let mut most = (0.0f64, 0.0f64);
    for rows in all.iter().filter(|rows| rows.has_missing()) {
        for row in 0..rows.len() {
            let holes = rows.holes(row);
            let weight = holes.iter().map(|&column| measure.factor(column as usize)).sum();
            most = (most.0.max(holes.len() as f64), most.1.max(weight));
        }
    }
    most
}

/// A group's numbers as kernels see them.
enum Cells<'a> {
    Fixed(&'a mut [u32]),
    Floats(&'a mut [f32]),
}

/// Sums over the numbers in a group's lanes.
#[derive(Default)]
struct NumbersOfGroup {
    totals: [f32; LANES],
    /// How far the fixed-point numbers of a lane are off, added up.
    slack: [f32; LANES],
    magnitudes: [f64; LANES],
    /// Chunk by chunk.
    fixed_totals: Vec<[u32; LANES]>,
}

impl NumbersOfGroup {
    /// Write the numbers of the rows in a group's lanes.
    fn new(layout: &Layout, rows: &Rows, row_of: &[u32], mut cells: Cells) -> Self {
        let (numeric, fixed_one) = (layout.numeric(), layout.fixed_one());
        let mut group = Self::default();
        if matches!(cells, Cells::Fixed(_)) {
            group.fixed_totals = vec![[0; LANES]; numeric.div_ceil(layout.fixed_chunk)];
        }
        for (lane, &row) in row_of.iter().enumerate().filter(|(_, row)| **row != PADDING) {
            let (mut total, mut coarseness) = (0.0f64, 0.0f64);
            for column in 0..numeric {
                let x = rows.number(row as usize, column);
                let value = layout.number(column, x);
                let cell = column * LANES + lane;
                match &mut cells {
                    Cells::Fixed(cells) => {
                        let exact = value * fixed_one;
                        // Nearly `round`, which is no instruction on older machines; the error
                        // is measured below.
                        let fixed = (exact + 0.5).clamp(0.0, fixed_one - 1.0) as u32;
                        coarseness += (exact - f64::from(fixed)).abs();
                        group.magnitudes[lane] += value.abs();
                        cells[cell] = fixed;
                        let total = &mut group.fixed_totals[column / layout.fixed_chunk][lane];
                        *total = total.wrapping_add(fixed);
                    }
                    Cells::Floats(cells) => {
                        cells[cell] = value as f32;
                        // Sums of the rounded values: what the kernels will see.
                        let square = f64::from(value as f32) * f64::from(value as f32);
                        total += square;
                        group.magnitudes[lane] += square;
                    }
                }
            }
            group.totals[lane] = total as f32;
            // Doubles round too: a little for each number.
            group.slack[lane] = ((coarseness / fixed_one + numeric as f64 * 1e-15) * 1.001) as f32;
        }
        group
    }
}

/// Rows in kernel layout.
#[derive(Debug)]
pub(crate) struct Panels {
    /// The row in each lane, [`PADDING`] for none; a multiple of [`CODE_LANES`] lanes.
    pub row_of: Vec<u32>,
    /// The class of each group.
    pub class_of_group: Vec<u32>,
    /// `fixed[(group · numeric + feature) · 16 + lane]` (Manhattan).
    pub fixed: Vec<u32>,
    /// Sums of a lane's fixed-point numbers, chunk by chunk, modulo 2³²: `[chunk · lanes + lane]`.
    pub fixed_totals: Vec<u32>,
    /// The most a row's fixed-point numbers are off, added up.
    pub coarseness: f64,
    /// `numbers[(group · numeric + feature) · 16 + lane]` (Euclidean).
    pub numbers: Vec<f32>,
    /// Squared norms (Euclidean); infinite for padding.
    pub totals: Vec<f32>,
    /// `codes[(code group · codes + feature) · 64 + lane]`, 255 for missing.
    pub codes: Vec<u8>,
    /// `planes[group · words + word]` of packed genotypes.
    pub planes: Vec<Word>,
    /// `[(group · weighted + feature) · 16 + lane]`.
    weighted: Weighted,
    /// The columns that rows miss, where any row of the layout misses one.
    pub holes: Option<Holes>,
    /// This lane's share of the largest error of a tile value.
    pub slack: Vec<f32>,
}

/// Codes of columns with factors of their own, 255 for missing ones where they are bytes.
#[derive(Debug)]
enum Weighted {
    Bytes(Vec<u8>),
    Floats(Vec<f32>),
}

impl Panels {
    /// Lay out the given rows (positions in `rows`), whose classes are `classes[row]`.
    pub fn new(
        layout: &Layout,
        measure: &Measure,
        rows: &Rows,
        chosen: &[u32],
        (classes, class_count): (&[u32], usize),
    ) -> Self {
        let (row_of, class_of_group) = lanes(chosen, classes, class_count);
        let lanes = row_of.len();
        let (numeric, coded, weighted) =
            (layout.numeric(), layout.codes.len(), layout.weighted.len());
        let (fixed, float) = match layout.metric {
            Metric::Manhattan => (numeric, 0),
            Metric::Euclidean => (0, numeric),
        };
        let mut panels = Self {
            fixed: vec![0; lanes * fixed],
            fixed_totals: vec![0; lanes * fixed.div_ceil(layout.fixed_chunk)],
            coarseness: 0.0,
            numbers: vec![0.0; lanes * float],
            totals: vec![0.0; lanes],
            codes: vec![0; lanes * coded],
            planes: match (layout.packed, rows.packed()) {
                (1.., Some(packed)) => packed::panel(packed, &rows_of(&row_of)),
                _ => Vec::new(),
            },
            weighted: match layout.weighted_fit_bytes {
                true => Weighted::Bytes(vec![0; lanes * weighted]),
                false => Weighted::Floats(vec![0.0; lanes * weighted]),
            },
            holes: None,
            slack: vec![0.0; lanes],
            row_of,
            class_of_group,
        };
        let magnitudes = panels.add_numbers(layout, rows);
        for lane in 0..lanes {
            let (group, at) = (lane / LANES, lane % LANES);
            let row = panels.row_of[lane] as usize;
            if panels.row_of[lane] == PADDING {
                continue;
            }
            if layout.packed > 0 {
                continue;
            }
            let codes = rows.codes(row);
            let code_at = (lane / CODE_LANES * coded) * CODE_LANES + lane % CODE_LANES;
            for (i, &column) in layout.codes.iter().enumerate() {
                panels.codes[code_at + i * CODE_LANES] = codes[column].min(255) as u8;
            }
            for (i, &column) in layout.weighted.iter().enumerate() {
                let (cell, code) = ((group * weighted + i) * LANES + at, codes[column]);
                match &mut panels.weighted {
                    Weighted::Bytes(cells) => cells[cell] = code.min(255) as u8,
                    Weighted::Floats(cells) => cells[cell] = f32::from(code),
                }
            }
        }
        if layout.most_holes.0 > 0.0 {
            let lanes = (&panels.row_of[..], &panels.class_of_group[..]);
            panels.holes = Some(Holes::new(Making { layout, measure }, rows, lanes));
        }
        panels.bound_errors(layout, measure, &magnitudes);
        panels
    }

    /// Lay out the numbers, group by group; how large those of each lane are, added up.
    fn add_numbers(&mut self, layout: &Layout, rows: &Rows) -> Vec<f64> {
        let (size, row_of) = (layout.numeric() * LANES, &self.row_of);
        let lanes = |group: usize| &row_of[group * LANES..(group + 1) * LANES];
        let groups = match layout.metric {
            Metric::Manhattan => chunk_by_chunk(&mut self.fixed, size, |group, cells| {
                NumbersOfGroup::new(layout, rows, lanes(group), Cells::Fixed(cells))
            }),
            Metric::Euclidean => chunk_by_chunk(&mut self.numbers, size, |group, cells| {
                NumbersOfGroup::new(layout, rows, lanes(group), Cells::Floats(cells))
            }),
        };
        let mut magnitudes = vec![0.0; row_of.len()];
        for (first, group) in (0..).step_by(LANES).zip(groups) {
            let lanes = first..first + LANES;
            self.totals[lanes.clone()].copy_from_slice(&group.totals);
            self.slack[lanes.clone()].copy_from_slice(&group.slack);
            magnitudes[lanes.clone()].copy_from_slice(&group.magnitudes);
            let chunks = self.fixed_totals.chunks_exact_mut(self.row_of.len());
            chunks.zip(&group.fixed_totals).for_each(|(all, own)| {
                all[lanes.clone()].copy_from_slice(own);
            });
        }
        let coarseness = self.slack.iter().map(|slack| f64::from(slack.next_up()));
        self.coarseness = coarseness.fold(0.0, f64::max);
        for (total, _) in self.totals.iter_mut().zip(&self.row_of).filter(|of| *of.1 == PADDING) {
            *total = f32::INFINITY;
        }
        magnitudes
    }

    /// Fill [`Panels::slack`].
    ///
    /// A sum of m terms in `f32` is off by at most (m − 1) u Σ|term|; chunks add their number of
    /// terms. Values are rounded once, totals once, and a few operations put them together. Sums
    /// of fixed-point numbers are exact: only chunks round, on top of what the numbers are off. A
    /// policy that leaves columns out multiplies by whole/present, and errors with it.
    fn bound_errors(&mut self, layout: &Layout, measure: &Measure, magnitudes: &[f64]) {
        if layout.is_exact() && layout.most_holes.0 == 0.0 {
            return;
        }
        let packed = layout.packed as f64;
        let numeric = layout.numeric();
        let terms = match layout.metric {
            Metric::Manhattan => numeric.div_ceil(CHUNK),
            Metric::Euclidean => numeric.min(CHUNK) + numeric.div_ceil(CHUNK),
        };
        let operations = 2.0 * (terms + layout.codes.len().div_ceil(255)) as f64
            + layout.weighted.len() as f64
            + 4.0 * layout.most_holes.0
            + 24.0;
        let nominal = layout.codes.len() as f64 * f64::from(layout.code_factor)
            + layout.weighted_factors.iter().map(|&f| f64::from(f)).sum::<f64>();
        let columns = (numeric + layout.codes.len() + layout.weighted.len()) as f64 + packed;
        let factors = || measure.numeric_factors().iter().chain(measure.nominal_factors()).copied();
        let whole: f64 = factors().sum();
        let smallest = factors().filter(|&f| f > 0.0).fold(f64::INFINITY, f64::min);
        let skips = measure.unknown().policy().skips_in_distance() && layout.most_holes.0 > 0.0;
        for (lane, magnitude) in magnitudes.iter().enumerate() {
            let holes = self.holes.as_ref().map_or(&[][..], |holes| holes.of_lane(lane));
            let magnitude = magnitude + nominal + 2.0 * holes.len() as f64;
            // Beyond rounding: values too small for `f32` vanish.
            let fixed = if numeric > 0 { f64::from(self.slack[lane].next_up()) } else { 0.0 };
            let mut error = 1.1 * ROUNDING * operations * magnitude + columns * 1e-44 + fixed;
            if layout.packed > 0 {
                // Counts are whole; h corrections, each up to 1, are summed by themselves.
                let holes = holes.len() as f64;
                error = 1.1 * ROUNDING * (holes * (holes + 4.0) + 4.0 * packed + 8.0);
            }
            if skips {
                let missing: f64 = holes.iter().map(|&hole| measure.factor(hole as usize)).sum();
                let present = (whole - missing - layout.most_holes.1).max(smallest);
                // Twice: the share of what is present is rounded as well.
                error *= (whole / present).powi(2);
                // Rows without a common column could not be told from rows with a light one.
                if smallest < 1e-4 * whole {
                    error = f64::INFINITY;
                }
            }
            self.slack[lane] = error as f32 * 1.0001 + f32::MIN_POSITIVE;
        }
    }

    pub fn lanes(&self) -> usize {
        self.row_of.len()
    }

    /// The features `from..to` of a group's fixed-point numbers, a chunk or less.
    pub fn fixed(&self, layout: &Layout, group: usize, from: usize, to: usize) -> &[u32] {
        let start = group * layout.numeric();
        &self.fixed[(start + from) * LANES..(start + to) * LANES]
    }

    /// The sums of a group's fixed-point numbers in the chunk that begins at feature `from`.
    pub fn fixed_totals(&self, layout: &Layout, group: usize, from: usize) -> &[u32; LANES] {
        let start = from / layout.fixed_chunk * self.lanes() + group * LANES;
        self.fixed_totals[start..].first_chunk().unwrap_or(&[0; LANES])
    }

    /// The features `from..to` of a group's numbers.
    pub fn numbers(&self, layout: &Layout, group: usize, from: usize, to: usize) -> &[f32] {
        let start = group * layout.numeric();
        &self.numbers[(start + from) * LANES..(start + to) * LANES]
    }

    /// The words `from..to` of a group's packed genotypes.
    pub fn planes(&self, layout: &Layout, group: usize, from: usize, to: usize) -> &[Word] {
        let start = group * layout.packed.div_ceil(64);
        &self.planes[start + from..start + to]
    }

    /// Add the mismatches of a group of queries and a group of `base` in the weighted features
    /// `of` to sums.
    pub fn add_weighted(
        &self,
        base: &Self,
        (kernels, layout): (&Kernels, &Layout),
        of: Range<usize>,
        (query_group, base_group): (usize, usize),
        sums: Sums,
    ) {
        let width = layout.weighted.len();
        let cells =
            |group: usize| (group * width + of.start) * LANES..(group * width + of.end) * LANES;
        let (q, b) = (cells(query_group), cells(base_group));
        let factors = &layout.weighted_factors[of.clone()];
        match (&self.weighted, &base.weighted) {
            (Weighted::Bytes(x), Weighted::Bytes(z)) => {
                (kernels.mismatch_bytes)(&x[q], &z[b], factors, sums);
            }
            (Weighted::Floats(x), Weighted::Floats(z)) => {
                (kernels.mismatch)(&x[q], &z[b], factors, sums);
            }
            // A layout is that of both.
            _ => {}
        }
    }

    /// The features `from..to` of a code group.
    pub fn codes(&self, layout: &Layout, group: usize, from: usize, to: usize) -> &[u8] {
        let start = group * layout.codes.len();
        &self.codes[(start + from) * CODE_LANES..(start + to) * CODE_LANES]
    }
}

/// The row of each lane, if it has one.
fn rows_of(row_of: &[u32]) -> Vec<Option<usize>> {
    row_of.iter().map(|&row| (row != PADDING).then_some(row as usize)).collect()
}

/// Rows by class, each class padded to whole groups, the whole to whole code groups.
pub(crate) fn lanes(chosen: &[u32], classes: &[u32], class_count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut of_class = vec![Vec::new(); class_count];
    for &row in chosen {
        of_class[classes[row as usize] as usize].push(row);
    }
    let (mut row_of, mut class_of_group) = (Vec::new(), Vec::new());
    for (class, rows) in of_class.into_iter().enumerate() {
        row_of.extend(rows);
        row_of.resize(row_of.len().next_multiple_of(LANES), PADDING);
        class_of_group.resize(row_of.len() / LANES, class as u32);
    }
    row_of.resize(row_of.len().next_multiple_of(CODE_LANES), PADDING);
    class_of_group.resize(row_of.len() / LANES, 0);
    (row_of, class_of_group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_one_class_and_rows_keep_their_order_in_it() {
        let classes = [1, 0, 1, 0, 0];
        let (row_of, class_of_group) = lanes(&[0, 1, 2, 3, 4], &classes, 2);
        assert_eq!(row_of.len(), CODE_LANES);
        assert_eq!(&row_of[..4], &[1, 3, 4, PADDING]);
        assert_eq!(&row_of[LANES..LANES + 3], &[0, 2, PADDING]);
        assert_eq!(&class_of_group[..2], &[0, 1]);
    }
}
