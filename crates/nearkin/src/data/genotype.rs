//! [`Genotypes`]: copies of an allele, two bits a cell, owned or borrowed from the caller.
//!
//! Lower bound: a quarter of a byte a cell. Planes of 64 cells take every other bit of a word, an
//! instruction each with `PEXT`; this code takes 16 operations.

use std::borrow::Cow;

use super::MISSING;
use crate::{DataError, Result};

/// Cells in a byte.
const CELLS: usize = 4;

/// The two bits of a missing cell.
const HOLE: u8 = 3;

/// A column of genotypes: 0, 1 or 2 copies of an allele, or missing.
///
/// Four cells lie in a byte, the first in its lowest bits; the bits are the copies, 3 stands
/// for a missing cell. A genotype is a category with the three values 0, 1 and 2, whether or
/// not all of them occur: two cells differ or they do not. An [`additive`](Self::additive)
/// column is a number instead, whose range is 0 to 2: cells differ by half the copies they are
/// apart, 0, ½ or 1 of the range.
///
/// ```
/// use nearkin::data::Genotypes;
/// let cells = Genotypes::from_copies([Some(0), Some(2), None, Some(1), Some(2)])?;
/// assert_eq!(cells.at(1), Some(2));
/// assert_eq!(cells.missing(), 1);
/// assert_eq!(cells.bytes(), [0b01_11_10_00, 0b10]);
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Genotypes<'a> {
    bytes: Cow<'a, [u8]>,
    len: usize,
    additive: bool,
}

impl<'a> Genotypes<'a> {
    /// The names of the three categories, in code order.
    pub const CATEGORIES: [&'static str; 3] = ["0", "1", "2"];

    /// `len` cells from their bytes, owned or borrowed; bits beyond the last cell do not count.
    ///
    /// # Errors
    /// Another number of bytes than the cells take.
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>, len: usize) -> Result<Self> {
        let bytes = bytes.into();
        if bytes.len() != len.div_ceil(CELLS) {
            let (needed, given) = (len.div_ceil(CELLS), bytes.len());
            return Err(DataError::GenotypeBytes { cells: len, needed, given }.into());
        }
        Ok(Self { bytes, len, additive: false })
    }

    /// Cells from copies of the allele; `None` marks a missing cell.
    ///
    /// # Errors
    /// The first cell of more than 2 copies.
    pub fn from_copies(cells: impl IntoIterator<Item = Option<u8>>) -> Result<Self> {
        let cells = cells.into_iter();
        let mut bytes = Vec::with_capacity(cells.size_hint().0.div_ceil(CELLS));
        let mut len = 0;
        for cell in cells {
            let bits = cell.unwrap_or(HOLE);
            if cell.is_some_and(|copies| copies > 2) {
                return Err(DataError::NoGenotype { row: len, copies: bits }.into());
            }
            push(&mut bytes, len, bits);
            len += 1;
        }
        Ok(Self { bytes: Cow::Owned(bytes), len, additive: false })
    }

    /// Cells from codes: code c means `copies[c]` copies, for up to three genotypes. A code
    /// without an entry means a missing cell.
    pub(super) fn from_codes(codes: &[u16], copies: &[u16]) -> Self {
        let mut bits_of = [HOLE; 4];
        bits_of[..3].iter_mut().zip(copies).for_each(|(bits, &copies)| *bits = copies as u8);
        let bits = |&code: &u16| bits_of[usize::from(code.min(3))];
        let byte = |cells: &[u16]| {
            let places = cells.iter().zip([0, 2, 4, 6]);
            places.fold(0, |byte, (code, place)| byte | bits(code) << place)
        };
        let bytes = codes.chunks(CELLS).map(byte).collect();
        Self { bytes: Cow::Owned(bytes), len: codes.len(), additive: false }
    }

    /// The same cells, but the difference of two cells is half the difference of their copies.
    pub fn additive(self) -> Self {
        Self { additive: true, ..self }
    }

    /// True if the difference of two cells is half the difference of their copies; false if it is
    /// 0 or 1.
    pub fn is_additive(&self) -> bool {
        self.additive
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes, four cells in each.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The copies in `row`, `None` when missing.
    #[inline]
    pub fn at(&self, row: usize) -> Option<u8> {
        Some(self.bits(row)).filter(|&bits| bits != HOLE)
    }

    /// The code of `row` as that of a nominal column: the copies, or [`MISSING`].
    #[inline]
    pub fn code(&self, row: usize) -> u16 {
        match self.bits(row) {
            HOLE => MISSING,
            copies => u16::from(copies),
        }
    }

    fn bits(&self, row: usize) -> u8 {
        assert!(row < self.len, "row {row} of {} genotypes", self.len);
        self.bytes[row / CELLS] >> (2 * (row % CELLS)) & HOLE
    }

    /// The codes in row order.
    pub fn codes(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.len).map(|row| self.code(row))
    }

    /// The number of missing cells.
    pub fn missing(&self) -> usize {
        let whole = self.len / CELLS;
        let in_byte = |&byte: &u8| (byte & byte >> 1 & 0b01_01_01_01).count_ones() as usize;
        let rest = (whole * CELLS..self.len).filter(|&row| self.at(row).is_none()).count();
        self.bytes[..whole].iter().map(in_byte).sum::<usize>() + rest
    }

    /// How many cells are 0, 1, 2 and missing.
    ///
    /// ```
    /// use nearkin::data::Genotypes;
    /// let cells = Genotypes::from_copies([Some(0), Some(2), None, Some(1), Some(2)])?;
    /// assert_eq!(cells.counts(), [1, 1, 2, 1]);
    /// # Ok::<(), nearkin::Error>(())
    /// ```
    pub fn counts(&self) -> [usize; 4] {
        let mut counts = [0; 4];
        for first in (0..self.len).step_by(64) {
            let (low, high) = self.planes(first);
            counts[1] += (low & !high).count_ones() as usize;
            counts[2] += (high & !low).count_ones() as usize;
            counts[3] += (low & high).count_ones() as usize;
        }
        counts[0] = self.len - counts[1] - counts[2] - counts[3];
        counts
    }

    /// The same cells, owned.
    pub fn into_owned(self) -> Genotypes<'static> {
        Genotypes { bytes: Cow::Owned(self.bytes.into_owned()), ..self }
    }

    /// The same cells, borrowed.
    pub fn view(&self) -> Genotypes<'_> {
        Genotypes { bytes: Cow::Borrowed(&self.bytes), ..*self }
    }

    /// The cells at the given rows, owned.
    pub fn select(&self, rows: &[usize]) -> Genotypes<'static> {
        let mut bytes = Vec::with_capacity(rows.len().div_ceil(CELLS));
        for (at, &row) in rows.iter().enumerate() {
            push(&mut bytes, at, self.bits(row));
        }
        Genotypes { bytes: Cow::Owned(bytes), len: rows.len(), additive: self.additive }
    }

    /// The low and the high bits of 64 cells from row `first` on; bits after the last row are 0.
    pub(super) fn planes(&self, first: usize) -> (u64, u64) {
        let mut pair = [0u8; 16];
        let bytes = &self.bytes[first / CELLS..];
        let count = bytes.len().min(pair.len());
        pair[..count].copy_from_slice(&bytes[..count]);
        let both = u128::from_le_bytes(pair);
        let cells = (self.len - first).min(64) as u32;
        let within = u64::MAX >> (64 - cells);
        let half = |shift: u32| {
            let bits = both >> shift;
            (even_bits(bits as u64) | even_bits((bits >> 64) as u64) << 32) & within
        };
        (half(0), half(1))
    }
}

impl PartialEq for Genotypes<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.len, self.additive) == (other.len, other.additive) && self.codes().eq(other.codes())
    }
}

fn push(bytes: &mut Vec<u8>, at: usize, bits: u8) {
    if at.is_multiple_of(CELLS) {
        bytes.push(0);
    }
    if let Some(byte) = bytes.last_mut() {
        *byte |= bits << (2 * (at % CELLS));
    }
}

/// Bits 0, 2, 4, … side by side in the lower half.
fn even_bits(mut x: u64) -> u64 {
    x &= 0x5555_5555_5555_5555;
    x = (x | x >> 1) & 0x3333_3333_3333_3333;
    x = (x | x >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    x = (x | x >> 4) & 0x00FF_00FF_00FF_00FF;
    x = (x | x >> 8) & 0x0000_FFFF_0000_FFFF;
    (x | x >> 16) & 0x0000_0000_FFFF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_as_they_were_given() {
        for len in [0, 1, 3, 4, 5, 63, 64, 65, 130] {
            let given: Vec<Option<u8>> =
                (0..len).map(|i| Some((i * i % 7 % 4) as u8).filter(|&c| c < 3)).collect();
            let cells = Genotypes::from_copies(given.iter().copied()).unwrap();
            assert_eq!((0..len).map(|row| cells.at(row)).collect::<Vec<_>>(), given);
            assert_eq!(cells.missing(), given.iter().filter(|c| c.is_none()).count());
            let count = |copies| given.iter().filter(|cell| **cell == copies).count();
            assert_eq!(cells.counts(), [Some(0), Some(1), Some(2), None].map(count));
            let codes: Vec<u16> =
                given.iter().map(|c| c.map_or(MISSING, |c| 2 - c as u16)).collect();
            assert_eq!(Genotypes::from_codes(&codes, &[2, 1, 0]), cells);
            let few: Vec<Option<u8>> = given.iter().map(|c| c.filter(|&c| c > 0)).collect();
            assert_eq!(
                Genotypes::from_codes(&codes, &[2, 1]),
                Genotypes::from_copies(few).unwrap()
            );
            let reversed: Vec<usize> = (0..len).rev().collect();
            let turned = cells.select(&reversed);
            assert!(turned.codes().eq(reversed.iter().map(|&row| cells.code(row))));
            assert_eq!(cells.view(), cells);
        }
    }

    #[test]
    fn bits_beyond_the_last_cell_do_not_count() {
        let clean = Genotypes::new(vec![0b10_01], 2).unwrap();
        let other = Genotypes::new(&[0b1111_1001][..], 2).unwrap();
        assert_eq!(clean, other);
        assert_eq!((other.missing(), other.planes(0)), (0, (0b01, 0b10)));
    }

    #[test]
    fn what_is_no_genotype_is_refused() {
        let refuse = Genotypes::from_copies([Some(1), Some(3)]).unwrap_err().to_string();
        assert!(refuse.contains("row 1") && refuse.contains("not 3"), "{refuse}");
        assert!(Genotypes::new(vec![0; 3], 8).unwrap_err().to_string().contains("take 2 bytes"));
    }
}
