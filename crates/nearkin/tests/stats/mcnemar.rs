//! Laws of `stats::mcnemar`.

use nearkin::stats::*;

#[test]
fn no_disagreement_decides_nothing() {
    assert_eq!(mcnemar_exact(0, 0), 1.0);
    assert_eq!(mcnemar(0, 0, true), None);
}

#[test]
fn the_correction_does_not_turn_the_difference_around() {
    assert_eq!(mcnemar(4, 4, true), Some((0.0, 1.0)));
}
