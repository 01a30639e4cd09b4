//! SURF: every row nearer than the mean distance of all pairs is a neighbour.
//!
//! ```text
//! U_x(A) = − mean_{hits, d < T} diff + mean_{misses, d < T} diff        T = mean of all d
//! ```
//!
//! Cost: n²p differences to find near rows, and up to n²p to average them: rows within the mean
//! distance are near, about half of all.
//!
//! From 4096 rows on a difference is rounded by less than 4e-9 of its column's range.
//!
//! Reference: C. S. Greene, N. M. Penrod, J. Kiralis and J. H. Moore, *Spatially uniform ReliefF
//! (SURF) for computationally-efficient filtering of gene-gene interactions*, BioData Mining 2
//! (2009). scikit-rebate counts the zero distance of every row to itself
//! in T, which makes it smaller by a factor (n − 1)/n; `diagonal` does the same.

use super::radius::{Far, Rule, by_radius};

by_radius! {
    /// SURF and its settings.
    Surf {
        /// Count every row's distance of 0 to itself in the mean, as scikit-rebate does.
        diagonal: bool = false;
    }
    "surf" is "SURF", "all rows nearer than the mean distance are neighbours",
    "Greene et al. 2009",
    |surf| Rule { own: false, diagonal: surf.diagonal, far: Far::Ignored }
}
