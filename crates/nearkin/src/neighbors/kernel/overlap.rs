//! Sums over the common members of sets of rows, which are bits.
//!
//! Lower bound: a bit a member, 512 to an instruction of AVX-512: a conjunction, a count and an
//! addition. [`overlap`] takes one more conversion and one multiply-add a set.
#![allow(unsafe_code)]

/// Words of a set are a multiple of this, so that every instruction set takes whole registers.
pub(crate) const SET_WORDS: usize = 8;

/// Words that a set of `rows` rows takes.
pub(crate) fn set_words(rows: usize) -> usize {
    rows.div_ceil(64 * SET_WORDS) * SET_WORDS
}

/// Call a plain function as it is compiled for the best instruction set of this machine.
macro_rules! by_isa {
    ($plain:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        {
            use crate::neighbors::Isa;
            // SAFETY: the machine has these features.
            match Isa::best() {
                Isa::Avx512 if super::packed::has_avx512() => unsafe {
                    avx512::$plain($($argument),*)
                },
                Isa::Avx512 | Isa::Avx2 => unsafe { avx2::$plain($($argument),*) },
                Isa::Portable => $plain($($argument),*),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        $plain($($argument),*)
    }};
}
type Lanes = [f64; SET_WORDS];

/// Σ over `members` i of weights_i · |sets_i ∩ class|, set i being words i · w to (i + 1) · w.
///
/// Word number j of a set is counted in lane j mod 8, and the lanes are added last, so that every
/// instruction set gives the same bits.
pub(crate) fn overlap(members: &[u32], weights: &[f64], sets: &[u64], class: &[u64]) -> f64 {
    assert_eq!(class.len() % SET_WORDS, 0);
    let lanes = by_isa!(overlap_plain(members, weights, sets, class));
    lanes.iter().sum()
}

#[inline(always)]
fn overlap_plain(members: &[u32], weights: &[f64], sets: &[u64], class: &[u64]) -> Lanes {
    let words = class.len();
    let mut sums = [0.0; SET_WORDS];
    let (class, _) = class.as_chunks::<SET_WORDS>();
    for &member in members {
        let (set, _) = sets[member as usize * words..][..words].as_chunks::<SET_WORDS>();
        let mut counts = [0u64; SET_WORDS];
        for (set, class) in set.iter().zip(class) {
            for lane in 0..SET_WORDS {
                counts[lane] += u64::from((set[lane] & class[lane]).count_ones());
            }
        }
        let weight = weights[member as usize];
        for lane in 0..SET_WORDS {
            sums[lane] += weight * counts[lane] as f64;
        }
    }
    sums
}

/// `out_j += value` for every j in the set.
pub(crate) fn add_to_members(set: &[u64], value: f64, out: &mut [f64]) {
    assert!(out.len() >= set.len() * 64);
    by_isa!(add_plain(set, value, out))
}

#[inline(always)]
fn add_plain(set: &[u64], value: f64, out: &mut [f64]) {
    let bits = value.to_bits();
    let (out, _) = out.as_chunks_mut::<64>();
    for (&word, out) in set.iter().zip(out) {
        for (at, sum) in (0..64).zip(out) {
            // All bits of a member's mask are 1, so that it adds the value, and others add 0.
            let mask = 0u64.wrapping_sub(word >> at & 1);
            *sum += f64::from_bits(bits & mask);
        }
    }
}

/// `out_b += value` for every bit b in which `own` and `other` are alike in all planes.
///
/// A plane is as many words as a 64th of `out`; planes stand one after the other.
pub(crate) fn add_where_alike(own: &[u64], other: &[u64], value: f64, out: &mut [f64]) {
    assert!(own.len() == other.len() && out.len().is_multiple_of(64 * SET_WORDS));
    by_isa!(alike_plain(own, other, value, out))
}

#[inline(always)]
fn alike_plain(own: &[u64], other: &[u64], value: f64, out: &mut [f64]) {
    let words = out.len() / 64;
    let bits = value.to_bits();
    let (out, _) = out.as_chunks_mut::<64>();
    for (at, out) in out.iter_mut().enumerate() {
        let planes = (at..own.len()).step_by(words);
        let alike = planes.fold(u64::MAX, |alike, at| alike & !(own[at] ^ other[at]));
        for (bit, sum) in (0..64).zip(out) {
            let mask = 0u64.wrapping_sub(alike >> bit & 1);
            *sum += f64::from_bits(bits & mask);
        }
    }
}

/// Σ of values_j over every j in the set.
pub(crate) fn sum_of_members(set: &[u64], values: &[f64]) -> f64 {
    assert!(values.len() >= set.len() * 64);
    let lanes = by_isa!(sum_plain(set, values));
    lanes.iter().sum()
}

#[inline(always)]
fn sum_plain(set: &[u64], values: &[f64]) -> [f64; 64] {
    let mut sums = [0.0; 64];
    let (values, _) = values.as_chunks::<64>();
    for (&word, values) in set.iter().zip(values) {
        for at in 0..64 {
            let mask = 0u64.wrapping_sub(word >> at & 1);
            sums[at] += f64::from_bits(values[at].to_bits() & mask);
        }
    }
    sums
}

/// The same operations with AVX-512: a compiler turns the loops above into gathers.
#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::{Lanes, SET_WORDS};

    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq")]
    pub fn overlap_plain(members: &[u32], weights: &[f64], sets: &[u64], class: &[u64]) -> Lanes {
        let groups = class.len() / SET_WORDS;
        let words = groups * SET_WORDS;
        let mut sums = _mm512_setzero_pd();
        for &member in members {
            let member = member as usize;
            let set = &sets[member * words..][..words];
            let mut counts = _mm512_setzero_si512();
            for group in 0..groups {
                // SAFETY: both slices hold that many groups of eight words.
                let both = unsafe {
                    let set = _mm512_loadu_si512(set.as_ptr().add(group * SET_WORDS).cast());
                    let class = _mm512_loadu_si512(class.as_ptr().add(group * SET_WORDS).cast());
                    _mm512_and_si512(set, class)
                };
                counts = _mm512_add_epi64(counts, _mm512_popcnt_epi64(both));
            }
            // Not fused, as the plain loop has it.
            let weighed =
                _mm512_mul_pd(_mm512_set1_pd(weights[member]), _mm512_cvtepu64_pd(counts));
            sums = _mm512_add_pd(sums, weighed);
        }
        let mut lanes = [0.0; SET_WORDS];
        // SAFETY: eight numbers.
        unsafe { _mm512_storeu_pd(lanes.as_mut_ptr(), sums) };
        lanes
    }

    #[target_feature(enable = "avx512f")]
    pub fn add_plain(set: &[u64], value: f64, out: &mut [f64]) {
        assert!(out.len() >= 64 * set.len());
        let value = _mm512_set1_pd(value);
        for (at, &word) in set.iter().enumerate() {
            for part in 0..8 {
                // SAFETY: there are 64 numbers for each word.
                unsafe {
                    let out = out.as_mut_ptr().add(64 * at + 8 * part);
                    let old = _mm512_loadu_pd(out);
                    let new = _mm512_mask_add_pd(old, (word >> (8 * part)) as u8, old, value);
                    _mm512_storeu_pd(out, new);
                }
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    pub fn alike_plain(own: &[u64], other: &[u64], value: f64, out: &mut [f64]) {
        let words = out.len() / 64;
        for first in (0..words).step_by(SET_WORDS) {
            let mut alike = [u64::MAX; SET_WORDS];
            for plane in (first..own.len()).step_by(words) {
                let (own, other) = (&own[plane..][..SET_WORDS], &other[plane..][..SET_WORDS]);
                for word in 0..SET_WORDS {
                    alike[word] &= !(own[word] ^ other[word]);
                }
            }
            add_plain(&alike, value, &mut out[64 * first..]);
        }
    }

    #[target_feature(enable = "avx512f")]
    pub fn sum_plain(set: &[u64], values: &[f64]) -> [f64; 64] {
        assert!(values.len() >= 64 * set.len());
        let mut sums = [_mm512_setzero_pd(); 8];
        for (at, &word) in set.iter().enumerate() {
            for (part, sum) in sums.iter_mut().enumerate() {
                // SAFETY: there are 64 numbers for each word.
                let values = unsafe { _mm512_loadu_pd(values.as_ptr().add(64 * at + 8 * part)) };
                *sum = _mm512_mask_add_pd(*sum, (word >> (8 * part)) as u8, *sum, values);
            }
        }
        let mut lanes = [0.0; 64];
        for (part, sum) in sums.into_iter().enumerate() {
            // SAFETY: the lanes hold eight numbers for each part.
            unsafe { _mm512_storeu_pd(lanes.as_mut_ptr().add(8 * part), sum) };
        }
        lanes
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Lanes;

    #[target_feature(enable = "avx2,fma,popcnt")]
    pub fn overlap_plain(members: &[u32], weights: &[f64], sets: &[u64], class: &[u64]) -> Lanes {
        super::overlap_plain(members, weights, sets, class)
    }

    #[target_feature(enable = "avx2,fma,popcnt")]
    pub fn add_plain(set: &[u64], value: f64, out: &mut [f64]) {
        super::add_plain(set, value, out);
    }

    #[target_feature(enable = "avx2,fma,popcnt")]
    pub fn alike_plain(own: &[u64], other: &[u64], value: f64, out: &mut [f64]) {
        super::alike_plain(own, other, value, out);
    }

    #[target_feature(enable = "avx2,fma,popcnt")]
    pub fn sum_plain(set: &[u64], values: &[f64]) -> [f64; 64] {
        super::sum_plain(set, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn bits_that_are_alike_in_all_planes_are_added_to() {
        let mut random = Random::new(3, 0);
        let words = 2 * SET_WORDS;
        let mut planes = || (0..3 * words).map(|_| random.word()).collect::<Vec<u64>>();
        let (own, other) = (planes(), planes());
        let mut out = vec![1.0; 64 * words];
        add_where_alike(&own, &other, 2.0, &mut out);
        let mut portable = vec![1.0; 64 * words];
        alike_plain(&own, &other, 2.0, &mut portable);
        assert_eq!(out, portable);
        for (bit, out) in out.into_iter().enumerate() {
            let code = |of: &[u64]| -> Vec<u64> {
                (0..3).map(|p| of[p * words + bit / 64] >> (bit % 64) & 1).collect()
            };
            assert_eq!(out, if code(&own) == code(&other) { 3.0 } else { 1.0 });
        }
    }

    #[test]
    fn sums_are_those_of_the_members_one_by_one() {
        let mut random = Random::new(2, 0);
        for rows in [1, 63, 64, 512, 513, 700] {
            let words = set_words(rows);
            let mut set = || -> Vec<u64> {
                let mut set = vec![0; words];
                (0..rows).for_each(|j| set[j / 64] |= u64::from(random.chance(0.3)) << (j % 64));
                set
            };
            let sets: Vec<u64> = (0..5).flat_map(|_| set()).collect();
            let class = set();
            let weights = [0.5, 2.0, -1.0, 4.0, 0.25];
            let is_in = |set: &[u64], j: usize| set[j / 64] >> (j % 64) & 1 == 1;
            let mut plain = 0.0;
            for i in [0usize, 2, 3] {
                let set = &sets[i * words..][..words];
                let both = (0..rows).filter(|&j| is_in(set, j) && is_in(&class, j)).count();
                plain += weights[i] * both as f64;
            }
            assert_eq!(overlap(&[0, 2, 3], &weights, &sets, &class), plain);
            let values: Vec<f64> = (0..words * 64).map(|j| j as f64).collect();
            let inside = (0..rows).filter(|&j| is_in(&class, j)).map(|j| j as f64).sum::<f64>();
            assert_eq!(sum_of_members(&class, &values), inside);
            let mut out = vec![1.0; words * 64];
            add_to_members(&class, 3.0, &mut out);
            for (j, out) in out.iter().enumerate() {
                assert_eq!(*out, if is_in(&class, j) { 4.0 } else { 1.0 });
            }
            let portable = overlap_plain(&[0, 2, 3], &weights, &sets, &class);
            assert_eq!(portable.iter().sum::<f64>(), plain);
            assert_eq!(sum_plain(&class, &values).iter().sum::<f64>(), inside);
        }
    }
}
