//! Counting: how many columns agree.
//!
//! ```text
//! s(x, z) = Σ_a [x_a = z_a]
//! ```
//!
//! Numbers agree when they are equal. A missing cell agrees with nothing; an unseen value agrees
//! with the same unseen value.
//!
//! When to use: categories or bits without further knowledge about them.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 5.1.

use super::of_columns::{OfColumns, of_columns};
use super::{Block, FittedMeasure, fill};
use crate::data::{Encoder, MISSING, Parts, Table};
use crate::{Result, Run, parameters};

parameters! {
    /// Counting similarity, without settings.
    pub struct Counting {
    }
}

#[derive(Debug)]
struct FittedCounting(Encoder);

/// The settings of counting: none.
#[derive(Debug, Clone, Copy)]
struct Agreement;

impl OfColumns for Agreement {
    fn fitted(self, _: &'static str, encoder: Encoder) -> impl FittedMeasure + 'static {
        FittedCounting(encoder)
    }
}

of_columns! {
    Counting: "counting" is "Counting", "the number of columns that agree", "Cazzanti 2009",
    |_: &Counting| Agreement
}

impl FittedMeasure for FittedCounting {
    fn block_with(&self, queries: &Table, references: &Table, run: &Run) -> Result<Block> {
        let (a, b) = (self.0.encode(queries)?.wide(), self.0.encode(references)?.wide());
        // Lower bound: two operations a column, 4 bytes for two codes and 16 for two numbers.
        fill(a.len(), b.len(), run, |i, j| {
            let (own, other) = (a.codes(i), b.codes(j));
            let codes = own.iter().zip(other.iter());
            let codes = codes.filter(|(x, z)| x == z && **x != MISSING).count();
            // NaN, a missing number, equals nothing.
            let numbers = (0..a.numeric()).filter(|&c| a.number(i, c) == b.number(j, c)).count();
            (codes + numbers) as f64
        })
    }

    fn parts(&self) -> Parts {
        Parts::new().with("columns", self.0.parts())
    }
}
