//! [`LearnGrid`]: which settings are tried, and [`Trial`]: one of them with its score.

use crate::Result;
use crate::measure::Similarity;

/// Settings to choose from; each method uses those that it has.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnGrid {
    /// Neighbours, in learning and in deciding.
    pub k: Vec<usize>,
    /// β of sRBS.
    pub beta: Vec<f64>,
    /// λ of sRBS.
    pub lambda: Vec<f64>,
    /// Epochs of SiLA, rising.
    pub epochs: Vec<usize>,
    /// How many of the last matrices SiLA adds up; the sum of all of them is always tried as well.
    pub last: Vec<usize>,
    /// Stop SiLA after this many of `epochs` without a better score.
    pub patience: usize,
}

impl Default for LearnGrid {
    fn default() -> Self {
        Self {
            k: vec![1, 3, 5, 7, 9],
            beta: vec![0.1, 1.0, 5.0, 10.0, 100.0],
            lambda: vec![0.0, 1e-3, 1e-2, 1e-1, 1.0],
            epochs: vec![1, 2, 3, 5, 7, 10, 20, 50, 100],
            last: vec![1, 2, 3, 5, 10, 20, 50, 100],
            patience: 4,
        }
    }
}

/// Scores a similarity on rows it was not learned from.
pub type Judge<'a> = dyn Fn(&Similarity) -> Result<f64> + Send + Sync + 'a;

/// A setting and how it did.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The parameters that were set, by name.
    pub settings: Vec<(&'static str, String)>,
    /// How far the setting leads from the plain similarity, most important first: β, −λ, k,
    /// epochs, −r. The least wins where scores are equal.
    pub change: [f64; 5],
    /// The share of right answers.
    pub score: f64,
}

impl Trial {
    /// The only setting there is.
    pub fn only(score: f64) -> Self {
        Self { settings: Vec::new(), change: [0.0; 5], score }
    }

    /// True when this one is to be preferred.
    pub fn beats(&self, other: &Self) -> bool {
        let change = || {
            let pairs = self.change.iter().zip(&other.change);
            let orders = pairs.map(|(a, b)| a.total_cmp(b));
            orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then).is_lt()
        };
        self.score > other.score || (self.score == other.score && change())
    }
}
