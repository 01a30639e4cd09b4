//! Sums of a block of targets as plain numbers, so that they travel and add up anywhere.

use super::super::aggregate::{HitMiss, Sums};
use crate::weigh::Extras;
use crate::weigh::common::Problem;

/// Contributions of some targets: a row of numbers for each block of them, and single targets.
///
/// Rows of all blocks of targets, added to zeros in order, are what
/// [`Frame::finish`](super::Frame::finish) takes.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
pub struct Part {
    /// Numbers in a row.
    pub width: usize,
    /// Row after row.
    pub cells: Vec<f64>,
    /// Targets asked for: number of the row, contribution.
    pub rows: Vec<(u32, Vec<f64>)>,
}

impl Part {
    pub(super) fn push(&mut self, cells: Vec<f64>) {
        self.width = cells.len();
        self.cells.extend(cells);
    }
}

impl Sums {
    /// All sums but those of single targets, in a row; whole numbers are exact as doubles.
    pub(super) fn flat(&self) -> Vec<f64> {
        let mut flat: Vec<f64> = self.targets.iter().map(|&count| count as f64).collect();
        flat.extend(self.by_class.iter().flatten());
        flat.extend(self.by_pair.iter().flatten().flatten());
        for of in &self.hit_miss {
            flat.extend([of.targets, of.pairs[0], of.pairs[1]].map(|count| count as f64));
            for moments in &of.moments {
                flat.extend(moments.first.iter().chain(moments.second.iter().flatten()));
            }
        }
        flat
    }

    /// The sums that [`Sums::flat`] gave; none if there are more or fewer numbers.
    pub(super) fn from_flat(problem: &Problem, extras: &Extras, flat: &[f64]) -> Option<Self> {
        let mut sums = Self::new(problem, extras);
        let mut rest = flat;
        let mut take = |into: &mut [f64]| {
            let (cells, after) = rest.split_at_checked(into.len())?;
            into.copy_from_slice(cells);
            rest = after;
            Some(())
        };
        let mut counts = vec![0.0; sums.targets.len()];
        take(&mut counts)?;
        sums.targets = counts.iter().map(|&count| count as usize).collect();
        for into in sums.by_class.iter_mut().chain(sums.by_pair.iter_mut().flatten()) {
            take(into)?;
        }
        for HitMiss { targets, pairs, moments } in &mut sums.hit_miss {
            let mut counts = [0.0; 3];
            take(&mut counts)?;
            (*targets, *pairs) = (counts[0] as usize, [counts[1] as usize, counts[2] as usize]);
            for moments in moments {
                take(&mut moments.first)?;
                moments.second.iter_mut().try_for_each(|second| take(second))?;
            }
        }
        rest.is_empty().then_some(sums)
    }
}
