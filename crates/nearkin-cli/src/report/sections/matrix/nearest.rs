//! The most similar samples of any sample.

use serde_json::{Value, json};

use crate::failure::Result;
use crate::report::{Samples, Section};

/// Samples that are kept in the page, and neighbours of each.
const ROWS: usize = 500;
const NEIGHBOURS: usize = 5;

/// The section.
pub fn section(samples: &Samples) -> Result<Section> {
    let mut section = Section::new("rows", "Samples", "Who are the neighbours of a sample?");
    let (rows, note) = samples.drawn(ROWS)?;
    section.words(
        "Samples are counted from 0. Similarities are those of the chosen sample to the others, in \
         that direction.",
    );
    section.notes(note);
    let near = |at: usize| -> Vec<Value> {
        let mut others: Vec<usize> = (0..rows.len()).filter(|&other| other != at).collect();
        let similar = |other: usize| samples.s.at(rows[at], rows[other]);
        others.sort_by(|&a, &b| similar(b).total_cmp(&similar(a)).then(a.cmp(&b)));
        others.truncate(NEIGHBOURS);
        others.into_iter().map(|other| json!([other, similar(other)])).collect()
    };
    let one = |(at, &row): (usize, &usize)| {
        let label = samples.class_name(samples.class(row));
        json!({ "number": row, "label": label, "near": near(at), "cells": [] })
    };
    section.neighbours(json!({
        "target": "class",
        "classes": true,
        "measure": "similarity",
        "most": samples.s.rows().saturating_sub(1),
        "columns": [],
        "rows": rows.iter().enumerate().map(one).collect::<Vec<_>>(),
    }));
    Ok(section)
}
