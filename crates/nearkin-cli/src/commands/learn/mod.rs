//! `nearkin learn`: which similarity should I use?
//!
//! [`method`] finds the learner, [`choose`] chooses its settings on request, and [`report`]
//! compares the result with similarities that are not learned.

mod choose;
mod figure;
mod method;
mod report;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use nearkin::data::{Classes, Holdout, Target};
use nearkin::evaluate::beside::{self, Held, Line};
use nearkin::learn::{Learn, Learned, Lesson, Task, Triplet};
use nearkin::measure::{Scaling, Vectors};
use nearkin::model::{LabelledRows, Model, Origin, SimilarityModel};
use nearkin::neighbors::Rule;
use nearkin::parameter::Value;
use nearkin::{Note, Run};

use crate::failure::{Failure, Result, refuse};
use crate::output;
use crate::screen;
use crate::sink::Sink;
use crate::{flags, input, models, npy, plot, progress};
use choose::{Choice, Taught};
pub use method::unknown;
use report::Report;
pub use report::{WHITENED, weights};

const HEADING: &str = "Testing and saving";

const EXAMPLES: &str = "\
EXAMPLES:
  # Learn a weight for each feature, see whether it helped, and save it:
  nearkin learn @iris --target class --method srbs --matrix diagonal -o iris.safetensors
  nearkin predict iris.safetensors @iris --format csv
  # A weight for each pair of features, by SiLA, judged by SkNN on 40 % of the rows:
  nearkin learn @wine -m sila --matrix symmetric --rule sknn --test 0.4
  # Steepness chosen by five folds, the rows held out kept out of it:
  nearkin learn @wine --scale zscore --k 3 --lambda 1 --try beta=1,10,100
  # One similarity a class; a row may then be given several labels, or none:
  nearkin learn @iris -m rbs --mode one-vs-rest -o local.safetensors
  # Go on learning where a saved model ended:
  nearkin learn @iris --resume iris.safetensors --epochs 50 -o further.safetensors
  # Without classes: row 0 is to be nearer to row 1 than to row 60, and so on.
  printf '0,1,60\\n2,3,140\\n' > triplets.csv
  nearkin learn @iris -m sila --target class --triplets triplets.csv
  # Sparse rows, as svmlight writes them:
  printf '1 1:2 3:1\\n1 1:3\\n2 2:4\\n2 2:1 3:1\\n' > words.svm
  nearkin learn words.svm --test 0 --k 1
  # A map of rows for an index of inner products over rows of length 1:
  nearkin learn @wine -m srbs-psd --matrix symmetric --export-transform L.npy";

/// The command line.
pub fn command() -> Command {
    let [choose_flag, try_flag] = choose::args();
    let own = [
        flags::model()
            .help("Save the similarity learned from all rows into MODEL, a safetensors file"),
        flags::test().help(
            "Share of the rows of each class to hold out and test on; 0 for none. The saved \
             similarity is learned from all rows",
        ),
        flags::split_seed().help("Seed of the choice of rows held out"),
        flags::one_of("scale", "WORD", ["none", "minmax", "zscore"]).default_value("none").help(
            "First divide each column by its range (minmax) or its standard deviation (zscore). \
             The divisors are saved with the similarity; with --resume those of the model are used",
        ),
        flags::one_of("rule", "RULE", ["knn", "sknn"]).default_value("knn").help(
            "How the most similar rows decide on a class: knn, the majority of them, or sknn, the \
             class whose own rows are most similar",
        ),
        flags::number("rule-k", 1).help("How many rows decide. Default: as many as --k"),
        choose_flag,
        try_flag,
        flags::switch("no-rows").help("Save the similarity without rows: it cannot predict then"),
        flags::file("resume")
            .help("Continue from a saved similarity, with its method unless another is named"),
        flags::file("triplets").help(
            "Learn from triplets of rows instead of classes. Each line of FILE has three row \
             numbers: anchor, positive, negative",
        ),
        flags::file("export-transform")
            .help("Write L with A = LᵀL as a .npy file, for -psd methods"),
    ];
    Command::new("learn")
        .about("Learn a similarity under which rows are closer to rows of their own class")
        .after_help(EXAMPLES)
        .args(input::args())
        .args(method::args())
        .args(own.map(|flag| flag.help_heading(HEADING)))
        .arg(output::form())
        .arg(plot::file::arg("the margins of the rows before and after learning"))
        .arg(output::timing())
        .arg(output::quiet())
        .arg(output::threads())
}

/// With fewer rows held out, the note says that accuracy is uncertain.
const FEW: usize = 20;

/// A note where few rows were held out.
pub fn few(held_out: usize) -> Option<String> {
    let told = match held_out {
        0 => return None,
        1 => "one sample was held out, and being right on it says little".to_owned(),
        few if few < FEW => {
            format!("only {few} samples were held out: each is {:.0} % of them", 100.0 / few as f64)
        }
        _ => return None,
    };
    Some(format!("{told}; `nearkin evaluate` asks about every sample in turn"))
}

/// Learn from a table, see whether it helped, save.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let before = before(matches)?;
    let mut learner = method::chosen(matches, before.as_ref())?;
    check_resumed(matches, before.is_some())?;
    let form = output::form_alone(matches);
    let export = matches.get_one::<PathBuf>("export-transform").map(PathBuf::as_path);
    let path = output::model_path(matches)?;
    check_files(matches, path, export)?;
    let plot_path = plot::file::path(matches)?;
    let name = input::name(matches);
    let begun = Instant::now();
    let triplets = triplets(matches)?;
    // Before rows are held out: a cell that is refused has its place in the whole table.
    let known = input::numbers(matches, triplets.is_none())?;
    let read = begun.elapsed();
    let (rows, target) = (known.rows.vectors(), known.target.as_ref());
    let target_name = known.target_name.as_str();
    let begun = Instant::now();
    let rule = matches.get_one::<String>("rule").map_or("knn", String::as_str);
    let rule = Rule::parse(rule).map_err(|reason| Failure::Input(reason.to_string()))?;
    let k = matches.get_one::<u64>("rule-k").map(|&k| k as usize);
    let scale = matches.get_one::<String>("scale").map_or("none", String::as_str);
    let scale = Scaling::parse(scale).map_err(|reason| Failure::Input(reason.to_string()))?;
    let from = before.as_ref().map(|model| &model.learned);
    let seed = matches.get_one::<u64>("split-seed").copied().unwrap_or(0);
    let choice = Choice::new(matches, learner.as_ref(), seed)?;
    let choice = choice.as_ref();
    let work = Work {
        matches,
        learner: learner.as_ref(),
        name: &name,
        rule,
        k,
        from,
        scale,
        choice,
        seed,
    };
    let held = match target {
        Some(target) => work.test(rows, target)?,
        None => None,
    };
    let taught = match target {
        Some(target) => work.learn(rows, Lesson::Classes(target))?,
        None => work.learn(rows, Lesson::Triplets(triplets.as_deref().unwrap_or_default()))?,
    };
    choose::settle(learner.as_mut(), &taught)?;
    let Taught { learned, chosen, k } = taught;
    let fitted = begun.elapsed();

    let transform = match export {
        Some(_) => Some(factor(&learned)?),
        None => None,
    };
    let prototypes = match (matches.get_flag("no-rows"), target) {
        (false, Some(Target::Classes(classes))) => {
            Some(LabelledRows { rows: known.rows.clone(), classes: classes.clone() })
        }
        _ => None,
    };
    let origin = Origin::new(learner.about().id, learner.as_ref(), name.as_str(), target_name);
    let model = SimilarityModel { origin, learned, rule, k, prototypes };
    if let (Some(path), Some(rows)) = (export, &transform) {
        let columns = model.columns().len();
        Sink::open(Some(path))?.fill(|out| npy::write(out, rows, columns))?;
        if learner.common().whiten != 0.0 {
            screen::say(
                "note: L maps whitened rows; save the model (-o) and write W with `nearkin model \
                 MODEL --export-whitening W.npy`",
            );
        }
    }
    if let Some(path) = plot_path {
        plot::file::save(path, &figure::draw(learner.about().title, &name, &model.learned))?;
    }
    let report = Report {
        learner: learner.as_ref(),
        table: &name,
        rows: rows.rows(),
        chosen: &chosen,
        target,
        target_name,
        held: held.as_ref(),
        model: &model,
        path,
        read,
        fitted,
    };
    let text = report.text(form, screen::style());
    let notes = report.notes();
    if let Some(path) = path {
        let bytes = Model::Similarity(model).to_bytes()?;
        Sink::open(Some(path))?.fill(|out| out.write_all(&bytes))?;
    }
    Sink::open(None)?.fill(|out| out.write_all(text.as_bytes()))?;
    // A table has its notes below it.
    if form != output::Form::Table {
        output::tell(matches, &notes);
    }
    if matches.get_flag("timing") && form != output::Form::Json && !matches.get_flag("quiet") {
        let [read, fitted] = [read, fitted].map(|span| span.as_secs_f64());
        screen::say(&format!("timing: reading {read:.3} s, learning {fitted:.3} s"));
    }
    Ok(())
}

/// Refuse to hold rows out of what may have been learned from before.
fn check_resumed(matches: &ArgMatches, resumed: bool) -> Result<()> {
    let typed = matches.value_source("test") == Some(ValueSource::CommandLine);
    let share = matches.get_one::<f64>("test").copied().unwrap_or(0.0);
    match resumed && typed && share > 0.0 {
        true => refuse!(
            "--test: the model to go on from may have learned from the rows to hold out, so they \
             would say nothing; leave it out, or keep rows aside in a file of their own"
        ),
        false => Ok(()),
    }
}

fn check_files(matches: &ArgMatches, path: Option<&Path>, export: Option<&Path>) -> Result<()> {
    input::check_kept(matches, "output", path)?;
    input::check_kept(matches, "export-transform", export)?;
    if path.is_some() && path == export {
        return refuse!("--export-transform: this is the file of --output too; name another");
    }
    let typed = |flag| matches.value_source(flag) == Some(ValueSource::CommandLine);
    if path.is_none() && typed("no-rows") {
        return refuse!("--no-rows: nothing is saved without -o MODEL; add it");
    }
    Sink::probe(path)?;
    Sink::probe(export)
}

/// L of the one similarity that was learned.
pub fn factor(learned: &Learned) -> Result<Vec<Vec<f64>>> {
    let [only] = &learned.models[..] else {
        return refuse!(
            "--export-transform: there is one similarity a class, and an index takes one map; use \
             --mode multi-class"
        );
    };
    only.similarity
        .factor(&Run::default())
        .map_err(|error| Failure::of_table("--export-transform", error))
}

/// The model that `--resume` names.
fn before(matches: &ArgMatches) -> Result<Option<SimilarityModel>> {
    let Some(path) = matches.get_one::<PathBuf>("resume") else { return Ok(None) };
    match models::read(path, "resume")? {
        Model::Similarity(model) => Ok(Some(model)),
        _ => refuse!(
            "--resume: {}: this model holds no learned similarity to go on from",
            path.display()
        ),
    }
}

/// The triplets that `--triplets` names.
fn triplets(matches: &ArgMatches) -> Result<Option<Vec<Triplet>>> {
    let Some(path) = matches.get_one::<PathBuf>("triplets") else { return Ok(None) };
    let matrix = nearkin_read::read_matrix(path)?;
    let wrong =
        |reason: String| Failure::Input(format!("--triplets: {}: {reason}", path.display()));
    if matrix.columns != 3 {
        return Err(wrong(format!(
            "a line holds three row numbers, anchor, positive and negative; found {}",
            matrix.columns
        )));
    }
    let whole = |at: usize| {
        let value = matrix.values[at];
        match value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX) {
            true => Ok(value as u32),
            false => Err(wrong(format!("triplet {}: {value} is no row number", at / 3))),
        }
    };
    let triplet = |at: usize| {
        Ok(Triplet {
            anchor: whole(3 * at)?,
            positive: whole(3 * at + 1)?,
            negative: whole(3 * at + 2)?,
        })
    };
    (0..matrix.rows).map(triplet).collect::<Result<Vec<_>>>().map(Some)
}

/// The results on the rows held out.
pub struct HeldOut {
    /// Rows to learn from.
    pub train: usize,
    /// Rows held out.
    pub test: usize,
    /// The neighbours that decided.
    pub k: usize,
    /// How often each way was right.
    pub lines: Vec<Line>,
    /// Ways that could not be used.
    pub notes: Vec<Note>,
}

/// The learner and the rows of one run.
struct Work<'a> {
    matches: &'a ArgMatches,
    learner: &'a dyn Learn,
    name: &'a str,
    rule: Rule,
    k: Option<usize>,
    from: Option<&'a Learned>,
    scale: Scaling,
    choice: Option<&'a Choice>,
    seed: u64,
}

impl Work<'_> {
    fn learn(&self, rows: Vectors, lesson: Lesson) -> Result<Taught> {
        progress::watched(self.matches, self.name, |run| {
            let task = Task { from: self.from, scale: self.scale, ..Task::new(rows, lesson) };
            let taught = match self.choice {
                Some(choice) => choice.learn(self.learner, &task, self.rule, run)?,
                None => {
                    let learned = self.learner.learn(&task, run)?;
                    Taught { learned, chosen: Vec::new(), k: self.learner.common().k }
                }
            };
            Ok(Taught { k: self.k.unwrap_or(taught.k), ..taught })
        })
    }

    /// Learn from some rows, ask about the others.
    fn test(&self, rows: Vectors, target: &Target) -> Result<Option<HeldOut>> {
        let share = self.matches.get_one::<f64>("test").copied().unwrap_or(0.0);
        let count = rows.rows();
        let test = (share * count as f64).round() as usize;
        if share > 0.0 && (test == 0 || test >= count) {
            let told = format!(
                "--test {share} of {count} rows holds out {}, so nothing is compared; say more, or \
                 less",
                if test == 0 { "none" } else { "all" }
            );
            output::note(self.matches, &told);
        }
        // The model to continue from may have learned from the rows to hold out.
        let fresh = self.from.is_none();
        let (Target::Classes(all), true) = (target, fresh && test > 0 && test < count) else {
            return Ok(None);
        };
        let holdout = Holdout { train: count - test, test, stratified: true, seed: self.seed };
        let split = holdout.split(target, 0)?;
        let known = target.select(&split.train);
        let (train, asked) = (rows.select_rows(&split.train), rows.select_rows(&split.test));
        let taught = self.learn(train.vectors(), Lesson::Classes(&known))?;
        let Target::Classes(classes) = known else { return Ok(None) };
        let truth = truth(all, &split.test, &classes);
        let (train, asked) = (train.vectors(), asked.vectors());
        let held = Held { train, classes: &classes, test: asked, truth: &truth };
        let (lines, notes) = progress::watched(self.matches, self.name, |run| {
            beside::beside(&taught.learned, self.rule, taught.k, &held, run)
        })?;
        Ok(Some(HeldOut { train: train.rows(), test: asked.rows(), k: taught.k, lines, notes }))
    }
}

/// The classes of these rows, as codes of `known`.
fn truth(all: &Classes, rows: &[usize], known: &Classes) -> Vec<Option<u32>> {
    let code = |name: &String| known.names().iter().position(|n| n == name).map(|at| at as u32);
    let codes: Vec<Option<u32>> = all.names().iter().map(code).collect();
    rows.iter().map(|&row| codes[all.codes()[row] as usize]).collect()
}
