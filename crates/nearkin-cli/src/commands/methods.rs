//! `nearkin methods`: what can be asked, with which parameters, and where it was published.

use std::fmt::Write as _;

use clap::{ArgMatches, Command};
use nearkin::parameter::{Kind, Parameter};
use nearkin::weigh::{self, About};
use serde_json::{Value, json};

use super::weigh::listed_wrappers;
use crate::failure::Result;
use crate::sink::Sink;
use crate::{output, parameters};

const EXAMPLES: &str = "\
EXAMPLES:
  nearkin methods
  nearkin methods --json -o methods.json";

/// The command line.
pub fn command() -> Command {
    Command::new("methods")
        .about("List the methods with their references and parameters")
        .after_help(EXAMPLES)
        .arg(output::switch("json", "List as JSON"))
        .arg(output::file())
}

/// List the methods.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let text = match matches.get_flag("json") {
        true => format!("{:#}\n", as_json()),
        false => as_text(),
    };
    Sink::open(output::path(matches))?.fill(|out| out.write_all(text.as_bytes()))
}

/// What can be asked: the methods, then the wrappers.
struct Listed {
    about: About,
    parameters: Vec<Parameter>,
    question: &'static str,
}

fn listed() -> Vec<Listed> {
    let methods = weigh::methods().into_iter().map(|method| Listed {
        about: method.about(),
        parameters: method.parameters(),
        question: "weigh",
    });
    let wrappers = listed_wrappers().into_iter();
    let wrappers =
        wrappers.map(|(about, parameters)| Listed { about, parameters, question: "wrap" });
    methods.chain(wrappers).collect()
}

fn as_text() -> String {
    let mut text = String::new();
    for Listed { about, parameters, question } in listed() {
        let wraps = if question == "wrap" { " (--wrap, around any method)" } else { "" };
        let _ = writeln!(text, "{}: {}{wraps}", about.id, about.title);
        let _ = writeln!(text, "  {}.", about.summary.trim_end_matches('.'));
        let _ = writeln!(text, "  Reference: {}.", about.reference.trim_end_matches('.'));
        for parameter in parameters {
            let flag = format!("{} {}", parameters::dashed(parameter.name), takes(&parameter));
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
        Kind::Whole { min: 0 } => "N".into(),
        Kind::Whole { min } => format!("N (at least {min})"),
        Kind::Real { min: f64::MIN, max: f64::MAX } => "X".into(),
        Kind::Real { min, max: f64::MAX } => format!("X (at least {min})"),
        Kind::Real { min, max } => format!("X ({min} to {max})"),
        Kind::Flag => "(on or off)".into(),
        Kind::Choice(words) => words.join("|"),
        Kind::Reals => "X,X,…".into(),
        Kind::Words(words) => format!("{},…", words.join("|")),
    }
}

fn as_json() -> Value {
    let methods = listed().into_iter().map(|Listed { about, parameters: declared, question }| {
        let values = parameters::json(&declared);
        let parameters: Vec<Value> =
            declared.iter().map(|p| parameter(p, &values[p.name])).collect();
        json!({
            "id": about.id, "title": about.title, "question": question, "summary": about.summary,
            "reference": about.reference, "parameters": parameters,
        })
    });
    methods.collect()
}

fn parameter(parameter: &Parameter, default: &Value) -> Value {
    let (kind, min, max, words) = match parameter.kind {
        Kind::Whole { min } => ("whole", json!(min), Value::Null, None),
        Kind::Real { min, max } => {
            let bound = |x: f64| if x.abs() == f64::MAX { Value::Null } else { json!(x) };
            ("real", bound(min), bound(max), None)
        }
        Kind::Flag => ("flag", Value::Null, Value::Null, None),
        Kind::Choice(words) => ("choice", Value::Null, Value::Null, Some(words)),
        Kind::Reals => ("reals", Value::Null, Value::Null, None),
        Kind::Words(words) => ("words", Value::Null, Value::Null, Some(words)),
    };
    json!({
        "name": parameter.name, "flag": parameters::dashed(parameter.name),
        "python": parameter.python, "kind": kind, "min": min, "max": max, "words": words,
        "optional": parameter.optional, "default": default, "help": parameter.help,
    })
}
