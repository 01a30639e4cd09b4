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
//! When to use: similarities are dear and queries many: only G·c are asked for.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 1.1.

use super::asked::only;
use super::common::{Known, Priors, Training};
use super::medoids::Prototypes;
use super::predictions::{Answer, Predictions, predict_rows};
use super::scored::{Keeps, Scored};
use super::{About, Classify, Fitted, Insight, Queries};
use crate::data::{Classes, Parts, SimilarityMatrix};
use crate::{Result, Run, parameters};

parameters! {
    /// Condensed nearest neighbour and its settings.
    pub struct CondensedNn {
    } with prototypes: Prototypes, priors: Priors, scored: Scored
}

#[derive(Debug)]
struct FittedCondensed {
    names: Vec<String>,
    references: usize,
    prototypes: Vec<Vec<usize>>,
    priors: Vec<f64>,
}

impl CondensedNn {
    fn fit_size(
        &self,
        training: Training,
        counts: &[usize],
        priors: &Priors,
    ) -> Result<Box<dyn Fitted>> {
        Ok(Box::new(FittedCondensed {
            names: training.classes.names().to_vec(),
            references: training.n(),
            prototypes: self.prototypes.of(training, counts),
            priors: priors.of(training.classes)?,
        }))
    }
}

impl CondensedNn {
    fn plain(
        &self,
        (s, classes): (&SimilarityMatrix, &Classes),
        priors: &Priors,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        let training = Training::new(s, classes, "condensed-nn")?;
        let counts = self.prototypes.choose(training, None, run, |s, classes, counts| {
            self.fit_size(Training { s, classes }, counts, priors)
        })?;
        self.fit_size(training, &counts, priors)
    }

    fn restore_plain(&self, parts: &Parts) -> Result<Box<dyn Fitted>> {
        let known = Known::restore(parts)?;
        let prototypes = parts.lists("prototypes", known.references)?;
        known.one_each(prototypes.len(), "prototypes")?;
        let Known { names, references, priors } = known;
        Ok(Box::new(FittedCondensed { names, references, prototypes, priors }))
    }
}

impl Classify for CondensedNn {
    fn about(&self) -> About {
        About {
            id: "condensed-nn",
            title: "Condensed nearest neighbour",
            summary: "the class of the most similar of a few medoids",
            reference: "Cazzanti 2009",
        }
    }

    fn fit_checked(
        &self,
        views: &[SimilarityMatrix],
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        let s = only(views, "condensed-nn")?;
        self.scored.fit(&self.priors, (s, classes), Keeps::Own, run, |s, classes, priors| {
            self.plain((s, classes), priors, run)
        })
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn Fitted>> {
        self.scored.restore(parts, |parts| self.restore_plain(parts))
    }
}

impl Fitted for FittedCondensed {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        predict_rows(&self.names, self.references, queries.matrix()?, run, |_, s| {
            let best =
                |class: &Vec<usize>| class.iter().map(|&m| s[m]).fold(f64::NEG_INFINITY, f64::max);
            Ok(Answer::of_scores(self.prototypes.iter().map(best).collect(), &self.priors))
        })
    }

    fn parts(&self) -> Parts {
        Known::parts(&self.names, self.references, &self.priors)
            .with_lists("prototypes", &self.prototypes)
    }

    fn insight(&self) -> Insight {
        Insight { prototypes: self.prototypes.clone(), ..Insight::default() }
    }
}
