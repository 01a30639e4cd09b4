//! AVX2 kernels: a group of base rows in two registers, four queries at a time.

#![allow(unsafe_code)]

use super::kernel::Kernels;

#[cfg(not(target_arch = "x86_64"))]
pub(crate) static KERNELS: &Kernels = &super::kernel::PLAIN;

#[cfg(target_arch = "x86_64")]
pub(crate) static KERNELS: &Kernels = &x86::KERNELS;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::super::kernel::{
        CODE_LANES, Counts, Kernels, LANES, Pass, Sums, Totals, Whole, plain,
    };
    use super::super::kernel_packed;

    // SAFETY: `Isa::kernels` hands this table out only where the machine has these features.
    pub(super) static KERNELS: Kernels = Kernels {
        fixed: |q, b, totals, unit, sums| unsafe { fixed(q, b, totals, unit, sums) },
        fixed_wide: |q, b, totals, unit, sums| unsafe { fixed_wide(q, b, totals, unit, sums) },
        dot: |q, b, sums| unsafe { dot(q, b, sums) },
        mismatch: |q, b, factors, sums| unsafe { mismatch(q, b, factors, sums) },
        mismatch_codes: |q, first, b, counts| unsafe { mismatch_codes(q, first, b, counts) },
        mismatch_planes: |q, b, sums| unsafe { kernel_packed::avx2(q, b, sums) },
        limit: |rounds, sums| unsafe { limit(rounds, sums) },
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
    fn fixed_wide(q: &[u32], b: &[u32], totals: Totals, unit: f64, sums: Sums<f64>) {
        plain::add_fixed_wide(&max_sum(q, b), totals, unit, sums);
    }

    #[target_feature(enable = "avx2,fma")]
    fn dot(q: &[f32], b: &[f32], mut sums: Sums) {
        over_features!(q, b, sums, |sum, x, z, feature| _mm256_fmadd_ps(x, z, *sum));
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
    fn mismatch_codes(q: &[u8], first: usize, b: &[u8], counts: &mut Counts) {
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
    fn limit(rounds: usize, mut sums: Sums) {
        let floor = _mm256_set1_ps(1e-9);
        for first in (0..LANES).step_by(QUERIES) {
            let mut acc = [[_mm256_setzero_ps(); 2]; QUERIES];
            for _ in 0..rounds {
                for acc in acc.as_flattened_mut() {
                    *acc = _mm256_add_ps(*acc, _mm256_max_ps(*acc, floor));
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
