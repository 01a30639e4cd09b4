//! Pipelines against the parts they are made of, and the laws they keep.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

use nearkin::Run;
use nearkin::classify::Predictions;
use nearkin::data::{Classes, Column, Encoder, SimilarityMatrix, Table, Target, bundled};
use nearkin::evaluate::pipeline::{Alike, Decide, FittedPipeline, Pipeline};
use nearkin::measure::{Measure, Metric, Missing, Scaling, Unknown};
use nearkin::neighbors::Rule;

fn iris() -> (Table<'static>, Target, Classes) {
    let (table, target) = bundled::load("iris").unwrap();
    let Target::Classes(classes) = target.clone() else { panic!() };
    (table, target, classes)
}

fn pipeline(steps: &[(&str, &str)]) -> Pipeline {
    let mut pipeline = Pipeline::default();
    steps.iter().for_each(|(path, text)| pipeline.set(path, text).unwrap());
    pipeline
}

/// Every third row is asked about, the others are learned from.
fn halves(table: &Table, target: &Target) -> (Table<'static>, Target, Table<'static>) {
    let (test, train): (Vec<usize>, Vec<usize>) = (0..table.rows()).partition(|r| r % 3 == 0);
    (table.select_rows(&train), target.select(&train), table.select_rows(&test))
}

const SETTINGS: &[&[(&str, &str)]] = &[
    &[("classifier", "knn(k=3)")],
    &[("classifier", "sknn(k=3)"), ("similarity", "manhattan"), ("scaling", "zscore")],
    &[("similarity", "cosine"), ("scaling", "none"), ("classifier", "sknn(k=1)")],
    &[("similarity", "srbs"), ("classifier", "knn")],
    &[("similarity", "sila(mode=one-vs-rest)"), ("classifier", "sknn(k=3)")],
    &[("weights", "relieff"), ("weights.keep", "2"), ("classifier", "sda")],
    &[("weights", "relieff"), ("weights.keep", "factors"), ("similarity", "cosine")],
    &[("weights", "multisurf"), ("classifier", "local-sda")],
    &[("similarity", "ivdm"), ("scaling", "none"), ("classifier", "sknn(k=3)")],
    &[("similarity", "hvdm"), ("scaling", "none"), ("classifier", "sda")],
];

/// The votes for each class by the definition, and the winner: all rows sorted by distance, the
/// first k counted; of classes with as many votes, that of the nearest voter.
fn votes(distances: &[f64], codes: &[u32], k: usize) -> (Vec<f64>, u32) {
    let mut order: Vec<usize> = (0..codes.len()).collect();
    order.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]));
    let mut counts = vec![0.0; 3];
    order[..k].iter().for_each(|&row| counts[codes[row] as usize] += 1.0);
    let most = counts.iter().copied().fold(0.0, f64::max);
    let winner = order.iter().map(|&row| codes[row]).find(|&c| counts[c as usize] == most);
    (counts, winner.unwrap())
}

#[test]
fn a_distance_pipeline_votes_as_the_definition_does() {
    let (table, target, _) = iris();
    let (train, known, test) = halves(&table, &target);
    let Target::Classes(classes) = &known else { panic!() };
    let encoder = Encoder::fit(&train).unwrap();
    let (rows, asked) = (encoder.encode(&train).unwrap(), encoder.encode(&test).unwrap());
    let unknown = Unknown::fit(Missing::One, &encoder, &rows, classes.codes(), 3);
    for (word, scaling) in [("minmax", Scaling::MinMax), ("none", Scaling::None)] {
        let measure = Measure::new(&encoder, Metric::Euclidean, scaling, unknown.clone());
        for k in [1, 4, 7] {
            let step = format!("knn(k={k})");
            let fitted = pipeline(&[("scaling", word), ("classifier", &step)]);
            let said = fitted.fit(&train, &known, &Run::on(1)).unwrap();
            let said = said.predict(&test, &Run::on(1)).unwrap();
            for query in 0..asked.len() {
                let far = |row| measure.distance(&asked, query, &rows, row, (0, 0));
                let distances: Vec<f64> = (0..rows.len()).map(far).collect();
                let (counts, winner) = votes(&distances, classes.codes(), k);
                assert_eq!(said.class[query], winner);
                let shares: Vec<f64> = said.probabilities(query).unwrap();
                let close = |(a, b): (&f64, &f64)| (a - b / k as f64).abs() < 1e-12;
                assert!(shares.iter().zip(&counts).all(close));
            }
        }
    }
}

#[test]
fn a_rule_and_the_classifier_of_its_name_agree() {
    let (table, target, _) = iris();
    let (train, known, test) = halves(&table, &target);
    for similarity in ["cosine", "euclidean"] {
        let said = |word: &str| {
            let steps = [("similarity", similarity), ("classifier", word)];
            let fitted = pipeline(&steps).fit(&train, &known, &Run::on(1)).unwrap();
            fitted.predict(&test, &Run::on(1)).unwrap().class
        };
        assert_eq!(said("knn(k=3)"), said("knn(k=3, ties=nearest)"));
        assert_eq!(said("sknn(k=3)"), said("sknn(k=3, prior=uniform)"));
    }
}

#[test]
fn given_similarities_and_those_of_a_table_say_the_same() {
    let (table, target, classes) = iris();
    let fitted = pipeline(&[("similarity", "cosine"), ("scaling", "none"), ("classifier", "sda")]);
    let by_table = fitted.fit(&table, &target, &Run::on(1)).unwrap();
    let by_table = by_table.predict(&table, &Run::on(1)).unwrap();
    let unit: Vec<Vec<f64>> = (0..table.rows())
        .map(|row| {
            let cells = nearkin::data::Dense::from_table(&table).unwrap().row(row).to_vec();
            let length = cells.iter().map(|x| x * x).sum::<f64>().sqrt();
            cells.iter().map(|x| x / length).collect()
        })
        .collect();
    let cell = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let s: Vec<f64> = unit.iter().flat_map(|a| unit.iter().map(|b| cell(a, b))).collect();
    let s = SimilarityMatrix::new(150, 150, s).unwrap();
    let given = Pipeline::given(Decide::parse("sda").unwrap());
    let given = given.fit_similarities(&s, &classes, &Run::on(1)).unwrap();
    let given = given.predict_similarities(&s, &Run::on(1)).unwrap();
    assert_eq!(by_table.class, given.class);
    let rule = Pipeline::given(Decide::Rule { rule: Rule::Knn, k: 5 });
    let rule = rule.fit_similarities(&s, &classes, &Run::on(1)).unwrap();
    let rule = rule.predict_similarities(&s, &Run::on(1)).unwrap();
    let cosine = pipeline(&[("similarity", "cosine"), ("scaling", "none")]);
    let cosine = cosine.fit(&table, &target, &Run::on(1)).unwrap();
    assert_eq!(rule.class, cosine.predict(&table, &Run::on(1)).unwrap().class);
}

fn answers(steps: &[(&str, &str)], threads: usize) -> Predictions {
    let (table, target, _) = iris();
    let (train, known, test) = halves(&table, &target);
    let fitted = pipeline(steps).fit(&train, &known, &Run::on(threads)).unwrap();
    fitted.predict(&test, &Run::on(threads)).unwrap()
}

#[test]
fn every_pipeline_gives_the_same_bits_on_any_number_of_threads() {
    for steps in SETTINGS {
        let one = answers(steps, 1);
        assert_eq!(one, answers(steps, 3), "{steps:?}");
        let right =
            one.class.iter().enumerate().filter(|(i, c)| **c == (i * 3 / 50) as u32).count();
        assert!(right >= 30, "{steps:?}: {right} of 50");
    }
}

#[test]
fn a_pipeline_put_together_from_its_parts_answers_alike() {
    let (table, target, _) = iris();
    let (train, known, test) = halves(&table, &target);
    for steps in SETTINGS {
        let pipeline = pipeline(steps);
        let fitted = pipeline.fit(&train, &known, &Run::on(1)).unwrap();
        let again = FittedPipeline::new(&pipeline, fitted.trained.clone(), &Run::on(1)).unwrap();
        let said = |one: &FittedPipeline| one.predict(&test, &Run::on(1)).unwrap();
        assert_eq!(said(&fitted), said(&again), "{steps:?}");
    }
}

#[test]
fn columns_are_found_by_name_and_others_are_ignored() {
    let (table, target, _) = iris();
    let fitted = pipeline(&[("weights", "relieff"), ("weights.keep", "2")]);
    let fitted = fitted.fit(&table, &target, &Run::on(1)).unwrap();
    let straight = fitted.predict(&table, &Run::on(1)).unwrap();
    let turned = table.select_columns(&[3, 1, 0, 2]);
    assert_eq!(fitted.predict(&turned, &Run::on(1)).unwrap(), straight);
    assert_eq!(fitted.columns().len(), 2);
    let poor = table.select_columns(&[0]);
    let told = fitted.predict(&poor, &Run::on(1)).unwrap_err().to_string();
    assert!(told.contains("has no column"), "{told}");
}

#[test]
fn nominal_columns_and_missing_cells_have_distances_and_no_inner_products() {
    let cells = [Some("a"), Some("a"), None, Some("b"), Some("b"), Some("b")];
    let table = Table::new(vec![
        Column::numeric("x", vec![0.0, 0.1, f64::NAN, 0.9, 1.0, 0.8]),
        Column::nominal("c", &cells).unwrap(),
    ])
    .unwrap();
    let target = Target::classes(["p", "p", "p", "q", "q", "q"]);
    let said = pipeline(&[("classifier", "knn(k=1)")]).fit(&table, &target, &Run::on(1)).unwrap();
    let said = said.predict(&table, &Run::on(1)).unwrap();
    assert_eq!(said.class[..2], [0, 0]);
    assert_eq!(said.class[3..], [1, 1, 1]);
    let cosine = pipeline(&[("similarity", "cosine")]).fit(&table, &target, &Run::on(1));
    assert!(cosine.unwrap_err().to_string().contains("nominal"));
}

#[test]
fn what_does_not_go_together_is_refused_in_a_sentence() {
    let (table, target, classes) = iris();
    let refused = |steps: &[(&str, &str)]| {
        pipeline(steps).fit(&table, &target, &Run::on(1)).unwrap_err().to_string()
    };
    let factors = refused(&[("weights", "relieff"), ("similarity", "srbs")]);
    assert!(factors.contains("weights.keep"), "{factors}");
    let measured = refused(&[("weights", "relieff"), ("similarity", "hvdm")]);
    assert!(measured.contains("takes no factors"), "{measured}");
    assert!(refused(&[("similarity", "given")]).contains("similarity matrix"));
    let local = [("similarity", "srbs(mode=one-vs-rest)"), ("classifier", "sda")];
    assert!(refused(&local).contains("multi-class"));
    let real = Target::real(vec![1.0; 150]).unwrap();
    assert!(Pipeline::default().fit(&table, &real, &Run::on(1)).is_err());
    let one = Target::classes(vec!["a"; 150]);
    let alone = Pipeline::default().fit(&table, &one, &Run::on(1)).unwrap();
    assert!(alone.predict(&table, &Run::on(1)).unwrap().class.iter().all(|&c| c == 0));
    let s = SimilarityMatrix::new(2, 2, vec![1.0; 4]).unwrap();
    assert!(Pipeline::default().fit_similarities(&s, &classes, &Run::on(1)).is_err());
    assert_eq!(Pipeline::default().similarity, Alike::Metric(Metric::Euclidean));
}

/// Names of methods, and pipelines, as words.
mod words {
    use nearkin::evaluate::pipeline::*;
    use nearkin::measure::*;
    use nearkin::neighbors::Rule;

    #[test]
    fn what_is_written_is_read_back() {
        for named in [
            Named::new("sda"),
            Named::new("srbs").with("beta", 10).with("matrix", "full"),
            Named::new("knn").with("k_candidates", "1,3,5").with("ties", "nearest"),
        ] {
            assert_eq!(Named::parse(&named.to_string()), Ok(named));
        }
        for wrong in ["", "srbs(", "srbs(=", "srbs(3)", "a=b", "x)"] {
            assert!(Named::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn settings_are_checked_when_the_method_is_made() {
        assert!(Named::new("relieff").with("k", 3).weigh().is_ok());
        assert!(Named::new("srbs").with("beta", -1).learn().is_err());
        assert!(Named::new("sda").with("colour", "red").classify().is_err());
        assert!(Named::new("nothing").classify().is_err());
    }

    #[test]
    fn a_step_that_would_take_the_place_of_another_is_refused() {
        for (text, told) in [
            ("knn > sda", "`knn` and `sda` are both a classifier"),
            ("cosine > euclidean > knn(k=3)", "`cosine` and `euclidean` are both a similarity"),
            ("minmax > zscore > knn", "both a scaling"),
            ("best 2 by relieff > weighed by relieff > knn", "both weights"),
            ("knn(k=3) > cosine", "`cosine` comes after the classifier `knn(k=3)`"),
        ] {
            let error = Pipeline::parse(text).unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
        assert!(Pipeline::parse("best 2 by relieff > zscore > cosine > knn").is_ok());
    }

    #[test]
    fn steps_are_set_by_path() {
        let mut pipeline = Pipeline::default();
        for (path, text) in [
            ("scaling", "zscore"),
            ("weights", "relieff"),
            ("weights.k", "7"),
            ("weights.keep", "3"),
            ("similarity", "srbs"),
            ("similarity.beta", "10"),
            ("classifier", "sknn(k=1)"),
            ("classifier.k", "3"),
        ] {
            pipeline.set(path, text).unwrap();
        }
        let told = "zscore > best 3 by relieff(k=7) > srbs(beta=10) > sknn(k=3)";
        assert_eq!(pipeline.describe(), told);
        for (path, text) in [
            ("colour", "red"),
            ("scaling", "huge"),
            ("similarity", "srbz"),
            ("similarity", "vdm(colour=red)"),
            ("similarity.beta", "-1"),
            ("classifier.k", "0"),
            ("classifier.ties", "first"),
            ("weights.keep", "0"),
        ] {
            assert!(pipeline.clone().set(path, text).is_err(), "{path} = {text}");
        }
        assert!(Pipeline::default().set("weights.k", "3").is_err());
        assert!(Pipeline::default().set("similarity.beta", "3").is_err());
    }

    #[test]
    fn a_pipeline_is_read_as_it_is_written() {
        for text in [
            "minmax > euclidean > knn(k=5)",
            "zscore > best 3 by relieff(k=7) > srbs(beta=10) > sknn(k=3)",
            "weighed by relief > manhattan > sda",
            "vdm(q=1) > local-sda",
            "given > sda",
            "best 3 by relieff > naive-bayes(alpha=0.5)",
        ] {
            let pipeline = Pipeline::parse(text).unwrap();
            let told = pipeline.describe();
            assert!(told == text || Pipeline::parse(&told) == Ok(pipeline), "{text}: {told}");
        }
        assert_eq!(Pipeline::parse("srbs").unwrap().scaling, Scaling::None);
        assert!(Pipeline::parse("nothing").is_err() && Pipeline::parse("").is_err());
    }

    #[test]
    fn k_makes_a_rule_and_its_absence_a_choice_of_k() {
        assert_eq!(Decide::parse("sknn(k=2)"), Ok(Decide::Rule { rule: Rule::Sknn, k: 2 }));
        let chosen = Named::new("knn").with("ties", "nearest");
        assert_eq!(Decide::parse("knn"), Ok(Decide::Classifier(chosen)));
    }
}
