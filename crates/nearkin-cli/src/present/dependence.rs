//! How the weights of each class correlate with the overall weights.

use nearkin::weigh::{ClassDependence, class_dependence};
use serde_json::{Map, Value, json};

use super::Answer;
use super::columns::{aligned, shown};

/// Correlations of w and w_c, if there are weights for each class.
fn found(answer: &Answer) -> Option<ClassDependence> {
    answer.per_class().then(|| class_dependence(answer.weights).ok()).flatten()
}

fn told(r: Option<f64>) -> String {
    r.map_or("-".into(), |r| format!("{r:+.4}"))
}

/// The section's text.
pub fn text(answer: &Answer) -> Option<String> {
    let found = found(answer)?;
    let cells = answer.weights.classes.iter().zip(&found.correlations).zip(&found.variances);
    let rows: Vec<Vec<String>> = cells
        .map(|((class, &r), variance)| vec![shown(class), told(r), format!("{variance:.3e}")])
        .collect();
    let head = ["class", "Pearson's r of w and w_c", "variance of w_c"];
    let most = shown(answer.weights.classes.get(found.most_varied)?);
    Some(format!(
        "{}MaxCorr {}; the weights of {most} vary most, and cdRelief ranks by them\n",
        aligned(&head, &rows, &[1, 2]),
        told(found.highest)
    ))
}

/// The same for programs.
pub fn json(answer: &Answer) -> Value {
    let Some(found) = found(answer) else { return Value::Null };
    let classes = &answer.weights.classes;
    let by_class: Map<String, Value> = classes
        .iter()
        .zip(&found.correlations)
        .map(|(class, r)| (class.clone(), json!(r)))
        .collect();
    json!({
        "correlations": by_class,
        "max_correlation": found.highest,
        "most_varied": classes.get(found.most_varied),
    })
}
