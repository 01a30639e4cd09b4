//! Why naive Bayes gives a row its class: what each column says.

use std::fmt::Write as _;

use clap::ArgMatches;
use nearkin::model::{Model, NaiveBayesModel};
use serde_json::{Value, json};

use crate::commands::predict::bayes_table;
use crate::costs::Costs;
use crate::csv::{cell, number};
use crate::failure::Result;
use crate::output::Form;
use crate::present::columns::{aligned, shown};
use crate::present::table::cut;
use crate::{models, progress};

/// One column's evidence for a row: its value, and log P(value | class) if training saw the value.
struct Says<'f> {
    column: &'f str,
    value: Option<String>,
    logs: Option<Vec<f64>>,
}

/// The explanation of the row that `--row` names.
pub fn explain(
    matches: &ArgMatches,
    saved: &Model,
    model: &NaiveBayesModel,
    form: Form,
) -> Result<String> {
    let (loaded, place) = bayes_table(matches, saved)?;
    let row = models::row(matches, &place, loaded.table.rows(), Some(&loaded.row_names))?;
    let one = loaded.table.select_rows(&[row]);
    let said = progress::watched(matches, &place, |run| model.predict(&one, run))?;
    let (fitted, names) = (&model.fitted, model.fitted.names());
    let costs = Costs::in_force(matches, &model.origin, names)?;
    let said = match costs.as_ref().and_then(Costs::given) {
        Some(given) => said.with_costs(given)?,
        None => said,
    };
    let class = &names[said.class[0] as usize];
    let p = said.probabilities(0).unwrap_or_default();
    let expected = costs.as_ref().map(|costs| costs.expected(&p));
    let says: Vec<Says> = fitted
        .laws()
        .zip(fitted.values(&one, 0))
        .map(|(law, value)| {
            let at = value.as_ref().and_then(|value| law.values.iter().position(|v| v == value));
            let logs = at.map(|at| law.log_p.iter().map(|p| p[at]).collect());
            Says { column: law.column, value, logs }
        })
        .collect();
    if form == Form::Json {
        let column =
            |one: &Says| json!({ "column": one.column, "value": one.value, "log_p": one.logs });
        let columns: Vec<Value> = says.iter().map(column).collect();
        let told = json!({
            "nearkin_version": env!("CARGO_PKG_VERSION"),
            "method": model.origin.method,
            "data": place,
            "row": row,
            "predicted": class,
            "classes": names,
            "log_priors": fitted.log_priors(),
            "scores": said.scores_of(0),
            "probabilities": p,
            "costs": costs.as_ref().map(|costs| costs.values.as_slice()),
            "expected_costs": expected,
            "columns": columns,
        });
        return Ok(format!("{told:#}\n"));
    }
    if form == Form::Csv {
        let mut text = String::from("what,class,of,value\n");
        for (at, name) in names.iter().enumerate() {
            let name = cell(name);
            let _ = writeln!(text, "score,{name},,{}", number(said.scores_of(0)[at]));
            let _ = writeln!(text, "probability,{name},,{}", number(p[at]));
            if let Some(expected) = &expected {
                let _ = writeln!(text, "expected_cost,{name},,{}", number(expected[at]));
            }
            let _ = writeln!(text, "log_prior,{name},,{}", number(fitted.log_priors()[at]));
            for Says { column, logs, .. } in &says {
                if let Some(logs) = logs {
                    let _ = writeln!(text, "log_p,{name},{},{}", cell(column), number(logs[at]));
                }
            }
        }
        return Ok(text);
    }
    let mut text =
        format!("naive-bayes says `{}` of row {row} of {}\n\n", shown(class), shown(&place));
    let mut head = vec!["".to_owned(), "value".to_owned()];
    head.extend(names.iter().map(|name| cut(name)));
    let mut rows = Vec::new();
    let mut push = |what: &str, value: &str, numbers: Vec<String>| {
        rows.push([vec![cut(what), cut(value)], numbers].concat());
    };
    let real = |numbers: &[f64]| numbers.iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>();
    push("probability", "", real(&p));
    if let Some(expected) = &expected {
        push("expected cost", "", real(expected));
    }
    push("score", "", real(said.scores_of(0)));
    push("log prior", "", real(fitted.log_priors()));
    for Says { column, value, logs } in &says {
        let numbers = logs.as_ref().map_or(vec!["-".to_owned(); names.len()], |logs| real(logs));
        push(column, value.as_deref().unwrap_or("missing or new"), numbers);
    }
    text += &aligned(&head, &rows, &(2..head.len()).collect::<Vec<_>>());
    text += "\nThe score is the sum of what stands below it: the log-prior, and log P(value | class) of \
             every column.\n";
    if let Some(costs) = &costs {
        let _ = writeln!(text, "It is {}.", costs.told());
    }
    Ok(text)
}
