//! [`ClassifyError`]: what can go wrong in classifying.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in classifying.
    pub enum ClassifyError {
        MoreThanNeighbours => "this classifier asks for more than a query's neighbours";
        FittedOnOneMatrix { asked: usize }
            => "the classifier was fitted on one similarity matrix and is asked with {asked}";
        TakesOneMatrix { method: &'static str, given: usize }
            => "{method} takes one similarity matrix, {given} were given; sda and nn-sda take \
                several";
        OtherTrainingRows { rows: usize, fitted: usize }
            => "the table has {rows} training rows and the classifier was fitted on {fitted}; \
                they must be the same ones in the same order";
        NoSuchClass { class: u32 } => "there is no class {class}";
        NeighbourhoodParts => "every neighbour has a class, and a similarity to all";
    }
}
