//! The MONK's problems: three rules about robots.

use super::assemble::{begin, classes, digits, flip, irrelevant_digits};
use super::{Simulate, Simulated, about};
use crate::data::Table;
use crate::{Error, ParameterError, Result};

/// Number of values of attributes a1 to a6.
const VALUES: [usize; 6] = [3, 3, 2, 3, 4, 2];

/// Number of different robots.
const ROBOTS: usize = 432;

crate::choice! {
    /// Which of the three rules.
    pub enum MonkProblem {
        /// a1 = a2 or a5 = 1.
        One = "1",
        /// Exactly two of the six attributes have their first value.
        Two = "2",
        /// (a5 = 3 and a4 = 1) or (a5 ≠ 4 and a2 ≠ 3).
        Three = "3",
    }
}

impl MonkProblem {
    /// True when the rule holds of the values a1 to a6, which count from 1.
    fn holds(self, a: &[usize; 6]) -> bool {
        match self {
            Self::One => a[0] == a[1] || a[4] == 1,
            Self::Two => a.iter().filter(|&&value| value == 1).count() == 2,
            Self::Three => (a[4] == 3 && a[3] == 1) || (a[4] != 4 && a[1] != 3),
        }
    }

    /// Positions of the attributes the rule reads.
    fn relevant(self) -> Vec<usize> {
        match self {
            Self::One => vec![0, 1, 4],
            Self::Two => (0..6).collect(),
            Self::Three => vec![1, 3, 4],
        }
    }
}

crate::parameters! {
    /// Robots described by six nominal attributes `a1` to `a6`, classed by one of three rules.
    ///
    /// Without `rows` every robot comes once, in order: the published test sets. The published
    /// training sets are samples of 124, 169 and 122 rows; MONK-3's has 5 % of its classes
    /// flipped.
    pub struct Monk {
        /// Which rule: 1, 2 or 3.
        problem: MonkProblem = MonkProblem::One;
        /// Number of rows, drawn without replacement; all 432 in order when not set.
        rows: Option<usize> = None, min 2;
        /// Number of irrelevant attributes beside the six, of three values each.
        irrelevant: usize = 0;
        /// Probability that a class is flipped.
        flip: f64 = 0.0, in 0.0..=1.0;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl Simulate for Monk {
    about! {
        "monk" is "MONK's problems",
        "Robots of six nominal attributes, classed by one of three rules.",
        "Thrun et al., The MONK's Problems, CMU-CS-91-197, 1991"
    }

    fn generate(&self) -> Result<Simulated> {
        let mut random = begin(
            self,
            (self.rows.unwrap_or(ROBOTS).min(ROBOTS), &[6, self.irrelevant]),
            self.seed,
        )?;
        let drawn = match self.rows {
            None => (0..ROBOTS).collect(),
            Some(rows) if rows <= ROBOTS => random.sample(ROBOTS, rows),
            Some(rows) => {
                let reason = ParameterError::Robots { robots: ROBOTS, got: rows };
                return Err(Error::parameter("rows", reason));
            }
        };
        let robots: Vec<[usize; 6]> = drawn.into_iter().map(robot).collect();
        let mut codes: Vec<u32> = robots.iter().map(|a| u32::from(self.problem.holds(a))).collect();
        let notes = flip(&mut codes, 2, self.flip, &mut random);
        let attributes = (0..6).map(|j| {
            let cells = robots.iter().map(|a| (a[j] - 1) as u16).collect();
            digits(format!("a{}", j + 1), cells, VALUES[j], 1)
        });
        let mut columns = attributes.collect::<Result<Vec<_>>>()?;
        columns.extend(irrelevant_digits(robots.len(), self.irrelevant, 3, self.seed)?);
        Ok(Simulated {
            table: Table::new(columns)?,
            target: classes(codes)?,
            relevant: self.problem.relevant(),
            notes,
        })
    }
}

/// Robot number `index`, the last attribute changing fastest.
fn robot(mut index: usize) -> [usize; 6] {
    let mut a = [0; 6];
    for j in (0..6).rev() {
        a[j] = index % VALUES[j] + 1;
        index /= VALUES[j];
    }
    a
}
