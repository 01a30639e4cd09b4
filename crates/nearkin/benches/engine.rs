//! The neighbour engine beside the machine's own limit: `cargo bench -p nearkin --bench engine`.
//!
//! Everything is measured in one run, the best of several rounds in which one thread and two take
//! turns, so that the ratios hold on a machine that is not quiet. Memory is the peak of the process while it works, tables
//! included (Linux only). Prints a line of names and
//! lines of figures, with commas between. With `-- votes` only predictions by neighbours are timed.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod peak;

use std::time::Instant;

use nearkin::Run;
use nearkin::data::{Classes, Column, ColumnValues, Dense, Encoder, Lane, Table};
use nearkin::measure::{Measure, Metric, Missing, Norm, Scaling, Similarity, Unknown};
use nearkin::neighbors::testing::{Isa, all_tiles, arithmetic_limit, mismatch_limit};
use nearkin::neighbors::{Labelled, Rule, nearest, nearest_between};
use nearkin::random::Random;

fn table(n: usize, p: usize) -> Table<'static> {
    let mut random = Random::new(1, 0);
    let column = |c| Column::numeric(format!("x{c}"), (0..n).map(|_| random.uniform()).collect());
    Table::new((0..p).map(column).collect()).unwrap()
}

/// Threads that take turns.
const THREADS: [usize; 2] = [1, 2];

/// What several rounds took.
#[derive(Clone, Copy)]
struct Took {
    /// The fewest.
    seconds: f64,
    /// The most, with the tables at hand.
    megabytes: Option<f64>,
}

/// What several rounds took for each number of [`THREADS`].
fn in_turns(rounds: usize, mut work: impl FnMut(&Run)) -> [Took; 2] {
    let mut all = [Took { seconds: f64::INFINITY, megabytes: None }; 2];
    for _ in 0..rounds {
        for (took, threads) in all.iter_mut().zip(THREADS) {
            let run = Run::on(threads);
            let forgot = peak::forget();
            let start = Instant::now();
            work(&run);
            took.seconds = took.seconds.min(start.elapsed().as_secs_f64());
            let peak = peak::megabytes().filter(|_| forgot);
            took.megabytes = took.megabytes.map_or(peak, |most| peak.map(|peak| peak.max(most)));
        }
    }
    all
}

/// The share of the limit that tiles of numbers shall reach.
const BAR: f64 = 0.5;

/// A line of the table; `bar` is the bar and whether it is met, with a comma between.
fn told(what: &str, size: &str, threads: usize, figures: [String; 4], bar: &str) {
    let [time, rate, share, memory] = figures;
    println!("{what},{size},{threads},{time},{rate},{share},{memory},{bar}");
}

/// Tiles and a search of every pair of rows, as shares of a limit in elements a second.
fn every_pair(name: &str, of: Labelled, measure: &Measure, limit: f64) {
    let (n, p) = (of.rows.len(), of.rows.numeric() + of.rows.nominal());
    let elements = (n * n * p) as f64 / 2.0;
    let tiles = in_turns(7, |run| _ = all_tiles(of, measure, run).unwrap());
    let search = in_turns(7, |run| _ = nearest(of, measure, 10, run).unwrap());
    for (threads, (tiles, search)) in THREADS.into_iter().zip(tiles.into_iter().zip(search)) {
        for (what, Took { seconds, megabytes }) in [("tiles", tiles), ("top 10 a class", search)] {
            let rate = elements / seconds;
            let share = rate / (limit * threads as f64);
            let met = if share >= BAR { "yes" } else { "no" };
            let bar = match (what, of.rows.packed()) {
                ("tiles", None) => format!("{:.0} % of the limit,{met}", 100.0 * BAR),
                _ => ",".into(),
            };
            let [rate, share] = [format!("{:.1}", rate / 1e9), format!("{:.0} %", 100.0 * share)];
            let figures = [format!("{seconds:.3} s"), rate, share, peak::told(megabytes)];
            told(
                &format!("{name} {what}"),
                &format!("{n} × {p} every pair once"),
                threads,
                figures,
                &bar,
            );
        }
    }
}

/// A line for a limit.
fn told_limit(step: &str, limit: f64) {
    let figures = [String::new(), format!("{:.1}", limit / 1e9), "100 %".into(), String::new()];
    told(&format!("limit: {step}"), &format!("{:?}", Isa::best()), 1, figures, ",");
}

fn main() {
    println!("what,size,threads,time,G elements/s,share of the limit,peak memory,bar,met");
    if std::env::args().any(|word| word == "votes") {
        return votes();
    }
    memory();
    votes();
    genotypes();
    numbers();
}

/// Pairs of rows of numbers, beside what a number takes.
fn numbers() {
    let n = 10_000;
    let table = table(n, 100);
    let encoder = Encoder::fit(&table).unwrap();
    let rows = encoder.encode(&table).unwrap();
    let labels: Vec<u32> = (0..n as u32).map(|i| i % 2).collect();
    let of = Labelled { rows: &rows, labels: &labels, classes: 2 };
    for (metric, name, step) in [
        (Metric::Manhattan, "Manhattan", "max and add of whole numbers"),
        (Metric::Euclidean, "Euclidean", "multiply-add of floats"),
    ] {
        let limit = arithmetic_limit(Isa::best(), metric, 0.5);
        let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 2);
        let measure = Measure::new(&encoder, metric, Scaling::MinMax, unknown);
        every_pair(name, of, &measure, limit);
        told_limit(step, limit);
    }
}

/// Pairs of rows of genotypes, packed as two bits, beside what 64 of eight rows take.
fn genotypes() {
    let (n, p) = (10_000_usize, 1_000_usize);
    let mut random = Random::new(3, 0);
    let names = ["0", "1", "2"].map(String::from).to_vec();
    let column = |c| {
        let codes = (0..n).map(|_| random.below(3) as u16).collect();
        Column::from_codes(format!("x{c}"), codes, names.clone()).unwrap()
    };
    let table = Table::new((0..p).map(column).collect()).unwrap();
    let encoder = Encoder::fit(&table).unwrap();
    let rows = encoder.encode(&table).unwrap();
    let labels: Vec<u32> = (0..n as u32).map(|i| i % 2).collect();
    let of = Labelled { rows: &rows, labels: &labels, classes: 2 };
    let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 2);
    let measure = Measure::new(&encoder, Metric::Manhattan, Scaling::MinMax, unknown);
    let limit = mismatch_limit(Isa::best(), 0.5);
    every_pair("genotypes", of, &measure, limit);
    told_limit("exclusive or and count of ones", limit);
}

/// A top-10 search among 50,000 × 50, first of all so that nothing else counts.
fn memory() {
    let table = table(50_000, 50);
    let encoder = Encoder::fit(&table).unwrap();
    let rows = encoder.encode(&table).unwrap();
    let labels = vec![0; 50_000];
    let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 1);
    let measure = Measure::new(&encoder, Metric::Manhattan, Scaling::MinMax, unknown);
    let of = Labelled { rows: &rows, labels: &labels, classes: 1 };
    let all = in_turns(3, |run| _ = nearest(of, &measure, 10, run).unwrap());
    for (threads, Took { seconds, megabytes }) in THREADS.into_iter().zip(all) {
        let peak = peak::told(megabytes);
        let figures = [format!("{seconds:.2} s"), String::new(), String::new(), peak];
        told("Manhattan top 10", "50000 × 50", threads, figures, ",");
    }
}

/// Rows and columns that votes are about, and how many rows are asked about.
const VOTES: (usize, usize, usize) = (50_000, 50, 5_000);

/// The votes of the 10 nearest of 50,000 × 50 about 5,000 queries, by distance and by cosine, beside
/// the limit of floats; products of 16-bit numbers may pass it.
fn votes() {
    let limit = arithmetic_limit(Isa::best(), Metric::Euclidean, 0.5);
    by_distance(limit);
    for (what, rule) in [("cosine kNN", Rule::Knn), ("cosine SkNN", Rule::Sknn)] {
        by_cosine(what, rule, limit);
    }
}

/// Noise and three classes for votes: names of the columns, cells row by row, labels.
fn clouds() -> (Vec<String>, Vec<f64>, Vec<u32>) {
    let (n, p, _) = VOTES;
    let mut random = Random::new(2, 0);
    let cells = (0..n * p).map(|_| f64::from(random.normal() as f32)).collect();
    ((0..p).map(|c| format!("x{c}")).collect(), cells, (0..n as u32).map(|i| i % 3).collect())
}

fn by_distance(limit: f64) {
    let (n, p, asked) = VOTES;
    let (names, cells, labels) = clouds();
    let table = |rows: usize| {
        let column = |c: usize| (0..rows).map(|r| cells[r * p + c] as f32).collect::<Vec<_>>();
        let columns = (0..p).map(|c| Column {
            name: names[c].clone(),
            values: ColumnValues::F32(Lane::owned(column(c))),
        });
        Table::new(columns.collect()).unwrap()
    };
    let encoder = Encoder::fit(&table(n)).unwrap();
    let rows = encoder.encode(&table(n)).unwrap();
    let queries = encoder.encode(&table(asked)).unwrap();
    drop(cells);
    let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 3);
    let measure = Measure::new(&encoder, Metric::Euclidean, Scaling::None, unknown);
    let (one, none) = (vec![0; n], vec![0; asked]);
    let base = Labelled { rows: &rows, labels: &one, classes: 1 };
    let of = Labelled { rows: &queries, labels: &none, classes: 1 };
    let all: Vec<u32> = (0..asked as u32).collect();
    vote("Euclidean kNN", limit, |run| {
        _ = nearest_between((of, &all), base, false, &measure, 10, run).unwrap();
    });
}

fn by_cosine(what: &str, rule: Rule, limit: f64) {
    let (n, p, asked) = VOTES;
    let (names, cells, labels) = clouds();
    let dense = |rows: usize| Dense::new(names.clone(), cells[..rows * p].to_vec()).unwrap();
    let cosine = Similarity::plain(Norm::Cosine, names.clone());
    let (base, some) = (cosine.prepare(&dense(n)).unwrap(), cosine.prepare(&dense(asked)).unwrap());
    drop(cells);
    let classes = Classes::new(labels, ["a", "b", "c"].map(String::from).to_vec()).unwrap();
    vote(what, limit, |run| {
        _ = rule.decide(&cosine, 10, &base, &classes, &some, false, run).unwrap();
    });
}

/// Lines of votes: products, as shares of a limit in elements a second.
fn vote(what: &str, limit: f64, work: impl FnMut(&Run)) {
    let (n, p, asked) = VOTES;
    let products = (n * asked * p) as f64;
    let size = format!("{asked} queries among {n} × {p}");
    let all = in_turns(5, work);
    for (threads, Took { seconds, megabytes }) in THREADS.into_iter().zip(all) {
        let rate = products / seconds;
        let share = format!("{:.0} %", 100.0 * rate / (limit * threads as f64));
        let rate = format!("{:.1}", rate / 1e9);
        let figures = [format!("{seconds:.4} s"), rate, share, peak::told(megabytes)];
        told(&format!("{what} of 10"), &size, threads, figures, ",");
    }
}
