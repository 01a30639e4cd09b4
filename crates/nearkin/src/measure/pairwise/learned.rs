//! A learned similarity as a measure of pairs of rows.

use super::FittedMeasure;
use crate::data::{Dense, Parts, SimilarityMatrix, Table};
use crate::measure::{Form, Matrix, Norm, Similarity};
use crate::parameter::Value;
use crate::{Error, Result, Run};

/// Numeric columns only, found by name; missing cells are refused.
impl FittedMeasure for Similarity {
    fn block_with(
        &self,
        queries: &Table,
        references: &Table,
        run: &Run,
    ) -> Result<SimilarityMatrix<'static>> {
        let ready = |table| self.prepare(&Dense::select(table, self.columns())?);
        let (a, b) = (ready(queries)?, ready(references)?);
        SimilarityMatrix::new(a.rows(), b.rows(), self.between(&a, &b, run)?)
    }

    fn parts(&self) -> Parts {
        Parts::new()
            .with_texts("columns", self.columns().to_vec())
            .with_texts("form", vec![self.matrix().form().show()])
            .with_texts("norm", vec![self.norm().show()])
            .with_numbers("matrix", self.matrix().cells().to_vec())
    }
}

impl Similarity {
    /// The similarity these parts were taken from.
    pub fn restore(parts: &Parts) -> Result<Self> {
        let columns = parts.texts("columns")?.to_vec();
        let word = |name: &str| Ok::<_, Error>(parts.texts(name)?.concat());
        let form = Form::parse(&word("form")?).map_err(Error::data)?;
        let norm = Norm::parse(&word("norm")?).map_err(Error::data)?;
        let matrix = Matrix::new(form, columns.len(), parts.numbers("matrix")?.to_vec())?;
        Self::new(matrix, norm, columns)
    }
}
