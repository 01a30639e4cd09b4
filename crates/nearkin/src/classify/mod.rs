//! Question 3: which class is this? Classifiers over similarities, one file a classifier.
//!
//! Every classifier is a struct of parameters that implements [`Classify`]; [`classifiers`]
//! lists them and [`classifier`] finds one by id. Fitting gives a value that answers for
//! queries, given their similarities to the training samples; nothing but similarities is
//! ever asked for, but by [`NaiveBayes`], the yardstick on tables. Equation numbers are those of
//! L. Cazzanti, *Similarity discriminant analysis*, 2009, "the chapter".
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
mod insight;
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
use crate::parameter::{About, Parameters, about, catalogue};
use crate::{Note, Result, Run};

pub use adjusted_centroid::AdjustedCentroid;
pub use asked::{Asks, CountedRule, LearnsFrom, Neighbourhood, Queries, SizeChoice};
pub use calibration::{Calibration, Reliability};
pub use centroid::{Centroid, Scope};
pub use common::{Boundary, Laws, Omega, Prior, Priors};
pub use condensed_nn::CondensedNn;
pub use discriminant::ClassLaw;
pub use evidence::Evidence;
pub use histogram::LawTable;
pub use insight::Insight;
pub use knn::{Knn, VoteTies};
pub use local_centroid::LocalCentroid;
pub use local_sda::LocalSda;
pub use medoids::{Medoids, Search};
pub use mixture_sda::{MixtureSda, Start};
pub use naive_bayes::{ColumnLaw, FittedNaiveBayes, NaiveBayes};
pub use nearest_centroid::NearestCentroid;
pub use neighbourhood::{Near, Nearby, Size};
pub use nn_sda::NnSda;
pub use predictions::Predictions;
pub(crate) use predictions::each_row;
pub use preset::{Preset, presets};
pub use psvm::Psvm;
pub use scored::Scored;
pub use sda::Sda;
pub use sknn::Sknn;
pub use statistics::Statistic;

/// A classifier that has learned, or why it could not.
pub type FitResult = Result<Box<dyn Fitted>>;

/// A classifier with its parameters.
pub trait Classify: Parameters + Send + Sync {
    /// The classifier's id, title, summary and reference.
    fn about(&self) -> About;

    /// [`Classify::fit_several`], once the parameters have been checked.
    ///
    /// # Errors
    /// See there.
    fn fit_checked(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult;

    /// [`Classify::learns`], once parameters and classes have been checked.
    ///
    /// # Errors
    /// See there.
    fn learns_checked(&self, _: &Classes) -> Result<LearnsFrom> {
        Ok(LearnsFrom::Matrix)
    }

    /// Rows, in addition to the training rows, that samples of a table are compared with.
    /// Similarities to them follow those to the training rows. Most classifiers need none.
    ///
    /// # Errors
    /// When the rows cannot be made from the table.
    fn references(&self, _: &Table, _: &Classes) -> Result<Option<Table<'static>>> {
        Ok(None)
    }

    /// The classifier these parts were taken from, under these parameters.
    ///
    /// # Errors
    /// When a part is missing, or does not fit the others or the parameters.
    fn restore(&self, parts: &Parts) -> FitResult;

    /// The data the classifier learns from, in addition to the classes of the training samples. A
    /// rule that does not need the matrix of all samples says so here.
    ///
    /// # Errors
    /// When a parameter is out of range, or all samples are of one class.
    fn learns(&self, classes: &Classes) -> Result<LearnsFrom> {
        self.check()?;
        common::check_classes(classes)?;
        self.learns_checked(classes)
    }

    /// The classifier learned from the classes of the training samples alone, if it needs nothing
    /// else, such as a rule with a given number of neighbours. The matrix of all samples is then
    /// not computed.
    ///
    /// # Errors
    /// As [`Classify::learns`].
    fn fit_labels(&self, classes: &Classes) -> Result<Option<Box<dyn Fitted>>> {
        match self.learns(classes)? {
            LearnsFrom::Classes(fitted) => Ok(Some(fitted)),
            _ => Ok(None),
        }
    }

    /// Learn from several measures of similarity at once: one matrix for each, all of the same
    /// samples.
    ///
    /// # Errors
    /// When a parameter is out of range, the matrices and the classes do not fit each other or
    /// the classifier, or it finds no answer in them.
    fn fit_several(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        self.check()?;
        self.fit_checked(views, classes, run)
    }

    /// Learn from the similarities of the training samples with each other, as `run` says.
    ///
    /// # Errors
    /// As [`Classify::fit_several`].
    fn fit_with(&self, s: &SimilarityMatrix, classes: &Classes, run: &Run) -> FitResult {
        self.fit_several(std::slice::from_ref(s), classes, run)
    }

    /// Learn from the similarities of the training samples with each other, on all cores.
    ///
    /// # Errors
    /// As [`Classify::fit_several`].
    fn fit(&self, s: &SimilarityMatrix, classes: &Classes) -> FitResult {
        self.fit_with(s, classes, &Run::default())
    }
}

/// A classifier that has learned.
pub trait Fitted: std::fmt::Debug + Send + Sync {
    /// The class of each query, from what is known of the queries, as `run` says. Similarities to
    /// all training samples are enough for every classifier; one that [asks](Fitted::asks) for
    /// less takes that too, with the same answers to the bit.
    ///
    /// # Errors
    /// When the queries do not fit the training samples, or are known in a way the classifier
    /// does not ask for.
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions>;

    /// The fitted values as named arrays, so that they can be saved.
    fn parts(&self) -> Parts;

    /// The kind of knowledge of a query that the classifier needs.
    fn asks(&self) -> Asks<'_> {
        Asks::Similarities
    }

    /// Whether the classifier holds the similarities of the training samples with each other,
    /// because it needs them to answer.
    fn holds_similarities(&self) -> bool {
        false
    }

    /// Facts about the fit: laws, prototypes, chosen settings.
    fn insight(&self) -> Insight {
        Insight::default()
    }

    /// Every statistic with its laws against what was observed in training, where the classifier
    /// has laws before it sees a query.
    fn law_tables(&self) -> Vec<LawTable> {
        Vec::new()
    }

    /// The log-probability of one query under each law, given a row of its similarities for every
    /// measure; of a local rule, the laws of the query's neighbourhood.
    fn evidence(&self, _query: &[&[f64]]) -> Vec<Evidence> {
        Vec::new()
    }

    /// Notes for the reader about the fit.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }

    /// The class of each query, from its similarities to the training samples, as `run` says.
    ///
    /// # Errors
    /// As [`Fitted::predict_from`].
    fn predict_with(&self, queries: &SimilarityMatrix, run: &Run) -> Result<Predictions> {
        self.predict_from(Queries::Similarities(std::slice::from_ref(queries)), run)
    }

    /// The class of each query, from its similarities to the training samples, on all cores.
    ///
    /// # Errors
    /// As [`Fitted::predict_from`].
    fn predict(&self, queries: &SimilarityMatrix) -> Result<Predictions> {
        self.predict_with(queries, &Run::default())
    }
}

catalogue! {
    Classify: classifiers, classifier, "classifier" is "a classifier";
    Sda, LocalSda, NnSda, MixtureSda, NearestCentroid, AdjustedCentroid, LocalCentroid,
    CondensedNn, Knn, Sknn, Psvm,
}
