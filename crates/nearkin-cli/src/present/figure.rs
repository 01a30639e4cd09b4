//! An answer as a figure: bars of the whole, or dots a class.

use super::{Answer, Ranking};
use crate::plot::bars::{self, Bar};
use crate::plot::file::WIDTH;
use crate::plot::{Figure, dots};
use crate::present::extra::Cell;

/// More features than a picture can name.
const MOST: usize = 60;

/// Bars of the ranking, with their intervals; dots where there are weights per class.
pub fn draw(answer: &Answer) -> Figure {
    let rankings = answer.rankings();
    let method = match answer.wrapper {
        Some(wrapper) => format!("{} in {}", answer.about.title, wrapper.title),
        None => answer.about.title.to_owned(),
    };
    let whole = rankings.first().map_or(&[][..], |whole| &whole.places);
    let shown = &whole[..whole.len().min(MOST)];
    let part = match shown.len() < answer.columns {
        true => format!(" (the first {} of {})", shown.len(), answer.columns),
        false => String::new(),
    };
    let title = format!("{method} weights of {}{part}", answer.table);
    if answer.per_class() {
        return by_class(answer, &rankings, &title);
    }
    let names: Vec<&str> = answer.extras().iter().map(|extra| extra.name).collect();
    let end = |place: &super::Place, name: &str| {
        let at = names.iter().position(|&other| other == name)?;
        match place.extra.get(at)?.as_ref()? {
            Cell::Real(value) => Some(*value),
            _ => None,
        }
    };
    let bar = |place: &super::Place| Bar {
        name: place.feature.clone(),
        value: place.weight,
        ends: end(place, "low").zip(end(place, "high")),
        mark: end(place, "null95"),
        ..Bar::default()
    };
    let bars: Vec<Bar> = shown.iter().map(bar).collect();
    let line = answer.null.map(|null| (null.largest, "what the largest weight of noise reaches"));
    bars::with_line((&title, "weight"), &bars, line, WIDTH)
}

/// A row a feature, in the order of the whole, and a mark a class.
fn by_class(answer: &Answer, rankings: &[Ranking], title: &str) -> Figure {
    let found = answer.weights;
    let rows: Vec<String> =
        rankings[0].places.iter().take(MOST).map(|place| place.feature.clone()).collect();
    let at = |name: &String| found.features.iter().position(|feature| feature == name);
    let order: Vec<usize> = rows.iter().filter_map(at).collect();
    let values: Vec<Vec<f64>> = found
        .class_weights
        .iter()
        .map(|weights| order.iter().map(|&feature| weights[feature]).collect())
        .collect();
    dots::draw((title, "weight"), &rows, &found.classes, &values, WIDTH)
}
