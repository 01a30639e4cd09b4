//! The cells of one feature, and the differences between them.

use crate::data::{Encoder, FittedColumn, MISSING, Rows};
use crate::measure::Measure;
use crate::neighbors::for_each_isa;

/// One feature's cells in row order, as numbers, with the way to their differences.
#[derive(Debug, Clone)]
pub(super) struct Cells<'a> {
    /// Numbers, or codes as numbers; how a missing cell looks depends on `kind`.
    pub values: Vec<f64>,
    kind: Kind<'a>,
}

/// How two cells are compared.
#[derive(Debug, Clone)]
enum Kind<'a> {
    /// |x − z| times this.
    Scaled(f64),
    /// 0 if equal, else 1.
    Mismatch,
    /// By the table of all pairs of codes, this many a row; the last code stands for missing.
    Table(usize, Vec<f64>),
    /// By the measure, with numeric column `.1`: ramps and missing numbers.
    Measured(&'a Measure, usize),
}

/// Do `$body` with `$difference` bound to the function that compares two values.
macro_rules! with_difference {
    ($cells:expr, $difference:ident => $body:expr) => {
        match &$cells.kind {
            Kind::Scaled(scale) => {
                let scale = *scale;
                let $difference = move |x: f64, z: f64| (x - z).abs() * scale;
                $body
            }
            Kind::Mismatch => {
                let $difference = |x: f64, z: f64| if x == z { 0.0 } else { 1.0 };
                $body
            }
            Kind::Table(width, table) => {
                let $difference = |x: f64, z: f64| table[x as usize * width + z as usize];
                $body
            }
            Kind::Measured(measure, column) => {
                // A pair that the policy leaves out speaks neither for nor against the feature.
                let $difference =
                    |x: f64, z: f64| measure.numeric_cell(*column, (x, 0), (z, 0)).unwrap_or(0.0);
                $body
            }
        }
    };
}

/// All features in table order.
pub(super) fn all<'a>(encoder: &Encoder, rows: &Rows, measure: &'a Measure) -> Vec<Cells<'a>> {
    let (mut number, mut code) = (0, 0);
    let mut columns = Vec::with_capacity(encoder.columns().len());
    for fitted in encoder.columns() {
        columns.push(match fitted {
            FittedColumn::Numeric { .. } => {
                number += 1;
                Cells::numeric(rows, measure, number - 1)
            }
            FittedColumn::Nominal { categories, .. } => {
                code += 1;
                Cells::nominal(rows, measure, code - 1, categories.len())
            }
            FittedColumn::Genotype => {
                code += 1;
                Cells::nominal(rows, measure, code - 1, 3)
            }
        });
    }
    columns
}

impl<'a> Cells<'a> {
    fn numeric(rows: &Rows, measure: &'a Measure, column: usize) -> Self {
        let values: Vec<f64> = (0..rows.len()).map(|row| rows.number(row, column)).collect();
        let plain = measure.ramp().is_none() && values.iter().all(|x| !x.is_nan());
        let kind = match plain {
            true => Kind::Scaled(measure.scale()[column]),
            false => Kind::Measured(measure, column),
        };
        Self { values, kind }
    }

    fn nominal(rows: &Rows, measure: &Measure, column: usize, categories: usize) -> Self {
        let codes: Vec<u16> = (0..rows.len()).map(|row| rows.code(row, column)).collect();
        let missing = codes.contains(&MISSING);
        let value = |code: u16| if code == MISSING { categories as f64 } else { f64::from(code) };
        let values = codes.into_iter().map(value).collect();
        if !missing {
            return Self { values, kind: Kind::Mismatch };
        }
        let width = categories + 1;
        let code = |at: usize| if at == categories { MISSING } else { at as u16 };
        let table = (0..width * width).map(|at| {
            let pair = ((code(at / width), 0), (code(at % width), 0));
            measure.nominal_cell(column, pair.0, pair.1).unwrap_or(0.0)
        });
        Self { values, kind: Kind::Table(width, table.collect()) }
    }

    /// The differences from `row` to every row.
    pub fn differences(&self, row: usize, out: &mut Vec<f64>) {
        out.clear();
        let own = self.values[row];
        with_difference!(self, difference => {
            out.extend(self.values.iter().map(|&x| difference(own, x)));
        });
    }

    /// True when no two rows differ.
    pub fn is_constant(&self) -> bool {
        let mut out = Vec::new();
        self.differences(0, &mut out);
        let first_to_all = out.iter().all(|&d| d == 0.0);
        // A cell that differs from none may stand between cells that differ (a missing one).
        first_to_all && {
            with_difference!(self, difference => {
                let distinct = distinct(&self.values);
                distinct.iter().all(|&x| distinct.iter().all(|&z| difference(x, z) == 0.0))
            })
        }
    }

    /// True for two categories.
    pub fn is_binary(&self) -> bool {
        match &self.kind {
            Kind::Mismatch => self.values.iter().all(|&code| code <= 1.0),
            Kind::Table(width, _) => *width <= 3,
            Kind::Scaled(_) | Kind::Measured(..) => false,
        }
    }

    /// The values as numbers whose correlation with another feature's says that both are linked:
    /// numbers and counts of alleles. None for unordered categories.
    pub fn counts(&self, ordered: bool) -> Option<Vec<f64>> {
        let missing = |x: f64| match &self.kind {
            Kind::Table(width, _) => x as usize + 1 == *width,
            _ => x.is_nan(),
        };
        let nominal = matches!(self.kind, Kind::Mismatch | Kind::Table(..));
        if nominal && !ordered {
            return None;
        }
        let known: Vec<f64> = self.values.iter().copied().filter(|&x| !missing(x)).collect();
        let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
        Some(self.values.iter().map(|&x| if missing(x) { mean } else { x }).collect())
    }

    /// −Σ_ij H_ij diff(i, j) when the cells have been moved: row i has the cell of `orders[b][i]`,
    /// for every order b. `starts`, `rows` and `h` are the entries of H, row by row.
    pub fn moved(&self, entries: (&[usize], &[u32], &[f64]), orders: &[Vec<u32>]) -> Vec<f64> {
        let mut sums = Vec::with_capacity(orders.len());
        for orders in orders.chunks(LANES) {
            let mut lanes = vec![[0.0; LANES]; self.values.len()];
            for (lane, order) in orders.iter().enumerate() {
                for (cell, &from) in lanes.iter_mut().zip(order) {
                    cell[lane] = self.values[from as usize];
                }
            }
            let found = with_difference!(self, difference => {
                weighted_differences(entries, &lanes, difference)
            });
            sums.extend(found[..orders.len()].iter().map(|sum| -sum));
        }
        sums
    }
}

/// The different values, ascending; a NaN stands for all.
fn distinct(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup_by(|a, b| a.to_bits() == b.to_bits());
    sorted
}

/// Exchanges that are worked on together.
pub(super) const LANES: usize = 16;

for_each_isa! {
    /// Σ_ij h_ij · difference(cell_i, cell_j), for each lane.
    fn weighted_differences[D: Fn(f64, f64) -> f64](
        entries: (&[usize], &[u32], &[f64]),
        lanes: &[[f64; LANES]],
        difference: D,
    ) -> [f64; LANES] {
        let (starts, rows, h) = entries;
        let mut sums = [0.0; LANES];
        for (own, span) in lanes.iter().zip(starts.windows(2)) {
            let near = rows[span[0]..span[1]].iter().zip(&h[span[0]..span[1]]);
            for (&row, &h) in near {
                let other = &lanes[row as usize];
                for lane in 0..LANES {
                    sums[lane] += h * difference(own[lane], other[lane]);
                }
            }
        }
        sums
    }
}

/// r² of two columns of numbers; 0 where one does not vary.
pub(super) fn squared_correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (mean_a, mean_b) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x - mean_a, y - mean_b);
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    if aa * bb > 0.0 { ab * ab / (aa * bb) } else { 0.0 }
}
