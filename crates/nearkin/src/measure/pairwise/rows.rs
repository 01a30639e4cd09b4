//! Rows as measures of pairs read them: every column as categories, or numbers beside them.

use crate::data::{
    Classes, Column, ColumnValues, Encoder, FittedColumn, Genotypes, Rows, Table, Target,
};
use crate::{DataError, MeasureError, Result};

/// Numeric columns of more different values than this are measurements, not categories.
const MOST_NUMBERS: usize = 20;

/// Refuse a training column of too many different numbers; `instead` names measures that take it.
pub(super) fn refuse_numbers(
    column: &str,
    different: usize,
    (measure, instead): (&'static str, &'static str),
) -> Result<()> {
    match different > MOST_NUMBERS {
        true => {
            let column = column.to_owned();
            Err(MeasureError::TooManyNumbers { column, different, measure, instead }.into())
        }
        false => Ok(()),
    }
}

/// A table whose numbers are read as categories; `check` takes the name of each such column and
/// its number of different values.
pub(super) fn by_category(
    table: &Table,
    check: impl Fn(&str, usize) -> Result<()>,
) -> Result<Table<'static>> {
    let columns = table.columns().iter().map(|column| {
        let written = |x: f64| (!x.is_nan()).then(|| (x + 0.0).to_string());
        let cells: Vec<Option<String>> = match &column.values {
            ColumnValues::F64(lane) => lane.iter().map(written).collect(),
            ColumnValues::F32(lane) => lane.iter().map(|x| written(f64::from(x))).collect(),
            ColumnValues::Nominal { .. } => return Ok(column.clone().into_owned()),
            ColumnValues::Genotype(cells) => {
                (0..cells.len()).map(|row| cells.at(row).map(|c| c.to_string())).collect()
            }
        };
        let turned = Column::nominal(column.name.clone(), &cells)?;
        let ColumnValues::Nominal { categories, .. } = &turned.values else { return Ok(turned) };
        check(&column.name, categories.len())?;
        Ok(turned)
    });
    Table::new(columns.collect::<Result<_>>()?)
}

/// Learn the categories of every column.
pub(super) fn fit_categories(
    table: &Table,
    measure: &'static str,
    instead: &'static str,
) -> Result<(Encoder, Rows)> {
    let check = |column: &str, different| refuse_numbers(column, different, (measure, instead));
    let table = by_category(table, check)?;
    let encoder = Encoder::fit(&table)?;
    let rows = encoder.encode(&table)?.wide();
    Ok((encoder, rows))
}

/// The rows of a table under categories learned before.
pub(super) fn categories(encoder: &Encoder, table: &Table) -> Result<Rows> {
    Ok(encoder.encode(&by_category(table, |_, _| Ok(()))?)?.wide())
}

/// The number of categories of every nominal column.
pub(super) fn sizes(encoder: &Encoder) -> Vec<usize> {
    let nominal = encoder.columns().iter().filter_map(|fitted| match fitted {
        FittedColumn::Nominal { categories } => Some(categories.len()),
        FittedColumn::Genotype => Some(Genotypes::CATEGORIES.len()),
        FittedColumn::Numeric { .. } => None,
    });
    nominal.collect()
}

/// The classes a supervised measure learns from.
pub(super) fn classes<'t>(
    table: &Table,
    target: Option<&'t Target>,
    measure: &'static str,
) -> Result<&'t Classes> {
    let classes = match target {
        Some(Target::Classes(classes)) => classes,
        Some(Target::Real(_)) => return Err(MeasureError::RealTarget { measure }.into()),
        None => return Err(MeasureError::NoTarget { measure }.into()),
    };
    let (table, target) = (table.rows(), classes.codes().len());
    if table != target {
        return Err(DataError::RowsDisagree { table, target }.into());
    }
    Ok(classes)
}
