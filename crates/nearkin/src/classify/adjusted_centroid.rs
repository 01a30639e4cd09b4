//! Adjusted nearest centroid: similarity to a centroid, measured by what is usual there.
//!
//! ```text
//! ŷ = argmax_h s(x, μ_h) / s̄_h,   s̄_h = 1/n_h Σ_{z ∈ X_h} s(z, μ_h)              (6)
//! ```
//!
//! so that a query need not be as near to the centroid of a wide class as to that of a narrow
//! one. A ratio means something for similarities that are not negative; others are refused, but
//! for negated distances: where no training similarity is above 0, each enters as exp(s/σ), σ the
//! mean size of those below 0, so that the unit of distances does not matter. Ties go to the
//! larger prior, then to the first class.
//!
//! Cost: n²/G to fit, G a query.
//!
//! When to use: classes of different spread, non-negative similarities; SDA does the same with
//! laws in place of the ratio, and its probabilities come from them.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 1.1.

use super::centroid::{Centroid, Scope, centroids};
use super::common::{Known, Priors, Training};
use super::predictions::{Answer, Predictions};
use super::scored::{Keeps, Scored, scored};
use super::{Classify, FitResult, Fitted, Insight, Queries, about};
use crate::data::{Classes, Parts, SimilarityMatrix};
use crate::{ClassifyError, Error, Result, Run, parameters};

parameters! {
    /// Adjusted nearest centroid and its settings.
    pub struct AdjustedCentroid {
        /// Which sample stands for its class.
        centroid: Centroid = Centroid::MaxSum;
        /// Where nearest neighbours are counted, to find the most popular sample: within each
        /// class, or among all samples.
        scope: Scope = Scope::WithinClass;
    } with priors: Priors, scored: Scored
}

#[derive(Debug)]
struct FittedAdjusted {
    known: Known,
    /// The centroid of each class and the mean similarity of its samples to it.
    centroids: Vec<(usize, f64)>,
    /// σ of negated distances, which enter as exp(s/σ).
    unit: Option<f64>,
}

/// σ of similarities of which none is above 0 and some are below: negated distances.
fn unit_of_distances(s: &SimilarityMatrix) -> Option<f64> {
    let below = || s.iter().filter(|s| *s < 0.0);
    let most = below().fold(0.0, f64::min);
    // Divided by the largest one, so that the sum stays finite.
    let mean = below().map(|s| s / most).sum::<f64>() / below().count() as f64;
    (most < 0.0 && s.iter().all(|s| s <= 0.0)).then_some(-most * mean)
}

fn negative(row: usize, column: usize, similarity: f64) -> Error {
    ClassifyError::NegativeSimilarity { row, column, similarity }.into()
}

impl AdjustedCentroid {
    fn plain(&self, training: Training, priors: &Priors, unit: Option<f64>) -> FitResult {
        let Training { s, classes } = training;
        let exps;
        let s = match unit {
            None => s,
            Some(unit) => {
                let cells: Vec<f64> = s.iter().map(|s| (s / unit).exp()).collect();
                exps = SimilarityMatrix::new(s.rows(), s.columns(), cells)?;
                &exps
            }
        };
        let training = Training { s, classes };
        if let Some(at) = s.iter().position(|s| s < 0.0) {
            let (row, column) = (at / s.columns(), at % s.columns());
            return Err(negative(row, column, s.at(row, column)));
        }
        let (mut found, by_class) = (Vec::new(), training.by_class());
        for (class, c) in centroids(training, self.centroid, self.scope).into_iter().enumerate() {
            let members = &by_class[class];
            let usual = members.iter().map(|&z| s.at(z, c)).sum::<f64>() / members.len() as f64;
            if usual <= 0.0 {
                let class = classes.names()[class].clone();
                return Err(ClassifyError::NoSimilarityToCentroid { class, row: c }.into());
            }
            found.push((c, usual));
        }
        let known = Known::of(training, priors)?;
        Ok(Box::new(FittedAdjusted { known, centroids: found, unit }))
    }

    fn restore_plain(&self, parts: &Parts) -> FitResult {
        let known = Known::restore(parts)?;
        let rows = parts.positions("centroids", known.references)?;
        known.one_each(rows.len(), "centroids")?;
        let usual = parts.exactly("usual", rows.len())?;
        let centroids = rows.into_iter().zip(usual.iter().copied()).collect();
        let unit = parts.exactly("unit", 1)?[0];
        let unit = Some(unit).filter(|unit| *unit > 0.0);
        Ok(Box::new(FittedAdjusted { known, centroids, unit }))
    }
}

impl Classify for AdjustedCentroid {
    about! {
        "adjusted-centroid" is "Adjusted nearest centroid",
        "similarity to each centroid over what is usual in its class", "Cazzanti 2009"
    }

    fn fit_checked(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        let training = Training::of(views, classes, "adjusted-centroid")?;
        let unit = unit_of_distances(training.s);
        self.scored.fit(&self.priors, training, Keeps::Own, run, |training, priors| {
            self.plain(training, priors, unit)
        })
    }

    scored!();
}

impl Fitted for FittedAdjusted {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        self.known.predict(queries, run, |row, s| {
            let of = |c: usize| self.unit.map_or(s[c], |unit| (s[c] / unit).exp());
            if let Some(&(c, _)) = self.centroids.iter().find(|(c, _)| of(*c) < 0.0) {
                return Err(negative(row, c, s[c]));
            }
            let scores = self.centroids.iter().map(|&(c, usual)| of(c) / usual).collect();
            Ok(Answer::of_scores(scores, &self.known.priors))
        })
    }

    fn parts(&self) -> Parts {
        let centroids = self.centroids.iter().map(|&(c, _)| c as u32).collect();
        self.known
            .parts()
            .with_codes("centroids", centroids)
            .with_numbers("usual", self.centroids.iter().map(|&(_, usual)| usual).collect())
            .with_numbers("unit", vec![self.unit.unwrap_or(0.0)])
    }

    fn insight(&self) -> Insight {
        let prototypes = self.centroids.iter().map(|&(c, _)| vec![c]).collect();
        Insight { prototypes, ..Insight::default() }
    }
}
