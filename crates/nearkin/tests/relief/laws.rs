//! Laws that hold for every method on data without ties.

use std::collections::HashMap;

use nearkin::Run;
use nearkin::data::{Column, ColumnValues, Lane, Table, Target};
use nearkin::measure::Clip;
use nearkin::weigh::*;
use proptest::prelude::*;

use super::agree::close;
use super::plain::{self, Pick};
use super::space::{Space, number};
use super::tables::{Case, Dice, cases, tie_free};

/// Every method with few neighbours and, where there is one, the table's order.
fn all() -> Vec<Box<dyn Weigh>> {
    let mut all = methods();
    // It asks for twenty rows, draws exchanges, and has laws of its own (association.rs).
    all.retain(|method| method.about().id != "association");
    for method in &mut all {
        for (name, value) in [
            ("class_scale", "sum"),
            ("k", "3"),
            ("k_max", "6"),
            ("order", "table"),
            ("iterations", "6"),
            ("tolerance", "0"),
        ] {
            let _ = method.try_set(name, value).unwrap();
        }
    }
    let closed = ReliefPsd { clip: Clip::Closed, ..ReliefPsd::default() };
    all.push(Box::new(closed));
    all.push(Box::new(ReliefF { k: 3, misses: Misses::NearestOther, ..ReliefF::default() }));
    all.push(Box::new(ReliefF { k: 3, weighting: Weighting::Rank, ..ReliefF::default() }));
    all
}

fn sees_order(method: &dyn Weigh) -> bool {
    let clips = method.parameters().iter().any(|p| p.name == "clip" && p.default == "each-step");
    clips || matches!(method.about().id, "drelieff" | "pdrelieff")
}

/// Weights, or none where a method says that nothing is positive.
fn fit(method: &dyn Weigh, table: &Table, case: &Case, labels: &[String]) -> Option<Vec<f64>> {
    let target = match method.about().id {
        "rrelieff" => case.real_target(),
        _ => Target::classes(labels),
    };
    match method.fit(table, &target) {
        Ok(found) => Some(found.weights),
        Err(error) => {
            assert!(error.to_string().contains("positive weight"), "{error}");
            None
        }
    }
}

fn names(case: &Case) -> Vec<String> {
    case.labels.iter().map(|l| format!("c{l}")).collect()
}

fn same(found: Option<Vec<f64>>, meant: Option<Vec<f64>>, id: &str) -> Result<(), TestCaseError> {
    match (found, meant) {
        (Some(found), Some(meant)) => close(&found, &meant, 1e-9)
            .map_err(|error| TestCaseError::fail(format!("{id}: {error}"))),
        (found, meant) => {
            prop_assert_eq!(found, meant, "{}", id);
            Ok(())
        }
    }
}

fn mapped(table: &Table, change: impl Fn(usize, f64) -> f64) -> Table<'static> {
    let column = |c: usize| {
        let cells = (0..table.rows()).map(|r| change(c, number(table, c, r).unwrap())).collect();
        Column::numeric(table.columns()[c].name.clone(), cells)
    };
    Table::new((0..table.columns().len()).map(column).collect()).unwrap()
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn the_order_of_rows_features_and_classes_does_not_matter(recipe in tie_free()) {
        let case = recipe.make();
        let (n, p) = (case.table.rows(), case.table.columns().len());
        let dice = &mut Dice(recipe.seed ^ 77);
        let (rows, features, classes) = (dice.shuffled(n), dice.shuffled(p), dice.shuffled(4));
        let turned = Case {
            table: case.table.select_rows(&rows),
            labels: rows.iter().map(|&r| case.labels[r]).collect(),
            real: rows.iter().map(|&r| case.real[r]).collect(),
        };
        let renamed: Vec<String> =
            case.labels.iter().map(|&l| format!("c{}", classes[l])).collect();
        for method in all() {
            let id = method.about().id;
            let plain = fit(&*method, &case.table, &case, &names(&case));
            let by_feature =
                fit(&*method, &case.table.select_columns(&features), &case, &names(&case));
            let expected =
                plain.as_ref().map(|w| features.iter().map(|&c| w[c]).collect::<Vec<_>>());
            same(by_feature, expected, id)?;
            same(fit(&*method, &case.table, &case, &renamed), plain.clone(), id)?;
            if !sees_order(&*method) {
                same(fit(&*method, &turned.table, &turned, &names(&turned)), plain, id)?;
            }
        }
    }

    #[test]
    fn twins_weigh_the_same_and_constants_nothing(recipe in tie_free()) {
        let case = recipe.make();
        let mut columns = case.table.clone().into_columns();
        let twin = Column { name: "twin".to_owned(), ..columns[0].clone() };
        columns.push(twin);
        columns.push(Column::numeric("constant", vec![3.25; case.table.rows()]));
        columns.push(Column::nominal("same", &vec![Some("a"); case.table.rows()]).unwrap());
        let table = Table::new(columns).unwrap();
        let p = table.columns().len();
        for method in all() {
            let id = method.about().id;
            let Some(found) = fit(&*method, &table, &case, &names(&case)) else { continue };
            prop_assert!((found[p - 3] - found[0]).abs() < 1e-12, "{}: {:?}", id, found);
            if id != "multisurf-star" {
                prop_assert_eq!(&found[p - 2..], &[0.0, 0.0][..], "{}", id);
            }
        }
    }

    #[test]
    fn units_of_measurement_do_not_matter(recipe in tie_free()) {
        let case = recipe.make();
        let changed = mapped(&case.table, |c, x| x * [3.7, 0.011, 1e4][c % 3] + [5.0, -2.0][c % 2]);
        for method in all() {
            let plain = fit(&*method, &case.table, &case, &names(&case));
            // Myopic ReliefF cuts at bounds a rounding may cross, but not in random data.
            same(fit(&*method, &changed, &case, &names(&case)), plain, method.about().id)?;
        }
    }

    #[test]
    fn single_precision_columns_weigh_what_their_numbers_weigh(recipe in tie_free()) {
        let case = recipe.make();
        let doubles = mapped(&case.table, |_, x| f64::from(x as f32));
        let single = |c: usize| {
            let cells = (0..doubles.rows()).map(|r| number(&doubles, c, r).unwrap() as f32);
            let values = ColumnValues::F32(Lane::owned(cells.collect()));
            Column { name: doubles.columns()[c].name.clone(), values }
        };
        let singles = Table::new((0..doubles.columns().len()).map(single).collect()).unwrap();
        for method in all() {
            let plain = fit(&*method, &doubles, &case, &names(&case));
            same(fit(&*method, &singles, &case, &names(&case)), plain, method.about().id)?;
        }
    }

    #[test]
    fn parts_add_up(recipe in tie_free()) {
        let case = recipe.make();
        let n = case.table.rows();
        let wanted = Extras {
            per_class: true, pairs: true, rows: (0..n).collect(), ..Extras::default()
        };
        let mut heard = HashMap::new();
        for method in all() {
            let id = method.about().id;
            let target = case.target();
            let Ok(found) = method.fit_with(&case.table, &target, &wanted, &Run::default()) else {
                continue;
            };
            heard.insert(id, ());
            let Target::Classes(classes) = &target else { unreachable!() };
            let priors = classes.priors();
            // Class-dependent sums are sums; clipped weights are no means.
            let (by_class, by_row) = match id {
                "class-dependent" => (vec![1.0; priors.len()], 1.0),
                _ => (priors.clone(), 1.0 / n as f64),
            };
            for c in 0..case.table.columns().len() {
                let own = &found.class_weights;
                for (y, pairs) in found.pair_weights.iter().enumerate() {
                    let sum: f64 = (0..priors.len())
                        .map(|other| if other == y { -pairs[other][c] } else { pairs[other][c] })
                        .sum();
                    prop_assert!((sum - own[y][c]).abs() < 1e-9, "{}: pairs", id);
                }
                let from_classes: f64 = own.iter().zip(&by_class).map(|(w, p)| w[c] * p).sum();
                let from_rows: f64 = found.row_weights.iter().map(|(_, w)| w[c] * by_row).sum();
                prop_assert!((from_classes - from_rows).abs() < 1e-9, "{}: rows", id);
                if id != "relief-psd" {
                    prop_assert!((from_classes - found.weights[c]).abs() < 1e-9, "{}: classes", id);
                }
            }
        }
        for id in ["relieff", "relief", "relieved", "class-dependent", "surf", "multisurf"] {
            prop_assert!(heard.contains_key(id), "{}", id);
        }
    }

    #[test]
    fn pairs_of_relieff_are_mean_differences_by_prior(recipe in tie_free(), k in 1usize..5) {
        let case = recipe.make();
        let method = ReliefF { k, ..ReliefF::default() };
        let wanted = Extras { pairs: true, ..Extras::default() };
        let found =
            method.fit_with(&case.table, &case.target(), &wanted, &Run::default()).unwrap();
        let common = &method.common;
        let space =
            Space::new(&case.table, &case.labels, method.metric, common.scale, common.missing);
        let priors = space.shares();
        for (y, row) in plain::pairs(&space, Pick::equal(k, Ties::Index)).iter().enumerate() {
            for (c, means) in row.iter().enumerate() {
                let share = if c == y { 1.0 } else { priors[c] / (1.0 - priors[y]) };
                close(&found.pair_weights[y][c], &plain::scaled(means.clone(), share), 1e-12)?;
            }
        }
    }

    #[test]
    fn permutations_and_bootstraps_are_in_bounds(recipe in tie_free()) {
        let case = recipe.make();
        let (table, target) = (&case.table, case.target());
        let method = ReliefF { k: 2, ..ReliefF::default() };
        let bootstrap = Bootstrap { replicates: 200, ..Bootstrap::default() };
        let wanted = Extras { bootstrap: Some(bootstrap), ..Extras::default() };
        let found = method.fit_with(table, &target, &wanted, &Run::default()).unwrap();
        for (weight, (low, high)) in found.weights.iter().zip(&found.intervals) {
            prop_assert!(low <= high && *low - 1e-9 <= *weight && *weight <= *high + 1e-9);
        }
        let way = Permutation { exchanges: 19, seed: 3, strata: None, call: None };
        let tests = way.test(&method, (table, &target), &found, &Run::default()).unwrap().tests;
        let p: Vec<f64> = tests.iter().map(|t| t.p.unwrap()).collect();
        prop_assert!(p.iter().all(|p| (0.05..=1.0).contains(p)));
        for (test, q) in tests.iter().zip(super::stir::hochberg(&p)) {
            prop_assert!((test.q.unwrap() - q).abs() < 1e-12);
        }
    }
}
