//! Sums of differences between a row and others, feature by feature.
//!
//! A run of features stays in registers while all neighbours pass by. The loops are plain;
//! compiled once for each instruction set, they fill its registers.
//!
//! Lower bound: k · p times a subtraction, its size and a multiply-add for k neighbours and p
//! features.

use crate::neighbors::kernel::pack::{GRID, Listed, PACK, PACK_ROOM, Pack, Places, WHOLE_RUN};
use crate::neighbors::kernel::{Isa, for_each_isa};

/// Features whose sums stay in registers.
const RUN: usize = 32;

/// `out[f] = Σ_j weight_j · |x_f − z_jf|` for row-major `cells` of `width` features a row.
pub fn absolute_differences<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    row: usize,
    neighbours: &[(u32, f64)],
    out: &mut [f64],
) {
    weighted(cells, width, row, neighbours, out, |d, _| d.abs());
}

/// `out[f] = Σ_j weight_j · (scale_f (x_f − z_jf))²` for row-major `cells` of `width` features a
/// row.
///
/// Scaled first: the square of an unscaled difference may be too large for a number.
pub fn squared_differences<T: Copy + Into<f64>>(
    cells: &[T],
    scale: &[f64],
    row: usize,
    neighbours: &[(u32, f64)],
    out: &mut [f64],
) {
    let square = |d: f64, f: usize| (d * scale[f]) * (d * scale[f]);
    weighted(cells, scale.len(), row, neighbours, out, square);
}

for_each_isa! {
    fn weighted[T: Copy + Into<f64>, F: Fn(f64, usize) -> f64](
        cells: &[T],
        width: usize,
        row: usize,
        neighbours: &[(u32, f64)],
        out: &mut [f64],
        term: F,
    ) {
        let own = &cells[row * width..(row + 1) * width];
        for first in (0..width).step_by(RUN) {
            let len = RUN.min(width - first);
            let mut sums = [0.0; RUN];
            if len == RUN {
                let x: [T; RUN] = std::array::from_fn(|f| own[first + f]);
                for &(other, weight) in neighbours {
                    let z = &cells[other as usize * width + first..][..RUN];
                    for f in 0..RUN {
                        sums[f] += weight * term(x[f].into() - z[f].into(), first + f);
                    }
                }
            } else {
                for &(other, weight) in neighbours {
                    let z = &cells[other as usize * width + first..][..len];
                    for (f, (x, z)) in own[first..].iter().zip(z).enumerate() {
                        sums[f] += weight * term((*x).into() - (*z).into(), first + f);
                    }
                }
            }
            out[first..first + len].copy_from_slice(&sums[..len]);
        }
    }
}

/// A target and the rows its differences are summed over, as places among the rows at hand,
/// ascending.
pub type Members<'a> = (u32, &'a [u32]);

/// Runs of features that are packed together: long enough pieces of rows to be fetched ahead,
/// and all of a pack within the second cache.
const PACKED_RUNS: usize = 16;

/// The cells of numeric columns as whole numbers from 0 to 2²⁸ − 1, column by column.
///
/// Sums of their differences are exact, and quicker than sums of doubles. A difference is off by
/// at most a step, 1/(2²⁸ − 1) of the column's range, where its cells are no whole multiples of
/// one.
#[derive(Debug)]
pub struct CellGrid {
    /// Of each column, and then of nothing up to a whole run.
    low: Vec<f64>,
    per_unit: Vec<f64>,
    steps: Vec<f64>,
}

impl CellGrid {
    /// For columns of these least and greatest values; none where there are no columns, or one of
    /// them has no end.
    pub fn new(ranges: &[(f64, f64)]) -> Option<Self> {
        let padded = ranges.len().next_multiple_of(WHOLE_RUN);
        let ranges = || ranges.iter().copied().chain(std::iter::repeat((0.0, 0.0))).take(padded);
        let steps: Vec<f64> = ranges().map(|(low, high)| (high - low) / f64::from(GRID)).collect();
        let low: Vec<f64> = ranges().map(|range| range.0).collect();
        let per_unit = |&step: &f64| if step > 0.0 { 1.0 / step } else { 0.0 };
        let per_unit: Vec<f64> = steps.iter().map(per_unit).collect();
        let finite = [&low, &per_unit, &steps].into_iter().flatten().all(|x| x.is_finite());
        (padded > 0 && finite).then_some(Self { low, per_unit, steps })
    }

    /// Sums of [`whole_differences`], a column each, as numbers.
    pub fn numbers(&self, sums: &[u64]) -> impl Iterator<Item = f64> {
        sums.iter().zip(&self.steps).map(|(&sum, step)| sum as f64 * step)
    }
}

/// How cells are packed, a run of them at a time.
///
/// No closure: the compiler might leave it outside of a loop's instruction set.
trait Packing<T, P, const RUN: usize> {
    fn pack(&self, run: usize, cells: &[T; RUN]) -> [P; RUN];
}

/// Cells as they are, or as doubles.
struct Plainly;

impl<T: Copy + Into<P>, P, const RUN: usize> Packing<T, P, RUN> for Plainly {
    #[inline(always)]
    fn pack(&self, _: usize, cells: &[T; RUN]) -> [P; RUN] {
        std::array::from_fn(|f| cells[f].into())
    }
}

impl<T: Copy + Into<f64>> Packing<T, u32, WHOLE_RUN> for CellGrid {
    #[inline(always)]
    fn pack(&self, run: usize, cells: &[T; WHOLE_RUN]) -> [u32; WHOLE_RUN] {
        // So large a number has no room for less than 1: its last bits are the nearest whole one.
        const WHOLE: f64 = (1u64 << 52) as f64;
        let low = &self.low.as_chunks::<WHOLE_RUN>().0[run];
        let per_unit = &self.per_unit.as_chunks::<WHOLE_RUN>().0[run];
        let mut out = [0; WHOLE_RUN];
        for f in 0..WHOLE_RUN {
            let cell: f64 = cells[f].into();
            out[f] = ((cell - low[f]) * per_unit[f] + WHOLE).to_bits() as u32;
        }
        out
    }
}

/// `out[i · width + f] = Σ_{j in list i} |x_f − z_jf|` for many targets with long lists.
///
/// `rows` are the rows that places in the lists stand for. A few features of a few rows are
/// packed, as doubles or on a grid, and stay in the innermost cache while all targets pass by.
/// Packing takes n · p for each call, so lists should not be short.
pub fn listed_differences<T: Copy + Default + Into<f64>>(
    cells: &[T],
    width: usize,
    rows: &[u32],
    lists: &[Members],
    grid: Option<&CellGrid>,
    out: &mut [f64],
) {
    let of = (width, rows, lists);
    let Some(grid) = grid else {
        let kernel = Isa::best().kernels().differences;
        return listed(cells, of, out, &Plainly, kernel);
    };
    let mut sums = vec![0; out.len()];
    whole_differences(cells, of, grid, &mut sums);
    for (out, sums) in out.chunks_exact_mut(width).zip(sums.chunks_exact(width)) {
        out.iter_mut().zip(grid.numbers(sums)).for_each(|(out, sum)| *out = sum);
    }
}

/// [`listed_differences`] in steps of a grid, of rows and lists of a table so many features wide:
/// whole numbers, so that sums over parts of the rows add up to the sums over all.
pub fn whole_differences<T: Copy + Default + Into<f64>>(
    cells: &[T],
    of: (usize, &[u32], &[Members]),
    grid: &CellGrid,
    out: &mut [u64],
) {
    listed(cells, of, out, grid, Isa::best().kernels().whole_differences);
}

/// As [`listed_differences`], counting the codes that differ.
pub fn listed_mismatches(
    codes: &[u16],
    width: usize,
    rows: &[u32],
    lists: &[Members],
    out: &mut [u32],
) {
    let kernel = Isa::best().kernels().mismatches;
    listed(codes, (width, rows, lists), out, &Plainly, kernel);
}

for_each_isa! {
    /// The loops of [`listed_differences`] and [`listed_mismatches`]: cells `T` are packed as `P`,
    /// and `kernel` adds the listed rows of a pack to sums.
    fn listed[const RUN: usize, T: Copy + Default, P: Copy + Default, S: Copy + Default, K: Packing<T, P, RUN>](
        cells: &[T],
        of: (usize, &[u32], &[Members]),
        out: &mut [S],
        packing: &K,
        kernel: Listed<P, S, RUN>,
    ) {
        let (width, rows, lists) = of;
        if width == 0 {
            return;
        }
        let columns = PACKED_RUNS * RUN;
        let runs = width.div_ceil(RUN);
        let mut own = vec![[P::default(); RUN]; lists.len() * runs];
        for ((target, _), own) in lists.iter().zip(own.chunks_exact_mut(runs)) {
            let cells = &cells[*target as usize * width..][..width];
            for (run, own) in own.iter_mut().enumerate() {
                *own = packing.pack(run, &run_of(cells, run));
            }
        }
        let mut sums = vec![[S::default(); RUN]; lists.len() * runs];
        let mut packs = vec![Pack([[P::default(); RUN]; PACK_ROOM]); runs.min(PACKED_RUNS)];
        let mut from = vec![0; lists.len()];
        let mut here = vec![Places::NONE; lists.len()];
        for (first, rows) in (0u32..).step_by(PACK).zip(rows.chunks(PACK)) {
            for ((from, (_, list)), here) in from.iter_mut().zip(lists).zip(&mut here) {
                *from += here.take(&list[*from..], first);
            }
            for chunk in (0..width).step_by(columns) {
                // Row by row, as they lie in memory.
                for (place, &row) in rows.iter().enumerate() {
                    let cells = &cells[row as usize * width + chunk..];
                    let cells = &cells[..columns.min(width - chunk)];
                    let runs = cells.len().div_ceil(RUN);
                    for (run, Pack(to)) in packs.iter_mut().enumerate().take(runs) {
                        to[place] = packing.pack(chunk / RUN + run, &run_of(cells, run));
                    }
                }
                for (pack, run) in packs.iter().zip(chunk / RUN..runs) {
                    for (i, places) in here.iter().enumerate() {
                        let at = i * runs + run;
                        kernel(pack, &own[at], places, &mut sums[at]);
                    }
                }
            }
        }
        for (out, sums) in out.chunks_exact_mut(width).zip(sums.chunks_exact(runs)) {
            out.copy_from_slice(&sums.as_flattened()[..width]);
        }
    }
}

/// A run of a row, filled up where the row ends.
#[inline(always)]
fn run_of<const RUN: usize, T: Copy + Default>(cells: &[T], run: usize) -> [T; RUN] {
    let cells = &cells[run * RUN..];
    cells.first_chunk().copied().unwrap_or_else(|| {
        let mut last = [T::default(); RUN];
        last[..cells.len()].copy_from_slice(cells);
        last
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn sums_equal_a_plain_loop_at_edge_widths() {
        let mut random = Random::new(2, 0);
        for width in [1, 31, 32, 33, 70] {
            let cells: Vec<f64> = (0..width * 5).map(|_| random.normal()).collect();
            let neighbours = [(1, 0.5), (4, 0.25), (2, 2.0)];
            let mut out = vec![9.0; width];
            absolute_differences(&cells, width, 0, &neighbours, &mut out);
            for f in 0..width {
                let slow: f64 = neighbours
                    .iter()
                    .map(|&(j, w)| w * (cells[f] - cells[j as usize * width + f]).abs())
                    .sum();
                assert!((out[f] - slow).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn listed_sums_equal_one_target_at_a_time() {
        let mut random = Random::new(3, 0);
        for (width, count) in
            [(1, 9), (7, 254), (8, 255), (9, 256), (17, 129), (40, 600), (130, 20), (257, 20)]
        {
            let cells: Vec<f64> = (0..width * (count + 3)).map(|_| random.normal()).collect();
            // Places stand for every row but the first three.
            let rows: Vec<u32> = (3..count as u32 + 3).collect();
            let all: Vec<u32> = (0..count as u32).collect();
            let some: Vec<u32> = all.iter().copied().filter(|_| random.chance(0.3)).collect();
            let lists: [Members; 4] = [(4, &some), (0, &[]), (2, &all), (5, &[1, 5])];
            let mut out = vec![0.0; lists.len() * width];
            listed_differences(&cells, width, &rows, &lists, None, &mut out);
            for ((target, members), out) in lists.iter().zip(out.chunks(width)) {
                let members: Vec<(u32, f64)> = members.iter().map(|&j| (j + 3, 1.0)).collect();
                let mut slow = vec![0.0; width];
                absolute_differences(&cells, width, *target as usize, &members, &mut slow);
                assert!(out.iter().zip(&slow).all(|(a, b)| (a - b).abs() < 1e-14 * (1.0 + b)));
            }
            let column = |f: usize| cells.iter().skip(f).step_by(width).copied();
            let ranges: Vec<(f64, f64)> = (0..width)
                .map(|f| (column(f).fold(f64::MAX, f64::min), column(f).fold(f64::MIN, f64::max)))
                .collect();
            let mut close = vec![0.0; lists.len() * width];
            let grid = CellGrid::new(&ranges).unwrap();
            listed_differences(&cells, width, &rows, &lists, Some(&grid), &mut close);
            for (((_, members), out), close) in
                lists.iter().zip(out.chunks(width)).zip(close.chunks(width))
            {
                for ((out, close), step) in out.iter().zip(close).zip(&grid.steps) {
                    assert!((out - close).abs() <= 1.001 * step * members.len() as f64);
                }
            }
        }
    }

    #[test]
    fn listed_mismatches_are_counts() {
        for width in [70, 513] {
            let codes: Vec<u16> = (0..3 * width).map(|i| (i * i % 5) as u16).collect();
            let mut out = vec![0; width];
            listed_mismatches(&codes, width, &[0, 1, 2], &[(0, &[1, 2])], &mut out);
            for f in 0..width {
                let differs = |row: usize| u32::from(codes[f] != codes[row * width + f]);
                assert_eq!(out[f], differs(1) + differs(2));
            }
        }
    }
}
