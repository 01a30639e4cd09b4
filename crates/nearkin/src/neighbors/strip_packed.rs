//! Strips of packed rows: mismatches counted by the tile's kernel, sixteen rows by sixteen.
//!
//! Floor: that of `kernel_packed`, m · n · p / 128 operations for m queries, n rows and p columns; the
//! n · p / 4 bytes of the rows are read once for every sixteen queries.

use super::kernel::{Isa, LANES, Sums};
use super::kernel_packed::{CHUNK, panel};
use super::strip::Strips;
use crate::data::Packed;
use crate::measure::Measure;

impl Strips<'_> {
    /// Distances from the queries to the rows from `first` on, as many as fit; every nominal
    /// factor must be 1.
    pub(super) fn part_packed(
        &self,
        packed: &Packed,
        measure: &Measure,
        queries: &[u32],
        first: usize,
        out: &mut [&mut [f64]],
    ) {
        let mismatches = Isa::best().kernels().mismatch_planes;
        let lanes = |rows: &mut dyn Iterator<Item = usize>| {
            let mut lanes: Vec<Option<usize>> = rows.map(Some).collect();
            lanes.resize(LANES, None);
            panel(packed, &lanes)
        };
        let query_groups: Vec<_> = queries
            .chunks(LANES)
            .map(|rows| lanes(&mut rows.iter().map(|&row| row as usize)))
            .collect();
        let count = out.first().map_or(0, |row| row.len());
        for start in (0..count).step_by(LANES) {
            let group = first + start..first + (start + LANES).min(count);
            let base = lanes(&mut group.clone());
            for (at, queries) in queries.chunks(LANES).enumerate() {
                let mut cells = [0.0; LANES * LANES];
                for (q, b) in query_groups[at].chunks(CHUNK).zip(base.chunks(CHUNK)) {
                    mismatches(q, b, Sums::new(&mut cells, LANES));
                }
                let rows = queries.iter().zip(cells.chunks_exact(LANES));
                for ((&query, cells), out) in rows.zip(&mut out[at * LANES..]) {
                    let out = out[start..].iter_mut().zip(cells).zip(group.clone());
                    for ((out, &count), row) in out {
                        // Missing cells are no mismatch here; the policy says what they are.
                        let known = match self.has_holes(query as usize, row) {
                            true => packed.mismatches(query as usize, packed, row) as f64,
                            false => f64::from(count),
                        };
                        *out = measure.finish(self.with_unknown(measure, known, query, row));
                    }
                }
            }
        }
    }
}
