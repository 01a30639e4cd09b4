//! Contributions: what one target row adds to the weight of every feature.
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
//! Misses of several classes that compete for the same places are scaled together.
//!
//! Vectors are in *encoded order*, numeric columns before nominal ones; [`to_table_order`]
//! puts them back.
//!
//! Lower bound for k neighbours: for numbers that of `neighbors::difference`; for p codes k · p
//! comparisons and additions and 2 · k · p bytes read; for packed rows that of `packed`, and with
//! missing cells that of `holed`.

use super::common::Problem;
use super::neighbourhood::Group;
use crate::data::{Encoder, MISSING, NumericCells, Rows};
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

/// A sum over neighbours that weigh `used`, as if they weighed `whole`.
pub(super) fn made_good(sum: f64, whole: f64, used: f64) -> f64 {
    let share = if used != 0.0 { whole / used } else { 1.0 };
    // Weights may be so small that nothing can be divided by them.
    if share.is_finite() { sum * share } else { sum / used * whole }
}

/// Rows, labels and measure, from which contributions are reduced.
pub(crate) struct Reduction<'a> {
    pub rows: &'a Rows,
    pub labels: &'a [u32],
    pub measure: &'a Measure,
}

impl Reduction<'_> {
    /// V_xc of target `row` from its neighbours in one class, into `out`.
    ///
    /// When a cell of a neighbour is missing and the policy leaves it out, the neighbours in
    /// `pool` take its place.
    pub fn reduce(
        &self,
        row: usize,
        neighbours: &[Weighted],
        pool: &[Weighted],
        out: &mut Moments,
    ) {
        out.clear();
        let Self { rows, measure, .. } = *self;
        if let Some(packed) = rows.packed() {
            self.reduce_packed(packed, row, neighbours, pool, out);
            return;
        }
        if rows.has_missing() || measure.ramp().is_some() {
            self.reduce_holed(row, neighbours, pool, out);
            return;
        }
        let numeric = rows.numeric();
        let (first, nominal) = out.first.split_at_mut(numeric);
        match rows.numbers() {
            NumericCells::F64(cells) => {
                absolute_differences(cells, numeric, row, neighbours, first)
            }
            NumericCells::F32(cells) => {
                absolute_differences(cells, numeric, row, neighbours, first)
            }
        }
        first.iter_mut().zip(measure.scale()).for_each(|(sum, scale)| *sum *= scale);
        let codes = rows.codes(row);
        for &(other, weight) in neighbours {
            for ((sum, x), z) in
                nominal.iter_mut().zip(codes.iter()).zip(rows.codes(other as usize).iter())
            {
                *sum += if x != z { weight } else { 0.0 };
            }
        }
        if let Some(second) = &mut out.second {
            let (squares, nominal_squares) = second.split_at_mut(numeric);
            match rows.numbers() {
                NumericCells::F64(cells) => {
                    squared_differences(cells, measure.scale(), row, neighbours, squares)
                }
                NumericCells::F32(cells) => {
                    squared_differences(cells, measure.scale(), row, neighbours, squares)
                }
            }
            // A mismatch is 0 or 1 and its own square.
            nominal_squares.copy_from_slice(nominal);
        }
    }

    /// The difference that enters the update; `None` where the policy leaves it out.
    pub fn diff(&self, feature: usize, row: usize, other: usize) -> Option<f64> {
        self.cell(feature, row, other).0
    }

    /// [`Reduction::diff`], and whether one of the cells is missing.
    #[inline]
    pub(super) fn cell(&self, feature: usize, row: usize, other: usize) -> (Option<f64>, bool) {
        let Self { rows, labels, measure } = *self;
        if let Some(packed) = rows.packed() {
            // Most cells are known and need no policy.
            let (x, z) = (packed.code(row, feature), packed.code(other, feature));
            if x != MISSING && z != MISSING {
                return (Some(f64::from(u8::from(x != z))), false);
            }
        }
        let (class, other_class) = (labels[row], labels[other]);
        let numeric = rows.numeric();
        let (diff, hole) = if feature < numeric {
            let (x, z) = (rows.number(row, feature), rows.number(other, feature));
            let diff = measure.numeric_cell(feature, (x, class), (z, other_class));
            (diff, x.is_nan() || z.is_nan())
        } else {
            let column = feature - numeric;
            let (x, z) = (rows.code(row, column), rows.code(other, column));
            let diff = measure.nominal_cell(column, (x, class), (z, other_class));
            (diff, x == MISSING || z == MISSING)
        };
        let left_out = hole && measure.unknown().policy().skips_in_update();
        (diff.filter(|_| !left_out), hole)
    }

    /// Turn Σ ω diff into Σ ω (1 − diff), all-missing columns and features that were left out
    /// staying at 0.
    fn complement(&self, row: usize, neighbours: &[Weighted], out: &mut Moments) {
        let whole: f64 = neighbours.iter().map(|n| n.1).sum();
        let (missing, unknown) = (self.rows.has_missing(), self.measure.unknown());
        let skips = unknown.policy().skips_in_update();
        for (feature, sum) in out.first.iter_mut().enumerate() {
            let none =
                || neighbours.iter().all(|n| self.diff(feature, row, n.0 as usize).is_none());
            if !(missing && (!unknown.knows(feature) || (skips && none()))) {
                *sum = whole - *sum;
            }
        }
    }
}

/// A vector in encoded order, put into the order of the table's columns.
pub(crate) fn to_table_order<T: Copy + Default>(encoder: &Encoder, encoded: &[T]) -> Vec<T> {
    let mut out = vec![T::default(); encoded.len()];
    for (value, column) in
        encoded.iter().zip(encoder.numeric().into_iter().chain(encoder.nominal()))
    {
        out[column] = *value;
    }
    out
}

impl Problem<'_> {
    /// Rows, labels and measure of the problem, for [`Reduction::reduce`].
    pub fn reduction(&self) -> Reduction<'_> {
        Reduction { rows: &self.rows, labels: self.classes.codes(), measure: &self.measure }
    }

    /// V_xc of target `row` from a group of its neighbours, into `out`.
    pub fn reduce(&self, row: usize, group: &Group, out: &mut Moments) {
        let of = self.reduction();
        let members = group.weighted(self);
        let pool = group.pool.as_deref().unwrap_or(&members);
        of.reduce(row, &members, pool, out);
        if group.equal {
            of.complement(row, &members, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::made_good;

    #[test]
    fn weights_are_made_good_however_small_they_are() {
        assert_eq!(made_good(0.25, 1.0, 0.5), 0.5);
        assert_eq!(made_good(0.0, 1.0, 0.0), 0.0);
        // 1 / 6e-317 is beyond all numbers.
        assert_eq!(made_good(0.0, 1.0, 6e-317), 0.0);
        assert_eq!(made_good(6e-317, 1.0, 6e-317), 1.0);
    }
}
