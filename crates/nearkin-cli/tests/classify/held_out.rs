//! What `classify` prints: how many samples were judged, notes once, names of all that was given.

use super::*;

#[test]
fn few_samples_held_out_are_said_to_be_few() {
    let place = Place::new();
    let words = ["classify", "@iris", "-m", "nearest-centroid", "--test"];
    let few = place.run(&[&words[..], &["0.04"]].concat()).well().out;
    assert!(few.contains("note: only 6 samples were held out: each is 17 % of them"), "{few}");
    let many = place.run(&[&words[..], &["0.2"]].concat()).well().out;
    assert!(!many.contains("samples were held out"), "{many}");
    let learned = place.run(&["learn", "@iris", "--test", "0.04"]).well().out;
    assert!(learned.contains("only 6 samples were held out"), "{learned}");
    // One sample held out gets one class from whatever rule: that is no fault of the rule.
    let one = place.run(&["classify", "@iris", "-m", "sda", "--test", "0.005"]).well().out;
    assert!(one.contains("one sample was held out") && !one.contains("the same class"), "{one}");
}

#[test]
fn notes_are_told_once() {
    let place = pets();
    let table = fit(&place, "S.csv", "-m psvm").well();
    assert_eq!((table.out.matches("note: ").count(), table.err.as_str()), (1, ""), "{table:?}");
    let csv = fit(&place, "S.csv", "-m psvm --format csv").well();
    assert_eq!((csv.out.matches("note: ").count(), csv.err.matches("note: ").count()), (0, 1));
}

#[test]
fn every_matrix_is_named() {
    let place = pets();
    place.file("T.csv", S);
    let out = fit(&place, "S.csv", "--similarity T.csv -m sda").well().out;
    assert!(out.starts_with("SDA on S.csv and T.csv, from similarities\n"), "{out}");
}

#[test]
fn what_was_chosen_is_shown_in_place_of_what_was_given() {
    let place = pets();
    fit(&place, "S.csv", "-m psvm --epsilon-candidates 0.3,0.7 -o p.st -q").well();
    let shown = place.run(&["model", "p.st"]).well().out;
    assert!(shown.contains("epsilon 0.7 (chosen)") && shown.contains("c 1,"), "{shown}");
    let told = json(&place.run(&["model", "p.st", "--format", "json"]).well().out);
    assert_eq!(told["chosen"]["epsilon"], 0.7, "{told}");
}

#[test]
fn a_class_without_a_neighbour_has_no_score() {
    let place = pets();
    fit(&place, "S.csv", "-m local-centroid --k 1 -o m.st -q").well();
    let words = ["predict", "m.st", "--similarity", "q.csv"];
    let table = place.run(&words).well().out;
    assert!(table.contains("cat        3.000      -"), "{table}");
    let csv = place.run(&[&words[..], &["--format", "csv"]].concat()).well().out;
    assert!(csv.contains("0,cat,3,\n"), "{csv}");
    let explained = place.run(&["explain", "m.st", "--row", "0"]).well().out;
    assert!(!explained.contains("inf"), "{explained}");
}

#[test]
fn shares_and_targets_that_cannot_be_used() {
    let place = Place::new();
    place.run(&["classify", "@iris", "--test", "-0.1"]).refused(2, &["--test", "from 0 to 0.9"]);
    place.run(&["learn", "@iris", "--test", "-0.1"]).refused(2, &["--test", "from 0 to 0.9"]);
    place.file("real.csv", "x,y\n1,0.5\n2,0.7\n3,1.5\n4,2.5\n5,3.1\n6,0.2\n");
    for method in ["sda", "naive-bayes"] {
        place
            .run(&["classify", "real.csv", "--target", "y", "-m", method])
            .refused(2, &["column `y` holds real numbers", "--target-kind classes"]);
    }
}
