//! A figure of what was learned: margins of the rows before and after.

use nearkin::learn::Learned;

use crate::plot::file::WIDTH;
use crate::plot::{Figure, margins};

/// The largest number of models that are drawn, when there is one for each class.
const MODELS: usize = 4;

/// Under the plain similarity and under the learned one, for each model.
pub fn draw(method: &str, table: &str, learned: &Learned) -> Figure {
    let several = learned.models.len() > 1;
    let mut panels: Vec<(String, &[f64])> = Vec::new();
    for (class, model) in learned.models.iter().take(MODELS).enumerate() {
        let of = match learned.classes.get(class) {
            Some(name) if several => format!("{name}: "),
            _ => String::new(),
        };
        panels.push((format!("{of}before"), &model.before));
        panels.push((format!("{of}after"), &model.after));
    }
    let part = match learned.models.len() > MODELS {
        true => format!(" (the first {MODELS} of {})", learned.models.len()),
        false => String::new(),
    };
    margins::draw(&format!("Margins of {table} by {method}{part}"), &panels, None, WIDTH)
}
