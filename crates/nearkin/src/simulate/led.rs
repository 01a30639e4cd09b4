//! LED: the digit a faulty seven-segment display shows.

use super::assemble::{begin, classes, finish, irrelevant_digits, relevant_digits};
use super::{Simulate, Simulated, about};
use crate::Result;

/// The segments of each digit: top, upper left, upper right, middle, lower left, lower
/// right, bottom.
const SEGMENTS: [[u16; 7]; 10] = [
    [1, 1, 1, 0, 1, 1, 1],
    [0, 0, 1, 0, 0, 1, 0],
    [1, 0, 1, 1, 1, 0, 1],
    [1, 0, 1, 1, 0, 1, 1],
    [0, 1, 1, 1, 0, 1, 0],
    [1, 1, 0, 1, 0, 1, 1],
    [1, 1, 0, 1, 1, 1, 1],
    [1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1, 1],
];

crate::parameters! {
    /// Ten digits by the seven segments of a display, each segment inverted now and then.
    pub struct Led {
        /// Number of rows.
        rows: usize = 1000, min 2;
        /// Number of irrelevant bits.
        irrelevant: usize = 17;
        /// Probability that a segment is inverted.
        flip: f64 = 0.1, in 0.0..=1.0;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Simulate for Led {
    about! {
        "led" is "LED display", "The digit shown by seven segments that fail independently.",
        "Breiman et al., Classification and Regression Trees, 1984, pp. 43-49"
    }

    fn generate(&self) -> Result<Simulated> {
        let mut random = begin(self, (self.rows, &[7, self.irrelevant]), self.seed)?;
        let mut cells = Vec::with_capacity(self.rows);
        let mut codes = Vec::with_capacity(self.rows);
        for _ in 0..self.rows {
            let digit = random.below(10);
            codes.push(digit as u32);
            let shown = SEGMENTS[digit].map(|bit| bit ^ u16::from(random.chance(self.flip)));
            cells.push(shown.to_vec());
        }
        finish(
            relevant_digits(&cells, 7, 2)?,
            irrelevant_digits(self.rows, self.irrelevant, 2, self.seed)?,
            classes(codes)?,
            vec![],
        )
    }
}
