//! The classifier and the measure a user chose, with the parameters given.

use clap::{Arg, ArgMatches};
use nearkin::classify::{self, Classify};
use nearkin::evaluate::pipeline::Named;
use nearkin::measure::pairwise::{self, PairMeasure};

use crate::failure::{Failure, Result};
use crate::parameters::{self, Declared};

const DEFAULT: &str = "local-sda";
const MEASURE: &str = "heom";

/// `--method` with its parameters, and `--measure`.
pub fn args() -> Vec<Arg> {
    let classifiers = classifiers();
    let ids: Vec<&str> = classifiers.iter().map(|one| one.id).collect();
    let method = Arg::new("method")
        .long("method")
        .short('m')
        .value_name("METHOD")
        .default_value(DEFAULT)
        .help(format!("How to decide: {}; `nearkin methods` tells about them", ids.join(", ")));
    let ids: Vec<&str> = pairwise::measures().iter().map(|one| one.about().id).collect();
    let measure =
        Arg::new("measure").long("measure").value_name("MEASURE").default_value(MEASURE).help(
            format!(
                "How rows of a table are compared: {}; settings in parentheses, as in \
             'tversky-ratio(alpha=1,beta=0)'",
                ids.join(", ")
            ),
        );
    let mut all = vec![method, measure];
    all.extend(parameters::flags(&classifiers, "Parameters of the method"));
    all
}

fn classifiers() -> Vec<Declared> {
    let all = classify::classifiers();
    all.iter().map(|c| Declared { id: c.about().id, parameters: c.parameters() }).collect()
}

/// The classifier that the words name.
pub fn chosen(matches: &ArgMatches) -> Result<Box<dyn Classify>> {
    let id = matches.get_one::<String>("method").map_or(DEFAULT, String::as_str);
    let mut method = classify::classifier(id).map_err(|error| renamed(error, "--method"))?;
    let own = method.parameters();
    let given = parameters::given(matches, &classifiers());
    parameters::apply(id, &own, given, |name, text| method.try_set(name, text))?;
    method.check()?;
    Ok(method)
}

/// The measure that the words name.
pub fn measure(matches: &ArgMatches) -> Result<Box<dyn PairMeasure>> {
    let text = matches.get_one::<String>("measure").map_or(MEASURE, String::as_str);
    let wrong = |error| renamed(error, "--measure");
    let named = Named::parse(text).map_err(wrong)?;
    let mut measure = pairwise::measure(&named.id).map_err(wrong)?;
    for (name, value) in &named.settings {
        pairwise::set(measure.as_mut(), name, value).map_err(|error| match error {
            nearkin::Error::Parameter { name, reason } => {
                Failure::Input(format!("--measure: {name}: {reason}"))
            }
            other => other.into(),
        })?;
    }
    Ok(measure)
}

/// The error of a parameter under the flag it was given by.
fn renamed(error: nearkin::Error, flag: &str) -> Failure {
    match error {
        nearkin::Error::Parameter { reason, .. } => Failure::Input(format!("{flag}: {reason}")),
        other => other.into(),
    }
}

/// What to say about a flag that no classifier has.
pub fn unknown(words: &[String], flag: &str) -> String {
    match classify::classifier(parameters::method_in(words).unwrap_or(DEFAULT)) {
        Ok(method) => parameters::lacks(method.about().id, flag, &method.parameters()),
        Err(error) => error.to_string(),
    }
}
