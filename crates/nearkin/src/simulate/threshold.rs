//! Regions of the unit cube: a half-space and a ball.

use super::Simulated;
use super::assemble::{
    Size, classes, draw, finish, generator, irrelevant_numbers, relevant_numbers, truth,
};
use crate::Result;

generator! {
    /// Class 1 when Σ xⱼ > R/2 over the R relevant features, all uniform in [0, 1).
    LinearThreshold: "linear" is "Linear threshold",
        "The class is 1 when the relevant features sum to more than half of their number.",
        "a classic, of no single source";
    "Number of relevant features." = 3, "Number of irrelevant features." = 6;
    |size| region(size, |row| row.iter().sum::<f64>() > row.len() as f64 / 2.0)
}

generator! {
    /// Class 1 inside the ball Σ (xⱼ − ½)² < R/12 around the centre of the unit cube.
    ///
    /// R/12 is the mean of the left side, so that both classes have about half of the rows.
    Sphere: "sphere" is "Sphere",
        "The class is 1 inside a ball at the centre of the relevant features.",
        "a classic; the radius is our own, for classes of about equal size";
    "Number of relevant features." = 3, "Number of irrelevant features." = 6;
    |size| region(size, |row| {
        row.iter().map(|x| (x - 0.5).powi(2)).sum::<f64>() < row.len() as f64 / 12.0
    })
}

/// Uniform features, class 1 where `inside` holds of the relevant ones.
fn region(size: Size, inside: impl Fn(&[f64]) -> bool) -> Result<Simulated> {
    let mut random = truth(size.seed);
    let cells = draw(size.rows, size.relevant, || random.uniform());
    let codes = cells.iter().map(|row| u32::from(inside(row))).collect();
    finish(
        relevant_numbers(&cells, size.relevant),
        irrelevant_numbers(size.rows, size.irrelevant, size.seed),
        classes(codes)?,
        vec![],
    )
}
