//! [`GivenColumns`]: covariates and strata, which a test takes as given.

use std::collections::{BTreeMap, BTreeSet};

use nearkin::data::{Column, ColumnValues, MISSING, Table};

use crate::error::{ReadError, Result};
use crate::loaded::Loaded;

/// Groups of rows, as one column tells them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strata {
    /// The column.
    pub name: String,
    /// The group of each row; `None` where the cell is missing. Groups are numbered in the order
    /// of their cells, whatever the order of rows.
    pub codes: Vec<Option<u32>>,
}

impl Strata {
    /// The groups of rows that agree in a column.
    pub(crate) fn of_column(column: &Column<'_>) -> Self {
        let codes = match &column.values {
            ColumnValues::Nominal { codes, .. } => {
                codes.iter().map(|&code| (code != MISSING).then_some(u32::from(code))).collect()
            }
            ColumnValues::Genotype(cells) => {
                (0..cells.len()).map(|row| cells.at(row).map(u32::from)).collect()
            }
            ColumnValues::F64(lane) => ranked(lane.iter().map(key).collect()),
            ColumnValues::F32(lane) => {
                ranked(lane.iter().map(|value| key(f64::from(value))).collect())
            }
        };
        Self { name: column.name.clone(), codes }
    }

    /// The groups of rows that have the same text.
    pub(crate) fn of_texts<'t>(name: &str, texts: impl Iterator<Item = Option<&'t str>>) -> Self {
        Self { name: name.to_owned(), codes: ranked(texts.collect()) }
    }

    /// The groups of some rows.
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        Self { name: self.name.clone(), codes: rows.iter().map(|&row| self.codes[row]).collect() }
    }
}

/// A number as something in its order; none for NaN.
fn key(value: f64) -> Option<i64> {
    let bits = (value + 0.0).to_bits() as i64;
    (!value.is_nan()).then_some(bits ^ (((bits >> 63) as u64) >> 1) as i64)
}

/// The rank of each value among the different ones.
fn ranked<T: Ord>(values: Vec<Option<T>>) -> Vec<Option<u32>> {
    let different: BTreeSet<&T> = values.iter().flatten().collect();
    let ranks: BTreeMap<&T, u32> = different.into_iter().zip(0..).collect();
    values.iter().map(|value| value.as_ref().and_then(|value| ranks.get(value).copied())).collect()
}

/// What to do where a covariate or a stratum is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingCovariate {
    /// An error that names the row.
    #[default]
    Refuse,
    /// The mean of the column takes the place of a missing number. Missing categories and strata
    /// are an error.
    Mean,
    /// The row is left out.
    Drop,
}

/// Covariates and strata of the rows of a table.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct GivenColumns {
    /// The covariates, without missing cells.
    pub covariates: Option<Table<'static>>,
    /// The stratum of each row. Rows that agree in all columns that tell strata are one stratum.
    pub strata: Option<Vec<u32>>,
    /// The columns that tell strata.
    pub strata_names: Vec<String>,
    /// The number of rows left out because a covariate or a stratum is missing.
    pub dropped: usize,
    /// The number of covariate cells that the mean took the place of.
    pub filled: usize,
}

impl Loaded {
    /// The covariates and strata, taken out; rows without them are treated as `missing` says,
    /// `file` being the table's name in errors.
    ///
    /// ```
    /// use nearkin_read::{MissingCovariate, Options, read_bytes};
    /// let file = b"snp,age,ward,sick\n1,40,a,no\n2,,a,yes\n0,60,b,no\n";
    /// let (covariates, strata) = (vec!["age".into()], vec!["ward".into()]);
    /// let options = Options { covariates, strata, ..Options::default() };
    /// let mut loaded = read_bytes(file, "t.csv", &options)?;
    /// assert_eq!(loaded.table.names().collect::<Vec<_>>(), ["snp"]);
    /// let given = loaded.take_given("t.csv", MissingCovariate::Drop)?;
    /// assert_eq!((loaded.table.rows(), given.dropped), (2, 1));
    /// assert_eq!(given.strata, Some(vec![0, 1]));
    /// # Ok::<(), nearkin_read::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// A missing cell where `missing` has no way out, named by its row; no row left.
    pub fn take_given(&mut self, file: &str, missing: MissingCovariate) -> Result<GivenColumns> {
        let mut given = GivenColumns::default();
        if missing == MissingCovariate::Mean {
            given.filled = self.covariates.iter_mut().map(fill).sum();
        }
        let rows = self.table.rows();
        let lacking = |row: usize| {
            let covariate = self.covariates.iter().find(|column| column.is_missing(row));
            let stratum = || self.strata.iter().find(|strata| strata.codes[row].is_none());
            covariate.map(|c| c.name.as_str()).or_else(|| stratum().map(|s| s.name.as_str()))
        };
        let kept: Vec<usize> = (0..rows).filter(|&row| lacking(row).is_none()).collect();
        if kept.len() < rows {
            let first = (0..rows).find_map(|row| Some((row, lacking(row)?)));
            if let (Some((row, name)), true) = (first, missing != MissingCovariate::Drop) {
                let (file, place, column) = (file.to_owned(), self.place(row), name.to_owned());
                let (count, filling) = (rows - kept.len(), missing == MissingCovariate::Mean);
                return Err(match filling {
                    false => ReadError::MissingCovariate { file, place, column, count },
                    true => ReadError::NoMean { file, place, column },
                });
            }
            if kept.is_empty() {
                return Err(ReadError::NoCompleteRow { file: file.to_owned() });
            }
            given.dropped = rows - kept.len();
            self.select_rows(&kept).map_err(|e| ReadError::table(file, e))?;
        }
        let covariates = std::mem::take(&mut self.covariates);
        let strata = std::mem::take(&mut self.strata);
        if !covariates.is_empty() {
            given.covariates = Some(Table::new(covariates).map_err(|e| ReadError::table(file, e))?);
        }
        if !strata.is_empty() {
            let tuple = |row: usize| -> Vec<u32> {
                strata.iter().filter_map(|strata| strata.codes[row]).collect()
            };
            let all = (0..self.table.rows()).map(|row| Some(tuple(row))).collect();
            given.strata = Some(ranked(all).into_iter().flatten().collect());
            given.strata_names = strata.into_iter().map(|strata| strata.name).collect();
        }
        Ok(given)
    }

    /// Where `row` stands, in words.
    fn place(&self, row: usize) -> String {
        let place = match self.row_lines.get(row) {
            Some(line) => format!("line {line}"),
            None => format!("row {row} (counted from 0)"),
        };
        match self.row_names.get(row) {
            Some(name) => format!("{place}, sample `{name}`"),
            None => place,
        }
    }

    /// The features, taken out; a table without columns stays until another takes its place.
    pub(crate) fn take_columns(&mut self) -> Vec<Column<'static>> {
        let none = self.table.select_columns(&[]).into_owned();
        std::mem::replace(&mut self.table, none).into_columns()
    }

    /// Keeps these rows alone.
    ///
    /// Columns go one by one, so that no two tables are held.
    pub(crate) fn select_rows(&mut self, rows: &[usize]) -> nearkin::Result<()> {
        let columns = self.take_columns().into_iter().map(|column| column.select(rows));
        self.table = Table::new(columns.collect())?;
        self.target = self.target.as_ref().map(|target| target.select(rows));
        if !self.row_lines.is_empty() {
            self.row_lines = rows.iter().map(|&row| self.row_lines[row]).collect();
        }
        if !self.row_names.is_empty() {
            self.row_names = rows.iter().map(|&row| self.row_names[row].clone()).collect();
        }
        self.samples = self.samples.as_ref().map(|samples| samples.select(rows));
        self.covariates = self.covariates.iter().map(|column| column.select(rows)).collect();
        self.strata = self.strata.iter().map(|strata| strata.select(rows)).collect();
        Ok(())
    }
}

/// Puts the mean of a column of numbers into its missing cells; how many there were. Genotypes
/// are numbers of copies from then on.
fn fill(column: &mut Column<'static>) -> usize {
    let values: Vec<f64> = match &column.values {
        ColumnValues::F64(lane) => lane.iter().collect(),
        ColumnValues::F32(lane) => lane.iter().map(f64::from).collect(),
        ColumnValues::Genotype(cells) => {
            (0..cells.len()).map(|row| cells.at(row).map_or(f64::NAN, f64::from)).collect()
        }
        ColumnValues::Nominal { .. } => return 0,
    };
    let mut known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let missing = values.len() - known.len();
    if missing == 0 || known.is_empty() {
        return 0;
    }
    // Added up in the order of size, so that the mean does not depend on the order of rows.
    known.sort_by(f64::total_cmp);
    let count = known.len() as f64;
    let mean = known.iter().map(|value| value / count).sum::<f64>();
    let filled = values.into_iter().map(|value| if value.is_nan() { mean } else { value });
    *column = Column::numeric(column.name.clone(), filled.collect());
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_in_the_order_of_their_cells() {
        let column = |values: Vec<f64>| Strata::of_column(&Column::numeric("x", values)).codes;
        assert_eq!(
            column(vec![2.0, -1.0, f64::NAN, 0.0, -0.0, -3.5]),
            [Some(3), Some(1), None, Some(2), Some(2), Some(0)]
        );
        let texts = [Some("b"), None, Some("a"), Some("b")];
        assert_eq!(
            Strata::of_texts("x", texts.into_iter()).codes,
            [Some(1), None, Some(0), Some(1)]
        );
    }
}
