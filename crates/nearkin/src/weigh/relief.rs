//! Relief, the original: one nearest hit and one nearest miss of each drawn row.
//!
//! ```text
//! W_A = 1/m Σ_x { − diff(A, x, H)² + diff(A, x, M)² }
//! ```
//!
//! over m rows drawn at random, with H the nearest row of the same class and M the nearest of
//! any other (Euclidean). `squared = false` drops the squares, as Kononenko does. A feature is
//! relevant when W_A ≥ τ; by Chebyshev, τ = 1/√(αm) lets an irrelevant one pass with
//! probability at most α.
//!
//! Cost: m·n·p differences for m drawn rows, n²p/2 when all rows are targets; m·p to add them up.
//!
//! Reference: K. Kira and L. A. Rendell, *A practical approach to feature selection*, ICML 1992.

use super::aggregate::Contribution;
use super::common::{Problem, ReliefSettings};
use super::neighbourhood::Misses;
use super::recipe::Recipe;
use super::{FeatureWeights, Weigh, WeighTask, about};
use crate::measure::Metric;
use crate::random::Random;
use crate::{Error, ParameterError, Result, parameters};

parameters! {
    /// Relief and its settings; `sample` is m, every row once when not given.
    pub struct Relief {
        /// Square the differences, as published.
        squared: bool = true;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Euclidean;
        /// Relevance threshold: features of at least this weight are selected.
        tau: Option<f64> = None, in 0.0..=1.0;
        /// Rate of false alarms that sets the threshold to 1/√(alpha·m) when tau is not given.
        alpha: Option<f64> = None, in 1e-9..=1.0;
    } with common: ReliefSettings
}

impl Weigh for Relief {
    about! {
        "relief" is "Relief", "the nearest hit and the nearest miss of randomly drawn rows",
        "Kira & Rendell 1992"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, extras, run, .. } = task;
        if self.squared && extras.stir {
            return Err(Error::parameter("p-values", ParameterError::StirOfSquares));
        }
        self.common.refuse_priors(ParameterError::PriorsOfRelief)?;
        let problem = Problem::new(task, self.metric, &self.common, "relief")?;
        let rows = table.rows();
        // As published, draws are with replacement.
        let targets: Vec<u32> = match self.common.sample {
            None => (0..rows as u32).collect(),
            Some(m) if m > 10_000_000 => {
                let reason = ParameterError::TooLarge { max: 1e7, got: m as f64 };
                return Err(Error::parameter("sample", reason));
            }
            Some(m) => {
                let mut random = Random::new(self.common.seed, 0);
                (0..m).map(|_| random.below(rows) as u32).collect()
            }
        };
        let contribution =
            if self.squared { Contribution::Squared } else { Contribution::Difference };
        let recipe = Recipe { misses: Misses::NearestOther, contribution, ..Recipe::new(1) };
        let sums = recipe.sums(&problem, &targets, extras, run)?;
        let mut weights = FeatureWeights::mean_of(&problem, &sums, extras);
        let from_alpha = |alpha: f64| 1.0 / (alpha * targets.len() as f64).sqrt();
        weights.threshold = self.tau.or(self.alpha.map(from_alpha));
        Ok(weights.noting(problem.notes(table, 1)))
    }
}
