//! The discriminant: a class is decided by the laws of descriptive statistics.
//!
//! ```text
//! ŷ = argmin_f Σ_g C(f, g) · P(g) · Π_m p_gm(T_m(x))                              (20)
//! ```
//!
//! with one law p_gm for each class g and statistic T_m, fitted by the mean of T_m over the
//! class's samples (18), (19). SDA and nnSDA are settings of this engine, and so is any other
//! choice of statistics.
//!
//! Cost: one law a class and statistic to fit, as many products to answer.

use super::common::{Laws, Priors};
use super::law::{Law, Support};
use super::predictions::{Answer, Costs};
use crate::Result;
use crate::data::{Classes, Parts, wrong_part};

/// The law of one statistic in one class, for inspection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassLaw {
    /// The class the law belongs to, g.
    pub class: usize,
    /// The statistic it is the law of, h: in most classifiers, the class of the centroid or
    /// neighbour that similarities are measured to.
    pub statistic: usize,
    /// The index of the mixture's part that this law is; 0 without a mixture.
    pub component: usize,
    /// The share of that part in the mixture; 1 without a mixture.
    pub weight: f64,
    /// The mean the law was asked to have.
    pub mean: f64,
    /// The law.
    pub law: Law,
}

impl ClassLaw {
    /// Laws taken apart, in order.
    pub(crate) fn parts(laws: &[Self]) -> Parts {
        let codes = laws.iter().flat_map(|law| [law.class, law.statistic, law.component]);
        let numbers = laws.iter().flat_map(|law| {
            let [lambda, anchor, log_sum] = law.law.numbers();
            [law.weight, law.mean, lambda, anchor, log_sum]
        });
        Parts::new()
            .with_codes("of", codes.map(|code| code as u32).collect())
            .with_numbers("numbers", numbers.collect())
    }

    /// The laws these parts were taken from, of that many classes and statistics at most.
    pub(crate) fn restore(parts: &Parts, classes: usize, statistics: usize) -> Result<Vec<Self>> {
        let of = parts.codes("of")?;
        let numbers = parts.exactly("numbers", of.len() / 3 * 5)?;
        let laws = of.chunks_exact(3).zip(numbers.chunks_exact(5)).map(|(of, numbers)| {
            let law = Self {
                class: of[0] as usize,
                statistic: of[1] as usize,
                component: of[2] as usize,
                weight: numbers[0],
                mean: numbers[1],
                law: Law::of_numbers([numbers[2], numbers[3], numbers[4]]),
            };
            match law.class < classes && law.statistic < statistics {
                true => Ok(law),
                false => Err(wrong_part("of", "names a class or a statistic that is not there")),
            }
        });
        laws.collect()
    }
}

/// Statistics of the training samples: a row a sample, a column a statistic.
pub(crate) struct Statistics {
    pub columns: usize,
    /// `None` when a sample has no value: the only sample of a class has no neighbour in it.
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

/// The supports, and the index of the support of each statistic.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Supports {
    pub all: Vec<Support>,
    pub of: Vec<usize>,
}

impl Supports {
    pub fn at(&self, statistic: usize) -> &Support {
        &self.all[self.of[statistic]]
    }

    pub fn parts(&self) -> Parts {
        let of = self.of.iter().map(|&at| at as u32).collect();
        let all = self.all.iter().enumerate();
        let count = vec![self.all.len() as u32];
        let parts = Parts::new().with_codes("of", of).with_codes("count", count);
        all.fold(parts, |parts, (at, support)| parts.with(&at.to_string(), support.parts()))
    }

    pub fn restore(parts: &Parts) -> Result<Self> {
        let count = parts.code("count")?;
        let all = (0..count).map(|at| Support::restore(&parts.within(&at.to_string())));
        Ok(Self { all: all.collect::<Result<_>>()?, of: parts.positions("of", count)? })
    }
}

/// A table of laws with priors and costs: all that prediction needs.
#[derive(Debug, Clone)]
pub(crate) struct Discriminant {
    laws: Vec<ClassLaw>,
    supports: Supports,
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
        supports: Supports,
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
                let mean = settings.mean(sum / n, n, all / count);
                let law = Law::fit(supports.at(statistic), mean, settings.ends());
                laws.push(ClassLaw { class, statistic, component: 0, weight: 1.0, mean, law });
            }
        }
        Ok(Self {
            laws,
            supports,
            log_priors: priors.iter().map(|p| p.ln()).collect(),
            costs: settings.costs(classes.names())?,
            declared: settings.declared(),
        })
    }

    pub fn laws(&self) -> &[ClassLaw] {
        &self.laws
    }

    pub fn supports(&self) -> &Supports {
        &self.supports
    }

    /// The answer of the laws about a query with these statistics.
    pub fn answer(&self, statistics: &[f64]) -> Answer {
        let mut likelihoods = vec![0.0; self.log_priors.len()];
        for law in &self.laws {
            likelihoods[law.class] += law.law.log_p(statistics[law.statistic]);
        }
        let spanned = |(m, &t): (usize, &f64)| self.supports.at(m).spans(t);
        let outside = self.declared && !statistics.iter().enumerate().all(spanned);
        Answer { outside, ..Answer::of_laws(&self.log_priors, &likelihoods, self.costs.as_ref()) }
    }

    pub fn parts(&self) -> Parts {
        Parts::new()
            .with("laws", ClassLaw::parts(&self.laws))
            .with("supports", self.supports.parts())
            .with_numbers("log_priors", self.log_priors.clone())
    }

    pub fn restore(settings: &Laws, parts: &Parts, names: &[String]) -> Result<Self> {
        let supports = Supports::restore(&parts.within("supports"))?;
        let laws = ClassLaw::restore(&parts.within("laws"), names.len(), supports.of.len())?;
        Ok(Self {
            laws,
            supports,
            log_priors: parts.exactly("log_priors", names.len())?.to_vec(),
            costs: settings.costs(names)?,
            declared: settings.declared(),
        })
    }
}
