//! Columns whose kind may surprise: text that is nearly all numbers, numbers that may be genotypes.
//!
//! One stray cell turns a column of numbers into categories, and so do decimal commas. That is
//! what the file says, and hardly what its owner meant, so it is told.

use std::collections::HashSet;

use nearkin::data::{Column, ColumnValues};

use crate::cell::number;
use crate::columns::copies;
use crate::csv::with_point;
use crate::layout::Role;
use crate::loaded::Content;
use crate::note::ReadNote;
use crate::options::{Options, TargetKind};
use crate::rows::TargetCells;

/// Different values from which on a column of categories is looked at.
const MANY: usize = 6;

/// A note for each column that was inferred to be nominal and looks numeric.
pub(crate) fn about(content: &Content, options: &Options) -> Vec<ReadNote> {
    let inferred = content.columns.iter().filter(|c| !options.nominal.contains(&c.name));
    let mut notes: Vec<ReadNote> = inferred
        .filter_map(|column| match &column.values {
            ColumnValues::Nominal { categories, .. } => doubt(&column.name, categories),
            _ => None,
        })
        .collect();
    if let (Some(at), Some(TargetCells::Texts(cells))) = (content.layout.target, &content.target)
        && content.layout.kind == TargetKind::Auto
    {
        let names: Vec<String> = cells.names().map(str::to_owned).collect();
        notes.extend(commas(&content.names[at], &names));
    }
    notes
}

/// A note where most features are numbers by their cells, which are 0, 1 and 2.
pub(crate) fn genotypes(content: &Content) -> Option<ReadNote> {
    let layout = &content.layout;
    let roles = content.names.iter().zip(&layout.roles);
    let inferred: HashSet<&str> =
        roles.filter(|(_, role)| **role == Role::Infer).map(|(name, _)| name.as_str()).collect();
    let features = layout.roles.iter().filter(|role| role.is_feature()).count();
    let copies = content.columns.iter().filter(|column| inferred.contains(column.name.as_str()));
    let copies: Vec<bool> = copies.filter_map(copies_in).collect();
    let most = 2 * copies.len() >= features && copies.contains(&true);
    most.then_some(ReadNote::LikeGenotypes { alike: copies.len(), count: features })
}

/// Whether 2 occurs in a column of numbers, where they are nothing but 0, 1 and 2.
fn copies_in(column: &Column<'_>) -> Option<bool> {
    let of = |cells: &mut dyn Iterator<Item = f64>| {
        let (mut two, mut known) = (false, false);
        for cell in cells.filter(|cell| !cell.is_nan()) {
            copies(cell)?;
            known = true;
            two |= cell == 2.0;
        }
        known.then_some(two)
    };
    match &column.values {
        ColumnValues::F64(lane) => of(&mut lane.iter()),
        ColumnValues::F32(lane) => of(&mut lane.iter().map(f64::from)),
        ColumnValues::Nominal { .. } | ColumnValues::Genotype(_) => None,
    }
}

/// A note where all categories are numbers, of which several have a decimal comma.
fn commas(name: &str, categories: &[String]) -> Option<ReadNote> {
    let written = |text: &&String| with_point(text.as_bytes()).is_some();
    let is_number = |text: &String| number(text.as_bytes()).is_some();
    let all = categories.iter().all(|text| is_number(text) || written(&text));
    let mut with_commas = categories.iter().filter(written);
    let first = with_commas.next()?;
    (all && categories.len() > 1).then(|| {
        let (column, example) = (name.to_owned(), first.replacen(',', ".", 1));
        ReadNote::DecimalCommas { column, example }
    })
}

fn doubt(name: &str, categories: &[String]) -> Option<ReadNote> {
    if let Some(note) = commas(name, categories) {
        return Some(note);
    }
    let count = categories.len();
    let is_number = |text: &&String| number(text.as_bytes()).is_some();
    let numbers = categories.iter().filter(is_number).count();
    if count < MANY || numbers == count {
        return None;
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
        assert!(doubt("b", &words("1,5 2,1")).is_some());
        assert_eq!(doubt("b", &words("1,5")), None);
        assert_eq!(doubt("b", &words("1,5 a")), None);
        assert_eq!(doubt("b", &words("1,5,2 1,3")), None);
    }

    #[test]
    fn plain_categories_are_left_in_peace() {
        assert_eq!(doubt("b", &words("a b c d e f g 1")), None);
        assert_eq!(doubt("b", &words("1 2 x")), None);
    }
}
