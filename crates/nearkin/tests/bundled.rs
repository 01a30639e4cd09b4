//! The bundled data sets are what they say they are.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

use std::fmt::Write as _;

use nearkin::data::{Bundled, ColumnValues, Table, Target, bundled};
use nearkin::simulate::{Epistasis, Simulate, Simulated};

fn load(name: &str) -> (Table<'static>, Vec<String>, Vec<usize>) {
    let (table, target) = bundled::load(name).unwrap();
    let Target::Classes(classes) = target else { panic!("{name} has no classes") };
    (table, classes.names().to_vec(), classes.counts().to_vec())
}

#[test]
fn every_set_has_the_size_it_announces() {
    for set in bundled() {
        let (table, target) = set.load().unwrap();
        assert_eq!((table.rows(), table.columns().len()), (set.rows, set.columns), "{}", set.name);
        assert_eq!(target.len(), set.rows, "{}", set.name);
        let nominal = table.columns().iter().all(|c| c.is_nominal());
        assert_eq!(nominal, set.kind.starts_with("nominal"), "{}", set.name);
        assert_eq!(table.has_missing(), set.kind.contains("missing"), "{}", set.name);
        assert!(!set.licence.is_empty() && !set.source.is_empty() && !set.title.is_empty());
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = bundled().iter().map(|set: &Bundled| set.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), bundled().len());
}

#[test]
fn an_unknown_name_is_told_the_known_ones() {
    let error = bundled::load("irsi").unwrap_err().to_string();
    assert!(error.contains("`irsi`") && error.contains("iris, wine"), "{error}");
}

#[test]
fn iris_follows_fishers_paper() {
    let (table, names, counts) = load("iris");
    assert_eq!(names, ["setosa", "versicolor", "virginica"]);
    assert_eq!(counts, [50, 50, 50]);
    let row = |row: usize| -> Vec<f64> {
        let cell = |values: &ColumnValues| match values {
            ColumnValues::F64(lane) => lane.at(row),
            _ => f64::NAN,
        };
        table.columns().iter().map(|c| cell(&c.values)).collect()
    };
    assert_eq!(row(34), [4.9, 3.1, 1.5, 0.2]);
    assert_eq!(row(37), [4.9, 3.6, 1.4, 0.1]);
}

#[test]
fn wine_has_three_cultivars() {
    let (_, names, counts) = load("wine");
    assert_eq!(names, ["1", "2", "3"]);
    assert_eq!(counts, [59, 71, 48]);
}

#[test]
fn votes_miss_as_many_cells_as_uci_counts() {
    let (table, names, counts) = load("house-votes-84");
    assert_eq!(names, ["democrat", "republican"]);
    assert_eq!(counts, [267, 168]);
    let missing: Vec<usize> = table.columns().iter().map(|c| c.missing()).collect();
    assert_eq!(missing, [12, 48, 11, 11, 15, 11, 14, 15, 22, 7, 21, 31, 25, 17, 28, 104]);
}

#[test]
fn a_scale_balances_in_49_of_625_ways() {
    let (_, names, counts) = load("balance-scale");
    assert_eq!(names, ["B", "L", "R"]);
    assert_eq!(counts, [49, 288, 288]);
}

/// What made `epistasis.csv`.
fn epistasis() -> Simulated {
    let maf = vec![0.2, 0.3];
    Epistasis { maf, heritability: 0.2, rows: 600, irrelevant: 18, seed: 1, ..Epistasis::default() }
        .generate()
        .unwrap()
}

#[test]
fn the_simulator_makes_the_bundled_epistasis_again() {
    let made = epistasis();
    let (table, target) = bundled::load("epistasis").unwrap();
    assert_eq!(table, made.table);
    assert_eq!(target, made.target);
    assert_eq!(made.relevant, [0, 1]);
}

#[test]
#[ignore = "writes the bundled file; run it when the generator is meant to change"]
fn rewrite_the_bundled_epistasis() {
    let made = epistasis();
    let Target::Classes(classes) = &made.target else { panic!() };
    let mut text = made.table.names().collect::<Vec<_>>().join(",") + ",class\n";
    for row in 0..made.table.rows() {
        for column in made.table.columns() {
            let ColumnValues::Nominal { codes, .. } = &column.values else { panic!() };
            write!(text, "{},", codes[row]).unwrap();
        }
        writeln!(text, "{}", classes.codes()[row]).unwrap();
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/data/bundled/epistasis.csv");
    std::fs::write(path, text).unwrap();
}
