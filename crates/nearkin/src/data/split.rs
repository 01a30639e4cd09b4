//! Cutting rows into training and test rows, by a seed.

use super::Target;
use crate::random::Random;
use crate::{Error, ParameterError, Result};

/// Rows to learn from and rows to test on, each ascending; no row is in both.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Split {
    /// Rows to learn from.
    pub train: Vec<usize>,
    /// Rows to test on.
    pub test: Vec<usize>,
}

/// How rows are cut: so many to train on, so many to test on, drawn without replacement.
///
/// Splits are numbered; the same seed and number always give the same one, independent of other
/// draws. Rows that neither part needs are left out.
///
/// ```
/// use nearkin::data::{Holdout, Target};
/// let target = Target::classes(["a", "a", "a", "a", "b", "b"]);
/// let holdout = Holdout { train: 3, test: 3, stratified: true, seed: 7 };
/// let split = holdout.split(&target, 0)?;
/// assert_eq!((split.train.len(), split.test.len()), (3, 3));
/// assert_eq!(split.test.iter().filter(|&&row| row >= 4).count(), 1);
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holdout {
    /// Number of training rows.
    pub train: usize,
    /// Number of test rows.
    pub test: usize,
    /// Give every class its share in both parts, as near as whole rows allow. A real target
    /// has no classes and is cut as if not stratified.
    pub stratified: bool,
    /// Seed of every random choice.
    pub seed: u64,
}

impl Holdout {
    /// Four fifths of `rows` to train on, the rest (rounded up) to test on.
    pub fn fifth(rows: usize, seed: u64) -> Self {
        let test = rows.div_ceil(5);
        Self { train: rows - test, test, stratified: false, seed }
    }

    /// Split number `number` of the rows of `target`.
    ///
    /// # Errors
    /// A part without rows, or more rows than there are.
    pub fn split(&self, target: &Target, number: u64) -> Result<Split> {
        let rows = target.len();
        if self.train == 0 || self.test == 0 || self.train.saturating_add(self.test) > rows {
            let (train, test) = (self.train, self.test);
            return Err(Error::parameter(
                "split",
                ParameterError::SplitSizes { rows, train, test },
            ));
        }
        let mut random = Random::new(self.seed, number);
        let groups = match (self.stratified, target) {
            (true, Target::Classes(classes)) => {
                let mut groups = vec![Vec::new(); classes.len()];
                for (row, &class) in classes.codes().iter().enumerate() {
                    groups[class as usize].push(row);
                }
                groups
            }
            _ => vec![(0..rows).collect()],
        };
        let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
        let test = shares(&sizes, self.test);
        let left: Vec<usize> = sizes.iter().zip(&test).map(|(size, taken)| size - taken).collect();
        let train = shares(&left, self.train);
        let mut split = Split { train: Vec::new(), test: Vec::new() };
        for ((mut group, test), train) in groups.into_iter().zip(test).zip(train) {
            random.shuffle(&mut group);
            split.test.extend(&group[..test]);
            split.train.extend(&group[test..test + train]);
        }
        split.train.sort_unstable();
        split.test.sort_unstable();
        Ok(split)
    }
}

/// Share `total` rows among groups in proportion to their sizes. The largest remainders are
/// rounded up; equal ones in order.
fn shares(sizes: &[usize], total: usize) -> Vec<usize> {
    let all = sizes.iter().sum::<usize>().max(1) as u128;
    let exact = |size: usize| size as u128 * total as u128;
    let mut shares: Vec<usize> = sizes.iter().map(|&size| (exact(size) / all) as usize).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&group| (std::cmp::Reverse(exact(sizes[group]) % all), group));
    let missing = total - shares.iter().sum::<usize>();
    order.into_iter().take(missing).for_each(|group| shares[group] += 1);
    shares
}
