//! Functions of random bits: parity, majority, disjunction.

use super::assemble::{classes, draw, finish, irrelevant_digits, relevant_digits, sized, truth};
use super::{About, Simulate, Simulated};
use crate::Result;
use crate::parameter::Parameters;

crate::parameters! {
    /// Class = sum of the relevant bits modulo 2. No bit tells anything alone; all do together.
    pub struct Parity {
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of relevant bits.
        relevant: usize = 3, min 1;
        /// Number of irrelevant bits.
        irrelevant: usize = 6;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

crate::parameters! {
    /// Class 1 when more than half of the relevant bits are 1.
    pub struct Majority {
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of relevant bits.
        relevant: usize = 3, min 1;
        /// Number of irrelevant bits.
        irrelevant: usize = 6;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

crate::parameters! {
    /// Class 1 when all of the first half of the relevant bits are 1, or all of the second.
    ///
    /// With an odd number the second half is the longer one; a single bit is its own class.
    pub struct Disjunction {
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of relevant bits.
        relevant: usize = 4, min 1;
        /// Number of irrelevant bits.
        irrelevant: usize = 8;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Simulate for Parity {
    fn about(&self) -> About {
        About {
            id: "parity",
            title: "Parity",
            summary: "The class is the parity of the relevant bits.",
            reference: "Belanche & González, arXiv:1101.2320, 2011",
        }
    }

    fn generate(&self) -> Result<Simulated> {
        self.check()?;
        bits(self.rows, self.relevant, self.irrelevant, self.seed, |row| {
            row.iter().fold(0, |parity, bit| parity ^ bit) == 1
        })
    }
}

impl Simulate for Majority {
    fn about(&self) -> About {
        About {
            id: "majority",
            title: "Majority",
            summary: "The class is 1 when more than half of the relevant bits are 1.",
            reference: "Belanche & González, arXiv:1101.2320, 2011",
        }
    }

    fn generate(&self) -> Result<Simulated> {
        self.check()?;
        bits(self.rows, self.relevant, self.irrelevant, self.seed, |row| {
            2 * row.iter().map(|&bit| usize::from(bit)).sum::<usize>() > row.len()
        })
    }
}

impl Simulate for Disjunction {
    fn about(&self) -> About {
        About {
            id: "disjunction",
            title: "Disjunction",
            summary: "The class is 1 when one half of the relevant bits, or the other, is all 1.",
            reference: "Belanche & González, arXiv:1101.2320, 2011",
        }
    }

    fn generate(&self) -> Result<Simulated> {
        self.check()?;
        bits(self.rows, self.relevant, self.irrelevant, self.seed, |row| {
            let (first, second) = row.split_at(row.len() / 2);
            let all = |half: &[u16]| !half.is_empty() && half.iter().all(|&bit| bit == 1);
            all(first) || all(second)
        })
    }
}

/// Fair bits, the class by `is_one` of the relevant ones.
fn bits(
    rows: usize,
    relevant: usize,
    irrelevant: usize,
    seed: u64,
    is_one: impl Fn(&[u16]) -> bool,
) -> Result<Simulated> {
    sized(rows, &[relevant, irrelevant])?;
    let mut random = truth(seed);
    let cells = draw(rows, relevant, || random.below(2) as u16);
    let codes = cells.iter().map(|row| u32::from(is_one(row))).collect();
    finish(
        relevant_digits(&cells, relevant, 2)?,
        irrelevant_digits(rows, irrelevant, 2, seed)?,
        classes(codes)?,
        vec![],
    )
}
