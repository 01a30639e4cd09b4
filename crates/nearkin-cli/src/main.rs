//! The `nearkin` program: a person's words into calls, and answers onto the screen.
//!
//! [`commands`] holds a file a subcommand. They take their flags from [`input`] (what is
//! read), [`output`] (where the answer goes) and [`parameters`] (what a method declares),
//! and hand the answer to [`present`], which draws with [`plot`]. Only [`screen`] writes to the terminal.
#![forbid(unsafe_code)]

mod commands;
mod contents;
mod costs;
mod csv;
mod facts;
mod failure;
mod input;
mod interrupt;
mod journal;
mod matrices;
mod models;
mod npy;
mod output;
mod parameters;
mod plot;
mod present;
mod progress;
mod report;
mod screen;
mod seen;
mod sha256;
mod sink;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;

use failure::Result;

fn main() -> ExitCode {
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

fn program(words: &[OsString]) -> Result<()> {
    match commands::program().try_get_matches_from(words) {
        Ok(matches) => commands::run(&matches),
        Err(error) => usage::answer(&error, words),
    }
}
