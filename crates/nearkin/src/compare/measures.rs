//! Measures that rows of a table are compared by: ready ones, ones that a method learns from the
//! training rows, and one that was learned before.

use std::fmt;

use crate::data::{Parts, Table, Target};
use crate::learn::{self, Learn, Learned};
use crate::measure::Similarity;
use crate::measure::pairwise::{self, FittedMeasure, PairMeasure};
use crate::parameter::{About, Parameter, Parameters};
use crate::{Error, LearnError, ParameterError, Result};

/// The measure called `id`: of [`pairwise::measures`], or one that the method of that id learns
/// from the training rows it is fitted on.
///
/// # Errors
/// When there is no such measure.
pub fn measure(id: &str) -> Result<Box<dyn PairMeasure>> {
    match (pairwise::measure(id), learn::method(id)) {
        (Ok(measure), _) => Ok(measure),
        (Err(_), Ok(method)) => Ok(Box::new(ByLearning(method))),
        (Err(unknown), Err(_)) => {
            let learners = learn::methods().iter().map(|one| one.about().id).collect();
            let known = match unknown {
                Error::Parameter { reason: ParameterError::NoSuchMethod { known, .. }, .. } => {
                    known
                }
                other => return Err(other),
            };
            let reason = ParameterError::NoSuchMeasure { id: id.to_owned(), known, learners };
            Err(Error::parameter("measure", reason))
        }
    }
}

/// A similarity that was learned before, as a measure.
///
/// # Errors
/// When there is one for each class, or it cannot be saved.
pub fn learned_measure(learned: &Learned) -> Result<Box<dyn PairMeasure>> {
    let similarity = only(learned)?;
    similarity.check_savable()?;
    Ok(Box::new(Known(similarity.clone())))
}

/// The one similarity that was learned.
fn only(learned: &Learned) -> Result<&Similarity> {
    match &learned.models[..] {
        [one] => Ok(&one.similarity),
        several => Err(LearnError::OneForEachClass { similarities: several.len() }.into()),
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
            return Err(LearnError::NoClasses.into());
        };
        Ok(Box::new(only(&self.0.fit(table, target)?)?.clone()))
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn FittedMeasure>> {
        Ok(Box::new(Similarity::restore(parts)?))
    }
}

/// The id of a measure that was learned before.
pub(crate) const KNOWN: &str = "learned";

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
