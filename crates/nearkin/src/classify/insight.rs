//! [`Insight`]: facts about a fit.

use super::discriminant::ClassLaw;

/// Facts about a fit; a classifier fills in those it has.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Insight {
    /// The laws that were fitted, where there are any before a query is seen.
    pub laws: Vec<ClassLaw>,
    /// The training samples that stand for the classes, a list for each class; empty where none
    /// do.
    pub prototypes: Vec<Vec<usize>>,
    /// The number of neighbours in use.
    pub k: Option<usize>,
    /// The α of the radius in use.
    pub alpha: Option<f64>,
    /// How many rounds the fit took, where it goes on until nothing moves; of several parts, the
    /// most.
    pub rounds: Option<usize>,
    /// Settings that were chosen on the training samples, by the parameter's name, beside the
    /// number of neighbours: what is in use in place of what was given.
    pub chosen: Vec<(&'static str, f64)>,
}
