//! How many means would lie beyond three joint standard errors by chance alone.

use super::{Cell, Recorded, beside_of};
use nearkin::evaluate::Spread;
use nearkin::random::Random;

/// Differences that chance alone makes in a comparison of means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance {
    /// Differences beyond three joint standard errors to be expected.
    pub expected: f64,
    /// More than this many come about less than once in a thousand times.
    pub allowed: usize,
}

/// Comparisons drawn.
const DRAWS: usize = 4000;

/// The differences that [`compare`](super::compare) would find if both sides had drawn their runs
/// from one source.
///
/// Methods are run on the same rows, so their errors go up and down together and the cells of one
/// table and number of bits are far from independent; and errors near 0 have no normal law. So no
/// law is assumed: for every table and number of bits, our runs (all methods of a run together)
/// are drawn anew with replacement, once for our side and once, `recorded_runs` of them, for the
/// other, and means are compared as the real ones are.
pub fn chance_beyond_three(
    cells: &[Cell],
    recorded: &[Recorded],
    recorded_runs: usize,
    seed: u64,
) -> Chance {
    let known: Vec<&Cell> = recorded.iter().filter_map(|of| beside_of(cells, of)).collect();
    let mut blocks: Vec<Vec<&Cell>> = Vec::new();
    for cell in known {
        let same = |block: &&mut Vec<&Cell>| {
            block.iter().all(|other| (other.table, other.bits) == (cell.table, cell.bits))
        };
        match blocks.iter_mut().find(same) {
            Some(block) => block.push(cell),
            None => blocks.push(vec![cell]),
        }
    }
    let mut random = Random::new(seed, 0);
    let mut counts: Vec<usize> = (0..DRAWS)
        .map(|_| {
            let beyond = blocks.iter().map(|block| beyond(block, recorded_runs, &mut random));
            beyond.sum()
        })
        .collect();
    counts.sort_unstable();
    Chance {
        expected: counts.iter().sum::<usize>() as f64 / DRAWS as f64,
        allowed: counts[DRAWS - 1 - DRAWS / 1000],
    }
}

/// Cells of one block beyond three in one drawn comparison.
fn beyond(block: &[&Cell], recorded_runs: usize, random: &mut Random) -> usize {
    let runs = block.first().map_or(0, |cell| cell.errors.len());
    if runs == 0 {
        return 0;
    }
    let mut draw = |count: usize| (0..count).map(|_| random.below(runs)).collect::<Vec<usize>>();
    let (ours, theirs) = (draw(runs), draw(recorded_runs));
    let far = |cell: &&&Cell| {
        let of = |rows: &[usize]| {
            let errors: Vec<f64> = rows.iter().map(|&run| cell.errors[run]).collect();
            Spread::of(&errors).map_or((0.0, 0.0), |s| (s.mean, s.error()))
        };
        super::z(of(&ours), of(&theirs)).abs() > 3.0
    };
    block.iter().filter(far).count()
}
