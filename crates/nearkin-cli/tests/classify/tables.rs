//! Classifiers over tables: measures, learned ones, several of them; naive Bayes.

use super::*;

/// The classes said, from a table of predictions.
fn said(csv: &str) -> Vec<&str> {
    csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect()
}

#[test]
fn a_similarity_is_learned_before_or_from_the_training_rows() {
    let place = Place::new();
    place.run(&["learn", "@iris", "-m", "srbs", "-o", "s.safetensors", "-q"]).well();
    for measure in ["s.safetensors", "srbs", "srbs(matrix=diagonal)"] {
        let words = ["classify", "@iris", "-m", "knn", "--k", "3", "--measure", measure];
        let shown = place.run(&[&words[..], &["-o", "m.safetensors"]].concat()).well().out;
        let id = if measure.ends_with("tensors") { "learned" } else { "srbs" };
        assert!(shown.contains(&format!("rows compared by {id}")), "{shown}");
        let out = place.run(&["predict", "m.safetensors", "@iris", "--format", "csv"]).well();
        assert!(out.err.contains("accuracy 0.9"), "{measure}: {}", out.err);
    }
    // The same similarity, whoever learned it.
    let by_learn = ["predict", "s.safetensors", "@iris", "--rule", "knn", "--rule-k", "3"];
    let by_learn = place.run(&[&by_learn[..], &["--format", "csv"]].concat()).well().out;
    let words = ["classify", "@iris", "-m", "knn", "--k", "3", "--ties", "nearest", "--test", "0"];
    let more = ["--measure", "s.safetensors", "-o", "m.safetensors", "-q"];
    place.run(&[&words[..], &more].concat()).well();
    let by_classify = place.run(&["predict", "m.safetensors", "@iris", "--format", "csv"]).well();
    assert_eq!(said(&by_classify.out), said(&by_learn));
    place
        .run(&["classify", "@iris", "--measure", "m.safetensors"])
        .refused(2, &["--measure", "m.safetensors holds knn", "nearkin learn"]);
    place
        .run(&["classify", "@iris", "--measure", "none.safetensors"])
        .refused(2, &["--measure", "none.safetensors", "no such file"]);
    place
        .run(&["classify", "@iris", "--measure", "srbs(mode=one-vs-rest)"])
        .refused(2, &["3 similarities were learned", "multi-class"]);
}

#[test]
fn several_measures_are_several_statistics() {
    let place = Place::new();
    let words = ["classify", "@house-votes-84", "-m", "sda", "--measure", "vdm"];
    let more = ["--measure", "counting", "-o", "m.safetensors"];
    let shown = place.run(&[&words[..], &more].concat()).well().out;
    assert!(shown.contains("rows compared by vdm and counting"), "{shown}");
    let told = place.run(&["explain", "m.safetensors", "--row", "3", "--format", "json"]).well();
    let told = json(&told.out);
    assert_eq!(told["laws"].as_array().unwrap().len(), 8);
    let out = place.run(&["predict", "m.safetensors", "@house-votes-84", "--format", "csv"]).well();
    assert!(out.err.contains("accuracy 0.8") || out.err.contains("accuracy 0.9"), "{}", out.err);
    place
        .run(&["classify", "@iris", "-m", "knn", "--measure", "heom", "--measure", "cosine"])
        .refused(
            2,
            &["knn takes one similarity matrix, 2 were given; sda and nn-sda take several"],
        );
}

/// Under counting similarity nothing is more alike the rows of a class than its modes.
#[test]
fn unconstrained_centroids_of_a_table_are_its_most_frequent_values() {
    let place = Place::new();
    place.file("t.csv", "p,q,r,class\na,x,m,1\na,y,n,1\nb,x,n,1\nc,z,o,2\nc,z,k,2\nd,z,o,2\n");
    let words = ["classify", "t.csv", "-m", "nearest-centroid", "--measure", "counting"];
    let more = ["--centroid", "unconstrained", "--test", "0", "-o", "m.safetensors"];
    let shown = place.run(&[&words[..], &more].concat()).well().out;
    // a, x, n is no row; c, z, o is one, and a row goes before what is made up.
    assert!(shown.contains("1: most frequent values of 1\n2: row 3\n"), "{shown}");
    place.file("q.csv", "p,q,r\na,x,n\nd,z,n\n");
    let out = place.run(&["predict", "m.safetensors", "q.csv", "--format", "csv"]).well().out;
    // The second query agrees once with either: a tie, to the first class.
    assert_eq!(said(&out), ["1", "1"], "{out}");
    place.run(&["explain", "m.safetensors", "--row", "0"]).well();
    // The held-out part makes its own centroids.
    let more = ["--centroid", "unconstrained"];
    place.run(&[&["classify", "@house-votes-84"], &words[2..], &more].concat()).well();
}

#[test]
fn naive_bayes_is_fitted_saved_asked_and_explained() {
    let place = Place::new();
    let words = ["classify", "@house-votes-84", "-m", "naive-bayes", "-o", "m.safetensors"];
    let shown = place.run(&words).well().out;
    assert!(shown.starts_with("Naive Bayes on @house-votes-84\n435 samples, 2 classes"), "{shown}");
    assert!(shown.contains("naive-bayes") && shown.contains("majority"), "{shown}");
    let out = place.run(&["predict", "m.safetensors", "@house-votes-84", "--format", "csv"]).well();
    assert!(out.out.starts_with("row,predicted,p_democrat,p_republican,log_likelihood\n"));
    assert!(out.err.contains("accuracy 0.9"), "{}", out.err);
    let words = ["explain", "m.safetensors", "@house-votes-84", "--row", "3"];
    let told = json(&place.run(&[&words[..], &["--format", "json"]].concat()).well().out);
    // The score of a class is its log-prior and what the columns say.
    for class in 0..2 {
        let own = |value: &Value| value[class].as_f64().unwrap();
        let columns = told["columns"].as_array().unwrap().iter();
        let said: f64 = columns.filter(|c| !c["log_p"].is_null()).map(|c| own(&c["log_p"])).sum();
        assert!((own(&told["log_priors"]) + said - own(&told["scores"])).abs() < 1e-12);
    }
    assert!(place.run(&words).well().out.contains("missing or new"), "row 3 has a hole");
    place.run(&[&words[..], &["--format", "csv"]].concat()).well();
    let model = place.run(&["model", "m.safetensors", "--format", "csv"]).well().out;
    assert!(model.starts_with("column,value,class,log_p\n"), "{model}");
    place.run(&["model", "m.safetensors"]).well();
    place.run(&["explain", "m.safetensors", "--row", "3"]).refused(2, &["name the table"]);
    let matrix = pets();
    fit(&matrix, "S.csv", "-m naive-bayes").refused(2, &["naive-bayes reads the columns", "S.csv"]);
    place
        .run(&["classify", "@iris", "-m", "naive-bayes"])
        .refused(2, &["@iris", "different numbers"]);
}

#[test]
fn a_preset_sets_what_a_method_has_and_flags_win() {
    let place = Place::new();
    let parameters = |more: &[&str]| {
        let words = ["classify", "@house-votes-84", "--preset", "sda-2009", "--test", "0"];
        let more =
            [&words[..], &["--measure", "counting", "--format", "json", "-q"], more].concat();
        json(&place.run(&more).well().out)["parameters"].clone()
    };
    let sda = parameters(&["-m", "sda"]);
    assert_eq!((&sda["boundary"], &sda["prior"]), (&"clamp".into(), &"laplace".into()));
    let sda = parameters(&["-m", "sda", "--prior", "uniform"]);
    assert_eq!(sda["prior"], "uniform");
    let knn = parameters(&["-m", "knn"]);
    assert_eq!(knn["k_candidates"].as_array().unwrap().len(), 30);
    assert_eq!(knn["ties"], "first");
    place.run(&["classify", "@iris", "--preset", "sda-2010"]).refused(2, &["--preset", "sda-2009"]);
}

/// Ten animals by two columns of words and one of numbers.
fn animals() -> Place {
    let place = Place::new();
    let mut text = String::from("coat,legs,size,kind\n");
    for row in 0..10 {
        let kind = row % 2;
        let coat = [["fur", "fur"], ["scales", "down"]][kind][row / 2 % 2];
        text += &format!("{coat},{},{}.5,{}\n", ["four", "two"][kind], row, ["cat", "bird"][kind]);
    }
    place.file("animals.csv", text);
    place
}

#[test]
fn rows_the_model_was_made_on_and_columns_of_new_values_are_told() {
    let place = animals();
    let fit = ["classify", "animals.csv", "--test", "0", "-o", "m.safetensors", "-m", "knn"];
    // Who always has probabilities takes the flag of those who may.
    place.run(&[&fit[..], &["--probabilities"]].concat()).well();
    let told = place.run(&["predict", "m.safetensors", "animals.csv"]).well();
    assert!(told.err.contains("10 of 10 rows are among the rows that decide"), "{}", told.err);
    place.file("new.csv", "coat,legs,size,kind\n7,four,0.25,cat\n8,two,1.25,bird\n");
    let told = place.run(&["predict", "m.safetensors", "new.csv"]).well();
    assert!(told.err.contains("column `coat`: no value was there in training"), "{}", told.err);
    assert!(!told.err.contains("`legs`") && !told.err.contains("that decide"), "{}", told.err);
}

#[test]
fn a_row_is_explained_whatever_is_wrong_with_others() {
    let place = Place::new();
    place.file("t.csv", "x,y,class\n1,2,a\n2,1,a\n8,9,b\n9,8,b\n");
    let fit = ["classify", "t.csv", "--measure", "srbs", "--test", "0", "-m", "knn"];
    place.run(&[&fit[..], &["-o", "m.safetensors"]].concat()).well();
    place.file("q.csv", "x,y,class\n,1,a\n8,8,b\n");
    place.run(&["explain", "m.safetensors", "q.csv", "--row", "0"]).refused(2, &["row 0"]);
    let told = place.run(&["explain", "m.safetensors", "q.csv", "--row", "1"]).well();
    assert!(told.out.contains("row 1 of q.csv"), "{}", told.out);
    let asked = ["explain", "m.safetensors", "q.csv", "--row", "1", "--format", "json"];
    let told = json(&place.run(&asked).well().out);
    assert_eq!((told["row"].as_u64(), told["truth"].as_str()), (Some(1), Some("b")), "{told}");
}
