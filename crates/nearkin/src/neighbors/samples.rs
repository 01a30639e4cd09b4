//! The most similar samples of a table under a measure of pairs, by the engine that knows it.
//!
//! The answer is the one that sorting every similarity of [`FittedMeasure::block_with`] gives:
//! larger first, equal ones in order of row. Distances go to [`search`](super::search), cosines
//! to [`bilinear`](super::bilinear); any other measure is left to the caller.

use rayon::prelude::*;

use super::{Labelled, Neighbors, nearest, nearest_between};
use crate::data::{Encoder, SimilarityMatrix, Table, TableRows};
use crate::measure::pairwise::{FittedMeasure, MeasureKind};
use crate::measure::{Form, Measure, Norm, Prepared, SquareMatrix};
use crate::neighbors::bilinear::best_of_groups;
use crate::neighbors::similar::SimilarRow;
use crate::{NeighborsError, Result, Run};

/// A search among the samples of a table: queries, references in groups, and the number of
/// neighbours.
#[derive(Debug, Clone, Copy)]
pub struct SampleSearch<'a> {
    /// The queries; none where the references themselves are, each without itself as a neighbour.
    pub queries: Option<&'a Table<'a>>,
    /// The rows that may be neighbours.
    pub references: &'a Table<'a>,
    /// The group of each reference, in `0..groups`.
    pub group_of: &'a [u32],
    /// Number of groups.
    pub groups: usize,
    /// Number of neighbours in each group.
    pub k: usize,
}

/// The k most similar references of each group to each query, best first: `[query][group]`. None
/// when this measure has no search that is faster than comparing every pair.
///
/// # Errors
///
/// When the tables do not fit the measure, a distance is too large for a number, or the run is
/// stopped.
pub fn nearest_samples(
    measure: &dyn FittedMeasure,
    wanted: SampleSearch,
    run: &Run,
) -> Result<Option<Vec<Vec<Vec<SimilarRow>>>>> {
    match measure.kind() {
        MeasureKind::Distance(encoder, measure) => {
            by_distance((encoder, measure), wanted, run).map(Some)
        }
        MeasureKind::Cosine(encoder) => by_cosine(encoder, wanted, run),
        MeasureKind::Bilinear(_) | MeasureKind::Pairs => Ok(None),
    }
}

/// The same among one of several blocks of references, for any measure; the answers of all blocks
/// are to be [merged](Neighbors::merge). The distance of a neighbour is minus its similarity.
///
/// # Errors
///
/// Those of [`nearest_samples`].
pub fn nearest_in_block(
    measure: &dyn FittedMeasure,
    wanted: SampleSearch,
    run: &Run,
) -> Result<Neighbors> {
    if let Some(found) = nearest_samples(measure, wanted, run)? {
        return Ok(Neighbors::of_ranked(&found, wanted.groups, wanted.k));
    }
    let queries = wanted.queries.unwrap_or(wanted.references);
    let s = measure.block_with(queries, wanted.references, run)?;
    most_similar_in(&s, (wanted.group_of, wanted.groups), wanted.k, run)
}

/// The k most similar references of each group, from all similarities of queries and references:
/// larger first, equal ones in order of row.
///
/// # Errors
///
/// [`NeighborsError::GroupsDisagree`] when references and groups do not belong together.
pub fn most_similar_in(
    s: &SimilarityMatrix,
    (group_of, groups): (&[u32], usize),
    k: usize,
    run: &Run,
) -> Result<Neighbors> {
    if group_of.len() != s.columns() || group_of.iter().any(|&group| group as usize >= groups) {
        return Err(NeighborsError::GroupsDisagree.into());
    }
    let of = |query: usize| {
        let mut best = vec![Vec::with_capacity(k.min(s.columns()) + 1); groups];
        for ((row, &similarity), &group) in (0..).zip(&*s.row(query)).zip(group_of) {
            keep(&mut best[group as usize], k, SimilarRow { row, similarity });
        }
        best
    };
    run.check(0, 1)?;
    let found: Vec<Vec<Vec<SimilarRow>>> =
        run.install(|| (0..s.rows()).into_par_iter().map(of).collect())?;
    run.check(1, 1)?;
    Ok(Neighbors::of_ranked(&found, groups, k))
}

/// Put `new` in its place among the k best; rows come in rising order.
fn keep(best: &mut Vec<SimilarRow>, k: usize, new: SimilarRow) {
    let after = |old: &SimilarRow| old.similarity.total_cmp(&new.similarity).is_ge();
    if best.len() == k && best.last().is_none_or(after) {
        return;
    }
    let place = best.partition_point(after);
    best.insert(place, new);
    best.truncate(k);
}

fn by_distance(
    (encoder, measure): (&Encoder, &Measure),
    SampleSearch { queries, references, group_of, groups, k }: SampleSearch,
    run: &Run,
) -> Result<Vec<Vec<Vec<SimilarRow>>>> {
    let rows = encoder.encode(references)?;
    let base = Labelled { rows: &rows, labels: group_of, classes: groups };
    let (found, asked) = match queries {
        None => (nearest(base, measure, k, run)?, rows.len()),
        Some(queries) => {
            let queries = encoder.encode(queries)?;
            let no_classes = vec![0; queries.len()];
            let queries_of = Labelled { rows: &queries, labels: &no_classes, classes: 1 };
            let all: Vec<u32> = (0..queries.len() as u32).collect();
            (nearest_between((queries_of, &all), base, false, measure, k, run)?, queries.len())
        }
    };
    for (query, group) in (0..asked).flat_map(|query| (0..groups).map(move |group| (query, group)))
    {
        let (index, distance) = found.of(query, group);
        if let Some(at) = distance.iter().position(|d| !d.is_finite()) {
            return Err(NeighborsError::DistanceTooLarge { query, row: index[at] }.into());
        }
    }
    let of = |query: usize, group: usize| {
        let (index, distance) = found.of(query, group);
        let near = index.iter().zip(distance);
        near.map(|(&row, d)| SimilarRow { row, similarity: 0.0 - d }).collect()
    };
    Ok((0..asked).map(|query| (0..groups).map(|group| of(query, group)).collect()).collect())
}

fn by_cosine(
    encoder: &Encoder,
    SampleSearch { queries, references, group_of, groups, k }: SampleSearch,
    run: &Run,
) -> Result<Option<Vec<Vec<Vec<SimilarRow>>>>> {
    let Some(base) = directions(encoder, references)? else { return Ok(None) };
    let queries = match queries {
        Some(queries) => match directions(encoder, queries)? {
            Some(ready) => Some(ready),
            None => return Ok(None),
        },
        None => None,
    };
    let plain = SquareMatrix::identity(Form::Diagonal, base.columns(), 1.0);
    let sides = (queries.as_ref().unwrap_or(&base), &base);
    best_of_groups(&plain, sides, (group_of, groups), k, queries.is_none(), run).map(Some)
}

/// Rows as the cosine compares them; none where a cell is missing or a row has no direction.
fn directions(encoder: &Encoder, table: &Table) -> Result<Option<Prepared>> {
    let picked = table.select_columns(&encoder.places(table)?);
    if picked.has_missing() {
        return Ok(None);
    }
    let ready = Prepared::new(Norm::Cosine, &TableRows::new(picked)?)?;
    Ok(ready.check_directions().is_ok().then_some(ready))
}
