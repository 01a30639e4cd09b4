//! The answer of `nearkin classify`.

use std::fmt::Write as _;

use nearkin::classify::Fitted;
use nearkin::data::Classes;
use nearkin::model::ClassifierModel;
use serde_json::{Value, json};

use super::held_out::{HeldOut, Line};
use super::method::Chosen;
use crate::commands::learn::few;
use crate::csv::number;
use crate::output::{self, Form, Remark};
use crate::parameters;
use crate::present::columns::{aligned, shown};

/// A classifier, and its results.
pub struct Report<'a> {
    /// The method.
    pub method: &'a Chosen,
    /// The data as the user named them.
    pub name: &'a str,
    /// A phrase that says where the similarities come from; empty when there are none.
    pub measured: String,
    /// The classes of the samples.
    pub classes: &'a Classes,
    /// The classifier and its sample names, if it is a classifier of similarities.
    pub fitted: Option<(&'a dyn Fitted, &'a ClassifierModel)>,
    /// Peculiarities of the samples.
    pub odd: Vec<String>,
    /// The results on samples held out.
    pub held: Option<&'a HeldOut>,
    /// Where the model was saved.
    pub saved: Option<String>,
    /// Seconds of reading and of fitting.
    pub seconds: [f64; 2],
}

impl Report<'_> {
    /// The report in this form.
    pub fn text(&self, form: Form) -> String {
        form.text(|| self.table(), || self.csv(), || self.json())
    }

    fn lines(&self) -> &[Line] {
        self.held.map_or(&[], |held| &held.lines)
    }

    /// Notes for the reader.
    pub fn notes(&self) -> Vec<Remark> {
        let mut notes =
            self.fitted.map(|(fitted, _)| output::remarks(&fitted.notes())).unwrap_or_default();
        notes.extend(self.odd.iter().cloned().map(Remark::from));
        notes.extend(self.held.iter().flat_map(|held| held.notes.clone()).map(Remark::from));
        let Some(held) = self.held else { return notes };
        if let Some(first) = held.lines.first() {
            notes.extend(few(held.test).map(Remark::from));
            if first.constant {
                let told = format!("{} gives every sample held out the same class", first.name);
                notes.push(told.into());
            }
            let cheaper = |line: &&Line| line.cost < first.cost;
            if let Some(better) = self.lines().iter().skip(1).find(cheaper) {
                notes.push(Remark::from(format!(
                    "on the {} samples held out {} costs less: {:.4} a sample against {:.4}",
                    held.test,
                    better.name,
                    better.cost.unwrap_or_default(),
                    first.cost.unwrap_or_default()
                )));
            }
            let better = self.lines().iter().skip(1).find(|line| line.accuracy > first.accuracy);
            // Where costs are given it is them that count.
            if let (Some(better), None) = (better, first.cost) {
                let count = |line: &Line| (line.accuracy * held.test as f64).round();
                notes.push(Remark::from(format!(
                    "on the {} samples held out {} is right more often: on {} against {}",
                    held.test,
                    better.name,
                    count(better),
                    count(first)
                )));
            }
        }
        notes
    }

    fn k(&self) -> Option<usize> {
        self.fitted.and_then(|(fitted, _)| fitted.insight().k)
    }

    /// For every class, the names of its prototypes.
    fn prototypes(&self) -> Vec<Vec<String>> {
        let Some((fitted, model)) = self.fitted else { return Vec::new() };
        let names = |list: &Vec<usize>| list.iter().map(|&at| model.name(at)).collect();
        fitted.insight().prototypes.iter().map(names).collect()
    }

    fn table(&self) -> String {
        let (about, classes) = (self.method.about(), self.classes);
        let defaults = Chosen::called(about.id).map(|c| c.parameters()).unwrap_or_default();
        let with = parameters::told(&self.method.parameters(), &defaults);
        let mut text = format!(
            "{}{with} on {}{}\n{} samples, {} classes\n",
            about.title,
            shown(self.name),
            self.measured,
            classes.codes().len(),
            classes.len()
        );
        if let Some(k) = self.k() {
            let _ = writeln!(text, "neighbourhood of {k}");
        }
        if let Some(held) = self.held.filter(|held| !held.lines.is_empty()) {
            let _ = writeln!(
                text,
                "\nRight on {} samples held out, after {} samples",
                held.test, held.train
            );
            let costs = held.lines.iter().any(|line| line.cost.is_some());
            let real = |x: Option<f64>| x.map_or("-".into(), |x| format!("{:.4}", x + 0.0));
            let row = |line: &Line| {
                let constant = if line.constant { "constant" } else { "" };
                let mut row =
                    vec![line.name.clone(), real(Some(line.accuracy)), real(line.log_loss)];
                row.extend(costs.then(|| real(line.cost)));
                row.push(constant.into());
                row
            };
            let rows: Vec<Vec<String>> = held.lines.iter().map(row).collect();
            let mut head = vec!["", "accuracy", "log-loss"];
            head.extend(costs.then_some("mean cost"));
            head.push("");
            text += &aligned(&head, &rows, &(1..head.len() - 1).collect::<Vec<_>>());
        }
        let prototypes = self.prototypes();
        if prototypes.iter().any(|list| !list.is_empty()) {
            text += "\nSamples that stand for the classes\n";
            for (class, list) in classes.names().iter().zip(&prototypes) {
                let names: Vec<String> = list.iter().take(10).map(|name| shown(name)).collect();
                let more = if list.len() > 10 { ", …" } else { "" };
                let _ = writeln!(text, "{}: {}{more}", shown(class), names.join(", "));
            }
        }
        text += &output::below(&self.notes());
        if let Some(path) = &self.saved {
            let _ = writeln!(text, "saved in {}", shown(path));
        }
        text
    }

    fn csv(&self) -> String {
        let mut text = String::from("way,accuracy,log_loss,mean_cost,constant\n");
        for line in self.lines() {
            let real = |x: Option<f64>| x.map(number).unwrap_or_default();
            let cells = [Some(line.accuracy), line.log_loss, line.cost].map(real);
            let _ = writeln!(text, "{},{},{}", line.name, cells.join(","), line.constant);
        }
        text
    }

    fn json(&self) -> Value {
        let line = |line: &Line| {
            json!({
                "way": line.name, "accuracy": line.accuracy, "log_loss": line.log_loss,
                "mean_cost": line.cost, "constant": line.constant,
            })
        };
        let held = self.held.map(|held| {
            let lines: Vec<Value> = held.lines.iter().map(line).collect();
            json!({ "train": held.train, "test": held.test, "lines": lines })
        });
        json!({
            "nearkin_version": env!("CARGO_PKG_VERSION"),
            "method": self.method.about().id,
            "parameters": parameters::json(&self.method.parameters()),
            "data": self.name,
            "samples": self.classes.codes().len(),
            "classes": self.classes.names(),
            "counts": self.classes.counts(),
            "held_out": held,
            "k": self.k(),
            "prototypes": self.prototypes(),
            "notes": output::texts(&self.notes()),
            "saved": self.saved,
            "timing": { "read_seconds": self.seconds[0], "fit_seconds": self.seconds[1] },
        })
    }
}
