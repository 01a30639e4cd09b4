//! Double ReliefF: the weights found so far enter the distance, in full from the first target.
//!
//! ```text
//! d_t(x, z) = Σ_A v_A(t) diff(A, x, z)^q
//! ```
//!
//! with v the normalised weights after t targets, 1 before the first.
//!
//! A historical option: early weights rest on few targets and bias what follows, so the result
//! depends on the order of rows. [`PdReliefF`](super::PdReliefF) is the better default.
//!
//! Cost: n²p differences, as every target meets all rows under weights of its own; n·k·C·p to
//! average neighbours.
//!
//! Reference: *Double Relief with progressive weighting function*, arXiv 1509.04265.

use super::blocks::{Blockwise, sequential};
use super::feedback::Feedback;
use super::schedule::{Schedule, Shape};
use super::{Extras, FeatureWeights, Weigh, WeighTask, about};
use crate::{Result, parameters};

parameters! {
    /// dReliefF and its settings.
    pub struct DReliefF {
    } with feedback: Feedback
}

impl Weigh for DReliefF {
    about! {
        "drelieff" is "dReliefF",
        "ReliefF whose running weights enter the distance (double ReliefF)", "arXiv 1509.04265"
    }

    fn blockwise(&self, _extras: &Extras) -> Result<Blockwise> {
        Err(sequential("drelieff"))
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let schedule = Schedule { schedule: Shape::Constant, alpha: 1.0, ..Schedule::default() };
        self.feedback.fit("drelieff", &schedule, task)
    }
}
