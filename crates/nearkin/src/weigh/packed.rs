//! Contributions of packed rows: counted 64 columns at a time, the same bits as one by one.
//!
//! Known cells are counted; the policy's differences of missing cells are a sum of their own, as in
//! `holed`, so that a table with few missing cells costs little more.
//!
//! Lower bound: that of `neighbors::count`: for k neighbours and p columns k · p / 4 bytes read
//! and 8 · p written, and one multiply-add a column for every class. Missing cells take another k
//! · p / 4 bytes read and a table look-up each.

use super::contribution::{Moments, Reduction, Weighted, made_good};
use crate::data::{Packed, missing, ones};
use crate::neighbors::{packed_known, packed_mismatches, packed_weighted};

impl Reduction<'_> {
    /// [`Reduction::reduce`] where rows are packed.
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
        let leaves_out = self.measure.unknown().policy().skips_in_update();
        if packed.has_missing() && leaves_out {
            make_good(packed, pool, &mut out.first);
        }
        // A mismatch is 0 or 1 and its own square.
        if let Some(second) = &mut out.second {
            second.copy_from_slice(&out.first);
        }
        if packed.has_missing() && !leaves_out {
            let mut gone = vec![0.0; out.first.len()];
            for &(other, weight) in neighbours {
                let words = packed.row(other as usize).iter().enumerate();
                let holes = words.flat_map(|(at, &word)| ones(missing(word), at));
                holes.for_each(|column| gone[column as usize] += weight);
            }
            self.add_unknown(row, neighbours, &gone, out);
        }
    }
}

/// Scale up the weights of neighbours whose cell is known, for those whose cell is missing.
fn make_good(packed: &Packed, pool: &[Weighted], sums: &mut [f64]) {
    let whole: f64 = pool.iter().map(|n| n.1).sum();
    let mut used = vec![0.0; sums.len()];
    packed_known(packed, pool, &mut used);
    for (sum, used) in sums.iter_mut().zip(used) {
        *sum = made_good(*sum, whole, used);
    }
}
