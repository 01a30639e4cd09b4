//! Scores of answers: how often right, how well spread over classes, how sure.
//!
//! With N rows, classes c = 1 … C, truth y and answers ŷ:
//!
//! ```text
//! balanced accuracy = mean_c  P(ŷ = c | y = c)                 over classes that occur
//! macro F1          = mean_c  2 TP_c / (2 TP_c + FP_c + FN_c)   over classes that occur in y or ŷ
//! log-loss          = −1/N Σ_i ln max(p_i(y_i), ε)              ε = 2⁻⁵²
//! Brier             = 1/N Σ_i Σ_c (p_i(c) − [y_i = c])²         0 … 2
//! ROC AUC           = mean_c  P(p(c) of a row of c > p(c) of another), ties as ½
//! ECE               = Σ_b n_b/N |share right in b − mean p in b|    10 bins of max_c p_i(c)
//! ```

use crate::{EvaluateError, Result};

/// Bins of the reliability table.
pub const BINS: usize = 10;

/// Predicted and true classes, as class codes, with probabilities if there are any.
#[derive(Debug, Clone, Copy)]
pub struct Answered<'a> {
    /// Number of classes.
    pub classes: usize,
    /// The true class of each row.
    pub truth: &'a [u32],
    /// The class answered.
    pub said: &'a [u32],
    /// The probability of each class, a row after the other.
    pub probabilities: Option<&'a [f64]>,
}

/// Every score of one set of answers; `None` where it needs probabilities, or two classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scores {
    /// Share of right answers.
    pub accuracy: f64,
    /// Mean share of right answers over the classes that occur.
    pub balanced_accuracy: f64,
    /// Mean F1 over classes.
    pub macro_f1: f64,
    /// Mean negative logarithm of the true class's probability.
    pub log_loss: Option<f64>,
    /// Mean squared distance of probabilities from the truth, summed over classes.
    pub brier: Option<f64>,
    /// Area under the ROC curve, mean of each class against the rest.
    pub roc_auc: Option<f64>,
    /// Expected calibration error of the most probable class, ten bins.
    pub ece: Option<f64>,
}

/// A bin of the reliability table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The lower end of the bin, which is a tenth wide.
    pub from: f64,
    /// Answers in it.
    pub count: usize,
    /// Their mean probability.
    pub confidence: f64,
    /// The share of them that is right.
    pub accuracy: f64,
}

impl Answered<'_> {
    /// Check that there is a true class, an answer and, if at all, probabilities for each row.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] when there is not, there is no row, or a code is of no class.
    pub fn check(&self) -> Result<()> {
        let rows = self.truth.len();
        if rows == 0 || self.said.len() != rows {
            return Err(EvaluateError::AnswersDisagree { answers: self.said.len(), rows }.into());
        }
        if self.probabilities.is_some_and(|p| p.len() != rows * self.classes) {
            return Err(EvaluateError::ProbabilitiesDisagree.into());
        }
        let known = |codes: &[u32]| codes.iter().all(|&code| (code as usize) < self.classes);
        match known(self.truth) && known(self.said) {
            true => Ok(()),
            false => Err(EvaluateError::NoSuchClass { classes: self.classes }.into()),
        }
    }

    /// `counts[truth][said]`.
    pub fn confusion(&self) -> Vec<Vec<usize>> {
        let mut counts = vec![vec![0; self.classes]; self.classes];
        for (truth, said) in self.truth.iter().zip(self.said) {
            counts[*truth as usize][*said as usize] += 1;
        }
        counts
    }

    /// Every score.
    ///
    /// # Errors
    ///
    /// Those of [`Self::check`].
    pub fn scores(&self) -> Result<Scores> {
        self.check()?;
        let rows = self.truth.len() as f64;
        let confusion = self.confusion();
        let right: usize = (0..self.classes).map(|c| confusion[c][c]).sum();
        let (mut recalls, mut f1s) = (Vec::new(), Vec::new());
        for c in 0..self.classes {
            let hits = confusion[c][c] as f64;
            let of = confusion[c].iter().sum::<usize>() as f64;
            let called = confusion.iter().map(|row| row[c]).sum::<usize>() as f64;
            if of > 0.0 {
                recalls.push(hits / of);
            }
            if of + called > 0.0 {
                f1s.push(2.0 * hits / (of + called));
            }
        }
        Ok(Scores {
            accuracy: right as f64 / rows,
            balanced_accuracy: mean(&recalls),
            macro_f1: mean(&f1s),
            log_loss: self.probabilities.map(|p| self.log_loss(p)),
            brier: self.probabilities.map(|p| self.brier(p)),
            roc_auc: self.probabilities.and_then(|p| self.roc_auc(p)),
            ece: self.probabilities.map(|p| self.ece(p)),
        })
    }

    fn log_loss(&self, p: &[f64]) -> f64 {
        let rows = p.chunks_exact(self.classes).zip(self.truth);
        let sum: f64 = rows.map(|(p, &y)| -p[y as usize].clamp(f64::EPSILON, 1.0).ln()).sum();
        // Adding 0 takes the sign off a zero.
        sum / self.truth.len() as f64 + 0.0
    }

    fn brier(&self, p: &[f64]) -> f64 {
        let of = |(p, &y): (&[f64], &u32)| -> f64 {
            let cells = p.iter().enumerate();
            cells.map(|(c, p)| (p - f64::from(u8::from(c == y as usize))).powi(2)).sum()
        };
        let rows = p.chunks_exact(self.classes).zip(self.truth);
        rows.map(of).sum::<f64>() / self.truth.len() as f64
    }

    /// Mean over the classes that have rows of theirs and rows of others; one value for two
    /// classes, as both give the same.
    fn roc_auc(&self, p: &[f64]) -> Option<f64> {
        let classes = if self.classes == 2 { 1..2 } else { 0..self.classes };
        let areas = classes.filter_map(|c| {
            let mut ranked: Vec<(f64, bool)> = (0..self.truth.len())
                .map(|row| (p[row * self.classes + c], self.truth[row] as usize == c))
                .collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            area(&ranked)
        });
        let areas: Vec<f64> = areas.collect();
        (!areas.is_empty()).then(|| mean(&areas))
    }

    fn ece(&self, p: &[f64]) -> f64 {
        let rows = self.truth.len() as f64;
        let bins = self.reliability_of(p);
        bins.iter().map(|b| b.count as f64 / rows * (b.accuracy - b.confidence).abs()).sum()
    }

    /// The share of right answers at each level of certainty: the probability of the most probable
    /// class is cut into [`BINS`] equal bins. Empty bins are left out. `None` without
    /// probabilities.
    pub fn reliability(&self) -> Option<Vec<Bin>> {
        self.probabilities.map(|p| self.reliability_of(p))
    }

    fn reliability_of(&self, p: &[f64]) -> Vec<Bin> {
        let mut sums = [(0usize, 0.0, 0usize); BINS];
        for (row, p) in p.chunks_exact(self.classes).enumerate() {
            let top = (1..p.len()).fold(0, |best, c| if p[c] > p[best] { c } else { best });
            let bin = ((p[top] * BINS as f64).ceil() as usize).clamp(1, BINS) - 1;
            sums[bin].0 += 1;
            sums[bin].1 += p[top];
            sums[bin].2 += usize::from(self.truth[row] as usize == top);
        }
        let filled = sums.iter().enumerate().filter(|(_, (count, ..))| *count > 0);
        filled
            .map(|(at, &(count, sure, right))| Bin {
                from: at as f64 / BINS as f64,
                count,
                confidence: sure / count as f64,
                accuracy: right as f64 / count as f64,
            })
            .collect()
    }
}

/// The share of pairs (one of the class, one not) in the right order, ties as ½; ascending scores.
fn area(ranked: &[(f64, bool)]) -> Option<f64> {
    let positives = ranked.iter().filter(|(_, own)| *own).count();
    let negatives = ranked.len() - positives;
    if positives == 0 || negatives == 0 {
        return None;
    }
    let (mut below, mut won, mut at) = (0.0, 0.0, 0);
    while at < ranked.len() {
        let tied = ranked[at..].iter().take_while(|(score, _)| *score == ranked[at].0).count();
        let own = ranked[at..at + tied].iter().filter(|(_, own)| *own).count() as f64;
        let others = tied as f64 - own;
        won += own * (below + others / 2.0);
        below += others;
        at += tied;
    }
    Some(won / (positives as f64 * negatives as f64))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
