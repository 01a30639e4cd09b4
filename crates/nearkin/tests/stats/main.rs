//! `stats` against SciPy, statsmodels and mpmath (`fixtures/make_stats.py`), and against the
//! numbers printed in papers.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

mod corrected_t;
mod correction;
mod correlation;
mod distributions;
mod friedman;
mod mcnemar;
mod separation;
mod sign;
mod t_test;

mod wilcoxon;

use std::collections::BTreeMap;

use nearkin::stats::{
    CorrelationP, Moments, SignTest, Tail, WilcoxonP, Zeros, benjamini_hochberg,
    corrected_resampled_t, friedman, holm, mcnemar, mcnemar_exact, midranks, nemenyi_difference,
    pearson, pooled_t, separation, spearman, studentized_range_sf, tails, wilcoxon,
};

const TAILS: [Tail; 3] = [Tail::Left, Tail::Right, Tail::Both];

fn numbers(cell: &str) -> Vec<f64> {
    cell.split(';').map(|number| number.parse().unwrap()).collect()
}

/// What nearkin says for a fixture line's function and arguments, in the fixture's order.
fn ours(name: &str, cells: &[&str]) -> Vec<f64> {
    // Words stand only where a line's own arm reads them as words.
    let lists: Vec<Vec<f64>> = cells
        .iter()
        .map(|c| if *c == "wilcox" || *c == "pratt" { vec![] } else { numbers(c) })
        .collect();
    let at = |i: usize| lists[i][0];
    let count = |i: usize| at(i) as u64;
    let moments =
        |i: usize| Moments { mean: lists[i][0], variance: lists[i][1], count: lists[i][2] };
    let signed = |method, zeros| {
        TAILS.map(|tail| wilcoxon(&lists[0], &lists[1], zeros, method, tail).unwrap().unwrap())
    };
    match name {
        "ln_gamma" => vec![tails::ln_gamma(at(0))],
        "gamma_p" => vec![tails::gamma_p(at(0), at(1))],
        "gamma_q" => vec![tails::gamma_q(at(0), at(1))],
        "beta" => vec![tails::beta(at(0), at(1), at(2))],
        "normal_sf" => vec![tails::normal_sf(at(0))],
        "student_sf" => vec![tails::student_sf(at(0), at(1))],
        "chi_square_sf" => vec![tails::chi_square_sf(at(0), at(1))],
        "f_sf" => vec![tails::f_sf(at(0), at(1), at(2))],
        "binomial" => vec![
            tails::binomial_at_most(count(0), count(1), at(2)),
            tails::binomial_at_least(count(0), count(1), at(2)),
        ],
        "pooled_t" => {
            let found = TAILS.map(|tail| pooled_t(moments(0), moments(1), tail).unwrap());
            [vec![found[0].t], found.map(|f| f.p).to_vec()].concat()
        }
        "wilcoxon_exact" => {
            let found = signed(WilcoxonP::Exact, Zeros::Drop);
            [vec![found[0].w_plus], found.map(|f| f.p).to_vec()].concat()
        }
        "wilcoxon_normal" => {
            let zeros = if cells[2] == "pratt" { Zeros::Pratt } else { Zeros::Drop };
            signed(WilcoxonP::Normal { continuity: at(3) == 1.0 }, zeros).map(|f| f.p).to_vec()
        }
        "sign" => TAILS.map(|tail| SignTest::new(count(0), count(1), tail).p).to_vec(),
        "s_test" => {
            let test = SignTest::new(count(0), count(1), Tail::Right);
            let (most, least) = (count(0).max(count(1)), count(0).min(count(1)));
            vec![test.published_p(), SignTest::new(most, least, Tail::Right).p]
        }
        "corrected_t" => {
            let (train, test) = (count(1) as usize, count(2) as usize);
            let of = |tail| corrected_resampled_t(&lists[0], train, test, tail).unwrap().unwrap();
            let found = TAILS.map(of);
            [vec![found[0].t], found.map(|f| f.p).to_vec()].concat()
        }
        "mcnemar" => {
            let p = |continuity| mcnemar(count(0), count(1), continuity).unwrap().1;
            vec![mcnemar_exact(count(0), count(1)), p(true), p(false)]
        }
        "friedman" => {
            let rows: Vec<Vec<f64>> =
                lists[2].chunks(at(1) as usize).map(<[f64]>::to_vec).collect();
            let found = friedman(&rows).unwrap().unwrap();
            vec![found.chi_square, found.p, found.f, found.f_p]
        }
        "range_sf" => vec![studentized_range_sf(at(0), at(1) as usize)],
        "nemenyi" => vec![nemenyi_difference(at(0), at(1) as usize, at(2) as usize).unwrap()],
        "pearson" | "spearman" | "spearman_exact" => {
            let method =
                if name == "spearman_exact" { CorrelationP::Exact } else { CorrelationP::Student };
            let of = if name == "pearson" { pearson } else { spearman };
            let found = TAILS.map(|tail| of(&lists[0], &lists[1], method, tail).unwrap().unwrap());
            [vec![found[0].r], found.map(|f| f.p.unwrap()).to_vec()].concat()
        }
        "bh" | "holm" => {
            let adjust = if name == "bh" { benjamini_hochberg } else { holm };
            let p: Vec<Option<f64>> = lists[0].iter().copied().map(Some).collect();
            adjust(&p).into_iter().flatten().collect()
        }
        other => panic!("no such function in this test: {other}"),
    }
}

/// How close a function must come, relative to the reference.
fn tolerance(name: &str) -> f64 {
    match name {
        "ln_gamma" | "gamma_p" | "gamma_q" | "beta" | "normal_sf" | "chi_square_sf" | "f_sf"
        | "binomial" => 2e-13,
        // At 15 deviations and a million degrees of freedom the exponent is rounded in t².
        "student_sf" => 1e-12,
        // SciPy's own quadrature and root finder are the limit.
        "nemenyi" => 1e-9,
        _ => 1e-11,
    }
}

#[test]
fn tails_and_tests_agree_with_the_references() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut worst: BTreeMap<&str, (f64, String)> = BTreeMap::new();
    for line in include_str!("../fixtures/stats.csv").lines() {
        let (call, values) = line.split_once(",=,").unwrap();
        let (name, arguments) = call.split_once(',').unwrap();
        let cells: Vec<&str> = arguments.split(',').collect();
        let expected: Vec<f64> = values.split(',').flat_map(numbers).collect();
        let found = ours(name, &cells);
        assert_eq!(found.len(), expected.len(), "{call}");
        *seen.entry(name).or_default() += 1;
        for (found, expected) in found.iter().zip(&expected) {
            assert!(found.is_finite(), "{call}: {found}");
            let error = (found - expected).abs() / expected.abs().max(1e-290);
            let entry = worst.entry(name).or_insert((0.0, String::new()));
            if *expected != 0.0 && error > entry.0 || *expected == 0.0 && found.abs() > 1e-15 {
                *entry = (error, format!("{call}: {found} is not {expected}"));
            }
        }
    }
    let failures: Vec<String> = worst
        .iter()
        .filter(|(name, (error, _))| *error > tolerance(name))
        .map(|(_, (error, text))| format!("{error:.1e} {text}"))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(seen.len() == 24, "{seen:?}");
}

/// The printed correlations of accuracy with class agreement: ρ = 0.595238 has p 0.0598 by t
/// and 0.0661 exactly; ρ = 0.8333 has an exact right tail of 0.00769, half of the printed 0.0154.
#[test]
fn spearman_p_values_of_eight_pairs_are_those_of_the_class_dependent_paper() {
    let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let of = |y: &[f64], method, tail| {
        let found = spearman(&x, y, method, tail).unwrap().unwrap();
        (found.r, found.p.unwrap())
    };
    // Σd² = 34 and 14: ρ = 1 − 6·34/504 and 1 − 6·14/504.
    let low = [5.0, 2.0, 3.0, 4.0, 1.0, 7.0, 6.0, 8.0];
    let (rho, p) = of(&low, CorrelationP::Student, Tail::Right);
    assert!((rho - 0.595238).abs() < 5e-7, "{rho}");
    assert!((p - 0.0598).abs() < 5e-5, "{p}");
    let (_, p) = of(&low, CorrelationP::Exact, Tail::Right);
    assert!((p - 0.0661).abs() < 5e-5, "{p}");
    let high = [2.0, 3.0, 1.0, 5.0, 6.0, 4.0, 8.0, 7.0];
    let (rho, right) = of(&high, CorrelationP::Exact, Tail::Right);
    assert!((rho - 0.8333).abs() < 5e-5, "{rho}");
    assert!((right - 0.00769).abs() < 5e-6, "{right}");
    let (_, both) = of(&high, CorrelationP::Exact, Tail::Both);
    assert!((both - 2.0 * right).abs() < 1e-15);
}

/// Values by hand: d̄ = 0.02, s = 0.01, t = 0.02 / (0.01 √(1/3 + 1/9)) = 3.
#[test]
fn corrected_t_widens_by_the_share_of_test_rows() {
    let test = corrected_resampled_t(&[0.02, 0.01, 0.03], 90, 10, Tail::Both).unwrap().unwrap();
    assert!((test.t - 3.0).abs() < 1e-12);
    assert!((test.p - 2.0 * tails::student_sf(3.0, 2.0)).abs() < 1e-14);
}

mod laws {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranks_sum_to_their_number(values in prop::collection::vec(-5i32..5, 0..40)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let n = values.len() as f64;
            prop_assert!((midranks(&values).iter().sum::<f64>() - n * (n + 1.0) / 2.0).abs() < 1e-9);
        }

        #[test]
        fn tails_are_probabilities_and_fall(
            t in -50.0f64..50.0, step in 0.0f64..5.0, df in 0.1f64..1e7, other in 0.1f64..1e5,
        ) {
            let falls = |near: f64, far: f64| {
                (0.0..=1.0).contains(&near) && (0.0..=1.0).contains(&far) && far <= near + 1e-14
            };
            let x = t.abs();
            prop_assert!(falls(tails::student_sf(t, df), tails::student_sf(t + step, df)));
            prop_assert!(falls(tails::normal_sf(t), tails::normal_sf(t + step)));
            prop_assert!(falls(tails::chi_square_sf(x, other), tails::chi_square_sf(x + step, other)));
            prop_assert!(falls(tails::f_sf(x, other, df), tails::f_sf(x + step, other, df)));
        }

        #[test]
        fn incomplete_beta_is_one_minus_its_mirror(
            a in 0.01f64..1e4, b in 0.01f64..1e4, x in 0.0f64..=1.0,
        ) {
            let both = tails::beta(a, b, x) + tails::beta(b, a, 1.0 - x);
            prop_assert!((both - 1.0).abs() < 1e-11, "{both}");
        }

        #[test]
        fn swapping_the_sides_swaps_the_tails_of_wilcoxon(
            pairs in prop::collection::vec((-4i32..4, -4i32..4), 1..30),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.into_iter().map(|(a, b)| (f64::from(a), f64::from(b))).unzip();
            let p = |a: &[f64], b: &[f64], tail| {
                wilcoxon(a, b, Zeros::Pratt, WilcoxonP::Auto, tail).unwrap().map(|w| w.p)
            };
            let (right, left) = (p(&a, &b, Tail::Right), p(&b, &a, Tail::Left));
            prop_assert_eq!(right.is_some(), left.is_some());
            if let (Some(right), Some(left)) = (right, left) {
                prop_assert!((right - left).abs() < 1e-12);
            }
        }

        #[test]
        fn turning_the_weights_round_turns_the_auc_round(
            weights in prop::collection::vec(-3i32..3, 2..20), relevant in 1usize..19,
        ) {
            let relevant: Vec<usize> = (0..relevant.min(weights.len() - 1)).collect();
            let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
            let turned: Vec<f64> = weights.iter().map(|w| -w).collect();
            let auc = |w: &[f64]| separation(w, &relevant).unwrap().unwrap().auc;
            prop_assert!((auc(&weights) + auc(&turned) - 1.0).abs() < 1e-12);
        }
    }
}
