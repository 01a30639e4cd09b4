//! [`WeighError`]: what can go wrong in weighing features.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in weighing features.
    pub enum WeighError {
        NoBlocks => "the table has no row";
    }
}
