//! [`Scorer`]: how similar queries are to every base row, under one matrix.
//!
//! Lower bound for each query: p² multiply-adds to project it, p where A is diagonal, and n · p
//! for n rows. For a distance, rows are mapped once by an L of r rows: r · n · p multiply-adds.

use std::borrow::Cow;

use super::{Compare, Prepared, Row, SquareMatrix, dot};

/// Queries and base rows as a similarity compares them.
///
/// A bilinear form projects the query, xᵀA, and takes inner products. A distance maps all rows
/// first, so that the matrix is the identity; similarities are then distances with the sign
/// turned. Sparse rows stay sparse: there −d² = 2xᵀAy − xᵀAx − yᵀAy.
pub(crate) struct Scorer<'a> {
    matrix: &'a SquareMatrix,
    compare: Compare,
    queries: Cow<'a, Prepared>,
    base: Cow<'a, Prepared>,
    squares: Option<(Vec<f64>, Vec<f64>)>,
}

impl<'a> Scorer<'a> {
    /// Under the bilinear form of `matrix`.
    pub fn new(matrix: &'a SquareMatrix, queries: &'a Prepared, base: &'a Prepared) -> Self {
        let (queries, base) = (Cow::Borrowed(queries), Cow::Borrowed(base));
        Self { matrix, compare: Compare::Similarity, queries, base, squares: None }
    }

    /// As `compare` says; `factor` holds the rows of L with A = LᵀL where A is not diagonal.
    pub fn comparing(
        compare: Compare,
        matrix: &'a SquareMatrix,
        factor: Option<&[Vec<f64>]>,
        queries: &'a Prepared,
        base: &'a Prepared,
    ) -> Self {
        let plain = Self::new(matrix, queries, base);
        match compare {
            Compare::Similarity => plain,
            Compare::SquaredDistance if queries.is_sparse() || base.is_sparse() => {
                let squares = |rows: &Prepared| {
                    let mut projected = vec![0.0; rows.columns()];
                    let square = |row: usize| {
                        matrix.project(rows.row(row), &mut projected);
                        rows.row(row).dot(&projected)
                    };
                    (0..rows.rows()).map(square).collect()
                };
                Self { compare, squares: Some((squares(queries), squares(base))), ..plain }
            }
            _ => {
                let map = |rows: &Prepared| match factor {
                    Some(factor) => rows.mapped(factor.len(), |row, out| {
                        out.iter_mut().zip(factor).for_each(|(o, l)| *o = row.dot(l));
                    }),
                    None if compare == Compare::SquaredDistance => {
                        let root = |row: Row, out: &mut [f64]| {
                            row.each(|l, x| out[l] = x * matrix.at(l, l).sqrt());
                        };
                        rows.mapped(rows.columns(), root)
                    }
                    None => rows.mapped(rows.columns(), |row, out| matrix.project(row, out)),
                };
                let (queries, base) = (Cow::Owned(map(queries)), Cow::Owned(map(base)));
                Self { compare, queries, base, ..plain }
            }
        }
    }

    /// Query `at`, projected by the matrix or mapped, for [`Scorer::score`].
    pub fn project(&self, at: usize) -> Vec<f64> {
        let mut projected = vec![0.0; self.queries.columns()];
        match self.mapped() {
            true => self.queries.row(at).each(|column, x| projected[column] = x),
            false => self.matrix.project(self.queries.row(at), &mut projected),
        }
        projected
    }

    fn mapped(&self) -> bool {
        self.compare != Compare::Similarity && self.squares.is_none()
    }

    /// The similarity of query `at`, projected, and base row `j`.
    pub fn score(&self, projected: &[f64], at: usize, j: usize) -> f64 {
        let row = self.base.row(j);
        match (self.compare, &self.squares) {
            (Compare::Similarity, _) => {
                row.dot(projected) / self.queries.divisor(at, &self.base, j)
            }
            (_, Some((own, base))) => 2.0 * row.dot(projected) - own[at] - base[j],
            (compare, None) => {
                let cells = row.to_vec(projected.len());
                -difference(compare, projected, &cells)
            }
        }
    }

    /// The similarities of query `at` and all base rows.
    pub fn scores(&self, at: usize) -> Vec<f64> {
        let projected = self.project(at);
        let mut scores = vec![0.0; self.base.rows()];
        match &self.squares {
            None if self.mapped() => {
                for (j, score) in scores.iter_mut().enumerate() {
                    if let Row::Dense(row) = self.base.row(j) {
                        *score = -difference(self.compare, &projected, row);
                    }
                }
            }
            None => {
                self.base.products(&projected, &mut scores);
                self.base.divide(&self.queries, at, &mut scores);
            }
            Some((own, base)) => {
                self.base.products(&projected, &mut scores);
                let both = scores.iter_mut().zip(base);
                both.for_each(|(score, square)| *score = 2.0 * *score - own[at] - square);
            }
        }
        scores
    }

    /// Order of rows of equal similarity: the plain similarity, or 0 for a distance.
    pub fn plain(&self, at: usize, j: usize) -> f64 {
        match self.compare {
            Compare::Similarity => self.queries.plain(at, &self.base, j),
            _ => 0.0,
        }
    }
}

/// Σ (x − y)² or Σ |x − y|.
fn difference(compare: Compare, x: &[f64], y: &[f64]) -> f64 {
    let cells = x.iter().zip(y);
    match compare {
        Compare::AbsoluteDistance => cells.map(|(x, y)| (x - y).abs()).sum(),
        Compare::SquaredDistance => cells.map(|(x, y)| (x - y) * (x - y)).sum(),
        Compare::Similarity => dot(x, y),
    }
}
