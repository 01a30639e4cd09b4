//! Classifiers over matrices: fitted, saved, asked, explained; what is refused.

use std::fs;

use super::*;

#[test]
fn every_classifier_is_saved_and_answers_from_similarities() {
    let place = pets();
    let listed = json(&place.run(&["methods", "--json"]).well().out);
    let ids = listed.as_array().unwrap().iter().filter(|one| one["question"] == "classify");
    let ids = ids.map(|one| one["id"].as_str().unwrap());
    for id in ids.filter(|id| *id != "naive-bayes") {
        fit(&place, "S.csv", &format!("-m {id} -o m.safetensors --quiet")).well();
        let out =
            place.run(&["predict", "m.safetensors", "--similarity", "q.csv", "--format", "csv"]);
        let out = out.well().out;
        let said: Vec<&str> = out.lines().map(|l| l.split(',').nth(1).unwrap()).collect();
        assert_eq!(said, ["predicted", "cat", "dog"], "{id}: {out}");
        place.run(&["explain", "m.safetensors", "--row", "0"]).well();
        place.run(&["model", "m.safetensors"]).well();
    }
}

#[test]
fn a_table_is_compared_by_a_measure_and_answers_come_back() {
    let place = Place::new();
    let fitted = place.run(&[
        "classify",
        "@house-votes-84",
        "-m",
        "sda",
        "--measure",
        "vdm",
        "-o",
        "m.safetensors",
    ]);
    let shown = fitted.well().out;
    assert!(shown.contains("rows compared by vdm") && shown.contains("majority"), "{shown}");
    let said =
        place.run(&["predict", "m.safetensors", "@house-votes-84", "--format", "csv"]).well();
    assert!(said.out.starts_with("row,predicted,p_democrat,p_republican,log_likelihood\n"));
    assert!(
        said.err.contains("by column `class`: accuracy 0.8") || said.err.contains("accuracy 0.9")
    );

    // Digits that were categories in training stay categories in a table of one row.
    place.file("t.csv", "c,x,class\n1,0.5,a\n1,0.6,a\n2,3,b\n2,3.1,b\n1,0.4,a\n2,2.9,b\n");
    let words = ["classify", "t.csv", "--nominal", "c", "-m", "knn", "--test", "0"];
    place.run(&[&words[..], &["-o", "c.safetensors", "-q"]].concat()).well();
    place.file("q.csv", "x,c\n3,2\n");
    let one = place.run(&["predict", "c.safetensors", "q.csv", "--format", "csv"]).well().out;
    assert!(one.lines().nth(1).unwrap().starts_with("0,b,"), "{one}");
}

#[test]
fn a_table_and_the_matrix_of_its_measure_give_the_same_answers() {
    // The Euclidean distances of these rows, scaled by the range of x, as a matrix of its own.
    let place = Place::new();
    let x = [0.0, 1.0, 2.0, 7.0, 8.0, 10.0];
    let table: String = x
        .iter()
        .enumerate()
        .map(|(i, x)| format!("{x},{}\n", if i < 3 { "a" } else { "b" }))
        .collect();
    place.file("t.csv", format!("x,class\n{table}"));
    let row = |a: &f64| {
        x.iter().map(|b| ((a - b).abs() / 10.0).to_string()).collect::<Vec<_>>().join(",")
    };
    place.file("D.csv", x.iter().map(row).collect::<Vec<_>>().join("\n"));
    place.file("y.txt", "a\na\na\nb\nb\nb\n");
    for method in ["nearest-centroid", "knn", "sda"] {
        let more = ["-m", method, "--test", "0", "-q"];
        let table = ["classify", "t.csv", "--measure", "euclidean", "-o", "t.safetensors"];
        place.run(&[&table[..], &more].concat()).well();
        let matrix =
            ["classify", "--dissimilarity", "D.csv", "--labels", "y.txt", "-o", "d.safetensors"];
        place.run(&[&matrix[..], &more].concat()).well();
        let classes = |out: String| -> Vec<String> {
            out.lines().map(|l| l.split(',').nth(1).unwrap().to_owned()).collect()
        };
        let by_table =
            place.run(&["predict", "t.safetensors", "t.csv", "--format", "csv"]).well().out;
        let by_matrix = ["predict", "d.safetensors", "--dissimilarity", "D.csv", "--format", "csv"];
        assert_eq!(classes(by_table), classes(place.run(&by_matrix).well().out), "{method}");
    }
}

#[test]
fn names_of_samples_are_kept_and_found() {
    let place = pets();
    place.file("N.csv", NAMED);
    let shown = fit(&place, "N.csv", "-m sda -o m.safetensors").well().out;
    assert!(shown.contains("cat: a\n") || shown.contains("cat: b\n"), "{shown}");
    // Columns in another order, rows with names: aligned by the model's names.
    place.file("q.csv", ",d,c,b,a\nrex,1,0,3,3\n");
    let said = place.run(&["predict", "m.safetensors", "--similarity", "q.csv", "--format", "csv"]);
    let out = said.well().out;
    assert!(out.lines().nth(1).unwrap().starts_with("0,rex,cat,"), "{out}");
    let told =
        place.run(&["explain", "m.safetensors", "--similarity", "q.csv", "--row", "0"]).well().out;
    assert!(told.starts_with("sda says `cat` of row 0 (`rex`) of q.csv"), "{told}");
    // A row by its name, of the queries or of training.
    let by = |words: &[&str]| place.run(&[&["explain", "m.safetensors"][..], words].concat());
    assert_eq!(by(&["--similarity", "q.csv", "--row", "rex"]).well().out, told);
    assert!(by(&["--row", "c"]).well().out.contains("of row 2 (`c`) of m.safetensors"));
    by(&["--row", "tom"]).refused(2, &["--row", "m.safetensors has no row tom; it has 4"]);
    by(&["--row", "-1"]).refused(2, &["--row", "no row -1"]);
    place.file("q.csv", ",d,c,b,z\nrex,1,0,3,3\n");
    place
        .run(&["predict", "m.safetensors", "--similarity", "q.csv"])
        .refused(2, &["--similarity", "q.csv", "no column", "`a`"]);
}

#[test]
fn an_explanation_holds_laws_prototypes_and_how_strange_a_sample_is() {
    let place = pets();
    fit(&place, "S.csv", "-m sda -o m.safetensors -q").well();
    let words = ["explain", "m.safetensors", "--row", "2", "--format", "json"];
    let told = json(&place.run(&words).well().out);
    assert_eq!((&told["predicted"], &told["truth"]), (&"dog".into(), &"dog".into()));
    assert_eq!(told["laws"].as_array().unwrap().len(), 4);
    assert_eq!(told["classes"][1]["prototypes"].as_array().unwrap().len(), 1);
    assert!(told["log_likelihood"].is_number());
    let total: f64 = (0..2).map(|g| told["classes"][g]["probability"].as_f64().unwrap()).sum();
    assert!((total - 1.0).abs() < 1e-12);
    assert_eq!(told["nearest"][0]["sample"], "row 2");
    let text = place.run(&["explain", "m.safetensors", "--row", "2"]).well().out;
    let law = &told["laws"][0];
    assert_eq!(law["statistic"], "similarity to the centroid of cat");
    assert!(law["value"].is_number() && law["log_p"].is_number() && law["log_z"].is_number());
    for part in ["log-likelihood", "Laws of the statistics", "lambda", "Most similar training"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let csv = place.run(&["explain", "m.safetensors", "--row", "2", "--format", "csv"]).well().out;
    assert!(csv.starts_with("what,class,of,value\nscore,cat,,"), "{csv}");
    place.run(&["explain", "m.safetensors", "--row", "9"]).refused(2, &["--row", "no row 9"]);
}

#[test]
fn truth_and_costs_serve_matrices_too() {
    let place = pets();
    fit(&place, "S.csv", "-m sda -o m.safetensors -q").well();
    place.file("truth.csv", "id,label\n1,cat\n2,cat\n").file("costs.csv", "0,1\n1000000,0\n");
    let words = ["predict", "m.safetensors", "--similarity", "q.csv", "--format", "csv"];
    let told = place.run(&[&words[..], &["--labels", "truth.csv"]].concat()).well();
    assert!(told.err.contains("right on 1 of 2 rows by --labels: accuracy 0.5000"), "{told:?}");
    let careful = place.run(&[&words[..], &["--costs", "costs.csv"]].concat()).well().out;
    assert!(careful.lines().skip(1).all(|l| l.split(',').nth(1) == Some("cat")), "{careful}");
    place.file("below.csv", "0,1\n-2,0\n");
    place
        .run(&[&words[..], &["--costs", "below.csv"]].concat())
        .refused(2, &["--costs", "below.csv has -2 in row 1, column 0", "0 or more"]);
    fit(&place, "S.csv", "-m sda --costs 0,1,-2,0").refused(2, &["--costs", "0 or more, got -2"]);
    fit(&place, "S.csv", "-m nearest-centroid -o c.safetensors -q").well();
    place
        .run(&["predict", "c.safetensors", "--similarity", "q.csv", "--costs", "costs.csv"])
        .refused(2, &["--costs", "no probabilities"]);
}

#[test]
fn matrices_that_cannot_be_used() {
    let refuse = |content: &str, parts: &[&str]| {
        let place = pets();
        place.file("B.csv", content);
        fit(&place, "B.csv", "-o m.safetensors").refused(2, parts);
        assert!(!place.files().contains(&"m.safetensors".to_owned()));
    };
    refuse("1,2,3\n4,5,6\n", &["B.csv", "2 × 3", "as many rows as columns"]);
    refuse("1,x2\n3,4\n", &["B.csv", "1 × 2", "`x2` is no number"]);
    refuse("1,2\n3,nan\n", &["B.csv, line 2, column `1`", "`nan` is no finite number"]);
    refuse("1,nan\n3,4\n", &["B.csv, line 1, column `1`", "`nan`"]);
    refuse("1,2\n3,\n", &["B.csv, line 2, column `1`", "empty"]);
    refuse("1,2\n3,inf\n", &["B.csv, line 2", "`inf`"]);
    refuse("1,2\n3,4,5\n", &["B.csv, line 2", "3 cells, expected 2"]);
    refuse("1,2\n3,4\n", &["--labels", "y.txt holds 4 labels", "B.csv has 2 rows"]);
    refuse(",a,b\nb,1,2\na,3,4\n", &["B.csv", "row 0 is `b` and column 0 is `a`"]);
    refuse("", &["B.csv", "empty"]);

    let place = pets();
    place.file("one.txt", "cat\ncat\ncat\ncat\n").file("gap.txt", "cat\n?\ndog\ndog\n");
    place.file("two.csv", "a,b\n1,2\n3,4\n5,6\n7,8\n");
    let label = |file: &str| {
        place.run(&["classify", "--similarity", "S.csv", "--labels", file, "--test", "0"])
    };
    label("one.txt").refused(2, &["S.csv", "`cat`"]);
    label("gap.txt").refused(2, &["gap.txt, line 2", "missing"]);
    label("two.csv").refused(2, &["two.csv", "`a`, `b`", "labels"]);
    label("none.txt").refused(2, &["none.txt", "no such file"]);
    place.run(&["classify", "--similarity", "S.csv"]).refused(2, &["--labels"]);
    place.run(&["classify"]).refused(2, &["name a table", "--similarity"]);
    place
        .run(&["classify", "@iris", "--similarity", "S.csv"])
        .refused(2, &["--similarity", "table"]);
    place.run(&["classify", "@iris", "--labels", "y.txt"]).refused(2, &["--labels", "--target"]);
    place
        .run(&["classify", "@iris", "--measure", "cosin"])
        .refused(2, &["--measure", "`cosin`", "cosine"]);
    place.run(&["classify", "@iris", "-m", "sdaa"]).refused(2, &["--method", "`sdaa`", "sda"]);
    place
        .run(&["classify", "@iris", "--measure", "vdm(q=x)"])
        .refused(2, &["--measure", "q", "`x`"]);
    place
        .run(&["classify", "@iris", "-m", "sda", "--k", "3"])
        .refused(2, &["--k", "sda", "--prior"]);
}

#[test]
fn odd_similarities_are_decided_and_noted() {
    let place = pets();
    // Asymmetric, negative, a diagonal that is not the largest: all welcome.
    place.file("odd.csv", "-1,3,0,2\n1,-5,2,0\n0,0,0,9\n-3,-2,7,1\n");
    fit(&place, "odd.csv", "-m sda").well();
    // All equal: every class looks the same, the priors decide.
    place.file("same.csv", "1,1,1,1\n1,1,1,1\n1,1,1,1\n1,1,1,1\n");
    let told = fit(&place, "same.csv", "-m sda -o m.safetensors").well().out;
    assert_eq!(told.matches("note: all similarities are equal").count(), 1, "{told}");
    place.file("q.csv", "1,1,1,1\n");
    let out = place.run(&["predict", "m.safetensors", "--similarity", "q.csv", "--format", "csv"]);
    assert!(out.well().out.contains("0,cat,0.5,0.5,"), "the priors decide");
    // One sample in a class is decided; more neighbours than samples are all samples.
    place.file("y.txt", "cat\ncat\ncat\ndog\n");
    for method in ["sda", "local-sda", "nn-sda", "knn"] {
        let told = fit(&place, "S.csv", &format!("-m {method}")).well().out;
        assert_eq!(told.matches("class `dog` has one row").count(), 1, "{told}");
    }
    for method in ["local-sda", "knn"] {
        let told = fit(&place, "S.csv", &format!("-m {method} --k 50")).well();
        assert!(told.out.contains("k is 50 and there are 4 training rows"), "{told:?}");
    }
}

#[test]
fn queries_that_do_not_fit_the_model() {
    let place = pets();
    fit(&place, "S.csv", "-m sda -o m.safetensors -q").well();
    place.file("wide.csv", "1,2,3,4,5\n");
    let predict = |words: &[&str]| place.run(&[&["predict", "m.safetensors"], words].concat());
    predict(&["--similarity", "wide.csv"]).refused(2, &["wide.csv", "5 columns", "4 samples"]);
    predict(&["--dissimilarity", "q.csv"])
        .refused(2, &["--dissimilarity", "made with --similarity"]);
    predict(&["@iris"]).refused(2, &["@iris", "similarities alone", "--similarity"]);
    predict(&[]).refused(2, &["m.safetensors", "a table, or a matrix"]);
    place.run(&["neighbors", "m.safetensors", "@iris", "--row", "0"]).refused(2, &["explain"]);
    place.run(&["classify", "@iris", "-m", "knn", "-o", "t.safetensors", "-q"]).well();
    place.file("o.csv", "sepal_length,colour\n1,red\n");
    place
        .run(&["predict", "t.safetensors", "o.csv"])
        .refused(2, &["o.csv", "missing `sepal_width`", "extra `colour`"]);
    place
        .run(&["predict", "t.safetensors", "--similarity", "q.csv"])
        .refused(2, &["--similarity", "made on a table"]);
    let bytes = fs::read(place.path("t.safetensors")).unwrap();
    place.file("cut.safetensors", &bytes[..bytes.len() - 9]);
    place
        .run(&["predict", "cut.safetensors", "@iris"])
        .refused(2, &["cut.safetensors", "cut short"]);
}

#[test]
fn numpy_and_gzip_matrices_are_read() {
    let place = pets();
    // A 2 × 2 array of doubles, written by hand.
    let mut npy = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }";
    npy.extend(format!("{header:<117}\n").as_bytes());
    [1.0f64, 0.25, 0.5, 1.0].iter().for_each(|x| npy.extend(x.to_le_bytes()));
    place.file("S.npy", npy).file("y.txt", "a\nb\n").file("S.csv", "1,0.25\n0.5,1\n");
    fit(&place, "S.npy", "-m nearest-centroid").well();
    // Doubles stay in their file, and the answers are those of numbers that are read.
    for flag in ["--similarity", "--dissimilarity"] {
        for (s, model) in [("S.npy", "a.safetensors"), ("S.csv", "b.safetensors")] {
            let words = ["classify", flag, s, "--labels", "y.txt", "--test", "0", "-m", "sda"];
            place.run(&[&words[..], &["-o", model, "--quiet"]].concat()).well();
        }
        let said = |model: &str, s: &str| place.run(&["predict", model, flag, s]).well().out;
        assert_eq!(said("a.safetensors", "S.npy"), said("b.safetensors", "S.csv"), "{flag}");
    }
    place.shell("printf '1,0\\n0,1\\n' | gzip > S.csv.gz").well();
    fit(&place, "S.csv.gz", "-m nearest-centroid").well();
}
