//! Threads change no bit: tables larger than the blocks, groups and strips that threads share.
#![allow(clippy::unwrap_used)]

use nearkin::Run;
use nearkin::classify::classifiers;
use nearkin::data::{Classes, Column, Dense, Encoder, SimilarityMatrix, Table, Target};
use nearkin::learn::{self, Learn};
use nearkin::measure::{Measure, Metric, Missing, Norm, Scaling, Similarity, Unknown};
use nearkin::neighbors::{Labelled, Rule, nearest};
use nearkin::random::Random;
use nearkin::weigh::*;

use Cells::{Complete, Holed};

/// Cells are missing, or none.
#[derive(Clone, Copy, PartialEq)]
enum Cells {
    Holed,
    Complete,
}

/// Two numbers and a category: the first number tells the classes apart, and the others may have
/// holes.
fn table(rows: usize, cells: Cells) -> (Table<'static>, Target) {
    let mut random = Random::new(17, 0);
    let class = |i: usize| i * i / 3 % 3;
    let has = |known: bool| known || cells == Cells::Complete;
    let telling = (0..rows).map(|i| random.normal() + class(i) as f64).collect();
    let noise = (0..rows).map(|i| (random.uniform(), has(i % 11 != 5)));
    let noise = noise.map(|(number, known)| if known { number } else { f64::NAN }).collect();
    let word = |i: usize| has(i % 13 != 4).then_some(["a", "b", "c", "d", "e"][i * i / 7 % 5]);
    let words: Vec<Option<&str>> = (0..rows).map(word).collect();
    let columns = vec![
        Column::numeric("telling", telling),
        Column::numeric("noise", noise),
        Column::nominal("word", &words).unwrap(),
    ];
    (Table::new(columns).unwrap(), Target::classes((0..rows).map(|i| class(i).to_string())))
}

/// Genotypes: rows of two bits a cell.
fn genotypes((rows, columns): (usize, usize), cells: Cells) -> (Table<'static>, Target) {
    let mut random = Random::new(18, 0);
    let mut cell = |i: usize| {
        let copies = (random.below(3) + i % 2).min(2);
        let known = random.below(20) > 0 || cells == Complete;
        known.then(|| copies.to_string())
    };
    let columns = (0..columns).map(|c| {
        let cells: Vec<Option<String>> = (0..rows).map(&mut cell).collect();
        Column::nominal(format!("g{c}"), &cells).unwrap()
    });
    let columns = columns.collect();
    (Table::new(columns).unwrap(), Target::classes((0..rows).map(|i| (i % 2).to_string())))
}

/// The same bits on one thread, two and three.
fn hold(method: &dyn Weigh, (table, target): &(Table, Target), what: &str) {
    let id = method.about().id;
    let real = Target::real((0..table.rows()).map(|i| (i * i % 97) as f64).collect()).unwrap();
    let target = if id == "rrelieff" { &real } else { target };
    let fit = |threads| method.fit_with(table, target, &Extras::default(), &Run::on(threads));
    let alone = fit(1).unwrap();
    for threads in [2, 3] {
        assert_eq!(fit(threads).unwrap(), alone, "{id}{what}, {threads} threads");
    }
}

fn with(id: &str, settings: &[(&str, &str)]) -> Box<dyn Weigh> {
    let mut made = method(id).unwrap();
    settings.iter().for_each(|(name, text)| set(&mut *made, name, text).unwrap());
    made
}

#[test]
fn threads_do_not_change_a_bit_of_any_method_beyond_its_blocks() {
    let three = genotypes((1_100, 3), Holed);
    for data in [table(1_100, Holed), table(1_100, Complete), three] {
        for method in methods() {
            hold(&*method, &data, "");
        }
        hold(&*with("relieff", &[("ties", "average")]), &data, " averaging ties");
        hold(&*with("pdrelieff", &[("ties", "average")]), &data, " averaging ties");
    }
    let online = with("i-relief", &[("online", "true"), ("passes", "1")]);
    hold(&*online, &table(1_100, Holed), " online");
}

#[test]
fn threads_do_not_change_a_bit_inside_a_wrapper() {
    let data = table(1_100, Holed);
    for id in ["relieff", "multisurf", "pdrelieff", "class-dependent"] {
        let turf = Turf { turf_fraction: 0.4, turf_keep: Some(1) };
        hold(&Wrapped { wrapper: turf, inner: method(id).unwrap() }, &data, " in TuRF");
        let vls = Vls { vls_subsets: 5, vls_share: 0.6, ..Vls::default() };
        hold(&Wrapped { wrapper: vls, inner: method(id).unwrap() }, &data, " in VLS");
    }
}

/// From 4096 rows on these sum on a grid where no cell is missing.
#[test]
fn threads_do_not_change_a_bit_of_a_radius_method_on_many_rows() {
    for data in [table(4_200, Complete), table(4_200, Holed)] {
        for id in ["surf", "surf-star", "multisurf", "multisurf-star"] {
            hold(&*method(id).unwrap(), &data, "");
        }
    }
    hold(&MultiSurf::default(), &genotypes((4_200, 3), Holed), " of genotypes");
}

/// Rows of several words, and sums of several parts.
#[test]
fn threads_do_not_change_a_bit_of_wide_genotypes() {
    let ids = ["relieff", "multisurf", "surf-star", "pdrelieff", "class-dependent", "i-relief"];
    for cells in [Complete, Holed] {
        let data = genotypes((300, 700), cells);
        for id in ids {
            hold(&*method(id).unwrap(), &data, " of wide genotypes");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit_of_votes_of_rows() {
    let (table, _) = table(3_000, Complete);
    let table = table.select_columns(&[0, 1]).into_owned();
    let labels: Vec<u32> = (0..3_000).map(|i| i * i / 3 % 3).collect();
    let encoder = Encoder::fit(&table).unwrap();
    let rows = encoder.encode(&table).unwrap();
    let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 3);
    let measure = Measure::new(&encoder, Metric::Euclidean, Scaling::None, unknown);
    let of = Labelled { rows: &rows, labels: &labels, classes: 3 };
    let names = ["telling", "noise"].map(String::from).to_vec();
    let cells = (0..3_000).flat_map(|row| [rows.number(row, 0), rows.number(row, 1)]);
    let dense = Dense::new(names.clone(), cells.collect()).unwrap();
    let cosine = Similarity::plain(Norm::Cosine, names);
    let base = cosine.prepare(&dense).unwrap();
    let classes = Classes::from_labels(labels.iter().map(u32::to_string));
    let on = |threads: usize| {
        let run = Run::on(threads);
        let decide = |rule: Rule| rule.decide(&cosine, 7, &base, &classes, &base, true, &run);
        let near = nearest(of, &measure, 7, &run).unwrap();
        (near, decide(Rule::Knn).unwrap(), decide(Rule::Sknn).unwrap())
    };
    let alone = on(1);
    for threads in [2, 3] {
        assert!(on(threads) == alone, "{threads} threads");
    }
}

/// The same similarity on one thread, two and three.
fn hold_learner(method: &dyn Learn, rows: usize) {
    let (table, target) = table(rows, Complete);
    let table = table.select_columns(&[0, 1]).into_owned();
    let fit = |threads| method.fit_with(&table, &target, &Run::on(threads)).unwrap();
    let alone = fit(1);
    for threads in [2, 3] {
        assert_eq!(fit(threads), alone, "{}, {threads} threads", method.about().id);
    }
}

#[test]
fn threads_do_not_change_a_bit_of_a_learner_beyond_its_blocks() {
    learn::methods().iter().for_each(|method| hold_learner(&**method, 700));
}

/// Losses are shared from 1,024 rows on. Settings are those of the benchmarks.
#[test]
fn threads_do_not_change_a_bit_of_a_learner_of_many_whitened_rows() {
    let white = [("whiten", "0.9"), ("whiten_by", "targets"), ("matrix", "symmetric")];
    let anew = [("solver", "modern"), ("refresh", "true"), ("epochs", "5")];
    for (id, own) in [("sila", &[("margin", "5")][..]), ("srbs", &anew)] {
        let mut method = learn::method(id).unwrap();
        let settings = white.iter().chain(own);
        settings.for_each(|(name, text)| learn::set(&mut *method, name, text).unwrap());
        hold_learner(&*method, 1_100);
    }
}

#[test]
fn threads_do_not_change_a_bit_of_a_classifier_of_many_samples() {
    let rows = 300;
    let mut random = Random::new(19, 0);
    // Adjusted centroids want no negative similarities.
    let cells = (0..rows * rows).map(|at| {
        let same = at / rows % 3 == at % rows % 3;
        random.uniform() + if same { 0.2 } else { 0.0 }
    });
    let s = SimilarityMatrix::new(rows, rows, cells.collect::<Vec<f64>>()).unwrap();
    let classes = Classes::from_labels((0..rows).map(|i| (i % 3).to_string()));
    for classifier in classifiers() {
        let said = |threads| {
            let run = Run::on(threads);
            let fitted = classifier.fit_with(&s, &classes, &run).unwrap();
            (fitted.insight().k, fitted.predict_with(&s, &run).unwrap())
        };
        let alone = said(1);
        for threads in [2, 3] {
            assert_eq!(said(threads), alone, "{}, {threads} threads", classifier.about().id);
        }
    }
}

#[test]
fn a_fit_in_the_callers_own_pool_gives_the_same_bits() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let (table, target) = table(1_100, Holed);
    for id in ["relieff", "multisurf"] {
        let fit = |run| with(id, &[]).fit_with(&table, &target, &Extras::default(), &run).unwrap();
        assert_eq!(pool.install(|| fit(Run::in_current_pool())), fit(Run::on(1)), "{id}");
    }
}
