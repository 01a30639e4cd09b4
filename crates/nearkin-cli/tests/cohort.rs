//! Samples from the command line: phenotypes, lists and identifiers from other files.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::Place;
use serde_json::Value;

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nearkin-read/tests/fixtures/plink");
    folder.join(name).display().to_string()
}

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

#[test]
fn a_prefix_names_a_bed_wherever_a_table_is_asked_for() {
    let place = Place::new();
    for ending in ["bed", "bim", "fam"] {
        let bytes = std::fs::read(fixture(&format!("wide.{ending}"))).unwrap();
        place.file(&format!("cohort.{ending}"), bytes);
    }
    let weigh =
        |table: &str| place.run(&["weigh", table, "--k", "2", "--format", "csv"]).well().out;
    assert_eq!(weigh("cohort"), weigh("cohort.bed"));
    let said = place.run(&["data", "cohort"]).well().out;
    assert!(said.contains("cohort.bed") && said.contains("genotype"), "{said}");
    place.run(&["report", "cohort", "-o", "r.html", "--help"]).well();
    place.file("new.pgen", "x");
    place
        .run(&["weigh", "new"])
        .refused(2, &["new.pgen", "plink2 --pfile new --make-bed --out new"]);
}

#[test]
fn genotypes_are_described_and_filtered() {
    let place = Place::new();
    // a: rare, b: half missing, c: off proportions, d: fine; sample s9 lacks three of four.
    let mut text = String::from("IID,a,b,c,d,class\n");
    for row in 0..40usize {
        let a = usize::from(row == 3);
        let b = if row % 2 == 0 { String::new() } else { (row % 3).to_string() };
        let c = if row % 4 < 2 { 0 } else { 2 };
        let d = [0, 1, 1, 2][row / 2 % 4];
        let cells = match row {
            9 => ",,,1".to_owned(),
            _ => format!("{a},{b},{c},{d}"),
        };
        text += &format!("s{row},{cells},{}\n", row % 2);
    }
    place.file("t.csv", text);
    let table = ["t.csv", "--genotype", "all", "--target-kind", "classes"];
    let data = |words: &[&str]| place.run(&[&["data"], &table[..], words].concat()).well();
    let said = data(&[]).out;
    for line in ["most missing: 52.50 % of `b`", "Hardy-Weinberg p below 0.000001: 1: c"] {
        assert!(said.contains(line), "{said}");
    }
    let said = data(&["--variants"]).out;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[0],
        "name,chromosome,position,copies_0,copies_1,copies_2,missing,frequency,hardy_weinberg"
    );
    assert!(lines[1].starts_with("a,,,38,1,0,0.025,0.01282051"), "{said}");
    assert!(lines[4].starts_with("d,,,9,21,10,0,0.5125,"), "{said}");
    let json: Value = serde_json::from_str(&data(&["--variants", "--json"]).out).unwrap();
    assert_eq!(json["genotypes"][2]["copies"], serde_json::json!([19, 0, 20]));
    let kept = |words: &[&str]| -> (String, Vec<String>) {
        let said = place
            .run(&[&["weigh"], &table[..], &["--k", "3", "--format", "csv"], words].concat())
            .well();
        let names = said.out.lines().skip(1).filter_map(|line| line.split(',').nth(1));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        (said.err, names)
    };
    assert_eq!(kept(&["--maf", "0.05"]).1, ["b", "c", "d"]);
    assert_eq!(kept(&["--geno", "0.5"]).1, ["a", "c", "d"]);
    assert_eq!(kept(&["--hwe", "1e-6"]).1, ["a", "b", "d"]);
    let (told, names) = kept(&["--mind", "0.6", "--maf", "0.05", "--geno", "0.4", "--hwe", "1e-6"]);
    assert_eq!(names, ["d"]);
    for note in [
        "1 of 40 samples lack more than 0.6 of their genotypes",
        "1 of 4 columns are missing in more than 0.4",
        "1 of 4 columns are off Hardy-Weinberg proportions (p below 0.000001)",
        "1 of 4 columns have a rarer allele of a share below 0.05",
    ] {
        assert!(told.contains(note), "{told}");
    }
    place.run(&["weigh", "t.csv", "--maf", "0.1"]).refused(2, &["--maf", "no genotypes"]);
    let refused = [&["weigh"], &table[..], &["--maf", "0.5", "--geno", "0.5"]].concat();
    place.run(&refused).refused(2, &["nothing is left by the filter maf 0.5"]);
    let words = [&["weigh"], &table[..], &["--geno", "2"]].concat();
    place.run(&words).refused(2, &["--geno", "0 to 1"]);
}

#[test]
fn samples_are_named_in_predictions_and_explained_by_name() {
    let place = Place::new();
    table(&place);
    let learn = |method: &[&str], model: &str| {
        let words = [&["classify", "t.csv"], method, &["-o", model]].concat();
        place.run(&words).well();
    };
    learn(&["--method", "knn", "--k", "3"], "knn.safetensors");
    let model = "knn.safetensors";
    let said = place.run(&["predict", model, "t.csv", "--format", "csv"]).well().out;
    assert!(said.lines().nth(6).unwrap().contains("s5"), "{said}");
    let by_name = place.run(&["explain", model, "t.csv", "--row", "s5"]).well().out;
    assert!(by_name.contains("row 5 (`s5`) of t.csv"), "{by_name}");
    assert_eq!(place.run(&["explain", model, "t.csv", "--row", "5"]).well().out, by_name);
    place.run(&["explain", model, "t.csv", "--row", "x9"]).refused(2, &["no row x9"]);
    let explain = |row: &str| {
        let words = ["weigh", "t.csv", "--k", "3", "--explain", row, "--format", "csv"];
        place.run(&words).well().out
    };
    assert_eq!(explain("s7"), explain("7"));
    assert_ne!(explain("s7"), explain("8"));
    let said = place.run(&["weigh", "t.csv", "--k", "3", "--explain", "s7"]).well();
    assert!(said.err.contains("sample `s7` is row 7"), "{}", said.err);
    place.run(&["weigh", "t.csv", "--explain", "x"]).refused(2, &["--explain", "no row x"]);
    place.run(&["weigh", "@iris", "--explain", "x"]).refused(2, &["--explain", "have no names"]);
}

#[test]
fn a_model_of_kept_columns_names_the_flag_that_gives_them() {
    let place = Place::new();
    table(&place);
    place.file("kept.txt", "b\n");
    let kept = ["--keep-columns", "kept.txt"];
    let learn = ["classify", "t.csv", "--method", "knn", "--k", "3", "-o", "m.safetensors"];
    place.run(&[&learn[..], &kept].concat()).well();
    place.run(&["predict", "m.safetensors", "t.csv"]).refused(2, &["extra `a`", "--keep-columns"]);
    place.run(&[&["predict", "m.safetensors", "t.csv"][..], &kept].concat()).well();
}

#[test]
fn numbers_like_genotypes_and_decimal_commas_name_their_flags() {
    let place = Place::new();
    let rows = (0..20).map(|row| format!("{},{},{}\n", row % 3, row / 2 % 3, row % 2));
    place.file("t.csv", format!("a,b,class\n{}", rows.collect::<String>()));
    let said = place.run(&["weigh", "t.csv", "--k", "2"]).well();
    assert!(said.err.contains("2 of 2 columns hold nothing but 0, 1 and 2"), "{}", said.err);
    assert!(said.err.contains("--genotype all"), "{}", said.err);
    let rows = (0..20).map(|row| format!("{},5;{},25;{}\n", row % 5, row % 7, row % 2));
    place.file("c.csv", format!("a;b;class\n{}", rows.collect::<String>()));
    let said = place.run(&["weigh", "c.csv", "--k", "2"]).well();
    assert!(said.err.contains("decimal commas") && said.err.contains("--decimal-comma"));
    let said = place.run(&["data", "c.csv", "--decimal-comma"]).well();
    assert!(said.out.contains("2 numeric"), "{}", said.out);
}

#[test]
fn a_vcf_is_weighed_by_phenotypes_from_elsewhere() {
    let place = Place::new();
    let calls = ["0/0", "0|1", "1/1", "./."];
    let mut text =
        String::from("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT");
    let mut pheno = String::from("IID case\n");
    for sample in 0..20usize {
        text += &format!("\ts{sample}");
        pheno += &format!("s{sample} {}\n", 1 + sample % 2);
    }
    for variant in 0..4usize {
        text += &format!("\n7\t{}\trs{variant}\tA\tG\t.\t.\t.\tGT:DP", 100 + variant);
        for sample in 0..20usize {
            let call =
                if variant == 0 { sample % 2 * 2 } else { (sample * 7 + variant * sample / 3) % 4 };
            text += &format!("\t{}:3", calls[call]);
        }
    }
    place.file("t.vcf", text + "\n").file("p.txt", pheno);
    let weigh = ["weigh", "t.vcf", "--k", "3", "--format", "csv"];
    place.run(&weigh).refused(2, &["t.vcf", "there is no target", "--pheno"]);
    let said = place.run(&[&weigh[..], &["--pheno", "p.txt"]].concat()).well().out;
    assert!(said.lines().nth(1).unwrap().contains("rs0"), "{said}");
    let said = place.run(&["data", "t.vcf", "--variants"]).well().out;
    assert!(said.contains("\nrs0,7,100,10,0,10,0,0.5,"), "{said}");
}
