//! What reference values fix about learned similarities, and laws every method keeps.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

use nearkin::data::{Classes, Column, Dense, Table, Target, bundled};
use nearkin::learn::*;
use nearkin::measure::{Compare, Form, Matrix, Metric, Norm, Prepared, Row, Similarity};
use nearkin::neighbors::Rule;
use nearkin::parameter::Parameters;
use nearkin::pool::Watch;
use nearkin::random::Random;
use nearkin::stats::{SignTest, Tail};
use nearkin::weigh::{self, Weigh};
use nearkin::{Error, Run};
use serde_json::Value;

const FORMS: [(Form, &str); 3] =
    [(Form::Diagonal, "diag"), (Form::Symmetric, "sym"), (Form::Full, "full")];

fn goldens() -> Value {
    serde_json::from_str(include_str!("fixtures/similarity.json")).unwrap()
}

fn toy() -> (Table<'static>, Target) {
    let mut lines = include_str!("fixtures/similarity.csv").lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let column = |c: usize| {
        Column::numeric(names[c], rows.iter().map(|row| row[c].parse().unwrap()).collect())
    };
    let table = Table::new((0..4).map(column).collect()).unwrap();
    (table, Target::classes(rows.iter().map(|row| row[4])))
}

fn codes(target: &Target) -> Vec<u32> {
    classes(target).codes().to_vec()
}

fn classes(target: &Target) -> &Classes {
    let Target::Classes(classes) = target else { panic!() };
    classes
}

fn common(k: usize, matrix: Form) -> Common {
    Common { k, matrix, ..Common::default() }
}

/// Numbers of a golden value, lists within lists one after another.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(parts) => parts.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

fn close(found: &[f64], golden: &Value, what: &str) {
    let golden = numbers(golden);
    assert_eq!(found.len(), golden.len(), "{what}");
    for (found, golden) in found.iter().zip(&golden) {
        let off = (found - golden).abs();
        assert!(off <= 1e-9 * golden.abs().max(1.0), "{what}: {found}, not {golden}");
    }
}

#[test]
fn sila_goes_through_the_reference_matrices() {
    let (goldens, (table, target)) = (goldens(), toy());
    let dense = Dense::from_table(&table).unwrap();
    let rows = Prepared::new(Norm::Cosine, &dense).unwrap();
    for (form, word) in FORMS {
        for k in [1, 3] {
            let what = format!("sila_{word}_k{k}_5epochs");
            let golden = &goldens[&what];
            let sila =
                Sila { epochs: 5, start: Start::Null, last: Some(3), common: common(k, form) };
            let run = Run::on(1);
            let problem =
                Problem::new(&rows, dense.names(), codes(&target), &sila.common, &run).unwrap();
            let voted = sila.sequence(&problem, 3, &run).unwrap();
            assert_eq!(voted.weights.len() as u64, golden["q"].as_u64().unwrap());
            let weights: Vec<f64> = voted.weights.iter().map(|&w| w as f64).collect();
            close(&weights, &golden["weights"], &what);
            let mut mistakes: Vec<f64> = voted.mistakes.iter().map(|&m| m as f64).collect();
            mistakes.resize(5, 0.0);
            close(&mistakes, &golden["updates_per_epoch"], &what);
            close(voted.current.cells(), &golden["A_last"], &what);
            close(voted.matrix(None).unwrap().cells(), &golden["A_sum"], &what);
            close(voted.matrix(Some(3)).unwrap().cells(), &golden["A_sum_last3"], &what);
            assert!(voted.matrix(Some(4)).unwrap_err().to_string().contains("at most 3"));
            assert_eq!(voted.matrix(Some(1000)), voted.matrix(None), "all there are");
            let learned = sila.fit(&table, &target).unwrap();
            // The answer is the mean of the published sum: it ranks alike.
            let last: u64 = voted.weights.iter().rev().take(3).sum();
            let sum = learned.models[0].similarity.matrix().map(|x| x * last as f64);
            close(sum.cells(), &golden["A_sum_last3"], &what);
        }
    }
}

#[test]
fn rbs_and_srbs_give_the_reference_matrices() {
    let (goldens, (table, target)) = (goldens(), toy());
    for (form, word) in [FORMS[0], FORMS[2]] {
        for k in [1, 3] {
            let common = common(k, form);
            let smooth = Smooth {
                beta: 10.0,
                lambda: 0.1,
                epochs: 20,
                gamma: 0.0,
                solver: Solver::Published,
                refresh: false,
                common: common.clone(),
            };
            let all: [(String, Box<dyn Learn>); 4] = [
                (format!("rbs_{word}_k{k}"), Box::new(Rbs { common: common.clone() })),
                (format!("rbs_psd_{word}_k{k}"), Box::new(RbsPsd { common })),
                (
                    format!("srbs_{word}_k{k}_b10_l0.1_J20"),
                    Box::new(Srbs { smooth: smooth.clone() }),
                ),
                (format!("srbs_psd_{word}_k{k}_b10_l0.1_J20"), Box::new(SrbsPsd { smooth })),
            ];
            for (what, method) in all {
                let learned = method.fit(&table, &target).unwrap();
                close(learned.models[0].similarity.matrix().cells(), &goldens[&what], &what);
            }
        }
    }
}

#[test]
fn plain_similarities_are_the_reference_ones() {
    let (goldens, (table, _)) = (goldens(), toy());
    let dense = Dense::from_table(&table).unwrap();
    for (norm, word) in [(Norm::Cosine, "cosine"), (Norm::Dice, "dice"), (Norm::Jaccard, "jaccard")]
    {
        let plain = Similarity::plain(norm, dense.names().to_vec());
        let ready = plain.prepare(&dense).unwrap();
        let what = format!("base_{word}_row0_first5");
        let block = plain.between(&ready, &ready, &Run::on(1)).unwrap();
        close(&block[..5], &goldens[&what], &what);
        let pairs: Vec<f64> =
            (0..5).map(|j| plain.score(dense.row(0), dense.row(j)).unwrap()).collect();
        close(&pairs, &goldens[&what], &what);
    }
}

#[test]
fn relief_gives_the_reference_weights() {
    let (goldens, (table, target)) = (goldens(), toy());
    let relief =
        weigh::Relief { squared: false, metric: Metric::Manhattan, ..weigh::Relief::default() };
    let three =
        weigh::ReliefF { k: 3, misses: weigh::Misses::NearestOther, ..weigh::ReliefF::default() };
    let weights = |method: &dyn Weigh| method.fit(&table, &target).unwrap().weights;
    close(&weights(&relief), &goldens["relief_k1"], "relief_k1");
    close(&weights(&three), &goldens["relief_k3"], "relief_k3");
    close(&weights(&weigh::ReliefPsd::default()), &goldens["relief_psd_k1"], "relief_psd_k1");
    // The same numbers as a learned similarity, and as a distance: divided by ranges.
    let dense = Dense::from_table(&table).unwrap();
    let span = |c: usize| {
        let cells = (0..dense.rows()).map(|row| dense.row(row)[c]);
        let (low, high) = cells.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    for (id, k, what) in
        [("relief", 1, "relief_k1"), ("relief", 3, "relief_k3"), ("relief-psd", 1, "relief_psd_k1")]
    {
        let mut method = method_of(id, k, Form::Diagonal);
        let learned = method.fit(&table, &target).unwrap();
        let similarity = &learned.models[0].similarity;
        assert_eq!(similarity.compare(), Compare::AbsoluteDistance);
        let clipped = numbers(&goldens[what]).into_iter().map(|w| w.max(0.0));
        for ((c, (_, weight)), golden) in similarity.weights().enumerate().zip(clipped) {
            assert!((weight * span(c) - golden).abs() < 1e-9, "{what}");
        }
        set(&mut *method, "used_as", "similarity").unwrap();
        set(&mut *method, "norm", "dot").unwrap();
        let learned = method.fit(&table, &target).unwrap();
        close(learned.models[0].similarity.matrix().cells(), &goldens[what], what);
    }
}

#[test]
fn sign_tests_have_the_reference_values_and_marks() {
    let mark = |p: f64, wins: u64, n: u64| match (2 * wins).cmp(&n) {
        std::cmp::Ordering::Greater if p <= 0.01 => ">>",
        std::cmp::Ordering::Greater if p <= 0.05 => ">",
        std::cmp::Ordering::Less if p <= 0.01 => "<<",
        std::cmp::Ordering::Less if p <= 0.05 => "<",
        _ => "=",
    };
    for (key, golden) in goldens()["s_test"].as_object().unwrap() {
        let (n, wins) = key[1..].split_once("_k").unwrap();
        let (n, wins): (u64, u64) = (n.parse().unwrap(), wins.parse().unwrap());
        let tail = if 2 * wins >= n { Tail::Right } else { Tail::Left };
        let test = SignTest::new(wins, n - wins, tail);
        for (p, word) in [(test.published_p(), "yang_liu"), (test.p, "exact")] {
            close(&[p], &golden[word][0], key);
            assert_eq!(golden[word][1].as_str().unwrap(), mark(p, wins, n), "{key} {word}");
        }
    }
}

#[test]
fn the_gradient_of_srbs_is_its_finite_difference() {
    let (table, target) = toy();
    let dense = Dense::from_table(&table).unwrap();
    let run = Run::on(1);
    for norm in [Norm::Cosine, Norm::Dice] {
        let rows = Prepared::new(norm, &dense).unwrap();
        for (form, word) in FORMS {
            let smooth = Smooth { beta: 10.0, lambda: 0.1, ..Smooth::default() };
            let problem =
                Problem::new(&rows, dense.names(), codes(&target), &common(2, form), &run).unwrap();
            let fixed = problem.fixed(&run).unwrap();
            let mut at = Matrix::identity(form, 4, 1.0);
            at.add_outer(0.1, Row::Dense(&[1.0, 0.5, -1.0, 2.0]), &[0.3, -0.2, 0.1, 0.4]);
            let gradient = smooth.gradient(&fixed, &at, &run).unwrap();
            let step = 1e-6;
            for i in 0..4 {
                for j in if form == Form::Diagonal { i..i + 1 } else { 0..4 } {
                    let value = |sign: f64| {
                        let mut cells = at.cells().to_vec();
                        match form {
                            Form::Diagonal => cells[i] += sign * step,
                            _ => cells[i * 4 + j] += sign * step,
                        }
                        if form == Form::Symmetric && i != j {
                            cells[j * 4 + i] += sign * step;
                        }
                        let moved = Matrix::new(form, 4, cells).unwrap();
                        smooth.value(&fixed, &moved, &run).unwrap()
                    };
                    let slope = (value(1.0) - value(-1.0)) / (2.0 * step);
                    let both = if form == Form::Symmetric && i != j { 2.0 } else { 1.0 };
                    let found = both * gradient.at(i, j);
                    assert!((slope - found).abs() < 1e-7, "{word} {i} {j}: {slope} {found}");
                }
            }
        }
    }
}

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
                let sila =
                    Sila { epochs: 20, start: Start::Null, last: None, common: common(k, form) };
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

fn method_of(id: &str, k: usize, form: Form) -> Box<dyn Learn> {
    let mut found = method(id).unwrap();
    set(&mut *found, "k", &k.to_string()).unwrap();
    let word = nearkin::parameter::Value::show(&form);
    set(&mut *found, "matrix", &word).unwrap();
    found
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
                    assert!(similarity.is_psd(), "{name} {id} {word} {solver}");
                    let factor = similarity.factor().unwrap();
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
    let common = Common { k: 1, mode: Mode::OneVsRest, ..Common::default() };
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

#[test]
fn what_cannot_be_learned_from_is_refused_in_a_sentence() {
    let table = |cells: [[f64; 4]; 2]| {
        let [x, y] = cells.map(|c| c.to_vec());
        Table::new(vec![Column::numeric("x", x), Column::numeric("y", y)]).unwrap()
    };
    let fine = || table([[1.0, 2.0, 3.0, 4.0], [4.0, 2.0, 3.0, 1.0]]);
    let target = Target::classes(["a", "a", "b", "b"]);
    let told = |table: &Table, target: &Target, norm: &str| {
        let all: Vec<String> = methods()
            .iter()
            .map(|m| {
                let mut method = method_of(m.about().id, 1, Form::Diagonal);
                if m.about().id.starts_with("relief") {
                    set(&mut *method, "used_as", "similarity").unwrap();
                }
                set(&mut *method, "norm", norm).unwrap();
                method.fit(table, target).unwrap_err().to_string()
            })
            .collect();
        all.join("\n")
    };
    let every = |told: String, words: &str| {
        assert_eq!(told.lines().filter(|line| line.contains(words)).count(), 7, "{told}");
    };
    every(told(&fine(), &Target::classes(["a"; 4]), "cosine"), "every row is of class `a`");
    every(told(&fine(), &Target::real(vec![1.0; 4]).unwrap(), "cosine"), "needs classes");
    every(told(&fine(), &Target::classes(["a", "b"]), "cosine"), "they must agree");
    every(told(&fine(), &Target::classes(["a", "b", "c", "d"]), "cosine"), "a single row");
    let zero = table([[1.0, 0.0, 3.0, 4.0], [4.0, 0.0, 3.0, 1.0]]);
    every(told(&zero, &target, "cosine"), "row 1 is all zeros");
    let negative = table([[1.0, 2.0, -3.0, 4.0], [4.0, 0.0, 3.0, 1.0]]);
    for norm in ["dice", "jaccard"] {
        every(told(&negative, &target, norm), "row 2, column `x`: -3 is negative");
    }
    let missing = table([[1.0, 2.0, 3.0, f64::NAN], [4.0, 0.0, 3.0, 1.0]]);
    every(told(&missing, &target, "dot"), "row 3, column `x`: the value is missing");
    let huge = table([[1e200, 2e200, 3e200, 4e200], [4.0, 2.0, 3.0, 1.0]]);
    every(told(&huge, &target, "dot"), "too large to hold");
    let same = table([[1.0; 4], [1.0; 4]]);
    for id in ["rbs", "rbs-psd"] {
        let error = method(id).unwrap().fit(&same, &target).unwrap_err().to_string();
        assert!(error.contains("balance out"), "{error}");
    }
    let sila = Sila { start: Start::Null, ..Sila::default() };
    assert!(sila.fit(&same, &target).unwrap_err().to_string().contains("start from identity"));
    assert!(method("oasis").err().unwrap().to_string().contains("there are sila, rbs"));
    let mut rbs = method("rbs").unwrap();
    assert!(set(&mut *rbs, "beta", "1").unwrap_err().to_string().contains("it has k, norm"));
    assert!(set(&mut *rbs, "k", "0").unwrap_err().to_string().contains("at least 1"));
}

#[test]
fn classes_smaller_than_k_are_told_and_learned_from() {
    let (table, _) = toy();
    let label = |i: usize| match i {
        0 => "one",
        1 | 2 => "two",
        _ if i.is_multiple_of(2) => "even",
        _ => "odd",
    };
    let target = Target::classes((0..30).map(label));
    for method in methods() {
        let learned = method.fit(&table, &target).unwrap();
        let notes = learned.notes.join("\n");
        assert!(notes.contains("class `one` has one row"), "{notes}");
        assert!(notes.contains("class `two` has 2 rows: fewer than k = 3"), "{notes}");
        let model = &learned.models[0];
        assert_eq!((model.before.len(), model.after.len()), (29, 29), "the lone row has no margin");
        assert!(model.similarity.matrix().is_finite());
    }
}

#[test]
fn amounts_under_dice_are_taken_with_a_note() {
    let (table, target) = toy();
    let dice = Sila { common: Common { norm: Norm::Dice, ..Common::default() }, ..Sila::default() };
    let notes = dice.fit(&table, &target).unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("meant for 0/1 columns")), "{notes:?}");
}

#[test]
fn a_watcher_can_stop_every_method() {
    struct Impatient;
    impl Watch for Impatient {
        fn advance(&self, _: u64, _: u64) {}
        fn stopped(&self) -> bool {
            true
        }
    }
    let (table, target) = toy();
    let run = Run { threads: 1, watch: Some(&Impatient) };
    for method in methods() {
        let found = method.fit_with(&table, &target, &run);
        assert_eq!(found.err(), Some(Error::Stopped), "{}", method.about().id);
    }
}

#[test]
fn every_parameter_can_be_set_to_its_default_by_name() {
    for method in methods() {
        let id = method.about().id;
        let mut again = nearkin::learn::method(id).unwrap();
        for parameter in method.parameters() {
            assert!(!parameter.help.is_empty());
            set(&mut *again, parameter.name, &parameter.default).unwrap();
            set(&mut *again, parameter.python, &parameter.default).unwrap();
        }
        assert_eq!(again.parameters(), method.parameters(), "{id}");
    }
    assert_eq!(Sila::default().parameters().len(), 7);
}

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
            let mode = Mode::OneVsRest;
            let common = Common { k, matrix: Form::Symmetric, mode, ..Common::default() };
            let method = Sila { start: Start::Null, common, ..Sila::default() };
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
