//! Contributions where cells are missing or differences ramp.
//!
//! Known differences are summed for all neighbours at once. The policy's difference to a cell that
//! a neighbour misses is the same for all neighbours of a class, so it is multiplied with their
//! weight; only where the target itself misses the cell are neighbours taken one by one.
//!
//! Lower bound: that of `neighbors::known`, once more for the pool where the policy leaves cells
//! out, and k look-ups for each cell that the target misses.

use super::contribution::{Moments, Reduction, Weighted, made_good};
use crate::data::NumericCells;
use crate::neighbors::{Known, known_codes, known_numbers};

/// Sums over neighbours, feature by feature.
struct Summed {
    known: Moments,
    /// The weights of those that have the feature, and of the others.
    used: Vec<f64>,
    gone: Vec<f64>,
}

impl Reduction<'_> {
    /// [`Reduction::reduce`], cell by cell as far as needed.
    pub(super) fn reduce_holed(
        &self,
        row: usize,
        neighbours: &[Weighted],
        pool: &[Weighted],
        out: &mut Moments,
    ) {
        let Summed { known, used, gone } = self.summed(row, neighbours);
        out.first.copy_from_slice(&known.first);
        if let (Some(out), Some(second)) = (&mut out.second, &known.second) {
            out.copy_from_slice(second);
        }
        if !self.rows.has_missing() {
            return;
        }
        if self.measure.unknown().policy().skips_in_update() {
            let whole: f64 = pool.iter().map(|n| n.1).sum();
            let used = match std::ptr::eq(pool, neighbours) {
                true => used,
                false => self.summed(row, pool).used,
            };
            let good = |sums: &mut Vec<f64>| {
                let sums = sums.iter_mut().zip(&used);
                sums.for_each(|(sum, &used)| *sum = made_good(*sum, whole, used));
            };
            good(&mut out.first);
            out.second.iter_mut().for_each(good);
            return;
        }
        self.add_unknown(row, neighbours, &gone, out);
    }

    /// Add the policy's differences of features that the target misses, or neighbours of weight
    /// `gone`.
    pub(super) fn add_unknown(
        &self,
        row: usize,
        neighbours: &[Weighted],
        gone: &[f64],
        out: &mut Moments,
    ) {
        let class = |row: u32| self.labels[row as usize];
        let one_class = neighbours.windows(2).all(|pair| class(pair[0].0) == class(pair[1].0));
        let alike = neighbours.first().filter(|_| one_class).map(|n| class(n.0));
        let mut add = |feature: usize, [first, second]: [f64; 2]| {
            out.first[feature] += first;
            if let Some(out) = &mut out.second {
                out[feature] += second;
            }
        };
        let own_holes = self.rows.holes(row);
        for feature in own_holes.iter().map(|&feature| feature as usize) {
            add(feature, self.unknown(feature, row, neighbours));
        }
        let mut own_holes = own_holes.iter().map(|&feature| feature as usize).peekable();
        for (feature, &gone) in gone.iter().enumerate() {
            if own_holes.next_if_eq(&feature).is_some() || gone == 0.0 {
                continue;
            }
            add(
                feature,
                match alike {
                    Some(class) => {
                        let own = (self.rows, row, self.labels[row]);
                        let diff = self.measure.diff_to_hole(feature, own, class).unwrap_or(0.0);
                        [gone * diff, gone * diff * diff]
                    }
                    None => self.unknown(feature, row, neighbours),
                },
            );
        }
    }

    /// Sums over the neighbours that have a feature, if the target has it.
    fn summed(&self, row: usize, neighbours: &[Weighted]) -> Summed {
        let Self { rows, measure, .. } = *self;
        let features = rows.numeric() + rows.nominal();
        let (mut first, mut second) = (vec![0.0; features], vec![0.0; features]);
        let (mut used, mut gone) = (vec![0.0; features], vec![0.0; features]);
        let numeric = rows.numeric();
        let (first_n, first_c) = first.split_at_mut(numeric);
        let (second_n, second_c) = second.split_at_mut(numeric);
        let (used_n, used_c) = used.split_at_mut(numeric);
        let (gone_n, gone_c) = gone.split_at_mut(numeric);
        let numbers = Known { first: first_n, second: second_n, used: used_n, gone: gone_n };
        let codes = Known { first: first_c, second: second_c, used: used_c, gone: gone_c };
        let of = (measure.scale(), measure.ramp());
        match rows.numbers() {
            NumericCells::F64(cells) => known_numbers(cells, of, row, neighbours, numbers),
            NumericCells::F32(cells) => known_numbers(cells, of, row, neighbours, numbers),
        }
        if rows.nominal() > 0 {
            known_codes(&rows.all_codes(), rows.nominal(), row, neighbours, codes);
        }
        Summed { known: Moments { first, second: Some(second) }, used, gone }
    }

    /// The policy's differences of a feature that the target or neighbours miss, one by one:
    /// Σ ω diff and Σ ω diff².
    fn unknown(&self, feature: usize, row: usize, neighbours: &[Weighted]) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for &(other, weight) in neighbours {
            let (Some(diff), true) = self.cell(feature, row, other as usize) else { continue };
            sums[0] += weight * diff;
            sums[1] += weight * diff * diff;
        }
        sums
    }
}
