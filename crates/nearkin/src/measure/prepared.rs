//! [`Prepared`]: rows scaled and made ready for a norm once, so that each pair is cheap.
//!
//! Lower bound: the n · p cells are read once and written once; whitening takes n · p²
//! multiply-adds. Memory of sparse rows: 28 bytes a cell, as they are held by row and by column.

use super::matrix::dot_of;
use super::{Norm, OwnNorm, Row, RowScale, Vectors, Whitening};
use crate::data::{Column, ColumnValues, Lane, Sparse, Table};
use crate::{Error, MeasureError, Note, ParameterError, Result};

/// How rows are made ready: scaled, whitened, given a constant, then for a norm, or for one of the
/// caller's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Preparation {
    /// The norm; `Dot` beside a norm of the caller's own.
    pub norm: Norm,
    /// The caller's own norm.
    pub own: Option<OwnNorm>,
    /// Scaling of columns, done first.
    pub scale: Option<RowScale>,
    /// Whitening of rows, done second.
    pub whitening: Option<Whitening>,
    /// The value of a column added to all rows; 0 for none.
    ///
    /// A cosine depends only on the direction of rows. With a constant c added, it depends on
    /// their length, too, and as c grows it ranks rows as the Euclidean distance does.
    pub constant: f64,
}

impl Preparation {
    /// Refuse a constant that is negative or not finite.
    pub(crate) fn check_constant(&self) -> Result<()> {
        match self.constant.is_finite() && self.constant >= 0.0 {
            true => Ok(()),
            false => {
                let reason = ParameterError::Negative { got: self.constant };
                Err(Error::parameter("constant", reason))
            }
        }
    }

    /// Refuse scaling or whitening of another number of columns.
    pub(crate) fn check_columns(&self, columns: usize) -> Result<()> {
        let about = [
            ("scaling", self.scale.as_ref().map(|scale| scale.shift().len())),
            ("whitening", self.whitening.as_ref().map(Whitening::size)),
        ];
        match about.into_iter().find(|(_, size)| size.is_some_and(|size| size != columns)) {
            Some((what, Some(about))) => {
                Err(MeasureError::PreparationColumns { what, about, columns }.into())
            }
            _ => Ok(()),
        }
    }

    /// Columns that rows made ready have beyond their own.
    pub fn added(&self) -> usize {
        usize::from(self.constant != 0.0)
    }

    /// True when rows are ready as they are.
    fn is_nothing(&self) -> bool {
        let plain = self.norm == Norm::Dot && self.own.is_none();
        let as_they_are = self.scale.is_none() && self.whitening.is_none();
        plain && as_they_are && self.added() == 0
    }
}

impl From<Norm> for Preparation {
    fn from(norm: Norm) -> Self {
        Self { norm, own: None, scale: None, whitening: None, constant: 0.0 }
    }
}

/// Divide a row by its length, but for a row of zeros, which has no direction.
pub(crate) fn to_length_one(values: &mut [f64]) {
    let largest = values.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return;
    }
    // Scaled first only where squares would overflow or vanish.
    let safe = (1e-150..1e150).contains(&largest);
    let unit = if safe { 1.0 } else { largest };
    values.iter_mut().for_each(|x| *x /= unit);
    let length = values.iter().map(|x| x * x).sum::<f64>().sqrt();
    values.iter_mut().for_each(|x| *x /= length);
}

/// Rows made ready for a norm: unit rows for the cosine, sums for Dice and Jaccard.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Prepared {
    preparation: Preparation,
    rows: usize,
    columns: usize,
    cells: Cells,
    sums: Vec<f64>,
    binary: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Cells {
    Dense(Vec<f64>),
    /// Of rows that are ready as they are and were in single precision.
    Single(Vec<f32>),
    Sparse(Compressed),
}

/// Rows as compressed sparse rows, and the same cells by column.
#[derive(Debug, Clone, PartialEq)]
struct Compressed {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    lists: Vec<usize>,
    listed: Vec<(u32, f64)>,
}

impl Compressed {
    /// Rows with their constant, not yet scaled. The lists by column are still empty: they are
    /// filled when the values are final.
    fn beginning<T: Copy + Into<f64>>(sparse: &Sparse<T>, how: &Preparation) -> Self {
        let all = sparse.stored() + sparse.rows() * how.added();
        let (mut columns, mut values) = (Vec::with_capacity(all), Vec::with_capacity(all));
        let mut starts = vec![0];
        for row in 0..sparse.rows() {
            let (c, v) = sparse.row(row);
            columns.extend(c);
            values.extend(v.iter().map(|&x| x.into()));
            if how.added() > 0 {
                columns.push(sparse.columns() as u32);
                values.push(how.constant);
            }
            starts.push(values.len());
        }
        Self { starts, columns, values, lists: Vec::new(), listed: Vec::new() }
    }

    fn new(starts: Vec<usize>, columns: Vec<u32>, values: Vec<f64>, width: usize) -> Self {
        let mut lists = vec![0; width + 1];
        columns.iter().for_each(|&c| lists[c as usize + 1] += 1);
        for c in 0..width {
            lists[c + 1] += lists[c];
        }
        let mut next = lists.clone();
        let mut listed = vec![(0, 0.0); values.len()];
        for row in 0..starts.len() - 1 {
            for cell in starts[row]..starts[row + 1] {
                let place = &mut next[columns[cell] as usize];
                listed[*place] = (row as u32, values[cell]);
                *place += 1;
            }
        }
        Self { starts, columns, values, lists, listed }
    }

    fn list(&self, column: usize) -> &[(u32, f64)] {
        &self.listed[self.lists[column]..self.lists[column + 1]]
    }
}

impl Prepared {
    /// Make rows ready, or say which row the norm cannot take.
    ///
    /// # Errors
    /// The first row that cannot be made ready, scaling or whitening of other columns, or sparse
    /// rows where dense ones are needed.
    pub fn new<'v>(how: impl Into<Preparation>, rows: impl Into<Vectors<'v>>) -> Result<Self> {
        let (how, rows) = (how.into(), rows.into());
        how.check_constant()?;
        let names = rows.names();
        how.check_columns(names.len())?;
        if rows.is_sparse() && how.whitening.is_some() {
            return Err(MeasureError::WhitenedSparse.into());
        }
        let width = names.len() + how.added();
        let cells = match rows {
            Vectors::Dense(dense) if how.added() == 0 => Cells::Dense(dense.cells().to_vec()),
            Vectors::Dense(dense) => {
                let rows = dense.cells().chunks_exact(names.len().max(1));
                let constant = || std::iter::once(how.constant);
                let cells = rows.flat_map(|row| row.iter().copied().chain(constant()));
                Cells::Dense(cells.collect())
            }
            Vectors::Table(table) if table.is_single() && how.is_nothing() => {
                Cells::Single(table.cells(width))
            }
            Vectors::Table(table) => {
                let mut cells: Vec<f64> = table.cells(width);
                if how.added() > 0 {
                    let last = cells.iter_mut().skip(names.len()).step_by(width);
                    last.for_each(|cell| *cell = how.constant);
                }
                Cells::Dense(cells)
            }
            _ if rows.is_sparse() && how.own.is_some() => {
                return Err(MeasureError::OwnNormOfSparse.into());
            }
            Vectors::Sparse(sparse) => Cells::Sparse(Compressed::beginning(sparse, &how)),
            Vectors::SparseSingle(sparse) => Cells::Sparse(Compressed::beginning(sparse, &how)),
        };
        let (sums, binary) = (Vec::new(), true);
        let mut made =
            Self { preparation: how, rows: rows.rows(), columns: width, cells, sums, binary };
        let mut spare = Vec::new();
        for at in 0..made.rows {
            made.ready(at, &mut spare, names)?;
        }
        if let Cells::Sparse(Compressed { starts, columns, values, .. }) = made.cells {
            made.cells = Cells::Sparse(Compressed::new(starts, columns, values, made.columns));
        }
        Ok(made)
    }

    /// Make row `at` ready in place.
    fn ready(&mut self, at: usize, spare: &mut Vec<f64>, names: &[String]) -> Result<()> {
        let Preparation { norm, scale, whitening, .. } = &self.preparation;
        let (columns, values): (Option<&[u32]>, &mut [f64]) = match &mut self.cells {
            Cells::Dense(cells) => (None, &mut cells[at * self.columns..][..self.columns]),
            // Known to be finite, and ready as they are.
            Cells::Single(_) => return Ok(()),
            Cells::Sparse(s) => {
                let range = s.starts[at]..s.starts[at + 1];
                (Some(&s.columns[range.clone()]), &mut s.values[range])
            }
        };
        // The name of a cell's column; none for the constant.
        let column = |cell: usize| {
            names.get(columns.map_or(cell, |columns| columns[cell] as usize)).cloned()
        };
        match (scale, columns) {
            (Some(scale), None) => scale.apply(values),
            (Some(scale), Some(columns)) => {
                let cells = values.iter_mut().zip(columns);
                let factor = |column: u32| scale.factor().get(column as usize).unwrap_or(&1.0);
                cells.for_each(|(x, &column)| *x *= factor(column));
            }
            (None, _) => {}
        }
        if let Some(cell) = values.iter().position(|x| !x.is_finite()) {
            let (column, value) = (column(cell), values[cell]);
            return Err(MeasureError::NotFinite { row: at, column, value }.into());
        }
        if let Some(whitening) = whitening {
            whitening.apply(values, spare);
            if values.iter().any(|x| !x.is_finite()) {
                return Err(MeasureError::TooLargeToWhiten { row: at }.into());
            }
        }
        match norm {
            Norm::Dot => {}
            Norm::Cosine => {
                // A row of zeros has no direction and stays one: similarity 0 with all others.
                if values.iter().any(|&x| x != 0.0) {
                    to_length_one(values);
                }
            }
            Norm::Dice | Norm::Jaccard => {
                if let Some(cell) = values.iter().position(|&x| x < 0.0) {
                    let (column, value, norm) = (column(cell), values[cell], norm.word());
                    return Err(MeasureError::Negative { row: at, column, value, norm }.into());
                }
                self.binary &= values.iter().all(|&x| x == 0.0 || x == 1.0);
                self.sums.push(values.iter().sum());
            }
        }
        Ok(())
    }

    /// Refuse rows without a direction where the norm is cosine: nothing can be learned from
    /// them.
    ///
    /// # Errors
    /// The first row of zeros.
    pub fn check_directions(&self) -> Result<()> {
        if self.preparation.norm != Norm::Cosine {
            return Ok(());
        }
        match (0..self.rows).find(|&at| self.row(at).is_zero()) {
            None => Ok(()),
            Some(row) => {
                let after = match &self.preparation {
                    Preparation { whitening: Some(_), .. } => Some("whitening"),
                    Preparation { scale: Some(_), .. } => Some("scaling"),
                    _ => None,
                };
                Err(MeasureError::NoDirection { row, after }.into())
            }
        }
    }

    /// The norm the rows were made ready for.
    pub fn norm(&self) -> Norm {
        self.preparation.norm
    }

    /// How the rows were made ready.
    pub fn preparation(&self) -> &Preparation {
        &self.preparation
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, with the constant where there is one.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// True for sparse rows.
    pub fn is_sparse(&self) -> bool {
        matches!(self.cells, Cells::Sparse(_))
    }

    /// The rows as a table of columns without names, borrowed; none where rows are sparse.
    pub(crate) fn table(&self) -> Result<Option<Table<'_>>> {
        let (rows, width) = (self.rows, self.columns);
        let values = |at: usize| match &self.cells {
            Cells::Dense(cells) => Lane::borrowed(cells, at, width, rows).map(ColumnValues::F64),
            Cells::Single(cells) => Lane::borrowed(cells, at, width, rows).map(ColumnValues::F32),
            Cells::Sparse(_) => None,
        };
        let column = |at: usize| values(at).map(|values| Column { name: at.to_string(), values });
        (0..width).map(column).collect::<Option<Vec<_>>>().map(Table::new).transpose()
    }

    /// Row `row` as inner products take it: of length 1 under the cosine.
    #[inline]
    pub fn row(&self, row: usize) -> Row<'_> {
        match &self.cells {
            Cells::Dense(cells) => Row::Dense(&cells[row * self.columns..][..self.columns]),
            Cells::Single(cells) => Row::Single(&cells[row * self.columns..][..self.columns]),
            Cells::Sparse(s) => {
                let cells = s.starts[row]..s.starts[row + 1];
                Row::Sparse(&s.columns[cells.clone()], &s.values[cells])
            }
        }
    }

    /// The remaining divisor of inner products of [`Prepared::row`]s; infinite where N is 0.
    pub fn divisor(&self, row: usize, other: &Self, j: usize) -> f64 {
        let n = match (&self.preparation.own, self.preparation.norm) {
            (Some(own), _) => match (self.row(row), other.row(j)) {
                (Row::Dense(x), Row::Dense(y)) => own.of(x, y),
                _ => return 1.0,
            },
            (None, Norm::Dot | Norm::Cosine) => return 1.0,
            (None, Norm::Dice) => self.sums[row] + other.sums[j],
            (None, Norm::Jaccard) => {
                self.sums[row] + other.sums[j] - self.row(row).inner(other.row(j))
            }
        };
        // Similarity 0 where N is: two rows of zeros share nothing.
        if n == 0.0 { f64::INFINITY } else { n }
    }

    /// True when inner products of rows are divided by nothing more.
    pub fn is_unit(&self) -> bool {
        self.preparation.own.is_none() && matches!(self.norm(), Norm::Dot | Norm::Cosine)
    }

    /// The plain similarity of two rows.
    pub fn plain(&self, row: usize, other: &Self, j: usize) -> f64 {
        let inner = self.row(row).inner(other.row(j));
        self.norm().plain() * inner / self.divisor(row, other, j)
    }

    /// Inner products of `projected` and every row, which is dense.
    ///
    /// Sparse rows are read by column, so that a 0 in `projected` costs nothing.
    ///
    /// Lower bound: n · p multiply-adds; of sparse rows, one for each cell of those columns.
    pub(crate) fn products(&self, projected: &[f64], out: &mut [f64]) {
        match &self.cells {
            Cells::Dense(cells) => {
                let rows = cells.chunks_exact(self.columns.max(1));
                out.iter_mut().zip(rows).for_each(|(o, row)| *o = super::dot(projected, row));
            }
            Cells::Single(cells) => {
                let rows = cells.chunks_exact(self.columns.max(1));
                out.iter_mut().zip(rows).for_each(|(o, row)| *o = dot_of(projected, row));
            }
            Cells::Sparse(s) => {
                out.fill(0.0);
                for (column, &x) in projected.iter().enumerate() {
                    if x != 0.0 {
                        s.list(column).iter().for_each(|&(row, y)| out[row as usize] += x * y);
                    }
                }
            }
        }
    }

    /// Divide `scores` of query `at` of `queries` and every row by what is left of N.
    ///
    /// Lower bound: a division a row; under Jaccard, [`Prepared::products`] once more.
    pub(crate) fn divide(&self, queries: &Self, at: usize, scores: &mut [f64]) {
        if self.is_unit() {
            return;
        }
        if let (Norm::Jaccard, true) = (self.norm(), self.is_sparse()) {
            let mut shared = vec![0.0; scores.len()];
            self.products(&queries.row(at).to_vec(self.columns), &mut shared);
            for (j, (score, shared)) in scores.iter_mut().zip(shared).enumerate() {
                let n = queries.sums[at] + self.sums[j] - shared;
                *score = if n == 0.0 { 0.0 } else { *score / n };
            }
            return;
        }
        for (j, score) in scores.iter_mut().enumerate() {
            *score /= queries.divisor(at, self, j);
        }
    }

    /// The rows under a linear map, ready for the inner product.
    pub(crate) fn mapped(&self, columns: usize, map: impl Fn(Row, &mut [f64])) -> Self {
        let mut cells = vec![0.0; self.rows * columns];
        for (row, out) in cells.chunks_exact_mut(columns.max(1)).enumerate() {
            map(self.row(row), out);
        }
        Self {
            preparation: Norm::Dot.into(),
            rows: self.rows,
            columns,
            cells: Cells::Dense(cells),
            sums: Vec::new(),
            binary: true,
        }
    }

    /// A note for a reader of the results, if these rows need one.
    pub fn note(&self) -> Option<Note> {
        (!self.binary).then(|| Note::Amounts { norm: self.norm().word() })
    }
}
