//! `learn`, `predict`, `neighbors` and `model`: a similarity is learned, saved and asked.
#![allow(clippy::unwrap_used)] // a test's helpers are tests

mod common;

use std::fs;

use common::Place;
use serde_json::Value;

/// Four rows of two classes that the cosine tells apart.
const GOOD: &str = "x,y,class\n1,0.1,a\n2,0.3,a\n0.1,1,b\n0.3,2,b\n1,0,a\n0,1,b\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_results_table_carries_what_needs_no_learning() {
    let place = Place::new();
    let answer = place.run(&["learn", "@iris", "--method", "srbs", "--format", "csv"]).well();
    let ways: Vec<&str> = answer.out.lines().map(|l| l.split(',').next().unwrap()).collect();
    assert_eq!(ways, ["way", "learned", "cosine", "euclidean", "majority", "all rest"]);
    assert!(answer.out.contains("\nall rest,,0.6666666666666666,1,1\n"), "{}", answer.out);
    let shown = place.run(&["learn", "@iris", "-m", "rbs", "--mode", "one-vs-rest"]).well().out;
    assert!(shown.contains("constant on 3 of 3"), "{shown}");
    assert!(shown.contains("learning did not help"), "{shown}");
    let none = place.run(&["learn", "@iris", "--test", "0"]).well().out;
    assert!(!none.contains("majority") && none.contains("petal_width"), "{none}");
}

#[test]
fn a_saved_model_predicts_and_tells_how_often_it_is_right() {
    let place = Place::new();
    let learned = place.run(&["learn", "@iris", "-m", "sila", "-o", "m.safetensors"]).well();
    assert!(learned.out.contains("saved in m.safetensors, with its 150 rows"), "{learned:?}");
    assert_eq!(place.files(), ["m.safetensors"]);
    let answer = place.run(&["predict", "m.safetensors", "@iris", "--format", "csv"]).well();
    assert!(
        answer.out.starts_with("row,predicted,p_setosa,p_versicolor,p_virginica\n0,setosa,1,0,0\n")
    );
    assert_eq!(answer.out.lines().count(), 151);
    assert!(answer.err.contains("of 150 rows by column `class`: accuracy 0.9"), "{answer:?}");

    // Without the truth the same classes, and nothing on standard error.
    place.shell("nearkin data iris | cut -d, -f1-4 > rows.csv").well();
    let blind = place.run(&["predict", "m.safetensors", "rows.csv", "--format", "csv"]).well();
    assert_eq!((blind.out, blind.err.as_str()), (answer.out, ""));

    // Columns in another order are found by name.
    place
        .shell("nearkin data iris | awk -F, '{print $4\",\"$3\",\"$2\",\"$1}' > turned.csv")
        .well();
    let turned = place.run(&["predict", "m.safetensors", "turned.csv", "--format", "csv"]).well();
    let json_answer =
        place.run(&["predict", "m.safetensors", "rows.csv", "--format", "json"]).well();
    assert_eq!(
        turned.out,
        place.run(&["predict", "m.safetensors", "rows.csv", "--format", "csv"]).out
    );
    let parsed = json(&json_answer.out);
    assert_eq!(parsed["predictions"][0]["predicted"], "setosa");
    assert_eq!(parsed["accuracy"], Value::Null);
    let other =
        place.run(&["predict", "m.safetensors", "@iris", "--rule", "sknn", "--rule-k", "20"]);
    assert!(other.well().err.contains("accuracy"));
}

#[test]
fn one_similarity_a_class_gives_several_labels_or_none() {
    let place = Place::new();
    place
        .run(&["learn", "@iris", "-m", "sila", "--mode", "one-vs-rest", "-o", "m.safetensors"])
        .well();
    let out = place.run(&["predict", "m.safetensors", "@iris", "--format", "csv"]).well().out;
    assert!(out.starts_with("row,predicted,p_setosa,p_versicolor,p_virginica,labels\n"), "{out}");
    assert!(out.lines().nth(1).unwrap().ends_with(",setosa"), "{out}");
    let near = place.run(&["neighbors", "m.safetensors", "@iris", "--row", "0", "--format", "csv"]);
    assert!(near.well().out.starts_with("of,rank,row,class,similarity\nsetosa,1,"));
}

#[test]
fn neighbours_come_with_what_each_feature_adds() {
    let place = Place::new();
    place.run(&["learn", "@wine", "-m", "sila", "--matrix", "full", "-o", "m.safetensors"]).well();
    let words = ["neighbors", "m.safetensors", "@wine", "--row", "3", "-n", "7"];
    let csv = place.run(&[&words[..], &["--features", "--format", "csv"]].concat()).well().out;
    assert_eq!(csv.lines().count(), 8);
    for line in csv.lines().skip(1) {
        let cells: Vec<f64> = line.split(',').skip(3).map(|cell| cell.parse().unwrap()).collect();
        let sum: f64 = cells[1..].iter().sum();
        assert!((sum - cells[0]).abs() < 1e-9, "{line}");
    }
    let parsed = json(&place.run(&[&words[..], &["--format", "json"]].concat()).well().out);
    assert_eq!(parsed["similarities"][0]["neighbors"].as_array().unwrap().len(), 7);
    let table = place.run(&words).well().out;
    assert!(table.starts_with("Most similar to row 3 of @wine\nrank  row  class"), "{table}");
}

#[test]
fn costs_change_decisions_and_not_the_model() {
    let place = Place::new();
    place.run(&["learn", "@iris", "--k", "9", "-o", "m.safetensors"]).well();
    let count = |answer: &str, class: &str| {
        answer.lines().filter(|l| l.split(',').nth(1) == Some(class)).count()
    };
    let words = ["predict", "m.safetensors", "@iris", "--format", "csv"];
    let plain = place.run(&words).well().out;
    place.file("costs.csv", "0,1,9\n1,0,9\n1,1,0\n");
    place.file(
        "named.csv",
        ",virginica,setosa,versicolor\nvirginica,0,1,1\nsetosa,9,0,1\nversicolor,9,1,0\n",
    );
    let careful = place.run(&[&words[..], &["--costs", "costs.csv"]].concat()).well().out;
    assert!(count(&careful, "virginica") > count(&plain, "virginica"));
    let named = place.run(&[&words[..], &["--costs", "named.csv"]].concat()).well().out;
    assert_eq!(named, careful);
    place.file("small.csv", "0,1\n1,0\n");
    place
        .run(&[&words[..], &["--costs", "small.csv"]].concat())
        .refused(2, &["--costs", "small.csv is 2 × 2", "3 × 3"]);
}

#[test]
fn a_model_shows_its_weights_and_its_matrix() {
    let place = Place::new();
    place
        .run(&["learn", "@iris", "-m", "srbs-psd", "--matrix", "symmetric", "-o", "m.safetensors"])
        .well();
    let shown = place.run(&["model", "m.safetensors"]).well().out;
    assert!(shown.contains("sRBS-PSD learned from @iris, target `class`"), "{shown}");
    assert!(shown.contains("150 rows decide") && shown.contains("petal_length"), "{shown}");
    let cells = place.run(&["model", "m.safetensors", "--format", "csv"]).well().out;
    assert!(cells.starts_with("feature,other,weight\nsepal_length,sepal_length,"), "{cells}");
    assert_eq!(cells.lines().count(), 17);
    place.run(&["learn", "@iris", "-o", "d.safetensors"]).well();
    let weights = place.run(&["model", "d.safetensors", "--format", "csv"]).well().out;
    assert!(weights.starts_with("feature,weight\nsepal_length,"), "{weights}");
    assert_eq!(weights.lines().count(), 5);
}

#[test]
fn an_exported_map_is_written_where_there_is_one() {
    let place = Place::new();
    let learn = |more: &str| {
        let words: Vec<&str> = ["learn", "@iris", "--export-transform", "L.npy"].to_vec();
        place.run(&[words, more.split(' ').collect()].concat())
    };
    learn("-m srbs-psd --matrix symmetric").well();
    assert!(fs::read(place.path("L.npy")).unwrap().starts_with(b"\x93NUMPY"));
    learn("-m srbs-psd --constant 2 -o m.safetensors").well();
    for file in ["L.npy", "again.npy"] {
        // Four columns and the constant: the header tells the size of what follows.
        let bytes = fs::read(place.path(file)).unwrap();
        let head = String::from_utf8_lossy(&bytes[..128]).into_owned();
        assert!(head.contains("'shape': (5, 5)") && bytes.len() == 128 + 8 * 25, "{head}");
        place.run(&["model", "m.safetensors", "--export-transform", "again.npy"]).well();
    }
    let shown = place.run(&["model", "m.safetensors", "--format", "csv"]).well().out;
    assert!(shown.contains("\n(constant),"), "{shown}");
    learn("-m srbs-psd --whiten 0.9 --whiten-by targets -o m.safetensors").well();
    let shown = place.run(&["model", "m.safetensors", "--export-whitening", "W.npy"]).well().out;
    assert!(shown.contains("\nRows are whitened: a feature is a mixture of columns"), "{shown}");
    assert_eq!(fs::read(place.path("W.npy")).unwrap().len(), 128 + 8 * 16);
    let told = place.run(&["model", "m.safetensors", "--format", "json"]).well().out;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["whitening"].as_array().unwrap().len(), 4);
    learn("-m srbs-psd --whiten-by targets").refused(2, &["--whiten-by", "--whiten above 0"]);
    let both = ["--rounds: plays a part only with --solver modern and --refresh"];
    learn("-m srbs --refresh --rounds 3").refused(2, &both);
    learn("-m srbs --solver modern --rounds 3").refused(2, &both);
    learn("-m srbs-psd -o m.safetensors").well();
    place
        .run(&["model", "m.safetensors", "--export-whitening", "no.npy"])
        .refused(2, &["--export-whitening", "--whiten"]);
    for file in ["L.npy", "again.npy", "m.safetensors", "W.npy"] {
        fs::remove_file(place.path(file)).unwrap();
    }
    learn("-m srbs-psd --norm jaccard").refused(2, &["--export-transform", "jaccard", "cosine"]);
    learn("-m rbs").refused(2, &["--export-transform", "positive semi-definite", "rbs-psd"]);
    learn("-m rbs-psd --mode one-vs-rest")
        .refused(2, &["--export-transform", "--mode multi-class"]);
    assert!(place.files().is_empty());
}

#[test]
fn a_model_without_rows_says_so() {
    let place = Place::new();
    let saved = place.run(&["learn", "@iris", "--no-rows", "-o", "m.safetensors"]).well();
    assert!(saved.out.contains("without rows"));
    place
        .run(&["predict", "m.safetensors", "@iris"])
        .refused(2, &["m.safetensors", "without rows"]);
    // Other rows of the table are ranked as the model's own would be.
    let words = ["neighbors", "m.safetensors", "@iris", "--row", "7", "-n", "4", "--format", "csv"];
    let among = place.run(&words).well();
    assert!(among.err.contains("other rows of @iris"), "{}", among.err);
    place.run(&["learn", "@iris", "-o", "m.safetensors"]).well();
    let words = [&words[..5], &["-n", "5", "--format", "csv"]].concat();
    let known = place.run(&words).well();
    let rows = |text: &str| -> Vec<String> {
        let of = text.lines().skip(1).map(|line| line.split_once(',').unwrap().1.to_owned());
        of.filter(|line| !line.starts_with("7,")).collect()
    };
    assert_eq!(rows(&among.out).len(), 4);
    assert_eq!(rows(&among.out), rows(&known.out));
    place.run(&["learn", "@iris", "--no-rows"]).refused(2, &["--no-rows", "-o MODEL"]);
}

#[test]
fn files_that_are_no_models() {
    let place = Place::new();
    place.run(&["learn", "@iris", "-o", "m.safetensors"]).well();
    let whole = fs::read(place.path("m.safetensors")).unwrap();
    place.file("cut.safetensors", &whole[..whole.len() / 2]);
    place.file("empty.safetensors", "").file("text.safetensors", "not a model at all\n");
    let newer = String::from_utf8_lossy(&whole[8..]).contains("nearkin_format");
    assert!(newer);
    let mut bytes = whole.clone();
    let at = bytes.windows(16).position(|w| w == b"nearkin_format\":").unwrap();
    bytes[at + 17] = b'7';
    place.file("newer.safetensors", &bytes);
    let mut bytes = whole;
    let last = bytes.len() - 1;
    bytes[last] ^= 64;
    place.file("damaged.safetensors", &bytes);
    let refuse = |file: &str, parts: &[&str]| {
        let parts = [&[file], parts].concat();
        place.run(&["predict", file, "@iris"]).refused(2, &parts);
        place.run(&["model", file]).refused(2, &parts);
    };
    refuse("cut.safetensors", &["cut short", "copy or make it again"]);
    refuse("empty.safetensors", &["empty"]);
    refuse("text.safetensors", &["no safetensors file"]);
    refuse("newer.safetensors", &["format 7", "update nearkin"]);
    refuse("damaged.safetensors", &["damaged"]);
    refuse("none.safetensors", &["no such file"]);
}

#[test]
fn a_table_with_other_columns() {
    let place = Place::new();
    place.run(&["learn", "@iris", "-o", "m.safetensors"]).well();
    place.file("other.csv", "sepal_length,width,petal_length,petal_width\n1,2,3,4\n");
    let parts = ["other.csv", "missing `sepal_width`", "extra `width`"];
    place.run(&["predict", "m.safetensors", "other.csv"]).refused(2, &parts);
    place.run(&["neighbors", "m.safetensors", "other.csv", "--row", "0"]).refused(2, &parts);
    place.file("more.csv", "id,sepal_length,sepal_width,petal_length,petal_width\n9,5,3,1.4,0.2\n");
    place.run(&["predict", "m.safetensors", "more.csv"]).refused(2, &["extra `id`", "drop"]);
    let out = place.run(&["predict", "m.safetensors", "more.csv", "--drop", "id"]).well().out;
    assert!(out.contains("setosa"), "{out}");
    place.file("text.csv", "sepal_length,sepal_width,petal_length,petal_width\n5,3,x,0.2\n");
    let parts = ["text.csv, line 2", "`petal_length`", "`x` is not a number"];
    place.run(&["predict", "m.safetensors", "text.csv"]).refused(2, &parts);
}

#[test]
fn data_that_no_similarity_can_be_learned_from() {
    let refuse = |content: &str, more: &str, parts: &[&str]| {
        let place = Place::new();
        place.file("t.csv", content);
        let words = ["learn", "t.csv", "-o", "m.safetensors"];
        let more: Vec<&str> = more.split(' ').filter(|word| !word.is_empty()).collect();
        place.run(&[&words[..], &more].concat()).refused(2, parts);
        assert_eq!(place.files(), ["t.csv"]);
    };
    refuse(&format!("{GOOD}0,0,a\n"), "--test 0", &["t.csv", "row 6 is all zeros", "dot"]);
    refuse(&format!("{GOOD}-1,1,a\n"), "--norm dice --test 0", &["t.csv", "negative", "cosine"]);
    refuse(&format!("{GOOD}-1,1,a\n"), "--norm jaccard --test 0", &["negative", "jaccard"]);
    refuse("x,class\n1,a\n2,a\n", "", &["t.csv", "class `a`", "two classes"]);
    refuse(&format!("{GOOD},1,a\n"), "--test 0", &["t.csv", "row 6, column `x`", "missing"]);
    refuse("x,class\n1,a\ninf,b\n", "", &["t.csv", "line 3", "`x`"]);
    refuse("w,class\nred,a\nblue,b\n", "", &["t.csv", "`w` is nominal"]);
    refuse("x,y\n1,0.5\n2,0.75\n3,1.5\n", "--target y", &["t.csv", "needs classes"]);
    refuse(GOOD, "--test 2", &["--test", "0 to 0.9"]);
    refuse(GOOD, "--k 0", &["--k", "at least 1"]);
    refuse(GOOD, "--beta 1 -m rbs", &["--beta", "rbs", "--norm"]);
    refuse(GOOD, "-m sril", &["--method", "`sril`", "srbs"]);
}

#[test]
fn k_beyond_a_class_is_noted() {
    let place = Place::new();
    place.file("t.csv", GOOD);
    let answer = place.run(&["learn", "t.csv", "--k", "50", "--test", "0"]).well();
    assert!(answer.out.contains("note: class `a` has 3 rows: fewer than k = 50"), "{answer:?}");
}

#[test]
fn training_goes_on_from_a_saved_model() {
    let place = Place::new();
    let learn = |more: &str| {
        let words: Vec<&str> = ["learn", "@wine", "--scale", "zscore", "-q"].to_vec();
        place.run(&[words, more.split(' ').collect()].concat())
    };
    learn("-m srbs --solver modern --epochs 3 --gamma 0 -o a.safetensors").well();
    learn("--resume a.safetensors --epochs 60 -o b.safetensors").well();
    let model = |file: &str| json(&place.run(&["model", file, "--format", "json"]).well().out);
    let (first, second) = (model("a.safetensors"), model("b.safetensors"));
    assert_eq!(second["parameters"]["solver"], "modern");
    let objective = |model: &Value| -> Vec<f64> {
        let all = model["models"][0]["objective"].as_array().unwrap();
        all.iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let (before, after) = (objective(&first), objective(&second));
    // The second run begins where the first ended and goes further down.
    assert!((before.last().unwrap() - after[0]).abs() < 1e-9, "{before:?} {after:?}");
    assert!(after.last().unwrap() < before.last().unwrap());
    // What was learned from before cannot judge.
    learn("--resume a.safetensors --test 0.3").refused(2, &["--test", "go on from"]);
    for other in ["--constant 2", "--norm dot", "--whiten 0.5"] {
        let told = learn(&format!("--resume a.safetensors {other}"));
        told.refused(2, &[other.split(' ').next().unwrap(), "where learning goes on"]);
    }
    learn("--resume a.safetensors --constant 0.0 --epochs 4").well();
    // Another method goes on among the same rows, and says so.
    learn("-m srbs --whiten 0.9 --constant 2 -o w.safetensors").well();
    learn("-m sila --resume w.safetensors --whiten 0.9 -o s.safetensors").well();
    let parameters = model("s.safetensors")["parameters"].clone();
    assert_eq!((&parameters["whiten"], &parameters["constant"]), (&"0.9".into(), &"2".into()));
    learn("-m sila --resume w.safetensors --whiten 0").refused(2, &["--whiten", "stays 0.9"]);
    place.file("none.safetensors", "x");
    learn("--resume none.safetensors")
        .refused(2, &["--resume: none.safetensors", "no safetensors"]);
    place
        .run(&["learn", "@iris", "--resume", "a.safetensors"])
        .refused(2, &["@iris", "other columns"]);
}

#[test]
fn triplets_teach_without_classes() {
    let place = Place::new();
    place.file("rows.csv", "x,y\n1,0.2\n0.1,0.3\n1,1.2\n0.2,0.9\n");
    place.file("t.csv", "anchor,positive,negative\n0,1,2\n1,0,3\n");
    let words = ["learn", "rows.csv", "-m", "sila", "--triplets"];
    let learn = |file: &str| place.run(&[&words[..], &[file, "-o", "m.safetensors"]].concat());
    let shown = learn("t.csv").well().out;
    assert!(shown.contains("2 triplets: ") && shown.contains("without rows"), "{shown}");
    place.run(&["predict", "m.safetensors", "rows.csv"]).refused(2, &["without rows"]);
    let near = ["neighbors", "m.safetensors", "rows.csv", "--row", "0", "-n", "9"];
    assert_eq!(place.run(&near).well().out.lines().count(), 2 + 3);
    place.file("far.csv", "0,1,9\n").file("half.csv", "0,1,1.5\n").file("two.csv", "0,1\n");
    learn("far.csv").refused(2, &["rows.csv", "row 9"]);
    learn("half.csv").refused(2, &["--triplets", "half.csv", "triplet 0", "1.5"]);
    learn("two.csv").refused(2, &["--triplets", "two.csv", "found 2"]);
}

#[test]
fn a_preset_sets_what_its_paper_did_and_flags_come_after() {
    let place = Place::new();
    let learn = |more: &[&str]| {
        let words = ["learn", "@iris", "--test", "0", "--format", "json", "-q", "--preset"];
        json(&place.run(&[&words[..], more].concat()).well().out)
    };
    let sila = learn(&["sila-2008", "--epochs", "2"]);
    assert_eq!((&sila["method"], &sila["parameters"]["start"]), (&"sila".into(), &"null".into()));
    assert_eq!(
        (&sila["parameters"]["mode"], &sila["parameters"]["epochs"]),
        (&"one-vs-rest".into(), &2.into())
    );
    let srbs = learn(&["srbs-2012", "--matrix", "full"]);
    assert_eq!((&srbs["method"], &srbs["parameters"]["matrix"]), (&"srbs".into(), &"full".into()));
    place.run(&["learn", "@iris", "--preset", "sila-2009"]).refused(2, &["--preset", "sila-2008"]);
}

#[test]
fn settings_are_chosen_on_rows_that_do_not_teach() {
    let place = Place::new();
    let learn = |more: &str| {
        // A few steps on one thread: what is chosen matters here, not how well it does.
        let words = "learn @wine --scale zscore --gamma 0 --threads 1 -q";
        let words: Vec<&str> = words.split(' ').chain(more.split(' ')).collect();
        place.run(&words)
    };
    let json_of = |more: &str| json(&learn(&format!("{more} --format json")).well().out);
    let folds = json_of("--choose 2-fold --test 0 --try beta=1,10 --try lambda=0.01 --try k=1,3");
    let chosen = &folds["chosen"][0];
    assert_eq!(chosen["tried"], 4);
    // What was chosen is what is learned with, and how many decide.
    assert_eq!(folds["parameters"]["k"], chosen["k"]);
    assert_eq!(folds["rule_k"], chosen["k"]);
    let beta: f64 = chosen["settings"]["beta"].as_str().unwrap().parse().unwrap();
    assert_eq!(folds["parameters"]["beta"].as_f64().unwrap(), beta);
    assert!(chosen["score"].as_f64().unwrap() > 0.8, "{chosen}");
    // A flag of its own is not up for choice.
    let given = json_of("--choose validation:0.3 --test 0 --beta 5 --k 3 --try lambda=0,1");
    assert_eq!(
        (&given["chosen"][0]["tried"], &given["parameters"]["beta"]),
        (&2.into(), &5.0.into())
    );
    let shown = learn("--choose validation --try beta=1,10 --lambda 1 --k 3").well().out;
    assert!(shown.contains("Chosen among") && shown.contains("right there"), "{shown}");
    let local = json_of(
        "--mode one-vs-rest --choose validation --test 0 --lambda 1 --try beta=1,10 --try k=1,3",
    );
    assert_eq!(local["chosen"].as_array().unwrap().len(), 3);
    learn("--try beta=1 -m sila --start null").refused(2, &["--gamma", "sila"]);
    learn("--try gamma=1").refused(2, &["--try", "`gamma`", "srbs", "k, beta, lambda"]);
    learn("--try beta=a").refused(2, &["--try", "beta", "`a`"]);
    learn("--choose folds").refused(2, &["--choose", "K-fold"]);
    let sila = ["learn", "@iris", "-m", "sila", "--choose", "2-fold", "--format", "json", "-q"];
    let more = ["--try", "epochs=1,2,4", "--k", "1", "--test", "0", "--threads", "1"];
    let sila = json(&place.run(&[&sila[..], &more].concat()).well().out);
    assert!(sila["chosen"][0]["settings"]["epochs"].is_string(), "{}", sila["chosen"]);
}

#[test]
fn learning_shows_its_course_and_what_theory_allows() {
    let place = Place::new();
    let words = ["learn", "@iris", "-m", "sila", "--start", "null", "--test", "0"];
    let shown = place.run(&words).well().out;
    assert!(shown.contains("margins at most 0") && shown.contains("objective"), "{shown}");
    assert!(shown.contains("mistakes in the first epoch; theorem 2 allows"), "{shown}");
    let parsed = json(&place.run(&[&words[..], &["--format", "json"]].concat()).well().out);
    let bound = &parsed["models"][0]["bound"];
    assert!(bound["mistakes"].as_f64().unwrap() <= bound["bound"].as_f64().unwrap(), "{bound}");
}

#[test]
fn sparse_rows_are_learned_from_saved_and_asked() {
    let place = Place::new();
    let row = |i: usize| match i % 2 {
        0 => format!("yes 1:{} 3:1 {}:1\n", 1 + i % 3, 5 + i % 4),
        _ => format!("no 2:{} 4:1 {}:1\n", 1 + i % 3, 5 + i % 4),
    };
    let text: String = (0..24).map(row).collect();
    place.file("t.svm", &text);
    let learned = place.run(&["learn", "t.svm", "-m", "sila", "-o", "m.safetensors"]).well();
    assert!(learned.out.contains("24 rows, 8 columns, 2 classes of `target`"), "{learned:?}");
    assert!(learned.out.contains("cosine") && learned.out.contains("euclidean"), "{learned:?}");
    place.file("q.svm", "yes 1:2\nno 2:1 4:3\n");
    let said = place.run(&["predict", "m.safetensors", "q.svm", "--format", "csv"]).well();
    assert!(said.out.contains("\n0,yes,") && said.out.contains("\n1,no,"), "{said:?}");
    assert!(said.err.contains("right on 2 of 2 rows"), "{said:?}");
    let near = place.run(&["neighbors", "m.safetensors", "q.svm", "--row", "1"]).well().out;
    assert!(near.contains("no"), "{near}");
    place.file("wide.svm", "yes 99:1\n");
    place.run(&["predict", "m.safetensors", "wide.svm"]).refused(2, &["wide.svm", "column `99`"]);
    place.run(&["learn", "t.svm", "--drop", "3"]).refused(2, &["--drop", "svmlight"]);
    place.run(&["learn", "t.svm", "--matrix", "full"]).refused(2, &["--matrix", "diagonal"]);
    place.run(&["learn", "t.svm", "--scale", "zscore"]).refused(2, &["--scale", "sparse"]);
    place.file("empty.svm", "yes\nno 1:1\nno 1:2\nyes 2:1\n");
    place.run(&["learn", "empty.svm", "--test", "0"]).refused(2, &["row 0 is all zeros"]);
    let words = ["learn", "empty.svm", "--input-format", "csv"];
    assert_ne!(place.run(&words).code, Some(0));
}

#[test]
fn a_large_sparse_corpus_trains_in_diagonal_form() {
    let Some(data) = std::env::var_os("NEARKIN_DATA") else { return };
    let file = std::path::Path::new(&data).join("tables/ng20-binary.svm.gz");
    if !file.exists() {
        return;
    }
    let place = Place::new();
    let file = file.display().to_string();
    let words = ["learn", &file, "-m", "rbs", "--k", "1", "--test", "0", "--format", "json"];
    let parsed = json(&place.run(&words).well().out);
    assert_eq!((&parsed["rows"], &parsed["columns"]), (&18774.into(), &16201.into()));
    assert_eq!(parsed["models"][0]["weights"].as_array().unwrap().len(), 16201);
}

#[test]
fn a_model_shows_how_it_scales_and_prediction_knows_its_own_rows() {
    let place = Place::new();
    place.run(&["learn", "@wine", "--scale", "zscore", "-o", "m.safetensors"]).well();
    let shown = place.run(&["model", "m.safetensors"]).well().out;
    assert!(shown.contains("Columns are scaled first") && shown.contains("shift"), "{shown}");
    let parsed = json(&place.run(&["model", "m.safetensors", "--format", "json"]).well().out);
    assert_eq!(parsed["scaling"]["shift"].as_array().unwrap().len(), 13);
    let said = place.run(&["predict", "m.safetensors", "@wine"]).well();
    assert!(said.err.contains("178 of 178 rows are among the rows that decide"), "{said:?}");
    place.run(&["learn", "@wine", "-o", "plain.safetensors"]).well();
    let parsed = json(&place.run(&["model", "plain.safetensors", "--format", "json"]).well().out);
    assert_eq!(parsed["scaling"], Value::Null);
    // Sparse rows would lose the shift.
    place.file("q.svm", "1 1:2\n");
    place.run(&["predict", "m.safetensors", "q.svm"]).refused(2, &["q.svm", "shifts columns"]);
}

#[test]
fn margins_of_every_example_are_written_and_too_few_rows_to_hold_out_are_told() {
    let place = Place::new();
    let told = place.run(&["learn", "@iris", "--test", "0.001", "--format", "json"]).well();
    assert!(told.err.contains("holds out none"), "{}", told.err);
    let json: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let mut found = Vec::new();
    let mut open = vec![&json];
    while let Some(value) = open.pop() {
        found.extend(value.get("margins_after").map(|margins| &margins["each"]));
        open.extend(value.as_object().into_iter().flat_map(|map| map.values()));
        open.extend(value.as_array().into_iter().flatten());
    }
    assert_eq!(found[0].as_array().unwrap().len(), 150);
}
