//! Contributions of packed rows: counted 64 columns at a time, the same bits as one by one.
//!
//! Floor: that of `neighbors::count`, k · p / 4 bytes read and 8 · p written for k neighbours and p
//! columns, and one multiply-add a column for every class. Missing cells take
//! another k · p / 4 bytes, and as many for the pool, to find their columns.

use super::contribution::{Moments, Reduction, Weighted};
use crate::data::Packed;
use crate::neighbors::{packed_mismatches, packed_weighted};

impl Reduction<'_> {
    /// [`Reduction::reduce`] where rows are packed.
    ///
    /// Columns in which the target or one of its neighbours has no value are left to
    /// [`Reduction::reduce_cell`].
    pub(super) fn reduce_packed(
        &self,
        packed: &Packed,
        row: usize,
        neighbours: &[Weighted],
        pool: &[Weighted],
        out: &mut Moments,
    ) {
        let weight = neighbours.first().map_or(0.0, |n| n.1);
        if neighbours.iter().all(|n| n.1 == weight) {
            let others: Vec<u32> = neighbours.iter().map(|n| n.0).collect();
            packed_mismatches(packed, row, &others, weight, &mut out.first);
        } else {
            packed_weighted(packed, row, neighbours, &mut out.first);
        }
        // A mismatch is 0 or 1 and its own square.
        if let Some(second) = &mut out.second {
            second.copy_from_slice(&out.first);
        }
        if packed.has_missing() {
            let whole: f64 = pool.iter().map(|n| n.1).sum();
            let others = neighbours.iter().chain(pool).map(|n| n.0 as usize);
            for column in packed.any_missing(others.chain([row])) {
                self.reduce_cell(column as usize, row, neighbours, (pool, whole), out);
            }
        }
    }
}
