//! The declarations before `@data`.

use std::collections::HashSet;

use super::scan::{Lines, Scan};
use crate::error::{ArffError, ReadError, Result, shown};

/// A declared column.
pub(super) struct Attribute {
    pub name: String,
    pub kind: Kind,
    /// The line of the declaration.
    pub line: u64,
}

/// A declared type.
pub(super) enum Kind {
    /// numeric, real or integer.
    Number,
    /// Categories in their declared order.
    Nominal(Vec<String>),
    /// string or date.
    Other(&'static str),
}

/// Reads up to `@data`.
pub(super) fn header(file: &str, lines: &mut Lines<'_>) -> Result<Vec<Attribute>> {
    let mut attributes = Vec::new();
    while let Some((line, text)) = lines.next()? {
        let text = text.trim();
        if text.is_empty() || text.starts_with('%') {
            continue;
        }
        let (keyword, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        match keyword.to_ascii_lowercase().as_str() {
            "@relation" => {}
            "@attribute" => {
                let bad = |reason| ReadError::arff(file, line, reason);
                let (name, kind) = attribute(rest).map_err(bad)?;
                attributes.push(Attribute { name, kind, line });
            }
            "@data" if attributes.is_empty() => {
                return Err(ReadError::arff(file, line, ArffError::NoAttributes));
            }
            "@data" => return Ok(attributes),
            _ => {
                let reason = ArffError::NotADeclaration { found: shown(text.as_bytes()) };
                return Err(ReadError::arff(file, line, reason));
            }
        }
    }
    match lines.line {
        0 => Err(ReadError::Empty { file: file.to_owned() }),
        line => Err(ReadError::arff(file, line, ArffError::NoData)),
    }
}

fn attribute(text: &str) -> Result<(String, Kind), ArffError> {
    let mut scan = Scan::new(text);
    let name = scan.value(|c| c.is_ascii_whitespace() || c == '{')?.into_owned();
    if name.is_empty() {
        return Err(ArffError::Unnamed);
    }
    if scan.skip('{') {
        let categories = categories(&mut scan)?;
        return finished(&scan).map(|()| (name, Kind::Nominal(categories)));
    }
    let kind = scan.value(|c| c.is_ascii_whitespace() || c == '[' || c == '{')?;
    let kind = match kind.to_ascii_lowercase().as_str() {
        "numeric" | "real" | "integer" => Kind::Number,
        "string" => Kind::Other("string"),
        // A date may be followed by its pattern.
        "date" => return Ok((name, Kind::Other("date"))),
        "relational" => {
            return Err(ArffError::Relational { attribute: name });
        }
        other => {
            let found = other.to_owned();
            return Err(ArffError::UnknownType { attribute: name, found });
        }
    };
    // Some programs note the range of a number in brackets.
    match scan.peek() {
        Some('[') => Ok((name, kind)),
        _ => finished(&scan).map(|()| (name, kind)),
    }
}

fn categories(scan: &mut Scan<'_>) -> Result<Vec<String>, ArffError> {
    let mut categories: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    while !scan.skip('}') {
        let category = scan.value(|c| c == ',' || c == '}')?.trim().to_owned();
        if !seen.insert(category.clone()) {
            return Err(ArffError::DeclaredTwice { value: category });
        }
        categories.push(category);
        if !scan.skip(',') && scan.peek() != Some('}') {
            return Err(ArffError::OpenDeclaration);
        }
    }
    Ok(categories)
}

fn finished(scan: &Scan<'_>) -> Result<(), ArffError> {
    match scan.is_done() {
        true => Ok(()),
        false => Err(ArffError::AfterType { found: scan.rest() }),
    }
}
