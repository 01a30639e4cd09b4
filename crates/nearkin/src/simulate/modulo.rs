//! Modulo-p: parity's relative on digits.

use super::assemble::{begin, classes, draw, finish, irrelevant_digits, relevant_digits};
use super::{Simulate, Simulated, about};
use crate::data::{Column, ColumnValues};
use crate::{Error, ParameterError, Result};

crate::parameters! {
    /// Class = sum of the relevant digits modulo p, each digit uniform below p.
    pub struct Modulo {
        /// Number of values of a digit; also the number of classes.
        p ("modulus"): usize = 3, min 2;
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of relevant digits.
        relevant: usize = 2, min 1;
        /// Number of irrelevant digits.
        irrelevant: usize = 4;
        /// Give the digits as numbers rather than as categories.
        numeric: bool = false;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Simulate for Modulo {
    about! {
        "modulo" is "Modulo-p", "The class is the sum of the relevant digits modulo p.",
        "Robnik-Šikonja & Kononenko, Machine Learning 53, 2003, eq. 43"
    }

    fn generate(&self) -> Result<Simulated> {
        let mut random = begin(self, (self.rows, &[self.relevant, self.irrelevant]), self.seed)?;
        if self.p > 1000 {
            let reason = ParameterError::Outside { min: 2.0, max: 1e3, got: self.p as f64 };
            return Err(Error::parameter("p", reason));
        }
        let cells = draw(self.rows, self.relevant, || random.below(self.p) as u16);
        let sum = |row: &Vec<u16>| row.iter().map(|&digit| usize::from(digit)).sum::<usize>();
        let codes = cells.iter().map(|row| (sum(row) % self.p) as u32).collect();
        let kind = |columns: Vec<Column<'static>>| match self.numeric {
            true => columns.into_iter().map(as_numbers).collect(),
            false => columns,
        };
        finish(
            kind(relevant_digits(&cells, self.relevant, self.p)?),
            kind(irrelevant_digits(self.rows, self.irrelevant, self.p, self.seed)?),
            classes(codes)?,
            vec![],
        )
    }
}

/// The codes of a nominal column as its numbers.
fn as_numbers(column: Column<'static>) -> Column<'static> {
    match column.values {
        ColumnValues::Nominal { codes, .. } => {
            Column::numeric(column.name, codes.into_iter().map(f64::from).collect())
        }
        _ => column,
    }
}
