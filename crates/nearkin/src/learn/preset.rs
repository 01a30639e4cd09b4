//! [`LearnPreset`]: settings as a paper has them.

use super::{Learn, set};
use crate::Result;

/// The settings of a paper, under its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LearnPreset {
    /// The name users type: `srbs-2012`.
    pub id: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The method it is about.
    pub method: &'static str,
    /// Parameters and their values.
    pub settings: &'static [(&'static str, &'static str)],
}

/// Every preset.
pub fn presets() -> Vec<LearnPreset> {
    vec![
        LearnPreset {
            id: "sila-2008",
            summary: "SiLA as published: a symmetric matrix from null, raw columns, a class at a time",
            method: "sila",
            settings: &[
                ("norm", "cosine"),
                ("matrix", "symmetric"),
                ("mode", "one-vs-rest"),
                ("start", "null"),
            ],
        },
        LearnPreset {
            id: "srbs-2012",
            summary: "sRBS as published: weights under the cosine, raw columns, a class at a time",
            method: "srbs",
            settings: &[
                ("norm", "cosine"),
                ("matrix", "diagonal"),
                ("mode", "one-vs-rest"),
                ("solver", "published"),
                ("refresh", "false"),
                ("gamma", "0.001"),
                ("epochs", "50"),
            ],
        },
    ]
}

impl LearnPreset {
    /// Set those of the preset's parameters that `method` has.
    ///
    /// # Errors
    /// A value that `method` does not take.
    pub fn apply(&self, method: &mut dyn Learn) -> Result<()> {
        let has: Vec<&str> = method.parameters().iter().map(|p| p.name).collect();
        for (name, text) in self.settings.iter().filter(|(name, _)| has.contains(name)) {
            set(method, name, text)?;
        }
        Ok(())
    }
}
