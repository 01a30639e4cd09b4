//! Pure epistasis: genotypes that matter only together.

use super::assemble::{classes, finish, sized, truth};
use super::cohort::{Cohort, columns, note, planned};
use super::{Penetrance, Simulate, Simulated, about, genotype};
use crate::parameter::Parameters;
use crate::random::Random;
use crate::{Error, ParameterError, Result};

crate::parameters! {
    /// Cases and controls by two or three loci in pure, strict epistasis among neutral ones.
    ///
    /// The penetrance table is random (see [`Penetrance::pure`]): no locus, and no pair of
    /// three, has an effect of its own. Loci are named `M0P0`, `M0P1`, …; genotypes count
    /// minor alleles; class 1 is a case.
    ///
    /// ```
    /// use nearkin::simulate::{Epistasis, Simulate};
    /// let asked = Epistasis { maf: vec![0.2, 0.3], heritability: 0.1, ..Epistasis::default() };
    /// assert!((asked.penetrance()?.heritability() - 0.1).abs() < 1e-9);
    /// let made = asked.generate()?;
    /// assert_eq!(made.table.names().take(3).collect::<Vec<_>>(), ["M0P0", "M0P1", "N0"]);
    /// # Ok::<(), nearkin::Error>(())
    /// ```
    pub struct Epistasis {
        /// Number of rows.
        rows: usize = 600, min 2;
        /// Number of interacting loci, 2 or 3.
        order: usize = 2, min 2;
        /// Number of neutral loci.
        irrelevant: usize = 18;
        /// Minor allele frequency of the interacting loci: one for all or one each.
        maf: Vec<f64> = vec![0.3];
        /// Lowest and highest minor allele frequency of the neutral loci.
        irrelevant_maf: Vec<f64> = vec![0.05, 0.5];
        /// Share of the variance of the class that the genotypes explain.
        heritability: f64 = 0.2, in 0.0..=1.0;
        /// Share of cases in the population.
        prevalence: f64 = 0.5, in 0.0..=1.0;
        /// Share of cases among the rows; when not set, rows are drawn from the population.
        case_share: Option<f64> = Some(0.5), in 0.0..=1.0;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Epistasis {
    /// The penetrance table behind the rows.
    ///
    /// # Errors
    ///
    /// When a parameter is outside its range, and when no table reaches the heritability.
    pub fn penetrance(&self) -> Result<Penetrance> {
        self.check()?;
        if self.order > 3 {
            return Err(Error::parameter("order", ParameterError::Order { got: self.order }));
        }
        let maf = genotype::frequencies("maf", &self.maf, self.order)?;
        let mut random = Random::new(self.seed, 2);
        Penetrance::pure(&maf, self.prevalence, self.heritability, &mut random)
    }
}

impl Simulate for Epistasis {
    about! {
        "epistasis" is "Pure epistasis",
        "Cases and controls by loci that have no effect but together.",
        "the model of Urbanowicz et al., BioData Mining 5:16, 2012 (GAMETES)"
    }

    fn generate(&self) -> Result<Simulated> {
        sized(self.rows, &[self.order, self.irrelevant])?;
        let table = self.penetrance()?;
        let cohort = Cohort::new(&table);
        let mut random = truth(self.seed);
        let plan = planned(self.rows, self.case_share, &mut random);
        let (rows, codes): (Vec<Vec<u16>>, Vec<u32>) = plan
            .into_iter()
            .map(|case| cohort.member(case, &mut random))
            .map(|(genotypes, case)| (genotypes, u32::from(case)))
            .unzip();
        finish(
            columns(&rows, 0, 0, self.order)?,
            genotype::irrelevant(self.rows, self.irrelevant, &self.irrelevant_maf, self.seed)?,
            classes(codes)?,
            vec![note(0, &table)],
        )
    }
}
