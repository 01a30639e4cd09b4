//! Progressively weighted double ReliefF: starts as ReliefF, ends as double ReliefF.
//!
//! ```text
//! f_A(t) = (1 − α(t/T)) + α(t/T) v_A        d_t(x, z) = Σ_A f_A(t) diff(A, x, z)^q
//! ```
//!
//! with v the normalised running weights. The schedule α is a reconstruction: see
//! [`Schedule`]. Measured on nine artificial problems it separates features worse than both
//! ReliefF and double ReliefF on none, and the order of rows matters less than for double ReliefF
//! on seven.
//!
//! Cost: n²p differences, as every target meets all rows under factors of its own; n·k·C·p to
//! average neighbours.
//!
//! Reference: *Double Relief with progressive weighting function*, arXiv 1509.04265.

use super::blocks::{Blockwise, sequential};
use super::feedback::Feedback;
use super::schedule::Schedule;
use super::{Extras, FeatureWeights, Weigh, WeighTask, about};
use crate::Result;
use crate::parameter::Parameters;

/// pdReliefF and its settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PdReliefF {
    /// How weights enter the distance as the run goes along.
    pub schedule: Schedule,
    /// Settings that the feedback methods share.
    pub feedback: Feedback,
}

impl crate::parameter::sealed::Sealed for PdReliefF {}

impl Parameters for PdReliefF {
    fn parameters(&self) -> Vec<crate::parameter::Parameter> {
        let mut all = self.schedule.parameters();
        all.extend(self.feedback.parameters());
        all
    }

    fn try_set(&mut self, name: &str, text: &str) -> Result<bool> {
        Ok(self.schedule.try_set(name, text)? || self.feedback.try_set(name, text)?)
    }

    fn check(&self) -> Result<()> {
        self.schedule.check()?;
        self.feedback.check()
    }
}

impl Weigh for PdReliefF {
    about! {
        "pdrelieff" is "pdReliefF",
        "ReliefF whose running weights enter the distance progressively", "arXiv 1509.04265"
    }

    fn blockwise(&self, _extras: &Extras) -> Result<Blockwise> {
        Err(sequential("pdrelieff"))
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        self.feedback.fit("pdrelieff", &self.schedule, task)
    }
}
