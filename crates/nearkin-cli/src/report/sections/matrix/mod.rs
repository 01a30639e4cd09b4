//! Similarities without a table: the numbers of the matrix, typical samples of each class, the laws
//! of SDA, and samples unlike all others.

mod centres;
mod laws;
mod look;
mod nearest;
mod strangers;

use nearkin::classify::{Classify, Sda};

use crate::failure::{Failure, Result};
use crate::report::{Samples, Section};

/// The stages of the work, with what they cost next to each other.
pub fn plan(samples: usize) -> [(&'static str, f64); 3] {
    let pairs = (samples as f64).powi(2);
    [
        ("laws", 1e5 + pairs),
        ("classifiers", 1e6 + 20.0 * pairs.min(1.6e5)),
        ("samples", 1e4 + pairs),
    ]
}

/// The sections, and the answers in short; `next` begins the next stage.
pub fn sections(samples: &Samples, next: &dyn Fn()) -> Result<(Vec<Section>, Vec<String>)> {
    next();
    let (look, told) = look::section(samples);
    let (mut sections, mut summary) = (vec![look], vec![told]);
    let fitted = Sda::default().fit_with(samples.s, samples.classes, samples.run);
    match fitted.map_err(Failure::from) {
        Ok(fitted) => {
            let said = fitted.predict_with(samples.s, samples.run)?;
            sections.push(centres::section(samples, fitted.as_ref()));
            sections.push(laws::section(samples, fitted.as_ref()));
            let (section, told) = strangers::section(samples, &said);
            sections.push(section);
            summary.extend(told);
        }
        Err(Failure::Input(reason)) => {
            let heading = "Which sample stands for its class?";
            let mut section = Section::new("centres", "Prototypes", heading);
            section.note(format!("Not told of these similarities: {reason}."));
            sections.push(section);
        }
        Err(other) => return Err(other),
    }
    next();
    let (section, told) = super::classifiers::of_matrix(samples)?;
    sections.push(section);
    summary.extend(told);
    next();
    sections.push(nearest::section(samples)?);
    Ok((sections, summary))
}
