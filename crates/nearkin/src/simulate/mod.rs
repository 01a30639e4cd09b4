//! Tables whose right answer is known, one file a family of generators.
//!
//! A generator is a struct of parameters that implements [`Simulate`]; [`generators`] lists
//! them and [`generator`] finds one by id. Relevant features come first and are named `R0`,
//! `R1`, … (or as their field names them: `M0P0` is locus 0 of genetic model 0), irrelevant
//! ones follow as `N0`, `N1`, …
//!
//! The truth is drawn from one stream of the seed and the irrelevant features from another,
//! column after column: more of them leave everything else as it was.
//!
//! ```
//! use nearkin::simulate::{Parity, Simulate};
//! let made = Parity { relevant: 2, rows: 50, ..Parity::default() }.generate()?;
//! assert_eq!(made.relevant, [0, 1]);
//! assert_eq!(made.table.names().next(), Some("R0"));
//! # Ok::<(), nearkin::Error>(())
//! ```

mod assemble;
mod boolean;
mod cohort;
mod decision_list;
mod epistasis;
mod genotype;
mod heterogeneity;
mod led;
mod modulo;
mod monks;
mod penetrance;
mod perturbed_centroids;
mod rbf;
mod regression;
mod threshold;
mod xor;

use crate::data::{Table, Target};
use crate::parameter::{About, Parameters, about, catalogue};
use crate::{Note, Result};

pub use boolean::{Disjunction, Majority, Parity};
pub use decision_list::DecisionList;
pub use epistasis::Epistasis;
pub use heterogeneity::Heterogeneity;
pub use led::Led;
pub use modulo::Modulo;
pub use monks::{Monk, MonkProblem};
pub use penetrance::Penetrance;
pub use perturbed_centroids::PerturbedCentroids;
pub use rbf::RandomRbf;
pub use regression::{LinEq, LinInc};
pub use threshold::{LinearThreshold, Sphere};
pub use xor::Xor;

/// A table with its truth.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Simulated {
    /// The features.
    pub table: Table<'static>,
    /// The classes or real values that they explain.
    pub target: Target,
    /// Positions of the relevant features, ascending.
    pub relevant: Vec<usize>,
    /// More facts about the truth: rules, penetrances, the number of flipped classes.
    pub notes: Vec<Note>,
}

/// A generator with its parameters.
pub trait Simulate: Parameters + Send + Sync {
    /// The generator's names and where it was published.
    fn about(&self) -> About;

    /// Make the table. The same parameters always make the same one.
    ///
    /// # Errors
    ///
    /// When a parameter is outside its range, when the parameters do not fit each other, and when
    /// all rows fell into one class.
    fn generate(&self) -> Result<Simulated>;
}

catalogue! {
    Simulate: generators, generator, "generator" is "a generator";
    DecisionList, RandomRbf, Parity, Majority, Disjunction, Modulo, LinearThreshold, Sphere,
    Monk, Led, Xor, Epistasis, Heterogeneity, PerturbedCentroids, LinInc, LinEq,
}
