//! IVDM, the interpolated value difference metric: numbers too are compared by their classes.
//!
//! ```text
//! d(x, z) = Σ_a Σ_c |p_ac(x_a) − p_ac(z_a)|²
//! ```
//!
//! For a category p_ac(v) = P(c | v). A numeric column is cut into max(5, C) intervals of equal
//! width; P_u, the class shares of interval u, belong to its midpoint, and
//!
//! ```text
//! p(x) = P_u + (x − mid_u)/(mid_{u+1} − mid_u) · (P_{u+1} − P_u)      mid_u ≤ x < mid_{u+1}
//! ```
//!
//! between midpoints. One interval further on either side has P = 0, and so has everything
//! beyond. An interval without training rows has P = 0 too. A missing cell is a value of its own;
//! a column that is constant in training is one interval, of width 1.
//!
//! When to use: numbers whose classes come and go along their range, beside categories.
//!
//! Reference: D. R. Wilson and T. R. Martinez, *Improved heterogeneous distance functions*,
//! JAIR 6 (1997).

use super::by_shares::{ByShares, FittedShares};
use super::vdm::difference;
use super::{About, Block, about, fill};
use crate::data::{Classes, Encoder, FittedColumn, Parts, Rows, wrong_part};
use crate::{Result, Run, parameters};

parameters! {
    /// The interpolated value difference metric and its settings.
    pub struct Ivdm {
        /// Number of intervals a numeric column is cut into; max(5, classes) when not given.
        intervals: Option<usize> = None, min 1;
        /// Smoothing: what is added to the number of rows of each class with each category. With
        /// 0, an unseen category has probability 0 for every class.
        smoothing: f64 = 0.0, in 0.0..=1e9;
    }
}

/// Class shares of the intervals of numeric columns.
#[derive(Debug)]
pub(super) struct Intervals {
    classes: usize,
    intervals: usize,
    /// For every numeric column: P of the intervals in order, then of missing cells.
    p: Vec<Vec<f64>>,
}

/// Where a numeric column begins and how wide its intervals are, in column order.
fn cuts(encoder: &Encoder, intervals: usize) -> Vec<(f64, f64)> {
    let numeric = encoder.columns().iter().filter_map(|fitted| match fitted {
        FittedColumn::Numeric { min, max, .. } if max > min => {
            Some((*min, (max - min) / intervals as f64))
        }
        // One value: a single interval around it, of width 1.
        FittedColumn::Numeric { min, .. } => Some((min - 0.5, 1.0)),
        FittedColumn::Nominal { .. } | FittedColumn::Genotype => None,
    });
    numeric.collect()
}

impl Intervals {
    /// p(x) for every class, of every numeric cell of `rows`, a row after the other.
    fn interpolate(&self, encoder: &Encoder, rows: &Rows) -> Vec<f64> {
        let (width, cuts) = (self.classes, cuts(encoder, self.intervals));
        let mut out = Vec::with_capacity(rows.len() * cuts.len() * width);
        for row in 0..rows.len() {
            for (column, &(start, step)) in cuts.iter().enumerate() {
                let x = rows.number(row, column);
                let p = |u: f64, class: usize| match u {
                    u if u < 0.0 || u >= self.intervals as f64 => 0.0,
                    u => self.p[column][u as usize * width + class],
                };
                // In units of intervals, midpoint u being at u; NaN stays.
                let at = (x - start) / step - 0.5;
                let (below, share) = (at.floor(), at - at.floor());
                out.extend((0..width).map(|class| match x.is_nan() {
                    true => self.p[column][self.intervals * width + class],
                    false => {
                        let low = p(below, class);
                        low + share * (p(below + 1.0, class) - low)
                    }
                }));
            }
        }
        out
    }
}

impl Ivdm {
    fn intervals_for(&self, classes: usize) -> usize {
        self.intervals.unwrap_or(classes.max(5))
    }
}

impl ByShares for Ivdm {
    type More = Intervals;

    const ABOUT: About = about! { value
        "ivdm" is "Interpolated value difference metric",
        "numbers and categories compared by the classes they go with", "Wilson & Martinez 1997"
    };

    fn smoothing(&self) -> f64 {
        self.smoothing
    }

    /// Rows of every numeric column by interval and class.
    fn count_more(&self, encoder: &Encoder, rows: &Rows, classes: &Classes) -> Vec<u64> {
        let intervals = self.intervals_for(classes.len());
        let width = classes.len();
        let count = |(column, (start, step)): (usize, (f64, f64))| {
            let mut counts = vec![0; (intervals + 1) * width];
            for (row, &class) in classes.codes().iter().enumerate() {
                let x = rows.number(row, column);
                let at = match x.is_nan() {
                    true => intervals,
                    false => (((x - start) / step) as usize).min(intervals - 1),
                };
                counts[at * width + class as usize] += 1;
            }
            counts
        };
        cuts(encoder, intervals).into_iter().enumerate().flat_map(count).collect()
    }

    fn more(&self, _: &Encoder, counts: &[u64], classes: usize) -> Intervals {
        let intervals = self.intervals_for(classes);
        let mut p: Vec<f64> = counts.iter().map(|&n| n as f64).collect();
        for value in p.chunks_exact_mut(classes) {
            let total: f64 = value.iter().sum();
            value.iter_mut().for_each(|n| *n = if total > 0.0 { *n / total } else { 0.0 });
        }
        let p = p.chunks_exact((intervals + 1) * classes).map(<[f64]>::to_vec).collect();
        Intervals { classes, intervals, p }
    }

    fn save(more: &Intervals, parts: Parts) -> Parts {
        parts
            .with_codes("classes", vec![more.classes as u32])
            .with_codes("intervals", vec![more.intervals as u32])
            .with_numbers("p", more.p.concat())
    }

    fn load(encoder: &Encoder, parts: &Parts) -> Result<Intervals> {
        let (classes, intervals) = (parts.code("classes")?, parts.code("intervals")?);
        let (p, width) = (parts.numbers("p")?, (intervals + 1) * classes);
        if width == 0 || p.len() != width * encoder.numeric().len() {
            return Err(wrong_part("p", "does not fit the numeric columns"));
        }
        let p = p.chunks_exact(width).map(<[f64]>::to_vec).collect();
        Ok(Intervals { classes, intervals, p })
    }

    fn compare(fitted: &FittedShares<Self>, a: &Rows, b: &Rows, run: &Run) -> Result<Block> {
        let FittedShares { encoder, shares, more, .. } = fitted;
        let (p, others) = (more.interpolate(encoder, a), more.interpolate(encoder, b));
        let width = more.p.len() * more.classes;
        // Lower bound: three operations and 16 bytes a number and class; shares are interpolated
        // once a row. A code takes that of `difference` and 4 bytes.
        fill(a.len(), b.len(), run, |i, j| {
            let numbers = difference(&p[i * width..][..width], &others[j * width..][..width], 2.0);
            let (own, other) = (a.codes(i), b.codes(j));
            let codes = own.iter().zip(other.iter()).enumerate().map(|(column, (&x, &z))| {
                difference(shares.of(column, x), shares.of(column, z), 2.0)
            });
            0.0 - (numbers + codes.sum::<f64>())
        })
    }
}
