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
