//! Neighbourhoods that know neither the target nor the feature under test.

use crate::choice;
use crate::neighbors::overlap::set_words;

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
#[derive(Debug, Clone)]
pub(super) struct Near {
    /// Number of rows.
    pub rows: usize,
    /// Rows without any near row.
    pub alone: usize,
    form: Form,
}

/// How near rows are held: O(n·k) numbers, or n² bits where a radius takes in a share of all.
#[derive(Debug, Clone)]
enum Form {
    Sets(Sets),
    Lists { starts: Vec<usize>, rows: Vec<u32>, weights: Vec<f64>, back: Vec<f64> },
}

/// Near rows as bits: all near rows of a row have the same weight.
#[derive(Debug, Clone)]
pub(super) struct Sets {
    /// Words a row.
    pub words: usize,
    /// The near rows of each row.
    pub bits: Vec<u64>,
    /// The weight of each near row of a row, one over their number.
    pub weights: Vec<f64>,
}

impl Sets {
    /// The near rows of `row`.
    pub fn of(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    /// The pairs that are near both ways.
    pub fn mutual(&self) -> Vec<u64> {
        let mut mutual = vec![0; self.bits.len()];
        for i in 0..self.weights.len() {
            for j in members(self.of(i)).take_while(|&j| j < i) {
                if self.of(j)[i / 64] >> (i % 64) & 1 == 1 {
                    mutual[i * self.words + j / 64] |= 1 << (j % 64);
                    mutual[j * self.words + i / 64] |= 1 << (i % 64);
                }
            }
        }
        mutual
    }
}

/// The members of a set, ascending.
pub(super) fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(at, &word)| {
        std::iter::successors((word > 0).then_some(word), |word| {
            let rest = word & (word - 1);
            (rest > 0).then_some(rest)
        })
        .map(move |word| at * 64 + word.trailing_zeros() as usize)
    })
}

impl Near {
    /// Room for the near rows of `rows` rows, filled by [`Near::push`].
    pub fn new(how: Nearness, rows: usize) -> Self {
        let form = match how {
            Nearness::Radius => {
                let words = set_words(rows);
                let bits = Vec::with_capacity(rows * words);
                Form::Sets(Sets { words, bits, weights: Vec::with_capacity(rows) })
            }
            Nearness::Nearest => {
                let (rows, weights, back) = (Vec::new(), Vec::new(), Vec::new());
                Form::Lists { starts: vec![0], rows, weights, back }
            }
        };
        Self { rows, alone: 0, form }
    }

    /// Bytes that the near rows of `rows` rows take, about.
    pub fn bytes((how, k): (Nearness, usize), rows: usize) -> usize {
        match how {
            Nearness::Radius => rows.saturating_mul(8 * set_words(rows) + 8),
            Nearness::Nearest => rows.saturating_mul(16 * k.min(rows) + 8),
        }
    }

    /// Add the near rows of the next row, which is `row`, given its distances to all rows, which are
    /// rounded by up to `rounding`. Where nothing tells rows apart, all are near alike.
    pub fn push(
        &mut self,
        k: usize,
        row: usize,
        (distances, rounding): (&[f64], f64),
        own: &mut Vec<f64>,
    ) {
        own.clear();
        own.extend(distances[..row].iter().chain(&distances[row + 1..]));
        let (least, most) =
            own.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &d| (a.min(d), b.max(d)));
        let all_alike = most - least <= 2.0 * rounding;
        let found = match &mut self.form {
            Form::Sets(sets) => {
                let radius = if all_alike { f64::INFINITY } else { radius(own) };
                let first = sets.bits.len();
                sets.bits.resize(first + sets.words, 0);
                let set = &mut sets.bits[first..];
                for (word, distances) in set.iter_mut().zip(distances.chunks(64)) {
                    let near = |(j, d): (usize, &f64)| u64::from(*d < radius) << j;
                    *word = distances.iter().enumerate().map(near).fold(0, |a, b| a | b);
                }
                set[row / 64] &= !(1 << (row % 64));
                let count: u32 = set.iter().map(|word| word.count_ones()).sum();
                sets.weights.push(1.0 / f64::from(count.max(1)));
                count as usize
            }
            Form::Lists { starts, rows, weights, .. } => {
                let first = rows.len();
                let k = if all_alike { own.len() } else { k.min(own.len()) };
                nearest(k, row, (distances, own, rounding), rows, weights);
                starts.push(rows.len());
                rows.len() - first
            }
        };
        self.alone += usize::from(found == 0);
    }

    /// Call `each` with every near row of `row`, ascending, and its weight.
    #[inline]
    pub fn each(&self, row: usize, mut each: impl FnMut(usize, f64)) {
        match &self.form {
            Form::Sets(sets) => {
                let weight = sets.weights[row];
                members(sets.of(row)).for_each(|j| each(j, weight));
            }
            Form::Lists { starts, rows, weights, .. } => {
                let span = starts[row]..starts[row + 1];
                let near = rows[span.clone()].iter().zip(&weights[span]);
                near.for_each(|(&j, &weight)| each(j as usize, weight));
            }
        }
    }

    /// [`Near::each`] with the weight of `row` among the near rows of the other, 0 where it is none.
    #[inline]
    pub fn each_both_ways(&self, row: usize, mut each: impl FnMut(usize, f64, f64)) {
        match &self.form {
            Form::Lists { starts, rows, weights, back } if back.len() == rows.len() => {
                for at in starts[row]..starts[row + 1] {
                    each(rows[at] as usize, weights[at], back[at]);
                }
            }
            _ => self.each(row, |j, weight| each(j, weight, self.weight(j, row))),
        }
    }

    /// Look the weights of [`Near::each_both_ways`] up once and for all.
    pub fn know_both_ways(&mut self) {
        let mut found = Vec::new();
        if let Form::Lists { rows, .. } = &self.form {
            found.reserve(rows.len());
            for row in 0..self.rows {
                self.each(row, |j, _| found.push(self.weight(j, row)));
            }
        }
        if let Form::Lists { back, .. } = &mut self.form {
            *back = found;
        }
    }

    /// The weight of row `j` among the near rows of `row`; 0 when it is not near.
    #[inline]
    pub fn weight(&self, row: usize, j: usize) -> f64 {
        match &self.form {
            Form::Sets(sets) => match sets.of(row)[j / 64] >> (j % 64) & 1 {
                1 => sets.weights[row],
                _ => 0.0,
            },
            Form::Lists { starts, rows, weights, .. } => {
                let span = starts[row]..starts[row + 1];
                let found = rows[span.clone()].binary_search(&(j as u32));
                found.map_or(0.0, |at| weights[span.start + at])
            }
        }
    }

    /// The near rows as sets, where they are held so.
    pub fn sets(&self) -> Option<&Sets> {
        match &self.form {
            Form::Sets(sets) => Some(sets),
            Form::Lists { .. } => None,
        }
    }
}

/// Append the k nearest rows of `row`; what differs by rounding alone is tied.
fn nearest(
    k: usize,
    row: usize,
    (distances, own, rounding): (&[f64], &mut [f64], f64),
    rows: &mut Vec<u32>,
    weights: &mut Vec<f64>,
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
            rows.push(j as u32);
            weights.push(if is_nearer(d) { 1.0 / k as f64 } else { shared });
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_of_a_set_are_its_bits() {
        let set = [0b1001, 0, 1 << 63];
        assert_eq!(members(&set).collect::<Vec<_>>(), [0, 3, 191]);
    }

    #[test]
    fn pairs_that_are_near_both_ways_are_mutual() {
        let near = [[1, 2], [0, 2], [1, 3], [0, 1]];
        let mut near_of = Near::new(Nearness::Radius, 4);
        let mut own = Vec::new();
        for (row, near) in near.iter().enumerate() {
            let distance = |j: usize| if near.contains(&j) { 1.0 } else { 9.0 };
            let distances: Vec<f64> = (0..4).map(distance).collect();
            near_of.push(0, row, (&distances, 1e-12), &mut own);
        }
        let sets = near_of.sets().unwrap();
        let mutual = sets.mutual();
        for i in 0..4 {
            let mutual: Vec<usize> = members(&mutual[i * sets.words..][..sets.words]).collect();
            let plain: Vec<usize> =
                (0..4).filter(|&j| near[i].contains(&j) && near[j].contains(&i)).collect();
            assert_eq!(mutual, plain);
            assert_eq!(near_of.weight(i, near[i][0]), 0.5);
            assert_eq!(near_of.weight(i, i), 0.0);
        }
    }
}
