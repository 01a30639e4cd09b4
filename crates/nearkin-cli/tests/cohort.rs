//! Samples from the command line: phenotypes, lists and identifiers from other files.
#![allow(clippy::unwrap_used)]

mod common;

use common::Place;

/// Forty samples of two numbers, of which `b` tells the class.
fn table(place: &Place) {
    let mut text = String::from("IID,a,b,class\n");
    let mut pheno = String::from("FID IID case bmi\n");
    for row in 0..40usize {
        let class = row % 2;
        text += &format!("s{row},{},{},{class}\n", row * 7 % 11, class * 10 + row % 3);
        let case = if row % 8 == 7 { -9 } else { 1 + class as i32 };
        pheno += &format!("0 s{row} {case} {}\n", 20.0 + row as f64 / 8.0);
    }
    place.file("t.csv", text).file("p.txt", pheno);
}

#[test]
fn the_target_comes_from_a_file_of_phenotypes() {
    let place = Place::new();
    table(&place);
    let weigh = ["weigh", "t.csv", "--drop", "class", "--k", "3", "--pheno", "p.txt"];
    place.run(&weigh).refused(2, &["p.txt: line 9", "`s7`", "5 in all", "--skip-missing-target"]);
    let said = place.run(&[&weigh[..], &["--skip-missing-target"]].concat()).well();
    assert!(said.out.contains("35 rows, 2 columns, 2 classes of `case`"), "{}", said.out);
    assert!(said.err.contains("5 samples without a phenotype were left out"), "{}", said.err);
    assert!(said.err.contains("the target is column `case`"), "{}", said.err);
    let said = place.run(&[&weigh[..], &["--target", "bmi", "-m", "rrelieff"]].concat()).well();
    assert!(said.out.contains("bmi"), "{}", said.out);
    place.run(&[&weigh[..], &["--target", "y.npy"]].concat()).refused(2, &["p.txt", "choose one"]);
    place
        .run(&[&weigh[..], &["--target", "weight"]].concat())
        .refused(2, &["p.txt", "--target", "`weight`", "`case`, `bmi`"]);
    place.file("n.csv", "a,b,class\n1,2,x\n3,4,y\n");
    place.run(&["weigh", "n.csv", "--pheno", "p.txt"]).refused(2, &["n.csv", "p.txt", "--id"]);
}

#[test]
fn lists_leave_samples_out_with_a_note() {
    let place = Place::new();
    table(&place);
    place.file("some.txt", "s1\ns2\ns3\ns4\ns5\ns6\nx\n").file("less.txt", "0 s5\n");
    let words = ["weigh", "t.csv", "--k", "2", "--keep", "some.txt", "--remove", "less.txt"];
    let said = place.run(&words).well();
    assert!(said.out.contains("5 rows"), "{}", said.out);
    for note in ["34 samples that are not in some.txt", "1 of its samples", "1 samples that are in"]
    {
        assert!(said.err.contains(note), "{}", said.err);
    }
    place.run(&["weigh", "@iris", "--keep", "some.txt"]).refused(2, &["@iris", "some.txt", "--id"]);
}

#[test]
fn rows_without_a_class_are_left_out_or_predicted() {
    let place = Place::new();
    let mut text = String::from("a,b,class\n");
    for row in 0..30usize {
        let class = ["x", "y", "NA"][if row % 10 == 9 { 2 } else { row % 2 }];
        text += &format!("{},{},{class}\n", row % 5, row % 2 * 4 + row % 3);
    }
    place.file("t.csv", text);
    place
        .run(&["weigh", "t.csv"])
        .refused(2, &["line 11", "`class`", "the target is missing", "--skip-missing-target"]);
    let skip = "--skip-missing-target";
    let said = place.run(&["weigh", "t.csv", skip, "--k", "3"]).well();
    assert!(said.err.contains("3 rows without a target were left out"), "{}", said.err);
    let learn = ["classify", "t.csv", skip, "--method", "knn", "--k", "3", "-o", "m.safetensors"];
    place.run(&learn).well();
    let predict = ["predict", "m.safetensors", "t.csv", "--format", "csv"];
    let said = place.run(&predict).well();
    assert_eq!(said.out.lines().count(), 1 + 30);
    assert!(said.err.contains("`class` is missing in 3 of 30 rows"), "{}", said.err);
    let said = place.run(&[&predict[..], &[skip]].concat()).well();
    assert_eq!(said.out.lines().count(), 1 + 27);
    assert!(said.err.contains("right on"), "{}", said.err);
}

#[test]
fn a_class_of_minus_nine_is_told_with_the_flags_that_help() {
    let place = Place::new();
    let rows = (0..20).map(|row| format!("{},{}\n", row % 6, [1, 2, 1, 2, -9][row % 5]));
    place.file("t.csv", format!("a,class\n{}", rows.collect::<String>()));
    let said = place.run(&["weigh", "t.csv", "--k", "2"]).well();
    assert!(said.err.contains("warning: the target `class` is -9 in 4 rows"), "{}", said.err);
    assert!(said.err.contains("--missing-token=-9 --skip-missing-target"), "{}", said.err);
    let flags = ["--missing-token=-9", "--skip-missing-target"];
    let said = place.run(&[&["weigh", "t.csv", "--k", "2"][..], &flags].concat()).well();
    assert!(said.out.contains("16 rows"), "{}", said.out);
}
