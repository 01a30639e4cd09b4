//! Reading weights: where classes disagree, how class weights relate to the whole, what to keep.
//!
//! [`disagreements`] lists features whose weight is above 0 for one class and below 0 for
//! another. That is no finding by itself: with classes of unequal size the weights of noise
//! differ in sign, too. [`NullWeights::class_sides`](super::NullWeights::class_sides) tells what
//! differs beyond that. [`class_dependence`] is the analysis of the class-dependent paper:
//!
//! ```text
//! Corr_c = Pearson(w, w_c) over features        MaxCorr = max_c Corr_c
//! ```
//!
//! and the class whose weights vary most over features, by which cdRelief ranks. The paper
//! reads a high MaxCorr as a sign of an easy problem. Mind that with sums as weights a larger
//! class has larger weights and more variance; means (`class_scale = relieff`) compare classes of
//! different size. [`by_neighbour`] counts differences for the class of the neighbour
//! instead of the target's. [`select`] turns weights into a list of columns.
//!
//! Reference: E. Marchiori, *Class dependent feature weighting and k-nearest neighbor
//! classification*, PRIB 2013.

use super::{FeatureWeights, Test};
use crate::stats::{CorrelationP, Tail, pearson};
use crate::{Error, ParameterError, Result, WeighError};

/// A feature whose weights have different signs for two classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disagreement {
    /// Position of the feature in the table.
    pub feature: usize,
    /// The class for which its weight is above 0.
    pub above: usize,
    /// The class for which its weight is below 0.
    pub below: usize,
    /// The two weights, the positive one first.
    pub weights: (f64, f64),
}

impl Disagreement {
    /// How far the two classes are apart about the feature.
    pub fn size(&self) -> f64 {
        self.weights.0 - self.weights.1
    }
}

/// Every feature with a positive weight for one class and a negative one for another, largest
/// disagreement first; equal ones in table order.
///
/// # Errors
///
/// When the weights hold none per class.
///
/// ```
/// use nearkin::weigh::{FeatureWeights, disagreements};
/// let weights = FeatureWeights {
///     features: vec!["size".into(), "age".into()],
///     weights: vec![0.1, 0.4],
///     classes: vec!["no".into(), "yes".into()],
///     class_weights: vec![vec![-0.2, 0.1], vec![0.3, 0.3]],
///     ..FeatureWeights::default()
/// };
/// let found = disagreements(&weights)?;
/// assert_eq!((found.len(), found[0].feature), (1, 0));
/// assert_eq!((found[0].above, found[0].below), (1, 0));
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn disagreements(weights: &FeatureWeights) -> Result<Vec<Disagreement>> {
    let by_class = class_weights(weights)?;
    let mut found = Vec::new();
    for feature in 0..weights.features.len() {
        for (above, good) in by_class.iter().enumerate() {
            for (below, bad) in by_class.iter().enumerate() {
                if good[feature] > 0.0 && bad[feature] < 0.0 {
                    let weights = (good[feature], bad[feature]);
                    found.push(Disagreement { feature, above, below, weights });
                }
            }
        }
    }
    found.sort_by(|a, b| b.size().total_cmp(&a.size()));
    Ok(found)
}

/// How the weights of the classes relate to those of the whole.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct ClassDependence {
    /// Pearson's correlation of w and w_c over features, for each class; `None` where one of
    /// them is constant.
    pub correlations: Vec<Option<f64>>,
    /// The largest of them; `None` when there is none.
    pub highest: Option<f64>,
    /// Variance of w_c over features (divisor: their number), for each class.
    pub variances: Vec<f64>,
    /// The class of the largest variance, the first of equal ones: cdRelief ranks by it.
    pub most_varied: usize,
}

/// Relate the weights of each class to those of the whole.
///
/// # Errors
///
/// When the weights hold none per class, or one that is not finite.
pub fn class_dependence(weights: &FeatureWeights) -> Result<ClassDependence> {
    let by_class = class_weights(weights)?;
    let correlations = by_class.iter().map(|of| {
        let found = pearson(&weights.weights, of, CorrelationP::Student, Tail::Both)?;
        Ok(found.map(|correlation| correlation.r))
    });
    let correlations: Vec<Option<f64>> = correlations.collect::<Result<_>>()?;
    let variances: Vec<f64> = by_class.iter().map(|of| variance(of)).collect();
    let most = variances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(ClassDependence {
        highest: correlations.iter().flatten().copied().reduce(f64::max),
        most_varied: variances.iter().position(|&v| v == most).unwrap_or(0),
        correlations,
        variances,
    })
}

/// The same weights with every difference counted for the class of the neighbour instead of the
/// class of the target:
///
/// ```text
/// w'_c = − Σ_{x ∈ X_c} Σ_{z ∈ KNN(x, c)} |x − z| + Σ_{x ∉ X_c} Σ_{z ∈ KNN(x, c)} |x − z|
/// ```
///
/// They sum to the same whole: Σ w'_c = w. The paper's formula groups by target; its printed
/// correlations come out under this grouping and not under that one (docs/reproduction.md).
/// Needs plain sums (`class_scale = sum`) with weights for pairs of classes.
///
/// # Errors
///
/// When the weights hold none for pairs of classes.
pub fn by_neighbour(weights: &FeatureWeights) -> Result<FeatureWeights> {
    let pairs = &weights.pair_weights;
    if pairs.is_empty() {
        return Err(WeighError::NoPairWeights.into());
    }
    let signed = |from: usize, to: usize, feature: usize| {
        let sign = if from == to { -1.0 } else { 1.0 };
        sign * pairs[from][to][feature]
    };
    let of = |to: usize| {
        let feature = |at| (0..pairs.len()).map(|from| signed(from, to, at)).sum();
        (0..weights.features.len()).map(feature).collect()
    };
    let class_weights = (0..pairs.len()).map(of).collect();
    Ok(FeatureWeights { class_weights, ..weights.clone() })
}

fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n
}

fn class_weights(weights: &FeatureWeights) -> Result<&[Vec<f64>]> {
    match weights.class_weights.len() {
        0 => Err(WeighError::NoClassWeights.into()),
        _ => Ok(&weights.class_weights),
    }
}

/// Which features to keep.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Selection {
    /// The heaviest n, in 1 to the number of features.
    Top(usize),
    /// Weights of at least this: Kira and Rendell's τ.
    AtLeast(f64),
    /// Weights above zero.
    Positive,
    /// p-values of at most this; the weights need tests.
    P(f64),
    /// p-values adjusted for many tests (q) of at most this; the weights need tests.
    Q(f64),
}

/// The columns that `selection` keeps, heaviest first; equal weights in table order.
///
/// A feature whose test decides nothing is not kept.
///
/// # Errors
///
/// When the number or threshold is outside its range, and when features are selected by tests
/// that the weights do not hold.
///
/// ```
/// use nearkin::weigh::{FeatureWeights, Selection, select};
/// let weights = FeatureWeights {
///     features: ["a", "b", "c"].map(String::from).to_vec(),
///     weights: vec![0.1, 0.5, -0.2],
///     ..FeatureWeights::default()
/// };
/// assert_eq!(select(&weights, Selection::Top(1))?, [1]);
/// assert_eq!(select(&weights, Selection::Positive)?, [1, 0]);
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn select(weights: &FeatureWeights, selection: Selection) -> Result<Vec<usize>> {
    let ranked: Vec<usize> = weights.ranking().iter().map(|one| one.index).collect();
    let of = |index: usize| weights.weights[index];
    let keep = |kept: &dyn Fn(usize) -> bool| ranked.iter().copied().filter(|&i| kept(i)).collect();
    let by_test = |limit: f64, name: &str, value: &dyn Fn(&Test) -> Option<f64>| {
        if weights.tests.len() != weights.weights.len() {
            return Err(Error::parameter(name, ParameterError::NotTested));
        }
        if !(0.0..=1.0).contains(&limit) {
            let reason = ParameterError::Outside { min: 0.0, max: 1.0, got: limit };
            return Err(Error::parameter(name, reason));
        }
        Ok(keep(&|i| value(&weights.tests[i]).is_some_and(|found| found <= limit)))
    };
    match selection {
        Selection::Top(n) if n == 0 || n > ranked.len() => {
            Err(Error::parameter("top", ParameterError::Top { features: ranked.len(), got: n }))
        }
        Selection::Top(n) => Ok(ranked[..n].to_vec()),
        Selection::AtLeast(tau) if tau.is_nan() => {
            Err(Error::parameter("threshold", ParameterError::NotNumber))
        }
        Selection::AtLeast(tau) => Ok(keep(&|i| of(i) >= tau)),
        Selection::Positive => Ok(keep(&|i| of(i) > 0.0)),
        Selection::P(limit) => by_test(limit, "p", &|test| test.p),
        Selection::Q(limit) => by_test(limit, "q", &|test| test.q),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use crate::weigh::{ClassDependent, ClassScale, Extras, Weigh};

    fn weights(class_weights: &[&[f64]]) -> FeatureWeights {
        let features = class_weights[0].len();
        FeatureWeights {
            features: (0..features).map(|i| format!("f{i}")).collect(),
            weights: (0..features).map(|i| class_weights.iter().map(|w| w[i]).sum()).collect(),
            classes: (0..class_weights.len()).map(|c| format!("c{c}")).collect(),
            class_weights: class_weights.iter().map(|w| w.to_vec()).collect(),
            ..FeatureWeights::default()
        }
    }

    #[test]
    fn disagreements_are_sorted_by_size_and_zero_takes_no_side() {
        let found =
            disagreements(&weights(&[&[1.0, -1.0, 0.0], &[-2.0, 3.0, -1.0], &[0.5, 1.0, 1.0]]));
        let found = found.unwrap();
        let told: Vec<_> = found.iter().map(|d| (d.feature, d.above, d.below)).collect();
        assert_eq!(told, [(1, 1, 0), (0, 0, 1), (0, 2, 1), (1, 2, 0), (2, 2, 1)]);
        assert!(found.windows(2).all(|pair| pair[0].size() >= pair[1].size()));
    }

    #[test]
    fn one_class_that_makes_the_whole_correlates_with_it_fully() {
        let found = class_dependence(&weights(&[&[1.0, 2.0, 4.0], &[0.0, 0.0, 0.0]])).unwrap();
        assert!((found.correlations[0].unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(found.correlations[1], None);
        assert_eq!((found.highest, found.most_varied), (found.correlations[0], 0));
        assert!((found.variances[0] - 14.0 / 9.0).abs() < 1e-12);
    }

    #[test]
    fn grouping_by_neighbour_keeps_the_whole() {
        let (table, target) = crate::data::bundled::load("wine").unwrap();
        let extras = Extras { pairs: true, ..Extras::default() };
        let found =
            ClassDependent { k: 3, class_scale: ClassScale::Sum, ..ClassDependent::default() };
        let found = found.fit_with(&table, &target, &extras, &Run::default()).unwrap();
        let regrouped = by_neighbour(&found).unwrap();
        assert_ne!(regrouped.class_weights, found.class_weights);
        for (feature, whole) in found.weights.iter().enumerate() {
            let sum: f64 = regrouped.class_weights.iter().map(|w| w[feature]).sum();
            assert!((sum - whole).abs() < 1e-9);
        }
        assert!(by_neighbour(&weights(&[&[1.0]])).unwrap_err().to_string().contains("pairs"));
    }

    #[test]
    fn grouping_by_neighbour_counts_misses_where_they_fall() {
        let mut two = weights(&[&[1.0], &[5.0]]);
        two.pair_weights = vec![vec![vec![2.0], vec![3.0]], vec![vec![9.0], vec![4.0]]];
        assert_eq!(by_neighbour(&two).unwrap().class_weights, [[7.0], [-1.0]]);
    }

    #[test]
    fn without_class_weights_there_is_nothing_to_read() {
        let none = FeatureWeights::default();
        assert!(disagreements(&none).unwrap_err().to_string().contains("per_class"));
        assert!(class_dependence(&none).is_err());
    }

    #[test]
    fn what_is_kept_follows_weight_or_test() {
        let mut found = weights(&[&[0.3, 0.1, 0.2, -0.1]]);
        assert_eq!(select(&found, Selection::Top(2)), Ok(vec![0, 2]));
        assert_eq!(select(&found, Selection::AtLeast(0.2)), Ok(vec![0, 2]));
        assert_eq!(select(&found, Selection::Positive), Ok(vec![0, 2, 1]));
        assert!(select(&found, Selection::Top(5)).unwrap_err().to_string().contains("from 1 to 4"));
        assert!(select(&found, Selection::P(0.05)).unwrap_err().to_string().contains("not tested"));
        let test = |p: f64| Test { p: Some(p), q: Some(2.0 * p), ..Test::default() };
        found.tests = vec![test(0.01), test(0.04), Test::default(), test(0.5)];
        assert_eq!(select(&found, Selection::P(0.05)), Ok(vec![0, 1]));
        assert_eq!(select(&found, Selection::Q(0.05)), Ok(vec![0]));
    }
}
