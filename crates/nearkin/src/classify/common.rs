//! The common parts of classifiers: priors, the settings of laws, and training data that was checked.

use super::asked::{Queries, only};
use super::law::{Ends, Support};
use super::predictions::{Answer, Costs, Predictions, predict_rows};
use crate::data::{Classes, Parts, SimilarityMatrix, given_priors, wrong_part};
use crate::{ClassifyError, Error, Note, ParameterError, Result, Run, choice, parameters};

choice! {
    /// How likely a class is before anything is known of a query.
    #[non_exhaustive]
    pub enum Prior {
        /// Its share of the training rows.
        Empirical = "empirical",
        /// Its rows plus 1 over all rows plus the number of classes.
        Laplace = "laplace",
        /// The same for every class.
        Uniform = "uniform",
    }
}

parameters! {
    /// How likely each class is beforehand.
    pub struct Priors {
        /// How the probabilities of the classes are taken from their numbers of rows.
        prior: Prior = Prior::Empirical;
        /// Class probabilities in the order of the classes, in place of `prior`.
        priors: Option<Vec<f64>> = None;
    }
}

impl Priors {
    /// The priors of the chapter's benchmarks.
    pub fn sda_2009() -> Self {
        Self { prior: Prior::Laplace, ..Self::default() }
    }

    /// The probability of each class; they add up to 1.
    pub(crate) fn of(&self, classes: &Classes) -> Result<Vec<f64>> {
        let (n, width) = (classes.codes().len() as f64, classes.len() as f64);
        let Some(given) = &self.priors else {
            let counts = classes.counts().iter().map(|&count| count as f64);
            return Ok(match self.prior {
                Prior::Empirical => classes.priors(),
                Prior::Laplace => counts.map(|count| (count + 1.0) / (n + width)).collect(),
                Prior::Uniform => vec![1.0 / width; classes.len()],
            });
        };
        given_priors(given, classes.names())
    }

    /// Those of the classes that have a place.
    pub(crate) fn among(&self, place: &[Option<usize>]) -> Self {
        let kept = |given: &Vec<f64>| {
            let all = given.iter().zip(place).filter(|(_, place)| place.is_some());
            all.map(|(prior, _)| *prior).collect()
        };
        Self { priors: self.priors.as_ref().map(kept), ..self.clone() }
    }

    /// Factors that change the class shares among neighbours, for rules that use these shares as
    /// priors.
    pub(crate) fn tilt(&self, classes: &Classes) -> Result<Tilt> {
        if self.priors.is_none() && self.prior == Prior::Empirical {
            return Ok(Tilt { weights: None });
        }
        let moved = self.of(classes)?.into_iter().zip(classes.priors());
        Ok(Tilt { weights: Some(moved.map(|(prior, share)| prior / share).collect()) })
    }
}

/// From the shares of the training samples to the priors: what is n_g/n among all samples is
/// P(g) beforehand, so a share among neighbours counts P(g)/(n_g/n) times. Nothing is moved where
/// the priors are the shares.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tilt {
    weights: Option<Vec<f64>>,
}

impl Tilt {
    /// Amounts of the classes, each times its weight.
    pub fn weighted(&self, mut amounts: Vec<f64>) -> Vec<f64> {
        if let Some(weights) = &self.weights {
            amounts.iter_mut().zip(weights).for_each(|(amount, weight)| *amount *= weight);
        }
        amounts
    }

    /// The weight of an error on a sample of `class` when settings are chosen: the prior of the
    /// class over its share of the samples.
    pub fn weight(&self, class: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[class])
    }

    /// Shares of the classes, moved; they add up to 1 again.
    pub fn shares(&self, shares: Vec<f64>) -> Vec<f64> {
        let mut moved = self.weighted(shares);
        if self.weights.is_some() {
            let total: f64 = moved.iter().sum();
            moved.iter_mut().for_each(|share| *share /= total);
        }
        moved
    }
}

choice! {
    /// Which values a statistic is thought to take.
    #[non_exhaustive]
    pub enum Omega {
        /// The different values of the training matrix, its diagonal included.
        Observed = "observed",
        /// support_values = start, step, number of values.
        Grid = "grid",
        /// support_values = the values themselves.
        Set = "set",
        /// All numbers between the two support_values.
        Interval = "interval",
        /// All numbers from support_values on, from 0 when none is given.
        HalfLine = "half-line",
    }
}

choice! {
    /// Treatment of a class's mean at an end of the support, where λ is infinite.
    #[non_exhaustive]
    pub enum Boundary {
        /// Every mean is drawn towards that of all classes, as if `shrink` more rows had it.
        Shrink = "shrink",
        /// Means keep away from the ends by `clamp` of the support's width.
        Clamp = "clamp",
        /// The class gives every other value probability 0.
        PointMass = "point-mass",
    }
}

parameters! {
    /// How class-conditional laws are fitted and used.
    pub struct Laws {
        /// Which values a statistic can take: those observed in training, or declared ones.
        support: Omega = Omega::Observed;
        /// The declared support: start, step, number for a grid; the values of a set; two ends
        /// of an interval; the beginning of a half-line.
        support_values: Option<Vec<f64>> = None;
        /// Treatment of a mean at an end of the support.
        boundary: Boundary = Boundary::Shrink;
        /// How far means stay away from the ends of the support, as a share of its width.
        clamp: f64 = 1e-6, in 1e-15..=0.49;
        /// With the `shrink` boundary: number of rows added to each class, which have the mean of
        /// all classes.
        shrink: f64 = 1.0, in 0.0..=1e9;
        /// C(f, g), the cost of predicting f when the true class is g: a matrix row by row, with
        /// a row for each predicted class and a column for each true class; 0 and 1 when not
        /// given.
        costs: Option<Vec<f64>> = None;
    }
}

impl Laws {
    /// The settings that agree with the chapter: means clamped.
    pub fn sda_2009() -> Self {
        Self { boundary: Boundary::Clamp, ..Self::default() }
    }

    /// How means at the ends are treated. After shrinking, a mean is still at an end only if the
    /// means of all classes are. The clamp then keeps the law finite, and the same for all.
    pub(crate) fn ends(&self) -> Ends {
        match self.boundary {
            Boundary::PointMass => Ends::PointMass,
            Boundary::Clamp | Boundary::Shrink => Ends::Clamp(self.clamp),
        }
    }

    /// The mean to fit for a class of `n` values of this mean, `pooled` being that of all
    /// classes. A class without values has the pooled mean.
    pub(crate) fn mean(&self, mean: f64, n: f64, pooled: f64) -> f64 {
        match self.boundary {
            _ if n == 0.0 => pooled,
            Boundary::Shrink => (n * mean + self.shrink * pooled) / (n + self.shrink),
            Boundary::Clamp | Boundary::PointMass => mean,
        }
    }

    pub(crate) fn costs(&self, names: &[String]) -> Result<Option<Costs>> {
        Costs::new(self.costs.as_deref(), names)
    }

    /// True when the support was declared, so that a value outside it is worth a mark.
    pub(crate) fn declared(&self) -> bool {
        self.support != Omega::Observed
    }

    /// The support these settings ask for, which must span all similarities of `s`.
    pub(crate) fn omega_of(&self, s: &SimilarityMatrix, run: &Run) -> Result<Support> {
        match s.in_single() {
            Some(values) => self.omega(values.iter().copied(), run),
            None => self.omega(s.iter(), run),
        }
    }

    /// The support these settings ask for, which must span the observed `values`.
    pub(crate) fn omega<T: Copy + Into<f64> + Send>(
        &self,
        values: impl Iterator<Item = T>,
        run: &Run,
    ) -> Result<Support> {
        let given = self.support_values.as_deref();
        let wrong = |reason: ParameterError| Error::parameter("support_values", reason);
        let needs = |needs: &'static str| {
            let support = crate::parameter::Value::show(&self.support);
            wrong(ParameterError::SupportNeeds { support, needs })
        };
        let support = match (self.support, given) {
            (Omega::Observed, None) => return Support::of_many(values, run),
            (Omega::Observed, Some(_)) => return Err(wrong(ParameterError::SupportUndeclared)),
            (Omega::Grid, Some(&[start, step, count])) if count >= 1.0 && count.fract() == 0.0 => {
                Support::grid(start, step, count as usize)
            }
            (Omega::Grid, _) => return Err(needs("its start, its step and its number of values")),
            (Omega::Set, Some(values)) => Support::of(values.iter().copied()),
            (Omega::Set, None) => return Err(needs("its values")),
            (Omega::Interval, Some(&[low, high])) => Support::interval(low, high),
            (Omega::Interval, _) => return Err(needs("its two ends")),
            (Omega::HalfLine, None) => Ok(Support::HalfLine { low: 0.0 }),
            (Omega::HalfLine, Some(&[low])) => Ok(Support::HalfLine { low }),
            (Omega::HalfLine, _) => return Err(needs("no value or its beginning")),
        }
        .map_err(|reason| wrong(ParameterError::Support { reason }))?;
        match values.map(Into::into).find(|&value| !support.spans(value)) {
            None => Ok(support),
            Some(value) => {
                let (low, high) = (support.low(), support.high());
                Err(wrong(ParameterError::SupportTooNarrow { low, high, value }))
            }
        }
    }
}

/// A square matrix and the classes of its rows, checked to fit each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Training<'t> {
    pub s: &'t SimilarityMatrix<'t>,
    pub classes: &'t Classes,
}

impl<'t> Training<'t> {
    /// The one matrix of `views` and its classes.
    pub fn of(
        views: &'t [SimilarityMatrix<'t>],
        classes: &'t Classes,
        method: &'static str,
    ) -> Result<Self> {
        Self::new(only(views, method)?, classes, method)
    }

    pub fn new(
        s: &'t SimilarityMatrix<'t>,
        classes: &'t Classes,
        method: &'static str,
    ) -> Result<Self> {
        if s.rows() != s.columns() {
            let (rows, columns) = (s.rows(), s.columns());
            return Err(ClassifyError::NotSquare { rows, columns, method }.into());
        }
        check_labels(s, classes)?;
        Ok(Self { s, classes })
    }

    /// Number of samples.
    pub fn n(&self) -> usize {
        self.s.rows()
    }

    /// The class of sample `row`.
    pub fn class(&self, row: usize) -> usize {
        self.classes.codes()[row] as usize
    }

    /// Every class's samples.
    pub fn by_class(&self) -> Vec<Vec<usize>> {
        by_class(self.classes)
    }
}

/// The rows of every class, in order.
pub(crate) fn by_class(classes: &Classes) -> Vec<Vec<usize>> {
    let mut by_class = vec![Vec::new(); classes.len()];
    for (row, &class) in classes.codes().iter().enumerate() {
        by_class[class as usize].push(row);
    }
    by_class
}

/// The common part of most fitted rules: classes, the number of references, priors.
#[derive(Debug)]
pub(crate) struct Known {
    pub names: Vec<String>,
    pub references: usize,
    /// A number a class, logarithms where the rule keeps them.
    pub priors: Vec<f64>,
}

impl Known {
    pub fn of(training: Training, priors: &Priors) -> Result<Self> {
        let Training { s, classes } = training;
        let (names, references) = (classes.names().to_vec(), s.columns());
        Ok(Self { names, references, priors: priors.of(classes)? })
    }

    /// Ask `rule` about every query, from its similarities to all references.
    pub fn predict(
        &self,
        queries: Queries,
        run: &Run,
        rule: impl Fn(usize, &[f64]) -> Result<Answer> + Sync,
    ) -> Result<Predictions> {
        predict_rows(&self.names, self.references, queries.matrix()?, run, rule)
    }

    pub fn parts(&self) -> Parts {
        Parts::new()
            .with_texts("names", self.names.clone())
            .with_codes("references", vec![self.references as u32])
            .with_numbers("priors", self.priors.clone())
    }

    pub fn restore(parts: &Parts) -> Result<Self> {
        let names = parts.texts("names")?.to_vec();
        let priors = parts.exactly("priors", names.len())?.to_vec();
        Ok(Self { references: parts.code("references")?, names, priors })
    }

    /// Refuse a part called `name` of `count` entries that are not one a class.
    pub fn one_each(&self, count: usize, name: &str) -> Result<()> {
        match count == self.names.len() {
            true => Ok(()),
            false => Err(wrong_part(name, "does not fit the classes")),
        }
    }
}

/// Refuse labels that do not fit the matrix, or of one class only.
pub(crate) fn check_labels(s: &SimilarityMatrix, classes: &Classes) -> Result<()> {
    if classes.codes().len() != s.rows() {
        let (rows, labels) = (s.rows(), classes.codes().len());
        return Err(ClassifyError::LabelsDisagree { rows, labels }.into());
    }
    check_classes(classes)
}

/// Refuse a single class.
pub(crate) fn check_classes(classes: &Classes) -> Result<()> {
    match classes.names() {
        [_, _, ..] => Ok(()),
        few => {
            let class = few.first().cloned().unwrap_or_default();
            Err(ClassifyError::OneClass { class }.into())
        }
    }
}

/// The numbers of a parameter as whole ones of at least 1.
pub(crate) fn whole(name: &str, given: &[f64]) -> Result<Vec<usize>> {
    match given.iter().find(|n| **n < 1.0 || n.fract() != 0.0) {
        Some(&got) => Err(Error::parameter(name, ParameterError::ListNotWhole { min: 1, got })),
        None if given.is_empty() => Err(Error::parameter(name, ParameterError::Empty)),
        None => Ok(given.iter().map(|n| *n as usize).collect()),
    }
}

/// The numbers of a parameter, which have to be at least `min`, in order.
pub(crate) fn rising(name: &str, given: &[f64], min: f64) -> Result<Vec<f64>> {
    if let Some(&got) = given.iter().find(|value| !(value.is_finite() && **value >= min)) {
        return Err(Error::parameter(name, ParameterError::ListTooSmall { min, got }));
    }
    if given.is_empty() {
        return Err(Error::parameter(name, ParameterError::Empty));
    }
    let mut sorted = given.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(sorted)
}

/// The note where an observed support has so many values that they were gathered into cells.
pub(crate) fn support_note(support: &Support) -> Option<Note> {
    let Support::Set(values) = support else { return None };
    let (values, cells) = (values.distinct(), super::law::MOST_VALUES);
    (values > cells).then_some(Note::GatheredValues { values, cells })
}
