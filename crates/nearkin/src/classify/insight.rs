//! [`Insight`]: facts about a fit.

use super::discriminant::ClassLaw;

/// Facts about a fit. Each classifier fills in the fields that it has.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Insight {
    /// The fitted laws, for classifiers that fit laws before they see a query.
    pub laws: Vec<ClassLaw>,
    /// The prototypes, a list of training samples for each class; empty when there are none.
    pub prototypes: Vec<Vec<usize>>,
    /// The number of neighbours in use.
    pub k: Option<usize>,
    /// The α of the radius in use.
    pub alpha: Option<f64>,
    /// How many rounds the fit took, for methods that repeat until nothing changes; the largest
    /// number when there are several parts.
    pub rounds: Option<usize>,
    /// Settings, besides the number of neighbours, that were chosen on the training samples: the
    /// parameter's name, and the value that is used instead of the given one.
    pub chosen: Vec<(&'static str, f64)>,
}
