//! [`Near`]: the plain neighbours of every row, found in one pass for all labellings.
//!
//! Multi-class learning needs the k most similar rows of a row's own class and of all other
//! classes. One-versus-rest learning needs, for each class in turn, those of the class and of the
//! rest. The k most similar rows of every single class answer all of these, so the n² pairs are
//! visited only once.
//!
//! Lower bound: n² p multiply-adds, half of it where the similarity is symmetric, which this code
//! does not use. Memory: 16 · n · c · k bytes for c classes.

use std::ops::Range;

use rayon::prelude::*;

use crate::data::Classes;
use crate::measure::{Form, Prepared, Scorer, SquareMatrix};
use crate::neighbors::{SimilarRow, best, best_of_groups, finite_scores};
use crate::{Result, Run};

/// For each row the k most similar rows of each class.
pub(crate) struct Near<'a> {
    rows: &'a Prepared,
    codes: &'a [u32],
    found: Vec<Vec<Vec<SimilarRow>>>,
}

impl<'a> Near<'a> {
    /// Find `k` neighbours of each class under the plain similarity.
    pub fn new(rows: &'a Prepared, classes: &'a Classes, k: usize, run: &Run) -> Result<Self> {
        let plain = SquareMatrix::identity(Form::Diagonal, rows.columns(), rows.norm().plain());
        Self::under(&plain, rows, (classes.codes(), classes.len()), k, run)
    }

    /// Find `k` neighbours of each class under `matrix`.
    pub fn under(
        matrix: &SquareMatrix,
        rows: &'a Prepared,
        groups: (&'a [u32], usize),
        k: usize,
        run: &Run,
    ) -> Result<Self> {
        let found = neighbours(matrix, (rows, rows), groups, k, true, run)?;
        Ok(Self { rows, codes: groups.0, found })
    }

    /// Find `k` neighbours of each class under the plain similarity for the rows in `range` only:
    /// the rows of `asked`. The other rows have none.
    pub fn of_some(
        (asked, range): (&Prepared, Range<usize>),
        rows: &'a Prepared,
        classes: &'a Classes,
        k: usize,
        run: &Run,
    ) -> Result<Self> {
        let (codes, groups) = (classes.codes(), classes.len());
        // One more, since a row finds itself.
        let some = plain_neighbours((asked, rows), (codes, groups), k + 1, run)?;
        let mut found = vec![vec![Vec::new(); groups]; rows.rows()];
        for (row, mut near) in range.zip(some) {
            for list in &mut near {
                list.retain(|ranked| ranked.row as usize != row);
                list.truncate(k);
            }
            found[row] = near;
        }
        Ok(Self { rows, codes, found })
    }

    /// Targets and impostors of row `at`, k of each if there are as many. Impostors are of all
    /// other classes; with `class`, targets and impostors are of that class and of the rest.
    pub fn sides(
        &self,
        at: usize,
        class: Option<u32>,
        k: usize,
    ) -> (Vec<SimilarRow>, Vec<SimilarRow>) {
        let alone = class.unwrap_or(self.codes[at]) as usize;
        let mut own = self.found[at][alone].clone();
        let mut rest: Vec<SimilarRow> = Vec::new();
        for (_, list) in self.found[at].iter().enumerate().filter(|(group, _)| *group != alone) {
            rest.extend(list.iter().take(k));
        }
        let plain = |row: u32| self.rows.plain(at, self.rows, row as usize);
        rest.sort_by(|a, b| {
            let by_plain = || plain(b.row).total_cmp(&plain(a.row));
            b.similarity.total_cmp(&a.similarity).then_with(by_plain).then(a.row.cmp(&b.row))
        });
        own.truncate(k);
        rest.truncate(k);
        if class.is_none_or(|class| class == self.codes[at]) { (own, rest) } else { (rest, own) }
    }

    /// The rows of [`Near::sides`].
    pub fn rows_of_sides(&self, at: usize, class: Option<u32>, k: usize) -> (Vec<u32>, Vec<u32>) {
        let (own, rest) = self.sides(at, class, k);
        let rows = |list: Vec<SimilarRow>| list.iter().map(|near| near.row).collect();
        (rows(own), rows(rest))
    }
}

/// The `k` rows of each group most similar to every row of `asked`, under the plain similarity.
pub(crate) fn plain_neighbours(
    pair: (&Prepared, &Prepared),
    groups: (&[u32], usize),
    k: usize,
    run: &Run,
) -> Result<Vec<Vec<Vec<SimilarRow>>>> {
    let (columns, norm) = (pair.1.columns(), pair.1.norm());
    let plain = SquareMatrix::identity(Form::Diagonal, columns, norm.plain());
    neighbours(&plain, pair, groups, k, false, run)
}

/// The `k` rows of each group that are most similar to each row of `asked`, under `matrix`. `same`
/// means that both are the same rows; then no row is its own neighbour.
fn neighbours(
    matrix: &SquareMatrix,
    (asked, rows): (&Prepared, &Prepared),
    (codes, groups): (&[u32], usize),
    k: usize,
    same: bool,
    run: &Run,
) -> Result<Vec<Vec<Vec<SimilarRow>>>> {
    if rows.is_unit() && !rows.is_sparse() {
        return best_of_groups(matrix, (asked, rows), (codes, groups), k, same, run);
    }
    let scorer = Scorer::new(matrix, asked, rows);
    let of = |at: usize| {
        let group = |row: usize| (!same || row != at).then_some(codes[row] as usize);
        run.check(0, 0)?;
        Ok(best(&scorer, at, &finite_scores(&scorer, at)?, (k, groups), group))
    };
    run.install(|| (0..asked.rows()).into_par_iter().map(of).collect::<Result<_>>())?
}
