//! `--plot FILE`: a figure into a file, in the form its name tells.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, value_parser};

use super::{Figure, png, svg};
use crate::failure::{Failure, Result};
use crate::sink::Sink;

/// The width of a figure in a file of its own.
pub const WIDTH: f64 = 640.0;

/// The flag, with what it draws.
pub fn arg(what: &str) -> Arg {
    Arg::new("plot")
        .long("plot")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help(format!("Also draw {what} into FILE, which ends in .svg or .png"))
        .help_heading("Output")
}

/// The form of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Svg,
    Png,
}

/// The file that `--plot` names, if it can be written and its name tells a form.
pub fn path(matches: &ArgMatches) -> Result<Option<&Path>> {
    let Some(path) = matches.get_one::<PathBuf>("plot") else { return Ok(None) };
    form(path)?;
    Sink::probe(Some(path))?;
    Ok(Some(path))
}

fn form(path: &Path) -> Result<Form> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "svg" => Ok(Form::Svg),
        "png" => Ok(Form::Png),
        _ => Err(Failure::Input(format!(
            "--plot: {}: the name must end in .svg or .png, which tells the form",
            path.display()
        ))),
    }
}

/// Write the figure.
pub fn save(path: &Path, figure: &Figure) -> Result<()> {
    let bytes = match form(path)? {
        Form::Svg => svg::alone(figure).into_bytes(),
        Form::Png => png::draw(figure),
    };
    Sink::open(Some(path))?.fill(|out| out.write_all(&bytes))
}
