//! The eight data sets, found among the tables of the data folder.

use std::path::{Path, PathBuf};

use nearkin::data::{Table, Target};
use nearkin_read::{Options, TargetChoice, TargetKind};

use super::printed;
use crate::commands::reproduce::settings::Settings;
use crate::failure::Result;

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

/// The paper's names and the tables they stand for. All features are read as numbers, as the
/// paper uses them; the first class is the one of the smaller label.
const FILES: [(&str, &str); 8] = [
    ("B.Cancer", "breast-cancer-ida.csv"),
    ("Diabetes", "pima.csv"),
    ("Heart", "heart-statlog.csv"),
    ("Splice", "splice-ida.csv"),
    ("Thyroid", "thyroid-ida.csv"),
    ("Breast-W", "breast-cancer-wisconsin.csv"),
    ("Bupa", "bupa.csv"),
    ("Pima", "pima.csv"),
];

fn path(settings: &Settings, file: &str) -> Option<PathBuf> {
    settings.data.as_ref().map(|folder| folder.join("tables").join(file)).filter(|p| p.is_file())
}

/// The sets that are there, and a note about each that is not or does not fit.
pub fn find(settings: &Settings) -> Result<(Vec<Set>, Vec<String>)> {
    let (mut sets, mut notes) = (Vec::new(), Vec::new());
    if settings.data.is_none() {
        return Ok((sets, notes));
    }
    for row in printed::table()? {
        let file = FILES.iter().find(|(name, _)| *name == row.name).map_or("", |(_, file)| file);
        let Some(path) = path(settings, file) else {
            notes.push(format!("{}: tables/{file} is not there; left out", row.name));
            continue;
        };
        let (table, target) = complete(read(&path, false)?);
        if table.rows() != row.train + row.test {
            notes.push(format!(
                "{}: tables/{file} has {} complete rows and the paper used {}; left out",
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
pub fn breast_cancer(settings: &Settings) -> Result<Option<(Table<'static>, Target)>> {
    path(settings, "breast-cancer.csv").map(|path| read(&path, true)).transpose()
}

fn read(path: &Path, nominal: bool) -> Result<(Table<'static>, Target)> {
    let options = Options {
        target: TargetChoice::Column("class".into()),
        target_kind: TargetKind::Classes,
        discrete_limit: nominal.then_some(usize::MAX),
        ..Options::default()
    };
    let loaded = nearkin_read::read(path, &options)?;
    let target = loaded.target.unwrap_or(Target::Real(Vec::new()));
    Ok((loaded.table, target))
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
    fn every_set_of_the_paper_has_a_file() {
        for row in printed::table().unwrap() {
            assert!(FILES.iter().any(|(name, _)| *name == row.name), "{}", row.name);
        }
    }
}
