//! `nearkin-papers gametes`: tables of known truth in a folder.
#![allow(clippy::unwrap_used)]

#[path = "../../nearkin-cli/tests/common/mod.rs"]
mod common;

use common::Place;
use nearkin::simulate::{Simulate, Xor};
use nearkin_cli::csv;

/// A folder with one group of two replicates.
fn place() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path("data/gametes/pair")).unwrap();
    for seed in [1, 2] {
        let made = Xor { rows: 120, seed, ..Xor::default() }.generate().unwrap();
        let mut file = Vec::new();
        csv::table(&mut file, &made.table, &made.target, "class").unwrap();
        place.file(&format!("data/gametes/pair/0{seed}.csv"), file);
    }
    place
}

const WORDS: [&str; 4] = ["gametes", "--data", "data", "-q"];

#[test]
fn every_method_is_scored_on_every_group() {
    let place = place();
    let out = place.run(&[&WORDS[..], &["--format", "csv"]].concat()).well().out;
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("group,method,peer_method,replicates,auc,auc_error,power,"));
    // Nine contenders for classes; the one for real targets has nothing to do.
    assert_eq!(lines.len(), 10, "{out}");
    assert!(lines[1].starts_with("pair,relieff,relieff,2,"), "{out}");
    assert!(lines[1].ends_with("not recorded,"), "{out}");
}

#[test]
fn chosen_methods_appear_in_every_form() {
    let place = place();
    let words = [&WORDS[..], &["--methods", "multisurf"]].concat();
    let out = place.run(&words).well().out;
    assert!(out.contains("multisurf beside scikit-rebate's multisurf"), "{out}");
    assert!(!out.contains("pdrelieff"));
    let page = place.run(&[&words[..], &["--format", "markdown"]].concat()).well().out;
    assert!(page.starts_with("# nearkin-papers gametes\n"), "{page}");
    assert!(page.contains("- **multisurf: not tried.**"), "{page}");
}

#[test]
fn what_is_not_there_is_refused() {
    let place = place();
    let words = [&WORDS[..], &["--methods", "magic"]].concat();
    place.run(&words).refused(2, &["--methods: `magic` is not among relieff"]);
    let elsewhere = ["gametes", "--data", "nowhere"];
    place.run(&elsewhere).refused(2, &["--data: nowhere has neither"]);
}
