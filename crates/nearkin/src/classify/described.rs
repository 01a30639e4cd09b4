//! A classifier made of statistics and their laws: SDA and nnSDA, once fitted.

use super::centroid::{Centroid, Scope};
use super::common::{Laws, Omega, Priors, Training, by_class, support_note};
use super::discriminant::{Discriminant, Statistics, Supports};
use super::evidence::Evidence;
use super::histogram::{Histograms, LawTable};
use super::predictions::{Predictions, check_references, predict_rows};
use super::statistics::{Measured, Statistic};
use super::{FitResult, Fitted, Insight, Queries};
use crate::data::{Classes, Parts, SimilarityMatrix, wrong_part};
use crate::{ClassifyError, Note, Result, Run};

/// Statistics of one matrix or several, and their laws.
#[derive(Debug)]
pub(crate) struct Described {
    classes: Classes,
    by_class: Vec<Vec<usize>>,
    /// The columns of every matrix.
    views: Vec<Vec<Measured>>,
    discriminant: Discriminant,
    histograms: Histograms,
}

/// Settings of a classifier that is made of statistics.
pub(crate) struct Recipe<'r> {
    pub method: &'static str,
    pub statistics: &'r [Statistic],
    pub centroid: (Centroid, Scope),
    pub laws: &'r Laws,
    pub priors: &'r Priors,
}

impl Recipe<'_> {
    pub fn fit(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        let mut columns = Vec::new();
        for s in views {
            let training = Training::new(s, classes, self.method)?;
            columns.push(Measured::columns(self.statistics, training, self.centroid));
        }
        let flat: Vec<(usize, Measured)> = columns
            .iter()
            .enumerate()
            .flat_map(|(view, columns)| columns.iter().map(move |&column| (view, column)))
            .collect();
        if flat.is_empty() {
            return Err(ClassifyError::NoStatistic { method: self.method }.into());
        }
        for (s, columns) in views.iter().zip(&columns) {
            let squares = columns.iter().any(|one| matches!(one, Measured::Deviation { .. }));
            check_squares(s, squares, self.method)?;
        }
        let by_class = by_class(classes);
        let statistics = Statistics::of(classes.codes().len(), flat.len(), |row, m| {
            let (view, column) = flat[m];
            column.of(&views[view].row(row), &by_class, Some(row))
        });
        let supports = self.supports(views, &flat, &statistics, run)?;
        let discriminant =
            Discriminant::fit(self.laws, self.priors, classes, &statistics, supports)?;
        let histograms = Histograms::of(&statistics, classes);
        let (classes, views) = (classes.clone(), columns);
        Ok(Box::new(Described { classes, by_class, views, discriminant, histograms }))
    }

    /// Similarities share the values of their whole matrix; other statistics have their own.
    fn supports(
        &self,
        views: &[SimilarityMatrix],
        flat: &[(usize, Measured)],
        statistics: &Statistics,
        run: &Run,
    ) -> Result<Supports> {
        let (mut all, mut of) = (Vec::new(), Vec::new());
        let mut shared: Vec<Option<usize>> = vec![None; views.len()];
        for (m, &(view, column)) in flat.iter().enumerate() {
            let similarity = column.is_similarity() && self.laws.support == Omega::Observed;
            let at = match (similarity, shared[view]) {
                (true, Some(at)) => at,
                (true, None) => {
                    all.push(self.laws.omega_of(&views[view], run)?);
                    shared[view] = Some(all.len() - 1);
                    all.len() - 1
                }
                (false, _) => {
                    all.push(self.laws.omega(statistics.known(m).map(|(_, value)| value), run)?);
                    all.len() - 1
                }
            };
            of.push(at);
        }
        Ok(Supports { all, of })
    }

    pub fn restore(&self, parts: &Parts) -> FitResult {
        let classes = Classes::restore(&parts.within("classes"))?;
        let (count, rows) = (classes.len(), classes.codes().len());
        let views = (0..parts.code("views")?)
            .map(|view| Measured::restore(&parts.within(&format!("view{view}")), count, rows));
        let views: Vec<Vec<Measured>> = views.collect::<Result<_>>()?;
        let inner = parts.within("discriminant");
        let discriminant = Discriminant::restore(self.laws, &inner, classes.names())?;
        let histograms = Histograms::restore(&parts.within("histograms"), count)?;
        let columns = views.iter().map(Vec::len).sum::<usize>();
        if discriminant.supports().of.len() != columns || histograms.len() != columns {
            return Err(wrong_part("views", "does not fit the laws"));
        }
        let by_class = by_class(&classes);
        Ok(Box::new(Described { classes, by_class, views, discriminant, histograms }))
    }
}

/// Refuse similarities whose squared deviations would overflow or vanish.
fn check_squares(s: &SimilarityMatrix, squares: bool, method: &'static str) -> Result<()> {
    let fold = |from, with: fn(f64, f64) -> f64| s.iter().fold(from, with);
    let span = fold(f64::NEG_INFINITY, f64::max) - fold(f64::INFINITY, f64::min);
    match !squares || span == 0.0 || (1e-140..=1e140).contains(&span) {
        true => Ok(()),
        false => Err(ClassifyError::SquaresOutOfRange { method }.into()),
    }
}

impl Described {
    /// Every statistic: the measure it is of, its column and its name.
    fn statistics(&self) -> Vec<(usize, Measured, String)> {
        let names = self.classes.names();
        let several = self.views.len() > 1;
        let all = self.views.iter().enumerate().flat_map(|(view, columns)| {
            columns.iter().map(move |&column| {
                let name = match several {
                    true => format!("measure {view}: {}", column.name(names)),
                    false => column.name(names),
                };
                (view, column, name)
            })
        });
        all.collect()
    }
}

impl Fitted for Described {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        let queries = queries.matrices()?;
        let rows = queries.first().map_or(0, SimilarityMatrix::rows);
        if queries.len() != self.views.len() || queries.iter().any(|q| q.rows() != rows) {
            let (fitted, given) = (self.views.len(), queries.len());
            return Err(ClassifyError::MatricesDisagree { fitted, given }.into());
        }
        let references = self.classes.codes().len();
        queries.iter().try_for_each(|queries| check_references(queries, references))?;
        predict_rows(self.classes.names(), references, &queries[0], run, |row, _| {
            let mut statistics = Vec::new();
            for (s, columns) in queries.iter().zip(&self.views) {
                let s = s.row(row);
                statistics.extend(columns.iter().filter_map(|c| c.of(&s, &self.by_class, None)));
            }
            Ok(self.discriminant.answer(&statistics))
        })
    }

    fn law_tables(&self) -> Vec<LawTable> {
        let (laws, supports) = (self.discriminant.laws(), self.discriminant.supports());
        let table = |(m, name)| self.histograms.table(m, name, supports.at(m), laws);
        self.statistics().into_iter().map(|(_, _, name)| name).enumerate().map(table).collect()
    }

    fn evidence(&self, query: &[&[f64]]) -> Vec<Evidence> {
        let statistics = self.statistics();
        let laws = self.discriminant.laws().iter();
        let found = laws.filter_map(|&law| {
            let (view, column, name) = statistics.get(law.statistic)?;
            let value = column.of(query.get(*view)?, &self.by_class, None)?;
            Some(Evidence {
                law,
                statistic: name.clone(),
                prototype: column.centroid().map(|(_, row)| row),
                value,
                log_p: law.law.log_p(value),
                responsibility: 1.0,
            })
        });
        found.collect()
    }

    fn insight(&self) -> Insight {
        let mut found = vec![Vec::new(); self.classes.len()];
        for (class, row) in self.views.iter().flatten().filter_map(|column| column.centroid()) {
            if !found[class].contains(&row) {
                found[class].push(row);
            }
        }
        let prototypes = if found.iter().all(Vec::is_empty) { Vec::new() } else { found };
        let laws = self.discriminant.laws().to_vec();
        Insight { laws, prototypes, ..Insight::default() }
    }

    fn notes(&self) -> Vec<Note> {
        let nearest = |column: &Measured| matches!(column, Measured::Nearest { .. });
        let alone = self.classes.names().iter().zip(self.classes.counts());
        let alone = alone.filter(|(_, count)| **count == 1);
        let alone = alone.map(|(name, _)| Note::LawOfOneRow { class: name.clone() });
        let alone = alone.filter(|_| self.views.iter().flatten().any(nearest));
        let supports = self.discriminant.supports().all.first();
        supports.and_then(support_note).into_iter().chain(alone).collect()
    }

    fn parts(&self) -> Parts {
        let parts = Parts::new()
            .with("classes", self.classes.parts())
            .with_codes("views", vec![self.views.len() as u32])
            .with("discriminant", self.discriminant.parts())
            .with("histograms", self.histograms.parts());
        let views = self.views.iter().enumerate();
        views.fold(parts, |parts, (view, columns)| {
            parts.with(&format!("view{view}"), Measured::parts(columns))
        })
    }
}
