//! Code that measures share which learn nothing but the ranges and categories of columns.

use std::fmt::Debug;

use super::blocks::MeasureNeeds;
use super::{BoxedMeasure, FittedMeasure};
use crate::Result;
use crate::data::{Encoder, Parts, Table};

/// The settings of such a measure.
pub(super) trait OfColumns: Copy + Debug {
    /// The measure called `id` of the columns of `encoder`.
    fn fitted(self, id: &'static str, encoder: Encoder) -> impl FittedMeasure + 'static;

    /// Refuse settings that do not go together.
    fn check(self) -> Result<()> {
        Ok(())
    }

    /// Refuse columns that the measure cannot compare.
    fn check_columns(self, _id: &'static str, _: &Encoder) -> Result<()> {
        self.check()
    }

    /// Refuse training rows that the measure cannot compare.
    fn check_table(self, _id: &'static str, _: &Encoder, _: &Table) -> Result<()> {
        Ok(())
    }

    fn needs(self, _: &Encoder) -> MeasureNeeds {
        MeasureNeeds::default()
    }

    fn fit(self, id: &'static str, table: &Table) -> Result<BoxedMeasure> {
        self.check()?;
        let encoder = Encoder::fit(table)?;
        self.check_table(id, &encoder, table)?;
        Ok(Box::new(self.fitted(id, encoder)))
    }

    fn restore(self, id: &'static str, parts: &Parts) -> Result<BoxedMeasure> {
        let encoder = Encoder::restore(&parts.within("columns"))?;
        Ok(Box::new(self.fitted(id, encoder)))
    }
}

/// Declare a measure of columns: its name and reference, and its settings as [`OfColumns`].
macro_rules! of_columns {
    ($type:ty: $id:literal is $title:literal, $summary:literal, $by:literal, $settings:expr) => {
        impl $crate::measure::pairwise::PairMeasure for $type {
            $crate::parameter::about! { $id is $title, $summary, $by }

            fn fit_checked(
                &self,
                table: &$crate::data::Table,
                _: Option<&$crate::data::Target>,
            ) -> $crate::Result<$crate::measure::pairwise::BoxedMeasure> {
                $settings(self).fit($id, table)
            }

            fn restore(
                &self,
                parts: &$crate::data::Parts,
            ) -> $crate::Result<$crate::measure::pairwise::BoxedMeasure> {
                $settings(self).restore($id, parts)
            }

            fn check_columns(&self, encoder: &$crate::data::Encoder) -> $crate::Result<()> {
                $settings(self).check_columns($id, encoder)
            }

            fn needs(
                &self,
                encoder: &$crate::data::Encoder,
            ) -> $crate::measure::pairwise::blocks::MeasureNeeds {
                $settings(self).needs(encoder)
            }
        }
    };
}
pub(super) use of_columns;
