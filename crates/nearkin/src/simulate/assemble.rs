//! The parts that generators share: streams, columns, irrelevant features, the finished value.

use super::Simulated;
use crate::data::{Classes, Column, Table, Target};
use crate::parameter::Parameters;
use crate::random::Random;
use crate::{Error, Note, ParameterError, Result, SimulateError};

/// The stream that draws relevant features and classes.
pub(super) fn truth(seed: u64) -> Random {
    Random::new(seed, 0)
}

/// The stream that draws irrelevant features.
pub(super) fn noise(seed: u64) -> Random {
    Random::new(seed, 1)
}

/// Refuse parameters out of range and a table that no machine holds; then the stream of the truth.
pub(super) fn begin(
    of: &impl Parameters,
    (rows, parts): (usize, &[usize]),
    seed: u64,
) -> Result<Random> {
    of.check()?;
    sized(rows, parts)?;
    Ok(truth(seed))
}

/// How large a table is, and its seed: all parameters of most generators.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub rows: usize,
    pub relevant: usize,
    pub irrelevant: usize,
    pub seed: u64,
}

/// Declare a generator that has no parameters but its [`Size`], from which the last closure makes
/// the table.
macro_rules! generator {
    ($(#[$meta:meta])* $name:ident:
     $id:literal is $title:literal, $summary:literal, $reference:literal;
     $relevant_help:literal = $relevant:literal, $irrelevant_help:literal = $irrelevant:literal;
     |$size:ident| $table:expr) => {
        $crate::parameters! {
            $(#[$meta])*
            pub struct $name {
                /// Number of rows.
                rows: usize = 200, min 2;
                #[doc = $relevant_help]
                relevant: usize = $relevant, min 1;
                #[doc = $irrelevant_help]
                irrelevant: usize = $irrelevant;
                /// Seed of every random choice.
                seed ("random_state"): u64 = 0;
            }
        }

        impl $crate::simulate::Simulate for $name {
            $crate::parameter::about! { $id is $title, $summary, $reference }

            fn generate(&self) -> $crate::Result<$crate::simulate::Simulated> {
                $crate::parameter::Parameters::check(self)?;
                let Self { rows, relevant, irrelevant, seed } = *self;
                $crate::simulate::assemble::sized(rows, &[relevant, irrelevant])?;
                let $size = $crate::simulate::assemble::Size { rows, relevant, irrelevant, seed };
                $table
            }
        }
    };
}
pub(super) use generator;

/// More cells than this are refused before any is made: 2³³.
const MOST_CELLS: usize = 1 << 33;

/// Refuse a table of `rows` rows and as many columns as `parts` together that no machine holds.
pub(super) fn sized(rows: usize, parts: &[usize]) -> Result<()> {
    let columns = parts.iter().try_fold(1usize, |sum, &part| sum.checked_add(part));
    let cells = columns.and_then(|columns| columns.checked_mul(rows));
    match cells {
        Some(cells) if cells <= MOST_CELLS => Ok(()),
        _ => {
            let columns = parts.iter().map(|&part| part as f64).sum::<f64>();
            let reason = ParameterError::TooManyCells { rows, columns, most: MOST_CELLS };
            Err(Error::parameter("rows", reason))
        }
    }
}

/// A nominal column whose categories are the numbers `first`, `first + 1`, … of `values`.
pub(super) fn digits(
    name: impl Into<String>,
    codes: Vec<u16>,
    values: usize,
    first: usize,
) -> Result<Column<'static>> {
    Column::from_codes(name, codes, (first..first + values).map(|v| v.to_string()).collect())
}

/// Columns `R0`, `R1`, … of `count` digits below `values`, from rows of digits.
pub(super) fn relevant_digits(
    rows: &[Vec<u16>],
    count: usize,
    values: usize,
) -> Result<Vec<Column<'static>>> {
    (0..count)
        .map(|j| digits(format!("R{j}"), rows.iter().map(|row| row[j]).collect(), values, 0))
        .collect()
}

/// Columns `R0`, `R1`, … of numbers, from rows of numbers.
pub(super) fn relevant_numbers(rows: &[Vec<f64>], count: usize) -> Vec<Column<'static>> {
    (0..count)
        .map(|j| Column::numeric(format!("R{j}"), rows.iter().map(|row| row[j]).collect()))
        .collect()
}

/// Columns `N0`, `N1`, … of `count` digits uniform below `values`.
pub(super) fn irrelevant_digits(
    rows: usize,
    count: usize,
    values: usize,
    seed: u64,
) -> Result<Vec<Column<'static>>> {
    let mut random = noise(seed);
    (0..count)
        .map(|j| {
            let codes = (0..rows).map(|_| random.below(values) as u16).collect();
            digits(format!("N{j}"), codes, values, 0)
        })
        .collect()
}

/// Columns `N0`, `N1`, … of `count` numbers uniform in [0, 1).
pub(super) fn irrelevant_numbers(rows: usize, count: usize, seed: u64) -> Vec<Column<'static>> {
    let mut random = noise(seed);
    (0..count)
        .map(|j| Column::numeric(format!("N{j}"), (0..rows).map(|_| random.uniform()).collect()))
        .collect()
}

/// Draw `rows` rows of `count` values each, row after row.
pub(super) fn draw<T>(rows: usize, count: usize, mut value: impl FnMut() -> T) -> Vec<Vec<T>> {
    (0..rows).map(|_| (0..count).map(|_| value()).collect()).collect()
}

/// Turn each class into another one with probability `flip`, and note how many were turned.
pub(super) fn flip(codes: &mut [u32], classes: u32, flip: f64, random: &mut Random) -> Vec<Note> {
    let mut count = 0;
    for code in codes {
        if classes > 1 && random.chance(flip) {
            *code = (*code + 1 + random.below(classes as usize - 1) as u32) % classes;
            count += 1;
        }
    }
    if count > 0 { vec![Note::FlippedClasses { count }] } else { vec![] }
}

/// Classes named `0`, `1`, … for `codes`; an error when all rows fell into one.
pub(super) fn classes(codes: Vec<u32>) -> Result<Target> {
    let count = codes.iter().max().map_or(0, |&most| most as usize + 1);
    let classes = Classes::new(codes, (0..count).map(|c| c.to_string()).collect())?;
    if classes.len() < 2 {
        return Err(SimulateError::OneClass.into());
    }
    Ok(Target::Classes(classes))
}

/// The finished value: `relevant` columns, then `irrelevant` ones.
pub(super) fn finish(
    relevant: Vec<Column<'static>>,
    irrelevant: Vec<Column<'static>>,
    target: Target,
    notes: Vec<Note>,
) -> Result<Simulated> {
    let positions = (0..relevant.len()).collect();
    let table = Table::new(relevant.into_iter().chain(irrelevant).collect())?;
    Ok(Simulated { table, target, relevant: positions, notes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_no_machine_holds_is_refused() {
        assert!(sized(1 << 20, &[3, (1 << 13) - 4]).is_ok());
        assert!(sized(1 << 20, &[3, (1 << 13) - 3]).is_err());
        assert!(sized(usize::MAX, &[usize::MAX, 2]).is_err());
    }
}
