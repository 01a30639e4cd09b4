//! Delimited text: one pass over the rows, a second one only for columns that turned out to be
//! text after they began as numbers.
//!
//! Lower bound: that of `records` for every byte and of `columns` for each cell; every byte once
//! more where a column is read again. Each row's line number takes 8 bytes.

use crate::cell::{Missing, number, trimmed};
use crate::columns::{Builder, text};
use crate::doubts;
use crate::error::{OptionError, ReadError, Result};
use crate::layout::{Layout, Role};
use crate::loaded::Content;
use crate::options::{Format, Options};
use crate::records::{Record, Records};
use crate::sniff;
use crate::source::Source;

/// Bytes looked at to find the delimiter.
const SAMPLE: usize = 1 << 16;

/// Rows looked at to find the header, and the bytes after which no further row is.
const SAMPLE_ROWS: usize = 50;
const SAMPLE_BYTES: usize = 1 << 18;

/// The layout of the file, found or given.
struct Dialect {
    delimiter: u8,
    header: bool,
}

/// Reads delimited text.
pub(crate) fn read(source: &mut Source<'_>, options: &Options) -> Result<Content> {
    let file = source.name.clone();
    let missing = Missing::new(options);
    let dialect = dialect(source, options, &missing)?;

    let mut records = open(source, &file, &dialect, options)?;
    let first = records.next()?.ok_or_else(|| ReadError::Empty { file: file.clone() })?;
    let names = if dialect.header { header(&file, &first)? } else { numbered(first.len()) };
    let layout = Layout::new(&file, &names, options)?;
    let mut rows = Rows {
        file: &file,
        names: &names,
        missing: &missing,
        builders: layout.roles.iter().map(|&role| Builder::new(role)).collect(),
        lines: Vec::new(),
        commas: options.decimal_comma,
    };
    if !dialect.header {
        rows.push(&first)?;
    }
    rows.push_all(&mut records)?;
    drop(records);
    if rows.lines.is_empty() {
        return Err(ReadError::NoRows { file });
    }

    if rows.builders.iter().any(|builder| matches!(builder, Builder::Again)) {
        let mut records = open(source, &file, &dialect, options)?;
        if dialect.header {
            records.next()?;
        }
        rows.read_again(&mut records)?;
    }
    let Rows { builders, lines, .. } = rows;
    let mut content = Content::new(Format::Csv, names, layout);
    content.finish(&file, builders, options)?;
    content.notes.extend(doubts::about(&content, options));
    content.lines = lines;
    content.delimiter = Some(dialect.delimiter);
    content.header = Some(dialect.header);
    Ok(content)
}

fn open<'s>(
    source: &'s mut Source<'_>,
    file: &'s str,
    dialect: &Dialect,
    options: &Options,
) -> Result<Records<'s>> {
    let input = source.open()?;
    Ok(Records::new(file, input, dialect.delimiter, options.max_record_bytes))
}

/// The delimiter and the header, as given, else guessed from the first rows.
fn dialect(source: &mut Source<'_>, options: &Options, missing: &Missing) -> Result<Dialect> {
    let file = source.name.clone();
    let tabs = file.to_ascii_lowercase().trim_end_matches(".gz").ends_with(".tsv");
    let delimiter = match options.delimiter {
        Some(delimiter) => delimiter,
        None if tabs => b'\t',
        None => {
            let sample = source.start(SAMPLE)?;
            sniff::delimiter(&sample, sample.len() < SAMPLE)
        }
    };
    if delimiter == b',' && options.decimal_comma {
        let reason = OptionError::CommaParts;
        return Err(ReadError::Option { file, option: "decimal_comma", reason });
    }
    if delimiter == b'"' || delimiter == b'\n' || delimiter == b'\r' {
        let reason = OptionError::BadDelimiter;
        return Err(ReadError::Option { file, option: "delimiter", reason });
    }
    let dialect = Dialect { delimiter, header: options.header.unwrap_or(true) };
    if options.header.is_some() {
        return Ok(dialect);
    }
    let mut sample = Vec::new();
    let mut bytes = 0;
    let mut records = open(source, &file, &dialect, options)?;
    while sample.len() < 2 || (sample.len() < SAMPLE_ROWS && bytes < SAMPLE_BYTES) {
        let Some(record) = records.next()? else { break };
        let record = record.to_owned();
        bytes += record.bytes();
        sample.push(record);
    }
    let header = match sample.split_first() {
        Some((first, below)) => {
            let first: Vec<&[u8]> = first.cells().map(trimmed).collect();
            sniff::header(&first, below, missing)
        }
        None => return Err(ReadError::Empty { file: file.clone() }),
    };
    Ok(Dialect { delimiter, header })
}

/// The names in the first row; one without text is called by its position.
fn header(file: &str, first: &Record<'_>) -> Result<Vec<String>> {
    let name = |(at, cell): (usize, &[u8])| {
        let cell = trimmed(cell);
        let place = || format!("the name of column {at}");
        match text(cell) {
            Ok("") => Ok(format!("Unnamed: {at}")),
            Ok(name) => Ok(name.to_owned()),
            Err(fault) => Err(match fault.at(file, first.line, &place(), cell) {
                ReadError::Encoding { file, line, byte, at, .. } => {
                    ReadError::Encoding { file, line, byte, at, place: place() }
                }
                other => other,
            }),
        }
    };
    first.cells().enumerate().map(name).collect()
}

/// A number with a decimal comma, written with a point.
pub(crate) fn with_point(cell: &[u8]) -> Option<Vec<u8>> {
    let comma = cell.iter().position(|&byte| byte == b',')?;
    let mut cell = cell.to_vec();
    cell[comma] = b'.';
    number(&cell).map(|_| cell)
}

/// Names for columns that have none.
pub(crate) fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("x{at}")).collect()
}

/// The columns in the making.
struct Rows<'a> {
    file: &'a str,
    names: &'a [String],
    missing: &'a Missing,
    builders: Vec<Builder>,
    lines: Vec<u64>,
    /// Numbers are written with decimal commas.
    commas: bool,
}

impl Rows<'_> {
    fn push_all(&mut self, records: &mut Records<'_>) -> Result<()> {
        while let Some(record) = records.next()? {
            self.push(&record)?;
        }
        Ok(())
    }

    fn push(&mut self, record: &Record<'_>) -> Result<()> {
        let (expected, found, line) = (self.names.len(), record.len(), record.line);
        if found != expected {
            return Err(ReadError::Ragged { file: self.file.to_owned(), line, expected, found });
        }
        for (at, (builder, cell)) in self.builders.iter_mut().zip(record.cells()).enumerate() {
            let cell = trimmed(cell);
            let point = if self.commas { with_point(cell) } else { None };
            let cell = point.as_deref().unwrap_or(cell);
            if let Err(fault) = builder.push(cell, line, self.missing) {
                return Err(fault.at(self.file, line, &self.names[at], cell));
            }
        }
        self.lines.push(line);
        Ok(())
    }

    /// Reads the columns that ask for it as text, and nothing else.
    fn read_again(&mut self, records: &mut Records<'_>) -> Result<()> {
        let again = |builder: &Builder| match builder {
            Builder::Again => Builder::new(Role::Nominal),
            _ => Builder::new(Role::Skip),
        };
        let builders = self.builders.iter().map(again).collect();
        let mut second = Rows { builders, lines: Vec::new(), ..*self };
        second.push_all(records)?;
        for (first, second) in self.builders.iter_mut().zip(second.builders) {
            if matches!(first, Builder::Again) {
                *first = second;
            }
        }
        Ok(())
    }
}
