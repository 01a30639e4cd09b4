//! The statistic of one feature and its two null distributions.

use std::sync::OnceLock;

use super::columns::{Cells, LANES};
use super::moments::{Moments, PairSums, dot, triangles, variance};
use super::near::{Near, Sets};
use super::residuals::{Labels, Residuals, order};
use crate::neighbors::for_each_isa;
use crate::neighbors::overlap::{
    add_to_members, add_where_alike, overlap, set_words, sum_of_members,
};
use crate::random::Random;
use crate::stats::tails::pearson3_sf;
use crate::{Result, Run};

/// Rows whose entries are worked out together.
const ROWS: usize = 64;

/// What was found of one feature under one exchange.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub t: f64,
    pub deviation: f64,
    pub z: f64,
    pub p: f64,
}

impl Found {
    /// The answer for a feature that cannot be tested: it does not vary.
    pub const NOTHING: Self = Self { t: 0.0, deviation: 0.0, z: 0.0, p: 1.0 };

    pub fn new(t: f64, mean: f64, variance: f64, skewness: f64) -> Self {
        let deviation = variance.max(0.0).sqrt();
        // A null that does not vary beyond rounding says nothing.
        if deviation.is_nan() || deviation <= 1e-12 * t.abs().max(mean.abs()) || deviation == 0.0 {
            return Self { t, ..Self::NOTHING };
        }
        let z = (t - mean) / deviation;
        Self { t, deviation, z, p: pearson3_sf(z, skewness) }
    }
}

/// H_ij = w_ij (G_ij − Σ_k w_ik G_ik), entry by entry.
pub(super) struct Weights<'a> {
    near: &'a Near,
    residuals: &'a Residuals,
    /// Σ_k w_ik G_ik.
    means: Vec<f64>,
    /// Sums over (H + Hᵀ)/2, whose total is 0.
    sums: PairSums,
}

impl<'a> Weights<'a> {
    /// With rows up to `dense` the sum over triangles is exact, else an estimate from random signs.
    pub fn new(
        (near, residuals): (&'a Near, &'a Residuals),
        dense: usize,
        seed: u64,
        run: &Run,
    ) -> Result<Self> {
        let mean = |i: usize| {
            let mut mean = 0.0;
            near.each(i, |j, w| mean += w * residuals.product(i, j));
            mean
        };
        let means = (0..near.rows).map(mean).collect();
        let mut weights = Self { near, residuals, means, sums: PairSums::default() };
        if residuals.moves_freely() {
            weights.sums = weights.symmetric_sums(dense, seed, run)?;
        }
        Ok(weights)
    }

    fn entry(&self, i: usize, j: usize, w: f64) -> f64 {
        w * (self.residuals.product(i, j) - self.means[i])
    }

    fn symmetric_sums(&self, dense: usize, seed: u64, run: &Run) -> Result<PairSums> {
        let n = self.near.rows;
        let (mut rows, mut squares) = (vec![0.0; n], vec![0.0; n]);
        let mut sums = PairSums::default();
        let mut cells = if n <= dense { vec![0.0; n * n] } else { Vec::new() };
        for i in 0..n {
            if i % ROWS == 0 {
                run.check(0, 0)?;
            }
            self.near.each_both_ways(i, |j, w, back| {
                let entry = self.entry(i, j, w);
                // A pair that is near both ways is met twice and counted once.
                if back > 0.0 && j < i {
                    return;
                }
                let other = if back > 0.0 { self.entry(j, i, back) } else { 0.0 };
                let cell = (entry + other) / 2.0;
                for at in [i, j] {
                    rows[at] += cell;
                    squares[at] += cell * cell;
                }
                sums.cubes += 2.0 * cell * cell * cell;
                if n <= dense {
                    (cells[i * n + j], cells[j * n + i]) = (cell, cell);
                }
            });
        }
        for (row, squares) in rows.iter().zip(&squares) {
            sums.squares += squares;
            sums.rows2 += row * row;
            sums.rows3 += row * row * row;
            sums.rows_squares += row * squares;
        }
        for i in 0..n {
            self.near.each(i, |j, w| sums.form += rows[i] * self.entry(i, j, w) * rows[j]);
        }
        sums.triangles = match n <= dense {
            true => triangles(n, &cells),
            false => self.estimated_triangles(seed, run)?,
        };
        Ok(sums)
    }

    /// trace(A³) of A = (H + Hᵀ)/2 as the mean of (Az)ᵀ A (Az) over random signs z (Hutchinson).
    fn estimated_triangles(&self, seed: u64, run: &Run) -> Result<f64> {
        let n = self.near.rows;
        let mut random = Random::new(seed ^ SIGN_STREAM, 0);
        let signs: Vec<[f64; LANES]> = (0..n)
            .map(|_| {
                let word = random.word();
                std::array::from_fn(|lane| if word >> lane & 1 == 1 { 1.0 } else { -1.0 })
            })
            .collect();
        let mut projected = vec![[0.0; LANES]; n];
        let mut entries = Entries::new();
        for first in (0..n).step_by(ROWS) {
            run.check(0, 0)?;
            self.entries(first..(first + ROWS).min(n), &mut entries);
            for at in 0..entries.rows() {
                let (near, entries) = entries.row(at);
                project(first + at, near, entries, &signs, &mut projected);
            }
        }
        let mut sums = [0.0; LANES];
        for first in (0..n).step_by(ROWS) {
            run.check(0, 0)?;
            self.entries(first..(first + ROWS).min(n), &mut entries);
            for at in 0..entries.rows() {
                let (near, entries) = entries.row(at);
                add_products(first + at, near, entries, &projected, 1, &mut sums);
            }
        }
        Ok(sums.iter().sum::<f64>() / LANES as f64)
    }

    /// The entries of some rows, one row after the other.
    fn entries(&self, rows: std::ops::Range<usize>, into: &mut Entries) {
        into.clear();
        for i in rows {
            self.near.each(i, |j, w| into.push(j, self.entry(i, j, w)));
            into.end_row();
        }
    }
}

/// Keeps random signs apart from exchanges.
const SIGN_STREAM: u64 = 0x5851_f42d_4c95_7f2d;

/// Keeps the streams of columns apart from those of the target.
const COLUMN_STREAMS: u64 = 0x9e37_79b9_7f4a_7c15;

/// Entries beside near rows, of a few rows.
struct Entries {
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Entries {
    fn new() -> Self {
        Self { starts: vec![0], rows: Vec::new(), values: Vec::new() }
    }

    fn clear(&mut self) {
        self.starts.truncate(1);
        self.rows.clear();
        self.values.clear();
    }

    fn push(&mut self, row: usize, value: f64) {
        self.rows.push(row as u32);
        self.values.push(value);
    }

    fn end_row(&mut self) {
        self.starts.push(self.rows.len());
    }

    /// Number of rows held.
    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Near rows and entries of row number `at` among those held.
    fn row(&self, at: usize) -> (&[u32], &[f64]) {
        let span = self.starts[at]..self.starts[at + 1];
        (&self.rows[span.clone()], &self.values[span])
    }
}

/// What T of one feature is compared with when its own cells move: closed moments where cells move
/// freely, else `exchanges` moves within strata.
pub(super) fn by_column(
    cells: &Cells,
    weights: &Weights,
    t: f64,
    (exchanges, seed, feature): (usize, u64, u64),
    run: &Run,
) -> Result<Found> {
    let n = cells.values.len();
    if n < 6 || cells.is_constant() {
        return Ok(Found::NOTHING);
    }
    if weights.residuals.moves_freely()
        && let Some(sums) = cells.sums()
    {
        let moments = Moments::new(n, &weights.sums, &sums);
        // T is minus the sum of H and the differences.
        return Ok(Found::new(t, 0.0, moments.variance, -moments.skewness()));
    }
    let whole = [(0..n as u32).collect::<Vec<_>>()];
    let strata = weights.residuals.strata().unwrap_or(&whole);
    let orders = |exchange: usize| {
        let stream = feature * exchanges as u64 + exchange as u64;
        order(n, strata, &mut Random::new(seed ^ COLUMN_STREAMS, stream))
    };
    let orders: Vec<Vec<u32>> = (0..exchanges).map(orders).collect();
    let by_sets = by_sets(cells, weights, &orders);
    let null = match by_sets {
        Some(null) => null,
        None => moved(cells, weights, &orders, run)?,
    };
    let drawn = NullMoments::of(&null);
    Ok(Found::new(t, drawn.mean, drawn.variance, drawn.skewness))
}

/// −Σ_ij H_ij diff(i, j) when the cells have been moved, for every order.
fn moved(cells: &Cells, weights: &Weights, orders: &[Vec<u32>], run: &Run) -> Result<Vec<f64>> {
    let n = cells.values.len();
    let lanes: Vec<_> = orders.chunks(LANES).map(|orders| cells.in_orders(orders)).collect();
    let mut sums = vec![[0.0; LANES]; lanes.len()];
    let mut entries = Entries::new();
    for first in (0..n).step_by(ROWS) {
        run.check(0, 0)?;
        let rows = first..(first + ROWS).min(n);
        weights.entries(rows.clone(), &mut entries);
        for (lanes, sums) in lanes.iter().zip(&mut sums) {
            for row in rows.clone() {
                cells.add_weighted(row, entries.row(row - first), lanes, sums);
            }
        }
    }
    Ok(sums.as_flattened()[..orders.len()].iter().map(|sum| -sum).collect())
}

/// The same for two classes and categories that are all known, over sets. With r_i the residual of
/// one class, ρ_i = Σ_k w_ik r_k and c the rows of that class, H_ij = 2 w_i r_i ([j ∈ c] − s − ρ_i)
/// for near j; the sum of H is 0, so T is the sum of H over pairs of one category.
fn by_sets(cells: &Cells, weights: &Weights, orders: &[Vec<u32>]) -> Option<Vec<f64>> {
    let (sets, labels) = (weights.near.sets()?, weights.residuals.labels.as_ref()?);
    let codes = cells.plain_codes()?;
    if labels.shares.len() != 2 {
        return None;
    }
    let n = codes.len();
    let class = class_sets(labels.codes.iter().map(|&code| code as usize), 2, sets.words);
    let in_class = &class[sets.words..];
    let share = labels.shares[1];
    let all: Vec<u32> = (0..n as u32).collect();
    let near_class: Vec<u64> =
        sets.bits.chunks(sets.words).flat_map(|set| set.iter().zip(in_class)).map(and).collect();
    let residual = |i: usize| f64::from(labels.codes[i]) - share;
    let first: Vec<f64> = (0..n).map(|i| 2.0 * sets.weights[i] * residual(i)).collect();
    let rho = |i: usize| {
        let one = overlap(&all[..1], &[sets.weights[i]], sets.of(i), in_class);
        let any = if sets.of(i).iter().any(|&word| word > 0) { 1.0 } else { 0.0 };
        one - share * any
    };
    let second: Vec<f64> = (0..n).map(|i| -first[i] * (share + rho(i))).collect();
    let width = codes.iter().max().map_or(1, |most| most + 1);
    let t = |order: &Vec<u32>| {
        let moved: Vec<usize> = order.iter().map(|&from| codes[from as usize]).collect();
        let classes = class_sets(moved.iter().copied(), width, sets.words);
        let mut members = vec![Vec::new(); width];
        moved.iter().zip(&all).for_each(|(&code, &row)| members[code].push(row));
        let each = members.iter().zip(classes.chunks(sets.words)).map(|(members, set)| {
            overlap(members, &first, &near_class, set) + overlap(members, &second, &sets.bits, set)
        });
        each.sum::<f64>()
    };
    Some(orders.iter().map(t).collect())
}

fn and((a, b): (&u64, &u64)) -> u64 {
    a & b
}

/// The rows of each class as sets, one class after the other.
fn class_sets(codes: impl Iterator<Item = usize>, classes: usize, words: usize) -> Vec<u64> {
    let mut sets = vec![0; classes * words];
    for (row, code) in codes.enumerate() {
        sets[code * words + row / 64] |= 1 << (row % 64);
    }
    sets
}

/// The target under many exchanges, the true one first.
pub(super) struct Exchanged<'a> {
    residuals: &'a Residuals,
    /// Sums over G.
    products: PairSums,
    exchanges: usize,
    seed: u64,
    /// Codes of classes of every exchange, where the residuals are those of classes.
    codes: Vec<Vec<u32>>,
    /// The same in sets.
    sets: OnceLock<Vec<ClassRows>>,
    /// Codes of each row under all exchanges, a bit an exchange, plane after plane.
    planes: OnceLock<Planes>,
    /// Residuals under exchanges side by side.
    lanes: OnceLock<Vec<Vec<[f64; LANES]>>>,
}

/// Bits that hold the class of every row under every exchange.
struct Planes {
    /// Words of a plane.
    words: usize,
    /// Words of a row: a plane for each bit of a code.
    width: usize,
    bits: Vec<u64>,
}

impl Planes {
    fn of(&self, row: usize) -> &[u64] {
        &self.bits[row * self.width..][..self.width]
    }
}

/// The rows of each class under one exchange.
struct ClassRows {
    members: Vec<Vec<u32>>,
    sets: Vec<u64>,
}

/// T of one feature for the true target and every exchange, and its variance over all exchanges
/// where that is known.
pub(super) struct Statistics {
    pub all: Vec<f64>,
    pub variance: Option<f64>,
}

/// Near rows that all features share, with what is found of them once.
pub(super) struct Shared {
    pub near: Near,
    /// Pairs near both ways.
    mutual: Option<Vec<u64>>,
    /// Where many features share the near rows: of every row and exchange the weight of the near
    /// rows of its own class, exchange by exchange.
    alike: Option<OnceLock<Vec<f64>>>,
}

impl Shared {
    /// Near rows of one feature, or of many.
    pub fn new(mut near: Near, many: bool) -> Self {
        let mutual = near.sets().map(Sets::mutual);
        near.know_both_ways();
        Self { near, mutual, alike: many.then(OnceLock::new) }
    }
}

impl<'a> Exchanged<'a> {
    pub fn new(residuals: &'a Residuals, exchanges: usize, seed: u64) -> Self {
        let codes = |labels: &Labels| {
            let codes = |exchange: usize| match exchange {
                0 => labels.codes.clone(),
                _ => {
                    let order = residuals.order(seed, exchange as u64);
                    order.iter().map(|&from| labels.codes[from as usize]).collect()
                }
            };
            (0..=exchanges).map(codes).collect()
        };
        let codes = residuals.labels.as_ref().map_or_else(Vec::new, codes);
        let (sets, planes, lanes) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let products = residuals.products();
        Self { residuals, products, exchanges, seed, codes, sets, planes, lanes }
    }

    /// T of one feature.
    pub fn statistics(&self, cells: &Cells, near: &Shared, run: &Run) -> Result<Statistics> {
        let labels = self.residuals.labels.as_ref();
        let sets = near.near.sets().zip(near.mutual.as_deref());
        match (sets, labels, cells.plain_codes()) {
            (Some((sets, mutual)), Some(labels), Some(codes)) => {
                Ok(self.by_sets(&codes, (sets, mutual), labels))
            }
            _ => self.by_entries(cells, near, run),
        }
    }

    /// With K_ij = w_ij (diff_ij − m_i), whose rows sum to 0, and s_c the share of class c,
    /// T = −(Σ_ij K_ij \[y_i = y_j\] − Σ_j s_{y_j} Σ_i K_ij).
    fn by_entries(&self, cells: &Cells, shared: &Shared, run: &Run) -> Result<Statistics> {
        let (near, n) = (&shared.near, shared.near.rows);
        let means: Vec<f64> = (0..n).map(|i| cells.mean_difference(i, near)).collect();
        let labels = self.residuals.labels.as_ref();
        // Pairs of one category alone are visited exchange by exchange, where the rest is known.
        let rest = match (labels, &shared.alike) {
            (Some(_), Some(alike)) if cells.is_plain() => {
                Some(alike.get_or_init(|| self.alike(near)))
            }
            _ => None,
        };
        let mut totals = Totals::new(self);
        let (mut columns, mut squares, mut mutual) = (vec![0.0; n], 0.0, 0.0);
        let mut entries = Entries::new();
        for first in (0..n).step_by(ROWS) {
            run.check(0, 0)?;
            let rows = first..(first + ROWS).min(n);
            entries.clear();
            for i in rows.clone() {
                cells.each_difference(i, near, |j, (w, back), difference| {
                    let entry = w * (difference - means[i]);
                    columns[j] += entry;
                    squares += entry * entry;
                    mutual += entry * back * (difference - means[j]);
                    match rest {
                        None => entries.push(j, entry),
                        Some(_) if difference == 0.0 => entries.push(j, -w),
                        Some(_) => {}
                    }
                });
                entries.end_row();
            }
            totals.add(first, &entries);
        }
        let mut all = totals.sums;
        if let Some(alike) = rest {
            let shares: Vec<f64> = means.iter().map(|mean| 1.0 - mean).collect();
            for (sum, alike) in all.iter_mut().zip(alike.chunks(n)) {
                *sum += dot(&shares, alike);
            }
        }
        all.truncate(self.exchanges + 1);
        if let Some(labels) = labels {
            for (sum, codes) in all.iter_mut().zip(&self.codes) {
                let shares = codes.iter().map(|&code| labels.shares[code as usize]);
                *sum -= shares.zip(&columns).map(|(share, column)| share * column).sum::<f64>();
            }
        }
        all.iter_mut().for_each(|sum| *sum = -*sum);
        Ok(Statistics { all, variance: self.variance(&columns, (squares + mutual) / 2.0) })
    }

    /// The weight of near rows of each row's own class, n numbers an exchange.
    fn alike(&self, near: &Near) -> Vec<f64> {
        let n = near.rows;
        let mut all = vec![0.0; (self.exchanges + 1) * n];
        for (all, codes) in all.chunks_mut(n).zip(&self.codes) {
            for (i, sum) in all.iter_mut().enumerate() {
                near.each(i, |j, w| *sum += if codes[i] == codes[j] { w } else { 0.0 });
            }
        }
        all
    }

    /// The same for categories that are all known and classes, over sets: with M_i the near rows of
    /// row i that are of its category, K_ij = w_i (1 − m_i) − w_i \[j ∈ M_i\].
    fn by_sets(
        &self,
        codes: &[usize],
        (near, mutual): (&Sets, &[u64]),
        labels: &Labels,
    ) -> Statistics {
        let (n, words) = (codes.len(), near.words);
        let width = codes.iter().max().map_or(1, |most| most + 1);
        let categories = class_sets(codes.iter().copied(), width, words);
        let mut same = near.bits.clone();
        for (set, &code) in same.chunks_mut(words).zip(codes) {
            let category = &categories[code * words..][..words];
            set.iter_mut().zip(category).for_each(|(word, category)| *word &= category);
        }
        let of = |sets: &[u64], i: usize| -> f64 {
            let count: u32 = sets[i * words..][..words].iter().map(|word| word.count_ones()).sum();
            f64::from(count)
        };
        // w_i (1 − m_i), which is the share of M_i among the near rows times w_i.
        let alike: Vec<f64> =
            (0..n).map(|i| near.weights[i] * (near.weights[i] * of(&same, i))).collect();
        let minus: Vec<f64> = near.weights.iter().map(|w| -w).collect();

        let mut columns = vec![0.0; words * 64];
        let (mut squares, mut both) = (0.0, 0.0);
        let padded = |values: &[f64]| {
            let mut padded = values.to_vec();
            padded.resize(words * 64, 0.0);
            padded
        };
        let (padded_alike, padded_weights) = (padded(&alike), padded(&near.weights));
        for i in 0..n {
            let (set, same, w) = (near.of(i), &same[i * words..][..words], near.weights[i]);
            add_to_members(set, alike[i], &mut columns);
            add_to_members(same, -w, &mut columns);
            let share = alike[i] / w;
            squares += w * share * (1.0 - share);
            // Σ_j K_ij K_ji over the rows that are near both ways.
            let mutual = &mutual[i * words..][..words];
            let common: Vec<u64> = mutual.iter().zip(same).map(and).collect();
            both += alike[i] * sum_of_members(mutual, &padded_alike)
                + (w - alike[i]) * sum_of_members(&common, &padded_weights)
                - w * sum_of_members(&common, &padded_alike);
        }
        columns.truncate(n);

        let all = self.sets.get_or_init(|| self.in_sets(labels, words)).iter().zip(&self.codes);
        let all = all.map(|(rows, codes)| {
            let members = rows.members.iter().zip(rows.sets.chunks(words));
            if let [_, _] = &labels.shares[..] {
                // Of two classes the residuals are each other's negative: the smaller one does.
                let smaller = usize::from(labels.shares[1] < labels.shares[0]);
                let Some((members, set)) = members.clone().nth(smaller) else { return 0.0 };
                let inside = overlap(members, &alike, &near.bits, set)
                    + overlap(members, &minus, &same, set);
                let column: f64 = members.iter().map(|&row| columns[row as usize]).sum();
                return -2.0 * (inside - labels.shares[smaller] * column);
            }
            let inside: f64 = members
                .map(|(members, set)| {
                    overlap(members, &alike, &near.bits, set) + overlap(members, &minus, &same, set)
                })
                .sum();
            let shares = codes.iter().map(|&code| labels.shares[code as usize]);
            -(inside - shares.zip(&columns).map(|(share, column)| share * column).sum::<f64>())
        });
        let all = all.collect();
        Statistics { all, variance: self.variance(&columns, (squares + both) / 2.0) }
    }

    /// The variance of T over all exchanges of the target, where rows move freely: from the column
    /// sums of K and the squares of (K + Kᵀ)/2.
    fn variance(&self, columns: &[f64], squares: f64) -> Option<f64> {
        if !self.residuals.moves_freely() || columns.len() < 4 || !self.residuals.permutes() {
            return None;
        }
        let rows2 = columns.iter().map(|sum| sum * sum / 4.0).sum();
        let kernel = PairSums { squares, rows2, ..PairSums::default() };
        Some(variance(columns.len(), &kernel, &self.products))
    }

    fn in_sets(&self, labels: &Labels, words: usize) -> Vec<ClassRows> {
        let classes = labels.shares.len();
        let rows = |codes: &Vec<u32>| {
            let mut members = vec![Vec::new(); classes];
            (0u32..).zip(codes).for_each(|(row, &code)| members[code as usize].push(row));
            let sets = class_sets(codes.iter().map(|&code| code as usize), classes, words);
            ClassRows { members, sets }
        };
        self.codes.iter().map(rows).collect()
    }

    fn in_planes(&self, classes: usize) -> Planes {
        let n = self.residuals.values.len() / self.residuals.width.max(1);
        let words = set_words(self.exchanges + 1);
        let planes = classes.next_power_of_two().ilog2().max(1) as usize;
        let width = planes * words;
        let mut bits = vec![0; n * width];
        for (exchange, codes) in self.codes.iter().enumerate() {
            for (row, &code) in bits.chunks_mut(width).zip(codes) {
                for (plane, row) in row.chunks_mut(words).enumerate() {
                    row[exchange / 64] |= u64::from(code >> plane & 1) << (exchange % 64);
                }
            }
        }
        Planes { words, width, bits }
    }

    /// Chunks of exchanges; of each a block of lanes for every row and number of a row.
    fn side_by_side(&self) -> Vec<Vec<[f64; LANES]>> {
        let values = |exchange: usize| match exchange {
            0 => self.residuals.values.clone(),
            _ => self.residuals.exchanged(self.seed, exchange as u64),
        };
        let chunk = |first: usize| {
            let mut chunk = Vec::new();
            for lane in 0..LANES.min(self.exchanges + 1 - first) {
                let values = values(first + lane);
                chunk.resize(values.len(), [0.0; LANES]);
                chunk.iter_mut().zip(values).for_each(|(cell, value)| cell[lane] = value);
            }
            chunk
        };
        (0..=self.exchanges).step_by(LANES).map(chunk).collect()
    }
}

/// Σ_ij k_ij G_ij for every exchange, summed up a few rows at a time; of classes without the shares.
struct Totals<'a> {
    sums: Vec<f64>,
    form: Exchanges<'a>,
}

/// How exchanges stand side by side.
enum Exchanges<'a> {
    Classes(&'a Planes),
    Numbers { chunks: &'a [Vec<[f64; LANES]>], width: usize },
}

impl<'a> Totals<'a> {
    fn new(of: &'a Exchanged) -> Self {
        match &of.residuals.labels {
            Some(labels) => {
                let planes = of.planes.get_or_init(|| of.in_planes(labels.shares.len()));
                Self { sums: vec![0.0; 64 * planes.words], form: Exchanges::Classes(planes) }
            }
            None => {
                let chunks = of.lanes.get_or_init(|| of.side_by_side());
                let width = of.residuals.width;
                let sums = vec![0.0; chunks.len() * LANES];
                Self { sums, form: Exchanges::Numbers { chunks, width } }
            }
        }
    }

    /// Add the entries of some rows, the first of them number `first`.
    fn add(&mut self, first: usize, entries: &Entries) {
        match self.form {
            Exchanges::Classes(planes) => {
                for row in 0..entries.rows() {
                    let own = planes.of(first + row);
                    let (near, values) = entries.row(row);
                    for (&j, &value) in near.iter().zip(values) {
                        add_where_alike(own, planes.of(j as usize), value, &mut self.sums);
                    }
                }
            }
            Exchanges::Numbers { chunks, width } => {
                let (sums, _) = self.sums.as_chunks_mut::<LANES>();
                for (chunk, sums) in chunks.iter().zip(sums) {
                    for row in 0..entries.rows() {
                        let (near, values) = entries.row(row);
                        add_products(first + row, near, values, chunk, width, sums);
                    }
                }
            }
        }
    }
}

for_each_isa! {
    /// The part of one row's entries in (H + Hᵀ)/2 times signs, for each lane.
    fn project[](
        row: usize,
        near: &[u32],
        entries: &[f64],
        signs: &[[f64; LANES]],
        projected: &mut [[f64; LANES]],
    ) {
        let own = &signs[row];
        let mut inner = [0.0; LANES];
        for (&j, &entry) in near.iter().zip(entries) {
            let half = entry / 2.0;
            let (other, out) = (&signs[j as usize], &mut projected[j as usize]);
            for lane in 0..LANES {
                inner[lane] += half * other[lane];
                out[lane] += half * own[lane];
            }
        }
        for lane in 0..LANES {
            projected[row][lane] += inner[lane];
        }
    }
}

for_each_isa! {
    /// totals += Σ_j k_j Σ_c r_ic r_jc of one row i, for each lane.
    fn add_products[](
        row: usize,
        near: &[u32],
        entries: &[f64],
        residuals: &[[f64; LANES]],
        width: usize,
        totals: &mut [f64; LANES],
    ) {
        for c in 0..width {
            let mut inner = [0.0; LANES];
            for (&j, &k) in near.iter().zip(entries) {
                let other = &residuals[j as usize * width + c];
                for lane in 0..LANES {
                    inner[lane] += k * other[lane];
                }
            }
            let own = &residuals[row * width + c];
            for lane in 0..LANES {
                totals[lane] += own[lane] * inner[lane];
            }
        }
    }
}

/// What is found from T, the true one first and exchanges of the target behind it.
pub(super) fn by_target(found: &Statistics) -> Found {
    let Some((&t, null)) = found.all.split_first() else { return Found::NOTHING };
    let drawn = NullMoments::of(null);
    match found.variance {
        Some(variance) => Found::new(t, 0.0, variance, drawn.skewness),
        None => Found::new(t, drawn.mean, drawn.variance, drawn.skewness),
    }
}

/// Mean, variance and skewness of a null sample.
pub(in crate::weigh) struct NullMoments {
    pub mean: f64,
    pub variance: f64,
    pub skewness: f64,
}

impl NullMoments {
    pub fn of(null: &[f64]) -> Self {
        let n = null.len() as f64;
        let mean = null.iter().sum::<f64>() / n.max(1.0);
        let central =
            |power: i32| null.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n.max(1.0);
        let spread = central(2);
        let skewness = if spread > 0.0 { central(3) / spread.powf(1.5) } else { 0.0 };
        Self { mean, variance: spread * n / (n - 1.0).max(1.0), skewness }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Given;
    use super::super::columns::Columns;
    use super::super::near::{Nearness, rounding};
    use super::*;
    use crate::data::{Column, Encoder, Rows, Table, Target};
    use crate::measure::{Measure, Metric, Missing, Scaling, Unknown};
    use crate::neighbors::{Labelled, Strips};

    /// Words without a gap, numbers, and numbers with gaps, in every row `rows`.
    fn table(rows: usize) -> Table<'static> {
        let mut random = Random::new(3, 0);
        let mut columns = Vec::new();
        for name in ["a", "b", "c", "d"] {
            let cells: Vec<_> = (0..rows).map(|_| Some(["x", "y", "z"][random.below(3)])).collect();
            columns.push(Column::nominal(name, &cells).unwrap());
        }
        let numbers = (0..rows).map(|_| random.normal()).collect();
        columns.push(Column::numeric("e", numbers));
        let gaps = (0..rows).map(|row| if row % 9 == 0 { f64::NAN } else { random.normal() });
        columns.push(Column::numeric("f", gaps.collect()));
        Table::new(columns).unwrap()
    }

    fn classes(rows: usize, names: &[&str]) -> Target {
        let mut random = Random::new(4, 0);
        let skewed = |random: &mut Random| random.below(names.len()).min(random.below(names.len()));
        Target::classes((0..rows).map(|_| names[skewed(&mut random)]).collect::<Vec<_>>())
    }

    struct Made {
        encoder: Encoder,
        rows: Rows,
        measure: Measure,
    }

    fn made(table: &Table) -> Made {
        let encoder = Encoder::fit(table).unwrap();
        let rows = encoder.encode(table).unwrap();
        let unknown = Unknown::fit(Missing::D, &encoder, &rows, &vec![0; table.rows()], 1);
        let measure = Measure::new(&encoder, Metric::Manhattan, Scaling::MinMax, unknown);
        Made { encoder, rows, measure }
    }

    fn near(of: &Made, how: Nearness, k: usize) -> Near {
        let n = of.rows.len();
        let labels = vec![0; n];
        let strips = Strips::new(Labelled { rows: &of.rows, labels: &labels, classes: 1 });
        let (mut near, mut strip, mut own) = (Near::new(how, n), Vec::new(), Vec::new());
        for row in 0..n {
            strips.distances(&of.measure, &[row as u32], &mut strip);
            near.push(k, row, (&strip, rounding(&strip)), &mut own);
        }
        near
    }

    fn assert_alike(a: &Statistics, b: &Statistics) {
        for (a, b) in a.all.iter().zip(&b.all) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
        let (a, b) = (a.variance.unwrap(), b.variance.unwrap());
        assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    }

    #[test]
    fn sets_give_what_entries_give() {
        let rows = 150;
        let table = table(rows);
        let of = made(&table);
        let shared = Shared::new(near(&of, Nearness::Radius, 0), false);
        for names in [&["p", "q"][..], &["p", "q", "r", "s"]] {
            let target = classes(rows, names);
            let residuals = Residuals::new(&target, &Given::default(), false).unwrap();
            let exchanged = Exchanged::new(&residuals, 40, 7);
            let cells = Columns::new(&of.encoder, &of.rows, &of.measure).cells(1);
            let run = Run::default();
            let sets = exchanged.statistics(&cells, &shared, &run).unwrap();
            let entries = exchanged.by_entries(&cells, &shared, &run).unwrap();
            assert_eq!(sets.all.len(), 41);
            assert_alike(&sets, &entries);
            let many = Shared::new(shared.near.clone(), true);
            assert_alike(&sets, &exchanged.by_entries(&cells, &many, &run).unwrap());
        }
    }

    #[test]
    fn classes_give_what_their_residuals_as_numbers_give() {
        let rows = 120;
        let table = table(rows);
        let of = made(&table);
        let target = classes(rows, &["p", "q", "r"]);
        let residuals = Residuals::new(&target, &Given::default(), false).unwrap();
        let numbers = Residuals { labels: None, ..residuals.clone() };
        for (how, k) in [(Nearness::Radius, 0), (Nearness::Nearest, 9)] {
            let near = Shared::new(near(&of, how, k), how == Nearness::Nearest);
            for feature in [0, 4, 5] {
                let cells = Columns::new(&of.encoder, &of.rows, &of.measure).cells(feature);
                let run = Run::default();
                let of = |residuals: &Residuals| {
                    Exchanged::new(residuals, 40, 7).by_entries(&cells, &near, &run).unwrap()
                };
                assert_alike(&of(&residuals), &of(&numbers));
            }
        }
    }

    #[test]
    fn closed_moments_are_those_of_many_exchanges() {
        let rows = 60;
        let table = table(rows);
        let of = made(&table);
        let target = classes(rows, &["p", "q", "q", "r"]);
        let residuals = Residuals::new(&target, &Given::default(), false).unwrap();
        let near = near(&of, Nearness::Radius, 0);
        let run = Run::default();
        let weights = Weights::new((&near, &residuals), rows, 0, &run).unwrap();
        let shared = Shared::new(near.clone(), false);
        for feature in [0, 4, 5] {
            let cells = Columns::new(&of.encoder, &of.rows, &of.measure).cells(feature);
            let whole = [(0..rows as u32).collect::<Vec<_>>()];
            let orders: Vec<_> =
                (0..20_000).map(|at| order(rows, &whole, &mut Random::new(5, at))).collect();
            let drawn = NullMoments::of(&moved(&cells, &weights, &orders, &run).unwrap());
            let closed = Moments::new(rows, &weights.sums, &cells.sums().unwrap());
            assert!(drawn.mean.abs() < 0.03 * closed.variance.sqrt(), "{}", drawn.mean);
            assert!((drawn.variance / closed.variance - 1.0).abs() < 0.05);
            let skewness = -closed.skewness();
            assert!((drawn.skewness - skewness).abs() < 0.1, "{} {skewness}", drawn.skewness);
            // The variance over exchanges of the target, too.
            let many = Exchanged::new(&residuals, 20_000, 11);
            let found = many.statistics(&cells, &shared, &run).unwrap();
            let drawn = NullMoments::of(&found.all[1..]).variance;
            assert!((drawn / found.variance.unwrap() - 1.0).abs() < 0.05);
        }
    }

    #[test]
    fn cells_moved_over_sets_give_what_entries_give() {
        let rows = 90;
        let table = table(rows);
        let of = made(&table);
        let strata: Vec<u32> = (0..rows as u32).map(|row| row % 4).collect();
        let given = Given { strata: Some(&strata), ..Given::default() };
        let target = classes(rows, &["p", "q"]);
        let residuals = Residuals::new(&target, &given, false).unwrap();
        let near = near(&of, Nearness::Radius, 0);
        let run = Run::default();
        let weights = Weights::new((&near, &residuals), rows, 0, &run).unwrap();
        let cells = Columns::new(&of.encoder, &of.rows, &of.measure).cells(2);
        let strata = residuals.strata().unwrap();
        let orders: Vec<_> =
            (0..50).map(|at| order(rows, strata, &mut Random::new(5, at))).collect();
        let sets = by_sets(&cells, &weights, &orders).unwrap();
        let entries = moved(&cells, &weights, &orders, &run).unwrap();
        for (a, b) in sets.iter().zip(entries) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn triangles_are_estimated_without_bias() {
        let rows = 80;
        let of = made(&table(rows));
        let near = near(&of, Nearness::Radius, 0);
        let residuals = Residuals::new(&classes(rows, &["p", "q"]), &Given::default(), false);
        let residuals = residuals.unwrap();
        let run = Run::default();
        let exact = Weights::new((&near, &residuals), rows, 0, &run).unwrap();
        let exact_sum = exact.sums.triangles;
        let estimates: Vec<f64> =
            (0..200).map(|seed| exact.estimated_triangles(seed, &run).unwrap()).collect();
        let found = NullMoments::of(&estimates);
        let error = (found.variance / 200.0).sqrt();
        assert!((found.mean - exact_sum).abs() < 4.0 * error, "{} {exact_sum}", found.mean);
    }
}
