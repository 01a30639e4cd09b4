//! `nearkin explain`: why does a saved classifier give a sample its class?

mod bayes;

use std::fmt::Write as _;

use clap::{ArgMatches, Command};
use nearkin::classify::Evidence;
use nearkin::data::SimilarityMatrix;
use nearkin::model::{ClassifierModel, Model};
use serde_json::{Value, json};

use super::asked::Asked;
use crate::costs::{self, Costs};
use crate::csv::{cell, number};
use crate::failure::{Failure, Result, refuse};
use crate::output::{self};
use crate::present::columns::{aligned, shown};
use crate::present::predicted::score;
use crate::present::table::cut;
use crate::sink::Sink;
use crate::{models, progress};

/// The note where local SDA left a sample to its fallback.
const FELL_BACK: &str =
    "its neighbourhood held too little, so a plainer rule decided, whatever the costs";

/// The number of most similar samples shown.
const NEAREST: usize = 5;

const EXAMPLES: &str = "\
EXAMPLES:
  nearkin classify @house-votes-84 --method sda --measure vdm -o votes.safetensors
  # Why is training row 7 what it is?
  nearkin explain votes.safetensors --row 7
  # And if taking a democrat for a republican were ten times as bad as the other way round?
  nearkin explain votes.safetensors --row 7 --costs 0,1,10,0
  # A row of another table, for a program to read:
  nearkin explain votes.safetensors @house-votes-84 --row 12 --format json";

/// The command line.
pub fn command() -> Command {
    let row = models::row_arg(
        "The row to explain, the first being 0, or its name: of TABLE, of the matrix, or of training",
    );
    let command =
        Command::new("explain").about("Show why a saved classifier gives a sample its class");
    models::queried(command.after_help(EXAMPLES), "The true class of each query")
        .arg(row)
        .arg(costs::arg())
        .args(output::args())
}

/// Explain a sample.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let (form, path, saved) = models::asked(matches)?;
    let text = match &saved {
        Model::Classifier(model) => {
            let asked = Asked::new(matches, &saved, model, true)?;
            let row = match asked.only {
                Some(_) => 0,
                None => models::row(matches, &asked.place, asked.rows(), asked.names.as_deref())?,
            };
            let explained = explain(matches, model, &asked, row)?;
            form.text(|| explained.table(), || explained.csv(), || explained.json())
        }
        Model::NaiveBayes(model) => bayes::explain(matches, &saved, model, form)?,
        _ => {
            return refuse!(
                "{}: this is a learned similarity; `nearkin neighbors` shows what it goes by",
                models::path(matches).display()
            );
        }
    };
    Sink::open(path)?.fill(|out| out.write_all(text.as_bytes()))
}

/// Why a sample got its class.
struct Explained<'a> {
    model: &'a ClassifierModel,
    asked: &'a Asked<'a>,
    row: usize,
    /// The similarities of the row to the samples, a matrix of one row for each measure.
    query: Vec<SimilarityMatrix<'static>>,
    class: usize,
    scores: Vec<f64>,
    probabilities: Option<Vec<f64>>,
    /// The costs in force, with what each class is expected to cost.
    costs: Option<(Costs, Vec<f64>)>,
    /// The largest log-likelihood, and the share of training samples with a lower one.
    strange: Option<(f64, f64)>,
    outside: bool,
    fallback: bool,
    evidence: Vec<Evidence>,
    prototypes: Vec<Vec<usize>>,
    nearest: Vec<usize>,
}

fn explain<'a>(
    matches: &ArgMatches,
    model: &'a ClassifierModel,
    asked: &'a Asked<'a>,
    row: usize,
) -> Result<Explained<'a>> {
    let (query, said, known) = progress::watched(matches, &asked.place, |run| {
        let query = asked.similarities(row, run)?;
        let said = asked.ready.predict_similarities(&query, run)?;
        let known = match said.log_likelihood {
            Some(_) => {
                asked.ready.predict_similarities(&asked.ready.own(run)?, run)?.log_likelihood
            }
            None => None,
        };
        Ok((query, said, known))
    })?;
    let costs = Costs::in_force(matches, &model.origin, model.classes.names())?;
    let said = match costs.as_ref().and_then(Costs::given) {
        Some(given) => {
            said.with_costs(given).map_err(|error| Failure::Input(format!("--costs: {error}")))?
        }
        None => said,
    };
    let costs = costs.and_then(|costs| {
        let expected = costs.expected(&said.probabilities(0)?);
        Some((costs, expected))
    });
    let strange = said.log_likelihood.as_ref().and_then(|own| own.first()).map(|&own| {
        let known = known.unwrap_or_default();
        let below = known.iter().filter(|other| **other < own).count();
        (own, below as f64 / known.len().max(1) as f64)
    });
    let fitted = &asked.ready.fitted;
    let (nearest, evidence) = {
        let rows: Vec<_> = query.iter().map(|s| s.row(0)).collect();
        let (s, mut nearest) = (&rows[0], (0..model.len()).collect::<Vec<_>>());
        nearest.sort_by(|&a, &b| s[b].total_cmp(&s[a]).then(a.cmp(&b)));
        nearest.truncate(NEAREST);
        (nearest, fitted.evidence(&rows.iter().map(|row| &**row).collect::<Vec<_>>()))
    };
    let prototypes = fitted.insight().prototypes;
    Ok(Explained {
        model,
        asked,
        row,
        query,
        class: said.class[0] as usize,
        scores: said.scores_of(0).to_vec(),
        probabilities: said.probabilities(0),
        costs,
        strange,
        outside: said.outside[0],
        fallback: said.fallback[0],
        evidence,
        prototypes,
        nearest,
    })
}

impl Explained<'_> {
    fn names(&self) -> &[String] {
        self.model.classes.names()
    }

    fn similarity(&self, sample: usize) -> f64 {
        self.query[0].at(0, sample)
    }

    fn class_of(&self, sample: usize) -> &str {
        &self.names()[self.model.classes.codes()[sample] as usize]
    }

    fn title(&self) -> String {
        let own =
            self.asked.names.as_ref().map(|names| format!(" (`{}`)", shown(&names[self.row])));
        let row = self.number();
        format!("row {row}{} of {}", own.unwrap_or_default(), shown(&self.asked.place))
    }

    /// The row as its place counts.
    fn number(&self) -> usize {
        self.asked.only.unwrap_or(self.row)
    }

    fn truth(&self) -> Option<&str> {
        let (classes, _) = self.asked.truth.as_ref()?;
        Some(&classes.names()[classes.codes()[self.row] as usize])
    }

    /// True where laws are mixed, so that their parts have shares.
    fn mixed(&self) -> bool {
        self.evidence.iter().any(|one| one.law.weight != 1.0)
    }

    /// A table of the laws.
    fn laws(&self) -> String {
        let mixed = self.mixed();
        let row = |one: &Evidence| {
            let real = |x: f64| format!("{x:.4}");
            let law = &one.law;
            let mut row = vec![cut(&self.names()[law.class]), shown(&one.statistic)];
            row.extend([one.value, law.mean, law.law.lambda(), one.log_p].map(real));
            if mixed {
                row.extend([law.weight, one.responsibility].map(real));
            }
            row
        };
        let rows: Vec<Vec<String>> = self.evidence.iter().map(row).collect();
        let mut head = vec!["class", "statistic", "here", "mean", "lambda", "log p"];
        if mixed {
            head.extend(["weight", "responsible"]);
        }
        aligned(&head, &rows, &(2..head.len()).collect::<Vec<_>>())
    }

    fn table(&self) -> String {
        let truth = self.truth().map(|class| format!(", truly `{}`", shown(class)));
        let mut text = format!(
            "{} says `{}` of {}{}\n\n",
            self.model.origin.method,
            shown(&self.names()[self.class]),
            self.title(),
            truth.unwrap_or_default()
        );
        let row = |(at, name): (usize, &String)| {
            let p = self.probabilities.as_ref().map_or("-".into(), |p| format!("{:.4}", p[at]));
            let mut row = vec![cut(name), score(self.scores[at], 4), p];
            row.extend(self.costs.iter().map(|(_, expected)| format!("{:.4}", expected[at])));
            row
        };
        let rows: Vec<Vec<String>> = self.names().iter().enumerate().map(row).collect();
        let mut head = vec!["class", "score", "probability"];
        head.extend(self.costs.iter().map(|_| "expected cost"));
        text += &aligned(&head, &rows, &(1..head.len()).collect::<Vec<_>>());
        if let Some((costs, _)) = self.costs.as_ref().filter(|_| !self.fallback) {
            let _ = writeln!(text, "{}", costs.told());
        }
        if let Some((own, below)) = self.strange {
            let _ = writeln!(
                text,
                "\nlog-likelihood {own:.4}, higher than that of {:.1} % of the training samples{}",
                below * 100.0,
                if below < 0.01 { ": no class explains it well" } else { "" }
            );
        }
        for (is, told) in [
            (self.outside, "a statistic lies outside the support that was declared"),
            (self.fallback, FELL_BACK),
        ] {
            if is {
                let _ = writeln!(text, "note: {told}");
            }
        }
        if self.prototypes.iter().any(|list| !list.is_empty()) {
            text += "\nSimilarity to the samples that stand for the classes\n";
            let mut rows = Vec::new();
            for (class, list) in self.names().iter().zip(&self.prototypes) {
                for &at in list {
                    let s = format!("{:.4}", self.similarity(at));
                    rows.push(vec![cut(class), cut(&self.model.name(at)), s]);
                }
            }
            text += &aligned(&["class", "sample", "similarity"], &rows, &[2]);
        }
        if !self.evidence.is_empty() {
            text += "\nLaws of the statistics in each class\n";
            text += &self.laws();
        }
        text += "\nMost similar training samples\n";
        let row = |&at: &usize| {
            vec![self.model.name(at), cut(self.class_of(at)), format!("{:.4}", self.similarity(at))]
        };
        let rows: Vec<Vec<String>> = self.nearest.iter().map(row).collect();
        text + &aligned(&["sample", "class", "similarity"], &rows, &[2])
    }

    /// `what,class,of,value`: a line a number.
    fn csv(&self) -> String {
        let mut text = String::from("what,class,of,value\n");
        let mut line = |what: &str, class: &str, of: &str, value: f64| {
            let _ = writeln!(text, "{what},{},{},{}", cell(class), cell(of), number(value));
        };
        for (at, name) in self.names().iter().enumerate() {
            // A class that the classifier left out has no score.
            if self.scores[at] > f64::NEG_INFINITY {
                line("score", name, "", self.scores[at]);
            }
            if let Some(p) = &self.probabilities {
                line("probability", name, "", p[at]);
            }
            if let Some((_, expected)) = &self.costs {
                line("expected_cost", name, "", expected[at]);
            }
        }
        if let Some((own, below)) = self.strange {
            line("log_likelihood", "", "", own);
            line("share_below", "", "", below);
        }
        for (class, list) in self.names().iter().zip(&self.prototypes) {
            list.iter().for_each(|&at| {
                line("prototype", class, &self.model.name(at), self.similarity(at))
            });
        }
        for one in &self.evidence {
            let (class, of) = (&self.names()[one.law.class], &one.statistic);
            line("value", class, of, one.value);
            line("law_mean", class, of, one.law.mean);
            line("law_lambda", class, of, one.law.law.lambda());
            line("log_p", class, of, one.log_p);
            if self.mixed() {
                line("weight", class, of, one.law.weight);
                line("responsibility", class, of, one.responsibility);
            }
        }
        for &at in &self.nearest {
            line("nearest", self.class_of(at), &self.model.name(at), self.similarity(at));
        }
        text
    }

    fn json(&self) -> Value {
        let class = |(at, name): (usize, &String)| {
            let p = self.probabilities.as_ref().map(|p| p[at]);
            let sample = |&at: &usize| json!({ "sample": self.model.name(at), "row": at, "similarity": self.similarity(at) });
            let prototypes = self.prototypes.get(at).map(Vec::as_slice).unwrap_or_default();
            json!({
                "class": name, "score": self.scores[at], "probability": p,
                "expected_cost": self.costs.as_ref().map(|(_, expected)| expected[at]),
                "prototypes": prototypes.iter().map(sample).collect::<Vec<_>>(),
            })
        };
        let law = |one: &Evidence| {
            json!({
                "class": self.names()[one.law.class], "statistic": one.statistic,
                "prototype": one.prototype.map(|at| self.model.name(at)),
                "component": one.law.component, "weight": one.law.weight, "mean": one.law.mean,
                "lambda": one.law.law.lambda(), "log_z": one.law.law.log_z(), "value": one.value,
                "log_p": one.log_p, "responsibility": one.responsibility,
            })
        };
        let nearest = |&at: &usize| {
            json!({
                "sample": self.model.name(at), "row": at, "class": self.class_of(at),
                "similarity": self.similarity(at),
            })
        };
        json!({
            "nearkin_version": env!("CARGO_PKG_VERSION"),
            "method": self.model.origin.method,
            "data": self.asked.place,
            "row": self.number(),
            "name": self.asked.names.as_ref().map(|names| names[self.row].as_str()),
            "predicted": self.names()[self.class],
            "truth": self.truth(),
            "costs": self.costs.as_ref().map(|(costs, _)| costs.values.as_slice()),
            "log_likelihood": self.strange.map(|(own, _)| own),
            "share_of_training_below": self.strange.map(|(_, below)| below),
            "outside_support": self.outside,
            "fallback": self.fallback,
            "classes": self.names().iter().enumerate().map(class).collect::<Vec<_>>(),
            "laws": self.evidence.iter().map(law).collect::<Vec<_>>(),
            "nearest": self.nearest.iter().map(nearest).collect::<Vec<_>>(),
        })
    }
}
