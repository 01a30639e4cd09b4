//! `weigh --truth`: how well the weights tell the features that are known to matter from the others.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches};
use nearkin::stats::{Separation, separation};
use nearkin::weigh::FeatureWeights;

use crate::failure::{Failure, Result};
use crate::flags;

/// The features known to matter, and how well the weights separate them.
pub struct Truth {
    /// The features that matter.
    pub relevant: Vec<String>,
    /// How far they stand above the others.
    pub scores: Separation,
}

/// The flag.
pub fn arg() -> Arg {
    flags::flag("truth", "COLUMNS")
        .value_delimiter(',')
        .action(ArgAction::Append)
        .help(
            "The columns known to matter, or a file that names them one a line, as `simulate \
             --truth` prints them. Adds separability, usability and AUC of the weights",
        )
        .help_heading("Output")
}

/// The scores, if the user gave `--truth`.
pub fn scored(matches: &ArgMatches, weights: &FeatureWeights) -> Result<Option<Truth>> {
    let Some(words) = matches.get_many::<String>("truth") else { return Ok(None) };
    let mut relevant = Vec::new();
    for word in words {
        let is_column = weights.features.contains(word);
        match is_column || !Path::new(word).is_file() {
            true => relevant.push(word.clone()),
            false => relevant.extend(listed(word)?),
        }
    }
    let place = |name: &String| {
        weights.features.iter().position(|feature| feature == name).ok_or_else(|| {
            Failure::Input(format!("--truth: `{name}` is neither a feature nor a file of features"))
        })
    };
    let places: Vec<usize> = relevant.iter().map(place).collect::<Result<_>>()?;
    let Some(scores) = separation(&weights.weights, &places)? else {
        let reason =
            "--truth: some features must matter and others not, or there is nothing to tell apart";
        return Err(Failure::Input(reason.into()));
    };
    Ok(Some(Truth { relevant, scores }))
}

fn listed(path: &str) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Input(format!("--truth: {path}: {error}")))?;
    Ok(text.lines().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect())
}
