//! `data`, `methods` and `simulate`: what there is, and what can be made.

mod common;

use std::fs;

use common::Place;
use serde_json::Value;

#[test]
fn bundled_sets_are_listed_with_their_size_and_licence() {
    let place = Place::new();
    let out = place.run(&["data"]).well().out;
    for word in ["name", "rows", "columns", "classes", "kind", "licence", "BSD-3-Clause"] {
        assert!(out.contains(word), "{word}: {out}");
    }
    let sets: Value = serde_json::from_str(&place.run(&["data", "--json"]).well().out).unwrap();
    let iris = sets.as_array().unwrap().iter().find(|set| set["name"] == "iris").unwrap();
    assert_eq!((&iris["rows"], &iris["columns"]), (&150.into(), &4.into()));
    assert_eq!(iris["classes"].as_array().unwrap().len(), 3);
    for set in sets.as_array().unwrap() {
        assert!(out.contains(set["name"].as_str().unwrap()));
    }
}

#[test]
fn a_bundled_set_prints_as_csv() {
    let place = Place::new();
    let out = place.run(&["data", "iris"]).well().out;
    assert_eq!(out.lines().count(), 151);
    assert!(out.starts_with("sepal_length,sepal_width,petal_length,petal_width,class\n5.1,3.5,"));
    assert_eq!(place.run(&["data", "@iris"]).well().out, out);
}

#[test]
fn methods_list_their_parameters_once_for_people_and_once_for_programs() {
    let place = Place::new();
    let list = place.run(&["methods"]).well().out;
    assert!(list.lines().count() <= 40 && list.lines().all(|line| line.len() <= 100), "{list}");
    let methods: Value =
        serde_json::from_str(&place.run(&["methods", "--json"]).well().out).unwrap();
    for method in methods.as_array().unwrap() {
        let id = method["id"].as_str().unwrap();
        assert!(list.contains(&format!(" {id}")), "{id}");
        let out = place.run(&["methods", id]).well().out;
        assert!(out.contains(&format!("{id}: ")));
        assert!(out.contains("Reference: "), "{id}");
        let command = match method["question"].as_str().unwrap() {
            "weigh" | "wrap" => "weigh",
            "learn" => "learn",
            "classify" => "classify",
            _ => continue,
        };
        let help = place.run(&[command, "--help"]).well().out;
        for parameter in method["parameters"].as_array().unwrap() {
            let flag = parameter["flag"].as_str().unwrap();
            let shown = [" ", "[="].map(|end| help.contains(&format!("{flag}{end}")));
            assert!(out.contains(flag) && shown.contains(&true), "{flag}");
        }
    }
}

#[test]
fn one_method_is_told_of_by_name() {
    let place = Place::new();
    let sda = place.run(&["methods", "sda"]).well().out;
    assert!(sda.starts_with("sda: SDA") && sda.contains("--boundary"), "{sda}");
    assert!(!sda.contains("relieff"));
    for fact in ["γ_gh · exp(λ_gh", "Cost: ", "When to use: ", "When not to use it", "Reference: "]
    {
        assert!(sda.contains(fact), "{fact}");
    }
    let one: Value =
        serde_json::from_str(&place.run(&["methods", "srbs", "--json"]).well().out).unwrap();
    assert_eq!(one.as_array().unwrap().len(), 1);
    assert_eq!(one[0]["question"], "learn");
    for fact in ["what", "when", "cost", "publication"] {
        assert!(one[0][fact].as_str().unwrap().len() > 20, "{fact}");
    }
    assert!(one[0]["formulas"][0].as_str().unwrap().starts_with("ε(A) ="));
    place.run(&["methods", "sdaa"]).refused(2, &["`sdaa`", "sda", "relieff"]);
}

#[test]
fn a_simulated_table_is_made_again_from_its_seed() {
    let place = Place::new();
    let make = |seed| place.run(&["simulate", "xor", "--rows", "30", "--seed", seed]).well().out;
    assert_eq!(make("1"), make("1"));
    assert_ne!(make("1"), make("2"));
    assert_eq!(make("1").lines().count(), 31);
    assert!(make("1").starts_with("M0P0,M0P1,N0,"));
}

#[test]
fn the_truth_is_printed_alone_or_beside_a_file() {
    let place = Place::new();
    let words = ["simulate", "xor", "--rows", "30", "--truth"];
    assert_eq!(place.run(&words).well().out, "M0P0\nM0P1\n");
    assert!(place.files().is_empty());
    let both = place.run(&[&words[..], &["-o", "t.csv"]].concat()).well();
    assert_eq!(both.out, "M0P0\nM0P1\n");
    let table = fs::read_to_string(place.path("t.csv")).unwrap();
    assert_eq!(table.lines().count(), 31);
}

#[test]
fn every_generator_makes_a_table_that_can_be_read_back() {
    let place = Place::new();
    let help = place.run(&["simulate", "--help"]).well().out;
    let section = help.split("Generators:\n").nth(1).unwrap();
    let ids = section.lines().take_while(|line| !line.is_empty());
    let ids: Vec<&str> = ids
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(ids.len() >= 10, "{ids:?}");
    for id in ids {
        let name = format!("{id}.csv");
        place.run(&["simulate", id, "-o", &name, "-q"]).well();
        let answer = place.run(&["weigh", &name, "--k", "3", "-q", "--format", "csv"]);
        // A real target is for another method; it must be told, not mistaken for classes.
        match answer.code {
            Some(0) => assert!(answer.out.lines().count() > 1),
            _ => drop(answer.refused(2, &["relieff needs classes"])),
        }
    }
}

#[test]
fn a_file_is_described_as_it_would_be_read() {
    let place = Place::new();
    place.file("t.csv", "age,colour,snp,class\n4,red,0,a\n,blue,2,b\n5,red,1,b\n");
    let out = place.run(&["data", "t.csv"]).well().out;
    for part in
        ["3 rows, 3 features", "2 numeric, 1 missing", "1 nominal", "2 classes: a (1), b (2)"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    let told: Value =
        serde_json::from_str(&place.run(&["data", "t.csv", "--json"]).well().out).unwrap();
    assert_eq!(told["kinds"][0]["missing"], 1);
    place.run(&["data", "none.csv"]).refused(2, &["none.csv", "no such file"]);
    place.run(&["data", "iris", "--json"]).refused(2, &["--json", "`iris`"]);
}
