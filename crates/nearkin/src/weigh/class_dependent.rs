//! Class-dependent Relief: a weight vector for every class.
//!
//! ```text
//! w_c = Σ_{x ∈ X_c} { − Σ_{z ∈ KNN(x, c)} |x − z| + Σ_{c' ≠ c} Σ_{z ∈ KNN(x, c')} |x − z| }
//! w   = Σ_c w_c
//! ```
//!
//! A feature may tell one class from the others and not the other way round: w hides that, the
//! w_c show it. As printed there is no division by K or n and there are no priors, so |w_c|
//! grows with the size of its class; `class_scale` offers means:
//!
//! | `class_scale` | w_c | w |
//! |---|---|---|
//! | `relieff` | mean over X_c of ReliefF's update | Σ P(c) w_c, exactly ReliefF (P: shares of the targets) |
//! | `mean-per-class` | divided by K·∣X_c∣ | Σ w_c |
//! | `sum` | as printed | Σ w_c |
//!
//! With C classes a target has K hits and K misses of each other class. Under `sum` and
//! `mean-per-class` misses then weigh C − 1 times as much as hits: with many classes a feature
//! gains weight by differing at all, whatever it says about the class. `relieff` weighs the other
//! classes by their shares, so that misses together weigh as much as hits; it is the default.
//!
//! Cost: that of ReliefF, n²p/2 differences to find neighbours and n·K·C·p to sum them.
//!
//! Reference: E. Marchiori, *Class dependent feature weighting and k-nearest neighbor
//! classification*, PRIB 2013.

use super::blocks::{Blockwise, Finish, Kind};
use super::common::ReliefSettings;
use super::recipe::{Recipe, Share};
use super::{Extras, FeatureWeights, Weigh, WeighTask, about};
use crate::measure::Metric;
use crate::{Error, ParameterError, Result, choice, parameters};

choice! {
    /// How class weights are scaled.
    pub enum ClassScale {
        /// ReliefF's update, averaged over the class.
        ReliefF = "relieff",
        /// Sums divided by neighbours and rows of the class.
        MeanPerClass = "mean-per-class",
        /// Plain sums, as published.
        Sum = "sum",
    }
}

parameters! {
    /// Class-dependent Relief and its settings.
    pub struct ClassDependent {
        /// Neighbours taken from each class.
        k ("n_neighbors"): usize = 10, min 1;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Euclidean;
        /// How class weights are scaled.
        class_scale: ClassScale = ClassScale::ReliefF;
    } with common: ReliefSettings
}

impl Weigh for ClassDependent {
    about! {
        "class-dependent" is "Class-dependent Relief",
        "a weight vector for every class, beside their sum", "Marchiori 2013"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let task = WeighTask { extras: &self.extras(task.extras)?, ..task };
        let common = (self.metric, &self.common);
        self.recipe().fit(task, "class-dependent", common, self.finish())
    }

    fn blockwise(&self, extras: &Extras) -> Result<Blockwise> {
        let kind = Kind::Near(self.recipe(), self.finish());
        Ok(Blockwise::new(self.metric, &self.common, kind, &self.extras(extras)?))
    }
}

impl ClassDependent {
    /// The extras with weights per class; those that the scale of class weights does not define
    /// are refused.
    fn extras(&self, extras: &Extras) -> Result<Extras> {
        if extras.stir && self.class_scale != ClassScale::ReliefF {
            return Err(Error::parameter("p-values", ParameterError::StirOfSums));
        }
        if extras.bootstrap.is_some() && self.class_scale == ClassScale::MeanPerClass {
            return Err(Error::parameter("interval", ParameterError::IntervalOfClassMeans));
        }
        if self.class_scale != ClassScale::ReliefF {
            self.common.refuse_priors(ParameterError::PriorsOfSums)?;
        }
        Ok(Extras { per_class: true, ..extras.clone() })
    }

    fn recipe(&self) -> Recipe {
        let share = match self.class_scale {
            ClassScale::ReliefF => Share::Prior,
            ClassScale::Sum | ClassScale::MeanPerClass => Share::Sum,
        };
        Recipe { share, ..Recipe::new(self.k) }
    }

    fn finish(&self) -> Finish {
        match self.class_scale {
            ClassScale::ReliefF => Finish::Mean,
            ClassScale::Sum => Finish::Sum,
            ClassScale::MeanPerClass => Finish::MeanPerClass(self.k),
        }
    }
}
