//! Genotypes from the command line: PLINK files and columns of 0, 1 and 2.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::Place;

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nearkin-read/tests/fixtures/plink");
    folder.join(name).display().to_string()
}

#[test]
fn a_bed_file_is_weighed_by_its_phenotype() {
    let place = Place::new();
    let out = place.run(&["weigh", &fixture("wide.bed"), "--k", "2", "--top", "3"]).well().out;
    assert!(out.contains("`phenotype`") && out.contains("rs1"), "{out}");
    let out = place.run(&["data", &fixture("gaps.bed")]).well().out;
    assert!(out.contains("10 samples, 9 features") && out.contains("9 genotype"), "{out}");
    assert!(out.contains("left out"), "{out}");
    place.run(&["weigh", &fixture("gaps.bed")]).refused(2, &["gaps.fam", "--skip-missing-target"]);
    place.run(&["weigh", &fixture("gaps.bed"), "--skip-missing-target", "--k", "2"]).well();
}

#[test]
fn genotype_columns_weigh_what_nominal_ones_do() {
    let place = Place::new();
    let mut text = String::from("a,b,c,class\n");
    for row in 0..60usize {
        let cell = |by: usize| (row * row / by + row) % 3;
        text += &format!("{},{},{},{}\n", cell(2), cell(5), cell(7), row % 2);
    }
    place.file("t.csv", &text);
    let weigh = |flag: &str, columns: &str| {
        place.run(&["weigh", "t.csv", flag, columns, "--format", "csv"]).well().out
    };
    assert_eq!(weigh("--genotype", "all"), weigh("--nominal", "a,b,c"));
    assert_eq!(weigh("--genotype", "a,2"), weigh("--nominal", "a,c"));
    place
        .run(&["weigh", "t.csv", "--genotype", "a", "--nominal", "a"])
        .refused(2, &["`a`", "both"]);
}
