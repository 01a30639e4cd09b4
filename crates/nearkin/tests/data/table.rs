//! Laws of `data::table`.

use nearkin::data::*;

#[test]
fn sorted_categories_leave_the_cells_as_they_are() {
    let names = ["pear", "fig", "apple"].map(String::from).to_vec();
    let column = Column::from_codes("fruit", vec![0, 2, MISSING, 1, 0], names).unwrap();
    let table = Table::new(vec![column]).unwrap();
    let sorted = table.sort_categories();
    let ColumnValues::Nominal { codes, categories } = &sorted.columns()[0].values else {
        panic!("no categories");
    };
    assert_eq!(categories, &["apple", "fig", "pear"]);
    assert_eq!(codes, &[2, 0, MISSING, 1, 2]);
}

#[test]
fn an_infinite_cell_is_refused_wherever_the_column_lies() {
    let mut cells = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let table = |cells: &[f64], columns: &[usize]| {
        let column = |&at: &usize| Column {
            name: format!("x{at}"),
            values: ColumnValues::F64(Lane::borrowed(cells, at, 3, 2).unwrap()),
        };
        Table::new(columns.iter().map(column).collect()).map(drop)
    };
    assert!(table(&cells, &[0, 1, 2]).is_ok());
    cells[5] = f64::NEG_INFINITY;
    for columns in [&[0, 1, 2][..], &[2, 0], &[2]] {
        let said = table(&cells, columns).unwrap_err().to_string();
        assert!(said.starts_with("row 1, column `x2`"), "{said}");
    }
    assert!(table(&cells, &[1, 0]).is_ok(), "a cell of no column of the table");
}

#[test]
fn an_owned_column_keeps_no_more_than_itself() {
    let cells = [1.0, 2.0, 3.0, 4.0];
    let owned = Lane::borrowed(&cells, 1, 2, 2).unwrap().into_owned();
    assert_eq!(owned, Lane::owned(vec![2.0, 4.0]));
}

#[test]
fn a_lane_reads_a_column_of_a_row_major_array() {
    let array = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let lane = Lane::borrowed(&array, 1, 3, 2).unwrap();
    assert_eq!(lane.iter().collect::<Vec<_>>(), [2.0, 5.0]);
    assert!(Lane::borrowed(&array, 1, 3, 3).is_none());
}

#[test]
fn nominal_codes_do_not_depend_on_row_order() {
    let cells = [Some("b"), None, Some("a"), Some("b")];
    let column = Column::nominal("x", &cells).unwrap();
    let ColumnValues::Nominal { codes, categories } = &column.values else { panic!() };
    assert_eq!(codes, &[1, MISSING, 0, 1]);
    assert_eq!(categories, &["a", "b"]);
    assert_eq!(column.missing(), 1);
}

#[test]
fn unequal_lengths_repeated_names_and_infinities_are_refused() {
    let refuse = |columns: Vec<Column>| Table::new(columns).unwrap_err().to_string();
    let x = || Column::numeric("x", vec![1.0, 2.0]);
    assert!(refuse(vec![]).contains("no feature columns"));
    assert!(refuse(vec![x(), Column::numeric("y", vec![1.0])]).contains("they must agree"));
    assert!(refuse(vec![x(), x()]).contains("two columns are named `x`"));
    let infinite = Column::numeric("y", vec![1.0, f64::INFINITY]);
    assert!(refuse(vec![x(), infinite]).contains("row 1, column `y`"));
}
