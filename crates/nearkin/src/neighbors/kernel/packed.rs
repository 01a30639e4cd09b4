//! Mismatches of packed genotypes: XOR and popcount, 64 columns of eight rows an instruction.
//!
//! Rows stand in groups of [`LANES`] as everywhere in the engine; a word of 64 columns is a pair
//! of planes, and the same plane of all sixteen rows lies side by side, so that no sum runs
//! across a register. For each word a pair of rows costs
//!
//! ```text
//! (x₁ ⊕ z₁) ∨ (x₂ ⊕ z₂), its ones counted, added: 4 operations for 64 columns of 8 rows
//! ```
//!
//! with AVX-512's `VPOPCNTDQ`, 1/128 operation a cell. [`CHUNK`] words of a group are 16 KiB and
//! stay in the first cache while all queries of the tile pass by.

#![allow(unsafe_code)]

use crate::data::Packed;
use crate::neighbors::kernel::{LANES, Sums};
use crate::pool::chunk_by_chunk;

/// One word of a group's rows: two planes of sixteen lanes.
pub(crate) type Word = [[u64; LANES]; 2];

/// Words whose counts are added up before they go to the tile: a group's share stays in L1.
pub(crate) const CHUNK: usize = 64;

/// Queries whose counts are held in registers.
const QUERIES: usize = 8;

/// Counts of eight queries against a group's rows.
pub(crate) type Ones = [[u64; LANES]; QUERIES];

/// A missing cell of a group's lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedHole {
    /// The column.
    pub column: u32,
    /// The lane within its group.
    pub lane: u32,
}

/// Corrections by the other row's genotype: 0, 1, 2, missing.
pub(crate) type Table = [f32; 4];

/// `sums[lane of the hole][j] += table[genotype of row j in its column]`, hole by hole.
///
/// The table of a column is `tables[column · step]`; without `both` a genotype that is missing
/// adds nothing.
///
/// Lower bound: four tests, three choices and an addition for a missing cell and sixteen rows.
pub(crate) fn look_up(
    planes: &[Word],
    holes: &[PackedHole],
    (tables, step): (&[Table], usize),
    both: bool,
    sums: &mut [[f32; LANES]; LANES],
) {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        // SAFETY: the machine has these features.
        return unsafe { look_up_avx512(planes, holes, (tables, step), both, sums) };
    }
    look_up_plain(planes, holes, (tables, step), both, sums);
}

fn look_up_plain(
    planes: &[Word],
    holes: &[PackedHole],
    (tables, step): (&[Table], usize),
    both: bool,
    sums: &mut [[f32; LANES]; LANES],
) {
    for hole in holes {
        let (word, bit) = (&planes[hole.column as usize / 64], hole.column % 64);
        let table = tables[hole.column as usize * step];
        for (lane, sum) in sums[hole.lane as usize].iter_mut().enumerate() {
            let (one, two) = (word[0][lane] >> bit & 1 == 1, word[1][lane] >> bit & 1 == 1);
            *sum += match (one, two) {
                (false, false) => table[0],
                (true, false) => table[1],
                (true, true) => table[2],
                (false, true) if both => table[3],
                (false, true) => 0.0,
            };
        }
    }
}

/// [`look_up_plain`] with AVX-512: a test of each half of each plane, and a choice of four.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn look_up_avx512(
    planes: &[Word],
    holes: &[PackedHole],
    (tables, step): (&[Table], usize),
    both: bool,
    sums: &mut [[f32; LANES]; LANES],
) {
    use std::arch::x86_64::*;
    for hole in holes {
        let word = &planes[hole.column as usize / 64];
        let bit = _mm512_set1_epi64((1u64 << (hole.column % 64)) as i64);
        let [zero, one, two, missing] = tables[hole.column as usize * step];
        // Spelled out, as closures would not be compiled for this instruction set.
        let (first, second) = (&word[0], &word[1]);
        // SAFETY: a plane holds sixteen words, its halves eight.
        let (first, second) = unsafe {
            let low = _mm512_test_epi64_mask(_mm512_loadu_si512(first.as_ptr().cast()), bit);
            let high = _mm512_test_epi64_mask(_mm512_loadu_si512(first[8..].as_ptr().cast()), bit);
            let low_two = _mm512_test_epi64_mask(_mm512_loadu_si512(second.as_ptr().cast()), bit);
            let high_two =
                _mm512_test_epi64_mask(_mm512_loadu_si512(second[8..].as_ptr().cast()), bit);
            (u16::from(low) | u16::from(high) << 8, u16::from(low_two) | u16::from(high_two) << 8)
        };
        let added = _mm512_mask_blend_ps(first, _mm512_set1_ps(zero), _mm512_set1_ps(one));
        let added = _mm512_mask_blend_ps(first & second, added, _mm512_set1_ps(two));
        let missing = _mm512_set1_ps(if both { missing } else { 0.0 });
        let added = _mm512_mask_blend_ps(!first & second, added, missing);
        let sum = &mut sums[hole.lane as usize];
        // SAFETY: sixteen floats.
        unsafe {
            let sums = _mm512_add_ps(_mm512_loadu_ps(sum.as_ptr()), added);
            _mm512_storeu_ps(sum.as_mut_ptr(), sums);
        }
    }
}

/// `sums += Σ_f [q_f ≠ b_f]` between two groups, a missing cell being a value of its own.
#[inline(always)]
pub(crate) fn plain(q: &[Word], b: &[Word], mut sums: Sums) {
    for i in 0..LANES {
        let mut counts = [0u64; LANES];
        for (q, b) in q.iter().zip(b) {
            let x = [q[0][i], q[1][i]];
            for (lane, count) in counts.iter_mut().enumerate() {
                *count += u64::from(((x[0] ^ b[0][lane]) | (x[1] ^ b[1][lane])).count_ones());
            }
        }
        sums.row(i).iter_mut().zip(counts).for_each(|(sum, count)| *sum += count as f32);
    }
}

/// Planes that the compiler cannot know; a count, which changes, takes the place of the fourth.
fn unknown_planes() -> [u64; 3] {
    std::hint::black_box([1, 3, 8])
}

/// `rounds` times what a word of 64 columns costs each count, eight of them at a time in
/// registers: the limit of [`plain`].
#[inline(always)]
pub(crate) fn plain_limit(rounds: usize, counts: &mut Ones) {
    let [x1, x2, z2] = unknown_planes();
    const HELD: usize = 8;
    let (held, _) = counts.as_flattened_mut().as_chunks_mut::<HELD>();
    for counts in held {
        let mut now = *counts;
        for _ in 0..rounds {
            // None waits for another.
            for count in &mut now {
                *count += u64::from(((x1 ^ *count) | (x2 ^ z2)).count_ones());
            }
        }
        *counts = now;
    }
}

/// The rows in their lanes, `panel[group · words + word]`; lanes without a row are 0.
pub(crate) fn panel(packed: &Packed, row_of: &[Option<usize>]) -> Vec<Word> {
    let words = packed.words();
    let mut panel = vec![[[0; LANES]; 2]; row_of.len().div_ceil(LANES) * words];
    chunk_by_chunk(&mut panel, words, |at, group| {
        for (lane, row) in row_of[at * LANES..].iter().take(LANES).enumerate() {
            let Some(row) = *row else { continue };
            for (word, planes) in group.iter_mut().zip(packed.row(row)) {
                word[0][lane] = planes[0];
                word[1][lane] = planes[1];
            }
        }
    });
    panel
}

/// [`plain`] with AVX2, or with AVX-512 on machines that cannot count ones in a register.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
pub(crate) fn avx2(q: &[Word], b: &[Word], sums: Sums) {
    plain(q, b, sums);
}

/// [`plain_limit`], compiled as [`avx2`] is.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
pub(crate) fn avx2_limit(rounds: usize, counts: &mut Ones) {
    plain_limit(rounds, counts);
}

/// True when [`avx512`] may be called.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// A or (B xor C), by its truth table.
#[cfg(target_arch = "x86_64")]
const OR_XOR: i32 = 0xF6;

/// [`plain`] with AVX-512: eight queries' sums stay in registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq")]
pub(crate) fn avx512(q: &[Word], b: &[Word], mut sums: Sums) {
    use std::arch::x86_64::*;
    const HALF: usize = 8;
    for first in (0..LANES).step_by(QUERIES) {
        let mut counts = [[_mm512_setzero_si512(); 2]; QUERIES];
        for (q, b) in q.iter().zip(b) {
            let load = |plane: usize, half: usize| {
                // SAFETY: a plane holds sixteen words, its half eight.
                unsafe { _mm512_loadu_si512(b[plane][half * HALF..].as_ptr().cast()) }
            };
            let (ones, twos) = ([load(0, 0), load(0, 1)], [load(1, 0), load(1, 1)]);
            for (i, counts) in counts.iter_mut().enumerate() {
                let x1 = _mm512_set1_epi64(q[0][first + i] as i64);
                let x2 = _mm512_set1_epi64(q[1][first + i] as i64);
                for half in 0..2 {
                    let differ = _mm512_xor_si512(x1, ones[half]);
                    let differ = _mm512_ternarylogic_epi64::<OR_XOR>(differ, x2, twos[half]);
                    counts[half] = _mm512_add_epi64(counts[half], _mm512_popcnt_epi64(differ));
                }
            }
        }
        for (i, counts) in counts.iter().enumerate() {
            let row = sums.row(first + i);
            for (half, &count) in counts.iter().enumerate() {
                let row = row[half * HALF..].as_mut_ptr();
                // SAFETY: half a row holds eight floats.
                unsafe {
                    let sum = _mm256_add_ps(_mm256_loadu_ps(row), _mm512_cvtepu64_ps(count));
                    _mm256_storeu_ps(row, sum);
                }
            }
        }
    }
}

/// [`plain_limit`] with AVX-512: all counts in sixteen registers.
///
/// Four operations for 64 columns of eight rows, and no byte of memory.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(crate) fn avx512_limit(rounds: usize, counts: &mut Ones) {
    use std::arch::x86_64::*;
    let halves = counts.as_flattened_mut().as_chunks_mut::<8>().0;
    let mut held = [_mm512_setzero_si512(); 2 * QUERIES];
    for (held, half) in held.iter_mut().zip(&*halves) {
        // SAFETY: eight counts.
        *held = unsafe { _mm512_loadu_si512(half.as_ptr().cast()) };
    }
    let [x1, x2, z2] = unknown_planes().map(|plane| _mm512_set1_epi64(plane as i64));
    for _ in 0..rounds {
        for count in &mut held {
            let differ = _mm512_xor_si512(x1, *count);
            let differ = _mm512_ternarylogic_epi64::<OR_XOR>(differ, x2, z2);
            *count = _mm512_add_epi64(*count, _mm512_popcnt_epi64(differ));
        }
    }
    for (held, half) in held.iter().zip(halves) {
        // SAFETY: eight counts.
        unsafe { _mm512_storeu_si512(half.as_mut_ptr().cast(), *held) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::Isa;
    use crate::random::Random;

    #[test]
    fn every_instruction_set_counts_what_the_plain_loop_counts() {
        let mut random = Random::new(8, 0);
        for isa in Isa::available() {
            for words in [0, 1, 2, 7, 8, 9, CHUNK] {
                let mut draw = || -> Vec<Word> {
                    let mut word = || std::array::from_fn(|_| random.word() & random.word());
                    (0..words).map(|_| [word(), word()]).collect()
                };
                let (q, b) = (draw(), draw());
                let (mut fast, mut slow) = ([1.0; LANES * LANES], [1.0; LANES * LANES]);
                (isa.kernels().mismatch_planes)(&q, &b, Sums::new(&mut fast, LANES));
                plain(&q, &b, Sums::new(&mut slow, LANES));
                assert_eq!(fast, slow, "{isa:?}, {words} words");
            }
        }
    }

    #[test]
    fn every_count_of_a_limit_grows() {
        for isa in Isa::available() {
            let start: Ones =
                std::array::from_fn(|i| std::array::from_fn(|j| (i * LANES + j) as u64));
            let mut counts = start;
            (isa.kernels().mismatch_limit)(50, &mut counts);
            let pairs = counts.as_flattened().iter().zip(start.as_flattened());
            // A word has 64 columns.
            assert!(
                pairs.into_iter().all(|(now, was)| now > was && *now <= was + 50 * 64),
                "{isa:?}"
            );
        }
    }

    #[test]
    fn looked_up_corrections_are_those_of_a_plain_loop() {
        let mut random = Random::new(9, 0);
        let columns = 150;
        let mut word = || std::array::from_fn(|_| random.word());
        let planes: Vec<Word> = (0..3).map(|_| [word(), word()]).collect();
        let tables: Vec<Table> =
            (0..columns).map(|_| std::array::from_fn(|_| random.normal() as f32)).collect();
        let holes: Vec<PackedHole> = (0..columns as u32)
            .flat_map(|column| [(column, 3), (column, column % 16)])
            .map(|(column, lane)| PackedHole { column, lane })
            .collect();
        for both in [false, true] {
            for tables in [(&tables[..], 1), (&tables[..1], 0)] {
                let (mut fast, mut slow) = ([[0.5; LANES]; LANES], [[0.5; LANES]; LANES]);
                look_up(&planes, &holes, tables, both, &mut fast);
                look_up_plain(&planes, &holes, tables, both, &mut slow);
                assert_eq!(fast, slow);
            }
        }
    }
}
