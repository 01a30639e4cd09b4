//! Learning from nearest neighbours.
//!
//! nearkin answers three questions from a table of examples: which features matter
//! ([`weigh`]), which similarity to use ([`learn`]), and which class something is
//! ([`classify`]). This crate is the science: numbers in, numbers out; it opens no file and
//! prints nothing.
//!
//! Data flows one way, `data → measure → neighbors → {weigh, learn, classify} → evaluate`, and
//! a test keeps it so.
//!
//! ```
//! use nearkin::data::{Column, Table, Target};
//! use nearkin::weigh::{ReliefF, Weigh};
//!
//! let table = Table::new(vec![
//!     Column::numeric("height", vec![1.0, 1.1, 1.2, 3.0, 3.1, 3.2]),
//!     Column::numeric("noise", vec![0.3, 0.9, 0.1, 0.2, 0.8, 0.4]),
//! ])?;
//! let target = Target::classes(["a", "a", "a", "b", "b", "b"]);
//! let weights = ReliefF { k: 2, ..ReliefF::default() }.fit(&table, &target)?;
//! assert_eq!(weights.ranking()[0].feature, "height");
//! # Ok::<(), nearkin::Error>(())
//! ```

pub mod classify;
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
    ClassifyError, DataError, Error, ErrorKind, EvaluateError, LearnError, MeasureError,
    ModelError, NeighborsError, ParameterError, Result, SimulateError, StatsError, WeighError,
};
pub use note::{Note, Severity};
pub use pool::Run;

/// The Rust example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The example of the guide to classification, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/classification.md")]
struct Classification;
