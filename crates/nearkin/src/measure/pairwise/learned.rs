//! A learned similarity as a measure of pairs of rows.

use super::{Block, FittedMeasure, MeasureKind};
use crate::data::{Parts, SimilarityMatrix, Table, TableRows};
use crate::measure::{
    Compare, Form, Norm, Preparation, RowScale, Similarity, SquareMatrix, Whitening,
};
use crate::parameter::Value;
use crate::{DataError, Result, Run};

/// Numeric columns only, found by name; missing cells are refused. A norm of the caller's own is
/// code and no part: ask [`Similarity::check_savable`] first.
impl FittedMeasure for Similarity {
    fn block_with(&self, queries: &Table, references: &Table, run: &Run) -> Result<Block> {
        let ready = |table| self.prepare(&TableRows::select(table, self.columns())?);
        let (a, b) = (ready(queries)?, ready(references)?);
        SimilarityMatrix::new(a.rows(), b.rows(), self.between(&a, &b, run)?)
    }

    fn kind(&self) -> MeasureKind<'_> {
        MeasureKind::Bilinear(self)
    }

    fn parts(&self) -> Parts {
        let whitening = self.preparation().whitening.as_ref();
        Parts::new()
            .with_texts("columns", self.columns().to_vec())
            .with_texts("form", vec![self.matrix().form().show()])
            .with_texts("norm", vec![self.norm().show()])
            .with_texts("compare", vec![self.compare().show()])
            .with_numbers("shift", self.scale().map_or_else(Vec::new, |s| s.shift().to_vec()))
            .with_numbers("factor", self.scale().map_or_else(Vec::new, |s| s.factor().to_vec()))
            .with_numbers("whitening", whitening.map_or_else(Vec::new, |w| w.cells().to_vec()))
            .with_numbers("constant", vec![self.preparation().constant])
            .with_numbers("matrix", self.matrix().cells().to_vec())
    }
}

impl Similarity {
    /// The similarity these parts were taken from.
    ///
    /// # Errors
    /// Parts that are absent or broken.
    pub fn restore(parts: &Parts) -> Result<Self> {
        let columns = parts.texts("columns")?.to_vec();
        fn word<T: Value>(parts: &Parts, name: &str) -> Result<T> {
            T::parse(&parts.texts(name)?.concat()).map_err(|reason| {
                let (part, reason) = (name.to_owned(), Box::new(reason));
                DataError::UnknownWord { part, reason }.into()
            })
        }
        let form: Form = word(parts, "form")?;
        let norm: Norm = word(parts, "norm")?;
        let compare: Compare = word(parts, "compare")?;
        let (shift, factor) = (parts.numbers("shift")?.to_vec(), parts.numbers("factor")?.to_vec());
        let scale = match shift.is_empty() {
            true => None,
            false => Some(RowScale::new(shift, factor)?),
        };
        // Models of earlier versions have neither.
        let whitening = match parts.numbers("whitening").unwrap_or_default() {
            [] => None,
            cells => Some(Whitening::new(columns.len(), cells.to_vec())?),
        };
        let constant = parts.numbers("constant").ok().and_then(|c| c.first().copied());
        let constant = constant.unwrap_or(0.0);
        let how = Preparation { norm, own: None, scale, whitening, constant };
        let size = columns.len() + how.added();
        let matrix = SquareMatrix::new(form, size, parts.numbers("matrix")?.to_vec())?;
        Self::new(matrix, how, columns)?.comparing(compare, &Run::default())
    }
}
