//! Seconds to learn a similarity of letter and spambase, and accuracy on rows not seen.
//!
//! Reads the tables below NEARKIN_DATA, label in the last column, and does nothing without it.
#![allow(clippy::print_stdout, clippy::unwrap_used)] // a bench reports to a person

use std::path::PathBuf;
use std::time::Instant;

use nearkin::Run;
use nearkin::data::{Dense, Target};
use nearkin::learn::{Lesson, Task, method, set};
use nearkin::measure::{Norm, Scaling, Similarity};
use nearkin::neighbors::Rule;
use nearkin::random::Random;

/// Learner and settings.
type Asked = (&'static str, &'static [(&'static str, &'static str)]);

const LEARNERS: [Asked; 8] = [
    ("srbs", &[]),
    ("srbs", &[("matrix", "full"), ("beta", "1")]),
    ("srbs", &[("matrix", "full"), ("solver", "modern"), ("beta", "10"), ("lambda", "1")]),
    ("sila", &[("epochs", "3")]),
    ("sila", &[("epochs", "3"), ("matrix", "symmetric")]),
    ("sila", &[("epochs", "10"), ("matrix", "full")]),
    ("relief-psd", &[]),
    ("relief-psd", &[("matrix", "symmetric")]),
];

fn main() {
    let Some(folder) = std::env::var_os("NEARKIN_DATA").map(PathBuf::from) else { return };
    for table in ["spambase", "letter"] {
        let Ok(text) = std::fs::read_to_string(folder.join("tables").join(format!("{table}.csv")))
        else {
            continue;
        };
        let mut lines = text.lines();
        let names: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let names = names[..names.len() - 1].to_vec();
        let (mut cells, mut labels) = (Vec::new(), Vec::new());
        for line in lines {
            let (row, label) = line.rsplit_once(',').unwrap();
            cells.extend(row.split(',').map(|cell| cell.parse::<f64>().unwrap()));
            labels.push(label);
        }
        let rows = Dense::new(names.clone(), cells).unwrap();
        let target = Target::classes(&labels);
        let mut order: Vec<usize> = (0..rows.rows()).collect();
        Random::new(0, 0).shuffle(&mut order);
        let (test, train) = order.split_at(rows.rows() / 5);
        let (base, labels) = (rows.select_rows(train), target.select(train));
        let (queries, truth) = (rows.select_rows(test), target.select(test));
        let (Target::Classes(classes), Target::Classes(truth)) = (&labels, &truth) else {
            continue;
        };
        let run = Run::default();
        let accuracy = |similarity: &Similarity| {
            let ready = |rows: &Dense| similarity.prepare(rows).unwrap();
            let (base, queries) = (ready(&base), ready(&queries));
            let said = Rule::Knn.decide(similarity, 3, &base, classes, &queries, false, &run);
            let said = said.unwrap();
            let right = said.iter().zip(truth.codes()).filter(|(d, own)| d.class == **own);
            right.count() as f64 / said.len() as f64
        };
        let task = Task { scale: Scaling::ZScore, ..Task::new(&base, Lesson::Classes(&labels)) };
        let scale = nearkin::measure::RowScale::fit(Scaling::ZScore, (&base).into()).unwrap();
        for (word, plain) in [
            ("cosine", Similarity::plain(Norm::Cosine, names.clone())),
            ("euclidean", Similarity::euclidean(names.clone())),
        ] {
            let how = nearkin::measure::Preparation {
                norm: plain.norm(),
                own: None,
                scale: scale.clone(),
            };
            println!(
                "{table:10} {word:60} {:9} {:.4}",
                "",
                accuracy(&plain.prepared_as(how).unwrap())
            );
        }
        for (id, settings) in LEARNERS {
            let mut method = method(id).unwrap();
            settings.iter().for_each(|(name, text)| set(&mut *method, name, text).unwrap());
            let start = Instant::now();
            let learned = match method.learn(&task, &run) {
                Ok(learned) => learned,
                Err(told) => {
                    println!("{table:10} {id} {settings:?}: {told}");
                    continue;
                }
            };
            let seconds = start.elapsed().as_secs_f64();
            let found = accuracy(&learned.models[0].similarity);
            println!("{table:10} {:60} {seconds:8.2}s {found:.4}", format!("{id} {settings:?}"));
        }
    }
}
