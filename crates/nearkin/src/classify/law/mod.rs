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

mod knots;
mod moments;
mod support;

use moments::Moments;
pub use support::{MOST_VALUES, Support, Values};

/// Treatment of a mean at an end of the support, where λ is infinite.
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

    /// λ, the end it counts from and log Σ, from which [`Law::of_numbers`] makes the law again.
    pub(crate) fn numbers(&self) -> [f64; 3] {
        [self.lambda, self.anchor, self.log_sum]
    }

    pub(crate) fn of_numbers([lambda, anchor, log_sum]: [f64; 3]) -> Self {
        Self { lambda, anchor, log_sum }
    }

    /// The probability of the values of `support` from `from` on and below `to`.
    pub fn share(&self, support: &Support, from: f64, to: f64) -> f64 {
        if !self.lambda.is_finite() {
            return f64::from(u8::from(from <= self.anchor && self.anchor < to));
        }
        match support {
            Support::Set(_) | Support::Grid { .. } => {
                support.between(from, to).map(|(s, count)| count * self.log_p(s).exp()).sum()
            }
            Support::Interval { .. } | Support::HalfLine { .. } => {
                let (from, to) = (from.max(support.low()), to.min(support.high()));
                if from >= to {
                    return 0.0;
                }
                let width = match self.lambda == 0.0 {
                    true => to - from,
                    false => (self.lambda * (to - from)).exp_m1() / self.lambda,
                };
                width * self.log_p(from).exp()
            }
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
    use super::moments::set_moments;
    use super::*;
    use crate::random::Random;
    use crate::{Result, SupportError};

    fn law(support: Result<Support, SupportError>, mean: f64) -> (f64, f64) {
        let law = Law::fit(&support.unwrap(), mean, Ends::PointMass);
        (law.lambda(), law.log_z())
    }

    #[track_caller]
    fn near(found: (f64, f64), lambda: f64, log_z: f64) {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
        assert!(close(found.0, lambda) && close(found.1, log_z), "{found:?}, {lambda} {log_z}");
    }

    /// The values 0..n as a set, so that the loop can be compared with the closed form.
    fn counted(n: usize) -> Result<Support, SupportError> {
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
        let mut draw = |n: usize, f: fn(&mut Random) -> f64| -> Result<Support, SupportError> {
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
    fn shares_of_a_support_cut_in_two_add_up_to_one() {
        let supports = [
            Support::of([-2.0, 0.5, 0.75, 3.0]),
            Support::grid(-2.0, 0.5, 11),
            Support::interval(-2.0, 3.0),
        ];
        for support in supports.into_iter().map(Result::unwrap) {
            for mean in [-1.5, 0.5, 2.9] {
                let law = Law::fit(&support, mean, Ends::PointMass);
                let (left, right) = (law.share(&support, -2.0, 0.6), law.share(&support, 0.6, 9.0));
                assert!((left + right - 1.0).abs() < 1e-12 && left > 0.0 && right > 0.0);
            }
        }
        let half = Support::HalfLine { low: 1.0 };
        let law = Law::fit(&half, 3.0, Ends::PointMass);
        // Exponential of mean 2 from 1 on.
        assert!((law.share(&half, 1.0, 3.0) - (1.0 - (-1.0f64).exp())).abs() < 1e-15);
        assert_eq!(Support::restore(&half.parts()).unwrap(), half);
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
        for theta in [0.0, 0.1249, -0.126, 3.3, -7.87, 49.9, -50.1, 53.2, -777.0, 3e4, -9e5] {
            let plain = set_moments(&values.scaled, theta, 0.5);
            let found = support.moments(theta, 0.5);
            assert!((found.mean - plain.mean).abs() < 1e-13, "{theta}");
            assert!((found.rest - plain.rest).abs() < 1e-13, "{theta}");
            if theta.abs() < 60.0 {
                assert!((found.mean / plain.mean - 1.0).abs() < 1e-13, "{theta}");
                assert!((found.rest / plain.rest - 1.0).abs() < 1e-13, "{theta}");
            }
            assert!((found.variance - plain.variance).abs() < 1e-13, "{theta}");
            let end = if theta > 0.0 { 1.0 } else { 0.0 };
            let sum: f64 = values.scaled.iter().map(|(v, n)| n * (theta * (v - end)).exp()).sum();
            assert!((support.log_sum(theta) - sum.ln()).abs() < 1e-13, "{theta}");
        }
        assert!(values.knots.sums(&values.scaled, 1e7).is_none());
    }

    #[test]
    fn supports_that_cannot_be_meant_are_refused() {
        let single = [0.1f32, -2.5, 0.1, 0.0, 7.25];
        assert_eq!(Support::of(single).unwrap(), Support::of(single.map(f64::from)).unwrap());
        assert!(Support::of::<f64>([]).is_err() && Support::of([f64::NAN]).is_err());
        assert!(Support::grid(0.0, 0.0, 3).is_err() && Support::grid(0.0, 1.0, 0).is_err());
        assert!(Support::interval(1.0, 1.0).is_err());
    }
}
