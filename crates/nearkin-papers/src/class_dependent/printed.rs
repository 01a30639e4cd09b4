//! The paper's tables as printed.

use nearkin_cli::failure::{Failure, Result};

const TABLE_1: &str = include_str!("../../data/class-dependent_table1.csv");
const TABLE_2: &str = include_str!("../../data/class-dependent_table2.csv");

/// A row of tables 1 and 2; figures are (mean, standard deviation) in percent.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    /// The data set as the paper calls it.
    pub name: String,
    /// Training rows.
    pub train: usize,
    /// Test rows.
    pub test: usize,
    /// Accuracy of the vote.
    pub accuracy: (f64, f64),
    /// Correlation of the first class's weights with the whole's.
    pub first: (f64, f64),
    /// Correlation of the second class's.
    pub second: (f64, f64),
    /// The larger of both.
    pub highest: (f64, f64),
}

impl Printed {
    /// Accuracy, Corr1, Corr2, MaxCorr.
    pub fn figures(&self) -> [(f64, f64); 4] {
        [self.accuracy, self.first, self.second, self.highest]
    }
}

/// The names of the data sets.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE_2
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .filter(|name| !name.is_empty())
}

/// Tables 1 and 2, row by row.
pub fn table() -> Result<Vec<Printed>> {
    let cells = |text: &'static str| {
        let lines = text.lines().skip(1).filter(|line| !line.is_empty());
        lines.map(|line| line.split(',').collect()).collect::<Vec<Vec<&str>>>()
    };
    let rows = cells(TABLE_1).into_iter().zip(cells(TABLE_2)).map(|(sizes, figures)| {
        let number = |of: &[&str], at: usize| of.get(at).and_then(|cell| cell.parse::<f64>().ok());
        let pair = |at: usize| Some((number(&figures, at)?, number(&figures, at + 1)?));
        Some(Printed {
            name: figures.first()?.to_string(),
            train: number(&sizes, 2)? as usize,
            test: number(&sizes, 5)? as usize,
            accuracy: pair(1)?,
            first: pair(3)?,
            second: pair(5)?,
            highest: pair(7)?,
        })
    });
    let rows: Option<Vec<Printed>> = rows.collect();
    rows.ok_or_else(|| {
        Failure::System("the printed tables that come with nearkin are broken".into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_rows_are_carried_as_printed() {
        let table = table().unwrap();
        assert_eq!(table.len(), 8);
        assert_eq!((table[0].name.as_str(), table[0].train, table[0].test), ("B.Cancer", 200, 77));
        assert_eq!(table[6].second, (-13.47, 38.37));
        assert_eq!(table[7].figures()[0], (72.73, 1.08));
        for row in &table {
            assert!(row.highest.0 >= row.first.0.max(row.second.0));
        }
    }

    #[test]
    fn both_tables_name_the_same_sets() {
        let names = |text: &str| -> Vec<String> {
            text.lines().skip(1).filter_map(|l| l.split(',').next().map(String::from)).collect()
        };
        assert_eq!(names(TABLE_1), names(TABLE_2));
    }
}
