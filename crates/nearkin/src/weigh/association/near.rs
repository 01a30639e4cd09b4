//! Neighbourhoods that know neither the target nor the feature under test.

use crate::choice;

choice! {
    /// Which rows count as near.
    pub enum Nearness {
        /// Rows nearer than the mean distance less half a deviation, as MultiSURF has it.
        Radius = "radius",
        /// The k nearest rows; rows tied at the last place share its weight.
        Nearest = "nearest",
    }
}

/// The near rows of every row, with their weights; the weights of a row sum to 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Near {
    /// Where the near rows of each row begin, and where the last ones end.
    pub starts: Vec<usize>,
    /// Near rows, ascending for each row.
    pub rows: Vec<u32>,
    /// w_ij beside them.
    pub weights: Vec<f64>,
    /// Rows without any near row.
    pub alone: usize,
}

impl Near {
    /// Room for the near rows of `n` rows, filled by [`Near::push`].
    pub fn new(n: usize) -> Self {
        let mut starts = Vec::with_capacity(n + 1);
        starts.push(0);
        Self { starts, ..Self::default() }
    }

    /// Add the near rows of the next row, which is `row`, given its distances to all rows, which are
    /// rounded by up to `rounding`. Where nothing tells rows apart, all are near alike.
    pub fn push(
        &mut self,
        (how, k): (Nearness, usize),
        row: usize,
        (distances, rounding): (&[f64], f64),
        own: &mut Vec<f64>,
    ) {
        own.clear();
        own.extend(distances[..row].iter().chain(&distances[row + 1..]));
        let (least, most) =
            own.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &d| (a.min(d), b.max(d)));
        match how {
            _ if most - least <= 2.0 * rounding => self.within(f64::INFINITY, row, distances),
            Nearness::Radius => self.within(radius(own), row, distances),
            Nearness::Nearest => self.nearest(k.min(own.len()), row, (distances, own), rounding),
        }
        let last = self.starts[self.starts.len() - 1];
        self.alone += usize::from(self.rows.len() == last);
        self.starts.push(self.rows.len());
    }

    fn within(&mut self, radius: f64, row: usize, distances: &[f64]) {
        let first = self.rows.len();
        let near = distances.iter().enumerate().filter(|(j, d)| **d < radius && *j != row);
        self.rows.extend(near.map(|(j, _)| j as u32));
        let weight = 1.0 / (self.rows.len() - first).max(1) as f64;
        self.weights.resize(self.rows.len(), weight);
    }

    /// What differs by rounding alone is tied.
    fn nearest(
        &mut self,
        k: usize,
        row: usize,
        (distances, own): (&[f64], &mut [f64]),
        rounding: f64,
    ) {
        if k == 0 {
            return;
        }
        let (_, &mut last, _) = own.select_nth_unstable_by(k - 1, f64::total_cmp);
        let is_nearer = |d: f64| d < last - rounding;
        let is_tied = |d: f64| (d - last).abs() <= rounding;
        let nearer = own.iter().filter(|d| is_nearer(**d)).count();
        let tied = own.iter().filter(|d| is_tied(**d)).count();
        let shared = (k - nearer) as f64 / (tied * k) as f64;
        for (j, &d) in distances.iter().enumerate() {
            if j != row && (is_nearer(d) || is_tied(d)) {
                self.rows.push(j as u32);
                self.weights.push(if is_nearer(d) { 1.0 / k as f64 } else { shared });
            }
        }
    }

    /// The entries of row `row`.
    pub fn span(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }
}

/// By how much a distance may be off after columns were taken from it.
pub(super) fn rounding(distances: &[f64]) -> f64 {
    1e-12 * distances.iter().fold(0.0f64, |most, d| most.max(d.abs()))
}

/// The mean of the distances less half their deviation.
fn radius(distances: &[f64]) -> f64 {
    let n = distances.len().max(1) as f64;
    let mean = distances.iter().sum::<f64>() / n;
    let variance = distances.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / n;
    mean - variance.sqrt() / 2.0
}
