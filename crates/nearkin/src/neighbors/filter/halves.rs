//! Inner products of 16-bit numbers: a filter faster than `f32`, with a proven error.
//!
//! Rows y become whole numbers Y = round(s y), queries x become X = round(t x), and a tile holds
//! the *scores*
//!
//! ```text
//! X·Y − B        B = round(s t ‖y‖²/2) for distances, 0 for products
//! ```
//!
//! which are exact in 32 bits, as |X·Y| ≤ ‖X‖ ‖Y‖ and the scales are chosen by the longest rows.
//! The largest score is the least distance or the largest product. With the roundings
//! r_x = ‖t x − X‖ and r_y = ‖s y − Y‖ a score is off by at most
//!
//! ```text
//! r_x s‖y‖ + ‖X‖ r_y + 1/2
//! ```
//!
//! so [`Shortlist`] drops what the bound rules out, and double precision decides the rest.
//!
//! A tile is compared with the thresholds while it is in registers, and never stored.
//!
//! Lower bound: one multiply-and-add of pairs and one addition for 32 elements, m · n · p / 32 of
//! each for m queries and n rows: half the multiplications that `f32` takes. With AVX-512 VNNI
//! one instruction does both.

use rayon::prelude::*;

use crate::neighbors::filter::panel::PADDING;
use crate::neighbors::filter::shortlist::{Exact, Shortlist};
use crate::neighbors::kernel::{Isa, Kernels, LANES, ScoreTile};

/// The largest cell.
const LARGEST: f64 = 32_767.0;

/// Added and taken away again, it leaves the nearest whole number of one much smaller: numbers of
/// this size have no places after the point.
const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;

/// No score may reach this.
const SCORE: f64 = 2_147_000_000.0;

/// Groups of rows a filter is tried on.
const TRIED: usize = 32;

/// Base rows by group, as whole numbers.
#[derive(Debug)]
pub(crate) struct Halves {
    /// The row in each lane, [`PADDING`] for none.
    pub row_of: Vec<u32>,
    /// The group of rows in each sixteen lanes.
    group_of: Vec<u32>,
    columns: usize,
    /// `cells[(sixteen · pairs + pair) · 16 + lane]`: two columns each, the first in the low half.
    cells: Vec<i32>,
    /// −B of each lane; as low as can be where there is no row.
    starts: Vec<[i32; LANES]>,
    scale: f64,
    kind: Kind,
    /// The longest row, scaled; the longest of whole numbers; the largest of their roundings.
    lengths: [f64; 3],
    kernels: &'static Kernels,
}

/// The kind of search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The largest products; every query has a scale of its own.
    Products,
    /// The least Euclidean distances; one scale for all.
    Distances,
}

/// Up to a few groups of queries as whole numbers.
#[derive(Debug)]
pub(crate) struct Queries {
    cells: Vec<i32>,
    /// Sum of the errors of any two scores of a lane.
    pub margins: Vec<f32>,
}

impl Halves {
    /// Base rows in lanes as `lanes` has them; `write(row, cells)` gives a row's numbers, one or
    /// more. Runs on the threads of the current pool.
    ///
    /// For distances `reach` is the largest cell and the longest row among the queries.
    pub fn new(
        kind: Kind,
        (row_of, group_of): (Vec<u32>, Vec<u32>),
        columns: usize,
        reach: (f64, f64),
        write: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Self {
        let sixteens = row_of.par_chunks(LANES).map_init(
            || vec![0.0; columns],
            |row, rows| {
                rows.iter().filter(|&&at| at != PADDING).fold((0.0, 0.0), |reach, &at| {
                    write(at as usize, row);
                    widened(reach, row)
                })
            },
        );
        let (cell, longest) =
            sixteens.reduce(|| (0.0, 0.0), |a: (f64, f64), b| (a.0.max(b.0), a.1.max(b.1)));
        let scale = match kind {
            Kind::Products => (LARGEST / cell).min(SCORE.sqrt() / longest),
            // Products and half the square of a length are in a score.
            Kind::Distances => {
                (LARGEST / cell.max(reach.0)).min((SCORE / 1.5).sqrt() / longest.max(reach.1))
            }
        };
        // A little less, as rounding makes rows longer; nothing but zeros has any scale.
        let scale = if scale.is_finite() { 0.99 * scale } else { 1.0 };
        let pairs = columns.div_ceil(2);
        let mut halves = Self {
            columns,
            cells: vec![0; row_of.len() * pairs],
            starts: vec![[i32::MIN / 2; LANES]; row_of.len() / LANES],
            scale,
            kind,
            lengths: [0.0; 3],
            kernels: Isa::best().kernels(),
            row_of,
            group_of,
        };
        let sixteens = halves.cells.par_chunks_exact_mut(pairs * LANES);
        let sixteens = sixteens.zip(&mut halves.starts).zip(halves.row_of.par_chunks(LANES));
        let lengths = sixteens.map_init(
            || vec![0.0; columns],
            |row, ((cells, starts), rows)| {
                let mut longest = [0.0f64; 3];
                for (lane, &at) in rows.iter().enumerate().filter(|(_, at)| **at != PADDING) {
                    write(at as usize, row);
                    let lengths = put(cells, lane, row, scale);
                    starts[lane] = match kind {
                        Kind::Products => 0,
                        Kind::Distances => -(lengths[0] * lengths[0] / 2.0).round() as i32,
                    };
                    longest = std::array::from_fn(|i| longest[i].max(lengths[i]));
                }
                longest
            },
        );
        halves.lengths =
            lengths.reduce(|| [0.0; 3], |a: [f64; 3], b| std::array::from_fn(|i| a[i].max(b[i])));
        halves
    }

    /// Queries in lanes, as many as `rows` has; lanes without numbers stay empty.
    pub fn queries<'r>(&self, rows: impl ExactSizeIterator<Item = Option<&'r [f64]>>) -> Queries {
        let lanes = rows.len().next_multiple_of(LANES);
        let group = self.columns.div_ceil(2) * LANES;
        let mut queries =
            Queries { cells: vec![0; lanes / LANES * group], margins: vec![0.0; lanes] };
        let [longest, longest_whole, rounding] = self.lengths;
        for (lane, row) in rows.enumerate() {
            let Some(row) = row else { continue };
            let scale = match self.kind {
                Kind::Distances => self.scale,
                Kind::Products => {
                    let (cell, length) = widened((0.0, 0.0), row);
                    let scale = (LARGEST / cell).min(0.99 * SCORE / (length * longest_whole));
                    if scale.is_finite() { scale } else { 1.0 }
                }
            };
            let cells = &mut queries.cells[lane / LANES * group..][..group];
            let [_, whole, own_rounding] = put(cells, lane % LANES, row, scale);
            let error = own_rounding * longest + whole * rounding;
            // ScoreTile are rounded to `f32` on their way; doubles round a little, too.
            queries.margins[lane] = (2.02 * (error + 2.0 + SCORE / f64::from(1 << 24))) as f32;
        }
        queries
    }

    /// True when the filter can tell most rows of a sample from a query's best.
    ///
    /// `own(lane)` is the query's own row, which is no candidate; [`PADDING`] for none.
    pub fn tells(&self, queries: &Queries, lanes: usize, own: impl Fn(usize) -> u32) -> bool {
        let groups = self.group_of.len();
        let tried: Vec<usize> =
            (0..TRIED.min(groups)).map(|i| i * groups / TRIED.min(groups)).collect();
        let mut all: Vec<Vec<i32>> = vec![Vec::new(); LANES.min(lanes)];
        for &at in &tried {
            let mut scores = [[0; LANES]; LANES];
            let (mut masks, limits) = ([0; LANES], [i32::MIN; LANES]);
            let group = &queries.cells[..self.columns.div_ceil(2) * LANES];
            (self.kernels.scores)(
                group,
                self.group(at),
                (&self.starts[at], &limits),
                &mut masks,
                &mut scores,
            );
            for (lane, (all, scores)) in all.iter_mut().zip(scores).enumerate() {
                let rows = scores.into_iter().zip(&self.row_of[at * LANES..]);
                let met = rows.filter(|(_, row)| **row != PADDING && **row != own(lane));
                all.extend(met.map(|(score, _)| score));
            }
        }
        let close = all.iter().zip(&queries.margins).map(|(scores, &margin)| {
            let best = scores.iter().copied().max().unwrap_or(0);
            scores
                .iter()
                .filter(|&&score| (f64::from(best) - f64::from(score)) as f32 <= margin)
                .count()
        });
        close.sum::<usize>() <= 2 * all.len()
    }

    fn group(&self, at: usize) -> &[i32] {
        let length = self.columns.div_ceil(2) * LANES;
        &self.cells[at * length..(at + 1) * length]
    }

    /// Offer the base rows to the lists of all queries: values are minus the scores.
    ///
    /// `own(lane)` is the query's own row, which is no candidate; [`PADDING`] for none.
    pub fn sweep<E: Exact>(
        &self,
        queries: &Queries,
        list: &mut Shortlist,
        own: impl Fn(usize) -> u32,
        exact: impl Fn(usize, u32) -> E,
    ) {
        let length = self.columns.div_ceil(2) * LANES;
        let mut scores: ScoreTile = [[0; LANES]; LANES];
        let mut masks = [0u16; LANES];
        let mut limits: Vec<[i32; LANES]> = vec![[0; LANES]; queries.margins.len() / LANES];
        let mut limits_of = None;
        for (at, &group) in self.group_of.iter().enumerate() {
            // Groups come one after the other, so that limits serve many of them.
            if limits_of != Some(group) {
                limits_of = Some(group);
                for (first, limits) in limits.iter_mut().enumerate() {
                    *limits = least_scores(list, group, first * LANES);
                }
            }
            let base = self.group(at);
            for (first, q) in queries.cells.chunks_exact(length.max(1)).enumerate() {
                let compare = (&self.starts[at], &limits[first]);
                if !(self.kernels.scores)(q, base, compare, &mut masks, &mut scores) {
                    continue;
                }
                let mut cut = false;
                for (i, &mask) in masks.iter().enumerate() {
                    let (lane, mut mask) = (first * LANES + i, mask);
                    while mask != 0 {
                        let j = mask.trailing_zeros() as usize;
                        mask &= mask - 1;
                        let row = self.row_of[at * LANES + j];
                        if row != PADDING && row != own(lane) {
                            let candidate = (-(scores[i][j] as f32), row);
                            cut |=
                                list.offer(lane, group as usize, candidate, |row| exact(lane, row));
                        }
                    }
                }
                if cut {
                    limits[first] = least_scores(list, group, first * LANES);
                }
            }
        }
    }
}

/// The least scores that pass the thresholds of sixteen lanes from `first`.
fn least_scores(list: &Shortlist, group: u32, first: usize) -> [i32; LANES] {
    let thresholds = &list.thresholds(group as usize)[first..first + LANES];
    // Conversions stop at the ends of what a whole number can be. A score is rounded to `f32`
    // before it meets the threshold again; the margin allows for it.
    std::array::from_fn(|lane| (-thresholds[lane]).floor() as i32)
}

/// The largest cell and the longest row, this one looked at as well.
pub(crate) fn widened((cell, length): (f64, f64), row: &[f64]) -> (f64, f64) {
    let largest = row.iter().fold(0.0f64, |largest, x| x.abs().max(largest));
    let mut square: f64 = row.iter().map(|x| x * x).sum();
    let mut unit = 1.0;
    // Squares too large or too small for a number: divide by the largest cell first.
    if !(1e-200..1e200).contains(&square) && largest > 0.0 {
        unit = largest;
        square = row.iter().map(|x| (x / unit) * (x / unit)).sum();
    }
    (largest.max(cell), (square.sqrt() * unit).max(length))
}

/// Write a row times `scale` into its lane; its length, that of the whole numbers, and that of
/// what was rounded off.
fn put(cells: &mut [i32], lane: usize, row: &[f64], scale: f64) -> [f64; 3] {
    let (mut scaled, mut whole, mut off) = (0.0, 0.0, 0.0);
    let mut round = |x: f64| {
        let exact = x * scale;
        let rounded = (exact + WHOLE - WHOLE).clamp(-LARGEST, LARGEST);
        scaled += exact * exact;
        whole += rounded * rounded;
        off += (exact - rounded) * (exact - rounded);
        rounded as i32
    };
    for (to, pair) in cells[lane..].iter_mut().step_by(LANES).zip(row.chunks(2)) {
        let low = round(pair[0]) & 0xFFFF;
        *to = low | pair.get(1).map_or(0, |&x| round(x)) << 16;
    }
    [scaled, whole, off].map(f64::sqrt)
}
