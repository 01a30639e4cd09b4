//! Priors: what every classifier does with them, and cases worked by hand.

use super::common::*;
use nearkin::classify::*;
use nearkin::data::{Classes, Column, SimilarityMatrix, Table};

/// Every classifier of similarities, its sizes given, so that priors change no choice, and with
/// probabilities.
fn settled() -> Vec<Box<dyn Classify>> {
    let mut all = classifiers();
    for one in &mut all {
        for (name, value) in [("probabilities", "true"), ("k", "6"), ("c", "2")] {
            let has = one.parameters().iter().any(|p| p.name == name);
            if has && (name != "c" || one.about().id != "psvm") {
                set(one.as_mut(), name, value).unwrap();
            }
        }
    }
    all
}

fn with(one: &dyn Classify, settings: &[(&str, &str)]) -> Box<dyn Classify> {
    let mut copy = classifier(one.about().id).unwrap();
    for parameter in one.parameters().iter().filter(|p| !p.default.is_empty()) {
        set(copy.as_mut(), parameter.name, &parameter.default).unwrap();
    }
    settings.iter().for_each(|(name, value)| set(copy.as_mut(), name, value).unwrap());
    copy
}

/// Bayes' rule: from the shares to other priors, the odds of g against h change by
/// P(g)/share_g over P(h)/share_h, whatever the classifier knows of the sample.
#[test]
fn odds_move_by_prior_over_share_in_every_classifier() {
    let (s, classes, queries) = toy();
    let shares = [4.0 / 12.0, 5.0 / 12.0, 3.0 / 12.0];
    let cases = [
        (("prior", "uniform"), [1.0 / 3.0; 3]),
        (("prior", "laplace"), [5.0 / 15.0, 6.0 / 15.0, 4.0 / 15.0]),
        (("priors", "6,1,3"), [0.6, 0.1, 0.3]),
    ];
    for one in settled() {
        let id = one.about().id;
        let plain = one.fit(&s, &classes).unwrap().predict(&queries).unwrap();
        for (setting, priors) in &cases {
            let moved = with(one.as_ref(), &[*setting]);
            let said = moved.fit(&s, &classes).unwrap().predict(&queries).unwrap();
            for row in 0..said.len() {
                let (p, q) = (plain.probabilities(row).unwrap(), said.probabilities(row).unwrap());
                let meant: Vec<f64> = (0..3).map(|g| p[g] * priors[g] / shares[g]).collect();
                let total: f64 = meant.iter().sum();
                near(&q, &meant.iter().map(|p| p / total).collect::<Vec<_>>());
            }
        }
        // The shares themselves, given, leave all as it was; by name they do so to the bit.
        let given = with(one.as_ref(), &[("priors", "4,5,3")]);
        let said = given.fit(&s, &classes).unwrap().predict(&queries).unwrap();
        assert_eq!(said.class, plain.class, "{id}");
        let named = with(one.as_ref(), &[("prior", "empirical")]);
        assert_eq!(named.fit(&s, &classes).unwrap().predict(&queries).unwrap(), plain, "{id}");
        let refused = with(one.as_ref(), &[("priors", "1,2")]).fit(&s, &classes).unwrap_err();
        assert_eq!(refused.to_string(), "priors: 2 given for 3 classes (0, 1, 2)", "{id}");
        let refused = with(one.as_ref(), &[("priors", "1,0,2")]).fit(&s, &classes).unwrap_err();
        assert_eq!(refused.to_string(), "priors: every class needs a probability above 0", "{id}");
    }
}

/// Two of three neighbours are a, of all five samples three are: under uniform priors a's vote
/// counts 5/6 and b's 5/4, so P(a) = 2·5/6 / (2·5/6 + 5/4) = 4/7. With P(b) = 4/5 it is
/// 2·(1/5)/(3/5) : 1·(4/5)/(2/5) = 2/3 : 2, and b is said.
#[test]
fn votes_of_three_neighbours_by_hand() {
    let s = SimilarityMatrix::new(5, 5, vec![1.0; 25]).unwrap();
    let classes = Classes::from_labels(["a", "a", "a", "b", "b"]);
    let query = SimilarityMatrix::new(1, 5, vec![5.0, 4.0, 0.0, 3.0, 1.0]).unwrap();
    let said = |priors: Priors| {
        let knn = Knn { size: fixed(3), priors, ..Knn::default() };
        let said = knn.fit(&s, &classes).unwrap().predict(&query).unwrap();
        (said.class[0], said.probabilities(0).unwrap())
    };
    assert_eq!(
        said(Priors::default()),
        (0, [2f64 / 3.0, 1f64 / 3.0].iter().map(|p| p.ln().exp()).collect())
    );
    let (class, p) = said(Priors { prior: Prior::Uniform, ..Priors::default() });
    assert_eq!(class, 0);
    near(&p, &[4.0 / 7.0, 3.0 / 7.0]);
    let (class, p) = said(Priors { priors: Some(vec![1.0, 4.0]), ..Priors::default() });
    assert_eq!(class, 1);
    near(&p, &[0.25, 0.75]);
}

/// With all samples as neighbours local SDA is SDA, under any priors.
#[test]
fn local_sda_of_all_samples_has_the_priors_of_sda() {
    let (s, classes, queries) = toy();
    for priors in [
        Priors { prior: Prior::Uniform, ..Priors::default() },
        Priors { prior: Prior::Laplace, ..Priors::default() },
        Priors { priors: Some(vec![1.0, 7.0, 2.0]), ..Priors::default() },
    ] {
        let local = LocalSda { size: fixed(12), priors: priors.clone(), ..LocalSda::default() };
        let global = Sda { priors, ..Sda::default() };
        let a = local.fit(&s, &classes).unwrap().predict(&queries).unwrap();
        let b = global.fit(&s, &classes).unwrap().predict(&queries).unwrap();
        assert_eq!(a.class, b.class);
        near(&a.scores, &b.scores);
    }
}

/// Two centroids as similar: the larger local prior decides. One neighbour each of a and b; of all
/// samples three are a and one is b, so uniform priors leave b the larger one.
#[test]
fn a_tie_of_local_centroids_goes_to_the_larger_local_prior() {
    let cells = [9., 1., 1., 1., 1., 9., 1., 1., 1., 1., 9., 1., 1., 1., 1., 9.];
    let s = SimilarityMatrix::new(4, 4, &cells[..]).unwrap();
    let classes = Classes::from_labels(["a", "a", "a", "b"]);
    let query = SimilarityMatrix::new(1, 4, vec![5.0, 0.0, 0.0, 5.0]).unwrap();
    let said = |prior| {
        let priors = Priors { prior, ..Priors::default() };
        let rule = LocalCentroid { size: fixed(2), priors, ..LocalCentroid::default() };
        rule.fit(&s, &classes).unwrap().predict(&query).unwrap().class[0]
    };
    assert_eq!((said(Prior::Empirical), said(Prior::Uniform)), (0, 1));
}

#[test]
fn naive_bayes_moves_its_odds_too() {
    let cell = [Some("u"), Some("u"), Some("v"), Some("v"), Some("v")];
    let table = Table::new(vec![Column::nominal("cell", &cell).unwrap()]).unwrap();
    let classes = Classes::from_labels(["a", "a", "b", "a", "b"]);
    let p = |priors| {
        let fitted = NaiveBayes { priors, ..NaiveBayes::default() }.fit(&table, &classes).unwrap();
        fitted.predict(&table).unwrap().probabilities(0).unwrap()
    };
    // P(u | a) = (2 + 1)/(3 + 2), P(u | b) = (0 + 1)/(2 + 2).
    let of = |a: f64, b: f64| [a * 0.6 / (a * 0.6 + b * 0.25), b * 0.25 / (a * 0.6 + b * 0.25)];
    near(&p(Priors::default()), &of(0.6, 0.4));
    near(&p(Priors { prior: Prior::Uniform, ..Priors::default() }), &of(0.5, 0.5));
    near(&p(Priors { prior: Prior::Laplace, ..Priors::default() }), &of(4.0, 3.0));
    near(&p(Priors { priors: Some(vec![1.0, 9.0]), ..Priors::default() }), &of(0.1, 0.9));
}

/// Classes of one sample cannot be scored while they are held out; the others have probabilities
/// of their scores all the same.
#[test]
fn classes_of_a_single_sample_leave_the_scores_of_the_others_their_say() {
    let (s, _, queries) = toy();
    let names = ["p", "p", "p", "p", "q", "q", "q", "q", "r", "t", "u", "v"];
    let classes = Classes::from_labels(names);
    for one in settled() {
        if one.parameters().iter().all(|p| p.name != "probabilities") {
            continue;
        }
        let id = one.about().id;
        for settings in [&[][..], &[("priors", "4,4,1,1,1,1")]] {
            let fitted = with(one.as_ref(), settings).fit(&s, &classes).unwrap();
            let told =
                fitted.notes().iter().any(|note| note.to_string().contains("are the priors"));
            assert!(!told, "{id}");
            let said = fitted.predict(&queries).unwrap();
            let p = |row: usize| said.probabilities(row).unwrap();
            assert!(
                (0..5).any(|row| (p(row)[0] - p(0)[0]).abs() > 1e-3),
                "{id}: scores have a say"
            );
            assert!((0..5).all(|row| (p(row).iter().sum::<f64>() - 1.0).abs() < 1e-12), "{id}");
        }
    }
    let alone = Classes::from_labels((0..12).map(|row| row.to_string()));
    let scored = Scored { probabilities: true, ..Scored::default() };
    let fitted = Sknn { size: fixed(1), scored, ..Sknn::default() }.fit(&s, &alone).unwrap();
    let p = fitted.predict(&queries).unwrap().probabilities(0).unwrap();
    assert_eq!(p.len(), 12);
}

/// Priors do not cancel themselves by the k they choose: a class that is nearly all there will be
/// is said no less often than by its share.
#[test]
fn sizes_are_chosen_for_the_samples_that_are_expected() {
    // Two overlapping clouds on a line.
    let place = |i: usize| (i * 37 % 101) as f64 / 50.0 + (i % 2) as f64;
    let s: Vec<f64> = (0..100 * 100).map(|at| -(place(at / 100) - place(at % 100)).abs()).collect();
    let s = SimilarityMatrix::new(100, 100, s).unwrap();
    let classes = Classes::from_labels((0..100).map(|i| (i % 2).to_string()));
    for id in ["knn", "local-sda"] {
        let said = |priors: &str| {
            let mut one = classifier(id).unwrap();
            set(one.as_mut(), "priors", priors).unwrap();
            let fitted = one.fit(&s, &classes).unwrap();
            let said = fitted.predict(&s).unwrap();
            (said.class.iter().filter(|class| **class == 1).count(), fitted.insight().k)
        };
        let (even, rare, common) = (said("1,1"), said("999,1"), said("1,999"));
        assert!(rare.0 < even.0 && even.0 < common.0, "{id}: {rare:?} {even:?} {common:?}");
    }
}
