//! Learning from rows that are elsewhere: blocks on other machines, asked together.
//!
//! RBS and sRBS look at their rows through two sums only, both linear in what each row adds: the
//! margins m_i(A) and Σ w_i x_i v_iᵀ. So the rows may stay where they are. [`pairs`] finds x_i and
//! v_i of some rows ([`Fixed`]); whoever holds all of these answers for them ([`Elsewhere`]); and
//! [`learn`] runs the method's own steps on the answers. Sums are folded as
//! [`Fixed::weighted`] folds them, [`Fixed::BLOCK`] rows at a time and in order, so what is learned
//! has the same bits.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::common::{Mode, small_classes};
use super::near::Near;
use super::{Common, Fixed, Learn, Learned, Problem};
use crate::data::{Classes, Dense};
use crate::measure::{Matrix, Norm, Preparation, Prepared, Vectors};
use crate::{Error, Result, Run};

/// Someone who answers for rows that are not here.
pub trait Elsewhere: Send + Sync {
    /// Number of rows.
    fn rows(&self) -> usize;
    /// m_i(A) of every row, in order.
    fn margins(&self, matrix: &Matrix) -> Result<Vec<f64>>;
    /// The cells of Σ_i w_i x_i v_iᵀ, [`Fixed::BLOCK`] rows after another added to zeros.
    fn weighted(&self, weights: &[f64]) -> Result<Vec<f64>>;
}

/// A shared [`Elsewhere`]; equal to itself alone.
#[derive(Clone)]
pub(crate) struct Asked(pub Arc<dyn Elsewhere>);

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows elsewhere", self.0.rows())
    }
}

impl PartialEq for Asked {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// x_i and v_i of the rows in `range`, among all rows and their classes; and a note on the rows.
pub fn pairs<'v>(
    (common, norm): (&Common, Norm),
    rows: impl Into<Vectors<'v>>,
    classes: &Classes,
    range: Range<usize>,
    run: &Run,
) -> Result<(Fixed<'static>, Option<String>)> {
    let rows = rows.into();
    let columns = rows.names();
    if range.start > range.end || range.end > rows.rows() {
        return Err(Error::data("there are no rows with these numbers"));
    }
    let asked = rows.select_rows(&range.clone().collect::<Vec<_>>());
    let how = Preparation { constant: common.constant, ..norm.into() };
    let (rows, asked) = (Prepared::new(how.clone(), rows)?, Prepared::new(how, asked.vectors())?);
    rows.check_directions()?;
    let near = Near::of_some((&asked, range), &rows, classes, common.k, run)?;
    let problem = Problem::labelled(&rows, columns, (classes.codes(), None), &near, common)?;
    Ok((problem.fixed(run)?.into_owned(), rows.note()))
}

/// Learn with `method` from rows that `asked` answers for: their columns, class names and counts.
pub fn learn(
    method: &dyn Learn,
    columns: &[String],
    (names, counts): (&[String], &[usize]),
    asked: Arc<dyn Elsewhere>,
    run: &Run,
) -> Result<Learned> {
    method.check()?;
    method.blockwise()?;
    let common = method.common();
    if let [] | [_] = names {
        return Err(Error::data("learning a similarity needs at least two classes"));
    }
    if common.mode == Mode::OneVsRest && names.len() > 2 {
        return Err(Error::parameter(
            "mode",
            "one-vs-rest learns a matrix a class, and blocks of rows one matrix; use multi-class",
        ));
    }
    if let Some((name, _)) = names.iter().zip(counts).find(|(_, count)| **count < 2) {
        return Err(Error::data(format!(
            "class `{name}` has one row, which has no target neighbour of its class; drop it to \
             learn from blocks of rows"
        )));
    }
    let how = Preparation { constant: common.constant, ..method.norm().into() };
    let rows = Prepared::new(how, &Dense::new(columns.to_vec(), Vec::new())?)?;
    let problem = Problem::elsewhere(&rows, columns, common, Asked(asked));
    let model = method.solve(&problem, run)?;
    let mut notes = small_classes(names, counts, common.k);
    notes.extend(model.note.clone());
    Ok(Learned { classes: names.to_vec(), models: vec![model], notes })
}
