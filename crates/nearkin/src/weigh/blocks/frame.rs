//! [`Frame`]: what is known of the whole table when a block is looked at.

use rayon::prelude::*;

use super::super::aggregate::{Request, Sums};
use super::super::common::{
    Problem, priors, refuse_identifiers, small_classes, targets, told_silent,
};
use super::super::contribution::Reduction;
use super::super::neighbourhood::Ties;
use super::super::rrelieff::{self, Explained, RReliefF, range_of};
use super::super::{FeatureWeights, Weigh};
use super::{BLOCK, Blockwise, ColumnSummary, Kind, Part, Summary, Wanted, in_blocks};
use crate::data::{Classes, Column, Encoder, Fitted, Parts, Rows, Table, Target};
use crate::measure::{Counts, Measure, Missing, Scaling, Unknown};
use crate::neighbors::{Labelled, Neighbors, nearest_between};
use crate::{Error, Result, Run};

/// What is known of the target of all rows.
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

/// What a frame needs to know beside the summary, from another look at every block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// [`Frame::count`] of all blocks, added up.
    pub counts: bool,
    /// [`Frame::add_deviations`] over all blocks in order, twice.
    pub deviations: bool,
}

/// A method and what it needs to know of all rows, ready to work on any of them.
#[derive(Debug, Clone)]
pub struct Frame {
    id: &'static str,
    method: Blockwise,
    summary: Summary,
    seen: Seen,
    encoder: Encoder,
    measure: Measure,
    priors: Vec<f64>,
}

impl Frame {
    /// Make a method ready for a table of which this was seen.
    pub fn new(method: &dyn Weigh, wanted: &Wanted, summary: Summary, seen: Seen) -> Result<Self> {
        method.check()?;
        let id = method.about().id;
        let how = method.blockwise(wanted)?;
        if wanted.bootstrap.is_some() {
            return Err(Error::parameter(
                "interval",
                "a bootstrap draws among the contributions of all rows, which no block has; leave it \
                 out, or weigh on one machine",
            ));
        }
        if summary.rows < 2 {
            return Err(Error::data(format!(
                "the table has {} row(s); neighbours need at least two",
                summary.rows
            )));
        }
        let priors = match (&seen, &how.kind) {
            (Seen::Classes { names, counts }, Kind::Near(..) | Kind::Radius(_)) => {
                if names.len() < 2 {
                    return Err(Error::data(format!(
                        "every row is of class `{}`; a weighting method needs at least two classes",
                        names.first().map_or("", String::as_str)
                    )));
                }
                refuse_identifiers(counts, summary.rows)?;
                priors(names, counts, how.common.priors.as_deref())?
            }
            (Seen::Real { low, high }, Kind::Real(_)) => {
                range_of((*low, *high))?;
                Vec::new()
            }
            (Seen::Classes { .. }, Kind::Real(_)) => {
                return Err(Error::data(format!("{id} needs a real target; use relieff")));
            }
            (Seen::Real { .. }, _) => {
                return Err(Error::data(format!("{id} needs classes; use rrelieff")));
            }
        };
        let encoder = encoder(&summary, &[])?;
        let unknown = Unknown::constant(how.common.missing, &encoder);
        let measure = how.common.measure(&encoder, how.metric, unknown)?;
        let frame = Self { id, method: how, summary, seen, encoder, measure, priors };
        // Without missing cells every policy is a constant; most are with them.
        if !frame.summary.has_missing() { Ok(frame) } else { frame.with_presence() }
    }

    /// What else has to be known before rows can be compared.
    pub fn needs(&self) -> Needs {
        Needs {
            counts: self.summary.has_missing() && self.method.common.missing == Missing::D,
            deviations: self.method.common.scale == Scaling::ZScore,
        }
    }

    /// Policies that count nothing still ask whether a column knows anything.
    fn with_presence(self) -> Result<Self> {
        if self.needs().counts {
            return Ok(self);
        }
        let values = |column: &ColumnSummary| match column {
            ColumnSummary::Numeric { .. } => crate::measure::BINS,
            ColumnSummary::Nominal { categories, .. } => categories.len(),
        };
        let known = self.summary.columns.iter().flat_map(|column| {
            let known = (self.summary.rows - column.missing()) as u64;
            vec![known; values(column) * self.classes()]
        });
        let known: Vec<u64> = known.collect();
        self.with_counts(&known)
    }

    /// Known cells of a block by column, class and value.
    pub fn count(&self, table: &Table, target: &Target) -> Result<Vec<u64>> {
        let rows = self.rows(table)?;
        let labels = self.labels(target, rows.len())?;
        Ok(Counts::of(&self.encoder, &rows, labels.codes(), self.classes()).flat())
    }

    /// The frame that knows the counts of all blocks.
    pub fn with_counts(mut self, counts: &[u64]) -> Result<Self> {
        let Some(counts) = Counts::from_flat(&self.encoder, self.classes(), counts) else {
            return Err(Error::data("these are not the counts of all columns"));
        };
        let unknown = Unknown::of_counts(self.method.common.missing, &self.encoder, &counts);
        self.measure = self.method.common.measure(&self.encoder, self.method.metric, unknown)?;
        Ok(self)
    }

    /// Add a block to what leads to deviations: first sums, from zeros; once they are those of all
    /// blocks, squares beside them, again from zeros. Two numbers a numeric column each time.
    ///
    /// Blocks come in order: the sums are those of one pass over all rows.
    pub fn add_deviations(
        &self,
        table: &Table,
        sums: Option<&[f64]>,
        into: &mut [f64],
    ) -> Result<()> {
        let rows = self.rows(table)?;
        let ranges = self.measure.range().iter().enumerate();
        for ((column, &(low, high)), into) in ranges.zip(into.chunks_exact_mut(2)) {
            let unit = |x: f64| (x - low) / (high - low);
            let mean = sums.map(|sums| sums[2 * column + 1] / sums[2 * column]);
            let known = (0..rows.len()).map(|row| rows.number(row, column));
            for x in known.filter(|x| !x.is_nan()).map(unit) {
                into[0] += 1.0;
                into[1] += mean.map_or(x, |mean| (x - mean) * (x - mean));
            }
        }
        Ok(())
    }

    /// The frame that knows the deviations, from what the second pass of
    /// [`Frame::add_deviations`] gave.
    pub fn with_deviations(mut self, squares: &[f64]) -> Result<Self> {
        let ranges = self.measure.range().iter();
        let deviations: Vec<f64> = squares
            .chunks_exact(2)
            .zip(ranges)
            .map(|(of, (low, high))| (of[1] / of[0]).sqrt() * (high - low))
            .collect();
        self.encoder = encoder(&self.summary, &deviations)?;
        let unknown = self.measure.unknown().clone();
        self.measure = self.method.common.measure(&self.encoder, self.method.metric, unknown)?;
        Ok(self)
    }

    /// Number of rows of all blocks.
    pub fn all_rows(&self) -> usize {
        self.summary.rows
    }

    /// The rows that are targets, in order.
    pub fn targets(&self) -> Result<Vec<u32>> {
        targets(self.summary.rows, &self.method.common)
    }

    /// Why targets cannot meet the rows block by block; none when they can.
    pub fn needs_whole(&self) -> Option<&'static str> {
        match &self.method.kind {
            Kind::Near(recipe, _) if recipe.ties == Ties::Average => Some(
                "rows that share a place at equal distance may be in any block; use ties=index",
            ),
            Kind::Near(..) | Kind::Real(_) => None,
            Kind::Radius(_) => Some("near rows are summed in an order that crosses blocks"),
        }
    }

    /// The k nearest rows of each class among a base block to some queries, distances and all.
    ///
    /// `ids` are the queries' numbers in the whole table, `first` is that of the block's first
    /// row. No row is its own neighbour.
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
            return Err(Error::data(format!(
                "{} row numbers were given for {} queries",
                ids.len(),
                queries.len()
            )));
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

    /// What targets say whose neighbours are known: the table holds the targets first, then their
    /// neighbours. `ids` are the numbers of all of them in the whole table, `near` is by number.
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
        let near = near.renumbered(place).ok_or_else(|| {
            Error::data("a neighbour is not among the rows; the rows were gathered for another run")
        })?;
        let targets: Vec<u32> = (0..near.rows() as u32).collect();
        self.sum((rows, target, &ids[..targets.len()]), &targets, Some(near), run)
    }

    /// What the targets say, from the whole table: neighbours are found as well.
    pub fn parts_of_whole(
        &self,
        table: &Table,
        target: &Target,
        targets: &[u32],
        run: &Run,
    ) -> Result<Part> {
        let rows = self.rows(table)?;
        let near = match &self.method.kind {
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
        let chosen = targets
            .iter()
            .zip(ids)
            .filter(|(_, id)| self.method.wanted.rows.contains(&(**id as usize)));
        let wanted = Wanted {
            rows: chosen.map(|(&at, _)| at as usize).collect(),
            ..self.method.wanted.clone()
        };
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
                        ..Request::new(targets, &wanted)
                    };
                    problem.aggregate(request, run, |range, _| Ok(range.map(of).collect()))
                };
                run.install(|| starts.par_iter().map(block).collect::<Result<_>>())??
            }
            (Kind::Near(recipe, _), None) => {
                in_blocks(targets, run, |targets| recipe.sums(&problem, targets, &wanted, run))?
            }
            (Kind::Radius(radius), _) => radius.parts(&problem, targets, &wanted, run)?,
            (Kind::Real(_), _) => return Err(Error::data("a real target was expected")),
        };
        for mut sums in sums {
            part.push(sums.flat());
            let named = |(row, weights): (u32, Vec<f64>)| {
                let at = targets.iter().position(|&target| target == row);
                at.map(|at| (ids[at], weights))
            };
            part.rows.extend(std::mem::take(&mut sums.rows).into_iter().filter_map(named));
        }
        Ok(part)
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
    pub fn finish(&self, cells: &[f64], rows: Vec<(u32, Vec<f64>)>) -> Result<FeatureWeights> {
        let wrong = || Error::data("these are not the sums of this method");
        let labels = self.labels(&self.no_target()?, 0)?;
        let problem = self.problem(self.no_rows()?, &labels);
        let wanted = &self.method.wanted;
        let (constant, empty) = self.summary.silent();
        let silent = told_silent(&constant, &empty);
        let notes = |k: usize| match &self.seen {
            Seen::Classes { names, counts } => {
                let mut notes = small_classes(names, counts, k);
                notes.extend(silent.clone());
                notes
            }
            Seen::Real { .. } => silent.clone(),
        };
        let sums = || -> Result<Sums> {
            let sums = Sums::from_flat(&problem, wanted, cells).ok_or_else(wrong)?;
            Ok(Sums { rows: rows.clone(), ..sums })
        };
        let weights = match &self.method.kind {
            Kind::Real(_) => {
                let counts = rrelieff::Counts::from_flat(problem.features(), cells);
                counts.ok_or_else(wrong)?.weights(&self.encoder).noting(notes(0))
            }
            Kind::Near(recipe, finish) => {
                finish.weights(&problem, sums()?, wanted).noting(notes(recipe.k))
            }
            Kind::Radius(radius) => {
                let weights = FeatureWeights::mean_of(&problem, &sums()?, wanted);
                weights.noting(radius.notes(notes(0)))
            }
        };
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

    fn rows(&self, table: &Table) -> Result<Rows> {
        Ok(self.encoder.encode(table)?.among_missing(self.summary.has_missing()))
    }

    fn labels(&self, target: &Target, rows: usize) -> Result<Classes> {
        let labels = match (target, &self.seen) {
            (Target::Classes(classes), Seen::Classes { names, .. }) if classes.names() == names => {
                classes.clone()
            }
            (Target::Real(values), Seen::Real { .. }) => {
                Classes::among(vec![0; values.len()], vec![String::new()])?
            }
            _ => {
                return Err(Error::data(format!(
                    "a block's target is of another kind, or has other classes, than {} knows of",
                    self.id
                )));
            }
        };
        match labels.codes().len() == rows {
            true => Ok(labels),
            false => Err(Error::data(format!(
                "a block has {rows} rows and its target {}; they must agree",
                labels.codes().len()
            ))),
        }
    }

    /// The target of a block, from class codes in the order of the names of all classes.
    pub fn target_of_codes(&self, codes: Vec<u32>) -> Result<Target> {
        match &self.seen {
            Seen::Classes { names, .. } => {
                Ok(Target::Classes(Classes::among(codes, names.clone())?))
            }
            Seen::Real { .. } => Err(Error::data("a real target has no codes")),
        }
    }

    fn no_target(&self) -> Result<Target> {
        match &self.seen {
            Seen::Classes { .. } => self.target_of_codes(Vec::new()),
            Seen::Real { .. } => Target::real(Vec::new()),
        }
    }

    fn no_rows(&self) -> Result<Rows> {
        let column = |(name, fitted): (&String, &Fitted)| match fitted {
            Fitted::Nominal { categories } => {
                Column::from_codes(name, Vec::new(), categories.clone())
            }
            _ => Ok(Column::numeric(name, Vec::new())),
        };
        let columns = self.encoder.names().iter().zip(self.encoder.columns()).map(column);
        self.rows(&Table::new(columns.collect::<Result<_>>()?)?)
    }

    fn problem<'c>(&self, rows: Rows, classes: &'c Classes) -> Problem<'c> {
        let (encoder, measure) = (self.encoder.clone(), self.measure.clone());
        Problem::of(encoder, rows, measure, classes, self.priors.clone())
    }
}

/// The encoder that all rows would have given, with these deviations of the numeric columns.
fn encoder(summary: &Summary, deviations: &[f64]) -> Result<Encoder> {
    let (mut numbers, mut categories) = (Vec::new(), Vec::new());
    let (mut nominal, mut lengths) = (Vec::new(), Vec::new());
    for (name, column) in summary.names.iter().zip(&summary.columns) {
        match column {
            ColumnSummary::Numeric { low, high, .. } => {
                let (low, high) = if low > high { (0.0, 0.0) } else { (*low, *high) };
                if !(high - low).is_finite() {
                    return Err(Error::data(format!(
                        "column `{name}` reaches from {low:e} to {high:e}, too far apart for double \
                         precision; divide it by a constant"
                    )));
                }
                let deviation = deviations.get(numbers.len() / 4).copied().unwrap_or(0.0);
                numbers.extend([low, high, low, deviation]);
                nominal.push(0);
            }
            ColumnSummary::Nominal { categories: known, .. } => {
                categories.extend(known.iter().cloned());
                lengths.push(known.len() as u32);
                nominal.push(1);
            }
        }
    }
    let parts = Parts::new()
        .with_codes("nominal", nominal)
        .with_texts("names", summary.names.clone())
        .with_numbers("numeric", numbers)
        .with_texts("categories", categories)
        .with_codes("lengths", lengths);
    Encoder::restore(&parts)
}
