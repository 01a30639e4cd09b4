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
use super::rows::{categories, classes, fit_categories};
use super::shares::Shares;
use super::vdm::{INSTEAD, difference};
use super::{About, FittedMeasure, PairMeasure, fill};
use crate::data::{Classes, Encoder, Parts, Rows, SimilarityMatrix, Table, Target};
use crate::{MeasureError, Result, Run, choice, parameters};

choice! {
    /// How much farther away a reference seems than it is.
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
        /// How much farther away a reference seems than it is.
        exemplars: ExemplarWeights = ExemplarWeights::None;
        /// Rows added to every class of every value; with 0 an unseen value has no class.
        smoothing: f64 = 0.0, in 0.0..=1e9;
    }
}

#[derive(Debug)]
struct FittedMvdm {
    r: f64,
    encoder: Encoder,
    shares: Shares,
    /// A weight a training row; none where all weigh 1.
    weights: Vec<f64>,
}

impl FittedMvdm {
    /// Floor: that of `difference` a column, 4 bytes for two codes, and a power where r is not 1.
    fn distance(&self, a: &Rows, i: usize, b: &Rows, j: usize) -> f64 {
        let (own, other) = (a.codes(i), b.codes(j));
        let cells = own.iter().zip(other.iter()).enumerate();
        let terms = cells.map(|(column, (&x, &z))| {
            let d = difference(self.shares.of(column, x), self.shares.of(column, z), 1.0);
            if self.r == 1.0 { d } else { d.powf(self.r) }
        });
        terms.sum()
    }

    /// Uses over correct uses of every row as the nearest other one, the first on ties.
    ///
    /// Floor: n² / 2 distances, as each serves both rows; n² are measured here.
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

impl PairMeasure for Mvdm {
    fn about(&self) -> About {
        About {
            id: "mvdm",
            title: "Modified value difference metric",
            summary: "the value difference metric made symmetric, with weights for exemplars",
            reference: "Cost & Salzberg 1993",
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
        let classes = classes(table, target, "mvdm")?;
        let (encoder, rows) = fit_categories(table, "mvdm", INSTEAD)?;
        let shares = Shares::fit(&encoder, &rows, classes, self.smoothing);
        let mut fitted = FittedMvdm { r: self.r, encoder, shares, weights: Vec::new() };
        if self.exemplars == ExemplarWeights::Used {
            fitted.weights = fitted.uses(&rows, classes.codes());
        }
        Ok(Box::new(fitted))
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn FittedMeasure>> {
        let encoder = Encoder::restore(&parts.within("columns"))?;
        let shares = Shares::restore(&encoder, &parts.within("shares"))?;
        let weights = parts.numbers("weights")?.to_vec();
        Ok(Box::new(FittedMvdm { r: self.r, encoder, shares, weights }))
    }

    fn of_categories(&self) -> Option<&'static str> {
        Some(INSTEAD)
    }

    fn needs(&self, _: &Encoder) -> MeasureNeeds {
        let whole =
            "an exemplar is weighed by whom it is nearest to among all; set exemplars to none";
        let whole = (self.exemplars == ExemplarWeights::Used).then_some(whole);
        MeasureNeeds { counts: true, deviations: false, whole }
    }

    fn count(&self, encoder: &Encoder, rows: &Rows, classes: &Classes) -> Vec<u64> {
        Shares::count(encoder, rows, classes)
    }

    fn counted(&self, encoder: &Encoder, counts: &[u64], classes: usize) -> Result<Parts> {
        let shares = Shares::of_counts(encoder, counts, classes, self.smoothing);
        Ok(Parts::new().with("shares", shares.parts()).with_numbers("weights", Vec::new()))
    }
}

impl FittedMeasure for FittedMvdm {
    fn block_with(
        &self,
        queries: &Table,
        references: &Table,
        run: &Run,
    ) -> Result<SimilarityMatrix<'static>> {
        let (a, b) = (categories(&self.encoder, queries)?, categories(&self.encoder, references)?);
        if !self.weights.is_empty() && self.weights.len() != b.len() {
            let (rows, references) = (self.weights.len(), b.len());
            return Err(MeasureError::NotTrainingRows { rows, references }.into());
        }
        fill(a.len(), b.len(), run, |i, j| {
            let weight = self.weights.get(j).copied().unwrap_or(1.0);
            0.0 - weight * self.distance(&a, i, &b, j)
        })
    }

    fn parts(&self) -> Parts {
        Parts::new()
            .with("columns", self.encoder.parts())
            .with("shares", self.shares.parts())
            .with_numbers("weights", self.weights.clone())
    }
}
