//! [`ModelError`]: what can go wrong in reading a saved model.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in reading a saved model.
    pub enum ModelError {
        Empty => "the file is empty; a saved model is not";
    }
}
