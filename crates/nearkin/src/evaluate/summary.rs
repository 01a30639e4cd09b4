//! [`Summary`]: the scores of one plan over all its trials.

use super::scores::{Answered, Bin, Scores};
use super::{Outcome, Spread, Trials};
use crate::{Error, EvaluateError, Result};

/// The scores of one plan over all trials.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The plan.
    pub name: String,
    /// Accuracy over trials: its mean is that over classes and splits, its deviation that of all
    /// class × split values, as the RELIEF/sRBS paper prints ±.
    pub accuracy: Spread,
    /// Accuracy of splits, each the mean over its problems: the deviation the SiLA paper prints.
    pub by_split: Spread,
    /// Accuracy when each row gets exactly one class: the predicted one or, in one-versus-rest,
    /// the class whose own similarity is surest.
    pub single: Option<Spread>,
    /// Number of right answers over the number of all answers.
    pub pooled_accuracy: f64,
    /// Mean of this score over the trials; none when a trial does not have the score.
    pub balanced_accuracy: f64,
    /// Mean F1.
    pub macro_f1: f64,
    /// Log-loss.
    pub log_loss: Option<f64>,
    /// Brier score.
    pub brier: Option<f64>,
    /// ROC AUC, over the trials whose test rows are of two classes.
    pub roc_auc: Option<f64>,
    /// Expected calibration error, all answers together.
    pub ece: Option<f64>,
    /// Reliability, all answers together.
    pub reliability: Option<Vec<Bin>>,
    /// `counts[truth][predicted]`, one table for each problem, over all splits.
    pub confusion: Vec<Vec<Vec<usize>>>,
    /// The number of trials that gave the same answer to all test rows, when there was more than
    /// one row.
    pub constant: usize,
    /// Trials done.
    pub trials: usize,
    /// Trials whose data allowed no answer, and why the first did not.
    pub failed: Option<(usize, Error)>,
}

/// The scores of plan number `plan`.
///
/// # Errors
///
/// [`EvaluateError::NoAnswers`] when none of its trials gave answers.
pub fn summarise(trials: &Trials, plan: usize) -> Result<Summary> {
    let outcomes: Vec<&Outcome> = trials.outcomes.iter().filter(|o| o.plan == plan).collect();
    let name = trials.plans.get(plan).cloned().unwrap_or_default();
    let failed = outcomes.iter().filter(|o| o.answers.is_err()).count();
    let why = outcomes.iter().find_map(|o| o.answers.as_ref().err()).cloned();
    let mut scored: Vec<(usize, Scores)> = Vec::new();
    let mut constant = 0;
    for outcome in &outcomes {
        let Ok(answers) = &outcome.answers else { continue };
        let truth = trials.truth(outcome);
        let answered = Answered {
            classes: trials.problems[outcome.problem].classes.len(),
            truth: &truth,
            said: &answers.said,
            probabilities: answers.probabilities.as_deref(),
        };
        scored.push((outcome.split, answered.scores()?));
        let one = answers.said.len() > 1 && answers.said.iter().all(|c| *c == answers.said[0]);
        constant += usize::from(one);
    }
    let accuracies: Vec<f64> = scored.iter().map(|(_, s)| s.accuracy).collect();
    let Some(accuracy) = Spread::of(&accuracies) else {
        return Err(EvaluateError::NoAnswers { plan: name, reason: why.map(Box::new) }.into());
    };
    let pooled = Pooled::of(trials, &outcomes);
    let mean = |value: fn(&Scores) -> Option<f64>| {
        let values: Option<Vec<f64>> = scored.iter().map(|(_, s)| value(s)).collect();
        values.and_then(|values| Spread::of(&values)).map(|spread| spread.mean)
    };
    let log_loss = mean(|s| s.log_loss);
    let two_sided: Vec<f64> = scored.iter().filter_map(|(_, s)| s.roc_auc).collect();
    // Splits of one row have no curve of their own: all answers make one.
    let roc_auc = match Spread::of(&two_sided) {
        // Of some splits only, where others chose a classifier without probabilities.
        _ if log_loss.is_none() => None,
        Some(spread) => Some(spread.mean),
        None => pooled.mean(|s| s.roc_auc)?,
    };
    Ok(Summary {
        name,
        accuracy,
        by_split: by_split(&scored).unwrap_or(accuracy),
        single: single(trials, &outcomes),
        pooled_accuracy: pooled.accuracy(),
        balanced_accuracy: match trials.single_rows() {
            true => pooled.mean(|s| Some(s.balanced_accuracy))?.unwrap_or(f64::NAN),
            false => mean(|s| Some(s.balanced_accuracy)).unwrap_or(f64::NAN),
        },
        macro_f1: match trials.single_rows() {
            true => pooled.mean(|s| Some(s.macro_f1))?.unwrap_or(f64::NAN),
            false => mean(|s| Some(s.macro_f1)).unwrap_or(f64::NAN),
        },
        log_loss,
        brier: mean(|s| s.brier),
        roc_auc,
        ece: pooled.mean(|s| s.ece)?,
        reliability: pooled.reliability(),
        confusion: pooled.parts.iter().map(|part| part.answered().confusion()).collect(),
        constant,
        trials: scored.len(),
        failed: why.map(|why| (failed, why)),
    })
}

impl Trials {
    /// The true classes of the test rows of `outcome`.
    pub fn truth(&self, outcome: &Outcome) -> Vec<u32> {
        let codes = self.problems[outcome.problem].classes.codes();
        self.splits[outcome.split].test.iter().map(|&row| codes[row]).collect()
    }

    /// True when every split tests a single row.
    fn single_rows(&self) -> bool {
        self.splits.iter().all(|split| split.test.len() == 1)
    }
}

/// Mean accuracy of each split over its problems.
fn by_split(scored: &[(usize, Scores)]) -> Option<Spread> {
    let splits = scored.iter().map(|(split, _)| split + 1).max()?;
    let mut sums = vec![(0.0, 0usize); splits];
    for (split, scores) in scored {
        sums[*split].0 += scores.accuracy;
        sums[*split].1 += 1;
    }
    let means = sums.iter().filter(|(_, n)| *n > 0).map(|(sum, n)| sum / *n as f64);
    Spread::of(&means.collect::<Vec<_>>())
}

/// Accuracy of one class a row, split by split.
fn single(trials: &Trials, outcomes: &[&Outcome]) -> Option<Spread> {
    let problems = trials.problems.len();
    let mut shares = Vec::new();
    for trials_of_split in outcomes.chunks(problems) {
        let answers: Option<Vec<_>> =
            trials_of_split.iter().map(|o| o.answers.as_ref().ok()).collect();
        let answers = answers.filter(|all| all.len() == problems)?;
        let rows = answers.first()?.said.len();
        let right = |row: usize| -> Option<bool> {
            if problems == 1 {
                return Some(answers[0].said[row] == trials.truth(trials_of_split[0])[row]);
            }
            let sure = |at: usize| Some(answers[at].probabilities.as_ref()?[2 * row + 1]);
            let mut best = 0;
            for at in 1..problems {
                if sure(at)? > sure(best)? {
                    best = at;
                }
            }
            Some(trials.truth(trials_of_split[best])[row] == 1)
        };
        let right: Option<Vec<bool>> = (0..rows).map(right).collect();
        shares.push(right?.iter().filter(|r| **r).count() as f64 / rows.max(1) as f64);
    }
    Spread::of(&shares)
}

/// The answers of all splits to one problem.
struct Part {
    classes: usize,
    truth: Vec<u32>,
    said: Vec<u32>,
    probabilities: Option<Vec<f64>>,
}

impl Part {
    fn answered(&self) -> Answered<'_> {
        Answered {
            classes: self.classes,
            truth: &self.truth,
            said: &self.said,
            probabilities: self.probabilities.as_deref(),
        }
    }
}

struct Pooled {
    parts: Vec<Part>,
}

impl Pooled {
    fn of(trials: &Trials, outcomes: &[&Outcome]) -> Self {
        let mut parts: Vec<Part> = trials
            .problems
            .iter()
            .map(|problem| Part {
                classes: problem.classes.len(),
                truth: Vec::new(),
                said: Vec::new(),
                probabilities: Some(Vec::new()),
            })
            .collect();
        for outcome in outcomes {
            let Ok(answers) = &outcome.answers else { continue };
            let part = &mut parts[outcome.problem];
            part.truth.extend(trials.truth(outcome));
            part.said.extend(&answers.said);
            match (&mut part.probabilities, &answers.probabilities) {
                (Some(all), Some(more)) => all.extend(more),
                (all, _) => *all = None,
            }
        }
        Self { parts }
    }

    fn accuracy(&self) -> f64 {
        let pairs = || self.parts.iter().flat_map(|part| part.truth.iter().zip(&part.said));
        pairs().filter(|(truth, said)| truth == said).count() as f64 / pairs().count() as f64
    }

    /// Mean over problems of a score of all their answers.
    fn mean(&self, value: fn(&Scores) -> Option<f64>) -> Result<Option<f64>> {
        let filled = self.parts.iter().filter(|part| !part.truth.is_empty());
        let scores = filled.map(|part| part.answered().scores()).collect::<Result<Vec<_>>>()?;
        let values: Option<Vec<f64>> = scores.iter().map(value).collect();
        Ok(values.and_then(|values| Spread::of(&values)).map(|spread| spread.mean))
    }

    /// Reliability of all answers of all problems.
    fn reliability(&self) -> Option<Vec<Bin>> {
        let mut bins: Vec<Bin> = Vec::new();
        for part in &self.parts {
            for bin in part.answered().reliability()? {
                match bins.iter_mut().find(|known| known.from == bin.from) {
                    None => bins.push(bin),
                    Some(known) => {
                        let (a, b) = (known.count as f64, bin.count as f64);
                        let joined = |x: f64, y: f64| (a * x + b * y) / (a + b);
                        known.confidence = joined(known.confidence, bin.confidence);
                        known.accuracy = joined(known.accuracy, bin.accuracy);
                        known.count += bin.count;
                    }
                }
            }
        }
        bins.sort_by(|a, b| a.from.total_cmp(&b.from));
        Some(bins)
    }
}
