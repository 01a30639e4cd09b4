//! [`Pipeline`]: from columns to a class in four steps, as a plain value.
//!
//! 1. numbers are scaled by what the training rows say;
//! 2. features may be weighed: the best are kept, or weights become factors;
//! 3. a similarity is taken, given, or learned;
//! 4. a neighbour rule or a classifier decides.
//!
//! Whatever looks at labels or at the spread of a column is fitted on the training rows alone,
//! inside [`Pipeline::fit`], so cross-validating a pipeline does not leak. Methods are named by
//! id with the settings that differ from their defaults ([`Named`]): a pipeline can be copied,
//! compared, written to a file and varied over a grid ([`Pipeline::set`]).
//!
//! ```
//! use nearkin::Run;
//! use nearkin::data::bundled;
//! use nearkin::evaluate::pipeline::{Alike, Pipeline};
//! use nearkin::measure::{Norm, Scaling};
//!
//! let (table, target) = bundled::load("iris")?;
//! // The cosine looks at directions from zero: columns stay as they are.
//! let (scaling, similarity) = (Scaling::None, Alike::Norm(Norm::Cosine));
//! let mut pipeline = Pipeline { scaling, similarity, ..Pipeline::default() };
//! pipeline.set("classifier.k", "3")?;
//! let fitted = pipeline.fit(&table, &target, &Run::default())?;
//! let said = fitted.predict(&table, &Run::default())?;
//! assert!(said.labels().zip(fitted.trained.labels()).filter(|(a, b)| a == b).count() > 140);
//! # Ok::<(), nearkin::Error>(())
//! ```

mod fitted;
mod likeness;
mod named;
mod scaler;
mod steps;

use crate::data::{Classes, SimilarityMatrix, Table, Target};
use crate::measure::Scaling;
use crate::{Error, ParameterError, Result, Run};

pub use fitted::{Base, FittedPipeline, Trained};
pub use named::Named;
pub use scaler::Scaler;
pub use steps::{Alike, Decide, Use, Weights};

/// How rows become classes. The default: numbers divided by their range, Euclidean distance,
/// the vote of the five nearest.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    /// What numbers are divided by. Distances divide differences; similarities of numbers are
    /// taken of columns moved to begin at 0 (`minmax`) or to have mean 0 (`zscore`).
    pub scaling: Scaling,
    /// How features are weighed, if they are.
    pub weights: Option<Weights>,
    /// How alike two rows are.
    pub similarity: Alike,
    /// Who decides.
    pub classifier: Decide,
}

impl Default for Pipeline {
    fn default() -> Self {
        Self {
            scaling: Scaling::MinMax,
            weights: None,
            similarity: Alike::default(),
            classifier: Decide::default(),
        }
    }
}

impl Pipeline {
    /// A pipeline over given similarities, decided by `classifier`.
    pub fn given(classifier: Decide) -> Self {
        Self { scaling: Scaling::None, weights: None, similarity: Alike::Given, classifier }
    }

    /// Fit every step on the rows of a table.
    ///
    /// # Errors
    /// When the target is real numbers, or a step cannot be fitted to the rows.
    pub fn fit(&self, table: &Table, target: &Target, run: &Run) -> Result<FittedPipeline> {
        FittedPipeline::new(self, Trained::on_table(self, table, target, run)?, run)
    }

    /// Fit on the similarities of training samples with each other.
    ///
    /// # Errors
    /// When the matrix and the classes disagree, or the pipeline is one for tables.
    pub fn fit_similarities(
        &self,
        s: &SimilarityMatrix,
        classes: &Classes,
        run: &Run,
    ) -> Result<FittedPipeline> {
        FittedPipeline::new(self, Trained::on_similarities(self, s, classes)?, run)
    }

    /// True when all that comes before the classifier is the same: labels teach both the same.
    pub fn differs_in_classifier_alone(&self, other: &Self) -> bool {
        self.scaling == other.scaling
            && self.weights == other.weights
            && self.similarity == other.similarity
    }

    /// Refuse a similarity or feature factors in a pipeline with naive Bayes, which would not use
    /// them.
    fn check_bayes(&self) -> Result<()> {
        let Decide::Bayes(named) = &self.classifier else { return Ok(()) };
        let refused = |instead| {
            let reason = ParameterError::ReadsColumns { method: named.id.clone(), instead };
            Err(Error::parameter("classifier", reason))
        };
        match (&self.similarity, &self.weights) {
            (_, Some(weights)) if weights.using == Use::Factors => {
                refused("keep the best of them (`best 5 by METHOD`) instead of weighing all")
            }
            (similarity, _) if *similarity != Alike::default() => {
                refused("leave the similarity out")
            }
            _ => Ok(()),
        }
    }

    /// The pipeline in one line: what differs from nothing being done.
    pub fn describe(&self) -> String {
        let mut parts = Vec::new();
        if let Decide::Bayes(_) = self.classifier {
            parts.extend(self.weights.as_ref().map(Weights::describe));
            parts.push(self.classifier.describe());
            return parts.join(" > ");
        }
        if self.scaling != Scaling::None {
            parts.push(crate::parameter::Value::show(&self.scaling));
        }
        if let Some(weights) = &self.weights {
            parts.push(weights.describe());
        }
        parts.push(self.similarity.describe());
        parts.push(self.classifier.describe());
        parts.join(" > ")
    }
}
