//! Aural Sonar and globins; they run when `NEARKIN_DATA` names the folder of data.

use super::common::*;
use nearkin::classify::*;
use nearkin::data::{Classes, SimilarityMatrix};

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
        assert_eq!(fitted.insight().prototypes, [[2], [77]]);
        let laws = fitted.insight().laws;
        let all = |f: fn(&ClassLaw) -> f64| laws.iter().map(f).collect::<Vec<_>>();
        near(&all(|law| law.mean), &[0.614, 0.244, 0.232, 0.410]);
        // The eight digits that were printed, and more of them by Newton's method in extended
        // precision on the ten values of the matrix.
        let lambda = [1.670575345341, -2.781969792372, -2.993060360541, -0.551482430213];
        let log_z = [3.200750459747, 1.346230951637, 1.296002688289, 2.062788676857];
        near(&all(|law| law.law.lambda()), &lambda);
        near(&all(|law| law.law.log_z()), &log_z);
        let said = fitted.predict(&s).unwrap();
        let joint = |g: usize| {
            let law = |h: usize, centroid| lambda[2 * g + h] * s.at(0, centroid) - log_z[2 * g + h];
            0.5f64.ln() + law(0, 2) + law(1, 77)
        };
        near(said.scores_of(0), &[joint(0), joint(1)]);
        assert!((joint(0) + 4.34892283).abs() < 1e-8 && (joint(1) + 6.20222904).abs() < 1e-8);
        assert_eq!(said.errors(&labels), 17);
    }
}
