//! k nearest neighbours: the class most frequent among the k most similar samples.
//!
//! ```text
//! P(g | x) = k_g / k,   k_g of the k training samples of largest s(x, ·) are of class g
//! ```
//!
//! Priors other than the classes' shares n_g/n weigh the votes: P(g | x) ∝ k_g · P(g) · n/n_g.
//! Equal similarities go to the lower row. Vote ties go to the first class, as in the chapter,
//! or to the tied class with the nearest sample.
//!
//! Cost: n log n a query; all sizes are tried by leave-one-out in one pass over sorted rows.
//!
//! When to use: many training samples, and as the measure of everything local.
//!
//! Reference: E. Fix and J. L. Hodges, *Discriminatory analysis*, 1951; L. Cazzanti,
//! *Similarity discriminant analysis*, 2009, section 5.

use super::common::{Priors, Tilt, Training};
use super::neighbourhood::{Size, by_similarity};
use super::predictions::{Answer, Costs, Predictions, assemble, cost, predict_rows, risks};
use super::{Asks, Classify, FitResult, Fitted, Insight, LearnsFrom, Queries, SizeChoice, about};
use crate::data::{Classes, Parts, SimilarityMatrix, wrong_part};
use crate::neighbors::SimilarRow;
use crate::{Note, Result, Run, choice, parameters};

choice! {
    /// Which class wins when classes have equal votes.
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
        /// Which class wins when classes have equal votes.
        ties: VoteTies = VoteTies::First;
        /// C(f, g), the cost of predicting f when the true class is g: a matrix row by row, with
        /// a row for each predicted class and a column for each true class; 0 and 1 when not
        /// given.
        costs: Option<Vec<f64>> = None;
    } with size: Size, priors: Priors
}

#[derive(Debug)]
struct FittedKnn {
    classes: Classes,
    ties: VoteTies,
    tilt: Tilt,
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

/// The answer for these votes; `order` holds the classes of the neighbours, the nearest first.
fn vote(
    votes: &[usize],
    order: impl Iterator<Item = usize>,
    ties: VoteTies,
    tilt: &Tilt,
    costs: Option<&Costs>,
) -> Answer {
    let votes = tilt.weighted(votes.iter().map(|&v| v as f64).collect());
    let total: f64 = votes.iter().sum();
    let shares = votes.iter().map(|v| v / total);
    let log_posteriors: Vec<f64> = shares.map(f64::ln).collect();
    let risks = risks(&log_posteriors, costs);
    // Votes that priors make equal are so but for rounding.
    let least = risks.iter().copied().fold(f64::INFINITY, f64::min) + 1e-12;
    let first = risks.iter().position(|risk| *risk <= least).unwrap_or(0);
    let class = match ties {
        VoteTies::First => first,
        VoteTies::Nearest => order.into_iter().find(|&g| risks[g] <= least).unwrap_or(first),
    };
    Answer {
        class,
        scores: votes,
        log_posteriors: Some(log_posteriors),
        log_likelihood: None,
        outside: false,
        fallback: false,
    }
}

impl FittedKnn {
    /// The answer for neighbours of these classes, the nearest first.
    fn answer(&self, nearest: impl Iterator<Item = usize> + Clone) -> Answer {
        let mut votes = vec![0; self.classes.len()];
        nearest.clone().for_each(|class| votes[class] += 1);
        vote(&votes, nearest, self.ties, &self.tilt, self.costs.as_ref())
    }
}

impl Knn {
    /// For each of these numbers of neighbours, the cost of the answer for a sample of class
    /// `truth`. It comes from the classes of the other samples, the nearest first; `classes` is
    /// the number of classes.
    fn costs_of(
        &self,
        nearest: &[usize],
        (classes, truth): (usize, usize),
        sizes: &[usize],
        (tilt, costs): (&Tilt, Option<&Costs>),
    ) -> Vec<f64> {
        let (mut votes, mut counted) = (vec![0; classes], 0);
        let cost_at = |&size: &usize| {
            nearest[counted..size].iter().for_each(|&class| votes[class] += 1);
            counted = size;
            let order = nearest[..size].iter().copied();
            let said = vote(&votes, order, self.ties, tilt, costs).class;
            tilt.weight(truth) * cost(costs, said, truth)
        };
        sizes.iter().map(cost_at).collect()
    }

    fn fitted(&self, classes: Classes, k: usize) -> FitResult {
        Ok(Box::new(FittedKnn {
            ties: self.ties,
            tilt: self.priors.tilt(&classes)?,
            costs: Costs::new(self.costs.as_deref(), classes.names())?,
            classes,
            k,
            size: self.size.clone(),
        }))
    }
}

impl Classify for Knn {
    about! {
        "knn" is "k-NN", "the class most frequent among the k most similar samples",
        "Fix & Hodges 1951"
    }

    fn fit_checked(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        let training = Training::of(views, classes, "knn")?;
        let costs = Costs::new(self.costs.as_deref(), classes.names())?;
        let tilt = self.priors.tilt(classes)?;
        let k = self.size.choose(training, run, |row, sizes| {
            let order = by_similarity(&training.s.row(row), Some(row));
            let nearest: Vec<usize> = order.iter().map(|&z| training.class(z)).collect();
            let of = (classes.len(), training.class(row));
            self.costs_of(&nearest, of, sizes, (&tilt, costs.as_ref()))
        })?;
        self.fitted(classes.clone(), k)
    }

    fn learns_checked(&self, classes: &Classes) -> Result<LearnsFrom> {
        let n = classes.codes().len();
        if let Some(k) = self.size.given(n) {
            return self.fitted(classes.clone(), k).map(LearnsFrom::Classes);
        }
        let (rule, costs) = (self.clone(), Costs::new(self.costs.as_deref(), classes.names())?);
        let (tilt, count) = (self.priors.tilt(classes)?, classes.len());
        let costs_of = move |truth: u32, near: &[Vec<(u32, f64)>], sizes: &[usize]| {
            let nearest: Vec<usize> = near.iter().flatten().map(|one| one.0 as usize).collect();
            rule.costs_of(&nearest, (count, truth as usize), sizes, (&tilt, costs.as_ref()))
        };
        let (rule, classes) = (self.clone(), classes.clone());
        let fitted = move |k| rule.fitted(classes.clone(), k);
        let sizes = self.size.candidates(n.saturating_sub(1))?;
        Ok(LearnsFrom::Neighbours(SizeChoice::new((sizes, false), costs_of, fitted)))
    }

    fn restore(&self, parts: &Parts) -> FitResult {
        let (classes, k) = labelled(parts)?;
        self.fitted(classes, k)
    }
}

impl Fitted for FittedKnn {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        let codes = self.classes.codes();
        if let Queries::Neighbours(near) = queries {
            let class = |one: &SimilarRow| codes[one.row as usize] as usize;
            let answers = near.iter().map(|near| self.answer(near.iter().flatten().map(class)));
            return Ok(assemble(self.classes.names(), &answers.collect::<Vec<_>>()));
        }
        predict_rows(self.classes.names(), codes.len(), queries.matrix()?, run, |_, s| {
            let order = by_similarity(s, None);
            Ok(self.answer(order[..self.k].iter().map(|&z| codes[z] as usize)))
        })
    }

    fn asks(&self) -> Asks<'_> {
        Asks::Neighbours { k: self.k, of_each: false, classes: &self.classes }
    }

    fn parts(&self) -> Parts {
        Parts::new().with("classes", self.classes.parts()).with_codes("k", vec![self.k as u32])
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
    fn tied_votes_go_to_the_first_class_or_to_the_nearest() {
        let classes = Classes::from_labels(["a", "b", "c"]);
        let tilt = Priors::default().tilt(&classes).unwrap();
        let said = |ties| vote(&[1, 2, 2], [2, 1, 0].into_iter(), ties, &tilt, None).class;
        assert_eq!((said(VoteTies::First), said(VoteTies::Nearest)), (1, 2));
    }

    /// Three of class a, one of b, in training 3 : 1 too. Uniform priors are 1/2 over shares of
    /// 3/4 and 1/4: votes count 2/3 and 2, so 3 votes against 1 are 2 : 2, and 2 against 1 are
    /// 4/3 : 2.
    #[test]
    fn votes_count_by_prior_over_share() {
        let classes = Classes::from_labels(["a", "a", "a", "b"]);
        let of = |priors: Priors, votes: [usize; 2]| {
            let tilt = priors.tilt(&classes).unwrap();
            vote(&votes, [0].into_iter(), VoteTies::First, &tilt, None)
        };
        let uniform = || Priors { prior: super::super::Prior::Uniform, ..Priors::default() };
        let said = of(uniform(), [2, 1]);
        assert_eq!(said.class, 1);
        for (p, meant) in said.log_posteriors.unwrap().iter().zip([0.4, 0.6]) {
            assert!((p.exp() - meant).abs() < 1e-15);
        }
        // Given priors that are the shares, in any unit, move nothing but the last digit.
        let same = of(Priors { priors: Some(vec![6.0, 2.0]), ..Priors::default() }, [2, 1]);
        let plain = of(Priors::default(), [2, 1]);
        assert_eq!((same.class, plain.scores), (0, vec![2.0, 1.0]));
        for (a, b) in same.log_posteriors.unwrap().iter().zip(plain.log_posteriors.unwrap()) {
            assert!((a - b).abs() < 1e-15);
        }
        // Equal votes tie, even where rounding makes them differ.
        let many = Classes::from_labels((0..12).map(|row| if row < 1 { "a" } else { "b" }));
        let tilt = uniform().tilt(&many).unwrap();
        for (ties, meant) in [(VoteTies::First, 0), (VoteTies::Nearest, 1)] {
            assert_eq!(vote(&[1, 11], [1, 0].into_iter(), ties, &tilt, None).class, meant);
        }
        // A class without a vote keeps probability 0, whatever its prior.
        let none = of(Priors { priors: Some(vec![1e-6, 1.0]), ..Priors::default() }, [4, 0]);
        assert_eq!((none.class, none.log_posteriors), (0, Some(vec![0.0, f64::NEG_INFINITY])));
    }
}
