//! Figures that a numpy prototype of these classifiers printed.
//!
//! It was written before them and independently (root finding in its own way), and asked about
//! the matrices of `toy` with means clamped at 1e-6.

use super::common::*;
use nearkin::classify::*;
use nearkin::data::Classes;

#[test]
fn joint_probabilities_of_sda_agree_with_the_prototype() {
    let (s, classes, queries) = toy();
    let scores = |laws, prior| {
        let sda = Sda { laws, priors: Priors { prior, ..Priors::default() }, ..Sda::default() };
        let fitted = sda.fit(&s, &classes).unwrap();
        assert_eq!(fitted.insight().prototypes, [[0], [7], [10]]);
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
    assert!(
        fitted.notes()[0].to_string().starts_with("C = 1, ε = 0.1: ") && fitted.notes().len() == 1
    );
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
        prototypes: Medoids { c: Some(2), ..Medoids::default() },
        ..MixtureSda::default()
    };
    let fitted = mixture.fit(&s, &classes).unwrap();
    assert_eq!(fitted.insight().prototypes, [[2, 0], [7, 4], [9, 11]]);
    assert_eq!(fitted.insight().laws.len(), 18);
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
