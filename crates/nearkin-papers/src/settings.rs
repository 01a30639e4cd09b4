//! Settings of every experiment: how much is run, from which seed, on which data.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use nearkin::Run;
use serde_json::Value;

use nearkin_cli::failure::{Failure, Result};
use nearkin_cli::journal::Journal;
use nearkin_cli::plot::{self, Figure};
use nearkin_cli::progress::Progress;
use nearkin_cli::{output, screen};

/// How an experiment is to be run.
pub struct Settings {
    /// A smaller run that shows the same things less surely.
    pub quick: bool,
    /// Repetitions, where the user chose them.
    pub seeds: Option<usize>,
    /// Seed of every random choice.
    pub seed: u64,
    /// The folder of data sets, if there is one.
    pub data: Option<PathBuf>,
    /// The methods asked for, where the experiment lets the user choose.
    pub methods: Vec<String>,
    /// Shows how far the work is.
    pub progress: Progress,
    /// The tables asked for; all when none is named.
    pub tables: Vec<usize>,
    /// The data sets asked for; all when none is named.
    sets: Vec<String>,
    /// The folder for figures, if they are wanted.
    pub figures: Option<PathBuf>,
    /// The file that finished trials are kept in, if the user wants one.
    pub journal: Option<Journal>,
    threads: usize,
    quiet: bool,
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
        .help("Repetitions of each cell: partitions, splits, runs or tables. Default: the full number")
        .help_heading("Running");
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

/// The flags of experiments that regenerate a paper's tables, up to number `last`, on these sets.
pub fn table_args(last: u64, known: impl IntoIterator<Item = &'static str>) -> Vec<Arg> {
    let table = tables(last)
        .help(format!("Only this table, or these; there are 1 to {last}. Default: all"));
    let sets = Arg::new("sets")
        .long("sets")
        .value_name("NAMES")
        .value_delimiter(',')
        .action(ArgAction::Append)
        .value_parser(PossibleValuesParser::new(known))
        .ignore_case(true)
        .help("Only these data sets, as the paper calls them. Default: all")
        .help_heading("Running");
    vec![table, sets, figures(), resume()]
}

/// `--table`, up to number `last`.
pub fn tables(last: u64) -> Arg {
    Arg::new("tables")
        .long("table")
        .value_name("N")
        .value_delimiter(',')
        .action(ArgAction::Append)
        .value_parser(value_parser!(u64).range(1..=last))
        .help_heading("Running")
}

/// `--figures`.
pub fn figures() -> Arg {
    Arg::new("figures")
        .long("figures")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .help("Plot the paper's figures into this folder, as SVG")
        .help_heading("Output")
}

/// `--resume`.
pub fn resume() -> Arg {
    Arg::new("resume")
        .long("resume")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("Keep finished trials in FILE as they come, and go on from those already in it")
        .help_heading("Running")
}

fn holds_data(folder: &Path) -> bool {
    ["tables", "gametes"].iter().any(|name| folder.join(name).is_dir())
}

impl Settings {
    /// The settings that the command line says.
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
        let tables = matches.try_get_many::<u64>("tables").ok().into_iter().flatten().flatten();
        let sets = matches.try_get_many::<String>("sets").ok().into_iter().flatten().flatten();
        let figures = matches.try_get_one::<PathBuf>("figures").ok().flatten().cloned();
        let resume = matches.try_get_one::<PathBuf>("resume").ok().flatten();
        let quiet = matches.get_flag("quiet");
        Ok(Self {
            quick: matches.get_flag("quick"),
            seeds: matches.get_one::<u64>("seeds").map(|&n| n as usize),
            seed: matches.get_one::<u32>("seed").map_or(0, |&seed| seed.into()),
            data,
            methods: methods.into_iter().flatten().flatten().cloned().collect(),
            progress: Progress::new(screen::stderr_is_watched() && !quiet),
            tables: tables.map(|&n| n as usize).collect(),
            sets: sets.map(|name| name.to_lowercase()).collect(),
            figures,
            journal: resume.map(|path| Journal::open(path)).transpose()?,
            threads: output::chosen_threads(matches),
            quiet,
        })
    }

    /// A full run whose report goes to a file keeps finished trials beside it as they come, unless
    /// the user named a file for them: an interrupted one is begun again where it stopped. Returns
    /// where they are.
    pub fn keep_beside(&mut self, report: Option<&Path>) -> Result<Option<PathBuf>> {
        let Some(report) = report.filter(|_| !self.quick && self.journal.is_none()) else {
            return Ok(None);
        };
        let mut name = report.as_os_str().to_owned();
        name.push(".trials");
        let trials = PathBuf::from(name);
        self.journal = Some(Journal::open(&trials)?);
        Ok(Some(trials))
    }

    /// How to carry out the work.
    pub fn run(&self) -> Run<'_> {
        Run::on(self.threads).watched(&self.progress)
    }

    /// True when table `number` is to be made.
    pub fn wants(&self, number: usize) -> bool {
        self.tables.is_empty() || self.tables.contains(&number)
    }

    /// True when the data set called `name` is to be run.
    pub fn wants_set(&self, name: &str) -> bool {
        self.sets.is_empty() || self.sets.contains(&name.to_lowercase())
    }

    /// Tell how far a long run is, when somebody may be waiting for it.
    pub fn told(&self, text: &str) {
        if !self.quick && !self.quiet {
            screen::say(text);
        }
    }

    /// The result of `work`: as kept from before, or done now and kept at once.
    pub fn once(
        &self,
        key: &str,
        work: impl FnOnce() -> nearkin::Result<Value>,
    ) -> nearkin::Result<Value> {
        if let Some(known) = self.journal.as_ref().and_then(|journal| journal.value(key)) {
            return Ok(known.clone());
        }
        let value = work()?;
        if let Some(journal) = &self.journal {
            journal.keep_value(key, &value);
        }
        Ok(value)
    }

    /// Draw a figure of the paper as `name`.svg, if a folder for figures was named; the folder is
    /// made when it is not there.
    pub fn figure(&self, name: &str, draw: impl FnOnce(f64) -> Figure) -> Result<()> {
        let Some(folder) = &self.figures else { return Ok(()) };
        let path = folder.join(format!("{name}.svg"));
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::writing(&folder.display().to_string(), &error))?;
        plot::file::save(&path, &draw(plot::file::WIDTH))
    }

    /// Repetitions: what the user chose, or one of these.
    pub fn repetitions(&self, quick: usize, full: usize) -> usize {
        self.seeds.unwrap_or(if self.quick { quick } else { full })
    }
}
