//! Figures 2 to 4: accuracy over the number of features kept, and the weights of the classes.

use crate::studies::class_dependence::Outcome;
use nearkin::evaluate::Spread;

use super::claims::Seen;
use crate::settings::Settings;
use nearkin_cli::failure::Result;
use nearkin_cli::plot::dots;
use nearkin_cli::plot::lines::{self, Around, Line, Sample};

/// Where an outcome has the accuracies of one ranking.
pub type Curve = fn(&Outcome) -> &Vec<f64>;

/// Accuracy curves of a split, by ranking.
pub const CURVES: [(&str, Curve); 2] =
    [("relief", |o| &o.relief), ("cdrelief", |o| &o.class_relief)];

/// Accuracy over splits with the best 1, 2, … features.
pub fn spreads(seen: &Seen, curve: Curve) -> Vec<Spread> {
    let features = seen.outcomes.first().map_or(0, |o| curve(o).len());
    let at = |n: usize| -> Vec<f64> { seen.outcomes.iter().map(|o| curve(o)[n]).collect() };
    (0..features).filter_map(|n| Spread::of(&at(n))).collect()
}

/// Figures 2 (B.Cancer) and 3 (Breast-W) on the left, weights of every set (right of 2 and 3,
/// and 4), of the first split.
pub fn draw(way: &str, seen: &[Seen], settings: &Settings) -> Result<()> {
    let ending = way.replace(' ', "-");
    for set in seen {
        let number = match set.name.as_str() {
            "B.Cancer" => "2",
            "Breast-W" => "3",
            _ => "4",
        };
        if number != "4" {
            settings.figure(&format!("class-dependent-figure-{number}-{ending}"), |width| {
                let title = format!("Figure {number}: {}, {way}", set.name);
                let (x, y) = ("features kept", "accuracy");
                let around = Around { title: &title, x, y, ..Around::default() };
                lines::draw(around, &CURVES.map(|(name, curve)| line(name, set, curve)), width)
            })?;
        }
        let Some(first) = set.outcomes.first() else { continue };
        let name = format!("class-dependent-weights-{}-{ending}", set.name.to_lowercase());
        settings.figure(&name, |width| {
            let title = format!("Figure {number}: weights on {}, {way}", set.name);
            let weights = &first.weights;
            let mut series = vec!["RELIEF".to_owned()];
            series.extend(weights.classes.iter().map(|class| format!("class {class}")));
            let mut values = vec![weights.weights.clone()];
            values.extend(weights.class_weights.iter().cloned());
            dots::draw((&title, "weight"), &weights.features, &series, &values, width)
        })?;
    }
    Ok(())
}

fn line(name: &str, set: &Seen, curve: Curve) -> Line {
    let sample = |(n, spread): (usize, Spread)| Sample {
        x: (n + 1) as f64,
        y: spread.mean,
        ends: Some((spread.mean - spread.deviation, spread.mean + spread.deviation)),
    };
    let points = spreads(set, curve).into_iter().enumerate().map(sample).collect();
    Line { name: name.into(), points }
}
