//! [`Summary`]: what a block of rows says of every column, before anybody knows the whole.

use crate::data::{Column, MISSING, Table, Values};
use crate::{Error, Result};

/// What a block of rows says of a column.
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
            Values::F64(lane) => Ok(numbers(lane.iter())),
            Values::F32(lane) => Ok(numbers(lane.iter().map(f64::from))),
            Values::Nominal { codes, categories } => Ok(Self::Nominal {
                categories: categories.clone(),
                missing: codes.iter().filter(|&&code| code == MISSING).count(),
            }),
            Values::Genotype(_) => Err(Error::data(format!(
                "column `{}` holds genotypes, which are not weighed in blocks; read it as nominal",
                column.name
            ))),
        }
    }
}

/// What a block of rows says of every column; those of several blocks merge.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Number of rows.
    pub rows: usize,
    /// Column names.
    pub names: Vec<String>,
    /// What is seen of each column.
    pub columns: Vec<ColumnSummary>,
}

impl Summary {
    /// Look through a block.
    pub fn of(table: &Table) -> Result<Self> {
        Ok(Self {
            rows: table.rows(),
            names: table.names().map(str::to_owned).collect(),
            columns: table.columns().iter().map(ColumnSummary::of).collect::<Result<_>>()?,
        })
    }

    /// The summary of these rows and the rows after them. Categories come in the order in which
    /// blocks bring them up.
    pub fn merge(mut self, next: &Self) -> Result<Self> {
        if self.names != next.names {
            return Err(Error::data(format!(
                "a block has the columns {} and another {}; blocks of one table have the same",
                self.names.join(", "),
                next.names.join(", ")
            )));
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
                    let new: Vec<&String> = c.iter().filter(|c| !categories.contains(c)).collect();
                    categories.extend(new.into_iter().cloned());
                    *missing += m;
                }
                _ => {
                    return Err(Error::data(format!(
                        "column `{name}` is numeric in one block and nominal in another; say which \
                         columns are categorical"
                    )));
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

    /// Names of the columns that never change, and of those that know nothing.
    pub(super) fn silent(&self) -> (Vec<&str>, Vec<&str>) {
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
}
