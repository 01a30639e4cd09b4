//! Lin's similarity: what two rows share, measured by how rare it is.
//!
//! ```text
//! s(x, z) = 2·Σ_a log P(x_a and z_a in common) / Σ_a (log P(x_a) + log P(z_a))
//! ```
//!
//! with columns taken as independent. Two equal categories have their value in common and
//! different ones nothing; two numbers have in common that they lie between the smaller and the
//! larger, P(x_a … z_a) being the share of training cells there. P is a share of the known
//! training cells; a value that none has, and a range that holds none, counts as one more cell of
//! its own, 1/(n + 1). A column with a missing cell on either side is left out of the pair. Rows
//! whose every value is certain (P = 1) are `empty` alike.
//!
//! When to use: sharing a rare value should say more than sharing a common one.
//!
//! Reference: D. Lin, *An information-theoretic definition of similarity*, ICML 1998.

use super::blocks::MeasureNeeds;
use super::rows::sizes;
use super::{Block, BoxedMeasure, FittedMeasure, PairMeasure, about, fill};
use crate::data::{Classes, Encoder, MISSING, Parts, Rows, Table, Target, wrong_part};
use crate::{Result, Run, parameters};

parameters! {
    /// Lin's similarity and its settings.
    pub struct Lin {
        /// The similarity of two rows when all their values have probability 1, so that the
        /// formula gives 0/0.
        empty: f64 = 1.0, in -1e9..=1e9;
    }
}

#[derive(Debug)]
struct FittedLin {
    empty: f64,
    encoder: Encoder,
    /// log P of every category of every nominal column, then of an unseen one.
    categories: Vec<Vec<f64>>,
    /// The known training cells of every numeric column, in order.
    numbers: Vec<Vec<f64>>,
}

impl FittedLin {
    /// log P(low … high), both included.
    fn between(sorted: &[f64], low: f64, high: f64) -> f64 {
        let inside = sorted.partition_point(|x| *x <= high) - sorted.partition_point(|x| *x < low);
        let n = sorted.len() as f64;
        if inside == 0 { -(n + 1.0).ln() } else { (inside as f64 / n).ln() }
    }

    /// The number of known cells in each category of every nominal column, and in no category.
    fn count(encoder: &Encoder, rows: &Rows) -> Vec<u64> {
        let count = |(column, size): (usize, usize)| {
            let mut counts = vec![0; size + 1];
            let known = (0..rows.len()).map(|row| rows.code(row, column));
            known.filter(|&code| code != MISSING).for_each(|code| counts[usize::from(code)] += 1);
            counts
        };
        sizes(encoder).into_iter().enumerate().flat_map(count).collect()
    }

    /// log P of every category that these counts make.
    fn of_counts(encoder: &Encoder, mut counts: &[u64]) -> Vec<Vec<f64>> {
        let of = |size: usize| {
            let (column, rest) = counts.split_at((size + 1).min(counts.len()));
            counts = rest;
            let n = column.iter().sum::<u64>() as f64;
            let log_p = |&c: &u64| if c > 0 { (c as f64 / n).ln() } else { -(n + 1.0).ln() };
            column.iter().map(log_p).collect()
        };
        sizes(encoder).into_iter().map(of).collect()
    }

    /// Lower bound: for each number two searches among the n training values and a logarithm. This
    /// code is slower: it also computes log P(x) and log P(z) again for every pair. Five operations
    /// for each code.
    fn score(&self, a: &Rows, i: usize, b: &Rows, j: usize) -> f64 {
        let (mut common, mut all) = (0.0, 0.0);
        for (column, sorted) in self.numbers.iter().enumerate() {
            let (x, z) = (a.number(i, column), b.number(j, column));
            if !x.is_nan() && !z.is_nan() {
                common += Self::between(sorted, x.min(z), x.max(z));
                all += Self::between(sorted, x, x) + Self::between(sorted, z, z);
            }
        }
        let (own, other) = (a.codes(i), b.codes(j));
        for ((&x, &z), log_p) in own.iter().zip(other.iter()).zip(&self.categories) {
            let of = |code: u16| log_p[usize::from(code).min(log_p.len() - 1)];
            if x != MISSING && z != MISSING {
                all += of(x) + of(z);
                common += if x == z { of(x) } else { 0.0 };
            }
        }
        if all == 0.0 { self.empty } else { 2.0 * common / all }
    }
}

impl PairMeasure for Lin {
    about! {
        "lin" is "Lin's similarity", "what two rows share, measured by how rare it is",
        "Lin 1998"
    }

    fn fit_checked(&self, table: &Table, _: Option<&Target>) -> Result<BoxedMeasure> {
        let encoder = Encoder::fit(table)?;
        let rows = encoder.encode(table)?.wide();
        let categories = FittedLin::of_counts(&encoder, &FittedLin::count(&encoder, &rows));
        let sort = |column: usize| {
            let mut known: Vec<f64> = (0..rows.len()).map(|row| rows.number(row, column)).collect();
            known.retain(|x| !x.is_nan());
            known.sort_unstable_by(f64::total_cmp);
            known
        };
        let numbers = (0..rows.numeric()).map(sort).collect();
        Ok(Box::new(FittedLin { empty: self.empty, encoder, categories, numbers }))
    }

    fn restore(&self, parts: &Parts) -> Result<BoxedMeasure> {
        let encoder = Encoder::restore(&parts.within("columns"))?;
        let cut = |name: &str, lengths: Vec<usize>| {
            let mut rest = parts.numbers(name)?;
            let mut cut = Vec::with_capacity(lengths.len());
            for length in lengths {
                let Some((head, tail)) = rest.split_at_checked(length) else {
                    return Err(wrong_part(name, "is too short"));
                };
                cut.push(head.to_vec());
                rest = tail;
            }
            Ok(cut)
        };
        let lengths = parts.codes("lengths")?.iter().map(|&length| length as usize).collect();
        let categories = sizes(&encoder).into_iter().map(|size| size + 1).collect();
        let categories = cut("categories", categories)?;
        let numbers = cut("numbers", lengths)?;
        if numbers.len() != encoder.numeric().len() {
            return Err(wrong_part("lengths", "does not fit the numeric columns"));
        }
        Ok(Box::new(FittedLin { empty: self.empty, encoder, categories, numbers }))
    }

    fn needs(&self, encoder: &Encoder) -> MeasureNeeds {
        let whole = "how rare a range of numbers is, all training cells say; cut numbers into \
                     intervals";
        let whole = (!encoder.numeric().is_empty()).then_some(whole);
        MeasureNeeds { counts: true, deviations: false, whole }
    }

    fn count(&self, encoder: &Encoder, rows: &Rows, _: &Classes) -> Vec<u64> {
        FittedLin::count(encoder, rows)
    }

    fn counted(&self, encoder: &Encoder, counts: &[u64], _: usize) -> Result<Parts> {
        Ok(Parts::new()
            .with_numbers("categories", FittedLin::of_counts(encoder, counts).concat())
            .with_numbers("numbers", Vec::new())
            .with_codes("lengths", Vec::new()))
    }
}

impl FittedMeasure for FittedLin {
    fn block_with(&self, queries: &Table, references: &Table, run: &Run) -> Result<Block> {
        let (a, b) =
            (self.encoder.encode(queries)?.wide(), self.encoder.encode(references)?.wide());
        fill(a.len(), b.len(), run, |i, j| self.score(&a, i, &b, j))
    }

    fn parts(&self) -> Parts {
        Parts::new()
            .with("columns", self.encoder.parts())
            .with_numbers("categories", self.categories.concat())
            .with_numbers("numbers", self.numbers.concat())
            .with_codes("lengths", self.numbers.iter().map(|n| n.len() as u32).collect())
    }
}
