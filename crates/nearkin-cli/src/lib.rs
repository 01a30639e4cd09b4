//! The parts of the `nearkin` program.
//!
//! `commands` holds a file a subcommand. They take their flags from `input` (what is
//! read), [`output`] (where the answer goes) and `parameters` (what a method declares),
//! and hand the answer to `present`, which draws with [`plot`]. Only [`screen`] writes to the terminal.
//!
//! This is a library only because the workspace's other program, `nearkin-papers`, is made of the
//! same parts. It promises nothing to anybody else: for a library, see `nearkin`.
// Every error is a sentence to the user of the program, and the signature says so: a `Failure`.
#![allow(clippy::missing_errors_doc)]

mod commands;
pub mod contents;
mod costs;
pub mod csv;
mod facts;
pub mod failure;
mod flags;
mod input;
mod interrupt;
pub mod journal;
mod mapped;
mod matrices;
mod models;
mod npy;
pub mod output;
mod parameters;
pub mod plot;
mod present;
pub mod progress;
mod report;
pub mod screen;
mod seen;
pub mod sink;
pub mod usage;

use std::ffi::OsString;
use std::process::ExitCode;

use failure::Result;
pub use present::columns;

/// Run `program` on the words it was called with: its failure becomes a sentence and an exit
/// code, and Ctrl-C ends it without a broken file.
pub fn start(program: fn(&[OsString]) -> Result<()>) -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    match interrupt::guard(move || program(&words)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(sentence) = failure.sentence() {
                screen::say(&sentence);
            }
            ExitCode::from(failure.code())
        }
    }
}

/// The `nearkin` program.
pub fn program(words: &[OsString]) -> Result<()> {
    match commands::program().try_get_matches_from(words) {
        Ok(matches) => commands::run(&matches),
        Err(error) => usage::answer(&error, words, &commands::HINTS),
    }
}
