//! HVDM, the heterogeneous value difference metric: categories by classes, numbers by spread.
//!
//! ```text
//! d(x, z) = √Σ_a d_a²,   d_a = 1                               where a cell is missing
//!                        d_a = |x_a − z_a| / (4·σ_a)           numeric
//!                        d_a = Σ_c |ΔP_c|  (n1)   √Σ_c ΔP_c²  (n2)   √(C·Σ_c ΔP_c²)  (n3)
//! ```
//!
//! with σ_a the standard deviation of the training cells and ΔP_c = P(c | x_a) − P(c | z_a). A
//! numeric column that is constant in training has no part; an unseen category has P = 0.
//!
//! When to use: tables of numbers and categories, with classes.
//!
//! Reference: D. R. Wilson and T. R. Martinez, *Improved heterogeneous distance functions*,
//! JAIR 6 (1997).

use super::blocks::MeasureNeeds;
use super::by_shares::{ByShares, FittedShares};
use super::vdm::difference;
use super::{About, Block, about, fill};
use crate::data::{Encoder, FittedColumn, MISSING, Parts, Rows};
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
        /// Smoothing: what is added to the number of rows of each class with each value. With 0,
        /// an unseen value has probability 0 for every class.
        smoothing: f64 = 0.0, in 0.0..=1e9;
    }
}

/// 1/(4σ) of the numeric columns, 0 for constant ones.
fn scales(encoder: &Encoder) -> Vec<f64> {
    let scale = encoder.columns().iter().filter_map(|fitted| match fitted {
        FittedColumn::Numeric { deviation, .. } => {
            let scale = 1.0 / (4.0 * deviation);
            Some(if scale.is_finite() { scale } else { 0.0 })
        }
        FittedColumn::Nominal { .. } | FittedColumn::Genotype => None,
    });
    scale.collect()
}

impl ByShares for Hvdm {
    /// The scale of every numeric column.
    type More = Vec<f64>;

    const ABOUT: About = about! { value
        "hvdm" is "Heterogeneous value difference metric",
        "categories compared by their classes, numbers by their spread",
        "Wilson & Martinez 1997"
    };

    fn smoothing(&self) -> f64 {
        self.smoothing
    }

    fn in_blocks(&self, encoder: &Encoder) -> MeasureNeeds {
        MeasureNeeds { counts: true, deviations: !encoder.numeric().is_empty(), whole: None }
    }

    fn more(&self, encoder: &Encoder, _: &[u64], _: usize) -> Vec<f64> {
        scales(encoder)
    }

    fn load(encoder: &Encoder, _: &Parts) -> Result<Vec<f64>> {
        Ok(scales(encoder))
    }

    fn compare(fitted: &FittedShares<Self>, a: &Rows, b: &Rows, run: &Run) -> Result<Block> {
        let (normal, shares) = (fitted.settings.normal, &fitted.shares);
        // Lower bound: four operations and 16 bytes a number; that of `difference` a code, 4 bytes.
        fill(a.len(), b.len(), run, |i, j| {
            let mut sum = 0.0;
            for (column, scale) in fitted.more.iter().enumerate() {
                let d = (a.number(i, column) - b.number(j, column)).abs() * scale;
                sum += if d.is_nan() { 1.0 } else { d * d };
            }
            let (codes, others) = (a.codes(i), b.codes(j));
            for (column, (&x, &z)) in codes.iter().zip(others.iter()).enumerate() {
                let (p, other) = (shares.of(column, x), shares.of(column, z));
                sum += match normal {
                    _ if x == MISSING || z == MISSING => 1.0,
                    Normal::N1 => difference(p, other, 1.0).powi(2),
                    Normal::N2 => difference(p, other, 2.0),
                    Normal::N3 => p.len() as f64 * difference(p, other, 2.0),
                };
            }
            0.0 - sum.sqrt()
        })
    }
}
