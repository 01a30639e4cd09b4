//! [`FittedPipeline`]: a pipeline that has learned, and what it keeps of its training rows.

use super::likeness::{Likeness, picked};
use super::{Alike, Decide, Pipeline, Use};
use crate::classify::{Fitted, FittedNaiveBayes, Predictions};
use crate::data::{Classes, SimilarityMatrix, Table, Target};
use crate::learn::Learned;
use crate::neighbors::{Decision, Rule};
use crate::weigh::{Extras, Selection, select};
use crate::{DataError, Error, EvaluateError, Note, ParameterError, Result, Run};

/// What a fitted pipeline keeps of the data it was fitted on.
#[derive(Debug, Clone, PartialEq)]
pub enum Base {
    /// The training rows, with the columns that are used, as they came.
    Table(Table<'static>),
    /// The similarities of the training samples with each other.
    Similarities(SimilarityMatrix<'static>),
}

/// All that was learned from labelled rows, without what a [`FittedPipeline`] can compute from it
/// again. Together with the [`Pipeline`] it is what a saved model needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The training data.
    pub base: Base,
    /// The classes of its rows.
    pub classes: Classes,
    /// The weights of the columns in `base`, where features were weighed.
    pub weights: Option<Vec<f64>>,
    /// The learned similarity, if there is one.
    pub learned: Option<Learned>,
    /// What a reader of the answers should know.
    pub notes: Vec<Note>,
}

impl Trained {
    /// Weigh, choose columns and learn the similarity, as `pipeline` says.
    pub(super) fn on_table(
        pipeline: &Pipeline,
        table: &Table,
        target: &Target,
        run: &Run,
    ) -> Result<Self> {
        let Target::Classes(classes) = target else {
            return Err(EvaluateError::PipelineNeedsClasses.into());
        };
        if table.rows() != classes.codes().len() {
            let (table, target) = (table.rows(), classes.codes().len());
            return Err(DataError::RowsDisagree { table, target }.into());
        }
        if classes.is_empty() {
            return Err(EvaluateError::NoTrainingRow.into());
        }
        pipeline.check_bayes()?;
        let mut notes = Vec::new();
        let mut base = table.select_rows(&(0..table.rows()).collect::<Vec<_>>());
        let mut weights = None;
        if let Some(step) = &pipeline.weights {
            let found = step.method.weigh()?.fit_with(table, target, &Extras::default(), run)?;
            notes.extend(found.notes.iter().cloned());
            let mut columns: Vec<usize> = (0..found.weights.len()).collect();
            if let Use::Keep(n) = step.using {
                columns = select(&found, Selection::Top(n.min(found.weights.len())))?;
                columns.sort_unstable();
            }
            weights = Some(columns.iter().map(|&c| found.weights[c]).collect());
            base = base.select_columns(&columns).into_owned();
        }
        let learned = match &pipeline.similarity {
            Alike::Learned(method) => {
                let scaled = super::Scaler::fit(pipeline.scaling, &base)?;
                let scaled = scaled.scale(&base)?;
                let learned = method.learn()?.fit_with(&scaled, target, run)?;
                notes.extend(learned.notes.iter().cloned());
                Some(learned)
            }
            _ => None,
        };
        if let (Some(Alike::Learned(_)), Some(step)) =
            (Some(&pipeline.similarity), &pipeline.weights)
            && step.using == Use::Factors
        {
            return Err(Error::parameter("weights", ParameterError::OwnFactors));
        }
        Ok(Self { base: Base::Table(base), classes: classes.clone(), weights, learned, notes })
    }

    /// Given similarities leave nothing to learn before the classifier.
    pub(super) fn on_similarities(
        pipeline: &Pipeline,
        s: &SimilarityMatrix,
        classes: &Classes,
    ) -> Result<Self> {
        if pipeline.similarity != Alike::Given || pipeline.weights.is_some() {
            return Err(Error::parameter("similarity", ParameterError::AlreadySimilarities));
        }
        if s.rows() != s.columns() || s.rows() != classes.codes().len() {
            let (rows, columns) = (s.rows(), s.columns());
            let labels = classes.codes().len();
            return Err(EvaluateError::TrainingMatrix { rows, columns, labels }.into());
        }
        Ok(Self {
            base: Base::Similarities(s.to_owned()),
            classes: classes.clone(),
            weights: None,
            learned: None,
            notes: Vec::new(),
        })
    }

    /// The class of each training row, by name.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let names = self.classes.names();
        self.classes.codes().iter().map(|&code| names[code as usize].as_str())
    }
}

/// A pipeline that has learned.
#[derive(Debug)]
pub struct FittedPipeline {
    /// What was asked for.
    pub pipeline: Pipeline,
    /// What was learned, and from what.
    pub trained: Trained,
    /// How alike rows are, where a table was learned from and similarities decide.
    likeness: Option<Likeness>,
    decider: Decider,
}

/// Who decides, ready to.
#[derive(Debug)]
enum Decider {
    Rule(Rule, usize),
    Classifier(Box<dyn Fitted>),
    Bayes(FittedNaiveBayes),
}

impl FittedPipeline {
    /// Put a pipeline together from what it was trained on: the end of fitting, and of loading.
    ///
    /// Scales and the classifier are worked out here, from the training data alone, so the same
    /// parts always give the same answers.
    ///
    /// # Errors
    /// When the classifier cannot be fitted to the training data, or does not go with the similarity.
    pub fn new(pipeline: &Pipeline, trained: Trained, run: &Run) -> Result<Self> {
        let (likeness, decider) = match &trained.base {
            Base::Table(table) => Self::on_table(pipeline, &trained, table, run)?,
            Base::Similarities(s) => {
                let decider = match &pipeline.classifier {
                    Decide::Rule { rule, k } => Decider::Rule(*rule, *k),
                    Decide::Classifier(method) => Decider::Classifier(
                        method.classify()?.fit_with(s, &trained.classes, run)?,
                    ),
                    Decide::Bayes(named) => {
                        let reason = ParameterError::NeedsTable { method: named.id.clone() };
                        return Err(Error::parameter("classifier", reason));
                    }
                };
                (None, decider)
            }
        };
        Ok(Self { pipeline: pipeline.clone(), trained, likeness, decider })
    }

    fn on_table(
        pipeline: &Pipeline,
        trained: &Trained,
        table: &Table,
        run: &Run,
    ) -> Result<(Option<Likeness>, Decider)> {
        let (classes, learned) = (&trained.classes, trained.learned.as_ref());
        let likeness =
            || Likeness::new(pipeline, table, classes, trained.weights.as_deref(), learned);
        Ok(match &pipeline.classifier {
            Decide::Rule { rule, k } => (Some(likeness()?), Decider::Rule(*rule, *k)),
            Decide::Classifier(method) => {
                let (method, likeness) = (method.classify()?, likeness()?);
                let fitted = likeness.classify(method.as_ref(), classes, run)?;
                (Some(likeness), Decider::Classifier(fitted))
            }
            Decide::Bayes(named) => {
                (None, Decider::Bayes(named.naive_bayes()?.fit(table, classes)?))
            }
        })
    }

    /// The same pipeline with the rows of `table` as neighbours. What was learned and the scales
    /// of columns do not change; the classifier is fitted again on these rows.
    pub(in crate::evaluate) fn remembering(
        mut self,
        table: &Table,
        classes: Classes,
        run: &Run,
    ) -> Result<Self> {
        let columns: Vec<String> = self.columns().into_iter().map(str::to_owned).collect();
        let base = picked(table, &columns)?;
        if let Some(likeness) = &mut self.likeness {
            likeness.replace_rows(&base)?;
        }
        match (&self.pipeline.classifier, &mut self.decider, &self.likeness) {
            (Decide::Classifier(method), Decider::Classifier(fitted), Some(likeness)) => {
                *fitted = likeness.classify(method.classify()?.as_ref(), &classes, run)?;
            }
            (Decide::Bayes(named), Decider::Bayes(fitted), _) => {
                *fitted = named.naive_bayes()?.fit(&base, &classes)?;
            }
            _ => {}
        }
        self.trained.base = Base::Table(base.into_owned());
        self.trained.classes = classes;
        Ok(self)
    }

    /// The names of the columns that the pipeline uses, in order. Empty when it was fitted on a
    /// matrix of similarities.
    pub fn columns(&self) -> Vec<&str> {
        match &self.trained.base {
            Base::Table(table) => table.names().collect(),
            Base::Similarities(_) => Vec::new(),
        }
    }

    /// The fitted classifier, if there is one.
    pub fn classifier(&self) -> Option<&dyn Fitted> {
        match &self.decider {
            Decider::Classifier(classifier) => Some(classifier.as_ref()),
            Decider::Rule(..) | Decider::Bayes(_) => None,
        }
    }

    /// What a reader of the answers should know.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = self.trained.notes.clone();
        notes.extend(self.classifier().iter().flat_map(|classifier| classifier.notes()));
        notes
    }

    /// The class of every row of `table`, which needs the training columns, in any order.
    ///
    /// # Errors
    /// When the pipeline was fitted on similarities, a column is missing, or rows cannot be compared.
    pub fn predict(&self, table: &Table, run: &Run) -> Result<Predictions> {
        let given = || Error::from(EvaluateError::FittedOnSimilarities);
        if matches!(self.trained.base, Base::Similarities(_)) {
            return Err(given());
        }
        let columns: Vec<String> = self.columns().into_iter().map(str::to_owned).collect();
        let queries = picked(table, &columns)?;
        if queries.rows() == 0 {
            return Err(EvaluateError::NoQuery.into());
        }
        match (&self.decider, &self.likeness) {
            (Decider::Bayes(bayes), _) => bayes.predict_with(&queries, run),
            (Decider::Classifier(classifier), Some(likeness)) => {
                likeness.predict(classifier.as_ref(), &queries, run)
            }
            (Decider::Rule(rule, k), Some(likeness)) => {
                let classes = &self.trained.classes;
                let decided = likeness.decide((*rule, *k), classes, &queries, run)?;
                let probable = *rule == Rule::Knn && !likeness.is_local();
                Ok(predictions(classes, decided, probable))
            }
            (_, None) => Err(given()),
        }
    }

    /// The class of every query, from its similarities to the training samples, in their order.
    ///
    /// # Errors
    /// When the pipeline was fitted on a table, or there are not as many similarities as samples.
    pub fn predict_similarities(
        &self,
        queries: &SimilarityMatrix,
        run: &Run,
    ) -> Result<Predictions> {
        if matches!(self.trained.base, Base::Table(_)) {
            return Err(EvaluateError::FittedOnTable.into());
        }
        match &self.decider {
            Decider::Classifier(classifier) => classifier.predict_with(queries, run),
            Decider::Rule(rule, k) => {
                let classes = &self.trained.classes;
                let decided = rule.decide_given(queries, *k, classes, run)?;
                Ok(predictions(classes, decided, *rule == Rule::Knn))
            }
            Decider::Bayes(_) => Err(EvaluateError::BayesReadsColumns.into()),
        }
    }
}

/// A rule's decisions as predictions. Shares of votes are `probable`; means of similarities, and
/// what one similarity a class says, are scores that no log-loss can be asked of.
fn predictions(classes: &Classes, decided: Vec<Decision>, probable: bool) -> Predictions {
    let rows = decided.len();
    let probabilities = decided.iter().flat_map(|d| &d.probabilities);
    Predictions {
        names: classes.names().to_vec(),
        class: decided.iter().map(|d| d.class).collect(),
        log_posteriors: probable.then(|| probabilities.map(|p| p.ln()).collect()),
        scores: decided.into_iter().flat_map(|d| d.scores).collect(),
        log_likelihood: None,
        outside: vec![false; rows],
        fallback: vec![false; rows],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::bundled;

    #[test]
    fn remembered_rows_decide_under_what_was_learned_without_them() {
        let (table, target) = bundled::load("iris").unwrap();
        let Target::Classes(classes) = &target else { panic!() };
        let run = Run::on(1);
        let some: Vec<usize> = (0..150).step_by(2).collect();
        let rest: Vec<usize> = (0..150).skip(1).step_by(2).collect();
        let pipeline = Pipeline::parse("zscore > sila(epochs=2) > knn(k=3)").unwrap();
        let fitted = pipeline.fit(&table.select_rows(&some), &target.select(&some), &run).unwrap();
        let scaler =
            super::super::Scaler::fit(pipeline.scaling, &table.select_rows(&some)).unwrap();
        let scaled = crate::data::Dense::from_table(&scaler.scale(&table).unwrap()).unwrap();
        let similarity = &fitted.trained.learned.as_ref().unwrap().models[0].similarity;
        let rows = similarity.prepare(&scaled).unwrap();
        let queries = similarity.prepare(&scaled.select_rows(&rest)).unwrap();
        let by_hand = Rule::Knn.decide(similarity, 3, &rows, classes, &queries, false, &run);
        let by_hand: Vec<u32> = by_hand.unwrap().iter().map(|decision| decision.class).collect();
        let alone = fitted.predict(&table.select_rows(&rest), &run).unwrap();
        let fitted = fitted.remembering(&table, classes.clone(), &run).unwrap();
        let said = fitted.predict(&table.select_rows(&rest), &run).unwrap();
        assert_eq!(said.class, by_hand);
        assert_ne!(said.log_posteriors, alone.log_posteriors);
    }
}
