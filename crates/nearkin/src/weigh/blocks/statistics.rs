//! What a [`Frame`] learns from another look at every block: counts and deviations.

use super::{ColumnSummary, Frame, Summary};
use crate::data::{Encoder, Parts, Table, Target};
use crate::measure::{Counts, Missing, Scaling, Unknown};
use crate::{Error, Result};

/// What a frame needs to know beside the summary, from another look at every block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// [`Frame::count`] of all blocks, added up.
    pub counts: bool,
    /// [`Frame::add_deviations`] over all blocks in order, twice.
    pub deviations: bool,
}

impl Frame {
    /// What else has to be known before rows can be compared.
    pub fn needs(&self) -> Needs {
        Needs {
            counts: self.summary.has_missing() && self.method.common.missing == Missing::D,
            deviations: self.method.common.scale == Scaling::ZScore,
        }
    }

    /// Policies that count nothing still ask whether a column knows anything.
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
    pub fn count(&self, table: &Table, target: &Target) -> Result<Vec<u64>> {
        let rows = self.rows(table)?;
        let labels = self.labels(target, rows.len())?;
        Ok(Counts::of(&self.encoder, &rows, labels.codes(), self.classes()).flat())
    }

    /// The frame that knows the counts of all blocks.
    pub fn with_counts(mut self, counts: &[u64]) -> Result<Self> {
        let Some(counts) = Counts::from_flat(&self.encoder, self.classes(), counts) else {
            return Err(Error::data("these are not the counts of all columns"));
        };
        let unknown = Unknown::of_counts(self.method.common.missing, &self.encoder, &counts);
        self.measure = self.method.common.measure(&self.encoder, self.method.metric, unknown)?;
        Ok(self)
    }

    /// Add a block to what leads to deviations: first sums, from zeros; once they are those of all
    /// blocks, squares beside them, again from zeros. Two numbers a numeric column each time.
    ///
    /// Blocks come in order: the sums are those of one pass over all rows.
    pub fn add_deviations(
        &self,
        table: &Table,
        sums: Option<&[f64]>,
        into: &mut [f64],
    ) -> Result<()> {
        let rows = self.rows(table)?;
        let ranges = self.measure.range().iter().enumerate();
        for ((column, &(low, high)), into) in ranges.zip(into.chunks_exact_mut(2)) {
            let unit = |x: f64| (x - low) / (high - low);
            let mean = sums.map(|sums| sums[2 * column + 1] / sums[2 * column]);
            let known = (0..rows.len()).map(|row| rows.number(row, column));
            for x in known.filter(|x| !x.is_nan()).map(unit) {
                into[0] += 1.0;
                into[1] += mean.map_or(x, |mean| (x - mean) * (x - mean));
            }
        }
        Ok(())
    }

    /// The frame that knows the deviations, from what the second pass of
    /// [`Frame::add_deviations`] gave.
    pub fn with_deviations(mut self, squares: &[f64]) -> Result<Self> {
        let ranges = self.measure.range().iter();
        let deviations: Vec<f64> = squares
            .chunks_exact(2)
            .zip(ranges)
            .map(|(of, (low, high))| (of[1] / of[0]).sqrt() * (high - low))
            .collect();
        self.encoder = encoder(&self.summary, &deviations)?;
        let unknown = self.measure.unknown().clone();
        self.measure = self.method.common.measure(&self.encoder, self.method.metric, unknown)?;
        Ok(self)
    }
}

/// The encoder that all rows would have given, with these deviations of the numeric columns.
pub(super) fn encoder(summary: &Summary, deviations: &[f64]) -> Result<Encoder> {
    let (mut numbers, mut categories) = (Vec::new(), Vec::new());
    let (mut nominal, mut lengths) = (Vec::new(), Vec::new());
    for (name, column) in summary.names.iter().zip(&summary.columns) {
        match column {
            ColumnSummary::Numeric { low, high, .. } => {
                let (low, high) = if low > high { (0.0, 0.0) } else { (*low, *high) };
                if !(high - low).is_finite() {
                    return Err(Error::data(format!(
                        "column `{name}` reaches from {low:e} to {high:e}, too far apart for double \
                         precision; divide it by a constant"
                    )));
                }
                let deviation = deviations.get(numbers.len() / 4).copied().unwrap_or(0.0);
                numbers.extend([low, high, low, deviation]);
                nominal.push(0);
            }
            ColumnSummary::Nominal { categories: known, .. } => {
                categories.extend(known.iter().cloned());
                lengths.push(known.len() as u32);
                nominal.push(1);
            }
        }
    }
    let parts = Parts::new()
        .with_codes("nominal", nominal)
        .with_texts("names", summary.names.clone())
        .with_numbers("numeric", numbers)
        .with_texts("categories", categories)
        .with_codes("lengths", lengths);
    Encoder::restore(&parts)
}
