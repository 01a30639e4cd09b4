//! The arithmetic of a tile: the table of kernels, and the choice of instruction set.
//!
//! Rows stand in *groups* of [`LANES`]: feature by feature, the [`LANES`] values of that
//! feature side by side. A kernel takes a group of queries and a group of base rows and adds
//! to the 16 × 16 [`Sums`] between them, one feature after the other, so that every
//! instruction set gives the same bits.
//!
//! Manhattan distance costs two operations an element instead of three, because
//!
//! ```text
//! Σ|x − z| = 2 Σ max(x, z) − Σx − Σz
//! ```
//!
//! and the row sums are known. The numbers are fixed-point, 24 bits or more in a `u32`:
//! their sums are exact, and whole numbers pass through twice as many of a processor's units as
//! floats (`cargo bench -p nearkin --bench engine` measures how many).
//! What rounding to fixed point costs is inside the error bound of
//! [`Panels`](crate::neighbors::filter::panel::Panels), and double precision has the last word.

#[macro_use]
mod bodies;

mod avx2;
mod avx512;
pub(crate) mod limit;
pub(crate) mod overlap;
pub(crate) mod pack;
pub(crate) mod packed;
mod plain;

use pack::{CODE_RUN, Listed, NUMBER_RUN, WHOLE_RUN};
use packed::{Ones, Word};

/// Rows in a group: the width of an AVX-512 register of `f32`.
pub const LANES: usize = 16;

/// Rows in a group of byte codes: the width of an AVX-512 register of bytes.
pub const CODE_LANES: usize = 64;

/// Sums between two groups, a part of a tile: query i and base row j meet at
/// `cells[i · stride + j]`.
#[derive(Debug)]
pub struct Sums<'a, T = f32> {
    cells: &'a mut [T],
    stride: usize,
}

impl<'a, T> Sums<'a, T> {
    /// The 16 × 16 cells that begin at the first of `cells`.
    pub fn new(cells: &'a mut [T], stride: usize) -> Self {
        assert!(stride >= LANES && cells.len() >= (LANES - 1) * stride + LANES);
        Self { cells, stride }
    }

    /// The sixteen sums of query `i`.
    #[inline(always)]
    pub fn row(&mut self, i: usize) -> &mut [T; LANES] {
        let (rows, _) = self.cells[i * self.stride..i * self.stride + LANES].as_chunks_mut();
        &mut rows[0]
    }
}

/// Sums of the fixed-point numbers of sixteen queries and of sixteen base rows.
pub type Totals<'a> = (&'a [u32; LANES], &'a [u32; LANES]);

/// Whole-number sums between two groups, modulo 2³².
pub type Whole = [[u32; LANES]; LANES];

/// Scores between sixteen queries and sixteen base rows.
pub type ScoreTile = [[i32; LANES]; LANES];

/// The start of the sums of products in each base lane, and the least score that each query takes.
pub type Starts<'a> = (&'a [i32; LANES], &'a [i32; LANES]);

/// Queries of a search under changing factors.
pub const SQUARED_QUERIES: usize = 8;

/// Filter values between a few queries and a group of base rows.
pub type Squares = [[f32; LANES]; SQUARED_QUERIES];

/// Mismatch counts between 16 queries and a group of byte codes, `counts[query][base]`.
pub type CodeCounts = [[u8; CODE_LANES]; LANES];

/// Where a tile row passes its thresholds, sixteen lanes at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// Group of base lanes within the tile row.
    pub group: u32,
    /// Lanes within the query's threshold.
    pub query: u16,
    /// Lanes within their own threshold for the query.
    pub base: u16,
}

/// An instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isa {
    /// Plain Rust.
    Portable,
    /// AVX2 with FMA.
    Avx2,
    /// AVX-512 F, BW and VL.
    Avx512,
}

impl Isa {
    /// Those this machine has, slowest first.
    pub fn available() -> Vec<Self> {
        let all = [Self::Portable, Self::Avx2, Self::Avx512];
        all.into_iter().filter(|isa| isa.is_available()).collect()
    }

    /// The fastest this machine has.
    pub fn best() -> Self {
        let all = [Self::Avx512, Self::Avx2];
        all.into_iter().find(|isa| isa.is_available()).unwrap_or(Self::Portable)
    }

    fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Avx2 => AVX2.are_there(),
            Self::Avx512 => AVX2.are_there() && AVX512.are_there(),
        }
    }

    /// The kernels of this instruction set, or plain ones where the machine lacks it.
    pub(crate) fn kernels(self) -> &'static Kernels {
        match self {
            _ if !self.is_available() => plain::KERNELS,
            Self::Portable => plain::KERNELS,
            Self::Avx2 => avx2::KERNELS,
            Self::Avx512 => avx512::KERNELS,
        }
    }
}

/// Features of a processor: their names, and whether this machine has them all.
#[cfg_attr(not(test), allow(dead_code))] // the names are for the test that reads the kernels
struct Features(&'static [&'static str], fn() -> bool);

impl Features {
    fn are_there(&self) -> bool {
        (self.1)()
    }
}

macro_rules! features {
    ($($name:tt),*) => {
        Features(&[$($name),*], || {
            #[cfg(target_arch = "x86_64")]
            return true $(&& is_x86_feature_detected!($name))*;
            #[cfg(not(target_arch = "x86_64"))]
            return false;
        })
    };
}

/// All that kernels for [`Isa::Avx2`] may use.
const AVX2: Features = features!("avx2", "fma", "popcnt");

/// All that kernels for [`Isa::Avx512`] may use beyond that, unless they ask for more themselves.
const AVX512: Features = features!("avx512f", "avx512bw", "avx512vl");

/// Write a function of plain loops, compiled for each instruction set; calls go to the best.
///
/// Generic parameters stand in brackets. With AVX2 and better, `f64::mul_add` is an instruction.
macro_rules! for_each_isa {
    ($(#[$about:meta])* $seen:vis fn $name:ident[$($generic:tt)*]($($argument:ident: $type:ty),* $(,)?)
        $(-> $answer:ty)? $body:block) => {
        $(#[$about])*
        $seen fn $name<$($generic)*>($($argument: $type),*) $(-> $answer)? {
            #[inline(always)]
            fn plain<$($generic)*>($($argument: $type),*) $(-> $answer)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,fma")]
                fn avx512<$($generic)*>($($argument: $type),*) $(-> $answer)? {
                    plain($($argument),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2<$($generic)*>($($argument: $type),*) $(-> $answer)? {
                    plain($($argument),*)
                }
                // SAFETY: the machine has these features.
                #[allow(unsafe_code)]
                match $crate::neighbors::Isa::best() {
                    $crate::neighbors::Isa::Avx512 => return unsafe { avx512($($argument),*) },
                    $crate::neighbors::Isa::Avx2 => return unsafe { avx2($($argument),*) },
                    $crate::neighbors::Isa::Portable => {}
                }
            }
            plain($($argument),*)
        }
    };
}
pub(crate) use for_each_isa;

/// The kernels of one instruction set.
#[allow(clippy::type_complexity)] // the signatures are the documentation
#[derive(Debug)]
pub(crate) struct Kernels {
    /// `sums += unit · (2 Σ_f max(q_f, b_f) − (own + totals))`, the sums of the queries' and of
    /// the base rows' numbers in `totals`; so few features that no distance reaches 2³².
    pub fixed: fn(q: &[u32], b: &[u32], totals: Totals, unit: f32, sums: Sums),
    /// As `fixed`, in whole numbers without their lowest bits: `sums += distance >> shift`.
    pub graded: fn(q: &[u32], b: &[u32], totals: Totals, shift: u32, sums: Sums<u32>),
    /// `sums += Σ_f q_f · b_f`, fused.
    pub dot: fn(q: &[f32], b: &[f32], sums: Sums),
    /// `scores = start + Σ_f q_f · b_f` over pairs of 16-bit numbers, the first in the low half,
    /// and the lanes of each query that reach its least score. Where none does at all the answer
    /// is false, and scores of a query without any are not written.
    pub scores: fn(
        q: &[i32],
        b: &[i32],
        of: Starts,
        masks: &mut [u16; LANES],
        scores: &mut ScoreTile,
    ) -> bool,
    /// `values = Σ_f q_f · b_f + Σ_f factor_f · b_f²`, fused, for eight queries.
    pub squares: fn(q: &[f32], factors: &[f32], b: &[f32], values: &mut Squares),
    /// `sums += Σ_f factor_f · [q_f ≠ b_f]`.
    pub mismatch: fn(q: &[f32], b: &[f32], factors: &[f32], sums: Sums),
    /// As `mismatch`, of codes that fit a byte.
    pub mismatch_bytes: fn(q: &[u8], b: &[u8], factors: &[f32], sums: Sums),
    /// `values += Σ_f factor_f · [q_f ≠ b_f]` of codes that fit a byte, for eight queries.
    pub mismatch_few: fn(q: &[u8], factors: &[f32], b: &[u8], values: &mut Squares),
    /// `counts += Σ_f [q_f ≠ b_f]` for 16 of a code group's lanes from `first`; at most 255
    /// features.
    pub mismatch_codes: fn(q: &[u8], first: usize, b: &[u8], counts: &mut CodeCounts),
    /// `sums += Σ_f [q_f ≠ b_f]` over packed genotypes, word by word.
    pub mismatch_planes: fn(q: &[Word], b: &[Word], sums: Sums),
    /// `rounds` times what `mismatch_planes` takes for a word of 64 columns, on counts of 8 × 16
    /// pairs of rows: the limit of that kernel.
    pub mismatch_limit: fn(rounds: usize, counts: &mut Ones),
    /// `sums += Σ_j |x − z_j|` over the rows of a pack at `places`: every fourth of the list by
    /// itself, then (first + second) + (third + fourth).
    pub differences: Listed<f64, f64, NUMBER_RUN>,
    /// `sums += Σ_j |x − z_j|` of whole numbers up to
    /// [`GRID`](crate::neighbors::kernel::pack::GRID), as `differences`, and exact.
    pub whole_differences: Listed<u32, u64, WHOLE_RUN>,
    /// `counts += Σ_j [x ≠ z_j]` over the rows of a pack at `places`.
    pub mismatches: Listed<u16, u32, CODE_RUN>,
    /// `rounds` times a max and an add on 16 × 16 sums held in registers: the limit of `fixed`.
    pub max_limit: fn(rounds: usize, sums: &mut Whole),
    /// `rounds` times a fused multiply-add on 16 × 16 sums: the limit of `dot`.
    pub product_limit: fn(rounds: usize, sums: Sums),
    /// Add the places of values in `low..high` to the list.
    pub select: fn(values: &[u32], low: u32, high: u32, places: &mut Vec<u32>),
    /// `values = own + totals − 2 · values`: squared distances from products.
    pub finish: fn(values: &mut [f32], own: f32, totals: &[f32]),
    /// Lanes of a tile row within the query's threshold for their group, or within their own.
    pub pass: fn(row: &[f32], query: &[f32], base: &[f32], out: &mut Vec<Pass>),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The features that functions of a source file are compiled for.
    fn enabled(source: &str) -> Vec<&str> {
        let openings = ["target_feature(enable = \"", "operations! { \"", "bodies! { \""];
        let lists = openings.iter().flat_map(|opening| source.split(opening).skip(1));
        lists.flat_map(|rest| rest.split('"').next().unwrap().split(',')).collect()
    }

    #[test]
    fn an_instruction_set_is_there_only_with_every_feature_its_kernels_use() {
        // These are asked for where they are used.
        const ASKED: [&str; 3] = ["avx512vnni", "avx512dq", "avx512vpopcntdq"];
        let known = |feature: &&str, sets: &[Features]| {
            ASKED.contains(feature) || sets.iter().any(|set| set.0.contains(feature))
        };
        let avx2 = enabled(include_str!("avx2.rs"));
        assert!(avx2.len() > 5 && avx2.iter().all(|feature| known(feature, &[AVX2])));
        let (wide, packed) = (include_str!("avx512.rs"), include_str!("packed.rs"));
        let overlap = include_str!("overlap.rs");
        let sources = [wide, packed, overlap, include_str!("mod.rs")];
        for feature in sources.into_iter().flat_map(enabled) {
            assert!(known(&feature, &[AVX2, AVX512]), "{feature}");
        }
        let narrow = enabled(packed).into_iter().filter(|feature| !feature.starts_with("avx512"));
        assert!(narrow.clone().count() > 0, "the packed kernel has a form for AVX2");
        narrow.for_each(|feature| assert!(AVX2.0.contains(&feature), "{feature}"));
    }
}
