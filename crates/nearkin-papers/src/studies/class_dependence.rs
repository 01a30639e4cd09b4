//! Do class-dependent weights show how hard a problem is?
//!
//! Over seeded splits into training and test rows: class-dependent weights of the training
//! rows; the correlation of each class's weights with the whole's and the largest of them
//! (MaxCorr); the accuracy of a nearest-neighbour vote on the test rows; the same accuracy
//! with only the best n features, for every n, by the ranking of the whole (RELIEF) and by
//! that of the class whose weights vary most (cdRelief).
//!
//! Reference: E. Marchiori, *Class dependent feature weighting and k-nearest neighbor
//! classification*, PRIB 2013, sections 3.1 and 3.2.

use nearkin::data::{Classes, Encoder, Holdout, Split, Table, Target};
use nearkin::evaluate::each;
use nearkin::measure::{Measure, Metric, Missing, Scaling, Unknown};
use nearkin::neighbors::{Labelled, nearest_between};
use nearkin::weigh::{
    ClassDependent, Extras, FeatureWeights, RankedFeature, Weigh, by_neighbour, class_dependence,
};
use nearkin::{EvaluateError, Result, Run};

/// The class that a difference between two rows counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// The class of the row whose neighbours were looked for, as the paper's formula has it.
    #[default]
    Target,
    /// The class of the neighbour; for plain sums only.
    Neighbour,
}

/// The study and its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// How features are weighed; its metric and scale are the vote's as well.
    pub weights: ClassDependent,
    /// The class that differences count for.
    pub grouping: Grouping,
    /// Neighbours that vote.
    pub voters: usize,
    /// How rows are cut.
    pub holdout: Holdout,
    /// Number of splits.
    pub splits: usize,
    /// Follow accuracy over the number of features kept; the costly part.
    pub curves: bool,
}

/// The findings of one split.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Accuracy on the test rows with all features.
    pub accuracy: f64,
    /// Correlation of each class's weights with the whole's; `None` where there is none.
    pub correlations: Vec<Option<f64>>,
    /// The largest of them.
    pub highest: Option<f64>,
    /// Number of the class whose weights vary most.
    pub most_varied: usize,
    /// Accuracy with the best 1, 2, … features by the whole's ranking; empty unless wanted.
    pub relief: Vec<f64>,
    /// The same by the ranking of the class whose weights vary most.
    pub class_relief: Vec<f64>,
    /// The weights of the training rows.
    pub weights: FeatureWeights,
}

impl Study {
    /// Every split's outcome, in order.
    ///
    /// # Errors
    ///
    /// When the target is real, a split leaves a class without training rows, or the features
    /// cannot be weighed.
    pub fn run(&self, table: &Table, target: &Target, run: &Run) -> Result<Vec<Outcome>> {
        let Target::Classes(classes) = target else {
            return Err(EvaluateError::NeedsClasses.into());
        };
        let numbers: Vec<u64> = (0..self.splits as u64).collect();
        each(&numbers, run, |&number, run| {
            let split = self.holdout.split(target, number)?;
            self.outcome((table, target, classes), &split, run)
        })
    }

    fn outcome(
        &self,
        (table, target, classes): (&Table, &Target, &Classes),
        split: &Split,
        run: &Run,
    ) -> Result<Outcome> {
        let (train, test) = (table.select_rows(&split.train), table.select_rows(&split.test));
        let known = target.select(&split.train);
        let pairs = self.grouping == Grouping::Neighbour;
        let wanted = Extras { per_class: true, pairs, ..Extras::default() };
        let mut weights = self.weights.fit_with(&train, &known, &wanted, run)?;
        if pairs {
            weights = by_neighbour(&weights)?;
        }
        if weights.classes.len() != classes.len() {
            return Err(EvaluateError::ClassNotDrawn.into());
        }
        let dependence = class_dependence(&weights)?;
        let labels =
            |rows: &[usize]| rows.iter().map(|&r| classes.codes()[r]).collect::<Vec<u32>>();
        let (known, truth) = (labels(&split.train), labels(&split.test));
        let score = |columns: &[usize]| {
            let (train, test) = (train.select_columns(columns), test.select_columns(columns));
            self.score((&train, &known), (&test, &truth), classes.len(), run)
        };
        let all: Vec<usize> = (0..table.columns().len()).collect();
        let curve = |ranking: Vec<usize>| -> Result<Vec<f64>> {
            let kept = (1..=ranking.len()).filter(|_| self.curves);
            kept.map(|n| score(&ranking[..n])).collect()
        };
        let order = |ranked: Vec<RankedFeature>| ranked.iter().map(|r| r.index).collect();
        Ok(Outcome {
            accuracy: score(&all)?,
            relief: curve(order(weights.ranking()))?,
            class_relief: curve(order(weights.class_ranking(dependence.most_varied)))?,
            correlations: dependence.correlations,
            highest: dependence.highest,
            most_varied: dependence.most_varied,
            weights,
        })
    }

    /// Accuracy of the vote of `train` about `test`.
    fn score(
        &self,
        (train, known): (&Table, &[u32]),
        (test, truth): (&Table, &[u32]),
        classes: usize,
        run: &Run,
    ) -> Result<f64> {
        let encoder = Encoder::fit(train)?;
        let rows = encoder.encode(train)?;
        // A test row's class is not known, so a policy that asks for it will not do.
        let policy = match self.weights.common.missing {
            Missing::D => Missing::One,
            other => other,
        };
        let unknown = Unknown::fit(policy, &encoder, &rows, known, classes);
        let (metric, scale): (Metric, Scaling) = (self.weights.metric, self.weights.common.scale);
        let measure = Measure::new(&encoder, metric, scale, unknown);
        let asked = encoder.encode(test)?;
        // The nearest of all are the nearest of one class that holds all rows.
        let (base_class, no_class) = (vec![0; rows.len()], vec![0; asked.len()]);
        let base = Labelled { rows: &rows, labels: &base_class, classes: 1 };
        let queries = Labelled { rows: &asked, labels: &no_class, classes: 1 };
        let (all, k): (Vec<u32>, _) = ((0..asked.len() as u32).collect(), self.voters);
        let near = nearest_between((queries, &all), base, false, &measure, k, run)?;
        let said = |query: usize| winner(near.of(query, 0).0, known, classes);
        let right = truth.iter().enumerate().filter(|(query, truth)| said(*query) == **truth);
        Ok(right.count() as f64 / truth.len() as f64)
    }
}

/// The class most of the voters have, the nearest first; of tied ones that of the nearest.
fn winner(voters: &[u32], codes: &[u32], classes: usize) -> u32 {
    let class = |&row: &u32| codes[row as usize];
    let mut counts = vec![0; classes];
    voters.iter().map(class).for_each(|class| counts[class as usize] += 1);
    let most = counts.iter().copied().max().unwrap_or(0);
    voters.iter().map(class).find(|&class| counts[class as usize] == most).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearkin::data::bundled;
    use nearkin::weigh::ClassScale;

    fn study(rows: usize) -> Study {
        Study {
            weights: ClassDependent {
                k: 5,
                class_scale: ClassScale::Sum,
                ..ClassDependent::default()
            },
            grouping: Grouping::Target,
            voters: 5,
            holdout: Holdout::fifth(rows, 1),
            splits: 3,
            curves: true,
        }
    }

    #[test]
    fn all_features_by_either_ranking_are_all_features() {
        let (table, target) = bundled::load("wine").unwrap();
        let found = study(178).run(&table, &target, &Run::default()).unwrap();
        assert_eq!(found.len(), 3);
        for outcome in found {
            assert_eq!((outcome.relief.len(), outcome.class_relief.len()), (13, 13));
            assert_eq!(outcome.relief[12], outcome.accuracy);
            assert_eq!(outcome.class_relief[12], outcome.accuracy);
            assert!(outcome.accuracy > 0.85, "{}", outcome.accuracy);
            let highest = outcome.correlations.iter().flatten().copied().reduce(f64::max);
            assert_eq!(outcome.highest, highest);
        }
    }

    #[test]
    fn a_tie_goes_to_the_class_of_the_nearest_tied_voter() {
        assert_eq!(winner(&[4, 0, 1, 2, 3], &[1, 0, 0, 1, 2], 3), 1);
        assert_eq!(winner(&[4, 0], &[1, 0, 0, 1, 2], 3), 2);
    }

    #[test]
    fn threads_do_not_change_an_outcome() {
        let (table, target) = bundled::load("house-votes-84").unwrap();
        let on = |threads| study(435).run(&table, &target, &Run::on(threads)).unwrap();
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn a_class_missing_from_training_is_told() {
        let (table, target) = bundled::load("iris").unwrap();
        let holdout = Holdout { train: 2, test: 10, stratified: false, seed: 0 };
        let lost = Study { holdout, ..study(150) }.run(&table, &target, &Run::on(1));
        assert!(lost.unwrap_err().to_string().contains("class"));
    }
}
