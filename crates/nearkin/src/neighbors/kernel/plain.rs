//! The kernels' definitions in plain Rust; every instruction set is tested against them at edge
//! sizes.
//!
//! They serve machines without vector instructions; `dot` and `squares` call a function for every
//! multiply-add there.

use crate::neighbors::kernel::pack::{
    CODE_RUN, CodePack, NUMBER_RUN, NumberPack, Pack, Places, WHOLE_RUN, WholePack,
};
use crate::neighbors::kernel::packed;
use crate::neighbors::kernel::{
    CODE_LANES, CodeCounts, Kernels, LANES, Pass, SQUARED_QUERIES, ScoreTile, Squares, Starts,
    Sums, Totals, Whole,
};

pub(crate) static KERNELS: &Kernels = &Kernels {
    fixed: |q, b, totals, unit, sums| add_fixed(&max_sum(q, b), totals, unit, sums),
    graded: |q, b, totals, shift, sums| {
        add_graded(&max_sum(q, b), totals, shift, sums);
    },
    dot,
    scores,
    squares,
    mismatch,
    mismatch_bytes,
    mismatch_few,
    mismatch_codes,
    mismatch_planes: packed::plain,
    mismatch_limit: packed::plain_limit,
    differences,
    whole_differences,
    mismatches,
    max_limit,
    product_limit,
    select,
    finish,
    pass,
};

#[inline(always)]
fn each_pair<T: Copy>(q: &[T], b: &[T], mut sums: Sums, step: impl Fn(f32, T, T, usize) -> f32) {
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

/// The distance that a whole sum stands for: it is below 2³², so a sum that wrapped wraps back.
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
    scores: &mut ScoreTile,
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

#[inline(always)]
pub fn mismatch_bytes(q: &[u8], b: &[u8], factors: &[f32], sums: Sums) {
    each_pair(q, b, sums, |sum, x, z, f| if x != z { sum + factors[f] } else { sum });
}

#[inline(always)]
pub fn mismatch_few(q: &[u8], factors: &[f32], b: &[u8], values: &mut Squares) {
    let mut added = *values;
    let features = q.chunks_exact(SQUARED_QUERIES).zip(b.chunks_exact(LANES)).zip(factors);
    for ((q, b), &factor) in features {
        for (added, &x) in added.iter_mut().zip(q) {
            for (sum, &z) in added.iter_mut().zip(b) {
                *sum = if x != z { *sum + factor } else { *sum };
            }
        }
    }
    *values = added;
}

pub fn mismatch_codes(q: &[u8], first: usize, b: &[u8], counts: &mut CodeCounts) {
    for (q, b) in q.chunks_exact(CODE_LANES).zip(b.chunks_exact(CODE_LANES)) {
        for (counts, x) in counts.iter_mut().zip(&q[first..]) {
            for (count, z) in counts.iter_mut().zip(b) {
                *count += u8::from(x != z);
            }
        }
    }
}

pub fn differences(
    Pack(pack): &NumberPack,
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
    Pack(pack): &WholePack,
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
    Pack(pack): &CodePack,
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
    // Without a branch, which could not be predicted.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::kernel::Isa;
    use crate::neighbors::kernel::pack::{GRID, PACK, PACK_ROOM};
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
                let mut bytes = || -> Vec<u8> {
                    (0..features * LANES).map(|_| 253 + random.below(3) as u8).collect()
                };
                let (bq, bb) = (bytes(), bytes());
                let steps: [Step; 3] = [
                    &|k, s| (k.dot)(&q, &b, s),
                    &|k, s| (k.mismatch)(&cq, &cb, &factors, s),
                    &|k, s| (k.mismatch_bytes)(&bq, &bb, &factors, s),
                ];
                for step in steps {
                    let (mut fast, mut slow) = (start.clone(), start.clone());
                    step(isa.kernels(), Sums::new(&mut fast, stride));
                    step(KERNELS, Sums::new(&mut slow, stride));
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
                    let mut fast: CodeCounts = [[0; CODE_LANES]; LANES];
                    let mut slow = fast;
                    (isa.kernels().mismatch_codes)(&q, first, &b, &mut fast);
                    mismatch_codes(&q, first, &b, &mut slow);
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
                assert_eq!(any, scores(&q, &b, of, &mut meant, &mut slow));
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
                squares(q, &factors, &b, &mut slow);
                assert_eq!(fast, slow, "{isa:?}, {features} features");
                // Then codes are added to what is there, 255 among them.
                let mut bytes = |lanes: usize| -> Vec<u8> {
                    (0..features * lanes).map(|_| 253 + random.below(3) as u8).collect()
                };
                let (q, b) = (bytes(SQUARED_QUERIES), bytes(LANES));
                (isa.kernels().mismatch_few)(&q, &factors, &b, &mut fast);
                mismatch_few(&q, &factors, &b, &mut slow);
                assert_eq!(fast, slow, "{isa:?}, {features} codes");
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
                differences(&numbers, &numbers.0[7], &places, &mut slow);
                assert_eq!(fast, slow, "{isa:?}, {count} rows");
                let (mut fast, mut slow) = ([1; WHOLE_RUN], [1; WHOLE_RUN]);
                (isa.kernels().whole_differences)(&wholes, &wholes.0[7], &places, &mut fast);
                whole_differences(&wholes, &wholes.0[7], &places, &mut slow);
                assert_eq!(fast, slow, "{isa:?}, {count} rows");
                let (mut fast, mut slow) = ([1; CODE_RUN], [1; CODE_RUN]);
                (isa.kernels().mismatches)(&codes, &codes.0[7], &places, &mut fast);
                mismatches(&codes, &codes.0[7], &places, &mut slow);
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
                pass(&row, &query, &base, &mut slow);
                assert_eq!(fast, slow, "{isa:?}");
            }
        }
    }
}
