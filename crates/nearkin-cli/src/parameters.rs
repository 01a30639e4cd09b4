//! Flags made from declared parameters: a new method or parameter gets its flags automatically.

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use nearkin::parameter::{Parameter, ParameterKind};
use serde_json::{Map, Value};

use crate::failure::{Failure, Result, flag as flag_of, refuse};
use crate::flags;

/// A method or generator: its id and what it declares.
pub struct Declared {
    /// The name users type.
    pub id: &'static str,
    /// Its parameters, with their defaults.
    pub parameters: Vec<Parameter>,
}

/// `--method`, one of `all`; `how` begins its help.
pub fn method(how: &str, all: &[Declared], default: &'static str) -> Arg {
    let ids: Vec<&str> = all.iter().map(|one| one.id).collect();
    flags::flag("method", "METHOD")
        .short('m')
        .default_value(default)
        .help(format!("{how}: {}; `nearkin methods` describes them", ids.join(", ")))
}

/// `--preset`, one of `ids`.
pub fn preset(ids: impl IntoIterator<Item = &'static str>) -> Arg {
    flags::one_of("preset", "PAPER", ids.into_iter().collect::<Vec<_>>())
}

/// A flag for each parameter that any of `all` declares, under `heading`.
pub fn flags(all: &[Declared], heading: &'static str) -> Vec<Arg> {
    let mut names: Vec<&'static str> = Vec::new();
    for parameter in all.iter().flat_map(|one| &one.parameters) {
        if !names.contains(&parameter.name) {
            names.push(parameter.name);
        }
    }
    names.iter().map(|name| flag(name, all).help_heading(heading)).collect()
}

fn flag(name: &'static str, all: &[Declared]) -> Arg {
    let having: Vec<(&Declared, &Parameter)> = all
        .iter()
        .filter_map(|one| Some((one, one.parameters.iter().find(|p| p.name == name)?)))
        .collect();
    let first = having[0].1;
    let arg = Arg::new(name).long(name.replace('_', "-")).allow_negative_numbers(true);
    // A Python name that several parameters share would not say which is meant.
    let shared = |python: &str| {
        let mut theirs = all.iter().flat_map(|one| &one.parameters);
        theirs.any(|p| p.name != name && (p.python == python || p.name == python))
    };
    let arg = match first.python {
        python if python == name || shared(python) => arg,
        python => arg.alias(python.replace('_', "-")),
    };
    let arg = match first.kind {
        ParameterKind::Whole { .. } => arg.value_name("N"),
        ParameterKind::Real { .. } => arg.value_name("X"),
        // A list may begin with a negative number.
        ParameterKind::Reals => arg.value_name("X,X,…").allow_hyphen_values(true),
        ParameterKind::Words(_) => arg.value_name("WORD,WORD,…"),
        ParameterKind::Flag => arg
            .value_name("true|false")
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true"),
        ParameterKind::Choice(_) => arg.value_name("WORD").value_parser(words(&having)),
    };
    arg.help(help(&having, all))
}

/// The values (as text) that any of the methods accepts; free text when one of them takes numbers
/// or other text.
fn words(having: &[(&Declared, &Parameter)]) -> clap::builder::ValueParser {
    let mut all: Vec<&'static str> = Vec::new();
    for (_, parameter) in having {
        let ParameterKind::Choice(words) = parameter.kind else {
            return clap::builder::ValueParser::string();
        };
        for word in words {
            if !all.contains(word) {
                all.push(word);
            }
        }
    }
    PossibleValuesParser::new(all).into()
}

/// The help of a parameter, the methods that have it when not all do, and its defaults.
fn help(having: &[(&Declared, &Parameter)], all: &[Declared]) -> String {
    let first = having[0].1;
    let mut text = first.help.clone();
    let ids = |of: &dyn Fn(&Parameter) -> bool| {
        let ids: Vec<&str> = having.iter().filter(|(_, p)| of(p)).map(|(one, _)| one.id).collect();
        ids.join(", ")
    };
    if having.len() < all.len() {
        text += &format!(" [only {}]", ids(&|_| true));
    }
    let mut defaults: Vec<&str> = having.iter().map(|(_, p)| p.default.as_str()).collect();
    defaults.dedup();
    match defaults.as_slice() {
        [""] => {}
        [one] => text += &format!(" [default: {one}]"),
        _ => {
            let mut told: Vec<&str> = Vec::new();
            for (_, parameter) in having {
                let default = parameter.default.as_str();
                if !told.contains(&default) {
                    told.push(default);
                    let shown = if default.is_empty() { "unset" } else { default };
                    text += &format!(" [default: {shown} in {}]", ids(&|p| p.default == default));
                }
            }
        }
    }
    text
}

/// The parameters that the user gave, as (name, text), out of those that `all` declares.
pub fn given(matches: &ArgMatches, all: &[Declared]) -> Vec<(&'static str, String)> {
    let mut given: Vec<(&'static str, String)> = Vec::new();
    for name in all.iter().flat_map(|one| &one.parameters).map(|p| p.name) {
        let typed = matches.value_source(name) == Some(ValueSource::CommandLine);
        if let (true, Some(text)) = (typed, matches.get_one::<String>(name))
            && given.iter().all(|(known, _)| *known != name)
        {
            given.push((name, text.clone()));
        }
    }
    given
}

/// The method named among the words typed.
pub fn method_in(words: &[String]) -> Option<&str> {
    words.iter().enumerate().find_map(|(at, word)| match word.as_str() {
        "--method" | "-m" => words.get(at + 1).map(String::as_str),
        word => word.strip_prefix("--method="),
    })
}

/// The sentence for a flag that `id` does not have.
pub fn lacks(id: &str, flag: &str, own: &[Parameter]) -> String {
    let own: Vec<String> = own.iter().map(|parameter| flag_of(parameter.name)).collect();
    format!("{flag}: {id} has no such parameter; its parameters are {}", own.join(", "))
}

/// Give `given` to `try_set`, refusing what `id` does not have.
pub fn apply(
    id: &str,
    own: &[Parameter],
    given: Vec<(&'static str, String)>,
    mut try_set: impl FnMut(&str, &str) -> nearkin::Result<bool>,
) -> Result<()> {
    for (name, text) in given {
        if !try_set(name, &text)? {
            return Err(Failure::Input(lacks(id, &flag_of(name), own)));
        }
    }
    Ok(())
}

/// A parameter and some of its values.
type Values = (&'static str, &'static [&'static str]);

/// Parameters that have an effect only when other parameters have one of these values.
const PARTNERS: [(&str, &[Values]); 6] = [
    ("sigma", &[("weighting", &["rank", "kernel"])]),
    ("ramp_equal", &[("ramp", &["true"])]),
    ("ramp_different", &[("ramp", &["true"])]),
    ("passes", &[("online", &["true"])]),
    ("alpha", &[("schedule", &["constant"])]),
    ("rounds", &[("solver", &["modern"]), ("refresh", &["true"])]),
];

/// Refuse a parameter that was given but has no effect: the user expects it to have one.
pub fn check_effect(given: &[(&str, String)], now: &[Parameter]) -> Result<()> {
    let typed = |name: &str| given.iter().any(|(other, _)| *other == name);
    let value = |name: &str| now.iter().find(|one| one.name == name).map(|one| &*one.default);
    for (name, partners) in PARTNERS.iter().filter(|(name, _)| typed(name)) {
        let missed = |(partner, values): &Values| {
            value(partner).is_some_and(|value| !values.contains(&value))
        };
        if partners.iter().any(missed) {
            let words = |(partner, values): &Values| match values {
                ["true"] => flag_of(partner),
                _ => format!("{} {}", flag_of(partner), values.join(" or ")),
            };
            let all: Vec<String> = partners.iter().map(words).collect();
            return refuse!("{}: plays a part only with {}", flag_of(name), all.join(" and "));
        }
    }
    let share = value("whiten").and_then(|share| share.parse::<f64>().ok());
    if typed("whiten_by") && share == Some(0.0) {
        return refuse!("--whiten-by: plays a part only with --whiten above 0");
    }
    if typed("tau") && typed("alpha") {
        return refuse!("--alpha: plays no part where --tau is given");
    }
    Ok(())
}

/// The parameters that differ from their defaults, and k, as words.
pub fn told(now: &[Parameter], defaults: &[Parameter]) -> String {
    // The number of neighbours plays no part where a radius tells who is near.
    let by_radius = now.iter().any(|p| p.name == "near" && p.default == "radius");
    let changed = |p: &&Parameter| {
        let default = defaults.iter().find(|d| d.name == p.name).map(|d| &d.default);
        let is_k = p.name == "k" && !by_radius;
        !p.default.is_empty() && (is_k || default != Some(&p.default))
    };
    let told: Vec<String> = now
        .iter()
        .filter(changed)
        .map(|p| format!("{} {}", p.name.replace('_', "-"), p.default))
        .collect();
    if told.is_empty() { String::new() } else { format!(" with {}", told.join(", ")) }
}

/// Parameters with their values, as JSON.
pub fn json(parameters: &[Parameter]) -> Map<String, Value> {
    parameters.iter().map(|p| (p.name.to_owned(), value(p))).collect()
}

fn value(parameter: &Parameter) -> Value {
    let text = parameter.default.as_str();
    let real = |text: &str| text.trim().parse::<f64>().map_or(Value::Null, Value::from);
    match parameter.kind {
        _ if parameter.optional && text.is_empty() => Value::Null,
        ParameterKind::Whole { .. } => {
            text.parse::<u64>().map_or_else(|_| text.into(), Value::from)
        }
        ParameterKind::Real { .. } => real(text),
        ParameterKind::Flag => Value::Bool(text == "true"),
        ParameterKind::Choice(_) | ParameterKind::Words(_) => text.into(),
        ParameterKind::Reals => text.split(',').filter(|part| !part.is_empty()).map(real).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(id: &'static str, names: &[(&'static str, &str)]) -> Declared {
        let parameters = names.iter().map(|&(name, default)| Parameter {
            name,
            python: name,
            kind: ParameterKind::Whole { min: 0 },
            optional: true,
            default: default.into(),
            help: "Help.".into(),
        });
        Declared { id, parameters: parameters.collect() }
    }

    #[test]
    fn a_flag_says_which_methods_have_it_and_their_defaults() {
        let all = [declared("a", &[("k", "10"), ("only_a", "")]), declared("b", &[("k", "5")])];
        let helps: Vec<String> =
            flags(&all, "H").iter().map(|f| f.get_help().unwrap().to_string()).collect();
        assert_eq!(helps, ["Help. [default: 10 in a] [default: 5 in b]", "Help. [only a]"]);
    }

    #[test]
    fn a_parameter_another_method_has_is_refused_with_the_own_ones() {
        let own = declared("b", &[("k", "5"), ("q_r", "1")]).parameters;
        let failure = apply("b", &own, vec![("radius", "1".into())], |_, _| Ok(false));
        let sentence = failure.unwrap_err().sentence().unwrap();
        assert_eq!(sentence, "--radius: b has no such parameter; its parameters are --k, --q-r");
    }
}
