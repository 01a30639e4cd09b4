//! [`Impostors`]: who wins against a row under a matrix that keeps moving, seldom by looking at
//! all rows.
//!
//! At a full look the row's projection a = xᵀA and a shortlist of its most similar impostors
//! are kept, with the lowest similarity f on that list. Let c be the mean direction of the rows:
//! a row is z = (c·z) c + z⊥. Later, under a projection a + δ, no row outside the list can be
//! more similar than the limit
//!
//! ```text
//! f + max_z (c·z)(c·δ) + ‖δ − (c·δ) c‖ max_z ‖z⊥‖ + rounding
//! ```
//!
//! or than f + ‖δ‖ max_z ‖z‖ + rounding, of which most is that of a, kept in single precision. The first is far below the second where rows point much the
//! same way, as rows of positive numbers do. So when the k-th best of the list lies above the limit, the k best of the list are the
//! k best of all. When it does not, but the targets win against the best of the list with none
//! counted below the limit, the row survives whoever its impostors are. Either way a visit costs
//! as many inner products as the list is long.
//!
//! Otherwise all rows are looked at again, together with the visits next to come whose list is
//! likely useless too, by the number of mistakes that lists have outlived so far: sixteen of them
//! share one pass of the tile engine over the rows, which is what they would cost in one product
//! of matrices. The answer is always that of a full look at every visit.
//!
//! Floor of an epoch: p² for the projection of each row, k + 8 inner products of its list and k of its
//! targets, n (p² + (2k + 8) p) in all, when no list is ever too old; n² p when all are, the floor of
//! `neighbors::others`. A visit reads the 8 p² bytes of A, (2k + 8) 8 p of rows that lie apart and the
//! 4 p of the projection kept, of which there are 4 n p in all. Similarities of all pairs are
//! not kept: a mistake changes A by x vᵀ + v xᵀ and so each of them by (x·y)(v·z) + (v·y)(x·z), n² at
//! every mistake and n² numbers to hold, where to look at one row anew costs n p. Threads share looks
//! alone, as every visit waits for the mistakes before it: with f of an epoch in looks t of them make it
//! 1 / (1 − f + f / t) times as fast at most.

use rayon::prelude::*;

use super::LearnProblem;
use crate::Result;
use crate::measure::{Form, Row, Scorer, SquareMatrix, dot};
use crate::neighbors::{Others, SimilarRow, best, offer};

/// Rows on a shortlist beyond the k wanted. A longer list outlives more mistakes, but costs more to
/// pick than the pass over the rows that it spares.
const SPARE: usize = 8;
/// Visits that share a pass over all rows.
const SHARED: usize = 16;
/// Visits to come that are looked through for those, as a multiple of them.
const AHEAD: usize = 2;

struct Look {
    list: Vec<u32>,
    floor: f64,
    /// Rounded, which the limit allows for: there is one of these for every row.
    projection: Vec<f32>,
    /// Mistakes made before it.
    mistakes: u64,
}

/// How rows point: none leaves the mean direction further than `aside`, none is longer than
/// `longest`.
struct Cone {
    direction: Vec<f64>,
    along: (f64, f64),
    aside: f64,
    longest: f64,
}

pub(crate) struct Impostors<'p> {
    problem: &'p LearnProblem<'p>,
    /// By how much targets have to win.
    wanted: f64,
    others: Option<Others<'p>>,
    cone: Option<Cone>,
    looks: Vec<Option<Look>>,
    mistakes: u64,
    /// Mistakes that a list outlives, about.
    lasting: f64,
}

/// What is known of a visit without a look at all rows.
enum Known {
    /// The targets win.
    Survives,
    /// The margin and the impostors.
    Found(f64, Vec<SimilarRow>),
    /// Nothing certain.
    Unsure,
}

impl<'p> Impostors<'p> {
    pub fn new(problem: &'p LearnProblem<'p>, wanted: f64) -> Self {
        let rows = problem.rows();
        // A divisor of its own for every pair has no such bound.
        let sides = problem.sides().filter(|_| rows.is_unit());
        let groups =
            sides.map(|sides| (sides, sides.iter().max().map_or(0, |&most| most as usize + 1)));
        let others = groups.filter(|_| !rows.is_sparse()).map(|groups| Others::new(rows, groups));
        let looks = (0..rows.rows()).map(|_| None).collect();
        let cone = sides.map(|_| Cone::of(problem));
        Self { problem, wanted, others, cone, looks, mistakes: 0, lasting: 0.0 }
    }

    /// The margin and the impostors of visit `order[met]` under `matrix` where targets do not win by
    /// more than is wanted; later visits of `order` may be prepared.
    pub fn mistake(
        &mut self,
        matrix: &SquareMatrix,
        order: &[usize],
        met: usize,
    ) -> Result<Option<(f64, Vec<SimilarRow>)>> {
        let at = order[met];
        let (margin, found) = match self.known(matrix, at) {
            Known::Survives => return Ok(None),
            Known::Found(margin, found) => (margin, found),
            Known::Unsure if self.cone.is_none() => self.problem.margin(matrix, at),
            Known::Unsure => {
                self.look(matrix, order, met)?;
                let scorer = self.problem.scorer(matrix);
                let projected = scorer.project(at);
                // The list is fresh, so its best are the best of all.
                let found = self.listed(&scorer, at, &projected);
                let scores = found.iter().map(|n| n.similarity);
                (self.problem.margin_of(&scorer, at, &projected, scores), found)
            }
        };
        let lost = margin <= self.wanted;
        self.mistakes += u64::from(lost);
        Ok(lost.then_some((margin, found)))
    }

    /// Mistakes since the last look for visit `at`.
    fn age(&self, at: usize) -> Option<f64> {
        self.looks[at].as_ref().map(|look| (self.mistakes - look.mistakes) as f64)
    }

    /// The best of the list, whatever is outside it.
    fn listed(&self, scorer: &Scorer, at: usize, projected: &[f64]) -> Vec<SimilarRow> {
        let k = self.problem.targets(at).len();
        let mut found = Vec::with_capacity(k);
        let plain = |row: u32| scorer.plain(at, row as usize);
        for &row in self.looks[at].iter().flat_map(|look| &look.list) {
            let similarity = scorer.score(projected, at, row as usize);
            offer(&mut found, k, SimilarRow { row, similarity }, &plain);
        }
        found
    }

    /// What the list tells of visit `at`.
    fn known(&self, matrix: &SquareMatrix, at: usize) -> Known {
        let Some(cone) = &self.cone else { return Known::Unsure };
        let Some(look) = &self.looks[at] else { return Known::Unsure };
        let scorer = self.problem.scorer(matrix);
        let projected = scorer.project(at);
        let limit = look.floor + self.drift(cone, look, at, &projected);
        if limit.is_nan() {
            return Known::Unsure; // too large to be kept in single precision
        }
        let found = self.listed(&scorer, at, &projected);
        let margin = |least: f64| {
            let scores = found.iter().map(|n| n.similarity.max(least));
            self.problem.margin_of(&scorer, at, &projected, scores)
        };
        if found.last().is_none_or(|worst| worst.similarity > limit) {
            return Known::Found(margin(f64::NEG_INFINITY), found);
        }
        // Sums of other rows may differ in their last bits.
        let size: f64 = found.iter().map(|n| n.similarity.abs().max(limit.abs())).sum();
        let least = margin(limit);
        let over = least - self.wanted;
        let certain = over > 1e-12 * (size + least.abs() + self.wanted);
        if certain { Known::Survives } else { Known::Unsure }
    }

    /// How much more similar than at the last look a row can have become.
    fn drift(&self, cone: &Cone, look: &Look, at: usize, projected: &[f64]) -> f64 {
        if look.floor == f64::NEG_INFINITY {
            return 0.0; // nobody is outside the list
        }
        let (mut moved, mut size, mut cells) = (vec![0.0; projected.len()], 0.0, 0);
        let mut square = 0.0;
        self.held(at, projected, |l, new| {
            let old = f64::from(look.projection[cells]);
            moved[l] = new - old;
            size += new.abs() + old.abs();
            square += old * old;
            cells += 1;
        });
        // How far the projection kept may be from what it was.
        let lost = (1e-7 * square.sqrt() + 1e-44 * cells as f64) * cone.longest;
        let far = dot(&moved, &moved).sqrt() * cone.longest;
        let along = dot(&moved, &cone.direction);
        moved.iter_mut().zip(&cone.direction).for_each(|(x, c)| *x -= along * c);
        let rounding = 8.0 * f64::EPSILON * (moved.len() as f64 + 8.0) * size;
        let (low, high) = cone.along;
        let reach = low.abs().max(high.abs()) + cone.aside;
        let aside = dot(&moved, &moved).sqrt() * cone.aside;
        let within = (along * low).max(along * high) + aside;
        within.min(far) + lost + (aside + far) * 1e-9 + rounding * reach
    }

    /// Tell the cells of a projection that can differ from 0.
    fn held(&self, at: usize, projected: &[f64], mut tell: impl FnMut(usize, f64)) {
        match self.problem.rows().row(at) {
            row @ Row::Sparse(..) if self.problem.form() == Form::Diagonal => {
                row.each(|l, _| tell(l, projected[l]));
            }
            _ => projected.iter().enumerate().for_each(|(l, &x)| tell(l, x)),
        }
    }

    /// Look at all rows for this visit, and for those to come whose list is likely too old.
    fn look(&mut self, matrix: &SquareMatrix, order: &[usize], met: usize) -> Result<()> {
        if let Some(age) = self.age(order[met]) {
            self.lasting += (age.min(1e6) - self.lasting) / 16.0;
        }
        let ahead = order.len().min(met + AHEAD * SHARED);
        let old = |at: &&usize| self.age(**at).is_none_or(|age| age >= 0.5 * self.lasting);
        let soon = order[met + 1..ahead].iter().filter(old).take(SHARED - 1);
        let asked: Vec<u32> = order[met..=met].iter().chain(soon).map(|&at| at as u32).collect();
        for (&at, look) in asked.iter().zip(self.full(matrix, &asked)?) {
            self.looks[at as usize] = Some(look);
        }
        Ok(())
    }

    fn full(&self, matrix: &SquareMatrix, asked: &[u32]) -> Result<Vec<Look>> {
        let room = |at: u32| self.problem.targets(at as usize).len() + SPARE;
        let most = asked.iter().map(|&at| room(at)).max().unwrap_or(0);
        let scorer = self.problem.scorer(matrix);
        let found = match &self.others {
            Some(others) => others.best(matrix, asked, most, |at| {
                self.looks[at as usize].as_ref().map_or(&[], |look| &look.list)
            })?,
            None => {
                let one = |&at: &u32| {
                    let other = |row: usize| self.problem.apart(at as usize, row).then_some(0);
                    let scores = scorer.scores(at as usize);
                    best(&scorer, at as usize, &scores, (most, 1), other).swap_remove(0)
                };
                asked.par_iter().map(one).collect()
            }
        };
        let look = |(&at, found): (&u32, Vec<SimilarRow>)| {
            let floor = match found.last() {
                Some(last) if found.len() == most => last.similarity,
                _ => f64::NEG_INFINITY,
            };
            let mut list: Vec<u32> = found.iter().map(|n| n.row).collect();
            list.sort_unstable();
            let mut projection = Vec::new();
            self.held(at as usize, &scorer.project(at as usize), |_, x| projection.push(x as f32));
            Look { list, floor, projection, mistakes: self.mistakes }
        };
        Ok(asked.iter().zip(found).map(look).collect())
    }
}

impl Cone {
    fn of(problem: &LearnProblem) -> Self {
        let rows = problem.rows();
        let mut direction = vec![0.0; rows.columns()];
        (0..rows.rows()).for_each(|row| rows.row(row).add_to(1.0, &mut direction));
        let length = dot(&direction, &direction).sqrt();
        // Without a mean direction everything is aside.
        let unit = if length > 0.0 && length.is_finite() { 1.0 / length } else { 0.0 };
        direction.iter_mut().for_each(|x| *x *= unit);
        let (mut low, mut high, mut aside) = (f64::INFINITY, f64::NEG_INFINITY, 0.0f64);
        let mut longest = 0.0f64;
        for row in 0..rows.rows() {
            let row = rows.row(row);
            let (along, square) = (row.dot(&direction), row.squared());
            (low, high) = (low.min(along), high.max(along));
            // As much more as squares lose to rounding.
            aside = aside.max((square - along * along).max(0.0) + 1e-14 * square);
            longest = longest.max(square);
        }
        Self { direction, along: (low, high), aside: aside.sqrt(), longest: longest.sqrt() }
    }
}
