//! [`SavedMeasure`]: a measure with what it learned, as a model keeps it.

use crate::Result;
use crate::compare::{KNOWN, measure};
use crate::data::{Parts, Table, Target};
use crate::measure::Similarity;
use crate::measure::pairwise::{FittedMeasure, PairMeasure};

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
