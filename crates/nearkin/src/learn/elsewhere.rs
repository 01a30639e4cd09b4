//! Learning from rows in blocks on other machines.
//!
//! RBS and sRBS need two results of their rows only, each made row by row: the margins m_i(A) and
//! the sum Σ w_i x_i v_iᵀ. So the rows may stay where they are. [`pairs`] finds x_i and v_i of
//! some rows ([`Fixed`]). The holder of the rows answers for them ([`Elsewhere`]), and [`learn`]
//! runs the method's own steps on the answers. Sums are added as [`Fixed::weighted`] adds them,
//! [`Fixed::BLOCK`] rows at a time and in order, so the result has the same bits.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::common::{LearnMode, small_classes};
use super::near::{Near, plain_neighbours};
use super::{Fixed, Learn, LearnProblem, LearnSettings, Learned};
use crate::data::{Classes, Dense};
use crate::measure::{Norm, Preparation, Prepared, SquareMatrix, Vectors};
use crate::neighbors::{Neighbors, SimilarRow};
use crate::{Error, LearnError, Note, ParameterError, Result, Run};

/// A holder of rows on other machines, which answers for them.
pub trait Elsewhere: Send + Sync {
    /// Number of rows.
    fn rows(&self) -> usize;
    /// m_i(A) of every row, in order.
    ///
    /// # Errors
    /// Reasons why the holder of the rows cannot answer.
    fn margins(&self, matrix: &SquareMatrix) -> Result<Vec<f64>>;
    /// The cells of Σ_i w_i x_i v_iᵀ, [`Fixed::BLOCK`] rows after another added to zeros.
    ///
    /// # Errors
    /// Reasons why the holder of the rows cannot answer.
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
///
/// # Errors
/// Rows that the norm cannot take, a range beyond them, or no row with another of its class.
pub fn pairs<'v>(
    (common, norm): (&LearnSettings, Norm),
    rows: impl Into<Vectors<'v>>,
    classes: &Classes,
    range: Range<usize>,
    run: &Run,
) -> Result<(Fixed<'static>, Option<Note>)> {
    let rows = rows.into();
    let columns = rows.names();
    if range.start > range.end || range.end > rows.rows() {
        return Err(LearnError::NoSuchRows.into());
    }
    let asked = rows.select_rows(&range.clone().collect::<Vec<_>>());
    let how = Preparation { constant: common.constant, ..norm.into() };
    let (rows, asked) = (Prepared::new(how.clone(), rows)?, Prepared::new(how, asked.vectors())?);
    rows.check_directions()?;
    let near = Near::of_some((&asked, range), &rows, classes, common.k, run)?;
    let problem = LearnProblem::labelled(&rows, columns, (classes.codes(), None), &near, common)?;
    Ok((problem.fixed(run)?.into_owned(), rows.note()))
}

fn prepared((common, norm): (&LearnSettings, Norm), rows: Vectors) -> Result<Prepared> {
    Prepared::new(Preparation { constant: common.constant, ..norm.into() }, rows)
}

/// The plain neighbours of some rows in a block that begins at row `first` of all, k of each
/// class. [Merged](Neighbors::merge) over all blocks, they are the neighbours of [`pairs`].
///
/// `ids` are the numbers of the rows in `asked`; none is its own neighbour. `codes` are the
/// classes of the block's rows.
///
/// # Errors
/// Rows that the norm cannot take, or lists of another length than the rows they are about.
pub fn nearest(
    how: (&LearnSettings, Norm),
    (asked, ids): (Vectors, &[u32]),
    (block, codes, first): (Vectors, &[u32], u32),
    classes: usize,
    run: &Run,
) -> Result<Neighbors> {
    let (asked, block) = (prepared(how, asked)?, prepared(how, block)?);
    block.check_directions()?;
    if ids.len() != asked.rows() || codes.len() != block.rows() {
        return Err(LearnError::NumbersAndClasses.into());
    }
    let k = how.0.k;
    let mut found = plain_neighbours((&asked, &block), (codes, classes), k + 1, run)?;
    // 0 and -0 are equally similar here, and rows decide.
    found.iter_mut().flatten().flatten().for_each(|one| one.similarity += 0.0);
    Ok(Neighbors::of_ranked(&found, classes, k + 1).from_row(first).without(ids, k))
}

/// Targets and impostors of rows of these classes, as two groups, from their neighbours in every
/// class: as many impostors as targets.
///
/// # Errors
/// Another number of codes than of rows, or a code of a class without neighbours.
pub fn sides(common: &LearnSettings, near: &Neighbors, codes: &[u32]) -> Result<Neighbors> {
    if codes.len() != near.rows() || codes.iter().any(|&code| code as usize >= near.classes()) {
        return Err(LearnError::ClassesOfNeighbours.into());
    }
    let of = |(at, &code): (usize, &u32)| {
        let list = |class: usize| {
            let (rows, far) = near.of(at, class);
            rows.iter().zip(far).map(|(&row, far)| SimilarRow { row, similarity: -far })
        };
        let own: Vec<SimilarRow> = list(code as usize).collect();
        let others = (0..near.classes()).filter(|&class| class != code as usize);
        let mut rest: Vec<SimilarRow> = others.flat_map(list).collect();
        rest.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.row.cmp(&b.row)));
        rest.truncate(own.len());
        vec![own, rest]
    };
    let found: Vec<Vec<Vec<SimilarRow>>> = codes.iter().enumerate().map(of).collect();
    Ok(Neighbors::of_ranked(&found, 2, common.k))
}

/// x_i and v_i of rows whose targets and impostors ([`sides`]) are known, and a note on the rows.
/// The rows come first in `rows`, then their neighbours; `ids` are the numbers of all of them.
///
/// # Errors
/// Rows that the norm cannot take, or a neighbour whose row is not among them.
pub fn pairs_of(
    how: (&LearnSettings, Norm),
    (rows, ids): (Vectors, &[u32]),
    sides: &Neighbors,
    run: &Run,
) -> Result<(Fixed<'static>, Option<Note>)> {
    let (asked, columns) = (sides.rows(), rows.names());
    let neighbours = ids.get(asked..).filter(|_| ids.len() == rows.rows());
    let neighbours = neighbours.ok_or(LearnError::NumberEachRow)?;
    let mut places: Vec<(u32, u32)> = neighbours.iter().copied().zip(asked as u32..).collect();
    places.sort_unstable();
    let place = |id: u32| {
        let at = places.binary_search_by_key(&id, |place| place.0).ok()?;
        Some(places[at].1)
    };
    let sides = sides.renumbered(place).ok_or(LearnError::NeighbourAbsent)?;
    let ready = prepared(how, rows)?;
    ready.check_directions()?;
    let group = |group| (0..asked).map(|at| sides.of(at, group).0.to_vec()).collect();
    let problem = LearnProblem::of_neighbours(&ready, columns, (group(0), group(1)), how.0);
    Ok((problem.fixed(run)?.into_owned(), ready.note()))
}

/// Learn with `method` from the rows of `asked`, given their columns, class names and counts.
/// `asked` answers for those rows only that have another row of their class.
///
/// # Errors
/// A method or settings that have no form in blocks, fewer than two classes, no rows, and
/// the errors of `asked`.
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
        return Err(LearnError::TooFewClasses.into());
    }
    if common.mode == LearnMode::OneVsRest && names.len() > 2 {
        return Err(Error::parameter("mode", ParameterError::MatrixPerClass));
    }
    if asked.rows() == 0 {
        return Err(LearnError::NoTargets.into());
    }
    let how = Preparation { constant: common.constant, ..method.norm().into() };
    let rows = Prepared::new(how, &Dense::new(columns.to_vec(), Vec::new())?)?;
    let problem = LearnProblem::elsewhere(&rows, columns, common, Asked(asked));
    let model = method.solve(&problem, run)?;
    let mut notes = small_classes(names, counts, common.k);
    notes.extend(model.note.clone());
    Ok(Learned { classes: names.to_vec(), models: vec![model], notes })
}
