//! `nearkin evaluate`: how well do methods predict classes of rows that they were not trained on?

mod figure;
mod plan_file;
mod report;
pub mod words;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::{ArgAction, ArgMatches, Command};
use nearkin::data::{Classes, Cut, SimilarityMatrix, Table, Target};
use nearkin::evaluate::pipeline::Use;
use nearkin::evaluate::{Criterion, Fit, Inner, Mode, Outcome, Plan, Source, Study, Subject};
use nearkin::parameter::Value as _;

use crate::failure::{Failure, Result, refuse};
use crate::journal::Journal;
use crate::sink::Sink;
use crate::{contents, flags, input, matrices, output, plot, progress, screen};
use report::{Evaluated, Report};

const HEADING: &str = "Evaluating";

const EXAMPLES: &str = "\
EXAMPLES:
  # Which rule does best on flowers, over five stratified folds?
  nearkin evaluate @iris --methods 'knn, sda, cosine > sda' --protocol 5-fold
  # Each class against the rest as in the similarity-learning papers, marks by their s-test:
  nearkin evaluate @wine --methods 'srbs, rbs' --protocol srbs-2012 --published-marks
  # Several tables: Friedman's test and Nemenyi's critical difference
  nearkin evaluate @iris @wine --methods 'zscore > euclidean > knn' --format csv -o scores.csv
  # Every answer kept, an interrupted run resumed:
  nearkin evaluate @iris --methods sda --resume iris.trials --predictions iris-said.csv";

/// The scores that may choose from a grid.
const SCORES: [&str; 5] = ["accuracy", "balanced-accuracy", "macro-f1", "log-loss", "brier"];

/// The command line.
pub fn command() -> Command {
    let mut reading = input::optional_args();
    reading[0] = reading[0].clone().num_args(0..).action(ArgAction::Append);
    let own = [
        flags::flag("methods", "LIST").action(ArgAction::Append).help(
            "Methods, separated by commas: a classifier (sda), a learner (srbs(beta=10)), or steps \
             joined by > (zscore > best 5 by relieff > cosine > knn(k=3)). Without k, knn and sknn \
             choose it by leave-one-out. A measure before the last step may be any of `nearkin \
             classify`; here dice and jaccard are inner products of numbers, the norms of the \
             papers on similarity, and not the measures of sets of `classify --measure`",
        ),
        flags::file("plan").help("A TOML file of pipelines, with grids of values to choose from"),
        flags::flag("protocol", "P").help(
            "How rows are split: K-fold, RxK-fold, holdout, Rxholdout:SHARE, loo, or the presets \
             sila-2008, srbs-2012 and sda-2009. Default: 10-fold, stratified",
        ),
        flags::switch("no-stratify").help("Split rows without regard to their class"),
        flags::flag("groups", "COLUMN").help(
            "Keep rows with the same value in COLUMN together: all training or all test rows of a \
             split. COLUMN is not used as a feature",
        ),
        flags::one_of("mode", "MODE", ["multi-class", "one-vs-rest"])
            .help("Predict the class of each row, or for each class whether the row has it"),
        flags::flag("choose", "HOW").help(
            "How values of a grid are chosen within the training rows: K-fold, loo, validation, \
             validation:SHARE. Default: loo if --protocol is loo, else 5-fold",
        ),
        flags::one_of("choose-by", "SCORE", SCORES)
            .help("The score by which values are chosen. Default: accuracy"),
        flags::one_of("prototypes", "ROWS", ["learn", "learn+valid", "refit"]).help(
            "Which rows are used when settings were chosen on a validation part of the training \
             rows. learn: learn and find neighbours without the validation rows. learn+valid: \
             learn without them, find neighbours among all. refit: learn again from all. \
             Default: learn under srbs-2012, learn+valid under sila-2008, else refit",
        ),
        flags::flag("against", "METHOD")
            .help("The method that others are compared with. Default: the first"),
        flags::switch("published-marks").help(
            "Give marks by the s-test as it was published: a normal approximation beyond 12 \
             decisions, instead of the exact test",
        ),
        flags::number("seed", 0)
            .alias("random-state")
            .default_value("0")
            .help("Seed of every random choice"),
        flags::file("resume").help("Keep finished trials in FILE, and skip those already in it"),
        flags::file("predictions")
            .help("Write every answer into FILE: a line for each row, split and method"),
    ];
    Command::new("evaluate")
        .about("Measure how well methods predict classes of rows that they were not trained on")
        .after_help(EXAMPLES)
        .args(reading)
        .args(matrices::labelled_args(
            "Similarities of the samples with each other instead of TABLE",
        ))
        .args(own.map(|flag| flag.help_heading(HEADING)))
        .arg(output::form())
        .arg(output::file())
        .arg(plot::file::arg("accuracies, a curve where methods differ in one number,"))
        .arg(output::quiet())
        .arg(output::threads())
}

/// The rows of one source.
enum Rows {
    Table(Table<'static>),
    Similarities(SimilarityMatrix<'static>),
}

struct Data {
    name: String,
    rows: Rows,
    classes: Classes,
    groups: Option<Vec<u32>>,
}

/// Evaluate.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let form = output::chosen_form(matches)?;
    let path = output::path(matches);
    let predictions = matches.get_one::<PathBuf>("predictions").map(PathBuf::as_path);
    input::check_kept(matches, "output", path)?;
    input::check_kept(matches, "predictions", predictions)?;
    let plot_path = plot::file::path(matches)?;
    let data = sources(matches)?;
    let given = matches!(data.first(), Some(Data { rows: Rows::Similarities(_), .. }));
    let (mut study, plans, asked) = asked(matches, given)?;
    if let Some(text) = fewer_folds(matches, &mut study, &data) {
        output::note(matches, &text);
    }
    let against = against(matches, &plans)?;
    Sink::probe(path)?;
    Sink::probe(predictions)?;
    let journal =
        matches.get_one::<PathBuf>("resume").map(|path| Journal::open(path)).transpose()?;
    let mut tables = Vec::new();
    for one in data {
        if let Some(text) = thin(&study, &one) {
            output::note(matches, &text);
        }
        keep_all(&plans, &one).iter().for_each(|text| output::note(matches, text));
        let trials = trials(matches, &one, (&study, &plans), journal.as_ref())?;
        let classes = one.classes.names().to_vec();
        tables.push(Evaluated { table: one.name, classes, trials });
    }
    if let Some(path) = plot_path {
        plot::file::save(path, &figure::draw(&tables))?;
    }
    let exact = !matches.get_flag("published-marks");
    let report = Report { setting: setting(matches, &study), tables, against, exact };
    if let Some(path) = predictions {
        Sink::open(Some(path))?.fill(|out| report.predictions(out))?;
    }
    Sink::open(path)?.fill(|out| report.write(out, form))?;
    // The results are written. A method without any is an error, so that it is not missed.
    report.without_answers(asked).map_or(Ok(()), |told| Err(Failure::Input(told)))
}

/// Reduces the default of ten folds to the number of rows of the smallest class, and returns the
/// sentence that says so. A class of one row is ignored: it is in one fold, whatever their number.
fn fewer_folds(matches: &ArgMatches, study: &mut Study, data: &[Data]) -> Option<String> {
    let (Cut::Folds(folds), false) = (study.protocol.cut, named_protocol(matches)) else {
        return None;
    };
    let most = |data: &Data| {
        let counts = data.classes.counts().iter().copied().filter(|&count| count > 1);
        let least = counts.min().filter(|_| study.protocol.stratified);
        let units = match &data.groups {
            Some(groups) => groups.iter().max().map_or(0, |&group| group as usize + 1),
            None => data.classes.codes().len(),
        };
        least.unwrap_or(units).min(units).max(2)
    };
    let least = data.iter().min_by_key(|data| most(data))?;
    let fewer = most(least);
    (fewer < folds).then(|| {
        study.protocol.cut = Cut::Folds(fewer);
        format!(
            "{fewer} folds in place of {folds}: {} has too few rows for more, or a class of that \
             few; --protocol says otherwise",
            least.name
        )
    })
}

/// True where the words or the plan file say how rows are cut.
fn named_protocol(matches: &ArgMatches) -> bool {
    matches.contains_id("protocol") || matches.contains_id("plan")
}

/// A warning about a class that is not in every fold.
fn thin(study: &Study, data: &Data) -> Option<String> {
    let (Cut::Folds(folds) | Cut::EvenFolds(folds)) = study.protocol.cut else { return None };
    let counts = data.classes.counts();
    let least = (0..counts.len()).min_by_key(|&class| counts[class])?;
    let (count, class) = (counts[least], &data.classes.names()[least]);
    (count < folds).then(|| {
        format!(
            "{}: class `{class}` has {count} rows and there are {folds} folds, so some folds do not \
             ask about it; name fewer folds, or loo",
            data.name
        )
    })
}

/// A sentence for each plan that keeps as many of the best features as there are, or more.
fn keep_all(plans: &[Plan], data: &Data) -> Vec<String> {
    let Rows::Table(table) = &data.rows else { return Vec::new() };
    let columns = table.columns().len();
    let keeps_all = |plan: &Plan| {
        let Subject::Pipeline(pipeline) = &plan.subject else { return None };
        let Some(Use::Keep(count)) = pipeline.weights.as_ref().map(|weights| weights.using) else {
            return None;
        };
        (count >= columns).then(|| {
            format!("{}: {} has {columns} features, so all are kept", plan.name, data.name)
        })
    };
    plans.iter().filter_map(keeps_all).collect()
}

/// The trials of one data source. Trials that are already in the journal are not run again.
fn trials(
    matches: &ArgMatches,
    data: &Data,
    (study, plans): (&Study, &[Plan]),
    journal: Option<&Journal>,
) -> Result<nearkin::evaluate::Trials> {
    // The key holds what the answers depend on, so that another study's trials are not taken.
    let plans_told: Vec<String> = plans.iter().map(|plan| format!("{plan:?}")).collect();
    let contents = journal.map_or(String::new(), |_| {
        let rows = match &data.rows {
            Rows::Table(table) => contents::of_table(table),
            Rows::Similarities(s) => contents::of_similarities(s),
        };
        format!("{rows} {} {:?}", contents::of_classes(&data.classes), data.groups)
    });
    let told = format!("{study:?} {} {contents}", plans_told.join(" "));
    let key = format!("{} {}", data.name, &contents::digest(told.as_bytes())[..16]);
    let finished = journal.map_or(Vec::new(), |journal| journal.finished(&key));
    if !finished.is_empty() && !matches.get_flag("quiet") {
        screen::say(&format!("{}: {} trials were done before", data.name, finished.len()));
    }
    let keep = |outcome: &Outcome| {
        if let Some(journal) = journal {
            journal.keep(&key, outcome, true);
        }
    };
    let source = match &data.rows {
        Rows::Table(table) => Source::Table(table),
        Rows::Similarities(s) => Source::Similarities(s),
    };
    progress::watched(matches, &data.name, |run| {
        study.run((source, &data.classes, data.groups.as_deref()), plans, finished, &keep, run)
    })
}

/// What is to be done: from the plan file, then from flags, which win; and how many of the plans
/// were asked for, those that always stand beside them coming last.
fn asked(matches: &ArgMatches, given: bool) -> Result<(Study, Vec<Plan>, usize)> {
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let mut plans = Vec::new();
    let mut top: HashMap<String, String> = HashMap::new();
    if let Some(path) = matches.get_one::<PathBuf>("plan") {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::Input(format!("--plan: {name}: {error}")))?;
        let file = plan_file::read(&name, &text, given)?;
        plans.extend(file.plans);
        top.extend(file.top);
    }
    for list in matches.get_many::<String>("methods").into_iter().flatten() {
        for method in words::methods(list) {
            let plan = words::plan(&method, given);
            plans.push(
                plan.map_err(|error| Failure::Input(format!("--methods: `{method}`: {error}")))?,
            );
        }
    }
    if let Some(wrong) = plans.iter().find(|plan| given && !words::is_given(plan)) {
        return refuse!(
            "{}: the data are similarities already; name classifiers alone",
            wrong.name
        );
    }
    let known = ["protocol", "mode", "choose", "choose-by", "prototypes"];
    if let Some(key) = top.keys().find(|key| !known.contains(&key.as_str())) {
        return refuse!("--plan: `{key}` above the first [[plan]] is none of {}", known.join(", "));
    }
    let told = |name: &str| word(name).or_else(|| top.get(name).map(String::as_str));
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or(0);
    let mut study = words::protocol(told("protocol").unwrap_or("10-fold"), seed)?;
    if matches.get_flag("no-stratify") {
        study.protocol.stratified = false;
    }
    let wrong =
        |name: &str, reason: nearkin::ParameterError| Failure::Input(format!("--{name}: {reason}"));
    if let Some(mode) = told("mode") {
        study.mode = Mode::parse(mode).map_err(|reason| wrong("mode", reason))?;
    }
    if let Some(how) = told("choose") {
        study.choose.inner = words::inner(how)?;
    }
    if let Some(by) = told("choose-by") {
        study.choose.by = Criterion::parse(by).map_err(|reason| wrong("choose-by", reason))?;
    }
    if let Some(rows) = told("prototypes") {
        if !matches!(study.choose.inner, Inner::Validation(_)) {
            return refuse!(
                "--prototypes: is for rows that a validation part chose by; add --choose validation"
            );
        }
        study.choose.fit = Fit::parse(rows).map_err(|reason| wrong("prototypes", reason))?;
    }
    let asked = plans.len();
    words::baselines(given, study.mode, &mut plans)?;
    let mut names: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return refuse!("--methods: `{}` is there twice", twice[0]);
    }
    Ok((study, plans, asked))
}

fn against(matches: &ArgMatches, plans: &[Plan]) -> Result<usize> {
    let Some(name) = matches.get_one::<String>("against") else { return Ok(0) };
    plans.iter().position(|plan| plan.name == *name).ok_or_else(|| {
        let names: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
        Failure::Input(format!("--against: `{name}` is not among {}", names.join(", ")))
    })
}

fn setting(matches: &ArgMatches, study: &Study) -> String {
    let given = matches.get_one::<String>("protocol").cloned();
    let protocol = given.unwrap_or_else(|| words::told(&study.protocol));
    let stratified = match (study.protocol.cut, study.protocol.stratified) {
        (Cut::LeaveOneOut, _) => "",
        (_, true) => ", stratified",
        (_, false) => ", not stratified",
    };
    let how = match study.mode {
        Mode::MultiClass => "accuracy and its deviation over splits",
        Mode::OneVsRest => {
            "each class against the rest: accuracy is the mean over classes and splits, ± over \
             class x split"
        }
    };
    format!("{protocol}{stratified}, seed {}; {how}", study.protocol.seed)
}

/// The tables, or the matrix, that the words name.
fn sources(matches: &ArgMatches) -> Result<Vec<Data>> {
    let paths: Vec<PathBuf> =
        matches.get_many::<PathBuf>("table").into_iter().flatten().cloned().collect();
    match (matrices::labelled(matches)?, paths.is_empty()) {
        (Some(matrices::Labelled { name, s, classes, .. }), _) => {
            Ok(vec![Data { name, rows: Rows::Similarities(s), classes, groups: None }])
        }
        (None, true) => refuse!(
            "name a table, or similarities by --similarity and --labels; `nearkin evaluate --help` \
             tells more"
        ),
        (None, false) => paths.iter().map(|path| table(matches, path)).collect(),
    }
}

fn table(matches: &ArgMatches, path: &Path) -> Result<Data> {
    let name = path.display().to_string();
    let loaded = input::read_at(matches, path)?;
    let (target, _) = input::target(matches, &name, &loaded)?;
    let Target::Classes(classes) = target.clone() else {
        return refuse!(
            "{name}: the target is a real number and classes are evaluated; say --target-kind \
             classes, or name another --target"
        );
    };
    let mut table = loaded.table;
    let mut groups = None;
    if let Some(column) = matches.get_one::<String>("groups") {
        let Some(at) = table.position(column) else {
            let known: Vec<&str> = table.names().take(8).collect();
            return refuse!(
                "--groups: {name} has no feature called `{column}` (the target is none); its \
                 features begin with {}",
                known.join(", ")
            );
        };
        groups = Some(groups_of(&table, at));
        let others: Vec<usize> = (0..table.columns().len()).filter(|&c| c != at).collect();
        table = table.select_columns(&others).into_owned();
    }
    Ok(Data { name, rows: Rows::Table(table), classes, groups })
}

/// A number for each row, the same where the column's value is; missing cells are one group.
fn groups_of(table: &Table, at: usize) -> Vec<u32> {
    use nearkin::data::ColumnValues;
    let column = &table.columns()[at];
    let value = |row: usize| match &column.values {
        ColumnValues::F64(lane) => lane.at(row).to_bits(),
        ColumnValues::F32(lane) => f64::from(lane.at(row)).to_bits(),
        ColumnValues::Nominal { codes, .. } => u64::from(codes[row]),
        ColumnValues::Genotype(cells) => cells.at(row).map_or(u64::MAX, u64::from),
    };
    let mut known: HashMap<u64, u32> = HashMap::new();
    (0..table.rows())
        .map(|row| {
            let next = known.len() as u32;
            *known.entry(value(row)).or_insert(next)
        })
        .collect()
}
