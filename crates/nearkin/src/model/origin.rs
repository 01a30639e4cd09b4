//! [`Origin`]: what a saved model says of how it came about.

use super::parts::{Reader, Writer};
use crate::parameter::Parameters;
use crate::{ModelError, Result};

/// How a model came about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The method's id.
    pub method: String,
    /// Its parameters and their values, as a user writes them.
    pub parameters: Vec<(String, String)>,
    /// What the target was called.
    pub target: String,
    /// What it was made from, as the user named it.
    pub data: String,
    /// The type of the class names when they are not texts, in a word of the caller (such as a
    /// Python type); empty for texts.
    pub labels: String,
    /// Other settings of the caller, in the caller's own format; empty when there are none.
    pub settings: String,
}

impl Origin {
    /// The origin of what `method`, called `id`, makes of `data`.
    pub fn new(
        id: &str,
        method: &(impl Parameters + ?Sized),
        data: impl Into<String>,
        target: impl Into<String>,
    ) -> Self {
        let told = method.parameters().into_iter().map(|p| (p.name.to_owned(), p.default));
        Self {
            method: id.into(),
            parameters: told.collect(),
            target: target.into(),
            data: data.into(),
            labels: String::new(),
            settings: String::new(),
        }
    }

    /// Give a method the parameters it had.
    ///
    /// # Errors
    /// When it has no such parameter, or another range of values.
    pub fn restore(&self, method: &mut (impl Parameters + ?Sized)) -> Result<()> {
        for (name, text) in &self.parameters {
            if !method.try_set(name, text)? {
                let (method, parameter) = (self.method.clone(), name.clone());
                return Err(ModelError::LostParameter { method, parameter }.into());
            }
        }
        Ok(())
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        to.word("method", self.method.clone());
        to.pairs("parameters", &self.parameters);
        to.word("target", self.target.clone());
        to.word("data", self.data.clone());
        if !self.labels.is_empty() {
            to.word("labels", self.labels.clone());
        }
        if !self.settings.is_empty() {
            to.word("settings", self.settings.clone());
        }
    }

    pub(crate) fn read(from: &Reader) -> Result<Self> {
        Ok(Self {
            method: from.word("method")?.into(),
            parameters: from.pairs("parameters")?,
            target: from.word("target")?.into(),
            data: from.word("data")?.into(),
            labels: from.maybe("labels").unwrap_or_default(),
            settings: from.maybe("settings").unwrap_or_default(),
        })
    }
}
