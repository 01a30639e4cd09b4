//! Everything known about an answer, as one JSON object; timing comes last.

use std::io::{self, Write};
use std::time::Instant;

use nearkin::data::Target;
use serde_json::{Map, Value, json};

use super::extra::Cell;
use super::{Answer, dependence};
use crate::commands::Tested;
use crate::{output, parameters};

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
    let parameters = parameters::json(&answer.method.parameters());
    let seed = parameters.get("seed").cloned().unwrap_or(Value::Null);
    let (names, counts): (Vec<&str>, Vec<usize>) = answer.classes().into_iter().unzip();
    let kind = match answer.target {
        Target::Classes(_) => "classes",
        Target::Real(_) => "real",
    };
    let p_values = answer.tested.map(|tested| match tested {
        Tested::Own | Tested::Association => json!({ "test": "association" }),
        Tested::Stir => json!({ "test": "stir" }),
        Tested::Permutation(times) => json!({ "test": "permutation", "permutations": times }),
    });
    json!({
        "nearkin_version": env!("CARGO_PKG_VERSION"),
        "method": answer.about.id,
        "wrap": answer.wrapper.map(|wrapper| wrapper.id),
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
        "p_values": p_values,
        "interval": answer.bootstrap.map(|b| json!({ "level": b.level, "replicates": b.replicates })),
        "null": answer.null.map(|noise| json!({
            "exchanges": noise.exchanges, "largest": noise.largest,
        })),
        "threshold": answer.weights.threshold,
        "select": answer.select,
        "class_dependence": dependence::json(answer),
        "truth": answer.truth.as_ref().map(|truth| json!({
            "relevant": truth.relevant,
            "separability": truth.scores.separability,
            "usability": truth.scores.usability,
            "auc": truth.scores.auc,
        })),
        "weights": weights(answer),
        "notes": output::texts(&output::remarks(&answer.weights.notes)),
    })
}

fn weights(answer: &Answer) -> Vec<Value> {
    let (pairs, explains) = (answer.pairs(), answer.explains());
    let classes = pairs || answer.per_class();
    let extras = answer.extras();
    let own = answer.tested == Some(Tested::Own);
    let statistics = own.then_some(&answer.weights.associations);
    let mut all = Vec::new();
    for ranking in answer.rankings() {
        for place in &ranking.places {
            let mut one = Map::new();
            one.insert("rank".into(), place.rank.into());
            one.insert("feature".into(), place.feature.as_str().into());
            if classes {
                one.insert("class".into(), json!(ranking.class));
            }
            if pairs {
                one.insert("neighbour_class".into(), json!(ranking.neighbour_class));
            }
            if explains {
                one.insert("row".into(), json!(ranking.row));
            }
            one.insert("weight".into(), place.weight.into());
            if let Some(test) = statistics.and_then(|all| all.get(place.index)) {
                one.insert("t".into(), test.t.into());
                one.insert("deviation".into(), test.deviation.into());
            }
            for (extra, cell) in extras.iter().zip(&place.extra) {
                let value = match cell {
                    Some(Cell::Real(value)) => (*value).into(),
                    Some(Cell::Whole(value)) => (*value).into(),
                    Some(Cell::Text(words)) => words.as_str().into(),
                    Some(Cell::Flag(so)) => (*so).into(),
                    None => Value::Null,
                };
                one.insert(extra.name.into(), value);
            }
            all.push(Value::Object(one));
        }
    }
    all
}
