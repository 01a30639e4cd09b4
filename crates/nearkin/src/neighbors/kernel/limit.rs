//! The most arithmetic that a core can do, for benchmarks to compare the engine with.

use super::packed::Ones;
use super::{Isa, LANES, Sums};
use crate::measure::Metric;

/// Elements a second one core can work off with everything in registers, measured over about
/// `seconds`: the limit of a tile. An element is a max and an add of whole numbers for Manhattan
/// tiles, a fused multiply-add of floats for Euclidean ones.
pub fn arithmetic_limit(isa: Isa, metric: Metric, seconds: f64) -> f64 {
    let kernels = isa.kernels();
    let (mut whole, mut cells) = ([[1u32; LANES]; LANES], [1.0; LANES * LANES]);
    most_a_second(seconds, LANES * LANES, |rounds| match metric {
        Metric::Manhattan => (kernels.max_limit)(rounds, std::hint::black_box(&mut whole)),
        Metric::Euclidean => {
            let sums = Sums::new(std::hint::black_box(&mut cells), LANES);
            (kernels.product_limit)(rounds, sums);
        }
    })
}

/// As [`arithmetic_limit`], of packed genotypes: an element is a column of two rows, and 64 of
/// eight rows take two exclusive or, an or, a count of ones and an addition.
pub fn mismatch_limit(isa: Isa, seconds: f64) -> f64 {
    let kernels = isa.kernels();
    let mut counts = Ones::default();
    // No two alike, so that some columns differ.
    counts.as_flattened_mut().iter_mut().zip(1..).for_each(|(count, at)| *count = at);
    let elements = 64 * counts.as_flattened().len();
    most_a_second(seconds, elements, |rounds| {
        (kernels.mismatch_limit)(rounds, std::hint::black_box(&mut counts));
    })
}

/// The most elements a second of work that takes `elements` a round, tried for about `seconds`.
fn most_a_second(seconds: f64, elements: usize, mut work: impl FnMut(usize)) -> f64 {
    const ROUNDS: usize = 4096;
    let (start, mut best) = (std::time::Instant::now(), 0.0f64);
    while start.elapsed().as_secs_f64() < seconds {
        let round = std::time::Instant::now();
        (0..8).for_each(|_| work(ROUNDS));
        best = best.max((8 * ROUNDS * elements) as f64 / round.elapsed().as_secs_f64());
    }
    best
}
