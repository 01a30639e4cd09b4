//! The `nearkin-papers` program: experiments of the papers, run again.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    nearkin_cli::start(nearkin_papers::program)
}
