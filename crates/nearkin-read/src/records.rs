//! [`Records`]: the rows of delimited text, one at a time, no longer than allowed.
//!
//! Lower bound: each byte is read once, and written once where it belongs to a cell. Here `csv-core`
//! makes a look-up and a copy for each byte, and two more passes over each record, in cache, search
//! for line ends; with carriage returns byte by byte. Where blanks separate cells, a pass before
//! replaces each run of blanks by one.

use std::io::Read;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::error::{ReadError, Result};

const BUFFER: usize = 1 << 16;

/// Splits a stream into records of cells.
pub(crate) struct Records<'a> {
    file: &'a str,
    input: Box<dyn Read + 'a>,
    core: Reader,
    limit: usize,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    text: Vec<u8>,
    ends: Vec<usize>,
    /// Line ends passed so far, and whether the last byte was a carriage return.
    passed: u64,
    after_return: bool,
}

/// One record: its cells and the line where it begins.
pub(crate) struct Record<'r> {
    /// The line where it begins, counted from 1.
    pub line: u64,
    text: &'r [u8],
    ends: &'r [usize],
}

impl<'r> Record<'r> {
    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The cells in order.
    pub fn cells(&self) -> impl Iterator<Item = &'r [u8]> + use<'r> {
        cells(self.text, self.ends)
    }

    /// The record, kept.
    pub fn to_owned(&self) -> OwnedRecord {
        OwnedRecord { text: self.text.to_vec(), ends: self.ends.to_vec() }
    }

    /// True for a line that holds nothing but blanks.
    fn is_blank(&self) -> bool {
        self.ends.len() == 1 && !self.text.is_empty() && self.text.trim_ascii().is_empty()
    }
}

/// A record's cells, kept beyond the next record.
pub(crate) struct OwnedRecord {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl OwnedRecord {
    /// The cells in order.
    pub fn cells(&self) -> impl Iterator<Item = &[u8]> {
        cells(&self.text, &self.ends)
    }

    /// Bytes in all cells.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }
}

fn cells<'t>(text: &'t [u8], ends: &'t [usize]) -> impl Iterator<Item = &'t [u8]> {
    let mut from = 0;
    ends.iter().map(move |&end| {
        let cell = &text[from..end];
        from = end;
        cell
    })
}

impl<'a> Records<'a> {
    /// The records of `input`; a space as `delimiter` stands for any run of blanks.
    pub fn new(file: &'a str, input: Box<dyn Read + 'a>, delimiter: u8, limit: usize) -> Self {
        let input = match delimiter {
            b' ' => Box::new(Squeeze { input, state: Blank::LineStart, quoted: false }),
            _ => input,
        };
        Self {
            file,
            input,
            core: ReaderBuilder::new().delimiter(delimiter).build(),
            limit,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            ended: false,
            text: vec![0; BUFFER.min(limit.max(16))],
            ends: vec![0; 64],
            passed: 0,
            after_return: false,
        }
    }

    /// The next record; lines without anything on them are passed over.
    pub fn next(&mut self) -> Result<Option<Record<'_>>> {
        loop {
            let Some((line, text, ends)) = self.advance()? else { return Ok(None) };
            let record = Record { line, text: &self.text[..text], ends: &self.ends[..ends] };
            if !record.is_blank() {
                return Ok(Some(Record {
                    line,
                    text: &self.text[..text],
                    ends: &self.ends[..ends],
                }));
            }
        }
    }

    /// Reads a record into `text` and `ends`; returns its line and how much of both it fills.
    fn advance(&mut self) -> Result<Option<(u64, usize, usize)>> {
        let (mut text, mut ends) = (0, 0);
        let mut line = None;
        loop {
            if self.start == self.end && !self.ended {
                self.fill()?;
            }
            // At the end of the file one more line end either closes the last record or, inside
            // quotes, becomes a part of it: that is how an unclosed quote shows.
            let last = self.start == self.end;
            let chunk = if last { &b"\n"[..] } else { &self.buffer[self.start..self.end] };
            let (result, read, wrote, ended) =
                self.core.read_record(chunk, &mut self.text[text..], &mut self.ends[ends..]);
            text += wrote;
            ends += ended;
            if !last {
                self.count(read, &mut line);
                self.start += read;
            }
            let here = line.unwrap_or(self.passed + 1);
            match result {
                ReadRecordResult::Record => return Ok(Some((here, text, ends))),
                ReadRecordResult::End => return Ok(None),
                ReadRecordResult::InputEmpty if last && wrote > 0 => {
                    return Err(ReadError::UnclosedQuote {
                        file: self.file.to_owned(),
                        line: here,
                    });
                }
                ReadRecordResult::InputEmpty if last => return Ok(None),
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.grow(here)?,
                ReadRecordResult::OutputEndsFull => {
                    if ends >= self.limit {
                        return Err(self.too_long(here));
                    }
                    self.ends.resize(self.ends.len() * 2, 0);
                }
            }
        }
    }

    fn fill(&mut self) -> Result<()> {
        let count = loop {
            match self.input.read(&mut self.buffer) {
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                other => break other.map_err(|e| ReadError::io(self.file, e))?,
            }
        };
        (self.start, self.end, self.ended) = (0, count, count == 0);
        Ok(())
    }

    fn grow(&mut self, line: u64) -> Result<()> {
        if self.text.len() >= self.limit {
            return Err(self.too_long(line));
        }
        self.text.resize((self.text.len() * 2).min(self.limit), 0);
        Ok(())
    }

    fn too_long(&self, line: u64) -> ReadError {
        ReadError::LongRecord { file: self.file.to_owned(), line, limit: self.limit }
    }

    /// Counts the line ends of the next `read` bytes, and notes the line of the first other byte.
    fn count(&mut self, read: usize, line: &mut Option<u64>) {
        let mut bytes = &self.buffer[self.start..self.start + read];
        let returns = bytes.contains(&b'\r');
        while returns || line.is_none() || self.after_return {
            let Some((&byte, rest)) = bytes.split_first() else { return };
            match byte {
                b'\n' => self.passed += u64::from(!self.after_return),
                b'\r' => self.passed += 1,
                _ => *line = line.or(Some(self.passed + 1)),
            }
            self.after_return = byte == b'\r';
            bytes = rest;
        }
        self.passed += bytes.iter().filter(|&&b| b == b'\n').count() as u64;
    }
}

/// Turns each run of blanks into one space and drops those around a line.
struct Squeeze<R> {
    input: R,
    state: Blank,
    quoted: bool,
}

#[derive(PartialEq)]
enum Blank {
    LineStart,
    Text,
    Pending,
}

impl<R: Read> Read for Squeeze<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        // A space held back from the last call may come on top of what is read in this one.
        let mut chunk = vec![0; buffer.len().saturating_sub(1)];
        loop {
            let count = self.input.read(&mut chunk)?;
            let mut wrote = 0;
            let mut put = |byte: u8| {
                buffer[wrote] = byte;
                wrote += 1;
            };
            for &byte in &chunk[..count] {
                match byte {
                    b' ' | b'\t' if !self.quoted => {
                        if self.state == Blank::Text {
                            self.state = Blank::Pending;
                        }
                    }
                    b'\n' | b'\r' if !self.quoted => {
                        self.state = Blank::LineStart;
                        put(byte);
                    }
                    _ => {
                        if self.state == Blank::Pending {
                            put(b' ');
                        }
                        self.state = Blank::Text;
                        self.quoted ^= byte == b'"';
                        put(byte);
                    }
                }
            }
            if wrote > 0 || count == 0 {
                return Ok(wrote);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, delimiter: u8, limit: usize) -> Result<Vec<(u64, Vec<String>)>> {
        let mut records = Records::new("t", Box::new(text.as_bytes()), delimiter, limit);
        let mut found = Vec::new();
        while let Some(record) = records.next()? {
            let cells = record.cells().map(|c| String::from_utf8_lossy(c).into_owned());
            found.push((record.line, cells.collect()));
        }
        Ok(found)
    }

    #[test]
    fn each_record_knows_the_line_where_it_begins() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["a,b", "", "1,\"x", "y\"", "", "", "2,3", "  ", "4,5"].join(end);
            let lines: Vec<u64> = all(&text, b',', 99).unwrap().iter().map(|r| r.0).collect();
            assert_eq!(lines, [1, 3, 7, 9], "{end:?}");
        }
    }

    #[test]
    fn a_quote_left_open_is_told_from_a_last_line_without_end() {
        assert_eq!(all("a,\"b\"", b',', 99).unwrap()[0].1, ["a", "b"]);
        assert_eq!(all("a,b\n1,", b',', 99).unwrap()[1].1, ["1", ""]);
        assert!(matches!(all("a\n\"b", b',', 99), Err(ReadError::UnclosedQuote { line: 2, .. })));
        assert!(matches!(all("a\n\"", b',', 99), Err(ReadError::UnclosedQuote { line: 2, .. })));
    }

    #[test]
    fn an_endless_record_stops_at_the_limit() {
        for endless in [b'x', b',', b'"'] {
            let input = Box::new(std::io::repeat(endless));
            let mut records = Records::new("t", input, b',', 1 << 20);
            assert!(matches!(records.next(), Err(ReadError::LongRecord { line: 1, .. })));
        }
    }

    #[test]
    fn runs_of_blanks_are_one_delimiter() {
        let found = all("  1   2\t3 \n4 \"5  6\" 7", b' ', 99).unwrap();
        assert_eq!(found[0].1, ["1", "2", "3"]);
        assert_eq!(found[1].1, ["4", "5  6", "7"]);
    }
}
