//! [`compare`]: are two plans of a study different?
//!
//! | test | asks about | where |
//! |---|---|---|
//! | s-test | single decisions, one-sided, with the papers' marks | `SignTest::new` |
//! | McNemar | single decisions, two-sided, exact | `mcnemar_exact` |
//! | Wilcoxon | accuracies of splits | `wilcoxon` |
//! | corrected t | accuracies of splits that share training rows | `corrected_resampled_t` |
//!
//! Where each class is told from the rest, a row gives as many decisions as there are classes.
//! They depend on each other, and tests of single decisions then claim too much. Under repeated
//! protocols a row counts once in those tests, in the first repeat that asks about it.

use std::collections::HashSet;
use std::fmt;

use super::{Outcome, Trials};
use crate::stats::{
    SignTest, Tail, WilcoxonP, Zeros, corrected_resampled_t, mcnemar_exact, wilcoxon,
};
use crate::{EvaluateError, Result};

/// The marks of the papers: ≫ at p ≤ 0.01, > at p ≤ 0.05, = otherwise, and mirrored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// ≫
    MuchBetter,
    /// >
    Better,
    /// =
    Equal,
    /// <
    Worse,
    /// ≪
    MuchWorse,
}

impl Mark {
    /// The mark of a one-sided p-value towards the side that won more.
    pub fn new(wins: u64, losses: u64, p: f64) -> Self {
        match (wins > losses, p) {
            _ if wins == losses || p > 0.05 => Self::Equal,
            (true, p) if p <= 0.01 => Self::MuchBetter,
            (true, _) => Self::Better,
            (false, p) if p <= 0.01 => Self::MuchWorse,
            (false, _) => Self::Worse,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Self::MuchBetter => "≫",
            Self::Better => ">",
            Self::Equal => "=",
            Self::Worse => "<",
            Self::MuchWorse => "≪",
        })
    }
}

/// A comparison of two plans on the same trials; p-values are two-sided unless the field says
/// otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// Rows that only the first plan classified correctly; a row counts once, even if it was
    /// tested several times.
    pub wins: u64,
    /// Decisions only the second had right.
    pub losses: u64,
    /// One-sided p of the s-test, exact.
    pub sign_p: f64,
    /// One-sided p of the s-test as it was published: normal beyond 12 decisions.
    pub published_p: f64,
    /// Two-sided exact p of McNemar's test.
    pub mcnemar_p: f64,
    /// Wilcoxon's signed rank test of the splits' accuracies; none without a difference.
    pub wilcoxon_p: Option<f64>,
    /// Corrected resampled t test of the splits' accuracies; none without a difference.
    pub corrected_t_p: Option<f64>,
    /// Mean accuracy of the first less that of the second.
    pub difference: f64,
}

impl Comparison {
    /// The papers' mark, by the exact test or as published.
    pub fn mark(&self, exact: bool) -> Mark {
        let p = if exact { self.sign_p } else { self.published_p };
        Mark::new(self.wins, self.losses, p)
    }
}

/// Compare plans `first` and `second` on the trials where both gave answers.
///
/// # Errors
///
/// [`EvaluateError::NothingInCommon`] when there is no such trial.
pub fn compare(trials: &Trials, first: usize, second: usize) -> Result<Comparison> {
    let of = |plan: usize| trials.outcomes.iter().filter(move |o| o.plan == plan);
    let (mut wins, mut losses) = (0, 0);
    // A row that is tested again in another repeat brings no new evidence: it counts once.
    let mut counted = HashSet::new();
    let mut shares: Vec<(usize, f64, f64, f64)> = Vec::new();
    for (a, b) in of(first).zip(of(second)) {
        let (Ok(said), Ok(other)) = (&a.answers, &b.answers) else { continue };
        let truth = trials.truth(a);
        let (mut right, mut other_right) = (0usize, 0usize);
        let rows = &trials.splits[a.split].test;
        let answers = truth.iter().zip(&said.said).zip(&other.said).zip(rows);
        for (((truth, said), other), row) in answers {
            let first = counted.insert((a.problem, *row));
            wins += u64::from(first && said == truth && other != truth);
            losses += u64::from(first && said != truth && other == truth);
            right += usize::from(said == truth);
            other_right += usize::from(other == truth);
        }
        let count = truth.len().max(1) as f64;
        add(&mut shares, a, right as f64 / count, other_right as f64 / count);
    }
    if shares.is_empty() {
        return Err(EvaluateError::NothingInCommon.into());
    }
    let (a, b): (Vec<f64>, Vec<f64>) = shares.iter().map(|(_, a, b, n)| (a / n, b / n)).unzip();
    let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    let tail = if wins >= losses { Tail::Right } else { Tail::Left };
    let sign = SignTest::new(wins, losses, tail);
    let single = trials.splits.iter().all(|split| split.test.len() == 1);
    // In leave-one-out each split has one test row. Tests that compare accuracies over splits make
    // no sense then; only the tests over single rows (sign test, McNemar) are given.
    let (wilcoxon_p, corrected_t_p) = match single {
        true => (None, None),
        false => {
            let ranked = wilcoxon(&a, &b, Zeros::Drop, WilcoxonP::Auto, Tail::Both)?;
            let size = |part: fn(&crate::data::Split) -> usize| {
                trials.splits.iter().map(part).sum::<usize>() / trials.splits.len().max(1)
            };
            let (train, test) = (size(|s| s.train.len()), size(|s| s.test.len()));
            let t = corrected_resampled_t(&differences, train, test, Tail::Both)?;
            (ranked.map(|w| w.p), t.map(|t| t.p))
        }
    };
    Ok(Comparison {
        wins,
        losses,
        sign_p: sign.p,
        published_p: sign.published_p(),
        mcnemar_p: mcnemar_exact(wins, losses),
        wilcoxon_p,
        corrected_t_p,
        difference: differences.iter().sum::<f64>() / differences.len() as f64,
    })
}

/// Add the accuracies of a trial to those of its split.
fn add(shares: &mut Vec<(usize, f64, f64, f64)>, of: &Outcome, first: f64, second: f64) {
    match shares.last_mut() {
        Some((split, a, b, n)) if *split == of.split => {
            *a += first;
            *b += second;
            *n += 1.0;
        }
        _ => shares.push((of.split, first, second, 1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_those_of_the_papers() {
        for (n, wins, mark, exact) in [
            (7, 7, "≫", "≫"),
            (9, 8, ">", ">"),
            (12, 2, "<", "<"),
            (20, 15, ">", ">"),
            (100, 62, "≫", ">"),
            (280, 154, ">", "="),
            (0, 0, "=", "="),
        ] {
            let losses = n - wins;
            let tail = if wins >= losses { Tail::Right } else { Tail::Left };
            let sign = SignTest::new(wins, losses, tail);
            assert_eq!(Mark::new(wins, losses, sign.published_p()).to_string(), mark, "{n} {wins}");
            assert_eq!(Mark::new(wins, losses, sign.p).to_string(), exact, "{n} {wins}");
        }
    }
}
