//! Weighted sums of differences between one row and its neighbours, feature by feature.
//!
//! A run of features stays in registers while all neighbours pass by. The loops are plain;
//! compiled once for each instruction set, they fill its registers.

#![allow(unsafe_code)]

use super::kernel::Isa;

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
    dispatch(cells, width, row, neighbours, out, f64::abs);
}

/// `out[f] = Σ_j weight_j · (x_f − z_jf)²` for row-major `cells` of `width` features a row.
pub fn squared_differences<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    row: usize,
    neighbours: &[(u32, f64)],
    out: &mut [f64],
) {
    dispatch(cells, width, row, neighbours, out, |d| d * d);
}

fn dispatch<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    row: usize,
    neighbours: &[(u32, f64)],
    out: &mut [f64],
    term: impl Fn(f64) -> f64,
) {
    #[cfg(target_arch = "x86_64")]
    match Isa::best() {
        // SAFETY: the machine has these features.
        Isa::Avx512 => return unsafe { avx512(cells, width, row, neighbours, out, term) },
        Isa::Avx2 => return unsafe { avx2(cells, width, row, neighbours, out, term) },
        Isa::Portable => {}
    }
    plain(cells, width, row, neighbours, out, term);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    row: usize,
    neighbours: &[(u32, f64)],
    out: &mut [f64],
    term: impl Fn(f64) -> f64,
) {
    plain(cells, width, row, neighbours, out, term);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    row: usize,
    neighbours: &[(u32, f64)],
    out: &mut [f64],
    term: impl Fn(f64) -> f64,
) {
    plain(cells, width, row, neighbours, out, term);
}

#[inline(always)]
fn plain<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    row: usize,
    neighbours: &[(u32, f64)],
    out: &mut [f64],
    term: impl Fn(f64) -> f64,
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
                    sums[f] += weight * term(x[f].into() - z[f].into());
                }
            }
        } else {
            for &(other, weight) in neighbours {
                let z = &cells[other as usize * width + first..][..len];
                for ((sum, x), z) in sums.iter_mut().zip(&own[first..]).zip(z) {
                    *sum += weight * term((*x).into() - (*z).into());
                }
            }
        }
        out[first..first + len].copy_from_slice(&sums[..len]);
    }
}

/// Which group of neighbours each row belongs to, for several targets: 0 for none.
#[derive(Debug, Clone, Copy)]
pub struct Membership<'a> {
    /// The targets.
    pub targets: &'a [u32],
    /// `groups[target · rows + row]`, 1 and up for members.
    pub groups: &'a [u8],
    /// The number of groups.
    pub count: usize,
}

/// Features summed while a row is at hand.
const CHUNK: usize = 128;

/// `out[(target · count + group − 1) · width + f] = Σ_{j in group} |x_f − z_jf|`, all targets at once.
///
/// Where neighbours are many, each row is fetched once for all targets that count it.
pub fn grouped_differences<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    of: Membership,
    out: &mut [f64],
) {
    let add = |sum: &mut f64, x: T, z: T| *sum += (x.into() - z.into()).abs();
    grouped(cells, width, of, out, add);
}

/// As [`grouped_differences`], counting the codes that differ.
pub fn grouped_mismatches(codes: &[u16], width: usize, of: Membership, out: &mut [u32]) {
    grouped(codes, width, of, out, |sum: &mut u32, x: u16, z: u16| *sum += u32::from(x != z));
}

fn grouped<T: Copy, S>(
    cells: &[T],
    width: usize,
    of: Membership,
    out: &mut [S],
    add: impl Fn(&mut S, T, T) + Copy,
) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn avx512<T: Copy, S>(
            cells: &[T],
            width: usize,
            of: Membership,
            out: &mut [S],
            add: impl Fn(&mut S, T, T) + Copy,
        ) {
            grouped_plain(cells, width, of, out, add);
        }
        #[target_feature(enable = "avx2")]
        fn avx2<T: Copy, S>(
            cells: &[T],
            width: usize,
            of: Membership,
            out: &mut [S],
            add: impl Fn(&mut S, T, T) + Copy,
        ) {
            grouped_plain(cells, width, of, out, add);
        }
        match Isa::best() {
            // SAFETY: the machine has these features.
            Isa::Avx512 => return unsafe { avx512(cells, width, of, out, add) },
            Isa::Avx2 => return unsafe { avx2(cells, width, of, out, add) },
            Isa::Portable => {}
        }
    }
    grouped_plain(cells, width, of, out, add);
}

#[inline(always)]
fn grouped_plain<T: Copy, S>(
    cells: &[T],
    width: usize,
    of: Membership,
    out: &mut [S],
    add: impl Fn(&mut S, T, T) + Copy,
) {
    let rows = cells.len().checked_div(width).unwrap_or(0);
    for first in (0..width).step_by(CHUNK) {
        let len = CHUNK.min(width - first);
        for row in 0..rows {
            let z = &cells[row * width + first..][..len];
            for (t, &target) in of.targets.iter().enumerate() {
                let group = usize::from(of.groups[t * rows + row]);
                if group == 0 {
                    continue;
                }
                let x = &cells[target as usize * width + first..][..len];
                let sums = &mut out[(t * of.count + group - 1) * width + first..][..len];
                for ((sum, &x), &z) in sums.iter_mut().zip(x).zip(z) {
                    add(sum, x, z);
                }
            }
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
    fn grouped_sums_equal_one_target_at_a_time() {
        let mut random = Random::new(3, 0);
        for width in [1, 127, 128, 130] {
            let rows = 9;
            let cells: Vec<f64> = (0..width * rows).map(|_| random.normal()).collect();
            let groups: Vec<u8> = (0..2 * rows).map(|_| random.below(3) as u8).collect();
            let of = Membership { targets: &[4, 0], groups: &groups, count: 2 };
            let mut out = vec![0.0; 2 * 2 * width];
            grouped_differences(&cells, width, of, &mut out);
            for (t, &target) in of.targets.iter().enumerate() {
                for group in 1..=2u8 {
                    let member = |j: &u32| groups[t * rows + *j as usize] == group;
                    let members: Vec<(u32, f64)> =
                        (0..rows as u32).filter(member).map(|j| (j, 1.0)).collect();
                    let mut slow = vec![0.0; width];
                    absolute_differences(&cells, width, target as usize, &members, &mut slow);
                    let start = (t * 2 + usize::from(group) - 1) * width;
                    for (a, b) in out[start..start + width].iter().zip(&slow) {
                        assert!((a - b).abs() < 1e-13);
                    }
                }
            }
        }
    }
}
