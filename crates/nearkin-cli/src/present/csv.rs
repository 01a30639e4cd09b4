//! `rank,feature,weight`, with `class` and `row` when rankings of those were asked for; both
//! are empty for the whole.

use std::io::{self, Write};

use super::Answer;
use crate::csv::{cell, number};

/// Write the rankings, one row a feature and ranking.
pub fn write(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    let (per_class, explains) = (answer.per_class(), answer.explains());
    let class = if per_class { ",class" } else { "" };
    let row = if explains { ",row" } else { "" };
    writeln!(out, "rank,feature{class}{row},weight")?;
    for ranking in answer.rankings() {
        let mut of = String::new();
        if per_class {
            of = format!(",{}", cell(ranking.class.as_deref().unwrap_or_default()));
        }
        if explains {
            of += &ranking.row.map_or(",".into(), |row| format!(",{row}"));
        }
        for place in &ranking.places {
            let (feature, weight) = (cell(&place.feature), number(place.weight));
            writeln!(out, "{},{feature}{of},{weight}", place.rank)?;
        }
    }
    Ok(())
}
