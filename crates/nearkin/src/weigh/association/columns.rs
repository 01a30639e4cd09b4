//! The cells of one feature, and the differences between them.

use super::moments::PairSums;
use super::near::Near;
use crate::data::{Encoder, FittedColumn, MISSING, Rows};
use crate::measure::Measure;
use crate::neighbors::for_each_isa;

/// One feature's cells in row order, as numbers, with the way to their differences.
#[derive(Debug, Clone)]
pub(super) struct Cells<'a> {
    /// Numbers, or codes as numbers; how a missing cell looks depends on `kind`.
    pub values: Vec<f64>,
    kind: Kind<'a>,
}

/// How two cells are compared.
#[derive(Debug, Clone)]
enum Kind<'a> {
    /// |x − z| times this.
    Scaled(f64),
    /// 0 if equal, else 1.
    Mismatch,
    /// By the table of all pairs of codes, this many a row; the last code stands for missing.
    Table(usize, Vec<f64>),
    /// By the measure, with numeric column `.1`: ramps and missing numbers.
    Measured(&'a Measure, usize),
}

/// Do `$body` with `$difference` bound to the function that compares two values.
macro_rules! with_difference {
    ($cells:expr, $difference:ident => $body:expr) => {
        match &$cells.kind {
            Kind::Scaled(scale) => {
                let scale = *scale;
                let $difference = move |x: f64, z: f64| (x - z).abs() * scale;
                $body
            }
            Kind::Mismatch => {
                let $difference = |x: f64, z: f64| if x == z { 0.0 } else { 1.0 };
                $body
            }
            Kind::Table(width, table) => {
                let $difference = |x: f64, z: f64| table[x as usize * width + z as usize];
                $body
            }
            Kind::Measured(measure, column) => {
                // A pair that the policy leaves out speaks neither for nor against the feature.
                let $difference =
                    |x: f64, z: f64| measure.numeric_cell(*column, (x, 0), (z, 0)).unwrap_or(0.0);
                $body
            }
        }
    };
}

/// The features of encoded rows, whose cells are laid out one feature at a time.
pub(super) struct Columns<'a> {
    encoder: &'a Encoder,
    rows: &'a Rows,
    measure: &'a Measure,
    /// Each feature's place among those of its kind.
    places: Vec<usize>,
}

impl<'a> Columns<'a> {
    pub fn new(encoder: &'a Encoder, rows: &'a Rows, measure: &'a Measure) -> Self {
        let (mut number, mut code) = (0, 0);
        let place = |fitted: &FittedColumn| {
            let count = match fitted {
                FittedColumn::Numeric { .. } => &mut number,
                FittedColumn::Nominal { .. } | FittedColumn::Genotype => &mut code,
            };
            *count += 1;
            *count - 1
        };
        let places = encoder.columns().iter().map(place).collect();
        Self { encoder, rows, measure, places }
    }

    /// Number of features.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The cells of one feature.
    pub fn cells(&self, feature: usize) -> Cells<'a> {
        let place = self.places[feature];
        match &self.encoder.columns()[feature] {
            FittedColumn::Numeric { .. } => Cells::numeric(self.rows, self.measure, place),
            FittedColumn::Nominal { categories, .. } => {
                Cells::nominal(self.rows, self.measure, place, categories.len())
            }
            FittedColumn::Genotype => Cells::nominal(self.rows, self.measure, place, 3),
        }
    }
}

impl<'a> Cells<'a> {
    fn numeric(rows: &Rows, measure: &'a Measure, column: usize) -> Self {
        let values: Vec<f64> = (0..rows.len()).map(|row| rows.number(row, column)).collect();
        let plain = measure.ramp().is_none() && values.iter().all(|x| !x.is_nan());
        let kind = match plain {
            true => Kind::Scaled(measure.scale()[column]),
            false => Kind::Measured(measure, column),
        };
        Self { values, kind }
    }

    fn nominal(rows: &Rows, measure: &Measure, column: usize, categories: usize) -> Self {
        let codes: Vec<u16> = (0..rows.len()).map(|row| rows.code(row, column)).collect();
        let missing = codes.contains(&MISSING);
        let value = |code: u16| if code == MISSING { categories as f64 } else { f64::from(code) };
        let values = codes.into_iter().map(value).collect();
        if !missing {
            return Self { values, kind: Kind::Mismatch };
        }
        let width = categories + 1;
        let code = |at: usize| if at == categories { MISSING } else { at as u16 };
        let table = (0..width * width).map(|at| {
            let pair = ((code(at / width), 0), (code(at % width), 0));
            measure.nominal_cell(column, pair.0, pair.1).unwrap_or(0.0)
        });
        Self { values, kind: Kind::Table(width, table.collect()) }
    }

    /// The differences from `row` to every row.
    pub fn differences(&self, row: usize, out: &mut Vec<f64>) {
        out.clear();
        let own = self.values[row];
        with_difference!(self, difference => {
            out.extend(self.values.iter().map(|&x| difference(own, x)));
        });
    }

    /// The mean difference of `row` to its near rows.
    pub fn mean_difference(&self, row: usize, near: &Near) -> f64 {
        let (own, mut mean) = (self.values[row], 0.0);
        with_difference!(self, difference => {
            near.each(row, |j, w| mean += w * difference(own, self.values[j]));
        });
        mean
    }

    /// Call `each` with every near row of `row`, its weight, the weight of `row` for it, and the
    /// difference to it.
    pub fn each_difference(
        &self,
        row: usize,
        near: &Near,
        mut each: impl FnMut(usize, (f64, f64), f64),
    ) {
        let own = self.values[row];
        with_difference!(self, difference => {
            near.each_both_ways(row, |j, w, back| {
                each(j, (w, back), difference(own, self.values[j]));
            });
        });
    }

    /// True for categories that are all known, where categories differ or do not.
    pub fn is_plain(&self) -> bool {
        matches!(self.kind, Kind::Mismatch)
    }

    /// True when no two rows differ.
    pub fn is_constant(&self) -> bool {
        let first = self.values[0];
        match self.kind {
            Kind::Mismatch => self.values.iter().all(|&x| x == first),
            Kind::Scaled(scale) => scale == 0.0 || self.values.iter().all(|&x| x == first),
            Kind::Table(..) | Kind::Measured(..) => with_difference!(self, difference => {
                // A missing cell may differ from none and stand between cells that differ.
                self.values.iter().all(|&x| difference(first, x) == 0.0) && {
                    let distinct = distinct(&self.values);
                    distinct.iter().all(|&x| distinct.iter().all(|&z| difference(x, z) == 0.0))
                }
            }),
        }
    }

    /// Codes of categories that are all known, where categories differ or do not.
    pub fn plain_codes(&self) -> Option<Vec<usize>> {
        self.is_plain().then(|| self.codes())
    }

    fn codes(&self) -> Vec<usize> {
        self.values.iter().map(|&value| value as usize).collect()
    }

    /// The cells in other orders, so that orders stand together: row i has the cell of `order[i]`.
    pub fn in_orders(&self, orders: &[Vec<u32>]) -> Vec<[f64; LANES]> {
        let mut lanes = vec![[0.0; LANES]; self.values.len()];
        for (lane, order) in orders.iter().enumerate() {
            for (cell, &from) in lanes.iter_mut().zip(order) {
                cell[lane] = self.values[from as usize];
            }
        }
        lanes
    }

    /// Add Σ_j h_j diff(i, j) of one row i to each lane: `near` are the rows j.
    pub fn add_weighted(
        &self,
        row: usize,
        (near, h): (&[u32], &[f64]),
        lanes: &[[f64; LANES]],
        sums: &mut [f64; LANES],
    ) {
        with_difference!(self, difference => {
            weighted_differences(row, near, h, lanes, sums, difference);
        });
    }

    /// Sums over the differences of all pairs of rows, for the moments of exchanges of the cells.
    /// None where they would take more than exchanges do.
    pub fn sums(&self) -> Option<PairSums> {
        let n = self.values.len();
        match &self.kind {
            Kind::Scaled(scale) => {
                let scaled = self.values.iter().map(|x| x * scale).collect();
                Some(of_numbers(Numbers { known: scaled, ..Numbers::default() }))
            }
            Kind::Measured(measure, column) => {
                if measure.ramp().is_some() {
                    return None;
                }
                let scale = measure.scale()[*column];
                let one =
                    |x: f64, z: f64| measure.numeric_cell(*column, (x, 0), (z, 0)).unwrap_or(0.0);
                let known: Vec<f64> = self.values.iter().copied().filter(|x| !x.is_nan()).collect();
                Some(of_numbers(Numbers {
                    to_missing: known.iter().map(|&x| one(x, f64::NAN)).collect(),
                    between_missing: one(f64::NAN, f64::NAN),
                    missing: n - known.len(),
                    known: known.iter().map(|x| x * scale).collect(),
                }))
            }
            Kind::Mismatch => {
                let codes = self.codes();
                let width = codes.iter().max().map_or(1, |most| most + 1);
                Some(of_mismatches(&counts(&codes, width)))
            }
            Kind::Table(width, _) if *width > MOST_CODES => None,
            Kind::Table(width, table) => Some(of_table(&counts(&self.codes(), *width), table)),
        }
    }
}

/// Categories beyond which sums over triples of codes take longer than exchanges.
const MOST_CODES: usize = 64;

fn counts(codes: &[usize], width: usize) -> Vec<f64> {
    let mut counts = vec![0.0; width];
    codes.iter().for_each(|&code| counts[code] += 1.0);
    counts
}

/// Rows whose difference is 1 where their categories differ.
fn of_mismatches(counts: &[f64]) -> PairSums {
    let n: f64 = counts.iter().sum();
    let alike: f64 = counts.iter().map(|c| c * (c - 1.0)).sum();
    let mean = 1.0 - alike / (n * (n - 1.0));
    let (same, other) = (-mean, 1.0 - mean);
    let (mut sums, mut rows_all) = (PairSums::default(), 0.0);
    let (mut all_same, mut two_same) = (0.0, 0.0);
    for &count in counts.iter().filter(|count| **count > 0.0) {
        let (near, far) = (count - 1.0, n - count);
        let of = |power: i32| near * same.powi(power) + far * other.powi(power);
        let (row, squares) = (of(1), of(2));
        sums.squares += count * squares;
        sums.cubes += count * of(3);
        sums.rows2 += count * row * row;
        sums.rows3 += count * row * row * row;
        sums.rows_squares += count * row * squares;
        // Pairs of one category differ from all pairs by same − other, and no row meets itself.
        sums.form += count * row * row * (near * same - count * other);
        rows_all += count * row;
        all_same += count * near * (count - 2.0);
        two_same += 3.0 * count * near * far;
    }
    sums.form += other * rows_all * rows_all;
    let none_same = n * (n - 1.0) * (n - 2.0) - all_same - two_same;
    sums.triangles =
        all_same * same.powi(3) + two_same * same * other * other + none_same * other.powi(3);
    sums
}

/// Rows whose difference stands in a table of their codes.
fn of_table(counts: &[f64], table: &[f64]) -> PairSums {
    let width = counts.len();
    let pairs = |u: usize, v: usize| counts[v] - f64::from(u8::from(u == v));
    let n: f64 = counts.iter().sum();
    let codes = || (0..width).filter(|&u| counts[u] > 0.0);
    let total: f64 = codes()
        .map(|u| counts[u] * codes().map(|v| pairs(u, v) * table[u * width + v]).sum::<f64>())
        .sum();
    let mean = total / (n * (n - 1.0));
    let b = |u: usize, v: usize| table[u * width + v] - mean;
    let of =
        |u: usize, power: i32| -> f64 { codes().map(|v| pairs(u, v) * b(u, v).powi(power)).sum() };
    let rows: Vec<f64> = (0..width).map(|u| of(u, 1)).collect();
    let mut sums = PairSums::default();
    for u in codes() {
        let (count, row, squares) = (counts[u], rows[u], of(u, 2));
        sums.squares += count * squares;
        sums.cubes += count * of(u, 3);
        sums.rows2 += count * row * row;
        sums.rows3 += count * row * row * row;
        sums.rows_squares += count * row * squares;
        for v in codes() {
            let two = count * pairs(u, v);
            sums.form += two * row * b(u, v) * rows[v];
            for w in codes() {
                let three = pairs(u, w) - f64::from(u8::from(v == w));
                sums.triangles += two * three * b(u, v) * b(v, w) * b(u, w);
            }
        }
    }
    sums
}

/// Numbers that differ by their distance, and rows without one.
#[derive(Default)]
struct Numbers {
    known: Vec<f64>,
    /// The difference of each known number to a missing one.
    to_missing: Vec<f64>,
    between_missing: f64,
    missing: usize,
}

fn of_numbers(mut of: Numbers) -> PairSums {
    if of.missing == 0 {
        of.to_missing = vec![0.0; of.known.len()];
    }
    let mut order: Vec<usize> = (0..of.known.len()).collect();
    order.sort_by(|&a, &b| of.known[a].total_cmp(&of.known[b]));
    let centre = of.known.iter().sum::<f64>() / of.known.len().max(1) as f64;
    let x: Vec<f64> = order.iter().map(|&at| of.known[at] - centre).collect();
    let mut f: Vec<f64> = order.iter().map(|&at| of.to_missing[at]).collect();
    let (k, m) = (x.len() as f64, of.missing as f64);
    let n = k + m;
    // Sums of the distances to smaller numbers, less the mean c, to the powers 0 to 3.
    let below = |x: &[f64], c: f64| -> Vec<[f64; 3]> {
        let mut powers = [0.0; 4];
        let each = x.iter().map(|&x| {
            let v = x - c;
            let [p0, p1, p2, p3] = powers;
            let found = [
                v * p0 - p1,
                v * v * p0 - 2.0 * v * p1 + p2,
                v * v * v * p0 - 3.0 * v * v * p1 + 3.0 * v * p2 - p3,
            ];
            powers = [p0 + 1.0, p1 + x, p2 + x * x, p3 + x * x * x];
            found
        });
        each.collect()
    };
    let mirrored: Vec<f64> = x.iter().rev().map(|x| -x).collect();
    let between: f64 = 2.0 * below(&x, 0.0).iter().map(|sums| sums[0]).sum::<f64>();
    let total = between + 2.0 * m * f.iter().sum::<f64>() + m * (m - 1.0) * of.between_missing;
    let c = total / (n * (n - 1.0));
    f.iter_mut().for_each(|f| *f -= c);
    let g = of.between_missing - c;
    let lower = below(&x, c);
    let mut upper = below(&mirrored, c);
    upper.reverse();

    let power =
        |at: usize, p: usize| lower[at][p - 1] + upper[at][p - 1] + m * f[at].powi(p as i32);
    let rows: Vec<f64> = (0..x.len()).map(|at| power(at, 1)).collect();
    let of_missing = |p: i32| f.iter().map(|f| f.powi(p)).sum::<f64>() + (m - 1.0) * g.powi(p);
    let row_of_missing = of_missing(1);
    let mut sums = PairSums::default();
    let mut add = |count: f64, row: f64, squares: f64, cubes: f64| {
        sums.squares += count * squares;
        sums.cubes += count * cubes;
        sums.rows2 += count * row * row;
        sums.rows3 += count * row * row * row;
        sums.rows_squares += count * row * squares;
    };
    (0..x.len()).for_each(|at| add(1.0, rows[at], power(at, 2), power(at, 3)));
    if of.missing > 0 {
        add(m, row_of_missing, of_missing(2), of_missing(3));
    }
    // Σ_i<j a_i (x_j − x_i − c) a_j, twice.
    let form = |a: &[f64]| -> f64 {
        let (mut before, mut before_x, mut sum) = (0.0, 0.0, 0.0);
        for (a, x) in a.iter().zip(&x) {
            sum += a * ((x - c) * before - before_x);
            before += a;
            before_x += a * x;
        }
        2.0 * sum
    };
    sums.form = form(&rows);
    for (lower, upper) in lower.iter().zip(&upper) {
        // Of a and b, the distances to a smaller and a larger number less c: a b (a + b + c).
        let [a1, a2, _] = lower;
        let [b1, b2, _] = upper;
        sums.triangles += 6.0 * (a2 * b1 + a1 * b2 + c * a1 * b1);
    }
    if of.missing > 0 {
        let products: f64 = rows.iter().zip(&f).map(|(row, f)| row * f).sum();
        sums.form += 2.0 * m * row_of_missing * products
            + m * (m - 1.0) * g * row_of_missing * row_of_missing;
        let squares: f64 = f.iter().map(|f| f * f).sum();
        sums.triangles += 3.0 * m * form(&f)
            + 3.0 * m * (m - 1.0) * g * squares
            + m * (m - 1.0) * (m - 2.0) * g * g * g;
    }
    sums
}

/// The different values, ascending; a NaN stands for all.
fn distinct(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup_by(|a, b| a.to_bits() == b.to_bits());
    sorted
}

/// Exchanges that are worked on together.
pub(super) const LANES: usize = 32;

for_each_isa! {
    /// sums += Σ_j h_j · difference(cell_i, cell_j), for each lane.
    fn weighted_differences[D: Fn(f64, f64) -> f64](
        row: usize,
        near: &[u32],
        h: &[f64],
        lanes: &[[f64; LANES]],
        sums: &mut [f64; LANES],
        difference: D,
    ) {
        let own = &lanes[row];
        let mut inner = [0.0; LANES];
        for (&near, &h) in near.iter().zip(h) {
            let other = &lanes[near as usize];
            for lane in 0..LANES {
                inner[lane] += h * difference(own[lane], other[lane]);
            }
        }
        for lane in 0..LANES {
            sums[lane] += inner[lane];
        }
    }
}

/// r² of two columns of numbers; 0 where one does not vary.
pub(in crate::weigh) fn squared_correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (mean_a, mean_b) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x - mean_a, y - mean_b);
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    if aa * bb > 0.0 { ab * ab / (aa * bb) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::moments::plain_sums;
    use super::*;
    use crate::random::Random;

    fn assert_near(ours: PairSums, plain: PairSums) {
        let all = |s: PairSums| {
            [s.squares, s.cubes, s.rows2, s.rows3, s.rows_squares, s.form, s.triangles]
        };
        for (at, (ours, plain)) in all(ours).into_iter().zip(all(plain)).enumerate() {
            assert!((ours - plain).abs() < 1e-9 * (1.0 + plain.abs()), "{at}: {ours} {plain}");
        }
    }

    #[test]
    fn sums_over_categories_are_those_of_all_pairs() {
        let mut random = Random::new(1, 1);
        let codes: Vec<usize> = (0..30).map(|_| random.below(4)).collect();
        let differ = |i: usize, j: usize| f64::from(u8::from(codes[i] != codes[j]));
        assert_near(of_mismatches(&counts(&codes, 5)), plain_sums(30, differ));
        let mut table = vec![0.0; 16];
        for (u, v) in (0..4).flat_map(|u| (0..=u).map(move |v| (u, v))) {
            let value = random.normal();
            (table[u * 4 + v], table[v * 4 + u]) = (value, value);
        }
        let cell = |i: usize, j: usize| table[codes[i] * 4 + codes[j]];
        assert_near(of_table(&counts(&codes, 4), &table), plain_sums(30, cell));
    }

    #[test]
    fn sums_over_numbers_are_those_of_all_pairs() {
        let mut random = Random::new(3, 1);
        for missing in [0, 1, 2, 7] {
            let known: Vec<f64> =
                (0..25).map(|at| if at % 5 == 0 { 2.0 } else { random.normal() }).collect();
            let to_missing: Vec<f64> = known.iter().map(|x| 0.3 + x * x).collect();
            let cell = |i: usize, j: usize| match (i < 25, j < 25) {
                (true, true) => (known[i] - known[j]).abs(),
                (true, false) => to_missing[i],
                (false, true) => to_missing[j],
                (false, false) => 0.7,
            };
            let plain = plain_sums(25 + missing, cell);
            let (known, to_missing) = (known.clone(), to_missing.clone());
            let of = Numbers { known, to_missing, between_missing: 0.7, missing };
            assert_near(of_numbers(of), plain);
        }
    }
}
