//! Regions of the unit cube: a half-space and a ball.

use super::assemble::{classes, draw, finish, irrelevant_numbers, relevant_numbers, sized, truth};
use super::{About, Simulate, Simulated};
use crate::Result;
use crate::parameter::Parameters;

crate::parameters! {
    /// Class 1 when Σ xⱼ > R/2 over the R relevant features, all uniform in [0, 1).
    pub struct LinearThreshold {
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of relevant features.
        relevant: usize = 3, min 1;
        /// Number of irrelevant features.
        irrelevant: usize = 6;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

crate::parameters! {
    /// Class 1 inside the ball Σ (xⱼ − ½)² < R/12 around the centre of the unit cube.
    ///
    /// R/12 is the mean of the left side, so that both classes have about half of the rows.
    pub struct Sphere {
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of relevant features.
        relevant: usize = 3, min 1;
        /// Number of irrelevant features.
        irrelevant: usize = 6;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Simulate for LinearThreshold {
    fn about(&self) -> About {
        About {
            id: "linear",
            title: "Linear threshold",
            summary: "The class is 1 when the relevant features sum to more than half of their number.",
            reference: "a classic, of no single source",
        }
    }

    fn generate(&self) -> Result<Simulated> {
        self.check()?;
        region(self.rows, self.relevant, self.irrelevant, self.seed, |row| {
            row.iter().sum::<f64>() > row.len() as f64 / 2.0
        })
    }
}

impl Simulate for Sphere {
    fn about(&self) -> About {
        About {
            id: "sphere",
            title: "Sphere",
            summary: "The class is 1 inside a ball at the centre of the relevant features.",
            reference: "a classic; the radius is our own, for classes of about equal size",
        }
    }

    fn generate(&self) -> Result<Simulated> {
        self.check()?;
        region(self.rows, self.relevant, self.irrelevant, self.seed, |row| {
            row.iter().map(|x| (x - 0.5).powi(2)).sum::<f64>() < row.len() as f64 / 12.0
        })
    }
}

/// Uniform features, class 1 where `inside` holds of the relevant ones.
fn region(
    rows: usize,
    relevant: usize,
    irrelevant: usize,
    seed: u64,
    inside: impl Fn(&[f64]) -> bool,
) -> Result<Simulated> {
    sized(rows, &[relevant, irrelevant])?;
    let mut random = truth(seed);
    let cells = draw(rows, relevant, || random.uniform());
    let codes = cells.iter().map(|row| u32::from(inside(row))).collect();
    finish(
        relevant_numbers(&cells, relevant),
        irrelevant_numbers(rows, irrelevant, seed),
        classes(codes)?,
        vec![],
    )
}
