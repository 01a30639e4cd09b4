//! C ← C + A·B in tiles that stay in registers, each sum in the order of its terms.
//!
//! Every cell is summed from the first term to the last, product by product without fusing, so
//! that the answer is to the bit what a plain loop gives, on every instruction set and however
//! rows are cut into blocks.
//!
//! Lower bound: a multiplication and an addition a cell and term. A tile of 4 × 8 cells reads 12
//! numbers for 32 of each; a strip of eight columns of B stays in the cache while all rows of A
//! pass it.

use crate::neighbors::for_each_isa;

/// Columns of a tile, and of a strip of [`strips`].
const WIDE: usize = 8;
/// Rows of a tile.
const HIGH: usize = 4;

/// The width of the rows of C when B has this many columns.
pub(crate) fn padded(columns: usize) -> usize {
    columns.max(1).next_multiple_of(WIDE)
}

/// Rows of `columns` cells as strips of eight columns, one after another, the last padded with 0.
pub(crate) fn strips(cells: &[f64], columns: usize) -> Vec<f64> {
    let rows = cells.len() / columns.max(1);
    let mut strips = vec![0.0; rows * padded(columns)];
    for (row, cells) in cells.chunks_exact(columns.max(1)).enumerate() {
        for (strip, cells) in cells.chunks(WIDE).enumerate() {
            strips[(strip * rows + row) * WIDE..][..cells.len()].copy_from_slice(cells);
        }
    }
    strips
}

for_each_isa! {
    /// C ← C + A·B, where term `t` of row `r` of A is at `a[r * steps.0 + t * steps.1]`, B comes
    /// in [`strips`] of `terms` rows, and C in rows of `width` cells.
    pub(crate) fn add_product[](
        a: &[f64],
        steps: (usize, usize),
        b: &[f64],
        terms: usize,
        c: &mut [f64],
        width: usize,
    ) {
        if terms == 0 {
            return;
        }
        for (strip, b) in b.chunks_exact(terms * WIDE).enumerate() {
            let mut bands = c.chunks_exact_mut(HIGH * width);
            let mut row = 0;
            for band in &mut bands {
                tile::<HIGH>(&a[row * steps.0..], steps, b, &mut band[strip * WIDE..], width);
                row += HIGH;
            }
            for band in bands.into_remainder().chunks_exact_mut(width) {
                tile::<1>(&a[row * steps.0..], steps, b, &mut band[strip * WIDE..], width);
                row += 1;
            }
        }
    }
}

#[inline(always)]
fn tile<const ROWS: usize>(
    a: &[f64],
    steps: (usize, usize),
    b: &[f64],
    c: &mut [f64],
    width: usize,
) {
    let mut sums = [[0.0; WIDE]; ROWS];
    for (r, sums) in sums.iter_mut().enumerate() {
        sums.copy_from_slice(&c[r * width..][..WIDE]);
    }
    for (t, b) in b.as_chunks::<WIDE>().0.iter().enumerate() {
        for (r, sums) in sums.iter_mut().enumerate() {
            let factor = a[r * steps.0 + t * steps.1];
            for lane in 0..WIDE {
                sums[lane] += factor * b[lane];
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        c[r * width..][..WIDE].copy_from_slice(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn sums_are_those_of_a_plain_loop_to_the_bit() {
        let mut random = Random::new(7, 1);
        let shapes = [(1, 1, 1), (3, 5, 8), (9, 257, 13), (57, 33, 57), (5, 0, 3)];
        for (rows, terms, columns) in shapes {
            let width = padded(columns);
            let mut draw = |count: usize| (0..count).map(|_| random.normal()).collect::<Vec<_>>();
            let (a, b, start) = (draw(rows * terms), draw(terms * columns), draw(rows * width));
            for steps in [(terms, 1), (1, rows)] {
                let mut found = start.clone();
                add_product(&a, steps, &strips(&b, columns), terms, &mut found, width);
                for (at, found) in found.iter().enumerate() {
                    let (row, column) = (at / width, at % width);
                    let mut sum = start[at];
                    for t in (0..terms).filter(|_| column < columns) {
                        sum += a[row * steps.0 + t * steps.1] * b[t * columns + column];
                    }
                    assert_eq!(found.to_bits(), sum.to_bits(), "cell {row}, {column}");
                }
            }
        }
    }
}
