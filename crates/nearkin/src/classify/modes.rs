//! Rows that no table holds: the most frequent values of every class.
//!
//! The sum of counting similarities to the samples of a class is largest, over all rows there can
//! be, where each column has the value most of them have (13). Columns of more than 20 different
//! numbers have the median instead, which does the same for Manhattan distance.

use super::common::by_class;
use super::naive_bayes::{MOST_NUMBERS, cells};
use crate::Result;
use crate::data::{Classes, Column, Table};

/// One row a class, in the order of the classes.
pub(crate) fn modes(table: &Table, classes: &Classes) -> Result<Table<'static>> {
    let by_class = by_class(classes);
    let column = |column: &Column| {
        let cells = cells(&column.values);
        let mut values: Vec<&String> = cells.iter().flatten().collect();
        values.sort_unstable();
        values.dedup();
        let measured = !column.is_nominal() && values.len() > MOST_NUMBERS;
        let pick = |members: &Vec<usize>| match measured {
            true => median(&cells, members),
            false => mode(&cells, &values, members),
        };
        // A cell of the row to be made is a cell of some row of the class.
        column.select(&by_class.iter().map(pick).collect::<Vec<_>>())
    };
    Table::new(table.columns().iter().map(column).collect())
}

/// The first member whose value is the most frequent; the first of all where none has a value.
fn mode(cells: &[Option<String>], values: &[&String], members: &[usize]) -> usize {
    let mut counts = vec![0usize; values.len()];
    let code = |row: usize| cells[row].as_ref().and_then(|cell| values.binary_search(&cell).ok());
    members.iter().filter_map(|&row| code(row)).for_each(|code| counts[code] += 1);
    let known = members.iter().copied().filter(|&row| code(row).is_some());
    let count = |row: usize| code(row).map_or(0, |code| counts[code]);
    known
        .reduce(|best, row| if count(row) > count(best) { row } else { best })
        .unwrap_or(members[0])
}

/// The member with the lower median of the numbers.
fn median(cells: &[Option<String>], members: &[usize]) -> usize {
    let number = |row: usize| cells[row].as_ref().and_then(|cell| cell.parse::<f64>().ok());
    let mut known: Vec<(f64, usize)> =
        members.iter().filter_map(|&row| Some((number(row)?, row))).collect();
    known.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let middle = known.len().saturating_sub(1) / 2;
    known.get(middle).map_or(members[0], |&(_, row)| row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ColumnValues;

    #[test]
    fn every_column_has_the_value_most_of_the_class_have_or_the_median() {
        let colours = ["red", "blue", "blue", "green", "green", "red"].map(Some);
        let holes = [None, Some("x"), None, None, None, None];
        let many: Vec<f64> = (0..6).map(|i| f64::from(i * i)).collect();
        let wide: Vec<f64> = (0..30).map(f64::from).collect();
        let table = Table::new(vec![
            Column::nominal("colour", &colours).unwrap(),
            Column::nominal("holes", &holes).unwrap(),
            Column::numeric("few", many),
        ]);
        let classes = Classes::from_labels(["a", "a", "a", "b", "b", "b"]);
        let found = modes(&table.unwrap(), &classes).unwrap();
        assert_eq!(cells(&found.columns()[0].values), ["blue", "green"].map(|c| Some(c.into())));
        assert_eq!(cells(&found.columns()[1].values), [Some("x".into()), None]);
        assert_eq!(cells(&found.columns()[2].values), ["0", "9"].map(|c| Some(c.into())));
        let table = Table::new(vec![Column::numeric("wide", wide)]).unwrap();
        let halves = Classes::from_labels((0..30).map(|i| if i < 15 { "a" } else { "b" }));
        let found = modes(&table, &halves).unwrap();
        let ColumnValues::F64(lane) = &found.columns()[0].values else { panic!() };
        assert_eq!(lane.iter().collect::<Vec<_>>(), [7.0, 22.0]);
    }
}
