//! [`Sink`]: where an answer goes. A file is written whole or not at all: into a file beside
//! it that takes its name at the end, and that is removed if the end is not reached.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::{Failure, Result, refuse};
use crate::{mapped, screen};

/// The output files not yet complete, which Ctrl-C removes.
struct State {
    /// The one being written.
    pending: Option<PathBuf>,
    /// True once one is in place: what is left to write is written too.
    finished: bool,
}

static STATE: Mutex<State> = Mutex::new(State { pending: None, finished: false });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remove an unfinished output file, and let none be finished from now on.
///
/// False when the output is already in place.
pub fn abandon() -> bool {
    let state = state();
    if state.finished {
        return false;
    }
    if let Some(path) = &state.pending {
        let _ = fs::remove_file(path);
    }
    // Held for ever: the program is about to end, and the worker must not finish the file.
    std::mem::forget(state);
    true
}

/// Where an answer goes.
pub struct Sink {
    writer: BufWriter<Box<dyn Write>>,
    place: String,
    pending: Option<Pending>,
}

struct Pending {
    temporary: PathBuf,
    destination: PathBuf,
    file: File,
}

impl Sink {
    /// Refuse, before the work begins, a file that could not be written after it.
    pub fn probe(path: Option<&Path>) -> Result<()> {
        match path {
            Some(path) => Self::open(Some(path)).map(drop),
            None => Ok(()),
        }
    }

    /// A sink into the file at `path`, or onto standard output.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            let writer = BufWriter::new(screen::stdout());
            return Ok(Self { writer, place: "standard output".into(), pending: None });
        };
        let place = path.display().to_string();
        if path.is_dir() {
            return refuse!("{place}: this is a directory; name a file in it");
        }
        let failed = |error| Failure::writing(&place, &error);
        let (writer, pending) = match fs::metadata(path) {
            // A device or a pipe takes bytes as they come; it must not be replaced by a file.
            Ok(found) if !found.is_file() => {
                (OpenOptions::new().write(true).open(path).map_err(failed)?, None)
            }
            found => {
                let pending = Pending::beside(path).map_err(failed)?;
                if let Ok(found) = found {
                    let _ = pending.file.set_permissions(found.permissions());
                }
                (pending.file.try_clone().map_err(failed)?, Some(pending))
            }
        };
        Ok(Self { writer: BufWriter::new(Box::new(writer)), place, pending })
    }

    /// Write by `write`, then put the file in place.
    pub fn fill(mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        mapped::check()?;
        let written = write(&mut self.writer).and_then(|()| self.writer.flush());
        // Some answers are still being computed while they are written.
        mapped::check()?;
        let finished = written.and_then(|()| match self.pending.take() {
            Some(pending) => pending.finish(),
            None => Ok(()),
        });
        finished.map_err(|error| Failure::writing(&self.place, &error))
    }
}

impl Pending {
    fn beside(path: &Path) -> io::Result<Self> {
        // Behind a link the file itself is replaced, not the link.
        let destination = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let name = destination.file_name().unwrap_or_default().to_string_lossy();
        let temporary =
            destination.with_file_name(format!(".{name}.{}.partial", std::process::id()));
        let mut state = state();
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        state.pending = Some(temporary.clone());
        Ok(Self { temporary, destination, file })
    }

    fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        let mut state = state();
        fs::rename(&self.temporary, &self.destination)?;
        *state = State { pending: None, finished: true };
        Ok(())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut state = state();
        if state.pending.take().is_some() {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
