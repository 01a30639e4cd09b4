//! [`Plan`]: a pipeline to evaluate, with settings to be chosen on training rows.

use super::pipeline::Pipeline;
use super::scores::Scores;
use crate::{Error, ParameterError, Result, choice};

/// The source of answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// A pipeline, fitted on the training rows.
    Pipeline(Box<Pipeline>),
    /// Always the most frequent class of the training rows, the first on ties.
    Majority,
    /// In one-versus-rest always the rest; otherwise always the first class.
    Rest,
}

/// A subject under a name, with a grid to choose from inside the training rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Its name in results.
    pub name: String,
    /// The source of answers.
    pub subject: Subject,
    /// Settings to choose among: paths of [`Pipeline::set`], several joined by commas when they
    /// move together, and their values. Of equally good choices the first is taken, the first
    /// entry varying slowest: list values from the smallest change on.
    pub grid: Vec<(String, Vec<String>)>,
}

choice! {
    /// The score that candidates are chosen by.
    pub enum Criterion {
        /// Share of right answers.
        Accuracy = "accuracy",
        /// Mean share of right answers over classes.
        BalancedAccuracy = "balanced-accuracy",
        /// Mean F1 over classes.
        MacroF1 = "macro-f1",
        /// Negative log-loss.
        LogLoss = "log-loss",
        /// Negative Brier score.
        Brier = "brier",
    }
}

impl Criterion {
    /// The score with a sign such that larger is better; none when it needs probabilities that are
    /// missing.
    pub fn of(self, scores: &Scores) -> Option<f64> {
        match self {
            Self::Accuracy => Some(scores.accuracy),
            Self::BalancedAccuracy => Some(scores.balanced_accuracy),
            Self::MacroF1 => Some(scores.macro_f1),
            Self::LogLoss => scores.log_loss.map(|loss| -loss),
            Self::Brier => scores.brier.map(|loss| -loss),
        }
    }
}

/// How training rows are cut to choose among candidates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Inner {
    /// One validation part of this share of the training rows, rounded up.
    Validation(f64),
    /// So many stratified folds.
    Folds(usize),
    /// Each training row in turn.
    LeaveOneOut,
}

choice! {
    /// The rows to learn from, and the rows that are neighbours, once a validation part has
    /// chosen. Folds and leave-one-out set no rows aside: everything is fitted on all training
    /// rows.
    pub enum Fit {
        /// The rows that candidates were tried with, and no others.
        Learn = "learn",
        /// Weights and similarities stay as learned from those rows. Validation rows are then
        /// added as neighbours, and classifiers are fitted on both.
        Prototypes = "learn+valid",
        /// Everything is fitted anew on all training rows.
        All = "refit",
    }
}

/// How candidates are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choose {
    /// How training rows are cut.
    pub inner: Inner,
    /// The score to choose by.
    pub by: Criterion,
    /// The rows that the chosen candidate, or the only one, is fitted on.
    pub fit: Fit,
}

impl Default for Choose {
    /// Five folds, by accuracy, fitted again.
    fn default() -> Self {
        Self { inner: Inner::Folds(5), by: Criterion::Accuracy, fit: Fit::All }
    }
}

impl Plan {
    /// A plan without a grid.
    pub fn new(name: impl Into<String>, pipeline: Pipeline) -> Self {
        Self { name: name.into(), subject: Subject::Pipeline(Box::new(pipeline)), grid: Vec::new() }
    }

    /// A plan that answers without looking at rows.
    pub fn constant(name: impl Into<String>, subject: Subject) -> Self {
        Self { name: name.into(), subject, grid: Vec::new() }
    }

    /// The same with values for `path` to choose from.
    pub fn choosing<V: ToString>(mut self, path: &str, values: &[V]) -> Self {
        self.grid.push((path.to_owned(), values.iter().map(V::to_string).collect()));
        self
    }

    /// Every candidate with a text of its settings, in order; empty for a subject that always
    /// gives the same answer.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] when an entry of the grid has no value or a pipeline refuses one.
    pub fn candidates(&self) -> Result<Vec<(String, Pipeline)>> {
        let Subject::Pipeline(start) = &self.subject else { return Ok(Vec::new()) };
        let mut all = vec![(String::new(), Pipeline::clone(start))];
        for (paths, values) in &self.grid {
            if values.is_empty() {
                return Err(Error::parameter(paths, ParameterError::NothingToChoose));
            }
            let mut next = Vec::with_capacity(all.len() * values.len());
            for (settings, pipeline) in &all {
                for value in values {
                    let mut varied = pipeline.clone();
                    paths.split(',').try_for_each(|path| varied.set(path.trim(), value))?;
                    let name = paths.split(',').next().unwrap_or(paths).trim();
                    let comma = if settings.is_empty() { "" } else { ", " };
                    next.push((format!("{settings}{comma}{name}={value}"), varied));
                }
            }
            all = next;
        }
        Ok(all)
    }
}
