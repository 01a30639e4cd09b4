//! Laws of `stats::corrected_t`.

use nearkin::stats::*;

#[test]
fn no_difference_or_one_split_decides_nothing() {
    assert_eq!(corrected_resampled_t(&[0.0, 0.0], 9, 1, Tail::Both), Ok(None));
    assert_eq!(corrected_resampled_t(&[0.1], 9, 1, Tail::Both), Ok(None));
}

#[test]
fn equal_differences_are_certain() {
    let test = corrected_resampled_t(&[0.1, 0.1, 0.1], 9, 1, Tail::Right).unwrap().unwrap();
    assert_eq!((test.t, test.p), (f64::INFINITY, 0.0));
}

#[test]
fn more_test_rows_make_the_test_more_careful() {
    let p = |test_rows| {
        let test = corrected_resampled_t(&[0.1, 0.2, 0.15], 90, test_rows, Tail::Right);
        test.unwrap().unwrap().p
    };
    assert!(p(10) < p(45));
    assert!(corrected_resampled_t(&[0.1, 0.2], 0, 1, Tail::Both).is_err());
}
