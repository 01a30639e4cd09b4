//! Cells, differences and distances, as plainly as they can be said.

use nearkin::data::{ColumnValues, Table};
use nearkin::measure::{Metric, Missing, Scaling};

/// Intervals a numeric column is cut into where policies count its values.
const BINS: usize = 10;

enum Cells {
    Numeric { cells: Vec<Option<f64>>, min: f64, max: f64, scale: f64 },
    Nominal { cells: Vec<Option<usize>>, values: usize },
}

/// A table under a metric, a scaling and a missing policy.
pub struct Space {
    pub n: usize,
    pub p: usize,
    pub labels: Vec<usize>,
    pub classes: usize,
    columns: Vec<Cells>,
    /// `likely[column][class][value]`: relative frequency among known cells of the class.
    likely: Vec<Vec<Vec<f64>>>,
    metric: Metric,
    missing: Missing,
}

pub fn number(table: &Table, column: usize, row: usize) -> Option<f64> {
    let value = match &table.columns()[column].values {
        ColumnValues::F64(lane) => lane.at(row),
        ColumnValues::F32(lane) => f64::from(lane.at(row)),
        ColumnValues::Nominal { .. } | ColumnValues::Genotype(_) => f64::NAN,
    };
    (!value.is_nan()).then_some(value)
}

impl Space {
    pub fn new(
        table: &Table,
        labels: &[usize],
        metric: Metric,
        scaling: Scaling,
        missing: Missing,
    ) -> Self {
        let n = table.rows();
        let columns: Vec<Cells> = (0..table.columns().len())
            .map(|c| match &table.columns()[c].values {
                ColumnValues::Nominal { codes, categories } => Cells::Nominal {
                    cells: codes
                        .iter()
                        .map(|&code| (code != nearkin::data::MISSING).then_some(code as usize))
                        .collect(),
                    values: categories.len(),
                },
                _ => numeric((0..n).map(|r| number(table, c, r)).collect(), scaling),
            })
            .collect();
        let classes = labels.iter().max().map_or(0, |m| m + 1);
        let mut space = Self {
            n,
            p: columns.len(),
            labels: labels.to_vec(),
            classes,
            columns,
            likely: vec![],
            metric,
            missing,
        };
        space.likely = (0..space.p).map(|c| space.frequencies(c)).collect();
        space
    }

    fn frequencies(&self, column: usize) -> Vec<Vec<f64>> {
        let values = self.values(column);
        (0..self.classes)
            .map(|class| {
                let mut counts = vec![0.0; values];
                for row in (0..self.n).filter(|&r| self.labels[r] == class) {
                    if let Some(value) = self.value(column, row) {
                        counts[value] += 1.0;
                    }
                }
                let known: f64 = counts.iter().sum();
                let share = |c: f64| if known > 0.0 { c / known } else { 1.0 / values as f64 };
                counts.into_iter().map(share).collect()
            })
            .collect()
    }

    /// How many different values a column is taken to have.
    fn values(&self, column: usize) -> usize {
        match &self.columns[column] {
            Cells::Numeric { .. } => BINS,
            Cells::Nominal { values, .. } => *values,
        }
    }

    /// The category or interval of a cell.
    fn value(&self, column: usize, row: usize) -> Option<usize> {
        match &self.columns[column] {
            Cells::Nominal { cells, .. } => cells[row],
            Cells::Numeric { .. } => {
                self.unit(column, row).map(|u| ((u * BINS as f64).floor() as usize).min(BINS - 1))
            }
        }
    }

    fn unit(&self, column: usize, row: usize) -> Option<f64> {
        let Cells::Numeric { cells, min, max, .. } = &self.columns[column] else { return None };
        cells[row].map(|x| if max > min { (x - min) / (max - min) } else { 0.0 })
    }

    pub fn is_missing(&self, column: usize, row: usize) -> bool {
        match &self.columns[column] {
            Cells::Numeric { cells, .. } => cells[row].is_none(),
            Cells::Nominal { cells, .. } => cells[row].is_none(),
        }
    }

    fn is_numeric(&self, column: usize) -> bool {
        matches!(self.columns[column], Cells::Numeric { .. })
    }

    /// The difference of two cells; none when the policy leaves the column out.
    pub fn diff(&self, column: usize, i: usize, j: usize) -> Option<f64> {
        let (gone_i, gone_j) = (self.is_missing(column, i), self.is_missing(column, j));
        if !gone_i && !gone_j {
            return Some(match &self.columns[column] {
                Cells::Numeric { cells, scale, .. } => {
                    (cells[i].unwrap() - cells[j].unwrap()).abs() * scale
                }
                Cells::Nominal { cells, .. } if cells[i] == cells[j] => 0.0,
                Cells::Nominal { .. } => 1.0,
            });
        }
        if self.missing == Missing::Agnostic {
            return None;
        }
        if (0..self.n).all(|row| self.is_missing(column, row)) {
            return Some(0.0);
        }
        let both = gone_i && gone_j;
        let (gone, known) = if gone_i { (i, j) } else { (j, i) };
        let even = 1.0 - 1.0 / self.values(column) as f64;
        let likely = |row: usize| &self.likely[column][self.labels[row]];
        Some(match self.missing {
            Missing::Agnostic => return None,
            Missing::B | Missing::C => even,
            Missing::D if both => {
                1.0 - likely(i).iter().zip(likely(j)).map(|(a, b)| a * b).sum::<f64>()
            }
            Missing::D => 1.0 - likely(gone)[self.value(column, known).unwrap()],
            Missing::Weka if !self.is_numeric(column) => even,
            Missing::Weka if both => 1.0,
            Missing::Weka => {
                let unit = self.unit(column, known).unwrap();
                unit.max(1.0 - unit)
            }
            Missing::Relieved => f64::from(u8::from(!both)),
            Missing::One => 1.0,
        })
    }

    /// The difference as it enters an update; none when it does not.
    pub fn update(&self, column: usize, i: usize, j: usize) -> Option<f64> {
        let gone = self.is_missing(column, i) || self.is_missing(column, j);
        if gone && self.missing == Missing::C { None } else { self.diff(column, i, j) }
    }

    /// The distance with a factor for every column, before a root is taken.
    ///
    /// Sums run in the documented order (numbers, categories, cells with something missing),
    /// so that equal distances are equal to the bit.
    pub fn weighted(&self, i: usize, j: usize, factors: &[f64]) -> f64 {
        let power = |d: f64| if self.metric == Metric::Euclidean { d * d } else { d };
        let hole = |c: usize| self.is_missing(c, i) || self.is_missing(c, j);
        let order = |c: usize| (!self.is_numeric(c), c);
        let mut columns: Vec<usize> = (0..self.p).collect();
        columns.sort_by_key(|&c| order(c));
        let (mut parts, mut left_out, mut all) = ([0.0; 3], 0.0, 0.0);
        for c in columns {
            let part = if hole(c) { 2 } else { usize::from(!self.is_numeric(c)) };
            all += factors[c];
            match self.diff(c, i, j) {
                Some(diff) => parts[part] += factors[c] * power(diff),
                None => left_out += factors[c],
            }
        }
        let mut sum = parts[0] + parts[1] + parts[2];
        if left_out > 0.0 {
            // The mean over usable columns stands for all; with none, as far as can be.
            let usable = all - left_out;
            sum = if usable > all * 1e-12 { sum * all / usable } else { all };
        }
        sum
    }

    pub fn distance(&self, i: usize, j: usize) -> f64 {
        let sum = self.weighted(i, j, &vec![1.0; self.p]);
        if self.metric == Metric::Euclidean { sum.sqrt() } else { sum }
    }

    pub fn members(&self, class: usize) -> Vec<usize> {
        (0..self.n).filter(|&r| self.labels[r] == class).collect()
    }

    pub fn shares(&self) -> Vec<f64> {
        (0..self.classes).map(|c| self.members(c).len() as f64 / self.n as f64).collect()
    }
}

fn numeric(cells: Vec<Option<f64>>, scaling: Scaling) -> Cells {
    let known: Vec<f64> = cells.iter().flatten().copied().collect();
    let min = known.iter().copied().fold(f64::INFINITY, f64::min);
    let max = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    let variance = known.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / known.len() as f64;
    let scale = match scaling {
        _ if known.is_empty() || max <= min => 0.0,
        Scaling::MinMax => 1.0 / (max - min),
        Scaling::ZScore => 1.0 / variance.sqrt(),
        Scaling::None => 1.0,
    };
    Cells::Numeric { cells, min, max, scale }
}
