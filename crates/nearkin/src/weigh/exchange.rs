//! Exchanges of the target between rows, free or within strata.

use std::collections::{BTreeMap, BTreeSet};

use crate::data::Target;
use crate::random::Random;
use crate::{Result, WeighError};

/// Which rows may take each other's value of the target.
pub(super) struct Exchange {
    rows: usize,
    groups: Vec<Vec<usize>>,
}

impl Exchange {
    /// Exchanges of so many rows, within `strata` where there are some.
    pub fn new(rows: usize, strata: Option<&[u32]>) -> Result<Self> {
        let Some(strata) = strata else {
            return Ok(Self { rows, groups: vec![(0..rows).collect()] });
        };
        if strata.len() != rows {
            return Err(WeighError::GivenRows { table: rows, given: strata.len() }.into());
        }
        let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (row, &stratum) in strata.iter().enumerate() {
            groups.entry(stratum).or_default().push(row);
        }
        Ok(Self { rows, groups: groups.into_values().collect() })
    }

    /// For each row the row whose target it takes in this exchange.
    pub fn order(&self, seed: u64, exchange: u64) -> Vec<usize> {
        let mut random = Random::new(seed, exchange);
        let mut order: Vec<usize> = (0..self.rows).collect();
        for group in &self.groups {
            let mut moved = group.clone();
            random.shuffle(&mut moved);
            group.iter().zip(&moved).for_each(|(&row, &from)| order[row] = from);
        }
        order
    }

    /// Rows that are alone in their stratum.
    pub fn alone(&self) -> usize {
        self.groups.iter().filter(|group| group.len() == 1).count()
    }

    /// Rows that an exchange can give another value of the target.
    pub fn movable(&self, target: &Target) -> usize {
        let value = |&row: &usize| match target {
            Target::Classes(classes) => u64::from(classes.codes()[row]),
            Target::Real(values) => (values[row] + 0.0).to_bits(),
        };
        let moves =
            |group: &&Vec<usize>| group.iter().map(value).collect::<BTreeSet<_>>().len() > 1;
        self.groups.iter().filter(moves).map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_stay_within_strata() {
        let strata: Vec<u32> = (0..30).map(|row| row % 3).collect();
        let order = Exchange::new(30, Some(&strata)).unwrap().order(1, 2);
        assert!(order.iter().enumerate().all(|(row, &from)| strata[row] == strata[from]));
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..30).collect::<Vec<_>>());
        assert_ne!(order, sorted);
        assert!(Exchange::new(29, Some(&strata)).is_err());
    }

    #[test]
    fn rows_that_can_move_lie_in_strata_of_two_values() {
        let strata = [0, 0, 1, 1, 1, 2];
        let target = Target::Real(vec![1.0, 1.0, 2.0, 2.0, 3.0, 9.0]);
        let exchange = Exchange::new(6, Some(&strata)).unwrap();
        assert_eq!((exchange.movable(&target), exchange.alone()), (3, 1));
        assert_eq!(Exchange::new(6, None).unwrap().movable(&target), 6);
    }
}
