//! Neighbours by radius: the engine of SURF, SURF*, MultiSURF and MultiSURF*.
//!
//! A target's near rows are those within a radius that comes from the distances themselves,
//! so there is no k to choose. Hits average to 1, misses too: those of class C by
//! P(C)/(1 − P(y)) among the classes that have one in reach. An empty side contributes 0.
//!
//! Cost: n² distances in fixed point where the measure has bounds ([`Bounded`]), and a second pass
//! over near rows, and far ones where they count. Rows too close to a threshold to decide are
//! measured by the definition, one by one. Where the threshold is not known well enough for that,
//! all distances of the target are measured in double precision, and by the definition where that
//! does not decide either, so the neighbours are those of the definition. From 4096 rows on their
//! differences are summed on a [`CellGrid`](crate::neighbors::CellGrid): a difference is then off
//! by less than 4e-9 of the column's range, and a weight of scaled columns by a few of these.
//!
//! Lower bound for a target among n rows: that of `neighbors::bounded`, n · p max-and-adds, and a
//! comparison and 4 bytes a distance for near rows, as many for far ones; two passes more where
//! the radius is the target's own. The mean of all distances takes that of `neighbors::pairs`, or
//! n² · p without bounds.

use std::cmp::Ordering;
use std::sync::OnceLock;

use super::aggregate::{Request, Scratch, Sums, by_distances};
use super::blocks::{Blockwise, Kind, in_blocks};
use super::common::{Problem, ReliefSettings, targets};
use super::neighbourhood::{Members, Neighbourhood};
use super::{Extras, FeatureWeights, WeighTask};
use crate::measure::Metric;
use crate::neighbors::{
    Band, Bounded, DistanceSpread, NO_ROW, Strips, any_within, distances_in_all, sum_of_distances,
};
use crate::{Error, Note, ParameterError, Result, Run};

/// The contribution of far rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Far {
    /// Nothing.
    Ignored,
    /// The opposite of what near ones add.
    Opposite,
    /// The values that are equal among them, as in MultiSURF*.
    Equal,
}

/// Which rows a radius method takes as near, and what far rows contribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// One radius for all (mean distance) or one a target, with a dead band of one deviation.
    pub own: bool,
    /// Count distances of 0 to oneself in the mean of all.
    pub diagonal: bool,
    pub far: Far,
}

/// A radius method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Radius {
    pub method: &'static str,
    pub metric: Metric,
    pub rule: Rule,
}

/// Declare a method with a metric, perhaps parameters of its own, and the common settings, and
/// implement [`Weigh`](super::Weigh) for it from its rule.
macro_rules! by_radius {
    ($(#[$meta:meta])* $method:ident
     { $($(#[doc = $doc:literal])* $field:ident: $type:ty = $default:expr;)* }
     $id:literal is $title:literal, $summary:literal, $reference:literal,
     |$settings:pat_param| $rule:expr) => {
        $crate::parameters! {
            $(#[$meta])*
            pub struct $method {
                /// How differences of features add up to a distance.
                metric: $crate::measure::Metric = $crate::measure::Metric::Manhattan;
                $($(#[doc = $doc])* $field: $type = $default;)*
            } with common: $crate::weigh::ReliefSettings
        }

        impl $method {
            fn radius(&self) -> $crate::weigh::radius::Radius {
                let $settings = self;
                $crate::weigh::radius::Radius { method: $id, metric: self.metric, rule: $rule }
            }
        }

        impl $crate::weigh::Weigh for $method {
            $crate::parameter::about! { $id is $title, $summary, $reference }

            fn fit_checked(
                &self,
                task: $crate::weigh::WeighTask,
            ) -> $crate::Result<$crate::weigh::FeatureWeights> {
                self.radius().fit(&self.common, task)
            }

            fn blockwise(
                &self,
                extras: &$crate::weigh::Extras,
            ) -> $crate::Result<$crate::weigh::blocks::Blockwise> {
                self.radius().blockwise(&self.common, extras)
            }
        }
    };
}
pub(crate) use by_radius;

impl Radius {
    pub fn fit(self, common: &ReliefSettings, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, extras, run, .. } = task;
        self.refuse(extras)?;
        let problem = Problem::new(task, self.metric, common, self.method)?;
        let targets = targets(table.rows(), common)?;
        let search = Search::new(self, &problem, run)?;
        let request = Request::new(&targets, extras);
        let sums = problem.aggregate(request, run, |range, scratch| {
            search.neighbourhoods(&targets[range], scratch)
        })?;
        let weights = FeatureWeights::mean_of(&problem, &sums, extras);
        Ok(weights.noting(self.notes(problem.notes(table, 0))))
    }

    pub fn blockwise(self, common: &ReliefSettings, extras: &Extras) -> Result<Blockwise> {
        self.refuse(extras)?;
        Ok(Blockwise::new(self.metric, common, Kind::Radius(self), extras))
    }

    /// Refuse extras that are not defined where far rows count.
    pub fn refuse(&self, extras: &Extras) -> Result<()> {
        match extras.stir && self.rule.far != Far::Ignored {
            false => Ok(()),
            true => {
                let reason = ParameterError::StirOfFar { method: self.method };
                Err(Error::parameter("p-values", reason))
            }
        }
    }

    /// The notes that hold for this method.
    pub fn notes(&self, mut notes: Vec<Note>) -> Vec<Note> {
        if self.rule.far == Far::Equal {
            // A constant is equal among far rows too, and may weigh something here.
            notes.retain(|note| !matches!(note, Note::ConstantColumns { .. }));
        }
        notes
    }

    /// Sums over each block of `targets`, in order; they add up to what [`Radius::fit`] sums.
    pub fn parts(
        self,
        problem: &Problem,
        targets: &[u32],
        extras: &Extras,
        run: &Run,
    ) -> Result<Vec<Sums>> {
        let search = Search::new(self, problem, run)?;
        in_blocks(targets, run, |targets| {
            problem.aggregate(Request::new(targets, extras), run, |range, distances| {
                search.neighbourhoods(&targets[range], distances)
            })
        })
    }

    /// The sides whose rows count: what their contributions are multiplied with, and whether what
    /// is equal counts.
    pub fn sides(&self) -> &'static [(Side, f64, bool)] {
        match self.rule.far {
            Far::Ignored => &[(Side::Near, 1.0, false)],
            Far::Opposite => &[(Side::Near, 1.0, false), (Side::Far, -1.0, false)],
            Far::Equal => &[(Side::Near, 1.0, false), (Side::Far, 1.0, true)],
        }
    }

    /// For each class, the weight of one row of that class. `counts` is the number of rows of each
    /// class on one side (near or far). The weights of all hits add up to 1, and so do those of all
    /// misses; `sign` multiplies both.
    pub fn weights(problem: &Problem, own: usize, counts: &[usize], sign: f64) -> Vec<f64> {
        let share = |class: usize| problem.share(own as u32, class as u32);
        let reached = counts.iter().enumerate();
        let reached = reached.filter(|(class, count)| *class != own && **count > 0);
        let reached: f64 = reached.map(|(class, _)| share(class)).sum();
        let whole = |class: usize| if class == own { 1.0 } else { share(class) / reached };
        counts.iter().enumerate().map(|(class, &n)| sign * whole(class) / n as f64).collect()
    }

    /// How many pairs the mean of all is of: different rows, or all, each pair twice.
    pub fn pairs(&self, rows: usize) -> f64 {
        let others = if self.rule.diagonal { rows } else { rows - 1 };
        rows as f64 * others as f64
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
        let bounded = run.install(|| Bounded::new(of, &problem.measure))?;
        let mut search = Self {
            radius,
            problem,
            strips: Strips::new(of),
            bounded,
            run,
            rough_mean: (0.0, 0.0),
            mean: OnceLock::new(),
        };
        if radius.rule.own {
            return Ok(search);
        }
        match sum_of_distances(of, &problem.measure, run)? {
            Some((sum, error)) if search.bounded.is_some() => {
                let mean = |sum: f64| 2.0 * sum / radius.pairs(problem.rows.len());
                search.rough_mean = (mean(sum), mean(error));
                // Among so many pairs one is likely to be too close to the mean to decide: better
                // to compute the exact mean now than on every thread. The same holds where the sum
                // is not finite.
                let doubts = (problem.rows.len() as f64).powi(2) * error;
                if !(doubts <= 0.1 * sum && sum.is_finite()) {
                    search.rough_mean = (search.mean()?, 0.0);
                }
            }
            _ => {
                search.mean()?;
            }
        }
        Ok(search)
    }

    /// The exact mean distance. Several threads may compute it at once; they get the same number.
    fn mean(&self) -> Result<f64> {
        if let Some(mean) = self.mean.get() {
            return Ok(*mean);
        }
        let of = self.problem.labelled();
        let sum = distances_in_all(of, &self.problem.measure, self.run)?;
        Ok(*self.mean.get_or_init(|| sum.over(self.radius.pairs(of.rows.len()))))
    }

    fn neighbourhoods(&self, targets: &[u32], scratch: &mut Scratch) -> Result<Vec<Neighbourhood>> {
        let Some(bounded) = &self.bounded else {
            return self.exact(targets, &mut scratch.distances);
        };
        let Scratch { whole, distances: closer } = scratch;
        let mut found = Vec::with_capacity(targets.len());
        for targets in targets.chunks(Bounded::TARGETS) {
            bounded.distances(targets, whole);
            for (&target, distances) in targets.iter().zip(whole.chunks_exact_mut(bounded.width()))
            {
                found.push(match self.radius.rule.own {
                    true => self.by_own_radius(bounded, target, distances, closer)?,
                    false => self.by_mean(bounded, target, distances, closer)?,
                });
            }
        }
        Ok(found)
    }

    /// By exact distances.
    fn exact(&self, targets: &[u32], distances: &mut Vec<f64>) -> Result<Vec<Neighbourhood>> {
        let mean = if self.radius.rule.own { 0.0 } else { self.mean()? };
        Ok(by_distances(self.problem, &self.strips, targets, distances, |row, distances, found| {
            let limits = match self.radius.rule.own {
                true => around(DistanceSpread::of(distances, row as usize)),
                false => (mean, mean),
            };
            let of_class = |class: usize, side: Side| {
                let rows = (0u32..).zip(&self.problem.members[class]);
                let taken =
                    |other: u32| other != row && side.takes(limits, distances[other as usize]);
                rows.filter(|(_, other)| taken(**other)).map(|(place, _)| place).collect()
            };
            self.fill(row, of_class, found);
        }))
    }

    /// Compares bounded distances with the target's own radius, and uses exact distances for the
    /// rows that these leave undecided. When the radius itself is not known well enough, it uses
    /// closer distances; when these leave anything undecided, exact distances for all rows.
    fn by_own_radius(
        &self,
        bounded: &Bounded,
        target: u32,
        distances: &mut [u32],
        closer: &mut Vec<f64>,
    ) -> Result<Neighbourhood> {
        // Mean and deviation are off by as much as the distances, and so a limit by half as much
        // again; doubles round as well.
        let rounding = 8.0 * self.problem.rows.len() as f64 * f64::EPSILON;
        let of_limit = |spread: DistanceSpread, error: f64| {
            1.5 * error + rounding * (spread.mean + spread.deviation)
        };
        let spread = bounded.spread(target, distances);
        let (near, far) = around(spread);
        let error = bounded.error() / bounded.grain();
        let width = of_limit(spread, error);
        let bands = [near, far].map(|limit| Bounded::band(limit, width + error));
        let sides = self.radius.sides().len();
        let asked = [bands[0], bands[sides - 1]];
        if !any_within(distances, asked)
            || self.settle(bounded, target, distances, &[near, far][..sides], bands, width)
        {
            return Ok(self.by_bands(bounded, target, distances, bands.into()));
        }
        if !bounded.has_closer() {
            return Ok(self.exact(&[target], closer)?.swap_remove(0));
        }
        bounded.closer(target, closer);
        let spread = bounded.closer_spread(target, closer);
        let limits = around(spread);
        let width = of_limit(spread, bounded.closer_error()) + bounded.closer_error();
        let unsure = |limit: f64| closer.iter().any(|d| (d - limit).abs() <= width);
        if unsure(limits.0) || (self.radius.rule.far != Far::Ignored && unsure(limits.1)) {
            return Ok(self.exact(&[target], closer)?.swap_remove(0));
        }
        let mut found = Neighbourhood::default();
        let of_class = |class: usize, side: Side| {
            let each = (0u32..).zip(bounded.of_class(class, closer));
            // The target itself stands at infinity.
            each.filter(|(_, d)| d.is_finite() && side.takes(limits, **d)).map(|at| at.0).collect()
        };
        self.fill(target, of_class, &mut found);
        Ok(found)
    }

    /// Move each distance that lies within a band around one of the target's limits to the side of
    /// the limit on which its exact value lies. False when an exact value is too close to a limit
    /// to decide. All values are in grains; limits are off by at most `width`.
    fn settle(
        &self,
        bounded: &Bounded,
        target: u32,
        distances: &mut [u32],
        limits: &[f64],
        [near, far]: [Band; 2],
        width: f64,
    ) -> bool {
        // Below the first band, between the two and beyond the second has to be room.
        if bounded.is_exact() || near.low == 0 || (limits.len() > 1 && near.high >= far.low) {
            return false;
        }
        let mut places = Vec::new();
        for ((&limit, band), ends) in limits.iter().zip([near, far]).zip([
            // Rows between the bands are neither near nor far.
            [0, near.high],
            [near.high, NO_ROW - 1],
        ]) {
            places.clear();
            bounded.select(distances, band.low, band.high, &mut places);
            for &place in &places {
                let Some(row) = bounded.row(place as usize) else { continue };
                let distance = self.distance(target, row) / bounded.grain();
                if (distance - limit).abs() <= width {
                    return false;
                }
                distances[place as usize] = ends[usize::from(distance > limit)];
            }
        }
        true
    }

    /// The distance of two rows by the definition.
    fn distance(&self, target: u32, row: u32) -> f64 {
        let Problem { rows, measure, .. } = self.problem;
        let (a, b) = (target as usize, row as usize);
        measure.distance(rows, a, rows, b, (self.problem.label(a), self.problem.label(b)))
    }

    /// Compares bounded distances with the one radius, and measures again the rows that are too
    /// close to it to decide. When that is not enough, the radius is computed exactly, too.
    fn by_mean(
        &self,
        bounded: &Bounded,
        target: u32,
        distances: &mut [u32],
        closer: &mut Vec<f64>,
    ) -> Result<Neighbourhood> {
        let (mean, error) = self.rough_mean;
        let grain = bounded.grain();
        let rounding = 8.0 * f64::EPSILON * mean;
        let band = Bounded::band(mean / grain, (bounded.error() + error + rounding) / grain);
        if band.low == 0 && mean > 0.0 {
            // No whole number is surely below the mean.
            return Ok(self.exact(&[target], closer)?.swap_remove(0));
        }
        if any_within(distances, [band; 2]) {
            self.decide_ties(bounded, target, distances, band)?;
        }
        Ok(self.by_bands(bounded, target, distances, (band, band)))
    }

    /// Move the distances within the band to their side of the mean, or leave them between.
    fn decide_ties(
        &self,
        bounded: &Bounded,
        target: u32,
        distances: &mut [u32],
        band: Band,
    ) -> Result<()> {
        let (mean, error) = self.rough_mean;
        let mut places = Vec::new();
        bounded.select(distances, band.low, band.high, &mut places);
        for place in places {
            let Some(row) = bounded.row(place as usize) else { continue };
            let exact = self.distance(target, row);
            let mean = if (exact - mean).abs() <= error { self.mean()? } else { mean };
            distances[place as usize] = match exact.total_cmp(&mean) {
                Ordering::Less => 0,
                Ordering::Equal => band.low,
                Ordering::Greater => NO_ROW - 1,
            };
        }
        Ok(())
    }

    /// By bounded distances of which none is within a band that counts.
    fn by_bands(
        &self,
        bounded: &Bounded,
        target: u32,
        distances: &[u32],
        (near, far): (Band, Band),
    ) -> Neighbourhood {
        let mut found = Neighbourhood::default();
        let of_class = |class: usize, side: Side| {
            let mut places = Vec::new();
            let distances = bounded.of_class(class, distances);
            match side {
                Side::Near => bounded.select(distances, 0, near.low, &mut places),
                Side::Far => bounded.select(distances, far.high, NO_ROW, &mut places),
            }
            places
        };
        self.fill(target, of_class, &mut found);
        found
    }

    /// Add near rows and far rows to `found`. On each side the weights of all hits add up to 1,
    /// and so do those of all misses.
    ///
    /// `of_class(class, side)` gives the rows of a class on that side.
    fn fill(
        &self,
        row: u32,
        of_class: impl Fn(usize, Side) -> Vec<u32>,
        found: &mut Neighbourhood,
    ) {
        let own = self.problem.label(row as usize) as usize;
        for &(side, sign, equal) in self.radius.sides() {
            let classes = 0..self.problem.classes.len();
            let members: Vec<Vec<u32>> = classes.map(|class| of_class(class, side)).collect();
            let counts: Vec<usize> = members.iter().map(Vec::len).collect();
            let weights = Radius::weights(self.problem, own, &counts, sign);
            for (class, (places, weight)) in members.into_iter().zip(weights).enumerate() {
                found.push_as(class as u32, Members::Even { places, weight }, equal);
            }
        }
    }
}

/// The near rows of a target, or the far ones.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Side {
    Near,
    Far,
}

impl Side {
    /// True when a distance is on this side of its limit: near ones are below the first, far ones
    /// beyond the second.
    pub fn takes(self, limits: (f64, f64), distance: f64) -> bool {
        match self {
            Self::Near => distance < limits.0,
            Self::Far => distance > limits.1,
        }
    }
}

/// Half a deviation to either side of the mean.
pub(super) fn around(DistanceSpread { mean, deviation }: DistanceSpread) -> (f64, f64) {
    (mean - deviation / 2.0, mean + deviation / 2.0)
}
