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
use super::centroid::{Centroid, Scope, centroids};
use super::common::{Known, Priors, Training, check_labels};
use super::modes::modes;
use super::predictions::{Answer, Predictions};
use super::scored::{Keeps, Scored, scored};
use super::{Classify, FitResult, Fitted, Insight, Queries, about};
use crate::data::{Classes, Parts, SimilarityMatrix, Table};
use crate::{Result, Run, parameters};

parameters! {
    /// Nearest centroid and its settings.
    pub struct NearestCentroid {
        /// Which sample stands for its class.
        centroid: Centroid = Centroid::MaxSum;
        /// Where nearest neighbours are counted, to find the most popular sample.
        scope: Scope = Scope::WithinClass;
    } with priors: Priors, scored: Scored
}

#[derive(Debug)]
struct FittedCentroids {
    known: Known,
    centroids: Vec<usize>,
}

impl NearestCentroid {
    fn plain(&self, training: Training, priors: &Priors) -> FitResult {
        let known = Known::of(training, priors)?;
        let centroids = centroids(training, self.centroid, self.scope);
        Ok(Box::new(FittedCentroids { known, centroids }))
    }

    fn restore_plain(&self, parts: &Parts) -> FitResult {
        let known = Known::restore(parts)?;
        let centroids = parts.positions("centroids", known.references)?;
        known.one_each(centroids.len(), "centroids")?;
        Ok(Box::new(FittedCentroids { known, centroids }))
    }
}

impl Classify for NearestCentroid {
    about! {
        "nearest-centroid" is "Nearest centroid",
        "the class whose most typical sample is most similar", "Cazzanti 2009"
    }

    fn fit_checked(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        let (s, method) = (only(views, "nearest-centroid")?, "nearest-centroid");
        let (keeps, training) = match self.centroid {
            Centroid::Unconstrained => {
                check_labels(s, classes)?;
                (Keeps::All, Training { s, classes })
            }
            _ => (Keeps::Own, Training::new(s, classes, method)?),
        };
        self.scored.fit(&self.priors, training, keeps, run, |training, priors| {
            self.plain(training, priors)
        })
    }

    fn references(&self, table: &Table, classes: &Classes) -> Result<Option<Table<'static>>> {
        match self.centroid {
            Centroid::Unconstrained => modes(table, classes).map(Some),
            _ => Ok(None),
        }
    }

    scored!();
}

impl Fitted for FittedCentroids {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        self.known.predict(queries, run, |_, s| {
            let scores = self.centroids.iter().map(|&c| s[c]).collect();
            Ok(Answer::of_scores(scores, &self.known.priors))
        })
    }

    fn parts(&self) -> Parts {
        let centroids = self.centroids.iter().map(|&c| c as u32).collect();
        self.known.parts().with_codes("centroids", centroids)
    }

    fn insight(&self) -> Insight {
        let prototypes = self.centroids.iter().map(|&c| vec![c]).collect();
        Insight { prototypes, ..Insight::default() }
    }
}
