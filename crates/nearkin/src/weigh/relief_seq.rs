//! ReliefSeq: the best number of neighbours for each feature, all tried in one pass.
//!
//! ```text
//! W_A = max_{k in k_min..=k_max} W_A(k)
//! ```
//!
//! The paper's reason: features with a main effect like many neighbours, interacting ones few.
//! Neighbours are sorted once and running sums over ranks give every k. A maximum is biased
//! upwards: use permutation p-values, and read [`FeatureWeights::best_k`] beside the weight.
//!
//! Cost: n²p/2 differences to find k_max neighbours, n·k_max·C·p to sum them; each k adds p sums
//! more.
//!
//! Lower bound: the neighbour search, then n·k_max·C·p differences and multiply-adds. This code is
//! slower than that: it adds, counts and divides once for each difference, and it goes through the
//! sums of each k tried for every target and class.
//!
//! Reference: B. A. McKinney et al., *ReliefSeq: a gene-wise adaptive-K nearest-neighbor feature
//! selection tool*, PLoS ONE 8 (2013).

use rayon::prelude::*;

use super::aggregate::BLOCK;
use super::common::{Problem, ReliefSettings, targets};
use super::contribution::{Moments, add_scaled};
use super::{FeatureWeights, Weigh, WeighTask, about};
use crate::measure::Metric;
use crate::neighbors::{nearest, nearest_between};
use crate::{Error, ParameterError, Result, WeighError, parameters};

parameters! {
    /// ReliefSeq and its settings.
    pub struct ReliefSeq {
        /// Fewest neighbours tried.
        k_min: usize = 1, min 1;
        /// Most neighbours tried.
        k_max: usize = 50, min 1;
        /// How differences of features add up to a distance.
        metric: Metric = Metric::Manhattan;
    } with common: ReliefSettings
}

impl Weigh for ReliefSeq {
    about! {
        "relief-seq" is "ReliefSeq",
        "ReliefF with the best number of neighbours for each feature", "McKinney et al. 2013"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, run, .. } = task;
        if self.k_min > self.k_max {
            let reason = ParameterError::KMin { k_max: self.k_max, got: self.k_min };
            return Err(Error::parameter("k_min", reason));
        }
        task.extras.only_weights(WeighError::ExtrasOfMaximum)?;
        let problem = Problem::new(task, self.metric, &self.common, "relief-seq")?;
        let targets = targets(table.rows(), &self.common)?;
        let rows = problem.labelled();
        // More neighbours than the largest class has change nothing.
        let largest = problem.classes.counts().iter().copied().max().unwrap_or(1);
        let (k_min, k_max) = (self.k_min.min(largest), self.k_max.min(largest));
        let near = match self.common.sample {
            None => nearest(rows, &problem.measure, k_max, run)?,
            Some(_) => nearest_between((rows, &targets), rows, true, &problem.measure, k_max, run)?,
        };
        let (features, tried) = (problem.features(), k_max - k_min + 1);
        let leaves_out =
            problem.rows.has_missing() && problem.measure.unknown().policy().skips_in_update();
        let block = |first: usize| {
            let mut sums = vec![vec![0.0; features]; tried];
            let (mut so_far, mut used) = (vec![0.0; features], vec![0usize; features]);
            let reduction = problem.reduction();
            let mut one = Moments::new(features, false);
            for (at, &row) in targets.iter().enumerate().skip(first).take(BLOCK) {
                let own = problem.label(row as usize);
                for class in 0..problem.classes.len() as u32 {
                    let (found, _) = near.of(at, class as usize);
                    let sign = if class == own { -1.0 } else { problem.share(own, class) };
                    so_far.fill(0.0);
                    used.fill(0);
                    for k in 1..=k_max {
                        if let Some(&other) = found.get(k - 1) {
                            let only = [(other, 1.0)];
                            reduction.reduce(row as usize, &only, &only, &mut one);
                            add_scaled(&mut so_far, 1.0, &one.first);
                            for (feature, used) in used.iter_mut().enumerate() {
                                let known = !leaves_out
                                    || reduction
                                        .diff(feature, row as usize, other as usize)
                                        .is_some();
                                *used += usize::from(known);
                            }
                        }
                        if k >= k_min {
                            let means = so_far.iter().zip(&used);
                            for (sum, (so_far, &used)) in sums[k - k_min].iter_mut().zip(means) {
                                *sum += sign * so_far / used.max(1) as f64;
                            }
                        }
                    }
                }
            }
            sums
        };
        let blocks: Vec<usize> = (0..targets.len()).step_by(BLOCK).collect();
        let mut sums = vec![vec![0.0; features]; tried];
        // Sums for every k at once are large where features are many: fewer blocks then.
        let room = (1usize << 27) / (tried * features).max(1);
        for wave in blocks.chunks(room.clamp(1, 4 * run.width())) {
            run.check(wave[0] as u64, targets.len() as u64)?;
            let parts =
                run.install(|| wave.par_iter().map(|&first| block(first)).collect::<Vec<_>>())?;
            for part in parts {
                sums.iter_mut().zip(&part).for_each(|(sum, part)| add_scaled(sum, 1.0, part));
            }
        }
        let count = targets.len() as f64;
        let best = (0..features).map(|feature| {
            let weights = sums.iter().map(|sums| sums[feature] / count).enumerate();
            // The smallest k among equals.
            weights
                .fold((0, f64::NEG_INFINITY), |best, (k, w)| if w > best.1 { (k, w) } else { best })
        });
        let best: Vec<(usize, f64)> = best.collect();
        let weights: Vec<f64> = best.iter().map(|b| b.1).collect();
        let ks: Vec<usize> = best.iter().map(|b| b.0 + k_min).collect();
        Ok(FeatureWeights {
            features: problem.encoder.names().to_vec(),
            weights: problem.table_order(&weights),
            best_k: super::contribution::to_table_order(&problem.encoder, &ks),
            notes: problem.notes(table, self.k_max),
            ..FeatureWeights::default()
        })
    }
}
