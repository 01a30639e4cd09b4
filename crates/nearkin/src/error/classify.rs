//! [`ClassifyError`]: what can go wrong in classifying.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in classifying.
    pub enum ClassifyError {
        MoreThanNeighbours => "this classifier asks for more than a query's neighbours";
    }
}
