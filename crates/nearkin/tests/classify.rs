//! Figures the chapter and a prototype fix, and laws every classifier keeps.
//!
//! Tests on Aural Sonar run when `NEARKIN_DATA` names the folder of data; they pass without it.
#![allow(clippy::unwrap_used)]

use nearkin::classify::*;
use nearkin::data::{Classes, SimilarityMatrix};
use nearkin::random::Random;

/// Twelve samples of three classes and five queries: asymmetric, made up by a formula.
fn toy() -> (SimilarityMatrix<'static>, Classes, SimilarityMatrix<'static>) {
    let y = [0usize, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2];
    let mut s = Vec::new();
    for i in 0..12usize {
        for j in 0..12usize {
            let base = if y[i] == y[j] { 6.0 } else { 1.0 };
            let up = ((7 * i + 3 * j * j + 5 * i * j) % 11) as f64 / 2.0;
            let down = ((i * i + 2 * j) % 5) as f64 / 4.0;
            s.push(if i == j { 12.0 } else { base + up - down });
        }
    }
    let mut q = Vec::new();
    for i in 0..5usize {
        for (j, class) in y.iter().enumerate() {
            let base = if *class == i % 3 { 5.0 } else { 2.0 };
            let up = ((3 * i + 2 * j + i * j * j) % 9) as f64 / 2.0;
            q.push(base + up - ((i + j * j) % 4) as f64 / 4.0);
        }
    }
    let classes = Classes::from_labels(y.map(|class| class.to_string()));
    let s = SimilarityMatrix::new(12, 12, s).unwrap();
    (s, classes, SimilarityMatrix::new(5, 12, q).unwrap())
}

/// A random matrix of `n` samples in three classes, nearer within a class, asymmetric.
fn random_matrix(n: usize, seed: u64) -> (SimilarityMatrix<'static>, Classes) {
    let mut random = Random::new(seed, 0);
    let class = |i: usize| i * 7 % 3;
    let cells = (0..n * n).map(|c| {
        let same = class(c / n) == class(c % n);
        (if same { 0.8 } else { 0.0 }) + random.normal()
    });
    let s = SimilarityMatrix::new(n, n, cells.collect::<Vec<_>>()).unwrap();
    (s, Classes::from_labels((0..n).map(|i| ["x", "y", "z"][class(i)])))
}

#[track_caller]
fn near(found: &[f64], meant: &[f64]) {
    assert_eq!(found.len(), meant.len());
    for (found, meant) in found.iter().zip(meant) {
        assert!((found - meant).abs() < 1e-9, "{found} {meant}");
    }
}

fn clamped() -> Laws {
    Laws { boundary: Boundary::Clamp, clamp: 1e-6, ..Laws::default() }
}

fn fixed(k: usize) -> Size {
    Size { k: Some(k), ..Size::default() }
}

// The numbers of the next four tests were printed by a numpy prototype of these classifiers,
// written before them and independently (root finding in its own way), on the matrices of
// `toy` with means clamped at 1e-6.

#[test]
fn joint_probabilities_of_sda_agree_with_the_prototype() {
    let (s, classes, queries) = toy();
    let scores = |laws, prior| {
        let sda = Sda { laws, priors: Priors { prior, ..Priors::default() }, ..Sda::default() };
        let fitted = sda.fit(&s, &classes).unwrap();
        assert_eq!(fitted.prototypes(), [[0], [7], [10]]);
        fitted.predict(&queries).unwrap().scores
    };
    near(
        &scores(clamped(), Prior::Empirical),
        &[
            -13.728945364732166,
            -13.83966844970799,
            -16.295837847932354,
            -15.650200687891557,
            -13.077513161601834,
            -14.957423870321994,
            -13.41083287003672,
            -15.592130843954056,
            -14.408229334083689,
            -14.94254073571201,
            -13.026978667189562,
            -15.897004658141167,
            -15.650205922654882,
            -11.36084614752752,
            -17.132981665693222,
        ],
    );
    let interval =
        Laws { support: Omega::Interval, support_values: Some(vec![-5.0, 15.0]), ..clamped() };
    near(
        &scores(interval, Prior::Uniform),
        &[
            -10.44648928366929,
            -10.560857138563557,
            -11.005221415441854,
            -10.948106829268374,
            -10.318258432980937,
            -10.644445501442807,
            -10.401576047679043,
            -11.054354343857845,
            -10.511327327003933,
            -10.748001341011951,
            -10.30827742611662,
            -10.891037119304523,
            -10.930568743432177,
            -9.86072337150703,
            -11.22604181934812,
        ],
    );
    let grid =
        Laws { support: Omega::Grid, support_values: Some(vec![-2.0, 0.25, 61.0]), ..clamped() };
    near(
        &scores(grid, Prior::Empirical),
        &[
            -14.01820083456792,
            -13.988450851938847,
            -15.367983608932706,
            -14.978101012322613,
            -13.60582201203752,
            -14.743312915387683,
            -13.889938056743786,
            -14.854062232033057,
            -14.436248468311385,
            -14.619499012262827,
            -13.585358518061652,
            -15.198366705628219,
            -14.942101872928578,
            -12.752919067957555,
            -15.793683927263787,
        ],
    );
}

#[test]
fn joint_probabilities_of_nn_sda_agree_with_the_prototype() {
    let (s, classes, queries) = toy();
    let found = NnSda::sda_2009().fit(&s, &classes).unwrap().predict(&queries).unwrap();
    near(
        &found.scores,
        &[
            -12.160483608629333,
            -13.00473019678555,
            -14.275905497125802,
            -13.758229010631542,
            -12.063261028397006,
            -13.341169100401018,
            -13.946028056377044,
            -13.832062666379679,
            -12.562128777631623,
            -12.281850232153284,
            -13.227844306514495,
            -13.733164827309558,
            -13.703609638898763,
            -11.891503475393545,
            -13.504204530938365,
        ],
    );
    assert_eq!(found.class, [0, 1, 2, 0, 1]);
}

#[test]
fn decisions_by_centroids_agree_with_the_prototype() {
    let (s, classes, queries) = toy();
    let found = NearestCentroid::default().fit(&s, &classes).unwrap().predict(&queries).unwrap();
    assert_eq!(found.class, [0, 1, 2, 1, 1]);
    assert!(found.log_posteriors.is_none() && found.probabilities(0).is_none());
    let found = AdjustedCentroid::default().fit(&s, &classes).unwrap().predict(&queries).unwrap();
    near(found.scores_of(0), &[0.5298013245033113, 0.4545454545454546, 0.3]);
    near(found.scores_of(4), &[0.3708609271523179, 0.8288770053475936, 0.2]);
}

#[test]
fn local_decisions_agree_with_the_prototype() {
    let (s, classes, queries) = toy();
    // k, votes of k-NN for the third query, local centroid, local SDA with n_min 2 and 0.
    let cases = [
        (3, [1.0, 0.0, 2.0], [0, 1, 2, 0, 1], [0, 1, 2, 0, 1], [0, 1, 2, 0, 1]),
        (5, [1.0, 1.0, 3.0], [0, 1, 2, 0, 1], [0, 1, 2, 0, 1], [0, 1, 2, 0, 1]),
        (9, [3.0, 3.0, 3.0], [0, 1, 2, 2, 1], [0, 1, 2, 0, 1], [0, 1, 2, 0, 1]),
        (12, [4.0, 5.0, 3.0], [0, 1, 2, 1, 1], [0, 1, 0, 1, 1], [0, 1, 0, 1, 1]),
    ];
    for (k, votes, centroid, sda_2, sda_0) in cases {
        let said = |c: &dyn Classify| c.fit(&s, &classes).unwrap().predict(&queries).unwrap();
        let knn = said(&Knn { size: fixed(k), ..Knn::default() });
        assert_eq!(knn.scores_of(2), votes);
        let local = LocalCentroid { size: fixed(k), ..LocalCentroid::default() };
        assert_eq!(said(&local).class, centroid, "{k}");
        let sda =
            |n_min| LocalSda { n_min, size: fixed(k), laws: clamped(), ..LocalSda::default() };
        assert_eq!(said(&sda(2)).class, sda_2, "{k}");
        assert_eq!(said(&sda(0)).class, sda_0, "{k}");
        assert!(said(&sda(0)).fallback.iter().all(|fallback| !fallback));
    }
}

#[test]
fn decisions_of_the_psvm_agree_with_the_prototype() {
    let (s, classes, queries) = toy();
    let two = Classes::from_labels(classes.codes().iter().map(|&c| if c == 0 { "0" } else { "1" }));
    let psvm = Psvm { c: 1.0, epsilon: 0.1, tolerance: 1e-14, ..Psvm::default() };
    let fitted = psvm.fit(&s, &two).unwrap();
    let said = fitted.predict(&queries).unwrap();
    assert!(fitted.notes()[0].starts_with("C = 1, ε = 0.1: ") && fitted.notes().len() == 1);
    let decisions: Vec<f64> = (0..5).map(|row| said.scores_of(row)[1]).collect();
    near(
        &decisions,
        &[
            -0.1758479399593073,
            0.9656280873091465,
            0.554312846013905,
            -0.2255477091880616,
            0.9091408413696267,
        ],
    );
    assert_eq!(said.class, [0, 1, 1, 0, 1]);
}

// Given the medoids that seed 0 draws here, the prototype's EM of thirty rounds.
#[test]
fn joint_probabilities_of_mixture_sda_agree_with_the_prototype() {
    let (s, classes, queries) = toy();
    let mixture = MixtureSda {
        tolerance: 0.0,
        laws: clamped(),
        prototypes: Prototypes { c: Some(2), ..Prototypes::default() },
        ..MixtureSda::default()
    };
    let fitted = mixture.fit(&s, &classes).unwrap();
    assert_eq!(fitted.prototypes(), [[2, 0], [7, 4], [9, 11]]);
    assert_eq!(fitted.laws().len(), 18);
    let said = fitted.predict(&queries).unwrap();
    near(
        &said.scores,
        &[
            -15.312646399667878,
            -13.878813410894866,
            -17.586874689247303,
            -17.776747409570245,
            -12.628628047081419,
            -16.075012972266713,
            -16.17773723706488,
            -16.083824881723082,
            -13.746122700939544,
            -16.344817094406764,
            -13.115652480047508,
            -16.25876580073714,
            -18.43939064557416,
            -12.335479753963398,
            -16.339355467936397,
        ],
    );
}

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
    assert!(set(local.as_mut(), "prior", "laplace").unwrap_err().to_string().contains("n_min"));
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
fn local_sda_of_all_samples_is_sda() {
    for seed in 0..5 {
        let (s, classes) = random_matrix(40, seed);
        for laws in [clamped(), Laws::default()] {
            let sda = Sda { laws: laws.clone(), ..Sda::default() };
            let local = LocalSda { size: fixed(40), laws, ..LocalSda::default() };
            let sda = sda.fit(&s, &classes).unwrap().predict(&s).unwrap();
            let local = local.fit(&s, &classes).unwrap().predict(&s).unwrap();
            assert_eq!(local.class, sda.class);
            near(&local.log_posteriors.unwrap(), &sda.log_posteriors.unwrap());
        }
    }
}

/// All sizes in one pass against leaving each row out and predicting it, one size at a time.
#[test]
fn the_chosen_size_is_the_first_with_the_fewest_leave_one_out_errors() {
    let (s, classes) = random_matrix(30, 9);
    let labels: Vec<&str> =
        classes.codes().iter().map(|&c| classes.names()[c as usize].as_str()).collect();
    let support: Vec<f64> = s.values().to_vec();
    let laws =
        || Laws { support: Omega::Set, support_values: Some(support.clone()), ..Laws::default() };
    type Sized = Box<dyn Fn(Option<usize>) -> Box<dyn Classify>>;
    let laws_of = laws();
    let makers: [Sized; 4] = [
        Box::new(|k| Box::new(Knn { size: Size { k, ..Size::default() }, ..Knn::default() })),
        Box::new(|k| Box::new(Sknn { size: Size { k, ..Size::default() }, ..Sknn::default() })),
        Box::new(|k| {
            Box::new(LocalCentroid { size: Size { k, ..Size::default() }, ..Default::default() })
        }),
        Box::new(move |k| {
            let size = Size { k, ..Size::default() };
            Box::new(LocalSda { size, laws: laws_of.clone(), ..LocalSda::default() })
        }),
    ];
    for make in makers {
        let errors_at = |k: usize| -> usize {
            let wrong = |&row: &usize| {
                let rest: Vec<usize> = (0..30).filter(|&r| r != row).collect();
                let part = Classes::from_labels(rest.iter().map(|&r| labels[r]));
                let fitted = make(Some(k)).fit(&s.select(&rest, &rest), &part).unwrap();
                let said = fitted.predict(&s.select(&[row], &rest)).unwrap();
                said.errors([labels[row]]) == 1
            };
            (0..30).filter(wrong).count()
        };
        let fitted = make(None).fit(&s, &classes).unwrap();
        let best = (1..=20).min_by_key(|&k| errors_at(k)).unwrap();
        assert_eq!(fitted.k(), Some(best), "{}", make(None).about().id);
    }
}

/// Every α in one pass against leaving each row out and predicting it, one α at a time.
#[test]
fn the_chosen_radius_is_the_first_with_the_fewest_leave_one_out_errors() {
    let (s, classes) = random_matrix(30, 3);
    let s: Vec<f64> = s.values().iter().map(|s| s.exp()).collect();
    let s = SimilarityMatrix::new(30, 30, s).unwrap();
    let labels: Vec<String> =
        classes.codes().iter().map(|&c| classes.names()[c as usize].clone()).collect();
    let local = |alpha| LocalCentroid {
        near: Near { neighbourhood: Nearby::Radius, alpha, ..Near::default() },
        ..LocalCentroid::default()
    };
    let fitted = local(None).fit(&s, &classes).unwrap();
    let (mut fewest, mut best) = (usize::MAX, 0.0);
    for alpha in [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0] {
        let errors = leave_one_out(&s, &labels, &local(Some(alpha)));
        if errors < fewest {
            (fewest, best) = (errors, alpha);
        }
    }
    assert_eq!((fitted.alpha(), fitted.k()), (Some(best), None));
}

#[test]
fn threads_do_not_change_a_bit() {
    let (s, classes) = random_matrix(30, 4);
    for classifier in classifiers().iter().filter(|c| c.about().id != "adjusted-centroid") {
        let said = |threads| {
            let run = nearkin::Run::on(threads);
            let fitted = classifier.fit_with(&s, &classes, &run).unwrap();
            (fitted.k(), fitted.predict_with(&s, &run).unwrap())
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

#[test]
fn prototypes_are_samples_of_their_class_and_as_many_as_asked() {
    let (s, classes, queries) = toy();
    for c in [1, 2, 4, 9] {
        let prototypes = Prototypes { c: Some(c), ..Prototypes::default() };
        let condensed = CondensedNn { prototypes: prototypes.clone(), ..CondensedNn::default() };
        let fitted = condensed.fit(&s, &classes).unwrap();
        for (class, found) in fitted.prototypes().iter().enumerate() {
            assert_eq!(found.len(), c.min(classes.counts()[class]));
            assert!(found.iter().all(|&row| classes.codes()[row] as usize == class));
        }
        let said = fitted.predict(&queries).unwrap();
        let mixture = MixtureSda { prototypes, laws: clamped(), ..MixtureSda::default() };
        let mixed = mixture.fit(&s, &classes).unwrap().predict(&queries).unwrap();
        if c == 1 {
            // One prototype is the centroid, and a mixture of one part is SDA.
            let nearest = NearestCentroid::default().fit(&s, &classes).unwrap();
            assert_eq!(said.scores, nearest.predict(&queries).unwrap().scores);
            let sda = Sda { laws: clamped(), ..Sda::default() }.fit(&s, &classes).unwrap();
            near(&mixed.scores, &sda.predict(&queries).unwrap().scores);
        }
        if c == 9 {
            // All samples as prototypes: the class of the nearest neighbour.
            let nearest = Knn { size: fixed(1), ..Knn::default() }.fit(&s, &classes).unwrap();
            assert_eq!(said.class, nearest.predict(&queries).unwrap().class);
        }
    }
}

#[test]
fn other_statistics_meet_their_means_too() {
    let (s, classes, queries) = toy();
    for (statistic, count) in [
        (Statistic::Centroid, 9),
        (Statistic::Nearest, 9),
        (Statistic::Mean, 9),
        (Statistic::Deviation, 9),
        (Statistic::CrossDeviation, 27),
    ] {
        let sda = Sda { statistics: vec![statistic], laws: clamped(), ..Sda::default() };
        let fitted = sda.fit(&s, &classes).unwrap();
        let laws = fitted.laws();
        assert_eq!(laws.len(), count);
        assert!(laws.iter().all(|law| law.law.lambda().is_finite() && law.weight == 1.0));
        let said = fitted.predict(&queries).unwrap();
        assert_eq!(said.class[1], 1, "{statistic:?}");
    }
    // The statistic by hand: the mean similarity of class 0 to class 1.
    let statistics = vec![Statistic::Mean];
    let sda = Sda { statistics, laws: clamped(), ..Sda::default() };
    let by_hand: f64 =
        (0..4).flat_map(|i| (4..9).map(move |j| (i, j))).map(|(i, j)| s.at(i, j)).sum();
    let law = sda.fit(&s, &classes).unwrap().laws()[1];
    assert_eq!((law.class, law.statistic), (0, 1));
    assert!((law.mean - by_hand / 20.0).abs() < 1e-12);
}

/// (20) with five statistics is the product of the five one by one, over the priors to the fourth.
#[test]
fn several_statistics_multiply_their_laws() {
    let (s, classes, queries) = toy();
    let all = [
        Statistic::Centroid,
        Statistic::Nearest,
        Statistic::Mean,
        Statistic::Deviation,
        Statistic::CrossDeviation,
    ];
    let scores = |statistics: &[Statistic]| {
        let sda = Sda { statistics: statistics.to_vec(), laws: clamped(), ..Sda::default() };
        sda.fit(&s, &classes).unwrap().predict(&queries).unwrap().scores
    };
    let mut sums = vec![0.0; 15];
    for statistic in all {
        let part = scores(&[statistic]);
        sums.iter_mut().zip(part).for_each(|(sum, score)| *sum += score);
    }
    for (at, sum) in sums.iter_mut().enumerate() {
        *sum -= 4.0 * classes.priors()[at % 3].ln();
    }
    near(&scores(&all), &sums);
    let nearest = NnSda { laws: clamped(), ..NnSda::default() }.fit(&s, &classes).unwrap();
    near(&nearest.predict(&queries).unwrap().scores, &scores(&[Statistic::Nearest]));
    let mut sda = classifier("sda").unwrap();
    set(sda.as_mut(), "statistics", "centroid, mean").unwrap();
    let refused = set(sda.as_mut(), "statistics", "centroid,median").unwrap_err().to_string();
    assert!(refused.contains("expected one of centroid, nearest"), "{refused}");
}

#[test]
fn several_measures_are_several_statistics() {
    let (s, classes, queries) = toy();
    let moved = |s: &SimilarityMatrix, power: i32| {
        let values: Vec<f64> = s.values().iter().map(|s| s.powi(power)).collect();
        SimilarityMatrix::new(s.rows(), s.columns(), values).unwrap()
    };
    let run = nearkin::Run::on(1);
    let sda = Sda { laws: clamped(), ..Sda::default() };
    let views = [s.to_owned(), moved(&s, 2)];
    let asked = [queries.to_owned(), moved(&queries, 2)];
    let fitted = sda.fit_several(&views, &classes, &run).unwrap();
    let both = fitted.predict_several(&asked, &run).unwrap();
    let one = |s: &SimilarityMatrix, q: &SimilarityMatrix| {
        sda.fit(s, &classes).unwrap().predict(q).unwrap().scores
    };
    let (first, second) = (one(&views[0], &asked[0]), one(&views[1], &asked[1]));
    let meant: Vec<f64> =
        (0..15).map(|at| first[at] + second[at] - classes.priors()[at % 3].ln()).collect();
    near(&both.scores, &meant);
    assert_eq!(fitted.law_tables().len(), 6);
    assert!(fitted.law_tables()[3].statistic.starts_with("measure 1: similarity"));
    let refused = fitted.predict(&queries).unwrap_err().to_string();
    assert!(refused.contains("fitted on 2 similarity matrices and is asked with 1"), "{refused}");
    let refused = Knn::default().fit_several(&views, &classes, &run).unwrap_err().to_string();
    assert!(refused.contains("knn takes one similarity matrix, 2 were given"), "{refused}");
    let back = sda.restore(&fitted.parts()).unwrap();
    assert_eq!(back.predict_several(&asked, &run).unwrap(), both);
}

/// Predictions, laws and notes after taking apart and putting together, to the bit.
#[test]
fn every_classifier_comes_back_from_its_parts() {
    let (s, classes, queries) = toy();
    let costs = "0,1,5,2,0,1,1,1,0";
    let variants: [(&str, &[(&str, &str)]); 12] = [
        ("sda", &[("statistics", "centroid,nearest,mean,deviation,cross-deviation")]),
        ("sda", &[("support", "grid"), ("support_values", "-2,0.25,61"), ("costs", costs)]),
        ("sda", &[("support", "interval"), ("support_values", "-5,15")]),
        ("sda", &[("statistics", "deviation"), ("support", "half-line")]),
        ("sda", &[("boundary", "point-mass")]),
        ("local-sda", &[("neighbourhood", "radius"), ("costs", costs)]),
        ("local-sda", &[("k", "5"), ("n_min", "0")]),
        ("local-centroid", &[("neighbourhood", "per-class"), ("k", "2")]),
        ("mixture-sda", &[("c", "2"), ("costs", costs)]),
        ("knn", &[("costs", costs), ("ties", "nearest")]),
        ("condensed-nn", &[("search", "swap")]),
        ("psvm", &[("epsilon", "0.4")]),
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
        assert_eq!((back.laws(), back.law_tables()), (fitted.laws(), fitted.law_tables()), "{id}");
        assert_eq!((back.k(), back.alpha()), (fitted.k(), fitted.alpha()), "{id}");
        assert_eq!(
            (back.prototypes(), back.notes()),
            (fitted.prototypes(), fitted.notes()),
            "{id}"
        );
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
fn laws_are_shown_against_what_was_observed() {
    let (s, classes, _) = toy();
    let tables = |sda: Sda| sda.fit(&s, &classes).unwrap().law_tables();
    for sda in [
        Sda { laws: clamped(), ..Sda::default() },
        Sda {
            laws: Laws {
                support: Omega::Interval,
                support_values: Some(vec![-5.0, 15.0]),
                ..clamped()
            },
            ..Sda::default()
        },
    ] {
        let found = tables(sda);
        assert_eq!(found.len(), 3);
        assert_eq!(found[1].statistic, "similarity to the centroid of 1");
        for table in found {
            let whole = |rows: &[Vec<f64>]| -> Vec<f64> {
                rows.iter().map(|row| row.iter().sum()).collect()
            };
            near(&whole(&table.observed), &[4.0, 5.0, 3.0]);
            near(&whole(&table.fitted), &[4.0, 5.0, 3.0]);
            assert_eq!(table.edges.len(), table.observed[0].len() + 1);
        }
    }
}

#[test]
fn costs_can_change_after_predicting() {
    let (s, classes, queries) = toy();
    let costs = vec![0.0, 1.0, 9.0, 1.0, 0.0, 9.0, 1.0, 1.0, 0.0];
    let before = Sda::default().fit(&s, &classes).unwrap().predict(&queries).unwrap();
    let laws = Laws { costs: Some(costs.clone()), ..Laws::default() };
    let fitted = Sda { laws, ..Sda::default() }.fit(&s, &classes).unwrap();
    let meant = fitted.predict(&queries).unwrap();
    assert_ne!(before.class, meant.class);
    assert_eq!(before.with_costs(&costs).unwrap(), meant);
    assert!(before.with_costs(&[0.0, 1.0]).unwrap_err().to_string().contains("3 × 3"));
    let plain = NearestCentroid::default().fit(&s, &classes).unwrap().predict(&queries).unwrap();
    assert!(plain.with_costs(&costs).unwrap_err().to_string().contains("no probabilities"));
}

#[test]
fn a_query_is_as_strange_as_its_likeliest_class_finds_it() {
    let (s, classes, queries) = toy();
    let fitted = Sda::default().fit(&s, &classes).unwrap();
    let said = fitted.predict(&queries).unwrap();
    let (anomaly, evidence) = (said.anomaly().unwrap(), said.log_evidence().unwrap());
    for row in 0..5 {
        let joint = said.scores_of(row);
        let likelihoods = joint.iter().zip(classes.priors()).map(|(score, p)| score - p.ln());
        near(&[anomaly[row]], &[-likelihoods.fold(f64::NEG_INFINITY, f64::max)]);
        near(&[evidence[row].exp()], &[joint.iter().map(|log| log.exp()).sum()]);
    }
    let plain = NearestCentroid::default().fit(&s, &classes).unwrap().predict(&queries).unwrap();
    assert!(plain.anomaly().is_none() && plain.log_evidence().is_none());
}

#[test]
fn calibration_is_counted_as_by_hand() {
    let said = Predictions {
        names: ["a", "b"].map(String::from).to_vec(),
        class: vec![0, 0, 1, 1],
        scores: vec![0.0; 8],
        log_posteriors: Some([0.9, 0.1, 0.8, 0.2, 0.3, 0.7, 0.4, 0.6].map(f64::ln).to_vec()),
        log_likelihood: None,
        outside: vec![false; 4],
        fallback: vec![false; 4],
    };
    let found = said.calibration(&["a", "b", "b", "b"], 5).unwrap();
    let counts: Vec<usize> = found.bins.iter().map(|bin| bin.count).collect();
    assert_eq!(counts, [0, 0, 0, 2, 2]);
    near(&[found.bins[3].probability, found.bins[3].right], &[0.65, 1.0]);
    near(&[found.bins[4].probability, found.bins[4].right], &[0.85, 0.5]);
    near(&[found.expected_error], &[(2.0 * 0.35 + 2.0 * 0.35) / 4.0]);
    near(&[found.log_loss], &[-(0.9f64 * 0.2 * 0.7 * 0.6).ln() / 4.0]);
    near(&[found.brier], &[2.0 * (0.01 + 0.64 + 0.09 + 0.16) / 4.0]);
    assert!(said.calibration(&["a"], 5).is_err());
}

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
        let fitted = classifier.fit(&s, &classes).unwrap();
        let narrow = queries.select(&[0, 1], &[0, 1, 2]);
        let refused = fitted.predict(&narrow).unwrap_err().to_string();
        assert!(refused.contains("3 references") && refused.contains("fitted on 12"), "{id}");
    }
    for classifier in [
        &Knn { size: fixed(13), ..Knn::default() } as &dyn Classify,
        &LocalSda { size: fixed(13), ..LocalSda::default() },
    ] {
        let refused = classifier.fit(&s, &classes).unwrap_err().to_string();
        assert_eq!(refused, "k: must be in 1..=12 (the training rows), got 13");
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
    let prototypes = Prototypes { c_candidates: none(), ..Prototypes::default() };
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
    assert!(fitted.notes()[0].contains("class `lone` has one row"));
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

/// A matrix of the data folder times `sign`, with its labels; nothing without the folder.
fn shared(
    matrix: &str,
    labels: &str,
    sign: f64,
) -> Option<(SimilarityMatrix<'static>, Vec<String>)> {
    let folder = std::path::PathBuf::from(std::env::var_os("NEARKIN_DATA")?).join("similarity");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let labels: Vec<String> = read(labels).lines().map(|line| line.trim().to_owned()).collect();
    let text = read(matrix);
    let values = text.split([',', '\n']).map(str::trim).filter(|v| !v.is_empty());
    let values: Vec<f64> = values.map(|v| 0.0 + sign * v.parse::<f64>().unwrap()).collect();
    Some((SimilarityMatrix::new(labels.len(), labels.len(), values).unwrap(), labels))
}

/// Errors when each sample is predicted from the others, sizes chosen among those anew.
fn leave_one_out(s: &SimilarityMatrix, labels: &[String], classifier: &dyn Classify) -> usize {
    let wrong = |&row: &usize| {
        let rest: Vec<usize> = (0..labels.len()).filter(|&r| r != row).collect();
        let classes = Classes::from_labels(rest.iter().map(|&r| &labels[r]));
        let fitted = classifier.fit(&s.select(&rest, &rest), &classes).unwrap();
        let said = fitted.predict(&s.select(&[row], &rest)).unwrap();
        said.errors([&labels[row]]) == 1
    };
    (0..labels.len()).filter(wrong).count()
}

/// Four classes of globins, known by dissimilarities; errors as the prototype counts them.
#[test]
fn globins_are_told_apart_as_often_as_by_the_prototype() {
    let Some((s, labels)) = shared("protein_D.csv", "protein_y.csv", -1.0) else { return };
    let errors = |classifier: &dyn Classify| leave_one_out(&s, &labels, classifier);
    assert_eq!(errors(&NearestCentroid::default()), 29);
    assert_eq!(errors(&Sda::sda_2009()), 9);
    assert_eq!(errors(&NnSda::sda_2009()), 4);
    assert_eq!(errors(&Knn { size: fixed(1), ..Knn::default() }), 4);
}

mod aural_sonar {
    use super::*;

    /// 100 listeners' similarities in two classes of 50, or nothing without the data.
    fn sonar() -> Option<(SimilarityMatrix<'static>, Vec<String>)> {
        shared("aural_sonar_S.csv", "aural_sonar_y.csv", 1.0)
    }

    fn nested_errors(classifier: &dyn Classify) -> Option<usize> {
        let (s, labels) = sonar()?;
        Some(leave_one_out(&s, &labels, classifier))
    }

    #[track_caller]
    fn expect(errors: usize, classifier: &dyn Classify) {
        if let Some(found) = nested_errors(classifier) {
            assert_eq!(found, errors);
        }
    }

    #[test]
    fn nearest_centroid_errs_26_times() {
        expect(26, &NearestCentroid::default());
    }

    #[test]
    fn sda_errs_16_times() {
        expect(16, &Sda::sda_2009());
    }

    #[test]
    fn nn_sda_errs_24_times() {
        expect(24, &NnSda::sda_2009());
    }

    #[test]
    fn knn_errs_18_times_and_19_with_ties_to_the_nearest() {
        expect(18, &Knn::default());
        expect(19, &Knn { ties: VoteTies::Nearest, ..Knn::default() });
    }

    #[test]
    fn local_centroid_errs_15_times() {
        expect(15, &LocalCentroid::default());
    }

    #[test]
    fn local_sda_errs_17_times_as_written_and_22_without_the_fallback() {
        expect(17, &LocalSda::sda_2009());
        expect(22, &LocalSda { n_min: 0, ..LocalSda::sda_2009() });
    }

    #[test]
    fn psvm_errs_10_times_at_fixed_settings() {
        for epsilon in [0.1, 0.2, 0.4] {
            expect(10, &Psvm { c: 1.0, epsilon, ..Psvm::default() });
        }
    }

    #[test]
    fn laws_of_the_whole_set_are_those_published_for_it() {
        let Some((s, labels)) = sonar() else { return };
        let sda = Sda { laws: Laws::sda_2009(), ..Sda::default() };
        let fitted = sda.fit(&s, &Classes::from_labels(&labels)).unwrap();
        assert_eq!(fitted.prototypes(), [[2], [77]]);
        let laws = fitted.laws();
        let all = |f: fn(&ClassLaw) -> f64| laws.iter().map(f).collect::<Vec<_>>();
        let close = |found: Vec<f64>, meant: [f64; 4]| {
            for (found, meant) in found.iter().zip(meant) {
                assert!((found - meant).abs() < 1e-8, "{found} {meant}");
            }
        };
        close(all(|law| law.mean), [0.614, 0.244, 0.232, 0.410]);
        close(all(|law| law.law.lambda()), [1.67057535, -2.78196979, -2.99306036, -0.55148243]);
        close(all(|law| law.law.log_z()), [3.20075046, 1.34623095, 1.29600269, 2.06278868]);
        let said = fitted.predict(&s).unwrap();
        near_8(said.scores_of(0), &[-4.34892283, -6.20222904]);
        assert_eq!(said.errors(&labels), 17);
    }

    /// To the eight digits that were printed.
    fn near_8(found: &[f64], meant: &[f64]) {
        assert!(found.iter().zip(meant).all(|(a, b)| (a - b).abs() < 1e-8), "{found:?} {meant:?}");
    }
}

/// The pair chosen by cross-validation along warm starts gives the machine of that pair alone.
#[test]
fn the_chosen_pair_of_a_psvm_is_the_best_of_its_grid() {
    let (s, classes) = random_matrix(45, 12);
    let grid = |c: &[f64], epsilon: &[f64]| Psvm {
        c_candidates: Some(c.to_vec()),
        epsilon_candidates: Some(epsilon.to_vec()),
        ..Psvm::default()
    };
    let (cs, epsilons) = ([0.05, 0.5, 5.0], [0.05, 0.3, 1.2]);
    let fitted = grid(&cs, &epsilons).fit(&s, &classes).unwrap();
    let parts = fitted.parts();
    let chosen = (parts.number("c").unwrap(), parts.number("epsilon").unwrap());
    assert!(cs.contains(&chosen.0) && epsilons.contains(&chosen.1));
    let alone = Psvm { c: chosen.0, epsilon: chosen.1, ..Psvm::default() };
    let said = alone.fit(&s, &classes).unwrap().predict(&s).unwrap();
    near(&fitted.predict(&s).unwrap().scores, &said.scores);
    // A pair that leaves nothing in the machine cannot be better than one that learns.
    let blind = grid(&[0.5], &[0.3, 100.0]).fit(&s, &classes).unwrap().parts();
    assert_eq!(blind.number("epsilon").unwrap(), 0.3);
    let refused = grid(&[], &[0.1]).fit(&s, &classes).unwrap_err().to_string();
    assert!(refused.starts_with("c_candidates: needs at least one"), "{refused}");
}

/// Answers of other programs, recorded by `fixtures/make_classify.py`.
mod others {
    use super::*;
    use nearkin::classify::law::{Ends, Law, Support};
    use serde_json::Value;

    fn fixture(name: &str) -> Vec<Value> {
        let text = include_str!("fixtures/classify.json");
        let all: Value = serde_json::from_str(text).unwrap();
        all[name].as_array().unwrap().clone()
    }

    fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    }

    /// The optimum of the P-SVM against an interior-point method for any quadratic programme.
    #[test]
    fn the_psvm_s_optimum_is_that_of_a_general_solver() {
        for case in fixture("psvm") {
            let (rows, columns) = (
                case["rows"].as_u64().unwrap() as usize,
                case["columns"].as_u64().unwrap() as usize,
            );
            let (c, epsilon) = (case["c"].as_f64().unwrap(), case["epsilon"].as_f64().unwrap());
            let cells = numbers(&case["s"]);
            let s = SimilarityMatrix::new(rows, columns, cells).unwrap();
            let y = numbers(&case["y"]);
            let classes =
                Classes::from_labels(y.iter().map(|y| if *y > 0.0 { "yes" } else { "no" }));
            let psvm = Psvm { c, epsilon, tolerance: 1e-13, sweeps: 1_000_000, ..Psvm::default() };
            let parts = psvm.fit(&s, &classes).unwrap().parts();
            let found = parts.numbers("alpha").unwrap();
            // Where columns outnumber rows the weights need not be unique; the optimum is.
            let column = |j: usize| {
                let mean = (0..rows).map(|i| s.at(i, j)).sum::<f64>() / rows as f64;
                let off: Vec<f64> = (0..rows).map(|i| s.at(i, j) - mean).collect();
                let length = off.iter().map(|x| x * x).sum::<f64>().sqrt();
                off.into_iter().map(|x| x / length).collect::<Vec<f64>>()
            };
            let k: Vec<Vec<f64>> = (0..columns).map(column).collect();
            let b = y.iter().sum::<f64>() / rows as f64;
            let said = |i: usize| k.iter().zip(found).map(|(k, a)| k[i] * a).sum::<f64>();
            let value: f64 =
                (0..rows).map(|i| 0.5 * said(i).powi(2) - (y[i] - b) * said(i)).sum::<f64>()
                    + epsilon * found.iter().map(|a| a.abs()).sum::<f64>();
            let meant = case["objective"].as_f64().unwrap();
            assert!((value - meant).abs() < 1e-9, "{value} {meant}");
            if columns <= rows {
                for (found, meant) in found.iter().zip(numbers(&case["alpha"])) {
                    assert!((found - meant).abs() < 1e-6, "{found} {meant}");
                }
            }
        }
    }

    /// Probabilities against the entropy's maximum found on the simplex, no form assumed.
    #[test]
    fn laws_are_the_flattest_that_a_search_of_the_simplex_finds() {
        for case in fixture("laws") {
            let values = numbers(&case["values"]);
            let support = Support::of(values.iter().copied()).unwrap();
            let law = Law::fit(&support, case["mean"].as_f64().unwrap(), Ends::PointMass);
            for (value, meant) in values.iter().zip(numbers(&case["p"])) {
                let found = law.log_p(*value).exp();
                assert!((found - meant).abs() < 1e-6, "{found} {meant}");
            }
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
        assert!(rule.fit_labels(&classes).unwrap_err().to_string().contains("1..=4"));
    }
    assert!(classifier("sda").unwrap().fit_labels(&classes).unwrap().is_none());
}
