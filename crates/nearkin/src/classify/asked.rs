//! Rules that need no more of a query than its neighbours, and who finds those.

use super::{Classify, Fitted, Predictions};
use crate::data::{Classes, SimilarityMatrix, Table};
use crate::measure::pairwise::FittedMeasure;
use crate::neighbors::{SampleSearch, SimilarRow, nearest_samples};
use crate::{Error, Note, Result, Run};

/// The neighbours a rule asks for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// How many.
    pub k: usize,
    /// The classes of the training samples.
    pub classes: &'a Classes,
    /// Whether k of each class are asked for, or k of all.
    pub of_each: bool,
}

/// What a classifier says of the rows of a table, where it needs no more than their neighbours
/// and an engine finds those without every pair; none where similarities have to be worked out.
/// The answers are those of [`Fitted::predict_with`], to the bit.
pub fn predict_by_neighbours(
    fitted: &dyn Fitted,
    measure: &dyn FittedMeasure,
    (queries, references): (&Table, &Table),
    run: &Run,
) -> Result<Option<Predictions>> {
    let Some(Asked { k, classes, of_each }) = fitted.asks() else { return Ok(None) };
    if references.rows() != classes.codes().len() {
        return Err(Error::data(format!(
            "the table has {} training rows and the classifier was fitted on {}; they must be the \
             same ones in the same order",
            references.rows(),
            classes.codes().len()
        )));
    }
    let everyone = vec![0; if of_each { 0 } else { references.rows() }];
    let (group_of, groups) =
        if of_each { (classes.codes(), classes.len()) } else { (&everyone[..], 1) };
    let wanted = SampleSearch { queries: Some(queries), references, group_of, groups, k };
    match nearest_samples(measure, wanted, run)? {
        Some(near) => fitted.predict_neighbours(&near).map(Some),
        None => Ok(None),
    }
}

/// How far a neighbourhood reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// So many neighbours.
    pub k: usize,
    /// Whether of each class, or of all.
    pub of_each: bool,
}

/// A query and the training samples that are near it, in the order of their rows.
#[derive(Debug, Clone)]
pub struct Among<'a> {
    /// Their similarities with each other.
    pub s: SimilarityMatrix<'a>,
    /// Their classes.
    pub codes: Vec<u32>,
    /// The query's similarities to them.
    pub query: Vec<f64>,
}

/// Numbers of neighbours to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    /// The numbers, rising.
    pub sizes: Vec<usize>,
    /// Whether so many of each class are meant, or of all.
    pub of_each: bool,
}

/// Classes of which this many samples are known, those of one class after those of another.
fn of_counts(names: &[String], counts: &[usize]) -> Result<Classes> {
    let mut codes = Vec::new();
    for (class, &count) in (0..).zip(counts) {
        codes.resize(codes.len() + count, class);
    }
    Classes::new(codes, names.to_vec())
}

/// A rule about to choose its number of neighbours by leaving each training sample out, whose
/// neighbours are found elsewhere.
pub struct Choosing {
    method: Box<dyn Classify>,
    classes: Classes,
    sizes: Sizes,
}

impl Choosing {
    /// Make `method` ready; none where it has nothing to choose, or learns more than that.
    pub fn new(
        method: Box<dyn Classify>,
        names: &[String],
        counts: &[usize],
    ) -> Result<Option<Self>> {
        method.check()?;
        let classes = of_counts(names, counts)?;
        super::common::check_classes(&classes)?;
        let sizes = method.sizes(classes.codes().len())?;
        Ok(sizes.map(|sizes| Self { method, classes, sizes }))
    }

    /// The numbers to choose from.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// What the answers about samples of these classes cost, a row a sample and a column a size,
    /// from the classes and similarities of their neighbours: `[sample][group]`, best first. Rows
    /// added up in order, the first of the cheapest sizes is the one.
    pub fn costs(&self, truth: &[u32], near: &[Vec<Vec<(u32, f64)>>]) -> Result<Vec<f64>> {
        let rows = truth.iter().zip(near).map(|(&truth, near)| {
            self.method.left_out(&self.classes, truth, near, &self.sizes.sizes)
        });
        Ok(rows.collect::<Result<Vec<_>>>()?.concat())
    }
}

/// A rule that knows of its training samples how many of each class there are, and no more: what
/// it asks for is found elsewhere, in blocks of samples that nobody holds together.
#[derive(Debug)]
pub struct CountedRule {
    fitted: Box<dyn Fitted>,
    /// A sample of each class, those of one class being counted after those of another.
    sample: Vec<u32>,
    k: usize,
    of_each: bool,
}

impl CountedRule {
    /// Make `method` ready; none where it learns more than classes, or asks for more than
    /// neighbours.
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
        let Some(Asked { k, of_each, .. }) = fitted.asks() else { return Ok(None) };
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
    pub fn predict(&self, near: &[Vec<Vec<(u32, f64)>>]) -> Result<Predictions> {
        let ranked = |&(class, similarity): &(u32, f64)| {
            let row = self.sample.get(class as usize).copied();
            let row = row.ok_or_else(|| Error::data(format!("there is no class {class}")))?;
            Ok(SimilarRow { row, similarity })
        };
        let group = |group: &Vec<(u32, f64)>| group.iter().map(ranked).collect::<Result<Vec<_>>>();
        let query = |query: &Vec<Vec<_>>| query.iter().map(group).collect::<Result<Vec<_>>>();
        self.fitted.predict_neighbours(&near.iter().map(query).collect::<Result<Vec<_>>>()?)
    }
}
