//! The nearest rows by Euclidean distance between two tables of numbers.
//!
//! The filter is that of [`Halves`]: ‖x − y‖² = ‖x‖² + ‖y‖² − 2 x·y with the products in 16-bit
//! numbers, rows centred and scaled by the [`Layout`]. Distances of the measure decide among what
//! is left. Where the filter is too coarse, as with one number far beyond all others, tiles of
//! `f32` are used.
//!
//! Lower bound: that of [`Halves`] for m queries and n rows.

use rayon::prelude::*;

use super::Neighbors;
use crate::data::{NumericCells, Rows};
use crate::measure::{Measure, Metric};
use crate::neighbors::filter::halves::{Halves, Kind, widened};
use crate::neighbors::filter::panel::{Layout, PADDING, lanes};
use crate::neighbors::filter::shortlist::Shortlist;
use crate::neighbors::search::Labelled;
use crate::{Result, Run};

/// Queries in a task; they stay in cache while all base rows pass by.
const QUERIES: usize = 64;

/// Queries the filter is tried with.
const TRIED: usize = 16;

/// The k nearest rows of each class among `base`; none where another filter is better.
pub(crate) fn nearest(
    (queries, chosen): (Labelled, &[u32]),
    base: Labelled,
    same: bool,
    measure: &Measure,
    k: usize,
    run: &Run,
) -> Result<Option<Neighbors>> {
    let columns = base.rows.numeric();
    let served = measure.metric() == Metric::Euclidean
        && measure.ramp().is_none()
        && base.rows.nominal() == 0
        && !base.rows.has_missing()
        && !queries.rows.has_missing()
        && measure.numeric_factors().iter().all(|&factor| factor >= 0.0);
    let worthwhile = (8..1 << 14).contains(&columns) && base.rows.len() >= 1024;
    if !served || !worthwhile || chosen.len() < TRIED {
        return Ok(None);
    }
    let layout = Layout::new(measure, &[queries, base]);
    let write = |rows: &Rows, row: usize, cells: &mut [f64]| match rows.numbers() {
        NumericCells::F32(numbers) => layout.numbers(&numbers[row * columns..], cells),
        NumericCells::F64(numbers) => layout.numbers(&numbers[row * columns..], cells),
    };
    let queried = |rows: &[u32]| {
        let mut cells = vec![0.0; rows.len() * columns];
        for (&row, cells) in rows.iter().zip(cells.chunks_exact_mut(columns)) {
            write(queries.rows, row as usize, cells);
        }
        cells
    };
    let own = |row: u32| if same { row } else { PADDING };
    let all: Vec<u32> = (0..base.rows.len() as u32).collect();
    run.check(0, 1)?;
    let halves = run.install(|| {
        let reach = chosen
            .par_chunks(QUERIES)
            .map(|rows| queried(rows).chunks_exact(columns).fold((0.0, 0.0), widened));
        let reach = reach.reduce(|| (0.0, 0.0), |a, b| (a.0.max(b.0), a.1.max(b.1)));
        let lanes = lanes(&all, base.labels, base.classes);
        Halves::new(Kind::Distances, lanes, columns, reach, |row, cells| {
            write(base.rows, row, cells);
        })
    })?;
    let some: Vec<u32> = (0..TRIED.min(chosen.len()))
        .map(|i| chosen[i * chosen.len() / TRIED.min(chosen.len())])
        .collect();
    let cells = queried(&some);
    let tried = halves.queries(cells.chunks_exact(columns).map(Some));
    if !halves.tells(&tried, some.len(), |lane| own(some[lane])) {
        return Ok(None);
    }
    let members = base.members();
    let largest = members.iter().copied().max().unwrap_or(0);
    let mut found = Neighbors::empty(chosen.len(), base.classes, k, largest);
    run.install(|| {
        let blocks = found.par_rows().chunks(QUERIES).zip(chosen.par_chunks(QUERIES));
        blocks.try_for_each(|(out, chosen)| {
            run.check(0, 0)?;
            let cells = queried(chosen);
            let asked = halves.queries(cells.chunks_exact(columns).map(Some));
            let mut rows = chosen.to_vec();
            rows.resize(asked.margins.len(), PADDING);
            let mut list = Shortlist::new(k, &rows, asked.margins.clone(), &members);
            let classes =
                |row: u32, other: u32| (queries.labels[row as usize], base.labels[other as usize]);
            let exact = |row: u32, other: u32| {
                let (a, b) = (row as usize, other as usize);
                measure.distance(queries.rows, a, base.rows, b, classes(row, other))
            };
            let sweep = |lane: usize, other: u32| exact(rows[lane], other);
            halves.sweep(&asked, &mut list, |lane| own(rows[lane]), sweep);
            let (mut others, mut distances) = (Vec::new(), Vec::new());
            for ((lane, &row), mut out) in chosen.iter().enumerate().zip(out) {
                for class in 0..base.classes {
                    others.clear();
                    others.extend(list.candidates(lane, class).iter().map(|&(_, other)| other));
                    let (at, classes) =
                        (row as usize, (queries.labels[row as usize], class as u32));
                    measure.distances(
                        queries.rows,
                        at,
                        base.rows,
                        &others,
                        classes,
                        &mut distances,
                    );
                    let mut scored: Vec<(f64, u32)> =
                        distances.iter().copied().zip(others.iter().copied()).collect();
                    scored.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    scored.truncate(k);
                    out.set(class, &scored);
                }
            }
            Ok::<(), crate::Error>(())
        })
    })??;
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Encoder, Table};
    use crate::measure::{Missing, Scaling, Unknown};
    use crate::neighbors::nearest_between;
    use crate::random::Random;

    /// All rows sorted by the definition.
    fn plain(
        measure: &Measure,
        (queries, query): (&Rows, usize),
        base: Labelled,
        (same, class): (bool, u32),
        k: usize,
    ) -> Vec<(u32, f64)> {
        let others =
            (0..base.rows.len()).filter(|&j| base.labels[j] == class && !(same && j == query));
        let distance = |j: usize| measure.distance(queries, query, base.rows, j, (0, class));
        let mut all: Vec<(u32, f64)> = others.map(|j| (j as u32, distance(j))).collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        all.truncate(k);
        all
    }

    #[test]
    fn the_nearest_are_those_of_a_plain_loop() {
        let mut random = Random::new(4, 0);
        // Rows, columns, distinct values, an outlier, and whether the filter is used; None where
        // the test does not fix that.
        for (rows, columns, values, outlier, serves) in [
            (1100, 9, 1_000_000, 0.0, Some(true)),
            (1300, 16, 1_000_000, 0.0, Some(true)),
            (1100, 8, 3, 0.0, None),
            (1100, 9, 1_000_000, 1e9, Some(false)),
            (1100, 9, 1, 0.0, Some(false)),
        ] {
            let mut table = |rows: usize| {
                let mut column = |c: usize| {
                    let cell = |r: &mut Random| r.below(values) as f64 / values as f64 - 0.3;
                    let mut cells: Vec<f64> = (0..rows).map(|_| cell(&mut random)).collect();
                    cells[0] = if c == 2 { cells[0] + outlier } else { cells[0] };
                    Column::numeric(format!("x{c}"), cells)
                };
                Table::new((0..columns).map(&mut column).collect()).unwrap()
            };
            let (known, asked) = (table(rows), table(70));
            let encoder = Encoder::fit(&known).unwrap();
            let (base, queries) =
                (encoder.encode(&known).unwrap(), encoder.encode(&asked).unwrap());
            let labels: Vec<u32> = (0..rows as u32).map(|row| u32::from(row % 3 == 0)).collect();
            let no_classes = vec![0; 70];
            let unknown = Unknown::fit(Missing::One, &encoder, &base, &labels, 2);
            let measure = Measure::new(&encoder, Metric::Euclidean, Scaling::None, unknown);
            let of = Labelled { rows: &base, labels: &labels, classes: 2 };
            let from = Labelled { rows: &queries, labels: &no_classes, classes: 1 };
            let chosen: Vec<u32> = (0..70).rev().collect();
            for (asked, same) in [(from, false), (of, true)] {
                for k in [1, 5, 2000] {
                    let sides = (asked, &chosen[..]);
                    let fast = nearest(sides, of, same, &measure, k, &Run::on(2)).unwrap();
                    assert_eq!(fast.is_some(), serves.unwrap_or(fast.is_some()), "{values} values");
                    let found = nearest_between(sides, of, same, &measure, k, &Run::on(1)).unwrap();
                    for (at, &query) in chosen.iter().enumerate() {
                        for class in 0..2 {
                            let slow =
                                plain(&measure, (asked.rows, query as usize), of, (same, class), k);
                            let (near, distances) = found.of(at, class as usize);
                            let near = near.iter().copied().zip(distances.iter().copied());
                            assert_eq!(near.collect::<Vec<_>>(), slow, "k {k}, query {query}");
                        }
                    }
                }
            }
        }
    }
}
