//! [`Progress`]: a bar on the terminal with the time left.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::ArgMatches;
use nearkin::Run;
use nearkin::pool::Watch;

use crate::failure::{Failure, Result};
use crate::{interrupt, output, screen};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);
const REFRESH: Duration = Duration::from_millis(100);
const WIDTH: usize = 30;

/// Do `work` on the table called `name` with a progress bar, on as many threads as asked for.
pub fn watched<T>(
    matches: &ArgMatches,
    name: &str,
    work: impl FnOnce(&Run) -> nearkin::Result<T>,
) -> Result<T> {
    let shown = screen::stderr_is_watched() && !matches.get_flag("quiet");
    let progress = Progress::new(shown);
    let threads = output::chosen_threads(matches);
    let result = work(&Run::on(threads).watched(&progress));
    progress.clear();
    result.map_err(|error| Failure::of_table(name, error))
}

/// Shows how far the work is, and passes the wish to stop on to it.
pub struct Progress {
    step: Option<Mutex<Step>>,
}

struct Step {
    begun: Instant,
    total: u64,
    drawn: Option<Instant>,
}

impl Progress {
    /// Progress that is shown when `shown`; stopping works either way.
    pub fn new(shown: bool) -> Self {
        let step = Step { begun: Instant::now(), total: 0, drawn: None };
        Self { step: shown.then(|| Mutex::new(step)) }
    }

    /// Take the bar off the screen.
    pub fn clear(&self) {
        let Some(step) = &self.step else { return };
        let mut step = step.lock().unwrap_or_else(PoisonError::into_inner);
        if step.drawn.take().is_some() {
            screen::redraw("");
        }
    }
}

impl Watch for Progress {
    fn advance(&self, done: u64, total: u64) {
        // A thread that finds another drawing goes on with its work.
        let Some(Ok(mut step)) = self.step.as_ref().map(Mutex::try_lock) else { return };
        if total == 0 {
            return;
        }
        let now = Instant::now();
        if step.total != total {
            (step.begun, step.total) = (now, total);
        }
        let elapsed = now - step.begun;
        let fresh = step.drawn.is_some_and(|drawn| now - drawn < REFRESH);
        if elapsed > PATIENCE && !fresh {
            step.drawn = Some(now);
            screen::redraw(&bar(done, total, elapsed));
        }
    }

    fn stopped(&self) -> bool {
        interrupt::stopped()
    }
}

/// Long work in named stages: one bar from its beginning to its end, which never goes back.
///
/// A stage takes a share of the bar. How many steps the work inside reports is not known before: each
/// step takes a share of what is left of its stage, so the bar moves on and stays within it.
pub struct Stages {
    plan: Vec<(&'static str, f64)>,
    begun: Instant,
    shown: bool,
    state: Mutex<Stage>,
}

/// Where the work is.
#[derive(Debug, Default)]
struct Stage {
    /// The stage, counted from 1; 0 before the first.
    number: usize,
    /// Steps that the stage is expected to report, the current one among them.
    steps: usize,
    /// The share of the bar where the current step begins, and where its stage ends.
    from: f64,
    end: f64,
    /// The last report of the current step: the largest number of units done, and the number of
    /// all units.
    done: u64,
    total: u64,
    /// The share of the bar that is full.
    share: f64,
    drawn: Option<Instant>,
}

impl Stages {
    /// Stages with what they cost, in any unit.
    pub fn new(shown: bool, plan: &[(&'static str, f64)]) -> Self {
        let state = Mutex::new(Stage::default());
        Self { plan: plan.to_vec(), begun: Instant::now(), shown, state }
    }

    /// Begin the next stage of the plan, which will probably report `steps` steps.
    pub fn begin(&self, steps: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let all: f64 = self.plan.iter().map(|(_, cost)| cost).sum();
        let until = |number: usize| -> f64 {
            let cost: f64 = self.plan[..number.min(self.plan.len())].iter().map(|one| one.1).sum();
            if all > 0.0 { cost / all } else { 0.0 }
        };
        let number = (state.number + 1).min(self.plan.len());
        let from = until(number.saturating_sub(1)).max(state.share);
        let (end, drawn) = (until(number).max(from), state.drawn);
        *state = Stage { number, steps, from, end, share: from, drawn, ..Stage::default() };
        if self.shown && self.begun.elapsed() > PATIENCE {
            state.drawn = Some(Instant::now());
            screen::redraw(&self.line(&state));
        }
    }

    /// The share of the whole that is done.
    pub fn share(&self) -> f64 {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).share
    }

    /// Take the bar off the screen.
    pub fn clear(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.drawn.take().is_some() {
            screen::redraw("");
        }
    }

    fn line(&self, state: &Stage) -> String {
        let (name, _) = self.plan.get(state.number.saturating_sub(1)).copied().unwrap_or_default();
        let stages = self.plan.len();
        let bar = full_to(state.share, self.begun.elapsed());
        format!("{bar}: {name} ({} of {stages})", state.number)
    }
}

impl Stage {
    fn advance(&mut self, done: u64, total: u64) {
        if total != self.total || (done == 0 && self.done > 0) {
            if self.total > 0 {
                self.from = self.share;
                self.steps = self.steps.saturating_sub(1);
            }
            (self.done, self.total) = (0, total);
        }
        // Threads report in any order.
        self.done = self.done.max(done.min(total));
        // The last steps expected may be followed by more.
        let part = (self.end - self.from) / self.steps.max(2) as f64;
        let share = self.from + part * self.done as f64 / self.total.max(1) as f64;
        self.share = self.share.max(share.min(self.end));
    }
}

impl Watch for Stages {
    fn advance(&self, done: u64, total: u64) {
        // A thread that finds another reporting goes on with its work.
        let Ok(mut state) = self.state.try_lock() else { return };
        if total == 0 {
            return;
        }
        state.advance(done, total);
        let fresh = state.drawn.is_some_and(|drawn| drawn.elapsed() < REFRESH);
        if self.shown && self.begun.elapsed() > PATIENCE && !fresh {
            state.drawn = Some(Instant::now());
            screen::redraw(&self.line(&state));
        }
    }

    fn stopped(&self) -> bool {
        interrupt::stopped()
    }
}

fn bar(done: u64, total: u64, elapsed: Duration) -> String {
    full_to(done as f64 / total as f64, elapsed)
}

fn full_to(share: f64, elapsed: Duration) -> String {
    let share = share.clamp(0.0, 1.0);
    let full = (share * WIDTH as f64) as usize;
    let left = match share > 0.0 {
        true => clock(elapsed.as_secs_f64() * (1.0 - share) / share),
        false => "?".into(),
    };
    let (bar, rest) = ("=".repeat(full), " ".repeat(WIDTH - full));
    format!("[{bar}{rest}] {:3.0} %, {left} left", share * 100.0)
}

fn clock(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_share_done() {
        let text = bar(25, 100, Duration::from_secs(20));
        assert!(text.contains(" 25 %, 1:00 left"), "{text}");
        assert!(bar(0, 9, Duration::from_secs(1)).contains("? left"));
        assert_eq!(clock(3723.0), "1:02:03");
    }
    #[test]
    fn stages_fill_one_bar_that_never_goes_back() {
        let stages = Stages::new(false, &[("reading", 1.0), ("weights", 3.0), ("rows", 4.0)]);
        let mut seen = vec![stages.share()];
        let mut report = |done: u64, total: u64| {
            stages.advance(done, total);
            seen.push(stages.share());
        };
        stages.begin(1);
        (0..=10).for_each(|done| report(done, 10));
        stages.begin(2);
        // Two steps alike, reported out of order, then one that nobody expected.
        for total in [100, 100, 7] {
            for done in 0..=total {
                report(if done % 9 == 8 { done / 2 } else { done }, total);
            }
        }
        let before = stages.share();
        assert!(before > 0.125 && before <= 0.5, "{before}");
        stages.begin(1);
        assert!((stages.share() - 0.5).abs() < 1e-12);
        stages.advance(5, 5);
        // More stages than planned: progress stays at the end of the last one.
        stages.begin(1);
        stages.advance(1, 1);
        assert!(stages.share() <= 1.0);
        assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]), "{seen:?}");
        let state = Stage { number: 2, share: 0.25, ..Stage::default() };
        assert!(
            stages.line(&state).contains(" 25 %, ")
                && stages.line(&state).ends_with(": weights (2 of 3)")
        );
    }
}
