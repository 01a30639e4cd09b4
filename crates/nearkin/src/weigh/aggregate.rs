//! Aggregation: contributions of all targets, summed in a fixed order.
//!
//! Targets are cut into blocks of fixed size; each block is summed by itself and blocks are
//! added in order. So the sums have the same bits on any number of threads.
//!
//! Lower bound: the differences (`contribution`; `neighbors::difference` and `neighbors::count`
//! where neighbours count alike), then p multiply-adds for each target and group of its
//! neighbours.

use std::ops::Range;

use rayon::prelude::*;

use super::Extras;
use super::bootstrap::Replicates;
use super::common::Problem;
use super::contribution::{Moments, add_scaled, to_table_order};
use super::neighbourhood::{Group, Members, Neighbourhood};
use crate::data::NumericCells;
use crate::neighbors::{Strips, listed_differences, listed_mismatches, listed_packed};
use crate::{Result, Run};

/// Targets in a block; results depend on it, so it never changes.
pub const BLOCK: usize = 64;

/// Most targets that share a fetch of rows; no order of addition depends on it.
const STRIP: usize = 2 * BLOCK;

/// Most distances that a thread holds for such targets: tall tables take fewer targets at once.
const STRIP_DISTANCES: usize = 1 << 21;

/// Cells of contributions held together: very wide tables take fewer targets at once.
const STRIP_CELLS: usize = 1 << 19;

/// The amount that a neighbour's difference adds to a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contribution {
    /// diff
    Difference,
    /// diff²
    Squared,
}

/// The targets whose contributions are summed, and the sums to make.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub targets: &'a [u32],
    pub extras: &'a Extras,
    pub contribution: Contribution,
    /// Keep every target's contribution until its block is added.
    pub single: bool,
}

impl<'a> Request<'a> {
    pub fn new(targets: &'a [u32], extras: &'a Extras) -> Self {
        Self { targets, extras, contribution: Contribution::Difference, single: false }
    }
}

/// Buffers that each thread keeps.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub distances: Vec<f64>,
    /// Distances in whole numbers.
    pub whole: Vec<u32>,
}

/// Receives every target's contribution, in order: the number of the first, then (row, vector).
pub(crate) type Sink<'a> = &'a mut (dyn FnMut(usize, &[(u32, Vec<f64>)]) + Send);

/// Moments of the differences to hits and to misses, for tests.
#[derive(Debug, Clone)]
pub(crate) struct HitMiss {
    /// Targets with a hit and a miss.
    pub targets: usize,
    /// Neighbours counted: hits, misses.
    pub pairs: [usize; 2],
    /// Σ over targets of mean difference and mean squared difference: hits, misses.
    pub moments: [Moments; 2],
}

impl HitMiss {
    fn new(features: usize) -> Self {
        let moments = [Moments::new(features, true), Moments::new(features, true)];
        Self { targets: 0, pairs: [0; 2], moments }
    }

    pub fn add(&mut self, other: &Self) {
        self.targets += other.targets;
        for side in 0..2 {
            self.pairs[side] += other.pairs[side];
            self.moments[side].add(1.0, &other.moments[side]);
        }
    }
}

/// Sums over targets, in encoded order: misses minus hits unless named otherwise.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    /// Targets seen in each class.
    pub targets: Vec<usize>,
    /// By class of the target.
    pub by_class: Vec<Vec<f64>>,
    /// By class of the target and class of the neighbours, unsigned; when wanted.
    pub by_pair: Vec<Vec<Vec<f64>>>,
    /// By class of the target, for tests; when wanted.
    pub hit_miss: Vec<HitMiss>,
    /// The contribution of chosen rows: (row, vector).
    pub rows: Vec<(u32, Vec<f64>)>,
    /// Sums over resampled targets; when wanted.
    pub replicates: Option<Replicates>,
}

impl Sums {
    pub fn new(problem: &Problem, extras: &Extras) -> Self {
        let (classes, features) = (problem.classes.len(), problem.features());
        let pairs = if extras.pairs { classes } else { 0 };
        let tested = if extras.stir { classes } else { 0 };
        Self {
            targets: vec![0; classes],
            by_class: vec![vec![0.0; features]; classes],
            by_pair: vec![vec![vec![0.0; features]; pairs]; pairs],
            hit_miss: (0..tested).map(|_| HitMiss::new(features)).collect(),
            rows: Vec::new(),
            replicates: None,
        }
    }

    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.targets.iter_mut().zip(&other.targets) {
            *mine += theirs;
        }
        for (mine, theirs) in self.by_class.iter_mut().zip(&other.by_class) {
            add_scaled(mine, 1.0, theirs);
        }
        let pairs = self.by_pair.iter_mut().flatten().zip(other.by_pair.iter().flatten());
        pairs.for_each(|(mine, theirs)| add_scaled(mine, 1.0, theirs));
        self.hit_miss.iter_mut().zip(&other.hit_miss).for_each(|(mine, theirs)| mine.add(theirs));
    }

    /// Divide the sums of targets of one class.
    pub fn divide(&mut self, class: usize, divisor: f64) {
        let pairs = self.by_pair.get_mut(class).into_iter().flatten().flatten();
        self.by_class[class].iter_mut().chain(pairs).for_each(|sum| *sum /= divisor);
    }

    /// The sum over all targets.
    pub fn total(&self) -> Vec<f64> {
        let mut total = vec![0.0; self.by_class.first().map_or(0, Vec::len)];
        self.by_class.iter().for_each(|sums| add_scaled(&mut total, 1.0, sums));
        total
    }
}

impl Problem<'_> {
    pub fn features(&self) -> usize {
        self.rows.numeric() + self.rows.nominal()
    }

    /// Sum the contributions of the targets.
    ///
    /// `find(range, scratch)` answers with the neighbourhoods of `targets[range]`, a few at a
    /// time.
    pub fn aggregate(
        &self,
        request: Request,
        run: &Run,
        find: impl Fn(Range<usize>, &mut Scratch) -> Result<Vec<Neighbourhood>> + Sync,
    ) -> Result<Sums> {
        self.aggregate_into(request, run, find, None)
    }

    /// [`Problem::aggregate`], every target's contribution passed to `sink` as well.
    pub fn aggregate_into(
        &self,
        request: Request,
        run: &Run,
        find: impl Fn(Range<usize>, &mut Scratch) -> Result<Vec<Neighbourhood>> + Sync,
        mut sink: Option<Sink>,
    ) -> Result<Sums> {
        let Request { targets, extras, .. } = request;
        let request = Request { single: sink.is_some() || extras.bootstrap.is_some(), ..request };
        let mut sums = Sums::new(self, extras);
        let mut replicates =
            extras.bootstrap.map(|b| Replicates::new(b, targets.len(), self.features()));
        // As many blocks as a strip may reach over go to a thread together.
        let strips =
            (STRIP_DISTANCES / self.rows.len().max(1)).min(STRIP_CELLS / self.features().max(1));
        let together = (strips / BLOCK).clamp(1, STRIP / BLOCK) * BLOCK;
        let blocks: Vec<usize> = (0..targets.len()).step_by(together).collect();
        // A wave keeps all threads busy and the memory of partial sums bounded.
        for wave in blocks.chunks(4 * run.width()) {
            let parts = run.install(|| {
                let block = |scratch: &mut Scratch, &first: &usize| {
                    run.check(first as u64, targets.len() as u64)?;
                    let last = (first + together).min(targets.len());
                    self.blocks(first..last, request, scratch, (&find, run))
                };
                wave.par_iter()
                    .map_init(Scratch::default, block)
                    .collect::<Result<Vec<Vec<Sums>>>>()
            })??;
            let firsts = (wave[0]..).step_by(BLOCK);
            for (mut part, first) in parts.into_iter().flatten().zip(firsts) {
                sums.add(&part);
                if let Some(replicates) = &mut replicates {
                    run.install(|| replicates.add(first, &part.rows))?;
                }
                if let Some(sink) = &mut sink {
                    sink(first, &part.rows);
                }
                part.rows.retain(|(row, _)| extras.rows.contains(&(*row as usize)));
                sums.rows.append(&mut part.rows);
            }
        }
        sums.replicates = replicates;
        Ok(sums)
    }

    /// The sums of each block of targets in a range that begins with one.
    fn blocks(
        &self,
        range: Range<usize>,
        request: Request,
        scratch: &mut Scratch,
        (find, run): (&impl Fn(Range<usize>, &mut Scratch) -> Result<Vec<Neighbourhood>>, &Run),
    ) -> Result<Vec<Sums>> {
        let Request { targets, extras, .. } = request;
        let of = |at: usize| (at - range.start) / BLOCK;
        let blocks = range.len().div_ceil(BLOCK);
        let mut sums: Vec<Sums> = (0..blocks).map(|_| Sums::new(self, extras)).collect();
        let second = extras.stir || request.contribution == Contribution::Squared;
        let mut moments = Moments::new(self.features(), second);
        let strip = (STRIP_CELLS / self.features().max(1)).clamp(4, range.len().max(4));
        for start in range.clone().step_by(strip) {
            let strip = start..(start + strip).min(range.end);
            let found = find(strip.clone(), scratch)?;
            if !second && self.is_dense(&found) {
                let place = start - range.start;
                self.dense(&targets[strip], &found, request, (&mut sums, place));
                continue;
            }
            for (at, found) in strip.zip(&found) {
                run.check(0, 0)?;
                self.target(targets[at], found, request, &mut moments, &mut sums[of(at)]);
            }
        }
        Ok(sums)
    }

    /// True when all neighbours have the same weight: then rows are fetched once for all targets.
    ///
    /// The answer for a target does not depend on the other targets, so that its sums have the
    /// same bits with any of them.
    fn is_dense(&self, found: &[Neighbourhood]) -> bool {
        let even = |group: &Group| matches!(group.members, Members::Even { .. });
        !self.rows.has_missing()
            && self.measure.ramp().is_none()
            && found.iter().all(|f| f.groups.iter().all(even))
    }

    /// For targets with many neighbours of equal weight: add their contributions to the sums of
    /// their blocks of targets. The first block begins at the target at place 0.
    fn dense(
        &self,
        targets: &[u32],
        found: &[Neighbourhood],
        request: Request,
        (sums, place): (&mut [Sums], usize),
    ) {
        let (numeric, nominal) = (self.rows.numeric(), self.rows.nominal());
        let groups = || {
            let of = |(&row, f): (&u32, _)| Neighbourhood::groups(f).map(move |group| (row, group));
            targets.iter().zip(found).flat_map(of)
        };
        // Class by class: lists of places among the same rows.
        let mut numbers = vec![Vec::new(); self.members.len()];
        let mut codes = vec![Vec::new(); self.members.len()];
        let grid = self.grid.as_ref();
        for (class, rows) in self.members.iter().enumerate() {
            let lists: Vec<_> = groups()
                .filter(|(_, group)| group.class as usize == class)
                .map(|(row, group)| (row, group.places()))
                .collect();
            if lists.is_empty() {
                continue;
            }
            numbers[class].resize(lists.len() * numeric, 0.0);
            let out = &mut numbers[class];
            match self.rows.numbers() {
                NumericCells::F32(cells) => {
                    listed_differences(cells, numeric, rows, &lists, grid, out)
                }
                NumericCells::F64(cells) => {
                    listed_differences(cells, numeric, rows, &lists, grid, out)
                }
            }
            codes[class].resize(lists.len() * nominal, 0);
            let out = &mut codes[class];
            match self.rows.packed() {
                Some(packed) => listed_packed(packed, rows, &lists, out),
                None => listed_mismatches(&self.rows.all_codes(), nominal, rows, &lists, out),
            }
        }
        let mut slots = vec![0; self.members.len()];
        let mut moments = Moments::new(self.features(), false);
        for (place, (&row, found)) in (place..).zip(targets.iter().zip(found)) {
            let mut adder =
                Adder::new(self, row, found.classes(), request, &mut sums[place / BLOCK]);
            for group in &found.groups {
                let class = group.class as usize;
                let (slot, weight) = (slots[class], group.even_weight());
                slots[class] += 1;
                let cells = numbers[class][slot * numeric..].iter().copied();
                let counts = codes[class][slot * nominal..].iter().map(|&count| u64::from(count));
                let even = (weight, group.members.len(), group.equal);
                self.even_moments(even, cells, counts, &mut moments.first);
                adder.group(group.class, group.members.len(), &moments);
            }
            adder.finish();
        }
    }

    /// First moments of neighbours of equal weight, from the sums of their differences in numbers
    /// and the number of their codes that differ.
    pub fn even_moments(
        &self,
        (weight, count, equal): (f64, usize, bool),
        numbers: impl Iterator<Item = f64>,
        mismatches: impl Iterator<Item = u64>,
        moments: &mut [f64],
    ) {
        let (first, second) = moments.split_at_mut(self.rows.numeric());
        let cells = numbers.zip(self.measure.scale());
        first.iter_mut().zip(cells).for_each(|(out, (sum, scale))| *out = weight * sum * scale);
        second.iter_mut().zip(mismatches).for_each(|(out, sum)| *out = weight * sum as f64);
        if equal {
            let whole = weight * count as f64;
            moments.iter_mut().for_each(|sum| *sum = whole - *sum);
        }
    }

    /// Add one target's contributions.
    pub fn target(
        &self,
        row: u32,
        found: &Neighbourhood,
        request: Request,
        moments: &mut Moments,
        sums: &mut Sums,
    ) {
        let mut adder = Adder::new(self, row, found.classes(), request, sums);
        for group in &found.groups {
            self.reduce(row as usize, group, moments);
            adder.group(group.class, group.members.len(), moments);
        }
        adder.finish();
    }

    /// The moments of each group of a target's neighbours.
    pub fn moments_of(&self, row: u32, found: &Neighbourhood, second: bool) -> Vec<Moments> {
        let each = found.groups.iter().map(|group| {
            let mut moments = Moments::new(self.features(), second);
            self.reduce(row as usize, group, &mut moments);
            moments
        });
        each.collect()
    }

    /// [`Problem::target`] where the moments of the groups are known.
    pub fn add_moments(
        &self,
        row: u32,
        found: &Neighbourhood,
        moments: &[Moments],
        request: Request,
        sums: &mut Sums,
    ) {
        let mut adder = Adder::new(self, row, found.classes(), request, sums);
        for (group, moments) in found.groups.iter().zip(moments) {
            adder.group(group.class, group.members.len(), moments);
        }
        adder.finish();
    }

    /// [`Problem::aggregate_into`] with neighbourhoods from the targets' exact distances to all rows:
    /// `fill(target, distances, found)` takes one target at a time.
    pub fn aggregate_by_distances(
        &self,
        request: Request,
        run: &Run,
        fill: impl Fn(u32, &[f64], &mut Neighbourhood) + Sync,
        sink: Option<Sink>,
    ) -> Result<Sums> {
        let strips = Strips::new(self.labelled());
        let find = |range: Range<usize>, scratch: &mut Scratch| {
            let targets = &request.targets[range];
            Ok(by_distances(self, &strips, targets, &mut scratch.distances, &fill))
        };
        self.aggregate_into(request, run, find, sink)
    }

    pub fn table_order(&self, encoded: &[f64]) -> Vec<f64> {
        to_table_order(&self.encoder, encoded)
    }
}

/// Neighbourhoods of targets from their exact distances to all rows: `fill(target, distances, found)` takes one target at a time.
pub(crate) fn by_distances(
    problem: &Problem,
    strips: &Strips,
    targets: &[u32],
    distances: &mut Vec<f64>,
    fill: impl Fn(u32, &[f64], &mut Neighbourhood),
) -> Vec<Neighbourhood> {
    strips.distances(&problem.measure, targets, distances);
    let each = targets.iter().zip(distances.chunks_exact(problem.rows.len()));
    each.map(|(&target, distances)| {
        let mut found = Neighbourhood::default();
        fill(target, distances, &mut found);
        found
    })
    .collect()
}

/// Adds one target's contributions, group by group, to all the sums that are wanted.
pub(super) struct Adder<'a> {
    row: u32,
    own: usize,
    request: Request<'a>,
    sums: &'a mut Sums,
    single: Option<Vec<f64>>,
    testable: bool,
}

impl<'a> Adder<'a> {
    /// For a target with groups of neighbours in these classes.
    pub fn new(
        problem: &Problem,
        row: u32,
        mut classes: impl Iterator<Item = u32> + Clone,
        request: Request<'a>,
        sums: &'a mut Sums,
    ) -> Self {
        let own = problem.label(row as usize) as usize;
        sums.targets[own] += 1;
        let single = request.single || request.extras.rows.contains(&(row as usize));
        let hit = |class: u32| class as usize == own;
        // A target counts in the tests when it has a hit and a miss.
        let testable = request.extras.stir && classes.clone().any(hit) && !classes.all(hit);
        if testable {
            sums.hit_miss[own].targets += 1;
        }
        let single = single.then(|| vec![0.0; problem.features()]);
        Self { row, own, request, sums, single, testable }
    }

    /// Add the moments of `count` neighbours of a class.
    pub fn group(&mut self, class: u32, count: usize, moments: &Moments) {
        let Self { own, request, sums, .. } = self;
        let term = match (request.contribution, &moments.second) {
            (Contribution::Squared, Some(second)) => second,
            _ => &moments.first,
        };
        let hit = class as usize == *own;
        let sign = if hit { -1.0 } else { 1.0 };
        add_scaled(&mut sums.by_class[*own], sign, term);
        if request.extras.pairs {
            add_scaled(&mut sums.by_pair[*own][class as usize], 1.0, term);
        }
        if let Some(single) = &mut self.single {
            add_scaled(single, sign, term);
        }
        if self.testable {
            let side = usize::from(!hit);
            sums.hit_miss[*own].pairs[side] += count;
            sums.hit_miss[*own].moments[side].add(1.0, moments);
        }
    }

    pub fn finish(self) {
        let row = self.row;
        self.sums.rows.extend(self.single.map(|vector| (row, vector)));
    }
}
