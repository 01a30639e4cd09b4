//! Radius methods on a grid of blocks: no machine holds all rows.
//!
//! ```text
//! Σ d(x, ·), block after block ─▶ mean ─▶ Σ (d(x, ·) − mean)² ─▶ limits ─▶ rows within, block by block
//! ```
//!
//! Sums of distances go from block to block in the order of rows, with what they round off, as the
//! definition adds them, so limits have the same bits. Differences to the rows within are summed as whole numbers
//! ([`CellGrid`]), as for all rows in one place, so any machine may add them.
//!
//! In every table here the targets come first, then a base block.
//!
//! Lower bound for m targets and b rows of a block: m · b · p for sums, once more for squares
//! where radii are the targets' own, and once more for the rows within, as no distance is kept.

use rayon::prelude::*;

use super::super::aggregate::{Adder, Request, Sums};
use super::super::common::MANY_ROWS;
use super::super::contribution::Moments;
use super::super::radius::{Radius, around};
use super::frame::named;
use super::{BLOCK, Frame, Kind, Part};
use crate::data::{Classes, NumericCells, Rows, Table, Target};
use crate::error::NeedsWhole;
use crate::neighbors::{
    CellGrid, DistanceSpread, Labelled, LongSum, Strips, listed_mismatches, listed_packed,
    whole_differences,
};
use crate::{Result, Run, WeighError};

/// Targets measured together.
const STRIP: usize = 16;

/// Targets and a base block as one table: the target column, how many targets, their numbers in the
/// whole table, and the number of the block's first row.
#[derive(Debug, Clone, Copy)]
pub struct Facing<'a> {
    /// Targets, then the rows of the block.
    pub table: &'a Table<'a>,
    /// Their classes.
    pub target: &'a Target,
    /// The numbers of the targets in the whole table; there are as many targets.
    pub ids: &'a [u32],
    /// The number of the block's first row.
    pub first: u32,
}

impl Frame {
    /// Whether the method is about rows within a radius, and if so whether each target has its own.
    pub fn radius(&self) -> Option<bool> {
        self.of_radius().ok().map(|radius| radius.rule.own)
    }

    fn of_radius(&self) -> Result<&Radius> {
        match &self.method.kind {
            Kind::Radius(radius) => Ok(radius),
            _ => Err(WeighError::NoRadius.into()),
        }
    }

    /// The radius of a method whose rows within it can be summed block by block.
    fn radius_by_blocks(&self) -> Result<&Radius> {
        let radius = self.of_radius()?;
        match self.radius_needs_whole() {
            None => Ok(radius),
            Some(why) => Err(WeighError::NeedsWhole { method: self.id, why }.into()),
        }
    }

    /// Targets and block, encoded; there must be as many rows as targets at least.
    fn faced(&self, facing: Facing) -> Result<(Rows, Classes)> {
        let rows = self.rows(facing.table)?;
        let labels = self.labels(facing.target, rows.len())?;
        match rows.len() >= facing.ids.len() {
            true => Ok((rows, labels)),
            false => {
                let (rows, targets) = (rows.len(), facing.ids.len());
                Err(WeighError::TooFewForTargets { rows, targets }.into())
            }
        }
    }

    /// Refuse cells outside the summary: they have no place on the grid.
    fn on_grid(&self, rows: &Rows) -> Result<()> {
        if rows.has_missing() {
            return Err(WeighError::UnknownMissing.into());
        }
        let beyond = |cells: &mut dyn Iterator<Item = f64>| {
            let ranges = self.measure.range().iter().enumerate().cycle();
            cells.zip(ranges).find(|(cell, (_, (low, high)))| !(low..=high).contains(&cell))
        };
        let found = match rows.numbers() {
            NumericCells::F32(cells) => beyond(&mut cells.iter().map(|&cell| f64::from(cell))),
            NumericCells::F64(cells) => beyond(&mut cells.iter().copied()),
        };
        let Some((cell, (column, &(low, high)))) = found else { return Ok(()) };
        let column = self.encoder.names()[self.encoder.numeric()[column]].clone();
        Err(WeighError::BeyondSummary { column, cell, low, high }.into())
    }

    /// Why the rows within a radius cannot be summed block by block.
    pub(super) fn radius_needs_whole(&self) -> Option<NeedsWhole> {
        let numeric = !self.encoder.numeric().is_empty();
        if self.summary.rows < MANY_ROWS {
            Some(NeedsWhole::FewRows)
        } else if self.summary.has_missing() {
            Some(NeedsWhole::MissingCells)
        } else if self.measure.ramp().is_some() {
            Some(NeedsWhole::Ramps)
        } else if self.method.extras.stir {
            Some(NeedsWhole::Squares)
        } else if numeric && self.grid().is_none() {
            Some(NeedsWhole::Reach)
        } else {
            None
        }
    }

    fn grid(&self) -> Option<CellGrid> {
        CellGrid::new(self.measure.range())
    }

    /// Numbers for each target in [`Frame::within`].
    pub fn within_width(&self) -> usize {
        let sides = self.of_radius().map_or(0, |radius| radius.sides().len());
        sides * self.classes() * (1 + self.encoder.columns().len())
    }

    /// Add the distances of targets to a block's rows to what those of the blocks before add up to,
    /// two numbers a target as of a `LongSum`; with means, the squares of how far they are from them.
    ///
    /// # Errors
    ///
    /// When the block does not fit the summary or the number of targets, and when the caller
    /// stops the run.
    pub fn add_distances(
        &self,
        facing: Facing,
        means: Option<&[f64]>,
        into: &mut [f64],
        run: &Run,
    ) -> Result<()> {
        let Facing { ids, first, .. } = facing;
        if into.len() != 2 * ids.len() || means.is_some_and(|means| means.len() != ids.len()) {
            return Err(WeighError::SumsExpected { targets: ids.len() }.into());
        }
        let (rows, labels) = self.faced(facing)?;
        let of = Labelled { rows: &rows, labels: labels.codes(), classes: self.classes() };
        let (strips, targets) = (Strips::new(of), ids.len());
        let others = rows.len() - targets;
        let all: Vec<u32> = (0..targets as u32).collect();
        let add = |at: usize, distances: &[f64], into: &mut [f64; 2]| {
            let others = (first..).zip(distances).filter(|(other, _)| *other != ids[at]);
            let mut sum = long_sum(into);
            for (_, distance) in others {
                sum.add(match means {
                    None => *distance,
                    Some(means) => (distance - means[at]) * (distance - means[at]),
                });
            }
            *into = [sum.sum, sum.off];
        };
        let (into, _) = into.as_chunks_mut();
        run.install(|| {
            let each = all.par_chunks(STRIP).zip(into.par_chunks_mut(STRIP));
            each.try_for_each_init(Vec::new, |distances, (strip, into)| {
                run.check(0, 0)?;
                strips.distances_from(targets, &self.measure, strip, distances);
                let each = strip.iter().zip(distances.chunks_exact(others.max(1)));
                each.zip(into).for_each(|((&at, distances), into)| {
                    add(at as usize, distances, into);
                });
                Ok(())
            })
        })?
    }

    /// The mean of each target's distances, from their sums over all blocks.
    pub fn radius_means(&self, sums: &[f64]) -> Vec<f64> {
        let others = self.summary.rows.saturating_sub(1).max(1) as f64;
        long_sums(sums).map(|sum| sum.sum / others).collect()
    }

    /// The one radius of all targets, from the sums of the distances of all rows, in order.
    ///
    /// # Errors
    ///
    /// When the method has no radius.
    pub fn one_radius(&self, sums: &[f64]) -> Result<f64> {
        let mut all = LongSum::default();
        long_sums(sums).for_each(|sum| all.join(sum));
        Ok(all.over(self.of_radius()?.pairs(self.summary.rows)))
    }

    /// The limits of each target, near ones and then far ones, from means and squares.
    pub fn own_radii(&self, means: &[f64], squares: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let others = self.summary.rows.saturating_sub(1).max(1) as f64;
        let spread = |(&mean, squares): (&f64, LongSum)| {
            around(DistanceSpread { mean, deviation: (squares.sum / others).sqrt() })
        };
        means.iter().zip(long_sums(squares)).map(spread).unzip()
    }

    /// Sums over the rows of a block within the targets' limits: for each target, side and class the
    /// number of rows, sums of their differences in steps, and counts of codes that differ. Those of
    /// all blocks are added up.
    ///
    /// # Errors
    ///
    /// When the method needs all rows in one place, when the block does not fit the summary or
    /// the limits, and when the caller stops the run.
    pub fn within(
        &self,
        facing: Facing,
        (near, far): (&[f64], &[f64]),
        run: &Run,
    ) -> Result<Vec<u64>> {
        let radius = self.radius_by_blocks()?;
        let Facing { ids, first, .. } = facing;
        if near.len() != ids.len() || far.len() != ids.len() {
            return Err(WeighError::LimitsExpected { targets: ids.len() }.into());
        }
        let (rows, labels) = self.faced(facing)?;
        self.on_grid(&rows)?;
        let of = Labelled { rows: &rows, labels: labels.codes(), classes: self.classes() };
        let (strips, grid, targets) = (Strips::new(of), self.grid(), ids.len());
        let others = rows.len() - targets;
        let mut members = vec![Vec::new(); self.classes()];
        for (row, &class) in (0u32..).zip(labels.codes()).skip(targets) {
            members[class as usize].push(row);
        }
        let (all, width) = ((0..targets as u32).collect::<Vec<u32>>(), self.within_width());
        let mut out = vec![0; targets * width];
        run.install(|| {
            let each = all.par_chunks(BLOCK).zip(out.par_chunks_mut(BLOCK * width.max(1)));
            each.try_for_each_init(Vec::new, |distances, (block, out)| {
                run.check(0, 0)?;
                strips.distances_from(targets, &self.measure, block, distances);
                let mut slot = 0;
                for (side, _, _) in radius.sides() {
                    for rows_of in &members {
                        let lists: Vec<Vec<u32>> = block
                            .iter()
                            .zip(distances.chunks_exact(others.max(1)))
                            .map(|(&at, distances)| {
                                let at = at as usize;
                                let limits = (near[at], far[at]);
                                let taken = |row: u32| {
                                    let place = row - targets as u32;
                                    first + place != ids[at]
                                        && side.takes(limits, distances[place as usize])
                                };
                                let each = (0u32..).zip(rows_of).filter(|(_, row)| taken(**row));
                                each.map(|(place, _)| place).collect()
                            })
                            .collect();
                        self.add_listed(
                            &rows,
                            (block, rows_of, &lists),
                            grid.as_ref(),
                            |at, cells| {
                                let from = at * width + slot;
                                out[from..from + cells.len()].copy_from_slice(cells);
                            },
                        );
                        slot += 1 + self.encoder.columns().len();
                    }
                }
                Ok::<(), crate::Error>(())
            })
        })??;
        Ok(out)
    }

    /// Pass the numbers of each target to `take`: how many rows are listed, and their sums.
    fn add_listed(
        &self,
        rows: &Rows,
        (block, rows_of, lists): (&[u32], &[u32], &[Vec<u32>]),
        grid: Option<&CellGrid>,
        mut take: impl FnMut(usize, &[u64]),
    ) {
        let (numeric, nominal) = (rows.numeric(), rows.nominal());
        let listed: Vec<(u32, &[u32])> =
            block.iter().zip(lists).map(|(&row, list)| (row, list.as_slice())).collect();
        let mut sums = vec![0; block.len() * numeric];
        if let Some(grid) = grid {
            let of = (numeric, rows_of, &listed[..]);
            match rows.numbers() {
                NumericCells::F32(cells) => whole_differences(cells, of, grid, &mut sums),
                NumericCells::F64(cells) => whole_differences(cells, of, grid, &mut sums),
            }
        }
        let mut codes = vec![0; block.len() * nominal];
        match rows.packed() {
            Some(packed) => listed_packed(packed, rows_of, &listed, &mut codes),
            None => listed_mismatches(&rows.all_codes(), nominal, rows_of, &listed, &mut codes),
        }
        let mut cells = Vec::new();
        for (at, list) in lists.iter().enumerate() {
            cells.clear();
            cells.push(list.len() as u64);
            cells.extend(&sums[at * numeric..][..numeric]);
            cells.extend(codes[at * nominal..][..nominal].iter().map(|&count| u64::from(count)));
            take(at, &cells);
        }
    }

    /// Contributions of targets whose rows within their limits were added up over all blocks.
    ///
    /// # Errors
    ///
    /// When the method needs all rows in one place, and when the sums are not those of these
    /// targets.
    pub fn parts_within(&self, target: &Target, ids: &[u32], within: &[u64]) -> Result<Part> {
        let radius = self.radius_by_blocks()?;
        let labels = self.labels(target, ids.len())?;
        let problem = self.problem(self.no_rows()?, &labels);
        let (width, grid) = (self.within_width(), self.grid());
        if within.len() != ids.len() * width {
            return Err(WeighError::SumsOfOthers.into());
        }
        let targets: Vec<u32> = (0..ids.len() as u32).collect();
        let extras = self.extras_of(&targets, ids);
        let (classes, numeric) = (self.classes(), problem.rows.numeric());
        let one = 1 + problem.features();
        let mut moments = Moments::new(problem.features(), false);
        let mut blocks = Vec::new();
        for block in targets.chunks(BLOCK) {
            let mut sums = Sums::new(&problem, &extras);
            for &row in block {
                let own = labels.codes()[row as usize] as usize;
                let cells = &within[row as usize * width..][..width];
                let sides = cells.chunks_exact(classes * one).zip(radius.sides());
                let request = Request::new(block, &extras);
                let reached = (0..classes as u32).cycle().zip(cells.chunks_exact(one));
                let reached = reached.filter(|(_, cells)| cells[0] > 0).map(|(class, _)| class);
                let mut adder = Adder::new(&problem, row, reached, request, &mut sums);
                for (cells, &(_, sign, equal)) in sides {
                    let of: Vec<&[u64]> = cells.chunks_exact(one).collect();
                    let counts: Vec<usize> = of.iter().map(|cells| cells[0] as usize).collect();
                    let weights = Radius::weights(&problem, own, &counts, sign);
                    for (class, ((cells, weight), &count)) in
                        of.iter().zip(weights).zip(&counts).enumerate()
                    {
                        if count == 0 {
                            continue;
                        }
                        let (numbers, codes) = cells[1..].split_at(numeric);
                        let numbers = grid.iter().flat_map(|grid| grid.numbers(numbers));
                        let codes = codes.iter().copied();
                        let even = (weight, count, equal);
                        problem.even_moments(even, numbers, codes, &mut moments.first);
                        adder.group(class as u32, count, &moments);
                    }
                }
                adder.finish();
            }
            blocks.push(sums);
        }
        Ok(named(blocks, &targets, ids))
    }
}

/// A sum that travels as two numbers.
fn long_sum(&[sum, off]: &[f64; 2]) -> LongSum {
    LongSum { sum, off }
}

fn long_sums(sums: &[f64]) -> impl Iterator<Item = LongSum> {
    sums.as_chunks().0.iter().map(long_sum)
}
