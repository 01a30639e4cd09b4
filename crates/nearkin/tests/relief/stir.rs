//! STIR's statistics from the published formulas.

use nearkin::Run;
use nearkin::data::{Column, Table, Target};
use nearkin::weigh::*;
use proptest::prelude::*;

use super::agree::close;
use super::plain::{Pick, Shared};
use super::space::Space;
use super::tables::{Case, Recipe, cases, tie_free};

/// Benjamini and Hochberg: the least of p·m/rank over this and all larger p, at most 1.
pub fn hochberg(p: &[f64]) -> Vec<f64> {
    let m = p.len() as f64;
    let rank = |x: f64| p.iter().filter(|other| **other <= x).count() as f64;
    let of = |x: &f64| p.iter().filter(|y| **y >= *x).map(|&y| y * m / rank(y)).fold(1.0, f64::min);
    p.iter().map(of).collect()
}

/// P(T > t) by Simpson's rule after x = √df tan θ.
fn right_tail(t: f64, df: f64) -> f64 {
    let half = std::f64::consts::FRAC_PI_2;
    let area = |from: f64| {
        let steps = 20_000;
        let width = (half - from) / steps as f64;
        let height = |i: usize| (from + i as f64 * width).cos().max(0.0).powf(df - 1.0);
        let inner: f64 = (1..steps).map(|i| height(i) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
        (height(0) + inner + height(steps)) * width / 3.0
    };
    area((t / df.sqrt()).atan()) / area(-half)
}

struct Plain {
    t: f64,
    df: f64,
    effect: f64,
}

fn plain(space: &Space, k: usize, column: usize) -> Option<Plain> {
    let pick = Pick::equal(k, Ties::Index);
    let near = |i: usize, miss: bool| -> Shared {
        let rows: Vec<usize> = (0..space.n)
            .filter(|&j| j != i && (space.labels[j] != space.labels[i]) == miss)
            .collect();
        pick.of(&rows, |j| space.distance(i, j))
    };
    let targets: Vec<usize> =
        (0..space.n).filter(|&i| !near(i, false).is_empty() && !near(i, true).is_empty()).collect();
    let m = targets.len() as f64;
    let moments = |miss: bool| {
        let lists: Vec<Vec<f64>> = targets
            .iter()
            .map(|&i| near(i, miss).iter().map(|n| space.diff(column, i, n.0).unwrap()).collect())
            .collect();
        let mean_of = |of: &dyn Fn(f64) -> f64| {
            lists
                .iter()
                .map(|l| l.iter().map(|&d| of(d)).sum::<f64>() / l.len() as f64)
                .sum::<f64>()
                / m
        };
        let mean = mean_of(&|d| d);
        let variance = mean_of(&|d| (d - mean).powi(2));
        (mean, variance, lists.iter().map(Vec::len).sum::<usize>() as f64)
    };
    let ((miss, s_miss, n_miss), (hit, s_hit, n_hit)) = (moments(true), moments(false));
    let df = n_miss + n_hit - 2.0;
    let pooled = (((n_miss - 1.0) * s_miss + (n_hit - 1.0) * s_hit) / df).sqrt();
    let root = (1.0 / n_miss + 1.0 / n_hit).sqrt();
    let t = (miss - hit) / (pooled * root);
    (pooled > 1e-12).then_some(Plain { t, df, effect: t * root })
}

fn check(case: &Case, k: usize) -> Result<(), TestCaseError> {
    let method = ReliefF { k, ..ReliefF::default() };
    let wanted = Extras { stir: true, ..Extras::default() };
    let found = method.fit_with(&case.table, &case.target(), &wanted, &Run::default()).unwrap();
    let common = &method.common;
    let space = Space::new(&case.table, &case.labels, method.metric, common.scale, common.missing);
    let mut p = vec![];
    for (c, test) in found.tests.iter().enumerate() {
        let Some(meant) = plain(&space, k, c) else { continue };
        let tail = right_tail(meant.t, meant.df);
        let all = [test.t.unwrap(), test.effect.unwrap(), test.p.unwrap()];
        close(&all, &[meant.t, meant.effect, tail], 1e-7)?;
        p.push(tail);
    }
    if p.len() == found.tests.len() {
        let q: Vec<f64> = found.tests.iter().map(|t| t.q.unwrap()).collect();
        close(&q, &hochberg(&p), 1e-7)?;
    }
    Ok(())
}

/// Four rows, k = 1, nearest rows plain to see: hits differ by 1/10 each, misses by 7/10, 6/10.
///
/// x = 0.0, 0.1 (class a), 0.7, 1.0 (class b): hits 0.1, 0.1, 0.3, 0.3; misses 0.7, 0.6, 0.6, 0.9.
/// Means 0.2 and 0.7, mean squares about them 0.01 and 0.015, four pairs each, df 6,
/// S_p² = 0.0125, t = 0.5/(√0.0125 √½) = √40, d = t √½ = √20.
#[test]
fn four_rows_by_hand() {
    let table = Table::new(vec![Column::numeric("x", vec![0.0, 0.1, 0.7, 1.0])]).unwrap();
    let target = Target::classes(["a", "a", "b", "b"]);
    let wanted = Extras { stir: true, ..Extras::default() };
    let method = ReliefF { k: 1, ..ReliefF::default() };
    let found = method.fit_with(&table, &target, &wanted, &Run::default()).unwrap();
    let test = found.tests[0];
    assert!((found.weights[0] - 0.5).abs() < 1e-12);
    assert!((test.t.unwrap() - 40f64.sqrt()).abs() < 1e-9);
    assert!((test.effect.unwrap() - 20f64.sqrt()).abs() < 1e-9);
    assert!((test.p.unwrap() - right_tail(40f64.sqrt(), 6.0)).abs() < 1e-9);
    assert_eq!(test.q, test.p);
}

#[test]
fn tails_by_simpson_are_right() {
    // Textbook: P(T > 1.943) = 0.05 at 6 degrees of freedom, 1.812 at 10.
    assert!((right_tail(1.943_180_28, 6.0) - 0.05).abs() < 1e-8);
    assert!((right_tail(1.812_461_12, 10.0) - 0.05).abs() < 1e-8);
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn stir(recipe in tie_free(), k in 1usize..5, nominal in 0usize..3) {
        check(&Recipe { classes: 2, nominal, ..recipe }.make(), k)?;
    }
}
