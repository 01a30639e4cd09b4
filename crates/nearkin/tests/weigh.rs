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
        class_scale: ClassScale::Sum,
        common: ReliefSettings { scale: Scaling::None, ..ReliefSettings::default() },
        ..ClassDependent::default()
    };
    let found = method.fit(&table, &target).unwrap();
    assert_eq!(found.class_weights, [[-6.0, 6.0], [6.0, -6.0]]);
    assert_eq!(found.weights, [0.0, 0.0]);
    let scaled = ClassDependent { k: 1, class_scale: ClassScale::Sum, ..ClassDependent::default() };
    let scaled = scaled.fit(&table, &target).unwrap();
    for (found, meant) in scaled.class_weights.concat().iter().zip([-1.0, 1.0, 1.0, -1.0]) {
        assert!((found - meant).abs() < 1e-12);
    }
}

#[test]
fn class_weights_sum_to_the_whole_on_every_bundled_set() {
    for set in bundled() {
        let (table, target) = set.load().unwrap();
        let sums = ClassDependent { class_scale: ClassScale::Sum, ..ClassDependent::default() };
        let found = sums.fit(&table, &target).unwrap();
        for (feature, weight) in found.weights.iter().enumerate() {
            let sum: f64 = found.class_weights.iter().map(|w| w[feature]).sum();
            assert!((sum - weight).abs() <= 1e-9 * weight.abs().max(1.0), "{}", set.name);
        }
    }
}

/// Nine classes that a column `tells` apart, beside noise that no class has to do with.
#[test]
fn with_many_classes_misses_weigh_as_much_as_hits() {
    let row = |row: usize| (row % 9, row / 9);
    let tells: Vec<f64> =
        (0..180).map(|at| (row(at).0 as f64) + 0.4 * (row(at).1 as f64 / 20.0)).collect();
    // Every value once in each class, in another order.
    let noise: Vec<f64> =
        (0..180).map(|at| ((row(at).1 * 7 + row(at).0 * 3) % 20) as f64).collect();
    let columns = vec![Column::numeric("tells", tells), Column::numeric("noise", noise)];
    let table = Table::new(columns).unwrap();
    let target = Target::classes((0..180).map(|at| row(at).0.to_string()));
    let noise = |class_scale| {
        let method = ClassDependent { class_scale, ..ClassDependent::default() };
        let found = method.fit(&table, &target).unwrap();
        found.weights[1] / found.weights[0]
    };
    assert!(noise(ClassScale::Sum) > 0.3, "{}", noise(ClassScale::Sum));
    assert!(noise(ClassScale::ReliefF) < 0.1, "{}", noise(ClassScale::ReliefF));
    assert_eq!(ClassDependent::default().class_scale, ClassScale::ReliefF);
}

#[test]
fn class_dependent_on_the_relieff_scale_is_relieff() {
    let (table, target) = data::bundled::load("wine").unwrap();
    let relieff = ReliefF { k: 7, ..ReliefF::default() }.fit(&table, &target).unwrap();
    let by_class = ClassDependent {
        k: 7,
        metric: nearkin::measure::Metric::Manhattan,
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
    // Categories with holes, numbers, and genotypes.
    for name in ["house-votes-84", "wine", "epistasis"] {
        let (table, target) = data::bundled::load(name).unwrap();
        let real = Target::real((0..table.rows()).map(|i| (i * i % 97) as f64).collect()).unwrap();
        for method in methods() {
            let id = method.about().id;
            let target = if id == "rrelieff" { &real } else { &target };
            let fit = |threads| {
                method.fit_with(&table, target, &Extras::default(), &Run::on(threads)).unwrap()
            };
            let alone = fit(1);
            for threads in [2, 7] {
                assert_eq!(fit(threads), alone, "{id} on {name}, {threads} threads");
            }
        }
    }
}

#[test]
fn radii_of_huge_numbers_are_those_of_small_ones() {
    let mut random = nearkin::random::Random::new(8, 0);
    let cells: Vec<f64> = (0..600).map(|_| random.uniform()).collect();
    let target = Target::classes(cells.iter().map(|x| if *x > 0.4 { "a" } else { "b" }));
    // A power of two changes no digit; the sum of all distances is beyond all numbers.
    let table = |by: f64| {
        let column = Column::numeric("x", cells.iter().map(|x| x * by).collect());
        Table::new(vec![column]).unwrap()
    };
    for method in methods().iter().filter(|m| m.about().id.contains("surf")) {
        let [small, huge] = [1.0, 2f64.powi(1010)].map(|by| method.fit(&table(by), &target));
        let (small, huge) = (small.unwrap().weights[0], huge.unwrap().weights[0]);
        assert!(
            small.abs() > 0.01 && (small - huge).abs() < 1e-9,
            "{}: {small}, {huge}",
            method.about().id
        );
    }
}

#[test]
fn a_ramp_replaces_numeric_differences_in_distance_and_update() {
    let (table, target) = data::bundled::load("wine").unwrap();
    let common = ReliefSettings {
        ramp: true,
        ramp_equal: 0.1,
        ramp_different: 0.3,
        ..ReliefSettings::default()
    };
    let found = ReliefF { k: 5, common, ..ReliefF::default() }.fit(&table, &target).unwrap();
    // A plain loop over the definition.
    let Target::Classes(classes) = &target else { panic!() };
    let n = table.rows();
    let column = |c: usize| -> Vec<f64> {
        let data::ColumnValues::F64(lane) = &table.columns()[c].values else { panic!() };
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

#[test]
fn squares_of_huge_differences_do_not_overflow() {
    // Differences were squared before they were scaled, and 1e299 squared is no number.
    let x = (0..20).map(|i| f64::from(i * 7 % 20) * 1e299).collect();
    let table = Table::new(vec![Column::numeric("x", x)]).unwrap();
    let target = Target::classes((0..20).map(|i| if i % 3 == 0 { "a" } else { "b" }));
    let found = Relief::default().fit(&table, &target).unwrap();
    assert!(found.weights.iter().all(|w| w.is_finite()));
}

#[test]
fn stir_is_refused_where_weights_choose_the_neighbours() {
    let (table, target) = data::bundled::load("iris").unwrap();
    let wanted = Extras { stir: true, ..Extras::default() };
    for method in [&PdReliefF::default() as &dyn Weigh, &DReliefF::default()] {
        let refused = method.fit_with(&table, &target, &wanted, &Run::default()).unwrap_err();
        assert!(refused.to_string().contains("use relieff for stir"), "{refused}");
    }
}

#[test]
fn differences_beyond_squaring_are_refused_not_nan() {
    // Squares of 1e200 gave a NaN weight with exit code 0.
    for size in [1e200, 1e-200] {
        let x = (0..20).map(|i| f64::from(i * 7 % 20) * size).collect();
        let table = Table::new(vec![Column::numeric("x", x)]).unwrap();
        let target = Target::classes((0..20).map(|i| if i % 3 == 0 { "a" } else { "b" }));
        let common = ReliefSettings { scale: Scaling::None, ..ReliefSettings::default() };
        let refused = Relief { common, ..Relief::default() }.fit(&table, &target).unwrap_err();
        assert!(refused.to_string().contains("set scale to minmax"), "{refused}");
        assert!(Relief::default().fit(&table, &target).is_ok());
    }
}

#[test]
fn a_target_that_is_an_identifier_is_refused() {
    // Thousands of classes asked for more memory than there was.
    let table = Table::new(vec![Column::numeric("x", (0..600).map(f64::from).collect())]).unwrap();
    let target = Target::classes((0..600).map(|i| (i / 2).to_string()));
    let refused = ReliefF::default().fit(&table, &target).unwrap_err().to_string();
    assert!(refused.contains("300 classes in 600 rows"), "{refused}");
}

#[test]
fn priors_are_refused_where_they_would_be_ignored() {
    let (table, target) = data::bundled::load("iris").unwrap();
    for id in ["relief", "relieved", "i-relief", "class-dependent", "relief-psd"] {
        let mut method = method(id).unwrap();
        set(method.as_mut(), "priors", "0.2,0.3,0.5").unwrap();
        // Its other scale has priors.
        let _ = method.try_set("class_scale", "sum").unwrap();
        let refused = method.fit(&table, &target).unwrap_err().to_string();
        assert!(refused.starts_with("priors:"), "{id}: {refused}");
    }
}

#[test]
fn a_long_refresh_holds_no_square_of_distances() {
    let (table, target) = data::bundled::load("wine").unwrap();
    let fit = |refresh| {
        let feedback = Feedback { refresh, ..Feedback::default() };
        PdReliefF { feedback, ..PdReliefF::default() }.fit(&table, &target).unwrap().weights
    };
    // Beyond the number of rows nothing is refreshed at all.
    assert_eq!(fit(178), fit(usize::MAX));
}
