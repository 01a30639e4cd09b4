//! The header of a `.npy` file: a Python dictionary of three entries, read by a small parser.

use std::io::Read;

use crate::error::{NpyError, ReadError, Result, shown};
use crate::source::take;

/// The first bytes of every `.npy` file.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// The type of an array's cells, with its size in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Signed(usize),
    Unsigned(usize),
    Float(usize),
    /// Characters of four bytes.
    Text(usize),
    Bytes(usize),
}

/// The content of a header.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    pub kind: Type,
    pub big_endian: bool,
    pub fortran: bool,
    pub shape: Vec<usize>,
}

impl Header {
    /// Reads the header and leaves `input` at the first cell.
    pub fn read(file: &str, input: &mut impl Read) -> Result<Self> {
        let mut next = |count: usize| -> Result<Vec<u8>> {
            let bytes = take(input, count).map_err(|e| ReadError::io(file, e))?;
            match bytes.len() == count {
                true => Ok(bytes),
                false => Err(ReadError::npy(file, NpyError::HeaderCutShort)),
            }
        };
        let start = take_start(file, &mut next)?;
        let length = match start {
            1 => next(2)?.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte)),
            _ => next(4)?.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte)),
        };
        let text = String::from_utf8_lossy(&next(length)?).into_owned();
        Self::parse(&text).map_err(|reason| ReadError::npy(file, reason))
    }

    fn parse(text: &str) -> Result<Self, NpyError> {
        let mut scan = Scan { text: text.trim() };
        let (mut kind, mut fortran, mut shape) = (None, None, None);
        scan.expect('{')?;
        while !scan.skip('}') {
            let key = scan.string()?;
            scan.expect(':')?;
            match key {
                "descr" => kind = Some(descr(&mut scan)?),
                "fortran_order" => fortran = Some(scan.boolean()?),
                "shape" => shape = Some(scan.tuple()?),
                other => return Err(NpyError::UnknownEntry { entry: other.to_owned() }),
            }
            if !scan.skip(',') && !scan.text.starts_with('}') {
                return Err(scan.unexpected("`,` or `}`"));
            }
        }
        match (kind, fortran, shape) {
            (Some((kind, big_endian)), Some(fortran), Some(shape)) => {
                Ok(Self { kind, big_endian, fortran, shape })
            }
            _ => Err(NpyError::MissingEntry),
        }
    }

    /// Bytes of one cell.
    pub fn size(&self) -> usize {
        match self.kind {
            Type::Bool => 1,
            Type::Text(length) => 4 * length,
            Type::Signed(size) | Type::Unsigned(size) | Type::Float(size) | Type::Bytes(size) => {
                size
            }
        }
    }

    /// Bytes of `count` cells.
    pub fn bytes(&self, file: &str, count: usize) -> Result<usize> {
        let total = self.shape.iter().try_fold(self.size(), |product, &n| product.checked_mul(n));
        match total.and(count.checked_mul(self.size())) {
            Some(bytes) => Ok(bytes),
            None => Err(ReadError::npy(file, NpyError::TooLarge { shape: self.shape_text() })),
        }
    }

    /// The shape as Python writes it.
    pub fn shape_text(&self) -> String {
        match self.shape[..] {
            [only] => format!("({only},)"),
            _ => {
                let sizes: Vec<String> = self.shape.iter().map(usize::to_string).collect();
                format!("({})", sizes.join(", "))
            }
        }
    }

    /// The error of a file that ends after `found` bytes of cells.
    pub fn cut_short(&self, file: &str, found: usize) -> ReadError {
        let expected = self.shape.iter().fold(self.size(), |product, &n| product.saturating_mul(n));
        ReadError::npy(file, NpyError::CutShort { shape: self.shape_text(), expected, found })
    }

    /// Refuses bytes after the last cell.
    pub fn expect_end(&self, file: &str, input: &mut impl Read) -> Result<()> {
        match take(input, 1).map_err(|e| ReadError::io(file, e))?.is_empty() {
            true => Ok(()),
            false => Err(ReadError::npy(file, NpyError::TooLong { shape: self.shape_text() })),
        }
    }

    /// A cell as a number.
    #[inline]
    pub fn number(&self, cell: &[u8]) -> f64 {
        let mut bytes = [0u8; 8];
        let size = cell.len().min(8);
        bytes[..size].copy_from_slice(&cell[..size]);
        if self.big_endian {
            bytes[..size].reverse();
        }
        let bits = u64::from_le_bytes(bytes);
        let spare = 64 - 8 * size as u32;
        match self.kind {
            Type::Bool => f64::from(u8::from(bits != 0)),
            Type::Unsigned(_) => bits as f64,
            Type::Signed(_) => (bits.wrapping_shl(spare) as i64).wrapping_shr(spare) as f64,
            Type::Float(4) => f64::from(f32::from_bits(bits as u32)),
            Type::Float(_) => f64::from_bits(bits),
            Type::Text(_) | Type::Bytes(_) => f64::NAN,
        }
    }

    /// A cell as text, without the zeros that fill it up.
    pub fn text(&self, cell: &[u8]) -> String {
        match self.kind {
            Type::Text(_) => cell
                .chunks_exact(4)
                .map(|c| match self.big_endian {
                    true => u32::from_be_bytes([c[0], c[1], c[2], c[3]]),
                    false => u32::from_le_bytes([c[0], c[1], c[2], c[3]]),
                })
                .take_while(|&c| c != 0)
                .map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
            _ => {
                let end = cell.iter().position(|&b| b == 0).unwrap_or(cell.len());
                String::from_utf8_lossy(&cell[..end]).into_owned()
            }
        }
    }
}

/// Checks the magic bytes and returns the version.
fn take_start(file: &str, next: &mut impl FnMut(usize) -> Result<Vec<u8>>) -> Result<u8> {
    let start = next(MAGIC.len() + 2)?;
    if !start.starts_with(MAGIC) {
        return Err(ReadError::npy(file, NpyError::NotNpy));
    }
    match start[MAGIC.len()] {
        version @ 1..=3 => Ok(version),
        version => Err(ReadError::npy(file, NpyError::UnknownVersion { version })),
    }
}

/// The type and whether its bytes are big-endian.
fn descr(scan: &mut Scan<'_>) -> Result<(Type, bool), NpyError> {
    if scan.text.starts_with('[') {
        return Err(NpyError::Records);
    }
    let text = scan.string()?;
    let unknown = || NpyError::UnknownType { descr: shown(text.as_bytes()) };
    let (big, rest) = match text.as_bytes() {
        [b'>', rest @ ..] => (true, rest),
        [b'<' | b'|' | b'=', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let (&letter, size) = rest.split_first().ok_or_else(unknown)?;
    let size = std::str::from_utf8(size).ok().and_then(|s| s.parse::<usize>().ok());
    let kind = match (letter, size.ok_or_else(unknown)?) {
        (b'b', 1) => Type::Bool,
        (b'i', size @ (1 | 2 | 4 | 8)) => Type::Signed(size),
        (b'u', size @ (1 | 2 | 4 | 8)) => Type::Unsigned(size),
        (b'f', size @ (4 | 8)) => Type::Float(size),
        (b'U', length @ 1..=0xFFFF) => Type::Text(length),
        (b'S', length @ 1..=0xFFFF) => Type::Bytes(length),
        _ => return Err(unknown()),
    };
    Ok((kind, big))
}

/// A walk along the dictionary's text.
struct Scan<'a> {
    text: &'a str,
}

impl<'a> Scan<'a> {
    fn skip(&mut self, wanted: char) -> bool {
        let rest = self.text.strip_prefix(wanted);
        if let Some(rest) = rest {
            self.text = rest.trim_start();
        }
        rest.is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), NpyError> {
        match self.skip(wanted) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{wanted}`"))),
        }
    }

    fn unexpected(&self, expected: &str) -> NpyError {
        let found = shown(self.text.as_bytes());
        NpyError::DamagedHeader { expected: expected.to_owned(), found }
    }

    fn string(&mut self) -> Result<&'a str, NpyError> {
        let quote = self.text.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let found = quote.and_then(|quote| self.text[1..].split_once(quote));
        let (string, rest) = found.ok_or_else(|| self.unexpected("a quoted text"))?;
        self.text = rest.trim_start();
        Ok(string)
    }

    fn boolean(&mut self) -> Result<bool, NpyError> {
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.text.strip_prefix(word) {
                self.text = rest.trim_start();
                return Ok(value);
            }
        }
        Err(self.unexpected("True or False"))
    }

    fn tuple(&mut self) -> Result<Vec<usize>, NpyError> {
        let mut sizes = Vec::new();
        self.expect('(')?;
        while !self.skip(')') {
            let end = self.text.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.text.len());
            let size = self.text[..end].parse().map_err(|_| self.unexpected("a size"))?;
            sizes.push(size);
            self.text = self.text[end..].trim_start_matches('L').trim_start();
            if !self.skip(',') && !self.text.starts_with(')') {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        Ok(sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_in_any_order_and_spacing() {
        let text = r#"{"shape":(3L,4), 'fortran_order': True ,'descr': '>i2', }  "#;
        let header = Header::parse(text).unwrap();
        let shape = vec![3, 4];
        let kind = Type::Signed(2);
        assert_eq!(header, Header { kind, big_endian: true, fortran: true, shape });
        assert_eq!(header.number(&[0xFF, 0xFE]), -2.0);
    }

    #[test]
    fn other_types_are_refused_by_name() {
        for descr in ["'<c16'", "'|O'", "'<M8[ns]'", "'<f2'", "[('a', '<f8')]", "''", "'<U0'"] {
            let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (1, 1)}}");
            let reason = Header::parse(&text).unwrap_err();
            assert!(matches!(reason, NpyError::UnknownType { .. } | NpyError::Records), "{reason}");
        }
    }
}
