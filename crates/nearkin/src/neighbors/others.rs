//! [`Others`]: the most similar rows of other groups, while the matrix changes between calls.
//!
//! Rows are laid out once; a few queries at a time go through them by tiles of floats, which only
//! rule rows out ([`bilinear`](crate::neighbors::bilinear)), and doubles decide. Threads share
//! the rows, each with a list of its own for every query.
//!
//! Lower bound: n · p fused multiply-adds a query, sixteen to an instruction, and p² to project
//! it.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::Result;
use crate::measure::{Prepared, Scorer, SquareMatrix};
use crate::neighbors::bilinear::Panel;
use crate::neighbors::filter::panel::PADDING;
use crate::neighbors::filter::share::in_shares;
use crate::neighbors::filter::shortlist::Shortlist;
use crate::neighbors::kernel::{Isa, Kernels, LANES, Pass};
use crate::neighbors::similar::{SimilarRow, best, finite_scores};

/// Base lanes in a tile.
const BASE: usize = 256;

/// Tiles that a thread takes at a time.
const TASK: usize = 4;

/// Multiply-adds that take longer than to wake another thread.
const WORTH_SHARING: usize = 1 << 21;

/// Rows of several groups. They are dense, and divided by nothing more than they were.
pub(crate) struct Others<'a> {
    rows: &'a Prepared,
    group_of: &'a [u32],
    panel: Panel,
    kernels: &'static Kernels,
    /// Memory of earlier calls: threads would wait for each other to allocate and free it.
    spare: Mutex<Vec<Sweep>>,
}

/// The memory of one thread in one call.
#[derive(Default)]
struct Sweep {
    list: Shortlist,
    tile: Vec<f32>,
    limits: Vec<f32>,
    passes: Vec<Pass>,
}

impl<'a> Others<'a> {
    /// Lay out the rows; `groups` holds the group of each and their number.
    pub fn new(rows: &'a Prepared, groups: (&'a [u32], usize)) -> Self {
        let kernels = Isa::best().kernels();
        let (panel, spare) = (Panel::new(rows, groups), Mutex::default());
        Self { rows, group_of: groups.0, panel, kernels, spare }
    }

    /// The k most similar rows of other groups to each of a few rows, best first.
    ///
    /// `known(at)` are some rows of other groups that may be among them, each once. With k or more
    /// of them, rows less similar than the k-th are ruled out from the start.
    pub fn best<'l>(
        &self,
        matrix: &SquareMatrix,
        asked: &[u32],
        k: usize,
        known: impl Fn(u32) -> &'l [u32],
    ) -> Result<Vec<Vec<SimilarRow>>> {
        let columns = self.rows.columns();
        let count = asked.len().next_multiple_of(LANES);
        let mut projected = vec![0.0; asked.len() * columns];
        let (mut numbers, mut lanes) = (vec![0.0; count * columns], vec![PADDING; count]);
        let (mut margins, mut first) = (vec![0.0; count], Vec::new());
        for (lane, &at) in asked.iter().enumerate() {
            let query = &mut projected[lane * columns..][..columns];
            matrix.project(self.rows.row(at as usize), query);
            if let Some((unit, margin)) = self.panel.ask(&mut numbers, lane, query) {
                (lanes[lane], margins[lane]) = (at, margin);
                let least = self.least_of(known(at), query, k).map(|least| -least / unit);
                first.extend(least.map(|value| (lane, (value as f32).next_up())));
            }
        }
        let query = |lane: usize| &projected[lane * columns..][..columns];
        let begun = || {
            let mut sweep = self.spare().pop().unwrap_or_default();
            sweep.list.renew(k, &lanes, &margins, &[self.rows.rows()]);
            first.iter().for_each(|&(lane, value)| sweep.list.lower(lane, 0, value));
            sweep.tile.resize(lanes.len() * BASE, 0.0);
            sweep
        };
        let tiles = self.panel.row_of.len().div_ceil(BASE);
        let threads = match count * columns * self.rows.rows() {
            0..WORTH_SHARING => 1,
            _ => rayon::current_num_threads().min(tiles),
        };
        let swept = in_shares((tiles, TASK), threads, begun, |tiles, sweep| {
            self.sweep(tiles, (&numbers, &lanes), sweep, query);
        });
        let answer = |(lane, &at): (usize, &u32)| match lanes[lane] {
            PADDING => self.one_by_one(matrix, at as usize, k),
            _ => {
                let rows = swept.iter().flat_map(|sweep| sweep.list.candidates(lane, 0));
                Ok(self.decide(at, query(lane), rows.map(|(_, row)| row), k))
            }
        };
        let answers: Vec<_> = match threads {
            1 => asked.iter().enumerate().map(answer).collect(),
            _ => asked.par_iter().enumerate().map(answer).collect(),
        };
        self.spare().extend(swept);
        // Of several errors the first in order is returned, whichever came first.
        answers.into_iter().collect()
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Sweep>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The similarity of the k-th of some rows, which so many rows reach; none where they are
    /// fewer.
    fn least_of(&self, known: &[u32], query: &[f64], k: usize) -> Option<f64> {
        if k == 0 || known.len() < k {
            return None;
        }
        let exact = |&row: &u32| self.rows.row(row as usize).dot(query);
        let mut found: Vec<f64> = known.iter().map(exact).collect();
        Some(*found.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1)
    }

    /// Offer every lane the rows of other groups that pass its threshold, of some tiles.
    fn sweep<'q>(
        &self,
        tiles: Range<usize>,
        (numbers, lanes): (&[f32], &[u32]),
        Sweep { list, tile, limits, passes }: &mut Sweep,
        query: impl Fn(usize) -> &'q [f64],
    ) {
        let none = [f32::NEG_INFINITY; BASE];
        for start in tiles.map(|at| at * BASE) {
            let base = start..(start + BASE).min(self.panel.row_of.len());
            let width = base.len();
            self.panel.fill(self.kernels, self.rows.columns(), numbers, base.clone(), tile);
            let groups = &self.panel.group_of[base.start / LANES..base.end / LANES];
            let values = tile.chunks_exact(width).zip(lanes).enumerate();
            for (lane, (values, &at)) in values.filter(|(_, (_, at))| **at != PADDING) {
                let (own, open) = (self.group_of[at as usize], list.thresholds(0)[lane]);
                let limit = |&group: &u32| if group == own { f32::NEG_INFINITY } else { open };
                limits.clear();
                limits.extend(groups.iter().map(limit));
                passes.clear();
                (self.kernels.pass)(values, limits, &none[..width], passes);
                for pass in &*passes {
                    let mut mask = pass.query;
                    while mask != 0 {
                        let cell = pass.group as usize * LANES + mask.trailing_zeros() as usize;
                        mask &= mask - 1;
                        let row = self.panel.row_of[base.start + cell];
                        if row != PADDING {
                            let exact = |row: u32| self.key(at, query(lane), row);
                            list.offer(lane, 0, (values[cell], row), exact);
                        }
                    }
                }
            }
        }
    }

    /// The key that rows are ordered by, the least first: −s_A, then minus the plain similarity.
    fn key(&self, at: u32, query: &[f64], row: u32) -> [f64; 2] {
        // Subtracted from 0, so that no zero has a sign.
        [0.0 - self.rows.row(row as usize).dot(query), 0.0 - self.plain(at, row)]
    }

    fn plain(&self, at: u32, row: u32) -> f64 {
        0.0 + self.rows.plain(at as usize, self.rows, row as usize)
    }

    /// Let the exact similarities decide.
    fn decide(
        &self,
        at: u32,
        query: &[f64],
        rows: impl Iterator<Item = u32>,
        k: usize,
    ) -> Vec<SimilarRow> {
        let exact =
            |row: u32| SimilarRow { row, similarity: 0.0 + self.rows.row(row as usize).dot(query) };
        let mut found: Vec<SimilarRow> = rows.map(exact).collect();
        // The plain similarity is asked for only where the others are equal.
        found.sort_unstable_by(|a, b| {
            let by_plain = || self.plain(at, b.row).total_cmp(&self.plain(at, a.row));
            b.similarity.total_cmp(&a.similarity).then_with(by_plain).then(a.row.cmp(&b.row))
        });
        found.truncate(k);
        found
    }

    /// A query whose similarities may be too large for a number: by every row, or an error.
    fn one_by_one(&self, matrix: &SquareMatrix, at: usize, k: usize) -> Result<Vec<SimilarRow>> {
        let scorer = Scorer::new(matrix, self.rows, self.rows);
        let other = |row: usize| (self.group_of[row] != self.group_of[at]).then_some(0);
        Ok(best(&scorer, at, &finite_scores(&scorer, at)?, (k, 1), other).swap_remove(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use crate::measure::{Form, Norm, Row};
    use crate::random::Random;

    #[test]
    fn others_are_those_of_all_other_groups_under_any_matrix() {
        let mut random = Random::new(5, 0);
        // So many rows that threads share them.
        let (rows, columns) = (WORTH_SHARING / (4 * 16) + 30, 4);
        let names = (0..columns).map(|i| i.to_string()).collect();
        let cells = (0..rows * columns).map(|_| random.below(40) as f64 + 0.01).collect();
        let ready = Prepared::new(Norm::Cosine, &Dense::new(names, cells).unwrap()).unwrap();
        let labels: Vec<u32> = (0..rows).map(|_| random.below(3) as u32).collect();
        let others = Others::new(&ready, (&labels, 3));
        let null = SquareMatrix::identity(Form::Diagonal, columns, 0.0);
        let mut full = SquareMatrix::identity(Form::Full, columns, 0.5);
        full.add_outer(1.0, Row::Dense(&[1.0, -2.0, 0.5, 0.3]), &[0.4, 0.1, -1.0, 2.0]);
        let huge = SquareMatrix::identity(Form::Diagonal, columns, 1e301);
        for matrix in [null, full, huge] {
            for asked in [&[3, 0, 629, 77, 78][..], &(100..133).collect::<Vec<u32>>()] {
                let meant: Vec<Vec<SimilarRow>> = asked
                    .iter()
                    .map(|&at| {
                        let scorer = Scorer::new(&matrix, &ready, &ready);
                        let other = |row: usize| (labels[row] != labels[at as usize]).then_some(0);
                        let scores = scorer.scores(at as usize);
                        best(&scorer, at as usize, &scores, (9, 1), other).swap_remove(0)
                    })
                    .collect();
                // No known rows, fewer than k, the answer itself, and other rows.
                for (skipped, count) in [(0, 0), (0, 8), (0, 9), (5, 9), (300, 30)] {
                    let answers = |at: u32| {
                        let place = asked.iter().position(|&other| other == at).unwrap();
                        let first = meant[place].iter().map(|one| one.row);
                        let own = labels[at as usize];
                        let rest = (0..rows as u32).filter(|&row| labels[row as usize] != own);
                        let rest =
                            rest.filter(|row| meant[place].iter().all(|one| one.row != *row));
                        first.chain(rest).skip(skipped).take(count).collect::<Vec<u32>>()
                    };
                    let known: Vec<Vec<u32>> = asked.iter().map(|&at| answers(at)).collect();
                    let of =
                        |at: u32| &known[asked.iter().position(|&other| other == at).unwrap()][..];
                    for threads in [1, 3] {
                        let run = crate::Run::on(threads);
                        let found = run.install(|| others.best(&matrix, asked, 9, of).unwrap());
                        assert_eq!(found.unwrap(), meant, "{threads} threads, {count} known");
                    }
                }
            }
        }
    }
}
