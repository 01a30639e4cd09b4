//! [`Predictions`]: the answers of a classifier about all queries, and how a row is decided.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::data::SimilarityMatrix;
use crate::{ClassifyError, Error, ParameterError, Result, Run};

/// The answers of a classifier about all queries.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// The class names, in code order.
    pub names: Vec<String>,
    /// The class of each query.
    pub class: Vec<u32>,
    /// The numbers that the rule compares, one row for each query, one column for each class:
    /// similarities to centroids, votes, logarithms of joint probabilities. −∞ marks a class that
    /// was left out.
    pub scores: Vec<f64>,
    /// log P(class | query), a row a query, where the rule has probabilities.
    pub log_posteriors: Option<Vec<f64>>,
    /// The largest log-likelihood over the classes, where the rule has laws: the lower, the less
    /// the query resembles the training samples.
    pub log_likelihood: Option<Vec<f64>>,
    /// True where a statistic of the query lies outside a support that was declared.
    pub outside: Vec<bool>,
    /// True where a neighbourhood held too little for its rule and a plainer one decided.
    pub fallback: Vec<bool>,
}

impl Predictions {
    /// Number of queries.
    pub fn len(&self) -> usize {
        self.class.len()
    }

    /// True when there were no queries.
    pub fn is_empty(&self) -> bool {
        self.class.is_empty()
    }

    /// The same classifier's answers about further queries, after these.
    pub(crate) fn append(&mut self, further: Self) {
        let join = |into: &mut Option<Vec<f64>>, from: Option<Vec<f64>>| {
            into.iter_mut().zip(from).for_each(|(into, from)| into.extend(from));
        };
        self.class.extend(further.class);
        self.scores.extend(further.scores);
        join(&mut self.log_posteriors, further.log_posteriors);
        join(&mut self.log_likelihood, further.log_likelihood);
        self.outside.extend(further.outside);
        self.fallback.extend(further.fallback);
    }

    /// The class of each query, by name.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.class.iter().map(|&class| self.names[class as usize].as_str())
    }

    /// The scores of query `row`, one a class.
    pub fn scores_of(&self, row: usize) -> &[f64] {
        &self.scores[row * self.names.len()..(row + 1) * self.names.len()]
    }

    /// The class probabilities of query `row`, where the rule has any.
    pub fn probabilities(&self, row: usize) -> Option<Vec<f64>> {
        let width = self.names.len();
        let row = &self.log_posteriors.as_ref()?[row * width..(row + 1) * width];
        Some(row.iter().map(|log| log.exp()).collect())
    }

    /// The anomaly score of each query, where the rule has laws: minus the largest log-likelihood
    /// over the classes. The larger, the less any class explains the query.
    pub fn anomaly(&self) -> Option<Vec<f64>> {
        Some(self.log_likelihood.as_ref()?.iter().map(|log| -log).collect())
    }

    /// log Σ_g P(g) p(x | g) of each query, where the rule has laws: its log-likelihood under the
    /// whole model.
    pub fn log_evidence(&self) -> Option<Vec<f64>> {
        self.log_likelihood.as_ref()?;
        let rows = 0..self.len();
        Some(rows.map(|row| log_sum_exp(self.scores_of(row))).collect())
    }

    /// New decisions from the same probabilities under C(f, g), the cost of predicting f when the
    /// true class is g: a matrix row by row, with a row for each predicted class. Nothing is fitted
    /// again.
    ///
    /// Queries where a plainer rule had to decide keep their class.
    ///
    /// # Errors
    /// When the classifier gave no probabilities, or the costs are not one for each pair of
    /// classes, finite and at least 0.
    pub fn with_costs(&self, costs: &[f64]) -> Result<Self> {
        let costs = Costs::new(Some(costs), &self.names)?;
        let Some(log_posteriors) = &self.log_posteriors else {
            return Err(ClassifyError::NoExpectedCost.into());
        };
        let rows = log_posteriors.chunks_exact(self.names.len().max(1));
        let decided =
            rows.zip(&self.class).zip(&self.fallback).map(|((row, &class), &fallback)| {
                if fallback { class } else { decide(row, costs.as_ref()) as u32 }
            });
        Ok(Self { class: decided.collect(), ..self.clone() })
    }

    /// How many queries got another class than the true one, by name.
    pub fn errors<S: AsRef<str>>(&self, truth: impl IntoIterator<Item = S>) -> usize {
        self.labels().zip(truth).filter(|(said, true_one)| *said != true_one.as_ref()).count()
    }
}

/// The answer of a rule about one query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub class: usize,
    pub scores: Vec<f64>,
    pub log_posteriors: Option<Vec<f64>>,
    pub log_likelihood: Option<f64>,
    pub outside: bool,
    pub fallback: bool,
}

impl Answer {
    /// The class of the largest score; ties go to the larger prior, then to the first class.
    pub fn of_scores(scores: Vec<f64>, priors: &[f64]) -> Self {
        let mut class = 0;
        for g in 1..scores.len() {
            let tied = scores[g] == scores[class] && priors[g] > priors[class];
            if scores[g] > scores[class] || tied {
                class = g;
            }
        }
        Self {
            class,
            scores,
            log_posteriors: None,
            log_likelihood: None,
            outside: false,
            fallback: false,
        }
    }

    /// The class of least expected cost (20), from log-priors and log-likelihoods.
    ///
    /// When every class is impossible, the priors decide.
    pub fn of_laws(log_priors: &[f64], log_likelihoods: &[f64], costs: Option<&Costs>) -> Self {
        let joint: Vec<f64> = log_priors.iter().zip(log_likelihoods).map(|(p, l)| p + l).collect();
        let possible = joint.iter().any(|log| *log > f64::NEG_INFINITY);
        let log_posteriors = normalised(if possible { &joint } else { log_priors });
        let class = decide(&log_posteriors, costs);
        let likeliest = log_likelihoods.iter().zip(log_priors);
        let likeliest = likeliest.filter(|(_, prior)| **prior > f64::NEG_INFINITY).map(|(l, _)| *l);
        Self {
            class,
            scores: joint,
            log_posteriors: Some(log_posteriors),
            log_likelihood: Some(likeliest.fold(f64::NEG_INFINITY, f64::max)),
            outside: false,
            fallback: false,
        }
    }
}

/// log Σ exp, −∞ for nothing but −∞.
pub(crate) fn log_sum_exp(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + logs.iter().map(|log| (log - most).exp()).sum::<f64>().ln()
}

/// The logarithms less that of their sum.
fn normalised(logs: &[f64]) -> Vec<f64> {
    let total = log_sum_exp(logs);
    logs.iter().map(|log| log - total).collect()
}

/// C(f, g), the cost of predicting f when the true class is g, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Costs {
    values: Vec<f64>,
    classes: usize,
}

impl Costs {
    pub fn new(given: Option<&[f64]>, names: &[String]) -> Result<Option<Self>> {
        let Some(values) = given else { return Ok(None) };
        let width = names.len();
        if values.len() != width * width {
            let (given, classes) = (values.len(), names.to_vec());
            return Err(Error::parameter(
                "costs",
                ParameterError::CostsDisagree { given, classes },
            ));
        }
        if let Some(&got) = values.iter().find(|cost| !(cost.is_finite() && **cost >= 0.0)) {
            return Err(Error::parameter("costs", ParameterError::NegativeOrInfinite { got }));
        }
        Ok(Some(Self { values: values.to_vec(), classes: width }))
    }

    /// The cost of predicting `said` when `truth` is the true class.
    pub fn of(&self, said: usize, truth: usize) -> f64 {
        self.values[said * self.classes + truth]
    }
}

/// The cost of predicting `said` when `truth` is the true class: 0 or 1 if no costs are given.
pub(crate) fn cost(costs: Option<&Costs>, said: usize, truth: usize) -> f64 {
    costs.map_or(f64::from(said != truth), |costs| costs.of(said, truth))
}

/// The expected cost of saying each class, or its log-posterior's negative without costs.
pub(crate) fn risks(log_posteriors: &[f64], costs: Option<&Costs>) -> Vec<f64> {
    let Some(costs) = costs else { return log_posteriors.iter().map(|log| -log).collect() };
    let posteriors: Vec<f64> = log_posteriors.iter().map(|log| log.exp()).collect();
    let risk = |said| posteriors.iter().enumerate().map(|(g, p)| costs.of(said, g) * p).sum();
    (0..posteriors.len()).map(risk).collect()
}

/// The class of least risk, the first on ties.
pub(crate) fn decide(log_posteriors: &[f64], costs: Option<&Costs>) -> usize {
    let risks = risks(log_posteriors, costs);
    (1..risks.len()).fold(0, |best, g| if risks[g] < risks[best] { g } else { best })
}

/// Do `work` for every row in parallel, results in order; stop where the watcher wants to.
pub(crate) fn each_row<T: Send>(
    rows: usize,
    run: &Run,
    work: impl Fn(usize) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let done = AtomicU64::new(0);
    run.install(|| {
        let one = |row: usize| {
            run.check(done.fetch_add(1, Ordering::Relaxed), rows as u64)?;
            work(row)
        };
        (0..rows).into_par_iter().map(one).collect()
    })?
}

/// Refuse queries with similarities to another number of references than the classifier has.
pub(crate) fn check_references(queries: &SimilarityMatrix, references: usize) -> Result<()> {
    if queries.columns() == references {
        return Ok(());
    }
    let (queries, fitted) = (queries.columns(), references);
    Err(ClassifyError::ReferencesDisagree { queries, fitted }.into())
}

/// Ask `rule` about every query, in parallel, answers in order.
pub(crate) fn predict_rows(
    names: &[String],
    references: usize,
    queries: &SimilarityMatrix,
    run: &Run,
    rule: impl Fn(usize, &[f64]) -> Result<Answer> + Sync,
) -> Result<Predictions> {
    check_references(queries, references)?;
    let answers = each_row(queries.rows(), run, |row| rule(row, &queries.row(row)))?;
    Ok(assemble(names, &answers))
}

/// The answers of all rows as one table.
pub(crate) fn assemble(names: &[String], answers: &[Answer]) -> Predictions {
    let all = |part: fn(&Answer) -> Option<&Vec<f64>>| -> Option<Vec<f64>> {
        let parts: Option<Vec<&Vec<f64>>> = answers.iter().map(part).collect();
        Some(parts?.into_iter().flatten().copied().collect())
    };
    Predictions {
        names: names.to_vec(),
        class: answers.iter().map(|a| a.class as u32).collect(),
        scores: all(|a| Some(&a.scores)).unwrap_or_default(),
        log_posteriors: all(|a| a.log_posteriors.as_ref()),
        log_likelihood: answers.iter().map(|a| a.log_likelihood).collect(),
        outside: answers.iter().map(|a| a.outside).collect(),
        fallback: answers.iter().map(|a| a.fallback).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_everywhere_falls_back_on_the_priors() {
        let never = [f64::NEG_INFINITY; 2];
        let answer = Answer::of_laws(&[0.25f64.ln(), 0.75f64.ln()], &never, None);
        assert_eq!(answer.class, 1);
        let p: Vec<f64> = answer.log_posteriors.unwrap().iter().map(|log| log.exp()).collect();
        assert!((p[0] - 0.25).abs() < 1e-15 && (p[1] - 0.75).abs() < 1e-15);
    }

    #[test]
    fn costs_move_the_decision_and_not_the_probabilities() {
        let names = ["a", "b"].map(String::from);
        let (priors, likelihoods) = ([0.5f64.ln(); 2], [0.3f64.ln(), 0.7f64.ln()]);
        let plain = Answer::of_laws(&priors, &likelihoods, None);
        // Missing an `a` costs ten times as much as missing a `b`.
        let costs = Costs::new(Some(&[0.0, 1.0, 10.0, 0.0]), &names).unwrap();
        let careful = Answer::of_laws(&priors, &likelihoods, costs.as_ref());
        assert_eq!((plain.class, careful.class), (1, 0));
        assert_eq!(plain.log_posteriors, careful.log_posteriors);
        let zero_one = Costs::new(Some(&[0.0, 1.0, 1.0, 0.0]), &names).unwrap();
        assert_eq!(Answer::of_laws(&priors, &likelihoods, zero_one.as_ref()).class, 1);
        let short = Costs::new(Some(&[0.0, 1.0]), &names).unwrap_err().to_string();
        assert!(short.contains("2 × 2"), "{short}");
        let below = Costs::new(Some(&[0.0, 1.0, -1.0, 0.0]), &names).unwrap_err().to_string();
        assert_eq!(below, "costs: must be finite and not below 0, got -1");
    }

    #[test]
    fn ties_of_scores_go_to_the_larger_prior_then_to_the_first() {
        assert_eq!(Answer::of_scores(vec![1.0, 2.0, 2.0], &[0.5, 0.2, 0.3]).class, 2);
        assert_eq!(Answer::of_scores(vec![2.0, 1.0, 2.0], &[0.4, 0.2, 0.4]).class, 0);
    }
}
