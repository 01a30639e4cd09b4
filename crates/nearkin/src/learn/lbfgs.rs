//! L-BFGS: minimise a smooth function from its gradient, remembering the last few steps.
//!
//! The two-loop recursion gives a direction from the last ten pairs of step and change of
//! gradient; a line search then halves or doubles the step until value and slope both fall
//! enough (weak Wolfe conditions).
//!
//! Lower bound for a step over d numbers: one value and gradient, and 4 · 10 · d multiply-adds.
//!
//! Reference: J. Nocedal and S. J. Wright, *Numerical Optimization*, algorithms 7.4 and 7.5;
//! A. S. Lewis and M. L. Overton, *Nonsmooth optimization via quasi-Newton methods*, 2013.

use std::collections::VecDeque;

use crate::Result;
use crate::measure::dot;

/// Steps remembered.
const MEMORY: usize = 10;
/// Share of the promised fall that a step must reach, and of the slope that may remain.
const WOLFE: (f64, f64) = (1e-4, 0.9);

/// Where minimising ended.
pub(crate) struct Minimum {
    /// The place.
    pub place: Vec<f64>,
    /// The value at the start and after each step; never rising.
    pub values: Vec<f64>,
    /// True when the last step was below the tolerance, or none led down.
    pub settled: bool,
}

/// Minimise from `start`; `f` takes the step and the place and returns value and gradient.
pub(crate) fn minimise(
    start: Vec<f64>,
    steps: usize,
    tolerance: f64,
    mut f: impl FnMut(usize, &[f64]) -> Result<(f64, Vec<f64>)>,
) -> Result<Minimum> {
    let (mut value, mut gradient) = f(0, &start)?;
    let mut found = Minimum { place: start, values: vec![value], settled: false };
    let mut memory: VecDeque<(Vec<f64>, Vec<f64>, f64)> = VecDeque::new();
    for step in 1..=steps {
        let mut direction = towards(&memory, &gradient);
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            memory.clear();
            direction = gradient.iter().map(|g| -g).collect();
            slope = -dot(&gradient, &gradient);
        }
        // The first step has no scale of its own: about 1 in length.
        let mut length = if memory.is_empty() { 1.0 / (-slope).sqrt().max(1.0) } else { 1.0 };
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut best: Option<(Vec<f64>, f64, Vec<f64>)> = None;
        for _ in 0..50 {
            if slope == 0.0 {
                break;
            }
            let pairs = found.place.iter().zip(&direction);
            let place: Vec<f64> = pairs.map(|(x, d)| x + length * d).collect();
            let (there, steep) = f(step, &place)?;
            if there <= value + WOLFE.0 * length * slope {
                let flat = dot(&steep, &direction) >= WOLFE.1 * slope;
                best = Some((place, there, steep));
                if flat {
                    break;
                }
                low = length;
            } else {
                high = length;
            }
            length = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * length };
        }
        let Some((place, there, steep)) = best else {
            found.settled = true;
            break;
        };
        let change: Vec<f64> = place.iter().zip(&found.place).map(|(a, b)| a - b).collect();
        let bend: Vec<f64> = steep.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        let moved: f64 = change.iter().map(|c| c.abs()).sum();
        let curvature = dot(&change, &bend);
        if curvature > 1e-300 {
            memory.push_back((change, bend, 1.0 / curvature));
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        (found.place, value, gradient) = (place, there, steep);
        found.values.push(value);
        if moved <= tolerance {
            found.settled = true;
            break;
        }
    }
    Ok(found)
}

/// −H·gradient by the two-loop recursion.
fn towards(memory: &VecDeque<(Vec<f64>, Vec<f64>, f64)>, gradient: &[f64]) -> Vec<f64> {
    let mut q: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let add = |q: &mut [f64], scale: f64, v: &[f64]| {
        q.iter_mut().zip(v).for_each(|(q, v)| *q += scale * v);
    };
    let mut alphas = Vec::with_capacity(memory.len());
    for (change, bend, rho) in memory.iter().rev() {
        let alpha = rho * dot(change, &q);
        add(&mut q, -alpha, bend);
        alphas.push(alpha);
    }
    if let Some((_, bend, rho)) = memory.back() {
        let scale = 1.0 / (rho * dot(bend, bend));
        q.iter_mut().for_each(|q| *q *= scale);
    }
    for ((change, bend, rho), alpha) in memory.iter().zip(alphas.iter().rev()) {
        let beta = rho * dot(bend, &q);
        add(&mut q, alpha - beta, change);
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_valley_of_rosenbrock_is_walked_to_its_end() {
        let found = minimise(vec![-1.2, 1.0], 200, 1e-12, |_, p| {
            let (x, y) = (p[0], p[1]);
            let value = (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2);
            let slope = [2.0 * (x - 1.0) - 400.0 * x * (y - x * x), 200.0 * (y - x * x)];
            Ok((value, slope.to_vec()))
        })
        .unwrap();
        assert!(found.settled);
        assert!(found.place.iter().all(|x| (x - 1.0).abs() < 1e-8), "{:?}", found.place);
        assert!(found.values.windows(2).all(|pair| pair[1] <= pair[0]));
    }

    #[test]
    fn a_start_at_the_bottom_stays_there() {
        let found = minimise(vec![0.0; 3], 10, 0.0, |_, p| {
            Ok((dot(p, p), p.iter().map(|x| 2.0 * x).collect()))
        });
        let found = found.unwrap();
        assert!(found.settled && found.place == [0.0; 3]);
    }
}
