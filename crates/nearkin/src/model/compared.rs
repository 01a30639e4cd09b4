//! [`Compared`]: training rows that queries are compared with, by one measure or several.

use super::columns::check_columns;
use super::measures::SavedMeasure;
use crate::classify::Classify;
use crate::data::{Classes, SimilarityMatrix, Table, Target};
use crate::measure::pairwise::{FittedMeasure, PairMeasure};
use crate::{Result, Run};

/// Training rows with the measures that were fitted on them.
#[derive(Debug)]
pub struct Compared {
    measures: Vec<Box<dyn FittedMeasure>>,
    rows: Table<'static>,
    /// Further rows that the classifier wants to have compared.
    beside: Option<Table<'static>>,
}

impl Compared {
    /// Fit `measures` on training rows, for `classifier`.
    pub fn fit(
        classifier: &dyn Classify,
        measures: &[Box<dyn PairMeasure>],
        rows: Table<'static>,
        classes: &Classes,
    ) -> Result<Self> {
        let target = Target::Classes(classes.clone());
        let fitted = measures.iter().map(|measure| measure.fit(&rows, Some(&target)));
        let measures = fitted.collect::<Result<_>>()?;
        Self::new(classifier, measures, rows, classes)
    }

    /// What was saved of the measures, ready again.
    pub(super) fn restore(
        classifier: &dyn Classify,
        saved: &[SavedMeasure],
        rows: &Table<'static>,
        classes: &Classes,
    ) -> Result<Self> {
        let measures = saved.iter().map(SavedMeasure::restore).collect::<Result<_>>()?;
        Self::new(classifier, measures, rows.clone(), classes)
    }

    fn new(
        classifier: &dyn Classify,
        measures: Vec<Box<dyn FittedMeasure>>,
        rows: Table<'static>,
        classes: &Classes,
    ) -> Result<Self> {
        let beside = classifier.references(&rows, classes)?;
        Ok(Self { measures, rows, beside })
    }

    /// The similarities of the training rows with each other, a matrix a measure.
    pub fn own(&self, run: &Run) -> Result<Vec<SimilarityMatrix<'static>>> {
        self.blocks(&self.rows, run)
    }

    /// The similarities of the rows of `table` to the training rows, a matrix a measure.
    pub fn similarities(&self, table: &Table, run: &Run) -> Result<Vec<SimilarityMatrix<'static>>> {
        let names: Vec<String> = self.rows.names().map(str::to_owned).collect();
        check_columns(&names, table)?;
        self.blocks(table, run)
    }

    fn blocks(&self, queries: &Table, run: &Run) -> Result<Vec<SimilarityMatrix<'static>>> {
        let blocks = self.measures.iter().map(|measure| {
            let s = measure.block_with(queries, &self.rows, run)?;
            match &self.beside {
                None => Ok(s),
                Some(beside) => s.beside(&measure.block_with(queries, beside, run)?),
            }
        });
        blocks.collect()
    }
}
