//! [`StatsError`]: what can go wrong in a statistical test.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in a statistical test.
    pub enum StatsError {
        TooManyForExact { limit: usize, got: usize }
            => "an exact p-value tries all orders of at most {limit} pairs, got {got}; use the t \
                approximation";
    }
}
