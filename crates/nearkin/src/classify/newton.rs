//! Steps of a P-SVM that move many weights at once.
//!
//! As long as signs and bounds stay as they are, the objective is a quadratic in the free weights
//! F, those neither 0 nor ±C. It is least after the step d with
//!
//! ```text
//! K_FᵀK_F·d = −(g_F + ε·sign(α_F)),      g = Kᵀ(Kα − (y − b))
//! ```
//!
//! The step ends where the first weight comes to 0 or ±C; that one is let go, what is left of the
//! right side is 1 − t of it after a step of length t, and the others go on. So an end is reached
//! after at most as many steps as there are weights. The factor of K_FᵀK_F is brought up to date
//! when a weight is let go: what is missing of it is one column, added by rotations.

use std::collections::HashMap;

use super::wide::{add, dot};
use crate::{Result, Run};

/// A column of length 1 joins the common step only if at least this much of it is independent of
/// the other columns.
const OWN: f64 = 1e-10;

/// Columns of length 1, and products of those that have been free.
#[derive(Debug)]
pub(super) struct Newton<'k> {
    columns: &'k [Vec<f64>],
    /// The place of a column in `products`.
    place: HashMap<usize, usize>,
    /// Of every column with those before it.
    products: Vec<(usize, Vec<f64>)>,
}

impl<'k> Newton<'k> {
    pub fn new(columns: &'k [Vec<f64>]) -> Self {
        Self { columns, place: HashMap::new(), products: Vec::new() }
    }

    pub fn columns(&self) -> &'k [Vec<f64>] {
        self.columns
    }

    /// Lower bound: n multiply-adds for each column that was free before, once a column.
    fn place(&mut self, column: usize) -> usize {
        if let Some(&place) = self.place.get(&column) {
            return place;
        }
        let with =
            |&(other, _): &(usize, Vec<f64>)| dot(&self.columns[column], &self.columns[other]);
        let row = self.products.iter().map(with).collect();
        self.products.push((column, row));
        self.place.insert(column, self.products.len() - 1);
        self.products.len() - 1
    }

    fn product(&self, a: usize, b: usize) -> f64 {
        self.products[a.max(b)].1[a.min(b)]
    }

    /// Free columns and the factor of their products; columns that the others make up are left
    /// out.
    ///
    /// Lower bound: f³ / 6 multiply-adds for f free columns.
    fn factor(&mut self, alpha: &[f64], c: f64, run: &Run) -> Result<(Vec<usize>, Vec<Vec<f64>>)> {
        let free: Vec<usize> =
            (0..alpha.len()).filter(|&j| alpha[j] != 0.0 && alpha[j].abs() < c).collect();
        let (mut kept, mut at, mut rows) = (Vec::new(), Vec::new(), Vec::<Vec<f64>>::new());
        for j in free {
            run.check(0, 0)?;
            let place = self.place(j);
            let mut row: Vec<f64> = Vec::with_capacity(rows.len() + 1);
            for (above, &other) in rows.iter().zip(&at) {
                let known = dot(&row, &above[..row.len()]);
                row.push((self.product(place, other) - known) / above[row.len()]);
            }
            let own = 1.0 - dot(&row, &row);
            if own > OWN {
                row.push(own.sqrt());
                rows.push(row);
                kept.push(j);
                at.push(place);
            }
        }
        Ok((kept, rows))
    }

    /// Move the free weights to where the objective is least, as far as none has to change its
    /// sign or go beyond a bound; where numbers are too coarse for that, nothing moves.
    ///
    /// Lower bound: those of `factor`, of `solve` and `let_go` for each end that is reached, and
    /// 2 · n · f multiply-adds for slopes before and residuals after.
    pub fn descend(
        &mut self,
        alpha: &mut [f64],
        residual: &mut Vec<f64>,
        (epsilon, c): (f64, f64),
        run: &Run,
    ) -> Result<()> {
        let (mut free, mut rows) = self.factor(alpha, c, run)?;
        let columns = self.columns;
        let moved: Vec<usize> = free.clone();
        let mut to: Vec<f64> = alpha.to_vec();
        let downhill = |&j: &usize| -(dot(&columns[j], residual) + epsilon * alpha[j].signum());
        let mut right: Vec<f64> = free.iter().map(downhill).collect();
        while !free.is_empty() {
            run.check(0, 0)?;
            let step = solve(&rows, &right);
            // How far each weight can go: to 0, or to the bound of its sign.
            let room = |(at, &j): (usize, &usize)| {
                let end = if step[at] * to[j] < 0.0 { 0.0 } else { c.copysign(to[j]) };
                let length = if step[at] == 0.0 { f64::INFINITY } else { (end - to[j]) / step[at] };
                (length, at, end)
            };
            let rooms = free.iter().enumerate().map(room);
            let first = rooms.min_by(|a, b| a.0.total_cmp(&b.0));
            let first = first.filter(|(length, ..)| *length < 1.0);
            let length = first.map_or(1.0, |(length, ..)| length);
            free.iter().zip(&step).for_each(|(&j, step)| to[j] += length * step);
            let Some((_, at, end)) = first else { break };
            to[free[at]] = end;
            right.iter_mut().for_each(|right| *right *= 1.0 - length);
            free.remove(at);
            right.remove(at);
            let_go(&mut rows, at);
        }
        let mut reached = residual.clone();
        for &j in &moved {
            add(&mut reached, to[j] - alpha[j], &columns[j]);
        }
        let height = |weights: &[f64], residual: &[f64]| {
            let weights: f64 = weights.iter().map(|a| a.abs()).sum();
            dot(residual, residual) / 2.0 + epsilon * weights
        };
        if height(&to, &reached) < height(alpha, residual) {
            alpha.copy_from_slice(&to);
            *residual = reached;
        }
        Ok(())
    }
}

/// The x of L·Lᵀ·x = right, L by rows.
///
/// Lower bound: f² multiply-adds for f rows.
fn solve(rows: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut x: Vec<f64> = Vec::with_capacity(right.len());
    for (row, right) in rows.iter().zip(right) {
        x.push((right - dot(&row[..x.len()], &x)) / row[x.len()]);
    }
    for (i, row) in rows.iter().enumerate().rev() {
        x[i] /= row[i];
        let (before, at) = x.split_at_mut(i);
        before.iter_mut().zip(row).for_each(|(x, l)| *x -= l * at[0]);
    }
    x
}

/// The factor without one of its rows and columns.
///
/// Lower bound: for r rows below it r² / 2 rotations of four products and two additions each.
fn let_go(rows: &mut Vec<Vec<f64>>, at: usize) {
    rows.remove(at);
    let mut gone: Vec<f64> = rows[at..].iter_mut().map(|row| row.remove(at)).collect();
    for k in 0..gone.len() {
        let diagonal = rows[at + k][at + k];
        let longer = diagonal.hypot(gone[k]);
        let (cosine, sine) = (longer / diagonal, gone[k] / diagonal);
        rows[at + k][at + k] = longer;
        for (row, gone) in rows[at..].iter_mut().zip(&mut gone).skip(k + 1) {
            let cell = &mut row[at + k];
            *cell = (*cell + sine * *gone) / cosine;
            *gone = cosine * *gone - sine * *cell;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn columns(n: usize, p: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut random = Random::new(seed, 0);
        let column = |_| {
            let cells: Vec<f64> = (0..n).map(|_| random.normal()).collect();
            let length = dot(&cells, &cells).sqrt();
            cells.iter().map(|x| x / length).collect()
        };
        (0..p).map(column).collect()
    }

    #[test]
    fn a_factor_without_a_row_is_the_factor_of_the_others() {
        let columns = columns(30, 9, 1);
        let (_, whole) = Newton::new(&columns).factor(&[0.5; 9], 1.0, &Run::on(1)).unwrap();
        for gone in 0..9 {
            let (mut alpha, mut rows) = ([0.5; 9], whole.clone());
            alpha[gone] = 0.0;
            let (_, direct) = Newton::new(&columns).factor(&alpha, 1.0, &Run::on(1)).unwrap();
            let_go(&mut rows, gone);
            for (a, b) in rows.iter().flatten().zip(direct.iter().flatten()) {
                assert!((a - b).abs() < 1e-13, "without {gone}: {a} {b}");
            }
        }
    }

    #[test]
    fn a_descent_ends_where_no_free_weight_has_a_slope() {
        let (mut columns, mut random) = (columns(40, 12, 2), Random::new(3, 0));
        columns[7] = columns[2].clone();
        for (epsilon, c) in [(0.1, 0.3), (0.01, 5.0)] {
            let mut alpha: Vec<f64> = (0..12).map(|_| 0.2 * random.normal()).collect();
            alpha.iter_mut().for_each(|a| *a = a.clamp(-c, c));
            let mut residual: Vec<f64> = (0..40).map(|_| random.normal()).collect();
            let height = |alpha: &[f64], residual: &[f64]| {
                dot(residual, residual) / 2.0 + epsilon * alpha.iter().map(|a| a.abs()).sum::<f64>()
            };
            let (before, signs) = (height(&alpha, &residual), alpha.clone());
            let start: Vec<f64> = alpha.clone();
            let first = residual.clone();
            let mut newton = Newton::new(&columns);
            newton.descend(&mut alpha, &mut residual, (epsilon, c), &Run::on(1)).unwrap();
            assert!(height(&alpha, &residual) < before);
            for i in 0..40 {
                let steps = columns.iter().zip(alpha.iter().zip(&start));
                let by: f64 = steps.map(|(k, (a, b))| k[i] * (a - b)).sum();
                assert!((residual[i] - first[i] - by).abs() < 1e-12);
            }
            for (j, (&a, &sign)) in alpha.iter().zip(&signs).enumerate() {
                assert!(a.abs() <= c && a * sign >= 0.0);
                // Column 7 equals column 2, so it does not join the common step.
                if a != 0.0 && a.abs() < c && j != 7 {
                    let slope = dot(&columns[j], &residual) + epsilon * a.signum();
                    assert!(slope.abs() < 1e-10, "{j}: {slope}");
                }
            }
        }
    }
}
