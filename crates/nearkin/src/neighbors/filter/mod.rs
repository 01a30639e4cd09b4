//! What rules pairs out: values in `f32` or whole numbers, each with a proven error.

pub(crate) mod bounded;
pub(crate) mod halves;
pub(crate) mod panel;
pub(crate) mod share;
pub(crate) mod shortlist;
pub(crate) mod tile;
