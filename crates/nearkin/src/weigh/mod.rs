//! Question 1: which features matter? The Relief family, one file an algorithm.
//!
//! Every method is a struct of parameters that implements [`Weigh`]; [`methods`] lists them
//! and [`method`] finds one by id.

mod aggregate;
mod common;
mod contribution;
mod relieff;
mod weights;

use crate::data::{Table, Target};
use crate::parameter::Parameters;
use crate::{Error, Result, Run};

pub use common::Common;
pub use relieff::ReliefF;
pub use weights::{FeatureWeights, Ranked};

/// What a method is, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The name users type: `relieff`.
    pub id: &'static str,
    /// The name people say: `ReliefF`.
    pub title: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Where it was published.
    pub reference: &'static str,
}

/// What to work out beside the weights.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// A weight vector for each class.
    pub per_class: bool,
    /// Mean differences for each pair of target class and neighbour class.
    pub pairs: bool,
    /// Rows whose own contributions are wanted.
    pub rows: Vec<usize>,
}

/// A feature-weighting method with its parameters.
pub trait Weigh: Parameters + Send + Sync {
    /// What the method is.
    fn about(&self) -> About;

    /// Weigh the features, with what else is wanted, as `run` says.
    fn fit_with(
        &self,
        table: &Table,
        target: &Target,
        wanted: &Wanted,
        run: &Run,
    ) -> Result<FeatureWeights>;

    /// Weigh the features on all cores.
    fn fit(&self, table: &Table, target: &Target) -> Result<FeatureWeights> {
        self.fit_with(table, target, &Wanted::default(), &Run::default())
    }
}

/// Every method with its default parameters.
pub fn methods() -> Vec<Box<dyn Weigh>> {
    vec![Box::new(ReliefF::default())]
}

/// The method called `id`, with its default parameters.
pub fn method(id: &str) -> Result<Box<dyn Weigh>> {
    let mut all = methods();
    match all.iter().position(|m| m.about().id == id) {
        Some(i) => Ok(all.swap_remove(i)),
        None => {
            let ids: Vec<_> = all.iter().map(|m| m.about().id).collect();
            Err(Error::parameter(
                "method",
                format!("`{id}` is not a weighting method; there are {}", ids.join(", ")),
            ))
        }
    }
}

/// Set parameter `name` of `method` from text.
pub fn set(method: &mut dyn Weigh, name: &str, text: &str) -> Result<()> {
    if method.try_set(name, text)? {
        return Ok(());
    }
    let names: Vec<_> = method.parameters().iter().map(|p| p.name).collect();
    Err(Error::parameter(
        name,
        format!("{} has no such parameter; it has {}", method.about().id, names.join(", ")),
    ))
}
