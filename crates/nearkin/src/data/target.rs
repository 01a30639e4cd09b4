//! [`Target`]: the class or the real value to explain for every row.

use super::Parts;
use crate::{DataError, Error, ParameterError, Result};

/// Class labels as codes and names.
#[derive(Debug, Clone, PartialEq)]
pub struct Classes {
    codes: Vec<u32>,
    names: Vec<String>,
    counts: Vec<usize>,
}

impl Classes {
    /// Classes from codes into `names`; a name without rows is dropped.
    ///
    /// # Errors
    /// The first code without a name.
    pub fn new(codes: Vec<u32>, names: Vec<String>) -> Result<Self> {
        let mut counts = vec![0usize; names.len()];
        for (row, &code) in codes.iter().enumerate() {
            match counts.get_mut(code as usize) {
                Some(count) => *count += 1,
                None => {
                    let names = names.len();
                    return Err(DataError::NoClassName { row, code, names }.into());
                }
            }
        }
        Ok(Self::without_empty(&codes, &names, &counts))
    }

    /// Classes of some rows of a larger table: all names are kept, codes must be below their
    /// number.
    pub(crate) fn among(codes: Vec<u32>, names: Vec<String>) -> Result<Self> {
        let mut counts = vec![0usize; names.len()];
        for &code in &codes {
            match counts.get_mut(code as usize) {
                Some(count) => *count += 1,
                None => return Err(DataError::NoNameOfClass { code }.into()),
            }
        }
        Ok(Self { codes, names, counts })
    }

    /// Classes in the order of `names`, those without rows dropped.
    fn without_empty(codes: &[u32], names: &[String], counts: &[usize]) -> Self {
        let mut next = 0;
        let renumber: Vec<u32> = counts
            .iter()
            .map(|&count| {
                next += u32::from(count > 0);
                next.saturating_sub(1)
            })
            .collect();
        let kept = names.iter().zip(counts).filter(|(_, count)| **count > 0);
        let (names, counts) = kept.map(|(name, &count)| (name.clone(), count)).unzip();
        Self { codes: codes.iter().map(|&c| renumber[c as usize]).collect(), names, counts }
    }

    /// Classes from labels, in order of number if all are numbers, else of name.
    pub fn from_labels<S: AsRef<str>>(labels: impl IntoIterator<Item = S>) -> Self {
        let labels: Vec<S> = labels.into_iter().collect();
        let mut names: Vec<String> = labels.iter().map(|l| l.as_ref().to_owned()).collect();
        names.sort_unstable();
        names.dedup();
        let mut numbers: Vec<(f64, String)> = Vec::new();
        for name in &names {
            match name.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => numbers.push((number, name.clone())),
                _ => break,
            }
        }
        if numbers.len() == names.len() {
            numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
            names = numbers.into_iter().map(|(_, name)| name).collect();
        }
        let code_of: std::collections::HashMap<&str, u32> =
            names.iter().enumerate().map(|(i, n)| (n.as_str(), i as u32)).collect();
        let codes: Vec<u32> = labels.iter().map(|l| code_of[l.as_ref()]).collect();
        let mut counts = vec![0; names.len()];
        codes.iter().for_each(|&c| counts[c as usize] += 1);
        Self { codes, names, counts }
    }

    /// Codes and names, taken apart.
    pub fn parts(&self) -> Parts {
        Parts::new().with_codes("codes", self.codes.clone()).with_texts("names", self.names.clone())
    }

    /// The classes these parts were taken from.
    ///
    /// # Errors
    /// Parts that are absent or broken.
    pub fn restore(parts: &Parts) -> Result<Self> {
        Self::new(parts.codes("codes")?.to_vec(), parts.texts("names")?.to_vec())
    }

    /// The class of each row.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The class names in code order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Rows in each class.
    pub fn counts(&self) -> &[usize] {
        &self.counts
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True when there is no class at all.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Each class's share of the rows.
    pub fn priors(&self) -> Vec<f64> {
        let n = self.codes.len() as f64;
        self.counts.iter().map(|&c| c as f64 / n).collect()
    }
}

/// The class or the value to explain for each row.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A class.
    Classes(Classes),
    /// A real value.
    Real(Vec<f64>),
}

impl Target {
    /// Classes from labels.
    pub fn classes<S: AsRef<str>>(labels: impl IntoIterator<Item = S>) -> Self {
        Self::Classes(Classes::from_labels(labels))
    }

    /// Real values; all must be finite.
    ///
    /// # Errors
    /// The first value that is not finite.
    pub fn real(values: Vec<f64>) -> Result<Self> {
        match values.iter().position(|v| !v.is_finite()) {
            Some(row) => Err(DataError::TargetNotFinite { row, value: values[row] }.into()),
            None => Ok(Self::Real(values)),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Classes(classes) => classes.codes.len(),
            Self::Real(values) => values.len(),
        }
    }

    /// True when there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The target at the given rows; classes keep their order, those without rows disappear.
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Classes(classes) => {
                let codes: Vec<u32> = rows.iter().map(|&r| classes.codes[r]).collect();
                let mut counts = vec![0; classes.len()];
                codes.iter().for_each(|&code| counts[code as usize] += 1);
                Self::Classes(Classes::without_empty(&codes, &classes.names, &counts))
            }
            Self::Real(values) => Self::Real(rows.iter().map(|&r| values[r]).collect()),
        }
    }
}

/// Given priors of these classes, scaled so that they add up to 1.
pub(crate) fn given_priors(given: &[f64], names: &[String]) -> Result<Vec<f64>> {
    if given.len() != names.len() {
        let reason = ParameterError::PriorCount { given: given.len(), classes: names.to_vec() };
        return Err(Error::parameter("priors", reason));
    }
    let total: f64 = given.iter().sum();
    let shares: Vec<f64> = given.iter().map(|p| p / total).collect();
    // A share too small for a number counts as 0, too.
    match total.is_finite() && shares.iter().all(|share| *share > 0.0) {
        true => Ok(shares),
        false => Err(Error::parameter("priors", ParameterError::PriorNotPositive)),
    }
}
