//! One tile: the filter values between a run of query lanes and a run of base lanes.
//!
//! Each kind of column adds to the same tile. Missing cells are 0 (numbers) or a code of their
//! own; then [`holes`] puts the policy's difference in their place.
//!
//! Lower bound: for q × b pairs of lanes and p columns q · b · p max-and-adds (Manhattan) or
//! multiply-adds (Euclidean) of numbers, q · b · p / 64 comparisons of codes, or q · b · p / 128
//! operations of packed genotypes.

use std::ops::Range;

use crate::data::Rows;
use crate::measure::{Measure, Metric};
use crate::neighbors::filter::panel::{CHUNK, Layout, PADDING, Panels};
use crate::neighbors::holes::{self, Making};
use crate::neighbors::kernel::packed;
use crate::neighbors::kernel::{CODE_LANES, CodeCounts, Kernels, LANES, Sums};

/// Rows in kernel layout, with what is needed to look up single cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'a> {
    pub panels: &'a Panels,
    pub rows: &'a Rows,
    pub classes: &'a [u32],
}

/// Filter values between query and base lanes, `values[query · width + base]`.
#[derive(Debug, Default)]
pub(crate) struct Tile {
    pub values: Vec<f32>,
    pub width: usize,
    present: Vec<f32>,
}

impl Tile {
    pub fn row(&self, query: usize) -> &[f32] {
        &self.values[query * self.width..(query + 1) * self.width]
    }

    /// Compute the tile; both ranges are whole groups, `base` whole code groups.
    pub fn compute(
        &mut self,
        kernels: &Kernels,
        layout: &Layout,
        measure: &Measure,
        (queries, query_lanes): (Side, Range<usize>),
        (base, base_lanes): (Side, Range<usize>),
    ) {
        self.width = base_lanes.len();
        self.values.clear();
        self.values.resize(query_lanes.len() * self.width, 0.0);
        let groups = |lanes: &Range<usize>| lanes.start / LANES..lanes.end / LANES;
        let (query_groups, base_groups) = (groups(&query_lanes), groups(&base_lanes));
        let (q, b) = (queries.panels, base.panels);
        let unit = layout.fixed_unit() as f32;
        let lengths = (layout.numeric(), CHUNK);
        self.add_sums(&query_groups, &base_groups, lengths, |from, to, gq, gb, sums| match layout
            .metric
        {
            Metric::Manhattan => {
                let (x, z) = (q.fixed(layout, gq, from, to), b.fixed(layout, gb, from, to));
                let totals = (q.fixed_totals(layout, gq, from), b.fixed_totals(layout, gb, from));
                (kernels.fixed)(x, z, totals, unit, sums);
            }
            Metric::Euclidean => {
                let (x, z) = (q.numbers(layout, gq, from, to), b.numbers(layout, gb, from, to));
                (kernels.dot)(x, z, sums);
            }
        });
        match layout.metric {
            Metric::Manhattan => self.remove_padding(b, &base_lanes),
            Metric::Euclidean => {
                let totals = &b.totals[base_lanes.clone()];
                let rows = self.values.chunks_exact_mut(self.width).zip(query_lanes.clone());
                rows.for_each(|(row, lane)| (kernels.finish)(row, q.totals[lane], totals));
            }
        }
        self.add_sums(
            &query_groups,
            &base_groups,
            (layout.weighted.len(), CHUNK),
            |from, to, gq, gb, sums| {
                q.add_weighted(b, (kernels, layout), from..to, (gq, gb), sums);
            },
        );
        let lengths = (layout.packed.div_ceil(64), packed::CHUNK);
        self.add_sums(&query_groups, &base_groups, lengths, |from, to, gq, gb, sums| {
            let (x, z) = (q.planes(layout, gq, from, to), b.planes(layout, gb, from, to));
            (kernels.mismatch_planes)(x, z, sums);
        });
        self.add_codes(kernels, layout, q, &query_lanes, b, &base_lanes);
        if q.holes.is_some() {
            self.correct(Making { layout, measure }, (queries, query_lanes), (base, base_lanes));
        }
    }

    /// Make lanes without a row infinitely far.
    fn remove_padding(&mut self, base: &Panels, base_lanes: &Range<usize>) {
        for lane in base_lanes.clone().filter(|&lane| base.row_of[lane] == PADDING) {
            let column = self.values[lane - base_lanes.start..].iter_mut().step_by(self.width);
            column.for_each(|value| *value = f32::INFINITY);
        }
    }

    /// Add what `kernel` sums for each pair of groups, in chunks of features.
    fn add_sums(
        &mut self,
        query_groups: &Range<usize>,
        base_groups: &Range<usize>,
        (features, chunk): (usize, usize),
        kernel: impl Fn(usize, usize, usize, usize, Sums),
    ) {
        for from in (0..features).step_by(chunk) {
            let to = (from + chunk).min(features);
            for (jb, gb) in base_groups.clone().enumerate() {
                for (iq, gq) in query_groups.clone().enumerate() {
                    let first = iq * LANES * self.width + jb * LANES;
                    kernel(from, to, gq, gb, Sums::new(&mut self.values[first..], self.width));
                }
            }
        }
    }

    /// Add the mismatches of byte codes.
    fn add_codes(
        &mut self,
        kernels: &Kernels,
        layout: &Layout,
        q: &Panels,
        query_lanes: &Range<usize>,
        b: &Panels,
        base_lanes: &Range<usize>,
    ) {
        // A byte holds up to 255 mismatches.
        const FEATURES: usize = 255;
        for from in (0..layout.codes.len()).step_by(FEATURES) {
            let to = (from + FEATURES).min(layout.codes.len());
            for (jb, gb) in (base_lanes.start / CODE_LANES..base_lanes.end / CODE_LANES).enumerate()
            {
                let base = b.codes(layout, gb, from, to);
                for first in query_lanes.clone().step_by(LANES) {
                    let mut counts: CodeCounts = [[0; CODE_LANES]; LANES];
                    let queries = q.codes(layout, first / CODE_LANES, from, to);
                    (kernels.mismatch_codes)(queries, first % CODE_LANES, base, &mut counts);
                    for (i, counts) in counts.iter().enumerate() {
                        let at = (first - query_lanes.start + i) * self.width + jb * CODE_LANES;
                        let values = &mut self.values[at..at + CODE_LANES];
                        for (value, &count) in values.iter_mut().zip(counts) {
                            *value += f32::from(count) * layout.code_factor;
                        }
                    }
                }
            }
        }
    }

    /// Put the policy's difference where a cell is missing.
    fn correct(
        &mut self,
        making: Making,
        queries: (Side, Range<usize>),
        base: (Side, Range<usize>),
    ) {
        let Making { layout, measure } = making;
        let factors = || measure.numeric_factors().iter().chain(measure.nominal_factors()).copied();
        let whole: f64 = factors().sum();
        let skips = measure.unknown().policy().skips_in_distance();
        self.present.clear();
        self.present.resize(if skips { self.values.len() } else { 0 }, whole as f32);
        let present = skips.then_some(self.present.as_mut_slice());
        holes::correct(making, &mut self.values, present, queries, base);
        let whole = whole as f32;
        let smallest = factors().filter(|&f| f > 0.0).fold(f64::INFINITY, f64::min) as f32;
        for (value, &present) in self.values.iter_mut().zip(&self.present) {
            // Less than half the smallest factor is nothing but rounding.
            let nothing = present < smallest / 2.0 && value.is_finite();
            *value = if nothing {
                (f64::from(whole) / layout.unit) as f32
            } else {
                *value * (whole / present)
            };
        }
    }
}
