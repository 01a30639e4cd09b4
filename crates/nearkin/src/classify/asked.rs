//! What a classifier asks for: of the training samples when it is fitted ([`LearnsFrom`]), and of
//! a query when it is asked itself ([`Asks`], [`Queries`]).

use std::fmt;

use super::{Classify, FitResult, Fitted, Predictions};
use crate::data::{Classes, SimilarityMatrix};
use crate::neighbors::SimilarRow;
use crate::{ClassifyError, Note, Result, Run};

/// What a fitted classifier needs to know of a query.
#[derive(Debug, Clone, Copy)]
pub enum Asks<'a> {
    /// Its similarities to all training samples, by every measure.
    Similarities,
    /// The training samples that are most similar to it, and how similar they are.
    Neighbours {
        /// How many.
        k: usize,
        /// Whether k of each class are asked for, or k of all.
        of_each: bool,
        /// The classes of the training samples.
        classes: &'a Classes,
    },
    /// The same, and how similar those training samples are to each other.
    Neighbourhood {
        /// How many.
        k: usize,
        /// Whether k of each class are asked for, or k of all.
        of_each: bool,
    },
}

/// The queries in the form that the classifier asks for.
#[derive(Debug, Clone, Copy)]
pub enum Queries<'a> {
    /// Their similarities to all training samples, a matrix for each measure.
    Similarities(&'a [SimilarityMatrix<'a>]),
    /// Their neighbours, best first: `[query][group]`, where a group is a class or all samples.
    Neighbours(&'a [Vec<Vec<SimilarRow>>]),
    /// Their neighbourhoods.
    Neighbourhoods(&'a [Neighbourhood<'a>]),
}

impl<'a> Queries<'a> {
    /// Similarities by every measure.
    pub(super) fn matrices(self) -> Result<&'a [SimilarityMatrix<'a>]> {
        match self {
            Self::Similarities(views) => Ok(views),
            Self::Neighbours(_) | Self::Neighbourhoods(_) => {
                Err(ClassifyError::MoreThanNeighbours.into())
            }
        }
    }

    /// Similarities by the one measure of a classifier that was fitted on one matrix.
    pub(super) fn matrix(self) -> Result<&'a SimilarityMatrix<'a>> {
        match self.matrices()? {
            [one] => Ok(one),
            several => Err(ClassifyError::FittedOnOneMatrix { asked: several.len() }.into()),
        }
    }
}

/// A query and the training samples that are near it, in the order of their rows.
#[derive(Debug, Clone)]
pub struct Neighbourhood<'a> {
    /// The similarities of the training samples with each other.
    pub s: SimilarityMatrix<'a>,
    /// Their classes.
    pub codes: Vec<u32>,
    /// The query's similarities to them.
    pub query: Vec<f64>,
}

/// The one matrix that `method` is fitted on.
pub(super) fn only<'v, 's>(
    views: &'v [SimilarityMatrix<'s>],
    method: &'static str,
) -> Result<&'v SimilarityMatrix<'s>> {
    match views {
        [one] => Ok(one),
        _ => Err(ClassifyError::TakesOneMatrix { method, given: views.len() }.into()),
    }
}

/// What a classifier learns from, beside the classes of the training samples.
#[derive(Debug)]
#[non_exhaustive]
pub enum LearnsFrom {
    /// Nothing more: here it is, fitted.
    Classes(Box<dyn Fitted>),
    /// The neighbours of every training sample: a number of neighbours is chosen by leaving each
    /// sample out.
    Neighbours(SizeChoice),
    /// The similarities of the training samples with each other.
    Matrix,
}

/// What answers cost about a sample of a class at each of some sizes.
type CostsOf = dyn Fn(u32, &[Vec<(u32, f64)>], &[usize]) -> Vec<f64> + Send + Sync;

/// A rule of so many neighbours.
type RuleOf = dyn Fn(usize) -> FitResult + Send + Sync;

/// A rule that is to choose its number of neighbours by leaving each training sample out. Who
/// finds the neighbours of the samples is left to the caller.
pub struct SizeChoice {
    /// The numbers to choose from, rising.
    pub sizes: Vec<usize>,
    /// True for neighbours of each class, false for neighbours of all classes together.
    pub of_each: bool,
    costs_of: Box<CostsOf>,
    rule_of: Box<RuleOf>,
}

impl fmt::Debug for SizeChoice {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sizes, of_each, .. } = self;
        to.debug_struct("SizeChoice").field("sizes", sizes).field("of_each", of_each).finish()
    }
}

impl SizeChoice {
    pub(super) fn new(
        (sizes, of_each): (Vec<usize>, bool),
        costs_of: impl Fn(u32, &[Vec<(u32, f64)>], &[usize]) -> Vec<f64> + Send + Sync + 'static,
        rule_of: impl Fn(usize) -> FitResult + Send + Sync + 'static,
    ) -> Self {
        Self { sizes, of_each, costs_of: Box::new(costs_of), rule_of: Box::new(rule_of) }
    }

    /// How `method` chooses its number of neighbours, given the number of samples of each class.
    /// None when it has nothing to choose, or learns anything else.
    ///
    /// # Errors
    /// As [`Classify::learns`].
    pub fn counted(
        method: &dyn Classify,
        names: &[String],
        counts: &[usize],
    ) -> Result<Option<Self>> {
        match method.learns(&of_counts(names, counts)?)? {
            LearnsFrom::Neighbours(choice) => Ok(Some(choice)),
            _ => Ok(None),
        }
    }

    /// What the answers about a sample of class `truth` cost at each size, from the classes and
    /// similarities of the other samples that are nearest to it: `[group]`, best first. Added up
    /// over the samples in their order, the first of the cheapest sizes is the one to take.
    pub fn costs(&self, truth: u32, near: &[Vec<(u32, f64)>]) -> Vec<f64> {
        (self.costs_of)(truth, near, &self.sizes)
    }

    /// The rule of `k` neighbours.
    ///
    /// # Errors
    /// When the rule's other settings do not fit the classes.
    pub fn rule(&self, k: usize) -> FitResult {
        (self.rule_of)(k)
    }
}

/// Classes with these numbers of samples; the samples are sorted by class.
fn of_counts(names: &[String], counts: &[usize]) -> Result<Classes> {
    let mut codes = Vec::new();
    for (class, &count) in (0..).zip(counts) {
        codes.resize(codes.len() + count, class);
    }
    Classes::new(codes, names.to_vec())
}

/// A rule that needs only the number of training samples of each class. Neighbours are found
/// elsewhere, in blocks of samples that are never in one place.
#[derive(Debug)]
pub struct CountedRule {
    fitted: Box<dyn Fitted>,
    /// The number of one sample of each class; samples are numbered class after class.
    sample: Vec<u32>,
    k: usize,
    of_each: bool,
}

impl CountedRule {
    /// Prepare `method`; none when it learns from more than classes, or needs more than
    /// neighbours.
    ///
    /// # Errors
    /// As [`Classify::learns`].
    pub fn new(method: &dyn Classify, names: &[String], counts: &[usize]) -> Result<Option<Self>> {
        let Some(fitted) = method.fit_labels(&of_counts(names, counts)?)? else {
            return Ok(None);
        };
        let mut next = 0;
        let first = |count: &usize| {
            next += count;
            (next - count) as u32
        };
        let sample = counts.iter().map(first).collect();
        let Asks::Neighbours { k, of_each, .. } = fitted.asks() else { return Ok(None) };
        Ok(Some(Self { fitted, sample, k, of_each }))
    }

    /// How many neighbours are asked for, and whether of each class.
    pub fn asks(&self) -> (usize, bool) {
        (self.k, self.of_each)
    }

    /// What a reader should know about the rule.
    pub fn notes(&self) -> Vec<Note> {
        self.fitted.notes()
    }

    /// The class of each query from the classes and similarities of its neighbours, best first:
    /// `[query][group]`.
    ///
    /// # Errors
    /// When a neighbour is of a class there is not.
    pub fn predict(&self, near: &[Vec<Vec<(u32, f64)>>]) -> Result<Predictions> {
        let ranked = |&(class, similarity): &(u32, f64)| {
            let row = self.sample.get(class as usize).copied();
            let row = row.ok_or(ClassifyError::NoSuchClass { class })?;
            Ok(SimilarRow { row, similarity })
        };
        let group = |group: &Vec<(u32, f64)>| group.iter().map(ranked).collect::<Result<Vec<_>>>();
        let query = |query: &Vec<Vec<_>>| query.iter().map(group).collect::<Result<Vec<_>>>();
        let near = near.iter().map(query).collect::<Result<Vec<_>>>()?;
        self.fitted.predict_from(Queries::Neighbours(&near), &Run::on(1))
    }
}
