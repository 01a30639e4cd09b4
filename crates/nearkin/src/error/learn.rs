//! [`LearnError`]: what can go wrong in learning a similarity.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in learning a similarity.
    pub enum LearnError {
        NoNumberOfNeighbours => "there is no k to try";
    }
}
