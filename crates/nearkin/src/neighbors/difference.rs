//! Sums of differences between a row and others, feature by feature.
//!
//! A run of features stays in registers while all neighbours pass by. The loops are plain;
//! compiled once for each instruction set, they fill its registers.

use super::kernel::{Isa, Listed, PACK, PACK_ROOM, Pack, for_each_isa};

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

/// `out[f] = Σ_j weight_j · (scale_f (x_f − z_jf))²` for row-major `cells` of `width` features a row.
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

/// `out[i · width + f] = Σ_{j in list i} |x_f − z_jf|` for many targets with long lists.
///
/// `rows` are the rows that places in the lists stand for. A few features of a few rows are
/// packed as doubles and stay in the innermost cache while all targets pass by. Packing takes
/// n · p for each call, so lists should not be short.
pub fn listed_differences<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    rows: &[u32],
    lists: &[Members],
    out: &mut [f64],
) {
    let kernel = Isa::best().kernels().differences;
    listed(cells, (width, rows, lists), out, |cell| cell.into(), kernel, |out, sum| *out += sum);
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
    let gather = |out: &mut u32, count| *out += u32::from(count);
    listed(codes, (width, rows, lists), out, |code| code, kernel, gather);
}

for_each_isa! {
    /// The loops of [`listed_differences`] and [`listed_mismatches`]: cells `T` are packed as `P`,
    /// `kernel` sums the listed rows of a pack, and `gather` adds packs up.
    fn listed[const RUN: usize, T: Copy, P: Copy + Default, S, F: Fn(T) -> P, G: Fn(&mut S, P)](
        cells: &[T],
        of: (usize, &[u32], &[Members]),
        out: &mut [S],
        pack: F,
        kernel: Listed<P, RUN>,
        gather: G,
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
            own.as_flattened_mut().iter_mut().zip(cells).for_each(|(own, &x)| *own = pack(x));
        }
        let mut packs = vec![Pack([[P::default(); RUN]; PACK_ROOM]); runs.min(PACKED_RUNS)];
        let mut from = vec![0; lists.len()];
        let mut here = vec![([0; PACK], 0); lists.len()];
        for (first, rows) in (0u32..).step_by(PACK).zip(rows.chunks(PACK)) {
            for ((from, (_, list)), (places, count)) in from.iter_mut().zip(lists).zip(&mut here) {
                let rest = &list[*from..list.len().min(*from + PACK)];
                // All are compared: quicker than a search that nobody could foresee.
                // A plain loop: an iterator's might be compiled without the instruction set.
                let mut below = 0u32;
                for &place in rest {
                    below += u32::from(place < first + PACK as u32);
                }
                *count = below as usize;
                *from += *count;
                for (to, place) in places.iter_mut().zip(&rest[..*count]) {
                    *to = (place - first) as u8;
                }
            }
            for chunk in (0..width).step_by(columns) {
                // Row by row, as they lie in memory.
                for (place, &row) in rows.iter().enumerate() {
                    let cells = &cells[row as usize * width + chunk..];
                    let cells = &cells[..columns.min(width - chunk)];
                    pack_runs(cells, &mut packs, place, &pack);
                }
                for (pack, column) in packs.iter().zip((chunk..width).step_by(RUN)) {
                    for (i, (places, count)) in here.iter().enumerate() {
                        let mut sums = [P::default(); RUN];
                        kernel(pack, &own[i * runs + column / RUN], &places[..*count], &mut sums);
                        let out = &mut out[i * width + column..];
                        match out.first_chunk_mut::<RUN>().filter(|_| column + RUN <= width) {
                            Some(out) => (0..RUN).for_each(|f| gather(&mut out[f], sums[f])),
                            None => {
                                let out = out[..width - column].iter_mut();
                                out.zip(sums).for_each(|(out, sum)| gather(out, sum));
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Put the runs of a row at a place in one pack after the other.
///
/// Cell by cell of a run: to copy an array as a whole, the compiler would call for help.
#[inline(always)]
fn pack_runs<const RUN: usize, T: Copy, P: Copy>(
    cells: &[T],
    packs: &mut [Pack<P, RUN>],
    place: usize,
    pack: impl Fn(T) -> P,
) {
    let (whole, rest) = cells.as_chunks::<RUN>();
    for (run, Pack(to)) in whole.iter().zip(&mut *packs) {
        let to = &mut to[place];
        for f in 0..RUN {
            to[f] = pack(run[f]);
        }
    }
    if let Some(Pack(to)) = packs.get_mut(whole.len()) {
        for (to, &cell) in to[place].iter_mut().zip(rest) {
            *to = pack(cell);
        }
    }
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
        for (width, count) in [(1, 9), (15, 127), (16, 128), (17, 129), (40, 300)] {
            let cells: Vec<f64> = (0..width * (count + 3)).map(|_| random.normal()).collect();
            // Places stand for every row but the first three.
            let rows: Vec<u32> = (3..count as u32 + 3).collect();
            let all: Vec<u32> = (0..count as u32).collect();
            let some: Vec<u32> = all.iter().copied().filter(|_| random.chance(0.3)).collect();
            let lists: [Members; 4] = [(4, &some), (0, &[]), (2, &all), (5, &[1, 5])];
            let mut out = vec![0.0; lists.len() * width];
            listed_differences(&cells, width, &rows, &lists, &mut out);
            for ((target, members), out) in lists.iter().zip(out.chunks(width)) {
                let members: Vec<(u32, f64)> = members.iter().map(|&j| (j + 3, 1.0)).collect();
                let mut slow = vec![0.0; width];
                absolute_differences(&cells, width, *target as usize, &members, &mut slow);
                assert!(out.iter().zip(&slow).all(|(a, b)| (a - b).abs() < 1e-12));
            }
        }
    }

    #[test]
    fn listed_mismatches_are_counts() {
        let codes: Vec<u16> = (0..3 * 70).map(|i| (i * i % 5) as u16).collect();
        let mut out = vec![0; 70];
        listed_mismatches(&codes, 70, &[0, 1, 2], &[(0, &[1, 2])], &mut out);
        for f in 0..70 {
            let slow = u32::from(codes[f] != codes[70 + f]) + u32::from(codes[f] != codes[140 + f]);
            assert_eq!(out[f], slow);
        }
    }
}
