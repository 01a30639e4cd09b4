//! MultiSURF: every target has its own radius, half a deviation inside its mean distance.
//!
//! ```text
//! near: d(x, z) < T_x − σ_x/2      T_x, σ_x: mean and deviation of d(x, ·) over other rows
//! U_x(A) = − mean_{near hits} diff + mean_{near misses} diff
//! ```
//!
//! σ has the number of other rows as divisor.
//!
//! Cost: n²p differences to find near rows, and up to n²p to average them: where distances are
//! normal, 31 % of the rows are near.
//!
//! From 4096 rows on a difference is rounded by less than 4e-9 of its column's range.
//!
//! Reference: R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker and J. H. Moore,
//! *Benchmarking relief-based feature selection methods for bioinformatics data mining*,
//! Journal of Biomedical Informatics 85 (2018).

use super::radius::{Far, Rule, by_radius};

by_radius! {
    /// MultiSURF and its settings.
    MultiSurf {}
    "multisurf" is "MultiSURF",
    "a radius for each target: mean distance less half a deviation", "Urbanowicz et al. 2018",
    |_| Rule { own: true, diagonal: false, far: Far::Ignored }
}
