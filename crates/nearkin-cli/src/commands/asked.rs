//! A saved classifier together with the queries to classify: rows of a table, rows of a matrix, or
//! samples that it was fitted on.

use clap::ArgMatches;
use nearkin::Run;
use nearkin::classify::Predictions;
use nearkin::data::{Classes, SimilarityMatrix, Table};
use nearkin::model::{ClassifierModel, Model, Ready, TrainingSamples};

use crate::failure::{Failure, Result, refuse};
use crate::{input, matrices, models, progress, seen};

/// The queries of a classifier.
enum Rows {
    /// Rows of a table.
    Table(Table<'static>),
    /// Their similarities to the samples: a matrix for each measure, a row for each query.
    Matrices(Vec<SimilarityMatrix<'static>>),
    /// The samples that the classifier was fitted on.
    Training(usize),
}

/// A classifier with the queries to classify.
pub struct Asked<'m> {
    /// The classifier.
    pub ready: Ready<'m>,
    queries: Rows,
    /// The names of the queries.
    pub names: Option<Vec<String>>,
    /// Where the queries come from: the file or set that the user named.
    pub place: String,
    /// The true classes of the queries and where they were read from, if the input has them.
    pub truth: Option<(Classes, String)>,
    /// The only row of the table that is used; other rows may be faulty.
    pub only: Option<usize>,
}

impl<'m> Asked<'m> {
    /// The queries that the arguments name. For `explain`: the one row of the table that is meant.
    /// Without a table or matrix: the samples that the model was fitted on.
    pub fn new(
        matches: &ArgMatches,
        saved: &Model,
        model: &'m ClassifierModel,
        explain: bool,
    ) -> Result<Self> {
        let file = models::path(matches).display().to_string();
        let ready = progress::watched(matches, &file, |run| model.ready(run))?;
        let table = matches.get_one::<std::path::PathBuf>("table").is_some();
        let given = matrices::all(matches)?;
        match (table, given.first(), &model.samples) {
            (true, Some(given), _) => {
                refuse!("--{}: there is a table too; name one of them", given.flag)
            }
            (true, None, TrainingSamples::Similarities { dissimilar, .. }) => {
                let flag = if *dissimilar { "--dissimilarity" } else { "--similarity" };
                refuse!(
                    "{}: the model was made from similarities alone; give those of the queries to \
                     its {} samples with {flag}",
                    input::name(matches),
                    model.len()
                )
            }
            (true, None, TrainingSamples::Table { .. }) => {
                let place = input::name(matches);
                let mut loaded = models::table(matches, saved)?;
                let only = match explain {
                    true => {
                        let (rows, names) = (loaded.table.rows(), &loaded.row_names);
                        Some(models::row(matches, &place, rows, Some(names))?)
                    }
                    false => None,
                };
                if let Some(row) = only {
                    loaded.table = loaded.table.select_rows(&[row]);
                    loaded.target = loaded.target.map(|target| target.select(&[row]));
                    loaded.row_names = loaded.row_names.get(row).cloned().into_iter().collect();
                }
                ready.check(&loaded.table).map_err(|error| Failure::of_table(&place, error))?;
                let truth = models::truth(&loaded);
                let truth =
                    truth.map(|(classes, name)| (classes.clone(), format!("column `{name}`")));
                if let TrainingSamples::Table { rows, .. } = &model.samples {
                    seen::tell_new_values(matches, rows, &loaded.table);
                    if truth.is_some() && !explain {
                        let again = "as `nearkin classify --test` shows";
                        seen::tell_known_rows(matches, rows, &loaded.table, again);
                    }
                }
                let queries = Rows::Table(loaded.table);
                let names = Some(loaded.row_names).filter(|names| !names.is_empty());
                Ok(Self { ready, queries, names, place, truth, only })
            }
            (false, Some(given), TrainingSamples::Table { .. }) => refuse!(
                "--{}: the model was made on a table; give a table with its columns",
                given.flag
            ),
            (false, Some(_), TrainingSamples::Similarities { views, names, dissimilar }) => {
                let known = (views.len(), names.as_deref(), *dissimilar);
                Self::from_matrices(matches, ready, model, given, known)
            }
            (false, None, samples) if explain => {
                let names = match samples {
                    TrainingSamples::Similarities { names, .. } => names.clone(),
                    TrainingSamples::Table { .. } => None,
                };
                let queries = Rows::Training(model.len());
                let truth = Some((model.classes.clone(), "training".to_owned()));
                Ok(Self { ready, queries, names, place: file, truth, only: None })
            }
            (false, None, _) => refuse!(
                "{file}: say what to ask about: a table, or a matrix with --similarity or \
                 --dissimilarity"
            ),
        }
    }

    /// Queries given by their similarities, of as many measures as the model has.
    fn from_matrices(
        matches: &ArgMatches,
        ready: Ready<'m>,
        model: &ClassifierModel,
        given: Vec<matrices::Given>,
        (views, known, dissimilar): (usize, Option<&[String]>, bool),
    ) -> Result<Self> {
        let meant = if dissimilar { "dissimilarity" } else { "similarity" };
        if given.len() != views {
            return refuse!(
                "--{meant}: the model was made from {views} matrices and {} are given; give one \
                 of each measure, in the same order",
                given.len()
            );
        }
        let (mut queries, mut names, mut truth) = (Vec::new(), None, None);
        let place: Vec<String> = given.iter().map(|one| one.name()).collect();
        let place = place.join(" and ");
        for mut given in given {
            if given.dissimilar != dissimilar {
                return refuse!(
                    "--{}: the model was made with --{meant}; give that of the queries",
                    given.flag
                );
            }
            given.align(known)?;
            if queries.is_empty() {
                truth = matrices::labels(matches, &given)?;
            }
            let file = given.name();
            let (s, own) = given.similarities()?;
            if s.columns() != model.len() {
                return refuse!(
                    "{file}: the matrix has {} columns and the model {} samples; a row holds \
                     the similarities of a query to each of them, in order",
                    s.columns(),
                    model.len()
                );
            }
            names = names.or(own);
            queries.push(s);
        }
        let truth = truth.map(|classes| (classes, "--labels".to_owned()));
        let queries = Rows::Matrices(queries);
        Ok(Self { ready, queries, names, place, truth, only: None })
    }

    /// Number of queries.
    pub fn rows(&self) -> usize {
        match &self.queries {
            Rows::Table(table) => table.rows(),
            Rows::Matrices(views) => views.first().map_or(0, SimilarityMatrix::rows),
            Rows::Training(rows) => *rows,
        }
    }

    /// The classifier's predictions for all queries.
    pub fn predict(&self, matches: &ArgMatches) -> Result<Predictions> {
        progress::watched(matches, &self.place, |run| match &self.queries {
            Rows::Table(table) => self.ready.predict(table, run),
            Rows::Matrices(views) => self.ready.predict_similarities(views, run),
            Rows::Training(_) => self.ready.predict_similarities(&self.ready.own(run)?, run),
        })
    }

    /// The similarities of query `row` to the samples, a matrix of one row for each measure.
    pub fn similarities(
        &self,
        row: usize,
        run: &Run,
    ) -> nearkin::Result<Vec<SimilarityMatrix<'static>>> {
        match &self.queries {
            Rows::Table(table) => self.ready.similarities(&table.select_rows(&[row]), run),
            Rows::Matrices(views) => {
                let all = |s: &SimilarityMatrix| (0..s.columns()).collect::<Vec<_>>();
                Ok(views.iter().map(|s| s.select(&[row], &all(s))).collect())
            }
            Rows::Training(_) => self.ready.own_of(row, run),
        }
    }
}
