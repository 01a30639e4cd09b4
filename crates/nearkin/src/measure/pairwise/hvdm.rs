//! HVDM, the heterogeneous value difference metric: categories by classes, numbers by spread.
//!
//! ```text
//! d(x, z) = √Σ_a d_a²,   d_a = 1                               where a cell is missing
//!                        d_a = |x_a − z_a| / (4·σ_a)           numeric
//!                        d_a = Σ_c |ΔP_c|  (n1)   √Σ_c ΔP_c²  (n2)   √(C·Σ_c ΔP_c²)  (n3)
//! ```
//!
//! with σ_a the standard deviation of the training cells and ΔP_c = P(c | x_a) − P(c | z_a). A
//! numeric column that is constant in training says nothing; an unseen category has P = 0.
//!
//! When to use: tables of numbers and categories, with classes.
//!
//! Reference: D. R. Wilson and T. R. Martinez, *Improved heterogeneous distance functions*,
//! JAIR 6 (1997).

use super::blocks::MeasureNeeds;
use super::rows::classes;
use super::shares::Shares;
use super::vdm::difference;
use super::{About, FittedMeasure, PairMeasure, fill};
use crate::data::{
    Classes, Encoder, FittedColumn, MISSING, Parts, Rows, SimilarityMatrix, Table, Target,
};
use crate::{Result, Run, choice, parameters};

choice! {
    /// How class shares of two categories are compared.
    pub enum Normal {
        /// The sum of differences.
        N1 = "n1",
        /// The root of the sum of squared differences.
        N2 = "n2",
        /// The same times the root of the number of classes.
        N3 = "n3",
    }
}

parameters! {
    /// The heterogeneous value difference metric and its settings.
    pub struct Hvdm {
        /// How class shares of two categories are compared.
        normal: Normal = Normal::N2;
        /// Rows added to every class of every value; with 0 an unseen value has no class.
        smoothing: f64 = 0.0, in 0.0..=1e9;
    }
}

#[derive(Debug)]
struct FittedHvdm {
    normal: Normal,
    encoder: Encoder,
    shares: Shares,
    /// 1/(4σ) of the numeric columns, 0 for constant ones.
    scale: Vec<f64>,
}

impl FittedHvdm {
    fn new(normal: Normal, encoder: Encoder, shares: Shares) -> Self {
        let scale = encoder.columns().iter().filter_map(|fitted| match fitted {
            FittedColumn::Numeric { deviation, .. } => {
                let scale = 1.0 / (4.0 * deviation);
                Some(if scale.is_finite() { scale } else { 0.0 })
            }
            FittedColumn::Nominal { .. } | FittedColumn::Genotype => None,
        });
        Self { normal, scale: scale.collect(), encoder, shares }
    }
}

impl PairMeasure for Hvdm {
    fn about(&self) -> About {
        About {
            id: "hvdm",
            title: "Heterogeneous value difference metric",
            summary: "categories compared by their classes, numbers by their spread",
            reference: "Wilson & Martinez 1997",
        }
    }

    fn supervised(&self) -> bool {
        true
    }

    fn fit_checked(
        &self,
        table: &Table,
        target: Option<&Target>,
    ) -> Result<Box<dyn FittedMeasure>> {
        let classes = classes(table, target, "hvdm")?;
        let encoder = Encoder::fit(table)?;
        let shares = Shares::fit(&encoder, &encoder.encode(table)?.wide(), classes, self.smoothing);
        Ok(Box::new(FittedHvdm::new(self.normal, encoder, shares)))
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn FittedMeasure>> {
        let encoder = Encoder::restore(&parts.within("columns"))?;
        let shares = Shares::restore(&encoder, &parts.within("shares"))?;
        Ok(Box::new(FittedHvdm::new(self.normal, encoder, shares)))
    }

    fn needs(&self, encoder: &Encoder) -> MeasureNeeds {
        MeasureNeeds { counts: true, deviations: !encoder.numeric().is_empty(), whole: None }
    }

    fn count(&self, encoder: &Encoder, rows: &Rows, classes: &Classes) -> Vec<u64> {
        Shares::count(encoder, rows, classes)
    }

    fn counted(&self, encoder: &Encoder, counts: &[u64], classes: usize) -> Result<Parts> {
        let shares = Shares::of_counts(encoder, counts, classes, self.smoothing);
        Ok(Parts::new().with("shares", shares.parts()))
    }
}

impl FittedMeasure for FittedHvdm {
    fn block_with(
        &self,
        queries: &Table,
        references: &Table,
        run: &Run,
    ) -> Result<SimilarityMatrix<'static>> {
        let (a, b) =
            (self.encoder.encode(queries)?.wide(), self.encoder.encode(references)?.wide());
        // Floor: a subtraction, two products and an addition a number, 16 bytes; that of
        // `difference` a code, 4 bytes.
        fill(a.len(), b.len(), run, |i, j| {
            let mut sum = 0.0;
            for (column, scale) in self.scale.iter().enumerate() {
                let d = (a.number(i, column) - b.number(j, column)).abs() * scale;
                sum += if d.is_nan() { 1.0 } else { d * d };
            }
            let (codes, others) = (a.codes(i), b.codes(j));
            for (column, (&x, &z)) in codes.iter().zip(others.iter()).enumerate() {
                let (p, other) = (self.shares.of(column, x), self.shares.of(column, z));
                sum += match self.normal {
                    _ if x == MISSING || z == MISSING => 1.0,
                    Normal::N1 => difference(p, other, 1.0).powi(2),
                    Normal::N2 => difference(p, other, 2.0),
                    Normal::N3 => p.len() as f64 * difference(p, other, 2.0),
                };
            }
            0.0 - sum.sqrt()
        })
    }

    fn parts(&self) -> Parts {
        Parts::new().with("columns", self.encoder.parts()).with("shares", self.shares.parts())
    }
}
