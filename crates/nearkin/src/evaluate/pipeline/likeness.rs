//! [`Likeness`]: a similarity fitted on training rows, ready to meet queries.

use rayon::prelude::*;

use super::{Alike, Pipeline, Scaler, Use};
use crate::data::{Classes, Encoder, Rows, SimilarityMatrix, Table, TableRows, Target};
use crate::learn::Learned;
use crate::measure::pairwise::FittedMeasure;
use crate::measure::{Form, Measure, Missing, Prepared, Similarity, SquareMatrix, Unknown};
use crate::neighbors::{Decision, Labelled, Rule, SimilarRow, nearest_between};
use crate::{Error, EvaluateError, ParameterError, Result, Run};

/// Queries that meet all training rows at a time, under a measure of pairs.
const BLOCK: usize = 256;

/// How alike queries and training rows are.
#[derive(Debug)]
pub(super) enum Likeness {
    /// A distance over columns of any kind.
    Distance { encoder: Encoder, measure: Box<Measure>, rows: Rows },
    /// A bilinear form over a norm.
    Bilinear { scaler: Scaler, columns: Vec<String>, similarity: Similarity, rows: Prepared },
    /// A measure of pairs of rows.
    Pairs {
        scaler: Scaler,
        columns: Vec<String>,
        measure: Box<dyn FittedMeasure>,
        rows: Table<'static>,
    },
    /// One bilinear form a class.
    Local { scaler: Scaler, columns: Vec<String>, learned: Learned, rows: Prepared },
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
        if let Alike::Metric(metric) = pipeline.similarity {
            let encoder = Encoder::fit(table)?;
            let rows = encoder.encode(table)?;
            let (codes, count) = (classes.codes(), classes.len());
            let unknown = Unknown::fit(Missing::One, &encoder, &rows, codes, count);
            let mut measure = Measure::new(&encoder, metric, pipeline.scaling, unknown);
            if let Some(factors) = factors {
                let known: Vec<f64> = factors.iter().map(|w| w.max(0.0)).collect();
                measure.set_factors(&encoder, &known)?;
            }
            return Ok(Self::Distance { encoder, measure: Box::new(measure), rows });
        }
        let scaler = Scaler::fit(pipeline.scaling, table)?;
        let scaled = scaler.scale(table)?;
        if let Alike::Measure(named) = &pipeline.similarity {
            if factors.is_some() {
                let reason = ParameterError::NoFactors { measure: named.id.clone() };
                return Err(Error::parameter("weights", reason));
            }
            let target = Target::Classes(classes.clone());
            let measure = named.measure()?.fit(&scaled, Some(&target))?;
            let columns = table.names().map(str::to_owned).collect();
            let rows = scaled.into_owned();
            return Ok(Self::Pairs { scaler, columns, measure, rows });
        }
        let numbers = TableRows::new(scaled)?;
        let columns = numbers.names().to_vec();
        match (&pipeline.similarity, learned) {
            (Alike::Norm(norm), _) => {
                let similarity = match factors {
                    None => Similarity::plain(*norm, columns.clone()),
                    Some(factors) => {
                        let scaled = factors.iter().map(|w| w * norm.plain()).collect();
                        let matrix = SquareMatrix::new(Form::Diagonal, columns.len(), scaled)?;
                        Similarity::new(matrix, *norm, columns.clone())?
                    }
                };
                let rows = similarity.prepare(&numbers)?;
                Ok(Self::Bilinear { scaler, columns, similarity, rows })
            }
            (Alike::Learned(_), Some(learned)) => match &learned.models[..] {
                [only] => {
                    let similarity = only.similarity.clone();
                    let rows = similarity.prepare(&numbers)?;
                    Ok(Self::Bilinear { scaler, columns, similarity, rows })
                }
                _ => {
                    let rows = learned.prepare(&numbers)?;
                    Ok(Self::Local { scaler, columns, learned: learned.clone(), rows })
                }
            },
            (Alike::Learned(_), None) => Err(EvaluateError::NotLearned.into()),
            (Alike::Given | Alike::Metric(_) | Alike::Measure(_), _) => {
                Err(Error::parameter("similarity", ParameterError::GivenOnTable))
            }
        }
    }

    /// Take the rows of `table` in place of those it was fitted on; what was fitted stays.
    pub fn replace_rows(&mut self, table: &Table) -> Result<()> {
        match self {
            Self::Distance { encoder, rows, .. } => *rows = encoder.encode(table)?,
            Self::Bilinear { scaler, columns, similarity, rows } => {
                *rows = ready(scaler, columns, table, |rows| similarity.prepare(rows))?;
            }
            Self::Pairs { scaler, columns, rows, .. } => {
                *rows = scaler.scale(&picked(table, columns)?)?.into_owned();
            }
            Self::Local { scaler, columns, learned, rows } => {
                *rows = ready(scaler, columns, table, |rows| learned.prepare(rows))?;
            }
        }
        Ok(())
    }

    /// True where there is one similarity a class.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Local { .. })
    }

    /// Similarities of every row of `queries` with every training row; distances as −d.
    pub fn between(&self, queries: &Table, run: &Run) -> Result<SimilarityMatrix<'static>> {
        match self {
            Self::Distance { encoder, measure, rows } => {
                let queries = encoder.encode(queries)?;
                SimilarityMatrix::new(
                    queries.len(),
                    rows.len(),
                    nearness(&queries, rows, measure, run)?,
                )
            }
            Self::Bilinear { scaler, columns, similarity, rows } => {
                let queries = ready(scaler, columns, queries, |rows| similarity.prepare(rows))?;
                let cells = similarity.between(&queries, rows, run)?;
                SimilarityMatrix::new(queries.rows(), rows.rows(), cells)
            }
            Self::Pairs { scaler, columns, measure, rows } => {
                let queries = picked(queries, columns)?;
                measure.block_with(&scaler.scale(&queries)?, rows, run)
            }
            Self::Local { .. } => {
                Err(Error::parameter("classifier", ParameterError::OneSimilarityAClass))
            }
        }
    }

    /// What `rule` with `k` neighbours says of every row of `queries`.
    pub fn decide(
        &self,
        (rule, k): (Rule, usize),
        classes: &Classes,
        queries: &Table,
        run: &Run,
    ) -> Result<Vec<Decision>> {
        match self {
            Self::Distance { encoder, measure, rows } => {
                let queries = encoder.encode(queries)?;
                by_distance((rule, k), classes, measure, (&queries, rows), run)
            }
            Self::Bilinear { scaler, columns, similarity, rows } => {
                let queries = ready(scaler, columns, queries, |rows| similarity.prepare(rows))?;
                rule.decide(similarity, k, rows, classes, &queries, false, run)
            }
            Self::Pairs { .. } => {
                let mut decided = Vec::with_capacity(queries.rows());
                let all: Vec<usize> = (0..queries.rows()).collect();
                for block in all.chunks(BLOCK) {
                    let s = self.between(&queries.select_rows(block), run)?;
                    decided.extend(rule.decide_given(&s, k, classes, run)?);
                }
                Ok(decided)
            }
            Self::Local { scaler, columns, learned, rows } => {
                let queries = ready(scaler, columns, queries, |rows| learned.prepare(rows))?;
                let answers = learned.classify(rule, k, rows, classes, &queries, run)?;
                let decision = |answer: crate::learn::Answer| Decision {
                    class: answer.class,
                    scores: answer.probabilities.clone(),
                    probabilities: answer.probabilities,
                };
                Ok(answers.into_iter().map(decision).collect())
            }
        }
    }
}

/// −d of every query and every row, query after query.
fn nearness(queries: &Rows, rows: &Rows, measure: &Measure, run: &Run) -> Result<Vec<f64>> {
    let width = rows.len();
    let mut cells = vec![0.0; queries.len() * width];
    run.install(|| {
        cells.par_chunks_mut(width.max(1)).enumerate().try_for_each(|(query, out)| {
            run.check(0, 0)?;
            for (row, cell) in out.iter_mut().enumerate() {
                // 0 − d rather than −d: a zero stays the one zero there is.
                *cell = 0.0 - measure.distance(queries, query, rows, row, (0, 0));
            }
            Ok::<(), crate::Error>(())
        })
    })??;
    Ok(cells)
}

/// The rows of a table, scaled as in training and made ready.
fn ready(
    scaler: &Scaler,
    columns: &[String],
    table: &Table,
    prepare: impl Fn(&TableRows) -> Result<Prepared>,
) -> Result<Prepared> {
    let picked = picked(table, columns)?;
    prepare(&TableRows::new(scaler.scale(&picked)?)?)
}

/// The columns called `names`, in that order.
pub(super) fn picked<'t>(table: &'t Table, names: &[String]) -> Result<Table<'t>> {
    let at = names.iter().map(|name| {
        let missing = || EvaluateError::NoColumn { column: name.clone() }.into();
        table.position(name).ok_or_else(missing)
    });
    Ok(table.select_columns(&at.collect::<Result<Vec<_>>>()?))
}

/// The rule over distances: the k nearest of each class hold the k nearest of all.
fn by_distance(
    (rule, k): (Rule, usize),
    classes: &Classes,
    measure: &Measure,
    (queries, rows): (&Rows, &Rows),
    run: &Run,
) -> Result<Vec<Decision>> {
    let strangers = vec![0; queries.len()];
    let asked = Labelled { rows: queries, labels: &strangers, classes: 1 };
    let base = Labelled { rows, labels: classes.codes(), classes: classes.len() };
    let chosen: Vec<u32> = (0..queries.len() as u32).collect();
    let near = nearest_between((asked, &chosen), base, false, measure, k, run)?;
    let of = |query: usize| {
        let class = |class: usize| {
            let (index, distance) = near.of(query, class);
            let ranked = index.iter().zip(distance);
            ranked.map(|(&row, &d)| SimilarRow { row, similarity: 0.0 - d }).collect()
        };
        let best: Vec<Vec<SimilarRow>> = (0..classes.len()).map(class).collect();
        rule.conclude(&best, k, classes.codes())
    };
    Ok((0..queries.len()).map(of).collect())
}
