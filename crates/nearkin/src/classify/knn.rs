//! k nearest neighbours: the class most frequent among the k most similar samples.
//!
//! ```text
//! P(g | x) = k_g / k,   k_g of the k training samples of largest s(x, ·) are of class g
//! ```
//!
//! Equal similarities go to the lower row. Vote ties go to the first class, as in the chapter,
//! or to the tied class with the nearest sample.
//!
//! Cost: n log n a query; all sizes are tried by leave-one-out in one pass over sorted rows.
//!
//! When to use: many training samples, and as the measure of everything local.
//!
//! Reference: E. Fix and J. L. Hodges, *Discriminatory analysis*, 1951; L. Cazzanti,
//! *Similarity discriminant analysis*, 2009, section 5.

use super::common::Training;
use super::neighbourhood::{Size, by_similarity};
use super::predictions::{Answer, Costs, Predictions, assemble, cost, predict_rows, risks};
use super::{About, Asked, Classify, Fitted};
use crate::data::{Classes, Parts, SimilarityMatrix, wrong_part};
use crate::neighbors::Ranked;
use crate::{Result, Run, choice, parameters};

choice! {
    /// Who wins when classes have equal votes.
    pub enum VoteTies {
        /// The first class.
        First = "first",
        /// The class of the nearest sample among them.
        Nearest = "nearest",
    }
}

parameters! {
    /// k nearest neighbours and its settings.
    pub struct Knn {
        /// Who wins when classes have equal votes.
        ties: VoteTies = VoteTies::First;
        /// C(f, g), the cost of saying f when g is true: the row of the first class said, then
        /// of the next; 0 and 1 when not given.
        costs: Option<Vec<f64>> = None;
    } with size: Size
}

#[derive(Debug)]
struct FittedKnn {
    classes: Classes,
    ties: VoteTies,
    costs: Option<Costs>,
    k: usize,
    size: Size,
}

/// Classes and a number of neighbours from the parts of a rule of neighbours.
pub(crate) fn labelled(parts: &Parts) -> Result<(Classes, usize)> {
    let classes = Classes::restore(&parts.within("classes"))?;
    match parts.code("k")? {
        k if (1..=classes.codes().len()).contains(&k) => Ok((classes, k)),
        _ => Err(wrong_part("k", "is no number of neighbours there can be")),
    }
}

/// The answer of these votes; `order` says who is nearest, by class.
fn vote(
    votes: &[usize],
    order: impl Iterator<Item = usize>,
    ties: VoteTies,
    costs: Option<&Costs>,
) -> Answer {
    let total: usize = votes.iter().sum();
    let shares = votes.iter().map(|&v| v as f64 / total as f64);
    let log_posteriors: Vec<f64> = shares.map(f64::ln).collect();
    let risks = risks(&log_posteriors, costs);
    let least = risks.iter().copied().fold(f64::INFINITY, f64::min);
    let first = risks.iter().position(|risk| *risk == least).unwrap_or(0);
    let class = match ties {
        VoteTies::First => first,
        VoteTies::Nearest => order.into_iter().find(|&g| risks[g] == least).unwrap_or(first),
    };
    Answer {
        class,
        scores: votes.iter().map(|&v| v as f64).collect(),
        log_posteriors: Some(log_posteriors),
        log_likelihood: None,
        outside: false,
        fallback: false,
    }
}

impl FittedKnn {
    /// The answer of neighbours of these classes, the nearest first.
    fn answer(&self, nearest: impl Iterator<Item = usize> + Clone) -> Answer {
        let mut votes = vec![0; self.classes.len()];
        nearest.clone().for_each(|class| votes[class] += 1);
        vote(&votes, nearest, self.ties, self.costs.as_ref())
    }
}

impl Knn {
    fn fitted(&self, classes: Classes, costs: Option<Costs>, k: usize) -> FittedKnn {
        FittedKnn { classes, ties: self.ties, costs, k, size: self.size.clone() }
    }
}

impl Classify for Knn {
    fn about(&self) -> About {
        About {
            id: "knn",
            title: "k-NN",
            summary: "the class most frequent among the k most similar samples",
            reference: "Fix & Hodges 1951",
        }
    }

    fn fit_checked(
        &self,
        s: &SimilarityMatrix,
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        let training = Training::new(s, classes, "knn")?;
        let costs = Costs::new(self.costs.as_deref(), classes.names())?;
        let k = self.size.choose(training, run, |row, sizes| {
            let order = by_similarity(s.row(row), Some(row));
            let (mut votes, mut counted) = (vec![0; classes.len()], 0);
            let cost_at = |&size: &usize| {
                order[counted..size].iter().for_each(|&z| votes[training.class(z)] += 1);
                counted = size;
                let nearest = order[..size].iter().map(|&z| training.class(z));
                let said = vote(&votes, nearest, self.ties, costs.as_ref()).class;
                cost(costs.as_ref(), said, training.class(row))
            };
            sizes.iter().map(cost_at).collect()
        })?;
        Ok(Box::new(self.fitted(classes.clone(), costs, k)))
    }

    fn fit_labels_checked(&self, classes: &Classes) -> Result<Option<Box<dyn Fitted>>> {
        let Some(k) = self.size.given(classes.codes().len()) else { return Ok(None) };
        let costs = Costs::new(self.costs.as_deref(), classes.names())?;
        Ok(Some(Box::new(self.fitted(classes.clone(), costs, k))))
    }

    fn restore(&self, parts: &Parts) -> Result<Box<dyn Fitted>> {
        let (classes, k) = labelled(parts)?;
        let costs = Costs::new(self.costs.as_deref(), classes.names())?;
        Ok(Box::new(self.fitted(classes, costs, k)))
    }
}

impl Fitted for FittedKnn {
    fn predict_with(&self, queries: &SimilarityMatrix, run: &Run) -> Result<Predictions> {
        let codes = self.classes.codes();
        predict_rows(self.classes.names(), codes.len(), queries, run, |_, s| {
            let order = by_similarity(s, None);
            Ok(self.answer(order[..self.k].iter().map(|&z| codes[z] as usize)))
        })
    }

    fn asks(&self) -> Option<Asked<'_>> {
        Some(Asked { k: self.k, classes: &self.classes, of_each: false })
    }

    fn predict_neighbours(&self, near: &[Vec<Vec<Ranked>>]) -> Result<Predictions> {
        let class = |one: &Ranked| self.classes.codes()[one.row as usize] as usize;
        let answers = near.iter().map(|near| self.answer(near.iter().flatten().map(class)));
        Ok(assemble(self.classes.names(), &answers.collect::<Vec<_>>()))
    }

    fn parts(&self) -> Parts {
        Parts::new().with("classes", self.classes.parts()).with_codes("k", vec![self.k as u32])
    }

    fn k(&self) -> Option<usize> {
        Some(self.k)
    }

    fn notes(&self) -> Vec<String> {
        self.size.note(self.classes.codes().len()).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tied_votes_go_to_the_first_class_or_to_the_nearest() {
        let said = |ties| vote(&[1, 2, 2], [2, 1, 0].into_iter(), ties, None).class;
        assert_eq!((said(VoteTies::First), said(VoteTies::Nearest)), (1, 2));
    }
}
