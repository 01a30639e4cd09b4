//! The neighbours of any row, and in which features they differ from it.

use nearkin::data::{Column, ColumnValues, Encoder, Target};
use nearkin::measure::{Measure, Metric, Missing, Scaling, Unknown};
use nearkin::neighbors::{Labelled, nearest};
use serde_json::{Value, json};

use crate::failure::Result;
use crate::report::{Section, Subject};

/// Rows and cells that are kept in the page.
const ROWS: usize = 500;
const CELLS: usize = 60_000;
const NEIGHBOURS: usize = 5;

/// The section; `order` ranks the features, of which the first are kept when there are many.
pub fn section(subject: &Subject, order: &[usize]) -> Result<Section> {
    let heading = "Who are the neighbours of a row, and why?";
    super::told(Section::new("rows", "Rows", heading), |section| {
        let drawn = subject.drawn(ROWS)?;
        let most = (CELLS / drawn.rows.len().max(1)).max(5);
        let mut kept: Vec<usize> = order.iter().copied().take(most).collect();
        kept.sort_unstable();
        let encoder = Encoder::fit(&drawn.table)?;
        let rows = encoder.encode(&drawn.table)?;
        let unknown = Unknown::constant(Missing::One, &encoder);
        let measure = Measure::new(&encoder, Metric::Manhattan, Scaling::MinMax, unknown);
        let everyone = vec![0; rows.len()];
        let all = Labelled { rows: &rows, labels: &everyone, classes: 1 };
        let near = nearest(all, &measure, NEIGHBOURS, subject.run)?;
        let near = |row: usize| -> Vec<Value> {
            let (index, distance) = near.of(row, 0);
            index.iter().zip(distance).map(|(&i, &d)| json!([i, rounded(d)])).collect()
        };
        let label = |row: usize| match &drawn.target {
            Target::Classes(classes) => {
                json!(classes.names()[classes.codes()[row] as usize])
            }
            Target::Real(values) => json!(values[row].to_string()),
        };
        let columns = drawn.table.columns();
        let one = |(at, number): (usize, &usize)| {
            let cells: Vec<Value> = kept.iter().map(|&c| cell(&columns[c], at)).collect();
            json!({ "number": number, "label": label(at), "near": near(at), "cells": cells })
        };
        section.words(format!(
            "Rows are counted from 0. The distance is the sum of the features' differences, \
             numbers as shares of their range, categories as 0 or 1{}.",
            if subject.table.has_missing() { ", a missing cell as 1" } else { "" }
        ));
        if kept.len() < columns.len() {
            section.note(format!(
                "Of {} features the {} heaviest are shown; distances count all.",
                columns.len(),
                kept.len()
            ));
        }
        drawn.note.iter().for_each(|note| {
            section.note(note.clone());
        });
        section.neighbours(json!({
            "target": subject.target_name,
            "classes": subject.classes().is_some(),
            "missing": 1,
            "most": subject.table.rows().saturating_sub(1),
            "columns": kept.iter().map(|&c| described(&columns[c])).collect::<Vec<_>>(),
            "rows": drawn.rows.iter().enumerate().map(one).collect::<Vec<_>>(),
        }));
        Ok(())
    })
}

/// A number short enough for a page.
fn rounded(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap_or(value)
}

fn number(column: &Column, row: usize) -> Option<f64> {
    match &column.values {
        ColumnValues::F64(lane) => Some(lane.at(row)),
        ColumnValues::F32(lane) => Some(f64::from(lane.at(row))),
        _ => None,
    }
    .filter(|v| !v.is_nan())
}

fn cell(column: &Column, row: usize) -> Value {
    match &column.values {
        ColumnValues::Nominal { codes, .. } if !column.is_missing(row) => json!(codes[row]),
        _ => json!(number(column, row)),
    }
}

fn described(column: &Column) -> Value {
    let words = match &column.values {
        ColumnValues::Nominal { categories, .. } => json!(categories),
        _ => Value::Null,
    };
    let known = || (0..column.len()).filter_map(|row| number(column, row));
    let range = known().fold(f64::NEG_INFINITY, f64::max) - known().fold(f64::INFINITY, f64::min);
    json!({ "name": column.name, "words": words, "range": if range.is_finite() { range } else { 0.0 } })
}
