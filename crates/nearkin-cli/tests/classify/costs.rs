//! Decisions under costs: given as numbers or as a file, to a new model or to a saved one.

use super::*;

/// A query between the classes: costs decide.
fn between() -> Place {
    let place = pets();
    place.file("between.csv", "2,2,2,1\n");
    place.file("costs.csv", "0,1\n9,0\n");
    place.file("named.csv", "said,dog,cat\ndog,0,9\ncat,1,0\n");
    place
}

#[test]
fn numbers_and_files_say_the_same_everywhere() {
    let place = between();
    fit(&place, "S.csv", "-m sda -o plain.st -q").well();
    let class = |words: &[&str]| {
        let out = place.run(&[words, &["--format", "json"]].concat()).well().out;
        let out = json(&out);
        out["predicted"]
            .as_str()
            .or(out["predictions"][0]["predicted"].as_str())
            .unwrap()
            .to_owned()
    };
    let ask = ["plain.st", "--similarity", "between.csv"];
    let predict = [&["predict"][..], &ask].concat();
    let explain = [&["explain"][..], &ask, &["--row", "0"]].concat();
    assert_eq!((class(&predict), class(&explain)), ("dog".into(), "dog".into()));
    // Taking a cat for a dog costs nine times as much as the other way round.
    for costs in ["0,1,9,0", "0 1 9 0", "costs.csv", "named.csv"] {
        let with = ["--costs", costs];
        assert_eq!(class(&[&predict[..], &with].concat()), "cat", "{costs}");
        assert_eq!(class(&[&explain[..], &with].concat()), "cat", "{costs}");
        fit(
            &place,
            "S.csv",
            &format!("-m sda -o costly.st -q --costs {}", costs.replace(' ', ",")),
        )
        .well();
        assert_eq!(class(&["predict", "costly.st", "--similarity", "between.csv"]), "cat");
    }
}

#[test]
fn an_explanation_shows_what_each_class_is_expected_to_cost() {
    let place = between();
    fit(&place, "S.csv", "-m sda -o plain.st -q").well();
    let words = ["explain", "plain.st", "--similarity", "between.csv", "--row", "0"];
    let plain = place.run(&words).well().out;
    assert!(!plain.contains("cost"), "{plain}");
    let given = place.run(&[&words[..], &["--costs", "0,1,9,0"]].concat()).well().out;
    assert!(
        given.contains("expected cost") && given.contains("0,1,9,0 given by --costs"),
        "{given}"
    );
    let told = json(
        &place.run(&[&words[..], &["--costs", "0,1,9,0", "--format", "json"]].concat()).well().out,
    );
    let (cat, dog) = (&told["classes"][0], &told["classes"][1]);
    let number = |value: &Value| value.as_f64().unwrap();
    assert!((number(&cat["expected_cost"]) - number(&dog["probability"])).abs() < 1e-12);
    assert!((number(&dog["expected_cost"]) - 9.0 * number(&cat["probability"])).abs() < 1e-12);

    fit(&place, "S.csv", "-m sda --costs 0,1,9,0 -o own.st -q").well();
    let own = place.run(&["explain", "own.st", "--similarity", "between.csv", "--row", "0"]);
    let own = own.well().out;
    assert!(own.contains("that the model was made with") && own.contains("says `cat`"), "{own}");
}

#[test]
fn costs_that_cannot_be_used_say_which_forms_can() {
    let place = between();
    fit(&place, "S.csv", "-m sda -o plain.st -q").well();
    let saved = ["predict", "plain.st", "--similarity", "q.csv", "--costs"];
    for (costs, told) in [
        ("none.csv", "neither numbers nor a file"),
        ("0,1", "need 2 × 2"),
        ("0,1,-1,0", "0 or more"),
        ("0,1,NaN,0", "0 or more"),
        ("S.csv", "4 × 4"),
    ] {
        place.run(&[&saved[..], &[costs]].concat()).refused(2, &["--costs", told]);
        fit(&place, "S.csv", &format!("-m sda --costs {costs}")).refused(2, &["--costs", told]);
    }
    fit(&place, "S.csv", "-m psvm -o p.st -q").well();
    let explain = ["explain", "p.st", "--row", "0", "--costs", "0,1,1,0"];
    place.run(&explain).refused(2, &["--costs", "no probabilities"]);
}

/// Rules that compare scores give probabilities where they are asked to, and decide by costs.
#[test]
fn rules_of_scores_have_probabilities_and_costs_too() {
    let place = Place::new();
    let base = ["classify", "@iris", "--test", "0.2", "-o", "m.st", "-m"];
    for method in
        ["nearest-centroid", "adjusted-centroid", "local-centroid", "condensed-nn", "sknn", "psvm"]
    {
        // heom is a distance, and adjusted-centroid divides: cosines are above 0 here.
        let with = [&base[..], &[method, "--measure", "cosine"]].concat();
        let plain = json(&place.run(&[&with[..], &["--format", "json"]].concat()).well().out);
        let both = [&with[..], &["--probabilities", "--format", "json"]].concat();
        let probable = json(&place.run(&both).well().out);
        let line = |told: &Value, key: &str| told["held_out"]["lines"][0][key].clone();
        assert_eq!(line(&plain, "accuracy"), line(&probable, "accuracy"), "{method}");
        let loss = line(&probable, "log_loss").as_f64().unwrap();
        assert!(line(&plain, "log_loss").is_null() && loss < 0.7, "{method}: {loss}");
        let said = place.run(&["predict", "m.st", "@iris", "--format", "csv"]).well().out;
        assert!(said.starts_with("row,predicted,p_setosa,"), "{said}");
        // Nothing is as bad as missing a virginica.
        let costs = ["--costs", "0,1,1000,1,0,1000,1,1,0", "--format", "csv"];
        let count = |text: &str| text.matches(",virginica,").count();
        let careful = place.run(&[&["predict", "m.st", "@iris"][..], &costs].concat()).well().out;
        assert!(count(&careful) > count(&said), "{method}");
        place.run(&[&with[..], &costs[..2], &["-q"]].concat()).well();
        let fitted = place.run(&["predict", "m.st", "@iris", "--format", "csv"]).well().out;
        assert_eq!(count(&fitted), count(&careful), "{method}");
        place.run(&["explain", "m.st", "--row", "3"]).well();
    }
}

/// The model says that it holds costs, predictions by it say so too, and what was said is weighed
/// by them: on the samples held out and on queries whose classes came along.
#[test]
fn costs_are_told_wherever_they_decide() {
    let place = between();
    let shown = fit(&place, "S.csv", "-m sda --costs 0,1,9,0 -o m.st").well().out;
    assert!(shown.contains("with costs 0,1,9,0"), "{shown}");
    let told =
        "decided by the least expected cost, of the costs 0,1,9,0 that the model was made with";
    let model = place.run(&["model", "m.st"]).well().out;
    assert!(model.contains(told), "{model}");
    place.file("truth.txt", "dog\n");
    let words = ["predict", "m.st", "--similarity", "between.csv", "--labels", "truth.txt"];
    let said = place.run(&words).well();
    assert!(said.err.contains(told), "{said:?}");
    // A cat is said of a dog: that costs 1.
    assert!((said.err + &said.out).contains("accuracy 0.0000, mean cost 1.0000"));
    let json_of =
        |words: &[&str]| json(&place.run(&[words, &["--format", "json"]].concat()).well().out);
    assert_eq!(json_of(&words)["mean_cost"], 1.0);
    let table = ["classify", "@iris", "-m", "sda", "--costs", "0,1,1,1,0,1,1,5,0"];
    let out = place.run(&table).well().out;
    assert!(out.contains("accuracy  log-loss  mean cost"), "{out}");
    let lines = json_of(&table)["held_out"]["lines"].clone();
    // All said setosa: twenty of thirty are wrong, at 1 each.
    assert_eq!(lines[2]["way"], "majority");
    assert!((lines[2]["mean_cost"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12, "{lines}");
    assert!(!place.run(&["classify", "@iris", "-m", "sda"]).well().out.contains("cost"));
}

/// SkNN's shares of similarity are no probabilities, and no costs are weighed by them.
#[test]
fn shares_of_similarity_are_scores() {
    let place = Place::new();
    place.run(&["learn", "@iris", "-m", "srbs", "-o", "s.st", "-q"]).well();
    let words = ["predict", "s.st", "@iris", "--rule", "sknn", "-q"];
    let said = place.run(&[&words[..], &["--format", "csv"]].concat()).well().out;
    assert!(said.starts_with("row,predicted,s_setosa,"), "{said}");
    place
        .run(&[&words[..], &["--costs", "0,1,1,1,0,1,1,1,0"]].concat())
        .refused(2, &["--costs", "no probabilities", "--rule knn"]);
}

#[test]
fn lists_may_begin_with_a_negative_number() {
    let place = Place::new();
    let words = ["classify", "@iris", "-m", "sda", "--priors", "-1,2,3"];
    place.run(&words).refused(2, &["--priors", "every class needs a probability above 0"]);
    let words = ["classify", "@iris", "-m", "sda", "--support", "interval"];
    place.run(&[&words[..], &["--support-values", "-9,9"]].concat()).well();
}
