//! Local nearest centroid: nearest centroid among the query's neighbours.
//!
//! ```text
//! ŷ = argmax_h s(x, μ_h(x)),   μ_h(x) the centroid (5) of class h inside N(x)
//! ```
//!
//! Classes without a sample in the neighbourhood N(x) take no part; ties go to the class with
//! more neighbours, each counted P(g)·n/n_g times where priors other than the classes' shares
//! n_g/n are asked for, then to the first. Probabilities, where they are asked for or costs are
//! given, are fitted to scores of held-out samples.
//!
//! Cost: n log n + k² a query; all sizes are tried by leave-one-out in O(n·k²).
//!
//! When to use: classes of several clumps, as a plain yardstick.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 3; Y. Mitani and
//! Y. Hamamoto, *A local mean-based nonparametric classifier*, Pattern Recognition Letters 27
//! (2006), for k neighbours a class.

use super::common::{Priors, Tilt, Training};
use super::neighbourhood::{Hood, Local, Near, Size, local_centroid};
use super::predictions::{Answer, Predictions, predict_rows};
use super::scored::{Keeps, Scored, scored};
use super::{Classify, FitResult, Fitted, Insight, Queries, about};
use crate::data::Parts;
use crate::{Note, Result, Run, parameters};

parameters! {
    /// Local nearest centroid and its settings.
    pub struct LocalCentroid {
    } with size: Size, near: Near, priors: Priors, scored: Scored
}

#[derive(Debug)]
struct FittedLocalCentroid {
    local: Local,
    tilt: Tilt,
}

impl LocalCentroid {
    fn plain(&self, training: Training, priors: &Priors, run: &Run) -> FitResult {
        let tilt = priors.tilt(training.classes)?;
        let rule = |hood: &Hood, query: &[f64]| local_centroid(hood, query, &tilt);
        let extent = self.near.choose(&self.size, training, (None, &tilt), run, rule)?;
        let local = Local::new(training, extent, (&self.near, &self.size));
        Ok(Box::new(FittedLocalCentroid { local, tilt }))
    }

    fn restore_plain(&self, parts: &Parts) -> FitResult {
        let local = Local::restore(parts, "local-centroid", (&self.near, &self.size))?;
        let tilt = self.priors.tilt(&local.classes)?;
        Ok(Box::new(FittedLocalCentroid { local, tilt }))
    }
}

impl Classify for LocalCentroid {
    about! {
        "local-centroid" is "Local nearest centroid",
        "the class with the most similar centroid among the query's neighbours",
        "Cazzanti 2009; Mitani & Hamamoto 2006"
    }

    scored!("local-centroid");
}

impl Fitted for FittedLocalCentroid {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        let training = self.local.training();
        let names = training.classes.names();
        predict_rows(names, training.n(), queries.matrix()?, run, |_, query| {
            let mut answer = Answer::of_scores(vec![0.0], &[1.0]);
            self.local.show(training, query, |hood| {
                answer = local_centroid(hood, query, &self.tilt);
            });
            Ok(answer)
        })
    }

    fn parts(&self) -> Parts {
        self.local.parts()
    }

    fn holds_similarities(&self) -> bool {
        true
    }

    fn insight(&self) -> Insight {
        self.local.insight()
    }

    fn notes(&self) -> Vec<Note> {
        self.local.notes()
    }
}
