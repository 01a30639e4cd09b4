//! A saved classifier and the queries it is asked about: rows of a table, rows of a matrix, or
//! samples it was fitted on.

use clap::ArgMatches;
use nearkin::classify::Predictions;
use nearkin::data::{Classes, SimilarityMatrix};
use nearkin::model::{ClassifierModel, Model, Ready, Samples};

use crate::failure::{Failure, Result};
use crate::{input, matrices, models, progress};

/// A classifier with the similarities of queries to its samples.
pub struct Asked {
    /// The classifier.
    pub ready: Ready,
    /// A row a query.
    pub queries: SimilarityMatrix<'static>,
    /// What the queries are called.
    pub names: Option<Vec<String>>,
    /// Where they come from, as the user named it.
    pub place: String,
    /// Their classes, where they came with them, and where from.
    pub truth: Option<(Classes, String)>,
}

impl Asked {
    /// The queries that the words name; those the model was fitted on where they name none and
    /// `own` is true.
    pub fn new(
        matches: &ArgMatches,
        saved: &Model,
        model: &ClassifierModel,
        own: bool,
    ) -> Result<Self> {
        let file = models::path(matches).display().to_string();
        let ready = progress::watched(matches, &file, |run| model.ready(run))?;
        let table = matches.get_one::<std::path::PathBuf>("table").is_some();
        let given = matrices::chosen(matches)?;
        match (table, given, &model.samples) {
            (true, Some(given), _) => Err(Failure::Input(format!(
                "--{}: there is a table too; name one of them",
                given.flag
            ))),
            (true, None, Samples::Similarities { dissimilar, .. }) => {
                let flag = if *dissimilar { "--dissimilarity" } else { "--similarity" };
                Err(Failure::Input(format!(
                    "{}: the model was made from similarities alone; give those of the queries to \
                     its {} samples with {flag}",
                    input::name(matches),
                    model.len()
                )))
            }
            (true, None, Samples::Table { .. }) => {
                let place = input::name(matches);
                let loaded = models::table(matches, saved)?;
                let queries = progress::watched(matches, &place, |run| {
                    ready.similarities(&loaded.table, run)
                })?;
                let truth = models::truth(&loaded);
                let truth =
                    truth.map(|(classes, name)| (classes.clone(), format!("column `{name}`")));
                Ok(Self { ready, queries, names: None, place, truth })
            }
            (false, Some(given), Samples::Table { .. }) => Err(Failure::Input(format!(
                "--{}: the model was made on a table; give a table with its columns",
                given.flag
            ))),
            (false, Some(mut given), Samples::Similarities { names, dissimilar, .. }) => {
                if given.dissimilar != *dissimilar {
                    let meant = if *dissimilar { "dissimilarity" } else { "similarity" };
                    return Err(Failure::Input(format!(
                        "--{}: the model was made with --{meant}; give that of the queries",
                        given.flag
                    )));
                }
                let place = given.name();
                given.align(names.as_deref())?;
                let truth = matrices::labels(matches, &place, given.matrix.rows)?;
                let (queries, names) = given.similarities()?;
                if queries.columns() != model.len() {
                    return Err(Failure::Input(format!(
                        "{place}: the matrix has {} columns and the model {} samples; a row holds \
                         the similarities of a query to each of them, in order",
                        queries.columns(),
                        model.len()
                    )));
                }
                let truth = truth.map(|classes| (classes, "--labels".to_owned()));
                Ok(Self { ready, queries, names, place, truth })
            }
            (false, None, samples) if own => {
                let names = match samples {
                    Samples::Similarities { names, .. } => names.clone(),
                    Samples::Table { .. } => None,
                };
                let queries = ready.s.clone();
                let truth = Some((model.classes.clone(), "training".to_owned()));
                Ok(Self { ready, queries, names, place: file, truth })
            }
            (false, None, _) => Err(Failure::Input(format!(
                "{file}: say what to ask about: a table, or a matrix with --similarity or \
                 --dissimilarity"
            ))),
        }
    }

    /// What the classifier says of every query.
    pub fn predict(&self, matches: &ArgMatches) -> Result<Predictions> {
        progress::watched(matches, &self.place, |run| self.ready.predict(&self.queries, run))
    }
}
