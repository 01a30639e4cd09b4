//! What holds of every method: theorems, forms that agree, threads, projections.

use crate::toy::*;
use nearkin::Run;
use nearkin::data::{Column, ColumnValues, Dense, Table, Target, bundled};
use nearkin::learn::*;
use nearkin::measure::{Form, Norm, Prepared};
use nearkin::neighbors::Rule;
use nearkin::random::Random;

/// Two classes on two axes, with noise too small to mix them.
fn separable(rows: usize) -> (Table<'static>, Target) {
    let mut random = Random::new(11, 0);
    let mut cells = [(); 3].map(|()| Vec::new());
    for i in 0..rows {
        let near = |on: bool| f64::from(u8::from(on));
        cells[0].push(near(i % 2 == 0) + 0.3 * random.uniform());
        cells[1].push(near(i % 2 == 1) + 0.3 * random.uniform());
        cells[2].push(2.0 * random.uniform());
    }
    let columns = cells.into_iter().enumerate().map(|(c, v)| Column::numeric(format!("f{c}"), v));
    let target = Target::classes((0..rows).map(|i| if i % 2 == 0 { "a" } else { "b" }));
    (Table::new(columns.collect()).unwrap(), target)
}

#[test]
fn mistakes_of_the_first_epoch_keep_to_the_theorems() {
    let mut seen = 0;
    for (form, word) in FORMS {
        for k in [1, 3] {
            for (table, target) in [separable(60), toy(), bundled::load("wine").unwrap()] {
                let sila = Sila {
                    epochs: 20,
                    start: FirstMatrix::Null,
                    margin: 0.0,
                    last: None,
                    common: common(k, form),
                };
                let learned = sila.fit(&table, &target).unwrap();
                let model = &learned.models[0];
                let Some(bound) = model.bound else { continue };
                assert_eq!(bound.mistakes, model.mistakes[0]);
                assert!(bound.mistakes as f64 <= bound.bound, "{word} {k}: {bound:?}");
                if let Some(separable) = bound.separable {
                    seen += 1;
                    assert!(bound.mistakes as f64 <= separable && bound.bound <= separable);
                }
            }
        }
    }
    assert!(seen >= 4, "only {seen} runs were separable");
}

#[test]
fn the_diagonal_of_a_full_answer_is_the_diagonal_answer() {
    let (table, target) = toy();
    let rbs = |form| Rbs { common: common(3, form) }.fit(&table, &target).unwrap();
    let full = rbs(Form::Full).models[0].similarity.matrix().diagonal();
    let length = full.iter().map(|x| x * x).sum::<f64>().sqrt();
    let diagonal = rbs(Form::Diagonal);
    for (full, (_, weight)) in full.iter().zip(diagonal.models[0].similarity.weights()) {
        assert!((full / length - weight).abs() < 1e-12);
    }
}

#[test]
fn one_feature_is_one_number_in_every_form() {
    // With one column under the inner product all forms are one; symmetric steps are twice as long.
    let values: Vec<f64> = (0..20).map(|i| f64::from(i * 7 % 20) / 10.0 - 0.9).collect();
    let target = Target::classes(values.iter().map(|&x| if x > 0.3 { "a" } else { "b" }));
    let table = Table::new(vec![Column::numeric("x", values)]).unwrap();
    let fit = |form, method: &str| {
        let mut method = method_of(method, 2, form);
        set(&mut *method, "norm", "dot").unwrap();
        method.fit(&table, &target).unwrap().models[0].similarity.matrix().at(0, 0)
    };
    for id in ["rbs", "srbs"] {
        assert_eq!(fit(Form::Diagonal, id), fit(Form::Full, id), "{id}");
        assert_eq!(fit(Form::Diagonal, id), fit(Form::Symmetric, id), "{id}");
    }
    assert_eq!(fit(Form::Diagonal, "sila"), fit(Form::Full, "sila"));
}

#[test]
fn threads_do_not_change_a_bit_of_any_method() {
    let (table, target) = bundled::load("iris").unwrap();
    for method in methods() {
        for (form, word) in FORMS {
            for mode in ["multi-class", "one-vs-rest"] {
                let id = method.about().id;
                let mut method = method_of(id, 3, form);
                set(&mut *method, "mode", mode).unwrap();
                let fit = |threads| method.fit_with(&table, &target, &Run::on(threads));
                assert_eq!(fit(1), fit(2), "{id} {word} {mode}");
            }
        }
    }
}

#[test]
fn threads_do_not_change_a_bit_where_one_row_is_shared_among_them() {
    let mut random = Random::new(1, 0);
    let mut column = |c: usize| {
        let bend = |i: usize| if i.is_multiple_of(2) && c < 5 { 0.5 } else { 0.0 };
        Column::numeric(format!("f{c}"), (0..520).map(|i| random.normal() + bend(i)).collect())
    };
    let table = Table::new((0..520).map(&mut column).collect()).unwrap();
    let target = Target::classes((0..520).map(|i| if i % 2 == 0 { "a" } else { "b" }));
    let sila = Sila { epochs: 1, ..Sila::default() };
    let fit = |threads| sila.fit_with(&table, &target, &Run::on(threads)).unwrap();
    assert_eq!(fit(1), fit(2));
}

#[test]
fn the_cosine_learns_the_same_from_rows_of_any_length() {
    let (table, target) = toy();
    let dense = Dense::from_table(&table).unwrap();
    let stretched: Vec<Column> = (0..4)
        .map(|c| {
            let scale = |i: usize| 2f64.powi(i as i32 % 5 - 2);
            let cells = (0..30).map(|i| dense.row(i)[c] * scale(i)).collect();
            Column::numeric(dense.names()[c].clone(), cells)
        })
        .collect();
    let stretched = Table::new(stretched).unwrap();
    for mut method in methods() {
        let id = method.about().id;
        if id.starts_with("relief") {
            set(&mut *method, "used_as", "similarity").unwrap();
        }
        assert_eq!(method.fit(&table, &target), method.fit(&stretched, &target), "{id}");
    }
}

#[test]
fn psd_methods_give_psd_matrices_that_factor() {
    for name in ["iris", "wine"] {
        let (table, target) = bundled::load(name).unwrap();
        for id in ["rbs-psd", "srbs-psd"] {
            for (form, word) in FORMS {
                for solver in ["published", "modern"] {
                    let mut method = method_of(id, 1, form);
                    if id == "srbs-psd" {
                        set(&mut *method, "solver", solver).unwrap();
                        set(&mut *method, "epochs", "20").unwrap();
                    }
                    let learned = method.fit(&table, &target).unwrap();
                    let similarity = &learned.models[0].similarity;
                    assert!(
                        similarity.is_psd(&Run::default()).unwrap(),
                        "{name} {id} {word} {solver}"
                    );
                    let factor = similarity.factor(&Run::default()).unwrap();
                    let size = similarity.matrix().size();
                    for i in 0..size {
                        for j in 0..size {
                            let made: f64 = factor.iter().map(|row| row[i] * row[j]).sum();
                            let scale = similarity.matrix().length();
                            assert!((made - similarity.matrix().at(i, j)).abs() < 1e-10 * scale);
                        }
                    }
                }
            }
        }
    }
}

/// Fewer rows than columns, a column twice, one that is constant: matrices of low rank are finite and
/// positive semi-definite, or a sentence says why there is none.
#[test]
fn psd_methods_take_rows_of_low_rank() {
    let (iris, target) = bundled::load("iris").unwrap();
    let few: Vec<usize> = (0..150).step_by(25).collect();
    let (rows, target) = (iris.select_rows(&few), target.select(&few));
    let cells = |at: usize| match &rows.columns()[at % 4].values {
        ColumnValues::F64(lane) => lane.iter().collect::<Vec<f64>>(),
        other => panic!("{other:?}"),
    };
    let twice = (0..8).map(|at| Column::numeric(format!("c{at}"), cells(at)));
    let still = Column::numeric("still", vec![1.0; few.len()]);
    let table = Table::new(twice.chain([still]).collect()).unwrap();
    let mut found = 0;
    for id in ["rbs-psd", "srbs-psd", "relief-psd"] {
        for (form, word) in FORMS {
            if id == "relief-psd" && word == "full" {
                continue;
            }
            match method_of(id, 1, form).fit(&table, &target) {
                Ok(learned) => {
                    let similarity = &learned.models[0].similarity;
                    assert!(
                        similarity.matrix().cells().iter().all(|a| a.is_finite()),
                        "{id} {word}"
                    );
                    assert!(similarity.is_psd(&Run::default()).unwrap(), "{id} {word}");
                    // A sum of absolute differences has no factor.
                    if let Ok(factor) = similarity.factor(&Run::default()) {
                        assert!(factor.iter().flatten().all(|l| l.is_finite()), "{id} {word}");
                    }
                    found += 1;
                }
                Err(refused) => assert!(refused.to_string().len() > 40, "{id} {word}: {refused}"),
            }
        }
    }
    assert!(found >= 5, "{found}");
}

#[test]
fn the_modern_solver_ends_no_higher_than_the_published_one() {
    let (table, target) = toy();
    for id in ["srbs", "srbs-psd"] {
        for (form, word) in FORMS {
            let end = |solver: &str| {
                let mut method = method_of(id, 3, form);
                for (name, text) in [("solver", solver), ("beta", "10"), ("lambda", "0.1")] {
                    set(&mut *method, name, text).unwrap();
                }
                let objective = method.fit(&table, &target).unwrap().models[0].objective.clone();
                if solver == "modern" {
                    assert!(objective.windows(2).all(|pair| pair[1] <= pair[0]), "{id} {word}");
                }
                *objective.last().unwrap()
            };
            assert!(end("modern") <= end("published"), "{id} {word}");
        }
    }
}

#[test]
fn rbs_calls_every_iris_the_rest() {
    // The published figure: two thirds right in each of three problems, by one answer.
    let (table, target) = bundled::load("iris").unwrap();
    let half = |odd: usize| (0..table.rows()).filter(|i| i % 2 == odd).collect::<Vec<_>>();
    let (train, labels) = (table.select_rows(&half(0)), target.select(&half(0)));
    let test = table.select_rows(&half(1));
    let common = LearnSettings { k: 1, mode: LearnMode::OneVsRest, ..LearnSettings::default() };
    let learned = Rbs { common }.fit(&train, &labels).unwrap();
    let ready = |table: &Table| Prepared::new(Norm::Cosine, &Dense::from_table(table).unwrap());
    let (base, queries) = (ready(&train).unwrap(), ready(&test).unwrap());
    let answers =
        learned.classify(Rule::Knn, 1, &base, classes(&labels), &queries, &Run::on(1)).unwrap();
    assert!(answers.iter().all(|answer| answer.yes.is_empty()));
}

#[test]
fn learned_similarities_classify_what_they_have_not_seen() {
    let (table, target) = bundled::load("iris").unwrap();
    let half = |odd: usize| (0..table.rows()).filter(|i| i % 2 == odd).collect::<Vec<_>>();
    let (train, labels) = (table.select_rows(&half(0)), target.select(&half(0)));
    let (test, truth) = (table.select_rows(&half(1)), target.select(&half(1)));
    let ready = |table: &Table| Prepared::new(Norm::Cosine, &Dense::from_table(table).unwrap());
    let (base, queries) = (ready(&train).unwrap(), ready(&test).unwrap());
    for id in ["sila", "srbs", "srbs-psd"] {
        for mode in ["multi-class", "one-vs-rest"] {
            let mut method = method_of(id, 3, Form::Diagonal);
            set(&mut *method, "mode", mode).unwrap();
            let learned = method.fit(&train, &labels).unwrap();
            assert_eq!(learned.models.len(), if mode == "multi-class" { 1 } else { 3 });
            for rule in [Rule::Knn, Rule::Sknn] {
                let run = Run::on(2);
                let answers =
                    learned.classify(rule, 3, &base, classes(&labels), &queries, &run).unwrap();
                let right = answers.iter().zip(codes(&truth)).filter(|(a, c)| a.class == *c);
                let right = right.count();
                assert!(right >= 69, "{id} {mode} {rule:?}: {right} of 75");
                for answer in &answers {
                    assert!((answer.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn two_classes_need_one_matrix_in_either_mode() {
    let (table, target) = separable(20);
    for method in methods() {
        let id = method.about().id;
        let mut local = method_of(id, 1, Form::Diagonal);
        set(&mut *local, "mode", "one-vs-rest").unwrap();
        let both = method_of(id, 1, Form::Diagonal).fit(&table, &target);
        assert_eq!(local.fit(&table, &target), both, "{id}");
    }
}
