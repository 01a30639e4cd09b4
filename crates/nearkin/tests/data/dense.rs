//! Laws of `data::dense`.

use nearkin::data::*;

#[test]
fn what_is_no_finite_number_is_refused_by_row_and_column() {
    let names = || vec!["a".to_owned(), "b".to_owned()];
    let refuse = |cells| Dense::new(names(), cells).unwrap_err().to_string();
    assert!(refuse(vec![1.0, 2.0, f64::NAN, 3.0]).contains("row 1, column `a`"));
    assert!(refuse(vec![1.0, f64::INFINITY]).contains("column `b`: the value is infinite"));
    assert!(refuse(vec![1.0]).contains("do not fill rows"));
}
