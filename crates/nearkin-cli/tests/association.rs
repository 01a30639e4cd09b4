//! p-values that hold: the method association, its p-values beside other methods, and what noise
//! weighs.
#![allow(clippy::unwrap_used)]

mod common;

use std::fmt::Write as _;
use std::fs;

use common::Place;
use serde_json::Value;

/// Draws of the generator splitmix64.
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 33) % n
    }
}

/// `rows` rows of `columns` genotypes, a fifth of them cases; the first column tells the cases
/// where `relevant`.
fn table(seed: u64, (rows, columns): (usize, usize), relevant: bool) -> String {
    let mut draws = Draws(seed * 77 + 5);
    let mut text: String = (0..columns).map(|at| format!("g{at},")).collect();
    text += "class\n";
    // As shuffled: which rows are cases has nothing to do with the cells.
    let mut cases: Vec<bool> = (0..rows).map(|row| row % 5 == 0).collect();
    for at in (1..rows).rev() {
        cases.swap(at, draws.below(at as u64 + 1) as usize);
    }
    for case in cases {
        for column in 0..columns {
            let copies = draws.below(2) + draws.below(2);
            let told = if case { 2 } else { draws.below(2) };
            let copies = if relevant && column == 0 { told } else { copies };
            write!(text, "{copies},").unwrap();
        }
        text += if case { "case\n" } else { "control\n" };
    }
    text
}

/// The CSV answer: its head, and its rows of cells.
fn csv(place: &Place, words: &[&str]) -> (String, Vec<Vec<String>>) {
    let words = [&["weigh"], words, &["--format", "csv", "-q"]].concat();
    let out = place.run(&words).well().out;
    let mut lines = out.lines().map(String::from);
    let head = lines.next().unwrap();
    (head, lines.map(|line| line.split(',').map(String::from).collect()).collect())
}

fn json(place: &Place, words: &[&str]) -> Value {
    let words = [&["weigh"], words, &["--format", "json", "-q"]].concat();
    serde_json::from_str(&place.run(&words).well().out).unwrap()
}

#[test]
fn shuffled_labels_of_unequal_classes_are_not_called() {
    let place = Place::new();
    let (mut by_stir, mut called) = (0, Vec::new());
    for seed in 0..8 {
        place.file("t.csv", table(seed, (150, 12), false));
        let read = ["t.csv", "--target", "class", "--genotype", "all"];
        let stir = csv(&place, &[&read[..], &["--p-values", "stir"]].concat());
        assert!(stir.0.starts_with("rank,feature,weight,p,q"));
        by_stir += stir.1.iter().filter(|row| row[4].parse::<f64>().unwrap() <= 0.05).count();
        let of = |method| {
            let words = [&read[..], &["-m", method, "--select", "q:0.05"]].concat();
            let mut named: Vec<String> =
                csv(&place, &words).1.into_iter().map(|row| row[1].clone()).collect();
            named.sort();
            named
        };
        let all = ["relieff", "multisurf", "association"].map(of);
        assert!(all.iter().all(|named| *named == all[0]), "one test, whatever the method");
        called.push(all[0].len());
    }
    // What the test guards against is there: noise that a t-test over pairs calls.
    assert!(by_stir >= 40, "{by_stir} of 96");
    // One table in twenty is called something by chance.
    assert!(called.iter().filter(|count| **count > 0).count() <= 1, "{called:?}");
    assert!(called.iter().sum::<usize>() <= 2, "{called:?}");
}

#[test]
fn stir_says_that_it_does_not_hold_for_unequal_classes() {
    let place = Place::new();
    place.file("t.csv", table(1, (100, 5), false));
    let answer = place.run(&["weigh", "t.csv", "--p-values", "stir", "--format", "csv"]).well();
    let told =
        "warning: class `control` has 80 rows and class `case` 20: with classes this unequal";
    assert!(answer.err.contains(told), "{}", answer.err);
    for rule in ["q:0.05", "p:0.05"] {
        let words = ["weigh", "t.csv", "--p-values", "stir", "--select", rule];
        place.run(&words).refused(2, &["--select", rule, "--p-values association"]);
    }
    // Classes of one size may be compared with the R package.
    let words = ["weigh", "@iris", "--p-values", "stir", "--select", "q:0.05", "--format", "csv"];
    assert_eq!(place.run(&words).well().err, "");
}

#[test]
fn association_tells_p_values_and_directions() {
    let place = Place::new();
    place.file("t.csv", table(2, (120, 6), true));
    let read = ["t.csv", "--target", "class", "--genotype", "all"];
    let words = [&read[..], &["--method", "association"]].concat();
    let (head, rows) = csv(&place, &words);
    let meant = "rank,feature,weight,z,p,p_target,p_column,q,p_family,direction,extrapolated";
    assert_eq!(head, meant);
    let [p, target, column, q, family] =
        [4, 5, 6, 7, 8].map(|at| rows[0][at].parse::<f64>().unwrap());
    assert_eq!((rows[0][1].as_str(), rows[0][9].as_str()), ("g0", "2: more case"));
    assert_eq!(rows[0][2], rows[0][3], "the weight is z");
    assert_eq!(p, target.max(column));
    assert!(p <= q && p <= family && q < 0.01);
    let told = json(&place, &words);
    assert_eq!(told["p_values"]["test"], "association");
    let first = &told["weights"][0];
    for (name, cell) in head.split(',').zip(&rows[0]) {
        match &first[name] {
            Value::Number(number) => assert_eq!(number.as_f64(), cell.parse().ok(), "{name}"),
            Value::Bool(so) => assert_eq!(&so.to_string(), cell),
            value => assert_eq!(value.as_str(), Some(cell.as_str()), "{name}"),
        }
    }
    assert!(first["t"].as_f64().unwrap() > 0.0 && first["deviation"].as_f64().unwrap() > 0.0);
    let text = place.run(&[&["weigh"], &words[..]].concat()).well().out;
    let line = text.lines().find(|line| line.contains(" g0 ")).unwrap();
    assert!(line.contains("2: more case"), "{text}");
    assert!(!text.contains("--null"), "its weights have a zero point: {text}");
    // The others are not called, and it calls the same without being asked twice.
    let words = [&words[..], &["--p-values", "association", "--select", "p_x"]].concat();
    assert_eq!(place.run(&[&["weigh"], &words[..]].concat()).code, Some(2));
    let words = [&read[..], &["-m", "association", "--select", "q:0.01"]].concat();
    assert_eq!(csv(&place, &words).1.len(), 1);
    let words = ["weigh", "t.csv", "-m", "association", "--p-values", "permutation"];
    place.run(&words).refused(2, &["--p-values", "permutation", "p-values of its own"]);
}

#[test]
fn p_values_of_association_stand_beside_the_weights_of_any_method() {
    let place = Place::new();
    place.file("t.csv", table(3, (120, 6), true));
    let read = ["t.csv", "--target", "class", "--genotype", "all"];
    let own = csv(&place, &[&read[..], &["-m", "association"]].concat()).1;
    let p_of = |feature: &str| {
        let row = own.iter().find(|row| row[1] == feature).unwrap();
        (row[4].clone(), row[7].clone())
    };
    for method in ["multisurf", "relief-seq", "i-relief"] {
        let plain = csv(&place, &[&read[..], &["-m", method]].concat()).1;
        let with = [&read[..], &["-m", method, "--p-values", "association"]].concat();
        let (head, tested) = csv(&place, &with);
        assert!(head.starts_with("rank,feature,weight,p,q"), "{head}");
        assert_eq!(plain.len(), tested.len());
        for (plain, tested) in plain.iter().zip(&tested) {
            assert_eq!(plain[..3], tested[..3], "{method}");
            assert_eq!((tested[3].clone(), tested[4].clone()), p_of(&tested[1]), "{method}");
        }
        let selected = csv(&place, &[&read[..], &["-m", method, "--select", "q:0.05"]].concat()).1;
        let below = |row: &&Vec<String>| row[4].parse::<f64>().unwrap() <= 0.05;
        let meant: Vec<_> = tested.iter().filter(below).cloned().collect();
        assert_eq!(selected, meant, "{method}");
        assert_eq!(selected[0][1], "g0");
    }
}

#[test]
fn exchanges_tell_how_much_noise_weighs() {
    let place = Place::new();
    place.file("t.csv", table(4, (120, 8), true));
    let words = ["t.csv", "--target", "class", "--genotype", "all", "--null", "39"];
    let (head, rows) = csv(&place, &words);
    assert_eq!(head, "rank,feature,weight,null95");
    let told = json(&place, &words);
    assert_eq!(told["null"]["exchanges"], 39);
    let largest = told["null"]["largest"].as_f64().unwrap();
    let number = |cell: &String| cell.parse::<f64>().unwrap();
    assert!(rows.iter().all(|row| number(&row[3]) <= largest));
    assert_eq!(rows[0][1], "g0");
    assert!(number(&rows[0][2]) > largest && rows[1..].iter().all(|row| number(&row[2]) < largest));
    // Most noise weighs above 0 here, which is why 0 says nothing.
    assert!(rows.iter().filter(|row| number(&row[3]) > 0.0).count() >= 7);
    let table = place.run(&[&["weigh"], &words[..]].concat()).well().out;
    assert!(table.contains("(39 made)") && table.contains("1 of 8 features lie above it"));
    let without = place.run(&["weigh", "t.csv", "--genotype", "all"]).well().out;
    assert!(without.contains("--null 99 shows"), "{without}");
    let threads = |n| place.run(&[&["weigh"], &words[..], &["--threads", n]].concat()).well().out;
    assert_eq!(threads("1"), threads("3"));
    place.run(&["weigh", "t.csv", "--null", "18"]).refused(2, &["--null", "19"]);
    let drawn = [&["weigh"], &words[..], &["--plot", "w.svg", "-q"]].concat();
    place.run(&drawn).well();
    let figure = fs::read_to_string(place.path("w.svg")).unwrap();
    assert!(figure.contains("noise"), "{figure}");
}

#[test]
fn classes_disagree_only_about_what_leaves_the_range_of_noise() {
    let place = Place::new();
    place.file("t.csv", table(5, (150, 8), false));
    let read = ["weigh", "t.csv", "--genotype", "all", "--per-class"];
    let plain = place.run(&read).well().out;
    assert!(
        !plain.contains("Where classes") && plain.contains("weighs and where classes disagree"),
        "{plain}"
    );
    let with = place.run(&[&read[..], &["--null", "39"]].concat()).well().out;
    assert!(with.contains("Where classes disagree\nnowhere: no feature weighs more than noise"));
    let rows = csv(&place, &["t.csv", "--genotype", "all", "--per-class", "--null", "19"]);
    assert_eq!(rows.0, "rank,feature,class,weight,null95");
    assert!(rows.1.iter().all(|row| !row[4].is_empty()));
}

#[test]
fn a_run_without_hope_ends_early_and_few_permutations_are_told() {
    let place = Place::new();
    place.file("t.csv", table(6, (100, 30), false));
    let words =
        ["weigh", "t.csv", "--genotype", "all", "--format", "csv", "--p-values", "permutation"];
    let with = |more: &[&str]| place.run(&[&words[..], more].concat()).well();
    let few = with(&["--permutations", "50"]).err;
    assert!(
        few.contains("warning: 50 permutations are few for 30 features: q reaches 0.05"),
        "{few}"
    );
    assert!(few.contains("one feature alone needs 599 permutations"), "{few}");
    let select = ["--permutations", "599", "--select", "q:0.05"];
    let ended = with(&select);
    assert_eq!(ended.out.lines().count(), 1);
    assert!(ended.err.contains("of 599 permutations: no feature can be called"), "{}", ended.err);
    assert!(!ended.err.contains("are few"), "{}", ended.err);
}

/// A table whose column `follows` goes with the village, as the class does; `age` decides nothing.
fn villages(seed: u64) -> String {
    let mut draws = Draws(seed);
    let mut text = String::from("follows,a,b,c,village,age,class,height\n");
    for row in 0..160u64 {
        let village = row % 4;
        let sick = draws.below(10) < if village < 2 { 8 } else { 2 };
        let follows = if village < 2 { 2 } else { 0 } + draws.below(2);
        let [a, b, c] = [0; 3].map(|_: u64| draws.below(3));
        let age = 30 + 20 * u64::from(village < 2) + draws.below(15);
        let height = 150 + draws.below(40);
        let class = if sick { "sick" } else { "well" };
        writeln!(text, "{follows},{a},{b},{c},v{village},{age},{class},{height}.5").unwrap();
    }
    text
}

#[test]
fn strata_and_covariates_take_out_what_they_explain() {
    let place = Place::new();
    place.file("t.csv", villages(3));
    let base = ["t.csv", "--target", "class", "--drop", "height"];
    let q = |more: &[&str]| {
        let rows = csv(&place, &[&base[..], more].concat()).1;
        let at = rows.iter().find(|row| row[1] == "follows").unwrap();
        (at[4].parse::<f64>().unwrap(), rows.len())
    };
    let association = ["-m", "association"];
    let (free, all) = q(&[&association[..], &["--drop", "village,age"]].concat());
    assert!(free < 0.001 && all == 4, "{free}");
    let (within, all) = q(&[&association[..], &["--drop", "age", "--strata", "village"]].concat());
    assert!(within > 0.05 && all == 4, "{within}: a stratum is no feature");
    let (given, all) =
        q(&[&association[..], &["--drop", "village", "--covariates", "age"]].concat());
    assert!(given > free && all == 4, "{given}");
    // Permutation p-values, column 3, of any method move the target within strata.
    let permuted = |more: &[&str]| {
        let words = ["--drop", "age", "--p-values", "permutation", "--permutations", "99"];
        let rows = csv(&place, &[&base[..], &words[..], more].concat()).1;
        let at = rows.iter().find(|row| row[1] == "follows").unwrap();
        at[3].parse::<f64>().unwrap()
    };
    assert!(permuted(&["--drop", "village"]) <= 0.01);
    assert!(permuted(&["--strata", "village"]) > 0.05);
    let weigh = |more: &[&str]| place.run(&[&["weigh"], &base[..], more].concat());
    weigh(&["--covariates", "age"]).refused(2, &["relieff", "covariates", "association"]);
    weigh(&["--strata", "village"]).refused(2, &["relieff", "strata", "association"]);
    let words = ["-m", "rrelieff", "--covariates", "age", "--null", "19"];
    weigh(&words).refused(2, &["--covariates", "association"]);
}

#[test]
fn several_targets_are_tested_at_once() {
    let place = Place::new();
    place.file("t.csv", villages(4).replacen(",height\n", ",\"height, cm\"\n", 1));
    let both = ["-m", "association", "--drop", "village"];
    let words = [&["t.csv", "--target", "class,\"height, cm\""], &both[..]].concat();
    let (_, two) = csv(&place, &words);
    assert_eq!(two.len(), 5, "neither target is a feature");
    let one = [&["t.csv", "--target", "class", "--drop", "\"height, cm\""], &both[..]].concat();
    let (_, one) = csv(&place, &one);
    assert_eq!(one.len(), 5);
    assert_ne!(one[0][3], two[0][3]);
    // By position, too.
    let words = [&["t.csv", "--target", "6,-1"], &both[..]].concat();
    assert_eq!(csv(&place, &words).1, two);
    let words = ["weigh", "t.csv", "--target", "class,age"];
    place.run(&words).refused(2, &["relieff", "one target", "association"]);
    place.run(&["weigh", "t.csv", "--target", "class,class"]).refused(2, &["class"]);
    let words = ["learn", "t.csv", "--target", "class,age", "-o", "m.safetensors"];
    place.run(&words).refused(2, &["--target", "class,age", "double quotes"]);
    let (head, rest) =
        villages(4).split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let first = rest.lines().next().unwrap();
    let (kept, _) = first.rsplit_once(',').unwrap();
    place.file("gap.csv", format!("{head}\n{kept},\n{}", &rest[first.len() + 1..]));
    let words = ["weigh", "gap.csv", "--target", "class,height", "-m", "association"];
    place.run(&words).refused(2, &["`height`", "row 0"]);
}
