//! [`TableSummary`]: summary of every column of a block of rows, for tables that come in blocks.

use std::collections::HashSet;

use super::{Column, ColumnValues, Encoder, FittedColumn, MISSING, Rows, Table};
use crate::{DataError, Result};

/// Summary of a column of a block of rows.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnSummary {
    /// A numeric column: its smallest and largest known value (∞ and −∞ where none is known) and
    /// its number of missing cells.
    Numeric {
        /// Smallest known value.
        low: f64,
        /// Largest known value.
        high: f64,
        /// Missing cells.
        missing: usize,
    },
    /// A nominal column: its categories in order of code and its number of missing cells.
    Nominal {
        /// Category names.
        categories: Vec<String>,
        /// Missing cells.
        missing: usize,
    },
}

impl ColumnSummary {
    /// Number of missing cells.
    pub fn missing(&self) -> usize {
        match self {
            Self::Numeric { missing, .. } | Self::Nominal { missing, .. } => *missing,
        }
    }

    fn of(column: &Column) -> Result<Self> {
        fn numbers(cells: impl Iterator<Item = f64>) -> ColumnSummary {
            let (mut low, mut high, mut missing) = (f64::INFINITY, f64::NEG_INFINITY, 0);
            for cell in cells {
                (low, high) = (low.min(cell), high.max(cell));
                missing += usize::from(cell.is_nan());
            }
            ColumnSummary::Numeric { low, high, missing }
        }
        match &column.values {
            ColumnValues::F64(lane) => Ok(numbers(lane.iter())),
            ColumnValues::F32(lane) => Ok(numbers(lane.iter().map(f64::from))),
            ColumnValues::Nominal { codes, categories } => Ok(Self::Nominal {
                categories: categories.clone(),
                missing: codes.iter().filter(|&&code| code == MISSING).count(),
            }),
            ColumnValues::Genotype(_) => {
                Err(DataError::GenotypesInBlocks { column: column.name.clone() }.into())
            }
        }
    }
}

/// Summary of every column of a block of rows; those of several blocks merge.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct TableSummary {
    /// Number of rows.
    pub rows: usize,
    /// Column names.
    pub names: Vec<String>,
    /// Summary of each column.
    pub columns: Vec<ColumnSummary>,
}

impl TableSummary {
    /// Summarise a block.
    ///
    /// # Errors
    /// A column of genotypes.
    pub fn of(table: &Table) -> Result<Self> {
        Ok(Self {
            rows: table.rows(),
            names: table.names().map(str::to_owned).collect(),
            columns: table.columns().iter().map(ColumnSummary::of).collect::<Result<_>>()?,
        })
    }

    /// The summary of these rows and the rows after them. Categories come in the order of their
    /// first block.
    ///
    /// # Errors
    /// Columns of other names or kinds.
    pub fn merge(mut self, next: &Self) -> Result<Self> {
        if self.names != next.names {
            let (columns, others) = (self.names, next.names.clone());
            return Err(DataError::BlocksDisagree { columns, others }.into());
        }
        for ((mine, theirs), name) in self.columns.iter_mut().zip(&next.columns).zip(&self.names) {
            match (mine, theirs) {
                (
                    ColumnSummary::Numeric { low, high, missing },
                    ColumnSummary::Numeric { low: l, high: h, missing: m },
                ) => (*low, *high, *missing) = (low.min(*l), high.max(*h), *missing + m),
                (
                    ColumnSummary::Nominal { categories, missing },
                    ColumnSummary::Nominal { categories: c, missing: m },
                ) => {
                    let known: HashSet<&String> = categories.iter().collect();
                    let new: Vec<String> =
                        c.iter().filter(|c| !known.contains(c)).cloned().collect();
                    categories.extend(new);
                    *missing += m;
                }
                _ => {
                    return Err(DataError::KindsDisagree { column: name.clone() }.into());
                }
            }
        }
        self.rows += next.rows;
        Ok(self)
    }

    /// True when any cell is missing.
    pub fn has_missing(&self) -> bool {
        self.columns.iter().any(|column| column.missing() > 0)
    }

    /// Names of the constant columns, and of the all-missing ones.
    pub(crate) fn silent(&self) -> (Vec<&str>, Vec<&str>) {
        let named = |wanted: &dyn Fn(&ColumnSummary) -> bool| {
            let columns = self.names.iter().zip(&self.columns);
            columns.filter(|(_, c)| wanted(c)).map(|(name, _)| name.as_str()).collect()
        };
        let empty = |column: &ColumnSummary| column.missing() == self.rows;
        let constant = |column: &ColumnSummary| {
            let same = match column {
                ColumnSummary::Numeric { low, high, .. } => low == high,
                ColumnSummary::Nominal { categories, .. } => categories.len() == 1,
            };
            same && column.missing() == 0 && !empty(column)
        };
        (named(&constant), named(&empty))
    }

    /// The encoder that a fit on all rows gives, with these deviations of the numeric columns.
    ///
    /// # Errors
    /// A column whose range is beyond double precision.
    pub fn encoder(&self, deviations: &[f64]) -> Result<Encoder> {
        let mut deviations = deviations.iter().copied();
        let fitted = self.names.iter().zip(&self.columns).map(|(name, column)| match column {
            ColumnSummary::Numeric { low, high, .. } => {
                let (min, max) = if low > high { (0.0, 0.0) } else { (*low, *high) };
                if !(max - min).is_finite() {
                    let (column, low, high) = (name.clone(), min, max);
                    return Err(DataError::TooWide { column, low, high }.into());
                }
                let deviation = deviations.next().unwrap_or(0.0);
                Ok(FittedColumn::Numeric { min, max, mean: min, deviation })
            }
            ColumnSummary::Nominal { categories, .. } => {
                Ok(FittedColumn::Nominal { categories: categories.clone() })
            }
        });
        Ok(Encoder::of(self.names.clone(), fitted.collect::<Result<_>>()?))
    }
}

/// The ranges of the numeric columns.
fn ranges(encoder: &Encoder) -> impl Iterator<Item = (f64, f64)> {
    encoder.columns().iter().filter_map(|fitted| match fitted {
        FittedColumn::Numeric { min, max, .. } => Some((*min, *max)),
        FittedColumn::Nominal { .. } | FittedColumn::Genotype => None,
    })
}

/// Add rows to the sums for deviations. In the first pass `into` are sums, from zeros. In the
/// second, with `sums` of all rows, they are squares about the mean, again from zeros. Each has
/// two numbers for a numeric column.
///
/// Blocks come in order: the sums are those of one pass over all rows.
pub(crate) fn add_deviations(
    encoder: &Encoder,
    rows: &Rows,
    sums: Option<&[f64]>,
    into: &mut [f64],
) {
    for ((column, (low, high)), into) in ranges(encoder).enumerate().zip(into.chunks_exact_mut(2)) {
        let unit = |x: f64| (x - low) / (high - low);
        let mean = sums.map(|sums| sums[2 * column + 1] / sums[2 * column]);
        let known = (0..rows.len()).map(|row| rows.number(row, column));
        for x in known.filter(|x| !x.is_nan()).map(unit) {
            into[0] += 1.0;
            into[1] += mean.map_or(x, |mean| (x - mean) * (x - mean));
        }
    }
}

/// The deviations, from the result of the second pass of [`add_deviations`].
pub(crate) fn deviations(encoder: &Encoder, squares: &[f64]) -> Vec<f64> {
    let of = |(of, (low, high)): (&[f64], (f64, f64))| match high > low {
        true => (of[1] / of[0]).sqrt() * (high - low),
        false => 0.0,
    };
    squares.chunks_exact(2).zip(ranges(encoder)).map(of).collect()
}
