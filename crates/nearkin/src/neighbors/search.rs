//! The k nearest of each class: every pair of rows once, tiles reduced while they are in cache.
//!
//! Lower bound: n² / 2 · p max-and-adds for n rows and p numbers, as every pair serves both its
//! rows.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::data::Rows;
use crate::measure::Measure;
use crate::neighbors::Neighbors;
use crate::neighbors::euclidean;
use crate::neighbors::exact::strip::{Strips, nearest_in_strip};
use crate::neighbors::filter::panel::{Layout, PADDING, Panels};
use crate::neighbors::filter::shortlist::Shortlist;
use crate::neighbors::filter::tile::{Side, Tile};
use crate::neighbors::kernel::{CODE_LANES, Isa, Kernels, LANES, Pass};
use crate::{Result, Run};

/// Sizes of the parts that the engine cuts its work into; results do not depend on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// Rows in a block: a task is a pair of blocks.
    pub block: usize,
    /// Query rows in a tile.
    pub strip: usize,
    /// Instruction set; the best of the machine when not given.
    pub isa: Option<Isa>,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { block: 256, strip: 64, isa: None }
    }
}

/// Rows with the class of each.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    /// The rows.
    pub rows: &'a Rows,
    /// The class of each row, in `0..classes`.
    pub labels: &'a [u32],
    /// Number of classes.
    pub classes: usize,
}

impl Labelled<'_> {
    /// Rows in each class.
    pub(crate) fn members(&self) -> Vec<usize> {
        let mut members = vec![0; self.classes];
        self.labels.iter().for_each(|&class| members[class as usize] += 1);
        members
    }

    fn largest_class(&self) -> usize {
        self.members().into_iter().max().unwrap_or(0)
    }
}

/// The k nearest rows of each class to each row of a table, itself left out.
///
/// Nearness is that of `measure`, equal distances in order of row. All pairs are visited
/// once, in tiles; memory is O(n · k · classes), never n × n.
///
/// # Errors
///
/// When the run is stopped or its threads cannot be started.
pub fn nearest(rows: Labelled, measure: &Measure, k: usize, run: &Run) -> Result<Neighbors> {
    nearest_tuned(rows, measure, k, run, Tuning::default())
}

/// [`nearest`] with the engine's tuning given: the answer does not depend on it.
///
/// # Errors
///
/// When the run is stopped or its threads cannot be started.
pub fn nearest_tuned(
    of: Labelled,
    measure: &Measure,
    k: usize,
    run: &Run,
    tuning: Tuning,
) -> Result<Neighbors> {
    let all: Vec<u32> = (0..of.rows.len() as u32).collect();
    if measure.ramp().is_some() {
        return nearest_by_strips(of, &all, measure, k, run);
    }
    let layout = Layout::new(measure, &[of]);
    let classes = (of.labels, of.classes);
    let panels = run.install(|| Panels::new(&layout, measure, of.rows, &all, classes))?;
    let search = Search::new(&layout, measure, (of, &panels), (of, &panels), k, tuning);
    search.sweep(&every_pair(search.query_blocks()), true, run)?;
    search.finish(&all, run)
}

/// Every pair of blocks once, each with itself too.
///
/// Block i meets the blocks after it, counted in a circle, so that threads which begin far apart
/// rarely wait for each other's block.
fn every_pair(blocks: usize) -> Vec<(usize, usize)> {
    let after = |i: usize| {
        // Half of them; two blocks that are as far apart both ways belong to the first.
        let steps = 0..=(blocks - usize::from(2 * i >= blocks)) / 2;
        steps.map(move |step| (i, (i + step) % blocks))
    };
    (0..blocks).flat_map(after).collect()
}

/// The k nearest rows of each class among `base` to the chosen rows of `queries`.
///
/// With `same`, the two are one table and a row is not its own neighbour. The answer's rows
/// are in the order of `chosen`.
///
/// # Errors
///
/// When the run is stopped or its threads cannot be started.
pub fn nearest_between(
    (queries, chosen): (Labelled, &[u32]),
    base: Labelled,
    same: bool,
    measure: &Measure,
    k: usize,
    run: &Run,
) -> Result<Neighbors> {
    match (measure.ramp().is_some(), same) {
        (true, true) => return nearest_by_strips(base, chosen, measure, k, run),
        (true, false) => return nearest_one_by_one((queries, chosen), base, measure, k, run),
        (false, _) => {}
    }
    if let Some(found) = euclidean::nearest((queries, chosen), base, same, measure, k, run)? {
        return Ok(found);
    }
    let layout = Layout::new(measure, &[queries, base]);
    let all: Vec<u32> = (0..base.rows.len() as u32).collect();
    let classes = (base.labels, base.classes);
    let base_panels = run.install(|| Panels::new(&layout, measure, base.rows, &all, classes))?;
    // A row drawn twice is looked up once.
    let mut unique = chosen.to_vec();
    unique.sort_unstable();
    unique.dedup();
    let classes = (queries.labels, queries.classes);
    let panels = run.install(|| Panels::new(&layout, measure, queries.rows, &unique, classes))?;
    let sides = ((queries, &panels), (base, &base_panels));
    let search = Search::new(&layout, measure, sides.0, sides.1, k, Tuning::default());
    let pairs: Vec<(usize, usize)> = (0..search.query_blocks())
        .flat_map(|i| (0..search.base_blocks()).map(move |j| (i, j)))
        .collect();
    search.sweep(&pairs, same, run)?;
    search.finish(chosen, run)
}

/// [`nearest`] for a measure that tiles cannot compute: exact distances, a few rows at a time.
fn nearest_by_strips(
    of: Labelled,
    chosen: &[u32],
    measure: &Measure,
    k: usize,
    run: &Run,
) -> Result<Neighbors> {
    let strips = Strips::new(of);
    let mut found = Neighbors::empty(chosen.len(), of.classes, k, of.largest_class());
    run.install(|| {
        let rows = found.par_rows().enumerate();
        rows.try_for_each_init(Vec::new, |distances, (at, mut row)| {
            run.check(0, 0)?;
            strips.distances(measure, &chosen[at..=at], distances);
            let near = nearest_in_strip(of, Some(chosen[at]), distances, k);
            near.iter().enumerate().for_each(|(class, near)| row.set(class, near));
            Ok::<(), crate::Error>(())
        })
    })??;
    Ok(found)
}

/// [`nearest_between`] two tables for a measure that tiles cannot compute: pair by pair.
fn nearest_one_by_one(
    (queries, chosen): (Labelled, &[u32]),
    base: Labelled,
    measure: &Measure,
    k: usize,
    run: &Run,
) -> Result<Neighbors> {
    let mut found = Neighbors::empty(chosen.len(), base.classes, k, base.largest_class());
    run.install(|| {
        let rows = found.par_rows().enumerate();
        rows.try_for_each(|(at, mut row)| {
            run.check(0, 0)?;
            let query = chosen[at] as usize;
            let distance = |other: usize| {
                let classes = (queries.labels[query], base.labels[other]);
                measure.distance(queries.rows, query, base.rows, other, classes)
            };
            let distances: Vec<f64> = (0..base.rows.len()).map(distance).collect();
            let near = nearest_in_strip(base, None, &distances, k);
            near.iter().enumerate().for_each(|(class, near)| row.set(class, near));
            Ok(())
        })
    })?
    .map(|()| found)
}

/// Compute every tile of [`nearest`] and drop it, for a benchmark to compare with
/// [`arithmetic_limit`](super::testing::arithmetic_limit) or
/// [`mismatch_limit`](super::testing::mismatch_limit). Returns the number of tiles.
///
/// # Errors
///
/// When the run is stopped or its threads cannot be started.
pub fn all_tiles(of: Labelled, measure: &Measure, run: &Run) -> Result<usize> {
    let layout = Layout::new(measure, &[of]);
    let all: Vec<u32> = (0..of.rows.len() as u32).collect();
    let classes = (of.labels, of.classes);
    let panels = run.install(|| Panels::new(&layout, measure, of.rows, &all, classes))?;
    let side = Side { panels: &panels, rows: of.rows, classes: of.labels };
    let Tuning { block, strip, isa } = Tuning::default();
    let kernels = isa.unwrap_or_else(Isa::best).kernels();
    let starts: Vec<usize> = (0..panels.lanes()).step_by(block).collect();
    let cut = |from: usize, len: usize| from..(from + len).min(panels.lanes());
    let pairs = every_pair(starts.len()).into_iter().map(|(i, j)| (starts[i], starts[j]));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    run.install(|| {
        let tiles = pairs.par_iter().map_init(Tile::default, |tile, &(i, j)| {
            let strips: Vec<usize> = cut(i, block).step_by(strip).collect();
            for &first in &strips {
                tile.compute(
                    kernels,
                    &layout,
                    measure,
                    (side, cut(first, strip)),
                    (side, cut(j, block)),
                );
                std::hint::black_box(&tile.values);
            }
            strips.len()
        });
        tiles.sum()
    })
}

struct Search<'a> {
    layout: &'a Layout,
    measure: &'a Measure,
    kernels: &'static Kernels,
    queries: Side<'a>,
    base: Side<'a>,
    classes: usize,
    k: usize,
    tuning: Tuning,
    /// Query and base lanes are the same, and each pair is visited once for both.
    mutual: bool,
    lists: Vec<Mutex<Shortlist>>,
}

/// Memory that a thread uses again for every pair of blocks.
#[derive(Default)]
struct Scratch {
    tile: Tile,
    passes: Vec<Pass>,
    query_limits: Vec<f32>,
    base_limits: Vec<f32>,
    least: Vec<f32>,
    /// (query lane, base lane, value, for the query, for the base lane)
    found: Vec<(usize, usize, f32, bool, bool)>,
}

/// Memory that a thread uses again for the exact distances of every row.
#[derive(Default)]
struct Scored {
    rows: Vec<u32>,
    distances: Vec<f64>,
}

impl<'a> Search<'a> {
    fn new(
        layout: &'a Layout,
        measure: &'a Measure,
        (queries, query_panels): (Labelled<'a>, &'a Panels),
        (base, base_panels): (Labelled<'a>, &'a Panels),
        k: usize,
        tuning: Tuning,
    ) -> Self {
        let members = base.members();
        let largest = base_panels.slack.iter().copied().fold(0.0, f32::max);
        let block = tuning.block.next_multiple_of(CODE_LANES);
        let lists = (0..query_panels.lanes()).step_by(block).map(|from| {
            let lanes = from..(from + block).min(query_panels.lanes());
            let margin =
                |&slack: &f32| if slack + largest > 0.0 { 2.001 * (slack + largest) } else { 0.0 };
            let margins = query_panels.slack[lanes.clone()].iter().map(margin).collect();
            Mutex::new(Shortlist::new(k, &query_panels.row_of[lanes], margins, &members))
        });
        Self {
            layout,
            measure,
            kernels: tuning.isa.unwrap_or_else(Isa::best).kernels(),
            queries: Side { panels: query_panels, rows: queries.rows, classes: queries.labels },
            base: Side { panels: base_panels, rows: base.rows, classes: base.labels },
            classes: base.classes,
            k,
            tuning: Tuning { block, ..tuning },
            mutual: std::ptr::eq(query_panels, base_panels),
            lists: lists.collect(),
        }
    }

    fn query_blocks(&self) -> usize {
        self.queries.panels.lanes().div_ceil(self.tuning.block)
    }

    fn base_blocks(&self) -> usize {
        self.base.panels.lanes().div_ceil(self.tuning.block)
    }

    /// Visit the given pairs of blocks; `same` tables skip a row against itself.
    fn sweep(&self, pairs: &[(usize, usize)], same: bool, run: &Run) -> Result<()> {
        let done = AtomicU64::new(0);
        run.install(|| {
            pairs.par_iter().try_for_each_init(Scratch::default, |scratch, &(i, j)| {
                self.visit(i, j, same, scratch);
                run.check(done.fetch_add(1, Ordering::Relaxed) + 1, pairs.len() as u64)
            })
        })?
    }

    fn visit(&self, i: usize, j: usize, same: bool, scratch: &mut Scratch) {
        let block = self.tuning.block;
        let base_lanes = j * block..((j + 1) * block).min(self.base.panels.lanes());
        let query_end = ((i + 1) * block).min(self.queries.panels.lanes());
        let both = self.mutual && i != j;
        let strip = self.tuning.strip.next_multiple_of(LANES);
        for first in (i * block..query_end).step_by(strip) {
            let query_lanes = first..(first + strip).min(query_end);
            scratch.tile.compute(
                self.kernels,
                self.layout,
                self.measure,
                (self.queries, query_lanes.clone()),
                (self.base, base_lanes.clone()),
            );
            self.scan(query_lanes, base_lanes.clone(), both, scratch);
            self.offer(i, &scratch.found, same, |f| (f.0, f.1, f.2, f.3));
            if both {
                self.offer(j, &scratch.found, same, |f| (f.1, f.0, f.2, f.4));
            }
        }
    }

    /// Find the pairs that pass the thresholds as they are now; thresholds only fall.
    fn scan(
        &self,
        query_lanes: Range<usize>,
        base_lanes: Range<usize>,
        both: bool,
        scratch: &mut Scratch,
    ) {
        let Scratch { tile, passes, query_limits, base_limits, least, found } = scratch;
        found.clear();
        let block = self.tuning.block;
        let base_groups = base_lanes.start / LANES..base_lanes.end / LANES;
        base_limits.clear();
        base_limits.resize(base_lanes.len(), f32::NEG_INFINITY);
        for group in query_lanes.start / LANES..query_lanes.end / LANES {
            if both {
                let class = self.queries.panels.class_of_group[group] as usize;
                let list = self.list(base_lanes.start / block);
                base_limits.copy_from_slice(&list.thresholds(class)[..base_lanes.len()]);
            }
            // Thresholds of the sixteen queries for each base group's class.
            let lanes = group * LANES..(group + 1) * LANES;
            query_limits.clear();
            {
                let mut list = self.list(query_lanes.start / block);
                for lane in lanes.clone() {
                    let row = tile.row(lane - query_lanes.start);
                    self.open(&mut list, lane % block, row, base_groups.clone(), least);
                    query_limits.extend(base_groups.clone().map(|group| {
                        let class = self.base.panels.class_of_group[group] as usize;
                        list.thresholds(class)[lane % block]
                    }));
                }
            }
            for (lane, limits) in lanes.zip(query_limits.chunks_exact(base_groups.len())) {
                let row = tile.row(lane - query_lanes.start);
                passes.clear();
                (self.kernels.pass)(row, limits, base_limits, passes);
                for pass in passes.iter() {
                    let mut either = pass.query | pass.base;
                    while either != 0 {
                        let bit = either.trailing_zeros() as usize;
                        either &= either - 1;
                        let at = pass.group as usize * LANES + bit;
                        let is = |mask: u16| mask >> bit & 1 == 1;
                        found.push((
                            lane,
                            base_lanes.start + at,
                            row[at],
                            is(pass.query),
                            is(pass.base),
                        ));
                    }
                }
            }
        }
    }

    /// Give a lane without candidates of a class a first threshold, from its values in a row of
    /// groups: without a threshold all of them would pass.
    fn open(
        &self,
        list: &mut Shortlist,
        lane: usize,
        values: &[f32],
        groups: Range<usize>,
        least: &mut Vec<f32>,
    ) {
        let (panels, mut first) = (self.base.panels, groups.start);
        for of_class in panels.class_of_group[groups.clone()].chunk_by(|a, b| a == b) {
            let (class, here) = (of_class[0] as usize, first..first + of_class.len());
            first = here.end;
            if list.is_open(lane, class) {
                // Groups without a row in each lane come last.
                let is_whole = |&group: &usize| panels.row_of[group * LANES + LANES - 1] != PADDING;
                let whole = here.clone().take_while(is_whole).count();
                let values = &values[(here.start - groups.start) * LANES..][..whole * LANES];
                // The row itself may be among them.
                let beyond = beyond_least(values, self.k.saturating_add(1), least);
                beyond.inspect(|&value| list.lower(lane, class, value));
            }
        }
    }

    /// Offer the pairs found to the lanes of block `i`, each as (lane, other lane, value,
    /// offered).
    fn offer<F>(
        &self,
        i: usize,
        found: &[F],
        same: bool,
        view: impl Fn(&F) -> (usize, usize, f32, bool),
    ) {
        if found.is_empty() {
            return;
        }
        let block = self.tuning.block;
        let mut list = self.list(i);
        for (lane, other, value, offered) in found.iter().map(view) {
            let row = self.queries.panels.row_of[lane];
            let candidate = self.base.panels.row_of[other];
            if !offered || candidate == PADDING || (same && row == candidate) {
                continue;
            }
            let class = self.base.panels.class_of_group[other / LANES] as usize;
            list.offer(lane % block, class, (value, candidate), |c| self.exact(row, c));
        }
    }

    fn list(&self, block: usize) -> std::sync::MutexGuard<'_, Shortlist> {
        self.lists[block].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn exact(&self, query: u32, base: u32) -> f64 {
        let classes = (self.queries.classes[query as usize], self.base.classes[base as usize]);
        self.measure.distance(
            self.queries.rows,
            query as usize,
            self.base.rows,
            base as usize,
            classes,
        )
    }

    /// Let the exact distances decide among the candidates; rows of the answer as `chosen` lists
    /// them.
    fn finish(self, chosen: &[u32], run: &Run) -> Result<Neighbors> {
        let row_count = self.queries.rows.len();
        let mut lane_of = vec![u32::MAX; row_count];
        for (lane, &row) in self.queries.panels.row_of.iter().enumerate() {
            if row != PADDING {
                lane_of[row as usize] = lane as u32;
            }
        }
        let base =
            Labelled { rows: self.base.rows, labels: self.base.classes, classes: self.classes };
        let mut found = Neighbors::empty(chosen.len(), self.classes, self.k, base.largest_class());
        let block = self.tuning.block;
        let exact =
            self.queries.panels.slack.iter().chain(&self.base.panels.slack).all(|&s| s == 0.0);
        // Nothing is written any more: plain references need no locks.
        let lists: Vec<Shortlist> = (0..self.lists.len()).map(|block| self.take(block)).collect();
        run.install(|| {
            let rows = found.par_rows().enumerate();
            rows.try_for_each_init(Scored::default, |scratch, (at, mut row)| {
                let (query, lane) = (chosen[at], lane_of[chosen[at] as usize] as usize);
                let own = self.queries.classes[query as usize];
                let panels = self.queries.panels;
                let beyond = !panels.totals[lane].is_finite() || !panels.slack[lane].is_finite();
                for class in 0..self.classes {
                    let candidates = lists[lane / block].candidates(lane % block, class);
                    scratch.rows.clear();
                    if beyond {
                        // Its numbers are too large for the filter: every row is a candidate.
                        let member = |row: &u32| self.base.classes[*row as usize] as usize == class;
                        scratch.rows.extend((0..self.base.rows.len() as u32).filter(member));
                    } else {
                        scratch.rows.extend(candidates.iter().map(|c| c.1));
                    }
                    if exact {
                        scratch.distances.clear();
                        scratch
                            .distances
                            .extend(candidates.iter().map(|c| self.measure.finish(f64::from(c.0))));
                    } else {
                        let sides = (self.queries.rows, query as usize, self.base.rows);
                        let classes = (own, class as u32);
                        self.measure.distances(
                            sides.0,
                            sides.1,
                            sides.2,
                            &scratch.rows,
                            classes,
                            &mut scratch.distances,
                        );
                    }
                    let mut scored: Vec<(f64, u32)> = scratch
                        .distances
                        .iter()
                        .copied()
                        .zip(scratch.rows.iter().copied())
                        .collect();
                    scored.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    scored.truncate(self.k);
                    row.set(class, &scored);
                }
                run.check(0, 0)
            })
        })??;
        Ok(found)
    }

    fn take(&self, block: usize) -> Shortlist {
        let empty = Shortlist::new(self.k, &[], Vec::new(), &[]);
        std::mem::replace(&mut *self.list(block), empty)
    }
}

/// A bound that at least k of these values do not exceed: the k-th of the least values of each
/// lane, which are different values. None where there are too few.
fn beyond_least(values: &[f32], k: usize, least: &mut Vec<f32>) -> Option<f32> {
    let groups = values.as_chunks::<LANES>().0;
    // With a third more lanes than k, little more than k values pass.
    let sets = k.saturating_mul(4).div_ceil(3 * LANES);
    if groups.len() < sets {
        return None;
    }
    least.clear();
    least.resize(sets * LANES, f32::INFINITY);
    for groups in groups.chunks(sets) {
        for (least, values) in least.as_chunks_mut::<LANES>().0.iter_mut().zip(groups) {
            for lane in 0..LANES {
                least[lane] = least[lane].min(values[lane]);
            }
        }
    }
    Some(*least.select_nth_unstable_by(k - 1, f32::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn every_two_blocks_meet_once() {
        for blocks in 0..9 {
            let mut pairs: Vec<_> =
                every_pair(blocks).into_iter().map(|(i, j)| (i.min(j), i.max(j))).collect();
            pairs.sort_unstable();
            let all = (0..blocks).flat_map(|i| (i..blocks).map(move |j| (i, j)));
            assert_eq!(pairs, all.collect::<Vec<_>>());
        }
    }

    #[test]
    fn k_values_at_least_do_not_exceed_the_bound_and_hardly_more() {
        let mut random = Random::new(5, 0);
        let mut least = Vec::new();
        for groups in [1, 3, 16] {
            for k in 1..40 {
                let values: Vec<f32> =
                    (0..groups * LANES).map(|_| random.uniform() as f32).collect();
                let Some(bound) = beyond_least(&values, k, &mut least) else {
                    assert!(3 * groups * LANES < 4 * k, "{groups} groups are enough for {k}");
                    continue;
                };
                let passed = values.iter().filter(|value| **value <= bound).count();
                assert!((k..=5 * k + 20).contains(&passed), "{passed} for {k} of {groups}");
            }
        }
    }
}
