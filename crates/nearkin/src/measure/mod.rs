//! How alike two rows are: the difference of two cells and the distance of two rows.
//!
//! ```text
//! nominal:  diff(A, x, z) = 0 if equal, else 1
//! numeric:  diff(A, x, z) = |x_A − z_A| · s_A        s_A = 1/(max − min), 1/sd, or 1
//! Manhattan  d(x, z) = Σ_A f_A · diff(A, x, z)        (f_A s_A multiplied first)
//! Euclidean  d(x, z) = √ Σ_A f_A · diff(A, x, z)²     (HEOM, with missing cells at 1)
//! ```
//!
//! with a factor f_A ≥ 0 for each feature, 1 unless a method weighs features. This file is
//! the definition, in double precision: numeric columns summed in order, nominal columns
//! summed in order, cells with a missing value summed in order, and the three added. The fast
//! paths in [`neighbors`](crate::neighbors) answer to it.
//!
//! [`Similarity`] is the other way to say how alike rows are: xᵀAy / N(x, y), which can be
//! learned. [`pairwise`] lists the measures that make a similarity matrix of a table.

mod eigen;
mod matrix;
mod missing;
mod norm;
pub mod pairwise;
mod prepared;
mod row_scale;
mod scorer;
mod similarity;
mod vectors;
mod whitening;

use crate::data::{
    Encoder, FittedColumn, MISSING, NumericCells, Rows, missing as missing_in, ones,
};
use crate::{MeasureError, Result, choice};

pub use eigen::Eigen;
pub use matrix::{Form, SquareMatrix, dot};
pub use missing::{BINS, CellCounts, Missing, Unknown};
pub use norm::{Norm, OwnNorm};
pub(crate) use prepared::to_length_one;
pub use prepared::{Preparation, Prepared};
pub use row_scale::RowScale;
pub(crate) use scorer::Scorer;
pub use similarity::{Compare, Similarity};
pub use vectors::{OwnedVectors, Row, Vectors};
pub use whitening::Whitening;

choice! {
    /// When a method that learns weights of features clips those below 0.
    pub enum Clip {
        /// After every row that is visited, as published.
        EachStep = "each-step",
        /// Once, and scaled to length 1.
        Closed = "closed",
    }
}

choice! {
    /// How differences of features add up to a distance.
    pub enum Metric {
        /// The sum of differences.
        Manhattan = "manhattan",
        /// The root of the sum of squared differences.
        Euclidean = "euclidean",
    }
}

choice! {
    /// Divisor of a numeric difference.
    pub enum Scaling {
        /// The training range: differences lie in [0, 1].
        MinMax = "minmax",
        /// The training standard deviation.
        ZScore = "zscore",
        /// Nothing.
        None = "none",
    }
}

/// Numeric differences as a ramp: nothing below `equal`, all above `different`.
///
/// ```text
/// 0 if d ≤ t_eq;  1 if d > t_diff;  (d − t_eq)/(t_diff − t_eq) between
/// ```
///
/// It makes up for numeric features, whose differences are small, standing beside nominal ones,
/// whose differences are 0 or 1. Thresholds are in units of the scaled difference, so shares of
/// the range under range scaling. Reference: Robnik-Šikonja & Kononenko 2003, equation 34.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ramp {
    /// t_eq: differences up to this count as none.
    pub equal: f64,
    /// t_diff: differences above this count as 1.
    pub different: f64,
}

impl Ramp {
    /// The ramp of a scaled difference; NaN stays NaN.
    #[inline(always)]
    pub fn of(self, diff: f64) -> f64 {
        let Self { equal, different } = self;
        if diff <= equal {
            0.0
        } else if diff > different {
            1.0
        } else {
            (diff - equal) / (different - equal)
        }
    }
}

/// An expression of the numbers `$x` of rows `$a` and `$z` of `$b`, each in its own precision.
macro_rules! in_own_precision {
    ($a:ident, $b:ident, |$x:ident, $z:ident| $of:expr) => {
        match ($a.numbers(), $b.numbers()) {
            (NumericCells::F64($x), NumericCells::F64($z)) => $of,
            (NumericCells::F32($x), NumericCells::F32($z)) => $of,
            (NumericCells::F64($x), NumericCells::F32($z)) => $of,
            (NumericCells::F32($x), NumericCells::F64($z)) => $of,
        }
    };
}

/// A distance between encoded rows, with everything it needs from the training rows.
#[derive(Debug, Clone)]
#[must_use]
pub struct Measure {
    metric: Metric,
    /// s_A of the numeric columns.
    scale: Vec<f64>,
    /// f_A of the numeric and of the nominal columns.
    factors: [Vec<f64>; 2],
    /// f_A s_A of the numeric columns.
    products: Vec<f64>,
    /// Where the training range begins and ends, for missing values and for centring.
    range: Vec<(f64, f64)>,
    unknown: Unknown,
    ramp: Option<Ramp>,
    /// All factors of nominal columns are 1.
    counted: bool,
    /// The sum of all factors.
    whole: f64,
}

impl Measure {
    /// The measure of `encoder`'s columns, all factors 1.
    ///
    /// `unknown` gives the difference to a missing cell.
    pub fn new(encoder: &Encoder, metric: Metric, scaling: Scaling, unknown: Unknown) -> Self {
        let mut scale = Vec::new();
        let mut range = Vec::new();
        for fitted in encoder.columns() {
            if let FittedColumn::Numeric { min, max, deviation, .. } = *fitted {
                range.push((min, max));
                let reciprocal = match scaling {
                    _ if max <= min => 0.0,
                    Scaling::MinMax => 1.0 / (max - min),
                    Scaling::ZScore => 1.0 / deviation,
                    Scaling::None => 1.0,
                };
                // A range too small to divide by is no range.
                scale.push(if reciprocal.is_finite() { reciprocal } else { 0.0 });
            }
        }
        let factors = [vec![1.0; scale.len()], vec![1.0; encoder.nominal().len()]];
        let whole = factors.iter().flatten().sum();
        Self {
            metric,
            products: scale.clone(),
            scale,
            factors,
            range,
            unknown,
            ramp: None,
            counted: true,
            whole,
        }
    }

    /// The same measure with numeric differences as a ramp.
    pub fn with_ramp(self, ramp: Ramp) -> Self {
        Self { ramp: Some(ramp), ..self }
    }

    /// The ramp of numeric differences, when there is one.
    pub fn ramp(&self) -> Option<Ramp> {
        self.ramp
    }

    /// The same measure with a factor for each column, in table order; none may be negative.
    ///
    /// # Errors
    /// A factor below 0, or one that is not finite.
    pub fn with_factors(mut self, encoder: &Encoder, factors: &[f64]) -> Result<Self> {
        self.set_factors(encoder, factors)?;
        Ok(self)
    }

    /// Change the factors, given in table order; none may be negative.
    ///
    /// # Errors
    /// A factor below 0, or one that is not finite.
    pub fn set_factors(&mut self, encoder: &Encoder, factors: &[f64]) -> Result<()> {
        if let Some(bad) = factors.iter().position(|f| !f.is_finite() || *f < 0.0) {
            let (column, factor) = (encoder.names()[bad].clone(), factors[bad]);
            return Err(MeasureError::BadFactor { column, factor }.into());
        }
        self.set_any_factors(encoder, factors);
        Ok(())
    }

    /// Change the factors, which may be negative: feedback methods study that.
    pub(crate) fn set_any_factors(&mut self, encoder: &Encoder, factors: &[f64]) {
        let pick = |columns: Vec<usize>| columns.into_iter().map(|c| factors[c]).collect();
        self.factors = [pick(encoder.numeric()), pick(encoder.nominal())];
        self.counted = self.factors[1].iter().all(|&factor| factor == 1.0);
        self.products = self.scale.iter().zip(&self.factors[0]).map(|(s, f)| s * f).collect();
        self.whole = self.factors.iter().flatten().sum();
    }

    /// How differences add up.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Factors of numeric differences: s_A of each numeric column.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Factors of the numeric columns, times their scale.
    pub fn products(&self) -> &[f64] {
        &self.products
    }

    /// Factors of the numeric columns.
    pub fn numeric_factors(&self) -> &[f64] {
        &self.factors[0]
    }

    /// Factors of the nominal columns.
    pub fn nominal_factors(&self) -> &[f64] {
        &self.factors[1]
    }

    /// The training range of the numeric columns.
    pub fn range(&self) -> &[(f64, f64)] {
        &self.range
    }

    /// The policy for missing cells, with its frequencies.
    pub fn unknown(&self) -> &Unknown {
        &self.unknown
    }

    /// Difference of two numbers in numeric column `column`; both must be known.
    #[inline]
    pub fn numeric_diff(&self, column: usize, x: f64, z: f64) -> f64 {
        let diff = (x - z).abs() * self.scale[column];
        self.ramp.map_or(diff, |ramp| ramp.of(diff))
    }

    /// Difference in numeric column `column`, classes deciding what a missing cell might be;
    /// `None` when the policy leaves the column out.
    #[inline]
    pub fn numeric_cell(
        &self,
        column: usize,
        (x, cx): (f64, u32),
        (z, cz): (f64, u32),
    ) -> Option<f64> {
        match (x.is_nan(), z.is_nan()) {
            (false, false) => Some(self.numeric_diff(column, x, z)),
            (true, false) => self.unknown.numeric_one(column, cx, self.unit(column, z)),
            (false, true) => self.unknown.numeric_one(column, cz, self.unit(column, x)),
            (true, true) => self.unknown.numeric_both(column, cx, cz),
        }
    }

    /// Difference in nominal column `column`; `None` when the policy leaves it out.
    #[inline]
    pub fn nominal_cell(
        &self,
        column: usize,
        (x, cx): (u16, u32),
        (z, cz): (u16, u32),
    ) -> Option<f64> {
        match (x == MISSING, z == MISSING) {
            (false, false) => Some(f64::from(u8::from(x != z))),
            (true, false) => self.unknown.nominal_one(column, cx, z),
            (false, true) => self.unknown.nominal_one(column, cz, x),
            (true, true) => self.unknown.nominal_both(column, cx, cz),
        }
    }

    /// Where a number lies in its column's training range, 0 to 1; beyond it, at its end.
    fn unit(&self, column: usize, x: f64) -> f64 {
        let (min, max) = self.range[column];
        if max > min { ((x - min) / (max - min)).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Distance between row `i` of `a` and row `j` of `b`, by the definition above.
    ///
    /// `classes` are those of the two rows, for policies that ask; 0 serves otherwise.
    pub fn distance(&self, a: &Rows, i: usize, b: &Rows, j: usize, classes: (u32, u32)) -> f64 {
        self.finish(self.sum(a, i, b, j, classes))
    }

    /// [`Measure::distance`] from row `i` to several rows of the same class as each other.
    ///
    /// Four sums are computed side by side, with the same bits.
    ///
    /// The additions of a sum wait for each other, so that one row alone takes as long as four.
    pub fn distances(
        &self,
        a: &Rows,
        i: usize,
        b: &Rows,
        others: &[u32],
        classes: (u32, u32),
        out: &mut Vec<f64>,
    ) {
        out.clear();
        let plain = self.ramp.is_none() && a.nominal() == 0;
        if !plain || a.has_missing() || b.has_missing() {
            out.extend(others.iter().map(|&j| self.distance(a, i, b, j as usize, classes)));
            return;
        }
        in_own_precision!(a, b, |x, z| self.numeric_sums(row(x, i, a), z, others, out));
    }

    /// Distances over numeric columns only, to four rows at a time.
    fn numeric_sums<X: Copy + Into<f64>, Z: Copy + Into<f64>>(
        &self,
        x: &[X],
        z: &[Z],
        others: &[u32],
        out: &mut Vec<f64>,
    ) {
        let (scale, factors, products) = (&self.scale, &self.factors[0], &self.products);
        match self.metric {
            Metric::Manhattan => {
                side_by_side(x, z, others, |column, d| d.abs() * products[column], out);
            }
            Metric::Euclidean => {
                let square = |d: f64| d * d;
                let term = |column: usize, d: f64| factors[column] * square(d * scale[column]);
                side_by_side(x, z, others, term, out);
                out.iter_mut().for_each(|sum| *sum = self.finish(*sum));
            }
        }
    }

    /// The sum under [`Measure::finish`]: distances in the order of their sums are in order.
    pub fn sum(&self, a: &Rows, i: usize, b: &Rows, j: usize, classes: (u32, u32)) -> f64 {
        if a.has_missing() || b.has_missing() {
            return self.sum_with_missing(a, i, b, j, classes);
        }
        let numeric = in_own_precision!(a, b, |x, z| self.numeric_sum(row(x, i, a), row(z, j, b)));
        numeric + self.nominal_sum(a, i, b, j)
    }

    /// The factors of the nominal columns that are known in both rows and differ, in order.
    fn nominal_sum(&self, a: &Rows, i: usize, b: &Rows, j: usize) -> f64 {
        if let (Some(x), Some(z)) = (a.packed(), b.packed()) {
            return match self.counts_mismatches() {
                true => x.mismatches(i, z, j) as f64,
                false => x.weighted_mismatches(i, z, j, &self.factors[1]),
            };
        }
        let (x, z) = (a.codes(i), b.codes(j));
        let cells = x.iter().zip(z.iter()).zip(&self.factors[1]);
        let differ =
            |((x, z), _): &((&u16, &u16), &f64)| x != z && **x != MISSING && **z != MISSING;
        cells.filter(differ).map(|(_, factor)| factor).sum()
    }

    /// True when all nominal factors are 1: mismatches can be counted.
    pub fn counts_mismatches(&self) -> bool {
        self.counted
    }

    #[inline]
    fn numeric_sum<X: Copy + Into<f64>, Z: Copy + Into<f64>>(&self, x: &[X], z: &[Z]) -> f64 {
        let mut sum = 0.0;
        if self.metric == Metric::Manhattan && self.ramp.is_none() {
            for ((&x, &z), product) in x.iter().zip(z).zip(&self.products) {
                sum += (x.into() - z.into()).abs() * product;
            }
        } else {
            for (column, (&x, &z)) in x.iter().zip(z).enumerate() {
                sum += self.numeric_term(column, x.into(), z.into());
            }
        }
        sum
    }

    /// The term of numeric column `column` in a sum, from two known numbers.
    #[inline]
    fn numeric_term(&self, column: usize, x: f64, z: f64) -> f64 {
        if self.metric == Metric::Manhattan && self.ramp.is_none() {
            (x - z).abs() * self.products[column]
        } else {
            self.factors[0][column] * self.power(self.numeric_diff(column, x, z))
        }
    }

    fn sum_with_missing(
        &self,
        a: &Rows,
        i: usize,
        b: &Rows,
        j: usize,
        (ci, cj): (u32, u32),
    ) -> f64 {
        let (mut numeric, mut unknown, mut left_out) = (0.0, 0.0, 0.0);
        let mut add_unknown =
            |column: usize| match self.unknown_term(column, (a, i, ci), (b, j, cj)) {
                Some(term) => unknown += term,
                None => left_out += self.factor(column),
            };
        for column in 0..a.numeric() {
            let (x, z) = (a.number(i, column), b.number(j, column));
            match x.is_nan() || z.is_nan() {
                false => numeric += self.numeric_term(column, x, z),
                true => add_unknown(column),
            }
        }
        if let (Some(x), Some(z)) = (a.packed(), b.packed()) {
            let words = x.row(i).iter().zip(z.row(j)).enumerate();
            let holes = words.flat_map(|(at, (&x, &z))| ones(missing_in(x) | missing_in(z), at));
            holes.for_each(|column| add_unknown(column as usize));
        } else {
            let (x, z) = (a.codes(i), b.codes(j));
            let cells = x.iter().zip(z.iter()).enumerate();
            let holes = cells.filter(|(_, (x, z))| **x == MISSING || **z == MISSING);
            holes.for_each(|(column, _)| add_unknown(a.numeric() + column));
        }
        self.made_whole(numeric + self.nominal_sum(a, i, b, j), unknown, left_out)
    }

    /// The factor of a column, nominal columns counting on after the numeric.
    pub(crate) fn factor(&self, column: usize) -> f64 {
        let numeric = self.scale.len();
        if column < numeric { self.factors[0][column] } else { self.factors[1][column - numeric] }
    }

    /// The term of a column that one row misses, or both; none where the policy leaves it out.
    ///
    /// Rows come with their classes, and nominal columns count on after the numeric.
    pub(crate) fn unknown_term(
        &self,
        column: usize,
        (a, i, ci): (&Rows, usize, u32),
        (b, j, cj): (&Rows, usize, u32),
    ) -> Option<f64> {
        let diff = match column.checked_sub(a.numeric()) {
            None => self.numeric_cell(column, (a.number(i, column), ci), (b.number(j, column), cj)),
            Some(column) => {
                self.nominal_cell(column, (a.code(i, column), ci), (b.code(j, column), cj))
            }
        };
        diff.map(|diff| self.factor(column) * self.power(diff))
    }

    /// The difference in a column between row `i` and a row of class `class` that misses it.
    pub(crate) fn diff_to_hole(
        &self,
        column: usize,
        (a, i, ci): (&Rows, usize, u32),
        class: u32,
    ) -> Option<f64> {
        match column.checked_sub(a.numeric()) {
            None => self.numeric_cell(column, (a.number(i, column), ci), (f64::NAN, class)),
            Some(column) => self.nominal_cell(column, (a.code(i, column), ci), (MISSING, class)),
        }
    }

    /// [`Measure::unknown_term`] with a row of class `class` that misses the column.
    pub(crate) fn term_to_hole(
        &self,
        column: usize,
        own: (&Rows, usize, u32),
        class: u32,
    ) -> Option<f64> {
        let diff = self.diff_to_hole(column, own, class);
        diff.map(|diff| self.factor(column) * self.power(diff))
    }

    /// The term of a column that rows of two classes both miss.
    pub(crate) fn term_of_holes(&self, column: usize, (a, b): (u32, u32)) -> Option<f64> {
        let diff = match column.checked_sub(self.numeric_factors().len()) {
            None => self.numeric_cell(column, (f64::NAN, a), (f64::NAN, b)),
            Some(column) => self.nominal_cell(column, (MISSING, a), (MISSING, b)),
        };
        diff.map(|diff| self.factor(column) * self.power(diff))
    }

    /// A sum over known cells, plus the terms of unknown ones, corrected for columns left out.
    #[inline]
    pub(crate) fn made_whole(&self, known: f64, unknown: f64, left_out: f64) -> f64 {
        if !self.unknown.policy().skips_in_distance() || left_out == 0.0 {
            return known + unknown;
        }
        let present = self.whole - left_out;
        // No column in common: the largest distance.
        if present > self.whole * 1e-12 { known * self.whole / present } else { self.whole }
    }

    #[inline]
    fn power(&self, diff: f64) -> f64 {
        match self.metric {
            Metric::Manhattan => diff,
            Metric::Euclidean => diff * diff,
        }
    }

    /// The distance a sum stands for.
    ///
    /// Negative factors, which only studies use, can make a sum negative: its root keeps the
    /// sign, so that distances stay in the order of their sums.
    #[inline]
    pub fn finish(&self, sum: f64) -> f64 {
        match self.metric {
            Metric::Manhattan => sum,
            Metric::Euclidean => sum.abs().sqrt().copysign(sum),
        }
    }
}

/// Sums of the terms of differences to several rows of `z`, columns in order.
#[inline]
fn side_by_side<X: Copy + Into<f64>, Z: Copy + Into<f64>>(
    x: &[X],
    z: &[Z],
    others: &[u32],
    term: impl Fn(usize, f64) -> f64,
    out: &mut Vec<f64>,
) {
    const SIDES: usize = 4;
    let width = x.len();
    let row = |j: u32| &z[j as usize * width..(j as usize + 1) * width];
    for some in others.chunks(SIDES) {
        let last = some[some.len() - 1];
        let z: [&[Z]; SIDES] = std::array::from_fn(|side| row(*some.get(side).unwrap_or(&last)));
        let mut sums = [0.0; SIDES];
        for (column, &x) in x.iter().enumerate() {
            let x: f64 = x.into();
            for (sum, z) in sums.iter_mut().zip(z) {
                *sum += term(column, x - z[column].into());
            }
        }
        out.extend(&sums[..some.len()]);
    }
}

fn row<'r, T>(cells: &'r [T], row: usize, of: &Rows) -> &'r [T] {
    &cells[row * of.numeric()..(row + 1) * of.numeric()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Table};

    fn toy(policy: Missing) -> (Encoder, Rows, Measure) {
        let x = Column::numeric("x", vec![0.0, 5.0, 10.0, f64::NAN]);
        let c = Column::nominal("c", &[Some("a"), Some("b"), None, None]).unwrap();
        let table = Table::new(vec![x, c]).unwrap();
        let encoder = Encoder::fit(&table).unwrap();
        let rows = encoder.encode(&table).unwrap();
        let unknown = Unknown::fit(policy, &encoder, &rows, &[0, 0, 1, 1], 2);
        let measure = Measure::new(&encoder, Metric::Manhattan, Scaling::MinMax, unknown);
        (encoder, rows, measure)
    }

    fn distances(policy: Missing) -> [f64; 3] {
        let (_, rows, measure) = toy(policy);
        let classes = [0, 0, 1, 1];
        [(0, 1), (0, 2), (2, 3)]
            .map(|(i, j)| measure.distance(&rows, i, &rows, j, (classes[i], classes[j])))
    }

    #[test]
    fn mixed_distance_adds_scaled_numbers_and_mismatches() {
        assert_eq!(distances(Missing::One)[0], 0.5 + 1.0);
    }

    #[test]
    fn missing_cells_count_as_their_policy_says() {
        assert_eq!(distances(Missing::One), [1.5, 2.0, 2.0]);
        assert_eq!(distances(Missing::Relieved), [1.5, 2.0, 1.0]);
        // Only x is known in rows 0 and 2: its difference stands for both columns.
        assert_eq!(distances(Missing::Agnostic), [1.5, 2.0, 2.0]);
        // Two categories: 1 − 1/2.
        assert_eq!(distances(Missing::B)[1], 1.5);
        // Row 2 lacks c; class 1 knows no value of c, so every category is as likely.
        assert_eq!(distances(Missing::D)[1], 1.5);
    }

    #[test]
    fn weka_takes_the_worst_case_of_a_number() {
        let (_, rows, measure) = toy(Missing::Weka);
        // Row 3 misses x and c; row 1 has x at the middle of the range.
        assert_eq!(measure.distance(&rows, 1, &rows, 3, (0, 1)), 0.5 + 0.5);
    }

    #[test]
    fn factors_multiply_differences_and_may_not_be_negative() {
        let (encoder, rows, measure) = toy(Missing::One);
        let weighed = measure.clone().with_factors(&encoder, &[2.0, 0.0]).unwrap();
        assert_eq!(weighed.distance(&rows, 0, &rows, 1, (0, 0)), 1.0);
        assert!(measure.with_factors(&encoder, &[-1.0, 0.0]).is_err());
    }
}
