//! What decides: distances and sums of differences in double precision, as the definition has
//! them.

pub(crate) mod count;
pub(crate) mod difference;
pub(crate) mod known;
pub(crate) mod long_sum;
mod packed;
pub(crate) mod pairs;
pub(crate) mod strip;
mod turned;
