//! [`ParameterError`]: what is wrong with the value of a parameter.

use super::classify::SupportError;
use crate::sentences::{listed, sentences};

sentences! {
    /// What is wrong with the value of a parameter; the parameter's name stands beside it.
    pub enum ParameterError {
        // Any parameter.
        TooSmall { min: f64, got: f64 } => "must be at least {min}, got {got}";
        TooLarge { max: f64, got: f64 } => "must be at most {max}, got {got}";
        Outside { min: f64, max: f64, got: f64 } => "must be from {min} to {max}, got {got}";
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
        Empty => "needs at least one value";
        ListNotWhole { min: usize, got: f64 }
            => "must be whole numbers of at least {min}, got {got}";
        ListTooSmall { min: f64, got: f64 } => "must be numbers of at least {min}, got {got}";
        NoneBelowRows { most: usize } => "none is at most {most}, the training rows less one";
        NotOneEachClass { given: usize, classes: Vec<String> }
            => "{given} given for {} classes ({})", classes.len(), listed(classes);
        CostsDisagree { given: usize, classes: Vec<String> }
            => "{given} given; {0} classes ({1}) need {0} × {0}: for every class said, the cost \
                under each true class", classes.len(), listed(classes);
        NegativeOrInfinite { got: f64 } => "must be finite and not below 0, got {got}";
        SupportUndeclared => "is for a declared support; set support as well";
        SupportNeeds { support: String, needs: &'static str }
            => "support `{support}` needs {needs}";
        SupportTooNarrow { low: f64, high: f64, value: f64 }
            => "the support reaches from {low} to {high} and a training value is {value}; widen it";
        Support { reason: SupportError } => "{reason}";

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
