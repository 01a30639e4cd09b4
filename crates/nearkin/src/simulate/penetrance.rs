//! [`Penetrance`]: the chance of disease for every combination of genotypes.

use super::genotype::{check_frequencies, hardy_weinberg};
use crate::random::Random;
use crate::{Error, ParameterError, Result, SimulateError};

/// Random directions tried before climbing.
const TRIES: usize = 1000;
/// Climbs from different starts, and steps of each, before a heritability is given up.
const CLIMBS: usize = 12;
const STEPS: usize = 1500;

/// A penetrance table: P(case | genotypes) for 3ⁿ combinations of n loci in Hardy–Weinberg
/// proportions. Cells are ordered with the last locus changing fastest.
///
/// ```
/// use nearkin::simulate::Penetrance;
/// // Two loci, exclusive or of heterozygotes: each locus alone tells nothing.
/// let xor = vec![0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
/// let table = Penetrance::new(vec![0.5, 0.5], xor)?;
/// assert_eq!((table.prevalence(), table.heritability()), (0.5, 1.0));
/// assert_eq!(table.marginal(0), [0.5, 0.5, 0.5]);
/// # Ok::<(), nearkin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Penetrance {
    maf: Vec<f64>,
    cells: Vec<f64>,
}

impl Penetrance {
    /// A table from minor allele frequencies and 3ⁿ probabilities.
    ///
    /// # Errors
    ///
    /// When a frequency is not that of a minor allele, a cell is no probability, or there are not
    /// 3ⁿ cells.
    pub fn new(maf: Vec<f64>, cells: Vec<f64>) -> Result<Self> {
        check_frequencies("maf", &maf)?;
        if maf.is_empty() || maf.len() > 8 || cells.len() != 3usize.pow(maf.len() as u32) {
            let (cells, loci) = (cells.len(), maf.len());
            return Err(SimulateError::PenetranceSize { cells, loci }.into());
        }
        match cells.iter().find(|cell| !(0.0..=1.0).contains(*cell)) {
            Some(&got) => Err(SimulateError::NotProbability { got }.into()),
            None => Ok(Self { maf, cells }),
        }
    }

    /// A random table of pure, strict epistasis: every proper subset of the loci has the same
    /// penetrance, `prevalence`, whatever its genotypes, and all loci together explain
    /// `heritability`.
    ///
    /// With w the Hardy–Weinberg weights, a table K + s·d has that property when the weighted
    /// mean of d along every locus is zero; subtracting those means projects any random
    /// direction onto the space of such d. The scale s is then set by
    /// h² = s² Var(d) / (K(1−K)) (Urbanowicz et al., *BioData Mining* 5:16, 2012, seek such
    /// tables too). Directions are drawn until one stays inside [0, 1]; when none does, the
    /// search climbs towards the largest h², and an error says what it reached.
    ///
    /// # Errors
    ///
    /// When a frequency or a share is outside its range, and when no table reaches the
    /// heritability.
    pub fn pure(
        maf: &[f64],
        prevalence: f64,
        heritability: f64,
        random: &mut Random,
    ) -> Result<Self> {
        check_frequencies("maf", maf)?;
        if !(2..=4).contains(&maf.len()) {
            return Err(SimulateError::Loci { got: maf.len() }.into());
        }
        if !(prevalence > 0.0 && prevalence < 1.0) {
            let reason = ParameterError::NotBetween { low: 0.0, high: 1.0, got: prevalence };
            return Err(Error::parameter("prevalence", reason));
        }
        if !(0.0..=1.0).contains(&heritability) {
            let reason = ParameterError::Outside { min: 0.0, max: 1.0, got: heritability };
            return Err(Error::parameter("heritability", reason));
        }
        let search = Search { weights: weights(maf), loci: maf.len(), prevalence };
        let direction = search.reaching(heritability, random).map_err(|most| {
            let (asked, maf) = (heritability, maf.to_vec());
            let reason = ParameterError::Heritability { asked, prevalence, maf, most };
            Error::parameter("heritability", reason)
        })?;
        let variance = search.variance(&direction);
        let scale = (heritability * prevalence * (1.0 - prevalence) / variance).sqrt();
        let cells = direction.iter().map(|d| (prevalence + scale * d).clamp(0.0, 1.0)).collect();
        Self::new(maf.to_vec(), cells)
    }

    /// Minor allele frequency of each locus.
    pub fn maf(&self) -> &[f64] {
        &self.maf
    }

    /// P(case | genotypes), the last locus changing fastest.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// P(genotypes) under Hardy–Weinberg, in the order of [`cells`](Self::cells).
    pub fn weights(&self) -> Vec<f64> {
        weights(&self.maf)
    }

    /// K: the share of cases in the population.
    pub fn prevalence(&self) -> f64 {
        self.weights().iter().zip(&self.cells).map(|(w, p)| w * p).sum()
    }

    /// h² = Var(penetrance) / (K(1−K)): how much of the variance of the class is explained;
    /// 0 when everyone or no one is a case.
    pub fn heritability(&self) -> f64 {
        let k = self.prevalence();
        let variance: f64 =
            self.weights().iter().zip(&self.cells).map(|(w, p)| w * (p - k) * (p - k)).sum();
        if k > 0.0 && k < 1.0 { variance / (k * (1.0 - k)) } else { 0.0 }
    }

    /// P(case | genotype of one locus), the others left open.
    pub fn marginal(&self, locus: usize) -> [f64; 3] {
        let (mut cases, mut all) = ([0.0; 3], [0.0; 3]);
        for (i, (w, p)) in self.weights().iter().zip(&self.cells).enumerate() {
            let genotype = usize::from(self.genotypes(i)[locus]);
            cases[genotype] += w * p;
            all[genotype] += w;
        }
        std::array::from_fn(|g| cases[g] / all[g])
    }

    /// The genotype of each locus in cell `index`.
    pub fn genotypes(&self, index: usize) -> Vec<u16> {
        (0..self.maf.len() as u32)
            .rev()
            .map(|place| (index / 3usize.pow(place) % 3) as u16)
            .collect()
    }
}

/// P(genotypes) of every cell.
fn weights(maf: &[f64]) -> Vec<f64> {
    maf.iter().fold(vec![1.0], |before, &m| {
        before.iter().flat_map(|w| hardy_weinberg(m).map(|g| w * g)).collect()
    })
}

/// The search for a direction along which a table can move far enough.
struct Search {
    weights: Vec<f64>,
    loci: usize,
    prevalence: f64,
}

impl Search {
    /// A direction whose longest table has at least `heritability`, or the most that was found.
    fn reaching(&self, heritability: f64, random: &mut Random) -> Result<Vec<f64>, f64> {
        let mut most = 0.0f64;
        for _ in 0..TRIES {
            let direction = self.direction(random);
            let reach = self.reach(&direction);
            if reach >= heritability && reach > 0.0 {
                return Ok(direction);
            }
            most = most.max(reach);
        }
        for _ in 0..CLIMBS {
            let mut best = self.direction(random);
            let mut reach = self.reach(&best);
            for step in 0..STEPS {
                // Steps shrink from half a table to a thousandth of one.
                let size = 0.5 * 0.002f64.powf(step as f64 / STEPS as f64);
                let longest = self.longest(&best);
                let moved = best.iter().map(|d| longest * d + size * random.normal()).collect();
                let moved = self.project(moved);
                let further = self.reach(&moved);
                if further > reach {
                    (best, reach) = (moved, further);
                }
                if reach >= heritability {
                    return Ok(best);
                }
            }
            most = most.max(reach);
        }
        Err(most)
    }

    fn direction(&self, random: &mut Random) -> Vec<f64> {
        self.project(self.weights.iter().map(|_| random.normal()).collect())
    }

    /// Take the weighted mean along each locus away, which leaves no effect of fewer loci.
    fn project(&self, mut d: Vec<f64>) -> Vec<f64> {
        for place in 0..self.loci as u32 {
            let stride = 3usize.pow(place);
            for first in (0..d.len()).filter(|i| i / stride % 3 == 0) {
                let cells = [first, first + stride, first + 2 * stride];
                let total: f64 = cells.iter().map(|&i| self.weights[i]).sum();
                let mean = cells.iter().map(|&i| self.weights[i] * d[i]).sum::<f64>() / total;
                cells.iter().for_each(|&i| d[i] -= mean);
            }
        }
        d
    }

    /// Σ w d², the variance of d, whose mean is zero.
    fn variance(&self, d: &[f64]) -> f64 {
        self.weights.iter().zip(d).map(|(w, d)| w * d * d).sum()
    }

    /// The largest scale that keeps the table inside [0, 1].
    fn longest(&self, d: &[f64]) -> f64 {
        let limit = |d: f64| match d > 0.0 {
            true => (1.0 - self.prevalence) / d,
            false => -self.prevalence / d,
        };
        d.iter().filter(|&&d| d != 0.0).map(|&d| limit(d)).fold(f64::MAX, f64::min)
    }

    /// The heritability of the longest table along d.
    fn reach(&self, d: &[f64]) -> f64 {
        let scale = self.longest(d);
        scale * scale * self.variance(d) / (self.prevalence * (1.0 - self.prevalence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The maxima are those of all vertices of the space of tables, worked out elsewhere.
    #[test]
    fn the_climb_comes_close_to_the_largest_heritability() {
        for (maf, prevalence, largest) in [
            ([0.05, 0.05], 0.5, 0.011671181),
            ([0.2, 0.3], 0.5, 0.5425),
            ([0.3, 0.3], 0.5, 0.942167901),
            ([0.2, 0.4], 0.3, 0.428571429),
            ([0.1, 0.45], 0.2, 0.230948026),
        ] {
            let search = Search { weights: weights(&maf), loci: 2, prevalence };
            let found = search.reaching(1.0, &mut Random::new(3, 2)).unwrap_err();
            assert!(
                found <= largest + 1e-8 && found > 0.98 * largest,
                "{maf:?}: {found} {largest}"
            );
        }
    }
}
