//! [`Likeness`]: a similarity fitted on training rows, ready to be computed for queries.

use super::{Alike, Pipeline, Scaler, Use};
use crate::classify::{Classify, Fitted, Predictions};
use crate::compare::Compared;
use crate::data::{Classes, Encoder, Table, TableRows, Target};
use crate::learn::Learned;
use crate::measure::pairwise::{FittedDistance, FittedMeasure};
use crate::measure::{Form, Measure, Missing, Norm, Scaling, Similarity, SquareMatrix, Unknown};
use crate::neighbors::{Decision, Rule};
use crate::{Error, EvaluateError, ParameterError, Result, Run};

/// How alike queries and training rows are.
#[derive(Debug)]
pub(super) struct Likeness {
    scaler: Scaler,
    /// The training columns, in order.
    columns: Vec<String>,
    by: By,
}

#[derive(Debug)]
enum By {
    /// One measure of all rows, over the scaled training rows.
    One(Compared<'static>),
    /// One similarity a class, over the same.
    Each(Learned, Table<'static>),
}

impl Likeness {
    /// The similarity of `pipeline` on training rows, with weights and what was learned.
    pub fn new(
        pipeline: &Pipeline,
        table: &Table,
        classes: &Classes,
        weights: Option<&[f64]>,
        learned: Option<&Learned>,
    ) -> Result<Self> {
        let using = pipeline.weights.as_ref().map(|w| w.using);
        let factors = weights.filter(|_| using == Some(Use::Factors));
        // A distance divides differences itself.
        let scaling = match pipeline.similarity {
            Alike::Metric(_) => Scaling::None,
            _ => pipeline.scaling,
        };
        let scaler = Scaler::fit(scaling, table)?;
        let columns: Vec<String> = table.names().map(str::to_owned).collect();
        let rows = scaler.scale(table)?.into_owned();
        // Rows that it cannot take are refused now, not when it is asked.
        let fits = |similarity: &Similarity| {
            similarity.prepare(&TableRows::new(rows.view())?).map(|_| similarity.clone())
        };
        let measure: Box<dyn FittedMeasure> = match (&pipeline.similarity, learned) {
            (Alike::Metric(metric), _) => {
                let encoder = Encoder::fit(&rows)?;
                let coded = encoder.encode(&rows)?;
                let (codes, count) = (classes.codes(), classes.len());
                let unknown = Unknown::fit(Missing::One, &encoder, &coded, codes, count);
                let mut measure = Measure::new(&encoder, *metric, pipeline.scaling, unknown);
                if let Some(factors) = factors {
                    let known: Vec<f64> = factors.iter().map(|w| w.max(0.0)).collect();
                    measure.set_factors(&encoder, &known)?;
                }
                Box::new(FittedDistance { encoder, measure })
            }
            (Alike::Measure(named), _) => {
                if factors.is_some() {
                    let reason = ParameterError::NoFactors { measure: named.id.clone() };
                    return Err(Error::parameter("weights", reason));
                }
                named.measure()?.fit(&rows, Some(&Target::Classes(classes.clone())))?
            }
            (Alike::Norm(norm), _) => Box::new(fits(&plain(*norm, &columns, factors)?)?),
            (Alike::Learned(_), Some(learned)) => match &learned.models[..] {
                [only] => Box::new(fits(&only.similarity)?),
                several => {
                    several.first().map(|one| fits(&one.similarity)).transpose()?;
                    return Ok(Self { scaler, columns, by: By::Each(learned.clone(), rows) });
                }
            },
            (Alike::Learned(_), None) => return Err(EvaluateError::NotLearned.into()),
            (Alike::Given, _) => {
                return Err(Error::parameter("similarity", ParameterError::GivenOnTable));
            }
        };
        let compared = Compared::among(vec![measure], rows, None);
        Ok(Self { scaler, columns, by: By::One(compared) })
    }

    /// Use the rows of `table` as neighbours in place of the training rows; what was fitted does
    /// not change.
    pub fn replace_rows(&mut self, table: &Table) -> Result<()> {
        let new = self.scaled(table)?;
        match &mut self.by {
            By::One(compared) => compared.replace_rows(new),
            By::Each(_, rows) => *rows = new,
        }
        Ok(())
    }

    /// True where there is one similarity a class.
    pub fn is_local(&self) -> bool {
        matches!(self.by, By::Each(..))
    }

    /// `method`, fitted on the training rows.
    pub fn classify(
        &self,
        method: &dyn Classify,
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        self.one()?.classify(method, classes, run)
    }

    /// What `fitted` says of every row of `queries`.
    pub fn predict(&self, fitted: &dyn Fitted, queries: &Table, run: &Run) -> Result<Predictions> {
        self.one()?.predict(fitted, &self.scaled(queries)?, run)
    }

    /// What `rule` with `k` neighbours says of every row of `queries`.
    pub fn decide(
        &self,
        (rule, k): (Rule, usize),
        classes: &Classes,
        queries: &Table,
        run: &Run,
    ) -> Result<Vec<Decision>> {
        let queries = self.scaled(queries)?;
        let (learned, rows) = match &self.by {
            By::One(compared) => return compared.decide((rule, k), classes, &queries, run),
            By::Each(learned, rows) => (learned, rows),
        };
        let ready = |table: &Table| learned.prepare(&TableRows::new(table.view())?);
        let answers = learned.classify(rule, k, &ready(rows)?, classes, &ready(&queries)?, run)?;
        let decision = |answer: crate::learn::Answer| Decision {
            class: answer.class,
            scores: answer.probabilities.clone(),
            probabilities: answer.probabilities,
        };
        Ok(answers.into_iter().map(decision).collect())
    }

    fn one(&self) -> Result<&Compared<'static>> {
        match &self.by {
            By::One(compared) => Ok(compared),
            By::Each(..) => {
                Err(Error::parameter("classifier", ParameterError::OneSimilarityAClass))
            }
        }
    }

    /// The training columns of a table, scaled as in training.
    fn scaled(&self, table: &Table) -> Result<Table<'static>> {
        Ok(self.scaler.scale(&picked(table, &self.columns)?)?.into_owned())
    }
}

/// The similarity by a norm, columns multiplied by `factors`.
fn plain(norm: Norm, columns: &[String], factors: Option<&[f64]>) -> Result<Similarity> {
    let Some(factors) = factors else { return Ok(Similarity::plain(norm, columns.to_vec())) };
    let scaled = factors.iter().map(|w| w * norm.plain()).collect();
    let matrix = SquareMatrix::new(Form::Diagonal, columns.len(), scaled)?;
    Similarity::new(matrix, norm, columns.to_vec())
}

/// The columns called `names`, in that order.
pub(super) fn picked<'t>(table: &'t Table, names: &[String]) -> Result<Table<'t>> {
    let at = names.iter().map(|name| {
        let missing = || EvaluateError::NoColumn { column: name.clone() }.into();
        table.position(name).ok_or_else(missing)
    });
    Ok(table.select_columns(&at.collect::<Result<Vec<_>>>()?))
}
