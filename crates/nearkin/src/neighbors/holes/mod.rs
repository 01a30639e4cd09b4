//! Missing cells: corrections that put the policy's difference in place of the one that kernels
//! summed.
//!
//! To a kernel a missing number is 0, in the units of the panel, and a missing code a code of its
//! own. What should be in the sum instead depends on the column, on the cell of the other row,
//! and under one policy on the class of the row that misses it. So the *correction*, what has to
//! be added to the sum, is worked out once for every cell of a
//! [panel](super::filter::panel::Panels), or for packed rows once for every column and genotype.
//! A pair of rows is then corrected by looking up the columns that either misses, sixteen rows by
//! sixteen at a time ([`Holes::between`]). A column that both miss is corrected with the first
//! row's and skipped with the second's.
//!
//! Corrections are floats. Tiles add them up in floats, and [`Panels::slack`] allows for it;
//! bounded distances add them up in doubles ([`few`]); exact distances do without them, by the
//! terms of the definition in its order ([`exact`]).
//!
//! Lower bound: for q × b pairs of rows that miss h cells each, q · b · h / 8 additions to
//! sixteen sums, each with a test and a choice. Four bytes a cell are kept for each class that
//! the policy tells apart.
//!
//! [`Panels::slack`]: super::filter::panel::Panels::slack

pub(crate) mod exact;
pub(crate) mod few;

use std::borrow::Cow;
use std::ops::{AddAssign, Range};

use crate::data::{MISSING, Rows};
use crate::measure::{Measure, Metric, Missing};
use crate::neighbors::filter::panel::{Layout, PADDING};
use crate::neighbors::filter::tile::Side;
use crate::neighbors::kernel::packed::{self, PackedHole, Table, Word};
use crate::neighbors::kernel::{LANES, for_each_isa};
use crate::pool::chunk_by_chunk;

/// The most bytes of corrections that are kept when there are more than two classes. For two
/// classes they take at most twice the memory of the panel's numbers, however large the table.
const KEPT: usize = 1 << 26;

/// Sums between two groups of rows.
pub(crate) type Square<S> = [[S; LANES]; LANES];

/// The columns that rows of a panel miss, and the corrections for others that miss a column of
/// theirs.
#[derive(Debug)]
pub(crate) struct Holes {
    columns: usize,
    /// Classes that the policy tells apart.
    classes: usize,
    /// Columns that the row in each lane misses, ascending.
    of_lane: Vec<Vec<u32>>,
    factors: Vec<f32>,
    corrections: Corrections,
}

#[derive(Debug)]
enum Corrections {
    /// Of rows of cells.
    Cells {
        /// By class of the row that misses the column: `[group · columns + column][lane]`, NaN
        /// when the lane misses it as well. None when this would take too much memory.
        kept: Option<Vec<Vec<[f32; LANES]>>>,
        /// Where both miss the column: `[(class · classes + class) · columns + column]`.
        both: Vec<f32>,
    },
    /// Of packed rows.
    Packed {
        /// Missing cells of each group, column by column.
        holes: Vec<Vec<PackedHole>>,
        /// `[(class · classes + class of the other) · columns + column]`; empty when this would
        /// take too much memory.
        tables: Vec<Table>,
    },
}

/// Sixteen rows that miss columns, and against which others miss them.
pub(crate) struct Group<'a> {
    /// The class of each row, or 0 when the missing-value policy does not use classes.
    classes: [usize; LANES],
    /// The columns that each misses.
    holes: [&'a [u32]; LANES],
    cells: Cells<'a>,
}

/// The cells of a group, for the corrections of rows that miss their columns.
enum Cells<'a> {
    /// Corrections by class of the row that misses the column: `[column][lane]`.
    Kept(Vec<&'a [[f32; LANES]]>),
    /// Rows whose corrections are worked out when they are needed.
    Rows(Side<'a>, &'a [u32]),
    /// Genotypes, and the group's own missing cells by class.
    Packed(&'a [Word], Vec<(usize, &'a [PackedHole])>),
}

/// The layout and the measure that corrections are made from.
#[derive(Clone, Copy)]
pub(crate) struct Making<'a> {
    pub layout: &'a Layout,
    pub measure: &'a Measure,
}

impl Making<'_> {
    /// The correction for a row of class `class` in which `column` is missing, against `row` of
    /// `rows`; NaN when it is missing there as well.
    fn cell(self, column: usize, (rows, row, own): (&Rows, usize, u32), class: u32) -> f32 {
        let Self { layout, measure } = self;
        let seen = match column.checked_sub(rows.numeric()) {
            None => {
                let x = rows.number(row, column);
                let off = layout.number(column, x);
                match layout.metric {
                    _ if x.is_nan() => f64::NAN,
                    Metric::Manhattan => off.abs(),
                    Metric::Euclidean => off * off,
                }
            }
            Some(nominal) if rows.code(row, nominal) == MISSING => f64::NAN,
            Some(_) => measure.factor(column) / layout.unit,
        };
        let meant = measure.term_to_hole(column, (rows, row, own), class);
        (meant.unwrap_or(0.0) / layout.unit - seen) as f32
    }

    /// The correction where rows of two classes miss `column`, of which kernels saw no difference.
    fn both(self, column: usize, pair: (u32, u32)) -> f32 {
        let term = self.measure.term_of_holes(column, pair).unwrap_or(0.0);
        (term / self.layout.unit) as f32
    }

    /// The corrections for a row of the first class that misses a packed column, by the other
    /// row's genotype.
    fn table(self, column: usize, (class, other): (u32, u32)) -> Table {
        std::array::from_fn(|code| {
            let code = if code == 3 { MISSING } else { code as u16 };
            let diff = self.measure.nominal_cell(column, (MISSING, class), (code, other));
            let meant = diff.map_or(0.0, |diff| match self.measure.metric() {
                Metric::Manhattan => diff,
                Metric::Euclidean => diff * diff,
            });
            let seen = if code == MISSING { 0.0 } else { 1.0 };
            (meant - seen) as f32
        })
    }
}

impl Holes {
    /// For the rows in the lanes of a panel.
    pub fn new(making: Making, rows: &Rows, (row_of, class_of_group): (&[u32], &[u32])) -> Self {
        let Making { layout, measure } = making;
        let columns = rows.numeric() + rows.nominal();
        let classes = match measure.unknown().policy() {
            Missing::D => layout.classes.max(1),
            _ => 1,
        };
        let mut of_lane = vec![Vec::new(); row_of.len()];
        if rows.has_missing() {
            chunk_by_chunk(&mut of_lane, LANES, |group, lanes| {
                let own = lanes.iter_mut().zip(&row_of[group * LANES..]);
                let own = own.filter(|(_, row)| **row != PADDING);
                own.for_each(|(holes, &row)| *holes = rows.holes(row as usize));
            });
        }
        let pairs = (0..classes * classes * columns).map(|at| {
            let (pair, column) = (at / columns, at % columns);
            (column, ((pair / classes) as u32, (pair % classes) as u32))
        });
        let corrections = if layout.packed > 0 {
            let fits = classes * classes * columns * size_of::<Table>() <= KEPT;
            let tables = pairs.filter(|_| fits).map(|(column, pair)| making.table(column, pair));
            Corrections::Packed {
                holes: of_lane.chunks(LANES).map(|lanes| by_column(lanes.iter())).collect(),
                tables: tables.collect(),
            }
        } else {
            let size = row_of.len() * columns * size_of::<f32>();
            let kept = (classes <= 2 || size * classes <= KEPT).then(|| {
                let of_class = |class: usize| {
                    let mut cells = vec![[0.0; LANES]; row_of.len() / LANES * columns];
                    chunk_by_chunk(&mut cells, columns, |group, cells| {
                        let rows_of = &row_of[group * LANES..][..LANES];
                        let own = (rows, rows_of, class_of_group[group]);
                        let cells = cells.iter_mut().enumerate();
                        cells.for_each(|(c, cells)| {
                            *cells = column_of(making, own, c, class as u32)
                        });
                    });
                    cells
                };
                (0..classes).map(of_class).collect()
            });
            let both = pairs.map(|(column, pair)| making.both(column, pair)).collect();
            Corrections::Cells { kept, both }
        };
        let factors = measure.numeric_factors().iter().chain(measure.nominal_factors());
        let factors = factors.map(|&factor| factor as f32).collect();
        Self { columns, classes, of_lane, factors, corrections }
    }

    /// The columns that the row in a lane misses.
    pub fn of_lane(&self, lane: usize) -> &[u32] {
        &self.of_lane[lane]
    }

    /// True when corrections were computed before and are kept, false when they are computed for
    /// each tile.
    pub fn are_kept(&self) -> bool {
        !matches!(self.corrections, Corrections::Cells { kept: None, .. })
    }

    /// A row's class, or 0 when the missing-value policy does not use classes.
    fn class(&self, class: u32) -> usize {
        if self.classes > 1 { class as usize } else { 0 }
    }

    /// A group of a panel's rows.
    fn group<'a>(&'a self, layout: &Layout, side: Side<'a>, group: usize) -> Group<'a> {
        let class = self.class(side.panels.class_of_group[group]);
        let part = group * self.columns..(group + 1) * self.columns;
        Group {
            classes: [class; LANES],
            holes: std::array::from_fn(|lane| self.of_lane(group * LANES + lane)),
            cells: match &self.corrections {
                Corrections::Cells { kept: Some(kept), .. } => {
                    Cells::Kept(kept.iter().map(|cells| &cells[part.clone()]).collect())
                }
                Corrections::Cells { kept: None, .. } => {
                    Cells::Rows(side, &side.panels.row_of[group * LANES..][..LANES])
                }
                Corrections::Packed { holes, .. } => Cells::Packed(
                    side.panels.planes(layout, group, 0, layout.packed.div_ceil(64)),
                    vec![(class, &holes[group])],
                ),
            },
        }
    }

    /// Add up the corrections between the rows of one group and those of another, for the columns
    /// that are missing in the first group's rows. The result goes to `sums[row][other row]`, which
    /// must hold zeros before. The summed factors of these columns go to `gone`, if given. Returns
    /// false, and writes nothing, when nothing is missing in the first group.
    ///
    /// With `both`, columns that are missing in both rows count too. All rows of the other group
    /// must then be of one class.
    fn between<S: Sum>(
        &self,
        making: Making,
        (own, others): (&Group, &Group),
        both: bool,
        sums: &mut Square<S>,
        gone: Option<&mut Square<f32>>,
    ) -> bool {
        if own.holes.iter().all(|holes| holes.is_empty()) {
            return false;
        }
        let other = others.classes[0];
        match (&self.corrections, &own.cells, &others.cells) {
            (
                Corrections::Packed { tables, .. },
                Cells::Packed(_, own),
                Cells::Packed(planes, _),
            ) => {
                for &(class, holes) in own {
                    // Without `both` the other row's class has no effect.
                    let pair = (class, if both { other } else { class });
                    let tables = self.tables(making, tables, holes, pair);
                    for holes in holes.chunks(S::TOGETHER) {
                        let mut part = [[0.0f32; LANES]; LANES];
                        packed::look_up(planes, holes, (&tables, 1), both, &mut part);
                        add_all(&part, sums);
                    }
                }
                if let Some(gone) = gone {
                    *gone = [[0.0; LANES]; LANES];
                    let table = [[1.0, 1.0, 1.0, if both { 1.0 } else { 0.0 }]];
                    let holes = own.iter().map(|of| of.1);
                    holes.for_each(|holes| packed::look_up(planes, holes, (&table, 0), both, gone));
                }
            }
            (Corrections::Cells { both: of_both, .. }, _, cells) => {
                let made;
                let cells: [&[[f32; LANES]]; LANES] = match cells {
                    Cells::Kept(kept) => own.classes.map(|class| kept[class]),
                    Cells::Rows(side, rows) => {
                        made = self.made(making, own, (*side, rows, other));
                        [&made; LANES]
                    }
                    Cells::Packed(..) => return false,
                };
                let of_pair =
                    |class: usize| &of_both[(class * self.classes + other) * self.columns..];
                let of_both = own.classes.map(|class| if both { of_pair(class) } else { &[] });
                add_up(&own.holes, &cells, &of_both, sums);
                if let Some(gone) = gone {
                    take_off(&own.holes, &cells, &self.factors, both, gone);
                }
            }
            // Packed rows meet packed rows.
            (Corrections::Packed { .. }, ..) => {}
        }
        true
    }

    /// The tables of a pair of classes; worked out for the columns of `holes` where none are kept.
    fn tables<'t>(
        &self,
        making: Making,
        kept: &'t [Table],
        holes: &[PackedHole],
        (class, other): (usize, usize),
    ) -> Cow<'t, [Table]> {
        let from = (class * self.classes + other) * self.columns;
        if let Some(tables) = kept.get(from..from + self.columns) {
            return Cow::Borrowed(tables);
        }
        let mut made = vec![Table::default(); self.columns];
        for column in holes.iter().map(|hole| hole.column as usize) {
            made[column] = making.table(column, (class as u32, other as u32));
        }
        Cow::Owned(made)
    }

    /// Corrections for the columns that a group of one class misses, against rows in lanes.
    fn made(
        &self,
        making: Making,
        own: &Group,
        (side, row_of, class): (Side, &[u32], usize),
    ) -> Vec<[f32; LANES]> {
        let mut made = vec![[0.0; LANES]; self.columns];
        let mut columns: Vec<u32> = own.holes.concat();
        columns.sort_unstable();
        columns.dedup();
        for column in columns.into_iter().map(|column| column as usize) {
            let others = (side.rows, row_of, class as u32);
            made[column] = column_of(making, others, column, own.classes[0] as u32);
        }
        made
    }
}

/// The corrections against rows in lanes, all of one class, for a row of class `class` that misses
/// `column`.
fn column_of(
    making: Making,
    (rows, row_of, own): (&Rows, &[u32], u32),
    column: usize,
    class: u32,
) -> [f32; LANES] {
    std::array::from_fn(|lane| match row_of[lane] {
        PADDING => 0.0,
        row => making.cell(column, (rows, row as usize, own), class),
    })
}

/// The missing cells of rows in lanes, column by column.
fn by_column<'a>(lanes: impl Iterator<Item = &'a Vec<u32>>) -> Vec<PackedHole> {
    let lanes = (0u32..).zip(lanes);
    let of_lane = |(lane, holes): (u32, &'a Vec<u32>)| {
        holes.iter().map(move |&column| PackedHole { column, lane })
    };
    let mut holes: Vec<PackedHole> = lanes.flat_map(of_lane).collect();
    holes.sort_unstable_by_key(|hole| (hole.column, hole.lane));
    holes
}

/// Add the corrections for missing cells to the values of a tile, and take the factors of missing
/// columns off `present`, if those are counted.
pub(crate) fn correct(
    making: Making,
    values: &mut [f32],
    mut present: Option<&mut [f32]>,
    (queries, query_lanes): (Side, Range<usize>),
    (base, base_lanes): (Side, Range<usize>),
) {
    let (Some(own), Some(theirs)) = (&queries.panels.holes, &base.panels.holes) else { return };
    let width = base_lanes.len();
    let groups = |lanes: Range<usize>| lanes.start / LANES..lanes.end / LANES;
    let of_base: Vec<Group> =
        groups(base_lanes).map(|group| theirs.group(making.layout, base, group)).collect();
    let mut gone = [[0.0; LANES]; LANES];
    for (q, group) in groups(query_lanes).enumerate() {
        let query = own.group(making.layout, queries, group);
        for (b, base) in of_base.iter().enumerate() {
            let from = q * LANES * width + b * LANES;
            for both in [true, false] {
                let mut sums = [[0.0; LANES]; LANES];
                let taken = present.is_some().then_some(&mut gone);
                let sides = if both { (&query, base) } else { (base, &query) };
                if own.between(making, sides, both, &mut sums, taken) {
                    let add = if both { add_to_tile } else { add_turned };
                    add(&sums, 1.0, &mut values[from..], width);
                    if let Some(present) = &mut present {
                        add(&gone, -1.0, &mut present[from..], width);
                    }
                }
            }
        }
    }
}

/// Numbers that corrections are added up in: floats in tiles, doubles where the error counts.
pub(crate) trait Sum: Copy + Default + From<f32> + AddAssign {
    /// Genotypes whose corrections are added up in floats before they go to the sum.
    const TOGETHER: usize;
}

impl Sum for f32 {
    const TOGETHER: usize = usize::MAX;
}

impl Sum for f64 {
    const TOGETHER: usize = 64;
}

/// Add sums to sums.
fn add_all<S: Sum>(part: &Square<f32>, sums: &mut Square<S>) {
    let cells = sums.as_flattened_mut().iter_mut().zip(part.as_flattened());
    cells.for_each(|(sum, &part)| *sum += S::from(part));
}

for_each_isa! {
    /// Add up the corrections for the columns that each row misses: those in `cells`, or in `both`
    /// where the other row misses the column as well, if there are any.
    fn add_up[S: Sum](
        holes: &[&[u32]; LANES],
        cells: &[&[[f32; LANES]]; LANES],
        both: &[&[f32]; LANES],
        sums: &mut Square<S>,
    ) {
        for own in 0..LANES {
            let (cells, both) = (cells[own], both[own]);
            let mut sum = [S::default(); LANES];
            for &hole in holes[own] {
                let cells = &cells[hole as usize];
                let both = if both.is_empty() { 0.0 } else { both[hole as usize] };
                for lane in 0..LANES {
                    let cell = cells[lane];
                    sum[lane] += S::from(if cell.is_nan() { both } else { cell });
                }
            }
            sums[own] = sum;
        }
    }
}

for_each_isa! {
    /// Add up the factors of the columns that each row misses, and the other has, or `both` miss.
    fn take_off[](
        holes: &[&[u32]; LANES],
        cells: &[&[[f32; LANES]]; LANES],
        factors: &[f32],
        both: bool,
        gone: &mut Square<f32>,
    ) {
        for own in 0..LANES {
            let mut sum = [0.0f32; LANES];
            for &hole in holes[own] {
                let cells = &cells[own][hole as usize];
                let factor = factors[hole as usize];
                let of_both = if both { factor } else { 0.0 };
                for lane in 0..LANES {
                    sum[lane] += if cells[lane].is_nan() { of_both } else { factor };
                }
            }
            gone[own] = sum;
        }
    }
}

for_each_isa! {
    /// Add `sign` times the sums to a tile.
    fn add_to_tile[](sums: &Square<f32>, sign: f32, tile: &mut [f32], width: usize) {
        for (sums, tile) in sums.iter().zip(tile.chunks_mut(width)) {
            let Some(cells) = tile.first_chunk_mut::<LANES>() else { return };
            for lane in 0..LANES {
                cells[lane] += sign * sums[lane];
            }
        }
    }
}

for_each_isa! {
    /// The same with sums whose rows are columns of the tile.
    fn add_turned[](sums: &Square<f32>, sign: f32, tile: &mut [f32], width: usize) {
        for (row, tile) in tile.chunks_mut(width).take(LANES).enumerate() {
            let Some(cells) = tile.first_chunk_mut::<LANES>() else { return };
            for lane in 0..LANES {
                cells[lane] += sign * sums[lane][row];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Encoder, Table};
    use crate::measure::{Scaling, Unknown};
    use crate::neighbors::Labelled;
    use crate::neighbors::filter::panel::Panels;
    use crate::neighbors::filter::tile::Tile;
    use crate::neighbors::kernel::{CODE_LANES, Isa};
    use crate::parameter::{Value, Word};
    use crate::random::Random;

    impl Holes {
        /// Compute corrections for each tile from now on. False if that is done already.
        fn forget(&mut self) -> bool {
            match &mut self.corrections {
                Corrections::Cells { kept, .. } => kept.take().is_some(),
                Corrections::Packed { .. } => false,
            }
        }
    }

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

    /// A tile of all rows: by kept corrections, by those made for it, and how far both may be
    /// from the definition.
    #[test]
    fn tiles_with_missing_cells_are_near_the_definition() {
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
            let of = Labelled { rows: &rows, labels: &labels, classes: CLASSES };
            let layout = Layout::new(&measure, &[of]);
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
            assert!(panels.holes.as_mut().unwrap().forget());
            let made = tile(&panels);
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
                for tile in [&kept, &made] {
                    let off = (f64::from(tile.row(query)[base]) - sum).abs();
                    assert!(off <= slack, "{policy:?} {metric:?} {i} {j}: {off} > {slack}");
                    assert!(off < 1e-4 * (1.0 + sum), "{policy:?} {metric:?} {i} {j}: {off}");
                }
            }
        }
    }
}
