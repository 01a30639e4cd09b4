//! [`SimilarityModel`]: a learned similarity with the rows it is asked among.

use super::origin::Origin;
use super::parts::{Reader, Writer};
use crate::compare::check_columns;
use crate::data::{Classes, Dense, Sparse, Table, TableRows};
use crate::learn::{Answer, Bound, Learned, LearnedMatrix};
use crate::measure::pairwise::FittedMeasure;
use crate::measure::{Compare, Norm, OwnedVectors, Prepared, Row, Similarity, Vectors};
use crate::neighbors::{Rule, SimilarRow, most_similar};
use crate::parameter::Value;
use crate::{Damage, ModelError, Note, Result, Run};

/// Labelled rows that answers come from.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledRows {
    /// The rows.
    pub rows: OwnedVectors,
    /// Their classes.
    pub classes: Classes,
}

/// A learned similarity, or one a class, with the rule and the rows that make it a classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarityModel {
    /// How it came about.
    pub origin: Origin,
    /// What was learned.
    pub learned: Learned,
    /// How neighbours decide.
    pub rule: Rule,
    /// How many of them.
    pub k: usize,
    /// The rows to look for neighbours among; none in a model saved without rows.
    pub prototypes: Option<LabelledRows>,
}

/// A neighbour of a query and why it is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    /// The prototype's row.
    pub row: usize,
    /// Its class.
    pub class: u32,
    /// Its similarity to the query.
    pub similarity: f64,
    /// What each feature c adds to that: (xᵀA)_c y_c / N(x, y), and for distances
    /// −(x − y)_c (A(x − y))_c or −A_c |x_c − y_c|.
    pub contributions: Vec<f64>,
}

impl SimilarityModel {
    /// The columns it is about, in order.
    pub fn columns(&self) -> &[String] {
        self.learned.models.first().map_or(&[], |model| model.similarity.columns())
    }

    /// What its matrices are about: the columns, and the constant where there is one.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.learned.models.first().into_iter().flat_map(|model| model.similarity.features())
    }

    /// The norm it divides by.
    pub fn norm(&self) -> Norm {
        self.learned.models.first().map_or(Norm::Dot, |model| model.similarity.norm())
    }

    /// The rows that answers come from.
    ///
    /// # Errors
    /// When the model was saved without rows.
    pub fn prototypes(&self) -> Result<&LabelledRows> {
        self.prototypes.as_ref().ok_or_else(|| ModelError::NoRows.into())
    }

    /// The rows of `table` as the model takes them.
    fn ready(&self, table: &Table) -> Result<Prepared> {
        check_columns(self.columns(), table)?;
        self.learned.prepare(&TableRows::select(table, self.columns())?)
    }

    /// These rows as the model takes them, columns found by name.
    ///
    /// Sparse rows may lack a column, which is all zeros then.
    fn ready_rows(&self, rows: Vectors) -> Result<Prepared> {
        match rows {
            _ if rows.is_sparse() && self.shifts() => Err(ModelError::ShiftsColumns.into()),
            Vectors::Sparse(rows) => self.learned.prepare(&rows.over(self.columns())?),
            Vectors::SparseSingle(rows) => {
                self.learned.prepare(&rows.clone().to_double().over(self.columns())?)
            }
            _ if rows.names() == self.columns() => self.learned.prepare(rows),
            _ => Err(ModelError::OtherColumns.into()),
        }
    }

    /// True when rows are whitened before they are compared.
    pub fn whitens(&self) -> bool {
        let first = self.learned.models.first();
        first.is_some_and(|model| model.similarity.preparation().whitening.is_some())
    }

    /// True when something is taken from columns before rows are compared.
    fn shifts(&self) -> bool {
        let first = self.learned.models.first();
        let scale = first.and_then(|model| model.similarity.preparation().scale.as_ref());
        scale.is_some_and(|scale| scale.shift().iter().any(|&shift| shift != 0.0))
    }

    /// The answer about every row of `table`.
    ///
    /// # Errors
    /// When the model was saved without rows, or the columns are others.
    pub fn predict(&self, table: &Table, run: &Run) -> Result<Vec<Answer>> {
        self.answer(self.ready(table)?, run)
    }

    /// What the model says of every one of these rows; sparse ones find their columns by name.
    ///
    /// # Errors
    /// As [`SimilarityModel::predict`].
    pub fn predict_rows<'v>(&self, rows: impl Into<Vectors<'v>>, run: &Run) -> Result<Vec<Answer>> {
        self.answer(self.ready_rows(rows.into())?, run)
    }

    fn answer(&self, queries: Prepared, run: &Run) -> Result<Vec<Answer>> {
        let known = self.prototypes()?;
        let base = self.learned.prepare(known.rows.vectors())?;
        self.learned.classify(self.rule, self.k, &base, &known.classes, &queries, run)
    }

    /// The `k` prototypes most similar to row `row` of `table`, best first, under each similarity.
    ///
    /// # Errors
    /// As [`SimilarityModel::predict`].
    pub fn neighbours(
        &self,
        table: &Table,
        row: usize,
        k: usize,
        run: &Run,
    ) -> Result<Vec<Vec<Neighbour>>> {
        self.near(self.ready(&table.select_rows(&[row]))?, k, run)
    }

    /// [`SimilarityModel::neighbours`] of row `row` of other rows.
    ///
    /// # Errors
    /// As [`SimilarityModel::predict`].
    pub fn neighbours_of<'v>(
        &self,
        rows: impl Into<Vectors<'v>>,
        row: usize,
        k: usize,
        run: &Run,
    ) -> Result<Vec<Vec<Neighbour>>> {
        let only = rows.into().select_rows(&[row]);
        self.near(self.ready_rows(only.vectors())?, k, run)
    }

    fn near(&self, query: Prepared, k: usize, run: &Run) -> Result<Vec<Vec<Neighbour>>> {
        let known = self.prototypes()?;
        let base = self.learned.prepare(known.rows.vectors())?;
        let of = |model: &LearnedMatrix| -> Result<Vec<Neighbour>> {
            let found = most_similar(&model.similarity, &query, &base, k, run)?;
            let neighbour = |ranked: &SimilarRow| {
                let at = ranked.row as usize;
                Neighbour {
                    row: at,
                    class: known.classes.codes()[at],
                    similarity: ranked.similarity,
                    contributions: contributions(&model.similarity, &query, (&base, at)),
                }
            };
            Ok(found.iter().flatten().map(neighbour).collect())
        };
        self.learned.models.iter().map(of).collect()
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        self.origin.write(to);
        to.word("columns", self.columns());
        to.word("classes", self.learned.classes.clone());
        to.word("notes", self.learned.notes.iter().map(Note::to_string).collect::<Vec<_>>());
        to.word("rule", self.rule.show());
        to.wholes("k", [self.k as u64]);
        to.wholes("models", [self.learned.models.len() as u64]);
        for (at, model) in self.learned.models.iter().enumerate() {
            write_model(to, &format!("model.{at}"), model);
        }
        if let Some(LabelledRows { rows, classes }) = &self.prototypes {
            match rows {
                OwnedVectors::Dense(rows) => {
                    to.reals("prototypes.rows", &[rows.rows(), rows.columns()], rows.cells());
                }
                OwnedVectors::Table(rows) => {
                    let cells: Vec<f64> = rows.cells(rows.columns());
                    to.reals("prototypes.rows", &[rows.rows(), rows.columns()], &cells);
                }
                OwnedVectors::Sparse(rows) => {
                    let (starts, columns, values) = rows.parts();
                    to.wholes("prototypes.starts", starts.iter().map(|&at| at as u64));
                    to.codes("prototypes.columns", columns);
                    to.reals("prototypes.values", &[values.len()], values);
                }
            }
            to.codes("prototypes.classes", classes.codes());
            to.word("prototypes.names", classes.names());
        }
    }

    pub(crate) fn read(from: &Reader) -> Result<Self> {
        let columns = from.words("columns")?;
        let count = from.whole("models")?;
        let models = (0..count).map(|at| read_model(from, &format!("model.{at}"), &columns));
        let learned = Learned {
            models: models.collect::<Result<_>>()?,
            classes: from.words("classes")?,
            notes: from.words("notes")?.into_iter().map(|told| Note::Saved { told }).collect(),
        };
        if learned.models.is_empty() {
            return Err(ModelError::NoSimilarity.into());
        }
        let prototypes = match read_rows(from, columns)? {
            Some(rows) => {
                let codes = from.codes("prototypes.classes")?.to_vec();
                let classes = Classes::new(codes, from.words("prototypes.names")?)?;
                if classes.codes().len() != rows.rows() {
                    return Err(ModelError::RowsDisagree.into());
                }
                Some(LabelledRows { rows, classes })
            }
            None => None,
        };
        let (rule, k) = (parsed(from, "rule")?, from.whole("k")?);
        Ok(Self { origin: Origin::read(from)?, learned, rule, k, prototypes })
    }
}

/// The rows of a model, if it holds any.
fn read_rows(from: &Reader, columns: Vec<String>) -> Result<Option<OwnedVectors>> {
    if from.has("prototypes.rows") {
        return Ok(Some(Dense::new(columns, from.reals("prototypes.rows")?.to_vec())?.into()));
    }
    if !from.has("prototypes.starts") {
        return Ok(None);
    }
    let starts = from.wholes("prototypes.starts")?.iter().map(|&at| at as usize).collect();
    let cells = from.codes("prototypes.columns")?.to_vec();
    let values = from.reals("prototypes.values")?.to_vec();
    Ok(Some(Sparse::new(columns, starts, cells, values)?.into()))
}

/// What each column adds to the similarity of the query and base row `at`.
fn contributions(
    similarity: &Similarity,
    query: &Prepared,
    (base, at): (&Prepared, usize),
) -> Vec<f64> {
    let size = query.columns();
    let (x, y) = (query.row(0).to_vec(size), base.row(at).to_vec(size));
    let mut projected = vec![0.0; size];
    let matrix = similarity.matrix();
    match similarity.compare() {
        Compare::Similarity => {
            matrix.project(Row::Dense(&x), &mut projected);
            let divisor = query.divisor(0, base, at);
            projected.iter().zip(&y).map(|(p, y)| p * y / divisor).collect()
        }
        Compare::SquaredDistance => {
            let apart: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
            matrix.project(Row::Dense(&apart), &mut projected);
            projected.iter().zip(&apart).map(|(p, d)| 0.0 - p * d).collect()
        }
        Compare::AbsoluteDistance => {
            let weights = matrix.diagonal();
            let cells = x.iter().zip(&y).zip(weights);
            cells.map(|((x, y), a)| 0.0 - a * (x - y).abs()).collect()
        }
    }
}

/// A word that stands for one of several choices.
fn parsed<T: Value>(from: &Reader, name: &str) -> Result<T> {
    T::parse(from.word(name)?)
        .map_err(|reason| ModelError::NotAValue { name: name.to_owned(), reason }.into())
}

fn write_model(to: &mut Writer, place: &str, model: &LearnedMatrix) {
    let name = |part: &str| format!("{place}.{part}");
    if let Some(class) = &model.class {
        to.word(&name("class"), class.clone());
    }
    if let Some(note) = &model.note {
        to.word(&name("note"), note.to_string());
    }
    to.parts(&name("similarity"), &model.similarity.parts());
    for (part, cells) in
        [("objective", &model.objective), ("before", &model.before), ("after", &model.after)]
    {
        to.reals(&name(part), &[cells.len()], cells);
    }
    to.wholes(&name("mistakes"), model.mistakes.iter().copied());
    if let Some(bound) = &model.bound {
        to.wholes(&name("bound.mistakes"), [bound.mistakes]);
        let mut cells =
            vec![bound.radius, bound.gamma, bound.shortfall, bound.bound, bound.expected_error];
        cells.extend(bound.separable);
        to.reals(&name("bound"), &[cells.len()], &cells);
    }
}

fn read_model(from: &Reader, place: &str, columns: &[String]) -> Result<LearnedMatrix> {
    let name = |part: &str| format!("{place}.{part}");
    let similarity = Similarity::restore(&from.parts(&name("similarity")))?;
    if similarity.columns() != columns {
        return Err(Damage::SimilarityColumns.into());
    }
    let reals = |part: &str| from.reals(&name(part)).map(<[f64]>::to_vec);
    let bound = match from.has(&name("bound")) {
        true => {
            let mistakes = from.whole(&name("bound.mistakes"))? as u64;
            match *from.reals(&name("bound"))? {
                [radius, gamma, shortfall, bound, expected_error, ref rest @ ..] => {
                    let separable = rest.first().copied();
                    Some(Bound {
                        mistakes,
                        radius,
                        gamma,
                        shortfall,
                        bound,
                        separable,
                        expected_error,
                    })
                }
                _ => return Err(ModelError::ShortBound.into()),
            }
        }
        false => None,
    };
    Ok(LearnedMatrix {
        class: from.maybe(&name("class")),
        similarity,
        objective: reals("objective")?,
        before: reals("before")?,
        after: reals("after")?,
        mistakes: from.wholes(&name("mistakes"))?.to_vec(),
        bound,
        note: from.maybe(&name("note")).map(|told| Note::Saved { told }),
    })
}
