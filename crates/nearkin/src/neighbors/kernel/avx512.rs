//! AVX-512: sixteen base rows a register, the queries broadcast from memory.
//!
//! Sixteen accumulators stay in registers for a whole run of features. An element costs one
//! max and one add of whole numbers (or one fused multiply-add); loads hide behind them: sixteen
//! queries and sixteen rows of p numbers are 128 · p bytes for 256 · p elements, half a byte each,
//! and their sums, 1 KiB, are touched once a run.

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
        CODE_RUN, CodePack, NUMBER_RUN, NumberPack, Pack, Places, WHOLE_RUN, WholePack,
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
        scores: |q, b, of, masks, scores| match is_x86_feature_detected!("avx512vnni") {
            true => unsafe { fused_products(q, b, of, masks, scores) },
            false => unsafe { products(q, b, of, masks, scores) },
        },
        squares: |q, factors, b, values| unsafe { squares(q, factors, b, values) },
        mismatch: |q, b, factors, sums| unsafe { mismatch(q, b, factors, sums) },
        mismatch_bytes: |q, b, factors, sums| unsafe { mismatch_bytes(q, b, factors, sums) },
        mismatch_few: |q, factors, b, values| unsafe { mismatch_few(q, factors, b, values) },
        mismatch_codes: |q, first, b, counts| unsafe { mismatch_codes(q, first, b, counts) },
        mismatch_planes: |q, b, sums| match packed::has_avx512() {
            true => unsafe { packed::avx512(q, b, sums) },
            false => unsafe { packed::avx2(q, b, sums) },
        },
        mismatch_limit: |rounds, counts| match packed::has_avx512() {
            true => unsafe { packed::avx512_limit(rounds, counts) },
            false => unsafe { packed::avx2_limit(rounds, counts) },
        },
        differences: |pack, x, places, sums| unsafe { differences(pack, x, places, sums) },
        whole_differences: |pack, x, places, sums| unsafe {
            whole_differences(pack, x, places, sums);
        },
        mismatches: |pack, x, places, counts| unsafe { mismatches(pack, x, places, counts) },
        max_limit: |rounds, sums| unsafe { max_limit(rounds, sums) },
        product_limit: |rounds, sums| unsafe { product_limit(rounds, sums) },
        select: |values, low, high, places| unsafe { select(values, low, high, places) },
        finish: |values, own, totals| unsafe { finish(values, own, totals) },
        pass: |row, query, base, out| unsafe { pass(row, query, base, out) },
    };

    type F = __m512;
    type I = __m512i;
    type D = __m512d;

    /// Floats in a register.
    const WIDTH: usize = 16;

    /// Queries whose sums stay in registers.
    const QUERIES: usize = 16;

    operations! { "avx512f,avx512bw,avx512vl":
        fn zero() -> F = _mm512_setzero_ps();
        fn set(x: f32) -> F = _mm512_set1_ps(x);
        fn add(x: F, z: F) -> F = _mm512_add_ps(x, z);
        fn multiply(x: F, z: F) -> F = _mm512_mul_ps(x, z);
        fn multiply_add(x: F, z: F, sum: F) -> F = _mm512_fmadd_ps(x, z, sum);
        fn add_unlike(sum: F, x: F, z: F, factor: F) -> F =
            _mm512_mask_add_ps(sum, _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(x, z), sum, factor);
        fn at_most(x: F, limit: F) -> u16 = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(x, limit);

        fn no_bits() -> I = _mm512_setzero_si512();
        fn set_whole(x: i32) -> I = _mm512_set1_epi32(x);
        fn add_whole(x: I, z: I) -> I = _mm512_add_epi32(x, z);
        fn max_whole(x: I, z: I) -> I = _mm512_max_epu32(x, z);
        fn add_pairs(sum: I, x: I, z: I) -> I = _mm512_add_epi32(sum, _mm512_madd_epi16(x, z));
        fn reached(sum: I, limit: I) -> u16 = _mm512_cmpge_epi32_mask(sum, limit);

        fn set_byte(x: i8) -> I = _mm512_set1_epi8(x);
        fn add_bytes(x: I, z: I) -> I = _mm512_add_epi8(x, z);
        fn count_bytes(sum: I, x: I, z: I) -> I =
            _mm512_mask_add_epi8(sum, _mm512_cmpneq_epi8_mask(x, z), sum, _mm512_set1_epi8(1));
        fn counted_bytes(sum: I, _all: i8) -> I = sum;
        fn count_codes(sum: I, x: I, z: I) -> I =
            _mm512_mask_add_epi16(sum, _mm512_cmpneq_epi16_mask(x, z), sum, _mm512_set1_epi16(1));
        fn counted_codes(sum: I, _all: i16) -> I = sum;

        fn no_doubles() -> D = _mm512_setzero_pd();
        fn set_double(x: f64) -> D = _mm512_set1_pd(x);
        fn add_doubles(x: D, z: D) -> D = _mm512_add_pd(x, z);
        fn add_size(sum: D, x: D, z: D, one: D) -> D =
            _mm512_fmadd_pd(_mm512_abs_pd(_mm512_sub_pd(x, z)), one, sum);

        unsafe fn load(from: *const f32) -> F = _mm512_loadu_ps(from);
        unsafe fn store(to: *mut f32, x: F) = _mm512_storeu_ps(to, x);
        unsafe fn load_bits(from: *const I) -> I = _mm512_loadu_si512(from);
        unsafe fn store_bits(to: *mut I, x: I) = _mm512_storeu_si512(to, x);
        unsafe fn load_doubles(from: *const f64) -> D = _mm512_loadu_pd(from);
        unsafe fn store_doubles(to: *mut f64, x: D) = _mm512_storeu_pd(to, x);
    }

    operations! { "avx512f,avx512bw,avx512vl,avx512vnni":
        fn fused(sum: I, x: I, z: I) -> I = _mm512_dpwssd_epi32(sum, x, z);
    }

    bodies! { "avx512f,avx512bw,avx512vl" }

    /// The distances that whole sums stand for, row by row: `each(i, distances)`.
    ///
    /// Lower bound: that of `max_sum`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn whole_distances(
        q: &[u32],
        b: &[u32],
        (own, totals): Totals,
        mut each: impl FnMut(usize, __m512i),
    ) {
        let whole = max_sum(q, b);
        // SAFETY: sixteen whole numbers, here and in a row.
        let load = |row: &[u32; LANES]| unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
        let totals = load(totals);
        for (i, whole) in whole.iter().enumerate() {
            let both = _mm512_add_epi32(totals, _mm512_set1_epi32(own[i] as i32));
            each(i, _mm512_sub_epi32(_mm512_slli_epi32::<1>(load(whole)), both));
        }
    }

    /// Lower bound: that of `max_sum`.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn fixed(q: &[u32], b: &[u32], totals: Totals, unit: f32, mut sums: Sums) {
        let unit = _mm512_set1_ps(unit);
        whole_distances(q, b, totals, |i, distances| {
            let row = sums.row(i).as_mut_ptr();
            // SAFETY: a row holds sixteen floats.
            unsafe {
                let added = _mm512_mul_ps(_mm512_cvtepu32_ps(distances), unit);
                _mm512_storeu_ps(row, _mm512_add_ps(_mm512_loadu_ps(row), added));
            }
        });
    }

    /// Lower bound: that of `max_sum`.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn graded(q: &[u32], b: &[u32], totals: Totals, shift: u32, mut sums: Sums<u32>) {
        let shift = _mm_cvtsi32_si128((shift & 31) as i32);
        whole_distances(q, b, totals, |i, distances| {
            let row: *mut __m512i = sums.row(i).as_mut_ptr().cast();
            // SAFETY: a row holds sixteen whole numbers.
            unsafe {
                let added = _mm512_srl_epi32(distances, shift);
                let sum = _mm512_add_epi32(_mm512_loadu_si512(row.cast_const()), added);
                _mm512_storeu_si512(row, sum);
            }
        });
    }

    /// [`products`] where one instruction does both.
    ///
    /// Lower bound: one instruction for thirty-two elements.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn fused_products(
        q: &[i32],
        b: &[i32],
        of: Starts,
        masks: &mut [u16; LANES],
        scores: &mut ScoreTile,
    ) -> bool {
        over_pairs!(q, b, of, masks, scores, fused)
    }

    /// Lower bound: that of `mismatch`, as a factor is a float and sixteen are added at once.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn mismatch_bytes(q: &[u8], b: &[u8], factors: &[f32], mut sums: Sums) {
        let features = (q.len() / LANES).min(b.len() / LANES).min(factors.len());
        let mut acc = [_mm512_setzero_ps(); LANES];
        for (feature, &factor) in factors[..features].iter().enumerate() {
            // SAFETY: feature < q.len() / 16 and b.len() / 16, so all sixteen are inside.
            let (queries, z) = unsafe {
                (
                    q.as_ptr().add(feature * LANES),
                    _mm_loadu_si128(b.as_ptr().add(feature * LANES).cast()),
                )
            };
            let (z, factor) = (_mm512_cvtepu8_epi32(z), _mm512_set1_ps(factor));
            for (i, acc) in acc.iter_mut().enumerate() {
                // SAFETY: i < 16, within the feature's queries.
                let x = _mm512_set1_epi32(i32::from(unsafe { *queries.add(i) }));
                *acc = _mm512_mask_add_ps(*acc, _mm512_cmpneq_epi32_mask(x, z), *acc, factor);
            }
        }
        for (i, acc) in acc.iter().enumerate() {
            let row = sums.row(i).as_mut_ptr();
            // SAFETY: a row holds sixteen floats.
            unsafe { _mm512_storeu_ps(row, _mm512_add_ps(_mm512_loadu_ps(row), *acc)) };
        }
    }

    /// Lower bound: a comparison and an add for sixteen elements.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn mismatch_few(q: &[u8], factors: &[f32], b: &[u8], values: &mut Squares) {
        let features = (q.len() / SQUARED_QUERIES).min(b.len() / LANES).min(factors.len());
        // SAFETY: sixteen floats.
        let mut acc = values.each_ref().map(|row| unsafe { _mm512_loadu_ps(row.as_ptr()) });
        for (feature, &factor) in factors[..features].iter().enumerate() {
            // SAFETY: all eight queries and all sixteen rows are inside.
            let (queries, z) = unsafe {
                (
                    q.as_ptr().add(feature * SQUARED_QUERIES),
                    _mm_loadu_si128(b.as_ptr().add(feature * LANES).cast()),
                )
            };
            let factor = _mm512_set1_ps(factor);
            for (i, acc) in acc.iter_mut().enumerate() {
                // SAFETY: i < 8, within the feature's queries.
                let x = _mm_set1_epi8(unsafe { *queries.add(i) }.cast_signed());
                *acc = _mm512_mask_add_ps(*acc, _mm_cmpneq_epi8_mask(x, z), *acc, factor);
            }
        }
        for (values, acc) in values.iter_mut().zip(acc) {
            // SAFETY: sixteen floats.
            unsafe { _mm512_storeu_ps(values.as_mut_ptr(), acc) };
        }
    }

    /// Lower bound: a subtraction, an absolute value and an addition for sixteen elements, so 10
    /// elements a cycle.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn whole_differences(
        Pack(pack): &WholePack,
        x: &[u32; WHOLE_RUN],
        places: &Places,
        sums: &mut [u64; WHOLE_RUN],
    ) {
        // SAFETY: sixteen whole numbers.
        let load =
            |row: &[u32; WHOLE_RUN]| unsafe { _mm512_loadu_si512(row.as_ptr().cast::<__m512i>()) };
        // Even lanes and odd ones as long numbers: no lane has to cross over.
        let halves = |all: __m512i| {
            let even = _mm512_and_si512(all, _mm512_set1_epi64(u32::MAX.into()));
            [even, _mm512_srli_epi64::<32>(all)]
        };
        let x = load(x);
        let (chunks, zeros) = places.padded();
        // The absolute difference to zero is the number itself.
        let zeros = _mm512_set1_epi64(zeros as i64);
        let mut long =
            halves(x).map(|x| _mm512_sub_epi64(_mm512_setzero_si512(), _mm512_mul_epu32(x, zeros)));
        for chunk in chunks {
            let mut sum = _mm512_setzero_si512();
            for place in chunk {
                let size = _mm512_abs_epi32(_mm512_sub_epi32(x, load(&pack[*place as usize])));
                sum = _mm512_add_epi32(sum, size);
            }
            let parts = halves(sum);
            (0..2).for_each(|half| long[half] = _mm512_add_epi64(long[half], parts[half]));
        }
        let [even, odd] = long;
        let in_order = [
            _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0),
            _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4),
        ];
        for (half, order) in in_order.into_iter().enumerate() {
            let sum = _mm512_permutex2var_epi64(even, order, odd);
            // SAFETY: two halves of eight long numbers.
            unsafe {
                let sums = sums.as_mut_ptr().add(half * 8).cast::<__m512i>();
                _mm512_storeu_si512(sums, _mm512_add_epi64(_mm512_loadu_si512(sums), sum));
            }
        }
    }

    /// Lower bound: a comparison and a compression for sixteen values.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn select(values: &[u32], low: u32, high: u32, places: &mut Vec<u32>) {
        let span = _mm512_set1_epi32(high.saturating_sub(low) as i32);
        let first = _mm512_set1_epi32(low as i32);
        let mut place = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let mut at = places.len();
        // Whole registers are written: room for one beyond the last value.
        places.reserve(values.len() + LANES);
        let (whole, rest) = values.as_chunks::<LANES>();
        let mut take = |values: __m512i, real: __mmask16| {
            let inside = _mm512_cmplt_epu32_mask(_mm512_sub_epi32(values, first), span) & real;
            // SAFETY: at most one place for each value so far, and room for sixteen more.
            unsafe {
                let to = places.as_mut_ptr().add(at);
                _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi32(inside, place));
            }
            at += inside.count_ones() as usize;
            place = _mm512_add_epi32(place, _mm512_set1_epi32(LANES as i32));
        };
        for values in whole {
            // SAFETY: sixteen values.
            take(unsafe { _mm512_loadu_si512(values.as_ptr().cast()) }, u16::MAX);
        }
        if !rest.is_empty() {
            let real = (1u16 << rest.len()) - 1;
            // SAFETY: the mask keeps to the values there are.
            take(unsafe { _mm512_maskz_loadu_epi32(real, rest.as_ptr().cast()) }, real);
        }
        // SAFETY: all of these places were written, within the room reserved.
        unsafe { places.set_len(at) };
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::random::Random;

        /// The table of kernels has one of the two; the other is for other machines.
        #[test]
        fn fused_products_are_those_of_two_instructions() {
            if !is_x86_feature_detected!("avx512vnni") || !is_x86_feature_detected!("avx512bw") {
                return;
            }
            let mut random = Random::new(9, 0);
            for pairs in [0, 1, 2, 25, 64] {
                let mut draw =
                    |len| -> Vec<i32> { (0..len).map(|_| random.word() as i32).collect() };
                let (q, b) = (draw(pairs * LANES), draw(pairs * LANES));
                let of = (&[-7; LANES], &[0; LANES]);
                let (mut masks, mut scores) = ([[0; LANES]; 2], [[[0; LANES]; LANES]; 2]);
                let [fused, two] = &mut masks;
                let [fused_scores, two_scores] = &mut scores;
                // SAFETY: the machine has these features.
                let found = unsafe {
                    [
                        fused_products(&q, &b, of, fused, fused_scores),
                        products(&q, &b, of, two, two_scores),
                    ]
                };
                assert_eq!((found[0], masks[0], scores[0]), (found[1], masks[1], scores[1]));
            }
        }
    }
}
