//! Arrays of `ndarray` are tables and matrices, whatever order their cells lie in.

use ndarray::{Array2, ShapeBuilder, array, s};
use nearkin::data::{Column, Dense, SimilarityMatrix, Table, Target};
use nearkin::measure::{Form, SquareMatrix};
use nearkin::weigh::{ReliefF, Weigh};

/// The same numbers as columns of their own.
fn plain(x: &Array2<f64>) -> Table<'static> {
    let column = |c: usize| Column::numeric(format!("x{c}"), x.column(c).to_vec());
    Table::new((0..x.ncols()).map(column).collect()).unwrap()
}

fn names(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|c| format!("x{c}"))
}

#[test]
fn weights_are_the_same_however_cells_lie() {
    let cell = |row: usize, c: usize| ((row * 37 + c * 11) % 23) as f64 / 7.0;
    let by_row = Array2::from_shape_fn((30, 3), |(row, c)| cell(row, c));
    let by_column = Array2::from_shape_fn((30, 3).f(), |(row, c)| cell(row, c));
    let wide = Array2::from_shape_fn((60, 6), |(row, c)| cell(row / 2, c / 2));
    let target = Target::classes((0..30).map(|row| if row % 3 == 0 { "a" } else { "b" }));
    let weigh = |table: &Table| ReliefF { k: 3, ..ReliefF::default() }.fit(table, &target).unwrap();
    let expected = weigh(&plain(&by_row)).to_array();
    for view in [by_row.view(), by_column.view(), wide.slice(s![..;2, ..;2])] {
        let table = Table::from_array(names(3), view).unwrap();
        assert_eq!(weigh(&table).to_array(), expected);
    }
}

#[test]
fn single_precision_is_kept_and_missing_cells_are_seen() {
    let x = array![[1.0f32, f32::NAN], [3.0, 4.0]];
    let table = Table::from_array(["a", "b"], x.view()).unwrap();
    assert_eq!(table.columns()[1].missing(), 1);
    let s = SimilarityMatrix::from_array(array![[0.1f32, 0.2], [0.3, 0.4]].t()).unwrap().to_owned();
    assert_eq!(s.to_array(), array![[0.1f32, 0.3], [0.2, 0.4]].mapv(f64::from));
}

#[test]
fn names_must_be_as_many_as_columns() {
    let said = Table::from_array(["a"], array![[1.0, 2.0]].view()).unwrap_err().to_string();
    assert!(said.contains("1 names were given for 2 columns"), "{said}");
}

#[test]
fn answers_are_arrays() {
    let dense = Dense::new(vec!["a".into(), "b".into()], vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    assert_eq!(dense.to_array(), array![[1.0, 2.0], [3.0, 4.0]]);
    let matrix = SquareMatrix::new(Form::Diagonal, 2, vec![5.0, 6.0]).unwrap();
    assert_eq!(matrix.to_array(), array![[5.0, 0.0], [0.0, 6.0]]);
}
