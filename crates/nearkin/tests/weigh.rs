//! Figures the papers and their golden values fix, and laws every method keeps.
#![allow(clippy::unwrap_used)]

use nearkin::data::{Column, Table, Target, bundled};
use nearkin::measure::Scaling;
use nearkin::weigh::*;
use nearkin::{Run, data};

fn toy() -> (Table<'static>, Target) {
    let x = [2.0, 4.0, 1.0, 5.0, 0.0, 0.0, 6.0, 6.0];
    let y = [0.0, 0.0, 6.0, 6.0, 2.0, 4.0, 1.0, 5.0];
    let columns = vec![Column::numeric("x", x.to_vec()), Column::numeric("y", y.to_vec())];
    (Table::new(columns).unwrap(), Target::classes(["1", "1", "1", "1", "2", "2", "2", "2"]))
}

#[test]
fn class_dependent_weights_of_the_toy_are_exact() {
    let (table, target) = toy();
    let method = ClassDependent {
        k: 1,
        common: Common { scale: Scaling::None, ..Common::default() },
        ..ClassDependent::default()
    };
    let found = method.fit(&table, &target).unwrap();
    assert_eq!(found.class_weights, [[-6.0, 6.0], [6.0, -6.0]]);
    assert_eq!(found.weights, [0.0, 0.0]);
    let scaled = ClassDependent { k: 1, ..ClassDependent::default() }.fit(&table, &target).unwrap();
    for (found, meant) in scaled.class_weights.concat().iter().zip([-1.0, 1.0, 1.0, -1.0]) {
        assert!((found - meant).abs() < 1e-12);
    }
}

#[test]
fn class_weights_sum_to_the_whole_on_every_bundled_set() {
    for set in bundled() {
        let (table, target) = set.load().unwrap();
        let found = ClassDependent::default().fit(&table, &target).unwrap();
        for (feature, weight) in found.weights.iter().enumerate() {
            let sum: f64 = found.class_weights.iter().map(|w| w[feature]).sum();
            assert!((sum - weight).abs() <= 1e-9 * weight.abs().max(1.0), "{}", set.name);
        }
    }
}

#[test]
fn class_dependent_on_the_relieff_scale_is_relieff() {
    let (table, target) = data::bundled::load("wine").unwrap();
    let relieff = ReliefF { k: 7, ..ReliefF::default() }.fit(&table, &target).unwrap();
    let by_class = ClassDependent {
        k: 7,
        metric: nearkin::measure::Metric::Manhattan,
        class_scale: ClassScale::ReliefF,
        ..ClassDependent::default()
    };
    assert_eq!(by_class.fit(&table, &target).unwrap().weights, relieff.weights);
}

#[test]
fn without_feedback_pdrelieff_is_relieff_to_the_bit() {
    for name in ["iris", "wine", "house-votes-84", "epistasis"] {
        let (table, target) = data::bundled::load(name).unwrap();
        let metric = nearkin::measure::Metric::Euclidean;
        let plain = ReliefF { metric, ..ReliefF::default() }.fit(&table, &target).unwrap();
        for refresh in [1, 8, 100] {
            let schedule =
                Schedule { schedule: Shape::Constant, alpha: 0.0, ..Schedule::default() };
            let feedback = Feedback { refresh, metric, ..Feedback::default() };
            let found = PdReliefF { schedule, feedback }.fit(&table, &target).unwrap();
            assert_eq!(found.weights, plain.weights, "{name}, refresh {refresh}");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit_of_any_method() {
    let (table, target) = data::bundled::load("house-votes-84").unwrap();
    let real = Target::real((0..table.rows()).map(|i| (i * i % 97) as f64).collect()).unwrap();
    for method in methods() {
        let target = if method.about().id == "rrelieff" { &real } else { &target };
        let fit = |threads| {
            method.fit_with(&table, target, &Wanted::default(), &Run::on(threads)).unwrap()
        };
        assert_eq!(fit(1), fit(2), "{}", method.about().id);
        assert_eq!(fit(1), fit(7), "{}", method.about().id);
    }
}

#[test]
fn a_ramp_replaces_numeric_differences_in_distance_and_update() {
    let (table, target) = data::bundled::load("wine").unwrap();
    let common = Common { ramp: true, ramp_equal: 0.1, ramp_different: 0.3, ..Common::default() };
    let found = ReliefF { k: 5, common, ..ReliefF::default() }.fit(&table, &target).unwrap();
    // A plain loop over the definition.
    let Target::Classes(classes) = &target else { panic!() };
    let n = table.rows();
    let column = |c: usize| -> Vec<f64> {
        let data::Values::F64(lane) = &table.columns()[c].values else { panic!() };
        lane.iter().collect()
    };
    let columns: Vec<Vec<f64>> = (0..13).map(column).collect();
    let diff = |c: usize, i: usize, j: usize| {
        let low = columns[c].iter().copied().fold(f64::INFINITY, f64::min);
        let high = columns[c].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let d = (columns[c][i] - columns[c][j]).abs() / (high - low);
        if d <= 0.1 {
            0.0
        } else if d > 0.3 {
            1.0
        } else {
            (d - 0.1) / 0.2
        }
    };
    let priors = classes.priors();
    let mut weights = [0.0; 13];
    for i in 0..n {
        let own = classes.codes()[i] as usize;
        for class in 0..3 {
            let mut near: Vec<(f64, usize)> = (0..n)
                .filter(|&j| j != i && classes.codes()[j] as usize == class)
                .map(|j| ((0..13).map(|c| diff(c, i, j)).sum(), j))
                .collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let share = if class == own { -1.0 } else { priors[class] / (1.0 - priors[own]) };
            for &(_, j) in &near[..5] {
                (0..13).for_each(|c| weights[c] += share * diff(c, i, j) / (5.0 * n as f64));
            }
        }
    }
    for (found, slow) in found.weights.iter().zip(weights) {
        assert!((found - slow).abs() < 1e-6, "{found} {slow}");
    }
}
