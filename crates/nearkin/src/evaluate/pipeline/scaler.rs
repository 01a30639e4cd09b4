//! [`Scaler`]: columns of numbers brought to one scale, by what training rows say.

use crate::Result;
use crate::data::{Column, ColumnValues, Encoder, FittedColumn, Table};
use crate::measure::Scaling;

/// x ↦ (x − shift) · factor of every numeric column; nominal columns stay.
///
/// ```text
/// minmax: (x − min) / (max − min)     zscore: (x − mean) / deviation     none: x
/// ```
///
/// A column without spread becomes 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaler {
    moves: Vec<Option<(f64, f64)>>,
}

impl Scaler {
    /// What `scaling` does to the columns of `table`.
    ///
    /// # Errors
    /// When the table has no columns, or one that cannot be encoded.
    pub fn fit(scaling: Scaling, table: &Table) -> Result<Self> {
        let encoder = Encoder::fit(table)?;
        let moves = encoder.columns().iter().map(|fitted| match (scaling, fitted) {
            (Scaling::None, _) | (_, FittedColumn::Nominal { .. } | FittedColumn::Genotype) => None,
            (_, &FittedColumn::Numeric { min, max, mean, deviation }) => {
                let (shift, width) = match scaling {
                    Scaling::ZScore => (mean, deviation),
                    _ => (min, max - min),
                };
                let factor = 1.0 / width;
                let spread = max > min && factor.is_finite();
                Some((shift, if spread { factor } else { 0.0 }))
            }
        });
        Ok(Self { moves: moves.collect() })
    }

    /// A table with the same columns in the same order, scaled.
    ///
    /// # Errors
    /// When a scaled cell would be infinite.
    pub fn scale<'t>(&self, table: &'t Table<'t>) -> Result<Table<'t>> {
        let columns = table.columns().iter().zip(&self.moves).map(|(column, moved)| {
            let Some((shift, factor)) = *moved else { return column.view() };
            let to = |x: f64| if factor == 0.0 { 0.0 } else { (x - shift) * factor };
            match &column.values {
                ColumnValues::F64(lane) => {
                    Column::numeric(&column.name, lane.iter().map(to).collect())
                }
                ColumnValues::F32(lane) => {
                    let cells = lane.iter().map(|x| to(f64::from(x)));
                    Column::numeric(&column.name, cells.collect())
                }
                ColumnValues::Nominal { .. } | ColumnValues::Genotype(_) => column.view(),
            }
        });
        Table::new(columns.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_columns_fill_the_range_or_have_deviation_one() {
        let table = Table::new(vec![
            Column::numeric("x", vec![2.0, 4.0, 6.0]),
            Column::numeric("still", vec![5.0; 3]),
        ])
        .unwrap();
        let scaled = |scaling| {
            let scaled = Scaler::fit(scaling, &table).unwrap();
            let scaled = scaled.scale(&table).unwrap().into_owned();
            let cells = |at: usize| match &scaled.columns()[at].values {
                ColumnValues::F64(lane) => lane.iter().collect::<Vec<f64>>(),
                _ => Vec::new(),
            };
            (cells(0), cells(1))
        };
        assert_eq!(scaled(Scaling::MinMax), (vec![0.0, 0.5, 1.0], vec![0.0; 3]));
        let (z, _) = scaled(Scaling::ZScore);
        assert!((z[2] - 1.5f64.sqrt()).abs() < 1e-15 && z[1] == 0.0);
        assert_eq!(scaled(Scaling::None), (vec![2.0, 4.0, 6.0], vec![5.0; 3]));
    }
}
