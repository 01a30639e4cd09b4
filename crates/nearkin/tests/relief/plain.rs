//! Every method as its paper defines it: loops over rows, no thought of speed.

use nearkin::measure::Clip;
use nearkin::weigh::{ClassScale, Misses, Normaliser, Ties, Weighting};

use super::space::Space;

/// A neighbour and its share of the average.
pub type Shared = Vec<(usize, f64)>;

/// How neighbours are picked and weighed.
#[derive(Clone, Copy)]
pub struct Pick {
    pub k: usize,
    pub ties: Ties,
    pub weighting: Weighting,
    pub sigma: f64,
    pub first_rank: usize,
}

impl Pick {
    pub fn equal(k: usize, ties: Ties) -> Self {
        Self { k, ties, weighting: Weighting::Equal, sigma: 20.0, first_rank: 1 }
    }

    /// The k nearest of some rows with weights that sum to 1.
    pub fn of(&self, rows: &[usize], distance: impl Fn(usize) -> f64) -> Shared {
        let mut near: Vec<(f64, usize)> = rows.iter().map(|&r| (distance(r), r)).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let k = self.k.min(near.len());
        if k == 0 {
            return vec![];
        }
        if self.ties == Ties::Average && self.weighting == Weighting::Equal {
            let last = near[k - 1].0;
            let nearer = near.iter().filter(|(d, _)| *d < last).count();
            let tied = near.iter().filter(|(d, _)| *d == last).count();
            let share = (k - nearer) as f64 / tied as f64;
            return near
                .iter()
                .filter(|(d, _)| *d <= last)
                .map(|&(d, r)| (r, if d < last { 1.0 } else { share } / k as f64))
                .collect();
        }
        near.truncate(k);
        let weight = |(rank, &(d, _)): (usize, &(f64, usize))| match self.weighting {
            Weighting::Equal => 1.0,
            Weighting::Rank => (-((rank + self.first_rank) as f64 / self.sigma).powi(2)).exp(),
            Weighting::Distance => 1.0 / d.max(1e-9),
            Weighting::DistanceSquared => 1.0 / d.max(1e-9).powi(2),
            Weighting::Kernel => (-d / self.sigma).exp(),
            other => unreachable!("{other:?} has no plain definition"),
        };
        let weights: Vec<f64> = near.iter().enumerate().map(weight).collect();
        let sum: f64 = weights.iter().sum();
        near.iter().zip(weights).map(|(&(_, r), w)| (r, w / sum)).collect()
    }
}

/// Weighted mean of a function of differences, over the neighbours that have the feature.
pub fn mean(
    space: &Space,
    i: usize,
    neighbours: &[(usize, f64)],
    of: impl Fn(f64) -> f64,
) -> Vec<f64> {
    (0..space.p)
        .map(|c| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for &(j, w) in neighbours {
                if let Some(diff) = space.update(c, i, j) {
                    sum += w * of(diff);
                    weight += w;
                }
            }
            let all: f64 = neighbours.iter().map(|(_, w)| w).sum();
            if weight > 0.0 { sum * all / weight } else { 0.0 }
        })
        .collect()
}

pub fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(a, b)| *a += factor * b);
}

pub fn scaled(mut of: Vec<f64>, factor: f64) -> Vec<f64> {
    of.iter_mut().for_each(|x| *x *= factor);
    of
}

/// Hits and misses of one target under a distance.
pub fn update(
    space: &Space,
    i: usize,
    pick: Pick,
    misses: Misses,
    priors: &[f64],
    distance: &dyn Fn(usize, usize) -> f64,
    of: impl Fn(f64) -> f64 + Copy,
) -> Vec<f64> {
    let own = space.labels[i];
    let mut sum = vec![0.0; space.p];
    let hits: Vec<usize> = space.members(own).into_iter().filter(|&r| r != i).collect();
    let d = |j: usize| distance(i, j);
    add(&mut sum, -1.0, &mean(space, i, &pick.of(&hits, d), of));
    match misses {
        Misses::NearestOther => {
            let others: Vec<usize> = (0..space.n).filter(|&r| space.labels[r] != own).collect();
            add(&mut sum, 1.0, &mean(space, i, &pick.of(&others, d), of));
        }
        Misses::PerClass => {
            for class in (0..space.classes).filter(|&c| c != own) {
                let near = pick.of(&space.members(class), d);
                let share = priors[class] / (1.0 - priors[own]);
                add(&mut sum, share, &mean(space, i, &near, of));
            }
        }
    }
    sum
}

pub fn relieff(space: &Space, pick: Pick, misses: Misses, priors: &[f64]) -> Vec<f64> {
    average(space, |i| update(space, i, pick, misses, priors, &|a, b| space.distance(a, b), |d| d))
}

fn average(space: &Space, of: impl Fn(usize) -> Vec<f64>) -> Vec<f64> {
    let mut sum = vec![0.0; space.p];
    (0..space.n).for_each(|i| add(&mut sum, 1.0, &of(i)));
    scaled(sum, 1.0 / space.n as f64)
}

/// Kira and Rendell: one hit, one miss, squares.
pub fn relief(space: &Space, squared: bool) -> Vec<f64> {
    let pick = Pick::equal(1, Ties::Index);
    let of = move |d: f64| if squared { d * d } else { d };
    let priors = space.shares();
    let distance = |a: usize, b: usize| space.distance(a, b);
    average(space, |i| update(space, i, pick, Misses::NearestOther, &priors, &distance, of))
}

pub fn relief_psd(space: &Space, k: usize, misses: Misses, clip: Clip) -> Vec<f64> {
    let pick = Pick::equal(k, Ties::Index);
    let priors = space.shares();
    let mut a = vec![0.0; space.p];
    for i in 0..space.n {
        let step = update(space, i, pick, misses, &priors, &|a, b| space.distance(a, b), |d| d);
        add(&mut a, 1.0 / space.n as f64, &step);
        if clip == Clip::EachStep {
            a.iter_mut().for_each(|x| *x = x.max(0.0));
        }
    }
    if clip == Clip::Closed {
        // What is tiny beside the largest is rounding.
        let least = 1e-13 * a.iter().map(|x| x.abs()).fold(0.0, f64::max);
        a.iter_mut().for_each(|x| *x = if *x > least { *x } else { 0.0 });
        let length = a.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.0 {
            a = scaled(a, 1.0 / length);
        }
    }
    a
}

/// `pairs[y][c]`: mean over targets of class y of the mean difference to neighbours in c.
pub fn pairs(space: &Space, pick: Pick) -> Vec<Vec<Vec<f64>>> {
    let of_pair = |y: usize, c: usize| {
        let targets = space.members(y);
        let mut sum = vec![0.0; space.p];
        for &i in &targets {
            let rows: Vec<usize> = space.members(c).into_iter().filter(|&r| r != i).collect();
            add(&mut sum, 1.0, &mean(space, i, &pick.of(&rows, |j| space.distance(i, j)), |d| d));
        }
        scaled(sum, 1.0 / targets.len() as f64)
    };
    (0..space.classes).map(|y| (0..space.classes).map(|c| of_pair(y, c)).collect()).collect()
}

/// Marchiori's class weights and their combination.
pub fn class_dependent(
    space: &Space,
    k: usize,
    scale: ClassScale,
    priors: &[f64],
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut by_class = vec![vec![0.0; space.p]; space.classes];
    for i in 0..space.n {
        let own = space.labels[i];
        for class in 0..space.classes {
            let rows: Vec<usize> = space.members(class).into_iter().filter(|&r| r != i).collect();
            let near = Pick::equal(k, Ties::Index).of(&rows, |j| space.distance(i, j));
            let found = near.len() as f64;
            let means = mean(space, i, &near, |d| d);
            let sign = if class == own { -1.0 } else { 1.0 };
            let factor = match scale {
                ClassScale::Sum => found,
                ClassScale::MeanPerClass => found / k as f64,
                ClassScale::ReliefF if class == own => 1.0,
                ClassScale::ReliefF => priors[class] / (1.0 - priors[own]),
            };
            add(&mut by_class[own], sign * factor, &means);
        }
    }
    let mut all = vec![0.0; space.p];
    for (class, weights) in by_class.iter_mut().enumerate() {
        let size = space.members(class).len() as f64;
        match scale {
            ClassScale::Sum => add(&mut all, 1.0, weights),
            ClassScale::MeanPerClass => {
                *weights = scaled(weights.clone(), 1.0 / size);
                add(&mut all, 1.0, weights);
            }
            ClassScale::ReliefF => {
                *weights = scaled(weights.clone(), 1.0 / size);
                add(&mut all, size / space.n as f64, weights);
            }
        }
    }
    (all, by_class)
}

pub fn normalise(w: &[f64], how: Normaliser, floor: f64) -> Vec<f64> {
    let over = |v: Vec<f64>, m: f64| match m > 0.0 {
        true => scaled(v, 1.0 / m),
        false => vec![1.0; w.len()],
    };
    let max = |v: &[f64]| v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let min = |v: &[f64]| v.iter().copied().fold(f64::INFINITY, f64::min);
    let clipped: Vec<f64> = w.iter().map(|x| x.max(0.0)).collect();
    let sizes: Vec<f64> = w.iter().map(|x| x.abs()).collect();
    match how {
        Normaliser::ClipMax => over(clipped.clone(), max(&clipped)),
        Normaliser::Floor => {
            over(clipped.clone(), max(&clipped)).iter().map(|v| v.max(floor)).collect()
        }
        Normaliser::MinMax => over(w.iter().map(|x| x - min(w)).collect(), max(w) - min(w)),
        Normaliser::Shift => w.iter().map(|x| (1.0 + x) / 2.0).collect(),
        Normaliser::Abs => over(sizes.clone(), max(&sizes)),
        Normaliser::Raw => over(w.to_vec(), max(&sizes)),
        other => unreachable!("{other:?} has no plain definition"),
    }
}

/// What a feedback run is told.
pub struct Feedback<'a> {
    pub pick: Pick,
    pub how: Normaliser,
    pub floor: f64,
    pub refresh: usize,
    pub schedule: &'a dyn Fn(f64) -> f64,
    /// What becomes of the running weight and the learned factor of a column: as good as nothing.
    pub shake: &'a dyn Fn(usize, f64) -> f64,
}

/// dReliefF and pdReliefF over the rows in table order.
pub fn feedback(space: &Space, with: &Feedback, priors: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; space.p];
    let mut f = vec![1.0; space.p];
    for t in 0..space.n {
        if t % with.refresh == 0 && t > 0 {
            let shake = |cells: &mut [f64]| {
                cells.iter_mut().enumerate().for_each(|(c, cell)| *cell = (with.shake)(c, *cell));
            };
            let mut means = scaled(sum.clone(), 1.0 / t as f64);
            shake(&mut means);
            let v = normalise(&means, with.how, with.floor);
            let alpha = (with.schedule)(t as f64 / space.n as f64);
            f = v.iter().map(|v| (1.0 - alpha) + alpha * v).collect();
            shake(&mut f);
        }
        let distance = |i: usize, j: usize| space.weighted(i, j, &f);
        let step = update(space, t, with.pick, Misses::PerClass, priors, &distance, |d| d);
        add(&mut sum, 1.0, &step);
    }
    scaled(sum, 1.0 / space.n as f64)
}

/// Robnik-Šikonja and Kononenko's figure 3.
pub fn rrelieff(space: &Space, y: &[f64], pick: Pick) -> Vec<f64> {
    let high = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = y.iter().copied().fold(f64::INFINITY, f64::min);
    let apart = |i: usize, j: usize| {
        if high > low { (y[i] - y[j]).abs() / (high - low) } else { 0.0 }
    };
    let of_feature = |c: usize| {
        // A pair the policy leaves out counts nowhere.
        let (mut m, mut ndc, mut nda, mut ndcda) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..space.n {
            let rows: Vec<usize> = (0..space.n).filter(|&j| j != i).collect();
            for (j, d) in pick.of(&rows, |j| space.distance(i, j)) {
                let Some(diff) = space.update(c, i, j) else { continue };
                m += d;
                ndc += apart(i, j) * d;
                nda += diff * d;
                ndcda += apart(i, j) * diff * d;
            }
        }
        let first = if ndc > m * 1e-12 { ndcda / ndc } else { 0.0 };
        let second = if m - ndc > m * 1e-12 { (nda - ndcda) / (m - ndc) } else { 0.0 };
        first - second
    };
    (0..space.p).map(of_feature).collect()
}

/// Equations 16 to 18, numbers cut into intervals, rows without the value left out.
pub fn myopic(values: &[Vec<Option<usize>>], labels: &[usize]) -> Vec<f64> {
    let of_feature = |cells: &Vec<Option<usize>>| {
        let known: Vec<(usize, usize)> =
            cells.iter().zip(labels).filter_map(|(v, &c)| v.map(|v| (v, c))).collect();
        let n = known.len() as f64;
        if known.is_empty() {
            return 0.0;
        }
        let value_max = known.iter().map(|k| k.0).max().unwrap();
        let class_max = known.iter().map(|k| k.1).max().unwrap();
        let p_value = |v: usize| known.iter().filter(|k| k.0 == v).count() as f64 / n;
        let p_class = |c: usize| known.iter().filter(|k| k.1 == c).count() as f64 / n;
        let p_both = |v: usize, c: usize| known.iter().filter(|k| **k == (v, c)).count() as f64 / n;
        let equal: f64 = (0..=value_max).map(|v| p_value(v).powi(2)).sum();
        let same: f64 = (0..=class_max).map(|c| p_class(c).powi(2)).sum();
        let gini: f64 = (0..=value_max)
            .filter(|&v| p_value(v) > 0.0)
            .map(|v| {
                let inside: f64 =
                    (0..=class_max).map(|c| (p_both(v, c) / p_value(v)).powi(2)).sum();
                p_value(v).powi(2) / equal * inside
            })
            .sum::<f64>()
            - same;
        if same < 1.0 - 1e-12 { equal * gini / (same * (1.0 - same)) } else { 0.0 }
    };
    values.iter().map(of_feature).collect()
}

/// The radius family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Radius {
    Surf,
    SurfStar,
    MultiSurf,
    MultiSurfStar,
}

/// A sum that keeps what it rounds off and adds it in the end (A. Neumaier, 1974).
fn without_loss(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut off) = (0.0f64, 0.0);
    for term in terms {
        let next = sum + term;
        off += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
    }
    sum + off
}

pub fn radius(space: &Space, kind: Radius, priors: &[f64]) -> Vec<f64> {
    let n = space.n;
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| space.distance(i, j)));
    let overall = without_loss(pairs) / (n * (n - 1) / 2) as f64;
    average(space, |i| {
        let others: Vec<(usize, f64)> =
            (0..n).filter(|&j| j != i).map(|j| (j, space.distance(i, j))).collect();
        let mean_i = others.iter().map(|o| o.1).sum::<f64>() / others.len() as f64;
        let variance =
            others.iter().map(|o| (o.1 - mean_i).powi(2)).sum::<f64>() / others.len() as f64;
        let half = variance.sqrt() / 2.0;
        let (near, far) = match kind {
            Radius::Surf | Radius::SurfStar => (overall, overall),
            _ => (mean_i - half, mean_i + half),
        };
        let rows = |pass: &dyn Fn(f64) -> bool| -> Vec<usize> {
            others.iter().filter(|o| pass(o.1)).map(|o| o.0).collect()
        };
        let (near, far) = (rows(&|d| d < near), rows(&|d| d > far));
        let mut sum = side(space, i, &near, priors, |d| d);
        match kind {
            Radius::SurfStar => add(&mut sum, -1.0, &side(space, i, &far, priors, |d| d)),
            Radius::MultiSurfStar => add(&mut sum, 1.0, &side(space, i, &far, priors, |d| 1.0 - d)),
            _ => {}
        }
        // A column without any value takes no part, although all its cells are equal.
        let nothing = |c: usize| (0..n).all(|row| space.is_missing(c, row));
        (0..space.p).filter(|&c| nothing(c)).for_each(|c| sum[c] = 0.0);
        sum
    })
}

/// Minus the mean over hits, plus the mean over misses, classes of misses by their priors.
fn side(
    space: &Space,
    i: usize,
    rows: &[usize],
    priors: &[f64],
    of: impl Fn(f64) -> f64 + Copy,
) -> Vec<f64> {
    let own = space.labels[i];
    let of_class = |class: usize| -> Shared {
        let rows: Vec<usize> = rows.iter().copied().filter(|&r| space.labels[r] == class).collect();
        rows.iter().map(|&r| (r, 1.0 / rows.len() as f64)).collect()
    };
    let mut sum = vec![0.0; space.p];
    add(&mut sum, -1.0, &mean(space, i, &of_class(own), of));
    let present: Vec<usize> =
        (0..space.classes).filter(|&c| c != own && !of_class(c).is_empty()).collect();
    let whole: f64 = present.iter().map(|&c| priors[c]).sum();
    for &class in &present {
        add(&mut sum, priors[class] / whole, &mean(space, i, &of_class(class), of));
    }
    sum
}

/// Sun's batch I-RELIEF; Manhattan distances with the weights as factors.
pub fn i_relief(space: &Space, sigma: f64, tolerance: f64, iterations: usize) -> Vec<f64> {
    let mut w = vec![1.0 / (space.p as f64).sqrt(); space.p];
    for _ in 0..iterations {
        let mut nu = vec![0.0; space.p];
        for n in 0..space.n {
            let f: Vec<f64> = (0..space.n)
                .map(|i| (-space.weighted(n, i, &w) / sigma).exp() * f64::from(u8::from(i != n)))
                .collect();
            let side = |miss: bool| -> Shared {
                let rows = (0..space.n)
                    .filter(|&i| i != n && (space.labels[i] != space.labels[n]) == miss);
                let rows: Vec<usize> = rows.collect();
                let sum: f64 = rows.iter().map(|&i| f[i]).sum();
                rows.iter().map(|&i| (i, f[i] / sum)).collect()
            };
            let miss_sum: f64 =
                (0..space.n).filter(|&i| space.labels[i] != space.labels[n]).map(|i| f[i]).sum();
            let gamma = 1.0 - miss_sum / f.iter().sum::<f64>();
            add(&mut nu, gamma, &mean(space, n, &side(true), |d| d));
            add(&mut nu, -gamma, &mean(space, n, &side(false), |d| d));
        }
        let least = 1e-13 * nu.iter().map(|x| x.abs()).fold(0.0, f64::max);
        nu.iter_mut().for_each(|x| *x = if *x > least { *x } else { 0.0 });
        let length = nu.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            return vec![0.0; space.p];
        }
        let new = scaled(nu, 1.0 / length);
        let moved = new.iter().zip(&w).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        w = new;
        if moved < tolerance {
            break;
        }
    }
    w
}

/// The best of all k, and which it was (the smallest among equals).
pub fn relief_seq(space: &Space, k_min: usize, k_max: usize, priors: &[f64]) -> Vec<(f64, usize)> {
    let mut best = vec![(f64::NEG_INFINITY, 0); space.p];
    for k in k_min..=k_max {
        let weights = relieff(space, Pick::equal(k, Ties::Index), Misses::PerClass, priors);
        for (best, weight) in best.iter_mut().zip(weights) {
            if weight > best.0 {
                *best = (weight, k);
            }
        }
    }
    best
}
