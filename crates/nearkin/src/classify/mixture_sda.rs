//! Mixture SDA: a mixture of laws for the similarities to several prototypes of every class.
//!
//! ```text
//! ℓ_g(x) = log P(g) + Σ_h log Σ_l w_ghl · γ_ghl · exp(λ_ghl · s(x, μ_hl))        (25)–(36)
//! ```
//!
//! with prototypes μ_hl found by k-medoids and then fixed, and for every pair of classes g, h
//! weights and laws fitted to the similarities of g's samples to h's prototypes by EM:
//!
//! ```text
//! E   R_il ∝ w_l · γ_l · exp(λ_l · s(z_i, μ_l))
//! M   w_l = Σ_i R_il / n,   E_{λ_l}[s] = Σ_i R_il · s(z_i, μ_l) / Σ_i R_il
//! ```
//!
//! Each part is a law of its own coordinate, so the sum is no law of all c similarities: it
//! serves to compare classes under one c, not models of different c.
//!
//! Cost: G²·c laws a round of EM, G²·c products a query.
//!
//! Lower bound of a round for n samples: G·n·c exponentials with some five multiply-adds each, and
//! G²·c laws. Here each needs a second exponential and the logarithm of a weight. The mean
//! similarities to prototypes, G·n·c additions, are worked out again for each of G classes.
//!
//! When to use: classes of a few clumps, with probabilities. The chapter finds the evidence
//! for it inconclusive, and its table of two noisy centroids could not be reproduced; local
//! SDA is the safer choice.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 4.

use super::common::{Known, Laws, Priors, Training, support_note};
use super::discriminant::ClassLaw;
use super::evidence::Evidence;
use super::law::{Law, Support};
use super::medoids::Medoids;
use super::predictions::{Answer, Costs, Predictions, log_sum_exp};
use super::{Classify, FitResult, Fitted, Insight, Queries, about};
use crate::data::{Classes, Parts, SimilarityMatrix, wrong_part};
use crate::{Note, Result, Run, choice, parameters};

choice! {
    /// Where EM begins.
    pub enum Start {
        /// Every sample belongs to all parts equally. The parts differ from the first round on,
        /// because each has another prototype.
        Uniform = "uniform",
        /// Every sample belongs to the prototype it is most similar to.
        Clusters = "clusters",
    }
}

parameters! {
    /// Mixture SDA and its settings.
    pub struct MixtureSda {
        /// Where EM begins.
        start: Start = Start::Uniform;
        /// The largest number of rounds of EM.
        rounds: usize = 30, min 1;
        /// EM stops when the log-likelihood rises by less than this.
        tolerance ("tol"): f64 = 1e-6, in 0.0..=1e9;
    } with prototypes: Medoids, laws: Laws, priors: Priors
}

impl MixtureSda {
    /// The settings of the chapter's benchmarks: thirty rounds, whatever they gain.
    pub fn sda_2009() -> Self {
        Self {
            tolerance: 0.0,
            laws: Laws::sda_2009(),
            priors: Priors::sda_2009(),
            ..Self::default()
        }
    }
}

#[derive(Debug)]
struct FittedMixture {
    /// Priors are logarithms.
    known: Known,
    prototypes: Vec<Vec<usize>>,
    /// For class g and prototypes' class h at g·G + h, a part a prototype.
    mixtures: Vec<Vec<ClassLaw>>,
    support: Support,
    costs: Option<Costs>,
    declared: bool,
    /// Rounds of the mixture that took the most.
    rounds: usize,
}

/// The smallest divisor that is used, and the smallest weight of a part.
const LEAST: f64 = 1e-12;

/// log(weight · p(s)) of each part, for a sample with similarities `s` to the prototypes.
fn log_parts<'p>(parts: &'p [ClassLaw], s: impl Iterator<Item = f64> + 'p) -> Vec<f64> {
    parts.iter().zip(s).map(|(part, s)| part.weight.ln() + part.law.log_p(s)).collect()
}

impl MixtureSda {
    /// Weights and laws for the samples of a class with similarities `x` to the prototypes of the
    /// class `statistic`, and the log-likelihood after every round.
    fn em(
        &self,
        (class, statistic): (usize, usize),
        x: &[Vec<f64>],
        pooled: &[f64],
        support: &Support,
    ) -> (Vec<ClassLaw>, Vec<f64>) {
        let (n, c) = (x.len() as f64, pooled.len());
        let mut shares: Vec<Vec<f64>> = match self.start {
            Start::Uniform => vec![vec![1.0 / c as f64; c]; x.len()],
            Start::Clusters => x
                .iter()
                .map(|s| {
                    let nearest = super::centroid::first_largest(s);
                    (0..c).map(|l| f64::from(l == nearest)).collect()
                })
                .collect(),
        };
        let mut parts: Vec<ClassLaw> = Vec::new();
        let mut trace = Vec::new();
        for _ in 0..self.rounds {
            let next = (0..c).map(|l| {
                let total: f64 = shares.iter().map(|share| share[l]).sum();
                let weight = (total / n).max(LEAST);
                match parts.get(l) {
                    // A part without samples keeps its law.
                    Some(part) if total < LEAST => ClassLaw { weight, ..*part },
                    _ => {
                        let sum: f64 = shares.iter().zip(x).map(|(r, s)| r[l] * s[l]).sum();
                        let total = if total < LEAST { 0.0 } else { total };
                        let mean = self.laws.mean(sum / total, total, pooled[l]);
                        let law = Law::fit(support, mean, self.laws.ends());
                        ClassLaw { class, statistic, component: l, weight, mean, law }
                    }
                }
            });
            parts = next.collect();
            let mut likelihood = 0.0;
            for (share, s) in shares.iter_mut().zip(x) {
                let logs = log_parts(&parts, s.iter().copied());
                let total = log_sum_exp(&logs);
                likelihood += total;
                // Impossible under every part: it belongs to all alike.
                let alike = 1.0 / c as f64;
                share.iter_mut().zip(&logs).for_each(|(r, log)| {
                    *r = if total == f64::NEG_INFINITY { alike } else { (log - total).exp() };
                });
            }
            let gained = trace.last().map_or(f64::INFINITY, |before| likelihood - before);
            trace.push(likelihood);
            if gained.abs() < self.tolerance {
                break;
            }
        }
        let total: f64 = parts.iter().map(|part| part.weight).sum();
        parts.iter_mut().for_each(|part| part.weight /= total);
        (parts, trace)
    }

    fn fit_size(&self, training: Training, counts: &[usize], run: &Run) -> Result<FittedMixture> {
        let Training { s, classes } = training;
        let support = self.laws.omega_of(s, run)?;
        let prototypes = self.prototypes.of(training, counts);
        let by_class = training.by_class();
        let mut mixtures = Vec::with_capacity(by_class.len() * by_class.len());
        let mut rounds = 0;
        for (class, members) in by_class.iter().enumerate() {
            for (of, medoids) in prototypes.iter().enumerate() {
                let x: Vec<Vec<f64>> = members
                    .iter()
                    .map(|&z| medoids.iter().map(|&m| s.at(z, m)).collect())
                    .collect();
                let pooled: Vec<f64> = medoids
                    .iter()
                    .map(|&m| {
                        (0..training.n()).map(|z| s.at(z, m)).sum::<f64>() / training.n() as f64
                    })
                    .collect();
                let (parts, trace) = self.em((class, of), &x, &pooled, &support);
                mixtures.push(parts);
                rounds = rounds.max(trace.len());
            }
        }
        let mut known = Known::of(training, &self.priors)?;
        known.priors.iter_mut().for_each(|p| *p = p.ln());
        Ok(FittedMixture {
            known,
            prototypes,
            mixtures,
            support,
            costs: self.laws.costs(classes.names())?,
            declared: self.laws.declared(),
            rounds,
        })
    }
}

impl Classify for MixtureSda {
    about! {
        "mixture-sda" is "Mixture SDA",
        "mixtures of laws of the similarities to a few medoids of each class", "Cazzanti 2009"
    }

    fn fit_checked(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        let training = Training::of(views, classes, "mixture-sda")?;
        let costs = self.laws.costs(classes.names())?;
        let counts =
            self.prototypes.choose(training, costs.as_ref(), run, |training, counts| {
                Ok(Box::new(self.fit_size(training, counts, &run.quiet())?))
            })?;
        Ok(Box::new(self.fit_size(training, &counts, run)?))
    }

    fn restore(&self, parts: &Parts) -> FitResult {
        let known = Known::restore(parts)?;
        let width = known.names.len();
        let prototypes = parts.lists("prototypes", known.references)?;
        known.one_each(prototypes.len(), "prototypes")?;
        let mut mixtures = vec![Vec::new(); width * width];
        for law in ClassLaw::restore(&parts.within("laws"), width, width)? {
            let of: &mut Vec<ClassLaw> = &mut mixtures[law.class * width + law.statistic];
            of.push(ClassLaw { component: of.len(), ..law });
        }
        let fits =
            |(at, parts): (usize, &Vec<ClassLaw>)| parts.len() == prototypes[at % width].len();
        if !mixtures.iter().enumerate().all(fits) {
            return Err(wrong_part("laws", "does not fit the prototypes"));
        }
        Ok(Box::new(FittedMixture {
            costs: self.laws.costs(&known.names)?,
            known,
            prototypes,
            mixtures,
            support: Support::restore(&parts.within("support"))?,
            declared: self.laws.declared(),
            rounds: parts.code("rounds")?,
        }))
    }
}

impl Fitted for FittedMixture {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        let width = self.known.names.len();
        self.known.predict(queries, run, |_, s| {
            let mut likelihoods = vec![0.0; width];
            for (at, parts) in self.mixtures.iter().enumerate() {
                let medoids = &self.prototypes[at % width];
                let logs = log_parts(parts, medoids.iter().map(|&m| s[m]));
                likelihoods[at / width] += log_sum_exp(&logs);
            }
            let spanned = self.prototypes.iter().flatten().all(|&m| self.support.spans(s[m]));
            let answer = Answer::of_laws(&self.known.priors, &likelihoods, self.costs.as_ref());
            Ok(Answer { outside: self.declared && !spanned, ..answer })
        })
    }

    /// Every part of every mixture, with the share of the query it answers for.
    fn evidence(&self, query: &[&[f64]]) -> Vec<Evidence> {
        let (Some(s), width) = (query.first(), self.known.names.len()) else { return Vec::new() };
        let mut found = Vec::new();
        for (at, parts) in self.mixtures.iter().enumerate() {
            let of = at % width;
            let medoids = &self.prototypes[of];
            let logs = log_parts(parts, medoids.iter().map(|&m| s[m]));
            let total = log_sum_exp(&logs);
            for (component, (part, &medoid)) in parts.iter().zip(medoids).enumerate() {
                found.push(Evidence {
                    law: *part,
                    statistic: format!(
                        "similarity to prototype {component} of {}",
                        self.known.names[of]
                    ),
                    prototype: Some(medoid),
                    value: s[medoid],
                    log_p: part.law.log_p(s[medoid]),
                    responsibility: match total == f64::NEG_INFINITY {
                        true => 1.0 / parts.len() as f64,
                        false => (logs[component] - total).exp(),
                    },
                });
            }
        }
        found
    }

    fn parts(&self) -> Parts {
        self.known
            .parts()
            .with_lists("prototypes", &self.prototypes)
            .with("laws", ClassLaw::parts(&self.mixtures.concat()))
            .with("support", self.support.parts())
            .with_codes("rounds", vec![self.rounds as u32])
    }

    fn insight(&self) -> Insight {
        let (laws, prototypes) = (self.mixtures.concat(), self.prototypes.clone());
        Insight { laws, prototypes, rounds: Some(self.rounds), ..Insight::default() }
    }

    fn notes(&self) -> Vec<Note> {
        support_note(&self.support).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Boundary;
    use crate::random::Random;

    #[test]
    fn the_likelihood_never_falls() {
        let mut random = Random::new(8, 0);
        for (boundary, start) in
            [(Boundary::Clamp, Start::Uniform), (Boundary::PointMass, Start::Clusters)]
        {
            let x: Vec<Vec<f64>> = (0..30)
                .map(|i| {
                    (0..3).map(|l| random.below(6) as f64 + 3.0 * f64::from(i % 3 == l)).collect()
                })
                .collect();
            let support = Support::of((0..9).map(f64::from)).unwrap();
            let laws = Laws { boundary, ..Laws::default() };
            let mixture = MixtureSda { start, laws, tolerance: 0.0, ..MixtureSda::default() };
            let (parts, trace) = mixture.em((0, 0), &x, &[4.0; 3], &support);
            assert!(trace.len() > 5 && trace.windows(2).all(|w| w[1] >= w[0] - 1e-9), "{trace:?}");
            assert!((parts.iter().map(|part| part.weight).sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_part_that_nobody_belongs_to_does_no_harm() {
        let x = vec![vec![5.0, 0.0]; 4];
        let support = Support::of((0..9).map(f64::from)).unwrap();
        let mixture = MixtureSda { start: Start::Clusters, ..MixtureSda::default() };
        let (parts, trace) = mixture.em((0, 0), &x, &[4.0; 2], &support);
        assert!(parts.iter().all(|part| part.law.lambda().is_finite() && part.weight > 0.0));
        assert!(trace.iter().all(|likelihood| likelihood.is_finite()));
    }
}
