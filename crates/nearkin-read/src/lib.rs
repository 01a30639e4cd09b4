//! Files into nearkin tables: delimited text, ARFF and NumPy, packed by gzip or not; PLINK's
//! genotypes.
//!
//! [`read`] takes a path and gives a [`Loaded`]: the features as a
//! [`Table`], the target as a [`Target`](nearkin::data::Target), and what
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
//! # Ok::<(), nearkin_read::ReadError>(())
//! ```

mod arff;
mod beside;
mod cell;
mod columns;
mod csv;
mod doubts;
mod error;
mod filter;
mod given;
mod interner;
mod layout;
mod loaded;
mod map;
mod matrix;
mod note;
mod npy;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod phenotype;
mod plink;
mod records;
mod rows;
mod samples;
mod sniff;
mod source;
mod svmlight;
mod target;
mod vcf;

use std::io::Read;
use std::path::{Path, PathBuf};

use nearkin::data::{Column, ColumnValues, Table};

use beside::Beside;
use error::Result;
pub use error::{
    ArffError, CellError, Conflict, FormatError, NpyError, OptionError, ParquetError, PlinkError,
    ReadError, ReadResult, SvmlightError, VcfError,
};
pub use filter::VariantSummary;
pub use given::{GivenColumns, MissingCovariate, Strata};
pub use loaded::{Loaded, Place};
pub use map::{Mapped, catch_cut_files};
pub use matrix::{Labels, NamedMatrix, read_labels, read_matrix};
pub use note::ReadNote;
pub use options::{ColumnKind, Format, MISSING_TOKENS, Options, TargetChoice, TargetKind};

pub use samples::Samples;
pub use svmlight::{LoadedSparse, read_svmlight, read_svmlight_bytes};
pub use target::as_target;

use source::Source;

/// True while this thread reads a file by a library that panics on some damaged files. A panic hook
/// need not report such a panic: `read` returns an error instead.
#[cfg(feature = "parquet")]
pub fn may_be_damage() -> bool {
    parquet::EXPECTED.get()
}

/// True while this thread reads a file by a library that panics over some damaged ones; there is
/// none without the feature `parquet`.
#[cfg(not(feature = "parquet"))]
pub fn may_be_damage() -> bool {
    false
}

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
///
/// # Errors
/// When the file cannot be read, or does not hold a table: which file, line and cell, and why.
pub fn read(path: &Path, options: &Options) -> Result<Loaded> {
    if let Some(bed) = bed_of_prefix(path) {
        return load(Source::file(&bed)?, options);
    }
    if !path.exists() && with_ending(path, ".pgen").is_file() {
        return Err(pgen(&path.display().to_string()));
    }
    load(Source::file(path)?, options)
}

/// The `.bed` that `path` means as PLINK's prefix: no file is called `path`, and one has `.bed`
/// after it.
pub fn bed_of_prefix(path: &Path) -> Option<PathBuf> {
    let bed = with_ending(path, ".bed");
    (!path.exists() && bed.is_file()).then_some(bed)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The error about PLINK 2's genotypes called `stem`.
fn pgen(stem: &str) -> ReadError {
    let (file, stem) = (format!("{stem}.pgen"), stem.to_owned());
    ReadError::Plink { file, reason: PlinkError::Pgen { stem } }
}

/// Reads bytes in memory under a name that tells the format and stands in messages.
///
/// ```
/// use nearkin_read::{Options, read_bytes};
///
/// let error = read_bytes(b"a,b\n1,2\n3\n", "t.csv", &Options::default()).unwrap_err();
/// assert!(error.to_string().starts_with("t.csv, line 3: found 1 cells, expected 2"));
/// ```
///
/// # Errors
/// As [`read`].
pub fn read_bytes(bytes: &[u8], name: &str, options: &Options) -> Result<Loaded> {
    load(Source::slice(bytes, name), options)
}

/// Reads a stream, as of standard input, under a name that tells the format.
///
/// The bytes are kept until the table is made, because a stream cannot be read twice.
///
/// ```
/// use nearkin_read::{Options, read_stream};
///
/// let stream = std::io::Cursor::new("1 2 a\n3 4 b\n");
/// let loaded = read_stream(stream, "input.data", &Options::default())?;
/// assert_eq!(loaded.table.names().collect::<Vec<_>>(), ["x0", "x1"]);
/// # Ok::<(), nearkin_read::ReadError>(())
/// ```
///
/// # Errors
/// As [`read`].
pub fn read_stream(stream: impl Read, name: &str, options: &Options) -> Result<Loaded> {
    load(Source::stream(stream, name), options)
}

/// Reads the table of a mapped array: columns of numbers stay in its file.
///
/// ```no_run
/// use nearkin_read::{Mapped, Options, read_mapped};
///
/// // As long as the program.
/// let file: &'static Mapped = Box::leak(Box::new(Mapped::open("table.npy".as_ref())?));
/// let loaded = read_mapped(file, &Options::default())?;
/// # Ok::<(), nearkin_read::ReadError>(())
/// ```
///
/// # Errors
/// As [`read`].
pub fn read_mapped(file: &'static Mapped, options: &Options) -> Result<Loaded> {
    let name = file.name();
    let (beside, of_table) = Beside::read(options)?;
    let content = npy::build(name, file.lanes()?, of_table.as_ref().unwrap_or(options))?;
    loaded(name, content, &beside, options)
}

fn load(mut source: Source<'_>, options: &Options) -> Result<Loaded> {
    let format = format(&mut source, options)?;
    let (beside, of_table) = Beside::read(options)?;
    let asked = of_table.as_ref().unwrap_or(options);
    let content = match format {
        Format::Csv => csv::read(&mut source, asked),
        Format::Arff => arff::read(&mut source, asked),
        Format::Npy => npy::read(&mut source, asked),
        Format::Vcf => vcf::read(&mut source, asked),
        Format::Parquet => read_parquet(&source, asked),
        Format::Bed => {
            let bad = |reason| Err(ReadError::Plink { file: source.name.clone(), reason });
            let loaded = match source.path() {
                Some(path) if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz")) => {
                    return bad(PlinkError::Packed);
                }
                Some(path) => plink::read(path, &beside, asked, options)?,
                None => return bad(PlinkError::Stream),
            };
            return finish(&source.name, loaded, options);
        }
    }?;
    loaded(&source.name, content, &beside, options)
}

/// The table of what was read.
fn loaded(
    file: &str,
    mut content: loaded::Content,
    beside: &Beside,
    options: &Options,
) -> Result<Loaded> {
    if !options.additive && options.discrete_limit.is_none() {
        content.notes.extend(doubts::genotypes(&content));
    }
    finish(file, content.load(file, beside, options)?, options)
}

/// Options that apply to every format.
fn finish(file: &str, mut loaded: Loaded, options: &Options) -> Result<Loaded> {
    filter::filter(file, &mut loaded, options)?;
    if options.additive {
        loaded.table = additive(file, loaded.table)?;
    }
    Ok(loaded)
}

/// The table with its genotypes as numbers of copies.
fn additive(file: &str, table: Table<'static>) -> Result<Table<'static>> {
    let columns = table.into_columns().into_iter().map(|column| match column.values {
        ColumnValues::Genotype(cells) => Column::genotypes(column.name, cells.additive()),
        _ => column,
    });
    Table::new(columns.collect()).map_err(|e| ReadError::table(file, e))
}

/// The format as given, as the content shows, or as the name says.
fn format(source: &mut Source<'_>, options: &Options) -> Result<Format> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let start = source.start(vcf::MAGIC.len())?;
    if start.starts_with(npy::MAGIC) {
        return Ok(Format::Npy);
    }
    if start == vcf::MAGIC {
        return Ok(Format::Vcf);
    }
    if start.starts_with(b"BCF") {
        let (file, reason) = (source.name.clone(), VcfError::Bcf);
        return Err(ReadError::Vcf { file, line: 1, reason });
    }
    if let Some(stem) = source.name.strip_suffix(".pgen") {
        return Err(pgen(stem));
    }
    if start.starts_with(&plink::MAGIC) {
        return Ok(Format::Bed);
    }
    let unknown = |reason| Err(ReadError::UnknownFormat { file: source.name.clone(), reason });
    if start.starts_with(b"PAR1") {
        return Ok(Format::Parquet);
    }
    if start.starts_with(b"PK\x03\x04") {
        return unknown(FormatError::Zip);
    }
    let name = source.name.to_ascii_lowercase();
    let extension = Path::new(name.trim_end_matches(".gz")).extension();
    match extension.and_then(|e| e.to_str()).unwrap_or("") {
        "csv" | "tsv" | "txt" | "data" | "raw" => Ok(Format::Csv),
        "arff" => Ok(Format::Arff),
        "npy" => Ok(Format::Npy),
        "bed" => Ok(Format::Bed),
        "vcf" => Ok(Format::Vcf),
        "parquet" => Ok(Format::Parquet),
        "" => unknown(FormatError::NoEnding),
        "svm" | "svmlight" | "libsvm" => unknown(FormatError::Svmlight),
        other => unknown(FormatError::Unknown { ending: other.to_owned() }),
    }
}

#[cfg(feature = "parquet")]
use parquet::read as read_parquet;

#[cfg(not(feature = "parquet"))]
fn read_parquet(source: &Source<'_>, _: &Options) -> Result<loaded::Content> {
    Err(ReadError::Parquet { file: source.name.clone(), reason: ParquetError::NotBuilt })
}
