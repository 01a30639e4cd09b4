//! Tables of examples, and targets to explain.
//!
//! [`Table`] holds named columns of numbers, categories or genotypes, with missing cells;
//! [`Target`] holds the class or the real value of each row; [`SimilarityMatrix`] stands for a table where
//! only similarities are known; [`Encoder`] turns a table into plain arrays ([`Rows`]) by ranges
//! and categories of the training rows; [`Dense`] and [`Sparse`] hold rows of plain numbers, and
//! [`TableRows`] reads them from a table without a copy; [`Holdout`] and [`Protocol`] cut rows into
//! training and test rows; [`Parts`] are the arrays of a fitted value, to be saved; [`bundled()`]
//! lists the small data sets that come with nearkin.

pub mod bundled;
mod dense;
mod encode;
mod fitted;
mod folds;
mod genotype;
mod packed;
mod parts;
mod reach;
mod rows;
mod similarity;
mod sparse;
mod split;
mod summary;
mod table;
mod table_rows;
mod target;

pub use bundled::{Bundled, bundled};
pub use dense::Dense;
pub use encode::Encoder;
pub use fitted::FittedColumn;
pub use folds::{Cut, Protocol};
pub use genotype::Genotypes;
pub use packed::Packed;
pub(crate) use packed::{WORD, differ, missing, ones};
pub use parts::Parts;
pub(crate) use parts::wrong as wrong_part;
pub use rows::{NumericCells, Rows};
pub use similarity::SimilarityMatrix;
pub use sparse::Sparse;
pub use split::{Holdout, Split};
pub use summary::{ColumnSummary, TableSummary};
pub(crate) use summary::{add_deviations, deviations};
pub use table::{Column, ColumnValues, Lane, MISSING, Table};
pub use table_rows::TableRows;
pub(crate) use target::given_priors;
pub use target::{Classes, Target};
