//! Relief as plain loops over a full matrix of distances, with every choice an argument: the
//! textbook's, and where it differs a peer's.

use crate::fixture::Data;

pub type Matrix = Vec<Vec<f64>>;

/// The difference of two rows in a feature; `None` where a cell is missing.
pub fn diff(data: &Data, feature: usize, i: usize, j: usize) -> Option<f64> {
    let column = &data.cells[feature];
    let (x, z) = (column[i], column[j]);
    if x.is_nan() || z.is_nan() {
        return None;
    }
    if data.nominal[feature] {
        return Some(f64::from(u8::from(x != z)));
    }
    let range = range(column);
    Some(if range > 0.0 { (x - z).abs() / range } else { 0.0 })
}

/// scikit-rebate's difference in mixed data: 1 beyond a standard deviation.
pub fn ramp(data: &Data, feature: usize, i: usize, j: usize) -> Option<f64> {
    let column = &data.cells[feature];
    let deviation = deviation(column);
    let far = !data.nominal[feature] && (column[i] - column[j]).abs() > deviation;
    if far { Some(1.0) } else { diff(data, feature, i, j) }
}

pub fn range(column: &[f64]) -> f64 {
    let least = column.iter().copied().fold(f64::INFINITY, f64::min);
    column.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Standard deviation with the number of values as divisor.
pub fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

/// Manhattan distances, a mismatch of categories counting `mismatch`; the sum over features
/// that both rows have stands for all.
pub fn distances(data: &Data, mismatch: f64) -> Matrix {
    let one = |i: usize, j: usize| {
        let (mut sum, mut present) = (0.0, 0.0);
        for feature in 0..data.features() {
            if let Some(d) = diff(data, feature, i, j) {
                sum += d * if data.nominal[feature] { mismatch } else { 1.0 };
                present += 1.0;
            }
        }
        sum * data.features() as f64 / present
    };
    (0..data.rows()).map(|i| (0..data.rows()).map(|j| one(i, j)).collect()).collect()
}

/// Row `i` of distances without the row itself.
pub fn others(distances: &Matrix, i: usize) -> Vec<f64> {
    distances[i].iter().enumerate().filter(|(j, _)| *j != i).map(|(_, d)| *d).collect()
}

/// Neighbours whose weighted mean of differences enters a target's update times `whole`.
pub struct Group {
    pub whole: f64,
    pub members: Vec<(usize, f64)>,
    /// 1 − diff in place of diff.
    pub equal: bool,
}

impl Group {
    pub fn even(whole: f64, rows: Vec<usize>) -> Self {
        Self { whole, members: rows.into_iter().map(|row| (row, 1.0)).collect(), equal: false }
    }
}

/// The mean over all targets of their groups' contributions.
pub fn weights(
    data: &Data,
    diff: impl Fn(&Data, usize, usize, usize) -> Option<f64>,
    groups: impl Fn(usize) -> Vec<Group>,
) -> Vec<f64> {
    let mut sums = vec![0.0; data.features()];
    for i in 0..data.rows() {
        for group in groups(i) {
            for (feature, sum) in sums.iter_mut().enumerate() {
                let (mut total, mut used) = (0.0, 0.0);
                for &(j, weight) in &group.members {
                    if let Some(d) = diff(data, feature, i, j) {
                        total += weight * if group.equal { 1.0 - d } else { d };
                        used += weight;
                    }
                }
                if used > 0.0 {
                    *sum += group.whole * total / used;
                }
            }
        }
    }
    sums.iter().map(|sum| sum / data.rows() as f64).collect()
}

/// Rows of each class in order of distance from `i`, itself left out.
pub fn by_class(data: &Data, distances: &Matrix, i: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..data.rows()).filter(|&j| j != i).collect();
    order.sort_by(|&a, &b| distances[i][a].total_cmp(&distances[i][b]));
    let mut found = vec![Vec::new(); data.classes];
    order.into_iter().for_each(|j| found[data.labels[j]].push(j));
    found
}

/// How much the misses of each class count; the arguments are the target's class and the
/// number of neighbours found in each class.
pub type Share<'a> = &'a dyn Fn(usize, &[usize]) -> Vec<f64>;

/// P(C)/(1 − P(y)), shared out among the classes that have a neighbour.
pub fn by_prior(data: &Data) -> impl Fn(usize, &[usize]) -> Vec<f64> {
    let count = |class| data.labels.iter().filter(|&&l| l == class).count() as f64;
    let counts: Vec<f64> = (0..data.classes).map(count).collect();
    move |own, found| {
        let reached = |class: usize| class != own && found[class] > 0;
        let all: f64 = (0..found.len()).filter(|&c| reached(c)).map(|c| counts[c]).sum();
        (0..found.len()).map(|c| if reached(c) { counts[c] / all } else { 0.0 }).collect()
    }
}

/// scikit-rebate's: (C − 1)·(m_c/M)², which is 1/(C − 1) for k of each and looks at no prior.
pub fn by_count(own: usize, found: &[usize]) -> Vec<f64> {
    let misses = |class: usize| if class == own { 0.0 } else { found[class] as f64 };
    let all: f64 = (0..found.len()).map(misses).sum();
    let classes = found.len() as f64 - 1.0;
    (0..found.len())
        .map(|c| if all > 0.0 { classes * (misses(c) / all).powi(2) } else { 0.0 })
        .collect()
}

/// Hits against misses: groups from the neighbours of each class.
pub fn groups(own: usize, members: Vec<Vec<usize>>, share: Share, sign: f64) -> Vec<Group> {
    let found: Vec<usize> = members.iter().map(Vec::len).collect();
    let share = share(own, &found);
    let whole = |class: usize| if class == own { -1.0 } else { share[class] };
    members.into_iter().enumerate().map(|(c, rows)| Group::even(sign * whole(c), rows)).collect()
}

/// ReliefF's neighbours of target `i`.
pub fn nearest(data: &Data, distances: &Matrix, k: usize, share: Share, i: usize) -> Vec<Group> {
    let mut found = by_class(data, distances, i);
    found.iter_mut().for_each(|rows| rows.truncate(k));
    groups(data.labels[i], found, share, 1.0)
}

/// The rows around target `i` whose distance is as asked.
pub fn within(
    data: &Data,
    distances: &Matrix,
    share: Share,
    i: usize,
    asked: impl Fn(f64) -> bool,
) -> Vec<Group> {
    let mut found = by_class(data, distances, i);
    found.iter_mut().for_each(|rows| rows.retain(|&j| asked(distances[i][j])));
    groups(data.labels[i], found, share, 1.0)
}

/// SURF's neighbours under radius `radius`, and with `star` the far ones with opposite signs.
pub fn surf(data: &Data, distances: &Matrix, radius: f64, star: bool, i: usize) -> Vec<Group> {
    let share = by_prior(data);
    let mut found = within(data, distances, &share, i, |d| d < radius);
    if star {
        let far = within(data, distances, &share, i, |d| d > radius);
        found.extend(far.into_iter().map(|group| Group { whole: -group.whole, ..group }));
    }
    found
}

/// MultiSURF's neighbours, and with `star` what is equal among far ones.
pub fn multisurf(
    data: &Data,
    distances: &Matrix,
    share: Share,
    star: bool,
    i: usize,
) -> Vec<Group> {
    let others = others(distances, i);
    let (mean, half) = (mean(&others), deviation(&others) / 2.0);
    let mut found = within(data, distances, share, i, |d| d < mean - half);
    if star {
        let far = within(data, distances, share, i, |d| d > mean + half);
        found.extend(far.into_iter().map(|group| Group { equal: true, ..group }));
    }
    found
}
