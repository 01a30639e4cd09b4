//! Measures that rows of a table are compared by, as a model keeps them: ready ones, ones that a
//! method learns from the training rows, and one that was learned before.

use std::fmt;

use crate::data::{Parts, Table, Target};
use crate::learn::{self, Learn, Learned};
use crate::measure::Similarity;
use crate::measure::pairwise::{self, FittedMeasure, PairMeasure};
use crate::parameter::{About, Parameter, Parameters};
use crate::{Error, Result};

/// A measure of pairs of rows with what it learned from training rows.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedMeasure {
    /// Its id.
    pub id: String,
    /// Its parameters and their values, as a user writes them.
    pub parameters: Vec<(String, String)>,
    /// What it learned.
    pub parts: Parts,
}

impl SavedMeasure {
    /// Fit `measure` on training rows and keep what it learned.
    pub(super) fn fit(measure: &dyn PairMeasure, table: &Table, target: &Target) -> Result<Self> {
        let fitted = measure.fit(table, Some(target))?;
        let parameters = measure.parameters().into_iter().map(|p| (p.name.to_owned(), p.default));
        Ok(Self {
            id: measure.about().id.into(),
            parameters: parameters.collect(),
            parts: fitted.parts(),
        })
    }

    pub(super) fn restore(&self) -> Result<Box<dyn FittedMeasure>> {
        if self.id == KNOWN {
            return Ok(Box::new(Similarity::restore(&self.parts)?));
        }
        let mut measure = measure(&self.id)?;
        for (name, text) in &self.parameters {
            measure.try_set(name, text)?;
        }
        measure.restore(&self.parts)
    }
}

/// The measure called `id`: of [`pairwise::measures`], or one that the method of that id learns
/// from the training rows it is fitted on.
pub fn measure(id: &str) -> Result<Box<dyn PairMeasure>> {
    match (pairwise::measure(id), learn::method(id)) {
        (Ok(measure), _) => Ok(measure),
        (Err(_), Ok(method)) => Ok(Box::new(ByLearning(method))),
        (Err(unknown), Err(_)) => {
            let learners: Vec<&str> = learn::methods().iter().map(|one| one.about().id).collect();
            let reason = match unknown {
                Error::Parameter { reason, .. } => reason,
                other => return Err(other),
            };
            let reason = format!("{reason}, and those that learn one: {}", learners.join(", "));
            Err(Error::parameter("measure", reason))
        }
    }
}

/// A similarity that was learned before, as a measure.
pub fn learned_measure(learned: &Learned) -> Result<Box<dyn PairMeasure>> {
    let similarity = only(learned)?;
    similarity.check_savable()?;
    Ok(Box::new(Known(similarity.clone())))
}

/// The one similarity that was learned.
fn only(learned: &Learned) -> Result<&Similarity> {
    match &learned.models[..] {
        [one] => Ok(&one.similarity),
        several => Err(Error::data(format!(
            "{} similarities were learned, one a class, and a measure is one; learn with mode \
             multi-class",
            several.len()
        ))),
    }
}

/// A measure that a method learns.
struct ByLearning(Box<dyn Learn>);

impl fmt::Debug for ByLearning {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "ByLearning({})", self.0.about().id)
    }
}

impl crate::parameter::sealed::Sealed for ByLearning {}

impl Parameters for ByLearning {
    fn parameters(&self) -> Vec<Parameter> {
        self.0.parameters()
    }

    fn try_set(&mut self, name: &str, text: &str) -> Result<bool> {
        self.0.try_set(name, text)
    }

    fn check(&self) -> Result<()> {
        self.0.check()
    }
}

impl PairMeasure for ByLearning {
    fn about(&self) -> About {
        self.0.about()
    }

    fn supervised(&self) -> bool {
        true
    }

    fn fit_checked(
        &self,
        table: &Table,
        target: Option<&Target>,
    ) -> Result<Box<dyn FittedMeasure>> {
        let Some(target) = target else {
            return Err(Error::data("a similarity is learned from classes, and there are none"));
        };
        Ok(Box::new(only(&self.0.fit(table, target)?)?.clone()))
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn FittedMeasure>> {
        Ok(Box::new(Similarity::restore(parts)?))
    }
}

/// What a saved measure is called that was learned before.
const KNOWN: &str = "learned";

/// A similarity that is known already; fitting changes nothing of it.
#[derive(Debug)]
struct Known(Similarity);

impl crate::parameter::sealed::Sealed for Known {}

impl Parameters for Known {
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    fn try_set(&mut self, _: &str, _: &str) -> Result<bool> {
        Ok(false)
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }
}

impl PairMeasure for Known {
    fn about(&self) -> About {
        About {
            id: KNOWN,
            title: "A learned similarity",
            summary: "a similarity that was learned before, from rows of its own",
            reference: "the model it is taken from",
        }
    }

    fn fit_checked(&self, _: &Table, _: Option<&Target>) -> Result<Box<dyn FittedMeasure>> {
        Ok(Box::new(self.0.clone()))
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn FittedMeasure>> {
        Ok(Box::new(Similarity::restore(parts)?))
    }
}
