//! Contributions: what one target row says about every feature.
//!
//! For target x and its neighbours z_j in class c with weights ω_j, the contribution is
//!
//! ```text
//! V_xc(A) = Σ_j ω_j diff(A, x, z_j)
//! ```
//!
//! one vector for each (target, class), reduced here and never stored for all rows. Where the
//! missing-value policy leaves a feature out of the update, the weights of the neighbours that
//! have it are scaled up to make good for the others; with none left it contributes nothing.
//!
//! Vectors are in *encoded order*, numeric columns before nominal ones; [`to_table_order`]
//! puts them back.

use super::common::Problem;
use crate::data::Rows;
use crate::data::{Encoder, Numbers};
use crate::measure::Measure;
use crate::neighbors::{absolute_differences, squared_differences};

/// A neighbour of a target and its weight.
pub(crate) type Weighted = (u32, f64);

/// First moments of differences and, when asked, second ones, in encoded order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moments {
    pub first: Vec<f64>,
    pub second: Option<Vec<f64>>,
}

impl Moments {
    pub fn new(features: usize, second: bool) -> Self {
        Self { first: vec![0.0; features], second: second.then(|| vec![0.0; features]) }
    }

    pub fn add(&mut self, factor: f64, other: &Self) {
        add_scaled(&mut self.first, factor, &other.first);
        if let (Some(mine), Some(theirs)) = (&mut self.second, &other.second) {
            add_scaled(mine, factor, theirs);
        }
    }

    pub fn clear(&mut self) {
        self.first.fill(0.0);
        if let Some(second) = &mut self.second {
            second.fill(0.0);
        }
    }
}

pub(crate) fn add_scaled(sums: &mut [f64], factor: f64, terms: &[f64]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += factor * term;
    }
}

/// V_xc of target `row` from its neighbours in one class, into `out`.
pub(crate) fn reduce(
    rows: &Rows,
    labels: &[u32],
    measure: &Measure,
    row: usize,
    neighbours: &[Weighted],
    out: &mut Moments,
) {
    out.clear();
    if rows.has_missing() {
        reduce_with_missing(rows, labels, measure, row, neighbours, out);
        return;
    }
    let numeric = rows.numeric();
    let (first, nominal) = out.first.split_at_mut(numeric);
    match rows.numbers() {
        Numbers::F64(cells) => absolute_differences(cells, numeric, row, neighbours, first),
        Numbers::F32(cells) => absolute_differences(cells, numeric, row, neighbours, first),
    }
    first.iter_mut().zip(measure.scale()).for_each(|(sum, scale)| *sum *= scale);
    let codes = rows.codes(row);
    for &(other, weight) in neighbours {
        for ((sum, x), z) in nominal.iter_mut().zip(codes).zip(rows.codes(other as usize)) {
            *sum += if x != z { weight } else { 0.0 };
        }
    }
    if let Some(second) = &mut out.second {
        let (squares, nominal_squares) = second.split_at_mut(numeric);
        match rows.numbers() {
            Numbers::F64(cells) => squared_differences(cells, numeric, row, neighbours, squares),
            Numbers::F32(cells) => squared_differences(cells, numeric, row, neighbours, squares),
        }
        squares.iter_mut().zip(measure.scale()).for_each(|(sum, scale)| *sum *= scale * scale);
        // A mismatch is 0 or 1 and its own square.
        nominal_squares.copy_from_slice(nominal);
    }
}

fn reduce_with_missing(
    rows: &Rows,
    labels: &[u32],
    measure: &Measure,
    row: usize,
    neighbours: &[Weighted],
    out: &mut Moments,
) {
    let numeric = rows.numeric();
    let skips = measure.unknown().policy().skips_in_update();
    let class = labels[row];
    let whole: f64 = neighbours.iter().map(|n| n.1).sum();
    for feature in 0..out.first.len() {
        let (mut first, mut second, mut used) = (0.0, 0.0, 0.0);
        for &(other, weight) in neighbours {
            let (other, other_class) = (other as usize, labels[other as usize]);
            let (diff, hole) = if feature < numeric {
                let (x, z) = (rows.number(row, feature), rows.number(other, feature));
                let diff = measure.numeric_cell(feature, (x, class), (z, other_class));
                (diff, x.is_nan() || z.is_nan())
            } else {
                let column = feature - numeric;
                let (x, z) = (rows.codes(row)[column], rows.codes(other)[column]);
                let missing = crate::data::MISSING;
                let diff = measure.nominal_cell(column, (x, class), (z, other_class));
                (diff, x == missing || z == missing)
            };
            let Some(diff) = diff.filter(|_| !(hole && skips)) else { continue };
            first += weight * diff;
            second += weight * diff * diff;
            used += weight;
        }
        let share = if skips && used > 0.0 { whole / used } else { 1.0 };
        out.first[feature] = first * share;
        if let Some(out) = &mut out.second {
            out[feature] = second * share;
        }
    }
}

/// A vector in encoded order, put into the order of the table's columns.
pub(crate) fn to_table_order(encoder: &Encoder, encoded: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; encoded.len()];
    for (value, column) in
        encoded.iter().zip(encoder.numeric().into_iter().chain(encoder.nominal()))
    {
        out[column] = *value;
    }
    out
}

impl Problem<'_> {
    pub fn reduce(&self, row: usize, neighbours: &[Weighted], out: &mut Moments) {
        reduce(&self.rows, self.classes.codes(), &self.measure, row, neighbours, out);
    }
}
