//! Neighbours by radius: the engine of SURF, SURF*, MultiSURF and MultiSURF*.
//!
//! A target's near rows are those within a radius that comes from the distances themselves,
//! so there is no k to choose. Hits average to 1, misses too: those of class C by
//! P(C)/(1 − P(y)) among the classes that have one in reach. An empty side contributes 0.
//!
//! Cost: n² distances in fixed point where the measure has bounds ([`Bounded`]), and a second
//! pass over near rows. Whoever lies too close to a threshold to tell is measured again in double
//! precision, so the neighbours are those of the definition.

use std::sync::OnceLock;

use super::aggregate::{Request, by_distances};
use super::common::{Common, Problem, targets};
use super::neighbourhood::{Members, Neighbourhood};
use super::{FeatureWeights, Wanted};
use crate::data::{Table, Target};
use crate::measure::Metric;
use crate::neighbors::{Bounded, Spread, Strips, any_within, spread, sum_of_distances};
use crate::{Error, Result, Run};

/// What far rows add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Far {
    /// Nothing.
    Ignored,
    /// The opposite of what near ones add.
    Opposite,
    /// What is equal among them, as MultiSURF* scores.
    Equal,
}

/// A radius method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Radius {
    pub method: &'static str,
    pub metric: Metric,
    /// One radius for all (mean distance) or one a target, with a dead band of one deviation.
    pub own: bool,
    /// Count distances of 0 to oneself in the mean of all.
    pub diagonal: bool,
    pub far: Far,
}

impl Radius {
    pub fn fit(
        self,
        common: &Common,
        table: &Table,
        target: &Target,
        wanted: &Wanted,
        run: &Run,
    ) -> Result<FeatureWeights> {
        if wanted.stir && self.far != Far::Ignored {
            return Err(Error::parameter(
                "p-values",
                format!(
                    "stir is about near rows and {} counts far ones; use permutation",
                    self.method
                ),
            ));
        }
        let problem = Problem::new(table, target, self.metric, common, self.method)?;
        let targets = targets(table.rows(), common)?;
        let search = Search::new(self, &problem, run)?;
        let request = Request::new(&targets, wanted);
        let sums = problem.aggregate(request, run, |range, distances| {
            search.neighbourhoods(&targets[range], distances)
        })?;
        let weights = FeatureWeights::mean_of(&problem, &sums, wanted);
        let mut notes = problem.notes(table, 0);
        if self.far == Far::Equal {
            // A constant is equal among far rows too, and may weigh something here.
            notes.retain(|note| !note.contains("constant"));
        }
        Ok(weights.noting(notes))
    }

    /// The mean of all pairs of different rows, or of all pairs, from the sum of all distances
    /// between different rows, each pair twice.
    fn mean(&self, sum: f64, rows: usize) -> f64 {
        let others = if self.diagonal { rows } else { rows - 1 };
        sum / (rows as f64 * others as f64)
    }
}

/// A radius method at work on a table.
struct Search<'a> {
    radius: Radius,
    problem: &'a Problem<'a>,
    strips: Strips<'a>,
    bounded: Option<Bounded<'a>>,
    run: &'a Run<'a>,
    /// The mean of all distances and how far off it may be; for one radius only.
    rough_mean: (f64, f64),
    /// The same by the definition, when it was needed.
    mean: OnceLock<f64>,
}

impl<'a> Search<'a> {
    fn new(radius: Radius, problem: &'a Problem<'a>, run: &'a Run<'a>) -> Result<Self> {
        let of = problem.labelled();
        let mut search = Self {
            radius,
            problem,
            strips: Strips::new(of),
            bounded: Bounded::new(of, &problem.measure),
            run,
            rough_mean: (0.0, 0.0),
            mean: OnceLock::new(),
        };
        if radius.own {
            return Ok(search);
        }
        match sum_of_distances(of, &problem.measure, run)? {
            Some((sum, error)) if search.bounded.is_some() => {
                let mean = |sum: f64| radius.mean(2.0 * sum, problem.rows.len());
                search.rough_mean = (mean(sum), mean(error));
            }
            _ => {
                search.mean()?;
            }
        }
        Ok(search)
    }

    /// The mean distance by the definition. Threads that need it at once find the same.
    fn mean(&self) -> Result<f64> {
        if let Some(mean) = self.mean.get() {
            return Ok(*mean);
        }
        let spreads = spread(self.problem.labelled(), &self.problem.measure, self.run)?;
        let sum = spreads.iter().map(|s| s.sum).sum::<f64>();
        Ok(*self.mean.get_or_init(|| self.radius.mean(sum, spreads.len())))
    }

    fn neighbourhoods(
        &self,
        targets: &[u32],
        distances: &mut Vec<f64>,
    ) -> Result<Vec<Neighbourhood>> {
        let Some(bounded) = &self.bounded else { return self.exact(targets, distances) };
        bounded.distances(targets, distances);
        let each = targets.iter().zip(distances.chunks_exact_mut(bounded.width()));
        each.map(|(&target, distances)| self.rough(bounded, target, distances)).collect()
    }

    /// By exact distances.
    fn exact(&self, targets: &[u32], distances: &mut Vec<f64>) -> Result<Vec<Neighbourhood>> {
        let mean = if self.radius.own { 0.0 } else { self.mean()? };
        Ok(by_distances(self.problem, &self.strips, targets, distances, |row, distances, found| {
            let limits = match self.radius.own {
                true => around(Spread::of(distances, row as usize)),
                false => (mean, mean),
            };
            let of_class = |class: usize, side: Side| {
                let rows = (0u32..).zip(&self.problem.members[class]);
                let wanted = |other: u32| other != row && side.takes(distances[other as usize]);
                rows.filter(|(_, other)| wanted(**other)).map(|(place, _)| place).collect()
            };
            self.fill(row, limits, of_class, found);
        }))
    }

    /// By bounded distances, unless they do not tell.
    fn rough(
        &self,
        bounded: &Bounded,
        target: u32,
        distances: &mut [f64],
    ) -> Result<Neighbourhood> {
        let limits = if self.radius.own {
            let spread = bounded.spread(distances);
            let (near, far) = around(spread);
            // Mean and deviation are off by as much as the distances; doubles round as well.
            let rounding = 8.0 * self.problem.rows.len() as f64 * f64::EPSILON;
            let band = 2.5 * bounded.error() + rounding * (spread.mean + spread.deviation);
            let unsure = |limit| any_within(distances, limit, band);
            if unsure(near) || (self.radius.far != Far::Ignored && unsure(far)) {
                return Ok(self.exact(&[target], &mut Vec::new())?.swap_remove(0));
            }
            (near, far)
        } else {
            let mean = self.decide_ties(bounded, target, distances)?;
            (mean, mean)
        };
        let mut found = Neighbourhood::default();
        let of_class = |class: usize, side: Side| {
            let distances = bounded.of_class(class, distances);
            match side {
                Side::Below(limit) => places(distances, |d| d < limit),
                // The target itself stands at infinity.
                Side::Above(limit) => places(distances, |d| d > limit && d < f64::INFINITY),
            }
        };
        self.fill(target, limits, of_class, &mut found);
        Ok(found)
    }

    /// Measure again who is too close to the mean to tell, and the mean itself where that does
    /// not help.
    fn decide_ties(&self, bounded: &Bounded, target: u32, distances: &mut [f64]) -> Result<f64> {
        let (mean, error) = self.rough_mean;
        let band = bounded.error() + error;
        if !any_within(distances, mean, band) {
            return Ok(mean);
        }
        let Problem { rows, measure, .. } = self.problem;
        let mut tied = false;
        for (place, distance) in distances.iter_mut().enumerate() {
            let Some(row) = bounded.row(place).filter(|_| (*distance - mean).abs() <= band) else {
                continue;
            };
            let classes = (self.problem.label(target as usize), self.problem.label(row as usize));
            *distance = measure.distance(rows, target as usize, rows, row as usize, classes);
            tied |= (*distance - mean).abs() <= error;
        }
        if tied { self.mean() } else { Ok(mean) }
    }

    /// Push near rows and far ones: of each side, hits weigh 1 in all and misses 1 in all.
    ///
    /// `of_class(class, side)` tells who is there.
    fn fill(
        &self,
        row: u32,
        (near, far): (f64, f64),
        of_class: impl Fn(usize, Side) -> Vec<u32>,
        found: &mut Neighbourhood,
    ) {
        let mut push = |side: Side, sign: f64, equal: bool| {
            let own = self.problem.label(row as usize) as usize;
            let classes = 0..self.problem.classes.len();
            let members: Vec<Vec<u32>> = classes.map(|class| of_class(class, side)).collect();
            let share = |class: usize| self.problem.share(own as u32, class as u32);
            let reached = members.iter().enumerate();
            let reached = reached.filter(|(class, m)| *class != own && !m.is_empty());
            let reached: f64 = reached.map(|(class, _)| share(class)).sum();
            for (class, places) in members.into_iter().enumerate() {
                let whole = if class == own { 1.0 } else { share(class) / reached };
                let weight = sign * whole / places.len() as f64;
                found.push_as(class as u32, Members::Even { places, weight }, equal);
            }
        };
        push(Side::Below(near), 1.0, false);
        match self.radius.far {
            Far::Ignored => {}
            Far::Opposite => push(Side::Above(far), -1.0, false),
            Far::Equal => push(Side::Above(far), 1.0, true),
        }
    }
}

/// One side of a threshold.
#[derive(Debug, Clone, Copy)]
enum Side {
    Below(f64),
    Above(f64),
}

impl Side {
    fn takes(self, distance: f64) -> bool {
        match self {
            Self::Below(limit) => distance < limit,
            Self::Above(limit) => distance > limit,
        }
    }
}

/// Half a deviation to either side of the mean.
fn around(Spread { mean, deviation, .. }: Spread) -> (f64, f64) {
    (mean - deviation / 2.0, mean + deviation / 2.0)
}

/// Where the wanted distances are.
fn places(distances: &[f64], wanted: impl Fn(f64) -> bool) -> Vec<u32> {
    let mut places = vec![0; distances.len()];
    let mut count = 0;
    // Without a branch: nobody could foresee it.
    for (place, &distance) in (0u32..).zip(distances) {
        places[count] = place;
        count += usize::from(wanted(distance));
    }
    places.truncate(count);
    places
}
