//! A measure fitted over a table, asked for neighbours or for a matrix.
//!
//! A classifier sees only how similar samples are, not their columns. [`Compared`] holds the training
//! rows with the measures that were fitted on them, fits a classifier and asks it about other rows.
//! A rule that needs no more than neighbours gets no more, in O(n·k) memory:
//!
//! * fitting: a rule of a given number of neighbours learns from classes alone; one that chooses
//!   its number from the neighbours of every training row;
//! * asking: the engine of [`neighbors`](crate::neighbors) finds the neighbours of the queries where
//!   it knows the measure, and a few queries at a time are compared with all rows where it does not.
//!
//! The answers are those of the whole matrix, to the bit.
//!
//! ```
//! use nearkin::Run;
//! use nearkin::classify::Knn;
//! use nearkin::compare::{Compared, measure};
//! use nearkin::data::{Target, bundled};
//!
//! let (table, target) = bundled::load("iris")?;
//! let Target::Classes(classes) = target else { panic!("iris has classes") };
//! let (knn, run) = (Knn::default(), Run::default());
//! let compared = Compared::fit(&knn, &[measure("heom")?], table.view(), &classes)?;
//! let fitted = compared.classify(&knn, &classes, &run)?;
//! let said = compared.predict(fitted.as_ref(), &table.select_rows(&[0, 77]), &run)?;
//! assert_eq!(said.labels().collect::<Vec<_>>(), ["setosa", "versicolor"]);
//! # Ok::<(), nearkin::Error>(())
//! ```

mod columns;
mod compared;
mod measures;

pub use columns::check_columns;
pub use compared::Compared;
pub(crate) use measures::KNOWN;
pub use measures::{learned_measure, measure};
