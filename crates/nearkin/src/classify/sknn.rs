//! SkNN, symmetric k nearest neighbours: the class whose k nearest samples are most similar.
//!
//! ```text
//! ŷ = argmax_g 1/k Σ_{z ∈ kNN_g(x)} s(x, z)
//! ```
//!
//! over the k samples of class g most similar to x, all of them where there are fewer. Every
//! class has the same say, however rare it is. Ties go to the larger prior, then to the first
//! class. Probabilities, where they are asked for or costs are given, are fitted to scores of
//! held-out samples.
//!
//! Cost: n log n a query; all sizes are tried by leave-one-out in one pass over sorted rows.
//!
//! When to use: rare classes beside frequent ones.
//!
//! Reference: A. M. Qamar, E. Gaussier, J.-P. Chevallet and J. H. Lim, *Similarity learning
//! for nearest neighbor classification*, ICDM 2008.

use super::common::{Priors, Training};
use super::knn::labelled;
use super::neighbourhood::{Size, by_similarity};
use super::predictions::{Answer, Predictions, assemble, cost, predict_rows};
use super::scored::{Keeps, Scored, scored};
use super::{Asks, Classify, FitResult, Fitted, Insight, LearnsFrom, Queries, SizeChoice, about};
use crate::data::{Classes, Parts};
use crate::neighbors::SimilarRow;
use crate::{Note, Result, Run, parameters};

parameters! {
    /// Symmetric k nearest neighbours and its settings.
    pub struct Sknn {
    } with size: Size, priors: Priors, scored: Scored
}

#[derive(Debug)]
struct FittedSknn {
    classes: Classes,
    priors: Vec<f64>,
    k: usize,
    size: Size,
}

/// For each class the mean of the k largest similarities, at every k of `sizes`.
fn class_means(s: &[f64], codes: &[u32], own: Option<usize>, sizes: &[usize]) -> Vec<Vec<f64>> {
    let width = codes.iter().max().map_or(0, |&most| most as usize + 1);
    let mut sorted = vec![Vec::new(); width];
    by_similarity(s, own).iter().for_each(|&z| sorted[codes[z] as usize].push(s[z]));
    means_of(&sorted, sizes)
}

/// The same from the similarities to each class's samples, the largest first.
fn means_of(sorted: &[Vec<f64>], sizes: &[usize]) -> Vec<Vec<f64>> {
    // Running sums, so that all sizes cost one pass.
    let mut found = Vec::with_capacity(sizes.len());
    let mut sums = vec![(0usize, 0.0f64); sorted.len()];
    for &k in sizes {
        let row = sorted.iter().zip(&mut sums).map(|(class, (done, sum))| {
            let upto = k.min(class.len());
            *sum += class[*done..upto].iter().sum::<f64>();
            *done = upto;
            if upto == 0 { f64::NEG_INFINITY } else { *sum / upto as f64 }
        });
        found.push(row.collect());
    }
    found
}

/// The cost of the answers from these means, a row for each size, about a sample of class `truth`.
fn costs_of(means: Vec<Vec<f64>>, truth: usize, priors: &[f64]) -> Vec<f64> {
    let said = means.into_iter().map(|means| Answer::of_scores(means, priors).class);
    said.map(|said| cost(None, said, truth)).collect()
}

impl Sknn {
    fn fitted(&self, classes: Classes, priors: Vec<f64>, k: usize) -> Box<dyn Fitted> {
        Box::new(FittedSknn { classes, priors, k, size: self.size.clone() })
    }

    fn plain(&self, training: Training, priors: &Priors, run: &Run) -> FitResult {
        let Training { s, classes } = training;
        let priors = priors.of(classes)?;
        let k = self.size.choose(training, run, |row, sizes| {
            let means = class_means(&s.row(row), classes.codes(), Some(row), sizes);
            costs_of(means, training.class(row), &priors)
        })?;
        Ok(self.fitted(classes.clone(), priors, k))
    }

    fn restore_plain(&self, parts: &Parts) -> FitResult {
        let (classes, k) = labelled(parts)?;
        let priors = parts.exactly("priors", classes.len())?.to_vec();
        Ok(self.fitted(classes, priors, k))
    }
}

impl Classify for Sknn {
    about! {
        "sknn" is "SkNN", "the class whose k nearest samples are most similar on average",
        "Qamar et al. 2008"
    }

    scored!("sknn");

    fn learns_checked(&self, classes: &Classes) -> Result<LearnsFrom> {
        if self.scored.needs_matrix() {
            return Ok(LearnsFrom::Matrix);
        }
        let (n, priors) = (classes.codes().len(), self.priors.of(classes)?);
        if let Some(k) = self.size.given(n) {
            return Ok(LearnsFrom::Classes(self.fitted(classes.clone(), priors, k)));
        }
        let (rule, classes, known) = (self.clone(), classes.clone(), priors.clone());
        let costs_of = move |truth: u32, near: &[Vec<(u32, f64)>], sizes: &[usize]| {
            let sorted = near.iter().map(|class| class.iter().map(|one| one.1).collect());
            let means = means_of(&sorted.collect::<Vec<_>>(), sizes);
            costs_of(means, truth as usize, &known)
        };
        let fitted = move |k| Ok(rule.fitted(classes.clone(), priors.clone(), k));
        let sizes = self.size.candidates(n.saturating_sub(1))?;
        Ok(LearnsFrom::Neighbours(SizeChoice::new((sizes, true), costs_of, fitted)))
    }
}

impl Fitted for FittedSknn {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        let codes = self.classes.codes();
        if let Queries::Neighbours(near) = queries {
            let mean = |class: &Vec<SimilarRow>| match class.len() {
                0 => f64::NEG_INFINITY,
                count => (0.0 + class.iter().map(|one| one.similarity).sum::<f64>()) / count as f64,
            };
            let answer =
                |near: &Vec<_>| Answer::of_scores(near.iter().map(mean).collect(), &self.priors);
            return Ok(assemble(
                self.classes.names(),
                &near.iter().map(answer).collect::<Vec<_>>(),
            ));
        }
        predict_rows(self.classes.names(), codes.len(), queries.matrix()?, run, |_, s| {
            let mut means = class_means(s, codes, None, &[self.k]);
            Ok(Answer::of_scores(means.pop().unwrap_or_default(), &self.priors))
        })
    }

    fn asks(&self) -> Asks<'_> {
        Asks::Neighbours { k: self.k, of_each: true, classes: &self.classes }
    }

    fn parts(&self) -> Parts {
        Parts::new()
            .with("classes", self.classes.parts())
            .with_codes("k", vec![self.k as u32])
            .with_numbers("priors", self.priors.clone())
    }

    fn insight(&self) -> Insight {
        Insight { k: Some(self.k), ..Insight::default() }
    }

    fn notes(&self) -> Vec<Note> {
        self.size.notes(&self.classes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_the_nearest_of_each_class_or_all_there_are() {
        let means = class_means(&[5.0, 1.0, 3.0, 4.0], &[0, 0, 0, 1], None, &[1, 2, 5]);
        assert_eq!(means, [[5.0, 4.0], [4.0, 4.0], [3.0, 4.0]]);
        let alone = class_means(&[5.0, 1.0, 3.0, 4.0], &[0, 0, 0, 1], Some(3), &[2]);
        assert_eq!(alone, [[4.0, f64::NEG_INFINITY]]);
    }
}
