//! Question 1: which features matter? The Relief family, one file an algorithm.
//!
//! Every method is a struct of parameters that implements [`Weigh`]; [`methods`] lists them
//! and [`method`] finds one by id.

mod aggregate;
pub mod blocks;
mod bootstrap;
mod class_dependent;
mod common;
mod contribution;
mod drelieff;
mod feedback;
mod holed;
mod i_relief;
mod multisurf;
mod multisurf_star;
mod myopic;
mod neighbourhood;
mod packed;
mod pdrelieff;
mod permutation;
mod radius;
mod reading;
mod recipe;
mod relief;
mod relief_psd;
mod relief_seq;
mod relieff;
mod relieved;
mod rrelieff;
mod schedule;
mod stir;
mod surf;
mod surf_star;
mod weights;
mod wrap;

use crate::data::{Table, Target};
use crate::parameter::{About, Parameters, catalogue};
use crate::{Error, Result, Run};

pub use bootstrap::Bootstrap;
pub use class_dependent::{ClassDependent, ClassScale};
pub use common::Common;
pub use drelieff::DReliefF;
pub use feedback::{Feedback, Normaliser, Order};
pub use i_relief::IRelief;
pub use multisurf::MultiSurf;
pub use multisurf_star::MultiSurfStar;
pub use myopic::MyopicReliefF;
pub use neighbourhood::{Misses, Ties, Weighting};
pub use pdrelieff::PdReliefF;
pub use permutation::permutation_tests;
pub use reading::{
    ClassDependence, Disagreement, Selection, by_neighbour, class_dependence, disagreements, select,
};
pub use relief::Relief;
pub use relief_psd::{Clip, ReliefPsd};
pub use relief_seq::ReliefSeq;
pub use relieff::ReliefF;
pub use relieved::Relieved;
pub use rrelieff::RReliefF;
pub use schedule::{Schedule, Shape, area, half_area_steepness};
pub use stir::Test;
pub use surf::Surf;
pub use surf_star::SurfStar;
pub use weights::{FeatureWeights, Ranked};
pub use wrap::{Turf, Vls, WRAPPERS, Wrapped, own_name, wrap};

/// What to work out beside the weights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wanted {
    /// A weight vector for each class.
    pub per_class: bool,
    /// Mean differences for each pair of target class and neighbour class.
    pub pairs: bool,
    /// Rows whose own contributions are wanted.
    pub rows: Vec<usize>,
    /// STIR's t-test of each feature.
    pub stir: bool,
    /// A bootstrap interval of each weight.
    pub bootstrap: Option<Bootstrap>,
}

/// A feature-weighting method with its parameters.
pub trait Weigh: Parameters + Send + Sync {
    /// What the method is.
    fn about(&self) -> About;

    /// How the method works on a table in blocks, or why it cannot.
    fn blockwise(&self, _wanted: &Wanted) -> Result<blocks::Blockwise> {
        Err(Error::parameter(
            "method",
            format!("{} has no form that works on blocks of rows", self.about().id),
        ))
    }

    /// [`Weigh::fit_with`], once parameters and wishes have been checked.
    fn fit_checked(
        &self,
        table: &Table,
        target: &Target,
        wanted: &Wanted,
        run: &Run,
    ) -> Result<FeatureWeights>;

    /// Weigh the features, with what else is wanted, as `run` says.
    fn fit_with(
        &self,
        table: &Table,
        target: &Target,
        wanted: &Wanted,
        run: &Run,
    ) -> Result<FeatureWeights> {
        self.check()?;
        if let Some(row) = wanted.rows.iter().find(|&&row| row >= table.rows()) {
            return Err(Error::parameter(
                "explain",
                format!(
                    "row {row} does not exist; rows are 0 to {}",
                    table.rows().saturating_sub(1)
                ),
            ));
        }
        if let Some(Bootstrap { replicates, level, .. }) = wanted.bootstrap
            && (replicates == 0 || !(level > 0.0 && level < 1.0))
        {
            return Err(Error::parameter(
                "interval",
                format!(
                    "needs replicates and a level between 0 and 1, got {replicates} and {level}"
                ),
            ));
        }
        self.fit_checked(table, target, wanted, run)?.checked()
    }

    /// Weigh the features on all cores.
    fn fit(&self, table: &Table, target: &Target) -> Result<FeatureWeights> {
        self.fit_with(table, target, &Wanted::default(), &Run::default())
    }
}

catalogue! {
    Weigh: methods, method, "method" is "a weighting method";
    ReliefF, Relief, Relieved, MyopicReliefF, RReliefF, ReliefPsd, ClassDependent, DReliefF,
    PdReliefF, Surf, SurfStar, MultiSurf, MultiSurfStar, IRelief, ReliefSeq,
}
