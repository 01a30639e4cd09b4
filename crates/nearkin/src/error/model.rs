//! [`ModelError`]: what can go wrong in reading a saved model.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in reading a saved model.
    pub enum ModelError {
        NeedsClasses { method: String }
            => "{method} answers with classes and the target is a real number; tell the reader \
                that the target holds classes";
        MadeFromSimilarities
            => "the model was made from similarities alone; give those of the queries to its \
                samples";
        Empty => "the file is empty; a saved model is not";
    }
}
