//! Sums over a large set, kept so that thousands of laws on it cost no exponentials.
//!
//! Lower bound of a knot over m values: an exponential and some 20 multiplications and additions
//! each. Reading it takes 54 multiply-adds and 18 divisions that a table would spare, in place of
//! m exponentials. A set of more than 64 values has room for all its knots from the start, 92
//! KiB.

use std::sync::OnceLock;

/// Sums over a large set at chosen tilts, made when first asked for.
///
/// With d the distance to the end on the side of the tilt, knot θ₀ holds M_j = Σ d^j·exp(−θ₀·d);
/// the same sums at θ₀ + δ are series in δ, M_j·(−δ)^i/i!. Up to 50 knots lie a quarter apart; as
/// d ≤ 1 the eighteen terms leave nothing. Beyond, where the weight heaps up at d of about 1/θ₀, a
/// knot serves a sixteenth of its own size to either side: with x = θ₀·d the term left out is
/// (x/16)^18/18! of a value's own weight exp(−x), below 1e-14 for x ≤ 20, and only a set with e^20
/// values there to one at the end could show more. Local rules fit thousands of laws on one
/// support, steep ones among them, which then cost no exponentials.
#[derive(Debug, Clone, Default)]
pub(super) struct Knots {
    low: Vec<OnceLock<[f64; SUMS]>>,
    high: Vec<OnceLock<[f64; SUMS]>>,
}

/// Terms of a series.
const TERMS: usize = 18;
/// Powers of the distance a knot holds: three series.
const SUMS: usize = TERMS + 2;
/// Knots from 0 to 50.
const NEAR: usize = 200;
/// Knots beyond, up to a tilt of a million.
const FAR: usize = 80;

/// The knots made so far are a cache, so they do not count when sets are compared.
impl PartialEq for Knots {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Knots {
    const APART: f64 = 0.25;
    const REACH: f64 = Self::APART * NEAR as f64;
    /// Each knot beyond is this much further than the one before.
    const RATIO: f64 = 17.0 / 15.0;

    pub fn new(values: usize) -> Self {
        // Small sets are summed as fast.
        let count = if values > 64 { NEAR + FAR + 1 } else { 0 };
        Self { low: vec![OnceLock::new(); count], high: vec![OnceLock::new(); count] }
    }

    /// The knot nearest to a tilt, and where it lies.
    fn place(theta: f64) -> (usize, f64) {
        if theta <= Self::REACH {
            let at = (theta / Self::APART).round();
            return (at as usize, at * Self::APART);
        }
        let steps = ((theta / Self::REACH).ln() / Self::RATIO.ln()).round();
        (NEAR + steps as usize, Self::REACH * Self::RATIO.powf(steps))
    }

    /// Σ exp(−|θ|·d), Σ d·exp(−|θ|·d) and Σ d²·exp(−|θ|·d), where a knot is near.
    pub fn sums(&self, scaled: &[(f64, f64)], theta: f64) -> Option<[f64; 3]> {
        let knots = if theta > 0.0 { &self.high } else { &self.low };
        let (index, at) = Self::place(theta.abs());
        let knot = knots.get(index)?.get_or_init(|| {
            let mut sums = [0.0; SUMS];
            for &(v, count) in scaled {
                let d = if theta > 0.0 { 1.0 - v } else { v };
                let mut term = count * (-at * d).exp();
                for sum in &mut sums {
                    *sum += term;
                    term *= d;
                }
            }
            sums
        });
        let delta = theta.abs() - at;
        let (mut sums, mut factor) = ([0.0; 3], 1.0);
        for j in 0..TERMS {
            for (power, sum) in sums.iter_mut().enumerate() {
                *sum += knot[j + power] * factor;
            }
            factor *= -delta / (j + 1) as f64;
        }
        Some(sums)
    }
}
