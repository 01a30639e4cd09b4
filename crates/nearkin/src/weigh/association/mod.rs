//! **Neighbourhood association**: does a feature go with the target among rows that are alike in
//! everything else? A test of each feature with a p-value that holds while other features matter.
//! This method is nearkin's own; it is not from a paper.
//! ```text
//! d_a(i, j) = d(i, j) − diff_a(i, j)              the distance without the feature under test
//! N_a(i)    = rows nearer to i under d_a than μ_i − σ_i/2, or the k nearest
//! w_ij      = 1/|N_a(i)| for j in N_a(i), else 0
//! G_ij      = ⟨r_i, r_j⟩                          r: residuals of the target given the covariates
//! T_a       = − Σ_ij w_ij (diff_a(i, j) − m_i) G_ij,     m_i = Σ_j w_ij diff_a(i, j)
//! ```
//! Two near rows with unlike residuals count for a feature where they differ in it, as a miss does
//! in ReliefF; with like residuals they count against it, as a hit does. Neighbourhoods know neither
//! the target nor the feature, so unequal classes do not move the weights of noise away from 0.
//!
//! Two exchanges give two p-values, and the greater is published. For `p_column` the cells of the
//! feature move between rows: it holds when the feature is independent of everything else, whatever
//! the target looks like. For `p_target` the residuals of the target move: it holds when the target
//! is exchangeable given the covariates, which guards against features that are tied to each other.
//! Both tails follow Pearson's type III law with the skewness of the exchanges. The weight is z, the
//! number of deviations that T lies above its mean under the exchange whose p is published.
//!
//! Columns that are linked to the feature (r² above `linked`) are left out of its distance too. With
//! more than 500 columns one feature hardly moves the distance: all columns stay in, and one set of
//! neighbourhoods serves all features. Where nothing is left to tell rows apart, all are near alike.
//!
//! p_column has closed moments, where cells move freely: no exchange is needed. Within strata, and
//! for ramped differences, cells are exchanged. p_target has the closed variance where rows move
//! freely, and the skewness of the exchanges.
//!
//! Cost: n²·p for the distances; for each feature the number of near pairs times the number of
//! exchanges, of which complete categories and classes take 512 at a time. Memory: n² bits for
//! neighbourhoods within a radius, n·k numbers for the nearest, and the distances from 64 rows.
//! Up to 500 columns, features are worked on in groups whose neighbourhoods take up to 256 MiB.
//!
//! Reference: none. The exchanges of cells follow N. Mantel, *The detection of disease clustering
//! and a generalized regression approach*, Cancer Research 27 (1967); the law of the tails follows
//! P. W. Mielke and K. J. Berry, *Permutation methods*, Springer 2007.

mod columns;
mod direction;
mod moments;
mod near;
mod residuals;
mod statistic;

use std::cmp::Ordering::{self, Equal};

use rayon::prelude::*;

pub(super) use columns::squared_correlation;
pub use near::Nearness;
pub(super) use residuals::adjusted;
pub(super) use statistic::NullMoments;

use super::common::{ReliefSettings, check_rows, refuse_identifiers, silent_columns, two_classes};
use super::structure::relatives;
use super::{About, FeatureWeights, Weigh, WeighTask};
use crate::data::{Column, ColumnValues, Encoder, MISSING, Table, Target};
use crate::measure::{Measure, Metric, Unknown};
use crate::neighbors::{Labelled, Strips};
use crate::stats::{benjamini_hochberg, holm};
use crate::{Error, Note, ParameterError, Result, Run, WeighError, parameters};
use columns::{Cells, Columns};
use direction::direction;
use near::{Near, rounding};
use residuals::Residuals;
use statistic::{Exchanged, Found, Shared, Weights, by_column, by_target};

parameters! {
    /// Neighbourhood association and its settings.
    pub struct Association {
        /// Which rows are near: within MultiSURF's radius, or the k nearest.
        near: Nearness = Nearness::Radius;
        /// The number of neighbours, where the nearest count.
        k ("n_neighbors"): usize = 20, min 1;
        /// Exchanges of the target, for p_target.
        exchanges: usize = 500, min 50;
        /// Exchanges of each feature's cells, where they move within strata.
        column_exchanges: usize = 200, min 50;
        /// Take the ranks of a target of numbers.
        ranks: bool = false;
        /// Columns whose r² with the feature is above this are left out of its distance.
        linked: f64 = 0.1, in 0.0..=1.0;
    } with common: ReliefSettings
}

/// What stands beside table and target: what is adjusted for, and further targets.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'a> {
    /// Columns whose effect on the target is taken out; they are no features.
    pub covariates: Option<&'a Table<'a>>,
    /// The stratum of each row: labels and cells are exchanged within strata only.
    pub strata: Option<&'a [u32]>,
    /// Further targets, tested together with the first one.
    pub targets: &'a [Target],
}

impl Given<'_> {
    /// Refuse what has another number of rows than the table.
    pub(super) fn check(&self, rows: usize) -> Result<()> {
        let covariates = self.covariates.map(Table::rows);
        let strata = self.strata.map(<[u32]>::len);
        let targets = self.targets.iter().map(Target::len);
        match covariates.into_iter().chain(strata).chain(targets).find(|&given| given != rows) {
            Some(given) => Err(WeighError::GivenRows { table: rows, given }.into()),
            None => Ok(()),
        }
    }
}

/// Which way a feature goes with the target, adjusted for the covariates: taken by itself, so a
/// feature that acts together with others may have none.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Direction {
    /// The category or genotype that goes with the class; none where higher values do.
    pub level: Option<String>,
    /// The class that is more frequent there; none for a target of numbers.
    pub class: Option<String>,
    /// False where the class is rarer, or the target lower, than elsewhere.
    pub more: bool,
    /// Deviations from no relation.
    pub z: f64,
}

/// The association of one feature with the target.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FeatureAssociation {
    /// The statistic T.
    pub t: f64,
    /// Deviation of T under the exchange whose p is published.
    pub deviation: f64,
    /// Deviations of T above its mean under that exchange.
    pub z: f64,
    /// The greater of `p_target` and `p_column`.
    pub p: f64,
    /// From exchanges of the target.
    pub p_target: f64,
    /// From exchanges of the feature's cells.
    pub p_column: f64,
    /// Benjamini and Hochberg's adjusted p.
    pub q: f64,
    /// p adjusted so that any false call among all features is as rare as it says.
    pub p_family: f64,
    /// True where p is smaller than exchanges alone can tell: it follows from a law fitted to them.
    pub extrapolated: bool,
    /// Which way the feature goes with the target, where it has a way of its own.
    pub direction: Option<Direction>,
}

/// The associations of all features, in table order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Associations {
    /// The features' names.
    pub features: Vec<String>,
    /// Their associations.
    pub tests: Vec<FeatureAssociation>,
    /// Rows that an exchange can give another residual.
    pub movable: usize,
    /// What a reader should know.
    pub notes: Vec<Note>,
}

/// Columns from which on the feature under test stays in the distance.
const COMMON_FROM: usize = 501;

/// Bytes that the neighbourhoods of features may take together, about.
const MEMORY: usize = 256 << 20;

/// Rows up to which sums over triangles are exact: where features have neighbourhoods of their own,
/// and where all share them.
const DENSE_EACH: usize = 320;
const DENSE_ONCE: usize = 3000;

/// Rows that can move, at the least.
const MOVABLE: usize = 20;

impl Association {
    /// Test each feature of `table` against `target`, adjusted for what is `given`.
    ///
    /// # Errors
    /// When table, target, covariates and strata disagree or too few rows can be exchanged.
    pub fn test(
        &self,
        table: &Table,
        target: &Target,
        given: &Given,
        run: &Run,
    ) -> Result<Associations> {
        crate::parameter::Parameters::check(self)?;
        if self.common.sample.is_some() {
            return Err(Error::parameter("sample", ParameterError::AllRowsAreTargets));
        }
        check_rows(table, target)?;
        given.check(table.rows())?;
        // Rows and categories in an order of their own: exchanges do not depend on the order of the
        // file.
        let table = &table.sort_categories();
        let covariates = given.covariates.map(Table::sort_categories);
        let given = &Given { covariates: covariates.as_ref(), ..*given };
        let order = canonical_order(table, target, given);
        let (table, target) = (table.select_rows(&order), target.select(&order));
        let covariates = given.covariates.map(|covariates| covariates.select_rows(&order));
        let strata: Option<Vec<u32>> =
            given.strata.map(|strata| order.iter().map(|&row| strata[row]).collect());
        let targets: Vec<Target> = given.targets.iter().map(|one| one.select(&order)).collect();
        let (covariates, strata) = (covariates.as_ref(), strata.as_deref());
        let given = Given { covariates, strata, targets: &targets };
        run.install(|| self.work(&table, &target, &given, run))?
    }

    fn work(
        &self,
        table: &Table,
        target: &Target,
        given: &Given,
        run: &Run,
    ) -> Result<Associations> {
        let n = table.rows();
        if let Target::Classes(_) = target {
            let classes = two_classes(target, "association")?;
            refuse_identifiers(classes.counts(), n)?;
        }
        let residuals = Residuals::new(target, given, self.ranks)?;
        let movable = residuals.movable();
        if movable < MOVABLE {
            return Err(WeighError::FewMovable { movable, least: MOVABLE }.into());
        }
        let encoder = Encoder::fit(table)?;
        let rows = encoder.encode(table)?;
        let labels = vec![0; n];
        // One class for all rows: what a missing cell stands for must not know the target.
        let unknown = Unknown::fit(self.common.missing, &encoder, &rows, &labels, 1);
        let measure = self.common.measure(&encoder, Metric::Manhattan, unknown)?;
        let strips = Strips::new(Labelled { rows: &rows, labels: &labels, classes: 1 });
        let columns = Columns::new(&encoder, &rows, &measure);
        let exchanged = Exchanged::new(&residuals, self.exchanges, self.common.seed);
        let test = Tester { of: self, columns, residuals: &residuals, exchanged, run };
        let search = Search { of: self, strips, measure: &measure, run };

        let features = test.columns.len();
        let found = if features < COMMON_FROM {
            let cells: Vec<Cells> = (0..features).map(|at| test.columns.cells(at)).collect();
            let linked = self.linked_columns(table);
            let together = (MEMORY / Near::bytes((self.near, self.k), n).max(1)).clamp(1, features);
            let mut found = Vec::with_capacity(features);
            for first in (0..features).step_by(together) {
                let chunk = first..(first + together).min(features);
                let near = search.without(&cells, &linked[chunk.clone()], features, first)?;
                let each = near.into_par_iter().zip(chunk).map(|(near, feature)| {
                    run.check((features + feature) as u64, 2 * features as u64)?;
                    test.own(feature, &cells[feature], near)
                });
                found.extend(each.collect::<Result<Vec<_>>>()?);
            }
            found
        } else {
            let near = Shared::new(search.common(features)?, true);
            let seed = self.common.seed;
            let weights = Weights::new((&near.near, &residuals), DENSE_ONCE, seed, run)?;
            let each = |feature: usize| {
                run.check((features + feature) as u64, 2 * features as u64)?;
                test.feature(feature, &test.columns.cells(feature), &near, &weights)
            };
            (0..features).into_par_iter().map(each).collect::<Result<Vec<_>>>()?
        };
        let alone = found.iter().map(|one| one.alone).max().unwrap_or(0);
        run.check(2 * features as u64, 2 * features as u64)?;
        let mut tests = published(&found);
        for (test, column) in tests.iter_mut().zip(table.columns()) {
            test.extrapolated = test.p < self.told_by_exchanges();
            test.direction = direction(column, &residuals);
        }
        let mut notes = silent_columns(table);
        if given.strata.is_none()
            && let Some(found) = relatives(table, run)?
            && found.pairs > 0
        {
            notes.push(Note::RelatedRows { rows: found.rows, pairs: found.pairs });
        }
        if residuals.fixed() > 0 {
            notes.push(Note::FixedRows { rows: residuals.fixed(), movable });
        }
        if alone > 0 {
            notes.push(Note::RowsWithoutNear { rows: alone });
        }
        Ok(Associations { features: encoder.names().to_vec(), tests, movable, notes })
    }

    /// The least p that the exchanges of the target tell by themselves: ten of them lie beyond it.
    fn told_by_exchanges(&self) -> f64 {
        11.0 / (1.0 + self.exchanges as f64)
    }

    /// For each feature itself and the columns that are linked to it.
    fn linked_columns(&self, table: &Table) -> Vec<Vec<usize>> {
        let numbers: Vec<_> = table.columns().iter().map(ordered_numbers).collect();
        let linked = |a: usize, b: usize| {
            a == b
                || match (&numbers[a], &numbers[b]) {
                    (Some(a), Some(b)) => squared_correlation(a, b) > self.linked,
                    _ => false,
                }
        };
        let of = |a: usize| (0..numbers.len()).filter(|&b| linked(a, b)).collect();
        (0..numbers.len()).into_par_iter().map(of).collect()
    }
}

/// What is found of one feature.
struct Tested {
    constant: bool,
    column: Found,
    target: Found,
    /// T of the exchanges of the target in deviations, the true one first.
    standardised: Vec<f32>,
    /// Rows without near rows.
    alone: usize,
}

/// Tests features one by one.
struct Tester<'a> {
    of: &'a Association,
    columns: Columns<'a>,
    residuals: &'a Residuals,
    exchanged: Exchanged<'a>,
    run: &'a Run<'a>,
}

impl Tester<'_> {
    /// Test a feature that has neighbourhoods of its own.
    fn own(&self, feature: usize, cells: &Cells, near: Near) -> Result<Tested> {
        let near = Shared::new(near, false);
        let seed = self.of.common.seed;
        let weights = Weights::new((&near.near, self.residuals), DENSE_EACH, seed, self.run)?;
        self.feature(feature, cells, &near, &weights)
    }

    fn feature(
        &self,
        feature: usize,
        cells: &Cells,
        near: &Shared,
        weights: &Weights,
    ) -> Result<Tested> {
        let alone = near.near.alone;
        if cells.is_constant() {
            let standardised = vec![0.0; self.of.exchanges + 1];
            let nothing = Found::NOTHING;
            return Ok(Tested {
                constant: true,
                column: nothing,
                target: nothing,
                standardised,
                alone,
            });
        }
        let found = self.exchanged.statistics(cells, near, self.run)?;
        let target = by_target(&found);
        let by = (self.of.column_exchanges, self.of.common.seed, feature as u64);
        let column = by_column(cells, weights, target.t, by, self.run)?;
        let moments = NullMoments::of(&found.all[1..]);
        let deviation = moments.variance.sqrt();
        let z =
            |t: &f64| if deviation > 0.0 { ((t - moments.mean) / deviation) as f32 } else { 0.0 };
        let standardised = found.all.iter().map(z).collect();
        Ok(Tested { constant: false, column, target, standardised, alone })
    }
}

/// Finds near rows by distances that are measured again where they are needed.
struct Search<'a> {
    of: &'a Association,
    strips: Strips<'a>,
    measure: &'a Measure,
    run: &'a Run<'a>,
}

impl Search<'_> {
    /// The near rows by all columns.
    fn common(&self, features: usize) -> Result<Near> {
        let n = self.strips.rows();
        let mut near = Near::new(self.of.near, n);
        let mut own = Vec::new();
        self.each_strip(|row, strip| {
            self.run.check((row * features / n) as u64, 2 * features as u64)?;
            near.push(self.of.k, row, (strip, rounding(strip)), &mut own);
            Ok(())
        })?;
        Ok(near)
    }

    /// The near rows of some features, the first of them number `first`, by the distance without the
    /// columns that each leaves out.
    fn without(
        &self,
        cells: &[Cells],
        left_out: &[Vec<usize>],
        features: usize,
        first: usize,
    ) -> Result<Vec<Near>> {
        let n = self.strips.rows();
        let mut all: Vec<(Near, Vec<f64>)> =
            left_out.iter().map(|_| (Near::new(self.of.near, n), Vec::new())).collect();
        self.each_strip(|row, from| {
            let done = first + row * left_out.len() / n;
            self.run.check(done as u64, 2 * features as u64)?;
            let rounding = rounding(from);
            all.par_iter_mut().zip(left_out).with_min_len(4).for_each_init(
                || (Vec::new(), Vec::new()),
                |(strip, difference): &mut (Vec<f64>, Vec<f64>), ((near, own), left_out)| {
                    strip.clear();
                    strip.extend_from_slice(from);
                    for &column in left_out {
                        cells[column].differences(row, difference);
                        strip.iter_mut().zip(&*difference).for_each(|(d, less)| *d -= less);
                    }
                    near.push(self.of.k, row, (strip, rounding), own);
                },
            );
            Ok(())
        })?;
        Ok(all.into_iter().map(|(near, _)| near).collect())
    }

    /// The distances from every row to all rows, in order.
    fn each_strip(&self, mut each: impl FnMut(usize, &[f64]) -> Result<()>) -> Result<()> {
        let n = self.strips.rows();
        let rows: Vec<u32> = (0..n as u32).collect();
        let mut strips = Vec::new();
        for targets in rows.chunks(64) {
            self.strips.par_distances(self.measure, targets, &mut strips);
            for (&row, strip) in targets.iter().zip(strips.chunks_exact(n)) {
                each(row as usize, strip)?;
            }
        }
        Ok(())
    }
}

/// A column as numbers whose correlation with another's says that both are linked: numbers, copies
/// of alleles, and two categories; a missing cell is the mean. None of unordered categories.
pub(super) fn ordered_numbers(column: &Column) -> Option<Vec<f64>> {
    let copies = |code: u16| if code == MISSING { f64::NAN } else { f64::from(code) };
    let mut numbers: Vec<f64> = match &column.values {
        ColumnValues::F64(lane) => lane.iter().collect(),
        ColumnValues::F32(lane) => lane.iter().map(f64::from).collect(),
        ColumnValues::Genotype(cells) => cells.codes().map(copies).collect(),
        ColumnValues::Nominal { codes, categories } if categories.len() <= 2 => {
            codes.iter().map(|&code| copies(code)).collect()
        }
        ColumnValues::Nominal { .. } => return None,
    };
    let known = numbers.iter().copied().filter(|x| !x.is_nan());
    let (sum, count) = known.fold((0.0, 0usize), |(sum, count), x| (sum + x, count + 1));
    let mean = sum / count.max(1) as f64;
    numbers.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = mean);
    Some(numbers)
}

/// Rows sorted by their cells, then target, covariates and strata; equal rows may change places.
fn canonical_order(table: &Table, target: &Target, given: &Given) -> Vec<usize> {
    let of_target = |a: usize, b: usize| match target {
        Target::Classes(classes) => classes.codes()[a].cmp(&classes.codes()[b]),
        Target::Real(values) => values[a].total_cmp(&values[b]),
    };
    let of_strata =
        |a: usize, b: usize| given.strata.map_or(Equal, |codes| codes[a].cmp(&codes[b]));
    let mut order: Vec<usize> = (0..table.rows()).collect();
    order.sort_by(|&a, &b| {
        compare_rows(table, a, b)
            .then_with(|| of_target(a, b))
            .then_with(|| {
                given.covariates.map_or(Equal, |covariates| compare_rows(covariates, a, b))
            })
            .then_with(|| of_strata(a, b))
    });
    order
}

/// The order of two rows by their cells, column after column.
fn compare_rows(table: &Table, a: usize, b: usize) -> Ordering {
    let columns = table.columns().iter().map(|column| match &column.values {
        ColumnValues::F64(lane) => lane.at(a).total_cmp(&lane.at(b)),
        ColumnValues::F32(lane) => lane.at(a).total_cmp(&lane.at(b)),
        ColumnValues::Nominal { codes, .. } => codes[a].cmp(&codes[b]),
        ColumnValues::Genotype(cells) => cells.code(a).cmp(&cells.code(b)),
    });
    columns.into_iter().find(|order| order.is_ne()).unwrap_or(Equal)
}

/// The published p of each feature, and those that are adjusted for all features.
fn published(found: &[Tested]) -> Vec<FeatureAssociation> {
    let test = |one: &Tested| {
        let p = |found: &Found| if one.constant { 1.0 } else { found.p };
        let (p_target, p_column) = (p(&one.target), p(&one.column));
        let published = if p_target >= p_column { &one.target } else { &one.column };
        FeatureAssociation {
            t: one.target.t,
            deviation: published.deviation,
            z: published.z,
            p: p_target.max(p_column),
            p_target,
            p_column,
            q: 1.0,
            p_family: 1.0,
            extrapolated: false,
            direction: None,
        }
    };
    let mut tests: Vec<FeatureAssociation> = found.iter().map(test).collect();
    let q = benjamini_hochberg(&tests.iter().map(|test| Some(test.p)).collect::<Vec<_>>());
    let by_column = holm(&tests.iter().map(|test| Some(test.p_column)).collect::<Vec<_>>());
    let by_target = step_down(found);
    for (at, test) in tests.iter_mut().enumerate() {
        test.q = q[at].unwrap_or(1.0);
        test.p_family = by_target[at].max(by_column[at].unwrap_or(1.0)).max(test.p);
    }
    tests
}

/// Family-wise p by step-down maxima of standardised T over the exchanges of the target (Westfall
/// and Young 1993).
fn step_down(found: &[Tested]) -> Vec<f64> {
    let own = |feature: usize| found[feature].standardised[0];
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&a, &b| own(b).total_cmp(&own(a)).then(a.cmp(&b)));
    let exchanges = found.first().map_or(0, |one| one.standardised.len() - 1);
    let mut largest = vec![f32::NEG_INFINITY; exchanges];
    let mut p = vec![1.0; found.len()];
    for &feature in order.iter().rev() {
        let all = &found[feature].standardised;
        largest.iter_mut().zip(&all[1..]).for_each(|(most, z)| *most = most.max(*z));
        let as_large = largest.iter().filter(|most| **most >= all[0]).count();
        p[feature] = (1 + as_large) as f64 / (1 + exchanges) as f64;
    }
    let mut least = 0.0f64;
    for feature in order {
        least = least.max(p[feature]);
        p[feature] = least;
    }
    p
}

impl Weigh for Association {
    fn about(&self) -> About {
        About {
            id: "association",
            title: "Association",
            summary: "Tests each feature among rows that are alike in all others; its p-values hold \
                      for unequal classes and beside features that matter.",
            reference: "nearkin's own",
        }
    }

    fn takes_covariates(&self) -> bool {
        true
    }

    fn takes_strata(&self) -> bool {
        true
    }

    fn fit_checked(&self, task: WeighTask) -> Result<FeatureWeights> {
        let WeighTask { table, target, given, extras, run } = task;
        self.common.refuse_priors(ParameterError::PriorsOfResiduals)?;
        extras.only_weights(WeighError::AssociationAlone)?;
        let found = self.test(table, target, given, run)?;
        Ok(FeatureWeights {
            weights: found.tests.iter().map(|test| test.z).collect(),
            features: found.features,
            associations: found.tests,
            notes: found.notes,
            ..FeatureWeights::default()
        })
    }
}
