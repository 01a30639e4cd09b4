//! Packs: a few features of a few rows, laid out for kernels that sum over lists of rows.
//!
//! A row of any pack is 64 bytes, a pack 257 of them: 16 KiB, which stay in the first cache for
//! all lists.

/// Rows that are packed together, small enough for the innermost cache; a place is a byte.
pub const PACK: usize = 255;

/// Rows a pack has room for: two more than it holds. A row of zeros comes last but one, and the
/// odd number keeps the same place in two packs out of the same set of the cache.
pub const PACK_ROOM: usize = PACK + 2;

/// The place of the row of zeros.
const ZEROS: u8 = PACK as u8;

/// Features of doubles, of whole numbers and of codes whose sums stay in registers while packed
/// rows pass by.
pub const NUMBER_RUN: usize = 8;
/// As [`NUMBER_RUN`].
pub const WHOLE_RUN: usize = 16;
/// As [`NUMBER_RUN`].
pub const CODE_RUN: usize = 32;

/// Places in a pack, then places of the row of zeros up to the next multiple of [`GRID_ROWS`], so
/// that a kernel has no remainder of unpredictable length.
#[derive(Debug, Clone)]
pub struct Places {
    at: [u8; PACK + GRID_ROWS],
    count: usize,
}

impl Places {
    /// None.
    pub const NONE: Self = Self { at: [ZEROS; PACK + GRID_ROWS], count: 0 };

    /// Take as many of a list of ascending places as are below `first` + [`PACK`], counted from
    /// `first`.
    #[inline(always)]
    pub fn take(&mut self, list: &[u32], first: u32) -> usize {
        let list = &list[..list.len().min(PACK)];
        // All are compared: faster than a search with unpredictable branches.
        // A plain loop: an iterator's might be compiled without the instruction set.
        let mut below = 0u32;
        for &place in list {
            below += u32::from(place < first + PACK as u32);
        }
        self.count = below as usize;
        for (to, place) in self.at.iter_mut().zip(&list[..self.count]) {
            *to = (place - first) as u8;
        }
        self.at[self.count..self.count + GRID_ROWS].fill(ZEROS);
        self.count
    }

    /// The places.
    #[inline(always)]
    pub fn taken(&self) -> &[u8] {
        &self.at[..self.count]
    }

    /// The places and some of zeros, and how many those are.
    #[inline(always)]
    pub fn padded(&self) -> (&[[u8; GRID_ROWS]], usize) {
        let (chunks, _) = self.at.as_chunks();
        let padded = self.count.next_multiple_of(GRID_ROWS);
        (&chunks[..padded / GRID_ROWS], padded - self.count)
    }
}

/// The largest whole number on a grid: sums of [`GRID_ROWS`] differences fit in 32 bits.
pub const GRID: u32 = (1 << 28) - 1;

/// Differences of whole numbers that are added up before they go to a longer sum.
pub const GRID_ROWS: usize = 16;

/// A run of features of a few rows; aligned, so that no load has to fetch two lines of the cache.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Pack<P, const RUN: usize>(pub [[P; RUN]; PACK_ROOM]);

/// A kernel over the rows of a pack at the given places, from the run of a target, added to sums.
pub type Listed<P, S, const RUN: usize> = fn(&Pack<P, RUN>, &[P; RUN], &Places, &mut [S; RUN]);

/// Packed numbers.
pub type NumberPack = Pack<f64, NUMBER_RUN>;
/// Packed numbers on a grid of whole ones.
pub type WholePack = Pack<u32, WHOLE_RUN>;
/// Packed codes.
pub type CodePack = Pack<u16, CODE_RUN>;
