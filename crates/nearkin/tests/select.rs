//! Settings chosen on rows that were not learned from: what is chosen, and what comes of it.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

use nearkin::Run;
use nearkin::data::{Classes, Dense, Target, bundled};
use nearkin::learn::*;
use nearkin::neighbors::Rule;

fn load(name: &str) -> (Dense, Target) {
    let (table, target) = bundled::load(name).unwrap();
    (Dense::from_table(&table).unwrap(), target)
}

fn classes(target: &Target) -> &Classes {
    let Target::Classes(classes) = target else { panic!() };
    classes
}

fn small() -> LearnGrid {
    LearnGrid {
        k: vec![1, 3],
        beta: vec![1.0, 10.0],
        lambda: vec![0.0, 0.1],
        epochs: vec![1, 2, 5],
        last: vec![1, 3, 10],
        patience: 2,
    }
}

/// Every third row judges.
fn thirds(rows: usize) -> Validation {
    let (learn, valid) = (0..rows).partition(|row| row % 3 != 0);
    Validation::Rows { learn, valid }
}

/// Right yes-or-no answers of each model, or right classes of the only one.
fn right(answers: &[Answer], truth: &[u32], models: usize) -> Vec<f64> {
    let share = |right: usize| right as f64 / truth.len() as f64;
    if models == 1 {
        return vec![share(answers.iter().zip(truth).filter(|(a, t)| a.class == **t).count())];
    }
    let of = |code: u32| {
        let pairs = answers.iter().zip(truth);
        share(pairs.filter(|(a, t)| a.yes.contains(&code) == (**t == code)).count())
    };
    (0..models as u32).map(of).collect()
}

#[test]
fn what_is_learned_with_the_settings_chosen_scores_what_was_promised() {
    let (dense, target) = load("wine");
    let validation = thirds(178);
    let Validation::Rows { learn, valid } = &validation else { panic!() };
    let (learn, valid) = (learn.clone(), valid.clone());
    let labels = target.select(&learn);
    let truth: Vec<u32> = valid.iter().map(|&row| classes(&target).codes()[row]).collect();
    let run = Run::on(2);
    for id in ["sila", "rbs", "srbs", "srbs-psd", "relief", "relief-psd"] {
        for mode in ["multi-class", "one-vs-rest"] {
            for rule in [Rule::Knn, Rule::Sknn] {
                let mut method = method(id).unwrap();
                set(&mut *method, "mode", mode).unwrap();
                let select = Select { grid: small(), rule, validation: validation.clone() };
                let task = Task::new(&dense, Lesson::Classes(&target));
                let found = select.learn(&*method, &task, &run).unwrap();
                let base = found.learned.prepare(&dense.select_rows(&learn)).unwrap();
                let queries = found.learned.prepare(&dense.select_rows(&valid)).unwrap();
                let answers =
                    found.classify(rule, &base, classes(&labels), &queries, &run).unwrap();
                let scores: Vec<f64> = found.chosen.iter().map(|one| one.score).collect();
                let models = found.learned.models.len();
                assert_eq!(right(&answers, &truth, models), scores, "{id} {mode} {rule:?}");
                assert_eq!(models, if mode == "multi-class" { 1 } else { 3 });
                assert!(
                    found.chosen.iter().all(|one| one.tried >= 2 && small().k.contains(&one.k))
                );
            }
        }
    }
}

#[test]
fn the_choice_is_that_of_trying_everything() {
    let (dense, target) = load("wine");
    let validation = thirds(178);
    let Validation::Rows { learn, valid } = &validation else { panic!() };
    let (rows, labels) = (dense.select_rows(learn), target.select(learn));
    let queries = dense.select_rows(valid);
    let truth: Vec<u32> = valid.iter().map(|&row| classes(&target).codes()[row]).collect();
    let run = Run::on(1);
    let grid = small();
    let mut best: Option<(f64, [f64; 3])> = None;
    for &k in &grid.k {
        for &beta in &grid.beta {
            for &lambda in &grid.lambda {
                let common = LearnSettings { k, ..LearnSettings::default() };
                let smooth = Smooth { beta, lambda, common, ..Smooth::default() };
                let task = Task::new(&rows, Lesson::Classes(&labels));
                let learned = Srbs { smooth }.learn(&task, &run).unwrap();
                let ready = |rows: &Dense| learned.prepare(rows).unwrap();
                let (base, queries) = (ready(&rows), ready(&queries));
                let labels = classes(&labels);
                let said = learned.classify(Rule::Knn, k, &base, labels, &queries, &run).unwrap();
                let score = right(&said, &truth, 1)[0];
                // Smallest β, then largest λ, then smallest k.
                let change = [beta, -lambda, k as f64];
                let better =
                    best.is_none_or(|(top, least)| score > top || (score == top && change < least));
                if better {
                    best = Some((score, change));
                }
            }
        }
    }
    let (score, change) = best.unwrap();
    let select = Select { grid, rule: Rule::Knn, validation };
    let task = Task::new(&dense, Lesson::Classes(&target));
    let found = select.learn(&Srbs::default(), &task, &run).unwrap();
    let chosen = &found.chosen[0];
    assert_eq!((chosen.score, chosen.k), (score, change[2] as usize));
    let told = [("beta", change[0].to_string()), ("lambda", (-change[1]).to_string())];
    assert_eq!(chosen.settings, told);
    assert_eq!(chosen.tried, 8);
}

#[test]
fn where_everything_is_right_the_least_change_is_chosen() {
    // Setosa is far from the others: every setting is right about every row.
    let (dense, target) = load("iris");
    let rows: Vec<usize> = (0..100).collect();
    let (dense, target) = (dense.select_rows(&rows), target.select(&rows));
    let run = Run::on(2);
    let select = Select {
        grid: small(),
        rule: Rule::Knn,
        validation: Validation::Folds { count: 5, seed: 1 },
    };
    let task = Task::new(&dense, Lesson::Classes(&target));
    let chosen = |method: &dyn Learn| select.learn(method, &task, &run).unwrap().chosen.remove(0);
    let srbs = chosen(&Srbs::default());
    assert_eq!((srbs.k, srbs.score), (1, 1.0));
    assert_eq!(srbs.settings, [("beta", "1".to_owned()), ("lambda", "0.1".to_owned())]);
    let sila = chosen(&Sila::default());
    assert_eq!((sila.k, sila.score), (1, 1.0));
    assert_eq!(sila.settings, [("epochs", "1".to_owned())], "fewest epochs, all matrices");
}

#[test]
fn presets_set_what_a_method_has() {
    for preset in presets() {
        let mut made = method(preset.method).unwrap();
        preset.apply(&mut *made).unwrap();
        let shown = made.parameters();
        for (name, text) in preset.settings {
            let parameter = shown.iter().find(|p| p.name == *name).unwrap();
            assert_eq!(&parameter.default, text, "{} {name}", preset.id);
        }
        for mut other in methods() {
            preset.apply(&mut *other).unwrap();
            assert_eq!(other.common().mode, LearnMode::OneVsRest);
        }
    }
    assert_eq!(presets().len(), 2);
}

#[test]
fn what_cannot_be_chosen_from_is_refused() {
    let (dense, target) = load("iris");
    let task = Task::new(&dense, Lesson::Classes(&target));
    let told = |grid: LearnGrid, validation: Validation| {
        let select = Select { grid, rule: Rule::Knn, validation };
        select.learn(&Srbs::default(), &task, &Run::on(1)).unwrap_err().to_string()
    };
    let folds = |count| Validation::Folds { count, seed: 0 };
    assert!(told(small(), folds(1)).contains("must be from 2 to 150"));
    assert!(told(LearnGrid { k: vec![], ..small() }, folds(3)).contains("at least one number"));
    let none = Validation::Rows { learn: vec![0, 60], valid: vec![] };
    assert!(told(small(), none).contains("rows that judge"));
    let one = Validation::Rows { learn: (0..40).collect(), valid: vec![60] };
    assert!(told(small(), one).contains("at least two classes"));
}
