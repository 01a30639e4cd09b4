//! Clap's errors about the command line, as one sentence.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::{Failure, Result, refuse};
use crate::sink::Sink;

/// What a program says about words that it does not have; each is given all words typed.
pub struct Hints {
    /// The sentence for a missing or unknown subcommand.
    pub expected: fn(&[String]) -> String,
    /// The sentence for an unknown flag.
    pub unknown: fn(&[String], &str) -> String,
    /// Where to read on.
    pub see: fn(&[String]) -> String,
}

/// Show the help or version that was asked for, or say what is wrong with the words.
pub fn answer(error: &clap::Error, words: &[OsString], hints: &Hints) -> Result<()> {
    let words: Vec<String> = words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.render().to_string();
            Sink::open(None)?.fill(|out| out.write_all(text.as_bytes()))
        }
        ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::InvalidSubcommand => Err(Failure::Input((hints.expected)(&words))),
        ErrorKind::UnknownArgument => Err(unknown(error, &words, hints)),
        _ => refuse!("{}; {}", plain(error), (hints.see)(&words)),
    }
}

/// A flag that the command, or its method, does not have.
fn unknown(error: &clap::Error, words: &[String], hints: &Hints) -> Failure {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    let flag = word(ContextKind::InvalidArg).unwrap_or_default();
    let flag = flag.split_whitespace().next().unwrap_or(flag);
    let meant = match word(ContextKind::SuggestedArg) {
        Some(meant) => format!("did you mean {meant}? "),
        None => String::new(),
    };
    if !flag.starts_with('-') {
        let see = (hints.see)(words);
        return Failure::Input(format!("`{flag}` is one word too many; {see}"));
    }
    let reason = (hints.unknown)(words, flag);
    Failure::Input(format!("{reason}; {meant}{}", (hints.see)(words)))
}

/// clap's own words up to its usage lines.
fn plain(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim);
    let told = lines.take_while(|l| !l.starts_with("Usage:") && !l.starts_with("For more"));
    let told: Vec<&str> = told.filter(|line| !line.is_empty()).collect();
    told.join(" ").trim_start_matches("error: ").to_owned()
}
