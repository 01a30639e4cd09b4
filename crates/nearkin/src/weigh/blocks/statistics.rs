//! Statistics that a [`Frame`] needs from another pass over every block: counts and deviations.

use super::{ColumnSummary, Frame};
use crate::data::{Table, Target, add_deviations, deviations};
use crate::measure::{CellCounts, Missing, Scaling, Unknown};
use crate::{Result, WeighError};

/// Statistics that a frame needs beside the summary, from another pass over every block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameNeeds {
    /// [`Frame::count`] of all blocks, added up.
    pub counts: bool,
    /// [`Frame::add_deviations`] over all blocks in order, twice.
    pub deviations: bool,
}

impl Frame {
    /// The statistics that must be known before rows can be compared.
    pub fn needs(&self) -> FrameNeeds {
        FrameNeeds {
            counts: self.summary.has_missing() && self.method.common.missing == Missing::D,
            deviations: self.method.common.scale == Scaling::ZScore,
        }
    }

    /// Policies that count nothing still need to know which columns are all-missing.
    pub(super) fn with_presence(self) -> Result<Self> {
        if self.needs().counts {
            return Ok(self);
        }
        let values = |column: &ColumnSummary| match column {
            ColumnSummary::Numeric { .. } => crate::measure::BINS,
            ColumnSummary::Nominal { categories, .. } => categories.len(),
        };
        let known = self.summary.columns.iter().flat_map(|column| {
            let known = (self.summary.rows - column.missing()) as u64;
            vec![known; values(column) * self.classes()]
        });
        let known: Vec<u64> = known.collect();
        self.with_counts(&known)
    }

    /// Known cells of a block by column, class and value.
    ///
    /// # Errors
    ///
    /// When the block does not fit the summary or its target.
    pub fn count(&self, table: &Table, target: &Target) -> Result<Vec<u64>> {
        let rows = self.rows(table)?;
        let labels = self.labels(target, rows.len())?;
        Ok(CellCounts::of(&self.encoder, &rows, labels.codes(), self.classes()).flat())
    }

    /// The frame that knows the counts of all blocks.
    ///
    /// # Errors
    ///
    /// When the counts are not those of all columns.
    pub fn with_counts(mut self, counts: &[u64]) -> Result<Self> {
        let Some(counts) = CellCounts::from_flat(&self.encoder, self.classes(), counts) else {
            return Err(WeighError::OtherCounts.into());
        };
        let unknown = Unknown::of_counts(self.method.common.missing, &self.encoder, &counts);
        self.measure = self.method.common.measure(&self.encoder, self.method.metric, unknown)?;
        Ok(self)
    }

    /// Add a block to what leads to deviations: first sums, from zeros; once they are those of all
    /// blocks, squares beside them, again from zeros. Two numbers a numeric column each time.
    ///
    /// Blocks come in order: the sums are those of one pass over all rows.
    ///
    /// # Errors
    ///
    /// When the block does not fit the summary.
    pub fn add_deviations(
        &self,
        table: &Table,
        sums: Option<&[f64]>,
        into: &mut [f64],
    ) -> Result<()> {
        add_deviations(&self.encoder, &self.rows(table)?, sums, into);
        Ok(())
    }

    /// The frame that knows the deviations, from what the second pass of
    /// [`Frame::add_deviations`] gave.
    ///
    /// # Errors
    ///
    /// When a column is too wide for its differences to be squared.
    pub fn with_deviations(mut self, squares: &[f64]) -> Result<Self> {
        self.encoder = self.summary.encoder(&deviations(&self.encoder, squares))?;
        let unknown = self.measure.unknown().clone();
        self.measure = self.method.common.measure(&self.encoder, self.method.metric, unknown)?;
        Ok(self)
    }
}
