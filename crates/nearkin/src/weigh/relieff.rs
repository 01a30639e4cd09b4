//! ReliefF: k nearest hits, and k nearest misses of every other class.
//!
//! ```text
//! W_A = 1/m Σ_x { − 1/k Σ_{j≤k} diff(A, x, H_j)
//!                 + Σ_{C ≠ y} P(C)/(1 − P(y)) · 1/k Σ_{j≤k} diff(A, x, M_j(C)) }
//! ```
//!
//! over m targets x of class y, with the nearest hits H_j and, for every other class C, the
//! nearest misses M_j(C). Where a class has fewer than k rows the mean is over those found.
//! Weights lie in [−1, 1] under range scaling; a constant feature gets 0.
//!
//! Cost: n²p/2 differences to find neighbours, n·k·C·p to average them.
//!
//! Reference: I. Kononenko, *Estimating attributes*, ECML 1994; M. Robnik-Šikonja and
//! I. Kononenko, *Theoretical and empirical analysis of ReliefF and RReliefF*, Machine
//! Learning 53 (2003), figure 2.

use super::common::{Common, Problem, targets};
use super::{About, FeatureWeights, Wanted, Weigh};
use crate::data::{Table, Target};
use crate::measure::Metric;
use crate::neighbors::{Neighbors, nearest, nearest_between};
use crate::{Result, Run, parameters};

parameters! {
    /// ReliefF and its settings.
    pub struct ReliefF {
        /// Nearest hits, and nearest misses of each other class, that are averaged.
        k ("n_neighbors"): usize = 10, min 1;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Manhattan;
    } with common: Common
}

impl Weigh for ReliefF {
    fn about(&self) -> About {
        About {
            id: "relieff",
            title: "ReliefF",
            summary: "k nearest hits and k nearest misses of every class, weighted by class probability",
            reference: "Kononenko 1994; Robnik-Šikonja & Kononenko 2003",
        }
    }

    fn fit_with(
        &self,
        table: &Table,
        target: &Target,
        wanted: &Wanted,
        run: &Run,
    ) -> Result<FeatureWeights> {
        let problem = Problem::new(table, target, self.metric, &self.common, "relieff")?;
        let targets = targets(table.rows(), &self.common)?;
        let near = self.neighbours(&problem, &targets, run)?;
        let sums = problem.aggregate(&targets, wanted, run, |at, found| {
            let own = problem.label(targets[at] as usize);
            for class in 0..problem.classes.len() {
                let (rows, _) = near.of(at, class);
                let share = problem.share(own, class as u32) / rows.len() as f64;
                found.push(class as u32, rows.iter().map(|&row| (row, share)));
            }
        })?;
        let mut weights = FeatureWeights::mean_of(&problem, &sums, wanted);
        weights.notes = problem.notes(table, self.k);
        Ok(weights)
    }
}

impl ReliefF {
    fn neighbours(&self, problem: &Problem, targets: &[u32], run: &Run) -> Result<Neighbors> {
        let rows = problem.labelled();
        match self.common.sample {
            None => nearest(rows, &problem.measure, self.k, run),
            Some(_) => nearest_between((rows, targets), rows, true, &problem.measure, self.k, run),
        }
    }
}

impl Problem<'_> {
    /// The share of neighbours of `class` in the update of a target of class `own`:
    /// 1 for hits, P(C)/(1 − P(y)) for misses.
    pub fn share(&self, own: u32, class: u32) -> f64 {
        match own == class {
            true => 1.0,
            false => self.priors[class as usize] / (1.0 - self.priors[own as usize]),
        }
    }
}
