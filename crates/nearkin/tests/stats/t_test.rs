//! Laws of `stats::t_test`.

use nearkin::stats::*;

fn moments(mean: f64, variance: f64, count: f64) -> Moments {
    Moments { mean, variance, count }
}

#[test]
fn cohens_d_is_t_times_root_of_inverse_counts() {
    let test = pooled_t(moments(0.7, 0.1, 30.0), moments(0.4, 0.2, 12.0), Tail::Right).unwrap();
    let expected = test.t * (1.0f64 / 30.0 + 1.0 / 12.0).sqrt();
    assert!((test.effect - expected).abs() < 1e-14);
}

#[test]
fn a_constant_feature_has_no_evidence() {
    let constant = moments(0.0, 0.0, 20.0);
    assert_eq!(pooled_t(constant, constant, Tail::Right), None);
}

#[test]
fn a_difference_without_spread_is_certain() {
    let (ones, zeros) = (moments(1.0, 0.0, 20.0), moments(0.0, 0.0, 20.0));
    let test = pooled_t(ones, zeros, Tail::Right).unwrap();
    assert_eq!((test.t, test.p), (f64::INFINITY, 0.0));
    assert_eq!(pooled_t(zeros, ones, Tail::Right).unwrap().p, 1.0);
}

#[test]
fn too_few_values_decide_nothing() {
    assert_eq!(pooled_t(moments(1.0, 0.0, 1.0), moments(0.0, 0.0, 1.0), Tail::Both), None);
    assert_eq!(pooled_t(moments(f64::NAN, 1.0, 9.0), moments(0.0, 1.0, 9.0), Tail::Both), None);
}
