//! Parquet files: read as pyarrow wrote them. Run with `--features parquet`.
//!
//! `fixtures/parquet/make.py` wrote the files and what they hold; the long one is written here.
#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nearkin::data::{Column, ColumnValues, MISSING, Target};
use nearkin_read::{Format, Options, ReadNote, TargetChoice, read, read_bytes};
use parquet::basic::Compression;
use parquet::data_type::{ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::Value;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parquet").join(name)
}

fn cell(column: &Column<'_>, row: usize) -> Value {
    match &column.values {
        _ if column.is_missing(row) => Value::Null,
        ColumnValues::F64(lane) => lane.at(row).into(),
        ColumnValues::F32(lane) => f64::from(lane.at(row)).into(),
        ColumnValues::Nominal { codes, .. } if codes[row] == MISSING => Value::Null,
        ColumnValues::Nominal { codes, categories } => {
            categories[usize::from(codes[row])].clone().into()
        }
        ColumnValues::Genotype(cells) => cells.at(row).into(),
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

#[test]
fn a_damaged_byte_is_read_or_refused_but_never_a_panic() {
    let bytes = std::fs::read(fixture("mixed.parquet")).unwrap();
    let path = std::env::temp_dir().join(format!("nearkin-{}-damaged.parquet", std::process::id()));
    let mut refused = 0;
    for (at, mask) in (0..bytes.len()).step_by(7).flat_map(|at| [(at, 0x5a), (at, 0xff)]) {
        let mut bytes = bytes.clone();
        bytes[at] ^= mask;
        std::fs::write(&path, &bytes).unwrap();
        if let Err(error) = read(&path, &Options::default()) {
            refused += 1;
            assert!(error.to_string().contains(".parquet"), "byte {at}: {error}");
        }
    }
    std::fs::remove_file(&path).unwrap();
    assert!(refused > 0);
}

#[test]
fn only_nulls_and_empty_texts_are_missing_and_an_index_is_left_out() {
    let schema = "message index {
        OPTIONAL BYTE_ARRAY word (UTF8);
        REQUIRED INT64 number;
        REQUIRED INT64 __index_level_0__;
    }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let path = std::env::temp_dir().join(format!("nearkin-{}-index.parquet", std::process::id()));
    let file = std::fs::File::create(&path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let words = [Some("NA"), None, Some("?"), Some(""), Some("-")];
    put::<ByteArrayType>(&mut group, true, words.into_iter().map(|word| word.map(Into::into)));
    put::<Int64Type>(&mut group, false, (0..5).map(Some));
    put::<Int64Type>(&mut group, false, (10..15).map(Some));
    group.close().unwrap();
    writer.close().unwrap();
    let found = |target: TargetChoice, missing: Vec<String>| {
        read(&path, &Options { target, missing, ..Options::default() }).unwrap()
    };
    let gone = |loaded: &nearkin_read::Loaded| -> Vec<bool> {
        (0..5).map(|row| loaded.table.columns()[0].is_missing(row)).collect()
    };
    let loaded = found(TargetChoice::Auto, Vec::new());
    assert_eq!(loaded.target_name.as_deref(), Some("number"));
    assert_eq!(loaded.table.columns().len(), 1);
    assert_eq!(gone(&loaded), [false, true, false, true, false]);
    let column = "__index_level_0__".to_owned();
    assert_eq!(loaded.notes, [ReadNote::IndexLeftOut { column }]);
    let loaded = found(TargetChoice::Column("__index_level_0__".into()), vec!["?".into()]);
    assert_eq!(loaded.target, Some(Target::Real((10..15).map(f64::from).collect())));
    assert_eq!(gone(&loaded), [false, true, true, true, false]);
    assert!(loaded.notes.is_empty());
    std::fs::remove_file(&path).unwrap();
}

/// Rows of the long file, and where its row groups end: the first two are longer than what is
/// read at a time.
const ROWS: usize = 20_000;
const GROUPS: [std::ops::Range<usize>; 3] = [0..9_000, 9_000..18_999, 18_999..ROWS];

/// A number, half of a whole one; every seventh is missing.
fn half(row: usize) -> Option<f64> {
    (row % 7 != 3).then(|| (row * 7919 % 10_007) as f64 / 2.0)
}

fn whole(row: usize) -> i64 {
    (row * row % 9_973) as i64 - 5_000
}

/// One of five words; every eleventh is missing.
fn word(row: usize) -> Option<&'static str> {
    (row % 11 != 5).then(|| ["ash", "elm", "fir", "oak", "yew"][row * row / 3 % 5])
}

fn class(row: usize) -> &'static str {
    ["yes", "no"][row / 5 % 2]
}

/// Writes the long file, pages of a thousand rows.
fn write_long(path: &Path) {
    let schema = "message long {
        OPTIONAL DOUBLE half;
        REQUIRED INT64 whole;
        OPTIONAL BYTE_ARRAY word (UTF8);
        REQUIRED BYTE_ARRAY class (UTF8);
    }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let pages = WriterProperties::builder()
        .set_data_page_row_count_limit(1_000)
        .set_write_batch_size(100)
        .set_compression(Compression::SNAPPY);
    let file = std::fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(pages.build())).unwrap();
    for rows in GROUPS {
        let mut group = writer.next_row_group().unwrap();
        put::<DoubleType>(&mut group, true, rows.clone().map(half));
        put::<Int64Type>(&mut group, false, rows.clone().map(|row| Some(whole(row))));
        put::<ByteArrayType>(&mut group, true, rows.clone().map(|row| word(row).map(Into::into)));
        put::<ByteArrayType>(&mut group, false, rows.map(|row| Some(class(row).into())));
        group.close().unwrap();
    }
    writer.close().unwrap();
}

/// Writes the next column of a row group.
fn put<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, std::fs::File>,
    nullable: bool,
    cells: impl Iterator<Item = Option<T::T>>,
) {
    let cells: Vec<Option<T::T>> = cells.collect();
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let known: Vec<T::T> = cells.into_iter().flatten().collect();
    let mut column = group.next_column().unwrap().unwrap();
    let levels = nullable.then_some(&levels[..]);
    column.typed::<T>().write_batch(&known, levels, None).unwrap();
    column.close().unwrap();
}

#[test]
fn rows_beyond_one_batch_and_one_row_group_are_those_written() {
    let path = std::env::temp_dir().join(format!("nearkin-long-{}.parquet", std::process::id()));
    write_long(&path);
    let loaded = read(&path, &Options::default());
    std::fs::remove_file(&path).unwrap();
    let loaded = loaded.unwrap();
    let rows = 0..ROWS;
    // A missing number is no number: cells are compared one by one.
    let [halves, wholes, words] = loaded.table.columns() else { panic!("{:?}", loaded.table) };
    for row in rows.clone() {
        assert_eq!(cell(halves, row), Value::from(half(row)), "row {row}");
        assert_eq!(cell(wholes, row), Value::from(whole(row) as f64), "row {row}");
        assert_eq!(cell(words, row), Value::from(word(row)), "row {row}");
    }
    assert_eq!(loaded.table.rows(), ROWS);
    assert_eq!(loaded.target_name.as_deref(), Some("class"));
    assert_eq!(loaded.target, Some(Target::classes(rows.map(class))));
}

#[test]
fn a_table_in_parquet_is_the_one_in_text() {
    let path = |ending: &str| {
        std::env::temp_dir().join(format!("nearkin-same-{}.{ending}", std::process::id()))
    };
    let (parquet, csv) = (path("parquet"), path("csv"));
    write_long(&parquet);
    let mut text = String::from("half,whole,word,class\n");
    for row in 0..ROWS {
        let half = half(row).map_or(String::new(), |x| x.to_string());
        let word = word(row).unwrap_or_default();
        text += &format!("{half},{},{word},{}\n", whole(row), class(row));
    }
    std::fs::write(&csv, text).unwrap();
    let [found, meant] = [&parquet, &csv].map(|path| {
        let loaded = read(path, &Options::default()).unwrap();
        std::fs::remove_file(path).unwrap();
        loaded
    });
    assert_eq!(found.target, meant.target);
    for (found, meant) in found.table.columns().iter().zip(meant.table.columns()) {
        assert_eq!((&found.name, found.kind()), (&meant.name, meant.kind()));
        // Categories may be numbered in another order, and a missing number equals none.
        let differ = (0..ROWS).find(|&row| cell(found, row) != cell(meant, row));
        assert_eq!(differ, None, "{}", found.name);
    }
    assert_eq!(found.table.columns().len(), meant.table.columns().len());
}
