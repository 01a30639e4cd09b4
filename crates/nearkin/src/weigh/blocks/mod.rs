//! Weighing a table that comes in blocks of rows, perhaps on many machines.
//!
//! No machine needs to hold all rows. Summaries of the blocks ([`TableSummary`]) merge into what every
//! column is; a [`Frame`] made of that measures rows of any two blocks as the whole table would.
//! The nearest rows of a few targets are found base block by base block and merged, and the
//! contributions of targets are summed as in [`Weigh::fit_with`](super::Weigh::fit_with): in blocks of
//! [`BLOCK`] targets, added in order. So the answer has the same bits, however rows were cut.
//!
//! ```text
//! TableSummary::of each block, merged ─▶ Frame ─▶ nearest: targets × base blocks, merged
//!                                        └─▶ parts: sums of BLOCK targets ─▶ add in order ─▶ finish
//! ```
//!
//! Where all rows fit on one machine, [`Frame::parts_of_whole`] takes both steps for some of the
//! targets.

mod flat;
mod frame;
mod statistics;
mod within;

use rayon::prelude::*;

use super::aggregate::Sums;
use super::common::{Problem, ReliefSettings};
use super::radius::Radius;
use super::recipe::Recipe;
use super::rrelieff::RReliefF;
use super::{Extras, FeatureWeights};
use crate::measure::Metric;
use crate::{Error, ParameterError, Result, Run};

pub use super::aggregate::BLOCK;
pub use crate::data::{ColumnSummary, TableSummary};
pub use crate::error::NeedsWhole;
pub use flat::Part;
pub use frame::{Frame, Seen};
pub use statistics::FrameNeeds;
pub use within::Facing;

/// How a method works on blocks: its settings, made ready.
#[derive(Debug, Clone)]
pub struct Blockwise {
    pub(super) metric: Metric,
    pub(super) common: ReliefSettings,
    pub(super) kind: Kind,
    pub(super) extras: Extras,
}

impl Blockwise {
    pub(super) fn new(
        metric: Metric,
        common: &ReliefSettings,
        kind: Kind,
        extras: &Extras,
    ) -> Self {
        Self { metric, common: common.clone(), kind, extras: extras.clone() }
    }
}

/// The neighbours whose contributions are summed.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// Those of the k nearest hits and misses.
    Near(Recipe, Finish),
    /// Those of all rows within a radius.
    Radius(Radius),
    /// Those of the k nearest, with a real target.
    Real(Box<RReliefF>),
}

/// How sums over targets become weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// Their mean.
    Mean,
    /// They stay as they are.
    Sum,
    /// Those of a class are divided by k and its targets.
    MeanPerClass(usize),
}

impl Finish {
    pub fn weights(self, problem: &Problem, mut sums: Sums, extras: &Extras) -> FeatureWeights {
        if let Self::MeanPerClass(k) = self {
            for class in 0..problem.classes.len() {
                sums.divide(class, k as f64 * sums.targets[class].max(1) as f64);
            }
        }
        match self {
            Self::Mean => FeatureWeights::mean_of(problem, &sums, extras),
            Self::Sum | Self::MeanPerClass(_) => FeatureWeights::sum_of(problem, &sums, extras),
        }
    }
}

/// The error of a method whose targets depend on each other.
pub(super) fn sequential(method: &'static str) -> Error {
    Error::parameter("method", ParameterError::Sequential { method })
}

/// Do `work` for each block of targets, side by side; answers in order.
pub(super) fn in_blocks<T: Send>(
    targets: &[u32],
    run: &Run,
    work: impl Fn(&[u32]) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    run.install(|| targets.par_chunks(BLOCK).map(&work).collect())?
}
