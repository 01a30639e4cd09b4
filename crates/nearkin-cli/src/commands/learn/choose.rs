//! Settings chosen on rows that are not learned from: `--choose` and `--try`.

use clap::{Arg, ArgAction, ArgMatches};
use nearkin::data::{Holdout, Target};
use nearkin::evaluate::Inner;
use nearkin::learn::{
    self, Chosen, Learn, LearnGrid, LearnMode, Learned, Lesson, Select, Task, Validation,
};
use nearkin::neighbors::Rule;
use nearkin::{LearnError, Run};

use crate::commands::evaluate::words;
use crate::failure::{Failure, Result, refuse};
use crate::flags;

/// The parameters that can be chosen, in the order of the grid.
const TRIED: [&str; 5] = ["k", "beta", "lambda", "epochs", "last"];

/// `--choose` and `--try`.
pub fn args() -> [Arg; 2] {
    [
        flags::flag("choose", "HOW").help(
            "Choose settings by rows not learned from: K-fold, loo, validation, validation:SHARE \
             (that share of the rows is kept for scoring). SiLA stops early when more epochs do \
             not help. When scores are equal, the settings that change the similarity least are \
             chosen. Default with --try: 5-fold",
        ),
        flags::flag("try", "NAME=VALUES").action(ArgAction::Append).help(
            "Values to choose from, such as beta=1,10,100; may be repeated, for k, beta, lambda, \
             epochs and last. Default: a grid for each of them that has no flag of its own in \
             the command",
        ),
    ]
}

/// The values to choose from, and the rows that judge.
pub struct Choice {
    inner: Inner,
    grid: LearnGrid,
    seed: u64,
}

/// The learned similarity, with the values chosen for it.
pub struct Taught {
    pub learned: Learned,
    /// The setting of each similarity; empty where nothing was to be chosen.
    pub chosen: Vec<Chosen>,
    /// The neighbours that decide.
    pub k: usize,
}

impl Choice {
    /// The choice that the flags ask for, if any; `seed` decides which rows judge.
    pub fn new(matches: &ArgMatches, learner: &dyn Learn, seed: u64) -> Result<Option<Self>> {
        let tried: Vec<&String> = matches.get_many("try").into_iter().flatten().collect();
        let how = matches.get_one::<String>("choose");
        let inner = match (how, tried.is_empty()) {
            (None, true) => return Ok(None),
            (Some(text), _) => words::inner(text)?,
            (None, false) => Inner::Folds(5),
        };
        let has = |name: &str| learner.parameters().iter().any(|p| p.name == name);
        let mut grid = LearnGrid::default();
        // A parameter that has its own flag in the command is fixed: no other values are tried.
        for name in TRIED {
            let typed = matches.value_source(name) == Some(clap::parser::ValueSource::CommandLine);
            if let (true, Some(text)) = (typed, matches.get_one::<String>(name)) {
                put(&mut grid, name, text)?;
            }
        }
        if matches.value_source("last").is_none() && matches.value_source("epochs").is_some() {
            grid.last = Vec::new();
        }
        for text in tried {
            let (name, values) = text.split_once('=').unwrap_or((text, ""));
            if !TRIED.contains(&name) || !has(name) {
                let own: Vec<&str> = TRIED.into_iter().filter(|name| has(name)).collect();
                return refuse!(
                    "--try: `{name}` is nothing to choose of {}; it has {}",
                    learner.about().id,
                    own.join(", ")
                );
            }
            put(&mut grid, name, values)?;
        }
        Ok(Some(Self { inner, grid, seed }))
    }

    fn validation(&self, target: &Target) -> nearkin::Result<Validation> {
        let rows = target.len();
        Ok(match self.inner {
            Inner::Folds(count) => Validation::Folds { count, seed: self.seed },
            Inner::LeaveOneOut => Validation::Folds { count: rows, seed: self.seed },
            Inner::Validation(share) => {
                let test = ((share * rows as f64).ceil() as usize).min(rows.saturating_sub(1));
                let cut = Holdout { train: rows - test, test, stratified: true, seed: self.seed };
                let split = cut.split(target, 0)?;
                Validation::Rows { learn: split.train, valid: split.test }
            }
        })
    }

    /// Choose settings and learn. With one similarity for each class, k is the same for all
    /// classes; the other settings are chosen for each class.
    pub fn learn(
        &self,
        learner: &dyn Learn,
        task: &Task,
        rule: Rule,
        run: &Run,
    ) -> nearkin::Result<Taught> {
        let Lesson::Classes(target) = task.lesson else {
            return Err(LearnError::ChoosingNeedsClasses.into());
        };
        let validation = self.validation(target)?;
        let choose = |k: &[usize]| {
            let grid = LearnGrid { k: k.to_vec(), ..self.grid.clone() };
            Select { grid, rule, validation: validation.clone() }.learn(learner, task, run)
        };
        if learner.common().mode == LearnMode::MultiClass {
            let selected = choose(&self.grid.k)?;
            let k = selected.chosen.first().map_or(1, |one| one.k);
            return Ok(Taught { learned: selected.learned, chosen: selected.chosen, k });
        }
        let mut best: Option<(f64, Taught)> = None;
        for &k in &self.grid.k {
            let selected = choose(&[k])?;
            let score: f64 = selected.chosen.iter().map(|one| one.score).sum();
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                let taught = Taught { learned: selected.learned, chosen: selected.chosen, k };
                best = Some((score, taught));
            }
        }
        best.map(|(_, taught)| taught).ok_or_else(|| LearnError::NoNumberOfNeighbours.into())
    }
}

/// Give the learner the chosen settings that are the same for all classes.
pub fn settle(learner: &mut dyn Learn, taught: &Taught) -> nearkin::Result<()> {
    if taught.chosen.is_empty() {
        return Ok(());
    }
    learn::set(learner, "k", &taught.k.to_string())?;
    if let [only] = &taught.chosen[..] {
        for (name, text) in &only.settings {
            learn::set(learner, name, text)?;
        }
    }
    Ok(())
}

/// The values chosen, in words.
pub fn told(chosen: &Chosen) -> String {
    let mut parts: Vec<String> =
        chosen.settings.iter().map(|(name, text)| format!("{name} {text}")).collect();
    parts.push(format!("k {}", chosen.k));
    parts.join(", ")
}

/// Let `grid` try these values for `name`.
fn put(grid: &mut LearnGrid, name: &str, values: &str) -> Result<()> {
    fn all<T: std::str::FromStr>(
        name: &str,
        values: &str,
        fits: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>> {
        let one = |text: &str| {
            text.trim().parse().ok().filter(&fits).ok_or_else(|| {
                Failure::Input(format!(
                    "--try: {name}: expected values separated by commas, such as {name}=1,10, got \
                     `{values}`"
                ))
            })
        };
        values.split(',').map(one).collect()
    }
    let positive = |n: &usize| *n > 0;
    match name {
        "k" => grid.k = all(name, values, positive)?,
        "beta" => grid.beta = all(name, values, |x: &f64| (1e-6..=1e6).contains(x))?,
        "lambda" => grid.lambda = all(name, values, |x: &f64| (0.0..=1e12).contains(x))?,
        "epochs" => grid.epochs = all(name, values, positive)?,
        _ => grid.last = all(name, values, positive)?,
    }
    Ok(())
}
