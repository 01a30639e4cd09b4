//! AVX2 kernels: a group of base rows in two registers, four queries at a time.
//!
//! Each kernel takes at least twice the instructions of its form in `avx512.rs`, whose registers
//! hold twice as much. Without masks `mismatch` takes a third instruction; `select` goes value by
//! value.
//!
//! Base rows are read once for every four queries: 80 bytes for 64 elements of a feature, 1¼ each
//! in place of half a byte, all in the first cache; `squares` takes half of the rows and all
//! eight queries, 68 bytes for 64. `mismatch_bytes` is the plain loop, its sums read and written
//! a feature.

#![allow(unsafe_code)]

use crate::neighbors::kernel::Kernels;

#[cfg(not(target_arch = "x86_64"))]
pub(crate) static KERNELS: &Kernels = crate::neighbors::kernel::plain::KERNELS;

#[cfg(target_arch = "x86_64")]
pub(crate) static KERNELS: &Kernels = &x86::KERNELS;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use crate::neighbors::kernel::pack::{
        CODE_RUN, CodePack, GRID_ROWS, NUMBER_RUN, NumberPack, Pack, Places, WHOLE_RUN, WholePack,
    };
    use crate::neighbors::kernel::packed;
    use crate::neighbors::kernel::plain;
    use crate::neighbors::kernel::{
        CODE_LANES, CodeCounts, Kernels, LANES, Pass, SQUARED_QUERIES, ScoreTile, Squares, Starts,
        Sums, Totals, Whole,
    };

    // SAFETY: `Isa::kernels` hands this table out only where the machine has these features.
    pub(crate) static KERNELS: Kernels = Kernels {
        fixed: |q, b, totals, unit, sums| unsafe { fixed(q, b, totals, unit, sums) },
        graded: |q, b, totals, shift, sums| unsafe { graded(q, b, totals, shift, sums) },
        dot: |q, b, sums| unsafe { dot(q, b, sums) },
        scores: |q, b, of, masks, scores| unsafe { products(q, b, of, masks, scores) },
        squares: |q, factors, b, values| unsafe { squares(q, factors, b, values) },
        mismatch: |q, b, factors, sums| unsafe { mismatch(q, b, factors, sums) },
        mismatch_bytes: |q, b, factors, sums| unsafe { mismatch_bytes(q, b, factors, sums) },
        mismatch_few: |q, factors, b, values| unsafe { mismatch_few(q, factors, b, values) },
        mismatch_codes: |q, first, b, counts| unsafe { mismatch_codes(q, first, b, counts) },
        mismatch_planes: |q, b, sums| unsafe { packed::avx2(q, b, sums) },
        mismatch_limit: |rounds, counts| unsafe { packed::avx2_limit(rounds, counts) },
        differences: |pack, x, places, sums| unsafe { differences(pack, x, places, sums) },
        whole_differences: |pack, x, places, sums| unsafe {
            whole_differences(pack, x, places, sums);
        },
        mismatches: |pack, x, places, counts| unsafe { mismatches(pack, x, places, counts) },
        max_limit: |rounds, sums| unsafe { max_limit(rounds, sums) },
        product_limit: |rounds, sums| unsafe { product_limit(rounds, sums) },
        select: plain::select,
        finish: |values, own, totals| unsafe { finish(values, own, totals) },
        pass: |row, query, base, out| unsafe { pass(row, query, base, out) },
    };

    const QUERIES: usize = 4;
    const HALF: usize = 8;

    /// One step a feature over 4 × 16 sums held in registers.
    macro_rules! over_features {
        ($q:ident, $b:ident, $sums:ident, |$sum:ident, $x:ident, $z:ident, $feature:ident| $step:expr) => {{
            let features = ($q.len() / LANES).min($b.len() / LANES);
            for first in (0..LANES).step_by(QUERIES) {
                let mut acc = [[_mm256_setzero_ps(); 2]; QUERIES];
                for $feature in 0..features {
                    // SAFETY: feature < q.len() / 16 and b.len() / 16, so all sixteen are inside.
                    let (queries, base) = unsafe {
                        let base = $b.as_ptr().add($feature * LANES);
                        (
                            $q.as_ptr().add($feature * LANES + first),
                            [_mm256_loadu_ps(base), _mm256_loadu_ps(base.add(HALF))],
                        )
                    };
                    for (i, acc) in acc.iter_mut().enumerate() {
                        // SAFETY: first + i < 16, within the feature's queries.
                        let $x = _mm256_set1_ps(unsafe { *queries.add(i) });
                        for ($sum, $z) in acc.iter_mut().zip(base) {
                            *$sum = $step;
                        }
                    }
                }
                for (i, acc) in acc.iter().enumerate() {
                    for (half, acc) in acc.iter().enumerate() {
                        let half = $sums.row(first + i)[half * HALF..].as_mut_ptr();
                        // SAFETY: half a row holds eight floats.
                        unsafe {
                            _mm256_storeu_ps(half, _mm256_add_ps(_mm256_loadu_ps(half), *acc))
                        };
                    }
                }
            }
        }};
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn max_sum(q: &[u32], b: &[u32]) -> Whole {
        let features = (q.len() / LANES).min(b.len() / LANES);
        let mut sums = [[0u32; LANES]; LANES];
        for first in (0..LANES).step_by(QUERIES) {
            let mut acc = [[_mm256_setzero_si256(); 2]; QUERIES];
            for feature in 0..features {
                // SAFETY: feature < q.len() / 16 and b.len() / 16, so all sixteen are inside.
                let (queries, base) = unsafe {
                    let base = b.as_ptr().add(feature * LANES);
                    (
                        q.as_ptr().add(feature * LANES + first),
                        [
                            _mm256_loadu_si256(base.cast()),
                            _mm256_loadu_si256(base.add(HALF).cast()),
                        ],
                    )
                };
                for (i, acc) in acc.iter_mut().enumerate() {
                    // SAFETY: first + i < 16, within the feature's queries.
                    let x = _mm256_set1_epi32(unsafe { *queries.add(i) } as i32);
                    for (acc, z) in acc.iter_mut().zip(base) {
                        *acc = _mm256_add_epi32(*acc, _mm256_max_epu32(x, z));
                    }
                }
            }
            for (sums, acc) in sums[first..].iter_mut().zip(acc) {
                for (half, acc) in acc.into_iter().enumerate() {
                    let half = sums[half * HALF..].as_mut_ptr().cast();
                    // SAFETY: half a row holds eight whole numbers.
                    unsafe { _mm256_storeu_si256(half, acc) };
                }
            }
        }
        sums
    }

    #[target_feature(enable = "avx2")]
    fn fixed(q: &[u32], b: &[u32], totals: Totals, unit: f32, sums: Sums) {
        plain::add_fixed(&max_sum(q, b), totals, unit, sums);
    }

    #[target_feature(enable = "avx2")]
    fn graded(q: &[u32], b: &[u32], totals: Totals, shift: u32, sums: Sums<u32>) {
        plain::add_graded(&max_sum(q, b), totals, shift, sums);
    }

    #[target_feature(enable = "avx2,fma")]
    fn dot(q: &[f32], b: &[f32], mut sums: Sums) {
        over_features!(q, b, sums, |sum, x, z, feature| _mm256_fmadd_ps(x, z, *sum));
    }

    #[target_feature(enable = "avx2")]
    fn products(
        q: &[i32],
        b: &[i32],
        (start, limits): Starts,
        masks: &mut [u16; LANES],
        scores: &mut ScoreTile,
    ) -> bool {
        let pairs = (q.len() / LANES).min(b.len() / LANES);
        // SAFETY: two halves of eight whole numbers, here and below.
        let load = |from: *const i32| unsafe {
            [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(HALF).cast())]
        };
        let mut any = false;
        for first in (0..LANES).step_by(QUERIES) {
            let mut acc = [load(start.as_ptr()); QUERIES];
            for pair in 0..pairs {
                // SAFETY: pair < q.len() / 16 and b.len() / 16, so all sixteen are inside.
                let (queries, base) = unsafe {
                    (q.as_ptr().add(pair * LANES + first), load(b.as_ptr().add(pair * LANES)))
                };
                for (i, acc) in acc.iter_mut().enumerate() {
                    // SAFETY: first + i < 16, within the pair's queries.
                    let x = _mm256_set1_epi32(unsafe { *queries.add(i) });
                    for (acc, z) in acc.iter_mut().zip(base) {
                        *acc = _mm256_add_epi32(*acc, _mm256_madd_epi16(x, z));
                    }
                }
            }
            for (i, acc) in (first..).zip(acc) {
                let limit = _mm256_set1_epi32(limits[i]);
                // Lanes below the limit; the mask is that of the others.
                let (low, high) =
                    (_mm256_cmpgt_epi32(limit, acc[0]), _mm256_cmpgt_epi32(limit, acc[1]));
                let low = _mm256_movemask_ps(_mm256_castsi256_ps(low)) as u16;
                let high = _mm256_movemask_ps(_mm256_castsi256_ps(high)) as u16;
                masks[i] = !(low | high << HALF);
                if masks[i] != 0 {
                    any = true;
                    for (half, acc) in acc.into_iter().enumerate() {
                        let half = scores[i][half * HALF..].as_mut_ptr().cast();
                        // SAFETY: half a row holds eight whole numbers.
                        unsafe { _mm256_storeu_si256(half, acc) };
                    }
                }
            }
        }
        any
    }

    #[target_feature(enable = "avx2,fma")]
    fn squares(q: &[f32], factors: &[f32], b: &[f32], values: &mut Squares) {
        let features = (q.len() / SQUARED_QUERIES).min(b.len() / LANES).min(factors.len());
        for first in (0..LANES).step_by(HALF) {
            let mut norm = _mm256_setzero_ps();
            let mut acc = [_mm256_setzero_ps(); SQUARED_QUERIES];
            for feature in 0..features {
                // SAFETY: all eight queries, the factor and half of the sixteen rows are inside.
                let (queries, factor, z) = unsafe {
                    (
                        q.as_ptr().add(feature * SQUARED_QUERIES),
                        _mm256_set1_ps(*factors.as_ptr().add(feature)),
                        _mm256_loadu_ps(b.as_ptr().add(feature * LANES + first)),
                    )
                };
                norm = _mm256_fmadd_ps(factor, _mm256_mul_ps(z, z), norm);
                for (i, acc) in acc.iter_mut().enumerate() {
                    // SAFETY: i < 8, within the feature's queries.
                    let x = _mm256_set1_ps(unsafe { *queries.add(i) });
                    *acc = _mm256_fmadd_ps(x, z, *acc);
                }
            }
            for (values, acc) in values.iter_mut().zip(acc) {
                let half = values[first..].as_mut_ptr();
                // SAFETY: half of sixteen floats.
                unsafe { _mm256_storeu_ps(half, _mm256_add_ps(acc, norm)) };
            }
        }
    }

    #[target_feature(enable = "avx2,fma")]
    fn mismatch(q: &[f32], b: &[f32], factors: &[f32], mut sums: Sums) {
        over_features!(q, b, sums, |sum, x, z, feature| {
            let differ = _mm256_cmp_ps::<_CMP_NEQ_UQ>(x, z);
            let added = _mm256_add_ps(*sum, _mm256_set1_ps(factors[feature]));
            _mm256_blendv_ps(*sum, added, differ)
        });
    }

    #[target_feature(enable = "avx2")]
    fn mismatch_bytes(q: &[u8], b: &[u8], factors: &[f32], sums: Sums) {
        plain::mismatch_bytes(q, b, factors, sums);
    }

    #[target_feature(enable = "avx2")]
    fn mismatch_few(q: &[u8], factors: &[f32], b: &[u8], values: &mut Squares) {
        plain::mismatch_few(q, factors, b, values);
    }

    #[target_feature(enable = "avx2")]
    fn mismatch_codes(q: &[u8], first: usize, b: &[u8], counts: &mut CodeCounts) {
        const BYTES: usize = 32;
        let features = (q.len() / CODE_LANES).min(b.len() / CODE_LANES);
        let lanes = first.min(CODE_LANES - LANES);
        for first in (0..LANES).step_by(QUERIES) {
            let mut acc = [[_mm256_setzero_si256(); 2]; QUERIES];
            for feature in 0..features {
                // SAFETY: feature < q.len() / 64 and b.len() / 64; lanes + 16 ≤ 64.
                let (queries, base) = unsafe {
                    let base = b.as_ptr().add(feature * CODE_LANES);
                    (
                        q.as_ptr().add(feature * CODE_LANES + lanes + first),
                        [
                            _mm256_loadu_si256(base.cast()),
                            _mm256_loadu_si256(base.add(BYTES).cast()),
                        ],
                    )
                };
                for (i, acc) in acc.iter_mut().enumerate() {
                    // SAFETY: first + i < 16, within the sixteen queries.
                    let x = _mm256_set1_epi8(unsafe { *queries.add(i) } as i8);
                    for (acc, z) in acc.iter_mut().zip(base) {
                        // Equal lanes are −1: mismatches = features + Σ equal.
                        *acc = _mm256_add_epi8(*acc, _mm256_cmpeq_epi8(x, z));
                    }
                }
            }
            let all = _mm256_set1_epi8(features as u8 as i8);
            for (counts, acc) in counts[first..].iter_mut().zip(acc) {
                for (half, acc) in acc.into_iter().enumerate() {
                    let pointer = counts[half * BYTES..].as_mut_ptr().cast();
                    // SAFETY: `counts` is 64 bytes, each half 32.
                    unsafe {
                        let before = _mm256_loadu_si256(pointer);
                        let now = _mm256_add_epi8(all, acc);
                        _mm256_storeu_si256(pointer, _mm256_add_epi8(before, now));
                    }
                }
            }
        }
    }

    #[target_feature(enable = "avx2,fma")]
    fn differences(
        Pack(pack): &NumberPack,
        x: &[f64; NUMBER_RUN],
        places: &Places,
        sums: &mut [f64; NUMBER_RUN],
    ) {
        let sign = _mm256_set1_pd(-0.0);
        // As with AVX-512: an addition on the units that multiply.
        let one = _mm256_set1_pd(std::hint::black_box(1.0));
        let load = |row: &[f64; NUMBER_RUN]| {
            // SAFETY: eight doubles in two halves.
            unsafe { [_mm256_loadu_pd(row.as_ptr()), _mm256_loadu_pd(row.as_ptr().add(4))] }
        };
        let x = load(x);
        let mut parts = [[_mm256_setzero_pd(); 2]; 4];
        let add = |sums: &mut [__m256d; 2], place: &u8| {
            let z = load(&pack[*place as usize]);
            for half in 0..2 {
                let size = _mm256_andnot_pd(sign, _mm256_sub_pd(x[half], z[half]));
                sums[half] = _mm256_fmadd_pd(size, one, sums[half]);
            }
        };
        let (fours, rest) = places.taken().as_chunks::<4>();
        for four in fours {
            parts.iter_mut().zip(four).for_each(|(part, place)| add(part, place));
        }
        parts.iter_mut().zip(rest).for_each(|(part, place)| add(part, place));
        let [a, b, c, d] = parts;
        let before = load(sums);
        for half in 0..2 {
            let sum =
                _mm256_add_pd(_mm256_add_pd(a[half], b[half]), _mm256_add_pd(c[half], d[half]));
            // SAFETY: as above.
            unsafe {
                _mm256_storeu_pd(sums.as_mut_ptr().add(4 * half), _mm256_add_pd(before[half], sum));
            }
        }
    }

    #[target_feature(enable = "avx2")]
    fn whole_differences(
        Pack(pack): &WholePack,
        x: &[u32; WHOLE_RUN],
        places: &Places,
        sums: &mut [u64; WHOLE_RUN],
    ) {
        let load = |row: &[u32; WHOLE_RUN]| {
            let row = row.as_ptr().cast::<__m256i>();
            // SAFETY: sixteen whole numbers, in two halves.
            unsafe { [_mm256_loadu_si256(row), _mm256_loadu_si256(row.add(1))] }
        };
        let x = load(x);
        for places in places.taken().chunks(GRID_ROWS) {
            let mut here = [_mm256_setzero_si256(); 2];
            for place in places {
                let z = load(&pack[*place as usize]);
                for half in 0..2 {
                    let size = _mm256_abs_epi32(_mm256_sub_epi32(x[half], z[half]));
                    here[half] = _mm256_add_epi32(here[half], size);
                }
            }
            let mut added = [0u32; WHOLE_RUN];
            for (half, here) in here.into_iter().enumerate() {
                // SAFETY: as above.
                unsafe {
                    _mm256_storeu_si256(added.as_mut_ptr().cast::<__m256i>().add(half), here);
                }
            }
            sums.iter_mut().zip(added).for_each(|(sum, added)| *sum += u64::from(added));
        }
    }

    #[target_feature(enable = "avx2")]
    fn mismatches(
        Pack(pack): &CodePack,
        x: &[u16; CODE_RUN],
        places: &Places,
        counts: &mut [u32; CODE_RUN],
    ) {
        let load = |row: &[u16; CODE_RUN]| {
            let row = row.as_ptr().cast::<__m256i>();
            // SAFETY: thirty-two codes of two bytes, in two halves.
            unsafe { [_mm256_loadu_si256(row), _mm256_loadu_si256(row.add(1))] }
        };
        let x = load(x);
        // Equal codes are −1: mismatches = rows + Σ equal.
        let mut sums = [_mm256_set1_epi16(places.taken().len() as i16); 2];
        for place in places.taken() {
            let z = load(&pack[*place as usize]);
            for half in 0..2 {
                sums[half] = _mm256_add_epi16(sums[half], _mm256_cmpeq_epi16(x[half], z[half]));
            }
        }
        let mut here = [0u16; CODE_RUN];
        for (half, sum) in sums.into_iter().enumerate() {
            // SAFETY: as above.
            unsafe { _mm256_storeu_si256(here.as_mut_ptr().cast::<__m256i>().add(half), sum) };
        }
        counts.iter_mut().zip(here).for_each(|(count, here)| *count += u32::from(here));
    }

    #[target_feature(enable = "avx2")]
    fn max_limit(rounds: usize, sums: &mut Whole) {
        let nine = _mm256_set1_epi32(9);
        for rows in sums.chunks_exact_mut(QUERIES) {
            let mut acc = [[nine; 2]; QUERIES];
            for _ in 0..rounds {
                for acc in acc.as_flattened_mut() {
                    *acc = _mm256_add_epi32(*acc, _mm256_max_epu32(*acc, nine));
                }
            }
            for (row, acc) in rows.iter_mut().zip(acc) {
                for (half, acc) in acc.into_iter().enumerate() {
                    // SAFETY: half a row holds eight whole numbers.
                    unsafe { _mm256_storeu_si256(row[half * HALF..].as_mut_ptr().cast(), acc) };
                }
            }
        }
    }

    #[target_feature(enable = "avx2,fma")]
    fn product_limit(rounds: usize, mut sums: Sums) {
        let (half, one) = (_mm256_set1_ps(0.5), _mm256_set1_ps(1.0));
        for first in (0..LANES).step_by(QUERIES) {
            let mut acc = [[_mm256_setzero_ps(); 2]; QUERIES];
            for _ in 0..rounds {
                for acc in acc.as_flattened_mut() {
                    *acc = _mm256_fmadd_ps(*acc, half, one);
                }
            }
            for (i, acc) in acc.iter().enumerate() {
                for (half, acc) in acc.iter().enumerate() {
                    let half = &mut sums.row(first + i)[half * HALF..];
                    // SAFETY: half a row holds eight floats.
                    unsafe { _mm256_storeu_ps(half.as_mut_ptr(), *acc) };
                }
            }
        }
    }

    #[target_feature(enable = "avx2")]
    fn finish(values: &mut [f32], own: f32, totals: &[f32]) {
        plain::finish(values, own, totals);
    }

    #[target_feature(enable = "avx2")]
    fn pass(row: &[f32], query: &[f32], base: &[f32], out: &mut Vec<Pass>) {
        let groups = row.chunks_exact(LANES).zip(base.chunks_exact(LANES)).zip(query);
        for (group, ((row, base), &query)) in groups.enumerate() {
            let (mut by_query, mut by_base) = (0u16, 0u16);
            for half in 0..2 {
                // SAFETY: chunks of sixteen floats, two halves of eight.
                let (t, base) = unsafe {
                    (
                        _mm256_loadu_ps(row.as_ptr().add(half * HALF)),
                        _mm256_loadu_ps(base.as_ptr().add(half * HALF)),
                    )
                };
                let mask = |limit| _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(t, limit)) as u16;
                by_query |= mask(_mm256_set1_ps(query)) << (half * HALF);
                by_base |= mask(base) << (half * HALF);
            }
            if by_query | by_base != 0 {
                out.push(Pass { group: group as u32, query: by_query, base: by_base });
            }
        }
    }
}
