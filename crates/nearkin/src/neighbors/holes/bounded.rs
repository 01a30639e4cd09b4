//! Missing cells in bounded strips: the policy's difference in place of what the kernels saw.
//!
//! What tiles keep for this purpose serves here as well: [`Fills`] of rows of cells, or the look-ups of
//! packed ones ([`Corrections`](crate::neighbors::holes::packed)), for sixteen targets and sixteen rows at a time.
//! They are floats, added up in doubles, or in floats for a few look-ups: the error decides how many rows
//! have to be measured again. Sums join the whole numbers once they are complete.
//!
//! Floor: that of `tile_holes`, eight additions to an instruction, or of `packed_holes` for every pair, from
//! both sides, and for m targets and n rows m · n conversions and additions, eight to an instruction.

use std::ops::Range;

use crate::measure::Measure;
use crate::neighbors::filter::panel::{Layout, PADDING, Panels, ROUNDING};
use crate::neighbors::holes::cells::{Seen, add_others, add_own};
use crate::neighbors::kernel::packed::{self, PackedHole, Table, Word};
use crate::neighbors::kernel::{LANES, for_each_isa};

/// What missing cells add, `[target · 16 + lane]`, in the unit of the layout.
pub(crate) type Added = [f64; LANES * LANES];

/// Look-ups whose sums stay floats.
const LOOKED_UP: usize = 64;

/// A few targets whose missing cells, and whose cells where others miss them, are at hand.
pub(crate) enum Targets<'a> {
    /// Rows of cells.
    Cells {
        panels: &'a Panels,
        /// Place and class of each.
        places: Vec<(usize, usize)>,
        /// By class of a row that misses a column, as in the panels: `[column · 16 + target]`.
        seen: Vec<Vec<f32>>,
    },
    /// Packed rows.
    Packed {
        panels: &'a Panels,
        layout: &'a Layout,
        measure: &'a Measure,
        planes: Vec<Word>,
        /// Missing cells, column by column, of the targets of each class that has any.
        holes: Vec<(u32, Vec<PackedHole>)>,
    },
}

impl<'a> Targets<'a> {
    /// For the targets at some places of the panels; `planes` are their genotypes where rows are packed.
    pub fn new(
        (panels, layout, measure): (&'a Panels, &'a Layout, &'a Measure),
        places: &[usize],
        planes: &[Word],
    ) -> Self {
        let class = |place: usize| panels.class_of_group[place / LANES];
        if layout.packed > 0 {
            let mut classes: Vec<u32> = places.iter().map(|&place| class(place)).collect();
            classes.sort_unstable();
            classes.dedup();
            let of_class = |wanted: u32| {
                let own = (0u32..).zip(places).filter(|(_, place)| class(**place) == wanted);
                let holes = own.flat_map(|(lane, &place)| {
                    let holes = panels.holes[place].iter();
                    holes.map(move |hole| PackedHole { column: hole.column(), lane })
                });
                let mut holes: Vec<PackedHole> = holes.collect();
                holes.sort_unstable_by_key(|hole| (hole.column, hole.lane));
                (wanted, holes)
            };
            let holes = classes.into_iter().map(of_class).filter(|of| !of.1.is_empty()).collect();
            return Self::Packed { panels, layout, measure, planes: planes.to_vec(), holes };
        }
        let seen = panels.fills.as_ref().map_or_else(Vec::new, |fills| {
            let of_class = |kind: usize| {
                let mut seen = vec![0.0; fills.columns() * LANES];
                for (i, &place) in places.iter().enumerate() {
                    let group = fills.seen(kind, &lanes_of(place / LANES));
                    let cells = group.cells.iter().skip(place % LANES).step_by(LANES);
                    seen.iter_mut().skip(i).step_by(LANES).zip(cells).for_each(|(to, &x)| *to = x);
                }
                seen
            };
            (0..fills.classes()).map(of_class).collect()
        });
        let places = places.iter().map(|&place| (place, class(place) as usize)).collect();
        Self::Cells { panels, places, seen }
    }

    /// What missing cells add between the targets and a group of rows; false where none is missing.
    pub fn add(&self, base: usize, added: &mut Added) -> bool {
        added.fill(0.0);
        match self {
            Self::Cells { panels, places, seen } => add_cells(panels, places, seen, base, added),
            Self::Packed { panels, layout, measure, planes, holes } => {
                let others = panels.class_of_group[base];
                let words = panels.planes(layout, base, 0, layout.packed.div_ceil(64));
                let mut tables = Vec::new();
                for (class, holes) in holes {
                    let of = (layout.packed, &holes[..]);
                    let of = panels.corrections.of(measure, of, (*class, others), &mut tables);
                    look_up(words, holes, (of, true), |target, lane, sum| {
                        added[target * LANES + lane] += sum;
                    });
                }
                let theirs = &panels.packed_holes[base];
                // Columns that both miss are in already, so that the targets' class plays no part.
                let of = (layout.packed, &theirs[..]);
                let of = panels.corrections.of(measure, of, (others, others), &mut tables);
                look_up(planes, theirs, (of, false), |lane, target, sum| {
                    added[target * LANES + lane] += sum;
                });
                !(holes.is_empty() && theirs.is_empty())
            }
        }
    }
}

/// Pass what each hole's lane and each row of the planes come to, a few look-ups at a time.
fn look_up(
    planes: &[Word],
    holes: &[PackedHole],
    (tables, both): (&[Table], bool),
    mut add: impl FnMut(usize, usize, f64),
) {
    for holes in holes.chunks(LOOKED_UP) {
        let mut sums = [[0.0f32; LANES]; LANES];
        packed::look_up(planes, holes, (tables, 1), both, &mut sums);
        for (lane, sums) in sums.iter().enumerate() {
            sums.iter().enumerate().for_each(|(row, &sum)| add(lane, row, f64::from(sum)));
        }
    }
}

fn add_cells(
    panels: &Panels,
    places: &[(usize, usize)],
    seen: &[Vec<f32>],
    base: usize,
    added: &mut Added,
) -> bool {
    let Some(fills) = &panels.fills else { return false };
    let mut any = false;
    for (added, &(place, class)) in added.chunks_exact_mut(LANES).zip(places) {
        let holes = fills.holes(place);
        if !holes.is_empty() {
            let kind = fills.told(class as u32);
            let both = fills.both(kind, panels.class_of_group[base]);
            add_own(holes, fills.seen(kind, &lanes_of(base)), &[both], added);
            any = true;
        }
    }
    let first = base * LANES;
    let holes: [&[u32]; LANES] = std::array::from_fn(|lane| match panels.row_of[first + lane] {
        PADDING => &[][..],
        _ => fills.holes(first + lane),
    });
    if holes.iter().any(|holes| !holes.is_empty()) {
        let kind = fills.told(panels.class_of_group[base]);
        let seen = Seen { columns: fills.columns(), cells: &seen[kind] };
        add_others(&holes, seen, (added, LANES));
        any = true;
    }
    any
}

fn lanes_of(group: usize) -> Range<usize> {
    group * LANES..(group + 1) * LANES
}

/// How far what missing cells add may be off, in the unit of the layout, where no row misses more than
/// `most` columns: as many terms from either side, none beyond 1, each rounded; and additions of floats,
/// of which the sums hold no more terms than are looked up together.
pub(crate) fn error(layout: &Layout) -> f64 {
    let most = layout.most_holes();
    let together = if layout.packed > 0 { most.min(LOOKED_UP as f64) + 1.0 } else { 0.0 };
    1.01 * ROUNDING * most * (together + 2.0)
}

for_each_isa! {
    /// Add floats to whole numbers, which stay below `most`.
    pub(crate) fn join[](added: &[f64], grains: f64, most: f64, out: &mut [u32]) {
        for (out, &added) in out.iter_mut().zip(added) {
            let sum = f64::from(*out) + (added * grains).round_ties_even();
            *out = sum.clamp(0.0, most) as u32;
        }
    }
}
