//! [`Parts`]: a fitted value as named arrays, so that it can be saved.

use std::collections::BTreeMap;

use crate::{DataError, Error, PartFlaw, Result};

/// Named arrays of numbers, whole numbers and texts: all that a fitted value consists of.
///
/// A fitted value gives its parts. Its method restores it from them and from the method's own
/// parameters; a file holds the arrays as they are. Names of the parts of a part begin with its
/// name and a dot.
///
/// ```
/// use nearkin::data::Parts;
/// let inner = Parts::new().with_numbers("mean", vec![0.5]);
/// let whole = Parts::new().with_texts("names", vec!["a".into()]).with("law", inner);
/// assert_eq!(whole.numbers("law.mean")?, [0.5]);
/// assert_eq!(whole.within("law").number("mean")?, 0.5);
/// assert!(whole.numbers("law.width").unwrap_err().to_string().contains("`law.width`"));
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
pub struct Parts {
    numbers: BTreeMap<String, Vec<f64>>,
    codes: BTreeMap<String, Vec<u32>>,
    texts: BTreeMap<String, Vec<String>>,
}

impl Parts {
    /// No parts at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many numbers, whole numbers and texts there are.
    pub fn len(&self) -> usize {
        let numbers = self.numbers.values().map(Vec::len).sum::<usize>();
        let codes = self.codes.values().map(Vec::len).sum::<usize>();
        numbers + codes + self.texts.values().map(Vec::len).sum::<usize>()
    }

    /// True when there is nothing in them.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// These parts and an array of numbers.
    pub fn with_numbers(mut self, name: impl Into<String>, values: Vec<f64>) -> Self {
        self.numbers.insert(name.into(), values);
        self
    }

    /// These parts and an array of whole numbers.
    pub fn with_codes(mut self, name: impl Into<String>, values: Vec<u32>) -> Self {
        self.codes.insert(name.into(), values);
        self
    }

    /// These parts and an array of texts.
    pub fn with_texts(mut self, name: impl Into<String>, values: Vec<String>) -> Self {
        self.texts.insert(name.into(), values);
        self
    }

    /// These parts and lists of positions, kept as their members and their lengths.
    pub fn with_lists(self, name: &str, lists: &[Vec<usize>]) -> Self {
        let members = lists.iter().flatten().map(|&i| i as u32).collect();
        let lengths = lists.iter().map(|list| list.len() as u32).collect();
        self.with_codes(format!("{name}.members"), members)
            .with_codes(format!("{name}.lengths"), lengths)
    }

    /// These parts, and those of another value with its name as a prefix.
    pub fn with(mut self, name: &str, inner: Parts) -> Self {
        let under = |key: String| format!("{name}.{key}");
        self.numbers.extend(inner.numbers.into_iter().map(|(key, values)| (under(key), values)));
        self.codes.extend(inner.codes.into_iter().map(|(key, values)| (under(key), values)));
        self.texts.extend(inner.texts.into_iter().map(|(key, values)| (under(key), values)));
        self
    }

    /// The parts of the value called `name`, without that name before theirs.
    pub fn within(&self, name: &str) -> Parts {
        fn cut<T: Clone>(from: &BTreeMap<String, T>, name: &str) -> BTreeMap<String, T> {
            let inner = from.iter().filter_map(|(key, values)| {
                let key = key.strip_prefix(name)?.strip_prefix('.')?;
                Some((key.to_owned(), values.clone()))
            });
            inner.collect()
        }
        Self {
            numbers: cut(&self.numbers, name),
            codes: cut(&self.codes, name),
            texts: cut(&self.texts, name),
        }
    }

    /// Every array of numbers by name.
    pub fn all_numbers(&self) -> &BTreeMap<String, Vec<f64>> {
        &self.numbers
    }

    /// Every array of whole numbers by name.
    pub fn all_codes(&self) -> &BTreeMap<String, Vec<u32>> {
        &self.codes
    }

    /// Every array of texts by name.
    pub fn all_texts(&self) -> &BTreeMap<String, Vec<String>> {
        &self.texts
    }

    /// The array of numbers called `name`.
    ///
    /// # Errors
    /// No array of that name.
    pub fn numbers(&self, name: &str) -> Result<&[f64]> {
        self.numbers.get(name).map(Vec::as_slice).ok_or_else(|| absent(name))
    }

    /// The array of whole numbers called `name`.
    ///
    /// # Errors
    /// No array of that name.
    pub fn codes(&self, name: &str) -> Result<&[u32]> {
        self.codes.get(name).map(Vec::as_slice).ok_or_else(|| absent(name))
    }

    /// The array of texts called `name`.
    ///
    /// # Errors
    /// No array of that name.
    pub fn texts(&self, name: &str) -> Result<&[String]> {
        self.texts.get(name).map(Vec::as_slice).ok_or_else(|| absent(name))
    }

    /// The only number of the array called `name`.
    ///
    /// # Errors
    /// No array of that name, or one that does not hold one number.
    pub fn number(&self, name: &str) -> Result<f64> {
        match self.numbers(name)? {
            &[one] => Ok(one),
            other => Err(broken(name, PartFlaw::NotOne { found: other.len() })),
        }
    }

    /// The only whole number of the array called `name`.
    ///
    /// # Errors
    /// No array of that name, or one that does not hold one number.
    pub fn code(&self, name: &str) -> Result<usize> {
        match self.codes(name)? {
            &[one] => Ok(one as usize),
            other => Err(broken(name, PartFlaw::NotOne { found: other.len() })),
        }
    }

    /// The `count` numbers of the array called `name`.
    ///
    /// # Errors
    /// No array of that name, or one of another length.
    pub fn exactly(&self, name: &str, count: usize) -> Result<&[f64]> {
        match self.numbers(name)? {
            values if values.len() == count => Ok(values),
            values => {
                let found = values.len();
                Err(broken(name, PartFlaw::NotAsMany { found, expected: count }))
            }
        }
    }

    /// The positions in the array called `name`, all of which must be below `limit`.
    ///
    /// # Errors
    /// No array of that name, or a position at or beyond `limit`.
    pub fn positions(&self, name: &str, limit: usize) -> Result<Vec<usize>> {
        let found: Vec<usize> = self.codes(name)?.iter().map(|&code| code as usize).collect();
        match found.iter().find(|&&at| at >= limit) {
            None => Ok(found),
            Some(&position) => Err(broken(name, PartFlaw::Beyond { position, limit })),
        }
    }

    /// The lists called `name`, all of whose positions must be below `limit`.
    ///
    /// # Errors
    /// Arrays that are absent or do not go together, or a position at or beyond `limit`.
    pub fn lists(&self, name: &str, limit: usize) -> Result<Vec<Vec<usize>>> {
        let members = self.positions(&format!("{name}.members"), limit)?;
        let lengths = self.codes(&format!("{name}.lengths"))?;
        if lengths.iter().map(|&length| length as usize).sum::<usize>() != members.len() {
            return Err(wrong(name, "has lists whose lengths do not add up to their members"));
        }
        let mut rest = members.as_slice();
        let lists = lengths.iter().map(|&length| {
            let (list, others) = rest.split_at(length as usize);
            rest = others;
            list.to_vec()
        });
        Ok(lists.collect())
    }
}

fn absent(name: &str) -> Error {
    broken(name, PartFlaw::Absent)
}

/// An error about the part called `name`.
pub(crate) fn wrong(name: &str, how: &'static str) -> Error {
    broken(name, PartFlaw::Other { how })
}

fn broken(name: &str, flaw: PartFlaw) -> Error {
    DataError::BrokenPart { part: name.to_owned(), flaw }.into()
}
