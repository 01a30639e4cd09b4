//! Parquet tables: flat columns, row group by row group.
//!
//! Whole and real numbers and booleans are numbers, texts are categories, nulls, NaN and empty texts are
//! missing; `NA` and the like are categories, because Parquet has nulls for missing cells.
//! Dates and times are the numbers they are stored as. Lists, maps and structs are refused by
//! name; drop them. An index that pandas wrote along as a column is left out, unless it is the target.
//!
//! Lower bound: decoding, which the library does; then each cell is read from a batch of 8192 and
//! written once, 8 bytes (4 in single precision), or costs as much as a category in `columns`.

use std::cell::Cell;
use std::fmt::Display;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::basic::{ConvertedType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{AsBytes, DataType};
use parquet::errors::ParquetError as LibraryError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use crate::cell::Missing;
use crate::columns::{Builder, Fault};
use crate::error::{ParquetError, ReadError, Result};
use crate::layout::{Layout, Role};
use crate::loaded::Content;
use crate::note::ReadNote;
use crate::npy::{Cells, from_cells, identifiers};
use crate::options::{Format, Options, TargetChoice, TargetKind};
use crate::rows::TargetCells;
use crate::source::Source;

thread_local! {
    /// A file is being read, and what panics may be damage.
    pub(crate) static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Cells read at a time.
const BATCH: usize = 1 << 13;

/// Reads the file, which must be a regular one: its directory stands at the end.
pub(crate) fn read(source: &Source<'_>, options: &Options) -> Result<Content> {
    // The library panics over some damaged files.
    EXPECTED.set(true);
    let read = catch_unwind(AssertUnwindSafe(|| read_whole(source, options)));
    EXPECTED.set(false);
    read.unwrap_or_else(|_| {
        let reason = damage(&"what it says of itself is not so");
        Err(ReadError::Parquet { file: source.name.clone(), reason })
    })
}

fn read_whole(source: &Source<'_>, options: &Options) -> Result<Content> {
    let file = source.name.clone();
    let bad = |e: LibraryError| ReadError::Parquet { file: file.clone(), reason: damage(&e) };
    let path = source
        .path()
        .ok_or_else(|| ReadError::Parquet { file: file.clone(), reason: ParquetError::Stream })?;
    let opened = File::open(path).map_err(|e| ReadError::io(&file, e))?;
    let reader = SerializedFileReader::new(opened).map_err(bad)?;
    let about = reader.metadata().file_metadata();
    if about.num_rows() == 0 {
        return Err(ReadError::NoRows { file });
    }
    let schema = about.schema_descr();
    let names: Vec<String> = schema.columns().iter().map(|c| c.path().string()).collect();
    let (options, notes) = without_index(&names, options);
    let options = &options;
    let layout = Layout::new(&file, &names, options)?;
    let columns = schema.columns().iter().zip(&layout.roles);
    let mut columns = columns
        .map(|(column, &role)| InTheMaking::new(&file, column, role))
        .collect::<Result<Vec<_>>>()?;
    let missing = Missing::of_the_caller(options);
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(bad)?;
        for (at, column) in columns.iter_mut().enumerate() {
            if let Err(stopped) = column.read(&*group, at, &missing) {
                return Err(match stopped {
                    Stopped::Damage(e) => bad(e),
                    Stopped::Cell(row, found, fault) => {
                        let reason = fault.reason(&found);
                        ReadError::RowCell { file, row, column: names[at].clone(), reason }
                    }
                });
            }
        }
    }
    let mut content = assemble(&file, names, columns, layout, options)?;
    content.notes.extend(notes);
    Ok(content)
}

/// The options with pandas' index among the columns to drop, and a note on each that is.
fn without_index(names: &[String], options: &Options) -> (Options, Vec<ReadNote>) {
    let is_index = |name: &str| {
        let level = name.strip_prefix("__index_level_").and_then(|rest| rest.strip_suffix("__"));
        level.is_some_and(|level| level.parse::<u32>().is_ok())
    };
    // By name, or by place from either end.
    let target = match &options.target {
        TargetChoice::Column(target) | TargetChoice::IfThere(target) => {
            let place = |at: i64| if at < 0 { at + names.len() as i64 } else { at };
            let named = names.iter().position(|name| name == target);
            named.or_else(|| usize::try_from(place(target.parse().ok()?)).ok())
        }
        _ => None,
    };
    let wanted = |name: &String| target.and_then(|at| names.get(at)) == Some(name);
    let index: Vec<&String> = names.iter().filter(|name| is_index(name) && !wanted(name)).collect();
    let left_out = |name: &&String| ReadNote::IndexLeftOut { column: (*name).clone() };
    let notes = index.iter().map(left_out).collect();
    let mut options = options.clone();
    options.drop.extend(index.into_iter().cloned());
    (options, notes)
}

/// The library's error about a file it cannot read, with advice.
fn damage(error: &impl Display) -> ParquetError {
    ParquetError::Damaged { told: error.to_string() }
}

/// Why reading a column stopped.
enum Stopped {
    Damage(LibraryError),
    /// The row, the cell and its fault.
    Cell(usize, Vec<u8>, Fault),
}

impl From<LibraryError> for Stopped {
    fn from(error: LibraryError) -> Self {
        Self::Damage(error)
    }
}

/// A column that grows row group by row group.
struct InTheMaking {
    role: Role,
    nullable: bool,
    rows: usize,
    cells: Kind,
}

enum Kind {
    Skip,
    Numbers(Cells),
    Texts(Builder),
}

impl InTheMaking {
    fn new(file: &str, column: &ColumnDescriptor, role: Role) -> Result<Self> {
        let refuse = |what| ReadError::Parquet {
            file: file.to_owned(),
            reason: ParquetError::NoDistance { column: column.path().string(), what },
        };
        let flat = column.max_rep_level() == 0 && column.path().parts().len() == 1;
        let cells = match column.physical_type() {
            _ if role == Role::Skip => Kind::Skip,
            _ if !flat => return Err(refuse("lists or structs")),
            Type::BYTE_ARRAY if column.converted_type() == ConvertedType::DECIMAL => {
                return Err(refuse("decimals"));
            }
            Type::BYTE_ARRAY => {
                let role = if role == Role::Infer { Role::Nominal } else { role };
                Kind::Texts(Builder::new(role))
            }
            Type::INT32 | Type::INT64 | Type::FIXED_LEN_BYTE_ARRAY
                if column.converted_type() == ConvertedType::DECIMAL =>
            {
                return Err(refuse("decimals"));
            }
            Type::INT96 => return Err(refuse("timestamps of an old kind")),
            Type::FIXED_LEN_BYTE_ARRAY => {
                return Err(refuse("numbers of half precision or bytes of a fixed length"));
            }
            Type::FLOAT => Kind::Numbers(Cells::F32(Vec::new())),
            Type::BOOLEAN | Type::INT32 | Type::INT64 | Type::DOUBLE => {
                Kind::Numbers(Cells::F64(Vec::new()))
            }
        };
        Ok(Self { role, nullable: column.max_def_level() > 0, rows: 0, cells })
    }

    /// Adds the cells of a row group.
    fn read(
        &mut self,
        group: &dyn RowGroupReader,
        at: usize,
        missing: &Missing,
    ) -> Result<(), Stopped> {
        let (nullable, before) = (self.nullable, self.rows);
        let rows = group.metadata().num_rows() as usize;
        self.rows += rows;
        let numbers = match &mut self.cells {
            Kind::Skip => return Ok(()),
            Kind::Numbers(cells) => cells,
            Kind::Texts(builder) => {
                let ColumnReader::ByteArrayColumnReader(reader) = group.get_column_reader(at)?
                else {
                    return Ok(());
                };
                let mut row = before;
                return each(reader, nullable, rows, |cell| {
                    let cell = cell.map_or(&b""[..], |cell| cell.as_bytes());
                    row += 1;
                    let pushed = builder.push(cell.trim_ascii(), 0, missing);
                    pushed.map_err(|fault| Stopped::Cell(row - 1, cell.to_vec(), fault))
                });
            }
        };
        let mut push = |value: f64| {
            numbers.push(if missing.number(value) { f64::NAN } else { value });
            Ok(())
        };
        let unsigned = {
            let kind = group.metadata().column(at).column_descr().converted_type();
            matches!(kind, ConvertedType::UINT_32 | ConvertedType::UINT_64)
        };
        match group.get_column_reader(at)? {
            ColumnReader::BoolColumnReader(reader) => each(reader, nullable, rows, |cell| {
                push(cell.map_or(f64::NAN, |&cell| f64::from(u8::from(cell))))
            }),
            ColumnReader::Int32ColumnReader(reader) => each(reader, nullable, rows, |cell| {
                push(cell.map_or(f64::NAN, |&cell| match unsigned {
                    true => f64::from(cell as u32),
                    false => f64::from(cell),
                }))
            }),
            ColumnReader::Int64ColumnReader(reader) => each(reader, nullable, rows, |cell| {
                push(cell.map_or(f64::NAN, |&cell| match unsigned {
                    true => cell as u64 as f64,
                    false => cell as f64,
                }))
            }),
            ColumnReader::FloatColumnReader(reader) => each(reader, nullable, rows, |cell| {
                push(cell.map_or(f64::NAN, |&cell| f64::from(cell)))
            }),
            ColumnReader::DoubleColumnReader(reader) => {
                each(reader, nullable, rows, |cell| push(cell.copied().unwrap_or(f64::NAN)))
            }
            _ => Ok(()),
        }
    }
}

/// Hands on each of a row group's cells, `None` for a null.
fn each<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    nullable: bool,
    rows: usize,
    mut cell: impl FnMut(Option<&T::T>) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut done = 0;
    while done < rows {
        levels.clear();
        values.clear();
        let wanted = nullable.then_some(&mut levels);
        let (records, _, _) = reader.read_records(BATCH, wanted, None, &mut values)?;
        if records == 0 {
            let text = format!("a row group of {rows} rows ends after {done}");
            return Err(Stopped::Damage(LibraryError::General(text)));
        }
        let mut known = values.iter();
        match nullable {
            true => levels
                .iter()
                .try_for_each(|&level| cell(if level > 0 { known.next() } else { None }))?,
            false => known.try_for_each(|value| cell(Some(value)))?,
        }
        done += records;
    }
    Ok(())
}

fn assemble(
    file: &str,
    names: Vec<String>,
    making: Vec<InTheMaking>,
    mut layout: Layout,
    options: &Options,
) -> Result<Content> {
    let texts = |column: &InTheMaking| matches!(column.cells, Kind::Texts(Builder::Target(_)));
    if layout.kind == TargetKind::Auto && making.iter().any(texts) {
        layout.kind = TargetKind::Classes;
    }
    let mut content = Content::new(Format::Parquet, names, layout);
    for (at, column) in making.into_iter().enumerate() {
        let name = &content.names[at];
        match (column.cells, column.role) {
            (Kind::Skip, _) => {}
            (Kind::Numbers(cells), Role::Target) => {
                content.target = Some(TargetCells::Numbers(cells.into_f64()));
            }
            (Kind::Numbers(cells), role @ (Role::Family | Role::Sample)) => {
                let ids = identifiers(file, name, &cells.into_f64())?;
                content.identify(role, ids);
            }
            (Kind::Numbers(cells), role) => {
                let cells = cells.into_values();
                let column = from_cells(file, name, cells, role, options.discrete_limit)?;
                content.columns.push(column);
            }
            (Kind::Texts(Builder::Target(cells)), _) => {
                content.target = Some(TargetCells::Texts(cells));
            }
            (Kind::Texts(Builder::Id(ids)), role) => content.identify(role, ids),
            (Kind::Texts(builder), _) => {
                let column = builder.finish(file, name, options.discrete_limit)?;
                content.columns.extend(column);
            }
        }
    }
    Ok(content)
}
