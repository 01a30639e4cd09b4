//! Drawing people from a population whose disease follows a penetrance table.

use super::Penetrance;
use crate::data::Column;
use crate::random::Random;
use crate::{Note, Result};

use super::genotype;

/// Cumulative probabilities of a table's cells: in the population, among cases, among controls.
pub(super) struct Cohort<'a> {
    table: &'a Penetrance,
    everyone: Vec<f64>,
    cases: Vec<f64>,
    controls: Vec<f64>,
}

impl<'a> Cohort<'a> {
    pub(super) fn new(table: &'a Penetrance) -> Self {
        let weights = table.weights();
        let joint = |share: fn(f64) -> f64| {
            let parts = weights.iter().zip(table.cells()).map(|(w, &p)| w * share(p));
            parts
                .scan(0.0, |sum, part| {
                    *sum += part;
                    Some(*sum)
                })
                .collect()
        };
        Self { table, everyone: joint(|_| 1.0), cases: joint(|p| p), controls: joint(|p| 1.0 - p) }
    }

    /// The genotypes of someone of the given class, by Bayes' rule; with the class drawn too
    /// when it is not given.
    pub(super) fn member(&self, case: Option<bool>, random: &mut Random) -> (Vec<u16>, bool) {
        match case {
            Some(true) => (self.table.genotypes(pick(&self.cases, random)), true),
            Some(false) => (self.table.genotypes(pick(&self.controls, random)), false),
            None => {
                let cell = pick(&self.everyone, random);
                (self.table.genotypes(cell), random.chance(self.table.cells()[cell]))
            }
        }
    }

    /// The genotypes of anyone.
    pub(super) fn anyone(&self, random: &mut Random) -> Vec<u16> {
        self.table.genotypes(pick(&self.everyone, random))
    }
}

/// A cell by its cumulative probabilities; never one of probability zero.
fn pick(cumulative: &[f64], random: &mut Random) -> usize {
    let total = cumulative.last().copied().unwrap_or_default();
    let u = random.uniform() * total;
    cumulative.partition_point(|&sum| sum <= u).min(cumulative.len() - 1)
}

/// The class of each row: a fixed share of cases in random order. None without a fixed share: the
/// penetrance table then draws the class.
pub(super) fn planned(rows: usize, share: Option<f64>, random: &mut Random) -> Vec<Option<bool>> {
    let Some(share) = share else { return vec![None; rows] };
    let cases = (share * rows as f64).round() as usize;
    let mut plan: Vec<Option<bool>> = (0..rows).map(|row| Some(row < cases)).collect();
    random.shuffle(&mut plan);
    plan
}

/// Columns `M<model>P<locus>` from rows of genotypes of `loci` loci, `start` the first of them.
pub(super) fn columns(
    rows: &[Vec<u16>],
    model: usize,
    start: usize,
    loci: usize,
) -> Result<Vec<Column<'static>>> {
    (0..loci)
        .map(|locus| {
            let codes = rows.iter().map(|row| row[start + locus]).collect();
            genotype::column(format!("M{model}P{locus}"), codes)
        })
        .collect()
}

/// The genetics of model number `model`.
pub(super) fn note(model: usize, table: &Penetrance) -> Note {
    Note::GeneticModel {
        model,
        maf: table.maf().to_vec(),
        prevalence: table.prevalence(),
        heritability: table.heritability(),
        penetrances: table.cells().to_vec(),
    }
}
