//! [`Study`]: learners of similarities over many partitions, as their papers cut and score rows.
//!
//! A partition is five folds, drawn without regard to classes: ⌊n/5⌋ rows to test on, of the
//! rest ⌈20 %⌉ that judge settings and the others to learn from. Classes are asked one against
//! the rest, settings chosen for each, and the score is the mean over classes of right yes-or-no
//! answers. The papers have one such partition, and one moves the mean by a few thousandths:
//! compare over many.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012; A. M. Qamar, E. Gaussier, J.-P. Chevallet and J. H. Lim, *Similarity learning for
//! nearest neighbor classification*, ICDM 2008.

use super::each;
use crate::data::{Classes, Dense, Target};
use crate::learn::{Grid, Learn, Lesson, Select, Task, Validation, baselines};
use crate::neighbors::Rule;
use crate::random::Random;
use crate::{Error, Result, Run};

/// One fold: rows to learn from, to choose settings by and to test on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// Rows to learn from.
    pub learn: Vec<usize>,
    /// Rows that judge settings.
    pub valid: Vec<usize>,
    /// Rows to test on.
    pub test: Vec<usize>,
}

/// The five folds of partition `number`.
pub fn folds(rows: usize, seed: u64, number: u64) -> Vec<Fold> {
    let mut order: Vec<usize> = (0..rows).collect();
    Random::new(seed, number).shuffle(&mut order);
    let size = rows / 5;
    let fold = |at: usize| {
        let test = order[at * size..(at + 1) * size].to_vec();
        let rest: Vec<usize> = [&order[..at * size], &order[(at + 1) * size..]].concat();
        let judges = rest.len().div_ceil(5);
        Fold { valid: rest[..judges].to_vec(), learn: rest[judges..].to_vec(), test }
    };
    (0..5).map(fold).collect()
}

/// What is asked of a learner.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// Settings to choose from.
    pub grid: Grid,
    /// How rows are classified.
    pub rule: Rule,
    /// Let the rows that judged settings be neighbours of test rows, too.
    pub keep_validation: bool,
    /// Partitions.
    pub partitions: u64,
    /// Seed of the partitions.
    pub seed: u64,
}

/// How one fold went: shares of right yes-or-no answers, means over classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The partition.
    pub partition: u64,
    /// Of each class, under what was learned; none where nothing could be.
    pub classes: Option<Vec<f64>>,
    /// Models that gave every test row the same answer.
    pub constant: usize,
    /// Under the plain cosine, k chosen on the judging rows.
    pub cosine: f64,
    /// Under the Euclidean distance, likewise.
    pub euclidean: f64,
    /// Of the answer `rest` to everything.
    pub all_rest: f64,
}

impl Outcome {
    /// The mean over classes under what was learned.
    pub fn learned(&self) -> Option<f64> {
        self.classes.as_ref().map(|all| all.iter().sum::<f64>() / all.len().max(1) as f64)
    }
}

impl Study {
    /// Ask `method`, which should be in mode one-vs-rest, over all partitions.
    pub fn run(
        &self,
        method: &dyn Learn,
        rows: &Dense,
        target: &Target,
        run: &Run,
    ) -> Result<Vec<Outcome>> {
        let Target::Classes(classes) = target else {
            return Err(Error::data("similarities are judged by classes; the target is real"));
        };
        let tasks: Vec<(u64, Fold)> = (0..self.partitions)
            .flat_map(|number| {
                folds(rows.rows(), self.seed, number).into_iter().map(move |fold| (number, fold))
            })
            .collect();
        each(&tasks, run, |(partition, fold), run| {
            self.fold(method, rows, (target, classes), (*partition, fold), run)
        })
    }

    fn fold(
        &self,
        method: &dyn Learn,
        rows: &Dense,
        (target, classes): (&Target, &Classes),
        (partition, fold): (u64, &Fold),
        run: &Run,
    ) -> Result<Outcome> {
        let base: Vec<usize> = match self.keep_validation {
            true => fold.learn.iter().chain(&fold.valid).copied().collect(),
            false => fold.learn.clone(),
        };
        let known = |chosen: &[usize]| {
            let codes = chosen.iter().map(|&row| classes.codes()[row]).collect();
            Classes::new(codes, classes.names().to_vec())
        };
        // Codes of rows among the classes of others; a class of its own where they lack it.
        let truth = |chosen: &[usize], among: &Classes| -> Vec<u32> {
            let code = |row: &usize| {
                let name = &classes.names()[classes.codes()[*row] as usize];
                let place = among.names().iter().position(|known| known == name);
                place.unwrap_or(among.len()) as u32
            };
            chosen.iter().map(code).collect()
        };
        let (labels, judges) = (known(&base)?, known(&fold.learn)?);
        let own = truth(&fold.test, &labels);
        let picked = |chosen: &[usize]| rows.select_rows(chosen);
        let score =
            |name: &str,
             k: usize,
             (rows, labels, queries, truth): (&Dense, &Classes, &Dense, &[u32])| {
                let found = baselines(k, rows, labels, queries, truth, run)?;
                let row = found.iter().find(|row| row.name == name);
                Ok::<f64, Error>(row.map_or(f64::NAN, |row| row.one_vs_rest))
            };
        let (learn, valid, test) = (picked(&fold.learn), picked(&fold.valid), picked(&fold.test));
        let (prototypes, judged) = (picked(&base), truth(&fold.valid, &judges));
        let plain = |name: &str| -> Result<f64> {
            let mut best = (f64::NEG_INFINITY, 1);
            for &k in &self.grid.k {
                let found = score(name, k, (&learn, &judges, &valid, &judged))?;
                if found > best.0 {
                    best = (found, k);
                }
            }
            score(name, best.1, (&prototypes, &labels, &test, &own))
        };
        let mut outcome = Outcome {
            partition,
            classes: None,
            constant: 0,
            cosine: plain("knn-cosine")?,
            euclidean: plain("knn-euclidean")?,
            all_rest: score("all-rest", 1, (&prototypes, &labels, &test, &own))?,
        };
        let (learn, valid) = (fold.learn.clone(), fold.valid.clone());
        let validation = Validation::Rows { learn, valid };
        let select = Select { grid: self.grid.clone(), rule: self.rule, validation };
        let task = Task::new(rows, Lesson::Classes(target));
        let selected = match select.learn(method, &task, run) {
            Err(Error::NoAnswer(_)) => return Ok(outcome),
            other => other?,
        };
        let learned = &selected.learned;
        let (base, queries) = (learned.prepare(&prototypes)?, learned.prepare(&test)?);
        let answers = selected.classify(self.rule, &base, &labels, &queries, run)?;
        let shares = |code: u32| {
            let pairs = answers.iter().zip(&own);
            let right = pairs.filter(|(a, own)| a.yes.contains(&code) == (**own == code));
            right.count() as f64 / own.len() as f64
        };
        outcome.classes = Some((0..labels.len() as u32).map(shares).collect());
        outcome.constant = learned.constant(&answers).iter().filter(|same| **same).count();
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_cut_as_the_papers_count_rows() {
        for (rows, parts) in [(150, (96, 24, 30)), (178, (114, 29, 35)), (214, (137, 35, 42))] {
            for fold in folds(rows, 3, 1) {
                let sizes = (fold.learn.len(), fold.valid.len(), fold.test.len());
                assert_eq!(sizes, parts);
                let mut all = [fold.learn, fold.valid, fold.test].concat();
                all.sort_unstable();
                all.dedup();
                assert_eq!(all.len(), rows);
            }
        }
    }
}
