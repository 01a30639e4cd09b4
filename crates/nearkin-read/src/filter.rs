//! [`filter`]: samples and variants left out by what their genotypes are.
//!
//! In PLINK's order: samples that lack too many genotypes, then variants that lack too many, that
//! are far from Hardy–Weinberg proportions, and whose rarer allele is too rare. Genotypes stay
//! packed: a variant is counted by 64 cells at a time, and one that goes is dropped unseen.

use nearkin::data::{Column, ColumnValues, Genotypes, Table, Target};
use nearkin::stats::hardy_weinberg;

use crate::error::{OptionError, ReadError, Result};
use crate::loaded::Loaded;
use crate::note::ReadNote;
use crate::options::Options;

/// What the genotypes of a variant are, over some samples.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct VariantSummary {
    /// How many cells are 0, 1 and 2 copies of the allele that is counted.
    pub copies: [usize; 3],
    /// How many are missing.
    pub missing: usize,
    /// The share of that allele among those known; NaN where none is.
    pub frequency: f64,
    /// The p-value of the exact test of Hardy–Weinberg proportions.
    pub hardy_weinberg: f64,
}

impl VariantSummary {
    /// The summary of a variant.
    ///
    /// ```
    /// use nearkin::data::Genotypes;
    /// use nearkin_read::VariantSummary;
    /// let cells = Genotypes::from_copies([Some(2), Some(1), None, Some(0)])?;
    /// let summary = VariantSummary::of(&cells);
    /// assert_eq!((summary.copies, summary.missing), ([1, 1, 1], 1));
    /// assert_eq!((summary.frequency, summary.rarer()), (0.5, 0.5));
    /// # Ok::<(), nearkin::Error>(())
    /// ```
    pub fn of(cells: &Genotypes<'_>) -> Self {
        let [none, one, two, missing] = cells.counts();
        let copies = [none, one, two];
        let known = 2 * (none + one + two);
        let frequency = (2 * two + one) as f64 / known as f64;
        Self { copies, missing, frequency, hardy_weinberg: hardy_weinberg(copies) }
    }

    /// The share of the rarer allele; NaN where no cell is known.
    pub fn rarer(&self) -> f64 {
        self.frequency.min(1.0 - self.frequency)
    }
}

/// The share that is missing of `of` cells.
fn share(missing: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { missing as f64 / of as f64 }
}

fn genotypes<'c>(column: &'c Column<'_>) -> Option<&'c Genotypes<'c>> {
    match &column.values {
        ColumnValues::Genotype(cells) => Some(cells),
        _ => None,
    }
}

/// Leaves out what the options say.
pub(crate) fn filter(file: &str, loaded: &mut Loaded, options: &Options) -> Result<()> {
    let limits = [
        ("maf", options.maf),
        ("geno", options.geno),
        ("mind", options.mind),
        ("hwe", options.hwe),
    ];
    let mut asked = limits.iter().filter_map(|(name, limit)| Some((*name, (*limit)?)));
    let Some((option, _)) = asked.next() else { return Ok(()) };
    let bad = |option, reason| ReadError::Option { file: file.to_owned(), option, reason };
    for (option, limit) in limits.iter().filter_map(|(name, limit)| Some((*name, (*limit)?))) {
        if !(0.0..=1.0).contains(&limit) {
            return Err(bad(option, OptionError::NoShare { found: limit }));
        }
    }
    if !loaded.table.columns().iter().any(|column| genotypes(column).is_some()) {
        return Err(bad(option, OptionError::NoGenotypes));
    }
    if let Some(limit) = options.mind {
        samples(file, loaded, limit)?;
    }
    variants(file, loaded, options)
}

/// Leaves out the samples that lack too many genotypes.
fn samples(file: &str, loaded: &mut Loaded, limit: f64) -> Result<()> {
    let rows = loaded.table.rows();
    let (mut missing, mut of) = (vec![0; rows], 0);
    for cells in loaded.table.columns().iter().filter_map(genotypes) {
        of += 1;
        if cells.missing() > 0 {
            let gone = (0..rows).filter(|&row| cells.at(row).is_none());
            gone.for_each(|row| missing[row] += 1);
        }
    }
    let kept: Vec<usize> = (0..rows).filter(|&row| share(missing[row], of) <= limit).collect();
    let count = rows - kept.len();
    if kept.is_empty() {
        return Err(ReadError::NothingLeft { file: file.to_owned(), option: "mind", count, limit });
    }
    if count > 0 {
        loaded.select_rows(&kept).map_err(|e| ReadError::table(file, e))?;
        loaded.notes.push(ReadNote::SamplesLackGenotypes { count, of: rows, limit });
    }
    Ok(())
}

/// The controls, where the target is 1 and 2 as PLINK writes control and case.
fn controls(target: Option<&Target>) -> Option<Vec<usize>> {
    let Some(Target::Classes(classes)) = target else { return None };
    let coded = classes.names().iter().eq(["1", "2"]);
    coded.then(|| (0..classes.codes().len()).filter(|&row| classes.codes()[row] == 0).collect())
}

/// Leaves out the variants that the options say.
fn variants(file: &str, loaded: &mut Loaded, options: &Options) -> Result<()> {
    let rows = loaded.table.rows();
    let controls = options.hwe.and(controls(loaded.target.as_ref()));
    let (mut geno, mut hwe, mut maf) = (0, 0, 0);
    let mut keeps = |column: &Column<'_>| {
        let Some(cells) = genotypes(column) else { return true };
        let summary = VariantSummary::of(cells);
        if options.geno.is_some_and(|limit| share(summary.missing, rows) > limit) {
            geno += 1;
            return false;
        }
        if let Some(limit) = options.hwe {
            let p = match &controls {
                Some(controls) => VariantSummary::of(&cells.select(controls)).hardy_weinberg,
                None => summary.hardy_weinberg,
            };
            if p < limit {
                hwe += 1;
                return false;
            }
        }
        // A variant without any known cell has no share of an allele.
        let rare = |limit: f64| summary.rarer().is_nan() || summary.rarer() < limit;
        if options.maf.is_some_and(rare) {
            maf += 1;
            return false;
        }
        true
    };
    let kept: Vec<bool> = loaded.table.columns().iter().map(&mut keeps).collect();
    let of = kept.len();
    let last = [("maf", maf), ("hwe", hwe), ("geno", geno)].into_iter().find(|(_, n)| *n > 0);
    let limit = |limit: Option<f64>| limit.unwrap_or_default();
    if let (false, Some((option, count))) = (kept.contains(&true), last) {
        let limit = limit(match option {
            "maf" => options.maf,
            "hwe" => options.hwe,
            _ => options.geno,
        });
        return Err(ReadError::NothingLeft { file: file.to_owned(), option, count, limit });
    }
    if kept.contains(&false) {
        let mut keep = kept.into_iter();
        let columns =
            loaded.take_columns().into_iter().filter(|_| keep.next() == Some(true)).collect();
        loaded.table = Table::new(columns).map_err(|e| ReadError::table(file, e))?;
    }
    let of_controls = controls.is_some();
    loaded.notes.extend(
        [
            (geno > 0).then(|| ReadNote::VariantsMissing {
                count: geno,
                of,
                limit: limit(options.geno),
            }),
            (hwe > 0).then(|| {
                let limit = limit(options.hwe);
                ReadNote::VariantsOffProportions { count: hwe, of, limit, controls: of_controls }
            }),
            (maf > 0).then(|| ReadNote::VariantsRare { count: maf, of, limit: limit(options.maf) }),
        ]
        .into_iter()
        .flatten(),
    );
    Ok(())
}
