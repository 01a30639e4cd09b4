//! Linear targets: features of rising and of equal importance.

use super::assemble::{draw, finish, irrelevant_numbers, relevant_numbers, sized, truth};
use super::{About, Simulate, Simulated};
use crate::Result;
use crate::data::Target;
use crate::parameter::Parameters;

crate::parameters! {
    /// Target = Σ j·Aⱼ for j = 1..=R: importance rises linearly. Features uniform in [0, 1).
    pub struct LinInc {
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of relevant features.
        relevant: usize = 4, min 1;
        /// Number of irrelevant features.
        irrelevant: usize = 8;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

crate::parameters! {
    /// Target = Σ Aⱼ over the relevant features: all equally important. Uniform in [0, 1).
    pub struct LinEq {
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of relevant features.
        relevant: usize = 4, min 1;
        /// Number of irrelevant features.
        irrelevant: usize = 8;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Simulate for LinInc {
    fn about(&self) -> About {
        About {
            id: "lin-inc",
            title: "LinInc",
            summary: "A real target to which the relevant features contribute with weights 1, 2, 3, …",
            reference: "Robnik-Šikonja & Kononenko, Machine Learning 53, 2003, eq. 44",
        }
    }

    fn generate(&self) -> Result<Simulated> {
        self.check()?;
        linear(self.rows, self.relevant, self.irrelevant, self.seed, |j| (j + 1) as f64)
    }
}

impl Simulate for LinEq {
    fn about(&self) -> About {
        About {
            id: "lin-eq",
            title: "LinEq",
            summary: "A real target to which the relevant features contribute equally.",
            reference: "Robnik-Šikonja & Kononenko, Machine Learning 53, 2003, eq. 45",
        }
    }

    fn generate(&self) -> Result<Simulated> {
        self.check()?;
        linear(self.rows, self.relevant, self.irrelevant, self.seed, |_| 1.0)
    }
}

/// Uniform features, the target a weighted sum of the relevant ones.
fn linear(
    rows: usize,
    relevant: usize,
    irrelevant: usize,
    seed: u64,
    weight: impl Fn(usize) -> f64,
) -> Result<Simulated> {
    sized(rows, &[relevant, irrelevant])?;
    let mut random = truth(seed);
    let cells = draw(rows, relevant, || random.uniform());
    let value = |row: &Vec<f64>| row.iter().enumerate().map(|(j, x)| weight(j) * x).sum();
    let target = Target::real(cells.iter().map(value).collect())?;
    finish(
        relevant_numbers(&cells, relevant),
        irrelevant_numbers(rows, irrelevant, seed),
        target,
        vec![],
    )
}
