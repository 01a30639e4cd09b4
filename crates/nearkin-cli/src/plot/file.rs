//! `--plot FILE`: a figure in a file, whose name says the format.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches};

use super::{Figure, svg};
use crate::failure::{Result, refuse};
use crate::sink::Sink;
use crate::{flags, input};

/// The width of a figure that is written to its own file.
pub const WIDTH: f64 = 640.0;

/// The flag; `what` names the figure in its help.
pub fn arg(what: &str) -> Arg {
    let formats = if cfg!(feature = "png") { ".svg or .png" } else { ".svg" };
    flags::file("plot")
        .help(format!("Also draw {what} into FILE, which ends in {formats}"))
        .help_heading("Output")
}

/// The format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Svg,
    #[cfg(feature = "png")]
    Png,
}

/// The file that `--plot` names, if it is not the table, can be written, and its name says a
/// known format.
pub fn path(matches: &ArgMatches) -> Result<Option<&Path>> {
    let Some(path) = matches.get_one::<PathBuf>("plot") else { return Ok(None) };
    form(path)?;
    input::check_kept(matches, "plot", Some(path))?;
    Sink::probe(Some(path))?;
    Ok(Some(path))
}

fn form(path: &Path) -> Result<Form> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "svg" => Ok(Form::Svg),
        #[cfg(feature = "png")]
        "png" => Ok(Form::Png),
        #[cfg(not(feature = "png"))]
        "png" => refuse!(
            "--plot: {}: this program was built without PNG; name a .svg file, or build it with \
             `--features png`",
            path.display()
        ),
        _ => refuse!(
            "--plot: {}: the name must end in .svg or .png, which says the format",
            path.display()
        ),
    }
}

/// Write the figure.
pub fn save(path: &Path, figure: &Figure) -> Result<()> {
    let bytes = match form(path)? {
        Form::Svg => svg::alone(figure).into_bytes(),
        #[cfg(feature = "png")]
        Form::Png => super::png::draw(figure)
            .map_err(|why| crate::failure::Failure::System(format!("{}: {why}", path.display())))?,
    };
    Sink::open(Some(path))?.fill(|out| out.write_all(&bytes))
}
