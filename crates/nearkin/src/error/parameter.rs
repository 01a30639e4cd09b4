//! [`ParameterError`]: what is wrong with the value of a parameter.

use crate::sentences::{listed, sentences};

sentences! {
    /// What is wrong with the value of a parameter; the parameter's name stands beside it.
    pub enum ParameterError {
        // Any parameter.
        TooSmall { min: f64, got: f64 } => "must be at least {min}, got {got}";
        TooLarge { max: f64, got: f64 } => "must be at most {max}, got {got}";
        Outside { min: f64, max: f64, got: f64 } => "must be in {min}..={max}, got {got}";
        NotWhole { got: String } => "expected a whole number, got `{got}`";
        NotFinite { got: String } => "expected a finite number, got `{got}`";
        NotFlag { got: String } => "expected true or false, got `{got}`";
        NotOneOf { words: Vec<&'static str>, got: String }
            => "expected one of {}, got `{got}`", listed(words);
        NoSuchParameter { owner: String, known: Vec<&'static str> }
            => "{owner} has no such parameter; it has {}", listed(known);
        NoSuchMethod { id: String, what: &'static str, known: Vec<&'static str> }
            => "`{id}` is not {what}; there are {}", listed(known);

        // Until every reason has a variant of its own.
        Other { told: String } => "{told}";

        // weigh.

        // learn.

        // classify.

        // evaluate.

        // measure.

        // data.

        // simulate.

        // stats.

        // neighbors.

        // model.
    }
}

impl From<String> for ParameterError {
    fn from(told: String) -> Self {
        Self::Other { told }
    }
}

impl From<&str> for ParameterError {
    fn from(told: &str) -> Self {
        Self::Other { told: told.to_owned() }
    }
}
