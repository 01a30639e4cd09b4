//! Bad input, ties and boundaries.

use super::common::*;
use nearkin::Note;
use nearkin::classify::*;
use nearkin::data::{Classes, SimilarityMatrix};

#[test]
fn bad_input_is_told_in_a_sentence() {
    let (s, classes, queries) = toy();
    let flat = SimilarityMatrix::new(5, 12, vec![1.0; 60]).unwrap();
    let short = Classes::from_labels(["a", "b", "a"]);
    let one = Classes::from_labels(["a"; 12]);
    for classifier in classifiers() {
        let id = classifier.about().id;
        let refuse = |s: &SimilarityMatrix, classes: &Classes| {
            classifier.fit(s, classes).unwrap_err().to_string()
        };
        // A P-SVM is content with any columns; its rows are what is labelled.
        let shape = if id == "psvm" { "5 rows" } else { "5 × 12" };
        assert!(refuse(&flat, &classes).contains(shape), "{id}");
        assert!(refuse(&s, &short).contains("12 rows and there are 3 labels"), "{id}");
        assert!(refuse(&s, &one).contains("at least two classes"), "{id}");
        let refused = classifier.fit_labels(&one).unwrap_err().to_string();
        assert!(refused.contains("at least two classes"), "{id}");
        let fitted = classifier.fit(&s, &classes).unwrap();
        let narrow = queries.select(&[0, 1], &[0, 1, 2]);
        let refused = fitted.predict(&narrow).unwrap_err().to_string();
        assert!(refused.contains("3 references") && refused.contains("fitted on 12"), "{id}");
    }
    for classifier in [
        &Knn { size: fixed(13), ..Knn::default() } as &dyn Classify,
        &LocalSda { size: fixed(13), ..LocalSda::default() },
    ] {
        let fitted = classifier.fit(&s, &classes).unwrap();
        let notes = fitted.notes();
        assert_eq!(
            (fitted.insight().k, &notes[..]),
            (Some(12), &[Note::KAboveRows { k: 13, rows: 12 }][..])
        );
        let sentence = "k is 13 and there are 12 training rows: all of them are neighbours";
        assert_eq!(notes[0].to_string(), sentence);
    }
    let laws =
        Laws { support: Omega::Interval, support_values: Some(vec![3.0, 20.0]), ..clamped() };
    let refused = Sda { laws, ..Sda::default() }.fit(&s, &classes).unwrap_err().to_string();
    assert!(refused.contains("reaches from 3 to 20"), "{refused}");
    let laws = Laws { support: Omega::Grid, ..clamped() };
    let refused = NnSda { laws, ..NnSda::default() }.fit(&s, &classes).unwrap_err().to_string();
    assert!(refused.contains("start, its step"), "{refused}");
    let priors = Priors { priors: Some(vec![0.5, 0.5]), ..Priors::default() };
    let refused = Sda { priors, ..Sda::default() }.fit(&s, &classes).unwrap_err().to_string();
    assert!(refused.contains("2 given for 3 classes"), "{refused}");
    let none = || Some(Vec::new());
    let prototypes = Medoids { c_candidates: none(), ..Medoids::default() };
    let near = Near { neighbourhood: Nearby::Radius, alpha_candidates: none(), ..Near::default() };
    for (classifier, name) in [
        (&CondensedNn { prototypes, ..CondensedNn::default() } as &dyn Classify, "c_candidates"),
        (&LocalSda { near, ..LocalSda::default() }, "alpha_candidates"),
        (&Knn { size: Size { k: None, k_candidates: none() }, ..Knn::default() }, "k_candidates"),
    ] {
        assert!(classifier.fit(&s, &classes).unwrap_err().to_string().starts_with(name));
    }
    let negative: Vec<f64> = s.values().iter().map(|s| s - 1.0).collect();
    let negative = SimilarityMatrix::new(12, 12, negative).unwrap();
    let refused = AdjustedCentroid::default().fit(&negative, &classes).unwrap_err().to_string();
    assert!(refused.contains("needs them not negative"), "{refused}");
}

/// Negated distances, of which none is above 0, are ratios of exp(−d/σ) in whatever unit, with
/// probabilities too.
#[test]
fn adjusted_centroids_of_distances_are_those_of_their_exponentials() {
    let (s, classes, queries) = toy();
    let turned = |s: &SimilarityMatrix, by: &dyn Fn(f64) -> f64| {
        let cells: Vec<f64> = s.values().iter().map(|&s| by(s)).collect();
        SimilarityMatrix::new(s.rows(), s.columns(), cells).unwrap()
    };
    assert!(s.iter().chain(queries.iter()).all(|s| s < 20.0));
    let mean = s.values().iter().map(|s| 20.0 - s).sum::<f64>() / s.values().len() as f64;
    for probabilities in [false, true] {
        let scored = Scored { probabilities, ..Scored::default() };
        let method = AdjustedCentroid { scored, ..AdjustedCentroid::default() };
        let kernel = |s: f64| (-(20.0 - s) / mean).exp();
        let meant = method.fit(&turned(&s, &kernel), &classes).unwrap();
        let meant = meant.predict(&turned(&queries, &kernel)).unwrap();
        for unit in [1.0, 1e-6, 1e6, 1e200] {
            let distance = |s: f64| -(20.0 - s) * unit;
            let fitted = method.fit(&turned(&s, &distance), &classes).unwrap();
            let said = fitted.predict(&turned(&queries, &distance)).unwrap();
            assert_eq!(said.class, meant.class, "{unit}");
            let near = said.scores.iter().zip(&meant.scores).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(near, "{unit}");
            let back = method.restore(&fitted.parts()).unwrap();
            assert_eq!(back.predict(&turned(&queries, &distance)).unwrap(), said);
        }
    }
}

#[test]
fn rounds_are_counted_where_a_fit_goes_on_until_it_rests() {
    let (s, classes, _) = toy();
    for classifier in classifiers() {
        let id = classifier.about().id;
        let fitted = classifier.fit(&s, &classes).unwrap();
        let (rounds, counts) = (fitted.insight().rounds, ["mixture-sda", "psvm"].contains(&id));
        assert_eq!(rounds.is_some(), counts, "{id}");
        assert_eq!(classifier.restore(&fitted.parts()).unwrap().insight().rounds, rounds, "{id}");
    }
    let rounds =
        |sweeps| Psvm { sweeps, ..Psvm::default() }.fit(&s, &classes).unwrap().insight().rounds;
    let rest = rounds(10_000).unwrap();
    assert!(rest > 2 && rest < 10_000);
    assert_eq!((rounds(2), rounds(rest)), (Some(2), Some(rest)));
    let em = |rounds| {
        let method = MixtureSda { rounds, tolerance: 0.0, ..MixtureSda::default() };
        method.fit(&s, &classes).unwrap().insight().rounds
    };
    assert_eq!((em(3), em(1)), (Some(3), Some(1)));
}

#[test]
fn equal_similarities_leave_the_decision_to_the_priors() {
    let s = SimilarityMatrix::new(5, 5, vec![2.0; 25]).unwrap();
    let classes = Classes::from_labels(["a", "a", "b", "b", "b"]);
    for id in ["sda", "nn-sda", "nearest-centroid", "adjusted-centroid"] {
        let said = classifier(id).unwrap().fit(&s, &classes).unwrap().predict(&s).unwrap();
        assert_eq!(said.class, [1; 5], "{id}");
        if let Some(p) = said.probabilities(0) {
            near(&p, &[0.4, 0.6]);
        }
    }
    let priors = Priors { priors: Some(vec![3.0, 1.0]), ..Priors::default() };
    let said = Sda { priors, ..Sda::default() }.fit(&s, &classes).unwrap().predict(&s).unwrap();
    near(&said.probabilities(0).unwrap(), &[0.75, 0.25]);
}

#[test]
fn a_class_of_one_row_is_no_obstacle() {
    let (s, _, queries) = toy();
    let classes = Classes::from_labels((0..12).map(|i| if i == 3 { "lone" } else { "rest" }));
    for classifier in classifiers() {
        let said = classifier.fit(&s, &classes).unwrap().predict(&queries).unwrap();
        assert!(said.scores.iter().all(|score| !score.is_nan()), "{}", classifier.about().id);
    }
    let fitted = NnSda { laws: clamped(), ..NnSda::default() }.fit(&s, &classes).unwrap();
    assert!(fitted.notes()[0].to_string().contains("class `lone` has one row"));
}

#[test]
fn a_query_outside_a_declared_support_is_marked() {
    let (s, classes, _) = toy();
    let far = SimilarityMatrix::new(2, 12, [vec![50.0; 12], vec![5.0; 12]].concat()).unwrap();
    let declared = Laws {
        support: Omega::Interval,
        support_values: Some(vec![-5.0, 15.0]),
        ..Laws::default()
    };
    for (laws, outside) in [(declared, [true, false]), (Laws::default(), [false, false])] {
        let said = Sda { laws, ..Sda::default() }.fit(&s, &classes).unwrap().predict(&far).unwrap();
        assert_eq!(said.outside, outside);
        assert!(said.log_posteriors.unwrap().iter().all(|p| p.is_finite()));
    }
}

#[test]
fn a_point_mass_rules_out_what_it_has_not_seen() {
    // Class a's similarities to its centroid are all 4, the end of the support.
    let s = [4., 4., 1., 0., 4., 4., 0., 1., 1., 0., 4., 2., 0., 1., 2., 4.];
    let s = SimilarityMatrix::new(4, 4, &s[..]).unwrap();
    let classes = Classes::from_labels(["a", "a", "b", "b"]);
    let query = SimilarityMatrix::new(1, 4, vec![2., 3., 0., 1.]).unwrap();
    let p = |boundary| {
        let laws = Laws { boundary, ..Laws::default() };
        let sda = Sda { laws, ..Sda::default() };
        sda.fit(&s, &classes).unwrap().predict(&query).unwrap().probabilities(0).unwrap()
    };
    assert_eq!(p(Boundary::PointMass), [0.0, 1.0]);
    assert!(p(Boundary::Clamp)[0] < 1e-3, "clamping keeps it next to impossible");
    assert!(p(Boundary::Shrink)[0] > 0.1, "shrinking leaves it in the running");
}

/// Laws are fitted in units of their support, so units do not matter; squares have their limits.
#[test]
fn similarities_may_be_of_any_size() {
    let (s, classes, _) = toy();
    let scaled = |unit: f64| {
        let cells: Vec<f64> = s.values().iter().map(|cell| cell * unit).collect();
        SimilarityMatrix::new(s.rows(), s.columns(), cells).unwrap()
    };
    // Powers of two, so that ties stay ties.
    for unit in [2f64.powi(-900), 2f64.powi(-530), 2f64.powi(530), 2f64.powi(900)] {
        for classifier in classifiers() {
            let said = |s: &SimilarityMatrix| {
                classifier.fit(s, &classes).unwrap().predict(s).unwrap().class
            };
            assert_eq!(said(&scaled(unit)), said(&s), "{} {unit}", classifier.about().id);
        }
        let sda = Sda { statistics: vec![Statistic::Deviation], ..Sda::default() };
        let told = sda.fit(&scaled(unit), &classes).unwrap_err().to_string();
        assert!(told.contains("squares of deviations"), "{told}");
    }
}

#[test]
fn probabilities_of_scores_take_other_references_and_folds_that_cannot_be_fitted() {
    let (s, classes, _) = toy();
    // Unconstrained centroids need no column of a training sample.
    let few = s.select(&(0..12).collect::<Vec<_>>(), &[0, 3, 7]);
    let scored = Scored { probabilities: true, ..Scored::default() };
    let free = NearestCentroid {
        centroid: Centroid::Unconstrained,
        scored: scored.clone(),
        ..NearestCentroid::default()
    };
    let said = free.fit(&few, &classes).unwrap().predict(&few).unwrap();
    assert!((0..12).flat_map(|row| said.probabilities(row).unwrap()).all(f64::is_finite));
    // As many neighbours as there are in all, which no fold has.
    let all = Sknn { size: fixed(6), scored, ..Sknn::default() };
    assert!(all.fit(&s, &classes).is_ok());
    let wrong =
        Psvm { priors: Priors { priors: Some(vec![5.0]), ..Priors::default() }, ..Psvm::default() };
    assert!(wrong.fit(&s, &classes).is_err());
}
