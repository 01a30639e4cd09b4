//! `evaluate` from end to end, small.
#![allow(clippy::unwrap_used)]

mod common;

use common::Place;
use serde_json::Value;

const WORDS: [&str; 6] =
    ["evaluate", "@iris", "--methods", "knn(k=3), cosine > sknn(k=3)", "--protocol", "3-fold"];

fn with<'w>(more: &[&'w str]) -> Vec<&'w str> {
    [&WORDS[..], more].concat()
}

#[test]
fn a_line_a_method_the_same_on_any_number_of_threads() {
    let place = Place::new();
    let csv = |threads| place.run(&with(&["--format", "csv", "--threads", threads])).well().out;
    let one = csv("1");
    assert!(one.starts_with("method,accuracy,accuracy_sd,"), "{one}");
    let methods: Vec<&str> = one.lines().skip(1).map(|l| l.split(',').next().unwrap()).collect();
    let meant = ["knn(k=3)", "cosine > sknn(k=3)", "cosine > knn", "euclidean > knn", "majority"];
    assert_eq!(methods, meant);
    let accuracy: f64 = one.lines().nth(1).unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert!((0.9..=1.0).contains(&accuracy));
    assert_eq!(csv("3"), one);
}

#[test]
fn finished_trials_are_not_done_again() {
    let place = Place::new();
    let words = with(&["--resume", "trials", "--format", "json", "--predictions", "said.csv"]);
    let first = place.run(&words).well();
    let trials = std::fs::read_to_string(place.path("trials")).unwrap();
    assert_eq!(trials.lines().count(), 5 * 3);
    // Half of the trials are lost, and one is cut short.
    let kept: Vec<&str> = trials.lines().take(7).collect();
    place.file("trials", format!("{}\n{{\"study\": \"@ir", kept.join("\n")));
    let again = place.run(&words).well();
    assert_eq!(again.out, first.out);
    assert!(again.err.contains("7 trials were done before"), "{}", again.err);
    let said = std::fs::read_to_string(place.path("said.csv")).unwrap();
    assert_eq!(said.lines().count(), 1 + 5 * 150);
    assert!(said.starts_with("table,method,split,asked,row,truth,said,right,probabilities\n"));
    // Another seed is another study.
    let other = place.run(&[&words[..], &["--seed", "1"]].concat()).well();
    assert!(!other.err.contains("done before"), "{}", other.err);
}

#[test]
fn several_tables_are_ranked() {
    let place = Place::new();
    let words = ["evaluate", "@iris", "@wine", "--methods", "knn(k=3)", "--protocol", "3-fold"];
    let told = place.run(&words).well().out;
    assert!(told.contains("Over 2 tables") && told.contains("critical difference"), "{told}");
    let json = place.run(&[&words[..], &["--format", "json"]].concat()).well().out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["tables"][1]["table"], "@wine");
    assert!(json["over_tables"]["mean_ranks"]["majority"].as_f64().unwrap() > 3.0);
    let first = &json["tables"][0]["methods"][0];
    let counts = first["confusion"][0].as_array().unwrap().iter();
    let total: u64 = counts.flat_map(|r| r.as_array().unwrap()).map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(total, 150);
}

#[test]
fn groups_stay_together_and_are_no_feature() {
    let place = Place::new();
    let mut table = String::from("x,who,class\n");
    for row in 0..40 {
        table += &format!("{}.5,p{},{}\n", row % 2 * 5 + row % 3, row / 4, ["a", "b"][row % 2]);
    }
    place.file("t.csv", table);
    let words = ["evaluate", "t.csv", "--target", "class", "--groups", "who", "--protocol"];
    let more = ["5-fold", "--methods", "knn(k=1)", "--predictions", "said.csv"];
    place.run(&[&words[..], &more].concat()).well();
    let said = std::fs::read_to_string(place.path("said.csv")).unwrap();
    let split = |row: usize| {
        let line = said.lines().find(|l| l.split(',').nth(4) == Some(&row.to_string()));
        line.unwrap().split(',').nth(2).unwrap().to_owned()
    };
    assert!((0..40).all(|row| split(row) == split(row / 4 * 4)));
}

#[test]
fn what_cannot_be_evaluated_is_told() {
    let place = Place::new();
    place.run(&["evaluate"]).refused(2, &["name a table"]);
    let nothing = ["evaluate", "@iris", "--methods", "nothing"];
    let err = place.run(&nothing).refused(2, &["--methods: `nothing`", "local-sda", "srbs"]).err;
    assert!(!err.contains("--similarity"), "{err}");
    let wrong = ["evaluate", "@iris", "--methods", "knn(z=3)"];
    place.run(&wrong).refused(2, &["--methods: `knn(z=3)`: z: knn has no such parameter"]);
    place.run(&with(&["--against", "x"])).refused(2, &["--against", "knn(k=3)"]);
    place.run(&["evaluate", "@iris", "--protocol", "often"]).refused(2, &["--protocol"]);
    place.run(&["evaluate", "@iris", "--groups", "x"]).refused(2, &["--groups", "`x`"]);
    place.file("p.toml", "[[plan]]\nscaling = \"huge\"\n");
    place.run(&["evaluate", "@iris", "--plan", "p.toml"]).refused(2, &["p.toml", "plan 1"]);
    let twice = ["evaluate", "@iris", "--methods", "sda, sda"];
    place.run(&twice).refused(2, &["twice"]);
}

#[test]
fn a_method_without_answers_is_told_and_the_others_are_shown() {
    let place = Place::new();
    place.file("t.csv", "a,b,class\n1,,x\n2,3,y\n,1,x\n4,2,y\n1,1,x\n3,3,y\n5,1,z\n");
    let words = ["evaluate", "t.csv", "--target", "class", "--protocol", "2-fold", "--methods"];
    let told = place.run(&[&words[..], &["knn(k=1), cosine > sknn(k=1)"]].concat());
    assert_eq!(told.code, Some(2), "{told:?}");
    assert!(told.err.contains("t.csv: cosine > sknn(k=1) gave no answers: row"), "{}", told.err);
    assert!(told.out.contains("knn(k=1)") && told.out.contains("majority"), "{}", told.out);
    assert!(told.err.contains("class `z` has 1 rows and there are 2 folds"), "{}", told.err);
    // The cosine that always stands beside others may fail.
    let quiet = place.run(&[&words[..], &["knn(k=1)", "-q"]].concat()).well();
    assert!(quiet.out.contains("cosine > knn: no answers: row") && quiet.err.is_empty());
}

#[test]
fn a_sure_answer_has_no_loss_and_other_rows_of_the_same_name_are_another_study() {
    let place = Place::new();
    let rows = |far: u32| -> String {
        let row = |i: u32| format!("{},{}\n", i % 2 * far + i, ["a", "b"][i as usize % 2]);
        format!("x,class\n{}", (0..12).map(row).collect::<String>())
    };
    place.file("t.csv", rows(100));
    let words = ["evaluate", "t.csv", "--target", "class", "--protocol", "3-fold", "--methods"];
    let words = [&words[..], &["knn(k=1)", "--resume", "trials"]].concat();
    let told = place.run(&words).well();
    assert!(told.out.contains(" 0.000") && !told.out.contains("-0.000"), "{}", told.out);
    assert!(place.run(&words).well().err.contains("trials were done before"));
    place.file("t.csv", rows(50));
    assert!(!place.run(&words).well().err.contains("done before"));
}

#[test]
fn folds_are_as_many_as_the_smallest_class_allows_unless_said() {
    let place = Place::new();
    place.file("few.csv", "x,class\n1,a\n2,a\n3,a\n7,b\n8,b\n9,b\n");
    let words = ["evaluate", "few.csv", "--target", "class", "--methods", "knn(k=1)"];
    let answer = place.run(&words).well();
    assert!(answer.out.starts_with("3-fold, stratified"), "{answer:?}");
    assert!(answer.err.contains("3 folds in place of 10: few.csv"), "{answer:?}");
    let said = place.run(&[&words[..], &["--protocol", "10-fold"]].concat());
    said.refused(2, &["folds must be from 2 to 6", "got 10"]);
    // A class of one row is in one fold however many there are.
    place.file("one.csv", "x,class\n1,a\n2,a\n3,a\n7,b\n8,b\n9,b\n4,c\n");
    let words = ["evaluate", "one.csv", "--target", "class", "--methods", "knn(k=1)"];
    assert!(place.run(&words).well().out.starts_with("3-fold"));
}

#[test]
fn naive_bayes_is_evaluated_beside_the_others() {
    let place = Place::new();
    let mut table = String::from("coat,legs,kind\n");
    for row in 0..24 {
        let (coat, legs) = (["fur", "down"][row % 2], ["four", "two"][(row + row / 12) % 2]);
        table += &format!("{coat},{legs},{}\n", ["cat", "bird"][row % 2]);
    }
    place.file("t.csv", table);
    let words = ["evaluate", "t.csv", "--target", "kind", "--protocol", "4-fold", "--methods"];
    let methods = "naive-bayes, best 1 by relieff > naive-bayes(alpha=0.5), counting > knn(k=1)";
    let csv = place.run(&[&words[..], &[methods, "--format", "csv"]].concat()).well().out;
    let line = |name: &str| csv.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("naive-bayes").starts_with("naive-bayes,1,"), "{csv}");
    assert!(line("best 1 by relieff > naive-bayes").contains(",1,"), "{csv}");
    let refused = |method: &str, told: &str| {
        let err = place.run(&[&words[..], &[method]].concat()).refused(2, &[told]).err;
        assert!(err.contains("naive-bayes"), "{err}");
    };
    refused("cosine > naive-bayes", "leave the similarity out");
    refused("weighed by relieff > naive-bayes", "keep the best of them");
    refused("naive-bayes(colour=red)", "colour");
    let by = [&words[..], &["psvm", "--choose-by", "log-loss", "--plan", "p.toml"]].concat();
    place.file(
        "p.toml",
        "[[plan]]\nclassifier = \"psvm\"\n[plan.grid]\n\"classifier.c\" = [1, 2]\n",
    );
    let by: Vec<&str> = by.iter().copied().filter(|w| !["--methods", "psvm"].contains(w)).collect();
    let told = place.run(&by);
    assert!(told.err.contains("--choose-by") || told.err.contains("choose-by:"), "{told:?}");
}

/// Finished trials are those of the same data: columns, targets, labels and signs as they were read.
#[test]
fn what_was_read_otherwise_is_another_study() {
    let place = Place::new();
    let mut text = String::from("x,y,class,other\n");
    for row in 0..20 {
        let (a, b) = (["a", "b"][row % 2], ["c", "d"][row / 10]);
        text += &format!("{},{},{a},{b}\n", row % 2 * 5 + row % 3, row);
    }
    place.file("t.csv", text);
    let cells = |row: usize| (0..6).map(|c| (6 - row.abs_diff(c)).to_string()).collect::<Vec<_>>();
    let s: String = (0..6).map(|row| cells(row).join(",") + "\n").collect();
    place.file("s.csv", s).file("y.txt", "a\na\na\nb\nb\nb\n").file("z.txt", "a\nb\na\nb\na\nb\n");
    let table = ["evaluate", "t.csv", "--target", "class", "--drop", "other"];
    let first =
        [&table[..], &["--resume", "kept", "--protocol", "2-fold", "--no-stratify"]].concat();
    let again = |more: &[&str]| {
        place.run(&[&first[..], &["--methods", "knn(k=1)"], more].concat()).well().err
    };
    assert!(!again(&[]).contains("done before"));
    assert!(again(&[]).contains("done before"));
    assert!(!again(&["--nominal", "x"]).contains("done before"));
    let other = ["evaluate", "t.csv", "--target", "other", "--drop", "class"];
    let other = [&other[..], &first[6..], &["--methods", "knn(k=1)"]].concat();
    assert!(!place.run(&other).well().err.contains("done before"));
    let given = |flag: &str, labels: &str| {
        let words = ["evaluate", flag, "s.csv", "--labels", labels, "--protocol", "3-fold"];
        place.run(&[&words[..], &["--methods", "knn(k=1)", "--resume", "kept"]].concat()).well().err
    };
    assert!(!given("--similarity", "y.txt").contains("done before"));
    assert!(given("--similarity", "y.txt").contains("done before"));
    assert!(!given("--similarity", "z.txt").contains("done before"));
    assert!(!given("--dissimilarity", "y.txt").contains("done before"));
    place.run(&["evaluate", "@iris", "--prototypes", "learn"]).refused(2, &["--choose validation"]);
}

#[test]
fn a_step_given_twice_is_refused_and_one_split_has_no_deviation() {
    let place = Place::new();
    let words = ["evaluate", "@iris", "--methods"];
    place
        .run(&[&words[..], &["knn(k=1) > sda"]].concat())
        .refused(2, &["`knn(k=1)` and `sda` are both a classifier"]);
    let once = [&words[..], &["knn(k=1)", "--protocol", "holdout", "--format"]].concat();
    let csv = place.run(&[&once[..], &["csv"]].concat()).well().out;
    let row: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((row[0], row[2]), ("knn(k=1)", ""), "{csv}");
    let told = place.run(&[&once[..], &["table"]].concat()).well().out;
    assert!(!told.contains('±'), "{told}");
}
