//! The most similar rows under a bilinear similarity.
//!
//! One order everywhere: larger s_A first, then larger plain similarity, then lower row. The
//! second key decides where A does not tell rows apart, as with a null matrix.
//!
//! Lower bound: that of `bilinear` where it can be used, or else that of [`Scorer`].

use rayon::prelude::*;

use crate::measure::{Compare, Prepared, Scorer, Similarity};
use crate::neighbors::bilinear::best_of_groups;
use crate::{Error, NeighborsError, ParameterError, Result, Run};

/// A row and how similar it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarRow {
    /// The base row.
    pub row: u32,
    /// Its similarity to the query.
    pub similarity: f64,
}

/// That k is 0.
pub(crate) fn no_neighbours() -> Error {
    Error::parameter("k", ParameterError::TooSmall { min: 1.0, got: 0.0 })
}

/// The similarities of query `at` to all base rows, or an error when one is not finite.
pub(crate) fn finite_scores(scorer: &Scorer, at: usize) -> Result<Vec<f64>> {
    let scores = scorer.scores(at);
    match scores.iter().position(|s| !s.is_finite()) {
        None => Ok(scores),
        Some(row) => Err(NeighborsError::SimilarityTooLarge { query: at, row }.into()),
    }
}

/// The k best rows of each group for query `at`, from its similarities to all rows; `group`
/// gives the one that a base row belongs to, if any.
pub(crate) fn best(
    scorer: &Scorer,
    at: usize,
    scores: &[f64],
    (k, groups): (usize, usize),
    group: impl Fn(usize) -> Option<usize>,
) -> Vec<Vec<SimilarRow>> {
    let plain = |row: u32| scorer.plain(at, row as usize);
    let mut best: Vec<Vec<SimilarRow>> = vec![Vec::with_capacity(k.min(scores.len())); groups];
    for (row, &similarity) in scores.iter().enumerate() {
        if let Some(kept) = group(row).and_then(|g| best.get_mut(g)) {
            offer(kept, k, SimilarRow { row: row as u32, similarity }, &plain);
        }
    }
    best
}

/// Put `new` in its place among the k best; rows come in rising order.
pub(crate) fn offer(
    kept: &mut Vec<SimilarRow>,
    k: usize,
    new: SimilarRow,
    plain: &impl Fn(u32) -> f64,
) {
    let before = |old: &SimilarRow| {
        new.similarity > old.similarity
            || (new.similarity == old.similarity && plain(new.row) > plain(old.row))
    };
    if kept.len() == k && !kept.last().is_some_and(before) {
        return;
    }
    let place = kept.iter().rposition(|old| !before(old)).map_or(0, |p| p + 1);
    if kept.len() == k {
        kept.pop();
    }
    kept.insert(place, new);
}

/// The k base rows most similar to each query, best first.
///
/// # Errors
///
/// When k is 0, rows do not fit the similarity, or a similarity is too large for a number.
///
/// ```
/// use nearkin::data::Dense;
/// use nearkin::measure::{Norm, Similarity};
/// use nearkin::{Run, neighbors::most_similar};
/// let rows = Dense::new(vec!["x".into(), "y".into()], vec![1.0, 0.0, 0.0, 1.0, 2.0, 2.0])?;
/// let cosine = Similarity::plain(Norm::Cosine, rows.names().to_vec());
/// let ready = cosine.prepare(&rows)?;
/// let found = most_similar(&cosine, &ready, &ready, 2, &Run::default())?;
/// assert_eq!(found[0].iter().map(|n| n.row).collect::<Vec<_>>(), [0, 2]);
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn most_similar(
    similarity: &Similarity,
    queries: &Prepared,
    base: &Prepared,
    k: usize,
    run: &Run,
) -> Result<Vec<Vec<SimilarRow>>> {
    if k == 0 {
        return Err(no_neighbours());
    }
    let one_group = vec![0; base.rows()];
    let found =
        most_similar_of_groups(similarity, (queries, base), (&one_group, 1), k, false, run)?;
    Ok(found.into_iter().flatten().collect())
}

/// The k base rows of each group most similar to each query, best first: `[query][group]`.
///
/// `groups` holds the group of each base row and their number. With `same` the queries are the
/// base rows, and none is its own neighbour.
pub(crate) fn most_similar_of_groups(
    similarity: &Similarity,
    (queries, base): (&Prepared, &Prepared),
    groups: (&[u32], usize),
    k: usize,
    same: bool,
    run: &Run,
) -> Result<Vec<Vec<Vec<SimilarRow>>>> {
    let scorer = similarity.scorer(queries, base)?;
    let bilinear = similarity.compare() == Compare::Similarity;
    let sparse = queries.is_sparse() || base.is_sparse();
    if bilinear && base.is_unit() && !sparse {
        return best_of_groups(similarity.matrix(), (queries, base), groups, k, same, run);
    }
    // Each pair has its own divisor, or the similarity is no inner product.
    let of = |at: usize| {
        let group = |row: usize| (!(same && row == at)).then_some(groups.0[row] as usize);
        Ok(best(&scorer, at, &finite_scores(&scorer, at)?, (k, groups.1), group))
    };
    run.check(0, 1)?;
    let found =
        run.install(|| (0..queries.rows()).into_par_iter().map(of).collect::<Result<_>>())??;
    run.check(1, 1)?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use crate::measure::{Form, Norm, SquareMatrix};
    use crate::random::Random;

    #[test]
    fn the_best_are_those_of_a_full_sort_with_ties_by_plain_similarity_then_row() {
        let mut random = Random::new(8, 0);
        let names: Vec<String> = (0..3).map(|i| i.to_string()).collect();
        // Few different values, so that ties abound.
        let cells = (0..180).map(|_| random.below(3) as f64 + 1.0).collect();
        let rows = Dense::new(names.clone(), cells).unwrap();
        for diagonal in [[0.0; 3], [1.0; 3], [1.0, 0.0, 0.0], [-1.0, 0.0, 2.0]] {
            let matrix = SquareMatrix::new(Form::Diagonal, 3, diagonal.to_vec()).unwrap();
            let similarity = Similarity::new(matrix, Norm::Dot, names.clone()).unwrap();
            let ready = similarity.prepare(&rows).unwrap();
            let found = most_similar(&similarity, &ready, &ready, 7, &Run::on(2)).unwrap();
            for (q, found) in found.iter().enumerate() {
                let score = |j: usize| similarity.score(rows.row(q), rows.row(j)).unwrap();
                let mut all: Vec<usize> = (0..60).collect();
                all.sort_by(|&a, &b| {
                    let plain = |j| ready.plain(q, &ready, j);
                    let by_plain = || plain(b).partial_cmp(&plain(a)).unwrap();
                    score(b).partial_cmp(&score(a)).unwrap().then_with(by_plain).then(a.cmp(&b))
                });
                let rows: Vec<usize> = found.iter().map(|n| n.row as usize).collect();
                assert_eq!(rows, all[..7], "query {q}, {diagonal:?}");
            }
        }
    }
}
