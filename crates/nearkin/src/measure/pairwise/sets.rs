//! Measures of the features that two rows share and that each has alone: Tversky's and related.
//!
//! With f(A ∩ B) = Σ_i min(x_i, z_i), f(A∖B) = Σ_i max(x_i − z_i, 0) and f(B∖A) likewise, over the
//! features of the rows,
//!
//! ```text
//! tversky-contrast   θ·f(A∩B) − α·f(A∖B) − β·f(B∖A)
//! tversky-ratio      f(A∩B) / (f(A∩B) + α·f(A∖B) + β·f(B∖A))
//! jaccard            the ratio with α = β = 1: |A∩B| / |A∪B| on sets
//! dice               the ratio with α = β = ½: 2|A∩B| / (|A| + |B|) on sets
//! overlap            f(A∩B), or f(A∩B) / min(f(A), f(B))
//! cosine             Σ x_i·z_i / (‖x‖·‖z‖), 0 for a row of zeros
//! ```
//!
//! A nominal cell is one feature, "column = value"; a number is an amount of its column's feature
//! and may not be negative, but for the cosine. With α ≠ β Tversky's measures are asymmetric: the
//! query is A, the reference B. Two rows without any feature are `empty` alike. A column with a
//! missing cell on either side is left out of the pair; an unseen value differs from every known
//! one.
//!
//! When to use: rows as sets of features or as amounts; Tversky's where the reference is a
//! prototype and what it lacks matters less than what the query lacks, or the other way round.
//!
//! Reference: A. Tversky, *Features of similarity*, Psychological Review 84 (1977).

use super::of_columns::{OfColumns, of_columns};
use super::{Block, FittedMeasure, MeasureKind, fill};
use crate::data::{Encoder, FittedColumn, MISSING, Parts, Rows, Table};
use crate::measure::{dot, to_length_one};
use crate::{MeasureError, Result, Run, choice, parameters};

choice! {
    /// Divisor of the common features: none, or the smaller row.
    pub enum OverlapForm {
        /// f(A∩B) as it is.
        Sum = "sum",
        /// f(A∩B) / min(f(A), f(B)).
        Coefficient = "coefficient",
    }
}

parameters! {
    /// Tversky's contrast model and its settings.
    pub struct TverskyContrast {
        /// θ, the weight of features that both rows have.
        theta: f64 = 1.0, in 0.0..=1e9;
        /// α, the weight of features that only the query has; they make the rows less similar.
        alpha: f64 = 0.5, in 0.0..=1e9;
        /// β, the weight of features that only the reference has; they make the rows less similar.
        beta: f64 = 0.5, in 0.0..=1e9;
    }
}

parameters! {
    /// Tversky's ratio model and its settings.
    pub struct TverskyRatio {
        /// α, the weight of features that only the query has; they make the rows less similar.
        alpha: f64 = 0.5, in 0.0..=1e9;
        /// β, the weight of features that only the reference has; they make the rows less similar.
        beta: f64 = 0.5, in 0.0..=1e9;
        /// The similarity of two rows without any feature.
        empty: f64 = 1.0, in -1e9..=1e9;
    }
}

parameters! {
    /// Jaccard's similarity and its settings.
    pub struct Jaccard {
        /// The similarity of two rows without any feature.
        empty: f64 = 1.0, in -1e9..=1e9;
    }
}

parameters! {
    /// Dice's similarity and its settings.
    pub struct Dice {
        /// The similarity of two rows without any feature.
        empty: f64 = 1.0, in -1e9..=1e9;
    }
}

parameters! {
    /// Overlap and its settings.
    pub struct Overlap {
        /// What the number of common features is divided by: nothing, or the number of features
        /// of the row that has fewer.
        form: OverlapForm = OverlapForm::Sum;
        /// The coefficient when one of the rows has no feature.
        empty: f64 = 1.0, in -1e9..=1e9;
    }
}

parameters! {
    /// Cosine similarity, without settings.
    pub struct Cosine {
    }
}

/// Amounts that two rows have in common and alone, and their inner product and squares.
#[derive(Debug, Clone, Copy, Default)]
struct Shared {
    common: f64,
    only_query: f64,
    only_reference: f64,
    product: f64,
    squares: (f64, f64),
}

impl Shared {
    fn add(&mut self, x: f64, z: f64) {
        let common = x.min(z);
        self.common += common;
        self.only_query += x - common;
        self.only_reference += z - common;
        self.product += x * z;
        self.squares = (self.squares.0 + x * x, self.squares.1 + z * z);
    }

    /// Lower bound: 12 operations and 16 bytes a number, of which most measures need fewer; a
    /// comparison and 4 bytes a code.
    fn of(a: &Rows, i: usize, b: &Rows, j: usize) -> Self {
        let mut shared = Self::default();
        for column in 0..a.numeric() {
            let (x, z) = (a.number(i, column), b.number(j, column));
            if !x.is_nan() && !z.is_nan() {
                shared.add(x, z);
            }
        }
        let (own, other) = (a.codes(i), b.codes(j));
        for (&x, &z) in own.iter().zip(other.iter()) {
            match x == z {
                _ if x == MISSING || z == MISSING => {}
                true => shared.add(1.0, 1.0),
                false => {
                    shared.add(1.0, 0.0);
                    shared.add(0.0, 1.0);
                }
            }
        }
        shared
    }

    fn ratio(self, alpha: f64, beta: f64, empty: f64) -> f64 {
        let whole = self.common + alpha * self.only_query + beta * self.only_reference;
        if whole == 0.0 { empty } else { self.common / whole }
    }
}

/// A measure of [`Shared`], ready to compare.
#[derive(Debug, Clone, Copy)]
enum Formula {
    Contrast { theta: f64, alpha: f64, beta: f64 },
    Ratio { alpha: f64, beta: f64, empty: f64 },
    Overlap,
    Coefficient { empty: f64 },
    Cosine,
}

impl Formula {
    fn score(self, shared: Shared) -> f64 {
        let Shared { common, only_query, only_reference, product, squares } = shared;
        match self {
            Self::Contrast { theta, alpha, beta } => {
                theta * common - alpha * only_query - beta * only_reference
            }
            Self::Ratio { alpha, beta, empty } => shared.ratio(alpha, beta, empty),
            Self::Overlap => common,
            Self::Coefficient { empty } => {
                let smaller = common + only_query.min(only_reference);
                if smaller == 0.0 { empty } else { common / smaller }
            }
            Self::Cosine => {
                let length = squares.0.sqrt() * squares.1.sqrt();
                if length == 0.0 { 0.0 } else { product / length }
            }
        }
    }
}

#[derive(Debug)]
struct FittedSets {
    measure: &'static str,
    formula: Formula,
    encoder: Encoder,
}

impl OfColumns for Formula {
    fn fitted(self, measure: &'static str, encoder: Encoder) -> impl FittedMeasure + 'static {
        FittedSets { measure, formula: self, encoder }
    }

    /// Refuse columns with a negative amount.
    fn check_columns(self, measure: &'static str, encoder: &Encoder) -> Result<()> {
        let columns = encoder.names().iter().zip(encoder.columns());
        for (name, fitted) in columns.filter(|_| !matches!(self, Self::Cosine)) {
            if let FittedColumn::Numeric { min, .. } = fitted
                && *min < 0.0
            {
                let (column, min) = (name.clone(), *min);
                return Err(MeasureError::NegativeColumn { column, min, measure }.into());
            }
        }
        Ok(())
    }

    fn check_table(self, measure: &'static str, encoder: &Encoder, table: &Table) -> Result<()> {
        self.rows(measure, encoder, table).map(drop)
    }
}

impl Formula {
    /// The rows of a table, refused by row and column where an amount is negative.
    fn rows(self, measure: &'static str, encoder: &Encoder, table: &Table) -> Result<Rows> {
        let rows = encoder.encode(table)?.wide();
        if !matches!(self, Self::Cosine) {
            let cells = (0..rows.len()).flat_map(|row| (0..rows.numeric()).map(move |c| (row, c)));
            if let Some((row, column)) = cells.into_iter().find(|&(r, c)| rows.number(r, c) < 0.0) {
                let value = rows.number(row, column);
                let column = encoder.names()[encoder.numeric()[column]].clone();
                return Err(MeasureError::NegativeAmount { row, column, value, measure }.into());
            }
        }
        Ok(rows)
    }
}

/// Rows of numbers divided by their lengths; none for a row with a missing cell; zeros stay zeros.
fn directions(rows: &Rows) -> Vec<Option<Vec<f64>>> {
    let of = |row: usize| {
        let mut cells: Vec<f64> = (0..rows.numeric()).map(|c| rows.number(row, c)).collect();
        to_length_one(&mut cells);
        cells.iter().all(|x| !x.is_nan()).then_some(cells)
    };
    (0..rows.len()).map(of).collect()
}

impl FittedMeasure for FittedSets {
    fn block_with(&self, queries: &Table, references: &Table, run: &Run) -> Result<Block> {
        let rows = |table| self.formula.rows(self.measure, &self.encoder, table);
        let (a, b) = (rows(queries)?, rows(references)?);
        if matches!(self.kind(), MeasureKind::Cosine(_)) {
            let (x, z) = (directions(&a), directions(&b));
            return fill(a.len(), b.len(), run, |i, j| match (&x[i], &z[j]) {
                (Some(x), Some(z)) => dot(x, z),
                _ => self.formula.score(Shared::of(&a, i, &b, j)),
            });
        }
        fill(a.len(), b.len(), run, |i, j| self.formula.score(Shared::of(&a, i, &b, j)))
    }

    fn parts(&self) -> Parts {
        Parts::new().with("columns", self.encoder.parts())
    }

    fn kind(&self) -> MeasureKind<'_> {
        let numbers = self.encoder.numeric().len() == self.encoder.columns().len();
        match self.formula {
            Formula::Cosine if numbers => MeasureKind::Cosine(&self.encoder),
            _ => MeasureKind::Pairs,
        }
    }
}

of_columns! {
    TverskyContrast: "tversky-contrast" is "Tversky's contrast model",
    "what is shared less what either row has alone", "Tversky 1977",
    |m: &TverskyContrast| Formula::Contrast { theta: m.theta, alpha: m.alpha, beta: m.beta }
}

of_columns! {
    TverskyRatio: "tversky-ratio" is "Tversky's ratio model",
    "what is shared over that and what either row has alone", "Tversky 1977",
    |m: &TverskyRatio| Formula::Ratio { alpha: m.alpha, beta: m.beta, empty: m.empty }
}

of_columns! {
    Jaccard: "jaccard" is "Jaccard similarity",
    "what is shared over what either row has", "Jaccard 1912",
    |m: &Jaccard| Formula::Ratio { alpha: 1.0, beta: 1.0, empty: m.empty }
}

of_columns! {
    Dice: "dice" is "Dice similarity",
    "twice what is shared over the sum of both rows", "Dice 1945",
    |m: &Dice| Formula::Ratio { alpha: 0.5, beta: 0.5, empty: m.empty }
}

of_columns! {
    Overlap: "overlap" is "Overlap",
    "what is shared, as it is or over the smaller row", "Cazzanti 2009",
    |m: &Overlap| match m.form {
        OverlapForm::Sum => Formula::Overlap,
        OverlapForm::Coefficient => Formula::Coefficient { empty: m.empty },
    }
}

of_columns! {
    Cosine: "cosine" is "Cosine similarity",
    "the inner product over the lengths", "Salton & McGill 1983",
    |_: &Cosine| Formula::Cosine
}
