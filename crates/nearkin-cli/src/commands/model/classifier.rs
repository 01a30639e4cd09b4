//! A saved classifier: what it was fitted on, its prototypes and its laws.

use std::fmt::Write as _;

use clap::ArgMatches;
use nearkin::Run;
use nearkin::classify::{ClassLaw, Insight, LawTable};
use nearkin::model::{ClassifierModel, TrainingSamples};
use serde_json::{Map, Value, json};

use super::laws;
use crate::costs::Costs;
use crate::csv::{cell, number};
use crate::failure::{Failure, Result, refuse};
use crate::models;
use crate::output::{self, Form};
use crate::present::columns::{aligned, shown};

/// The text about a classifier, in the form asked for.
pub fn text(matches: &ArgMatches, model: &ClassifierModel, form: Form) -> Result<String> {
    let file = models::path(matches).display().to_string();
    let ready = model.ready(&Run::default()).map_err(|e| Failure::of_table(&file, e))?;
    let Insight { laws: all, prototypes, k, alpha, chosen, .. } = ready.fitted.insight();
    let tables = ready.fitted.law_tables();
    let names = model.classes.names();
    if matches.get_flag("histograms") {
        if tables.is_empty() {
            return refuse!(
                "--histograms: {} has no laws before it sees a query; `nearkin explain` shows those \
                 of one; sda and nn-sda have them",
                model.origin.method
            );
        }
        return Ok(laws::histograms(&tables, names, form));
    }
    let from = match &model.samples {
        TrainingSamples::Table { measures, .. } => {
            let ids: Vec<&str> = measures.iter().map(|one| one.id.as_str()).collect();
            format!("rows compared by {}", ids.join(" and "))
        }
        TrainingSamples::Similarities { dissimilar: true, .. } => "dissimilarities".into(),
        TrainingSamples::Similarities { .. } => "similarities".into(),
    };
    let standing = |class: usize| -> Vec<String> {
        let list = prototypes.get(class).map(Vec::as_slice).unwrap_or_default();
        list.iter().map(|&at| model.name(at)).collect()
    };
    let statistic = |law: &ClassLaw| statistic(law, &tables, names);
    if form == Form::Json {
        let law = |law: &ClassLaw| {
            json!({
                "class": names[law.class], "statistic": law.statistic, "of": statistic(law),
                "component": law.component, "weight": law.weight, "mean": law.mean,
                "lambda": law.law.lambda(), "log_z": law.law.log_z(),
            })
        };
        let parameters: Map<String, Value> =
            model.origin.parameters.iter().map(|(n, v)| (n.clone(), json!(v))).collect();
        let columns: Vec<String> = model.columns().into_iter().map(|(name, _)| name).collect();
        return Ok(format!(
            "{:#}\n",
            json!({
                "kind": "classifier", "method": model.origin.method, "parameters": parameters,
                "data": model.origin.data, "target": model.origin.target, "from": from,
                "columns": columns, "samples": model.len(), "classes": names,
                "counts": model.classes.counts(), "k": k, "alpha": alpha,
                 "chosen": chosen.iter().map(|(name, value)| (name.to_string(), json!(value))).collect::<Map<_, _>>(),
                "prototypes": (0..names.len()).map(standing).collect::<Vec<_>>(),
                "laws": all.iter().map(law).collect::<Vec<_>>(),
                "law_tables": laws::json(&tables, names),
                "notes": output::texts(&output::remarks(&ready.fitted.notes())),
            })
        ));
    }
    if form == Form::Csv {
        let mut text = String::from("class,statistic,of,component,weight,mean,lambda,log_z\n");
        for law in &all {
            let numbers = [law.weight, law.mean, law.law.lambda(), law.law.log_z()].map(number);
            let class = cell(&names[law.class]);
            let place = format!("{},{},{}", law.statistic, cell(&statistic(law)), law.component);
            let _ = writeln!(text, "{class},{place},{}", numbers.join(","));
        }
        return Ok(text);
    }
    let mut text = format!(
        "A classifier, {}, fitted on {}: {from}, target `{}`\n",
        model.origin.method,
        shown(&model.origin.data),
        shown(&model.origin.target)
    );
    let parameters = model.origin.parameters.iter().filter(|(_, value)| !value.is_empty());
    let told = |(name, given): (&String, &String)| {
        let dashed = name.replace('_', "-");
        match chosen.iter().find(|(chosen, _)| chosen == name).map(|(_, value)| number(*value)) {
            Some(value) if value != *given => format!("{dashed} {value} (chosen)"),
            _ => format!("{dashed} {given}"),
        }
    };
    let parameters: Vec<String> = parameters.map(|(name, value)| told((name, value))).collect();
    let _ = writeln!(text, "{}", parameters.join(", "));
    if let Some(costs) = Costs::of_model(&model.origin, names)? {
        let _ = writeln!(text, "{}", costs.told());
    }
    if let Some(k) = k {
        let _ = writeln!(text, "neighbourhood of {k}");
    }
    if let Some(alpha) = alpha {
        let _ = writeln!(text, "neighbourhood within a factor of 1 + {alpha}");
    }
    text.push('\n');
    let row = |(at, name): (usize, &String)| {
        let standing = shown(&standing(at).join(", "));
        vec![shown(name), model.classes.counts()[at].to_string(), standing]
    };
    let rows: Vec<Vec<String>> = names.iter().enumerate().map(row).collect();
    text += &aligned(&["class", "samples", "stands for it"], &rows, &[1]);
    text += &output::below(&output::remarks(&ready.fitted.notes()));
    if !all.is_empty() {
        text += "\nLaws\n";
        let row = |law: &ClassLaw| {
            let numbers = [law.mean, law.law.lambda(), law.law.log_z(), law.weight];
            let mut row = vec![shown(&names[law.class]), shown(&statistic(law))];
            row.extend(numbers.map(|x| format!("{x:.4}")));
            row
        };
        let rows: Vec<Vec<String>> = all.iter().map(row).collect();
        let head = ["class", "statistic", "mean", "lambda", "log Z", "weight"];
        text += &aligned(&head, &rows, &[2, 3, 4, 5]);
    }
    if !tables.is_empty() {
        text.push('\n');
        text += &laws::histograms(&tables, names, Form::Table);
    }
    Ok(text)
}

/// The class and the statistic of a law, as text.
fn statistic(law: &ClassLaw, tables: &[LawTable], names: &[String]) -> String {
    match (tables.get(law.statistic), names.get(law.statistic)) {
        (Some(table), _) => table.statistic.clone(),
        (None, Some(class)) => format!("similarity to prototype {} of {class}", law.component),
        (None, None) => law.statistic.to_string(),
    }
}
