//! Strips: exact distances from a few rows to all rows of a table.
//!
//! Where every distance counts, not only the smallest (means, radii, kernels), or where the
//! factors change as a method goes along, rows are taken a few at a time against all others.
//! The sums are those of [`Measure::sum`], to the bit: lanes are rows, and features are added
//! in the order of the definition.
//!
//! Lower bound: for m queries, n rows and p numbers m · n · p times a subtraction, its size and a
//! multiply-add in double precision.

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::data::{MISSING, NumericCells, Packed};
use crate::measure::{Measure, Metric, Ramp};
use crate::neighbors::exact::long_sum::LongSum;
use crate::neighbors::exact::turned::Turned;
use crate::neighbors::holes::exact::{LANES, Patches};
use crate::neighbors::kernel::for_each_isa;
use crate::neighbors::search::Labelled;
use crate::{Result, Run};

/// Queries whose sums stay in registers together.
const QUERIES: usize = 4;

/// Rows in a task, when a strip is cut among threads.
const TASK: usize = 64 * LANES;

/// All rows of a table, ready to be measured from a few of them.
///
/// Nothing of the table's size is held: groups of rows are laid out lane by lane while they
/// are measured, once for all queries of a call. Only packed rows under factors are turned once
/// and kept, two bits a cell.
#[derive(Debug)]
pub struct Strips<'a> {
    pub(crate) of: Labelled<'a>,
    /// Missing columns of each row; empty when nothing is missing.
    pub(crate) holes: Vec<Vec<u32>>,
    turned: OnceLock<Turned>,
}

impl<'a> Strips<'a> {
    /// Look through the rows for missing cells.
    pub fn new(of: Labelled<'a>) -> Self {
        let rows = of.rows;
        let holes = if rows.has_missing() {
            (0..rows.len()).map(|row| rows.holes(row)).collect()
        } else {
            Vec::new()
        };
        Self { of, holes, turned: OnceLock::new() }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.of.rows.len()
    }

    /// Packed rows turned, made by the first call.
    pub(crate) fn turned(&self, packed: &Packed) -> &Turned {
        self.turned.get_or_init(|| Turned::new(packed))
    }

    /// Distances from each of `queries` to every row, `out[query · rows + row]`.
    ///
    /// The distance of a row to itself is among them. Runs on the calling thread.
    pub fn distances(&self, measure: &Measure, queries: &[u32], out: &mut Vec<f64>) {
        self.distances_from(0, measure, queries, out);
    }

    /// [`Strips::distances`] to the rows from `first` on alone.
    pub fn distances_from(
        &self,
        first: usize,
        measure: &Measure,
        queries: &[u32],
        out: &mut Vec<f64>,
    ) {
        let n = self.of.rows.len().saturating_sub(first);
        out.clear();
        out.resize(queries.len() * n, 0.0);
        let mut rows: Vec<&mut [f64]> = out.chunks_mut(n.max(1)).collect();
        self.part(measure, queries, first, &mut rows);
    }

    /// [`Strips::distances`] cut among the threads of the current pool, for single queries.
    pub fn par_distances(&self, measure: &Measure, queries: &[u32], out: &mut Vec<f64>) {
        let n = self.of.rows.len();
        let features = self.of.rows.numeric() + self.of.rows.nominal();
        if queries.len() * n * features < 1 << 16 {
            return self.distances(measure, queries, out);
        }
        out.clear();
        out.resize(queries.len() * n, 0.0);
        let mut parts: Vec<Vec<&mut [f64]>> = (0..n.div_ceil(TASK)).map(|_| Vec::new()).collect();
        for row in out.chunks_mut(n) {
            parts.iter_mut().zip(row.chunks_mut(TASK)).for_each(|(part, cells)| part.push(cells));
        }
        let parts = parts.into_par_iter().enumerate();
        parts.for_each(|(i, mut rows)| self.part(measure, queries, i * TASK, &mut rows));
    }

    /// Distances from the queries to the rows from `first` on, as many as fit.
    fn part(&self, measure: &Measure, queries: &[u32], first: usize, out: &mut [&mut [f64]]) {
        if let Some(packed) = self.of.rows.packed() {
            return match measure.counts_mismatches() {
                true => self.part_packed(packed, measure, queries, first, out),
                false => self.part_turned(packed, measure, queries, first, out),
            };
        }
        match self.of.rows.numbers() {
            NumericCells::F32(cells) => self.part_of(cells, measure, queries, first, out),
            NumericCells::F64(cells) => self.part_of(cells, measure, queries, first, out),
        }
    }

    /// A group of rows stays in cache while all queries pass by.
    fn part_of<T: Copy + Default + Into<f64>>(
        &self,
        cells: &[T],
        measure: &Measure,
        queries: &[u32],
        first: usize,
        out: &mut [&mut [f64]],
    ) {
        let rows = self.of.rows;
        let (numeric, nominal) = (rows.numeric(), rows.nominal());
        let count = out.first().map_or(0, |row| row.len());
        let loops = Loops::new(measure, !self.holes.is_empty());
        let (mut numbers, mut codes) = (Vec::new(), Vec::new());
        let own_codes: Vec<_> = queries.iter().map(|&query| rows.codes(query as usize)).collect();
        let mut patches = Patches::new(self, measure, queries);
        for start in (0..count).step_by(LANES) {
            let group = first + start..first + (start + LANES).min(count);
            by_lane(cells, numeric, group.clone(), &mut numbers);
            by_lane(&rows.all_codes(), nominal, group.clone(), &mut codes);
            if let Some(patches) = &mut patches {
                patches.group(group.start, group.len());
            }
            let queries = queries.chunks(QUERIES).zip(own_codes.chunks(QUERIES));
            let queries = queries.zip(out.chunks_mut(QUERIES)).enumerate();
            for (at, ((queries, own_codes), out)) in queries {
                let mut sums = [[0.0; LANES]; QUERIES];
                // Fewer queries than slots: the last one again, its sums unread.
                let query = |i: usize| queries[i.min(queries.len() - 1)] as usize;
                let own = std::array::from_fn(|i| &cells[query(i) * numeric..][..numeric]);
                numeric_sums(&loops, own, &numbers, &mut sums);
                if nominal > 0 {
                    for (own, sums) in own_codes.iter().zip(sums.iter_mut()) {
                        nominal_sums(&loops, own, &codes, sums);
                    }
                }
                let place = at * QUERIES;
                for (i, (out, sums)) in out.iter_mut().zip(&mut sums).enumerate() {
                    if let Some(patches) = &mut patches {
                        patches.patch(place + i, false, sums);
                    }
                    let out = out[start..].iter_mut().zip(sums).take(group.len());
                    out.for_each(|(out, sum)| *out = measure.finish(*sum));
                }
            }
        }
    }
}

/// Lay out a group of up to [`LANES`] rows feature by feature; lanes without a row hold zeros.
///
/// Square blocks: the compiler turns them within registers.
fn by_lane<T: Copy + Default>(cells: &[T], width: usize, rows: Range<usize>, out: &mut Vec<T>) {
    const SQUARE: usize = 8;
    out.resize(width * LANES, T::default());
    if rows.len() < LANES {
        out.fill(T::default());
    }
    let row = |lane: usize| &cells[(rows.start + lane) * width..][..width];
    for from in (0..rows.len()).step_by(SQUARE) {
        let whole = if rows.len() - from < SQUARE { 0 } else { width / SQUARE * SQUARE };
        if whole > 0 {
            let rows: [&[T]; SQUARE] = std::array::from_fn(|lane| row(from + lane));
            for column in (0..whole).step_by(SQUARE) {
                let block: [[T; SQUARE]; SQUARE] = std::array::from_fn(|lane| {
                    let cells = &rows[lane][column..column + SQUARE];
                    std::array::from_fn(|c| cells[c])
                });
                let out = &mut out[column * LANES..(column + SQUARE) * LANES];
                for (c, out) in out.chunks_exact_mut(LANES).enumerate() {
                    for (lane, cells) in block.iter().enumerate() {
                        out[from + lane] = cells[c];
                    }
                }
            }
        }
        for lane in from..(from + SQUARE).min(rows.len()) {
            for (column, &cell) in row(lane).iter().enumerate().skip(whole) {
                out[column * LANES + lane] = cell;
            }
        }
    }
}

/// Sums between up to [`QUERIES`] rows and a group.
type LaneSums = [[f64; LANES]; QUERIES];

/// The inner loops and what they need; compiled once for each instruction set.
struct Loops<'a> {
    products: &'a [f64],
    scale: &'a [f64],
    factors: &'a [f64],
    nominal_factors: &'a [f64],
    /// All nominal factors are 1: mismatches can be counted.
    counted: bool,
    missing: bool,
    squared: bool,
    ramp: Option<Ramp>,
}

impl<'a> Loops<'a> {
    fn new(measure: &'a Measure, missing: bool) -> Self {
        Self {
            products: measure.products(),
            scale: measure.scale(),
            factors: measure.numeric_factors(),
            nominal_factors: measure.nominal_factors(),
            counted: measure.nominal_factors().iter().all(|&factor| factor == 1.0),
            missing,
            squared: measure.metric() == Metric::Euclidean,
            ramp: measure.ramp(),
        }
    }

    #[inline(always)]
    fn numeric<T: Copy + Into<f64>>(
        &self,
        queries: [&[T]; QUERIES],
        base: &[T],
        sums: &mut LaneSums,
    ) {
        let known = |d: f64| if d.is_nan() { 0.0 } else { d };
        let (scale, factors) = (self.scale, self.factors);
        match (self.squared, self.missing, self.ramp) {
            (false, false, None) => each(queries, base, sums, self.products, |d, c| d * c),
            (false, true, None) => each(queries, base, sums, self.products, |d, c| known(d * c)),
            (true, false, None) => {
                each(queries, base, sums, (scale, factors), |d, (s, f)| f * (d * s * (d * s)));
            }
            (true, true, None) => {
                each(queries, base, sums, (scale, factors), |d, (s, f)| {
                    known(f * (d * s * (d * s)))
                });
            }
            (false, _, Some(ramp)) => {
                each(queries, base, sums, (scale, factors), |d, (s, f)| known(f * ramp.of(d * s)));
            }
            (true, _, Some(ramp)) => each(queries, base, sums, (scale, factors), |d, (s, f)| {
                known(f * (ramp.of(d * s) * ramp.of(d * s)))
            }),
        }
    }

    #[inline(always)]
    fn nominal(&self, codes: &[u16], base: &[u16], sums: &mut [f64; LANES]) {
        if !self.counted {
            let mut nominal = [0.0; LANES];
            let columns = codes.iter().zip(base.chunks_exact(LANES)).zip(self.nominal_factors);
            for ((&x, lanes), &factor) in columns {
                for (sum, &z) in nominal.iter_mut().zip(lanes) {
                    let differ = x != z && !(self.missing && (x == MISSING || z == MISSING));
                    *sum += if differ { factor } else { 0.0 };
                }
            }
            sums.iter_mut().zip(nominal).for_each(|(sum, nominal)| *sum += nominal);
            return;
        }
        // Sixteen bits count up to 65,535 columns at a time.
        const COLUMNS: usize = u16::MAX as usize;
        let mut all = [0u64; LANES];
        for (codes, base) in codes.chunks(COLUMNS).zip(base.chunks(COLUMNS * LANES)) {
            let mut counts = [0u16; LANES];
            for (&x, lanes) in codes.iter().zip(base.chunks_exact(LANES)) {
                if self.missing && x == MISSING {
                    continue;
                }
                for (count, &z) in counts.iter_mut().zip(lanes) {
                    *count += u16::from(x != z) & u16::from(!self.missing || z != MISSING);
                }
            }
            all.iter_mut().zip(counts).for_each(|(all, count)| *all += u64::from(count));
        }
        sums.iter_mut().zip(all).for_each(|(sum, count)| *sum += count as f64);
    }
}

for_each_isa! {
    fn numeric_sums[T: Copy + Into<f64>](
        loops: &Loops,
        queries: [&[T]; QUERIES],
        base: &[T],
        sums: &mut LaneSums,
    ) {
        loops.numeric(queries, base, sums);
    }
}

for_each_isa! {
    fn nominal_sums[](loops: &Loops, codes: &[u16], base: &[u16], sums: &mut [f64; LANES]) {
        loops.nominal(codes, base, sums);
    }
}

/// The numbers of a column that its term needs.
trait PerColumn: Copy {
    type Item: Copy;
    fn column(self, column: usize) -> Self::Item;
}

impl PerColumn for &[f64] {
    type Item = f64;
    #[inline(always)]
    fn column(self, column: usize) -> f64 {
        self[column]
    }
}

impl PerColumn for (&[f64], &[f64]) {
    type Item = (f64, f64);
    #[inline(always)]
    fn column(self, column: usize) -> (f64, f64) {
        (self.0[column], self.1[column])
    }
}

/// `sums = Σ_A term(|x_A − z_A|, of A)`, features in order.
#[inline(always)]
fn each<T: Copy + Into<f64>, C: PerColumn>(
    queries: [&[T]; QUERIES],
    base: &[T],
    sums: &mut LaneSums,
    columns: C,
    term: impl Fn(f64, C::Item) -> f64,
) {
    let mut acc = [[0.0f64; LANES]; QUERIES];
    for (column, lanes) in base.chunks_exact(LANES).enumerate() {
        let of = columns.column(column);
        let z: [f64; LANES] = std::array::from_fn(|lane| lanes[lane].into());
        for (acc, query) in acc.iter_mut().zip(queries) {
            let x: f64 = query[column].into();
            for (sum, z) in acc.iter_mut().zip(z) {
                *sum += term((x - z).abs(), of);
            }
        }
    }
    *sums = acc;
}

/// The k nearest of each class from a row's distances to all rows, nearest first.
///
/// `skip` is left out: the row itself. Rows come in order, so equal distances do as well.
pub fn nearest_in_strip(
    of: Labelled,
    skip: Option<u32>,
    distances: &[f64],
    k: usize,
) -> Vec<Vec<(f64, u32)>> {
    let mut near: Vec<Vec<(f64, u32)>> = vec![Vec::new(); of.classes];
    let mut limits = vec![f64::INFINITY; of.classes];
    for ((&distance, &class), row) in distances.iter().zip(of.labels).zip(0u32..) {
        let (class, held) = (class as usize, &mut near[class as usize]);
        if Some(row) == skip || (held.len() == k && distance >= limits[class]) {
            continue;
        }
        let at = held.partition_point(|near| near.0 <= distance);
        held.insert(at, (distance, row));
        held.truncate(k);
        if held.len() == k {
            limits[class] = held[k - 1].0;
        }
    }
    near
}

/// Mean and standard deviation of a row's distances to all others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistanceSpread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, with the number of other rows as divisor.
    pub deviation: f64,
}

impl DistanceSpread {
    /// Of the distances of `row`, its own left out.
    pub fn of(distances: &[f64], row: usize) -> Self {
        let others = distances.len().saturating_sub(1).max(1) as f64;
        let each = || distances.iter().enumerate().filter(|(j, _)| *j != row).map(|(_, d)| *d);
        let mean = each().sum::<f64>() / others;
        let squares = each().map(|d| (d - mean) * (d - mean)).sum::<f64>();
        Self { mean, deviation: (squares / others).sqrt() }
    }
}

/// Rows measured together when every row is measured.
const STRIP: usize = 8;

/// Σ_{i≠j} d(i, j), each pair twice, of distances as their definition rounds them; nothing is lost
/// in adding them up, so that the order of the rows does not matter but where the total lies just
/// between two doubles.
///
/// # Errors
///
/// When the run is stopped or its threads cannot be started.
pub fn distances_in_all(of: Labelled, measure: &Measure, run: &Run) -> Result<LongSum> {
    let strips = Strips::new(of);
    let n = of.rows.len();
    let all: Vec<u32> = (0..n as u32).collect();
    let parts: Vec<LongSum> = run.install(|| {
        let parts = all.par_chunks(STRIP).map_init(Vec::new, |distances, rows| {
            run.check(0, 0)?;
            strips.distances(measure, rows, distances);
            // A row's distance to itself adds nothing.
            for (distances, &row) in distances.chunks_exact_mut(n).zip(rows) {
                distances[row as usize] = 0.0;
            }
            Ok(sum_of_strip(distances))
        });
        parts.collect::<Result<Vec<_>>>()
    })??;
    let mut sum = LongSum::default();
    parts.into_iter().for_each(|part| sum.join(part));
    Ok(sum)
}

/// Sums that do not wait for each other.
const LONG_SUMS: usize = 16;

for_each_isa! {
    fn sum_of_strip[](distances: &[f64]) -> LongSum {
        let mut sums = [LongSum::default(); LONG_SUMS];
        let (whole, rest) = distances.as_chunks::<LONG_SUMS>();
        for distances in whole {
            for i in 0..LONG_SUMS {
                sums[i].add(distances[i]);
            }
        }
        let [mut all, others @ ..] = sums;
        others.into_iter().for_each(|sum| all.join(sum));
        rest.iter().for_each(|&distance| all.add(distance));
        all
    }
}
