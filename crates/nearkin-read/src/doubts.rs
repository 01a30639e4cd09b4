//! Columns whose kind may surprise: text that is nearly all numbers.
//!
//! One stray cell turns a column of numbers into categories, and so do decimal commas. That is
//! what the file says, and hardly what its owner meant, so it is told.

use nearkin::data::{Column, ColumnValues};

use crate::cell::number;
use crate::note::ReadNote;
use crate::options::Options;

/// Different values from which on a column of categories is looked at.
const MANY: usize = 6;

/// A note for each column that was inferred to be nominal and looks numeric.
pub(crate) fn about(columns: &[Column<'_>], options: &Options) -> Vec<ReadNote> {
    let inferred = columns.iter().filter(|c| !options.nominal.contains(&c.name));
    inferred
        .filter_map(|column| match &column.values {
            ColumnValues::Nominal { categories, .. } => doubt(&column.name, categories),
            _ => None,
        })
        .collect()
}

fn doubt(name: &str, categories: &[String]) -> Option<ReadNote> {
    let count = categories.len();
    let is_number = |text: &&String| number(text.as_bytes()).is_some();
    let numbers = categories.iter().filter(is_number).count();
    if count < MANY || numbers == count {
        return None;
    }
    let with_point = |text: &String| number(text.replace(',', ".").as_bytes()).is_some();
    if categories.iter().all(with_point) {
        let example = categories[0].replace(',', ".");
        return Some(ReadNote::DecimalCommas { column: name.to_owned(), example });
    }
    let other = categories.iter().find(|text| number(text.as_bytes()).is_none())?;
    (numbers * 2 > count).then(|| {
        let (column, other) = (name.to_owned(), other.clone());
        ReadNote::NearlyNumbers { column, numbers, count, other }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &str) -> Vec<String> {
        words.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_stray_cell_among_numbers_is_told() {
        let note = doubt("b", &words("1 2 3 4 5 6 0.3o")).unwrap();
        let (column, other) = ("b".to_owned(), "0.3o".to_owned());
        assert_eq!(note, ReadNote::NearlyNumbers { column, numbers: 6, count: 7, other });
    }

    #[test]
    fn decimal_commas_are_told() {
        let note = doubt("b", &words("1,5 2,5 3,5 4 5,5 6")).unwrap();
        let (column, example) = ("b".to_owned(), "1.5".to_owned());
        assert_eq!(note, ReadNote::DecimalCommas { column, example });
    }

    #[test]
    fn plain_categories_are_left_in_peace() {
        assert_eq!(doubt("b", &words("a b c d e f g 1")), None);
        assert_eq!(doubt("b", &words("1 2 x")), None);
    }
}
