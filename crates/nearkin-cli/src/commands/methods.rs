//! `nearkin methods`: the methods there are, their parameters, and where they were published.

use std::fmt::Write as _;

use clap::{Arg, ArgMatches, Command};
use nearkin::measure::pairwise;
use nearkin::parameter::{Parameter, ParameterKind, Parameters as _};
use nearkin::{classify, learn, weigh};
use serde_json::{Value, json};

use super::weigh::listed_wrappers;
use crate::facts::Facts;
use crate::failure::{Result, refuse};
use crate::sink::Sink;
use crate::{failure, output, parameters};

const EXAMPLES: &str = "\
EXAMPLES:
  nearkin methods
  # All about one:
  nearkin methods sda
  nearkin methods --json -o methods.json";

/// The command line.
pub fn command() -> Command {
    Command::new("methods")
        .about("List the methods, or tell all about one: formulas, references and parameters")
        .after_help(EXAMPLES)
        .arg(
            Arg::new("name")
                .value_name("NAME")
                .help("The method, wrapper or measure to describe in full"),
        )
        .arg(output::switch("json", "List as JSON"))
        .arg(output::file())
}

/// List the methods.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let mut all = listed();
    if let Some(name) = matches.get_one::<String>("name") {
        let mut ids: Vec<&str> = all.iter().map(|one| one.id).collect();
        if !ids.contains(&name.as_str()) {
            ids.dedup();
            return refuse!("methods: there is none called `{name}`; there are {}", ids.join(", "));
        }
        all.retain(|one| one.id == name);
    }
    let text = match (matches.get_flag("json"), matches.contains_id("name")) {
        (true, _) => format!("{:#}\n", as_json(&all)),
        (false, true) => as_text(&all),
        (false, false) => by_question(&all),
    };
    Sink::open(output::path(matches))?.fill(|out| out.write_all(text.as_bytes()))
}

/// A method, wrapper or measure in the list.
struct Listed {
    id: &'static str,
    title: &'static str,
    summary: &'static str,
    reference: &'static str,
    parameters: Vec<Parameter>,
    question: &'static str,
    /// Where it is asked for.
    place: &'static str,
}

/// The entry of a method that answers `$question`.
macro_rules! listed {
    ($about:expr, $parameters:expr, $question:literal, $place:literal) => {{
        let about = $about;
        Listed {
            id: about.id,
            title: about.title,
            summary: about.summary,
            reference: about.reference,
            parameters: $parameters,
            question: $question,
            place: $place,
        }
    }};
}

fn listed() -> Vec<Listed> {
    let mut all = Vec::new();
    for one in weigh::methods() {
        all.push(listed!(one.about(), one.parameters(), "weigh", "nearkin weigh"));
    }
    for (about, parameters) in listed_wrappers() {
        all.push(listed!(about, parameters, "wrap", "--wrap, around any method that weighs"));
    }
    for one in learn::methods() {
        all.push(listed!(one.about(), one.parameters(), "learn", "nearkin learn"));
    }
    for one in classify::classifiers() {
        all.push(listed!(one.about(), one.parameters(), "classify", "nearkin classify"));
    }
    let bayes = classify::NaiveBayes::default();
    all.push(listed!(
        bayes.about(),
        bayes.parameters(),
        "classify",
        "nearkin classify, on a table"
    ));
    for one in pairwise::measures() {
        all.push(listed!(
            one.about(),
            one.parameters(),
            "measure",
            "--measure of nearkin classify"
        ));
    }
    all
}

/// The questions, with where their answers are asked for.
const QUESTIONS: [(&str, &str); 5] = [
    ("weigh", "Which features matter? nearkin weigh --method"),
    ("wrap", "Methods that weigh, run again and again: nearkin weigh --wrap"),
    ("learn", "Which similarity to use? nearkin learn --method"),
    ("classify", "Which class is it? nearkin classify --method"),
    ("measure", "How rows of a table are compared: nearkin classify --measure"),
];

impl Listed {
    /// Its page, where it has one.
    fn facts(&self) -> Option<Facts> {
        let question = if self.question == "wrap" { "weigh" } else { self.question };
        Facts::of(question, self.id)
    }
}

/// Columns of the terminal that the list of ids may take.
const WIDTH: usize = 98;

/// The ids, a paragraph for each question.
fn by_question(all: &[Listed]) -> String {
    let mut text = String::new();
    for (question, head) in QUESTIONS {
        let _ = writeln!(text, "{head}");
        let mut line = String::from(" ");
        let mut ids = all.iter().filter(|one| one.question == question).peekable();
        while let Some(one) = ids.next() {
            let word = format!(" {}{}", one.id, if ids.peek().is_some() { "," } else { "" });
            if line.len() + word.len() > WIDTH {
                let _ = writeln!(text, "{line}");
                line = String::from(" ");
            }
            line += &word;
        }
        let _ = writeln!(text, "{line}\n");
    }
    text + "All about one: nearkin methods NAME\n"
}

/// The pages of methods, with their parameters.
fn as_text(all: &[Listed]) -> String {
    let mut text = String::new();
    for one in all {
        let Listed { id, title, summary, reference, parameters, place, .. } = one;
        let _ = writeln!(text, "{id}: {title} ({place})");
        match one.facts() {
            Some(facts) => {
                let told = facts.text.lines().map(|line| format!("  {line}"));
                let told: Vec<String> = told.map(|line| line.trim_end().to_owned()).collect();
                let _ = writeln!(text, "\n{}\n", told.join("\n"));
            }
            None => {
                let _ = writeln!(text, "  {}.", summary.trim_end_matches('.'));
                let _ = writeln!(text, "  Reference: {}.", reference.trim_end_matches('.'));
            }
        }
        for parameter in parameters {
            let flag = format!("{} {}", failure::flag(parameter.name), takes(parameter));
            let default = match parameter.default.as_str() {
                "" => String::new(),
                default => format!(" [default: {default}]"),
            };
            let _ = writeln!(text, "    {flag}\n        {}{default}", parameter.help);
        }
        text.push('\n');
    }
    text.pop();
    text
}

/// The values a parameter takes, in a word.
fn takes(parameter: &Parameter) -> String {
    match parameter.kind {
        ParameterKind::Whole { min: 0 } => "N".into(),
        ParameterKind::Whole { min } => format!("N (at least {min})"),
        ParameterKind::Real { min: f64::MIN, max: f64::MAX } => "X".into(),
        ParameterKind::Real { min, max: f64::MAX } => format!("X (at least {min})"),
        ParameterKind::Real { min, max } => format!("X ({min} to {max})"),
        ParameterKind::Flag => "(on or off)".into(),
        ParameterKind::Choice(words) => words.join("|"),
        ParameterKind::Reals => "X,X,…".into(),
        ParameterKind::Words(words) => format!("{},…", words.join("|")),
    }
}

fn as_json(all: &[Listed]) -> Value {
    let methods = all.iter().map(|one| {
        let values = parameters::json(&one.parameters);
        let parameters: Vec<Value> =
            one.parameters.iter().map(|p| parameter(one.id, p, &values[p.name])).collect();
        let facts = one.facts().unwrap_or_default();
        json!({
            "id": one.id, "title": one.title, "question": one.question, "summary": one.summary,
            "what": facts.what, "formulas": facts.formulas, "when": facts.when, "cost": facts.cost,
            "reference": one.reference, "publication": facts.reference, "parameters": parameters,
        })
    });
    methods.collect()
}

fn parameter(of: &str, parameter: &Parameter, default: &Value) -> Value {
    let python = weigh::own_name(of, parameter.name).unwrap_or(parameter.python);
    let (kind, min, max, words) = match parameter.kind {
        ParameterKind::Whole { min } => ("whole", json!(min), Value::Null, None),
        ParameterKind::Real { min, max } => {
            let bound = |x: f64| if x.abs() == f64::MAX { Value::Null } else { json!(x) };
            ("real", bound(min), bound(max), None)
        }
        ParameterKind::Flag => ("flag", Value::Null, Value::Null, None),
        ParameterKind::Choice(words) => ("choice", Value::Null, Value::Null, Some(words)),
        ParameterKind::Reals => ("reals", Value::Null, Value::Null, None),
        ParameterKind::Words(words) => ("words", Value::Null, Value::Null, Some(words)),
    };
    json!({
        "name": parameter.name, "flag": failure::flag(parameter.name),
        "python": python, "kind": kind, "min": min, "max": max, "words": words,
        "optional": parameter.optional, "default": default, "help": parameter.help,
    })
}
