//! [`Task`]: rows to learn a similarity from, and what is known about them.

use super::learned::Learned;
use crate::data::Target;
use crate::measure::{OwnNorm, Scaling, Vectors};
use crate::{LearnError, Result};

/// Rows of which the anchor should be more similar to the positive than to the negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Triplet {
    /// The row that the other two are compared with.
    pub anchor: u32,
    /// A row it belongs with.
    pub positive: u32,
    /// A row it does not belong with.
    pub negative: u32,
}

impl Triplet {
    /// Refuse a triplet that repeats a row or names an absent one.
    pub(crate) fn check(&self, at: usize, rows: usize) -> Result<()> {
        let all = [self.anchor, self.positive, self.negative];
        if let Some(row) = all.iter().find(|row| **row as usize >= rows) {
            return Err(LearnError::TripletBeyond { triplet: at, row: *row, rows }.into());
        }
        let same = match () {
            () if self.anchor == self.positive => (("anchor", "positive"), self.anchor),
            () if self.anchor == self.negative => (("anchor", "negative"), self.anchor),
            () if self.positive == self.negative => (("positive", "negative"), self.negative),
            () => return Ok(()),
        };
        let (places, row) = same;
        Err(LearnError::TripletRepeats { triplet: at, places, row }.into())
    }
}

/// Knowledge about rows: their classes, or triplets.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Lesson<'a> {
    /// The class of each row.
    Classes(&'a Target),
    /// Which rows should be more similar than which others.
    Triplets(&'a [Triplet]),
}

/// Rows, what is known about them, and where learning starts.
///
/// ```
/// use nearkin::data::Dense;
/// use nearkin::learn::{Learn, Lesson, Rbs, Task, Triplet};
/// use nearkin::Run;
/// let names = vec!["x".to_owned(), "y".to_owned()];
/// let rows = Dense::new(names, vec![1.0, 0.2, 0.1, 0.3, 1.0, 1.2])?;
/// // Row 0 is to be nearer to row 1 than to row 2: y has to count for more.
/// let triplets = [Triplet { anchor: 0, positive: 1, negative: 2 }];
/// let task = Task::new(&rows, Lesson::Triplets(&triplets));
/// let learned = Rbs::default().learn(&task, &Run::default())?;
/// let similarity = &learned.models[0].similarity;
/// let score = |y| similarity.score(rows.row(0), rows.row(y));
/// assert!(score(1)? > score(2)?);
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Task<'a> {
    /// The rows.
    pub rows: Vectors<'a>,
    /// Their classes, or triplets of them.
    pub lesson: Lesson<'a>,
    /// Scaling of columns before learning; kept with the similarity, so that new rows are scaled
    /// the same way.
    pub scale: Scaling,
    /// An earlier result to continue from; its norm and scaling are used again.
    pub from: Option<&'a Learned>,
    /// A norm of the caller's own instead of the method's.
    pub norm: Option<OwnNorm>,
}

impl<'a> Task<'a> {
    /// Learn from these rows as they are, from the start, with the method's norm.
    pub fn new(rows: impl Into<Vectors<'a>>, lesson: Lesson<'a>) -> Self {
        Self { rows: rows.into(), lesson, scale: Scaling::None, from: None, norm: None }
    }
}
