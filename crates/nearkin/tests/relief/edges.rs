//! Small, empty and lopsided tables: finite weights or an error in words, never a panic.

use nearkin::Note;
use nearkin::data::{Column, Table, Target};
use nearkin::measure::{Missing, Scaling};
use nearkin::weigh::*;

const POLICIES: [&str; 7] = ["agnostic", "b", "c", "d", "weka", "relieved", "one"];

/// Fit every method under every policy: weights must be finite, errors must be sentences.
fn survive(table: &Table, classes: &[&str], settings: &[(&str, &str)]) -> Vec<(String, Vec<f64>)> {
    let real = Target::real((0..classes.len()).map(|i| (i % 3) as f64).collect()).unwrap();
    let mut fitted = vec![];
    for policy in POLICIES {
        for mut method in methods() {
            for (name, value) in settings.iter().chain(&[("missing", policy)]) {
                let _ = method.try_set(name, value).unwrap();
            }
            let id = method.about().id;
            let classes = Target::classes(classes);
            let target = if id == "rrelieff" { &real } else { &classes };
            match method.fit(table, target) {
                Ok(found) => {
                    assert_eq!(found.weights.len(), table.columns().len());
                    let finite = found.weights.iter().all(|w| w.is_finite());
                    assert!(finite, "{id}, {policy}: {:?}", found.weights);
                    fitted.push((format!("{id} {policy}"), found.weights));
                }
                Err(error) => assert!(error.to_string().len() > 20, "{id}: {error}"),
            }
        }
    }
    fitted
}

fn small() -> Table<'static> {
    Table::new(vec![
        Column::numeric("x", vec![0.0, 1.0, 4.0, 2.0, f64::NAN, 3.0]),
        Column::numeric("y", vec![1.0, f64::NAN, 0.5, 0.25, 2.0, 7.0]),
        Column::nominal("n", &[Some("a"), Some("b"), None, Some("a"), Some("c"), Some("b")])
            .unwrap(),
    ])
    .unwrap()
}

#[test]
fn one_class_or_one_row_is_refused() {
    assert!(
        survive(&small(), &["a"; 6], &[]).iter().all(|(id, _)| id.starts_with("rrelieff")),
        "one class has no misses"
    );
    let row = small().select_rows(&[0]);
    assert!(survive(&row, &["a"], &[]).is_empty());
    let none = small().select_rows(&[]);
    assert!(survive(&none, &[], &[]).is_empty());
}

#[test]
fn classes_of_one_row_and_two_rows() {
    assert!(!survive(&small(), &["a", "b", "b", "b", "b", "b"], &[]).is_empty());
    assert!(!survive(&small(), &["a", "b", "c", "d", "e", "f"], &[]).is_empty());
    let two = small().select_rows(&[0, 5]);
    assert!(!survive(&two, &["a", "b"], &[]).is_empty());
}

#[test]
fn more_neighbours_than_rows_are_all_there_are() {
    let classes = ["a", "b", "a", "b", "a", "b"];
    for huge in ["10000000", "18446744073709551615"] {
        let found = survive(&small(), &classes, &[("k", huge), ("k_max", huge)]);
        for (id, weights) in survive(&small(), &classes, &[("k", "6"), ("k_max", "6")]) {
            // The mean per K of class-dependent weights is not in the default scale.
            let same = found.iter().find(|(other, _)| *other == id).unwrap();
            assert_eq!(same.1, weights, "{id}");
        }
    }
    let both = ReliefSeq { k_min: 10_000_000, k_max: 10_000_001, ..ReliefSeq::default() };
    let target = Target::classes(classes);
    let all = ReliefF { k: 10_000_000, ..ReliefF::default() };
    let found = both.fit(&small(), &target).unwrap().weights;
    for (a, b) in found.iter().zip(all.fit(&small(), &target).unwrap().weights) {
        assert!((a - b).abs() < 1e-12);
    }
    let scaled = ClassDependent {
        k: usize::MAX,
        class_scale: ClassScale::MeanPerClass,
        ..ClassDependent::default()
    };
    assert!(scaled.fit(&small(), &target).unwrap().weights.iter().all(|w| w.is_finite()));
}

#[test]
fn tables_that_say_nothing_weigh_nothing() {
    let classes = ["a", "b", "a", "b", "b"];
    let unknown = Table::new(vec![
        Column::numeric("x", vec![f64::NAN; 5]),
        Column::nominal::<&str>("n", &[None; 5]).unwrap(),
    ])
    .unwrap();
    let constant = Table::new(vec![
        Column::numeric("x", vec![2.0; 5]),
        Column::nominal("n", &[Some("a"); 5]).unwrap(),
    ])
    .unwrap();
    for table in [unknown, constant] {
        for (id, weights) in survive(&table, &classes, &[]) {
            if !id.starts_with("multisurf-star") {
                assert!(weights.iter().all(|w| *w == 0.0), "{id}: {weights:?}");
            }
        }
    }
}

#[test]
fn equal_rows_and_single_columns() {
    let rows = small().select_rows(&[0, 0, 0, 3, 3, 0]);
    assert!(!survive(&rows, &["a", "b", "a", "b", "a", "b"], &[]).is_empty());
    for c in 0..3 {
        let one = small().select_columns(&[c]).into_owned();
        assert!(!survive(&one, &["a", "b", "a", "b", "a", "b"], &[]).is_empty());
    }
    for weighting in ["distance", "distance-squared", "kernel", "rank"] {
        let settings = [("weighting", weighting), ("sigma", "1e-6"), ("k", "2")];
        survive(&rows, &["a", "b", "a", "b", "a", "b"], &settings);
    }
}

#[test]
fn values_near_the_ends_of_doubles() {
    let table = Table::new(vec![
        Column::numeric("huge", vec![-1e308, 1e308, 0.0, 5e307]),
        Column::numeric("tiny", vec![0.0, 5e-324, 1e-310, 0.0]),
        Column::numeric("plain", vec![1.0, 2.0, 3.0, 4.0]),
    ])
    .unwrap();
    survive(&table, &["a", "b", "a", "b"], &[]);
    survive(&table, &["a", "b", "a", "b"], &[("scale", "zscore")]);
}

#[test]
fn priors_and_samples_are_checked() {
    let target = Target::classes(["a", "b", "a", "b", "c", "c"]);
    let with =
        |common: ReliefSettings| ReliefF { common, ..ReliefF::default() }.fit(&small(), &target);
    let priors =
        |p: &[f64]| with(ReliefSettings { priors: Some(p.to_vec()), ..ReliefSettings::default() });
    assert!(priors(&[0.5, 0.5]).unwrap_err().to_string().contains("3 classes"));
    assert!(priors(&[0.5, 0.5, 0.0]).is_err());
    assert!(priors(&[0.5, f64::NAN, 0.5]).is_err());
    assert_eq!(
        priors(&[1.0, 2.0, 1.0]).unwrap().weights,
        priors(&[0.25, 0.5, 0.25]).unwrap().weights,
        "priors are taken in proportion"
    );
    // 1 − P(y) would be 0 or mere rounding.
    let lopsided = priors(&[1.0, 3e-17, 1e-17]).unwrap().weights;
    assert!(lopsided.iter().all(|w| w.abs() <= 1.0), "{lopsided:?}");
    let sampled = |m| with(ReliefSettings { sample: Some(m), ..ReliefSettings::default() });
    assert!(sampled(7).unwrap_err().to_string().contains("at most"));
    assert!(sampled(0).is_err());
    assert_eq!(sampled(6).unwrap().weights.len(), 3);
}

/// The corners of a square and its centre: sides 1, diagonals 2, centre to corners 1.
#[test]
fn surf_of_a_square_by_hand() {
    let table = Table::new(vec![
        Column::numeric("x", vec![0.0, 0.0, 1.0, 1.0, 0.5]),
        Column::numeric("y", vec![0.0, 1.0, 0.0, 1.0, 0.5]),
    ])
    .unwrap();
    let target = Target::classes(["a", "a", "b", "b", "b"]);
    let found = Surf::default().fit(&table, &target).unwrap().weights;
    // Mean 12/10: all but diagonals are near. Corners in a: hit (0, 1), misses (1, 0) and the
    // centre. Corners in b: hits (0, 1) and the centre, miss (1, 0). The centre: all alike.
    let x = (2.0 * 0.75 + 2.0 * (1.0 - 0.25)) / 5.0;
    let y = (2.0 * (0.25 - 1.0) - 2.0 * 0.75) / 5.0;
    assert!((found[0] - x).abs() < 1e-12 && (found[1] - y).abs() < 1e-12, "{found:?}");
}

/// Seven different categories: every distance is just the mean.
#[test]
fn a_distance_of_just_the_mean_is_neither_near_nor_far() {
    let cells = ["a", "b", "c", "d", "e", "f", "g"].map(Some);
    let table = Table::new(vec![Column::nominal("n", &cells).unwrap()]).unwrap();
    let target = Target::classes(["a", "a", "a", "b", "b", "b", "b"]);
    assert_eq!(Surf::default().fit(&table, &target).unwrap().weights, [0.0]);
    assert_eq!(SurfStar::default().fit(&table, &target).unwrap().weights, [0.0]);
    // 0.1 + 0.1 between any two rows; added up one after the other they would have another mean.
    for n in 3..60 {
        let columns = (0..n).map(|c| {
            let cells = (0..n).map(|row| if row == c { 0.1 } else { 0.0 });
            Column::numeric(format!("x{c}"), cells.collect())
        });
        let table = Table::new(columns.collect()).unwrap();
        let target = Target::classes((0..n).map(|row| (row % 2).to_string()));
        let common = ReliefSettings { scale: Scaling::None, ..ReliefSettings::default() };
        let surf = Surf { common: common.clone(), ..Surf::default() };
        let star = SurfStar { common, ..SurfStar::default() };
        assert_eq!(surf.fit(&table, &target).unwrap().weights, vec![0.0; n], "{n}");
        assert_eq!(star.fit(&table, &target).unwrap().weights, vec![0.0; n], "{n}");
    }
}

/// A feature that only some misses have: those that have it make good for the others, of
/// whatever class.
#[test]
fn misses_of_several_classes_share_one_average() {
    let table = Table::new(vec![
        Column::numeric("x", vec![0.0, 1.0, f64::NAN]),
        Column::numeric("y", vec![0.0, 1.0, 1.0]),
    ])
    .unwrap();
    let target = Target::classes(["a", "b", "c"]);
    for missing in [Missing::Agnostic, Missing::C] {
        let method = ReliefF {
            k: 2,
            misses: Misses::NearestOther,
            common: ReliefSettings { missing, ..ReliefSettings::default() },
            ..ReliefF::default()
        };
        let found = method.fit(&table, &target).unwrap().weights;
        // Rows 0 and 1 differ by 1 in x and know nothing of row 2; row 2 knows nothing.
        assert!((found[0] - 2.0 / 3.0).abs() < 1e-12, "{missing:?}: {found:?}");
    }
}

#[test]
fn a_class_of_one_row_keeps_its_warning_whatever_its_name() {
    let table = Table::new(vec![Column::numeric("x", vec![1.0, 2.0, 3.0, 4.0, 9.0])]).unwrap();
    let target = Target::classes(["a", "a", "b", "b", "constant"]);
    let found = MultiSurfStar::default().fit(&table, &target).unwrap();
    let warning = Note::ClassOfOneRow { class: "constant".into() };
    assert_eq!(found.notes, [warning]);
}

#[test]
fn an_all_missing_column_weighs_nothing_under_any_policy() {
    let nan = f64::NAN;
    let columns = vec![
        Column::numeric("a", vec![1.0, 2.0, 3.0, 9.0, 8.0, nan]),
        Column::numeric("b", vec![2.0, nan, 1.0, 4.0, nan, 7.0]),
        Column::numeric("none", vec![nan; 6]),
        Column::nominal("empty", &[None::<&str>; 6]).unwrap(),
    ];
    let table = Table::new(columns).unwrap();
    let target = Target::classes(["x", "x", "x", "y", "y", "y"]);
    for policy in POLICIES {
        let mut method = method("multisurf-star").unwrap();
        assert!(method.try_set("missing", policy).unwrap());
        let found = method.fit(&table, &target).unwrap();
        assert_eq!(found.weights[2..], [0.0, 0.0], "{policy}");
    }
}
