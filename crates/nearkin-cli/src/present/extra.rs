//! The columns next to a weight: tests, intervals, rounds and numbers that methods found.

use nearkin::weigh::{FeatureWeights, Test};

use crate::commands::Tested;

/// A number of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// Any number.
    Real(f64),
    /// A count.
    Whole(usize),
}

/// A column beside the weights.
pub struct Extra<'a> {
    /// Its name in CSV and JSON.
    pub name: &'static str,
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
}

/// The columns that the user asked for, and those that the method always gives.
pub fn all(found: &FeatureWeights, tested: Option<Tested>, intervals: bool) -> Vec<Extra<'_>> {
    let mut all = Vec::new();
    let mut add = |name, cells| all.push(Extra { name, cells });
    if tested.is_some() {
        add("p", Cells::Tests(found, |test| test.p));
        add("q", Cells::Tests(found, |test| test.q));
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
        }
    }

    /// The cell of feature `at` in the ranking of class number `class`.
    pub fn of_class(&self, class: usize, at: usize) -> Option<Cell> {
        match self.cells {
            Cells::Tests(found, of) => {
                found.class_tests.get(class)?.get(at).and_then(of).map(Cell::Real)
            }
            _ => None,
        }
    }
}
