//! Ctrl-C and panics: whatever happens, the program ends with a sentence and no broken file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::failure::{Failure, Result};
use crate::{mapped, screen, sink};

static STOP: AtomicBool = AtomicBool::new(false);

/// The work needs as much stack here as it would on the main thread.
const STACK: usize = 8 << 20;

/// True once the user pressed Ctrl-C.
pub fn stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Do `work` on another thread, so that Ctrl-C is answered even while a file is being read.
pub fn guard(work: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        if nearkin_read::may_be_damage() && !place.contains("nearkin") {
            return; // over a damaged file, and the reader says so
        }
        let said = panic.payload();
        let text = said.downcast_ref::<&str>().copied();
        let text = text.or_else(|| said.downcast_ref::<String>().map(String::as_str));
        let said = text.unwrap_or("no reason given").replace('\n', " ");
        screen::say(&format!("this is a fault of nearkin, please report it: {place}: {said}"));
    }));
    let (done, news) = mpsc::channel();
    let signal = done.clone();
    // Without a handler Ctrl-C still ends the program, by the system's own means.
    let _ = ctrlc::set_handler(move || {
        STOP.store(true, Ordering::Relaxed);
        let _ = signal.send(Err(Failure::Interrupted));
    });
    let spawned =
        thread::Builder::new().name("nearkin".into()).stack_size(STACK).spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Failure::Bug));
            // A changed file is reported instead of the error it led to.
            let result = result.or_else(|failure| mapped::check().and(Err(failure)));
            let _ = done.send(result);
        });
    if let Err(error) = spawned {
        return Err(Failure::System(format!("could not start a thread: {error}")));
    }
    let result = news.recv().unwrap_or(Err(Failure::Bug));
    match result {
        // The output is already in place: too late to stop, wait for the end.
        Err(Failure::Interrupted) if !sink::abandon() => news.recv().unwrap_or(Err(Failure::Bug)),
        other => other,
    }
}
