//! The statistic of one feature and its two null distributions.

use super::columns::{Cells, LANES};
use super::near::Near;
use super::residuals::{Residuals, order};
use crate::neighbors::for_each_isa;
use crate::random::Random;
use crate::stats::tails::pearson3_sf;

/// The entries H_ij of one neighbourhood, and the sums of its symmetric form that moments ask for.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    /// H_ij beside the near rows.
    h: Vec<f64>,
    sums: MatrixSums,
}

/// Sums over a symmetric matrix of pairs, its diagonal 0.
#[derive(Debug, Clone, Copy, Default)]
struct MatrixSums {
    total: f64,
    squares: f64,
    squared_rows: f64,
}

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
    const NOTHING: Self = Self { t: 0.0, deviation: 0.0, z: 0.0, p: 1.0 };

    fn new(t: f64, mean: f64, variance: f64, skewness: f64) -> Self {
        let deviation = variance.max(0.0).sqrt();
        // A null that does not vary beyond rounding says nothing.
        if deviation.is_nan() || deviation <= 1e-12 * t.abs().max(mean.abs()) || deviation == 0.0 {
            return Self { t, ..Self::NOTHING };
        }
        let z = (t - mean) / deviation;
        Self { t, deviation, z, p: pearson3_sf(z, skewness) }
    }
}

impl Weights {
    /// H_ij = w_ij (G_ij − Σ_k w_ik G_ik).
    pub fn new(near: &Near, residuals: &Residuals) -> Self {
        let n = near.starts.len() - 1;
        let mut h = Vec::with_capacity(near.rows.len());
        for i in 0..n {
            let span = near.span(i);
            let first = h.len();
            h.extend(near.rows[span.clone()].iter().map(|&j| residuals.product(i, j as usize)));
            let weights = &near.weights[span];
            let mean: f64 = weights.iter().zip(&h[first..]).map(|(w, g)| w * g).sum();
            h[first..].iter_mut().zip(weights).for_each(|(g, w)| *g = w * (*g - mean));
        }
        let sums = MatrixSums::of_symmetric(near, &h);
        Self { h, sums }
    }
}

impl MatrixSums {
    /// The sums of (A + Aᵀ)/2, A given by the entries beside near rows.
    fn of_symmetric(near: &Near, entries: &[f64]) -> Self {
        let n = near.starts.len() - 1;
        let mut rows = vec![0.0; n];
        // Rows are visited in order, so each row's entries are met in order by those before it.
        let mut met = near.starts[..n].to_vec();
        let (mut squares, mut mutual) = (0.0, 0.0);
        for i in 0..n {
            for at in near.span(i) {
                let (j, entry) = (near.rows[at] as usize, entries[at]);
                rows[i] += entry / 2.0;
                rows[j] += entry / 2.0;
                squares += entry * entry;
                let end = near.starts[j + 1];
                while met[j] < end && (near.rows[met[j]] as usize) < i {
                    met[j] += 1;
                }
                if met[j] < end && near.rows[met[j]] as usize == i {
                    mutual += entry * entries[met[j]];
                }
            }
        }
        Self {
            total: rows.iter().sum(),
            squares: (squares + mutual) / 2.0,
            squared_rows: rows.iter().map(|sum| sum * sum).sum(),
        }
    }

    /// The sums of minus the differences of a column.
    fn of_differences(cells: &Cells) -> Self {
        let (mut sums, mut out) = (Self::default(), Vec::new());
        for row in 0..cells.values.len() {
            cells.differences(row, &mut out);
            out[row] = 0.0;
            let sum: f64 = out.iter().sum();
            sums.total -= sum;
            sums.squares += out.iter().map(|d| d * d).sum::<f64>();
            sums.squared_rows += sum * sum;
        }
        sums
    }
}

/// Mean and variance of Σ_ij A_ij B_π(i)π(j) over all permutations π (Mantel 1967).
fn mantel(n: usize, a: MatrixSums, b: MatrixSums) -> (f64, f64) {
    let n = n as f64;
    let mean = a.total * b.total / (n * (n - 1.0));
    let pairs = |s: MatrixSums| s.squared_rows - s.squares;
    let apart = |s: MatrixSums| s.total * s.total + 2.0 * s.squares - 4.0 * s.squared_rows;
    let square = 2.0 * a.squares * b.squares / (n * (n - 1.0))
        + 4.0 * pairs(a) * pairs(b) / (n * (n - 1.0) * (n - 2.0))
        + apart(a) * apart(b) / (n * (n - 1.0) * (n - 2.0) * (n - 3.0));
    (mean, square - mean * mean)
}

/// T of one feature, and what it is compared with when its own cells move.
pub(super) fn by_column(
    cells: &Cells,
    near: &Near,
    weights: &Weights,
    strata: Option<&[Vec<u32>]>,
    (exchanges, seed, feature): (usize, u64, u64),
) -> Found {
    let n = cells.values.len();
    if n < 4 || cells.is_constant() {
        return Found::NOTHING;
    }
    let entries = (&near.starts[..], &near.rows[..], &weights.h[..]);
    let unmoved: Vec<u32> = (0..n as u32).collect();
    let t = cells.moved(entries, &[unmoved])[0];
    let whole = [(0..n as u32).collect::<Vec<_>>()];
    let strata = strata.unwrap_or(&whole);
    let orders = |exchange: usize| {
        let stream = feature * exchanges as u64 + exchange as u64;
        order(n, strata, &mut Random::new(seed ^ COLUMN_STREAMS, stream))
    };
    let mut null = Vec::with_capacity(exchanges);
    for first in (0..exchanges).step_by(LANES) {
        let orders: Vec<_> = (first..exchanges.min(first + LANES)).map(orders).collect();
        null.extend(cells.moved(entries, &orders));
    }
    let drawn = NullMoments::of(&null);
    let (mean, variance) = match strata.len() {
        1 => mantel(n, weights.sums, MatrixSums::of_differences(cells)),
        _ => (drawn.mean, drawn.variance),
    };
    Found::new(t, mean, variance, drawn.skewness)
}

/// Keeps the streams of columns apart from those of the target.
const COLUMN_STREAMS: u64 = 0x9e37_79b9_7f4a_7c15;

/// Residuals under many exchanges, the true ones first, laid out so that exchanges stand together.
pub(super) struct Exchanged {
    /// Chunks of exchanges; of each a block of lanes for every row and residual.
    chunks: Vec<Vec<[f64; LANES]>>,
    width: usize,
    exchanges: usize,
}

impl Exchanged {
    pub fn new(residuals: &Residuals, exchanges: usize, seed: u64) -> Self {
        let width = residuals.width;
        let cells = residuals.values.len();
        let mut chunks = Vec::new();
        for first in (0..=exchanges).step_by(LANES) {
            let mut chunk = vec![[0.0; LANES]; cells];
            for lane in 0..LANES.min(exchanges + 1 - first) {
                let values = match first + lane {
                    0 => residuals.values.clone(),
                    exchange => residuals.exchanged(seed, exchange as u64),
                };
                chunk.iter_mut().zip(values).for_each(|(cell, value)| cell[lane] = value);
            }
            chunks.push(chunk);
        }
        Self { chunks, width, exchanges }
    }

    /// T of one feature for the true target and for every exchange: −Σ_ij w_ij (diff_ij − m_i) G_ij.
    pub fn statistics(&self, cells: &Cells, near: &Near) -> Vec<f64> {
        let n = cells.values.len();
        let (mut kernel, mut out) = (Vec::with_capacity(near.rows.len()), Vec::new());
        for i in 0..n {
            let span = near.span(i);
            cells.differences(i, &mut out);
            let entries = near.rows[span.clone()].iter().zip(&near.weights[span]);
            let mean: f64 = entries.clone().map(|(&j, w)| w * out[j as usize]).sum();
            kernel.extend(entries.map(|(&j, w)| w * (out[j as usize] - mean)));
        }
        let mut all = Vec::with_capacity(self.chunks.len() * LANES);
        for chunk in &self.chunks {
            let sums = quadratic_forms((&near.starts, &near.rows, &kernel), chunk, self.width);
            all.extend(sums.map(|sum| -sum));
        }
        all.truncate(self.exchanges + 1);
        all
    }
}

for_each_isa! {
    /// Σ_ij k_ij Σ_c r_ic r_jc, for each lane.
    fn quadratic_forms[](
        entries: (&[usize], &[u32], &[f64]),
        residuals: &[[f64; LANES]],
        width: usize,
    ) -> [f64; LANES] {
        let (starts, rows, kernel) = entries;
        let mut sums = [0.0; LANES];
        for (i, span) in starts.windows(2).enumerate() {
            for c in 0..width {
                let mut inner = [0.0; LANES];
                let near = rows[span[0]..span[1]].iter().zip(&kernel[span[0]..span[1]]);
                for (&j, &k) in near {
                    let other = &residuals[j as usize * width + c];
                    for lane in 0..LANES {
                        inner[lane] += k * other[lane];
                    }
                }
                let own = &residuals[i * width + c];
                for lane in 0..LANES {
                    sums[lane] += own[lane] * inner[lane];
                }
            }
        }
        sums
    }
}

/// What is found from T, the true one first and exchanges of the target behind it.
pub(super) fn by_target(all: &[f64]) -> Found {
    let Some((&t, null)) = all.split_first() else { return Found::NOTHING };
    let moments = NullMoments::of(null);
    Found::new(t, moments.mean, moments.variance, moments.skewness)
}

/// Mean, variance and skewness of a null sample.
pub(super) struct NullMoments {
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
    use super::*;

    /// Every order of 0..n.
    fn orders(n: usize) -> Vec<Vec<usize>> {
        if n == 0 {
            return vec![vec![]];
        }
        let longer = |short: Vec<usize>| {
            (0..n).map(move |at| {
                let mut order = short.clone();
                order.insert(at, n - 1);
                order
            })
        };
        orders(n - 1).into_iter().flat_map(longer).collect()
    }

    fn symmetric(n: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut random = Random::new(seed, 0);
        let mut matrix = vec![vec![0.0; n]; n];
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let value = random.normal();
            (matrix[i][j], matrix[j][i]) = (value, value);
        }
        matrix
    }

    fn sums(matrix: &[Vec<f64>]) -> MatrixSums {
        let rows: Vec<f64> = matrix.iter().map(|row| row.iter().sum()).collect();
        MatrixSums {
            total: rows.iter().sum(),
            squares: matrix.iter().flatten().map(|x| x * x).sum(),
            squared_rows: rows.iter().map(|x| x * x).sum(),
        }
    }

    #[test]
    fn mantels_moments_are_those_of_all_permutations() {
        for n in [4, 5, 6, 7] {
            let (a, b) = (symmetric(n, 1), symmetric(n, 2));
            let all = orders(n);
            let each = all.iter().map(|order| {
                let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
                pairs.map(|(i, j)| a[i][j] * b[order[i]][order[j]]).sum::<f64>()
            });
            let each: Vec<f64> = each.collect();
            let mean = each.iter().sum::<f64>() / all.len() as f64;
            let variance =
                each.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / all.len() as f64;
            let (ours, spread) = mantel(n, sums(&a), sums(&b));
            assert!((ours - mean).abs() < 1e-10, "{n}: {ours} {mean}");
            assert!((spread - variance).abs() < 1e-9 * variance, "{n}: {spread} {variance}");
        }
    }

    #[test]
    fn sums_of_the_symmetric_form_are_those_of_the_whole_matrix() {
        let near = Near {
            starts: vec![0, 2, 3, 5, 5],
            rows: vec![1, 2, 2, 0, 3],
            weights: vec![0.5, 0.5, 1.0, 0.5, 0.5],
            alone: 1,
        };
        let entries = [2.0, -1.0, 3.0, 5.0, 7.0];
        let mut matrix = vec![vec![0.0; 4]; 4];
        let places = (0..4).flat_map(|i| near.span(i).map(move |at| (i, at)));
        for (i, at) in places {
            let j = near.rows[at] as usize;
            matrix[i][j] += entries[at] / 2.0;
            matrix[j][i] += entries[at] / 2.0;
        }
        let (ours, plain) = (MatrixSums::of_symmetric(&near, &entries), sums(&matrix));
        let all = |s: MatrixSums| [s.total, s.squares, s.squared_rows];
        assert_eq!(all(ours), all(plain));
    }
}
