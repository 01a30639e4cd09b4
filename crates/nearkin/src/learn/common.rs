//! Code that all methods share: settings, checks, and one problem for each class.

use super::learned::{Learned, LearnedMatrix};
use super::near::Near;
use super::problem::{LearnProblem, Resumed};
use super::task::{Lesson, Task};
use super::whiten::{self, WhitenBy};
use crate::data::{Classes, Target};
use crate::measure::{Form, Norm, Preparation, Prepared, RowScale};
use crate::{
    DataError, Error, ErrorKind, LearnError, Note, ParameterError, Result, Run, choice, parameters,
};

choice! {
    /// How many matrices are learned when there are more than two classes.
    pub enum LearnMode {
        /// One matrix; every other class is on the other side.
        MultiClass = "multi-class",
        /// A local matrix a class: the class against the rest.
        OneVsRest = "one-vs-rest",
    }
}

parameters! {
    /// Settings of every method that learns a similarity.
    pub struct LearnSettings {
        /// Number of target neighbours of the same class, and of impostors of others, for each row.
        k ("n_neighbors"): usize = 3, min 1;
        /// N in the similarity xᵀAy / N(x, y) of two rows.
        norm: Norm = Norm::Cosine;
        /// Which matrices may be learned.
        matrix: Form = Form::Diagonal;
        /// One matrix for all classes, or one for each class against the rest.
        mode: LearnMode = LearnMode::MultiClass;
        /// The value of a column added to every row, so that a cosine depends on the length of
        /// rows, too, and not only on their direction; 0 adds none. Meant for columns of one scale:
        /// 2 to 10 times their deviation.
        constant: f64 = 0.0;
        /// Share of whitening done first, so that directions in which rows of one class differ
        /// count less: 1 is all, 0 is none; 0.9 is a good first value. Rows are not centred:
        /// standardise columns, or add a constant. For dense rows.
        whiten: f64 = 0.0, in 0.0 ..= 1.0;
        /// Differences that whitening uses: of rows and the mean of their class, or of rows and
        /// their k nearest of it, which is better where classes have several parts and many rows.
        whiten_by: WhitenBy = WhitenBy::Classes;
    }
}

impl LearnSettings {
    /// Refuse settings that rows in blocks cannot have.
    pub(crate) fn blockwise(&self) -> Result<()> {
        match self.whiten == 0.0 {
            true => Ok(()),
            false => Err(Error::parameter("whiten", ParameterError::WhitenInBlocks)),
        }
    }
}

/// The classes of `target`: two or more, for as many rows as the table has.
fn classes_of<'t>(table: usize, target: &'t Target, method: &'static str) -> Result<&'t Classes> {
    let Target::Classes(classes) = target else {
        return Err(LearnError::RealTarget { method }.into());
    };
    if table != target.len() {
        return Err(DataError::RowsDisagree { table, target: target.len() }.into());
    }
    match classes.names() {
        [_, _, ..] => Ok(classes),
        few => {
            let class = few.first().cloned().unwrap_or_default();
            Err(LearnError::OneClass { class }.into())
        }
    }
}

/// Preparation of rows: as before where learning goes on, else by the settings.
pub(crate) fn preparation(
    task: &Task,
    norm: Norm,
    common: &LearnSettings,
    run: &Run,
) -> Result<Preparation> {
    if let Some(before) = task.from.and_then(|from| from.models.first()) {
        if before.similarity.columns() != task.rows.names() {
            return Err(LearnError::OtherColumns.into());
        }
        return Ok(before.similarity.preparation().clone());
    }
    let norm = if task.norm.is_some() { Norm::Dot } else { norm };
    let scale = RowScale::fit(task.scale, task.rows)?;
    let whitening = whiten::fit(common, norm, task, scale.as_ref(), run)?;
    let (own, constant) = (task.norm.clone(), common.constant);
    Ok(Preparation { norm, own, scale, whitening, constant })
}

/// The matrix that learning goes on from, for model `at`.
fn resumed(task: &Task, at: usize, count: usize, form: Form) -> Result<Option<Resumed>> {
    let Some(from) = task.from else { return Ok(None) };
    let Some(model) = from.models.get(at).filter(|_| from.models.len() == count) else {
        return Err(LearnError::OtherMatrices { before: from.models.len(), now: count }.into());
    };
    let narrower = || Error::parameter("matrix", ParameterError::Narrower);
    let matrix = model.similarity.matrix().in_form(form).ok_or_else(narrower)?;
    Ok(Some(Resumed { matrix, epochs: model.objective.len().saturating_sub(1) }))
}

/// Learn one matrix, or one a class, with `solve`.
pub(crate) fn fit(
    method: &'static str,
    norm: Norm,
    common: &LearnSettings,
    task: &Task,
    run: &Run,
    solve: impl Fn(&LearnProblem) -> Result<LearnedMatrix>,
) -> Result<Learned> {
    let columns = task.rows.names();
    if task.rows.is_sparse() && common.matrix != Form::Diagonal {
        let reason = ParameterError::NotDiagonal { columns: columns.len() };
        return Err(Error::parameter("matrix", reason));
    }
    let classes = match task.lesson {
        Lesson::Classes(target) => Some(classes_of(task.rows.rows(), target, method)?),
        Lesson::Triplets(_) => None,
    };
    let rows = Prepared::new(preparation(task, norm, common, run)?, task.rows)?;
    rows.check_directions()?;
    let mut notes: Vec<Note> = rows.note().into_iter().collect();
    let mut models = Vec::new();
    match (classes, task.lesson) {
        (None, Lesson::Triplets(triplets)) => {
            let problem = LearnProblem::of_triplets(&rows, columns, triplets, common)?;
            models.push(solve(&problem.resuming(resumed(task, 0, 1, common.matrix)?))?);
        }
        (Some(classes), _) => {
            notes.extend(small_classes(classes.names(), classes.counts(), common.k));
            let local = common.mode == LearnMode::OneVsRest && classes.len() > 2;
            let near = Near::new(&rows, classes, common.k, run)?;
            let problem = |near: &Near, class: Option<u32>| {
                LearnProblem::labelled(&rows, columns, (classes.codes(), class), near, common)
            };
            if local {
                for (code, name) in classes.names().iter().enumerate() {
                    let learned = || {
                        let from = resumed(task, code, classes.len(), common.matrix)?;
                        solve(&problem(&near, Some(code as u32))?.resuming(from))
                    };
                    let model = learned().map_err(|reason| match reason.kind() {
                        ErrorKind::Data | ErrorKind::NoAnswer => {
                            let (class, reason) = (name.clone(), Box::new(reason));
                            LearnError::AgainstRest { class, reason }.into()
                        }
                        _ => reason,
                    })?;
                    models.push(LearnedMatrix { class: Some(name.clone()), ..model });
                }
            } else {
                let problem = problem(&near, None)?;
                drop(near);
                models.push(solve(&problem.resuming(resumed(task, 0, 1, common.matrix)?))?);
            }
        }
        (None, Lesson::Classes(_)) => {}
    }
    let made = models.first().map(|model| model.similarity.matrix().form());
    if let (Form::Full, Some(Form::Symmetric)) = (common.matrix, made) {
        notes.push(Note::SymmetricAnyway { method });
    }
    for model in &models {
        if let Some(note) = model.note.clone() {
            notes.push(match model.class.clone() {
                Some(class) => Note::AgainstRest { class, note: Box::new(note) },
                None => note,
            });
        }
    }
    let classes = classes.map_or_else(Vec::new, |classes| classes.names().to_vec());
    Ok(Learned { classes, models, notes })
}

/// Notes on classes of at most k rows.
pub(crate) fn small_classes(names: &[String], counts: &[usize], k: usize) -> Vec<Note> {
    let few = names.iter().cloned().zip(counts).filter(|(_, count)| **count <= k);
    let note = |(class, &rows): (String, &usize)| match rows {
        1 => Note::NoTargetOfClass { class },
        _ => Note::FewTargetsOfClass { class, rows, k },
    };
    few.map(note).collect()
}
