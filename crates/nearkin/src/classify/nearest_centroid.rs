//! Nearest centroid: the class whose centroid is most similar.
//!
//! ```text
//! ŷ = argmax_h s(x, μ_h)                                                          (4)
//! ```
//!
//! with one centroid a class, chosen as `centroid` says: a sample of the class, or, when it is
//! `unconstrained`, whatever samples are compared with, columns beyond the samples included. For a
//! table these are the rows and, of every class, the row of its most frequent values, which
//! under counting similarity nothing can beat (13). Similarities that count
//! agreements tie often; ties go to the larger prior, then to the first class. Probabilities,
//! where they are asked for or costs are given, are fitted to scores of held-out samples.
//!
//! Cost: n²/G to fit, G a query.
//!
//! When to use: a first look, and the measure of what SDA's laws add.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 1.1.

use super::asked::only;
use super::centroid::{Centroid, Scope, centroids, unconstrained};
use super::common::{Known, Priors, Training, by_class, check_labels};
use super::modes::modes;
use super::predictions::{Answer, Predictions, predict_rows};
use super::scored::{Keeps, Scored};
use super::{About, Classify, Fitted, Insight, Queries};
use crate::data::{Classes, Parts, SimilarityMatrix, Table};
use crate::{Result, Run, parameters};

parameters! {
    /// Nearest centroid and its settings.
    pub struct NearestCentroid {
        /// Which sample stands for its class.
        centroid: Centroid = Centroid::MaxSum;
        /// Whose nearest neighbours make a sample popular.
        scope: Scope = Scope::WithinClass;
    } with priors: Priors, scored: Scored
}

#[derive(Debug)]
struct FittedCentroids {
    names: Vec<String>,
    references: usize,
    centroids: Vec<usize>,
    priors: Vec<f64>,
}

impl NearestCentroid {
    fn plain(
        &self,
        s: &SimilarityMatrix,
        classes: &Classes,
        priors: &Priors,
    ) -> Result<Box<dyn Fitted>> {
        let centroids = match self.centroid {
            Centroid::Unconstrained => {
                check_labels(s, classes)?;
                unconstrained(s, &by_class(classes))
            }
            kind => centroids(Training::new(s, classes, "nearest-centroid")?, kind, self.scope),
        };
        Ok(Box::new(FittedCentroids {
            names: classes.names().to_vec(),
            references: s.columns(),
            centroids,
            priors: priors.of(classes)?,
        }))
    }

    fn restore_plain(&self, parts: &Parts) -> Result<Box<dyn Fitted>> {
        let known = Known::restore(parts)?;
        let centroids = parts.positions("centroids", known.references)?;
        known.one_each(centroids.len(), "centroids")?;
        let Known { names, references, priors } = known;
        Ok(Box::new(FittedCentroids { names, references, centroids, priors }))
    }
}

impl Classify for NearestCentroid {
    fn about(&self) -> About {
        About {
            id: "nearest-centroid",
            title: "Nearest centroid",
            summary: "the class whose most typical sample is most similar",
            reference: "Cazzanti 2009",
        }
    }

    fn fit_checked(
        &self,
        views: &[SimilarityMatrix],
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        let s = only(views, "nearest-centroid")?;
        let keeps = match self.centroid {
            Centroid::Unconstrained => Keeps::All,
            _ => Keeps::Own,
        };
        self.scored.fit(&self.priors, (s, classes), keeps, run, |s, classes, priors| {
            self.plain(s, classes, priors)
        })
    }

    fn references(&self, table: &Table, classes: &Classes) -> Result<Option<Table<'static>>> {
        match self.centroid {
            Centroid::Unconstrained => modes(table, classes).map(Some),
            _ => Ok(None),
        }
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn Fitted>> {
        self.scored.restore(parts, |parts| self.restore_plain(parts))
    }
}

impl Fitted for FittedCentroids {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        predict_rows(&self.names, self.references, queries.matrix()?, run, |_, s| {
            let scores = self.centroids.iter().map(|&c| s[c]).collect();
            Ok(Answer::of_scores(scores, &self.priors))
        })
    }

    fn parts(&self) -> Parts {
        let centroids = self.centroids.iter().map(|&c| c as u32).collect();
        Known::parts(&self.names, self.references, &self.priors).with_codes("centroids", centroids)
    }

    fn insight(&self) -> Insight {
        let prototypes = self.centroids.iter().map(|&c| vec![c]).collect();
        Insight { prototypes, ..Insight::default() }
    }
}
