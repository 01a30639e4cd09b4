//! Learning from nearest neighbours: which features matter, which similarity to use, which class
//! something is.
//!
//! ```
//! use nearkin::data::bundled;
//! use nearkin::weigh::{ReliefF, Weigh};
//!
//! let (table, target) = bundled::load("iris")?;
//! let weights = ReliefF { k: 20, ..ReliefF::default() }.fit(&table, &target)?;
//! assert_eq!(weights.ranking()[0].feature, "petal_width");
//! # Ok::<(), nearkin::Error>(())
//! ```
//!
//! # Map
//!
//! | question or thing | module | begin with |
//! |---|---|---|
//! | tables, targets, matrices of similarities | [`data`] | [`Table`](data::Table), [`Target`](data::Target), [`SimilarityMatrix`](data::SimilarityMatrix) |
//! | which features matter: the Relief family | [`weigh`] | [`ReliefF`](weigh::ReliefF), [`MultiSurf`](weigh::MultiSurf) |
//! | which similarity to use: SiLA, RBS, sRBS | [`learn`] | [`Sila`](learn::Sila), [`Srbs`](learn::Srbs) |
//! | which class it is, from similarities | [`classify`] | [`Knn`](classify::Knn), [`Sda`](classify::Sda) |
//! | how alike two rows are | [`measure`] | [`measure::pairwise`] |
//! | nearest rows | [`neighbors`] | [`nearest`](neighbors::nearest) |
//! | how well methods do, and whether they differ | [`evaluate`], [`stats`] | [`Pipeline`](evaluate::pipeline::Pipeline) |
//! | what was fitted, as bytes | [`model`] | [`Model`](model::Model) |
//! | tables whose relevant features are known | [`simulate`] | [`generator`](simulate::generator) |
//!
//! Every method is a struct of parameters with a `Default`; fitting gives another type, so there is
//! no state "not fitted". Threads, progress and the wish to stop are a [`Run`]. What goes wrong is an
//! [`enum@Error`], what a reader should know about an answer a [`Note`]: both are values with fields. The
//! crate opens no file and prints nothing; `nearkin-read` reads files into tables.
//!
//! With the feature `ndarray`, tables and matrices are made from its arrays, without a copy where
//! their cells lie without gaps, and weights and matrices are given as arrays (module `arrays`).
//!
//! The same data give the same answer, to the bit, for any number of threads and any instruction set.

#[cfg(feature = "ndarray")]
pub mod arrays;
pub mod classify;
pub mod compare;
pub mod data;
mod error;
pub mod evaluate;
pub mod learn;
pub mod measure;
pub mod model;
pub mod neighbors;
mod note;
pub mod parameter;
pub mod pool;
pub mod random;
mod sentences;
pub mod simulate;
pub mod stats;
pub mod weigh;

pub use error::{
    ClassifyError, Damage, DataError, Error, ErrorKind, EvaluateError, LearnError, MeasureError,
    ModelError, NeighborsError, ParameterError, PartFlaw, Result, SimulateError, StatsError,
    SupportError, WeighError,
};
pub use note::{Note, Severity};
pub use pool::Run;

/// The example of the crate's page, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
