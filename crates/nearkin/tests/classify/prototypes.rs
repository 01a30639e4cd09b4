//! Samples that stand for their class.

use super::common::*;
use nearkin::classify::*;

#[test]
fn prototypes_are_samples_of_their_class_and_as_many_as_asked() {
    let (s, classes, queries) = toy();
    for c in [1, 2, 4, 9] {
        let prototypes = Medoids { c: Some(c), ..Medoids::default() };
        let condensed = CondensedNn { prototypes: prototypes.clone(), ..CondensedNn::default() };
        let fitted = condensed.fit(&s, &classes).unwrap();
        for (class, found) in fitted.insight().prototypes.iter().enumerate() {
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
fn classes_may_have_prototypes_of_different_numbers() {
    let (s, classes, queries) = toy();
    let given =
        |numbers: &[f64]| Medoids { c_per_class: Some(numbers.to_vec()), ..Medoids::default() };
    let mixture = MixtureSda { prototypes: given(&[1.0, 3.0, 2.0]), ..MixtureSda::default() };
    let fitted = mixture.fit(&s, &classes).unwrap();
    let counts: Vec<usize> = fitted.insight().prototypes.iter().map(Vec::len).collect();
    assert_eq!((counts, fitted.insight().laws.len()), (vec![1, 3, 2], 18));
    let back = mixture.restore(&fitted.parts()).unwrap();
    assert_eq!(back.predict(&queries).unwrap(), fitted.predict(&queries).unwrap());
    let one = |prototypes| CondensedNn { prototypes, ..CondensedNn::default() };
    let same = Medoids { c: Some(2), ..Medoids::default() };
    assert_eq!(
        one(given(&[2.0, 2.0, 2.0])).fit(&s, &classes).unwrap().insight().prototypes,
        one(same).fit(&s, &classes).unwrap().insight().prototypes
    );
    let refuse = |numbers: &[f64]| one(given(numbers)).fit(&s, &classes).unwrap_err().to_string();
    assert_eq!(refuse(&[2.0, 2.0]), "c_per_class: 2 given for 3 classes (0, 1, 2)");
    assert!(refuse(&[2.0, 0.5, 1.0]).contains("whole numbers of at least 1, got 0.5"));
}

#[test]
fn unconstrained_centroids_are_of_any_class_or_of_none() {
    let (s, classes, queries) = toy();
    let rule = NearestCentroid { centroid: Centroid::Unconstrained, ..NearestCentroid::default() };
    let fitted = rule.fit(&s, &classes).unwrap();
    for (class, centroid) in fitted.insight().prototypes.iter().enumerate() {
        let sum = |c: usize| -> f64 {
            (0..12).filter(|&z| classes.codes()[z] as usize == class).map(|z| s.at(z, c)).sum()
        };
        assert!((0..12).all(|c| sum(c) <= sum(centroid[0])));
    }
    // Columns that are no samples: the rows need not be as many.
    let columns = [2, 7, 7, 10];
    let all: Vec<usize> = (0..12).collect();
    let wide = rule.fit(&s.select(&all, &columns), &classes).unwrap();
    let said = wide.predict(&queries.select(&[0, 1, 2, 3, 4], &columns)).unwrap();
    assert!(wide.insight().prototypes.iter().all(|centroid| centroid[0] < 4));
    assert_eq!(said.len(), 5);
    let refused = NearestCentroid::default().fit(&s.select(&all, &columns), &classes);
    assert!(refused.unwrap_err().to_string().contains("12 × 4"));
}
