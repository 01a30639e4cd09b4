//! Everything known about an answer, as one JSON object; timing comes last.

use std::io::{self, Write};
use std::time::Instant;

use nearkin::data::Target;
use serde_json::{Map, Value, json};

use super::Answer;
use crate::parameters;

/// Write the answer as a JSON object.
pub fn write(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    let begun = Instant::now();
    let body = serde_json::to_string_pretty(&body(answer))?;
    // The time to write cannot be known inside what is written: this is the rendering.
    let timing = json!({
        "read_seconds": answer.read.as_secs_f64(),
        "fit_seconds": answer.fitted.as_secs_f64(),
        "write_seconds": begun.elapsed().as_secs_f64(),
    });
    let timing = serde_json::to_string(&timing)?;
    let body = body.trim_end_matches(['\n', '}']);
    writeln!(out, "{body},\n  \"timing\": {timing}\n}}")
}

fn body(answer: &Answer) -> Value {
    let about = answer.method.about();
    let parameters = parameters::json(&answer.method.parameters());
    let seed = parameters.get("seed").cloned().unwrap_or(Value::Null);
    let (names, counts): (Vec<&str>, Vec<usize>) = answer.classes().into_iter().unzip();
    let kind = match answer.target {
        Target::Classes(_) => "classes",
        Target::Real(_) => "real",
    };
    json!({
        "nearkin_version": env!("CARGO_PKG_VERSION"),
        "method": about.id,
        "parameters": parameters,
        "seed": seed,
        "table": answer.table,
        "rows": answer.rows,
        "columns": answer.columns,
        "target": answer.target_name,
        "target_kind": kind,
        "target_guessed": answer.target_guessed,
        "classes": names,
        "class_rows": counts,
        "weights": weights(answer),
        "notes": answer.weights.notes,
    })
}

fn weights(answer: &Answer) -> Vec<Value> {
    let (per_class, explains) = (answer.per_class(), answer.explains());
    let mut all = Vec::new();
    for ranking in answer.rankings() {
        for place in &ranking.places {
            let mut one = Map::new();
            one.insert("rank".into(), place.rank.into());
            one.insert("feature".into(), place.feature.as_str().into());
            if per_class {
                one.insert("class".into(), json!(ranking.class));
            }
            if explains {
                one.insert("row".into(), json!(ranking.row));
            }
            one.insert("weight".into(), place.weight.into());
            all.push(Value::Object(one));
        }
    }
    all
}
