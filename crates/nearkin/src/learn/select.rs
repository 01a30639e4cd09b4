//! [`Select`]: settings chosen on rows that were not learned from.
//!
//! Every k finds its neighbours in one pass for all; sRBS tries β and λ on the same fixed
//! margins; SiLA goes through its epochs once and reads every r off prefix sums, epochs first,
//! then r for the best of them. With one similarity a class, settings are chosen for each class
//! by itself. Equal scores go to the setting that moves least from the plain similarity.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012, section VI, for choosing on a validation set; its grids are unpublished.

use super::common::preparation;
use super::grid::{LearnGrid, Trial};
use super::learned::{Answer, Learned, LearnedMatrix};
use super::near::Near;
use super::{Learn, LearnMode, LearnProblem, LearnSettings, Lesson, Task, WhitenBy, copy, set};
use crate::data::{Classes, Target};
use crate::measure::{Prepared, Similarity};
use crate::neighbors::Rule;
use crate::random::Random;
use crate::{Error, ErrorKind, LearnError, ParameterError, Result, Run};

/// Which rows judge.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Validation {
    /// The rows `valid` judge; the answer is learned from `learn`.
    Rows {
        /// Rows to learn from.
        learn: Vec<usize>,
        /// Rows that judge.
        valid: Vec<usize>,
    },
    /// Each row once, in `count` parts with even classes; the answer is learned from all rows.
    Folds {
        /// Number of parts, at least 2.
        count: usize,
        /// Seed of the assignment of rows to parts.
        seed: u64,
    },
}

/// Settings to try, and the rows that judge them.
#[derive(Debug, Clone, PartialEq)]
pub struct Select {
    /// Settings to try.
    pub grid: LearnGrid,
    /// How the judging rows are classified.
    pub rule: Rule,
    /// Which rows judge.
    pub validation: Validation,
}

/// The setting chosen for one similarity.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Neighbours.
    pub k: usize,
    /// Other parameters, by name.
    pub settings: Vec<(&'static str, String)>,
    /// The share of right answers on the rows that judged.
    pub score: f64,
    /// Settings that were tried.
    pub tried: usize,
}

/// Similarities that were learned with the chosen settings.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Selected {
    /// The similarities.
    pub learned: Learned,
    /// The setting of each.
    pub chosen: Vec<Chosen>,
}

impl Selected {
    /// Classify queries by `rule`, each similarity with the k chosen for it.
    ///
    /// # Errors
    /// The errors of [`Learned::classify`].
    pub fn classify(
        &self,
        rule: Rule,
        base: &Prepared,
        classes: &Classes,
        queries: &Prepared,
        run: &Run,
    ) -> Result<Vec<Answer>> {
        let k = |model: usize| self.chosen[model].k;
        self.learned.classify_by(rule, k, base, classes, queries, run)
    }
}

/// Rows to learn from, ready, with their neighbours.
struct Ground<'a> {
    rows: &'a Prepared,
    names: &'a [String],
    classes: &'a Classes,
    near: Near<'a>,
}

impl Ground<'_> {
    fn problem(&self, class: Option<u32>, common: &LearnSettings) -> Result<LearnProblem<'_>> {
        let sides = (self.classes.codes(), class);
        LearnProblem::labelled(self.rows, self.names, sides, &self.near, common)
    }
}

impl Select {
    /// Choose settings of `method` for `task`, which must be about classes.
    ///
    /// # Errors
    /// A task without classes or that goes on from another, nothing to try, no setting that led
    /// to a similarity, or the errors of learning.
    pub fn learn(&self, method: &dyn Learn, task: &Task, run: &Run) -> Result<Selected> {
        // Many short descents: handing each over to the pool would take as long as they do.
        run.install(|| self.learn_here(method, task, run))?
    }

    fn learn_here(&self, method: &dyn Learn, task: &Task, run: &Run) -> Result<Selected> {
        let Lesson::Classes(Target::Classes(classes)) = task.lesson else {
            return Err(LearnError::ChoosingNeedsClasses.into());
        };
        if task.from.is_some() {
            return Err(LearnError::ChoosingFromStart.into());
        }
        let none = || Error::parameter("k", ParameterError::NothingToTry);
        let most = *self.grid.k.iter().max().ok_or_else(none)?;
        let LearnSettings { whiten, whiten_by, .. } = method.common();
        if *whiten != 0.0 && *whiten_by == WhitenBy::Targets && self.grid.k.len() > 1 {
            return Err(Error::parameter("k", ParameterError::OneNumberOfTargets));
        }
        let method = &*with_k(method, most)?;
        let local = method.common().mode == LearnMode::OneVsRest && classes.len() > 2;
        let problems = if local { classes.len() } else { 1 };
        let mut tried: Vec<Vec<(Trial, usize)>> = vec![Vec::new(); problems];
        let (final_rows, splits) = self.splits(classes)?;
        for (learn, valid) in &splits {
            let trials = self.judged(method, task, classes, (learn, valid), (most, local), run)?;
            for (all, found) in tried.iter_mut().zip(trials) {
                for trial in found {
                    let same = |seen: &&mut (Trial, usize)| seen.0.change == trial.change;
                    match all.iter_mut().find(same) {
                        Some((seen, times)) => {
                            seen.score += trial.score;
                            *times += 1;
                        }
                        None => all.push((trial, 1)),
                    }
                }
            }
        }
        let mut chosen = Vec::new();
        for all in tried {
            let count = all.len();
            let whole = all.into_iter().filter(|(_, times)| *times == splits.len());
            let best = whole.map(|(trial, _)| trial).reduce(|a, b| if b.beats(&a) { b } else { a });
            let best = best.ok_or(LearnError::NoSetting)?;
            chosen.push(Chosen {
                k: best.change[2] as usize,
                settings: best.settings,
                score: best.score / splits.len() as f64,
                tried: count,
            });
        }
        let learned = self.final_fit(method, task, classes, &final_rows, &chosen, run)?;
        Ok(Selected { learned, chosen })
    }

    /// The rows of the answer, and pairs of learning and judging rows.
    #[allow(clippy::type_complexity)] // rows of the answer; rows to learn from and to judge
    fn splits(&self, classes: &Classes) -> Result<(Vec<usize>, Vec<(Vec<usize>, Vec<usize>)>)> {
        match &self.validation {
            Validation::Rows { learn, valid } => {
                if learn.is_empty() || valid.is_empty() {
                    return Err(LearnError::NoRowsToJudge.into());
                }
                Ok((learn.clone(), vec![(learn.clone(), valid.clone())]))
            }
            &Validation::Folds { count, seed } => {
                let rows = classes.codes().len();
                if count < 2 || count > rows {
                    let reason = ParameterError::JudgingFolds { rows, got: count };
                    return Err(Error::parameter("folds", reason));
                }
                let mut order: Vec<usize> = (0..rows).collect();
                Random::new(seed, 0).shuffle(&mut order);
                order.sort_by_key(|&row| classes.codes()[row]);
                let mut part = vec![0; rows];
                order.iter().enumerate().for_each(|(place, &row)| part[row] = place % count);
                let of =
                    |fold: usize| (0..rows).partition::<Vec<usize>, _>(|&row| part[row] != fold);
                Ok(((0..rows).collect(), (0..count).map(of).collect()))
            }
        }
    }

    /// Every trial of every problem on one split.
    fn judged(
        &self,
        method: &dyn Learn,
        task: &Task,
        classes: &Classes,
        (learn, valid): (&[usize], &[usize]),
        (most, local): (usize, bool),
        run: &Run,
    ) -> Result<Vec<Vec<Trial>>> {
        let (learn_rows, valid_rows) = (task.rows.select_rows(learn), task.rows.select_rows(valid));
        let known = picked_classes(classes, learn)?;
        let target = Target::Classes(known.clone());
        let (rows, lesson) = (learn_rows.vectors(), Lesson::Classes(&target));
        let part = Task { rows, lesson, ..task.clone() };
        let how = preparation(&part, method.norm(), method.common(), run)?;
        let base = Prepared::new(how.clone(), learn_rows.vectors())?;
        let queries = Prepared::new(how, valid_rows.vectors())?;
        let near = Near::new(&base, &known, most, run)?;
        let names = task.rows.names();
        let ground = Ground { rows: &base, names, classes: &known, near };
        // The code each judging row has among the classes learned from, if any.
        let truth: Vec<Option<u32>> = valid
            .iter()
            .map(|&row| {
                let name = &classes.names()[classes.codes()[row] as usize];
                known.names().iter().position(|known| known == name).map(|code| code as u32)
            })
            .collect();
        let mut all = Vec::new();
        for problem in 0..if local { classes.len() } else { 1 } {
            let name = &classes.names()[problem];
            let class = known.names().iter().position(|known| known == name).map(|c| c as u32);
            let mut found = Vec::new();
            // A class that is not among the rows has no problem here.
            if local && class.is_none() {
                all.push(found);
                continue;
            }
            let class = class.filter(|_| local);
            let sides = match class {
                None => known.clone(),
                Some(class) => against_rest(known.codes(), class)?,
            };
            for &k in &self.grid.k {
                let method = with_k(method, k)?;
                let judge = |similarity: &Similarity| {
                    let said =
                        self.rule.decide(similarity, k, &base, &sides, &queries, false, run)?;
                    let right =
                        |(said, truth): &(&crate::neighbors::Decision, &Option<u32>)| match class {
                            None => Some(said.class) == **truth,
                            Some(class) => (said.class == 1) == (**truth == Some(class)),
                        };
                    let right = said.iter().zip(&truth).filter(right).count();
                    Ok(right as f64 / truth.len() as f64)
                };
                let problem = ground.problem(class, method.common())?;
                let trials = match method.trials(&problem, &self.grid, &judge, run) {
                    Err(reason) if reason.kind() == ErrorKind::NoAnswer => Vec::new(),
                    other => other?,
                };
                found.extend(trials.into_iter().map(|mut trial| {
                    trial.change[2] = k as f64;
                    trial
                }));
            }
            all.push(found);
        }
        Ok(all)
    }

    /// Learn with the settings chosen.
    fn final_fit(
        &self,
        method: &dyn Learn,
        task: &Task,
        classes: &Classes,
        rows: &[usize],
        chosen: &[Chosen],
        run: &Run,
    ) -> Result<Learned> {
        let picked = task.rows.select_rows(rows);
        let known = picked_classes(classes, rows)?;
        let target = Target::Classes(known.clone());
        let lesson = Lesson::Classes(&target);
        let part = Task { rows: picked.vectors(), lesson, ..task.clone() };
        let how = preparation(&part, method.norm(), method.common(), run)?;
        let base = Prepared::new(how, picked.vectors())?;
        let most = chosen.iter().map(|one| one.k).max().unwrap_or(1);
        let near = Near::new(&base, &known, most, run)?;
        let ground = Ground { rows: &base, names: task.rows.names(), classes: &known, near };
        let mut models = Vec::new();
        for (at, one) in chosen.iter().enumerate() {
            let mut method = with_k(method, one.k)?;
            for (name, text) in &one.settings {
                set(&mut *method, name, text)?;
            }
            let local = chosen.len() > 1;
            let name = local.then(|| classes.names()[at].clone());
            let class = name.as_ref().and_then(|name| known.names().iter().position(|n| n == name));
            let problem = ground.problem(class.map(|c| c as u32), method.common())?;
            models.push(LearnedMatrix { class: name, ..method.solve(&problem, run)? });
        }
        let notes = base.note().into_iter().collect();
        Ok(Learned { classes: known.names().to_vec(), models, notes })
    }
}

fn with_k(method: &dyn Learn, k: usize) -> Result<Box<dyn Learn>> {
    let mut made = copy(method)?;
    set(&mut *made, "k", &k.to_string())?;
    Ok(made)
}

fn picked_classes(classes: &Classes, rows: &[usize]) -> Result<Classes> {
    let codes = rows.iter().map(|&row| classes.codes()[row]).collect();
    let picked = Classes::new(codes, classes.names().to_vec())?;
    match picked.len() {
        0 | 1 => Err(LearnError::OneClassLeft.into()),
        _ => Ok(picked),
    }
}

/// One class against all others: codes 1 and 0.
pub(crate) fn against_rest(codes: &[u32], class: u32) -> Result<Classes> {
    let sides = codes.iter().map(|&c| u32::from(c == class)).collect();
    Classes::new(sides, vec!["rest".into(), "class".into()])
}
