//! Comma-separated values: cells, numbers and whole tables.
//!
//! The writer of the crate `csv` is not used: it does not quote cells that begin or end with blanks,
//! which some readers trim.

use std::borrow::Cow;
use std::io::{self, Write};

use nearkin::data::{Column, ColumnValues, MISSING, Table, Target};
use serde_json::Value;

/// A text as a cell, in quotes where its content asks for them.
pub fn cell(text: &str) -> Cow<'_, str> {
    let blank = text.trim() != text;
    match blank || text.contains(['"', ',', '\n', '\r']) {
        true => Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))),
        false => Cow::Borrowed(text),
    }
}

/// The shortest text that reads back as the same number.
pub fn number(value: f64) -> String {
    match value.abs() {
        size if size != 0.0 && !(1e-5..1e16).contains(&size) => format!("{value:e}"),
        _ => value.to_string(),
    }
}

/// A JSON value as a cell; null is empty.
pub fn value(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => cell(text).into_owned(),
        Value::Number(n) if n.is_f64() => number(n.as_f64().unwrap_or(f64::NAN)),
        other => other.to_string(),
    }
}

/// A table with its target as the last column, missing cells empty.
pub fn table(out: &mut dyn Write, table: &Table, target: &Target, name: &str) -> io::Result<()> {
    for column in table.names() {
        write!(out, "{},", cell(column))?;
    }
    writeln!(out, "{}", cell(name))?;
    for row in 0..table.rows() {
        for column in table.columns() {
            cell_of(out, column, row)?;
            out.write_all(b",")?;
        }
        match target {
            Target::Classes(classes) => {
                let code = classes.codes()[row] as usize;
                writeln!(out, "{}", cell(&classes.names()[code]))?;
            }
            Target::Real(values) => writeln!(out, "{}", number(values[row]))?,
        }
    }
    Ok(())
}

fn cell_of(out: &mut dyn Write, column: &Column, row: usize) -> io::Result<()> {
    if column.is_missing(row) {
        return Ok(());
    }
    match &column.values {
        ColumnValues::F64(lane) => write!(out, "{}", number(lane.at(row))),
        ColumnValues::F32(lane) => write!(out, "{}", lane.at(row)),
        ColumnValues::Nominal { codes, categories } => match codes[row] {
            MISSING => Ok(()),
            code => write!(out, "{}", cell(&categories[usize::from(code)])),
        },
        ColumnValues::Genotype(cells) => {
            cells.at(row).map_or(Ok(()), |copies| write!(out, "{copies}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_break_a_row_are_quoted() {
        assert_eq!(cell("plain"), "plain");
        assert_eq!(cell("a,b"), "\"a,b\"");
        assert_eq!(cell("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(cell(" x"), "\" x\"");
    }

    #[test]
    fn a_number_reads_back_as_itself() {
        for value in [0.0, 1.0, -0.1, 1.0 / 3.0, 1e-300, f64::MAX, 5e-324, 123456.75] {
            assert_eq!(number(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
        assert_eq!(number(5.0), "5");
        assert!(number(f64::MAX).len() < 30);
    }
}
