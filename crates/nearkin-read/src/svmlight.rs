//! svmlight text: sparse rows of numbers, a target before each.
//!
//! ```text
//! target [qid:number] column:value column:value …  # comment
//! ```
//!
//! Columns are counted from 1, as LIBSVM and svmlight write them, unless one is called 0: then
//! all are counted from 0. They increase within a row. A value that is not written is 0.
//!
//! Lower bound: each byte is read once, as for a number in `columns`, and 12 bytes are written for
//! each cell. Here a byte is read about five times, in cache: for the line's end, a comment, blanks,
//! the colon and digits. At the end the columns are read four more times, 4 bytes each, and the
//! values once.

use std::io::{BufRead, BufReader};
use std::path::Path;

use nearkin::data::{Sparse, Target};

use crate::cell::{Missing, number};
use crate::error::{CellError, ReadError, Result, SvmlightError, shown};
use crate::options::{Options, TargetKind};
use crate::source::Source;
use crate::target::TargetBuilder;

/// The content of an svmlight file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LoadedSparse {
    /// The rows; columns are named by the number the file gives them.
    pub rows: Sparse,
    /// The number or the text before each row.
    pub target: Target,
}

/// Reads the svmlight file at `path`, packed by gzip or not.
///
/// Of the options, `target_kind` is heeded and `max_record_bytes` bounds a line.
///
/// # Errors
/// When the file cannot be read, or a line of it: which one, and why.
pub fn read_svmlight(path: &Path, options: &Options) -> Result<LoadedSparse> {
    load(&mut Source::file(path)?, options)
}

/// Reads svmlight text in memory under a name that stands in messages.
///
/// ```
/// use nearkin_read::{Options, read_svmlight_bytes};
///
/// let loaded = read_svmlight_bytes(b"1 1:0.5 3:2\n-1 2:1 # note\n", "t.svm", &Options::default())?;
/// assert_eq!(loaded.rows.columns(), 3);
/// assert_eq!(loaded.rows.row(0), (&[0, 2][..], &[0.5, 2.0][..]));
/// # Ok::<(), nearkin_read::ReadError>(())
/// ```
///
/// # Errors
/// As [`read_svmlight`].
pub fn read_svmlight_bytes(bytes: &[u8], name: &str, options: &Options) -> Result<LoadedSparse> {
    load(&mut Source::slice(bytes, name), options)
}

fn load(source: &mut Source<'_>, options: &Options) -> Result<LoadedSparse> {
    let file = source.name.clone();
    let mut input = BufReader::with_capacity(1 << 17, source.open()?);
    let mut cells = Cells::new(&file, options);
    let (mut line, mut at) = (Vec::new(), 0);
    loop {
        line.clear();
        let limit = options.max_record_bytes as u64;
        let read = std::io::Read::take(&mut input, limit + 1).read_until(b'\n', &mut line);
        if read.map_err(|e| ReadError::io(&file, e))? == 0 {
            break;
        }
        at += 1;
        if line.len() as u64 > limit {
            return Err(ReadError::LongRecord { file, line: at, limit: options.max_record_bytes });
        }
        cells.push(&line, at)?;
    }
    cells.finish(options.target_kind)
}

/// Rows in the making.
struct Cells<'a> {
    file: &'a str,
    missing: Missing,
    target: TargetBuilder,
    lines: Vec<u64>,
    starts: Vec<usize>,
    /// Columns as the file counts them.
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl<'a> Cells<'a> {
    fn new(file: &'a str, options: &Options) -> Self {
        Self {
            file,
            missing: Missing::new(options),
            target: TargetBuilder::default(),
            lines: Vec::new(),
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
        }
    }

    fn bad(&self, line: u64, reason: SvmlightError) -> ReadError {
        ReadError::Svmlight { file: self.file.to_owned(), line, reason }
    }

    /// Adds a line; one that is blank or all comment is none.
    fn push(&mut self, line: &[u8], at: u64) -> Result<()> {
        let text = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let Some(target) = words.next() else { return Ok(()) };
        if target.contains(&b':') {
            return Err(self.bad(at, SvmlightError::NoTarget { found: shown(target) }));
        }
        let fault = |fault: crate::columns::Fault| fault.at(self.file, at, "target", target);
        self.target.push(target, &self.missing).map_err(fault)?;
        if let Some(found) = self.target.missing(self.lines.len()) {
            let (file, column) = (self.file.to_owned(), "target".to_owned());
            let reason = CellError::MissingTarget { found: found.to_owned() };
            return Err(ReadError::Cell { file, line: at, column, reason });
        }
        let first = self.columns.len();
        for word in words {
            if word.starts_with(b"qid:") {
                continue;
            }
            let (column, value) = self.cell(word, at)?;
            if let Some(&before) = self.columns[first..].last()
                && before >= column
            {
                return Err(self.bad(at, SvmlightError::NotRising { column, before }));
            }
            self.columns.push(column);
            self.values.push(value);
        }
        self.lines.push(at);
        self.starts.push(self.columns.len());
        Ok(())
    }

    fn cell(&self, word: &[u8], at: u64) -> Result<(u32, f64)> {
        let found = || shown(word);
        let colon = word.iter().position(|&byte| byte == b':');
        let colon = colon.ok_or_else(|| self.bad(at, SvmlightError::NoColon { found: found() }))?;
        let (column, value) = word.split_at(colon);
        let column = std::str::from_utf8(column).ok().and_then(|text| text.parse().ok());
        let column = column.filter(|&column: &u32| column < u32::MAX);
        let column =
            column.ok_or_else(|| self.bad(at, SvmlightError::NoColumn { found: found() }))?;
        match number(&value[1..]) {
            Some(value) if value.is_finite() => Ok((column, value)),
            _ => Err(self.bad(at, SvmlightError::NoNumber { found: found() })),
        }
    }

    fn finish(mut self, kind: TargetKind) -> Result<LoadedSparse> {
        let file = self.file;
        if self.lines.is_empty() {
            return Err(ReadError::Empty { file: file.to_owned() });
        }
        let from = u32::from(!self.columns.contains(&0));
        let last = self.columns.iter().max().copied().unwrap_or(from);
        self.columns.iter_mut().for_each(|column| *column -= from);
        let names = (from..=last).map(|column| column.to_string()).collect();
        let lines = self.lines;
        let rows: Vec<usize> = (0..lines.len()).collect();
        let target = self.target.finish(kind, &rows).map_err(|(row, found, fault)| {
            fault.at(file, lines[row], "target", found.as_bytes())
        })?;
        let rows = Sparse::new(names, self.starts, self.columns, self.values);
        Ok(LoadedSparse { rows: rows.map_err(|e| ReadError::table(file, e))?, target })
    }
}
