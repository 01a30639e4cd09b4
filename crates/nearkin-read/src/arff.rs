//! Weka's attribute-relation files, dense and sparse.
//!
//! Nominal attributes keep the order of their declaration. A sparse row holds zero, or the first
//! declared value, for each attribute that it does not name.
//!
//! Lower bound: each byte is read once, as well as that of `columns` for each cell. Here a byte is
//! read about four times, in cache: for the line's end, as UTF-8, for the end of its value and as a
//! digit.
//! A sparse row fills all columns, as the table is dense; its values are copied and put in order.

mod declare;
mod scan;

use crate::cell::{Missing, trimmed};
use crate::columns::Builder;
use crate::error::{ArffError, ReadError, Result};
use crate::layout::{Layout, Role};
use crate::loaded::Content;
use crate::options::{Format, Options, TargetKind};
use crate::source::Source;

use declare::{Attribute, Kind};
use scan::{Lines, Scan};

/// Reads an ARFF file.
pub(crate) fn read(source: &mut Source<'_>, options: &Options) -> Result<Content> {
    let file = source.name.clone();
    let mut lines = Lines::new(&file, source.open()?, options.max_record_bytes);
    let attributes = declare::header(&file, &mut lines)?;
    let names: Vec<String> = attributes.iter().map(|a| a.name.clone()).collect();
    let layout = Layout::new(&file, &names, options)?;
    let builders = attributes.iter().zip(&layout.roles);
    let mut rows = Rows {
        file: &file,
        names: &names,
        missing: Missing::new(options),
        builders: builders
            .map(|(attribute, &role)| builder(&file, attribute, role, layout.kind))
            .collect::<Result<_>>()?,
        lines: Vec::new(),
        sparse: Vec::new(),
    };
    while let Some((line, text)) = lines.next()? {
        let text = text.trim();
        if text.is_empty() || text.starts_with('%') {
            continue;
        }
        match text.starts_with('{') {
            true => rows.push_sparse(line, text)?,
            false => rows.push_dense(line, text)?,
        }
        rows.lines.push(line);
    }
    if rows.lines.is_empty() {
        return Err(ReadError::NoRows { file: file.clone() });
    }
    let Rows { builders, lines, .. } = rows;
    let mut content = Content::new(Format::Arff, names.clone(), layout);
    content.finish(&file, builders, options)?;
    content.lines = lines;
    Ok(content)
}

/// An empty column for an attribute, unless its type is one that makes no column.
fn builder(file: &str, attribute: &Attribute, role: Role, kind: TargetKind) -> Result<Builder> {
    match &attribute.kind {
        Kind::Number if role == Role::Infer => Ok(Builder::new(Role::Numeric)),
        Kind::Number => Ok(Builder::new(role)),
        Kind::Nominal(categories) => Ok(Builder::declared(role, categories)),
        Kind::Other(_) if role == Role::Skip || role == Role::Nominal || role.is_id() => {
            Ok(Builder::new(role))
        }
        Kind::Other(_) if role == Role::Target && kind == TargetKind::Classes => {
            Ok(Builder::new(role))
        }
        Kind::Other(kind) => {
            let reason = ArffError::NoDistance { attribute: attribute.name.clone(), kind };
            Err(ReadError::arff(file, attribute.line, reason))
        }
    }
}

/// The columns in the making.
struct Rows<'a> {
    file: &'a str,
    names: &'a [String],
    missing: Missing,
    builders: Vec<Builder>,
    lines: Vec<u64>,
    sparse: Vec<(usize, String)>,
}

impl Rows<'_> {
    fn push(&mut self, at: usize, line: u64, cell: &str) -> Result<()> {
        let cell = trimmed(cell.as_bytes());
        let pushed = self.builders[at].push(cell, line, &self.missing);
        pushed.map_err(|fault| fault.at(self.file, line, &self.names[at], cell))
    }

    fn push_dense(&mut self, line: u64, text: &str) -> Result<()> {
        let width = self.names.len();
        let commas = text.contains(',') || width == 1;
        let mut scan = Scan::new(text);
        let mut found = 0;
        let bad = |reason| ReadError::arff(self.file, line, reason);
        loop {
            if scan.peek() == Some('{') {
                return Err(bad(ArffError::RowWeight));
            }
            let cell = scan.value(|c| c == ',' || (!commas && c.is_ascii_whitespace()));
            let cell = cell.map_err(bad)?;
            if found < width {
                self.push(found, line, &cell)?;
            }
            found += 1;
            let comma = scan.skip(',');
            if !comma && (commas || scan.is_done()) {
                break;
            }
        }
        if !scan.is_done() {
            return Err(bad(ArffError::NoComma { found: scan.rest() }));
        }
        if found != width {
            return Err(bad(ArffError::Ragged { found, expected: width }));
        }
        Ok(())
    }

    fn push_sparse(&mut self, line: u64, text: &str) -> Result<()> {
        let bad = |reason| ReadError::arff(self.file, line, reason);
        let mut pairs = std::mem::take(&mut self.sparse);
        pairs.clear();
        let mut scan = Scan::new(text);
        scan.skip('{');
        while !scan.skip('}') {
            let index = scan.value(|c| c.is_ascii_whitespace() || c == ',' || c == '}');
            let index = index.map_err(bad)?;
            let at = index.parse::<usize>().ok().filter(|&at| at < self.names.len());
            let Some(at) = at else {
                let last = self.names.len().saturating_sub(1);
                return Err(bad(ArffError::NoSuchAttribute { found: index.into_owned(), last }));
            };
            let value = scan.value(|c| c == ',' || c == '}').map_err(bad)?;
            pairs.push((at, value.into_owned()));
            if !scan.skip(',') && scan.peek() != Some('}') {
                return Err(bad(ArffError::OpenRow));
            }
        }
        if !scan.is_done() {
            return Err(bad(ArffError::AfterRow { found: scan.rest() }));
        }
        pairs.sort_by_key(|pair| pair.0);
        if let Some(twice) = pairs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let attribute = self.names[twice[0].0].clone();
            return Err(bad(ArffError::TwoValues { attribute }));
        }
        let mut told = pairs.iter().peekable();
        for at in 0..self.names.len() {
            if let Some((_, value)) = told.next_if(|pair| pair.0 == at) {
                self.push(at, line, value)?;
            } else if let Err(fault) = self.builders[at].push_default(&self.missing) {
                return Err(fault.at(self.file, line, &self.names[at], b"0"));
            }
        }
        self.sparse = pairs;
        Ok(())
    }
}
