//! The one error type of the crate: file, line, column, what was found and what to do.

use std::io;

/// What can go wrong between a file and a table.
///
/// Every message names the file as the caller did, and the line where there is one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Nothing is there under that name.
    #[error("{file}: there is no such file; check the path")]
    NotFound {
        /// The file as the caller named it.
        file: String,
    },
    /// A `.bed` is there without a file that belongs to it.
    #[error(
        "{file}: there is no such file; a .bed needs its .bim and its .fam beside it, under the \
         same name"
    )]
    NotBeside {
        /// The file that is not there.
        file: String,
    },
    /// The path names a directory.
    #[error("{file}: this is a directory; name a file in it")]
    Directory {
        /// The path as the caller named it.
        file: String,
    },
    /// The system could not give the file's bytes.
    #[error("{file}: cannot be read: {source}")]
    Io {
        /// The file as the caller named it.
        file: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// Neither the name nor the content tells the format.
    #[error(
        "{file}: {reason}; give a name that ends in .csv, .tsv, .txt, .data, .arff, .npy \
         (.gz may follow), .bed or .parquet, or say which format it is"
    )]
    UnknownFormat {
        /// The file as the caller named it.
        file: String,
        /// Why the format is not known.
        reason: String,
    },
    /// There is not one byte of data.
    #[error("{file}: the file is empty; a table needs at least one row")]
    Empty {
        /// The file as the caller named it.
        file: String,
    },
    /// The columns are described but no row follows.
    #[error("{file}: there are column names but no row of data below them")]
    NoRows {
        /// The file as the caller named it.
        file: String,
    },
    /// A row is longer or shorter than the table is wide.
    #[error(
        "{file}, line {line}: found {found} cells, expected {expected} as in the first row; \
         check the delimiter and the quotes, and mark a missing cell by `?` or by nothing \
         between two delimiters"
    )]
    Ragged {
        /// The file as the caller named it.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// Cells a row must have.
        expected: usize,
        /// Cells this row has.
        found: usize,
    },
    /// Two columns that are kept have the same name.
    #[error(
        "{file}: columns {first} and {second} (counted from 0) are both named `{name}`; \
         rename one, or drop one by its number"
    )]
    DuplicateName {
        /// The file as the caller named it.
        file: String,
        /// The name they share.
        name: String,
        /// Position of the first.
        first: usize,
        /// Position of the second.
        second: usize,
    },
    /// An option names a column that is not in the file.
    #[error("{file}: {option}: there is no column `{asked}`; {hint}")]
    UnknownColumn {
        /// The file as the caller named it.
        file: String,
        /// The option that names the column.
        option: &'static str,
        /// What was asked for.
        asked: String,
        /// The nearest name, or the range of indices.
        hint: String,
    },
    /// Options that cannot be followed together.
    #[error("{file}: {reason}")]
    Options {
        /// The file as the caller named it.
        file: String,
        /// Which options disagree, and what to change.
        reason: String,
    },
    /// One cell cannot be used.
    #[error("{file}, line {line}, column `{column}`: {reason}")]
    Cell {
        /// The file as the caller named it.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// The column's name.
        column: String,
        /// The value found, what was expected and what to do.
        reason: String,
    },
    /// One cell of a file without lines cannot be used.
    #[error("{file}, row {row} (counted from 0), column `{column}`: {reason}")]
    RowCell {
        /// The file as the caller named it.
        file: String,
        /// The row, counted from 0.
        row: usize,
        /// The column's name.
        column: String,
        /// The value found, what was expected and what to do.
        reason: String,
    },
    /// The text is not UTF-8.
    #[error(
        "{file}, line {line}: byte 0x{byte:02X} ({at} bytes into {place}) is not UTF-8 text; \
         if it is text, save it as UTF-8 (from latin1: `iconv -f latin1 -t utf-8`)"
    )]
    Encoding {
        /// The file as the caller named it.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// The first byte that does not fit.
        byte: u8,
        /// How many bytes precede it there.
        at: usize,
        /// The column or line it stands in.
        place: String,
    },
    /// A record goes on and on.
    #[error(
        "{file}, line {line}: this row is longer than {limit} bytes; check for an unclosed quote \
         or a file without line ends, or raise `max_record_bytes`"
    )]
    LongRecord {
        /// The file as the caller named it.
        file: String,
        /// The line where the record begins, counted from 1.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// The file ends inside quotes.
    #[error(
        "{file}, line {line}: a quote opened in this row is never closed; close it, or double it \
         (`\"\"`) where a quote is meant"
    )]
    UnclosedQuote {
        /// The file as the caller named it.
        file: String,
        /// The line where the record begins, counted from 1.
        line: u64,
    },
    /// The gzip stream is damaged, cut short, or followed by something else.
    #[error(
        "{file}: the gzip data is damaged, cut short or followed by other bytes ({reason}); \
             fetch or compress the file again"
    )]
    Gzip {
        /// The file as the caller named it.
        file: String,
        /// What the decompressor said.
        reason: String,
    },
    /// An ARFF file breaks the rules of its format.
    #[error("{file}, line {line}: {reason}")]
    Arff {
        /// The file as the caller named it.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// What was found, what was expected and what to do.
        reason: String,
    },
    /// A NumPy file is damaged or of a kind that is no table.
    #[error("{file}: {reason}")]
    Npy {
        /// The file as the caller named it.
        file: String,
        /// What was found, what was expected and what to do.
        reason: String,
    },
    /// A Parquet file is damaged, of a kind that is not read, or not read by this build.
    #[error("{file}: {reason}")]
    Parquet {
        /// The file as the caller named it.
        file: String,
        /// What was found, what was expected and what to do.
        reason: String,
    },
    /// A PLINK file is damaged, of a kind that is not read, or does not fit the files beside it.
    #[error("{file}: {reason}")]
    Plink {
        /// The file as the caller named it.
        file: String,
        /// What was found, what was expected and what to do.
        reason: String,
    },
    /// A row of an svmlight file is none.
    #[error("{file}, line {line}: {reason}")]
    Svmlight {
        /// The file as the caller named it.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// What was found, what was expected and what to do.
        reason: String,
    },
    /// The cells were read but do not make a table.
    #[error("{file}: {source}")]
    Table {
        /// The file as the caller named it.
        file: String,
        /// What the table said.
        #[source]
        source: nearkin::Error,
    },
}

/// A result whose error is [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A damaged gzip stream, carried through `io::Error` to [`Error::io`].
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct GzipDamage(pub String);

impl Error {
    /// The right variant for what the system said about `file`.
    pub(crate) fn io(file: &str, source: io::Error) -> Self {
        let file = file.to_owned();
        if let Some(damage) = source.get_ref().and_then(|e| e.downcast_ref::<GzipDamage>()) {
            return Self::Gzip { file, reason: damage.0.clone() };
        }
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { file },
            io::ErrorKind::IsADirectory => Self::Directory { file },
            _ => Self::Io { file, source },
        }
    }

    /// A table error of `file`.
    pub(crate) fn table(file: &str, source: nearkin::Error) -> Self {
        Self::Table { file: file.to_owned(), source }
    }

    /// An ARFF error of `file` at `line`.
    pub(crate) fn arff(file: &str, line: u64, reason: impl Into<String>) -> Self {
        Self::Arff { file: file.to_owned(), line, reason: reason.into() }
    }

    /// A NumPy error of `file`.
    pub(crate) fn npy(file: &str, reason: impl Into<String>) -> Self {
        Self::Npy { file: file.to_owned(), reason: reason.into() }
    }
}

/// A value as it may stand in a message: short, and always text.
pub(crate) fn shown(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(&value[..value.len().min(200)]);
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.into_owned(),
    }
}
