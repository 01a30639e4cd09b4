//! Corrections for missing cells between a few target rows and all rows, added up in doubles.
//!
//! The targets of a bounded strip stand in different groups of the panel, so their missing cells,
//! and the corrections against them, are collected into a [`Group`] of their own. The error
//! decides how many rows have to be measured again: doubles keep it small, and sums join the
//! whole numbers of the strip once they are complete.
//!
//! Lower bound: that of the corrections, eight additions to an instruction, and m · n conversions
//! and additions for m targets and n rows, eight to an instruction.

use super::{Cells, Corrections, Group, Holes, Making, Square, Sum, by_column};
use crate::neighbors::filter::panel::{Layout, ROUNDING};
use crate::neighbors::filter::tile::Side;
use crate::neighbors::kernel::packed::{PackedHole, Word};
use crate::neighbors::kernel::{LANES, for_each_isa};

/// A few target rows: their missing cells, and their cells where others miss them.
pub(crate) struct Few<'a> {
    making: Making<'a>,
    side: Side<'a>,
    holes: &'a Holes,
    /// The lane of each in the panel.
    lanes: &'a [usize],
    /// By class of a row that misses a column: `[column][target]`.
    cells: Vec<Vec<[f32; LANES]>>,
    planes: &'a [Word],
    /// Missing cells of packed targets, by class.
    packed: Vec<(usize, Vec<PackedHole>)>,
}

impl<'a> Few<'a> {
    /// The targets in these lanes of a panel; `planes` are their genotypes where rows are packed.
    pub fn new(
        making: Making<'a>,
        (side, holes): (Side<'a>, &'a Holes),
        lanes: &'a [usize],
        planes: &'a [Word],
    ) -> Self {
        let mut few =
            Self { making, side, holes, lanes, cells: Vec::new(), planes, packed: Vec::new() };
        match &holes.corrections {
            Corrections::Cells { kept, .. } => {
                let of_class = |kept: &Vec<[f32; LANES]>| {
                    let mut cells = vec![[0.0; LANES]; holes.columns];
                    for (i, &at) in lanes.iter().enumerate() {
                        let group = kept[at / LANES * holes.columns..].iter();
                        cells.iter_mut().zip(group).for_each(|(to, x)| to[i] = x[at % LANES]);
                    }
                    cells
                };
                few.cells = kept.iter().flatten().map(of_class).collect();
            }
            Corrections::Packed { .. } => {
                let none = Vec::new();
                let of_class = |class: usize| {
                    let own = |lane: &usize| match few.class(*lane) == class {
                        true => &holes.of_lane[*lane],
                        false => &none,
                    };
                    (class, by_column(lanes.iter().map(own)))
                };
                let packed: Vec<_> = (0..holes.classes).map(of_class).collect();
                few.packed = packed.into_iter().filter(|of| !of.1.is_empty()).collect();
            }
        }
        few
    }

    fn class(&self, lane: usize) -> usize {
        self.holes.class(self.side.panels.class_of_group[lane / LANES])
    }

    fn group(&self) -> Group<'_> {
        let lane = |i: usize| self.lanes.get(i).copied();
        Group {
            classes: std::array::from_fn(|i| lane(i).map_or(0, |lane| self.class(lane))),
            holes: std::array::from_fn(|i| lane(i).map_or(&[][..], |at| self.holes.of_lane(at))),
            cells: match self.planes {
                [] => Cells::Kept(self.cells.iter().map(Vec::as_slice).collect()),
                planes => {
                    let holes = self.packed.iter().map(|(class, holes)| (*class, &holes[..]));
                    Cells::Packed(planes, holes.collect())
                }
            },
        }
    }

    /// `each(group, sums)` for every group of rows with the corrections between the targets and
    /// it, `sums[target][row]`, where there are any.
    pub fn each(&self, mut each: impl FnMut(usize, &Square<f64>)) {
        let targets = self.group();
        for group in 0..self.side.panels.lanes() / LANES {
            let rows = self.holes.group(self.making.layout, self.side, group);
            let (mut sums, mut back) = ([[0.0; LANES]; LANES], [[0.0; LANES]; LANES]);
            let of = |sides, both, sums: &mut _| {
                self.holes.between(self.making, sides, both, sums, None)
            };
            let forth = of((&targets, &rows), true, &mut sums);
            let turned = of((&rows, &targets), false, &mut back);
            if turned {
                for (target, sums) in sums.iter_mut().enumerate() {
                    sums.iter_mut().zip(&back).for_each(|(sum, row)| *sum += row[target]);
                }
            }
            if forth || turned {
                each(group, &sums);
            }
        }
    }
}

/// How far the corrections of a pair may be off, in the unit of the layout, where no row misses
/// more than `most` columns: as many terms from either side, none beyond 1, each rounded; and
/// additions of floats, of which the sums hold no more terms than are looked up together.
pub(crate) fn error(layout: &Layout) -> f64 {
    let most = layout.most_holes();
    let together =
        if layout.packed > 0 { most.min(<f64 as Sum>::TOGETHER as f64) + 1.0 } else { 0.0 };
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
