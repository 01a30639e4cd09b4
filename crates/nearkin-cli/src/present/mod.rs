//! An answer in its forms: [`table`] for people, [`csv`] for data frames, [`json`] for programs.

pub mod bars;
pub mod columns;
pub mod csv;
pub mod json;
pub mod table;

use std::time::Duration;

use nearkin::data::Target;
use nearkin::weigh::{FeatureWeights, Weigh};

/// What was done and what came out.
pub struct Answer<'a> {
    /// The method with its parameters.
    pub method: &'a dyn Weigh,
    /// The table as the user named it.
    pub table: &'a str,
    /// Its rows.
    pub rows: usize,
    /// Its features.
    pub columns: usize,
    /// What was explained.
    pub target: &'a Target,
    /// What it is called.
    pub target_name: &'a str,
    /// True when the user did not choose it.
    pub target_guessed: bool,
    /// The weights.
    pub weights: &'a FeatureWeights,
    /// How much of each ranking to show.
    pub top: usize,
    /// Time spent reading.
    pub read: Duration,
    /// Time spent fitting.
    pub fitted: Duration,
}

/// One ranking: of the whole, of a class or of a row.
pub struct Ranking {
    /// The class it is of.
    pub class: Option<String>,
    /// The row it is of.
    pub row: Option<usize>,
    /// Its features, heaviest first.
    pub places: Vec<Place>,
}

/// A feature at its place.
pub struct Place {
    /// 1 for the heaviest; equal weights share a rank.
    pub rank: usize,
    /// Its name.
    pub feature: String,
    /// Its weight.
    pub weight: f64,
}

impl Answer<'_> {
    /// The ranking of the whole, then those of the classes, then those of rows.
    pub fn rankings(&self) -> Vec<Ranking> {
        let found = self.weights;
        let mut all = vec![self.ranking(None, None, &found.weights)];
        for (class, weights) in found.classes.iter().zip(&found.class_weights) {
            all.push(self.ranking(Some(class.clone()), None, weights));
        }
        for (row, weights) in &found.row_weights {
            all.push(self.ranking(None, Some(*row), weights));
        }
        all
    }

    fn ranking(&self, class: Option<String>, row: Option<usize>, weights: &[f64]) -> Ranking {
        let features = self.weights.features.clone();
        let alone = FeatureWeights { features, weights: weights.to_vec(), ..Default::default() };
        let ranked = alone.ranking();
        let places = ranked.iter().take(self.top).map(|one| Place {
            rank: one.rank,
            feature: one.feature.to_owned(),
            weight: one.weight,
        });
        Ranking { class, row, places: places.collect() }
    }

    /// True when weights per class were asked for.
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
