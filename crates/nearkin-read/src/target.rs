//! The target: its cells as text, and the decision between classes and real values.

use std::collections::HashMap;

use nearkin::data::{Classes, Column, ColumnValues, Target};

use crate::cell::{Missing, number};
use crate::columns::{Fault, text};
use crate::interner::Interner;
use crate::options::TargetKind;

/// Up to this many distinct whole numbers are taken for classes.
const FEW: usize = 10;

/// The target's cells, as they are written.
#[derive(Debug, Default)]
pub(crate) struct TargetBuilder {
    codes: Vec<u32>,
    names: Interner,
    declared: bool,
    /// The rows whose cell is missing, with its text.
    gone: Vec<(usize, Box<str>)>,
}

/// The code of a missing cell.
const GONE: u32 = u32::MAX;

/// Why a target of real values cannot be made: the row and the text found there.
pub(crate) type BadRow = (usize, String, Fault);

impl TargetBuilder {
    /// A target whose classes the file declares.
    pub fn declared(names: Interner) -> Self {
        Self { names, declared: true, ..Self::default() }
    }

    /// True when the file declares the classes.
    pub fn is_declared(&self) -> bool {
        self.declared && self.names.len() > 0
    }

    /// Adds the first declared class.
    pub fn push_first(&mut self) {
        self.codes.push(0);
    }

    /// Adds a cell.
    pub fn push(&mut self, cell: &[u8], missing: &Missing) -> Result<(), Fault> {
        let text = text(cell)?;
        let is_missing =
            || missing.text(cell) || number(cell).is_some_and(|value| missing.number(value));
        let code = match self.names.find(text) {
            Some(code) => code,
            None if is_missing() => {
                self.gone.push((self.codes.len(), text.into()));
                GONE
            }
            None if self.declared => return Err(Fault::not_declared(&self.names)),
            None => self.names.add(text),
        };
        self.codes.push(code);
        Ok(())
    }

    /// The different texts, those that mark a missing cell left out.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.first_names(usize::MAX)
    }

    /// The texts in row order, those of missing cells too.
    pub fn into_texts(self) -> Vec<String> {
        let names = self.names.into_names();
        let mut texts: Vec<String> = self
            .codes
            .iter()
            .map(|&code| names.get(code as usize).cloned())
            .map(Option::unwrap_or_default)
            .collect();
        self.gone.into_iter().for_each(|(row, text)| texts[row] = text.into());
        texts
    }

    /// What is written in `row`, where that marks a missing cell.
    pub fn missing(&self, row: usize) -> Option<&str> {
        let at = self.gone.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(&self.gone[at].1)
    }

    /// The target in these rows, where no cell is missing, of the kind asked for or found.
    pub fn finish(self, kind: TargetKind, rows: &[usize]) -> Result<Target, BadRow> {
        let mut names = self.names.into_names();
        let mut codes: Vec<u32> = rows.iter().map(|&row| self.codes[row]).collect();
        if rows.len() < self.codes.len() && !self.declared {
            // What stands in no row that is kept does not count.
            let mut new = vec![GONE; names.len()];
            let mut known = Vec::new();
            for code in &mut codes {
                let new = &mut new[*code as usize];
                if *new == GONE {
                    *new = known.len() as u32;
                    known.push(std::mem::take(&mut names[*code as usize]));
                }
                *code = *new;
            }
            names = known;
        }
        let numbers: Vec<Option<f64>> = names.iter().map(|name| number(name.as_bytes())).collect();
        let all_numbers = numbers.iter().all(Option::is_some);
        let real = match kind {
            TargetKind::Classes => false,
            TargetKind::Real => true,
            TargetKind::Auto if self.declared || !all_numbers => false,
            TargetKind::Auto => {
                let numbers = numbers.iter().flatten().copied();
                !are_classes(numbers, codes.len())
            }
        };
        if !real {
            return Ok(Target::Classes(classes(codes, names, self.declared)));
        }
        let value = |(at, &code): (usize, &u32)| {
            let bad = |fault| (rows[at], names[code as usize].clone(), fault);
            match numbers[code as usize] {
                Some(value) if value.is_finite() => Ok(value),
                Some(_) => Err(bad(Fault::Infinite)),
                None => Err(bad(Fault::NotANumber)),
            }
        };
        codes.iter().enumerate().map(value).collect::<Result<_, _>>().map(Target::Real)
    }
}

/// The target that a column of a table is.
///
/// # Errors
///
/// The first row without a value that a target of this `kind` can have.
pub fn as_target(column: &Column<'_>, kind: TargetKind) -> Result<Target, usize> {
    if let Some(row) = (0..column.len()).find(|&row| column.is_missing(row)) {
        return Err(row);
    }
    let values: Vec<f64> = match &column.values {
        ColumnValues::F64(lane) => lane.iter().collect(),
        ColumnValues::F32(lane) => lane.iter().map(f64::from).collect(),
        ColumnValues::Genotype(cells) => {
            (0..cells.len()).map(|row| cells.at(row).map_or(f64::NAN, f64::from)).collect()
        }
        ColumnValues::Nominal { codes, categories } => {
            let names: Vec<&str> =
                codes.iter().map(|&code| categories[usize::from(code)].as_str()).collect();
            if kind != TargetKind::Real {
                return Ok(Target::classes(names));
            }
            let value = |(row, name): (usize, &&str)| number(name.as_bytes()).ok_or(row);
            names.iter().enumerate().map(value).collect::<Result<_, _>>()?
        }
    };
    match values.iter().position(|value| !value.is_finite()) {
        Some(row) => Err(row),
        None => Ok(from_numbers(values, kind)),
    }
}

/// A target from finite numbers.
pub(crate) fn from_numbers(values: Vec<f64>, kind: TargetKind) -> Target {
    let real = match kind {
        TargetKind::Classes => false,
        TargetKind::Real => true,
        TargetKind::Auto => !are_classes(values.iter().copied(), values.len()),
    };
    match real {
        true => Target::Real(values),
        false => Target::classes(values.iter().map(|value| format!("{}", value + 0.0))),
    }
}

/// True for whole numbers, few of them distinct, of which one repeats.
fn are_classes(values: impl Iterator<Item = f64>, rows: usize) -> bool {
    let mut distinct: Vec<f64> = Vec::with_capacity(FEW);
    for value in values {
        if value.fract() != 0.0 || !value.is_finite() {
            return false;
        }
        if !distinct.contains(&value) {
            if distinct.len() == FEW {
                return false;
            }
            distinct.push(value);
        }
    }
    distinct.len() < rows
}

/// Classes under the names as written; two spellings of one number are one class.
fn classes(codes: Vec<u32>, names: Vec<String>, declared: bool) -> Classes {
    if declared && let Ok(classes) = Classes::new(codes.clone(), names.clone()) {
        return classes;
    }
    let mut spelling: HashMap<u64, &str> = HashMap::new();
    let same: Vec<&str> = names
        .iter()
        .map(|name| match number(name.as_bytes()) {
            // A leading zero is no accident: `007` is a name.
            Some(value) if !padded(name) => {
                *spelling.entry((value + 0.0).to_bits()).or_insert(name)
            }
            _ => name,
        })
        .collect();
    Classes::from_labels(codes.iter().map(|&code| same[code as usize]))
}

fn padded(name: &str) -> bool {
    matches!(name.as_bytes(), [b'0', b'0'..=b'9', ..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    fn target(cells: &[&str], kind: TargetKind) -> Result<Target, BadRow> {
        let missing = Missing::new(&Options::default());
        let mut builder = TargetBuilder::default();
        cells.iter().for_each(|cell| builder.push(cell.as_bytes(), &missing).unwrap());
        builder.finish(kind, &(0..cells.len()).collect::<Vec<_>>())
    }

    fn names(target: Target) -> Vec<String> {
        let Target::Classes(classes) = target else { panic!("{target:?}") };
        classes.names().to_vec()
    }

    #[test]
    fn few_whole_numbers_that_repeat_are_classes_and_others_real() {
        let auto = |cells: &[&str]| target(cells, TargetKind::Auto).unwrap();
        assert_eq!(names(auto(&["2", "1", "2"])), ["1", "2"]);
        assert_eq!(auto(&["0.5", "1.5", "0.5"]), Target::Real(vec![0.5, 1.5, 0.5]));
        assert_eq!(auto(&["1", "2", "3"]), Target::Real(vec![1.0, 2.0, 3.0]));
        let many: Vec<String> = (0..24).map(|i| (i / 2).to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(matches!(auto(&many), Target::Real(_)));
        assert_eq!(names(target(&many, TargetKind::Classes).unwrap()).len(), 12);
    }

    #[test]
    fn numbers_and_texts_make_the_same_target() {
        for cells in [&["2", "1", "2"][..], &["0.5", "1.5"], &["-1", "1", "1"]] {
            let values = cells.iter().map(|c| c.parse().unwrap()).collect();
            let kind = TargetKind::Auto;
            assert_eq!(from_numbers(values, kind), target(cells, kind).unwrap());
        }
    }

    #[test]
    fn a_column_becomes_the_target_that_its_cells_would_have_made() {
        let numbers = |values: &[f64]| Column::numeric("x", values.to_vec());
        let auto = TargetKind::Auto;
        assert_eq!(names(as_target(&numbers(&[2.0, 1.0, 2.0]), auto).unwrap()), ["1", "2"]);
        let real = Ok(Target::Real(vec![0.5, 1.5]));
        assert_eq!(as_target(&numbers(&[0.5, 1.5]), auto), real);
        assert_eq!(as_target(&numbers(&[0.5, f64::NAN]), auto), Err(1));
        let words = Column::nominal("x", &[Some("b"), Some("7"), Some("b")]).unwrap();
        assert_eq!(names(as_target(&words, auto).unwrap()), ["7", "b"]);
        assert_eq!(as_target(&words, TargetKind::Real), Err(0));
    }

    #[test]
    fn two_spellings_of_a_number_are_one_class_and_padded_codes_keep_their_text() {
        let classes = |cells: &[&str]| names(target(cells, TargetKind::Classes).unwrap());
        assert_eq!(classes(&["1", "1.0", "2"]), ["1", "2"]);
        assert_eq!(classes(&["007", "7", "a"]), ["007", "7", "a"]);
    }

    #[test]
    fn a_real_target_names_the_row_that_is_no_number() {
        let (row, found, _) = target(&["1", "x"], TargetKind::Real).unwrap_err();
        assert_eq!((row, found.as_str()), (1, "x"));
    }
}
