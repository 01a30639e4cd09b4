//! A measure of pairs that learns from training rows in blocks, never all in one place.
//!
//! Summaries of the blocks merge into the summary of every column ([`TableSummary`]). Counts made
//! under that summary add up in any order. Sums for deviations go from block to block. The result
//! has the bits of [`PairMeasure::fit`] on all rows.
//!
//! ```text
//! read each block ─▶ TableSummary::of, merged ─▶ Learning ─▶ count, add_deviations ─▶ fitted
//! ```

use std::borrow::Cow;

use super::rows::{by_category, refuse_numbers};
use super::{BoxedMeasure, PairMeasure};
use crate::data::{
    Classes, ColumnSummary, Encoder, Table, TableSummary, add_deviations, deviations,
};
use crate::{DataError, MeasureError, Result};

/// Facts that a measure needs about its training rows, beside the summary of every column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MeasureNeeds {
    /// [`Learning::count`] of all blocks, added up.
    pub counts: bool,
    /// [`Learning::add_deviations`] over all blocks in order, twice.
    pub deviations: bool,
    /// Why all rows have to be in one place; none where they need not.
    pub whole: Option<&'static str>,
}

/// A block as the measure reads it: for some, numbers are categories.
///
/// # Errors
/// A column of more categories than there are codes.
pub fn read<'t>(measure: &dyn PairMeasure, table: &'t Table<'t>) -> Result<Cow<'t, Table<'t>>> {
    match measure.of_categories() {
        Some(_) => by_category(table, |_, _| Ok(())).map(Cow::Owned),
        None => Ok(Cow::Borrowed(table)),
    }
}

/// A measure that is about to learn from rows with this summary.
pub struct Learning {
    measure: Box<dyn PairMeasure>,
    summary: TableSummary,
    encoder: Encoder,
    classes: Vec<String>,
}

impl Learning {
    /// Make `measure` ready for training rows whose blocks, each [`read`], have this summary.
    /// `numeric` says which columns were numbers before.
    ///
    /// # Errors
    /// Settings out of range, columns that the measure cannot compare, or one of too many
    /// different numbers.
    pub fn new(
        measure: Box<dyn PairMeasure>,
        summary: TableSummary,
        classes: Vec<String>,
        numeric: &[bool],
    ) -> Result<Self> {
        measure.check()?;
        if let Some(instead) = measure.of_categories() {
            let columns = summary.names.iter().zip(&summary.columns).zip(numeric);
            for ((name, column), _) in columns.filter(|(_, numeric)| **numeric) {
                if let ColumnSummary::Nominal { categories, .. } = column {
                    refuse_numbers(name, categories.len(), (measure.about().id, instead))?;
                }
            }
        }
        let encoder = summary.encoder(&[])?;
        measure.check_columns(&encoder)?;
        Ok(Self { measure, summary, encoder, classes })
    }

    /// Facts that are needed before rows can be compared.
    pub fn needs(&self) -> MeasureNeeds {
        self.measure.needs(&self.encoder)
    }

    /// Whole numbers that a block, with these class codes, adds to those of others.
    ///
    /// # Errors
    /// Another number of codes than of rows, or columns unlike those of the summary.
    pub fn count(&self, table: &Table, codes: Vec<u32>) -> Result<Vec<u64>> {
        let table = read(self.measure.as_ref(), table)?;
        let rows = self.encoder.encode(table.as_ref())?.wide();
        if codes.len() != rows.len() {
            let (table, target) = (rows.len(), codes.len());
            return Err(DataError::RowsDisagree { table, target }.into());
        }
        let classes = Classes::among(codes, self.classes.clone())?;
        Ok(self.measure.count(&self.encoder, &rows, &classes))
    }

    /// Add a block to the sums for deviations. In the first pass `into` are sums, from zeros. In
    /// the second, with `sums` of all blocks, they are squares about the mean, again from zeros.
    /// Each has two numbers for a numeric column, and blocks come in order.
    ///
    /// # Errors
    /// Columns unlike those of the summary.
    pub fn add_deviations(
        &self,
        table: &Table,
        sums: Option<&[f64]>,
        into: &mut [f64],
    ) -> Result<()> {
        let table = read(self.measure.as_ref(), table)?;
        let rows = self.encoder.encode(table.as_ref())?;
        add_deviations(&self.encoder, &rows, sums, into);
        Ok(())
    }

    /// The measure, fitted: `counts` are those of all blocks, `squares` the result of the second
    /// pass of [`Learning::add_deviations`]; either is empty where the measure needs none.
    ///
    /// # Errors
    /// A measure that needs all rows, or counts of another length.
    pub fn fitted(&self, counts: &[u64], squares: &[f64]) -> Result<BoxedMeasure> {
        let encoder = match squares {
            [] => self.encoder.clone(),
            _ => self.summary.encoder(&deviations(&self.encoder, squares))?,
        };
        if let Some(whole) = self.needs().whole {
            let measure = self.measure.about().id;
            return Err(MeasureError::NeedsAllRows { measure, why: whole }.into());
        }
        let more = self.measure.counted(&encoder, counts, self.classes.len())?;
        self.measure.restore(&more.with("columns", encoder.parts()))
    }
}
