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

/// Lines that search the text of an error or a note, under its own name or under one that a line
/// before gave to it.
fn readers(code: &str) -> Vec<&str> {
    let mut names: Vec<&str> = TEXTS.to_vec();
    let mut found = Vec::new();
    for line in lines(code) {
        if reads_text(line, &names) {
            found.push(line);
        }
        names.extend(given(line));
    }
    found
}

/// True where `line` searches one of the texts called so.
fn reads_text(line: &str, names: &[&str]) -> bool {
    SEARCHES.iter().any(|search| {
        let parts: Vec<&str> = line.split(&format!(".{search}(")).collect();
        let before = &parts[..parts.len() - 1];
        before.iter().any(|part| names.iter().any(|text| ends_in(part, text)))
    })
}

/// The names that `line` gives to the text of an error or a note: `let told = error.to_string();` in
/// Rust, `told = str(error)` in Python.
fn given(line: &str) -> Vec<&str> {
    let Some((names, value)) = line.split_once(" = ") else { return Vec::new() };
    let is_text = TEXTS.iter().any(|text| {
        let before = value.split(&format!("{text}.to_string()")).next().unwrap_or_default();
        let called = before.len() < value.len() && !before.ends_with(is_name);
        called || value.contains(&format!("str({text})"))
    });
    let words = names.split(|c: char| !is_name(c)).filter(|word| !word.is_empty());
    words.filter(|word| is_text && !["let", "mut", "Some", "Ok"].contains(word)).collect()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True where `part` ends in the whole word `text`.
fn ends_in(part: &str, text: &str) -> bool {
    let before = part.strip_suffix(text).map(|rest| rest.chars().next_back());
    before.is_some_and(|c| c.is_none_or(|c| !is_name(c)))
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
        found.extend(readers(code).into_iter().map(|line| format!("{path:?}: {line}")));
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
    let seen = |code: &str| !readers(code).is_empty();
    assert!(seen("if error.to_string().contains(\"x\") {"));
    assert!(seen("notes.iter().any(|note| note.starts_with(\"x\"))"));
    assert!(seen("let (told, at) = (error.to_string(), 1);\ntold.strip_prefix(\"x\")"));
    assert!(seen("told = str(reason)\nif told.startswith(\"x\"):"));
    assert!(!seen("let told = names.to_string();\ntold.contains(\"x\")"));
    assert!(!seen("names.contains(&note)"));
    assert!(!seen("footnote.contains(\"x\")"));
}
