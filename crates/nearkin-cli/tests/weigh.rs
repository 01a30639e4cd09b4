//! The main job: `nearkin weigh`, its forms and its flags.
#![allow(clippy::unwrap_used)]

mod common;
#[path = "../../nearkin-read/tests/npy/mod.rs"]
mod npy;

use common::Place;
use serde_json::Value;

/// Two classes, one telling column, one noisy.
const SMALL: &str = "height,noise,class\n1,5,a\n1.1,9,a\n1.2,1,a\n3,2,b\n3.1,8,b\n3.2,4,b\n";

/// Each class has a column that tells it from the other, and one that misleads.
const TOY: &str = "x,y,class\n2,0,1\n4,0,1\n1,6,1\n5,6,1\n0,2,2\n0,4,2\n6,1,2\n6,5,2\n";

#[test]
fn petals_tell_iris_species_apart() {
    let words = ["weigh", "@iris", "--target", "class", "--method", "relieff", "--k", "10"];
    let answer = Place::new().run(&words).well();
    let golden = include_str!("golden/iris.txt");
    assert_eq!(answer.out, golden);
    assert_eq!(answer.err, "");
}

#[test]
fn the_table_form_shows_classes_rows_and_notes() {
    let place = Place::new();
    place.file("t.csv", SMALL);
    let answer = place.run(&["weigh", "t.csv", "--k", "5", "--per-class", "--explain", "4"]).well();
    assert_eq!(answer.out, include_str!("golden/small.txt"));
    let words = "weigh t.csv --k 1 --scale none --per-class --p-values stir --interval 0.9";
    place.file("t.csv", TOY);
    let answer = place.run(&words.split(' ').collect::<Vec<_>>()).well();
    assert_eq!(answer.out, include_str!("golden/toy.txt"));
}

#[test]
fn csv_is_rank_feature_weight_and_reads_back_exactly() {
    let place = Place::new();
    let csv = place.run(&["weigh", "@iris", "--format", "csv"]).well().out;
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("rank,feature,weight"));
    let json = json(&place, &["weigh", "@iris", "--format", "json"]);
    let weights = json["weights"].as_array().unwrap();
    assert_eq!(lines.clone().count(), weights.len());
    for (line, one) in lines.zip(weights) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[0].parse::<u64>().ok(), one["rank"].as_u64());
        assert_eq!(cells[1], one["feature"]);
        assert_eq!(cells[2].parse::<f64>().ok(), one["weight"].as_f64());
    }
}

#[test]
fn classes_and_rows_make_the_csv_longer_and_leave_the_whole_empty() {
    let words = ["weigh", "@iris", "--format", "csv", "--top", "1"];
    let place = Place::new();
    let lines = |more: &[&str]| {
        let out = place.run(&[&words, more].concat()).well().out;
        out.lines().map(|l| l.rsplit_once(',').unwrap().0.to_owned()).collect::<Vec<_>>()
    };
    let classes = lines(&["--per-class"]);
    assert_eq!(classes[..3], ["rank,feature,class", "1,petal_width,", "1,petal_width,setosa"]);
    assert_eq!(classes.len(), 5);
    assert_eq!(
        lines(&["--explain", "3"]),
        ["rank,feature,row", "1,petal_width,", "1,petal_width,3"]
    );
    let both = lines(&["--per-class", "--explain", "3,7"]);
    assert_eq!(both[0], "rank,feature,class,row");
    assert_eq!(both.len(), 1 + 1 + 3 + 2);
}

#[test]
fn json_carries_what_the_answer_depends_on() {
    let place = Place::new();
    place.file("t.csv", SMALL);
    let json = json(&place, &["weigh", "t.csv", "--format", "json", "--k", "2", "--seed", "9"]);
    assert_eq!(json["nearkin_version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(json["method"], "relieff");
    assert_eq!(json["parameters"]["k"], 2);
    assert_eq!(json["parameters"]["sample"], Value::Null);
    assert_eq!(json["seed"], 9);
    assert_eq!((&json["rows"], &json["columns"]), (&6.into(), &2.into()));
    assert_eq!(json["classes"], serde_json::json!(["a", "b"]));
    assert_eq!(json["target"], "class");
    assert_eq!(json["target_guessed"], true);
    assert!(json["notes"].is_array());
    for part in ["read_seconds", "fit_seconds", "write_seconds"] {
        assert!(json["timing"][part].as_f64().unwrap() >= 0.0, "{part}");
    }
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let place = Place::new();
    let words = ["weigh", "@house-votes-84", "--format", "csv", "--per-class", "--threads"];
    let with = |threads| place.run(&[&words[..], &[threads]].concat()).well().out;
    let one = with("1");
    assert_eq!(one, with("2"));
    assert_eq!(one, with("7"));
}

#[test]
fn the_seed_draws_the_sample() {
    let place = Place::new();
    let with = |seed| {
        let words = ["weigh", "@wine", "--format", "csv", "--sample", "20", "--seed", seed];
        place.run(&words).well().out
    };
    assert_eq!(with("1"), with("1"));
    assert_ne!(with("1"), with("2"));
}

#[test]
fn a_guessed_target_is_told_unless_quiet() {
    let place = Place::new();
    place.file("t.csv", SMALL);
    let told = "note: the target is column `class`";
    assert!(place.run(&["weigh", "t.csv", "--k", "2"]).well().err.contains(told));
    assert_eq!(place.run(&["weigh", "t.csv", "--k", "2", "--quiet"]).well().err, "");
    assert_eq!(place.run(&["weigh", "t.csv", "--k", "2", "--target", "class"]).well().err, "");
}

#[test]
fn timing_is_told_on_standard_error() {
    let place = Place::new();
    let err = place.run(&["weigh", "@iris", "--timing", "--format", "csv"]).well().err;
    assert!(err.starts_with("nearkin: timing: reading "), "{err}");
    assert!(err.contains("fitting") && err.contains("writing"), "{err}");
}

#[test]
fn quiet_leaves_standard_output_alone_whatever_else_is_asked() {
    let place = Place::new();
    place.file("t.csv", SMALL);
    for form in ["table", "csv", "json"] {
        let words = ["weigh", "t.csv", "--k", "9", "--timing", "--quiet", "--format", form];
        let more = ["--p-values", "permutation", "--permutations", "3", "--select", "weight:9"];
        let answer = place.run(&[&words[..], &more].concat()).well();
        assert_eq!(answer.err, "");
        assert!(!answer.out.is_empty());
    }
}

#[test]
fn reading_flags_reach_the_reader() {
    let place = Place::new();
    place.file("t.txt", "x;1;0;-9;yes\ny;2;1;5;no\nx;3;0;6;yes\ny;4;1;7;no\n");
    let words = "weigh t.txt --no-header --delimiter semicolon --target -1 --nominal 2 --drop 1 \
                 --missing-token -9 --target-kind classes --input-format csv --discrete-limit 2 \
                 --k 1 --format json";
    let json = json(&place, &words.split_whitespace().collect::<Vec<_>>());
    let mut names: Vec<&str> = json["weights"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["feature"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["x0", "x2", "x3"]);
    assert_eq!(json["classes"], serde_json::json!(["no", "yes"]));
}

#[test]
fn flags_mean_the_same_for_a_bundled_set_as_for_its_file() {
    let place = Place::new();
    for set in ["iris", "wine", "house-votes-84", "balance-scale"] {
        place.run(&["data", set, "-o", "t.csv"]).well();
        let flags = ["--format", "csv", "--drop", "0", "--target", "class"];
        let at = format!("@{set}");
        let bundled = place.run(&[&["weigh", &at], &flags[..]].concat()).well().out;
        assert_eq!(bundled, place.run(&[&["weigh", "t.csv"], &flags[..]].concat()).well().out);
    }
}

#[test]
fn a_bundled_category_written_in_digits_stays_a_category() {
    let place = Place::new();
    let top =
        |words: &[&str]| place.run(&[&["weigh", "@epistasis", "--format", "csv"], words].concat());
    let plain = top(&[]).well().out;
    assert_eq!(plain, top(&["--discrete-limit", "3"]).well().out);
    assert_ne!(plain, top(&["--numeric", "0"]).well().out);
}

#[test]
fn a_table_comes_through_a_pipe_too() {
    let place = Place::new();
    let piped = place.shell("nearkin data iris | nearkin weigh - --format csv --target class");
    let named = place.run(&["weigh", "@iris", "--format", "csv"]);
    assert_eq!(piped.well().out, named.well().out);
}

#[test]
fn names_with_commas_and_quotes_are_quoted_in_csv() {
    let place = Place::new();
    place.file("t.csv", SMALL.replace("height", "\"big, \"\"tall\"\"\""));
    let out = place.run(&["weigh", "t.csv", "--k", "2", "--format", "csv", "-q"]).well().out;
    assert!(out.contains("\n1,\"big, \"\"tall\"\"\","), "{out}");
}

#[test]
fn pythons_words_for_parameters_are_understood() {
    let place = Place::new();
    let long = place.run(&["weigh", "@iris", "--n-neighbors", "5", "--random-state", "3"]);
    assert_eq!(long.well().out, place.run(&["weigh", "@iris", "--k", "5", "--seed", "3"]).out);
}

fn json(place: &Place, words: &[&str]) -> Value {
    serde_json::from_str(&place.run(words).well().out).unwrap()
}

#[test]
fn weights_are_scored_against_the_truth_that_is_known() {
    let place = Place::new();
    let made =
        place.run(&["simulate", "xor", "--rows", "120", "--seed", "3", "--truth", "-o", "x.csv"]);
    let names = made.well().out;
    place.file("truth.txt", names.clone());
    let by_file =
        place.run(&["weigh", "x.csv", "--truth", "truth.txt", "--format", "json"]).well().out;
    let found: Value = serde_json::from_str(&by_file).unwrap();
    let relevant: Vec<&str> = names.lines().collect();
    assert_eq!(found["truth"]["relevant"], serde_json::json!(relevant));
    // The definition, from the weights themselves.
    let of = |known: bool| {
        let all = found["weights"].as_array().unwrap().iter();
        let is_known = |one: &&Value| relevant.contains(&one["feature"].as_str().unwrap());
        let kind = all.filter(|one| is_known(one) == known);
        kind.map(|one| one["weight"].as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let (good, other) = (of(true), of(false));
    let most = other.iter().copied().fold(f64::MIN, f64::max);
    let least = good.iter().copied().fold(f64::MAX, f64::min);
    let best = good.iter().copied().fold(f64::MIN, f64::max);
    assert_eq!(found["truth"]["separability"], least - most);
    assert_eq!(found["truth"]["usability"], best - most);
    let by_name =
        place.run(&["weigh", "x.csv", "--truth", &names.trim().replace('\n', ",")]).well().out;
    assert!(by_name.contains("Against the truth") && by_name.contains("AUC"), "{by_name}");
    place
        .run(&["weigh", "x.csv", "--truth", "nobody"])
        .refused(2, &["`nobody` is neither a feature"]);
}

#[test]
fn weights_per_class_come_with_how_they_go_with_the_whole() {
    let place = Place::new();
    let told = place.run(&["weigh", "@iris", "-m", "class-dependent"]).well().out;
    assert!(told.contains("How classes go with the whole") && told.contains("MaxCorr"), "{told}");
    let json =
        place.run(&["weigh", "@iris", "-m", "class-dependent", "--format", "json"]).well().out;
    let found: Value = serde_json::from_str(&json).unwrap();
    let found = &found["class_dependence"];
    let all: Vec<f64> =
        found["correlations"].as_object().unwrap().values().map(|r| r.as_f64().unwrap()).collect();
    assert_eq!(all.len(), 3);
    assert_eq!(found["max_correlation"], all.iter().copied().fold(f64::MIN, f64::max));
    let plain = place.run(&["weigh", "@iris", "--format", "json"]).well().out;
    let plain: Value = serde_json::from_str(&plain).unwrap();
    assert!(plain["class_dependence"].is_null() && plain["truth"].is_null());
}

#[test]
fn a_parameter_that_plays_no_part_is_refused() {
    let place = Place::new();
    for (words, told) in [
        (&["--sigma", "0.1"][..], "--sigma: plays a part only with --weighting rank or kernel"),
        (&["--ramp-equal", "0.5"], "--ramp-equal: plays a part only with --ramp"),
        (&["-m", "i-relief", "--passes", "3"], "--passes: plays a part only with --online"),
        (
            &["-m", "pdrelieff", "--alpha", "0"],
            "--alpha: plays a part only with --schedule constant",
        ),
        (&["-m", "relief", "--tau", "0.04", "--alpha", "0.1"], "--alpha: plays no part"),
    ] {
        place.run(&[&["weigh", "@iris"], words].concat()).refused(2, &[told]);
    }
    place.run(&["weigh", "@iris", "--sigma", "3", "--weighting", "rank"]).well();
    // α = 0 is ReliefF, to the bit.
    let weights = |words: &[&str]| {
        let words =
            [&["weigh", "@iris", "--metric", "euclidean", "--format", "csv"], words].concat();
        place.run(&words).well().out
    };
    let still = ["-m", "pdrelieff", "--schedule", "constant", "--alpha", "0"];
    assert_eq!(weights(&still), weights(&["-m", "relieff"]));
}

#[test]
fn every_method_weighs_an_array_that_stays_in_its_file_as_the_same_numbers_in_text() {
    let place = Place::new();
    let (rows, columns) = (40, 4);
    let cell = |at: usize| match at % columns {
        3 => (at / columns % 2) as f64,
        _ => (at * at * 7919 % 1013) as f64 / 8.0,
    };
    let cells: Vec<f64> = (0..rows * columns).map(cell).collect();
    let mut text = String::from("x0,x1,x2,x3\n");
    for row in cells.chunks(columns) {
        let row: Vec<String> = row.iter().map(f64::to_string).collect();
        text += &(row.join(",") + "\n");
    }
    place.file("t.csv", &text);
    std::fs::write(place.path("t.npy"), npy::npy(rows, columns, &cells)).unwrap();
    for method in nearkin::weigh::methods() {
        let id = method.about().id;
        let kind = if id == "rrelieff" { "real" } else { "classes" };
        let [array, text] = ["t.npy", "t.csv"].map(|file| {
            json(&place, &["weigh", file, "-m", id, "--target-kind", kind, "--format", "json"])
        });
        assert!(array["weights"].as_array().unwrap().len() >= 3);
        assert_eq!(array["weights"], text["weights"], "{id}");
    }
}
