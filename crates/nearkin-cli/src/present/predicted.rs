//! `row,predicted,p_<class>…`: what a model says of every row.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::columns::{aligned, shown};
use super::table::cut;
use crate::csv::{cell, number};
use crate::output::Form;

/// The predictions of a model for every row.
pub struct Predicted {
    /// The class names in code order.
    pub classes: Vec<String>,
    /// The class of each row.
    pub class: Vec<u32>,
    /// Class probabilities, a row a query, where the model has any.
    pub probabilities: Option<Vec<f64>>,
    /// The scores of the classes, if the method has no probabilities.
    pub scores: Option<Vec<f64>>,
    /// Every class whose own similarity answers yes, when there is one similarity for each class.
    pub labels: Option<Vec<Vec<u32>>>,
    /// The largest log-likelihood over the classes: low for a row unlike the training rows.
    pub log_likelihood: Option<Vec<f64>>,
    /// The rows' names, where they have any.
    pub names: Option<Vec<String>>,
    /// A remark for each row; empty for most.
    pub remarks: Vec<String>,
    /// True for the rows that a simpler rule decided; empty when the model has no such rule.
    pub fallback: Vec<bool>,
}

impl Predicted {
    fn rows(&self) -> usize {
        self.class.len()
    }

    fn of<'v>(&self, values: &'v [f64], row: usize) -> &'v [f64] {
        let width = self.classes.len();
        &values[row * width..(row + 1) * width]
    }

    /// The name of the class of `row`.
    pub fn label(&self, row: usize) -> &str {
        &self.classes[self.class[row] as usize]
    }

    /// Names of the classes that say yes to `row`.
    fn labels_of(&self, row: usize) -> Option<String> {
        let labels = self.labels.as_ref()?;
        let names: Vec<&str> =
            labels[row].iter().map(|&code| self.classes[code as usize].as_str()).collect();
        Some(names.join(";"))
    }

    /// The answer in this form; in JSON, the entries of `about` are added to it.
    pub fn text(&self, form: Form, about: Map<String, Value>) -> String {
        form.text(|| self.table(), || self.csv(), || self.json(about))
    }

    /// The columns of numbers: what they are called before the class, and their values.
    fn numbers(&self) -> Vec<(&'static str, &Vec<f64>)> {
        let all = [("p_", &self.probabilities), ("s_", &self.scores)];
        all.into_iter().filter_map(|(prefix, values)| Some((prefix, values.as_ref()?))).collect()
    }

    fn remarked(&self) -> bool {
        self.remarks.iter().any(|remark| !remark.is_empty())
    }

    fn csv(&self) -> String {
        let mut text = String::from("row");
        if self.names.is_some() {
            text += ",name";
        }
        text += ",predicted";
        for (prefix, _) in self.numbers() {
            self.classes
                .iter()
                .for_each(|class| text += &format!(",{}", cell(&format!("{prefix}{class}"))));
        }
        for (name, there) in [
            ("labels", self.labels.is_some()),
            ("log_likelihood", self.log_likelihood.is_some()),
            ("remark", self.remarked()),
        ] {
            if there {
                text += &format!(",{name}");
            }
        }
        text.push('\n');
        for row in 0..self.rows() {
            let _ = write!(text, "{row}");
            if let Some(names) = &self.names {
                let _ = write!(text, ",{}", cell(&names[row]));
            }
            let _ = write!(text, ",{}", cell(self.label(row)));
            for (_, values) in self.numbers() {
                self.of(values, row).iter().for_each(|&x| {
                    // No score is no number: an empty cell.
                    let cell = if x == f64::NEG_INFINITY { String::new() } else { real(x) };
                    text += &format!(",{cell}");
                });
            }
            if let Some(labels) = self.labels_of(row) {
                let _ = write!(text, ",{}", cell(&labels));
            }
            if let Some(logs) = &self.log_likelihood {
                let _ = write!(text, ",{}", real(logs[row]));
            }
            if self.remarked() {
                let _ = write!(text, ",{}", cell(&self.remarks[row]));
            }
            text.push('\n');
        }
        text
    }

    fn table(&self) -> String {
        let mut head = vec!["row".to_owned(), "predicted".to_owned()];
        if self.names.is_some() {
            head.insert(1, "name".into());
        }
        let first = head.len();
        for (prefix, _) in self.numbers() {
            head.extend(self.classes.iter().map(|class| cut(&format!("{prefix}{class}"))));
        }
        let mut right: Vec<usize> = (first..head.len()).chain([0]).collect();
        if self.labels.is_some() {
            head.push("labels".into());
        }
        if self.log_likelihood.is_some() {
            right.push(head.len());
            head.push("log-likelihood".into());
        }
        if self.remarked() {
            head.push("".into());
        }
        let row = |row: usize| {
            let mut cells = vec![row.to_string()];
            cells.extend(self.names.as_ref().map(|names| cut(&names[row])));
            cells.push(cut(self.label(row)));
            for (_, values) in self.numbers() {
                cells.extend(self.of(values, row).iter().map(|&x| score(x, 3)));
            }
            cells.extend(self.labels_of(row).map(|labels| shown(&labels)));
            cells.extend(self.log_likelihood.as_ref().map(|logs| format!("{:.3}", logs[row])));
            if self.remarked() {
                cells.push(shown(&self.remarks[row]));
            }
            cells
        };
        let rows: Vec<Vec<String>> = (0..self.rows()).map(row).collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        aligned(&head, &rows, &right)
    }

    fn json(&self, mut about: Map<String, Value>) -> Value {
        let row = |row: usize| {
            let mut one = Map::new();
            one.insert("row".into(), row.into());
            if let Some(names) = &self.names {
                one.insert("name".into(), names[row].as_str().into());
            }
            one.insert("predicted".into(), self.label(row).into());
            for (prefix, values) in self.numbers() {
                let name = if prefix == "p_" { "probabilities" } else { "scores" };
                let by_class = self.classes.iter().cloned().zip(self.of(values, row));
                let by_class: Map<String, Value> =
                    by_class.map(|(class, x)| (class, json!(x))).collect();
                one.insert(name.into(), Value::Object(by_class));
            }
            if let Some(labels) = &self.labels {
                let names = labels[row].iter().map(|&code| self.classes[code as usize].as_str());
                one.insert("labels".into(), names.collect());
            }
            if let Some(logs) = &self.log_likelihood {
                one.insert("log_likelihood".into(), json!(logs[row]));
            }
            if !self.remarks.is_empty() && !self.remarks[row].is_empty() {
                one.insert("remark".into(), self.remarks[row].as_str().into());
            }
            Value::Object(one)
        };
        let rows: Vec<Value> = (0..self.rows()).map(row).collect();
        about.insert("classes".into(), json!(self.classes));
        about.insert("predictions".into(), Value::Array(rows));
        Value::Object(about)
    }
}

/// A score with `digits` digits; `-` for a class that the classifier left out.
pub fn score(x: f64, digits: usize) -> String {
    match x {
        f64::NEG_INFINITY => "-".into(),
        x => format!("{x:.digits$}"),
    }
}

/// A number as data frames read it.
fn real(x: f64) -> String {
    match x {
        x if x == f64::INFINITY => "inf".into(),
        x if x == f64::NEG_INFINITY => "-inf".into(),
        x => number(x),
    }
}
