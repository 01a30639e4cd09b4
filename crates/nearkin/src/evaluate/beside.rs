//! A learned similarity beside what needs no learning, on rows held out.
//!
//! It should be seen when learning did not help. So a learned similarity never stands alone:
//! beside it stand the plain similarity of its norm, the cosine and the Euclidean distance
//! under the same rule, the most frequent class, and the answer "rest" to every question of one
//! class against the others; and an answer that is the same for every row is marked.

use crate::data::Classes;
use crate::learn::Learned;
use crate::measure::{Norm, Preparation, Similarity, Vectors};
use crate::neighbors::Rule;
use crate::{ErrorKind, EvaluateError, Note, Result, Run};

/// One way to answer, and how often it was right.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The similarity or rule that answered.
    pub name: String,
    /// Share of rows given their class; none for "rest", which names no class.
    pub accuracy: Option<f64>,
    /// Share of right answers to "this class or the rest?", over classes and rows.
    pub one_vs_rest: f64,
    /// Questions with the same answer for every row, when one a class is asked.
    pub constant: usize,
    /// Questions asked: one, or one a class.
    pub questions: usize,
}

/// Training rows and test rows, with their classes.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// The rows to look for neighbours among.
    pub train: Vectors<'a>,
    /// Their classes.
    pub classes: &'a Classes,
    /// The test rows.
    pub test: Vectors<'a>,
    /// Their classes by the codes of `classes`; none for a class that no training row has.
    pub truth: &'a [Option<u32>],
}

/// The answers of one way: a class a row, and yes or no a row and class.
struct Said {
    class: Option<Vec<u32>>,
    yes: Vec<Vec<bool>>,
}

/// How often `learned` and the plain ways are right, under `rule` with `k` neighbours.
///
/// A way that cannot be used, as the cosine of a zero row, is left out, and a note says so.
///
/// # Errors
///
/// [`EvaluateError`] when there are no rows to test on or nothing was learned, and the errors of
/// the learned similarity itself.
pub fn beside(
    learned: &Learned,
    rule: Rule,
    k: usize,
    held: &Held,
    run: &Run,
) -> Result<(Vec<Line>, Vec<Note>)> {
    if held.test.rows() != held.truth.len() || held.test.rows() == 0 {
        return Err(EvaluateError::NoTestRows.into());
    }
    let Some(model) = learned.models.first() else {
        return Err(EvaluateError::NothingLearned.into());
    };
    let preparation = model.similarity.preparation().clone();
    let norm = preparation.norm;
    let local = learned.models.len() > 1;
    let mut lines = Vec::new();
    let mut notes = Vec::new();
    let line = |name: &str, said: &Said| Line::of(name, said, held.truth, local);
    lines.push(line("learned", &by_learning(learned, rule, k, held, run)?));
    // Rows are scaled for the plain ways as they were for learning, but whitening is learned.
    let columns = || held.train.names().to_vec();
    let plainly = |norm: Norm| {
        let how = Preparation { scale: preparation.scale.clone(), ..norm.into() };
        Similarity::plain(norm, columns()).prepared_as(how)
    };
    let by_distance = Preparation { scale: preparation.scale.clone(), ..Norm::Dot.into() };
    let mut plain = vec![(word(norm), plainly(norm)?)];
    if norm != Norm::Cosine {
        plain.push((word(Norm::Cosine), plainly(Norm::Cosine)?));
    }
    let euclidean = Similarity::euclidean(columns()).prepared_as(by_distance)?;
    plain.push(("euclidean".into(), euclidean));
    for (name, similarity) in &plain {
        match by_similarity(similarity, rule, k, held, run) {
            Ok(said) => lines.push(line(name, &said)),
            Err(error) if error.kind() == ErrorKind::Data => {
                notes.push(Note::LeftOut { name: name.clone(), reason: Box::new(error) });
            }
            Err(other) => return Err(other),
        }
    }
    let counts = held.classes.counts();
    let most = (0..counts.len()).rev().max_by_key(|&c| counts[c]).unwrap_or(0);
    let rows = held.truth.len();
    lines.push(line("majority", &Said::of_classes(vec![most as u32; rows], counts.len())));
    let none = vec![vec![false; counts.len()]; rows];
    lines.push(line("all rest", &Said { class: None, yes: none }));
    Ok((lines, notes))
}

impl Said {
    fn of_classes(class: Vec<u32>, classes: usize) -> Self {
        let yes = class.iter().map(|&c| (0..classes as u32).map(|g| g == c).collect());
        Self { yes: yes.collect(), class: Some(class) }
    }
}

impl Line {
    fn of(name: &str, said: &Said, truth: &[Option<u32>], local: bool) -> Self {
        let (rows, classes) = (said.yes.len(), said.yes.first().map_or(0, Vec::len));
        let mut right = 0;
        for (yes, &truth) in said.yes.iter().zip(truth) {
            right += yes.iter().zip(0u32..).filter(|&(&yes, c)| yes == (truth == Some(c))).count();
        }
        let accuracy = said.class.as_ref().map(|class| {
            let hits = class.iter().zip(truth).filter(|(c, truth)| Some(**c) == **truth).count();
            hits as f64 / rows as f64
        });
        let same = |c: usize| said.yes.iter().all(|yes| yes[c] == said.yes[0][c]);
        let (constant, questions) = match local {
            true => ((0..classes).filter(|&c| same(c)).count(), classes),
            false => (usize::from((0..classes).all(same)), 1),
        };
        let one_vs_rest = right as f64 / (rows * classes) as f64;
        Self { name: name.into(), accuracy, one_vs_rest, constant, questions }
    }
}

fn word(norm: Norm) -> String {
    crate::parameter::Value::show(&norm)
}

fn by_learning(learned: &Learned, rule: Rule, k: usize, held: &Held, run: &Run) -> Result<Said> {
    let (base, queries) = (learned.prepare(held.train)?, learned.prepare(held.test)?);
    let answers = learned.classify(rule, k, &base, held.classes, &queries, run)?;
    let all = 0..held.classes.len() as u32;
    let yes = answers.iter().map(|a| all.clone().map(|c| a.yes.contains(&c)).collect());
    Ok(Said { yes: yes.collect(), class: Some(answers.iter().map(|a| a.class).collect()) })
}

fn by_similarity(
    similarity: &Similarity,
    rule: Rule,
    k: usize,
    held: &Held,
    run: &Run,
) -> Result<Said> {
    let (base, queries) = (similarity.prepare(held.train)?, similarity.prepare(held.test)?);
    let decide = |classes: &Classes| -> Result<Vec<u32>> {
        let said = rule.decide(similarity, k, &base, classes, &queries, false, run)?;
        Ok(said.iter().map(|d| d.class).collect())
    };
    let sides = sides(held.classes)?;
    let answers = sides.iter().map(decide).collect::<Result<Vec<_>>>()?;
    Ok(Said { yes: by_row(&answers, held.test.rows()), class: Some(decide(held.classes)?) })
}

/// One labelling a class: the class is 1, the rest 0.
fn sides(classes: &Classes) -> Result<Vec<Classes>> {
    let side = |code: u32| {
        let codes = classes.codes().iter().map(|&c| u32::from(c == code)).collect();
        Classes::new(codes, vec!["rest".into(), "class".into()])
    };
    (0..classes.len() as u32).map(side).collect()
}

fn by_row(answers: &[Vec<u32>], rows: usize) -> Vec<Vec<bool>> {
    (0..rows).map(|row| answers.iter().map(|of| of[row] == 1).collect()).collect()
}
