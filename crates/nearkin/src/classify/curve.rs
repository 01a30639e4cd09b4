//! The curve from scores to probabilities, fitted to samples whose classes are known.
//!
//! ```text
//! log P(g | x) = β·z_g + b_g − log Σ_h exp(β·z_h + b_h),   β ≥ 0
//! ```
//!
//! with z the scores less their mean, over their deviation. Σ −w·log P is least: of a sample of a
//! class of n_c samples its own class has w = (n_c + 1)/(n_c + G) and each other class 1/(n_c +
//! G). The sum is convex, so Newton's steps, halved where the sum would grow, find its one
//! minimum. A product of the Hessian H with a vector costs n·G, and a step needs at most G + 1 of
//! them (conjugate gradients).
//!
//! Cost: n·G² a step; ten steps or so.
//!
//! Lower bound of a step: n·G exponentials. Here 3·n·G, as loss and probabilities are worked out
//! apart, n·G more each time a step is halved, and for each of up to G + 1 products with H some
//! eleven operations on n·G cells; H is never stored. One thread does all of it.

use super::predictions::log_sum_exp;
use crate::{Result, Run};

/// Steps at most, and the step that ends them.
const STEPS: usize = 100;
const SMALL: f64 = 1e-9;

/// How scores become probabilities.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Curve {
    /// The mean and the deviation of scores, and the lowest after both are taken out.
    pub centre: f64,
    pub unit: f64,
    pub lowest: f64,
    /// β of scores in these units.
    pub beta: f64,
    /// b_g, with the logarithm of prior over share.
    pub offsets: Vec<f64>,
}

/// A sample: its class and its scores. A score is NaN when the class was not among the classes
/// that the sample was compared with.
pub(super) type Seen = (usize, Vec<f64>);

/// A sample in the units of the curve, with the probabilities that the curve should give; 0 for
/// classes whose score is NaN.
struct Aim {
    z: Vec<f64>,
    wanted: Vec<f64>,
}

impl Curve {
    /// Fitted to samples; `counts` says how many there are of each class.
    pub fn fit(rows: &[Seen], counts: &[usize], run: &Run) -> Result<Self> {
        let width = counts.len();
        let all = || rows.iter().flat_map(|(_, row)| row.iter().copied()).filter(|x| x.is_finite());
        let (n, most) = all().fold((0.0, 0.0f64), |(n, most), x| (n + 1.0, most.max(x.abs())));
        let mut curve =
            Self { centre: 0.0, unit: 1.0, lowest: 0.0, beta: 0.0, offsets: vec![0.0; width] };
        if n == 0.0 {
            return Ok(curve);
        }
        // Scores that are all 0 carry no information: only the offsets are fitted.
        let most = if most > 0.0 { most } else { 1.0 };
        // Scores divided by the largest one, so that their squares stay finite.
        let mean = all().map(|x| x / most).sum::<f64>() / n;
        let spread = (all().map(|x| (x / most - mean).powi(2)).sum::<f64>() / n).sqrt();
        if spread > 1e-12 {
            (curve.centre, curve.unit) = (mean * most, spread * most);
        }
        curve.lowest = curve.standard(&[all().fold(f64::INFINITY, f64::min)])[0];
        let aims: Vec<Aim> =
            rows.iter().map(|(class, row)| curve.aim(*class, row, counts)).collect();
        curve.descend(&aims, spread > 1e-12, run)?;
        if curve.beta < 0.0 {
            // The least of a convex sum over β ≥ 0 is then at 0.
            (curve.beta, curve.offsets) = (0.0, vec![0.0; width]);
            curve.descend(&aims, false, run)?;
        }
        Ok(curve)
    }

    fn aim(&self, class: usize, row: &[f64], counts: &[usize]) -> Aim {
        let there = row.iter().filter(|score| !score.is_nan()).count();
        let total = (counts[class] + there) as f64;
        let wanted = row.iter().enumerate().map(|(g, score)| match score.is_nan() {
            true => 0.0,
            false => (1.0 + f64::from(g == class) * counts[class] as f64) / total,
        });
        Aim { wanted: wanted.collect(), z: self.standard(row) }
    }

    /// Newton's steps until nothing moves; of β as well, where `slanted`.
    fn descend(&mut self, aims: &[Aim], slanted: bool, run: &Run) -> Result<()> {
        let mut loss = self.loss(aims);
        for step in 0..STEPS {
            run.check(step as u64, STEPS as u64)?;
            let mut moved = self.newton(aims, slanted, run)?;
            let from = (self.beta, self.offsets.clone());
            let better = (0..40).find_map(|_| {
                self.beta = from.0 + moved.0;
                self.offsets =
                    from.1.iter().zip(&moved.1).map(|(b, step)| b + step).collect::<Vec<f64>>();
                let now = self.loss(aims);
                if now < loss {
                    return Some(now);
                }
                moved.0 *= 0.5;
                moved.1.iter_mut().for_each(|step| *step *= 0.5);
                None
            });
            let Some(better) = better else {
                (self.beta, self.offsets) = from;
                break;
            };
            loss = better;
            if moved.1.iter().fold(moved.0.abs(), |most, step| most.max(step.abs())) < SMALL {
                break;
            }
        }
        Ok(())
    }

    fn loss(&self, aims: &[Aim]) -> f64 {
        let one = |aim: &Aim| -> f64 {
            let logs = self.logs(&aim.z);
            let parts = logs.iter().zip(&aim.wanted).filter(|(_, wanted)| **wanted > 0.0);
            -parts.map(|(log, wanted)| wanted * log).sum::<f64>()
        };
        aims.iter().map(one).sum()
    }

    /// Newton's step: the solution of H·step = −slope, as β's part and the offsets'.
    fn newton(&self, aims: &[Aim], slanted: bool, run: &Run) -> Result<(f64, Vec<f64>)> {
        let width = self.offsets.len();
        let p: Vec<Vec<f64>> = aims
            .iter()
            .map(|aim| self.logs(&aim.z).iter().map(|log| log.exp()).collect())
            .collect();
        // The last entry is β's.
        let add = |sum: &mut [f64], aim: &Aim, parts: &mut dyn Iterator<Item = f64>| {
            for (g, part) in parts.enumerate().filter(|(g, _)| aim.wanted[*g] > 0.0) {
                sum[g] += part;
                sum[width] += if slanted { part * aim.z[g] } else { 0.0 };
            }
        };
        let mut residual = vec![0.0; width + 1];
        for (aim, p) in aims.iter().zip(&p) {
            add(&mut residual, aim, &mut aim.wanted.iter().zip(p).map(|(wanted, p)| wanted - p));
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut step, mut along) = (vec![0.0; width + 1], residual.clone());
        let begun = dot(&residual, &residual);
        let mut left = begun;
        for _ in 0..=width {
            run.check(0, 0)?;
            if left <= 1e-24 * begun {
                break;
            }
            let mut bent = vec![0.0; width + 1];
            for (aim, p) in aims.iter().zip(&p) {
                let rise =
                    |g: usize| along[g] + if slanted { along[width] * aim.z[g] } else { 0.0 };
                let there = || (0..width).filter(|&g| aim.wanted[g] > 0.0);
                let mean: f64 = there().map(|g| p[g] * rise(g)).sum();
                let part = |g: usize| match aim.wanted[g] > 0.0 {
                    true => p[g] * (rise(g) - mean),
                    false => 0.0,
                };
                add(&mut bent, aim, &mut (0..width).map(part));
            }
            let curvature = dot(&along, &bent);
            if curvature.is_nan() || curvature <= 1e-300 {
                break;
            }
            let length = left / curvature;
            step.iter_mut().zip(&along).for_each(|(step, along)| *step += length * along);
            residual.iter_mut().zip(&bent).for_each(|(r, bent)| *r -= length * bent);
            let now = dot(&residual, &residual);
            along.iter_mut().zip(&residual).for_each(|(a, r)| *a = r + now / left * *a);
            left = now;
        }
        let beta = step.pop().unwrap_or(0.0);
        Ok((beta, step))
    }

    /// Scores in the units of the curve. NaN stands for a class without training samples and stays
    /// NaN.
    pub fn standard(&self, scores: &[f64]) -> Vec<f64> {
        let one = |&score: &f64| match score {
            // Beyond any score that was seen, and far from where doubles end.
            f64::NEG_INFINITY => self.lowest,
            score => ((score - self.centre) / self.unit).clamp(-1e100, 1e100),
        };
        scores.iter().map(one).collect()
    }

    /// log P(g | x) of standard scores; −∞ for a class whose score is NaN.
    pub fn logs(&self, z: &[f64]) -> Vec<f64> {
        let log = |(z, b): (&f64, &f64)| match z.is_nan() {
            true => f64::NEG_INFINITY,
            false => self.beta * z + b,
        };
        let logs: Vec<f64> = z.iter().zip(&self.offsets).map(log).collect();
        let total = log_sum_exp(&logs);
        logs.iter().map(|log| log - total).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn fit(rows: &[Seen], counts: &[usize]) -> Curve {
        Curve::fit(rows, counts, &Run::default()).unwrap()
    }

    #[test]
    fn scores_that_tell_nothing_leave_the_shares_and_huge_ones_are_numbers() {
        let rows: Vec<(usize, Vec<f64>)> =
            (0..100).map(|at| (usize::from(at >= 90), vec![0.0, 0.0])).collect();
        let curve = fit(&rows, &[90, 10]);
        let shares = curve.logs(&curve.standard(&[0.0, 0.0]));
        assert!((shares[0].exp() - 0.9).abs() < 0.02, "{shares:?}");
        let rows: Vec<(usize, Vec<f64>)> =
            (0..20).map(|at| (at % 2, vec![1e-300 * (at % 2) as f64, 0.0])).collect();
        let curve = fit(&rows, &[10, 10]);
        for scores in [[1e10, 0.0], [f64::MAX, f64::MIN], [f64::NEG_INFINITY, f64::MAX]] {
            assert!(curve.logs(&curve.standard(&scores)).iter().all(|log| !log.is_nan()));
        }
    }

    /// Scores drawn from a logistic law: the curve finds its numbers.
    #[test]
    fn the_curve_that_made_the_classes_is_found() {
        let mut random = Random::new(2, 0);
        let mut rows = Vec::new();
        for _ in 0..20_000 {
            let scores: Vec<f64> = (0..3).map(|_| 5.0 + 2.0 * random.normal()).collect();
            let weights: Vec<f64> = scores
                .iter()
                .zip([0.0, 0.7, -0.4])
                .map(|(s, b): (&f64, f64)| (0.8 * s + b).exp())
                .collect();
            let mut at = random.uniform() * weights.iter().sum::<f64>();
            let class = weights.iter().position(|w| {
                at -= w;
                at <= 0.0
            });
            rows.push((class.unwrap_or(2), scores));
        }
        let counts: Vec<usize> =
            (0..3).map(|class| rows.iter().filter(|(c, _)| *c == class).count()).collect();
        let curve = fit(&rows, &counts);
        assert!((curve.beta / curve.unit - 0.8).abs() < 0.03, "{curve:?}");
        let b = &curve.offsets;
        assert!((b[1] - b[0] - 0.7).abs() < 0.06 && (b[2] - b[0] + 0.4).abs() < 0.06, "{curve:?}");
        // In other units the same probabilities.
        let scaled: Vec<(usize, Vec<f64>)> = rows[..200]
            .iter()
            .map(|(c, row)| (*c, row.iter().map(|x| x * 1e200).collect()))
            .collect();
        let (large, small) = (fit(&scaled, &counts), fit(&rows[..200], &counts));
        let p = |curve: &Curve, row: &[f64]| curve.logs(&curve.standard(row));
        for ((_, large_row), (_, row)) in scaled.iter().zip(&rows) {
            let off =
                p(&large, large_row).into_iter().zip(p(&small, row)).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f64::max) < 1e-6);
        }
    }

    #[test]
    fn scores_that_tell_all_keep_probabilities_short_of_one_and_none_tell_nothing() {
        let rows: Vec<(usize, Vec<f64>)> =
            (0..40).map(|i| (i % 2, vec![f64::from(i % 2 == 0), f64::from(i % 2 == 1)])).collect();
        let curve = fit(&rows, &[20, 20]);
        let p = curve.logs(&curve.standard(&[1.0, 0.0]))[0].exp();
        assert!((p - 21.0 / 22.0).abs() < 1e-4, "{p}");
        let same: Vec<(usize, Vec<f64>)> = (0..40).map(|i| (i % 2, vec![3.0, 3.0])).collect();
        let curve = fit(&same, &[20, 20]);
        assert!((curve.logs(&curve.standard(&[3.0, 3.0]))[0].exp() - 0.5).abs() < 1e-6);
        // A class without a score is less likely than one with the lowest.
        let curve = fit(&rows, &[20, 20]);
        let p = curve.logs(&curve.standard(&[0.5, f64::NEG_INFINITY]));
        assert!(p[0] > p[1]);
    }

    /// The gradient at the fitted curve is zero (by finite differences), and β is 0 when larger
    /// scores mean less probable classes.
    #[test]
    fn no_slope_is_left_and_misleading_scores_have_no_say() {
        let mut random = Random::new(5, 0);
        for sense in [1.0, -1.0] {
            let rows: Vec<Seen> = (0..90)
                .map(|at| {
                    let class = at % 4;
                    let score = |g| match g == 3 && at % 3 == 0 && class != 3 {
                        true => f64::NAN,
                        false => sense * f64::from(u8::from(g == class)) + random.normal(),
                    };
                    (class, (0..4).map(score).collect())
                })
                .collect();
            let counts = [23, 23, 22, 22];
            let curve = fit(&rows, &counts);
            let aims: Vec<Aim> =
                rows.iter().map(|(class, row)| curve.aim(*class, row, &counts)).collect();
            let slope = |change: &dyn Fn(&mut Curve, f64)| {
                let at = |by: f64| {
                    let mut moved = curve.clone();
                    change(&mut moved, by);
                    moved.loss(&aims)
                };
                (at(1e-5) - at(-1e-5)) / 2e-5
            };
            for g in 0..4 {
                let slope = slope(&|curve, by| curve.offsets[g] += by);
                assert!(slope.abs() < 1e-6, "{slope} {curve:?}");
            }
            let slope = slope(&|curve, by| curve.beta += by);
            match sense > 0.0 {
                true => assert!(slope.abs() < 1e-6 && curve.beta > 0.1, "{slope} {curve:?}"),
                false => assert!(slope > 0.0 && curve.beta == 0.0, "{slope} {curve:?}"),
            }
        }
    }

    struct Impatient;

    impl crate::pool::Watch for Impatient {
        fn advance(&self, _: u64, _: u64) {}

        fn stopped(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_watcher_can_stop_the_curve() {
        let rows: Vec<Seen> = (0..40).map(|i| (i % 2, vec![(i % 5) as f64, 1.0])).collect();
        let run = Run::on(1).watched(&Impatient);
        assert!(matches!(Curve::fit(&rows, &[20, 20], &run), Err(crate::Error::Stopped)));
    }
}
