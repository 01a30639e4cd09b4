//! Functions of random bits: parity, majority, disjunction.

use super::Simulated;
use super::assemble::{
    Size, classes, draw, finish, generator, irrelevant_digits, relevant_digits, truth,
};
use crate::Result;

generator! {
    /// Class = sum of the relevant bits modulo 2. No bit tells anything alone; all do together.
    Parity: "parity" is "Parity", "The class is the parity of the relevant bits.",
        "Belanche & González, arXiv:1101.2320, 2011";
    "Number of relevant bits." = 3, "Number of irrelevant bits." = 6;
    |size| bits(size, |row| row.iter().fold(0, |parity, bit| parity ^ bit) == 1)
}

generator! {
    /// Class 1 when more than half of the relevant bits are 1.
    Majority: "majority" is "Majority",
        "The class is 1 when more than half of the relevant bits are 1.",
        "Belanche & González, arXiv:1101.2320, 2011";
    "Number of relevant bits." = 3, "Number of irrelevant bits." = 6;
    |size| bits(size, |row| {
        2 * row.iter().map(|&bit| usize::from(bit)).sum::<usize>() > row.len()
    })
}

generator! {
    /// Class 1 when all of the first half of the relevant bits are 1, or all of the second.
    ///
    /// With an odd number the second half is the longer one; a single bit is its own class.
    Disjunction: "disjunction" is "Disjunction",
        "The class is 1 when one half of the relevant bits, or the other, is all 1.",
        "Belanche & González, arXiv:1101.2320, 2011";
    "Number of relevant bits." = 4, "Number of irrelevant bits." = 8;
    |size| bits(size, |row| {
        let (first, second) = row.split_at(row.len() / 2);
        let all = |half: &[u16]| !half.is_empty() && half.iter().all(|&bit| bit == 1);
        all(first) || all(second)
    })
}

/// Fair bits, the class by `is_one` of the relevant ones.
fn bits(size: Size, is_one: impl Fn(&[u16]) -> bool) -> Result<Simulated> {
    let mut random = truth(size.seed);
    let cells = draw(size.rows, size.relevant, || random.below(2) as u16);
    let codes = cells.iter().map(|row| u32::from(is_one(row))).collect();
    finish(
        relevant_digits(&cells, size.relevant, 2)?,
        irrelevant_digits(size.rows, size.irrelevant, 2, size.seed)?,
        classes(codes)?,
        vec![],
    )
}
