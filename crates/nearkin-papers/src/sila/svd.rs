//! [`TruncatedSvd`]: many sparse columns as a few dense ones.
//!
//! The d directions v of column space along which rows A spread most, the first d right singular
//! vectors of A: rows become A·v. Found by subspace iteration from a seeded random start, with
//! some directions more than needed,
//!
//! ```text
//! repeat:  Y ← orthonormal basis of A·Q,   Q ← orthonormal basis of Aᵀ·Y
//! (A·Q)ᵀ(A·Q) = W·Σ²·Wᵀ,   V = Q·W,   rows A·V
//! ```
//!
//! Columns are not centred, so that rows without a cell stay where they are, at 0. A direction
//! has no sign of its own; its largest entry is made positive.
//!
//! Cost: stored cells times directions, and columns times directions squared, a round.
//!
//! Lower bound for a round of q directions: 2·q multiply-adds a stored cell, and q² for each row
//! and column to make directions orthogonal.
//!
//! Reference: N. Halko, P. G. Martinsson and J. A. Tropp, *Finding structure with randomness*,
//! SIAM Review 53 (2011), algorithms 4.4 and 5.1.

use rayon::prelude::*;

use nearkin::data::{Dense, Sparse};
use nearkin::measure::{Form, SquareMatrix};
use nearkin::random::Random;
use nearkin::{Result, Run};

/// How many columns to make, and from which start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TruncatedSvd {
    /// Columns to make.
    pub dimensions: usize,
    /// Rounds of the iteration.
    pub rounds: usize,
    /// Seed of the start.
    pub seed: u64,
}

impl Default for TruncatedSvd {
    fn default() -> Self {
        Self { dimensions: 200, rounds: 6, seed: 0 }
    }
}

/// Additional directions: with them the others converge sooner.
const SPARE: usize = 10;

impl TruncatedSvd {
    /// The rows in their new columns, `svd1`, `svd2`, …, the widest spread first; as many as the
    /// rows have at most.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn reduce(&self, rows: &Sparse, run: &Run) -> Result<Dense> {
        let most = rows.rows().min(rows.columns());
        let dimensions = self.dimensions.min(most);
        let width = (dimensions + SPARE).min(most);
        let mut q: Vec<Vec<f64>> = (0..width)
            .map(|number| {
                let mut random = Random::new(self.seed, number as u64);
                (0..rows.columns()).map(|_| random.normal()).collect()
            })
            .collect();
        run.install(|| {
            for round in 0..self.rounds {
                run.check(round as u64, self.rounds as u64)?;
                let mut y = forward(rows, &q);
                orthonormalise(&mut y);
                q = back(rows, &y);
                orthonormalise(&mut q);
            }
            rotated(dimensions, &forward(rows, &q), &q, run)
        })?
    }
}

/// A·Q turned so that its columns are orthogonal, the longest first.
fn rotated(dimensions: usize, y: &[Vec<f64>], q: &[Vec<f64>], run: &Run) -> Result<Dense> {
    let width = y.len();
    let products: Vec<f64> =
        (0..width * width).map(|at| dot(&y[at / width], &y[at % width])).collect();
    let eigen = SquareMatrix::new(Form::Symmetric, width, products)?.eigen(run)?;
    let n = y.first().map_or(0, Vec::len);
    let mut values = vec![0.0; n * dimensions];
    for (place, turn) in eigen.vectors.chunks_exact(width).take(dimensions).enumerate() {
        let at = |from: &[Vec<f64>], row: usize| -> f64 {
            from.iter().zip(turn).map(|(column, w)| column[row] * w).sum()
        };
        let direction = (0..q[0].len()).map(|column| at(q, column));
        let largest = direction.fold(0.0f64, |most, v| if v.abs() > most.abs() { v } else { most });
        let sign = if largest < 0.0 { -1.0 } else { 1.0 };
        for row in 0..n {
            // Adding 0 takes the sign off a zero.
            values[row * dimensions + place] = sign * at(y, row) + 0.0;
        }
    }
    let names = (1..=dimensions).map(|number| format!("svd{number}")).collect();
    Dense::new(names, values)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A·q for each q.
fn forward(rows: &Sparse, q: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let one = |q: &Vec<f64>| {
        let cell = |row: usize| {
            let (columns, values) = rows.row(row);
            columns.iter().zip(values).map(|(&c, v)| v * q[c as usize]).sum()
        };
        (0..rows.rows()).map(cell).collect()
    };
    q.par_iter().map(one).collect()
}

/// Aᵀ·y for each y.
fn back(rows: &Sparse, y: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let one = |y: &Vec<f64>| {
        let mut sums = vec![0.0; rows.columns()];
        for (row, &weight) in y.iter().enumerate() {
            let (columns, values) = rows.row(row);
            columns.iter().zip(values).for_each(|(&c, v)| sums[c as usize] += weight * v);
        }
        sums
    };
    y.par_iter().map(one).collect()
}

/// Gram and Schmidt, twice over against rounding; a vector that is spent becomes 0.
fn orthonormalise(vectors: &mut [Vec<f64>]) {
    for at in 0..vectors.len() {
        let (done, rest) = vectors.split_at_mut(at);
        let own = &mut rest[0];
        let before = dot(own, own).sqrt();
        for _ in 0..2 {
            let along: Vec<f64> = done.par_iter().map(|other| dot(own, other)).collect();
            for (other, along) in done.iter().zip(along) {
                own.iter_mut().zip(other).for_each(|(v, o)| *v -= along * o);
            }
        }
        let length = dot(own, own).sqrt();
        let kept = length > 1e-12 * before;
        let factor = if kept { 1.0 / length } else { 0.0 };
        own.iter_mut().for_each(|v| *v *= factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(n: usize, p: usize, seed: u64) -> Sparse {
        let mut random = Random::new(seed, 7);
        let names = (0..p).map(|c| format!("c{c}")).collect();
        let rows: Vec<Vec<(u32, f64)>> = (0..n)
            .map(|_| {
                let mut cells = Vec::new();
                for column in 0..p {
                    if random.chance(0.4) {
                        cells.push((column as u32, random.normal()));
                    }
                }
                cells
            })
            .collect();
        Sparse::from_rows(names, rows).unwrap()
    }

    /// The eigenvalues of AᵀA are the squared singular values.
    #[test]
    fn columns_are_orthogonal_and_as_long_as_the_singular_values() {
        let rows = matrix(30, 12, 1);
        let dense = rows.to_dense().unwrap();
        let products: Vec<f64> = (0..12 * 12)
            .map(|at| (0..30).map(|r| dense.row(r)[at / 12] * dense.row(r)[at % 12]).sum())
            .collect();
        let wanted = SquareMatrix::new(Form::Symmetric, 12, products)
            .unwrap()
            .eigen(&Run::default())
            .unwrap()
            .values;
        let svd = TruncatedSvd { dimensions: 5, ..TruncatedSvd::default() };
        let reduced = svd.reduce(&rows, &Run::on(1)).unwrap();
        for a in 0..5 {
            for b in 0..5 {
                let product: f64 = (0..30).map(|r| reduced.row(r)[a] * reduced.row(r)[b]).sum();
                let wanted = if a == b { wanted[a] } else { 0.0 };
                assert!((product - wanted).abs() < 1e-6 * wanted.max(1.0), "{a} {b}: {product}");
            }
        }
        assert_eq!(svd.reduce(&rows, &Run::on(3)).unwrap(), reduced);
        let most = TruncatedSvd { dimensions: 13, ..svd }.reduce(&rows, &Run::on(1)).unwrap();
        assert_eq!(most.columns(), 12);
    }

    /// All directions together keep every product of two rows.
    #[test]
    fn as_many_dimensions_as_columns_keep_all_products() {
        let rows = matrix(9, 4, 2);
        let svd = TruncatedSvd { dimensions: 4, ..TruncatedSvd::default() };
        let (dense, reduced) = (rows.to_dense().unwrap(), svd.reduce(&rows, &Run::on(2)).unwrap());
        for a in 0..9 {
            for b in 0..9 {
                let gap = dot(dense.row(a), dense.row(b)) - dot(reduced.row(a), reduced.row(b));
                assert!(gap.abs() < 1e-9, "{a} {b}: {gap}");
            }
        }
    }
}
