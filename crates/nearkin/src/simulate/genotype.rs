//! Genotypes: how many minor alleles (0, 1 or 2) a person carries at a locus.

use super::assemble::{digits, noise};
use crate::data::Column;
use crate::random::Random;
use crate::{Error, ParameterError, Result};

/// Probabilities of 0, 1 and 2 minor alleles of frequency `maf` under Hardy–Weinberg:
/// (1−m)², 2m(1−m), m².
pub(super) fn hardy_weinberg(maf: f64) -> [f64; 3] {
    [(1.0 - maf) * (1.0 - maf), 2.0 * maf * (1.0 - maf), maf * maf]
}

/// A genotype drawn under Hardy–Weinberg: two alleles, each minor with probability `maf`.
pub(super) fn draw(maf: f64, random: &mut Random) -> u16 {
    u16::from(random.chance(maf)) + u16::from(random.chance(maf))
}

/// A column of genotypes.
pub(super) fn column(name: String, codes: Vec<u16>) -> Result<Column<'static>> {
    digits(name, codes, 3, 0)
}

/// Columns `N0`, `N1`, … of genotypes, each locus with its own frequency uniform in `range`.
pub(super) fn irrelevant(
    rows: usize,
    count: usize,
    range: &[f64],
    seed: u64,
) -> Result<Vec<Column<'static>>> {
    let (low, high) = match range {
        [low, high] if low <= high => (*low, *high),
        _ => {
            return Err(Error::parameter("irrelevant_maf", ParameterError::FrequencyRange));
        }
    };
    check_frequencies("irrelevant_maf", range)?;
    let mut random = noise(seed);
    (0..count)
        .map(|j| {
            let maf = low + (high - low) * random.uniform();
            column(format!("N{j}"), (0..rows).map(|_| draw(maf, &mut random)).collect())
        })
        .collect()
}

/// One frequency a locus, from a list of one for all or of one each.
pub(super) fn frequencies(name: &str, given: &[f64], loci: usize) -> Result<Vec<f64>> {
    check_frequencies(name, given)?;
    match given.len() {
        1 => Ok(vec![given[0]; loci]),
        n if n == loci => Ok(given.to_vec()),
        got => Err(Error::parameter(name, ParameterError::Frequencies { loci, got })),
    }
}

/// Refuse frequencies that are not those of a minor allele.
pub(super) fn check_frequencies(name: &str, given: &[f64]) -> Result<()> {
    match given.iter().find(|&&maf| !(maf > 0.0 && maf <= 0.5)) {
        Some(&got) => Err(Error::parameter(name, ParameterError::NotMinor { got })),
        None => Ok(()),
    }
}
