//! Missing genotypes in a tile: the policy's difference in place of a mismatch.
//!
//! A kernel counts a missing cell as a value of its own: 1 against a known cell, 0 against
//! another missing one. What should stand there depends only on the column, the two classes and
//! the other row's genotype, so a hole has a table of four corrections, looked up for sixteen
//! lanes at a time. A lane's corrections are summed by themselves, near 0 where `f32` is dense,
//! before they go to the tile.
//!
//! Floor: h holes a row are h/16 look-ups a pair of rows and side, each of four tests, three
//! choices and an addition with AVX-512.
//! The holes of sixteen rows go through the other sixteen's words together, column by column, so
//! that a word is fetched once for all of them; tables are made once for each pair of classes.
//! A look-up reads a hole of 8 bytes and a table of 16; the 256 bytes of a word of 64 columns and
//! the 1 KiB of sums stay in the first cache.

use std::ops::Range;

use crate::data::MISSING;
use crate::measure::{Measure, Metric};
use crate::neighbors::filter::panel::{Layout, Panels};
use crate::neighbors::filter::tile::Side;
use crate::neighbors::kernel::LANES;
use crate::neighbors::kernel::packed::{self, PackedHole, Table};

/// Corrections of every column for each pair of classes, where they are not too many to hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct Corrections {
    classes: usize,
    columns: usize,
    /// `[(class · classes + other) · columns + column]`
    tables: Vec<Table>,
}

/// Bytes of tables that are made once and kept.
const KEPT: usize = 1 << 26;

impl Corrections {
    /// The tables of `columns` packed columns, or none where they would take too much room.
    pub fn new(measure: &Measure, columns: usize, classes: usize) -> Self {
        if classes * classes * columns * size_of::<Table>() > KEPT {
            return Self::default();
        }
        let pairs = (0..classes).flat_map(|class| (0..classes).map(move |other| (class, other)));
        let tables = pairs.flat_map(|(class, other)| {
            (0..columns).map(move |c| corrections(measure, c, (class as u32, other as u32)))
        });
        Self { classes, columns, tables: tables.collect() }
    }

    /// The tables of all columns in `holes` for rows of the first class that miss them.
    pub(crate) fn of<'t>(
        &'t self,
        measure: &Measure,
        (columns, holes): (usize, &[PackedHole]),
        (class, other): (u32, u32),
        made: &'t mut Vec<Table>,
    ) -> &'t [Table] {
        if (class.max(other) as usize) < self.classes {
            let pair = class as usize * self.classes + other as usize;
            return &self.tables[pair * self.columns..(pair + 1) * self.columns];
        }
        made.resize(columns, Table::default());
        for column in holes.iter().map(|hole| hole.column as usize) {
            made[column] = corrections(measure, column, (class, other));
        }
        made
    }
}

/// Add the corrections to the tile, and take missing cells off what is present, if counted.
pub(crate) fn correct(
    values: &mut [f32],
    mut present: Option<&mut [f32]>,
    (layout, measure): (&Layout, &Measure),
    (queries, query_lanes): (Side, Range<usize>),
    (base, base_lanes): (Side, Range<usize>),
) {
    let width = base_lanes.len();
    let of = Correct { layout, measure, counted: present.is_some() };
    for (q, query_group) in groups(&query_lanes).enumerate() {
        for (b, base_group) in groups(&base_lanes).enumerate() {
            let forth = of.collect((queries, query_group), (base, base_group), true);
            let back = of.collect((base, base_group), (queries, query_group), false);
            for (i, j) in (0..LANES).flat_map(|i| (0..LANES).map(move |j| (i, j))) {
                let cell = (q * LANES + i) * width + b * LANES + j;
                let sides = [forth.as_ref().map(|c| (c, i, j)), back.as_ref().map(|c| (c, j, i))];
                for (found, own, other) in sides.into_iter().flatten() {
                    values[cell] += found.sums[own][other];
                    if let Some(present) = &mut present {
                        present[cell] -= found.gone[own][other];
                    }
                }
            }
        }
    }
}

fn groups(lanes: &Range<usize>) -> Range<usize> {
    lanes.start / LANES..lanes.end / LANES
}

struct Correct<'a> {
    layout: &'a Layout,
    measure: &'a Measure,
    /// Missing cells are counted as well.
    counted: bool,
}

/// What the holes of one group say about another group, `[lane][other lane]`.
struct Found {
    sums: [[f32; LANES]; LANES],
    gone: [[f32; LANES]; LANES],
}

impl Correct<'_> {
    /// The corrections for the holes of one group against the lanes of another, and how many
    /// columns they are about; none when the group has no hole.
    ///
    /// Columns missing on both sides count only with `both`, so that they are corrected once.
    fn collect(
        &self,
        (of, group): (Side, usize),
        (others, at): (Side, usize),
        both: bool,
    ) -> Option<Found> {
        let holes = of.panels.packed_holes.get(group).filter(|holes| !holes.is_empty())?;
        let classes = (of.panels.class_of_group[group], others.panels.class_of_group[at]);
        let (columns, mut made) = (self.layout.packed, Vec::new());
        let tables = of.panels.corrections.of(self.measure, (columns, holes), classes, &mut made);
        let words = columns.div_ceil(64);
        let planes = others.panels.planes(self.layout, at, 0, words);
        let mut found = Found { sums: [[0.0; LANES]; LANES], gone: [[0.0; LANES]; LANES] };
        packed::look_up(planes, holes, (tables, 1), both, &mut found.sums);
        if self.counted && both {
            for hole in holes {
                found.gone[hole.lane as usize].iter_mut().for_each(|gone| *gone += 1.0);
            }
        } else if self.counted {
            let known = [[1.0, 1.0, 1.0, 0.0]];
            packed::look_up(planes, holes, (&known, 0), both, &mut found.gone);
        }
        Some(found)
    }
}

/// The holes of each group of lanes, column by column.
pub(crate) fn by_group(panels: &Panels) -> Vec<Vec<PackedHole>> {
    let of_group = |lanes: &[Vec<crate::neighbors::filter::panel::Hole>]| {
        let mut holes: Vec<PackedHole> = (0u32..)
            .zip(lanes)
            .flat_map(|(lane, holes)| {
                holes.iter().map(move |h| PackedHole { column: h.column(), lane })
            })
            .collect();
        holes.sort_unstable_by_key(|hole| (hole.column, hole.lane));
        holes
    };
    panels.holes.chunks(LANES).map(of_group).collect()
}

/// What to add where a row of the first class misses `column`, by the other row's genotype.
fn corrections(measure: &Measure, column: usize, (class, other): (u32, u32)) -> Table {
    std::array::from_fn(|code| {
        let code = if code == 3 { MISSING } else { code as u16 };
        let diff = measure.nominal_cell(column, (MISSING, class), (code, other));
        let meant = diff.map_or(0.0, |diff| match measure.metric() {
            Metric::Manhattan => diff,
            Metric::Euclidean => diff * diff,
        });
        let dense = if code == MISSING { 0.0 } else { 1.0 };
        (meant - dense) as f32
    })
}
