//! [`Packed`]: rows of genotypes as bit planes, 64 columns a word.
//!
//! A genotype is two bits, a thermometer of its copies:
//!
//! ```text
//! 0 = (0, 0)    1 = (1, 0)    2 = (1, 1)    missing = (0, 1)
//! ```
//!
//! so x and z differ where (x₁ ⊕ z₁) ∨ (x₂ ⊕ z₂), 64 columns at a time. A missing cell is a
//! value of its own there; ¬x₁ ∧ x₂ gives its place.

use super::{Genotypes, MISSING};
use crate::pool::chunk_by_chunk;

/// Columns in a word.
pub(crate) const WORD: usize = 64;

/// Rows that a thread packs together.
const SHARE: usize = 8 * WORD;

/// Rows of genotypes, row after row; a row is words of 64 columns, each a pair of planes.
#[derive(Debug, Clone, PartialEq)]
pub struct Packed {
    rows: usize,
    columns: usize,
    words: usize,
    missing: bool,
    /// `bits[row · words + word]`: the first and the second plane.
    bits: Vec<[u64; 2]>,
}

impl Packed {
    /// Rows from columns of equal length.
    ///
    /// Lower bound: for 64 × 64 cells and each of two planes, 6 rounds of 32 exchanges of 6
    /// operations.
    pub fn new(rows: usize, columns: &[&Genotypes]) -> Self {
        let words = columns.len().div_ceil(WORD);
        let mut bits = vec![[0; 2]; rows * words];
        // Rows by share, and in each 64 columns at a time: a column is read as it lies in memory.
        chunk_by_chunk(&mut bits, SHARE * words, |share, bits| {
            for (word, columns) in columns.chunks(WORD).enumerate() {
                for (at, block) in bits.chunks_mut(WORD * words).enumerate() {
                    // Low and high bits of 64 rows, column by column; then row by row.
                    let (mut low, mut high) = ([0; WORD], [0; WORD]);
                    for (at_column, column) in columns.iter().enumerate() {
                        (low[at_column], high[at_column]) =
                            column.planes(share * SHARE + at * WORD);
                    }
                    transpose(&mut low);
                    transpose(&mut high);
                    for ((row, low), high) in block.chunks_exact_mut(words).zip(low).zip(high) {
                        row[word] = [low ^ high, high];
                    }
                }
            }
        });
        let missing = bits.iter().any(|&word| missing(word) != 0);
        Self { rows, columns: columns.len(), words, missing, bits }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Words in a row.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The words of `row`, each a pair of planes of 64 columns; bits beyond the last are 0.
    #[inline]
    pub fn row(&self, row: usize) -> &[[u64; 2]] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    /// The copies in `row` and `column`, or [`MISSING`].
    #[inline]
    pub fn code(&self, row: usize, column: usize) -> u16 {
        let [one, two] = self.row(row)[column / WORD];
        code(one >> (column % WORD), two >> (column % WORD))
    }

    /// The codes of `row` as those of nominal columns.
    pub fn unpack(&self, row: usize) -> Vec<u16> {
        let cells = |&[one, two]: &[u64; 2]| (0..WORD).map(move |at| code(one >> at, two >> at));
        self.row(row).iter().flat_map(cells).take(self.columns).collect()
    }

    /// 64 rows from `first` on, column by column: bit r of a column's planes is row `first + r`;
    /// bits beyond the last row are 0.
    pub fn turned(&self, first: usize) -> impl Iterator<Item = [u64; 2]> {
        let rows = first..self.rows.min(first + WORD);
        let words = (0..self.words).flat_map(move |word| {
            let (mut one, mut two) = ([0; WORD], [0; WORD]);
            for (at, row) in rows.clone().enumerate() {
                [one[at], two[at]] = self.row(row)[word];
            }
            transpose(&mut one);
            transpose(&mut two);
            one.into_iter().zip(two).map(|(one, two)| [one, two])
        });
        words.take(self.columns)
    }

    /// The columns that are missing in `row`, ascending.
    pub fn holes(&self, row: usize) -> Vec<u32> {
        let words = self.row(row).iter().enumerate();
        words.flat_map(|(at, &word)| ones(missing(word), at)).collect()
    }

    /// True when any cell is missing.
    pub fn has_missing(&self) -> bool {
        self.missing
    }

    /// How often each value occurs: `counts[(column · class_count + class) · 3 + value]`.
    ///
    /// Ones are counted a byte a column, 64 columns at a time, as long as a byte can hold them.
    pub fn value_counts(&self, classes: &[u32], class_count: usize) -> Vec<u32> {
        let mut counts = vec![0; self.columns * class_count * 3];
        for word in 0..self.words {
            let mut flush = |class: usize, bytes: &mut [[u64; 8]; 3]| {
                for (value, bytes) in bytes.iter_mut().enumerate() {
                    let each = bytes.iter().flat_map(|eight| eight.to_le_bytes());
                    for (column, count) in (word * WORD..self.columns).zip(each) {
                        counts[(column * class_count + class) * 3 + value] += u32::from(count);
                    }
                    *bytes = [0; 8];
                }
            };
            let mut sums = vec![([[0; 8]; 3], 0); class_count];
            for (row, &class) in classes.iter().enumerate() {
                let [one, two] = self.row(row)[word];
                let (bytes, held) = &mut sums[class as usize];
                for (bytes, mask) in bytes.iter_mut().zip([!one & !two, one & !two, one & two]) {
                    for (at, eight) in bytes.iter_mut().enumerate() {
                        *eight += SPREAD[usize::from((mask >> (8 * at)) as u8)];
                    }
                }
                *held += 1;
                if *held == 255 {
                    flush(class as usize, bytes);
                    *held = 0;
                }
            }
            sums.iter_mut().enumerate().for_each(|(class, (bytes, _))| flush(class, bytes));
        }
        counts
    }

    /// In how many columns both `row` and `other` of `of` are known and differ.
    pub fn mismatches(&self, row: usize, of: &Self, other: usize) -> u64 {
        let words = self.row(row).iter().zip(of.row(other));
        let count = |(&x, &z)| u64::from((differ(x, z) & !(missing(x) | missing(z))).count_ones());
        words.map(count).sum()
    }

    /// The sum of `factors` over the columns in which both `row` and `other` of `of` are known and
    /// differ, in order.
    pub fn weighted_mismatches(&self, row: usize, of: &Self, other: usize, factors: &[f64]) -> f64 {
        let words = self.row(row).iter().zip(of.row(other)).enumerate();
        let columns = words.flat_map(|(at, (&x, &z))| {
            ones(differ(x, z) & !(missing(x) | missing(z)), at).map(|column| column as usize)
        });
        // From 0: an empty sum would be −0, which is less where numbers are put in order.
        columns.fold(0.0, |sum, column| sum + factors[column])
    }
}

/// Byte i of entry b is bit i of b.
static SPREAD: [u64; 256] = spread();

const fn spread() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// The bits in which two words differ; a missing cell counts as a separate value.
#[inline(always)]
pub(crate) fn differ(x: [u64; 2], z: [u64; 2]) -> u64 {
    (x[0] ^ z[0]) | (x[1] ^ z[1])
}

/// Where a word's cells are missing.
#[inline(always)]
pub(crate) fn missing([one, two]: [u64; 2]) -> u64 {
    !one & two
}

/// The columns of the bits set in word `at`.
pub(crate) fn ones(mut bits: u64, at: usize) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let next = (bits != 0).then(|| bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        next.map(|bit| (at * WORD) as u32 + bit)
    })
}

#[inline(always)]
fn code(one: u64, two: u64) -> u16 {
    match (one & 1, two & 1) {
        (0, 1) => MISSING,
        (one, two) => (one + two) as u16,
    }
}

/// Turn a square of 64 × 64 bits: bit j of word i becomes bit i of word j.
fn transpose(square: &mut [u64; WORD]) {
    let (mut width, mut mask) = (32, 0x0000_0000_FFFF_FFFFu64);
    while width > 0 {
        // Swap the upper right with the lower left quarter of each block of 2 · width.
        for start in (0..WORD).filter(|i| i & width == 0) {
            let swap = (square[start] >> width ^ square[start + width]) & mask;
            square[start] ^= swap << width;
            square[start + width] ^= swap;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(rows: usize, count: usize) -> Vec<Genotypes<'static>> {
        let cell = |row: usize, column: usize| {
            let mix = (row * 31 + column * 17 + row * column * 7) % 11 % 4;
            Some(mix as u8).filter(|&c| c < 3)
        };
        (0..count).map(|c| Genotypes::from_copies((0..rows).map(|r| cell(r, c))).unwrap()).collect()
    }

    #[test]
    fn packed_rows_hold_the_cells_of_their_columns() {
        for (rows, count) in [(1, 1), (5, 63), (63, 64), (64, 65), (65, 130), (130, 3)] {
            let columns = columns(rows, count);
            let packed = Packed::new(rows, &columns.iter().collect::<Vec<_>>());
            for row in 0..rows {
                let codes: Vec<u16> = columns.iter().map(|c| c.code(row)).collect();
                assert_eq!(packed.unpack(row), codes);
                let cell = |column| packed.code(row, column);
                assert_eq!((0..count).map(cell).collect::<Vec<_>>(), codes);
                let holes: Vec<u32> =
                    (0..count as u32).filter(|&c| codes[c as usize] == MISSING).collect();
                assert_eq!(packed.holes(row), holes);
            }
        }
    }

    #[test]
    fn turned_rows_hold_the_same_cells() {
        for (rows, count) in [(1, 1), (63, 64), (64, 65), (130, 3)] {
            let columns = columns(rows, count);
            let packed = Packed::new(rows, &columns.iter().collect::<Vec<_>>());
            for first in (0..rows).step_by(WORD) {
                let turned: Vec<[u64; 2]> = packed.turned(first).collect();
                assert_eq!(turned.len(), count);
                for (column, [one, two]) in turned.into_iter().enumerate() {
                    let cell = |row: usize| match first + row < rows {
                        true => packed.code(first + row, column),
                        false => 0,
                    };
                    let found: Vec<u16> = (0..WORD).map(|r| code(one >> r, two >> r)).collect();
                    assert_eq!(found, (0..WORD).map(cell).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn values_are_counted_by_class() {
        let (rows, count) = (600, 70);
        let columns = columns(rows, count);
        let packed = Packed::new(rows, &columns.iter().collect::<Vec<_>>());
        let classes: Vec<u32> = (0..rows as u32).map(|row| u32::from(row % 5 == 0)).collect();
        let counts = packed.value_counts(&classes, 2);
        for (column, class, value) in
            (0..count).flat_map(|f| (0..2).flat_map(move |c| (0..3).map(move |v| (f, c, v))))
        {
            let is =
                |row: &usize| classes[*row] == class && packed.code(*row, column) == value as u16;
            let plain = (0..rows).filter(is).count();
            assert_eq!(counts[(column * 2 + class as usize) * 3 + value], plain as u32);
        }
    }

    #[test]
    fn mismatches_are_counted_where_both_cells_are_known() {
        let columns = columns(20, 150);
        let packed = Packed::new(20, &columns.iter().collect::<Vec<_>>());
        for (i, j) in (0..20).flat_map(|i| (0..20).map(move |j| (i, j))) {
            let cells = packed.unpack(i).into_iter().zip(packed.unpack(j));
            let plain = cells.filter(|(x, z)| x != z && *x != MISSING && *z != MISSING).count();
            assert_eq!(packed.mismatches(i, &packed, j), plain as u64);
            let ones = packed.weighted_mismatches(i, &packed, j, &[1.0; 150]);
            assert_eq!(ones, plain as f64);
        }
    }
}
