//! [`Subject`]: the table a report is about, and parts of it that are small enough.

use nearkin::Run;
use nearkin::data::{Classes, Holdout, Table, Target};

use super::listed;
use crate::failure::{Failure, Result};

/// The subject of a report.
pub struct Subject<'a> {
    /// The table as the user named it.
    pub name: &'a str,
    /// Its features.
    pub table: &'a Table<'a>,
    /// The target.
    pub target: &'a Target,
    /// The target's name.
    pub target_name: &'a str,
    /// Columns that association is adjusted for; they are no features.
    pub covariates: Option<&'a Table<'a>>,
    /// The stratum of each row.
    pub strata: Option<&'a [u32]>,
    /// The seed of every random choice.
    pub seed: u64,
    /// Threads and progress.
    pub run: &'a Run<'a>,
}

/// Rows drawn from a table.
pub struct Drawn {
    /// Their numbers in the table, ascending.
    pub rows: Vec<usize>,
    /// The features.
    pub table: Table<'static>,
    /// The target.
    pub target: Target,
    /// A note, where rows were left out.
    pub note: Option<String>,
}

impl Drawn {
    /// The classes, where the target has any.
    pub fn classes(&self) -> Option<&Classes> {
        match &self.target {
            Target::Classes(classes) => Some(classes),
            Target::Real(_) => None,
        }
    }
}

impl Subject<'_> {
    /// The classes, where the target has any.
    pub fn classes(&self) -> Option<&Classes> {
        match self.target {
            Target::Classes(classes) => Some(classes),
            Target::Real(_) => None,
        }
    }

    /// What association is adjusted for, in words: `for age and sex, within strata`.
    pub fn adjusted(&self) -> Option<String> {
        let names = self.covariates.map(|covariates| {
            let names: Vec<String> = covariates.names().map(|name| format!("`{name}`")).collect();
            format!("for {}", listed(&names))
        });
        let strata = self.strata.map(|_| "within strata".to_owned());
        let words: Vec<String> = names.into_iter().chain(strata).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// At most `most` rows, each class by its share.
    pub fn drawn(&self, most: usize) -> Result<Drawn> {
        let all = self.table.rows();
        let rows = match all > most {
            false => (0..all).collect(),
            true => {
                let (train, test) = (most, all - most);
                let holdout = Holdout { train, test, stratified: true, seed: self.seed };
                holdout.split(self.target, 0).map_err(Failure::from)?.train
            }
        };
        let note = (all > most).then(|| {
            format!(
                "This part looks at {most} of the {all} rows, drawn with seed {}, so that it takes \
                 seconds rather than hours.",
                self.seed
            )
        });
        let table = self.table.select_rows(&rows);
        Ok(Drawn { table, target: self.target.select(&rows), rows, note })
    }
}
