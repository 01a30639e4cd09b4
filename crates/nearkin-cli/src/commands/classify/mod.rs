//! `nearkin classify`: which class is this, from a table and a measure or from similarities alone?

mod method;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use nearkin::classify::{self, Classify, Fitted};
use nearkin::data::{Classes, Holdout, SimilarityMatrix, Table, Target};
use nearkin::measure::pairwise::PairMeasure;
use nearkin::model::{ClassifierModel, Model, Origin, Samples};
use nearkin::{Error, Run};
use serde_json::{Value, json};

use crate::csv::number;
use crate::failure::{Failure, Result};
use crate::output::{self, Form};
use crate::present::columns::{aligned, shown};
use crate::sink::Sink;
use crate::{input, matrices, parameters, progress, screen};
pub use method::unknown;

const HEADING: &str = "Testing and saving";

const EXAMPLES: &str = "\
EXAMPLES:
  # Laws of the similarity to each class's centroid, over a measure of mixed columns:
  nearkin classify @house-votes-84 --method sda --measure vdm -o votes.safetensors
  nearkin predict votes.safetensors @house-votes-84 --format csv -o votes-predicted.csv
  nearkin explain votes.safetensors --row 7
  # The same from similarities alone, with one label a line:
  printf '4,3,1,0\\n3,4,0,1\\n1,0,4,2\\n0,1,2,4\\n' > S.csv
  printf 'cat\\ncat\\ndog\\ndog\\n' > y.txt
  nearkin classify --similarity S.csv --labels y.txt --method sda --test 0 -o pets.safetensors
  printf '3,3,0,1\\n' > query.csv
  nearkin predict pets.safetensors --similarity query.csv";

/// The command line.
pub fn command() -> Command {
    let own = [
        Arg::new("output")
            .short('o')
            .long("output")
            .value_name("MODEL")
            .value_parser(value_parser!(PathBuf))
            .help("Save the classifier fitted on all samples into MODEL, a safetensors file"),
        Arg::new("test")
            .long("test")
            .value_name("SHARE")
            .default_value("0.2")
            .value_parser(super::learn::share)
            .help(
                "Share of the samples held out, by class, to see how often it is right; 0 for none. \
                 What is saved is fitted on all samples",
            ),
        Arg::new("split-seed")
            .long("split-seed")
            .value_name("N")
            .default_value("0")
            .value_parser(value_parser!(u64))
            .help("Which samples are held out"),
    ];
    Command::new("classify")
        .about("Learn to tell classes apart by similarities, of a table's rows or given ones")
        .after_help(EXAMPLES)
        .args(input::optional_args())
        .args(matrices::args("Similarities of the samples with each other instead of TABLE"))
        .args(matrices::label_args(
            "The class of each sample: one a line, a .npy array or a column",
        ))
        .args(method::args())
        .args(own.map(|flag| flag.help_heading(HEADING)))
        .arg(output::form())
        .arg(output::quiet())
        .arg(output::threads())
}

/// What a classifier is fitted on.
enum Data {
    Table(Table<'static>, Target, Box<dyn PairMeasure>),
    Matrix(SimilarityMatrix<'static>, Classes, Option<Vec<String>>, bool),
}

/// Fit a classifier, see how often it is right, save.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let classifier = method::chosen(matches)?;
    let form = output::form_alone(matches);
    let path = output::path(matches);
    input::check_kept(matches, "output", path)?;
    Sink::probe(path)?;
    let begun = Instant::now();
    let (data, name, target_name) = read(matches)?;
    let read = begun.elapsed();
    let begun = Instant::now();
    let work = Work { matches, classifier: classifier.as_ref(), name: &name };
    let held = work.test(&data)?;
    let origin =
        Origin::new(classifier.about().id, classifier.as_ref(), name.as_str(), target_name);
    let model = match data {
        Data::Table(table, target, measure) => progress::watched(matches, &name, |_| {
            ClassifierModel::of_table(origin, measure.as_ref(), &table, &target)
        })?,
        Data::Matrix(s, classes, names, dissimilar) => ClassifierModel {
            origin,
            samples: Samples::Similarities { s, names, dissimilar },
            classes,
        },
    };
    let ready = progress::watched(matches, &name, |run| model.ready(run))?;
    let report = Report {
        classifier: classifier.as_ref(),
        name: &name,
        model: &model,
        fitted: ready.fitted.as_ref(),
        held: held.as_ref(),
        saved: path.map(|path| path.display().to_string()),
        seconds: [read, begun.elapsed()].map(|span| span.as_secs_f64()),
    };
    let text = report.text(form);
    let notes = report.notes();
    if let Some(path) = path {
        let bytes = Model::Classifier(model.clone()).to_bytes()?;
        Sink::open(Some(path))?.fill(|out| out.write_all(&bytes))?;
    }
    Sink::open(None)?.fill(|out| out.write_all(text.as_bytes()))?;
    if form != Form::Table || !screen::stdout_is_watched() {
        notes.iter().for_each(|text| output::note(matches, text));
    }
    Ok(())
}

/// The data that the words name, what they call it and what the classes are called.
fn read(matches: &ArgMatches) -> Result<(Data, String, String)> {
    let table = matches.get_one::<PathBuf>("table").is_some();
    let Some(given) = matrices::chosen(matches)? else {
        if !table {
            return Err(Failure::Input(
                "classify: name a table, or a matrix with --similarity or --dissimilarity and \
                 --labels; `nearkin classify --help` tells more"
                    .into(),
            ));
        }
        if matches.get_one::<PathBuf>("labels").is_some() {
            let reason =
                "--labels: these are for --similarity; name the column of a table with --target";
            return Err(Failure::Input(reason.into()));
        }
        let name = input::name(matches);
        let loaded = input::read(matches)?;
        let (target, target_name) = input::target(matches, &name, &loaded)?;
        let (target, target_name) = (target.clone(), target_name.to_owned());
        let measure = method::measure(matches)?;
        return Ok((Data::Table(loaded.table, target, measure), name, target_name));
    };
    if table {
        let reason = format!("--{}: there is a table too; name one of them", given.flag);
        return Err(Failure::Input(reason));
    }
    if matches.value_source("measure") == Some(clap::parser::ValueSource::CommandLine) {
        let reason = "--measure: this compares rows of a table, and similarities are given";
        return Err(Failure::Input(reason.into()));
    }
    given.check_square()?;
    let name = given.name();
    let Some(classes) = matrices::labels(matches, &name, given.matrix.rows)? else {
        return Err(Failure::Input(format!(
            "--labels: {name} holds similarities alone; name a file with the class of each sample"
        )));
    };
    let dissimilar = given.dissimilar;
    let (s, names) = given.similarities()?;
    Ok((Data::Matrix(s, classes, names, dissimilar), name, "class".into()))
}

/// One way to answer and how often it was right.
struct Line {
    name: String,
    accuracy: f64,
    log_loss: Option<f64>,
    constant: bool,
}

struct HeldOut {
    train: usize,
    test: usize,
    lines: Vec<Line>,
    notes: Vec<String>,
}

struct Work<'a> {
    matches: &'a ArgMatches,
    classifier: &'a dyn Classify,
    name: &'a str,
}

impl Work<'_> {
    /// Fit on some samples, ask about the others.
    fn test(&self, data: &Data) -> Result<Option<HeldOut>> {
        let target = match data {
            Data::Table(_, target, _) => target.clone(),
            Data::Matrix(_, classes, ..) => Target::Classes(classes.clone()),
        };
        let share = self.matches.get_one::<f64>("test").copied().unwrap_or(0.0);
        let rows = target.len();
        let test = (share * rows as f64).round() as usize;
        let (Target::Classes(all), true) = (&target, test > 0 && test < rows) else {
            return Ok(None);
        };
        let seed = self.matches.get_one::<u64>("split-seed").copied().unwrap_or(0);
        let split =
            Holdout { train: rows - test, test, stratified: true, seed }.split(&target, 0)?;
        let known = target.select(&split.train);
        let Target::Classes(classes) = &known else { return Ok(None) };
        if classes.len() < 2 {
            let notes = vec!["one class is left to learn from, so nothing was held out".into()];
            return Ok(Some(HeldOut { train: 0, test: 0, lines: Vec::new(), notes }));
        }
        let truth: Vec<&str> =
            split.test.iter().map(|&row| all.names()[all.codes()[row] as usize].as_str()).collect();
        let (s, asked) = match data {
            Data::Matrix(s, ..) => {
                (s.select(&split.train, &split.train), s.select(&split.test, &split.train))
            }
            Data::Table(table, _, measure) => progress::watched(self.matches, self.name, |run| {
                let (base, queries) =
                    (table.select_rows(&split.train), table.select_rows(&split.test));
                let measure = measure.fit(&base, Some(&known))?;
                Ok((
                    measure.block_with(&base, &base, run)?,
                    measure.block_with(&queries, &base, run)?,
                ))
            })?,
        };
        let mut held = HeldOut {
            train: split.train.len(),
            test: split.test.len(),
            lines: Vec::new(),
            notes: Vec::new(),
        };
        let id = self.classifier.about().id;
        held.lines.push(self.line(id, self.classifier, (&s, classes), (&asked, &truth))?);
        if id != "knn" {
            let knn = classify::classifier("knn")?;
            match self.line("knn", knn.as_ref(), (&s, classes), (&asked, &truth)) {
                Ok(line) => held.lines.push(line),
                Err(Failure::Input(reason)) => held.notes.push(format!("no row for knn: {reason}")),
                Err(other) => return Err(other),
            }
        }
        let counts = classes.counts();
        let most = (0..counts.len()).rev().max_by_key(|&c| counts[c]).unwrap_or(0);
        let right = truth.iter().filter(|name| **name == classes.names()[most]).count();
        held.lines.push(Line {
            name: "majority".into(),
            accuracy: right as f64 / truth.len() as f64,
            log_loss: None,
            constant: true,
        });
        Ok(Some(held))
    }

    fn line(
        &self,
        name: &str,
        classifier: &dyn Classify,
        (s, classes): (&SimilarityMatrix, &Classes),
        (asked, truth): (&SimilarityMatrix, &[&str]),
    ) -> Result<Line> {
        let ask = |run: &Run| -> Result<_, Error> {
            classifier.fit_with(s, classes, run)?.predict_with(asked, run)
        };
        let said = progress::watched(self.matches, self.name, ask)?;
        let wrong = said.errors(truth.iter().copied());
        let code = |name: &str| classes.names().iter().position(|known| known == name);
        let losses = truth.iter().enumerate().map(|(row, name)| {
            let p = said.probabilities(row)?;
            Some(-code(name).map_or(0.0, |at| p[at]).max(1e-15).ln())
        });
        let losses: Option<Vec<f64>> = losses.collect();
        Ok(Line {
            name: name.into(),
            accuracy: 1.0 - wrong as f64 / truth.len() as f64,
            log_loss: losses.map(|all| all.iter().sum::<f64>() / truth.len() as f64),
            constant: said.class.windows(2).all(|pair| pair[0] == pair[1]),
        })
    }
}

/// What was done and what came out.
struct Report<'a> {
    classifier: &'a dyn Classify,
    name: &'a str,
    model: &'a ClassifierModel,
    fitted: &'a dyn Fitted,
    held: Option<&'a HeldOut>,
    saved: Option<String>,
    seconds: [f64; 2],
}

impl Report<'_> {
    fn text(&self, form: Form) -> String {
        match form {
            Form::Table => self.table(),
            Form::Csv => self.csv(),
            Form::Json => format!("{:#}\n", self.json()),
        }
    }

    fn lines(&self) -> &[Line] {
        self.held.map_or(&[], |held| &held.lines)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.fitted.notes();
        notes.extend(self.held.iter().flat_map(|held| held.notes.clone()));
        if let Some(first) = self.lines().first() {
            if first.constant {
                notes.push(format!("{} gives every sample held out the same class", first.name));
            }
            let better = self.lines().iter().skip(1).find(|line| line.accuracy > first.accuracy);
            if let Some(better) = better {
                notes.push(format!(
                    "on the samples held out {} is right more often: {:.1} % against {:.1} %",
                    better.name,
                    better.accuracy * 100.0,
                    first.accuracy * 100.0
                ));
            }
        }
        notes
    }

    fn measured(&self) -> String {
        match &self.model.samples {
            Samples::Table { measure, .. } => format!(", rows compared by {}", measure.id),
            Samples::Similarities { dissimilar: true, .. } => ", from dissimilarities".into(),
            Samples::Similarities { .. } => ", from similarities".into(),
        }
    }

    fn table(&self) -> String {
        let about = self.classifier.about();
        let defaults = classify::classifier(about.id).map(|c| c.parameters()).unwrap_or_default();
        let with = parameters::told(&self.classifier.parameters(), &defaults);
        let classes = &self.model.classes;
        let mut text = format!(
            "{}{with} on {}{}\n{} samples, {} classes\n",
            about.title,
            shown(self.name),
            self.measured(),
            self.model.len(),
            classes.len()
        );
        if let Some(k) = self.fitted.k() {
            let _ = writeln!(text, "neighbourhood of {k}");
        }
        if let Some(held) = self.held.filter(|held| !held.lines.is_empty()) {
            let _ = writeln!(
                text,
                "\nRight on {} samples held out, after {} samples",
                held.test, held.train
            );
            let row = |line: &Line| {
                let loss = line.log_loss.map_or("-".into(), |loss| format!("{loss:.4}"));
                let constant = if line.constant { "constant" } else { "" };
                vec![line.name.clone(), format!("{:.4}", line.accuracy), loss, constant.into()]
            };
            let rows: Vec<Vec<String>> = held.lines.iter().map(row).collect();
            text += &aligned(&["", "accuracy", "log-loss", ""], &rows, &[1, 2]);
        }
        let prototypes = self.fitted.prototypes();
        if prototypes.iter().any(|list| !list.is_empty()) {
            text += "\nSamples that stand for the classes\n";
            for (class, list) in classes.names().iter().zip(&prototypes) {
                let names: Vec<String> =
                    list.iter().take(10).map(|&at| shown(&self.model.name(at))).collect();
                let more = if list.len() > 10 { ", …" } else { "" };
                let _ = writeln!(text, "{}: {}{more}", shown(class), names.join(", "));
            }
        }
        let notes = self.notes();
        if !notes.is_empty() {
            text.push('\n');
        }
        notes.iter().for_each(|note| text += &format!("note: {}\n", shown(note)));
        if let Some(path) = &self.saved {
            let _ = writeln!(text, "saved in {}", shown(path));
        }
        text
    }

    fn csv(&self) -> String {
        let mut text = String::from("way,accuracy,log_loss,constant\n");
        for line in self.lines() {
            let (accuracy, loss) = (number(line.accuracy), line.log_loss.map(number));
            let (loss, constant) = (loss.unwrap_or_default(), line.constant);
            let _ = writeln!(text, "{},{accuracy},{loss},{constant}", line.name);
        }
        text
    }

    fn json(&self) -> Value {
        let line = |line: &Line| {
            json!({
                "way": line.name, "accuracy": line.accuracy, "log_loss": line.log_loss,
                "constant": line.constant,
            })
        };
        let held = self.held.map(|held| {
            let lines: Vec<Value> = held.lines.iter().map(line).collect();
            json!({ "train": held.train, "test": held.test, "lines": lines })
        });
        let prototypes: Vec<Vec<String>> = self
            .fitted
            .prototypes()
            .iter()
            .map(|list| list.iter().map(|&at| self.model.name(at)).collect())
            .collect();
        json!({
            "nearkin_version": env!("CARGO_PKG_VERSION"),
            "method": self.classifier.about().id,
            "parameters": parameters::json(&self.classifier.parameters()),
            "data": self.name,
            "samples": self.model.len(),
            "classes": self.model.classes.names(),
            "counts": self.model.classes.counts(),
            "held_out": held,
            "k": self.fitted.k(),
            "prototypes": prototypes,
            "notes": self.notes(),
            "saved": self.saved,
            "timing": { "read_seconds": self.seconds[0], "fit_seconds": self.seconds[1] },
        })
    }
}
