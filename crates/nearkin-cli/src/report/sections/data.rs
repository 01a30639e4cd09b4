//! The content of the data: kinds, missing cells, classes, and pitfalls.

use nearkin::data::{Column, ColumnValues, Target};

use crate::failure::Result;
use crate::plot::bars::{self, Bar};
use crate::plot::histogram::{self, Heap};
use crate::report::{Cell, Section, Subject, Table, WIDTH, counted, listed};

/// Columns that are described one by one.
const MOST: usize = 1000;

/// The section, and its answer in a line.
pub fn section(subject: &Subject) -> Result<(Section, String)> {
    let table = subject.table;
    let mut section = Section::new("data", "Data", "What is in the data?");
    let (rows, columns) = (table.rows(), table.columns().len());
    let nominal = table.columns().iter().filter(|c| c.is_nominal()).count();
    let kinds = match (columns - nominal, nominal) {
        (numeric, 0) => format!("{numeric} of numbers"),
        (0, nominal) => format!("{nominal} of categories"),
        (numeric, nominal) => format!("{numeric} of numbers and {nominal} of categories"),
    };
    let name = subject.target_name;
    let classes = match subject.target {
        Target::Classes(classes) => {
            let of = |(name, count): (&String, &usize)| format!("{name} ({count})");
            let all: Vec<String> = classes.names().iter().zip(classes.counts()).map(of).collect();
            let shown = &all[..all.len().min(12)];
            let more = match all.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(
                "{} of `{name}`: {}{more}",
                counted(all.len(), "class", "classes"),
                listed(shown)
            )
        }
        Target::Real(_) => format!("a number to explain, `{name}`"),
    };
    let holes: usize = table.columns().iter().map(Column::missing).sum();
    let share = holes as f64 / (rows * columns).max(1) as f64 * 100.0;
    let missing = match holes {
        0 => "No cell is missing.".to_owned(),
        _ => format!("{} missing, {share:.1} % of all.", counted(holes, "cell is", "cells are")),
    };
    let size =
        format!("{} and {}", counted(rows, "row", "rows"), counted(columns, "feature", "features"));
    section.answer(format!("{size} ({kinds}), with {classes}. {missing}"));
    doubts(subject).into_iter().for_each(|doubt| {
        section.note(doubt);
    });
    section.figure(target_figure(subject), "figure-target");
    let described = table.columns().iter().take(MOST).map(describe).collect();
    let part =
        if columns > MOST { format!(" (the first {MOST} of {columns})") } else { String::new() };
    section.table(Table::new(
        "columns",
        format!("The features{part}"),
        [
            "feature",
            "kind",
            "missing",
            "different values",
            "least",
            "mean",
            "most",
            "most frequent",
        ],
        described,
    ));
    Ok((section, format!("{size}, with {classes}. {missing}")))
}

/// A note on the sections that a table without classes does not have.
pub fn no_classes(subject: &Subject) -> Section {
    let mut section = Section::new("no-classes", "Not told", "Which similarity, which classifier?");
    section.note(format!(
        "Not told of this table: `{}` is a number, and the similarities, classifiers and accuracies \
         of nearkin are about classes. Where its values stand for classes, read the table with \
         --target-kind classes.",
        subject.target_name
    ));
    section
}

/// Properties of the data that can mislead a reader of the other sections.
fn doubts(subject: &Subject) -> Vec<String> {
    let (rows, table) = (subject.table.rows(), subject.table);
    let mut doubts = Vec::new();
    let named = |test: &dyn Fn(&Column) -> bool| -> Vec<String> {
        let found = table.columns().iter().filter(|c| test(c)).map(|c| format!("`{}`", c.name));
        found.collect()
    };
    let some = |names: &[String]| match names.len() > 8 {
        true => format!("{} and {} more", names[..8].join(", "), names.len() - 8),
        false => listed(names),
    };
    let constant = named(&|c| different(c).0 <= 1);
    if !constant.is_empty() {
        doubts.push(format!(
            "The same in every row, so they cannot tell anything: {}.",
            some(&constant)
        ));
    }
    let identifiers = named(&|c| c.is_nominal() && rows > 20 && different(c).0 == rows);
    if !identifiers.is_empty() {
        doubts.push(format!(
            "Different in every row, as identifiers are; drop them with --drop: {}.",
            some(&identifiers)
        ));
    }
    if table.columns().len() > rows {
        doubts.push(format!(
            "There are more features than rows ({} against {rows}): some will look relevant by \
             chance, so read q-values rather than weights, and confirm on other rows.",
            table.columns().len()
        ));
    }
    if let Some(classes) = subject.classes() {
        let largest = classes.counts().iter().copied().max().unwrap_or(0);
        if largest as f64 > 0.8 * rows as f64 {
            doubts.push(format!(
                "One class holds {:.0} % of the rows: always answering it would be right that \
                 often, so judge by balanced accuracy.",
                largest as f64 / rows.max(1) as f64 * 100.0
            ));
        }
        let small: Vec<String> = classes
            .names()
            .iter()
            .zip(classes.counts())
            .filter(|(_, count)| **count < 10)
            .map(|(name, count)| format!("{name} ({count})"))
            .collect();
        if !small.is_empty() {
            doubts.push(format!("Classes of fewer than ten rows say little: {}.", some(&small)));
        }
    }
    doubts
}

fn target_figure(subject: &Subject) -> crate::plot::Figure {
    match subject.target {
        Target::Classes(classes) => {
            let bar = |(name, &count): (&String, &usize)| Bar {
                name: name.clone(),
                value: count as f64,
                ends: None,
            };
            let bars: Vec<Bar> =
                classes.names().iter().zip(classes.counts()).take(40).map(bar).collect();
            bars::draw("Rows of each class", "rows", &bars, WIDTH)
        }
        Target::Real(values) => {
            let name = subject.target_name.to_owned();
            let heap = Heap { name: name.clone(), values: values.clone() };
            histogram::draw(("What is to be explained", &name), &[heap], WIDTH)
        }
    }
}

/// How many different values a column has, and the most frequent category with its count.
fn different<'c>(column: &'c Column) -> (usize, Option<(&'c str, usize)>) {
    let distinct = |values: &mut dyn Iterator<Item = f64>| {
        let mut bits: Vec<u64> =
            values.filter(|v| !v.is_nan()).map(|v| (v + 0.0).to_bits()).collect();
        bits.sort_unstable();
        bits.dedup();
        bits.len()
    };
    match &column.values {
        ColumnValues::Nominal { codes, categories } => {
            let mut counts = vec![0; categories.len()];
            for &code in codes {
                if let Some(count) = counts.get_mut(usize::from(code)) {
                    *count += 1;
                }
            }
            let found = counts.iter().filter(|&&n| n > 0).count();
            let most = (0..counts.len()).max_by_key(|&c| (counts[c], std::cmp::Reverse(c)));
            (found, most.map(|c| (categories[c].as_str(), counts[c])))
        }
        values => (distinct(&mut numbers(values)), None),
    }
}

/// The numbers of a column, missing ones as NaN; none of a column of categories.
fn numbers<'v>(values: &'v ColumnValues) -> Box<dyn Iterator<Item = f64> + 'v> {
    match values {
        ColumnValues::F64(lane) => Box::new(lane.iter()),
        ColumnValues::F32(lane) => Box::new(lane.iter().map(f64::from)),
        _ => Box::new(std::iter::empty()),
    }
}

fn describe(column: &Column) -> Vec<Cell> {
    let (distinct, most) = different(column);
    let (mut low, mut high, mut sum, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0);
    for value in numbers(&column.values).filter(|v| !v.is_nan()) {
        (low, high, sum, count) = (low.min(value), high.max(value), sum + value, count + 1.0);
    }
    let known = |value: f64| Cell::maybe((count > 0.0).then_some(value));
    let kind = if column.is_nominal() { "categories" } else { "numbers" };
    vec![
        Cell::Text(column.name.clone()),
        Cell::Text(kind.into()),
        Cell::Number(column.missing() as f64),
        Cell::Number(distinct as f64),
        known(low),
        known(sum / count),
        known(high),
        most.map_or(Cell::Empty, |(name, count)| Cell::Text(format!("{name} ({count})"))),
    ]
}
