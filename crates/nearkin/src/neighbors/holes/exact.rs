//! Missing cells in exact distances: the terms of the definition, for a query and sixteen rows at
//! once.
//!
//! The sums are those of [`Measure::sum`] to the bit: columns that one row or the other misses
//! are added in order, in the lanes where they count. A query's differences to a missing cell are
//! worked out once for all rows; those of sixteen rows to a missing cell of a query, once for all
//! queries of a class.
//!
//! Lower bound: for m queries, n rows and h missing cells a row m · n · h / 16 additions of
//! sixteen lanes for the cells that queries miss, and m · n · h single ones for those that rows
//! miss.

use std::collections::HashMap;

use crate::measure::{Measure, Missing};
use crate::neighbors::exact::strip::Strips;
use crate::neighbors::search::Labelled;

/// Rows that are patched together.
pub(crate) const LANES: usize = 16;

/// The most differences to missing cells that are kept for the queries of a strip, 8 bytes each.
const KEPT: usize = 1 << 21;

/// A row among the queries.
struct Query {
    row: u32,
    class: u32,
    /// `[column · classes + class]`: the term of a cell that a row of that class misses; empty
    /// where it is worked out each time.
    to_hole: Vec<f64>,
    /// The columns that the row misses, ascending, and the places of their terms.
    holes: Vec<(u32, u32)>,
}

/// The terms of a column that a query of some class misses, in each lane of the current group.
#[derive(Clone, Default)]
struct FromHole {
    /// The group for which it was worked out.
    round: u32,
    terms: [f64; LANES],
}

/// The terms of missing cells in a strip; see [`Patches::group`] and [`Patches::patch`].
pub(crate) struct Patches<'a> {
    strips: &'a Strips<'a>,
    measure: &'a Measure,
    /// Classes that the policy tells apart.
    classes: usize,
    leaves_out: bool,
    queries: Vec<Query>,
    from_hole: Vec<FromHole>,
    /// The current group: its first row, its number of rows, and the columns that any of them
    /// misses, ascending, with the lanes that miss them.
    first: usize,
    rows: usize,
    gone: Vec<(u32, u16)>,
    class_of: [usize; LANES],
    round: u32,
}

/// Sums over the columns that a query or a row of the group misses, lane by lane.
#[derive(Default)]
struct Found {
    unknown: [f64; LANES],
    left_out: [f64; LANES],
    /// Columns that one of the two misses, and the other does not.
    uneven: [u32; LANES],
}

impl<'a> Patches<'a> {
    /// For these queries of a strip; none where no cell is missing.
    pub fn new(strips: &'a Strips<'a>, measure: &'a Measure, queries: &[u32]) -> Option<Self> {
        let of = strips.of;
        if strips.holes.is_empty() {
            return None;
        }
        let columns = of.rows.numeric() + of.rows.nominal();
        let policy = measure.unknown().policy();
        // Only one policy asks for classes.
        let classes = if policy == Missing::D { of.classes } else { 1 };
        let leaves_out = policy.skips_in_distance();
        let kept = !leaves_out && queries.len() * columns * classes <= KEPT;
        let mut slots = HashMap::new();
        let query = |&row: &u32| {
            let own = (of.rows, row as usize, of.labels[row as usize]);
            let term = |at: usize| {
                measure.term_to_hole(at / classes, own, (at % classes) as u32).unwrap_or(0.0)
            };
            let holes = strips.holes[row as usize].iter().map(|&column| {
                let next = slots.len() as u32;
                (column, *slots.entry((own.2, column)).or_insert(next))
            });
            let holes = holes.collect();
            let cells = if kept { columns * classes } else { 0 };
            Query { row, class: own.2, to_hole: (0..cells).map(term).collect(), holes }
        };
        let queries = queries.iter().map(query).collect();
        Some(Self {
            strips,
            measure,
            classes,
            leaves_out,
            queries,
            from_hole: vec![FromHole::default(); slots.len()],
            first: 0,
            rows: 0,
            gone: Vec::new(),
            class_of: [0; LANES],
            round: 0,
        })
    }

    /// Turn to the group of up to [`LANES`] rows that begins at `first`.
    pub fn group(&mut self, first: usize, rows: usize) {
        (self.first, self.rows) = (first, rows);
        self.round += 1;
        let Labelled { rows: all, labels, .. } = self.strips.of;
        let mut lanes = vec![0u16; all.numeric() + all.nominal()];
        for (lane, holes) in self.strips.holes[first..first + rows].iter().enumerate() {
            holes.iter().for_each(|&column| lanes[column as usize] |= 1 << lane);
        }
        self.gone.clear();
        self.gone.extend((0u32..).zip(lanes).filter(|(_, lanes)| *lanes != 0));
        if self.classes > 1 {
            let labels = labels[first..first + rows].iter();
            self.class_of.iter_mut().zip(labels).for_each(|(of, &label)| *of = label as usize);
        }
    }

    /// `sums` hold sums over the columns that are known in both rows, for the query at place
    /// `query` and the rows of the current group. Change them to the measure's sums, which include
    /// the terms of missing cells.
    ///
    /// With `counted`, the given sums hold a 1 for every column that is missing in one of the two
    /// rows.
    pub fn patch(&mut self, query: usize, counted: bool, sums: &mut [f64; LANES]) {
        if self.gone.is_empty() && self.queries[query].holes.is_empty() {
            return;
        }
        let found = self.walk(query);
        for (lane, sum) in sums.iter_mut().enumerate().take(self.rows) {
            let known = if counted { *sum - f64::from(found.uneven[lane]) } else { *sum };
            *sum = self.measure.made_whole(known, found.unknown[lane], found.left_out[lane]);
        }
    }

    /// The columns that the query or a row of the group misses, in order.
    fn walk(&mut self, query: usize) -> Found {
        let Self { measure, classes, class_of, round, from_hole, .. } = self;
        let (first, rows, of) = (self.first, self.rows, self.strips.of);
        let query = &self.queries[query];
        let own = (of.rows, query.row as usize, query.class);
        let mut found = Found::default();
        let mut add_own = |(column, slot): (u32, u32), lanes: u16, found: &mut Found| {
            for (lane, uneven) in found.uneven.iter_mut().enumerate() {
                *uneven += u32::from(lanes >> lane & 1 ^ 1);
            }
            if self.leaves_out {
                let factor = measure.factor(column as usize);
                found.left_out.iter_mut().for_each(|out| *out += factor);
                return;
            }
            let FromHole { round: made, terms } = &mut from_hole[slot as usize];
            if made != round {
                *made = *round;
                for (lane, term) in terms.iter_mut().enumerate().take(rows) {
                    let other = (of.rows, first + lane, of.labels[first + lane]);
                    *term = measure.unknown_term(column as usize, own, other).unwrap_or(0.0);
                }
            }
            found.unknown.iter_mut().zip(terms).for_each(|(unknown, term)| *unknown += *term);
        };
        let mut holes = query.holes.iter().copied().peekable();
        for &(column, lanes) in &self.gone {
            while let Some(hole) = holes.next_if(|hole| hole.0 < column) {
                add_own(hole, 0, &mut found);
            }
            if let Some(hole) = holes.next_if(|hole| hole.0 == column) {
                add_own(hole, lanes, &mut found);
                continue;
            }
            let (at, mut rest) = (column as usize, lanes);
            while rest != 0 {
                let lane = rest.trailing_zeros() as usize % LANES;
                rest &= rest - 1;
                found.uneven[lane] += 1;
                if self.leaves_out {
                    found.left_out[lane] += measure.factor(at);
                    continue;
                }
                let class = class_of[lane];
                found.unknown[lane] += match query.to_hole.get(at * *classes + class) {
                    Some(term) => *term,
                    None => measure.term_to_hole(at, own, class as u32).unwrap_or(0.0),
                };
            }
        }
        holes.for_each(|hole| add_own(hole, 0, &mut found));
        found
    }
}
