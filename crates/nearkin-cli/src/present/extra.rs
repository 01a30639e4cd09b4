//! The columns next to a weight: tests, intervals, rounds and numbers that methods found.

use nearkin::weigh::{Direction, FeatureAssociation, FeatureWeights, Test};

use super::Null;
use crate::commands::Tested;

/// A value of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Any number.
    Real(f64),
    /// A count.
    Whole(usize),
    /// Words.
    Text(String),
    /// Whether something is so.
    Flag(bool),
}

/// A column beside the weights.
pub struct Extra<'a> {
    /// Its name in CSV and JSON.
    pub name: &'static str,
    /// True when it stands in the table for people, too.
    pub shown: bool,
    cells: Cells<'a>,
}

enum Cells<'a> {
    /// A number of each test, of the whole and of the classes.
    Tests(&'a FeatureWeights, fn(&Test) -> Option<f64>),
    /// An end of each interval.
    Ends(&'a [(f64, f64)], fn(&(f64, f64)) -> f64),
    Reals(&'a [f64]),
    Counts(&'a [usize]),
    /// Counts whose 0 stands for never.
    Rounds(&'a [usize]),
    /// A value of each association.
    Associations(&'a [FeatureAssociation], fn(&FeatureAssociation) -> Option<Cell>),
    /// The limits of the weights of noise, of the whole and of the classes.
    Limits(&'a Null),
}

/// The columns that were asked for, and those the method brings along.
pub fn all<'a>(
    found: &'a FeatureWeights,
    tested: Option<Tested>,
    null: Option<&'a Null>,
    intervals: bool,
) -> Vec<Extra<'a>> {
    let mut all = Vec::new();
    let mut add = |name, cells| all.push(Extra { name, shown: true, cells });
    if tested == Some(Tested::Own) {
        all.extend(of_associations(&found.associations));
    } else if tested.is_some() {
        add("p", Cells::Tests(found, |test| test.p));
        add("q", Cells::Tests(found, |test| test.q));
    }
    let mut add = |name, cells| all.push(Extra { name, shown: true, cells });
    if let Some(null) = null {
        add("null95", Cells::Limits(null));
    }
    if tested == Some(Tested::Stir) {
        add("t", Cells::Tests(found, |test| test.t));
        add("effect", Cells::Tests(found, |test| test.effect));
    }
    if intervals {
        add("low", Cells::Ends(&found.intervals, |ends| ends.0));
        add("high", Cells::Ends(&found.intervals, |ends| ends.1));
    }
    if !found.best_k.is_empty() {
        add("best_k", Cells::Counts(&found.best_k));
    }
    if !found.removed_in.is_empty() {
        add("removed_in", Cells::Rounds(&found.removed_in));
    }
    if !found.order_deviation.is_empty() {
        add("order_sd", Cells::Reals(&found.order_deviation));
    }
    all
}

/// What association tells of each feature.
fn of_associations(found: &[FeatureAssociation]) -> Vec<Extra<'_>> {
    let number = |name, shown, of| Extra { name, shown, cells: Cells::Associations(found, of) };
    let mut all = vec![
        number("z", false, |one| Some(Cell::Real(one.z))),
        number("p", true, |one| Some(Cell::Real(one.p))),
        number("p_target", false, |one| Some(Cell::Real(one.p_target))),
        number("p_column", false, |one| Some(Cell::Real(one.p_column))),
        number("q", true, |one| Some(Cell::Real(one.q))),
        number("p_family", true, |one| Some(Cell::Real(one.p_family))),
    ];
    all.push(number("direction", true, |one| {
        one.direction.as_ref().map(|way| Cell::Text(direction(way)))
    }));
    all.push(number("extrapolated", false, |one| Some(Cell::Flag(one.extrapolated))));
    all
}

/// Which way a feature goes with the target, in words.
pub fn direction(way: &Direction) -> String {
    let values = way.level.as_deref().unwrap_or("higher values");
    let more = if way.more { "more" } else { "less" };
    match &way.class {
        Some(class) => format!("{values}: {more} {class}"),
        None => format!("{values}: target {}", if way.more { "higher" } else { "lower" }),
    }
}

impl Extra<'_> {
    /// The cell of feature `at` in the ranking of the whole.
    pub fn of_whole(&self, at: usize) -> Option<Cell> {
        match self.cells {
            Cells::Tests(found, of) => found.tests.get(at).and_then(of).map(Cell::Real),
            Cells::Ends(ends, end) => ends.get(at).map(end).map(Cell::Real),
            Cells::Reals(numbers) => numbers.get(at).copied().map(Cell::Real),
            Cells::Counts(counts) => counts.get(at).copied().map(Cell::Whole),
            Cells::Rounds(rounds) => {
                rounds.get(at).copied().filter(|&round| round > 0).map(Cell::Whole)
            }
            Cells::Associations(found, of) => found.get(at).and_then(of),
            Cells::Limits(null) => null.limits.get(at).copied().map(Cell::Real),
        }
    }

    /// The cell of feature `at` in the ranking of class number `class`.
    pub fn of_class(&self, class: usize, at: usize) -> Option<Cell> {
        match self.cells {
            Cells::Tests(found, of) => {
                found.class_tests.get(class)?.get(at).and_then(of).map(Cell::Real)
            }
            Cells::Limits(null) => null.class_limits.get(class)?.get(at).copied().map(Cell::Real),
            _ => None,
        }
    }
}
