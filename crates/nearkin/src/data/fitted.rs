//! [`FittedColumn`]: range or categories of a column in the training rows.

use super::reach::Reach;
use super::{Column, ColumnValues};
use crate::Result;

/// Range or categories of a column in the training rows.
#[derive(Debug, Clone, PartialEq)]
pub enum FittedColumn {
    /// A numeric column: its range, mean and standard deviation (divisor n) over known cells.
    Numeric {
        /// Smallest known value.
        min: f64,
        /// Largest known value.
        max: f64,
        /// Mean of the known values.
        mean: f64,
        /// Their standard deviation.
        deviation: f64,
    },
    /// A nominal column: its categories in code order.
    Nominal {
        /// Category names.
        categories: Vec<String>,
    },
    /// A column of genotypes: the categories 0, 1 and 2.
    Genotype,
}

impl FittedColumn {
    /// Learn it from a column.
    pub(super) fn of(column: &Column) -> Result<Self> {
        match &column.values {
            ColumnValues::Nominal { categories, .. } => {
                Ok(FittedColumn::Nominal { categories: categories.clone() })
            }
            ColumnValues::F64(lane) => match lane.as_slice() {
                Some(cells) => fit_numbers(&column.name, || cells.iter().copied()),
                None => fit_numbers(&column.name, || lane.iter()),
            },
            ColumnValues::F32(lane) => fit_numbers(&column.name, || lane.iter().map(f64::from)),
            ColumnValues::Genotype(cells) if cells.is_additive() => {
                let copies =
                    || (0..cells.len()).map(|row| cells.at(row).map_or(f64::NAN, f64::from));
                fit_numbers(&column.name, copies).map(with_whole_range)
            }
            ColumnValues::Genotype(_) => Ok(FittedColumn::Genotype),
        }
    }

    /// Kind of its cells: `numeric`, `nominal` or `genotype`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Numeric { .. } => "numeric",
            Self::Nominal { .. } => "nominal",
            Self::Genotype => "genotype",
        }
    }
}

/// Kind of a column once it is encoded.
pub(super) fn encoded_as(column: &Column) -> &'static str {
    match &column.values {
        ColumnValues::Genotype(cells) if cells.is_additive() => "numeric",
        _ => column.kind(),
    }
}

/// The range of copies is 0 to 2, even where not all occur; a constant column stays constant.
fn with_whole_range(fitted: FittedColumn) -> FittedColumn {
    match fitted {
        FittedColumn::Numeric { min, max, mean, deviation } if max > min => {
            FittedColumn::Numeric { min: 0.0, max: 2.0, mean, deviation }
        }
        constant => constant,
    }
}

fn fit_numbers<I: Iterator<Item = f64>>(name: &str, cells: impl Fn() -> I) -> Result<FittedColumn> {
    Reach::of_cells(cells).fitted(name)
}
