//! AVX2: a group of base rows in two registers, four queries at a time.
//!
//! The bodies are those of `bodies!`, with the operations of this file. Each kernel takes at least twice the instructions of its form in `avx512.rs`, whose registers
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

    type F = __m256;
    type I = __m256i;
    type D = __m256d;

    /// Floats in a register.
    const WIDTH: usize = 8;

    /// Queries whose sums stay in registers.
    const QUERIES: usize = 4;

    operations! { "avx2,fma":
        fn zero() -> F = _mm256_setzero_ps();
        fn set(x: f32) -> F = _mm256_set1_ps(x);
        fn add(x: F, z: F) -> F = _mm256_add_ps(x, z);
        fn multiply(x: F, z: F) -> F = _mm256_mul_ps(x, z);
        fn multiply_add(x: F, z: F, sum: F) -> F = _mm256_fmadd_ps(x, z, sum);
        fn add_unlike(sum: F, x: F, z: F, factor: F) -> F = {
            let unlike = _mm256_cmp_ps::<_CMP_NEQ_UQ>(x, z);
            _mm256_blendv_ps(sum, _mm256_add_ps(sum, factor), unlike)
        };
        fn at_most(x: F, limit: F) -> u16 =
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(x, limit)) as u16;

        fn no_bits() -> I = _mm256_setzero_si256();
        fn set_whole(x: i32) -> I = _mm256_set1_epi32(x);
        fn add_whole(x: I, z: I) -> I = _mm256_add_epi32(x, z);
        fn max_whole(x: I, z: I) -> I = _mm256_max_epu32(x, z);
        fn add_pairs(sum: I, x: I, z: I) -> I = _mm256_add_epi32(sum, _mm256_madd_epi16(x, z));
        fn reached(sum: I, limit: I) -> u16 = {
            let below = _mm256_castsi256_ps(_mm256_cmpgt_epi32(limit, sum));
            !(_mm256_movemask_ps(below) as u16) & 0xFF
        };

        // Equal lanes are −1: mismatches = features + Σ equal.
        fn set_byte(x: i8) -> I = _mm256_set1_epi8(x);
        fn add_bytes(x: I, z: I) -> I = _mm256_add_epi8(x, z);
        fn count_bytes(sum: I, x: I, z: I) -> I = _mm256_add_epi8(sum, _mm256_cmpeq_epi8(x, z));
        fn counted_bytes(sum: I, all: i8) -> I = _mm256_add_epi8(sum, _mm256_set1_epi8(all));
        fn count_codes(sum: I, x: I, z: I) -> I = _mm256_add_epi16(sum, _mm256_cmpeq_epi16(x, z));
        fn counted_codes(sum: I, all: i16) -> I = _mm256_add_epi16(sum, _mm256_set1_epi16(all));

        fn no_doubles() -> D = _mm256_setzero_pd();
        fn set_double(x: f64) -> D = _mm256_set1_pd(x);
        fn add_doubles(x: D, z: D) -> D = _mm256_add_pd(x, z);
        fn add_size(sum: D, x: D, z: D, one: D) -> D = {
            let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), _mm256_sub_pd(x, z));
            _mm256_fmadd_pd(size, one, sum)
        };

        unsafe fn load(from: *const f32) -> F = _mm256_loadu_ps(from);
        unsafe fn store(to: *mut f32, x: F) = _mm256_storeu_ps(to, x);
        unsafe fn load_bits(from: *const I) -> I = _mm256_loadu_si256(from);
        unsafe fn store_bits(to: *mut I, x: I) = _mm256_storeu_si256(to, x);
        unsafe fn load_doubles(from: *const f64) -> D = _mm256_loadu_pd(from);
        unsafe fn store_doubles(to: *mut f64, x: D) = _mm256_storeu_pd(to, x);
    }

    bodies! { "avx2,fma" }

    #[target_feature(enable = "avx2,fma")]
    fn fixed(q: &[u32], b: &[u32], totals: Totals, unit: f32, sums: Sums) {
        plain::add_fixed(&max_sum(q, b), totals, unit, sums);
    }

    #[target_feature(enable = "avx2,fma")]
    fn graded(q: &[u32], b: &[u32], totals: Totals, shift: u32, sums: Sums<u32>) {
        plain::add_graded(&max_sum(q, b), totals, shift, sums);
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
}
