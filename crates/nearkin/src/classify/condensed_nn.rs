//! Condensed nearest neighbour: the class of the most similar of a few prototypes.
//!
//! ```text
//! ŷ = argmax_h max_l s(x, μ_hl)                                                   (1)–(3)
//! ```
//!
//! with c prototypes μ_hl a class, found by k-medoids. Ties go to the larger prior, then to
//! the first class. Probabilities, where they are asked for or costs are given, are fitted to
//! scores of held-out samples.
//!
//! Cost: n²/(G·c) a round of k-medoids, G·c a query; five folds times the candidates when c is
//! to be chosen.
//!
//! When to use: similarities are costly and queries many: a query needs only G·c of them.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 1.1.

use super::common::{Known, Priors, Training};
use super::medoids::Medoids;
use super::predictions::{Answer, Predictions};
use super::scored::{Keeps, Scored, scored};
use super::{Classify, FitResult, Fitted, Insight, Queries, about};
use crate::data::Parts;
use crate::{Result, Run, parameters};

parameters! {
    /// Condensed nearest neighbour and its settings.
    pub struct CondensedNn {
    } with prototypes: Medoids, priors: Priors, scored: Scored
}

#[derive(Debug)]
struct FittedCondensed {
    known: Known,
    prototypes: Vec<Vec<usize>>,
}

impl CondensedNn {
    fn fit_size(&self, training: Training, counts: &[usize], priors: &Priors) -> FitResult {
        let prototypes = self.prototypes.of(training, counts);
        Ok(Box::new(FittedCondensed { known: Known::of(training, priors)?, prototypes }))
    }

    fn plain(&self, training: Training, priors: &Priors, run: &Run) -> FitResult {
        let counts = self.prototypes.choose(training, None, run, |training, counts| {
            self.fit_size(training, counts, priors)
        })?;
        self.fit_size(training, &counts, priors)
    }

    fn restore_plain(&self, parts: &Parts) -> FitResult {
        let known = Known::restore(parts)?;
        let prototypes = parts.lists("prototypes", known.references)?;
        known.one_each(prototypes.len(), "prototypes")?;
        Ok(Box::new(FittedCondensed { known, prototypes }))
    }
}

impl Classify for CondensedNn {
    about! {
        "condensed-nn" is "Condensed nearest neighbour",
        "the class of the most similar of a few medoids", "Cazzanti 2009"
    }

    scored!("condensed-nn");
}

impl Fitted for FittedCondensed {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        self.known.predict(queries, run, |_, s| {
            let best =
                |class: &Vec<usize>| class.iter().map(|&m| s[m]).fold(f64::NEG_INFINITY, f64::max);
            Ok(Answer::of_scores(self.prototypes.iter().map(best).collect(), &self.known.priors))
        })
    }

    fn parts(&self) -> Parts {
        self.known.parts().with_lists("prototypes", &self.prototypes)
    }

    fn insight(&self) -> Insight {
        Insight { prototypes: self.prototypes.clone(), ..Insight::default() }
    }
}
