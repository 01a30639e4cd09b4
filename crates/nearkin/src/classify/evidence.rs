//! [`Evidence`]: the probability of one query under each law.

use super::discriminant::ClassLaw;

/// The log-probability of one statistic of a query under one law.
///
/// Over the statistics of a class the log-probabilities add up to its log-likelihood; a mixture
/// first adds up its parts, each with its weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The law, with its class, its mean and its λ: that of the query's neighbourhood, where the
    /// rule is local.
    pub law: ClassLaw,
    /// The statistic, in words.
    pub statistic: String,
    /// The training sample, when the statistic is the similarity to a training sample.
    pub prototype: Option<usize>,
    /// The statistic of the query.
    pub value: f64,
    /// log p of that value under the law.
    pub log_p: f64,
    /// R of a part of a mixture: its share in the mixture's probability of the query. 1 without a
    /// mixture.
    pub responsibility: f64,
}
