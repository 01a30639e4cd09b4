//! I-RELIEF: nearest hits and misses as hidden variables, weights by expectation–maximisation.
//!
//! ```text
//! ‖z‖_w = Σ_j w_j |z_j|     f(d) = exp(−d/σ)
//! α_in  = f(‖x_n − x_i‖_w) / Σ_misses f        β_in = f(‖x_n − x_i‖_w) / Σ_hits f
//! γ_n   = 1 − Σ_misses f / Σ_all f
//! ν     = Σ_n γ_n ( Σ_misses α_in |x_n − x_i| − Σ_hits β_in |x_n − x_i| )
//! w     = (ν)₊ / ‖(ν)₊‖₂                        until ‖w_new − w‖ < θ
//! ```
//!
//! starting from equal weights; misses of all classes together. `online` draws one row at a
//! time and moves the mean by 1/t, towards the same fixed point.
//!
//! Cost: each batch step is n²p for distances and n²p for differences. σ below about 0.5 may
//! not settle on range-scaled data.
//!
//! Lower bound for a batch step: n²p subtractions and multiply-adds for distances, as many for
//! differences, and n² exponentials. Every pair would serve both its rows, at half the cost, if n²
//! numbers were held. A row drawn online takes 2np.
//!
//! Reference: Y. Sun and J. Li, *Iterative RELIEF for feature weighting*, ICML 2006; Y. Sun,
//! IEEE TPAMI 29 (2007).

use super::aggregate::Request;
use super::common::{Problem, ReliefSettings, targets};
use super::contribution::{Moments, Weighted};
use super::neighbourhood::Neighbourhood;
use super::{Extras, FeatureWeights, Weigh, WeighTask, about};
use crate::measure::Metric;
use crate::neighbors::Strips;
use crate::random::Random;
use crate::{Note, ParameterError, Result, Run, WeighError, parameters};

parameters! {
    /// I-RELIEF and its settings.
    pub struct IRelief {
        /// Width of the kernel.
        sigma: f64 = 1.0, in 1e-6..=1e6;
        /// Stop when the weights move less than this.
        tolerance: f64 = 1e-6, in 0.0..=1.0;
        /// Most batch steps.
        iterations: usize = 100, min 1;
        /// Learn from one row at a time instead of all at once.
        online: bool = false;
        /// Passes over the rows when learning online.
        passes: usize = 5, min 1;
    } with common: ReliefSettings
}

impl Weigh for IRelief {
    about! {
        "i-relief" is "I-RELIEF",
        "soft neighbours under the weights themselves, until they agree",
        "Sun & Li 2006; Sun 2007"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, run, .. } = task;
        task.extras.only_weights(WeighError::ExtrasOfFixedPoint)?;
        self.common.refuse_priors(ParameterError::PriorsOfIRelief)?;
        let mut problem = Problem::new(task, Metric::Manhattan, &self.common, "i-relief")?;
        let targets = targets(table.rows(), &self.common)?;
        let mut notes = problem.notes(table, 0);
        let (weights, steps) = match self.online {
            true => (self.online(&problem, &targets, run)?, self.passes),
            false => self.batch(&mut problem, &targets, run, &mut notes)?,
        };
        Ok(FeatureWeights {
            features: problem.encoder.names().to_vec(),
            weights: problem.table_order(&weights),
            steps: Some(steps),
            notes,
            ..FeatureWeights::default()
        })
    }
}

impl IRelief {
    fn batch(
        &self,
        problem: &mut Problem,
        targets: &[u32],
        run: &Run,
        notes: &mut Vec<Note>,
    ) -> Result<(Vec<f64>, usize)> {
        let features = problem.features();
        let mut weights = vec![1.0 / (features as f64).sqrt(); features];
        let extras = Extras::default();
        for step in 0..self.iterations {
            run.check(step as u64, self.iterations as u64)?;
            problem.set_weights(&weights);
            let request = Request::new(targets, &extras);
            let soften = |row: u32, d: &[f64], found: &mut _| self.soften(problem, row, d, found);
            let sums = problem.aggregate_by_distances(request, &run.quiet(), soften, None)?;
            let next = positive_part(&sums.total()).ok_or(WeighError::NonePositive)?;
            let moved =
                next.iter().zip(&weights).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            weights = next;
            if moved < self.tolerance {
                return Ok((weights, step + 1));
            }
        }
        notes.push(Note::WeightsMoved { steps: self.iterations, sigma: self.sigma });
        Ok((weights, self.iterations))
    }

    fn online(&self, problem: &Problem, targets: &[u32], run: &Run) -> Result<Vec<f64>> {
        let features = problem.features();
        let strips = Strips::new(problem.labelled());
        let mut measure = problem.measure.clone();
        let mut mean = vec![0.0; features];
        let mut weights = vec![1.0 / (features as f64).sqrt(); features];
        let (mut distances, mut moments) = (Vec::new(), Moments::new(features, false));
        let mut order = targets.to_vec();
        let total = (targets.len() as u64).saturating_mul(self.passes as u64);
        let mut step = 0u64;
        for pass in 0..self.passes {
            Random::new(self.common.seed, 1 + pass as u64).shuffle(&mut order);
            for &target in &order {
                step += 1;
                run.check(step, total)?;
                measure.set_any_factors(&problem.encoder, &problem.table_order(&weights));
                run.install(|| strips.par_distances(&measure, &[target], &mut distances))?;
                let mut found = Neighbourhood::default();
                self.soften(problem, target, &distances, &mut found);
                let rate = 1.0 / step as f64;
                mean.iter_mut().for_each(|m| *m *= 1.0 - rate);
                for group in &found.groups {
                    problem.reduce(target as usize, group, &mut moments);
                    let sign =
                        if group.class == problem.label(target as usize) { -rate } else { rate };
                    super::contribution::add_scaled(&mut mean, sign, &moments.first);
                }
                // Until something is positive every direction is as good.
                if let Some(next) = positive_part(&mean) {
                    weights = next;
                }
            }
        }
        Ok(positive_part(&mean).ok_or(WeighError::NonePositive)?)
    }

    /// α, β and γ of a target as weights of all other rows.
    fn soften(&self, problem: &Problem, target: u32, distances: &[f64], found: &mut Neighbourhood) {
        let own = problem.label(target as usize);
        let others = || (distances.iter().zip(0u32..)).filter(|(_, row)| *row != target);
        let least = |hits: bool| {
            let side = others().filter(|(_, row)| (problem.label(*row as usize) == own) == hits);
            side.map(|(d, _)| *d).fold(f64::INFINITY, f64::min)
        };
        // Kernels relative to the nearest of each side never all vanish.
        let (hit, miss) = (least(true), least(false));
        let kernel = |d: f64, least: f64| (-(d - least) / self.sigma).exp();
        let (mut hits, mut misses) = (0.0, 0.0);
        for (&d, row) in others() {
            match problem.label(row as usize) == own {
                true => hits += kernel(d, hit),
                false => misses += kernel(d, miss),
            }
        }
        // γ = hits / (hits + misses), both over the kernel of the nearest of all.
        let nearest = hit.min(miss);
        let scale = |sum: f64, least: f64| {
            if sum > 0.0 { sum * (-(least - nearest) / self.sigma).exp() } else { 0.0 }
        };
        let (h, m) = (scale(hits, hit), scale(misses, miss));
        let gamma = h / (h + m);
        let side = |is_hit: bool, sum: f64, least: f64| -> Vec<Weighted> {
            others()
                .filter(|(_, row)| (problem.label(*row as usize) == own) == is_hit)
                .map(|(&d, row)| (row, gamma * kernel(d, least) / sum))
                .collect()
        };
        found.push(own, side(true, hits, hit));
        found.push_mixed(problem, side(false, misses, miss));
    }
}

impl Problem<'_> {
    /// Set the measure's factors from weights in encoded order.
    fn set_weights(&mut self, weights: &[f64]) {
        let factors = self.table_order(weights);
        let encoder = self.encoder.clone();
        self.measure.set_any_factors(&encoder, &factors);
    }
}

/// (ν)₊/‖(ν)₊‖₂, or none when nothing is positive.
///
/// An entry that is tiny beside the largest is rounding and must not be scaled up to a weight.
pub(super) fn positive_part(nu: &[f64]) -> Option<Vec<f64>> {
    let least = 1e-13 * nu.iter().map(|v| v.abs()).fold(0.0, f64::max);
    let mut part: Vec<f64> = nu.iter().map(|&v| if v > least { v } else { 0.0 }).collect();
    let largest = part.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return None;
    }
    // Squares of the entries themselves might be too small or too large to hold.
    part.iter_mut().for_each(|v| *v /= largest);
    let length = part.iter().map(|v| v * v).sum::<f64>().sqrt();
    part.iter_mut().for_each(|v| *v /= length);
    Some(part)
}
