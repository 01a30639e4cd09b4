//! `nearkin reproduce`: experiments of the papers, run again. To add one: write its file and
//! put a line into [`ALL`].

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

use clap::{ArgMatches, Command};

use crate::failure::{Failure, Result};
use crate::output;
use crate::sink::Sink;
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
  nearkin reproduce class-dependent --quick -o class-dependent.txt
  # What can be run again:
  nearkin reproduce --help";

/// The command line.
pub fn command() -> Command {
    Command::new("reproduce")
        .about("Run a paper's experiments again and tell which of its claims hold")
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .subcommand_value_name("EXPERIMENT")
        .subcommand_help_heading("Experiments")
        .disable_help_subcommand(true)
        .subcommands(ALL.iter().map(|(_, command, _)| command().args(settings::args())))
}

/// Run an experiment.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let called = |name: &str| ALL.iter().find(|(known, ..)| *known == name);
    let Some(((name, _, run), matches)) =
        matches.subcommand().and_then(|(name, matches)| Some((called(name)?, matches)))
    else {
        return Err(Failure::Input(expected(None)));
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

/// What to say about a missing or unknown experiment.
pub fn expected(got: Option<&String>) -> String {
    let names: Vec<&str> = ALL.iter().map(|(name, ..)| *name).collect();
    let got = match got {
        Some(word) if !word.starts_with('-') => format!("`{word}` is no experiment"),
        _ => "name an experiment".into(),
    };
    format!("reproduce: {got}; there are {}", names.join(", "))
}
