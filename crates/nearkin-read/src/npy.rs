//! NumPy arrays: rows and columns of one type, and targets of one value a row.
//!
//! Lower bound: each cell is read once, as wide as in the array, and written once, 8 bytes (4 in
//! single precision). Here the cells of a row go to separate columns, which grow by doubling; the
//! type is tested for each cell. One more pass searches for infinite numbers.

mod header;

use std::io::Read;

use nearkin::data::{Column, ColumnValues, Genotypes, Lane};

use crate::columns::{copies, discrete};
use crate::csv::numbered;
use crate::error::{CellError, NpyError, ReadError, Result};
use crate::layout::{Layout, Role};
use crate::loaded::Content;
use crate::options::{Format, Options};
use crate::rows::TargetCells;
use crate::source::{Source, take};

use header::{Header, Type};

pub(crate) use header::MAGIC;

/// A column's numbers; single precision is kept as it is.
pub(crate) enum Cells {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

impl Cells {
    fn new(kind: Type, rows: usize) -> Self {
        match kind {
            Type::Float(4) => Self::F32(Vec::with_capacity(rows)),
            _ => Self::F64(Vec::with_capacity(rows)),
        }
    }

    pub fn push(&mut self, value: f64) {
        match self {
            Self::F32(cells) => cells.push(value as f32),
            Self::F64(cells) => cells.push(value),
        }
    }

    pub fn into_f64(self) -> Vec<f64> {
        match self {
            Self::F32(cells) => cells.into_iter().map(f64::from).collect(),
            Self::F64(cells) => cells,
        }
    }

    pub fn into_values(self) -> ColumnValues<'static> {
        match self {
            Self::F32(cells) => ColumnValues::F32(Lane::owned(cells)),
            Self::F64(cells) => ColumnValues::F64(Lane::owned(cells)),
        }
    }
}

/// Numbers of a column in double precision; none of one that holds categories.
fn doubles(values: &ColumnValues) -> Vec<f64> {
    match values {
        ColumnValues::F32(lane) => lane.iter().map(f64::from).collect(),
        ColumnValues::F64(lane) => lane.iter().collect(),
        ColumnValues::Nominal { .. } | ColumnValues::Genotype(_) => Vec::new(),
    }
}

/// Reads an array of two dimensions.
pub(crate) fn read(source: &mut Source<'_>, options: &Options) -> Result<Content> {
    let (file, _, _, cells) = cells(source, "a table")?;
    build(&file, cells.into_iter().map(Cells::into_values).collect(), options)
}

/// The numbers of an array of two dimensions, column by column, for `what` is to be made of it.
fn cells(
    source: &mut Source<'_>,
    what: &'static str,
) -> Result<(String, usize, usize, Vec<Cells>)> {
    let file = source.name.clone();
    let mut input = source.open()?;
    let header = Header::read(&file, &mut input)?;
    let (rows, columns) = table_shape(&file, &header, what)?;
    if matches!(header.kind, Type::Text(_) | Type::Bytes(_)) {
        return Err(ReadError::npy(&file, NpyError::Text { what }));
    }
    let cells = match header.fortran {
        true => by_columns(&file, &mut input, &header, rows, columns)?,
        false => by_rows(&file, &mut input, &header, rows, columns)?,
    };
    header.expect_end(&file, &mut input)?;
    Ok((file, rows, columns, cells))
}

fn by_rows(
    file: &str,
    input: &mut impl Read,
    header: &Header,
    rows: usize,
    columns: usize,
) -> Result<Vec<Cells>> {
    let bytes = header.bytes(file, columns)?;
    let mut row = Vec::new();
    let mut cells: Vec<Cells> = Vec::new();
    for done in 0..rows {
        row.clear();
        let count = input.by_ref().take(bytes as u64).read_to_end(&mut row);
        if count.map_err(|e| ReadError::io(file, e))? < bytes {
            return Err(header.cut_short(file, done * bytes + row.len()));
        }
        if done == 0 {
            // Only now is it known that the columns promised are there.
            let expected = rows.min(1 << 6);
            cells = (0..columns).map(|_| Cells::new(header.kind, expected)).collect();
        }
        for (cell, bytes) in cells.iter_mut().zip(row.chunks_exact(header.size())) {
            cell.push(header.number(bytes));
        }
    }
    Ok(cells)
}

fn by_columns(
    file: &str,
    input: &mut impl Read,
    header: &Header,
    rows: usize,
    columns: usize,
) -> Result<Vec<Cells>> {
    let bytes = header.bytes(file, rows)?;
    let mut cells = Vec::new();
    for done in 0..columns {
        let column = take(input, bytes).map_err(|e| ReadError::io(file, e))?;
        if column.len() < bytes {
            return Err(header.cut_short(file, done * bytes + column.len()));
        }
        let mut cell = Cells::new(header.kind, rows);
        column.chunks_exact(header.size()).for_each(|bytes| cell.push(header.number(bytes)));
        cells.push(cell);
    }
    Ok(cells)
}

/// Reads all numbers of an array of two dimensions, row after row.
pub(crate) fn read_numbers(source: &mut Source<'_>) -> Result<(usize, usize, Vec<f64>)> {
    let (file, rows, columns, cells) = cells(source, "a matrix")?;
    let lanes: Vec<Vec<f64>> = cells.into_iter().map(Cells::into_f64).collect();
    let mut all = Vec::with_capacity(lanes.iter().map(Vec::len).sum());
    for row in 0..rows {
        for (column, lane) in lanes.iter().enumerate() {
            if !lane[row].is_finite() {
                let reason = CellError::NotFinitePair { found: lane[row] };
                return Err(ReadError::row_cell(&file, row, &column.to_string(), reason));
            }
            all.push(lane[row]);
        }
    }
    Ok((rows, columns, all))
}

/// Gives columns of numbers their roles.
pub(crate) fn build(
    file: &str,
    cells: Vec<ColumnValues<'static>>,
    options: &Options,
) -> Result<Content> {
    let names = numbered(cells.len());
    let layout = Layout::new(file, &names, options)?;
    let mut content = Content::new(Format::Npy, names, layout);
    for (at, cells) in cells.into_iter().enumerate() {
        let (name, role) = (&content.names[at], content.layout.roles[at]);
        match role {
            Role::Skip => {}
            Role::Target => content.target = Some(TargetCells::Numbers(doubles(&cells))),
            Role::Family | Role::Sample => {
                let ids = identifiers(file, name, &doubles(&cells))?;
                content.identify(role, ids);
            }
            _ => {
                let column = from_cells(file, name, cells, role, options.discrete_limit)?;
                content.columns.push(column);
            }
        }
    }
    Ok(content)
}

/// Numbers as identifiers of samples.
pub(crate) fn identifiers(file: &str, name: &str, values: &[f64]) -> Result<Vec<String>> {
    if let Some(row) = values.iter().position(|value| value.is_nan()) {
        return Err(ReadError::row_cell(file, row, name, CellError::MissingId));
    }
    Ok(values.iter().map(|value| format!("{}", value + 0.0)).collect())
}

pub(crate) fn from_cells(
    file: &str,
    name: &str,
    cells: ColumnValues<'static>,
    role: Role,
    limit: Option<usize>,
) -> Result<Column<'static>> {
    if role == Role::Nominal || limit.is_some() {
        let limit = if role == Role::Nominal { usize::MAX } else { limit.unwrap_or(0) };
        let values = doubles(&cells);
        if let Some(column) = discrete(name, &values, limit) {
            return column.map_err(|e| ReadError::table(file, e));
        }
        if role == Role::Nominal && values.iter().any(|value| !value.is_nan()) {
            let column = name.to_owned();
            return Err(ReadError::npy(file, NpyError::TooManyCategories { column }));
        }
    }
    if role == Role::Genotype {
        return genotypes(file, name, doubles(&cells));
    }
    let infinite = match &cells {
        ColumnValues::F32(lane) => lane.iter().position(f32::is_infinite),
        ColumnValues::F64(lane) => lane.iter().position(f64::is_infinite),
        ColumnValues::Nominal { .. } | ColumnValues::Genotype(_) => None,
    };
    if let Some(row) = infinite {
        return Err(ReadError::row_cell(file, row, name, CellError::InfiniteValue));
    }
    Ok(Column { name: name.to_owned(), values: cells })
}

/// Numbers as copies of an allele.
fn genotypes(file: &str, name: &str, values: Vec<f64>) -> Result<Column<'static>> {
    let is_genotype = |value: &f64| value.is_nan() || copies(*value).is_some();
    if let Some(row) = values.iter().position(|value| !is_genotype(value)) {
        let reason = CellError::NotCopies { found: values[row] };
        return Err(ReadError::row_cell(file, row, name, reason));
    }
    let cells = Genotypes::from_copies(values.into_iter().map(copies));
    cells.map(|cells| Column::genotypes(name, cells)).map_err(|e| ReadError::table(file, e))
}

/// Reads an array of one value a row: numbers, or texts as classes.
pub(crate) fn read_target(source: &mut Source<'_>) -> Result<TargetCells> {
    let file = source.name.clone();
    let mut input = source.open()?;
    let header = Header::read(&file, &mut input)?;
    let rows = match header.shape[..] {
        [rows] | [rows, 1] => rows,
        _ => {
            let shape = header.shape_text();
            return Err(ReadError::npy(&file, NpyError::TargetShape { shape }));
        }
    };
    let bytes = header.bytes(&file, rows)?;
    let data = take(&mut input, bytes).map_err(|e| ReadError::io(&file, e))?;
    if data.len() < bytes {
        return Err(header.cut_short(&file, data.len()));
    }
    header.expect_end(&file, &mut input)?;
    let cells = data.chunks_exact(header.size().max(1));
    if !matches!(header.kind, Type::Text(_) | Type::Bytes(_)) {
        return Ok(TargetCells::Numbers(cells.map(|bytes| header.number(bytes)).collect()));
    }
    Ok(TargetCells::Words(cells.map(|bytes| header.text(bytes)).collect()))
}

/// The type of the floats of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Floats {
    Single,
    Double,
}

/// Where the numbers of a whole file of bytes lie, if they can be read where they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub rows: usize,
    pub columns: usize,
    pub fortran: bool,
    pub kind: Floats,
    /// Bytes before the first number.
    pub offset: usize,
}

impl Shape {
    /// From the bytes of a `.npy` file.
    pub fn of(file: &str, bytes: &[u8]) -> Result<Self> {
        if !bytes.starts_with(MAGIC) {
            return Err(ReadError::npy(file, NpyError::NotMappable));
        }
        let mut input = bytes;
        let header = Header::read(file, &mut input)?;
        let (rows, columns) = table_shape(file, &header, "a table")?;
        let kind = match header.kind {
            Type::Float(4) => Some(Floats::Single),
            Type::Float(8) => Some(Floats::Double),
            _ => None,
        };
        let Some(kind) = kind.filter(|_| header.big_endian == cfg!(target_endian = "big")) else {
            return Err(ReadError::npy(file, NpyError::MappedType));
        };
        let total = header.bytes(file, rows * columns)?;
        if input.len() < total {
            return Err(header.cut_short(file, input.len()));
        }
        header.expect_end(file, &mut &input[total..])?;
        Ok(Self { rows, columns, fortran: header.fortran, kind, offset: bytes.len() - input.len() })
    }
}

/// The rows and columns of an array that is a table.
fn table_shape(file: &str, header: &Header, what: &'static str) -> Result<(usize, usize)> {
    let &[rows, columns] = &header.shape[..] else {
        let shape = header.shape_text();
        return Err(ReadError::npy(file, NpyError::NotTwoDimensions { shape, what }));
    };
    if rows == 0 || columns == 0 {
        return Err(ReadError::npy(file, NpyError::NoCells { shape: header.shape_text() }));
    }
    Ok((rows, columns))
}
