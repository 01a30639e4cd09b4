//! [`Named`]: a method by its id, with the settings that differ from its defaults.

use std::fmt;

use crate::classify::{self, Classify, NaiveBayes};
use crate::learn::{self, Learn};
use crate::measure::pairwise::{self, PairMeasure};
use crate::parameter::{Parameters, set};
use crate::weigh::{self, Weigh};
use crate::{Error, ParameterError, Result};

/// A method by its id and what is set of it; the rest is at its default.
///
/// Written `srbs(beta=10, lambda=0)`; [`Named::parse`] reads that back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The id: `relieff`, `srbs`, `local-sda`.
    pub id: String,
    /// Parameters by name, as a user would type them.
    pub settings: Vec<(String, String)>,
}

impl Named {
    /// The method called `id`, with its defaults.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), settings: Vec::new() }
    }

    /// The same with parameter `name` set.
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.set(name, &value.to_string());
        self
    }

    /// Set parameter `name`, in place of what was set before.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.settings.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.settings.push((name.to_owned(), value.to_owned())),
        }
    }

    /// What parameter `name` was set to.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Read `id` or `id(name=value, name=value)`.
    ///
    /// # Errors
    /// When the text has another form.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let wrong =
            || Error::parameter("method", ParameterError::NotAnId { text: text.to_owned() });
        let Some((id, rest)) = text.split_once('(') else {
            return match text.is_empty() || text.contains([')', '=']) {
                true => Err(wrong()),
                false => Ok(Self::new(text)),
            };
        };
        let inside = rest.strip_suffix(')').ok_or_else(wrong)?;
        let mut named = Self::new(id.trim());
        for part in inside.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
            match (part.split_once('='), named.settings.last_mut()) {
                (Some((name, value)), _) => named.set(name.trim(), value.trim()),
                // A list goes on: `k_candidates=1,3,5`.
                (None, Some((_, value))) => *value = format!("{value},{part}"),
                (None, None) => return Err(wrong()),
            }
        }
        Ok(named)
    }

    /// The weighting method of this name and these settings.
    ///
    /// # Errors
    /// When there is none, or it has no such parameter, or none that takes such a value.
    pub fn weigh(&self) -> Result<Box<dyn Weigh>> {
        self.given_to(weigh::method(&self.id))
    }

    /// The learner of this name and these settings.
    ///
    /// # Errors
    /// As [`Named::weigh`].
    pub fn learn(&self) -> Result<Box<dyn Learn>> {
        self.given_to(learn::method(&self.id))
    }

    /// The measure of pairs of this name and these settings.
    ///
    /// # Errors
    /// As [`Named::weigh`].
    pub fn measure(&self) -> Result<Box<dyn PairMeasure>> {
        self.given_to(pairwise::measure(&self.id))
    }

    /// The classifier of this name and these settings.
    ///
    /// # Errors
    /// As [`Named::weigh`].
    pub fn classify(&self) -> Result<Box<dyn Classify>> {
        self.given_to(classify::classifier(&self.id))
    }

    /// The method that was found, with these settings.
    fn given_to<T: Parameters + ?Sized>(&self, found: Result<Box<T>>) -> Result<Box<T>> {
        let mut found = found?;
        let mut settings = self.settings.iter();
        settings.try_for_each(|(name, value)| set(found.as_mut(), &self.id, name, value))?;
        Ok(found)
    }

    /// True when this is naive Bayes, which is no classifier over similarities.
    pub fn is_naive_bayes(&self) -> bool {
        self.id == NaiveBayes::default().about().id
    }

    /// Naive Bayes with these settings.
    ///
    /// # Errors
    /// When it has no such parameter, or none that takes such a value.
    pub fn naive_bayes(&self) -> Result<NaiveBayes> {
        let mut method = NaiveBayes::default();
        for (name, value) in &self.settings {
            if !method.try_set(name, value)? {
                let reason = ParameterError::NoSuchSetting { method: self.id.clone() };
                return Err(Error::parameter(name, reason));
            }
        }
        Ok(method)
    }
}

impl fmt::Display for Named {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.id)?;
        let settings: Vec<String> =
            self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        match settings.is_empty() {
            true => Ok(()),
            false => write!(out, "({})", settings.join(", ")),
        }
    }
}
