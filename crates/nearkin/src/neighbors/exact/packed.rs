//! Strips of packed rows: mismatches counted by the tile's kernel, sixteen rows by sixteen.
//!
//! Lower bound: m · n · p / 128 operations for m queries, n rows and p columns.

use crate::data::Packed;
use crate::measure::Measure;
use crate::neighbors::exact::strip::Strips;
use crate::neighbors::holes::exact::Patches;
use crate::neighbors::kernel::packed::{CHUNK, panel};
use crate::neighbors::kernel::{Isa, LANES, Sums};

impl Strips<'_> {
    /// Distances from the queries to the rows from `first` on, as many as fit; every nominal
    /// factor must be 1.
    pub(crate) fn part_packed(
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
        let mut patches = Patches::new(self, measure, queries);
        let count = out.first().map_or(0, |row| row.len());
        for start in (0..count).step_by(LANES) {
            let group = first + start..first + (start + LANES).min(count);
            let base = lanes(&mut group.clone());
            if let Some(patches) = &mut patches {
                patches.group(group.start, group.len());
            }
            for (at, queries) in queries.chunks(LANES).enumerate() {
                let mut cells = [0.0; LANES * LANES];
                for (q, b) in query_groups[at].chunks(CHUNK).zip(base.chunks(CHUNK)) {
                    mismatches(q, b, Sums::new(&mut cells, LANES));
                }
                let rows = cells.as_chunks::<LANES>().0.iter().zip(&mut out[at * LANES..]);
                for (i, (cells, out)) in rows.take(queries.len()).enumerate() {
                    let mut sums = cells.map(f64::from);
                    if let Some(patches) = &mut patches {
                        patches.patch(at * LANES + i, true, &mut sums);
                    }
                    let out = out[start..].iter_mut().zip(sums).take(group.len());
                    out.for_each(|(out, sum)| *out = measure.finish(sum));
                }
            }
        }
    }
}
