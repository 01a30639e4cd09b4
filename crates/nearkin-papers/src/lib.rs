//! The `nearkin-papers` program: experiments of the papers, run again, and which of their claims
//! hold. To add an experiment: write its file and put a line into `ALL`.
//!
//! [`studies`] are the simulations and measurements that an experiment reports; the rest is the
//! program, made of the parts of `nearkin`'s.
#![forbid(unsafe_code)]

mod class_dependent;
mod double_relief;
mod gametes;
mod manifest;
mod measured;
mod printed;
mod relief_srbs;
mod report;
mod sda;
mod settings;
mod sila;
pub mod studies;

/// The Rust examples of the front page and of the guide, run as tests. They stand here because this
/// crate is not published: the archive of one that is holds no file of the repository.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/classification.md")]
    struct Classification;
    #[doc = include_str!("../../../docs/learning.md")]
    struct Learning;
}

use std::ffi::OsString;

use clap::{ArgMatches, Command};
use nearkin_cli::failure::{Failure, Result};
use nearkin_cli::output;
use nearkin_cli::sink::Sink;
use nearkin_cli::usage::{self, Hints};

use report::Report;
use settings::Settings;

/// An experiment: its name, its help and flags, and how it is run.
type Experiment = (&'static str, fn() -> Command, fn(&Settings) -> Result<Report>);

const ALL: &[Experiment] = &[
    ("double-relief", double_relief::command, double_relief::run),
    ("class-dependent", class_dependent::command, class_dependent::run),
    ("sila", sila::command, sila::run),
    ("relief-srbs", relief_srbs::command, relief_srbs::run),
    ("sda", sda::command, sda::run),
    ("gametes", gametes::command, gametes::run),
];

const EXAMPLES: &str = "\
EXAMPLES:
  # What the printed tables and the bundled sets allow, in seconds:
  nearkin-papers class-dependent --quick -o class-dependent.txt
  # What can be run again:
  nearkin-papers --help";

const HINTS: Hints = Hints { expected, unknown, see };

/// The program.
///
/// # Errors
///
/// When the words or the data cannot be used as given, or the report cannot be written.
pub fn program(words: &[OsString]) -> Result<()> {
    match command().try_get_matches_from(words) {
        Ok(matches) => run(&matches),
        Err(error) => usage::answer(&error, words, &HINTS),
    }
}

/// The command line.
fn command() -> Command {
    Command::new("nearkin-papers")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Run a paper's experiments again and tell which of its claims hold")
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .subcommand_value_name("EXPERIMENT")
        .subcommand_help_heading("Experiments")
        .disable_help_subcommand(true)
        .subcommands(ALL.iter().map(|(_, command, _)| command().args(settings::args())))
}

/// Run an experiment.
fn run(matches: &ArgMatches) -> Result<()> {
    let called = |name: &str| ALL.iter().find(|(known, ..)| *known == name);
    let Some(((name, _, run), matches)) =
        matches.subcommand().and_then(|(name, matches)| Some((called(name)?, matches)))
    else {
        return Err(Failure::Input(expected(&[])));
    };
    let markdown = matches.get_one::<String>("format").is_some_and(|form| form == "markdown");
    let form = if markdown { None } else { Some(output::chosen_form(matches)?) };
    let path = output::path(matches);
    Sink::probe(path)?;
    let mut settings = Settings::of(matches)?;
    let beside = settings.keep_beside(path)?;
    let report = run(&settings);
    settings.progress.clear();
    let report = report?;
    report.notes.iter().for_each(|text| output::note(matches, text));
    if form == Some(output::Form::Csv) && report.rows.is_empty() {
        output::note(
            matches,
            "what was asked for has no data of figures, so there are no rows; --format table, json \
             or markdown has its tables",
        );
    }
    Sink::open(path)?.fill(|out| match form {
        Some(form) => report.write(out, name, form),
        None => out.write_all(report.markdown(name).as_bytes()),
    })?;
    // What was kept in case of an interruption has served.
    if let Some(trials) = beside {
        let _ = std::fs::remove_file(trials);
    }
    Ok(())
}

/// The sentence for a missing or unknown experiment.
fn expected(words: &[String]) -> String {
    let names: Vec<&str> = ALL.iter().map(|(name, ..)| *name).collect();
    let got = match words.get(1) {
        Some(word) if !word.starts_with('-') => format!("`{word}` is no experiment"),
        _ => "name an experiment".into(),
    };
    format!("{got}; there are {}", names.join(", "))
}

/// The sentence for a flag that no experiment has.
fn unknown(_: &[String], flag: &str) -> String {
    format!("{flag}: there is no such flag")
}

/// Where to read on.
fn see(words: &[String]) -> String {
    let known = words.get(1).filter(|word| ALL.iter().any(|(name, ..)| name == word));
    let name = known.map_or(String::new(), |name| format!("{name} "));
    format!("`nearkin-papers {name}--help` tells more")
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_two_flags_of_an_experiment_clash() {
        super::command().debug_assert();
    }
}
