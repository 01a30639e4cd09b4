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
}
