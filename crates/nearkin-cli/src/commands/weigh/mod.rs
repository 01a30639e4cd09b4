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
use nearkin::weigh::{Extras, FeatureWeights, Test, permutation_tests};
use nearkin::{Note, Run};
use nearkin_read::Loaded;

use crate::failure::{Failure, Result};
use crate::output::{self, Form};
use crate::plot;
use crate::present::{self, Answer};
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
  # How sure is it? A quick test, a slow one that holds for any method, an interval:
  nearkin weigh @wine --p-values stir
  nearkin weigh @iris --method multisurf --p-values permutation --permutations 100
  nearkin weigh @iris --interval 0.9 --replicates 500
  # The same to look at:
  nearkin weigh @iris --interval --plot iris.svg
  nearkin weigh @wine --per-class --plot wine.svg
  # Drop the worst features and weigh the rest again:
  nearkin weigh @wine --wrap turf --turf-keep 4
  # Keep what weighs more than chance would give it, and use only that from now on:
  nearkin weigh @wine --p-values stir --select q:0.01 --save-columns kept.txt
  nearkin weigh @wine --keep-columns kept.txt";

/// The command line.
pub fn command() -> Command {
    Command::new("weigh")
        .about("Weigh features by how well they tell near neighbours of different classes apart")
        .after_help(EXAMPLES)
        .args(input::args())
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
    let tested = wishes::tested(matches)?;
    let select = select::chosen(matches, tested)?;
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
    let loaded = input::read(matches)?;
    let read = begun.elapsed();
    let rows = loaded.table.rows();
    let wanted = wishes::wanted(matches, tested, chosen.seed, (&name, rows, &loaded.row_names))?;
    let (target, target_name) = input::target(matches, &name, &loaded)?;

    let begun = Instant::now();
    let work = Work { matches, chosen: &chosen, name: &name, loaded: &loaded, target };
    let mut weights = work.fit(&wanted)?;
    if let Some(select) = &select {
        select.check(&weights, chosen.about.id)?;
    }
    if let Some(Tested::Permutation(times)) = tested {
        weights.tests = work.permute(&weights, times)?;
    }
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
}

impl Work<'_> {
    fn fit(&self, wanted: &Extras) -> Result<FeatureWeights> {
        let weights = self.watched(|run| {
            self.chosen.method.fit_with(&self.loaded.table, self.target, wanted, run)
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

    fn permute(&self, found: &FeatureWeights, times: usize) -> Result<Vec<Test>> {
        let (method, seed) = (self.chosen.method.as_ref(), self.chosen.seed);
        let data = (&self.loaded.table, self.target);
        self.watched(|run| permutation_tests(method, data, found, times, seed, run))
    }

    /// Do `work` with a progress bar.
    fn watched<T>(&self, work: impl FnOnce(&Run) -> nearkin::Result<T>) -> Result<T> {
        progress::watched(self.matches, self.name, work)
    }
}
