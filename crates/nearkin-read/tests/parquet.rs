//! Parquet files: read as pyarrow wrote them. Run with `--features parquet`.
//!
//! `fixtures/parquet/make.py` wrote the files and what they hold.
#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use nearkin::data::{Column, MISSING, Target, Values};
use nearkin_read::{Format, Options, TargetChoice, read, read_bytes};
use serde_json::Value;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parquet").join(name)
}

fn cell(column: &Column<'_>, row: usize) -> Value {
    match &column.values {
        _ if column.is_missing(row) => Value::Null,
        Values::F64(lane) => lane.at(row).into(),
        Values::F32(lane) => f64::from(lane.at(row)).into(),
        Values::Nominal { codes, .. } if codes[row] == MISSING => Value::Null,
        Values::Nominal { codes, categories } => categories[usize::from(codes[row])].clone().into(),
        Values::Genotype(cells) => cells.at(row).into(),
    }
}

#[test]
fn cells_are_those_pyarrow_wrote() {
    let record: Value =
        serde_json::from_str(&std::fs::read_to_string(fixture("mixed.json")).unwrap()).unwrap();
    let expected = record.as_array().unwrap();
    for name in ["mixed.parquet", "gzip.parquet"] {
        let options = Options { target: TargetChoice::None, ..Options::default() };
        let loaded = read(&fixture(name), &options).unwrap();
        assert_eq!(loaded.format, Format::Parquet);
        assert_eq!(loaded.table.columns().len(), expected.len());
        for (column, expected) in loaded.table.columns().iter().zip(expected) {
            assert_eq!(column.name, expected["name"].as_str().unwrap());
            for (row, meant) in expected["cells"].as_array().unwrap().iter().enumerate() {
                let found = cell(column, row);
                let same = match (found.as_f64(), meant.as_f64()) {
                    // Single precision, as it was written.
                    (Some(found), Some(meant)) => found as f32 == meant as f32,
                    _ => &found == meant,
                };
                assert!(same, "{name}, {}, row {row}: {found} is not {meant}", column.name);
            }
        }
    }
}

#[test]
fn the_target_and_kinds_of_columns_can_be_chosen() {
    let options = Options { genotype: vec!["small".into()], ..Options::default() };
    let loaded = read(&fixture("mixed.parquet"), &options).unwrap();
    assert_eq!(loaded.target_name.as_deref(), Some("class"));
    let Some(Target::Classes(classes)) = loaded.target else { panic!() };
    assert_eq!(
        (classes.names(), classes.counts()),
        (&["no".into(), "yes".into()][..], &[3, 4][..])
    );
    let kinds: Vec<&str> = loaded.table.columns().iter().map(Column::kind).collect();
    assert_eq!(kinds[3], "genotype");
    assert_eq!(kinds[6..], ["nominal", "nominal"]);
    let options = Options { target: TargetChoice::Column("text".into()), ..Options::default() };
    let message = read(&fixture("mixed.parquet"), &options).unwrap_err().to_string();
    assert!(message.contains("row 2") && message.contains("target is missing"), "{message}");
}

#[test]
fn what_cannot_be_read_is_refused_with_what_to_do() {
    let message = read(&fixture("nested.parquet"), &Options::default()).unwrap_err().to_string();
    assert!(message.contains("list") && message.contains("drop the column"), "{message}");
    let bytes = std::fs::read(fixture("mixed.parquet")).unwrap();
    let message = read_bytes(&bytes, "x.parquet", &Options::default()).unwrap_err().to_string();
    assert!(message.contains("name the file itself"), "{message}");
    let path = std::env::temp_dir().join(format!("nearkin-{}.parquet", std::process::id()));
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let message = read(&path, &Options::default()).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(message.contains("cannot be read as Parquet"), "{message}");
}
