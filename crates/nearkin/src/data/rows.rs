//! [`Rows`]: a table's rows as plain arrays of numbers and codes.

use std::borrow::Cow;

use super::{MISSING, Packed};

/// Row-major numbers in the precision the caller gave them.
#[derive(Debug, Clone, PartialEq)]
pub enum NumericCells {
    /// Single precision, when every numeric column is.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
}

/// Rows as arrays: numbers and codes, each row-major, in column order within its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    rows: usize,
    numeric: usize,
    nominal: usize,
    numbers: NumericCells,
    codes: Codes,
    missing: bool,
}

/// Codes of the nominal columns.
#[derive(Debug, Clone, PartialEq)]
enum Codes {
    /// Row-major.
    Wide(Vec<u16>),
    /// Two bits a cell, where no column has more than three categories.
    Packed(Packed),
}

impl Rows {
    /// Rows of `numeric` numbers and `nominal` codes, both row-major.
    pub(super) fn new(
        rows: usize,
        (numeric, numbers): (usize, NumericCells),
        (nominal, codes): (usize, Vec<u16>),
    ) -> Self {
        let missing = match &numbers {
            // No early end, so that many cells are tested at once.
            NumericCells::F32(cells) => cells.iter().fold(false, |some, x| some | x.is_nan()),
            NumericCells::F64(cells) => cells.iter().fold(false, |some, x| some | x.is_nan()),
        } || codes.contains(&MISSING);
        Self { rows, numeric, nominal, numbers, codes: Codes::Wide(codes), missing }
    }

    /// Rows of `nominal` codes alone, two bits each.
    pub(super) fn of_packed(rows: usize, nominal: usize, packed: Packed) -> Self {
        let (numbers, missing) = (NumericCells::F64(Vec::new()), packed.has_missing());
        Self { rows, numeric: 0, nominal, numbers, codes: Codes::Packed(packed), missing }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// True when there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Numeric columns a row.
    pub fn numeric(&self) -> usize {
        self.numeric
    }

    /// Nominal columns a row.
    pub fn nominal(&self) -> usize {
        self.nominal
    }

    /// True when any cell is missing.
    pub fn has_missing(&self) -> bool {
        self.missing
    }

    /// The same rows as a part of a table that has a missing cell or none, so that the part takes
    /// the same path as the whole.
    pub(crate) fn among_missing(self, missing: bool) -> Self {
        Self { missing: missing || self.missing, ..self }
    }

    /// The row-major numbers.
    pub fn numbers(&self) -> &NumericCells {
        &self.numbers
    }

    /// Number `column` of `row`, NaN when missing; columns count within the numeric ones.
    #[inline]
    pub fn number(&self, row: usize, column: usize) -> f64 {
        match &self.numbers {
            NumericCells::F32(cells) => f64::from(cells[row * self.numeric + column]),
            NumericCells::F64(cells) => cells[row * self.numeric + column],
        }
    }

    /// The same rows with one code for each cell, even where they were [`Packed`]: for measures
    /// that read single cells many times.
    pub fn wide(self) -> Self {
        let codes = Codes::Wide(self.all_codes().into_owned());
        Self { codes, ..self }
    }

    /// All codes, row-major; unpacked on each call where rows are [`Packed`].
    pub fn all_codes(&self) -> Cow<'_, [u16]> {
        match &self.codes {
            Codes::Wide(codes) => Cow::Borrowed(codes),
            Codes::Packed(packed) => (0..self.rows).flat_map(|row| packed.unpack(row)).collect(),
        }
    }

    /// The columns missing in `row`, ascending; nominal columns count on after the numeric.
    pub fn holes(&self, row: usize) -> Vec<u32> {
        let codes = match &self.codes {
            Codes::Wide(codes) => &codes[row * self.nominal..(row + 1) * self.nominal],
            Codes::Packed(packed) => return packed.holes(row),
        };
        let numeric = (0..self.numeric).filter(|&c| self.number(row, c).is_nan());
        let nominal = codes.iter().enumerate().filter(|(_, code)| **code == MISSING);
        numeric.chain(nominal.map(|(c, _)| self.numeric + c)).map(|c| c as u32).collect()
    }

    /// The codes of `row`, in order of the nominal columns; unpacked on each call where rows are
    /// [`Packed`].
    #[inline]
    pub fn codes(&self, row: usize) -> Cow<'_, [u16]> {
        match &self.codes {
            Codes::Wide(codes) => {
                Cow::Borrowed(&codes[row * self.nominal..(row + 1) * self.nominal])
            }
            Codes::Packed(packed) => Cow::Owned(packed.unpack(row)),
        }
    }

    /// The code of `row` in nominal column `column`.
    #[inline]
    pub fn code(&self, row: usize, column: usize) -> u16 {
        match &self.codes {
            Codes::Wide(codes) => codes[row * self.nominal + column],
            Codes::Packed(packed) => packed.code(row, column),
        }
    }

    /// The rows two bits a cell, where no column is numeric or has more than three categories.
    #[inline]
    pub fn packed(&self) -> Option<&Packed> {
        match &self.codes {
            Codes::Wide(_) => None,
            Codes::Packed(packed) => Some(packed),
        }
    }
}
