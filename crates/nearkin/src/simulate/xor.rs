//! Exclusive or of heterozygotes: the plainest epistasis of any order.

use super::assemble::{begin, classes, draw, finish, flip};
use super::cohort::columns;
use super::{Simulate, Simulated, about, genotype};
use crate::Result;

crate::parameters! {
    /// Class 1 when an odd number of the interacting loci is heterozygous (genotype 1).
    ///
    /// Minor alleles of the interacting loci have frequency ½, so half of the genotypes are
    /// heterozygous and no subset of the loci has an effect. Loci are `M0P0`, `M0P1`, …
    pub struct Xor {
        /// Number of rows.
        rows: usize = 400, min 2;
        /// Number of interacting loci.
        order: usize = 2, min 2;
        /// Number of neutral loci.
        irrelevant: usize = 18;
        /// Lowest and highest minor allele frequency of the neutral loci.
        irrelevant_maf: Vec<f64> = vec![0.05, 0.5];
        /// Probability that a class is flipped.
        flip: f64 = 0.0, in 0.0..=1.0;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Simulate for Xor {
    about! {
        "xor" is "n-way XOR", "The class is the parity of the number of heterozygous loci.",
        "Li & Reich, Human Heredity 50, 2000 (two loci)"
    }

    fn generate(&self) -> Result<Simulated> {
        let mut random = begin(self, (self.rows, &[self.order, self.irrelevant]), self.seed)?;
        let rows = draw(self.rows, self.order, || genotype::draw(0.5, &mut random));
        let odd = |row: &Vec<u16>| row.iter().filter(|&&g| g == 1).count() % 2;
        let mut codes: Vec<u32> = rows.iter().map(|row| odd(row) as u32).collect();
        let notes = flip(&mut codes, 2, self.flip, &mut random);
        finish(
            columns(&rows, 0, 0, self.order)?,
            genotype::irrelevant(self.rows, self.irrelevant, &self.irrelevant_maf, self.seed)?,
            classes(codes)?,
            notes,
        )
    }
}
