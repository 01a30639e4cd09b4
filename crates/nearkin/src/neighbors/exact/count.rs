//! Mismatches of packed rows, counted or weighed column by column.
//!
//! For each word of 64 columns the neighbours' mismatches are added up in bit-sliced counters:
//! plane l holds bit l of 64 counts. Eight neighbours at a time go through full adders, which make
//! three bits of one value two bits of the next, so that only one carry in eight ripples on.
//! Then the counts are spread out, a byte a column.
//!
//! Lower bound: 5 · k · p / 64 word operations for k neighbours and p columns.

use crate::data::{Packed, WORD, differ, missing};
use crate::neighbors::exact::difference::Members;
use crate::neighbors::kernel::for_each_isa;

/// Words that are counted together, so that the adders fill vector registers.
const WORDS: usize = 8;

/// Most neighbours a byte can count.
const MOST: usize = 255;

/// A bit of each column of some words.
type Bits = [u64; WORDS];

/// How often each column of some words was counted, a byte each.
type Columns = [u8; WORDS * WORD];

for_each_isa! {
    /// In how many of `rows` a column of the words from `first` on is known and differs from
    /// `own`, where that is known. Counts beyond the last column are 0.
    ///
    /// At most 255 rows: a count is a byte.
    fn count[](own: &[[u64; 2]], rows: &[&[[u64; 2]]], first: usize, holes: bool, counts: &mut Columns) {
        let words = first..own.len().min(first + WORDS);
        let x = load(&own[words.clone()]);
        // No closure: the compiler might leave it outside of the loop's instruction set.
        let words = (words.start, words.len());
        // Ones, twos and fours in registers; beyond them planes for as many bits as counts can
        // have.
        let (mut ones, mut twos, mut fours) = ([0; WORDS], [0; WORDS], [0; WORDS]);
        let mut high = [[0; WORDS]; 5];
        let (eights, rest) = rows.as_chunks::<8>();
        for [a, b, c, d, e, f, g, h] in eights {
            let first = add_two(&mut ones, &unlike(&x, a, words, holes), &unlike(&x, b, words, holes));
            let second = add_two(&mut ones, &unlike(&x, c, words, holes), &unlike(&x, d, words, holes));
            let half = add_two(&mut twos, &first, &second);
            let first = add_two(&mut ones, &unlike(&x, e, words, holes), &unlike(&x, f, words, holes));
            let second = add_two(&mut ones, &unlike(&x, g, words, holes), &unlike(&x, h, words, holes));
            let other = add_two(&mut twos, &first, &second);
            let mut carry = add_two(&mut fours, &half, &other);
            high.iter_mut().for_each(|plane| carry = add_one(plane, &carry));
        }
        for row in rest {
            let mut carry = unlike(&x, row, words, holes);
            for plane in [&mut ones, &mut twos, &mut fours] {
                carry = add_one(plane, &carry);
            }
            high.iter_mut().for_each(|plane| carry = add_one(plane, &carry));
        }
        let depth = (usize::BITS - rows.len().leading_zeros()) as usize;
        let [a, b, c, d, e] = high;
        let planes = [ones, twos, fours, a, b, c, d, e];
        for (word, counts) in counts.chunks_exact_mut(WORD).enumerate() {
            counts.fill(0);
            for (l, plane) in planes[..depth].iter().enumerate() {
                let bits = plane[word];
                for (lane, count) in counts.iter_mut().enumerate() {
                    *count |= if bits >> lane & 1 == 1 { 1 << l } else { 0 };
                }
            }
        }
    }
}

/// Where cells of some words of a row are known and differ from `x`.
#[inline(always)]
fn unlike(x: &[Bits; 2], row: &[[u64; 2]], (first, words): (usize, usize), holes: bool) -> Bits {
    let (z, mut bits) = (load(&row[first..first + words]), [0; WORDS]);
    for w in 0..WORDS {
        bits[w] = differ([x[0][w], x[1][w]], [z[0][w], z[1][w]]);
        if holes {
            bits[w] &= !(missing([x[0][w], x[1][w]]) | missing([z[0][w], z[1][w]]));
        }
    }
    bits
}

/// Add two bits to a plane of counters; what they carry to the next.
#[inline(always)]
fn add_two(plane: &mut Bits, a: &Bits, b: &Bits) -> Bits {
    let mut carry = [0; WORDS];
    for w in 0..WORDS {
        carry[w] = (plane[w] & a[w]) | (plane[w] & b[w]) | (a[w] & b[w]);
        plane[w] ^= a[w] ^ b[w];
    }
    carry
}

/// Add a bit to a plane of counters; what it carries to the next.
#[inline(always)]
fn add_one(plane: &mut Bits, a: &Bits) -> Bits {
    let mut carry = [0; WORDS];
    for w in 0..WORDS {
        carry[w] = plane[w] & a[w];
        plane[w] ^= a[w];
    }
    carry
}

/// The planes of up to [`WORDS`] words, side by side.
#[inline(always)]
fn load(words: &[[u64; 2]]) -> [Bits; 2] {
    let mut planes = [[0; WORDS]; 2];
    match words.first_chunk::<WORDS>() {
        Some(words) => {
            for w in 0..WORDS {
                [planes[0][w], planes[1][w]] = words[w];
            }
        }
        None => {
            for (w, &[one, two]) in words.iter().enumerate() {
                (planes[0][w], planes[1][w]) = (one, two);
            }
        }
    }
    planes
}

/// `each(first, counts)` for runs of columns: [`count`] of at most 255 others.
fn counted(packed: &Packed, row: usize, others: &[u32], mut each: impl FnMut(usize, &Columns)) {
    let rows: Vec<&[[u64; 2]]> = others.iter().map(|&other| packed.row(other as usize)).collect();
    let mut counts = [0; WORDS * WORD];
    for first in (0..packed.words()).step_by(WORDS) {
        count(packed.row(row), &rows, first, packed.has_missing(), &mut counts);
        each(first * WORD, &counts);
    }
}

/// `out[f] = Σ_j weight · [x_f ≠ z_jf]` where both are known, added one neighbour after the other.
///
/// As all weights are the same, a sum depends only on how many there are: it is looked up.
pub fn packed_mismatches(
    packed: &Packed,
    row: usize,
    others: &[u32],
    weight: f64,
    out: &mut [f64],
) {
    out.fill(0.0);
    for (chunk, others) in others.chunks(MOST).enumerate() {
        let mut sums = [0.0; MOST + 1];
        for count in 1..=others.len() {
            sums[count] = sums[count - 1] + weight;
        }
        counted(packed, row, others, |first, counts| {
            let cells = out[first..].iter_mut().zip(counts);
            match chunk {
                0 => cells.for_each(|(sum, &count)| *sum = sums[usize::from(count)]),
                // Later chunks go on from where a column stands.
                _ => cells.for_each(|(sum, &count)| {
                    (0..count).for_each(|_| *sum += weight);
                }),
            }
        });
    }
}

for_each_isa! {
    /// `out[f] = Σ_j ω_j · [x_f ≠ z_jf]` where both are known, added one neighbour after the
    /// other.
    ///
    /// Lower bound: k · p / 8 masked additions for k neighbours and p columns.
    pub fn packed_weighted[](
        packed: &Packed,
        row: usize,
        others: &[(u32, f64)],
        out: &mut [f64],
    ) {
        for (word, (out, &x)) in out.chunks_mut(WORD).zip(packed.row(row)).enumerate() {
            let mut sums = [0.0; WORD];
            for &(other, weight) in others {
                let z = packed.row(other as usize)[word];
                add_where(differ(x, z) & !(missing(x) | missing(z)), weight, &mut sums);
            }
            out.copy_from_slice(&sums[..out.len()]);
        }
    }
}

for_each_isa! {
    /// `out[f] = Σ_j ω_j · [z_jf is known]`, added one neighbour after the other.
    pub fn packed_known[](packed: &Packed, others: &[(u32, f64)], out: &mut [f64]) {
        for (word, out) in out.chunks_mut(WORD).enumerate() {
            let mut sums = [0.0; WORD];
            for &(other, weight) in others {
                add_where(!missing(packed.row(other as usize)[word]), weight, &mut sums);
            }
            out.copy_from_slice(&sums[..out.len()]);
        }
    }
}

/// Add a weight in the lanes whose bit is set.
#[inline(always)]
fn add_where(bits: u64, weight: f64, sums: &mut [f64; WORD]) {
    for (lane, sum) in sums.iter_mut().enumerate() {
        *sum += if bits >> lane & 1 == 1 { weight } else { 0.0 };
    }
}

/// `out[i · columns + f] = Σ_{j in list i} [x_f ≠ z_jf]`, both known, for many targets; lists hold
/// places among `rows`.
pub fn listed_packed(packed: &Packed, rows: &[u32], lists: &[Members], out: &mut [u32]) {
    let columns = packed.columns().max(1);
    for (out, (row, places)) in out.chunks_exact_mut(columns).zip(lists) {
        let others: Vec<u32> = places.iter().map(|&place| rows[place as usize]).collect();
        for others in others.chunks(MOST) {
            counted(packed, *row as usize, others, |first, counts| {
                let cells = out[first..].iter_mut().zip(counts);
                cells.for_each(|(sum, &count)| *sum += u32::from(count));
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Genotypes, MISSING};
    use crate::random::Random;

    /// `values` of 4: a fourth is missing.
    fn packed(rows: usize, columns: usize, values: usize) -> Packed {
        let mut random = Random::new(3, 0);
        let columns: Vec<Genotypes> = (0..columns)
            .map(|_| {
                let cells = (0..rows).map(|_| Some(random.below(values) as u8).filter(|&c| c < 3));
                Genotypes::from_copies(cells).unwrap()
            })
            .collect();
        Packed::new(rows, &columns.iter().collect::<Vec<_>>())
    }

    #[test]
    fn counts_and_sums_are_those_of_adding_neighbour_by_neighbour() {
        for (columns, neighbours, values) in [
            (1, 1, 4),
            (63, 3, 3),
            (64, 10, 4),
            (65, 16, 3),
            (700, 255, 4),
            (512, 255, 3),
            (1030, 9, 3),
            (130, 600, 4),
        ] {
            let packed = packed(40, columns, values);
            assert_eq!(packed.has_missing(), values == 4);
            let others: Vec<u32> = (0..neighbours).map(|i| (i * 7 % 40) as u32).collect();
            let x = packed.unpack(5);
            let (mut sums, mut counts) = (vec![0.0; columns], vec![0; columns]);
            for &other in &others {
                for (f, z) in packed.unpack(other as usize).into_iter().enumerate() {
                    let differ = x[f] != z && x[f] != MISSING && z != MISSING;
                    sums[f] += if differ { 0.1 } else { 0.0 };
                    counts[f] += u32::from(differ);
                }
            }
            let mut found = vec![7.0; columns];
            packed_mismatches(&packed, 5, &others, 0.1, &mut found);
            assert_eq!(found, sums);
            let uneven: Vec<(u32, f64)> =
                others.iter().zip(1..).map(|(&other, j)| (other, 1.0 / f64::from(j))).collect();
            let (mut sums, mut known) = (vec![0.0; columns], vec![0.0; columns]);
            for &(other, weight) in &uneven {
                let z = packed.unpack(other as usize);
                for f in (0..columns).filter(|&f| z[f] != MISSING) {
                    known[f] += weight;
                    sums[f] += if x[f] != z[f] && x[f] != MISSING { weight } else { 0.0 };
                }
            }
            let mut found = vec![7.0; columns];
            packed_weighted(&packed, 5, &uneven, &mut found);
            assert_eq!(found, sums);
            packed_known(&packed, &uneven, &mut found);
            assert_eq!(found, known);
            let mut found = vec![0; columns];
            let all: Vec<u32> = (0..40).collect();
            listed_packed(&packed, &all, &[(5, &others)], &mut found);
            assert_eq!(found, counts);
        }
    }
}
