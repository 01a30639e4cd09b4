//! Linked columns as one line: a marker that matters brings its neighbours along.
//!
//! The first column of a list leads a group of all later ones that are linked to it: r² of at least a
//! bound and, where places are known, on its chromosome within a distance. The first column that is
//! in no group leads the next one.
//!
//! Cost: n multiplications for each leader and column that is not yet in a group.

use super::association::{ordered_numbers, squared_correlation};
use crate::data::Table;
use crate::{Error, ParameterError, Result};

/// Columns that say the same.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Locus {
    /// Position of the column that leads.
    pub lead: usize,
    /// Positions of the others, in the order of the list.
    pub others: Vec<usize>,
}

/// What makes columns linked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Linkage {
    /// The least r².
    pub r2: f64,
    /// The largest distance in bases, where places are known.
    pub bases: u64,
}

impl Default for Linkage {
    fn default() -> Self {
        Self { r2: 0.5, bases: 250_000 }
    }
}

/// The groups of linked columns among `columns`, which stand in the order of their weight. `places`
/// are chromosome and base of every column of the table, where they are known.
///
/// # Errors
///
/// When r² is no share, or the table lacks one of the columns.
pub fn loci(
    table: &Table,
    columns: &[usize],
    linkage: Linkage,
    places: Option<&[(String, u64)]>,
) -> Result<Vec<Locus>> {
    let features = table.columns().len();
    if !(0.0..=1.0).contains(&linkage.r2) {
        let reason = ParameterError::Outside { min: 0.0, max: 1.0, got: linkage.r2 };
        return Err(Error::parameter("r2", reason));
    }
    if let Some(&got) = columns.iter().find(|&&column| column >= features) {
        return Err(Error::parameter("columns", ParameterError::Top { features, got }));
    }
    let near = |a: usize, b: usize| match places.map(|places| (places.get(a), places.get(b))) {
        Some((Some(a), Some(b))) => a.0 == b.0 && a.1.abs_diff(b.1) <= linkage.bases,
        _ => true,
    };
    let mut rest = columns.to_vec();
    let mut found = Vec::new();
    while let Some((&lead, others)) = rest.split_first() {
        let numbers = ordered_numbers(&table.columns()[lead]);
        let linked = |&other: &usize| {
            near(lead, other)
                && match (&numbers, ordered_numbers(&table.columns()[other])) {
                    (Some(a), Some(b)) => squared_correlation(a, &b) >= linkage.r2,
                    _ => false,
                }
        };
        let (others, left) = others.iter().copied().partition(linked);
        found.push(Locus { lead, others });
        rest = left;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Genotypes};

    #[test]
    fn linked_columns_stand_behind_the_first_of_them() {
        let genotypes = |name: &str, cells: [u8; 8]| {
            Column::genotypes(name, Genotypes::from_copies(cells.map(Some)).unwrap())
        };
        let a = [0, 0, 1, 1, 2, 2, 0, 1];
        let b = [0, 0, 1, 1, 2, 2, 0, 0];
        let c = [2, 0, 2, 0, 2, 0, 2, 0];
        let columns = vec![genotypes("a", a), genotypes("c", c), genotypes("b", b)];
        let table = Table::new(columns).unwrap();
        let all = |places| loci(&table, &[2, 1, 0], Linkage::default(), places).unwrap();
        let locus = |lead, others: &[usize]| Locus { lead, others: others.to_vec() };
        assert_eq!(all(None), [locus(2, &[0]), locus(1, &[])]);
        let place = |chromosome: &str, base| (chromosome.to_owned(), base);
        let far = [place("1", 10), place("1", 20), place("1", 900_000)];
        assert_eq!(all(Some(&far)), [locus(2, &[]), locus(1, &[]), locus(0, &[])]);
        let other = [place("1", 10), place("1", 20), place("2", 10)];
        assert_eq!(all(Some(&other)).len(), 3);
        let strict = Linkage { r2: 1.5, ..Linkage::default() };
        assert!(loci(&table, &[0], strict, None).is_err());
    }
}
