//! `nearkin predict`: which class does a saved model give each row?

use std::path::PathBuf;

use clap::{ArgMatches, Command};
use nearkin::classify::Predictions;
use nearkin::data::{Classes, TableRows, Target};
use nearkin::measure::OwnedVectors;
use nearkin::model::{ClassifierModel, Model, NaiveBayesModel, SimilarityModel};
use nearkin::neighbors::Rule;
use nearkin::parameter::Value as _;
use serde_json::{Map, json};

use super::asked::Asked;
use crate::costs::Costs;
use crate::failure::{Failure, Result, refuse};
use crate::present::predicted::Predicted;
use crate::sink::Sink;
use crate::{costs, flags, input, matrices, models, output, progress, screen, seen};

/// How to get a fair accuracy of a learned similarity.
const AGAIN: &str = "as `nearkin learn --test` shows";
/// The remark on a row that a plainer rule decided.
const FALLBACK: &str = "fallback";

const EXAMPLES: &str = "\
EXAMPLES:
  nearkin learn @iris -o iris.safetensors
  # The class of each row with its probabilities; what came with the table is compared:
  nearkin predict iris.safetensors @iris
  nearkin predict iris.safetensors @iris -o iris-predicted.csv
  # What if calling virginica anything else were ten times as bad?
  printf '0,1,10\\n1,0,10\\n1,1,0\\n' > costs.csv
  nearkin predict iris.safetensors @iris --costs costs.csv --quiet
  nearkin predict iris.safetensors @iris --costs 0,1,10,1,0,10,1,1,0 --quiet";

/// The command line.
pub fn command() -> Command {
    let own = [
        flags::one_of("rule", "RULE", ["knn", "sknn"]).help(
            "How the nearest rows decide on a class; for a learned similarity only. Default: \
                 as the model was saved",
        ),
        flags::number("k", 1)
            .alias("rule-k")
            .help("The number of neighbours that decide. Default: as it was saved"),
        costs::arg(),
    ];
    let command = Command::new("predict").about("Say which class a saved model gives each row");
    models::queried(command.after_help(EXAMPLES), "The true class of each query, to be compared")
        .args(own)
        .args(output::args())
}

/// Predict.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let (form, path, model) = models::asked(matches)?;
    let (mut predicted, truth, name) = match &model {
        Model::Similarity(learned) => by_similarity(matches, &model, learned)?,
        Model::Classifier(classifier) => by_classifier(matches, &model, classifier)?,
        Model::NaiveBayes(bayes) => by_bayes(matches, &model, bayes)?,
        _ => return refuse!("this model predicts nothing"),
    };
    let costs = Costs::in_force(matches, model.origin(), &predicted.classes)?;
    if let Some(given) = costs.as_ref().and_then(Costs::given) {
        by_costs(&mut predicted, given)?;
    }
    if let Some(costs) = &costs {
        output::note(matches, &costs.told());
    }
    let mut about = Map::new();
    about.insert("nearkin_version".into(), json!(env!("CARGO_PKG_VERSION")));
    about.insert("model".into(), json!(models::path(matches).display().to_string()));
    about.insert("method".into(), json!(model.origin().method));
    about.insert("data".into(), json!(name));
    about.insert("costs".into(), json!(costs.as_ref().map(|costs| &costs.values)));
    let told = truth.map(|(truth, place)| {
        let names = truth.codes().iter().map(|&code| truth.names()[code as usize].as_str());
        let cost = costs
            .as_ref()
            .and_then(|costs| costs.mean(&predicted.classes, &predicted.class, names));
        let (accuracy, mut sentence) = accuracy(&predicted, &truth, &place);
        if let Some(cost) = cost {
            sentence += &format!(", mean cost {cost:.4}");
        }
        (accuracy, cost, sentence)
    });
    about.insert("accuracy".into(), json!(told.as_ref().map(|(accuracy, ..)| accuracy)));
    about.insert("mean_cost".into(), json!(told.as_ref().and_then(|(_, cost, _)| *cost)));
    let text = predicted.text(form, about);
    Sink::open(path)?.fill(|out| out.write_all(text.as_bytes()))?;
    if let (Some((.., sentence)), false) = (told, matches.get_flag("quiet")) {
        screen::say(&sentence);
    }
    Ok(())
}

/// The predictions, the true classes with their source, and the name of the data.
type Said = (Predicted, Option<(Classes, String)>, String);

fn by_similarity(matches: &ArgMatches, saved: &Model, model: &SimilarityModel) -> Result<Said> {
    if let Some(given) = matrices::chosen(matches)? {
        return refuse!("--{}: this is a learned similarity; give a table", given.flag);
    }
    if matches.get_one::<PathBuf>("table").is_none() {
        return refuse!("predict: name the table to ask about after the model");
    }
    let mut model = model.clone();
    if let Some(rule) = matches.get_one::<String>("rule") {
        model.rule = Rule::parse(rule).map_err(|reason| Failure::Input(reason.to_string()))?;
    }
    if let Some(&k) = matches.get_one::<u64>("k") {
        model.k = k as usize;
    }
    model
        .prototypes()
        .map_err(|e| Failure::of_table(&models::path(matches).display().to_string(), e))?;
    let name = input::name(matches);
    let mut names = None;
    let (answers, truth) = match input::sparse(matches)? {
        Some(loaded) => {
            let rows = &loaded.rows;
            let answers = progress::watched(matches, &name, |run| model.predict_rows(rows, run))?;
            let truth = match loaded.target {
                Target::Classes(classes) => Some((classes, "the targets in the file".to_owned())),
                Target::Real(_) => None,
            };
            (answers, truth)
        }
        None => {
            let loaded = models::table(matches, saved)?;
            names = named(&loaded);
            let answers =
                progress::watched(matches, &name, |run| model.predict(&loaded.table, run))?;
            let truth = models::truth(&loaded);
            let truth = truth.map(|(classes, name)| (classes.clone(), format!("column `{name}`")));
            if let (Some(_), Some(known)) = (&truth, &model.prototypes)
                && let OwnedVectors::Dense(known) = &known.rows
            {
                let asked = TableRows::select(&loaded.table, model.columns())?.to_dense()?;
                seen::tell_known(matches, seen::of_dense(known), seen::of_dense(&asked), AGAIN);
            }
            (answers, truth)
        }
    };
    let local = model.learned.models.len() > 1;
    let shares: Vec<f64> = answers.iter().flat_map(|a| a.probabilities.clone()).collect();
    // Shares of similarity are not probabilities: they are close to 1/G even when the rule is
    // sure.
    let (probabilities, scores) = match model.rule {
        Rule::Sknn => (None, Some(shares)),
        _ => (Some(shares), None),
    };
    let predicted = Predicted {
        classes: model.learned.classes.clone(),
        class: answers.iter().map(|a| a.class).collect(),
        probabilities,
        scores,
        labels: local.then(|| answers.iter().map(|a| a.yes.clone()).collect()),
        log_likelihood: None,
        names,
        remarks: Vec::new(),
        fallback: Vec::new(),
    };
    Ok((predicted, truth, name))
}

fn by_classifier(matches: &ArgMatches, saved: &Model, model: &ClassifierModel) -> Result<Said> {
    check_flags(matches, &model.origin.method)?;
    let asked = Asked::new(matches, saved, model, false)?;
    let said = asked.predict(matches)?;
    Ok((told(said, asked.names), asked.truth, asked.place))
}

fn by_bayes(matches: &ArgMatches, saved: &Model, model: &NaiveBayesModel) -> Result<Said> {
    check_flags(matches, &model.origin.method)?;
    let (loaded, name) = bayes_table(matches, saved)?;
    let said = progress::watched(matches, &name, |run| model.predict(&loaded.table, run))?;
    let truth = models::truth(&loaded);
    let truth = truth.map(|(classes, name)| (classes.clone(), format!("column `{name}`")));
    Ok((told(said, named(&loaded)), truth, name))
}

/// The names of the rows, where they have names.
fn named(loaded: &nearkin_read::Loaded) -> Option<Vec<String>> {
    Some(loaded.row_names.clone()).filter(|names| !names.is_empty())
}

/// The table whose rows naive Bayes classifies, and its name.
pub fn bayes_table(matches: &ArgMatches, saved: &Model) -> Result<(nearkin_read::Loaded, String)> {
    if let Some(given) = matrices::all(matches)?.first() {
        return refuse!("--{}: naive-bayes reads columns; give a table", given.flag);
    }
    if matches.get_one::<PathBuf>("table").is_none() {
        return refuse!(
            "{}: name the table to ask about after the model",
            models::path(matches).display()
        );
    }
    Ok((models::table(matches, saved)?, input::name(matches)))
}

/// Refuse what is for learned similarities alone.
fn check_flags(matches: &ArgMatches, method: &str) -> Result<()> {
    let rule = ["rule", "k"].into_iter().find(|flag| matches.value_source(flag).is_some());
    match rule {
        None => Ok(()),
        Some(flag) => {
            refuse!("--{flag}: this is for learned similarities, and the model is {method}")
        }
    }
}

/// The predictions of a classifier, ready to be shown.
fn told(said: Predictions, names: Option<Vec<String>>) -> Predicted {
    let remark = |row: usize| {
        let all = [(said.outside[row], "outside the support"), (said.fallback[row], FALLBACK)];
        let told: Vec<&str> = all.iter().filter(|(is, _)| *is).map(|(_, told)| *told).collect();
        told.join(", ")
    };
    let logs = said.log_posteriors.as_ref();
    let probabilities: Option<Vec<f64>> = logs.map(|all| all.iter().map(|log| log.exp()).collect());
    Predicted {
        remarks: (0..said.len()).map(remark).collect(),
        fallback: said.fallback.clone(),
        scores: probabilities.is_none().then(|| said.scores.clone()),
        probabilities,
        classes: said.names,
        class: said.class,
        labels: None,
        log_likelihood: said.log_likelihood,
        names,
    }
}

/// The share of rows that were given the class that came with them, and that as a sentence.
fn accuracy(predicted: &Predicted, truth: &Classes, place: &str) -> (f64, String) {
    let rows = truth.codes().len();
    let is_right =
        |row: &usize| truth.names()[truth.codes()[*row] as usize] == predicted.label(*row);
    let right = (0..rows).filter(is_right).count();
    let accuracy = right as f64 / rows as f64;
    let unknown: Vec<String> = truth
        .names()
        .iter()
        .filter(|name| !predicted.classes.contains(name))
        .map(|name| format!("`{name}`"))
        .collect();
    let unknown = match unknown.is_empty() {
        true => String::new(),
        false => format!("; the model does not know class {}", unknown.join(", ")),
    };
    let sentence =
        format!("right on {right} of {rows} rows by {place}: accuracy {accuracy:.4}{unknown}");
    (accuracy, sentence)
}

/// Predict the class of least expected cost Σ_g C(f, g) P(g) instead of the most probable class.
fn by_costs(predicted: &mut Predicted, costs: &[f64]) -> Result<()> {
    let Some(probabilities) = &predicted.probabilities else {
        return refuse!(
            "--costs: this gives no probabilities, so nothing can be expected of it; `nearkin \
             classify --probabilities` fits a model that does, and of a learned similarity --rule \
             knn has some"
        );
    };
    let width = predicted.classes.len();
    let class = probabilities.chunks_exact(width).enumerate().map(|(row, p)| {
        // Where a plainer rule had to decide, the shares of neighbours are no probabilities to
        // weigh costs by.
        if predicted.fallback.get(row).is_some_and(|&fallback| fallback) {
            return predicted.class[row];
        }
        let expected = |f: usize| (0..width).map(|g| costs[f * width + g] * p[g]).sum::<f64>();
        (1..width).fold(0, |best, f| if expected(f) < expected(best) { f } else { best }) as u32
    });
    predicted.class = class.collect();
    Ok(())
}
