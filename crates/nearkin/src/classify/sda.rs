//! SDA, similarity discriminant analysis: a law for the similarity to every class's centroid.
//!
//! ```text
//! ŷ = argmin_f Σ_g C(f, g) · P(g) · Π_h γ_gh · exp(λ_gh · s(x, μ_h))              (12)
//! ```
//!
//! with the centroids μ_h of the classes, and for each class g the laws of s(z, μ_h) over its
//! samples z, fitted by their means (9). Any set of statistics may take the place of the
//! similarity to the centroid, or stand beside it (20): the nearest neighbour's similarity, the
//! mean similarity to a class, the squared deviation from the similarity usual in a class; and
//! several measures of similarity may be given at once, each with statistics of its own.
//!
//! Cost: n²/G for the centroids, G² laws; G² products a query.
//!
//! When to use: classes that gather around one typical sample each; probabilities, costs and
//! priors matter; few similarities can be had for a query (only G are asked for). Decisions
//! do not change when similarities are shifted or scaled.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, sections 2 and 2.2.

use super::centroid::{Centroid, Scope};
use super::common::{Laws, Priors};
use super::described::Recipe;
use super::statistics::Statistic;
use super::{Classify, FitResult, about};
use crate::data::{Classes, Parts, SimilarityMatrix};
use crate::{Run, parameters};

parameters! {
    /// SDA and its settings.
    pub struct Sda {
        /// One or more statistics of a sample, separated by commas.
        statistics: Vec<Statistic> = vec![Statistic::Centroid];
        /// Which sample stands for its class.
        centroid: Centroid = Centroid::MaxSum;
        /// Where nearest neighbours are counted, to find the most popular sample.
        scope: Scope = Scope::WithinClass;
    } with laws: Laws, priors: Priors
}

impl Sda {
    /// The settings of the chapter's benchmarks.
    pub fn sda_2009() -> Self {
        Self { laws: Laws::sda_2009(), priors: Priors::sda_2009(), ..Self::default() }
    }

    fn recipe(&self) -> Recipe<'_> {
        Recipe {
            method: "sda",
            statistics: &self.statistics,
            centroid: (self.centroid, self.scope),
            laws: &self.laws,
            priors: &self.priors,
        }
    }
}

impl Classify for Sda {
    about! {
        "sda" is "SDA", "laws of the similarities to the classes' centroids", "Cazzanti 2009"
    }

    fn fit_checked(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        self.recipe().fit(views, classes, run)
    }

    fn restore(&self, parts: &Parts) -> FitResult {
        self.recipe().restore(parts)
    }
}
