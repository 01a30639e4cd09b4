//! The declarations before `@data`.

use std::collections::HashSet;

use super::scan::{Lines, Scan};
use crate::error::{Error, Result};

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
                let bad = |reason| Error::arff(file, line, reason);
                let (name, kind) = attribute(rest).map_err(bad)?;
                attributes.push(Attribute { name, kind, line });
            }
            "@data" if attributes.is_empty() => {
                return Err(Error::arff(file, line, "@data comes before any @attribute"));
            }
            "@data" => return Ok(attributes),
            _ => {
                let reason = format!(
                    "expected @relation, @attribute or @data, found `{}`",
                    crate::error::shown(text.as_bytes())
                );
                return Err(Error::arff(file, line, reason));
            }
        }
    }
    match lines.line {
        0 => Err(Error::Empty { file: file.to_owned() }),
        line => Err(Error::arff(file, line, "the file ends without @data and the rows below it")),
    }
}

fn attribute(text: &str) -> Result<(String, Kind), String> {
    let mut scan = Scan::new(text);
    let name = scan.value(|c| c.is_ascii_whitespace() || c == '{')?.into_owned();
    if name.is_empty() {
        return Err("@attribute needs a name and a type, such as `@attribute age numeric`".into());
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
            return Err(format!(
                "attribute `{name}` is relational; tables within tables are not read, \
                 flatten it first"
            ));
        }
        other => {
            return Err(format!(
                "attribute `{name}`: found the type `{other}`, expected numeric, real, integer or \
                 the values in braces"
            ));
        }
    };
    // Some programs note the range of a number in brackets.
    match scan.peek() {
        Some('[') => Ok((name, kind)),
        _ => finished(&scan).map(|()| (name, kind)),
    }
}

fn categories(scan: &mut Scan<'_>) -> Result<Vec<String>, String> {
    let mut categories: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    while !scan.skip('}') {
        let category = scan.value(|c| c == ',' || c == '}')?.trim().to_owned();
        if !seen.insert(category.clone()) {
            return Err(format!("the value `{category}` is declared twice; remove one"));
        }
        categories.push(category);
        if !scan.skip(',') && scan.peek() != Some('}') {
            return Err("the declared values are not closed; expected `,` or `}`".into());
        }
    }
    Ok(categories)
}

fn finished(scan: &Scan<'_>) -> Result<(), String> {
    match scan.is_done() {
        true => Ok(()),
        false => Err(format!("found `{}` after the attribute's type; remove it", scan.rest())),
    }
}
