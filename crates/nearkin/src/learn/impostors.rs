//! [`Impostors`]: the impostors of a row under a matrix that keeps moving, mostly without a scan
//! of all rows.
//!
//! A scan compares a row with all rows. It stores the projection a = xᵀA, a shortlist of the most
//! similar impostors, and f, the lowest similarity on that list. Let c be the mean direction of
//! the rows: a row is z = (c·z) c + z⊥. Later, under a projection a + δ, no row outside the list
//! can be more similar than the limit
//!
//! ```text
//! f + max_z (c·z)(c·δ) + ‖δ − (c·δ) c‖ max_z ‖z⊥‖ + rounding
//! ```
//!
//! or than f + ‖δ‖ max_z ‖z‖ + rounding. Most of the rounding is that of a, which is stored in
//! single precision. The first limit is far lower where rows point much the same way, as rows of
//! positive numbers do. Where the k-th best of the list lies above the limit, the k best of the
//! list are the k best of all. Where it does not, each of them counts at least the limit; if the
//! targets still win, the row survives, and its impostors need not be known. Either way a visit
//! costs as many inner products as the list is long.
//!
//! Otherwise all rows are scanned again. The scan takes along the next visits whose list is
//! likely out of date too, judged by the number of mistakes that lists have lasted so far.
//! Sixteen visits share one pass of the tile engine over the rows, at the cost of one product of
//! matrices. The answer is always that of a scan at every visit.
//!
//! Lower bound for an epoch: n (p² + (2k + 8) p) multiply-adds where no list is ever out of date,
//! n² p where all are. The similarities of all pairs are not stored: every mistake would change
//! all n² of them, while a scan for one row costs n p. Only scans run in parallel: every visit
//! depends on the mistakes before it.

use rayon::prelude::*;

use super::LearnProblem;
use crate::Result;
use crate::measure::{Form, Row, Scorer, SquareMatrix, dot};
use crate::neighbors::{Others, SimilarRow, best, offer};

/// Rows on a shortlist beyond k. A longer list lasts for more mistakes, but costs more to select
/// than the pass over the rows that it saves.
const SPARE: usize = 8;
/// Visits that share a pass over all rows.
const SHARED: usize = 16;
/// How many of the following visits are examined to find those that can share a pass, as a
/// multiple of [`SHARED`].
const AHEAD: usize = 2;

/// The shortlist of a visit, and the state it was made in.
struct Scan {
    list: Vec<u32>,
    /// The lowest similarity on the list.
    lowest: f64,
    /// In single precision, to save memory: every row has one. The limit allows for the rounding.
    projection: Vec<f32>,
    /// Mistakes made before the scan.
    mistakes: u64,
}

/// Bounds on all rows: the distance of a row from the line along the mean direction is at most
/// `aside`, its length at most `longest`.
struct Cone {
    direction: Vec<f64>,
    along: (f64, f64),
    aside: f64,
    longest: f64,
}

pub(crate) struct Impostors<'p> {
    problem: &'p LearnProblem<'p>,
    /// Margin that targets have to exceed.
    required: f64,
    others: Option<Others<'p>>,
    cone: Option<Cone>,
    scans: Vec<Option<Scan>>,
    mistakes: u64,
    /// Number of mistakes that a list lasts for, on average.
    lasting: f64,
}

/// Verdict on a visit that its shortlist alone can give.
enum Known {
    /// The targets win.
    Survives,
    /// The margin and the impostors.
    Found(f64, Vec<SimilarRow>),
    /// Nothing certain.
    Unsure,
}

impl<'p> Impostors<'p> {
    pub fn new(problem: &'p LearnProblem<'p>, required: f64) -> Self {
        let rows = problem.rows();
        // A divisor of its own for every pair has no such bound.
        let sides = problem.sides().filter(|_| rows.is_unit());
        let groups =
            sides.map(|sides| (sides, sides.iter().max().map_or(0, |&most| most as usize + 1)));
        let others = groups.filter(|_| !rows.is_sparse()).map(|groups| Others::new(rows, groups));
        let scans = (0..rows.rows()).map(|_| None).collect();
        let cone = sides.map(|_| Cone::of(problem));
        Self { problem, required, others, cone, scans, mistakes: 0, lasting: 0.0 }
    }

    /// The margin and the impostors of visit `order[met]` under `matrix`, where the margin is not
    /// above the required one. Later visits of `order` may be prepared.
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
                self.scan(matrix, order, met)?;
                let scorer = self.problem.scorer(matrix);
                let projected = scorer.project(at);
                // The list is fresh, so its best are the best of all.
                let found = self.listed(&scorer, at, &projected);
                let scores = found.iter().map(|n| n.similarity);
                (self.problem.margin_of(&scorer, at, &projected, scores), found)
            }
        };
        let lost = margin <= self.required;
        self.mistakes += u64::from(lost);
        Ok(lost.then_some((margin, found)))
    }

    /// Mistakes since the last scan for visit `at`.
    fn age(&self, at: usize) -> Option<f64> {
        self.scans[at].as_ref().map(|scan| (self.mistakes - scan.mistakes) as f64)
    }

    /// The best of the list; rows outside it do not count.
    fn listed(&self, scorer: &Scorer, at: usize, projected: &[f64]) -> Vec<SimilarRow> {
        let k = self.problem.targets(at).len();
        let mut found = Vec::with_capacity(k);
        let plain = |row: u32| scorer.plain(at, row as usize);
        for &row in self.scans[at].iter().flat_map(|scan| &scan.list) {
            let similarity = scorer.score(projected, at, row as usize);
            offer(&mut found, k, SimilarRow { row, similarity }, &plain);
        }
        found
    }

    /// The verdict of the list on visit `at`.
    fn known(&self, matrix: &SquareMatrix, at: usize) -> Known {
        let Some(cone) = &self.cone else { return Known::Unsure };
        let Some(scan) = &self.scans[at] else { return Known::Unsure };
        let scorer = self.problem.scorer(matrix);
        let projected = scorer.project(at);
        let limit = scan.lowest + self.drift(cone, scan, at, &projected);
        if limit.is_nan() {
            return Known::Unsure; // too large for single precision
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
        let over = least - self.required;
        let certain = over > 1e-12 * (size + least.abs() + self.required);
        if certain { Known::Survives } else { Known::Unsure }
    }

    /// How much the similarity of a row can have grown since the last scan.
    fn drift(&self, cone: &Cone, scan: &Scan, at: usize, projected: &[f64]) -> f64 {
        if scan.lowest == f64::NEG_INFINITY {
            return 0.0; // no row is outside the list
        }
        let (mut moved, mut size, mut cells) = (vec![0.0; projected.len()], 0.0, 0);
        let mut square = 0.0;
        self.held(at, projected, |l, new| {
            let old = f64::from(scan.projection[cells]);
            moved[l] = new - old;
            size += new.abs() + old.abs();
            square += old * old;
            cells += 1;
        });
        // How far the stored projection may be from the exact one.
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

    /// Call `tell` with each cell of a projection that can differ from 0.
    fn held(&self, at: usize, projected: &[f64], mut tell: impl FnMut(usize, f64)) {
        match self.problem.rows().row(at) {
            row @ Row::Sparse(..) if self.problem.form() == Form::Diagonal => {
                row.each(|l, _| tell(l, projected[l]));
            }
            _ => projected.iter().enumerate().for_each(|(l, &x)| tell(l, x)),
        }
    }

    /// Scan all rows for this visit, and for following ones whose list is likely out of date.
    fn scan(&mut self, matrix: &SquareMatrix, order: &[usize], met: usize) -> Result<()> {
        if let Some(age) = self.age(order[met]) {
            self.lasting += (age.min(1e6) - self.lasting) / 16.0;
        }
        let ahead = order.len().min(met + AHEAD * SHARED);
        let old = |at: &&usize| self.age(**at).is_none_or(|age| age >= 0.5 * self.lasting);
        let soon = order[met + 1..ahead].iter().filter(old).take(SHARED - 1);
        let asked: Vec<u32> = order[met..=met].iter().chain(soon).map(|&at| at as u32).collect();
        for (&at, scan) in asked.iter().zip(self.full(matrix, &asked)?) {
            self.scans[at as usize] = Some(scan);
        }
        Ok(())
    }

    fn full(&self, matrix: &SquareMatrix, asked: &[u32]) -> Result<Vec<Scan>> {
        let room = |at: u32| self.problem.targets(at as usize).len() + SPARE;
        let most = asked.iter().map(|&at| room(at)).max().unwrap_or(0);
        let scorer = self.problem.scorer(matrix);
        let found = match &self.others {
            Some(others) => others.best(matrix, asked, most, |at| {
                self.scans[at as usize].as_ref().map_or(&[], |scan| &scan.list)
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
        let scan = |(&at, found): (&u32, Vec<SimilarRow>)| {
            let lowest = match found.last() {
                Some(last) if found.len() == most => last.similarity,
                _ => f64::NEG_INFINITY,
            };
            let mut list: Vec<u32> = found.iter().map(|n| n.row).collect();
            list.sort_unstable();
            let mut projection = Vec::new();
            self.held(at as usize, &scorer.project(at as usize), |_, x| projection.push(x as f32));
            Scan { list, lowest, projection, mistakes: self.mistakes }
        };
        Ok(asked.iter().zip(found).map(scan).collect())
    }
}

impl Cone {
    fn of(problem: &LearnProblem) -> Self {
        let rows = problem.rows();
        let mut direction = vec![0.0; rows.columns()];
        (0..rows.rows()).for_each(|row| rows.row(row).add_to(1.0, &mut direction));
        let length = dot(&direction, &direction).sqrt();
        // Without a mean direction the whole row is beside it.
        let unit = if length > 0.0 && length.is_finite() { 1.0 / length } else { 0.0 };
        direction.iter_mut().for_each(|x| *x *= unit);
        let (mut low, mut high, mut aside) = (f64::INFINITY, f64::NEG_INFINITY, 0.0f64);
        let mut longest = 0.0f64;
        for row in 0..rows.rows() {
            let row = rows.row(row);
            let (along, square) = (row.dot(&direction), row.squared());
            (low, high) = (low.min(along), high.max(along));
            // Squares lose this much to rounding.
            aside = aside.max((square - along * along).max(0.0) + 1e-14 * square);
            longest = longest.max(square);
        }
        Self { direction, along: (low, high), aside: aside.sqrt(), longest: longest.sqrt() }
    }
}
