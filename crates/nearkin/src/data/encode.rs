//! Encoding: a table's rows as plain arrays, with ranges and categories of the training rows.
//!
//! [`Encoder`] is fitted on training rows only and applied to any rows with the same
//! columns. Numbers stay as they are; scaling is a factor for each column, so equal differences of
//! equal numbers stay exactly equal. Categories become codes:
//!
//! * a category not seen in training gets a code of its own, beyond the known ones: it
//!   differs from every training row and equals only the same unseen category;
//! * numbers outside the training range are kept: their scaled difference may exceed 1.

use std::collections::HashMap;

use rayon::prelude::*;

use super::fitted::{FittedColumn, encoded_as};
use super::parts::wrong;
use super::reach::Reach;
use super::rows::{NumericCells, Rows};
use super::table::{Array, runs, whole_array};
use super::{Column, ColumnValues, Genotypes, MISSING, Packed, Parts, Table};
use crate::pool::{chunk_by_chunk, in_pool};
use crate::{DataError, Result};

/// The code for a genotype column in an encoder's saved parts.
const GENOTYPE: u32 = 2;

/// How columns are turned into arrays; fitted on training rows.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Encoder {
    names: Vec<String>,
    fitted: Vec<FittedColumn>,
}

impl Encoder {
    /// Learn ranges and categories from a table.
    ///
    /// Lower bound: a number is read three times, as each pass needs the results of the one
    /// before. Categories are copied, codes are not read.
    ///
    /// # Errors
    /// A column whose range is beyond double precision.
    pub fn fit(table: &Table) -> Result<Self> {
        let mut known = Vec::with_capacity(table.columns().len());
        for (columns, array) in runs(table.columns()) {
            let reaches = array.map(|(array, width)| match array {
                Array::F64(cells) => Reach::of_array(cells, width),
                Array::F32(cells) => Reach::of_array(cells, width),
            });
            let reach = |column: &Column| {
                column.array().and_then(|(.., at)| reaches.as_ref()?.get(at).copied())
            };
            known.extend(columns.iter().map(reach));
        }
        let fit = |(column, known): (&Column, &Option<Reach>)| match known {
            Some(reach) => reach.fitted(&column.name),
            None => FittedColumn::of(column),
        };
        // Threads share the columns, where there are any.
        let fitted: Result<Vec<FittedColumn>> = match in_pool() {
            true => table.columns().par_iter().zip(&known).map(fit).collect(),
            false => table.columns().iter().zip(&known).map(fit).collect(),
        };
        let fitted = fitted?;
        Ok(Self { names: table.names().map(str::to_owned).collect(), fitted })
    }

    /// An encoder of these columns.
    pub(super) fn of(names: Vec<String>, fitted: Vec<FittedColumn>) -> Self {
        Self { names, fitted }
    }

    /// Column names, in table order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Fitted columns, in table order.
    pub fn columns(&self) -> &[FittedColumn] {
        &self.fitted
    }

    /// Table positions of the numeric columns.
    pub fn numeric(&self) -> Vec<usize> {
        self.positions(|f| matches!(f, FittedColumn::Numeric { .. }))
    }

    /// Table positions of the nominal columns, genotypes among them.
    pub fn nominal(&self) -> Vec<usize> {
        self.positions(|f| matches!(f, FittedColumn::Nominal { .. } | FittedColumn::Genotype))
    }

    /// The encoder as parts, so that it can be saved.
    pub fn parts(&self) -> Parts {
        let mut numbers = Vec::new();
        let mut categories = Vec::new();
        let mut lengths = Vec::new();
        for fitted in &self.fitted {
            match fitted {
                FittedColumn::Numeric { min, max, mean, deviation } => {
                    numbers.extend([*min, *max, *mean, *deviation]);
                }
                FittedColumn::Nominal { categories: known } => {
                    lengths.push(known.len() as u32);
                    categories.extend_from_slice(known);
                }
                FittedColumn::Genotype => {}
            }
        }
        let nominal = self.fitted.iter().map(|fitted| match fitted {
            FittedColumn::Numeric { .. } => 0,
            FittedColumn::Nominal { .. } => 1,
            FittedColumn::Genotype => GENOTYPE,
        });
        Parts::new()
            .with_codes("nominal", nominal.collect())
            .with_texts("names", self.names.clone())
            .with_numbers("numeric", numbers)
            .with_texts("categories", categories)
            .with_codes("lengths", lengths)
    }

    /// The encoder these parts were taken from.
    ///
    /// # Errors
    /// Parts that are absent or broken.
    pub fn restore(parts: &Parts) -> Result<Self> {
        let (names, nominal) = (parts.texts("names")?, parts.codes("nominal")?);
        if names.len() != nominal.len() {
            return Err(wrong("nominal", "is not as long as there are columns"));
        }
        let mut numbers = parts.numbers("numeric")?.chunks_exact(4);
        let mut lengths = parts.codes("lengths")?.iter();
        let mut categories = parts.texts("categories")?;
        let mut fitted = Vec::with_capacity(names.len());
        for &nominal in nominal {
            fitted.push(if nominal == GENOTYPE {
                FittedColumn::Genotype
            } else if nominal == 0 {
                let Some(&[min, max, mean, deviation]) = numbers.next() else {
                    return Err(wrong("numeric", "is too short"));
                };
                FittedColumn::Numeric { min, max, mean, deviation }
            } else {
                let length = lengths.next().map_or(usize::MAX, |&length| length as usize);
                let Some((known, rest)) = categories.split_at_checked(length) else {
                    return Err(wrong("categories", "is too short"));
                };
                categories = rest;
                FittedColumn::Nominal { categories: known.to_vec() }
            });
        }
        Ok(Self { names: names.to_vec(), fitted })
    }

    fn positions(&self, wanted: impl Fn(&FittedColumn) -> bool) -> Vec<usize> {
        (0..self.fitted.len()).filter(|&c| wanted(&self.fitted[c])).collect()
    }

    /// Where the columns are in another table: of the same names, in any order, and of the same
    /// kinds.
    pub(crate) fn places(&self, table: &Table) -> Result<Vec<usize>> {
        let by_name: HashMap<&str, usize> =
            table.names().enumerate().map(|(at, name)| (name, at)).collect();
        let place = |(name, fitted): (&String, &FittedColumn)| {
            let at = by_name
                .get(name.as_str())
                .copied()
                .ok_or_else(|| DataError::MissingColumn { column: name.clone() })?;
            let (found, fitted) = (encoded_as(&table.columns()[at]), fitted.kind());
            match found == fitted {
                true => Ok(at),
                false => Err(DataError::OtherKind { column: name.clone(), found, fitted }.into()),
            }
        };
        self.names.iter().zip(&self.fitted).map(place).collect()
    }

    /// Encode a table with the same columns, in any order; extra columns are left out.
    ///
    /// Lower bound: a cell is read once and written once; that of [`Packed::new`] where rows are
    /// packed.
    ///
    /// # Errors
    /// A column that is absent, or of another kind than in training.
    pub fn encode(&self, table: &Table) -> Result<Rows> {
        let places = self.places(table)?;
        let columns: Vec<&Column> = places.iter().map(|&at| &table.columns()[at]).collect();
        let (numeric, nominal) = (self.numeric(), self.nominal());
        let rows = table.rows();
        let single = |c: &usize| {
            matches!(columns[*c].values, ColumnValues::F32(_) | ColumnValues::Genotype(_))
        };
        let in_order: Vec<&Column> = numeric.iter().map(|&c| columns[c]).collect();
        let numbers = if let Some(array) = whole_array(&in_order) {
            match array {
                Array::F64(cells) => NumericCells::F64(cells.to_vec()),
                Array::F32(cells) => NumericCells::F32(cells.to_vec()),
            }
        } else if !numeric.is_empty() && numeric.iter().all(single) {
            NumericCells::F32(row_major(rows, &numeric, |c, r| match &columns[c].values {
                ColumnValues::F32(lane) => lane.at(r),
                ColumnValues::Genotype(cells) => cells.at(r).map_or(f32::NAN, f32::from),
                _ => f32::NAN,
            }))
        } else {
            NumericCells::F64(row_major(rows, &numeric, |c, r| match &columns[c].values {
                ColumnValues::F64(lane) => lane.at(r),
                ColumnValues::F32(lane) => f64::from(lane.at(r)),
                ColumnValues::Genotype(cells) => cells.at(r).map_or(f64::NAN, f64::from),
                ColumnValues::Nominal { .. } => f64::NAN,
            }))
        };
        if let Some(cells) = self.narrow(&columns)? {
            let packed = Packed::new(rows, &cells.iter().map(AsRef::as_ref).collect::<Vec<_>>());
            return Ok(Rows::of_packed(rows, nominal.len(), packed));
        }
        let mut codes = vec![MISSING; rows * nominal.len()];
        for (at, &c) in nominal.iter().enumerate() {
            let mut put = |row: usize, code: u16| codes[row * nominal.len() + at] = code;
            match (&columns[c].values, &self.fitted[c]) {
                (
                    ColumnValues::Nominal { codes: cells, categories },
                    FittedColumn::Nominal { categories: known },
                ) => {
                    let renumber = renumbering(known, categories, &columns[c].name)?;
                    let known = cells.iter().enumerate().filter(|(_, cell)| **cell != MISSING);
                    known.for_each(|(row, &cell)| put(row, renumber[usize::from(cell)]));
                }
                (ColumnValues::Genotype(cells), _) => {
                    cells.codes().enumerate().for_each(|(row, code)| put(row, code));
                }
                _ => {}
            }
        }
        Ok(Rows::new(rows, (numeric.len(), numbers), (nominal.len(), codes)))
    }
}

impl Encoder {
    /// The columns two bits a cell, if all of them are genotypes or have at most three
    /// categories, unseen ones among them.
    fn narrow<'c>(&self, columns: &[&'c Column]) -> Result<Option<Vec<Cells<'c>>>> {
        /// A column as it comes: packed already, or codes and the new code of each.
        enum Source<'c> {
            Given(&'c Genotypes<'c>),
            Codes(&'c [u16], Vec<u16>),
        }
        let mut sources = Vec::with_capacity(columns.len());
        for (column, fitted) in columns.iter().zip(&self.fitted) {
            sources.push(match (&column.values, fitted) {
                (ColumnValues::Genotype(cells), FittedColumn::Genotype) => Source::Given(cells),
                (
                    ColumnValues::Nominal { codes, categories },
                    FittedColumn::Nominal { categories: known },
                ) if known.len().max(categories.len()) <= Genotypes::CATEGORIES.len() => {
                    let renumber = renumbering(known, categories, &column.name)?;
                    if !renumber.iter().all(|&code| code < Genotypes::CATEGORIES.len() as u16) {
                        return Ok(None);
                    }
                    Source::Codes(codes, renumber)
                }
                _ => return Ok(None),
            });
        }
        let pack = |source: Source<'c>| match source {
            Source::Given(cells) => Cells::Given(cells),
            Source::Codes(codes, named) => Cells::Made(Genotypes::from_codes(codes, &named)),
        };
        Ok(Some(match in_pool() {
            true => sources.into_par_iter().map(pack).collect(),
            false => sources.into_iter().map(pack).collect(),
        }))
    }
}

/// A column of two bits a cell, as given or made here.
enum Cells<'c> {
    Given(&'c Genotypes<'c>),
    Made(Genotypes<'static>),
}

impl<'c> AsRef<Genotypes<'c>> for Cells<'c> {
    fn as_ref(&self) -> &Genotypes<'c> {
        match self {
            Self::Given(cells) => cells,
            Self::Made(cells) => cells,
        }
    }
}

/// Fill a row-major array column block by column block, so that both sides stay in cache.
///
/// Lower bound: a cell is read and written once. No block is more than 32 KiB on either side, so
/// that cache lines of 64 bytes, of which a column has one cell, are filled while in cache.
fn row_major<T: Copy + Default + Send>(
    rows: usize,
    columns: &[usize],
    cell: impl Fn(usize, usize) -> T + Sync,
) -> Vec<T> {
    let width = columns.len();
    let mut out = vec![T::default(); rows * width];
    const BLOCK: usize = 64;
    chunk_by_chunk(&mut out, BLOCK * width, |block, out| {
        for first in (0..width).step_by(BLOCK) {
            for (at, &column) in columns.iter().enumerate().skip(first).take(BLOCK) {
                for (row, out) in out.chunks_exact_mut(width).enumerate() {
                    out[at] = cell(column, block * BLOCK + row);
                }
            }
        }
    });
    out
}

/// The fitted code of each category of another table; codes of unseen ones follow the known.
fn renumbering(known: &[String], categories: &[String], column: &str) -> Result<Vec<u16>> {
    if known == categories {
        return Ok((0..categories.len() as u16).collect());
    }
    let code: HashMap<&str, u16> =
        known.iter().enumerate().map(|(i, name)| (name.as_str(), i as u16)).collect();
    let mut next = known.len();
    let renumbered = categories.iter().map(|name| match code.get(name.as_str()) {
        Some(&code) => code,
        None => {
            next += 1;
            (next - 1).min(usize::from(MISSING)) as u16
        }
    });
    let renumbered: Vec<u16> = renumbered.collect();
    if next >= usize::from(MISSING) {
        let max = usize::from(MISSING - 1);
        return Err(DataError::TooManyValues { column: column.to_owned(), found: next, max }.into());
    }
    Ok(renumbered)
}
