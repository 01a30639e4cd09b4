//! What is read here is what pandas, scipy, liac-arff and NumPy read in the same files.
//!
//! `fixtures/make.py` wrote the files and the other programs' readings of them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use nearkin::data::{Column, ColumnValues, MISSING, Target};
use nearkin_read::{Options, TargetChoice, TargetKind, read};
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn names(ending: &str) -> Vec<String> {
    let files = std::fs::read_dir(fixtures()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(ending).map(|_| name.clone())).collect();
    names.sort();
    names
}

fn cell(column: &Column<'_>, row: usize) -> Value {
    match &column.values {
        ColumnValues::F64(lane) if lane.at(row).is_nan() => Value::Null,
        ColumnValues::F64(lane) => lane.at(row).into(),
        ColumnValues::F32(lane) if lane.at(row).is_nan() => Value::Null,
        ColumnValues::F32(lane) => f64::from(lane.at(row)).into(),
        ColumnValues::Nominal { codes, .. } if codes[row] == MISSING => Value::Null,
        ColumnValues::Nominal { codes, categories } => {
            categories[usize::from(codes[row])].clone().into()
        }
        ColumnValues::Genotype(cells) => cells.at(row).into(),
    }
}

/// Reads `name` without a target and compares cell by cell with what was recorded.
fn compare(name: &str) {
    let options = Options { target: TargetChoice::None, ..Options::default() };
    let table = read(&fixtures().join(name), &options).unwrap().table;
    let record = std::fs::read_to_string(fixtures().join(format!("{name}.json"))).unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    let expected = record.as_array().unwrap();
    assert_eq!(table.columns().len(), expected.len(), "{name}");
    for (column, expected) in table.columns().iter().zip(expected) {
        assert_eq!(column.name, expected["name"].as_str().unwrap(), "{name}");
        let cells = expected["cells"].as_array().unwrap();
        assert_eq!(column.len(), cells.len(), "{name}");
        for (row, expected) in cells.iter().enumerate() {
            let found = cell(column, row);
            assert_eq!(&found, expected, "{name}, column {}, row {row}", column.name);
        }
    }
}

#[test]
fn text_tables_read_as_pandas_reads_them() {
    let files = [".csv", ".tsv", ".txt", ".data", ".csv.gz"].map(names).concat();
    assert!(files.len() >= 17, "{files:?}");
    files.iter().for_each(|name| compare(name));
}

#[test]
fn arff_reads_as_scipy_and_liac_arff_read_it() {
    assert_eq!(names(".arff").len(), 3);
    names(".arff").iter().for_each(|name| compare(name));
}

#[test]
fn arrays_read_as_numpy_reads_them() {
    let files = names(".npy");
    assert!(files.len() >= 16, "{files:?}");
    let targets = ["labels.npy", "values.npy"];
    files.iter().filter(|name| !targets.contains(&name.as_str())).for_each(|name| compare(name));
}

#[test]
fn single_precision_stays_single() {
    let options = Options { target: TargetChoice::None, ..Options::default() };
    let table = read(&fixtures().join("f4.npy"), &options).unwrap().table;
    assert!(table.columns().iter().all(|c| matches!(c.values, ColumnValues::F32(_))));
}

#[test]
fn nominal_attributes_keep_their_declared_order() {
    let loaded = read(&fixtures().join("dense.arff"), &Options::default()).unwrap();
    let ColumnValues::Nominal { categories, .. } = &loaded.table.columns()[1].values else {
        panic!()
    };
    assert_eq!(categories, &["b", "a", "c-d"]);
    let Some(Target::Classes(classes)) = &loaded.target else { panic!() };
    assert_eq!(classes.names(), ["no", "yes"]);
    assert_eq!(loaded.target_name.as_deref(), Some("class"));
    assert_eq!(loaded.row_lines, [11, 12, 14, 15, 16]);
}

#[test]
fn an_arrays_target_is_its_last_column_or_a_second_file() {
    let table = fixtures().join("f8.npy");
    let last = read(&table, &Options::default()).unwrap();
    assert_eq!((last.table.columns().len(), last.target_name.as_deref()), (2, Some("x2")));
    assert!(matches!(last.target, Some(Target::Real(_))) && last.target_guessed);

    let beside = |file: &str, target_kind| {
        let target = TargetChoice::Npy(fixtures().join(file));
        read(&table, &Options { target, target_kind, ..Options::default() })
    };
    let loaded = beside("labels.npy", TargetKind::Auto).unwrap();
    assert_eq!(loaded.target, Some(Target::classes(["b", "a", "größe", "b", "a"])));
    assert_eq!(loaded.table.columns().len(), 3);
    let loaded = beside("values.npy", TargetKind::Auto).unwrap();
    assert_eq!(loaded.target, Some(Target::Real(vec![0.5, 1.5, 2.5, 3.5, 4.5])));
    assert!(beside("labels.npy", TargetKind::Real).is_err());
    assert!(
        beside("f8.npy", TargetKind::Auto).unwrap_err().to_string().contains("one value a row")
    );
}
