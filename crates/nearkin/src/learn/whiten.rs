//! Whitening: a direction in which rows that belong together differ much should count little.
//!
//! ```text
//! S   covariance of rows that belong together
//!       classes:  Σ (x − m)(x − m)ᵀ / n, with m the mean of x's class
//!       targets:  Σ (x − y)(x − y)ᵀ / 2 over its k nearest rows y of x's class, and their mean
//!       triplets: the same with anchors x and positives y
//! V   diagonal matrix of the columns' variances over all rows
//! R = V^-½ S V^-½,  τ = tr R / p
//! W = ((1 − w) I + w R/τ)^-½ V^-½                                  0 < w ≤ 1
//! ```
//!
//! so that with w = 1 rows have within classes a covariance in proportion to the unit matrix (relevant
//! component analysis, and the distance of Mahalanobis); a smaller w shrinks that towards standardised
//! columns, as regularised discriminants do. What columns are measured in plays no part. Targets are
//! nearest by the Euclidean distance of standardised rows, and found once more among rows that these have
//! whitened: where classes have several parts, their means say little and neighbours much.
//!
//! A similarity divides xᵀAy by lengths that A has no part in. Whitening is how those lengths, too, come
//! to know which directions matter.
//!
//! Cost: n p² (k times that and n² p more for targets) for S, p³ for its eigenvalues; memory p².
//!
//! References: A. Bar-Hillel, T. Hertz, N. Shental and D. Weinshall, *Learning a Mahalanobis metric
//! from equivalence constraints*, JMLR 6, 2005. J. H. Friedman, *Regularized discriminant analysis*,
//! JASA 84, 1989.

use super::Common;
use super::task::{Lesson, Task};
use crate::data::{Classes, Dense, Target};
use crate::measure::{Eigen, Norm, Preparation, Prepared, RowScale, Similarity, Whitening};
use crate::neighbors::most_similar_of_groups;
use crate::{Error, Result, Run, choice};

choice! {
    /// Which rows say how rows that belong together differ.
    pub enum WhitenBy {
        /// Every row and the mean of its class.
        Classes = "classes",
        /// Every row and its nearest rows of its class.
        Targets = "targets",
    }
}

/// A variance this small beside the mean one is rounding.
const FLAT: f64 = 1e-10;
/// How often targets are found, each time among rows as whitened so far.
const ROUNDS: usize = 2;

/// What whitening makes of the rows of a task, scaled first; nothing where none is asked for.
pub(crate) fn fit(
    common: &Common,
    task: &Task,
    scale: Option<&RowScale>,
    run: &Run,
) -> Result<Option<Whitening>> {
    if common.whiten == 0.0 {
        return Ok(None);
    }
    if task.rows.is_sparse() {
        return Err(Error::parameter(
            "whiten",
            "would turn the zeros of sparse rows into other numbers; leave it, or give dense rows",
        ));
    }
    let scaled = Preparation { scale: scale.cloned(), ..Norm::Dot.into() };
    let rows = Prepared::new(scaled, task.rows)?;
    let stretch = stretches(&rows);
    let rows = stretched(&rows, &stretch, task.rows.names())?;
    // Of standardised rows.
    let root = |apart| {
        let covariance = covariance(apart, stretch.len(), run)?;
        inverse_root(common.whiten, covariance, &stretch, run)
    };
    let turned = match task.lesson {
        Lesson::Triplets(triplets) => {
            for (at, triplet) in triplets.iter().enumerate() {
                triplet.check(at, rows.rows())?;
            }
            let pairs = triplets.iter().map(|one| (one.anchor as usize, one.positive as usize));
            root(halves(&rows, pairs))?
        }
        Lesson::Classes(Target::Real(_)) => return Ok(None),
        Lesson::Classes(Target::Classes(classes)) => match common.whiten_by {
            WhitenBy::Classes => root(from_means(&rows, classes))?,
            WhitenBy::Targets => {
                let mut turned = Whitening::none(stretch.len());
                for _ in 0..ROUNDS {
                    let pairs = targets(&rows, turned, classes, common.k, run)?;
                    turned = root(halves(&rows, pairs.into_iter()))?;
                }
                turned
            }
        },
    };
    Ok(Some(turned.after(&stretch)))
}

/// One over the deviation of each column, 0 where it has one value only.
fn stretches(rows: &Prepared) -> Vec<f64> {
    let (size, count) = (rows.columns(), rows.rows() as f64);
    let mut low = vec![f64::INFINITY; size];
    let mut high = vec![f64::NEG_INFINITY; size];
    let each = |tell: &mut dyn FnMut(usize, f64)| {
        (0..rows.rows()).for_each(|at| rows.row(at).each(&mut *tell));
    };
    each(&mut |c, x| {
        low[c] = low[c].min(x);
        high[c] = high[c].max(x);
    });
    // Cells between -1 and 1 have squares that can be added.
    let unit: Vec<f64> = low.iter().zip(&high).map(|(l, h)| l.abs().max(h.abs())).collect();
    let mut means = vec![0.0; size];
    each(&mut |c, x| means[c] += x / unit[c] / count);
    let mut squares = vec![0.0; size];
    each(&mut |c, x| squares[c] += (x / unit[c] - means[c]).powi(2) / count);
    let stretch = |c: usize| if low[c] < high[c] { 1.0 / squares[c].sqrt() / unit[c] } else { 0.0 };
    (0..size).map(stretch).collect()
}

fn stretched(rows: &Prepared, stretch: &[f64], names: &[String]) -> Result<Dense> {
    let row = |at: usize| {
        let cells = rows.row(at).to_vec(stretch.len());
        cells.into_iter().zip(stretch).map(|(x, s)| x * s).collect::<Vec<_>>()
    };
    Dense::new(names.to_vec(), (0..rows.rows()).flat_map(row).collect())
}

/// Every row less the mean of its class.
fn from_means(rows: &Dense, classes: &Classes) -> Vec<Vec<f64>> {
    let mut means = vec![vec![0.0; rows.columns()]; classes.len()];
    for (at, &code) in classes.codes().iter().enumerate() {
        let share = 1.0 / classes.counts()[code as usize] as f64;
        let mean = means[code as usize].iter_mut();
        mean.zip(rows.row(at)).for_each(|(m, x)| *m += share * x);
    }
    let codes = classes.codes().iter().enumerate();
    codes.map(|(at, &code)| minus(rows.row(at), &means[code as usize], 1.0)).collect()
}

/// (x − y)/√2 of pairs of rows, which differ by twice the covariance.
fn halves(rows: &Dense, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<f64>> {
    pairs.map(|(x, y)| minus(rows.row(x), rows.row(y), 0.5f64.sqrt())).collect()
}

fn minus(row: &[f64], other: &[f64], factor: f64) -> Vec<f64> {
    row.iter().zip(other).map(|(x, y)| (x - y) * factor).collect()
}

/// Every row with each of its k nearest rows of its class, among rows whitened so far.
fn targets(
    rows: &Dense,
    whitening: Whitening,
    classes: &Classes,
    k: usize,
    run: &Run,
) -> Result<Vec<(usize, usize)>> {
    let names = rows.names().to_vec();
    let how = Preparation { whitening: Some(whitening), ..Norm::Dot.into() };
    let distance = Similarity::euclidean(names).prepared_as(how)?;
    let mut pairs = Vec::new();
    for code in 0..classes.len() as u32 {
        let own = |at: &usize| classes.codes()[*at] == code;
        let own: Vec<usize> = (0..rows.rows()).filter(own).collect();
        let ready = distance.prepare(&rows.select_rows(&own))?;
        let groups = (&vec![0; own.len()][..], 1);
        let found = most_similar_of_groups(&distance, (&ready, &ready), groups, k, true, run)?;
        for (at, near) in found.iter().flatten().enumerate() {
            pairs.extend(near.iter().map(|near| (own[at], own[near.row as usize])));
        }
    }
    Ok(pairs)
}

/// The mean of d dᵀ over differences, row-major.
fn covariance(apart: Vec<Vec<f64>>, size: usize, run: &Run) -> Result<Vec<f64>> {
    let mut sums = vec![0.0; size * size];
    for (at, d) in apart.iter().enumerate() {
        if at % 1024 == 0 {
            run.check(0, 0)?;
        }
        for (i, line) in sums.chunks_exact_mut(size).enumerate() {
            line[i..].iter_mut().zip(&d[i..]).for_each(|(sum, y)| *sum += d[i] * y);
        }
    }
    let count = apart.len().max(1) as f64;
    for i in 0..size {
        for j in i..size {
            sums[i * size + j] /= count;
            sums[j * size + i] = sums[i * size + j];
        }
    }
    Ok(sums)
}

/// ((1 − w) I + w R/τ)^-½ of a covariance R of standardised columns.
fn inverse_root(
    share: f64,
    mut covariance: Vec<f64>,
    stretch: &[f64],
    run: &Run,
) -> Result<Whitening> {
    let size = stretch.len();
    // A column of one value is no direction to look in.
    let columns = stretch.iter().filter(|&&s| s > 0.0).count();
    let mean = (0..size).map(|c| covariance[c * size + c]).sum::<f64>() / columns.max(1) as f64;
    if mean == 0.0 {
        return Err(Error::parameter(
            "whiten",
            "has nothing to go by: rows that belong together are all the same; leave it",
        ));
    }
    covariance.iter_mut().for_each(|cell| *cell *= share / mean);
    for (c, &stretch) in stretch.iter().enumerate() {
        covariance[c * size + c] += if stretch > 0.0 { 1.0 - share } else { 1.0 };
    }
    let eigen = Eigen::of(&covariance, size, run)?;
    let flat = eigen.values.iter().filter(|&&value| value <= FLAT).count();
    if flat > 0 {
        return Err(Error::parameter(
            "whiten",
            format!(
                "rows that belong together are all the same in {flat} of {size} directions, which it \
                 would stretch without end; give less than 1, such as 0.9"
            ),
        ));
    }
    Whitening::new(size, eigen.compose(|value| value.sqrt().recip()))
}
