//! Rows of a table as parts of a model: numbers in one tensor, codes in another.

use serde_json::Value;

use super::container::Cells;
use super::parts::{Reader, Writer};
use crate::data::{Column, ColumnValues, Genotypes, Lane, MISSING, Table};
use crate::{Damage, Result};

/// Kinds of columns whose cells are codes.
const CODED: [&str; 3] = ["nominal", "genotype", "additive"];

/// Put the cells of `table` under `place`.
pub(crate) fn write(to: &mut Writer, place: &str, table: &Table) {
    let name = |part: &str| format!("{place}.{part}");
    let (columns, rows) = (table.columns(), table.rows());
    let kind = |column: &Column| match &column.values {
        ColumnValues::F64(_) => "f64",
        ColumnValues::F32(_) => "f32",
        ColumnValues::Nominal { .. } => "nominal",
        ColumnValues::Genotype(cells) if cells.is_additive() => "additive",
        ColumnValues::Genotype(_) => "genotype",
    };
    to.word(&name("names"), table.names().map(str::to_owned).collect::<Vec<_>>());
    to.word(&name("kinds"), columns.iter().map(kind).collect::<Vec<_>>());
    let mut categories: Vec<Value> = Vec::new();
    let (mut numbers, mut codes) = (Vec::new(), Vec::new());
    for row in 0..rows {
        for column in columns {
            match &column.values {
                ColumnValues::F64(lane) => numbers.push(lane.at(row)),
                ColumnValues::F32(lane) => numbers.push(f64::from(lane.at(row))),
                ColumnValues::Nominal { codes: cells, .. } => codes.push(cells[row]),
                ColumnValues::Genotype(cells) => {
                    codes.push(cells.at(row).map_or(MISSING, u16::from))
                }
            }
        }
    }
    for column in columns {
        if let ColumnValues::Nominal { categories: names, .. } = &column.values {
            categories.push(Value::from(names.as_slice()));
        }
    }
    let coded = columns.iter().filter(|column| CODED.contains(&kind(column))).count();
    to.word(&name("categories"), categories);
    to.wholes(&name("count"), [rows as u64]);
    to.reals(&name("numbers"), &[rows, columns.len() - coded], &numbers);
    to.tensor(&name("codes"), &[rows, coded], Cells::U16(codes));
}

/// The table that was put under `place`.
pub(crate) fn read(from: &Reader, place: &str) -> Result<Table<'static>> {
    let name = |part: &str| format!("{place}.{part}");
    let (names, kinds) = (from.words(&name("names"))?, from.words(&name("kinds"))?);
    let rows = from.whole(&name("count"))?;
    let numbers = from.reals(&name("numbers"))?;
    let Cells::U16(codes) = &from.tensor(&name("codes"))?.cells else {
        return Err(Damage::CodesType.into());
    };
    let mut categories = from.value(&name("categories"))?.as_array().into_iter().flatten();
    let coded = kinds.iter().filter(|kind| CODED.contains(&kind.as_str())).count();
    let numeric = kinds.len() - coded;
    let fits = |cells: usize, width: usize| rows.checked_mul(width) == Some(cells);
    if names.len() != kinds.len() || !fits(numbers.len(), numeric) || !fits(codes.len(), coded) {
        return Err(Damage::RowsDisagree.into());
    }
    let (mut number, mut code) = (0, 0);
    let mut columns = Vec::with_capacity(names.len());
    for (name, kind) in names.into_iter().zip(&kinds) {
        if CODED.contains(&kind.as_str()) {
            let cells = codes.iter().skip(code).step_by(coded).copied();
            code += 1;
            if kind != "nominal" {
                columns.push(Column::genotypes(name, genotypes(cells, kind == "additive")?));
                continue;
            }
            let words = categories.next().and_then(Value::as_array);
            let word = |value: &Value| value.as_str().map(str::to_owned);
            let words = words.and_then(|all| all.iter().map(word).collect());
            let words: Vec<String> = words.ok_or(Damage::Categories)?;
            columns.push(Column::from_codes(name, cells.collect(), words)?);
            continue;
        }
        let cells = numbers.iter().skip(number).step_by(numeric).copied();
        let values = match kind.as_str() {
            "f32" => ColumnValues::F32(Lane::owned(cells.map(|x| x as f32).collect())),
            _ => ColumnValues::F64(Lane::owned(cells.collect())),
        };
        columns.push(Column { name, values });
        number += 1;
    }
    Table::new(columns)
}

/// Copies of an allele from their codes.
fn genotypes(codes: impl Iterator<Item = u16>, additive: bool) -> Result<Genotypes<'static>> {
    let copies = |code: u16| match code {
        MISSING => Ok(None),
        0..=2 => Ok(Some(code as u8)),
        _ => Err(Damage::Genotype.into()),
    };
    let cells = Genotypes::from_copies(codes.map(copies).collect::<Result<Vec<_>>>()?)?;
    Ok(if additive { cells.additive() } else { cells })
}
