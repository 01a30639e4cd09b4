//! `nearkin classify`: which class is this, from a table and a measure or from similarities alone?

mod data;
mod figure;
mod held_out;
mod method;
mod report;

use std::time::Instant;

use clap::{ArgMatches, Command};
use nearkin::data::{Classes, Target};
use nearkin::model::{ClassifierModel, Model, NaiveBayesModel, Origin, Ready, TrainingSamples};
use nearkin::{Note, Run};

use crate::failure::{Result, refuse};
use crate::output::{self, Form};
use crate::sink::Sink;
use crate::{flags, input, matrices, plot, progress};
use data::Data;
use held_out::Work;
use method::Chosen;
use report::Report;

pub use method::unknown;

const HEADING: &str = "Testing and saving";

const EXAMPLES: &str = "\
EXAMPLES:
  # Laws of the similarity to each class's centroid, over a measure of mixed columns:
  nearkin classify @house-votes-84 --method sda --measure vdm -o votes.safetensors
  nearkin predict votes.safetensors @house-votes-84 --format csv -o votes-predicted.csv
  nearkin explain votes.safetensors --row 7
  # Two measures at once, each with laws of its own; a similarity learned from the training rows:
  nearkin classify @house-votes-84 -m sda --measure vdm --measure counting
  nearkin classify @iris -m local-sda --measure srbs
  # The chapter's settings, for any method:
  nearkin classify @house-votes-84 -m mixture-sda --preset sda-2009 --measure counting
  # The same from similarities alone, with one label a line:
  printf '4,3,1,0\\n3,4,0,1\\n1,0,4,2\\n0,1,2,4\\n' > S.csv
  printf 'cat\\ncat\\ndog\\ndog\\n' > y.txt
  nearkin classify --similarity S.csv --labels y.txt --method sda --test 0 -o pets.safetensors
  printf '3,3,0,1\\n' > query.csv
  nearkin predict pets.safetensors --similarity query.csv";

/// The command line.
pub fn command() -> Command {
    let own = [
        flags::model()
            .help("Save the classifier fitted on all samples into MODEL, a safetensors file"),
        flags::test().help(
            "Share of the samples of each class to hold out and test on; 0 for none. The saved \
             model is fitted on all samples",
        ),
        flags::split_seed().help("Seed of the choice of samples held out"),
    ];
    Command::new("classify")
        .about("Learn to predict classes from similarities, of a table's rows or given ones")
        .after_help(EXAMPLES)
        .args(input::optional_args())
        .args(matrices::labelled_args(
            "Similarities of the samples with each other instead of TABLE",
        ))
        .args(method::args())
        .args(own.map(|flag| flag.help_heading(HEADING)))
        .arg(output::form())
        .arg(plot::file::arg("the similarities, ordered by class,"))
        .arg(output::quiet())
        .arg(output::threads())
}

/// The fitted model, to be saved and reported.
enum Fit {
    Similar(ClassifierModel),
    Bayes(NaiveBayesModel, Classes),
}

/// Fit a classifier, see how often it is right, save.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let mut method = method::chosen(matches)?;
    let form = output::form_alone(matches);
    let path = output::model_path(matches)?;
    input::check_kept(matches, "output", path)?;
    Sink::probe(path)?;
    let plot_path = plot::file::path(matches)?;
    let begun = Instant::now();
    let (data, name, target_name) = data::read(matches)?;
    if let Target::Classes(classes) = data.target() {
        method.take_costs(matches, classes.names())?;
    }
    if let Some(path) = plot_path {
        plot::file::save(path, &figure::draw(&name, &data)?)?;
    }
    let read = begun.elapsed();
    let begun = Instant::now();
    if let (Chosen::Bayes(_), Data::Matrices { .. }) = (&method, &data) {
        return refuse!(
            "--method: naive-bayes reads the columns of a table, and {name} holds similarities \
             alone; use sda or local-sda"
        );
    }
    let held = Work { matches, method: &method, name: &name }.test(&data)?;
    let measured = measured(&method, &data);
    let fit = fit(matches, &method, data, &name, &target_name)?;
    let ready = match &fit {
        Fit::Similar(model) => {
            Some((progress::watched(matches, &name, |run| model.ready(run))?, model))
        }
        Fit::Bayes(..) => None,
    };
    let fitted = ready.as_ref().map(|(ready, model)| (ready.fitted.as_ref(), *model));
    let classes = match &fit {
        Fit::Similar(model) => &model.classes,
        Fit::Bayes(_, classes) => classes,
    };
    let report = Report {
        method: &method,
        name: &name,
        measured,
        classes,
        fitted,
        odd: match &ready {
            Some((ready, _)) => progress::watched(matches, &name, |run| odd(ready, classes, run))?,
            None => Vec::new(),
        },
        held: held.as_ref(),
        saved: path.map(|path| path.display().to_string()),
        seconds: [read, begun.elapsed()].map(|span| span.as_secs_f64()),
    };
    let (text, notes) = (report.text(form), report.notes());
    if let Some(path) = path {
        let learned = ready.map(|(ready, _)| ready.fitted);
        let model = match fit {
            Fit::Similar(mut model) => {
                learned.iter().for_each(|learned| model.keep(learned.as_ref()));
                Model::Classifier(model)
            }
            Fit::Bayes(model, _) => Model::NaiveBayes(model),
        };
        let bytes = model.to_bytes()?;
        Sink::open(Some(path))?.fill(|out| out.write_all(&bytes))?;
    }
    Sink::open(None)?.fill(|out| out.write_all(text.as_bytes()))?;
    // A table has its notes below it.
    if form != Form::Table {
        output::tell(matches, &notes);
    }
    Ok(())
}

/// Fit on all samples.
fn fit(
    matches: &ArgMatches,
    method: &Chosen,
    data: Data,
    name: &str,
    target_name: &str,
) -> Result<Fit> {
    let classifier = match (method, &data) {
        (Chosen::Similar(classifier), _) => classifier,
        (Chosen::Bayes(bayes), Data::Table { table, target, .. }) => {
            let origin = Origin::new(bayes.about().id, bayes, name, target_name);
            let Target::Classes(classes) = target.clone() else {
                return refuse!("{name}: naive-bayes needs classes");
            };
            let model = progress::watched(matches, name, |_| {
                NaiveBayesModel::of_table(origin, bayes, table, &classes)
            })?;
            return Ok(Fit::Bayes(model, classes));
        }
        (Chosen::Bayes(_), Data::Matrices { .. }) => {
            return refuse!("--method: naive-bayes needs a table");
        }
    };
    let origin = Origin::new(classifier.about().id, classifier.as_ref(), name, target_name);
    let model = match data {
        Data::Table { table, target, measures } => progress::watched(matches, name, |_| {
            ClassifierModel::of_table(origin, &measures, &table, &target)
        })?,
        Data::Matrices { views, classes, names, dissimilar } => ClassifierModel {
            origin,
            samples: TrainingSamples::Similarities { views, names, dissimilar },
            classes,
            fitted: None,
        },
    };
    Ok(Fit::Similar(model))
}

/// Peculiarities of the samples, whatever the method.
fn odd(ready: &Ready, classes: &Classes, run: &Run) -> nearkin::Result<Vec<String>> {
    let equal = ready.all_equal(run)?.then(|| {
        "all similarities are equal: nothing tells the classes apart, and priors, shares or the \
         order of the rows decide"
            .to_owned()
    });
    let notes = ready.fitted.notes();
    let noted = |name: &str| {
        notes.iter().any(|note| matches!(note, Note::LawOfOneRow { class } if class == name))
    };
    let alone = classes.names().iter().zip(classes.counts()).filter(|(_, count)| **count == 1);
    let alone = alone.filter(|(name, _)| !noted(name)).map(|(name, _)| {
        format!(
            "class `{name}` has one row: what is usual in it is not known, and none can be held out"
        )
    });
    Ok(equal.into_iter().chain(alone).collect())
}

/// Where similarities come from, in words.
fn measured(method: &Chosen, data: &Data) -> String {
    match (method, data) {
        (Chosen::Bayes(_), _) => String::new(),
        (_, Data::Table { measures, .. }) => {
            let ids: Vec<&str> = measures.iter().map(|one| one.about().id).collect();
            format!(", rows compared by {}", ids.join(" and "))
        }
        (_, Data::Matrices { dissimilar: true, .. }) => ", from dissimilarities".into(),
        (_, Data::Matrices { .. }) => ", from similarities".into(),
    }
}
