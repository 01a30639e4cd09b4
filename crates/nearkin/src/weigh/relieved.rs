//! Relieved: Relief made deterministic, every row a target, ties averaged.
//!
//! ```text
//! W_A = 1/n Σ_x { − mean_{z ∈ H(x)} diff(A, x, z) + mean_{z ∈ M(x)} diff(A, x, z) }
//! ```
//!
//! over all n rows x, with H(x) *all* rows of its class at the least distance and M(x) all others
//! at theirs. Where several rows are equally near, their contributions are averaged instead of one being
//! picked, so the weights are what Relief would give in infinite time, and do not depend on
//! the order of rows. A missing cell differs by 1 from a known one and by 0 from another
//! missing one, unless another policy is asked for.
//!
//! Cost: that of ReliefF with k = 1, and a difference a feature for every row that ties.
//!
//! Reference: R. Kohavi and G. H. John, *Wrappers for feature subset selection*, Artificial
//! Intelligence 97 (1997), section 2.4.2.

use super::blocks::Finish;
use super::common::ReliefSettings;
use super::neighbourhood::{Misses, Ties};
use super::recipe::Recipe;
use super::{FeatureWeights, Weigh, WeighTask, about};
use crate::measure::{Metric, Missing};
use crate::{Result, parameters};

parameters! {
    /// Relieved and its settings.
    pub struct Relieved {
        /// Nearest hits and misses that are averaged.
        k ("n_neighbors"): usize = 1, min 1;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Manhattan;
        /// Where misses come from when there are more than two classes.
        misses: Misses = Misses::NearestOther;
    } with common: ReliefSettings = ReliefSettings { missing: Missing::Relieved, ..ReliefSettings::default() }
}

impl Weigh for Relieved {
    about! {
        "relieved" is "Relieved",
        "Relief over all rows, contributions of equally near rows averaged",
        "Kohavi & John 1997"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        self.misses.refuse_priors(&self.common)?;
        let recipe = Recipe { misses: self.misses, ties: Ties::Average, ..Recipe::new(self.k) };
        recipe.fit(task, "relieved", (self.metric, &self.common), Finish::Mean)
    }
}
