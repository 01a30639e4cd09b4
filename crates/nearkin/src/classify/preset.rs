//! [`Preset`]: settings as a paper has them, for every classifier.

use super::{Classify, set};
use crate::Result;

/// The settings of a paper, under its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The name users type: `sda-2009`.
    pub id: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Classifiers (all that have the parameter, where none is named), a parameter, its value.
    pub settings: &'static [(&'static [&'static str], &'static str, &'static str)],
}

/// Classifiers that use priors of the whole training set. Rules over neighbours use the shares
/// among the neighbours instead.
const WITH_PRIORS: &[&str] = &[
    "sda",
    "nn-sda",
    "mixture-sda",
    "nearest-centroid",
    "adjusted-centroid",
    "condensed-nn",
    "sknn",
    "psvm",
];

/// Every preset.
pub fn presets() -> Vec<Preset> {
    vec![Preset {
        id: "sda-2009",
        summary: "the benchmarks of the chapter: means clamped, Laplace priors, its grids of k, c, \
                  epsilon and C, thirty rounds of EM, vote ties to the first class",
        settings: &[
            (&[], "boundary", "clamp"),
            (WITH_PRIORS, "prior", "laplace"),
            (&[], "ties", "first"),
            (
                &[],
                "k_candidates",
                "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,30,40,50,60,70,80,90,100,150,200",
            ),
            (&["condensed-nn", "mixture-sda"], "c_candidates", "2,3,4,5,7,10"),
            (&["mixture-sda"], "rounds", "30"),
            (&["mixture-sda"], "tolerance", "0"),
            (
                &["psvm"],
                "c_candidates",
                "1,51,101,151,201,251,301,351,401,451,501,551,601,651,701,751,801,851,901,951",
            ),
            (&["psvm"], "epsilon_candidates", "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1"),
        ],
    }]
}

impl Preset {
    /// Set those of the preset's parameters that `classifier` has.
    ///
    /// # Errors
    /// When a value of the preset is not one that the parameter can have.
    pub fn apply(&self, classifier: &mut dyn Classify) -> Result<()> {
        let id = classifier.about().id;
        let has: Vec<&str> = classifier.parameters().iter().map(|p| p.name).collect();
        for (only, name, text) in self.settings {
            if has.contains(name) && (only.is_empty() || only.contains(&id)) {
                set(classifier, name, text)?;
            }
        }
        Ok(())
    }
}
