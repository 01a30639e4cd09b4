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

/// A target and the rows its differences are summed over.
pub type Members<'a> = (u32, &'a [u32]);

/// `out[i · width + f] = Σ_{j in list i} |x_f − z_jf|` for many targets with long lists.
///
/// A few features of all rows stay in cache while all targets pass by, so rows are fetched
/// once for all of them.
pub fn listed_differences<T: Copy + Into<f64>>(
    cells: &[T],
    width: usize,
    lists: &[Members],
    out: &mut [f64],
) {
    let add = |sum: &mut f64, x: T, z: T| *sum += (x.into() - z.into()).abs();
    listed::<16, T, f64>(cells, width, lists, out, add);
}

/// As [`listed_differences`], counting the codes that differ.
pub fn listed_mismatches(codes: &[u16], width: usize, lists: &[Members], out: &mut [u32]) {
    listed::<64, u16, u32>(codes, width, lists, out, |sum, x, z| *sum += u32::from(x != z));
}

fn listed<const RUN: usize, T: Copy, S: Copy + Default + std::ops::AddAssign>(
    cells: &[T],
    width: usize,
    lists: &[Members],
    out: &mut [S],
    add: impl Fn(&mut S, T, T) + Copy,
) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn avx512<const RUN: usize, T: Copy, S: Copy + Default + std::ops::AddAssign>(
            cells: &[T],
            width: usize,
            lists: &[Members],
            out: &mut [S],
            add: impl Fn(&mut S, T, T) + Copy,
        ) {
            listed_plain::<RUN, T, S>(cells, width, lists, out, add);
        }
        #[target_feature(enable = "avx2")]
        fn avx2<const RUN: usize, T: Copy, S: Copy + Default + std::ops::AddAssign>(
            cells: &[T],
            width: usize,
            lists: &[Members],
            out: &mut [S],
            add: impl Fn(&mut S, T, T) + Copy,
        ) {
            listed_plain::<RUN, T, S>(cells, width, lists, out, add);
        }
        match Isa::best() {
            // SAFETY: the machine has these features.
            Isa::Avx512 => return unsafe { avx512::<RUN, T, S>(cells, width, lists, out, add) },
            Isa::Avx2 => return unsafe { avx2::<RUN, T, S>(cells, width, lists, out, add) },
            Isa::Portable => {}
        }
    }
    listed_plain::<RUN, T, S>(cells, width, lists, out, add);
}

#[inline(always)]
fn listed_plain<const RUN: usize, T: Copy, S: Copy + Default + std::ops::AddAssign>(
    cells: &[T],
    width: usize,
    lists: &[Members],
    out: &mut [S],
    add: impl Fn(&mut S, T, T) + Copy,
) {
    for first in (0..width).step_by(RUN) {
        let len = RUN.min(width - first);
        let part = |row: u32| &cells[row as usize * width + first..][..len];
        for (&(target, members), out) in lists.iter().zip(out.chunks_exact_mut(width)) {
            let own = part(target);
            let out = &mut out[first..first + len];
            if len < RUN {
                for &row in members {
                    out.iter_mut()
                        .zip(own)
                        .zip(part(row))
                        .for_each(|((sum, &x), &z)| add(sum, x, z));
                }
                continue;
            }
            let x: [T; RUN] = std::array::from_fn(|f| own[f]);
            // Two sums a feature: the processor need not wait for either.
            let mut sums = [[S::default(); RUN]; 2];
            let pairs = members.chunks_exact(2);
            if let [last] = pairs.remainder() {
                let z = part(*last);
                (0..RUN).for_each(|f| add(&mut sums[0][f], x[f], z[f]));
            }
            for pair in pairs {
                let (a, b) = (part(pair[0]), part(pair[1]));
                for f in 0..RUN {
                    add(&mut sums[0][f], x[f], a[f]);
                }
                for f in 0..RUN {
                    add(&mut sums[1][f], x[f], b[f]);
                }
            }
            for f in 0..RUN {
                out[f] += sums[0][f];
                out[f] += sums[1][f];
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
    fn listed_sums_equal_one_target_at_a_time() {
        let mut random = Random::new(3, 0);
        for width in [1, 15, 16, 17, 40] {
            let rows = 9;
            let cells: Vec<f64> = (0..width * rows).map(|_| random.normal()).collect();
            let lists: [Members; 3] = [(4, &[0, 3, 8]), (0, &[]), (2, &[1, 5])];
            let mut out = vec![0.0; lists.len() * width];
            listed_differences(&cells, width, &lists, &mut out);
            for ((target, members), out) in lists.iter().zip(out.chunks(width)) {
                let members: Vec<(u32, f64)> = members.iter().map(|&j| (j, 1.0)).collect();
                let mut slow = vec![0.0; width];
                absolute_differences(&cells, width, *target as usize, &members, &mut slow);
                assert!(out.iter().zip(&slow).all(|(a, b)| (a - b).abs() < 1e-13));
            }
        }
    }

    #[test]
    fn listed_mismatches_are_counts() {
        let codes: Vec<u16> = (0..3 * 70).map(|i| (i * i % 5) as u16).collect();
        let mut out = vec![0; 70];
        listed_mismatches(&codes, 70, &[(0, &[1, 2])], &mut out);
        for f in 0..70 {
            let slow = u32::from(codes[f] != codes[70 + f]) + u32::from(codes[f] != codes[140 + f]);
            assert_eq!(out[f], slow);
        }
    }
}
