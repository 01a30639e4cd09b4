//! How a report was made: the command, version, seed and checksums.

use std::path::Path;

use crate::failure::{Failure, Result};
use crate::{contents, csv, input};

/// The lines at the foot of the page; `sums` are the checksums of the files read.
pub fn list(seed: u64, sums: impl IntoIterator<Item = (String, String)>) -> Vec<(String, String)> {
    let words: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
    let mut made = vec![
        ("Command".to_owned(), format!("nearkin {}", words.join(" "))),
        ("Version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("Seed".to_owned(), seed.to_string()),
    ];
    made.extend(sums);
    made
}

/// The sum of a table's file, or of what `nearkin data` prints of a bundled set; none of what
/// came through a pipe.
pub fn sum_of_table(name: &str) -> Result<Option<(String, String)>> {
    let what = "SHA-256 of the data".to_owned();
    if let Some(bundled) = name.strip_prefix('@') {
        let (table, target) = nearkin::data::bundled::load(bundled)?;
        let mut bytes = Vec::new();
        csv::table(&mut bytes, &table, &target, input::BUNDLED_TARGET)
            .map_err(|error| Failure::writing(name, &error))?;
        return Ok(Some((what, contents::digest(&bytes))));
    }
    if name == "-" {
        return Ok(None);
    }
    Ok(Some((what, of_file(Path::new(name))?)))
}

/// The sum of a file, under its name.
pub fn sum_of_file(path: &Path) -> Result<(String, String)> {
    Ok((format!("SHA-256 of {}", path.display()), of_file(path)?))
}

fn of_file(path: &Path) -> Result<String> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(contents::digest(&bytes)),
        Err(error) => Err(Failure::System(format!("{}: {error}", path.display()))),
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "@._-/=:,+%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
