//! The method a user chose to learn by, with the parameters given.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use nearkin::learn::{self, Learn};
use nearkin::model::SimilarityModel;
use nearkin::parameter::{Parameter, Value as _};

use crate::failure::{self, Result, refuse};
use crate::parameters::{self, Declared};

const DEFAULT: &str = "srbs";

/// `--method` and its parameters.
pub fn args() -> Vec<Arg> {
    let methods = methods();
    let method = parameters::method("How to learn", &methods, DEFAULT);
    let preset = parameters::preset(learn::presets().iter().map(|one| one.id))
        .help("Settings of a paper, for its method unless another is named");
    let mut all = vec![method, preset];
    all.extend(parameters::flags(&methods, "Parameters of the method"));
    all
}

fn methods() -> Vec<Declared> {
    let methods = learn::methods();
    methods.iter().map(|m| Declared { id: m.about().id, parameters: m.parameters() }).collect()
}

/// The method that the words name; unless they do, that of the model to go on from.
pub fn chosen(matches: &ArgMatches, before: Option<&SimilarityModel>) -> Result<Box<dyn Learn>> {
    let typed = matches.value_source("method") == Some(ValueSource::CommandLine);
    let preset = matches.get_one::<String>("preset");
    let preset = preset.and_then(|id| learn::presets().into_iter().find(|one| one.id == id));
    let id = match (before.filter(|_| !typed), &preset) {
        (Some(model), _) => model.origin.method.as_str(),
        (None, Some(preset)) if !typed => preset.method,
        _ => matches.get_one::<String>("method").map_or(DEFAULT, String::as_str),
    };
    let mut method = learn::method(id)?;
    if let Some(model) = before.filter(|model| model.origin.method == id) {
        model.origin.restore(method.as_mut())?;
    }
    if let Some(preset) = &preset {
        preset.apply(method.as_mut())?;
    }
    if let Some(model) = before {
        keep_rows(method.as_mut(), model)?;
    }
    let own = method.parameters();
    let given = parameters::given(matches, &methods());
    parameters::apply(id, &own, given.clone(), |name, text| method.try_set(name, text))?;
    method.check()?;
    if before.is_some() {
        check_rows_stay(&own, &method.parameters())?;
    }
    parameters::check_effect(&given, &method.parameters())?;
    Ok(method)
}

/// Parameters that say how rows are prepared. They cannot change when learning continues from a
/// model.
const ROWS: [&str; 4] = ["norm", "constant", "whiten", "whiten_by"];

/// Set how rows are made ready to what it is in the model to go on from.
fn keep_rows(method: &mut dyn Learn, model: &SimilarityModel) -> Result<()> {
    // The parameters of the model's method, which may be another one. Models of earlier versions
    // lack some.
    let said = model.origin.parameters.iter().filter(|(name, _)| ROWS.contains(&name.as_str()));
    for (name, text) in said {
        learn::set(method, name, text)?;
    }
    // RELIEF's distance has no norm, whatever its parameter says.
    learn::set(method, "norm", &model.norm().show())?;
    Ok(())
}

/// Refuse to make rows ready in another way than before.
fn check_rows_stay(before: &[Parameter], now: &[Parameter]) -> Result<()> {
    let pairs = before.iter().zip(now).filter(|(one, _)| ROWS.contains(&one.name));
    match pairs.into_iter().find(|(one, other)| one.default != other.default) {
        None => Ok(()),
        Some((one, _)) => refuse!(
            "{}: stays {} where learning goes on; leave it out, or learn anew",
            failure::flag(one.name),
            one.default
        ),
    }
}

/// The sentence about a flag that the method lacks.
pub fn unknown(words: &[String], flag: &str) -> String {
    match learn::method(parameters::method_in(words).unwrap_or(DEFAULT)) {
        Ok(method) => parameters::lacks(method.about().id, flag, &method.parameters()),
        Err(error) => error.to_string(),
    }
}
