//! STIR: a t-test of every feature, from the differences to hits and to misses.
//!
//! ```text
//! M̄ = 1/m Σ_i mean_j diff(A, x_i, M_ij)        S²_M = 1/m Σ_i mean_j (diff − M̄)²
//! S_p² = ((|M| − 1) S²_M + (|H| − 1) S²_H) / (|M| + |H| − 2)
//! t = (M̄ − H̄) / (S_p √(1/|M| + 1/|H|))         df = |M| + |H| − 2, one-sided
//! ```
//!
//! with |M| and |H| the numbers of miss and hit pairs. A target counts when it has a hit and a
//! miss. With more than two classes misses weigh as in the update, an extension of ours. q is
//! Benjamini and Hochberg's.
//!
//! p is no p-value. Pairs share rows and are not independent. And where classes are unequal, the k
//! nearest rows of the rare class lie further out than those of the frequent one, so noise differs
//! more to misses than to hits and its p is small ([`unequal`]). The test is here for comparison
//! with other programs; the method association has p-values that hold.
//!
//! Reference: T. T. Le, R. J. Urbanowicz, J. H. Moore and B. A. McKinney, *Statistical
//! inference Relief (STIR) feature selection*, Bioinformatics 35 (2019).

use super::FeatureAssociation;
use super::aggregate::HitMiss;
use crate::Note;
use crate::data::Target;
use crate::stats::{Moments, Tail, benjamini_hochberg, pooled_t};

/// The test of one feature.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Test {
    /// The statistic, where the test has one.
    pub t: Option<f64>,
    /// Probability of a weight as large without any relation; none when the test decides nothing.
    pub p: Option<f64>,
    /// Benjamini and Hochberg's adjusted p.
    pub q: Option<f64>,
    /// Effect size (Cohen's d), where the test has one.
    pub effect: Option<f64>,
}

impl From<&FeatureAssociation> for Test {
    fn from(found: &FeatureAssociation) -> Self {
        Self { p: Some(found.p), q: Some(found.q), ..Self::default() }
    }
}

/// Classes are unequal where the largest has more than so many rows for each of the smallest.
const EQUAL: f64 = 1.2;

/// A note where classes are so unequal that STIR calls noise: the largest has more than 1.2 times
/// the rows of the smallest.
#[must_use]
pub fn unequal(target: &Target) -> Option<Note> {
    let Target::Classes(classes) = target else { return None };
    unequal_counts(classes.names(), classes.counts())
}

/// [`unequal`] of classes with these names and numbers of rows.
pub(crate) fn unequal_counts(names: &[String], counts: &[usize]) -> Option<Note> {
    let named = counts.iter().copied().zip(names);
    let (smallest, small) = named.clone().min_by_key(|one| one.0)?;
    // The first of equals.
    let (largest, large) = named.rev().max_by_key(|one| one.0)?;
    (largest as f64 > EQUAL * smallest as f64).then(|| Note::StirOfUnequalClasses {
        large: large.clone(),
        largest,
        small: small.clone(),
        smallest,
    })
}

/// Tests of all features, in the order of the sums.
pub(crate) fn tests(sums: &HitMiss) -> Vec<Test> {
    let targets = sums.targets as f64;
    let moments = |side: usize, feature: usize| {
        let of = &sums.moments[side];
        let mean = of.first[feature] / targets;
        let square = of.second.as_ref().map_or(0.0, |second| second[feature] / targets);
        Moments { mean, variance: (square - mean * mean).max(0.0), count: sums.pairs[side] as f64 }
    };
    let features = sums.moments[0].first.len();
    let results = (0..features).map(|feature| {
        if sums.targets == 0 {
            return None;
        }
        pooled_t(moments(1, feature), moments(0, feature), Tail::Right)
    });
    let results: Vec<_> = results.collect();
    with_q(results.iter().map(|result| match result {
        Some(t) => Test { t: Some(t.t), p: Some(t.p), q: None, effect: Some(t.effect) },
        None => Test::default(),
    }))
}

/// Fill in q from the p of all tests.
pub(crate) fn with_q(tests: impl Iterator<Item = Test>) -> Vec<Test> {
    let mut tests: Vec<Test> = tests.collect();
    let q = benjamini_hochberg(&tests.iter().map(|test| test.p).collect::<Vec<_>>());
    tests.iter_mut().zip(q).for_each(|(test, q)| test.q = q);
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_unequal_beyond_a_fifth_more_rows() {
        let told = |a: usize, b: usize| {
            let labels = (0..a).map(|_| "a").chain((0..b).map(|_| "b"));
            unequal(&Target::classes(labels))
        };
        assert_eq!(told(60, 50), None);
        let meant = |large: &str, small: &str| {
            let (large, small) = (large.into(), small.into());
            Some(Note::StirOfUnequalClasses { large, largest: 61, small, smallest: 50 })
        };
        assert_eq!(told(61, 50), meant("a", "b"));
        assert_eq!(told(50, 61), meant("b", "a"));
        assert_eq!(unequal(&Target::Real(vec![1.0, 2.0])), None);
    }
}
