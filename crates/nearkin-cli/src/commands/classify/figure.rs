//! The data of a classifier as a figure: similarities, ordered by class.

use nearkin::data::{Classes, SimilarityMatrix, Target};

use super::data::Data;
use crate::failure::{Failure, Result};
use crate::plot::file::WIDTH;
use crate::plot::{Figure, heat};

/// The matrix that was given, or that of the table's rows; of several measures the first.
pub fn draw(name: &str, data: &Data) -> Result<Figure> {
    let nothing = || Failure::Input(format!("--plot: {name} has no similarities of classes"));
    match data {
        Data::Matrices { views, classes, .. } => {
            Ok(heat_map(name, views.first().ok_or_else(nothing)?, classes))
        }
        Data::Table { table, target, measures } => {
            let Target::Classes(classes) = target else { return Err(nothing()) };
            let of = |error| Failure::of_table(name, error);
            let measure = measures.first().ok_or_else(nothing)?;
            let fitted = measure.fit(table, Some(target)).map_err(of)?;
            Ok(heat_map(name, &fitted.block(table, table).map_err(of)?, classes))
        }
    }
}

fn heat_map(name: &str, s: &SimilarityMatrix, classes: &Classes) -> Figure {
    heat::by_class(&format!("Similarities of {name}, ordered by class"), s, classes, WIDTH)
}
