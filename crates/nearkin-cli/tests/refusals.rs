//! Bad input: one sentence that names the place, exit code 2, nothing written anywhere.

mod common;

use common::Place;

const GOOD: &str = "x,y,class\n1,2,a\n2,1,a\n3,4,b\n4,3,b\n";

/// Weigh a file of this name and content: refused with a sentence of these parts.
#[track_caller]
fn refuse(name: &str, content: impl AsRef<[u8]>, parts: &[&str]) {
    refuse_with(name, content, &[], parts);
}

#[track_caller]
fn refuse_with(name: &str, content: impl AsRef<[u8]>, flags: &[&str], parts: &[&str]) {
    let place = Place::new();
    place.file(name, content);
    let words = [&["weigh", name, "-o", "out.csv"], flags].concat();
    place.run(&words).refused(2, parts);
    assert_eq!(place.files(), [name]);
}

#[test]
fn a_missing_file() {
    Place::new().run(&["weigh", "no.csv"]).refused(2, &["no.csv", "no such file"]);
}

#[cfg(unix)]
#[test]
fn a_missing_file_whose_name_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let mut command = place.command(&["weigh"]);
    let output = command.arg(std::ffi::OsStr::from_bytes(b"caf\xe9.csv")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no such file"));
}

#[test]
fn a_directory() {
    Place::new().run(&["weigh", "."]).refused(2, &["directory"]);
}

#[test]
fn an_empty_file() {
    refuse("t.csv", "", &["t.csv", "empty"]);
}

#[test]
fn a_header_without_rows() {
    refuse("t.csv", "x,y,class\n", &["t.csv", "no row"]);
}

#[test]
fn a_ragged_row() {
    refuse("t.csv", "x,y,class\n1,2,a\n1,b\n", &["t.csv", "line 3", "2 cells", "expected 3"]);
}

#[test]
fn an_unknown_target() {
    refuse_with("t.csv", GOOD, &["--target", "klass"], &["t.csv", "target", "`klass`"]);
}

#[test]
fn an_unknown_dropped_column() {
    refuse_with("t.csv", GOOD, &["--drop", "q"], &["t.csv", "drop", "`q`"]);
}

#[test]
fn a_single_class() {
    refuse("t.csv", GOOD.replace('b', "a"), &["t.csv", "class `a`", "two classes"]);
}

#[test]
fn a_real_target_for_a_class_method() {
    let content = "x,y\n1,0.5\n2,0.25\n3,1.5\n";
    refuse("t.csv", content, &["t.csv", "relieff needs classes", "--target-kind classes"]);
}

#[test]
fn bytes_that_are_no_text() {
    refuse("t.csv", b"x,class\n1,a\n2,caf\xe9\n", &["t.csv", "line 3", "UTF-8"]);
}

#[test]
fn an_infinite_cell() {
    refuse("t.csv", "x,class\n1,a\ninf,b\n", &["t.csv", "line 3", "`x`"]);
}

#[test]
fn a_missing_target_cell() {
    refuse("t.csv", "x,class\n1,a\n2,?\n", &["t.csv", "line 3", "`class`"]);
}

#[test]
fn a_text_in_a_numeric_column() {
    let content = "x,class\n1,a\nred,b\n";
    refuse_with("t.csv", content, &["--numeric", "x"], &["t.csv", "line 3", "`x`", "`red`"]);
}

#[test]
fn two_columns_of_one_name() {
    refuse_with("t.csv", "x,x,class\n1,2,a\n3,4,b\n", &["--header"], &["t.csv", "`x`"]);
}

#[test]
fn a_truncated_npy_file() {
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }";
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let padded = format!("{header:<117}\n");
    bytes.extend((padded.len() as u16).to_le_bytes());
    bytes.extend(padded.bytes());
    bytes.extend([0; 40]);
    refuse("t.npy", bytes, &["t.npy"]);
}

#[test]
fn a_truncated_gzip_file() {
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    bytes.extend([0x4b, 0xd4]);
    refuse("t.csv.gz", bytes, &["t.csv.gz", "gzip"]);
}

#[test]
fn a_file_of_unknown_format() {
    refuse("t.xyz", GOOD, &["t.xyz", "`.xyz`"]);
}

#[test]
fn an_unknown_method() {
    refuse_with("t.csv", GOOD, &["--method", "reliefg"], &["--method", "`reliefg`", "relieff"]);
}

#[test]
fn a_flag_that_the_method_lacks_names_those_it_has() {
    let parts = ["--radius", "relieff has no such parameter", "--k", "--metric", "--seed"];
    refuse_with("t.csv", GOOD, &["--radius", "3"], &parts);
    refuse_with("t.csv", GOOD, &["--tagret", "y"], &["--tagret", "did you mean --target"]);
}

#[test]
fn values_out_of_range() {
    refuse_with("t.csv", GOOD, &["--k", "0"], &["--k", "at least 1", "got 0"]);
    refuse_with("t.csv", GOOD, &["--k", "-3"], &["--k", "`-3`"]);
    refuse_with("t.csv", GOOD, &["--k", "many"], &["--k", "whole number", "`many`"]);
    refuse_with("t.csv", GOOD, &["--metric", "cosine"], &["--metric", "cosine", "manhattan"]);
    refuse_with("t.csv", GOOD, &["--sample", "5"], &["--sample", "rows, 4", "got 5"]);
    refuse_with("t.csv", GOOD, &["--priors", "1"], &["--priors", "2 classes"]);
    refuse_with("t.csv", GOOD, &["--delimiter", "ab"], &["--delimiter", "`ab`"]);
    refuse_with("t.csv", GOOD, &["--threads", "x"], &["--threads", "x"]);
    refuse_with("t.csv", GOOD, &["--threads", "100000"], &["--threads", "1024"]);
    refuse_with("t.csv", GOOD, &["--top", "0"], &["--top", "0"]);
    refuse_with("t.csv", GOOD, &["--explain", "4"], &["--explain", "t.csv", "no row 4"]);
    refuse_with("t.csv", GOOD, &["--header", "--no-header"], &["--header", "--no-header"]);
}

#[test]
fn a_row_outside_the_sample_cannot_be_explained() {
    let place = Place::new();
    let explain = |row: &str| {
        place.run(&["weigh", "@iris", "--sample", "1", "--explain", row, "--format", "csv"])
    };
    let answers = ["0", "1"].map(explain);
    let refused = answers.into_iter().find(|answer| answer.code != Some(0)).unwrap();
    refused.refused(2, &["--explain", "--sample"]);
}

#[test]
fn wishes_that_a_method_cannot_fulfil() {
    let refuse = |flags: &str, parts: &[&str]| {
        refuse_with("t.csv", GOOD, &flags.split(' ').collect::<Vec<_>>(), parts);
    };
    refuse("-m surf-star --p-values stir", &["--p-values", "surf-star", "use permutation"]);
    refuse("-m relief-seq --interval", &["relief-seq", "intervals", "permutation p-values are"]);
    refuse("-m relief-psd --interval", &["--interval", "use relieff"]);
    refuse("-m relief --p-values stir", &["--p-values", "squared"]);
    refuse("--wrap turf --per-class", &["turf", "weights per class"]);
    refuse("--wrap vls --pairs", &["vls", "weights per class"]);
    refuse("-m myopic-relieff --explain 0", &["myopic-relieff", "row"]);
}

#[test]
fn wishes_that_do_not_fit_together() {
    let refuse = |flags: &str, parts: &[&str]| {
        refuse_with("t.csv", GOOD, &flags.split(' ').collect::<Vec<_>>(), parts);
    };
    refuse("--wrap trf", &["--wrap", "`trf`", "turf, vls"]);
    refuse("--turf-keep 2", &["--turf-keep", "--wrap turf"]);
    refuse("--wrap vls --turf-keep 2", &["--turf-keep", "--wrap turf"]);
    refuse("--wrap turf --turf-keep 0", &["--turf-keep", "at least 1"]);
    refuse("--wrap turf --radius 2", &["--radius"]);
    refuse("--permutations 9", &["--permutations", "--p-values permutation"]);
    refuse("--p-values stir --permutations 9", &["--permutations", "--p-values permutation"]);
    refuse("--p-values permutation --permutations 0", &["--permutations", "0"]);
    refuse("--p-values exact", &["--p-values", "exact", "stir"]);
    refuse("--replicates 9", &["--replicates", "--interval"]);
    refuse("--interval 95", &["--interval", "95", "above 0 and below 1"]);
    refuse("--interval 0", &["--interval", "above 0 and below 1"]);
    refuse("--null 18", &["--null", "18"]);
    refuse("-m association --p-values stir", &["--p-values", "stir", "of its own"]);
    refuse("--select best", &["--select", "best", "top:N"]);
    refuse("--select top:0", &["--select", "top:0", "at least 1"]);
    refuse("--select tau", &["--select", "relieff", "--method relief"]);
    refuse("--save-columns c.txt", &["--save-columns", "--select"]);
    refuse("--select zero --save-columns out.csv", &["--save-columns", "--output"]);
    refuse("--select zero --save-columns t.csv", &["--save-columns", "the table itself"]);
    Place::new().run(&["weigh", "--interval", "@iris"]).refused(2, &["--interval=0.95"]);
}

#[test]
fn columns_to_keep_that_are_not_there() {
    let place = Place::new();
    place.file("t.csv", GOOD).file("kept.txt", "x\n\nz\n").file("odd.txt", b"caf\xe9");
    let keep = |file: &str| place.run(&["weigh", "t.csv", "--keep-columns", file]);
    keep("kept.txt").refused(2, &["--keep-columns", "kept.txt, line 3", "t.csv", "`z`"]);
    keep("no.txt").refused(2, &["--keep-columns", "no.txt"]);
    keep("odd.txt").refused(2, &["--keep-columns", "odd.txt", "UTF-8"]);
    place.file("target.txt", "class\n");
    keep("target.txt").refused(2, &["`class`", "no feature column"]);
}

#[test]
fn simulated_tables_that_no_machine_holds() {
    let place = Place::new();
    let help = place.run(&["simulate", "--help"]).well().out;
    let section = help.split("Generators:\n").nth(1).unwrap();
    // A summary may go on in a second line, further in.
    let ids = section.lines().take_while(|line| !line.is_empty());
    let ids = ids.filter(|line| !line.starts_with("   "));
    for id in ids.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()) {
        let huge = "1000000000000000000";
        place.run(&["simulate", id, "--irrelevant", huge]).refused(2, &["--rows", "cells"]);
        place.run(&["simulate", id, "--rows", huge]).refused(2, &["--rows"]);
    }
}

#[test]
fn words_that_are_no_command() {
    let place = Place::new();
    place.run(&[]).refused(2, &["weigh", "data", "simulate", "methods", "--help"]);
    place.run(&["wiegh"]).refused(2, &["`wiegh`", "weigh"]);
    place.run(&["help", "wiegh"]).refused(2, &["`wiegh`", "weigh"]);
    place.run(&["weigh"]).refused(2, &["<TABLE>"]);
    place.run(&["weigh", "@iris", "more"]).refused(2, &["`more`"]);
    place.run(&["weigh", "@irsi"]).refused(2, &["`irsi`", "iris"]);
    place.run(&["data", "irsi"]).refused(2, &["`irsi`", "iris"]);
    place.run(&["data", "--k", "3"]).refused(2, &["--k"]);
    place.run(&["simulate"]).refused(2, &["generator", "xor"]);
    place.run(&["simulate", "xro"]).refused(2, &["`xro`", "xor"]);
    place.run(&["simulate", "xor", "--k", "1"]).refused(2, &["--k", "xor", "--rows"]);
    place.run(&["simulate", "xor", "--rows", "1"]).refused(2, &["--rows", "at least 2"]);
}

#[test]
fn flags_about_a_files_cells_for_a_set_that_is_no_file() {
    for flag in ["--header", "--no-header", "--delimiter=;", "--input-format=csv"] {
        let name = flag.split('=').next().unwrap();
        Place::new().run(&["weigh", "@iris", flag]).refused(2, &[name, "@iris is no file"]);
    }
}

#[test]
fn an_answer_in_place_of_its_table() {
    let place = Place::new();
    place.file("t.csv", GOOD);
    place.run(&["weigh", "t.csv", "-o", "./t.csv"]).refused(2, &["t.csv", "the table itself"]);
    assert_eq!(std::fs::read_to_string(place.path("t.csv")).unwrap(), GOOD);
}

#[test]
fn an_output_whose_form_is_not_told() {
    let place = Place::new();
    place.run(&["weigh", "@iris", "-o", "out.dat"]).refused(2, &["out.dat", "--format"]);
    assert!(place.files().is_empty());
}

#[test]
fn what_is_odd_but_usable_works_with_a_note() {
    let place = Place::new();
    let notes = |content: &str, flags: &[&str]| {
        place.file("t.csv", content);
        place.run(&[&["weigh", "t.csv", "--format", "csv"], flags].concat()).well()
    };
    let lonely = notes(&format!("{GOOD}9,9,c\n"), &["--k", "1"]);
    assert!(lonely.err.contains("warning: class `c` has one row"), "{lonely:?}");
    let few = notes(GOOD, &["--k", "100"]);
    assert!(few.err.contains("note: class `a` has 2 rows"), "{few:?}");
    let silent = notes("x,same,none,class\n1,5,,a\n2,5,,a\n3,5,,b\n4,5,,b\n", &["--k", "1"]);
    assert!(silent.err.contains("note: column `none` has no known value"), "{silent:?}");
    assert!(silent.out.contains("same,0\n") && silent.out.contains("none,0\n"), "{silent:?}");
    assert!(silent.err.contains("note: column `same` is constant and gets weight 0"));
    let quiet = notes(GOOD, &["--k", "100", "--quiet"]);
    assert_eq!(quiet.err, "");
}

#[test]
fn a_number_below_what_is_asked_for_is_refused_in_a_sentence() {
    let place = Place::new();
    place
        .run(&["weigh", "@iris", "--top", "-3"])
        .refused(2, &["--top", "whole number of at least 1"]);
    place.run(&["report", "@iris", "--seed", "-1"]).refused(2, &["--seed", "whole number"]);
    place.run(&["evaluate", "@iris", "--seed", "-1"]).refused(2, &["--seed", "whole number"]);
    place.run(&["learn", "@iris", "-o", "-"]).refused(2, &["--output", "into a file"]);
}

#[test]
fn a_column_whose_name_has_a_comma_can_be_dropped() {
    let place = Place::new();
    place.file("t.csv", "\"a,b\",c,class\n1,2,x\n2,1,x\n8,9,y\n9,7,y\n");
    let answer = place.run(&["weigh", "t.csv", "--k", "1", "--drop", "\"a,b\"", "--format", "csv"]);
    assert!(!answer.well().out.contains("a,b"));
}
