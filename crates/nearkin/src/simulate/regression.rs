//! Linear targets: features of rising and of equal importance.

use super::Simulated;
use super::assemble::{Size, draw, finish, generator, irrelevant_numbers, relevant_numbers, truth};
use crate::Result;
use crate::data::Target;

generator! {
    /// Target = Σ j·Aⱼ for j = 1..=R: importance rises linearly. Features uniform in [0, 1).
    LinInc: "lin-inc" is "LinInc",
        "A real target to which the relevant features contribute with weights 1, 2, 3, …",
        "Robnik-Šikonja & Kononenko, Machine Learning 53, 2003, eq. 44";
    "Number of relevant features." = 4, "Number of irrelevant features." = 8;
    |size| linear(size, |j| (j + 1) as f64)
}

generator! {
    /// Target = Σ Aⱼ over the relevant features: all equally important. Uniform in [0, 1).
    LinEq: "lin-eq" is "LinEq",
        "A real target to which the relevant features contribute equally.",
        "Robnik-Šikonja & Kononenko, Machine Learning 53, 2003, eq. 45";
    "Number of relevant features." = 4, "Number of irrelevant features." = 8;
    |size| linear(size, |_| 1.0)
}

/// Uniform features, the target a weighted sum of the relevant ones.
fn linear(size: Size, weight: impl Fn(usize) -> f64) -> Result<Simulated> {
    let mut random = truth(size.seed);
    let cells = draw(size.rows, size.relevant, || random.uniform());
    let value = |row: &Vec<f64>| row.iter().enumerate().map(|(j, x)| weight(j) * x).sum();
    let target = Target::real(cells.iter().map(value).collect())?;
    finish(
        relevant_numbers(&cells, size.relevant),
        irrelevant_numbers(size.rows, size.irrelevant, size.seed),
        target,
        vec![],
    )
}
