//! Genetic heterogeneity: different people are ill for different reasons.

use super::assemble::{begin, classes, finish};
use super::cohort::{Cohort, columns, note, planned};
use super::{Penetrance, Simulate, Simulated, about, genotype};
use crate::random::Random;
use crate::{Note, Result};

crate::parameters! {
    /// Two pairs of loci in pure epistasis, each explaining the class of a share of the rows.
    ///
    /// A row belongs to the first pair with probability `share`, else to the second; the
    /// other pair is neutral in that row. Loci are `M0P0`, `M0P1`, `M1P0`, `M1P1`.
    pub struct Heterogeneity {
        /// Number of rows.
        rows: usize = 1000, min 2;
        /// Share of the rows that the first pair explains.
        share: f64 = 0.5, in 0.0..=1.0;
        /// Number of neutral loci.
        irrelevant: usize = 16;
        /// Minor allele frequency of the four loci: one for all or one each.
        maf: Vec<f64> = vec![0.3];
        /// Lowest and highest minor allele frequency of the neutral loci.
        irrelevant_maf: Vec<f64> = vec![0.05, 0.5];
        /// Share of the variance of the class that a pair explains among its own rows.
        heritability: f64 = 0.3, in 0.0..=1.0;
        /// Share of cases in the population.
        prevalence: f64 = 0.5, in 0.0..=1.0;
        /// Share of cases among the rows; when not set, rows are drawn from the population.
        case_share: Option<f64> = Some(0.5), in 0.0..=1.0;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Simulate for Heterogeneity {
    about! {
        "heterogeneity" is "Heterogeneity",
        "Two pairs of loci in pure epistasis, each behind a share of the rows.",
        "the model of Urbanowicz et al., BioData Mining 5:16, 2012 (GAMETES)"
    }

    fn generate(&self) -> Result<Simulated> {
        let mut random = begin(self, (self.rows, &[4, self.irrelevant]), self.seed)?;
        let maf = genotype::frequencies("maf", &self.maf, 4)?;
        let mut search = Random::new(self.seed, 2);
        let mut pure =
            |maf: &[f64]| Penetrance::pure(maf, self.prevalence, self.heritability, &mut search);
        let tables = [pure(&maf[..2])?, pure(&maf[2..])?];
        let [first, second] = [Cohort::new(&tables[0]), Cohort::new(&tables[1])];
        let plan = planned(self.rows, self.case_share, &mut random);
        let (mut rows, mut codes, mut of_first) = (Vec::new(), Vec::new(), 0usize);
        for case in plan {
            let (genotypes, case) = if random.chance(self.share) {
                of_first += 1;
                let (own, case) = first.member(case, &mut random);
                ([own, second.anyone(&mut random)].concat(), case)
            } else {
                let (own, case) = second.member(case, &mut random);
                ([first.anyone(&mut random), own].concat(), case)
            };
            rows.push(genotypes);
            codes.push(u32::from(case));
        }
        let mut relevant = columns(&rows, 0, 0, 2)?;
        relevant.extend(columns(&rows, 1, 2, 2)?);
        let shares = Note::RowsExplained { model: 0, count: of_first, rows: self.rows };
        finish(
            relevant,
            genotype::irrelevant(self.rows, self.irrelevant, &self.irrelevant_maf, self.seed)?,
            classes(codes)?,
            vec![note(0, &tables[0]), note(1, &tables[1]), shares],
        )
    }
}
