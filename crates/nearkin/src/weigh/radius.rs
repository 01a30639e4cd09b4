//! Neighbours by radius: the engine of SURF, SURF*, MultiSURF and MultiSURF*.
//!
//! A target's near rows are those within a radius that comes from the distances themselves,
//! so there is no k to choose. Hits average to 1, misses too: those of class C by
//! P(C)/(1 − P(y)) among the classes that have one in reach. An empty side contributes 0.
//!
//! Cost: all n² distances in double precision and a second pass as large over near rows.

use super::aggregate::Request;
use super::common::{Common, Problem, targets};
use super::neighbourhood::Neighbourhood;
use super::{FeatureWeights, Wanted};
use crate::data::{Table, Target};
use crate::measure::Metric;
use crate::neighbors::{Spread, Strips, spread};
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
        let mean = if self.own { 0.0 } else { self.mean_distance(&problem, run)? };
        let strips = Strips::new(problem.labelled());
        let request = Request::new(&targets, wanted);
        let sums = problem.aggregate(request, Some(&strips), run, |at, distances, found| {
            let row = targets[at] as usize;
            let (near, far) = if self.own {
                let Spread { mean, deviation, .. } = Spread::of(distances, row);
                (mean - deviation / 2.0, mean + deviation / 2.0)
            } else {
                (mean, mean)
            };
            fill(&problem, row, distances, |d| d < near, 1.0, false, found);
            match self.far {
                Far::Ignored => {}
                Far::Opposite => fill(&problem, row, distances, |d| d > far, -1.0, false, found),
                Far::Equal => fill(&problem, row, distances, |d| d > far, 1.0, true, found),
            }
        })?;
        let weights = FeatureWeights::mean_of(&problem, &sums, wanted);
        let mut notes = problem.notes(table, 0);
        if self.far == Far::Equal {
            // A constant is equal among far rows too, and may weigh something here.
            notes.retain(|note| !note.contains("constant"));
        }
        Ok(weights.noting(notes))
    }

    /// Mean distance of all pairs of different rows, or of all pairs.
    fn mean_distance(&self, problem: &Problem, run: &Run) -> Result<f64> {
        let spreads = spread(problem.labelled(), &problem.measure, run)?;
        let n = spreads.len() as f64;
        let others = if self.diagonal { n } else { n - 1.0 };
        Ok(spreads.iter().map(|s| s.sum).sum::<f64>() / (n * others))
    }
}

/// Push the rows whose distance is wanted: hits weighing 1 in all, misses 1 in all.
fn fill(
    problem: &Problem,
    row: usize,
    distances: &[f64],
    wanted: impl Fn(f64) -> bool,
    sign: f64,
    equal: bool,
    found: &mut Neighbourhood,
) {
    let own = problem.label(row) as usize;
    let mut members = vec![Vec::new(); problem.classes.len()];
    for (other, (&distance, &class)) in distances.iter().zip(problem.classes.codes()).enumerate() {
        if wanted(distance) && other != row {
            members[class as usize].push((other as u32, 0.0));
        }
    }
    let share = |class: usize| problem.share(own as u32, class as u32);
    let reached = members.iter().enumerate().filter(|(class, m)| *class != own && !m.is_empty());
    let reached: f64 = reached.map(|(class, _)| share(class)).sum();
    for (class, mut members) in members.into_iter().enumerate() {
        let whole = if class == own { 1.0 } else { share(class) / reached };
        let each = sign * whole / members.len() as f64;
        members.iter_mut().for_each(|member| member.1 = each);
        found.push_as(class as u32, members, equal);
    }
}
