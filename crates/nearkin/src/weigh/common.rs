//! The settings every Relief method shares, and a table made ready under them.

use super::WeighTask;
use crate::data::{Classes, ColumnValues, Encoder, MISSING, Rows, Table, Target, given_priors};
use crate::measure::{Measure, Metric, Missing, Ramp, Scaling, Unknown};
use crate::neighbors::{CellGrid, Labelled};
use crate::random::Random;

use crate::{DataError, Error, Note, ParameterError, Result, WeighError, parameters};

parameters! {
    /// Settings of all Relief methods that compare rows.
    pub struct ReliefSettings {
        /// Divisor of a numeric difference: the column's range, its standard deviation, or none.
        scale: Scaling = Scaling::MinMax;
        /// Difference to a missing cell; the guide has the table of policies.
        missing: Missing = Missing::D;
        /// Let scaled numeric differences rise linearly from 0 at ramp_equal to 1 at
        /// ramp_different.
        ramp: bool = false;
        /// With ramp: scaled differences up to this count as 0.
        ramp_equal: f64 = 0.05, in 0.0..=1.0;
        /// With ramp: scaled differences above this count as 1.
        ramp_different: f64 = 0.1, in 0.0..=1.0;
        /// Number of rows drawn as targets; all rows when not given.
        sample: Option<usize> = None, min 1;
        /// Class probabilities in the order of the classes; their shares of the rows when not given.
        priors: Option<Vec<f64>> = None;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl ReliefSettings {
    /// Refuse columns whose differences are too large, or all too small, to be squared.
    fn check_spans(&self, encoder: &Encoder, measure: &Measure) -> Result<()> {
        const LARGEST: f64 = 1e140;
        let spans =
            measure.scale().iter().zip(measure.range()).map(|(s, (low, high))| (high - low) * s);
        let widest =
            spans.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, span)| *span > 0.0);
        match widest {
            Some((column, span)) if !(1.0 / LARGEST..=LARGEST).contains(&span) => {
                let column = encoder.names()[encoder.numeric()[column]].clone();
                Err(WeighError::ColumnTooWide { column, span }.into())
            }
            _ => Ok(()),
        }
    }

    /// Refuse priors, for this reason, where the method has no use for them.
    pub(crate) fn refuse_priors(&self, why: ParameterError) -> Result<()> {
        match self.priors {
            Some(_) => Err(Error::parameter("priors", why)),
            None => Ok(()),
        }
    }

    /// The measure these settings ask for.
    pub(crate) fn measure(
        &self,
        encoder: &Encoder,
        metric: Metric,
        unknown: Unknown,
    ) -> Result<Measure> {
        let measure = Measure::new(encoder, metric, self.scale, unknown);
        self.check_spans(encoder, &measure)?;
        if !self.ramp {
            return Ok(measure);
        }
        let (equal, different) = (self.ramp_equal, self.ramp_different);
        if equal >= different {
            let reason = ParameterError::RampEnds { different, got: equal };
            return Err(Error::parameter("ramp_equal", reason));
        }
        Ok(measure.with_ramp(Ramp { equal, different }))
    }
}

/// From this many rows on, sums over many neighbours are taken on a grid.
pub(crate) const MANY_ROWS: usize = 4096;

/// A table and its classes, encoded and measured: where every class method starts.
pub(crate) struct Problem<'t> {
    pub encoder: Encoder,
    pub rows: Rows,
    pub measure: Measure,
    pub classes: &'t Classes,
    /// The rows of each class, ascending.
    pub members: Vec<Vec<u32>>,
    pub priors: Vec<f64>,
    /// Where differences are summed in whole numbers when a target has many neighbours; for many
    /// rows, whose sums no longer show a rounding of 2⁻²⁸.
    pub grid: Option<CellGrid>,
}

impl<'t> Problem<'t> {
    /// Check table and target for a method that needs classes, and make them ready.
    pub fn new(
        task: WeighTask<'t>,
        metric: Metric,
        common: &ReliefSettings,
        method: &'static str,
    ) -> Result<Self> {
        task.run.install(|| Self::on_this_thread(task, metric, common, method))?
    }

    fn on_this_thread(
        WeighTask { table, target, .. }: WeighTask<'t>,
        metric: Metric,
        common: &ReliefSettings,
        method: &'static str,
    ) -> Result<Self> {
        check_rows(table, target)?;
        let classes = two_classes(target, method)?;
        refuse_identifiers(classes.counts(), table.rows())?;
        let priors = priors(classes.names(), classes.counts(), common.priors.as_deref())?;
        let encoder = Encoder::fit(table)?;
        let rows = encoder.encode(table)?;
        let unknown = Unknown::fit(common.missing, &encoder, &rows, classes.codes(), classes.len());
        let measure = common.measure(&encoder, metric, unknown)?;
        Ok(Self::of(encoder, rows, measure, classes, priors))
    }

    /// Rows that were encoded and whose measure and priors are known.
    pub fn of(
        encoder: Encoder,
        rows: Rows,
        measure: Measure,
        classes: &'t Classes,
        priors: Vec<f64>,
    ) -> Self {
        let mut members = vec![Vec::new(); classes.len()];
        for (row, &class) in (0..).zip(classes.codes()) {
            members[class as usize].push(row);
        }
        let grid = (rows.len() >= MANY_ROWS).then(|| CellGrid::new(measure.range())).flatten();
        Self { encoder, rows, measure, classes, members, priors, grid }
    }

    pub fn labelled(&self) -> Labelled<'_> {
        Labelled { rows: &self.rows, labels: self.classes.codes(), classes: self.classes.len() }
    }

    pub fn label(&self, row: usize) -> u32 {
        self.classes.codes()[row]
    }

    /// Notes about small classes, and about constant and all-missing columns.
    pub fn notes(&self, table: &Table, k: usize) -> Vec<Note> {
        let mut notes = small_classes(self.classes.names(), self.classes.counts(), k);
        notes.extend(silent_columns(table));
        notes
    }
}

/// Refuse a target in which classes are as many as rows.
pub(crate) fn refuse_identifiers(counts: &[usize], rows: usize) -> Result<()> {
    let classes = counts.len();
    let singles = counts.iter().all(|&count| count == 1) && classes > 10;
    if singles || (classes > 256 && classes * 4 > rows) {
        return Err(WeighError::Identifier { classes, rows }.into());
    }
    Ok(())
}

/// Notes about classes with fewer than k other rows.
pub(crate) fn small_classes(names: &[String], counts: &[usize], k: usize) -> Vec<Note> {
    let few = names.iter().zip(counts).filter(|(_, count)| **count == 1 || **count <= k);
    let note = |(name, &rows): (&String, &usize)| match rows {
        1 => Note::ClassOfOneRow { class: name.clone() },
        _ => Note::ClassBelowK { class: name.clone(), rows, k },
    };
    few.map(note).collect()
}

/// Refuse a target that does not fit its table, or too few rows.
pub(crate) fn check_rows(table: &Table, target: &Target) -> Result<()> {
    if table.rows() != target.len() {
        let (table, target) = (table.rows(), target.len());
        return Err(DataError::RowsDisagree { table, target }.into());
    }
    enough_rows(table.rows())
}

/// Refuse too few rows.
pub(crate) fn enough_rows(rows: usize) -> Result<()> {
    if rows < 2 { Err(WeighError::TooFewRows { rows }.into()) } else { Ok(()) }
}

/// Refuse fewer than two classes.
pub(crate) fn enough_classes(names: &[String]) -> Result<()> {
    match names {
        [_, _, ..] => Ok(()),
        few => {
            let class = few.first().cloned().unwrap_or_default();
            Err(WeighError::OneClass { class }.into())
        }
    }
}

/// The classes of `target`, of which there must be two or more.
pub(crate) fn two_classes<'t>(target: &'t Target, method: &'static str) -> Result<&'t Classes> {
    let Target::Classes(classes) = target else {
        return Err(WeighError::NeedsClasses { method }.into());
    };
    enough_classes(classes.names())?;
    Ok(classes)
}

/// Notes about constant and all-missing columns.
pub(crate) fn silent_columns(table: &Table) -> Vec<Note> {
    let (mut empty, mut constant) = (Vec::new(), Vec::new());
    for column in table.columns() {
        let (known, other) = match &column.values {
            ColumnValues::F64(lane) => known_and_other(lane.iter(), |x| x.is_nan()),
            ColumnValues::F32(lane) => known_and_other(lane.iter(), |x| x.is_nan()),
            ColumnValues::Nominal { codes, .. } => {
                known_and_other(codes.iter().copied(), |&code| code == MISSING)
            }
            ColumnValues::Genotype(cells) => {
                known_and_other(cells.codes(), |&code| code == MISSING)
            }
        };
        match (known, other) {
            (false, _) => empty.push(column.name.as_str()),
            (true, false) => constant.push(column.name.as_str()),
            (true, true) => {}
        }
    }
    silent_notes(&constant, &empty)
}

/// Notes about constant columns and columns without any known value.
pub(crate) fn silent_notes(constant: &[&str], empty: &[&str]) -> Vec<Note> {
    let some = |names: &[&str]| names.first().map(|first| ((*first).to_owned(), names.len()));
    let constant = some(constant).map(|(first, count)| Note::ConstantColumns { first, count });
    let empty = some(empty).map(|(first, count)| Note::AllMissingColumns { first, count });
    constant.into_iter().chain(empty).collect()
}

/// Whether any cell is known, and whether any differs from the first known one: a missing
/// cell beside a known one counts as different, as some policies take it so.
///
/// Reads two cells of most columns, and no more than it needs of any.
fn known_and_other<T: PartialEq>(
    mut cells: impl Iterator<Item = T>,
    missing: impl Fn(&T) -> bool,
) -> (bool, bool) {
    let Some(first) = cells.next() else { return (false, false) };
    match missing(&first) {
        // All of the rest is missing too, or the column has a missing and a known cell.
        true => match cells.any(|cell| !missing(&cell)) {
            true => (true, true),
            false => (false, false),
        },
        false => (true, cells.any(|cell| cell != first)),
    }
}

/// The probability of each class: as given, or its share of the rows.
pub(crate) fn priors(
    names: &[String],
    counts: &[usize],
    given: Option<&[f64]>,
) -> Result<Vec<f64>> {
    let Some(given) = given else {
        let rows = counts.iter().sum::<usize>() as f64;
        return Ok(counts.iter().map(|&count| count as f64 / rows).collect());
    };
    given_priors(given, names)
}

/// The target rows: all in order, or a seeded sample without repeats.
pub(crate) fn targets(rows: usize, common: &ReliefSettings) -> Result<Vec<u32>> {
    match common.sample {
        None => Ok((0..rows as u32).collect()),
        Some(got) if got > rows => {
            Err(Error::parameter("sample", ParameterError::SampleTooLarge { rows, got }))
        }
        Some(m) => {
            Ok(Random::new(common.seed, 0).sample(rows, m).iter().map(|&r| r as u32).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    #[test]
    fn silent_columns_are_told_one_by_name_and_many_by_number() {
        let column = |name: &str, cells: [f64; 3]| Column::numeric(name, cells.to_vec());
        let told = |columns| {
            let notes = silent_columns(&Table::new(columns).unwrap());
            notes.iter().map(Note::to_string).collect::<Vec<_>>()
        };
        let nan = f64::NAN;
        let constant = column("same", [5.0; 3]);
        assert_eq!(
            told(vec![column("x", [1.0, 1.0, 2.0]), constant.clone()]),
            ["column `same` is constant and gets weight 0"]
        );
        let word = Column::nominal("word", &[Some("a"), Some("a"), Some("a")]).unwrap();
        assert_eq!(
            told(vec![constant, word]),
            ["2 columns are constant and get weight 0, `same` first"]
        );
        assert_eq!(
            told(vec![column("none", [nan; 3])]),
            ["column `none` has no known value and takes no part"]
        );
        // Whether such a column weighs something is for the policy to say.
        let holes = vec![column("a", [nan, 5.0, 5.0]), column("b", [5.0, 5.0, nan])];
        assert!(told(holes).is_empty());
    }
}
