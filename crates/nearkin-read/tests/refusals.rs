//! Bad input is refused in a sentence that says where, what was found and what to do.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use nearkin::data::ColumnValues;
use nearkin_read::{
    Format, Options, ReadError, ReadResult, TargetChoice, TargetKind, read, read_bytes, read_stream,
};

fn refuse(name: &str, bytes: &[u8], options: &Options) -> String {
    read_bytes(bytes, name, options).unwrap_err().to_string()
}

fn csv(text: &str) -> String {
    refuse("t.csv", text.as_bytes(), &Options::default())
}

fn arff(text: &str) -> String {
    refuse("t.arff", text.as_bytes(), &Options::default())
}

#[track_caller]
fn says(message: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` not in: {message}"));
}

fn scratch(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn target(name: &str) -> Options {
    Options { target: TargetChoice::Column(name.into()), ..Options::default() }
}

#[test]
fn a_missing_file_a_directory_and_an_unknown_format_are_named() {
    let at = |path: &Path| read(path, &Options::default());
    assert!(matches!(at(Path::new("none.csv")), Err(ReadError::NotFound { .. })));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    says(&at(folder).unwrap_err().to_string(), &["this is a directory; name a file"]);
    let message = at(&scratch("t.xlsb", b"a,b\n1,2\n")).unwrap_err().to_string();
    says(&message, &["`.xlsb` is no format that is known", ".arff", "say which format"]);
    says(&refuse("t", b"1", &Options::default()), &["no ending"]);
    says(&refuse("t.csv", b"PK\x03\x04....", &Options::default()), &["zip", "export it as CSV"]);
    let given = Options { format: Some(Format::Csv), ..Options::default() };
    assert!(read_bytes(b"a,b\n1,2\n", "t.xlsb", &given).is_ok());
}

#[test]
fn a_file_without_rows_is_refused() {
    for (name, text) in [("t.csv", ""), ("t.csv", "\n\n"), ("t.arff", ""), ("t.csv", "\u{feff}")] {
        says(&refuse(name, text.as_bytes(), &Options::default()), &["the file is empty"]);
    }
    says(&csv("a,b\n"), &["column names but no row"]);
    says(&arff("@attribute a numeric\n@data\n"), &["no row"]);
}

#[test]
fn a_ragged_row_tells_its_line_and_both_counts() {
    says(&csv("a,b\n1,2\n\n1,2,3\n"), &["t.csv, line 4: found 3 cells, expected 2"]);
    says(&csv("a,b\n1,2\n1\n"), &["line 3: found 1 cells"]);
    let message = arff("@attribute a numeric\n@attribute b numeric\n@data\n1,2\n1\n1,2,3\n");
    says(&message, &["t.arff, line 5: found 1 values, expected 2"]);
}

#[test]
fn an_unknown_column_suggests_the_nearest() {
    let text = b"age,weight,class\n1,2,a\n";
    says(&refuse("t.csv", text, &target("calss")), &["target", "`calss`", "did you mean `class`"]);
    for list in ["nominal", "numeric", "drop"] {
        let mut options = Options::default();
        match list {
            "nominal" => &mut options.nominal,
            "numeric" => &mut options.numeric,
            _ => &mut options.drop,
        }
        .push("wieght".into());
        says(&refuse("t.csv", text, &options), &[list, "did you mean `weight`"]);
    }
}

#[test]
fn repeated_column_names_are_refused() {
    let options = Options { header: Some(true), ..Options::default() };
    says(&refuse("t.csv", b"a,b,a\n1,2,3\n", &options), &["columns 0 and 2", "`a`", "rename"]);
    says(&arff("@attribute a real\n@attribute a real\n@data\n1,2\n"), &["both named `a`"]);
}

#[test]
fn text_that_is_not_utf8_tells_line_and_byte() {
    let message = refuse("t.csv", b"a,b\nx,1\ncaf\xE9,2\n", &Options::default());
    says(&message, &["line 3", "0xE9", "3 bytes into", "`a`", "UTF-8"]);
    says(&refuse("t.csv", b"caf\xE9,b\n1,1\n", &Options::default()), &["line 1", "0xE9"]);
    says(&refuse("t.arff", b"@relation r\n% caf\xE9\n", &Options::default()), &["line 2", "0xE9"]);
}

#[test]
fn an_endless_line_ends_at_the_limit() {
    let options = Options { max_record_bytes: 1 << 16, ..Options::default() };
    for name in ["t.csv", "t.arff", "t.data"] {
        for byte in [b'7', b',', b'"', b'{', 0] {
            let stream = std::io::repeat(byte);
            let message = read_stream(stream, name, &options).unwrap_err().to_string();
            says(&message, &["line 1", "65536 bytes", "max_record_bytes"]);
        }
    }
    let rows = std::io::Cursor::new("a,b\n1,2\n").chain(std::io::repeat(b'1'));
    let message = read_stream(rows, "t.csv", &options).unwrap_err().to_string();
    says(&message, &["t.csv, line 3"]);
}

#[test]
fn infinite_cells_are_refused_with_line_and_column() {
    says(&csv("a,b\n1,x\n-inf,y\n"), &["line 3, column `a`: `-inf` is infinite"]);
    says(&csv("a,b\n1e999,x\n1,y\n"), &["line 2, column `a`"]);
    says(&arff("@attribute a real\n@attribute b real\n@data\nInfinity,1\n"), &["line 4", "`a`"]);
    let array = npy("<f8", "(1, 2)", &[f64::INFINITY.to_le_bytes(), 1f64.to_le_bytes()].concat());
    says(&refuse("t.npy", &array, &Options::default()), &["row 0", "`x0`", "infinite"]);
}

#[test]
fn a_missing_target_is_refused_with_its_line() {
    says(&csv("a,class\n1,x\n2,?\n"), &["line 3, column `class`", "target is missing (`?`)"]);
    says(&arff("@attribute a real\n@attribute b {x}\n@data\n1,x\n1,?\n"), &["line 5", "missing"]);
    let array = npy("<f8", "(1, 2)", &[1f64.to_le_bytes(), f64::NAN.to_le_bytes()].concat());
    says(
        &refuse("t.npy", &array, &Options::default()),
        &["row 0", "`x1`", "the target is missing (`NaN`)"],
    );
}

#[test]
fn a_word_in_a_numeric_column_is_refused() {
    let options = Options { numeric: vec!["age".into()], ..Options::default() };
    let message = refuse("votes.csv", b"age,class\n1,a\nx,b\n", &options);
    says(&message, &["votes.csv, line 3, column `age`: `x` is not a number; ", "as nominal"]);
    let options = Options { target_kind: TargetKind::Real, ..Options::default() };
    says(&refuse("t.csv", b"a,y\n1,2\n1,x\n", &options), &["line 3, column `y`: `x`"]);
    says(
        &arff("@attribute a real\n@attribute b real\n@data\n1,2\nx,1\n"),
        &["line 5", "`x` is not"],
    );
}

#[test]
fn of_several_bad_cells_the_first_row_counts() {
    let options = Options { numeric: vec!["a".into(), "b".into()], ..Options::default() };
    let message = refuse("t.csv", b"a,b,c\n1,2,q\n1,y,q\nx,3,q\n1,2\n", &options);
    says(&message, &["line 3, column `b`: `y`"]);
}

#[test]
fn an_unclosed_quote_tells_where_it_opens() {
    says(&csv("a,b\n1,2\n\"3,4\n5,6\n"), &["t.csv, line 3: a quote opened", "close it"]);
    says(&arff("@attribute a {x}\n@attribute b real\n@data\n'x,1\n"), &["line 4", "never closed"]);
}

#[test]
fn damaged_gzip_is_told_from_damaged_text() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all("a,b\n1,2\n".repeat(1000).as_bytes()).unwrap();
    let whole = packer.finish().unwrap();
    let at = |bytes: &[u8]| refuse("t.csv.gz", bytes, &Options::default());
    says(&at(&whole[..whole.len() / 2]), &["t.csv.gz: the gzip data is damaged, cut short"]);
    says(&at(&whole[..whole.len() - 3]), &["gzip", "ends too early"]);
    says(&at(&[&whole[..], b"garbage"].concat()), &["gzip", "followed by other bytes"]);
    let mut wrong = whole.clone();
    let last = wrong.len() - 6;
    wrong[last] ^= 1;
    says(&at(&wrong), &["gzip"]);
    says(&at(&[0x1F, 0x8B]), &["gzip"]);
}

fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
}

#[test]
fn damaged_arrays_are_refused() {
    let at = |bytes: &[u8]| refuse("t.npy", bytes, &Options::default());
    let good = npy("|u1", "(2, 2)", &[1, 2, 3, 4]);
    assert!(read_bytes(&good, "t.npy", &Options::default()).is_ok());
    says(&at(&good[..good.len() - 1]), &["cut short", "(2, 2) takes 4 bytes, found 3"]);
    says(&at(&[&good[..], &[0]].concat()), &["more bytes than shape (2, 2)"]);
    says(&at(&good[..20]), &["ends within its header"]);
    says(&at(b"a,b\n1,2\n"), &["no NumPy file", "numpy.save"]);
    says(&at(b"\x93NUMPY\x09\x00aa"), &["version 9"]);
    says(&at(&npy("<c16", "(1, 1)", &[0; 16])), &["`<c16`", "astype"]);
    says(&at(&npy("<f8", "(2,)", &[0; 16])), &["shape is (2,)", "two dimensions"]);
    says(&at(&npy("<f8", "(0, 3)", &[])), &["(0, 3)", "empty"]);
    says(&at(&npy("<U1", "(1, 2)", &[0; 8])), &["holds text"]);
    let huge = "(9000000000000, 9000000000000)";
    says(&at(&npy("<f8", huge, &[0; 16])), &["larger than any memory"]);
    says(&at(&npy("|u1", "(2, 900000000000000)", &[0; 16])), &["cut short"]);
}

#[test]
fn a_target_file_of_another_length_is_refused() {
    let path = scratch("length.npy", &npy("|u1", "(3,)", &[0, 1, 0]));
    let options = Options { target: TargetChoice::Npy(path), ..Options::default() };
    says(
        &refuse("t.csv", b"a,b\n1,2\n", &options),
        &["table has 1 rows", "has 3", "one value for each row"],
    );
}

#[test]
fn arff_breaches_tell_their_line() {
    let start = "@relation r\n@attribute a {x,y}\n@attribute b real\n";
    let rows = |rows: &str| arff(&format!("{start}@data\n{rows}"));
    says(&rows("x,1\nz,2\n"), &["line 6, column `a`: `z` is not among", "`x`, `y`"]);
    says(&arff(start), &["line 3: the file ends without @data"]);
    says(&arff("@data\n1\n"), &["line 1", "before any @attribute"]);
    says(&arff("hello\n"), &["line 1: expected @relation", "`hello`"]);
    says(&arff("@attribute a\n@data\n"), &["line 1", "found the type ``"]);
    says(&arff("@attribute a colour\n"), &["type `colour`", "expected numeric"]);
    says(&arff("@attribute a {x,x}\n"), &["`x` is declared twice"]);
    says(&arff("@attribute a {x,y\n"), &["not closed"]);
    says(&arff("@attribute r relational\n"), &["line 1", "relational"]);
    says(&rows("x,1,{5}\n"), &["line 5", "weights"]);
    says(&rows("{0 x} , {5}\n"), &["line 5", "weights"]);
    says(&rows("{7 x}\n"), &["line 5: found `7`", "0 to 1"]);
    says(&rows("{0 x, 0 y}\n"), &["`a` has two values"]);
    says(&rows("{0 x\n"), &["not closed"]);
    says(&rows("'x' 'y',1\n"), &["line 5: expected `,`"]);
}

#[test]
fn dates_and_strings_are_refused_unless_dropped_or_nominal() {
    for kind in ["string", "DATE 'yyyy-MM-dd'"] {
        let text =
            format!("@attribute a {kind}\n@attribute b real\n@attribute c {{x}}\n@data\n'q',1,x\n");
        says(&arff(&text), &["line 1: attribute `a` is of type", "drop it"]);
        for list in [0, 1] {
            let mut options = Options::default();
            [&mut options.drop, &mut options.nominal][list].push("a".into());
            let loaded = read_bytes(text.as_bytes(), "t.arff", &options).unwrap();
            assert_eq!(loaded.table.columns().len(), 1 + list);
        }
    }
}

#[test]
fn a_table_needs_a_feature() {
    says(&csv("class\na\nb\n"), &["t.csv: the table has no feature columns"]);
}

#[test]
fn a_stream_that_fails_is_an_error_of_its_own() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the line went dead"))
        }
    }
    for name in ["t.csv", "t.arff", "t.npy"] {
        let loaded: ReadResult<_> = read_stream(Broken, name, &Options::default());
        says(&loaded.unwrap_err().to_string(), &[name, "the line went dead"]);
    }
}

#[test]
fn text_after_numbers_keeps_every_spelling_from_a_file_or_a_stream() {
    let text = "code,class\n007,a\n7.0,b\nx,a\n".as_bytes();
    let options = Options::default();
    let path = scratch("spelling.csv", text);
    let from_stream = read_stream(text, "spelling.csv", &options).unwrap();
    assert_eq!(read(&path, &options).unwrap(), from_stream);
    let ColumnValues::Nominal { categories, .. } = &from_stream.table.columns()[0].values else {
        unreachable!()
    };
    assert_eq!(categories, &["007", "7.0", "x"]);
}
