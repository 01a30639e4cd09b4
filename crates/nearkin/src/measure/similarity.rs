//! [`Similarity`]: how alike two rows of numbers are, as a bilinear form over a norm.
//!
//! ```text
//! s_A(x, y) = xᵀAy / N(x, y)                                                 (equation 1)
//! ```
//!
//! | norm    | N(x, y)               | plain A | rows                   |
//! |---------|-----------------------|---------|------------------------|
//! | dot     | 1                     | I       | any                    |
//! | cosine  | ‖x‖₂ ‖y‖₂             | I       | not all zero           |
//! | dice    | ‖x‖₁ + ‖y‖₁           | 2I      | 0/1, or at least ≥ 0   |
//! | jaccard | ‖x‖₁ + ‖y‖₁ − xᵀy     | I       | 0/1, or at least ≥ 0   |
//!
//! N does not depend on A. Two rows of zeros have Dice and Jaccard similarity 0. A diagonal A
//! weighs features, a symmetric one weighs pairs of them too, and a full one may see x in y
//! otherwise than y in x. Where A is positive semi-definite, A = LᵀL and s_A is the inner
//! product of Lx and Ly over N.
//!
//! Cost: n·p² to project n rows (n·p for a diagonal A), n·m·p against m rows.
//!
//! Reference: A. M. Qamar, E. Gaussier, J.-P. Chevallet and J. H. Lim, *Similarity learning for
//! nearest neighbor classification*, ICDM 2008.

use rayon::prelude::*;

use super::{Form, Matrix, dot};
use crate::data::Dense;
use crate::{Error, Result, Run, choice};

/// Query rows in a task, and base rows they meet while both are in cache.
const TILE: (usize, usize) = (32, 64);

choice! {
    /// What the bilinear form of two rows is divided by.
    pub enum Norm {
        /// Nothing.
        Dot = "dot",
        /// The product of their lengths.
        Cosine = "cosine",
        /// The sum of their sums.
        Dice = "dice",
        /// The sum of their sums less what they share.
        Jaccard = "jaccard",
    }
}

impl Norm {
    /// The plain similarity's A is this much of the identity.
    pub fn plain(self) -> f64 {
        if self == Norm::Dice { 2.0 } else { 1.0 }
    }

    fn word(self) -> String {
        crate::parameter::Value::show(&self)
    }
}

/// Rows made ready for a norm: unit rows for the cosine, sums for Dice and Jaccard.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    norm: Norm,
    rows: usize,
    columns: usize,
    cells: Vec<f64>,
    sums: Vec<f64>,
    binary: bool,
}

impl Prepared {
    /// Make rows ready, or say which row the norm cannot take.
    pub fn new(norm: Norm, dense: &Dense) -> Result<Self> {
        let name = |column: usize| format!("column `{}`", dense.names()[column]);
        Self::from_cells(norm, dense.columns(), dense.cells().to_vec(), name)
    }

    fn from_cells(
        norm: Norm,
        columns: usize,
        mut cells: Vec<f64>,
        name: impl Fn(usize) -> String,
    ) -> Result<Self> {
        let mut sums = Vec::new();
        let mut binary = true;
        for (at, row) in cells.chunks_exact_mut(columns.max(1)).enumerate() {
            if let Some(column) = row.iter().position(|x| !x.is_finite()) {
                return Err(Error::data(format!(
                    "row {at}, {}: {} is no finite number, and similarities need them",
                    name(column),
                    row[column]
                )));
            }
            match norm {
                Norm::Dot => {}
                Norm::Cosine => {
                    let largest = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
                    if largest == 0.0 {
                        return Err(Error::data(format!(
                            "row {at} is all zeros, and a zero row has no cosine with any other; \
                             drop it, or use the norm dot"
                        )));
                    }
                    // Scaled first only where squares would overflow or vanish.
                    let safe = (1e-150..1e150).contains(&largest);
                    let unit = if safe { 1.0 } else { largest };
                    row.iter_mut().for_each(|x| *x /= unit);
                    let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
                    row.iter_mut().for_each(|x| *x /= length);
                }
                Norm::Dice | Norm::Jaccard => {
                    if let Some(column) = row.iter().position(|&x| x < 0.0) {
                        return Err(Error::data(format!(
                            "row {at}, {}: {} is negative, and {} compares what is present with \
                             what is absent; give 0/1 columns, or use the norm cosine",
                            name(column),
                            row[column],
                            norm.word()
                        )));
                    }
                    binary &= row.iter().all(|&x| x == 0.0 || x == 1.0);
                    sums.push(row.iter().sum());
                }
            }
        }
        Ok(Self { norm, rows: cells.len() / columns.max(1), columns, cells, sums, binary })
    }

    /// The norm the rows were made ready for.
    pub fn norm(&self) -> Norm {
        self.norm
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Row `row` as inner products take it: of length 1 under the cosine.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.columns..][..self.columns]
    }

    /// What is left to divide inner products of [`Prepared::row`]s by; infinite where N is 0.
    pub fn divisor(&self, row: usize, other: &Self, j: usize) -> f64 {
        let n = match self.norm {
            Norm::Dot | Norm::Cosine => return 1.0,
            Norm::Dice => self.sums[row] + other.sums[j],
            Norm::Jaccard => self.sums[row] + other.sums[j] - dot(self.row(row), other.row(j)),
        };
        // Similarity 0 where N is: two rows of zeros share nothing.
        if n == 0.0 { f64::INFINITY } else { n }
    }

    /// The plain similarity of two rows.
    pub fn plain(&self, row: usize, other: &Self, j: usize) -> f64 {
        self.norm.plain() * dot(self.row(row), other.row(j)) / self.divisor(row, other, j)
    }

    /// What a reader of the results should know of these rows.
    pub fn note(&self) -> Option<String> {
        let beyond = match self.norm {
            Norm::Jaccard => ", and where they exceed 1 the norm can fall below 0",
            _ => "",
        };
        (!self.binary).then(|| {
            format!(
                "{} is meant for 0/1 columns and some values are others: they are taken as \
                 amounts{beyond}",
                self.norm.word()
            )
        })
    }
}

/// A similarity of rows: its matrix, its norm and the columns it is about.
///
/// ```
/// use nearkin::measure::{Form, Matrix, Norm, Similarity};
/// let names = vec!["x".to_owned(), "y".to_owned()];
/// let cosine = Similarity::plain(Norm::Cosine, names.clone());
/// assert!((cosine.score(&[1.0, 0.0], &[1.0, 1.0])? - 0.5f64.sqrt()).abs() < 1e-15);
/// let weighed = Matrix::new(Form::Diagonal, 2, vec![0.0, 3.0])?;
/// assert_eq!(Similarity::new(weighed, Norm::Dot, names)?.score(&[1.0, 2.0], &[4.0, 5.0])?, 30.0);
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Similarity {
    matrix: Matrix,
    norm: Norm,
    columns: Vec<String>,
}

impl Similarity {
    /// A similarity of rows with these columns.
    pub fn new(matrix: Matrix, norm: Norm, columns: Vec<String>) -> Result<Self> {
        if matrix.size() != columns.len() {
            return Err(Error::data(format!(
                "the matrix is about {} features and there are {} columns",
                matrix.size(),
                columns.len()
            )));
        }
        if !matrix.is_finite() {
            return Err(Error::data("the matrix of a similarity must hold finite numbers"));
        }
        Ok(Self { matrix, norm, columns })
    }

    /// The plain similarity of the norm: inner product, cosine, Dice or Jaccard.
    pub fn plain(norm: Norm, columns: Vec<String>) -> Self {
        let matrix = Matrix::identity(Form::Diagonal, columns.len(), norm.plain());
        Self { matrix, norm, columns }
    }

    /// The matrix A.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// The norm N.
    pub fn norm(&self) -> Norm {
        self.norm
    }

    /// The columns it is about, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Each column's name with its weight, the diagonal of A.
    pub fn weights(&self) -> impl Iterator<Item = (&str, f64)> {
        self.columns.iter().map(String::as_str).zip(self.matrix.diagonal())
    }

    /// True when A is positive semi-definite.
    pub fn is_psd(&self) -> bool {
        self.matrix.is_psd()
    }

    /// L with A = LᵀL: s_A(x, y) = (Lx)·(Ly) for rows as they are (dot) or scaled to length 1
    /// (cosine), so L serves an index of inner products.
    pub fn factor(&self) -> Result<Vec<Vec<f64>>> {
        if matches!(self.norm, Norm::Dice | Norm::Jaccard) {
            return Err(Error::data(format!(
                "a {} similarity is no inner product of two mapped rows, because its norm is not \
                 a product; learn with the norm cosine to export a factor",
                self.norm.word()
            )));
        }
        self.matrix.factor().ok_or_else(|| {
            Error::data(
                "the matrix is not positive semi-definite, so it has no factor; learn with \
                 rbs-psd or srbs-psd",
            )
        })
    }

    /// How similar x and y are.
    pub fn score(&self, x: &[f64], y: &[f64]) -> Result<f64> {
        let ready = |row: &[f64]| {
            if row.len() != self.columns.len() {
                return Err(Error::data(format!(
                    "the similarity is about {} columns, the row has {}",
                    self.columns.len(),
                    row.len()
                )));
            }
            let name = |column: usize| format!("column `{}`", self.columns[column]);
            Prepared::from_cells(self.norm, row.len(), row.to_vec(), name)
        };
        let (x, y) = (ready(x)?, ready(y)?);
        held(self.matrix.product(x.row(0), y.row(0)) / x.divisor(0, &y, 0))
    }

    /// Rows made ready for this similarity.
    pub fn prepare(&self, dense: &Dense) -> Result<Prepared> {
        self.fits(dense.columns())?;
        Prepared::new(self.norm, dense)
    }

    fn fits(&self, columns: usize) -> Result<()> {
        if columns != self.columns.len() {
            return Err(Error::data(format!(
                "the similarity is about {} columns, the rows have {columns}",
                self.columns.len()
            )));
        }
        Ok(())
    }

    /// Refuse rows that were made ready for something else.
    pub fn check(&self, rows: &Prepared) -> Result<()> {
        if rows.norm != self.norm {
            return Err(Error::data(format!(
                "rows were made ready for {}, the similarity is {}",
                rows.norm.word(),
                self.norm.word()
            )));
        }
        self.fits(rows.columns)
    }

    /// Every query against every base row: one row of similarities a query.
    pub fn between(&self, queries: &Prepared, base: &Prepared, run: &Run) -> Result<Vec<f64>> {
        self.check(queries)?;
        self.check(base)?;
        let (columns, width) = (self.columns.len(), base.rows());
        let mut scores = vec![0.0; queries.rows() * width];
        run.check(0, 1)?;
        run.install(|| {
            scores.par_chunks_mut((TILE.0 * width).max(1)).enumerate().for_each(|(task, out)| {
                let first = task * TILE.0;
                let count = out.len() / width.max(1);
                let mut projected = vec![0.0; count * columns];
                for (q, row) in projected.chunks_exact_mut(columns.max(1)).enumerate() {
                    self.matrix.project(queries.row(first + q), row);
                }
                for start in (0..width).step_by(TILE.1) {
                    for (q, row) in projected.chunks_exact(columns.max(1)).enumerate() {
                        for j in start..(start + TILE.1).min(width) {
                            out[q * width + j] =
                                dot(row, base.row(j)) / queries.divisor(first + q, base, j);
                        }
                    }
                }
            });
        })?;
        run.check(1, 1)?;
        scores.iter().try_for_each(|&score| held(score).map(drop))?;
        Ok(scores)
    }
}

/// A similarity that is a number, or what to do about one that is not.
fn held(score: f64) -> Result<f64> {
    match score.is_finite() {
        true => Ok(score),
        false => Err(Error::data(
            "a similarity is too large to hold; scale the columns, or use the norm cosine",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("f{i}")).collect()
    }

    fn binary(rows: usize, columns: usize) -> Dense {
        let mut random = Random::new(5, 0);
        let cells = (0..rows * columns).map(|_| f64::from(u8::from(random.chance(0.6)))).collect();
        Dense::new(names(columns), cells).unwrap()
    }

    #[test]
    fn a_block_is_its_pairs_at_any_size_and_thread_count() {
        let mut random = Random::new(2, 0);
        for (rows, columns) in [(1, 1), (31, 3), (33, 4), (65, 7), (130, 5)] {
            let mut dense = binary(rows, columns);
            if rows == 33 {
                let cells = (0..rows * columns).map(|_| random.uniform() + 0.1).collect();
                dense = Dense::new(names(columns), cells).unwrap();
            }
            for norm in [Norm::Dot, Norm::Dice, Norm::Jaccard] {
                for form in [Form::Diagonal, Form::Symmetric, Form::Full] {
                    let mut matrix = Matrix::identity(form, columns, 0.3);
                    let mut draw = || (0..columns).map(|_| random.normal()).collect::<Vec<_>>();
                    matrix.add_outer(1.0, &draw(), &draw());
                    let similarity = Similarity::new(matrix, norm, names(columns)).unwrap();
                    let ready = similarity.prepare(&dense).unwrap();
                    let block = similarity.between(&ready, &ready, &Run::on(2)).unwrap();
                    assert_eq!(block, similarity.between(&ready, &ready, &Run::on(1)).unwrap());
                    for i in (0..rows).step_by(7) {
                        for j in 0..rows {
                            let pair = similarity.score(dense.row(i), dense.row(j)).unwrap();
                            assert_eq!(block[i * rows + j], pair);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn dice_and_jaccard_of_sets_are_what_everyone_calls_them() {
        let (x, y) = ([1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]);
        let score = |norm| Similarity::plain(norm, names(4)).score(&x, &y).unwrap();
        assert_eq!(score(Norm::Dice), 2.0 * 2.0 / 5.0);
        assert_eq!(score(Norm::Jaccard), 2.0 / 3.0);
        assert_eq!(score(Norm::Dot), 2.0);
        let nothing = Similarity::plain(Norm::Jaccard, names(4));
        assert_eq!(nothing.score(&[0.0; 4], &[0.0; 4]).unwrap(), 0.0);
    }

    #[test]
    fn the_cosine_does_not_see_the_length_of_rows() {
        let cosine = Similarity::plain(Norm::Cosine, names(2));
        for scale in [1e-200, 1.0, 1e200] {
            let found = cosine.score(&[3.0 * scale, 4.0 * scale], &[4.0, 3.0]).unwrap();
            assert!((found - 0.96).abs() < 1e-15, "{found}");
        }
    }

    #[test]
    fn rows_a_norm_cannot_take_are_refused_with_their_place() {
        let refuse = |norm, cells: &[f64]| {
            let dense = Dense::new(names(2), cells.to_vec()).unwrap();
            Prepared::new(norm, &dense).unwrap_err().to_string()
        };
        assert!(refuse(Norm::Cosine, &[1.0, 2.0, 0.0, 0.0]).contains("row 1 is all zeros"));
        for norm in [Norm::Dice, Norm::Jaccard] {
            let told = refuse(norm, &[1.0, -0.5]);
            assert!(told.contains("row 0, column `f1`: -0.5 is negative"), "{told}");
        }
        let dot = Similarity::plain(Norm::Dot, names(2));
        assert!(dot.score(&[f64::NAN, 1.0], &[1.0, 1.0]).is_err());
        assert!(dot.score(&[1.0], &[1.0, 1.0]).is_err());
        assert!(dot.score(&[1e200, 1.0], &[1e200, 1.0]).unwrap_err().to_string().contains("large"));
        let amounts = Dense::new(names(2), vec![0.5, 1.0]).unwrap();
        assert!(Prepared::new(Norm::Dice, &amounts).unwrap().note().is_some());
    }

    #[test]
    fn a_factor_gives_the_similarity_as_an_inner_product() {
        let mut matrix = Matrix::identity(Form::Symmetric, 3, 0.2);
        matrix.add_outer(1.0, &[1.0, -1.0, 2.0], &[1.0, -1.0, 2.0]);
        let similarity = Similarity::new(matrix.clone(), Norm::Dot, names(3)).unwrap();
        assert!(similarity.is_psd());
        let factor = similarity.factor().unwrap();
        let map = |x: &[f64]| factor.iter().map(|row| dot(row, x)).collect::<Vec<_>>();
        let (x, y) = ([1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]);
        let inner = dot(&map(&x), &map(&y));
        assert!((inner - similarity.score(&x, &y).unwrap()).abs() < 1e-12);
        let dice = Similarity::new(matrix, Norm::Dice, names(3)).unwrap();
        assert!(dice.factor().unwrap_err().to_string().contains("no inner product"));
    }
}
