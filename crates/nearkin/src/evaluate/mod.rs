//! Protocols: how well methods do on tables whose answer, or whose classes, are known.
//!
//! A [`pipeline`] turns rows into classes in four steps that are fitted together. A [`Study`] runs
//! several [`Plan`]s on the same splits; [`summarise`] and [`compare()`] read scores and tests off
//! its trials. [`beside`](mod@beside) sets a learned similarity beside what needs no learning;
//! [`each`] spreads independent trials over the threads.

pub mod beside;
mod compare;
pub mod pipeline;
mod plan;
pub mod scores;
mod study;
mod summary;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::{Result, Run};

pub use compare::{Comparison, Mark, compare};
pub use plan::{Choose, Criterion, Fit, Inner, Plan, Subject};
pub use study::{Answers, Mode, Outcome, Problem, Source, Study, Trials};
pub use summary::{Summary, summarise};

/// Do `work` for each task, in parallel; answers in the order of tasks, whatever the threads.
///
/// The run that `work` gets is quiet: progress counts tasks.
///
/// # Errors
///
/// An error of `work`, or [`Stopped`](crate::Error::Stopped) when the run is.
pub fn each<T: Sync, R: Send>(
    tasks: &[T],
    run: &Run,
    work: impl Fn(&T, &Run) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let quiet = run.quiet();
    let done = AtomicU64::new(0);
    let total = tasks.len() as u64;
    run.install(|| {
        let answers = tasks.par_iter().map(|task| {
            run.check(done.load(Ordering::Relaxed), total)?;
            let answer = work(task, &quiet)?;
            run.check(done.fetch_add(1, Ordering::Relaxed) + 1, total)?;
            Ok(answer)
        });
        answers.collect()
    })?
}

/// The mean of values and their standard deviation (divisor n − 1; 0 for a single value).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// How many values there are.
    pub count: usize,
}

impl Spread {
    /// Mean and deviation of `values`; `None` when there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let deviation = (squares / count.saturating_sub(1).max(1) as f64).sqrt();
        Some(Self { mean, deviation, count })
    }

    /// The spread of paired differences, first minus second; `None` when there are none or
    /// they are not as many on both sides.
    pub fn of_differences(first: &[f64], second: &[f64]) -> Option<Self> {
        if first.len() != second.len() {
            return None;
        }
        let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
        Self::of(&differences)
    }

    /// The standard error of the mean: deviation / √count.
    pub fn error(&self) -> f64 {
        self.deviation / (self.count as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn answers_come_in_the_order_of_tasks() {
        let tasks: Vec<u64> = (0..100).collect();
        let squares = each(&tasks, &Run::on(4), |task, _| Ok(task * task)).unwrap();
        assert!(squares.iter().zip(&tasks).all(|(square, task)| *square == task * task));
        let stopped = each(&tasks, &Run::on(2), |_, _| Err::<(), _>(Error::Stopped));
        assert_eq!(stopped, Err(Error::Stopped));
    }

    #[test]
    fn spread_is_that_of_a_sample() {
        let spread = Spread::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert!((spread.mean - 2.5).abs() < 1e-15);
        assert!((spread.deviation - (5.0f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((spread.error() - spread.deviation / 2.0).abs() < 1e-15);
        assert_eq!(Spread::of(&[3.0]).unwrap().deviation, 0.0);
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of_differences(&[1.0, 5.0], &[0.0, 4.0]).unwrap().deviation, 0.0);
    }
}
