//! Bounded strips: distances from a few rows to all, each known to within a proven error.
//!
//! Where every distance counts but only a comparison is asked of it ("nearer than the mean?"),
//! fixed-point sums answer nearly always: they are exact for numbers rounded to 26 bits, so a
//! distance is off by at most twice the [`coarseness`](Panels::coarseness) of the panels. Who
//! lies closer to a threshold than that is measured again in double precision.
//!
//! Floor: for n rows and p numbers a strip of m targets takes m · n · p max-and-adds (58 G a
//! second and core here) and writes m · n doubles; codes take m · n · p / 64 comparisons.

use super::kernel::{CODE_LANES, Counts, Isa, Kernels, LANES, Sums, for_each_isa};
use super::kernel_packed;
use super::panel::{Layout, PADDING, Panels};
use super::search::Labelled;
use super::strip::Spread;
use crate::data::Packed;
use crate::measure::{Measure, Metric};

/// Features summed as whole numbers before they become doubles: of 26 bits each, which leaves so
/// few targets unsure of a neighbour that measuring those again costs little.
const CHUNK: usize = 64;

/// All rows of a table, ready to be measured roughly from a few of them.
#[derive(Debug)]
pub struct Bounded<'a> {
    of: Labelled<'a>,
    layout: Layout,
    panels: Panels,
    kernels: &'static Kernels,
    lane_of: Vec<u32>,
    /// Where the lanes of each class begin and how many rows it has.
    classes: Vec<(usize, usize)>,
    error: f64,
    code_factor: f64,
}

impl<'a> Bounded<'a> {
    /// Lay out the rows, where the measure has bounds: Manhattan, nothing missing, no ramp, and
    /// nominal columns of one factor and few categories.
    pub fn new(of: Labelled<'a>, measure: &Measure) -> Option<Self> {
        let rows = of.rows;
        let served = measure.metric() == Metric::Manhattan && measure.ramp().is_none();
        if !served || rows.has_missing() {
            return None;
        }
        let mut layout = Layout::new(measure, &[rows]);
        layout.fixed_chunk = CHUNK;
        if !layout.weighted.is_empty() {
            return None;
        }
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let panels = Panels::new(&layout, measure, rows, &all, (of.labels, of.classes));
        let mut lane_of = vec![0; rows.len()];
        for (lane, &row) in panels.row_of.iter().enumerate().filter(|(_, row)| **row != PADDING) {
            lane_of[row as usize] = lane as u32;
        }
        let mut start = 0;
        let classes = of.members().into_iter().map(|members| {
            start += members.next_multiple_of(LANES);
            (start - members.next_multiple_of(LANES), members)
        });
        let classes = classes.collect();
        let columns = (rows.numeric() + rows.nominal()) as f64;
        let largest: f64 =
            measure.nominal_factors().iter().sum::<f64>() + layout.unit * rows.numeric() as f64;
        // Sums of doubles round as well, here and in the definition.
        let error = 2.0 * panels.coarseness * layout.unit + largest * (columns + 8.0) * 1e-15;
        let code_factor = measure.nominal_factors().first().copied().unwrap_or(0.0);
        let kernels = Isa::best().kernels();
        Some(Self { of, layout, panels, kernels, lane_of, classes, error, code_factor })
    }

    /// No distance is further than this from its definition.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Distances in a strip for each target: rows by class, and a few places without a row.
    pub fn width(&self) -> usize {
        self.panels.lanes()
    }

    /// The part of a target's distances that is about the rows of `class`, in order of row.
    pub fn of_class<'d>(&self, class: usize, distances: &'d [f64]) -> &'d [f64] {
        let (start, members) = self.classes[class];
        &distances[start..start + members]
    }

    /// The place of `row` among the distances of a target.
    pub fn place(&self, row: u32) -> usize {
        self.lane_of[row as usize] as usize
    }

    /// The row at a place, if there is one.
    pub fn row(&self, place: usize) -> Option<u32> {
        Some(self.panels.row_of[place]).filter(|row| *row != PADDING)
    }

    /// Distances from each of `targets` to every row, `out[target · width + place]`; a row's
    /// distance to itself is infinite.
    pub fn distances(&self, targets: &[u32], out: &mut Vec<f64>) {
        let width = self.width();
        out.clear();
        out.resize(targets.len().next_multiple_of(LANES) * width, 0.0);
        self.add_numbers(targets, out);
        for (targets, out) in targets.chunks(LANES).zip(out.chunks_mut(LANES * width)) {
            self.add_codes(targets, out);
            if let (1.., Some(packed)) = (self.layout.packed, self.of.rows.packed()) {
                self.add_planes(packed, targets, out);
            }
        }
        out.truncate(targets.len() * width);
        for (&target, out) in targets.iter().zip(out.chunks_exact_mut(width)) {
            out[self.place(target)] = f64::INFINITY;
            for (class, &(start, members)) in self.classes.iter().enumerate() {
                let end = self.classes.get(class + 1).map_or(width, |next| next.0);
                out[start + members..end].fill(f64::INFINITY);
            }
        }
    }

    /// A chunk of all targets stays in cache while the rows pass by.
    fn add_numbers(&self, targets: &[u32], out: &mut [f64]) {
        let (numeric, width) = (self.layout.numeric(), self.width());
        let unit = self.layout.fixed_unit() * self.layout.unit;
        let mut groups = vec![([0u32; LANES], Vec::new()); targets.len().div_ceil(LANES)];
        for from in (0..numeric).step_by(CHUNK) {
            let to = (from + CHUNK).min(numeric);
            for (targets, (totals, group)) in targets.chunks(LANES).zip(&mut groups) {
                group.resize((to - from) * LANES, 0);
                for (i, &target) in targets.iter().enumerate() {
                    let (base, lane) = (self.place(target) / LANES, self.place(target) % LANES);
                    let cells = self.panels.fixed(&self.layout, base, from, to);
                    let cells = cells.chunks_exact(LANES).zip(group.chunks_exact_mut(LANES));
                    for (cells, group) in cells {
                        group[i] = cells[lane];
                    }
                    totals[i] = self.panels.fixed_totals(&self.layout, base, from)[lane];
                }
            }
            for base in 0..width / LANES {
                let cells = self.panels.fixed(&self.layout, base, from, to);
                let totals = self.panels.fixed_totals(&self.layout, base, from);
                for (i, (own, group)) in groups.iter().enumerate() {
                    let sums = Sums::new(&mut out[i * LANES * width + base * LANES..], width);
                    (self.kernels.fixed_wide)(group, cells, (own, totals), unit, sums);
                }
            }
        }
    }

    fn add_codes(&self, targets: &[u32], out: &mut [f64]) {
        // A byte holds up to 255 mismatches.
        const FEATURES: usize = 255;
        let mut group = vec![0u8; FEATURES * CODE_LANES];
        for from in (0..self.layout.codes.len()).step_by(FEATURES) {
            let columns = &self.layout.codes[from..(from + FEATURES).min(self.layout.codes.len())];
            for (i, &target) in targets.iter().enumerate() {
                let codes = self.of.rows.codes(target as usize);
                for (to, &column) in group.chunks_exact_mut(CODE_LANES).zip(columns) {
                    to[i] = codes[column].min(255) as u8;
                }
            }
            let group = &group[..columns.len() * CODE_LANES];
            for base in 0..self.width() / CODE_LANES {
                let cells = self.panels.codes(&self.layout, base, from, from + columns.len());
                let mut counts: Counts = [[0; CODE_LANES]; LANES];
                (self.kernels.mismatch_codes)(group, 0, cells, &mut counts);
                for (counts, out) in counts.iter().zip(out.chunks_exact_mut(self.width())) {
                    let out = &mut out[base * CODE_LANES..][..CODE_LANES];
                    add_counts(counts, self.code_factor, out);
                }
            }
        }
    }

    /// Add the mismatches of packed rows, which are whole numbers.
    fn add_planes(&self, packed: &Packed, targets: &[u32], out: &mut [f64]) {
        let mut lanes: Vec<Option<usize>> = targets.iter().map(|&row| Some(row as usize)).collect();
        lanes.resize(LANES, None);
        let (group, words) = (kernel_packed::panel(packed, &lanes), packed.words());
        for base in 0..self.width() / LANES {
            let mut counts = [0.0; LANES * LANES];
            let cells = self.panels.planes(&self.layout, base, 0, words);
            let chunks = group.chunks(kernel_packed::CHUNK).zip(cells.chunks(kernel_packed::CHUNK));
            for (group, cells) in chunks {
                (self.kernels.mismatch_planes)(group, cells, Sums::new(&mut counts, LANES));
            }
            for (counts, out) in counts.chunks(LANES).zip(out.chunks_exact_mut(self.width())) {
                let out = &mut out[base * LANES..][..LANES];
                out.iter_mut().zip(counts).for_each(|(out, &count)| *out += f64::from(count));
            }
        }
    }

    /// [`Spread`] of a target's distances, off by at most the [`error`](Bounded::error) and,
    /// for the deviation, as much again: a deviation is a norm.
    pub fn spread(&self, distances: &[f64]) -> Spread {
        let others = self.of.rows.len().saturating_sub(1).max(1) as f64;
        let each = || (0..self.classes.len()).map(|class| self.of_class(class, distances));
        let sum: f64 = each().map(sum).sum();
        let mean = sum / others;
        let squares: f64 = each().map(|distances| squares(distances, mean)).sum();
        Spread { sum, mean, deviation: (squares / others).sqrt() }
    }
}

for_each_isa! {
    fn add_counts[](counts: &[u8; CODE_LANES], factor: f64, out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate().take(CODE_LANES) {
            *out += f64::from(counts[i]) * factor;
        }
    }
}

/// Running sums that do not wait for each other.
const SUMS: usize = 32;

for_each_isa! {
    /// The sum of what is finite.
    fn sum[](distances: &[f64]) -> f64 {
        lanes(distances, |d| if d < f64::INFINITY { d } else { 0.0 })
    }
}

for_each_isa! {
    /// The sum of squared deviations of what is finite.
    fn squares[](distances: &[f64], mean: f64) -> f64 {
        lanes(distances, |d| if d < f64::INFINITY { (d - mean) * (d - mean) } else { 0.0 })
    }
}

for_each_isa! {
    /// True when any distance lies within `band` of `limit`.
    pub fn any_within[](distances: &[f64], limit: f64, band: f64) -> bool {
        let mut any = [false; SUMS];
        let whole = distances.chunks_exact(SUMS);
        let rest = whole.remainder().iter().any(|d| (d - limit).abs() <= band);
        for distances in whole {
            for i in 0..SUMS {
                any[i] |= (distances[i] - limit).abs() <= band;
            }
        }
        rest || any.contains(&true)
    }
}

#[inline(always)]
fn lanes(distances: &[f64], term: impl Fn(f64) -> f64) -> f64 {
    let mut sums = [0.0; SUMS];
    let whole = distances.chunks_exact(SUMS);
    let rest: f64 = whole.remainder().iter().map(|&d| term(d)).sum();
    for distances in whole {
        for i in 0..SUMS {
            sums[i] += term(distances[i]);
        }
    }
    sums.iter().sum::<f64>() + rest
}
