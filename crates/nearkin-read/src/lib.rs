//! Files into nearkin tables: delimited text, ARFF and NumPy, packed by gzip or not.
//!
//! [`read`] takes a path and gives a [`Loaded`]: the features as a
//! [`Table`](nearkin::data::Table), the target as a [`Target`], and what
//! was found out on the way. [`Options`] say what the file does not. Numbers and missing cells
//! are those that pandas, scipy and NumPy read in the same file; blanks around a cell do not
//! count.
//!
//! ```
//! use nearkin_read::{Options, read_bytes};
//!
//! let file = b"colour,size,class\nred,1.5,a\nblue,?,b\n";
//! let loaded = read_bytes(file, "things.csv", &Options::default())?;
//! assert_eq!(loaded.table.rows(), 2);
//! assert!(loaded.table.columns()[0].is_nominal());
//! assert_eq!(loaded.table.columns()[1].missing(), 1);
//! assert_eq!(loaded.target_name.as_deref(), Some("class"));
//! # Ok::<(), nearkin_read::Error>(())
//! ```
#![forbid(unsafe_code)]

mod arff;
mod cell;
mod columns;
mod csv;
mod doubts;
mod error;
mod interner;
mod layout;
mod loaded;
mod matrix;
mod npy;
mod options;
mod records;
mod sniff;
mod source;
mod target;

use std::io::Read;
use std::path::Path;

use nearkin::data::Target;

pub use error::{Error, Result};
pub use loaded::Loaded;
pub use matrix::{Matrix, read_labels, read_matrix};
pub use options::{ColumnKind, Format, MISSING_TOKENS, Options, TargetChoice, TargetKind};

use source::Source;

/// Reads the file at `path`.
///
/// A regular file may be read twice: a second time when a column that began with numbers turns
/// out to hold text. A pipe is kept in memory for that.
///
/// ```
/// use nearkin_read::{Options, read};
///
/// let error = read("no/such/file.csv".as_ref(), &Options::default()).unwrap_err();
/// assert_eq!(error.to_string(), "no/such/file.csv: there is no such file; check the path");
/// ```
pub fn read(path: &Path, options: &Options) -> Result<Loaded> {
    load(Source::file(path)?, options)
}

/// Reads bytes in memory under a name that tells the format and stands in messages.
///
/// ```
/// use nearkin_read::{Options, read_bytes};
///
/// let error = read_bytes(b"a,b\n1,2\n3\n", "t.csv", &Options::default()).unwrap_err();
/// assert!(error.to_string().starts_with("t.csv, line 3: found 1 cells, expected 2"));
/// ```
pub fn read_bytes(bytes: &[u8], name: &str, options: &Options) -> Result<Loaded> {
    load(Source::slice(bytes, name), options)
}

/// Reads a stream, as of standard input, under a name that tells the format.
///
/// What was read is kept until the table is made, as a stream cannot be read twice.
///
/// ```
/// use nearkin_read::{Options, read_stream};
///
/// let stream = std::io::Cursor::new("1 2 a\n3 4 b\n");
/// let loaded = read_stream(stream, "input.data", &Options::default())?;
/// assert_eq!(loaded.table.names().collect::<Vec<_>>(), ["x0", "x1"]);
/// # Ok::<(), nearkin_read::Error>(())
/// ```
pub fn read_stream(stream: impl Read, name: &str, options: &Options) -> Result<Loaded> {
    load(Source::stream(stream, name), options)
}

fn load(mut source: Source<'_>, options: &Options) -> Result<Loaded> {
    let mut loaded = match format(&mut source, options)? {
        Format::Csv => csv::read(&mut source, options),
        Format::Arff => arff::read(&mut source, options),
        Format::Npy => npy::read(&mut source, options),
    }?;
    if let TargetChoice::Npy(path) = &options.target {
        let target = npy::read_target(&mut Source::file(path)?, options.target_kind)?;
        check_rows(&source.name, path, loaded.table.rows(), &target)?;
        loaded.target = Some(target);
        loaded.target_name = Some(path.display().to_string());
    }
    Ok(loaded)
}

/// The format as given, as the content shows, or as the name says.
fn format(source: &mut Source<'_>, options: &Options) -> Result<Format> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let start = source.start(npy::MAGIC.len())?;
    if start == npy::MAGIC {
        return Ok(Format::Npy);
    }
    let unknown = |reason: String| Error::UnknownFormat { file: source.name.clone(), reason };
    for (magic, what) in
        [(&b"PK\x03\x04"[..], "a zip archive or a spreadsheet"), (b"PAR1", "Parquet")]
    {
        if start.starts_with(magic) {
            return Err(unknown(format!("this is {what}, which is not read; export it as CSV")));
        }
    }
    let name = source.name.to_ascii_lowercase();
    let extension = Path::new(name.trim_end_matches(".gz")).extension();
    match extension.and_then(|e| e.to_str()).unwrap_or("") {
        "csv" | "tsv" | "txt" | "data" => Ok(Format::Csv),
        "arff" => Ok(Format::Arff),
        "npy" => Ok(Format::Npy),
        "" => Err(unknown("the name has no ending that tells the format".into())),
        other => Err(unknown(format!("`.{other}` is no format that is known"))),
    }
}

fn check_rows(file: &str, path: &Path, rows: usize, target: &Target) -> Result<()> {
    if target.len() == rows {
        return Ok(());
    }
    let reason = format!(
        "the table has {rows} rows, the target in {} has {}; they must agree",
        path.display(),
        target.len()
    );
    Err(Error::Options { file: file.to_owned(), reason })
}
