//! Probabilities for rules that compare scores: centroids, prototypes, machines.
//!
//! ```text
//! P(g | x) ∝ P(g)/share_g · exp(β·score_g(x) + b_g),   β ≥ 0
//! ```
//!
//! β and b make the classes of the training samples likeliest, each sample scored by the rule that
//! was fitted on the other four of five folds. A class weighs 1/(n_c + G) of a sample of class c
//! where it is not the sample's own, n_c being the samples of c, so that β stays finite where
//! scores tell the classes apart without fault. With share_g the share of class g in training,
//! priors other than the shares move probabilities as they should. A class without a score is
//! taken to have the lowest that was seen. A class all of whose samples are held out takes no
//! part in that fold; one with a single sample is thus never scored for its own, and is left next
//! to no probability.
//!
//! The class said stays the rule's own; where costs are given it is the one of least expected
//! cost.
//!
//! Cost: five fits more, and n·G² a step of the curve, ten or so of them.
//!
//! Reference: J. C. Platt, *Probabilistic outputs for support vector machines*, in: Advances in
//! Large Margin Classifiers, 2000, for two classes.

use super::common::{Priors, Training};
use super::curve::{Curve, Seen};
use super::medoids::folds;
use super::predictions::{Costs, Predictions, decide};
use super::{Asks, FitResult, Fitted, Insight, Queries};
use crate::data::{Classes, Parts, wrong_part};
use crate::{Error, Note, Result, Run, parameters};

parameters! {
    /// Probabilities and costs, for a rule that compares scores.
    pub struct Scored {
        /// Give probabilities too, fitted to the scores of training samples in five folds. The
        /// predicted class stays the one that the rule gives.
        probabilities: bool = false;
        /// C(f, g), the cost of predicting f when the true class is g: a matrix row by row, with
        /// a row for each predicted class and a column for each true class. Probabilities are
        /// then given, and the class of least expected cost is predicted.
        costs: Option<Vec<f64>> = None;
    }
}

/// Which columns the rule fitted on some rows has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// Only columns of the rows it was fitted on, and of references that are not training rows.
    Own,
    /// All: samples are described by them, and need not be among the rows.
    All,
}

/// A rule of scores with its probabilities.
#[derive(Debug)]
struct Probable {
    rule: Box<dyn Fitted>,
    names: Vec<String>,
    curve: Curve,
    costs: Option<Costs>,
    /// Samples whose scores the curve was fitted to.
    seen: usize,
}

/// The classes of some of the rows; classes without such a row are left out.
struct Part {
    classes: Classes,
    /// For each class of the whole problem, its place among these classes.
    place: Vec<Option<usize>>,
}

impl Part {
    fn of(classes: &Classes, rows: &[usize]) -> Result<Self> {
        let mut there = vec![false; classes.len()];
        rows.iter().for_each(|&row| there[classes.codes()[row] as usize] = true);
        let mut names = Vec::new();
        let place: Vec<Option<usize>> = classes
            .names()
            .iter()
            .zip(there)
            .map(|(name, there)| {
                there.then(|| {
                    names.push(name.clone());
                    names.len() - 1
                })
            })
            .collect();
        let code = |&row: &usize| place[classes.codes()[row] as usize].map(|code| code as u32);
        let codes = rows.iter().filter_map(code).collect();
        Ok(Self { classes: Classes::new(codes, names)?, place })
    }
}

impl Scored {
    fn asked_for(&self) -> bool {
        self.probabilities || self.costs.is_some()
    }

    fn costs(&self, names: &[String]) -> Result<Option<Costs>> {
        Costs::new(self.costs.as_deref(), names)
    }

    /// The rule that `fit` makes, with probabilities if they are wanted.
    pub(crate) fn fit(
        &self,
        priors: &Priors,
        training: Training,
        keeps: Keeps,
        run: &Run,
        fit: impl Fn(Training, &Priors) -> FitResult,
    ) -> FitResult {
        let Training { s, classes } = training;
        let rule = fit(training, priors)?;
        let known = priors.of(classes)?;
        if !self.asked_for() {
            return Ok(rule);
        }
        let costs = self.costs(classes.names())?;
        let (n, folds) = (classes.codes().len(), folds(classes, 0));
        let mut rows: Vec<Seen> = Vec::new();
        for fold in 0..5 {
            let rest: Vec<usize> = (0..n).filter(|&row| folds[row] != fold).collect();
            let part = Part::of(classes, &rest)?;
            let known = |row: usize| part.place[classes.codes()[row] as usize].is_some();
            let held: Vec<usize> = (0..n).filter(|&r| folds[r] == fold && known(r)).collect();
            if held.is_empty() || part.classes.len() < 2 {
                continue;
            }
            let columns: Vec<usize> = match keeps {
                Keeps::Own => rest.iter().copied().chain(n..s.columns()).collect(),
                Keeps::All => (0..s.columns()).collect(),
            };
            let own = priors.among(&part.place);
            let (s_rest, s_held) = (s.select(&rest, &columns), s.select(&held, &columns));
            let said = fit(Training { s: &s_rest, classes: &part.classes }, &own)
                .and_then(|rule| rule.predict_with(&s_held, run));
            let said = match said {
                Err(Error::Stopped) => return Err(Error::Stopped),
                // A rule that can be fitted to all samples may fail on four fifths of them.
                Err(_) => continue,
                Ok(said) => said,
            };
            let of = |(at, &row): (usize, &usize)| {
                let score =
                    |place: &Option<usize>| place.map_or(f64::NAN, |g| said.scores_of(at)[g]);
                (classes.codes()[row] as usize, part.place.iter().map(score).collect())
            };
            rows.extend(held.iter().enumerate().map(of));
        }
        let mut curve = Curve::fit(&rows, classes.counts(), run)?;
        let moved = known.into_iter().zip(classes.priors());
        curve.offsets.iter_mut().zip(moved).for_each(|(b, (prior, share))| {
            // Without a single score the priors are all there is to go by.
            *b += if rows.is_empty() { prior.ln() } else { (prior / share).ln() };
        });
        let names = classes.names().to_vec();
        Ok(Box::new(Probable { rule, names, curve, costs, seen: rows.len() }))
    }

    /// The rule that `restore` puts together, with its probabilities.
    pub(crate) fn restore(
        &self,
        parts: &Parts,
        restore: impl Fn(&Parts) -> FitResult,
    ) -> FitResult {
        if !self.asked_for() {
            return restore(parts);
        }
        let names = parts.texts("classes")?.to_vec();
        let &[centre, unit, lowest, beta] = parts.exactly("curve", 4)? else {
            return Err(wrong_part("curve", "has another length"));
        };
        let offsets = parts.exactly("offsets", names.len())?.to_vec();
        Ok(Box::new(Probable {
            rule: restore(&parts.within("rule"))?,
            costs: self.costs(&names)?,
            names,
            curve: Curve { centre, unit, lowest, beta, offsets },
            seen: parts.code("seen")?,
        }))
    }

    /// True where the rule needs the training matrix although it does not itself.
    pub(crate) fn needs_matrix(&self) -> bool {
        self.asked_for()
    }
}

/// `fit_checked` and `restore` of a rule of one matrix that has `plain` and `restore_plain`.
macro_rules! scored {
    ($method:literal) => {
        fn fit_checked(
            &self,
            views: &[$crate::data::SimilarityMatrix],
            classes: &$crate::data::Classes,
            run: &$crate::Run,
        ) -> $crate::classify::FitResult {
            let training = $crate::classify::common::Training::of(views, classes, $method)?;
            let plain = |training: $crate::classify::common::Training<'_>, priors: &_| {
                self.plain(training, priors, run)
            };
            self.scored.fit(&self.priors, training, Keeps::Own, run, plain)
        }

        $crate::classify::scored::scored!();
    };
    () => {
        fn restore(&self, parts: &$crate::data::Parts) -> $crate::classify::FitResult {
            self.scored.restore(parts, |parts| self.restore_plain(parts))
        }
    };
}
pub(super) use scored;

impl Probable {
    /// The answers of the rule with probabilities; with costs, the probabilities decide.
    fn with_probabilities(&self, said: Predictions) -> Predictions {
        let logs: Vec<f64> = (0..said.len())
            .flat_map(|row| self.curve.logs(&self.curve.standard(said.scores_of(row))))
            .collect();
        let class = match &self.costs {
            None => said.class,
            costs => {
                let rows = logs.chunks_exact(self.names.len().max(1));
                rows.map(|row| decide(row, costs.as_ref()) as u32).collect()
            }
        };
        Predictions { class, log_posteriors: Some(logs), ..said }
    }
}

impl Fitted for Probable {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        Ok(self.with_probabilities(self.rule.predict_from(queries, run)?))
    }

    fn parts(&self) -> Parts {
        let Curve { centre, unit, lowest, beta, offsets } = &self.curve;
        Parts::new()
            .with("rule", self.rule.parts())
            .with_texts("classes", self.names.clone())
            .with_numbers("curve", vec![*centre, *unit, *lowest, *beta])
            .with_numbers("offsets", offsets.clone())
            .with_codes("seen", vec![self.seen as u32])
    }

    fn asks(&self) -> Asks<'_> {
        self.rule.asks()
    }

    fn holds_similarities(&self) -> bool {
        self.rule.holds_similarities()
    }

    fn insight(&self) -> Insight {
        self.rule.insight()
    }

    fn notes(&self) -> Vec<Note> {
        let none = (self.seen == 0).then_some(Note::NoHeldOutScores);
        self.rule.notes().into_iter().chain(none).collect()
    }
}
