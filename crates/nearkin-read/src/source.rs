//! [`Source`]: bytes that can be read from the start again, unpacked if they are gzip.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use crate::error::{GzipDamage, ReadError, Result};

/// The first bytes of every gzip file.
const GZIP: &[u8] = &[0x1F, 0x8B];

/// The byte order mark that some programs put before UTF-8 text.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A file, a slice or a stream under the name that messages use.
pub(crate) struct Source<'a> {
    /// The name that messages use.
    pub name: String,
    bytes: Bytes<'a>,
}

enum Bytes<'a> {
    File(PathBuf),
    Slice(&'a [u8]),
    /// The bytes read so far are kept, because a stream cannot be read twice.
    Stream {
        kept: Vec<u8>,
        rest: Box<dyn Read + 'a>,
    },
}

impl<'a> Source<'a> {
    /// The file at `path`; a pipe is read as a stream.
    pub fn file(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let about = fs::metadata(path).map_err(|e| ReadError::io(&name, e))?;
        if about.is_dir() {
            return Err(ReadError::Directory { file: name });
        }
        if !about.is_file() {
            let file = File::open(path).map_err(|e| ReadError::io(&name, e))?;
            return Ok(Self::stream(file, &name));
        }
        Ok(Self { name, bytes: Bytes::File(path.to_owned()) })
    }

    /// Bytes in memory.
    pub fn slice(bytes: &'a [u8], name: &str) -> Self {
        Self { name: name.to_owned(), bytes: Bytes::Slice(bytes) }
    }

    /// Anything that can be read once.
    pub fn stream(rest: impl Read + 'a, name: &str) -> Self {
        let bytes = Bytes::Stream { kept: Vec::new(), rest: Box::new(rest) };
        Self { name: name.to_owned(), bytes }
    }

    /// Where the file lies, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.bytes {
            Bytes::File(path) => Some(path),
            _ => None,
        }
    }

    /// The bytes from the start, unpacked and without a byte order mark.
    pub fn open(&mut self) -> Result<Box<dyn Read + '_>> {
        let mut raw: Box<dyn Read + '_> = match &mut self.bytes {
            Bytes::File(path) => {
                let file = File::open(path).map_err(|e| ReadError::io(&self.name, e))?;
                Box::new(BufReader::with_capacity(1 << 17, file))
            }
            Bytes::Slice(bytes) => Box::new(*bytes),
            Bytes::Stream { kept, rest } => Box::new(Replay { kept, rest, at: 0 }),
        };
        let start = take(&mut raw, GZIP.len()).map_err(|e| ReadError::io(&self.name, e))?;
        let packed = start == GZIP;
        let whole = Cursor::new(start).chain(raw);
        let mut bytes: Box<dyn Read + '_> = match packed {
            true => Box::new(Unpack(MultiGzDecoder::new(whole))),
            false => Box::new(whole),
        };
        let start = take(&mut bytes, MARK.len()).map_err(|e| ReadError::io(&self.name, e))?;
        match start == MARK {
            true => Ok(bytes),
            false => Ok(Box::new(Cursor::new(start).chain(bytes))),
        }
    }

    /// The first bytes, at most `count`, unpacked.
    pub fn start(&mut self, count: usize) -> Result<Vec<u8>> {
        let start = take(&mut self.open()?, count);
        start.map_err(|e| ReadError::io(&self.name, e))
    }
}

/// The next `count` bytes, fewer only at the end.
pub(crate) fn take(reader: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(count as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a stream again from what was kept, then on.
struct Replay<'s, 'a> {
    kept: &'s mut Vec<u8>,
    rest: &'s mut Box<dyn Read + 'a>,
    at: usize,
}

impl Read for Replay<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut known = &self.kept[self.at..];
        let count = match known.is_empty() {
            false => known.read(buffer)?,
            true => {
                let count = self.rest.read(buffer)?;
                self.kept.extend_from_slice(&buffer[..count]);
                count
            }
        };
        self.at += count;
        Ok(count)
    }
}

/// Marks the decompressor's complaints, so that they are not taken for the system's.
struct Unpack<R>(R);

impl<R: Read> Read for Unpack<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|e| match e.kind() {
            io::ErrorKind::Interrupted => e,
            io::ErrorKind::UnexpectedEof => damage("it ends too early".into()),
            _ => damage(e.to_string()),
        })
    }
}

fn damage(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, GzipDamage(reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_can_be_read_again() {
        let mut source = Source::stream(&b"abcdef"[..], "s");
        assert_eq!(source.start(2).unwrap(), b"ab");
        assert_eq!(source.start(4).unwrap(), b"abcd");
        assert_eq!(source.start(9).unwrap(), b"abcdef");
        assert_eq!(source.start(9).unwrap(), b"abcdef");
    }
}
