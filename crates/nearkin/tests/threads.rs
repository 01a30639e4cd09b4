//! Threads change no bit: tables larger than the blocks, groups and strips that threads share.
#![allow(clippy::unwrap_used)]

use nearkin::Run;
use nearkin::classify::classifiers;
use nearkin::data::{Classes, Column, SimilarityMatrix, Table, Target};
use nearkin::learn;
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

/// Three genotypes: rows of two bits a cell.
fn genotypes(rows: usize) -> (Table<'static>, Target) {
    let mut random = Random::new(18, 0);
    let mut cell = |i: usize| {
        let copies = (random.below(3) + i % 2).min(2);
        (random.below(20) > 0).then(|| copies.to_string())
    };
    let columns = (0..3).map(|c| {
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
    let fit = |threads| method.fit_with(table, target, &Wanted::default(), &Run::on(threads));
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
    for data in [table(1_100, Holed), table(1_100, Complete), genotypes(1_100)] {
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
    hold(&MultiSurf::default(), &genotypes(4_200), " of genotypes");
}

#[test]
fn threads_do_not_change_a_bit_of_a_learner_beyond_its_blocks() {
    let (table, target) = table(700, Complete);
    let table = table.select_columns(&[0, 1]).into_owned();
    for method in learn::methods() {
        let id = method.about().id;
        let fit = |threads| method.fit_with(&table, &target, &Run::on(threads)).unwrap();
        let alone = fit(1);
        for threads in [2, 3] {
            assert_eq!(fit(threads), alone, "{id}, {threads} threads");
        }
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
            (fitted.k(), fitted.predict_with(&s, &run).unwrap())
        };
        let alone = said(1);
        for threads in [2, 3] {
            assert_eq!(said(threads), alone, "{}, {threads} threads", classifier.about().id);
        }
    }
}
