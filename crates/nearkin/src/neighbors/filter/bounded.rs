//! Bounded strips: distances from a few rows to all, each known to within a proven error.
//!
//! Where every distance counts but only a comparison is asked of it ("nearer than the mean?"),
//! whole numbers answer nearly always: sums of cells rounded to 26 bits, so that a distance is
//! off by at most twice the [`coarseness`](Panels::coarseness) of the panels. A distance is a
//! multiple of the [`grain`](Bounded::grain), small enough for a `u32`. A row closer to a
//! threshold than the error is measured again in double precision. Corrections for missing cells
//! ([`few`]) are rounded to whole numbers.
//!
//! Lower bound: m · n · p max-and-adds for m targets, n rows and p numbers, sixteen rows an
//! instruction; m · n · p / 64 comparisons for codes.

use crate::data::NumericCells;
use crate::measure::{Measure, Metric};
use crate::neighbors::exact::strip::DistanceSpread;
use crate::neighbors::filter::panel::{Layout, PADDING, Panels};
use crate::neighbors::filter::tile::Side;
use crate::neighbors::holes::few::{self, Few};
use crate::neighbors::holes::{Holes, Making};
use crate::neighbors::kernel::packed::{self, Word};
use crate::neighbors::kernel::{CODE_LANES, CodeCounts, Isa, Kernels, LANES, Sums, for_each_isa};
use crate::neighbors::search::Labelled;

/// Features summed as whole numbers at a time: of 26 bits each, which leaves so few targets
/// without a sure answer that measuring those again costs little.
const CHUNK: usize = 64;

/// Features of the targets that stay in cache while all rows pass by.
const RESIDENT: usize = 8 * CHUNK;

/// The distance where there is none: of a target to itself, and of places without a row.
pub const NO_ROW: u32 = u32::MAX;

/// All rows of a table, ready to be measured roughly from a few of them.
#[derive(Debug)]
pub struct Bounded<'a> {
    of: Labelled<'a>,
    measure: &'a Measure,
    layout: Layout,
    panels: Panels,
    kernels: &'static Kernels,
    lane_of: Vec<u32>,
    /// Where the lanes of each class begin and how many rows it has.
    classes: Vec<(usize, usize)>,
    scale: Scale,
    /// Cells are missing, and what they add is a multiple of this.
    holed: bool,
    hole_unit: f64,
    error: f64,
    /// The error of [`Bounded::closer`] distances.
    closer_error: f64,
}

/// The thresholds of one comparison: what is below them, beyond them, or too close to tell.
#[derive(Debug, Clone, Copy)]
pub struct Band {
    /// Distances below are surely below the limit.
    pub low: u32,
    /// Distances from here on are surely beyond the limit.
    pub high: u32,
}

impl<'a> Bounded<'a> {
    /// Targets that are best measured together.
    pub const TARGETS: usize = LANES;

    /// Lay out the rows, where the measure has bounds: Manhattan, no missing column left out, no
    /// ramp, and nominal columns of one factor and few categories.
    pub fn new(of: Labelled<'a>, measure: &'a Measure) -> Option<Self> {
        let rows = of.rows;
        let holed = rows.has_missing();
        let served = measure.metric() == Metric::Manhattan && measure.ramp().is_none();
        if !served || (holed && measure.unknown().policy().skips_in_distance()) {
            return None;
        }
        let mut layout = Layout::new(measure, &[of]);
        layout.fixed_chunk = CHUNK;
        if !layout.weighted.is_empty() {
            return None;
        }
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let panels = Panels::new(&layout, measure, rows, &all, (of.labels, of.classes));
        if holed && !panels.holes.as_ref().is_some_and(Holes::are_kept) {
            return None;
        }
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
        let factor = measure.nominal_factors().first().copied().unwrap_or(0.0);
        let scale = Scale::new(&layout, rows.nominal(), factor, holed)?;
        // Sums of doubles round as well, here and in the definition.
        let largest =
            measure.nominal_factors().iter().sum::<f64>() + layout.unit * (rows.numeric() as f64);
        let closer_error = largest * (columns + 8.0) * 1e-15;
        let mut error = 2.0 * panels.coarseness * layout.unit + scale.error + closer_error;
        let hole_unit = if layout.packed > 0 { factor } else { layout.unit };
        if holed {
            error += few::error(&layout) * hole_unit + scale.grain;
        }
        let kernels = Isa::best().kernels();
        Some(Self {
            of,
            measure,
            layout,
            panels,
            kernels,
            lane_of,
            classes,
            scale,
            holed,
            hole_unit,
            error,
            closer_error,
        })
    }

    /// True when distances are counts of mismatches, without an error.
    pub fn is_exact(&self) -> bool {
        self.layout.numeric() == 0 && !self.holed
    }

    /// True when there are [`Bounded::closer`] distances: of rows that have all cells.
    pub fn has_closer(&self) -> bool {
        self.layout.numeric() > 0 && !self.holed
    }

    /// The length that a distance of 1 stands for.
    pub fn grain(&self) -> f64 {
        self.scale.grain
    }

    /// No distance is further than this from its definition, once multiplied by the grain.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// No distance of [`Bounded::closer`] is further than this from its definition.
    pub fn closer_error(&self) -> f64 {
        self.closer_error
    }

    /// Distances in a strip for each target: rows by class, and a few places without a row.
    pub fn width(&self) -> usize {
        self.panels.lanes()
    }

    /// The part of a target's distances that is about the rows of `class`, in order of row.
    pub fn of_class<'d, D>(&self, class: usize, distances: &'d [D]) -> &'d [D] {
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

    /// Distances from each of up to [`Bounded::TARGETS`] targets to every row,
    /// `out[target · width + place]`; [`NO_ROW`] where it is the target itself or no row.
    pub fn distances(&self, targets: &[u32], out: &mut Vec<u32>) {
        let width = self.width();
        out.clear();
        out.resize(LANES * width, 0);
        self.add_numbers(targets, out);
        self.add_codes(targets, out);
        let mut planes = Vec::new();
        if let (1.., Some(packed)) = (self.layout.packed, self.of.rows.packed()) {
            let mut rows: Vec<Option<usize>> =
                targets.iter().map(|&row| Some(row as usize)).collect();
            rows.resize(LANES, None);
            planes = packed::panel(packed, &rows);
            self.add_planes(&planes, packed.words(), out);
        }
        if self.holed {
            self.add_holes(targets, &planes, out);
        }
        out.truncate(targets.len() * width);
        for (&target, out) in targets.iter().zip(out.chunks_exact_mut(width)) {
            out[self.place(target)] = NO_ROW;
            for (class, &(start, members)) in self.classes.iter().enumerate() {
                let end = self.classes.get(class + 1).map_or(width, |next| next.0);
                out[start + members..end].fill(NO_ROW);
            }
        }
    }

    fn add_numbers(&self, targets: &[u32], out: &mut [u32]) {
        let (numeric, width) = (self.layout.numeric(), self.width());
        let mut group = Vec::new();
        for first in (0..numeric).step_by(RESIDENT) {
            let last = (first + RESIDENT).min(numeric);
            group.resize((last - first) * LANES, 0);
            let chunks: Vec<usize> = (first..last).step_by(CHUNK).collect();
            let mut own = vec![[0u32; LANES]; chunks.len()];
            for (i, &target) in targets.iter().enumerate() {
                let (base, lane) = (self.place(target) / LANES, self.place(target) % LANES);
                let cells = self.panels.fixed(&self.layout, base, first, last);
                for (cells, group) in cells.chunks_exact(LANES).zip(group.chunks_exact_mut(LANES)) {
                    group[i] = cells[lane];
                }
                for (own, &from) in own.iter_mut().zip(&chunks) {
                    own[i] = self.panels.fixed_totals(&self.layout, base, from)[lane];
                }
            }
            for base in 0..width / LANES {
                for ((&from, own), group) in
                    chunks.iter().zip(&own).zip(group.chunks(CHUNK * LANES))
                {
                    let to = (from + CHUNK).min(last);
                    let cells = self.panels.fixed(&self.layout, base, from, to);
                    let totals = (own, self.panels.fixed_totals(&self.layout, base, from));
                    let sums = Sums::new(&mut out[base * LANES..], width);
                    (self.kernels.graded)(group, cells, totals, self.scale.shift, sums);
                }
            }
        }
    }

    fn add_codes(&self, targets: &[u32], out: &mut [u32]) {
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
                let mut counts: CodeCounts = [[0; CODE_LANES]; LANES];
                (self.kernels.mismatch_codes)(group, 0, cells, &mut counts);
                for (counts, out) in counts.iter().zip(out.chunks_exact_mut(self.width())) {
                    let out = &mut out[base * CODE_LANES..][..CODE_LANES];
                    add_counts(counts, self.scale.code_step, out);
                }
            }
        }
    }

    /// Add the mismatches of packed rows, which are whole numbers.
    fn add_planes(&self, group: &[Word], words: usize, out: &mut [u32]) {
        let step = self.scale.code_step;
        for base in 0..self.width() / LANES {
            let mut counts = [0.0; LANES * LANES];
            let cells = self.panels.planes(&self.layout, base, 0, words);
            let chunks = group.chunks(packed::CHUNK).zip(cells.chunks(packed::CHUNK));
            for (group, cells) in chunks {
                (self.kernels.mismatch_planes)(group, cells, Sums::new(&mut counts, LANES));
            }
            for (counts, out) in counts.chunks(LANES).zip(out.chunks_exact_mut(self.width())) {
                let out = &mut out[base * LANES..][..LANES];
                out.iter_mut().zip(counts).for_each(|(out, &count)| *out += count as u32 * step);
            }
        }
    }

    /// Add the corrections for missing cells.
    fn add_holes(&self, targets: &[u32], planes: &[Word], out: &mut [u32]) {
        let lanes: Vec<usize> = targets.iter().map(|&target| self.place(target)).collect();
        let Some(holes) = &self.panels.holes else { return };
        let making = Making { layout: &self.layout, measure: self.measure };
        let side = Side { panels: &self.panels, rows: self.of.rows, classes: self.of.labels };
        let (width, grains) = (self.width(), self.hole_unit / self.scale.grain);
        Few::new(making, (side, holes), &lanes, planes).each(|group, added| {
            for (added, out) in added.iter().zip(out.chunks_exact_mut(width)) {
                let out = &mut out[group * LANES..][..LANES];
                few::join(added, grains, f64::from(NO_ROW - 2), out);
            }
        });
    }

    /// [`DistanceSpread`] of a target's distances in grains, off by at most the
    /// [`error`](Bounded::error) and, for the deviation, as much again: a deviation is a norm.
    pub fn spread(&self, target: u32, distances: &[u32]) -> DistanceSpread {
        self.spread_by(target, distances, whole_sum, whole_squares)
    }

    /// [`Bounded::spread`] of [`Bounded::closer`] distances.
    pub fn closer_spread(&self, target: u32, distances: &[f64]) -> DistanceSpread {
        self.spread_by(target, distances, double_sum, double_squares)
    }

    fn spread_by<D>(
        &self,
        target: u32,
        distances: &[D],
        sum: fn(&[D]) -> f64,
        squares: fn(&[D], f64) -> f64,
    ) -> DistanceSpread {
        let others = self.of.rows.len().saturating_sub(1).max(1) as f64;
        let own = self.place(target);
        // All rows but the target: its class comes in two parts.
        let parts = || {
            self.classes.iter().flat_map(|&(start, members)| {
                let (end, cut) = (start + members, own.clamp(start, start + members));
                let next = if (start..end).contains(&own) { own + 1 } else { cut };
                [&distances[start..cut], &distances[next..end]]
            })
        };
        let mean = parts().map(sum).sum::<f64>() / others;
        let squares: f64 = parts().map(|part| squares(part, mean)).sum();
        DistanceSpread { mean, deviation: (squares / others).sqrt() }
    }

    /// Distances within `width` of `limit` are too close to it to tell; both in grains.
    pub fn band(limit: f64, width: f64) -> Band {
        if limit + width < 0.0 {
            return Band { low: 0, high: 0 };
        }
        // Conversions stop at the ends of what a whole number can be.
        let low = ((limit - width).ceil() as u32).min(NO_ROW - 1);
        let high = ((limit + width).floor() as u32).min(NO_ROW - 2) + 1;
        Band { low, high: high.max(low) }
    }

    /// Add the places of distances in `low..high` to the list.
    pub fn select(&self, distances: &[u32], low: u32, high: u32, places: &mut Vec<u32>) {
        (self.kernels.select)(distances, low, high, places);
    }

    /// Distances from a target to every row in double precision, `out[place]`, and infinite where
    /// it is the target itself or no row. Columns are added in no particular order.
    pub fn closer(&self, target: u32, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.width(), f64::INFINITY);
        let rows = self.of.rows;
        let mut sums = vec![0.0; rows.len()];
        let products = self.measure.products();
        match rows.numbers() {
            NumericCells::F32(cells) => row_sums(cells, target as usize, products, &mut sums),
            NumericCells::F64(cells) => row_sums(cells, target as usize, products, &mut sums),
        }
        let factor = self.measure.nominal_factors().first().copied().unwrap_or(0.0);
        let own = (rows.nominal() > 0).then(|| rows.codes(target as usize));
        for (row, &sum) in sums.iter().enumerate().filter(|(row, _)| *row != target as usize) {
            let differ = own.as_ref().map_or(0, |own| {
                own.iter().zip(rows.codes(row).iter()).filter(|(x, z)| x != z).count()
            });
            out[self.place(row as u32)] = sum + factor * differ as f64;
        }
    }
}

/// How distances become whole numbers.
#[derive(Debug)]
struct Scale {
    /// Bits a sum of fixed-point numbers loses, so that all distances fit.
    shift: u32,
    /// The length that a distance of 1 stands for.
    grain: f64,
    /// A mismatch of codes, in grains.
    code_step: u32,
    /// The error beyond the rounding of cells.
    error: f64,
}

impl Scale {
    /// The finest scale on which the largest distance fits; none where mismatches are so many
    /// that nothing fine enough does.
    fn new(layout: &Layout, nominal: usize, factor: f64, holed: bool) -> Option<Self> {
        if layout.numeric() == 0 {
            // Corrections for missing cells are fractions of a mismatch.
            let steps = (NO_ROW / 2).checked_div(nominal as u32).unwrap_or(0);
            let code_step = if holed { 1 << steps.checked_ilog2()?.min(24) } else { 1 };
            let grain = factor / f64::from(code_step);
            let fits = factor > 0.0 && nominal < NO_ROW as usize - 1;
            return fits.then_some(Self { shift: 0, grain, code_step, error: 0.0 });
        }
        // A missing cell may stand for a little more than the largest number.
        let spare = if holed { layout.numeric() as f64 } else { 0.0 };
        let unit = layout.fixed_unit() * layout.unit;
        let largest_cell = (1u64 << 32) / CHUNK as u64 - 1;
        let chunks: Vec<u64> = (0..layout.numeric())
            .step_by(CHUNK)
            .map(|from| CHUNK.min(layout.numeric() - from) as u64 * largest_cell)
            .collect();
        for shift in 0..26 {
            let grain = unit * f64::from(1u32 << shift);
            let code_step = (factor / grain).round();
            let codes = layout.codes.len() as f64;
            let largest = chunks.iter().map(|chunk| chunk >> shift).sum::<u64>() as f64;
            if largest + spare + codes * code_step < f64::from(NO_ROW - 1) {
                let lost = if shift > 0 { chunks.len() as f64 } else { 0.0 };
                let error = lost * grain + codes * (code_step * grain - factor).abs();
                return Some(Self { shift, grain, code_step: code_step as u32, error });
            }
        }
        None
    }
}

for_each_isa! {
    fn add_counts[](counts: &[u8; CODE_LANES], step: u32, out: &mut [u32]) {
        for (i, out) in out.iter_mut().enumerate().take(CODE_LANES) {
            *out += u32::from(counts[i]) * step;
        }
    }
}

/// Running sums that do not wait for each other.
const SUMS: usize = 32;

for_each_isa! {
    /// `sums[row] = Σ_f products_f · |x_f − z_f|` between one row and all.
    fn row_sums[T: Copy + Into<f64>](cells: &[T], row: usize, products: &[f64], sums: &mut [f64]) {
        let width = products.len();
        if width == 0 {
            return;
        }
        let own: Vec<f64> = cells[row * width..][..width].iter().map(|&x| x.into()).collect();
        let (own, own_rest) = own.as_chunks::<SUMS>();
        let (factors, factors_rest) = products.as_chunks::<SUMS>();
        for (row, sum) in cells.chunks_exact(width).zip(sums) {
            let (runs, rest) = row.as_chunks::<SUMS>();
            let mut parts = [0.0; SUMS];
            for ((x, z), factor) in own.iter().zip(runs).zip(factors) {
                for i in 0..SUMS {
                    let z: f64 = z[i].into();
                    parts[i] += (x[i] - z).abs() * factor[i];
                }
            }
            let rest = own_rest.iter().zip(rest).zip(factors_rest);
            let rest: f64 = rest.map(|((x, &z), factor)| (x - z.into()).abs() * factor).sum();
            *sum = parts.iter().sum::<f64>() + rest;
        }
    }
}

for_each_isa! {
    fn whole_sum[](distances: &[u32]) -> f64 {
        // Halves of 16 bits, so that nothing has to be widened: so many of them fit 32 bits.
        const FIT: usize = SUMS << 16;
        let mut sum = 0u64;
        for distances in distances.chunks(FIT) {
            let (mut low, mut high) = ([0u32; SUMS], [0u32; SUMS]);
            let (whole, rest) = distances.as_chunks::<SUMS>();
            for distances in whole {
                for i in 0..SUMS {
                    low[i] += distances[i] & 0xFFFF;
                    high[i] += distances[i] >> 16;
                }
            }
            let [low, high] = [low, high].map(|sums| sums.iter().map(|&s| u64::from(s)).sum::<u64>());
            sum += low + (high << 16) + rest.iter().map(|&d| u64::from(d)).sum::<u64>();
        }
        sum as f64
    }
}

for_each_isa! {
    fn whole_squares[](distances: &[u32], mean: f64) -> f64 {
        squares(distances, mean)
    }
}

for_each_isa! {
    fn double_squares[](distances: &[f64], mean: f64) -> f64 {
        squares(distances, mean)
    }
}

for_each_isa! {
    fn double_sum[](distances: &[f64]) -> f64 {
        let mut sums = [0.0; SUMS];
        let (whole, rest) = distances.as_chunks::<SUMS>();
        for distances in whole {
            for i in 0..SUMS {
                sums[i] += distances[i];
            }
        }
        sums.iter().sum::<f64>() + rest.iter().sum::<f64>()
    }
}

/// The sum of squared deviations.
#[inline(always)]
fn squares<D: Copy + Into<f64>>(distances: &[D], mean: f64) -> f64 {
    let mut sums = [0.0; SUMS];
    let (whole, rest) = distances.as_chunks::<SUMS>();
    for distances in whole {
        for i in 0..SUMS {
            let off = distances[i].into() - mean;
            sums[i] += off * off;
        }
    }
    let square = |&d: &D| (d.into() - mean) * (d.into() - mean);
    sums.iter().sum::<f64>() + rest.iter().map(square).sum::<f64>()
}

for_each_isa! {
    /// True when any distance lies within one of the bands.
    pub fn any_within[](distances: &[u32], bands: [Band; 2]) -> bool {
        let inside = |d: u32| {
            let [a, b] = bands;
            u32::from(d.wrapping_sub(a.low) < a.high.wrapping_sub(a.low))
                | u32::from(d.wrapping_sub(b.low) < b.high.wrapping_sub(b.low))
        };
        let mut any = [0u32; SUMS];
        let (whole, rest) = distances.as_chunks::<SUMS>();
        for distances in whole {
            for i in 0..SUMS {
                any[i] |= inside(distances[i]);
            }
        }
        any.iter().any(|&any| any != 0) || rest.iter().any(|&d| inside(d) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_whole_numbers_are_exact_however_many_and_large() {
        for len in [0, 1, SUMS - 1, SUMS, 3 * SUMS + 5, (SUMS << 16) + SUMS + 1] {
            for cell in [0, 1, 0xFFFF, 0x1_0000, NO_ROW - 1] {
                assert_eq!(whole_sum(&vec![cell; len]), f64::from(cell) * len as f64);
            }
        }
    }
}
