//! Classifiers on large similarity matrices, and the chapter's simulation:
//! `cargo bench -p nearkin-papers --bench classify [-- samples [WHAT] | study]`.
//!
//! With a number of samples (5,000 when none is given), every classifier is timed on a real-valued
//! matrix of that many, sizes and settings chosen by the rule itself, and table 5 of the simulation
//! is timed, each in a process of its own, so that its peak memory is its own; WHAT is one of
//! them. The least of three times counts. With `study`, the tables of the simulation are made, 20
//! runs each, and set beside the recorded means.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../../nearkin/benches/peak/mod.rs"]
mod peak;

use std::time::Instant;

use nearkin::Run;
use nearkin::classify::{classifier, set};
use nearkin::data::{Classes, SimilarityMatrix};
use nearkin::random::Random;
use nearkin_papers::studies::sda::{
    Recorded, Study, chance_beyond_three, claims, compare, consistency, perturbed_centroids_study,
};

const ROUNDS: usize = 3;
/// Classifiers with the settings they do not choose.
const RULES: [(&str, &[(&str, &str)]); 6] = [
    ("local-sda", &[]),
    ("local-centroid", &[]),
    ("knn", &[]),
    ("sda", &[]),
    ("nn-sda", &[]),
    ("mixture-sda", &[("c", "5")]),
];
const TABLE_5: &str = "table-5";
/// Seconds within which choosing sizes of local SDA, and table 5, shall be done.
const BARS: [f64; 2] = [30.0, 600.0];

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["study"] => study(),
        [_, TABLE_5] => table_5(),
        [samples, id] => {
            let (_, settings) = RULES.iter().find(|(rule, _)| *rule == id).unwrap();
            matrix(samples.parse().unwrap(), id, settings);
        }
        _ => each_alone(words.first().unwrap_or(&"5000")),
    }
}

fn each_alone(samples: &str) {
    println!("what,fit and choice of sizes,prediction of 1000,chosen k,peak memory,bar,met");
    let program = std::env::current_exe().unwrap();
    for what in RULES.map(|(id, _)| id).into_iter().chain([TABLE_5]) {
        let told = std::process::Command::new(&program).args([samples, what]).status().unwrap();
        assert!(told.success(), "{what} failed");
    }
}

/// Whether a time is within its bar, as a word.
fn met(seconds: f64, bar: f64) -> &'static str {
    if seconds <= bar { "yes" } else { "no" }
}

/// Points of two classes in the plane, similarity minus distance with a little noise: as many
/// different values as cells.
fn matrix(n: usize, id: &str, settings: &[(&str, &str)]) {
    let mut random = Random::new(1, 0);
    let class = |i: usize| i % 2;
    let points: Vec<[f64; 2]> =
        (0..n).map(|i| [random.normal() + 1.5 * class(i) as f64, random.normal()]).collect();
    let mut cells = Vec::with_capacity(n * n);
    for a in &points {
        for b in &points {
            let d = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
            cells.push(-d - 1e-3 * random.uniform());
        }
    }
    let s = SimilarityMatrix::new(n, n, cells).unwrap();
    let classes = Classes::from_labels((0..n).map(|i| class(i).to_string()));
    let queries = s.select(&(0..n.min(1000)).collect::<Vec<_>>(), &(0..n).collect::<Vec<_>>());
    let mut rule = classifier(id).unwrap();
    settings.iter().for_each(|(name, value)| set(rule.as_mut(), name, value).unwrap());
    let (mut fit, mut predict, mut k) = (f64::INFINITY, f64::INFINITY, String::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let fitted = rule.fit_with(&s, &classes, &Run::on(2)).unwrap();
        fit = fit.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let _ = fitted.predict_with(&queries, &Run::on(2)).unwrap();
        let each = start.elapsed().as_secs_f64() / queries.rows() as f64;
        predict = predict.min(1000.0 * each);
        k = fitted.insight().k.map_or(String::new(), |k| k.to_string());
    }
    let bar = match id {
        "local-sda" => format!("{} s,{}", BARS[0], met(fit, BARS[0])),
        _ => ",".into(),
    };
    let peak = peak::megabytes().unwrap_or(0.0);
    println!("{id} over {n} × {n},{fit:.2} s,{predict:.2} s,{k},{peak:.0} MB,{bar}");
}

/// The chapter's table of two centroids a class: mixture SDA's number of parts by five folds,
/// P-SVM's settings too, every other method.
fn table_5() {
    let bits = vec![2, 4, 8, 12, 25, 50, 100, 200];
    let study = Study { tables: vec![5], bits, psvm: true, ..Study::default() };
    let time = |_| {
        let start = Instant::now();
        perturbed_centroids_study(&study, &Run::on(2)).unwrap();
        start.elapsed().as_secs_f64()
    };
    let seconds = (0..ROUNDS).map(time).fold(f64::INFINITY, f64::min);
    println!(
        "SDA chapter's table 5: {} runs of every method,{seconds:.1} s,,,{:.0} MB,minutes (< {} s),{}",
        study.runs,
        peak::megabytes().unwrap_or(0.0),
        BARS[1],
        met(seconds, BARS[1])
    );
}

fn study() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/sda_simulation.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let recorded: Vec<Recorded> = text
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |at: usize| cells[at].parse().unwrap();
            Recorded {
                table: cells[0].parse().unwrap(),
                bits: cells[1].parse().unwrap(),
                method: cells[2].into(),
                mean: number(3),
                error: number(4),
            }
        })
        .collect();
    let run = Run::default();
    let start = Instant::now();
    let study = Study { tables: (1..=8).collect(), ..Study::default() };
    let cells = perturbed_centroids_study(&study, &run).unwrap();
    println!("eight tables, 20 runs: {:.0} s", start.elapsed().as_secs_f64());
    for cell in &cells {
        let (mean, error) = cell.mean();
        println!("{} {:>3} {:<16} {mean:>6.2} ± {error:.2}", cell.table, cell.bits, cell.method);
    }
    let beside = compare(&cells, &recorded);
    let beyond: Vec<_> = beside.iter().filter(|b| b.z.abs() > 3.0).collect();
    let chance = chance_beyond_three(&cells, &recorded, 20, 1);
    println!(
        "\n{} of {} beyond three joint standard errors; by chance {:.1} are expected and more than \
         {} come about less than once in a thousand times",
        beyond.len(),
        beside.len(),
        chance.expected,
        chance.allowed
    );
    for b in beyond {
        let r = &b.recorded;
        println!(
            "  {} {} {}: {:.2} beside {:.2}, z {:.1}",
            r.table, r.bits, r.method, b.mean, r.mean, b.z
        );
    }
    let related = Study { tables: vec![5], bits: vec![200], alike: 0.6, ..study.clone() };
    let related = perturbed_centroids_study(&related, &run).unwrap();
    for claim in claims(&cells, &related) {
        println!("{} {} ({})", if claim.seen { "yes" } else { "NO " }, claim.claim, claim.figures);
    }
    let trains = [50, 100, 200, 400, 800, 1600, 3200];
    for a in consistency(6, 8, &trains, &Study::default(), &run).unwrap() {
        println!(
            "n {:>5} k {:>4}: local SDA {:.2} ± {:.2}, least {:.2}",
            a.train, a.k, a.local.0, a.local.1, a.least.0
        );
    }
}
