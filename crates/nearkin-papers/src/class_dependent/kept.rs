//! Outcomes of splits as JSON and back, so that a finished study need not be done again.

use crate::studies::class_dependence::Outcome;
use nearkin::weigh::FeatureWeights;
use serde_json::{Value, json};

/// The part of the splits of one set that a file of trials keeps.
pub fn written(outcomes: &[Outcome]) -> Value {
    let one = |o: &Outcome| {
        json!({
            "accuracy": o.accuracy,
            "correlations": o.correlations,
            "highest": o.highest,
            "most_varied": o.most_varied,
            "relief": o.relief,
            "class_relief": o.class_relief,
            "features": o.weights.features,
            "classes": o.weights.classes,
            "weights": o.weights.weights,
            "class_weights": o.weights.class_weights,
        })
    };
    outcomes.iter().map(one).collect()
}

/// The splits that were kept; `None` when they are not what [`written`] writes.
pub fn read(value: &Value) -> Option<Vec<Outcome>> {
    value.as_array()?.iter().map(outcome).collect()
}

fn outcome(value: &Value) -> Option<Outcome> {
    let class_weights = value["class_weights"].as_array()?.iter().map(numbers);
    let weights = FeatureWeights {
        features: texts(&value["features"])?,
        classes: texts(&value["classes"])?,
        weights: numbers(&value["weights"])?,
        class_weights: class_weights.collect::<Option<_>>()?,
        ..FeatureWeights::default()
    };
    Some(Outcome {
        accuracy: value["accuracy"].as_f64()?,
        correlations: value["correlations"].as_array()?.iter().map(Value::as_f64).collect(),
        highest: value["highest"].as_f64(),
        most_varied: value["most_varied"].as_u64()? as usize,
        relief: numbers(&value["relief"])?,
        class_relief: numbers(&value["class_relief"])?,
        weights,
    })
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(Value::as_f64).collect()
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|one| one.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_come_back_as_they_were() {
        let weights = FeatureWeights {
            features: vec!["a".into(), "b".into()],
            classes: vec!["x".into(), "y".into()],
            weights: vec![0.1, -1.0 / 3.0],
            class_weights: vec![vec![0.1, 0.2], vec![0.0, -0.5]],
            ..FeatureWeights::default()
        };
        let one = Outcome {
            accuracy: 2.0 / 3.0,
            correlations: vec![Some(0.1), None],
            highest: Some(0.1),
            most_varied: 1,
            relief: vec![0.5, 2.0 / 3.0],
            class_relief: vec![],
            weights,
        };
        let text = written(std::slice::from_ref(&one)).to_string();
        assert_eq!(read(&serde_json::from_str(&text).unwrap()), Some(vec![one]));
        assert_eq!(read(&json!([{"accuracy": 1}])), None);
    }
}
