//! Results of learning: a similarity, or one for each class, and how the method got there.

use super::bound::Bound;
use super::select::against_rest;
use crate::data::Classes;
use crate::measure::{Prepared, Similarity, Vectors};
use crate::neighbors::{Decision, Rule};
use crate::{LearnError, Note, Result, Run};

/// One learned similarity.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct LearnedMatrix {
    /// The class that this matrix separates from the rest, when each class has its own matrix.
    pub class: Option<String>,
    /// The similarity.
    pub similarity: Similarity,
    /// The value that was minimised (SiLA, sRBS) or maximised (RBS), at the start and after each
    /// epoch. Once neighbours are found again it is the value of another function.
    pub objective: Vec<f64>,
    /// Margins of the rows under the plain similarity, its matrix scaled to length 1. Impostors
    /// are those of the matrix itself (SiLA) or stay those of the plain similarity (others).
    pub before: Vec<f64>,
    /// Margins of the same rows under the learned similarity, its matrix scaled to length 1.
    pub after: Vec<f64>,
    /// Number of rows with a margin of 0 or below: in each epoch (SiLA), or at the end (others).
    pub mistakes: Vec<u64>,
    /// Theory's bound on the mistakes of the first epoch (SiLA from a null matrix).
    pub bound: Option<Bound>,
    /// A note on this one.
    pub note: Option<Note>,
}

impl LearnedMatrix {
    /// A similarity of all classes with its margins; the objective is their sum.
    pub(crate) fn of_margins(similarity: Similarity, before: Vec<f64>, after: Vec<f64>) -> Self {
        let mistakes = after.iter().filter(|m| **m <= 0.0).count() as u64;
        Self {
            class: None,
            similarity,
            objective: vec![before.iter().sum(), after.iter().sum()],
            before,
            after,
            mistakes: vec![mistakes],
            bound: None,
            note: None,
        }
    }
}

/// The similarities that a method learned from a table.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Learned {
    /// The class names in code order.
    pub classes: Vec<String>,
    /// One similarity for all classes, or one for each class in that order.
    pub models: Vec<LearnedMatrix>,
    /// Notes for a reader of the results.
    pub notes: Vec<Note>,
}

/// The answer of a learned similarity for a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The class answered.
    pub class: u32,
    /// A number in 0..=1 for each class, adding up to 1.
    pub probabilities: Vec<f64>,
    /// Classes whose own similarity answers yes (none, one or several), when each class has one;
    /// otherwise the predicted class.
    pub yes: Vec<u32>,
}

impl Learned {
    /// Make rows ready for what was learned: scaled as in training, then for the norm.
    ///
    /// # Errors
    /// Nothing was learned, or rows of other columns, or that the norm cannot take.
    pub fn prepare<'v>(&self, rows: impl Into<Vectors<'v>>) -> Result<Prepared> {
        match self.models.first() {
            Some(model) => model.similarity.prepare(rows),
            None => Err(LearnError::NothingLearned.into()),
        }
    }

    /// For each model, whether it gives all these queries the same answer.
    ///
    /// Such a model carries no information: its accuracy is the share of that class.
    pub fn constant(&self, answers: &[Answer]) -> Vec<bool> {
        if self.models.len() == 1 {
            return vec![answers.windows(2).all(|pair| pair[0].class == pair[1].class)];
        }
        let says = |answer: &Answer, code: u32| answer.yes.contains(&code);
        let same =
            |code: u32| answers.windows(2).all(|pair| says(&pair[0], code) == says(&pair[1], code));
        (0..self.models.len() as u32).map(same).collect()
    }

    /// Classify queries by `rule` with `k` neighbours among labelled base rows.
    ///
    /// With one similarity a class, each first says yes or no by the rule. A single class is
    /// then the one with the largest SkNN margin, mean similarity to its k best rows less that
    /// to the k best others, each under its own matrix scaled to length 1; the papers give no
    /// rule for this. Probabilities are then shares of p(yes).
    ///
    /// # Errors
    /// Rows made ready for another similarity, classes other than those learned from, or k = 0.
    pub fn classify(
        &self,
        rule: Rule,
        k: usize,
        base: &Prepared,
        classes: &Classes,
        queries: &Prepared,
        run: &Run,
    ) -> Result<Vec<Answer>> {
        self.classify_by(rule, |_| k, base, classes, queries, run)
    }

    /// [`Learned::classify`] with a k for each model.
    pub(crate) fn classify_by(
        &self,
        rule: Rule,
        k: impl Fn(usize) -> usize,
        base: &Prepared,
        classes: &Classes,
        queries: &Prepared,
        run: &Run,
    ) -> Result<Vec<Answer>> {
        let decide = |rule: Rule, at: usize, classes: &Classes| {
            let similarity = &self.models[at].similarity;
            rule.decide(similarity, k(at), base, classes, queries, false, run)
        };
        if self.models.len() == 1 {
            let single = |d: Decision| Answer {
                class: d.class,
                probabilities: d.probabilities,
                yes: vec![d.class],
            };
            let decided = decide(rule, 0, classes)?;
            return Ok(decided.into_iter().map(single).collect());
        }
        if classes.names() != self.classes {
            let (learned, rows) = (self.classes.clone(), classes.names().to_vec());
            return Err(LearnError::OtherClasses { learned, rows }.into());
        }
        let count = self.models.len();
        let mut margins = vec![vec![0.0; count]; queries.rows()];
        let mut votes = margins.clone();
        let mut yes = vec![Vec::new(); queries.rows()];
        for (code, model) in self.models.iter().enumerate() {
            let sides = against_rest(classes.codes(), code as u32)?;
            let length = model.similarity.matrix().length();
            let mean = decide(Rule::Sknn, code, &sides)?;
            let says = match rule {
                Rule::Sknn => mean.clone(),
                Rule::Knn => decide(rule, code, &sides)?,
            };
            for (at, (mean, says)) in mean.iter().zip(&says).enumerate() {
                margins[at][code] = (mean.scores[1] - mean.scores[0]) / length;
                votes[at][code] = says.probabilities[1];
                if says.class == 1 {
                    yes[at].push(code as u32);
                }
            }
        }
        let answers = margins.iter().zip(votes).zip(yes).map(|((margins, votes), yes)| {
            let mut class = 0;
            for code in 1..count {
                if margins[code] > margins[class] {
                    class = code;
                }
            }
            let total: f64 = votes.iter().sum();
            let share = |v: f64| if total > 0.0 { v / total } else { 1.0 / count as f64 };
            let probabilities = votes.into_iter().map(share).collect();
            Answer { class: class as u32, probabilities, yes }
        });
        Ok(answers.collect())
    }
}
