//! No code reads the text of an error or a note, and the library names no flag of the program.
#![allow(clippy::unwrap_used)] // a test's helpers are tests

use std::fs;
use std::path::{Path, PathBuf};

/// Ways to search a text.
const SEARCHES: [&str; 9] = [
    "contains",
    "starts_with",
    "ends_with",
    "find",
    "strip_prefix",
    "strip_suffix",
    "split_once",
    "startswith",
    "endswith",
];

/// What errors, notes and their sentences are called, in Rust and in Python.
const TEXTS: [&str; 9] = [
    "to_string()",
    "str(error)",
    "error",
    "failure",
    "message",
    "note",
    "reason",
    "remark",
    "sentence",
];

/// Files that read the text of another library's errors, which have no kinds.
const FOREIGN: [&str; 1] = ["python/nearkin/_columns.py"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Every file under `folder` that ends so, with its text up to its tests.
fn files(folder: &Path, ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|e| e == ending) {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            found.push((path, code));
        }
    }
    found
}

/// Lines of code, without those that are all comment.
fn lines(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter(|line| !line.trim_start().starts_with(['#', '/']))
}

/// True where `line` searches the text of an error or a note.
fn reads_text(line: &str) -> bool {
    SEARCHES.iter().any(|search| {
        let parts: Vec<&str> = line.split(&format!(".{search}(")).collect();
        let before = &parts[..parts.len() - 1];
        before.iter().any(|part| TEXTS.iter().any(|text| ends_in(part, text)))
    })
}

/// True where `part` ends in the whole word `text`.
fn ends_in(part: &str, text: &str) -> bool {
    let before = part.strip_suffix(text).map(|rest| rest.chars().next_back());
    before.is_some_and(|c| c.is_none_or(|c| !c.is_alphanumeric() && c != '_'))
}

#[test]
fn no_code_reads_the_text_of_an_error_or_a_note() {
    let mut sources = Vec::new();
    for krate in fs::read_dir(workspace().join("crates")).unwrap() {
        sources.extend(files(&krate.unwrap().path().join("src"), "rs"));
    }
    sources.extend(files(&workspace().join("python/nearkin"), "py"));
    sources.retain(|(path, _)| !FOREIGN.iter().any(|foreign| path.ends_with(foreign)));
    let mut found = Vec::new();
    for (path, code) in &sources {
        found.extend(lines(code).filter(|l| reads_text(l)).map(|l| format!("{path:?}: {l}")));
    }
    assert!(sources.len() > 100 && found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_library_names_no_flag() {
    let mut found = Vec::new();
    for (path, code) in files(&workspace().join("crates/nearkin/src"), "rs") {
        for line in lines(&code) {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '-');
            let flag = |word: &str| {
                word.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic))
            };
            if words.into_iter().any(flag) {
                found.push(format!("{path:?}: {line}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_search_in_a_sentence_is_seen() {
    assert!(reads_text("if error.to_string().contains(\"x\") {"));
    assert!(reads_text("notes.iter().any(|note| note.starts_with(\"x\"))"));
    assert!(!reads_text("names.contains(&note)"));
    assert!(!reads_text("footnote.contains(\"x\")"));
}
