//! AVX-512 kernels: sixteen base rows a register, the queries broadcast from memory.
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

    /// One step a feature over 16 × 16 sums held in registers.
    macro_rules! over_features {
        ($q:ident, $b:ident, $sums:ident, |$sum:ident, $x:ident, $z:ident, $feature:ident| $step:expr) => {{
            let features = ($q.len() / LANES).min($b.len() / LANES);
            let mut acc = [_mm512_setzero_ps(); LANES];
            for $feature in 0..features {
                // SAFETY: feature < q.len() / 16 and b.len() / 16, so all sixteen are inside.
                let (queries, $z) = unsafe {
                    (
                        $q.as_ptr().add($feature * LANES),
                        _mm512_loadu_ps($b.as_ptr().add($feature * LANES)),
                    )
                };
                for (i, $sum) in acc.iter_mut().enumerate() {
                    // SAFETY: i < 16, within the feature's queries.
                    let $x = _mm512_set1_ps(unsafe { *queries.add(i) });
                    *$sum = $step;
                }
            }
            for (i, acc) in acc.iter().enumerate() {
                let row = $sums.row(i).as_mut_ptr();
                // SAFETY: a row holds sixteen floats.
                unsafe { _mm512_storeu_ps(row, _mm512_add_ps(_mm512_loadu_ps(row), *acc)) };
            }
        }};
    }

    /// Lower bound: a max and an add for sixteen elements, one cycle where both units take
    /// integers.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn max_sum(q: &[u32], b: &[u32]) -> Whole {
        let features = (q.len() / LANES).min(b.len() / LANES);
        let mut acc = [_mm512_setzero_si512(); LANES];
        for feature in 0..features {
            // SAFETY: feature < q.len() / 16 and b.len() / 16, so all sixteen are inside.
            let (queries, z) = unsafe {
                (
                    q.as_ptr().add(feature * LANES),
                    _mm512_loadu_si512(b.as_ptr().add(feature * LANES).cast()),
                )
            };
            for (i, acc) in acc.iter_mut().enumerate() {
                // SAFETY: i < 16, within the feature's queries.
                let x = _mm512_set1_epi32(unsafe { *queries.add(i) } as i32);
                *acc = _mm512_add_epi32(*acc, _mm512_max_epu32(x, z));
            }
        }
        let mut sums = [[0u32; LANES]; LANES];
        for (sums, acc) in sums.iter_mut().zip(acc) {
            // SAFETY: sixteen whole numbers.
            unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), acc) };
        }
        sums
    }

    /// The distances that whole sums stand for, row by row: `each(i, distances)`.
    ///
    /// Lower bound: that of `max_sum`.
    #[inline]
    #[target_feature(enable = "avx512f")]
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
    #[target_feature(enable = "avx512f")]
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
    #[target_feature(enable = "avx512f")]
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

    /// Lower bound: one instruction for sixteen elements.
    #[target_feature(enable = "avx512f")]
    fn dot(q: &[f32], b: &[f32], mut sums: Sums) {
        over_features!(q, b, sums, |sum, x, z, feature| _mm512_fmadd_ps(x, z, *sum));
    }

    /// ScoreTile of pairs of 16-bit numbers, a step for thirty-two of them.
    macro_rules! over_pairs {
        ($q:ident, $b:ident, $of:ident, $masks:ident, $scores:ident, $step:expr) => {{
            let ((start, limits), step) = ($of, $step);
            let pairs = ($q.len() / LANES).min($b.len() / LANES);
            // SAFETY: sixteen whole numbers.
            let mut acc = [unsafe { _mm512_loadu_si512(start.as_ptr().cast()) }; LANES];
            for pair in 0..pairs {
                // SAFETY: pair < q.len() / 16 and b.len() / 16, so all sixteen are inside.
                let (queries, z) = unsafe {
                    (
                        $q.as_ptr().add(pair * LANES),
                        _mm512_loadu_si512($b.as_ptr().add(pair * LANES).cast()),
                    )
                };
                for (i, acc) in acc.iter_mut().enumerate() {
                    // SAFETY: i < 16, within the pair's queries.
                    let x = _mm512_set1_epi32(unsafe { *queries.add(i) });
                    *acc = step(*acc, x, z);
                }
            }
            for (i, mask) in $masks.iter_mut().enumerate() {
                *mask = _mm512_cmpge_epi32_mask(acc[i], _mm512_set1_epi32(limits[i]));
            }
            if $masks.iter().all(|mask| *mask == 0) {
                return false;
            }
            for (i, acc) in acc.into_iter().enumerate().filter(|(i, _)| $masks[*i] != 0) {
                // SAFETY: sixteen whole numbers.
                unsafe { _mm512_storeu_si512($scores[i].as_mut_ptr().cast(), acc) };
            }
            true
        }};
    }

    /// Lower bound: a multiply-and-add of pairs and an addition for thirty-two elements.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn products(
        q: &[i32],
        b: &[i32],
        of: Starts,
        masks: &mut [u16; LANES],
        scores: &mut ScoreTile,
    ) -> bool {
        over_pairs!(q, b, of, masks, scores, |sum, x, z| {
            _mm512_add_epi32(sum, _mm512_madd_epi16(x, z))
        })
    }

    /// [`products`] where one instruction does both.
    ///
    /// Lower bound: one instruction for thirty-two elements.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn fused_products(
        q: &[i32],
        b: &[i32],
        of: Starts,
        masks: &mut [u16; LANES],
        scores: &mut ScoreTile,
    ) -> bool {
        over_pairs!(q, b, of, masks, scores, |sum, x, z| _mm512_dpwssd_epi32(sum, x, z))
    }

    /// Lower bound: for sixteen elements one instruction a query, and two for all queries.
    #[target_feature(enable = "avx512f")]
    fn squares(q: &[f32], factors: &[f32], b: &[f32], values: &mut Squares) {
        let features = (q.len() / SQUARED_QUERIES).min(b.len() / LANES).min(factors.len());
        let mut norm = _mm512_setzero_ps();
        let mut acc = [_mm512_setzero_ps(); SQUARED_QUERIES];
        for feature in 0..features {
            // SAFETY: all eight queries, the factor and all sixteen rows are inside.
            let (queries, factor, z) = unsafe {
                (
                    q.as_ptr().add(feature * SQUARED_QUERIES),
                    _mm512_set1_ps(*factors.as_ptr().add(feature)),
                    _mm512_loadu_ps(b.as_ptr().add(feature * LANES)),
                )
            };
            norm = _mm512_fmadd_ps(factor, _mm512_mul_ps(z, z), norm);
            for (i, acc) in acc.iter_mut().enumerate() {
                // SAFETY: i < 8, within the feature's queries.
                let x = _mm512_set1_ps(unsafe { *queries.add(i) });
                *acc = _mm512_fmadd_ps(x, z, *acc);
            }
        }
        for (values, acc) in values.iter_mut().zip(acc) {
            // SAFETY: sixteen floats.
            unsafe { _mm512_storeu_ps(values.as_mut_ptr(), _mm512_add_ps(acc, norm)) };
        }
    }

    /// Lower bound: a comparison and an add for sixteen elements.
    #[target_feature(enable = "avx512f")]
    fn mismatch(q: &[f32], b: &[f32], factors: &[f32], mut sums: Sums) {
        over_features!(q, b, sums, |sum, x, z, feature| {
            let differ = _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(x, z);
            _mm512_mask_add_ps(*sum, differ, *sum, _mm512_set1_ps(factors[feature]))
        });
    }

    /// Lower bound: that of `mismatch`, as a factor is a float and sixteen are added at once.
    #[target_feature(enable = "avx512f")]
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

    /// Lower bound: a comparison and an add for 64 elements.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn mismatch_codes(q: &[u8], first: usize, b: &[u8], counts: &mut CodeCounts) {
        let features = (q.len() / CODE_LANES).min(b.len() / CODE_LANES);
        let first = first.min(CODE_LANES - LANES);
        let one = _mm512_set1_epi8(1);
        let mut acc = [_mm512_setzero_si512(); LANES];
        for feature in 0..features {
            // SAFETY: feature < q.len() / 64 and b.len() / 64; first + 16 ≤ 64.
            let (queries, z) = unsafe {
                (
                    q.as_ptr().add(feature * CODE_LANES + first),
                    _mm512_loadu_si512(b.as_ptr().add(feature * CODE_LANES).cast()),
                )
            };
            for (i, acc) in acc.iter_mut().enumerate() {
                // SAFETY: i < 16, within the sixteen queries.
                let x = _mm512_set1_epi8(unsafe { *queries.add(i) } as i8);
                *acc = _mm512_mask_add_epi8(*acc, _mm512_cmpneq_epi8_mask(x, z), *acc, one);
            }
        }
        for (counts, acc) in counts.iter_mut().zip(acc) {
            let pointer = counts.as_mut_ptr().cast();
            // SAFETY: `counts` is 64 bytes.
            unsafe {
                _mm512_storeu_si512(
                    pointer,
                    _mm512_add_epi8(_mm512_loadu_si512(pointer.cast_const()), acc),
                )
            };
        }
    }

    /// A multiply-add by 1 gives the bits of an addition, which would have to queue behind the
    /// subtractions.
    ///
    /// Lower bound: a subtraction, its size and a multiply-add for eight elements: 6 a cycle.
    #[target_feature(enable = "avx512f")]
    fn differences(
        Pack(pack): &NumberPack,
        x: &[f64; NUMBER_RUN],
        places: &Places,
        sums: &mut [f64; NUMBER_RUN],
    ) {
        // SAFETY: eight doubles.
        let load = |row: &[f64; NUMBER_RUN]| unsafe { _mm512_loadu_pd(row.as_ptr()) };
        let x = load(x);
        let one = _mm512_set1_pd(std::hint::black_box(1.0));
        let mut parts = [_mm512_setzero_pd(); 4];
        let add = |sum: &mut __m512d, place: &u8| {
            let size = _mm512_abs_pd(_mm512_sub_pd(x, load(&pack[*place as usize])));
            *sum = _mm512_fmadd_pd(size, one, *sum);
        };
        let (fours, rest) = places.taken().as_chunks::<4>();
        for four in fours {
            parts.iter_mut().zip(four).for_each(|(part, place)| add(part, place));
        }
        parts.iter_mut().zip(rest).for_each(|(part, place)| add(part, place));
        let [a, b, c, d] = parts;
        let sum = _mm512_add_pd(_mm512_add_pd(a, b), _mm512_add_pd(c, d));
        // SAFETY: eight doubles.
        unsafe { _mm512_storeu_pd(sums.as_mut_ptr(), _mm512_add_pd(load(sums), sum)) };
    }

    /// Lower bound: a subtraction, its size and an addition for sixteen elements: 10 a cycle.
    #[target_feature(enable = "avx512f")]
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
        // The size of a difference to zero is the number itself.
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

    /// Lower bound: a comparison and an addition for thirty-two elements.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn mismatches(
        Pack(pack): &CodePack,
        x: &[u16; CODE_RUN],
        places: &Places,
        counts: &mut [u32; CODE_RUN],
    ) {
        // SAFETY: thirty-two codes of two bytes.
        let load = |row: &[u16; CODE_RUN]| unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
        let (x, one) = (load(x), _mm512_set1_epi16(1));
        let mut sum = _mm512_setzero_si512();
        for place in places.taken() {
            let differ = _mm512_cmpneq_epi16_mask(x, load(&pack[*place as usize]));
            sum = _mm512_mask_add_epi16(sum, differ, sum, one);
        }
        let halves = [_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64::<1>(sum)];
        for (half, sum) in halves.into_iter().enumerate() {
            // SAFETY: two halves of sixteen counts.
            unsafe {
                let counts = counts.as_mut_ptr().add(half * LANES).cast::<__m512i>();
                let before = _mm512_loadu_si512(counts);
                _mm512_storeu_si512(counts, _mm512_add_epi32(before, _mm512_cvtepu16_epi32(sum)));
            }
        }
    }

    /// A max and an add for sixteen sums, and no byte of memory.
    #[target_feature(enable = "avx512f")]
    fn max_limit(rounds: usize, sums: &mut Whole) {
        // SAFETY: a row holds sixteen whole numbers.
        let mut acc = sums.map(|row| unsafe { _mm512_loadu_si512(row.as_ptr().cast()) });
        let nine = _mm512_set1_epi32(9);
        for _ in 0..rounds {
            for acc in &mut acc {
                *acc = _mm512_add_epi32(*acc, _mm512_max_epu32(*acc, nine));
            }
        }
        for (row, acc) in sums.iter_mut().zip(acc) {
            // SAFETY: as above.
            unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), acc) };
        }
    }

    /// A multiply-add for sixteen sums, and no byte of memory.
    #[target_feature(enable = "avx512f")]
    fn product_limit(rounds: usize, mut sums: Sums) {
        let mut acc = [_mm512_setzero_ps(); LANES];
        let (half, one) = (_mm512_set1_ps(0.5), _mm512_set1_ps(1.0));
        for _ in 0..rounds {
            for acc in &mut acc {
                *acc = _mm512_fmadd_ps(*acc, half, one);
            }
        }
        for (i, acc) in acc.iter().enumerate() {
            // SAFETY: a row holds sixteen floats.
            unsafe { _mm512_storeu_ps(sums.row(i).as_mut_ptr(), *acc) };
        }
    }

    /// Lower bound: a comparison and a compression for sixteen values.
    #[target_feature(enable = "avx512f")]
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

    /// Lower bound: three operations for sixteen values, as nothing is fused.
    #[target_feature(enable = "avx512f")]
    fn finish(values: &mut [f32], own: f32, totals: &[f32]) {
        plain::finish(values, own, totals);
    }

    /// Lower bound: two comparisons for sixteen values.
    #[target_feature(enable = "avx512f")]
    fn pass(row: &[f32], query: &[f32], base: &[f32], out: &mut Vec<Pass>) {
        let groups = row.chunks_exact(LANES).zip(base.chunks_exact(LANES)).zip(query);
        for (group, ((row, base), &query)) in groups.enumerate() {
            // SAFETY: chunks of sixteen floats.
            let (t, base) =
                unsafe { (_mm512_loadu_ps(row.as_ptr()), _mm512_loadu_ps(base.as_ptr())) };
            let query = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(t, _mm512_set1_ps(query));
            let base = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(t, base);
            if query | base != 0 {
                out.push(Pass { group: group as u32, query, base });
            }
        }
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
