//! Myopic ReliefF: ReliefF without "nearest", a measure of single features.
//!
//! ```text
//! P_eq   = Σ_V P(V)²             P_same = Σ_C P(C)²
//! Gini'  = Σ_V P(V)²/P_eq Σ_C P(C|V)² − P_same
//! W'_A   = P_eq Gini'(A) / (P_same (1 − P_same))
//! ```
//!
//! It sees no interactions: what ReliefF finds and this does not is due to other features.
//! Numeric features are cut into `bins` intervals of equal width; rows that miss the feature are
//! left out for it.
//!
//! Cost: one pass over the cells, n·p.
//!
//! Lower bound for a code: 2 bytes read (a quarter of one for a genotype) and an addition. For a
//! number: 8 bytes read twice, two comparisons for the range, a subtraction, a division, a product
//! and an addition.
//!
//! Reference: M. Robnik-Šikonja and I. Kononenko, Machine Learning 53 (2003), equations 16–18.

use super::common::{check_rows, silent_columns, two_classes};
use super::{FeatureWeights, Weigh, WeighTask, about};
use crate::data::{Classes, Column, ColumnValues, Genotypes, MISSING};
use crate::{Error, ParameterError, Result, WeighError, parameters};

parameters! {
    /// Myopic ReliefF and its settings.
    pub struct MyopicReliefF {
        /// Intervals of equal width a numeric feature is cut into.
        bins: usize = 10, min 2;
    }
}

impl Weigh for MyopicReliefF {
    about! {
        "myopic-relieff" is "Myopic ReliefF",
        "ReliefF without neighbours: each feature by itself", "Robnik-Šikonja & Kononenko 2003"
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, target, .. } = task;
        check_rows(table, target)?;
        if self.bins > 10_000 {
            let reason = ParameterError::TooLarge { max: 1e4, got: self.bins as f64 };
            return Err(Error::parameter("bins", reason));
        }
        let classes = two_classes(target, "myopic-relieff")?;
        task.extras.only_weights(WeighError::ExtrasWithoutNeighbours)?;
        let weights = table.columns().iter().map(|column| self.weight(column, classes)).collect();
        Ok(FeatureWeights {
            features: table.names().map(str::to_owned).collect(),
            weights,
            notes: silent_columns(table),
            ..FeatureWeights::default()
        })
    }
}

impl MyopicReliefF {
    fn weight(&self, column: &Column, classes: &Classes) -> f64 {
        let (values, count) = self.values(column);
        let mut joint = vec![vec![0.0; classes.len()]; count];
        for (value, &class) in values.iter().zip(classes.codes()) {
            if let Some(value) = value {
                joint[*value][class as usize] += 1.0;
            }
        }
        let known: f64 = joint.iter().flatten().sum();
        let of_class = |c: usize| joint.iter().map(|row| row[c]).sum::<f64>() / known;
        let same: f64 = (0..classes.len()).map(|c| of_class(c).powi(2)).sum();
        let totals: Vec<f64> = joint.iter().map(|row| row.iter().sum::<f64>()).collect();
        let equal: f64 = totals.iter().map(|t| (t / known).powi(2)).sum();
        if known == 0.0 || same >= 1.0 {
            return 0.0;
        }
        let purity = |(row, &total): (&Vec<f64>, &f64)| match total > 0.0 {
            true => {
                (total / known).powi(2) / equal
                    * row.iter().map(|c| (c / total).powi(2)).sum::<f64>()
            }
            false => 0.0,
        };
        let gini = joint.iter().zip(&totals).map(purity).sum::<f64>() - same;
        equal * gini / (same * (1.0 - same))
    }

    /// Each row's value as a number below the count returned, or none when missing.
    fn values(&self, column: &Column) -> (Vec<Option<usize>>, usize) {
        let numbers: Vec<f64> = match &column.values {
            ColumnValues::Nominal { codes, categories } => {
                let value = |&code: &u16| (code != MISSING).then_some(usize::from(code));
                return (codes.iter().map(value).collect(), categories.len());
            }
            // Three values, whether they stand for numbers or for categories.
            ColumnValues::Genotype(cells) => {
                let value = |code: u16| (code != MISSING).then_some(usize::from(code));
                return (cells.codes().map(value).collect(), Genotypes::CATEGORIES.len());
            }
            ColumnValues::F64(lane) => lane.iter().collect(),
            ColumnValues::F32(lane) => lane.iter().map(f64::from).collect(),
        };
        let (low, high) = (numbers.iter().filter(|x| !x.is_nan()))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        let bin = |x: f64| match high > low {
            // Halves first: the range itself may be too large for a number.
            true => (((x / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) * self.bins as f64)
                as usize)
                .min(self.bins - 1),
            false => 0,
        };
        (numbers.iter().map(|&x| (!x.is_nan()).then(|| bin(x))).collect(), self.bins)
    }
}
