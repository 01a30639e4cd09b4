//! The eight data sets, found among the tables of the data folder.

use nearkin::data::{Table, Target};
use nearkin_read::{Options, TargetChoice, TargetKind};

use super::printed;
use crate::manifest;
use crate::settings::Settings;
use nearkin_cli::failure::Result;

/// A data set and how it is cut.
pub struct Set {
    /// The name in the paper.
    pub name: String,
    /// The features, complete rows only.
    pub table: Table<'static>,
    /// The classes.
    pub target: Target,
    /// Training rows.
    pub train: usize,
    /// Test rows.
    pub test: usize,
}

/// The sets that are there, and a note about each that is not or does not fit. All features are
/// read as numbers, as the paper uses them; the first class is the one of the smaller label.
pub fn find(settings: &Settings) -> Result<(Vec<Set>, Vec<String>)> {
    let (mut sets, mut notes) = (Vec::new(), Vec::new());
    if settings.data.is_none() {
        return Ok((sets, notes));
    }
    for row in printed::table()?.into_iter().filter(|row| settings.wants_set(&row.name)) {
        let Some((table, classes)) = manifest::table(settings, &row.name, &mut notes)? else {
            continue;
        };
        let (table, target) = complete((table, Target::Classes(classes)));
        if table.rows() != row.train + row.test {
            notes.push(format!(
                "{}: there are {} complete rows and the paper used {}; left out",
                row.name,
                table.rows(),
                row.train + row.test
            ));
            continue;
        }
        sets.push(Set { name: row.name, table, target, train: row.train, test: row.test });
    }
    Ok((sets, notes))
}

/// The breast cancer data with its categories as such, missing cells and all.
pub fn breast_cancer(
    settings: &Settings,
    notes: &mut Vec<String>,
) -> Result<Option<(Table<'static>, Target)>> {
    let Some(path) = manifest::find(settings, "B.Cancer categories", notes)? else {
        return Ok(None);
    };
    let options = Options {
        target: TargetChoice::Column("class".into()),
        target_kind: TargetKind::Classes,
        discrete_limit: Some(usize::MAX),
        ..Options::default()
    };
    let loaded = nearkin_read::read(&path, &options)?;
    Ok(loaded.target.map(|target| (loaded.table, target)))
}

/// The rows without a missing cell.
fn complete((table, target): (Table<'static>, Target)) -> (Table<'static>, Target) {
    let known = |&row: &usize| !table.columns().iter().any(|column| column.is_missing(row));
    let rows: Vec<usize> = (0..table.rows()).filter(known).collect();
    (table.select_rows(&rows), target.select(&rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearkin::data::Column;

    #[test]
    fn rows_with_a_missing_cell_are_left_out() {
        let columns = vec![
            Column::numeric("x", vec![1.0, f64::NAN, 3.0]),
            Column::numeric("y", vec![1.0, 2.0, 3.0]),
        ];
        let table = Table::new(columns).unwrap();
        let (table, target) = complete((table, Target::classes(["a", "a", "b"])));
        assert_eq!((table.rows(), target), (2, Target::classes(["a", "b"])));
    }

    #[test]
    fn every_set_of_the_paper_is_in_the_manifest() {
        for row in printed::table().unwrap() {
            assert!(manifest::entries().iter().any(|entry| entry.name == row.name), "{}", row.name);
        }
    }
}
