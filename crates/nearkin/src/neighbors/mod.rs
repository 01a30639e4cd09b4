//! Search for nearest neighbours.
//!
//! All pairs of a table are visited once, in tiles of rows × rows; each tile is reduced while it
//! is in cache and then dropped. Tiles are `f32` and only a filter: with a proven error bound
//! they rule pairs out, and the double precision sums of [`measure`](crate::measure) decide rank
//! and ties. So the answer is that of the definition, the same for any number of threads, any
//! tile size and any instruction set.
//!
//! | folder | holds |
//! |---|---|
//! | `kernel` | the arithmetic: one plain definition a kernel, compiled for each instruction set |
//! | `filter` | what rules pairs out: panels, tiles, shortlists, bounded distances |
//! | `exact` | what decides: distances and sums of differences in double precision |
//! | `holes` | missing cells: what the policy puts in their place, for all of the above |
//!
//! The files beside the folders are the searches themselves.

mod bilinear;
mod euclidean;
mod exact;
mod filter;
mod found;
mod holes;
mod kernel;
mod others;
mod reweighted;
mod rule;
mod samples;
mod search;
mod similar;

pub(crate) use bilinear::best_of_groups;
pub(crate) use exact::count::{listed_packed, packed_known, packed_mismatches, packed_weighted};
pub(crate) use exact::difference::{
    CellGrid, absolute_differences, listed_differences, listed_mismatches, squared_differences,
    whole_differences,
};
pub(crate) use exact::known::{Known, known_codes, known_numbers};
pub(crate) use exact::long_sum::LongSum;
pub(crate) use exact::pairs::sum_of_distances;
pub(crate) use exact::strip::{DistanceSpread, Strips, distances_in_all, nearest_in_strip};
pub(crate) use filter::bounded::{Band, Bounded, NO_ROW, any_within};
pub(crate) use kernel::{Isa, for_each_isa, overlap};
pub(crate) use others::Others;
pub(crate) use reweighted::Reweighted;
pub(crate) use similar::{best, finite_scores, most_similar_of_groups, no_neighbours, offer};

pub use found::Neighbors;
pub use rule::{Decision, Rule};
pub use samples::{SampleSearch, most_similar_in, nearest_in_block, nearest_samples};
pub use search::{Labelled, nearest, nearest_between};
pub use similar::{SimilarRow, most_similar};

/// Parts of the engine for nearkin's own tests and benchmarks; not covered by any promise.
#[doc(hidden)]
pub mod testing {
    pub use super::exact::pairs::sum_of_distances;
    pub use super::exact::strip::{DistanceSpread, Strips, distances_in_all};
    pub use super::filter::bounded::{Bounded, NO_ROW};
    pub use super::kernel::Isa;
    pub use super::kernel::limit::{arithmetic_limit, mismatch_limit};
    pub use super::reweighted::Reweighted;
    pub use super::search::{Tuning, all_tiles, nearest_tuned};
}
