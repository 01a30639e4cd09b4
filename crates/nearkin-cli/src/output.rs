//! The flags about the answer: its form, its place and how much of it.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches};
use nearkin::{Note, Severity};
use nearkin_read::ReadNote;
use serde_json::Value;

use crate::failure::{Failure, Result, refuse};
use crate::present::columns::shown;
use crate::{flags, screen};

const HEADING: &str = "Output";
/// The most threads: more than any machine has cores would only wait.
const MOST_THREADS: u64 = 1024;

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Table,
    /// For spreadsheets and data frames.
    Csv,
    /// For programs: the answer, and everything known about the run.
    Json,
}

impl Form {
    /// The answer that one of these makes in this form.
    pub fn text(
        self,
        table: impl FnOnce() -> String,
        csv: impl FnOnce() -> String,
        json: impl FnOnce() -> Value,
    ) -> String {
        match self {
            Self::Table => table(),
            Self::Csv => csv(),
            Self::Json => format!("{:#}\n", json()),
        }
    }
}

/// `-o FILE`.
pub fn file() -> Arg {
    flags::file("output")
        .short('o')
        .help(
            "Write into FILE, completely or not at all; - is standard output. Default: standard output",
        )
        .help_heading(HEADING)
}

/// `--format`.
pub fn form() -> Arg {
    flags::one_of("format", "FORM", ["table", "csv", "json"])
        .help("The answer's form. Default: as FILE ends (.txt, .csv, .json), else table")
        .help_heading(HEADING)
}

/// `--top N`.
pub fn top() -> Arg {
    flags::number("top", 1).help("Only the first N features of each ranking").help_heading(HEADING)
}

/// `--quiet`.
pub fn quiet() -> Arg {
    switch("quiet", "Nothing on standard error, unless the run fails").short('q')
}

/// `--timing`.
pub fn timing() -> Arg {
    switch("timing", "Show the seconds spent reading, fitting and writing (always in JSON)")
}

/// `--threads N`.
pub fn threads() -> Arg {
    flags::flag("threads", "N")
        .alias("n-jobs")
        .value_parser(flags::whole(0, MOST_THREADS))
        .default_value("0")
        .help("Number of threads; 0 means one for each core. The answer does not depend on it")
        .help_heading("Running")
}

/// `--format`, `--output`, `--quiet` and `--threads`.
pub fn args() -> [Arg; 4] {
    [form(), file(), quiet(), threads()]
}

/// A switch about the answer.
pub fn switch(name: &'static str, help: &'static str) -> Arg {
    flags::switch(name).help(help).help_heading(HEADING)
}

/// How much of each ranking `--top` leaves.
pub fn chosen_top(matches: &ArgMatches) -> usize {
    let top = matches.get_one::<u64>("top").and_then(|&top| usize::try_from(top).ok());
    top.unwrap_or(usize::MAX)
}

/// The number of threads that `--threads` asks for.
pub fn chosen_threads(matches: &ArgMatches) -> usize {
    matches.get_one::<u64>("threads").map_or(0, |&threads| threads as usize)
}

/// The file that `-o` names.
pub fn path(matches: &ArgMatches) -> Option<&Path> {
    matches
        .get_one::<PathBuf>("output")
        .map(PathBuf::as_path)
        .filter(|path| *path != Path::new("-"))
}

/// The file for a saved model that `-o` names.
pub fn model_path(matches: &ArgMatches) -> Result<Option<&Path>> {
    match (matches.contains_id("output"), path(matches)) {
        (true, None) => {
            let reason = "--output: a model is saved into a file, not to standard output; name one";
            Err(Failure::Input(reason.into()))
        }
        (_, path) => Ok(path),
    }
}

/// The form that the user chose, else the form that the file's name implies.
pub fn chosen_form(matches: &ArgMatches) -> Result<Form> {
    match matches.get_one::<String>("format").map(String::as_str) {
        Some("csv") => return Ok(Form::Csv),
        Some("json") => return Ok(Form::Json),
        Some(_) => return Ok(Form::Table),
        None => {}
    }
    let Some(path) = path(matches) else { return Ok(Form::Table) };
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "csv" => Ok(Form::Csv),
        "json" => Ok(Form::Json),
        "txt" => Ok(Form::Table),
        _ => refuse!(
            "{}: the name does not end in .csv, .json or .txt; say --format csv, json or table",
            path.display()
        ),
    }
}

/// The form asked for where `-o` names something else than the answer's file.
pub fn form_alone(matches: &ArgMatches) -> Form {
    match matches.get_one::<String>("format").map(String::as_str) {
        Some("csv") => Form::Csv,
        Some("json") => Form::Json,
        _ => Form::Table,
    }
}

/// A sentence printed with an answer, and how important it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Remark {
    severity: Severity,
    /// The sentence.
    pub text: String,
}

impl Remark {
    /// The sentence after the word that says how much it matters.
    fn line(&self) -> String {
        let word = match self.severity {
            Severity::Information => "note",
            Severity::Warning | Severity::NotConverged => "warning",
        };
        format!("{word}: {}", shown(&self.text))
    }
}

impl From<String> for Remark {
    fn from(text: String) -> Self {
        Self { severity: Severity::Information, text }
    }
}

impl From<&Note> for Remark {
    fn from(note: &Note) -> Self {
        Self { severity: note.severity(), text: note.to_string() }
    }
}

impl From<&ReadNote> for Remark {
    fn from(note: &ReadNote) -> Self {
        let flag = match note {
            ReadNote::NearlyNumbers { .. } => " (--missing-token)",
            ReadNote::DecimalCommas { .. } => " (--decimal-comma)",
            ReadNote::LikeGenotypes { .. } => " (--genotype all, or --additive)",
            ReadNote::UnknownAsNumber { .. } => " (--missing-token=-9)",
            ReadNote::UnknownAsClass { .. } => " (--missing-token=-9 --skip-missing-target)",
            _ => "",
        };
        Self { severity: note.severity(), text: format!("{note}{flag}") }
    }
}

/// Notes of the library or of the reader as remarks.
pub fn remarks<'n, N>(notes: &'n [N]) -> Vec<Remark>
where
    Remark: From<&'n N>,
{
    notes.iter().map(Remark::from).collect()
}

/// The sentences of remarks, for JSON.
pub fn texts(remarks: &[Remark]) -> Vec<&str> {
    remarks.iter().map(|one| one.text.as_str()).collect()
}

/// The lines of remarks below a table, after a blank line.
pub fn below(remarks: &[Remark]) -> String {
    let lines: Vec<String> = remarks.iter().map(|one| format!("{}\n", one.line())).collect();
    if lines.is_empty() { String::new() } else { format!("\n{}", lines.concat()) }
}

/// Print remarks on standard error, unless the user wants quiet.
pub fn tell(matches: &ArgMatches, remarks: &[Remark]) {
    if !matches.get_flag("quiet") {
        remarks.iter().for_each(|one| screen::say(&one.line()));
    }
}

/// Print a note of the program's own on standard error, unless the user wants quiet.
pub fn note(matches: &ArgMatches, text: &str) {
    tell(matches, &[text.to_owned().into()]);
}
