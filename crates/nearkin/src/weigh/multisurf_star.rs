//! MultiSURF*: as MultiSURF, and what is equal among far rows counts as well.
//!
//! ```text
//! near: d < T_x − σ_x/2       far: d > T_x + σ_x/2
//! U_x(A) = − mean_{near hits} diff + mean_{near misses} diff
//!          − mean_{far hits} (1 − diff) + mean_{far misses} (1 − diff)
//! ```
//!
//! A constant feature need not get 0: it is equal among far rows too, and where a target has
//! far rows of one kind only nothing balances that.
//!
//! Cost: n²p differences to find near and far rows, and up to n²p to average them: where
//! distances are normal, 31 % of the rows are near and as many far.
//!
//! From 4096 rows on a difference is rounded by less than 4e-9 of its column's range.
//!
//! Reference: D. Granizo-Mackenzie and J. H. Moore, *Multiple threshold spatially uniform
//! ReliefF for the genetic analysis of complex human diseases*, EvoBIO 2013.

use super::radius::{Far, Rule, by_radius};

by_radius! {
    /// MultiSURF* and its settings.
    MultiSurfStar {}
    "multisurf-star" is "MultiSURF*",
    "MultiSURF, and equal values among far rows", "Granizo-Mackenzie & Moore 2013",
    |_| Rule { own: true, diagonal: false, far: Far::Equal }
}
