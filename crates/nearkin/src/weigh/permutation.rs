//! Permutation p-values: how often would exchanged labels weigh a feature as much?
//!
//! ```text
//! p_A = (1 + #{r : W_A(r) ≥ W_A}) / (1 + R)
//! ```
//!
//! over R exchanges of the target, free or within strata: slow, R more fits. The null hypothesis
//! is that *nothing* in the table has to do with the target. Once something has, the weights of
//! the others need not lie around those of exchanged targets, and a small p of a weak feature is
//! a hint, no proof. A feature that a wrapper removed has no weight of its own, only a place
//! below the others, and so no p.
//!
//! Where only calls are asked for (p or q at most a limit), the run ends as soon as none is
//! possible any more. After r exchanges with c_A weights as large, the p of all R exchanges is at
//! least (1 + c_A) / (1 + R), and Benjamini and Hochberg's q does not fall when a p rises. Once
//! no p or q of these lower bounds reaches the limit, none of the full run would. The calls are
//! those of the full run, and no p is told.
//!
//! Lower bound: R fits, one after the other, each on all threads, and R · p comparisons.

use super::exchange::Exchange;
use super::stir::{Test, with_q};
use super::{Extras, FeatureWeights, Weigh};
use crate::data::{Table, Target};
use crate::{Error, ErrorKind, Note, Result, Run, WeighError};

/// Rows that an exchange can give another value of the target, at the least, where there are
/// strata.
const MOVABLE: usize = 20;

/// How to exchange the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Permutation<'a> {
    /// Exchanges of the target.
    pub exchanges: usize,
    /// Seed of the exchanges.
    pub seed: u64,
    /// The stratum of each row: labels are exchanged within strata only.
    pub strata: Option<&'a [u32]>,
    /// What alone is asked for: the run may end before its last exchange where no feature can
    /// reach it.
    pub call: Option<Call>,
}

/// A limit below which a feature is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Call {
    /// p of at most this.
    P(f64),
    /// q of at most this.
    Q(f64),
}

impl Call {
    /// True when one of the tests lies at or below the limit.
    fn reached(self, tests: &[Test]) -> bool {
        let below = |test: &Test| match self {
            Self::P(limit) => test.p.is_some_and(|p| p <= limit),
            Self::Q(limit) => test.q.is_some_and(|q| q <= limit),
        };
        tests.iter().any(below)
    }
}

/// Tests by exchanges of the target.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Permuted {
    /// A test of each feature; without p and q where the run ended early.
    pub tests: Vec<Test>,
    /// What a reader should know.
    pub notes: Vec<Note>,
}

impl Permutation<'_> {
    /// Test all features of `observed` by exchanging the target.
    ///
    /// # Errors
    ///
    /// When the method cannot weigh the table, for a reason that exchanging the target does not
    /// explain, when strata do not fit the table or leave too few rows to exchange, and when the
    /// caller stops the run.
    pub fn test(
        &self,
        method: &dyn Weigh,
        (table, target): (&Table, &Target),
        observed: &FeatureWeights,
        run: &Run,
    ) -> Result<Permuted> {
        let exchange = Exchange::new(table.rows(), self.strata)?;
        let (mut notes, movable) = (Vec::new(), exchange.movable(target));
        if self.strata.is_some() {
            if movable < MOVABLE {
                return Err(WeighError::FewMovable { movable, least: MOVABLE }.into());
            }
            if exchange.alone() > 0 {
                notes.push(Note::FixedRows { rows: exchange.alone(), movable });
            }
        }
        let removed =
            |feature: usize| observed.removed_in.get(feature).is_some_and(|&round| round > 0);
        // A removed feature has no p of its own, but counts among the tests that q corrects for.
        let tests = |as_large: &[usize]| {
            let tests = as_large.iter().enumerate().map(|(feature, &count)| {
                let p = (1 + count) as f64 / (1 + self.exchanges) as f64;
                Test { p: Some(if removed(feature) { 1.0 } else { p }), ..Test::default() }
            });
            with_q(tests)
        };
        let mut as_large = vec![0usize; observed.weights.len()];
        notes.extend(self.few(&tests(&as_large)));
        let quiet = run.quiet();
        for replicate in 0..self.exchanges {
            run.check(replicate as u64, self.exchanges as u64)?;
            let exchanged = target.select(&exchange.order(self.seed, replicate as u64));
            let weights = exchanged_weights(method, table, &exchanged, &quiet)?;
            for ((count, null), weight) in as_large.iter_mut().zip(&weights).zip(&observed.weights)
            {
                *count += usize::from(null >= weight);
            }
            let done = replicate + 1;
            if let Some(call) = self.call
                && done < self.exchanges
                && !call.reached(&tests(&as_large))
            {
                notes.push(Note::ExchangesEnded { done, asked: self.exchanges });
                let tests = vec![Test::default(); as_large.len()];
                return Ok(Permuted { tests, notes });
            }
        }
        let mut tests = tests(&as_large);
        let gone = tests.iter_mut().enumerate().filter(|(feature, _)| removed(*feature));
        gone.for_each(|(_, test)| *test = Test::default());
        Ok(Permuted { tests, notes })
    }

    /// A note where the q of a single feature cannot be as small as is asked, or as .05.
    fn few(&self, best: &[Test]) -> Option<Note> {
        let asked = match self.call {
            Some(Call::P(_)) => return None,
            Some(Call::Q(limit)) => limit,
            None => 0.05,
        };
        let (least, features) = (1.0 / (self.exchanges as f64 + 1.0), best.len());
        if features as f64 * least <= asked {
            return None;
        }
        // Benjamini and Hochberg: q = features · p / (number of features with such a p).
        let together = (features as f64 * least / asked - 1e-9).ceil() as usize;
        let needed = (features as f64 / asked - 1e-9).ceil() as usize - 1;
        let exchanges = self.exchanges;
        Some(Note::FewExchanges { exchanges, features, asked, together, needed })
    }
}

/// The weights of `table` with an exchanged target.
pub(super) fn exchanged_weights(
    method: &dyn Weigh,
    table: &Table,
    target: &Target,
    run: &Run,
) -> Result<Vec<f64>> {
    match method.fit_with(table, target, &Extras::default(), run) {
        Ok(found) => Ok(found.weights),
        Err(error) if no_weight(&error) => Ok(vec![0.0; table.columns().len()]),
        Err(other) => Err(other),
    }
}

/// True for what is wrong with exchanged labels of a table that was accepted before: no weight is
/// positive, which methods that keep positive weights only refuse.
pub(super) fn no_weight(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Data | ErrorKind::NoAnswer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Classes, Column};
    use crate::random::Random;
    use crate::simulate::{Parity, Simulate};
    use crate::weigh::{ReliefF, wrap};

    fn permuted(exchanges: usize, call: Option<Call>) -> Permutation<'static> {
        Permutation { exchanges, seed: 1, strata: None, call }
    }

    #[test]
    fn a_removed_feature_has_no_p() {
        // Its weight is a place below the others, which may lie far above all shuffled ones.
        let made = Parity { relevant: 2, irrelevant: 8, rows: 80, ..Parity::default() };
        let made = made.generate().unwrap();
        let turf = wrap("turf", Box::new(ReliefF::default())).unwrap();
        let (data, run) = ((&made.table, &made.target), Run::default());
        let found = turf.fit(data.0, data.1).unwrap();
        let tests = permuted(9, None).test(turf.as_ref(), data, &found, &run).unwrap().tests;
        for (removed_in, test) in found.removed_in.iter().zip(&tests) {
            assert_eq!(test.p.is_none(), *removed_in > 0);
        }
    }

    /// Forty rows; the first column tells the classes apart where `relevant`, the others never.
    fn table(seed: u64, relevant: bool) -> (Table<'static>, Target) {
        let mut random = Random::new(seed, 0);
        let columns = (0..6).map(|feature| {
            let shift =
                |row: usize| f64::from(u8::from(relevant && feature == 0 && row.is_multiple_of(2)));
            let cells = (0..40).map(|row| random.normal() + 4.0 * shift(row));
            Column::numeric(format!("f{feature}"), cells.collect::<Vec<f64>>())
        });
        let table = Table::new(columns.collect()).unwrap();
        let labels = (0..40).map(|row| if row % 2 == 0 { "a" } else { "b" });
        (table, Target::Classes(Classes::from_labels(labels)))
    }

    #[test]
    fn a_run_that_ends_early_calls_what_the_full_run_calls() {
        let (method, run) = (ReliefF::default(), Run::default());
        let (mut early, mut calls) = (0, 0);
        for seed in 0..12 {
            let (table, target) = table(seed, seed % 3 == 0);
            let data = (&table, &target);
            let found = method.fit(&table, &target).unwrap();
            let full = permuted(99, None).test(&method, data, &found, &run).unwrap();
            for call in [Call::P(0.05), Call::Q(0.1)] {
                let asked = permuted(99, Some(call)).test(&method, data, &found, &run).unwrap();
                let ended = |note: &Note| matches!(note, Note::ExchangesEnded { .. });
                match asked.notes.iter().any(ended) {
                    true => {
                        early += 1;
                        assert!(!call.reached(&full.tests), "{seed}: {call:?}");
                        assert!(asked.tests.iter().all(|test| test.p.is_none()));
                    }
                    false => assert_eq!(asked.tests, full.tests),
                }
                calls += usize::from(call.reached(&asked.tests));
            }
        }
        assert!(early >= 6 && calls >= 8, "{early} ended early, {calls} called");
    }

    #[test]
    fn a_table_that_follows_its_strata_is_called_by_free_exchanges_alone() {
        // The stratum decides both the first column and, mostly, the class.
        let mut random = Random::new(5, 0);
        let strata: Vec<u32> = (0..120).map(|row| u32::from(row < 60)).collect();
        let labels = strata.iter().map(|&s| match random.below(10) < 9 {
            true => s,
            false => 1 - s,
        });
        let labels: Vec<String> = labels.map(|code| code.to_string()).collect();
        let mut random = Random::new(6, 0);
        let cells: Vec<f64> =
            strata.iter().map(|&s| 3.0 * f64::from(s) + random.normal()).collect();
        let noise: Vec<f64> = strata.iter().map(|_| random.normal()).collect();
        let columns = vec![Column::numeric("follows", cells), Column::numeric("noise", noise)];
        let table = Table::new(columns).unwrap();
        let target = Target::Classes(Classes::from_labels(&labels));
        let (method, run, data) = (ReliefF::default(), Run::default(), (&table, &target));
        let found = method.fit(&table, &target).unwrap();
        let p = |strata| {
            let way = Permutation { strata, ..permuted(199, None) };
            way.test(&method, data, &found, &run).unwrap().tests[0].p.unwrap()
        };
        assert!(p(None) <= 0.01);
        assert!(p(Some(&strata[..])) > 0.05);
        // Rows that are alone never move; too few that can are refused.
        let alone: Vec<u32> = (0..120).collect();
        let way = Permutation { strata: Some(&alone), ..permuted(9, None) };
        let error = way.test(&method, data, &found, &run).unwrap_err();
        assert_eq!(error, WeighError::FewMovable { movable: 0, least: 20 }.into());
        let short = Permutation { strata: Some(&strata[..7]), ..permuted(9, None) };
        assert!(short.test(&method, data, &found, &run).is_err());
    }

    #[test]
    fn few_exchanges_of_many_features_are_told() {
        let few = |exchanges, call, features| {
            permuted(exchanges, call).few(&vec![Test::default(); features])
        };
        let told = |exchanges, asked, together, needed| {
            Some(Note::FewExchanges { exchanges, features: 100, asked, together, needed })
        };
        // 100 / 200 = .5: ten features at p = 1/200 have q = .05.
        assert_eq!(few(199, None, 100), told(199, 0.05, 10, 1999));
        assert_eq!(few(1999, None, 100), None);
        assert_eq!(few(99, Some(Call::Q(0.5)), 100), told(99, 0.5, 2, 199));
        assert_eq!(few(9, Some(Call::P(0.05)), 100), None);
        assert_eq!(few(19, None, 1), None);
    }
}
