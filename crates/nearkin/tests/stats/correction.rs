//! Laws of `stats::correction`.

use nearkin::stats::*;

#[test]
fn one_test_needs_no_correction() {
    for adjust in [benjamini_hochberg, holm] {
        assert_eq!(adjust(&[None, Some(0.2)]), [None, Some(0.2)]);
        assert_eq!(adjust(&[]), []);
    }
}

#[test]
fn each_correction_is_milder_than_the_next() {
    let p: Vec<_> = [0.3, 0.001, 0.02, 0.02, 0.8].map(Some).to_vec();
    let (q, holm) = (benjamini_hochberg(&p), holm(&p));
    for i in 0..p.len() {
        assert!(p[i] <= q[i] && q[i] <= holm[i]);
    }
}
