//! Seconds to learn a similarity, and accuracy on rows not seen:
//! `cargo bench -p nearkin --bench learning -- FOLDER METHOD [THREADS]`.
//!
//! FOLDER holds train.csv and test.csv, numbers with a label in the last column, no header.
//! The method learns from train.csv with one setting for all tables ([`settings`]), which is what is
//! timed; test.csv is looked at once, by kNN with k = 3, under what was learned and under the plain
//! cosine. Prints a line of JSON.
//! With `sila-diagonal` and the like for METHOD it tells the seconds of many and of few epochs of that form instead,
//! with `sila?` the share of right answers in three folds of train.csv for all settings that are
//! compared, a line each; test.csv is not looked at then.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod peak;

use std::path::Path;
use std::time::Instant;

use nearkin::Run;
use nearkin::data::{Dense, Target};
use nearkin::learn::{Learn, LearnGrid, Lesson, Select, Task, Validation, method, set};
use nearkin::measure::{Norm, Similarity};
use nearkin::neighbors::{Decision, Rule};

const K: usize = 3;
/// Rows that settings are compared on at most.
const COMPARED: usize = 6000;

/// Names and values of parameters.
type Settings = Vec<(&'static str, &'static str)>;

/// Rows and labels of a file; `names` are the classes in order.
fn read(path: &Path) -> (Dense, Vec<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut cells, mut labels) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let (row, label) = line.rsplit_once(',').unwrap();
        cells.extend(row.split(',').map(|cell| cell.parse::<f64>().unwrap()));
        labels.push(label.to_owned());
    }
    let names = (0..cells.len() / labels.len()).map(|column| format!("x{column}")).collect();
    (Dense::new(names, cells).unwrap(), labels)
}

/// What a method is set to on every table: the setting with the best mean of two shares of right
/// answers in folds, of letter's training rows and of rows of spambase that no test part holds
/// (`bench/learning.py --settings`).
fn settings(id: &str) -> Settings {
    let (constant, form) = match id {
        "sila" => ("5", SILA_10),
        _ => ("2", SRBS_ANEW),
    };
    let first = [("whiten", "0.9"), ("whiten_by", "targets"), ("constant", constant)];
    [&first[..], form].concat()
}

const SILA_10: &[(&str, &str)] = &[("matrix", "symmetric"), ("margin", "5"), ("epochs", "10")];
/// Neighbours are found anew between short descents.
const SRBS_ANEW: &[(&str, &str)] = &[
    ("matrix", "symmetric"),
    ("solver", "modern"),
    ("refresh", "true"),
    ("epochs", "20"),
    ("beta", "10"),
    ("lambda", "0.1"),
];

/// The settings that are compared.
fn candidates(id: &str) -> Vec<Settings> {
    let forms: Vec<Settings> = match id {
        "sila" => {
            let each = ["0", "1", "5"].map(|margin| {
                ["3", "10"].map(|epochs| {
                    vec![("matrix", "symmetric"), ("margin", margin), ("epochs", epochs)]
                })
            });
            each.into_iter().flatten().collect()
        }
        _ => {
            let steeper: Settings =
                SRBS_ANEW.iter().map(|&(n, t)| (n, if n == "beta" { "30" } else { t })).collect();
            let diagonal = vec![("matrix", "diagonal"), ("beta", "1"), ("lambda", "1")];
            vec![SRBS_ANEW.to_vec(), steeper, diagonal]
        }
    };
    let whiten = [("0", "classes"), ("0.9", "classes"), ("0.9", "targets")];
    let first = whiten.iter().flat_map(|&(share, by)| {
        ["0", "2", "5"].map(|c| vec![("whiten", share), ("whiten_by", by), ("constant", c)])
    });
    let first: Vec<Settings> = first.collect();
    forms.iter().flat_map(|form| first.iter().map(move |f| [&f[..], form].concat())).collect()
}

fn learner(id: &str, settings: &Settings) -> Box<dyn Learn> {
    let mut made = method(id).unwrap();
    settings.iter().for_each(|(name, text)| set(&mut *made, name, text).unwrap());
    made
}

fn in_words(settings: &Settings) -> String {
    settings.iter().map(|(name, text)| format!("{name} {text}")).collect::<Vec<_>>().join(", ")
}

/// Print what every candidate gets right in three folds of a few rows.
fn compare(id: &str, base: &Dense, target: &Target, run: &Run) {
    let some: Vec<usize> = (0..COMPARED.min(base.rows())).collect();
    let (rows, few) = (base.select_rows(&some), target.select(&some));
    let task = Task::new(&rows, Lesson::Classes(&few));
    for settings in candidates(id) {
        let of = |wanted: &str| settings.iter().find(|(name, _)| *name == wanted).map(|one| one.1);
        let number = |name: &str| of(name).map_or(1.0, |text| text.parse::<f64>().unwrap());
        let grid = LearnGrid {
            k: vec![K],
            epochs: vec![number("epochs") as usize],
            last: Vec::new(),
            beta: vec![number("beta")],
            lambda: vec![number("lambda")],
            ..LearnGrid::default()
        };
        let validation = Validation::Folds { count: 3, seed: 0 };
        let select = Select { grid, rule: Rule::Knn, validation };
        let selected = select.learn(&*learner(id, &settings), &task, run).unwrap();
        let share = selected.chosen[0].score;
        println!("{share:.4},\"{}\"", in_words(&settings));
    }
}

/// The fewest seconds of several rounds.
fn least<T>(rounds: usize, mut work: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..rounds).map(time).fold(f64::INFINITY, f64::min)
}

/// Seconds of many epochs and of few, the least of two runs each, and how many epochs lie between: what
/// many take longer is theirs, without what is done once.
fn epochs(id: &str, form: &str, task: &Task, run: &Run) -> (f64, f64, usize) {
    let (few, many) = if id == "srbs" { (1, 1001) } else { (1, 4) };
    // As the program and Python do it, on the run's threads from beginning to end.
    let seconds = |epochs: usize| {
        let mut learner = method(id).unwrap();
        let gamma = if id == "srbs" { &[("gamma", "0")][..] } else { &[] };
        let count = epochs.to_string();
        for (name, text) in [("matrix", form), ("epochs", &*count)].iter().chain(gamma) {
            set(learner.as_mut(), name, text).unwrap();
        }
        least(2, || learner.learn_in_pool(task, run).unwrap())
    };
    (seconds(many), seconds(few), many - few)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [folder, id, rest @ ..] = &words[..] else {
        println!("cargo bench -p nearkin --bench learning -- FOLDER METHOD [THREADS]");
        return;
    };
    let threads = rest.first().map_or(2, |count| count.parse().unwrap());
    let run = Run::on(threads);
    let (base, labels) = read(&Path::new(folder).join("train.csv"));
    let (queries, truth) = read(&Path::new(folder).join("test.csv"));
    let target = Target::classes(&labels);
    let Target::Classes(classes) = &target else { return };
    if let Some(id) = id.strip_suffix('?') {
        return compare(id, &base, &target, &run);
    }
    if let Some((id, form)) = id.split_once('-') {
        let task = Task::new(&base, Lesson::Classes(&target));
        let (many, few, between) = epochs(id, form, &task, &run);
        let peak = peak::megabytes().unwrap_or(0.0);
        println!(
            r#"{{"seconds": {many}, "few": {few}, "epochs": {between}, "megabytes": {peak}}}"#
        );
        return;
    }

    let settings = settings(id);
    let method = learner(id, &settings);
    let task = Task::new(&base, Lesson::Classes(&target));
    let start = Instant::now();
    let learned = method.learn_in_pool(&task, &run).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let accuracy = |similarity: &Similarity| {
        let (base, queries) =
            (similarity.prepare(&base).unwrap(), similarity.prepare(&queries).unwrap());
        let said = Rule::Knn.decide(similarity, K, &base, classes, &queries, false, &run).unwrap();
        let right = |(d, own): &(&Decision, &String)| classes.names()[d.class as usize] == **own;
        said.iter().zip(&truth).filter(right).count() as f64 / truth.len() as f64
    };
    let plain = accuracy(&Similarity::plain(Norm::Cosine, base.names().to_vec()));
    let accuracy = accuracy(&learned.models[0].similarity);
    println!(
        r#"{{"seconds": {seconds}, "accuracy": {accuracy}, "plain": {plain}, "megabytes": {}, "settings": "{}"}}"#,
        peak::megabytes().unwrap_or(0.0),
        in_words(&settings)
    );
}
