//! The steps of a pipeline, and how they are set by name.

use super::{Named, Pipeline};
use crate::measure::{Metric, Norm, Scaling, pairwise};
use crate::neighbors::Rule;
use crate::parameter::Value as _;
use crate::{Error, EvaluateError, ParameterError, Result};

/// How features are weighed, and what becomes of the weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// The weighting method.
    pub method: Named,
    /// What becomes of the weights.
    pub using: Use,
}

/// What becomes of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// The heaviest features are kept, this many; all when there are fewer.
    Keep(usize),
    /// Weights multiply differences; those below 0 count as 0. In a similarity of numbers they are
    /// the diagonal of its matrix, with their sign.
    Factors,
}

/// How alike two rows are.
#[derive(Debug, Clone, PartialEq)]
pub enum Alike {
    /// As the similarity matrix says: for data that are similarities.
    Given,
    /// The smaller this distance, the more alike. Columns may be of any kind; a missing cell
    /// differs from every other.
    Metric(Metric),
    /// The inner product of two rows of numbers, over a norm.
    Norm(Norm),
    /// A measure of pairs of rows, fitted on the training rows.
    Measure(Named),
    /// Learned from the training rows.
    Learned(Named),
}

impl Default for Alike {
    fn default() -> Self {
        Self::Metric(Metric::Euclidean)
    }
}

/// Who decides on a class.
#[derive(Debug, Clone, PartialEq)]
pub enum Decide {
    /// The nearest rows; never holds more than a few rows' similarities.
    Rule {
        /// The rule.
        rule: Rule,
        /// The number of neighbours: of all rows together (kNN) or of each class (SkNN).
        k: usize,
    },
    /// A classifier over the n × n similarities of the training rows.
    Classifier(Named),
    /// Naive Bayes, which reads the columns themselves: nothing is scaled or compared.
    Bayes(Named),
}

impl Default for Decide {
    fn default() -> Self {
        Self::Rule { rule: Rule::Knn, k: 5 }
    }
}

impl Weights {
    pub(super) fn describe(&self) -> String {
        match self.using {
            Use::Keep(n) => format!("best {n} by {}", self.method),
            Use::Factors => format!("weighed by {}", self.method),
        }
    }
}

impl Alike {
    /// The similarity a word stands for: `given`, a metric, a norm, or a measure of pairs or a
    /// learner with settings.
    ///
    /// # Errors
    /// When it stands for none, or a setting is wrong.
    pub fn parse(text: &str) -> Result<Self> {
        let named = Named::parse(text)?;
        let plain = named.settings.is_empty();
        match (named.id.as_str(), Metric::parse(&named.id), Norm::parse(&named.id)) {
            ("given", ..) if plain => Ok(Self::Given),
            (_, Ok(metric), _) if plain => Ok(Self::Metric(metric)),
            (_, _, Ok(norm)) if plain => Ok(Self::Norm(norm)),
            _ if is_known(named.measure().err(), "measure") => {
                named.measure()?;
                Ok(Self::Measure(named))
            }
            _ if is_known(named.learn().err(), "method") => {
                named.learn()?;
                Ok(Self::Learned(named))
            }
            _ => {
                let (text, [measures, learners]) = (text.to_owned(), similarities());
                let reason = ParameterError::NoSuchSimilarity { text, measures, learners };
                Err(Error::parameter("similarity", reason))
            }
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Self::Given => "given".into(),
            Self::Metric(metric) => metric.show(),
            Self::Norm(norm) => norm.show(),
            Self::Measure(named) | Self::Learned(named) => named.to_string(),
        }
    }
}

impl Decide {
    /// The decider a word stands for.
    ///
    /// `knn(k=3)` and `sknn(k=3)` are rules. Without k they are the classifiers of that name,
    /// which choose k by leave-one-out on the training rows; votes tie as in the rule.
    ///
    /// # Errors
    /// When it stands for none, or a setting is wrong.
    pub fn parse(text: &str) -> Result<Self> {
        Self::of(Named::parse(text)?)
    }

    /// As [`Decide::parse`], of a name that was read.
    ///
    /// # Errors
    /// As there.
    pub fn of(mut named: Named) -> Result<Self> {
        let rule = Rule::parse(&named.id).ok();
        if let (Some(rule), [(name, k)]) = (rule, &named.settings[..])
            && ["k", "n_neighbors"].contains(&name.as_str())
        {
            return Ok(Self::Rule { rule, k: neighbours(k)? });
        }
        if rule == Some(Rule::Knn) && named.get("ties").is_none() {
            named.set("ties", "nearest");
        }
        if named.is_naive_bayes() {
            named.naive_bayes()?;
            return Ok(Self::Bayes(named));
        }
        named.classify()?;
        Ok(Self::Classifier(named))
    }

    pub(in crate::evaluate) fn describe(&self) -> String {
        match self {
            Self::Rule { rule, k } => format!("{}(k={k})", rule.show()),
            Self::Classifier(named) | Self::Bayes(named) => named.to_string(),
        }
    }
}

/// The ids of measures, and of methods that learn one.
fn similarities() -> [Vec<&'static str>; 2] {
    let measures = pairwise::measures().iter().map(|m| m.about().id).collect();
    [measures, crate::learn::methods().iter().map(|m| m.about().id).collect()]
}

/// The error of a word that is no step.
fn no_step(step: &str) -> Error {
    let classifiers = crate::classify::classifiers().iter().map(|c| c.about().id).collect();
    let (step, [similarities, learners]) = (step.to_owned(), similarities());
    EvaluateError::NoStep { step, classifiers, similarities, learners }.into()
}

/// False when `error` says that no method has this name.
fn is_known(error: Option<Error>, kind: &str) -> bool {
    !matches!(error, Some(Error::Parameter { name, .. }) if name == kind)
}

fn neighbours(text: &str) -> Result<usize> {
    match text.parse() {
        Ok(k) if k > 0 => Ok(k),
        _ => Err(Error::parameter("k", ParameterError::NotFromOne { got: text.to_owned() })),
    }
}

impl Pipeline {
    /// Read a pipeline as [`Pipeline::describe`] writes it: steps joined by `>`. A step that is
    /// left out has its default.
    ///
    /// A step is a scaling, weights (`best 3 by relieff(k=7)`, `weighed by relieff`), a
    /// similarity or a classifier. `srbs(beta=10)` alone is a pipeline whose classifier is `knn`.
    /// Without a scaling step, numbers are scaled only for a distance of the Relief methods; every
    /// other similarity gets them unscaled.
    ///
    /// ```
    /// use nearkin::evaluate::pipeline::Pipeline;
    /// let pipeline = Pipeline::parse("zscore > best 3 by relieff > cosine > sknn(k=3)")?;
    /// assert_eq!(pipeline.describe(), "zscore > best 3 by relieff > cosine > sknn(k=3)");
    /// # Ok::<(), nearkin::Error>(())
    /// ```
    ///
    /// # Errors
    /// A word that is no step, a step that is there twice, or one after the classifier.
    pub fn parse(text: &str) -> Result<Self> {
        let mut pipeline = Self { classifier: Decide::parse("knn")?, ..Self::default() };
        // Each kind of step may appear once, and nothing may follow the classifier. Otherwise a
        // second step would replace the first one silently.
        let mut seen: Vec<(&str, &str)> = Vec::new();
        for step in text.split('>').map(str::trim) {
            let kind = if let Ok(scaling) = Scaling::parse(step) {
                pipeline.scaling = scaling;
                "scaling"
            } else if let Some(method) = step.strip_prefix("weighed by ") {
                pipeline.set("weights", method)?;
                "weights"
            } else if let Some((number, method)) =
                step.strip_prefix("best ").and_then(|rest| rest.split_once(" by "))
            {
                pipeline.set("weights", method)?;
                pipeline.set("weights.keep", number.trim())?;
                "weights"
            } else {
                let classifier = is_known(Decide::parse(step).err(), "classifier");
                if !classifier && !is_known(Alike::parse(step).err(), "similarity") {
                    return Err(no_step(step));
                }
                let kind = if classifier { "classifier" } else { "similarity" };
                pipeline.set(kind, step)?;
                kind
            };
            let before = seen.iter().find(|(other, _)| [kind, "classifier"].contains(other));
            if let Some((other, first)) = before {
                let (first, step) = ((*first).to_owned(), step.to_owned());
                return Err(match (*other == kind, kind) {
                    (true, kind) => {
                        let what = match kind {
                            "weights" => "weights",
                            "scaling" => "a scaling",
                            "similarity" => "a similarity",
                            _ => "a classifier",
                        };
                        EvaluateError::StepTwice { first, second: step, what }.into()
                    }
                    (false, _) => EvaluateError::AfterClassifier { classifier: first, step }.into(),
                });
            }
            seen.push((kind, step));
        }
        let scaled = seen.iter().any(|(kind, _)| *kind == "scaling");
        if !scaled && !matches!(pipeline.similarity, Alike::Metric(_)) {
            pipeline.scaling = Scaling::None;
        }
        Ok(pipeline)
    }

    /// Set one thing by its path: `scaling`, `weights` (a method), `weights.keep`, `similarity`,
    /// `classifier`, or a parameter of a step's method such as `similarity.beta`, `weights.k` or
    /// `classifier.k`.
    ///
    /// # Errors
    /// When there is no such thing to set, or it takes no such value.
    pub fn set(&mut self, path: &str, text: &str) -> Result<()> {
        let (step, name) = path.split_once('.').unwrap_or((path, ""));
        match (step, name) {
            ("scaling", "") => {
                let read = Scaling::parse(text);
                self.scaling = read.map_err(|reason| Error::parameter("scaling", reason))?;
            }
            ("weights", "") if text == "none" => self.weights = None,
            ("weights", "") => {
                let method = Named::parse(text)?;
                method.weigh()?;
                let using = self.weights.as_ref().map_or(Use::Factors, |w| w.using);
                self.weights = Some(Weights { method, using });
            }
            ("weights", name) => {
                let Some(weights) = &mut self.weights else {
                    return Err(Error::parameter(path, ParameterError::NoWeightsYet));
                };
                match (name, text) {
                    ("keep", "factors") => weights.using = Use::Factors,
                    ("keep", number) => weights.using = Use::Keep(neighbours(number)?),
                    _ => {
                        weights.method.set(name, text);
                        weights.method.weigh()?;
                    }
                }
            }
            ("similarity", "") => self.similarity = Alike::parse(text)?,
            ("similarity", name) => match &mut self.similarity {
                Alike::Learned(method) => {
                    method.set(name, text);
                    method.learn()?;
                }
                Alike::Measure(method) => {
                    method.set(name, text);
                    method.measure()?;
                }
                other => {
                    let reason = ParameterError::NoSettings { similarity: other.describe() };
                    return Err(Error::parameter(path, reason));
                }
            },
            ("classifier", "") => self.classifier = Decide::parse(text)?,
            ("classifier", "k" | "n_neighbors")
                if matches!(self.classifier, Decide::Rule { .. }) =>
            {
                if let Decide::Rule { k, .. } = &mut self.classifier {
                    *k = neighbours(text)?;
                }
            }
            ("classifier", name) => match &mut self.classifier {
                Decide::Classifier(method) => {
                    method.set(name, text);
                    method.classify()?;
                }
                Decide::Bayes(method) => {
                    method.set(name, text);
                    method.naive_bayes()?;
                }
                Decide::Rule { .. } => {
                    return Err(Error::parameter(path, ParameterError::RuleHasOnlyK));
                }
            },
            _ => {
                return Err(Error::parameter(path, ParameterError::NoPartOfPipeline));
            }
        }
        Ok(())
    }
}
