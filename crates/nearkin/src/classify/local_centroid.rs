//! Local nearest centroid: nearest centroid among the query's neighbours.
//!
//! ```text
//! ŷ = argmax_h s(x, μ_h(x)),   μ_h(x) the centroid (5) of class h inside N(x)
//! ```
//!
//! Classes without a sample in the neighbourhood N(x) take no part; ties go to the class with
//! more neighbours, each counted P(g)·n/n_g times where priors other than the classes' shares n_g/n
//! are asked for, then to the first. Probabilities, where they are asked for or costs are given, are
//! fitted to scores of held-out samples.
//!
//! Cost: n log n + k² a query; all sizes are tried by leave-one-out in O(n·k²).
//!
//! When to use: classes of several clumps, as a plain yardstick.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 3; Y. Mitani and
//! Y. Hamamoto, *A local mean-based nonparametric classifier*, Pattern Recognition Letters 27
//! (2006), for k neighbours a class.

use super::asked::only;
use super::common::{Priors, Tilt, Training};
use super::neighbourhood::{Extent, Hood, Near, Size, local_centroid};
use super::predictions::{Answer, Predictions, predict_rows};
use super::scored::{Keeps, Scored};
use super::{About, Classify, Fitted, Insight, Queries};
use crate::data::{Classes, Parts, SimilarityMatrix};
use crate::{Note, Result, Run, parameters};

parameters! {
    /// Local nearest centroid and its settings.
    pub struct LocalCentroid {
    } with size: Size, near: Near, priors: Priors, scored: Scored
}

#[derive(Debug)]
struct FittedLocalCentroid {
    s: SimilarityMatrix<'static>,
    classes: Classes,
    settings: LocalCentroid,
    tilt: Tilt,
    extent: Extent,
}

impl LocalCentroid {
    fn plain(
        &self,
        (s, classes): (&SimilarityMatrix, &Classes),
        priors: &Priors,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        let training = Training::new(s, classes, "local-centroid")?;
        let tilt = priors.tilt(classes)?;
        let rule = |hood: &Hood, query: &[f64]| local_centroid(hood, query, &tilt);
        let extent = self.near.choose(&self.size, training, (None, &tilt), run, rule)?;
        let (s, classes) = (s.to_owned(), classes.clone());
        Ok(Box::new(FittedLocalCentroid { s, classes, settings: self.clone(), tilt, extent }))
    }

    fn restore_plain(&self, parts: &Parts) -> Result<Box<dyn Fitted>> {
        let (s, classes, extent) = Extent::restore(parts, "local-centroid")?;
        let tilt = self.priors.tilt(&classes)?;
        Ok(Box::new(FittedLocalCentroid { s, classes, settings: self.clone(), tilt, extent }))
    }
}

impl Classify for LocalCentroid {
    fn about(&self) -> About {
        About {
            id: "local-centroid",
            title: "Local nearest centroid",
            summary: "the class with the most similar centroid among the query's neighbours",
            reference: "Cazzanti 2009; Mitani & Hamamoto 2006",
        }
    }

    fn fit_checked(
        &self,
        views: &[SimilarityMatrix],
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        let s = only(views, "local-centroid")?;
        self.scored.fit(&self.priors, (s, classes), Keeps::Own, run, |s, classes, priors| {
            self.plain((s, classes), priors, run)
        })
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn Fitted>> {
        self.scored.restore(parts, |parts| self.restore_plain(parts))
    }
}

impl Fitted for FittedLocalCentroid {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        let training = Training { s: &self.s, classes: &self.classes };
        predict_rows(self.classes.names(), training.n(), queries.matrix()?, run, |_, query| {
            let mut answer = Answer::of_scores(vec![0.0], &[1.0]);
            self.settings.near.grow(training, query, None, &[self.extent], |hood| {
                answer = local_centroid(hood, query, &self.tilt);
            });
            Ok(answer)
        })
    }

    fn parts(&self) -> Parts {
        self.extent.parts(&self.s, &self.classes)
    }

    fn insight(&self) -> Insight {
        Insight { k: self.extent.count(), alpha: self.extent.alpha(), ..Insight::default() }
    }

    fn notes(&self) -> Vec<Note> {
        self.settings.size.note(self.classes.codes().len()).into_iter().collect()
    }
}
