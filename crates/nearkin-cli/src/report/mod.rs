//! The report: one HTML file that answers the three questions about a table, or
//! what a similarity matrix holds, in words first.
//!
//! [`Page`] is what is told, [`html`] how it is written down; [`sections`] holds a file a
//! question. A section that cannot be told of a table says why, and the others go on.

pub mod html;
mod samples;
pub mod sections;
mod subject;

pub use samples::Samples;
pub use subject::Subject;

use crate::plot::{Figure, told};

/// The width of a figure, so that its words can still be read on a phone.
pub const WIDTH: f64 = 460.0;

/// The whole report.
pub struct Page {
    /// What it is about.
    pub title: String,
    /// The answers in short.
    pub summary: Vec<String>,
    /// The questions in turn.
    pub sections: Vec<Section>,
    /// How it was made: names and values.
    pub made: Vec<(String, String)>,
}

/// One question.
pub struct Section {
    /// Its name within the page.
    pub id: &'static str,
    /// A word for the list of sections.
    pub short: &'static str,
    /// The question.
    pub heading: String,
    /// What is told of it.
    pub parts: Vec<Part>,
}

/// A part of a section.
pub enum Part {
    /// The answer in plain words.
    Answer(String),
    /// More words.
    Words(String),
    /// What to be careful about.
    Note(String),
    /// Pictures, side by side where there is room.
    Figures(Vec<(Figure, &'static str)>),
    /// A table.
    Table(Table),
    /// The finder of neighbours, with its data as JSON.
    Neighbours(serde_json::Value),
}

/// A table to sort, filter and save.
pub struct Table {
    /// Its name, and that of its file.
    pub name: &'static str,
    /// What it holds.
    pub caption: String,
    /// Its head.
    pub head: Vec<String>,
    /// Its cells.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell.
pub enum Cell {
    /// A word.
    Text(String),
    /// A number, shown short and kept whole.
    Number(f64),
    /// A probability of chance, of which only the size matters when it is small.
    Chance(f64),
    /// Nothing to tell.
    Empty,
}

impl Cell {
    /// A number that may not be known.
    pub fn maybe(value: Option<f64>) -> Self {
        value.filter(|v| v.is_finite()).map_or(Self::Empty, Self::Number)
    }

    /// A probability that may not be known.
    pub fn chance(value: Option<f64>) -> Self {
        value.filter(|v| v.is_finite()).map_or(Self::Empty, Self::Chance)
    }

    /// The number, whole.
    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) | Self::Chance(value) => Some(*value),
            Self::Text(_) | Self::Empty => None,
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Chance(value) if *value < 1e-4 => "< 0.0001".into(),
            Self::Chance(value) => told(*value),
            Self::Number(value) => told(*value),
            Self::Empty => String::new(),
        }
    }
}

impl Section {
    /// A section with nothing told yet.
    pub fn new(id: &'static str, short: &'static str, heading: impl Into<String>) -> Self {
        Self { id, short, heading: heading.into(), parts: Vec::new() }
    }

    /// Tell something more.
    pub fn add(&mut self, part: Part) -> &mut Self {
        self.parts.push(part);
        self
    }
}

/// `one` or `many`, as `count` asks for, with the count.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Words in a row: `a`, `a and b`, `a, b and c`.
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
