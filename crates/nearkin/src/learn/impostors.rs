//! [`Impostors`]: the exact impostors of a row under a matrix that keeps moving, seldom by
//! looking at all rows.
//!
//! At a full look the row's projection a = xᵀA and a shortlist of its most similar impostors
//! are kept, with the lowest similarity f on that list. Later, under a projection a′, no row
//! outside the list can be more similar than
//!
//! ```text
//! f + ‖a′ − a‖ max ‖z‖ + rounding
//! ```
//!
//! So when the k-th best of the list lies above that, the k best of the list are the k best of
//! all, and a visit costs as many inner products as the list is long. Otherwise all rows are
//! looked at again, together with those visits to come whose list has become useless too: that
//! part runs on all threads. The answer is always that of a full look.

use rayon::prelude::*;

use super::Problem;
use crate::measure::{Matrix, Row, Scorer};
use crate::neighbors::{Ranked, best, offer};

/// Rows on a shortlist beyond the k wanted.
const SPARE: usize = 48;
/// Visits looked ahead at most.
const AHEAD: usize = 64;

struct Look {
    list: Vec<u32>,
    floor: f64,
    projection: Vec<f64>,
}

pub(crate) struct Impostors<'p> {
    problem: &'p Problem<'p>,
    looks: Vec<Option<Look>>,
    longest: f64,
    bounded: bool,
    ahead: usize,
}

impl<'p> Impostors<'p> {
    pub fn new(problem: &'p Problem<'p>) -> Self {
        let rows = problem.rows();
        let longest = (0..rows.rows()).map(|row| rows.row(row).squared()).fold(0.0, f64::max);
        // A divisor of its own for every pair has no such bound.
        let bounded = rows.is_unit() && problem.sides().is_some();
        let looks = (0..rows.rows()).map(|_| None).collect();
        Self { problem, looks, longest: longest.sqrt(), bounded, ahead: 1 }
    }

    /// The margin and the impostors of visit `order[met]` under `matrix`; later visits of
    /// `order` may be prepared.
    pub fn margin(&mut self, matrix: &Matrix, order: &[usize], met: usize) -> (f64, Vec<Ranked>) {
        let at = order[met];
        if !self.bounded {
            return self.problem.margin(matrix, at);
        }
        let scorer = self.problem.scorer(matrix);
        let found = match self.certain(&scorer, at) {
            Some(found) => {
                self.ahead = (self.ahead + 1).min(AHEAD);
                found
            }
            None => {
                self.look(&scorer, order, met);
                // The list is fresh, so its best are the best of all.
                self.listed(&scorer, at, &scorer.project(at)).unwrap_or_default()
            }
        };
        (self.problem.margin_to(&scorer, at, &found), found)
    }

    /// The best of the list, whatever is outside it.
    fn listed(&self, scorer: &Scorer, at: usize, projected: &[f64]) -> Option<Vec<Ranked>> {
        let look = self.looks[at].as_ref()?;
        let k = self.problem.targets(at).len();
        let mut found = Vec::with_capacity(k);
        let plain = |row: u32| scorer.plain(at, row as usize);
        for &row in &look.list {
            let similarity = scorer.score(projected, at, row as usize);
            offer(&mut found, k, Ranked { row, similarity }, &plain);
        }
        Some(found)
    }

    /// The impostors, when the list is sure to hold them.
    fn certain(&self, scorer: &Scorer, at: usize) -> Option<Vec<Ranked>> {
        let look = self.looks[at].as_ref()?;
        let projected = scorer.project(at);
        let (mut moved, mut length, mut cell) = (0.0, 0.0, 0);
        self.held(at, &projected, |new| {
            let old = look.projection[cell];
            moved += (new - old) * (new - old);
            length += new.abs() + old.abs();
            cell += 1;
        });
        let rounding = 4.0 * f64::EPSILON * (cell as f64 + 4.0) * length;
        let most = look.floor + (moved.sqrt() * (1.0 + 1e-9) + rounding) * self.longest;
        let found = self.listed(scorer, at, &projected)?;
        let sure = look.floor == f64::NEG_INFINITY
            || found.last().is_some_and(|worst| worst.similarity > most);
        sure.then_some(found)
    }

    /// Tell the cells of a projection that can differ from 0.
    fn held(&self, at: usize, projected: &[f64], mut tell: impl FnMut(f64)) {
        match self.problem.rows().row(at) {
            Row::Sparse(..) if self.problem.form() == crate::measure::Form::Diagonal => {
                self.problem.rows().row(at).each(|l, _| tell(projected[l]));
            }
            _ => projected.iter().for_each(|&x| tell(x)),
        }
    }

    /// Look at all rows for this visit, and for others soon to come that are not certain.
    fn look(&mut self, scorer: &Scorer, order: &[usize], met: usize) {
        let threads = rayon::current_num_threads();
        self.ahead = if threads == 1 { 1 } else { (self.ahead / 2).max(2 * threads) };
        let soon = &order[met..order.len().min(met + self.ahead)];
        let fresh: Vec<(usize, Look)> = soon
            .par_iter()
            .enumerate()
            .filter(|(i, at)| *i == 0 || self.certain(scorer, **at).is_none())
            .map(|(_, &at)| (at, self.full(scorer, at)))
            .collect();
        fresh.into_iter().for_each(|(at, look)| self.looks[at] = Some(look));
    }

    fn full(&self, scorer: &Scorer, at: usize) -> Look {
        let room = self.problem.targets(at).len() + SPARE;
        let other = |row: usize| self.problem.apart(at, row).then_some(0);
        let found = best(scorer, at, &scorer.scores(at), (room, 1), other).swap_remove(0);
        let floor = match found.last() {
            Some(last) if found.len() == room => last.similarity,
            _ => f64::NEG_INFINITY,
        };
        let mut list: Vec<u32> = found.iter().map(|n| n.row).collect();
        list.sort_unstable();
        let mut projection = Vec::new();
        self.held(at, &scorer.project(at), |x| projection.push(x));
        Look { list, floor, projection }
    }
}
