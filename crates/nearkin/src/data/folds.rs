//! Cutting rows again and again: folds, hold-outs, leave-one-out, by a seed.

use super::{Classes, Split};
use crate::random::Random;
use crate::{DataError, Error, ParameterError, Result};

/// Rows that a protocol leaves out for testing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cut {
    /// A share of the rows, drawn again each time; at least one row.
    HoldOut(f64),
    /// Each of this number of folds in turn, of sizes that differ by one row at most.
    Folds(usize),
    /// Each of this number of folds in turn, of ⌊n / folds⌋ rows each; the remaining rows are
    /// training rows every time, and never tested.
    EvenFolds(usize),
    /// Each row in turn, or each group.
    LeaveOneOut,
}

/// How rows are cut into training and test rows, and how often.
///
/// ```
/// use nearkin::data::{Classes, Cut, Protocol};
/// let classes = Classes::from_labels(["a", "a", "a", "b", "b", "b", "b"]);
/// let protocol = Protocol { cut: Cut::Folds(3), repeats: 2, ..Protocol::default() };
/// let splits = protocol.splits(&classes, None)?;
/// assert_eq!(splits.len(), 6);
/// assert!(splits.iter().all(|s| s.train.len() + s.test.len() == 7));
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Protocol {
    /// Rows that are left out.
    pub cut: Cut,
    /// How often the whole is done, with other draws.
    pub repeats: usize,
    /// Give every class its share of each test part, as near as whole rows allow.
    pub stratified: bool,
    /// Seed of every random choice.
    pub seed: u64,
}

impl Default for Protocol {
    /// Ten stratified folds.
    fn default() -> Self {
        Self { cut: Cut::Folds(10), repeats: 1, stratified: true, seed: 0 }
    }
}

impl Protocol {
    /// The splits in order, repetition after repetition.
    ///
    /// With `groups`, one number a row, the rows of a group are on the same side of every split;
    /// classes then have the shares that fall out.
    ///
    /// # Errors
    /// More parts than there are rows or groups, a share that leaves none, or groups that are not
    /// one a row.
    pub fn splits(&self, classes: &Classes, groups: Option<&[u32]>) -> Result<Vec<Split>> {
        let rows = classes.codes().len();
        if let Some(groups) = groups
            && groups.len() != rows
        {
            return Err(DataError::GroupsDisagree { groups: groups.len(), rows }.into());
        }
        let units = units(rows, groups);
        self.check(rows, units.len())?;
        let rounds = match self.cut {
            Cut::LeaveOneOut => 1,
            _ => self.repeats.max(1),
        };
        let mut splits = Vec::new();
        for round in 0..rounds as u64 {
            let mut random = Random::new(self.seed, round);
            let parts = match groups {
                None => self.parts(classes, &mut random),
                Some(_) => self.group_parts(&units, rows, &mut random),
            };
            splits.extend(parts.into_iter().map(|test| Split::leaving(rows, test)));
        }
        Ok(splits)
    }

    fn check(&self, rows: usize, units: usize) -> Result<()> {
        let wrong = |reason| Err(Error::parameter("protocol", reason));
        let what = if units == rows { "rows" } else { "groups" };
        match self.cut {
            Cut::HoldOut(share) if !(share > 0.0 && share < 1.0) => {
                wrong(ParameterError::HoldOutShare { got: share })
            }
            Cut::Folds(got) | Cut::EvenFolds(got) if got < 2 || got > units => {
                wrong(ParameterError::FoldCount { units, what, got })
            }
            _ if units < 2 => wrong(ParameterError::TooFewToCut { what, got: units }),
            _ => Ok(()),
        }
    }

    /// The test rows of each split of one round.
    fn parts(&self, classes: &Classes, random: &mut Random) -> Vec<Vec<usize>> {
        let rows = classes.codes().len();
        match self.cut {
            Cut::LeaveOneOut => (0..rows).map(|row| vec![row]).collect(),
            Cut::HoldOut(share) => {
                let wanted = ((rows as f64 * share).round() as usize).clamp(1, rows - 1);
                let order = self.order(classes, random);
                // Every class takes its share of an order in which classes are spread evenly.
                vec![order[..wanted].to_vec()]
            }
            Cut::Folds(folds) => {
                let mut parts = vec![Vec::new(); folds];
                let order = match self.stratified {
                    true => by_class(classes, random).concat(),
                    false => self.order(classes, random),
                };
                order.into_iter().enumerate().for_each(|(at, row)| parts[at % folds].push(row));
                parts
            }
            Cut::EvenFolds(folds) => {
                let order = self.order(classes, random);
                order.chunks(rows / folds).take(folds).map(<[usize]>::to_vec).collect()
            }
        }
    }

    /// All rows in random order, or classes spread evenly over it.
    fn order(&self, classes: &Classes, random: &mut Random) -> Vec<usize> {
        if !self.stratified {
            let mut order: Vec<usize> = (0..classes.codes().len()).collect();
            random.shuffle(&mut order);
            return order;
        }
        let mut placed: Vec<(f64, usize, usize)> = Vec::new();
        for (class, rows) in by_class(classes, random).into_iter().enumerate() {
            let width = rows.len() as f64;
            let place = |(at, row): (usize, usize)| ((at as f64 + 0.5) / width, class, row);
            placed.extend(rows.into_iter().enumerate().map(place));
        }
        placed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        placed.into_iter().map(|(.., row)| row).collect()
    }

    /// As [`Protocol::parts`], of whole groups: the largest first, each to the smallest part.
    fn group_parts(
        &self,
        units: &[Vec<usize>],
        rows: usize,
        random: &mut Random,
    ) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..units.len()).collect();
        random.shuffle(&mut order);
        let rows_of = |unit: &usize| units[*unit].clone();
        match self.cut {
            Cut::LeaveOneOut => units.to_vec(),
            Cut::HoldOut(share) => {
                let wanted = (rows as f64 * share).round() as usize;
                let mut test = Vec::new();
                for unit in &order[..units.len() - 1] {
                    if !test.is_empty() && test.len() + units[*unit].len() > wanted {
                        continue;
                    }
                    test.extend(rows_of(unit));
                }
                vec![test]
            }
            Cut::Folds(folds) | Cut::EvenFolds(folds) => {
                order.sort_by_key(|&unit| std::cmp::Reverse(units[unit].len()));
                let mut parts: Vec<Vec<usize>> = vec![Vec::new(); folds];
                for unit in &order {
                    if let Some(smallest) = parts.iter_mut().min_by_key(|part| part.len()) {
                        smallest.extend(rows_of(unit));
                    }
                }
                parts
            }
        }
    }
}

impl Split {
    /// `test` against all other rows.
    pub fn leaving(rows: usize, mut test: Vec<usize>) -> Self {
        test.sort_unstable();
        let train = (0..rows).filter(|row| test.binary_search(row).is_err()).collect();
        Self { train, test }
    }
}

/// The rows of each group, groups in order of their number; each row alone without groups.
fn units(rows: usize, groups: Option<&[u32]>) -> Vec<Vec<usize>> {
    let Some(groups) = groups else { return (0..rows).map(|row| vec![row]).collect() };
    let mut units = std::collections::BTreeMap::<u32, Vec<usize>>::new();
    groups.iter().enumerate().for_each(|(row, group)| units.entry(*group).or_default().push(row));
    units.into_values().collect()
}

fn by_class(classes: &Classes, random: &mut Random) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); classes.len()];
    classes.codes().iter().enumerate().for_each(|(row, &code)| rows[code as usize].push(row));
    rows.iter_mut().for_each(|rows| random.shuffle(rows));
    rows
}
