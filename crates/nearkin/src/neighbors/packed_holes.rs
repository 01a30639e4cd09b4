//! Missing genotypes in a tile: the policy's difference in place of a mismatch.
//!
//! A kernel counts a missing cell as a value of its own: 1 against a known cell, 0 against
//! another missing one. What should stand there depends only on the column, the two classes and
//! the other row's genotype, so each hole has a table of four corrections, looked up for sixteen
//! lanes at a time. A lane's corrections are summed by themselves, near 0 where `f32` is dense,
//! before they go to the tile.

use std::ops::Range;

use super::kernel::LANES;
use super::kernel_packed::Word;
use super::panel::{Hole, Panels};
use super::tile::Side;
use crate::data::MISSING;
use crate::measure::{Measure, Metric};

/// Columns in a word.
const WORD: usize = u64::BITS as usize;

/// Corrections by the other row's genotype: 0, 1, 2, missing.
type Table = [f32; 4];

/// Add the corrections to the tile, and take missing cells off what is present, if counted.
pub(super) fn correct(
    values: &mut [f32],
    mut present: Option<&mut [f32]>,
    measure: &Measure,
    (queries, query_lanes): (Side, Range<usize>),
    (base, base_lanes): (Side, Range<usize>),
) {
    let width = base_lanes.len();
    let mut sums = vec![0.0; width.max(query_lanes.len())];
    let mut gone = vec![0.0; sums.len()];
    for (at, lane) in query_lanes.clone().enumerate() {
        if !collect(measure, (queries, lane), (base, &base_lanes), true, &mut sums, &mut gone) {
            continue;
        }
        let row = at * width..(at + 1) * width;
        values[row.clone()].iter_mut().zip(&sums).for_each(|(value, sum)| *value += sum);
        if let Some(present) = &mut present {
            present[row].iter_mut().zip(&gone).for_each(|(present, gone)| *present -= gone);
        }
    }
    for (at, lane) in base_lanes.enumerate() {
        if !collect(measure, (base, lane), (queries, &query_lanes), false, &mut sums, &mut gone) {
            continue;
        }
        let columns = (0..query_lanes.len()).map(|query| query * width + at);
        for (cell, (sum, gone)) in columns.zip(sums.iter().zip(&gone)) {
            values[cell] += sum;
            if let Some(present) = &mut present {
                present[cell] -= gone;
            }
        }
    }
}

/// The corrections for the holes of one lane against the lanes of the other side, and how many
/// columns they are about; false when the lane has no hole.
///
/// Columns missing on both sides count only with `both`, so that they are corrected once.
fn collect(
    measure: &Measure,
    (of, lane): (Side, usize),
    (others, lanes): (Side, &Range<usize>),
    both: bool,
    sums: &mut [f32],
    gone: &mut [f32],
) -> bool {
    let holes = of.panels.holes.get(lane).map_or(&[][..], Vec::as_slice);
    if holes.is_empty() {
        return false;
    }
    let class = of.classes[of.panels.row_of[lane] as usize];
    let mut tables: Vec<Table> = Vec::with_capacity(holes.len());
    let mut tables_of = None;
    for (at, group) in (lanes.start / LANES..lanes.end / LANES).enumerate() {
        let other_class = others.panels.class_of_group[group];
        // Groups come class by class, so that tables serve many of them.
        if tables_of != Some(other_class) {
            tables_of = Some(other_class);
            tables.clear();
            tables.extend(columns(holes).map(|column| {
                let mut table = corrections(measure, column, class, other_class);
                table[3] = if both { table[3] } else { 0.0 };
                table
            }));
        }
        let (mut sum, mut left) = ([0.0f32; LANES], [0.0f32; LANES]);
        for (column, &table) in columns(holes).zip(&tables) {
            let word = word(others.panels, group, column / WORD);
            look_up(word, (column % WORD) as u32, table, &mut sum);
            if !both {
                look_up(word, (column % WORD) as u32, [1.0, 1.0, 1.0, 0.0], &mut left);
            }
        }
        if both {
            left = [holes.len() as f32; LANES];
        }
        sums[at * LANES..(at + 1) * LANES].copy_from_slice(&sum);
        gone[at * LANES..(at + 1) * LANES].copy_from_slice(&left);
    }
    true
}

/// The columns of a packed row's holes.
fn columns(holes: &[Hole]) -> impl Iterator<Item = usize> {
    holes.iter().map(|hole| match *hole {
        Hole::Numeric(column) | Hole::Nominal(column) => column as usize,
    })
}

fn word(panels: &Panels, group: usize, word: usize) -> &Word {
    let words = panels.planes.len() / (panels.lanes() / LANES);
    &panels.planes[group * words + word]
}

/// What to add where a row of class `class` misses `column`, by the other row's genotype.
fn corrections(measure: &Measure, column: usize, class: u32, other_class: u32) -> Table {
    std::array::from_fn(|code| {
        let code = if code == 3 { MISSING } else { code as u16 };
        let diff = measure.nominal_cell(column, (MISSING, class), (code, other_class));
        let meant = diff.map_or(0.0, |diff| match measure.metric() {
            Metric::Manhattan => diff,
            Metric::Euclidean => diff * diff,
        });
        let dense = if code == MISSING { 0.0 } else { 1.0 };
        (meant - dense) as f32
    })
}

/// Add the table's entry for each lane's genotype in one column.
#[inline]
fn look_up(word: &Word, bit: u32, table: Table, sums: &mut [f32; LANES]) {
    for (lane, sum) in sums.iter_mut().enumerate() {
        let (one, two) = (word[0][lane] >> bit & 1 == 1, word[1][lane] >> bit & 1 == 1);
        *sum += match (one, two) {
            (false, false) => table[0],
            (true, false) => table[1],
            (true, true) => table[2],
            (false, true) => table[3],
        };
    }
}
