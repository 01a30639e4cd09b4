//! Long work beside a Python interpreter that stays awake.
//!
//! The work runs on a thread of its own, detached from the interpreter; the calling thread
//! sleeps, wakes a few times a second to let Python handle signals and to report progress,
//! and asks the work to stop when either raises.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use nearkin::Run;
use nearkin::pool::Watch;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::exception;

/// How long the calling thread sleeps between two looks at Python's signals.
const TICK: Duration = Duration::from_millis(50);

#[derive(Default)]
struct Watcher {
    stop: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

impl Watch for Watcher {
    fn advance(&self, done: u64, total: u64) {
        // Steps that do not count themselves say 0 of 0.
        if total > 0 {
            self.total.store(total, Relaxed);
            self.done.store(done, Relaxed);
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Where the work leaves its result and wakes the waiting thread.
struct Outcome<T> {
    slot: Mutex<Option<T>>,
    filled: Condvar,
}

impl<T> Outcome<T> {
    fn put(&self, value: T) {
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        self.filled.notify_one();
    }

    fn wait(&self, patience: Duration) -> Option<T> {
        let slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.filled.wait_timeout_while(slot, patience, |slot| slot.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

/// Do `work` on this number of threads, without holding the interpreter.
pub fn run<T: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Run) -> nearkin::Result<T> + Send,
) -> PyResult<T> {
    watched(py, threads, None, work)
}

/// The same, calling `progress(done, total)` now and then.
pub fn watched<T: Send>(
    py: Python<'_>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Run) -> nearkin::Result<T> + Send,
) -> PyResult<T> {
    let watcher = Watcher::default();
    let outcome = Outcome { slot: Mutex::new(None), filled: Condvar::new() };
    let mut raised: Option<PyErr> = None;
    let finished = std::thread::scope(|scope| -> PyResult<_> {
        let worker = std::thread::Builder::new().name("nearkin".into());
        worker
            .spawn_scoped(scope, || {
                outcome.put(catch_unwind(AssertUnwindSafe(|| {
                    work(&Run::on(threads).watched(&watcher))
                })));
            })
            .map_err(|e| PyRuntimeError::new_err(format!("could not start a thread: {e}")))?;
        loop {
            if let Some(finished) = py.detach(|| outcome.wait(TICK)) {
                return Ok(finished);
            }
            if raised.is_none()
                && let Err(error) = look_around(py, &watcher, progress.as_ref())
            {
                watcher.stop.store(true, Relaxed);
                raised = Some(error);
            }
        }
    })?;
    // A signal that came in the last moment, or on a run too short to look around.
    match raised.map_or_else(|| py.check_signals(), Err) {
        Err(error) => Err(error),
        Ok(()) => match finished {
            Ok(result) => result.map_err(exception),
            Err(_) => Err(PyRuntimeError::new_err(
                "nearkin failed in a way it should not; please report it with the message above",
            )),
        },
    }
}

fn look_around(
    py: Python<'_>,
    watcher: &Watcher,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    py.check_signals()?;
    let (done, total) = (watcher.done.load(Relaxed), watcher.total.load(Relaxed));
    match progress {
        Some(progress) if total > 0 => progress.call1((done.min(total), total)).map(drop),
        _ => Ok(()),
    }
}
