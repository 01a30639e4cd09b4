//! The data of the papers: one list of files with their checksums, sizes and preparation, and
//! the one place where they are read.

use std::path::PathBuf;

use nearkin::data::{Classes, SimilarityMatrix, Table, Target, bundled};
use nearkin_read::{Options, TargetChoice, TargetKind};

use super::printed::cells;
use super::settings::Settings;
use nearkin_cli::contents;
use nearkin_cli::failure::{Failure, Result};

const MANIFEST: &str = include_str!("../data/manifest.csv");

/// A file of the manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its name in the papers.
    pub name: String,
    /// Its place in the data folder.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// How it is prepared.
    pub preparation: String,
}

/// Every file.
pub fn entries() -> Vec<Entry> {
    let rows = MANIFEST.lines().skip(1).map(cells);
    let cell = |row: &[String], at: usize| row.get(at).cloned().unwrap_or_default();
    rows.map(|row| Entry {
        name: cell(&row, 0),
        file: cell(&row, 1),
        sha256: cell(&row, 2),
        preparation: cell(&row, 6),
    })
    .collect()
}

fn entry(name: &str) -> Result<Entry> {
    entries()
        .into_iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| Failure::System(format!("`{name}` is not in the manifest of data")))
}

/// The file called `name`, if it is there; a note is added when it is another than expected.
pub fn find(settings: &Settings, name: &str, notes: &mut Vec<String>) -> Result<Option<PathBuf>> {
    let entry = entry(name)?;
    let Some(folder) = &settings.data else { return Ok(None) };
    let path = folder.join(&entry.file);
    let Ok(bytes) = std::fs::read(&path) else {
        notes.push(format!("{name}: {} is not there; left out", entry.file));
        return Ok(None);
    };
    if contents::digest(&bytes) != entry.sha256 {
        notes.push(format!(
            "{name}: {} is another file than the one these experiments were made with (its \
             checksum differs); figures may differ too",
            entry.file
        ));
    }
    Ok(Some(path))
}

/// A table of numbers and its classes: from the data folder, or from the bundled sets where one
/// has its name.
pub fn table(
    settings: &Settings,
    name: &str,
    notes: &mut Vec<String>,
) -> Result<Option<(Table<'static>, Classes)>> {
    let loaded = match find(settings, name, notes)? {
        Some(path) => {
            let options = Options {
                target: TargetChoice::Column("class".into()),
                target_kind: TargetKind::Classes,
                ..Options::default()
            };
            let loaded = nearkin_read::read(&path, &options)?;
            loaded.target.map(|target| (loaded.table, target))
        }
        None => {
            let known = match name {
                "Balance" => "balance-scale".to_owned(),
                name => name.to_lowercase(),
            };
            let one = bundled::bundled().iter().find(|one| one.name == known);
            if one.is_some() {
                notes.push(format!("{name}: run on the bundled set @{known}"));
            }
            one.map(|one| one.load()).transpose()?
        }
    };
    Ok(match loaded {
        Some((table, Target::Classes(classes))) => Some((table, classes)),
        _ => None,
    })
}

/// A square matrix of numbers without a head, and its labels, one a line.
pub fn similarities(
    settings: &Settings,
    (matrix, labels): (&str, &str),
    negative: bool,
    notes: &mut Vec<String>,
) -> Result<Option<(SimilarityMatrix<'static>, Classes)>> {
    let (Some(matrix), Some(labels)) =
        (find(settings, matrix, notes)?, find(settings, labels, notes)?)
    else {
        return Ok(None);
    };
    let read = |path: &PathBuf| {
        std::fs::read_to_string(path)
            .map_err(|error| Failure::System(format!("{}: {error}", path.display())))
    };
    let labels = read(&labels)?;
    let labels: Vec<&str> = labels.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let text = read(&matrix)?;
    let values = text.split([',', '\n', '\r']).map(str::trim).filter(|cell| !cell.is_empty());
    let values: Option<Vec<f64>> = values.map(|cell| cell.parse().ok()).collect();
    let values = values
        .ok_or_else(|| Failure::Input(format!("{}: a cell is no number", matrix.display())))?;
    let n = labels.len();
    let s = match negative {
        true => SimilarityMatrix::from_dissimilarities(n, n, values)?,
        false => SimilarityMatrix::new(n, n, values)?,
    };
    Ok(Some((s, Classes::from_labels(&labels))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_name_of_its_own_and_a_checksum() {
        let all = entries();
        assert_eq!(all.len(), 29);
        for entry in &all {
            assert_eq!(entry.sha256.len(), 64, "{}", entry.name);
            assert_eq!(all.iter().filter(|other| other.name == entry.name).count(), 1);
            assert!(!entry.preparation.is_empty() && entry.file.contains('/'));
        }
    }
}
