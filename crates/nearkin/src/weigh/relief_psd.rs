//! RELIEF-PSD: Relief whose weights may serve as a metric, none below 0.
//!
//! Two forms. *Each step*, as the RELIEF/sRBS paper prints it: after every target the weights
//! are clipped, A_l ← max(A_l + update_l/m, 0). *Closed*: the weights that maximise w·z over
//! ‖w‖ = 1, w ≥ 0, where z is the sum of all updates,
//!
//! ```text
//! w = (z)₊ / ‖(z)₊‖₂
//! ```
//!
//! The first starts at 0, so a target with no positive update is no failure; only weights that
//! are all 0 in the end are.
//!
//! Cost: that of Relief.
//!
//! Lower bound: `aggregate` with a vector for each of m targets, then m·p divisions, additions and
//! maxima, by one thread and in order.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012; Y. Sun and D. Wu, *A RELIEF based feature extraction algorithm*, SDM 2008.

use super::common::{Problem, ReliefSettings, targets};
use super::i_relief::positive_part;
use super::neighbourhood::Misses;
use super::recipe::Recipe;
use super::{FeatureWeights, Weigh, WeighTask, about};
use crate::measure::{Clip, Metric};
use crate::{Error, ParameterError, Result, WeighError, parameters};

parameters! {
    /// RELIEF-PSD and its settings.
    pub struct ReliefPsd {
        /// Nearest hits and misses that are averaged.
        k ("n_neighbors"): usize = 1, min 1;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Manhattan;
        /// Where misses come from when there are more than two classes.
        misses: Misses = Misses::NearestOther;
        /// When negative weights are set to 0: after each step, or once at the end.
        clip: Clip = Clip::EachStep;
    } with common: ReliefSettings
}

impl Weigh for ReliefPsd {
    about! {
        "relief-psd" is "RELIEF-PSD",
        "Relief with weights kept at 0 or above, fit for use as a metric",
        "Qamar & Gaussier 2012; Sun & Wu 2008"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, extras, run, .. } = task;
        if extras.bootstrap.is_some() {
            return Err(Error::parameter("interval", ParameterError::IntervalOfClipped));
        }
        self.misses.refuse_priors(&self.common)?;
        let problem = Problem::new(task, self.metric, &self.common, "relief-psd")?;
        let targets = targets(table.rows(), &self.common)?;
        let recipe = Recipe { misses: self.misses, ..Recipe::new(self.k) };
        let count = targets.len() as f64;
        let mut stepped = vec![0.0; problem.features()];
        let mut step = |_: usize, contributions: &[(u32, Vec<f64>)]| {
            for (_, update) in contributions {
                stepped.iter_mut().zip(update).for_each(|(a, u)| *a = (*a + u / count).max(0.0));
            }
        };
        let sums = recipe.sums_into(&problem, &targets, extras, run, Some(&mut step))?;
        let clipped = match self.clip {
            Clip::EachStep => stepped,
            Clip::Closed => positive_part(&sums.total()).unwrap_or_default(),
        };
        if clipped.iter().all(|w| *w == 0.0) {
            return Err(WeighError::NoMetric.into());
        }
        let mut weights = FeatureWeights::mean_of(&problem, &sums, extras);
        weights.weights = problem.table_order(&clipped);
        Ok(weights.noting(problem.notes(table, self.k)))
    }
}
