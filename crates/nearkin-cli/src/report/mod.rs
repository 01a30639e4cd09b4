//! The report: one HTML file that answers the three questions about a table, or
//! what a similarity matrix holds, in words first.
//!
//! [`Page`] is the content and [`html`] writes it; [`sections`] has a file for each question. A
//! section that is not possible for a table says why, and the others go on.

pub mod baseline;
mod best;
pub mod html;
mod places;
mod samples;
pub mod sections;
mod subject;

pub use best::Best;
pub use samples::Samples;
pub use subject::Subject;

use crate::plot::{Figure, told};

/// The width of a figure, so that its words can still be read on a phone.
pub const WIDTH: f64 = 460.0;

/// The whole report.
pub struct Page {
    /// The title.
    pub title: String,
    /// The answers in short, a line each.
    pub summary: Vec<String>,
    /// The questions, in order.
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
    /// The content.
    pub parts: Vec<Part>,
}

/// A part of a section.
pub enum Part {
    /// The answer in plain words.
    Answer(String),
    /// More words.
    Words(String),
    /// A note of caution.
    Note(String),
    /// Pictures, next to each other if there is room.
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
    /// The caption.
    pub caption: String,
    /// Its head.
    pub head: Vec<String>,
    /// Its cells.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with its head.
    pub fn new<T: Into<String>>(
        name: &'static str,
        caption: impl Into<String>,
        head: impl IntoIterator<Item = T>,
        rows: Vec<Vec<Cell>>,
    ) -> Self {
        let head = head.into_iter().map(Into::into).collect();
        Self { name, caption: caption.into(), head, rows }
    }
}

/// A cell.
pub enum Cell {
    /// A word.
    Text(String),
    /// A number, shown short and kept whole.
    Number(f64),
    /// A p-value, shown as `< 0.0001` where it is smaller.
    Chance(f64),
    /// No value.
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
    /// An empty section.
    pub fn new(id: &'static str, short: &'static str, heading: impl Into<String>) -> Self {
        Self { id, short, heading: heading.into(), parts: Vec::new() }
    }

    /// Add a part.
    pub fn add(&mut self, part: Part) {
        self.parts.push(part);
    }

    /// Add the answer in plain words.
    pub fn answer(&mut self, text: impl Into<String>) {
        self.add(Part::Answer(text.into()));
    }

    /// Add a paragraph.
    pub fn words(&mut self, text: impl Into<String>) {
        self.add(Part::Words(text.into()));
    }

    /// Add a note of caution.
    pub fn note(&mut self, text: impl Into<String>) {
        self.add(Part::Note(text.into()));
    }

    /// Add notes of caution.
    pub fn notes(&mut self, texts: impl IntoIterator<Item = String>) {
        texts.into_iter().for_each(|text| self.note(text));
    }

    /// Add a figure.
    pub fn figure(&mut self, figure: Figure, name: &'static str) {
        self.figures(vec![(figure, name)]);
    }

    /// Add figures, side by side.
    pub fn figures(&mut self, figures: Vec<(Figure, &'static str)>) {
        self.add(Part::Figures(figures));
    }

    /// Add the finder of neighbours.
    pub fn neighbours(&mut self, data: serde_json::Value) {
        self.add(Part::Neighbours(data));
    }

    /// Add a table.
    pub fn table(&mut self, table: Table) {
        self.add(Part::Table(table));
    }
}

/// The count with `one` or `many` after it.
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
