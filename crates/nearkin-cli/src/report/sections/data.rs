//! The content of the data: kinds, missing cells, classes, and pitfalls.

use nearkin::data::{Column, ColumnValues, Genotypes, Table as Data, Target};

use crate::failure::Result;
use crate::plot::bars::{self, Bar};
use crate::plot::histogram::{self, Heap};
use crate::plot::told;
use crate::report::{Cell, Section, Subject, Table, WIDTH, counted, listed};

/// Columns that are described one by one.
const MOST: usize = 1000;

/// The section, and its lines for the head of the page.
pub fn section(subject: &Subject) -> Result<(Section, Vec<String>)> {
    let table = subject.table;
    let mut section = Section::new("data", "Data", "What is in the data?");
    let (rows, columns) = (table.rows(), table.columns().len());
    let of_kind = |kind: Kind| table.columns().iter().filter(|c| Kind::of(c) == kind).count();
    let kinds: Vec<String> = [
        (Kind::Numbers, "numbers"),
        (Kind::Categories, "categories"),
        (Kind::Genotypes, "genotypes"),
    ]
    .into_iter()
    .map(|(kind, word)| (of_kind(kind), word))
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{count} of {word}"))
    .collect();
    let kinds = listed(&kinds);
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
    let question = genotype_question(table);
    section.notes(question.clone());
    doubts(subject).into_iter().for_each(|doubt| {
        section.note(doubt);
    });
    let mut figures = vec![(target_figure(subject), "figure-target")];
    let frequencies: Vec<f64> = table.columns().iter().filter_map(rarer).collect();
    if let Some(words) = genotype_words(table, &frequencies) {
        section.words(words);
    }
    if frequencies.len() >= 20 {
        let name = "frequency of the rarer allele".to_owned();
        let heap = Heap { name: name.clone(), values: frequencies };
        let figure = histogram::draw(("Frequencies of the rarer alleles", &name), &[heap], WIDTH);
        figures.push((figure, "figure-alleles"));
    }
    section.figures(figures);
    let part =
        if columns > MOST { format!(" (the first {MOST} of {columns})") } else { String::new() };
    let genotypes = of_kind(Kind::Genotypes) > 0;
    let mut head = vec![
        "feature",
        "kind",
        "missing",
        "missing %",
        "different values",
        "least",
        "mean",
        "most",
        "most frequent",
    ];
    if genotypes {
        head.extend(["rows with 0", "rows with 1", "rows with 2", "allele frequency"]);
    }
    let described = table.columns().iter().take(MOST).map(|c| describe(c, genotypes)).collect();
    section.table(Table::new("columns", format!("The features{part}"), head, described));
    let mut lines = vec![format!("{size} ({kinds}), with {classes}. {missing}")];
    lines.extend(question);
    Ok((section, lines))
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Numbers,
    Categories,
    Genotypes,
}

impl Kind {
    fn of(column: &Column) -> Self {
        match &column.values {
            ColumnValues::F64(_) | ColumnValues::F32(_) => Self::Numbers,
            ColumnValues::Nominal { .. } => Self::Categories,
            ColumnValues::Genotype(_) => Self::Genotypes,
        }
    }
}

/// Rows with 0, 1 and 2 copies; none of a column of another kind.
fn copies(column: &Column) -> Option<[usize; 3]> {
    let ColumnValues::Genotype(cells) = &column.values else { return None };
    let mut counts = [0; 3];
    for code in cells.codes() {
        if let Some(count) = counts.get_mut(usize::from(code)) {
            *count += 1;
        }
    }
    Some(counts)
}

/// The share of the counted allele among the alleles of the known cells.
fn frequency([none, one, two]: [usize; 3]) -> Option<f64> {
    let known = none + one + two;
    (known > 0).then(|| (one + 2 * two) as f64 / (2 * known) as f64)
}

/// The frequency of the rarer allele of a column of genotypes.
fn rarer(column: &Column) -> Option<f64> {
    copies(column).and_then(frequency).map(|share| share.min(1.0 - share))
}

/// The genotypes as a whole.
fn genotype_words(table: &Data, frequencies: &[f64]) -> Option<String> {
    let genotypes: Vec<&Column> =
        table.columns().iter().filter(|c| Kind::of(c) == Kind::Genotypes).collect();
    if genotypes.is_empty() {
        return None;
    }
    let mut sorted = frequencies.to_vec();
    sorted.sort_by(f64::total_cmp);
    let range = match (sorted.first(), sorted.get(sorted.len() / 2), sorted.last()) {
        (Some(least), Some(median), Some(most)) => format!(
            " The rarer allele has frequency {} to {}, median {}.",
            told(*least),
            told(*most),
            told(*median)
        ),
        _ => String::new(),
    };
    let rows = table.rows().max(1) as f64;
    let share = |column: &&Column| column.missing() as f64 / rows * 100.0;
    let holes = genotypes.iter().map(share).fold(0.0, f64::max);
    let additive = genotypes.iter().filter(|c| !c.is_nominal()).count();
    let differ = match additive {
        0 => "Two genotypes differ or they do not.",
        all if all == genotypes.len() => "Two genotypes differ by the copies they are apart.",
        _ => "Some are read as categories, some by their copies.",
    };
    Some(format!(
        "A genotype is 0, 1 or 2 copies of one allele. {differ}{range} At most {} % of the cells of \
         one column are missing.",
        told(holes)
    ))
}

/// A question to the user, if numbers might be genotypes.
fn genotype_question(table: &Data) -> Option<String> {
    let of = |column: &Column| -> Option<bool> {
        let mut two = false;
        let mut known = 0;
        if Kind::of(column) != Kind::Numbers {
            return None;
        }
        for value in numbers(&column.values).filter(|v| !v.is_nan()) {
            if value != 0.0 && value != 1.0 && value != 2.0 {
                return None;
            }
            two |= value == 2.0;
            known += 1;
        }
        (known > 0).then_some(two)
    };
    let like: Vec<(&str, bool)> =
        table.columns().iter().filter_map(|c| Some((c.name.as_str(), of(c)?))).collect();
    let with_two = like.iter().filter(|(_, two)| *two).count();
    let all = like.len() == table.columns().len();
    if with_two == 0 || (like.len() < 3 && !all) {
        return None;
    }
    let flag = match all {
        true => "`--genotype all`".to_owned(),
        false => format!("`--genotype` and their names, such as `--genotype {}`", like[0].0),
    };
    Some(format!(
        "Are these genotypes? {} only 0, 1 and 2 and {} read as numbers, in which 0 and 2 lie twice \
         as far apart as 0 and 1. If they are copies of an allele, make the report again with {flag}: \
         then two cells are the same or not, and features that matter only together are found more \
         easily.",
        counted(like.len(), "column holds", "columns hold"),
        if like.len() == 1 { "is" } else { "are" }
    ))
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
            "There are more features than rows ({} against {rows}): some will weigh much by chance, \
             so read q of “Association” rather than weights, and confirm on other rows.",
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
                ..Bar::default()
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
        ColumnValues::Genotype(_) => {
            let counts = copies(column).unwrap_or_default();
            let most = (0..3).max_by_key(|&c| (counts[c], std::cmp::Reverse(c)));
            let most = most.map(|c| (Genotypes::CATEGORIES[c], counts[c]));
            (counts.iter().filter(|&&n| n > 0).count(), most.filter(|(_, count)| *count > 0))
        }
        values => (distinct(&mut numbers(values)), None),
    }
}

/// The numbers of a column, missing ones as NaN; the copies of genotypes; none of categories.
fn numbers<'v>(values: &'v ColumnValues) -> Box<dyn Iterator<Item = f64> + 'v> {
    match values {
        ColumnValues::F64(lane) => Box::new(lane.iter()),
        ColumnValues::F32(lane) => Box::new(lane.iter().map(f64::from)),
        ColumnValues::Genotype(cells) => {
            Box::new(cells.codes().map(|code| if code < 3 { f64::from(code) } else { f64::NAN }))
        }
        ColumnValues::Nominal { .. } => Box::new(std::iter::empty()),
    }
}

fn describe(column: &Column, genotypes: bool) -> Vec<Cell> {
    let (distinct, most) = different(column);
    let (mut low, mut high, mut sum, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0);
    for value in numbers(&column.values).filter(|v| !v.is_nan()) {
        (low, high, sum, count) = (low.min(value), high.max(value), sum + value, count + 1.0);
    }
    let known = |value: f64| Cell::maybe((count > 0.0).then_some(value));
    let kind = match Kind::of(column) {
        Kind::Numbers => "numbers",
        Kind::Categories => "categories",
        Kind::Genotypes => "genotypes",
    };
    let mut cells = vec![
        Cell::Text(column.name.clone()),
        Cell::Text(kind.into()),
        Cell::Number(column.missing() as f64),
        Cell::Number(column.missing() as f64 / column.len().max(1) as f64 * 100.0),
        Cell::Number(distinct as f64),
        known(low),
        known(sum / count),
        known(high),
        most.map_or(Cell::Empty, |(name, count)| Cell::Text(format!("{name} ({count})"))),
    ];
    if genotypes {
        let counts = copies(column);
        cells.extend((0..3).map(|at| Cell::maybe(counts.map(|counts| counts[at] as f64))));
        cells.push(Cell::maybe(counts.and_then(frequency)));
    }
    cells
}
