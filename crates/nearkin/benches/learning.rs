//! Seconds to learn a similarity, and accuracy on rows not seen:
//! `cargo bench -p nearkin --bench learning -- FOLDER METHOD [THREADS]`.
//!
//! FOLDER holds train.csv and test.csv, numbers with a label in the last column, no header.
//! Settings and the form of the matrix are chosen by [`Select`] among rows of train.csv alone,
//! then the method learns from all of them, several times, of which the least seconds count; test.csv
//! is looked at once, by kNN with k = 3, under what was learned and under the plain cosine. Prints a
//! line of JSON.
//! With `sila-diagonal` and the like for METHOD it tells the seconds of an epoch of that form instead.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used, missing_docs)]

mod peak;

use std::path::Path;
use std::time::Instant;

use nearkin::Run;
use nearkin::data::{Dense, Target};
use nearkin::learn::{Grid, Learn, Lesson, Select, Task, Validation, method, set};
use nearkin::measure::{Norm, Similarity};
use nearkin::neighbors::{Decision, Rule};
use nearkin::parameter::Value as _;

const K: usize = 3;
/// How often a method learns once its settings are chosen.
const ROUNDS: usize = 3;
/// What is tried as a column added to all rows.
const CONSTANTS: [&str; 3] = ["0", "2", "5"];
/// How far rows are whitened, and by which differences.
const WHITEN: [(&str, &str); 3] = [("0", "classes"), ("0.9", "classes"), ("0.9", "targets")];
/// Rows and cells that settings are chosen on at most, and in how many folds.
const CHOOSING: (usize, usize, usize) = (6000, 250_000, 3);

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

/// The forms of the method worth trying, each with what its settings are chosen from.
fn forms(id: &str) -> Vec<(Box<dyn Learn>, Grid)> {
    let plain = |settings: &[(&str, &str)]| {
        let mut made = method(id).unwrap();
        settings.iter().for_each(|(name, text)| set(&mut *made, name, text).unwrap());
        made
    };
    let k = vec![K];
    let forms = match id {
        "sila" => {
            let grid =
                Grid { k, epochs: vec![1, 2, 3, 5, 10], last: vec![1, 3], ..Grid::default() };
            let symmetric = ("matrix", "symmetric");
            vec![
                (vec![("matrix", "diagonal")], grid.clone()),
                (vec![symmetric], grid.clone()),
                (vec![symmetric, ("margin", "1")], grid.clone()),
                (vec![symmetric, ("margin", "5")], grid),
            ]
        }
        _ => {
            let grid = |beta: &[f64], lambda: &[f64]| {
                let (k, beta, lambda) = (k.clone(), beta.to_vec(), lambda.to_vec());
                Grid { k, beta, lambda, ..Grid::default() }
            };
            let near = grid(&[1.0, 10.0], &[1e-2, 1.0]);
            // With neighbours found anew in short descents the loss may be steep.
            let anew = grid(&[10.0, 30.0, 100.0, 300.0, 3000.0], &[0.1]);
            let (modern, symmetric) = (("solver", "modern"), ("matrix", "symmetric"));
            vec![
                (vec![("matrix", "diagonal")], near),
                (vec![symmetric, modern, ("refresh", "true"), ("epochs", "20")], anew),
            ]
        }
    };
    let first = CONSTANTS.iter().flat_map(|c| {
        WHITEN.map(|(share, by)| [("constant", *c), ("whiten", share), ("whiten_by", by)])
    });
    let first: Vec<_> = first.collect();
    let each = forms.into_iter().flat_map(|(form, grid)| {
        first.iter().map(move |first| ([&form[..], first].concat(), grid.clone()))
    });
    each.map(|(form, grid)| (plain(&form), grid)).collect()
}

/// The fewest seconds of several rounds, and what the last one gave.
fn least<T>(rounds: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut time = || {
        let start = Instant::now();
        let found = work();
        (start.elapsed().as_secs_f64(), found)
    };
    (1..rounds).fold(time(), |(best, _), _| {
        let (seconds, found) = time();
        (best.min(seconds), found)
    })
}

/// Seconds of one epoch, without what is done once: what more epochs take longer, each the least of
/// several runs.
fn epoch(id: &str, form: &str, task: &Task, run: &Run) -> f64 {
    let (few, many) = if id == "srbs" { (1, 1001) } else { (1, 4) };
    let seconds = |epochs: usize| {
        let mut learner = method(id).unwrap();
        let gamma = if id == "srbs" { &[("gamma", "0")][..] } else { &[] };
        let count = epochs.to_string();
        for (name, text) in [("matrix", form), ("epochs", &*count)].iter().chain(gamma) {
            set(learner.as_mut(), name, text).unwrap();
        }
        least(2, || learner.learn(task, run).unwrap()).0
    };
    (seconds(many) - seconds(few)) / (many - few) as f64
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
    if let Some((id, form)) = id.split_once('-') {
        let seconds = epoch(id, form, &Task::new(&base, Lesson::Classes(&target)), &run);
        let peak = peak::megabytes().unwrap_or(0.0);
        println!(r#"{{"seconds": {seconds}, "megabytes": {peak}}}"#);
        return;
    }

    let start = Instant::now();
    let some: Vec<usize> =
        (0..CHOOSING.0.min(CHOOSING.1 / base.columns()).min(base.rows())).collect();
    let (rows, few) = (base.select_rows(&some), target.select(&some));
    let task = Task::new(&rows, Lesson::Classes(&few));
    let validation = Validation::Folds { count: CHOOSING.2, seed: 0 };
    let mut best: Option<(f64, Box<dyn Learn>, String)> = None;
    for (mut method, grid) in forms(id) {
        let select = Select { grid, rule: Rule::Knn, validation: validation.clone() };
        let chosen = match select.learn(method.as_ref(), &task, &run) {
            Ok(mut selected) => selected.chosen.swap_remove(0),
            Err(told) => {
                eprintln!("{id}: {told}");
                continue;
            }
        };
        for (name, text) in &chosen.settings {
            set(method.as_mut(), name, text).unwrap();
        }
        let common = method.common();
        let form = format!("{:?}", common.matrix).to_lowercase();
        let anew = method.parameters().iter().any(|p| p.name == "refresh" && p.default == "true");
        let anew = if anew { ", neighbours anew" } else { "" };
        let margin = method.parameters().into_iter().find(|p| p.name == "margin");
        let margin = margin.map_or(String::new(), |margin| format!(", margin {}", margin.default));
        let whitened = match common.whiten {
            0.0 => String::new(),
            share => format!(", whiten {share} by {}", common.whiten_by.show()),
        };
        let form = format!("{form}{whitened}, constant {}{margin}{anew}", common.constant);
        let words: Vec<String> = chosen.settings.iter().map(|(n, t)| format!("{n} {t}")).collect();
        if best.as_ref().is_none_or(|(score, ..)| chosen.score > *score) {
            best = Some((chosen.score, method, format!("{form}, {}", words.join(", "))));
        }
    }
    let choosing = start.elapsed().as_secs_f64();
    let (_, method, words) = best.unwrap();

    let task = Task::new(&base, Lesson::Classes(&target));
    let (seconds, learned) = least(ROUNDS, || method.learn(&task, &run).unwrap());
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
        r#"{{"seconds": {seconds}, "choosing": {choosing}, "accuracy": {accuracy}, "plain": {plain}, "asked": {ROUNDS}, "megabytes": {}, "chosen": "{words}"}}"#,
        peak::megabytes().unwrap_or(0.0)
    );
}
