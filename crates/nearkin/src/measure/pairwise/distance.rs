//! Distances of mixed rows as similarities: HEOM, Euclidean and Manhattan, s = −d.
//!
//! ```text
//! HEOM       d = √Σ_a d_a²,   d_a = 1 where a cell is missing or categories differ,
//!                             d_a = |x_a − z_a| / (max_a − min_a) for numbers
//! Euclidean  d = √Σ_a d_a²,   Manhattan  d = Σ_a d_a,   scaled and missing as asked for
//! ```
//!
//! Ranges and deviations are those of the training rows; a value beyond the range may differ by
//! more than 1. These are the distances of [`Measure`].
//!
//! Reference: D. R. Wilson and T. R. Martinez, *Improved heterogeneous distance functions*,
//! JAIR 6 (1997).

use super::blocks::MeasureNeeds;
use super::of_columns::{OfColumns, of_columns};
use super::{Block, FittedMeasure, MeasureKind, fill};
use crate::data::{Encoder, Parts, Table};
use crate::measure::{Measure, Metric, Missing, Scaling, Unknown};
use crate::parameter::Value;
use crate::{Error, ParameterError, Result, Run, choice, parameters};

choice! {
    /// Difference to a missing cell.
    pub enum Holes {
        /// The column is left out, and the others count for it.
        LeftOut = "left-out",
        /// 1, the range of a scaled column.
        One = "one",
    }
}

parameters! {
    /// The heterogeneous Euclidean-overlap metric, without settings.
    pub struct Heom {
    }
}

parameters! {
    /// Euclidean distance and its settings.
    pub struct Euclidean {
        /// Divisor of a numeric difference.
        scaling: Scaling = Scaling::MinMax;
        /// Difference to a missing cell.
        missing: Holes = Holes::LeftOut;
    }
}

parameters! {
    /// Manhattan distance and its settings.
    pub struct Manhattan {
        /// Divisor of a numeric difference.
        scaling: Scaling = Scaling::MinMax;
        /// Difference to a missing cell.
        missing: Holes = Holes::LeftOut;
    }
}

/// Ingredients of a distance, beside the columns.
#[derive(Debug, Clone, Copy)]
struct Recipe {
    metric: Metric,
    scaling: Scaling,
    missing: Holes,
}

/// A distance of encoded rows.
#[derive(Debug)]
pub(crate) struct FittedDistance {
    pub encoder: Encoder,
    pub measure: Measure,
}

impl FittedMeasure for FittedDistance {
    fn block_with(&self, queries: &Table, references: &Table, run: &Run) -> Result<Block> {
        let (a, b) = (self.encoder.encode(queries)?, self.encoder.encode(references)?);
        // Lower bound: four operations and 16 bytes a number, two and 4 bytes a code. Rules of
        // neighbours need no matrix and use tiles.
        fill(a.len(), b.len(), run, |i, j| 0.0 - self.measure.distance(&a, i, &b, j, (0, 0)))
    }

    fn parts(&self) -> Parts {
        Parts::new().with("columns", self.encoder.parts())
    }

    fn kind(&self) -> MeasureKind<'_> {
        MeasureKind::Distance(&self.encoder, &self.measure)
    }
}

impl OfColumns for Recipe {
    fn fitted(self, _: &'static str, encoder: Encoder) -> impl FittedMeasure + 'static {
        let policy = match self.missing {
            Holes::LeftOut => Missing::Agnostic,
            Holes::One => Missing::One,
        };
        let unknown = Unknown::constant(policy, &encoder);
        let measure = Measure::new(&encoder, self.metric, self.scaling, unknown);
        FittedDistance { encoder, measure }
    }

    fn check(self) -> Result<()> {
        if self.scaling == Scaling::None && self.missing == Holes::One {
            let reason = ParameterError::Unscaled { word: self.missing.show() };
            return Err(Error::parameter("missing", reason));
        }
        Ok(())
    }

    fn needs(self, encoder: &Encoder) -> MeasureNeeds {
        let deviations = self.scaling == Scaling::ZScore && !encoder.numeric().is_empty();
        MeasureNeeds { deviations, ..MeasureNeeds::default() }
    }
}

of_columns! {
    Heom: "heom" is "HEOM",
    "numbers over their range, categories equal or not, missing cells far",
    "Wilson & Martinez 1997",
    |_: &Heom| Recipe { metric: Metric::Euclidean, scaling: Scaling::MinMax, missing: Holes::One }
}

of_columns! {
    Euclidean: "euclidean" is "Euclidean distance",
    "the root of the sum of squared differences", "Euclid",
    |m: &Euclidean| Recipe { metric: Metric::Euclidean, scaling: m.scaling, missing: m.missing }
}

of_columns! {
    Manhattan: "manhattan" is "Manhattan distance",
    "the sum of differences", "Minkowski",
    |m: &Manhattan| Recipe { metric: Metric::Manhattan, scaling: m.scaling, missing: m.missing }
}
