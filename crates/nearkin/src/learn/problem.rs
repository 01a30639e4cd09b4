//! [`LearnProblem`]: rows with their target neighbours and impostors, the input of every method.
//!
//! Lower bound for n margins: that of `near` under the matrix, and for each row p² multiply-adds
//! to project it (p where A is diagonal) and k p for its targets.

use rayon::prelude::*;

use super::LearnSettings;
use super::elsewhere::Asked;
use super::fixed::Fixed;
use super::near::Near;
use super::task::Triplet;
use crate::data::Classes;
use crate::measure::{Form, Prepared, Scorer, Similarity, SquareMatrix};
use crate::neighbors::{SimilarRow, best};
use crate::{DataError, Error, LearnError, ParameterError, Result, Run};

/// Rows on two or more sides, each with its k target neighbours; or triplets.
///
/// The targets T(i) of row i are the k most similar rows of its side under the plain
/// similarity, found once. On a side of fewer than k + 1 rows a row has fewer targets, and as
/// many impostors: with more of these, the best matrix would make all rows dissimilar. A row
/// alone on its side has no target and takes no part.
///
/// A triplet is a *visit* of its anchor with one target and one fixed impostor. With classes,
/// every row is visited once.
#[derive(Debug, Clone)]
pub struct LearnProblem<'a> {
    rows: &'a Prepared,
    columns: &'a [String],
    form: Form,
    visits: Visits<'a>,
    resumed: Option<Resumed>,
    /// Who holds the rows, when they are on other machines.
    asked: Option<Asked>,
}

/// A matrix to go on from, and the epochs that led to it.
#[derive(Debug, Clone)]
pub(crate) struct Resumed {
    pub matrix: SquareMatrix,
    pub epochs: usize,
}

#[derive(Debug, Clone)]
enum Visits<'a> {
    Labelled { sides: Vec<u32>, targets: Vec<Vec<u32>>, impostors: Vec<Vec<u32>> },
    Triplets(&'a [Triplet]),
}

impl<'a> LearnProblem<'a> {
    /// Find the target neighbours of rows with these sides.
    ///
    /// # Errors
    /// Another number of sides than of rows, or no two rows on one side.
    pub fn new(
        rows: &'a Prepared,
        columns: &'a [String],
        sides: Vec<u32>,
        common: &LearnSettings,
        run: &Run,
    ) -> Result<Self> {
        if sides.len() != rows.rows() {
            let (table, target) = (rows.rows(), sides.len());
            return Err(DataError::RowsDisagree { table, target }.into());
        }
        let names = (0..=sides.iter().copied().max().unwrap_or(0)).map(|c| c.to_string());
        let classes = Classes::new(sides, names.collect())?;
        let near = Near::new(rows, &classes, common.k, run)?;
        Self::labelled(rows, columns, (classes.codes(), None), &near, common)
    }

    /// A problem with neighbours that were found before: for all classes, or for one class against
    /// the rest.
    pub(crate) fn labelled(
        rows: &'a Prepared,
        columns: &'a [String],
        (codes, class): (&[u32], Option<u32>),
        near: &Near,
        common: &LearnSettings,
    ) -> Result<Self> {
        let sides = match class {
            None => codes.to_vec(),
            Some(class) => codes.iter().map(|&c| u32::from(c == class)).collect(),
        };
        let found = (0..rows.rows()).map(|at| near.rows_of_sides(at, class, common.k));
        let (targets, mut impostors): (Vec<_>, Vec<_>) = found.unzip();
        for (targets, impostors) in targets.iter().zip(&mut impostors) {
            impostors.truncate(Vec::len(targets));
        }
        if targets.iter().all(Vec::is_empty) {
            return Err(LearnError::NoTargets.into());
        }
        let visits = Visits::Labelled { sides, targets, impostors };
        Ok(Self { rows, columns, form: common.matrix, visits, resumed: None, asked: None })
    }

    /// From targets and impostors of the first rows, found among rows of which these are some; the
    /// rows after them are those neighbours.
    pub(crate) fn of_neighbours(
        rows: &'a Prepared,
        columns: &'a [String],
        (targets, impostors): (Vec<Vec<u32>>, Vec<Vec<u32>>),
        common: &LearnSettings,
    ) -> Self {
        let visits = Visits::Labelled { sides: vec![0; rows.rows()], targets, impostors };
        Self { rows, columns, form: common.matrix, visits, resumed: None, asked: None }
    }

    /// From triplets of rows.
    pub(crate) fn of_triplets(
        rows: &'a Prepared,
        columns: &'a [String],
        triplets: &'a [Triplet],
        common: &LearnSettings,
    ) -> Result<Self> {
        if triplets.is_empty() {
            return Err(LearnError::NoTriplets.into());
        }
        for (at, triplet) in triplets.iter().enumerate() {
            triplet.check(at, rows.rows())?;
        }
        let visits = Visits::Triplets(triplets);
        Ok(Self { rows, columns, form: common.matrix, visits, resumed: None, asked: None })
    }

    /// Rows on other machines; `rows` are none.
    pub(crate) fn elsewhere(
        rows: &'a Prepared,
        columns: &'a [String],
        common: &LearnSettings,
        asked: Asked,
    ) -> Self {
        let visits = Visits::Labelled { sides: vec![], targets: vec![], impostors: vec![] };
        let (form, asked) = (common.matrix, Some(asked));
        Self { rows, columns, form, visits, resumed: None, asked }
    }

    pub(crate) fn resuming(self, resumed: Option<Resumed>) -> Self {
        Self { resumed, ..self }
    }

    /// The earlier answer that learning goes on from, if any.
    pub(crate) fn resumed(&self) -> Option<&Resumed> {
        self.resumed.as_ref()
    }

    /// Refuse to go on from an earlier answer, where `method` has a closed form.
    pub(crate) fn refuse_resumed(&self, method: &'static str) -> Result<()> {
        match self.resumed {
            None => Ok(()),
            Some(_) => Err(LearnError::ClosedForm { method }.into()),
        }
    }

    /// The rows, ready for their norm.
    pub fn rows(&self) -> &'a Prepared {
        self.rows
    }

    /// The columns' names.
    pub fn columns(&self) -> &'a [String] {
        self.columns
    }

    /// The side of each row, where rows have sides.
    pub fn sides(&self) -> Option<&[u32]> {
        match &self.visits {
            Visits::Labelled { sides, .. } => Some(sides),
            Visits::Triplets(_) => None,
        }
    }

    /// The triplets, where there are any.
    pub fn triplets(&self) -> Option<&[Triplet]> {
        match self.visits {
            Visits::Labelled { .. } => None,
            Visits::Triplets(triplets) => Some(triplets),
        }
    }

    /// The row that visit `at` is about.
    pub fn anchor(&self, at: usize) -> usize {
        match &self.visits {
            Visits::Labelled { .. } => at,
            Visits::Triplets(triplets) => triplets[at].anchor as usize,
        }
    }

    /// The target neighbours of visit `at`, nearest first.
    pub fn targets(&self, at: usize) -> &[u32] {
        match &self.visits {
            Visits::Labelled { targets, .. } => &targets[at],
            Visits::Triplets(triplets) => std::slice::from_ref(&triplets[at].positive),
        }
    }

    /// The impostors of visit `at` under the plain similarity, nearest first: at most as many
    /// as targets.
    pub fn impostors(&self, at: usize) -> &[u32] {
        match &self.visits {
            Visits::Labelled { impostors, .. } => &impostors[at],
            Visits::Triplets(triplets) => std::slice::from_ref(&triplets[at].negative),
        }
    }

    /// The form of the matrix to learn.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The visits that have a target and so take part, in order.
    pub fn active(&self) -> impl Iterator<Item = usize> + '_ {
        let all = match &self.visits {
            Visits::Labelled { targets, .. } => targets.len(),
            Visits::Triplets(triplets) => triplets.len(),
        };
        (0..all).filter(|&at| !self.targets(at).is_empty())
    }

    /// The plain similarity's matrix, in the form to learn.
    pub fn plain(&self) -> SquareMatrix {
        SquareMatrix::identity(self.form, self.rows.columns(), self.rows.norm().plain())
    }

    pub(crate) fn scorer<'s>(&'s self, matrix: &'s SquareMatrix) -> Scorer<'s> {
        Scorer::new(matrix, self.rows, self.rows)
    }

    /// True when rows `row` and `at` are on different sides.
    pub(crate) fn apart(&self, at: usize, row: usize) -> bool {
        self.sides().is_some_and(|sides| sides[row] != sides[at])
    }

    /// Visit `at` under `matrix`: Σ s_A over its targets less Σ s_A over as many impostors, the
    /// rows of other sides that are most similar under that matrix; and those impostors.
    pub fn margin(&self, matrix: &SquareMatrix, at: usize) -> (f64, Vec<SimilarRow>) {
        let scorer = self.scorer(matrix);
        let targets = self.targets(at).len();
        let impostors = match &self.visits {
            Visits::Labelled { .. } => {
                let other = |row: usize| self.apart(at, row).then_some(0);
                best(&scorer, at, &scorer.scores(at), (targets, 1), other).swap_remove(0)
            }
            Visits::Triplets(_) => self.ranked(&scorer, at, self.impostors(at)),
        };
        (self.margin_to(&scorer, at, &impostors), impostors)
    }

    fn ranked(&self, scorer: &Scorer, at: usize, rows: &[u32]) -> Vec<SimilarRow> {
        let anchor = self.anchor(at);
        let projected = scorer.project(anchor);
        let score = |&row: &u32| scorer.score(&projected, anchor, row as usize);
        rows.iter().map(|row| SimilarRow { row: *row, similarity: score(row) }).collect()
    }

    /// Σ s_A over as many targets as impostors, less Σ s_A over the impostors.
    pub(crate) fn margin_to(&self, scorer: &Scorer, at: usize, impostors: &[SimilarRow]) -> f64 {
        let projected = scorer.project(self.anchor(at));
        self.margin_of(scorer, at, &projected, impostors.iter().map(|n| n.similarity))
    }

    /// [`LearnProblem::margin_to`] impostors of these similarities, for an anchor projected before.
    pub(crate) fn margin_of(
        &self,
        scorer: &Scorer,
        at: usize,
        projected: &[f64],
        impostors: impl ExactSizeIterator<Item = f64>,
    ) -> f64 {
        let taken = self.targets(at).iter().take(impostors.len());
        let score = |&row: &u32| scorer.score(projected, self.anchor(at), row as usize);
        taken.map(score).sum::<f64>() - impostors.sum::<f64>()
    }

    /// The margins of all active visits under `matrix` scaled to length 1, so that margins of
    /// different matrices compare; all 0 under a null matrix.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn margins(&self, matrix: &SquareMatrix, run: &Run) -> Result<Vec<f64>> {
        let unit = matrix.unit().unwrap_or_else(|| matrix.clone());
        let active: Vec<usize> = self.active().collect();
        run.check(0, 1)?;
        let Some(near) = self.near(&unit, run)? else {
            return run.install(|| active.par_iter().map(|&at| self.margin(&unit, at).0).collect());
        };
        let scorer = self.scorer(&unit);
        let margin = |&at: &usize| {
            let impostors = near.sides(at, None, self.targets(at).len()).1;
            self.margin_to(&scorer, at, &impostors)
        };
        run.install(|| active.par_iter().map(margin).collect())
    }

    /// The neighbours of every row under `matrix`; none when rows have no sides (classes).
    fn near(&self, matrix: &SquareMatrix, run: &Run) -> Result<Option<Near<'_>>> {
        let Some(sides) = self.sides() else { return Ok(None) };
        let k = self.active().map(|at| self.targets(at).len()).max().unwrap_or(0);
        let count = sides.iter().max().map_or(0, |&most| most as usize + 1);
        Near::under(matrix, self.rows, (sides, count), k, run).map(Some)
    }

    /// [`LearnProblem::margins`] under the plain similarity, whose impostors are known.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn plain_margins(&self, run: &Run) -> Result<Vec<f64>> {
        let plain = self.plain();
        let unit = plain.unit().unwrap_or(plain);
        let scorer = self.scorer(&unit);
        let active: Vec<usize> = self.active().collect();
        run.check(0, 1)?;
        let margin = |&at: &usize| {
            self.margin_to(&scorer, at, &self.ranked(&scorer, at, self.impostors(at)))
        };
        run.install(|| active.par_iter().map(margin).collect())
    }

    /// Σ y/N over the first `targets` targets of visit `at` less Σ z/N over `impostors`: the v
    /// of which xᵀAv is the margin.
    pub fn pull(
        &self,
        at: usize,
        targets: usize,
        impostors: impl IntoIterator<Item = u32>,
    ) -> Vec<f64> {
        let mut pull = vec![0.0; self.rows.columns()];
        let anchor = self.anchor(at);
        let mut add = |sign: f64, row: u32| {
            let scale = sign / self.rows.divisor(anchor, self.rows, row as usize);
            self.rows.row(row as usize).add_to(scale, &mut pull);
        };
        self.targets(at).iter().take(targets).for_each(|&y| add(1.0, y));
        impostors.into_iter().for_each(|z| add(-1.0, z));
        pull
    }

    /// The problem with targets and impostors fixed under the plain similarity.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn fixed(&self, run: &Run) -> Result<Fixed<'a>> {
        match &self.asked {
            Some(asked) => Ok(Fixed::elsewhere(self.form, self.rows.columns(), asked.clone())),
            None => Fixed::new(self, |at| self.impostors(at).to_vec(), run),
        }
    }

    /// The problem with targets and impostors fixed as they are under `matrix`: both are found
    /// again.
    ///
    /// # Errors
    /// Rows that are in blocks, or the run was stopped.
    pub fn refreshed(&self, matrix: &SquareMatrix, run: &Run) -> Result<Self> {
        if self.asked.is_some() {
            return Err(Error::parameter("refresh", ParameterError::NotInBlocks));
        }
        let (Visits::Labelled { sides, targets, .. }, Some(near)) =
            (&self.visits, self.near(matrix, run)?)
        else {
            return Ok(self.clone());
        };
        let each = targets.iter().enumerate();
        let found = each.map(|(at, targets)| near.rows_of_sides(at, None, targets.len()));
        let (targets, impostors) = found.unzip();
        let visits = Visits::Labelled { sides: sides.clone(), targets, impostors };
        Ok(Self { visits, ..self.clone() })
    }

    /// `matrix` as a similarity of the rows' columns.
    ///
    /// # Errors
    /// A matrix of another size than the rows have columns, or that is not finite.
    pub fn similarity(&self, matrix: SquareMatrix) -> Result<Similarity> {
        Similarity::new(matrix, self.rows.preparation().clone(), self.columns.to_vec())
    }
}
