//! `nearkin weigh`: which features matter?

use std::time::{Duration, Instant};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use nearkin::Run;
use nearkin::data::Target;
use nearkin::weigh::{self, FeatureWeights, Wanted, Weigh};
use nearkin_read::Loaded;

use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{self, Form};
use crate::parameters::{self, Declared};
use crate::present::{self, Answer};
use crate::progress::Progress;
use crate::screen::{self, Style};
use crate::sink::Sink;

const DEFAULT: &str = "relieff";

const EXAMPLES: &str = "\
EXAMPLES:
  # Rank the features of a bundled set:
  nearkin weigh @iris --target class --method relieff --k 10
  # The best three, as CSV into a file:
  nearkin weigh @wine --top 3 -o wine-weights.csv
  # Which features tell each class apart, for a program to read:
  nearkin weigh @iris --per-class --format json
  # Why a row counts as it does:
  nearkin weigh @house-votes-84 --explain 0 --top 5";

/// The command line.
pub fn command() -> Command {
    let declared = declared();
    let ids: Vec<&str> = declared.iter().map(|one| one.id).collect();
    let method = Arg::new("method")
        .long("method")
        .short('m')
        .value_name("METHOD")
        .default_value(DEFAULT)
        .help(format!("How to weigh: {}; `nearkin methods` tells about them", ids.join(", ")));
    let explain = Arg::new("explain")
        .long("explain")
        .value_name("ROW")
        .value_delimiter(',')
        .action(ArgAction::Append)
        .value_parser(value_parser!(usize))
        .help("Also what this row (the first is 0) contributes to each weight; may be repeated")
        .help_heading("Output");
    Command::new("weigh")
        .about("Weigh features by how well they tell near neighbours of different classes apart")
        .after_help(EXAMPLES)
        .args(input::args())
        .arg(method)
        .args(parameters::flags(&declared, "Parameters of the method"))
        .arg(output::form())
        .arg(output::file())
        .arg(output::top())
        .arg(output::switch("per-class", "Also a ranking for each class"))
        .arg(explain)
        .arg(output::timing())
        .arg(output::quiet())
        .arg(output::threads())
}

fn declared() -> Vec<Declared> {
    let methods = weigh::methods();
    methods.iter().map(|m| Declared { id: m.about().id, parameters: m.parameters() }).collect()
}

/// What to say about a flag that no method has.
pub fn unknown(words: &[String], flag: &str) -> String {
    let after = |at: usize| words.get(at + 1).map(String::as_str);
    let chosen = words.iter().enumerate().find_map(|(at, word)| match word.as_str() {
        "--method" | "-m" => after(at),
        word => word.strip_prefix("--method="),
    });
    match weigh::method(chosen.unwrap_or(DEFAULT)) {
        Ok(method) => parameters::lacks(method.about().id, flag, &method.parameters()),
        Err(error) => error.to_string(),
    }
}

/// Weigh the features of a table.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let method = method(matches)?;
    let form = output::chosen_form(matches)?;
    let path = output::path(matches);
    input::check_kept(matches, path)?;
    Sink::probe(path)?;

    let name = input::name(matches);
    let begun = Instant::now();
    let loaded = input::read(matches)?;
    let read = begun.elapsed();
    let wanted = wanted(matches, &name, loaded.table.rows())?;
    let (target, target_name) = target(matches, &name, &loaded)?;

    let begun = Instant::now();
    let weights = fit(matches, method.as_ref(), &name, &loaded, target, &wanted)?;
    let fitted = begun.elapsed();
    if let Some(row) = wanted.rows.iter().find(|r| weights.row_weights.iter().all(|(w, _)| w != *r))
    {
        return Err(Failure::Input(format!(
            "--explain: row {row} was not drawn by --sample; leave --sample out to explain any row"
        )));
    }

    let answer = Answer {
        method: method.as_ref(),
        table: &name,
        rows: loaded.table.rows(),
        columns: loaded.table.columns().len(),
        target,
        target_name,
        target_guessed: loaded.target_guessed,
        weights: &weights,
        top: output::chosen_top(matches),
        read,
        fitted,
    };
    let begun = Instant::now();
    let style = if path.is_none() { screen::style() } else { Style::Plain };
    Sink::open(path)?.fill(|out| match form {
        Form::Table => present::table::write(out, &answer, style),
        Form::Csv => present::csv::write(out, &answer),
        Form::Json => present::json::write(out, &answer),
    })?;
    let written = begun.elapsed();

    // Whoever sees the table has seen the notes below it.
    if form != Form::Table || path.is_some() || !screen::stdout_is_watched() {
        weights.notes.iter().for_each(|text| output::note(matches, text));
    }
    if matches.get_flag("timing") && form != Form::Json {
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

/// The method chosen, with the parameters given.
fn method(matches: &ArgMatches) -> Result<Box<dyn Weigh>> {
    let id = matches.get_one::<String>("method").map_or(DEFAULT, String::as_str);
    let mut method = weigh::method(id)?;
    let given = parameters::given(matches, &declared());
    let own = method.parameters();
    parameters::apply(id, &own, given, |name, text| method.try_set(name, text))?;
    method.check()?;
    Ok(method)
}

fn wanted(matches: &ArgMatches, table: &str, rows: usize) -> Result<Wanted> {
    let mut explained: Vec<usize> = Vec::new();
    for &row in matches.get_many::<usize>("explain").into_iter().flatten() {
        if row >= rows {
            return Err(Failure::Input(format!(
                "--explain: {table} has no row {row}; it has {rows}, counted from 0"
            )));
        }
        if !explained.contains(&row) {
            explained.push(row);
        }
    }
    Ok(Wanted { per_class: matches.get_flag("per-class"), rows: explained, ..Wanted::default() })
}

fn target<'l>(
    matches: &ArgMatches,
    table: &str,
    loaded: &'l Loaded,
) -> Result<(&'l Target, &'l str)> {
    let name = loaded.target_name.as_deref().unwrap_or("target");
    let Some(target) = &loaded.target else {
        return Err(Failure::Input(format!(
            "{table}: there is no target; name its column, or a .npy file, with --target"
        )));
    };
    if loaded.target_guessed {
        output::note(matches, &format!("the target is column `{name}`; --target chooses another"));
    }
    Ok((target, name))
}

fn fit(
    matches: &ArgMatches,
    method: &dyn Weigh,
    name: &str,
    loaded: &Loaded,
    target: &Target,
    wanted: &Wanted,
) -> Result<FeatureWeights> {
    let progress = Progress::new(screen::stderr_is_watched() && !matches.get_flag("quiet"));
    let run = Run { threads: output::chosen_threads(matches), watch: Some(&progress) };
    let weights = method.fit_with(&loaded.table, target, wanted, &run);
    progress.clear();
    weights.map_err(|error| match Failure::of_table(name, error) {
        Failure::Input(reason) if matches!(target, Target::Real(_)) => {
            Failure::Input(format!("{reason} (--target-kind classes)"))
        }
        other => other,
    })
}
