//! The settings every Relief method shares, and a table made ready under them.

use crate::data::{Classes, Encoder, Rows, Table, Target};
use crate::measure::{Measure, Metric, Missing, Ramp, Scaling, Unknown};
use crate::neighbors::Labelled;
use crate::random::Random;
use crate::{Error, Result, parameters};

parameters! {
    /// What all Relief methods need to know.
    pub struct Common {
        /// What a numeric difference is divided by: the column's range, its standard deviation, or nothing.
        scale: Scaling = Scaling::MinMax;
        /// What the difference to a missing cell is; the guide has the table of policies.
        missing: Missing = Missing::D;
        /// Let numeric differences ramp from 0 at ramp_equal to 1 at ramp_different.
        ramp: bool = false;
        /// Scaled differences up to this count as none, when they ramp.
        ramp_equal: f64 = 0.05, in 0.0..=1.0;
        /// Scaled differences above this count as 1, when they ramp.
        ramp_different: f64 = 0.1, in 0.0..=1.0;
        /// Number of rows drawn as targets; all rows when not given.
        sample: Option<usize> = None, min 1;
        /// Class probabilities in the order of the classes; their shares of the rows when not given.
        priors: Option<Vec<f64>> = None;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Common {
    /// The measure these settings ask for.
    pub(crate) fn measure(
        &self,
        encoder: &Encoder,
        metric: Metric,
        unknown: Unknown,
    ) -> Result<Measure> {
        let measure = Measure::new(encoder, metric, self.scale, unknown);
        if !self.ramp {
            return Ok(measure);
        }
        if self.ramp_equal >= self.ramp_different {
            return Err(Error::parameter(
                "ramp_equal",
                format!(
                    "must be below ramp_different, {}, got {}",
                    self.ramp_different, self.ramp_equal
                ),
            ));
        }
        Ok(measure.with_ramp(Ramp { equal: self.ramp_equal, different: self.ramp_different }))
    }
}

/// A table and its classes, encoded and measured: where every class method starts.
pub(crate) struct Problem<'t> {
    pub encoder: Encoder,
    pub rows: Rows,
    pub measure: Measure,
    pub classes: &'t Classes,
    pub priors: Vec<f64>,
}

impl<'t> Problem<'t> {
    /// Check table and target for a method that needs classes, and make them ready.
    pub fn new(
        table: &Table,
        target: &'t Target,
        metric: Metric,
        common: &Common,
        method: &str,
    ) -> Result<Self> {
        check_rows(table, target)?;
        let Target::Classes(classes) = target else {
            return Err(Error::data(format!(
                "{method} needs classes and the target is a real number; use rrelieff, or tell \
                 the reader that the target holds classes"
            )));
        };
        if classes.len() < 2 {
            let name = classes.names().first().map_or("", String::as_str);
            return Err(Error::data(format!(
                "every row is of class `{name}`; a weighting method needs at least two classes"
            )));
        }
        let priors = priors(classes, common.priors.as_deref())?;
        let encoder = Encoder::fit(table)?;
        let rows = encoder.encode(table)?;
        let unknown = Unknown::fit(common.missing, &encoder, &rows, classes.codes(), classes.len());
        let measure = common.measure(&encoder, metric, unknown)?;
        Ok(Self { encoder, rows, measure, classes, priors })
    }

    pub fn labelled(&self) -> Labelled<'_> {
        Labelled { rows: &self.rows, labels: self.classes.codes(), classes: self.classes.len() }
    }

    pub fn label(&self, row: usize) -> u32 {
        self.classes.codes()[row]
    }

    /// What a reader should know: classes without a second row, columns that say nothing.
    pub fn notes(&self, table: &Table, k: usize) -> Vec<String> {
        let mut notes = Vec::new();
        for (name, &count) in self.classes.names().iter().zip(self.classes.counts()) {
            if count == 1 {
                notes.push(format!(
                    "class `{name}` has one row: it has no neighbour of its own class"
                ));
            } else if count <= k {
                notes.push(format!(
                    "class `{name}` has {count} rows: fewer than k = {k} neighbours are averaged there"
                ));
            }
        }
        notes.extend(silent_columns(table));
        notes
    }
}

/// Refuse a target that does not fit its table, or too few rows.
pub(crate) fn check_rows(table: &Table, target: &Target) -> Result<()> {
    if table.rows() != target.len() {
        return Err(Error::data(format!(
            "the table has {} rows and the target {}; they must agree",
            table.rows(),
            target.len()
        )));
    }
    if table.rows() < 2 {
        return Err(Error::data(format!(
            "the table has {} row(s); neighbours need at least two",
            table.rows()
        )));
    }
    Ok(())
}

/// Notes about constant and all-missing columns.
pub(crate) fn silent_columns(table: &Table) -> Vec<String> {
    let known = |c: &crate::data::Column| table.rows() - c.missing();
    let list = |names: Vec<&str>, what: &str| match names.as_slice() {
        [] => None,
        [one] => Some(format!("column `{one}` {what}")),
        [first, rest @ ..] => Some(format!("column `{first}` and {} others: {what}", rest.len())),
    };
    let empty = table.columns().iter().filter(|c| known(c) == 0).map(|c| c.name.as_str()).collect();
    list(empty, "has no known value and takes no part").into_iter().collect()
}

fn priors(classes: &Classes, given: Option<&[f64]>) -> Result<Vec<f64>> {
    let Some(given) = given else { return Ok(classes.priors()) };
    if given.len() != classes.len() {
        return Err(Error::parameter(
            "priors",
            format!(
                "{} given for {} classes ({})",
                given.len(),
                classes.len(),
                classes.names().join(", ")
            ),
        ));
    }
    let total: f64 = given.iter().sum();
    if given.iter().any(|p| *p <= 0.0) || !total.is_finite() {
        return Err(Error::parameter("priors", "every class needs a probability above 0"));
    }
    Ok(given.iter().map(|p| p / total).collect())
}

/// The rows to look at: all in order, or a seeded sample without repeats.
pub(crate) fn targets(rows: usize, common: &Common) -> Result<Vec<u32>> {
    match common.sample {
        None => Ok((0..rows as u32).collect()),
        Some(m) if m > rows => Err(Error::parameter(
            "sample",
            format!("must be at most the number of rows, {rows}, got {m}"),
        )),
        Some(m) => {
            Ok(Random::new(common.seed, 0).sample(rows, m).iter().map(|&r| r as u32).collect())
        }
    }
}
