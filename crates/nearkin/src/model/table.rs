//! Rows of a table as parts of a model: numbers in one tensor, codes in another.

use serde_json::Value;

use super::container::{Cells, damaged};
use super::parts::{Reader, Writer};
use crate::Result;
use crate::data::{Column, Lane, Table, Values};

/// Put the cells of `table` under `place`.
pub(crate) fn write(to: &mut Writer, place: &str, table: &Table) {
    let name = |part: &str| format!("{place}.{part}");
    let (columns, rows) = (table.columns(), table.rows());
    let kind = |column: &Column| match column.values {
        Values::F64(_) => "f64",
        Values::F32(_) => "f32",
        Values::Nominal { .. } => "nominal",
    };
    to.word(&name("names"), table.names().map(str::to_owned).collect::<Vec<_>>());
    to.word(&name("kinds"), columns.iter().map(kind).collect::<Vec<_>>());
    let mut categories: Vec<Value> = Vec::new();
    let (mut numbers, mut codes) = (Vec::new(), Vec::new());
    for row in 0..rows {
        for column in columns {
            match &column.values {
                Values::F64(lane) => numbers.push(lane.at(row)),
                Values::F32(lane) => numbers.push(f64::from(lane.at(row))),
                Values::Nominal { codes: cells, .. } => codes.push(cells[row]),
            }
        }
    }
    for column in columns {
        if let Values::Nominal { categories: names, .. } = &column.values {
            categories.push(Value::from(names.as_slice()));
        }
    }
    let nominal = categories.len();
    to.word(&name("categories"), categories);
    to.wholes(&name("count"), [rows as u64]);
    to.reals(&name("numbers"), &[rows, columns.len() - nominal], &numbers);
    to.tensor(&name("codes"), &[rows, nominal], Cells::U16(codes));
}

/// The table that was put under `place`.
pub(crate) fn read(from: &Reader, place: &str) -> Result<Table<'static>> {
    let name = |part: &str| format!("{place}.{part}");
    let (names, kinds) = (from.words(&name("names"))?, from.words(&name("kinds"))?);
    let rows = from.whole(&name("count"))?;
    let numbers = from.reals(&name("numbers"))?;
    let Cells::U16(codes) = &from.tensor(&name("codes"))?.cells else {
        return Err(damaged("its rows have codes of another type"));
    };
    let mut categories = from.value(&name("categories"))?.as_array().into_iter().flatten();
    let nominal = kinds.iter().filter(|kind| *kind == "nominal").count();
    let numeric = kinds.len() - nominal;
    let fits = |cells: usize, width: usize| rows.checked_mul(width) == Some(cells);
    if names.len() != kinds.len() || !fits(numbers.len(), numeric) || !fits(codes.len(), nominal) {
        return Err(damaged("its rows and their columns do not agree"));
    }
    let (mut number, mut code) = (0, 0);
    let mut columns = Vec::with_capacity(names.len());
    for (name, kind) in names.into_iter().zip(&kinds) {
        if kind == "nominal" {
            let words = categories.next().and_then(Value::as_array);
            let word = |value: &Value| value.as_str().map(str::to_owned);
            let words = words.and_then(|all| all.iter().map(word).collect());
            let words: Vec<String> = words.ok_or_else(|| damaged("its categories are no words"))?;
            let cells = codes.iter().skip(code).step_by(nominal).copied().collect();
            columns.push(Column::from_codes(name, cells, words)?);
            code += 1;
            continue;
        }
        let cells = numbers.iter().skip(number).step_by(numeric).copied();
        let values = match kind.as_str() {
            "f32" => Values::F32(Lane::owned(cells.map(|x| x as f32).collect())),
            _ => Values::F64(Lane::owned(cells.collect())),
        };
        columns.push(Column { name, values });
        number += 1;
    }
    Table::new(columns)
}
