//! What can be asked beside the weights: p-values, intervals, pairs of classes, wrappers.
#![allow(clippy::unwrap_used)]

mod common;

use common::Place;
use serde_json::Value;

/// Rows of class 1 differ in `y` from their nearest misses, those of class 2 in `x`.
const TOY: &str = "x,y,class\n2,0,1\n4,0,1\n1,6,1\n5,6,1\n0,2,2\n0,4,2\n6,1,2\n6,5,2\n";

/// The CSV answer, as cells under names.
fn csv(place: &Place, words: &[&str]) -> Vec<Vec<(String, String)>> {
    let words = [&["weigh"], words, &["--format", "csv", "-q"]].concat();
    let answer = place.run(&words).well();
    assert_eq!(answer.err, "");
    let mut lines = answer.out.lines();
    let head: Vec<String> = lines.next().unwrap().split(',').map(String::from).collect();
    lines
        .map(|line| {
            let cells: Vec<String> = line.split(',').map(String::from).collect();
            assert_eq!(cells.len(), head.len(), "{line}");
            head.iter().cloned().zip(cells).collect()
        })
        .collect()
}

fn head(rows: &[Vec<(String, String)>]) -> String {
    rows[0].iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(",")
}

fn cell<'r>(row: &'r [(String, String)], name: &str) -> &'r str {
    &row.iter().find(|(other, _)| other == name).unwrap().1
}

fn number(row: &[(String, String)], name: &str) -> f64 {
    cell(row, name).parse().unwrap()
}

fn json(place: &Place, words: &[&str]) -> Value {
    let words = [&["weigh"], words, &["--format", "json", "-q"]].concat();
    serde_json::from_str(&place.run(&words).well().out).unwrap()
}

/// Every cell of the CSV is the value of that name in JSON, empty cells null.
#[track_caller]
fn same_in_json(place: &Place, words: &[&str]) {
    let (rows, json) = (csv(place, words), json(place, words));
    let weights = json["weights"].as_array().unwrap();
    assert_eq!(rows.len(), weights.len());
    for (row, one) in rows.iter().zip(weights) {
        assert_eq!(row.len(), one.as_object().unwrap().len());
        for (name, text) in row {
            match &one[name] {
                Value::Null => assert_eq!(text, "", "{name}"),
                Value::String(value) => assert_eq!(text, value),
                value => assert_eq!(text.parse::<f64>().ok(), value.as_f64(), "{name}"),
            }
        }
    }
}

#[test]
fn the_toys_classes_weigh_its_features_oppositely() {
    let place = Place::new();
    place.file("toy.csv", TOY);
    let words = "weigh toy.csv --method class-dependent --class-scale sum --k 1 --scale none";
    let words: Vec<&str> = words.split(' ').collect();
    let answer = place.run(&[&words[..], &["--format", "csv"]].concat()).well();
    let meant = "rank,feature,class,weight\n1,x,,0\n1,y,,0\n1,y,1,6\n2,x,1,-6\n1,x,2,6\n2,y,2,-6\n";
    assert_eq!(answer.out, meant);
}

#[test]
fn stir_adds_p_q_t_and_effect_for_the_whole_and_each_class() {
    let place = Place::new();
    let rows = csv(&place, &["@iris", "--p-values", "stir"]);
    assert_eq!(head(&rows), "rank,feature,weight,p,q,t,effect");
    for row in &rows {
        let (p, q) = (number(row, "p"), number(row, "q"));
        assert!((0.0..=1.0).contains(&p) && p <= q && q <= 1.0);
        assert!(number(row, "t") > 0.0 && number(row, "effect") > 0.0);
    }
    let rows = csv(&place, &["@iris", "--p-values", "stir", "--per-class"]);
    assert_eq!(head(&rows), "rank,feature,class,weight,p,q,t,effect");
    assert_eq!(rows.len(), 4 * 4);
    assert!(rows.iter().all(|row| !cell(row, "p").is_empty() && !cell(row, "q").is_empty()));
    same_in_json(&place, &["@iris", "--p-values", "stir", "--per-class", "--explain", "2"]);
}

#[test]
fn permutation_p_is_never_below_one_of_all_shuffles() {
    let place = Place::new();
    let words = ["@iris", "--p-values", "permutation", "--permutations", "19", "--per-class"];
    let rows = csv(&place, &words);
    assert_eq!(head(&rows), "rank,feature,class,weight,p,q");
    for row in &rows {
        match cell(row, "class") {
            "" => assert_eq!(number(row, "p"), 0.05),
            _ => assert_eq!((cell(row, "p"), cell(row, "q")), ("", "")),
        }
    }
    let told = json(&place, &words);
    assert_eq!(told["p_values"], serde_json::json!({ "test": "permutation", "permutations": 19 }));
    let told = json(&place, &["@balance-scale", "--p-values", "permutation", "--sample", "20"]);
    assert_eq!(told["p_values"]["permutations"], 200);
}

#[test]
fn permutation_holds_for_every_method_of_classes() {
    let place = Place::new();
    place.run(&["simulate", "xor", "--rows", "60", "--irrelevant", "4", "-o", "t.csv"]).well();
    for id in ids(&place).iter().filter(|id| !matches!(id.as_str(), "rrelieff" | "association")) {
        let words = [
            "t.csv",
            "--discrete-limit",
            "3",
            "-m",
            id,
            "--p-values",
            "permutation",
            "--permutations",
            "5",
        ];
        let rows = csv(&place, &words);
        // A method may rank classes unasked; the test is of the whole.
        let whole =
            |row: &&Vec<(String, String)>| row.iter().all(|c| c.0 != "class" || c.1.is_empty());
        let whole: Vec<_> = rows.iter().filter(whole).collect();
        assert_eq!(whole.len(), 6, "{id}");
        assert!(whole.iter().all(|row| number(row, "p") >= 1.0 / 6.0 - 1e-12), "{id}");
    }
    place.run(&["simulate", "lin-inc", "--rows", "60", "-o", "r.csv"]).well();
    let real = ["r.csv", "-m", "rrelieff", "--p-values", "permutation", "--permutations", "19"];
    assert_eq!(number(&csv(&place, &real)[0], "p"), 0.05);
}

fn ids(place: &Place) -> Vec<String> {
    let listed = place.run(&["methods", "--json"]).well().out;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let listed = listed.as_array().unwrap().iter();
    let methods = listed.filter(|one| one["question"] == "weigh");
    methods.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn intervals_hold_the_weight_and_grow_with_their_level() {
    let place = Place::new();
    let rows = csv(&place, &["@wine", "--interval"]);
    assert_eq!(head(&rows), "rank,feature,weight,low,high");
    let wide = csv(&place, &["@wine", "--interval", "0.99"]);
    for (row, wide) in rows.iter().zip(&wide) {
        let [low, weight, high] = ["low", "weight", "high"].map(|name| number(row, name));
        assert!(low < weight && weight < high);
        assert!(number(wide, "low") < low && high < number(wide, "high"));
    }
    let told = json(&place, &["@wine", "--interval=0.9", "--replicates", "50", "--per-class"]);
    assert_eq!(told["interval"], serde_json::json!({ "level": 0.9, "replicates": 50 }));
    same_in_json(&place, &["@wine", "--interval", "--replicates", "50", "--per-class"]);
}

#[test]
fn pairs_of_classes_add_up_to_the_weights_of_classes() {
    let place = Place::new();
    let rows = csv(&place, &["@iris", "--pairs", "--per-class"]);
    assert_eq!(head(&rows), "rank,feature,class,neighbour_class,weight");
    assert_eq!(rows.len(), 4 * (1 + 3 + 9));
    let weight = |class: &str, near: &str, feature: &str| {
        let is = |row: &&Vec<_>| {
            cell(row, "class") == class
                && cell(row, "neighbour_class") == near
                && cell(row, "feature") == feature
        };
        number(rows.iter().find(is).unwrap(), "weight")
    };
    let classes = ["setosa", "versicolor", "virginica"];
    for own in classes {
        for feature in ["petal_length", "sepal_width"] {
            let misses: f64 =
                classes.iter().filter(|c| **c != own).map(|c| weight(own, c, feature)).sum();
            let meant = misses - weight(own, own, feature);
            assert!((weight(own, "", feature) - meant).abs() < 1e-12);
        }
    }
    assert_eq!(csv(&place, &["@iris", "--pairs"]).len(), 4 * (1 + 9));
    same_in_json(&place, &["@iris", "--pairs", "--explain", "1"]);
    let table = place.run(&["weigh", "@iris", "--pairs", "--top", "1"]).well().out;
    assert!(table.contains("Class `setosa`, differences to neighbours of class `virginica`"));
}

#[test]
fn a_wrapper_tells_when_a_feature_went() {
    let place = Place::new();
    let words = ["@wine", "--wrap", "turf", "--turf-keep", "4", "--turf-fraction", "0.5"];
    let rows = csv(&place, &words);
    assert_eq!(head(&rows), "rank,feature,weight,removed_in");
    let stayed: Vec<bool> = rows.iter().map(|row| cell(row, "removed_in").is_empty()).collect();
    assert_eq!(stayed, [vec![true; 4], vec![false; 9]].concat());
    let told = json(&place, &words);
    assert_eq!((&told["method"], &told["wrap"]), (&"relieff".into(), &"turf".into()));
    assert_eq!(told["parameters"]["turf_keep"], 4);
    assert_eq!(told["parameters"]["k"], 10);
    same_in_json(&place, &words);
    let table = place.run(&[&["weigh"], &words[..]].concat()).well().out;
    assert!(table.starts_with("TuRF of ReliefF with turf-fraction 0.5, turf-keep 4, k 10 on "));
}

#[test]
fn vls_finds_its_way_with_its_own_flags() {
    let place = Place::new();
    let words = ["@wine", "--wrap", "vls", "-m", "multisurf", "--vls-subsets", "20"];
    let rows = csv(&place, &[&words[..], &["--vls-share", "0.5", "--vls-seed", "3"]].concat());
    assert_eq!((head(&rows).as_str(), rows.len()), ("rank,feature,weight", 13));
}

#[test]
fn methods_bring_their_own_columns() {
    let place = Place::new();
    let rows = csv(&place, &["@iris", "-m", "relief-seq", "--k-max", "8"]);
    assert_eq!(head(&rows), "rank,feature,weight,best_k");
    assert!(rows.iter().all(|row| (1.0..=8.0).contains(&number(row, "best_k"))));
    let rows = csv(&place, &["@iris", "-m", "pdrelieff", "--orders", "2"]);
    assert_eq!(head(&rows), "rank,feature,weight,order_sd");
    let told = json(&place, &["@iris", "-m", "relief", "--tau", "0.02"]);
    assert_eq!(told["threshold"], 0.02);
}

#[test]
fn neither_p_values_nor_intervals_depend_on_threads() {
    let place = Place::new();
    let flags = "--p-values permutation --permutations 20 --interval --replicates 100 --threads";
    let with = |threads: &str| {
        let words: Vec<&str> = flags.split(' ').chain([threads, "--format", "csv"]).collect();
        place.run(&[&["weigh", "@wine"], &words[..]].concat()).well().out
    };
    let one = with("1");
    assert!(one.starts_with("rank,feature,weight,p,q,low,high\n"));
    assert_eq!(one, with("2"));
    assert_eq!(one, with("7"));
}

#[test]
fn the_seed_draws_shuffles_and_replicates() {
    let place = Place::new();
    let with = |seed| {
        let flags = ["--p-values", "permutation", "--permutations", "30", "--interval", "--seed"];
        place.run(&[&["weigh", "@epistasis", "--format", "csv"], &flags[..], &[seed]].concat())
    };
    assert_eq!(with("1").well().out, with("1").well().out);
    assert_ne!(with("1").out, with("2").out);
}

#[test]
fn every_class_method_sends_a_real_target_to_rrelieff_and_back() {
    let place = Place::new();
    place.file("r.csv", "x,y,target\n1,2,0.5\n2,1,0.25\n3,5,1.5\n4,4,2.5\n");
    for id in ids(&place) {
        match id.as_str() {
            "association" => {}
            "rrelieff" => drop(place.run(&["weigh", "@iris", "-m", &id]).refused(
                2,
                &["rrelieff needs a real target", "use relieff", "(--target-kind real)"],
            )),
            _ => drop(place.run(&["weigh", "r.csv", "-m", &id]).refused(
                2,
                &[&format!("{id} needs classes"), "use rrelieff", "(--target-kind classes)"],
            )),
        }
    }
}
