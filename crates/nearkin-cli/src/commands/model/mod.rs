//! `nearkin model`: what is in a saved model.

mod bayes;
mod classifier;
mod laws;

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{ArgMatches, Command};
use nearkin::measure::{Form as Shape, RowScale, Similarity, Whitening};
use nearkin::model::{Model, SimilarityModel};
use nearkin::parameter::Value as _;
use nearkin::{Run, learn};
use serde_json::{Map, Value, json};

use super::learn::weights;
use crate::csv::{cell, number};
use crate::failure::{Result, refuse};
use crate::output::{self};
use crate::present::columns::{aligned, shown};
use crate::present::table::cut;
use crate::screen::{self, Style};
use crate::sink::Sink;
use crate::{flags, models, npy};

const EXAMPLES: &str = "\
EXAMPLES:
  nearkin learn @wine -m sila --matrix symmetric -o wine.safetensors
  # What is it, and which features does it weigh most?
  nearkin model wine.safetensors
  # The whole matrix as feature, feature, weight: the data of a heat map
  nearkin model wine.safetensors --format csv -o heat-map.csv
  # L with A = LᵀL, for an index of inner products
  nearkin learn @wine -m srbs-psd --matrix symmetric -o psd.safetensors
  nearkin model psd.safetensors --export-transform L.npy
  # The same of whitened rows: those are Wx before they are scaled to length 1 and mapped
  nearkin learn @wine -m srbs-psd --matrix symmetric --whiten 0.9 -o white.safetensors
  nearkin model white.safetensors --export-transform L.npy --export-whitening W.npy
  # Class-conditional laws of a classifier, and how they fit what was observed
  nearkin classify @house-votes-84 -m sda --measure counting -o votes.safetensors -q
  nearkin model votes.safetensors --histograms --format csv -o laws.csv";

/// The command line.
pub fn command() -> Command {
    Command::new("model")
        .about("Show what a saved model holds")
        .after_help(EXAMPLES)
        .arg(models::arg())
        .arg(
            flags::file("export-transform")
                .help("Write L with A = LᵀL as a .npy file, where A is positive semi-definite"),
        )
        .arg(flags::file("export-whitening").help(
            "Write W as a .npy file. Only for models that whiten rows (x becomes Wx) before \
                 they are compared",
        ))
        .arg(output::switch(
            "histograms",
            "Only the laws of a classifier's statistics against what was observed, bin by bin",
        ))
        .arg(output::form())
        .arg(output::file())
        .arg(output::quiet())
}

/// Show a model.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let form = output::chosen_form(matches)?;
    let path = output::path(matches);
    Sink::probe(path)?;
    let export = matches.get_one::<PathBuf>("export-transform").map(PathBuf::as_path);
    Sink::probe(export)?;
    let whitened = matches.get_one::<PathBuf>("export-whitening").map(PathBuf::as_path);
    Sink::probe(whitened)?;
    let model = models::chosen(matches)?;
    let transform = match (export, &model) {
        (None, _) => None,
        (Some(_), Model::Similarity(model)) => Some(super::learn::factor(&model.learned)?),
        _ => {
            return refuse!("--export-transform: this model holds no learned similarity");
        }
    };
    let turned = match (whitened, &model) {
        (None, _) => None,
        (Some(_), Model::Similarity(model)) if whitening(model).is_some() => whitening(model),
        _ => {
            return refuse!("--export-whitening: this model whitens no rows; learn with --whiten");
        }
    };
    if let (Some(export), Some(rows)) = (export, &transform) {
        let columns = model.columns().len();
        Sink::open(Some(export))?.fill(|out| npy::write(out, rows, columns))?;
    }
    if let (Some(export), Some(turned)) = (whitened, turned) {
        let rows: Vec<Vec<f64>> = lines(turned).map(<[f64]>::to_vec).collect();
        Sink::open(Some(export))?.fill(|out| npy::write(out, &rows, turned.size()))?;
    }
    let style = if path.is_none() { screen::style() } else { Style::Plain };
    let text = match &model {
        Model::Similarity(model) => {
            form.text(|| table(model, style), || csv(model), || as_json(model))
        }
        Model::Classifier(model) => classifier::text(matches, model, form)?,
        Model::NaiveBayes(model) => bayes::text(model, form)?,
        _ => return refuse!("there is nothing to show of this model"),
    };
    Sink::open(path)?.fill(|out| out.write_all(text.as_bytes()))
}

fn table(model: &SimilarityModel, style: Style) -> String {
    let origin = &model.origin;
    let title = learn::method(&origin.method).map_or("Similarity", |one| one.about().title);
    let mut text = format!(
        "A similarity that {title} learned from {}, target `{}`\n",
        shown(&origin.data),
        shown(&origin.target)
    );
    let parameters = origin.parameters.iter().filter(|(_, value)| !value.is_empty());
    let parameters: Vec<String> =
        parameters.map(|(name, value)| format!("{} {value}", name.replace('_', "-"))).collect();
    let _ = writeln!(text, "{}", parameters.join(", "));
    let rows = match &model.prototypes {
        Some(known) => format!("{} rows decide", known.rows.rows()),
        None => "no rows are kept: it ranks rows but does not predict".into(),
    };
    let _ = writeln!(
        text,
        "{} columns, classes {}; {rows}, by {} of {}",
        model.columns().len(),
        shown(&model.learned.classes.join(", ")),
        model.rule.show(),
        model.k
    );
    model.learned.models.iter().for_each(|one| text += &weights(one, style));
    text += &scaling(model);
    text
}

/// The preparation of each column before rows are compared.
fn scaling(model: &SimilarityModel) -> String {
    let Some((similarity, scale)) = scale(model) else { return String::new() };
    let cells = similarity.columns().iter().zip(scale.shift()).zip(scale.factor());
    let row = |((name, shift), factor): ((&String, &f64), &f64)| {
        vec![cut(name), format!("{shift:.6}"), format!("{factor:.6}")]
    };
    let rows: Vec<Vec<String>> = cells.map(row).collect();
    let mut text = String::from("\nColumns are scaled first, (x - shift) * factor\n");
    text += &aligned(&["feature", "shift", "factor"], &rows, &[1, 2]);
    text
}

fn whitening(model: &SimilarityModel) -> Option<&Whitening> {
    model.learned.models.first()?.similarity.preparation().whitening.as_ref()
}

/// The rows of W.
fn lines(whitening: &Whitening) -> impl Iterator<Item = &[f64]> {
    whitening.cells().chunks(whitening.size().max(1))
}

fn scale(model: &SimilarityModel) -> Option<(&Similarity, &RowScale)> {
    let similarity = &model.learned.models.first()?.similarity;
    Some((similarity, similarity.preparation().scale.as_ref()?))
}

/// `feature,weight` for a diagonal matrix, `feature,other,weight` for others.
fn csv(model: &SimilarityModel) -> String {
    let local = model.learned.models.len() > 1;
    let diagonal = |one: &learn::LearnedMatrix| one.similarity.matrix().form() == Shape::Diagonal;
    let all_diagonal = model.learned.models.iter().all(diagonal);
    let mut text = String::from(if local { "class,feature" } else { "feature" });
    text += if all_diagonal { ",weight\n" } else { ",other,weight\n" };
    for one in &model.learned.models {
        let of = match (&one.class, local) {
            (Some(class), true) => format!("{},", cell(class)),
            (None, true) => ",".into(),
            _ => String::new(),
        };
        let columns: Vec<&str> = one.similarity.features().collect();
        for (i, feature) in columns.iter().enumerate() {
            let others = if all_diagonal { i..i + 1 } else { 0..columns.len() };
            for j in others {
                let other = match all_diagonal {
                    true => String::new(),
                    false => format!(",{}", cell(columns[j])),
                };
                let weight = number(one.similarity.matrix().at(i, j));
                let _ = writeln!(text, "{of}{}{other},{weight}", cell(feature));
            }
        }
    }
    text
}

fn as_json(model: &SimilarityModel) -> Value {
    let matrix = |one: &learn::LearnedMatrix| {
        let (matrix, size) = (one.similarity.matrix(), one.similarity.matrix().size());
        let cells: Vec<Vec<f64>> = match matrix.form() {
            Shape::Diagonal => vec![matrix.diagonal()],
            _ => (0..size).map(|i| (0..size).map(|j| matrix.at(i, j)).collect()).collect(),
        };
        let psd = matches!(one.similarity.is_psd(&Run::default()), Ok(true));
        json!({
            "class": one.class, "form": matrix.form().show(), "psd": psd,
            "matrix": cells, "objective": one.objective, "mistakes": one.mistakes,
            "margins_before": one.before, "margins_after": one.after,
        })
    };
    let models: Vec<Value> = model.learned.models.iter().map(matrix).collect();
    let parameters: Map<String, Value> =
        model.origin.parameters.iter().map(|(n, v)| (n.clone(), json!(v))).collect();
    json!({
        "kind": "similarity",
        "method": model.origin.method,
        "parameters": parameters,
        "data": model.origin.data,
        "target": model.origin.target,
        "columns": model.columns(),
        "classes": model.learned.classes,
        "norm": model.norm().show(),
        "scaling": scale(model).map(|(_, scale)| json!({
            "shift": scale.shift(), "factor": scale.factor(),
        })),
        "whitening": whitening(model).map(|w| lines(w).collect::<Vec<_>>()),
        "rule": model.rule.show(),
        "rule_k": model.k,
        "rows": model.prototypes.as_ref().map(|known| known.rows.rows()),
        "models": models,
        "notes": output::texts(&output::remarks(&model.learned.notes)),
    })
}
