//! Neighbourhood association against its definition, and its p-values on tables without signal.
#![allow(clippy::unwrap_used)]

use nearkin::data::{Column, Encoder, Genotypes, Table, Target};
use nearkin::measure::{Measure, Metric, Missing, Scaling, Unknown};
use nearkin::random::Random;
use nearkin::weigh::{Association, Associations, Extras, Given, Nearness, ReliefF, Weigh};
use nearkin::{Run, WeighError};

/// Numbers, words and missing cells, with classes of unequal size that follow the first column.
fn mixed(rows: usize, seed: u64) -> (Table<'static>, Target) {
    let mut random = Random::new(seed, 0);
    let first: Vec<f64> = (0..rows).map(|_| random.normal()).collect();
    let class = |x: &f64| if *x > 0.6 { "case" } else { "control" };
    let target = Target::classes(first.iter().map(class).collect::<Vec<_>>());
    let holes = (0..rows).map(|row| if row % 7 == 0 { f64::NAN } else { random.normal() });
    let holes: Vec<f64> = holes.collect();
    let word = |_| match random.below(4) {
        0 => None,
        1 => Some("a"),
        2 => Some("b"),
        _ => Some("c"),
    };
    let words: Vec<Option<&str>> = (0..rows).map(word).collect();
    let columns = vec![
        Column::numeric("first", first),
        Column::numeric("holes", holes),
        Column::nominal("words", &words).unwrap(),
        Column::numeric("same", vec![1.0; rows]),
    ];
    (Table::new(columns).unwrap(), target)
}

/// Genotype-like codes as words, independent of everything.
fn noise(rows: usize, columns: usize, random: &mut Random) -> Table<'static> {
    let column = |at: usize| {
        let share = 0.1 + 0.4 * random.uniform();
        let allele = |random: &mut Random| usize::from(random.chance(share));
        let cell = |_| Some(["0", "1", "2"][allele(random) + allele(random)]);
        let cells: Vec<Option<&str>> = (0..rows).map(cell).collect();
        Column::nominal(format!("n{at}"), &cells).unwrap()
    };
    Table::new((0..columns).map(column).collect()).unwrap()
}

/// T of every column by its definition, one pair after the other.
fn plain(table: &Table, target: &Target, near: Nearness, k: usize) -> Vec<f64> {
    let Target::Classes(classes) = target else { unreachable!() };
    let n = table.rows();
    let encoder = Encoder::fit(table).unwrap();
    let rows = encoder.encode(table).unwrap();
    let unknown = Unknown::fit(Missing::D, &encoder, &rows, &vec![0; n], 1);
    let measure = Measure::new(&encoder, Metric::Manhattan, Scaling::MinMax, unknown);
    let (mut number, mut code) = (0, 0);
    let differences = table.columns().iter().map(|column| {
        let at = if column.is_nominal() { &mut code } else { &mut number };
        *at += 1;
        let of = |i: usize, j: usize| match column.is_nominal() {
            true => {
                let pair = (rows.code(i, *at - 1), rows.code(j, *at - 1));
                measure.nominal_cell(*at - 1, (pair.0, 0), (pair.1, 0)).unwrap()
            }
            false => {
                let pair = (rows.number(i, *at - 1), rows.number(j, *at - 1));
                measure.numeric_cell(*at - 1, (pair.0, 0), (pair.1, 0)).unwrap()
            }
        };
        (0..n).map(|i| (0..n).map(|j| of(i, j)).collect()).collect()
    });
    let differences: Vec<Vec<Vec<f64>>> = differences.collect();
    let share: Vec<f64> = classes.counts().iter().map(|&c| c as f64 / n as f64).collect();
    let residual = |row: usize, class: usize| {
        f64::from(u8::from(classes.codes()[row] as usize == class)) - share[class]
    };
    let g = |i: usize, j: usize| -> f64 {
        (0..classes.len()).map(|class| residual(i, class) * residual(j, class)).sum()
    };
    let t = |a: usize| -> f64 {
        let mut t = 0.0;
        for i in 0..n {
            let d = |j: usize| -> f64 {
                let others = (0..differences.len()).filter(|b| *b != a);
                others.map(|b| differences[b][i][j]).sum()
            };
            let others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            let all: Vec<f64> = others.iter().map(|&j| d(j)).collect();
            let count = all.len() as f64;
            let w: Vec<f64> = match near {
                Nearness::Radius => {
                    let mean = all.iter().sum::<f64>() / count;
                    let variance = all.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / count;
                    let near = |d: &f64| f64::from(u8::from(*d < mean - variance.sqrt() / 2.0));
                    let w: Vec<f64> = all.iter().map(near).collect();
                    let sum = w.iter().sum::<f64>().max(1.0);
                    w.iter().map(|w| w / sum).collect()
                }
                Nearness::Nearest => {
                    let mut sorted = all.clone();
                    sorted.sort_by(f64::total_cmp);
                    let last = sorted[k - 1];
                    let nearer = all.iter().filter(|d| **d < last - 1e-9).count();
                    let tied = all.iter().filter(|d| (**d - last).abs() <= 1e-9).count();
                    let weight = |d: &f64| match *d - last {
                        less if less < -1e-9 => 1.0 / k as f64,
                        more if more > 1e-9 => 0.0,
                        _ => (k - nearer) as f64 / (tied * k) as f64,
                    };
                    all.iter().map(weight).collect()
                }
            };
            let near = || others.iter().zip(&w);
            let mean: f64 = near().map(|(&j, w)| w * differences[a][i][j]).sum();
            t -= near().map(|(&j, w)| w * (differences[a][i][j] - mean) * g(i, j)).sum::<f64>();
        }
        t
    };
    (0..differences.len()).map(t).collect()
}

fn quick() -> Association {
    Association { exchanges: 99, column_exchanges: 99, linked: 1.0, ..Association::default() }
}

fn test(of: &Association, table: &Table, target: &Target) -> Associations {
    of.test(table, target, &Given::default(), &Run::default()).unwrap()
}

#[test]
fn t_is_that_of_the_definition() {
    let (table, target) = mixed(60, 3);
    for near in [Nearness::Radius, Nearness::Nearest] {
        let found = test(&Association { near, k: 7, ..quick() }, &table, &target);
        for (ours, plain) in found.tests.iter().zip(plain(&table, &target, near, 7)) {
            assert!((ours.t - plain).abs() < 1e-9, "{near:?}: {} {plain}", ours.t);
        }
    }
}

#[test]
fn what_matters_comes_first_and_a_constant_column_has_p_1() {
    let (table, target) = mixed(150, 5);
    let found = test(&quick(), &table, &target);
    assert!(found.tests[0].p < 1e-4 && found.tests[0].z > 5.0, "{:?}", found.tests[0]);
    assert!(found.tests[0].p_family < 0.05);
    let same = &found.tests[3];
    assert_eq!((same.p, same.p_target, same.p_column, same.z), (1.0, 1.0, 1.0, 0.0));
}

#[test]
fn row_order_and_threads_do_not_matter() {
    let (table, target) = mixed(80, 8);
    let found = test(&quick(), &table, &target);
    let mut order: Vec<usize> = (0..80).collect();
    Random::new(1, 1).shuffle(&mut order);
    let moved = test(&quick(), &table.select_rows(&order), &target.select(&order));
    assert_eq!(found.tests, moved.tests);
    for threads in [1, 2, 3] {
        let run = Run::on(threads);
        let again = quick().test(&table, &target, &Given::default(), &run).unwrap();
        assert_eq!(found.tests, again.tests);
    }
}

#[test]
fn noise_is_called_as_often_as_it_should_be_whatever_the_shares_of_the_classes() {
    for share in [0.5, 0.2] {
        let mut called = [0usize; 3];
        let (tables, columns) = (20, 20);
        for table in 0..tables {
            let mut random = Random::new(table, 7);
            let noise = noise(120, columns, &mut random);
            let label = |_| if random.chance(share) { "case" } else { "control" };
            let target = Target::classes((0..120).map(label).collect::<Vec<_>>());
            for test in test(&quick(), &noise, &target).tests {
                let all = [test.p, test.p_target, test.p_column];
                called.iter_mut().zip(all).for_each(|(n, p)| *n += usize::from(p < 0.05));
            }
        }
        // 400 tests a cell: .05 is 20, its deviation some 5 with the ties between columns.
        assert!(called[0] <= 32, "{share}: {called:?}");
        assert!((6..=38).contains(&called[1]), "{share}: {called:?}");
        assert!((6..=38).contains(&called[2]), "{share}: {called:?}");
    }
}

#[test]
fn a_confounder_is_adjusted_for_by_strata_and_by_covariates() {
    let (mut plain, mut within, mut given) = (0, 0, 0);
    for seed in 0..10 {
        let mut random = Random::new(seed, 9);
        let rows = 150;
        let country: Vec<u32> = (0..rows).map(|_| random.below(2) as u32).collect();
        let follows = |random: &mut Random, strength: f64| -> Vec<&'static str> {
            let mut high = |c: &u32| random.chance(0.5 + strength * (f64::from(*c) - 0.5));
            country.iter().map(|c| if high(c) { "b" } else { "a" }).collect()
        };
        let target = Target::classes(follows(&mut random, 0.7));
        let marker: Vec<Option<&str>> = follows(&mut random, 0.7).into_iter().map(Some).collect();
        let noise = noise(rows, 12, &mut random);
        let mut columns = vec![Column::nominal("marker", &marker).unwrap()];
        columns.extend(noise.into_columns());
        let table = Table::new(columns).unwrap();
        let covariate: Vec<f64> = country.iter().map(|&c| f64::from(c)).collect();
        let covariates = Table::new(vec![Column::numeric("country", covariate)]).unwrap();
        let p = |given: Given| {
            quick().test(&table, &target, &given, &Run::default()).unwrap().tests[0].p
        };
        plain += usize::from(p(Given::default()) < 0.05);
        within += usize::from(p(Given { strata: Some(&country), ..Given::default() }) < 0.05);
        let by = Given { covariates: Some(&covariates), ..Given::default() };
        given += usize::from(p(by) < 0.05);
    }
    assert!(plain >= 7 && within <= 2 && given <= 2, "{plain} {within} {given}");
}

#[test]
fn a_number_as_target_is_tested_too() {
    let mut random = Random::new(4, 4);
    let x: Vec<f64> = (0..120).map(|_| random.normal()).collect();
    let y: Vec<f64> = x.iter().map(|x| x + 0.5 * random.normal()).collect();
    let z: Vec<f64> = (0..120).map(|_| random.normal()).collect();
    let table = Table::new(vec![Column::numeric("x", x), Column::numeric("z", z)]).unwrap();
    let target = Target::real(y).unwrap();
    let found = test(&quick(), &table, &target);
    assert!(found.tests[0].p < 1e-3 && found.tests[1].p > 0.001, "{:?}", found.tests);
    let covariate = Table::new(vec![Column::numeric("age", (0..120).map(f64::from).collect())]);
    let covariate = covariate.unwrap();
    let given = Given { covariates: Some(&covariate), ..Given::default() };
    let found = quick().test(&table, &target, &given, &Run::default()).unwrap();
    assert!(found.tests[0].p < 1e-3, "{:?}", found.tests);
}

#[test]
fn what_cannot_be_tested_is_refused_with_a_reason() {
    let (table, target) = mixed(40, 2);
    let mut drawn = quick();
    drawn.common.sample = Some(10);
    let told = drawn.test(&table, &target, &Given::default(), &Run::default()).unwrap_err();
    assert!(told.to_string().contains("all rows as targets"), "{told}");
    let missing = Table::new(vec![Column::numeric("age", vec![f64::NAN; 40])]).unwrap();
    let given = Given { covariates: Some(&missing), ..Given::default() };
    let told = quick().test(&table, &target, &given, &Run::default()).unwrap_err().to_string();
    assert!(told.contains("row 0") || told.contains("covariate `age`"), "{told}");
    let alone: Vec<u32> = (0..40).collect();
    let given = Given { strata: Some(&alone), ..Given::default() };
    let told = quick().test(&table, &target, &given, &Run::default()).unwrap_err().to_string();
    assert!(told.contains("0 rows lie in a stratum"), "{told}");
    let Target::Classes(classes) = &target else { unreachable!() };
    let same: Vec<f64> = classes.codes().iter().map(|&c| f64::from(c)).collect();
    let same = Table::new(vec![Column::numeric("same", same)]).unwrap();
    let given = Given { covariates: Some(&same), ..Given::default() };
    let told = quick().test(&table, &target, &given, &Run::default()).unwrap_err().to_string();
    assert!(told.contains("covariate `same`"), "{told}");
}

#[test]
fn a_feature_whose_company_is_all_linked_to_it_is_still_found() {
    let (table, target) = nearkin::data::bundled::load("iris").unwrap();
    let found = test(&Association { exchanges: 99, ..Association::default() }, &table, &target);
    let p = |name: &str| {
        let at = found.features.iter().position(|feature| feature == name).unwrap();
        found.tests[at].p
    };
    assert!(p("petal_width") < 1e-6 && p("petal_length") < 1e-6, "{:?}", found.tests);
}

#[test]
fn a_target_that_follows_from_the_covariates_is_refused() {
    let mut random = Random::new(6, 6);
    let x: Vec<f64> = (0..60).map(|_| random.normal()).collect();
    let table = Table::new(vec![Column::numeric("x", x.clone())]).unwrap();
    let covariates = Table::new(vec![Column::numeric("same", x.clone())]).unwrap();
    let target = Target::real(x.iter().map(|x| 3.0 * x + 1.0).collect()).unwrap();
    let given = Given { covariates: Some(&covariates), ..Given::default() };
    let error = quick().test(&table, &target, &given, &Run::default()).unwrap_err();
    assert_eq!(error, WeighError::NothingLeft.into());
    let identifiers = Target::classes((0..60).map(|row| row.to_string()));
    let table = Table::new(vec![Column::numeric("x", x)]).unwrap();
    let error = quick().test(&table, &identifiers, &Given::default(), &Run::default()).unwrap_err();
    assert!(matches!(error, nearkin::Error::Weigh(WeighError::Identifier { .. })), "{error}");
}

/// Genotypes in `columns` columns, one cell in 50 missing where `gaps` says so.
fn genotypes(rows: usize, columns: usize, gaps: bool) -> Table<'static> {
    let mut random = Random::new(12, 1);
    let column = |at: usize| {
        let share = 0.2 + 0.3 * random.uniform();
        let cell = |_| {
            let copies = u8::from(random.chance(share)) + u8::from(random.chance(share));
            (!gaps || random.below(50) > 0).then_some(copies)
        };
        let cells: Vec<Option<u8>> = (0..rows).map(cell).collect();
        Column::genotypes(format!("g{at}"), Genotypes::from_copies(cells).unwrap())
    };
    Table::new((0..columns).map(column).collect()).unwrap()
}

#[test]
fn row_order_and_threads_do_not_matter_for_tables_of_many_columns() {
    let rows = 70;
    let target = Target::classes((0..rows).map(|row| if row % 3 == 0 { "a" } else { "b" }));
    let strata: Vec<u32> = (0..rows as u32).map(|row| row % 5).collect();
    let mut order: Vec<usize> = (0..rows).collect();
    Random::new(2, 2).shuffle(&mut order);
    for gaps in [false, true] {
        let table = genotypes(rows, 510, gaps);
        for near in [Nearness::Radius, Nearness::Nearest] {
            for strata in [None, Some(&strata)] {
                let of = Association { near, k: 9, ..quick() };
                let given = Given { strata: strata.map(Vec::as_slice), ..Given::default() };
                let found = of.test(&table, &target, &given, &Run::on(1)).unwrap();
                let again = of.test(&table, &target, &given, &Run::on(3)).unwrap();
                assert_eq!(found.tests, again.tests);
                let moved: Option<Vec<u32>> =
                    strata.map(|strata| order.iter().map(|&row| strata[row]).collect());
                let given = Given { strata: moved.as_deref(), ..Given::default() };
                let (table, target) = (table.select_rows(&order), target.select(&order));
                let moved = of.test(&table, &target, &given, &Run::default()).unwrap();
                assert_eq!(found.tests, moved.tests);
            }
        }
    }
}

#[test]
fn several_targets_and_ranks_are_tested() {
    let mut random = Random::new(8, 8);
    let x: Vec<f64> = (0..120).map(|_| random.normal()).collect();
    let noise: Vec<f64> = (0..120).map(|_| random.normal()).collect();
    let wild: Vec<f64> = x.iter().map(|x| (3.0 * x + random.normal()).exp()).collect();
    let label = |x: &f64| if x + 0.5 * random.normal() > 0.0 { "up" } else { "down" };
    let labels = Target::classes(x.iter().map(label).collect::<Vec<_>>());
    let columns = vec![Column::numeric("x", x), Column::numeric("noise", noise)];
    let table = Table::new(columns).unwrap();
    let real = Target::real(wild).unwrap();
    let run = Run::default();
    let ranks = Association { ranks: true, ..quick() };
    let found = ranks.test(&table, &real, &Given::default(), &run).unwrap();
    assert!(found.tests[0].p < 1e-6 && found.tests[1].p > 0.001, "{:?}", found.tests);
    let direction = found.tests[0].direction.as_ref().unwrap();
    assert!(direction.more && direction.level.is_none() && direction.class.is_none());
    let targets = [labels];
    let given = Given { targets: &targets, ..Given::default() };
    let both = ranks.test(&table, &real, &given, &run).unwrap();
    assert!(both.tests[0].p < 1e-6 && both.tests[1].p > 0.001, "{:?}", both.tests);
    // Other methods take one target, and no covariates.
    let told = ReliefF::default().fit_given(&table, &targets[0], &given, &Extras::default(), &run);
    assert_eq!(told.unwrap_err(), WeighError::OneTarget { method: "relieff" }.into());
    let given = Given { covariates: Some(&table), ..Given::default() };
    let told = ReliefF::default().fit_given(&table, &targets[0], &given, &Extras::default(), &run);
    assert_eq!(told.unwrap_err(), WeighError::NoCovariates { method: "relieff" }.into());
}
