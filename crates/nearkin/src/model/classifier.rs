//! [`ClassifierModel`]: a classifier with the samples it was fitted on.
//!
//! A fit is a function of samples and settings alone, so the model keeps these, and what the
//! measure learned, and is fitted again when it is asked: the same bits come out.

use super::compared::Compared;
use super::container::damaged;
use super::measures::SavedMeasure;
use super::origin::Origin;
use super::parts::{Reader, Writer};
use super::table;
use crate::classify::{Classify, Fitted, Predictions, Queries, classifier};
use crate::data::{Classes, SimilarityMatrix, Table, Target};
use crate::measure::pairwise::PairMeasure;
use crate::{Error, Result, Run};

/// What a classifier was fitted on.
#[derive(Debug, Clone, PartialEq)]
pub enum Samples {
    /// Rows of a table, compared by a measure or several.
    Table {
        /// The measures.
        measures: Vec<SavedMeasure>,
        /// The rows.
        rows: Table<'static>,
    },
    /// The similarities of the samples with each other.
    Similarities {
        /// The matrices, one a measure; the larger, the more alike.
        views: Vec<SimilarityMatrix<'static>>,
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
    /// The similarities of the training samples with each other, a matrix a measure.
    pub views: Vec<SimilarityMatrix<'static>>,
    compared: Option<Compared>,
}

impl ClassifierModel {
    /// A model of `classifier` on rows of a table, compared by `measures`.
    pub fn of_table(
        origin: Origin,
        measures: &[Box<dyn PairMeasure>],
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
        let measures = measures.iter().map(|one| SavedMeasure::fit(one.as_ref(), table, target));
        let measures = measures.collect::<Result<_>>()?;
        let rows = table.select_rows(&(0..table.rows()).collect::<Vec<_>>());
        let samples = Samples::Table { measures, rows };
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

    /// What training sample `at` is called: by its name, else by its row. Beyond the samples there
    /// are rows of the most frequent values of every class, where the classifier asked for them.
    pub fn name(&self, at: usize) -> String {
        match &self.samples {
            _ if at >= self.len() => match self.classes.names().get(at - self.len()) {
                Some(class) => format!("most frequent values of {class}"),
                None => format!("column {at}"),
            },
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
        let (views, compared) = match &self.samples {
            Samples::Similarities { views, .. } => (views.clone(), None),
            Samples::Table { measures, rows } => {
                let compared =
                    Compared::restore(classifier.as_ref(), measures, rows, &self.classes)?;
                (compared.own(run)?, Some(compared))
            }
        };
        let fitted = classifier.fit_several(&views, &self.classes, run)?;
        Ok(Ready { fitted, views, compared })
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        self.origin.write(to);
        to.word("classes", self.classes.names());
        to.codes("samples.classes", self.classes.codes());
        match &self.samples {
            Samples::Table { measures, rows } => {
                to.word("samples", "table");
                for (at, measure) in measures.iter().enumerate() {
                    let place = place("measure", at);
                    to.word(&place, measure.id.clone());
                    to.pairs(&format!("{place}.parameters"), &measure.parameters);
                    to.parts(&format!("{place}.parts"), &measure.parts);
                }
                table::write(to, "rows", rows);
            }
            Samples::Similarities { views, names, dissimilar } => {
                to.word("samples", "similarities");
                to.word("dissimilar", *dissimilar);
                for (at, s) in views.iter().enumerate() {
                    let place = place("samples.similarities", at);
                    to.reals(&place, &[s.rows(), s.columns()], &s.values());
                }
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
                let mut measures = Vec::new();
                while measures.is_empty() || from.has(&place("measure", measures.len())) {
                    let place = place("measure", measures.len());
                    measures.push(SavedMeasure {
                        id: from.word(&place)?.into(),
                        parameters: from.pairs(&format!("{place}.parameters"))?,
                        parts: from.parts(&format!("{place}.parts")),
                    });
                }
                Samples::Table { measures, rows }
            }
            "similarities" => {
                let mut views = Vec::new();
                while views.is_empty() || from.has(&place("samples.similarities", views.len())) {
                    let values = from.reals(&place("samples.similarities", views.len()))?;
                    views.push(SimilarityMatrix::new(count, count, values.to_vec())?);
                }
                let names = match from.has("samples.names") {
                    true => Some(from.words("samples.names")?),
                    false => None,
                };
                if names.as_ref().is_some_and(|names| names.len() != count) {
                    return Err(disagree());
                }
                let dissimilar = from.value("dissimilar")?.as_bool().unwrap_or(false);
                Samples::Similarities { views, names, dissimilar }
            }
            other => return Err(damaged(&format!("it has samples of a kind `{other}`"))),
        };
        Ok(Self { origin: Origin::read(from)?, samples, classes })
    }
}

/// Where the `at`-th measure or matrix of a model is kept.
fn place(name: &str, at: usize) -> String {
    if at == 0 { name.to_owned() } else { format!("{name}{at}") }
}

impl Ready {
    /// The similarities of the rows of `table` to the training samples, a matrix a measure.
    pub fn similarities(&self, table: &Table, run: &Run) -> Result<Vec<SimilarityMatrix<'static>>> {
        match &self.compared {
            Some(compared) => compared.similarities(table, run),
            None => Err(Error::data(
                "the model was made from similarities alone; give those of the queries to its \
                 samples",
            )),
        }
    }

    /// What the classifier says of queries with these similarities to the training samples.
    pub fn predict(&self, queries: &[SimilarityMatrix], run: &Run) -> Result<Predictions> {
        self.fitted.predict_from(Queries::Similarities(queries), run)
    }
}
