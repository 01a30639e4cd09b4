//! Labels of a matrix: by name where both have names, else in order.

use super::*;

#[test]
fn labels_are_found_by_name_where_both_have_names() {
    let place = pets();
    place.file("N.csv", NAMED);
    let labelled = |content: &str| {
        place.file("y.csv", content);
        let words = ["classify", "--similarity", "N.csv", "--labels", "y.csv", "-m", "sda"];
        place.run(
            &[&words[..], &["--test", "0", "-o", "m.safetensors", "--format", "json"]].concat(),
        )
    };
    let counts = |answer: common::Answer| json(&answer.well().out)["prototypes"].clone();
    let meant = counts(labelled("cat\ncat\ndog\ndog\n"));
    // Another order, a heading, and a label of somebody who is not there.
    let mixed = labelled("id,label\nd,dog\nb,cat\nz,cow\na,cat\nc,dog\n");
    assert!(mixed.err.contains("1 labels of y.csv are of no row of N.csv"), "{mixed:?}");
    assert_eq!(counts(mixed), meant);
    // A column that only counts rows names nobody.
    assert_eq!(counts(labelled(",label\n0,cat\n1,cat\n2,dog\n3,dog\n")), meant);
    labelled("id,label\nd,dog\nb,cat\na,cat\ne,dog\n")
        .refused(2, &["--labels", "column `id` of y.csv", "N.csv", "it has no `c`"]);
    labelled("id,label\nd,dog\nb,cat\na,cat\na,dog\n").refused(2, &["`a` is there twice"]);
}

#[test]
fn a_heading_that_nobody_knows_can_be_named() {
    let place = pets();
    place.file("y.txt", "species\ncat\ncat\ndog\ndog\n");
    fit(&place, "S.csv", "").refused(
        2,
        &["y.txt holds 5 labels", "S.csv has 4 rows", "`species`", "--label-column species"],
    );
    fit(&place, "S.csv", "--label-column species").well();
    place.file("y.txt", "label\ncat\ncat\ndog\ndog\n");
    fit(&place, "S.csv", "").well();
}

#[test]
fn several_matrices_are_several_statistics() {
    let place = pets();
    place.file("T.csv", "9,1,0,0\n2,9,1,0\n0,0,9,3\n1,0,4,9\n");
    fit(&place, "S.csv", "--similarity T.csv -m sda -o m.safetensors -q").well();
    place.file("q2.csv", "1,2,0,0\n0,0,3,4\n");
    let words = ["predict", "m.safetensors", "--similarity", "q.csv", "--format", "csv"];
    let both = place.run(&[&words[..], &["--similarity", "q2.csv"]].concat()).well().out;
    let said: Vec<&str> = both.lines().map(|l| l.split(',').nth(1).unwrap()).collect();
    assert_eq!(said, ["predicted", "cat", "dog"]);
    place.run(&words).refused(2, &["--similarity", "made from 2 matrices and 1 are given"]);
    let told = json(
        &place.run(&["explain", "m.safetensors", "--row", "0", "--format", "json"]).well().out,
    );
    assert_eq!(told["laws"].as_array().unwrap().len(), 8);
    assert_eq!(told["laws"][3]["statistic"], "measure 1: similarity to the centroid of dog");
    fit(&place, "S.csv", "--similarity T.csv -m knn")
        .refused(2, &["knn takes one similarity matrix, 2 were given"]);
    place.file("U.csv", "1,2\n3,4\n");
    fit(&place, "S.csv", "--similarity U.csv -m sda")
        .refused(2, &["U.csv", "2 × 2", "S.csv is 4 × 4"]);
}

#[test]
fn a_mixture_shows_its_parts_and_who_answers_for_a_sample() {
    let place = pets();
    fit(&place, "S.csv", "-m mixture-sda --c-per-class 1,2 -o m.safetensors -q").well();
    let words = ["explain", "m.safetensors", "--row", "2"];
    let told = json(&place.run(&[&words[..], &["--format", "json"]].concat()).well().out);
    let laws = told["laws"].as_array().unwrap();
    assert_eq!(laws.len(), 6, "two classes, one and two prototypes");
    let share: f64 = laws
        .iter()
        .filter(|law| law["class"] == "dog" && law["statistic"].as_str().unwrap().ends_with("dog"))
        .map(|law| law["responsibility"].as_f64().unwrap())
        .sum();
    assert!((share - 1.0).abs() < 1e-12);
    let text = place.run(&words).well().out;
    assert!(text.contains("responsible") && text.contains("prototype 1 of dog"), "{text}");
    let model = place.run(&["model", "m.safetensors", "--format", "csv"]).well().out;
    assert!(
        model.starts_with("class,statistic,of,component,weight,mean,lambda,log_z\n"),
        "{model}"
    );
    assert_eq!(model.lines().count(), 7);
    fit(&place, "S.csv", "-m mixture-sda --c-per-class 1")
        .refused(2, &["c-per-class", "1 given for 2 classes (cat, dog)"]);
}

#[test]
fn a_local_rule_shows_the_laws_of_the_neighbourhood() {
    let place = pets();
    fit(&place, "S.csv", "-m local-sda --k 4 --n-min 0 -o m.safetensors -q").well();
    let words = ["explain", "m.safetensors", "--row", "0", "--format", "json"];
    let told = json(&place.run(&words).well().out);
    assert_eq!(told["laws"].as_array().unwrap().len(), 4);
    assert_eq!(told["laws"][0]["statistic"], "similarity to the local centroid of cat");
    place
        .run(&["model", "m.safetensors", "--histograms"])
        .refused(2, &["--histograms", "no laws before it sees a query", "explain"]);
}

#[test]
fn laws_are_shown_against_what_was_observed() {
    let place = pets();
    fit(&place, "S.csv", "-m sda -o m.safetensors -q").well();
    let csv = place.run(&["model", "m.safetensors", "--histograms", "--format", "csv"]).well().out;
    assert!(csv.starts_with("statistic,class,from,to,observed,fitted\n"), "{csv}");
    for at in [4, 5] {
        let number = |line: &str| line.split(',').nth(at).unwrap().parse::<f64>().unwrap();
        let cats = csv.lines().filter(|l| l.contains("centroid of dog,cat,"));
        assert!((cats.map(number).sum::<f64>() - 2.0).abs() < 1e-9, "two cats: {csv}");
    }
    let shown = place.run(&["model", "m.safetensors"]).well().out;
    assert!(shown.contains("similarity to the centroid of cat: 5 values from 0 to 4"), "{shown}");
    let all = json(&place.run(&["model", "m.safetensors", "--format", "json"]).well().out);
    assert_eq!(all["law_tables"][0]["support_high"], 4.0);
    assert!(all["laws"][0]["log_z"].is_number());
}
