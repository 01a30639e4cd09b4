//! [`MeasureError`]: what can go wrong in comparing rows.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in comparing rows.
    pub enum MeasureError {
        NoClasses => "a similarity is learned from classes, and there are none";
    }
}
