//! Laws of `stats::sign`.

use nearkin::stats::*;

#[test]
fn nothing_won_or_lost_decides_nothing() {
    for tail in [Tail::Left, Tail::Right, Tail::Both] {
        let test = sign_test(&[1.0, 2.0], &[1.0, 2.0], tail).unwrap();
        assert_eq!((test.p, test.z), (1.0, 0.0));
    }
}

#[test]
fn swapping_the_sides_swaps_the_tails() {
    let (right, left) = (SignTest::new(9, 3, Tail::Right), SignTest::new(3, 9, Tail::Left));
    assert!((right.p - left.p).abs() < 1e-15);
    assert_eq!(right.z, -left.z);
}

#[test]
fn published_marks_come_from_the_normal_law_beyond_twelve_pairs() {
    for (n, wins, p, exact) in [
        (7, 7, 0.0078, 0.0078),
        (9, 8, 0.0195, 0.0195),
        (12, 2, 0.0193, 0.0193),
        (20, 15, 0.0127, 0.0207),
        (100, 62, 0.0082, 0.0105),
        (280, 154, 0.0471, 0.0532),
    ] {
        let tail = if 2 * wins > n { Tail::Right } else { Tail::Left };
        let test = SignTest::new(wins, n - wins, tail);
        assert!((test.published_p() - p).abs() < 6e-5, "{n} {wins}: {}", test.published_p());
        assert!((test.p - exact).abs() < 6e-5, "{n} {wins}: {}", test.p);
    }
}

#[test]
fn unequal_numbers_are_refused() {
    assert!(sign_test(&[1.0], &[f64::NAN], Tail::Both).is_err());
}
