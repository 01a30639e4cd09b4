//! C ← C + A·B in tiles that stay in registers, each sum in the order of its terms.
//!
//! Every cell is summed from the first term to the last, product by product without fusing, so
//! that the answer is to the bit what a plain loop gives, on every instruction set and however
//! rows are cut into blocks.
//!
//! Floor: a multiplication and an addition a cell and term, eight doubles to an instruction with
//! AVX-512; a tile of 4 × 8 cells reads 4 + 8 numbers for 32 of each, so memory does not count.

use crate::neighbors::for_each_isa;

/// Columns of a tile; what [`padded`] rounds up to.
const WIDE: usize = 8;
/// Rows of a tile.
const HIGH: usize = 4;

/// The width that rows of B and C have when they hold `columns`.
pub(crate) fn padded(columns: usize) -> usize {
    columns.max(1).next_multiple_of(WIDE)
}

for_each_isa! {
    /// C ← C + A·B, where term `t` of row `r` of A stands at `a[r * steps.0 + t * steps.1]`, and B
    /// and C are rows of `width` cells, a multiple of eight.
    pub(crate) fn add_product[](a: &[f64], steps: (usize, usize), b: &[f64], c: &mut [f64], width: usize) {
        let mut bands = c.chunks_exact_mut(HIGH * width);
        let mut row = 0;
        for band in &mut bands {
            tiles::<HIGH>(&a[row * steps.0..], steps, b, band, width);
            row += HIGH;
        }
        for band in bands.into_remainder().chunks_exact_mut(width) {
            tiles::<1>(&a[row * steps.0..], steps, b, band, width);
            row += 1;
        }
    }
}

#[inline(always)]
fn tiles<const ROWS: usize>(
    a: &[f64],
    steps: (usize, usize),
    b: &[f64],
    band: &mut [f64],
    width: usize,
) {
    for column in (0..width).step_by(WIDE) {
        let mut sums = [[0.0; WIDE]; ROWS];
        for (r, sums) in sums.iter_mut().enumerate() {
            sums.copy_from_slice(&band[r * width + column..][..WIDE]);
        }
        for (t, b) in b.chunks_exact(width).enumerate() {
            let b: &[f64] = &b[column..][..WIDE];
            for (r, sums) in sums.iter_mut().enumerate() {
                let factor = a[r * steps.0 + t * steps.1];
                for lane in 0..WIDE {
                    sums[lane] += factor * b[lane];
                }
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            band[r * width + column..][..WIDE].copy_from_slice(sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn sums_are_those_of_a_plain_loop_to_the_bit() {
        let mut random = Random::new(7, 1);
        for (rows, terms, columns) in [(1, 1, 1), (3, 5, 8), (9, 257, 13), (57, 33, 57), (4, 0, 3)]
        {
            let width = padded(columns);
            let mut draw = |count: usize| (0..count).map(|_| random.normal()).collect::<Vec<_>>();
            let (a, b, start) = (draw(rows * terms), draw(terms * width), draw(rows * width));
            for steps in [(terms, 1), (1, rows)] {
                let mut found = start.clone();
                add_product(&a, steps, &b, &mut found, width);
                for (at, found) in found.iter().enumerate() {
                    let (row, column) = (at / width, at % width);
                    let mut sum = start[at];
                    for t in 0..terms {
                        sum += a[row * steps.0 + t * steps.1] * b[t * width + column];
                    }
                    assert_eq!(found.to_bits(), sum.to_bits(), "cell {row}, {column}");
                }
            }
        }
    }
}
