//! A saved naive Bayes: what it counted.

use std::fmt::Write as _;

use nearkin::model::NaiveBayesModel;
use serde_json::{Map, Value, json};

use crate::costs::Costs;
use crate::csv::{cell, number};
use crate::failure::Result;
use crate::output::Form;
use crate::present::columns::{aligned, shown};
use crate::present::table::cut;

/// P(value | class) of every column.
pub fn text(model: &NaiveBayesModel, form: Form) -> Result<String> {
    let (fitted, names) = (&model.fitted, model.fitted.names());
    Ok(match form {
        Form::Json => {
            let parameters: Map<String, Value> =
                model.origin.parameters.iter().map(|(n, v)| (n.clone(), json!(v))).collect();
            let columns: Vec<Value> = fitted
                .laws()
                .map(
                    |law| json!({ "column": law.column, "values": law.values, "log_p": law.log_p }),
                )
                .collect();
            let told = json!({
                "kind": "naive-bayes", "method": model.origin.method, "parameters": parameters,
                "data": model.origin.data, "target": model.origin.target, "classes": names,
                "counts": model.counts, "log_priors": fitted.log_priors(), "columns": columns,
            });
            format!("{told:#}\n")
        }
        Form::Csv => {
            let mut text = String::from("column,value,class,log_p\n");
            for law in fitted.laws() {
                for (at, value) in law.values.iter().enumerate() {
                    for (class, log_p) in names.iter().zip(law.log_p) {
                        let words = [law.column, value, class].map(cell).join(",");
                        let _ = writeln!(text, "{words},{}", number(log_p[at]));
                    }
                }
            }
            text
        }
        Form::Table => {
            let mut text = format!(
                "Naive Bayes, fitted on {}, target `{}`\n{} columns; rows: ",
                shown(&model.origin.data),
                shown(&model.origin.target),
                model.columns.len()
            );
            let rows: Vec<String> = names
                .iter()
                .zip(&model.counts)
                .map(|(name, count)| format!("{count} of {}", shown(name)))
                .collect();
            let _ = writeln!(text, "{}", rows.join(", "));
            if let Some(costs) = Costs::of_model(&model.origin, names)? {
                let _ = writeln!(text, "{}", costs.told());
            }
            text += "\nP(value | class)\n";
            let mut head = vec!["column".to_owned(), "value".to_owned()];
            head.extend(names.iter().map(|name| cut(name)));
            let mut rows = Vec::new();
            for law in fitted.laws() {
                for (at, value) in law.values.iter().enumerate() {
                    let mut row = vec![cut(law.column), cut(value)];
                    row.extend(law.log_p.iter().map(|log_p| format!("{:.4}", log_p[at].exp())));
                    rows.push(row);
                }
            }
            text + &aligned(&head, &rows, &(2..head.len()).collect::<Vec<_>>())
        }
    })
}
