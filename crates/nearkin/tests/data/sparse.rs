//! Laws of `data::sparse`.

use nearkin::data::*;

fn names() -> Vec<String> {
    ["a", "b", "c"].map(String::from).to_vec()
}

#[test]
fn dense_and_sparse_rows_are_the_same_rows() {
    let dense = Dense::new(names(), vec![1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, -3.0, 0.0]).unwrap();
    let sparse = Sparse::from_dense(&dense).unwrap();
    assert_eq!((sparse.rows(), sparse.columns(), sparse.stored()), (3, 3, 3));
    assert_eq!(sparse.to_dense().unwrap(), dense);
    assert_eq!(sparse.select_rows(&[2, 0]).to_dense().unwrap().row(0), [0.0, -3.0, 0.0]);
}

#[test]
fn what_is_no_sparse_row_is_refused() {
    let told = |row| Sparse::from_rows(names(), [row]).unwrap_err().to_string();
    assert!(told(vec![(1, 1.0), (1, 2.0)]).contains("must rise"));
    assert!(told(vec![(3, 1.0)]).contains("no column 3"));
    assert!(told(vec![(2, f64::NAN)]).contains("column `c`: the value is missing"));
    let cut = Sparse::new(names(), vec![0, 2], vec![0], vec![1.0]).unwrap_err();
    assert!(cut.to_string().contains("row starts"));
}
