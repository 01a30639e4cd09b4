//! What all experiments can be told: how much, from which seed, with which data.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use nearkin::Run;

use crate::failure::{Failure, Result};
use crate::progress::Progress;
use crate::{output, screen};

/// How an experiment is to be run.
pub struct Settings {
    /// A smaller run that shows the same things less surely.
    pub quick: bool,
    /// Repetitions, where the user chose them.
    pub seeds: Option<usize>,
    /// Where every random choice starts.
    pub seed: u64,
    /// The folder of data sets, if there is one.
    pub data: Option<PathBuf>,
    /// The methods asked for, where the experiment lets the user choose.
    pub methods: Vec<String>,
    /// Shows how far the work is.
    pub progress: Progress,
    threads: usize,
}

/// The flags of every experiment.
pub fn args() -> Vec<Arg> {
    let quick = Arg::new("quick")
        .long("quick")
        .action(ArgAction::SetTrue)
        .help("Fewer repetitions, and only what the claims need: a minute or two")
        .help_heading("Running");
    let seeds = Arg::new("seeds")
        .long("seeds")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..=1000))
        .hide(true)
        .help("Repetitions of each cell");
    let seed = Arg::new("seed")
        .long("seed")
        .alias("random-state")
        .value_name("N")
        .value_parser(value_parser!(u32))
        .default_value("0")
        .help("Seed of every random choice")
        .help_heading("Running");
    let data = Arg::new("data")
        .long("data")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .help("Folder of the data sets, with subfolders `tables` and `gametes`. Default: $NEARKIN_DATA")
        .help_heading("Running");
    let form = output::form().value_parser(["table", "csv", "json", "markdown"]);
    vec![quick, seeds, seed, data, output::threads(), form, output::file(), output::quiet()]
}

fn holds_data(folder: &Path) -> bool {
    ["tables", "gametes"].iter().any(|name| folder.join(name).is_dir())
}

impl Settings {
    /// What the words say.
    pub fn of(matches: &ArgMatches) -> Result<Self> {
        let said = matches.get_one::<PathBuf>("data").cloned();
        let data = match said {
            Some(folder) if !holds_data(&folder) => {
                return Err(Failure::Input(format!(
                    "--data: {} has neither a folder `tables` nor `gametes`",
                    folder.display()
                )));
            }
            Some(folder) => Some(folder),
            None => {
                let folder = std::env::var_os("NEARKIN_DATA").filter(|value| !value.is_empty());
                folder.map(PathBuf::from).filter(|folder| holds_data(folder))
            }
        };
        // Only some experiments have this flag.
        let methods = matches.try_get_many::<String>("methods").ok();
        Ok(Self {
            quick: matches.get_flag("quick"),
            seeds: matches.get_one::<u64>("seeds").map(|&n| n as usize),
            seed: matches.get_one::<u32>("seed").map_or(0, |&seed| seed.into()),
            data,
            methods: methods.into_iter().flatten().flatten().cloned().collect(),
            progress: Progress::new(screen::stderr_is_watched() && !matches.get_flag("quiet")),
            threads: output::chosen_threads(matches),
        })
    }

    /// How to carry out the work.
    pub fn run(&self) -> Run<'_> {
        Run { threads: self.threads, watch: Some(&self.progress) }
    }

    /// Repetitions: what the user chose, or one of these.
    pub fn repetitions(&self, quick: usize, full: usize) -> usize {
        self.seeds.unwrap_or(if self.quick { quick } else { full })
    }
}
