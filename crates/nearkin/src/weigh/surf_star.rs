//! SURF*: as SURF, and rows farther than the mean distance count with the opposite sign.
//!
//! ```text
//! U_x(A) = − mean_{near hits} diff + mean_{near misses} diff
//!          + mean_{far hits} diff − mean_{far misses} diff
//! ```
//!
//! Cost: n²p differences to find near rows, and n²p to average, as every row is near or far.
//!
//! From 4096 rows on a difference is rounded by less than 4e-9 of its column's range.
//!
//! Reference: C. S. Greene, D. S. Himmelstein, J. Kiralis and J. H. Moore, *The informative
//! extremes: using both nearest and farthest individuals can improve Relief algorithms in the
//! domain of human genetics*, EvoBIO 2010.

use super::radius::{Far, Rule, by_radius};

by_radius! {
    /// SURF* and its settings.
    SurfStar {
        /// Count every row's distance of 0 to itself in the mean, as scikit-rebate does.
        diagonal: bool = false;
    }
    "surf-star" is "SURF*", "SURF, and far rows with the opposite sign",
    "Greene et al. 2010",
    |surf| Rule { own: false, diagonal: surf.diagonal, far: Far::Opposite }
}
