//! Lines and the values on them, quoted or not.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};

use crate::error::{ArffError, ReadError, Result, shown};

/// The lines of a text, none longer than allowed.
pub(super) struct Lines<'a> {
    file: &'a str,
    input: BufReader<Box<dyn Read + 'a>>,
    limit: usize,
    buffer: Vec<u8>,
    /// The line read last, counted from 1.
    pub line: u64,
}

impl<'a> Lines<'a> {
    pub fn new(file: &'a str, input: Box<dyn Read + 'a>, limit: usize) -> Self {
        let input = BufReader::with_capacity(1 << 16, input);
        Self { file, input, limit, buffer: Vec::new(), line: 0 }
    }

    /// The next line and its number.
    pub fn next(&mut self) -> Result<Option<(u64, &str)>> {
        self.buffer.clear();
        let mut input = (&mut self.input).take(self.limit as u64 + 1);
        let count = input.read_until(b'\n', &mut self.buffer);
        if count.map_err(|e| ReadError::io(self.file, e))? == 0 {
            return Ok(None);
        }
        self.line += 1;
        let (file, line, limit) = (self.file.to_owned(), self.line, self.limit);
        if self.buffer.len() > limit {
            return Err(ReadError::LongRecord { file, line, limit });
        }
        match std::str::from_utf8(&self.buffer) {
            Ok(text) => Ok(Some((line, text))),
            Err(e) => {
                let at = e.valid_up_to();
                let (byte, place) = (self.buffer[at], "the line".to_owned());
                Err(ReadError::Encoding { file, line, byte, at, place })
            }
        }
    }
}

/// A walk along one line.
pub(super) struct Scan<'a> {
    text: &'a str,
}

impl<'a> Scan<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text: text.trim() }
    }

    /// The next character that is not blank.
    pub fn peek(&self) -> Option<char> {
        self.text.chars().next()
    }

    /// Steps over `wanted` and the blanks after it, if it comes next.
    pub fn skip(&mut self, wanted: char) -> bool {
        match self.text.strip_prefix(wanted) {
            Some(rest) => {
                self.text = rest.trim_start();
                true
            }
            None => false,
        }
    }

    /// True at the end of the line or before a comment.
    pub fn is_done(&self) -> bool {
        self.text.is_empty() || self.text.starts_with('%')
    }

    /// The rest of the line, short enough for a message.
    pub fn rest(&self) -> String {
        shown(self.text.as_bytes())
    }

    /// The next value: quoted, or up to where `stops` holds or a comment begins.
    pub fn value(&mut self, stops: impl Fn(char) -> bool) -> Result<Cow<'a, str>, ArffError> {
        if let Some(quote @ ('\'' | '"')) = self.peek() {
            return self.quoted(quote).map(Cow::Owned);
        }
        let mut blank = true;
        let end = self.text.char_indices().find(|&(_, c)| {
            let comment = blank && c == '%';
            blank = c.is_ascii_whitespace();
            comment || stops(c)
        });
        let (value, rest) = self.text.split_at(end.map_or(self.text.len(), |(at, _)| at));
        self.text = rest.trim_start();
        Ok(Cow::Borrowed(value.trim()))
    }

    fn quoted(&mut self, quote: char) -> Result<String, ArffError> {
        let mut value = String::new();
        let mut rest = self.text.char_indices().skip(1);
        while let Some((at, c)) = rest.next() {
            match c {
                '\\' => match rest.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, 't')) => value.push('\t'),
                    Some((_, 'r')) => value.push('\r'),
                    Some((_, other)) => value.push(other),
                    None => break,
                },
                c if c == quote => {
                    self.text = self.text[at + c.len_utf8()..].trim_start();
                    return Ok(value);
                }
                c => value.push(c),
            }
        }
        Err(ArffError::OpenQuote { before: shown(&self.text.as_bytes()[1..]) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas_blanks_and_escaped_quotes() {
        let mut scan = Scan::new(r#"'a, \'b\'' , "c d",plain % comment"#);
        let mut next = || {
            let value = scan.value(|c| c == ',').unwrap().into_owned();
            scan.skip(',');
            value
        };
        assert_eq!([next(), next(), next()], ["a, 'b'", "c d", "plain"]);
        assert!(scan.is_done());
        assert!(Scan::new("'open").value(|_| false).is_err());
        assert!(Scan::new("'open\\").value(|_| false).is_err());
    }

    #[test]
    fn an_endless_line_stops_at_the_limit() {
        let mut lines = Lines::new("f", Box::new(std::io::repeat(b'x')), 1000);
        assert!(matches!(lines.next(), Err(ReadError::LongRecord { line: 1, limit: 1000, .. })));
    }
}
