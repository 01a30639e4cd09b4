//! Feedback: methods whose running weights enter the distance.
//!
//! ```text
//! d_t(x, z) = Σ_A f_A diff(A, x, z)^q        f = (1 − α) + α v,  v = normalise(S/t)
//! ```
//!
//! with S the sum of updates so far. Each target changes the distance for the next, so the
//! order of targets matters and the run is sequential; the work on one target, or on the
//! `refresh` targets that share factors, is spread over the threads.

use rayon::prelude::*;

use super::aggregate::{BLOCK, Request, Sums};
use super::common::{Problem, ReliefSettings};
use super::contribution::Moments;
use super::neighbourhood::{Near, Neighbourhood, Ties};
use super::recipe::Recipe;
use super::schedule::Schedule;
use super::{Extras, FeatureWeights, WeighTask};
use crate::measure::Metric;
use crate::neighbors::{Reweighted, Strips, nearest_in_strip};
use crate::random::Random;
use crate::{Error, Note, ParameterError, Result, Run, choice, parameters};

choice! {
    /// How running weights W become factors v.
    #[non_exhaustive]
    pub enum Normaliser {
        /// max(W, 0), divided by its largest; 1 when none is positive.
        ClipMax = "clip-max",
        /// As `clip-max`, and at least `floor`.
        Floor = "floor",
        /// (W − min)/(max − min).
        MinMax = "min-max",
        /// (1 + W)/2, or 0 where that is negative.
        Shift = "shift",
        /// |W|, divided by its largest.
        Abs = "abs",
        /// W divided by its largest size; negative factors make no metric, for study only.
        Raw = "raw",
    }
}

choice! {
    /// The order in which rows are visited.
    pub enum Order {
        /// Shuffled by the seed.
        Random = "random",
        /// As in the table.
        Table = "table",
    }
}

parameters! {
    /// Settings that the feedback methods share.
    pub struct Feedback {
        /// Nearest hits, and nearest misses of each other class, that are averaged.
        k ("n_neighbors"): usize = 10, min 1;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Euclidean;
        /// How running weights become factors in the distance.
        normaliser: Normaliser = Normaliser::ClipMax;
        /// Smallest factor; used only when the normaliser is `floor`.
        floor: f64 = 0.1, in 0.0..=1.0;
        /// Targets between two refreshes of the factors; 1 is as published, 8 is faster and close.
        refresh: usize = 1, min 1;
        /// The order in which rows are visited.
        order: Order = Order::Random;
        /// Other random orders to try, to report how much the weights depend on it.
        orders: usize = 0, min 0;
        /// Rows to take when several are equally near and not all can be taken.
        ties: Ties = Ties::Index;
    } with common: ReliefSettings
}

/// Most targets whose distances and moments are held at once.
const SLICE: usize = 64;
/// Most numbers in the moments of these targets.
const MOMENTS: usize = 1 << 22;

impl Normaliser {
    fn factors(self, weights: &[f64], floor: f64) -> Vec<f64> {
        let largest = |of: &dyn Fn(f64) -> f64| weights.iter().map(|&w| of(w)).fold(0.0, f64::max);
        let by_largest = |of: &dyn Fn(f64) -> f64, size: f64| -> Vec<f64> {
            weights.iter().map(|&w| if size > 0.0 { of(w) / size } else { 1.0 }).collect()
        };
        let clip = |w: f64| w.max(0.0);
        match self {
            Self::ClipMax => by_largest(&clip, largest(&clip)),
            Self::Floor => by_largest(&clip, largest(&clip)).iter().map(|v| v.max(floor)).collect(),
            Self::MinMax => {
                let low = weights.iter().copied().fold(f64::INFINITY, f64::min);
                let high = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let unit = |w: f64| if high > low { (w - low) / (high - low) } else { 1.0 };
                weights.iter().map(|&w| unit(w)).collect()
            }
            Self::Shift => weights.iter().map(|w| (0.5 * (1.0 + w)).max(0.0)).collect(),
            Self::Abs => by_largest(&f64::abs, largest(&f64::abs)),
            Self::Raw => by_largest(&|w| w, largest(&f64::abs)),
        }
    }
}

impl Feedback {
    pub(crate) fn fit(
        &self,
        method: &'static str,
        schedule: &Schedule,
        task: WeighTask,
    ) -> Result<FeatureWeights> {
        let WeighTask { table, extras, run, .. } = task;
        if extras.stir {
            return Err(Error::parameter("p-values", ParameterError::StirOfFeedback { method }));
        }
        if self.normaliser == Normaliser::Raw && self.common.missing.skips_in_distance() {
            return Err(Error::parameter("normaliser", ParameterError::RawFactors));
        }
        let problem = Problem::new(task, self.metric, &self.common, method)?;
        let order = self.visits(table.rows(), schedule, 0)?;
        let sums = run.install(|| self.visit(&problem, schedule, &order, extras, run))??;
        let mut weights = FeatureWeights::mean_of(&problem, &sums, extras);
        weights.notes = problem.notes(table, self.k);
        if order.len() < 100 && !schedule.is_zero() {
            weights.notes.push(Note::FewTargets { count: order.len() });
        }
        if self.orders > 0 {
            weights.order_deviation = self.order_deviation(&problem, schedule, &weights, run)?;
        }
        Ok(weights)
    }

    /// The rows to visit, in order; `variant` 0 is the run itself.
    fn visits(&self, rows: usize, schedule: &Schedule, variant: usize) -> Result<Vec<u32>> {
        let mut order = super::common::targets(rows, &self.common)?;
        // Without feedback the order does not matter, and ReliefF's gives ReliefF's bits.
        if variant > 0 || (self.order == Order::Random && !schedule.is_zero()) {
            Random::new(self.common.seed, u64::MAX - variant as u64).shuffle(&mut order);
        }
        Ok(order)
    }

    /// Standard deviation of each weight over this and other orders.
    fn order_deviation(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        first: &FeatureWeights,
        run: &Run,
    ) -> Result<Vec<f64>> {
        let mut all = vec![first.weights.clone()];
        let extras = Extras::default();
        for variant in 1..=self.orders {
            let order = self.visits(problem.rows.len(), schedule, variant)?;
            let visit = || self.visit(problem, schedule, &order, &extras, run);
            let sums = run.install(visit)??;
            all.push(FeatureWeights::mean_of(problem, &sums, &extras).weights);
        }
        let count = all.len() as f64;
        Ok((0..first.weights.len())
            .map(|feature| {
                let mean = all.iter().map(|w| w[feature]).sum::<f64>() / count;
                let squares = all.iter().map(|w| (w[feature] - mean).powi(2)).sum::<f64>();
                (squares / count).sqrt()
            })
            .collect())
    }

    /// Visit the rows in order, factors refreshed as the sums grow. To be called on a thread of the
    /// pool: to wake the pool for every batch would take as long as a small batch.
    ///
    /// Lower bound: m · n · p multiply-adds for m targets among n rows, as no pair serves both its
    /// rows while factors change; the contributions of each target; and some passes over p sums
    /// and p factors for every `refresh` targets.
    fn visit(
        &self,
        problem: &Problem,
        schedule: &Schedule,
        order: &[u32],
        extras: &Extras,
        run: &Run,
    ) -> Result<Sums> {
        let curve = schedule.curve()?;
        let recipe = Recipe { ties: self.ties, ..Recipe::new(self.k) };
        let total = order.len();
        let strips = Strips::new(problem.labelled());
        let search = match self.ties {
            Ties::Index => Reweighted::new(problem.labelled(), &problem.measure),
            Ties::Average => None,
        };
        let mut measure = problem.measure.clone();
        let request = Request { single: extras.bootstrap.is_some(), ..Request::new(order, extras) };
        let mut sums = Sums::new(problem, extras);
        let mut block = Sums::new(problem, extras);
        let mut replicates = extras
            .bootstrap
            .map(|b| super::bootstrap::Replicates::new(b, total, problem.features()));
        let mut distances = Vec::new();
        // A vector a class for each target is held, two where there are tests.
        let numbers = problem.features() * problem.classes.len() * (1 + usize::from(extras.stir));
        let held = (MOMENTS / numbers.max(1)).clamp(1, SLICE);
        for (batch, start) in order.chunks(self.refresh).zip((0..).step_by(self.refresh)) {
            let alpha = if start == 0 { 0.0 } else { curve(start as f64 / total as f64) };
            let factors = if alpha == 0.0 {
                vec![1.0; problem.features()]
            } else {
                let mut running = sums.total();
                super::contribution::add_scaled(&mut running, 1.0, &block.total());
                running.iter_mut().for_each(|w| *w /= start as f64);
                let v = self.normaliser.factors(&problem.table_order(&running), self.floor);
                v.iter().map(|v| (1.0 - alpha) + alpha * v).collect()
            };
            measure.set_any_factors(&problem.encoder, &factors);
            // Same factors for the whole batch; a slice of it bounds the distances held.
            for (slice, from) in batch.chunks(held).zip((start..).step_by(held)) {
                // Moments are worked out where neighbours are found, in parallel, so that little is
                // left to do in order.
                let with_moments = |target: u32, found: Neighbourhood| {
                    let moments = problem.moments_of(target, &found, extras.stir);
                    (found, moments)
                };
                let near = search.as_ref().and_then(|search| {
                    search.nearest(&measure, slice, self.k, |target, near| {
                        with_moments(target, filled(&recipe, problem, target, &near))
                    })
                });
                let found: Vec<(Neighbourhood, Vec<Moments>)> = near.unwrap_or_else(|| {
                    strips.par_distances(&measure, slice, &mut distances);
                    let each = slice.par_iter().zip(distances.par_chunks(problem.rows.len()));
                    each.map(|(&t, d)| with_moments(t, self.neighbourhood(&recipe, problem, t, d)))
                        .collect()
                });
                for (at, (&target, (found, moments))) in slice.iter().zip(&found).enumerate() {
                    problem.add_moments(target, found, moments, request, &mut block);
                    let done = from + at + 1;
                    if done % BLOCK == 0 || done == total {
                        let finished = std::mem::replace(&mut block, Sums::new(problem, extras));
                        sums.add(&finished);
                        if let Some(replicates) = &mut replicates {
                            let first = (done - 1) / BLOCK * BLOCK;
                            replicates.add(first, &finished.rows);
                        }
                        let kept = finished
                            .rows
                            .into_iter()
                            .filter(|(row, _)| extras.rows.contains(&(*row as usize)));
                        sums.rows.extend(kept);
                    }
                }
            }
            run.check((start + batch.len()) as u64, total as u64)?;
        }
        sums.replicates = replicates;
        Ok(sums)
    }

    fn neighbourhood(
        &self,
        recipe: &Recipe,
        problem: &Problem,
        target: u32,
        distances: &[f64],
    ) -> Neighbourhood {
        match self.ties {
            Ties::Average => {
                let mut found = Neighbourhood::default();
                recipe.fill_with_ties(problem, target, distances, &mut found);
                found
            }
            Ties::Index => {
                let near = nearest_in_strip(problem.labelled(), Some(target), distances, self.k);
                filled(recipe, problem, target, &near)
            }
        }
    }
}

/// The neighbourhood of a target whose nearest of each class are known.
fn filled(
    recipe: &Recipe,
    problem: &Problem,
    target: u32,
    near: &[Vec<(f64, u32)>],
) -> Neighbourhood {
    let mut found = Neighbourhood::default();
    let of = |class: usize| near[class].iter().map(|(d, row)| Near::new((row, d))).collect();
    recipe.fill(problem, target, of, &mut found);
    found
}
