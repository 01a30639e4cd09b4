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

use super::{About, FittedMeasure, PairMeasure, fill};
use crate::data::{Encoder, MISSING, Parts, SimilarityMatrix, Table, Target};
use crate::{Result, Run, parameters};

parameters! {
    /// Counting similarity, without settings.
    pub struct Counting {
    }
}

#[derive(Debug)]
struct FittedCounting(Encoder);

impl PairMeasure for Counting {
    fn about(&self) -> About {
        About {
            id: "counting",
            title: "Counting",
            summary: "the number of columns that agree",
            reference: "Cazzanti 2009",
        }
    }

    fn fit_checked(&self, table: &Table, _: Option<&Target>) -> Result<Box<dyn FittedMeasure>> {
        Ok(Box::new(FittedCounting(Encoder::fit(table)?)))
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn FittedMeasure>> {
        Ok(Box::new(FittedCounting(Encoder::restore(&parts.within("columns"))?)))
    }
}

impl FittedMeasure for FittedCounting {
    fn block_with(
        &self,
        queries: &Table,
        references: &Table,
        run: &Run,
    ) -> Result<SimilarityMatrix<'static>> {
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
