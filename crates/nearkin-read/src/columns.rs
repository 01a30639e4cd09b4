//! [`Builder`]: a column that grows cell by cell and finds out what it is.
//!
//! A column is taken for numbers until a cell is none. If numbers came before, their text is
//! gone (`007` is 7 by then), so the column asks to be read again as text.
//!
//! Floor of a number: a product and some four additions a digit, a division, and 8 bytes written; of
//! a category one look-up by hash, here up to 12 comparisons of texts where names are few, and 2
//! bytes. Columns grow by doubling, so that a cell is moved once or twice more. Numbers that become
//! categories take log₂ V comparisons each for V values, twice.

use nearkin::data::{Column, Genotypes, MISSING};

use crate::cell::{Missing, number};
use crate::error::{CellError, ReadError, Result, shown};
use crate::interner::{Interner, ordered, ranks};
use crate::layout::Role;
use crate::target::TargetBuilder;

/// A column in the making.
#[derive(Debug)]
pub(crate) enum Builder {
    /// Left out.
    Skip,
    /// Numbers so far; the first infinite cell waits to see whether they remain so.
    Guess { cells: Vec<f64>, numbers: bool, infinite: Option<Box<Infinite>> },
    /// Numbers, and nothing else.
    Numeric(Vec<f64>),
    /// Categories.
    Nominal(Texts),
    /// Copies of an allele: their number and the bytes that pack them.
    Genotype(usize, Vec<u8>),
    /// Text after numbers: to be read again.
    Again,
    /// To be explained.
    Target(TargetBuilder),
    /// Identifiers of samples.
    Id(Vec<String>),
}

/// Where an infinite number stood.
#[derive(Debug)]
pub(crate) struct Infinite {
    line: u64,
    found: Vec<u8>,
}

/// Categories and the code of each row.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    codes: Vec<u16>,
    names: Interner,
    /// The file lists the categories; there can be no other, and their order stays.
    declared: bool,
}

/// Why a cell was refused.
#[derive(Debug)]
pub(crate) enum Fault {
    NotANumber,
    NotAGenotype,
    Infinite,
    NotUtf8 { at: usize, byte: u8 },
    TooManyCategories,
    NotDeclared { known: Vec<String>, count: usize },
    MissingId,
}

impl Builder {
    /// An empty column for this role.
    pub fn new(role: Role) -> Self {
        match role {
            Role::Skip => Self::Skip,
            Role::Target => Self::Target(TargetBuilder::default()),
            Role::Infer => Self::Guess { cells: Vec::new(), numbers: false, infinite: None },
            Role::Numeric => Self::Numeric(Vec::new()),
            Role::Nominal => Self::Nominal(Texts::default()),
            Role::Genotype => Self::Genotype(0, Vec::new()),
            Role::Family | Role::Sample => Self::Id(Vec::new()),
        }
    }

    /// An empty column for this role, of the categories a file declares.
    pub fn declared(role: Role, categories: &[String]) -> Self {
        let mut names = Interner::default();
        categories.iter().for_each(|name| {
            names.add(name);
        });
        match role {
            Role::Infer | Role::Nominal => {
                Self::Nominal(Texts { codes: Vec::new(), names, declared: true })
            }
            Role::Target => Self::Target(TargetBuilder::declared(names)),
            _ => Self::new(role),
        }
    }

    /// Adds a cell that has no blanks around it.
    #[inline]
    pub fn push(&mut self, cell: &[u8], line: u64, missing: &Missing) -> Result<(), Fault> {
        match self {
            Self::Skip | Self::Again => {}
            Self::Guess { cells, numbers, infinite } => match number(cell) {
                Some(value) if missing.number(value) => cells.push(f64::NAN),
                Some(value) => {
                    if value.is_infinite() && infinite.is_none() {
                        *infinite = Some(Box::new(Infinite { line, found: cell.to_vec() }));
                    }
                    *numbers = true;
                    cells.push(value);
                }
                None if missing.text(cell) => cells.push(f64::NAN),
                None if *numbers => *self = Self::Again,
                None => {
                    let codes = vec![MISSING; cells.len()];
                    let mut texts = Texts { codes, ..Texts::default() };
                    texts.push(cell, missing)?;
                    *self = Self::Nominal(texts);
                }
            },
            Self::Numeric(cells) => cells.push(match number(cell) {
                Some(value) if missing.number(value) => f64::NAN,
                Some(value) if value.is_infinite() => return Err(Fault::Infinite),
                Some(value) => value,
                None if missing.text(cell) => f64::NAN,
                None => return Err(Fault::NotANumber),
            }),
            Self::Genotype(count, bytes) => {
                let copies = match number(cell) {
                    Some(value) if missing.number(value) => UNKNOWN,
                    Some(value) => copies(value).ok_or(Fault::NotAGenotype)?,
                    None if missing.text(cell) => UNKNOWN,
                    None => return Err(Fault::NotAGenotype),
                };
                let place = 2 * (*count % 4);
                match bytes.last_mut() {
                    Some(byte) if place > 0 => *byte |= copies << place,
                    _ => bytes.push(copies),
                }
                *count += 1;
            }
            Self::Nominal(texts) => texts.push(cell, missing)?,
            Self::Target(target) => target.push(cell, missing)?,
            Self::Id(_) if missing.text(cell) => return Err(Fault::MissingId),
            Self::Id(ids) => ids.push(text(cell)?.to_owned()),
        }
        Ok(())
    }

    /// Adds what a sparse row leaves out: zero, or the first category declared.
    pub fn push_default(&mut self, missing: &Missing) -> Result<(), Fault> {
        match self {
            Self::Nominal(texts) if texts.declared && texts.names.len() > 0 => texts.codes.push(0),
            Self::Target(target) if target.is_declared() => target.push_first(),
            Self::Numeric(cells) => cells.push(0.0),
            other => other.push(b"0", 0, missing)?,
        }
        Ok(())
    }

    /// The finished column; `None` for one left out.
    pub fn finish(
        self,
        file: &str,
        name: &str,
        limit: Option<usize>,
    ) -> Result<Option<Column<'static>>> {
        let table = |e| ReadError::table(file, e);
        match self {
            Self::Skip | Self::Again | Self::Target(_) | Self::Id(_) => Ok(None),
            Self::Guess { infinite: Some(at), .. } => {
                Err(Fault::Infinite.at(file, at.line, name, &at.found))
            }
            Self::Guess { mut cells, .. } | Self::Numeric(mut cells) => {
                if let Some(column) = discrete(name, &cells, limit.unwrap_or(0)) {
                    return column.map(Some).map_err(table);
                }
                cells.shrink_to_fit();
                Ok(Some(Column::numeric(name, cells)))
            }
            Self::Nominal(texts) => texts.finish(name).map(Some).map_err(table),
            Self::Genotype(count, bytes) => Genotypes::new(bytes, count)
                .map(|cells| Some(Column::genotypes(name, cells)))
                .map_err(table),
        }
    }
}

impl Texts {
    fn push(&mut self, cell: &[u8], missing: &Missing) -> Result<(), Fault> {
        let text = text(cell)?;
        let code = match self.names.find(text) {
            Some(code) => code as u16,
            None if missing.text(cell) => MISSING,
            None if self.declared => return Err(Fault::not_declared(&self.names)),
            None if self.names.len() + 1 >= usize::from(MISSING) => {
                return Err(Fault::TooManyCategories);
            }
            None => self.names.add(text) as u16,
        };
        self.codes.push(code);
        Ok(())
    }

    fn finish(mut self, name: &str) -> nearkin::Result<Column<'static>> {
        self.codes.shrink_to_fit();
        let mut names = self.names.into_names();
        if !self.declared {
            let ranks = ranks(&names);
            for code in self.codes.iter_mut().filter(|code| **code != MISSING) {
                *code = ranks[usize::from(*code)] as u16;
            }
            names = ordered(names, &ranks);
        }
        Column::from_codes(name, self.codes, names)
    }
}

/// The two bits of a missing genotype.
const UNKNOWN: u8 = 3;

/// A number as copies of an allele.
pub(crate) fn copies(value: f64) -> Option<u8> {
    [0.0, 1.0, 2.0].iter().position(|&copies| copies == value).map(|copies| copies as u8)
}

/// The cell as text.
pub(crate) fn text(cell: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(cell).map_err(|e| {
        let at = e.valid_up_to();
        Fault::NotUtf8 { at, byte: cell[at] }
    })
}

/// The numbers as categories in order of size, if there are at most `limit` distinct ones.
pub(crate) fn discrete(
    name: &str,
    cells: &[f64],
    limit: usize,
) -> Option<nearkin::Result<Column<'static>>> {
    // The code of a missing number is the last one, so no more than that can be held.
    let limit = limit.min(usize::from(MISSING));
    let mut values: Vec<f64> = Vec::new();
    for &cell in cells.iter().filter(|cell| !cell.is_nan()) {
        if let Err(at) = values.binary_search_by(|value| compare(*value, cell)) {
            values.insert(at, cell);
            if values.len() > limit {
                return None;
            }
        }
    }
    if limit == 0 || values.is_empty() {
        return None;
    }
    let code = |&cell: &f64| {
        values.binary_search_by(|value| compare(*value, cell)).map_or(MISSING, |at| at as u16)
    };
    let names = values.iter().map(|value| format!("{}", value + 0.0)).collect();
    Some(Column::from_codes(name, cells.iter().map(code).collect(), names))
}

/// The order of numbers, in which −0 is 0.
fn compare(a: f64, b: f64) -> std::cmp::Ordering {
    (a + 0.0).total_cmp(&(b + 0.0))
}

impl Fault {
    /// A category that the file does not declare, beside those it does.
    pub fn not_declared(names: &Interner) -> Self {
        let known = names.first_names(8).map(str::to_owned).collect();
        Self::NotDeclared { known, count: names.len() }
    }

    /// The error for this fault of the cell `found`.
    pub fn at(self, file: &str, line: u64, column: &str, found: &[u8]) -> ReadError {
        if let Self::NotUtf8 { at, byte } = self {
            let (file, place) = (file.to_owned(), format!("a cell of column `{column}`"));
            return ReadError::Encoding { file, line, byte, at, place };
        }
        let reason = self.reason(found);
        ReadError::Cell { file: file.to_owned(), line, column: column.to_owned(), reason }
    }

    /// Why the cell `found` is refused, with advice.
    pub fn reason(self, found: &[u8]) -> CellError {
        let found = shown(found);
        match self {
            Self::NotUtf8 { byte, .. } => CellError::NotUtf8 { byte },
            Self::NotANumber => CellError::NotANumber { found },
            Self::NotAGenotype => CellError::NotAGenotype { found },
            Self::Infinite => CellError::Infinite { found },
            Self::TooManyCategories => CellError::TooManyCategories { found },
            Self::NotDeclared { known, count } => CellError::NotDeclared { found, known, count },
            Self::MissingId => CellError::MissingId,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use nearkin::data::ColumnValues;

    fn built(cells: &[&str], role: Role, limit: Option<usize>) -> Result<Column<'static>> {
        let missing = Missing::new(&Options::default());
        let mut builder = Builder::new(role);
        for (row, cell) in cells.iter().enumerate() {
            let line = row as u64 + 1;
            let fault = |f: Fault| f.at("f", line, "x", cell.as_bytes());
            builder.push(cell.as_bytes(), line, &missing).map_err(fault)?;
        }
        Ok(builder.finish("f", "x", limit)?.unwrap())
    }

    #[test]
    fn a_column_is_numeric_when_every_present_cell_is_a_number() {
        let column = built(&["1", "", "-2.5e1", "NA"], Role::Infer, None).unwrap();
        assert_eq!(column.missing(), 2);
        assert!(!column.is_nominal());
        assert!(built(&["", "a", "1"], Role::Infer, None).unwrap().is_nominal());
        assert_eq!(built(&["", "?"], Role::Infer, None).unwrap().missing(), 2);
    }

    #[test]
    fn text_after_numbers_asks_for_a_second_reading() {
        let missing = Missing::new(&Options::default());
        let mut builder = Builder::new(Role::Infer);
        builder.push(b"007", 1, &missing).unwrap();
        builder.push(b"x", 2, &missing).unwrap();
        assert!(matches!(builder, Builder::Again));
    }

    #[test]
    fn few_distinct_numbers_become_categories_on_request() {
        let cells = ["10", "9", "", "10.0", "-0", "0"];
        let column = built(&cells, Role::Infer, Some(3)).unwrap();
        let ColumnValues::Nominal { codes, categories } = &column.values else { panic!() };
        assert_eq!(categories, &["0", "9", "10"]);
        assert_eq!(codes, &[2, 1, MISSING, 2, 0, 0]);
        assert!(!built(&cells, Role::Infer, Some(2)).unwrap().is_nominal());
    }

    #[test]
    fn an_infinite_number_is_refused_but_the_word_may_be_a_category() {
        let message = built(&["1", "inf"], Role::Infer, None).unwrap_err().to_string();
        assert!(message.starts_with("f, line 2, column `x`: `inf` is infinite"), "{message}");
        assert!(built(&["a", "inf"], Role::Infer, None).unwrap().is_nominal());
        assert!(built(&["inf"], Role::Numeric, None).is_err());
    }

    #[test]
    fn too_many_categories_are_refused_with_the_line() {
        let cells: Vec<String> = (0..=usize::from(MISSING)).map(|i| format!("id{i}")).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        assert!(built(&cells[..usize::from(MISSING) - 1], Role::Infer, None).is_ok());
        let message = built(&cells, Role::Infer, None).unwrap_err().to_string();
        assert!(message.contains("line 65535") && message.contains("drop the column"), "{message}");
    }
}
