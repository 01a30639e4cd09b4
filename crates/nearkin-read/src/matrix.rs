//! Matrices of similarities or dissimilarities, and the labels of their samples.
//!
//! A matrix is a NumPy array or delimited text, with or without column names above and row names
//! to the left. The first line holds names when a cell after its first is no number, or when its
//! first cell is empty. The first column holds names when one of its cells is no number, or when
//! the first line begins with an empty cell.
//!
//! Lower bound: that of `records` for every byte, and of a number in `columns` for each cell.

use std::path::Path;

use crate::cell::{Missing, number, trimmed};
use crate::columns::text;
use crate::error::{CellError, NpyError, ReadError, Result, shown};
use crate::layout::TARGET_NAMES;
use crate::npy;
use crate::options::Options;
use crate::records::Records;
use crate::rows::TargetCells;
use crate::sniff;
use crate::source::Source;

/// Bytes looked at to find the delimiter.
const SAMPLE: usize = 1 << 16;

/// Numbers in rows and columns, with the names that stood beside them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NamedMatrix {
    /// Number of rows: queries.
    pub rows: usize,
    /// Number of columns: references.
    pub columns: usize,
    /// The numbers, row after row; all are finite.
    pub values: Vec<f64>,
    /// The rows' names.
    pub row_names: Option<Vec<String>>,
    /// The columns' names.
    pub column_names: Option<Vec<String>>,
    /// The cell for which the first line was taken for names, where it was and no cell is empty.
    pub header_because: Option<String>,
}

/// Reads the matrix in the file at `path`: `.npy`, or delimited text; `.gz` may follow.
///
/// ```
/// let file = std::env::temp_dir().join("nearkin-doc-matrix.csv");
/// std::fs::write(&file, ",ann,bob\nann,1,0.5\nbob,0.25,1\n")?;
/// let matrix = nearkin_read::read_matrix(&file)?;
/// assert_eq!((matrix.rows, matrix.columns), (2, 2));
/// assert_eq!(matrix.values, [1.0, 0.5, 0.25, 1.0]);
/// assert_eq!(matrix.row_names.unwrap(), ["ann", "bob"]);
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read, or does not hold a matrix: which line and cell, and why.
pub fn read_matrix(path: &Path) -> Result<NamedMatrix> {
    let mut source = Source::file(path)?;
    if source.start(npy::MAGIC.len())? == npy::MAGIC {
        let (rows, columns, values) = npy::read_numbers(&mut source)?;
        let (row_names, column_names, header_because) = (None, None, None);
        return Ok(NamedMatrix { rows, columns, values, row_names, column_names, header_because });
    }
    read_text(&mut source)
}

/// The lines of delimited text; blanks separate cells only where they may.
fn records<'s>(source: &'s mut Source<'_>, file: &'s str, blanks: bool) -> Result<Records<'s>> {
    let sample = source.start(SAMPLE)?;
    let delimiter = match sniff::delimiter(&sample, sample.len() < SAMPLE) {
        b' ' if !blanks => b',',
        found => found,
    };
    Ok(Records::new(file, source.open()?, delimiter, Options::default().max_record_bytes))
}

fn read_text(source: &mut Source<'_>) -> Result<NamedMatrix> {
    let file = source.name.clone();
    let mut records = records(source, &file, true)?;
    let first = records.next()?.ok_or_else(|| ReadError::Empty { file: file.clone() })?;
    let line = first.line;
    let head: Vec<Vec<u8>> = first.cells().map(|cell| trimmed(cell).to_vec()).collect();
    let odd = head.iter().skip(1).find(|cell| number(cell).is_none() && !is_missing(cell));
    let corner = head.first().is_some_and(|cell| cell.is_empty()) && head.len() > 1;
    let header = odd.is_some() || corner;
    let header_because = odd.filter(|_| !corner).map(|cell| shown(cell));
    let mut reading = Reading { file: &file, expected: head.len(), named: None, corner };
    let mut rows = Rows::default();
    if !header {
        reading.push(&mut rows, line, head.iter().map(Vec::as_slice))?;
    }
    while let Some(record) = records.next()? {
        let cells: Vec<&[u8]> = record.cells().map(trimmed).collect();
        reading.push(&mut rows, record.line, cells.into_iter())?;
    }
    let named = reading.named.unwrap_or(corner);
    let skip = usize::from(named);
    if rows.count == 0 {
        return Err(ReadError::NoRows { file: file.clone() });
    }
    let column_names = match header {
        true => {
            let names = head.iter().skip(skip).map(|cell| name(&file, line, cell));
            Some(names.collect::<Result<_>>()?)
        }
        false => None,
    };
    Ok(NamedMatrix {
        rows: rows.count,
        columns: head.len() - skip,
        values: rows.values,
        row_names: named.then_some(rows.names),
        column_names,
        header_because,
    })
}

fn name(file: &str, line: u64, cell: &[u8]) -> Result<String> {
    match text(cell) {
        Ok(name) => Ok(name.to_owned()),
        Err(fault) => Err(fault.at(file, line, "names", cell)),
    }
}

#[derive(Default)]
struct Rows {
    count: usize,
    names: Vec<String>,
    values: Vec<f64>,
}

struct Reading<'f> {
    file: &'f str,
    /// Cells a line has.
    expected: usize,
    /// Whether rows begin with their names, once the first was seen.
    named: Option<bool>,
    corner: bool,
}

impl Reading<'_> {
    fn push<'c>(
        &mut self,
        rows: &mut Rows,
        line: u64,
        mut cells: impl ExactSizeIterator<Item = &'c [u8]> + Clone,
    ) -> Result<()> {
        let (expected, found) = (self.expected, cells.len());
        if found != expected {
            return Err(ReadError::Ragged { file: self.file.to_owned(), line, expected, found });
        }
        let corner = self.corner;
        let first = cells.clone().next().unwrap_or_default();
        let words = expected > 1 && !first.is_empty() && number(first).is_none();
        let named = *self.named.get_or_insert(corner || (words && !is_missing(first)));
        let skip = usize::from(named);
        if named && let Some(cell) = cells.next() {
            rows.names.push(name(self.file, line, cell)?);
        }
        for (at, cell) in cells.enumerate() {
            let column = || (at + skip).to_string();
            let value = number(cell).filter(|value| value.is_finite()).ok_or_else(|| {
                let reason = match cell {
                    b"" => CellError::EmptyPair,
                    _ => CellError::BadPair { found: shown(cell) },
                };
                ReadError::Cell { file: self.file.to_owned(), line, column: column(), reason }
            })?;
            rows.values.push(value);
        }
        rows.count += 1;
        Ok(())
    }
}

fn is_missing(cell: &[u8]) -> bool {
    Missing::new(&Options::default()).text(cell)
}

/// The label of each row, with what stood beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Labels {
    /// The labels, in the order of the file.
    pub labels: Vec<String>,
    /// The name of the column that says whose labels they are, and what it says.
    pub ids: Option<(String, Vec<String>)>,
}

/// Names of columns that say whose row it is.
const ID_NAMES: [&str; 6] = ["id", "name", "sample", "row", "index", ""];

/// Reads the label of each row: a `.npy` array, text with one a line, or a column of a table,
/// by name; unless it is named, one called class, target, label or y. Of a table with more columns,
/// the one called id, name, sample, row or index, or the only other one, says whose labels they are.
///
/// # Errors
/// When the file cannot be read, or no column of labels is found in it.
pub fn read_labels(path: &Path, column: Option<&str>) -> Result<Labels> {
    let mut source = Source::file(path)?;
    if source.start(npy::MAGIC.len())? == npy::MAGIC {
        let file = source.name.clone();
        let bad = |row, reason| ReadError::row_cell(&file, row, "target", reason);
        let labels = match npy::read_target(&mut source)? {
            TargetCells::Numbers(values) => {
                if let Some(row) = values.iter().position(|value| !value.is_finite()) {
                    return Err(bad(row, CellError::TargetNotFinite { found: values[row] }));
                }
                values.iter().map(|value| format!("{}", value + 0.0)).collect()
            }
            TargetCells::Words(words) => match words.iter().position(String::is_empty) {
                Some(row) => return Err(bad(row, CellError::EmptyClass)),
                None => words,
            },
            TargetCells::Texts(_) | TargetCells::Phenotypes(_) => {
                return Err(ReadError::npy(&file, NpyError::NoLabels));
            }
        };
        return Ok(Labels { labels, ids: None });
    }
    let file = source.name.clone();
    let mut records = records(&mut source, &file, false)?;
    let first = records.next()?.ok_or_else(|| ReadError::Empty { file: file.clone() })?;
    let line = first.line;
    let head: Vec<Vec<u8>> = first.cells().map(|cell| trimmed(cell).to_vec()).collect();
    let called = |cell: &[u8], names: &[&str]| {
        names.iter().any(|name| cell.eq_ignore_ascii_case(name.as_bytes()))
    };
    let at = match column {
        Some(asked) => head.iter().position(|cell| cell == asked.as_bytes()),
        None => head.iter().position(|cell| called(cell, &TARGET_NAMES)),
    };
    let (at, header) = match (at, head.len(), column) {
        (Some(at), ..) => (at, true),
        (None, 1, None) => (0, false),
        (None, count, asked) => {
            let asked = asked.unwrap_or("class").to_owned();
            let names = head.iter().take(5).map(|cell| shown(cell)).collect();
            return Err(ReadError::NoLabelColumn { file: file.clone(), asked, count, names });
        }
    };
    let others = || (0..head.len()).filter(|&other| other != at);
    let id = others()
        .find(|&other| called(&head[other], &ID_NAMES))
        .or_else(|| others().next().filter(|_| head.len() == 2));
    let missing = Missing::new(&Options::default());
    let (mut labels, mut ids) = (Vec::new(), Vec::new());
    let mut push = |line: u64, cells: &[&[u8]]| -> Result<()> {
        if cells.len() != head.len() {
            let (file, expected, found) = (file.clone(), head.len(), cells.len());
            return Err(ReadError::Ragged { file, line, expected, found });
        }
        if missing.text(cells[at]) {
            let column = String::from_utf8_lossy(&head[at]).into_owned();
            let reason = CellError::MissingLabel;
            return Err(ReadError::Cell { file: file.clone(), line, column, reason });
        }
        labels.push(name(&file, line, cells[at])?);
        if let Some(id) = id {
            ids.push(name(&file, line, cells[id])?);
        }
        Ok(())
    };
    if !header {
        push(line, &head.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    }
    while let Some(record) = records.next()? {
        push(record.line, &record.cells().map(trimmed).collect::<Vec<_>>())?;
    }
    if labels.is_empty() {
        return Err(ReadError::NoRows { file: file.clone() });
    }
    let ids = id.map(|id| (String::from_utf8_lossy(&head[id]).into_owned(), ids));
    Ok(Labels { labels, ids })
}
