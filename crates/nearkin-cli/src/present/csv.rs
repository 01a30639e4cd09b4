//! `rank,feature,weight`, with `class`, `neighbour_class` and `row` when rankings of those were
//! asked for and what else is known behind the weight; a cell that says nothing is empty.

use std::io::{self, Write};

use super::Answer;
use super::extra::Cell;
use crate::csv::{cell, number};

/// Write the rankings, one row a feature and ranking.
pub fn write(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    let (pairs, explains) = (answer.pairs(), answer.explains());
    let classes = pairs || answer.per_class();
    let mut head = String::from("rank,feature");
    for (name, asked) in [("class", classes), ("neighbour_class", pairs), ("row", explains)] {
        if asked {
            head += &format!(",{name}");
        }
    }
    head += ",weight";
    answer.extras().iter().for_each(|extra| head += &format!(",{}", extra.name));
    writeln!(out, "{head}")?;
    for ranking in answer.rankings() {
        let mut of = String::new();
        for (class, asked) in [(&ranking.class, classes), (&ranking.neighbour_class, pairs)] {
            if asked {
                of += &format!(",{}", cell(class.as_deref().unwrap_or_default()));
            }
        }
        if explains {
            of += &ranking.row.map_or(",".into(), |row| format!(",{row}"));
        }
        for place in &ranking.places {
            let (feature, weight) = (cell(&place.feature), number(place.weight));
            write!(out, "{},{feature}{of},{weight}", place.rank)?;
            for extra in &place.extra {
                match extra {
                    Some(Cell::Real(value)) => write!(out, ",{}", number(*value))?,
                    Some(Cell::Whole(value)) => write!(out, ",{value}")?,
                    Some(Cell::Text(words)) => write!(out, ",{}", cell(words))?,
                    Some(Cell::Flag(so)) => write!(out, ",{so}")?,
                    None => write!(out, ",")?,
                }
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
