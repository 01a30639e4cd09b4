//! Laws of `stats::friedman`.

use nearkin::stats::*;

#[test]
fn two_methods_have_the_range_of_a_normal_difference() {
    for q in [0.5, 2.0, 5.0, 9.0] {
        let expected = 2.0 * tails::normal_sf(q / 2f64.sqrt());
        assert!((studentized_range_sf(q, 2) / expected - 1.0).abs() < 1e-11, "{q}");
    }
}

#[test]
fn critical_difference_has_its_own_p_value() {
    let difference = nemenyi_difference(0.1, 6, 20).unwrap();
    assert!((nemenyi_p(difference, 6, 20) - 0.1).abs() < 1e-11);
    assert!(nemenyi_difference(0.0, 6, 20).is_err());
    assert!(nemenyi_difference(0.1, 1, 20).is_err());
}

#[test]
fn full_agreement_is_the_largest_chi_square() {
    let test = friedman(&vec![vec![3.0, 2.0, 1.0]; 5]).unwrap().unwrap();
    assert!((test.chi_square - 10.0).abs() < 1e-12);
    assert_eq!((test.f, test.f_p), (f64::INFINITY, 0.0));
    assert_eq!(test.mean_ranks, [1.0, 2.0, 3.0]);
}

#[test]
fn all_ties_decide_nothing_and_ragged_rows_are_refused() {
    assert_eq!(friedman(&[vec![1.0, 1.0], vec![2.0, 2.0]]), Ok(None));
    let ragged = friedman(&[vec![1.0, 2.0], vec![2.0]]).unwrap_err().to_string();
    assert!(ragged.contains("data set 1 has 1 scores"));
    assert!(friedman(&[vec![1.0, 2.0]]).is_err());
}
