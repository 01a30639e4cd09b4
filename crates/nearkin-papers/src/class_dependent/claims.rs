//! The claims of the paper, each judged from the splits.

use crate::studies::class_dependence::Outcome as Split;
use nearkin::evaluate::Spread;
use nearkin::stats::{CorrelationP, Tail, corrected_resampled_t, midranks, spearman};

use super::printed::Printed;
use crate::report::{Outcome, Verdict};
use nearkin_cli::failure::Result;

/// The findings of the splits of one data set.
pub struct Seen {
    /// The data set as the paper calls it.
    pub name: String,
    /// Training rows.
    pub train: usize,
    /// Test rows.
    pub test: usize,
    /// The splits.
    pub outcomes: Vec<Split>,
}

/// The difference of cdRelief's accuracy from RELIEF's, in percent, and its two-sided p.
pub struct Gap {
    /// Over splits, each the mean over 1 to m − 1 features.
    pub spread: Spread,
    /// Two-sided; `None` when there is no difference at all, or one split.
    pub p: Option<f64>,
}

/// Our mean less the printed one, over the joint standard error; the paper's is over ten runs.
pub fn z(ours: Spread, (mean, deviation): (f64, f64)) -> f64 {
    const PRINTED_RUNS: f64 = 10.0;
    let error = (ours.error().powi(2) + deviation.powi(2) / PRINTED_RUNS).sqrt();
    (ours.mean - mean) / error.max(f64::MIN_POSITIVE)
}

impl Seen {
    fn each(&self, figure: impl Fn(&Split) -> Option<f64>) -> Vec<f64> {
        self.outcomes.iter().filter_map(figure).map(|share| 100.0 * share).collect()
    }

    /// Accuracy, Corr1, Corr2 and MaxCorr in percent.
    pub fn figures(&self) -> [Option<Spread>; 4] {
        [
            Spread::of(&self.each(|o| Some(o.accuracy))),
            Spread::of(&self.each(|o| o.correlations.first().copied().flatten())),
            Spread::of(&self.each(|o| o.correlations.get(1).copied().flatten())),
            Spread::of(&self.each(|o| o.highest)),
        ]
    }

    /// cdRelief less RELIEF, where curves were drawn.
    pub fn gap(&self) -> Result<Option<Gap>> {
        let differences: Vec<f64> = self
            .outcomes
            .iter()
            .filter(|o| o.relief.len() > 1)
            .map(|o| {
                let fewer = o.relief.len() - 1;
                let pairs = o.class_relief.iter().zip(&o.relief).take(fewer);
                100.0 * pairs.map(|(class, whole)| class - whole).sum::<f64>() / fewer as f64
            })
            .collect();
        let Some(spread) = Spread::of(&differences) else { return Ok(None) };
        let test = corrected_resampled_t(&differences, self.train, self.test, Tail::Both)?;
        Ok(Some(Gap { spread, p: test.map(|test| test.p) }))
    }
}

/// Spearman's ρ of accuracy and MaxCorr over sets, or over all their runs, with p of the right
/// tail by t and, where that is possible, exact; with the accuracy of the top five features
/// if `top`.
pub fn difficulty(
    seen: &[&Seen],
    top: bool,
    every_run: bool,
) -> Result<Option<(f64, f64, Option<f64>)>> {
    let (mut hard, mut agree) = (Vec::new(), Vec::new());
    for set in seen {
        let runs: Vec<(f64, f64)> = set
            .outcomes
            .iter()
            .filter_map(|o| {
                let best = o.relief.get(4.min(o.relief.len().saturating_sub(1))).copied();
                Some((if top { best? } else { o.accuracy }, o.highest?))
            })
            .collect();
        let (accuracy, highest): (Vec<f64>, Vec<f64>) = runs.into_iter().unzip();
        match (every_run, Spread::of(&accuracy), Spread::of(&highest)) {
            (false, Some(accuracy), Some(highest)) => {
                hard.push(accuracy.mean);
                agree.push(highest.mean);
            }
            (true, ..) => {
                hard.extend(accuracy);
                agree.extend(highest);
            }
            _ => {}
        }
    }
    let Some(by_t) = spearman(&hard, &agree, CorrelationP::Student, Tail::Right)? else {
        return Ok(None);
    };
    let exact = match hard.len() <= 9 {
        true => spearman(&hard, &agree, CorrelationP::Exact, Tail::Right)?.and_then(|c| c.p),
        false => None,
    };
    Ok(Some((by_t.r, by_t.p.unwrap_or(1.0), exact)))
}

/// A p-value in words short enough for a table.
pub fn probability(p: f64) -> String {
    if p < 5e-5 { "<0.0001".into() } else { format!("{p:.4}") }
}

/// True when the mean is below zero by more than two standard errors.
fn clearly_below(spread: Spread) -> bool {
    spread.mean < 0.0 && spread.mean < -2.0 * spread.error()
}

/// The verdicts on what was seen by one way; a claim about a set that was not there is not
/// tried.
pub fn verdicts(way: &str, seen: &[Seen]) -> Result<Vec<Verdict>> {
    let named = |name: &str| seen.iter().find(|set| set.name == name);
    let mut all = vec![
        difficulty_claim(seen)?,
        tumor_size(named("B.Cancer")),
        reverse(named("Bupa"))?,
        accordance(named("Breast-W")),
        below(named("B.Cancer"))?,
        equal(named("Breast-W"))?,
    ];
    if !way.is_empty() {
        all.iter_mut().for_each(|verdict| verdict.name += &format!(" ({way})"));
    }
    Ok(all)
}

fn not_tried(name: &str, claim: &'static str) -> Verdict {
    let evidence = "the data set was not there".into();
    Verdict { name: name.into(), claim, outcome: Outcome::NotTried, evidence }
}

/// ρ of the printed table.
pub fn printed_rho(printed: &[Printed]) -> Result<Verdict> {
    let accuracy: Vec<f64> = printed.iter().map(|row| row.accuracy.0).collect();
    let highest: Vec<f64> = printed.iter().map(|row| row.highest.0).collect();
    let found = spearman(&accuracy, &highest, CorrelationP::Student, Tail::Right)?;
    let (rho, p) = found.map_or((0.0, 1.0), |c| (c.r, c.p.unwrap_or(1.0)));
    Ok(Verdict {
        name: "table 2".into(),
        claim: "Spearman's rho of the printed accuracy and MaxCorr is 0.5952 with p 0.06",
        outcome: Outcome::of((rho - 0.5952).abs() < 5e-5 && (p - 0.06).abs() < 5e-3, false),
        evidence: format!("{rho:.4}, p {p:.4} by t, right tail"),
    })
}

fn difficulty_claim(seen: &[Seen]) -> Result<Verdict> {
    let (name, claim) = (
        "difficulty",
        "A high correlation of one class's weights with the whole's goes with an easier problem",
    );
    let all: Vec<&Seen> = seen.iter().collect();
    let (means, runs) = (difficulty(&all, false, false)?, difficulty(&all, false, true)?);
    let (Some((rho, by_t, exact)), Some((every, every_p, _))) = (means, runs) else {
        return Ok(not_tried(name, claim));
    };
    let p = exact.unwrap_or(by_t);
    Ok(Verdict {
        name: name.into(),
        claim,
        outcome: Outcome::of(rho > 0.0 && p <= 0.1, every > 0.0 && every_p <= 0.05),
        evidence: format!(
            "over {} sets rho {rho:.4} (p {}); over all runs {every:.4} (p {}, runs of one set are \
             no independent points)",
            seen.len(),
            probability(p),
            probability(every_p)
        ),
    })
}

/// The weights of `feature` for both classes, and its rank for the second, in each split.
fn class_weights(set: &Seen, feature: &str) -> Vec<(f64, f64, usize)> {
    let each = set.outcomes.iter().filter_map(|o| {
        let at = o.weights.features.iter().position(|name| name == feature)?;
        let rank = o.weights.class_ranking(1).iter().find(|one| one.index == at)?.rank;
        Some((o.weights.class_weights[0][at], o.weights.class_weights[1][at], rank))
    });
    each.collect()
}

fn tumor_size(set: Option<&Seen>) -> Verdict {
    let (name, claim) = (
        "tumor-size",
        "On B.Cancer tumor-size is relevant for recurrence (class 2) and not for non-recurrence",
    );
    let found = set.map(|set| class_weights(set, "tumor-size")).unwrap_or_default();
    if found.is_empty() {
        return not_tried(name, claim);
    }
    let n = found.len();
    let so = found.iter().filter(|(first, second, _)| *second > 0.0 && *first <= 0.0).count();
    let mean = |pick: fn(&(f64, f64, usize)) -> f64| found.iter().map(pick).sum::<f64>() / n as f64;
    let (first, second) = (mean(|w| w.0), mean(|w| w.1));
    Verdict {
        name: name.into(),
        claim,
        outcome: Outcome::of(10 * so >= 9 * n, second > 0.0 && second > first),
        evidence: format!(
            "so in {so} of {n} splits; mean weight {second:+.2} for recurrence (mean rank {:.1}) and \
             {first:+.2} for non-recurrence",
            mean(|w| w.2 as f64)
        ),
    }
}

fn reverse(set: Option<&Seen>) -> Result<Verdict> {
    let (name, claim) =
        ("Bupa", "On Bupa the rankings by the two classes' weights are the reverse of each other");
    let mut all = Vec::new();
    for split in set.map_or(&[][..], |set| &set.outcomes) {
        let [first, second] = [0, 1].map(|class| midranks(&split.weights.class_weights[class]));
        let found = spearman(&first, &second, CorrelationP::Student, Tail::Both)?;
        all.extend(found.map(|c| c.r));
    }
    let Some(spread) = Spread::of(&all) else { return Ok(not_tried(name, claim)) };
    Ok(Verdict {
        name: name.into(),
        claim,
        outcome: Outcome::of(spread.mean <= -0.5, clearly_below(spread)),
        evidence: format!(
            "Spearman's rho of the two weight vectors: mean {:+.3} (deviation {:.3}), below -0.5 in \
             {} of {} splits",
            spread.mean,
            spread.deviation,
            all.iter().filter(|rho| **rho <= -0.5).count(),
            all.len()
        ),
    })
}

fn accordance(set: Option<&Seen>) -> Verdict {
    let (name, claim) =
        ("Breast-W", "On Breast-W the weights of class 2 are in strong accordance with RELIEF's");
    let Some([_, Some(first), Some(second), _]) = set.map(Seen::figures) else {
        return not_tried(name, claim);
    };
    Verdict {
        name: name.into(),
        claim,
        outcome: Outcome::of(
            second.mean >= 90.0 && second.mean > first.mean,
            second.mean > first.mean,
        ),
        evidence: format!(
            "correlation {:.2} % (deviation {:.2}), of class 1 {:.2} %; printed 97.91 and 21.93",
            second.mean, second.deviation, first.mean
        ),
    }
}

fn gap_told(gap: &Gap) -> String {
    let p = gap.p.map_or("no difference to test".into(), |p| format!("two-sided p {p:.3}"));
    format!(
        "cdRelief - RELIEF {:+.2} points (deviation {:.2}), {p}",
        gap.spread.mean, gap.spread.deviation
    )
}

/// The largest difference that still counts as none, in points.
const SAME: f64 = 1.0;

fn below(set: Option<&Seen>) -> Result<Verdict> {
    let (name, claim) = (
        "cdRelief on B.Cancer",
        "On B.Cancer accuracy falls when features are ranked by one class only",
    );
    let Some(gap) = set.map(Seen::gap).transpose()?.flatten() else {
        return Ok(not_tried(name, claim));
    };
    let falls = clearly_below(gap.spread);
    Ok(Verdict {
        name: name.into(),
        claim,
        outcome: Outcome::of(falls && gap.p.is_some_and(|p| p <= 0.1), falls),
        evidence: gap_told(&gap),
    })
}

fn equal(set: Option<&Seen>) -> Result<Verdict> {
    let (name, claim) = (
        "cdRelief on Breast-W",
        "On Breast-W accuracy stays when features are ranked by one class only",
    );
    let Some(gap) = set.map(Seen::gap).transpose()?.flatten() else {
        return Ok(not_tried(name, claim));
    };
    let small = gap.spread.mean.abs() <= SAME;
    Ok(Verdict {
        name: name.into(),
        claim,
        outcome: Outcome::of(small && gap.p.is_none_or(|p| p > 0.1), small),
        evidence: gap_told(&gap),
    })
}

#[cfg(test)]
mod tests {
    use super::super::printed;
    use super::*;
    use nearkin::weigh::FeatureWeights;

    /// A split of two features and two classes.
    fn split(first: [f64; 3], second: [f64; 3], relief: f64, class_relief: f64) -> Split {
        let weights = FeatureWeights {
            features: ["age", "tumor-size", "other"].map(String::from).to_vec(),
            weights: first.iter().zip(second).map(|(a, b)| a + b).collect(),
            classes: vec!["1".into(), "2".into()],
            class_weights: vec![first.to_vec(), second.to_vec()],
            ..FeatureWeights::default()
        };
        Split {
            accuracy: 0.8,
            correlations: vec![Some(0.1), Some(0.95)],
            highest: Some(0.95),
            most_varied: 1,
            relief: vec![relief, relief, 0.8],
            class_relief: vec![class_relief, class_relief, 0.8],
            weights,
        }
    }

    fn seen(name: &str, outcomes: Vec<Split>) -> Seen {
        Seen { name: name.into(), train: 80, test: 20, outcomes }
    }

    fn outcome(verdicts: &[Verdict], name: &str) -> Outcome {
        verdicts.iter().find(|v| v.name == name).unwrap().outcome
    }

    #[test]
    fn rho_of_the_printed_table_is_exact() {
        let printed = printed::table().unwrap();
        let of = |figure: fn(&Printed) -> f64| printed.iter().map(figure).collect::<Vec<f64>>();
        let (accuracy, highest) = (of(|row| row.accuracy.0), of(|row| row.highest.0));
        let rho = |method, tail| spearman(&accuracy, &highest, method, tail).unwrap().unwrap();
        let by_t = rho(CorrelationP::Student, Tail::Right);
        assert!((by_t.r - 25.0 / 42.0).abs() < 1e-12, "0.595238...");
        assert!((by_t.p.unwrap() - 0.0598).abs() < 5e-5);
        assert!((rho(CorrelationP::Exact, Tail::Right).p.unwrap() - 0.0661).abs() < 5e-5);
        assert_eq!(printed_rho(&printed).unwrap().outcome, Outcome::Held);
    }

    #[test]
    fn without_data_nothing_is_judged() {
        let found = verdicts("", &[]).unwrap();
        assert_eq!(found.len(), 6);
        assert!(found.iter().all(|v| v.outcome == Outcome::NotTried));
    }

    #[test]
    fn splits_as_the_paper_tells_them_hold() {
        let (first, second) = ([0.3, -0.2, 0.1], [-0.1, 0.4, 0.2]);
        let lower = |i: u32| split(first, second, 0.75, 0.70 + 0.002 * f64::from(i));
        let same = |i: u32| split(first, second, 0.75, 0.75 + 0.001 * (f64::from(i) - 4.5));
        let sets = [
            seen("B.Cancer", (0..10).map(lower).collect()),
            seen("Breast-W", (0..10).map(same).collect()),
            seen("Bupa", vec![split([3.0, 2.0, 1.0], [1.0, 2.0, 3.0], 0.6, 0.6)]),
        ];
        let found = verdicts("", &sets).unwrap();
        for name in
            ["tumor-size", "Bupa", "Breast-W", "cdRelief on B.Cancer", "cdRelief on Breast-W"]
        {
            assert_eq!(outcome(&found, name), Outcome::Held, "{name}");
        }
    }

    #[test]
    fn the_contrary_does_not_hold() {
        let higher = |i: u32| split([0.2; 3], [-0.1; 3], 0.60, 0.75 + 0.001 * f64::from(i));
        let sets = [
            seen("B.Cancer", (0..4).map(higher).collect()),
            seen("Breast-W", (0..4).map(higher).collect()),
            seen("Bupa", vec![split([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 0.6, 0.6)]),
        ];
        let found = verdicts("", &sets).unwrap();
        for name in ["tumor-size", "Bupa", "cdRelief on B.Cancer", "cdRelief on Breast-W"] {
            assert_eq!(outcome(&found, name), Outcome::NotHeld, "{name}");
        }
    }

    #[test]
    fn z_is_in_joint_standard_errors() {
        let ours = Spread { mean: 72.0, deviation: 3.0, count: 9 };
        let expected = 2.0 / (1.0f64 + 0.4).sqrt();
        assert!((z(ours, (70.0, 2.0)) - expected).abs() < 1e-12);
    }
}
