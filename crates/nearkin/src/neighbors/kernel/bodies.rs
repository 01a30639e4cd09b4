//! One body a kernel: loops over registers, compiled for each vector instruction set.
//!
//! `bodies!` writes the kernels with the operations of the module that it stands in, which says how many
//! floats a register holds (`WIDTH`) and how many queries' sums registers have room for (`QUERIES`).
//! `whole_differences`, byte codes under factors and `select` need instructions that only AVX-512 has,
//! and have bodies of their own.

/// One step a feature over sums held in registers.
macro_rules! over_features {
    (
        $q:ident, $b:ident, $sums:ident,
        |$sum:ident, $x:ident, $z:ident, $feature:ident| $step:expr
    ) => {{
        let features = ($q.len() / LANES).min($b.len() / LANES);
        for first in (0..LANES).step_by(QUERIES) {
            let mut acc = [[zero(); REGISTERS]; QUERIES];
            for $feature in 0..features {
                // SAFETY: feature < q.len() / 16 and b.len() / 16, so all sixteen are inside.
                let (queries, base) = unsafe {
                    let base = load_all($b.as_ptr().add($feature * LANES));
                    ($q.as_ptr().add($feature * LANES + first), base)
                };
                for (i, acc) in acc.iter_mut().enumerate() {
                    // SAFETY: first + i < 16, within the feature's queries.
                    let $x = set(unsafe { *queries.add(i) });
                    for ($sum, $z) in acc.iter_mut().zip(base) {
                        *$sum = $step;
                    }
                }
            }
            for (i, acc) in acc.iter().enumerate() {
                let row = $sums.row(first + i).as_mut_ptr();
                for (at, &acc) in acc.iter().enumerate() {
                    // SAFETY: a row holds sixteen floats.
                    unsafe {
                        let cells = row.add(at * WIDTH);
                        store(cells, add(load(cells), acc));
                    }
                }
            }
        }
    }};
}

/// Scores of pairs of 16-bit numbers, a step for two numbers of each lane.
macro_rules! over_pairs {
    ($q:ident, $b:ident, $of:ident, $masks:ident, $scores:ident, $step:ident) => {{
        let (start, limits) = $of;
        let pairs = ($q.len() / LANES).min($b.len() / LANES);
        // SAFETY: sixteen whole numbers.
        let start = unsafe { load_whole(start.as_ptr()) };
        let mut any = false;
        for first in (0..LANES).step_by(QUERIES) {
            let mut acc = [start; QUERIES];
            for pair in 0..pairs {
                // SAFETY: pair < q.len() / 16 and b.len() / 16, so all sixteen are inside.
                let (queries, base) = unsafe {
                    let base = load_whole($b.as_ptr().add(pair * LANES));
                    ($q.as_ptr().add(pair * LANES + first), base)
                };
                for (i, acc) in acc.iter_mut().enumerate() {
                    // SAFETY: first + i < 16, within the pair's queries.
                    let x = set_whole(unsafe { *queries.add(i) });
                    for (acc, z) in acc.iter_mut().zip(base) {
                        *acc = $step(*acc, x, z);
                    }
                }
            }
            let masks = &mut $masks[first..first + QUERIES];
            for (i, mask) in masks.iter_mut().enumerate() {
                let limit = set_whole(limits[first + i]);
                *mask = 0;
                for (at, &acc) in acc[i].iter().enumerate() {
                    *mask |= reached(acc, limit) << (at * WIDTH);
                }
            }
            if masks.iter().all(|mask| *mask == 0) {
                continue;
            }
            any = true;
            for (i, acc) in acc.into_iter().enumerate().filter(|(i, _)| masks[*i] != 0) {
                // SAFETY: sixteen whole numbers.
                unsafe { store_whole($scores[first + i].as_mut_ptr(), acc) };
            }
        }
        any
    }};
}

/// The kernels of an instruction set, by the operations in scope.
macro_rules! bodies {
    ($features:tt) => {
        /// Registers for sixteen floats.
        const REGISTERS: usize = LANES / WIDTH;

        /// # Safety
        ///
        /// Sixteen floats must lie there.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn load_all(from: *const f32) -> [F; REGISTERS] {
            let mut all = [zero(); REGISTERS];
            for (at, part) in all.iter_mut().enumerate() {
                // SAFETY: the caller's.
                *part = unsafe { load(from.add(at * WIDTH)) };
            }
            all
        }

        /// # Safety
        ///
        /// 64 bytes must lie there.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn load_whole<T>(from: *const T) -> [I; REGISTERS] {
            let mut all = [no_bits(); REGISTERS];
            for (at, part) in all.iter_mut().enumerate() {
                // SAFETY: the caller's.
                *part = unsafe { load_bits(from.cast::<I>().add(at)) };
            }
            all
        }

        /// # Safety
        ///
        /// 64 bytes must lie there.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn store_whole<T>(to: *mut T, all: [I; REGISTERS]) {
            for (at, part) in all.into_iter().enumerate() {
                // SAFETY: the caller's.
                unsafe { store_bits(to.cast::<I>().add(at), part) };
            }
        }

        /// Lower bound: a max and an add for a register of elements.
        #[inline]
        #[target_feature(enable = $features)]
        fn max_sum(q: &[u32], b: &[u32]) -> Whole {
            let features = (q.len() / LANES).min(b.len() / LANES);
            let mut sums = [[0u32; LANES]; LANES];
            for first in (0..LANES).step_by(QUERIES) {
                let mut acc = [[no_bits(); REGISTERS]; QUERIES];
                for feature in 0..features {
                    // SAFETY: feature < q.len() / 16 and b.len() / 16, so all sixteen are inside.
                    let (queries, base) = unsafe {
                        let base = load_whole(b.as_ptr().add(feature * LANES));
                        (q.as_ptr().add(feature * LANES + first), base)
                    };
                    for (i, acc) in acc.iter_mut().enumerate() {
                        // SAFETY: first + i < 16, within the feature's queries.
                        let x = set_whole(unsafe { *queries.add(i) }.cast_signed());
                        for (acc, z) in acc.iter_mut().zip(base) {
                            *acc = add_whole(*acc, max_whole(x, z));
                        }
                    }
                }
                for (sums, acc) in sums[first..].iter_mut().zip(acc) {
                    for (at, part) in acc.into_iter().enumerate() {
                        // By a slice: from raw pointers the compiler adds totals one by one.
                        let part_of_row = sums[at * WIDTH..].as_mut_ptr().cast();
                        // SAFETY: a row holds sixteen whole numbers.
                        unsafe { store_bits(part_of_row, part) };
                    }
                }
            }
            sums
        }

        /// Lower bound: one instruction for a register of elements.
        #[target_feature(enable = $features)]
        fn dot(q: &[f32], b: &[f32], mut sums: Sums) {
            over_features!(q, b, sums, |sum, x, z, feature| multiply_add(x, z, *sum));
        }

        /// Lower bound: a comparison and an add for a register of elements.
        #[target_feature(enable = $features)]
        fn mismatch(q: &[f32], b: &[f32], factors: &[f32], mut sums: Sums) {
            over_features!(q, b, sums, |sum, x, z, feature| {
                add_unlike(*sum, x, z, set(factors[feature]))
            });
        }

        /// Lower bound: a multiply-and-add of pairs and an addition for two elements of each lane.
        #[target_feature(enable = $features)]
        fn products(
            q: &[i32],
            b: &[i32],
            of: Starts,
            masks: &mut [u16; LANES],
            scores: &mut ScoreTile,
        ) -> bool {
            over_pairs!(q, b, of, masks, scores, add_pairs)
        }

        /// Lower bound: for a register of elements one instruction a query, and two for all queries.
        #[target_feature(enable = $features)]
        fn squares(q: &[f32], factors: &[f32], b: &[f32], values: &mut Squares) {
            let features = (q.len() / SQUARED_QUERIES).min(b.len() / LANES).min(factors.len());
            for first in (0..LANES).step_by(WIDTH) {
                let mut norm = zero();
                let mut acc = [zero(); SQUARED_QUERIES];
                for feature in 0..features {
                    // SAFETY: all eight queries, the factor and the sixteen rows are inside.
                    let (queries, factor, z) = unsafe {
                        (
                            q.as_ptr().add(feature * SQUARED_QUERIES),
                            set(*factors.as_ptr().add(feature)),
                            load(b.as_ptr().add(feature * LANES + first)),
                        )
                    };
                    norm = multiply_add(factor, multiply(z, z), norm);
                    for (i, acc) in acc.iter_mut().enumerate() {
                        // SAFETY: i < 8, within the feature's queries.
                        let x = set(unsafe { *queries.add(i) });
                        *acc = multiply_add(x, z, *acc);
                    }
                }
                for (values, acc) in values.iter_mut().zip(acc) {
                    // SAFETY: sixteen floats.
                    unsafe { store(values[first..].as_mut_ptr(), add(acc, norm)) };
                }
            }
        }

        /// Lower bound: a comparison and an add for a register of bytes.
        #[target_feature(enable = $features)]
        fn mismatch_codes(q: &[u8], first: usize, b: &[u8], counts: &mut CodeCounts) {
            let features = (q.len() / CODE_LANES).min(b.len() / CODE_LANES);
            let lanes = first.min(CODE_LANES - LANES);
            for first in (0..LANES).step_by(QUERIES) {
                let mut acc = [[no_bits(); REGISTERS]; QUERIES];
                for feature in 0..features {
                    // SAFETY: feature < q.len() / 64 and b.len() / 64; lanes + 16 ≤ 64.
                    let (queries, base) = unsafe {
                        let base = load_whole(b.as_ptr().add(feature * CODE_LANES));
                        (q.as_ptr().add(feature * CODE_LANES + lanes + first), base)
                    };
                    for (i, acc) in acc.iter_mut().enumerate() {
                        // SAFETY: first + i < 16, within the sixteen queries.
                        let x = set_byte(unsafe { *queries.add(i) }.cast_signed());
                        for (acc, z) in acc.iter_mut().zip(base) {
                            *acc = count_bytes(*acc, x, z);
                        }
                    }
                }
                for (counts, acc) in counts[first..].iter_mut().zip(acc) {
                    // SAFETY: `counts` is 64 bytes.
                    unsafe {
                        let mut all = load_whole(counts.as_ptr());
                        for (all, acc) in all.iter_mut().zip(acc) {
                            *all = add_bytes(*all, counted_bytes(acc, features as i8));
                        }
                        store_whole(counts.as_mut_ptr(), all);
                    }
                }
            }
        }

        /// A multiply-add by 1 gives the bits of an addition, which would have to queue behind the
        /// subtractions.
        ///
        /// Lower bound: a subtraction, its size and a multiply-add for a register of doubles.
        #[target_feature(enable = $features)]
        fn differences(
            Pack(pack): &NumberPack,
            x: &[f64; NUMBER_RUN],
            places: &Places,
            sums: &mut [f64; NUMBER_RUN],
        ) {
            let load_run = |row: &[f64; NUMBER_RUN]| {
                let mut run = [no_doubles(); REGISTERS];
                for (at, part) in run.iter_mut().enumerate() {
                    // SAFETY: eight doubles.
                    *part = unsafe { load_doubles(row.as_ptr().add(at * WIDTH / 2)) };
                }
                run
            };
            let one = set_double(std::hint::black_box(1.0));
            let x = load_run(x);
            let mut parts = [[no_doubles(); REGISTERS]; 4];
            let add_row = |sums: &mut [D; REGISTERS], place: &u8| {
                let z = load_run(&pack[*place as usize]);
                for at in 0..REGISTERS {
                    sums[at] = add_size(sums[at], x[at], z[at], one);
                }
            };
            let (fours, rest) = places.taken().as_chunks::<4>();
            for four in fours {
                parts.iter_mut().zip(four).for_each(|(part, place)| add_row(part, place));
            }
            parts.iter_mut().zip(rest).for_each(|(part, place)| add_row(part, place));
            let ([a, b, c, d], before) = (parts, load_run(sums));
            for at in 0..REGISTERS {
                let sum = add_doubles(add_doubles(a[at], b[at]), add_doubles(c[at], d[at]));
                // SAFETY: eight doubles.
                unsafe {
                    let to = sums.as_mut_ptr().add(at * WIDTH / 2);
                    store_doubles(to, add_doubles(before[at], sum));
                }
            }
        }

        /// Lower bound: a comparison and an addition for a register of codes.
        #[target_feature(enable = $features)]
        fn mismatches(
            Pack(pack): &CodePack,
            x: &[u16; CODE_RUN],
            places: &Places,
            counts: &mut [u32; CODE_RUN],
        ) {
            // SAFETY: thirty-two codes of two bytes, here and below.
            let x = unsafe { load_whole(x.as_ptr()) };
            let mut sums = [no_bits(); REGISTERS];
            for place in places.taken() {
                // SAFETY: as above.
                let z = unsafe { load_whole(pack[*place as usize].as_ptr()) };
                for at in 0..REGISTERS {
                    sums[at] = count_codes(sums[at], x[at], z[at]);
                }
            }
            for sum in &mut sums {
                *sum = counted_codes(*sum, places.taken().len() as i16);
            }
            let mut here = [0u16; CODE_RUN];
            // SAFETY: as above.
            unsafe { store_whole(here.as_mut_ptr(), sums) };
            for i in 0..CODE_RUN {
                counts[i] += u32::from(here[i]);
            }
        }

        /// A max and an add for a register of sums, and no byte of memory.
        #[target_feature(enable = $features)]
        fn max_limit(rounds: usize, sums: &mut Whole) {
            let nine = set_whole(9);
            for rows in sums.chunks_exact_mut(QUERIES) {
                let mut acc = [[nine; REGISTERS]; QUERIES];
                for _ in 0..rounds {
                    for acc in acc.as_flattened_mut() {
                        *acc = add_whole(*acc, max_whole(*acc, nine));
                    }
                }
                for (row, acc) in rows.iter_mut().zip(acc) {
                    // SAFETY: a row holds sixteen whole numbers.
                    unsafe { store_whole(row.as_mut_ptr(), acc) };
                }
            }
        }

        /// A multiply-add for a register of sums, and no byte of memory.
        #[target_feature(enable = $features)]
        fn product_limit(rounds: usize, mut sums: Sums) {
            let (half, one) = (set(0.5), set(1.0));
            for first in (0..LANES).step_by(QUERIES) {
                let mut acc = [[zero(); REGISTERS]; QUERIES];
                for _ in 0..rounds {
                    for acc in acc.as_flattened_mut() {
                        *acc = multiply_add(*acc, half, one);
                    }
                }
                for (i, acc) in acc.iter().enumerate() {
                    let row = sums.row(first + i).as_mut_ptr();
                    for (at, &acc) in acc.iter().enumerate() {
                        // SAFETY: a row holds sixteen floats.
                        unsafe { store(row.add(at * WIDTH), acc) };
                    }
                }
            }
        }

        /// Lower bound: three operations for a register of values, as nothing is fused.
        #[target_feature(enable = $features)]
        fn finish(values: &mut [f32], own: f32, totals: &[f32]) {
            plain::finish(values, own, totals);
        }

        /// Lower bound: two comparisons for a register of values.
        #[target_feature(enable = $features)]
        fn pass(row: &[f32], query: &[f32], base: &[f32], out: &mut Vec<Pass>) {
            let groups = row.chunks_exact(LANES).zip(base.chunks_exact(LANES)).zip(query);
            for (group, ((row, base), &query)) in groups.enumerate() {
                // SAFETY: chunks of sixteen floats.
                let (row, base) = unsafe { (load_all(row.as_ptr()), load_all(base.as_ptr())) };
                let limit = set(query);
                let (mut query, mut by_base) = (0u16, 0u16);
                for at in 0..REGISTERS {
                    query |= at_most(row[at], limit) << (at * WIDTH);
                    by_base |= at_most(row[at], base[at]) << (at * WIDTH);
                }
                if query | by_base != 0 {
                    out.push(Pass { group: group as u32, query, base: by_base });
                }
            }
        }
    };
}

/// Operations of an instruction set, by name.
macro_rules! operations {
    ($features:tt: $(fn $name:ident($($argument:ident: $type:ty),*) -> $answer:ty = $value:expr;)*
        $(unsafe fn $raw:ident($($at:ident: $pointer:ty),*) $(-> $read:ty)? = $done:expr;)*) => {
        $(
            #[inline]
            #[target_feature(enable = $features)]
            fn $name($($argument: $type),*) -> $answer {
                $value
            }
        )*
        $(
            /// # Safety
            ///
            /// A whole register must lie there.
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn $raw($($at: $pointer),*) $(-> $read)? {
                // SAFETY: the caller's.
                unsafe { $done }
            }
        )*
    };
}
