//! [`Norm`]: the divisor of the bilinear form of two rows; [`OwnNorm`], a caller's own.

use std::fmt;
use std::sync::Arc;

use crate::choice;

choice! {
    /// Divisor of the bilinear form of two rows.
    pub enum Norm {
        /// Nothing.
        Dot = "dot",
        /// The product of their lengths.
        Cosine = "cosine",
        /// The sum of their sums.
        Dice = "dice",
        /// The sum of their sums less what they share.
        Jaccard = "jaccard",
    }
}

impl Norm {
    /// The plain similarity's A is this much of the identity.
    pub fn plain(self) -> f64 {
        if self == Norm::Dice { 2.0 } else { 1.0 }
    }

    /// The norm as a user writes it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::Cosine => "cosine",
            Self::Dice => "dice",
            Self::Jaccard => "jaccard",
        }
    }
}

type Divisor = dyn Fn(&[f64], &[f64]) -> f64 + Send + Sync;

/// A norm N(x, y) of the caller's own. It must not depend on A. It is code, so it cannot be saved,
/// and it takes no sparse rows. Two are equal when they are the same function.
#[derive(Clone)]
pub struct OwnNorm {
    name: String,
    divisor: Arc<Divisor>,
}

impl OwnNorm {
    /// A norm with a name for messages.
    pub fn new(
        name: impl Into<String>,
        divisor: impl Fn(&[f64], &[f64]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), divisor: Arc::new(divisor) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// N(x, y).
    pub fn of(&self, x: &[f64], y: &[f64]) -> f64 {
        (self.divisor)(x, y)
    }
}

impl fmt::Debug for OwnNorm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnNorm").field(&self.name).finish()
    }
}

impl PartialEq for OwnNorm {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.divisor, &other.divisor)
    }
}
