//! SDA, similarity discriminant analysis: a law for the similarity to every class's centroid.
//!
//! ```text
//! ŷ = argmin_f Σ_g C(f, g) · P(g) · Π_h γ_gh · exp(λ_gh · s(x, μ_h))              (12)
//! ```
//!
//! with the centroids μ_h of the classes, and for each class g the laws of s(z, μ_h) over its
//! samples z, fitted by their means (9). Other statistics may take the place of the similarity
//! to the centroid: the mean similarity to a class, and the squared deviation from the
//! similarity usual in a class.
//!
//! Cost: n²/G for the centroids, G² laws; G² products a query.
//!
//! When to use: classes that gather around one typical sample each; probabilities, costs and
//! priors matter; few similarities can be had for a query (only G are asked for). Decisions
//! do not change when similarities are shifted or scaled.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, sections 2 and 2.2.

use super::centroid::{Centroid, Scope, centroids};
use super::common::{Laws, Omega, Priors, Training, support_note};
use super::discriminant::{ClassLaw, Discriminant, Statistics};
use super::predictions::{Predictions, predict_rows};
use super::{About, Classify, Fitted};
use crate::data::{Classes, SimilarityMatrix};
use crate::{Result, Run, choice, parameters};

choice! {
    /// What is measured of a sample, for each class h.
    pub enum Statistic {
        /// s(x, μ_h), the similarity to the centroid.
        Centroid = "centroid",
        /// The mean similarity to the samples of the class; a training sample leaves itself out.
        Mean = "mean",
        /// (s(x, μ_h) − m_h)², m_h the mean of s(z, μ_h) over the samples z of class h.
        Deviation = "deviation",
        /// (s(x, μ_h) − m_g)² for every pair of classes g and h.
        CrossDeviation = "cross-deviation",
    }
}

parameters! {
    /// SDA and its settings.
    pub struct Sda {
        /// What is measured of a sample.
        statistic: Statistic = Statistic::Centroid;
        /// Which sample stands for its class.
        centroid: Centroid = Centroid::MaxSum;
        /// Whose nearest neighbours make a sample popular.
        scope: Scope = Scope::WithinClass;
    } with laws: Laws, priors: Priors
}

impl Sda {
    /// The settings of the chapter's benchmarks.
    pub fn sda_2009() -> Self {
        Self { laws: Laws::sda_2009(), priors: Priors::sda_2009(), ..Self::default() }
    }
}

/// What to measure of a sample, with what that needs from training.
#[derive(Debug, Clone)]
enum Measured {
    Centroid(Vec<usize>),
    Mean(Vec<Vec<usize>>),
    /// Centroids, and the usual similarity for each statistic.
    Deviation(Vec<usize>, Vec<f64>),
}

impl Measured {
    fn new(sda: &Sda, training: Training) -> Self {
        let by_class = training.by_class();
        if sda.statistic == Statistic::Mean {
            return Self::Mean(by_class);
        }
        let centres = centroids(training, sda.centroid, sda.scope);
        let usual: Vec<f64> = by_class
            .iter()
            .zip(&centres)
            .map(|(class, &c)| {
                class.iter().map(|&z| training.s.at(z, c)).sum::<f64>() / class.len() as f64
            })
            .collect();
        match sda.statistic {
            Statistic::Deviation => Self::Deviation(centres, usual),
            Statistic::CrossDeviation => {
                let width = centres.len();
                let usual = usual.iter().flat_map(|&m| std::iter::repeat_n(m, width));
                Self::Deviation(centres, usual.collect())
            }
            _ => Self::Centroid(centres),
        }
    }

    fn columns(&self) -> usize {
        match self {
            Self::Centroid(centres) => centres.len(),
            Self::Mean(by_class) => by_class.len(),
            Self::Deviation(_, usual) => usual.len(),
        }
    }

    /// Statistic `m` from similarities `s`; `own` is the training sample they belong to.
    fn of(&self, s: &[f64], m: usize, own: Option<usize>) -> Option<f64> {
        match self {
            Self::Centroid(centres) => Some(s[centres[m]]),
            Self::Deviation(centres, usual) => {
                let off = s[centres[m % centres.len()]] - usual[m];
                Some(off * off)
            }
            Self::Mean(by_class) => {
                let (mut sum, mut n) = (0.0, 0.0);
                for &z in by_class[m].iter().filter(|&&z| Some(z) != own) {
                    (sum, n) = (sum + s[z], n + 1.0);
                }
                (n > 0.0).then(|| sum / n)
            }
        }
    }
}

#[derive(Debug)]
struct FittedSda {
    names: Vec<String>,
    references: usize,
    measured: Measured,
    discriminant: Discriminant,
}

impl Classify for Sda {
    fn about(&self) -> About {
        About {
            id: "sda",
            title: "SDA",
            summary: "laws of the similarities to the classes' centroids",
            reference: "Cazzanti 2009",
        }
    }

    fn fit_checked(
        &self,
        s: &SimilarityMatrix,
        classes: &Classes,
        _run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        let training = Training::new(s, classes, "sda")?;
        let measured = Measured::new(self, training);
        let columns = measured.columns();
        let statistics =
            Statistics::of(training.n(), columns, |row, m| measured.of(s.row(row), m, Some(row)));
        // Similarities share the values of the whole matrix; other statistics have their own.
        let supports = match (&measured, self.laws.support) {
            (Measured::Centroid(_), Omega::Observed) => {
                vec![self.laws.omega(s.values().iter().copied())?]
            }
            _ => (0..columns)
                .map(|m| self.laws.omega(statistics.known(m).map(|(_, value)| value)))
                .collect::<Result<_>>()?,
        };
        let discriminant =
            Discriminant::fit(&self.laws, &self.priors, classes, &statistics, supports)?;
        let names = classes.names().to_vec();
        Ok(Box::new(FittedSda { names, references: training.n(), measured, discriminant }))
    }
}

impl Fitted for FittedSda {
    fn predict_with(&self, queries: &SimilarityMatrix, run: &Run) -> Result<Predictions> {
        let columns = self.measured.columns();
        predict_rows(&self.names, self.references, queries, run, |_, s| {
            let statistics: Vec<f64> =
                (0..columns).filter_map(|m| self.measured.of(s, m, None)).collect();
            Ok(self.discriminant.answer(&statistics))
        })
    }

    fn laws(&self) -> Vec<ClassLaw> {
        self.discriminant.laws().to_vec()
    }

    fn prototypes(&self) -> Vec<Vec<usize>> {
        match &self.measured {
            Measured::Centroid(centres) | Measured::Deviation(centres, _) => {
                centres.iter().map(|&c| vec![c]).collect()
            }
            Measured::Mean(_) => Vec::new(),
        }
    }

    fn notes(&self) -> Vec<String> {
        self.discriminant.supports().first().and_then(support_note).into_iter().collect()
    }
}
