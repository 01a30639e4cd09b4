//! The method a user chose, inside a wrapper or not, with the parameters given.

use clap::{Arg, ArgMatches};
use nearkin::parameter::About;
use nearkin::parameter::Parameter;
use nearkin::weigh::{self, Weigh};

use crate::failure::{self, Failure, Result};
use crate::flags;
use crate::parameters::{self, Declared};

const DEFAULT: &str = "relieff";

/// The method that weighs the features.
pub struct Chosen {
    /// All of it, ready to fit.
    pub method: Box<dyn Weigh>,
    /// The method itself.
    pub about: About,
    /// The wrapper around it.
    pub wrapper: Option<About>,
    /// The seed of the method's random choices; 0 when it makes none.
    pub seed: u64,
}

/// `--method`, `--wrap` and their parameters.
pub fn args() -> Vec<Arg> {
    let (methods, wrappers) = (methods(), wrappers());
    let method = parameters::method("How to weigh", &methods, DEFAULT);
    let wrap = flags::flag("wrap", "WRAPPER").help(format!(
        "Run the method repeatedly on fewer features: {}",
        weigh::WRAPPERS.join(", ")
    ));
    let mut all = vec![method, wrap];
    all.extend(parameters::flags(&methods, "Parameters of the method"));
    all.extend(parameters::flags(&wrappers, "Parameters of the wrapper"));
    all
}

fn methods() -> Vec<Declared> {
    let methods = weigh::methods();
    methods.iter().map(|m| Declared { id: m.about().id, parameters: m.parameters() }).collect()
}

fn wrappers() -> Vec<Declared> {
    let declared = |(about, parameters): (About, _)| Declared { id: about.id, parameters };
    listed_wrappers().into_iter().map(declared).collect()
}

/// The wrappers with the parameters that are their own.
pub fn listed_wrappers() -> Vec<(About, Vec<Parameter>)> {
    let own = |id: &&'static str| {
        let inner = weigh::method(DEFAULT).ok()?;
        let theirs = inner.parameters();
        let wrapped = weigh::wrap(id, inner).ok()?;
        let mut parameters = wrapped.parameters();
        parameters.retain(|one| theirs.iter().all(|other| other.name != one.name));
        Some((wrapped.about(), parameters))
    };
    weigh::WRAPPERS.iter().filter_map(own).collect()
}

/// The method and wrapper that the words name.
pub fn chosen(matches: &ArgMatches) -> Result<Chosen> {
    let id = matches.get_one::<String>("method").map_or(DEFAULT, String::as_str);
    let inner = weigh::method(id)?;
    let about = inner.about();
    let wrapper = matches.get_one::<String>("wrap");
    let mut method = match wrapper {
        Some(wrapper) => weigh::wrap(wrapper, inner)?,
        None => inner,
    };
    let wrappers = wrappers();
    let given = parameters::given(matches, &wrappers);
    for one in wrappers.iter().filter(|one| wrapper.is_none_or(|chosen| chosen != one.id)) {
        let theirs = |name: &str| one.parameters.iter().any(|p| p.name == name);
        if let Some((name, _)) = given.iter().find(|(name, _)| theirs(name)) {
            let flag = failure::flag(name);
            return Err(Failure::Input(format!(
                "{flag}: this is a parameter of the wrapper {0}; add --wrap {0}",
                one.id
            )));
        }
    }
    let own = method.parameters();
    let given = [given, parameters::given(matches, &methods())].concat();
    parameters::apply(id, &own, given.clone(), |name, text| method.try_set(name, text))?;
    parameters::check_effect(&given, &method.parameters())?;
    method.check()?;
    let seed = method.parameters().iter().find(|p| p.name == "seed").map(|p| p.default.clone());
    let seed = seed.and_then(|text| text.parse().ok()).unwrap_or(0);
    let wrapper = wrapper.map(|_| method.about());
    Ok(Chosen { method, about, wrapper, seed })
}

/// The sentence about a flag that the method lacks.
pub fn unknown(words: &[String], flag: &str) -> String {
    match weigh::method(parameters::method_in(words).unwrap_or(DEFAULT)) {
        Ok(method) => parameters::lacks(method.about().id, flag, &method.parameters()),
        Err(error) => error.to_string(),
    }
}
