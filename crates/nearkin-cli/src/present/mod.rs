//! An answer in its forms: [`table`] for people, [`csv`] for data frames, [`json`] for programs, [`figure`] to
//! look at.

pub mod bars;
pub mod columns;
pub mod csv;
mod dependence;
mod disagreement;
pub mod extra;
pub mod figure;
pub mod json;
pub mod predicted;
pub mod table;

use std::time::Duration;

use nearkin::data::Target;
use nearkin::parameter::About;
use nearkin::weigh::{Bootstrap, FeatureWeights, Weigh};

use crate::commands::{Tested, Truth};
use extra::{Cell, Extra};

/// An answer: the work done, and its results.
pub struct Answer<'a> {
    /// The method, in its wrapper, with their parameters.
    pub method: &'a dyn Weigh,
    /// The method.
    pub about: About,
    /// Its wrapper.
    pub wrapper: Option<About>,
    /// The table as the user named it.
    pub table: &'a str,
    /// Its rows.
    pub rows: usize,
    /// Its features.
    pub columns: usize,
    /// The target.
    pub target: &'a Target,
    /// The target's name.
    pub target_name: &'a str,
    /// True when the user did not choose it.
    pub target_guessed: bool,
    /// The weights.
    pub weights: &'a FeatureWeights,
    /// How features were tested.
    pub tested: Option<Tested>,
    /// How much noise would weigh.
    pub null: Option<&'a Null>,
    /// How intervals were found.
    pub bootstrap: Option<Bootstrap>,
    /// The rule that selects features, as the user typed it.
    pub select: Option<&'a str>,
    /// Whether each feature is selected, in table order; all are when there is no rule.
    pub selected: Option<&'a [bool]>,
    /// The features known to matter, if the user gave them, and how well the weights agree.
    pub truth: Option<Truth>,
    /// How much of each ranking to show.
    pub top: usize,
    /// Time spent reading.
    pub read: Duration,
    /// Time spent fitting.
    pub fitted: Duration,
}

/// How much noise would weigh by the same method on the same table: the weights that are
/// exceeded in one of twenty exchanges of the target.
pub struct Null {
    /// Exchanges of the target.
    pub exchanges: usize,
    /// By the largest weight of all features.
    pub largest: f64,
    /// By each feature.
    pub limits: Vec<f64>,
    /// By each feature for each class; empty where there are no weights per class.
    pub class_limits: Vec<Vec<f64>>,
    /// 1 where a class and feature weigh more than noise would, −1 where they weigh less.
    pub sides: Vec<Vec<i8>>,
}

/// One ranking: of the whole, of a class, of a pair of classes or of a row.
#[derive(Default)]
pub struct Ranking {
    /// The class it is of.
    pub class: Option<String>,
    /// The class of the neighbours it is about.
    pub neighbour_class: Option<String>,
    /// The row it is of.
    pub row: Option<usize>,
    /// Its features, heaviest first.
    pub places: Vec<Place>,
}

/// A feature at its place.
pub struct Place {
    /// 1 for the heaviest; equal weights share a rank.
    pub rank: usize,
    /// Its number in the table.
    pub index: usize,
    /// Its name.
    pub feature: String,
    /// Its weight.
    pub weight: f64,
    /// The other columns, in the order of [`Answer::extras`].
    pub extra: Vec<Option<Cell>>,
}

impl Answer<'_> {
    /// The overall ranking, then the rankings of classes, of pairs of classes and of rows.
    pub fn rankings(&self) -> Vec<Ranking> {
        let (found, extras) = (self.weights, self.extras());
        let places = |weights: &[f64], cells: &dyn Fn(&Extra, usize) -> Option<Cell>| {
            self.places(weights, |at| extras.iter().map(|extra| cells(extra, at)).collect())
        };
        let none = |_: &Extra, _| None;
        let whole = places(&found.weights, &|extra, at| extra.of_whole(at));
        let mut all = vec![Ranking { places: whole, ..Ranking::default() }];
        for (class, weights) in found.class_weights.iter().enumerate() {
            all.push(Ranking {
                class: Some(found.classes[class].clone()),
                places: places(weights, &|extra, at| extra.of_class(class, at)),
                ..Ranking::default()
            });
        }
        for (own, pairs) in found.classes.iter().zip(&found.pair_weights) {
            for (other, weights) in found.classes.iter().zip(pairs) {
                all.push(Ranking {
                    class: Some(own.clone()),
                    neighbour_class: Some(other.clone()),
                    places: places(weights, &none),
                    ..Ranking::default()
                });
            }
        }
        for (row, weights) in &found.row_weights {
            let places = places(weights, &none);
            all.push(Ranking { row: Some(*row), places, ..Ranking::default() });
        }
        all
    }

    /// The features to show for these `weights`, heaviest first.
    fn places(&self, weights: &[f64], extra: impl Fn(usize) -> Vec<Option<Cell>>) -> Vec<Place> {
        let features = self.weights.features.clone();
        let alone = FeatureWeights { features, weights: weights.to_vec(), ..Default::default() };
        let ranked = alone.ranking().into_iter().filter(|one| self.is_selected(one.index));
        let place = |one: nearkin::weigh::RankedFeature| Place {
            rank: one.rank,
            index: one.index,
            feature: one.feature.to_owned(),
            weight: one.weight,
            extra: extra(one.index),
        };
        ranked.take(self.top).map(place).collect()
    }

    /// The columns beside the weights.
    pub fn extras(&self) -> Vec<Extra<'_>> {
        extra::all(self.weights, self.tested, self.null, self.bootstrap.is_some())
    }

    /// True when feature number `index` is to be shown.
    pub fn is_selected(&self, index: usize) -> bool {
        self.selected.is_none_or(|mask| mask[index])
    }

    /// True when there are differences for pairs of classes.
    pub fn pairs(&self) -> bool {
        !self.weights.pair_weights.is_empty()
    }

    /// True when there are weights per class.
    pub fn per_class(&self) -> bool {
        !self.weights.class_weights.is_empty()
    }

    /// True when rows are explained.
    pub fn explains(&self) -> bool {
        !self.weights.row_weights.is_empty()
    }

    /// Class names with their numbers of rows; none for a real target.
    pub fn classes(&self) -> Vec<(&str, usize)> {
        match self.target {
            Target::Classes(classes) => {
                let names = classes.names().iter().map(String::as_str);
                names.zip(classes.counts().iter().copied()).collect()
            }
            Target::Real(_) => Vec::new(),
        }
    }
}
