//! Reference values, to nine digits, and gradients by finite differences.

use crate::toy::*;
use nearkin::Run;
use nearkin::data::Dense;
use nearkin::learn::*;
use nearkin::measure::{Compare, Form, Metric, Norm, Prepared, Row, Similarity, SquareMatrix};
use nearkin::stats::{SignTest, Tail};
use nearkin::weigh::{self, Weigh};

#[test]
fn sila_goes_through_the_reference_matrices() {
    let (goldens, (table, target)) = (goldens(), toy());
    let dense = Dense::from_table(&table).unwrap();
    let rows = Prepared::new(Norm::Cosine, &dense).unwrap();
    for (form, word) in FORMS {
        for k in [1, 3] {
            let what = format!("sila_{word}_k{k}_5epochs");
            let golden = &goldens[&what];
            let sila = Sila {
                epochs: 5,
                start: FirstMatrix::Null,
                margin: 0.0,
                last: Some(3),
                common: common(k, form),
            };
            let run = Run::on(1);
            let problem =
                LearnProblem::new(&rows, dense.names(), codes(&target), &sila.common, &run)
                    .unwrap();
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
                rounds: 1,
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
                LearnProblem::new(&rows, dense.names(), codes(&target), &common(2, form), &run)
                    .unwrap();
            let fixed = problem.fixed(&run).unwrap();
            let mut at = SquareMatrix::identity(form, 4, 1.0);
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
                        let moved = SquareMatrix::new(form, 4, cells).unwrap();
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
