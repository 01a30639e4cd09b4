//! The law of one statistic in one class: the flattest there is with a given mean.
//!
//! Among all laws on a support Ω whose mean is t, the one of largest entropy is exponential,
//!
//! ```text
//! p(s) = exp(λ·s) / Z(λ),   Z(λ) = Σ_{s ∈ Ω} exp(λ·s),   E_λ[s] = t      (9), (10)
//! ```
//!
//! with an integral in place of the sum where Ω is an interval (21). The mean grows strictly
//! with λ, so λ exists and is unique for every t inside the ends of Ω. It is found by a
//! bracketed Newton iteration on the logarithm of the mean's distance to the nearer end, on
//! the support stretched to [0, 1]: a handful of rounds on even supports, tens on clustered
//! ones. Grids and intervals have closed forms and cost the same at any size.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009; M. R. Gupta, L. Cazzanti
//! and A. Koppal, *Maximum entropy generative models for similarity-based learning*, ISIT 2007.

use std::sync::OnceLock;

use crate::{Error, Result};

/// Observed supports of more different values than this are gathered into as many cells.
pub const MOST_VALUES: usize = 4096;

/// The values a statistic can take, Ω.
#[derive(Debug, Clone, PartialEq)]
pub enum Support {
    /// A finite set, each value standing for a number of neighbours gathered into it.
    Set(Values),
    /// An arithmetic progression of `count` values.
    Grid {
        /// The smallest value.
        start: f64,
        /// The distance from one value to the next.
        step: f64,
        /// The number of values.
        count: usize,
    },
    /// All numbers from `low` to `high`.
    Interval {
        /// The left end.
        low: f64,
        /// The right end.
        high: f64,
    },
    /// All numbers from `low` on.
    HalfLine {
        /// The left end.
        low: f64,
    },
}

/// A finite set of values in order, with its stretched copy in [0, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    low: f64,
    high: f64,
    /// (value − low) / (high − low), and how many values it stands for.
    scaled: Vec<(f64, f64)>,
    /// How many different values there were.
    distinct: usize,
    knots: Knots,
}

/// Sums over a large set at tilts a quarter apart, made when first asked for.
///
/// With d the distance to the end on the side of the tilt, knot θ₀ holds Σ d^j·exp(−θ₀·d); the
/// same sums at θ₀ + δ are short series in δ, exact to rounding for |δ| ≤ 1/8 as d ≤ 1. Local
/// rules fit thousands of laws on one support, which then cost no exponentials.
#[derive(Debug, Clone, Default)]
struct Knots {
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

    fn new(values: usize) -> Self {
        // Small sets are summed as fast; steeper tilts than 50 are rare.
        let count = if values > 64 { 201 } else { 0 };
        Self { low: vec![OnceLock::new(); count], high: vec![OnceLock::new(); count] }
    }

    /// Σ exp(−|θ|·d), Σ d·exp(−|θ|·d) and Σ d²·exp(−|θ|·d), where a knot is near.
    fn sums(&self, scaled: &[(f64, f64)], theta: f64) -> Option<[f64; 3]> {
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

impl Values {
    /// The number of different values, before any were gathered into cells.
    pub fn distinct(&self) -> usize {
        self.distinct
    }
}

impl Support {
    /// The different values among `values`, all of which must be finite.
    ///
    /// More than [`MOST_VALUES`] are gathered into that many cells of equal width, each a
    /// value (the mean of its members) that counts as often as it has members; the ends stay.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Result<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        if let Some(bad) = values.iter().find(|value| !value.is_finite()) {
            return Err(Error::data(format!("a support cannot hold {bad}")));
        }
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
            return Err(Error::data("a support needs at least one value"));
        };
        let distinct = values.len();
        let width = high - low;
        if !width.is_finite() {
            return Err(Error::data(format!(
                "values from {low} to {high} are too far apart; divide them by a constant"
            )));
        }
        if width == 0.0 {
            let (scaled, knots) = (vec![(0.0, 1.0)], Knots::default());
            return Ok(Self::Set(Values { low, high, scaled, distinct, knots }));
        }
        let all = values.iter().map(|value| (value - low) / width);
        let scaled: Vec<(f64, f64)> = if distinct <= MOST_VALUES {
            all.map(|v| (v, 1.0)).collect()
        } else {
            gather(all, distinct)
        };
        let knots = Knots::new(scaled.len());
        Ok(Self::Set(Values { low, high, scaled, distinct, knots }))
    }

    /// An arithmetic progression.
    pub fn grid(start: f64, step: f64, count: usize) -> Result<Self> {
        if !(start.is_finite() && step.is_finite() && step > 0.0 && count > 0) {
            return Err(Error::data(format!(
                "a grid needs a start, a step above 0 and at least one value, got {start}, {step}, {count}"
            )));
        }
        Ok(Self::Grid { start, step, count })
    }

    /// All numbers between two ends.
    pub fn interval(low: f64, high: f64) -> Result<Self> {
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(Error::data(format!(
                "an interval needs a left end below its right one, got {low} and {high}"
            )));
        }
        Ok(Self::Interval { low, high })
    }

    /// The smallest value.
    pub fn low(&self) -> f64 {
        match self {
            Self::Set(values) => values.low,
            Self::Grid { start, .. } => *start,
            Self::Interval { low, .. } | Self::HalfLine { low } => *low,
        }
    }

    /// The largest value, infinite on the half-line.
    pub fn high(&self) -> f64 {
        match self {
            Self::Set(values) => values.high,
            Self::Grid { start, step, count } => start + step * (*count - 1) as f64,
            Self::Interval { high, .. } => *high,
            Self::HalfLine { .. } => f64::INFINITY,
        }
    }

    /// True when `value` lies between the ends.
    pub fn spans(&self, value: f64) -> bool {
        (self.low()..=self.high()).contains(&value)
    }

    /// Moments of the stretched support under tilt `theta`; `around` is a guess of the mean.
    fn moments(&self, theta: f64, around: f64) -> Moments {
        match self {
            Self::Set(values) => match values.knots.sums(&values.scaled, theta) {
                Some([all, distance, squares]) => {
                    let distance = distance / all;
                    Moments::towards(theta, distance, squares / all - distance * distance)
                }
                None => set_moments(&values.scaled, theta, around),
            },
            Self::Grid { count, .. } => {
                let steps = (*count - 1) as f64;
                let (mean, variance) = grid_moments(theta.abs() / steps, *count as f64);
                Moments::towards(theta, mean / steps, variance / (steps * steps))
            }
            Self::Interval { .. } | Self::HalfLine { .. } => {
                let (mean, variance) = interval_moments(theta.abs());
                Moments::towards(theta, mean, variance)
            }
        }
    }

    /// log Σ exp(θ·(v − e)) over the stretched support, e its end on the side of the tilt.
    fn log_sum(&self, theta: f64) -> f64 {
        let size = theta.abs();
        match self {
            Self::Set(values) => {
                if let Some([all, ..]) = values.knots.sums(&values.scaled, theta) {
                    return all.ln();
                }
                let end = if theta > 0.0 { 1.0 } else { 0.0 };
                let terms =
                    values.scaled.iter().map(|(v, count)| count * (theta * (v - end)).exp());
                terms.sum::<f64>().ln()
            }
            Self::Grid { count, .. } => {
                let (m, u) = (*count as f64, size / (*count - 1) as f64);
                if u == 0.0 { m.ln() } else { ((-m * u).exp_m1() / (-u).exp_m1()).ln() }
            }
            Self::Interval { low, high } => {
                let inside = if size == 0.0 { 1.0 } else { -(-size).exp_m1() / size };
                inside.ln() + (high - low).ln()
            }
            Self::HalfLine { .. } => 0.0,
        }
    }
}

/// Gather sorted values of [0, 1] into cells, the two ends on their own.
fn gather(values: impl Iterator<Item = f64>, distinct: usize) -> Vec<(f64, f64)> {
    let cells = MOST_VALUES - 2;
    let mut sums = vec![(0.0, 0.0); cells];
    for v in values.skip(1).take(distinct - 2) {
        let cell = &mut sums[((v * cells as f64) as usize).min(cells - 1)];
        *cell = (cell.0 + v, cell.1 + 1.0);
    }
    let filled = sums.into_iter().filter(|cell| cell.1 > 0.0).map(|(sum, n)| (sum / n, n));
    std::iter::once((0.0, 1.0)).chain(filled).chain([(1.0, 1.0)]).collect()
}

/// Mean v̄ of the stretched statistic, 1 − v̄ without cancellation, and variance.
#[derive(Debug, Clone, Copy)]
struct Moments {
    mean: f64,
    rest: f64,
    variance: f64,
}

impl Moments {
    /// From the moments of the distance to the end where the tilt heaps up its weight.
    fn towards(theta: f64, distance: f64, variance: f64) -> Self {
        if theta > 0.0 {
            Self { mean: 1.0 - distance, rest: distance, variance }
        } else {
            Self { mean: distance, rest: 1.0 - distance, variance }
        }
    }
}

/// In one pass: squares are taken around the mean to be met, so that near the solution the
/// variance loses no digits.
fn set_moments(scaled: &[(f64, f64)], theta: f64, around: f64) -> Moments {
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
fn grid_moments(u: f64, m: f64) -> (f64, f64) {
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
fn interval_moments(x: f64) -> (f64, f64) {
    if x < 0.1 {
        let x2 = x * x;
        let slope = 1.0 / 12.0 - x2 * (1.0 / 720.0 - x2 * (1.0 / 30240.0 - x2 / 1209600.0));
        let variance = 1.0 / 12.0 - x2 * (1.0 / 240.0 - x2 * (1.0 / 6048.0 - x2 / 172800.0));
        return (0.5 - x * slope, variance);
    }
    let grown = x.exp_m1();
    (1.0 / x - 1.0 / grown, 1.0 / (x * x) - 1.0 / (grown * -(-x).exp_m1()))
}

/// What to do with a mean at an end of the support, where λ is infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ends {
    /// All weight on the end: any other value is impossible.
    PointMass,
    /// Keep the mean this share of the support's width away from either end.
    Clamp(f64),
}

/// A fitted law: log p(s) = λ·s − log Z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Law {
    lambda: f64,
    /// The end of the support on the side of the tilt; sums are kept relative to it.
    anchor: f64,
    /// log Σ exp(λ·(s − anchor)).
    log_sum: f64,
}

impl Law {
    /// The law of largest entropy on `support` with this mean.
    pub fn fit(support: &Support, mean: f64, ends: Ends) -> Self {
        let (low, high) = (support.low(), support.high());
        if let Support::HalfLine { .. } = support {
            let distance = match ends {
                // The half-line has no width: the clamp is a share of 1.
                Ends::Clamp(share) => (mean - low).max(share),
                Ends::PointMass => mean - low,
            };
            if distance <= 0.0 {
                return Self { lambda: f64::NEG_INFINITY, anchor: low, log_sum: 0.0 };
            }
            return Self { lambda: -1.0 / distance, anchor: low, log_sum: distance.ln() };
        }
        let width = high - low;
        if width == 0.0 {
            return Self { lambda: 0.0, anchor: low, log_sum: 0.0 };
        }
        let (mut tau, mut rest) = ((mean - low) / width, (high - mean) / width);
        match ends {
            // Equal values may have a mean that is off by their sum's rounding.
            Ends::PointMass if tau <= AT_THE_END => {
                return Self { lambda: f64::NEG_INFINITY, anchor: low, log_sum: 0.0 };
            }
            Ends::PointMass if rest <= AT_THE_END => {
                return Self { lambda: f64::INFINITY, anchor: high, log_sum: 0.0 };
            }
            Ends::PointMass => {}
            Ends::Clamp(share) if tau < share => (tau, rest) = (share, 1.0 - share),
            Ends::Clamp(share) if rest < share => (tau, rest) = (1.0 - share, share),
            Ends::Clamp(_) => {}
        }
        let theta = solve(tau, rest, |theta| support.moments(theta, tau));
        Self {
            lambda: theta / width,
            anchor: if theta > 0.0 { high } else { low },
            log_sum: support.log_sum(theta),
        }
    }

    /// λ, infinite for a point mass.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// log Z, the logarithm of the sum that makes the law add up to 1; 0 for a point mass.
    pub fn log_z(&self) -> f64 {
        match self.lambda.is_finite() {
            true => self.log_sum + self.lambda * self.anchor,
            false => 0.0,
        }
    }

    /// log p(s); outside the support the formula goes on.
    ///
    /// A point mass gives 0 at its point and −∞ elsewhere, on intervals too.
    pub fn log_p(&self, s: f64) -> f64 {
        match (self.lambda.is_finite(), s == self.anchor) {
            (true, _) => self.lambda * (s - self.anchor) - self.log_sum,
            (false, true) => 0.0,
            (false, false) => f64::NEG_INFINITY,
        }
    }

    /// The law's mean on `support`.
    pub fn mean(&self, support: &Support) -> f64 {
        if !self.lambda.is_finite() {
            return self.anchor;
        }
        let (low, high) = (support.low(), support.high());
        match support {
            Support::HalfLine { .. } => low - 1.0 / self.lambda,
            _ if low == high => low,
            _ => {
                let moments = support.moments(self.lambda * (high - low), 0.5);
                match moments.mean <= moments.rest {
                    true => low + moments.mean * (high - low),
                    false => high - moments.rest * (high - low),
                }
            }
        }
    }
}

/// A mean this near to an end, as a share of the width, is at the end.
const AT_THE_END: f64 = 8.0 * f64::EPSILON;

/// The tilt whose mean is `tau` on a support stretched to [0, 1]; `rest` is 1 − τ.
fn solve(tau: f64, rest: f64, moments: impl Fn(f64) -> Moments) -> f64 {
    const ENOUGH: f64 = 1e-14;
    let flat = moments(0.0);
    let mut theta = (tau - flat.mean) / flat.variance;
    let (mut below, mut above) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut best = (f64::INFINITY, theta);
    let mut widths = [f64::INFINITY; 3];
    for round in 0..200 {
        let now = moments(theta);
        // How much too large the mean is, and Newton's step, both in the logarithm of the
        // distance to the nearer end: its slope hardly changes where the mean's does.
        let (gap, step) = if tau <= rest {
            let gap = ((now.mean - tau) / tau).ln_1p();
            (gap, -gap * now.mean / now.variance)
        } else {
            let gap = ((now.rest - rest) / rest).ln_1p();
            (-gap, gap * now.rest / now.variance)
        };
        if gap.abs() < best.0 {
            best = (gap.abs(), theta);
        }
        if gap.abs() <= ENOUGH {
            break;
        }
        if gap > 0.0 {
            above = theta;
        } else {
            below = theta;
        }
        let width = above - below;
        if width.is_finite() && width <= 4.0 * f64::EPSILON * below.abs().max(above.abs()) {
            break;
        }
        // Three rounds that have not halved the bracket: halve it.
        let slow = width.is_finite() && width > 0.5 * widths[round % 3];
        widths[round % 3] = width;
        let next = theta + step;
        let inside = next > below && next < above;
        if inside && next == theta {
            break;
        }
        theta = match (inside && !slow, width.is_finite(), gap > 0.0) {
            (true, ..) => next,
            (false, true, _) => below + 0.5 * width,
            (false, false, true) => theta - theta.abs().max(1.0),
            (false, false, false) => theta + theta.abs().max(1.0),
        };
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn law(support: Result<Support>, mean: f64) -> (f64, f64) {
        let law = Law::fit(&support.unwrap(), mean, Ends::PointMass);
        (law.lambda(), law.log_z())
    }

    #[track_caller]
    fn near(found: (f64, f64), lambda: f64, log_z: f64) {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
        assert!(close(found.0, lambda) && close(found.1, log_z), "{found:?}, {lambda} {log_z}");
    }

    /// The values 0..n as a set, so that the loop is tested beside the closed form.
    fn counted(n: usize) -> Result<Support> {
        Support::of((0..n).map(|j| j as f64))
    }

    #[test]
    fn multipliers_and_sums_are_those_of_the_worked_examples() {
        for support in [counted, |n| Support::grid(0.0, 1.0, n)] {
            near(law(support(3), 1.5), 0.834115194351, 2.15240749216);
            near(law(support(9), 7.6), 1.25255871659, 10.3570109705);
            near(law(support(201), 20.0), -0.0487636793028, 3.04499691237);
            near(law(support(201), 190.0), 0.095310171057, 21.4599295669);
            near(law(support(2), 0.25), -1.09861228867, 0.287682072452);
        }
        let tenths = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0];
        near(law(Support::of(tenths), 0.3), -1.91758302726, 1.58054147676);
        near(law(Support::interval(0.0, 1.0), 0.9), 9.99544113381, 7.69326642297);
        near(law(Support::interval(2.0, 5.0), 2.1), -9.99999999997, -22.3025850929);
        near(law(Support::interval(0.0, 1.0), 0.500001), 1.2e-5, 6.000006e-6);
        near(law(Ok(Support::HalfLine { low: 0.0 }), 4.0), -0.25, 4f64.ln());
    }

    /// Supports even, heavy-tailed, clustered and tiny, and means up to their ends.
    #[test]
    fn the_mean_is_met_on_every_kind_of_support() {
        let mut random = Random::new(11, 0);
        let mut draw = |n: usize, f: fn(&mut Random) -> f64| -> Result<Support> {
            Support::of((0..n).map(|_| f(&mut random)).collect::<Vec<_>>())
        };
        let supports = [
            draw(2, Random::uniform),
            draw(40, Random::uniform),
            draw(9000, Random::normal),
            draw(200, |r| (3.0 * r.normal()).exp()),
            draw(200, |r| 1.0 / (r.uniform() + 1e-9)),
            draw(60, |r| r.below(3) as f64 * 100.0 + 1e-6 * r.normal()),
            draw(60, |r| if r.chance(0.02) { 1e9 } else { r.normal() }),
            Support::of([0.0, 1e-12, 1.0]),
            Support::of([-5.0, 1e6 - 1e-3, 1e6]),
            Support::grid(-3.0, 0.25, 2),
            Support::grid(-3.0, 0.25, 77),
            Support::grid(0.0, 1.0, 100_000),
            Support::interval(-2.0, 7.0),
        ];
        let shares = [0.5, 0.3, 0.4999999, 0.1, 1e-2, 1e-3, 1e-6, 1e-9, 1e-12];
        for support in supports.map(Result::unwrap) {
            let (low, width) = (support.low(), support.high() - support.low());
            for (share, mirrored) in shares.iter().flat_map(|&t| [(t, false), (t, true)]) {
                let mean =
                    if mirrored { support.high() - share * width } else { low + share * width };
                let law = Law::fit(&support, mean, Ends::PointMass);
                let off = (law.mean(&support) - mean) / width;
                assert!(off.abs() <= 1e-12, "{support:.0?} {share} {mirrored}: {off:e}");
            }
        }
    }

    #[test]
    fn probabilities_on_a_finite_support_add_up_to_one() {
        let values = [-2.0, 0.5, 0.75, 3.0];
        let support = Support::of(values).unwrap();
        for mean in [-1.999, 0.0, 2.9] {
            let law = Law::fit(&support, mean, Ends::PointMass);
            let p = values.map(|s| law.log_p(s).exp());
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let found: f64 = p.iter().zip(values).map(|(p, s)| p * s).sum();
            assert!((found - mean).abs() < 1e-12);
            assert!((law.log_p(0.5) - (0.5 * law.lambda() - law.log_z())).abs() < 1e-12);
        }
    }

    /// The law is derived, not assumed: no other law of this mean has more entropy.
    #[test]
    fn no_law_of_the_same_mean_has_more_entropy() {
        let values = [0.0, 1.0, 2.5, 4.0];
        let law = Law::fit(&Support::of(values).unwrap(), 3.1, Ends::PointMass);
        let p = values.map(|s| law.log_p(s).exp());
        let entropy = |p: &[f64]| -p.iter().map(|p| p * p.ln()).sum::<f64>();
        // Two directions span the changes that keep the sum and the mean.
        for (a, b) in [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0)] {
            for size in [1e-2, -1e-2, 1e-3, -1e-3] {
                let (d0, d1) = (size * a, size * b);
                let d2 = -(4.0 * (d0 + d1) - d1) / 1.5;
                let q = [p[0] + d0, p[1] + d1, p[2] + d2, p[3] - d0 - d1 - d2];
                let mean: f64 = q.iter().zip(values).map(|(q, s)| q * s).sum();
                assert!((mean - 3.1).abs() < 1e-12);
                if q.iter().all(|q| *q > 0.0) {
                    assert!(entropy(&q) < entropy(&p));
                }
            }
        }
    }

    #[test]
    fn a_mean_at_an_end_is_a_point_mass_or_kept_away() {
        let support = Support::of([0.0, 1.0, 2.0]).unwrap();
        let point = Law::fit(&support, 2.0, Ends::PointMass);
        assert_eq!((point.lambda(), point.log_p(2.0)), (f64::INFINITY, 0.0));
        assert_eq!(point.log_p(1.0), f64::NEG_INFINITY);
        assert_eq!((point.mean(&support), point.log_z()), (2.0, 0.0));
        let tenths = Support::of([0.0, 0.05, 0.1]).unwrap();
        let rounded = [0.1; 10].iter().sum::<f64>() / 10.0;
        assert!(
            rounded < 0.1 && Law::fit(&tenths, rounded, Ends::PointMass).lambda().is_infinite()
        );
        for (mean, kept) in [(2.0, 2.0 - 2e-6), (0.0, 2e-6), (1.0, 1.0)] {
            let law = Law::fit(&support, mean, Ends::Clamp(1e-6));
            assert!((law.mean(&support) - kept).abs() < 1e-12);
            assert!(law.log_p(1.0).is_finite());
        }
        let half = Law::fit(&Support::HalfLine { low: 1.0 }, 1.0, Ends::PointMass);
        assert_eq!((half.log_p(1.0), half.log_p(1.5)), (0.0, f64::NEG_INFINITY));
    }

    #[test]
    fn a_support_of_one_value_says_nothing() {
        for support in [Support::of([3.0, 3.0]), Support::grid(3.0, 1.0, 1)] {
            let law = Law::fit(&support.unwrap(), 3.0, Ends::PointMass);
            assert_eq!((law.lambda(), law.log_z(), law.log_p(3.0)), (0.0, 0.0, 0.0));
        }
    }

    #[test]
    fn many_values_are_gathered_without_moving_the_law() {
        let n = 20_000usize;
        let values = || (0..n).map(|j| (j as f64 / n as f64).powi(2));
        let Support::Set(gathered) = Support::of(values()).unwrap() else { panic!() };
        assert!(gathered.scaled.len() <= MOST_VALUES && gathered.distinct() == n);
        assert_eq!(gathered.scaled.iter().map(|v| v.1).sum::<f64>(), n as f64);
        let law = Law::fit(&Support::Set(gathered), 0.2, Ends::PointMass);
        let (mut total, mut mean) = (0.0, 0.0);
        for s in values() {
            let p = law.log_p(s).exp();
            total += p;
            mean += p * s;
        }
        assert!((total - 1.0).abs() < 1e-6 && (mean / total - 0.2).abs() < 1e-6);
    }

    /// The series between knots against the plain sums.
    #[test]
    fn knots_give_the_sums_of_the_definition() {
        let mut random = Random::new(4, 0);
        let clumps = (0..500).map(|_| random.below(4) as f64 + 0.01 * random.normal());
        let support = Support::of(clumps.collect::<Vec<_>>()).unwrap();
        let Support::Set(values) = &support else { panic!() };
        for theta in [0.0, 0.1249, -0.126, 3.3, -7.87, 49.9, -50.1] {
            let plain = set_moments(&values.scaled, theta, 0.5);
            let found = support.moments(theta, 0.5);
            assert!((found.mean / plain.mean - 1.0).abs() < 1e-13, "{theta}");
            assert!((found.rest / plain.rest - 1.0).abs() < 1e-13, "{theta}");
            assert!((found.variance - plain.variance).abs() < 1e-13, "{theta}");
            let end = if theta > 0.0 { 1.0 } else { 0.0 };
            let sum: f64 = values.scaled.iter().map(|(v, n)| n * (theta * (v - end)).exp()).sum();
            assert!((support.log_sum(theta) - sum.ln()).abs() < 1e-13, "{theta}");
        }
        assert!(values.knots.sums(&values.scaled, 60.0).is_none());
    }

    #[test]
    fn supports_that_cannot_be_meant_are_refused() {
        assert!(Support::of([]).is_err() && Support::of([f64::NAN]).is_err());
        assert!(Support::grid(0.0, 0.0, 3).is_err() && Support::grid(0.0, 1.0, 0).is_err());
        assert!(Support::interval(1.0, 1.0).is_err());
    }
}
