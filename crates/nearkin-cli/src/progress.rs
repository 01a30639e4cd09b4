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

fn bar(done: u64, total: u64, elapsed: Duration) -> String {
    let share = (done as f64 / total as f64).clamp(0.0, 1.0);
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
}
