//! Genotypes from the command line: PLINK files and columns of 0, 1 and 2.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::Place;
use serde_json::Value;

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
fn samples_without_a_phenotype_can_be_predicted() {
    let place = Place::new();
    let (gaps, skip) = (fixture("gaps.bed"), "--skip-missing-target");
    let learn = ["classify", &gaps, skip, "--method", "knn", "--k", "3", "-o", "m.safetensors"];
    place.run(&learn).well();
    let said = |words: &[&str]| {
        let found = place.run(&[&["predict", "m.safetensors", &gaps], words].concat()).well();
        (found.out.lines().count(), found.out + &found.err)
    };
    let (all, told) = said(&["--format", "csv"]);
    assert_eq!(all, 1 + 13);
    assert!(told.contains("3 of 13 samples have no phenotype") && !told.contains("right on"));
    let (known, told) = said(&["--format", "csv", skip]);
    assert_eq!(known, 1 + 10);
    assert!(told.contains("right on"), "{told}");
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

/// Copies of the first allele, variant by variant; some unknown where there are `holes`. The
/// first three variants tell something of the phenotype, so that any four hold one of them.
fn copies(samples: usize, variants: usize, holes: bool) -> Vec<Vec<Option<usize>>> {
    let of = |variant: usize, sample: usize| {
        let noise = sample * sample * (variant + 3) / 7 + sample * variant;
        let known = !holes || (sample * 5 + variant * 3) % 11 != 4;
        known.then_some(if variant < 3 { sample % 2 + noise % 2 } else { noise % 3 })
    };
    (0..variants).map(|v| (0..samples).map(|s| of(v, s)).collect()).collect()
}

/// The genotypes as PLINK writes them: two bits a sample, a variant on whole bytes.
fn bed(copies: &[Vec<Option<usize>>]) -> Vec<u8> {
    let bits = |cell: &Option<usize>| match cell {
        Some(2) => 0b00,
        None => 0b01,
        Some(1) => 0b10,
        _ => 0b11,
    };
    let byte = |four: &[Option<usize>]| four.iter().rev().fold(0, |byte, c| byte << 2 | bits(c));
    let cells = copies.iter().flat_map(|variant| variant.chunks(4).map(byte));
    [0x6c, 0x1b, 0x01].into_iter().chain(cells).collect()
}

#[test]
fn every_method_and_wrapper_weighs_a_bed_file_as_the_same_genotypes_in_text() {
    let (samples, variants) = (41, 6);
    let place = Place::new();
    let phenotype = |sample: usize| 1 + sample % 2;
    let fam = (0..samples).map(|s| format!("f{s} i{s} 0 0 1 {}\n", phenotype(s)));
    place.file("t.fam", fam.collect::<String>());
    let bim = (0..variants).map(|v| format!("1\trs{v}\t0\t{}\tA\tC\n", v + 1));
    place.file("t.bim", bim.collect::<String>());
    for holes in [false, true] {
        let copies = copies(samples, variants, holes);
        place.file("t.bed", bed(&copies));
        let mut text = (0..variants).map(|v| format!("rs{v},")).collect::<String>() + "phenotype\n";
        for sample in 0..samples {
            let cell = |variant: &Vec<Option<usize>>| variant[sample].map(|c| c.to_string());
            text += &copies.iter().map(|v| cell(v).unwrap_or_default() + ",").collect::<String>();
            text += &format!("{}\n", phenotype(sample));
        }
        place.file("t.csv", &text);
        for method in nearkin::weigh::methods() {
            let id = method.about().id;
            let kind = if id == "rrelieff" { "real" } else { "classes" };
            for wrap in [
                &[][..],
                &["--wrap", "turf", "--turf-keep", "3"],
                &["--wrap", "vls", "--vls-subsets", "5", "--vls-share", "0.6"],
            ] {
                let weigh = |file: &[&str]| -> Value {
                    let words = ["-m", id, "--target-kind", kind, "--format", "json"];
                    let words = [&["weigh"], file, &words, wrap].concat();
                    serde_json::from_str(&place.run(&words).well().out).unwrap()
                };
                let found = weigh(&["t.bed"]);
                let meant = weigh(&["t.csv", "--genotype", "all"]);
                assert!(found["weights"].as_array().unwrap().len() >= variants);
                assert_eq!(found["weights"], meant["weights"], "{id} {wrap:?}, holes: {holes}");
            }
        }
    }
}
