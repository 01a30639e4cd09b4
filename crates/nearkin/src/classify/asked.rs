//! Rules that need no more of a query than its neighbours, and who finds those.

use super::{Fitted, Predictions};
use crate::data::{Classes, Table};
use crate::measure::pairwise::FittedMeasure;
use crate::neighbors::{Wanted, nearest_samples};
use crate::{Error, Result, Run};

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
    let wanted = Wanted { queries: Some(queries), references, group_of, groups, k };
    match nearest_samples(measure, wanted, run)? {
        Some(near) => fitted.predict_neighbours(&near).map(Some),
        None => Ok(None),
    }
}
