//! [`NeighborsError`]: what can go wrong in finding neighbours.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in finding neighbours.
    pub enum NeighborsError {
        NotMergeable
            => "neighbours can be merged when they are about the same rows, classes and k";
    }
}
