//! Laws of `data::similarity`.

use nearkin::data::*;

#[test]
fn wrong_shapes_and_values_that_are_no_numbers_are_refused() {
    let refuse = |rows, columns, values: Vec<f64>| {
        SimilarityMatrix::new(rows, columns, values).unwrap_err().to_string()
    };
    assert!(refuse(0, 3, vec![]).contains("at least one row"));
    assert!(refuse(2, 2, vec![1.0; 3]).contains("2 × 2 cannot hold 3 values"));
    assert!(refuse(2, 2, vec![1.0, 0.0, f64::NAN, 1.0]).contains("row 1, column 0"));
    assert!(refuse(1, 2, vec![1.0, f64::INFINITY]).contains("row 0, column 1"));
}

#[test]
fn a_rectangle_may_be_borrowed_and_cut() {
    let cells = [1.0, -2.0, 3.0, 4.0, 5.0, 6.0];
    let s = SimilarityMatrix::new(2, 3, &cells[..]).unwrap();
    assert_eq!((s.rows(), s.columns(), s.at(0, 1)), (2, 3, -2.0));
    let part = s.select(&[1, 1], &[2, 0]);
    assert_eq!(*part.values(), [6.0, 4.0, 6.0, 4.0]);
    assert_eq!(s.to_owned(), s);
    let kept = s.to_owned();
    assert_eq!(kept.to_owned().values().as_ptr(), kept.values().as_ptr(), "shared");
    let both = s.beside(&part).unwrap();
    assert_eq!(*both.row(1), [4.0, 5.0, 6.0, 6.0, 4.0]);
    assert!(both.beside(&s.select(&[0], &[0])).unwrap_err().to_string().contains("side"));
    assert_eq!(SimilarityMatrix::restore(&s.parts()).unwrap(), s);
}

#[test]
fn dissimilarities_change_their_sign() {
    let s = SimilarityMatrix::from_dissimilarities(1, 2, vec![0.0, 2.0]).unwrap();
    assert_eq!(*s.values(), [0.0, -2.0]);
    assert!(s.at(0, 0).is_sign_positive());
}

#[test]
fn single_precision_is_kept_and_read_in_double() {
    let cells = [0.1f32, -2.5, 3.0, 0.3];
    let s = SimilarityMatrix::single(2, 2, &cells[..]).unwrap();
    let wide = SimilarityMatrix::new(2, 2, cells.map(f64::from).to_vec()).unwrap();
    assert_eq!(s, wide);
    assert_eq!(s.row(1), wide.row(1));
    assert_eq!((s.at(0, 0), s.values()), (wide.at(0, 0), wide.values()));
    assert_eq!(s.beside(&wide).unwrap(), wide.beside(&s).unwrap());
    for kept in [s.to_owned(), s.select(&[0, 1], &[0, 1])] {
        assert_eq!(kept, wide);
    }
    let kept = s.to_owned();
    assert_eq!(SimilarityMatrix::restore(&kept.parts()).unwrap(), wide);
    let bad = SimilarityMatrix::single(1, 2, vec![1.0, f32::NAN]).unwrap_err().to_string();
    assert!(bad.contains("row 0, column 1: the similarity is NaN"), "{bad}");
}
