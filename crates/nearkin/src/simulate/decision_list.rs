//! Random decision lists: rules that are invented as rows need them.

use super::assemble::{
    begin, classes, draw, finish, irrelevant_digits, irrelevant_numbers, relevant_digits,
    relevant_numbers,
};
use super::{Simulate, Simulated, about};
use crate::random::Random;
use crate::{Error, Note, ParameterError, Result};

crate::parameters! {
    /// A list of rules, each a conjunction of tests; the first that fires gives the class.
    ///
    /// A row that no rule covers makes a new one from random tests it passes, of the class
    /// after the last rule's (Weka's RDG1). A rule of few tests leaves features out: one that
    /// no rule reads is relevant in name only, and the notes say so.
    pub struct DecisionList {
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of features the rules may read.
        relevant: usize = 3, min 1;
        /// Number of irrelevant features.
        irrelevant: usize = 6;
        /// Number of classes.
        classes: usize = 2, min 2;
        /// Make every feature true or false instead of a number in [0, 1).
        boolean: bool = false;
        /// Fewest tests of a rule.
        min_tests: usize = 1, min 1;
        /// Most tests of a rule. As in Weka, rules have fewer than this unless it equals
        /// min_tests.
        max_tests: usize = 10, min 1;
        /// Give each row the class of most rules that hold for it, not of the first such rule.
        vote: bool = false;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

/// `x[feature] ≥ bound`, or `<` when `below`.
struct Test {
    feature: usize,
    bound: f64,
    below: bool,
}

struct Rule {
    tests: Vec<Test>,
    class: usize,
}

impl Test {
    fn passes(&self, row: &[f64]) -> bool {
        (row[self.feature] < self.bound) == self.below
    }
}

impl Rule {
    fn fires(&self, row: &[f64]) -> bool {
        self.tests.iter().all(|test| test.passes(row))
    }

    /// The rule for a reader.
    fn note(&self, boolean: bool) -> Note {
        let test = |Test { feature, bound, below }: &Test| match (boolean, *below) {
            (true, below) => format!("R{feature} = {}", u8::from(!below)),
            (false, true) => format!("R{feature} < {bound}"),
            (false, false) => format!("R{feature} >= {bound}"),
        };
        Note::DecisionRule { tests: self.tests.iter().map(test).collect(), class: self.class }
    }
}

impl Simulate for DecisionList {
    about! {
        "decision-list" is "Decision list",
        "Random rules on the relevant features; the first that fires gives the class.",
        "Weka 3.8, RDG1; Hall et al., SIGKDD Explorations 11(1), 2009"
    }

    fn generate(&self) -> Result<Simulated> {
        let mut random = begin(self, (self.rows, &[self.relevant, self.irrelevant]), self.seed)?;
        let (most, got) = (self.max_tests.min(self.relevant), self.min_tests);
        if got > most {
            return Err(Error::parameter("min_tests", ParameterError::MinTests { most, got }));
        }
        let mut rules: Vec<Rule> = Vec::new();
        let (mut cells, mut codes) = (Vec::with_capacity(self.rows), Vec::new());
        for _ in 0..self.rows {
            let row = self.row(&mut random);
            let first = match rules.iter().position(|rule| rule.fires(&row)) {
                Some(first) => first,
                None => {
                    let class = rules.last().map_or(0, |rule| (rule.class + 1) % self.classes);
                    rules.push(Rule { tests: self.tests(&row, &mut random), class });
                    rules.len() - 1
                }
            };
            codes.push(rules[first].class as u32);
            cells.push(row);
        }
        if self.vote {
            codes = cells.iter().map(|row| vote(&rules, row, self.classes)).collect();
        }
        let (relevant, irrelevant) = match self.boolean {
            true => {
                let bits: Vec<Vec<u16>> =
                    cells.iter().map(|row| row.iter().map(|&x| x as u16).collect()).collect();
                (
                    relevant_digits(&bits, self.relevant, 2)?,
                    irrelevant_digits(self.rows, self.irrelevant, 2, self.seed)?,
                )
            }
            false => (
                relevant_numbers(&cells, self.relevant),
                irrelevant_numbers(self.rows, self.irrelevant, self.seed),
            ),
        };
        finish(relevant, irrelevant, classes(codes)?, self.notes(&rules))
    }
}

impl DecisionList {
    /// A row of uniform numbers, or of 0 and 1.
    fn row(&self, random: &mut Random) -> Vec<f64> {
        let value = || {
            let u = random.uniform();
            if self.boolean { f64::from(u8::from(u > 0.5)) } else { u }
        };
        draw(1, self.relevant, value).pop().unwrap_or_default()
    }

    /// Some of the tests `row` passes, one a feature at most.
    fn tests(&self, row: &[f64], random: &mut Random) -> Vec<Test> {
        let bounds: Vec<f64> =
            row.iter().map(|_| if self.boolean { 0.5 } else { random.uniform() }).collect();
        let max = self.max_tests.min(row.len());
        let size = (random.uniform() * (max - self.min_tests) as f64) as usize + self.min_tests;
        let chosen = random.sample(row.len(), size);
        let test = |feature: usize| {
            let bound = bounds[feature];
            Test { feature, bound, below: row[feature] < bound }
        };
        chosen.into_iter().map(test).collect()
    }

    fn notes(&self, rules: &[Rule]) -> Vec<Note> {
        let mut notes: Vec<Note> = rules.iter().map(|rule| rule.note(self.boolean)).collect();
        let read = |j: usize| rules.iter().any(|r| r.tests.iter().any(|t| t.feature == j));
        let unread: Vec<String> =
            (0..self.relevant).filter(|&j| !read(j)).map(|j| format!("R{j}")).collect();
        if !unread.is_empty() {
            notes.push(Note::UnreadFeatures { features: unread });
        }
        notes
    }
}

/// The class most firing rules vote for; the lowest among equals.
fn vote(rules: &[Rule], row: &[f64], classes: usize) -> u32 {
    let mut votes = vec![0usize; classes];
    rules.iter().filter(|rule| rule.fires(row)).for_each(|rule| votes[rule.class] += 1);
    let most = votes.iter().max().copied().unwrap_or_default();
    votes.iter().position(|&v| v == most).unwrap_or_default() as u32
}
