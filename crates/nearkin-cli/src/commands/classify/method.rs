//! The classifier and the measures a user chose, with the parameters given.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches};
use nearkin::ParameterError;
use nearkin::classify::{self, Classify, NaiveBayes};
use nearkin::compare;
use nearkin::evaluate::pipeline::Named;
use nearkin::learn;
use nearkin::measure::pairwise::{self, PairMeasure};
use nearkin::model::Model;
use nearkin::parameter::About;
use nearkin::parameter::{Parameter, Parameters as _};

use crate::failure::{Failure, Result, refuse};
use crate::models;
use crate::parameters::{self, Declared};
use crate::{costs, flags};

const DEFAULT: &str = "local-sda";
const MEASURE: &str = "heom";
/// The parameter whose value may stand in a file.
const COSTS: &str = "costs";
/// The flag of methods whose scores are made probabilities only when asked.
const PROBABILITIES: &str = "probabilities";

/// `--method` with its parameters, `--preset` and `--measure`.
pub fn args() -> Vec<Arg> {
    let declared = declared();
    let method = parameters::method("How to decide", &declared, DEFAULT);
    let preset = parameters::preset(classify::presets().iter().map(|one| one.id))
        .help("Settings of a paper, for any method; parameters given with it take precedence");
    let ids: Vec<&str> = pairwise::measures().iter().map(|one| one.about().id).collect();
    let learners: Vec<&str> = learn::methods().iter().map(|one| one.about().id).collect();
    let measure = flags::flag("measure", "MEASURE")
        .default_value(MEASURE)
        .action(ArgAction::Append)
        .help(format!(
            "How rows of a table are compared: {}; learned from the training rows by {}; or the \
             file of a similarity that `nearkin learn` saved. Settings stand in parentheses, as in \
             'tversky-ratio(alpha=1,beta=0)'. Given again, sda and nn-sda use several at once. \
             jaccard, dice and overlap compare sets of features; the norms of learned similarities \
             that share these names are inner products of numbers",
            ids.join(", "),
            learners.join(", ")
        ));
    let mut all = vec![method, preset, measure];
    let flags = parameters::flags(&declared, "Parameters of the method");
    all.extend(flags.into_iter().map(|flag| match flag.get_id() == COSTS {
        true => {
            let having =
                declared.iter().filter(|one| one.parameters.iter().any(|p| p.name == COSTS));
            let ids: Vec<&str> = having.map(|one| one.id).collect();
            let all = ids.len() == declared.len();
            let who = if all { String::new() } else { format!(" [only {}]", ids.join(", ")) };
            costs::described(flag, &who)
        }
        false => flag,
    }));
    all
}

fn declared() -> Vec<Declared> {
    let all = classify::classifiers();
    let bayes = NaiveBayes::default();
    all.iter()
        .map(|c| Declared { id: c.about().id, parameters: c.parameters() })
        .chain([Declared { id: bayes.about().id, parameters: bayes.parameters() }])
        .collect()
}

/// A method with its parameters.
pub enum Chosen {
    /// A classifier over similarities.
    Similar(Box<dyn Classify>),
    /// Naive Bayes, which reads the table itself.
    Bayes(NaiveBayes),
}

impl Chosen {
    /// The method's name and title.
    pub fn about(&self) -> About {
        match self {
            Self::Similar(classifier) => classifier.about(),
            Self::Bayes(bayes) => bayes.about(),
        }
    }

    /// Its parameters with their values.
    pub fn parameters(&self) -> Vec<Parameter> {
        match self {
            Self::Similar(classifier) => classifier.parameters(),
            Self::Bayes(bayes) => bayes.parameters(),
        }
    }

    fn try_set(&mut self, name: &str, text: &str) -> nearkin::Result<bool> {
        match self {
            Self::Similar(classifier) => classifier.try_set(name, text),
            Self::Bayes(bayes) => bayes.try_set(name, text),
        }
    }

    /// The costs that the words give, now that the classes are known.
    pub fn take_costs(&mut self, matches: &ArgMatches, classes: &[String]) -> Result<()> {
        let Some(text) = matches.get_one::<String>(COSTS) else { return Ok(()) };
        let values: Vec<String> =
            costs::read(text, classes)?.iter().map(|cost| cost.to_string()).collect();
        self.try_set(COSTS, &values.join(","))?;
        Ok(())
    }

    /// The method called `id`, with its defaults.
    pub fn called(id: &str) -> Result<Self> {
        let bayes = NaiveBayes::default();
        if id == bayes.about().id {
            return Ok(Self::Bayes(bayes));
        }
        match classify::classifier(id) {
            Ok(classifier) => Ok(Self::Similar(classifier)),
            Err(nearkin::Error::Parameter {
                reason: ParameterError::NoSuchMethod { id, what, mut known },
                ..
            }) => {
                known.push(bayes.about().id);
                let reason = ParameterError::NoSuchMethod { id, what, known };
                refuse!("--method: {reason}")
            }
            Err(error) => Err(Failure::of_flag("--method", error)),
        }
    }
}

/// The method that the words name.
pub fn chosen(matches: &ArgMatches) -> Result<Chosen> {
    let id = matches.get_one::<String>("method").map_or(DEFAULT, String::as_str);
    let mut method = Chosen::called(id)?;
    let preset = matches.get_one::<String>("preset");
    let preset = preset.and_then(|id| classify::presets().into_iter().find(|one| one.id == id));
    if let (Some(preset), Chosen::Similar(classifier)) = (&preset, &mut method) {
        preset.apply(classifier.as_mut())?;
    }
    let own = method.parameters();
    let mut given = parameters::given(matches, &declared());
    // Costs wait for the names of the classes.
    given.retain(|(name, _)| *name != COSTS || own.iter().all(|p| p.name != COSTS));
    // Methods without this flag always give probabilities.
    given.retain(|(name, text)| {
        *name != PROBABILITIES || text != "true" || own.iter().any(|p| p.name == PROBABILITIES)
    });
    parameters::apply(id, &own, given, |name, text| method.try_set(name, text))?;
    match &method {
        Chosen::Similar(classifier) => classifier.check()?,
        Chosen::Bayes(bayes) => bayes.check()?,
    }
    Ok(method)
}

/// The measures that the words name.
pub fn measures(matches: &ArgMatches) -> Result<Vec<Box<dyn PairMeasure>>> {
    let texts = matches.get_many::<String>("measure").into_iter().flatten();
    texts.map(|text| measure(text)).collect()
}

fn measure(text: &str) -> Result<Box<dyn PairMeasure>> {
    let wrong = |error| Failure::of_flag("--measure", error);
    // No measure has a dot or a slash in its name, so a file cannot stand in for one unasked.
    let is_file = text.contains(['.', '/']) && Path::new(text).is_file();
    if text.ends_with(".safetensors") || is_file {
        return match models::read(Path::new(text), "measure")? {
            Model::Similarity(saved) => compare::learned_measure(&saved.learned)
                .map_err(|error| Failure::Input(format!("--measure: {text}: {error}"))),
            other => refuse!(
                "--measure: {text} holds {}, and a measure is a similarity that `nearkin learn` \
                 saved",
                other.origin().method
            ),
        };
    }
    let named = Named::parse(text).map_err(wrong)?;
    let mut measure = compare::measure(&named.id).map_err(wrong)?;
    for (name, value) in &named.settings {
        pairwise::set(measure.as_mut(), name, value)
            .map_err(|error| Failure::of_flag(&format!("--measure: {name}"), error))?;
    }
    Ok(measure)
}

/// The sentence about a flag that the method lacks.
pub fn unknown(words: &[String], flag: &str) -> String {
    match Chosen::called(parameters::method_in(words).unwrap_or(DEFAULT)) {
        Ok(method) => parameters::lacks(method.about().id, flag, &method.parameters()),
        Err(error) => error.sentence().unwrap_or_default(),
    }
}
