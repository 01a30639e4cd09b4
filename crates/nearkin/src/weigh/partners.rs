//! Which other column does a column act with?
//!
//! Two columns act together where the target is told by the pair better than by both alone:
//! ```text
//! S(a, b) = I(y; a, b) − I(y; a) − I(y; b)     interaction information, in nats
//! ```
//! with I the mutual information of counts. Numbers are cut into thirds, a target of numbers too; a
//! missing cell is a category of its own. The cells of b are exchanged among rows of one value of
//! the target: that keeps what a and b say alone, and S of the exchanges is that of two columns
//! without a common effect. Columns that are linked to a (r² above `linked`) are tied to it whatever
//! the target, and are left out. For the candidates of largest S, p follows Pearson's type III law
//! with the moments of the exchanges; it is multiplied by the number of all pairs that were looked
//! at (Bonferroni), so that the choice of candidates is paid for.
//!
//! Cost: for each first column n counts a column, and n counts an exchange for each candidate.

use rayon::prelude::*;

use super::FeatureWeights;
use super::association::{NullMoments, ordered_numbers, squared_correlation};
use super::common::check_rows;
use crate::data::{Column, ColumnValues, MISSING, Table, Target};
use crate::random::Random;
use crate::stats::tails::pearson3_sf;
use crate::{Error, ParameterError, Result, Run};

/// A column that acts together with another one on the target.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Partner {
    /// Position of the first column.
    pub feature: usize,
    /// Position of the other one.
    pub partner: usize,
    /// Interaction information in nats.
    pub information: f64,
    /// p of this pair by itself.
    pub p: f64,
    /// p times the number of pairs looked at.
    pub p_family: f64,
}

/// How partners are looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PartnerSearch {
    /// Candidates of each first column whose p is worked out.
    pub candidates: usize,
    /// Exchanges of each candidate's cells.
    pub exchanges: usize,
    /// Columns whose r² with the first column is above this are left out.
    pub linked: f64,
    /// Seed of the exchanges.
    pub seed: u64,
}

impl Default for PartnerSearch {
    fn default() -> Self {
        Self { candidates: 5, exchanges: 200, linked: 0.1, seed: 0 }
    }
}

impl PartnerSearch {
    /// The columns that act together with each of `firsts`, those of least p first.
    ///
    /// # Errors
    ///
    /// When table and target disagree, when there is no such column, and when the caller stops.
    pub fn find(
        &self,
        table: &Table,
        target: &Target,
        firsts: &[usize],
        run: &Run,
    ) -> Result<Vec<Partner>> {
        check_rows(table, target)?;
        let features = table.columns().len();
        if let Some(&got) = firsts.iter().find(|&&first| first >= features) {
            return Err(Error::parameter("partners", ParameterError::Top { features, got }));
        }
        let y = (levels_of_target(target), terms(table.rows()));
        let pairs = firsts.len() * features.saturating_sub(1);
        let of = |&first: &usize| self.of_one(table, &y, first, pairs.max(1), run);
        let mut found: Vec<Partner> = Vec::new();
        for one in run.install(|| firsts.iter().map(of).collect::<Vec<_>>())? {
            found.extend(one?);
        }
        found.sort_by(|a, b| a.p.total_cmp(&b.p).then(b.information.total_cmp(&a.information)));
        Ok(found)
    }

    fn of_one(
        &self,
        table: &Table,
        (y, terms): &(Levels, Vec<f64>),
        first: usize,
        pairs: usize,
        run: &Run,
    ) -> Result<Vec<Partner>> {
        run.check(0, 0)?;
        let a = Levels::of(&table.columns()[first]);
        let numbers = ordered_numbers(&table.columns()[first]);
        let information = |at: usize| {
            let column = &table.columns()[at];
            let is_linked = match (&numbers, ordered_numbers(column)) {
                (Some(a), Some(b)) => squared_correlation(a, &b) > self.linked,
                _ => false,
            };
            match at == first || is_linked {
                true => None,
                false => Some((at, interaction(terms, y, &a, &Levels::of(column)))),
            }
        };
        let mut all: Vec<(usize, f64)> =
            (0..table.columns().len()).into_par_iter().filter_map(information).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(self.candidates);
        let tested = |(partner, information): (usize, f64)| {
            let mut b = Levels::of(&table.columns()[partner]);
            let stream = (first * table.columns().len() + partner) as u64;
            let mut random = Random::new(self.seed, stream);
            let mut null = Vec::with_capacity(self.exchanges);
            for _ in 0..self.exchanges {
                run.check(0, 0)?;
                for rows in &y.rows {
                    let mut cells: Vec<u16> = rows.iter().map(|&row| b.codes[row]).collect();
                    random.shuffle(&mut cells);
                    rows.iter().zip(cells).for_each(|(&row, cell)| b.codes[row] = cell);
                }
                null.push(interaction(terms, y, &a, &b));
            }
            let drawn = NullMoments::of(&null);
            let deviation = drawn.variance.sqrt();
            let p = match deviation > 0.0 {
                true => pearson3_sf((information - drawn.mean) / deviation, drawn.skewness),
                false => 1.0,
            };
            let p_family = (p * pairs as f64).min(1.0);
            Ok(Partner { feature: first, partner, information, p, p_family })
        };
        all.into_par_iter().map(tested).collect()
    }
}

impl FeatureWeights {
    /// The positions of the `count` first columns of the ranking.
    pub fn firsts(&self, count: usize) -> Vec<usize> {
        self.ranking().iter().take(count).map(|one| one.index).collect()
    }
}

/// A column as categories.
struct Levels {
    codes: Vec<u16>,
    count: usize,
    /// The rows of each category.
    rows: Vec<Vec<usize>>,
}

impl Levels {
    fn new(codes: Vec<u16>) -> Self {
        let count = codes.iter().max().map_or(0, |&most| usize::from(most) + 1);
        let mut rows = vec![Vec::new(); count];
        codes.iter().enumerate().for_each(|(row, &code)| rows[usize::from(code)].push(row));
        Self { codes, count, rows }
    }

    /// Categories as they are, numbers by thirds; a missing cell is one more category.
    fn of(column: &Column) -> Self {
        let known = |codes: &mut dyn Iterator<Item = u16>, width: usize| {
            codes.map(|code| if code == MISSING { width as u16 } else { code }).collect()
        };
        Self::new(match &column.values {
            ColumnValues::Nominal { codes, categories } => {
                known(&mut codes.iter().copied(), categories.len())
            }
            ColumnValues::Genotype(cells) => known(&mut cells.codes(), 3),
            ColumnValues::F64(lane) => thirds(&lane.iter().collect::<Vec<_>>()),
            ColumnValues::F32(lane) => thirds(&lane.iter().map(f64::from).collect::<Vec<_>>()),
        })
    }
}

fn levels_of_target(target: &Target) -> Levels {
    match target {
        Target::Classes(classes) => {
            Levels::new(classes.codes().iter().map(|&code| code as u16).collect())
        }
        Target::Real(values) => Levels::new(thirds(values)),
    }
}

/// The third that each number lies in; equal numbers lie in the same one. NaN is a fourth.
fn thirds(values: &[f64]) -> Vec<u16> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let cut = |share: usize| sorted.get(sorted.len() * share / 3).copied().unwrap_or(f64::NAN);
    let (low, high) = (cut(1), cut(2));
    let third = |x: &f64| match x.is_nan() {
        true => 3,
        false => u16::from(*x >= low) + u16::from(*x >= high),
    };
    values.iter().map(third).collect()
}

/// Cells of the largest table of counts.
const MOST_CELLS: usize = 1 << 20;

/// I(y; a, b) − I(y; a) − I(y; b), which is I(a; b | y) − I(a; b); 0 for columns of so many
/// categories that counts say nothing. `terms` holds c ln c of every count.
fn interaction(terms: &[f64], y: &Levels, a: &Levels, b: &Levels) -> f64 {
    let n = y.codes.len();
    if y.count.saturating_mul(a.count).saturating_mul(b.count) > MOST_CELLS {
        return 0.0;
    }
    let mut all = vec![0usize; y.count * a.count * b.count];
    for ((&y, &at), &bt) in y.codes.iter().zip(&a.codes).zip(&b.codes) {
        all[(usize::from(y) * a.count + usize::from(at)) * b.count + usize::from(bt)] += 1;
    }
    let (mut ab, mut ya) = (vec![0; a.count * b.count], vec![0; y.count * a.count]);
    let mut yb = vec![0; y.count * b.count];
    for (at, &count) in all.iter().enumerate() {
        let (pair, bt) = (at / b.count, at % b.count);
        ab[pair % a.count * b.count + bt] += count;
        ya[pair] += count;
        yb[pair / a.count * b.count + bt] += count;
    }
    let sum = |counts: &[usize]| counts.iter().map(|&count| terms[count]).sum::<f64>();
    let single = |of: &Levels| of.rows.iter().map(|rows| terms[rows.len()]).sum::<f64>();
    let alone = single(y) + single(a) + single(b);
    (alone + sum(&all) - sum(&ab) - sum(&ya) - sum(&yb)) / n as f64 - (n as f64).ln()
}

/// c ln c for every count up to n.
fn terms(n: usize) -> Vec<f64> {
    (0..=n).map(|c| if c == 0 { 0.0 } else { c as f64 * (c as f64).ln() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interaction_information_is_that_of_the_probabilities() {
        let mut random = Random::new(1, 0);
        let mut draw = |k: usize| Levels::new((0..200).map(|_| random.below(k) as u16).collect());
        let (y, a, b) = (draw(2), draw(3), draw(4));
        let share = |holds: &dyn Fn(usize) -> bool| {
            (0..200).filter(|&row| holds(row)).count() as f64 / 200.0
        };
        let mut plain = 0.0;
        for (u, v, w) in
            (0..2).flat_map(|u| (0..3).flat_map(move |v| (0..4).map(move |w| (u, v, w))))
        {
            let (iy, ia, ib) = (
                |row: usize| y.codes[row] == u,
                |row: usize| a.codes[row] == v,
                |row: usize| b.codes[row] == w,
            );
            let all = share(&|row| iy(row) && ia(row) && ib(row));
            if all > 0.0 {
                let above =
                    all * share(&|row| iy(row)) * share(&|row| ia(row)) * share(&|row| ib(row));
                let below = share(&|row| iy(row) && ia(row))
                    * share(&|row| iy(row) && ib(row))
                    * share(&|row| ia(row) && ib(row));
                plain += all * (above / below).ln();
            }
        }
        assert!((interaction(&terms(200), &y, &a, &b) - plain).abs() < 1e-12);
    }

    #[test]
    fn the_other_locus_of_a_pair_is_found_and_noise_is_not_called() {
        let (mut found, mut called) = (0, 0);
        for seed in 0..8 {
            let mut random = Random::new(seed, 3);
            let rows = 400;
            let column = |at: usize, random: &mut Random| {
                let cells: Vec<Option<&str>> =
                    (0..rows).map(|_| Some(["0", "1", "2"][random.below(3)])).collect();
                Column::nominal(format!("x{at}"), &cells).unwrap()
            };
            let columns: Vec<Column> = (0..15).map(|at| column(at, &mut random)).collect();
            let table = Table::new(columns).unwrap();
            let (a, b) = (Levels::of(&table.columns()[2]), Levels::of(&table.columns()[9]));
            let label = |row: usize| {
                let odd = (a.codes[row] + b.codes[row]) % 2 == 1;
                if random.chance(if odd { 0.75 } else { 0.25 }) { "case" } else { "control" }
            };
            let target = Target::classes((0..rows).map(label).collect::<Vec<_>>());
            let search = PartnerSearch::default();
            let run = Run::default();
            let partners = search.find(&table, &target, &[2, 5], &run).unwrap();
            let best = partners[0];
            found += usize::from((best.feature, best.partner) == (2, 9) && best.p_family < 0.01);
            called += partners[1..].iter().filter(|one| one.p_family < 0.05).count();
            let again = search.find(&table, &target, &[2, 5], &Run::on(1)).unwrap();
            assert_eq!(partners, again);
        }
        assert!(found >= 7 && called <= 2, "{found} {called}");
    }

    #[test]
    fn columns_that_are_linked_to_the_first_are_no_partners() {
        let x: Vec<f64> = (0..60).map(f64::from).collect();
        let shuffled: Vec<f64> = (0..60).map(|row| f64::from(row * 37 % 60)).collect();
        let columns = vec![
            Column::numeric("x", x.clone()),
            Column::numeric("copy", x.iter().map(|x| 2.0 * x).collect()),
            Column::numeric("other", shuffled),
        ];
        let table = Table::new(columns).unwrap();
        let target = Target::classes((0..60).map(|row| (row % 2).to_string()));
        let found = PartnerSearch::default().find(&table, &target, &[0], &Run::default()).unwrap();
        assert_eq!(found.iter().map(|one| one.partner).collect::<Vec<_>>(), [2]);
        let missing = PartnerSearch::default().find(&table, &target, &[3], &Run::default());
        assert!(missing.is_err());
    }
}
