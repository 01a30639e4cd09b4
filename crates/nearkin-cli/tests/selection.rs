//! Selecting features, and handing their names on.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;

use common::Place;

fn features(place: &Place, words: &[&str]) -> Vec<String> {
    let words = [&["weigh"], words, &["--format", "csv", "-q"]].concat();
    let out = place.run(&words).well().out;
    out.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn rules_select_what_they_say() {
    let place = Place::new();
    let all = features(&place, &["@wine"]);
    assert_eq!(features(&place, &["@wine", "--select", "top:3"]), all[..3]);
    let heavy = features(&place, &["@wine", "--select", "weight:0.1"]);
    assert!(!heavy.is_empty() && heavy.len() < all.len() && all.starts_with(&heavy));
    assert_eq!(features(&place, &["@wine", "--select", "weight:-9"]), all);
    let sure = features(&place, &["@wine", "--p-values", "association", "--select", "p:1e-30"]);
    assert!(!sure.is_empty() && sure.len() < all.len());
    let fewer = features(&place, &["@wine", "--select", "q:1e-30"]);
    assert!(fewer.len() <= sure.len());
    let relief = ["@wine", "-m", "relief", "--tau", "0.05", "--select", "tau"];
    assert!(features(&place, &relief).len() < all.len());
    let some = features(&place, &["@epistasis", "--select", "zero"]);
    assert!(!some.is_empty() && some.len() < features(&place, &["@epistasis"]).len());
}

#[test]
fn selection_keeps_ranks_in_every_ranking_and_is_told() {
    let place = Place::new();
    let words = ["weigh", "@wine", "--select", "top:2", "--per-class", "--format", "csv"];
    let selected = place.run(&words).well().out;
    let all = place.run(&["weigh", "@wine", "--per-class", "--format", "csv"]).well().out;
    assert_eq!(selected.lines().count(), 1 + 2 * 4);
    assert!(selected.lines().all(|line| all.lines().any(|other| line == other)));
    let table = place.run(&["weigh", "@wine", "--select", "top:2"]).well().out;
    assert!(table.contains("\nselected by top:2: 2 of 13 features\n"), "{table}");
    let json = place.run(&["weigh", "@wine", "--select", "top:2", "--format", "json"]).well().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["select"], &json["columns"]), (&"top:2".into(), &13.into()));
    assert_eq!(json["weights"].as_array().unwrap().len(), 2);
}

#[test]
fn saved_columns_are_kept_by_the_next_run() {
    let place = Place::new();
    let save = ["@wine", "--select", "top:4", "--save-columns", "kept.txt"];
    let selected = features(&place, &save);
    let text = fs::read_to_string(place.path("kept.txt")).unwrap();
    assert_eq!(text, format!("{}\n", selected.join("\n")));
    assert_eq!(place.files(), ["kept.txt"]);
    let mut kept = features(&place, &["@wine", "--keep-columns", "kept.txt"]);
    let mut meant = selected.clone();
    kept.sort();
    meant.sort();
    assert_eq!(kept, meant);
    // The same as a file that never had the others.
    let all = features(&place, &["@wine"]);
    let others: Vec<&str> =
        all.iter().filter(|name| !selected.contains(name)).map(String::as_str).collect();
    let csv = |flag: &str, value: &str| {
        place.run(&["weigh", "@wine", "--format", "csv", flag, value]).well().out
    };
    assert_eq!(csv("--keep-columns", "kept.txt"), csv("--drop", &others.join(",")));
}

#[test]
fn lists_written_elsewhere_are_read_too() {
    let place = Place::new();
    place.file("kept.txt", "petal_width\r\n\r\nsepal_width");
    let words = ["@iris", "--keep-columns", "kept.txt"];
    assert_eq!(features(&place, &words), ["petal_width", "sepal_width"]);
}

#[test]
fn selecting_nothing_is_an_answer() {
    let place = Place::new();
    let words = ["weigh", "@wine", "--format", "csv", "--select", "weight:9"];
    let answer = place.run(&[&words[..], &["--save-columns", "none.txt"]].concat()).well();
    assert_eq!(answer.out, "rank,feature,weight\n");
    assert!(answer.err.contains("note: no feature is selected by weight:9"), "{answer:?}");
    assert_eq!(fs::read_to_string(place.path("none.txt")).unwrap(), "");
    place
        .run(&["weigh", "@wine", "--keep-columns", "none.txt"])
        .refused(2, &["none.txt", "names no column"]);
}

#[test]
fn an_answer_and_its_columns_go_into_two_files() {
    let place = Place::new();
    let words = ["weigh", "@iris", "--select", "top:1", "--save-columns", "c.txt", "-o", "w.csv"];
    place.run(&words).well();
    assert_eq!(place.files(), ["c.txt", "w.csv"]);
    assert_eq!(fs::read_to_string(place.path("c.txt")).unwrap(), "petal_width\n");
}
