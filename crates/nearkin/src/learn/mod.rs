//! Question 2: which similarity should I use? One file an algorithm.
//!
//! Each method learns the matrix A of s_A(x, y) = xᵀAy / N(x, y)
//! ([`Similarity`](crate::measure::Similarity)) from labelled rows, so that rows are closer to
//! their own class than to others. Every method is a struct of parameters that implements
//! [`Learn`]; [`methods`] lists them and [`method`] finds one by id.
//!
//! ```
//! use nearkin::data::bundled;
//! use nearkin::learn::{LearnSettings, Learn, Sila};
//! let (table, target) = bundled::load("iris")?;
//! let common = LearnSettings { k: 1, ..LearnSettings::default() };
//! let sila = Sila { common, ..Sila::default() };
//! let learned = sila.fit(&table, &target)?;
//! assert_eq!(learned.models[0].similarity.weights().count(), 4);
//! # Ok::<(), nearkin::Error>(())
//! ```

mod bound;
mod common;
pub mod elsewhere;
mod fixed;
mod grid;
mod impostors;
mod lbfgs;
mod learned;
mod near;
mod preset;
mod problem;
mod product;
mod rbs;
mod rbs_psd;
mod relief;
mod relief_psd;
mod select;
mod sila;
mod srbs;
mod srbs_psd;
mod task;
mod whiten;

use crate::data::{Dense, Sparse, Table, TableRows, Target};
use crate::measure::Norm;
use crate::parameter::{About, Parameters, catalogue};
use crate::{Error, ParameterError, Result, Run};

pub use bound::Bound;
pub use common::{LearnMode, LearnSettings};
pub use fixed::Fixed;
pub use grid::{Judge, LearnGrid, Trial};
pub use learned::{Answer, Learned, LearnedMatrix};
pub use preset::{LearnPreset, presets};
pub use problem::LearnProblem;
pub use rbs::Rbs;
pub use rbs_psd::RbsPsd;
pub use relief::{Difference, ReliefSimilarity, UsedAs, Weighing};
pub use relief_psd::ReliefPsdSimilarity;
pub use select::{Chosen, Select, Selected, Validation};
pub use sila::{FirstMatrix, Sila, Voted};
pub use srbs::{Smooth, Solver, Srbs};
pub use srbs_psd::SrbsPsd;
pub use task::{Lesson, Task, Triplet};
pub use whiten::WhitenBy;

/// A method that learns a similarity, with its parameters.
pub trait Learn: Parameters + Send + Sync {
    /// Name, title and reference of the method.
    fn about(&self) -> About;

    /// The settings all methods share.
    fn common(&self) -> &LearnSettings;

    /// Whether the method can learn from rows in blocks ([`elsewhere`]), or why it cannot.
    ///
    /// # Errors
    /// The reason why it cannot, as an error about the method or one of its settings.
    fn blockwise(&self) -> Result<()> {
        let reason = ParameterError::NoBlocks { method: self.about().id };
        Err(Error::parameter("method", reason))
    }

    /// Learn one matrix from one labelling of the rows.
    ///
    /// # Errors
    /// No matrix that the data allow, numbers beyond double precision, or the run was stopped.
    fn solve(&self, problem: &LearnProblem, run: &Run) -> Result<LearnedMatrix>;

    /// Try those settings of `grid` that the method has, k aside, on one problem.
    ///
    /// # Errors
    /// The errors of [`Learn::solve`] and of the judge.
    fn trials(
        &self,
        problem: &LearnProblem,
        grid: &LearnGrid,
        judge: &Judge,
        run: &Run,
    ) -> Result<Vec<Trial>> {
        let _ = grid; // a closed form has no setting but k
        Ok(vec![Trial::only(judge(&self.solve(problem, run)?.similarity)?)])
    }

    /// The norm rows are made ready for.
    fn norm(&self) -> Norm {
        self.common().norm
    }

    /// Learn what `task` asks for, as `run` says.
    ///
    /// # Errors
    /// Settings out of range or unfit for the rows, fewer than two classes, rows that the norm
    /// cannot take, and the errors of [`Learn::solve`].
    fn learn(&self, task: &Task, run: &Run) -> Result<Learned> {
        self.check()?;
        let solve = |problem: &LearnProblem| self.solve(problem, run);
        common::fit(self.about().id, self.norm(), self.common(), task, run, solve)
    }

    /// Learn from a table of numbers and its classes, as `run` says.
    ///
    /// # Errors
    /// Columns that are not numbers, missing cells, and the errors of [`Learn::learn`].
    fn fit_with(&self, table: &Table, target: &Target, run: &Run) -> Result<Learned> {
        let rows = TableRows::of(table)?;
        self.learn_in_pool(&Task::new(&rows, Lesson::Classes(target)), run)
    }

    /// Learn on the run's threads from start to end, so that short steps need not be handed over
    /// to them one by one.
    #[doc(hidden)]
    fn learn_in_pool(&self, task: &Task, run: &Run) -> Result<Learned> {
        run.install(|| self.learn(task, run))?
    }

    /// Learn from sparse rows and their classes, as `run` says.
    ///
    /// # Errors
    /// The errors of [`Learn::learn`], and a matrix that is not diagonal.
    fn fit_sparse(&self, rows: &Sparse, target: &Target, run: &Run) -> Result<Learned> {
        self.learn_in_pool(&Task::new(rows, Lesson::Classes(target)), run)
    }

    /// Learn from triplets of rows, as `run` says.
    ///
    /// # Errors
    /// The errors of [`Learn::learn`], and triplets that are not of three different rows.
    fn fit_triplets(&self, rows: &Dense, triplets: &[Triplet], run: &Run) -> Result<Learned> {
        self.learn_in_pool(&Task::new(rows, Lesson::Triplets(triplets)), run)
    }

    /// Go on from what was learned before, as `run` says.
    ///
    /// # Errors
    /// The errors of [`Learn::fit_with`], other columns or classes than before, and a closed
    /// form.
    fn resume(&self, from: &Learned, table: &Table, target: &Target, run: &Run) -> Result<Learned> {
        let rows = TableRows::of(table)?;
        let task = Task { from: Some(from), ..Task::new(&rows, Lesson::Classes(target)) };
        self.learn_in_pool(&task, run)
    }

    /// Learn on all cores.
    ///
    /// # Errors
    /// The errors of [`Learn::fit_with`].
    fn fit(&self, table: &Table, target: &Target) -> Result<Learned> {
        self.fit_with(table, target, &Run::default())
    }
}

catalogue! {
    Learn: methods, method, "method" is "a method that learns a similarity";
    Sila, Rbs, RbsPsd, Srbs, SrbsPsd, ReliefSimilarity, ReliefPsdSimilarity,
}

/// The two methods of [`Learn`] that only return something: `about` and `common`.
macro_rules! handed_over {
    ($($settings:ident).+: $id:literal is $title:literal, $summary:literal, $reference:expr) => {
        $crate::parameter::about! { $id is $title, $summary, $reference }

        fn common(&self) -> &$crate::learn::LearnSettings {
            &self.$($settings).+
        }
    };
}
use handed_over;

/// The method of [`Learn`] that asks the settings whether they can be learned under in blocks.
macro_rules! in_blocks {
    ($settings:ident) => {
        fn blockwise(&self) -> $crate::Result<()> {
            self.$settings.blockwise()
        }
    };
}
use in_blocks;

/// The same method with the same settings.
pub(crate) fn copy(of: &dyn Learn) -> Result<Box<dyn Learn>> {
    let mut made = method(of.about().id)?;
    for parameter in of.parameters() {
        set(&mut *made, parameter.name, &parameter.default)?;
    }
    Ok(made)
}
