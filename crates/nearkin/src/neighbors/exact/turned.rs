//! Strips of packed rows under factors: bits that mark where rows differ choose what is added.
//!
//! 64 rows are turned so that a column is a word of each plane, a bit a row. A query's cell
//! against a column is then an XOR or two for all of them, and the factor is added in the lanes
//! whose bit is set: features in the order of the definition, no code ever unpacked.
//!
//! Lower bound: m · n · p / 8 masked additions for m queries, n rows and p columns.

use crate::data::{Packed, WORD, differ, missing};
use crate::measure::Measure;
use crate::neighbors::exact::strip::Strips;
use crate::neighbors::holes::exact::{LANES, Patches};
use crate::neighbors::kernel::for_each_isa;

/// Rows of genotypes, 64 at a time, column by column.
#[derive(Debug)]
pub(crate) struct Turned {
    columns: usize,
    /// `planes[group · columns + column]`, a bit a row.
    planes: Vec<[u64; 2]>,
}

impl Turned {
    pub fn new(packed: &Packed) -> Self {
        let groups = packed.rows().div_ceil(WORD);
        let mut planes = Vec::with_capacity(groups * packed.columns());
        (0..groups).for_each(|group| planes.extend(packed.turned(group * WORD)));
        Self { columns: packed.columns(), planes }
    }

    fn group(&self, group: usize) -> &[[u64; 2]] {
        &self.planes[group * self.columns..(group + 1) * self.columns]
    }
}

impl Strips<'_> {
    /// Distances from the queries to the rows from `first` on, as many as fit, under any factors.
    pub(crate) fn part_turned(
        &self,
        packed: &Packed,
        measure: &Measure,
        queries: &[u32],
        first: usize,
        out: &mut [&mut [f64]],
    ) {
        let turned = self.turned(packed);
        let mut patches = Patches::new(self, measure, queries);
        let count = out.first().map_or(0, |row| row.len());
        let rows = first..first + count;
        for group in rows.start / WORD..rows.end.div_ceil(WORD) {
            let planes = turned.group(group);
            let inside = rows.start.max(group * WORD)..rows.end.min((group + 1) * WORD);
            let mut all = vec![[0.0; WORD]; queries.len()];
            for (&query, sums) in queries.iter().zip(&mut all) {
                let own = packed.row(query as usize);
                weighted_mismatches(own, planes, measure.nominal_factors(), sums);
            }
            if let Some(patches) = &mut patches {
                let rows = (packed.rows() - group * WORD).min(WORD);
                for from in (0..rows).step_by(LANES) {
                    patches.group(group * WORD + from, LANES.min(rows - from));
                    for (i, sums) in all.iter_mut().enumerate() {
                        let lanes = &mut sums.as_chunks_mut().0[from / LANES];
                        patches.patch(i, false, lanes);
                    }
                }
            }
            for (sums, out) in all.iter().zip(out.iter_mut()) {
                for row in inside.clone() {
                    out[row - rows.start] = measure.finish(sums[row % WORD]);
                }
            }
        }
    }
}

for_each_isa! {
    /// `sums = Σ_A factor_A · [x_A ≠ z_A]` over columns known in both, for 64 rows z.
    fn weighted_mismatches[](
        own: &[[u64; 2]],
        planes: &[[u64; 2]],
        factors: &[f64],
        sums: &mut [f64; WORD],
    ) {
        let mut acc = [0.0; WORD];
        let words = own.iter().zip(planes.chunks(WORD)).zip(factors.chunks(WORD));
        for ((&[one, two], planes), factors) in words {
            for ((at, &z), &factor) in planes.iter().enumerate().zip(factors) {
                // The query's bits in all rows.
                let x = [one, two].map(|plane| (plane >> at & 1).wrapping_neg());
                let differ = differ(x, z) & !(missing(x) | missing(z));
                for (lane, sum) in acc.iter_mut().enumerate() {
                    *sum += if differ >> lane & 1 == 1 { factor } else { 0.0 };
                }
            }
        }
        *sums = acc;
    }
}
