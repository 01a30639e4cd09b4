//! nnSDA: a law for the similarity to the nearest neighbour in every class.
//!
//! ```text
//! T_h(x) = max_{z ∈ X_h} s(x, z)                                                 (15), (16)
//! ```
//!
//! in place of SDA's similarity to the centroid. A training sample is not its own neighbour;
//! the only sample of a class has none there, and that law gets the mean of all classes.
//!
//! Cost: n² to fit, n a query.
//!
//! When to use: classes of several clumps, where no one sample is typical. Where data are so
//! dense that every query has a near neighbour in every class, the laws become equal and the
//! priors decide.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 2.2.2.

use super::common::{Laws, Priors, Training, support_note};
use super::discriminant::{ClassLaw, Discriminant, Statistics};
use super::predictions::{Predictions, predict_rows};
use super::{About, Classify, Fitted};
use crate::data::{Classes, SimilarityMatrix};
use crate::{Result, Run, parameters};

parameters! {
    /// nnSDA and its settings.
    pub struct NnSda {
    } with laws: Laws, priors: Priors
}

impl NnSda {
    /// The settings of the chapter's benchmarks.
    pub fn sda_2009() -> Self {
        Self { laws: Laws::sda_2009(), priors: Priors::sda_2009() }
    }
}

#[derive(Debug)]
struct FittedNnSda {
    classes: Classes,
    by_class: Vec<Vec<usize>>,
    discriminant: Discriminant,
}

/// The largest similarity to a member, `own` left out; `None` when nobody is left.
fn nearest(s: &[f64], members: &[usize], own: Option<usize>) -> Option<f64> {
    members.iter().filter(|&&z| Some(z) != own).map(|&z| s[z]).reduce(f64::max)
}

impl Classify for NnSda {
    fn about(&self) -> About {
        About {
            id: "nn-sda",
            title: "nnSDA",
            summary: "laws of the similarities to the nearest neighbour in each class",
            reference: "Cazzanti 2009",
        }
    }

    fn fit_checked(
        &self,
        s: &SimilarityMatrix,
        classes: &Classes,
        _run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        let training = Training::new(s, classes, "nn-sda")?;
        let by_class = training.by_class();
        let statistics = Statistics::of(training.n(), by_class.len(), |row, class| {
            nearest(s.row(row), &by_class[class], Some(row))
        });
        let support = self.laws.omega(s.values().iter().copied())?;
        let discriminant =
            Discriminant::fit(&self.laws, &self.priors, classes, &statistics, vec![support])?;
        Ok(Box::new(FittedNnSda { classes: classes.clone(), by_class, discriminant }))
    }
}

impl Fitted for FittedNnSda {
    fn predict_with(&self, queries: &SimilarityMatrix, run: &Run) -> Result<Predictions> {
        let references = self.classes.codes().len();
        predict_rows(self.classes.names(), references, queries, run, |_, s| {
            let statistics: Vec<f64> =
                self.by_class.iter().filter_map(|class| nearest(s, class, None)).collect();
            Ok(self.discriminant.answer(&statistics))
        })
    }

    fn laws(&self) -> Vec<ClassLaw> {
        self.discriminant.laws().to_vec()
    }

    fn notes(&self) -> Vec<String> {
        let alone = self.classes.names().iter().zip(self.classes.counts());
        let alone = alone.filter(|(_, count)| **count == 1).map(|(name, _)| {
            format!("class `{name}` has one row: its law of its own nearest neighbour is that of all classes")
        });
        self.discriminant
            .supports()
            .first()
            .and_then(support_note)
            .into_iter()
            .chain(alone)
            .collect()
    }
}
