//! Code that VDM, MVDM, HVDM and IVDM share: values are compared by the classes they go with.

use std::fmt::Debug;

use super::blocks::MeasureNeeds;
use super::rows::{categories, classes, fit_categories};
use super::shares::Shares;
use super::{About, Block, BoxedMeasure, FittedMeasure, PairMeasure};
use crate::data::{Classes, Encoder, Parts, Rows, Table, Target, wrong_part};
use crate::parameter::Parameters;
use crate::{Result, Run};

/// A measure of class shares. Implementing this is all that such a measure has to do.
pub(super) trait ByShares: Parameters + Clone + Debug + Send + Sync + 'static {
    /// Facts about training rows beside the class shares of categories.
    type More: Debug + Send + Sync;

    const ABOUT: About;

    /// Where numbers are read as categories, measures that take numbers as they are.
    const INSTEAD: Option<&'static str> = None;

    /// Rows added to every class of every value.
    fn smoothing(&self) -> f64;

    fn in_blocks(&self, _: &Encoder) -> MeasureNeeds {
        MeasureNeeds { counts: true, ..MeasureNeeds::default() }
    }

    /// Counts beside those of categories.
    fn count_more(&self, _: &Encoder, _: &Rows, _: &Classes) -> Vec<u64> {
        Vec::new()
    }

    /// The facts that these counts give, where `count_more` made them.
    fn more(&self, encoder: &Encoder, counts: &[u64], classes: usize) -> Self::More;

    /// Facts that only all training rows together give.
    fn look_at(_: &mut FittedShares<Self>, _: &Rows, _: &Classes) {}

    /// Add the facts to the parts of the measure.
    fn save(_: &Self::More, parts: Parts) -> Parts {
        parts
    }

    /// The facts that `save` added.
    fn load(encoder: &Encoder, parts: &Parts) -> Result<Self::More>;

    /// The similarity of every row of `a` to every row of `b`.
    fn compare(fitted: &FittedShares<Self>, a: &Rows, b: &Rows, run: &Run) -> Result<Block>;
}

/// A measure of class shares that has learned from training rows.
#[derive(Debug)]
pub(super) struct FittedShares<M: ByShares> {
    pub settings: M,
    pub encoder: Encoder,
    pub shares: Shares,
    pub more: M::More,
}

impl<M: ByShares> PairMeasure for M {
    fn about(&self) -> About {
        M::ABOUT
    }

    fn supervised(&self) -> bool {
        true
    }

    fn fit_checked(&self, table: &Table, target: Option<&Target>) -> Result<BoxedMeasure> {
        let classes = classes(table, target, M::ABOUT.id)?;
        let (encoder, rows) = match M::INSTEAD {
            Some(instead) => fit_categories(table, M::ABOUT.id, instead)?,
            None => {
                let encoder = Encoder::fit(table)?;
                let rows = encoder.encode(table)?.wide();
                (encoder, rows)
            }
        };
        let shares = Shares::fit(&encoder, &rows, classes, self.smoothing());
        let counts = self.count_more(&encoder, &rows, classes);
        let more = self.more(&encoder, &counts, classes.len());
        let mut fitted = FittedShares { settings: self.clone(), encoder, shares, more };
        M::look_at(&mut fitted, &rows, classes);
        Ok(Box::new(fitted))
    }

    fn restore(&self, parts: &Parts) -> Result<BoxedMeasure> {
        let encoder = Encoder::restore(&parts.within("columns"))?;
        let shares = Shares::restore(&encoder, &parts.within("shares"))?;
        let more = M::load(&encoder, parts)?;
        Ok(Box::new(FittedShares { settings: self.clone(), encoder, shares, more }))
    }

    fn of_categories(&self) -> Option<&'static str> {
        M::INSTEAD
    }

    fn needs(&self, encoder: &Encoder) -> MeasureNeeds {
        self.in_blocks(encoder)
    }

    /// Those of categories, then the measure's own.
    fn count(&self, encoder: &Encoder, rows: &Rows, classes: &Classes) -> Vec<u64> {
        let mut counts = Shares::count(encoder, rows, classes);
        counts.extend(self.count_more(encoder, rows, classes));
        counts
    }

    fn counted(&self, encoder: &Encoder, counts: &[u64], classes: usize) -> Result<Parts> {
        let Some((values, own)) = counts.split_at_checked(Shares::held(encoder, classes)) else {
            return Err(wrong_part("p", "does not fit the columns' categories"));
        };
        let shares = Shares::of_counts(encoder, values, classes, self.smoothing());
        let parts = Parts::new().with("shares", shares.parts());
        Ok(M::save(&self.more(encoder, own, classes), parts))
    }
}

impl<M: ByShares> FittedMeasure for FittedShares<M> {
    fn block_with(&self, queries: &Table, references: &Table, run: &Run) -> Result<Block> {
        let read = |table: &Table| match M::INSTEAD {
            Some(_) => categories(&self.encoder, table),
            None => Ok(self.encoder.encode(table)?.wide()),
        };
        M::compare(self, &read(queries)?, &read(references)?, run)
    }

    fn parts(&self) -> Parts {
        let parts = Parts::new().with("columns", self.encoder.parts());
        M::save(&self.more, parts.with("shares", self.shares.parts()))
    }
}
