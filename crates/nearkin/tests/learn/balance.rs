//! The balance scale, where pairs of features matter.

use crate::toy::*;
use nearkin::Run;
use nearkin::data::{Column, Dense, Table, Target};
use nearkin::learn::*;
use nearkin::measure::{Form, Norm, Prepared, Similarity};
use nearkin::neighbors::Rule;
use nearkin::random::Random;

/// The balance scale: weights and distances 1..=5 on two arms, and to which side it tips.
fn balance() -> (Table<'static>, Target) {
    let cell = |row: usize, c: u32| (row / 5usize.pow(3 - c) % 5 + 1) as f64;
    let column = |c: u32| Column::numeric(format!("f{c}"), (0..625).map(|r| cell(r, c)).collect());
    let table = Table::new((0..4).map(column).collect()).unwrap();
    let tips = |row: usize| cell(row, 0) * cell(row, 1) - cell(row, 2) * cell(row, 3);
    let label = |row: usize| match tips(row) {
        tip if tip > 0.0 => "left",
        tip if tip < 0.0 => "right",
        _ => "balanced",
    };
    (table, Target::classes((0..625).map(label)))
}

/// Right yes-or-no decisions, one a class, of `learned` on rows it has not seen.
fn decisions_right(
    learned: &Learned,
    k: usize,
    (train, labels): (&Table, &Target),
    (test, truth): (&Table, &[u32]),
) -> usize {
    let ready = |table: &Table| Prepared::new(Norm::Cosine, &Dense::from_table(table).unwrap());
    let (base, queries) = (ready(train).unwrap(), ready(test).unwrap());
    let run = Run::default();
    let answers = learned.classify(Rule::Knn, k, &base, classes(labels), &queries, &run).unwrap();
    let right = |answer: &Answer, own: u32| {
        (0..learned.models.len() as u32).filter(|c| answer.yes.contains(c) == (*c == own)).count()
    };
    answers.iter().zip(truth).map(|(answer, &own)| right(answer, own)).sum()
}

#[test]
fn symmetric_sila_beats_the_cosine_on_the_balance_scale_as_published() {
    // The products of weight and distance are pairs of features: no diagonal matrix sees them.
    let (table, target) = balance();
    let mut order: Vec<usize> = (0..625).collect();
    Random::new(0, 0).shuffle(&mut order);
    for k in [1, 3] {
        let (mut sila, mut cosine) = (0, 0);
        for test in order.chunks(125) {
            let train: Vec<usize> = order.iter().copied().filter(|r| !test.contains(r)).collect();
            let (rows, labels) = (table.select_rows(&train), target.select(&train));
            let truth: Vec<u32> = test.iter().map(|&row| codes(&target)[row]).collect();
            let test = table.select_rows(test);
            let mode = LearnMode::OneVsRest;
            let common =
                LearnSettings { k, matrix: Form::Symmetric, mode, ..LearnSettings::default() };
            let method = Sila { start: FirstMatrix::Null, common, ..Sila::default() };
            let mut learned = method.fit(&rows, &labels).unwrap();
            sila += decisions_right(&learned, k, (&rows, &labels), (&test, &truth));
            for model in &mut learned.models {
                let columns = model.similarity.columns().to_vec();
                model.similarity = Similarity::plain(Norm::Cosine, columns);
            }
            cosine += decisions_right(&learned, k, (&rows, &labels), (&test, &truth));
        }
        let [sila, cosine] = [sila, cosine].map(|right| right as f64 / (3.0 * 625.0));
        assert!(sila >= cosine + 0.005 && sila > 0.965, "k = {k}: {sila} against {cosine}");
    }
}
