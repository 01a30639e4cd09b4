//! Results of our runs of a paper's methods on one data set, beside the printed figures.

use nearkin::data::{Classes, Cut, Table};
use nearkin::evaluate::{Mark, Plan, Source, Spread, Study, Subject, Trials, compare, summarise};

use super::printed::Figure;
use super::settings::Settings;
use nearkin_cli::contents;
use nearkin_cli::failure::{Failure, Result};

/// Splits that make up a partition: every fold, or a single draw.
fn folds(study: &Study) -> usize {
    match study.protocol.cut {
        Cut::Folds(folds) | Cut::EvenFolds(folds) => folds,
        Cut::HoldOut(_) | Cut::LeaveOneOut => 1,
    }
}

/// One method on one data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Accuracy of each partition: mean over classes and folds.
    pub means: Spread,
    /// Deviation over class × fold values, all partitions.
    pub deviation: f64,
    /// Trials in a partition.
    pub trials: usize,
    /// Share of trials that gave one answer to all rows.
    pub constant: f64,
}

/// All methods on one data set.
pub struct Measured {
    /// The data set.
    pub set: String,
    /// The methods and their results; none where every trial failed.
    pub cells: Vec<(String, Option<Cell>)>,
    /// The trials of the first partition, for tests of significance.
    first: Trials,
}

/// How ours compares with the printed figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Ours less printed.
    pub difference: f64,
    /// The difference over its joint standard error.
    pub z: f64,
    /// Within the printed ±.
    pub within: bool,
}

impl Agreement {
    /// True within two joint standard errors.
    pub fn agrees(&self) -> bool {
        self.z.abs() <= 2.0
    }

    /// A word for people.
    pub fn word(&self) -> &'static str {
        word(self.z)
    }
}

/// A word for a difference in joint standard errors: `close` within one, `agrees` within two,
/// else where it lies.
pub fn word(z: f64) -> &'static str {
    match z {
        z if z.abs() <= 1.0 => "close",
        z if z.abs() <= 2.0 => "agrees",
        z if z > 0.0 => "higher",
        _ => "lower",
    }
}

impl Cell {
    /// Ours beside a printed figure of one partition.
    ///
    /// Another partition would move the printed mean as partitions move ours; where we have a
    /// single one, the deviation over trials says how far.
    pub fn against(&self, printed: &Figure) -> Option<Agreement> {
        let difference = self.means.mean - printed.mean?;
        let error = match self.means.count {
            0 | 1 => {
                let theirs = printed.deviation.unwrap_or(self.deviation);
                let squares = self.deviation.powi(2) + theirs.powi(2);
                (squares / self.trials.max(1) as f64).sqrt()
            }
            n => self.means.deviation * (1.0 + 1.0 / n as f64).sqrt(),
        };
        // Figures are printed to three digits.
        let z = difference / error.max(0.0005);
        let within = difference.abs() <= printed.deviation.unwrap_or(self.deviation);
        Some(Agreement { difference, z, within })
    }
}

/// Run `plans` on a set in `study`, whose splits come in partitions.
pub fn measure(
    set: &str,
    (table, classes): (&Table, &Classes),
    (study, plans): (&Study, &[Plan]),
    settings: &Settings,
) -> Result<Measured> {
    let key = key(set, (table, classes), study, plans);
    let finished = settings.journal.as_ref().map_or(Vec::new(), |j| j.finished(&key));
    let keep = |outcome: &nearkin::evaluate::Outcome| {
        if let Some(journal) = &settings.journal {
            journal.keep(&key, outcome, false);
        }
    };
    let data = (Source::Table(table), classes, None);
    let trials = study
        .run(data, plans, finished, &keep, &settings.run())
        .map_err(|error| Failure::of_table(set, error))?;
    let folds = folds(study);
    let partitions = trials.splits.len() / folds;
    let mut cells = Vec::new();
    for (plan, name) in trials.plans.iter().enumerate() {
        let means = (0..partitions).map(|at| part(&trials, at, folds)).map(|part| {
            summarise(&part, plan).ok().filter(|s| s.failed.is_none()).map(|s| s.accuracy.mean)
        });
        let means: Option<Vec<f64>> = means.collect();
        let cell = means.and_then(|means| Spread::of(&means)).and_then(|means| {
            let all = summarise(&trials, plan).ok()?;
            Some(Cell {
                means,
                deviation: all.accuracy.deviation,
                trials: all.trials / partitions.max(1),
                constant: all.constant as f64 / all.trials.max(1) as f64,
            })
        });
        cells.push((name.clone(), cell));
    }
    Ok(Measured { set: set.to_owned(), cells, first: part(&trials, 0, folds) })
}

/// The key that finished trials are kept under: the same only for the same study of the same plans and
/// data.
fn key(set: &str, (table, classes): (&Table, &Classes), study: &Study, plans: &[Plan]) -> String {
    let subject = |plan: &Plan| match &plan.subject {
        Subject::Pipeline(pipeline) => pipeline.describe(),
        constant => format!("{constant:?}"),
    };
    let told = |plan: &Plan| format!("{} {} {:?}", plan.name, subject(plan), plan.grid);
    let told: Vec<String> = plans.iter().map(told).collect();
    let data = contents::of_table(table) + &contents::of_classes(classes);
    let digest = contents::digest(format!("{study:?} {} {data}", told.join("; ")).as_bytes());
    let (repeats, seed) = (study.protocol.repeats, study.protocol.seed);
    format!("{set}, {repeats} partitions, seed {seed}, {}", &digest[..12])
}

/// The trials of one partition.
fn part(trials: &Trials, at: usize, folds: usize) -> Trials {
    let splits = at * folds..(at + 1) * folds;
    let outcomes = trials.outcomes.iter().filter(|o| splits.contains(&o.split)).cloned();
    let outcomes = outcomes.map(|mut outcome| {
        outcome.split -= splits.start;
        outcome
    });
    Trials {
        plans: trials.plans.clone(),
        splits: trials.splits[splits.clone()].to_vec(),
        problems: trials.problems.clone(),
        outcomes: outcomes.collect(),
    }
}

impl Measured {
    /// The result of the method called `name`.
    pub fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.iter().find(|(known, _)| known == name)?.1.as_ref()
    }

    /// The s-test of two methods on the first partition, as published.
    pub fn mark(&self, first: &str, second: &str) -> Option<Mark> {
        let at = |name: &str| self.first.plans.iter().position(|known| known == name);
        let (a, b) = (at(first)?, at(second)?);
        (self.cell(first).is_some() && self.cell(second).is_some()).then_some(())?;
        compare(&self.first, a, b).ok().map(|found| found.mark(false))
    }
}

/// A mark as the printed tables have it in ASCII.
pub fn ascii(mark: Option<Mark>) -> &'static str {
    match mark {
        Some(Mark::MuchBetter) => ">>",
        Some(Mark::Better) => ">",
        Some(Mark::Equal) => "=",
        Some(Mark::Worse) => "<",
        Some(Mark::MuchWorse) => "<<",
        None => "-",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_within_two_joint_standard_errors() {
        let figure = |mean| Figure {
            set: String::new(),
            method: String::new(),
            mean: Some(mean),
            deviation: Some(0.02),
            mark: String::new(),
        };
        let means = Spread { mean: 0.9, deviation: 0.01, count: 4 };
        let cell = Cell { means, deviation: 0.05, trials: 15, constant: 0.0 };
        let near = cell.against(&figure(0.915)).unwrap();
        assert!(near.agrees() && near.within && near.word() == "agrees");
        assert_eq!(cell.against(&figure(0.905)).unwrap().word(), "close");
        let far = cell.against(&figure(0.93)).unwrap();
        assert!((far.z + 0.03 / (0.01 * 1.25f64.sqrt())).abs() < 1e-9);
        assert_eq!((far.word(), far.within), ("lower", false));
        let once = Cell { means: Spread { count: 1, deviation: 0.0, ..means }, ..cell };
        let z = once.against(&figure(0.88)).unwrap().z;
        assert!((z - 0.02 / ((0.0025 + 0.0004) / 15.0f64).sqrt()).abs() < 1e-9);
    }
}
