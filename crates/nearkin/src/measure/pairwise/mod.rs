//! Measures of pairs of rows, which make a similarity matrix of a table; one file for each family.
//!
//! A measure is a struct of parameters that implements [`PairMeasure`]; [`measures`] lists them
//! and [`measure`] finds one by id. Fitting learns from training rows alone what the measure
//! needs (ranges, how often values occur, which classes they go with) and gives a
//! [`FittedMeasure`], which compares any rows with the same columns. A distance becomes a
//! similarity by its sign: s = −d.
//!
//! Conventions of all measures:
//!
//! * Columns are found by name. A value that training has not seen differs from all others; what
//!   that means is said at each measure.
//! * A missing cell is a difference of 1 for `heom` and `hvdm`, a value of its own for `vdm`,
//!   `mvdm` and `ivdm`, and never an agreement for `counting`; `euclidean` and `manhattan` follow
//!   their parameter; the others leave the column out of the pair.
//! * Features of a row, for the measures of sets: a nominal cell is the feature "column = value",
//!   a number is an amount of the feature "column", 0 or more. With 0/1 columns rows are sets.
//!
//! ```
//! use nearkin::data::{Column, Table, Target};
//! use nearkin::measure::pairwise;
//!
//! let colours = [Some("red"), Some("red"), Some("blue")];
//! let table = Table::new(vec![Column::nominal("colour", &colours)?])?;
//! let target = Target::classes(["ripe", "raw", "raw"]);
//! let vdm = pairwise::measure("vdm")?.fit(&table, Some(&target))?;
//! let s = vdm.block(&table, &table)?;
//! // P(ripe | red) = 1/2, P(ripe | blue) = 0: the squares of two differences of 1/2.
//! assert_eq!(*s.row(0), [0.0, 0.0, -0.5]);
//! # Ok::<(), nearkin::Error>(())
//! ```

pub mod blocks;
mod by_shares;
mod counting;
mod distance;
mod hvdm;
mod ivdm;
mod learned;
mod lin;
mod mvdm;
mod of_columns;
mod rows;
mod sets;
mod shares;
mod vdm;

use crate::data::{Classes, Encoder, Parts, Rows, SimilarityMatrix, Table, Target};
use crate::measure::{Measure, Similarity};
use crate::parameter::{About, Parameters, about, catalogue};
use crate::{Result, Run};

pub use counting::Counting;
pub(crate) use distance::FittedDistance;
pub use distance::{Euclidean, Heom, Holes, Manhattan};
pub use hvdm::{Hvdm, Normal};
pub use ivdm::Ivdm;
pub use lin::Lin;
pub use mvdm::{ExemplarWeights, Mvdm};
pub use sets::{Cosine, Dice, Jaccard, Overlap, OverlapForm, TverskyContrast, TverskyRatio};
pub use vdm::{ValueWeights, Vdm};

/// A matrix that owns its numbers.
type Block = SimilarityMatrix<'static>;

/// A measure, fitted.
type BoxedMeasure = Box<dyn FittedMeasure>;

/// A measure of pairs of rows with its parameters.
pub trait PairMeasure: Parameters + Send + Sync {
    /// Name, title and reference of the measure.
    fn about(&self) -> About;

    /// True when it learns from the classes of the training rows, so that it has to be fitted
    /// again on every training part of a cross-validation.
    fn supervised(&self) -> bool {
        false
    }

    /// [`PairMeasure::fit`], once the parameters have been checked.
    ///
    /// # Errors
    /// The errors of [`PairMeasure::fit`], but for its parameters.
    fn fit_checked(&self, table: &Table, target: Option<&Target>) -> Result<BoxedMeasure>;

    /// The fitted measure these parts were taken from, under these parameters.
    ///
    /// # Errors
    /// Parts that are absent or broken.
    fn restore(&self, parts: &Parts) -> Result<BoxedMeasure>;

    /// Measures to use instead, where numbers are read as categories and there may be too many.
    fn of_categories(&self) -> Option<&'static str> {
        None
    }

    /// Refuse columns that the measure cannot compare.
    ///
    /// # Errors
    /// The first column that it cannot compare, by name.
    fn check_columns(&self, _: &Encoder) -> Result<()> {
        Ok(())
    }

    /// Facts needed about training rows in [`blocks`], beside their columns.
    fn needs(&self, _: &Encoder) -> blocks::MeasureNeeds {
        blocks::MeasureNeeds::default()
    }

    /// Whole numbers that rows of these classes add to those of other rows.
    fn count(&self, _: &Encoder, _: &Rows, _: &Classes) -> Vec<u64> {
        Vec::new()
    }

    /// Parts that the counts of all rows give, beside those of the columns.
    ///
    /// # Errors
    /// Counts of another length than the columns need.
    fn counted(&self, _: &Encoder, _counts: &[u64], _classes: usize) -> Result<Parts> {
        Ok(Parts::new())
    }

    /// Learn from training rows, and from their classes where the measure asks for them.
    ///
    /// # Errors
    /// Parameters out of range, columns that the measure cannot compare, or no classes where it
    /// learns from them.
    fn fit(&self, table: &Table, target: Option<&Target>) -> Result<BoxedMeasure> {
        self.check()?;
        self.fit_checked(table, target)
    }
}

/// A measure that has learned what it needs from training rows.
pub trait FittedMeasure: std::fmt::Debug + Send + Sync {
    /// The similarity of every query to every reference, as `run` says.
    ///
    /// # Errors
    /// Columns that are absent or of another kind than in training, cells that the measure cannot
    /// compare, or the run was stopped.
    fn block_with(&self, queries: &Table, references: &Table, run: &Run) -> Result<Block>;

    /// The fitted values as parts, so that they can be saved.
    fn parts(&self) -> Parts;

    /// Kind of the measure, for engines that find neighbours without comparing every pair.
    fn kind(&self) -> MeasureKind<'_> {
        MeasureKind::Pairs
    }

    /// The similarity of every query to every reference, on all cores.
    ///
    /// # Errors
    /// The errors of [`FittedMeasure::block_with`].
    fn block(&self, queries: &Table, references: &Table) -> Result<Block> {
        self.block_with(queries, references, &Run::default())
    }
}

impl<M: FittedMeasure + ?Sized> FittedMeasure for &M {
    fn block_with(&self, queries: &Table, references: &Table, run: &Run) -> Result<Block> {
        (**self).block_with(queries, references, run)
    }

    fn parts(&self) -> Parts {
        (**self).parts()
    }

    fn kind(&self) -> MeasureKind<'_> {
        (**self).kind()
    }
}

/// Kinds of fitted measures that engines handle.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum MeasureKind<'a> {
    /// A distance of encoded rows, s = −d.
    Distance(&'a Encoder, &'a Measure),
    /// The inner product of rows of numbers of length 1.
    Cosine(&'a Encoder),
    /// A bilinear form of rows of numbers. Under a rule of neighbours the plain similarity orders rows
    /// that it does not tell apart; other classifiers see its values alone.
    Bilinear(&'a Similarity),
    /// Nothing but similarities of pairs.
    Pairs,
}

catalogue! {
    PairMeasure: measures, measure, "measure" is "a measure";
    Counting, Vdm, Mvdm, Hvdm, Ivdm, Heom, Euclidean, Manhattan, Cosine, Dice, Jaccard, Overlap,
    TverskyContrast, TverskyRatio, Lin,
}

/// The matrix of `of(query, reference)`, rows in parallel.
///
/// The cost of a pair is given at each measure.
fn fill(
    queries: usize,
    references: usize,
    run: &Run,
    of: impl Fn(usize, usize) -> f64 + Sync,
) -> Result<Block> {
    let mut cells = vec![0.0; queries * references];
    run.rows(&mut cells, references, |i, row| {
        row.iter_mut().enumerate().for_each(|(j, cell)| *cell = of(i, j));
    })?;
    SimilarityMatrix::new(queries, references, cells)
}
