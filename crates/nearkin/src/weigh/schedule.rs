//! Schedules: how much of the running weights enters the distance, as a run goes along.
//!
//! With τ = t/T the share of the run done, a feature of normalised weight v has the factor
//!
//! ```text
//! f(v, τ) = (1 − α(τ)) + α(τ) v
//! ```
//!
//! so α = 0 is ReliefF and α = 1 double ReliefF. The published form of the progressive function
//! is lost; the Weibull family α = 1 − exp(−s τ^p) is a reconstruction that meets every property
//! the paper's text states, with s such that half of the area between the extremes remains:
//! ∫₀¹ exp(−s τ^p) dτ = ½.

use crate::stats::tails::{gamma_p, ln_gamma};
use crate::{Error, ParameterError, Result, choice, parameters};

choice! {
    /// The shape of α(τ).
    #[non_exhaustive]
    pub enum Shape {
        /// The same all the time: `alpha`.
        Constant = "constant",
        /// 1 − exp(−s τ^p).
        Weibull = "weibull",
        /// τ.
        Linear = "linear",
        /// A logistic curve around τ = ½, rescaled to run from 0 to 1.
        Logistic = "logistic",
        /// 0, then 1 from `switch` on.
        Step = "step",
    }
}

parameters! {
    /// A schedule.
    pub struct Schedule {
        /// The shape of the schedule by which weights enter the distance.
        schedule: Shape = Shape::Weibull;
        /// How far weights enter the distance under the constant schedule: 0 not at all, 1 fully.
        alpha: f64 = 1.0, in 0.0..=1.0;
        /// Exponent p of the Weibull schedule. A larger one stays close to ReliefF for longer.
        shape: f64 = 4.0, in 1.0..=64.0;
        /// Steepness s of the Weibull and logistic schedules. When not given, it is 10 for the
        /// logistic one, and for the Weibull one such that the mean of α over the run is 1/2.
        steepness: Option<f64> = None, in 1e-9..=1e9;
        /// Where the step schedule switches, as a share of the run.
        switch: f64 = 0.5, in 0.0..=1.0;
    }
}

impl Schedule {
    /// α as a function of τ.
    ///
    /// # Errors
    ///
    /// When no steepness is given and none leaves half the area for the shape.
    pub fn curve(&self) -> Result<impl Fn(f64) -> f64 + use<>> {
        let steepness = match (self.schedule, self.steepness) {
            (_, Some(s)) => s,
            (Shape::Weibull, None) => half_area_steepness(self.shape)?,
            (_, None) => 10.0,
        };
        let Self { schedule, alpha, shape, switch, .. } = self.clone();
        let logistic = move |tau: f64| 1.0 / (1.0 + (-steepness * (tau - 0.5)).exp());
        Ok(move |tau: f64| match schedule {
            Shape::Constant => alpha,
            Shape::Weibull => 1.0 - (-steepness * tau.powf(shape)).exp(),
            Shape::Linear => tau,
            Shape::Logistic => (logistic(tau) - logistic(0.0)) / (logistic(1.0) - logistic(0.0)),
            Shape::Step => f64::from(u8::from(tau >= switch)),
        })
    }

    /// True when weights never enter the distance.
    pub fn is_zero(&self) -> bool {
        self.schedule == Shape::Constant && self.alpha == 0.0
    }
}

/// I(s, p) = ∫₀¹ exp(−s τ^p) dτ = γ(1/p, s) / (p s^{1/p}).
pub fn area(s: f64, p: f64) -> f64 {
    let a = 1.0 / p;
    gamma_p(a, s) * (ln_gamma(a) - a * s.ln()).exp() / p
}

/// The s with I(s, p) = ½, by bisection on ln s.
///
/// # Errors
///
/// When no steepness leaves half the area for this exponent.
pub fn half_area_steepness(p: f64) -> Result<f64> {
    let (mut low, mut high) = (-5.0f64, 200.0f64);
    if area(low.exp(), p) < 0.5 || area(high.exp(), p) > 0.5 {
        return Err(Error::parameter("shape", ParameterError::NoHalfArea { shape: p }));
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle == low || middle == high {
            break;
        }
        if area(middle.exp(), p) > 0.5 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok((0.5 * (low + high)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_area_steepness_equals_the_table() {
        let table = [
            (1.0, 1.59362),
            (2.0, 3.05798),
            (3.0, 5.69045),
            (4.0, 10.79948),
            (6.0, 40.8018),
            (8.0, 158.379),
        ];
        for (p, s) in table {
            let found = half_area_steepness(p).unwrap();
            assert!((found / s - 1.0).abs() < 4e-6, "p = {p}: {found}");
        }
    }

    #[test]
    fn the_default_stays_near_one_for_half_the_run() {
        let curve = Schedule::default().curve().unwrap();
        for (tau, alpha) in [(0.0, 0.0), (0.25, 0.041), (0.5, 0.491), (0.75, 0.967), (1.0, 1.0)] {
            assert!((curve(tau) - alpha).abs() < 6e-4, "{tau}: {}", curve(tau));
        }
    }

    #[test]
    fn every_schedule_but_the_constant_leaves_half_the_area() {
        for schedule in [Shape::Weibull, Shape::Linear, Shape::Logistic, Shape::Step] {
            let curve = Schedule { schedule, ..Schedule::default() }.curve().unwrap();
            let area: f64 =
                (0..10_000).map(|i| 1.0 - curve((f64::from(i) + 0.5) / 1e4)).sum::<f64>() / 1e4;
            assert!((area - 0.5).abs() < 1e-3, "{schedule:?}: {area}");
        }
    }
}
