//! The `nearkin` program: a person's words into calls, and answers onto the screen.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    nearkin_cli::start(nearkin_cli::program)
}
