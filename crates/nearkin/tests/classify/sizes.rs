//! Sizes and settings chosen by leaving samples out.

use super::common::*;
use nearkin::classify::*;
use nearkin::data::{Classes, SimilarityMatrix};

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
        assert_eq!(fitted.insight().k, Some(best), "{}", make(None).about().id);
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
    assert_eq!((fitted.insight().alpha, fitted.insight().k), (Some(best), None));
}

/// That the pair is the best one is shown beside the machine's own code, which knows the folds.
#[test]
fn the_machine_of_a_chosen_pair_is_that_of_the_pair_alone() {
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
