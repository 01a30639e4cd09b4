//! [`NaiveBayesModel`]: naive Bayes as it was fitted. Of its rows nothing is kept but counts.

use super::origin::Origin;
use super::parts::{Reader, Writer};
use crate::classify::{FittedNaiveBayes, NaiveBayes, Predictions};
use crate::compare::check_columns;
use crate::data::{Classes, Table};
use crate::{Damage, Result, Run};

/// Naive Bayes, fitted on rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct NaiveBayesModel {
    /// How it came about.
    pub origin: Origin,
    /// The columns, and whether they are nominal.
    pub columns: Vec<(String, bool)>,
    /// Training rows of each class.
    pub counts: Vec<u64>,
    /// What was learned.
    pub fitted: FittedNaiveBayes,
}

impl NaiveBayesModel {
    /// A model of `method` on rows of a table.
    ///
    /// # Errors
    /// When the table and the classes do not fit each other or the method.
    pub fn of_table(
        origin: Origin,
        method: &NaiveBayes,
        table: &Table,
        classes: &Classes,
    ) -> Result<Self> {
        let columns = table.columns().iter().map(|c| (c.name.clone(), c.is_nominal())).collect();
        let counts = classes.counts().iter().map(|&count| count as u64).collect();
        Ok(Self { origin, columns, counts, fitted: method.fit(table, classes)? })
    }

    /// The class of every row of `table`, which has the columns of training, in any order.
    ///
    /// # Errors
    /// When the columns are others.
    pub fn predict(&self, table: &Table, run: &Run) -> Result<Predictions> {
        let names: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        check_columns(&names, table)?;
        self.fitted.predict_with(table, run)
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        self.origin.write(to);
        to.word("columns", self.columns.iter().map(|c| c.0.clone()).collect::<Vec<_>>());
        to.wholes("nominal", self.columns.iter().map(|c| u64::from(c.1)));
        to.wholes("counts", self.counts.iter().copied());
        to.parts("fitted", &self.fitted.parts());
    }

    pub(crate) fn read(from: &Reader) -> Result<Self> {
        let origin = Origin::read(from)?;
        let mut method = NaiveBayes::default();
        origin.restore(&mut method)?;
        let fitted = method.restore(&from.parts("fitted"))?;
        let (names, nominal) = (from.words("columns")?, from.wholes("nominal")?);
        let counts = from.wholes("counts")?.to_vec();
        if names.len() != nominal.len() || counts.len() != fitted.names().len() {
            return Err(Damage::ColumnsDisagree.into());
        }
        let columns = names.into_iter().zip(nominal.iter().map(|&is| is == 1)).collect();
        Ok(Self { origin, columns, counts, fitted })
    }
}
