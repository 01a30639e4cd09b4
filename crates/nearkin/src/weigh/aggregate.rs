//! Aggregation: contributions of all targets, summed in a fixed order.
//!
//! Targets are cut into blocks of fixed size; each block is summed by itself and blocks are
//! added in order. So the sums have the same bits on any number of threads.

use rayon::prelude::*;

use super::Wanted;
use super::common::Problem;
use super::contribution::{Moments, Weighted, add_scaled, to_table_order};
use crate::{Result, Run};

/// Targets in a block; results depend on it, so it never changes.
const BLOCK: usize = 64;

/// Neighbours of one target by class: each with its weight in the update.
#[derive(Debug, Default)]
pub(crate) struct Neighbourhood {
    /// `(class, neighbours)`; hits are those of the target's own class.
    pub groups: Vec<(u32, Vec<Weighted>)>,
}

impl Neighbourhood {
    pub fn clear(&mut self) {
        self.groups.clear();
    }

    pub fn push(&mut self, class: u32, neighbours: impl IntoIterator<Item = Weighted>) {
        let neighbours: Vec<Weighted> = neighbours.into_iter().collect();
        if !neighbours.is_empty() {
            self.groups.push((class, neighbours));
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
    /// The contribution of chosen rows: (row, vector).
    pub rows: Vec<(u32, Vec<f64>)>,
}

impl Sums {
    fn new(problem: &Problem, wanted: &Wanted) -> Self {
        let (classes, features) = (problem.classes.len(), problem.features());
        let pairs = if wanted.pairs { classes } else { 0 };
        Self {
            targets: vec![0; classes],
            by_class: vec![vec![0.0; features]; classes],
            by_pair: vec![vec![vec![0.0; features]; pairs]; pairs],
            rows: Vec::new(),
        }
    }

    fn add(&mut self, other: Self) {
        for (mine, theirs) in self.targets.iter_mut().zip(other.targets) {
            *mine += theirs;
        }
        for (mine, theirs) in self.by_class.iter_mut().zip(&other.by_class) {
            add_scaled(mine, 1.0, theirs);
        }
        let pairs = self.by_pair.iter_mut().flatten().zip(other.by_pair.iter().flatten());
        pairs.for_each(|(mine, theirs)| add_scaled(mine, 1.0, theirs));
        self.rows.extend(other.rows);
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

    /// Sum the contributions of `targets`; `neighbours(at, out)` fills in those of `targets[at]`.
    pub fn aggregate(
        &self,
        targets: &[u32],
        wanted: &Wanted,
        run: &Run,
        neighbours: impl Fn(usize, &mut Neighbourhood) + Sync,
    ) -> Result<Sums> {
        let mut sums = Sums::new(self, wanted);
        let blocks: Vec<(usize, &[u32])> =
            targets.chunks(BLOCK).enumerate().map(|(i, b)| (i * BLOCK, b)).collect();
        // A wave keeps all threads busy and the memory of partial sums bounded.
        for wave in blocks.chunks(4 * run.width()) {
            let parts = run.install(|| {
                wave.par_iter()
                    .map(|&(first, block)| {
                        run.check(0, 0)?;
                        Ok(self.block(first, block, wanted, &neighbours))
                    })
                    .collect::<Result<Vec<Sums>>>()
            })??;
            parts.into_iter().for_each(|part| sums.add(part));
        }
        Ok(sums)
    }

    fn block(
        &self,
        first: usize,
        targets: &[u32],
        wanted: &Wanted,
        neighbours: &impl Fn(usize, &mut Neighbourhood),
    ) -> Sums {
        let mut sums = Sums::new(self, wanted);
        let mut found = Neighbourhood::default();
        let mut moments = Moments::new(self.features(), false);
        for (at, &row) in targets.iter().enumerate() {
            found.clear();
            neighbours(first + at, &mut found);
            let own = self.label(row as usize) as usize;
            sums.targets[own] += 1;
            let mut single =
                wanted.rows.contains(&(row as usize)).then(|| vec![0.0; self.features()]);
            for (class, members) in &found.groups {
                self.reduce(row as usize, members, &mut moments);
                let sign = if *class as usize == own { -1.0 } else { 1.0 };
                add_scaled(&mut sums.by_class[own], sign, &moments.first);
                if wanted.pairs {
                    add_scaled(&mut sums.by_pair[own][*class as usize], 1.0, &moments.first);
                }
                if let Some(single) = &mut single {
                    add_scaled(single, sign, &moments.first);
                }
            }
            sums.rows.extend(single.map(|vector| (row, vector)));
        }
        sums
    }

    pub fn table_order(&self, encoded: &[f64]) -> Vec<f64> {
        to_table_order(&self.encoder, encoded)
    }
}
