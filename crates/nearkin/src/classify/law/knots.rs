//! Sums over a large set, kept so that thousands of laws on it cost no exponentials.

use std::sync::OnceLock;

/// Sums over a large set at tilts a quarter apart, made when first asked for.
///
/// With d the distance to the end on the side of the tilt, knot θ₀ holds Σ d^j·exp(−θ₀·d); the
/// same sums at θ₀ + δ are short series in δ, exact to rounding for |δ| ≤ 1/8 as d ≤ 1. Local
/// rules fit thousands of laws on one support, which then cost no exponentials.
#[derive(Debug, Clone, Default)]
pub(super) struct Knots {
    low: Vec<OnceLock<[f64; 14]>>,
    high: Vec<OnceLock<[f64; 14]>>,
}

/// What was already asked for is no property of a set.
impl PartialEq for Knots {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Knots {
    const APART: f64 = 0.25;

    pub fn new(values: usize) -> Self {
        // Small sets are summed as fast; steeper tilts than 50 are rare.
        let count = if values > 64 { 201 } else { 0 };
        Self { low: vec![OnceLock::new(); count], high: vec![OnceLock::new(); count] }
    }

    /// Σ exp(−|θ|·d), Σ d·exp(−|θ|·d) and Σ d²·exp(−|θ|·d), where a knot is near.
    pub fn sums(&self, scaled: &[(f64, f64)], theta: f64) -> Option<[f64; 3]> {
        let knots = if theta > 0.0 { &self.high } else { &self.low };
        let at = (theta.abs() / Self::APART).round();
        let knot = knots.get(at as usize)?.get_or_init(|| {
            let mut sums = [0.0; 14];
            for &(v, count) in scaled {
                let d = if theta > 0.0 { 1.0 - v } else { v };
                let mut term = count * (-at * Self::APART * d).exp();
                for sum in &mut sums {
                    *sum += term;
                    term *= d;
                }
            }
            sums
        });
        let delta = theta.abs() - at * Self::APART;
        let (mut sums, mut factor) = ([0.0; 3], 1.0);
        for j in 0..12 {
            for (power, sum) in sums.iter_mut().enumerate() {
                *sum += knot[j + power] * factor;
            }
            factor *= -delta / (j + 1) as f64;
        }
        Some(sums)
    }
}
