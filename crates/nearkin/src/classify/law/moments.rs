//! Mean and variance of a support stretched to [0, 1] under a tilt.
//!
//! Lower bound of a set of m values: an exponential, six products and eight additions each; three
//! sums would do, five are taken so that no digits cancel. Large sets use `knots` instead. A grid
//! or an interval takes up to four exponentials at any size.

/// Mean v̄ of the stretched statistic, 1 − v̄ without cancellation, and variance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    pub mean: f64,
    pub rest: f64,
    pub variance: f64,
}

impl Moments {
    /// From the moments of the distance to the end where the tilt heaps up its weight.
    pub fn towards(theta: f64, distance: f64, variance: f64) -> Self {
        if theta > 0.0 {
            Self { mean: 1.0 - distance, rest: distance, variance }
        } else {
            Self { mean: distance, rest: 1.0 - distance, variance }
        }
    }
}

/// In one pass: squares are taken around the wanted mean, so that near the solution the variance
/// loses no digits.
pub(super) fn set_moments(scaled: &[(f64, f64)], theta: f64, around: f64) -> Moments {
    let end = if theta > 0.0 { 1.0 } else { 0.0 };
    let (mut total, mut mean, mut rest, mut off, mut squares) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &(v, count) in scaled {
        let w = count * (theta * (v - end)).exp();
        total += w;
        mean += w * v;
        rest += w * (1.0 - v);
        let d = v - around;
        off += w * d;
        squares += w * d * d;
    }
    let off = off / total;
    Moments { mean: mean / total, rest: rest / total, variance: squares / total - off * off }
}

/// Mean and variance of j in 0..m under weights exp(−u·j).
pub(super) fn grid_moments(u: f64, m: f64) -> (f64, f64) {
    let x = m * u;
    if x < 0.1 {
        // The cumulants' series; the closed forms below subtract two large numbers here.
        let (u2, m2) = (u * u, m * m);
        let (m4, m6, m8) = (m2 * m2 - 1.0, m2 * m2 * m2 - 1.0, m2 * m2 * m2 * m2 - 1.0);
        let slope =
            (m2 - 1.0) / 12.0 - u2 * (m4 / 720.0 - u2 * (m6 / 30240.0 - u2 * m8 / 1209600.0));
        let variance =
            (m2 - 1.0) / 12.0 - u2 * (m4 / 240.0 - u2 * (m6 / 6048.0 - u2 * m8 / 172800.0));
        return ((m - 1.0) / 2.0 - u * slope, variance);
    }
    let one = u.exp_m1();
    let all = x.exp_m1();
    // e^x / (e^x − 1)² = 1 / ((e^x − 1)(1 − e^−x)), which does not overflow on the way.
    let variance = 1.0 / (one * -(-u).exp_m1()) - m * m / (all * -(-x).exp_m1());
    (1.0 / one - m / all, variance)
}

/// Mean and variance of [0, 1] under the density ∝ exp(−x·v).
pub(super) fn interval_moments(x: f64) -> (f64, f64) {
    if x < 0.1 {
        let x2 = x * x;
        let slope = 1.0 / 12.0 - x2 * (1.0 / 720.0 - x2 * (1.0 / 30240.0 - x2 / 1209600.0));
        let variance = 1.0 / 12.0 - x2 * (1.0 / 240.0 - x2 * (1.0 / 6048.0 - x2 / 172800.0));
        return (0.5 - x * slope, variance);
    }
    let grown = x.exp_m1();
    (1.0 / x - 1.0 / grown, 1.0 / (x * x) - 1.0 / (grown * -(-x).exp_m1()))
}
