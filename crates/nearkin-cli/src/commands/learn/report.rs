//! The result of learning: how often the learned similarity is right, compared with similarities
//! that are not learned, and what was learned.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use nearkin::Run;
use nearkin::data::Target;
use nearkin::evaluate::beside::Line;
use nearkin::learn::{Chosen, Learn, LearnedMatrix, method};
use nearkin::model::SimilarityModel;
use nearkin::parameter::Value as _;
use serde_json::{Value, json};

use super::{HeldOut, choose, few};
use crate::csv::number;
use crate::output::{self, Form, Remark};
use crate::parameters;
use crate::present::bars::Bars;
use crate::present::columns::{aligned, shown};
use crate::present::table::cut;
use crate::screen::Style;

/// The number of features shown of each similarity.
const SHOWN: usize = 20;

/// The meaning of a feature of whitened rows.
pub const WHITENED: &str =
    "Rows are whitened: a feature is a mixture of columns, nearest to the one it is named for";

/// A learned similarity, and its results.
pub struct Report<'a> {
    pub learner: &'a dyn Learn,
    pub table: &'a str,
    pub rows: usize,
    pub target: Option<&'a Target>,
    pub target_name: &'a str,
    pub held: Option<&'a HeldOut>,
    pub chosen: &'a [Chosen],
    pub model: &'a SimilarityModel,
    pub path: Option<&'a Path>,
    pub read: Duration,
    pub fitted: Duration,
}

impl Report<'_> {
    /// The report in this form.
    pub fn text(&self, form: Form, style: Style) -> String {
        form.text(|| self.table(style), || self.csv(), || self.json())
    }

    /// Notes for the reader.
    pub fn notes(&self) -> Vec<Remark> {
        let mut notes = output::remarks(&self.model.learned.notes);
        let Some(held) = self.held else { return notes };
        notes.extend(output::remarks(&held.notes));
        notes.extend(few(held.test).map(Remark::from));
        let count = |accuracy: f64| (accuracy * held.test as f64).round();
        let named = |name: &str| held.lines.iter().find(|line| line.name == name);
        let Some(learned) = named("learned") else { return notes };
        match (learned.constant, learned.questions) {
            (0, _) => {}
            (_, 1) => notes.push(Remark::from(
                "the learned similarity gives every row held out the same class; it tells nothing"
                    .to_owned(),
            )),
            (constant, questions) => notes.push(Remark::from(format!(
                "the learned similarities give every row held out the same answer for {constant} of \
                 {questions} classes"
            ))),
        }
        let plain = held.lines.iter().filter(|line| line.name != "learned");
        let better = |line: &&Line| line.accuracy.is_some() && line.accuracy >= learned.accuracy;
        // The first of the best: the plain similarity of the norm comes first.
        let best = plain
            .filter(better)
            .reduce(|best, line| if line.accuracy > best.accuracy { line } else { best });
        if let (Some(best), Some(learned)) = (best, learned.accuracy) {
            notes.push(Remark::from(format!(
                "learning did not help on the {} rows held out: {} is right on {} of them, the \
                 learned similarity on {}",
                held.test,
                best.name,
                count(best.accuracy.unwrap_or(0.0)),
                count(learned)
            )));
        }
        notes
    }

    fn table(&self, style: Style) -> String {
        let about = self.learner.about();
        let defaults = method(about.id).map(|one| one.parameters()).unwrap_or_default();
        let with = parameters::told(&self.learner.parameters(), &defaults);
        let mut text = format!("{}{with} on {}\n", about.title, shown(self.table));
        let about = match self.target {
            Some(_) => format!(
                "{} classes of `{}`",
                self.model.learned.classes.len(),
                shown(self.target_name)
            ),
            None => self.triplets(),
        };
        let columns = self.model.columns().len();
        let _ = writeln!(text, "{} rows, {columns} columns, {about}", self.rows);
        if let Some(held) = self.held {
            let (rule, k) = (self.model.rule.show(), held.k);
            let _ = writeln!(
                text,
                "\nRight on {} rows held out, after {} rows, by {rule} of {k}",
                held.test, held.train
            );
            text += &lines(&held.lines);
        }
        text += &self.settings();
        for model in &self.model.learned.models {
            text += &weights(model, style);
        }
        text += &course(&self.model.learned.models);
        text += &output::below(&self.notes());
        if let Some(path) = self.path {
            let rows = match &self.model.prototypes {
                Some(known) => format!("with its {} rows", known.rows.rows()),
                None => "without rows".into(),
            };
            let _ = writeln!(text, "saved in {}, {rows}", shown(&path.display().to_string()));
        }
        text
    }

    /// The values chosen for each similarity.
    fn settings(&self) -> String {
        let Some(first) = self.chosen.first() else { return String::new() };
        let mut text =
            format!("\nChosen among {} settings on rows not learned from\n", first.tried);
        let row = |(at, one): (usize, &Chosen)| {
            let class = self.model.learned.models.get(at).and_then(|model| model.class.as_ref());
            let whose = class.map_or("all classes".into(), |class| shown(class));
            vec![whose, choose::told(one), format!("{:.4}", one.score)]
        };
        let rows: Vec<Vec<String>> = self.chosen.iter().enumerate().map(row).collect();
        text += &aligned(&["for", "chosen", "right there"], &rows, &[2]);
        text
    }

    /// How many triplets are on the right side, before and after.
    fn triplets(&self) -> String {
        let Some(model) = self.model.learned.models.first() else { return String::new() };
        let right = |margins: &[f64]| margins.iter().filter(|m| **m > 0.0).count();
        let (before, after) = (right(&model.before), right(&model.after));
        format!("{} triplets: {before} right before, {after} after", model.after.len())
    }

    fn csv(&self) -> String {
        let mut text = String::from("way,accuracy,one_vs_rest,constant,questions\n");
        for line in self.held.iter().flat_map(|held| &held.lines) {
            let accuracy = line.accuracy.map(number).unwrap_or_default();
            let Line { name, one_vs_rest, constant, questions, .. } = line;
            let share = number(*one_vs_rest);
            let _ = writeln!(text, "{name},{accuracy},{share},{constant},{questions}");
        }
        text
    }

    fn json(&self) -> Value {
        let held = self.held.map(|held| {
            let line = |line: &Line| {
                json!({
                    "way": line.name, "accuracy": line.accuracy, "one_vs_rest": line.one_vs_rest,
                    "constant": line.constant, "questions": line.questions,
                })
            };
            let lines: Vec<Value> = held.lines.iter().map(line).collect();
            json!({ "train": held.train, "test": held.test, "k": held.k, "lines": lines })
        });
        let models: Vec<Value> = self.model.learned.models.iter().map(model_json).collect();
        let kind = match self.target {
            Some(Target::Classes(_)) => "classes",
            Some(Target::Real(_)) => "real",
            None => "triplets",
        };
        json!({
            "nearkin_version": env!("CARGO_PKG_VERSION"),
            "method": self.learner.about().id,
            "parameters": parameters::json(&self.learner.parameters()),
            "table": self.table,
            "rows": self.rows,
            "columns": self.model.columns().len(),
            "target": self.target_name,
            "target_kind": kind,
            "classes": self.model.learned.classes,
            "rule": self.model.rule.show(),
            "rule_k": self.model.k,
            "held_out": held,
            "chosen": self.chosen.iter().map(|one| json!({
                "k": one.k, "score": one.score, "tried": one.tried,
                "settings": one.settings.iter().map(|(name, text)| (name.to_string(), json!(text)))
                    .collect::<serde_json::Map<_, _>>(),
            })).collect::<Vec<Value>>(),
            "models": models,
            "notes": output::texts(&self.notes()),
            "saved": self.path.map(|path| path.display().to_string()),
            "timing": {
                "read_seconds": self.read.as_secs_f64(), "fit_seconds": self.fitted.as_secs_f64(),
            },
        })
    }
}

/// The results table.
fn lines(lines: &[Line]) -> String {
    let share = |share: f64| format!("{share:.4}");
    let row = |line: &Line| {
        let constant = match (line.constant, line.questions) {
            (0, _) => String::new(),
            (_, 1) => "constant".into(),
            (constant, questions) => format!("constant on {constant} of {questions}"),
        };
        let accuracy = line.accuracy.map_or("-".into(), share);
        vec![line.name.clone(), accuracy, share(line.one_vs_rest), constant]
    };
    let rows: Vec<Vec<String>> = lines.iter().map(row).collect();
    aligned(&["", "accuracy", "one-vs-rest", ""], &rows, &[1, 2])
}

/// How learning went: margins before and after, the objective, and the mistakes of SiLA compared
/// with the bound from theory.
fn course(models: &[LearnedMatrix]) -> String {
    let mut text = String::from("\nLearning\n");
    let below = |margins: &[f64]| margins.iter().filter(|m| **m <= 0.0).count();
    let mean = |margins: &[f64]| margins.iter().sum::<f64>() / margins.len().max(1) as f64;
    let row = |model: &LearnedMatrix| {
        let objective = match &model.objective[..] {
            [first, .., last] => {
                format!("{first:.4} to {last:.4} in {}", model.objective.len() - 1)
            }
            [only] => format!("{only:.4}"),
            [] => String::new(),
        };
        vec![
            model.class.as_ref().map_or("all classes".into(), |class| shown(class)),
            format!("{} to {}", below(&model.before), below(&model.after)),
            format!("{:.4} to {:.4}", mean(&model.before), mean(&model.after)),
            objective,
        ]
    };
    let rows: Vec<Vec<String>> = models.iter().map(row).collect();
    text += &aligned(&["for", "margins at most 0", "mean margin", "objective"], &rows, &[]);
    for model in models {
        let Some(bound) = model.bound else { continue };
        let whose = model.class.as_ref().map_or(String::new(), |c| format!("`{}`: ", shown(c)));
        let _ = writeln!(
            text,
            "{whose}{} mistakes in the first epoch; theorem 2 allows {:.1}, with R {:.4}, γ {:.4} \
             and D {:.4}",
            bound.mistakes, bound.bound, bound.radius, bound.gamma, bound.shortfall
        );
        if let Some(separable) = bound.separable {
            let _ =
                writeln!(text, "{whose}every margin is positive; theorem 1 allows {separable:.1}");
        }
    }
    text
}

/// The features that weigh most in one similarity.
pub fn weights(model: &LearnedMatrix, style: Style) -> String {
    let mut all: Vec<(&str, f64)> = model.similarity.weights().collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let bars = Bars::new(all.iter().map(|(_, weight)| *weight), style);
    let row =
        |(name, weight): &(&str, f64)| vec![cut(name), format!("{weight:.4}"), bars.draw(*weight)];
    let rows: Vec<Vec<String>> = all.iter().take(SHOWN).map(row).collect();
    let whose = match &model.class {
        Some(class) => format!("Class `{}` against the rest: weights", shown(class)),
        None => "Weights".into(),
    };
    let which = match model.similarity.matrix().form() {
        nearkin::measure::Form::Diagonal => "of features",
        _ => "of features, the diagonal of the matrix",
    };
    let mut text = format!("\n{whose} {which}\n");
    if model.similarity.preparation().whitening.is_some() {
        text += WHITENED;
        text.push('\n');
    }
    text += &aligned(&["feature", "weight", ""], &rows, &[1]);
    if all.len() > SHOWN {
        let _ = writeln!(text, "… and {} more", all.len() - SHOWN);
    }
    text
}

fn model_json(model: &LearnedMatrix) -> Value {
    let weights: Vec<Value> = model
        .similarity
        .weights()
        .map(|(feature, weight)| json!({ "feature": feature, "weight": weight }))
        .collect();
    let margins = |margins: &[f64]| {
        let below = margins.iter().filter(|m| **m <= 0.0).count();
        let mean = margins.iter().sum::<f64>() / margins.len().max(1) as f64;
        json!({ "rows": margins.len(), "mean": mean, "at_or_below_0": below, "each": margins })
    };
    json!({
        "class": model.class,
        "matrix": model.similarity.matrix().form().show(),
        "norm": model.similarity.norm().show(),
        "psd": matches!(model.similarity.is_psd(&Run::default()), Ok(true)),
        "weights": weights,
        "objective": model.objective,
        "mistakes": model.mistakes,
        "margins_before": margins(&model.before),
        "margins_after": margins(&model.after),
        "bound": model.bound.map(|bound| json!({
            "mistakes": bound.mistakes, "radius": bound.radius, "gamma": bound.gamma,
            "shortfall": bound.shortfall, "bound": bound.bound, "separable": bound.separable,
            "expected_error": bound.expected_error,
        })),
    })
}
