//! What every classifier keeps, whatever the data.

use super::common::*;
use nearkin::classify::*;
use nearkin::data::{Classes, SimilarityMatrix};
use nearkin::random::Random;

#[test]
fn every_classifier_is_found_by_its_id_and_says_what_it_is() {
    for listed in classifiers() {
        let about = listed.about();
        assert_eq!(classifier(about.id).unwrap().about(), about);
        assert!(!about.summary.is_empty() && !about.reference.is_empty());
    }
    assert!(classifier("oracle").err().unwrap().to_string().contains("local-sda"));
    let mut local = classifier("local-sda").unwrap();
    set(local.as_mut(), "n_neighbors", "5").unwrap();
    set(local.as_mut(), "boundary", "point-mass").unwrap();
    assert!(set(local.as_mut(), "rounds", "9").unwrap_err().to_string().contains("n_min"));
}

#[test]
fn probabilities_add_up_to_one_and_decide() {
    let (s, classes, queries) = toy();
    for classifier in classifiers() {
        let said = classifier.fit(&s, &classes).unwrap().predict(&queries).unwrap();
        assert_eq!((said.len(), said.scores.len()), (5, 15));
        for row in 0..said.len() {
            let Some(p) = said.probabilities(row) else { continue };
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{}", classifier.about().id);
            if !said.fallback[row] {
                let most = p.iter().copied().fold(0.0, f64::max);
                assert_eq!(p[said.class[row] as usize], most, "{}", classifier.about().id);
            }
        }
    }
}

#[test]
fn shifted_and_stretched_similarities_give_the_same_decisions() {
    let (s, classes, queries) = toy();
    for classifier in classifiers().iter().filter(|c| c.about().id != "adjusted-centroid") {
        let said = classifier.fit(&s, &classes).unwrap().predict(&queries).unwrap();
        for (a, b) in [(100.0, 1.0), (0.0, 0.25), (-64.0, 8.0)] {
            let moved = |s: &SimilarityMatrix| {
                let values: Vec<f64> = s.values().iter().map(|s| a + b * s).collect();
                SimilarityMatrix::new(s.rows(), s.columns(), values).unwrap()
            };
            let fitted = classifier.fit(&moved(&s), &classes).unwrap();
            let other = fitted.predict(&moved(&queries)).unwrap();
            assert_eq!(other.class, said.class, "{}", classifier.about().id);
            for row in 0..said.len() {
                if let (Some(a), Some(b)) = (said.probabilities(row), other.probabilities(row)) {
                    near(&a, &b);
                }
            }
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let (s, classes) = random_matrix(30, 4);
    for classifier in classifiers().iter().filter(|c| c.about().id != "adjusted-centroid") {
        let said = |threads| {
            let run = nearkin::Run::on(threads);
            let fitted = classifier.fit_with(&s, &classes, &run).unwrap();
            (fitted.insight().k, fitted.predict_with(&s, &run).unwrap())
        };
        assert_eq!(said(1), said(3), "{}", classifier.about().id);
    }
}

#[test]
fn row_order_does_not_matter() {
    let (s, classes) = random_matrix(30, 6);
    let order = Random::new(1, 0).sample(30, 30);
    let moved = s.select(&order, &order);
    let labels = order.iter().map(|&row| &classes.names()[classes.codes()[row] as usize]);
    let relabelled = Classes::from_labels(labels);
    let all: Vec<usize> = (0..30).collect();
    // Medoids are drawn by row; adjusted centroids want no negative similarities.
    let left_out = ["condensed-nn", "mixture-sda", "adjusted-centroid"];
    for classifier in classifiers().iter().filter(|c| !left_out.contains(&c.about().id)) {
        let said = classifier.fit(&s, &classes).unwrap().predict(&s).unwrap();
        let other = classifier.fit(&moved, &relabelled).unwrap();
        let other = other.predict(&s.select(&all, &order)).unwrap();
        assert_eq!(other.class, said.class, "{}", classifier.about().id);
    }
}

/// Predictions, laws and notes after taking apart and putting together, to the bit.
#[test]
fn every_classifier_comes_back_from_its_parts() {
    let (s, classes, queries) = toy();
    let costs = "0,1,5,2,0,1,1,1,0";
    let variants: [(&str, &[(&str, &str)]); 16] = [
        ("sda", &[("statistics", "centroid,nearest,mean,deviation,cross-deviation")]),
        ("sda", &[("support", "grid"), ("support_values", "-2,0.25,61"), ("costs", costs)]),
        ("sda", &[("support", "interval"), ("support_values", "-5,15")]),
        ("sda", &[("statistics", "deviation"), ("support", "half-line")]),
        ("sda", &[("boundary", "point-mass")]),
        ("local-sda", &[("neighbourhood", "radius"), ("costs", costs)]),
        ("local-sda", &[("k", "5"), ("n_min", "0"), ("priors", "1,2,3")]),
        ("local-centroid", &[("neighbourhood", "per-class"), ("k", "2")]),
        ("mixture-sda", &[("c", "2"), ("costs", costs)]),
        ("knn", &[("costs", costs), ("ties", "nearest"), ("prior", "uniform")]),
        ("condensed-nn", &[("search", "swap")]),
        ("psvm", &[("epsilon", "0.4")]),
        ("psvm", &[("costs", costs), ("prior", "uniform")]),
        ("sknn", &[("costs", costs), ("k", "2")]),
        ("nearest-centroid", &[("probabilities", "true"), ("priors", "1,2,3")]),
        ("local-centroid", &[("probabilities", "true"), ("k", "1")]),
    ];
    let mut all: Vec<Box<dyn Classify>> = classifiers();
    for (id, settings) in variants {
        let mut one = classifier(id).unwrap();
        settings.iter().for_each(|(name, value)| set(one.as_mut(), name, value).unwrap());
        all.push(one);
    }
    for one in all {
        let id = one.about().id;
        let fitted = one.fit(&s, &classes).unwrap();
        let parts = fitted.parts();
        let back = one.restore(&parts).unwrap();
        assert_eq!(back.predict(&queries).unwrap(), fitted.predict(&queries).unwrap(), "{id}");
        assert_eq!(
            (back.insight(), back.law_tables()),
            (fitted.insight(), fitted.law_tables()),
            "{id}"
        );
        assert_eq!(back.notes(), fitted.notes(), "{id}");
        assert_eq!(back.parts(), parts, "{id}");
        // Any part left out is told, not stumbled over.
        let names = || parts.all_numbers().keys().chain(parts.all_codes().keys());
        for left_out in names().chain(parts.all_texts().keys()) {
            let mut cut = nearkin::data::Parts::new();
            for (name, values) in parts.all_numbers().iter().filter(|(name, _)| *name != left_out) {
                cut = cut.with_numbers(name.clone(), values.clone());
            }
            for (name, values) in parts.all_codes().iter().filter(|(name, _)| *name != left_out) {
                cut = cut.with_codes(name.clone(), values.clone());
            }
            for (name, values) in parts.all_texts().iter().filter(|(name, _)| *name != left_out) {
                cut = cut.with_texts(name.clone(), values.clone());
            }
            assert!(one.restore(&cut).is_err(), "{id} without {left_out}");
        }
    }
}

#[test]
fn a_rule_of_given_neighbours_needs_the_classes_alone() {
    let s = [4., 3., 1., 0., 3., 4., 0., 1., 1., 0., 4., 2., 0., 1., 2., 4.];
    let s = SimilarityMatrix::new(4, 4, &s[..]).unwrap();
    let classes = Classes::from_labels(["cat", "cat", "dog", "dog"]);
    for id in ["knn", "sknn"] {
        let mut rule = classifier(id).unwrap();
        assert!(rule.fit_labels(&classes).unwrap().is_none(), "{id} has a k to choose");
        set(rule.as_mut(), "k", "2").unwrap();
        let spared = rule.fit_labels(&classes).unwrap().unwrap();
        let fitted = rule.fit(&s, &classes).unwrap();
        assert_eq!(spared.predict(&s).unwrap(), fitted.predict(&s).unwrap());
        set(rule.as_mut(), "k", "5").unwrap();
        let all = rule.fit_labels(&classes).unwrap().unwrap();
        assert!(
            all.insight().k == Some(4) && all.notes()[0].to_string().contains("4 training rows")
        );
    }
    assert!(classifier("sda").unwrap().fit_labels(&classes).unwrap().is_none());
}

/// The preset by name is the settings that Rust has by constructor.
#[test]
fn the_preset_of_the_chapter_is_its_settings() {
    let preset = presets().into_iter().find(|one| one.id == "sda-2009").unwrap();
    let meant: [&dyn Classify; 5] = [
        &Sda::sda_2009(),
        &NnSda::sda_2009(),
        &MixtureSda::sda_2009(),
        &LocalSda::sda_2009(),
        &Psvm::sda_2009(),
    ];
    for mut one in classifiers() {
        preset.apply(one.as_mut()).unwrap();
        let found = one.parameters();
        for parameter in
            meant.iter().filter(|m| m.about() == one.about()).flat_map(|m| m.parameters())
        {
            let same = found.iter().find(|p| p.name == parameter.name).unwrap();
            // The chapter's own grids of k and c are what an unset list means.
            if !(parameter.default.is_empty() && parameter.name.ends_with("_candidates")) {
                assert_eq!(same, &parameter, "{}", one.about().id);
            }
        }
    }
}

/// The written grids choose what the unset ones choose.
#[test]
fn unset_grids_are_those_of_the_chapter() {
    let (s, classes) = random_matrix(60, 21);
    let preset = presets().remove(0);
    for id in ["knn", "sknn", "local-centroid", "condensed-nn"] {
        let (plain, mut set) = (classifier(id).unwrap(), classifier(id).unwrap());
        preset.apply(set.as_mut()).unwrap();
        let (a, b) = (plain.fit(&s, &classes).unwrap(), set.fit(&s, &classes).unwrap());
        assert_eq!(a.insight(), b.insight(), "{id}");
    }
}
