//! Saved models on disk: the argument that names one, reading it, and reading the table of
//! queries.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};
use nearkin::data::{Classes, Target};
use nearkin::model::Model;
use nearkin_read::{ColumnKind, Loaded};

use crate::failure::{Failure, Result, refuse};
use crate::output::Form;
use crate::sink::Sink;
use crate::{flags, input, matrices, output};

/// The argument that names a model.
pub fn arg() -> Arg {
    Arg::new("model")
        .value_name("MODEL")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("A model that `nearkin learn` or `nearkin classify` saved")
}

/// The command with the arguments of a model and of queries to it, whose true classes are `labels`.
pub fn queried(command: Command, labels: &'static str) -> Command {
    command
        .arg(arg())
        .args(input::optional_args())
        .args(matrices::args("Similarities of queries to the model's samples instead of TABLE"))
        .args(matrices::label_args(labels))
}

/// The model's file as the user named it.
pub fn path(matches: &ArgMatches) -> &Path {
    matches.get_one::<PathBuf>("model").map_or(Path::new(""), PathBuf::as_path)
}

/// The model that the words name.
pub fn chosen(matches: &ArgMatches) -> Result<Model> {
    read(path(matches), "")
}

/// The form and the file of the answer, which is not the table, and the model that gives it.
pub fn asked(matches: &ArgMatches) -> Result<(Form, Option<&Path>, Model)> {
    let form = output::chosen_form(matches)?;
    let path = output::path(matches);
    input::check_kept(matches, "output", path)?;
    Sink::probe(path)?;
    Ok((form, path, chosen(matches)?))
}

/// The model in the file at `path`, which `flag` named if it was a flag.
pub fn read(path: &Path, flag: &str) -> Result<Model> {
    let shown = match flag {
        "" => path.display().to_string(),
        flag => format!("--{flag}: {}", path.display()),
    };
    if path.is_dir() {
        return refuse!("{shown}: this is a directory; name a file in it");
    }
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::Input(format!("{shown}: there is no such file; check the path"))
        }
        _ => Failure::Input(format!("{shown}: cannot be read: {error}")),
    })?;
    Model::from_bytes(&bytes).map_err(|error| Failure::of_table(&shown, error))
}

/// The table of queries for the model; its columns are read with the kinds that the model has.
pub fn table(matches: &ArgMatches, model: &Model) -> Result<Loaded> {
    let kinds = model.columns().into_iter().map(|(name, nominal)| {
        (name, if nominal { ColumnKind::Nominal } else { ColumnKind::Numeric })
    });
    let loaded = input::read_like(matches, &model.origin().target, kinds.collect())?;
    output::tell(matches, &output::remarks(&loaded.notes));
    Ok(loaded)
}

/// The classes that came with the table, with the column they stood in.
pub fn truth(loaded: &Loaded) -> Option<(&Classes, &str)> {
    match &loaded.target {
        Some(Target::Classes(classes)) => {
            Some((classes, loaded.target_name.as_deref().unwrap_or("target")))
        }
        _ => None,
    }
}

/// `--row`, of what `help` says.
pub fn row_arg(help: &'static str) -> Arg {
    flags::flag("row", "ROW").required(true).allow_hyphen_values(true).help(help)
}

/// The row that `--row` names, of `rows`: its number, or its name where rows have names.
pub fn row(matches: &ArgMatches, of: &str, rows: usize, names: Option<&[String]>) -> Result<usize> {
    let text = matches.get_one::<String>("row").map_or("", String::as_str);
    row_of("row", text, of, rows, names)
}

/// The row that `text`, a value of `flag`, names: its number, or its name where rows have names.
pub fn row_of(
    flag: &str,
    text: &str,
    of: &str,
    rows: usize,
    names: Option<&[String]>,
) -> Result<usize> {
    let names = names.filter(|names| !names.is_empty());
    let number = text.parse::<usize>().ok();
    if let Some(row) = number.filter(|&row| row < rows) {
        return Ok(row);
    }
    let mut called = names.into_iter().flatten().enumerate().filter(|(_, name)| *name == text);
    match (called.next(), called.next(), number, names) {
        (Some((row, _)), None, ..) => Ok(row),
        (Some((one, _)), Some((other, _)), ..) => Err(Failure::Input(format!(
            "--{flag}: rows {one} and {other} of {of} are both called `{text}`; give a number"
        ))),
        (None, _, None, None) => Err(Failure::Input(format!(
            "--{flag}: the rows of {of} have no names; give a number from 0 to {}, not `{text}`",
            rows.saturating_sub(1)
        ))),
        (None, ..) => Err(Failure::Input(format!(
            "--{flag}: {of} has no row {text}; it has {rows}, counted from 0"
        ))),
    }
}
