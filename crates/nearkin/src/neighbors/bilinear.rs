//! The most similar rows under an inner product xᵀAy, by tiles.
//!
//! As in [`search`](super::search), tiles of `f32` are only a filter. With q = Aᵀx the filter
//! value −q·y of a tile is off from the exact one by at most
//!
//! ```text
//! u (m + 6) ‖q‖ ‖y‖        u = 2⁻²⁴, m the roundings of a sum of p products in chunks
//! ```
//!
//! since Σ|q_f y_f| ≤ ‖q‖ ‖y‖. [`Shortlist`] drops what the bound rules out; double precision
//! decides the rest, in the one order of [`similar`](super::similar). Among many rows products of
//! 16-bit numbers ([`Halves`]) filter first, where they tell rows apart.
//!
//! Lower bound: n · m · p fused multiply-adds for n queries and m rows, or half as many with
//! 16-bit numbers. Projecting takes p² a query, p where A is diagonal.

use rayon::prelude::*;

use crate::measure::{Prepared, Scorer, SquareMatrix};
use crate::neighbors::filter::halves::{Halves, Kind};
use crate::neighbors::filter::panel::{CHUNK, PADDING, ROUNDING, lanes};
use crate::neighbors::filter::shortlist::{Exact, Shortlist};
use crate::neighbors::kernel::{Isa, Kernels, LANES, Pass, Sums};
use crate::neighbors::similar::{SimilarRow, best, finite_scores};
use crate::{Result, Run};

/// Query lanes in a task; they stay in cache while all base rows pass by.
const QUERIES: usize = 64;

/// Base lanes in a tile.
const BASE: usize = 256;

/// Inner products above this may not be numbers; the filter leaves them alone.
pub(crate) const LARGEST: f64 = 1e300;

/// The k most similar rows of each group to each query, best first: `[query][group]`. Rows are
/// dense, and divided by nothing more than they were.
///
/// `groups` holds the group of each base row and their number. With `same` the queries are the
/// base rows, and none is its own neighbour.
pub(crate) fn best_of_groups(
    matrix: &SquareMatrix,
    (queries, base): (&Prepared, &Prepared),
    groups: (&[u32], usize),
    k: usize,
    same: bool,
    run: &Run,
) -> Result<Vec<Vec<Vec<SimilarRow>>>> {
    let of = run.install(|| Sweep::new(matrix, (queries, base), groups, k, same))?;
    let blocks: Vec<usize> = (0..queries.rows()).step_by(QUERIES).collect();
    run.check(0, 1)?;
    let found = run.install(|| {
        let block = |&first: &usize| {
            run.check(first as u64, queries.rows() as u64)?;
            of.block(first, (first + QUERIES).min(queries.rows()))
        };
        blocks.par_iter().map(block).collect::<Result<Vec<_>>>()
    })??;
    Ok(found.into_iter().flatten().collect())
}

struct Sweep<'a> {
    matrix: &'a SquareMatrix,
    queries: &'a Prepared,
    base: &'a Prepared,
    groups: (&'a [u32], usize),
    k: usize,
    same: bool,
    kernels: &'static Kernels,
    filter: Filter,
    members: Vec<usize>,
}

/// The filter that rules rows out.
enum Filter {
    Halves(Halves),
    Floats(Panel),
}

/// Base rows by group, as the kernels take them.
pub(crate) struct Panel {
    /// The row in each lane, [`PADDING`] for none.
    pub row_of: Vec<u32>,
    /// The group of rows in each sixteen lanes.
    pub group_of: Vec<u32>,
    /// `numbers[(sixteen · columns + column) · 16 + lane]`, rows divided by `unit`.
    numbers: Vec<f32>,
    /// A power of two no cell exceeds.
    pub unit: f64,
    /// The length of the longest row, divided by `unit`.
    pub longest: f64,
}

impl Panel {
    pub fn new(base: &Prepared, (labels, count): (&[u32], usize)) -> Self {
        let all: Vec<u32> = (0..base.rows() as u32).collect();
        let (row_of, group_of) = lanes(&all, labels, count);
        let unit = power_above(largest(base));
        let mut numbers = vec![0.0; row_of.len() * base.columns()];
        let (mut cells, mut longest) = (vec![0.0; base.columns()], 0.0f64);
        for (lane, &row) in row_of.iter().enumerate().filter(|(_, row)| **row != PADDING) {
            base.row(row as usize).write(&mut cells);
            put(&mut numbers, lane, &cells, unit, 1.0);
            longest = longest.max(length(&cells, unit));
        }
        Self { row_of, group_of, numbers, unit, longest }
    }

    /// The tile of all query lanes and the base lanes of a range.
    pub fn fill(
        &self,
        kernels: &Kernels,
        columns: usize,
        queries: &[f32],
        base: std::ops::Range<usize>,
        tile: &mut [f32],
    ) {
        let width = base.len();
        tile.fill(0.0);
        let per_group = columns * LANES;
        for from in (0..columns).step_by(CHUNK) {
            let cells = from * LANES..(from + CHUNK).min(columns) * LANES;
            for (jb, gb) in (base.start / LANES..base.end / LANES).enumerate() {
                let b = &self.numbers[gb * per_group..][cells.clone()];
                for (iq, q) in queries.chunks_exact(per_group).enumerate() {
                    let at = iq * LANES * width + jb * LANES;
                    (kernels.dot)(&q[cells.clone()], b, Sums::new(&mut tile[at..], width));
                }
            }
        }
    }

    /// Write a projected query into its lane with its sign changed. Returns the factor from filter
    /// values to similarities (with changed sign) and a bound on the error of two filter values
    /// together. None when filter values could overflow.
    pub fn ask(&self, numbers: &mut [f32], lane: usize, query: &[f64]) -> Option<(f64, f32)> {
        let columns = query.len();
        // Roundings on the way to a tile value: products in a chunk, chunks, both rows once.
        let roundings = (columns.min(CHUNK) + columns.div_ceil(CHUNK) + 6) as f64;
        let unit = power_above(query.iter().fold(0.0, |largest: f64, x| largest.max(x.abs())));
        let reach = length(query, unit) * self.longest;
        (reach * unit * self.unit < LARGEST).then(|| {
            // Negated: the engine looks for what is small.
            put(numbers, lane, query, unit, -1.0);
            // Beyond rounding: products too small for `f32` vanish.
            let error = 1.1 * ROUNDING * roundings * reach + columns as f64 * 1e-37;
            (unit * self.unit, (2.0 * error) as f32 * 1.0001)
        })
    }
}

/// Write a row divided by `unit` into its lane.
fn put(numbers: &mut [f32], lane: usize, row: &[f64], unit: f64, sign: f64) {
    let start = lane / LANES * row.len() * LANES + lane % LANES;
    for (cell, x) in numbers[start..].iter_mut().step_by(LANES).zip(row) {
        *cell = (sign * (x / unit)) as f32;
    }
}

/// The size of the largest cell.
fn largest(rows: &Prepared) -> f64 {
    let mut largest = 0.0f64;
    (0..rows.rows()).for_each(|row| rows.row(row).each(|_, x| largest = largest.max(x.abs())));
    largest
}

/// The least power of two at or above `largest`; 1 where that is 0.
fn power_above(largest: f64) -> f64 {
    if largest > 0.0 {
        largest.log2().ceil().exp2().clamp(f64::MIN_POSITIVE, f64::MAX)
    } else {
        1.0
    }
}

/// ‖row/unit‖
fn length(row: &[f64], unit: f64) -> f64 {
    row.iter().map(|x| (x / unit) * (x / unit)).sum::<f64>().sqrt()
}

impl<'a> Sweep<'a> {
    fn new(
        matrix: &'a SquareMatrix,
        (queries, base): (&'a Prepared, &'a Prepared),
        groups: (&'a [u32], usize),
        k: usize,
        same: bool,
    ) -> Self {
        let mut members = vec![0; groups.1];
        groups.0.iter().for_each(|&group| members[group as usize] += 1);
        let kernels = Isa::best().kernels();
        let filter = match halves(matrix, (queries, base), groups, same) {
            Some(halves) => Filter::Halves(halves),
            None => Filter::Floats(Panel::new(base, groups)),
        };
        Self { matrix, queries, base, groups, k, same, kernels, filter, members }
    }

    /// The answers for queries `first..last`.
    fn block(&self, first: usize, last: usize) -> Result<Vec<Vec<Vec<SimilarRow>>>> {
        let columns = self.base.columns();
        let mut projected = vec![0.0; (last - first) * columns];
        for (at, out) in (first..last).zip(projected.chunks_exact_mut(columns.max(1))) {
            self.matrix.project(self.queries.row(at), out);
        }
        let (rows, list) = match &self.filter {
            Filter::Halves(halves) => self.by_halves(halves, first, &projected),
            Filter::Floats(panel) => self.by_floats(panel, first..last, &projected),
        };
        let answer = |lane: usize| match rows[lane] {
            PADDING => self.one_by_one(first + lane),
            _ => {
                Ok(self.decide(first + lane, &projected[lane * columns..][..columns], lane, &list))
            }
        };
        (0..last - first).map(answer).collect()
    }

    /// The query row in each lane and its candidates, found by the filter of 16-bit numbers.
    fn by_halves(&self, halves: &Halves, first: usize, projected: &[f64]) -> (Vec<u32>, Shortlist) {
        let columns = self.base.columns();
        // Queries too large to be multiplied are compared with every row exactly.
        let held = |query: &&[f64]| query.iter().all(|x| x.abs() < LARGEST.sqrt());
        let queries = projected.chunks_exact(columns);
        let asked = halves.queries(queries.clone().map(|query| Some(query).filter(held)));
        let mut rows = vec![PADDING; asked.margins.len()];
        for ((row, at), query) in rows.iter_mut().zip(first as u32..).zip(queries) {
            *row = if held(&query) { at } else { PADDING };
        }
        let mut list = Shortlist::new(self.k, &rows, asked.margins.clone(), &self.members);
        let own = |lane: usize| if self.same { rows[lane] } else { PADDING };
        halves.sweep(&asked, &mut list, own, |lane, row| {
            self.key(first + lane, &projected[lane * columns..][..columns], row)
        });
        (rows, list)
    }

    /// The rows in the lanes and their candidates, by floats.
    fn by_floats(
        &self,
        panel: &Panel,
        asked: std::ops::Range<usize>,
        projected: &[f64],
    ) -> (Vec<u32>, Shortlist) {
        let (first, columns) = (asked.start, self.base.columns());
        let count = asked.len().next_multiple_of(LANES);
        let mut numbers = vec![0.0; count * columns];
        let mut rows = vec![PADDING; count];
        let mut margins = vec![0.0; count];
        for (lane, query) in projected.chunks_exact(columns.max(1)).enumerate() {
            if let Some((_, margin)) = panel.ask(&mut numbers, lane, query) {
                (rows[lane], margins[lane]) = ((first + lane) as u32, margin);
            }
        }
        let mut list = Shortlist::new(self.k, &rows, margins, &self.members);
        let mut tile = vec![0.0; count * BASE];
        let mut scratch = (Vec::new(), Vec::new());
        for start in (0..panel.row_of.len()).step_by(BASE) {
            let lanes = start..(start + BASE).min(panel.row_of.len());
            panel.fill(self.kernels, columns, &numbers, lanes.clone(), &mut tile);
            self.offer(panel, (first, projected), &rows, lanes, &tile, &mut list, &mut scratch);
        }
        (rows, list)
    }

    /// Offer what passes the thresholds.
    #[allow(clippy::too_many_arguments)] // what a tile was made of, and where it goes
    fn offer(
        &self,
        panel: &Panel,
        (first, projected): (usize, &[f64]),
        rows: &[u32],
        base: std::ops::Range<usize>,
        tile: &[f32],
        list: &mut Shortlist,
        (limits, passes): &mut (Vec<f32>, Vec<Pass>),
    ) {
        let width = base.len();
        let groups = &panel.group_of[base.start / LANES..base.end / LANES];
        let none = [f32::NEG_INFINITY; BASE];
        let columns = self.base.columns();
        for (lane, row) in tile.chunks_exact(width).take(rows.len()).enumerate() {
            if rows[lane] == PADDING {
                continue;
            }
            limits.clear();
            limits.extend(groups.iter().map(|&group| list.thresholds(group as usize)[lane]));
            passes.clear();
            (self.kernels.pass)(row, limits, &none[..width], passes);
            let query = &projected[lane * columns..][..columns];
            for pass in passes.iter() {
                let mut mask = pass.query;
                while mask != 0 {
                    let at = pass.group as usize * LANES + mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let candidate = panel.row_of[base.start + at];
                    if candidate == PADDING || (self.same && candidate as usize == first + lane) {
                        continue;
                    }
                    let group = groups[pass.group as usize] as usize;
                    let exact = |row: u32| self.key(first + lane, query, row);
                    list.offer(lane, group, (row[at], candidate), exact);
                }
            }
        }
    }

    /// The key that rows are ordered by, the least first: −s_A, then minus the plain similarity.
    fn key(&self, at: usize, query: &[f64], row: u32) -> [f64; 2] {
        let row = row as usize;
        // Subtracted from 0, so that no zero has a sign.
        [0.0 - self.base.row(row).dot(query), 0.0 - self.queries.plain(at, self.base, row)]
    }

    /// Let the exact similarities decide among what is left.
    fn decide(
        &self,
        at: usize,
        query: &[f64],
        lane: usize,
        list: &Shortlist,
    ) -> Vec<Vec<SimilarRow>> {
        let of_group = |group: usize| {
            let candidates = list.candidates(lane, group);
            let mut keyed: Vec<([f64; 2], u32)> =
                candidates.iter().map(|&(_, row)| (self.key(at, query, row), row)).collect();
            keyed.sort_unstable_by(|a, b| a.0.order(&b.0).then(a.1.cmp(&b.1)));
            keyed.truncate(self.k);
            keyed.iter().map(|&([key, _], row)| SimilarRow { row, similarity: 0.0 - key }).collect()
        };
        (0..self.groups.1).map(of_group).collect()
    }

    /// A query whose similarities may be too large for a number: by every row, or an error.
    fn one_by_one(&self, at: usize) -> Result<Vec<Vec<SimilarRow>>> {
        let scorer = Scorer::new(self.matrix, self.queries, self.base);
        let group = |row: usize| (!(self.same && row == at)).then_some(self.groups.0[row] as usize);
        let scores = finite_scores(&scorer, at)?;
        Ok(best(&scorer, at, &scores, (self.k, self.groups.1), group))
    }
}

/// The rows as 16-bit numbers. Only when there are many rows, and when a trial with a few queries
/// shows that 16 bits distinguish them well enough.
fn halves(
    matrix: &SquareMatrix,
    (queries, base): (&Prepared, &Prepared),
    (labels, count): (&[u32], usize),
    same: bool,
) -> Option<Halves> {
    const TRIED: usize = 16;
    let columns = base.columns();
    let worthwhile = (8..1 << 14).contains(&columns) && base.rows() >= 1024;
    if !worthwhile || queries.rows() < TRIED {
        return None;
    }
    if largest(base) >= LARGEST.sqrt() {
        return None;
    }
    let all: Vec<u32> = (0..base.rows() as u32).collect();
    let lanes = lanes(&all, labels, count);
    let halves = Halves::new(Kind::Products, lanes, columns, (0.0, 0.0), |row, cells| {
        base.row(row).write(cells);
    });
    let tried: Vec<usize> = (0..TRIED).map(|i| i * queries.rows() / TRIED).collect();
    let mut projected = vec![0.0; TRIED * columns];
    for (&at, out) in tried.iter().zip(projected.chunks_exact_mut(columns)) {
        matrix.project(queries.row(at), out);
    }
    let asked = halves.queries(projected.chunks_exact(columns).map(Some));
    let own = |lane: usize| if same { tried[lane] as u32 } else { PADDING };
    halves.tells(&asked, TRIED, own).then_some(halves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use crate::measure::{Form, Norm, Row};
    use crate::random::Random;

    /// Every query one by one, as [`Scorer`] defines it.
    fn plainly(
        matrix: &SquareMatrix,
        (queries, base): (&Prepared, &Prepared),
        (labels, count): (&[u32], usize),
        k: usize,
        same: bool,
    ) -> Vec<Vec<Vec<SimilarRow>>> {
        let of = |at: usize| {
            let scorer = Scorer::new(matrix, queries, base);
            let group = |row: usize| (!(same && row == at)).then_some(labels[row] as usize);
            best(&scorer, at, &finite_scores(&scorer, at).unwrap(), (k, count), group)
        };
        (0..queries.rows()).map(of).collect()
    }

    fn matrix(form: Form, columns: usize, random: &mut Random) -> SquareMatrix {
        let mut matrix = SquareMatrix::identity(form, columns, 0.5);
        let mut draw = || (0..columns).map(|_| random.normal()).collect::<Vec<_>>();
        matrix.add_outer(1.0, Row::Dense(&draw()), &draw());
        matrix
    }

    #[test]
    fn tiles_find_what_looking_at_every_row_finds() {
        let mut random = Random::new(3, 0);
        for (rows, columns, values) in
            [(1, 1, 5), (17, 3, 2), (90, 5, 4), (700, 2, 3), (130, 300, 9), (1030, 9, 1000)]
        {
            let mut draw = |rows: usize| {
                let names = (0..columns).map(|i| i.to_string()).collect();
                let cell = |r: &mut Random| r.below(values) as f64 - 0.3 * values as f64 + 0.01;
                let cells = (0..rows * columns).map(|_| cell(&mut random)).collect();
                Dense::new(names, cells).unwrap()
            };
            let (base, queries) = (draw(rows), draw(70));
            for norm in [Norm::Dot, Norm::Cosine] {
                let base = Prepared::new(norm, &base).unwrap();
                let queries = Prepared::new(norm, &queries).unwrap();
                let labels: Vec<u32> = (0..rows).map(|_| random.below(3) as u32).collect();
                let null = SquareMatrix::identity(Form::Diagonal, columns, 0.0);
                let plain = SquareMatrix::identity(Form::Diagonal, columns, 1.0);
                let [full, diagonal] =
                    [Form::Full, Form::Diagonal].map(|form| matrix(form, columns, &mut random));
                for matrix in [&null, &plain, &full, &diagonal] {
                    for k in [1, 3, 40] {
                        for (asked, same) in [(&queries, false), (&base, true)] {
                            let sides = (asked, &base);
                            let slow = plainly(matrix, sides, (&labels, 3), k, same);
                            for threads in [1, 2] {
                                let run = Run::on(threads);
                                let fast =
                                    best_of_groups(matrix, sides, (&labels, 3), k, same, &run);
                                assert_eq!(fast.unwrap(), slow, "{rows} × {columns}, k {k}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn extreme_numbers_are_ranked_or_refused_by_name() {
        let ready = |cells: &[f64]| {
            let dense = Dense::new(vec!["x".into(), "y".into()], cells.to_vec()).unwrap();
            Prepared::new(Norm::Dot, &dense).unwrap()
        };
        let plain = SquareMatrix::identity(Form::Diagonal, 2, 1.0);
        let base = ready(&[1e-160, 2e-160, 1e150, 1e-300, 0.0, 0.0, -1e150, 3.0]);
        let sides = (&base, &base);
        let slow = plainly(&plain, sides, (&[0; 4], 1), 2, false);
        let fast = best_of_groups(&plain, sides, (&[0; 4], 1), 2, false, &Run::on(1));
        assert_eq!(fast.unwrap(), slow);
        let huge = ready(&[1e200, 1.0, 1e200, 2.0]);
        let refused = best_of_groups(&plain, (&huge, &huge), (&[0; 2], 1), 1, false, &Run::on(1));
        assert!(refused.unwrap_err().to_string().contains("rows 0 and 0"));
    }
}
