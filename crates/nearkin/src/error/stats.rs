//! [`StatsError`]: what can go wrong in a statistical test.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in a statistical test.
    pub enum StatsError {
        PairsDisagree { first: usize, second: usize }
            => "paired values must be as many on both sides, got {first} and {second}";
        NotFinite { index: usize, value: f64 }
            => "value {index} is {value}; a test needs finite numbers, leave such rows out";
        TooManyForExact { limit: usize, got: usize }
            => "an exact p-value tries all orders of at most {limit} pairs, got {got}; use the t \
                approximation";
        TooManySigns { limit: usize, got: usize }
            => "an exact signed rank test takes at most {limit} differences, got {got}; use the \
                normal approximation";
        EmptySplit { train: usize, test: usize }
            => "a split needs training and test rows, got {train} and {test}";
        TooFewForFriedman { sets: usize, methods: usize }
            => "Friedman's test needs at least 2 data sets and 2 methods, got {sets} and {methods}";
        TooFewForNemenyi { methods: usize, sets: usize }
            => "Nemenyi's test needs at least 2 methods and 1 data set, got {methods} and {sets}";
        ScoresDisagree { set: usize, got: usize, first: usize }
            => "data set {set} has {got} scores, the first has {first}; every method needs one";
        NoSuchFeature { index: usize, weights: usize }
            => "feature {index} is said to be relevant, but there are weights for {weights} only";
    }
}
