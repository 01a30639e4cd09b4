//! Differences to missing cells: the policies of the Relief literature.
//!
//! | word | one cell missing | both missing | source |
//! |---|---|---|---|
//! | `agnostic` | left out of distance and update | same | ReBATE |
//! | `b` | 1 − 1/#values | same | Relief-B, Kononenko 1994 |
//! | `c` | as `b` in the distance; left out of the update | same | Relief-C |
//! | `d` | 1 − P(value ∣ class) | 1 − Σ P(v ∣ c₁) P(v ∣ c₂) | Relief-D, below |
//! | `weka` | nominal 1 − 1/#values, numeric max(u, 1 − u) | nominal same, numeric 1 | Weka |
//! | `relieved` | 1 | 0 | Kohavi & John 1997 |
//! | `one` | 1 | 1 | HEOM, Wilson & Martinez |
//!
//! Relief-D is equations 3 and 4 of Robnik-Šikonja & Kononenko 2003.
//! P is a relative frequency over training rows; numbers are cut into [`BINS`] equal
//! intervals of their range for this purpose, and #values of a numeric column is [`BINS`].
//! The class in P is that of the row whose cell is missing; for a class without a known value in
//! the column, all values are equally likely. An all-missing column takes no part at all.
//!
//! Lower bound of counting: an addition a cell, and three operations more for a number; 64 packed
//! genotypes take 24 look-ups and additions.

use crate::choice;
use crate::data::{Encoder, FittedColumn, Genotypes, MISSING, Rows};

/// Number of equal intervals that a numeric column is cut into when its missing cells are guessed.
pub const BINS: usize = 10;

choice! {
    /// Policy for missing cells; see the table in the module's documentation.
    pub enum Missing {
        /// Leave the column out of distance and update.
        Agnostic = "agnostic",
        /// Relief-B: 1 − 1/#values.
        B = "b",
        /// Relief-C: B in the distance, nothing in the update.
        C = "c",
        /// Relief-D: class-conditional probability of a difference.
        D = "d",
        /// Weka's heuristics.
        Weka = "weka",
        /// One missing: 1; both: 0.
        Relieved = "relieved",
        /// Always 1, as in HEOM.
        One = "one",
    }
}

impl Missing {
    /// True when a column with a missing cell does not enter the distance.
    pub fn skips_in_distance(self) -> bool {
        self == Self::Agnostic
    }

    /// True when a column with a missing cell does not enter the update.
    pub fn skips_in_update(self) -> bool {
        matches!(self, Self::Agnostic | Self::C)
    }
}

/// P(value | class) of one column; empty when the column has no known value.
#[derive(Debug, Clone, Default)]
struct Frequencies {
    values: usize,
    /// `probability[class · values + value]`, only for policy D.
    probability: Vec<f64>,
}

/// A missing-value policy with the frequencies it needs.
#[derive(Debug, Clone)]
pub struct Unknown {
    policy: Missing,
    numeric: Vec<Frequencies>,
    nominal: Vec<Frequencies>,
}

impl Unknown {
    /// Count what `policy` needs over the training rows and their classes.
    pub fn fit(
        policy: Missing,
        encoder: &Encoder,
        rows: &Rows,
        classes: &[u32],
        class_count: usize,
    ) -> Self {
        if !rows.has_missing() {
            return Self::constant(policy, encoder);
        }
        Self::of_counts(policy, encoder, &CellCounts::of(encoder, rows, classes, class_count))
    }

    /// [`Unknown::fit`] from counts of the training cells.
    pub fn of_counts(policy: Missing, encoder: &Encoder, counts: &CellCounts) -> Self {
        let (mut numeric, mut nominal) = (Vec::new(), Vec::new());
        for (fitted, counts) in encoder.columns().iter().zip(&counts.columns) {
            let into = match fitted {
                FittedColumn::Numeric { .. } => &mut numeric,
                FittedColumn::Nominal { .. } | FittedColumn::Genotype => &mut nominal,
            };
            into.push(frequencies(policy, values_of(fitted), counts));
        }
        Self { policy, numeric, nominal }
    }

    /// A policy that needs no frequencies: all but `d`, and that too where no cell is missing.
    pub fn constant(policy: Missing, encoder: &Encoder) -> Self {
        let (mut numeric, mut nominal) = (Vec::new(), Vec::new());
        let values = |values| Frequencies { values, probability: Vec::new() };
        for fitted in encoder.columns() {
            match fitted {
                FittedColumn::Numeric { .. } => numeric.push(values(values_of(fitted))),
                FittedColumn::Nominal { .. } | FittedColumn::Genotype => {
                    nominal.push(values(values_of(fitted)));
                }
            }
        }
        Self { policy, numeric, nominal }
    }

    /// The policy.
    pub fn policy(&self) -> Missing {
        self.policy
    }

    /// Whether any cell of a feature is known, in encoded order: numeric columns, then nominal
    /// ones. Asked of tables with missing cells only.
    pub fn knows(&self, feature: usize) -> bool {
        let of = match feature.checked_sub(self.numeric.len()) {
            None => &self.numeric[feature],
            Some(column) => &self.nominal[column],
        };
        of.values > 0
    }

    /// One cell missing in a numeric column, in a row of class `class`; the other cell lies
    /// at `unit` of the range.
    #[inline]
    pub fn numeric_one(&self, column: usize, class: u32, unit: f64) -> Option<f64> {
        match self.policy {
            Missing::Weka => Some(unit.max(1.0 - unit)),
            _ => self.one(&self.numeric[column], class, bin(unit)),
        }
    }

    /// Both cells missing in a numeric column.
    #[inline]
    pub fn numeric_both(&self, column: usize, a: u32, b: u32) -> Option<f64> {
        match self.policy {
            Missing::Weka => Some(if self.numeric[column].values > 0 { 1.0 } else { 0.0 }),
            _ => self.both(&self.numeric[column], a, b),
        }
    }

    /// One cell missing in a nominal column, in a row of class `class`; the other is `code`.
    #[inline]
    pub fn nominal_one(&self, column: usize, class: u32, code: u16) -> Option<f64> {
        self.one(&self.nominal[column], class, usize::from(code))
    }

    /// Both cells missing in a nominal column.
    #[inline]
    pub fn nominal_both(&self, column: usize, a: u32, b: u32) -> Option<f64> {
        self.both(&self.nominal[column], a, b)
    }

    #[inline]
    fn one(&self, of: &Frequencies, class: u32, value: usize) -> Option<f64> {
        let diff = match self.policy {
            Missing::Agnostic => return None,
            _ if of.values == 0 => 0.0,
            Missing::B | Missing::C | Missing::Weka => 1.0 - 1.0 / of.values as f64,
            // A value unseen in training has probability 0.
            Missing::D if value >= of.values => 1.0,
            Missing::D => 1.0 - of.probability[class as usize * of.values + value],
            Missing::Relieved | Missing::One => 1.0,
        };
        Some(diff)
    }

    #[inline]
    fn both(&self, of: &Frequencies, a: u32, b: u32) -> Option<f64> {
        let diff = match self.policy {
            Missing::Agnostic => return None,
            _ if of.values == 0 => 0.0,
            Missing::B | Missing::C | Missing::Weka => 1.0 - 1.0 / of.values as f64,
            Missing::D => {
                let row = |class: u32| &of.probability[class as usize * of.values..][..of.values];
                1.0 - row(a).iter().zip(row(b)).map(|(p, q)| p * q).sum::<f64>()
            }
            Missing::Relieved => 0.0,
            Missing::One => 1.0,
        };
        Some(diff)
    }
}

fn bin(unit: f64) -> usize {
    // A cast of NaN or a negative number gives 0; numbers outside the range go to its ends.
    ((unit * BINS as f64) as usize).min(BINS - 1)
}

/// The number of different values of a fitted column; numbers are cut into `BINS` bins.
fn values_of(fitted: &FittedColumn) -> usize {
    match fitted {
        FittedColumn::Numeric { .. } => BINS,
        FittedColumn::Nominal { categories } => categories.len(),
        FittedColumn::Genotype => Genotypes::CATEGORIES.len(),
    }
}

/// Known cells by column, class and value; counts over parts of a table add up.
#[derive(Debug, Clone, PartialEq)]
pub struct CellCounts {
    /// `columns[column][class · values + value]`, in table order.
    columns: Vec<Vec<u64>>,
}

impl CellCounts {
    /// Of rows encoded by `encoder`, of these classes.
    pub fn of(encoder: &Encoder, rows: &Rows, classes: &[u32], class_count: usize) -> Self {
        let packed = rows.packed().map(|packed| packed.value_counts(classes, class_count));
        let (mut numeric, mut nominal) = (0.., 0..);
        let columns = encoder.columns().iter().map(|fitted| {
            let values = values_of(fitted);
            let mut counts = vec![0; class_count * values];
            let mut count = |value: &dyn Fn(usize) -> Option<usize>| {
                for (row, &class) in classes.iter().enumerate() {
                    if let Some(value) = value(row) {
                        counts[class as usize * values + value] += 1;
                    }
                }
            };
            match (fitted, &packed) {
                (FittedColumn::Numeric { min, max, .. }, _) => {
                    let (column, width) = (numeric.next().unwrap_or(0), max - min);
                    count(&|row| {
                        let x = rows.number(row, column);
                        let unit = if width > 0.0 { (x - min) / width } else { 0.0 };
                        (!x.is_nan()).then(|| bin(unit))
                    });
                }
                (_, Some(packed)) => {
                    let column = nominal.next().unwrap_or(0);
                    let three = &packed[column * class_count * 3..][..class_count * 3];
                    let known = three.chunks(3).flat_map(|three| &three[..values]);
                    counts = known.map(|&count| u64::from(count)).collect();
                }
                (_, None) => {
                    let column = nominal.next().unwrap_or(0);
                    count(&|row| {
                        let code = rows.code(row, column);
                        (code != MISSING).then_some(usize::from(code))
                    });
                }
            }
            counts
        });
        Self { columns: columns.collect() }
    }

    /// All counts in a row, column by column.
    pub fn flat(&self) -> Vec<u64> {
        self.columns.concat()
    }

    /// The counts that [`CellCounts::flat`] gave for these columns; none if `flat` has another
    /// length.
    pub fn from_flat(encoder: &Encoder, class_count: usize, flat: &[u64]) -> Option<Self> {
        let mut rest = flat;
        let mut columns = Vec::new();
        for fitted in encoder.columns() {
            let (counts, after) = rest.split_at_checked(values_of(fitted) * class_count)?;
            columns.push(counts.to_vec());
            rest = after;
        }
        rest.is_empty().then_some(Self { columns })
    }
}

fn frequencies(policy: Missing, values: usize, counts: &[u64]) -> Frequencies {
    if counts.iter().all(|&count| count == 0) {
        Frequencies::default()
    } else if policy == Missing::D {
        shares(values, counts)
    } else {
        Frequencies { values, probability: Vec::new() }
    }
}

/// The share of each value among a class's known cells.
fn shares(values: usize, counts: &[u64]) -> Frequencies {
    let share = |counts: &[u64]| {
        let known: u64 = counts.iter().sum();
        let even = 1.0 / values as f64;
        counts
            .iter()
            .map(|&c| if known > 0 { c as f64 / known as f64 } else { even })
            .collect::<Vec<f64>>()
    };
    Frequencies { values, probability: counts.chunks(values).flat_map(share).collect() }
}
