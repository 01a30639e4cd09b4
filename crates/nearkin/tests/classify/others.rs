//! Answers of other programs, recorded by `fixtures/make_classify.py`.

use nearkin::classify::*;
use nearkin::data::{Classes, SimilarityMatrix};

use nearkin::classify::law::{Ends, Law, Support};
use serde_json::Value;

fn fixture(name: &str) -> Vec<Value> {
    let text = include_str!("../fixtures/classify.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all[name].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// The optimum of the P-SVM against an interior-point method for any quadratic programme.
#[test]
fn the_psvm_s_optimum_is_that_of_a_general_solver() {
    for case in fixture("psvm") {
        let (rows, columns) =
            (case["rows"].as_u64().unwrap() as usize, case["columns"].as_u64().unwrap() as usize);
        let (c, epsilon) = (case["c"].as_f64().unwrap(), case["epsilon"].as_f64().unwrap());
        let cells = numbers(&case["s"]);
        let s = SimilarityMatrix::new(rows, columns, cells).unwrap();
        let y = numbers(&case["y"]);
        let classes = Classes::from_labels(y.iter().map(|y| if *y > 0.0 { "yes" } else { "no" }));
        let psvm = Psvm { c, epsilon, tolerance: 1e-13, sweeps: 1_000_000, ..Psvm::default() };
        let parts = psvm.fit(&s, &classes).unwrap().parts();
        let found = parts.numbers("alpha").unwrap();
        // Where columns outnumber rows the weights need not be unique; the optimum is.
        let column = |j: usize| {
            let mean = (0..rows).map(|i| s.at(i, j)).sum::<f64>() / rows as f64;
            let off: Vec<f64> = (0..rows).map(|i| s.at(i, j) - mean).collect();
            let length = off.iter().map(|x| x * x).sum::<f64>().sqrt();
            off.into_iter().map(|x| x / length).collect::<Vec<f64>>()
        };
        let k: Vec<Vec<f64>> = (0..columns).map(column).collect();
        let b = y.iter().sum::<f64>() / rows as f64;
        let said = |i: usize| k.iter().zip(found).map(|(k, a)| k[i] * a).sum::<f64>();
        let value: f64 =
            (0..rows).map(|i| 0.5 * said(i).powi(2) - (y[i] - b) * said(i)).sum::<f64>()
                + epsilon * found.iter().map(|a| a.abs()).sum::<f64>();
        let meant = case["objective"].as_f64().unwrap();
        assert!((value - meant).abs() < 1e-9, "{value} {meant}");
        if columns <= rows {
            for (found, meant) in found.iter().zip(numbers(&case["alpha"])) {
                assert!((found - meant).abs() < 1e-6, "{found} {meant}");
            }
        }
    }
}

/// Probabilities against the entropy's maximum found on the simplex, no form assumed.
#[test]
fn laws_are_the_flattest_that_a_search_of_the_simplex_finds() {
    for case in fixture("laws") {
        let values = numbers(&case["values"]);
        let support = Support::of(values.iter().copied()).unwrap();
        let law = Law::fit(&support, case["mean"].as_f64().unwrap(), Ends::PointMass);
        for (value, meant) in values.iter().zip(numbers(&case["p"])) {
            let found = law.log_p(*value).exp();
            assert!((found - meant).abs() < 1e-6, "{found} {meant}");
        }
    }
}

/// λ is the slope of log p: between the likeliest values that search tells it to five digits.
#[test]
fn multipliers_are_the_slopes_of_what_the_search_finds() {
    for case in fixture("laws") {
        let (values, p) = (numbers(&case["values"]), numbers(&case["p"]));
        let support = Support::of(values.iter().copied()).unwrap();
        let law = Law::fit(&support, case["mean"].as_f64().unwrap(), Ends::PointMass);
        let mut likely: Vec<usize> = (0..p.len()).collect();
        likely.sort_by(|&a, &b| p[b].total_cmp(&p[a]));
        let (a, b) = (likely[0], likely[likely.len() / 2]);
        let slope = (p[a].ln() - p[b].ln()) / (values[a] - values[b]);
        assert!((law.lambda() - slope).abs() < 2e-5 * slope.abs().max(1.0), "{slope} {law:?}");
    }
}

/// The law of largest entropy by Newton's method on the probabilities themselves, with the
/// multipliers of Σp = 1 and Σp·v = t: no exponential is assumed, and λ is the multiplier found.
///
/// ```text
/// min Σ p·log p:   dp = p·(ν + λ·v − log p − 1),   ν, λ such that p + dp meets both constraints
/// ```
fn flattest(values: &[f64], mean: f64) -> (f64, Vec<f64>) {
    // A start inside the simplex that has the mean: the ends and an even law, mixed.
    let (low, high) = (values[0], values[values.len() - 1]);
    let even = values.iter().sum::<f64>() / values.len() as f64;
    let (end, share) = match mean >= even {
        true => (values.len() - 1, (high - mean) / (high - even)),
        false => (0, (mean - low) / (even - low)),
    };
    let mut p = vec![share / values.len() as f64; values.len()];
    p[end] += 1.0 - share;
    let mut lambda = 0.0;
    for _ in 0..500 {
        let sum = |f: &dyn Fn(usize) -> f64| (0..p.len()).map(|j| p[j] * f(j)).sum::<f64>();
        // About the mean, so that the two equations hardly mix.
        let v = |j: usize| values[j] - mean;
        let grade = |j: usize| p[j].ln() + 1.0;
        let (s0, s1, s2) = (sum(&|_| 1.0), sum(&v), sum(&|j| v(j) * v(j)));
        let (r0, r1) = (sum(&grade) + 1.0 - s0, sum(&|j| v(j) * grade(j)) - s1);
        let det = s0 * s2 - s1 * s1;
        let nu = (r0 * s2 - r1 * s1) / det;
        lambda = (s0 * r1 - s1 * r0) / det;
        let step: Vec<f64> = (0..p.len()).map(|j| p[j] * (nu + lambda * v(j) - grade(j))).collect();
        // No probability loses more than nine tenths of itself.
        let most = p.iter().zip(&step).map(|(p, d)| -d / p).fold(0.0, f64::max);
        let length = if most > 0.9 { 0.9 / most } else { 1.0 };
        p.iter_mut().zip(&step).for_each(|(p, d)| *p += length * d);
        if p.iter().zip(&step).all(|(p, d)| d.abs() <= 1e-14 * p) {
            break;
        }
    }
    (lambda, p)
}

/// λ, log Z and every probability against the search on the simplex, to 1e-9, on supports drawn
/// evenly, with heavy tails and in clusters; the mean to 1e-12 of the width.
#[test]
fn laws_are_those_of_a_search_that_knows_no_exponential() {
    let mut random = nearkin::random::Random::new(2009, 0);
    let mut checked = 0;
    for kind in 0..4 {
        for n in [2usize, 3, 12, 60] {
            let mut values: Vec<f64> = (0..n)
                .map(|_| match kind {
                    0 => random.uniform(),
                    1 => (1.5 * random.normal()).exp(),
                    2 => random.below(3) as f64 + 1e-3 * random.normal(),
                    _ => 1.0 / (random.uniform() + 0.01),
                })
                .collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            let (low, high) = (values[0], values[values.len() - 1]);
            let support = Support::of(values.iter().copied()).unwrap();
            for share in [0.5, 0.2, 0.9, 0.01, 0.999] {
                let mean = low + share * (high - low);
                let law = Law::fit(&support, mean, Ends::PointMass);
                let (lambda, p) = flattest(&values, mean);
                let near = |found: f64, meant: f64| {
                    assert!(
                        (found - meant).abs() <= 1e-9 * meant.abs().max(1.0),
                        "{kind} {n} {share}: {found} {meant}"
                    );
                };
                near(law.lambda(), lambda);
                for (value, p) in values.iter().zip(&p) {
                    near(law.log_p(*value), p.ln());
                    near(lambda * value - law.log_z(), p.ln());
                }
                let met: f64 = values.iter().map(|v| law.log_p(*v).exp() * (v - mean)).sum();
                assert!(met.abs() <= 1e-12 * (high - low), "{kind} {n} {share}: {met:e}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 80);
}
