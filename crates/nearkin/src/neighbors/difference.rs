//! Sums of differences between a row and others, feature by feature.
//!
//! A run of features stays in registers while all neighbours pass by. The loops are plain;
//! compiled once for each instruction set, they fill its registers.

use super::kernel::{Isa, for_each_isa};

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

/// Rows that are packed together, small enough for the innermost cache.
const PACK: usize = 128;

/// A run of features; aligned, so that no load has to fetch two lines of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line<P, const RUN: usize>([P; RUN]);

impl<P: Copy + Default, const RUN: usize> Line<P, RUN> {
    /// A run of cells or fewer, the rest zeros.
    #[inline(always)]
    fn of<T: Copy>(cells: &[T], pack: &impl Fn(T) -> P) -> Self {
        let mut line = [P::default(); RUN];
        // A whole run has a length the compiler knows.
        if let Some(cells) = cells.first_chunk::<RUN>() {
            for f in 0..RUN {
                line[f] = pack(cells[f]);
            }
        } else {
            for f in 0..cells.len() {
                line[f] = pack(cells[f]);
            }
        }
        Self(line)
    }
}

/// `out[i · width + f] = Σ_{j in list i} |x_f − z_jf|` for many targets with long lists.
///
/// `rows` are the rows that places in the lists stand for. A few features of a few rows are
/// packed as doubles and stay in the innermost cache while all targets pass by.
///
/// Floor: a subtraction and a fused multiply-add for each listed row and feature, eight an
/// instruction and on different units, and the sign taken off between them; that is 6 elements a
/// cycle with AVX-512. Packing adds n · p for each call, so lists should not be short.
pub fn listed_differences<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    rows: &[u32],
    lists: &[Members],
    out: &mut [f64],
) {
    if Isa::best() == Isa::Portable {
        return differences(cells, width, rows, lists, out, |sum, d: f64| sum + d.abs());
    }
    // The same bits as an addition, on the units that multiply: they would be idle otherwise.
    let one = std::hint::black_box(1.0);
    differences(cells, width, rows, lists, out, move |sum, d: f64| d.abs().mul_add(one, sum));
}

for_each_isa! {
    fn differences[T: Copy + Into<f64>, F: Fn(f64, f64) -> f64](
        cells: &[T],
        width: usize,
        rows: &[u32],
        lists: &[Members],
        out: &mut [f64],
        add: F,
    ) {
        listed::<16, T, f64, f64>(
            cells,
            (width, rows, lists),
            out,
            |cell| cell.into(),
            |sum, x, z| add(sum, x - z),
            |out, sum| *out += sum,
        );
    }
}

for_each_isa! {
    /// As [`listed_differences`], counting the codes that differ.
    pub fn listed_mismatches[](
        codes: &[u16],
        width: usize,
        rows: &[u32],
        lists: &[Members],
        out: &mut [u32],
    ) {
        listed::<32, u16, u16, u32>(
            codes,
            (width, rows, lists),
            out,
            |code| code,
            |count, x, z| count + u16::from(x != z),
            |out, count| *out += u32::from(count),
        );
    }
}

/// The loops of [`listed_differences`] and [`listed_mismatches`]: cells `T` are packed as `P`,
/// a pack is summed as `P`, and packs are added up as `S`.
///
/// Plain indices: adapters of iterators are not always seen through here.
#[inline(always)]
#[allow(clippy::needless_range_loop)]
fn listed<const RUN: usize, T: Copy, P: Copy + Default, S>(
    cells: &[T],
    (width, rows, lists): (usize, &[u32], &[Members]),
    out: &mut [S],
    pack: impl Fn(T) -> P,
    add: impl Fn(P, P, P) -> P,
    gather: impl Fn(&mut S, P),
) {
    let mut packed = [Line([P::default(); RUN]); PACK];
    let mut from = vec![0; lists.len()];
    let mut to = from.clone();
    for (first, rows) in (0u32..).step_by(PACK).zip(rows.chunks(PACK)) {
        for ((to, from), (_, list)) in to.iter_mut().zip(&from).zip(lists) {
            let here = &list[*from..list.len().min(from + PACK)];
            *to = from + here.partition_point(|place| *place < first + PACK as u32);
        }
        for column in (0..width).step_by(RUN) {
            let len = RUN.min(width - column);
            let run = |row: u32| &cells[row as usize * width + column..][..len];
            for (place, &row) in rows.iter().enumerate() {
                packed[place] = Line::of(run(row), &pack);
            }
            for (i, &(target, list)) in lists.iter().enumerate() {
                let Line(x) = Line::<P, RUN>::of(run(target), &pack);
                // Two sums a feature: the processor need not wait for either.
                let (mut one, mut two) = ([P::default(); RUN], [P::default(); RUN]);
                let (pairs, rest) = list[from[i]..to[i]].as_chunks::<2>();
                for pair in pairs {
                    let Line(z) = &packed[(pair[0] - first) as usize % PACK];
                    let Line(y) = &packed[(pair[1] - first) as usize % PACK];
                    for f in 0..RUN {
                        one[f] = add(one[f], x[f], z[f]);
                    }
                    for f in 0..RUN {
                        two[f] = add(two[f], x[f], y[f]);
                    }
                }
                for place in rest {
                    let Line(z) = &packed[(place - first) as usize % PACK];
                    for f in 0..RUN {
                        one[f] = add(one[f], x[f], z[f]);
                    }
                }
                let out = &mut out[i * width + column..][..len];
                for f in 0..len {
                    gather(&mut out[f], one[f]);
                    gather(&mut out[f], two[f]);
                }
            }
        }
        from.copy_from_slice(&to);
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
