//! Class shares of values: P(class | value) of every category.

use super::rows::sizes;
use crate::Result;
use crate::data::{Classes, Encoder, MISSING, Parts, Rows, wrong_part};

/// P(c | v) = (N_vc + α) / (N_v + α·C) for the values of every nominal column.
///
/// Each column has two values more than the training rows hold. The first stands for every value
/// that was not seen: its P is 0 without smoothing and 1/C with it. The second stands for missing
/// cells, which are counted like any other value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shares {
    classes: usize,
    /// Where each column's values begin, and after the last one the number of all values.
    starts: Vec<usize>,
    /// A row a value, a column a class.
    p: Vec<f64>,
}

impl Shares {
    pub fn fit(encoder: &Encoder, rows: &Rows, classes: &Classes, smoothing: f64) -> Self {
        Self::of_counts(encoder, &Self::count(encoder, rows, classes), classes.len(), smoothing)
    }

    fn without(encoder: &Encoder, classes: usize) -> Self {
        let mut starts = vec![0];
        for size in sizes(encoder) {
            starts.push(starts[starts.len() - 1] + size + 2);
        }
        Self { classes, starts, p: Vec::new() }
    }

    /// Number of counts: a value and class each.
    pub fn held(encoder: &Encoder, classes: usize) -> usize {
        let starts = Self::without(encoder, classes).starts;
        starts[starts.len() - 1] * classes
    }

    /// N_vc of some rows, value after value.
    pub fn count(encoder: &Encoder, rows: &Rows, classes: &Classes) -> Vec<u64> {
        let (made, width) = (Self::without(encoder, classes.len()), classes.len());
        let mut counts = vec![0; Self::held(encoder, width)];
        for (row, &class) in classes.codes().iter().enumerate() {
            for (column, &code) in rows.codes(row).iter().enumerate() {
                counts[made.value(column, code) * width + class as usize] += 1;
            }
        }
        counts
    }

    /// The shares that these counts make.
    pub fn of_counts(encoder: &Encoder, counts: &[u64], classes: usize, smoothing: f64) -> Self {
        let mut p: Vec<f64> = counts.iter().map(|&n| n as f64).collect();
        for value in p.chunks_exact_mut(classes.max(1)) {
            let total = value.iter().sum::<f64>() + smoothing * classes as f64;
            let of = |n: f64| if total > 0.0 { (n + smoothing) / total } else { 0.0 };
            value.iter_mut().for_each(|n| *n = of(*n));
        }
        Self { p, ..Self::without(encoder, classes) }
    }

    /// The row of `p` for a code of nominal column `column`.
    fn value(&self, column: usize, code: u16) -> usize {
        let (start, end) = (self.starts[column], self.starts[column + 1]);
        match code {
            MISSING => end - 1,
            code => (start + usize::from(code)).min(end - 2),
        }
    }

    /// P(c | value) for every class c.
    #[inline]
    pub fn of(&self, column: usize, code: u16) -> &[f64] {
        &self.p[self.value(column, code) * self.classes..][..self.classes]
    }

    pub fn parts(&self) -> Parts {
        Parts::new()
            .with_codes("classes", vec![self.classes as u32])
            .with_numbers("p", self.p.clone())
    }

    pub fn restore(encoder: &Encoder, parts: &Parts) -> Result<Self> {
        let classes = parts.code("classes")?;
        let (made, p) = (Self::without(encoder, classes), parts.numbers("p")?.to_vec());
        if Some(p.len()) != made.starts[made.starts.len() - 1].checked_mul(classes) {
            return Err(wrong_part("p", "does not fit the columns' categories"));
        }
        Ok(Self { p, ..made })
    }
}
