//! [`ClassifierModel`]: a classifier with the samples it was fitted on.
//!
//! A fit is a function of samples and settings alone, so the model keeps these, and what the
//! measure learned, and is fitted again when it is asked: the same bits come out.

use super::columns::check_columns;
use super::container::damaged;
use super::origin::Origin;
use super::parts::{Reader, Writer};
use super::table;
use crate::classify::{Classify, Fitted, Predictions, classifier};
use crate::data::{Classes, Parts, SimilarityMatrix, Table, Target};
use crate::measure::pairwise::{FittedMeasure, PairMeasure, measure};
use crate::{Error, Result, Run};

/// A measure of pairs of rows with what it learned from training rows.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedMeasure {
    /// Its id.
    pub id: String,
    /// Its parameters and their values, as a user writes them.
    pub parameters: Vec<(String, String)>,
    /// What it learned.
    pub parts: Parts,
}

/// What a classifier was fitted on.
#[derive(Debug, Clone, PartialEq)]
pub enum Samples {
    /// Rows of a table, compared by a measure.
    Table {
        /// The measure.
        measure: SavedMeasure,
        /// The rows.
        rows: Table<'static>,
    },
    /// The similarities of the samples with each other.
    Similarities {
        /// The matrix; the larger, the more alike.
        s: SimilarityMatrix<'static>,
        /// The samples' names.
        names: Option<Vec<String>>,
        /// True when the user gave dissimilarities, whose sign was turned.
        dissimilar: bool,
    },
}

/// A classifier, the samples it was fitted on and their classes.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassifierModel {
    /// How it came about.
    pub origin: Origin,
    /// The samples.
    pub samples: Samples,
    /// Their classes.
    pub classes: Classes,
}

/// A classifier that is ready to answer.
#[derive(Debug)]
pub struct Ready {
    /// The fitted classifier.
    pub fitted: Box<dyn Fitted>,
    /// The similarities of the training samples with each other.
    pub s: SimilarityMatrix<'static>,
    measure: Option<(Box<dyn FittedMeasure>, Table<'static>)>,
}

impl ClassifierModel {
    /// A model of `classifier` on rows of a table, compared by `measure`.
    pub fn of_table(
        origin: Origin,
        measure: &dyn PairMeasure,
        table: &Table,
        target: &Target,
    ) -> Result<Self> {
        let Target::Classes(classes) = target else {
            return Err(Error::data(format!(
                "{} answers with classes and the target is a real number; tell the reader that \
                 the target holds classes",
                origin.method
            )));
        };
        let fitted = measure.fit(table, Some(target))?;
        let parameters = measure.parameters().into_iter().map(|p| (p.name.to_owned(), p.default));
        let measure = SavedMeasure {
            id: measure.about().id.into(),
            parameters: parameters.collect(),
            parts: fitted.parts(),
        };
        let rows = table.select_rows(&(0..table.rows()).collect::<Vec<_>>());
        let samples = Samples::Table { measure, rows };
        Ok(Self { origin, samples, classes: classes.clone() })
    }

    /// Number of training samples.
    pub fn len(&self) -> usize {
        self.classes.codes().len()
    }

    /// True when there is no sample at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns of the table it was made on, and whether they are nominal.
    pub fn columns(&self) -> Vec<(String, bool)> {
        match &self.samples {
            Samples::Table { rows, .. } => {
                rows.columns().iter().map(|c| (c.name.clone(), c.is_nominal())).collect()
            }
            Samples::Similarities { .. } => Vec::new(),
        }
    }

    /// What training sample `at` is called: by its name, else by its row.
    pub fn name(&self, at: usize) -> String {
        match &self.samples {
            Samples::Similarities { names: Some(names), .. } => names[at].clone(),
            _ => format!("row {at}"),
        }
    }

    /// The classifier with its parameters.
    pub fn classifier(&self) -> Result<Box<dyn Classify>> {
        let mut found = classifier(&self.origin.method)?;
        self.origin.restore(found.as_mut())?;
        Ok(found)
    }

    /// Fit the classifier, as `run` says.
    pub fn ready(&self, run: &Run) -> Result<Ready> {
        let classifier = self.classifier()?;
        let (s, measure) = match &self.samples {
            Samples::Similarities { s, .. } => (s.clone(), None),
            Samples::Table { measure: saved, rows } => {
                let mut method = measure(&saved.id)?;
                for (name, text) in &saved.parameters {
                    method.try_set(name, text)?;
                }
                let fitted = method.restore(&saved.parts)?;
                (fitted.block_with(rows, rows, run)?, Some((fitted, rows.clone())))
            }
        };
        let fitted = classifier.fit_with(&s, &self.classes, run)?;
        Ok(Ready { fitted, s, measure })
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        self.origin.write(to);
        to.word("classes", self.classes.names());
        to.codes("samples.classes", self.classes.codes());
        match &self.samples {
            Samples::Table { measure, rows } => {
                to.word("samples", "table");
                to.word("measure", measure.id.clone());
                to.pairs("measure.parameters", &measure.parameters);
                to.parts("measure.parts", &measure.parts);
                table::write(to, "rows", rows);
            }
            Samples::Similarities { s, names, dissimilar } => {
                to.word("samples", "similarities");
                to.word("dissimilar", *dissimilar);
                to.reals("samples.similarities", &[s.rows(), s.columns()], s.values());
                if let Some(names) = names {
                    to.word("samples.names", names.as_slice());
                }
            }
        }
    }

    pub(crate) fn read(from: &Reader) -> Result<Self> {
        let codes = from.codes("samples.classes")?.to_vec();
        let classes = Classes::new(codes, from.words("classes")?)?;
        let count = classes.codes().len();
        let disagree = || damaged("its samples and their classes do not agree");
        let samples = match from.word("samples")? {
            "table" => {
                let rows = table::read(from, "rows")?;
                if rows.rows() != count {
                    return Err(disagree());
                }
                let measure = SavedMeasure {
                    id: from.word("measure")?.into(),
                    parameters: from.pairs("measure.parameters")?,
                    parts: from.parts("measure.parts"),
                };
                Samples::Table { measure, rows }
            }
            "similarities" => {
                let values = from.reals("samples.similarities")?.to_vec();
                let s = SimilarityMatrix::new(count, count, values)?;
                let names = match from.has("samples.names") {
                    true => Some(from.words("samples.names")?),
                    false => None,
                };
                if names.as_ref().is_some_and(|names| names.len() != count) {
                    return Err(disagree());
                }
                let dissimilar = from.value("dissimilar")?.as_bool().unwrap_or(false);
                Samples::Similarities { s, names, dissimilar }
            }
            other => return Err(damaged(&format!("it has samples of a kind `{other}`"))),
        };
        Ok(Self { origin: Origin::read(from)?, samples, classes })
    }
}

impl Ready {
    /// The similarities of the rows of `table` to the training samples.
    pub fn similarities(&self, table: &Table, run: &Run) -> Result<SimilarityMatrix<'static>> {
        let Some((measure, rows)) = &self.measure else {
            return Err(Error::data(
                "the model was made from similarities alone; give those of the queries to its \
                 samples",
            ));
        };
        let names: Vec<String> = rows.names().map(str::to_owned).collect();
        check_columns(&names, table)?;
        measure.block_with(table, rows, run)
    }

    /// What the classifier says of queries with these similarities to the training samples.
    pub fn predict(&self, queries: &SimilarityMatrix, run: &Run) -> Result<Predictions> {
        self.fitted.predict_with(queries, run)
    }
}
