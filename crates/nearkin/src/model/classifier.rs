//! [`ClassifierModel`]: a classifier with the samples it was fitted on.
//!
//! A fit is a function of samples and settings alone, so the model keeps these and what the measures
//! learned: fitted again, the same bits come out. What the classifier learned is kept as well, and
//! nothing is fitted again then, unless it holds the similarities of all samples with each other.

use std::borrow::Cow;

use super::measures::SavedMeasure;
use super::origin::Origin;
use super::parts::{Reader, Writer};
use super::table;
use crate::classify::{Classify, Fitted, Predictions, Queries, classifier};
use crate::compare::Compared;
use crate::data::{Classes, Parts, SimilarityMatrix, Table, Target};
use crate::measure::pairwise::{FittedMeasure, PairMeasure};
use crate::{Damage, ModelError, Result, Run};

/// What a classifier was fitted on.
#[derive(Debug, Clone, PartialEq)]
pub enum TrainingSamples {
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
    pub samples: TrainingSamples,
    /// Their classes.
    pub classes: Classes,
    /// What the classifier learned, if that is kept; otherwise it is fitted again.
    pub fitted: Option<Parts>,
}

/// A classifier that is ready to answer.
#[derive(Debug)]
pub struct Ready<'m> {
    /// The fitted classifier.
    pub fitted: Box<dyn Fitted>,
    model: &'m ClassifierModel,
    compared: Option<Compared<'m>>,
}

impl ClassifierModel {
    /// A model of the classifier of `origin` on rows of a table, compared by `measures`.
    ///
    /// # Errors
    /// When the target is real numbers, or a measure cannot compare the rows.
    pub fn of_table(
        origin: Origin,
        measures: &[Box<dyn PairMeasure>],
        table: &Table,
        target: &Target,
    ) -> Result<Self> {
        let Target::Classes(classes) = target else {
            return Err(ModelError::NeedsClasses { method: origin.method }.into());
        };
        let measures = measures.iter().map(|one| SavedMeasure::fit(one.as_ref(), table, target));
        let measures = measures.collect::<Result<_>>()?;
        let rows = table.select_rows(&(0..table.rows()).collect::<Vec<_>>());
        let samples = TrainingSamples::Table { measures, rows };
        Ok(Self { origin, samples, classes: classes.clone(), fitted: None })
    }

    /// Keep what the classifier learned from the samples, so that it need not be fitted again.
    /// Nothing is kept if that holds all similarities between samples.
    pub fn keep(&mut self, fitted: &dyn Fitted) {
        self.fitted = (!fitted.holds_similarities()).then(|| fitted.parts());
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
            TrainingSamples::Table { rows, .. } => {
                rows.columns().iter().map(|c| (c.name.clone(), c.is_nominal())).collect()
            }
            TrainingSamples::Similarities { .. } => Vec::new(),
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
            TrainingSamples::Similarities { names: Some(names), .. } => names[at].clone(),
            _ => format!("row {at}"),
        }
    }

    /// The similarities of the samples with each other, where the model was made from them.
    fn views(&self) -> &[SimilarityMatrix<'static>] {
        match &self.samples {
            TrainingSamples::Similarities { views, .. } => views,
            TrainingSamples::Table { .. } => &[],
        }
    }

    /// The classifier with its parameters.
    ///
    /// # Errors
    /// When this nearkin does not know it, or one of its parameters.
    pub fn classifier(&self) -> Result<Box<dyn Classify>> {
        let mut found = classifier(&self.origin.method)?;
        self.origin.restore(found.as_mut())?;
        Ok(found)
    }

    /// The classifier, ready to answer: as it was fitted, or fitted again, as `run` says.
    ///
    /// # Errors
    /// When what was saved does not fit together, or the classifier cannot be fitted to it.
    pub fn ready(&self, run: &Run) -> Result<Ready<'_>> {
        let classifier = self.classifier()?;
        let compared = match &self.samples {
            TrainingSamples::Similarities { .. } => None,
            TrainingSamples::Table { measures, rows } => {
                let mut restored: Vec<Box<dyn FittedMeasure>> = Vec::new();
                for measure in measures {
                    restored.push(measure.restore()?);
                }
                Some(Compared::new(classifier.as_ref(), restored, rows.view(), &self.classes)?)
            }
        };
        let fitted = match (&self.fitted, &compared) {
            (Some(parts), _) => classifier.restore(parts)?,
            (None, Some(compared)) => compared.classify(classifier.as_ref(), &self.classes, run)?,
            (None, None) => classifier.fit_several(self.views(), &self.classes, run)?,
        };
        let ready = Ready { fitted, model: self, compared };
        if self.fitted.is_some() {
            ready.check_fitted()?;
        }
        Ok(ready)
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        self.origin.write(to);
        to.word("classes", self.classes.names());
        to.codes("samples.classes", self.classes.codes());
        if let Some(parts) = &self.fitted {
            to.word(FITTED, true);
            to.parts(FITTED, parts);
        }
        match &self.samples {
            TrainingSamples::Table { measures, rows } => {
                to.word("samples", "table");
                for (at, measure) in measures.iter().enumerate() {
                    let place = place("measure", at);
                    to.word(&place, measure.id.clone());
                    to.pairs(&format!("{place}.parameters"), &measure.parameters);
                    to.parts(&format!("{place}.parts"), &measure.parts);
                }
                table::write(to, "rows", rows);
            }
            TrainingSamples::Similarities { views, names, dissimilar } => {
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
        let disagree = || Damage::SamplesDisagree.into();
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
                TrainingSamples::Table { measures, rows }
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
                TrainingSamples::Similarities { views, names, dissimilar }
            }
            other => return Err(Damage::SamplesKind { kind: other.to_owned() }.into()),
        };
        // Models of earlier versions have none.
        let fitted = from.has(FITTED).then(|| from.parts(FITTED));
        Ok(Self { origin: Origin::read(from)?, samples, classes, fitted })
    }
}

/// Where what the classifier learned is kept.
const FITTED: &str = "fitted";

/// Where the `at`-th measure or matrix of a model is kept.
fn place(name: &str, at: usize) -> String {
    if at == 0 { name.to_owned() } else { format!("{name}{at}") }
}

impl Ready<'_> {
    /// Refuse learned parts that belong to other samples or classes than the model's: classify one
    /// query of zeros and compare the class names in the answer.
    fn check_fitted(&self) -> Result<()> {
        let (views, columns) = match &self.compared {
            Some(compared) => (compared.measures(), compared.references()),
            None => (self.model.views().len(), self.model.len()),
        };
        let query = SimilarityMatrix::new(1, columns, vec![0.0; columns])?;
        let said = self.predict_similarities(&vec![query; views], &Run::on(1))?;
        match said.names == self.model.classes.names() {
            true => Ok(()),
            false => Err(Damage::FittedClasses.into()),
        }
    }

    fn compared(&self) -> Result<&Compared<'_>> {
        self.compared.as_ref().ok_or_else(|| ModelError::MadeFromSimilarities.into())
    }

    /// What the classifier says of the rows of `table`, from no more than it asks for.
    ///
    /// # Errors
    /// When the model was made from similarities alone, the columns are others than it was made
    /// on, or rows cannot be compared.
    pub fn predict(&self, table: &Table, run: &Run) -> Result<Predictions> {
        self.compared()?.predict(self.fitted.as_ref(), table, run)
    }

    /// Refuse a table whose rows the classifier cannot classify.
    ///
    /// # Errors
    /// When the model was made from similarities alone, or on other columns.
    pub fn check(&self, table: &Table) -> Result<()> {
        self.compared()?.check(table)
    }

    /// The similarities of the rows of `table` to the training samples, a matrix for each measure.
    ///
    /// # Errors
    /// As [`Ready::predict`].
    pub fn similarities(&self, table: &Table, run: &Run) -> Result<Vec<SimilarityMatrix<'static>>> {
        self.compared()?.similarities(table, run)
    }

    /// The similarities of the training samples with each other, a matrix for each measure.
    ///
    /// # Errors
    /// When rows cannot be compared.
    pub fn own(&self, run: &Run) -> Result<Cow<'_, [SimilarityMatrix<'static>]>> {
        match &self.compared {
            None => Ok(Cow::Borrowed(self.model.views())),
            Some(compared) => compared.own(run).map(Cow::Owned),
        }
    }

    /// The similarities of training sample `row` to all of them, a matrix of one row for each
    /// measure.
    ///
    /// # Errors
    /// When rows cannot be compared.
    pub fn own_of(&self, row: usize, run: &Run) -> Result<Vec<SimilarityMatrix<'static>>> {
        match &self.model.samples {
            TrainingSamples::Similarities { views, .. } => {
                let all: Vec<usize> = (0..self.model.len()).collect();
                Ok(views.iter().map(|s| s.select(&[row], &all)).collect())
            }
            TrainingSamples::Table { rows, .. } => {
                self.similarities(&rows.select_rows(&[row]), run)
            }
        }
    }

    /// Whether all similarities of the training samples with each other are equal.
    ///
    /// # Errors
    /// When rows cannot be compared.
    pub fn all_equal(&self, run: &Run) -> Result<bool> {
        let equal = |s: &SimilarityMatrix| s.iter().all(|value| value == s.at(0, 0));
        match &self.compared {
            None => Ok(self.model.views().iter().all(equal)),
            Some(compared) => compared.all_equal(run),
        }
    }

    /// What the classifier says of queries with these similarities to the training samples.
    ///
    /// # Errors
    /// When there are not as many matrices as the model has measures, or not as many columns as it
    /// has samples.
    pub fn predict_similarities(
        &self,
        queries: &[SimilarityMatrix],
        run: &Run,
    ) -> Result<Predictions> {
        self.fitted.predict_from(Queries::Similarities(queries), run)
    }
}
