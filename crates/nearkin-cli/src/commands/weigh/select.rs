//! `--select`: which features to keep, and `--save-columns`: their names for other tools.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches};
use nearkin::weigh::{Call, FeatureWeights, Test};

use crate::failure::{Failure, Result};
use crate::flags;

const HEADING: &str = "Selection";
const RULES: &str = "top:N, weight:X, zero, tau, p:X or q:X";

/// A rule that selects features.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    Top(usize),
    Weight(f64),
    Zero,
    Tau,
    P(f64),
    Q(f64),
}

/// A rule with the user's words for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Select {
    rule: Rule,
    /// As the user typed it.
    pub words: String,
}

/// The flags about selecting features.
pub fn args() -> Vec<Arg> {
    let select = flags::flag("select", "RULE").value_parser(parse).help(
        "Show only the features that a rule selects. top:N: the N heaviest. weight:X: weight X or \
         more. zero: weight above 0. tau: weight at or above relief's threshold. p:X, q:X: p or q \
         of --p-values, else of association, at X or below",
    );
    let save = flags::file("save-columns")
        .help("Write the selected features' names into FILE, heaviest first. One a line");
    [select, save].into_iter().map(|flag| flag.help_heading(HEADING)).collect()
}

fn parse(text: &str) -> std::result::Result<Select, String> {
    let rule = match text.split_once(':') {
        None if text == "zero" => Some(Rule::Zero),
        None if text == "tau" => Some(Rule::Tau),
        Some(("top", n)) => n.parse().ok().filter(|&n| n > 0).map(Rule::Top),
        Some(("weight", x)) => x.parse().ok().filter(|x: &f64| x.is_finite()).map(Rule::Weight),
        Some(("p", x)) => share(x).map(Rule::P),
        Some(("q", x)) => share(x).map(Rule::Q),
        _ => None,
    };
    match rule {
        Some(rule) => Ok(Select { rule, words: text.into() }),
        None => Err(format!(
            "expected {RULES}, with N at least 1 and the X of p and q above 0 and at most 1"
        )),
    }
}

fn share(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| *x > 0.0 && *x <= 1.0)
}

/// The file for the names of selected features.
pub fn path(matches: &ArgMatches) -> Option<&Path> {
    matches.get_one::<PathBuf>("save-columns").map(PathBuf::as_path)
}

/// The rule the user gave.
pub fn chosen(matches: &ArgMatches) -> Result<Option<Select>> {
    let select = matches.get_one::<Select>("select");
    if path(matches).is_some() && select.is_none() {
        return Err(Failure::Input(
            "--save-columns: which ones? Add --select, such as --select top:10".into(),
        ));
    }
    Ok(select.cloned())
}

impl Select {
    /// The limit of p or q, where the rule is one.
    pub fn call(&self) -> Option<Call> {
        match self.rule {
            Rule::P(limit) => Some(Call::P(limit)),
            Rule::Q(limit) => Some(Call::Q(limit)),
            _ => None,
        }
    }

    /// Refuse a threshold where the method has none.
    pub fn check(&self, found: &FeatureWeights, method: &str) -> Result<()> {
        match self.rule == Rule::Tau && found.threshold.is_none() {
            true => Err(Failure::Input(format!(
                "--select: tau is a threshold that {method} was not given; use --method relief \
                 with --tau or --alpha, or --select weight:X"
            ))),
            false => Ok(()),
        }
    }

    /// Whether each feature, in table order, is selected.
    pub fn mask(&self, found: &FeatureWeights) -> Vec<bool> {
        if let Rule::Top(count) = self.rule {
            let mut mask = vec![false; found.weights.len()];
            found.ranking().iter().take(count).for_each(|one| mask[one.index] = true);
            return mask;
        }
        let removed = |at: usize| found.removed_in.get(at).is_some_and(|&round| round > 0);
        let at_most = |at: usize, of: fn(&Test) -> Option<f64>, bound: f64| {
            found.tests.get(at).and_then(of).is_some_and(|value| value <= bound)
        };
        let selects = |(at, &weight): (usize, &f64)| match self.rule {
            Rule::P(bound) => at_most(at, |test| test.p, bound),
            Rule::Q(bound) => at_most(at, |test| test.q, bound),
            // The weight of a feature that a wrapper removed only keeps its place.
            _ if removed(at) => false,
            Rule::Weight(least) => weight >= least,
            Rule::Tau => found.threshold.is_some_and(|least| weight >= least),
            Rule::Zero => weight > 0.0,
            Rule::Top(_) => false,
        };
        found.weights.iter().enumerate().map(selects).collect()
    }
}

/// The names of the selected features, heaviest first; none may hold a line break.
pub fn names<'f>(found: &'f FeatureWeights, mask: &[bool]) -> Result<Vec<&'f str>> {
    let ranking = found.ranking();
    let names = ranking.into_iter().filter(|one| mask[one.index]).map(|one| one.feature);
    let names: Vec<&str> = names.collect();
    match names.iter().find(|name| name.contains(['\n', '\r'])) {
        Some(name) => Err(Failure::Input(format!(
            "--save-columns: column `{name}` has a line break in its name; rename it"
        ))),
        None => Ok(names),
    }
}

/// Write names, one a line.
pub fn write(out: &mut dyn Write, names: &[&str]) -> io::Result<()> {
    names.iter().try_for_each(|name| writeln!(out, "{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(rule: &str, found: &FeatureWeights) -> Vec<bool> {
        parse(rule).unwrap().mask(found)
    }

    #[test]
    fn rules_are_understood_or_refused() {
        assert_eq!(parse("top:3").unwrap().rule, Rule::Top(3));
        assert_eq!(parse("weight:-0.5").unwrap().rule, Rule::Weight(-0.5));
        for bad in ["top:0", "top", "p:0", "p:1.5", "q:x", "weight:inf", "zero:1", "best"] {
            assert!(parse(bad).unwrap_err().contains("top:N"), "{bad}");
        }
    }

    #[test]
    fn a_bound_is_reached_by_equal_weights_and_zero_is_not() {
        let found = FeatureWeights {
            features: ["a", "b", "c"].map(String::from).to_vec(),
            weights: vec![0.5, 0.0, -0.5],
            threshold: Some(0.5),
            ..Default::default()
        };
        assert_eq!(selected("zero", &found), [true, false, false]);
        assert_eq!(selected("weight:0", &found), [true, true, false]);
        assert_eq!(selected("tau", &found), [true, false, false]);
        assert_eq!(selected("top:2", &found), [true, true, false]);
    }

    #[test]
    fn a_removed_feature_is_selected_by_its_rank_alone() {
        let found = FeatureWeights {
            features: ["a", "b"].map(String::from).to_vec(),
            weights: vec![0.5, 0.4],
            removed_in: vec![0, 1],
            ..Default::default()
        };
        assert_eq!(selected("zero", &found), [true, false]);
        assert_eq!(selected("top:2", &found), [true, true]);
    }
}
