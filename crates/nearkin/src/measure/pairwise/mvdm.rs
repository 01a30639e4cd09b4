//! MVDM, the modified value difference metric: symmetric, with weights for exemplars.
//!
//! ```text
//! d(x, z) = w_z · Σ_a δ_a(x_a, z_a)^r,     δ_a(u, v) = Σ_c |P(c | u) − P(c | v)|
//! ```
//!
//! Values are read as for [`Vdm`](super::Vdm). The weight of an exemplar z is how often it was
//! the nearest other row of a training row, over how often that row had its class, each counted
//! once more: an exemplar that misleads moves away. A query is new and weighs 1. With weights the
//! references have to be the training rows, in their order.
//!
//! When to use: as VDM, when some training rows are exceptions.
//!
//! Reference: S. Cost and S. Salzberg, *A weighted nearest neighbor algorithm for learning with
//! symbolic features*, Machine Learning 10 (1993).

use super::blocks::MeasureNeeds;
use super::by_shares::{ByShares, FittedShares};
use super::vdm::{INSTEAD, difference};
use super::{About, Block, about, fill};
use crate::data::{Classes, Encoder, Parts, Rows};
use crate::{MeasureError, Result, Run, choice, parameters};

choice! {
    /// Weight that multiplies the distance to a reference.
    pub enum ExemplarWeights {
        /// Not at all: w = 1.
        None = "none",
        /// By its uses over its correct uses in training.
        Used = "used",
    }
}

parameters! {
    /// The modified value difference metric and its settings.
    pub struct Mvdm {
        /// The power of a column's difference.
        r: f64 = 1.0, in 1e-3..=100.0;
        /// Weight that multiplies the distance to a reference: above 1, it seems farther away.
        exemplars: ExemplarWeights = ExemplarWeights::None;
        /// Smoothing: what is added to the number of rows of each class with each value. With 0,
        /// an unseen value has probability 0 for every class.
        smoothing: f64 = 0.0, in 0.0..=1e9;
    }
}

impl FittedShares<Mvdm> {
    /// Lower bound: that of `difference` a column, 4 bytes for two codes, and a power if r ≠ 1.
    fn distance(&self, a: &Rows, i: usize, b: &Rows, j: usize) -> f64 {
        let (own, other) = (a.codes(i), b.codes(j));
        let cells = own.iter().zip(other.iter()).enumerate();
        let r = self.settings.r;
        let terms = cells.map(|(column, (&x, &z))| {
            let d = difference(self.shares.of(column, x), self.shares.of(column, z), 1.0);
            if r == 1.0 { d } else { d.powf(r) }
        });
        terms.sum()
    }

    /// Uses over correct uses of every row as the nearest other one, the first on ties.
    ///
    /// Takes n² distances, where n² / 2 would do: each serves both rows.
    fn uses(&self, rows: &Rows, classes: &[u32]) -> Vec<f64> {
        let mut uses = vec![(1.0, 1.0); rows.len()];
        for i in 0..rows.len() {
            let mut nearest: Option<(f64, usize)> = None;
            for j in (0..rows.len()).filter(|&j| j != i) {
                let d = self.distance(rows, i, rows, j);
                if nearest.is_none_or(|(least, _)| d < least) {
                    nearest = Some((d, j));
                }
            }
            if let Some((_, j)) = nearest {
                uses[j].0 += 1.0;
                uses[j].1 += f64::from(u8::from(classes[i] == classes[j]));
            }
        }
        uses.into_iter().map(|(all, right)| all / right).collect()
    }
}

impl ByShares for Mvdm {
    /// A weight a training row; none where all weigh 1.
    type More = Vec<f64>;

    const ABOUT: About = about! { value
        "mvdm" is "Modified value difference metric",
        "the value difference metric made symmetric, with weights for exemplars",
        "Cost & Salzberg 1993"
    };

    const INSTEAD: Option<&'static str> = Some(INSTEAD);

    fn smoothing(&self) -> f64 {
        self.smoothing
    }

    fn in_blocks(&self, _: &Encoder) -> MeasureNeeds {
        let whole = "the weight of an exemplar needs all rows at once; set exemplars to none";
        let whole = (self.exemplars == ExemplarWeights::Used).then_some(whole);
        MeasureNeeds { counts: true, deviations: false, whole }
    }

    fn more(&self, _: &Encoder, _: &[u64], _: usize) -> Vec<f64> {
        Vec::new()
    }

    fn look_at(fitted: &mut FittedShares<Self>, rows: &Rows, classes: &Classes) {
        if fitted.settings.exemplars == ExemplarWeights::Used {
            fitted.more = fitted.uses(rows, classes.codes());
        }
    }

    fn save(weights: &Vec<f64>, parts: Parts) -> Parts {
        parts.with_numbers("weights", weights.clone())
    }

    fn load(_: &Encoder, parts: &Parts) -> Result<Vec<f64>> {
        Ok(parts.numbers("weights")?.to_vec())
    }

    fn compare(fitted: &FittedShares<Self>, a: &Rows, b: &Rows, run: &Run) -> Result<Block> {
        let weights = &fitted.more;
        if !weights.is_empty() && weights.len() != b.len() {
            let (rows, references) = (weights.len(), b.len());
            return Err(MeasureError::NotTrainingRows { rows, references }.into());
        }
        fill(a.len(), b.len(), run, |i, j| {
            let weight = weights.get(j).copied().unwrap_or(1.0);
            0.0 - weight * fitted.distance(a, i, b, j)
        })
    }
}
