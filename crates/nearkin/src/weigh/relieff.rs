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
//! Kononenko's Relief-A to F are settings of this method: A is k > 1; B, C and D are the
//! policies `b`, `c`, `d` for missing values; E is `misses = nearest-other`; F is
//! `misses = per-class`. With `ties = average` it is Relieved-F.
//!
//! Cost: n²p/2 differences to find neighbours, n·k·C·p to average them.
//!
//! Reference: I. Kononenko, *Estimating attributes*, ECML 1994; M. Robnik-Šikonja and
//! I. Kononenko, *Theoretical and empirical analysis of ReliefF and RReliefF*, Machine
//! Learning 53 (2003), figure 2.

use super::blocks::{Blockwise, Finish, Kind};
use super::common::ReliefSettings;
use super::neighbourhood::{Misses, Ties, Weighting};
use super::recipe::Recipe;
use super::{Extras, FeatureWeights, Weigh, WeighTask, about};
use crate::measure::Metric;
use crate::{Result, parameters};

parameters! {
    /// ReliefF and its settings.
    pub struct ReliefF {
        /// Nearest hits, and nearest misses of each other class, that are averaged.
        k ("n_neighbors"): usize = 10, min 1;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Manhattan;
        /// Where misses come from when there are more than two classes.
        misses: Misses = Misses::PerClass;
        /// Rows to take when several are equally near and not all can be taken.
        ties: Ties = Ties::Index;
        /// How much each neighbour counts.
        weighting: Weighting = Weighting::Equal;
        /// Width of the rank and kernel weightings.
        sigma: f64 = 20.0, in 1e-9..=1e9;
    } with common: ReliefSettings
}

impl Weigh for ReliefF {
    about! {
        "relieff" is "ReliefF",
        "k nearest hits and k nearest misses of every class, weighted by class probability",
        "Kononenko 1994; Robnik-Šikonja & Kononenko 2003"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        self.recipe()?.fit(task, "relieff", (self.metric, &self.common), Finish::Mean)
    }

    fn blockwise(&self, extras: &Extras) -> Result<Blockwise> {
        let kind = Kind::Near(self.recipe()?, Finish::Mean);
        Ok(Blockwise::new(self.metric, &self.common, kind, extras))
    }
}

impl ReliefF {
    fn recipe(&self) -> Result<Recipe> {
        self.misses.refuse_priors(&self.common)?;
        Ok(Recipe {
            misses: self.misses,
            ties: self.ties,
            weighting: self.weighting,
            sigma: self.sigma,
            ..Recipe::new(self.k)
        })
    }
}
