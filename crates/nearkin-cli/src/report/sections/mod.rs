//! The questions, a file each.

pub mod association;
mod certainty;
pub mod classifiers;
pub mod data;
pub mod kept;
pub mod matrix;
pub mod neighbour_count;
pub mod rows;
pub mod similarity;
pub mod weights;

use super::Section;
use crate::failure::{Failure, Result};

/// Tell a section by `tell`; when the data does not allow it, say why and go on.
pub fn told(
    mut section: Section,
    tell: impl FnOnce(&mut Section) -> Result<()>,
) -> Result<Section> {
    match tell(&mut section) {
        Ok(()) => Ok(section),
        Err(Failure::Input(reason)) => {
            section.note(format!("Not told of this table: {reason}."));
            Ok(section)
        }
        Err(other) => Err(other),
    }
}
