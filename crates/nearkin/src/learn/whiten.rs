//! Whitening: a direction in which rows that belong together differ much should count little.
//!
//! ```text
//! S   covariance of rows that belong together
//!       classes:  Σ (x − m)(x − m)ᵀ / n, with m the mean of x's class
//!       targets:  Σ (x − y)(x − y)ᵀ / 2 over its k nearest rows y of x's class, and their mean
//!       triplets: the same with anchors x and positives y
//! V   diagonal matrix of the columns' variances over all rows
//! R = V^-½ S V^-½,  τ = tr R / p, with p the number of columns that vary
//! W = ((1 − w) I + w R/τ)^-½ V^-½                                  0 < w ≤ 1
//! ```
//!
//! With w = 1 the covariance of rows within classes is a multiple of the unit matrix (relevant
//! component analysis, and the distance of Mahalanobis). A smaller w shrinks it towards that of
//! standardised columns, as regularised discriminants do. The units of columns do not matter.
//! Targets are nearest by the Euclidean distance of standardised rows. They are found once more
//! among the rows whitened by the first ones: where a class has several parts, neighbours say more
//! than the mean of the class.
//!
//! A similarity divides xᵀAy by lengths that do not depend on A. Whitening makes those lengths,
//! too, depend on the directions that matter.
//!
//! Cost: n p² for S, or for targets twice k n p² and n² p within classes; p³ for eigenvalues.
//! Memory: another copy of the rows, n k pairs for targets, and p².
//!
//! References: A. Bar-Hillel, T. Hertz, N. Shental and D. Weinshall, *Learning a Mahalanobis metric
//! from equivalence constraints*, JMLR 6, 2005. J. H. Friedman, *Regularized discriminant
//! analysis*, JASA 84, 1989.

use super::LearnSettings;
use super::task::{Lesson, Task};
use crate::data::{Classes, Dense, Target};
use crate::measure::{Eigen, Norm, Preparation, Prepared, RowScale, Similarity, Whitening};
use crate::neighbors::most_similar_of_groups;
use crate::{Error, LearnError, ParameterError, Result, Run, choice};

choice! {
    /// Which rows say how rows that belong together differ.
    pub enum WhitenBy {
        /// Every row and the mean of its class.
        Classes = "classes",
        /// Every row and its nearest rows of its class.
        Targets = "targets",
    }
}

/// A deviation this small, relative to the largest number of a column, is rounding.
const ROUNDING: f64 = 1e-12;
/// A variance this small, relative to the mean one, is rounding.
const FLAT: f64 = 1e-10;
/// How often targets are found, each time among rows as whitened so far.
const ROUNDS: usize = 2;

/// Whitening of the rows of a task, after they are scaled; none when the settings ask for none.
pub(crate) fn fit(
    common: &LearnSettings,
    norm: Norm,
    task: &Task,
    scale: Option<&RowScale>,
    run: &Run,
) -> Result<Option<Whitening>> {
    if common.whiten == 0.0 {
        return Ok(None);
    }
    if matches!(norm, Norm::Dice | Norm::Jaccard) {
        let reason = ParameterError::WhitenCounts { norm: norm.word() };
        return Err(Error::parameter("whiten", reason));
    }
    if task.rows.is_sparse() {
        return Err(Error::parameter("whiten", ParameterError::WhitenSparse));
    }
    let scaled = Preparation { scale: scale.cloned(), ..Norm::Dot.into() };
    let rows = Prepared::new(scaled, task.rows)?;
    let (rows, stretch) = standardised(&rows, task.rows.names())?;
    let size = stretch.len();
    let root = |covariance, why| inverse_root(common.whiten, covariance, &stretch, why, run);
    let turned = match task.lesson {
        Lesson::Triplets(_) if common.whiten_by != WhitenBy::Classes => {
            return Err(Error::parameter("whiten_by", ParameterError::UnusedByTriplets));
        }
        Lesson::Triplets(triplets) => {
            for (at, triplet) in triplets.iter().enumerate() {
                triplet.check(at, rows.rows())?;
            }
            let pairs = triplets.iter().map(|one| (one.anchor as usize, one.positive as usize));
            root(
                covariance(halves(&rows, pairs), size, run)?,
                "anchors are their positives; leave it",
            )?
        }
        Lesson::Classes(Target::Real(_)) => return Ok(None),
        Lesson::Classes(Target::Classes(classes)) if classes.counts().iter().all(|&c| c < 2) => {
            return Err(LearnError::NoTargets.into());
        }
        Lesson::Classes(Target::Classes(classes)) => match common.whiten_by {
            WhitenBy::Classes => {
                let means = means(&rows, classes);
                let codes = classes.codes().iter().enumerate();
                let apart =
                    codes.map(|(at, &code)| minus(rows.row(at), &means[code as usize], 1.0));
                root(covariance(apart, size, run)?, "rows of a class are all the same; leave it")?
            }
            WhitenBy::Targets => {
                let why = "the nearest rows of a class are all the same; take a larger k, or \
                           whiten by classes";
                let mut turned = Whitening::none(size);
                for _ in 0..ROUNDS {
                    let pairs = targets(&rows, turned, classes, common.k, run)?;
                    turned = root(covariance(halves(&rows, pairs.into_iter()), size, run)?, why)?;
                }
                turned
            }
        },
    };
    Ok(Some(turned.after(&stretch)))
}

/// Rows with columns of mean 0 and deviation 1, and one over those deviations; 0 for a column that
/// is constant up to rounding.
fn standardised(rows: &Prepared, names: &[String]) -> Result<(Dense, Vec<f64>)> {
    let (size, count) = (rows.columns(), rows.rows() as f64);
    let each = |tell: &mut dyn FnMut(usize, f64)| {
        (0..rows.rows()).for_each(|at| rows.row(at).each(&mut *tell));
    };
    // Cells between -1 and 1 have squares that can be added.
    let mut unit = vec![0.0f64; size];
    each(&mut |c, x| unit[c] = unit[c].max(x.abs()));
    unit.iter_mut().filter(|unit| **unit == 0.0).for_each(|unit| *unit = 1.0);
    let mut means = vec![0.0; size];
    each(&mut |c, x| means[c] += x / unit[c] / count);
    let mut squares = vec![0.0; size];
    each(&mut |c, x| squares[c] += (x / unit[c] - means[c]).powi(2) / count);
    let spread: Vec<f64> = squares.iter().map(|s| s.sqrt()).collect();
    let one_over = |c: usize| if spread[c] > ROUNDING { 1.0 / spread[c] } else { 0.0 };
    let factors: Vec<f64> = (0..size).map(one_over).collect();
    let row = |at: usize| {
        let cells = rows.row(at).to_vec(size).into_iter().enumerate();
        cells.map(|(c, x)| (x / unit[c] - means[c]) * factors[c]).collect::<Vec<_>>()
    };
    let cells = (0..rows.rows()).flat_map(row).collect();
    let stretch: Vec<f64> = factors.iter().zip(&unit).map(|(f, u)| f / u).collect();
    if let Some(column) = stretch.iter().position(|s| !s.is_finite()) {
        return Err(LearnError::TooSmallToWhiten { column: names[column].clone() }.into());
    }
    Ok((Dense::new(names.to_vec(), cells)?, stretch))
}

fn means(rows: &Dense, classes: &Classes) -> Vec<Vec<f64>> {
    let mut means = vec![vec![0.0; rows.columns()]; classes.len()];
    for (at, &code) in classes.codes().iter().enumerate() {
        let share = 1.0 / classes.counts()[code as usize] as f64;
        let mean = means[code as usize].iter_mut();
        mean.zip(rows.row(at)).for_each(|(m, x)| *m += share * x);
    }
    means
}

/// (x − y)/√2 of pairs of rows, which differ by twice the covariance.
fn halves(
    rows: &Dense,
    pairs: impl Iterator<Item = (usize, usize)>,
) -> impl Iterator<Item = Vec<f64>> {
    pairs.map(|(x, y)| minus(rows.row(x), rows.row(y), 0.5f64.sqrt()))
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
fn covariance(apart: impl Iterator<Item = Vec<f64>>, size: usize, run: &Run) -> Result<Vec<f64>> {
    let mut sums = vec![0.0; size * size];
    let mut count = 0usize;
    for d in apart {
        if count.is_multiple_of(1024) {
            run.check(0, 0)?;
        }
        count += 1;
        for (i, line) in sums.chunks_exact_mut(size).enumerate() {
            line[i..].iter_mut().zip(&d[i..]).for_each(|(sum, y)| *sum += d[i] * y);
        }
    }
    for i in 0..size {
        for j in i..size {
            sums[i * size + j] /= count.max(1) as f64;
            sums[j * size + i] = sums[i * size + j];
        }
    }
    Ok(sums)
}

/// ((1 − w) I + w R/τ)^-½ of a covariance R of standardised columns; `why` says why R may be 0.
fn inverse_root(
    share: f64,
    mut covariance: Vec<f64>,
    stretch: &[f64],
    why: &'static str,
    run: &Run,
) -> Result<Whitening> {
    let size = stretch.len();
    // A constant column is no direction.
    let columns = stretch.iter().filter(|&&s| s > 0.0).count();
    let mean = (0..size).map(|c| covariance[c * size + c]).sum::<f64>() / columns.max(1) as f64;
    if mean <= ROUNDING * ROUNDING {
        return Err(Error::parameter("whiten", ParameterError::WhitenByNothing { why }));
    }
    covariance.iter_mut().for_each(|cell| *cell *= share / mean);
    for (c, &stretch) in stretch.iter().enumerate() {
        covariance[c * size + c] += if stretch > 0.0 { 1.0 - share } else { 1.0 };
    }
    let eigen = Eigen::of(&covariance, size, run)?;
    let flat = eigen.values.iter().filter(|&&value| value <= FLAT).count();
    if flat > 0 {
        return Err(Error::parameter("whiten", ParameterError::WhitenFlat { flat, size }));
    }
    Whitening::new(size, eigen.compose(|value| value.sqrt().recip()))
}
