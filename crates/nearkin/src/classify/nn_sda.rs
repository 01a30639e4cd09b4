//! nnSDA: a law for the similarity to the nearest neighbour in every class.
//!
//! ```text
//! T_h(x) = max_{z ∈ X_h} s(x, z)                                                 (15), (16)
//! ```
//!
//! in place of SDA's similarity to the centroid. A training sample is not its own neighbour;
//! the only sample of a class has none there, and that law gets the mean of all classes.
//!
//! Cost: n² to fit, n a query.
//!
//! When to use: classes of several clumps, where no one sample is typical. Where data are so
//! dense that every query has a near neighbour in every class, the laws become equal and the
//! priors decide.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 2.2.2.

use super::centroid::{Centroid, Scope};
use super::common::{Laws, Priors};
use super::described::Recipe;
use super::statistics::Statistic;
use super::{Classify, FitResult, about};
use crate::data::{Classes, Parts, SimilarityMatrix};
use crate::{Run, parameters};

parameters! {
    /// nnSDA and its settings.
    pub struct NnSda {
    } with laws: Laws, priors: Priors
}

impl NnSda {
    /// The settings of the chapter's benchmarks.
    pub fn sda_2009() -> Self {
        Self { laws: Laws::sda_2009(), priors: Priors::sda_2009() }
    }

    fn recipe(&self) -> Recipe<'_> {
        Recipe {
            method: "nn-sda",
            statistics: &[Statistic::Nearest],
            centroid: (Centroid::MaxSum, Scope::WithinClass),
            laws: &self.laws,
            priors: &self.priors,
        }
    }
}

impl Classify for NnSda {
    about! {
        "nn-sda" is "nnSDA", "laws of the similarities to the nearest neighbour in each class",
        "Cazzanti 2009"
    }

    fn fit_checked(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        self.recipe().fit(views, classes, run)
    }

    fn restore(&self, parts: &Parts) -> FitResult {
        self.recipe().restore(parts)
    }
}
