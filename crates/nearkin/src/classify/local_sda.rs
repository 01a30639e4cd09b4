//! Local SDA: similarity discriminant analysis of the query's neighbours.
//!
//! ```text
//! ŷ = argmin_f Σ_g C(f, g) · n_g/k · Π_h γ_gh · exp(λ_gh · s(x, μ_h))            (22)–(24)
//! ```
//!
//! where centroids μ_h, means and priors n_g/k are those of the neighbourhood of x, and the
//! support is that of the whole training matrix. Classes without a neighbour take no part. Priors
//! other than the classes' shares of all samples move the local ones: n_g/k counts P(g) over that
//! share times, so that with k = n they are P(g).
//! Where a class that is present has fewer than `n_min` neighbours, its laws say little, and
//! local nearest centroid decides: such answers are marked, their probabilities are the shares
//! of the neighbours, and costs do not enter them.
//!
//! Cost: n log n + k² + G² laws a query; all sizes are tried by leave-one-out in O(n·k²) and
//! n·G² laws a size.
//!
//! When to use: the chapter's first choice. Any shape of class, probabilities at hand; as k
//! grows with n but slower, its error tends to the least possible. With k = n it is SDA.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 3; L. Cazzanti
//! and M. R. Gupta, *Local similarity discriminant analysis*, ICML 2007.

use super::common::{Laws, Priors, Tilt, Training, support_note};
use super::discriminant::ClassLaw;
use super::evidence::Evidence;
use super::law::{Law, Support};
use super::neighbourhood::{Hood, Local, Near, Nearby, Present, Size, local_centroid};
use super::predictions::{Answer, Costs, Predictions, assemble, each_row, predict_rows};
use super::{Asks, Classify, FitResult, Fitted, Insight, Neighbourhood, Queries, about};
use crate::data::{Classes, Parts, SimilarityMatrix};
use crate::{ClassifyError, Note, Result, Run, parameters};

parameters! {
    /// Local SDA and its settings.
    pub struct LocalSda {
        /// Each class among the neighbours needs at least this many of them. Otherwise local
        /// nearest centroid decides.
        n_min: usize = 3;
    } with size: Size, near: Near, laws: Laws, priors: Priors
}

impl LocalSda {
    /// The settings that agree with the chapter.
    pub fn sda_2009() -> Self {
        Self { laws: Laws::sda_2009(), ..Self::default() }
    }
}

#[derive(Debug)]
struct FittedLocalSda {
    local: Local,
    settings: LocalSda,
    all: Shared,
}

/// The common part of all neighbourhoods.
#[derive(Debug)]
struct Shared {
    support: Support,
    tilt: Tilt,
    costs: Option<Costs>,
}

impl LocalSda {
    fn shared(&self, support: Support, classes: &Classes) -> Result<Shared> {
        let (tilt, costs) = (self.priors.tilt(classes)?, self.laws.costs(classes.names())?);
        Ok(Shared { support, tilt, costs })
    }

    /// True when a class among the neighbours has too few of them to fit its laws.
    fn falls_back(&self, hood: &Hood) -> bool {
        hood.counts.iter().any(|&count| count > 0 && count < self.n_min)
    }

    /// The laws of a neighbourhood, each with the centroid it is of.
    fn local_laws(&self, hood: &Hood, support: &Support) -> Vec<(ClassLaw, usize)> {
        let present = hood.present();
        let mut laws = Vec::with_capacity(present.len() * present.len());
        for &of in &present {
            for &Present { class, .. } in &present {
                let n = hood.counts[class] as f64;
                let mean = self.laws.mean(hood.mean(class, of), n, hood.pooled(of));
                let law = Law::fit(support, mean, self.laws.ends());
                let (statistic, component, weight) = (of.class, 0, 1.0);
                laws.push((
                    ClassLaw { class, statistic, component, weight, mean, law },
                    of.centroid,
                ));
            }
        }
        laws
    }

    fn answer(&self, hood: &Hood, query: &[f64], all: &Shared) -> Answer {
        let Shared { support, tilt, costs } = all;
        let shares = tilt.shares(hood.shares());
        if self.falls_back(hood) {
            let logs: Vec<f64> = shares.iter().map(|share| share.ln()).collect();
            return Answer {
                scores: logs.clone(),
                log_posteriors: Some(logs),
                fallback: true,
                ..local_centroid(hood, query, tilt)
            };
        }
        let mut likelihoods = vec![0.0; shares.len()];
        let mut outside = false;
        for (ClassLaw { class, law, .. }, centroid) in self.local_laws(hood, support) {
            outside |= self.laws.declared() && !support.spans(query[centroid]);
            likelihoods[class] += law.log_p(query[centroid]);
        }
        let log_priors: Vec<f64> = shares.iter().map(|share| share.ln()).collect();
        let answer = Answer::of_laws(&log_priors, &likelihoods, costs.as_ref());
        // Likelihoods under laws of different neighbourhoods cannot be compared as anomaly scores.
        Answer { log_likelihood: None, outside, ..answer }
    }
}

impl Classify for LocalSda {
    about! {
        "local-sda" is "Local SDA",
        "similarity discriminant analysis of the query's neighbours",
        "Cazzanti 2009; Cazzanti & Gupta 2007"
    }

    fn fit_checked(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        let training = Training::of(views, classes, "local-sda")?;
        let support = self.laws.omega_of(training.s, run)?;
        let all = self.shared(support, classes)?;
        let extent = self.near.choose(
            &self.size,
            training,
            (all.costs.as_ref(), &all.tilt),
            run,
            |hood, query| self.answer(hood, query, &all),
        )?;
        let local = Local::new(training, extent, (&self.near, &self.size));
        Ok(Box::new(FittedLocalSda { local, settings: self.clone(), all }))
    }

    fn restore(&self, parts: &Parts) -> FitResult {
        let local = Local::restore(parts, "local-sda", (&self.near, &self.size))?;
        let support = Support::restore(&parts.within("support"))?;
        let all = self.shared(support, &local.classes)?;
        Ok(Box::new(FittedLocalSda { local, settings: self.clone(), all }))
    }
}

impl Fitted for FittedLocalSda {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        let Self { local, settings, all } = self;
        let names = local.classes.names();
        let answer = |training: Training, query: &[f64]| {
            let mut answer = Answer::of_scores(vec![0.0], &[1.0]);
            local.show(training, query, |hood| {
                answer = settings.answer(hood, query, all);
            });
            answer
        };
        if let Queries::Neighbourhoods(hoods) = queries {
            let answers = each_row(hoods.len(), run, |at| {
                let Neighbourhood { s, codes, query } = &hoods[at];
                let classes = Classes::among(codes.clone(), names.to_vec())?;
                if s.rows() != s.columns() || [codes.len(), query.len()] != [s.rows(); 2] {
                    return Err(ClassifyError::NeighbourhoodParts.into());
                }
                Ok(answer(Training { s, classes: &classes }, query))
            })?;
            return Ok(assemble(names, &answers));
        }
        let training = local.training();
        predict_rows(names, training.n(), queries.matrix()?, run, |_, query| {
            Ok(answer(training, query))
        })
    }

    fn asks(&self) -> Asks<'_> {
        let of_each = self.local.near.neighbourhood == Nearby::PerClass;
        match self.local.extent.count() {
            Some(k) => Asks::Neighbourhood { k, of_each },
            None => Asks::Similarities,
        }
    }

    /// The laws of the query's own neighbourhood; empty when it is too small to fit them.
    fn evidence(&self, query: &[&[f64]]) -> Vec<Evidence> {
        let (Some(&query), training) = (query.first(), self.local.training()) else {
            return Vec::new();
        };
        let (names, mut found) = (training.classes.names(), Vec::new());
        self.local.show(training, query, |hood| {
            if self.settings.falls_back(hood) {
                return;
            }
            for (law, centroid) in self.settings.local_laws(hood, &self.all.support) {
                found.push(Evidence {
                    law,
                    statistic: format!(
                        "similarity to the local centroid of {}",
                        names[law.statistic]
                    ),
                    prototype: Some(centroid),
                    value: query[centroid],
                    log_p: law.law.log_p(query[centroid]),
                    responsibility: 1.0,
                });
            }
        });
        found
    }

    fn parts(&self) -> Parts {
        self.local.parts().with("support", self.all.support.parts())
    }

    fn holds_similarities(&self) -> bool {
        true
    }

    fn insight(&self) -> Insight {
        self.local.insight()
    }

    fn notes(&self) -> Vec<Note> {
        support_note(&self.all.support).into_iter().chain(self.local.notes()).collect()
    }
}
