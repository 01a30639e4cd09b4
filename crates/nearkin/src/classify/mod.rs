//! Question 3: which class is this? Classifiers over similarities, one file a classifier.
//!
//! Every classifier is a struct of parameters that implements [`Classify`]; [`classifiers`]
//! lists them and [`classifier`] finds one by id. Fitting gives a value that answers for
//! queries, given their similarities to the training samples; nothing but similarities is
//! ever asked for, but by [`NaiveBayes`], the yardstick on tables. Equation numbers are those of L. Cazzanti, *Similarity discriminant
//! analysis*, 2009, "the chapter".
//!
//! ```
//! use nearkin::classify::{Classify, Sda};
//! use nearkin::data::{Classes, SimilarityMatrix};
//!
//! let s = [4., 3., 1., 0., 3., 4., 0., 1., 1., 0., 4., 2., 0., 1., 2., 4.];
//! let s = SimilarityMatrix::new(4, 4, &s[..])?;
//! let classes = Classes::from_labels(["cat", "cat", "dog", "dog"]);
//! let sda = Sda::default().fit(&s, &classes)?;
//!
//! let queries = SimilarityMatrix::new(1, 4, vec![3., 3., 0., 1.])?;
//! let said = sda.predict(&queries)?;
//! assert_eq!(said.labels().collect::<Vec<_>>(), ["cat"]);
//! assert!(said.probabilities(0).is_some_and(|p| p[0] > 0.5));
//! # Ok::<(), nearkin::Error>(())
//! ```

mod adjusted_centroid;
mod asked;
mod calibration;
mod centroid;
mod common;
mod condensed_nn;
mod curve;
mod described;
mod discriminant;
mod evidence;
mod histogram;
mod knn;
pub mod law;
mod local_centroid;
mod local_sda;
mod medoids;
mod mixture_sda;
mod modes;
mod naive_bayes;
mod nearest_centroid;
mod neighbourhood;
mod newton;
mod nn_sda;
mod predictions;
mod preset;
mod psvm;
mod scored;
mod sda;
mod sknn;
mod statistics;
mod wide;

use crate::data::{Classes, Parts, SimilarityMatrix, Table};
use crate::neighbors::SimilarRow;
use crate::parameter::{About, Parameters, catalogue};
use crate::{Error, Note, Result, Run};

pub use adjusted_centroid::AdjustedCentroid;
pub use asked::{Among, Asked, Choosing, CountedRule, Reach, Sizes, predict_by_neighbours};
pub use calibration::{Calibration, Reliability};
pub use centroid::{Centroid, Scope};
pub use common::{Boundary, Laws, Omega, Prior, Priors};
pub use condensed_nn::CondensedNn;
pub use discriminant::ClassLaw;
pub use evidence::Evidence;
pub use histogram::LawTable;
pub use knn::{Knn, VoteTies};
pub use local_centroid::LocalCentroid;
pub use local_sda::LocalSda;
pub use medoids::{Prototypes, Search};
pub use mixture_sda::{MixtureSda, Start};
pub use naive_bayes::{ColumnLaw, FittedNaiveBayes, NaiveBayes};
pub use nearest_centroid::NearestCentroid;
pub use neighbourhood::{Near, Nearby, Size};
pub use nn_sda::NnSda;
pub use predictions::Predictions;
pub use preset::{Preset, presets};
pub use psvm::Psvm;
pub use scored::Scored;
pub use sda::Sda;
pub use sknn::Sknn;
pub use statistics::Statistic;

/// A classifier with its parameters.
pub trait Classify: Parameters + Send + Sync {
    /// What the classifier is.
    fn about(&self) -> About;

    /// [`Classify::fit_with`], once the parameters have been checked.
    fn fit_checked(
        &self,
        s: &SimilarityMatrix,
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>>;

    /// [`Classify::fit_several`], once the parameters have been checked.
    fn fit_views(
        &self,
        views: &[SimilarityMatrix],
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        match views {
            [one] => self.fit_checked(one, classes, run),
            _ => Err(Error::data(format!(
                "{} takes one similarity matrix, {} were given; sda and nn-sda take several",
                self.about().id,
                views.len()
            ))),
        }
    }

    /// [`Classify::fit_labels`], once the parameters have been checked.
    fn fit_labels_checked(&self, _: &Classes) -> Result<Option<Box<dyn Fitted>>> {
        Ok(None)
    }

    /// Learn from the classes of the training samples alone, where that is all the classifier
    /// needs before it sees a query: a rule of a given number of neighbours. It spares the matrix
    /// of all training samples with each other.
    fn fit_labels(&self, classes: &Classes) -> Result<Option<Box<dyn Fitted>>> {
        self.check()?;
        common::check_classes(classes)?;
        self.fit_labels_checked(classes)
    }

    /// The numbers of neighbours that one is chosen from by leaving each of `samples` out, where
    /// that is all the classifier learns beside classes; none otherwise.
    fn sizes(&self, _samples: usize) -> Result<Option<Sizes>> {
        Ok(None)
    }

    /// What the answers about a training sample of class `truth` cost at each of
    /// [`sizes`](Classify::sizes), from the classes and similarities of the others that are
    /// nearest to it: `[group]`, best first.
    fn left_out(
        &self,
        _: &Classes,
        _truth: u32,
        _near: &[Vec<(u32, f64)>],
        _sizes: &[usize],
    ) -> Result<Vec<f64>> {
        Err(Error::data("this classifier chooses no number of neighbours"))
    }

    /// What else than the training rows samples of a table are to be compared with: further
    /// rows, whose similarities follow those to the training rows. Most classifiers ask for none.
    fn references(&self, _: &Table, _: &Classes) -> Result<Option<Table<'static>>> {
        Ok(None)
    }

    /// The classifier these parts were taken from, under these parameters.
    fn restore(&self, parts: &Parts) -> Result<Box<dyn Fitted>>;

    /// Learn from several measures of similarity at once, a matrix each of the same samples.
    fn fit_several(
        &self,
        views: &[SimilarityMatrix],
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        self.check()?;
        self.fit_views(views, classes, run)
    }

    /// Learn from the similarities of the training samples with each other, as `run` says.
    fn fit_with(
        &self,
        s: &SimilarityMatrix,
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        self.check()?;
        self.fit_checked(s, classes, run)
    }

    /// Learn from the similarities of the training samples with each other, on all cores.
    fn fit(&self, s: &SimilarityMatrix, classes: &Classes) -> Result<Box<dyn Fitted>> {
        self.fit_with(s, classes, &Run::default())
    }
}

/// A classifier that has learned.
pub trait Fitted: std::fmt::Debug + Send + Sync {
    /// The class of each query, from its similarities to the training samples, as `run` says.
    fn predict_with(&self, queries: &SimilarityMatrix, run: &Run) -> Result<Predictions>;

    /// The class of each query, on all cores.
    fn predict(&self, queries: &SimilarityMatrix) -> Result<Predictions> {
        self.predict_with(queries, &Run::default())
    }

    /// The class of each query from several measures of similarity at once, a matrix each, as
    /// [`Classify::fit_several`] had them.
    fn predict_several(&self, queries: &[SimilarityMatrix], run: &Run) -> Result<Predictions> {
        match queries {
            [one] => self.predict_with(one, run),
            _ => Err(Error::data(format!(
                "the classifier was fitted on one similarity matrix and is asked with {}",
                queries.len()
            ))),
        }
    }

    /// What was learned, taken apart, so that it can be saved.
    fn parts(&self) -> Parts;

    /// The neighbours that are all the classifier needs to know of a query, where they are.
    fn asks(&self) -> Option<Asked<'_>> {
        None
    }

    /// The class of each query from the neighbours that [`Fitted::asks`] for, best first:
    /// `[query][group]`.
    fn predict_neighbours(&self, _: &[Vec<Vec<SimilarRow>>]) -> Result<Predictions> {
        Err(Error::data("this classifier asks for more than a query's neighbours"))
    }

    /// How far the neighbourhood of a query reaches, where that is all the classifier needs to know
    /// of it, and the similarities of those in it with each other.
    fn neighbourhood(&self) -> Option<Reach> {
        None
    }

    /// The class of each query from its neighbourhood alone, as far as
    /// [`Fitted::neighbourhood`] says.
    fn predict_among(&self, _: &[Among], _: &Run) -> Result<Predictions> {
        Err(Error::data("this classifier asks for more than a query's neighbours"))
    }

    /// Every statistic with its laws against what was observed in training, where the classifier
    /// has laws before it sees a query.
    fn law_tables(&self) -> Vec<LawTable> {
        Vec::new()
    }

    /// The laws that were fitted, where the classifier has any before it sees a query.
    fn laws(&self) -> Vec<ClassLaw> {
        Vec::new()
    }

    /// What each law says of one query, given a row of its similarities for every measure; of a
    /// local rule, the laws of the query's neighbourhood.
    fn evidence(&self, _query: &[&[f64]]) -> Vec<Evidence> {
        Vec::new()
    }

    /// The training samples that stand for the classes, a list a class, where some do.
    fn prototypes(&self) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// The neighbourhood size in use, where there is one.
    fn k(&self) -> Option<usize> {
        None
    }

    /// The α of the radius in use, where there is one.
    fn alpha(&self) -> Option<f64> {
        None
    }

    /// How many rounds the fit took, where it goes on until nothing moves; of several parts, the
    /// most.
    fn rounds(&self) -> Option<usize> {
        None
    }

    /// Settings that were chosen on the training samples, by the parameter's name, beside the
    /// neighbourhood's size: what is in use in place of what was given.
    fn chosen(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// What a reader should know about the fit.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }
}

catalogue! {
    Classify: classifiers, classifier, "classifier" is "a classifier";
    Sda, LocalSda, NnSda, MixtureSda, NearestCentroid, AdjustedCentroid, LocalCentroid,
    CondensedNn, Knn, Sknn, Psvm,
}
