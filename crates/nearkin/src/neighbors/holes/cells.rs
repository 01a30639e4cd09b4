//! Missing cells in a tile: the policy's difference in place of what the kernels saw.
//!
//! What should stand where a row of one class misses a column and another row has a cell depends only
//! on the class, the column and the cell. So it is worked out once for every cell, in the layout of the
//! panels, and a lane's holes are looked up for sixteen lanes at a time. Columns missing on both sides
//! are added with the query's holes, and skipped with those of the base lane.
//!
//! Floor: for q × b pairs of lanes and h holes a lane q · b · h / 8 additions of sixteen lanes, with a
//! test and a choice each; as many again where missing columns are left out, but for the queries. Four
//! bytes a cell are kept for each class that a policy tells apart.

use std::ops::{AddAssign, Range};

use crate::data::{MISSING, Rows};
use crate::measure::{Measure, Metric, Missing};
use crate::neighbors::filter::panel::{Hole, Layout, PADDING, Panels};
use crate::neighbors::kernel::{LANES, for_each_isa};
use crate::pool::chunk_by_chunk;

/// Bytes of differences that are kept for more than two classes. For two they take twice what the panel
/// of single precision does, at most, however large the table.
const KEPT: usize = 1 << 26;

/// What missing cells stand for against the rows of a panel.
#[derive(Debug, Default)]
pub(crate) struct Fills {
    columns: usize,
    /// Classes that the policy tells apart, for differences with a missing cell.
    classes: usize,
    /// By class of the row that misses the column, `[(group · columns + column) · 16 + lane]`: what is
    /// to be added; not a number where this row misses it as well.
    cells: Vec<Vec<f32>>,
    /// `[(class · classes + class) · columns + column]`: what is to be added where both miss it.
    both: Vec<f32>,
    /// Factors of the columns.
    factors: Vec<f32>,
    /// Columns that each lane misses.
    holes: Vec<Vec<u32>>,
}

/// Groups of lanes of a panel that others' holes are about.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub columns: usize,
    /// As in [`Fills`], for these groups alone.
    pub cells: &'a [f32],
}

impl Fills {
    /// For the rows in the lanes of a panel; none where so many classes would take too much room.
    pub fn new(
        (layout, measure): (&Layout, &Measure),
        rows: &Rows,
        (row_of, class_of_group): (&[u32], &[u32]),
        holes: &[Vec<Hole>],
        class_count: usize,
    ) -> Option<Self> {
        let (numeric, nominal) = (rows.numeric(), rows.nominal());
        let columns = numeric + nominal;
        let classes = if measure.unknown().policy() == Missing::D { class_count.max(1) } else { 1 };
        let size = row_of.len() * columns * size_of::<f32>();
        if classes > 2 && size * classes > KEPT {
            return None;
        }
        let made = Making { layout, measure, rows };
        let cells = (0..classes).map(|class| {
            let mut cells = vec![0.0; row_of.len() * columns];
            chunk_by_chunk(&mut cells, columns * LANES, |group, cells| {
                let lanes = row_of[group * LANES..(group + 1) * LANES].iter().enumerate();
                for (lane, &row) in lanes.filter(|(_, row)| **row != PADDING) {
                    let own = (row as usize, class_of_group[group]);
                    for column in 0..columns {
                        cells[column * LANES + lane] = made.cell(column, own, class as u32);
                    }
                }
            });
            cells
        });
        let cells = cells.collect();
        let both = (0..classes * classes * columns).map(|at| {
            let (pair, column) = (at / columns, at % columns);
            made.both(column, ((pair / classes) as u32, (pair % classes) as u32))
        });
        let place = |hole: &Hole| match *hole {
            Hole::Numeric(column) => column,
            Hole::Nominal(column) => numeric as u32 + column,
        };
        let factors = measure.numeric_factors().iter().chain(measure.nominal_factors());
        Some(Self {
            columns,
            classes,
            cells,
            both: both.collect(),
            factors: factors.map(|&factor| factor as f32).collect(),
            holes: holes.iter().map(|holes| holes.iter().map(place).collect()).collect(),
        })
    }

    /// The panels of a tile, if what missing cells stand for is known on both sides and for the same
    /// classes.
    pub fn of<'p>(queries: &'p Panels, base: &'p Panels) -> Option<Filler<'p>> {
        let (own, others) = (queries.fills.as_ref()?, base.fills.as_ref()?);
        (own.classes == others.classes).then_some(Filler { queries, base, own, others })
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn classes(&self) -> usize {
        self.classes
    }

    /// Columns that a lane misses.
    pub(crate) fn holes(&self, lane: usize) -> &[u32] {
        self.holes.get(lane).map_or(&[], Vec::as_slice)
    }

    /// The class under which a row's holes are looked up.
    pub(crate) fn told(&self, class: u32) -> usize {
        if self.classes > 1 { class as usize } else { 0 }
    }

    /// These lanes, for rows of class `class` that miss columns.
    pub(crate) fn seen(&self, class: usize, lanes: &Range<usize>) -> Seen<'_> {
        let cells = &self.cells[class][lanes.start * self.columns..lanes.end * self.columns];
        Seen { columns: self.columns, cells }
    }

    /// What both missing a column adds.
    pub(crate) fn both(&self, class: usize, other: u32) -> &[f32] {
        let pair = class * self.classes + self.told(other);
        &self.both[pair * self.columns..(pair + 1) * self.columns]
    }
}

/// What the differences with missing cells are made from.
struct Making<'a> {
    layout: &'a Layout,
    measure: &'a Measure,
    rows: &'a Rows,
}

impl Making<'_> {
    /// What to add for a row of class `class` that misses `column` against row `own`.
    fn cell(&self, column: usize, own: (usize, u32), class: u32) -> f32 {
        let Self { layout, measure, rows } = *self;
        let (row, own_class) = own;
        // Against 0, or a code of its own, as the kernels saw it.
        let dense = match column.checked_sub(rows.numeric()) {
            None => {
                let x = rows.number(row, column);
                let dense = layout.number(column, x);
                match layout.metric {
                    _ if x.is_nan() => f64::NAN,
                    Metric::Manhattan => dense.abs(),
                    Metric::Euclidean => dense * dense,
                }
            }
            Some(nominal) if rows.code(row, nominal) == MISSING => f64::NAN,
            Some(_) => measure.factor(column) / layout.unit,
        };
        let meant = measure.term_to_hole(column, (rows, row, own_class), class);
        (meant.unwrap_or(0.0) / layout.unit - dense) as f32
    }

    /// What to add where two rows of these classes miss a column, of which kernels saw no difference.
    fn both(&self, column: usize, pair: (u32, u32)) -> f32 {
        let term = self.measure.term_of_holes(column, pair).unwrap_or(0.0);
        (term / self.layout.unit) as f32
    }
}

/// What fills the holes of tiles.
pub(crate) struct Filler<'p> {
    queries: &'p Panels,
    base: &'p Panels,
    own: &'p Fills,
    others: &'p Fills,
}

impl Filler<'_> {
    /// Add what missing cells stand for to the values of a tile, and take the factors of missing
    /// columns off `present`, if those are counted.
    pub fn fill(
        &self,
        values: &mut [f32],
        mut present: Option<&mut [f32]>,
        query_lanes: &Range<usize>,
        base_lanes: &Range<usize>,
    ) {
        let Self { queries, base, own, others } = *self;
        let width = base_lanes.len();
        for (at, lane) in query_lanes.clone().enumerate() {
            let holes = own.holes(lane);
            if holes.is_empty() {
                continue;
            }
            let class = own.told(queries.class_of_group[lane / LANES]);
            let groups = base_lanes.start / LANES..base_lanes.end / LANES;
            let both = groups.map(|group| others.both(class, base.class_of_group[group]));
            let both: Vec<&[f32]> = both.collect();
            let row = at * width..(at + 1) * width;
            add_own(holes, others.seen(class, base_lanes), &both, &mut values[row.clone()]);
            if let Some(present) = &mut present {
                let gone: f32 = holes.iter().map(|&hole| own.factors[hole as usize]).sum();
                present[row].iter_mut().for_each(|present| *present -= gone);
            }
        }
        for first in base_lanes.clone().step_by(LANES) {
            let holes: [&[u32]; LANES] = std::array::from_fn(|lane| others.holes(first + lane));
            if holes.iter().all(|holes| holes.is_empty()) {
                continue;
            }
            let class = others.told(base.class_of_group[first / LANES]);
            let seen = own.seen(class, query_lanes);
            let from = first - base_lanes.start;
            add_others(&holes, seen, (&mut values[from..], width));
            if let Some(present) = &mut present {
                take_others(&holes, seen, &own.factors, (&mut present[from..], width));
            }
        }
    }
}

/// What differences are added up in: floats in tiles, doubles where the error counts.
pub(crate) trait Sum: Copy + Default + From<f32> + AddAssign {}

impl Sum for f32 {}
impl Sum for f64 {}

for_each_isa! {
    /// Add what a query's holes stand for against every lane.
    pub(crate) fn add_own[S: Sum](holes: &[u32], seen: Seen, both: &[&[f32]], values: &mut [S]) {
        let groups = seen.cells.chunks_exact(seen.columns * LANES).zip(both);
        for ((cells, both), values) in groups.zip(values.as_chunks_mut::<LANES>().0) {
            let mut sums = [S::default(); LANES];
            for &hole in holes {
                let cells = &cells.as_chunks::<LANES>().0[hole as usize];
                let both = both[hole as usize];
                for lane in 0..LANES {
                    let cell = cells[lane];
                    sums[lane] += S::from(if cell.is_nan() { both } else { cell });
                }
            }
            for lane in 0..LANES {
                values[lane] += sums[lane];
            }
        }
    }
}

for_each_isa! {
    /// Add what the holes of sixteen base lanes stand for against the queries that have the cells.
    pub(crate) fn add_others[S: Sum](
        holes: &[&[u32]; LANES],
        seen: Seen,
        values: (&mut [S], usize),
    ) {
        let (values, width) = values;
        let groups = seen.cells.chunks_exact(seen.columns * LANES);
        for (cells, values) in groups.zip(values.chunks_mut(LANES * width)) {
            let mut sums = [[S::default(); LANES]; LANES];
            for (holes, sums) in holes.iter().zip(&mut sums) {
                let mut own = [S::default(); LANES];
                for &hole in *holes {
                    let cells = &cells.as_chunks::<LANES>().0[hole as usize];
                    for lane in 0..LANES {
                        let cell = cells[lane];
                        own[lane] += S::from(if cell.is_nan() { 0.0 } else { cell });
                    }
                }
                *sums = own;
            }
            add_turned(&sums, values, width);
        }
    }
}

for_each_isa! {
    /// Take off the factors of columns that sixteen base lanes miss and queries have.
    fn take_others[](
        holes: &[&[u32]; LANES],
        seen: Seen,
        factors: &[f32],
        present: (&mut [f32], usize),
    ) {
        let (present, width) = present;
        let groups = seen.cells.chunks_exact(seen.columns * LANES);
        for (cells, present) in groups.zip(present.chunks_mut(LANES * width)) {
            let mut sums = [[0.0f32; LANES]; LANES];
            for (holes, sums) in holes.iter().zip(&mut sums) {
                let mut own = [0.0f32; LANES];
                for &hole in *holes {
                    let cells = &cells.as_chunks::<LANES>().0[hole as usize];
                    let factor = factors[hole as usize];
                    for lane in 0..LANES {
                        own[lane] -= if cells[lane].is_nan() { 0.0 } else { factor };
                    }
                }
                *sums = own;
            }
            add_turned(&sums, present, width);
        }
    }
}

/// `values[i · width + j] += sums[j][i]`
#[inline(always)]
fn add_turned<S: Sum>(sums: &[[S; LANES]; LANES], values: &mut [S], width: usize) {
    for (query, values) in values.chunks_mut(width).enumerate() {
        for (value, sums) in values.iter_mut().zip(sums) {
            *value += sums[query];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Encoder, Table};
    use crate::measure::{Scaling, Unknown};
    use crate::neighbors::filter::tile::{Side, Tile};
    use crate::neighbors::kernel::{CODE_LANES, Isa};
    use crate::parameter::{Value, Word};
    use crate::random::Random;

    const ROWS: usize = 150;
    const CLASSES: usize = 3;

    fn table() -> Table<'static> {
        let mut random = Random::new(4, 0);
        let mut numbers = |name: &str, missing: f64| {
            let cells = (0..ROWS).map(|_| match random.chance(missing) {
                true => f64::NAN,
                false => random.normal(),
            });
            Column::numeric(name, cells.collect())
        };
        let columns = [numbers("a", 0.3), numbers("b", 0.1), numbers("c", 0.0), numbers("d", 0.5)];
        let mut categories = |name: &str, missing: f64| {
            let cells: Vec<_> = (0..ROWS)
                .map(|_| (!random.chance(missing)).then_some(["x", "y", "z", "w"][random.below(4)]))
                .collect();
            Column::nominal(name, &cells).unwrap()
        };
        let nominal = [categories("e", 0.2), categories("f", 0.0)];
        Table::new(columns.into_iter().chain(nominal).collect()).unwrap()
    }

    /// A tile of all rows: kept fills, hole by hole, and how far both may be from the definition.
    #[test]
    fn tiles_are_filled_as_hole_by_hole_and_near_the_definition() {
        let table = table();
        let encoder = Encoder::fit(&table).unwrap();
        let rows = encoder.encode(&table).unwrap();
        let labels: Vec<u32> = (0..ROWS as u32).map(|row| row % CLASSES as u32).collect();
        let all: Vec<u32> = (0..ROWS as u32).collect();
        let policies = Missing::WORDS;
        let metrics = [Metric::Manhattan, Metric::Euclidean];
        let factors = [[1.0; 6], [0.5, 1.0, 2.0, 0.25, 1.5, 3.0]];
        for at in 0..policies.len() * 4 {
            let policy = Missing::parse(policies[at / 4]).unwrap();
            let (metric, factors) = (metrics[at / 2 % 2], factors[at % 2]);
            let unknown = Unknown::fit(policy, &encoder, &rows, &labels, CLASSES);
            let measure = Measure::new(&encoder, metric, Scaling::MinMax, unknown);
            let measure = measure.with_factors(&encoder, &factors).unwrap();
            let layout = Layout::new(&measure, &[&rows]);
            let mut panels = Panels::new(&layout, &measure, &rows, &all, (&labels, CLASSES));
            let tile = |panels: &Panels| {
                let lanes = 0..panels.lanes();
                let side = Side { panels, rows: &rows, classes: &labels };
                let mut tile = Tile::default();
                let sides = ((side, lanes.clone()), (side, lanes));
                tile.compute(Isa::best().kernels(), &layout, &measure, sides.0, sides.1);
                tile
            };
            let kept = tile(&panels);
            assert!(panels.fills.take().is_some());
            let one_by_one = tile(&panels);
            assert!(panels.lanes().is_multiple_of(CODE_LANES));
            for (query, base) in
                (0..panels.lanes()).flat_map(|q| (0..panels.lanes()).map(move |b| (q, b)))
            {
                let [i, j] = [query, base].map(|lane| panels.row_of[lane]);
                if i == PADDING || j == PADDING {
                    continue;
                }
                let (i, j) = (i as usize, j as usize);
                let sum = measure.sum(&rows, i, &rows, j, (labels[i], labels[j])) / layout.unit;
                let slack = f64::from(panels.slack[query]) + f64::from(panels.slack[base]);
                for tile in [&kept, &one_by_one] {
                    let off = (f64::from(tile.row(query)[base]) - sum).abs();
                    assert!(off <= slack, "{policy:?} {metric:?} {i} {j}: {off} > {slack}");
                    assert!(off < 1e-4 * (1.0 + sum), "{policy:?} {metric:?} {i} {j}: {off}");
                }
            }
        }
    }
}
