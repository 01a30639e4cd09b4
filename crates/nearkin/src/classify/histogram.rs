//! Histograms: how often training samples had the values of a statistic, beside its laws.
//!
//! Lower bound for n samples: an addition each, and up to five comparisons to find its bin. Here
//! values are ordered as well, n·log₂ n comparisons, to see whether few differ. A table takes an
//! exponential for each of G classes and m values of a finite support; here all m are read again
//! for every bin, up to 20·G·m.

use super::discriminant::{ClassLaw, Statistics};
use super::law::Support;
use crate::Result;
use crate::data::{Classes, Parts, wrong_part};

/// One statistic: its name, its support and its law in every class against what was observed.
#[derive(Debug, Clone, PartialEq)]
pub struct LawTable {
    /// The statistic, in words.
    pub statistic: String,
    /// The values it is thought to take.
    pub support: Support,
    /// The bins' edges, one more than there are bins; a bin holds its left edge.
    pub edges: Vec<f64>,
    /// For every class and bin, the number of its training samples there.
    pub observed: Vec<Vec<f64>>,
    /// For every class and bin, the number the law expects there.
    pub fitted: Vec<Vec<f64>>,
}

/// Bins of a histogram at most.
const BINS: usize = 20;

/// Edges and counts of every statistic, kept with a fitted classifier.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Histograms {
    /// Of every statistic, the edges.
    edges: Vec<Vec<f64>>,
    /// Of every statistic and class, the counts.
    counts: Vec<Vec<Vec<f64>>>,
}

/// One bin for each value when there are few values, else bins of equal width over the observed
/// range.
fn edges(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return vec![0.0, 1.0] };
    if values.len() <= BINS {
        // Every value begins a bin, and the last bin ends just above the last value.
        values.push(high.next_up());
        return values;
    }
    let width = (high - low) / BINS as f64;
    let inner = (0..BINS).map(|bin| low + width * bin as f64);
    inner.chain([high.next_up()]).collect()
}

impl Histograms {
    pub fn of(statistics: &Statistics, classes: &Classes) -> Self {
        let known = |m: usize| statistics.known(m).map(|(_, value)| value);
        let edges: Vec<Vec<f64>> = (0..statistics.columns).map(|m| edges(known(m))).collect();
        let count = |(m, edges): (usize, &Vec<f64>)| {
            let mut counts = vec![vec![0.0; edges.len() - 1]; classes.len()];
            for (row, value) in statistics.known(m) {
                let bin = edges.partition_point(|edge| *edge <= value).saturating_sub(1);
                counts[classes.codes()[row] as usize][bin.min(edges.len() - 2)] += 1.0;
            }
            counts
        };
        let counts = edges.iter().enumerate().map(count).collect();
        Self { edges, counts }
    }

    /// The table of statistic `m`, under these laws. The first bin takes in all that the support
    /// has below it and the last all above, so that expected numbers add up to the samples.
    pub fn table(&self, m: usize, name: String, support: &Support, laws: &[ClassLaw]) -> LawTable {
        let (edges, observed) = (self.edges[m].clone(), self.counts[m].clone());
        let last = edges.len() - 2;
        let expect = |(class, counts): (usize, &Vec<f64>)| {
            let n: f64 = counts.iter().sum();
            let law = laws.iter().find(|law| law.class == class && law.statistic == m);
            let share = |bin: usize| {
                let from = if bin == 0 { f64::NEG_INFINITY } else { edges[bin] };
                let to = if bin == last { f64::INFINITY } else { edges[bin + 1] };
                law.map_or(0.0, |law| n * law.law.share(support, from, to))
            };
            (0..counts.len()).map(share).collect()
        };
        let fitted = observed.iter().enumerate().map(expect).collect();
        LawTable { statistic: name, support: support.clone(), edges, observed, fitted }
    }

    pub fn parts(&self) -> Parts {
        Parts::new()
            .with_codes("lengths", self.edges.iter().map(|e| e.len() as u32).collect())
            .with_numbers("edges", self.edges.concat())
            .with_numbers(
                "counts",
                self.counts.iter().map(|c| c.concat()).collect::<Vec<_>>().concat(),
            )
    }

    pub fn restore(parts: &Parts, classes: usize) -> Result<Self> {
        let (mut edges, mut counts) = (Vec::new(), Vec::new());
        let (mut all_edges, mut all_counts) = (parts.numbers("edges")?, parts.numbers("counts")?);
        for &length in parts.codes("lengths")? {
            let bins = (length as usize).saturating_sub(1);
            let cut = all_edges.split_at_checked(bins + 1);
            let Some(((of, rest), (cells, others))) =
                cut.zip(all_counts.split_at_checked(bins * classes)).filter(|_| bins > 0)
            else {
                return Err(wrong_part("edges", "does not fit the counts"));
            };
            edges.push(of.to_vec());
            counts.push(cells.chunks_exact(bins).map(<[f64]>::to_vec).collect());
            (all_edges, all_counts) = (rest, others);
        }
        Ok(Self { edges, counts })
    }

    /// Number of statistics.
    pub fn len(&self) -> usize {
        self.edges.len()
    }
}
