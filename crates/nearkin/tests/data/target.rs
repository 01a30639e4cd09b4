//! Laws of `data::target`.

use nearkin::data::*;

#[test]
fn class_prior_is_share_of_rows() {
    let classes = Classes::from_labels(["b", "a", "b"]);
    assert_eq!(classes.names(), ["a", "b"]);
    assert_eq!(classes.priors(), [1.0 / 3.0, 2.0 / 3.0]);
}

#[test]
fn numeric_labels_are_ordered_as_numbers() {
    assert_eq!(Classes::from_labels(["10", "9", "-1"]).names(), ["-1", "9", "10"]);
}

#[test]
fn a_name_without_rows_is_no_class() {
    let names = ["x", "y", "z"].map(String::from).to_vec();
    let classes = Classes::new(vec![2, 0, 2], names).unwrap();
    assert_eq!(classes.names(), ["x", "z"]);
    assert_eq!(classes.codes(), [1, 0, 1]);
    assert!(Classes::new(vec![3], vec!["x".into()]).is_err());
}

#[test]
fn selected_classes_keep_their_order() {
    // "10" before "9", as the caller had them: priors are given in this order.
    let names = ["1", "10", "9"].map(String::from).to_vec();
    let target = Target::Classes(Classes::new(vec![0, 1, 2, 1], names).unwrap());
    let Target::Classes(classes) = target.select(&[3, 2]) else { panic!("classes") };
    assert_eq!((classes.names(), classes.codes()), (&["10".into(), "9".into()][..], &[0, 1][..]));
}

#[test]
fn a_real_target_must_be_finite() {
    assert!(Target::real(vec![1.0, f64::NAN]).unwrap_err().to_string().contains("row 1"));
}
