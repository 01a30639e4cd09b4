//! Probabilities for rules that compare scores: centroids, prototypes, machines.
//!
//! ```text
//! P(g | x) ∝ P(g)/share_g · exp(β·score_g(x) + b_g),   β ≥ 0
//! ```
//!
//! β and b make the classes of the training samples likeliest, each sample scored by the rule that
//! was fitted on the other four of five folds. A class weighs 1/(n + G) of a sample where it is not
//! the sample's own, so that β stays finite where scores tell the classes apart without fault. With
//! share_g the share of class g in training, priors other than the shares move probabilities as
//! they should. A class without a score is taken to have the lowest that was seen.
//!
//! The class said stays the rule's own; where costs are given it is the one of least expected cost.
//!
//! Cost: five fits more, and n·G² a round of steps, up to 200 of them.
//!
//! Reference: J. C. Platt, *Probabilistic outputs for support vector machines*, in: Advances in
//! Large Margin Classifiers, 2000, for two classes.

use super::common::Priors;
use super::medoids::folds;
use super::predictions::{Costs, Predictions, decide, log_sum_exp};
use super::{Asked, Fitted};
use crate::data::{Classes, Parts, SimilarityMatrix, wrong_part};
use crate::neighbors::Ranked;
use crate::{Error, Result, Run, parameters};

parameters! {
    /// What a rule of scores gives beside classes.
    pub struct Scored {
        /// Give probabilities too, fitted to the scores of training samples in five folds. The
        /// class said stays that of the rule.
        probabilities: bool = false;
        /// C(f, g), the cost of saying f when g is true: the row of the first class said, then
        /// of the next. Probabilities are then given, and what costs least to expect is said.
        costs: Option<Vec<f64>> = None;
    }
}

/// Which columns the rule fitted on some rows has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// Those of the same rows, and columns of other references.
    Own,
    /// All: samples are described by them, and need not be among the rows.
    All,
}

/// How scores become probabilities.
#[derive(Debug, Clone, PartialEq)]
struct Curve {
    /// The mean and the deviation of scores, and the lowest after both are taken out.
    centre: f64,
    unit: f64,
    floor: f64,
    /// β of scores in these units.
    beta: f64,
    /// b_g, with the logarithm of prior over share.
    offsets: Vec<f64>,
}

/// Rounds of steps at most, and the step that ends them.
const ROUNDS: usize = 200;
const SMALL: f64 = 1e-7;

impl Curve {
    /// Fitted to scores, a row a sample with its class.
    fn fit(rows: &[(usize, Vec<f64>)], counts: &[usize]) -> Self {
        let width = counts.len();
        let seen: Vec<f64> = rows
            .iter()
            .flat_map(|(_, row)| row.iter().copied())
            .filter(|x| x.is_finite())
            .collect();
        let most = seen.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let mut curve =
            Self { centre: 0.0, unit: 1.0, floor: 0.0, beta: 0.0, offsets: vec![0.0; width] };
        if seen.is_empty() {
            return curve;
        }
        // Scores that are all 0 tell nothing, and the offsets alone are fitted.
        let most = if most > 0.0 { most } else { 1.0 };
        let n = seen.len() as f64;
        // Scores over the largest, so that squares of large ones stay finite.
        let mean = seen.iter().map(|x| x / most).sum::<f64>() / n;
        let spread = (seen.iter().map(|x| (x / most - mean).powi(2)).sum::<f64>() / n).sqrt();
        if spread > 1e-12 {
            (curve.centre, curve.unit) = (mean * most, spread * most);
        }
        let lowest = seen.iter().copied().fold(f64::INFINITY, f64::min);
        curve.floor = curve.standard(&[lowest])[0];
        let rows: Vec<(usize, Vec<f64>)> =
            rows.iter().map(|(class, row)| (*class, curve.standard(row))).collect();
        for _ in 0..ROUNDS {
            let mut moved = 0.0f64;
            for coordinate in 0..=width {
                // A step of Newton's for one number, the others as they are.
                let (mut slope, mut bend) = (0.0, 1e-9);
                for (class, z) in &rows {
                    let p: Vec<f64> = curve.logs(z).iter().map(|log| log.exp()).collect();
                    let all = (counts[*class] + width) as f64;
                    let wanted =
                        |g: usize| (1.0 + f64::from(g == *class) * (all - width as f64)) / all;
                    if coordinate < width {
                        slope += p[coordinate] - wanted(coordinate);
                        bend += p[coordinate] * (1.0 - p[coordinate]);
                    } else {
                        let mean: f64 = p.iter().zip(z).map(|(p, z)| p * z).sum();
                        slope += (0..width).map(|g| (p[g] - wanted(g)) * z[g]).sum::<f64>();
                        bend += p.iter().zip(z).map(|(p, z)| p * (z - mean).powi(2)).sum::<f64>();
                    }
                }
                let step = (-slope / bend).clamp(-1.0, 1.0);
                let step = match coordinate < width {
                    true => {
                        curve.offsets[coordinate] += step;
                        step
                    }
                    false => {
                        let before = curve.beta;
                        curve.beta = (before + step).max(0.0);
                        curve.beta - before
                    }
                };
                moved = moved.max(step.abs());
            }
            if moved < SMALL {
                break;
            }
        }
        curve
    }

    /// Scores in the units of the curve.
    fn standard(&self, scores: &[f64]) -> Vec<f64> {
        let one = |&score: &f64| match score.is_finite() {
            // Beyond any score that was seen, and far from where doubles end.
            true => ((score - self.centre) / self.unit).clamp(-1e100, 1e100),
            false => self.floor,
        };
        scores.iter().map(one).collect()
    }

    /// log P(g | x) of standard scores.
    fn logs(&self, z: &[f64]) -> Vec<f64> {
        let logs: Vec<f64> = z.iter().zip(&self.offsets).map(|(z, b)| self.beta * z + b).collect();
        let total = log_sum_exp(&logs);
        logs.iter().map(|log| log - total).collect()
    }
}

/// A rule of scores with its probabilities.
#[derive(Debug)]
struct Probable {
    rule: Box<dyn Fitted>,
    names: Vec<String>,
    curve: Curve,
    costs: Option<Costs>,
    /// Samples whose scores the curve was fitted to.
    seen: usize,
}

impl Scored {
    fn wanted(&self) -> bool {
        self.probabilities || self.costs.is_some()
    }

    fn costs(&self, names: &[String]) -> Result<Option<Costs>> {
        Costs::new(self.costs.as_deref(), names)
    }

    /// The rule that `fit` makes, with probabilities where they are wanted.
    pub(crate) fn fit(
        &self,
        priors: &Priors,
        (s, classes): (&SimilarityMatrix, &Classes),
        keeps: Keeps,
        run: &Run,
        fit: impl Fn(&SimilarityMatrix, &Classes) -> Result<Box<dyn Fitted>>,
    ) -> Result<Box<dyn Fitted>> {
        let rule = fit(s, classes)?;
        let priors = priors.of(classes)?;
        if !self.wanted() {
            return Ok(rule);
        }
        let costs = self.costs(classes.names())?;
        let (n, folds) = (classes.codes().len(), folds(classes, 0));
        let mut rows = Vec::new();
        for fold in 0..5 {
            let (rest, held): (Vec<usize>, Vec<usize>) =
                (0..n).partition(|&row| folds[row] != fold);
            let codes: Vec<u32> = rest.iter().map(|&row| classes.codes()[row]).collect();
            let there = |class: u32| codes.contains(&class);
            if held.is_empty() || !(0..classes.len() as u32).all(there) {
                continue;
            }
            let part = Classes::new(codes, classes.names().to_vec())?;
            let columns: Vec<usize> = match keeps {
                Keeps::Own => rest.iter().copied().chain(n..s.columns()).collect(),
                Keeps::All => (0..s.columns()).collect(),
            };
            let said = fit(&s.select(&rest, &columns), &part)
                .and_then(|rule| rule.predict_with(&s.select(&held, &columns), run));
            let said = match said {
                Err(Error::Stopped) => return Err(Error::Stopped),
                // What can be fitted to all samples need not be to four fifths of them.
                Err(_) => continue,
                Ok(said) => said,
            };
            let of = |(at, &row): (usize, &usize)| {
                (classes.codes()[row] as usize, said.scores_of(at).to_vec())
            };
            rows.extend(held.iter().enumerate().map(of));
        }
        let mut curve = Curve::fit(&rows, classes.counts());
        let moved = priors.into_iter().zip(classes.priors());
        curve.offsets.iter_mut().zip(moved).for_each(|(b, (prior, share))| {
            // Without a single score the priors are all there is to go by.
            *b += if rows.is_empty() { prior.ln() } else { (prior / share).ln() };
        });
        let names = classes.names().to_vec();
        Ok(Box::new(Probable { rule, names, curve, costs, seen: rows.len() }))
    }

    /// What `restore` puts together, with its probabilities.
    pub(crate) fn restore(
        &self,
        parts: &Parts,
        restore: impl Fn(&Parts) -> Result<Box<dyn Fitted>>,
    ) -> Result<Box<dyn Fitted>> {
        if !self.wanted() {
            return restore(parts);
        }
        let names = parts.texts("classes")?.to_vec();
        let &[centre, unit, floor, beta] = parts.exactly("curve", 4)? else {
            return Err(wrong_part("curve", "has another length"));
        };
        let offsets = parts.exactly("offsets", names.len())?.to_vec();
        Ok(Box::new(Probable {
            rule: restore(&parts.within("rule"))?,
            costs: self.costs(&names)?,
            names,
            curve: Curve { centre, unit, floor, beta, offsets },
            seen: parts.code("seen")?,
        }))
    }

    /// True where the rule needs the training matrix although it does not itself.
    pub(crate) fn needs_matrix(&self) -> bool {
        self.wanted()
    }
}

impl Probable {
    /// What the rule said, with probabilities and, where there are costs, decided by them.
    fn told(&self, said: Predictions) -> Predictions {
        let logs: Vec<f64> = (0..said.len())
            .flat_map(|row| self.curve.logs(&self.curve.standard(said.scores_of(row))))
            .collect();
        let class = match &self.costs {
            None => said.class,
            costs => {
                let rows = logs.chunks_exact(self.names.len().max(1));
                rows.map(|row| decide(row, costs.as_ref()) as u32).collect()
            }
        };
        Predictions { class, log_posteriors: Some(logs), ..said }
    }
}

impl Fitted for Probable {
    fn predict_with(&self, queries: &SimilarityMatrix, run: &Run) -> Result<Predictions> {
        Ok(self.told(self.rule.predict_with(queries, run)?))
    }

    fn parts(&self) -> Parts {
        let Curve { centre, unit, floor, beta, offsets } = &self.curve;
        Parts::new()
            .with("rule", self.rule.parts())
            .with_texts("classes", self.names.clone())
            .with_numbers("curve", vec![*centre, *unit, *floor, *beta])
            .with_numbers("offsets", offsets.clone())
            .with_codes("seen", vec![self.seen as u32])
    }

    fn asks(&self) -> Option<Asked<'_>> {
        self.rule.asks()
    }

    fn predict_neighbours(&self, near: &[Vec<Vec<Ranked>>]) -> Result<Predictions> {
        Ok(self.told(self.rule.predict_neighbours(near)?))
    }

    fn prototypes(&self) -> Vec<Vec<usize>> {
        self.rule.prototypes()
    }

    fn k(&self) -> Option<usize> {
        self.rule.k()
    }

    fn alpha(&self) -> Option<f64> {
        self.rule.alpha()
    }

    fn rounds(&self) -> Option<usize> {
        self.rule.rounds()
    }

    fn chosen(&self) -> Vec<(&'static str, f64)> {
        self.rule.chosen()
    }

    fn notes(&self) -> Vec<String> {
        let none = (self.seen == 0).then(|| {
            "no fold leaves samples of every class that the rule can be fitted to, so \
             probabilities are the priors; drop classes of a single sample"
                .to_owned()
        });
        self.rule.notes().into_iter().chain(none).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn scores_that_tell_nothing_leave_the_shares_and_huge_ones_are_numbers() {
        let rows: Vec<(usize, Vec<f64>)> =
            (0..100).map(|at| (usize::from(at >= 90), vec![0.0, 0.0])).collect();
        let curve = Curve::fit(&rows, &[90, 10]);
        let shares = curve.logs(&curve.standard(&[0.0, 0.0]));
        assert!((shares[0].exp() - 0.9).abs() < 0.02, "{shares:?}");
        let rows: Vec<(usize, Vec<f64>)> =
            (0..20).map(|at| (at % 2, vec![1e-300 * (at % 2) as f64, 0.0])).collect();
        let curve = Curve::fit(&rows, &[10, 10]);
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
        let curve = Curve::fit(&rows, &counts);
        assert!((curve.beta / curve.unit - 0.8).abs() < 0.03, "{curve:?}");
        let b = &curve.offsets;
        assert!((b[1] - b[0] - 0.7).abs() < 0.06 && (b[2] - b[0] + 0.4).abs() < 0.06, "{curve:?}");
        // In other units the same probabilities.
        let scaled: Vec<(usize, Vec<f64>)> = rows[..200]
            .iter()
            .map(|(c, row)| (*c, row.iter().map(|x| x * 1e200).collect()))
            .collect();
        let (large, small) = (Curve::fit(&scaled, &counts), Curve::fit(&rows[..200], &counts));
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
        let curve = Curve::fit(&rows, &[20, 20]);
        let p = curve.logs(&curve.standard(&[1.0, 0.0]))[0].exp();
        assert!((p - 21.0 / 22.0).abs() < 1e-4, "{p}");
        let same: Vec<(usize, Vec<f64>)> = (0..40).map(|i| (i % 2, vec![3.0, 3.0])).collect();
        let curve = Curve::fit(&same, &[20, 20]);
        assert!((curve.logs(&curve.standard(&[3.0, 3.0]))[0].exp() - 0.5).abs() < 1e-6);
        // A class without a score is less likely than one with the lowest.
        let curve = Curve::fit(&rows, &[20, 20]);
        let p = curve.logs(&curve.standard(&[0.5, f64::NEG_INFINITY]));
        assert!(p[0] > p[1]);
    }
}
