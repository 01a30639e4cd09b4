//! Experiments run from end to end, small.
#![allow(clippy::unwrap_used)]

#[path = "../../nearkin-cli/tests/common/mod.rs"]
mod common;

use common::Place;
use serde_json::Value;

/// Run an experiment away from any data folder.
fn run(place: &Place, words: &[&str]) -> String {
    let output = place.command(words).env_remove("NEARKIN_DATA").output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn double_relief_gives_every_verdict_on_any_number_of_threads() {
    let place = Place::new();
    let words = ["double-relief", "--quick", "--seeds", "1", "--threads"];
    let told = run(&place, &[&words[..], &["2"]].concat());
    for name in ["C1: ", "C2: ", "C3: ", "C4: ", "C5: ", "C6: ", "C7: "] {
        assert!(told.contains(&format!("\n{name}")), "{name}{told}");
    }
    assert!(told.contains("disjunction") && told.contains("Order of rows"));
    assert_eq!(run(&place, &[&words[..], &["1"]].concat()), told);
}

#[test]
fn an_interrupted_double_relief_goes_on_to_the_same_answer() {
    let place = Place::new();
    let words = ["double-relief", "--quick", "--seeds", "1", "--table"];
    let whole = run(&place, &[&words[..], &["1,3"]].concat());
    let resumed = || run(&place, &[&words[..], &["1,3", "--resume", "kept"]].concat());
    assert_eq!(resumed(), whole);
    let kept = std::fs::read_to_string(place.path("kept")).unwrap();
    // 7 numbers of relevant features, of which parity has 4, and one table for orders.
    assert_eq!(kept.lines().count(), 8 * 7 + 4 + 9);
    // Half of it, the last line cut short; one trial is altered to show that it is not run again.
    let half: String = kept.lines().take(30).map(|line| format!("{line}\n")).collect();
    let first = kept.lines().next().unwrap();
    let mut altered: Value = serde_json::from_str(first).unwrap();
    altered["value"][0][0] = 7.5.into();
    let half = half.replace(first, &altered.to_string()) + &kept.lines().nth(30).unwrap()[..25];
    place.file("kept", half);
    let again = resumed();
    assert_ne!(again, whole);
    let same = whole.lines().zip(again.lines()).filter(|(a, b)| a == b).count();
    assert!(same > whole.lines().count() / 2, "{again}");
    assert_eq!(std::fs::read_to_string(place.path("kept")).unwrap().lines().count(), 70);
}

#[test]
fn double_relief_runs_the_table_asked_for_and_draws_its_figures() {
    let place = Place::new();
    let words = ["double-relief", "--quick", "--seeds", "1", "--figures", "drawn"];
    let told = run(&place, &[&words[..], &["--table", "3"]].concat());
    assert!(told.contains("Order of rows") && !told.contains("Mean separability"), "{told}");
    assert!(told.contains("C1: not tried") && !told.contains("C7: not tried"), "{told}");
    assert!(!place.path("drawn").exists());
    run(&place, &[&words[..], &["--table", "1"]].concat());
    let drawn = std::fs::read_to_string(place.path("drawn/double-relief-majority.svg")).unwrap();
    for name in ["relieff", "pdrelieff", "drelieff", "relevant features"] {
        assert!(drawn.contains(name), "{name}");
    }
    let refused = ["double-relief", "--table", "6"];
    place.run(&refused).refused(2, &["--table", "1..=5"]);
}

#[test]
fn a_full_run_into_a_file_goes_on_from_what_is_kept_beside_it() {
    let place = Place::new();
    let words = ["double-relief", "--seeds", "1", "--table", "3", "-q", "-o", "out.txt"];
    run(&place, &words);
    let whole = std::fs::read_to_string(place.path("out.txt")).unwrap();
    assert!(!place.path("out.txt.trials").exists());
    // As an interrupted run would leave it: one trial, altered to show that it is taken up.
    let kept = [&words[..5], &["-q", "--resume", "kept"]].concat();
    run(&place, &kept);
    let kept = std::fs::read_to_string(place.path("kept")).unwrap();
    let mut first: Value = serde_json::from_str(kept.lines().next().unwrap()).unwrap();
    first["value"][0][0] = 7.5.into();
    place.file("out.txt.trials", format!("{first}\n"));
    run(&place, &words);
    assert_ne!(std::fs::read_to_string(place.path("out.txt")).unwrap(), whole);
    assert!(!place.path("out.txt.trials").exists());
}

#[test]
fn without_data_the_printed_table_is_checked_and_the_rest_told_missing() {
    let place = Place::new();
    let words = ["class-dependent", "--quick", "--seeds", "1"];
    let output = place.command(&words).env_remove("NEARKIN_DATA").output().unwrap();
    assert!(output.status.success());
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("over the eight sets: 0.5952 (printed 0.5952)"), "{out}");
    assert!(out.contains("0.0598 by t, 0.0661 exact"), "{out}");
    assert!(out.contains("table 2: held") && out.contains("tumor-size: not tried"), "{out}");
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("NEARKIN_DATA"), "{err}");
}

#[test]
fn a_data_set_that_is_there_is_run_and_the_others_are_told_missing() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("data/tables")).unwrap();
    // As many rows as Bupa's, and one column that tells the classes apart.
    let mut bupa = String::from("a,b,c,class\n");
    for row in 0..345 {
        let class = 1 + row % 2;
        bupa += &format!("{},{},{},{class}\n", class * 10 + row % 7, row % 11, row * 13 % 29);
    }
    place.file("data/tables/bupa.csv", bupa);
    place.file("data/tables/pima.csv", "x,class\n1,0\n2,1\n");
    let words = ["class-dependent", "--data", "data", "--quick", "--seeds", "2"];
    let json = run(&place, &[&words[..], &["--format", "json", "-q"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    let notes = json["notes"].to_string();
    assert!(notes.contains("breast-cancer-ida.csv is not there"), "{notes}");
    assert!(notes.contains("2 complete rows and the paper used 768"), "{notes}");
    let csv = run(&place, &[&words[..], &["--format", "csv", "-q"]].concat());
    assert!(csv.starts_with("reading,dataset,ranking,features,splits,accuracy,deviation\n"));
    assert!(csv.contains("\nas written,Bupa,relief,1,2,1,0\n"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 2 * 2 * 3);
}

#[test]
fn a_wrong_experiment_or_folder_is_told() {
    let place = Place::new();
    place.run(&[]).refused(2, &["name an experiment", "double-relief"]);
    place.run(&["nothing"]).refused(2, &["`nothing` is no experiment"]);
    let words = ["class-dependent", "--data", "nowhere"];
    place.run(&words).refused(2, &["--data", "nowhere", "tables"]);
}

#[test]
fn without_data_the_bundled_sets_of_a_paper_are_run_and_the_rest_told_missing() {
    let place = Place::new();
    let words = ["relief-srbs", "--quick", "--seeds", "1", "--table", "2"];
    let output = place.command(&words).env_remove("NEARKIN_DATA").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("Iris") && out.contains("| 0.987") && !out.contains("\nGlass "), "{out}");
    assert!(out.contains("Table 2: ") && out.contains("RBS on Iris: not tried"), "{out}");
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("NEARKIN_DATA") && err.contains("@balance-scale"), "{err}");
}
