//! Rows as measures of pairs read them: every column as categories, or numbers beside them.

use crate::data::{
    Classes, Column, ColumnValues, Encoder, FittedColumn, Genotypes, Rows, Table, Target,
};
use crate::{Error, Result};

/// Numeric columns of more different values than this are measurements, not categories.
const MOST_NUMBERS: usize = 20;

/// Refuse a training column of too many different numbers; `instead` names measures that take it.
pub(super) fn refuse_numbers(
    column: &str,
    different: usize,
    (method, instead): (&str, &str),
) -> Result<()> {
    match different > MOST_NUMBERS {
        true => Err(Error::data(format!(
            "column `{column}` holds {different} different numbers and {method} compares \
             categories; cut it into intervals, or use {instead}"
        ))),
        false => Ok(()),
    }
}

/// A table whose numbers are read as categories; `check` is told of each such column its name and
/// how many different numbers it has.
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
    method: &str,
    instead: &str,
) -> Result<(Encoder, Rows)> {
    let check = |column: &str, different| refuse_numbers(column, different, (method, instead));
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
    method: &str,
) -> Result<&'t Classes> {
    let classes = match target {
        Some(Target::Classes(classes)) => classes,
        Some(Target::Real(_)) => {
            return Err(Error::data(format!(
                "{method} learns from classes and the target is real; use euclidean, manhattan or \
                 heom"
            )));
        }
        None => {
            return Err(Error::data(format!(
                "{method} learns from the classes of the training rows; give a target, or use \
                 counting, heom or lin"
            )));
        }
    };
    if classes.codes().len() != table.rows() {
        return Err(Error::data(format!(
            "the table has {} rows and there are {} labels; they must agree",
            table.rows(),
            classes.codes().len()
        )));
    }
    Ok(classes)
}
