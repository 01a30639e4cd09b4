//! [`Frame`]: facts about the whole table that the work on one block needs.

use rayon::prelude::*;

use super::super::aggregate::{Request, Sums};
use super::super::common::{
    Problem, enough_classes, enough_rows, priors, refuse_identifiers, silent_notes, small_classes,
    targets,
};
use super::super::contribution::Reduction;
use super::super::neighbourhood::Ties;
use super::super::rrelieff::{self, Explained, RReliefF, range_of};
use super::super::stir::unequal_counts;
use super::super::{FeatureWeights, Weigh};
use super::{BLOCK, Blockwise, Extras, Kind, Part, TableSummary, in_blocks};
use crate::data::{Classes, Column, Encoder, FittedColumn, Rows, Table, Target};
use crate::error::NeedsWhole;
use crate::measure::{Measure, Unknown};
use crate::neighbors::{Labelled, Neighbors, nearest_between};
use crate::{Error, ParameterError, Result, Run, WeighError};

/// Facts about the target of all rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    /// Class names and the rows of each; every class has some.
    Classes {
        /// Names in code order.
        names: Vec<String>,
        /// Rows in each class.
        counts: Vec<usize>,
    },
    /// The ends of a real target's range.
    Real {
        /// Smallest value.
        low: f64,
        /// Largest value.
        high: f64,
    },
}

/// A method with the facts it needs about all rows, ready to work on any of them.
#[derive(Debug, Clone)]
pub struct Frame {
    pub(super) id: &'static str,
    pub(super) method: Blockwise,
    pub(super) summary: TableSummary,
    seen: Seen,
    pub(super) encoder: Encoder,
    pub(super) measure: Measure,
    priors: Vec<f64>,
}

impl Frame {
    /// Make a method ready for a table of which this was seen.
    ///
    /// # Errors
    ///
    /// When the method or an extra has no form that works on blocks, when a parameter is outside
    /// its range, and when the table or its target does not suit the method.
    pub fn new(
        method: &dyn Weigh,
        extras: &Extras,
        summary: TableSummary,
        seen: Seen,
    ) -> Result<Self> {
        method.check()?;
        let id = method.about().id;
        let how = method.blockwise(extras)?;
        if extras.bootstrap.is_some() {
            return Err(Error::parameter("interval", ParameterError::IntervalOfBlocks));
        }
        enough_rows(summary.rows)?;
        let priors = match (&seen, &how.kind) {
            (Seen::Classes { names, counts }, Kind::Near(..) | Kind::Radius(_)) => {
                enough_classes(names)?;
                refuse_identifiers(counts, summary.rows)?;
                priors(names, counts, how.common.priors.as_deref())?
            }
            (Seen::Real { low, high }, Kind::Real(_)) => {
                range_of((*low, *high))?;
                Vec::new()
            }
            (Seen::Classes { .. }, Kind::Real(_)) => {
                return Err(WeighError::NeedsReal { method: id }.into());
            }
            (Seen::Real { .. }, _) => {
                return Err(WeighError::NeedsClasses { method: id }.into());
            }
        };
        let encoder = summary.encoder(&[])?;
        let unknown = Unknown::constant(how.common.missing, &encoder);
        let measure = how.common.measure(&encoder, how.metric, unknown)?;
        let frame = Self { id, method: how, summary, seen, encoder, measure, priors };
        // Without missing cells every policy is a constant; most are with them.
        if !frame.summary.has_missing() { Ok(frame) } else { frame.with_presence() }
    }

    /// The rows that are targets, in order.
    ///
    /// # Errors
    ///
    /// When more targets are sampled than there are rows.
    pub fn targets(&self) -> Result<Vec<u32>> {
        targets(self.summary.rows, &self.method.common)
    }

    /// Why targets cannot be compared with the rows block by block; none when they can.
    pub fn needs_whole(&self) -> Option<NeedsWhole> {
        match &self.method.kind {
            Kind::Near(recipe, _) if recipe.ties == Ties::Average => Some(NeedsWhole::SharedPlaces),
            Kind::Near(..) | Kind::Real(_) => None,
            Kind::Radius(_) => self.radius_needs_whole(),
        }
    }

    /// The k nearest rows of each class among a base block to some queries, distances and all.
    ///
    /// `ids` are the queries' numbers in the whole table, `first` is that of the block's first
    /// row. No row is its own neighbour.
    ///
    /// # Errors
    ///
    /// When a block does not fit the summary or its target, and when the caller stops the run.
    pub fn nearest(
        &self,
        (queries, query_target, ids): (&Table, &Target, &[u32]),
        (base, base_target, first): (&Table, &Target, u32),
        run: &Run,
    ) -> Result<Neighbors> {
        let (queries, base) = (self.rows(queries)?, self.rows(base)?);
        let query_labels = self.labels(query_target, queries.len())?;
        let base_labels = self.labels(base_target, base.len())?;
        if ids.len() != queries.len() {
            let (numbers, queries) = (ids.len(), queries.len());
            return Err(WeighError::NumbersDisagree { numbers, queries }.into());
        }
        let k = self.k();
        let chosen: Vec<u32> = (0..queries.len() as u32).collect();
        let of = |rows, labels| Labelled { rows, labels, classes: self.classes() };
        let asked = of(&queries, query_labels.codes());
        let among = of(&base, base_labels.codes());
        // One more where a query may find itself.
        let inside = |id: &u32| (first..first + base.len() as u32).contains(id);
        let more = k + usize::from(ids.iter().any(inside));
        let near = nearest_between((asked, &chosen), among, false, &self.measure, more, run)?;
        Ok(near.from_row(first).without(ids, k))
    }

    /// Contributions of targets whose neighbours are known: the table holds the targets first, then
    /// their neighbours. `ids` are the numbers of all of them in the whole table, `near` is by number.
    ///
    /// # Errors
    ///
    /// When a neighbour is not in the table, when the table does not fit the summary or its
    /// target, and when the caller stops the run.
    pub fn parts(
        &self,
        (table, target, ids): (&Table, &Target, &[u32]),
        near: &Neighbors,
        run: &Run,
    ) -> Result<Part> {
        let rows = self.rows(table)?;
        let mut places: Vec<(u32, u32)> = ids[near.rows()..].iter().copied().zip(0..).collect();
        places.sort_unstable();
        let place = |id: u32| {
            let at = places.binary_search_by_key(&id, |place| place.0).ok()?;
            Some(near.rows() as u32 + places[at].1)
        };
        let near = near.renumbered(place).ok_or(WeighError::NotGathered)?;
        let targets: Vec<u32> = (0..near.rows() as u32).collect();
        self.sum((rows, target, &ids[..targets.len()]), &targets, Some(near), run)
    }

    /// Contributions of targets, from the whole table: neighbours are found as well.
    ///
    /// # Errors
    ///
    /// When the table does not fit the summary or its target, and when the caller stops the run.
    pub fn parts_of_whole(
        &self,
        table: &Table,
        target: &Target,
        targets: &[u32],
        run: &Run,
    ) -> Result<Part> {
        let rows = self.rows(table)?;
        let near = match &self.method.kind {
            Kind::Radius(_) => None,
            _ if self.needs_whole().is_some() => None,
            _ => {
                let labels = self.labels(target, rows.len())?;
                let of = Labelled { rows: &rows, labels: labels.codes(), classes: self.classes() };
                let measure = &self.measure;
                Some(nearest_between((of, targets), of, true, measure, self.k(), run)?)
            }
        };
        self.sum((rows, target, targets), targets, near, run)
    }

    /// Sums of each block of targets, whose numbers in the whole table are `ids`.
    fn sum(
        &self,
        (rows, target, ids): (Rows, &Target, &[u32]),
        targets: &[u32],
        near: Option<Neighbors>,
        run: &Run,
    ) -> Result<Part> {
        let mut part = Part::default();
        let labels = self.labels(target, rows.len())?;
        if let (Kind::Real(method), Target::Real(values), Some(near)) =
            (&self.method.kind, target, &near)
        {
            let blocks = self.real(method, (&rows, &labels, values), targets, near, run)?;
            blocks.iter().for_each(|counts| part.push(counts.flat()));
            return Ok(part);
        }
        let extras = self.extras_of(targets, ids);
        let problem = self.problem(rows, &labels);
        let sums: Vec<Sums> = match (&self.method.kind, near) {
            (Kind::Near(recipe, _), Some(near)) => {
                let starts: Vec<usize> = (0..targets.len()).step_by(BLOCK).collect();
                let block = |&first: &usize| {
                    let targets = &targets[first..(first + BLOCK).min(targets.len())];
                    let of =
                        |at: usize| recipe.neighbourhood(&problem, targets[at], &near, first + at);
                    let request = Request {
                        contribution: recipe.contribution,
                        ..Request::new(targets, &extras)
                    };
                    problem.aggregate(request, run, |range, _| Ok(range.map(of).collect()))
                };
                run.install(|| starts.par_iter().map(block).collect::<Result<_>>())??
            }
            (Kind::Near(recipe, _), None) => {
                in_blocks(targets, run, |targets| recipe.sums(&problem, targets, &extras, run))?
            }
            (Kind::Radius(radius), _) => radius.parts(&problem, targets, &extras, run)?,
            (Kind::Real(_), _) => return Err(WeighError::NotReal.into()),
        };
        Ok(named(sums, targets, ids))
    }

    /// The extras for targets whose numbers in the whole table are `ids`.
    pub(super) fn extras_of(&self, targets: &[u32], ids: &[u32]) -> Extras {
        let extras = &self.method.extras;
        let chosen =
            targets.iter().zip(ids).filter(|(_, id)| extras.rows.contains(&(**id as usize)));
        Extras { rows: chosen.map(|(&at, _)| at as usize).collect(), ..extras.clone() }
    }

    fn real(
        &self,
        method: &RReliefF,
        (rows, labels, values): (&Rows, &Classes, &[f64]),
        targets: &[u32],
        near: &Neighbors,
        run: &Run,
    ) -> Result<Vec<rrelieff::Counts>> {
        let range = match self.seen {
            Seen::Real { low, high } => range_of((low, high))?,
            Seen::Classes { .. } => 1.0,
        };
        let reduction = Reduction { rows, labels: labels.codes(), measure: &self.measure };
        let of = Explained { reduction, values, range };
        let starts: Vec<usize> = (0..targets.len()).step_by(BLOCK).collect();
        let block = |&first: &usize| method.block(&of, targets, near, first);
        run.install(|| starts.par_iter().map(block).collect())
    }

    /// The weights, from the rows of all [`Part`]s added to zeros in order, and single targets.
    ///
    /// # Errors
    ///
    /// When the sums are not those of this method, and when a weight is not finite.
    pub fn finish(&self, cells: &[f64], rows: Vec<(u32, Vec<f64>)>) -> Result<FeatureWeights> {
        let labels = self.labels(&self.no_target()?, 0)?;
        let problem = self.problem(self.no_rows()?, &labels);
        let extras = &self.method.extras;
        let (constant, empty) = self.summary.silent();
        let silent = silent_notes(&constant, &empty);
        let notes = |k: usize| match &self.seen {
            Seen::Classes { names, counts } => {
                let mut notes = small_classes(names, counts, k);
                notes.extend(silent.clone());
                notes
            }
            Seen::Real { .. } => silent.clone(),
        };
        let sums = || -> Result<Sums> {
            let sums = Sums::from_flat(&problem, extras, cells).ok_or(WeighError::OtherSums)?;
            Ok(Sums { rows: rows.clone(), ..sums })
        };
        let mut weights = match &self.method.kind {
            Kind::Real(_) => {
                let counts = rrelieff::Counts::from_flat(problem.features(), cells);
                counts.ok_or(WeighError::OtherSums)?.weights(&self.encoder).noting(notes(0))
            }
            Kind::Near(recipe, finish) => {
                finish.weights(&problem, sums()?, extras).noting(notes(recipe.k))
            }
            Kind::Radius(radius) => {
                let weights = FeatureWeights::mean_of(&problem, &sums()?, extras);
                weights.noting(radius.notes(notes(0)))
            }
        };
        if let (true, Seen::Classes { names, counts }) = (extras.stir, &self.seen) {
            weights.notes.extend(unequal_counts(names, counts));
        }
        weights.checked()
    }

    /// Neighbours looked for in each class.
    pub fn k(&self) -> usize {
        match &self.method.kind {
            Kind::Near(recipe, _) => recipe.k,
            Kind::Real(method) => method.k,
            Kind::Radius(_) => 1,
        }
    }

    /// Number of classes neighbours are looked for in: one where the target is real.
    pub fn classes(&self) -> usize {
        match &self.seen {
            Seen::Classes { names, .. } => names.len(),
            Seen::Real { .. } => 1,
        }
    }

    pub(super) fn rows(&self, table: &Table) -> Result<Rows> {
        Ok(self.encoder.encode(table)?.among_missing(self.summary.has_missing()))
    }

    pub(super) fn labels(&self, target: &Target, rows: usize) -> Result<Classes> {
        let labels = match (target, &self.seen) {
            (Target::Classes(classes), Seen::Classes { names, .. }) if classes.names() == names => {
                classes.clone()
            }
            (Target::Real(values), Seen::Real { .. }) => {
                Classes::among(vec![0; values.len()], vec![String::new()])?
            }
            _ => {
                return Err(WeighError::OtherTarget { method: self.id }.into());
            }
        };
        match labels.codes().len() {
            target if target == rows => Ok(labels),
            target => Err(WeighError::BlockRowsDisagree { rows, target }.into()),
        }
    }

    /// The target of a block, from class codes in the order of the names of all classes.
    ///
    /// # Errors
    ///
    /// When the target is real, or a code is not that of a class.
    pub fn target_of_codes(&self, codes: Vec<u32>) -> Result<Target> {
        match &self.seen {
            Seen::Classes { names, .. } => {
                Ok(Target::Classes(Classes::among(codes, names.clone())?))
            }
            Seen::Real { .. } => Err(WeighError::NoCodes.into()),
        }
    }

    fn no_target(&self) -> Result<Target> {
        match &self.seen {
            Seen::Classes { .. } => self.target_of_codes(Vec::new()),
            Seen::Real { .. } => Target::real(Vec::new()),
        }
    }

    pub(super) fn no_rows(&self) -> Result<Rows> {
        let column = |(name, fitted): (&String, &FittedColumn)| match fitted {
            FittedColumn::Nominal { categories } => {
                Column::from_codes(name, Vec::new(), categories.clone())
            }
            _ => Ok(Column::numeric(name, Vec::new())),
        };
        let columns = self.encoder.names().iter().zip(self.encoder.columns()).map(column);
        self.rows(&Table::new(columns.collect::<Result<_>>()?)?)
    }

    pub(super) fn problem<'c>(&self, rows: Rows, classes: &'c Classes) -> Problem<'c> {
        let (encoder, measure) = (self.encoder.clone(), self.measure.clone());
        Problem::of(encoder, rows, measure, classes, self.priors.clone())
    }
}

/// Sums of blocks of targets as plain numbers, single targets by their numbers in the whole table.
pub(super) fn named(sums: Vec<Sums>, targets: &[u32], ids: &[u32]) -> Part {
    let mut part = Part::default();
    for mut sums in sums {
        part.push(sums.flat());
        let named = |(row, weights): (u32, Vec<f64>)| {
            let at = targets.iter().position(|&target| target == row);
            at.map(|at| (ids[at], weights))
        };
        part.rows.extend(std::mem::take(&mut sums.rows).into_iter().filter_map(named));
    }
    part
}
