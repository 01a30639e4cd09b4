//! The sign test, on paired values or on counts.

use super::{Tail, check_pairs, tails};
use crate::Result;

/// The outcome of a sign test. Where wins and losses are decisions that one of two systems has right
/// and the other wrong, it is the micro sign test, or s-test (Yang & Liu, SIGIR 1999). Decisions are
/// taken as independent; where one example gives several, the test claims too much.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct SignTest {
    /// Pairs won by the first side.
    pub wins: u64,
    /// Pairs won by the second side.
    pub losses: u64,
    /// The exact binomial p-value; 1 when nothing was won or lost.
    pub p: f64,
    /// (wins − n/2) / (√n / 2), n = wins + losses: the normal form; 0 when n = 0.
    pub z: f64,
}

impl SignTest {
    /// From counts of wins and losses, ties left out; `Tail::Right` asks whether wins prevail.
    pub fn new(wins: u64, losses: u64, tail: Tail) -> Self {
        let n = wins + losses;
        let left = tails::binomial_at_most(wins, n, 0.5);
        let right = tails::binomial_at_least(wins, n, 0.5);
        let half = n as f64 / 2.0;
        let z = if n == 0 { 0.0 } else { (wins as f64 - half) / (half / 2.0).sqrt() };
        Self { wins, losses, p: tail.p(left, right), z }
    }

    /// The one-sided p-value as Yang & Liu print it, towards the side that won more: exact up
    /// to 12 pairs, then normal without continuity correction.
    ///
    /// It is smaller than the exact p-value and can change a decision near 0.05. It is here so that
    /// published marks of significance can be compared with ours.
    pub fn published_p(&self) -> f64 {
        match self.wins + self.losses {
            0 => 1.0,
            n if n <= 12 => tails::binomial_at_least(self.wins.max(self.losses), n, 0.5),
            _ => tails::normal_sf(self.z.abs()),
        }
    }
}

/// The sign test on pairs: how often is `a` above `b`? Equal pairs are left out.
///
/// # Errors
///
/// When there are not as many values on both sides, and when one is not finite.
///
/// ```
/// use nearkin::stats::{Tail, sign_test};
/// let test = sign_test(&[3.0, 2.0, 5.0, 4.0], &[1.0, 1.0, 5.0, 2.0], Tail::Right)?;
/// assert_eq!((test.wins, test.losses), (3, 0));
/// assert!((test.p - 0.125).abs() < 1e-15);
/// # Ok::<(), nearkin::Error>(())
/// ```
pub fn sign_test(a: &[f64], b: &[f64], tail: Tail) -> Result<SignTest> {
    check_pairs(a, b)?;
    let wins = a.iter().zip(b).filter(|(a, b)| a > b).count();
    let losses = a.iter().zip(b).filter(|(a, b)| a < b).count();
    Ok(SignTest::new(wins as u64, losses as u64, tail))
}
