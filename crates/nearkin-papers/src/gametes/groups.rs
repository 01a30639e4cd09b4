//! The groups of replicates, found and read.

use std::fs;
use std::path::{Path, PathBuf};

use nearkin::data::{Table, Target, bundled};
use nearkin_read::{Options, TargetChoice};

use super::super::settings::Settings;
use nearkin_cli::failure::{Failure, Result};

/// As scikit-rebate: columns of up to ten distinct values are categories.
const DISCRETE_LIMIT: usize = 10;
/// The bundled set of this sort, for when there is no folder.
const BUNDLED: &str = "epistasis";

/// The kind of a table, on which it depends where definitions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Two classes, categories only, nothing missing.
    Categories,
    /// Two classes, numbers only.
    Numbers,
    /// Two classes, categories and numbers.
    Mixed,
    /// Missing cells.
    Missing,
    /// More than two classes.
    Classes,
    /// A real target.
    Real,
}

/// A folder of replicates.
pub struct Group {
    pub name: String,
    files: Vec<File>,
}

/// One replicate.
pub struct File {
    pub replicate: String,
    path: PathBuf,
}

/// A replicate, read.
pub struct Sample {
    pub name: String,
    pub table: Table<'static>,
    pub target: Target,
    pub relevant: Vec<usize>,
    pub kind: Kind,
}

impl Group {
    /// The replicates, or the first few.
    pub fn files(&self, most: Option<usize>) -> impl Iterator<Item = &File> {
        self.files.iter().take(most.unwrap_or(usize::MAX))
    }
}

/// Groups in the folder `gametes`, or the bundled set with a note.
pub fn find(settings: &Settings) -> Result<(Vec<Group>, Vec<String>)> {
    let folder = settings.data.as_ref().map(|data| data.join("gametes"));
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        let file = File { replicate: "01".into(), path: format!("@{BUNDLED}").into() };
        let note = "no folder `gametes` was found, so only a bundled table was tried; name its \
                    parent by --data or NEARKIN_DATA";
        let group = Group { name: format!("@{BUNDLED}"), files: vec![file] };
        return Ok((vec![group], vec![note.into()]));
    };
    let mut groups = Vec::new();
    for group in entries(&folder)?.into_iter().filter(|path| path.is_dir()) {
        let files: Vec<File> = entries(&group)?.into_iter().filter_map(File::of).collect();
        if !files.is_empty() {
            groups.push(Group { name: file_name(&group), files });
        }
    }
    Ok((groups, Vec::new()))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error| Failure::System(format!("{}: cannot be read: {error}", folder.display()));
    let found = fs::read_dir(folder).map_err(failed)?;
    let mut paths = Vec::new();
    for entry in found {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl File {
    fn of(path: PathBuf) -> Option<Self> {
        let name = file_name(&path);
        let replicate = name.strip_suffix(".csv.gz").or(name.strip_suffix(".csv"))?.to_owned();
        Some(Self { replicate, path })
    }

    /// The replicate, unless it has more cells than wanted or nothing to tell apart.
    pub fn read(&self, most: Option<usize>) -> Result<Option<Sample>> {
        let (table, target) = match self.path.to_str().and_then(|path| path.strip_prefix('@')) {
            Some(name) => bundled::load(name)?,
            None => self.load()?,
        };
        if most.is_some_and(|most| table.rows() * table.columns().len() > most) {
            return Ok(None);
        }
        let names: Vec<&str> = table.names().collect();
        let relevant = relevant(&names);
        let kind = kind(&table, &target);
        let name = self.path.display().to_string();
        Ok(Some(Sample { name, relevant, kind, table, target }))
    }

    fn load(&self) -> Result<(Table<'static>, Target)> {
        let options = Options {
            header: Some(true),
            target: TargetChoice::Column("-1".into()),
            discrete_limit: Some(DISCRETE_LIMIT),
            ..Options::default()
        };
        let loaded = nearkin_read::read(&self.path, &options)?;
        match loaded.target {
            Some(target) => Ok((loaded.table, target)),
            None => Err(Failure::Input(format!("{}: there is no target", self.path.display()))),
        }
    }
}

/// Columns not named `N<number>`; where that is all of them, those named `A_…`.
fn relevant(names: &[&str]) -> Vec<usize> {
    let noise = |name: &str| {
        name.strip_prefix('N').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
    };
    let of = |wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..names.len()).filter(|&at| wanted(names[at])).collect()
    };
    let found = of(&|name| !noise(name));
    if found.len() < names.len() { found } else { of(&|name| name.starts_with("A_")) }
}

fn kind(table: &Table, target: &Target) -> Kind {
    let nominal = table.columns().iter().filter(|column| column.is_nominal()).count();
    match target {
        Target::Real(_) => Kind::Real,
        _ if table.has_missing() => Kind::Missing,
        Target::Classes(classes) if classes.len() > 2 => Kind::Classes,
        _ if nominal == table.columns().len() => Kind::Categories,
        _ if nominal == 0 => Kind::Numbers,
        _ => Kind::Mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_called_n_and_a_number() {
        assert_eq!(relevant(&["N0", "M0P0", "N12", "Nose"]), [1, 3]);
        assert_eq!(relevant(&["A_0", "R_0", "R_1"]), [0]);
    }
}
