//! What all methods share: settings, what they refuse, and one problem a class.

use super::learned::{Learned, Model};
use super::problem::Problem;
use crate::data::{Classes, Dense, Target};
use crate::measure::{Form, Norm, Prepared};
use crate::{Error, Result, Run, choice, parameters};

choice! {
    /// How many matrices are learned where there are more than two classes.
    pub enum Mode {
        /// One matrix; every other class is on the other side.
        MultiClass = "multi-class",
        /// A local matrix a class: the class against the rest.
        OneVsRest = "one-vs-rest",
    }
}

parameters! {
    /// Settings of every method that learns a similarity.
    pub struct Common {
        /// Target neighbours of the same class, and impostors of others, that each row looks at.
        k ("n_neighbors"): usize = 3, min 1;
        /// What the bilinear form of two rows is divided by.
        norm: Norm = Norm::Cosine;
        /// Which matrices may be learned.
        matrix: Form = Form::Diagonal;
        /// One matrix for all classes, or one for each class against the rest.
        mode: Mode = Mode::MultiClass;
    }
}

/// The classes of `target`, two or more and as many rows as there are, or what to do instead.
pub(crate) fn classes_of<'t>(
    rows: &Dense,
    target: &'t Target,
    method: &str,
) -> Result<&'t Classes> {
    let Target::Classes(classes) = target else {
        return Err(Error::data(format!(
            "{method} needs classes and the target is a real number; tell the reader that the \
             target holds classes, or weigh features with rrelieff"
        )));
    };
    if rows.rows() != target.len() {
        return Err(Error::data(format!(
            "the table has {} rows and the target {}; they must agree",
            rows.rows(),
            target.len()
        )));
    }
    match classes.names() {
        [_, _, ..] => Ok(classes),
        few => {
            let name = few.first().map_or("", String::as_str);
            Err(Error::data(format!(
                "every row is of class `{name}`; learning a similarity needs at least two classes"
            )))
        }
    }
}

/// Learn one matrix, or one a class, with `solve`.
pub(crate) fn fit(
    common: &Common,
    columns: &[String],
    rows: &Prepared,
    classes: &Classes,
    run: &Run,
    solve: impl Fn(&Problem) -> Result<Model>,
) -> Result<Learned> {
    let mut notes: Vec<String> = rows.note().into_iter().collect();
    notes.extend(small_classes(classes, common.k));
    let local = common.mode == Mode::OneVsRest && classes.len() > 2;
    let mut models = Vec::new();
    if local {
        for (code, name) in classes.names().iter().enumerate() {
            let sides = classes.codes().iter().map(|&c| u32::from(c == code as u32)).collect();
            let problem = Problem::new(rows, columns, sides, common, run)?;
            let model = solve(&problem).map_err(|error| match error {
                Error::Data(told) => Error::Data(against(name, &told)),
                Error::NoAnswer(told) => Error::NoAnswer(against(name, &told)),
                other => other,
            })?;
            models.push(Model { class: Some(name.clone()), ..model });
        }
    } else {
        models.push(solve(&Problem::new(rows, columns, classes.codes().to_vec(), common, run)?)?);
    }
    for model in &models {
        if let Some(note) = &model.note {
            let whose = model.class.as_ref().map_or(String::new(), |c| format!("class `{c}`: "));
            notes.push(format!("{whose}{note}"));
        }
    }
    Ok(Learned { classes: classes.names().to_vec(), models, notes })
}

fn against(class: &str, told: &str) -> String {
    format!("class `{class}` against the rest: {told}")
}

fn small_classes(classes: &Classes, k: usize) -> Vec<String> {
    let few = classes.names().iter().zip(classes.counts()).filter(|(_, count)| **count <= k);
    let told = |(name, count): (&String, &usize)| match count {
        1 => format!("class `{name}` has one row, which has no target neighbour of its class"),
        _ => format!("class `{name}` has {count} rows: fewer than k = {k} target neighbours there"),
    };
    few.map(told).collect()
}
