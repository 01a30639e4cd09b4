//! [`Interner`]: the distinct texts of a column and a small code for each.

use std::collections::HashMap;

/// Up to here a walk along the names beats hashing, and a wide table stays light.
const WALK: usize = 12;

/// Distinct texts, numbered in order of appearance.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    names: Vec<Box<str>>,
    index: HashMap<Box<str>, u32>,
}

impl Interner {
    /// The code of `text`, if it was seen.
    pub fn find(&self, text: &str) -> Option<u32> {
        if self.names.len() <= WALK {
            return self.names.iter().position(|name| &**name == text).map(|at| at as u32);
        }
        self.index.get(text).copied()
    }

    /// Gives a text that was not seen the next code.
    pub fn add(&mut self, text: &str) -> u32 {
        let code = self.names.len() as u32;
        self.names.push(text.into());
        if self.names.len() == WALK + 1 {
            let names = self.names.iter().enumerate();
            self.index = names.map(|(at, name)| (name.clone(), at as u32)).collect();
        } else if self.names.len() > WALK {
            self.index.insert(text.into(), code);
        }
        code
    }

    /// How many distinct texts there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The first texts, at most `count`.
    pub fn first_names(&self, count: usize) -> impl Iterator<Item = &str> {
        self.names.iter().take(count).map(|name| &**name)
    }

    /// The texts in code order.
    pub fn into_names(self) -> Vec<String> {
        self.names.into_iter().map(String::from).collect()
    }
}

/// Where each name goes when they are put in order: by number if all are finite numbers, else
/// by name.
pub(crate) fn ranks(names: &[String]) -> Vec<usize> {
    let numbers: Option<Vec<f64>> = names
        .iter()
        .map(|name| crate::cell::number(name.as_bytes()).filter(|value| value.is_finite()))
        .collect();
    let mut order: Vec<usize> = (0..names.len()).collect();
    match numbers {
        Some(numbers) => order.sort_by(|&a, &b| {
            numbers[a].total_cmp(&numbers[b]).then_with(|| names[a].cmp(&names[b]))
        }),
        None => order.sort_by(|&a, &b| names[a].cmp(&names[b])),
    }
    let mut ranks = vec![0; names.len()];
    order.iter().enumerate().for_each(|(rank, &at)| ranks[at] = rank);
    ranks
}

/// The names in the order that [`ranks`] gives.
pub(crate) fn ordered(names: Vec<String>, ranks: &[usize]) -> Vec<String> {
    let mut ordered = vec![String::new(); names.len()];
    names.into_iter().zip(ranks).for_each(|(name, &rank)| ordered[rank] = name);
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_again_on_both_sides_of_the_walk() {
        let mut interner = Interner::default();
        for i in 0..3 * WALK {
            assert_eq!(interner.find(&i.to_string()), None);
            assert_eq!(interner.add(&i.to_string()), i as u32);
            (0..=i).for_each(|j| assert_eq!(interner.find(&j.to_string()), Some(j as u32)));
        }
        assert_eq!(interner.len(), 3 * WALK);
    }

    #[test]
    fn numbers_are_ordered_as_numbers_and_the_rest_by_name() {
        let order = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|n| n.to_string()).collect();
            let ranks = ranks(&names);
            ordered(names, &ranks)
        };
        assert_eq!(order(&["10", "9", "007"]), ["007", "9", "10"]);
        assert_eq!(order(&["b", "10", "9"]), ["10", "9", "b"]);
    }
}
