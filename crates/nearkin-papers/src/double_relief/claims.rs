//! The claims of the paper, each judged from paired differences.
//!
//! A difference is *clear* when its mean is more than two standard errors from zero.

use nearkin::evaluate::Spread;

use crate::report::{Outcome, Verdict};

/// The algorithms' names in the order of every score.
pub const ALGORITHMS: [&str; 3] = ["relieff", "pdrelieff", "drelieff"];
/// ReliefF.
pub const RELIEF: usize = 0;
/// pdReliefF.
pub const PD: usize = 1;
/// dReliefF.
pub const D: usize = 2;

/// Scores of the algorithms on the tables of one number of relevant features.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// Number of relevant features.
    pub relevant: usize,
    /// Separability by algorithm, a value a table.
    pub separability: [Vec<f64>; 3],
    /// Usability by algorithm.
    pub usability: [Vec<f64>; 3],
    /// AUC by algorithm.
    pub auc: [Vec<f64>; 3],
}

/// Everything found on one problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// The problem.
    pub name: &'static str,
    /// Whether its features are numbers.
    pub numeric: bool,
    /// Its cells by number of relevant features.
    pub cells: Vec<Cell>,
}

/// Separability of dReliefF less that of ReliefF on random RBF with many features and few
/// rows: with clipped weights, and with negative weights left in the distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WideRbf {
    /// Weights clipped at zero.
    pub clipped: Spread,
    /// Negative weights left in.
    pub raw: Spread,
}

/// How much separability varies with the order of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderSpread {
    /// The problem.
    pub name: &'static str,
    /// Standard deviation over orders, averaged over tables, of pdReliefF.
    pub progressive: f64,
    /// The same of dReliefF.
    pub double: f64,
}

/// The mean of values; 0 when there are none.
pub fn mean(values: &[f64]) -> f64 {
    Spread::of(values).map_or(0.0, |spread| spread.mean)
}

const NONE: Spread = Spread { mean: 0.0, deviation: 0.0, count: 1 };

impl Findings {
    fn all(&self, algorithm: usize) -> Vec<f64> {
        self.cells.iter().flat_map(|cell| cell.separability[algorithm].iter().copied()).collect()
    }

    /// Number of tables.
    pub fn tables(&self) -> usize {
        self.all(RELIEF).len()
    }

    /// Mean separability of an algorithm over all tables.
    pub fn mean(&self, algorithm: usize) -> f64 {
        mean(&self.all(algorithm))
    }

    /// Mean AUC of an algorithm over all tables.
    pub fn auc(&self, algorithm: usize) -> f64 {
        let all = self.cells.iter().flat_map(|cell| cell.auc[algorithm].iter().copied());
        mean(&all.collect::<Vec<_>>())
    }

    /// Paired differences in separability of two algorithms, first minus second.
    pub fn difference(&self, first: usize, second: usize) -> Spread {
        Spread::of_differences(&self.all(first), &self.all(second)).unwrap_or(NONE)
    }

    /// The mean difference over the cells of few relevant features, and over those of many.
    fn halves(&self, first: usize, second: usize) -> (f64, f64) {
        let difference =
            |cell: &Cell| mean(&cell.separability[first]) - mean(&cell.separability[second]);
        let (few, many) = self.cells.split_at(self.cells.len().div_ceil(2));
        let of = |cells: &[Cell]| mean(&cells.iter().map(difference).collect::<Vec<_>>());
        (of(few), of(many))
    }
}

fn clearly_above(spread: Spread) -> bool {
    spread.mean > 2.0 * spread.error() && spread.mean > 0.0
}

fn clearly_below(spread: Spread) -> bool {
    spread.mean < -2.0 * spread.error() && spread.mean < 0.0
}

fn told(spread: Spread) -> String {
    format!("{:+.4} (s.e. {:.4})", spread.mean, spread.error())
}

/// All verdicts, C1 to C7; those whose study was not run are not tried.
pub fn verdicts(found: &[Findings], rbf: Option<WideRbf>, orders: &[OrderSpread]) -> Vec<Verdict> {
    let on_problems = [
        none_clearly_better(found),
        worse_on_rbf(found, rbf),
        worse_but_on_majority(found),
        numeric_problems(found),
        categorical_problems(found),
        in_the_middle(found),
    ];
    let tried = |verdict: Verdict, run: bool| match run {
        true => verdict,
        false => Verdict {
            outcome: Outcome::NotTried,
            evidence: "the table that shows it was not asked for".into(),
            ..verdict
        },
    };
    on_problems
        .into_iter()
        .map(|verdict| tried(verdict, !found.is_empty()))
        .chain([tried(early_weights(orders), !orders.is_empty())])
        .collect()
}

/// An algorithm is better than another when it is clearly so on a problem and clearly worse
/// on none.
fn none_clearly_better(found: &[Findings]) -> Verdict {
    let pairs = [(RELIEF, PD), (RELIEF, D), (PD, RELIEF), (PD, D), (D, RELIEF), (D, PD)];
    let mut better = Vec::new();
    let mut counts = Vec::new();
    for (a, b) in pairs {
        let count = |judge: fn(Spread) -> bool| {
            found.iter().filter(|one| judge(one.difference(a, b))).count()
        };
        let (above, below) = (count(clearly_above), count(clearly_below));
        if above > 0 && below == 0 {
            better.push((a, b));
        }
        if a < b {
            let names = format!("{} against {}", ALGORITHMS[a], ALGORITHMS[b]);
            counts.push(format!("{names}: clearly better on {above}, clearly worse on {below}"));
        }
    }
    let beats_both = (0..3).any(|a| better.iter().filter(|(x, _)| *x == a).count() == 2);
    let mut evidence = format!("of {} problems, {}", found.len(), counts.join("; "));
    for (a, b) in &better {
        evidence += &format!("; {} is never clearly worse than {}", ALGORITHMS[*a], ALGORITHMS[*b]);
    }
    Verdict {
        name: "C1".into(),
        claim: "None of the three algorithms is clearly better than another over all problems",
        outcome: Outcome::of(better.is_empty(), !beats_both),
        evidence,
    }
}

fn worse_on_rbf(found: &[Findings], wide: Option<WideRbf>) -> Verdict {
    let rbf: Vec<&Findings> = found.iter().filter(|one| one.name.starts_with("RBF")).collect();
    let below = |one: &&Findings| clearly_below(one.difference(D, RELIEF));
    let all = !rbf.is_empty() && rbf.iter().all(below);
    let wide_below = wide.is_some_and(|w| clearly_below(w.clipped) || clearly_below(w.raw));
    let mut parts: Vec<String> = rbf
        .iter()
        .map(|one| format!("{}: dReliefF - ReliefF {}", one.name, told(one.difference(D, RELIEF))))
        .collect();
    if let Some(wide) = wide {
        parts.push(format!(
            "with many features and few rows (100 rows, 12 relevant features or more): {} clipped, {} \
             with negative weights left in the distance",
            told(wide.clipped),
            told(wide.raw)
        ));
    }
    Verdict {
        name: "C2".into(),
        claim: "dReliefF is clearly worse on random RBF",
        outcome: Outcome::of(all, rbf.iter().any(below) || wide_below),
        evidence: parts.join("; "),
    }
}

fn worse_but_on_majority(found: &[Findings]) -> Verdict {
    let others: Vec<&Findings> = found.iter().filter(|one| one.name != "majority").collect();
    let lowest = |one: &&&Findings| one.mean(D) < one.mean(RELIEF) && one.mean(D) < one.mean(PD);
    let worse: Vec<&str> = others.iter().filter(lowest).map(|one| one.name).collect();
    let majority = found.iter().find(|one| one.name == "majority");
    let on_majority = majority
        .map_or(String::new(), |one| format!("; on majority {}", told(one.difference(D, RELIEF))));
    Verdict {
        name: "C3".into(),
        claim: "Except on majority dReliefF is always worse than the other two",
        outcome: Outcome::of(!others.is_empty() && worse.len() == others.len(), !worse.is_empty()),
        evidence: format!(
            "lowest mean separability on {} of {} other problems ({}){on_majority}",
            worse.len(),
            others.len(),
            list(&worse)
        ),
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// The verdict of a claim about problems of one kind.
fn by_problem(
    name: &str,
    claim: &'static str,
    of_kind: &[&Findings],
    holds: impl Fn(&Findings) -> bool,
) -> Verdict {
    let held: Vec<&str> = of_kind.iter().filter(|one| holds(one)).map(|one| one.name).collect();
    let told: Vec<String> = of_kind
        .iter()
        .map(|one| {
            let (few, many) = one.halves(D, RELIEF);
            format!(
                "{} d-Rel {}, pd-Rel {:+.4} (d-Rel with fewer features {few:+.4}, with more {many:+.4})",
                one.name,
                told(one.difference(D, RELIEF)),
                one.difference(PD, RELIEF).mean
            )
        })
        .collect();
    Verdict {
        name: name.into(),
        claim,
        outcome: Outcome::of(!of_kind.is_empty() && held.len() == of_kind.len(), !held.is_empty()),
        evidence: format!(
            "on {} of {} ({}): {}",
            held.len(),
            of_kind.len(),
            list(&held),
            told.join("; ")
        ),
    }
}

fn numeric_problems(found: &[Findings]) -> Verdict {
    let numeric: Vec<&Findings> = found.iter().filter(|one| one.numeric).collect();
    let claim =
        "On numeric problems dReliefF loses most, ReliefF is best and pdReliefF close to it";
    by_problem("C4", claim, &numeric, |one| {
        clearly_below(one.difference(D, RELIEF))
            && one.mean(RELIEF) >= one.mean(PD)
            && one.mean(PD) >= one.mean(D)
    })
}

fn categorical_problems(found: &[Findings]) -> Verdict {
    let categorical: Vec<&Findings> = found.iter().filter(|one| !one.numeric).collect();
    let claim = "On categorical problems it is the contrary: dReliefF loses least, then pdReliefF";
    by_problem("C5", claim, &categorical, |one| {
        clearly_above(one.difference(D, RELIEF)) && one.mean(PD) >= one.mean(RELIEF)
    })
}

/// Held when nine of ten cells have pdReliefF between the others, partly when on no problem
/// it is below both.
fn in_the_middle(found: &[Findings]) -> Verdict {
    const SAME: f64 = 1e-9;
    let (mut cells, mut between, mut above) = (0, 0, 0);
    for cell in found.iter().flat_map(|one| &one.cells) {
        let [relief, pd, d] = [RELIEF, PD, D].map(|a| mean(&cell.separability[a]));
        cells += 1;
        between += usize::from(pd >= relief.min(d) - SAME && pd <= relief.max(d) + SAME);
        above += usize::from(pd > relief.max(d) + SAME);
    }
    let worst = |one: &&Findings| one.mean(PD) < one.mean(RELIEF).min(one.mean(D)) - SAME;
    let below: Vec<&str> = found.iter().filter(worst).map(|one| one.name).collect();
    let behind = |one: &Findings| (one.mean(RELIEF).max(one.mean(D)) - one.mean(PD)).max(0.0);
    let farthest = found.iter().max_by(|a, b| behind(a).total_cmp(&behind(b)));
    let farthest = farthest.map_or(String::new(), |one| {
        format!("; farthest behind the best by {:.4}, on {}", behind(one), one.name)
    });
    Verdict {
        name: "C6".into(),
        claim: "pdReliefF is always in the middle and close to the better of the others",
        outcome: Outcome::of(cells > 0 && 10 * between >= 9 * cells, below.is_empty()),
        evidence: format!(
            "{between} of {cells} cell means lie between the others', {above} above both, {} below \
             both; problems where it is below both: {}{farthest}",
            cells - between - above,
            list(&below)
        ),
    }
}

fn early_weights(orders: &[OrderSpread]) -> Verdict {
    let more = orders.iter().filter(|one| one.double > one.progressive).count();
    let told: Vec<String> = orders
        .iter()
        .map(|one| format!("{} {:.4} against {:.4}", one.name, one.double, one.progressive))
        .collect();
    Verdict {
        name: "C7".into(),
        claim: "The cause: weights from the first rows mislead dReliefF, which therefore depends \
                on the order of rows, and pdReliefF less",
        outcome: Outcome::of(!orders.is_empty() && more == orders.len(), more > 0),
        evidence: format!(
            "standard deviation of separability over orders, dReliefF against pdReliefF (ReliefF \
             0), larger on {more} of {}: {}",
            orders.len(),
            told.join("; ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A problem whose tables have these mean separabilities, with a little spread.
    fn problem(name: &'static str, numeric: bool, means: [f64; 3]) -> Findings {
        let values = |mean: f64| (0..8).map(|i| mean + 0.001 * f64::from(i % 2)).collect();
        // Differences must vary, or their error is zero.
        let mut separability: [Vec<f64>; 3] = means.map(values);
        separability[D]
            .iter_mut()
            .enumerate()
            .for_each(|(i, s)| *s += 0.002 * (i % 3) as f64 - 0.002);
        let cell = Cell { relevant: 1, separability, ..Cell::default() };
        Findings { name, numeric, cells: vec![cell.clone(), Cell { relevant: 2, ..cell }] }
    }

    fn as_claimed() -> Vec<Findings> {
        vec![
            problem("rules (num)", true, [0.30, 0.28, 0.20]),
            problem("RBF 50", true, [0.30, 0.28, 0.20]),
            problem("majority", false, [0.30, 0.33, 0.40]),
        ]
    }

    fn outcome(verdicts: &[Verdict], name: &str) -> Outcome {
        verdicts.iter().find(|v| v.name == name).unwrap().outcome
    }

    #[test]
    fn findings_as_the_paper_tells_them_hold() {
        let orders = [OrderSpread { name: "parity", progressive: 0.01, double: 0.1 }];
        let found = verdicts(&as_claimed(), None, &orders);
        assert_eq!(found.len(), 7);
        for verdict in found {
            assert_eq!(verdict.outcome, Outcome::Held, "{verdict:?}");
        }
    }

    #[test]
    fn the_contrary_does_not_hold() {
        let contrary = [
            problem("RBF 50", true, [0.20, 0.30, 0.25]),
            problem("parity", false, [0.30, 0.40, 0.20]),
        ];
        let orders = [OrderSpread { name: "parity", progressive: 0.1, double: 0.01 }];
        let found = verdicts(&contrary, None, &orders);
        for name in ["C1", "C2", "C4", "C5", "C7"] {
            assert_eq!(outcome(&found, name), Outcome::NotHeld, "{name}");
        }
        // dReliefF is lowest on parity alone; pdReliefF stands above both everywhere.
        assert_eq!(outcome(&found, "C3"), Outcome::Partly);
        assert_eq!(outcome(&found, "C6"), Outcome::Partly);
    }

    #[test]
    fn rbf_that_is_worse_only_with_many_features_holds_in_part() {
        let found = [problem("RBF 50", true, [0.20, 0.25, 0.25])];
        let spread = |mean| Spread { mean, deviation: 0.01, count: 25 };
        let wide = WideRbf { clipped: spread(-0.001), raw: spread(-0.01) };
        assert_eq!(worse_on_rbf(&found, Some(wide)).outcome, Outcome::Partly);
        let wide = WideRbf { clipped: spread(-0.001), raw: spread(0.0) };
        assert_eq!(worse_on_rbf(&found, Some(wide)).outcome, Outcome::NotHeld);
    }

    #[test]
    fn one_algorithm_better_than_one_other_is_not_yet_the_best() {
        // pdReliefF is better than dReliefF; ReliefF wins and loses.
        let found =
            [problem("a", true, [0.30, 0.25, 0.20]), problem("b", true, [0.10, 0.25, 0.20])];
        assert_eq!(none_clearly_better(&found).outcome, Outcome::Partly);
    }

    #[test]
    fn halves_split_by_number_of_relevant_features() {
        let mut one = problem("a", true, [0.3, 0.3, 0.3]);
        one.cells[1].separability[D] = vec![0.0; 8];
        let (few, many) = one.halves(D, RELIEF);
        assert!(few.abs() < 0.01 && many < -0.25);
    }
}
