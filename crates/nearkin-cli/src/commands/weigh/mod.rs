//! `nearkin weigh`: which features matter?
//!
//! [`method`] finds what weighs, [`wishes`] what else is wanted and [`select`] which features
//! are kept; this file puts them together.

mod method;
mod select;
mod truth;
mod wishes;

use std::time::{Duration, Instant};

use clap::{ArgMatches, Command};
use nearkin::data::Target;
use nearkin::parameter::Parameters as _;
use nearkin::weigh::{
    Association, Call, Extras, FeatureWeights, Given, NullWeights, Permutation, Permuted,
    Weigh as _, null_weights, unequal,
};
use nearkin::{Note, Run};
use nearkin_read::Loaded;

use crate::failure::{Failure, Result};
use crate::output::{self, Form};
use crate::plot;
use crate::present::{self, Answer, Null};
use crate::screen::{self, Style};
use crate::sink::Sink;
use crate::{input, progress};
use method::Chosen;
pub use method::{listed_wrappers, unknown};
pub use truth::Truth;
pub use wishes::Tested;

const EXAMPLES: &str = "\
EXAMPLES:
  # Rank the features of a bundled set:
  nearkin weigh @iris --target class --method relieff --k 10
  # The best three, as CSV into a file:
  nearkin weigh @wine --top 3 -o wine-weights.csv
  # Which features tell each class apart, for a program to read:
  nearkin weigh @iris --per-class --format json
  # Which other class makes a feature relevant for a class:
  nearkin weigh @iris --pairs --top 2
  # Why a row counts as it does:
  nearkin weigh @house-votes-84 --explain 0 --top 5
  # Which features go with the target? A method with p-values that hold:
  nearkin weigh @house-votes-84 --method association
  # Its p-values beside the weights of another method; how much noise would weigh; an interval:
  nearkin weigh @wine --p-values association
  nearkin weigh @wine --method multisurf --null 99
  nearkin weigh @iris --interval 0.9 --replicates 500
  # The same to look at:
  nearkin weigh @iris --interval --plot iris.svg
  nearkin weigh @wine --per-class --plot wine.svg
  # Drop the worst features and weigh the rest again:
  nearkin weigh @wine --wrap turf --turf-keep 4
  # Keep the features that go with the target, and use only them from now on:
  nearkin weigh @wine --select q:0.01 --save-columns kept.txt
  nearkin weigh @wine --keep-columns kept.txt";

/// The command line.
pub fn command() -> Command {
    Command::new("weigh")
        .about("Weigh features by how well they tell near neighbours of different classes apart")
        .after_help(EXAMPLES)
        .args(input::args())
        .args(input::given_args())
        .args(method::args())
        .args(wishes::args())
        .args(select::args())
        .arg(truth::arg())
        .arg(output::form())
        .arg(output::file())
        .arg(output::top())
        .arg(plot::file::arg("the weights, with intervals or per class where asked for,"))
        .arg(output::timing())
        .arg(output::quiet())
        .arg(output::threads())
}

/// Weigh the features of a table.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let chosen = method::chosen(matches)?;
    let select = select::chosen(matches)?;
    let call = select.as_ref().and_then(select::Select::call);
    let own = chosen.about.id == "association" && chosen.wrapper.is_none();
    let tested = wishes::tested(matches, own, call)?;
    let form = output::chosen_form(matches)?;
    let (path, columns_path) = (output::path(matches), select::path(matches));
    input::check_kept(matches, "output", path)?;
    input::check_kept(matches, "save-columns", columns_path)?;
    if path.is_some() && path == columns_path {
        let reason = "--save-columns: this is the file of --output too; name another";
        return Err(Failure::Input(reason.into()));
    }
    Sink::probe(path)?;
    Sink::probe(columns_path)?;
    let plot_path = plot::file::path(matches)?;

    let name = input::name(matches);
    let begun = Instant::now();
    let mut loaded = input::read(matches)?;
    let (columns, targets) = input::given(matches, &mut loaded)?;
    let read = begun.elapsed();
    let rows = loaded.table.rows();
    let wanted = wishes::wanted(matches, tested, chosen.seed, (&name, rows, &loaded.row_names))?;
    let (target, target_name) = input::target(matches, &name, &loaded)?;

    if let (Some(select), Some(Tested::Stir), true) = (&select, tested, call.is_some())
        && let Some(note) = unequal(target)
    {
        return Err(Failure::Input(format!(
            "--select: {} by stir would call noise: {note}; use --p-values association",
            select.words
        )));
    }

    let begun = Instant::now();
    let (covariates, strata) = (columns.covariates.as_ref(), columns.strata.as_deref());
    let given = Given { covariates, strata, targets: &targets };
    let exchanges =
        matches!(tested, Some(Tested::Permutation(_))) || wishes::null(matches).is_some();
    if covariates.is_some() && exchanges {
        return Err(Failure::Input(
            "--covariates: exchanges of the target know nothing of them; use --method association, \
             or --strata to exchange among like rows"
                .into(),
        ));
    }
    let exchanges = exchanges || tested == Some(Tested::Association);
    let (loaded, chosen) = (&loaded, &chosen);
    let work = Work { matches, chosen, name: &name, loaded, target, given, exchanges };
    let mut weights = work.fit(&wanted)?;
    if let Some(select) = &select {
        select.check(&weights, chosen.about.id)?;
    }
    match tested {
        Some(Tested::Permutation(times)) => {
            let permuted = work.permute(&weights, times, call)?;
            weights.tests = permuted.tests;
            weights.notes.extend(permuted.notes);
        }
        Some(Tested::Association) => {
            let found = work.associate()?;
            weights.tests = found.tests;
            let new = |note: &Note| !weights.notes.contains(note);
            let notes: Vec<Note> = found.notes.into_iter().filter(new).collect();
            weights.notes.extend(notes);
        }
        Some(Tested::Own | Tested::Stir) | None => {}
    }
    let null = wishes::null(matches).map(|exchanges| work.null(&weights, exchanges)).transpose()?;
    let fitted = begun.elapsed();
    let truth = truth::scored(matches, &weights)?;
    let mask = select.as_ref().map(|select| select.mask(&weights));
    if let (Some(select), Some(mask)) = (&select, &mask)
        && !mask.contains(&true)
    {
        weights.notes.push(Note::NothingSelected { rule: select.words.clone() });
    }
    let names = match (&mask, columns_path) {
        (Some(mask), Some(_)) => select::names(&weights, mask)?,
        _ => Vec::new(),
    };

    let answer = Answer {
        method: chosen.method.as_ref(),
        about: chosen.about,
        wrapper: chosen.wrapper,
        table: &name,
        rows,
        columns: loaded.table.columns().len(),
        target,
        target_name,
        target_guessed: loaded.target_guessed,
        weights: &weights,
        tested,
        null: null.as_ref(),
        bootstrap: wanted.bootstrap,
        select: select.as_ref().map(|select| select.words.as_str()),
        selected: mask.as_deref(),
        truth,
        top: output::chosen_top(matches),
        read,
        fitted,
    };
    let begun = Instant::now();
    // Before the answer: its reader may close the pipe.
    if let Some(path) = columns_path {
        Sink::open(Some(path))?.fill(|out| select::write(out, &names))?;
    }
    if let Some(path) = plot_path {
        plot::file::save(path, &present::figure::draw(&answer))?;
    }
    let style = if path.is_none() { screen::style() } else { Style::Plain };
    Sink::open(path)?.fill(|out| match form {
        Form::Table => present::table::write(out, &answer, style),
        Form::Csv => present::csv::write(out, &answer),
        Form::Json => present::json::write(out, &answer),
    })?;
    let written = begun.elapsed();

    // The table has the notes below it already; other forms and files do not show them.
    if form != Form::Table || path.is_some() {
        output::tell(matches, &output::remarks(&weights.notes));
    }
    if matches.get_flag("timing") && form != Form::Json && !matches.get_flag("quiet") {
        tell_timing(read, fitted, written);
    }
    Ok(())
}

fn tell_timing(read: Duration, fitted: Duration, written: Duration) {
    let [read, fitted, written] = [read, fitted, written].map(|span| span.as_secs_f64());
    screen::say(&format!(
        "timing: reading {read:.3} s, fitting {fitted:.3} s, writing {written:.3} s"
    ));
}

/// The method and the table of one run.
struct Work<'a> {
    matches: &'a ArgMatches,
    chosen: &'a Chosen,
    name: &'a str,
    loaded: &'a Loaded,
    target: &'a Target,
    given: Given<'a>,
    /// True when something beside the method exchanges targets within strata.
    exchanges: bool,
}

impl Work<'_> {
    fn fit(&self, wanted: &Extras) -> Result<FeatureWeights> {
        let method = self.chosen.method.as_ref();
        let mut given = self.given;
        if self.exchanges && !method.takes_strata() {
            // Strata are for the exchanges then.
            given.strata = None;
        }
        let weights = self.watched(|run| {
            method.fit_given(&self.loaded.table, self.target, &given, wanted, run)
        })?;
        let explained = |row: &usize| weights.row_weights.iter().any(|(other, _)| other == row);
        match wanted.rows.iter().find(|row| !explained(row)) {
            Some(row) => Err(Failure::Input(format!(
                "--explain: row {row} was not drawn by --sample; leave --sample out to explain \
                 any row"
            ))),
            None => Ok(weights),
        }
    }

    /// The tests of association, whatever the method.
    fn associate(&self) -> Result<FeatureWeights> {
        let mut method = Association::default();
        method.try_set("seed", &self.chosen.seed.to_string())?;
        let extras = Extras::default();
        self.watched(|run| {
            method.fit_given(&self.loaded.table, self.target, &self.given, &extras, run)
        })
    }

    /// How much noise weighs, as exchanges of the target tell.
    fn null(&self, found: &FeatureWeights, exchanges: usize) -> Result<Null> {
        const LEVEL: f64 = 0.05;
        let (method, seed) = (self.chosen.method.as_ref(), self.chosen.seed);
        let (data, strata) = ((&self.loaded.table, self.target), self.given.strata);
        let null: NullWeights =
            self.watched(|run| null_weights(method, data, strata, exchanges, seed, run))?;
        Ok(Null {
            exchanges,
            largest: null.limit_of_largest(LEVEL).unwrap_or(f64::INFINITY),
            limits: null.limits(LEVEL).unwrap_or_default(),
            class_limits: null.class_limits(LEVEL).unwrap_or_default(),
            sides: null.class_sides(found, LEVEL),
        })
    }

    fn permute(
        &self,
        found: &FeatureWeights,
        exchanges: usize,
        call: Option<Call>,
    ) -> Result<Permuted> {
        let (method, seed) = (self.chosen.method.as_ref(), self.chosen.seed);
        let data = (&self.loaded.table, self.target);
        let by = Permutation { exchanges, seed, strata: self.given.strata, call };
        self.watched(|run| by.test(method, data, found, run))
    }

    /// Do `work` with a progress bar.
    fn watched<T>(&self, work: impl FnOnce(&Run) -> nearkin::Result<T>) -> Result<T> {
        progress::watched(self.matches, self.name, work)
    }
}
