//! The arithmetic of a tile: plain definitions, and the choice of instruction set.
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
//! floats (measured: 58 G elements a second on a core whose float max-and-add stops at 29 G).
//! What rounding to fixed point costs is inside the error bound of
//! [`Panels`](super::panel::Panels), and double precision has the last word.

use super::kernel_packed::{self, Word};
use super::{kernel_avx2, kernel_avx512};
use crate::measure::Metric;

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
pub type Scores = [[i32; LANES]; LANES];

/// What sums of products start from in each base lane, and the least score wanted by each query.
pub type Starts<'a> = (&'a [i32; LANES], &'a [i32; LANES]);

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

/// Places in a pack, and places of zeros up to the next multiple of [`GRID_ROWS`], so that
/// a kernel has no rest whose length nobody could foresee.
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
        // All are compared: quicker than a search that nobody could foresee.
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
pub type Numbers = Pack<f64, NUMBER_RUN>;
/// Packed numbers on a grid of whole ones.
pub type Wholes = Pack<u32, WHOLE_RUN>;
/// Packed codes.
pub type Codes = Pack<u16, CODE_RUN>;

/// Queries of a search under changing factors.
pub const SQUARED_QUERIES: usize = 8;

/// Filter values between a few queries and a group of base rows.
pub type Squares = [[f32; LANES]; SQUARED_QUERIES];

/// Mismatch counts between 16 queries and a group of byte codes, `counts[query][base]`.
pub type Counts = [[u8; CODE_LANES]; LANES];

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
        #[cfg(target_arch = "x86_64")]
        return match self {
            Self::Portable => true,
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        return self == Self::Portable;
    }

    /// The kernels of this instruction set, or plain ones where the machine lacks it.
    pub(crate) fn kernels(self) -> &'static Kernels {
        match self {
            _ if !self.is_available() => &PLAIN,
            Self::Portable => &PLAIN,
            Self::Avx2 => kernel_avx2::KERNELS,
            Self::Avx512 => kernel_avx512::KERNELS,
        }
    }
}

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

/// Elements a second one core can work off with everything in registers, measured over about
/// `seconds`: the limit of a tile. An element is a max and an add of whole numbers for Manhattan
/// tiles, a fused multiply-add of floats for Euclidean ones.
pub fn arithmetic_limit(isa: Isa, metric: Metric, seconds: f64) -> f64 {
    const ROUNDS: usize = 4096;
    let kernels = isa.kernels();
    let (mut whole, mut cells) = ([[1u32; LANES]; LANES], [1.0; LANES * LANES]);
    let (start, mut best) = (std::time::Instant::now(), 0.0f64);
    while start.elapsed().as_secs_f64() < seconds {
        let round = std::time::Instant::now();
        for _ in 0..8 {
            match metric {
                Metric::Manhattan => (kernels.max_limit)(ROUNDS, std::hint::black_box(&mut whole)),
                Metric::Euclidean => {
                    let sums = Sums::new(std::hint::black_box(&mut cells), LANES);
                    (kernels.product_limit)(ROUNDS, sums);
                }
            }
        }
        best = best.max((8 * ROUNDS * LANES * LANES) as f64 / round.elapsed().as_secs_f64());
    }
    best
}

/// The kernels of one instruction set.
#[allow(clippy::type_complexity)] // the signatures are the documentation
#[derive(Debug)]
pub(crate) struct Kernels {
    /// `sums += unit · (2 Σ_f max(q_f, b_f) − (own + totals))`, the sums of the queries' and of the
    /// base rows' numbers in `totals`; so few features that no distance reaches 2³².
    pub fixed: fn(q: &[u32], b: &[u32], totals: Totals, unit: f32, sums: Sums),
    /// As `fixed`, in whole numbers without their lowest bits: `sums += distance >> shift`.
    pub graded: fn(q: &[u32], b: &[u32], totals: Totals, shift: u32, sums: Sums<u32>),
    /// `sums += Σ_f q_f · b_f`, fused.
    pub dot: fn(q: &[f32], b: &[f32], sums: Sums),
    /// `scores = start + Σ_f q_f · b_f` over pairs of 16-bit numbers, the first in the low half, and
    /// the lanes of each query that reach its least score. Where none does at all the answer is
    /// false, and scores of a query without any are not written.
    pub scores:
        fn(q: &[i32], b: &[i32], of: Starts, masks: &mut [u16; LANES], scores: &mut Scores) -> bool,
    /// `values = Σ_f q_f · b_f + Σ_f factor_f · b_f²`, fused, for eight queries.
    pub squares: fn(q: &[f32], factors: &[f32], b: &[f32], values: &mut Squares),
    /// `sums += Σ_f factor_f · [q_f ≠ b_f]`.
    pub mismatch: fn(q: &[f32], b: &[f32], factors: &[f32], sums: Sums),
    /// `counts += Σ_f [q_f ≠ b_f]` for 16 of a code group's lanes from `first`; at most 255 features.
    pub mismatch_codes: fn(q: &[u8], first: usize, b: &[u8], counts: &mut Counts),
    /// `sums += Σ_f [q_f ≠ b_f]` over packed genotypes, word by word.
    pub mismatch_planes: fn(q: &[Word], b: &[Word], sums: Sums),
    /// `sums += Σ_j |x − z_j|` over the rows of a pack at `places`: every fourth of the list by
    /// itself, then (first + second) + (third + fourth).
    pub differences: Listed<f64, f64, NUMBER_RUN>,
    /// `sums += Σ_j |x − z_j|` of whole numbers up to [`GRID`], as `differences`, and exact.
    pub whole_differences: Listed<u32, u64, WHOLE_RUN>,
    /// `counts += Σ_j [x ≠ z_j]` over the rows of a pack at `places`.
    pub mismatches: Listed<u16, u32, CODE_RUN>,
    /// `rounds` times a max and an add on 16 × 16 sums held in registers: what `fixed` cannot beat.
    pub max_limit: fn(rounds: usize, sums: &mut Whole),
    /// `rounds` times a fused multiply-add on 16 × 16 sums: what `dot` cannot beat.
    pub product_limit: fn(rounds: usize, sums: Sums),
    /// Add the places of values in `low..high` to the list.
    pub select: fn(values: &[u32], low: u32, high: u32, places: &mut Vec<u32>),
    /// `values = own + totals − 2 · values`: squared distances from products.
    pub finish: fn(values: &mut [f32], own: f32, totals: &[f32]),
    /// Lanes of a tile row within the query's threshold for their group, or within their own.
    pub pass: fn(row: &[f32], query: &[f32], base: &[f32], out: &mut Vec<Pass>),
}

pub(crate) static PLAIN: Kernels = Kernels {
    fixed: |q, b, totals, unit, sums| plain::add_fixed(&plain::max_sum(q, b), totals, unit, sums),
    graded: |q, b, totals, shift, sums| {
        plain::add_graded(&plain::max_sum(q, b), totals, shift, sums);
    },
    dot: plain::dot,
    scores: plain::scores,
    squares: plain::squares,
    mismatch: plain::mismatch,
    mismatch_codes: plain::mismatch_codes,
    mismatch_planes: kernel_packed::plain,
    differences: plain::differences,
    whole_differences: plain::whole_differences,
    mismatches: plain::mismatches,
    max_limit: plain::max_limit,
    product_limit: plain::product_limit,
    select: plain::select,
    finish: plain::finish,
    pass: plain::pass,
};

/// The definitions; every other instruction set is tested against them at edge sizes.
pub(crate) mod plain {
    use super::{
        CODE_LANES, CODE_RUN, Codes, Counts, LANES, NUMBER_RUN, Numbers, Pack, Pass, Places,
        SQUARED_QUERIES, Scores, Squares, Starts, Sums, Totals, WHOLE_RUN, Whole, Wholes,
    };

    fn each_pair(q: &[f32], b: &[f32], mut sums: Sums, step: impl Fn(f32, f32, f32, usize) -> f32) {
        let mut added = [[0.0f32; LANES]; LANES];
        let features = q.chunks_exact(LANES).zip(b.chunks_exact(LANES)).enumerate();
        for (feature, (q, b)) in features {
            for (added, &x) in added.iter_mut().zip(q) {
                for (sum, &z) in added.iter_mut().zip(b) {
                    *sum = step(*sum, x, z, feature);
                }
            }
        }
        for (i, added) in added.iter().enumerate() {
            sums.row(i).iter_mut().zip(added).for_each(|(sum, added)| *sum += added);
        }
    }

    pub fn max_sum(q: &[u32], b: &[u32]) -> Whole {
        let mut sums = [[0u32; LANES]; LANES];
        for (q, b) in q.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
            for (sums, x) in sums.iter_mut().zip(q) {
                for (sum, z) in sums.iter_mut().zip(b) {
                    *sum = sum.wrapping_add(*x.max(z));
                }
            }
        }
        sums
    }

    /// What whole sums stand for: the distance is below 2³², so what wrapped wraps back.
    #[inline(always)]
    fn distance(sum: u32, own: u32, total: u32) -> u32 {
        sum.wrapping_mul(2).wrapping_sub(own.wrapping_add(total))
    }

    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // adapters are not always seen through here
    pub fn add_fixed(whole: &Whole, (own, totals): Totals, unit: f32, mut sums: Sums) {
        for (i, (whole, &own)) in whole.iter().zip(own).enumerate() {
            let row = sums.row(i);
            for j in 0..LANES {
                row[j] += distance(whole[j], own, totals[j]) as f32 * unit;
            }
        }
    }

    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // adapters are not always seen through here
    pub fn add_graded(whole: &Whole, (own, totals): Totals, shift: u32, mut sums: Sums<u32>) {
        for (i, (whole, &own)) in whole.iter().zip(own).enumerate() {
            let row = sums.row(i);
            for j in 0..LANES {
                row[j] = row[j].wrapping_add(distance(whole[j], own, totals[j]) >> (shift & 31));
            }
        }
    }

    pub fn dot(q: &[f32], b: &[f32], sums: Sums) {
        each_pair(q, b, sums, |sum, x, z, _| x.mul_add(z, sum));
    }

    pub fn scores(
        q: &[i32],
        b: &[i32],
        (start, limits): Starts,
        masks: &mut [u16; LANES],
        scores: &mut Scores,
    ) -> bool {
        let halves = |pair: i32| (i32::from(pair as i16), pair >> 16);
        let mut any = false;
        for i in 0..LANES {
            let mut sums = *start;
            for (q, b) in q.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
                let x = halves(q[i]);
                for (sum, z) in sums.iter_mut().zip(b) {
                    let z = halves(*z);
                    *sum += x.0 * z.0 + x.1 * z.1;
                }
            }
            let reached = |mask, lane: usize| mask | u16::from(sums[lane] >= limits[i]) << lane;
            masks[i] = (0..LANES).fold(0, reached);
            if masks[i] != 0 {
                scores[i] = sums;
                any = true;
            }
        }
        any
    }

    pub fn squares(q: &[f32], factors: &[f32], b: &[f32], values: &mut Squares) {
        let mut norms = [0.0f32; LANES];
        *values = [[0.0; LANES]; SQUARED_QUERIES];
        let features = q.chunks_exact(SQUARED_QUERIES).zip(factors).zip(b.chunks_exact(LANES));
        for ((q, factor), b) in features {
            for (norm, z) in norms.iter_mut().zip(b) {
                *norm = factor.mul_add(z * z, *norm);
            }
            for (values, x) in values.iter_mut().zip(q) {
                for (value, z) in values.iter_mut().zip(b) {
                    *value = x.mul_add(*z, *value);
                }
            }
        }
        for values in values {
            values.iter_mut().zip(norms).for_each(|(value, norm)| *value += norm);
        }
    }

    pub fn mismatch(q: &[f32], b: &[f32], factors: &[f32], sums: Sums) {
        each_pair(q, b, sums, |sum, x, z, f| if x != z { sum + factors[f] } else { sum });
    }

    pub fn mismatch_codes(q: &[u8], first: usize, b: &[u8], counts: &mut Counts) {
        for (q, b) in q.chunks_exact(CODE_LANES).zip(b.chunks_exact(CODE_LANES)) {
            for (counts, x) in counts.iter_mut().zip(&q[first..]) {
                for (count, z) in counts.iter_mut().zip(b) {
                    *count += u8::from(x != z);
                }
            }
        }
    }

    pub fn differences(
        Pack(pack): &Numbers,
        x: &[f64; NUMBER_RUN],
        places: &Places,
        sums: &mut [f64; NUMBER_RUN],
    ) {
        let mut parts = [[0.0; NUMBER_RUN]; 4];
        for (i, place) in places.taken().iter().enumerate() {
            let cells = parts[i % 4].iter_mut().zip(x.iter().zip(&pack[*place as usize]));
            cells.for_each(|(sum, (x, z))| *sum += (x - z).abs());
        }
        let [a, b, c, d] = parts;
        (0..NUMBER_RUN).for_each(|f| sums[f] += (a[f] + b[f]) + (c[f] + d[f]));
    }

    pub fn whole_differences(
        Pack(pack): &Wholes,
        x: &[u32; WHOLE_RUN],
        places: &Places,
        sums: &mut [u64; WHOLE_RUN],
    ) {
        for place in places.taken() {
            let cells = sums.iter_mut().zip(x.iter().zip(&pack[*place as usize]));
            cells.for_each(|(sum, (x, z))| *sum += u64::from(x.abs_diff(*z)));
        }
    }

    pub fn mismatches(
        Pack(pack): &Codes,
        x: &[u16; CODE_RUN],
        places: &Places,
        counts: &mut [u32; CODE_RUN],
    ) {
        for place in places.taken() {
            let cells = counts.iter_mut().zip(x.iter().zip(&pack[*place as usize]));
            cells.for_each(|(count, (x, z))| *count += u32::from(x != z));
        }
    }

    pub fn max_limit(rounds: usize, sums: &mut Whole) {
        for sums in sums {
            for _ in 0..rounds {
                sums.iter_mut().for_each(|sum| *sum = sum.wrapping_add((*sum).max(9)));
            }
        }
    }

    pub fn product_limit(rounds: usize, mut sums: Sums) {
        for i in 0..LANES {
            for _ in 0..rounds {
                sums.row(i).iter_mut().for_each(|sum| *sum = sum.mul_add(0.5, 1.0));
            }
        }
    }

    pub fn select(values: &[u32], low: u32, high: u32, places: &mut Vec<u32>) {
        let mut at = places.len();
        places.resize(at + values.len(), 0);
        // Without a branch: nobody could foresee it.
        for (place, value) in (0u32..).zip(values) {
            places[at] = place;
            at += usize::from((low..high).contains(value));
        }
        places.truncate(at);
    }

    #[inline(always)]
    pub fn finish(values: &mut [f32], own: f32, totals: &[f32]) {
        for (value, total) in values.iter_mut().zip(totals) {
            *value = (own + total) - 2.0 * *value;
        }
    }

    pub fn pass(row: &[f32], query: &[f32], base: &[f32], out: &mut Vec<Pass>) {
        let groups = row.chunks_exact(LANES).zip(base.chunks_exact(LANES)).zip(query);
        for (group, ((row, base), &query)) in groups.enumerate() {
            let mask = |test: &dyn Fn(usize) -> bool| {
                (0..LANES).fold(0u16, |mask, lane| mask | u16::from(test(lane)) << lane)
            };
            let (query, base) = (mask(&|l| row[l] <= query), mask(&|l| row[l] <= base[l]));
            if query | base != 0 {
                out.push(Pass { group: group as u32, query, base });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Feature counts around the widths at which a kernel could go wrong.
    const EDGES: [usize; 8] = [0, 1, 2, 15, 16, 17, 63, 255];

    fn floats(random: &mut Random, features: usize, values: usize) -> Vec<f32> {
        (0..features * LANES).map(|_| random.below(values) as f32 / 7.0).collect()
    }

    #[test]
    fn every_instruction_set_equals_the_plain_definition_to_the_bit() {
        let mut random = Random::new(5, 0);
        for isa in Isa::available() {
            for features in EDGES {
                let (q, b) =
                    (floats(&mut random, features, 999), floats(&mut random, features, 999));
                let factors: Vec<f32> = (0..features).map(|_| random.uniform() as f32).collect();
                let stride = LANES + features % 3;
                let start: Vec<f32> = floats(&mut random, stride, 50);
                type Step<'a> = &'a dyn Fn(&Kernels, Sums);
                let (cq, cb) = (floats(&mut random, features, 3), floats(&mut random, features, 3));
                let steps: [Step; 2] =
                    [&|k, s| (k.dot)(&q, &b, s), &|k, s| (k.mismatch)(&cq, &cb, &factors, s)];
                for step in steps {
                    let (mut fast, mut slow) = (start.clone(), start.clone());
                    step(isa.kernels(), Sums::new(&mut fast, stride));
                    step(&PLAIN, Sums::new(&mut slow, stride));
                    assert_eq!(fast, slow, "{isa:?}, {features} features");
                }
            }
        }
    }

    #[test]
    fn fixed_point_distances_are_exact_on_every_instruction_set() {
        let mut random = Random::new(8, 0);
        let largest = (1usize << 24) - 1;
        for isa in Isa::available() {
            for features in EDGES.into_iter().chain([256]) {
                let mut draw = |values: usize| -> Vec<u32> {
                    let cells = (0..features * LANES).map(|_| random.below(values + 1));
                    cells
                        .map(|cell| if values == 1 { cell * largest } else { cell } as u32)
                        .collect()
                };
                for values in [largest, 1] {
                    let (q, b) = (draw(values), draw(values));
                    let total = |cells: &[u32]| -> [u32; LANES] {
                        std::array::from_fn(|lane| {
                            let lane = cells.iter().skip(lane).step_by(LANES);
                            lane.fold(0, |sum: u32, cell| sum.wrapping_add(*cell))
                        })
                    };
                    let totals = (&total(&q), &total(&b));
                    let (mut narrow, mut wide) = ([1.0; 256], [1; 256]);
                    (isa.kernels().fixed)(&q, &b, totals, 0.5, Sums::new(&mut narrow, LANES));
                    (isa.kernels().graded)(&q, &b, totals, 3, Sums::new(&mut wide, LANES));
                    for i in 0..LANES {
                        for j in 0..LANES {
                            let at = |f: usize| (q[f * LANES + i], b[f * LANES + j]);
                            let d: u32 = (0..features).map(|f| at(f).0.abs_diff(at(f).1)).sum();
                            assert_eq!(wide[i * LANES + j], 1 + (d >> 3), "{isa:?}");
                            assert_eq!(narrow[i * LANES + j], 1.0 + d as f32 * 0.5, "{isa:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn code_counts_equal_the_plain_definition() {
        let mut random = Random::new(6, 0);
        for isa in Isa::available() {
            for features in EDGES {
                let mut codes = || -> Vec<u8> {
                    (0..features * CODE_LANES).map(|_| random.below(3) as u8).collect()
                };
                let (q, b) = (codes(), codes());
                for first in [0, 16, 48] {
                    let mut fast: Counts = [[0; CODE_LANES]; LANES];
                    let mut slow = fast;
                    (isa.kernels().mismatch_codes)(&q, first, &b, &mut fast);
                    plain::mismatch_codes(&q, first, &b, &mut slow);
                    assert_eq!(fast, slow, "{isa:?}, {features} features from lane {first}");
                }
            }
        }
    }

    #[test]
    fn scores_equal_the_plain_definition() {
        let mut random = Random::new(12, 0);
        for isa in Isa::available() {
            for pairs in EDGES {
                let mut draw = |largest: usize| -> Vec<i32> {
                    let mut half = || random.below(2 * largest + 1) as i32 - largest as i32;
                    (0..pairs * LANES).map(|_| half() & 0xFFFF | half() << 16).collect()
                };
                // Sums stay within 32 bits.
                let (q, b) = (draw(2_000), draw(2_000));
                let start: [i32; LANES] = std::array::from_fn(|lane| lane as i32 * 1000 - 7);
                let limits = std::array::from_fn(|i| [i32::MIN, i32::MAX, 0, 900_000][i % 4]);
                let (mut fast, mut slow) = ([[1; LANES]; LANES], [[1; LANES]; LANES]);
                let (mut masks, mut meant) = ([1; LANES], [2; LANES]);
                let of = (&start, &limits);
                let any = (isa.kernels().scores)(&q, &b, of, &mut masks, &mut fast);
                assert_eq!(any, plain::scores(&q, &b, of, &mut meant, &mut slow));
                assert_eq!((fast, masks), (slow, meant), "{isa:?}, {pairs} pairs");
                assert!(!(isa.kernels().scores)(
                    &q,
                    &b,
                    (&start, &[i32::MAX; LANES]),
                    &mut masks,
                    &mut fast
                ));
            }
        }
    }

    #[test]
    fn squares_equal_the_plain_definition_to_the_bit() {
        let mut random = Random::new(10, 0);
        for isa in Isa::available() {
            for features in EDGES {
                let (q, b) = (floats(&mut random, features, 99), floats(&mut random, features, 99));
                let q = &q[..features * SQUARED_QUERIES];
                let factors: Vec<f32> = (0..features).map(|_| random.uniform() as f32).collect();
                let mut fast = [[1.0; LANES]; SQUARED_QUERIES];
                let mut slow = [[2.0; LANES]; SQUARED_QUERIES];
                (isa.kernels().squares)(q, &factors, &b, &mut fast);
                plain::squares(q, &factors, &b, &mut slow);
                assert_eq!(fast, slow, "{isa:?}, {features} features");
            }
        }
    }

    #[test]
    fn listed_sums_equal_the_plain_definition_to_the_bit() {
        let mut random = Random::new(9, 0);
        let mut numbers = Pack([[0.0; NUMBER_RUN]; PACK_ROOM]);
        numbers.0.as_flattened_mut().iter_mut().for_each(|cell| *cell = random.normal());
        let mut wholes = Pack([[0; WHOLE_RUN]; PACK_ROOM]);
        let ends =
            |random: &mut Random| [0, GRID, random.below(GRID as usize) as u32][random.below(3)];
        wholes.0.as_flattened_mut().iter_mut().for_each(|cell| *cell = ends(&mut random));
        wholes.0[7] = [GRID; WHOLE_RUN];
        wholes.0[PACK] = [0; WHOLE_RUN];
        let mut codes = Pack([[0; CODE_RUN]; PACK_ROOM]);
        codes.0.as_flattened_mut().iter_mut().for_each(|cell| *cell = random.below(3) as u16);
        for isa in Isa::available() {
            for count in [0, 1, 2, 3, 15, 16, 17, 32, 127, 254, 255] {
                let list: Vec<u32> = (0..count).map(|i| 300 + i * PACK as u32 / count).collect();
                let mut places = Places::NONE;
                assert_eq!(places.take(&list, 300), count as usize);
                let (mut fast, mut slow) = ([1.0; NUMBER_RUN], [1.0; NUMBER_RUN]);
                (isa.kernels().differences)(&numbers, &numbers.0[7], &places, &mut fast);
                plain::differences(&numbers, &numbers.0[7], &places, &mut slow);
                assert_eq!(fast, slow, "{isa:?}, {count} rows");
                let (mut fast, mut slow) = ([1; WHOLE_RUN], [1; WHOLE_RUN]);
                (isa.kernels().whole_differences)(&wholes, &wholes.0[7], &places, &mut fast);
                plain::whole_differences(&wholes, &wholes.0[7], &places, &mut slow);
                assert_eq!(fast, slow, "{isa:?}, {count} rows");
                let (mut fast, mut slow) = ([1; CODE_RUN], [1; CODE_RUN]);
                (isa.kernels().mismatches)(&codes, &codes.0[7], &places, &mut fast);
                plain::mismatches(&codes, &codes.0[7], &places, &mut slow);
                assert_eq!(fast, slow, "{isa:?}, {count} rows");
            }
        }
    }

    #[test]
    fn places_of_a_range_are_those_of_a_plain_loop() {
        let mut random = Random::new(11, 0);
        for isa in Isa::available() {
            for count in EDGES {
                let values: Vec<u32> =
                    (0..count).map(|_| [0, 4, 5, 9, u32::MAX][random.below(5)]).collect();
                for (low, high) in [(0, 5), (5, u32::MAX), (5, 5), (0, u32::MAX), (9, 2)] {
                    let mut places = vec![7];
                    (isa.kernels().select)(&values, low, high, &mut places);
                    let inside = (0u32..).zip(&values).filter(|(_, v)| (low..high).contains(*v));
                    let meant: Vec<u32> = [7].into_iter().chain(inside.map(|(at, _)| at)).collect();
                    assert_eq!(places, meant, "{isa:?}, {count} values in {low}..{high}");
                }
            }
        }
    }

    #[test]
    fn passing_lanes_equal_the_plain_definition() {
        let mut random = Random::new(7, 0);
        for isa in Isa::available() {
            for groups in [0, 1, 3, 16] {
                let mut draw = |n: usize| -> Vec<f32> {
                    (0..n)
                        .map(|_| {
                            if random.chance(0.1) { f32::INFINITY } else { random.below(9) as f32 }
                        })
                        .collect()
                };
                let (row, base, query) = (draw(groups * LANES), draw(groups * LANES), draw(groups));
                let (mut fast, mut slow) = (Vec::new(), Vec::new());
                (isa.kernels().pass)(&row, &query, &base, &mut fast);
                plain::pass(&row, &query, &base, &mut slow);
                assert_eq!(fast, slow, "{isa:?}");
            }
        }
    }
}
