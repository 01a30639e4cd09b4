//! Classes told apart by the laws of descriptive statistics.
//!
//! ```text
//! ŷ = argmin_f Σ_g C(f, g) · P(g) · Π_m p_gm(T_m(x))                              (20)
//! ```
//!
//! with one law p_gm for each class g and statistic T_m, fitted by the mean of T_m over the
//! class's samples (18), (19). SDA, nnSDA and whatever other statistic one thinks of are
//! settings of this engine.
//!
//! Cost: one law a class and statistic to fit, as many products to answer.

use super::common::{Laws, Priors};
use super::law::{Law, Support};
use super::predictions::{Answer, Costs};
use crate::Result;
use crate::data::Classes;

/// The law of one statistic in one class, for inspection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassLaw {
    /// The class the law belongs to, g.
    pub class: usize,
    /// The statistic it is the law of, h: in most classifiers, of the class it looks at.
    pub statistic: usize,
    /// The part of a mixture it is, 0 where there is no mixture.
    pub component: usize,
    /// That part's share, 1 where there is no mixture.
    pub weight: f64,
    /// The mean the law was asked to have.
    pub mean: f64,
    /// The law.
    pub law: Law,
}

/// Statistics of the training samples: a row a sample, a column a statistic.
pub(crate) struct Statistics {
    pub columns: usize,
    /// `None` where a sample has no value, as the only one of its class has no neighbour there.
    pub values: Vec<Option<f64>>,
}

impl Statistics {
    /// From a function of sample and statistic.
    pub fn of(rows: usize, columns: usize, value: impl Fn(usize, usize) -> Option<f64>) -> Self {
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Self { columns, values: cells.map(|(row, column)| value(row, column)).collect() }
    }

    /// The known values of statistic `column`, with the samples they belong to.
    pub fn known(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let cells = self.values.iter().skip(column).step_by(self.columns).enumerate();
        cells.filter_map(|(row, value)| value.map(|value| (row, value)))
    }
}

/// A table of laws with priors and costs: all that prediction needs.
#[derive(Debug, Clone)]
pub(crate) struct Discriminant {
    laws: Vec<ClassLaw>,
    /// One support a statistic, or one for all.
    supports: Vec<Support>,
    log_priors: Vec<f64>,
    costs: Option<Costs>,
    declared: bool,
}

impl Discriminant {
    pub fn fit(
        settings: &Laws,
        priors: &Priors,
        classes: &Classes,
        statistics: &Statistics,
        supports: Vec<Support>,
    ) -> Result<Self> {
        let priors = priors.of(classes)?;
        let mut laws = Vec::with_capacity(classes.len() * statistics.columns);
        for class in 0..classes.len() {
            for statistic in 0..statistics.columns {
                let (mut sum, mut n, mut all, mut count) = (0.0, 0.0, 0.0, 0.0);
                for (row, value) in statistics.known(statistic) {
                    (all, count) = (all + value, count + 1.0);
                    if classes.codes()[row] as usize == class {
                        (sum, n) = (sum + value, n + 1.0);
                    }
                }
                let support = &supports[statistic.min(supports.len() - 1)];
                let mean = settings.mean(sum / n, n, all / count);
                let law = Law::fit(support, mean, settings.ends());
                laws.push(ClassLaw { class, statistic, component: 0, weight: 1.0, mean, law });
            }
        }
        Ok(Self {
            laws,
            supports,
            log_priors: priors.iter().map(|p| p.ln()).collect(),
            costs: settings.costs(classes)?,
            declared: settings.declared(),
        })
    }

    pub fn laws(&self) -> &[ClassLaw] {
        &self.laws
    }

    pub fn supports(&self) -> &[Support] {
        &self.supports
    }

    /// What the laws say of a query with these statistics.
    pub fn answer(&self, statistics: &[f64]) -> Answer {
        let mut likelihoods = vec![0.0; self.log_priors.len()];
        for law in &self.laws {
            likelihoods[law.class] += law.law.log_p(statistics[law.statistic]);
        }
        let spanned =
            |(m, &t): (usize, &f64)| self.supports[m.min(self.supports.len() - 1)].spans(t);
        let outside = self.declared && !statistics.iter().enumerate().all(spanned);
        Answer { outside, ..Answer::of_laws(&self.log_priors, &likelihoods, self.costs.as_ref()) }
    }
}
