//! How often a method is right on samples it was not fitted on, compared with simpler methods.

use clap::ArgMatches;
use nearkin::classify::{self, Classify, Predictions, Queries};
use nearkin::compare::Compared;
use nearkin::data::{Classes, Holdout, SimilarityMatrix, Split, Target};
use nearkin::{Error, Run};

use super::data::Data;
use super::method::Chosen;
use crate::costs::Costs;
use crate::failure::{Failure, Result};
use crate::progress;

/// One way to answer and how often it was right.
pub struct Line {
    /// Its name.
    pub name: String,
    /// The share of samples it was right on.
    pub accuracy: f64,
    /// The mean of −log P(true class), where it has probabilities.
    pub log_loss: Option<f64>,
    /// The mean cost of its answers, where costs are given.
    pub cost: Option<f64>,
    /// True when it gave every sample one class.
    pub constant: bool,
}

/// The results on the samples held out.
pub struct HeldOut {
    /// Samples learned from.
    pub train: usize,
    /// Samples held out.
    pub test: usize,
    /// The method first.
    pub lines: Vec<Line>,
    /// Notes for the reader.
    pub notes: Vec<String>,
}

/// The method to test, and the command line.
pub struct Work<'a> {
    /// The words of the user.
    pub matches: &'a ArgMatches,
    /// The method.
    pub method: &'a Chosen,
    /// The data as the user named them.
    pub name: &'a str,
}

impl Work<'_> {
    /// Fit on some samples, ask about the others.
    pub fn test(&self, data: &Data) -> Result<Option<HeldOut>> {
        let target = data.target();
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
        let (train, test) = (split.train.len(), split.test.len());
        let mut held = HeldOut { train, test, lines: Vec::new(), notes: Vec::new() };
        if classes.len() < 2 {
            held.notes.push("one class is left to learn from, so nothing was held out".into());
            return Ok(Some(held));
        }
        let truth: Vec<&str> =
            split.test.iter().map(|&row| all.names()[all.codes()[row] as usize].as_str()).collect();
        self.answers(data, &split, classes, &truth, &mut held)?;
        let counts = classes.counts();
        let most = (0..counts.len()).rev().max_by_key(|&c| counts[c]).unwrap_or(0);
        let right = truth.iter().filter(|name| **name == classes.names()[most]).count();
        let said = vec![most as u32; truth.len()];
        let costs = self.costs(classes.names())?;
        held.lines.push(Line {
            name: "majority".into(),
            accuracy: right as f64 / truth.len() as f64,
            log_loss: None,
            cost: costs.and_then(|c| c.mean(classes.names(), &said, truth.iter().copied())),
            constant: true,
        });
        Ok(Some(held))
    }

    /// The costs the method was given, as its parameter has them.
    fn costs_text(&self) -> String {
        let parameters = self.method.parameters();
        parameters.into_iter().find(|p| p.name == "costs").map(|p| p.default).unwrap_or_default()
    }

    fn costs(&self, classes: &[String]) -> Result<Option<Costs>> {
        Costs::made_with(&self.costs_text(), classes)
    }

    /// The line of the method and, for classifiers of similarities, a line of k-NN to compare
    /// with.
    fn answers(
        &self,
        data: &Data,
        split: &Split,
        classes: &Classes,
        truth: &[&str],
        held: &mut HeldOut,
    ) -> Result<()> {
        let id = self.method.about().id;
        let classifier = match (self.method, data) {
            (Chosen::Similar(classifier), _) => classifier.as_ref(),
            (Chosen::Bayes(bayes), Data::Table { table, .. }) => {
                let said = progress::watched(self.matches, self.name, |run| {
                    let fitted = bayes.fit(&table.select_rows(&split.train), classes)?;
                    fitted.predict_with(&table.select_rows(&split.test), run)
                })?;
                held.lines.push(line(id, &said, truth, self.costs(classes.names())?.as_ref()));
                return Ok(());
            }
            (Chosen::Bayes(_), Data::Matrices { .. }) => return Ok(()),
        };
        held.lines.push(self.line(id, classifier, data, (split, classes, truth))?);
        if id != "knn" && data.measures() == 1 {
            let mut knn = classify::classifier("knn")?;
            // Under the same costs, so that both mind what is costly.
            classify::set(knn.as_mut(), "costs", &self.costs_text())?;
            match self.line("knn", knn.as_ref(), data, (split, classes, truth)) {
                Ok(line) => held.lines.push(line),
                Err(Failure::Input(reason)) => held.notes.push(format!("no row for knn: {reason}")),
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// Fit `classifier` on the training samples and predict the classes of the held-out samples.
    fn line(
        &self,
        name: &str,
        classifier: &dyn Classify,
        data: &Data,
        (split, classes, truth): (&Split, &Classes, &[&str]),
    ) -> Result<Line> {
        let ask = |run: &Run| -> Result<_, Error> {
            match data {
                Data::Matrices { views, .. } => {
                    let cut = |rows: &[usize]| -> Vec<SimilarityMatrix<'static>> {
                        views.iter().map(|s| s.select(rows, &split.train)).collect()
                    };
                    let fitted = classifier.fit_several(&cut(&split.train), classes, run)?;
                    fitted.predict_from(Queries::Similarities(&cut(&split.test)), run)
                }
                Data::Table { table, measures, .. } => {
                    let base = table.select_rows(&split.train);
                    let compared = Compared::fit(classifier, measures, base, classes)?;
                    let fitted = compared.classify(classifier, classes, run)?;
                    compared.predict(fitted.as_ref(), &table.select_rows(&split.test), run)
                }
            }
        };
        let said = progress::watched(self.matches, self.name, ask)?;
        Ok(line(name, &said, truth, self.costs(classes.names())?.as_ref()))
    }
}

/// How good the predictions `said` are; `truth` holds the true classes.
fn line(name: &str, said: &Predictions, truth: &[&str], costs: Option<&Costs>) -> Line {
    let wrong = said.errors(truth.iter().copied());
    let code = |name: &str| said.names.iter().position(|known| known == name);
    let losses = truth.iter().enumerate().map(|(row, name)| {
        let p = said.probabilities(row)?;
        Some(-code(name).map_or(0.0, |at| p[at]).max(1e-15).ln())
    });
    let losses: Option<Vec<f64>> = losses.collect();
    Line {
        name: name.into(),
        accuracy: 1.0 - wrong as f64 / truth.len() as f64,
        log_loss: losses.map(|all| all.iter().sum::<f64>() / truth.len() as f64),
        cost: costs.and_then(|c| c.mean(&said.names, &said.class, truth.iter().copied())),
        constant: truth.len() > 1 && said.class.windows(2).all(|pair| pair[0] == pair[1]),
    }
}
