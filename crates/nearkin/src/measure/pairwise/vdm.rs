//! VDM, the value difference metric: values are alike when they go with the same classes.
//!
//! ```text
//! d(x, z) = Σ_a w_a(x_a) · Σ_c |P(c | x_a) − P(c | z_a)|^q,     P(c | v) = N_avc / N_av
//! ```
//!
//! over nominal columns, and numeric ones of at most 20 different values. The weight of Stanfill
//! and Waltz, w_a(v) = √Σ_c P(c | v)², makes d asymmetric; without it (w = 1) it is the form of
//! Wilson and Martinez, the default. A value not seen in training has P = 0 for every class, or
//! 1/C under smoothing; a missing cell is a value of its own.
//!
//! When to use: categories that are more or less alike, and classes to learn that from.
//!
//! Reference: C. Stanfill and D. Waltz, *Toward memory-based reasoning*, Communications of the
//! ACM 29 (1986); D. R. Wilson and T. R. Martinez, *Improved heterogeneous distance functions*,
//! JAIR 6 (1997).

use super::by_shares::{ByShares, FittedShares};
use super::{About, Block, about, fill};
use crate::data::{Encoder, Parts, Rows};
use crate::{Result, Run, choice, parameters};

choice! {
    /// Weight that a value in the query gives to its column's difference.
    pub enum ValueWeights {
        /// The same for all: w = 1.
        None = "none",
        /// By how well it separates the classes: w = √Σ_c P(c | v)².
        StanfillWaltz = "stanfill-waltz",
    }
}

parameters! {
    /// The value difference metric and its settings.
    pub struct Vdm {
        /// The power of differences between class shares.
        q: f64 = 2.0, in 1e-3..=100.0;
        /// Weight that a value in the query gives to its column's difference.
        weights: ValueWeights = ValueWeights::None;
        /// Smoothing: what is added to the number of rows of each class with each value. With 0,
        /// an unseen value has probability 0 for every class.
        smoothing: f64 = 0.0, in 0.0..=1e9;
    }
}

/// Measures that take numbers as they are.
pub(super) const INSTEAD: &str = "hvdm or ivdm";

/// |P − Q|^q summed over the classes.
///
/// Lower bound: three operations and 16 bytes of shares a class.
pub(super) fn difference(p: &[f64], other: &[f64], q: f64) -> f64 {
    let off = p.iter().zip(other).map(|(p, q)| (p - q).abs());
    match q {
        1.0 => off.sum(),
        2.0 => off.map(|d| d * d).sum(),
        q => off.map(|d| d.powf(q)).sum(),
    }
}

impl ByShares for Vdm {
    type More = ();

    const ABOUT: About = about! { value
        "vdm" is "Value difference metric",
        "values are alike when they go with the same classes",
        "Stanfill & Waltz 1986; Wilson & Martinez 1997"
    };

    const INSTEAD: Option<&'static str> = Some(INSTEAD);

    fn smoothing(&self) -> f64 {
        self.smoothing
    }

    fn more(&self, _: &Encoder, _: &[u64], _: usize) {}

    fn load(_: &Encoder, _: &Parts) -> Result<()> {
        Ok(())
    }

    fn compare(fitted: &FittedShares<Self>, a: &Rows, b: &Rows, run: &Run) -> Result<Block> {
        let (&Self { q, weights, .. }, shares) = (&fitted.settings, &fitted.shares);
        // Lower bound: that of `difference` a column, 4 bytes for two codes; weights double it.
        fill(a.len(), b.len(), run, |i, j| {
            let (own, other) = (a.codes(i), b.codes(j));
            let cells = own.iter().zip(other.iter()).enumerate();
            let distance: f64 = cells
                .map(|(column, (&x, &z))| {
                    let (p, other) = (shares.of(column, x), shares.of(column, z));
                    let weight = match weights {
                        ValueWeights::None => 1.0,
                        ValueWeights::StanfillWaltz => p.iter().map(|p| p * p).sum::<f64>().sqrt(),
                    };
                    weight * difference(p, other, q)
                })
                .sum();
            0.0 - distance
        })
    }
}
