//! Missing cells: what the policy puts in place of what the kernels saw.

pub(crate) mod bounded;
pub(crate) mod cells;
pub(crate) mod packed;
pub(crate) mod strip;
