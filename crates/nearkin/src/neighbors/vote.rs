//! The k-nearest-neighbour vote.
//!
//! ```text
//! v_c(x) = #{ z ∈ N_k(x) : y_z = c }        P(c | x) = v_c(x) / Σ_c' v_c'(x)
//! ŷ(x)   = argmax_c v_c(x)
//! ```
//!
//! with N_k(x) the k rows of the base nearest to x. What the definition leaves open is decided
//! here: of rows equally near the one earlier in the table is nearer; of classes with equally
//! many votes the one of the nearest voter among them wins, so a tie never depends on how
//! classes are numbered; with fewer than k rows in the base all of them vote.
//!
//! Cost: queries × base × features differences. A query is not a row of the base, and its class is
//! not known, so a policy for missing cells that needs the class (`d`) is refused where cells are
//! missing.
//!
//! Reference: T. M. Cover and P. E. Hart, *Nearest neighbor pattern classification*, IEEE
//! Transactions on Information Theory 13 (1967).

use super::similar::no_neighbours;
use super::{Labelled, nearest_between};
use crate::data::Rows;
use crate::measure::{Measure, Missing};
use crate::{Error, NeighborsError, ParameterError, Result, Run};

/// The votes of the neighbours of each query.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Votes {
    classes: usize,
    counts: Vec<u32>,
    winners: Vec<u32>,
}

impl Votes {
    /// The class predicted for each query.
    pub fn winners(&self) -> &[u32] {
        &self.winners
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The votes for each class by the neighbours of `query`.
    pub fn of(&self, query: usize) -> &[u32] {
        &self.counts[query * self.classes..(query + 1) * self.classes]
    }

    /// Each class's share of the votes of `query`; the shares sum to 1.
    pub fn shares(&self, query: usize) -> Vec<f64> {
        let votes = self.of(query);
        let all = f64::from(votes.iter().sum::<u32>());
        votes.iter().map(|&count| f64::from(count) / all).collect()
    }
}

/// The vote of the `k` nearest rows of `base` on each of `queries`.
///
/// # Errors
///
/// When k is 0, there is no base row, or the policy for missing cells needs the class of a query.
///
/// ```
/// use nearkin::Run;
/// use nearkin::data::{Column, Encoder, Table};
/// use nearkin::measure::{Measure, Metric, Missing, Scaling, Unknown};
/// use nearkin::neighbors::{Labelled, knn};
///
/// let table = |x: &[f64]| Table::new(vec![Column::numeric("x", x.to_vec())]);
/// let known = table(&[0.0, 1.0, 2.0, 8.0, 9.0])?;
/// let encoder = Encoder::fit(&known)?;
/// let (rows, labels) = (encoder.encode(&known)?, [0, 0, 0, 1, 1]);
/// let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 2);
/// let measure = Measure::new(&encoder, Metric::Euclidean, Scaling::MinMax, unknown);
///
/// let base = Labelled { rows: &rows, labels: &labels, classes: 2 };
/// let votes = knn(&encoder.encode(&table(&[0.5, 10.0])?)?, base, &measure, 3, &Run::default())?;
/// assert_eq!(votes.winners(), [0, 1]);
/// assert_eq!(votes.of(1), [1, 2]);
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn knn(
    queries: &Rows,
    base: Labelled,
    measure: &Measure,
    k: usize,
    run: &Run,
) -> Result<Votes> {
    if k == 0 {
        return Err(no_neighbours());
    }
    if base.rows.is_empty() {
        return Err(NeighborsError::NoVoter.into());
    }
    if measure.unknown().policy() == Missing::D
        && (queries.has_missing() || base.rows.has_missing())
    {
        return Err(Error::parameter("missing", ParameterError::ClassToBeFound));
    }
    // The nearest of all are the nearest of one class that holds all rows.
    let one_class = vec![0; base.rows.len()];
    let base_rows = Labelled { rows: base.rows, labels: &one_class, classes: 1 };
    let no_classes = vec![0; queries.len()];
    let query_rows = Labelled { rows: queries, labels: &no_classes, classes: 1 };
    let chosen: Vec<u32> = (0..queries.len() as u32).collect();
    let k = k.min(base.rows.len());
    let near = nearest_between((query_rows, &chosen), base_rows, false, measure, k, run)?;
    let mut votes = Votes {
        classes: base.classes,
        counts: vec![0; queries.len() * base.classes],
        winners: Vec::with_capacity(queries.len()),
    };
    for (query, counts) in votes.counts.chunks_exact_mut(base.classes).enumerate() {
        let voters = near.of(query, 0).0;
        votes.winners.push(winner(voters.iter().map(|&row| base.labels[row as usize]), counts));
    }
    Ok(votes)
}

/// Count the votes, nearest voter first; the class with most, of tied ones the first to vote.
fn winner(voters: impl Iterator<Item = u32> + Clone, counts: &mut [u32]) -> u32 {
    voters.clone().for_each(|class| counts[class as usize] += 1);
    let most = counts.iter().copied().max().unwrap_or(0);
    voters.into_iter().find(|&class| counts[class as usize] == most).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Encoder, Table};
    use crate::measure::{Metric, Scaling, Unknown};
    use crate::random::Random;

    struct Case {
        rows: Rows,
        queries: Rows,
        labels: Vec<u32>,
        measure: Measure,
    }

    /// Rows of few distinct values, so that distances tie; some cells missing.
    fn case(seed: u64, policy: Missing) -> Case {
        let mut random = Random::new(seed, 0);
        let mut table = |n: usize| {
            let mut cell = |values: usize| match random.chance(0.1) {
                true => None,
                false => Some(random.below(values)),
            };
            let number = |cell: Option<usize>| cell.map_or(f64::NAN, |x| x as f64);
            let x = (0..n).map(|_| number(cell(4))).collect();
            let y = (0..n).map(|_| number(cell(6))).collect();
            let c: Vec<Option<String>> =
                (0..n).map(|_| cell(3).map(|code| code.to_string())).collect();
            let columns = vec![
                Column::numeric("x", x),
                Column::numeric("y", y),
                Column::nominal("c", &c).unwrap(),
            ];
            Table::new(columns).unwrap()
        };
        let (known, asked) = (table(60), table(25));
        let labels: Vec<u32> = (0..60).map(|_| random.below(3) as u32).collect();
        let encoder = Encoder::fit(&known).unwrap();
        let (rows, queries) = (encoder.encode(&known).unwrap(), encoder.encode(&asked).unwrap());
        let unknown = Unknown::fit(policy, &encoder, &rows, &labels, 3);
        let measure = Measure::new(&encoder, Metric::Euclidean, Scaling::MinMax, unknown);
        Case { rows, queries, labels, measure }
    }

    /// The vote by the definition: sort all rows, count the first k.
    fn plain(case: &Case, query: usize, k: usize) -> (Vec<u32>, u32) {
        let mut all: Vec<(f64, usize)> = (0..case.rows.len())
            .map(|row| (case.measure.sum(&case.queries, query, &case.rows, row, (0, 0)), row))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.truncate(k);
        let mut counts = vec![0; 3];
        all.iter().for_each(|&(_, row)| counts[case.labels[row] as usize] += 1);
        let most = counts.iter().max().unwrap();
        let first = all.iter().find(|&&(_, row)| counts[case.labels[row] as usize] == *most);
        (counts.clone(), case.labels[first.unwrap().1])
    }

    #[test]
    fn the_vote_is_that_of_a_plain_loop() {
        for policy in [Missing::One, Missing::Agnostic, Missing::B] {
            for seed in 0..6 {
                let case = case(seed, policy);
                let base = Labelled { rows: &case.rows, labels: &case.labels, classes: 3 };
                for k in [1, 2, 5, 59, 60, 1000] {
                    let votes = knn(&case.queries, base, &case.measure, k, &Run::on(2)).unwrap();
                    for query in 0..case.queries.len() {
                        let (counts, winner) = plain(&case, query, k);
                        assert_eq!(votes.of(query), counts, "k {k}, seed {seed}");
                        assert_eq!(votes.winners()[query], winner, "k {k}, seed {seed}");
                        assert!((votes.shares(query).iter().sum::<f64>() - 1.0).abs() < 1e-12);
                    }
                }
            }
        }
    }

    #[test]
    fn a_tie_goes_to_the_class_of_the_nearest_tied_voter() {
        let mut counts = [0; 3];
        assert_eq!(winner([2, 1, 0, 0, 1].into_iter(), &mut counts), 1);
        assert_eq!(counts, [2, 2, 1]);
    }

    #[test]
    fn a_vote_without_voters_or_with_class_guesses_is_refused() {
        let case = case(1, Missing::D);
        let base = Labelled { rows: &case.rows, labels: &case.labels, classes: 3 };
        let refused = |k| knn(&case.queries, base, &case.measure, k, &Run::on(1)).unwrap_err();
        assert!(refused(0).to_string().contains("at least 1"));
        assert!(refused(1).to_string().contains("choose another policy"));
    }
}
