//! [`EvaluateError`]: what can go wrong in evaluating.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in evaluating.
    pub enum EvaluateError {
        NothingInCommon
            => "the two plans have no trial in common that gave answers";
    }
}
