//! [`Similarity`]: how alike two rows of numbers are, as a bilinear form over a norm.
//!
//! ```text
//! s_A(x, y) = xᵀAy / N(x, y)                                                 (equation 1)
//! ```
//!
//! | norm    | N(x, y)               | plain A | rows                   |
//! |---------|-----------------------|---------|------------------------|
//! | dot     | 1                     | I       | any                    |
//! | cosine  | ‖x‖₂ ‖y‖₂             | I       | any                    |
//! | dice    | ‖x‖₁ + ‖y‖₁           | 2I      | 0/1, or at least ≥ 0   |
//! | jaccard | ‖x‖₁ + ‖y‖₁ − xᵀy     | I       | 0/1, or at least ≥ 0   |
//!
//! N does not depend on A. Where N is 0, for a row of zeros, the similarity is 0. A diagonal A
//! weighs features, a symmetric one weighs pairs of them too, and a full one may see x in y
//! otherwise than y in x. Where A is positive semi-definite, A = LᵀL and s_A is the inner
//! product of Lx and Ly over N.
//!
//! The same matrices make distances ([`Compare`]): (x − y)ᵀA(x − y), and Σ A_l |x_l − y_l| for a
//! diagonal A. Their sign is turned, so that larger is nearer everywhere.
//!
//! Cost: n·p² to project n rows (n·p for a diagonal A), n·m·p against m rows.
//!
//! Reference: A. M. Qamar, E. Gaussier, J.-P. Chevallet and J. H. Lim, *Similarity learning for
//! nearest neighbor classification*, ICDM 2008.

use super::scorer::Scorer;
use super::{Form, Norm, OwnNorm, Preparation, Prepared, RowScale, SquareMatrix, Vectors};
use crate::data::Dense;
use crate::{MeasureError, Result, Run, choice};

choice! {
    /// How a matrix compares two rows.
    pub enum Compare {
        /// xᵀAy / N(x, y): larger is nearer.
        Similarity = "similarity",
        /// (x − y)ᵀA(x − y), its sign turned so that larger is nearer.
        SquaredDistance = "squared-distance",
        /// Σ A_l |x_l − y_l| of a diagonal A, its sign turned.
        AbsoluteDistance = "absolute-distance",
    }
}

/// A similarity of rows: its matrix, its norm and the columns it is about.
///
/// ```
/// use nearkin::measure::{Form, SquareMatrix, Norm, Similarity};
/// let names = vec!["x".to_owned(), "y".to_owned()];
/// let cosine = Similarity::plain(Norm::Cosine, names.clone());
/// assert!((cosine.score(&[1.0, 0.0], &[1.0, 1.0])? - 0.5f64.sqrt()).abs() < 1e-15);
/// let weighed = SquareMatrix::new(Form::Diagonal, 2, vec![0.0, 3.0])?;
/// assert_eq!(Similarity::new(weighed, Norm::Dot, names)?.score(&[1.0, 2.0], &[4.0, 5.0])?, 30.0);
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Similarity {
    matrix: SquareMatrix,
    preparation: Preparation,
    compare: Compare,
    columns: Vec<String>,
}

impl Similarity {
    /// A similarity of rows with these columns, under a norm or on rows made ready in some way.
    ///
    /// # Errors
    /// A matrix that is not finite or is about another number of columns, or a preparation that
    /// is.
    pub fn new(
        matrix: SquareMatrix,
        how: impl Into<Preparation>,
        columns: Vec<String>,
    ) -> Result<Self> {
        if !matrix.is_finite() {
            return Err(MeasureError::MatrixNotFinite.into());
        }
        let preparation = Norm::Dot.into();
        let bare = Self { matrix, preparation, compare: Compare::Similarity, columns };
        bare.prepared_as(how.into())
    }

    /// The plain similarity of the norm: inner product, cosine, Dice or Jaccard.
    pub fn plain(norm: Norm, columns: Vec<String>) -> Self {
        let matrix = SquareMatrix::identity(Form::Diagonal, columns.len(), norm.plain());
        Self { matrix, preparation: norm.into(), compare: Compare::Similarity, columns }
    }

    /// The squared Euclidean distance, its sign turned.
    pub fn euclidean(columns: Vec<String>) -> Self {
        Self { compare: Compare::SquaredDistance, ..Self::plain(Norm::Dot, columns) }
    }

    /// The same on rows made ready in this way; the norm of a distance stays `dot`.
    ///
    /// # Errors
    /// Another number of columns than the matrix is about, or a constant below 0.
    pub fn prepared_as(mut self, how: Preparation) -> Result<Self> {
        how.check_constant()?;
        if self.matrix.size() != self.columns.len() + how.added() {
            let (features, columns) = (self.matrix.size(), self.columns.len());
            let constant = how.added() > 0;
            return Err(MeasureError::MatrixColumns { features, columns, constant }.into());
        }
        how.check_columns(self.columns.len())?;
        self.preparation = how;
        Ok(self)
    }

    /// The same matrix as a distance, or back as a similarity.
    ///
    /// A distance needs a matrix without negative eigenvalues; the absolute one a diagonal.
    ///
    /// # Errors
    /// A matrix that makes no such distance, or the run was stopped.
    pub fn comparing(self, compare: Compare, run: &Run) -> Result<Self> {
        let distance = compare != Compare::Similarity;
        if distance && !self.matrix.is_psd(run)? {
            return Err(MeasureError::NoDistance.into());
        }
        if compare == Compare::AbsoluteDistance && self.matrix.form() != Form::Diagonal {
            return Err(MeasureError::AbsoluteNeedsDiagonal.into());
        }
        Ok(Self { compare, ..self })
    }

    /// The matrix A.
    pub fn matrix(&self) -> &SquareMatrix {
        &self.matrix
    }

    /// The norm N; `dot` where it is the caller's own.
    pub fn norm(&self) -> Norm {
        self.preparation.norm
    }

    /// How rows are made ready for it.
    pub fn preparation(&self) -> &Preparation {
        &self.preparation
    }

    /// The norm of the caller's own, which cannot be saved: it is code.
    pub fn own_norm(&self) -> Option<&OwnNorm> {
        self.preparation.own.as_ref()
    }

    /// Scaling of columns before rows are compared.
    pub fn scale(&self) -> Option<&RowScale> {
        self.preparation.scale.as_ref()
    }

    /// How the matrix compares rows.
    pub fn compare(&self) -> Compare {
        self.compare
    }

    /// Refuse what cannot be written to a file.
    ///
    /// # Errors
    /// A norm of the caller's own.
    pub fn check_savable(&self) -> Result<()> {
        match self.own_norm() {
            None => Ok(()),
            Some(own) => Err(MeasureError::OwnNormUnsaved { norm: own.name().to_owned() }.into()),
        }
    }

    /// The columns it is about, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The features that the rows and columns of A stand for: the columns, and the constant where
    /// there is one.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        let constant = (self.preparation.added() > 0).then_some("(constant)");
        self.columns.iter().map(String::as_str).chain(constant)
    }

    /// Each feature's name with its weight, the diagonal of A.
    pub fn weights(&self) -> impl Iterator<Item = (&str, f64)> {
        self.features().zip(self.matrix.diagonal())
    }

    /// True when A is positive semi-definite.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn is_psd(&self, run: &Run) -> Result<bool> {
        self.matrix.is_psd(run)
    }

    /// L with A = LᵀL: s_A(x, y) = (Lx)·(Ly) for rows as they are (dot) or scaled to length 1
    /// (cosine), after scaling and whitening where there are any. So L serves an index of inner
    /// products. A cosine index would divide by ‖Lx‖‖Ly‖ and rank otherwise. For a squared
    /// distance, ‖Lx − Ly‖², L serves an index of Euclidean distances.
    ///
    /// # Errors
    /// A norm that is no product, a sum of absolute differences, or a matrix with a negative
    /// eigenvalue.
    pub fn factor(&self, run: &Run) -> Result<Vec<Vec<f64>>> {
        let norm = match (self.own_norm(), self.norm()) {
            (None, Norm::Dot | Norm::Cosine) => None,
            (Some(own), _) => Some(own.name().to_owned()),
            (None, norm) => Some(norm.word().to_owned()),
        };
        if let Some(norm) = norm {
            return Err(MeasureError::NoFactorUnderNorm { norm }.into());
        }
        if self.compare == Compare::AbsoluteDistance {
            return Err(MeasureError::NoFactorOfAbsolute.into());
        }
        self.matrix.factor(run)?.ok_or_else(|| MeasureError::NoFactor.into())
    }

    /// How similar x and y are.
    ///
    /// # Errors
    /// Another number of columns, or numbers that the norm cannot take.
    pub fn score(&self, x: &[f64], y: &[f64]) -> Result<f64> {
        let ready = |row: &[f64]| {
            self.fits(row.len())?;
            self.prepare(&Dense::new(self.columns.clone(), row.to_vec())?)
        };
        let (x, y) = (ready(x)?, ready(y)?);
        held(self.scorer(&x, &y)?.scores(0)[0])
    }

    /// Rows made ready for this similarity.
    ///
    /// # Errors
    /// Another number of columns, or rows that the norm cannot take.
    pub fn prepare<'v>(&self, rows: impl Into<Vectors<'v>>) -> Result<Prepared> {
        let rows = rows.into();
        self.fits(rows.columns())?;
        Prepared::new(self.preparation.clone(), rows)
    }

    fn fits(&self, columns: usize) -> Result<()> {
        if columns != self.columns.len() {
            let (similarity, rows) = (self.columns.len(), columns);
            return Err(MeasureError::SimilarityColumns { similarity, rows }.into());
        }
        Ok(())
    }

    /// Refuse rows that were made ready for something else.
    ///
    /// # Errors
    /// Rows made ready in another way.
    pub fn check(&self, rows: &Prepared) -> Result<()> {
        if rows.preparation() != &self.preparation {
            let (rows, similarity) = (described(rows.preparation()), described(&self.preparation));
            return Err(MeasureError::OtherPreparation { rows, similarity }.into());
        }
        self.fits(rows.columns() - self.preparation.added())
    }

    /// The similarity of queries and base rows, both checked.
    pub(crate) fn scorer<'a>(
        &'a self,
        queries: &'a Prepared,
        base: &'a Prepared,
    ) -> Result<Scorer<'a>> {
        self.check(queries)?;
        self.check(base)?;
        let sparse = queries.is_sparse() || base.is_sparse();
        if self.compare == Compare::AbsoluteDistance && sparse {
            return Err(MeasureError::AbsoluteOfSparse.into());
        }
        let factor = match self.compare {
            Compare::SquaredDistance if !sparse && self.matrix.form() != Form::Diagonal => {
                self.matrix.factor(&Run::default())?
            }
            _ => None,
        };
        Ok(Scorer::comparing(self.compare, &self.matrix, factor.as_deref(), queries, base))
    }

    /// Each row of `x` against the same row of `y`, as many as both have.
    ///
    /// # Errors
    /// Rows made ready in another way, or a similarity too large to hold.
    pub fn pairs(&self, x: &Prepared, y: &Prepared) -> Result<Vec<f64>> {
        let scorer = self.scorer(x, y)?;
        let score = |at: usize| held(scorer.score(&scorer.project(at), at, at));
        (0..x.rows().min(y.rows())).map(score).collect()
    }

    /// Every query against every base row: one row of similarities a query.
    ///
    /// # Errors
    /// Rows made ready in another way, a similarity too large to hold, or the run was stopped.
    pub fn between(&self, queries: &Prepared, base: &Prepared, run: &Run) -> Result<Vec<f64>> {
        let scorer = self.scorer(queries, base)?;
        let width = base.rows();
        let mut scores = vec![0.0; queries.rows() * width];
        run.rows(&mut scores, width, |at, out| out.copy_from_slice(&scorer.scores(at)))?;
        scores.iter().try_for_each(|&score| held(score).map(drop))?;
        Ok(scores)
    }
}

/// How rows are made ready, in words.
fn described(how: &Preparation) -> String {
    let norm = how.own.as_ref().map_or_else(|| how.norm.word(), OwnNorm::name);
    let scaled = if how.scale.is_some() { " on scaled columns" } else { "" };
    let whitened = if how.whitening.is_some() { ", whitened" } else { "" };
    match how.constant {
        0.0 => format!("{norm}{scaled}{whitened}"),
        constant => format!("{norm}{scaled}{whitened} with a constant {constant}"),
    }
}

/// A similarity, or an error where it is not finite.
fn held(score: f64) -> Result<f64> {
    match score.is_finite() {
        true => Ok(score),
        false => Err(MeasureError::TooLarge.into()),
    }
}
