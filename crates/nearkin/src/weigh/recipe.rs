//! [`Recipe`]: the one engine behind the methods that look for k nearest hits and misses.
//!
//! A method is a choice of settings; this file turns them into neighbourhoods and leaves the
//! sums to [`aggregate`](super::aggregate).

use std::ops::Range;

use super::aggregate::{Contribution, Request, Scratch, Sink, Sums};
use super::blocks::Finish;
use super::common::{Problem, ReliefSettings, targets};
use super::neighbourhood::{Misses, Near, Neighbourhood, Ties, Weighting, nearest_sharing_ties};
use super::{Extras, FeatureWeights, WeighTask};
use crate::measure::Metric;
use crate::neighbors::{Neighbors, nearest, nearest_between};
use crate::{Result, Run};

/// The share of hits and misses in an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    /// Hits 1 in all, misses of class C by P(C)/(1 − P(y)).
    Prior,
    /// Every neighbour 1, as in sums over neighbours.
    Sum,
}

/// Settings of a method that looks for k nearest hits and misses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recipe {
    pub k: usize,
    pub misses: Misses,
    pub ties: Ties,
    pub weighting: Weighting,
    pub sigma: f64,
    pub share: Share,
    pub contribution: Contribution,
}

impl Recipe {
    /// k nearest, everything else as in ReliefF.
    pub fn new(k: usize) -> Self {
        Self {
            k,
            misses: Misses::PerClass,
            ties: Ties::Index,
            weighting: Weighting::Equal,
            sigma: 1.0,
            share: Share::Prior,
            contribution: Contribution::Difference,
        }
    }

    /// The weights of the method that has these settings.
    pub fn fit(
        &self,
        task: WeighTask,
        method: &'static str,
        (metric, common): (Metric, &ReliefSettings),
        finish: Finish,
    ) -> Result<FeatureWeights> {
        let WeighTask { table, extras, run, .. } = task;
        let problem = Problem::new(task, metric, common, method)?;
        let sums = self.sums(&problem, &targets(table.rows(), common)?, extras, run)?;
        Ok(finish.weights(&problem, sums, extras).noting(problem.notes(table, self.k)))
    }

    /// Sum the contributions of `targets`.
    pub fn sums(
        &self,
        problem: &Problem,
        targets: &[u32],
        extras: &Extras,
        run: &Run,
    ) -> Result<Sums> {
        self.sums_into(problem, targets, extras, run, None)
    }

    /// [`Recipe::sums`], every target's contribution passed to `sink` as well.
    pub fn sums_into(
        &self,
        problem: &Problem,
        targets: &[u32],
        extras: &Extras,
        run: &Run,
        sink: Option<Sink>,
    ) -> Result<Sums> {
        let request = Request { contribution: self.contribution, ..Request::new(targets, extras) };
        match self.ties {
            Ties::Index => {
                let rows = problem.labelled();
                let every = targets.len() == rows.rows.len()
                    && targets.iter().zip(0..).all(|(a, b)| *a == b);
                let near = if every {
                    nearest(rows, &problem.measure, self.k, run)?
                } else {
                    nearest_between((rows, targets), rows, true, &problem.measure, self.k, run)?
                };
                let of = |at: usize| self.neighbourhood(problem, targets[at], &near, at);
                let find = |range: Range<usize>, _: &mut Scratch| Ok(range.map(of).collect());
                problem.aggregate_into(request, run, find, sink)
            }
            Ties::Average => {
                let fill = |row: u32, d: &[f64], found: &mut _| {
                    self.fill_with_ties(problem, row, d, found);
                };
                problem.aggregate_by_distances(request, run, fill, sink)
            }
        }
    }

    /// Neighbourhood of a target whose nearest of each class are query `at` of `near`.
    pub fn neighbourhood(
        &self,
        problem: &Problem,
        target: u32,
        near: &Neighbors,
        at: usize,
    ) -> Neighbourhood {
        let of = |class: usize| {
            let (rows, distances) = near.of(at, class);
            rows.iter().zip(distances).map(Near::new).collect()
        };
        let mut found = Neighbourhood::default();
        self.fill(problem, target, of, &mut found);
        found
    }

    /// Neighbourhood of a target from its distances to all rows, ties shared.
    pub fn fill_with_ties(
        &self,
        problem: &Problem,
        target: u32,
        distances: &[f64],
        found: &mut Neighbourhood,
    ) {
        let own = problem.label(target as usize);
        let is_hit = |row: &u32| problem.label(*row as usize) == own;
        if self.misses == Misses::NearestOther {
            let hits = candidates(distances, |row| is_hit(row) && *row != target);
            found.push(own, self.weights(1.0, &nearest_sharing_ties(hits, self.k)));
            let misses = candidates(distances, |row| !is_hit(row));
            found.push_mixed(problem, self.weights(1.0, &nearest_sharing_ties(misses, self.k)));
            return;
        }
        let of = |class: usize| {
            let member =
                |row: &u32| *row != target && problem.label(*row as usize) as usize == class;
            nearest_sharing_ties(candidates(distances, member), self.k)
        };
        self.fill(problem, target, of, found);
    }

    /// Neighbourhood of a target whose nearest of each class are known.
    pub fn fill(
        &self,
        problem: &Problem,
        target: u32,
        of: impl Fn(usize) -> Vec<Near>,
        found: &mut Neighbourhood,
    ) {
        let own = problem.label(target as usize) as usize;
        let hits = of(own);
        found.push(own as u32, self.weights(1.0, &hits));
        let others = (0..problem.classes.len()).filter(|&class| class != own);
        match self.misses {
            Misses::PerClass => {
                for class in others {
                    let share = problem.share(own as u32, class as u32);
                    found.push(class as u32, self.weights(share, &of(class)));
                }
            }
            Misses::NearestOther => {
                let mut all: Vec<Near> = others.flat_map(of).collect();
                all.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row)));
                all.truncate(self.k);
                found.push_mixed(problem, self.weights(1.0, &all));
            }
        }
    }

    fn weights(&self, share: f64, near: &[Near]) -> Vec<(u32, f64)> {
        match self.share {
            Share::Prior => self.weighting.spread(self.sigma, share, near),
            Share::Sum => {
                let whole = near.iter().map(|n| n.places).sum();
                self.weighting.spread(self.sigma, whole, near)
            }
        }
    }
}

fn candidates(distances: &[f64], counts: impl Fn(&u32) -> bool) -> Vec<(f64, u32)> {
    let rows = distances.iter().copied().zip(0u32..);
    rows.filter(|(_, row)| counts(row)).collect()
}

impl Problem<'_> {
    /// The share of neighbours of `class` in the update of a target of class `own`:
    /// 1 for hits, P(C)/(1 − P(y)) for misses.
    pub fn share(&self, own: u32, class: u32) -> f64 {
        match own == class {
            true => 1.0,
            false => {
                let mut others = 1.0 - self.priors[own as usize];
                // Next to nothing is left: 1 − P(y) would be rounding.
                if others < 1e-6 {
                    let classes = self.priors.iter().zip(0u32..);
                    others = classes.filter(|(_, c)| *c != own).map(|(p, _)| p).sum();
                }
                self.priors[class as usize] / others
            }
        }
    }
}
