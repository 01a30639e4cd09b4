//! Question 1: which features matter? The Relief family, one file an algorithm.
//!
//! Every method is a struct of parameters that implements [`Weigh`]; [`methods`] lists them
//! and [`method`] finds one by id.

mod aggregate;
mod association;
pub mod blocks;
mod bootstrap;
mod class_dependent;
mod common;
mod contribution;
mod drelieff;
mod exchange;
mod feedback;
mod holed;
mod i_relief;
mod loci;
mod multisurf;
mod multisurf_star;
mod myopic;
mod neighbourhood;
mod null;
mod packed;
mod partners;
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
mod structure;
mod surf;
mod surf_star;
mod weights;
mod wrap;

use crate::data::{Table, Target};
use crate::parameter::{About, Parameters, about, catalogue};
use crate::{Error, ParameterError, Result, Run, WeighError};

pub use association::{Association, Associations, Direction, FeatureAssociation, Given, Nearness};
pub use bootstrap::Bootstrap;
pub use class_dependent::{ClassDependent, ClassScale};
pub use common::ReliefSettings;
pub use drelieff::DReliefF;
pub use feedback::{Feedback, Normaliser, Order};
pub use i_relief::IRelief;
pub use loci::{Linkage, Locus, loci};
pub use multisurf::MultiSurf;
pub use multisurf_star::MultiSurfStar;
pub use myopic::MyopicReliefF;
pub use neighbourhood::{Misses, Ties, Weighting};
pub use null::{NullWeights, null_weights};
pub use partners::{Partner, PartnerSearch};
pub use pdrelieff::PdReliefF;
pub use permutation::{Call, Permutation, Permuted};
pub use reading::{
    ClassDependence, Disagreement, Selection, by_neighbour, class_dependence, disagreements, select,
};
pub use relief::Relief;
pub use relief_psd::ReliefPsd;
pub use relief_seq::ReliefSeq;
pub use relieff::ReliefF;
pub use relieved::Relieved;
pub use rrelieff::RReliefF;
pub use schedule::{Schedule, Shape, area, half_area_steepness};
pub use stir::{Test, unequal};
pub use structure::{Relatives, components, relatives};
pub use surf::Surf;
pub use surf_star::SurfStar;
pub use weights::{FeatureWeights, RankedFeature};
pub use wrap::{Turf, Vls, WRAPPERS, Wrapped, own_name, wrap};

/// Results to work out beside the weights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extras {
    /// A weight vector for each class.
    pub per_class: bool,
    /// Mean differences for each pair of target class and neighbour class.
    pub pairs: bool,
    /// Rows whose own contributions to the weights are kept.
    pub rows: Vec<usize>,
    /// STIR's t-test of each feature.
    pub stir: bool,
    /// A bootstrap interval of each weight.
    pub bootstrap: Option<Bootstrap>,
}

impl Extras {
    /// Refuse everything beside the weights, for this reason.
    fn only_weights(&self, why: WeighError) -> Result<()> {
        if *self == Self::default() { Ok(()) } else { Err(why.into()) }
    }
}

/// Everything a method is given: checked data, results to work out, and how to run.
#[derive(Clone, Copy)]
pub struct WeighTask<'a> {
    table: &'a Table<'a>,
    target: &'a Target,
    given: &'a Given<'a>,
    extras: &'a Extras,
    run: &'a Run<'a>,
}

/// A feature-weighting method with its parameters.
pub trait Weigh: Parameters + Send + Sync {
    /// The method's names and where it was published.
    fn about(&self) -> About;

    /// How the method works on a table in blocks.
    ///
    /// # Errors
    ///
    /// When the method, or one of the extras, has no form that works on blocks.
    fn blockwise(&self, _extras: &Extras) -> Result<blocks::Blockwise> {
        let reason = ParameterError::NoBlocks { method: self.about().id };
        Err(Error::parameter("method", reason))
    }

    /// True when the method adjusts for covariates.
    fn takes_covariates(&self) -> bool {
        false
    }

    /// True when the method exchanges labels within strata.
    fn takes_strata(&self) -> bool {
        false
    }

    /// [`Weigh::fit_given`], once parameters and extras have been checked.
    #[doc(hidden)]
    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights>;

    /// Weigh the features, with extras, as `run` says.
    ///
    /// # Errors
    ///
    /// When a parameter is outside its range or does not fit the table, when table and target do
    /// not fit each other or the method, when an extra is not defined for the method, and when
    /// the caller stops the run.
    fn fit_with(
        &self,
        table: &Table,
        target: &Target,
        extras: &Extras,
        run: &Run,
    ) -> Result<FeatureWeights> {
        self.fit_given(table, target, &Given::default(), extras, run)
    }

    /// [`Weigh::fit_with`], adjusted for what is given.
    ///
    /// # Errors
    ///
    /// Those of [`Weigh::fit_with`]; covariates, strata or further targets that the method does
    /// not take, or that do not fit the table.
    fn fit_given(
        &self,
        table: &Table,
        target: &Target,
        given: &Given,
        extras: &Extras,
        run: &Run,
    ) -> Result<FeatureWeights> {
        self.check()?;
        given.check(table.rows())?;
        let method = self.about().id;
        if given.covariates.is_some() && !self.takes_covariates() {
            return Err(WeighError::NoCovariates { method }.into());
        }
        if given.strata.is_some() && !self.takes_strata() {
            return Err(WeighError::NoStrata { method }.into());
        }
        if !given.targets.is_empty() && !self.takes_strata() {
            return Err(WeighError::OneTarget { method }.into());
        }
        if let Some(&row) = extras.rows.iter().find(|&&row| row >= table.rows()) {
            let reason = ParameterError::NoSuchRow { row, rows: table.rows() };
            return Err(Error::parameter("explain", reason));
        }
        if let Some(Bootstrap { replicates, level, .. }) = extras.bootstrap
            && (replicates == 0 || !(level > 0.0 && level < 1.0))
        {
            return Err(Error::parameter(
                "interval",
                ParameterError::BadInterval { replicates, level },
            ));
        }
        let task = WeighTask { table, target, given, extras, run };
        let mut found = self.fit_checked(task)?.checked()?;
        if found.tests.is_empty() {
            found.tests = found.associations.iter().map(Test::from).collect();
        }
        if extras.stir {
            found.notes.extend(unequal(target));
        }
        Ok(found)
    }

    /// Weigh the features on all cores.
    ///
    /// # Errors
    ///
    /// Those of [`Weigh::fit_with`].
    fn fit(&self, table: &Table, target: &Target) -> Result<FeatureWeights> {
        self.fit_with(table, target, &Extras::default(), &Run::default())
    }
}

catalogue! {
    Weigh: methods, method, "method" is "a weighting method";
    ReliefF, Relief, Relieved, MyopicReliefF, RReliefF, ReliefPsd, ClassDependent, DReliefF,
    PdReliefF, Surf, SurfStar, MultiSurf, MultiSurfStar, IRelief, ReliefSeq, Association,
}
