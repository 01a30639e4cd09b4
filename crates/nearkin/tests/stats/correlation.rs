//! Laws of `stats::correlation`.

use nearkin::stats::*;

#[test]
fn constant_or_single_values_have_no_correlation() {
    let of = |x: &[f64], y: &[f64]| pearson(x, y, CorrelationP::Student, Tail::Both);
    assert_eq!(of(&[1.0, 1.0], &[1.0, 2.0]), Ok(None));
    assert_eq!(of(&[1.0], &[1.0]), Ok(None));
    assert_eq!(of(&[1.0, 2.0], &[1.0, 2.0]).unwrap().unwrap().p, None);
    assert!(of(&[1.0, 2.0], &[1.0]).is_err());
}

#[test]
fn exact_is_refused_where_it_would_take_too_long() {
    let x: Vec<f64> = (0..10).map(f64::from).collect();
    let refused = spearman(&x, &x, CorrelationP::Exact, Tail::Both).unwrap_err();
    assert!(refused.to_string().contains("at most 9 pairs, got 10"));
}

#[test]
fn scale_does_not_matter_up_to_the_ends_of_f64() {
    let of = |scale: f64| {
        let (x, y) = ([1.0, 2.0, 4.0, 3.0], [0.3, 0.1, 0.9, 0.8].map(|y: f64| y * scale));
        pearson(&x, &y, CorrelationP::Student, Tail::Both).unwrap().unwrap().r
    };
    assert!((of(1e-300) - of(1.0)).abs() < 1e-14 && (of(1e308) - of(1.0)).abs() < 1e-14);
}

#[test]
fn a_perfect_line_is_certain() {
    let x: Vec<f64> = (0..20).map(f64::from).collect();
    let line = spearman(&x, &x, CorrelationP::Student, Tail::Right).unwrap().unwrap();
    assert!((line.r - 1.0).abs() < 1e-14 && line.p.unwrap() < 1e-100);
}
