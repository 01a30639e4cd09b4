//! The sample that stands for its class.
//!
//! ```text
//! max-sum     μ_h = argmax_{μ ∈ X_h} Σ_{z ∈ X_h} s(z, μ)                          (5)
//! popular     μ_h = argmax_{μ ∈ X_h} #{z : μ is z's nearest neighbour}            (14)
//! unconstrained   μ_h = argmax_{μ ∈ B} Σ_{z ∈ X_h} s(z, μ)                        (13)
//! ```
//!
//! over the samples X_h of class h, μ itself among the z of (5), and B all objects that samples
//! are compared with: of any class, or no samples at all. Ties go to the first sample;
//! for (14) first to the larger sum of the similarities counted. The first argument of s is
//! the sample, the second the centroid, so asymmetric similarities are read down a column.
//!
//! Cost: n_h² a class for (5), n² for (14).
//!
//! Lower bound: an addition (5, 13) or a comparison (14) for each of those similarities, each read
//! once; (13) takes n · n_h a class. (14) reads its best so far again each time. One thread does
//! all of it: working out n² similarities, or reading them from a file, takes much longer.

use super::common::Training;
use crate::choice;
use crate::data::SimilarityMatrix;

choice! {
    /// Which sample stands for its class.
    #[non_exhaustive]
    pub enum Centroid {
        /// The one most similar in sum to the samples of its class.
        MaxSum = "max-sum",
        /// The one that is the nearest neighbour of most samples.
        Popular = "popular",
        /// The one most similar in sum to the samples of the class, whatever class it is of;
        /// nearest-centroid also takes columns that are no samples, and of a table the row of the
        /// class's most frequent values.
        Unconstrained = "unconstrained",
    }
}

choice! {
    /// Where nearest neighbours are counted, to find the most popular sample.
    pub enum Scope {
        /// Within each class: neighbours are samples of the same class.
        WithinClass = "within-class",
        /// Among all samples, of whatever class.
        All = "all",
    }
}

/// The centroid of each class.
pub(crate) fn centroids(training: Training, kind: Centroid, scope: Scope) -> Vec<usize> {
    let by_class = training.by_class();
    match (kind, scope) {
        (Centroid::MaxSum, _) => by_class.iter().map(|class| max_sum(training.s, class)).collect(),
        (Centroid::Popular, Scope::WithinClass) => {
            by_class.iter().map(|class| popular(training.s, class, class)).collect()
        }
        (Centroid::Popular, Scope::All) => {
            let all: Vec<usize> = (0..training.n()).collect();
            by_class.iter().map(|class| popular(training.s, &all, class)).collect()
        }
        (Centroid::Unconstrained, _) => unconstrained(training.s, &by_class),
    }
}

/// For every class, the column most similar in sum to its members, the first on ties.
pub(crate) fn unconstrained(s: &SimilarityMatrix, by_class: &[Vec<usize>]) -> Vec<usize> {
    let best = |members: &Vec<usize>| {
        let mut sums = vec![0.0; s.columns()];
        for &z in members {
            sums.iter_mut().zip(&*s.row(z)).for_each(|(sum, s)| *sum += s);
        }
        first_largest(&sums)
    };
    by_class.iter().map(best).collect()
}

/// The member most similar in sum to all members.
pub(crate) fn max_sum(s: &SimilarityMatrix, members: &[usize]) -> usize {
    max_sum_among(s, members, members).unwrap_or(members[0])
}

/// The candidate with the largest sum of similarities to all members; none when there is no
/// candidate.
pub(crate) fn max_sum_among(
    s: &SimilarityMatrix,
    members: &[usize],
    candidates: &[usize],
) -> Option<usize> {
    let mut sums = vec![0.0; candidates.len()];
    for &z in members {
        let row = s.row(z);
        sums.iter_mut().zip(candidates).for_each(|(sum, &candidate)| *sum += row[candidate]);
    }
    candidates.get(first_largest(&sums)).copied()
}

/// The candidate that is the nearest neighbour among `samples` of most `samples`.
fn popular(s: &SimilarityMatrix, samples: &[usize], candidates: &[usize]) -> usize {
    let mut followers = vec![(0usize, 0.0f64); s.rows()];
    for &z in samples {
        let mut nearest: Option<usize> = None;
        for &u in samples.iter().filter(|&&u| u != z) {
            if nearest.is_none_or(|best| s.at(z, u) > s.at(z, best)) {
                nearest = Some(u);
            }
        }
        if let Some(u) = nearest {
            followers[u] = (followers[u].0 + 1, followers[u].1 + s.at(z, u));
        }
    }
    let mut best = candidates[0];
    for &u in &candidates[1..] {
        let (more, as_many) =
            (followers[u].0 > followers[best].0, followers[u].0 == followers[best].0);
        if more || (as_many && followers[u].1 > followers[best].1) {
            best = u;
        }
    }
    best
}

/// The position of the largest value, the first on ties.
pub(crate) fn first_largest(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Classes;

    #[test]
    fn the_centroid_is_read_down_its_column() {
        // All are most similar to 1, and 2 is similar to all.
        let s = [1.0, 5.0, 0.0, 1.0, 1.0, 0.0, 4.0, 5.0, 1.0];
        let s = SimilarityMatrix::new(3, 3, &s[..]).unwrap();
        assert_eq!(max_sum(&s, &[0, 1, 2]), 1);
        assert_eq!(popular(&s, &[0, 1, 2], &[0, 1, 2]), 1);
        assert_eq!(popular(&s, &[0, 1, 2], &[2]), 2, "a class need not have a popular sample");
    }

    #[test]
    fn equal_sums_go_to_the_first_sample() {
        let s = SimilarityMatrix::new(3, 3, vec![1.0; 9]).unwrap();
        assert_eq!(max_sum(&s, &[1, 2]), 1);
        let classes = Classes::from_labels(["a", "b", "b"]);
        let training = Training::new(&s, &classes, "sda").unwrap();
        for kind in [Centroid::MaxSum, Centroid::Popular] {
            assert_eq!(centroids(training, kind, Scope::WithinClass), [0, 1]);
        }
    }

    #[test]
    fn an_unconstrained_centroid_may_be_of_another_class_or_no_sample() {
        // Both samples of class b are most alike the last column, which is no sample.
        let s = [4., 1., 1., 2., 3., 4., 0., 5., 3., 0., 4., 5.];
        let s = SimilarityMatrix::new(3, 4, &s[..]).unwrap();
        assert_eq!(unconstrained(&s, &[vec![0], vec![1, 2]]), [0, 3]);
        let samples = s.select(&[0, 1, 2], &[0, 1, 2]);
        assert_eq!(unconstrained(&samples, &[vec![0], vec![1, 2]]), [0, 0]);
    }

    #[test]
    fn as_popular_ones_are_told_apart_by_how_near_their_followers_are() {
        // 0 → 1 (s 2), 1 → 0 (s 3), 2 → 3 (s 1), 3 → 2 (s 1): all have one follower.
        let s = [9., 2., 0., 0., 3., 9., 0., 0., 0., 0., 9., 1., 0., 0., 1., 9.];
        let s = SimilarityMatrix::new(4, 4, &s[..]).unwrap();
        assert_eq!(popular(&s, &[0, 1, 2, 3], &[0, 1, 2, 3]), 0);
        assert_eq!(popular(&s, &[0, 1, 2, 3], &[1, 2, 3]), 1);
        assert_eq!(popular(&s, &[0, 1, 2, 3], &[2, 3]), 2);
    }
}
